// From a mesh's coordinates (relative to its origin) to cells of a lattice of poses, and back.
#pragma once

#include <cmath>

#include <fairlead/math/pose.h>
#include <fairlead/math/vec.h>

namespace fairlead::bridge {

struct MeshFrame {
    Vec2 origin{};
    double size = 1.0;  ///< of a cell
    double scale = 1.0;

    /// The lattice of all queries is the same, whole cells from the mesh's origin; numbers are small near `around`.
    [[nodiscard]] static MeshFrame around(Vec2 place, double size) {
        return {{std::floor(place.x / size) * size, std::floor(place.y / size) * size}, size, 1.0 / size};
    }
    [[nodiscard]] Vec2 in_cells(Vec2 mesh) const { return (mesh - origin) * scale; }
    [[nodiscard]] Vec2 to_mesh(Vec2 cells) const { return origin + cells * size; }
};

}  // namespace fairlead::bridge
