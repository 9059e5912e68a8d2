// Fills a chunk's bits from its triangles, many at a time, and turns them into bricks.

#include "raster/voxel_chunk.h"

#include <bit>
#include <cstring>

#include "raster/voxel_rows.h"

#if defined(FAIRLEAD_AVX2)
#include <immintrin.h>
#endif

namespace fairlead::raster {

namespace one {
// clang-format off
#define FAIRLEAD_LANES 1
#include "raster/voxel_lanes_inc.h"
#include "raster/voxel_small_inc.h"
#include "raster/voxel_points_inc.h"
#include "raster/voxel_fill_inc.h"
#undef FAIRLEAD_LANES
// clang-format on
}  // namespace one

#if defined(FAIRLEAD_VECTOR)
namespace four {
// clang-format off
#define FAIRLEAD_LANES 4
#include "raster/voxel_lanes_inc.h"
#include "raster/voxel_small_inc.h"
#include "raster/voxel_points_inc.h"
#include "raster/voxel_fill_inc.h"
#undef FAIRLEAD_LANES
// clang-format on
}  // namespace four
#endif

#if defined(FAIRLEAD_AVX2)
FAIRLEAD_AVX2_BEGIN
namespace eight {
// clang-format off
#define FAIRLEAD_LANES 8
#include "raster/voxel_lanes_inc.h"
#include "raster/voxel_small_inc.h"
#include "raster/voxel_points_inc.h"
#include "raster/voxel_fill_inc.h"
#undef FAIRLEAD_LANES
// clang-format on
}  // namespace eight
FAIRLEAD_AVX2_END
#endif

void fill_chunk(const ChunkTask& task, ChunkBits& bits, [[maybe_unused]] ChunkLanes lanes) {
#if defined(FAIRLEAD_AVX2)
    if (lanes == ChunkLanes::best && detail::has_avx2()) return eight::fill_bits(task, bits);
#endif
#if defined(FAIRLEAD_VECTOR)
    if (lanes != ChunkLanes::one) return four::fill_bits(task, bits);
#endif
    one::fill_bits(task, bits);
}

namespace {

// The bits of a chunk's rows beyond the bounds go.
void cut(ChunkBits& bits, const std::int32_t* size) {
    const std::uint64_t inside = ~std::uint64_t{0} >> (kVoxelChunk - size[0]);
    for (std::int32_t row = 0; row < kVoxelChunk * kVoxelChunk; ++row) {
        const bool within = row % kVoxelChunk < size[1] && row / kVoxelChunk < size[2];
        bits.rows[row] &= within ? inside : 0;
    }
}

// The bricks of 16 rows, one for each four columns in which `any` has a bit.
bool add_bricks(const std::uint64_t* rows, std::uint64_t any, BrickBits first, Array<BrickBits>& out,
                std::int64_t& solid) {
    do {
        const int x = std::countr_zero(any) / 4;
        any &= ~(std::uint64_t{15} << (4 * x));
        BrickBits brick = first;
        brick.x += x;
        for (int k = 0; k < 4; ++k) {
            for (int j = 0; j < 4; ++j)
                brick.solid |= ((rows[k * kVoxelChunk + j] >> (4 * x)) & 15) << (16 * k + 4 * j);
        }
        solid += std::popcount(brick.solid);
        if (!out.push_back(brick)) return false;
    } while (any != 0);
    return true;
}

}  // namespace

bool take_bricks(ChunkBits& bits, const std::int32_t* low, const std::int32_t* size, Array<BrickBits>& out,
                 std::int64_t& solid) {
    if (size[0] < kVoxelChunk || size[1] < kVoxelChunk || size[2] < kVoxelChunk) cut(bits, size);
    for (std::int32_t z = 0; z < kVoxelChunk; z += 4) {
        for (std::int32_t y = 0; y < kVoxelChunk; y += 4) {
            std::uint64_t* const rows = bits.rows + z * kVoxelChunk + y;
            std::uint64_t any = 0;
            for (int k = 0; k < 4; ++k) {
                for (int j = 0; j < 4; ++j) any |= rows[k * kVoxelChunk + j];
            }
            if (any == 0) continue;
            if (!add_bricks(rows, any, {low[0] >> 2, (low[1] + y) >> 2, (low[2] + z) >> 2, 0}, out, solid))
                return false;
            for (int k = 0; k < 4; ++k) std::memset(rows + k * kVoxelChunk, 0, 4 * sizeof(std::uint64_t));
        }
    }
    return true;
}

}  // namespace fairlead::raster
