// The witness for road rules: planted breaches of 1e-5 cells are found, what keeps to the road is not refused.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <fairlead/verify/verify_roads.h>

namespace fairlead::testing {
namespace {

RoadLayer street() {  // east in rows 2 and 3, west in rows 4 and 5
    RoadLayer roads = *RoadLayer::make(40, 12);
    const Vec2 line[] = {{0, 4}, {40, 4}};
    EXPECT_TRUE(roads.paint(line, 4.0, RoadLanes::keep_right).has_value());
    return roads;
}

Route drive(Vec2 from, double heading, double length, double curvature = 0.0, Gear gear = Gear::forward) {
    Route route;
    Leg leg;
    leg.start = {{from.x, from.y, 0.0}, heading, 0};
    leg.length = length;
    leg.curvature = curvature;
    leg.gear = gear;
    EXPECT_TRUE(route.legs.push_back(leg));
    route.status = PathStatus::complete;
    return route;
}

TEST(VerifyRoads, LanesHaveADirection) {
    const RoadLayer roads = street();
    EXPECT_FALSE(verify_roads(drive({2, 3}, 0, 30), roads));
    EXPECT_FALSE(verify_roads(drive({32, 5}, kPi, 30), roads));
    EXPECT_FALSE(verify_roads(drive({2, 3}, kPi, 30, 0, Gear::reverse), roads));  // facing back, going east
    const Violation bad = verify_roads(drive({2, 5}, 0, 30), roads);
    EXPECT_EQ(bad.kind, ViolationKind::against_lane);
    EXPECT_NEAR(bad.depth, 30.0, 1e-5);
    EXPECT_EQ(verify_roads(drive({2, 3}, 0, 1, 0, Gear::reverse), roads).kind, ViolationKind::against_lane);
    EXPECT_FALSE(verify_roads(drive({2, 5}, 0, 30), roads, {.against = false}));
}

TEST(VerifyRoads, CrossingAtARightAngleIsNotAgainst) {
    const RoadLayer roads = street();
    EXPECT_FALSE(verify_roads(drive({20, 2}, kHalfPi, 4), roads));
    EXPECT_FALSE(verify_roads(drive({20, 2}, kHalfPi, 2 + 1e-7), roads));
    // A hundredth of a radian more, in the lane that comes the other way.
    const Violation bad = verify_roads(drive({20, 2.5}, kHalfPi - 0.01, 3), roads);
    EXPECT_EQ(bad.kind, ViolationKind::against_lane);
    EXPECT_NEAR(bad.distance, 1.5 / std::cos(0.01), 1e-5);
}

TEST(VerifyRoads, FindsASliverOffTheRoad) {
    const RoadLayer roads = street();
    // An arc that bulges out of the road's lower border at y = 2 by `out`.
    const auto bulge = [](double out) {
        const double radius = 3.0;
        const double half = 1.0;
        return drive({20 - radius * std::sin(half), 2 - out + radius * (1 - std::cos(half))}, -half,
                     2 * half * radius, 1 / radius);
    };
    EXPECT_FALSE(verify_roads(bulge(0.0), roads));
    EXPECT_FALSE(verify_roads(bulge(1e-7), roads));
    for (const double out : {1e-5, 1e-3, 0.3}) {
        const Violation bad = verify_roads(bulge(out), roads);
        EXPECT_EQ(bad.kind, ViolationKind::off_road) << out;
        const double wide = 2 * std::acos(1 - out / 3.0) * 3.0;
        EXPECT_NEAR(bad.depth, wide, 0.2 * wide) << out;
        EXPECT_NEAR(measure_roads(bulge(out), roads).off_road, wide, 0.2 * wide);
    }
    EXPECT_FALSE(verify_roads(bulge(0.3), roads, {.off_road = false}));
}

TEST(VerifyRoads, BordersBelongToTheBetterSide) {
    const RoadLayer roads = street();
    EXPECT_FALSE(verify_roads(drive({2, 2}, 0, 30), roads));        // road and grass
    EXPECT_FALSE(verify_roads(drive({2, 4}, 0, 30), roads));        // the middle line
    EXPECT_FALSE(verify_roads(drive({32, 4}, kPi, 30), roads));     //
    EXPECT_TRUE(verify_roads(drive({2, 4 + 1e-5}, 0, 30), roads));  // just over it
    EXPECT_TRUE(verify_roads(drive({2, 2 - 1e-5}, 0, 30), roads));  //
    EXPECT_FALSE(verify_roads(drive({2, 2 + 1e-5}, 0, 30), roads));
}

// Found by random roads: between a lane that comes the other way and grass that may be driven, the grass counts.
TEST(VerifyRoads, BorderOfAnOppositeLaneAndOpenGrass) {
    const RoadLayer roads = street();
    const Route route = drive({2, 6}, 0, 30);
    EXPECT_FALSE(verify_roads(route, roads, {.off_road = false}));
    EXPECT_FALSE(verify_roads(route, roads, {.against = false}));
    EXPECT_TRUE(verify_roads(route, roads));
    const RoadUse use = measure_roads(route, roads);
    EXPECT_NEAR(use.off_road + use.against, 30.0, 1e-4);
}

TEST(VerifyRoads, OriginAndCellSize) {
    const RoadLayer roads = street();
    const RoadVerifyOptions options{.origin = {100, -50}, .cell_size = 2.5};
    EXPECT_FALSE(verify_roads(drive({105, -42.5}, 0, 60), roads, options));
    const Violation bad = verify_roads(drive({105, -46}, kHalfPi - 0.5, 40), roads, options);
    EXPECT_EQ(bad.kind, ViolationKind::off_road);  // from y = -45 on there is road, but it starts below
    EXPECT_NEAR(bad.distance, 0.0, 1e-9);
    EXPECT_NEAR(bad.depth, 1.0 / std::cos(0.5), 1e-4);
}

TEST(VerifyRoads, HostileNumbers) {
    const RoadLayer roads = street();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(verify_roads(drive({2, nan}, 0, 3), roads).kind, ViolationKind::not_finite);
    EXPECT_EQ(verify_roads(drive({2, 3}, 0, -3), roads).kind, ViolationKind::bad_number);
    EXPECT_EQ(verify_roads(drive({2, 3}, 0, 1e8), roads).kind, ViolationKind::too_far);
    EXPECT_EQ(verify_roads(drive({2, 3}, 0, 100, 1e300), roads).kind, ViolationKind::too_far);
    EXPECT_EQ(verify_roads(drive({2, 3}, 1e300, 1), roads).kind, ViolationKind::too_far);
    EXPECT_EQ(verify_roads(drive({2, 3}, 0, 3), roads, {.cell_size = 0.0}).kind, ViolationKind::bad_argument);
    EXPECT_EQ(verify_roads(drive({2, 3}, 0, 3), roads, {.origin = {nan, 0}}).kind,
              ViolationKind::bad_argument);
    EXPECT_EQ(verify_roads(drive({-500000, 3}, 0, 1e5), roads).kind, ViolationKind::off_road);
    EXPECT_EQ(measure_roads(drive({2, nan}, 0, 3), roads).length, 0.0);
}

}  // namespace
}  // namespace fairlead::testing
