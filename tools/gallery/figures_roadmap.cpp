// Roadmaps: one-way edges, attaching, coverage.
#include <vector>

#include <fairlead/formats/file.h>
#include <fairlead/formats/roadmap_world.h>
#include <fairlead/roadmap/coverage.h>
#include <fairlead/roadmap/find_route.h>

#include "gallery/figures.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Fill;
using debug::Sink;

/// scenes/roadmaps/<name>.json.
Roadmap load_roads(const Canvas& canvas, const std::string& name) {
    const std::string path = canvas.scenes() + "/roadmaps/" + name + ".json";
    const Result<std::string> text = formats::load_file(path);
    if (!text) throw DemoError{formats::error_line(path, text.error())};
    const Result<formats::RoadmapFile> file = formats::load_roadmap(*text);
    if (!file) throw DemoError{formats::error_line(path, file.error(), *text)};
    Result<Roadmap> roads = formats::make_roadmap(*file);
    if (!roads) throw DemoError{formats::error_line(path, roads.error())};
    return std::move(*roads);
}

Route find(const Roadmap& roads, const RoadmapQuery& query) {
    Scratch scratch;
    Result<Route> route = find_route(roads, query, scratch);
    if (!route) throw DemoError{error_text(route.error()).c_str()};
    return std::move(*route);
}

void draw_roadmap(Canvas& canvas) {
    const Roadmap roads = load_roads(canvas, "quarter");
    const Vec2 west{2.5, 3.0};
    const Vec2 east{36.0, 4.5};
    RoadmapQuery query{.start = west, .goal = east, .agent = {.radius = 0.5}, .direct = false};
    query.attach_max = 2;
    const Route there = find(roads, query);
    std::swap(query.start, query.goal.at);
    const Route back = find(roads, query);
    const Aabb bounds = debug::world_bounds(roads);
    canvas.layout(
        {.columns = 2,
         .panels = {{bounds, "there: with the one-way lane"}, {bounds, "back: the long way round"}},
         .legend = {legend::wall(),
                    {.text = "edge; arrow head: one way", .color = palette::kFaint, .mark = Mark::line},
                    legend::route(),
                    legend::start(),
                    legend::goal()}});
    const Route* routes[] = {&there, &back};
    for (std::size_t i = 0; i < 2; ++i) {
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(roads, sink);
            debug::draw(*routes[i], query.agent, sink);
        });
        canvas.note(i, "length " + number_text(routes[i]->length));
        canvas.row(row_of(i == 0 ? "there" : "back", *routes[i]));
    }
}

void draw_coverage(Canvas& canvas) {
    const Roadmap roads = load_roads(canvas, "quarter");
    const CoverageArea area{.cell_size = 0.5, .width = 80, .height = 44};
    std::vector<Cover> cover(80 * 44);
    Scratch scratch;
    const double radii[] = {0.25, 1.0};
    const debug::Color colors[] = {palette::kWarning, palette::tint(0), palette::kGridLine};
    const Aabb bounds = debug::world_bounds(roads);
    canvas.layout({.columns = 2,
                   .panels = {{bounds, "radius 0.25"}, {bounds, "radius 1"}},
                   .legend = {legend::wall(),
                              {.text = "sees a waypoint", .color = colors[1]},
                              {.text = "sees none", .color = colors[0], .opacity = 0.75},
                              {.text = "no room to stand", .color = colors[2]},
                              {.text = "edge", .color = palette::kFaint, .mark = Mark::line}}});
    for (std::size_t i = 0; i < 2; ++i) {
        const Result<CoverageCount> count =
            find_coverage(roads, {.agent = {.radius = radii[i]}, .range = 12}, area, scratch, cover);
        if (!count) throw DemoError{error_text(count.error()).c_str()};
        canvas.panel(i, [&](const Sink& sink) {
            for (const Cover kind : {Cover::covered, Cover::blocked, Cover::uncovered}) {
                std::vector<Aabb> boxes;
                for (std::size_t c = 0; c < cover.size(); ++c) {
                    if (cover[c] != kind) continue;
                    const Vec2 low{0.5 * static_cast<double>(c % 80), 0.5 * static_cast<double>(c / 80)};
                    boxes.push_back({low, low + Vec2{0.5, 0.5}});
                }
                const bool warn = kind == Cover::uncovered;
                draw_boxes(sink, boxes, 0, Fill{colors[static_cast<std::size_t>(kind)], warn ? 0.75 : 1.0});
            }
            debug::draw(roads, sink);
        });
        canvas.note(i, count_text(count->uncovered) + " of " + count_text(count->covered + count->uncovered) +
                           " places see no waypoint");
        Row row{.label = "radius " + number_text(radii[i])};
        row.note = count_text(count->covered) + " covered, " + count_text(count->uncovered) + " uncovered, " +
                   count_text(count->blocked) + " blocked";
        canvas.row(row);
    }
}

constexpr Figure kRoadmapFigures[] = {
    {"roadmap", "Waypoints and one-way edges",
     "Start and goal lie off the net and are attached to it by straight lines along which the body passes "
     "the "
     "walls. The lane below may be driven only one way, so the way back is another.",
     "W1 W2", draw_roadmap},
    {"roadmap_coverage", "What a net of waypoints leaves out",
     "Every place of a lattice, asked for a waypoint in sight within 12 units, for two sizes of unit. The "
     "closed "
     "yards see none; the wide unit also loses corners behind buildings.",
     "W2", draw_coverage},
};

}  // namespace

std::span<const Figure> roadmap_figures() { return kRoadmapFigures; }

}  // namespace fairlead::gallery
