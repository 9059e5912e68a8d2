// A search in windows that grow: which side, what its end means.
#pragma once

#include "classic/window_search.h"
#include "classic/work.h"

namespace fairlead::classic {

/// Are start and goal at most two thirds of the window apart on each axis (F2)?
[[nodiscard]] inline bool in_range(const Cell& a, const Cell& b, std::int32_t side) {
    const std::int32_t dx = a.x < b.x ? b.x - a.x : a.x - b.x;
    const std::int32_t dy = a.y < b.y ? b.y - a.y : a.y - b.y;
    return 3 * dx <= 2 * side && 3 * dy <= 2 * side;
}

/// With the open list that the query names.
template <class Space>
[[nodiscard]] WindowEnd search_in(ClassicJob& job, const Space& space, std::uint32_t& goal) {
    ClassicWork& work = job.work;
    const Allocator& allocator = job.scratch.allocator();
    SearchStats& stats = job.out.route.stats;
    const std::uint64_t most = job.query.expansions_max;
    switch (job.query.open) {
        case ClassicOpen::list:
            return search_with<ListOpen>(work.window, space, most, allocator, stats, goal);
        case ClassicOpen::tree:
            return search_with<TreeOpen>(work.window, space, most, allocator, stats, goal);
        case ClassicOpen::heap: break;
    }
    return search_with<HeapOpen>(work.window, space, most, allocator, stats, goal);
}

/// Sets the route's status and, where it is complete, work.chain. The space is told where its window lies.
template <class Space>
[[nodiscard]] Result<void> search_in_windows(ClassicJob& job, Space& space, const Cell& from, const Cell& to,
                                             std::int32_t planes, std::int32_t side_most) {
    ClassicRoute& out = job.out;
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    out.route.status = PathStatus::window;
    for (std::int32_t side = kSideLeast; side <= side_most; side = next_side(side, side_most)) {
        const bool last = side == side_most || !job.query.window_grows;
        if (!in_range(from, to, side)) {
            if (last) return {};
            continue;
        }
        space.frame = WindowFrame::around(from, to, side);
        if (!job.work.window.resize(side, planes)) return no_memory;
        out.window = side;
        out.node_bytes = job.work.window.place_bytes();
        out.bit_bytes = job.work.window.bit_bytes();
        std::uint32_t goal = kNoPlace;
        const WindowEnd end = search_in(job, space, goal);
        if (end == WindowEnd::no_memory) return no_memory;
        if (end == WindowEnd::budget) out.route.status = PathStatus::budget_spent;
        if (end == WindowEnd::found) {
            out.route.status = PathStatus::complete;
            if (!take_chain(job.work, goal)) return no_memory;
        }
        if (end == WindowEnd::exhausted && space.frame.holds_map(job.grid))
            out.route.status = PathStatus::unreachable;
        if (last || out.route.status != PathStatus::window) return {};
    }
    return {};
}

}  // namespace fairlead::classic
