// MeshField: from every place of a level mesh the shortest way to one goal. Made once, asked by as many units as like: each gets its next
// corner, or its whole route, in less than a microsecond, without a search of its own. FlowField (grid/flow_field.h) is the same on tiles.
//
//     MeshField field;
//     field.begin(level->acquire(), {.goal = Vec3{40, 8, 0}, .radius = 0.6});
//     while (field.running()) field.step(2000);            // or scheduler->submit_job(field)
//     MeshFieldStep next = field.sample(unit);             // every frame: go straight to next.to
//     field.route(unit, route);                            // or the whole way, as find_route would give it
//
// What it holds. The flood of Polyanya's intervals from the goal over the whole piece of the mesh: for each polygon the corners that a way
// through it bends at next, each with the part of the polygon that sees it and the rest of the way. A place looks at those of
// its polygon and takes the one with the least way. So ways are exact: as long as find_route's, to rounding.
//
// Promises. The straight line from a place to MeshFieldStep::to lies on the surface, and the whole route() does. A unit that goes to `to`
// gets closer all the time. Same on every platform; for any slicing.
//
// For units that are no wider than the mesh was made for (NavMeshState::agent_radius()); wider ones are refused. Links are not taken: where
// a way needs one sample() says unreachable, and where one would be shorter the field does not know it; ask find_route() there. Areas
// can be
// closed; they all cost the same.
//
// Revisions. A field is of the revision that it was begun on and holds it, as a snapshot does: it must be gone, or begun anew, before the
// mesh is. After an edit compare revision() and begin anew, in slices.
//
// Cost (docs/crowds.md): filling 1 to 2 us an interval, some 5 to 10 of these a polygon; memory 150 to 200 bytes an interval. Sampling
// looks
// up the polygon and reads its intervals, 0.2 to 1 us; it allocates nothing and may be done on any thread.
//
// Source: Cui, Harabor & Grastien 2017 (Polyanya), run from the goal to its end.
#pragma once

#include <cstdint>

#include <fairlead/base/allocator.h>
#include <fairlead/base/result.h>
#include <fairlead/math/vec.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh/query.h>
#include <fairlead/route/route.h>

namespace fairlead {

struct MeshFieldQuery {
    Vec3 goal{};
    double radius = 0.0;  ///< of the units; 0 to NavMeshState::agent_radius()
    MeshReach reach{};    ///< goal and units are moved to the nearest point of the surface within it
    KindFilter areas{};   ///< closed areas; factors are refused
};

struct MeshFieldStep {
    /// complete, or unreachable (no way from here), start_blocked (no surface within reach), goal_blocked (none near the goal, or nothing
    /// was filled yet).
    PathStatus status = PathStatus::goal_blocked;
    bool last = false;       ///< `to` is the goal
    Vec3 to{};               ///< go straight there
    double remaining = 0.0;  ///< length of the whole way, on the ground plane
};

namespace mesh {
struct FieldData;  // src/mesh/query/mesh_field.cpp
}

/// A SlicedJob of the scheduler's. Move only. One that was not filled answers goal_blocked.
class MeshField {
  public:
    explicit MeshField(const Allocator& allocator = {});
    MeshField(MeshField&& other) noexcept;
    MeshField& operator=(MeshField&& other) noexcept;
    MeshField(const MeshField&) = delete;
    MeshField& operator=(const MeshField&) = delete;
    ~MeshField();

    /// Takes a goal on; what was there before is dropped, its memory is used again. Errors: not_finite, out_of_range (goal; agent_radius;
    /// reach), unsupported (areas: factors); out_of_memory.
    [[nodiscard]] Result<void> begin(const NavMeshSnapshot& mesh, const MeshFieldQuery& query);
    /// Works for so many units (an interval opened, and up to 15 that follow straight from it); the units used, at least 1 while running.
    std::uint64_t step(std::uint64_t units);
    [[nodiscard]] bool running() const;
    /// It is whole. False after step() ran out of memory.
    [[nodiscard]] bool filled() const;

    [[nodiscard]] MeshFieldStep sample(Vec3 from) const;
    /// The whole way from a place, straight legs as find_route writes them: status as sample()'s, planner "mesh_field", `bound` 1. A warm
    /// one allocates nothing. Error: out_of_memory.
    [[nodiscard]] Result<void> route(Vec3 from, Route& out) const;

    [[nodiscard]] std::uint64_t revision() const;
    [[nodiscard]] std::size_t memory() const;
    /// Of all that it holds.
    [[nodiscard]] std::uint64_t digest() const;

  private:
    Allocator allocator_;
    mesh::FieldData* data_ = nullptr;
};

}  // namespace fairlead
