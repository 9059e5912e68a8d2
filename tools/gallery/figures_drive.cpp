// Turning units: places to drive in.
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/debug/draw_explain.h>

#include "gallery/drive_plan.h"
#include "gallery/figures.h"
#include "gallery/need.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Sink;

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

void draw_others(Canvas& canvas) {
    draw_drives(canvas, "drive_others", {"free", "a gap", "shut"},
                {"Nobody there", "Past three that stand there", "The street is shut: through the yard"}, 1,
                {}, {{.text = "in the way, for this query", .color = palette::kWarning, .opacity = 0.4}});
}

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

constexpr Figure kDriveFigures[] = {
    {"drive_harbour", "A harbour: a ship into its berth and out again",
     "A ship 6 long that turns at 5. Going astern counts four times, and a change of gear eight lengths. It "
     "enters "
     "its berth aslant, and straightens by going astern a little.",
     "D13", draw_harbour},
    {"drive_car_park", "A car park",
     "A car of 3 x 1.5 that turns at 3, its axle 0.9 behind its middle, between parked cars and walls.",
     "D13", draw_car_park},
    {"drive_three_point", "A three-point turn",
     "The road is too narrow for the turning circle. Without reverse gear there is no way to face back here.",
     "L4 D13", draw_three_point},
    {"drive_parallel", "Parallel parking",
     "Into a gap of five at the kerb, for a car of three. Without reverse gear there is no way in.", "D13",
     draw_parallel},
    {"drive_alley", "A U-turn in an alley",
     "Too narrow to turn in: the car noses into the side street, backs out of it and leaves the way that it "
     "came.",
     "L4 D13", draw_alley},
    {"drive_others", "Others in the way of a tank",
     "Discs and boxes in the way of one query. The body keeps clear of them exactly, as of walls, and the "
     "map is not made anew.",
     "D1", draw_others},
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

std::span<const Figure> drive_figures() { return kDriveFigures; }

}  // namespace fairlead::gallery
