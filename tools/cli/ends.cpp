// Start and goals of a query.

#include "cli/ends.h"

#include <cmath>

#include <fmt/format.h>

#include <fairlead/math/trig.h>

#include "cli/failure.h"
#include "cli/fly_query.h"
#include "cli/mesh_world.h"
#include "cli/places.h"
#include "cli/text.h"

namespace fairlead::cli {

void EndFlags::add(CLI::App& app) {
    app.add_option("--start", start_, "X,Y[,Z][,HEADING_DEG]; the centre of cell (3, 4) is 3.5,4.5")
        ->required();
    app.add_option("--goal", goals_, "X,Y[,Z][,HEADING_DEG]; repeated: whichever costs least")
        ->required()
        ->allow_extra_args(false);
    app.add_option("--goal-within", within_, "Anywhere no further than this from the goal")->group("Query");
    app.add_option("--goal-in-sight", in_sight_,
                   "Anywhere no further than this from the goal and in sight of it")
        ->group("Query");
    app.add_flag("--goal-adjacent", adjacent_, "In a cell next to the goal's, which may be a wall")
        ->group("Query");
}

namespace {

AskedEnd end_of_flag(const char* flag, const std::string& text) {
    const PlaceArgument place = to_place(flag, text);
    AskedEnd end{.where_height = flag, .where_heading = flag, .position = place.position, .z = place.z};
    if (place.heading_deg) end.heading_rad = math::wrap_pi(*place.heading_deg * kRadPerDeg);
    return end;
}

std::optional<double> range_of_flag(const char* flag, const std::string& text) {
    if (text.empty()) return std::nullopt;
    const double value = to_number(flag, text);
    if (value < 0.0) fail(fmt::format("{}: {} is negative", flag, text));
    return value;
}

void refuse_regions(const AskedEnds& ends) {
    if (ends.has_region()) fail("--goal-within, --goal-in-sight and --goal-adjacent are for tile worlds");
}

void refuse_several_with_heading(const AskedEnds& ends) {
    for (const AskedEnd& goal : ends.goals) {
        if (ends.goals.size() > 1 && goal.heading_rad) fail("--goal: several goals cannot have a heading");
    }
}

Goal goal_of(const AskedEnds& ends, GoalList& list) {
    refuse_several_with_heading(ends);
    list.clear();
    for (const AskedEnd& goal : ends.goals) list.emplace_back(goal.in_space());
    return list.size() > 1 ? Goal::any_of(list) : Goal(list.front());
}

}  // namespace

AskedEnds EndFlags::ends() const {
    AskedEnds ends{.start = end_of_flag("--start", start_), .adjacent = adjacent_};
    for (const std::string& goal : goals_) ends.goals.push_back(end_of_flag("--goal", goal));
    const int kinds = (goals_.size() > 1) + !within_.empty() + !in_sight_.empty() + adjacent_;
    if (kinds > 1)
        fail("several --goal, --goal-within, --goal-in-sight and --goal-adjacent exclude each other");
    ends.within = range_of_flag("--goal-within", within_);
    ends.in_sight = range_of_flag("--goal-in-sight", in_sight_);
    return ends;
}

std::int32_t to_floor(const std::string& where, std::optional<double> floor, const GridState& grid) {
    const double at = floor.value_or(0.0);
    if (at == 0.0) return 0;
    if (grid.layers() == 1)
        fail(fmt::format("{}: this world is flat; its only height is 0, not {}", where, text_of(at)));
    if (!(at > 0.0 && at < grid.layers()) || at != std::floor(at))
        fail(fmt::format("{}: the floors are 0 to {}, not {}", where, grid.layers() - 1, text_of(at)));
    return static_cast<std::int32_t>(at);
}

Vec3 to_space(const std::string& where, Vec2 position, std::optional<double> height) {
    if (!height) fail(fmt::format("{}: a place in a volume has a height too", where));
    return {position.x, position.y, *height};
}

std::pair<Vec3, Vec3> ends_in_space(const AskedEnds& ends, const char* where) {
    refuse_regions(ends);
    if (ends.goals.size() > 1) fail(fmt::format("--goal: one only in {}", where));
    const auto place = [](const AskedEnd& end) { return to_space(end.where_height, end.position, end.z); };
    const Vec3 start = place(ends.start);
    return {start, place(ends.goal())};
}

void fill(VolumeQuery& query, const AskedEnds& ends) {
    const auto [start, goal] = ends_in_space(ends, "volumes");
    query.start = start;
    query.goal = Goal(goal);
}

void fill(FlyQuery& query, const AskedEnds& ends) {
    const auto [start, goal] = ends_in_space(ends, "volumes");
    query.start = fly_spot(ends.start.where_heading, start, ends.start.heading_rad);
    query.goal = fly_spot(ends.goal().where_heading, goal, ends.goal().heading_rad);
}

void fill(RoadmapQuery& query, const AskedEnds& ends, GoalList& list) {
    refuse_regions(ends);
    query.start = ends.start.in_space();
    query.goal = goal_of(ends, list);
}

void fill(MeshQuery& query, const AskedEnds& ends, GoalList& list) {
    refuse_regions(ends);
    query.start = ends.start.in_space();
    query.goal = goal_of(ends, list);
    bool heights = ends.start.z.has_value();
    for (const AskedEnd& goal : ends.goals) heights = heights && goal.z.has_value();
    if (!heights) query.reach = any_height(query.reach);
}

void fill(GridQuery& query, const AskedEnds& ends, const GridState& grid, GoalList& list) {
    const auto floor_of = [&](const AskedEnd& end) { return to_floor(end.where_height, end.z, grid); };
    query.start = Spot(ends.start.position).on_layer(floor_of(ends.start));
    const std::int32_t floor = floor_of(ends.goal());
    list.clear();
    for (const AskedEnd& goal : ends.goals) {
        if (floor_of(goal) != floor) fail("--goal: several goals must be on one floor");
        list.emplace_back(goal.position);
    }
    refuse_several_with_heading(ends);
    const Vec2 first = ends.goal().position;
    query.goal = list.size() > 1 ? Goal::any_of(list) : Goal(first);
    if (ends.within) query.goal = Goal::within(first, *ends.within);
    if (ends.in_sight) query.goal = Goal::in_sight(first, *ends.in_sight);
    if (ends.adjacent) query.goal = Goal::adjacent(first);
    query.goal = query.goal.on_layer(floor);
}

std::pair<DriveEnd, DriveEnd> drive_ends(const AskedEnds& ends) {
    if (ends.has_region())
        fail("--goal-within, --goal-in-sight and --goal-adjacent: not for units with a --turning-radius");
    if (ends.goals.size() > 1) fail("--goal: one only for units with a --turning-radius");
    const auto end = [](const AskedEnd& of) {
        return DriveEnd{of.where_heading, of.position, of.heading_rad, of.z};
    };
    return {end(ends.start), end(ends.goal())};
}

}  // namespace fairlead::cli
