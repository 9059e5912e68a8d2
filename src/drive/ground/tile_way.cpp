#include "drive/ground/tile_way.h"

#include <algorithm>
#include <cmath>

#include "drive/body/sweep.h"
#include "drive/body/swept_cells.h"

namespace fairlead::drive {

TileSpace::TileSpace(const GroundBits& free, double disc, std::int32_t neighbours, TileCell start,
                     TileCell goal, std::span<const TileStep> banned)
    : free_(free), neighbours_(neighbours), start_(start), goal_(goal), banned_(banned) {
    disc_.radius = disc;
    const auto cells = static_cast<std::uint64_t>(free.width) * static_cast<std::uint64_t>(free.height);
    scale_ = CostScale::fit(cells * 2);
}

bool TileSpace::may_step(TileCell from, TileCell to) const {
    const TileStep step{from, to};
    if (std::find(banned_.begin(), banned_.end(), step) != banned_.end()) return false;
    if (from == start_ || to == goal_ || disc_.radius <= 0.5) return true;
    const Vec2 a{from.x + 0.5, from.y + 0.5};
    const Vec2 b{to.x + 0.5, to.y + 0.5};
    const double size = distance(a, b);
    const SweptSegment line{a, (b - a) * (1.0 / size), size, 0.0};
    const auto reach = static_cast<std::int32_t>(std::ceil(disc_.radius - 0.5));
    for (std::int32_t y = std::min(from.y, to.y) - reach; y <= std::max(from.y, to.y) + reach; ++y) {
        for (std::int32_t x = std::min(from.x, to.x) - reach; x <= std::max(from.x, to.x) + reach; ++x) {
            const bool outside = x < 0 || y < 0 || x >= free_.width || y >= free_.height;
            if (!outside && free_.free(x, y)) continue;
            const Aabb cell{{static_cast<double>(x), static_cast<double>(y)}, {x + 1.0, y + 1.0}};
            if (sweep_overlaps_box(disc_, line, cell, kSweepSlack)) return false;
        }
    }
    return true;
}

TileWay::Found TileWay::find(const LegCheck& check, std::int32_t neighbours, TileCell start, TileCell goal,
                             std::span<const TileStep> banned) {
    cells_.clear();
    const GroundBits& free = check.free();
    if (!free.free(start.x, start.y) || !free.free(goal.x, goal.y)) return Found::no;
    space_ = TileSpace(free, check.inner_radius(), neighbours, start, goal, banned);
    const auto states = static_cast<std::uint64_t>(free.width) * static_cast<std::uint64_t>(free.height);
    if (!nodes_.resize(states)) return Found::no_memory;
    engine_ = Engine(space_, open_, nodes_);
    engine_.begin();
    SearchProgress progress = SearchProgress::running;
    while (progress == SearchProgress::running) progress = engine_.step(UINT64_MAX);
    if (progress == SearchProgress::no_memory) return Found::no_memory;
    if (progress != SearchProgress::found) return Found::no;
    for (std::uint32_t node = engine_.goal_node(); node != kNoNode; node = nodes_[node].parent) {
        if (!cells_.push_back(space_.cell(nodes_.state_of(node)))) return Found::no_memory;
    }
    std::reverse(cells_.begin(), cells_.end());
    return Found::yes;
}

TileCell cell_at(const GroundBits& free, Vec2 at) {
    return {std::clamp(static_cast<std::int32_t>(std::floor(at.x)), 0, free.width - 1),
            std::clamp(static_cast<std::int32_t>(std::floor(at.y)), 0, free.height - 1)};
}

}  // namespace fairlead::drive
