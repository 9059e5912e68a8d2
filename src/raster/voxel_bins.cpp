// Triangles by chunk: a number for each that lies in one chunk, then a counting sort. Those that lie in several are few, and are looked
// at again.

#include "raster/voxel_bins.h"

#include <algorithm>
#include <utility>

#include "base/no_memory.h"
#include "base/run_jobs.h"
#include "raster/voxel_rows.h"

namespace fairlead::raster {

namespace {

// What stands for a triangle's chunk.
constexpr std::uint32_t kNumbersMax = 0xfffffff0U;
constexpr std::uint32_t kSeveral = 0xffffffffU;
constexpr std::uint32_t kOutside = 0xfffffffeU;
constexpr std::uint32_t kBadIndex = 0xfffffffdU;
constexpr std::uint32_t kNotFinite = 0xfffffffcU;
constexpr std::uint32_t kTooFar = 0xfffffffbU;
constexpr std::size_t kPart = 1 << 16;  // triangles a job

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

struct NumberJob {
    const LatticeSoup& soup;
    const ChunkGrid& grid;
    Array<std::uint32_t>& numbers;

    static void run(void* context, std::size_t part) {
        const auto& job = *static_cast<const NumberJob*>(context);
        const std::size_t end = std::min((part + 1) * kPart, job.numbers.size());
        for (std::size_t i = part * kPart; i < end; ++i) job.numbers[i] = job.number(i);
    }
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t number(std::size_t i) const {
        if (!soup.has_corners(i)) return kBadIndex;
        const std::uint32_t* const corners = soup.corners + 3 * i;
        const LatticePoint& a = soup.points.data()[corners[0]];
        const LatticePoint& b = soup.points.data()[corners[1]];
        const LatticePoint& c = soup.points.data()[corners[2]];
        std::int32_t low[4], high[4];
        for (int k = 0; k < 4; ++k) {
            low[k] = std::min(std::min(a.at[k], b.at[k]), c.at[k]) >> kVoxelShift;
            high[k] = std::max(std::max(a.at[k], b.at[k]), c.at[k]) >> kVoxelShift;
        }
        const std::int32_t fault = a.at[3] | b.at[3] | c.at[3];
        const std::int32_t beyond = low[0] | low[1] | low[2] | (grid.size[0] - 1 - high[0]) |
                                    (grid.size[1] - 1 - high[1]) | (grid.size[2] - 1 - high[2]);
        const std::int32_t differ = ((low[0] ^ high[0]) | (low[1] ^ high[1]) | (low[2] ^ high[2])) >> 6;
        if (FAIRLEAD_LIKELY(fault == 0 && beyond >= 0 && differ == 0))
            return grid.number(low[0] >> 6, low[1] >> 6, low[2] >> 6);
        if (fault != 0) return (fault & kPointNotFinite) != 0 ? kNotFinite : kTooFar;
        const CellRange range = chunks_of({a, b, c}, grid);
        if (range.low[0] > range.high[0]) return kOutside;
        return kSeveral;
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

Result<ChunkBins> sort_by_chunk(const LatticeSoup& soup, const ChunkGrid& grid, const VoxelizeOptions& options,
                                VoxelCounts& counts) {
    Array<std::uint32_t> numbers(options.allocator);
    if (!numbers.resize_uninitialized(soup.triangles)) return kNoMemory;
    NumberJob job{soup, grid, numbers};
    run_jobs(options.jobs, (soup.triangles + kPart - 1) / kPart, NumberJob::run, &job);

    ChunkBins out(options.allocator);
    Array<std::uint32_t> several(options.allocator);
    const std::size_t chunks = grid.all();
    if (!out.starts.resize(chunks + 1)) return kNoMemory;
    std::uint32_t* const starts = out.starts.data();  // how many a chunk has, then where its next one goes
    counts.triangles = soup.triangles;
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < soup.triangles; ++i) {
        const std::uint32_t number = numbers[i];
        if (FAIRLEAD_LIKELY(number < kNumbersMax)) {
            ++starts[number];
            ++all;
        } else if (number == kSeveral) {
            if (!several.push_back(static_cast<std::uint32_t>(i))) return kNoMemory;
        } else {
            if (number != kOutside && options.refuse_bad) return refusal(number, static_cast<std::int64_t>(i));
            count_lost(number, i, counts);
        }
    }
    counts.used = all + several.size();
    for (const std::uint32_t i : several) {
        each_chunk(soup.triangle(i), grid, [&](std::uint32_t chunk) {
            ++starts[chunk];
            ++all;
        });
        if (all >= kNumbersMax) return Error{ErrorCode::size_limit, Field::triangles, kNumbersMax};
    }
    if (!out.triangles.resize_uninitialized(static_cast<std::size_t>(all))) return kNoMemory;
    std::uint32_t next = 0;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) next += std::exchange(starts[chunk], next);
    std::uint32_t* const places = out.triangles.data();
    for (std::size_t i = 0; i < soup.triangles; ++i) {
        if (numbers[i] < kNumbersMax) places[starts[numbers[i]]++] = static_cast<std::uint32_t>(i);
    }
    for (const std::uint32_t i : several)
        each_chunk(soup.triangle(i), grid, [&](std::uint32_t chunk) { places[starts[chunk]++] = i; });
    for (std::size_t chunk = chunks; chunk > 0; --chunk) starts[chunk] = starts[chunk - 1];
    starts[0] = 0;
    return out;
}

Result<void> sort_into(const LatticeSoup& soup, const ChunkGrid& grid, const std::int32_t (&chunk)[3],
                       const VoxelizeOptions& options, Array<std::uint32_t>& out, VoxelCounts& counts) {
    CellRange clip;
    for (int k = 0; k < 3; ++k) {
        clip.low[k] = chunk[k] * kVoxelChunk;
        clip.high[k] = std::min(clip.low[k] + kVoxelChunk, grid.size[k]) - 1;
    }
    Array<std::uint32_t> none(options.allocator);
    const NumberJob job{soup, grid, none};
    counts.triangles = soup.triangles;
    for (std::size_t i = 0; i < soup.triangles; ++i) {
        const std::uint32_t number = job.number(i);
        CellRange range;
        if (number < kNumbersMax || number == kSeveral) {
            if (!cells_of(soup.triangle(i), kVoxelShift, clip, range)) {
                ++counts.outside;
                continue;
            }
            ++counts.used;
            if (!out.push_back(static_cast<std::uint32_t>(i))) return kNoMemory;
            continue;
        }
        if (number != kOutside && options.refuse_bad) return refusal(number, static_cast<std::int64_t>(i));
        count_lost(number, i, counts);
    }
    return {};
}

}  // namespace fairlead::raster
