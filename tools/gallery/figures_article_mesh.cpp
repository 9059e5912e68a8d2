// The article's figures on navigation meshes, redrawn on a yard of our own.
#include <vector>

#include <fairlead/mesh/find_route.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/verify/verify_mesh.h>

#include "gallery/figures.h"
#include "gallery/need.h"
#include "gallery/yard.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::at_height;
using debug::Fill;
using debug::Sink;
using debug::Stroke;

constexpr Vec2 kMeshFrom{1.5, 6.5};
constexpr Vec2 kMeshTo{24.6, 7.0};
const Aabb kYard{{-0.4, -0.4}, {26.4, 15.4}};

Row mesh_row(const std::string& label, const Route& route, const NavMesh& mesh) {
    Row row = row_of(label, route);
    row.legal = !verify(route, mesh, {});
    return row;
}

Route walk(const NavMesh& mesh, Vec2 from, Vec2 to, MeshPlanner planner) {
    Scratch scratch;
    return need(find_route(
        mesh, MeshQuery{.start = at_height(from), .goal = at_height(to), .planner = planner}, scratch));
}

void draw_line_of(const std::vector<Vec2>& line, const Sink& sink, const Stroke& stroke) {
    for (std::size_t i = 1; i < line.size(); ++i)
        draw_line(sink, at_height(line[i - 1]), at_height(line[i]), stroke);
}

void draw_ends(Vec2 from, Vec2 to, const Sink& sink) {
    draw_circle(sink, at_height(from), 4.5 * sink.point, Fill{palette::kInk}, debug::kNoStroke);
    draw_circle(sink, at_height(to), 6.0 * sink.point, debug::kNoFill,
                {.color = palette::kInk, .width = 2.0});
    draw_circle(sink, at_height(to), 2.5 * sink.point, Fill{palette::kInk}, debug::kNoStroke);
}

void draw_polygons(const NavMeshState& mesh, std::span<const PolygonId> polygons, const Sink& sink,
                   const Fill& fill) {
    for (const PolygonId id : polygons) {
        std::vector<Vec3> ring;
        for (std::uint32_t i = 0; i < mesh.corners(id); ++i) ring.push_back(mesh.corner(id, i));
        draw_polygon(sink, ring, fill);
    }
}

void draw_portals(std::span<const YardPortal> portals, const Sink& sink) {
    for (const YardPortal& portal : portals)
        draw_line(sink, at_height(portal.left), at_height(portal.right),
                  {.color = palette::kOther, .width = 2.2});
}

Vec2 middle_of(const NavMeshState& mesh, PolygonId id) {
    Vec2 sum{};
    for (std::uint32_t i = 0; i < mesh.corners(id); ++i) sum = sum + ground(mesh.corner(id, i));
    return sum * (1.0 / mesh.corners(id));
}

// --- Waypoints beside a mesh ------------------------------------------------------------------------------------------

Roadmap yard_roads(const std::vector<std::vector<Vec2>>& rings) {
    const Vec2 at[] = {{2, 1.5},   {2, 7},      {2, 12.5},    {6.5, 1.5},  {11.5, 0.9}, {11.5, 7.3},
                       {8.9, 8.6}, {6, 14.2},   {12.4, 13.8}, {18.8, 0.9}, {19, 6.9},   {16, 8.2},
                       {22.4, 13}, {24.6, 2.5}, {24.8, 7.4},  {22, 10.8}};
    std::vector<Waypoint> places;
    for (std::size_t i = 0; i < std::size(at); ++i)
        places.push_back({WaypointId{static_cast<std::int64_t>(i)}, at_height(at[i])});
    const int ways[][2] = {{0, 1},   {1, 2},  {0, 3},   {3, 4},   {4, 5},   {5, 6},  {2, 7},
                           {7, 8},   {6, 8},  {4, 9},   {5, 11},  {11, 10}, {9, 10}, {9, 13},
                           {13, 14}, {8, 12}, {12, 15}, {15, 14}, {10, 11}, {11, 15}};
    std::vector<WaypointEdge> edges;
    for (const auto& way : ways) edges.push_back({.from = WaypointId{way[0]}, .to = WaypointId{way[1]}});
    std::vector<Vec2> points;
    std::vector<RoadmapWall> walls;
    for (std::size_t i = 1; i < rings.size(); ++i) {
        walls.push_back(
            {static_cast<std::uint32_t>(points.size()), static_cast<std::uint32_t>(rings[i].size()), true});
        points.insert(points.end(), rings[i].begin(), rings[i].end());
    }
    walls.push_back({static_cast<std::uint32_t>(points.size()), 5, false});  // the yard's own wall
    for (std::size_t i = 0; i < 5; ++i) points.push_back(rings[0][i % 4]);
    Roadmap roads =
        need(Roadmap::make({.nodes = places, .edges = edges, .walls = walls, .wall_points = points}));
    for (const auto& way : ways) {
        if (!roads.state().walls_clear(at[way[0]], at[way[1]], 0.0)) throw DemoError{"a way through a wall"};
    }
    return roads;
}

void draw_waypoints(Canvas& canvas) {
    const auto rings = yard_rings();
    const Roadmap roads = yard_roads(rings);
    const NavMesh mesh = outline_mesh(rings);
    Scratch scratch;
    RoadmapQuery query{.start = kMeshFrom, .goal = kMeshTo, .direct = false};
    query.attach_max = 1;
    const Route by_roads = need(find_route(roads, query, scratch));
    const Route by_mesh = walk(mesh, kMeshFrom, kMeshTo, MeshPlanner::any_angle);
    canvas.layout(
        {.columns = 2,
         .panels = {{kYard, "Waypoints: places and ways"}, {kYard, "Mesh: all of the ground"}},
         .legend = {legend::wall(),
                    {.text = "way, or side between polygons", .color = palette::kFaint, .mark = Mark::line},
                    legend::route(),
                    legend::start(),
                    legend::goal()}});
    canvas.panel(0, [&](const Sink& sink) {
        debug::draw(roads, sink);
        debug::draw(by_roads, {}, sink);
    });
    canvas.panel(1, [&](const Sink& sink) {
        debug::draw(mesh, sink, {.tint = debug::MeshTint::polygon});
        debug::draw(by_mesh, {}, sink);
    });
    canvas.note(0, "16 waypoints, 20 ways; length " + number_text(by_roads.length));
    canvas.note(1,
                std::to_string(mesh.state().polygons()) + " polygons; length " + number_text(by_mesh.length));
    canvas.row(row_of("waypoints", by_roads));
    canvas.row(mesh_row("mesh", by_mesh, mesh));
}

// --- What a mesh is ------------------------------------------------------------------------------------------------------

void draw_graph(Canvas& canvas) {
    const auto rings = yard_rings();
    const NavMesh made = outline_mesh(rings);
    const NavMeshState& mesh = made.state();
    canvas.layout({.columns = 2,
                   .panels = {{kYard, "Convex polygons and their portals"},
                              {kYard, "The graph: a node a polygon, an edge a portal"}},
                   .legend = {legend::wall(),
                              {.text = "portal", .color = palette::kOther, .mark = Mark::line},
                              {.text = "node", .color = palette::kPortal, .mark = Mark::dot},
                              {.text = "edge", .color = palette::kPortal, .mark = Mark::line}}});
    std::vector<YardPortal> portals;
    for (std::uint32_t p = 0; p < mesh.polygons(); ++p) {
        const PolygonId id = mesh.polygon(p);
        for (std::uint32_t i = 0; i < mesh.corners(id); ++i) {
            if (mesh.neighbour(id, i).valid() && id < mesh.neighbour(id, i))
                portals.push_back(
                    {ground(mesh.corner(id, (i + 1) % mesh.corners(id))), ground(mesh.corner(id, i))});
        }
    }
    canvas.panel(0, [&](const Sink& sink) {
        debug::draw(mesh, sink, {.tint = debug::MeshTint::polygon, .portals = false});
        draw_portals(portals, sink);
    });
    canvas.panel(1, [&](const Sink& sink) {
        debug::draw(mesh, sink);
        for (std::uint32_t p = 0; p < mesh.polygons(); ++p) {
            const PolygonId id = mesh.polygon(p);
            for (std::uint32_t i = 0; i < mesh.corners(id); ++i) {
                const PolygonId next = mesh.neighbour(id, i);
                if (!next.valid() || next < id) continue;
                const Vec2 gate =
                    (ground(mesh.corner(id, i)) + ground(mesh.corner(id, (i + 1) % mesh.corners(id)))) * 0.5;
                const Stroke stroke{.color = palette::kPortal, .width = 1.6};
                draw_line(sink, at_height(middle_of(mesh, id)), at_height(gate), stroke);
                draw_line(sink, at_height(gate), at_height(middle_of(mesh, next)), stroke);
            }
        }
        for (std::uint32_t p = 0; p < mesh.polygons(); ++p)
            draw_circle(sink, at_height(middle_of(mesh, mesh.polygon(p))), 4.0 * sink.point,
                        Fill{palette::kPortal}, debug::kNoStroke);
    });
    canvas.note(
        0, std::to_string(mesh.polygons()) + " polygons, " + std::to_string(portals.size()) + " portals");
    canvas.row({.label = "yard",
                .note = std::to_string(mesh.polygons()) + " polygons, " + std::to_string(portals.size()) +
                        " portals"});
}

// --- From a corridor to a line -------------------------------------------------------------------------------------------

std::vector<Vec2> with_goal(std::vector<Vec2> line, Vec2 goal) {
    if (line.back() != goal) line.push_back(goal);
    return line;
}

void draw_middles(Canvas& canvas) {
    const NavMesh mesh = outline_mesh(yard_rings());
    const YardCorridor corridor = find_corridor(mesh.state(), kMeshFrom, kMeshTo);
    std::vector<Vec2> middles{kMeshFrom};
    for (const YardPortal& portal : corridor.portals) middles.push_back(portal.middle());
    middles.push_back(kMeshTo);
    std::vector<Vec2> centres{kMeshFrom};
    for (std::size_t i = 1; i + 1 < corridor.polygons.size(); ++i)
        centres.push_back(middle_of(mesh.state(), corridor.polygons[i]));
    centres.push_back(kMeshTo);
    const std::vector<Vec2> taut =
        with_goal(funnel_steps(corridor.portals, kMeshFrom, kMeshTo).back().line, kMeshTo);
    const Route ahead = walk(mesh, kMeshFrom, kMeshTo, MeshPlanner::portal_midpoints);
    canvas.layout({.columns = 2,
                   .panels = {{kYard, "From middle to middle of polygons"},
                              {kYard, "From middle to middle of portals"},
                              {kYard, "The same, with a look ahead to the last one in sight"},
                              {kYard, "The corridor pulled taut"}},
                   .legend = {legend::wall(),
                              {.text = "corridor", .color = mix(palette::kPaper, palette::kRoute, 0.2)},
                              {.text = "portal", .color = palette::kOther, .mark = Mark::line},
                              legend::route(),
                              legend::start(),
                              legend::goal()}});
    const std::vector<Vec2>* lines[] = {&centres, &middles, nullptr, &taut};
    for (std::size_t i = 0; i < 4; ++i) {
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(mesh, sink);
            draw_polygons(mesh.state(), corridor.polygons, sink, {.color = palette::kRoute, .opacity = 0.14});
            draw_portals(corridor.portals, sink);
            if (lines[i] == nullptr) {
                debug::draw(ahead, {}, sink);
            } else {
                draw_line_of(*lines[i], sink, {.color = palette::kRoute, .width = 2.5});
                draw_ends(kMeshFrom, kMeshTo, sink);
            }
        });
        const double length = lines[i] == nullptr ? ahead.length : length_of(*lines[i]);
        canvas.note(i, "length " + number_text(length));
        const char* names[] = {"polygon middles", "portal middles", "look-ahead", "funnel"};
        canvas.row({.label = names[i], .length = length});
    }
}

void draw_funnel(Canvas& canvas) {
    const NavMesh mesh = outline_mesh(yard_rings());
    const Vec2 from{1.5, 12.5}, to{24.6, 3.2};
    const YardCorridor corridor = find_corridor(mesh.state(), from, to);
    const std::vector<FunnelStep> steps = funnel_steps(corridor.portals, from, to);
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (i < 2 || steps[i].corner || (i > 0 && steps[i - 1].corner)) shown.push_back(i);
    }
    if (shown.back() + 1 != steps.size()) shown.push_back(steps.size() - 1);
    if (shown.size() > 6) shown = {shown[0], shown[1], shown[2], shown[3], shown[4], shown.back()};
    Layout layout{.columns = 2};
    for (const std::size_t i : shown) {
        const FunnelStep& step = steps[i];
        const std::string what = step.corner                     ? "a corner is found"
                                 : i + 1 == steps.size()         ? "the goal is in sight"
                                 : i == 0 || steps[i - 1].corner ? "a funnel opens"
                                                                 : "the funnel narrows";
        layout.panels.push_back(
            {kYard, "Step " + std::to_string(i + 1) + " of " + std::to_string(steps.size()) + ": " + what});
    }
    layout.legend = {
        legend::wall(),
        {.text = "portal", .color = mix(palette::kOther, palette::kPaper, 0.5), .mark = Mark::line},
        {.text = "portal looked at", .color = palette::kOther, .mark = Mark::line},
        {.text = "funnel", .color = palette::kPortal, .opacity = 0.3},
        legend::route("line so far"),
        legend::start(),
        legend::goal()};
    canvas.layout(layout);
    for (std::size_t k = 0; k < shown.size(); ++k) {
        const FunnelStep& step = steps[shown[k]];
        canvas.panel(k, [&](const Sink& sink) {
            debug::draw(mesh, sink, {.portals = false});
            draw_polygons(mesh.state(), corridor.polygons, sink, {.color = palette::kRoute, .opacity = 0.10});
            for (const YardPortal& portal : corridor.portals)
                draw_line(sink, at_height(portal.left), at_height(portal.right),
                          {.color = mix(palette::kOther, palette::kPaper, 0.5), .width = 1.2});
            const Vec3 fan[] = {at_height(step.apex), at_height(step.right), at_height(step.left)};
            draw_polygon(sink, fan, {.color = palette::kPortal, .opacity = 0.3});
            for (const Vec2 end : {step.left, step.right})
                draw_line(sink, at_height(step.apex), at_height(end),
                          {.color = palette::kPortal, .width = 1.8});
            if (step.portal < corridor.portals.size())
                draw_portals({&corridor.portals[step.portal], 1}, sink);
            std::vector<Vec2> line = step.line;
            if (shown[k] + 1 == steps.size()) line = with_goal(line, to);
            draw_line_of(line, sink, {.color = palette::kRoute, .width = 2.8});
            for (std::size_t i = 1; i < line.size(); ++i)
                draw_circle(sink, at_height(line[i]), 3.2 * sink.point, Fill{palette::kRoute},
                            debug::kNoStroke);
            draw_ends(from, to, sink);
        });
    }
    canvas.row({.label = "funnel",
                .length = length_of(with_goal(steps.back().line, to)),
                .note = std::to_string(steps.size()) + " steps"});
}

// --- The best corridor is not the one that A* finds ---------------------------------------------------------------------------

void draw_corridors(Canvas& canvas) {
    // Large rooms with their middles far out: A* over polygons goes round, the straight way is shorter.
    const NavMesh mesh =
        outline_mesh({{{0, 0}, {26, 0}, {26, 15}, {0, 15}}, {{6, 4.4}, {20, 6.2}, {20, 9.2}, {6, 8.6}}});
    Vec2 from{}, to{};
    Route longer, best;
    double worst = 0.0;
    for (int i = 0; i < 60; ++i) {
        for (int j = 0; j < 60; ++j) {
            const Vec2 a{0.5 + 0.08 * i, 3.0 + 0.15 * i}, b{20.8 + 0.08 * j, 3.0 + 0.15 * j};
            Route by_corridor = walk(mesh, a, b, MeshPlanner::corridor);
            Route by_angle = walk(mesh, a, b, MeshPlanner::any_angle);
            const double ratio = by_corridor.length / by_angle.length;
            if (ratio <= worst) continue;
            worst = ratio;
            from = a;
            to = b;
            longer = std::move(by_corridor);
            best = std::move(by_angle);
        }
    }
    canvas.layout({.columns = 2,
                   .panels = {{kYard, "A* over polygons, then the funnel"},
                              {kYard, "Over intervals of sides: the shortest"}},
                   .legend = {legend::wall(),
                              {.text = "corridor", .color = mix(palette::kPaper, palette::kRoute, 0.2)},
                              legend::route(),
                              legend::start(),
                              legend::goal()}});
    const Route* routes[] = {&longer, &best};
    for (std::size_t i = 0; i < 2; ++i) {
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(mesh, sink);
            debug::draw_corridor(mesh, *routes[i], sink);
            debug::draw(*routes[i], {}, sink);
        });
        canvas.note(i, "length " + number_text(routes[i]->length));
        canvas.row(mesh_row(i == 0 ? "corridor" : "any angle", *routes[i], mesh));
    }
}

constexpr Figure kArticleMeshFigures[] = {
    {"article_mesh_waypoints", "The article on meshes: waypoints, and a mesh of the same ground",
     "Waypoints know places and ways between them, and units walk along these. A mesh knows all of the "
     "ground: its way is "
     "as short as can be, and there is room to step aside.",
     "W1 W4", draw_waypoints},
    {"article_mesh_graph", "The article on meshes: polygons, portals and the graph",
     "The ground is cut into convex polygons: inside of one, every point can be reached in a straight line. "
     "Polygons that share a side "
     "are joined there, by a portal.",
     "W4", draw_graph},
    {"article_mesh_middles", "The article on meshes: middles, look-ahead, string pulling",
     "One corridor of polygons, and four lines through it. Through middles the way zigzags; a look ahead to "
     "the last middle in sight "
     "straightens it; pulled taut it is the shortest in this corridor. Through the middles of polygons it "
     "even leaves the ground.",
     "P9 P10", draw_middles},
    {"article_mesh_funnel", "The article on meshes: the funnel, step by step",
     "The sides of the funnel move inwards from portal to portal. Where one would pass the other, the "
     "other's end is a corner of the line, "
     "and a new funnel starts there.",
     "P10 P11", draw_funnel},
    {"article_mesh_corridor", "A corridor's shortest line is not the shortest",
     "A* over polygons measures from middle to middle and may choose the wrong side of a building; no funnel "
     "can mend that. "
     "The search over intervals measures the line itself.",
     "P12", draw_corridors},
};

}  // namespace

std::span<const Figure> article_mesh_figures() { return kArticleMeshFigures; }

}  // namespace fairlead::gallery
