// The flat plate and its ball of nodes (technique V8), and the way to the last visible node (M1, M2).
#include <array>
#include <cmath>
#include <list>

#include <fairlead/volume/sight.h>

#include "gallery/figures.h"
#include "gallery/space_shot.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::at_height;
using debug::BlockPaint;
using debug::Blocks;
using debug::Sink;
using debug::Stroke;

/// What is asked of each plate.
struct Kind {
    const char* name;
    VolumePlanner planner;
    VoxelNeighbours neighbours = VoxelNeighbours::twenty_six;
    VolumeHeuristic heuristic = VolumeHeuristic::euclid;
};

constexpr Kind kKinds[] = {
    {"A*, 6, Manhattan", VolumePlanner::astar, VoxelNeighbours::six, VolumeHeuristic::manhattan},
    {"A*, 6, Euclid", VolumePlanner::astar, VoxelNeighbours::six, VolumeHeuristic::euclid},
    {"A*, 18, Manhattan", VolumePlanner::astar, VoxelNeighbours::eighteen, VolumeHeuristic::manhattan},
    {"A*, 18, Euclid", VolumePlanner::astar, VoxelNeighbours::eighteen, VolumeHeuristic::euclid},
    {"A*, 26, Manhattan", VolumePlanner::astar, VoxelNeighbours::twenty_six, VolumeHeuristic::manhattan},
    {"A*, 26, Euclid", VolumePlanner::astar, VoxelNeighbours::twenty_six, VolumeHeuristic::euclid},
    {"greedy, 6, Manhattan", VolumePlanner::greedy_best_first, VoxelNeighbours::six,
     VolumeHeuristic::manhattan},
    {"greedy, 6, Euclid", VolumePlanner::greedy_best_first, VoxelNeighbours::six, VolumeHeuristic::euclid},
    {"any angle", VolumePlanner::any_angle},
};
constexpr std::int32_t kSides[] = {5, 11, 21, 41};

VolumeQuery query_of(const scenes::Space& space, const Kind& kind) {
    VolumeQuery query{.start = space.start, .goal = space.goal};
    query.planner = kind.planner;
    query.neighbours = kind.neighbours;
    query.heuristic = kind.heuristic;
    return query;
}

void draw_ball(Canvas& canvas) {
    const scenes::Space space = scenes::plate(21);
    const Volume volume = need(space.make());
    const Kind kinds[] = {kKinds[6], kKinds[0], kKinds[5], kKinds[8]};
    const char* titles[] = {"Greedy, 6 neighbours, Manhattan", "A*, 6 neighbours, Manhattan",
                            "A*, 26 neighbours, Euclid", "Any angle"};
    std::list<Flight> flights;
    std::list<Shot> shots;
    Layout layout{.columns = 2,
                  .legend = {legend::stone("plate, 21 x 21"), legend::expanded(), legend::route(),
                             legend::hidden(), legend::start(), legend::goal()}};
    const std::int32_t rim = 21 + 12 - 5;
    const VoxelBox region{{6, rim, rim}, {32, space.size.y - rim, space.size.z - rim}};
    for (std::size_t i = 0; i < std::size(kinds); ++i) {
        const Flight& flight = flights.emplace_back(volume, query_of(space, kinds[i]));
        const auto paint = [&](Blocks& blocks) {
            debug::paint_solid(blocks, volume);
            debug::paint_searched(blocks, flight.trace.events());
        };
        const Shot& shot = shots.emplace_back(volume, debug::BlockViewOptions{.quarter = 2}, paint,
                                              debug::BlocksOptions{.region = region});
        layout.panels.push_back(shot.panel(titles[i]));
        canvas.row(flight_row(kinds[i].name, flight, volume));
    }
    canvas.layout(std::move(layout));
    std::size_t i = 0;
    auto flight = flights.begin();
    for (const Shot& shot : shots) {
        canvas.panel(i, [&](const Sink& sink) {
            shot.view().draw(sink);
            shot.view().draw(flight->route, sink);
        });
        canvas.note(i++, opened_text(*flight++));
    }
}

/// log2 of both.
Vec2 chart_place(double side, double nodes) { return {std::log2(side) * 6.0, std::log2(nodes)}; }

void draw_axes(const Sink& sink, const Aabb& box) {
    const Stroke grid{.color = palette::kGridLine, .width = 1.0};
    const debug::TextStyle numbers{.color = palette::kFaint, .size = 11.0};
    for (const int nodes : {1, 10, 100, 1000, 10000, 100000}) {
        const double y = chart_place(1, nodes).y;
        debug::draw_line(sink, at_height({box.low.x, y}), at_height({box.high.x, y}), grid);
        debug::draw_text(sink, at_height({box.low.x + 2 * sink.point, y + 3 * sink.point}),
                         count_text(static_cast<std::uint64_t>(nodes)).c_str(), numbers);
    }
    for (const std::int32_t side : kSides) {
        const double x = chart_place(side, 1).x;
        debug::draw_line(sink, at_height({x, box.low.y}), at_height({x, box.high.y}), grid);
        debug::draw_text(sink, at_height({x + 3 * sink.point, box.low.y + 3 * sink.point}),
                         ("side " + std::to_string(side)).c_str(), numbers);
    }
}

/// What the article guessed, from a place on.
void draw_square(const Sink& sink, double side, double nodes) {
    const Vec2 from = chart_place(side, nodes), to = chart_place(41, nodes * (41 / side) * (41 / side));
    debug::draw_line(sink, at_height(from), at_height(to),
                     {.color = palette::kFaint, .width = 1.2, .dash = 2.0});
    debug::draw_text(sink, at_height(to + Vec2{6 * sink.point, -3 * sink.point}), "the square of the side",
                     {.color = palette::kFaint, .size = 11.0});
}

void draw_growth(Canvas& canvas) {
    std::array<std::vector<double>, std::size(kKinds)> nodes;
    for (const std::int32_t side : kSides) {
        const scenes::Space space = scenes::plate(side);
        const Volume volume = need(space.make());
        for (std::size_t k = 0; k < std::size(kKinds); ++k) {
            const Flight flight(volume, query_of(space, kKinds[k]));
            nodes[k].push_back(static_cast<double>(flight.route.stats.expanded));
            canvas.row(
                flight_row(std::string(kKinds[k].name) + ", side " + std::to_string(side), flight, volume));
        }
    }
    const Aabb box{chart_place(3.8, 3) - Vec2{0.4, 0.4}, chart_place(80, 60000)};
    Layout layout{.panels = {{box, "Nodes opened against the side of the plate, both in powers", true}}};
    const auto dash_of = [](std::size_t k) { return k < 6 && k % 2 == 1 ? 4.0 : k == 7 ? 4.0 : 0.0; };
    const auto color_of = [](std::size_t k) {
        return k == 8 ? palette::kInk : palette::route(static_cast<int>(k / 2));
    };
    for (std::size_t k = 0; k < std::size(kKinds); ++k) {
        const double slope = std::log2(nodes[k].back() / nodes[k][1]) / std::log2(41.0 / 11.0);
        layout.legend.push_back({.text = std::string(kKinds[k].name) + ": slope " + number_text(slope, 1),
                                 .color = color_of(k),
                                 .mark = dash_of(k) > 0 ? Mark::dashed : Mark::line});
    }
    canvas.layout(std::move(layout));
    canvas.panel(0, [&](const Sink& sink) {
        draw_axes(sink, box);
        draw_square(sink, 5, 25);
        for (std::size_t k = 0; k < std::size(kKinds); ++k) {
            std::vector<Vec3> points;
            for (std::size_t i = 0; i < std::size(kSides); ++i)
                points.push_back(at_height(chart_place(kSides[i], nodes[k][i])));
            debug::draw_polyline(sink, points, {.color = color_of(k), .width = 2.2, .dash = dash_of(k)});
            for (const Vec3 p : points)
                debug::draw_circle(sink, p, 3.0 * sink.point, {color_of(k)},
                                   {.color = palette::kPaper, .width = 1.0});
        }
    });
}

/// The follower of the article: each frame one test of sight, for the node after the last one seen; it steers to the last one seen.
struct Follower {
    std::vector<Vec3> nodes;
    std::vector<Vec3> flown;
    std::size_t last_seen = 0;
    int frames = 0;

    void step(const Volume& volume, double radius, double speed) {
        ++frames;
        const Vec3 at = flown.back();
        if (last_seen + 1 < nodes.size() && in_sight(volume, at, nodes[last_seen + 1], radius)) ++last_seen;
        const Vec3 way = nodes[last_seen] - at;
        const double left = length(way);
        if (left > 0.0) flown.push_back(left > speed ? at + way * (speed / left) : nodes[last_seen]);
    }
};

void draw_last_visible(Canvas& canvas) {
    const scenes::Space space = scenes::three_pillars();
    const Volume volume = need(space.make());
    VolumeQuery query{.start = space.start, .goal = space.goal};
    query.planner = VolumePlanner::astar;
    query.smooth = false;
    const Flight flight(volume, query);
    Follower follower;
    for (std::size_t i = 0; i < flight.route.legs.size(); ++i)
        follower.nodes.push_back(flight.route.legs[i].start.position);
    follower.nodes.push_back(flight.route.end.position);
    follower.flown.push_back(space.start);
    const Shot shot(volume, {.quarter = 0}, [&](Blocks& blocks) {
        debug::paint_solid(blocks, volume, space.shown);
        blocks.set_color(BlockPaint::kSolid, mix(palette::kWarning, palette::kPaper, 0.45));
        blocks.set_color(BlockPaint::kSection, mix(palette::kWarning, palette::kPaper, 0.65));
    });
    const int frames[] = {6, 24, 48, 200};
    Layout layout{
        .columns = 2,
        .legend = {{.text = "unit", .color = palette::kInk, .mark = Mark::dot},
                   legend::goal(),
                   {.text = "pillar, cut open", .color = mix(palette::kWarning, palette::kPaper, 0.65)},
                   {.text = "node seen, passed over", .color = palette::kRoute, .mark = Mark::dot},
                   {.text = "node steered to", .color = palette::kOther, .mark = Mark::dot},
                   {.text = "not seen yet", .color = palette::kFaint, .mark = Mark::dot},
                   {.text = "flown", .color = palette::kRoute, .mark = Mark::line}}};
    for (const int frame : frames)
        layout.panels.push_back(shot.panel(frame < 200 ? "Frame " + std::to_string(frame) : "There"));
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < std::size(frames); ++i) {
        while (follower.frames < frames[i] && !(follower.flown.back() == space.goal))
            follower.step(volume, 0.0, 0.7);
        canvas.panel(i, [&](const Sink& sink) {
            shot.view().draw(sink);
            shot.view().draw_line(follower.nodes, sink,
                                  {.seen = {.color = palette::kFaint, .width = 1.0},
                                   .hidden = {.color = palette::kFaint, .width = 1.0, .dash = 3.0},
                                   .casing = false});
            shot.view().draw_line(follower.flown, sink);
            for (std::size_t n = 0; n < follower.nodes.size(); ++n) {
                const bool aim = n == follower.last_seen;
                shot.view().draw_dot(follower.nodes[n], aim ? 5.0 : 2.5,
                                     n < follower.last_seen ? palette::kRoute
                                     : aim                  ? palette::kOther
                                                            : palette::kFaint,
                                     sink);
            }
            const Vec3 goal = at_height(shot.view().map(space.goal));
            debug::draw_circle(sink, goal, 8.0 * sink.point, debug::kNoFill,
                               {.color = palette::kInk, .width = 2.0});
            shot.view().draw_dot(follower.flown.back(), 6.0, palette::kInk, sink);
        });
        canvas.note(i, std::to_string(follower.frames) + " frames, as many tests of sight; node " +
                           std::to_string(follower.last_seen) + " of " +
                           std::to_string(follower.nodes.size() - 1));
    }
    double flown = 0.0;
    for (std::size_t i = 1; i < follower.flown.size(); ++i)
        flown += distance(follower.flown[i - 1], follower.flown[i]);
    Row nodes = flight_row("the nodes", flight, volume);
    canvas.row(nodes);
    canvas.row({.label = "flown",
                .planner = "last visible node",
                .status = "complete",
                .length = flown,
                .note = std::to_string(follower.frames) + " frames"});
}

constexpr Figure kPlateFigures[] = {
    {"volume_plate", "A flat plate and its ball of nodes",
     "What the article warned of: a search from behind a plate opens a ball of nodes before it finds the "
     "rim. The any-angle search, whose "
     "nodes are up to 8 voxels wide and lie where lines of sight end, opens a handful.",
     "V8 G1 V7", draw_ball},
    {"volume_plate_growth", "How the ball grows with the plate",
     "The article guessed the square of the side. Measured between sides of 11 and 41 voxels, for 6, 18 and "
     "26 neighbours and both heuristics.",
     "V8 V7", draw_growth},
    {"volume_last_visible", "To the last visible node",
     "The article's follower: it heads for the last node of the way that it sees and never visits those "
     "before. One test of sight a frame.",
     "M1 M2 V6", draw_last_visible},
};

}  // namespace

std::span<const Figure> plate_figures() { return kPlateFigures; }

}  // namespace fairlead::gallery
