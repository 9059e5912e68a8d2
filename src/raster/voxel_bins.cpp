// Triangles by chunk: a number for each that lies in one chunk, then a counting sort. Those that lie in several are
// few, and are looked at again.

#include "raster/voxel_bins.h"

#include <algorithm>
#include <utility>

#include "base/no_memory.h"
#include "base/run_jobs.h"
#include "raster/voxel_rows.h"

#if defined(FAIRLEAD_AVX2)
#include <immintrin.h>
#endif

namespace fairlead::raster {

namespace {

// What stands for a triangle's chunk.
constexpr std::uint32_t kNumbersMax = 0xfffffff0U;
constexpr std::uint32_t kSeveral = 0xffffffffU;
constexpr std::uint32_t kOutside = 0xfffffffeU;
constexpr std::uint32_t kBadIndex = 0xfffffffdU;
constexpr std::uint32_t kNotFinite = 0xfffffffcU;
constexpr std::uint32_t kTooFar = 0xfffffffbU;
constexpr std::size_t kTrianglesAJob = 1 << 16;  // triangles a job

// The chunks that a triangle's box touches: low > high on an axis if it lies outside.
CellRange chunks_of(const LatticeTriangle& t, const ChunkGrid& grid) {
    CellRange out;
    CellRange all;
    for (int k = 0; k < 3; ++k) {
        all.low[k] = 0;
        all.high[k] = grid.size[k] - 1;
    }
    if (!cells_of(t, kVoxelShift, all, out)) return {{1, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < 3; ++k) {
        out.low[k] >>= kChunkShift - kVoxelShift;
        out.high[k] >>= kChunkShift - kVoxelShift;
    }
    return out;
}

// The number of a triangle that does not lie in one chunk within the bounds.
std::uint32_t other_number(const LatticeSoup& soup, const ChunkGrid& grid, std::size_t i) {
    if (!soup.has_corners(i)) return kBadIndex;
    const LatticeTriangle t = soup.triangle(i);
    const std::int32_t fault = t.a.at[3] | t.b.at[3] | t.c.at[3];
    if (fault != 0) return fault == kPointNotFinite ? kNotFinite : kTooFar;
    const CellRange range = chunks_of(t, grid);
    if (range.low[0] > range.high[0]) return kOutside;
    if (range.low[0] == range.high[0] && range.low[1] == range.high[1] && range.low[2] == range.high[2])
        return grid.number(range.low[0], range.low[1], range.low[2]);
    return kSeveral;
}

namespace plain {
// clang-format off
#define FAIRLEAD_LANES 1
#include "raster/voxel_points_inc.h"
#include "raster/voxel_number_inc.h"
#undef FAIRLEAD_LANES
// clang-format on
}  // namespace plain

#if defined(FAIRLEAD_AVX2)
FAIRLEAD_AVX2_BEGIN
namespace wide {
// clang-format off
#define FAIRLEAD_LANES 4
#include "raster/voxel_points_inc.h"
#include "raster/voxel_number_inc.h"
#undef FAIRLEAD_LANES
// clang-format on
}  // namespace wide
FAIRLEAD_AVX2_END
#endif

struct NumberJob {
    const LatticeSoup& soup;
    const ChunkGrid& grid;
    Array<std::uint32_t>& numbers;

    static void run(void* context, std::size_t part) {
        const auto& job = *static_cast<const NumberJob*>(context);
        const std::size_t first = part * kTrianglesAJob;
        const std::size_t end = std::min(first + kTrianglesAJob, job.numbers.size());
#if defined(FAIRLEAD_AVX2)
        if (detail::has_avx2()) return wide::find_numbers(job.soup, job.grid, first, end, job.numbers.data());
#endif
        plain::find_numbers(job.soup, job.grid, first, end, job.numbers.data());
    }
};

// Calls `found` for each chunk that a triangle of several touches; all of its box's where that has not many.
template <class Found>
void each_chunk(const LatticeTriangle& t, const ChunkGrid& grid, Found found) {
    const CellRange range = chunks_of(t, grid);
    std::int32_t most = 0;
    for (int k = 0; k < 3; ++k) most = std::max(most, range.high[k] - range.low[k]);
    if (most <= 1) {
        for (std::int32_t z = range.low[2]; z <= range.high[2]; ++z) {
            for (std::int32_t y = range.low[1]; y <= range.high[1]; ++y) {
                for (std::int32_t x = range.low[0]; x <= range.high[0]; ++x) found(grid.number(x, y, z));
            }
        }
        return;
    }
    struct Context {
        const ChunkGrid& grid;
        Found& found;
    } context{grid, found};
    const auto row = [](void* user, std::int32_t x0, std::int32_t x1, std::int32_t y, std::int32_t z) {
        const auto& c = *static_cast<Context*>(user);
        for (std::int32_t x = x0; x <= x1; ++x) c.found(c.grid.number(x, y, z));
    };
    CellRange block;
    const auto cut = [&](int k, std::int32_t from) {
        block.low[k] = from;
        block.high[k] = std::min(from + kBlockSide - 1, range.high[k]);
    };
    for (std::int32_t z = range.low[2]; z <= range.high[2]; z += kBlockSide) {
        cut(2, z);
        for (std::int32_t y = range.low[1]; y <= range.high[1]; y += kBlockSide) {
            cut(1, y);
            for (std::int32_t x = range.low[0]; x <= range.high[0]; x += kBlockSide) {
                cut(0, x);
                walk_rows(t, kChunkShift, block, row, &context);
            }
        }
    }
}

void count_lost(std::uint32_t number, std::size_t i, VoxelCounts& counts) {
    switch (number) {
        case kOutside: ++counts.outside; return;
        case kBadIndex: ++counts.bad_index; break;
        case kNotFinite: ++counts.not_finite; break;
        default: ++counts.too_far; break;
    }
    if (counts.first_bad < 0) counts.first_bad = static_cast<std::int64_t>(i);
}

Error refusal(std::uint32_t number, std::int64_t i) {
    if (number == kBadIndex)
        return {ErrorCode::unknown_id, i, static_cast<std::int64_t>(SoupFaultKind::bad_index)};
    if (number == kNotFinite)
        return {ErrorCode::not_finite, i, static_cast<std::int64_t>(SoupFaultKind::not_finite)};
    return {ErrorCode::out_of_range, i, static_cast<std::int64_t>(SoupFaultKind::too_far)};
}

struct ChunkRun {
    std::uint32_t chunk;
    TriangleRun triangles;
};

// The triangles of one chunk as they follow each other; one of several chunks is a run of its own in each.
Result<void> find_runs(const LatticeSoup& soup, const ChunkGrid& grid, std::span<const std::uint32_t> numbers,
                       const VoxelizeOptions& options, VoxelCounts& counts, Array<ChunkRun>& out) {
    bool full = false;
    counts.triangles = numbers.size();
    for (std::size_t i = 0; i < numbers.size();) {
        const std::uint32_t number = numbers[i];
        const auto at = static_cast<std::uint32_t>(i++);
        if (FAIRLEAD_LIKELY(number < kNumbersMax)) {
            while (i < numbers.size() && numbers[i] == number) ++i;
            const std::uint32_t count = static_cast<std::uint32_t>(i) - at;
            counts.used += count;
            full = full || !out.push_back({number, {at, count}});
        } else if (number == kSeveral) {
            ++counts.used;
            each_chunk(soup.triangle(at), grid, [&](std::uint32_t chunk) {
                full = full || !out.push_back({chunk, {at, 1}});
            });
        } else {
            if (number != kOutside && options.refuse_bad) return refusal(number, at);
            count_lost(number, at, counts);
        }
        if (full) return kNoMemory;
        if (out.size() >= kNumbersMax) return Error{ErrorCode::size_limit, Field::triangles, kNumbersMax};
    }
    return {};
}

}  // namespace

ChunkGrid::ChunkGrid(const VoxelFrame& frame) {
    for (int k = 0; k < 3; ++k) {
        size[k] = frame.size[k];
        count[k] = (frame.size[k] + kVoxelChunk - 1) / kVoxelChunk;
    }
}

void ChunkGrid::place(std::uint32_t number, std::int32_t* low, std::int32_t* voxels) const {
    const auto across = static_cast<std::uint32_t>(count[0]);
    const auto deep = static_cast<std::uint32_t>(count[1]);
    const std::uint32_t at[3] = {number % across, number / across % deep, number / across / deep};
    for (int k = 0; k < 3; ++k) {
        low[k] = static_cast<std::int32_t>(at[k]) * kVoxelChunk;
        voxels[k] = std::min(size[k] - low[k], kVoxelChunk);
    }
}

Result<ChunkBins> sort_by_chunk(const LatticeSoup& soup, const ChunkGrid& grid,
                                const VoxelizeOptions& options, VoxelCounts& counts) {
    Array<std::uint32_t> numbers(options.allocator);
    if (!numbers.resize_uninitialized(soup.triangles)) return kNoMemory;
    NumberJob job{soup, grid, numbers};
    run_jobs(options.jobs, (soup.triangles + kTrianglesAJob - 1) / kTrianglesAJob, NumberJob::run, &job);
    Array<ChunkRun> runs(options.allocator);
    const Result<void> found = find_runs(soup, grid, numbers.span(), options, counts, runs);
    if (!found) return found.error();
    numbers.free_memory();

    ChunkBins out(options.allocator);
    const std::size_t chunks = grid.all();
    if (!out.starts.resize(chunks + 1) || !out.runs.resize_uninitialized(runs.size())) return kNoMemory;
    std::uint32_t* const starts = out.starts.data();  // how many a chunk has, then where its next one goes
    for (const ChunkRun& run : runs) ++starts[run.chunk];
    std::uint32_t next = 0;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) next += std::exchange(starts[chunk], next);
    for (const ChunkRun& run : runs) out.runs[starts[run.chunk]++] = run.triangles;
    for (std::size_t chunk = chunks; chunk > 0; --chunk) starts[chunk] = starts[chunk - 1];
    starts[0] = 0;
    return out;
}

Result<void> sort_into(const LatticeSoup& soup, const ChunkGrid& grid, const std::int32_t (&chunk)[3],
                       const VoxelizeOptions& options, Array<TriangleRun>& out, VoxelCounts& counts) {
    CellRange clip;
    for (int k = 0; k < 3; ++k) {
        clip.low[k] = chunk[k] * kVoxelChunk;
        clip.high[k] = std::min(clip.low[k] + kVoxelChunk, grid.size[k]) - 1;
    }
    counts.triangles = soup.triangles;
    for (std::size_t i = 0; i < soup.triangles; ++i) {
        const std::uint32_t number = other_number(soup, grid, i);
        CellRange range;
        if (number < kNumbersMax || number == kSeveral) {
            if (!cells_of(soup.triangle(i), kVoxelShift, clip, range)) {
                ++counts.outside;
                continue;
            }
            ++counts.used;
            if (!out.push_back({static_cast<std::uint32_t>(i), 1})) return kNoMemory;
            continue;
        }
        if (number != kOutside && options.refuse_bad) return refusal(number, static_cast<std::int64_t>(i));
        count_lost(number, i, counts);
    }
    return {};
}

}  // namespace fairlead::raster
