// Obstacles: upright prisms with a convex outline that are put into a level mesh, moved and taken out while the game
// runs: crates, cars, doors that are shut. The next query goes round them.
//
//     const MeshEdit put[] = {MeshEdit::add(7, MeshObstacle::box({12, 4}, {1, 0.5}, 0.3, 0.0, 2.0))};
//     Result<void> done = mesh->apply(put);
//     ...
//     const MeshEdit gone[] = {MeshEdit::remove(7)};
//
// An obstacle is cut out of every floor on which a unit would touch it: where the surface lies between `low` minus
// the height of the units that the mesh is for and `high`. The outline grows by the radius of those units first, with
// corners that are a little outside of round (8 sides to a full circle).
//
// Corners are put on a lattice that NavMesh::make chooses for the farthest coordinate of its tiles (2^-40 of
// it; files keep it). So a mesh that streams its tiles in cuts obstacles to the same bytes as another one only if both were made
// with tiles equally far out, or loaded from the same file.
#pragma once

#include <cstdint>

#include <fairlead/math/vec.h>
#include <fairlead/mesh/link.h>

namespace fairlead {

inline constexpr std::uint32_t kObstaclePointsMax = 16;

struct MeshObstacle {
    Vec2 points[kObstaclePointsMax] = {};  ///< the outline in the world, convex, either way round
    std::uint32_t count = 0;               ///< 3 to kObstaclePointsMax
    double low = 0.0;                      ///< heights in the world
    double high = 0.0;                     ///< >= low

    /// A box that faces along heading_rad; half.x is half its length along it, half.y half its width.
    [[nodiscard]] static MeshObstacle box(Vec2 centre, Vec2 half, double heading_rad, double low,
                                          double high);
    /// A round pillar, as a polygon of 8 sides around it.
    [[nodiscard]] static MeshObstacle pillar(Vec2 centre, double radius, double low, double high);
};

/// One change of a mesh. Obstacles go by numbers of the user's own, links by their own ids; the two have nothing to do with
/// each other.
struct MeshEdit {
    enum class Kind : std::uint8_t { add, move, remove, add_link, change_link, remove_link };

    Kind kind = Kind::add;
    std::int64_t id = 0;
    MeshObstacle obstacle{};
    MeshLink link{};

    /// Errors: duplicate_id, and those of the outline.
    [[nodiscard]] static MeshEdit add(std::int64_t id, const MeshObstacle& obstacle) {
        return {Kind::add, id, obstacle, {}};
    }
    /// To another place or shape. Errors: unknown_id, and those of the outline.
    [[nodiscard]] static MeshEdit move(std::int64_t id, const MeshObstacle& obstacle) {
        return {Kind::move, id, obstacle, {}};
    }
    /// Errors: unknown_id.
    [[nodiscard]] static MeshEdit remove(std::int64_t id) { return {Kind::remove, id, {}, {}}; }

    /// Errors: duplicate_id, not_finite and out_of_range (a number of the link). A link whose ends are off the surface is
    /// taken, and sleeps.
    [[nodiscard]] static MeshEdit add_link(const MeshLink& link) {
        return {Kind::add_link, link.id, {}, link};
    }
    /// The link of that id becomes this one. Errors: unknown_id, not_finite, out_of_range.
    [[nodiscard]] static MeshEdit change_link(const MeshLink& link) {
        return {Kind::change_link, link.id, {}, link};
    }
    /// Errors: unknown_id.
    [[nodiscard]] static MeshEdit remove_link(std::uint32_t id) { return {Kind::remove_link, id, {}, {}}; }
};

}  // namespace fairlead
