// Roads painted on tiles, and cones beside them.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include <fairlead/base/rng.h>
#include <fairlead/grid/road_cones.h>
#include <fairlead/grid/road_layer.h>

namespace fairlead::testing {
namespace {

constexpr std::uint8_t kEast = 1;
constexpr std::uint8_t kNorth = 4;
constexpr std::uint8_t kWest = 16;
constexpr std::uint8_t kSouth = 64;

RoadLayer layer(std::int32_t width, std::int32_t height) { return *RoadLayer::make(width, height); }

TEST(RoadLayer, KeepsToTheSideOfTravel) {
    RoadLayer roads = layer(10, 8);
    const Vec2 east[] = {{0, 3}, {10, 3}};
    ASSERT_TRUE(roads.paint(east, 4.0, RoadLanes::keep_right).has_value());
    for (std::int32_t x = 0; x < 10; ++x) {
        EXPECT_EQ(roads.at(x, 0), 0);
        EXPECT_EQ(roads.at(x, 1), kEast);  // right of the line, with z up
        EXPECT_EQ(roads.at(x, 2), kEast);
        EXPECT_EQ(roads.at(x, 3), kWest);
        EXPECT_EQ(roads.at(x, 4), kWest);
        EXPECT_EQ(roads.at(x, 5), 0);
    }
    RoadLayer left = layer(10, 8);
    ASSERT_TRUE(left.paint(east, 4.0, RoadLanes::keep_left).has_value());
    EXPECT_EQ(left.at(5, 1), kWest);
    EXPECT_EQ(left.at(5, 4), kEast);
    // The same line the other way is the same road.
    const Vec2 west[] = {{10, 3}, {0, 3}};
    RoadLayer back = layer(10, 8);
    ASSERT_TRUE(back.paint(west, 4.0, RoadLanes::keep_right).has_value());
    for (std::int32_t y = 0; y < 8; ++y) EXPECT_EQ(back.at(4, y), roads.at(4, y));
}

TEST(RoadLayer, ABendIsMitredAndAllowsBothStretches) {
    RoadLayer roads = layer(12, 12);
    const Vec2 line[] = {{0, 4}, {8, 4}, {8, 12}};
    ASSERT_TRUE(roads.paint(line, 4.0, RoadLanes::keep_right).has_value());
    EXPECT_EQ(roads.at(9, 2), kEast | kNorth);  // the outer corner
    EXPECT_EQ(roads.at(6, 5), kWest | kSouth);  // the inner one
    EXPECT_EQ(roads.at(2, 2), kEast);
    EXPECT_EQ(roads.at(9, 9), kNorth);
    EXPECT_EQ(roads.at(6, 9), kSouth);
    EXPECT_EQ(roads.at(10, 4), 0);
    EXPECT_EQ(roads.at(7, 1), 0);
}

TEST(RoadLayer, JunctionsAreUnions) {
    RoadLayer roads = layer(20, 20);
    const Vec2 across[] = {{0, 10}, {20, 10}};
    const Vec2 up[] = {{10, 0}, {10, 20}};
    ASSERT_TRUE(roads.paint(across, 4.0, RoadLanes::keep_right).has_value());
    ASSERT_TRUE(roads.paint(up, 4.0, RoadLanes::one_way).has_value());
    EXPECT_EQ(roads.at(9, 9), kEast | kNorth);
    EXPECT_EQ(roads.at(9, 11), kWest | kNorth);
    EXPECT_EQ(roads.at(9, 15), kNorth);
    EXPECT_EQ(roads.at(11, 15), kNorth);
}

TEST(RoadLayer, CellsOnTheMiddleLineAllowBothWays) {
    RoadLayer roads = layer(10, 9);
    const Vec2 line[] = {{0.5, 4.5}, {9.5, 4.5}};
    ASSERT_TRUE(roads.paint(line, 3.0, RoadLanes::keep_right).has_value());
    EXPECT_EQ(roads.at(4, 3), kEast);
    EXPECT_EQ(roads.at(4, 4), kEast | kWest);
    EXPECT_EQ(roads.at(4, 5), kWest);
}

// A cell is of the road if its middle is in one of the boxes: for single stretches by distance.
TEST(RoadLayer, PaintsWhatIsWithinHalfTheWidth) {
    Rng rng(77);
    for (int i = 0; i < 300; ++i) {
        RoadLayer roads = layer(24, 20);
        const Vec2 a{rng.unit() * 24, rng.unit() * 20};
        const Vec2 b{rng.unit() * 24, rng.unit() * 20};
        const double width = 0.5 + rng.unit() * 6;
        const Vec2 line[] = {a, b};
        ASSERT_TRUE(roads.paint(line, width, RoadLanes::any_way).has_value());
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        for (std::int32_t y = 0; y < 20; ++y) {
            for (std::int32_t x = 0; x < 24; ++x) {
                const Vec2 p{x + 0.5 - a.x, y + 0.5 - a.y};
                const double along = ((b.x - a.x) * p.x + (b.y - a.y) * p.y) / length;
                const double side = std::abs((b.x - a.x) * p.y - (b.y - a.y) * p.x) / length;
                const bool inside = side <= width / 2 && along >= 0 && along <= length;
                EXPECT_EQ(roads.at(x, y) != 0, inside) << i << ": " << x << ", " << y;
            }
        }
    }
}

TEST(RoadLayer, RefusesWhatIsWrongAndStaysAsItWas) {
    EXPECT_EQ(RoadLayer::make(0, 5).error().code, ErrorCode::size_zero);
    EXPECT_EQ(RoadLayer::make(5, 16385).error(), (Error{ErrorCode::size_limit, Field::height, 16384}));
    RoadLayer roads = layer(8, 8);
    const Vec2 one[] = {{1, 1}};
    const Vec2 still[] = {{1, 1}, {1, 1}};
    const Vec2 nan[] = {{1, 1}, {std::numeric_limits<double>::quiet_NaN(), 1}};
    const Vec2 far[] = {{1, 1}, {2e6, 1}};
    const Vec2 good[] = {{1, 1}, {5, 1}};
    EXPECT_EQ(roads.paint(one, 1.0, RoadLanes::one_way).error().code, ErrorCode::size_zero);
    EXPECT_EQ(roads.paint(still, 1.0, RoadLanes::one_way).error().code, ErrorCode::size_zero);
    EXPECT_EQ(roads.paint(nan, 1.0, RoadLanes::one_way).error(),
              (Error{ErrorCode::not_finite, Field::line, 1, 0}));
    EXPECT_EQ(roads.paint(far, 1.0, RoadLanes::one_way).error(),
              (Error{ErrorCode::out_of_range, Field::line, 1, 0}));
    EXPECT_EQ(roads.paint(good, 0.0, RoadLanes::one_way).error().field, Field::width);
    for (std::int32_t y = 0; y < 8; ++y)
        for (std::int32_t x = 0; x < 8; ++x) EXPECT_EQ(roads.at(x, y), 0);
    EXPECT_EQ(roads.at(-1, 3), 0);
    EXPECT_EQ(roads.at(8, 3), 0);
}

// As files paint junctions: cells for any way, where one-way roads of two axes meet. They were no bends, so the count did nothing.
TEST(RoadCones, LeaveRoomAtJunctionsForAnyWay) {
    RoadLayer roads = layer(24, 24);
    for (std::int32_t i = 0; i < 24; ++i) {
        for (std::int32_t k = 4; k < 7; ++k) {
            if (i < 15) roads.set(i, k, 1);            // along +x
            if (i >= 7) roads.set(k + 11, i, 1 << 2);  // along +y
        }
    }
    for (std::int32_t y = 4; y < 7; ++y)
        for (std::int32_t x = 15; x < 18; ++x) roads.set(x, y, kRoadAnyWay);
    // And a patch for any way in the middle of a straight road, which is none.
    for (std::int32_t y = 4; y < 7; ++y) roads.set(4, y, kRoadAnyWay);
    std::int64_t before = RoadCones::make(roads, 0).value().count();
    for (const std::int32_t tiles : {1, 2, 3, 5}) {
        const Result<RoadCones> cones = RoadCones::make(roads, tiles);
        ASSERT_TRUE(cones.has_value());
        EXPECT_LT(cones->count(), before) << tiles;
        before = cones->count();
        EXPECT_FALSE(cones->at(14, 7)) << tiles;          // inside the bend
        EXPECT_EQ(cones->at(14 - tiles, 7), true);        // a tile beyond
        EXPECT_TRUE(cones->at(4, 3) && cones->at(4, 7));  // beside the patch
    }
    // A road for any way from end to end has no bends.
    RoadLayer plain = layer(16, 16);
    const Vec2 line[] = {{0, 4}, {8, 4}, {8, 16}};
    ASSERT_TRUE(plain.paint(line, 2.0, RoadLanes::any_way).has_value());
    EXPECT_EQ(RoadCones::make(plain, 3).value().count(), RoadCones::make(plain, 0).value().count());
}

// A road along each side of the map, and one that meets it in a cell for any way.
TEST(RoadCones, LeaveRoomAtJunctionsWithARoadAtTheMapsEdge) {
    for (const std::int32_t edge : {0, 11}) {
        for (const bool upright : {false, true}) {
            RoadLayer roads = layer(12, 12);
            const auto set = [&](std::int32_t off, std::int32_t along, std::uint8_t directions) {
                upright ? roads.set(off, along, directions) : roads.set(along, off, directions);
            };
            const std::uint8_t x = 1, y = 1 << 2;
            for (std::int32_t i = 0; i < 12; ++i) set(i, 6, upright ? x : y);
            for (std::int32_t i = 0; i < 12; ++i) set(edge, i, upright ? y : x);
            const std::int32_t beside = edge == 0 ? 1 : 10;
            set(beside, 6, kRoadAnyWay);
            const Result<RoadCones> cones = RoadCones::make(roads, 1);
            ASSERT_TRUE(cones.has_value());
            EXPECT_FALSE(upright ? cones->at(beside, 7) : cones->at(7, beside)) << edge;
        }
    }
}

TEST(RoadCones, StandBesideTheRoadAndLeaveRoomAtBends) {
    RoadLayer roads = layer(16, 16);
    const Vec2 line[] = {{0, 4}, {8, 4}, {8, 16}};
    ASSERT_TRUE(roads.paint(line, 2.0, RoadLanes::keep_right).has_value());
    for (const std::int32_t tiles : {0, 1, 3}) {
        const Result<RoadCones> cones = RoadCones::make(roads, tiles);
        ASSERT_TRUE(cones.has_value());
        std::int64_t count = 0;
        for (std::int32_t y = 0; y < 16; ++y) {
            for (std::int32_t x = 0; x < 16; ++x) {
                bool beside = false;
                for (std::int32_t k = 0; k < 9; ++k)
                    beside = beside || roads.at(x + k % 3 - 1, y + k / 3 - 1) != 0;
                // The bend is the square of cells 7 to 8, 3 to 4.
                const std::int32_t off_x = std::max({7 - x, x - 8, 0});
                const std::int32_t off_y = std::max({3 - y, y - 4, 0});
                const bool near = tiles > 0 && std::max(off_x, off_y) <= tiles;
                const bool expected = roads.at(x, y) == 0 && beside && !near;
                EXPECT_EQ(cones->at(x, y), expected) << tiles << ": " << x << ", " << y;
                count += expected ? 1 : 0;
            }
        }
        EXPECT_EQ(cones->count(), count);
    }
    EXPECT_EQ(RoadCones::make(roads, 65).error(), (Error{ErrorCode::out_of_range, Field::tiles, 65}));
    EXPECT_EQ(RoadCones::make(roads, -1).error().code, ErrorCode::out_of_range);
}

}  // namespace
}  // namespace fairlead::testing
