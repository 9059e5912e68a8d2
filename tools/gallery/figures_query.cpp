// Smoothing, terrain, sizes of units, other worlds, and what a query may bring along.
#include <algorithm>
#include <array>

#include "gallery/figures.h"
#include "gallery/plan.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Fill;
using debug::Sink;

void draw_smoothing(Canvas& canvas) {
    draw_queries(canvas, canvas.world("smoothing"), {"none", "greedy_shortcut", "farthest_visible", "best"},
                 2, {.search = false},
                 {"The tile route", "Greedy shortcut", "Farthest visible", "Best over all pairs"});
}

void draw_sand(Canvas& canvas) {
    const World world = canvas.world("sand");
    const char* names[] = {"tiles", "tiles", "smoothed", "wheels that like sand"};
    const char* titles[] = {"What the search looks at", "The cheapest tile route",
                            "Pulled taut, and no dearer", "A unit to which sand is nothing"};
    Layout layout{.columns = 2,
                  .legend = {legend::wall(), legend::terrain(5), legend::terrain(12), legend::route(),
                             legend::expanded()}};
    for (const char* title : titles)
        layout.panels.push_back({debug::world_bounds(world.grid.state()), title});
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < 4; ++i) {
        const Plan plan = make_plan(world, names[i]);
        canvas.panel(i, [&](const Sink& sink) { draw_plan(world, plan, sink, {.search = i == 0}); });
        canvas.note(i, plan_text(plan, i == 0));
        if (i > 0) canvas.row(plan_row(titles[i], plan));
    }
}

void draw_wrap(Canvas& canvas) {
    draw_queries(canvas, canvas.world("wrap_seam"), {"with a body"}, 1, {},
                 {"The inside of a cylinder, unrolled"});
}

void draw_floors(Canvas& canvas) {
    const World world = canvas.world("two_floors");
    const Plan plan = make_plan(world, "wide unit");
    const Aabb bounds = debug::world_bounds(world.grid.state());
    canvas.layout({.columns = 2,
                   .panels = {{bounds, "Ground floor"}, {bounds, "Upper floor"}},
                   .legend = {legend::wall(),
                              legend::start(),
                              legend::goal(),
                              legend::route(),
                              legend::body(),
                              {.text = "stair", .color = palette::kPortal, .mark = Mark::line}}});
    for (std::int32_t layer = 0; layer < 2; ++layer) {
        canvas.panel(static_cast<std::size_t>(layer), [&](const Sink& sink) {
            draw_plan(world, plan, sink, {.search = false, .layer = layer});
        });
    }
    canvas.note(0, plan_text(plan, false));
    canvas.row(plan_row("two floors", plan));
}

[[nodiscard]] std::string lengths_text(const std::vector<Plan>& plans) {
    std::string text;
    for (const Plan& plan : plans)
        text += (text.empty() ? "lengths " : ", ") + number_text(plan.route.length);
    return text;
}

/// All sizes on one map, each in its own color.
void draw_sizes(Canvas& canvas, const std::vector<std::string>& names) {
    const World world = canvas.world("gaps");
    Layout layout{.panels = {{debug::world_bounds(world.grid.state())}}, .legend = {legend::wall()}};
    std::vector<Plan> plans;
    for (const std::string& name : names) {
        layout.legend.push_back(
            {.text = name, .color = palette::route(static_cast<int>(plans.size())), .mark = Mark::line});
        plans.push_back(make_plan(world, name));
    }
    canvas.layout(std::move(layout));
    canvas.panel(0, [&](const Sink& sink) {
        for (std::size_t i = plans.size(); i-- > 0;) {  // the smallest on top
            draw_plan(world, plans[i], sink,
                      {.map = i + 1 == plans.size(),
                       .search = false,
                       .color = palette::route(static_cast<int>(i))});
        }
    });
    for (std::size_t i = 0; i < plans.size(); ++i) canvas.row(plan_row(names[i], plans[i]));
    canvas.note(0, lengths_text(plans));
}

void draw_radii(Canvas& canvas) {
    draw_sizes(canvas, {"radius 0.45", "radius 1.4", "radius 2.4", "radius 3.4"});
}

void draw_footprints(Canvas& canvas) { draw_sizes(canvas, {"1 x 1", "2 x 2", "3 x 3", "5 x 5"}); }

void draw_goals(Canvas& canvas) {
    draw_queries(canvas, canvas.world("goal_regions"),
                 {"within 4", "adjacent", "in sight, 9", "any of three"}, 2, {.search = false},
                 {"Within 4 of it", "Next to it", "In sight of it", "Any of three"},
                 {{.text = "goal region", .color = palette::route(2), .opacity = 0.3}});
}

void draw_blockers(Canvas& canvas) {
    draw_queries(canvas, canvas.world("blockers"), {"free", "one lane taken", "both taken"}, 3,
                 {.search = false}, {},
                 {{.text = "in the way, for this query", .color = palette::kWarning, .opacity = 0.4}});
}

struct Threat {
    const World& world;
    std::span<const std::uint8_t> cells;
    [[nodiscard]] static std::uint8_t class_of(Cell cell, void* user) {
        const Threat& self = *static_cast<Threat*>(user);
        const auto index =
            static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(self.world.scene.width) +
            static_cast<std::size_t>(cell.x);
        const std::uint8_t value = self.cells.empty() ? 0 : self.cells[index];
        return value == 0 ? debug::kNoClass : static_cast<std::uint8_t>(value - 1);
    }
};

void draw_threat(Canvas& canvas) {
    const World world = canvas.world("threat");
    std::vector<Fill> fills;
    for (int i = 1; i <= 9; ++i) fills.push_back({palette::influence(i / 9.0), 0.7});
    Threat threat{world, world.query("weight 1").grid_query().influence.cells};
    const std::array<const char*, 3> names = {"weight 0", "weight 1", "weight 8"};
    Layout layout{.panels = {{debug::world_bounds(world.grid.state())}},
                  .legend = {legend::wall(),
                             {.text = "threat, 1 to 9",
                              .color = palette::influence(0),
                              .mark = Mark::ramp,
                              .middle = palette::influence(0.5),
                              .last = palette::influence(1)}}};
    std::vector<Plan> plans;
    for (const char* name : names) {
        layout.legend.push_back(
            {.text = name, .color = palette::route(static_cast<int>(plans.size())), .mark = Mark::line});
        GridQuery query = world.query(name).grid_query();
        query.smoothing = Smoothing::best;
        plans.push_back(make_plan(world, query));
        canvas.row(plan_row(name, plans.back()));
    }
    canvas.layout(std::move(layout));
    canvas.panel(0, [&](const Sink& sink) {
        debug::draw_cells(world.grid.state(), {}, Threat::class_of, &threat, fills, sink);
        debug::draw(world.grid.state(), sink, {.paper = false});
        for (std::size_t i = 0; i < plans.size(); ++i) {
            draw_plan(world, plans[i], sink,
                      {.map = false, .search = false, .color = palette::route(static_cast<int>(i))});
        }
    });
    canvas.note(0, lengths_text(plans));
}

void draw_partial(Canvas& canvas) {
    draw_queries(canvas, canvas.world("islands"), {"refused", "partial"}, 2, {},
                 {"Known to be unreachable", "As near as it gets"});
}

constexpr Figure kQueryFigures[] = {
    {"smoothing", "Three ways to pull a route taut",
     "Greedy and farthest-visible take the first shortcut they find and keep the tile route's points; best "
     "pulls "
     "the route over the corners of walls and tries all pairs. Every leg is checked by the exact sweep of "
     "the "
     "body.",
     "P3 P4 P6 C1 C8", draw_smoothing},
    {"sand", "Sand is dearer than pavement",
     "Entering sand costs 5 and mud 12. The cheapest route goes round, and smoothing does not pull it back "
     "across.",
     "W3 W7 C7", draw_sand},
    {"radii", "One map, many sizes",
     "The radius is part of the question, not of the map. Each unit takes the nearest gap that it fits.",
     "C3 S5", draw_radii},
    {"footprints", "Square units", "Units of one, two, three and five tiles on the same map.", "C3",
     draw_footprints},
    {"wrap_seam", "Across the seam of a cylinder",
     "Ten degrees a cell. From 45 to 315 degrees the short way crosses the seam.", "W8", draw_wrap},
    {"two_floors", "Two floors and two stairs",
     "The ground floor is cut in two by a wall. The way leads up one stair and down the other.", "W10",
     draw_floors},
    {"goal_regions", "Goals that are not a point",
     "Within range of it, next to it, in sight of it, or any of several.", "S1", draw_goals},
    {"blockers", "Others in the way",
     "Units that stand in a lane for this query only. The map and its index stay as they are.", "C16",
     draw_blockers},
    {"threat", "Keep away from the towers",
     "A threat map on top of the terrain, for this query only. The more it weighs, the wider the berth.",
     "W7", draw_threat},
    {"partial", "A goal on another island",
     "The connectivity index refuses it without a search. Asked for a partial route, the planner goes to the "
     "reachable cell nearest the goal.",
     "S5 C14", draw_partial},
};

}  // namespace

std::span<const Figure> query_figures() { return kQueryFigures; }

}  // namespace fairlead::gallery
