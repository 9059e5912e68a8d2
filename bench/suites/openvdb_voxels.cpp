#include "suites/openvdb_voxels.h"

#ifdef FAIRLEAD_HAVE_OPENVDB

#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>
#include <tbb/global_control.h>

namespace fairlead::bench {

namespace {

/// As OpenVDB asks for a mesh: here a list of corners, three a triangle.
class Corners {
  public:
    explicit Corners(std::span<const std::array<Vec3, 3>> triangles) : triangles_(triangles) {}

    [[nodiscard]] std::size_t polygonCount() const { return triangles_.size(); }
    [[nodiscard]] std::size_t pointCount() const { return triangles_.size() * 3; }
    [[nodiscard]] std::size_t vertexCount(std::size_t) const { return 3; }
    void getIndexSpacePoint(std::size_t triangle, std::size_t corner, openvdb::Vec3d& at) const {
        const Vec3 p = triangles_[triangle][corner];
        at = {p.x, p.y, p.z};
    }

  private:
    std::span<const std::array<Vec3, 3>> triangles_;
};

}  // namespace

bool has_openvdb() { return true; }

std::uint64_t openvdb_band(std::span<const std::array<Vec3, 3>> triangles) {
    static const bool ready = (openvdb::initialize(), true);
    (void)ready;
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    const auto space = openvdb::math::Transform::createLinearTransform(1.0);
    const auto grid = openvdb::tools::meshToVolume<openvdb::FloatGrid>(
        Corners(triangles), *space, 1.0F, 1.0F, openvdb::tools::UNSIGNED_DISTANCE_FIELD);
    return grid->activeVoxelCount();
}

}  // namespace fairlead::bench

#else

namespace fairlead::bench {

bool has_openvdb() { return false; }
std::uint64_t openvdb_band(std::span<const std::array<Vec3, 3>>) { return 0; }

}  // namespace fairlead::bench

#endif
