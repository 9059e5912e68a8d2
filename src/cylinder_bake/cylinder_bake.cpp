// Shape, tiles that triangles meet, room, columns; and the rule.

#include <fairlead/cylinder_bake/cylinder_bake.h>

#include <bit>

#include "base/no_memory.h"
#include "cylinder_bake/columns_met.h"
#include "cylinder_bake/room.h"
#include "cylinder_bake/tube.h"

namespace fairlead::bake {

namespace {

constexpr std::size_t kTrianglesMax = std::size_t{1} << 31;

std::int64_t count_bits(std::span<const std::uint64_t> words) {
    std::int64_t count = 0;
    for (const std::uint64_t word : words) count += std::popcount(word);
    return count;
}

Error floating_error(const CylinderReport& report) {
    const Cylinder& shape = report.shape;
    const Cell& cell = report.floating_cell;
    const std::int64_t row = std::int64_t{cell.layer} * shape.along + cell.y;
    return {ErrorCode::incompatible, Field::obstacles, row * shape.around + cell.x, report.floating};
}

Vec3 middle_of(const Cylinder& shape, const Cell& cell) {
    const double size = shape.cell_size();
    return in_space(shape, {(cell.x + 0.5) * size, (cell.y + 0.5) * size, shape.slice_radius(cell.layer)});
}

Result<CylinderWorld> bake_into(const TriangleSoup& soup, const CylinderBakeOptions& o,
                                CylinderReport& report) {
    if (soup.triangles.size() % 3 != 0) return Error{ErrorCode::size_mismatch, Field::triangles};
    if (soup.triangles.size() / 3 >= kTrianglesMax || soup.vertices.size() >= kTrianglesMax)
        return Error{ErrorCode::size_limit, Field::triangles, std::int64_t{kTrianglesMax}};
    const Result<Cylinder> shape = find_shape(soup, o);
    if (!shape) return shape.error();
    report.shape = *shape;
    Array<std::uint64_t> met(o.allocator), room(o.allocator);
    const Result<void> cut = find_columns_met(soup, *shape, o, met, report.triangles);
    if (!cut) return cut.error();
    report.triangles.solid = count_bits(met.span());
    CylinderWorld world(o.allocator);
    world.shape = *shape;
    if (!find_room(*shape, met.span(), room) || !world.solid.resize(shape->columns())) return kNoMemory;
    measure_columns(*shape, room.span(), world.solid.span(), report);
    const auto tiles = static_cast<std::int64_t>(shape->columns()) * shape->slices;
    report.filled = tiles - report.free - report.triangles.solid;
    if (report.floating == 0) return world;
    report.floating_at = middle_of(*shape, report.floating_cell);
    return floating_error(report);
}

}  // namespace

Result<CylinderWorld> cylinder(const TriangleSoup& soup, const CylinderBakeOptions& options,
                               CylinderReport* report) {
    CylinderReport own;
    CylinderReport& told = report != nullptr ? *report : own;
    told = {};
    return bake_into(soup, options, told);
}

}  // namespace fairlead::bake
