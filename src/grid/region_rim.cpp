#include "grid/region_rim.h"

#include "grid/half_nearest.h"
#include "grid/image.h"

namespace fairlead::grid {

bool has_rim(const CellQuery& cells) {
    const bool ranged = cells.goal.kind == Goal::Kind::within || cells.goal.kind == Goal::Kind::in_sight;
    const StateData& state = *cells.state;
    const double size = static_cast<double>(state.width) + static_cast<double>(state.height);
    return ranged && !cells.half && cells.footprint == 0 && cells.goal.range < size;
}

bool rim_place(const CellQuery& cells, const Cell& cell, Vec2& place) {
    const Vec2 stand = cells.stand_point(cell);
    const Vec2 goal = nearest_image(*cells.state, stand, cells.goal.point);
    const SightWorld world = cells.sight(cell.layer);
    const Sight sight(world);
    const HalfWalls walls(world);
    HalfNearest nearest(walls, cells.radius, sight);
    bool found = false;
    double least = 1e300;
    for (std::int32_t n = 0; n < 4; ++n) {
        Vec2 there;
        const HalfRoom room{2 * cell.x + (n & 1), 2 * cell.y + (n >> 1)};
        if (!nearest.find(room, goal, cells.goal.range, there)) continue;
        const double gap = distance(there, goal);
        if (gap >= least || !cells.in_range(there, cell.layer) || !sight.can_sweep(stand, there)) continue;
        found = true;
        least = gap;
        place = there;
    }
    return found;
}

}  // namespace fairlead::grid
