// The tile world itself: terrain, clearance, connectivity, and the article's test of a straight line.
#include <algorithm>

#include <fairlead/base/rng.h>
#include <fairlead/math/swept.h>
#include <fairlead/math/trig.h>

#include "gallery/figures.h"
#include "gallery/plan.h"
#include "gallery/walkable.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Fill;
using debug::Sink;
using debug::Stroke;

/// The roads of the town are no terrain of their own; they are only painted.
void draw_letters(const World& world, char letter, debug::Color color, const Sink& sink) {
    struct Wanted {
        const World& world;
        char letter;
    };
    Wanted wanted{world, letter};
    const Fill fill{color};
    debug::draw_cells(
        world.grid.state(), {},
        [](Cell cell, void* user) -> std::uint8_t {
            const Wanted& w = *static_cast<Wanted*>(user);
            return w.world.letter(cell) == w.letter ? 0 : debug::kNoClass;
        },
        &wanted, std::span{&fill, 1}, sink);
}

void draw_town(Canvas& canvas) {
    const World world = canvas.world("town");
    const GridState& grid = world.grid.state();
    const Plan walker = make_plan(world, "a walker");
    const Plan cart = make_plan(world, "a cart");
    const debug::Color road = debug::rgb(0xedeff2);
    canvas.layout({.panels = {{debug::world_bounds(grid)}},
                   .legend = {legend::wall(),
                              {.text = "road", .color = road},
                              {.text = "grass, cost 3", .color = palette::terrain(palette::terrain_class(3))},
                              legend::route("radius 0.4"),
                              {.text = "radius 0.95", .color = palette::kOther, .mark = Mark::line},
                              legend::start(),
                              legend::goal()}});
    canvas.panel(0, [&](const Sink& sink) {
        draw_letters(world, 'r', road, sink);
        debug::draw(grid, sink, {.paper = false});
        draw_plan(world, cart, sink, {.map = false, .search = false, .color = palette::kOther});
        draw_plan(world, walker, sink, {.map = false, .search = false});
    });
    canvas.note(0, count_text(static_cast<std::uint64_t>(grid.free_cells())) + " free cells");
    canvas.row(plan_row("a walker", walker));
    canvas.row(plan_row("a cart", cart));
}

void draw_clearance(Canvas& canvas) {
    const World world = canvas.world("cave");
    const GridState& grid = world.grid.state();
    canvas.layout({.panels = {{debug::world_bounds(grid)}},
                   .legend = {legend::wall(),
                              {.text = "clearance, 0 to 4 cells",
                               .color = palette::clearance(0),
                               .mark = Mark::ramp,
                               .middle = palette::clearance(0.5),
                               .last = palette::clearance(1)}}});
    canvas.panel(0,
                 [&](const Sink& sink) { debug::draw(grid, sink, {.lines = false, .clearance_max = 4.0}); });
    canvas.note(0, count_text(static_cast<std::uint64_t>(grid.free_cells())) + " free cells");
    canvas.row({.label = "cave", .note = std::to_string(grid.free_cells()) + " free cells"});
}

/// Numbers the components of a size of unit in the order of their first cells, by asking which earlier ones
/// each cell is connected with.
class Components {
  public:
    Components(const GridState& grid, const Agent& agent) : grid_(grid), agent_(agent) {
        classes_.assign(static_cast<std::size_t>(grid.width()) * static_cast<std::size_t>(grid.height()),
                        debug::kNoClass);
        for (std::int32_t y = 0; y < grid.height(); ++y) {
            for (std::int32_t x = 0; x < grid.width(); ++x) {
                if (grid.can_stand({x, y}, agent)) at({x, y}) = find({x, y});
            }
        }
    }
    [[nodiscard]] static std::uint8_t class_of(Cell cell, void* user) {
        return static_cast<Components*>(user)->at(cell);
    }
    [[nodiscard]] std::size_t count() const { return firsts_.size(); }

  private:
    [[nodiscard]] std::uint8_t& at(Cell cell) {
        return classes_[static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(grid_.width()) +
                        static_cast<std::size_t>(cell.x)];
    }
    [[nodiscard]] std::uint8_t find(Cell cell) {
        for (std::size_t i = 0; i < firsts_.size(); ++i) {
            const Result<bool> joined = grid_.connected(firsts_[i], cell, agent_);
            if (joined.has_value() && *joined) return static_cast<std::uint8_t>(i);
        }
        firsts_.push_back(cell);
        return static_cast<std::uint8_t>(firsts_.size() - 1);
    }

    const GridState& grid_;
    Agent agent_;
    std::vector<Cell> firsts_;
    std::vector<std::uint8_t> classes_;
};

void draw_components(Canvas& canvas) {
    const World world = canvas.world("islands");
    const GridState& grid = world.grid.state();
    const Aabb bounds = debug::world_bounds(grid);
    canvas.layout({.columns = 2,
                   .panels = {{bounds, "radius 0.4"}, {bounds, "radius 0.9"}},
                   .legend = {legend::wall(),
                              {.text = "one tint a component; white: too narrow to stand",
                               .color = palette::tint(0)}}});
    std::vector<Fill> fills;
    for (int i = 0; i < debug::kNoClass; ++i) fills.push_back({palette::tint(i)});
    std::size_t index = 0;
    for (const double radius : {0.4, 0.9}) {
        Components components{grid, {.radius = radius}};
        canvas.panel(index, [&](const Sink& sink) {
            debug::draw_cells(grid, {}, Components::class_of, &components, fills, sink);
            debug::draw(grid, sink, {.paper = false});
        });
        canvas.note(index, std::to_string(components.count()) + " components");
        canvas.row({.label = "radius " + number_text(radius),
                    .note = std::to_string(components.count()) + " components"});
        ++index;
    }
}

/// One straight move: its line and the ground that it sweeps.
void draw_swept(Vec2 a, Vec2 b, double radius, bool ends, const Sink& sink) {
    Route line;
    line.status = PathStatus::complete;
    line.end.position = {b.x, b.y, 0};
    Leg leg;
    leg.start.position = {a.x, a.y, 0};
    leg.start.heading_rad = math::atan2(b.y - a.y, b.x - a.x);
    leg.length = distance(a, b);
    if (!line.legs.push_back(leg)) throw DemoError{"out of memory"};
    debug::draw(line, {.radius = radius}, sink, {.width = 1.2, .casing = false, .ends = ends});
}

void draw_line_test(const GridState& grid, Vec2 a, Vec2 b, double radius, const Walkable& result,
                    const Sink& sink) {
    debug::draw(grid, sink);
    for (const Cell cell : result.overlapped) {
        const Aabb box{{static_cast<double>(cell.x), static_cast<double>(cell.y)},
                       {cell.x + 1.0, cell.y + 1.0}};
        debug::draw_boxes(sink, std::span{&box, 1}, 0, Fill{palette::kWarning});
    }
    draw_swept(a, b, radius, true, sink);
    for (const Vec2 p : sample_points(a, b, radius)) {
        debug::draw_circle(sink, debug::at_height(p), 1.6 * sink.point, Fill{palette::kRoute},
                           debug::kNoStroke);
    }
}

void draw_walkable(Canvas& canvas) {
    const World worlds[] = {canvas.world("article_3_walkable"), canvas.world("article_3_wide")};
    const char* names[] = {"unit width", "wide"};
    canvas.layout({.columns = 2,
                   .panels = {{{{6, 2}, {14, 8.5}}, "A unit one tile wide"},
                              {{{10, 0}, {20, 8.125}}, "A unit 2.8 tiles wide"}},
                   .legend = {legend::wall(),
                              {.text = "points tried", .color = palette::kRoute, .mark = Mark::dot},
                              legend::body(),
                              {.text = "overlapped, and no point touches it", .color = palette::kWarning}}});
    for (std::size_t i = 0; i < 2; ++i) {
        const GridState& grid = worlds[i].grid.state();
        const GridQuery& query = worlds[i].query(names[i]).plain;
        const Vec2 from = query.start.ground();
        const Vec2 to = query.goal.at.ground();
        const Walkable result = test_move(grid, from, to, query.agent.radius);
        canvas.panel(
            i, [&](const Sink& sink) { draw_line_test(grid, from, to, query.agent.radius, result, sink); });
        const std::string verdict = std::string{"points every 0.2 tiles: "} +
                                    (result.sampled_free ? "free" : "blocked") +
                                    "; exact sweep: " + (result.overlapped.empty() ? "free" : "blocked");
        canvas.note(i, verdict);
        canvas.row({.label = names[i],
                    .length = distance(from, to),
                    .legal = result.overlapped.empty(),
                    .note = verdict});
    }
}

/// Ground swept by moves that lead through walls and that the sampled test calls free, and the walls that they meet.
void draw_missed(const GridState& grid, const Misses& misses, double radius, std::size_t count,
                 const Sink& sink) {
    debug::draw(grid, sink);
    for (std::size_t i = 0; i < std::min(count, misses.accepted.size()); ++i) {
        const Move& move = misses.accepted[i];
        draw_swept(move.from, move.to, radius, false, sink);
        for (const Cell cell : test_move(grid, move.from, move.to, radius).overlapped) {
            const Aabb box{{static_cast<double>(cell.x), static_cast<double>(cell.y)},
                           {cell.x + 1.0, cell.y + 1.0}};
            debug::draw_boxes(sink, std::span{&box, 1}, 0, Fill{palette::kWarning});
        }
    }
}

void draw_misses(Canvas& canvas) {
    constexpr int kMoves = 4000;
    constexpr double kRadii[] = {0.3, 0.5, 0.7, 0.9, 1.2, 1.4};
    constexpr double kDrawnRadius = 0.7;
    constexpr std::size_t kDrawn = 12;
    constexpr double kHeight = 4.0;  // of the chart
    const World world = canvas.world("cave");
    const GridState& grid = world.grid.state();
    canvas.layout(
        {.panels = {{debug::world_bounds(grid),
                     std::to_string(kDrawn) + " of the missed moves, radius " + number_text(kDrawnRadius)},
                    {.world = {{-0.6, 0.1}, {12.2, kHeight}}, .title = "How many are missed", .chart = true}},
         .legend = {legend::wall(),
                    legend::body(),
                    {.text = "overlapped, and called free", .color = palette::kWarning},
                    legend::route("the exact sweep: none")}});
    canvas.panel(1, [&](const Sink& sink) {
        for (int percent = 0; percent <= 8; percent += 2) {
            const double y = kHeight - 0.6 - percent * 0.38;
            debug::draw_line(sink, {0, y, 0}, {12.2, y, 0}, {.color = palette::kGridLine});
            debug::draw_text(sink, {-0.1, y + 0.07, 0}, (std::to_string(percent) + " %").c_str(),
                             {.color = palette::kFaint, .size = 12, .anchor = debug::Anchor::end});
        }
        double x = 0.5;
        for (const double radius : kRadii) {
            const Misses misses = count_misses(grid, radius, kMoves);
            const double base = kHeight - 0.6;
            const Aabb bar{{x, base - misses.percent() * 0.38}, {x + 1.1, base}};
            debug::draw_boxes(sink, std::span{&bar, 1}, 0, Fill{palette::kWarning, 0.85});
            debug::draw_text(
                sink, {x + 0.55, bar.low.y - 0.1, 0}, (number_text(misses.percent(), 1) + " %").c_str(),
                {.color = palette::kInk, .size = 12, .anchor = debug::Anchor::middle, .bold = true});
            debug::draw_text(sink, {x + 0.55, base + 0.3, 0}, ("radius " + number_text(radius)).c_str(),
                             {.color = palette::kInk, .size = 12, .anchor = debug::Anchor::middle});
            canvas.row({.label = "radius " + number_text(radius),
                        .note = std::to_string(misses.accepted.size()) + " of " +
                                std::to_string(misses.illegal) + " accepted"});
            x += 2.0;
        }
        debug::draw_line(sink, {0, kHeight - 0.6, 0}, {12.2, kHeight - 0.6, 0},
                         {.color = palette::kRoute, .width = 2.5});
    });
    canvas.panel(0, [&](const Sink& sink) {
        draw_missed(grid, count_misses(grid, kDrawnRadius, kMoves, 7), kDrawnRadius, kDrawn, sink);
    });
    canvas.note(0, "random moves of up to 12 cells in the cave");
    canvas.note(1, std::to_string(kMoves) + " moves that overlap a wall, for each radius");
}

constexpr Figure kMapFigures[] = {
    {"town", "A tile world",
     "Walls, and terrain that costs more to enter. The picture merges walls into few rectangles, so that "
     "large maps stay small files.",
     "W3 W7 C3", draw_town},
    {"clearance", "Clearance",
     "The exact distance from each cell to the nearest wall, kept up to date under edits. It is what lets "
     "one map serve units of every size.",
     "C3", draw_clearance},
    {"components", "Islands, for each size of unit",
     "Which cells can reach each other, kept for each registered size. A goal on another island is refused "
     "without a search.",
     "B4 C14", draw_components},
    {"article_3_walkable", "The article's Figure 3: is the line free?",
     "The sampled test tries four points of the body every 0.2 tiles. A corner slips between them, and the "
     "line passes; the exact sweep sees it.",
     "P2 C1 C2 C3", draw_walkable},
    {"sampled_misses", "What sampling lets through",
     "Of the straight moves that would take the body through a wall, the share that the sampled test calls "
     "free. The sampled test is kept only for this demonstration.",
     "P2 C1 C2 C3 C4", draw_misses},
};

}  // namespace

std::span<const Figure> map_figures() { return kMapFigures; }

}  // namespace fairlead::gallery
