// fairlead planners: what there is to choose from.

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/grid/query.h>
#include <fairlead/mesh/query.h>
#include <fairlead/volume/query.h>

#include "cli/commands.h"

namespace fairlead::cli {

namespace {

struct PlannerRow {
    GridPlanner planner;
    const char* what;
    const char* bound;  ///< on the cost of the tile route, against the planner's stated problem
    const char* needs;
};

constexpr PlannerRow kRows[] = {
    {GridPlanner::automatic,
     "jump_point where it can serve, else bucket_astar; with --turning-radius weighted_lattice", "1", ""},
    {GridPlanner::jump_point,
     "jump-point search by block scans (Harabor, Grastien 2014); fastest on open maps", "1",
     "uniform cost, 8 neighbours, one goal, corner rule never, no blockers"},
    {GridPlanner::bucket_astar, "A* with a bucketed open list; fastest on terrain costs and with filters",
     "1", ""},
    {GridPlanner::astar, "A*, the textbook form, with --heuristic (Hart, Nilsson, Raphael 1968)", "1", ""},
    {GridPlanner::dijkstra, "no heuristic (Dijkstra 1959)", "1", ""},
    {GridPlanner::bidirectional, "A* from both ends", "1", "goal points, not a region"},
    {GridPlanner::weighted_astar, "A* that trusts its heuristic --epsilon times (Pohl 1970)", "epsilon", ""},
    {GridPlanner::anytime,
     "a first route at once, better ones while the --budget lasts (ARA*, Likhachev 2003)",
     "stated in each route", ""},
    {GridPlanner::greedy_best_first, "follows the distance to the goal alone; for demonstration", "none", ""},
    {GridPlanner::turn_penalty, "A* on (cell, heading) with a price on turns, --turn-penalty", "1",
     "fewer than 2^29 cells"},
    {GridPlanner::fixed_window, "the 60 x 60 window engine of the articles; grows unless --no-grow",
     "1.0057 where nothing outside the window can be shorter, else none", "walls and one goal only"},
    {GridPlanner::hierarchy,
     "over clusters of 64, 256 and 1024 cells, pulled taut; fastest far across large maps", "none",
     "uniform cost, 8 neighbours, one goal, corner rule never, no blockers or portals"},
};
static_assert(sizeof kRows / sizeof kRows[0] == static_cast<std::size_t>(GridPlanner::count_));

struct DriveRow {
    const char* name;
    const char* what;
    const char* bound;
    const char* needs;
};

constexpr const char* kTurns = "--turning-radius above 0";

// With --turning-radius; `auto` is the first.
constexpr DriveRow kDriveRows[] = {
    {"weighted_lattice",
     "turning units: at most --epsilon times the cheapest way on the lattice, many times as fast", "epsilon",
     kTurns},
    {"lattice", "turning units: the cheapest way on the lattice of poses, ends included", "1", kTurns},
    {"anytime_lattice", "turning units: a first route with --epsilon, better ones while the --budget lasts",
     "stated in each route", kTurns},
    {"hybrid", "turning units: along the tile route from both ends, the lattice search between (Pinter 2001)",
     "none", "--turning-radius above 0, headings at start and goal"},
    {"weighted_timed",
     "turning units: the least time, speed in the search's state; at most --epsilon (2) times it", "epsilon",
     "--turning-radius above 0, --speed; `route` only"},
    {"timed_lattice", "turning units: the quickest way on the lattice of poses and speeds", "1",
     "--turning-radius above 0, --speed; `route` only"},
};

struct WorldRow {
    const char* what;
    const char* bound;
};

// What is known of a planner on level meshes; the names are the library's.
WorldRow mesh_row(MeshPlanner planner) {
    if (planner == MeshPlanner::any_angle)
        return {
            "level meshes (`auto` there): the shortest way on the surface, seen from above (Polyanya; Cui, "
            "Harabor, "
            "Grastien 2017)",
            "1"};
    if (planner == MeshPlanner::corridor)
        return {"level meshes: A* over polygons, then the shortest line through that corridor (funnel)",
                "stated in each route"};
    if (planner == MeshPlanner::portal_midpoints)
        return {"level meshes: A* over polygons, then the middles of their sides, skipping those in sight",
                "stated in each route"};
    return {"level meshes", "stated in each route"};
}

// And in volumes.
WorldRow volume_row(VolumePlanner planner) {
    if (planner == VolumePlanner::any_angle)
        return {
            "volumes (`auto` there): straight lines through space, at any angle, pulled taut (Lazy Theta*; "
            "Nash, Koenig, Tovey 2010)",
            "none"};
    if (planner == VolumePlanner::astar)
        return {
            "volumes: the shortest way from voxel to voxel, --neighbours 26, 18 or 6 (astar26 is the first); "
            "the reference (Hart, Nilsson, Raphael 1968)",
            "1"};
    if (planner == VolumePlanner::dijkstra)
        return {"volumes: the same without a heuristic (Dijkstra 1959)", "1"};
    if (planner == VolumePlanner::greedy_best_first)
        return {"volumes: follows the distance to the goal alone; for demonstration", "none"};
    return {"volumes", "stated in each route"};
}

constexpr const char* kFly = "fly";
// In volumes, with --turning-radius.
constexpr WorldRow kFlyRow{
    "volumes, with --turning-radius above 0 (`auto` there): curves that climb, from both ends (Dubins "
    "airplane)",
    "none"};

// Of every planner there: show(name, row).
template <class Planner, class Show>
void each_row(WorldRow (*row)(Planner), const Show& show) {
    for (int i = 0; i < static_cast<int>(Planner::count_); ++i) {
        const auto planner = static_cast<Planner>(i);
        show(planner_name(planner), row(planner));
    }
}

void print_table() {
    for (const PlannerRow& row : kRows) {
        fmt::print("{:18} bound {}\n    {}\n", planner_name(row.planner), row.bound, row.what);
        if (row.needs[0] != '\0') fmt::print("    needs {}\n", row.needs);
    }
    for (const DriveRow& row : kDriveRows)
        fmt::print("{:18} bound {}\n    {}\n    needs {}\n", row.name, row.bound, row.what, row.needs);
    const auto show = [](const char* name, const WorldRow& row) {
        fmt::print("{:18} bound {}\n    {}\n", name, row.bound, row.what);
    };
    each_row(mesh_row, show);
    each_row(volume_row, show);
    show(kFly, kFlyRow);
}

void print_json() {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const PlannerRow& row : kRows) {
        list.push_back({{"name", planner_name(row.planner)},
                        {"world", "tiles"},
                        {"what", row.what},
                        {"bound", row.bound},
                        {"needs", row.needs}});
    }
    for (const DriveRow& row : kDriveRows) {
        list.push_back({{"name", row.name},
                        {"world", "tiles"},
                        {"what", row.what},
                        {"bound", row.bound},
                        {"needs", row.needs}});
    }
    const auto add = [&](const char* world) {
        return [&list, world](const char* name, const WorldRow& row) {
            list.push_back(
                {{"name", name}, {"world", world}, {"what", row.what}, {"bound", row.bound}, {"needs", ""}});
        };
    };
    each_row(mesh_row, add("meshes"));
    each_row(volume_row, add("volumes"));
    add("volumes")(kFly, kFlyRow);
    fmt::print("{}\n", list.dump(2));
}

}  // namespace

void add_planners(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("planners", "List the planners");
    const auto json = std::make_shared<bool>(false);
    sub->add_flag("--json", *json, "For machines");
    sub->callback([json, &status] {
        *json ? print_json() : print_table();
        status = kDone;
    });
}

}  // namespace fairlead::cli
