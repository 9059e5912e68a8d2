// A* in the fixed window, over any space and any of the three open lists. Closed places are opened again when a cheaper way is found,
// as the article's program does: its heuristics are not consistent.
#pragma once

#include <cstdint>

#include <fairlead/base/digest.h>
#include <fairlead/route/route.h>

#include "classic/window.h"

namespace fairlead::classic {

enum class WindowEnd : std::uint8_t { found, exhausted, budget, no_memory };

/// Puts successors into the window and on the open list.
template <class Space, class Open>
class WindowSink {
  public:
    WindowSink(Window& window, Open& open, const Space& space, SearchStats& stats)
        : window_(window), open_(open), space_(space), stats_(stats) {}

    /// From the place that is being opened, at kNoPlace from outside.
    void from(std::uint32_t place, std::uint32_t g) {
        parent_ = place;
        g_ = g;
    }
    void add(std::uint32_t place, std::uint32_t cost, std::uint32_t move) {
        if (cost >= kCostLimit - g_) return;
        const std::uint32_t g = g_ + cost;
        const bool fresh = window_.touch(place);
        WindowPlace& p = window_[place];
        if (!fresh && p.g <= g) return;
        if (p.open != 0) open_.remove(place);
        const std::uint32_t rest = space_.estimate(place);
        p.g = g & kCostLimit;
        p.f = (rest < kCostLimit - g ? g + rest : kCostLimit) & kCostLimit;
        p.move = move & kFromStart;
        p.parent = parent_ & kNoPlace;
        p.open = 1;
        p.closed = 0;
        if (!open_.add(place)) no_memory_ = true;
        ++stats_.generated;
        ++listed_;
        if (listed_ > stats_.open_peak) stats_.open_peak = listed_;
    }
    void opened() { --listed_; }
    [[nodiscard]] bool no_memory() const { return no_memory_; }

  private:
    Window& window_;
    Open& open_;
    const Space& space_;
    SearchStats& stats_;
    std::uint32_t parent_ = kNoPlace;
    std::uint32_t g_ = 0;
    std::uint64_t listed_ = 0;  // those in a heap twice count twice
    bool no_memory_ = false;
};

/// Space: start(sink), expand(place, sink), estimate(place), is_goal(place). `goal`: the place where it ended.
template <class Open, class Space>
[[nodiscard]] WindowEnd search_with(Window& window, const Space& space, std::uint64_t expansions_max,
                                    const Allocator& allocator, SearchStats& stats, std::uint32_t& goal) {
    window.reset();
    Open open(window, allocator);
    WindowSink<Space, Open> sink(window, open, space, stats);
    sink.from(kNoPlace, 0);
    space.start(sink);
    Digest order;
    order.add(stats.digest);
    WindowEnd end = WindowEnd::exhausted;
    while (true) {
        if (sink.no_memory()) return WindowEnd::no_memory;
        const std::uint32_t at = open.pop();
        if (at == kNoPlace) break;
        WindowPlace& p = window[at];
        p.open = 0;
        p.closed = 1;
        sink.opened();
        order.add(at);
        if (space.is_goal(at)) {
            goal = at;
            end = WindowEnd::found;
            break;
        }
        if (stats.expanded >= expansions_max) {
            end = WindowEnd::budget;
            break;
        }
        ++stats.expanded;
        sink.from(at, static_cast<std::uint32_t>(p.g));
        space.expand(at, sink);
    }
    stats.digest = order.value();
    return end;
}

}  // namespace fairlead::classic
