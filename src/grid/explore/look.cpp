// Looking and walking: a cell is seen if the straight line of cells from the unit's to it runs over free ones. What differs from what
// is remembered is written in one edit.
#include "grid/explore/explore_data.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "grid/body.h"

namespace fairlead::grid {

namespace {

// Cells of a line (Bresenham 1965), ends left out: are they free?
bool line_is_free(const GridState& world, std::int32_t layer, Cell from, Cell to) {
    const std::int32_t dx = std::abs(to.x - from.x), dy = std::abs(to.y - from.y);
    const std::int32_t step_x = from.x < to.x ? 1 : -1, step_y = from.y < to.y ? 1 : -1;
    std::int32_t error = dx - dy;
    for (;;) {
        const std::int32_t twice = 2 * error;
        if (twice > -dy) {
            error -= dy;
            from.x += step_x;
        }
        if (twice < dx) {
            error += dx;
            from.y += step_y;
        }
        if (from.x == to.x && from.y == to.y) return true;
        if (world.blocked({from.x, from.y, layer})) return false;
    }
}

}  // namespace

Cell ExploreData::cell_of(Vec2 p) const {
    const auto x = static_cast<std::int32_t>(std::floor(p.x));
    const auto y = static_cast<std::int32_t>(std::floor(p.y));
    // The map's far side belongs to its last cells.
    return {std::min(x, width() - 1), std::min(y, height() - 1), 0};
}

SightWorld ExploreData::sight_on(const GridState& grid, std::int32_t layer) const {
    SightWorld made;
    made.state = &grid.data();
    made.layer = layer;
    made.radius = touching_radius(options.agent.radius / map().cell_size);
    made.footprint = options.agent.footprint;
    return made;
}

namespace {

// What is remembered of a rectangle, for one edit; `learn` decides of which cells.
template <class Learn>
bool remember(ExploreData& d, const GridState& world, const CellRect& rect, bool& news, Learn learn) {
    const std::int32_t across = rect.high.x - rect.low.x;
    if (!d.window.resize(static_cast<std::size_t>(across * (rect.high.y - rect.low.y)))) return false;
    std::size_t i = 0;
    for (std::int32_t y = rect.low.y; y < rect.high.y; ++y) {
        for (std::int32_t x = rect.low.x; x < rect.high.x; ++x, ++i) {
            const bool free = !d.known.state().blocked({x, y, 0});
            d.window[i] = free ? 1 : 0;
            if (!learn(x, y)) continue;
            std::uint64_t& word =
                d.seen[static_cast<std::size_t>(y) * d.row_words + static_cast<std::size_t>(x >> 6)];
            const std::uint64_t bit = std::uint64_t{1} << (x & 63);
            if ((word & bit) == 0) ++d.stats.seen;
            word |= bit;
            const bool is_free = !world.blocked({x, y, d.options.layer});
            d.window[i] = is_free ? 1 : 0;
            news = news || is_free != free;
        }
    }
    return !news || d.known.set(rect, d.window.span()).has_value();
}

CellRect rect_around(const ExploreData& d, Vec2 low, Vec2 high, double reach) {
    const Cell a = d.cell_of(low - Vec2{reach, reach});
    const Cell b = d.cell_of(high + Vec2{reach, reach});
    return {{std::max(0, a.x), std::max(0, a.y)}, {b.x + 1, b.y + 1}};
}

// The cells that its body would touch on the way to `to`.
bool feel(ExploreData& d, const GridState& world, Vec2 to) {
    const double reach = body_reach(body_key(d.options.agent, d.map().cell_size)) + 1.0;
    const Vec2 low{std::min(d.at.x, to.x), std::min(d.at.y, to.y)};
    const Vec2 high{std::max(d.at.x, to.x), std::max(d.at.y, to.y)};
    const Vec2 way = to - d.at;
    const double square = dot(way, way);
    bool news = false;
    return remember(d, world, rect_around(d, low, high, reach), news, [&](std::int32_t x, std::int32_t y) {
        const Vec2 gap = cell_centre(x, y) - d.at;
        const double along = std::clamp(dot(gap, way) / square, 0.0, 1.0);
        const Vec2 off = gap - way * along;
        return dot(off, off) <= (reach + 0.5) * (reach + 0.5);
    });
}

}  // namespace

bool look_round(ExploreData& d, const GridState& world, bool& news) {
    news = false;
    const Cell here = d.cell_of(d.at);
    return remember(d, world, rect_around(d, d.at, d.at, d.sight), news, [&](std::int32_t x, std::int32_t y) {
        if (x == here.x && y == here.y) return true;
        const Vec2 gap = cell_centre(x, y) - d.at;
        return dot(gap, gap) <= d.sight * d.sight && line_is_free(world, d.options.layer, here, {x, y, 0});
    });
}

bool walk_to(ExploreData& d, const GridState& world, Vec2 p, bool& moved) {
    moved = false;
    const double whole = distance(d.at, p);
    const Vec2 to = whole <= d.stride ? p : d.at + (p - d.at) * (d.stride / whole);
    if (to == d.at) {
        moved = true;
        return true;
    }
    if (!can_sweep(d.sight_on(world, d.options.layer), d.at, to)) {
        ++d.stats.bumps;
        return feel(d, world, to);
    }
    const Vec2 from = d.to_world(d.at);
    const Vec2 way = d.to_world(to) - from;
    Leg leg;
    leg.start = {{from.x, from.y, 0.0}, math::atan2(way.y, way.x), d.options.layer};
    leg.length = length(way);
    if (!d.walked.legs.push_back(leg)) return false;
    d.walked.length += leg.length;
    d.at = to;
    const Vec2 end = d.to_world(to);
    d.walked.end = {{end.x, end.y, 0.0}, leg.start.heading_rad, d.options.layer};
    moved = true;
    return true;
}

}  // namespace fairlead::grid
