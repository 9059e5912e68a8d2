// Goal regions and temporary blockers.

#include "cli/extras.h"

#include <cmath>

#include <fmt/format.h>

#include <fairlead/math/trig.h>

#include "cli/drive.h"
#include "cli/failure.h"
#include "cli/fly_query.h"
#include "cli/places.h"
#include "cli/text.h"

namespace fairlead::cli {

void BlockerFlags::add(CLI::App& app) {
    app.add_option("--blocker", texts_,
                   "Something in the way: X,Y,R (a disc) or X0,Y0,X1,Y1 (a box); may be repeated")
        ->group("Query")
        ->allow_extra_args(false);
}

std::vector<Blocker> BlockerFlags::blockers() const {
    std::vector<Blocker> blockers;
    for (const std::string& text : texts_) {
        std::vector<double> n;
        for (const auto& number : to_numbers("--blocker", text)) {
            if (number) n.push_back(*number);
        }
        Blocker blocker;
        if (n.size() == 3 && n[2] > 0) {
            blocker.centre = {n[0], n[1]};
            blocker.radius = n[2];
        } else if (n.size() == 4 && n[0] < n[2] && n[1] < n[3]) {
            blocker.box = {{n[0], n[1]}, {n[2], n[3]}};
        } else {
            fail(fmt::format("--blocker: \"{}\" is neither X,Y,R nor X0,Y0,X1,Y1 with X0 < X1, Y0 < Y1",
                             text));
        }
        blockers.push_back(blocker);
    }
    return blockers;
}

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

Vec3 EndFlags::place_in_space(const char* flag, const std::string& text,
                              std::optional<double>& heading_rad) const {
    const PlaceArgument place = to_place(flag, text);
    if (place.heading_deg) heading_rad = math::wrap_pi(*place.heading_deg * kRadPerDeg);
    return {place.position.x, place.position.y, place.z.value_or(0.0)};
}

Vec2 EndFlags::place(const char* flag, const std::string& text, std::optional<double>& heading_rad) const {
    return ground(place_in_space(flag, text, heading_rad));
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

void EndFlags::refuse_regions() const {
    if (!within_.empty() || !in_sight_.empty() || adjacent_)
        fail("--goal-within, --goal-in-sight and --goal-adjacent are for tile worlds");
}

std::pair<Vec3, Vec3> EndFlags::in_space(const char* where) {
    refuse_regions();
    if (goals_.size() > 1) fail(fmt::format("--goal: one only in {}", where));
    const auto end = [](const char* flag, const std::string& text, std::optional<double>& heading_rad) {
        const PlaceArgument place = to_place(flag, text);
        if (place.heading_deg) heading_rad = math::wrap_pi(*place.heading_deg * kRadPerDeg);
        return to_space(flag, place.position, place.z);
    };
    const Vec3 start = end("--start", start_, headings_.start_rad);
    return {start, end("--goal", goals_.front(), headings_.goal_rad)};
}

void EndFlags::fill(VolumeQuery& query) {
    const auto [start, goal] = in_space("volumes");
    query.start = start;
    query.goal = Goal(goal);
}

void EndFlags::fill(FlyQuery& query) {
    const auto [start, goal] = in_space("volumes");
    query.start = fly_spot("--start", start, headings_.start_rad);
    query.goal = fly_spot("--goal", goal, headings_.goal_rad);
}

void EndFlags::fill(RoadmapQuery& query) {
    refuse_regions();
    query.start = place_in_space("--start", start_, headings_.start_rad);
    places_.clear();
    for (const std::string& goal : goals_)
        places_.push_back(place_in_space("--goal", goal, headings_.goal_rad));
    if (goals_.size() > 1 && headings_.goal_rad) fail("--goal: several goals cannot have a heading");
    query.goal = places_.size() > 1 ? Goal::any_of(places_) : Goal(places_.front());
}

void EndFlags::fill(MeshQuery& query, bool& heights) {
    refuse_regions();
    heights = to_place("--start", start_).z.has_value();
    query.start = place_in_space("--start", start_, headings_.start_rad);
    mesh_goals_.clear();
    for (const std::string& goal : goals_) {
        heights = heights && to_place("--goal", goal).z.has_value();
        mesh_goals_.push_back(place_in_space("--goal", goal, headings_.goal_rad));
    }
    if (goals_.size() > 1 && headings_.goal_rad) fail("--goal: several goals cannot have a heading");
    query.goal = mesh_goals_.size() > 1 ? Goal::any_of(mesh_goals_) : Goal(mesh_goals_.front());
}

void EndFlags::fill(GridQuery& query, const GridState& grid) {
    query.start = Spot(place("--start", start_, headings_.start_rad))
                      .on_layer(to_floor("--start", to_place("--start", start_).z, grid));
    const std::int32_t floor = to_floor("--goal", to_place("--goal", goals_.front()).z, grid);
    for (const std::string& goal : goals_) {
        if (to_floor("--goal", to_place("--goal", goal).z, grid) != floor)
            fail("--goal: several goals must be on one floor");
    }
    points_.clear();
    for (const std::string& goal : goals_) points_.push_back(place("--goal", goal, headings_.goal_rad));
    if (goals_.size() > 1 && headings_.goal_rad) fail("--goal: several goals cannot have a heading");
    fill_goal(query, points_.front());
    query.goal = query.goal.on_layer(floor);
}

std::pair<DriveEnd, DriveEnd> EndFlags::drive_ends() {
    if (!within_.empty() || !in_sight_.empty() || adjacent_)
        fail("--goal-within, --goal-in-sight and --goal-adjacent: not for units with a --turning-radius");
    if (goals_.size() > 1) fail("--goal: one only for units with a --turning-radius");
    const Vec2 start = place("--start", start_, headings_.start_rad);
    const Vec2 goal = place("--goal", goals_.front(), headings_.goal_rad);
    return {{"--start", start, headings_.start_rad, to_place("--start", start_).z},
            {"--goal", goal, headings_.goal_rad, to_place("--goal", goals_.front()).z}};
}

void EndFlags::fill_goal(GridQuery& query, Vec2 first) const {
    const int kinds = (points_.size() > 1) + !within_.empty() + !in_sight_.empty() + adjacent_;
    if (kinds > 1)
        fail("several --goal, --goal-within, --goal-in-sight and --goal-adjacent exclude each other");
    query.goal = first;
    if (points_.size() > 1) query.goal = Goal::any_of(points_);
    const auto range = [](const char* flag, const std::string& text) {
        const double value = to_number(flag, text);
        if (value < 0.0) fail(fmt::format("{}: {} is negative", flag, text));
        return value;
    };
    if (!within_.empty()) query.goal = Goal::within(first, range("--goal-within", within_));
    if (!in_sight_.empty()) query.goal = Goal::in_sight(first, range("--goal-in-sight", in_sight_));
    if (adjacent_) query.goal = Goal::adjacent(first);
}

}  // namespace fairlead::cli
