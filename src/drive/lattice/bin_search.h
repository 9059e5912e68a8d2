// A way over continuous poses, where the lattice has none: from the start and from the goal in turn, until one of the two
// searches finds the other end, or one of them, the one in the tighter place, has nothing left. Then it is done once more with
// smaller bins; if they do not lead out either, there is no way as finely as they tell.
//
// Cost: 2 to 4 us an expansion. 64 bytes a pose met.
#pragma once

#include <cstdint>

#include <fairlead/search/engine.h>
#include <fairlead/search/open_list.h>
#include "drive/lattice/lattice_query.h"

#include "drive/lattice/bin_space.h"
#include "drive/lattice/grid_lattice.h"

namespace fairlead::drive {

class BinSearch {
  public:
    enum class Progress : std::uint8_t { running, found, exhausted, no_memory };

    explicit BinSearch(const Allocator& allocator);

    /// `possible`: there is something to search: both ends are exact poses, and the ground joins them. False: out of memory.
    /// `hook` is told what is opened, if it is set.
    [[nodiscard]] bool begin(const MapData& map, const LatticeQuery& query, const LatticeGoal& goal,
                             Cost cell, const SearchTrace& hook, bool& possible);
    [[nodiscard]] Progress step(std::uint64_t expansions);
    [[nodiscard]] std::uint64_t expanded() const {
        return before_ + side_[0].engine.expanded() + side_[1].engine.expanded();
    }
    /// After `found`. False: out of memory.
    [[nodiscard]] bool write_chain(Array<ChainPose>& chain) const;

  private:
    // Opens each pose once; far from optimal, quick to arrive.
    struct Key {
        [[nodiscard]] Cost operator()(Cost g, Cost h) const { return g + 2 * h; }
        [[nodiscard]] bool reopens() const { return false; }
    };
    // Tells of side `which` of a watched search.
    struct Trace {
        const BinSearch* search = nullptr;
        std::size_t which = 0;
        void expanded(std::uint32_t state, Cost g) const {
            if (FAIRLEAD_UNLIKELY(search != nullptr)) search->tell(which, state, g);
        }
        void generated(std::uint32_t, Cost) const {}
    };
    using Engine = BestFirst<BinSpace, Key, BucketOpen, HashedNodes, Trace>;

    // One of the two searches.
    struct Side {
        explicit Side(const Allocator& allocator)
            : space(allocator), nodes(allocator), open(allocator), ground(allocator) {}
        CurveWorld world;
        BinSpace space;
        HashedNodes nodes;
        BucketOpen open;
        GroundDistance ground;
        Engine engine{space, open, nodes};
    };

    [[nodiscard]] bool list_ends(const LatticeQuery& query, const LatticeGoal& goal);
    [[nodiscard]] bool begin_pass(std::size_t pass);
    [[nodiscard]] bool aim(Side& side, std::span<const Pose> from, std::span<const Pose> to,
                           const BinSize& size);
    void set_costs(Array<ChainPose>& chain) const;
    void tell(std::size_t which, std::uint32_t state, Cost g) const;

    Side side_[2];
    const MapData* map_ = nullptr;
    SearchTrace hook_{};
    Cost cell_ = 0;
    Array<Pose> ends_[2];  // the exact poses of start and goal
    std::size_t pass_ = 0;
    std::uint64_t before_ = 0;  // expansions of the passes before
    std::size_t turn_ = 0;
    std::uint64_t left_ = 0;  // expansions of this turn
    std::size_t found_ = 0;
};

}  // namespace fairlead::drive
