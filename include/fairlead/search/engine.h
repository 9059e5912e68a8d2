// The search engine: one sliced best-first search for every world.
//
// A*, Dijkstra, greedy best-first, weighted A*, jump-point search, the fixed window and later the lattice and mesh
// searches are all this loop with different policies:
//
//     Space   which states there are: where to start, what a state leads to, what it still costs, where to end
//     Key     what orders the open list: g + h, g, h, g + w h; and whether a state is opened again for less
//     Open    how the open list is kept (open_list.h)
//     Nodes   how the states met are kept (node_store.h)
//     Trace   what is told to a debugger about it; NoTrace compiles to nothing
//
// A Space is any type with
//
//     template <class Sink> void start(Sink& sink);      sink.add(state, cost so far, tag) for every start
//     template <class Sink> void expand(std::uint32_t state, Cost g, std::uint32_t tag, Sink& sink);
//                                                        sink.add(successor, cost of the step, tag)
//     Cost heuristic(std::uint32_t state);               a lower bound of the cost to the goal
//     bool is_goal(std::uint32_t state);
//
// and may have, where a heuristic can take long:
//
//     bool waits();    the heuristic of a successor of the state expanded last is not known yet: what it says does not count
//     bool go_on();    works for a unit at finding it; true when it is known. Then the state is expanded once more, and must lead to the
//                      same. It has no share in the order of the lists: what was added is not added again
//
// States are 32-bit numbers of the space's own making. Costs are fixed point (cost.h). Searching backward is a
// Space that expands predecessors; from both ends see bidirectional.h.
//
// Promises. With an admissible heuristic the cost found is the least there is, whatever the open list (a bucket
// list pops out of order within a bucket; the engine then reopens states and ends only when nothing on the list
// can be cheaper). With weight w it is at most w times the least. A search ends: every expansion either opens a
// state for the first time or lowers its cost (never, with a key that does not reopen); with a consistent
// heuristic and an exact list each state is opened at most once. step() in any slices gives the same result,
// expansions and digest as one call. After `found` an exact list may be stepped on, to the next goal; each goal is told
// once, and then the search is exhausted. No allocation once the lists have grown to the size that the query needs.
//
// Source: Hart, Nilsson & Raphael 1968; Pohl 1970; Dechter & Pearl 1985.
#pragma once

#include <cstdint>

#include <fairlead/base/exact_floats.h>
#include <fairlead/base/platform.h>
#include <fairlead/search/cost.h>
#include <fairlead/search/node_store.h>
#include <fairlead/search/open_list.h>
#include <fairlead/search/trace.h>

namespace fairlead {

// ---- keys --------------------------------------------------------------------------------------------------

/// f = g + h: optimal with an admissible heuristic.
struct AStarKey {
    [[nodiscard]] Cost operator()(Cost g, Cost h) const { return g + h; }
};

/// f = g: Dijkstra; the heuristic only breaks ties.
struct DijkstraKey {
    [[nodiscard]] Cost operator()(Cost g, Cost) const { return g; }
};

/// f = h: greedy best-first. No bound. A state is opened once: what it cost to get there is not asked.
struct GreedyKey {
    [[nodiscard]] Cost operator()(Cost, Cost h) const { return h; }
    [[nodiscard]] bool reopens() const { return false; }
};

/// f = g + w h with w in 1/256: at most w times the optimum.
struct WeightedKey {
    std::uint32_t weight_256 = 256;
    [[nodiscard]] Cost operator()(Cost g, Cost h) const { return g + (h >> 8) * weight_256; }
};

// ---- engine ------------------------------------------------------------------------------------------------

enum class SearchProgress : std::uint8_t {
    running,    ///< the slice is used up; step again
    found,      ///< goal_node() and goal_cost() tell
    exhausted,  ///< no route (or none below the limit on cost); after found: no further one
    no_memory,  ///< an allocation failed; the search cannot go on
};

template <class Space, class Key, OpenList Open, NodeStore Nodes, class Trace = NoTrace>
class BestFirst {
  public:
    /// All four must outlive the search. The lists may be reused from query to query.
    BestFirst(Space& space, Open& open, Nodes& nodes, Key key = {}, Trace trace = {})
        : space_(&space), open_(&open), nodes_(&nodes), key_(key), trace_(trace) {}

    /// Forgets any earlier search and puts the starts on the open list.
    void begin() {
        open_->reset();
        nodes_->reset();
        goal_ = kNoNode;
        last_ = kNoNode;
        waiting_ = kNoNode;
        failed_ = told_ = false;
        expanded_ = generated_ = open_peak_ = waited_ = 0;
        digest_ = kDigestSeed;
        limit_ = limit_given_;
        Sink sink{this, kNoNode, 0};
        space_->start(sink);
    }

    /// Only routes cheaper than `limit` count from now on, in later searches too (anytime search: the best one known).
    void set_cost_limit(Cost limit) { limit_ = limit_given_ = limit; }

    /// Expands at most `budget` states; a unit of waiting for a heuristic counts as one.
    [[nodiscard]] SearchProgress step(std::uint64_t budget) {
        if (FAIRLEAD_UNLIKELY(failed_)) return SearchProgress::no_memory;  // the starts did not fit
        while (budget > 0) {
            if constexpr (kWaits) {
                if (FAIRLEAD_UNLIKELY(waiting_ != kNoNode)) {
                    --budget;
                    ++waited_;
                    if (!space_->go_on()) continue;
                    const std::uint32_t again = waiting_;
                    waiting_ = kNoNode;
                    if (!expand(again)) return SearchProgress::no_memory;
                    continue;
                }
            }
            if constexpr (!Open::kExact) {
                // A goal is known and nothing on the list can be cheaper.
                if (goal_ != kNoNode && open_->floor() >= limit_) return tell_goal();
            }
            std::uint32_t node = kNoNode;
            if (!open_->pop(node)) return tell_goal();
            auto& at = (*nodes_)[node];
            if (at.closed != 0) continue;  // an older entry of a state that was reached for less
            at.closed = 1;
            const std::uint32_t state = nodes_->state_of(node);
            const Cost g = at.g;
            if (space_->is_goal(state)) {
                if (g >= limit_) continue;  // a dearer goal of the same bucket
                goal_ = node;
                goal_cost_ = g;
                told_ = false;
                if constexpr (Open::kExact) return tell_goal();
                limit_ = g;  // only cheaper ones are looked for from here on
                continue;
            }
            --budget;
            ++expanded_;
            last_ = node;
            digest_ = (digest_ ^ state ^ (g << 13)) * kDigestFactor;
            trace_.expanded(state, g);
            if (!expand(node)) return SearchProgress::no_memory;
        }
        return SearchProgress::running;
    }
    /// The state expanded last still waits for a heuristic; step() goes on with it first.
    [[nodiscard]] bool waits() const { return waiting_ != kNoNode; }

    /// What a Space hands its starts and successors to.
    struct Sink {
        BestFirst* search;
        std::uint32_t from;
        Cost g;

        FAIRLEAD_INLINE void add(std::uint32_t state, Cost step_cost, std::uint32_t tag) {
            search->relax(from, state, g + step_cost, tag);
        }
    };

    /// Valid after found.
    [[nodiscard]] std::uint32_t goal_node() const { return goal_; }
    [[nodiscard]] Cost goal_cost() const { return goal_cost_; }

    /// The node expanded last; kNoNode before the first.
    [[nodiscard]] std::uint32_t last_node() const { return last_; }

    [[nodiscard]] std::uint64_t expanded() const { return expanded_; }
    /// Units that went into heuristics.
    [[nodiscard]] std::uint64_t waited() const { return waited_; }
    [[nodiscard]] std::uint64_t generated() const { return generated_; }
    [[nodiscard]] std::uint64_t open_peak() const { return open_peak_; }
    /// Covers the states expanded, in order, with their costs.
    [[nodiscard]] std::uint64_t digest() const { return digest_; }
    [[nodiscard]] const Nodes& nodes() const { return *nodes_; }
    [[nodiscard]] const Open& open() const { return *open_; }

  private:
    static constexpr std::uint64_t kDigestSeed = 0x9e3779b97f4a7c15ULL;
    static constexpr std::uint64_t kDigestFactor = 0xbf58476d1ce4e5b9ULL;  // odd, from SplitMix64

    static constexpr bool kWaits = requires(Space & space) { space.waits(); };

    // False: out of memory.
    [[nodiscard]] FAIRLEAD_INLINE bool expand(std::uint32_t node) {
        const auto& at = (*nodes_)[node];
        const std::uint32_t tag = at.tag;
        const Cost g = at.g;
        Sink sink{this, node, g};
        space_->expand(nodes_->state_of(node), g, tag, sink);
        if constexpr (kWaits) {
            if (FAIRLEAD_UNLIKELY(space_->waits())) waiting_ = node;
        }
        return !FAIRLEAD_UNLIKELY(failed_);
    }

    // Each goal once: a caller that asks on after the last one must come to an end.
    [[nodiscard]] SearchProgress tell_goal() {
        if (goal_ == kNoNode || told_) return SearchProgress::exhausted;
        told_ = true;
        return SearchProgress::found;
    }

    // A key without reopens() opens a closed state again when it is reached for less.
    [[nodiscard]] FAIRLEAD_INLINE bool reopens() const {
        if constexpr (requires(const Key& key) { key.reopens(); }) return key_.reopens();
        return true;
    }

    FAIRLEAD_INLINE void relax(std::uint32_t from, std::uint32_t state, Cost g, std::uint32_t tag) {
        bool added = false;
        const std::uint32_t node = nodes_->find_or_add(state, added);
        if (FAIRLEAD_UNLIKELY(node == kNoNode)) {
            failed_ = true;
            return;
        }
        auto& at = (*nodes_)[node];
        if (!added && (at.g <= g || (at.closed != 0 && !reopens()))) return;
        const Cost h = space_->heuristic(state);
        if constexpr (kWaits) {
            if (FAIRLEAD_UNLIKELY(space_->waits())) {
                if (added) at.g = Nodes::kCostNone;
                return;
            }
        }
        if (g + h >= limit_) {
            if (added)
                at.g = Nodes::kCostNone;  // met, but only for more than the limit: any later cost may enter
            return;
        }
        using Node = typename Nodes::Node;
        at.g = static_cast<decltype(Node::g)>(g);
        at.parent = static_cast<decltype(Node::parent)>(from);
        at.tag = tag & 0xffU;
        at.closed = 0;
        ++generated_;
        trace_.generated(state, g);
        if (FAIRLEAD_UNLIKELY(!open_->push(key_(g, h), h, node))) failed_ = true;
        if (open_->size() > open_peak_) open_peak_ = open_->size();
    }

    Space* space_;
    Open* open_;
    Nodes* nodes_;
    Key key_;
    Trace trace_;
    std::uint32_t goal_ = kNoNode;
    std::uint32_t last_ = kNoNode;
    std::uint32_t waiting_ = kNoNode;
    bool failed_ = false;
    bool told_ = false;  ///< goal_ has been told
    Cost goal_cost_ = 0;
    Cost limit_ = kCostMax;        ///< what a route must beat now
    Cost limit_given_ = kCostMax;  ///< what it must beat when the search begins
    std::uint64_t expanded_ = 0;
    std::uint64_t generated_ = 0;
    std::uint64_t open_peak_ = 0;
    std::uint64_t waited_ = 0;
    std::uint64_t digest_ = kDigestSeed;
};

}  // namespace fairlead
