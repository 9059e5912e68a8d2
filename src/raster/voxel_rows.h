// One triangle of any size over a block of at most 64^3 cells, row by row: for each (y, z) the cells along x that it
// meets.
//
// What the triangle and the half-open slab of a row share is convex, so these cells are one interval. Its ends are
// the nearest of eight bounds, each from one separating axis: the edges seen along z bound x for each y, those seen
// along y bound x for each z, those seen along x bound y for each z, and the triangle's plane bounds x for each row.
// A cell is a voxel (shift 13) or a chunk (19).
#pragma once

#include <algorithm>
#include <cstdint>

#include "raster/voxel_lattice.h"

namespace fairlead::raster {

inline constexpr int kBlockSide = 64;

/// Both ends included.
struct CellRange {
    std::int32_t low[3];
    std::int32_t high[3];
};

/// Cells of the box round the triangle that lie in `clip`. False: none.
[[nodiscard]] FAIRLEAD_INLINE bool cells_of(const LatticeTriangle& t, int shift, const CellRange& clip,
                                            CellRange& out) {
    for (int k = 0; k < 3; ++k) {
        const std::int32_t low = std::min(std::min(t.a.at[k], t.b.at[k]), t.c.at[k]);
        const std::int32_t high = std::max(std::max(t.a.at[k], t.b.at[k]), t.c.at[k]);
        out.low[k] = std::max(low >> shift, clip.low[k]);
        out.high[k] = std::min(high >> shift, clip.high[k]);
    }
    return out.low[0] <= out.high[0] && out.low[1] <= out.high[1] && out.low[2] <= out.high[2];
}

/// Tells `row` of the cells x0..x1 (both included) of each row that holds some. `clip` has at most kBlockSide cells a
/// side.
using RowSink = void (*)(void* user, std::int32_t x0, std::int32_t x1, std::int32_t y, std::int32_t z);
void walk_rows(const LatticeTriangle& t, int shift, const CellRange& clip, RowSink row, void* user);

}  // namespace fairlead::raster
