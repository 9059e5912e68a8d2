// Level meshes: intervals, obstacles, radii, floors joined by stairs, tile maps.
#include <algorithm>
#include <vector>

#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh_bake/navmesh.h>
#include <fairlead/verify/verify_mesh.h>

#include "gallery/figures.h"
#include "gallery/need.h"
#include "gallery/yard.h"
#include "scenes/level.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::at_height;
using debug::Fill;
using debug::Sink;

const Aabb kYard{{-0.4, -0.4}, {26.4, 15.4}};

Row mesh_row(const std::string& label, const Route& route, const NavMeshState& mesh,
             const Agent& agent = {}) {
    Row row = row_of(label, route);
    row.legal = !verify(route, mesh, agent);
    return row;
}

Route walk(const NavMeshState& mesh, const MeshQuery& query, const SearchHooks& hooks = {}) {
    Scratch scratch;
    return need(find_route(mesh, query, scratch, hooks));
}

void draw_intervals(Canvas& canvas) {
    const NavMesh mesh = outline_mesh(yard_rings());
    const MeshQuery query{.start = {1.5, 6.5, 0}, .goal = Vec3{24.6, 7.0, 0}};
    debug::Trace trace;
    const Route route = walk(mesh, query, {.trace = trace.hook()});
    const std::size_t all = trace.events().size();
    const std::size_t ends[] = {all / 5, all / 2, all * 4 / 5, all};
    canvas.layout(
        {.columns = 2,
         .panels = {{kYard, "A fifth of the search"},
                    {kYard, "Half of it"},
                    {kYard, "Four fifths"},
                    {kYard, "All of it, and the route"}},
         .legend = {legend::wall(),
                    legend::expanded(),
                    {.text = "interval on the open list", .color = palette::kOpen, .mark = Mark::line},
                    {.text = "root: the last corner", .color = palette::kPortal, .mark = Mark::dot},
                    legend::route(),
                    legend::start(),
                    legend::goal()}});
    for (std::size_t i = 0; i < std::size(ends); ++i) {
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(mesh, sink);
            debug::draw(trace.events(), sink, {.order_end = static_cast<std::uint32_t>(ends[i])});
            if (ends[i] == all) debug::draw(route, {}, sink);
        });
        canvas.note(i, count_text(ends[i]) + " events");
    }
    canvas.row(mesh_row("any angle", route, mesh));
}

void draw_obstacles(Canvas& canvas) {
    NavMesh mesh = outline_mesh(yard_rings());
    const MeshQuery query{.start = {1.5, 6.5, 0}, .goal = Vec3{24.6, 7.0, 0}};
    const Route before = walk(mesh, query);
    const NavMeshSnapshot old = mesh.acquire();
    std::vector<MeshEdit> edits;
    std::vector<MeshObstacle> obstacles;
    const Vec2 crates[] = {{11.8, 4.2}, {12.4, 7.4}, {19.2, 6.3}, {2.2, 4.5}, {16.2, 8.3}, {24.4, 9.5}};
    for (std::size_t i = 0; i < std::size(crates); ++i) {
        const double angle = 0.5 * static_cast<double>(i);
        obstacles.push_back(i % 3 == 2 ? MeshObstacle::pillar(crates[i], 0.8, -1, 3)
                                       : MeshObstacle::box(crates[i], {1.1, 0.6}, angle, -1, 3));
        edits.push_back(MeshEdit::add(static_cast<std::int64_t>(i), obstacles.back()));
    }
    need(mesh.apply(edits));
    const Route after = walk(mesh, query);
    canvas.layout({.columns = 2,
                   .panels = {{kYard, "As it was made"}, {kYard, "Six obstacles later"}},
                   .legend = {legend::wall(),
                              {.text = "side between polygons", .color = palette::kFaint, .mark = Mark::line},
                              legend::route(),
                              {.text = "obstacle", .color = palette::kWarning, .opacity = 0.25},
                              {.text = "route before", .color = palette::kOther, .mark = Mark::dashed},
                              legend::start(),
                              legend::goal()}});
    canvas.panel(0, [&](const Sink& sink) {
        debug::draw(*old, sink, {.tint = debug::MeshTint::polygon});
        debug::draw(before, {}, sink);
    });
    canvas.panel(1, [&](const Sink& sink) {
        debug::draw(mesh, sink, {.tint = debug::MeshTint::polygon});
        debug::draw(obstacles, sink);
        debug::draw(before, {}, sink, {.color = palette::kOther, .dash = 4.0, .ends = false});
        debug::draw(after, {}, sink);
    });
    canvas.note(0, std::to_string(old->polygons()) + " polygons; length " + number_text(before.length));
    canvas.note(1,
                std::to_string(mesh.state().polygons()) + " polygons; length " + number_text(after.length));
    canvas.row(mesh_row("before", before, *old));
    canvas.row(mesh_row("after", after, mesh));
}

void draw_radii(Canvas& canvas) {
    const NavMesh mesh = outline_mesh(yard_rings(), 2.0);
    const double radii[] = {0.0, 0.6, 0.9, 1.1};
    Layout layout{.columns = 2};
    for (const double radius : radii) layout.panels.push_back({kYard, "radius " + number_text(radius)});
    layout.legend = {legend::wall(),
                     {.text = "gate: knows its gap",
                      .color = mix(palette::kOther, palette::kPaper, 0.35),
                      .mark = Mark::line},
                     legend::route(),
                     legend::body(),
                     legend::start(),
                     legend::goal()};
    canvas.layout(layout);
    for (std::size_t i = 0; i < std::size(radii); ++i) {
        const Agent agent{.radius = radii[i]};
        const Route route = walk(mesh, {.start = {1.6, 12.5, 0}, .goal = Vec3{24.5, 3.2, 0}, .agent = agent});
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(mesh, sink);
            debug::draw(route, agent, sink);
        });
        std::size_t arcs = 0;
        for (const Leg& leg : route.legs) arcs += leg.curvature != 0.0 ? 1U : 0U;
        canvas.note(i, "length " + number_text(route.length) + ", " + std::to_string(arcs) + " arcs");
        canvas.row(mesh_row("radius " + number_text(radii[i]), route, mesh, agent));
    }
}

/// The legs of a route with their middle between two heights.
Route part_of(const Route& route, double low, double high) {
    Route part;
    part.status = route.status;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const double z = 0.5 * (route.legs[i].start.position.z + leg_end(route, i).position.z);
        if (z < low || z > high) continue;
        if (!part.legs.push_back(route.legs[i])) throw DemoError{"out of memory"};
        part.end = leg_end(route, i);
    }
    return part;
}

void draw_stairs(Canvas& canvas) {
    const scenes::Level level = scenes::stair_house();
    const NavMesh mesh = need(bake::navmesh(level.soup(), {.cell_size = 0.1,
                                                           .cell_height = 0.1,
                                                           .agent_height = 1.8,
                                                           .agent_radius = 0.3,
                                                           .climb = 0.3,
                                                           .island_cells_min = 400}));
    const Route route = walk(mesh, {.start = {2, 2, 0}, .goal = Vec3{18, 2, 2 * scenes::kStorey}});
    const Aabb house{{-0.4, -0.4}, {scenes::kStairHouseWidth + 0.4, scenes::kStairHouseDepth + 0.4}};
    canvas.layout({.columns = 2,
                   .panels = {{house, "Ground floor"},
                              {house, "First floor, and the stairs that lead to it"},
                              {house, "Second floor, and the stairs that lead to it"},
                              {house, "All floors, low to high"}},
                   .legend = {legend::wall(),
                              {"height, in the last picture", palette::clearance(0.5), Mark::ramp,
                               palette::clearance(0.75), palette::clearance(1)},
                              legend::route(),
                              legend::start(),
                              legend::goal()}});
    const double lows[] = {-1.0, 0.15, scenes::kStorey + 0.15, -1.0};
    const double highs[] = {0.15, scenes::kStorey + 0.15, 9.0, 9.0};
    for (std::size_t i = 0; i < 4; ++i) {
        canvas.panel(i, [&](const Sink& sink) {
            const debug::MeshTint tint = i == 3 ? debug::MeshTint::height : debug::MeshTint::polygon;
            debug::draw(mesh, sink, {.tint = tint, .z_low = lows[i], .z_high = highs[i]});
            debug::draw(part_of(route, lows[i], highs[i]), {}, sink, {.ends = i == 3});
        });
    }
    canvas.note(3, std::to_string(mesh.state().polygons()) + " polygons; length " +
                       number_text(route.length) + ", up to z = " + number_text(route.end.position.z, 1));
    canvas.row(mesh_row("from floor to floor", route, mesh));
}

void draw_grid_mesh(Canvas& canvas) {
    const World world = canvas.world("cave");
    const GridState& grid = world.grid.state();
    const NavMesh mesh = need(make_grid_mesh(grid));
    // Of many pairs that one on which tiles do worst.
    std::vector<Vec2> places;
    for (std::int32_t i = 0; i < grid.width() * grid.height(); i += 97) {
        const Cell cell{i % grid.width(), i / grid.width(), 0};
        if (!grid.blocked(cell)) places.push_back(grid.cell_centre(cell));
    }
    Scratch scratch;
    Route tiles, route;
    double worst = 0.0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            Route among = need(find_route(grid, GridQuery{.start = places[i], .goal = places[j]}, scratch));
            Route across = need(find_route(
                mesh, MeshQuery{.start = at_height(places[i]), .goal = at_height(places[j])}, scratch));
            if (across.status != PathStatus::complete || across.length < 30.0) continue;
            if (among.length / across.length <= worst) continue;
            worst = among.length / across.length;
            tiles = std::move(among);
            route = std::move(across);
        }
    }
    const GridQuery plain{.start = ground(route.legs[0].start.position),
                          .goal = ground(route.end.position),
                          .smoothing = Smoothing::none};
    const Route stiff = need(find_route(grid, plain, scratch));
    const Aabb bounds = debug::world_bounds(grid);
    canvas.layout(
        {.columns = 1,
         .panels = {{bounds, "Tiles"}, {bounds, "The same ground as a mesh"}},
         .legend = {legend::wall(),
                    legend::route("shortest: on the mesh"),
                    {.text = "pulled taut among tiles", .color = palette::kOther, .mark = Mark::line},
                    {.text = "from tile to tile", .color = palette::kOther, .mark = Mark::dashed},
                    legend::start(),
                    legend::goal()},
         .height_max = 420});
    canvas.panel(0, [&](const Sink& sink) {
        debug::draw(grid, sink);
        debug::draw(stiff, {}, sink,
                    {.color = palette::kOther, .width = 1.5, .dash = 4.0, .waypoints = false});
        debug::draw(tiles, {}, sink, {.color = palette::kOther});
    });
    canvas.panel(1, [&](const Sink& sink) {
        debug::draw(mesh, sink, {.tint = debug::MeshTint::polygon, .wall_width = 1.4});
        debug::draw(tiles, {}, sink, {.color = palette::kOther, .ends = false});
        debug::draw(route, {}, sink);
    });
    canvas.note(0, count_text(static_cast<std::uint64_t>(grid.free_cells())) + " free cells; length " +
                       number_text(stiff.length) + ", pulled taut " + number_text(tiles.length, 3));
    canvas.note(
        1, std::to_string(mesh.state().polygons()) + " polygons; length " + number_text(route.length, 3));
    canvas.row(row_of("tiles", tiles));
    canvas.row(mesh_row("mesh", route, mesh));
}

constexpr Figure kMeshFigures[] = {
    {"mesh_intervals", "The search over intervals",
     "What a corner sees of a side is an interval. Each is opened into those behind it; where sight ends at "
     "a corner, the way may bend "
     "there, and a new root begins. The first to reach the goal is the shortest way.",
     "W4 P12", draw_intervals},
    {"mesh_obstacles", "Obstacles carved into the mesh",
     "Crates and pillars are cut out of the polygons that they touch; the rest stays. The route of before is "
     "dashed.",
     "W4", draw_obstacles},
    {"mesh_radius", "One mesh, any radius",
     "Where walls are nearest to each other, a side of polygons is the gap between them, so a query knows "
     "what it fits through. Wider "
     "units keep their distance with arcs round corners, or go another way.",
     "W4", draw_radii},
    {"mesh_stairs", "Three floors joined by stairs",
     "A house of triangles, baked in one go: stairs are steps that the climb allows, floors above each other "
     "lie apart in height.",
     "W10", draw_stairs},
    {"mesh_grid", "A tile map as a mesh",
     "The free cells as convex polygons. On them the shortest way of all angles is found, which tiles only "
     "come near.",
     "W4 S1", draw_grid_mesh},
};

}  // namespace

std::span<const Figure> mesh_figures() { return kMeshFigures; }

}  // namespace fairlead::gallery
