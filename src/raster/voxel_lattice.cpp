// World units to the lattice of the voxels, vertex by vertex.

#include "raster/voxel_lattice.h"

#include <algorithm>
#include <cmath>

#include "base/no_memory.h"
#include "base/run_jobs.h"

namespace fairlead::raster {

namespace {

constexpr double kWhole = 0x1.8p52;  // adding it leaves no room for a fraction
constexpr std::int64_t kTrianglesMax = std::int64_t{1} << 30;
constexpr std::size_t kVerticesAJob = 1 << 16;  // vertices a job

std::int32_t rounded(double value) { return static_cast<std::int32_t>((value + kWhole) - kWhole); }

struct ConvertJob {
    const VoxelLattice& lattice;
    const TriangleSoup& soup;
    Array<LatticePoint>& points;

    static void run(void* context, std::size_t part) {
        const auto& job = *static_cast<const ConvertJob*>(context);
        const std::size_t end = std::min((part + 1) * kVerticesAJob, job.points.size());
        LatticePoint* const out = job.points.data();
        const Vec3* const in = job.soup.vertices.data();
        for (std::size_t i = part * kVerticesAJob; i < end; ++i) out[i] = job.lattice.point(in[i]);
    }
};

}  // namespace

VoxelLattice::VoxelLattice(const VoxelFrame& frame)
    : origin_{frame.origin.x, frame.origin.y, frame.origin.z},
      steps_{kVoxelSteps / frame.voxel_size.x, kVoxelSteps / frame.voxel_size.y,
             kVoxelSteps / frame.voxel_size.z},
      low_(-static_cast<double>(kVoxelReach) * kVoxelSteps) {
    for (int k = 0; k < 3; ++k) high_[k] = (static_cast<double>(frame.size[k]) + kVoxelReach) * kVoxelSteps;
}

LatticePoint VoxelLattice::point(Vec3 world) const {
    const double x = (world.x - origin_[0]) * steps_[0];
    const double y = (world.y - origin_[1]) * steps_[1];
    const double z = (world.z - origin_[2]) * steps_[2];
    const bool inside =
        (x >= low_) & (y >= low_) & (z >= low_) & (x <= high_[0]) & (y <= high_[1]) & (z <= high_[2]);
    if (!inside) return {{0, 0, 0, is_finite(world) ? kPointTooFar : kPointNotFinite}};
    return {{rounded(x), rounded(y), rounded(z), kPointGood}};
}

Result<void> check_frame(const VoxelFrame& frame) {
    if (!is_finite(frame.voxel_size)) return Error{ErrorCode::not_finite, Field::cell_size};
    for (const double size : {frame.voxel_size.x, frame.voxel_size.y, frame.voxel_size.z}) {
        if (!(size >= 1e-6 && size <= 1e6)) return Error{ErrorCode::out_of_range, Field::cell_size};
    }
    if (!is_finite(frame.origin)) return Error{ErrorCode::not_finite, Field::origin};
    double all = 1.0;
    for (const std::int32_t size : frame.size) {
        if (size <= 0) return Error{ErrorCode::out_of_range, Field::width, size};
        if (size > kVoxelSideMax) return Error{ErrorCode::size_limit, Field::width, kVoxelSideMax};
        all *= size;
    }
    if (all > static_cast<double>(kVoxelCountMax))
        return Error{ErrorCode::size_limit, Field::width, kVoxelCountMax};
    return {};
}

Result<LatticeSoup> to_lattice(const TriangleSoup& soup, const VoxelFrame& frame, const Jobs& jobs,
                               const Allocator& allocator) {
    const auto indices = static_cast<std::int64_t>(soup.triangles.size());
    if (indices % 3 != 0) return Error{ErrorCode::size_mismatch, Field::triangles, indices - indices % 3};
    if (indices / 3 > kTrianglesMax) return Error{ErrorCode::size_limit, Field::triangles, kTrianglesMax};
    LatticeSoup out(allocator);
    if (!out.points.resize_uninitialized(soup.vertices.size())) return kNoMemory;
    out.corners = soup.triangles.data();
    out.triangles = soup.triangles.size() / 3;
    const VoxelLattice lattice(frame);
    ConvertJob job{lattice, soup, out.points};
    run_jobs(jobs, (out.points.size() + kVerticesAJob - 1) / kVerticesAJob, ConvertJob::run, &job);
    return out;
}

Result<LatticeSoup> to_lattice(const TriangleStream& stream, const VoxelFrame& frame,
                               const Allocator& allocator) {
    constexpr std::size_t kBatch = 64;
    LatticeSoup out(allocator);
    const VoxelLattice lattice(frame);
    Vec3 corners[3 * kBatch];
    while (stream.read != nullptr) {
        const std::size_t count = std::min(stream.read(stream.user, corners, kBatch), kBatch);
        if (count == 0) break;
        out.triangles += count;
        if (static_cast<std::int64_t>(out.triangles) > kTrianglesMax)
            return Error{ErrorCode::size_limit, Field::triangles, kTrianglesMax};
        for (std::size_t i = 0; i < 3 * count; ++i) {
            const auto number = static_cast<std::uint32_t>(out.points.size());
            if (!out.points.push_back(lattice.point(corners[i]))) return kNoMemory;
            if (!out.own_corners.push_back(number)) return kNoMemory;
        }
    }
    out.corners = out.own_corners.data();
    return out;
}

}  // namespace fairlead::raster
