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
    if (options.laps != 1 && options.laps != 3 && options.laps != 5)
        return Error{ErrorCode::out_of_range, Field::lap, options.laps};
    return {};
}

// Before memory is taken for them: as many tiles and portals as a grid may have.
Result<void> check_size(const CylinderWorld& world, std::int32_t laps) {
    constexpr std::int64_t kCountMax = std::int64_t{1} << 31;
    constexpr std::int64_t kMovesMax = std::int64_t{1} << 22;
    const auto columns = static_cast<std::int64_t>(world.shape.columns());
    if (columns * world.shape.slices * laps > kCountMax)
        return Error{ErrorCode::size_limit, Field::cells, kCountMax};
    std::int64_t moves = 0;
    for (const std::uint8_t solid : world.solid)
        moves += solid < world.shape.slices ? world.shape.slices - solid - 1 : 0;
    if (moves * laps > kMovesMax) return Error{ErrorCode::size_limit, Field::portals, kMovesMax};
    return {};
}

// Calls visit(tile, free) for each tile of all laps, in the grid's order.
template <class Visit>
bool each_tile(const CylinderWorld& world, std::int32_t laps, const Visit& visit) {
    const Cylinder& shape = world.shape;
    for (std::int32_t slice = 0; slice < shape.slices; ++slice) {
        for (std::int32_t y = 0; y < shape.along; ++y) {
            const std::uint8_t* row =
                world.solid.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(shape.around);
            for (std::int32_t x = 0; x < shape.around * laps; ++x) {
                if (!visit(Cell{x, y, slice}, row[x % shape.around] <= slice)) return false;
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
    if (const Result<void> good = check_size(world, options.laps); !good) return good.error();
    const Cylinder& shape = world.shape;
    const double cell = shape.cell_size();
    const double cost = shape.thickness / cell * options.depth_price;
    Array<std::uint8_t> tiles(options.allocator);
    Array<Portal> moves(options.allocator);
    const bool fits = each_tile(world, options.laps, [&](const Cell& tile, bool free) {
        if (!tiles.push_back(free ? 1 : 0)) return false;
        // What is nearer to the axis is free too.
        if (!free || tile.layer + 1 == shape.slices) return true;
        return moves.push_back({.from = tile, .to = {tile.x, tile.y, tile.layer + 1}, .cost = cost});
    });
    if (!fits) return kNoMemory;
    GridOptions making;
    making.width = shape.around * options.laps;
    making.origin = {shape.lap() * -(options.laps / 2), 0.0};
    making.height = shape.along;
    making.layers = shape.slices;
    making.cell_size = cell;
    making.wrap_x = options.laps == 1;
    making.corner = options.corner;
    making.sizes = options.sizes;
    making.portals = moves.span();
    making.allocator = options.allocator;
    return Grid::make(making, tiles.span());
}

}  // namespace fairlead
