// The trace of the turning search: as many events as the stats count, legal poses, headings in JSON and pictures.

#include <fairlead/debug/trace.h>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/debug/draw.h>
#include <fairlead/drive/headings.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "debug/record.h"
#include "support/drive_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

using debug::Trace;
using debug::TraceEvent;
using debug::TraceKind;

// As a route that stands there: does the body touch nothing?
bool stands(const GridState& grid, const Agent& agent, const TraceEvent& event) {
    Route route;
    route.status = PathStatus::complete;
    route.end = {{event.position.x, event.position.y, 0.0}, event.heading_rad, 0};
    return !verify(route, grid, agent, {.check_revision = false});
}

struct Watched {
    Route route;
    Trace trace;
};

Watched watch(const DriveMap& map, const DriveQuery& query) {
    Watched out;
    Scratch scratch;
    EXPECT_TRUE(find_route_into(map, query, scratch, out.route, {.trace = out.trace.hook()}).has_value());
    return out;
}

TEST(DriveTrace, CountsWhatTheStatsCount) {
    Rng rng(77);
    int opened = 0;
    for (int i = 0; i < trials(60); ++i) {
        const auto style = static_cast<MapStyle>(rng.below(static_cast<std::uint32_t>(MapStyle::count_)));
        const oracle::PoseMap free = random_drive_map(rng, style, 24, 18);
        const Grid grid = grid_of(free);
        Agent agent{
            .radius = 0.45, .turning_radius = 1.5, .can_reverse = i % 2 == 0, .can_pivot = i % 3 == 0};
        if (i % 4 == 0) agent = {.shape = BodyShape::box, .length = 2, .width = 0.9, .turning_radius = 2};
        DriveQuery query{.agent = agent, .planner = static_cast<DrivePlanner>(i % 3)};
        Pose from, to;
        if (!random_free_pose(rng, free, agent, i % 2 == 0, from) ||
            !random_free_pose(rng, free, agent, i % 2 == 0, to))
            continue;
        query.start = from;
        query.goal = to;
        const auto table = DriveTable::make({.agent = agent});
        ASSERT_TRUE(table.has_value());
        const auto map = make_drive_map(grid, *table);
        ASSERT_TRUE(map.has_value());
        const Watched seen = watch(*map, query);
        Scratch scratch;
        const Result<Route> plain = find_route(*map, query, scratch);
        ASSERT_TRUE(plain.has_value());
        EXPECT_EQ(plain->stats.digest, seen.route.stats.digest);
        EXPECT_EQ(plain->cost, seen.route.cost);
        EXPECT_EQ(seen.trace.count(TraceKind::expand), seen.route.stats.expanded) << i;
        EXPECT_EQ(seen.trace.count(TraceKind::generate), seen.route.stats.generated) << i;
        for (const TraceEvent& event : seen.trace.events()) {
            ASSERT_TRUE(event.has_heading);
            if (event.kind != TraceKind::expand) continue;
            ++opened;
            ASSERT_TRUE(stands(grid, agent, event))
                << i << ": " << event.position.x << ", " << event.position.y;
            const std::int32_t count = table->headings();
            ASSERT_EQ(event.heading_rad, heading_rad(count, nearest_heading(count, event.heading_rad)));
        }
    }
    EXPECT_GT(opened, 100);
}

// A gap that the lattice misses (off_lattice_test.cpp).
TEST(DriveTrace, OffTheLattice) {
    Grid grid = *Grid::make({.width = 40, .height = 30});
    ASSERT_TRUE(grid.fill({{18, 0}, {22, 30}}, 0).has_value());
    ASSERT_TRUE(grid.fill({{18, 14}, {22, 16}}, 1).has_value());
    const Agent agent{.radius = 0.98, .turning_radius = 3.0};
    const auto table = DriveTable::make({.agent = agent, .nodes = DriveNodes::centres});
    const auto map = make_drive_map(grid, *table);
    const DriveQuery query{
        .start = {{4.5, 20.5}, 0.0}, .goal = {{35.5, 9.5}, 0.0}, .agent = agent, .off_lattice_max = 100'000};
    const Watched seen = watch(*map, query);
    ASSERT_EQ(seen.route.status, PathStatus::complete);
    ASSERT_STREQ(seen.route.planner, "off_lattice");
    EXPECT_EQ(seen.trace.count(TraceKind::expand), seen.route.stats.expanded);
    EXPECT_EQ(seen.trace.count(TraceKind::generate), seen.route.stats.generated);
    int left = 0, right = 0;  // both searches are told, on the map
    for (const TraceEvent& event : seen.trace.events()) {
        EXPECT_TRUE(grid.state().inside(grid.state().cell_at(event.position)));
        (event.position.x < 20 ? left : right) += 1;
    }
    EXPECT_GT(left, 0);
    EXPECT_GT(right, 0);
}

TEST(DriveTrace, PathOfLegsWithHeadings) {
    Route route;
    route.status = PathStatus::complete;
    ASSERT_TRUE(route.legs.push_back({.start = {{1, 2, 0}, 0.5, 0}, .length = 1}));
    ASSERT_TRUE(route.legs.push_back({.start = {{3, 4, 0}, 0.75, 0}, .length = 1}));
    route.end = {{5, 6, 0}, 1.0, 0};
    Trace trace;
    debug::add_path(trace, route, Agent{.turning_radius = 2});
    ASSERT_EQ(trace.events().size(), 3u);
    const TraceEvent& second = trace.events()[1];
    EXPECT_EQ(second.position, (Vec2{3, 4}));
    EXPECT_EQ(second.from, (Vec2{1, 2}));
    EXPECT_EQ(second.heading_rad, 0.75);
    EXPECT_EQ(trace.events()[2].heading_rad, 1.0);
    Trace walker;
    debug::add_path(walker, route, Agent{});
    EXPECT_EQ(walker.count(TraceKind::path), 3u);
    EXPECT_FALSE(walker.events()[1].has_heading);
}

TEST(DriveTrace, JsonHasTheHeadingBehindTheLayer) {
    Trace trace;
    trace.add_pose(TraceKind::expand, Pose{{1.5, 2.25}, 0.78539816}, {1, 2}, 1);
    trace.add(TraceKind::generate, Vec2{3, 4});
    Array<char> text;
    ASSERT_TRUE(debug::write_trace_json(trace.events(), text).has_value());
    const std::string json(text.begin(), text.size());
    EXPECT_NE(json.find("[1,1.5,2.25,1,2,1,0.785398]"), std::string::npos) << json;
    EXPECT_NE(json.find("[0,3,4,3,4,0]"), std::string::npos) << json;
}

// Each pose is one stroke from its place towards its heading; those opened are longer.
TEST(DriveTrace, DrawsAStrokeForEachPose) {
    Trace trace;
    trace.add_pose(TraceKind::generate, Pose{{1, 1}, 0.0}, {1, 1});
    trace.add_pose(TraceKind::expand, Pose{{4, 1}, kHalfPi}, {4, 1});
    trace.add_pose(TraceKind::expand, Pose{{6, 1}, kPi}, {6, 1});
    Record record;
    debug::draw(trace.events(), record.sink(), {.cell_size = 2.0});
    EXPECT_EQ(record.count("box"), 0u);
    std::vector<Drawn> lines;
    for (const Drawn& item : record.items) {
        if (item.kind == "line") lines.push_back(item);
    }
    ASSERT_EQ(lines.size(), 3u);
    const auto stroke = [&](std::size_t i) {
        return ground(lines[i].points[1]) - ground(lines[i].points[0]);
    };
    const auto at = [&](std::size_t i) { return ground(lines[i].points[0]); };
    EXPECT_EQ(at(0), (Vec2{1, 1}));
    EXPECT_EQ(at(1), (Vec2{4, 1}));
    EXPECT_GT(stroke(0).x, 0.1);
    EXPECT_NEAR(stroke(0).y, 0.0, 1e-12);
    EXPECT_GT(stroke(1).y, stroke(0).x);
    EXPECT_NEAR(stroke(1).x, 0.0, 1e-12);
    EXPECT_LT(stroke(2).x, -0.1);
}

}  // namespace
}  // namespace fairlead::testing
