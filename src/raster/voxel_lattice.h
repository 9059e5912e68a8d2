// Corners of triangles on the lattice of the voxels: 2^13 steps to a voxel, from the bounds' low corner. All that
// follows is done with whole numbers.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/raster/voxels.h>

namespace fairlead::raster {

inline constexpr int kVoxelShift = 13;  ///< steps to a voxel, as a power of two
inline constexpr int kChunkShift = kVoxelShift + 6;
static_assert(kVoxelSteps == 1 << kVoxelShift && kVoxelChunk == 1 << (kChunkShift - kVoxelShift));

/// at[3]: 0, or what is wrong with it (PointFault), below 0.
struct alignas(16) LatticePoint {
    std::int32_t at[4];
};

enum PointFault : std::int32_t { kPointGood = 0, kPointTooFar = INT32_MIN, kPointNotFinite = INT32_MIN + 1 };

/// From world units to the lattice.
class VoxelLattice {
  public:
    explicit VoxelLattice(const VoxelFrame& frame);
    [[nodiscard]] LatticePoint point(Vec3 world) const;

  private:
    double origin_[3];
    double steps_[3];
    double low_ = 0.0;
    double high_[3];  ///< of what is in reach
};

struct LatticeTriangle {
    LatticePoint a, b, c;
};

/// Triangles by their corners, with nothing copied but the corners.
struct LatticeSoup {
    explicit LatticeSoup(const Allocator& allocator) : points(allocator), own_corners(allocator) {}
    Array<LatticePoint> points;
    Array<std::uint32_t> own_corners;        ///< of a stream
    const std::uint32_t* corners = nullptr;  ///< three a triangle; may be past the end of points
    std::size_t triangles = 0;

    [[nodiscard]] bool has_corners(std::size_t i) const {
        const std::uint32_t* at = corners + 3 * i;
        return at[0] < points.size() && at[1] < points.size() && at[2] < points.size();
    }
    [[nodiscard]] LatticeTriangle triangle(std::size_t i) const {
        const std::uint32_t* at = corners + 3 * i;
        return {points[at[0]], points[at[1]], points[at[2]]};
    }
};

/// Triangles first .. first + count.
struct TriangleRun {
    std::uint32_t first;
    std::uint32_t count;
};

[[nodiscard]] Result<void> check_frame(const VoxelFrame& frame);
[[nodiscard]] Result<LatticeSoup> to_lattice(const TriangleSoup& soup, const VoxelFrame& frame,
                                             const Jobs& jobs, const Allocator& allocator);
[[nodiscard]] Result<LatticeSoup> to_lattice(const TriangleStream& stream, const VoxelFrame& frame,
                                             const Allocator& allocator);

}  // namespace fairlead::raster
