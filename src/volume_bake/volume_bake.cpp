// Bounds, voxels, filling, report.

#include <fairlead/volume_bake/volume_bake.h>

#include <cmath>

#include "base/no_memory.h"
#include "volume_bake/flood.h"
#include "volume_bake/open_edges.h"

namespace fairlead::bake {

namespace {

static_assert(kVoxelSideMax == kVolumeSideMax && kVoxelCountMax == kVolumeVoxelsMax);

struct Bounds {
    Vec3 low, high;
};

// Of the triangles whose corners are there and finite. False: none.
bool find_bounds(const TriangleSoup& soup, Bounds& out) {
    bool any = false;
    for (std::size_t i = 0; i + 2 < soup.triangles.size(); i += 3) {
        const std::uint32_t* const corners = soup.triangles.data() + i;
        bool good = true;
        for (int k = 0; k < 3; ++k)
            good = good && corners[k] < soup.vertices.size() && is_finite(soup.vertices[corners[k]]);
        if (!good) continue;
        for (int k = 0; k < 3; ++k) {
            const Vec3 p = soup.vertices[corners[k]];
            if (!any) out = {p, p};
            any = true;
            out.low = {std::fmin(out.low.x, p.x), std::fmin(out.low.y, p.y), std::fmin(out.low.z, p.z)};
            out.high = {std::fmax(out.high.x, p.x), std::fmax(out.high.y, p.y), std::fmax(out.high.z, p.z)};
        }
    }
    return any;
}

struct Axis {
    double low, high, size;
};

// Voxels along one axis, in doubles: there may be more than fit.
double voxels_given(Axis a) { return std::fmax(1.0, std::ceil((a.high - a.low) / a.size - 1e-6)); }
double voxels_found(Axis a, double margin) {
    return std::floor((a.high - a.low) / a.size) + 1.0 + 2.0 * margin;
}

Result<VoxelFrame> frame_from(Bounds b, const VolumeBakeOptions& o) {
    VoxelFrame frame;
    frame.voxel_size = o.voxel_size;
    const double margin = o.give_bounds ? 0.0 : static_cast<double>(o.margin);
    frame.origin = {b.low.x - margin * o.voxel_size.x, b.low.y - margin * o.voxel_size.y,
                    b.low.z - margin * o.voxel_size.z};
    const Axis axes[3] = {{b.low.x, b.high.x, o.voxel_size.x},
                          {b.low.y, b.high.y, o.voxel_size.y},
                          {b.low.z, b.high.z, o.voxel_size.z}};
    for (int k = 0; k < 3; ++k) {
        const double voxels = o.give_bounds ? voxels_given(axes[k]) : voxels_found(axes[k], margin);
        if (!(voxels <= kVoxelSideMax)) return Error{ErrorCode::size_limit, Field::width, kVoxelSideMax};
        frame.size[k] = static_cast<std::int32_t>(voxels);
    }
    return frame;
}

Result<void> check(const VolumeBakeOptions& o) {
    if (!is_finite(o.voxel_size)) return Error{ErrorCode::not_finite, Field::cell_size};
    if (!(o.voxel_size.x > 0.0 && o.voxel_size.y > 0.0 && o.voxel_size.z > 0.0))
        return Error{ErrorCode::out_of_range, Field::cell_size};
    if (!o.give_bounds) return {};
    if (!is_finite(o.low) || !is_finite(o.high)) return Error{ErrorCode::not_finite, Field::box};
    if (!(o.low.x < o.high.x && o.low.y < o.high.y && o.low.z < o.high.z))
        return Error{ErrorCode::out_of_range, Field::box};
    return {};
}

Result<VoxelFrame> frame_of(const TriangleSoup& soup, const VolumeBakeOptions& o) {
    const Result<void> checked = check(o);
    if (!checked) return checked.error();
    Bounds bounds{o.low, o.high};
    if (!o.give_bounds && !find_bounds(soup, bounds)) return Error{ErrorCode::size_zero, Field::triangles};
    return frame_from(bounds, o);
}

VoxelizeOptions voxelize_options(const VolumeBakeOptions& o) {
    return {.refuse_bad = o.refuse_bad, .jobs = o.jobs, .progress = o.progress, .allocator = o.allocator};
}

Result<BakedVolume> baked(const VoxelFrame& frame, const VoxelBricks& voxels, const VolumeBakeOptions& o) {
    BakedVolume out(o.allocator);
    out.origin = frame.origin;
    out.voxel_size = frame.voxel_size;
    out.size = {frame.size[0], frame.size[1], frame.size[2]};
    out.report.triangles = voxels.counts;
    if (!out.bricks.resize_uninitialized(voxels.bricks.size())) return kNoMemory;
    for (std::size_t i = 0; i < out.bricks.size(); ++i) {
        const BrickBits& b = voxels.bricks[i];
        out.bricks[i] = {b.x, b.y, b.z, b.solid};
    }
    return out;
}

}  // namespace

Result<BakedVolume> bake_volume(const TriangleSoup& soup, const VolumeBakeOptions& options) {
    const Result<VoxelFrame> frame = frame_of(soup, options);
    if (!frame) return frame.error();
    Result<VoxelBricks> voxels = voxelize(soup, *frame, voxelize_options(options));
    if (!voxels) return voxels.error();
    std::int64_t filled = 0;
    OpenEdges open;
    if (options.fill == VolumeFill::inside) {
        const Result<void> done = fill_inside(*frame, options.progress, voxels->bricks, filled);
        if (!done) return done.error();
        const Result<OpenEdges> found = find_open_edges(soup, *frame, options.allocator);
        if (!found) return found.error();
        open = *found;
    }
    Result<BakedVolume> out = baked(*frame, *voxels, options);
    if (!out) return out;
    out->report.filled = filled;
    out->report.open_edges = open.count;
    out->report.open_at = open.place;
    return out;
}

Result<BakedVolume> bake_volume(const TriangleStream& stream, const VolumeBakeOptions& options) {
    if (!options.give_bounds) return Error{ErrorCode::incompatible, Field::box};
    if (options.fill != VolumeFill::nothing) return Error{ErrorCode::incompatible, Field::none, 1};
    const Result<VoxelFrame> frame = frame_of({}, options);
    if (!frame) return frame.error();
    const Result<VoxelBricks> voxels = voxelize(stream, *frame, voxelize_options(options));
    if (!voxels) return voxels.error();
    return baked(*frame, *voxels, options);
}

Result<VolumeOptions> streamed_volume(const VolumeBakeOptions& options) {
    if (!options.give_bounds) return Error{ErrorCode::incompatible, Field::box};
    if (options.fill != VolumeFill::nothing) return Error{ErrorCode::incompatible, Field::none, 1};
    const Result<VoxelFrame> frame = frame_of({}, options);
    if (!frame) return frame.error();
    return VolumeOptions{.origin = frame->origin,
                         .voxel_size = frame->voxel_size,
                         .size = {frame->size[0], frame->size[1], frame->size[2]},
                         .streamed = true,
                         .allocator = options.allocator};
}

Result<BakedVolume> volume_chunk(const TriangleSoup& soup, const VolumeBakeOptions& options, std::int32_t x,
                                 std::int32_t y, std::int32_t z) {
    if (!options.give_bounds) return Error{ErrorCode::incompatible, Field::box};
    if (options.fill != VolumeFill::nothing) return Error{ErrorCode::incompatible, Field::none, 1};
    const Result<VoxelFrame> frame = frame_of(soup, options);
    if (!frame) return frame.error();
    const Result<VoxelBricks> voxels = voxelize_chunk(soup, *frame, x, y, z, voxelize_options(options));
    if (!voxels) return voxels.error();
    return baked(*frame, *voxels, options);
}

}  // namespace fairlead::bake
