#include "gallery/naive_curves.h"

#include <fairlead/curve/relaxed.h>
#include <fairlead/formats/file.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/math/swept.h>

namespace fairlead::gallery {

namespace palette = debug::palette;
using debug::Sink;

namespace {

[[nodiscard]] Route straight_route(const World& world, const formats::SceneQuery& query) {
    GridQuery plain = query.grid_query();
    plain.agent = Agent{.radius = plain.agent.radius};
    plain.smoothing = Smoothing::greedy_shortcut;  // the article's; see find_waypoints
    Scratch scratch;
    Result<Route> route = find_route(world.grid.state(), plain, scratch);
    if (!route) throw DemoError{formats::error_line(world.scene.title, route.error())};
    return std::move(*route);
}

[[nodiscard]] bool overlapped(const Route& route, double radius, const Aabb& tile) {
    for (double at = 0.0; at <= route.length; at += 0.02) {
        const Vec2 p = ground(place_on_route(route, at).position);
        if (math::penetration_disc_box(p, p, radius, tile) > 1e-6) return true;
    }
    return false;
}

}  // namespace

NaiveCurves make_naive_curves(const World& world, const formats::SceneQuery& query) {
    NaiveCurves out;
    const DriveQuery drive = drive_query(query);
    const double turn = drive.agent.turning_radius;
    out.straight = straight_route(world, query);
    Pose at = drive.start.pose();
    out.curved.status = PathStatus::complete;
    out.curved.planner = "curve";
    for (std::size_t i = 0; i < out.straight.legs.size(); ++i) {
        const Vec2 to = ground(leg_end(out.straight, i).position);
        const CurveWord word = shortest_to_point(at, to, turn);
        if (!append_legs(word, at, turn, 0, out.curved.legs, at)) throw DemoError{"out of memory"};
        out.curved.length += word.length * turn;
    }
    out.curved.end = {{at.position.x, at.position.y, 0.0}, at.heading_rad, 0};
    out.clipped = clipped_tiles(world, out.curved, drive.agent.radius);
    return out;
}

std::vector<Aabb> clipped_tiles(const World& world, const Route& route, double radius) {
    std::vector<Aabb> clipped;
    const GridState& grid = world.grid.state();
    for (std::int32_t y = 0; y < grid.height(); ++y) {
        for (std::int32_t x = 0; x < grid.width(); ++x) {
            const Aabb tile{{static_cast<double>(x), static_cast<double>(y)}, {x + 1.0, y + 1.0}};
            if (grid.tile({x, y}) == 0 && overlapped(route, radius, tile)) clipped.push_back(tile);
        }
    }
    return clipped;
}

void draw_naive_curves(const World& world, const NaiveCurves& curves, const Agent& agent, const Sink& sink) {
    debug::draw(world.grid.state(), sink);
    debug::draw_boxes(sink, curves.clipped, 0.0, {palette::kWarning, 0.75});
    debug::draw(curves.straight, Agent{}, sink,
                {.color = palette::kFaint, .width = 1.6, .dash = 4.0, .body = false, .ends = false});
    debug::draw_drive(curves.curved, agent, sink, {.bodies = false});
}

}  // namespace fairlead::gallery
