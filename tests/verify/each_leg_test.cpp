// Leg by leg: every bad leg is told, beside a search of the test's own; what is told to fit does.
#include <fairlead/verify/each_leg.h>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/math/swept.h>
#include <fairlead/math/trig.h>

#include "support/environment.h"

namespace fairlead::testing {
namespace {

constexpr std::int32_t kSide = 20;

struct LegMap {
    std::uint8_t tiles[kSide * kSide] = {};

    [[nodiscard]] bool wall(std::int32_t x, std::int32_t y) const {
        return x < 0 || y < 0 || x >= kSide || y >= kSide || tiles[y * kSide + x] == 0;
    }
    /// How far the middle line keeps from walls.
    [[nodiscard]] double room(Vec2 a, Vec2 b) const {
        double room = 100.0;
        for (std::int32_t y = -1; y <= kSide; ++y) {
            for (std::int32_t x = -1; x <= kSide; ++x) {
                const Aabb box{{static_cast<double>(x), static_cast<double>(y)}, {x + 1.0, y + 1.0}};
                if (wall(x, y)) room = std::min(room, math::distance_segment_box(a, b, box));
            }
        }
        return room;
    }
};

TEST(EachLeg, AllBadLegsAreToldAndWhatFits) {
    Rng rng{17};
    Array<LegVerdict> legs;
    int bad = 0, good = 0;
    for (int i = 0; i < trials(300); ++i) {
        LegMap map;
        for (std::uint8_t& tile : map.tiles) tile = rng.below(100) < 8 ? 0 : 1;
        const Result<Grid> grid = Grid::make({.width = kSide, .height = kSide}, map.tiles);
        ASSERT_TRUE(grid);
        Route route;
        route.status = PathStatus::complete;
        Vec2 at{rng.between(1.0, 19.0), rng.between(1.0, 19.0)};
        std::vector<Vec2> points{at};
        for (int k = 0; k < 5; ++k) {
            const Vec2 to{rng.between(1.0, 19.0), rng.between(1.0, 19.0)};
            Leg leg;
            leg.start = {{at.x, at.y, 0}, math::atan2(to.y - at.y, to.x - at.x), 0};
            leg.length = distance(at, to);
            ASSERT_TRUE(route.legs.push_back(leg));
            route.length += leg.length;
            at = to;
            points.push_back(to);
        }
        route.end = {{at.x, at.y, 0}, 0, 0};
        const double radius = rng.between(0.1, 0.9);
        ASSERT_TRUE(verify_legs(route, *grid, {.radius = radius}, legs));
        ASSERT_EQ(legs.size(), 5U);
        std::int64_t first = -1;
        for (std::size_t k = 0; k < 5; ++k) {
            const double room = map.room(points[k], points[k + 1]);
            if (std::abs(room - radius) < 1e-6) continue;
            ASSERT_EQ(static_cast<bool>(legs[k].bad), room < radius) << "leg " << k;
            (room < radius ? bad : good) += 1;
            if (!legs[k].bad) continue;
            if (first < 0) first = static_cast<std::int64_t>(k);
            EXPECT_EQ(legs[k].bad.leg, static_cast<std::int64_t>(k));
            if (room > 0.0) {
                EXPECT_LE(legs[k].fits, room + 1e-7);
                EXPECT_GE(legs[k].fits, room - 2e-6);
            } else {
                EXPECT_LT(legs[k].fits, 1e-6);
            }
        }
        // The first of them is verify's.
        const Violation one = verify(route, *grid, {.radius = radius});
        EXPECT_EQ(one.leg, first);
    }
    if (all_trials()) {
        EXPECT_GT(bad, 100);
        EXPECT_GT(good, 100);
    }
}

TEST(EachLeg, AJumpBetweenLegsBelongsToTheLegBefore) {
    const Result<Grid> grid = Grid::make({.width = kSide, .height = kSide});
    ASSERT_TRUE(grid);
    Route route;
    route.status = PathStatus::complete;
    Leg leg;
    leg.start = {{2, 2, 0}, 0, 0};
    leg.length = 3;
    ASSERT_TRUE(route.legs.push_back(leg));
    leg.start = {{6, 2, 0}, 0, 0};  // the last one ended at 5
    ASSERT_TRUE(route.legs.push_back(leg));
    route.end = {{9, 2, 0}, 0, 0};
    Array<LegVerdict> legs;
    ASSERT_TRUE(verify_legs(route, *grid, {.radius = 0.4}, legs));
    EXPECT_EQ(legs[0].bad.kind, ViolationKind::leg_end);
    EXPECT_EQ(legs[0].fits, kUnknown);
    EXPECT_FALSE(legs[1].bad);
}

}  // namespace
}  // namespace fairlead::testing
