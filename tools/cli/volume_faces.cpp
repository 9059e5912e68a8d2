// Faces of voxels: corners are numbered as they are met, and those of one place share a number.

#include "cli/volume_faces.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

namespace fairlead::cli {

namespace {

bool comes_before(Voxel a, Voxel b) { return std::tie(a.z, a.y, a.x) < std::tie(b.z, b.y, b.x); }

struct Faces {
    const VolumeState& state;
    std::vector<Voxel> corners;  ///< four a face, in order around it

    // `side` 0: the low one along `axis`. The two axes behind it, in turn, go round it counter-clockwise seen from its high side.
    void add(Voxel v, int axis, int side) {
        std::array<std::int32_t, 3> at{v.x, v.y, v.z};
        at[static_cast<std::size_t>(axis)] += side;
        constexpr int kAround[2][4] = {{0, 2, 3, 1}, {0, 1, 3, 2}};
        for (const int corner : kAround[side]) {
            std::array<std::int32_t, 3> p = at;
            p[static_cast<std::size_t>((axis + 1) % 3)] += corner & 1;
            p[static_cast<std::size_t>((axis + 2) % 3)] += corner >> 1;
            corners.push_back({p[0], p[1], p[2]});
        }
    }

    void add_voxel(Voxel v) {
        for (int axis = 0; axis < 3; ++axis) {
            for (int side = 0; side < 2; ++side) {
                const std::int32_t step = 2 * side - 1;
                const Voxel beside{v.x + (axis == 0 ? step : 0), v.y + (axis == 1 ? step : 0),
                                   v.z + (axis == 2 ? step : 0)};
                if (!state.in_bounds(beside) || state.is_free(beside)) add(v, axis, side);
            }
        }
    }

    void add_brick(const VoxelBrick& brick) {
        for (std::int32_t i = 0; i < 64; ++i) {
            const Voxel v{4 * brick.x + i % 4, 4 * brick.y + i / 4 % 4, 4 * brick.z + i / 16};
            if (((brick.solid >> i) & 1) != 0 && state.in_bounds(v)) add_voxel(v);
        }
    }
};

}  // namespace

formats::TriangleFile volume_faces(const VolumeState& volume) {
    Faces faces{volume, {}};
    volume.each_brick(
        [](const VoxelBrick& brick, void* user) { static_cast<Faces*>(user)->add_brick(brick); }, &faces);
    std::vector<Voxel> places = faces.corners;
    std::sort(places.begin(), places.end(), comes_before);  // total order
    places.erase(std::unique(places.begin(), places.end()), places.end());
    formats::TriangleFile out;
    const Vec3 low = volume.origin();
    const Vec3 side = volume.voxel_size();
    for (const Voxel& p : places)
        out.vertices.push_back({low.x + p.x * side.x, low.y + p.y * side.y, low.z + p.z * side.z});
    const auto number = [&](std::size_t i) {
        const auto at = std::lower_bound(places.begin(), places.end(), faces.corners[i], comes_before);
        return static_cast<std::uint32_t>(at - places.begin());
    };
    for (std::size_t i = 0; i < faces.corners.size(); i += 4) {
        const std::uint32_t n[4] = {number(i), number(i + 1), number(i + 2), number(i + 3)};
        out.triangles.insert(out.triangles.end(), {n[0], n[1], n[2], n[0], n[2], n[3]});
    }
    out.areas.assign(out.triangles.size() / 3, 0);
    return out;
}

}  // namespace fairlead::cli
