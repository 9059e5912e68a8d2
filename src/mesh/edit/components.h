// Which parts of tiles hang together over borders, without links. All anew for a fresh mesh; after an edit only as far as the edit
// goes.
//
// An edit takes some tiles out, with all that joins them to others, and puts others in. The parts that lie round it are its *rim*.
// Before the edit the tiles joined the parts of the rim in classes, after it they join them in classes again. If each old class is
// within one of the new ones, as is usual, nothing has come apart. Parts of an old class that are in several new ones may still hang
// together elsewhere: a search from each of them, all at the same pace, goes on until they have met or all but one have come to
// an end; those have come apart, and get a number of their own. So the cost is that of the smaller parts. (Shiloach & Even 1981, "An
// on-line edge-deletion problem".) Then a new class that joins components makes one of them, by going through the smaller ones.
//
// What numbers components get depends on what was there before. Their first parts do not.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

#include "base/revisions.h"
#include "mesh/data/state.h"
#include "mesh/data/stitch.h"

namespace fairlead::mesh {

class ComponentFinder {
  public:
    explicit ComponentFinder(const Allocator& a)
        : before_(a),
          after_(a),
          touched_(a),
          rim_(a),
          classes_(a),
          torn_(a),
          fronts_(a),
          met_(a),
          changed_(a),
          marks_(a) {}

    /// The draft's tiles must be joined and numbered. False: out of memory.
    [[nodiscard]] bool find_all(Revisions<StateData>& revisions);
    /// The same, where the draft's tiles differ from the current state's, and are joined otherwise, at these places alone.
    [[nodiscard]] bool renew(Revisions<StateData>& revisions, std::span<const TilePlace> places);

    /// After either: have parts outside of those places other numbers now?
    [[nodiscard]] bool renumbered() const { return renumbered_; }

  private:
    /// Of a part. Parts are numbered as in the state that they are of.
    struct Joined {
        std::uint32_t stamp = 0;
        std::uint32_t parent = 0;     ///< in a forest of sets
        std::uint32_t rim = kNone;    ///< its place in rim_; of an old set's root: the first one of the set
        std::uint32_t label = kNone;  ///< of a new set's root
        std::uint32_t search_stamp = 0;
        std::uint32_t front = kNone;
    };
    struct Rim {
        std::uint32_t root = 0;    ///< of its new set
        std::uint32_t part = 0;    ///< slot and part
        std::uint32_t number = 0;  ///< in the draft
        bool old = false;          ///< it was joined to the tiles before
        std::uint32_t set = 0;     ///< its place in classes_
    };
    /// A stretch of rim_.
    struct RimClass {
        std::uint32_t first = 0;
        std::uint32_t end = 0;
        std::uint32_t search_stamp = 0;
    };
    /// A class of the rim whose old class is in several.
    struct Torn {
        std::uint32_t label = 0;
        std::uint32_t set = 0;
    };
    struct Met {
        std::uint32_t part = 0;
        std::uint32_t next = kNone;
    };
    struct List {
        std::uint32_t first = kNone;
        std::uint32_t last = kNone;
    };
    struct Front {
        std::uint32_t parent = 0;  ///< in a forest of fronts that have met
        bool ended = false;
        List waiting{};
        List seen{};
    };

    [[nodiscard]] bool begin(Revisions<StateData>& revisions, std::span<const TilePlace> places);
    [[nodiscard]] bool is_touched(std::uint32_t slot) const {
        return slot < marks_.size() && marks_[slot] == stamp_;
    }
    [[nodiscard]] Joined& joined(Array<Joined>& all, std::uint32_t number);
    [[nodiscard]] std::uint32_t root_of(Array<Joined>& all, std::uint32_t number);
    [[nodiscard]] bool join(const StateData& state, Array<Joined>& all, bool old);
    [[nodiscard]] bool add_rim(std::uint32_t slot, std::uint32_t part, bool old);
    [[nodiscard]] bool sort_rim();
    [[nodiscard]] bool find_torn();
    [[nodiscard]] bool mend(std::size_t first, std::size_t end);
    [[nodiscard]] bool merge();
    [[nodiscard]] bool label_touched();
    void name();
    void append(List& list, std::uint32_t node);
    [[nodiscard]] bool meet(std::uint32_t front, std::uint32_t part, std::uint32_t label);
    [[nodiscard]] bool go_on(std::uint32_t front, std::uint32_t label);
    void begin_search();
    [[nodiscard]] std::uint32_t root_front(std::uint32_t front);
    void unite(std::uint32_t a, std::uint32_t b);
    [[nodiscard]] std::uint32_t take_label();
    void note(std::uint32_t label);
    [[nodiscard]] bool give_label(std::uint32_t part, std::uint32_t label);
    [[nodiscard]] bool give_all(const List& parts, std::uint32_t label);
    [[nodiscard]] bool comes_before(std::uint32_t part, std::uint32_t other) const;
    void offer(std::uint32_t part, std::uint32_t label);
    [[nodiscard]] std::uint32_t first_part(std::uint32_t label) const;
    [[nodiscard]] std::uint32_t label_of(std::uint32_t part) const {
        return draft_->labels[part >> draft_->bits]->of_part()[draft_->local(part)];
    }
    [[nodiscard]] std::uint32_t number_of(std::uint32_t part) const {
        return draft_->tiles[part >> draft_->bits].part_first + draft_->local(part);
    }

    /// A label of which parts have come or gone.
    struct Changed {
        std::uint32_t stamp = 0;
        std::uint32_t first = kNone;  ///< of the parts that came
        std::uint32_t next = kNone;   ///< another such label
    };

    Revisions<StateData>* revisions_ = nullptr;
    const StateData* old_ = nullptr;
    StateData* draft_ = nullptr;
    std::uint32_t stamp_ = 0;
    std::uint32_t search_stamp_ = 0;
    std::uint32_t alive_ = 0;  ///< fronts that have neither met another one nor ended
    std::uint32_t first_changed_ = kNone;
    bool renumbered_ = false;
    Array<Joined> before_;          ///< by part, of the current state
    Array<Joined> after_;           ///< by part, of the draft
    Array<std::uint32_t> touched_;  ///< slots whose tiles come or go
    Array<Rim> rim_;
    Array<RimClass> classes_;
    Array<Torn> torn_;
    Array<Front> fronts_;
    Array<Met> met_;
    Array<Changed> changed_;      ///< by label
    Array<std::uint32_t> marks_;  ///< by slot: stamp_ if it is in touched_
};

}  // namespace fairlead::mesh
