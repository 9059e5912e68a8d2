// Cover and threat: what guards see, priced for one query.
#include <algorithm>
#include <string>
#include <vector>

#include <fairlead/bridge/tile_sight.h>
#include <fairlead/grid/find_route.h>

#include "gallery/figures.h"
#include "gallery/need.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;

struct Watched {
    const GridState& grid;
    std::vector<Vec2> guards{};
    std::vector<std::uint8_t> threat{};

    static std::uint8_t class_of(Cell cell, void* user) {
        const auto& self = *static_cast<const Watched*>(user);
        const int price = self.threat[static_cast<std::size_t>(cell.y * self.grid.width() + cell.x)];
        return price == 0 ? debug::kNoClass : static_cast<std::uint8_t>(std::min(price, 9) - 1);
    }
};

Watched watched(const GridState& grid, std::vector<Vec2> guards) {
    Watched all{grid, std::move(guards)};
    const TileSight sight(grid);
    for (std::int32_t y = 0; y < grid.height(); ++y) {
        for (std::int32_t x = 0; x < grid.width(); ++x) {
            double seen = 0.0;
            for (const Vec2 guard : all.guards) {
                if (sight.clear(guard, cell_centre(x, y), 0.0))
                    seen += 40.0 / (4.0 + distance(guard, cell_centre(x, y)));
            }
            all.threat.push_back(static_cast<std::uint8_t>(std::min(seen, 255.0)));
        }
    }
    return all;
}

/// How much of a route the guards see.
double seen_of(const Route& route, const Watched& all) {
    const TileSight sight(all.grid);
    double seen = 0.0;
    for (double at = 0.0; at < route.length; at += 0.1) {
        const Vec2 here = ground(place_on_route(route, at).position);
        const bool is_seen = std::any_of(all.guards.begin(), all.guards.end(),
                                         [&](Vec2 guard) { return sight.clear(guard, here, 0.0); });
        seen += is_seen ? 0.1 : 0.0;
    }
    return seen;
}

void draw_cover(Canvas& canvas) {
    const World world = canvas.world("cover");
    const GridState& state = world.grid.state();
    std::vector<Vec2> guards;
    for (std::int32_t y = 0; y < state.height(); ++y) {
        for (std::int32_t x = 0; x < state.width(); ++x) {
            const char letter = world.letter({x, y, 0});
            if (letter == 'C' || letter == 'D') guards.push_back(cell_centre(x, y));
        }
    }
    Watched all = watched(state, guards);
    std::vector<debug::Fill> fills;
    for (int i = 1; i <= 9; ++i) fills.push_back({palette::influence(i / 9.0), 0.7});
    const char* names[] = {"seen or not", "what is seen is dear", "to where the player is in sight"};
    Layout layout{.panels = {{debug::world_bounds(state)}},
                  .legend = {legend::wall(),
                             {.text = "what the guards see, dearer near them",
                              .color = palette::influence(0),
                              .mark = Mark::ramp,
                              .middle = palette::influence(0.5),
                              .last = palette::influence(1)},
                             {.text = "guard", .color = palette::kWarning, .mark = Mark::dot}}};
    for (int i = 0; i < 3; ++i)
        layout.legend.push_back({.text = names[i], .color = palette::route(i), .mark = Mark::line});
    canvas.layout(std::move(layout));
    GridQuery query = world.query("straight on").grid_query();
    const Goal player = query.goal;
    Scratch scratch;
    std::vector<Route> routes;
    for (int i = 0; i < 3; ++i) {
        if (i > 0) query.influence = {.cells = all.threat, .weight = 2};
        if (i == 2) query.goal = Goal::in_sight(player.at, 20.0);
        routes.push_back(need(find_route(state, query, scratch)));
    }
    canvas.panel(0, [&](const debug::Sink& sink) {
        debug::draw_cells(state, {}, Watched::class_of, &all, fills, sink);
        debug::draw(state, sink, {.paper = false, .lines = false});
        for (int i = 0; i < 3; ++i)
            debug::draw(routes[static_cast<std::size_t>(i)], query.agent, sink,
                        {.color = palette::route(i), .body = false});
        for (const Vec2 guard : all.guards)
            debug::draw_circle(sink, {guard.x, guard.y, 0.0}, 0.6, debug::Fill{palette::kWarning},
                               debug::Stroke{.opacity = 0.0});
    });
    std::string text;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string told = "length " + number_text(routes[i].length, 1) + ", seen on " +
                                 number_text(seen_of(routes[i], all), 1);
        text += (i == 0 ? "" : "; ") + told;
        canvas.row({.label = names[i], .planner = routes[i].planner, .note = told});
    }
    canvas.note(0, text);
}

constexpr Figure kCoverFigures[] = {
    {"cover", "Run around cover",
     "Two guards. Every cell that one of them sees costs more for this unit, the nearer the more: it runs "
     "along "
     "the backs of the walls. Asked for a place in sight of the player it stops there.",
     "X4", draw_cover},
};

}  // namespace

std::span<const Figure> cover_figures() { return kCoverFigures; }

}  // namespace fairlead::gallery
