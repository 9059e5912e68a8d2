// Which tiles of which slices triangles meet: a word of bits a column.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/cylinder_bake/cylinder_bake.h>

namespace fairlead::bake {

/// Bit k of `met[y x around + x]`: a triangle meets slice k there. `counts` but for `solid`.
[[nodiscard]] Result<void> find_columns_met(const TriangleSoup& soup, const Cylinder& shape,
                                            const CylinderBakeOptions& options, Array<std::uint64_t>& met,
                                            VoxelCounts& counts);

}  // namespace fairlead::bake
