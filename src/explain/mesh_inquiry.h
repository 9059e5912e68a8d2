// Explanations on level meshes: what they keep, and where a unit can be.
#pragma once

#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/mesh/find_route.h>

#include "explain/inquiry.h"
#include "explain/mesh_sides.h"
#include "explain/mesh_widest.h"
#include "mesh/surface/clear_spot.h"

namespace fairlead::explaining {

struct MeshWork {
    explicit MeshWork(const Allocator& a)
        : sides(a), widest(a), flood(a), goals(a), all(a), area_factors(a), link_factors(a), inner(a) {}
    MeshSides sides;
    MeshWidest widest;
    mesh::FloodWork flood;
    Array<std::uint32_t> goals;  ///< polygons
    Array<std::uint32_t> all;    ///< polygons
    Array<double> area_factors;
    Array<double> link_factors;
    Scratch inner;
};

using MeshInquiry = InquiryOf<NavMeshState, MeshWork>;

/// Where the unit of a query is put for a position (mesh/query/search_run.cpp).
struct MeshStand {
    mesh::SurfacePoint nearest{};  ///< of the surface
    mesh::SurfacePoint at{};       ///< where it has room
    [[nodiscard]] bool on_surface() const { return nearest.polygon != mesh::kNone; }
    [[nodiscard]] bool stands() const { return at.polygon != mesh::kNone; }
};

/// False: an error, in the inquiry.
[[nodiscard]] bool find_stand(MeshInquiry& in, const MeshQuery& query, Vec3 position, MeshStand& out);

/// The radius of the largest disc around a place, at most `radius`. False: an error, in the inquiry.
[[nodiscard]] bool find_room(MeshInquiry& in, const KindFilter& areas, const mesh::SurfacePoint& at,
                             double radius, double& room);

/// Another place for an end of the query: the nearest one where the unit stands, over some polygons, as the help move_start or
/// move_goal. From the place of each polygon that is nearest the body is pushed clear of the walls. Asks for the route from or to
/// there. False: an error, in the inquiry.
[[nodiscard]] bool move_on_mesh(MeshInquiry& in, const MeshQuery& query, bool start,
                                std::span<const std::uint32_t> among);

/// All polygons, in the order of tiles. False: out of memory.
[[nodiscard]] bool list_polygons(const mesh::StateData& state, Array<std::uint32_t>& out);

/// Which areas and kinds of links that the filter closes must be opened; of a turning unit, which takes no links, which areas. False: an
/// error, in the inquiry.
template <class Query>
[[nodiscard]] bool open_mesh(MeshInquiry& in, const Query& query);
extern template bool open_mesh(MeshInquiry&, const MeshQuery&);
extern template bool open_mesh(MeshInquiry&, const MeshDriveQuery&);

/// Square world units on the ground plane.
[[nodiscard]] double ground_area(const mesh::StateData& state, std::span<const std::uint32_t> polygons);

}  // namespace fairlead::explaining
