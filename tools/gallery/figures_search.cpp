// The searches: what each looks at, and what its answer is worth.
#include <array>

#include "gallery/figures.h"
#include "gallery/plan.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Sink;

void draw_trap(Canvas& canvas) {
    const World world = canvas.world("trap");
    draw_queries(canvas, world, {"astar", "dijkstra", "greedy_best_first", "weighted_astar"}, 2, {},
                 {"A*", "Dijkstra: no heuristic", "Greedy best-first: no promise", "Weighted A*, 2.0"});
}

void draw_jump_point(Canvas& canvas) {
    draw_queries(canvas, canvas.world("rooms"), {"jump_point", "astar"}, 2, {}, {"Jump point search", "A*"});
}

void draw_cave(Canvas& canvas) {
    draw_queries(canvas, canvas.world("cave"), {"astar", "bidirectional"}, 2, {}, {"A*", "From both ends"});
}

/// The same search twice: all that it looked at (G1, with the count, G3), and the path alone (G2).
void draw_trace(Canvas& canvas) {
    const World world = canvas.world("town");
    const Plan plan = make_plan(world, "a walker");
    const Aabb bounds = debug::world_bounds(world.grid.state());
    canvas.layout({.columns = 2,
                   .panels = {{bounds, "All that the search looked at"}, {bounds, "The path only"}},
                   .legend = {legend::wall(),
                              legend::start(),
                              legend::goal(),
                              legend::route(),
                              legend::expanded(),
                              {.text = "still open", .color = palette::kOpen}}});
    for (std::size_t i = 0; i < 2; ++i) {
        canvas.panel(i, [&](const Sink& sink) { draw_plan(world, plan, sink, {.search = i == 0}); });
    }
    canvas.note(0, plan_text(plan));
    canvas.row(plan_row("a walker in town", plan));
}

void draw_cave_jump(Canvas& canvas) { draw_queries(canvas, canvas.world("cave"), {"jump_point"}, 1); }

void draw_dense(Canvas& canvas) {
    draw_queries(canvas, canvas.world("dense"), {"bucket_astar", "jump_point"}, 2, {},
                 {"A* with buckets", "Jump point search"});
}

void draw_turns(Canvas& canvas) {
    draw_queries(canvas, canvas.world("turns"), {"no price", "0.5 per 45 degrees", "3 per 45 degrees"}, 3,
                 {.search = false},
                 {"Turns cost nothing", "0.5 cells per 45 degrees", "3 cells per 45 degrees"});
}

void draw_corners(Canvas& canvas) {
    draw_queries(canvas, canvas.world("corners"), {"never", "one_free", "always"}, 3, {.search = false},
                 {"never", "one of the two free", "always"});
}

void draw_neighbours(Canvas& canvas) {
    const World world = canvas.world("turns");
    GridQuery query = world.query("no price").grid_query();
    std::array<Plan, 2> plans;
    plans[0] = make_plan(world, query);
    query.neighbours = Neighbourhood::four;
    query.heuristic = GridHeuristic::manhattan;
    plans[1] = make_plan(world, query);
    const Aabb bounds = debug::world_bounds(world.grid.state());
    canvas.layout(
        {.columns = 2,
         .panels = {{bounds, "Eight neighbours"}, {bounds, "Four neighbours"}},
         .legend = {legend::wall(), legend::start(), legend::goal(), legend::route(), legend::expanded()}});
    for (std::size_t i = 0; i < 2; ++i) {
        canvas.panel(i, [&](const Sink& sink) { draw_plan(world, plans[i], sink); });
        canvas.note(i, plan_text(plans[i]));
        canvas.row(plan_row(i == 0 ? "eight" : "four", plans[i]));
    }
}

/// A square of cells around the middle of start and goal.
void draw_frame(const Plan& plan, int side, const Sink& sink) {
    const Cell middle{
        static_cast<std::int32_t>((plan.query.start.position.x + plan.query.goal.at.position.x) / 2),
        static_cast<std::int32_t>((plan.query.start.position.y + plan.query.goal.at.position.y) / 2)};
    const Vec2 low{middle.x - side / 2.0, middle.y - side / 2.0};
    const Vec3 corners[] = {{low.x, low.y, 0},
                            {low.x + side, low.y, 0},
                            {low.x + side, low.y + side, 0},
                            {low.x, low.y + side, 0}};
    debug::draw_outline(sink, std::span{corners}, {.color = palette::kPortal, .width = 2.0, .dash = 6.0});
}

void draw_window(Canvas& canvas) {
    const World world = canvas.world("window");
    const Aabb map = debug::world_bounds(world.grid.state());
    const Aabb seen{{map.low.x - 1, map.low.y - 9},
                    {map.high.x + 1, map.high.y + 9}};  // the window is higher than the map
    canvas.layout(
        {.columns = 2,
         .panels = {{seen, "Fixed: 60 x 60 cells"}, {seen, "Grown until the goal is reached"}},
         .legend = {legend::wall(),
                    legend::start(),
                    legend::goal(),
                    legend::route(),
                    {.text = "window of 60 x 60 cells", .color = palette::kPortal, .mark = Mark::dashed}}});
    std::size_t index = 0;
    for (const char* name : {"fixed", "growing"}) {
        const Plan plan = make_plan(world, name);
        canvas.panel(index, [&](const Sink& sink) {
            draw_plan(world, plan, sink, {.search = false});
            draw_frame(plan, 60, sink);
        });
        canvas.note(index, plan_text(plan));
        canvas.row(plan_row(name, plan));
        ++index;
    }
}

/// Better routes as the budget grows: steps until the cost falls, at most four times.
void draw_anytime(Canvas& canvas) {
    const World world = canvas.world("trap");
    const GridState& grid = world.grid.state();
    std::vector<Plan> plans;
    Scratch scratch;
    const GridQuery query = world.query("anytime").grid_query();
    debug::Trace seen;
    GridSearch search{world.grid, query, scratch, {.trace = seen.hook()}};
    while (search.running()) {
        search.step(16);
        Plan plan;
        plan.query = query;
        const Result<void> taken = search.take(plan.route);
        if (!taken) throw DemoError{"anytime: no route"};
        const bool better = plan.route.status == PathStatus::complete &&
                            (plans.empty() || plan.route.bound < plans.back().route.bound - 1e-9);
        if (better) {
            for (const debug::TraceEvent& event : seen.events())
                plan.trace.add(event.kind, event.position, event.from, event.layer);
            debug::add_path(plan.trace, plan.route);
            plan.violation = verify(plan.route, grid, query.agent);
            plans.push_back(std::move(plan));
        }
    }
    if (plans.empty()) throw DemoError{"anytime: no route"};
    if (plans.size() > 4) plans.erase(plans.begin() + 3, plans.end() - 1);
    Layout layout{
        .columns = plans.size() == 3 ? 3 : 2,
        .legend = {legend::wall(), legend::start(), legend::goal(), legend::route(), legend::expanded()}};
    for (const Plan& plan : plans) {
        layout.panels.push_back({debug::world_bounds(grid),
                                 "at most " + number_text(plan.route.bound, 3) + " times the optimum"});
    }
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < plans.size(); ++i) {
        canvas.panel(i, [&](const Sink& sink) { draw_plan(world, plans[i], sink); });
        canvas.note(i, plan_text(plans[i]));
        canvas.row(plan_row("answer " + std::to_string(i + 1), plans[i]));
    }
}

constexpr Figure kSearchFigures[] = {
    {"trap", "A trap on the straight way",
     "The pocket opens towards the start. A* looks at little more than it must, Dijkstra at everything "
     "nearer than the goal; greedy search is quick and wrong; a weight of 2 is quick and at most twice as "
     "long.",
     "S1 S2 S3 S8 E1 E2 G1 G3", draw_trap},
    {"trace", "What the search looked at",
     "Expanded cells from the first to the last, cells that were still open, and the count: feedback for "
     "level designers. The recorder costs nothing when it is not asked for.",
     "G1 G2 G3", draw_trace},
    {"jump_point", "Jump points",
     "Scans along rows, columns and diagonals run past everything that has only one way on, and stop where a "
     "wall ends. Few states are opened.",
     "S1 S6 G1", draw_jump_point},
    {"cave_jump_point", "Jump points in a cave",
     "The states that jump point search opens on rougher ground, in the order in which it opens them.",
     "S1 G1", draw_cave_jump},
    {"bidirectional", "From both ends",
     "Two searches meet in the middle. What it saves depends on the map; the answer is the same.", "B4 G3",
     draw_cave},
    {"dense", "Dense ground",
     "On ground this cluttered jumps are short and open a good third of the states that A* with buckets "
     "opens; "
     "each of its states is the cheaper one. The two take about the same time.",
     "S1", draw_dense},
    {"anytime", "Better while time lasts",
     "A first route at once, then better ones, each with the factor that it may exceed the optimum by.", "S3",
     draw_anytime},
    {"turns", "Fewer turns, for a price",
     "A price on every change of heading. The state is the cell and the heading, so the answer is optimal "
     "for that price.",
     "S7 E4", draw_turns},
    {"corners", "May it cut the corner?",
     "Three rules for a diagonal step past walls. For units with a body, geometry decides.", "C13 S6",
     draw_corners},
    {"neighbours", "Eight neighbours or four", "The same map with and without diagonal steps.", "S6 S2",
     draw_neighbours},
    {"window", "A search inside a window",
     "The articles' engine: sixty by sixty cells around the middle of start and goal, 57 600 bytes. The way "
     "round the arms leaves the window, so a fixed one finds nothing.",
     "F1 F2 C9", draw_window},
};

}  // namespace

std::span<const Figure> search_figures() { return kSearchFigures; }

}  // namespace fairlead::gallery
