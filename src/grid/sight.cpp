#include "grid/sight.h"

#include <cmath>

#include "grid/sight_lines.h"

namespace fairlead::grid {

namespace {

using namespace sight_detail;

/// Does the filter close terrain that the map may have?
bool closes_terrain(const SightWorld& world) {
    if (world.costs == nullptr) return false;
    if (world.costs[1] == 0) return true;
    if (world.state->rough_cells == 0) return false;
    for (std::int32_t kind = 2; kind < 256; ++kind) {
        if (world.costs[kind] == 0) return true;
    }
    return false;
}

double smallest_cost(const SightWorld& world) {
    if (world.costs == nullptr) return 1.0;
    if (world.state->rough_cells == 0) return world.costs[1] == 0 ? 1.0 : static_cast<double>(world.costs[1]);
    std::int32_t least = INT32_MAX;
    for (std::int32_t kind = 1; kind < 256; ++kind) {
        const std::int32_t cost = world.costs[kind];
        if (cost != 0 && cost < least) least = cost;
    }
    return least == INT32_MAX ? 1.0 : static_cast<double>(least);
}

/// Is [low, high] with `reach` around it on an axis of this size, up to the slack?
bool on_axis(double low, double high, double reach, std::int32_t size, double slack) {
    return low - reach >= -slack && high + reach <= static_cast<double>(size) + slack;
}

}  // namespace

namespace sight_detail {

std::uint64_t AnyLines::closed(std::int32_t x, std::int32_t j, std::int32_t count,
                               std::uint64_t known) const {
    std::uint64_t bits = 0;
    for (std::int32_t i = 0; i < count; ++i) {
        if (((known >> i) & 1U) != 0) continue;  // outside the map, too
        std::int32_t along = (x + i) % walls.shape.length;
        std::int32_t line = j % walls.shape.lines;
        if (along < 0) along += walls.shape.length;
        if (line < 0) line += walls.shape.lines;
        const std::uint8_t* row = state->tile_row(columns ? along : line, layer);
        const std::uint8_t kind = row == nullptr ? std::uint8_t{1} : row[columns ? line : along];
        if (costs[kind] == 0) bits |= 1ULL << i;
    }
    return bits;
}

}  // namespace sight_detail

Sight::Sight(const SightWorld& world) : world_(world) {
    const StateData& state = *world.state;
    reach_ = world.footprint > 0 ? 0.5 * world.footprint : world.radius;
    point_ = world.footprint <= 0 && world.radius <= world.slack;
    pinch_ = world.corner == CornerRule::always && world.radius == 0.0;
    closes_ = closes_terrain(world);
    plain_ = !closes_ && !state.wrap_x && !state.wrap_y;
    if (world.influence_weight == 0) world_.influence = {};
    uniform_ = world_.influence.empty() && (world.costs == nullptr || state.rough_cells == 0);
    cost_min_ = smallest_cost(world);
}

bool Sight::can_sweep(Vec2 a, Vec2 b) const {
    const StateData& state = *world_.state;
    const Vec2 low{smaller_of(a.x, b.x), smaller_of(a.y, b.y)};
    const Vec2 high{larger_of(a.x, b.x), larger_of(a.y, b.y)};
    if (!is_finite(a) || !is_finite(b) || reach_ > kRadiusCellsMax) return false;
    if (low.x < -kSightReachMax || low.y < -kSightReachMax) return false;
    if (high.x > kSightReachMax || high.y > kSightReachMax) return false;
    if (!state.wrap_x && !on_axis(low.x, high.x, reach_, state.width, world_.slack)) return false;
    if (!state.wrap_y && !on_axis(low.y, high.y, reach_, state.height, world_.slack)) return false;
    return walls_allow(a, b) && (world_.blockers.empty() || blockers_allow(a, b));
}

bool Sight::walls_allow(Vec2 a, Vec2 b) const {
    return with_lines(a, b, reach_, [&](const auto& source, const Crossing& s) {
        if (world_.footprint > 0) return square_passes(source, s, reach_, world_.slack);
        if (point_) return PointSweep(source, s, pinch_, world_.slack).passes();
        return disc_passes(source, s, reach_, world_.slack);
    });
}

bool Sight::between_walls(Vec2 p) const {
    if (!point_ || pinch_) return false;
    const Vec2 corner = corner_of_cells(p);
    if (!meets(corner, p, world_.slack)) return false;
    const auto x = static_cast<std::int32_t>(corner.x);
    const auto y = static_cast<std::int32_t>(corner.y);
    const bool free = open(x, y);
    return free == open(x - 1, y - 1) && free != open(x - 1, y) && free != open(x, y - 1);
}

std::int32_t Sight::side_between_walls(Vec2 at, Vec2 p) const {
    const Vec2 corner = corner_of_cells(at);
    if (meets(corner, p, world_.slack)) return 0;
    const Vec2 d = p - corner;
    const bool rising =
        open(static_cast<std::int32_t>(corner.x), static_cast<std::int32_t>(corner.y));  // from -, - to +, +
    return (rising ? d.x + d.y : d.x - d.y) < 0.0 ? -1 : 1;
}

Vec2 Sight::lap_below(Vec2 low, double reach) const {
    const StateData& state = *world_.state;
    const auto start = [reach](bool wrap, double at, std::int32_t size) {
        if (!wrap) return 0.0;
        const double period = static_cast<double>(size);
        return std::floor((at - reach - 2.0) / period) * period;
    };
    return {start(state.wrap_x, low.x, state.width), start(state.wrap_y, low.y, state.height)};
}

bool can_sweep(const SightWorld& world, Vec2 a, Vec2 b) { return Sight(world).can_sweep(a, b); }

double sweep_cost(const SightWorld& world, Vec2 a, Vec2 b) { return Sight(world).cost(a, b); }

double sweep_clearance(const SightWorld& world, Vec2 a, Vec2 b, double limit) {
    return Sight(world).clearance(a, b, limit);
}

}  // namespace fairlead::grid
