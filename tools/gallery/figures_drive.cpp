// Turning units: the article's Figures 1, 6, 7, 11 and 12 from scenes of our own, and places to drive in.
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/debug/draw_explain.h>
#include <fairlead/drive/round_corners.h>

#include "gallery/drive_plan.h"
#include "gallery/figures.h"
#include "gallery/naive_curves.h"
#include "gallery/need.h"
#include "gallery/plan.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Sink;

const LegendItem kStraight{.text = "straight route", .color = palette::kFaint, .mark = Mark::dashed};
const LegendItem kClipped{
    .text = "wall tiles that the body hits", .color = palette::kWarning, .opacity = 0.75};

[[nodiscard]] std::string hits_text(const NaiveCurves& curves) {
    return "length " + number_text(curves.curved.length) + ", hits " + std::to_string(curves.clipped.size()) +
           " wall tiles";
}

[[nodiscard]] Row naive_row(const NaiveCurves& curves) {
    return {.label = "curves from waypoint to waypoint",
            .planner = "curve",
            .length = curves.curved.length,
            .note = hits_text(curves)};
}

void draw_turns(Canvas& canvas) {
    const World world = canvas.world("article_1_zigzag");
    const NaiveCurves naive = make_naive_curves(world, world.query("drive"));
    const DrivePlan legal = make_drive_plan(world, "drive");
    const Aabb bounds = debug::world_bounds(world.grid.state());
    Layout layout{.columns = 2,
                  .panels = {{bounds, "1a  The tile route"},
                             {bounds, "1b  Smoothed greedily"},
                             {bounds, "1c  Curves from waypoint to waypoint"},
                             {bounds, "1d  The turning search"}},
                  .legend = drive_legend(false)};
    layout.legend.push_back(kStraight);
    layout.legend.push_back(kClipped);
    canvas.layout(std::move(layout));
    const char* walkers[] = {"tiles", "greedy"};
    for (std::size_t i = 0; i < 2; ++i) {
        const Plan walk = make_plan(world, walkers[i]);
        canvas.panel(i, [&](const Sink& sink) { draw_plan(world, walk, sink, {.search = false}); });
        canvas.note(i, plan_text(walk, false));
        canvas.row(plan_row(walkers[i], walk));
    }
    canvas.panel(2, [&](const Sink& sink) { draw_naive_curves(world, naive, legal.query.agent, sink); });
    canvas.note(2, hits_text(naive));
    canvas.row(naive_row(naive));
    canvas.panel(3, [&](const Sink& sink) { draw_drive_plan(world, legal, sink, {.bodies = false}); });
    canvas.note(3, drive_text(legal));
    canvas.row(drive_row("turning search", legal));
}

void draw_ignores(Canvas& canvas) {
    const World world = canvas.world("article_6_ignores");
    const NaiveCurves naive = make_naive_curves(world, world.query("drive"));
    Layout layout{.panels = {{debug::world_bounds(world.grid.state())}}, .legend = drive_legend(false)};
    layout.legend.push_back(kStraight);
    layout.legend.push_back(kClipped);
    canvas.layout(std::move(layout));
    canvas.panel(0, [&](const Sink& sink) {
        draw_naive_curves(world, naive, world.query("drive").plain.agent, sink);
    });
    canvas.note(0, hits_text(naive));
    canvas.row(naive_row(naive));
}

// The three methods on the same waypoints.
void draw_corner(Canvas& canvas) {
    const World world = canvas.world("article_7_corner");
    const DriveQuery drive = drive_query(world.query("drive"));
    const GridState& grid = world.grid.state();
    const CornerMethod methods[] = {CornerMethod::ignore_walls, CornerMethod::tighter, CornerMethod::back_up};
    const char* titles[] = {"Turning radius 1.5, walls ignored", "7a  Tighter where it must be",
                            "7b  Turning radius 3.5, backing up"};
    const double radii[] = {1.5, 1.5, 3.5};
    const Aabb bounds = debug::world_bounds(grid);
    Layout layout{.columns = 2, .legend = drive_legend(true)};
    for (const char* title : titles) layout.panels.push_back({bounds, title});
    layout.legend.push_back(kClipped);
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < 3; ++i) {
        Agent agent = drive.agent;
        agent.turning_radius = radii[i];
        const DriveTable table = need(DriveTable::make({.agent = agent}));
        const DriveMap map = need(make_drive_map(grid, table));
        Scratch scratch;
        Array<Vec2> waypoints;
        (void)need(
            find_waypoints(grid, drive.start.ground(), drive.goal.at.ground(), agent, scratch, waypoints));
        const CornerQuery query{.start = drive.start.pose(), .waypoints = waypoints.span()};
        const RoundedCorners way = need(round_corners(map, query, methods[i], scratch));
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(grid, sink);
            debug::draw_boxes(sink, clipped_tiles(world, way.route, drive.agent.radius), 0.0,
                              {palette::kWarning, 0.75});
            debug::draw_drive(way.route, agent, sink, {.bodies = false});
        });
        canvas.note(i, "length " + number_text(way.route.length) + ", least turning radius " +
                           number_text(way.radius_least) + (way.legal ? "" : ", hits walls"));
        canvas.row({.label = titles[i],
                    .planner = corner_method_name(methods[i]),
                    .length = way.route.length,
                    .note = way.legal ? "legal" : "hits walls"});
    }
}

void draw_rings(Canvas& canvas) {
    draw_drives(canvas, "article_12_rings", {"Directional-8", "Directional-24"},
                {"Directional-8: no way", "Directional-24"}, 2, {.bodies = false});
}

void draw_harbour(Canvas& canvas) {
    draw_drives(canvas, "drive_harbour", {"in", "out"},
                {"In: ahead, the last bit astern", "Out: astern, then ahead"}, 2);
}

void draw_car_park(Canvas& canvas) {
    draw_drives(canvas, "drive_car_park", {"forward in", "backward in"}, {"Bonnet first", "Backward"}, 2);
}

void draw_three_point(Canvas& canvas) {
    draw_drives(canvas, "drive_three_point", {"turn round"}, {""}, 1, {.spacing = 1.5});
}

void draw_parallel(Canvas& canvas) {
    draw_drives(canvas, "drive_parallel", {"with reverse"}, {""}, 1, {.spacing = 1.5});
}

void draw_alley(Canvas& canvas) { draw_drives(canvas, "drive_alley", {"turn round"}, {""}, 1); }

// The explanation over its map, the unit at both ends.
void draw_tank(Canvas& canvas) {
    const World world = canvas.world("drive_floors");
    const DrivePlan plan = make_drive_plan(world, "tank");
    const Aabb bounds = debug::world_bounds(world.grid.state());
    std::vector<LegendItem> items = drive_legend(true);
    items.push_back({.text = "ramp", .color = palette::kPortal, .mark = Mark::line});
    canvas.layout({.columns = 2,
                   .panels = {{bounds, "Ground floor"}, {bounds, "Upper floor"}},
                   .legend = std::move(items)});
    for (std::int32_t layer = 0; layer < 2; ++layer) {
        canvas.panel(static_cast<std::size_t>(layer),
                     [&](const Sink& sink) { draw_drive_plan(world, plan, sink, {.layer = layer}); });
    }
    canvas.note(0, drive_text(plan));
    canvas.row(drive_row("tank", plan));
}

void draw_why(const World& world, const Explanation& why, const Pose& start, const Pose& goal,
              const Sink& sink) {
    debug::draw(world.grid.state(), sink);
    for (const Pose& pose : {start, goal}) {
        debug::draw_body({{pose.position.x, pose.position.y, 0.0}, pose.heading_rad, 0}, why.agent, sink,
                         debug::kNoFill, {.color = palette::kInk, .width = 1.4});
    }
    debug::draw(why, sink);
}

void draw_why_not(Canvas& canvas) {
    const World world = canvas.world("why_not");
    const GridQuery walk = world.query("too wide").plain;
    const formats::SceneQuery& car = world.query("cannot turn");
    const DriveQuery drive = drive_query(car);
    Scratch scratch;
    const Explanation wide = need(explain(world.grid, walk, scratch));
    const Explanation turn = need(explain(world.grid, drive, scratch, {}, drive_setup(car)));
    const Aabb bounds = debug::world_bounds(world.grid.state());
    canvas.layout(
        {.columns = 2,
         .panels = {{bounds, "Too wide for the door"}, {bounds, "Cannot turn into the alley"}},
         .legend = {legend::wall(),
                    legend::start(),
                    legend::goal(),
                    legend::route("a way that would do"),
                    legend::body(),
                    {.text = "the tightest place", .color = palette::kWarning, .mark = Mark::ring}}});
    canvas.panel(
        0, [&](const Sink& sink) { draw_why(world, wide, walk.start.pose(), walk.goal.at.pose(), sink); });
    canvas.panel(
        1, [&](const Sink& sink) { draw_why(world, turn, drive.start.pose(), drive.goal.at.pose(), sink); });
    for (std::size_t i = 0; i < 2; ++i) {
        const Explanation& why = i == 0 ? wide : turn;
        const Help& circle = why.help(HelpKind::smaller_circle);
        canvas.note(i, circle.proof == Proof::found
                           ? "turning radius 6, would need " + number_text(circle.value)
                           : why.text().c_str());
        const Help* help = debug::first_help(why);
        if (help != nullptr)
            canvas.row(row_of(help_name(static_cast<HelpKind>(help - why.helps)), help->route));
    }
}

constexpr Figure kFigures[] = {
    {"article_1_turns", "The article's Figure 1: zigzag, smoothed, curved, searched",
     "One map four times. Curves from waypoint to waypoint of the smoothed route of a disc of radius 0.35, "
     "which turns "
     "no tighter than 1, are nice and skim walls; the search has the turning circle in its state, tests "
     "every tile that "
     "the body sweeps, and skims none.",
     "S1 P3 L1 D1 D11", draw_turns},
    {"article_6_ignores", "Curves that ignore the tiles",
     "Each waypoint is driven to along the shortest curve, from the heading in which the last one was "
     "reached. "
     "Nothing asks what is in the way.",
     "L1 K2", draw_ignores},
    {"article_7_corner", "The article's Figure 7: tighter turns, or backing up",
     "Curves from waypoint to waypoint with a turning radius of 1.5 hit the walls of two corners. A unit "
     "that slows "
     "down and turns tighter passes, and so does one that backs up.",
     "L3 L4 D13", draw_corner},
    {"article_12_rings", "The article's Figure 12: one ring of tiles is not enough",
     "Found among random maps. With curves to the eight tiles around it the unit has no way from start to "
     "goal, and "
     "the search proves it; with curves to the second ring as well it has one.",
     "D6 D14", draw_rings},
    {"drive_harbour", "A harbour: a ship into its berth and out again",
     "A ship 6 long that turns at 5. Going astern counts four times, and a change of gear eight lengths. It "
     "enters "
     "its berth aslant, and straightens by going astern a little.",
     "D13 D8", draw_harbour},
    {"drive_car_park", "A car park",
     "A car of 3 x 1.5 that turns at 3, its axle 0.9 behind its middle, between parked cars and walls.",
     "D13 D11", draw_car_park},
    {"drive_three_point", "A three-point turn",
     "The road is too narrow for the turning circle. Without reverse gear there is no way to face back here.",
     "L4 D13", draw_three_point},
    {"drive_parallel", "Parallel parking",
     "Into a gap of five at the kerb, for a car of three. Without reverse gear there is no way in.",
     "D13 C10", draw_parallel},
    {"drive_alley", "A U-turn in an alley",
     "Too narrow to turn in: the car noses into the side street, backs out of it and leaves the way that it "
     "came.",
     "L4 D13", draw_alley},
    {"drive_floors", "A tank takes the ramp",
     "The ground floor is cut in two. Up one ramp and down the other; a ramp is taken facing one way, and "
     "left so.",
     "W10 D1", draw_tank},
    {"why_not", "Why is there no way?",
     "The explanation of two failed queries, each with a route that proves what would help: the largest disc "
     "that fits the "
     "door, and the largest turning circle that fits the alley.",
     "S5 T5", draw_why_not},
};

}  // namespace

std::span<const Figure> drive_figures() { return kFigures; }

}  // namespace fairlead::gallery
