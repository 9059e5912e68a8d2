// PlaceBuild: from what is told of every point to the places.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/crowd/narrow_places.h>

#include "crowd/places/axis.h"
#include "crowd/places/field.h"
#include "crowd/places/mouths.h"
#include "crowd/places/pieces.h"

namespace fairlead::crowd {

/// In NarrowPlaces' table of blocks: labels of its own.
inline constexpr std::uint32_t kManyPlaces = std::uint32_t{1} << 31;

/// Items in groups, in their order.
class Grouped {
  public:
    explicit Grouped(const Allocator& allocator) : first_(allocator), items_(allocator) {}

    /// `group_of(item)`: below `groups`, or anything else for none. False: no memory.
    template <class GroupOf>
    [[nodiscard]] bool make(std::size_t groups, std::size_t items, const GroupOf& group_of) {
        first_.clear();
        if (!first_.resize(groups + 2)) return false;
        for (std::size_t i = 0; i < items; ++i) {
            if (group_of(i) < groups) ++first_[group_of(i) + 2];
        }
        for (std::size_t g = 2; g < first_.size(); ++g) first_[g] += first_[g - 1];
        if (!items_.resize_uninitialized(first_.back())) return false;
        for (std::size_t i = 0; i < items; ++i) {
            if (group_of(i) < groups) items_[first_[group_of(i) + 1]++] = static_cast<std::uint32_t>(i);
        }
        return true;
    }
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t group) const {
        return items_.span().subspan(first_[group], first_[group + 1] - first_[group]);
    }
    [[nodiscard]] std::size_t memory() const { return first_.bytes() + items_.bytes(); }

  private:
    Array<std::uint32_t> first_;
    Array<std::uint32_t> items_;
};

class PlaceBuild {
  public:
    explicit PlaceBuild(const Allocator& allocator)
        : kinds_(allocator),
          tight_(allocator),
          loose_(allocator),
          tight_mouths_(allocator),
          loose_mouths_(allocator),
          room_set_(allocator),
          place_set_(allocator),
          facts_(allocator),
          place_of_tight_(allocator),
          place_of_loose_(allocator),
          room_of_(allocator),
          runs_of_(allocator),
          mouths_of_(allocator),
          ends_(allocator),
          middles_(allocator),
          depth_(allocator),
          axis_(allocator),
          window_(allocator),
          dirty_(allocator) {}

    /// False: no memory.
    [[nodiscard]] bool make(const PlaceField& field, const PlacesOptions& options, NarrowPlaces& out);
    [[nodiscard]] std::size_t memory() const;

  private:
    /// Of a piece.
    struct Fact {
        std::uint32_t mouths = 0;
        std::uint32_t to_tokens = 0;  ///< of them, lanes only
        bool passage = false;
        bool pocket = false;       ///< of the root of a set of wide and its niches
        std::uint64_t points = 0;  ///< of a root: of its set
        std::uint32_t outer = 0;   ///< of a root of places: mouths that stay
        std::uint32_t pockets = 0;
    };
    // build_tokens.cpp
    [[nodiscard]] bool find_tokens();
    void absorb_niches();
    void find_pockets();
    void join_pockets();
    [[nodiscard]] bool number_tokens();
    [[nodiscard]] bool make_tokens();
    [[nodiscard]] bool number_rooms();
    [[nodiscard]] std::uint32_t room_at(std::int32_t x, std::int32_t y) const;
    // build_lanes.cpp
    [[nodiscard]] bool find_lanes();
    [[nodiscard]] bool make_lanes();
    // build_place.cpp
    struct Parts {
        PlaceKind kind = PlaceKind::token;
        std::span<const std::uint32_t> runs{};
        std::span<const std::uint32_t> mouths{};
        double length_min = 0.0;
        std::uint32_t pockets = 0;
    };
    [[nodiscard]] bool add_place(const Pieces& pieces, const RawMouths& mouths, const Parts& parts,
                                 bool& added);
    [[nodiscard]] bool make_axis(const Pieces& pieces, const RawMouths& mouths, const Parts& parts);
    [[nodiscard]] bool add_axis(NarrowPlace& place);
    [[nodiscard]] bool add_mouths(const RawMouths& mouths, const Parts& parts, const NarrowPlace& place);
    [[nodiscard]] PieceRun middle_of(const RawMouths& mouths, const RawMouth& mouth, Vec2& middle) const;
    [[nodiscard]] Vec2 outward_of(const PieceRun& middle, PlaceKind kind, std::uint32_t node) const;
    [[nodiscard]] bool farthest_mouths(const NarrowPlace& place, double& length);
    [[nodiscard]] Vec2 world(double x, double y) const {
        return {options_.origin.x + options_.cell * x, options_.origin.y + options_.cell * y};
    }
    // build_labels.cpp
    [[nodiscard]] bool make_labels();
    [[nodiscard]] bool fill_window(std::int32_t y0);
    void fill_runs(const Pieces& pieces, std::span<const std::uint32_t> place_of, std::int32_t y);
    [[nodiscard]] std::uint32_t near_label(std::int32_t x, std::int32_t row) const;
    [[nodiscard]] bool add_block(std::int32_t bx, std::int32_t y0);

    const PlaceField* field_ = nullptr;
    PlacesOptions options_{};
    NarrowPlaces* out_ = nullptr;

    Array<std::uint8_t> kinds_;
    Pieces tight_;  ///< where two cannot pass, and the rest
    Pieces loose_;  ///< where four cannot pass, and the rest
    RawMouths tight_mouths_;
    RawMouths loose_mouths_;
    Joined room_set_;   ///< tight pieces: wide ones with their niches
    Joined place_set_;  ///< passages with their pockets
    Array<Fact> facts_;
    Array<std::uint32_t> place_of_tight_;
    Array<std::uint32_t> place_of_loose_;
    Array<std::uint32_t> room_of_;  ///< by tight piece
    Grouped runs_of_;               ///< by place or candidate
    Grouped mouths_of_;
    Array<PieceRun> ends_;  ///< work: middles of mouths, as points
    Array<Vec2> middles_;   ///< and as places
    Array<double> depth_;   ///< work: of nodes
    AxisTree axis_;
    Array<std::uint32_t> window_;  ///< work: rows of labels around a row of blocks
    Array<std::uint8_t> dirty_;    ///< work: blocks of the row that may hold a place
};

}  // namespace fairlead::crowd
