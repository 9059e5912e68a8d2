#include "gallery/plan.h"

#include <fairlead/formats/file.h>

namespace fairlead::gallery {

namespace palette = debug::palette;
using debug::Sink;

namespace {

[[nodiscard]] bool has_body(const Agent& agent) { return agent.radius > 0 || agent.footprint > 0; }

/// The route, and where an axis wraps also one lap to either side, cut off at the map's edge.
void draw_route(const World& world, const Plan& plan, const Sink& sink, const debug::RouteDraw& options) {
    const GridState& grid = world.grid.state();
    const Aabb bounds = debug::world_bounds(grid);
    const Vec2 size = bounds.high - bounds.low;
    const int laps_x = grid.wrap_x() ? 1 : 0;
    const int laps_y = grid.wrap_y() ? 1 : 0;
    if (laps_x + laps_y == 0) {
        debug::draw(plan.route, plan.query.agent, sink, options);
        return;
    }
    for (int y = -laps_y; y <= laps_y; ++y) {
        for (int x = -laps_x; x <= laps_x; ++x) {
            const Vec2 shift{x * size.x, y * size.y};
            debug::View lap{sink, {.world = {bounds.low + shift, bounds.high + shift}, .frame = bounds}};
            debug::draw(plan.route, plan.query.agent, lap.sink(), options);
        }
    }
}

}  // namespace

Plan make_plan(const World& world, const GridQuery& query) {
    const GridState& grid = world.grid.state();
    Plan plan;
    plan.query = query;
    Scratch scratch;
    const Result<void> done = find_route_into(grid, query, scratch, plan.route, {.trace = plan.trace.hook()});
    if (!done) throw DemoError{formats::error_line(world.scene.title, done.error())};
    debug::add_path(plan.trace, plan.route);
    plan.violation =
        verify(plan.route, grid, query.agent, {.terrain = query.terrain, .blockers = query.blockers});
    return plan;
}

Plan make_plan(const World& world, const std::string& query) {
    return make_plan(world, world.query(query).grid_query());
}

std::string plan_text(const Plan& plan, bool with_search) {
    const Route& route = plan.route;
    std::string text;
    if (route.status != PathStatus::complete) text = std::string{status_name(route.status)} + ", ";
    if (!route.legs.empty()) {
        text += "length " + number_text(route.length);
        if (route.line_cost > route.length * 1.0005)
            text += ", cost along it " + number_text(route.line_cost);
        text += ", " + std::to_string(route.legs.size()) + (route.legs.size() == 1 ? " leg, " : " legs, ");
    }
    if (with_search) text += count_text(route.stats.expanded) + " expanded, ";
    text.resize(text.size() - 2);
    if (plan.violation) text += ", not legal";
    return text;
}

Row plan_row(std::string label, const Plan& plan) {
    Row row = row_of(std::move(label), plan.route);
    if (!plan.route.legs.empty()) row.legal = !plan.violation;
    if (plan.violation) row.note = plan.violation.text().c_str();
    return row;
}

void draw_plan(const World& world, const Plan& plan, const Sink& sink, const PlanDraw& options) {
    const GridState& grid = world.grid.state();
    const std::int32_t layer = options.layer < 0 ? 0 : options.layer;
    if (options.map) debug::draw(grid, sink, {.region = {.layer = layer}});
    if (options.search) {
        // The trace's path is the route; it is drawn below, with its body.
        debug::draw(
            plan.trace.events().first(plan.trace.events().size() - plan.trace.count(debug::TraceKind::path)),
            sink, {.cell_size = grid.cell_size(), .layer = options.layer});
        if (options.map)
            debug::draw(grid, sink,
                        {.region = {.layer = layer}, .paper = false, .terrain = false, .lines = false});
    }
    if (!plan.query.blockers.empty()) debug::draw(plan.query.blockers, sink, layer);
    const debug::RouteDraw look{.color = options.color,
                                .dash = options.dash,
                                .body = has_body(plan.query.agent),
                                .layer = options.layer};
    draw_route(world, plan, sink, look);
    const bool found = plan.route.status == PathStatus::complete;
    if (plan.query.goal.kind != Goal::Kind::point || !found) {
        if (options.layer < 0 || plan.query.goal.at.layer == options.layer)
            debug::draw(plan.query.goal, sink, grid.cell_size());
    }
    if (!found && plan.route.legs.empty() && (options.layer < 0 || plan.query.start.layer == options.layer)) {
        debug::draw_circle(sink, debug::at_height(plan.query.start.ground()), 5.0 * sink.point,
                           {palette::kInk}, {palette::kPaper, 1.5});
    }
}

void draw_queries(Canvas& canvas, const World& world, const std::vector<std::string>& queries, int columns,
                  const PlanDraw& options, const std::vector<std::string>& titles,
                  const std::vector<LegendItem>& more_legend) {
    std::vector<Plan> plans;
    Layout layout{.columns = columns,
                  .legend = {legend::wall(), legend::start(), legend::goal(), legend::route()}};
    bool bodies = false;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        plans.push_back(make_plan(world, queries[i]));
        bodies = bodies || has_body(plans.back().query.agent);
        layout.panels.push_back({debug::world_bounds(world.grid.state()), i < titles.size()    ? titles[i]
                                                                          : queries.size() > 1 ? queries[i]
                                                                                               : ""});
    }
    if (bodies) layout.legend.push_back(legend::body());
    if (options.search) layout.legend.push_back(legend::expanded());
    layout.legend.insert(layout.legend.end(), more_legend.begin(), more_legend.end());
    const std::vector<Panel> panels = layout.panels;
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < plans.size(); ++i) {
        canvas.panel(i, [&](const Sink& sink) { draw_plan(world, plans[i], sink, options); });
        canvas.note(i, plan_text(plans[i], options.search));
        canvas.row(plan_row(panels[i].title, plans[i]));
    }
}

}  // namespace fairlead::gallery
