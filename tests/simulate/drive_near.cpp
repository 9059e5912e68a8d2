#include "simulate/drive_near.h"

#include <algorithm>
#include <cmath>

namespace fairlead::simulate {

namespace {

constexpr double kFarthest = 2.5;  // cells: of places farther from the goal only a few are asked for
constexpr int kAsked = 60;

// Is there a way to a place of the lattice, in any heading?
bool is_reached(const DriveMapState& map, const DriveQuery& asked, Vec2 place, Scratch& scratch) {
    DriveQuery query = asked;
    query.partial = query.smooth = false;
    query.expansions_max = UINT64_MAX;
    query.off_lattice_max = 0;
    query.goal = Goal::within(Spot(place).on_layer(asked.goal.at.layer), 0.01);
    if (!asked.goal.at.has_layer) query.goal = Goal::within(Spot(place), 0.01);
    Route route;
    return find_route_into(map, query, scratch, route) && route.status == PathStatus::complete;
}

}  // namespace

std::string judge_nearest(const DriveMapState& map, const DriveQuery& query, const Route& route,
                          Scratch& scratch) {
    if (!query.partial) return "status: partial, unasked";
    DriveQuery plain = query;
    plain.partial = plain.smooth = false;
    plain.expansions_max = UINT64_MAX;
    Route none;
    if (!find_route_into(map, plain, scratch, none)) return "partial: without it an error";
    if (none.status != PathStatus::goal_blocked && none.status != PathStatus::unreachable)
        return std::string("partial: without it ") + status_name(none.status);
    const Vec2 goal = query.goal.at.ground();
    const double rest = distance(ground(route.end.position), goal);
    const bool same_floor = query.start.layer == query.goal.at.layer;
    if (route.end.layer != (query.goal.at.has_layer ? query.goal.at.layer : map.options().layer))
        return "partial: it ends on another floor";
    if (same_floor && rest > distance(query.start.ground(), goal)) return "partial: it leads away";
    if (route.legs.empty() && ground(route.end.position) != query.start.ground())
        return "partial: no legs, and it ends elsewhere";
    const double reach = std::min(rest, kFarthest);
    int asked = 0;
    for (double y = std::floor(goal.y - reach); y <= goal.y + reach; y += 0.5) {
        for (double x = std::floor(goal.x - reach); x <= goal.x + reach && asked < kAsked; x += 0.5) {
            if (distance({x, y}, goal) >= rest - 1e-9) continue;
            ++asked;
            if (is_reached(map, query, {x, y}, scratch)) return "partial: a nearer place is reached";
        }
    }
    return "";
}

}  // namespace fairlead::simulate
