// Turning units on level meshes, and a local grid over one.
#include <vector>

#include <fairlead/bridge/local_grid.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/verify/verify_mesh.h>

#include "gallery/figures.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Fill;
using debug::Sink;

const Agent kVan{.shape = BodyShape::box,
                 .length = 4.0,
                 .width = 2.0,
                 .axle_offset = 1.2,
                 .turning_radius = 3.0,
                 .can_reverse = true};

/// Two halls above each other, a ramp of two lanes with a landing half way up, pillars below.
NavMesh car_park() {
    const Vec3 corners[] = {{0, 0, 0},  {30, 0, 0},  {30, 8, 0},  {30, 16, 0}, {0, 16, 0},
                            {44, 0, 2}, {44, 8, 2},  {44, 16, 2}, {54, 0, 2},  {54, 16, 2},
                            {30, 8, 4}, {30, 16, 4}, {0, 16, 4},  {0, 0, 4},   {30, 0, 4}};
    const std::uint32_t sizes[] = {5, 4, 5, 4, 5};
    const std::uint32_t order[] = {0, 1, 2, 3, 4,  1,  5,  6,  2,  5,  8, 9,
                                   7, 6, 6, 7, 11, 10, 10, 11, 12, 13, 14};
    const NavMeshTile tile{.vertices = corners, .polygon_sizes = sizes, .polygon_corners = order};
    Result<NavMesh> mesh = NavMesh::make({.agent_radius = 0.5, .tiles = {&tile, 1}});
    if (!mesh) throw DemoError{error_text(mesh.error()).c_str()};
    const MeshEdit pillars[] = {MeshEdit::add(1, MeshObstacle::pillar({12, 8}, 1.0, -1.0, 1.5)),
                                MeshEdit::add(2, MeshObstacle::pillar({22, 5}, 1.0, -1.0, 1.5)),
                                MeshEdit::add(3, MeshObstacle::pillar({14, 11}, 1.0, 3.0, 5.5))};
    if (!mesh->apply(pillars)) throw DemoError{"pillars that cannot be put up"};
    return std::move(*mesh);
}

/// The legs that begin between two heights.
Route floor_of(const Route& route, double low, double high) {
    Route part;
    part.status = route.status;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const double z = route.legs[i].start.position.z, next = leg_end(route, i).position.z;
        if (0.5 * (z + next) < low || 0.5 * (z + next) > high) continue;
        (void)part.legs.push_back(route.legs[i]);
        part.end = leg_end(route, i);
    }
    return part;
}

Row judged_row(std::string label, const Route& route, const NavMesh& mesh) {
    Row row = row_of(std::move(label), route);
    row.legal = !verify(route, mesh, kVan);
    return row;
}

void draw_mesh_drive(Canvas& canvas) {
    const NavMesh mesh = car_park();
    Scratch scratch;
    const Result<Route> route = find_route(
        mesh, MeshDriveQuery{.start = {{5, 4, 0}, 0.0}, .goal = {{6, 12, 4}, kHalfPi}, .agent = kVan},
        scratch);
    if (!route) throw DemoError{error_text(route.error()).c_str()};
    Result<LocalGrid> window = LocalGrid::make({.cell_size = 0.4, .cells = 56});
    const MeshObstacle crate = MeshObstacle::box({14.5, 4.2}, {0.6, 0.4}, 0.5, 0.0, 1.0);
    if (!window || !window->lay(mesh, {13, 4.5, 0}, kVan) || !window->set_clutter({&crate, 1}))
        throw DemoError{"a window that cannot be laid"};
    const Result<Detour> way = find_detour(*window, *route, 0.0, scratch);
    if (!way) throw DemoError{error_text(way.error()).c_str()};

    const Aabb bounds = debug::world_bounds(mesh);
    canvas.layout({.columns = 1,
                   .panels = {{bounds, "below, and up the ramp"},
                              {bounds, "above"},
                              {bounds, "below, with a crate that only the local grid knows"}},
                   .legend = {legend::route(),
                              {.text = "cells that the grid leaves free", .color = palette::tint(0)},
                              {.text = "crate", .color = palette::kWarning},
                              legend::start(),
                              legend::goal()}});
    const debug::MeshDraw below{.z_high = 2.9}, above{.z_low = 1.5};
    canvas.panel(0, [&](const Sink& sink) {
        debug::draw(mesh, sink, below);
        debug::draw(floor_of(*route, -1.0, 2.9), kVan, sink);
    });
    canvas.panel(1, [&](const Sink& sink) {
        debug::draw(mesh, sink, above);
        debug::draw(floor_of(*route, 1.5, 9.0), kVan, sink);
    });
    canvas.panel(2, [&](const Sink& sink) {
        debug::draw(mesh, sink, below);
        std::vector<Aabb> free;
        const double size = window->options().cell_size;
        for (std::int32_t y = 0; y < window->options().cells; ++y) {
            for (std::int32_t x = 0; x < window->options().cells; ++x) {
                if (window->grid().state().tile({x, y}) == 0) continue;
                const Vec2 low = window->bounds().low + Vec2{x * size, y * size};
                free.push_back({low, low + Vec2{size, size}});
            }
        }
        draw_boxes(sink, free, 0, Fill{palette::tint(0), 0.7});
        Vec3 corners[4];
        for (int i = 0; i < 4; ++i) corners[i] = {crate.points[i].x, crate.points[i].y, 0.0};
        draw_polygon(sink, corners, Fill{palette::kWarning});
        debug::draw(floor_of(way->route, -1.0, 2.9), kVan, sink);
    });
    canvas.note(0, "length " + number_text(route->length) + " in all");
    canvas.note(2, "length " + number_text(way->route.length) + " in all");
    canvas.row(judged_row("without the crate", *route, mesh));
    canvas.row(judged_row("round the crate", way->route, mesh));
}

const Agent kBuggy{.radius = 0.6, .turning_radius = 2.0, .can_reverse = true};

constexpr std::uint8_t kSand = 5;  // an area; it is drawn in yellow

/// A field with a strip of sand across it that leaves a way round in the north.
NavMesh sandy_field() {
    const Vec3 corners[] = {{0, 0, 0},  {8, 0, 0},  {14, 0, 0}, {24, 0, 0}, {0, 9, 0},   {8, 9, 0},
                            {14, 9, 0}, {24, 9, 0}, {0, 12, 0}, {8, 12, 0}, {14, 12, 0}, {24, 12, 0}};
    const std::uint32_t sizes[] = {4, 4, 4, 4, 4, 4};
    const std::uint32_t order[] = {0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 4, 5, 9, 8, 5, 6, 10, 9, 6, 7, 11, 10};
    const std::uint8_t areas[] = {0, kSand, 0, 0, 0, 0};
    const NavMeshTile tile{
        .vertices = corners, .polygon_sizes = sizes, .polygon_corners = order, .areas = areas};
    Result<NavMesh> mesh = NavMesh::make({.agent_radius = 0.5, .tiles = {&tile, 1}});
    if (!mesh) throw DemoError{error_text(mesh.error()).c_str()};
    return std::move(*mesh);
}

void draw_mesh_drive_sand(Canvas& canvas) {
    const NavMesh mesh = sandy_field();
    Scratch scratch;
    const Aabb bounds = debug::world_bounds(mesh);
    const double prices[] = {1.0, 1.5, 4.0};
    canvas.layout({.columns = 1,
                   .panels = {{bounds, "sand costs as much as grass"},
                              {bounds, "half as much again"},
                              {bounds, "four times as much"}},
                   .legend = {legend::route(), legend::start(), legend::goal()}});
    for (std::size_t i = 0; i < 3; ++i) {
        double costs[kAreasMax];
        for (double& cost : costs) cost = 1.0;
        costs[kSand] = prices[i];
        const Result<Route> route = find_route(mesh,
                                               MeshDriveQuery{.start = {{4, 3, 0}, 0.0},
                                                              .goal = {{20, 3, 0}, 0.0},
                                                              .agent = kBuggy,
                                                              .filter = {.areas = {.factors = costs}},
                                                              .epsilon = 1.0},
                                               scratch);
        if (!route) throw DemoError{error_text(route.error()).c_str()};
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(mesh, sink);
            debug::draw(*route, kBuggy, sink);
        });
        canvas.note(i, "length " + number_text(route->length) + ", cost " + number_text(route->cost));
        Row row = row_of("sand at " + number_text(prices[i]), *route);
        row.legal = !verify(*route, mesh, kBuggy);
        canvas.row(row);
    }
}

constexpr Figure kMeshDriveFigures[] = {
    {"mesh_drive", "A van on two floors, and a crate in its way",
     "A turning unit on a level mesh: from the lower hall over a ramp and a landing to the upper one, which "
     "lies above it. Then the "
     "same way round a crate that is in a local grid laid over the mesh, and in nothing else.",
     "W4 W6 D11", draw_mesh_drive},
    {"mesh_drive_sand", "A buggy and a strip of sand",
     "Areas of a level mesh that cost more and less for a turning unit: straight through the sand, or round "
     "it where that is "
     "cheaper. The cost is the length times the area's, cut where the axle crosses its border.",
     "W4 W7", draw_mesh_drive_sand},
};

}  // namespace

std::span<const Figure> mesh_drive_figures() { return kMeshDriveFigures; }

}  // namespace fairlead::gallery
