// Points of the surface: which polygon lies under a position, how high it is there, and what is nearest. All numbers
// are relative to the mesh's origin.
#pragma once

#include <cstdint>

#include <fairlead/mesh/nav_mesh.h>

#include "mesh/data/state.h"

namespace fairlead::mesh {

struct SurfacePoint {
    std::uint32_t polygon = kNone;  ///< a reference; kNone: nothing found
    Vec2 position{};                ///< exactly inside the polygon or on its boundary
    double z = 0.0;
};

/// Height of a polygon at a point of it: linear on the triangles that its first corner makes with the others.
[[nodiscard]] double height_at(const StateData& state, std::uint32_t polygon, Vec2 p);

/// The same for a polygon of one tile.
[[nodiscard]] double height_in_polygon(const TileView& view, std::uint32_t polygon, Vec2 p);

/// How high the ground is at a point of a polygon of one tile: its height field, else the polygon.
[[nodiscard]] double ground_in(const StateData& state, std::uint32_t slot, std::uint32_t polygon, Vec2 p);
[[nodiscard]] double ground_at(const StateData& state, std::uint32_t polygon, Vec2 p);
/// The same for a point near a polygon, of which only that is known.
[[nodiscard]] double ground_near(const StateData& state, std::uint32_t polygon, Vec2 p);
/// The same where a side starts.
[[nodiscard]] double ground_at_corner(const StateData& state, EdgeRef edge);

/// Is the point inside the polygon or on its boundary? Exact.
[[nodiscard]] bool contains(const StateData& state, std::uint32_t polygon, Vec2 p);

/// A point that rounding may have put outside of a polygon, inside.
[[nodiscard]] SurfacePoint settle_in(const StateData& state, std::uint32_t polygon, Vec3 position);

/// The point of a polygon that is nearest on the ground plane.
[[nodiscard]] SurfacePoint nearest_in_polygon(const StateData& state, std::uint32_t polygon, Vec2 position);

/// As NavMeshState::nearest; polygons of closed areas (a bit for each) do not count.
[[nodiscard]] SurfacePoint nearest_point(const StateData& state, Vec3 position, const MeshReach& reach,
                                         std::uint64_t closed_areas = 0);

/// Each polygon whose box meets `box`, once.
void each_polygon(const StateData& state, const Aabb& box, void (*visit)(PolygonId polygon, void* user),
                  void* user);

/// Is there a polygon with a point within reach of a position (`across`: rounding) that is accepted? Where polygons only
/// touch, a way may go on in one of them and not in the other.
[[nodiscard]] bool any_place(const StateData& state, Vec3 position, const MeshReach& reach,
                             std::uint64_t closed_areas, bool (*accept)(const SurfacePoint& at, void* user),
                             void* user);

/// Some of the components, by number: those whose stamp is `now`.
struct ComponentSet {
    const std::uint32_t* stamps = nullptr;
    std::uint32_t now = 0;
};

/// The point of some components that is nearest on the ground plane, whatever its height (ties: nearest in height).
[[nodiscard]] SurfacePoint nearest_in_component(const StateData& state, Vec3 position,
                                                const ComponentSet& among, std::uint64_t closed_areas);

}  // namespace fairlead::mesh
