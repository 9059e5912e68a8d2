#include "simulate/mesh_surface.h"

#include <algorithm>
#include <cmath>

#include <fairlead/mesh/surface.h>

#include "simulate/mesh_ask.h"

namespace fairlead::simulate {

std::string judge_surface(const Step& step, const NavMeshState& state, Scratch& scratch) {
    const std::vector<double> at = step.numbers("at");
    const std::vector<double> goal = step.numbers("to");
    const Vec3 from{item(at, 0), item(at, 1), item(at, 2)};
    const Vec2 to{item(goal, 0), item(goal, 1)};
    const double reach = step.number("reach");
    MeshAsk ask = mesh_ask_of(step);
    const MeshFilter& filter = ask.bind().filter;
    long seen = 0;
    if (std::isfinite(from.x) && std::isfinite(from.y) && reach >= 0) {
        const Vec2 size{reach, reach};
        state.each_polygon(
            {ground(from) - size, ground(from) + size},
            [](PolygonId, void* user) { ++*static_cast<long*>(user); }, &seen);
        if (seen > state.polygons()) return "surface: a polygon is told of twice";
    }
    if (!(reach >= 0) || !std::isfinite(from.x) || !std::isfinite(from.y) || !std::isfinite(from.z))
        return "";
    const MeshPoint point = state.nearest(from, {.across = reach});
    if (!point.polygon.valid()) return "";
    const double off = std::hypot(point.position.x - from.x, point.position.y - from.y);
    if (off > reach * (1 + 1e-9) + 1e-9) return "surface: nearest is not within reach";
    for (const Vec2 target : {to, Vec2{item(goal, 1), item(goal, 0)}}) {
        const MeshHit hit = cast_ray(state, point, target, filter);
        if (!state.valid(hit.end.polygon)) return "surface: a ray ends nowhere";
        const Result<MeshPoint> moved = move_along(state, point, target, scratch, filter);
        if (moved && !state.valid(moved->polygon)) return "surface: a move ends nowhere";
        if (!moved && std::isfinite(target.x) && std::isfinite(target.y))
            return "surface: a move is an error";
    }
    const Result<MeshWall> wall = find_wall(state, point, reach, scratch, filter);
    if (!wall) return "surface: find_wall is an error";
    if (!(wall->distance >= 0) || wall->distance > reach) return "surface: a wall beyond reach";
    Array<MeshDistance> within;
    const Result<void> found = find_within_into(state, point, reach, scratch, within, filter);
    if (!found && good_filter(filter)) return "surface: find_within_into is an error";
    for (std::size_t i = 1; i < within.size(); ++i) {
        if (within[i].distance < within[i - 1].distance - 1e-9 * (1 + within[i].distance))
            return "surface: distances are not in order";
    }
    return "";
}

}  // namespace fairlead::simulate
