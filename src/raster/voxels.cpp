// Triangles into bricks, chunk by chunk. Each chunk is worked out alone, so that they may be shared out over threads;
// what they give is joined in their order.

#include <fairlead/raster/voxels.h>

#include <algorithm>

#include "base/no_memory.h"
#include "base/run_jobs.h"
#include "raster/voxel_bins.h"
#include "raster/voxel_chunk.h"
#include "raster/voxel_lattice.h"
#include "raster/voxel_rows.h"

namespace fairlead {

namespace {

using raster::ChunkBins;
using raster::ChunkBits;
using raster::ChunkGrid;
using raster::LatticeSoup;

constexpr std::size_t kChunksAJob = 16;
constexpr std::size_t kJobsAtOnce = 32;
constexpr std::size_t kChunksAReport = 64;  // without jobs

// A run of chunks, by one thread.
struct Part {
    explicit Part(const Allocator& allocator) : bits(allocator), bricks(allocator) {}
    Array<ChunkBits> bits;  ///< one, once it is needed
    Array<BrickBits> bricks;
    std::int64_t solid = 0;
    bool full = false;  ///< there was no memory
};

class Voxelizer {
  public:
    Voxelizer(const LatticeSoup& soup, const ChunkGrid& grid, const ChunkBins& bins,
              const VoxelizeOptions& options)
        : soup_(soup), grid_(grid), bins_(bins), options_(options), chunks_(options.allocator) {}

    Result<void> run(VoxelBricks& out) {
        const auto count = static_cast<std::uint32_t>(grid_.all());
        for (std::uint32_t chunk = 0; chunk < count; ++chunk) {
            if (!bins_.of(chunk).empty() && !chunks_.push_back(chunk)) return kNoMemory;
        }
        return options_.jobs.run == nullptr ? run_alone(out) : run_shared(out);
    }

  private:
    [[nodiscard]] bool report(std::size_t done) const {
        const Progress& progress = options_.progress;
        return progress.report == nullptr || progress.report(progress.user, done, chunks_.size());
    }

    void work(Part& part, std::size_t first, std::size_t last) const {
        if (part.bits.empty() && !part.bits.resize(1)) {
            part.full = true;
            return;
        }
        for (std::size_t i = first; i < last && !part.full; ++i) {
            std::int32_t low[3], size[3];
            grid_.place(chunks_[i], low, size);
            fill_chunk({soup_, bins_.of(chunks_[i]), {low[0], low[1], low[2]}}, part.bits[0]);
            part.full = !take_bricks(part.bits[0], low, size, part.bricks, part.solid);
        }
    }

    Result<void> run_alone(VoxelBricks& out) const {
        Part part(options_.allocator);
        for (std::size_t i = 0; i < chunks_.size(); i += kChunksAReport) {
            const std::size_t end = std::min(i + kChunksAReport, chunks_.size());
            work(part, i, end);
            if (part.full) return kNoMemory;
            if (!report(end)) return Error{ErrorCode::cancelled};
        }
        out.bricks = std::move(part.bricks);
        out.counts.solid = part.solid;
        return {};
    }

    struct Round {
        const Voxelizer* self;
        std::size_t first;
        Array<BrickBits>* bricks;
        std::int64_t solid[kJobsAtOnce];
        bool full[kJobsAtOnce];

        static void job(void* context, std::size_t index) {
            auto& round = *static_cast<Round*>(context);
            const std::size_t first = round.first + index * kChunksAJob;
            Part part(round.self->options_.allocator);
            part.bricks = std::move(round.bricks[index]);
            part.bricks.clear();
            round.self->work(part, first, std::min(first + kChunksAJob, round.self->chunks_.size()));
            round.bricks[index] = std::move(part.bricks);
            round.solid[index] = part.solid;
            round.full[index] = part.full;
        }
    };

    Result<void> run_shared(VoxelBricks& out) const {
        const Allocator& a = options_.allocator;
        Array<BrickBits> bricks[kJobsAtOnce];
        for (Array<BrickBits>& list : bricks) list = Array<BrickBits>(a);
        Round round{this, 0, bricks, {}, {}};
        for (; round.first < chunks_.size(); round.first += kChunksAJob * kJobsAtOnce) {
            const std::size_t left = chunks_.size() - round.first;
            const std::size_t jobs = std::min((left + kChunksAJob - 1) / kChunksAJob, kJobsAtOnce);
            run_jobs(options_.jobs, jobs, Round::job, &round);
            for (std::size_t i = 0; i < jobs; ++i) {
                const std::size_t at = out.bricks.size();
                if (round.full[i] || !out.bricks.resize_uninitialized(at + bricks[i].size()))
                    return kNoMemory;
                std::copy(bricks[i].begin(), bricks[i].end(), out.bricks.begin() + at);
                out.counts.solid += round.solid[i];
            }
            if (!report(std::min(round.first + kChunksAJob * kJobsAtOnce, chunks_.size())))
                return Error{ErrorCode::cancelled};
        }
        return {};
    }

    const LatticeSoup& soup_;
    const ChunkGrid& grid_;
    const ChunkBins& bins_;
    const VoxelizeOptions& options_;
    Array<std::uint32_t> chunks_;  ///< that have triangles
};

Result<VoxelBricks> voxelize_lattice(const LatticeSoup& soup, const VoxelFrame& frame,
                                     const VoxelizeOptions& options) {
    const ChunkGrid grid(frame);
    VoxelBricks out(options.allocator);
    const Result<ChunkBins> bins = sort_by_chunk(soup, grid, options, out.counts);
    if (!bins) return bins.error();
    const Result<void> done = Voxelizer(soup, grid, *bins, options).run(out);
    if (!done) return done.error();
    return out;
}

}  // namespace

Result<VoxelBricks> voxelize(const TriangleSoup& soup, const VoxelFrame& frame,
                             const VoxelizeOptions& options) {
    const Result<void> checked = raster::check_frame(frame);
    if (!checked) return checked.error();
    const Result<LatticeSoup> lattice = raster::to_lattice(soup, frame, options.jobs, options.allocator);
    if (!lattice) return lattice.error();
    return voxelize_lattice(*lattice, frame, options);
}

Result<VoxelBricks> voxelize(const TriangleStream& stream, const VoxelFrame& frame,
                             const VoxelizeOptions& options) {
    const Result<void> checked = raster::check_frame(frame);
    if (!checked) return checked.error();
    const Result<LatticeSoup> lattice = raster::to_lattice(stream, frame, options.allocator);
    if (!lattice) return lattice.error();
    return voxelize_lattice(*lattice, frame, options);
}

// For one chunk the bounds are those of the chunk, but corners are counted, and may reach, as for all.
Result<VoxelBricks> voxelize_chunk(const TriangleSoup& soup, const VoxelFrame& frame, std::int32_t x,
                                   std::int32_t y, std::int32_t z, const VoxelizeOptions& options) {
    const Result<void> checked = raster::check_frame(frame);
    if (!checked) return checked.error();
    const ChunkGrid grid(frame);
    if (x < 0 || y < 0 || z < 0 || x >= grid.count[0] || y >= grid.count[1] || z >= grid.count[2])
        return Error{ErrorCode::out_of_range, Field::rect};
    const Result<LatticeSoup> lattice = raster::to_lattice(soup, frame, options.jobs, options.allocator);
    if (!lattice) return lattice.error();
    VoxelBricks out(options.allocator);
    Array<raster::TriangleRun> near(options.allocator);
    const Result<void> sorted = sort_into(*lattice, grid, {x, y, z}, options, near, out.counts);
    if (!sorted) return sorted.error();
    Array<ChunkBits> bits(options.allocator);
    if (!bits.resize(1)) return kNoMemory;
    std::int32_t low[3], size[3];
    grid.place(grid.number(x, y, z), low, size);
    fill_chunk({*lattice, near.span(), {low[0], low[1], low[2]}}, bits[0]);
    if (!take_bricks(bits[0], low, size, out.bricks, out.counts.solid)) return kNoMemory;
    return out;
}

}  // namespace fairlead
