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

void fill_chunk(const ChunkTask& task, ChunkBits& bits, ChunkLanes lanes) {
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
    for (std::int32_t z = 0; z < kVoxelChunk; ++z) {
        for (std::int32_t y = 0; y < kVoxelChunk; ++y) {
            const bool within = y < size[1] && z < size[2];
            bits.rows[ChunkBits::index(static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z))] &=
                within ? inside : 0;
        }
    }
}

}  // namespace

bool take_bricks(ChunkBits& bits, const std::int32_t* low, const std::int32_t* size, Array<BrickBits>& out,
                 std::int64_t& solid) {
    if (size[0] < kVoxelChunk || size[1] < kVoxelChunk || size[2] < kVoxelChunk) cut(bits, size);
    for (std::int32_t column = 0; column < 256; ++column) {
        std::uint64_t* const rows = bits.rows + column * 16;
        std::uint64_t any = 0;
        for (int r = 0; r < 16; ++r) any |= rows[r];
        if (any == 0) continue;
        const std::int32_t y = column & 15, z = column >> 4;
        do {
            const int x = std::countr_zero(any) / 4;
            any &= ~(std::uint64_t{15} << (4 * x));
            std::uint64_t brick = 0;
            for (int r = 0; r < 16; ++r) brick |= ((rows[r] >> (4 * x)) & 15) << (4 * r);
            solid += std::popcount(brick);
            if (!out.push_back({(low[0] >> 2) + x, (low[1] >> 2) + y, (low[2] >> 2) + z, brick})) return false;
        } while (any != 0);
        std::memset(rows, 0, 16 * sizeof(std::uint64_t));
    }
    return true;
}

}  // namespace fairlead::raster
