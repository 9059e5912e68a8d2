// Meshes as tests make them: plain vectors, and generators of random ones.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/mesh/nav_mesh.h>

namespace fairlead::testing {

struct PlainMesh {
    std::vector<Vec3> vertices;
    std::vector<std::vector<std::uint32_t>> polygons;  ///< counter-clockwise
    std::vector<std::uint8_t> areas;                   ///< empty, or one for each polygon

    /// One tile of it; the spans point into what flatten() filled.
    std::vector<std::uint32_t> sizes;
    std::vector<std::uint32_t> corners;
    void flatten();
    [[nodiscard]] NavMeshTile tile() const;
    /// As a world of one tile. Must be good.
    [[nodiscard]] NavMesh make(std::uint32_t landmarks = kLandmarksMax, const Allocator& allocator = {},
                               double radius_max = 0.0);
    /// The same polygons in tiles: none may cross a border. Vertices on borders are in several tiles.
    [[nodiscard]] NavMesh make_tiled(double tile_size, std::uint32_t landmarks = kLandmarksMax,
                                     const Allocator& allocator = {}, double radius_max = 0.0);
};

struct MeshRecipe {
    std::int32_t width = 8;  ///< in cells
    std::int32_t height = 8;
    std::int32_t cell = 4;  ///< side of a cell; vertices are whole numbers
    std::uint32_t blocked_percent = 30;
    std::uint32_t split_percent = 30;  ///< of the pieces that are cut along a diagonal
    std::uint32_t join_percent = 60;   ///< of the tries to join cells to larger rectangles
    bool slanted = false;              ///< sheared, so that nothing is parallel to an axis
    std::uint32_t areas = 1;           ///< how many different ones
};

/// Cells of a random map, joined to rectangles at random and cut at random. Vertices are integers.
[[nodiscard]] PlainMesh random_mesh(Rng& rng, const MeshRecipe& recipe);

/// Up to 10 x 10 cells of any kind, of one area.
[[nodiscard]] MeshRecipe random_recipe(Rng& rng);

/// A ramp that winds `turns` times round a hole, each step a four-cornered polygon that rises by `rise`.
[[nodiscard]] PlainMesh spiral_mesh(std::int32_t steps_a_turn, std::int32_t turns, double rise);

}  // namespace fairlead::testing
