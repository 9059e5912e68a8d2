// Decides whether a sphere wider than half a voxel can go from one place to another, and how.
//
// Three ways, each where the one before it does not reach:
// 1. the middles of voxels where it fits, joined over faces: a flood from both ends in turn, towards the other end; the
//    side that runs out is the smaller one;
// 2. straight lines between middles of different components (squeezed diagonals);
// 3. the cubes between middles, cut in eight where they are neither free nor blocked, down to 1/64 voxel. What is known to
//    be joined grows (places that see each other), what may be passed shrinks (cells that are not blocked). Each round the
//    cheapest way through cells that may be passed is taken; each pinch on it is cut up in a window of its own until it is
//    passed or closed.
//
// Promises. found: there is a way, and list_way() has it. exhausted: there is none, proven() for the radius
// exactly; else every place of a way would have to be passed by squeezing through cells of the finest size: none
// exists for a radius larger by a diagonal of 1/64 voxel (0.028 voxels). A way for such a radius is always found.
// Deterministic, also whatever the budgets. No allocation when warm.
#pragma once

#include <cstdint>

#include <fairlead/search/engine.h>

#include "volume/wide/spread.h"

namespace fairlead::volume {

class WideWay {
  public:
    explicit WideWay(const Allocator& allocator)
        : sets_(allocator),
          lattice_(allocator),
          cells_(allocator),
          linker_(cells_, sets_, allocator),
          spread_(lattice_, cells_, sets_, linker_, allocator),
          flood_{Flood(allocator), Flood(allocator)},
          window_(allocator),
          order_(allocator),
          made_(allocator),
          path_(allocator),
          pinches_(allocator),
          links_of_(allocator),
          first_link_(allocator),
          came_by_(allocator),
          queue_(allocator) {}
    WideWay(const WideWay&) = delete;
    WideWay& operator=(const WideWay&) = delete;

    /// Places in voxels; the masks' body stands at both, and its radius is more than half a voxel's shortest side.
    void begin(Masks& masks, Vec3 start, Vec3 goal);
    /// `budget`: bricks, cells and places looked at; a step within a pinch is taken whole. running: it is used up.
    [[nodiscard]] SearchProgress step(std::uint64_t budget);
    /// After found. From start to goal, straight from each place to the next. False: out of memory.
    [[nodiscard]] bool list_way(Array<Vec3>& way);

    /// After exhausted.
    [[nodiscard]] bool proven() const { return proven_; }

    enum class Means : std::uint8_t {
        lattice,
        links,  ///< places that see each other, nothing was cut: squeezed diagonals, middles of cubes
        cells,
    };
    struct Counts {
        std::uint64_t units = 0;
        std::uint64_t cells = 0;         ///< children made
        std::uint64_t cubes = 0;         ///< between middles, looked at or beside such
        std::uint32_t rounds = 0;        ///< of the search over all
        std::uint32_t fresh_rounds = 0;  ///< of those, from the beginning
        std::uint32_t windows = 0;       ///< rounds within a pinch
        Means means = Means::lattice;    ///< the least that was enough
    };
    [[nodiscard]] Counts counts() const;

  private:
    enum class Stage : std::uint8_t { flood, spread, pinch, prove, found, exhausted, no_memory };
    struct Seed {
        std::uint64_t key;
        std::uint32_t node;
    };
    static bool before(const Seed& a, const Seed& b) {
        return a.key != b.key ? a.key < b.key : a.node < b.node;
    }
    using Flood = LeastHeap<Seed, before>;

    [[nodiscard]] bool place_end(int which, Vec3 at, WideEndPlace& end);
    [[nodiscard]] bool push_seed(int side, std::uint32_t node);
    [[nodiscard]] bool flood_once();
    [[nodiscard]] bool begin_spread();
    [[nodiscard]] bool spread_once(std::uint64_t& budget);
    [[nodiscard]] bool begin_pinch();
    [[nodiscard]] bool leave_pinch();
    [[nodiscard]] bool pinch_once(std::uint64_t& budget);
    [[nodiscard]] bool prove_once(std::uint64_t& budget);
    [[nodiscard]] bool work(std::uint64_t& budget);
    [[nodiscard]] bool joined() { return sets_.same(ends_[0].node, ends_[1].node); }
    // Of list_way.
    [[nodiscard]] bool sort_links();
    [[nodiscard]] bool find_links();
    [[nodiscard]] bool go_inside(std::uint32_t node, Vec3& at, Vec3 to, Array<Vec3>& way) const;
    void ends_of(const SetLink& link, Vec3 ends[2]) const;

    const StateData* state_ = nullptr;
    const Body* body_ = nullptr;
    Sets sets_;
    Lattice lattice_;
    Cells cells_;
    Linker linker_;
    Spread spread_;
    Flood flood_[2];
    WideEndPlace ends_[2];
    Stage stage_ = Stage::exhausted;
    int turn_ = 0;
    int near_ = 0;  ///< the end whose side ran out
    bool proven_ = true;
    std::uint64_t units_ = 0;
    std::uint32_t rounds_ = 0;
    std::uint32_t fresh_rounds_ = 0;
    std::uint32_t window_rounds_ = 0;
    std::uint32_t window_id_ = 0;
    std::size_t cuts_before_ = 0;  ///< this round
    Array<std::uint32_t> window_;  ///< leaves and what was cut of them
    Array<std::uint32_t> order_;   ///< the cells of all pinches
    Array<std::uint32_t> made_;    ///< cells, since the search over all stopped
    Array<std::uint32_t> path_;
    Array<Pinch> pinches_;
    Array<std::uint32_t> links_of_;  ///< by node
    Array<std::uint32_t> first_link_;
    Array<std::uint32_t> came_by_;
    Array<std::uint32_t> queue_;
};

}  // namespace fairlead::volume
