// Bidirectional search: two best-first searches, one from each end, on the one engine.
//
// Both are A* with consistent heuristics toward the other's start. Whenever one of them expands a state that the
// other has met, the two halves make a route; the cheapest so far is `limit`. Neither side keeps states that
// cannot beat it, and as soon as one side has nothing left below it, it is the optimum: every route not yet seen
// has a state on that side's open list with f no larger than its cost (Pohl 1971; Kwa 1989).
//
// The side with the shorter open list goes next; ties go forward. So the order is fixed.
#pragma once

#include <cstdint>

#include <fairlead/search/engine.h>

namespace fairlead {

/// `Search` is a BestFirst with an exact open list and an A* key.
template <class Search>
class Bidirectional {
  public:
    Bidirectional(Search forward, Search backward) : forward_(forward), backward_(backward) {}

    /// Forgets any earlier search.
    void begin() {
        forward_.set_cost_limit(kCostMax);
        backward_.set_cost_limit(kCostMax);
        forward_.begin();
        backward_.begin();
        best_ = kCostMax;
        meeting_forward_ = meeting_backward_ = kNoNode;
    }

    [[nodiscard]] SearchProgress step(std::uint64_t budget) {
        // A side whose starts did not fit has an empty list, which is not to be taken for a finished search.
        if (forward_.step(0) == SearchProgress::no_memory || backward_.step(0) == SearchProgress::no_memory)
            return SearchProgress::no_memory;
        for (; budget > 0; --budget) {
            if (forward_.open().floor() >= best_ || backward_.open().floor() >= best_) return outcome();
            const bool go_forward = forward_.open().size() <= backward_.open().size();
            Search& side = go_forward ? forward_ : backward_;
            Search& other = go_forward ? backward_ : forward_;
            switch (side.step(1)) {
                case SearchProgress::no_memory: return SearchProgress::no_memory;
                case SearchProgress::exhausted: return outcome();
                case SearchProgress::found: meet(side, other, side.goal_node(), go_forward); return outcome();
                case SearchProgress::running: meet(side, other, side.last_node(), go_forward); break;
            }
        }
        return SearchProgress::running;
    }

    [[nodiscard]] Cost goal_cost() const { return best_; }
    /// The state where the halves meet, as a node of each side.
    [[nodiscard]] std::uint32_t meeting_forward() const { return meeting_forward_; }
    [[nodiscard]] std::uint32_t meeting_backward() const { return meeting_backward_; }
    [[nodiscard]] const Search& forward() const { return forward_; }
    [[nodiscard]] const Search& backward() const { return backward_; }
    [[nodiscard]] std::uint64_t expanded() const { return forward_.expanded() + backward_.expanded(); }
    [[nodiscard]] std::uint64_t generated() const { return forward_.generated() + backward_.generated(); }
    [[nodiscard]] std::uint64_t open_peak() const { return forward_.open_peak() + backward_.open_peak(); }
    [[nodiscard]] std::uint64_t digest() const {
        return forward_.digest() ^ (backward_.digest() << 1 | backward_.digest() >> 63);
    }

  private:
    void meet(const Search& side, const Search& other, std::uint32_t node, bool is_forward) {
        if (node == kNoNode) return;
        const std::uint32_t there = other.nodes().find(side.nodes().state_of(node));
        if (there == kNoNode) return;
        const Cost back = other.nodes()[there].g;
        if (back == kCostMax) return;  // met there, but only for more than the limit
        const Cost cost = side.nodes()[node].g + back;
        if (cost >= best_) return;
        best_ = cost;
        meeting_forward_ = is_forward ? node : there;
        meeting_backward_ = is_forward ? there : node;
        forward_.set_cost_limit(cost);
        backward_.set_cost_limit(cost);
    }
    [[nodiscard]] SearchProgress outcome() const {
        return best_ == kCostMax ? SearchProgress::exhausted : SearchProgress::found;
    }

    Search forward_;
    Search backward_;
    Cost best_ = kCostMax;
    std::uint32_t meeting_forward_ = kNoNode;
    std::uint32_t meeting_backward_ = kNoNode;
};

}  // namespace fairlead
