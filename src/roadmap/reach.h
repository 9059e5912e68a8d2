// ReachIndex: which waypoint can be reached from which, with one-way edges.
//
// Waypoints that reach each other form a set (a strongly connected component; Tarjan 1972). Between the sets
// the one-way edges make an acyclic graph. Each set has two ranks in which every set comes after all sets
// that it reaches, and for each the lowest rank that it reaches: if the ranks reached by a do not include
// that of b, there is no way (GRAIL; Yildirim, Chaoji & Zaki 2010). Waypoints that no edges join at all are
// told apart by the weak component. What is left open is settled by a walk over the sets, which the ranks
// keep short. So every answer is exact.
//
// The index says the truth as long as the graph reaches what it reached when the index was made; edits that
// keep that keep the index (edit.cpp). Slots that it does not know, or that were empty, are waypoints without
// edges.
#pragma once

#include <cstdint>

#include "roadmap/state.h"

namespace fairlead::roadmap {

inline constexpr std::uint32_t kNoSet = UINT32_MAX;

/// A set's number is its first rank.
struct ReachSet {
    std::uint32_t low = 0;         ///< lowest first rank reached
    std::uint32_t second = 0;      ///< second rank
    std::uint32_t second_low = 0;  ///< lowest second rank reached
    std::uint32_t weak = 0;
    std::uint32_t arc_first =
        0;  ///< the arcs to other sets, up to the next set's first; one more entry at the end
};

/// Behind it: set_of[slots], sets[sets + 1], arcs[arcs].
struct ReachIndex {
    Block block{};
    std::uint32_t slots = 0;
    std::uint32_t sets = 0;
    std::uint32_t arcs = 0;
    std::uint32_t spare = 0;

    [[nodiscard]] std::uint32_t* set_of() { return reinterpret_cast<std::uint32_t*>(this + 1); }
    [[nodiscard]] const std::uint32_t* set_of() const {
        return reinterpret_cast<const std::uint32_t*>(this + 1);
    }
    [[nodiscard]] ReachSet* set_table() { return reinterpret_cast<ReachSet*>(set_of() + slots); }
    [[nodiscard]] const ReachSet* set_table() const {
        return reinterpret_cast<const ReachSet*>(set_of() + slots);
    }
    [[nodiscard]] std::uint32_t* arc_table() {
        return reinterpret_cast<std::uint32_t*>(set_table() + sets + 1);
    }
    [[nodiscard]] const std::uint32_t* arc_table() const {
        return reinterpret_cast<const std::uint32_t*>(set_table() + sets + 1);
    }
    [[nodiscard]] static std::size_t bytes(std::size_t slots, std::size_t sets, std::size_t arcs) {
        return sizeof(ReachIndex) + slots * 4 + (sets + 1) * sizeof(ReachSet) + arcs * 4;
    }

    [[nodiscard]] std::uint32_t set_at(std::uint32_t slot) const {
        return slot < slots ? set_of()[slot] : kNoSet;
    }
};
static_assert(sizeof(ReachSet) == 20);

enum class Reach : std::uint8_t { no, yes, open };

/// What the index knows at once about two slots.
[[nodiscard]] Reach quick_reach(const ReachIndex* index, std::uint32_t from, std::uint32_t to);

/// The same about two sets.
[[nodiscard]] Reach quick_set_reach(const ReachIndex& index, std::uint32_t from, std::uint32_t to);

/// Makes the index of a graph, in memory that `make_block` gives. Null: out of memory.
struct BlockMaker {
    void* (*make)(std::size_t bytes, void* user) = nullptr;
    void* user = nullptr;
};
[[nodiscard]] ReachIndex* build_reach(const StateData& state, const Allocator& allocator, BlockMaker maker);

/// Settles whether any of some slots reaches any of others, in slices.
class ReachWalk {
  public:
    explicit ReachWalk(const Allocator& allocator)
        : stack_(allocator), marks_(allocator), goals_(allocator) {}

    /// Forgets the last walk. False: out of memory.
    [[nodiscard]] bool begin(const ReachIndex* index);
    [[nodiscard]] bool add_goal(std::uint32_t slot);  ///< goals before starts
    [[nodiscard]] bool add_start(std::uint32_t slot);
    /// Looks at no more than `budget` sets; takes what it uses off. Reach::open: not settled yet, or out of
    /// memory.
    [[nodiscard]] Reach step(std::uint64_t& budget);
    [[nodiscard]] bool out_of_memory() const { return failed_; }

  private:
    [[nodiscard]] bool may_reach_goal(std::uint32_t set) const;
    void put(std::uint32_t set);

    static constexpr std::size_t kGoalsTested = 8;  ///< with more of them a set is not tested against each

    const ReachIndex* index_ = nullptr;
    std::uint32_t stamp_ = 0;
    std::uint32_t goal_low_ = kNoSet;
    bool found_ = false;
    bool failed_ = false;
    Array<std::uint32_t> stack_;
    Array<std::uint32_t> marks_;  ///< by set: stamp_ = visited, stamp_ + 1 = goal
    Array<std::uint32_t> goals_;  ///< slots that the index does not know, and sets
};

}  // namespace fairlead::roadmap
