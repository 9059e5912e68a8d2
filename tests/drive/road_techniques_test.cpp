// The article's ways to corner on roads (techniques R1 to R5) and the constraint that replaces them.

#include <gtest/gtest.h>

#include <cmath>

#include <fairlead/curve/relaxed.h>
#include <fairlead/drive/round_corners.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>
#include <fairlead/verify/verify_roads.h>

#include "drive/map/map_data.h"
#include "drive/roads.h"

namespace fairlead::testing {
namespace {

// East along the bottom, then north: three cells wide.
RoadLayer corner(std::int32_t size) {
    RoadLayer roads = *RoadLayer::make(size, size);
    const double far = size - 3.5;
    const Vec2 line[] = {{0, 3.5}, {far, 3.5}, {far, static_cast<double>(size)}};
    EXPECT_TRUE(roads.paint(line, 3.0, RoadLanes::keep_right).has_value());
    return roads;
}

Grid open_ground(std::int32_t size) { return *Grid::make({.width = size, .height = size}); }

// Walls off the road.
Grid road_only(const RoadLayer& roads) {
    Grid grid = open_ground(roads.width());
    for (std::int32_t y = 0; y < roads.height(); ++y) {
        for (std::int32_t x = 0; x < roads.width(); ++x) {
            if (roads.at(x, y) != 0) continue;
            EXPECT_TRUE(grid.fill({{x, y}, {x + 1, y + 1}}, 0).has_value());
        }
    }
    return grid;
}

DriveQuery round_the_corner(std::int32_t size, const Agent& agent) {
    return {.start = {{2.5, 3.5}, 0.0}, .goal = {{size - 3.5, size - 2.5}, kHalfPi}, .agent = agent};
}

Route find(const Grid& grid, const DriveQuery& query, const GridDriveOptions& options) {
    Scratch scratch;
    Result<Route> route = find_route(grid, query, scratch, {.map = options});
    EXPECT_TRUE(route.has_value());
    if (route->status == PathStatus::complete) {
        EXPECT_FALSE(verify(*route, grid, query.agent)) << verify(*route, grid, query.agent).text().c_str();
    }
    return std::move(*route);
}

// Five tiles to the side of the way it faces: 90 degrees + asin(r / (5 - r)).
TEST(RoadTechniques, R1TheShortestCurveTurnsFartherThanTheCorner) {
    for (const double r : {0.5, 1.0, 1.028, 2.0}) {
        const CurveWord way = shortest_to_point({{0, 0}, 0.0}, {0, 5}, r);
        ASSERT_EQ(way.count, 2);
        EXPECT_NEAR(way.segments[0].amount, kHalfPi + std::asin(r / (5 - r)), 1e-12);
    }
    constexpr double kDeg = 180.0 / kPi;
    EXPECT_NEAR(shortest_to_point({{0, 0}, 0.0}, {0, 5}, 1.0).segments[0].amount * kDeg, 104.48, 0.005);
    EXPECT_NEAR(shortest_to_point({{0, 0}, 0.0}, {0, 5}, 1.028).segments[0].amount * kDeg, 105.0, 0.005);
}

TEST(RoadTechniques, R1CutsAcrossAndTheConstraintDoesNot) {
    const RoadLayer roads = corner(24);
    const Grid grid = open_ground(24);
    const DriveQuery query = round_the_corner(24, {.radius = 0.4, .turning_radius = 2.0});
    const Route free = find(grid, query, {});
    const Route kept =
        find(grid, query, {.roads = &roads, .road_rules = {.off_road = kRoadForbidden, .against = 1.0}});
    const Route lanes =
        find(grid, query,
             {.roads = &roads, .road_rules = {.off_road = kRoadForbidden, .against = kRoadForbidden}});
    ASSERT_EQ(kept.status, PathStatus::complete);
    ASSERT_EQ(lanes.status, PathStatus::complete);
    const RoadUse across = measure_roads(free, roads);
    EXPECT_GT(across.off_road / across.length, 0.5);
    EXPECT_EQ(measure_roads(kept, roads).off_road, 0.0);
    EXPECT_FALSE(verify_roads(lanes, roads));
    EXPECT_GT(kept.length, free.length + 5.0);
    EXPECT_LE(kept.length, lanes.length + 1e-9);
}

// R2 and R3: a search over the road's tiles alone, its corner rounded. Fails when the radius is too large for the road.
TEST(RoadTechniques, R2R3RoundingTheTilesWayFailsForWideTurners) {
    const RoadLayer roads = corner(24);
    const Grid grid = road_only(roads);
    Scratch scratch;
    for (const double radius : {0.75, 5.0}) {
        const DriveQuery query = round_the_corner(24, {.radius = 0.4, .turning_radius = radius});
        const Result<DriveTable> table = DriveTable::make({.agent = query.agent});
        const Result<DriveMap> map = make_drive_map(grid, *table);
        ASSERT_TRUE(map.has_value());
        const Result<Route> walk = find_route(grid,
                                              GridQuery{.start = query.start,
                                                        .goal = query.goal,
                                                        .agent = {.radius = 1.2},
                                                        .planner = GridPlanner::bucket_astar,
                                                        .smoothing = Smoothing::none},
                                              scratch);
        ASSERT_TRUE(walk.has_value());
        ASSERT_EQ(walk->status, PathStatus::complete);
        std::vector<Vec2> way;
        for (std::size_t i = 1; i < walk->legs.size(); ++i)
            way.push_back(ground(walk->legs[i].start.position));
        way.push_back(query.goal.at.ground());
        const Result<RoundedCorners> rounded = round_corners(
            *map, {.start = query.start.pose(), .waypoints = way}, CornerMethod::ignore_walls, scratch);
        ASSERT_TRUE(rounded.has_value());
        const RoadUse use = measure_roads(rounded->route, roads);
        EXPECT_EQ(rounded->legal, radius == 0.75);
        EXPECT_EQ(use.off_road > 0.5, radius != 0.75) << use.off_road;
        EXPECT_EQ(static_cast<bool>(verify(rounded->route, grid, query.agent)), radius != 0.75);
    }
}

// R4: a turn of 90 degrees that needs two tiles is not in Directional-8.
TEST(RoadTechniques, R4WideTurnersNeedTheSecondRing) {
    const RoadLayer roads = corner(24);
    const Grid grid = open_ground(24);
    const DriveQuery query = round_the_corner(24, {.radius = 0.4, .turning_radius = 2.0});
    Scratch scratch;
    for (const std::int32_t rings : {1, 2, 3}) {
        const Result<DriveTable> table =
            DriveTable::make({.agent = query.agent, .headings = 8, .rings = rings});
        ASSERT_TRUE(table.has_value());
        const Result<DriveMap> map = make_drive_map(
            grid, *table, {.roads = &roads, .road_rules = {.off_road = kRoadForbidden, .against = 1.0}});
        ASSERT_TRUE(map.has_value());
        DriveQuery ask = query;
        ask.goal_curves = false;
        const Result<Route> route = find_route(*map, ask, scratch);
        ASSERT_TRUE(route.has_value());
        EXPECT_EQ(route->status, rings == 1 ? PathStatus::unreachable : PathStatus::complete) << rings;
        EXPECT_EQ(measure_roads(*route, roads).off_road, 0.0);
    }
}

std::uint64_t hash_of(const Grid& grid, const DriveMap& map) {
    std::uint64_t hash = 1469598103934665603ULL;
    const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 1099511628211ULL; };
    for (std::int32_t y = 0; y < grid.state().height(); ++y)
        for (std::int32_t x = 0; x < grid.state().width(); ++x)
            add(static_cast<std::uint64_t>(grid.state().cost({x, y, 0})));
    const std::size_t planes = map.state().table().primitives().all().size() +
                               static_cast<std::size_t>(map.state().table().headings());
    for (std::int32_t y = 0; y < map.state().height(); ++y)
        for (std::int32_t x = 0; x < map.state().width(); x += 64)
            for (std::size_t i = 0; i < planes; ++i) add(map.state().data().edges().column(x, y)[i]);
    return hash;
}

TEST(RoadTechniques, R5ConesKeepTheTurnOnTheRoadAndGoAway) {
    const RoadLayer roads = corner(24);
    const Grid grid = open_ground(24);
    const DriveQuery query = round_the_corner(24, {.radius = 0.4, .turning_radius = 1.5});
    const Result<RoadCones> cones = RoadCones::make(roads, 0);
    ASSERT_TRUE(cones.has_value());
    const Route before = find(grid, query, {});
    EXPECT_GT(measure_roads(before, roads).off_road, 10.0);
    const Result<DriveTable> table = DriveTable::make({.agent = query.agent});
    Result<DriveMap> map = make_drive_map(grid, *table);
    ASSERT_TRUE(map.has_value());
    const std::uint64_t hash = hash_of(grid, *map);
    const std::uint64_t revision = grid.state().revision();

    ASSERT_TRUE(update_drive_map(*map, grid, {.cones = &*cones}).has_value());
    EXPECT_NE(hash_of(grid, *map), hash);
    Scratch scratch;
    const Result<Route> coned = find_route(*map, query, scratch);
    ASSERT_TRUE(coned.has_value());
    ASSERT_EQ(coned->status, PathStatus::complete);
    EXPECT_FALSE(verify(*coned, grid, query.agent));
    EXPECT_EQ(measure_roads(*coned, roads).off_road, 0.0);

    ASSERT_TRUE(update_drive_map(*map, grid).has_value());
    EXPECT_EQ(hash_of(grid, *map), hash);
    EXPECT_EQ(grid.state().revision(), revision);
    const Result<Route> after = find_route(*map, query, scratch);
    ASSERT_TRUE(after.has_value());
    EXPECT_LT(after->length, coned->length - 3.0);
}

// Cones leave the tiles of a wide turn open, and there it leaves the road; the constraint has no such tiles.
TEST(RoadTechniques, R5ConesLeaveAHoleWhereTheTurnIs) {
    const RoadLayer roads = corner(24);
    const Grid grid = open_ground(24);
    const DriveQuery query = round_the_corner(24, {.radius = 0.4, .turning_radius = 9.0});
    const Result<RoadCones> tight = RoadCones::make(roads, 0);
    const Result<RoadCones> wide = RoadCones::make(roads, 9);
    ASSERT_TRUE(tight.has_value() && wide.has_value());
    const Route none = find(grid, query, {.cones = &*tight});
    EXPECT_EQ(none.status, PathStatus::unreachable);
    const Route coned = find(grid, query, {.cones = &*wide});
    ASSERT_EQ(coned.status, PathStatus::complete);
    EXPECT_GT(measure_roads(coned, roads).off_road, 0.1);
    const Route kept =
        find(grid, query, {.roads = &roads, .road_rules = {.off_road = kRoadForbidden, .against = 1.0}});
    EXPECT_EQ(kept.status, PathStatus::complete);
    EXPECT_EQ(measure_roads(kept, roads).off_road, 0.0);
}

TEST(RoadTechniques, ReverseTravelsTheOtherWay) {
    RoadLayer roads = *RoadLayer::make(30, 9);
    const Vec2 line[] = {{0, 4.5}, {30, 4.5}};
    ASSERT_TRUE(roads.paint(line, 3.0, RoadLanes::one_way).has_value());
    const Grid grid = open_ground(30);
    RoadLayer square = *RoadLayer::make(30, 30);
    for (std::int32_t y = 0; y < 9; ++y)
        for (std::int32_t x = 0; x < 30; ++x) square.set(x, y, roads.at(x, y));
    const GridDriveOptions options{.roads = &square,
                                   .road_rules = {.off_road = kRoadForbidden, .against = kRoadForbidden}};
    const Agent agent{.radius = 0.4, .turning_radius = 2.0, .can_reverse = true};
    // East: facing either way. West: not at all.
    const Route ahead =
        find(grid, {.start = {{3.5, 4.5}, 0}, .goal = {{25.5, 4.5}, 0}, .agent = agent}, options);
    const Route astern =
        find(grid, {.start = {{3.5, 4.5}, kPi}, .goal = {{25.5, 4.5}, kPi}, .agent = agent}, options);
    const Route west =
        find(grid, {.start = {{25.5, 4.5}, kPi}, .goal = {{3.5, 4.5}, kPi}, .agent = agent}, options);
    ASSERT_EQ(ahead.status, PathStatus::complete);
    EXPECT_NEAR(ahead.length, 22.0, 1e-9);
    ASSERT_EQ(astern.status, PathStatus::complete);
    for (const Leg& leg : astern.legs) EXPECT_EQ(leg.gear, Gear::reverse);
    EXPECT_FALSE(verify_roads(astern, square));
    EXPECT_EQ(west.status, PathStatus::unreachable);
}

TEST(RoadTechniques, WrongOptionsAreRefused) {
    const Grid grid = open_ground(24);
    const RoadLayer roads = corner(24);
    const RoadLayer small = corner(20);
    const DriveQuery query = round_the_corner(24, {.radius = 0.4, .turning_radius = 2.0});
    Scratch scratch;
    const auto error = [&](const GridDriveOptions& options) {
        const Result<Route> route = find_route(grid, query, scratch, {.map = options});
        return route ? Error{ErrorCode::count_, 0, 0} : route.error();
    };
    EXPECT_EQ(error({.roads = &small}), (Error{ErrorCode::size_mismatch, Field::roads, 24}));
    EXPECT_EQ(error({.roads = &roads, .road_rules = {.off_road = 0.5}}),
              (Error{ErrorCode::out_of_range, Field::road_rules}));
    EXPECT_EQ(error({.roads = &roads, .road_rules = {.against = 1001}}).code, ErrorCode::out_of_range);
    EXPECT_EQ(error({.roads = &roads, .road_rules = {.against = std::nan("")}}).code,
              ErrorCode::out_of_range);
    const Result<DriveTable> table = DriveTable::make({.agent = query.agent});
    Result<DriveMap> map = make_drive_map(grid, *table, {.roads = &roads});
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(update_drive_map(*map, grid).error().code, ErrorCode::incompatible);
    const Vec2 way[] = {{10, 10}};
    EXPECT_EQ(
        round_corners(*map, {.start = query.start.pose(), .waypoints = way}, CornerMethod::tighter, scratch)
            .error()
            .code,
        ErrorCode::unsupported);
}

}  // namespace
}  // namespace fairlead::testing
