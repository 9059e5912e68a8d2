#include "gallery/drive_plan.h"

#include <algorithm>

#include <fairlead/formats/file.h>
#include <fairlead/math/trig.h>

namespace fairlead::gallery {

namespace palette = debug::palette;
using debug::Sink;

namespace {

[[nodiscard]] Spot facing(const Spot& place, std::optional<double> heading_deg) {
    return place.facing(heading_deg.value_or(0.0) * (kPi / 180.0));
}

[[nodiscard]] int gear_changes(const Route& route) {
    int count = 0;
    for (std::size_t i = 1; i < route.legs.size(); ++i)
        count += route.legs[i].gear != route.legs[i - 1].gear ? 1 : 0;
    return count;
}

/// The map, and a rim where an arrow at the start or goal would be cut.
[[nodiscard]] Aabb frame_of(const World& world, const DriveQuery& query) {
    Aabb frame = debug::world_bounds(world.grid.state());
    for (const Pose& pose : {query.start.pose(), query.goal.at.pose()}) {
        const Vec2 tip = pose.position + math::direction(pose.heading_rad);
        const bool inside =
            tip.x > frame.low.x && tip.y > frame.low.y && tip.x < frame.high.x && tip.y < frame.high.y;
        if (!inside) return {frame.low - Vec2{0.7, 0.7}, frame.high + Vec2{0.7, 0.7}};
    }
    return frame;
}

[[nodiscard]] bool reverses(const DrivePlan& plan) { return plan.query.agent.can_reverse; }

}  // namespace

DriveQuery drive_query(const formats::SceneQuery& query) {
    return {.start = facing(query.plain.start, query.start_heading_deg),
            .goal = facing(query.plain.goal.at, query.goal_heading_deg),
            .agent = query.plain.agent,
            .epsilon = query.drive.epsilon,
            .reverse_penalty = query.drive.reverse_penalty,
            .cusp_penalty = query.drive.cusp_penalty,
            .expansions_max = query.plain.expansions_max,
            .planner = query.drive.optimal ? DrivePlanner::lattice : DrivePlanner::weighted,
            .blockers = query.blockers};
}

GridDriveSetup drive_setup(const formats::SceneQuery& query) {
    GridDriveSetup setup;
    setup.map.terrain.factors = query.terrain;
    setup.headings = query.drive.headings;
    setup.rings = query.drive.rings;
    if (query.drive.rings > 0) {  // what one of the article's lattices cannot do is the point of such a scene
        setup.nodes = DriveNodes::centres;
        setup.refine = false;
        setup.off_lattice_max = 0;
    }
    return setup;
}

DrivePlan make_drive_plan(const World& world, const formats::SceneQuery& query) {
    DrivePlan plan;
    plan.query = drive_query(query);
    Scratch scratch;
    const GridState& grid = world.grid.state();
    const Result<void> done = find_route_into(grid, plan.query, scratch, plan.route, drive_setup(query));
    if (!done) throw DemoError{formats::error_line(world.scene.title, done.error())};
    plan.violation = verify(plan.route, grid, plan.query.agent,
                            {.terrain = {.factors = query.terrain}, .blockers = query.blockers});
    return plan;
}

DrivePlan make_drive_plan(const World& world, const std::string& query) {
    return make_drive_plan(world, world.query(query));
}

std::string drive_text(const DrivePlan& plan) {
    if (plan.route.status != PathStatus::complete) return status_name(plan.route.status);
    std::string text = "length " + number_text(plan.route.length);
    const int changes = gear_changes(plan.route);
    if (changes > 0)
        text += ", " + std::to_string(changes) + (changes == 1 ? " change" : " changes") + " of gear";
    return plan.violation ? text + ", not legal" : text;
}

Row drive_row(std::string label, const DrivePlan& plan) {
    Row row = row_of(std::move(label), plan.route);
    if (!plan.route.legs.empty()) row.legal = !plan.violation;
    if (plan.violation) row.note = plan.violation.text().c_str();
    return row;
}

void draw_drive_plan(const World& world, const DrivePlan& plan, const Sink& sink,
                     const debug::DriveDraw& options) {
    debug::draw(world.grid.state(), sink, {.region = {.layer = std::max(options.layer, 0)}});
    if (!plan.query.blockers.empty()) debug::draw(plan.query.blockers, sink, options.layer);
    if (plan.route.status == PathStatus::complete) {
        debug::draw_drive(plan.route, plan.query.agent, sink, options);
        return;
    }
    for (const Pose& pose : {plan.query.start.pose(), plan.query.goal.at.pose()}) {
        Route here;
        here.status = PathStatus::complete;
        here.end = {{pose.position.x, pose.position.y, 0.0}, pose.heading_rad, 0};
        debug::draw_drive(here, plan.query.agent, sink);
    }
    debug::draw_circle(sink, debug::at_height(plan.query.start.ground()), 5.5 * sink.point, {palette::kInk},
                       {palette::kPaper, 1.2});
}

std::vector<LegendItem> drive_legend(bool reverse) {
    std::vector<LegendItem> items = {legend::wall(), legend::start(), legend::goal(),
                                     legend::route(reverse ? "forward" : "route"), legend::body()};
    if (!reverse) return items;
    items.push_back({.text = "in reverse", .color = palette::kOther, .mark = Mark::dashed});
    items.push_back({.text = "change of gear", .color = palette::kWarning, .mark = Mark::ring});
    return items;
}

void draw_drives(Canvas& canvas, const std::string& scene, const std::vector<std::string>& queries,
                 const std::vector<std::string>& titles, int columns, const debug::DriveDraw& options,
                 const std::vector<LegendItem>& more_legend) {
    const World world = canvas.world(scene);
    std::vector<DrivePlan> plans;
    Layout layout{.columns = columns};
    bool reverse = false;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        plans.push_back(make_drive_plan(world, queries[i]));
        reverse = reverse || reverses(plans.back());
        layout.panels.push_back({frame_of(world, plans.back().query), titles[i]});
    }
    layout.legend = drive_legend(reverse);
    layout.legend.insert(layout.legend.end(), more_legend.begin(), more_legend.end());
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < plans.size(); ++i) {
        canvas.panel(i, [&](const Sink& sink) { draw_drive_plan(world, plans[i], sink, options); });
        canvas.note(i, drive_text(plans[i]));
        canvas.row(drive_row(titles[i], plans[i]));
    }
}

}  // namespace fairlead::gallery
