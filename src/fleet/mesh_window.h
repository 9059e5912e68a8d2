// The part of a level mesh in which a knot of vehicles is planned: the cells of a sheet that lie wholly on the surface.
//
// Bodies. The mesh ends its margin (agent_radius) before the walls. What is compared with the cells is what a body has beyond that (its
// core); the rest stands out over the cells by at most the margin. So the cells end a margin within the window's area, and discs come onto
// the window's ground where they come nearer to a cell than that.
//
// Floors. Cells hang together with the places for which the window was opened. What is farther above or below all cells near it than a
// unit is high is on another floor.
#pragma once

#include <span>

#include <fairlead/base/result.h>
#include <fairlead/drive/drive_map.h>
#include <fairlead/fleet/fleet.h>
#include <fairlead/mesh/nav_mesh.h>

#include "bridge/sheet_cells.h"

namespace fairlead::fleet {

/// What of a body is compared with a mesh's surface, as a body of its own.
[[nodiscard]] Agent core_of(const Agent& agent, double margin);
/// How far the rest stands out.
[[nodiscard]] double beyond_core(const Agent& agent, double margin);

class MeshWindow {
  public:
    explicit MeshWindow(const Allocator& allocator)
        : allocator_(allocator),
          cells_(allocator),
          heights_(allocator),
          stand_(allocator),
          sweep_(allocator) {}

    /// Errors: size_zero, size_limit, out_of_memory.
    [[nodiscard]] Result<void> open(const NavMeshSnapshot& mesh, const FleetWindow& window);
    [[nodiscard]] bool touches(const Place& at, double radius) const;
    /// May bodies in one meet bodies in the other?
    [[nodiscard]] bool overlaps(const MeshWindow& other) const;
    /// `table`: of the agent's core.
    [[nodiscard]] Result<DriveMap> map(const DriveTable& table, const Agent& agent,
                                       std::span<const Blocker> walls) const;
    /// As ConvoyGround::is_free.
    [[nodiscard]] bool is_free(const Agent& agent, const Pose& from, double radius, const CurveWord& word);
    void drop();

  private:
    [[nodiscard]] Result<void> lay(bridge::SheetCells& cells, double cell_size) const;
    [[nodiscard]] bool seed(bridge::SheetCells& cells, const Place& at) const;
    [[nodiscard]] bool near_cell(Vec2 at, double reach, double z) const;
    [[nodiscard]] bool keeps_near(const Agent& agent, const Pose& from, double radius,
                                  const CurveWord& word) const;
    /// Under a place of which only that is known. mesh::kNone: nothing.
    [[nodiscard]] std::uint32_t surface_under(Vec2 at) const;

    Allocator allocator_;
    NavMeshSnapshot mesh_{};
    Aabb area_{};
    std::int32_t layer_ = 0;
    double height_ = 0.0;
    bridge::SheetCells cells_;
    Array<double> heights_;  ///< of the surface in the middle of a cell
    Array<Place> stand_;
    bridge::MeshSweep sweep_;
};

}  // namespace fairlead::fleet
