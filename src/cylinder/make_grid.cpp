// A layer a slice, and portals from each tile to the one over it where both are free: a portal's cost is the way along
// the radius, in tiles.

#include <cmath>

#include <fairlead/cylinder/cylinder.h>

#include "base/no_memory.h"
#include "cylinder/columns.h"

namespace fairlead {

namespace {

Result<void> check_prices(const CylinderGridOptions& options) {
    if (!std::isfinite(options.depth_price)) return Error{ErrorCode::not_finite, Field::layer_height};
    if (!(options.depth_price >= 1e-3 && options.depth_price <= 1e3))
        return Error{ErrorCode::out_of_range, Field::layer_height};
    return {};
}

bool fill_tiles(const CylinderWorld& world, Array<std::uint8_t>& tiles) {
    const std::size_t columns = world.shape.columns();
    if (!tiles.resize(columns * static_cast<std::size_t>(world.shape.slices))) return false;
    for (std::int32_t slice = 0; slice < world.shape.slices; ++slice) {
        std::uint8_t* layer = tiles.data() + columns * static_cast<std::size_t>(slice);
        for (std::size_t i = 0; i < columns; ++i) layer[i] = world.solid[i] <= slice ? 1 : 0;
    }
    return true;
}

// From each free tile to the one nearer to the axis, which is free too.
bool list_moves(const CylinderWorld& world, double cost, Array<Portal>& moves) {
    const Cylinder& shape = world.shape;
    for (std::int32_t slice = 0; slice + 1 < shape.slices; ++slice) {
        std::size_t i = 0;
        for (std::int32_t y = 0; y < shape.along; ++y) {
            for (std::int32_t x = 0; x < shape.around; ++x, ++i) {
                if (world.solid[i] > slice) continue;
                if (!moves.push_back({.from = {x, y, slice}, .to = {x, y, slice + 1}, .cost = cost}))
                    return false;
            }
        }
    }
    return true;
}

}  // namespace

Result<void> cylinder::check_columns(const CylinderWorld& world) {
    if (const Result<void> good = check_cylinder(world.shape); !good) return good;
    const std::size_t columns = world.shape.columns();
    if (world.solid.size() != columns)
        return Error{ErrorCode::size_mismatch, Field::cells, static_cast<std::int64_t>(columns)};
    for (std::size_t i = 0; i < columns; ++i) {
        if (world.solid[i] > world.shape.slices)
            return Error{ErrorCode::out_of_range, Field::cells, static_cast<std::int64_t>(i), world.solid[i]};
    }
    return {};
}

Result<Grid> make_cylinder_grid(const CylinderWorld& world, const CylinderGridOptions& options) {
    if (const Result<void> good = cylinder::check_columns(world); !good) return good.error();
    if (const Result<void> good = check_prices(options); !good) return good.error();
    const Cylinder& shape = world.shape;
    const double cell = shape.cell_size();
    Array<std::uint8_t> tiles(options.allocator);
    Array<Portal> moves(options.allocator);
    if (!fill_tiles(world, tiles)) return kNoMemory;
    if (!list_moves(world, shape.thickness / cell * options.depth_price, moves)) return kNoMemory;
    GridOptions making;
    making.width = shape.around;
    making.height = shape.along;
    making.layers = shape.slices;
    making.cell_size = cell;
    making.wrap_x = true;
    making.corner = options.corner;
    making.sizes = options.sizes;
    making.portals = moves.span();
    making.allocator = options.allocator;
    return Grid::make(making, tiles.span());
}

}  // namespace fairlead
