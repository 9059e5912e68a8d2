#include "mesh/data/state.h"

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
    components = other.components;
    landmarks = other.landmarks;
    landmark_step = other.landmark_step;
    polygons = other.polygons;
    parts = other.parts;
    corners = other.corners;
    box = other.box;
    raster = other.raster;
    return tiles.assign(other.tiles) && order.assign(other.order) && far.assign(other.far) &&
           baked.assign(other.baked) && baked_far.assign(other.baked_far) &&
           gate_keys.assign(other.gate_keys) && heights.assign(other.heights) && links.assign(other.links);
}

std::uint32_t StateData::find_tile(std::int32_t x, std::int32_t y) const {
    std::size_t low = 0;
    std::size_t high = order.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        const Tile& tile = *tiles[order[middle]].tile;
        if (tile.y < y || (tile.y == y && tile.x < x)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == order.size()) return kNone;
    const Tile& tile = *tiles[order[low]].tile;
    return tile.x == x && tile.y == y ? order[low] : kNone;
}

}  // namespace fairlead::mesh
