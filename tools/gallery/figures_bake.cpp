// The stages of a bake, from triangles to polygons.
#include <algorithm>
#include <vector>

#include <fairlead/bake_debug/bake_record.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "gallery/figures.h"
#include "gallery/need.h"
#include "scenes/level.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using bake::BakeStage;
using debug::Color;
using debug::Fill;
using debug::Sink;

const Aabb kFloor{{-0.3, -0.3}, {24.3, 16.3}};

bake::BakeOptions workshop_options(debug::BakeRecord& record) {
    return {.cell_size = 0.2,
            .cell_height = 0.1,
            .agent_height = 1.8,
            .agent_radius = 0.4,
            .climb = 0.3,
            .stages = record.hook()};
}

/// Triangles seen from above, low ones first: pale if they can be walked on by their slope.
void draw_soup(const scenes::Level& level, const Sink& sink) {
    const debug::Group group{sink, "triangles"};
    std::vector<std::size_t> order(level.triangles.size() / 3);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto top = [&](std::size_t t) {
        double z = -1e9;
        for (std::size_t k = 0; k < 3; ++k) z = std::max(z, level.vertices[level.triangles[3 * t + k]].z);
        return z;
    };
    const auto lower = [&](std::size_t a, std::size_t b) {
        return top(a) != top(b) ? top(a) < top(b) : a < b;
    };
    std::sort(order.begin(), order.end(), lower);  // total order
    for (const std::size_t t : order) {
        Vec3 p[3];
        for (std::size_t k = 0; k < 3; ++k) p[k] = level.vertices[level.triangles[3 * t + k]];
        const Vec3 u = p[1] - p[0], v = p[2] - p[0];
        const double up = u.x * v.y - u.y * v.x;
        if (up <= 1e-9) continue;
        const double slope_x = u.y * v.z - u.z * v.y, slope_y = u.z * v.x - u.x * v.z;
        const bool steep = up * up < slope_x * slope_x + slope_y * slope_y;
        const Color low = steep ? palette::kOther : debug::rgb(0xf1f6ee),
                    high = steep ? palette::kWall : debug::rgb(0x3f7f74);
        draw_polygon(sink, p, Fill{mix(low, high, std::min(1.0, top(t) / 4.0))});
        for (std::size_t k = 0; k < 3; ++k)
            draw_line(sink, p[k], p[(k + 1) % 3],
                      {.color = mix(palette::kWall, palette::kPaper, 0.4), .width = 0.6});
    }
}

void draw_stages(Canvas& canvas) {
    const scenes::Level level = scenes::workshop();
    debug::BakeRecord record;
    const bake::BakeOptions options = workshop_options(record);
    const bake::BakedMesh baked = need(bake::bake_mesh(level.soup(), options));
    const NavMesh mesh = need(bake::navmesh_of(baked, options));
    canvas.layout(
        {.columns = 2,
         .panels = {{kFloor, "1  Triangles"},
                    {kFloor, "2  Solid columns, by the height of their tops"},
                    {kFloor, "3  Where a walker fits, by the distance to walls"},
                    {kFloor, "4  What the radius leaves"},
                    {kFloor, "5  Layers: none lies over itself"},
                    {kFloor, "6  Borders of cells"},
                    {kFloor, "7  Borders straightened"},
                    {kFloor, "8  Convex polygons, by height"}},
         .legend = {{"height", debug::rgb(0xf1f6ee), Mark::ramp,
                     mix(debug::rgb(0xf1f6ee), debug::rgb(0x3f7f74), 0.5), debug::rgb(0x3f7f74)},
                    {"distance to walls, up to 3", mix(palette::kOther, palette::clearance(0), 0.45),
                     Mark::ramp, palette::clearance(0.5), palette::clearance(1)},
                    {.text = "wall or drop", .color = palette::kWall, .mark = Mark::line},
                    {.text = "border one can step over", .color = palette::kOther, .mark = Mark::line},
                    {.text = "vertex", .color = palette::kRoute, .mark = Mark::dot}}});
    canvas.panel(0, [&](const Sink& sink) { draw_soup(level, sink); });
    const BakeStage stages[] = {BakeStage::solid,  BakeStage::floors,  BakeStage::eroded,
                                BakeStage::layers, BakeStage::borders, BakeStage::straightened};
    std::size_t cells[static_cast<std::size_t>(BakeStage::count_)] = {};
    std::size_t lines[static_cast<std::size_t>(BakeStage::count_)] = {};
    for (const bake::StageCell& cell : record.cells()) ++cells[static_cast<std::size_t>(cell.stage)];
    for (const bake::StageLine& line : record.lines()) ++lines[static_cast<std::size_t>(line.stage)];
    for (std::size_t i = 0; i < std::size(stages); ++i) {
        canvas.panel(i + 1, [&](const Sink& sink) { debug::draw(record, stages[i], sink); });
        const auto stage = static_cast<std::size_t>(stages[i]);
        const std::string what = cells[stage] > 0
                                     ? count_text(cells[stage]) + (i == 0 ? " spans" : " floors of cells")
                                     : count_text(lines[stage]) + " sides";
        canvas.note(i + 1, what);
        canvas.row({.label = bake::stage_name(stages[i]), .note = what});
    }
    canvas.panel(7, [&](const Sink& sink) {
        debug::draw(mesh, sink, {.tint = debug::MeshTint::height, .ground = false});
    });
    canvas.note(0, count_text(level.triangles.size() / 3) + " triangles");
    canvas.note(7, count_text(mesh.state().polygons()) + " polygons");
    canvas.row({.label = "polygons", .note = count_text(mesh.state().polygons())});
}

void draw_cut(Canvas& canvas) {
    const scenes::Level level = scenes::workshop();
    debug::BakeRecord record;
    (void)need(bake::bake_mesh(level.soup(), workshop_options(record)));
    const std::int32_t rows[] = {66, 37};
    Layout layout{.columns = 1};
    for (const std::int32_t row : rows) {
        Aabb box = section_bounds(record, row);
        box.low = box.low - Vec2{0.3, 0.3};
        box.high = box.high + Vec2{0.3, 0.8};
        layout.panels.push_back(
            {box, "Along y = " + number_text((row + 0.5) * record.frame().cell_size, 1), true});
    }
    layout.legend = {{.text = "solid", .color = mix(palette::kWall, palette::kPaper, 0.35)},
                     {.text = "its top can be walked on by its slope",
                      .color = mix(palette::kWall, palette::kPaper, 0.65)},
                     {.text = "a walker fits", .color = palette::kOther, .mark = Mark::line},
                     {.text = "the radius leaves it", .color = palette::kRoute, .mark = Mark::line}};
    canvas.layout(layout);
    for (std::size_t i = 0; i < std::size(rows); ++i)
        canvas.panel(i, [&](const Sink& sink) { debug::draw_section(record, rows[i], sink); });
    canvas.row({.label = "cuts", .note = "rows 66 and 37"});
}

void draw_tiles(Canvas& canvas) {
    const scenes::Level level = scenes::workshop();
    debug::BakeRecord record, tiled_record;
    bake::BakeOptions options = workshop_options(record);
    const NavMesh solo = need(bake::navmesh(level.soup(), options));
    options = workshop_options(tiled_record);
    options.tile_cells = 32;
    const NavMesh tiled = need(bake::navmesh(level.soup(), options));
    Scratch scratch;
    const MeshQuery query{.start = {1, 1, 0}, .goal = Vec3{18.5, 5, 2.8}};
    const NavMesh* meshes[] = {&solo, &tiled};
    canvas.layout({.columns = 2,
                   .panels = {{kFloor, "One tile for all"}, {kFloor, "Tiles of 6.4"}},
                   .legend = {legend::wall(),
                              {.text = "side between polygons", .color = palette::kFaint, .mark = Mark::line},
                              {.text = "border of a tile", .color = palette::kFaint, .mark = Mark::dashed},
                              legend::route(),
                              legend::start(),
                              legend::goal()}});
    for (std::size_t i = 0; i < 2; ++i) {
        const Route route = need(find_route(*meshes[i], query, scratch));
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(*meshes[i], sink, {.tint = debug::MeshTint::polygon});
            debug::draw(route, {}, sink);
        });
        canvas.note(i, std::to_string(meshes[i]->state().polygons()) + " polygons; length " +
                           number_text(route.length));
        canvas.row(row_of(i == 0 ? "solo" : "tiled", route));
    }
}

constexpr Figure kBakeFigures[] = {
    {"bake_stages", "The stages of a bake",
     "A workshop with a ramp, a gallery that one can pass below and a mound that is too steep at its sides, "
     "from triangles to "
     "convex polygons. All but the first and the last picture come from the bake's own stages.",
     "W4", draw_stages},
    {"bake_cut", "A cut through the columns",
     "The same bake from the side: spans of solid, the floors on them with head room enough, and what the "
     "radius leaves of these.",
     "W4", draw_cut},
    {"bake_tiles", "One tile or many",
     "With tiles, each can be baked anew alone. The route is as long; the polygons end at the borders.", "W4",
     draw_tiles},
};

}  // namespace

std::span<const Figure> bake_figures() { return kBakeFigures; }

}  // namespace fairlead::gallery
