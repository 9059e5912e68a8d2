// Moving pictures: crowds that meet at a door and in streets, a formation at a gap, a truck that parks. Played by a Fleet when the
// gallery is made.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/tile_fleet.h>

#include "gallery/figures.h"
#include "gallery/need.h"
#include "scenes/lane_maze.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;

constexpr double kStep = 1.0 / 30.0;
constexpr int kFramesASample = 6;
constexpr double kTile = 0.2;
constexpr double kRadius = 0.5;
constexpr double kEndsAfter = 1.0;  // seconds that the last picture stands

/// Open ground in a solid world, in metres.
Grid dig(double width, double height, const std::vector<Aabb>& open) {
    const auto cells = [](double metres) { return static_cast<std::int32_t>(std::lround(metres / kTile)); };
    const std::int32_t columns = cells(width), rows = cells(height);
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 0);
    for (const Aabb& box : open) {
        for (std::int32_t y = cells(box.low.y); y < cells(box.high.y); ++y) {
            for (std::int32_t x = cells(box.low.x); x < cells(box.high.x); ++x)
                tiles[static_cast<std::size_t>(y * columns + x)] = 1;
        }
    }
    const Agent size{.radius = kRadius};
    return need(
        Grid::make({.width = columns, .height = rows, .cell_size = kTile, .sizes = {&size, 1}}, tiles));
}

/// Some units of one color on their way from somewhere in one box to somewhere in another.
struct Stream {
    Aabb from{};
    Aabb to{};
    int count = 0;
    debug::Color color{};
};

/// Random places of a box, none close to another.
std::vector<Vec2> places_in(const Aabb& box, int count, Rng& rng) {
    std::vector<Vec2> places;
    while (static_cast<int>(places.size()) < count) {
        const double x = rng.between(box.low.x, box.high.x);
        const Vec2 at{x, rng.between(box.low.y, box.high.y)};
        const bool free = std::none_of(places.begin(), places.end(),
                                       [&](Vec2 other) { return distance(at, other) < 2.3 * kRadius; });
        if (free) places.push_back(at);
    }
    return places;
}

struct Played {
    std::vector<Mover> movers{};
    std::size_t samples = 0;
    double seconds = 0.0;
    int arrived = 0;
    double nearest = 1e9;  ///< two centres, in radii
};

/// In radii of the first.
double nearest_pair(const std::vector<Mover>& movers) {
    double nearest = 1e9;
    for (std::size_t i = 0; i < movers.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k)
            nearest = std::min(nearest,
                               distance(movers[i].places.back().position, movers[k].places.back().position));
    }
    return nearest / movers.front().radius;
}

FleetUnit walker(double radius = kRadius) {
    FleetUnit unit;
    unit.agent.radius = radius;
    unit.limits = SpeedLimits::only(1.5);
    unit.limits.accel_max = unit.limits.brake_max = 6.0;
    return unit;
}

/// Until all have arrived, or the time is over.
void play(Fleet& fleet, const std::vector<FleetId>& ids, double seconds_max, Played& out) {
    const auto sample = [&] {
        for (std::size_t i = 0; i < ids.size(); ++i) out.movers[i].places.push_back(fleet.unit(ids[i]).place);
        ++out.samples;
    };
    sample();
    double end = seconds_max;
    for (int frame = 1; frame * kStep < end; ++frame) {
        need(fleet.update(kStep, {.units = 20000}));
        if (frame % kFramesASample != 0) continue;
        sample();
        out.nearest = std::min(out.nearest, nearest_pair(out.movers));
        out.arrived = static_cast<int>(std::count_if(
            ids.begin(), ids.end(), [&](FleetId id) { return fleet.unit(id).state == FleetState::arrived; }));
        if (out.arrived < static_cast<int>(ids.size()) || out.seconds > 0.0) continue;
        out.seconds = frame * kStep;
        end = std::min(end, out.seconds + kEndsAfter);
    }
}

Played play_streams(const Grid& ground_plan, const std::vector<Stream>& streams, double seconds_max) {
    const TileFleet port{ground_plan};
    Fleet fleet = need(Fleet::make(port.port()));
    const FleetKind kind = need(fleet.add_kind(walker()));
    Rng rng{24};
    Played played;
    std::vector<FleetId> ids;
    for (const Stream& stream : streams) {
        const std::vector<Vec2> from = places_in(stream.from, stream.count, rng);
        const std::vector<Vec2> to = places_in(stream.to, stream.count, rng);
        for (std::size_t i = 0; i < from.size(); ++i) {
            Place at;
            at.position = {from[i].x, from[i].y, 0.0};
            ids.push_back(need(fleet.add(kind, at)));
            need(fleet.send(ids.back(), to[i]));
            played.movers.push_back({.color = stream.color, .radius = kRadius});
        }
    }
    play(fleet, ids, seconds_max, played);
    return played;
}

void show(Canvas& canvas, const Grid& ground_plan, const Played& played, const std::string& label) {
    canvas.layout({.panels = {{.world = debug::world_bounds(ground_plan.state()), .upright = true}},
                   .height_max = 520.0});
    canvas.panel(0, [&](const debug::Sink& sink) {
        debug::draw(ground_plan.state(), sink, debug::GridDraw{.lines = false});
    });
    canvas.move(0, played.movers, kStep * kFramesASample, played.samples * 2 / 5);
    const std::string count = std::to_string(played.movers.size());
    std::string text = std::to_string(played.arrived) + " of " + count + " arrived";
    if (played.seconds > 0.0) text += ", the last after " + number_text(played.seconds, 1) + " s";
    if (played.movers.size() > 1) text += "; nearest centres " + number_text(played.nearest, 2) + " radii";
    canvas.note(0, text);
    canvas.row({.label = label, .note = text});
}

void draw_doorway(Canvas& canvas) {
    const Grid hall =
        dig(48, 17, {{{0.4, 0.4}, {23.8, 16.6}}, {{24.2, 0.4}, {47.6, 16.6}}, {{23.8, 7.8}, {24.2, 9.0}}});
    const Aabb west{{1.2, 1.2}, {15, 15.8}}, east{{33, 1.2}, {46.8, 15.8}};
    show(canvas, hall,
         play_streams(hall, {{west, east, 15, palette::kRoute}, {east, west, 15, palette::kOther}}, 90.0),
         "15 from each side");
}

constexpr double kSide = 44.0, kLow = 19.0, kHigh = 25.0;  // two streets, 6 wide

Grid streets() {
    return dig(kSide, kSide, {{{0.4, kLow}, {kSide - 0.4, kHigh}}, {{kLow, 0.4}, {kHigh, kSide - 0.4}}});
}

void draw_crossing(Canvas& canvas) {
    const Grid ground_plan = streets();
    const Aabb west{{1, kLow + 0.6}, {15, kHigh - 0.6}}, east{{29, kLow + 0.6}, {43, kHigh - 0.6}};
    const Aabb north{{kLow + 0.6, 1}, {kHigh - 0.6, 15}}, south{{kLow + 0.6, 29}, {kHigh - 0.6, 43}};
    show(canvas, ground_plan,
         play_streams(ground_plan, {{west, east, 20, palette::kRoute}, {south, north, 20, palette::kOther}},
                      90.0),
         "20 each way");
}

void draw_four_way(Canvas& canvas) {
    const Grid ground_plan = streets();
    const Aabb west{{1, kLow + 0.6}, {15, kHigh - 0.6}}, east{{29, kLow + 0.6}, {43, kHigh - 0.6}};
    const Aabb north{{kLow + 0.6, 1}, {kHigh - 0.6, 15}}, south{{kLow + 0.6, 29}, {kHigh - 0.6, 43}};
    show(canvas, ground_plan,
         play_streams(ground_plan,
                      {{west, east, 14, palette::kRoute},
                       {east, west, 14, palette::kOther},
                       {south, north, 14, palette::route(2)},
                       {north, south, 14, palette::route(3)}},
                      60.0),
         "14 from each arm");
}

/// A wedge and a gap that one fits through.
void draw_formation(Canvas& canvas) {
    const Grid field =
        dig(72, 26, {{{0.4, 0.4}, {27.6, 25.6}}, {{28.4, 0.4}, {71.6, 25.6}}, {{27.6, 12.2}, {28.4, 13.8}}});
    const TileFleet port{field};
    Fleet fleet = need(Fleet::make(port.port()));
    const FleetKind kind = need(fleet.add_kind(walker()));
    Rng rng{7};
    Played played;
    std::vector<FleetId> ids;
    for (const Vec2 from : places_in({{2, 3}, {16, 23}}, 13, rng)) {
        Place at;
        at.position = {from.x, from.y, 0.0};
        ids.push_back(need(fleet.add(kind, at)));
        played.movers.push_back({.color = palette::kRoute, .radius = kRadius});
    }
    Place goal;
    goal.position = {60.0, 16.0, 0.0};
    goal.heading_rad = 0.5 * kPi;
    (void)need(fleet.send(ids, Spot(goal), {.shape = FormationShape::wedge, .spacing = 1.9}));
    play(fleet, ids, 120.0, played);
    show(canvas, field, played, "13 in a wedge");
}

constexpr std::int32_t kMazeWidth = 25,
                       kMazeHeight = 13;  // odd: lanes one tile wide between walls one tile wide

void draw_maze(Canvas& canvas) {
    constexpr double kThin = 0.4;
    Rng rng{16};
    const Grid maze = need(Grid::make({.width = kMazeWidth, .height = kMazeHeight},
                                      scenes::lane_maze(rng, kMazeWidth, kMazeHeight)));
    const TileFleet port{maze};
    Fleet fleet = need(Fleet::make(port.port()));
    const FleetKind kind = need(fleet.add_kind(walker(kThin)));
    Played played;
    std::vector<FleetId> ids;
    for (std::int32_t row = 1; row < kMazeHeight; row += 4) {
        for (const bool west : {true, false}) {
            const double y = row + 0.5, left = 1.5, right = kMazeWidth - 1.5;
            Place at;
            at.position = {west ? left : right, y, 0.0};
            ids.push_back(need(fleet.add(kind, at)));
            need(fleet.send(ids.back(), Vec2{west ? right : left, y}));
            played.movers.push_back({.color = palette::route(static_cast<int>(ids.size())), .radius = kThin});
        }
    }
    play(fleet, ids, 240.0, played);
    show(canvas, maze, played, "three pairs change sides");
}

void draw_parking(Canvas& canvas) {
    const std::int32_t width = 34, height = 16;
    Grid yard = need(Grid::make({.width = width, .height = height}));
    for (const std::int32_t x : {8, 13, 18, 23}) need(yard.fill({{x, 9}, {x + 2, height}}, 0));
    need(yard.fill({{0, 9}, {8, height}}, 0));
    need(yard.fill({{25, 9}, {width, height}}, 0));
    const TileFleet port{yard};
    Fleet fleet = need(Fleet::make(port.port()));
    FleetUnit truck;
    truck.agent = {.shape = BodyShape::box,
                   .length = 4.6,
                   .width = 1.8,
                   .axle_offset = 1.4,
                   .turning_radius = 4.0,
                   .can_reverse = true};
    truck.limits = SpeedLimits::only(4.0);
    truck.limits.reverse_speed_max = 2.0;
    truck.limits.accel_max = truck.limits.brake_max = 2.0;
    const FleetKind kind = need(fleet.add_kind(truck));
    Played played;
    Place from;
    from.position = {2.5, 3.0, 0.0};
    Place to;
    to.position = {16.5, 14.0, 0.0};
    to.heading_rad = -0.5 * kPi;  // it comes in backward
    const std::vector<FleetId> ids{need(fleet.add(kind, from, true))};
    need(fleet.send(ids[0], Spot(to)));
    played.movers.push_back({.color = palette::kRoute, .length = 4.6, .width = 1.8, .ahead = 1.4});
    play(fleet, ids, 60.0, played);
    show(canvas, yard, played, "a truck into a bay, backward");
}

constexpr Figure kMovingFigures[] = {
    {"moving_doorway", "Two crowds at one door",
     "The door is one unit wide: one direction at a time, and who waits keeps its mouth clear. Nobody "
     "touches anybody.",
     "X5", draw_doorway},
    {"moving_crossing", "Two crowds cross",
     "No lights and no lanes: who is late goes first, who stands in its way steps aside.", "X5",
     draw_crossing},
    {"moving_four_way", "From four sides at once",
     "All keep to the right where the street is wide, and none is stuck in the middle.", "X5", draw_four_way},
    {"moving_formation", "A formation at a gap",
     "A wedge forms, breaks where only one fits through, forms again behind the gap and in the end stands as "
     "it was "
     "asked to, looking up.",
     "X5", draw_formation},
    {"moving_maze", "Change of sides in a maze",
     "Lanes one unit wide and no way round: somebody has to go far back into a side lane. Where walkers come "
     "no nearer, "
     "those in each other's way are planned together.",
     "X5", draw_maze},
    {"moving_parking", "Backward into a bay",
     "A truck with a turning circle drives past, changes gear and stops at the very pose that was asked for; "
     "speed and acceleration are limited.",
     "K5 D13", draw_parking},
};

}  // namespace

std::span<const Figure> moving_figures() { return kMovingFigures; }

}  // namespace fairlead::gallery
