// What the draw functions draw, by property: boxes cover exactly the walls, the swept ground is exactly the
// ground that the body touches; and a few whole pictures by digest.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fairlead/base/digest.h>
#include <fairlead/base/rng.h>
#include <fairlead/debug/debug.h>
#include <fairlead/math/trig.h>

#include "debug/record.h"
#include "support/grids.h"
#include "support/xml_check.h"

namespace fairlead::debug {
namespace {

using testing::Drawn;
using testing::grid_of;
using testing::random_tiles;
using testing::Record;

Grid random_grid(Rng& rng, std::int32_t width, std::int32_t height, std::uint32_t percent,
                 std::uint32_t terrains, GridOptions options = {}) {
    options.width = width;
    options.height = height;
    const std::size_t cells = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                              static_cast<std::size_t>(options.layers);
    Result<Grid> grid = Grid::make(options, random_tiles(rng, cells, percent, terrains));
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

/// How often each cell of a layer is covered by the boxes, which must lie on cell borders.
std::vector<int> cover(const GridState& grid, const std::vector<Drawn>& items) {
    std::vector<int> times(static_cast<std::size_t>(grid.width()) * static_cast<std::size_t>(grid.height()));
    for (const Drawn& item : items) {
        if (item.kind != "box") continue;
        const auto to_cell = [&](double value, double origin) {
            return std::lround((value - origin) / grid.cell_size());
        };
        const long x0 = to_cell(item.box.low.x, grid.origin().x);
        const long x1 = to_cell(item.box.high.x, grid.origin().x);
        const long y0 = to_cell(item.box.low.y, grid.origin().y);
        const long y1 = to_cell(item.box.high.y, grid.origin().y);
        EXPECT_NEAR(item.box.low.x, grid.origin().x + static_cast<double>(x0) * grid.cell_size(), 1e-9);
        EXPECT_LT(x0, x1);
        EXPECT_LT(y0, y1);
        for (long y = y0; y < y1; ++y) {
            for (long x = x0; x < x1; ++x) ++times[static_cast<std::size_t>(y * grid.width() + x)];
        }
    }
    return times;
}

TEST(DrawGrid, BoxesCoverExactlyTheWalls) {
    Rng rng{1};
    for (int trial = 0; trial < 300; ++trial) {
        const Grid grid = random_grid(rng, rng.between(1, 40), rng.between(1, 40), rng.below(101), 1,
                                      {.layers = rng.between(1, 3), .origin = {3.5, -2}, .cell_size = 0.5});
        const GridState& state = grid.state();
        const std::int32_t layer = rng.between(0, state.layers() - 1);
        Record record;
        draw(state, record.sink(), {.region = {.layer = layer}});
        const std::vector<int> times = cover(state, record.group("walls"));
        for (std::int32_t y = 0; y < state.height(); ++y) {
            for (std::int32_t x = 0; x < state.width(); ++x) {
                ASSERT_EQ(times[static_cast<std::size_t>(y * state.width() + x)],
                          state.blocked({x, y, layer}) ? 1 : 0);
            }
        }
    }
}

TEST(DrawGrid, BoxesCoverExactlyTheTerrainOfTheRegion) {
    Rng rng{2};
    for (int trial = 0; trial < 200; ++trial) {
        const Grid grid = random_grid(rng, rng.between(2, 30), rng.between(2, 30), 20, 12);
        const GridState& state = grid.state();
        const CellRect region{{rng.between(-3, state.width() - 1), rng.between(-3, state.height() - 1)},
                              {rng.between(1, state.width() + 3), rng.between(1, state.height() + 3)}};
        Record record;
        draw(state, record.sink(), {.region = region});
        const std::vector<int> terrain = cover(state, record.group("terrain"));
        const std::vector<int> walls = cover(state, record.group("walls"));
        for (std::int32_t y = 0; y < state.height(); ++y) {
            for (std::int32_t x = 0; x < state.width(); ++x) {
                const bool inside = region.empty() || (x >= region.low.x && x < region.high.x &&
                                                       y >= region.low.y && y < region.high.y);
                const std::size_t i = static_cast<std::size_t>(y * state.width() + x);
                ASSERT_EQ(terrain[i], inside && state.cost({x, y}) > 1 ? 1 : 0);
                ASSERT_EQ(walls[i], inside && state.blocked({x, y}) ? 1 : 0);
            }
        }
    }
}

TEST(DrawGrid, EachTerrainHasTheColorOfItsCost) {
    const Grid grid = grid_of({"1234", "5678", "9@@1"});
    Record record;
    draw(grid, record.sink());
    for (const Drawn& item : record.group("terrain")) {
        const Cell cell = grid.state().cell_at(item.box.low + Vec2{0.5, 0.5});
        EXPECT_EQ(item.fill.color, palette::terrain(palette::terrain_class(grid.state().cost(cell))));
    }
}

TEST(DrawGrid, ClearanceColorsEveryFreeCellOnce) {
    Rng rng{3};
    const Grid grid = random_grid(rng, 40, 30, 15, 1);
    Record record;
    draw(grid, record.sink(), {.clearance_max = 4.0});
    const std::vector<int> times = cover(grid.state(), record.group("clearance"));
    for (std::int32_t y = 0; y < 30; ++y) {
        for (std::int32_t x = 0; x < 40; ++x) {
            EXPECT_EQ(times[static_cast<std::size_t>(y * 40 + x)], grid.state().blocked({x, y}) ? 0 : 1);
        }
    }
}

TEST(DrawGrid, ALargeMapOfRoomsTakesFewBoxes) {
    std::vector<std::uint8_t> tiles(std::size_t{1024} * 1024, 1);
    for (std::size_t y = 0; y < 1024; ++y) {
        for (std::size_t x = 0; x < 1024; ++x) {
            const bool wall = x % 32 == 0 || y % 32 == 0;
            const bool door = x % 32 == 16 || y % 32 == 16;
            if (wall && !door) tiles[y * 1024 + x] = 0;
        }
    }
    Result<Grid> grid = Grid::make({.width = 1024, .height = 1024}, tiles);
    ASSERT_TRUE(grid.has_value());
    SvgWriter svg{{.bounds = world_bounds(*grid)}};
    draw(*grid, svg.sink());
    const Result<std::span<const char>> text = svg.finish();
    ASSERT_TRUE(text.has_value());
    EXPECT_LT(text.value().size(), 250'000U);
}

TEST(DrawGrid, GroupsBalanceAndOptionsLeaveOut) {
    const Grid grid = grid_of({"11@", "2@1"});
    Record record;
    draw(grid, record.sink());
    EXPECT_EQ(record.count("group"), record.count("end"));
    EXPECT_FALSE(record.group("terrain").empty());
    Record bare;
    draw(grid, bare.sink(), {.paper = false, .terrain = false, .lines = false, .frame = false});
    EXPECT_EQ(bare.count("box"), bare.group("walls").size());
    EXPECT_EQ(bare.count("line") + bare.count("polyline"), 0U);
    Record none;
    draw(grid, none.sink(), {.region = {.layer = 5}});
    EXPECT_TRUE(none.items.empty());
    Record tiny;  // cells of less than five points have no lines between them
    Sink sink = tiny.sink();
    sink.point = 1.0;
    draw(grid, sink);
    EXPECT_TRUE(tiny.group("lines").empty());
}

TEST(DrawGrid, PortalsOnTheLayersOfTheirEnds) {
    const Portal portals[] = {{{0, 0, 0}, {2, 0, 0}}, {{1, 0, 0}, {1, 0, 1}}};
    const Grid grid = grid_of({"111", "111"}, {.layers = 2, .portals = std::span{portals}});
    Record ground;
    draw(grid, ground.sink());
    EXPECT_EQ(ground.group("portals").size(),
              3U * 6U + 1U);  // three ends of a cell and five treads, one line
    Record upper;
    draw(grid, upper.sink(), {.region = {.layer = 1}});
    EXPECT_EQ(upper.group("portals").size(), 6U);
}

TEST(DrawCells, ClassesAsAsked) {
    Rng rng{4};
    const Grid grid = random_grid(rng, 25, 17, 30, 1);
    const Fill fills[] = {{rgb(0x111111)}, {rgb(0x222222)}, {rgb(0x333333)}};
    const auto class_of = [](Cell cell, void*) -> std::uint8_t {
        const int kind = (cell.x / 3 + cell.y / 2) % 4;
        return kind == 3 ? kNoClass : static_cast<std::uint8_t>(kind);
    };
    Record record;
    draw_cells(grid, {}, class_of, nullptr, std::span{fills}, record.sink());
    const std::vector<int> times = cover(grid.state(), record.items);
    for (std::int32_t y = 0; y < 17; ++y) {
        for (std::int32_t x = 0; x < 25; ++x) {
            EXPECT_EQ(times[static_cast<std::size_t>(y * 25 + x)],
                      class_of({x, y}, nullptr) == kNoClass ? 0 : 1);
        }
    }
}

// --- Routes
// ------------------------------------------------------------------------------------------------------

Route random_route(Rng& rng, double reach) {
    Route route;
    route.status = PathStatus::complete;
    route.end.position = {rng.between(-5.0, 5.0), rng.between(-5.0, 5.0), 0};
    route.end.heading_rad = rng.between(-3.0, 3.0);
    for (int i = rng.between(1, 5); i > 0; --i) {
        Leg leg;
        leg.start = route.end;
        leg.gear = rng.below(3) == 0 ? Gear::reverse : Gear::forward;
        leg.curvature = rng.below(2) == 0 ? 0.0 : (rng.below(2) == 0 ? 1 : -1) / rng.between(0.3, 4.0);
        leg.length = rng.between(0.1, reach);
        route.length += leg.length;
        route.end = place_on_leg(leg, leg.length);
        EXPECT_TRUE(route.legs.push_back(leg));
    }
    return route;
}

bool inside(const std::vector<Vec3>& polygon, Vec2 p) {
    int winding = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec2 a = ground(polygon[i]);
        const Vec2 b = ground(polygon[(i + 1) % polygon.size()]);
        if ((a.y <= p.y) == (b.y <= p.y)) continue;
        const double side = cross(b - a, p - a);
        if (a.y <= p.y && side > 0) ++winding;
        if (a.y > p.y && side < 0) --winding;
    }
    return winding != 0;
}

TEST(DrawRoute, SweptGroundIsWhereTheBodyIs) {
    Rng rng{6};
    for (int trial = 0; trial < 120; ++trial) {
        const Route route = random_route(rng, 6.0);
        const double radius = rng.between(0.1, 2.0);
        Record record;
        draw(route, Agent{.radius = radius}, record.sink());
        const std::vector<Drawn> body = record.group("body");
        std::vector<Vec2> centres;
        for (const Leg& leg : route.legs) {
            for (int i = 0; i <= 400; ++i) {
                const Vec3 at = place_on_leg(leg, leg.length * i / 400).position;
                centres.push_back(ground(at));
            }
        }
        const double slack = 0.02;  // chords, and the steps of the samples
        for (int sample = 0; sample < 200; ++sample) {
            const Vec2 near = centres[rng.below(static_cast<std::uint32_t>(centres.size()))];
            const Vec2 p = near + math::direction(rng.between(-3.1, 3.1)) * (rng.unit() * 1.6 * radius);
            double gap = 1e9;
            for (const Vec2 centre : centres) gap = std::min(gap, distance(centre, p));
            if (std::abs(gap - radius) < slack) continue;
            const bool drawn = std::any_of(body.begin(), body.end(),
                                           [&](const Drawn& item) { return inside(item.points, p); });
            ASSERT_EQ(drawn, gap < radius) << trial << " gap " << gap << " radius " << radius;
        }
    }
}

TEST(DrawRoute, SquareFootprintsSweepTheirHull) {
    Route route;
    route.status = PathStatus::complete;
    Leg leg;
    leg.start.position = {2, 2, 0};
    leg.start.heading_rad = math::atan2(3, 4);
    leg.length = 5;
    ASSERT_TRUE(route.legs.push_back(leg));
    route.end.position = {6, 5, 0};
    Record record;
    draw(route, Agent{.footprint = 2}, record.sink(), {.cell_size = 0.5});
    const std::vector<Drawn> body = record.group("body");
    ASSERT_EQ(body.size(), 1U);
    for (int i = 0; i < 900; ++i) {
        const Vec2 p{1.2 + (i % 30) * 0.19, 1.2 + (i / 30) * 0.16};
        double gap = 1e9;  // of the square's centre line, in the maximum norm
        for (int k = 0; k <= 1000; ++k) {
            const Vec2 c{2 + 4.0 * k / 1000, 2 + 3.0 * k / 1000};
            gap = std::min(gap, std::max(std::abs(p.x - c.x), std::abs(p.y - c.y)));
        }
        if (std::abs(gap - 0.5) < 0.01) continue;
        EXPECT_EQ(inside(body[0].points, p), gap < 0.5);
    }
}

TEST(DrawRoute, TheLineFollowsTheRoute) {
    Rng rng{7};
    for (int trial = 0; trial < 100; ++trial) {
        const Route route = random_route(rng, 8.0);
        Record record;
        draw(route, Agent{}, record.sink(), {.body = false, .casing = false});
        double drawn = 0;
        for (const Drawn& item : record.group("line")) {
            ASSERT_EQ(item.kind, "polyline");
            for (std::size_t i = 1; i < item.points.size(); ++i)
                drawn += distance(ground(item.points[i - 1]), ground(item.points[i]));
        }
        EXPECT_LE(drawn, route.length + 1e-9);
        EXPECT_GE(drawn, route.length * 0.99);
    }
}

TEST(DrawRoute, NothingFoundNothingDrawn) {
    Route route;
    Record record;
    draw(route, Agent{.radius = 1}, record.sink());
    EXPECT_TRUE(record.items.empty());
    route.status = PathStatus::complete;  // start == goal
    draw(route, Agent{.radius = 1}, record.sink());
    EXPECT_FALSE(record.group("ends").empty());
    EXPECT_TRUE(record.group("line").empty());
}

TEST(DrawRoute, OnlyTheLegsOfTheLayer) {
    Route route;
    route.status = PathStatus::complete;
    for (int i = 0; i < 4; ++i) {
        Leg leg;
        leg.start.position = {1.0 * i, 0, 0};
        leg.start.layer = i / 2;
        leg.length = 1;
        ASSERT_TRUE(route.legs.push_back(leg));
    }
    route.end.position = {4, 0, 0};
    route.end.layer = 1;
    Record record;
    draw(route, Agent{.radius = 0.3}, record.sink(), {.layer = 1});
    EXPECT_EQ(record.group("body").size(), 2U);
    for (const Drawn& item : record.group("line")) {
        for (const Vec3 p : item.points) EXPECT_GE(p.x, 2.0);
    }
}

// --- Traces, queries, whole pictures
// -------------------------------------------------------------------------------

Trace small_trace() {
    Trace trace;
    for (int i = 0; i < 40; ++i) {
        const Vec2 at = cell_centre(i % 8, i / 8);
        const Vec2 from = i % 8 == 0 ? at : at - Vec2{1, 0};
        trace.add(TraceKind::generate, at, from);
        if (i < 32) trace.add(TraceKind::expand, at, from);
    }
    trace.add(TraceKind::path, cell_centre(0, 0));
    trace.add(TraceKind::path, cell_centre(3, 3));
    trace.add(TraceKind::path, cell_centre(7, 3));
    return trace;
}

TEST(DrawTrace, OneSquareForEachEvent) {
    const Trace trace = small_trace();
    Record record;
    draw(trace.events(), record.sink(), {.links = true});
    EXPECT_EQ(record.group("expanded").size(), 32U);
    EXPECT_EQ(record.group("open").size(), 40U);
    EXPECT_EQ(record.group("links").size(), 28U);
    EXPECT_EQ(record.group("path").size(), 2U);
    EXPECT_EQ(record.group("expanded").front().fill.color, palette::heat(0));
    EXPECT_EQ(record.group("expanded").back().fill.color, palette::heat(1));

    Record path_only;
    draw(trace.events(), path_only.sink(), {.search = false});
    EXPECT_EQ(path_only.count("box"), 0U);
    EXPECT_EQ(path_only.group("path").size(), 2U);

    Record half;
    draw(trace.events(), half.sink(), {.order_end = 20});
    EXPECT_EQ(half.group("expanded").size(), 10U);
    Record elsewhere;
    draw(trace.events(), elsewhere.sink(), {.layer = 3});
    EXPECT_EQ(elsewhere.count("box"), 0U);
}

TEST(DrawQuery, BlockersAndGoals) {
    const Blocker blockers[] = {{.centre = {1, 1}, .radius = 0.5},
                                {.box = {{2, 2}, {3, 4}}},
                                {.centre = {5, 5}, .radius = 1, .layer = 1}};
    Record record;
    draw(std::span{blockers}, record.sink(), 0);
    EXPECT_EQ(record.count("circle"), 1U);
    EXPECT_EQ(record.count("polygon"), 1U);

    const Vec2 points[] = {{1, 1}, {2, 2}};
    for (const Goal& goal : {Goal{Vec2{1, 2}}, Goal::within({1, 2}, 3), Goal::adjacent({1, 2}),
                             Goal::in_sight({1, 2}, INFINITY), Goal::any_of(std::span{points})}) {
        Record target;
        draw(goal, target.sink());
        EXPECT_GE(target.count("circle"), 1U);
        EXPECT_EQ(target.count("group"), target.count("end"));
    }
}

TEST(Trace, RecordsWhatTheStatsOfATileSearchCount) {
    Rng rng{8};
    Scratch scratch;
    for (int trial = 0; trial < 60; ++trial) {
        const Grid grid = random_grid(rng, 30, 20, 25, 1);
        GridQuery query{.start = cell_centre(rng.between(0, 29), rng.between(0, 19))};
        query.goal = cell_centre(rng.between(0, 29), rng.between(0, 19));
        query.smoothing = Smoothing::none;
        constexpr GridPlanner kPlanners[] = {GridPlanner::automatic, GridPlanner::jump_point,
                                             GridPlanner::astar, GridPlanner::turn_penalty,
                                             GridPlanner::bidirectional};
        query.planner = kPlanners[trial % 5];
        Trace trace;
        const Result<Route> route = find_route(grid, query, scratch, {.trace = trace.hook()});
        ASSERT_TRUE(route.has_value());
        add_path(trace, route.value());
        EXPECT_TRUE(trace.complete());
        EXPECT_EQ(trace.count(TraceKind::expand), route.value().stats.expanded);
        EXPECT_EQ(trace.count(TraceKind::path),
                  route.value().legs.empty() ? 0 : route.value().legs.size() + 1);
        for (const TraceEvent& event : trace.events()) {
            const Cell cell = grid.state().cell_at(event.position);
            ASSERT_TRUE(grid.state().inside(cell) && !grid.state().blocked(cell)) << trial;
        }
    }
}

TEST(Trace, KeepsToItsLimit) {
    const Grid grid = grid_of({"11111111", "11111111"});
    Scratch scratch;
    GridQuery query{.start = cell_centre(0, 0), .goal = cell_centre(7, 1), .planner = GridPlanner::dijkstra};
    Trace trace{5};
    const Result<Route> route = find_route(grid, query, scratch, {.trace = trace.hook()});
    ASSERT_TRUE(route.has_value());
    EXPECT_FALSE(trace.complete());
    EXPECT_EQ(trace.events().size(), 5U);
    EXPECT_EQ(trace.count(TraceKind::expand), route->stats.expanded);  // counted, not kept
}

std::uint64_t digest(std::span<const char> text) {
    Digest digest;
    for (const char c : text) digest.add(std::uint64_t{static_cast<unsigned char>(c)});
    return digest.value();
}

/// The whole of the module in one picture.
template <class Writer>
std::uint64_t picture(Writer& writer) {
    const Portal portals[] = {{{0, 0}, {7, 5}}};
    const Grid grid = grid_of({"111@1111", "1@1@1551", "1@111591", "1@@@1511", "11111111", "@111@@11"},
                              {.portals = std::span{portals}});
    const Sink sink = writer.sink();
    draw(grid, sink);
    draw(small_trace().events(), sink);
    Rng rng{9};
    draw(random_route(rng, 3.0), Agent{.radius = 0.4}, sink, {.headings = true});
    const Blocker blockers[] = {{.centre = {4, 4}, .radius = 0.5}};
    draw(std::span{blockers}, sink);
    draw(Goal::within({6, 1}, 1.5), sink);
    draw_text(sink, {1, 1, 0}, "label", {});
    const Result<std::span<const char>> text = writer.finish();
    EXPECT_TRUE(text.has_value());
    return text ? digest(*text) : 0;
}

TEST(Pictures, GoldenDigests) {
    SvgWriter down{{.bounds = {{0, 0}, {8, 6}}}};
    EXPECT_EQ(picture(down), 0x7b1f7965f2e8faabULL);
    EXPECT_EQ(testing::XmlCheck::run({down.finish().value().data(), down.finish().value().size()}), "");
    SvgWriter up{{.bounds = {{0, 0}, {8, 6}}, .y_up = true}};
    EXPECT_EQ(picture(up), 0x60047ba2bc547fbfULL);
    JsonWriter json;
    EXPECT_EQ(picture(json), 0x6bc6a8fa1ab5d6a8ULL);
    ObjWriter obj;
    EXPECT_EQ(picture(obj), 0xff6974f74f3b8e54ULL);
}

}  // namespace
}  // namespace fairlead::debug
