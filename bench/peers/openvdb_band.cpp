// OpenVDB's narrow band around triangles, as a module of its own that the suite of voxels loads: what OpenVDB links starts threads when a
// program begins, and the program must not.
#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>
#include <tbb/global_control.h>

#include <cstdint>

namespace {

/// As OpenVDB asks for a mesh: nine numbers a triangle, in voxels.
class Corners {
  public:
    Corners(const double* numbers, std::size_t triangles) : numbers_(numbers), triangles_(triangles) {}

    [[nodiscard]] std::size_t polygonCount() const { return triangles_; }
    [[nodiscard]] std::size_t pointCount() const { return triangles_ * 3; }
    [[nodiscard]] std::size_t vertexCount(std::size_t) const { return 3; }
    void getIndexSpacePoint(std::size_t triangle, std::size_t corner, openvdb::Vec3d& at) const {
        const double* const p = numbers_ + triangle * 9 + corner * 3;
        at = {p[0], p[1], p[2]};
    }

  private:
    const double* numbers_;
    std::size_t triangles_;
};

}  // namespace

/// How many voxels' middles are within one voxel of a triangle. One thread.
extern "C" std::uint64_t fairlead_openvdb_band(const double* numbers, std::uint64_t triangles) {
    static const bool ready = (openvdb::initialize(), true);
    (void)ready;
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    const auto space = openvdb::math::Transform::createLinearTransform(1.0);
    const auto grid = openvdb::tools::meshToVolume<openvdb::FloatGrid>(
        Corners(numbers, triangles), *space, 1.0F, 1.0F, openvdb::tools::UNSIGNED_DISTANCE_FIELD);
    return grid->activeVoxelCount();
}
