#include <fairlead/bridge/tile_sight.h>

#include "grid/sight.h"

namespace fairlead {

TileSight::TileSight(const GridState& grid, std::int32_t layer, CornerRule corner)
    : grid_(&grid), layer_(layer), corner_(corner) {
    FAIRLEAD_ASSERT(layer >= 0 && layer < grid.layers());
}

SightQuery TileSight::sight() const {
    const auto ask = [](Vec3 a, Vec3 b, double radius, void* user) {
        return static_cast<const TileSight*>(user)->clear(ground(a), ground(b), radius);
    };
    return {ask, const_cast<TileSight*>(this)};  // only ever read through
}

CoverageArea TileSight::area() const {
    return {.origin = grid_->origin(),
            .cell_size = grid_->cell_size(),
            .width = grid_->width(),
            .height = grid_->height()};
}

bool TileSight::clear(Vec2 a, Vec2 b, double radius) const {
    const double scale = 1.0 / grid_->cell_size();
    const grid::SightWorld world{
        .state = &grid_->data(), .layer = layer_, .radius = radius * scale, .corner = corner_};
    return grid::can_sweep(world, (a - grid_->origin()) * scale, (b - grid_->origin()) * scale);
}

}  // namespace fairlead
