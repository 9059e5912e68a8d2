// Units with a turning circle on tile worlds: their flags, their query, the table and the map made once.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/debug/trace.h>
#include <fairlead/grid/grid.h>

#include "cli/planner.h"
#include "cli/roads.h"
#include "cli/solve.h"
#include "cli/world.h"

namespace fairlead::cli {

struct DriveJob;

inline constexpr const char* kDrivePlanners = "weighted_lattice, lattice, anytime_lattice, hybrid";
[[nodiscard]] bool is_drive_planner(const std::string& name);

/// The flags that only such units have, beside those of the body.
class DriveFlags {
  public:
    void add(CLI::App& app);
    /// Fails if one was given: for units that turn on the spot.
    void refuse(bool on_mesh = false) const;
    /// Fails if the flags contradict each other.
    [[nodiscard]] DriveJob job(const Agent& agent, std::int32_t facings, const PlannerFlags& planner) const;
    [[nodiscard]] GridDriveSetup setup() const;
    [[nodiscard]] const RoadFlags& roads() const { return roads_; }
    /// --start-headings and --goal-headings, degrees turned to radians.
    [[nodiscard]] std::vector<double> start_headings() const;
    [[nodiscard]] std::vector<double> goal_headings() const;
    /// Fails if one was given: for commands that ask one query at a time.
    void refuse_heading_sets() const;
    [[nodiscard]] bool rounds_corners() const { return !corners_.empty(); }
    /// A baked table's file, or nothing.
    [[nodiscard]] const std::string& table() const { return table_; }

  private:
    [[nodiscard]] DriveQuery query(const Agent& agent, const PlannerFlags& planner) const;
    [[nodiscard]] DriveHeuristic heuristic() const;
    void read_penalties(DriveQuery& query) const;
    void refuse_search_flags(const PlannerFlags& planner, bool pivots, const char* why) const;

    std::string reverse_penalty_, cusp_penalty_, pivot_penalty_, goal_range_, corners_, table_, heuristic_;
    std::string start_headings_, goal_headings_;
    std::optional<int> headings_, rings_;
    bool every_word_ = false;
    RoadFlags roads_;
    CLI::App* app_ = nullptr;
};

/// A tile map and what such a unit can do on it. Shared by threads.
class DriveWorld {
  public:
    DriveWorld(const WorldFlags& world, const Agent& agent, const DriveFlags& flags,
               std::vector<Blocker> blockers, const DriveJob& job);

    [[nodiscard]] const Grid& grid() const { return grid_; }
    [[nodiscard]] const DriveMap& map() const { return *first_.map; }
    /// Is there a finer lattice to look at where map() has no way?
    [[nodiscard]] bool refines() const { return may_refine_; }
    /// Then: with poses at every half tile; made when it is first asked for.
    [[nodiscard]] const DriveMap& fine() const;
    [[nodiscard]] std::span<const Blocker> blockers() const { return blockers_; }
    /// Those that queries are to have; where the map's tiles are closed instead, none.
    [[nodiscard]] std::span<const Blocker> query_blockers() const {
        return setup_.map.blockers.empty() ? blockers() : std::span<const Blocker>{};
    }
    /// What tile routes run over: with --corners and --roads the roads alone, or what is off them dearer; else grid().
    [[nodiscard]] const Grid& tiles() const { return road_tiles_ ? *road_tiles_ : grid_; }

  private:
    struct Prepared {
        std::unique_ptr<DriveTable> table;
        std::unique_ptr<DriveMap> map;
    };
    [[nodiscard]] Prepared prepare(DriveTable&& table) const;
    [[nodiscard]] Prepared prepare(DriveNodes nodes) const;
    [[nodiscard]] DriveTable baked_table(const std::string& path, bool centres) const;

    std::string path_;
    Agent agent_;
    Grid grid_;
    std::vector<Blocker> blockers_;
    std::unique_ptr<RoadLayer> roads_;
    std::unique_ptr<RoadCones> cones_;
    std::optional<Grid> road_tiles_;
    GridDriveSetup setup_;
    Prepared first_;
    bool may_refine_ = false;
    mutable std::once_flag fine_made_;
    mutable Prepared fine_;
};

/// What is wrong with a unit or its moves.
[[nodiscard]] std::string table_error_text(const Error& error, const Agent& agent);

/// The map with its blockers, what the search looked at, the route with the ground that the body sweeps.
[[nodiscard]] std::string make_svg(const DriveWorld& world, const DriveQuery& query, const Route& route,
                                   const debug::Trace& trace, bool y_up);

}  // namespace fairlead::cli
