// Where one comes to from the innermost slice, and whether nothing floats.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/cylinder_bake/cylinder_bake.h>

namespace fairlead::bake {

/// From tiles that triangles meet to tiles that one comes to from free ones of the innermost slice, from tile to tile
/// through faces, around the seam too. False: out of memory.
[[nodiscard]] bool find_room(const Cylinder& shape, std::span<const std::uint64_t> met,
                             Array<std::uint64_t>& room);

/// The number of solid slices of each column; what floats goes to the report.
void measure_columns(const Cylinder& shape, std::span<const std::uint64_t> room,
                     std::span<std::uint8_t> solid, CylinderReport& report);

}  // namespace fairlead::bake
