// The article's grids: the cost of each square, the graph that a grid is, and what a finer one buys. On the yard of the mesh figures.
#include <cstdint>
#include <string>
#include <vector>

#include "gallery/figures.h"
#include "gallery/need.h"
#include "gallery/plan.h"
#include "gallery/yard.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::at_height;
using debug::Sink;

const Aabb kYardFrame{{-0.4, -0.4}, {26.4, 15.4}};
constexpr Vec2 kFrom{1.5, 6.5};
constexpr Vec2 kTo{24.6, 7.0};

[[nodiscard]] bool inside(const std::vector<Vec2>& ring, Vec2 p) {
    bool in = false;
    for (std::size_t i = 0, k = ring.size() - 1; i < ring.size(); k = i++) {
        const Vec2 a = ring[i], b = ring[k];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) in = !in;
    }
    return in;
}

[[nodiscard]] bool open_ground(const std::vector<std::vector<Vec2>>& rings, Vec2 p) {
    if (!inside(rings[0], p)) return false;
    for (std::size_t i = 1; i < rings.size(); ++i) {
        if (inside(rings[i], p)) return false;
    }
    return true;
}

/// Mud and a puddle in the north of the yard: what it costs to enter a square there.
[[nodiscard]] std::uint8_t cost_at(Vec2 p) {
    const double mud = distance(p, {5.4, 11.6}), puddle = distance(p, {16.5, 13.6});
    if (mud < 1.3 || puddle < 0.9) return 5;
    if (mud < 2.6 || puddle < 1.9) return 3;
    return 1;
}

/// A square is open where no part of it is built on; its cost is that of its middle.
[[nodiscard]] Grid rasterise(double size) {
    const auto rings = yard_rings();
    const auto columns = static_cast<std::int32_t>(26.0 / size + 0.5);
    const auto rows = static_cast<std::int32_t>(15.0 / size + 0.5);
    std::vector<std::uint8_t> tiles;
    for (std::int32_t y = 0; y < rows; ++y) {
        for (std::int32_t x = 0; x < columns; ++x) {
            bool open = true;
            for (int v = 0; v <= 12; ++v) {
                for (int u = 0; u <= 12; ++u) {
                    const Vec2 p{(x + (u * 0.98 + 0.12) / 12.0) * size,
                                 (y + (v * 0.98 + 0.12) / 12.0) * size};
                    open = open && open_ground(rings, p);
                }
            }
            tiles.push_back(open ? cost_at({(x + 0.5) * size, (y + 0.5) * size}) : std::uint8_t{0});
        }
    }
    return need(Grid::make({.width = columns, .height = rows, .cell_size = size}, tiles));
}

[[nodiscard]] Route route_over(const Grid& grid) {
    Scratch scratch;
    Route route = need(find_route(
        grid.state(),
        GridQuery{.start = kFrom, .goal = kTo, .planner = GridPlanner::astar, .smoothing = Smoothing::none},
        scratch));
    if (route.status != PathStatus::complete) throw DemoError{"no way over the yard"};
    return route;
}

struct Counts {
    std::int64_t open = 0;
    std::int64_t reached = 0;  ///< of those, what the start can reach
    std::int64_t edges = 0;    ///< between neighbours, eight a square, each counted once
};

[[nodiscard]] bool joined(const GridState& grid, Cell cell) {
    const Result<bool> both = grid.connected(grid.cell_at(kFrom), cell, Agent{});
    if (!both.has_value()) throw DemoError{"a size that the grid does not know"};
    return *both;
}

/// Is the step to a neighbour allowed? Diagonal ones do not cut corners.
[[nodiscard]] bool step_free(const GridState& grid, Cell from, std::int32_t dx, std::int32_t dy) {
    const Cell to{from.x + dx, from.y + dy};
    return grid.inside(to) && !grid.blocked(from) && !grid.blocked(to) && !grid.blocked({to.x, from.y}) &&
           !grid.blocked({from.x, to.y});
}

template <class Each>
void each_cell(const GridState& grid, Each&& each) {
    for (std::int32_t y = 0; y < grid.height(); ++y) {
        for (std::int32_t x = 0; x < grid.width(); ++x) {
            if (!grid.blocked({x, y})) each(Cell{x, y});
        }
    }
}

constexpr std::int32_t kHalfOfEight[][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}};

[[nodiscard]] Counts count(const GridState& grid) {
    Counts counts;
    each_cell(grid, [&](Cell cell) {
        ++counts.open;
        counts.reached += joined(grid, cell) ? 1 : 0;
        for (const auto& step : kHalfOfEight) counts.edges += step_free(grid, cell, step[0], step[1]) ? 1 : 0;
    });
    return counts;
}

void shade_unreached(const GridState& grid, const Sink& sink) {
    each_cell(grid, [&](Cell cell) {
        if (joined(grid, cell)) return;
        const double size = grid.cell_size();
        const Aabb box{{cell.x * size, cell.y * size}, {(cell.x + 1) * size, (cell.y + 1) * size}};
        debug::draw_boxes(sink, {&box, 1}, 0.0, {palette::kWarning, 0.35});
    });
}

void draw_outline_of_yard(const Sink& sink) {
    for (const std::vector<Vec2>& ring : yard_rings()) {
        std::vector<Vec3> points;
        for (const Vec2 p : ring) points.push_back(at_height(p));
        debug::draw_outline(sink, points, {palette::kInk, 1.4});
    }
}

void draw_costs(Canvas& canvas) {
    const Grid grid = rasterise(1.0);
    const Route route = route_over(grid);
    canvas.layout({.panels = {{kYardFrame, ""}},
                   .legend = {legend::wall(),
                              legend::terrain(3),
                              legend::terrain(5),
                              {.text = "buildings", .color = palette::kInk, .mark = Mark::line},
                              legend::route(),
                              legend::start(),
                              legend::goal()}});
    canvas.panel(0, [&](const Sink& sink) {
        debug::draw(grid.state(), sink);
        shade_unreached(grid.state(), sink);
        draw_outline_of_yard(sink);
        each_cell(grid.state(), [&](Cell cell) {
            debug::draw_text(sink, {cell.x + 0.5, cell.y + 0.34, 0.0},
                             std::to_string(grid.state().tile(cell)).c_str(),
                             {.color = palette::kFaint, .size = 11.0, .anchor = debug::Anchor::middle});
        });
        debug::draw(route, {}, sink);
    });
    canvas.note(0, "cost " + number_text(route.cost) + ", length " + number_text(route.length));
    canvas.row(row_of("squares with costs", route));
}

void draw_grid_graph(Canvas& canvas) {
    const Grid grid = rasterise(1.0);
    const GridState& state = grid.state();
    const Counts counts = count(state);
    const Route route = route_over(grid);
    canvas.layout({.panels = {{kYardFrame, ""}},
                   .legend = {{.text = "node: a square", .color = palette::kPortal, .mark = Mark::dot},
                              {.text = "edge: a step", .color = palette::kPortal, .mark = Mark::line},
                              {.text = "buildings", .color = palette::kInk, .mark = Mark::line},
                              legend::route()}});
    canvas.panel(0, [&](const Sink& sink) {
        debug::draw(state, sink, {.terrain = false, .lines = false});
        each_cell(state, [&](Cell cell) {
            const Vec2 at = state.cell_centre(cell);
            for (const auto& step : kHalfOfEight) {
                if (!step_free(state, cell, step[0], step[1])) continue;
                debug::draw_line(
                    sink, at_height(at),
                    at_height(at + Vec2{static_cast<double>(step[0]), static_cast<double>(step[1])}),
                    {palette::kPortal, 0.8});
            }
        });
        each_cell(state, [&](Cell cell) {
            debug::draw_circle(sink, at_height(state.cell_centre(cell)), 2.6 * sink.point, {palette::kPortal},
                               debug::kNoStroke);
        });
        draw_outline_of_yard(sink);
        debug::draw(route, {}, sink, {.body = false, .waypoints = false});
    });
    const std::string text = count_text(static_cast<std::uint64_t>(counts.open)) + " nodes, " +
                             count_text(static_cast<std::uint64_t>(counts.edges)) + " edges";
    canvas.note(0, text);
    canvas.row({.label = "graph of the grid", .note = text});
}

void draw_resolutions(Canvas& canvas) {
    const double sizes[] = {2.0, 1.0, 0.5};
    Layout layout{.columns = 1,
                  .legend = {legend::wall(),
                             {.text = "open, and out of reach", .color = palette::kWarning, .opacity = 0.35},
                             {.text = "buildings", .color = palette::kInk, .mark = Mark::line},
                             legend::route()},
                  .width = 620.0};
    for (const double size : sizes) layout.panels.push_back({kYardFrame, "Squares of " + number_text(size)});
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < 3; ++i) {
        const Grid grid = rasterise(sizes[i]);
        const GridState& state = grid.state();
        const Counts counts = count(state);
        Scratch scratch;
        const Route route = need(find_route(
            state,
            GridQuery{
                .start = kFrom, .goal = kTo, .planner = GridPlanner::astar, .smoothing = Smoothing::none},
            scratch));
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(state, sink, {.terrain = false});
            shade_unreached(state, sink);
            draw_outline_of_yard(sink);
            debug::draw(route, {}, sink, {.body = false, .waypoints = false});
        });
        const std::string text =
            count_text(static_cast<std::uint64_t>(state.width()) *
                       static_cast<std::uint64_t>(state.height())) +
            " squares; open ground " +
            number_text(static_cast<double>(counts.open) * sizes[i] * sizes[i], 1) +
            ", of that out of reach " +
            number_text(static_cast<double>(counts.open - counts.reached) * sizes[i] * sizes[i], 1);
        canvas.note(i, text);
        Row row = row_of("squares of " + number_text(sizes[i]), route);
        row.note = text;
        canvas.row(std::move(row));
    }
}

constexpr Figure kArticleGridFigures[] = {
    {"article_grid_costs", "The article on grids: what each square costs",
     "The number in a square is the cost of entering it from its neighbour. The route goes round mud and "
     "puddle "
     "where that is cheaper.",
     "W3", draw_costs},
    {"article_grid_graph", "The article on grids: a grid is a graph",
     "A node a square, an edge to each neighbour that a step leads to: a grid is a compact way to write down "
     "a very "
     "dense graph.",
     "W1 W3", draw_grid_graph},
    {"article_grid_fine", "The article on grids: coarse and fine",
     "With large squares narrow ways close and corners are lost. Squares of half the side show the world "
     "better and "
     "take four times the memory.",
     "W3", draw_resolutions},
};

}  // namespace

std::span<const Figure> article_grid_figures() { return kArticleGridFigures; }

}  // namespace fairlead::gallery
