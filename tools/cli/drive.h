// Units with a turning circle on tile worlds: their flags, their query, the table and the map made once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <CLI/CLI.hpp>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/grid/grid.h>

#include "cli/planner.h"
#include "cli/solve.h"
#include "cli/world.h"

namespace fairlead::cli {

/// "weighted_lattice, lattice".
inline constexpr const char* kDrivePlanners = "weighted_lattice, lattice";
[[nodiscard]] bool is_drive_planner(const std::string& name);

/// The flags that only such units have, beside those of the body.
class DriveFlags {
  public:
    void add(CLI::App& app);
    /// Fails if one was given: for units that turn on the spot.
    void refuse() const;
    /// All but start and goal.
    [[nodiscard]] DriveQuery query(const Agent& agent, const PlannerFlags& planner) const;
    [[nodiscard]] GridDriveSetup setup() const;

  private:
    std::string reverse_penalty_, cusp_penalty_;
    std::optional<int> headings_, rings_;
    CLI::App* app_ = nullptr;
};

/// A tile map and what such a unit can do on it. Shared by threads.
struct DriveWorld {
    Grid grid;
    std::unique_ptr<DriveTable> table;
    std::unique_ptr<DriveMap> map;
};
[[nodiscard]] DriveWorld load_drive_world(const WorldFlags& world, const Agent& agent,
                                          const GridDriveSetup& setup);

/// `place` is where it stands, for messages: a flag or a line of a file. Fails where the heading is left open.
[[nodiscard]] Pose drive_pose(const std::string& place, Vec2 position, std::optional<double> heading_rad);

/// Fails if there are any.
void refuse_drive_blockers(std::span<const Blocker> blockers);

/// The search alone; processor time in nanoseconds.
[[nodiscard]] Result<std::uint64_t> timed_search(const DriveMap& map, const DriveQuery& query,
                                                 Scratch& scratch, Route& route);

/// About queries; what is wrong with the unit or the table fails when they are made.
[[nodiscard]] std::string drive_error_text(const Error& error);

/// The map and the route with the ground that the body sweeps.
[[nodiscard]] std::string make_svg(const DriveWorld& world, const DriveQuery& query, const Route& route,
                                   bool y_up);

}  // namespace fairlead::cli
