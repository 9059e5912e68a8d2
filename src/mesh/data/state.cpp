#include "mesh/data/state.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/contact.h>

namespace fairlead::mesh {

bool StateData::share(const StateData& other) {
    origin = other.origin;
    tile_size = other.tile_size;
    step_height = other.step_height;
    quantum = other.quantum;
    agent_radius = other.agent_radius;
    agent_height = other.agent_height;
    radius_max = other.radius_max;
    gap_max = other.gap_max;
    bits = other.bits;
    mask = other.mask;
    free_component = other.free_component;
    landmarks = other.landmarks;
    landmark_step = other.landmark_step;
    polygons = other.polygons;
    parts = other.parts;
    corners = other.corners;
    box = other.box;
    raster = other.raster;
    return tiles.assign(other.tiles) && order.assign(other.order) && far.assign(other.far) &&
           baked.assign(other.baked) && baked_far.assign(other.baked_far) &&
           gate_keys.assign(other.gate_keys) && heights.assign(other.heights) &&
           summaries.assign(other.summaries) && labels.assign(other.labels) &&
           components.assign(other.components) && links.assign(other.links);
}

double StateData::touching() const {
    if (polygons == 0) return 0.0;
    const Vec2 size = box.high - box.low;
    const Vec2 low = ground(origin) + box.low, high = ground(origin) + box.high;
    return contact_slack(std::max(size.x, size.y), std::max({std::fabs(low.x), std::fabs(low.y),
                                                             std::fabs(high.x), std::fabs(high.y)}));
}

std::size_t StateData::place_in_order(std::int32_t x, std::int32_t y) const {
    const auto before = [&](std::uint32_t slot, const TileSummary& wanted) {
        const TileSummary& at = summaries[slot];
        return at.y != wanted.y ? at.y < wanted.y : at.x < wanted.x;
    };
    const TileSummary wanted{x, y};
    return static_cast<std::size_t>(std::lower_bound(order.begin(), order.end(), wanted, before) -
                                    order.begin());
}

std::uint32_t StateData::find_tile(std::int32_t x, std::int32_t y) const {
    const std::size_t place = place_in_order(x, y);
    if (place == order.size()) return kNone;
    const TileSummary& at = summaries[order[place]];
    return at.x == x && at.y == y ? order[place] : kNone;
}

}  // namespace fairlead::mesh
