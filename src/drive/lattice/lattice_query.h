// LatticeQuery: a DriveQuery as the search over the lattice reads it: poses, sets of the lattice's headings, penalties in cells.
#pragma once

#include <cstdint>

#include <fairlead/drive/find_drive.h>

#include "drive/map/blocker_sweep.h"
#include "drive/map/map_data.h"

namespace fairlead::drive {

inline constexpr std::uint32_t kAnyHeading = UINT32_MAX;

struct LatticeQuery {
    Pose start{};  ///< world units
    Pose goal{};
    /// Headings that will do: bit i is the lattice's heading i. 0: the pose's own, exactly.
    std::uint32_t start_headings = 0;
    std::uint32_t goal_headings = 0;
    double goal_range = 0.0;  ///< > 0: any place of the lattice no farther from the goal, world units
    std::int32_t start_layer = kMapLayer;
    std::int32_t goal_layer = kMapLayer;
    double epsilon = 1.4;
    double reverse_penalty = 1.5;
    double cusp_penalty = 1.0;   ///< cells
    double pivot_penalty = 2.0;  ///< cells a radian
    std::uint64_t expansions_max = UINT64_MAX;
    DrivePlanner planner = DrivePlanner::weighted;
    DriveHeuristic heuristic = DriveHeuristic::bounds;
    OwnHeuristic own{};
    bool goal_curves = true;
    bool smooth = true;
    bool partial = false;
    std::uint64_t off_lattice_max = 0;
    const BlockerSweep* blockers = nullptr;  ///< null: none
};

/// What is said of start and goal, of queries that check_ends() accepts.
void read_ends(const DriveTable& table, const Spot& start, const Goal& goal, LatticeQuery& out);

/// Of a query that check_query() accepts.
[[nodiscard]] LatticeQuery lattice_query(const DriveTable& table, const DriveQuery& query);

/// unsupported, not_finite, out_of_range, with the field.
[[nodiscard]] Result<void> check_ends(const Spot& start, const Goal& goal);
[[nodiscard]] Result<void> check_query(const DriveQuery& query);
[[nodiscard]] Result<void> check_penalties(double reverse, double cusp, double pivot);
/// World units in cells, as dear as the search can tell: a change of gear costs at most 1000 cells, a radian on the spot 0.05 to 1000.
[[nodiscard]] double cusp_in_cells(double cusp, double cell);
[[nodiscard]] double pivot_in_cells(double pivot, double cell);
/// A position, perhaps with a heading.
[[nodiscard]] Result<void> check_spot(const Spot& spot, Field place, Field heading);
[[nodiscard]] Result<void> check_number(double value, double low, double high, Field field);

}  // namespace fairlead::drive
