// Routes found piece by piece: each stretch joins the last one exactly, the chain is legal as a whole and arrives just where one search
// would; edits on the way are driven around.
#include <fairlead/bridge/rolling_drive.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/verify/verify.h>

#include "support/cluster_maps.h"
#include "support/environment.h"

namespace fairlead {
namespace {

using testing::ClusterMap;

const Agent kUnits[] = {
    {.radius = 0.45, .turning_radius = 3.0},
    {.radius = 0.45, .turning_radius = 2.0, .can_reverse = true},
    {.radius = 0.9, .turning_radius = 4.0},
    {.shape = BodyShape::box, .length = 2.4, .width = 1.2, .turning_radius = 2.0, .can_reverse = true}};

Grid make_land(Rng& rng, std::int32_t width, std::int32_t height) {
    constexpr ClusterMap kKinds[] = {ClusterMap::open, ClusterMap::rooms, ClusterMap::town,
                                     ClusterMap::caves};
    const std::vector<std::uint8_t> tiles = testing::cluster_map(rng, kKinds[rng.below(4)], width, height);
    Result<Grid> grid = Grid::make({.width = width, .height = height}, tiles);
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

// One route out of many stretches.
void append(Route& all, const Route& more) {
    for (const Leg& leg : more.legs) ASSERT_TRUE(all.legs.push_back(leg));
    all.end = more.end;
    all.length += more.length;
    all.status = more.status;
    all.revision = more.revision;
}

struct Driven {
    PathStatus status = PathStatus::unreachable;
    int stretches = 0;
    std::uint64_t most = 0;  // expanded in one call
    Route route;
};

Driven drive_all(const GridState& grid, const DriveMapState& map, const DriveQuery& query, Scratch& scratch) {
    Driven out;
    RollingDrive drive;
    Result<PathStatus> status = drive.begin(grid, map, query, scratch);
    EXPECT_TRUE(status.has_value());
    out.status = *status;
    Route route;
    while (out.status == PathStatus::partial && out.stretches < 2000) {
        status = drive.next(grid, map, scratch, route);
        EXPECT_TRUE(status.has_value());
        out.status = *status;
        if (out.status != PathStatus::partial && out.status != PathStatus::complete) break;
        EXPECT_TRUE(out.route.legs.empty() || route.legs.empty() || route.legs[0].start == out.route.end);
        append(out.route, route);
        out.most = std::max(out.most, route.stats.expanded);
        ++out.stretches;
    }
    return out;
}

TEST(RollingDrive, ArrivesLegallyWhereOneSearchDoes) {
    int complete = 0, stretches = 0;
    double ratio = 0.0;
    for (int n = 0; n < testing::trials(40); ++n) {
        Rng rng(static_cast<std::uint64_t>(n) + 71);
        const Agent& unit = kUnits[n % 4];
        Result<DriveTable> table = DriveTable::make({.agent = unit, .headings = 8, .stretch = 1.05});
        ASSERT_TRUE(table.has_value());
        const Grid land = make_land(rng, 300, 220);
        const Result<DriveMap> map = make_drive_map(land, *table);
        ASSERT_TRUE(map.has_value());
        Scratch scratch;
        for (int q = 0; q < 6; ++q) {
            DriveQuery query;
            query.start = {{rng.between(1.0, 299.0), rng.between(1.0, 219.0)}, rng.between(-3.0, 3.0)};
            query.goal = Vec2{rng.between(1.0, 299.0), rng.between(1.0, 219.0)};
            if (q % 2 == 0) query.goal.at = query.goal.at.facing(rng.between(-3.0, 3.0));
            const Result<Route> whole = find_route(*map, query, scratch);
            ASSERT_TRUE(whole.has_value());
            const Driven driven = drive_all(land, *map, query, scratch);
            ASSERT_EQ(driven.status, whole->status) << n << ' ' << q;
            if (driven.status != PathStatus::complete) continue;
            ++complete;
            stretches += driven.stretches;
            ratio += driven.route.length / std::max(whole->length, 1.0);
            const Violation bad = verify(driven.route, land, unit);
            ASSERT_FALSE(bad) << n << ' ' << q << ' ' << bad.text().c_str();
            EXPECT_NEAR(driven.route.end.position.x, query.goal.at.position.x, 1e-9);
        }
    }
    RecordProperty("mean_ratio", std::to_string(ratio / complete));
    std::printf("%d complete, %.1f stretches, %.3f times as long\n", complete, 1.0 * stretches / complete,
                ratio / complete);
    EXPECT_LT(ratio / complete, 1.15);
}

TEST(RollingDrive, AnEditOnTheWayIsDrivenAround) {
    const Agent unit = kUnits[0];
    Result<Grid> grid = Grid::make({.width = 400, .height = 60});
    Result<DriveTable> table = DriveTable::make({.agent = unit, .headings = 8, .stretch = 1.05});
    Result<DriveMap> map = make_drive_map(*grid, *table);
    ASSERT_TRUE(map.has_value());
    Scratch scratch;
    RollingDrive drive;
    const DriveQuery query{.start = {{5, 30}, 0.0}, .goal = {{395, 30}, 0.0}};
    ASSERT_EQ(*drive.begin(*grid, *map, query, scratch), PathStatus::partial);
    Route route;
    ASSERT_EQ(*drive.next(*grid, *map, scratch, route), PathStatus::partial);
    EXPECT_GT(route.length, 20.0);
    EXPECT_LT(route.length, 100.0);
    EXPECT_NEAR(drive.left(), 390.0 - route.length, 0.1);
    ASSERT_TRUE(grid->fill({{200, 0}, {204, 50}}, 0).has_value());
    ASSERT_TRUE(update_drive_map(*map, *grid).has_value());
    PathStatus status = PathStatus::partial;
    while (status == PathStatus::partial) {
        const Result<PathStatus> next = drive.next(*grid, *map, scratch, route);
        ASSERT_TRUE(next.has_value());
        status = *next;
        EXPECT_FALSE(verify(route, *grid, unit));
    }
    EXPECT_EQ(status, PathStatus::complete);
    EXPECT_EQ(route.end.position.x, 395.0);
}

TEST(RollingDrive, WalledInOnTheWay) {
    const Agent unit = kUnits[0];
    Result<Grid> grid = Grid::make({.width = 400, .height = 60});
    Result<DriveTable> table = DriveTable::make({.agent = unit, .headings = 8, .stretch = 1.05});
    Result<DriveMap> map = make_drive_map(*grid, *table);
    Scratch scratch;
    RollingDrive drive;
    ASSERT_EQ(*drive.begin(*grid, *map, {.start = {{5, 30}, 0.0}, .goal = {{395, 30}, 0.0}}, scratch),
              PathStatus::partial);
    Route route;
    ASSERT_EQ(*drive.next(*grid, *map, scratch, route), PathStatus::partial);
    ASSERT_TRUE(grid->fill({{200, 0}, {204, 60}}, 0).has_value());
    ASSERT_TRUE(update_drive_map(*map, *grid).has_value());
    EXPECT_EQ(*drive.next(*grid, *map, scratch, route), PathStatus::unreachable);
    EXPECT_TRUE(route.legs.empty());
    // And when the wall is gone it goes on.
    ASSERT_TRUE(grid->fill({{200, 0}, {204, 60}}, 1).has_value());
    ASSERT_TRUE(update_drive_map(*map, *grid).has_value());
    EXPECT_EQ(*drive.next(*grid, *map, scratch, route), PathStatus::partial);
}

// A fixture: a stretch that was cut said what the whole one had cost, of which half is dropped.
TEST(RollingDrive, AStretchCostsWhatItDoesByItself) {
    const Agent unit{.radius = 0.45, .turning_radius = 2.0, .can_reverse = true};
    Rng rng(5);
    const Grid land = make_land(rng, 400, 200);
    Result<DriveTable> table = DriveTable::make({.agent = unit, .headings = 8, .stretch = 1.05});
    const Result<DriveMap> map = make_drive_map(land, *table);
    ASSERT_TRUE(map.has_value());
    Scratch scratch;
    int cut = 0;
    for (int q = 0; q < 20; ++q) {
        DriveQuery query;
        query.start = {{rng.between(1.0, 399.0), rng.between(1.0, 199.0)}, rng.between(-3.0, 3.0)};
        query.goal = {{rng.between(1.0, 399.0), rng.between(1.0, 199.0)}, rng.between(-3.0, 3.0)};
        query.cusp_penalty = 3.0;
        RollingDrive drive;
        Result<PathStatus> status = drive.begin(land, *map, query, scratch);
        Route route;
        while (status.has_value() && *status == PathStatus::partial) {
            status = drive.next(land, *map, scratch, route);
            if (route.legs.empty()) break;
            double cost = 0.0;
            for (std::size_t i = 0; i < route.legs.size(); ++i) {
                const Leg& leg = route.legs[i];
                cost += leg.length * (leg.gear == Gear::reverse ? query.reverse_penalty : 1.0);
                cost += i > 0 && leg.gear != route.legs[i - 1].gear ? query.cusp_penalty : 0.0;
            }
            EXPECT_NEAR(route.cost, cost, 1e-6);
            EXPECT_NEAR(route.line_cost, route.length, 1e-6);
            cut += *status == PathStatus::partial ? 1 : 0;
        }
    }
    EXPECT_GT(cut, 10);
}

TEST(RollingDrive, BadInput) {
    Result<Grid> grid = Grid::make({.width = 40, .height = 40});
    Result<DriveTable> table = DriveTable::make({.agent = kUnits[0], .headings = 8, .stretch = 1.05});
    Result<DriveMap> map = make_drive_map(*grid, *table);
    Scratch scratch;
    RollingDrive drive;
    const DriveQuery query{.start = {{5, 20}, 0.0}, .goal = {{35, 20}, 0.0}};
    for (const double window : {0.0, 7.9, 2e6, kNoBound, std::nan("")}) {
        const Error error = drive.begin(*grid, *map, query, scratch, {.window = window}).error();
        EXPECT_EQ(error.code, ErrorCode::out_of_range);
        EXPECT_EQ(error.field, Field::window);
    }
    DriveQuery bad = query;
    bad.start.position.x = std::nan("");
    EXPECT_EQ(drive.begin(*grid, *map, bad, scratch).error().code, ErrorCode::not_finite);
    DriveQuery off = query;
    off.goal = {{350, 20}, 0.0};
    EXPECT_EQ(*drive.begin(*grid, *map, off, scratch), PathStatus::off_world);
    DriveQuery there = query;
    there.goal = {{5, 20}, 0.0};
    EXPECT_EQ(*drive.begin(*grid, *map, there, scratch), PathStatus::complete);
}

}  // namespace
}  // namespace fairlead
