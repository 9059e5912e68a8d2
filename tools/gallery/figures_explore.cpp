// Moving pictures of units that do not know the map: what they have seen, the way that they mean to go, the way that they went.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fairlead/grid/explore.h>
#include <fairlead/grid/find_route.h>

#include "gallery/figures.h"
#include "gallery/need.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;

constexpr double kSecondsASample = 0.3;

struct Walk {
    Mover unit{};
    std::vector<std::size_t> seen_from{};  ///< by cell: the sample from which on it is known
    std::vector<Passing> plans{};
    std::string note{};
};

/// In the way of `mode`, a sample a step.
Walk play(const World& world, ExploreMode mode) {
    const GridQuery asked = world.query("known").grid_query();
    const Vec2 start = ground(asked.start.position), goal = ground(asked.goal.at.position);
    const GridState& state = world.grid.state();
    const auto cells = static_cast<std::size_t>(state.width()) * static_cast<std::size_t>(state.height());
    Walk walk;
    walk.unit = {.color = palette::kRoute, .radius = 0.45};
    walk.seen_from.assign(cells, SIZE_MAX);
    Scratch scratch;
    Explorer scout = need(Explorer::make(
        state, {.mode = mode, .agent = {.radius = 0.4}, .sight = 7.0, .stride = 2.0, .region_cells = 8}));
    need(scout.begin(start, goal));
    std::uint32_t plans = 0;
    const auto sample = [&] {
        const Vec2 at = scout.position();
        walk.unit.places.push_back(Place{{at.x, at.y, 0.0}, 0.0, 0});
    };
    sample();
    while (scout.status() == ExploreStatus::going && walk.unit.places.size() < 400) {
        const std::size_t now = walk.unit.places.size() - 1;  // looked round here
        need(scout.step(state, scratch));
        for (std::size_t i = 0; i < cells; ++i) {
            const auto x = static_cast<std::int32_t>(i % static_cast<std::size_t>(state.width()));
            const auto y = static_cast<std::int32_t>(i / static_cast<std::size_t>(state.width()));
            if (walk.seen_from[i] == SIZE_MAX && scout.seen({x, y, 0})) walk.seen_from[i] = now;
        }
        if (scout.stats().plans != plans && !scout.plan().legs.empty()) {
            plans = scout.stats().plans;
            if (!walk.plans.empty()) walk.plans.back().until = now;
            Passing plan{.color = palette::kOther, .width = 1.6, .from = now};
            for (const Leg& leg : scout.plan().legs) plan.line.push_back(ground(leg.start.position));
            plan.line.push_back(ground(scout.plan().end.position));
            walk.plans.push_back(plan);
        }
        if (scout.position() != ground(walk.unit.places.back().position)) sample();
    }
    const Route best = need(find_route(state, asked, scratch));
    const std::string status = explore_status_name(scout.status());
    walk.note = status + ": walked " + number_text(scout.walked().length, 1) + " in " +
                std::to_string(scout.stats().steps) + " steps, " + std::to_string(scout.stats().plans) +
                " plans; the best way is " + number_text(best.length, 1);
    return walk;
}

/// What is not known yet at each sample, rows of cells merged.
std::vector<Passing> fog(const Walk& walk, const GridState& state) {
    const std::size_t samples = walk.unit.places.size();
    std::vector<Passing> veils;
    std::vector<std::size_t> moments = walk.seen_from;
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    for (const std::size_t until : moments) {
        if (until == 0) continue;
        Passing veil{.color = palette::kFaint, .opacity = 0.62, .until = std::min(until, samples)};
        for (std::int32_t y = 0; y < state.height(); ++y) {
            for (std::int32_t x = 0; x < state.width();) {
                const auto at = [&](std::int32_t column) {
                    return walk.seen_from[static_cast<std::size_t>(y * state.width() + column)];
                };
                std::int32_t end = x + 1;
                while (end < state.width() && at(end) == at(x)) ++end;
                const auto x0 = static_cast<double>(x), y0 = static_cast<double>(y);
                if (at(x) == until) veil.boxes.push_back({{x0, y0}, {static_cast<double>(end), y0 + 1.0}});
                x = end;
            }
        }
        veils.push_back(veil);
    }
    return veils;
}

/// The way behind the unit.
std::vector<Passing> trail(const Walk& walk) {
    std::vector<Passing> pieces;
    for (std::size_t i = 1; i < walk.unit.places.size(); ++i) {
        const Vec2 from = ground(walk.unit.places[i - 1].position), to = ground(walk.unit.places[i].position);
        pieces.push_back({.line = {from, to}, .color = palette::kRoute, .from = i});
    }
    return pieces;
}

void draw_walk(Canvas& canvas, std::size_t panel, const World& world, const Walk& walk,
               const std::string& label) {
    const GridState& state = world.grid.state();
    const GridQuery asked = world.query("known").grid_query();
    canvas.panel(panel, [&](const debug::Sink& sink) {
        debug::draw(state, sink, {.lines = false});
        debug::draw(asked.goal, sink);
    });
    const std::size_t samples = walk.unit.places.size(), still = samples / 2;
    canvas.pass(panel, fog(walk, state), samples, kSecondsASample, still);
    canvas.pass(panel, walk.plans, samples, kSecondsASample, still);
    canvas.pass(panel, trail(walk), samples, kSecondsASample, still);
    canvas.move(panel, {&walk.unit, 1}, kSecondsASample, still);
    canvas.note(panel, walk.note);
    canvas.row({.label = label, .note = walk.note});
}

Layout layout_of(const World& world, std::vector<std::string> titles) {
    Layout layout{.legend = {legend::wall(),
                             {.text = "not seen yet", .color = palette::kFaint, .opacity = 0.62},
                             {.text = "walked", .color = palette::kRoute, .mark = Mark::line},
                             {.text = "means to go", .color = palette::kOther, .mark = Mark::line},
                             legend::goal()}};
    for (std::string& title : titles)
        layout.panels.push_back({debug::world_bounds(world.grid.state()), std::move(title)});
    return layout;
}

void draw_free_space(Canvas& canvas) {
    const World world = canvas.world("explore");
    canvas.layout(layout_of(world, {"what was never seen counts as free"}));
    draw_walk(canvas, 0, world, play(world, ExploreMode::free_space), "free_space");
}

void draw_modes(Canvas& canvas) {
    const World world = canvas.world("explore_pocket");
    canvas.layout(
        layout_of(world, {"compass: into the region that lies best", "horizon: to the edge of sight"}));
    draw_walk(canvas, 0, world, play(world, ExploreMode::compass), "compass");
    draw_walk(canvas, 1, world, play(world, ExploreMode::horizon), "horizon");
}

constexpr Figure kExploreFigures[] = {
    {"explore_free_space", "A unit that does not know the map",
     "It sees seven tiles far and takes what it has not seen for free: it plans, walks, sees a wall in its "
     "way "
     "and plans again. It leaves the pocket and in the end knows the way.",
     "C16 H4", draw_free_space},
    {"explore_modes", "Without a map and without a plan",
     "Above it goes from region to region in the goal's direction, below always to the place in sight that "
     "seems nearest the goal. What each place is worth is learned, so neither stays in the pocket.",
     "H4 H5", draw_modes},
};

}  // namespace

std::span<const Figure> explore_figures() { return kExploreFigures; }

}  // namespace fairlead::gallery
