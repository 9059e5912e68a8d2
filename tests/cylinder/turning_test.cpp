// Units with a turning circle in tubes: over several laps side by side, as their planner knows no seams.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/cylinder/lift.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "support/environment.h"

namespace fairlead::testing {
namespace {

// 48 x 24 tiles of 1, three slices of 2, with some columns that are solid through all or the first of them.
CylinderWorld plain_tube(Rng& rng, int pylons) {
    CylinderWorld world;
    world.shape.radius = 48.0 / kTwoPi;
    world.shape.thickness = 1.5;
    world.shape.slices = 3;
    world.shape.around = 48;
    world.shape.along = 24;
    EXPECT_TRUE(world.solid.resize(world.shape.columns()));
    for (int i = 0; i < pylons; ++i) {
        const std::uint32_t x0 = rng.below(48), y0 = rng.below(20), wide = 2 + rng.below(3);
        const auto high = static_cast<std::uint8_t>(1 + rng.below(3));
        for (std::uint32_t y = y0; y < y0 + wide; ++y) {
            for (std::uint32_t x = x0; x < x0 + wide; ++x) {
                std::uint8_t& solid = world.solid[y * 48 + x % 48];
                solid = std::max(solid, high);
            }
        }
    }
    return world;
}

// The cheapest of the three images of the goal.
Result<Route> drive(const Grid& strip, const Cylinder& shape, DriveQuery query, Scratch& scratch) {
    Route best;
    const Vec2 goal = query.goal.at.ground();
    for (const double lap : {0.0, -shape.lap(), shape.lap()}) {
        query.goal.at.position.x = goal.x + lap;
        Result<Route> way = find_route(strip.state(), query, scratch);
        if (!way) return way;
        if (way->status != PathStatus::complete) continue;
        if (best.status != PathStatus::complete || way->cost < best.cost) best = std::move(*way);
    }
    return best;
}

TEST(CylinderTurning, LegalOnTheGridThatWraps) {
    Rng rng(12);
    Scratch scratch;
    int complete = 0, over_seam = 0;
    for (int i = 0; i < trials(20); ++i) {
        const CylinderWorld world = plain_tube(rng, 6);
        const Result<Grid> strip = make_cylinder_grid(world, {.laps = 3});
        const Result<Grid> tube = make_cylinder_grid(world);
        ASSERT_TRUE(strip);
        ASSERT_TRUE(tube);
        ASSERT_FALSE(strip->state().wrap_x());
        const Agent ship{.radius = 0.4, .turning_radius = 3.0};
        DriveQuery query{
            .start = Pose{{rng.between(0.0, 48.0), rng.between(2.0, 22.0)}, rng.between(-3.0, 3.0)},
            .agent = ship};
        query.goal = Pose{{rng.between(0.0, 48.0), rng.between(2.0, 22.0)}, rng.between(-3.0, 3.0)};
        query.start = query.start.on_layer(static_cast<std::int32_t>(rng.below(3)));
        query.goal = query.goal.on_layer(static_cast<std::int32_t>(rng.below(3)));
        const Result<Route> way = drive(*strip, world.shape, query, scratch);
        ASSERT_TRUE(way) << error_text(way.error()).c_str();
        if (way->status != PathStatus::complete) continue;
        ++complete;
        EXPECT_FALSE(verify(*way, strip->state(), ship)) << verify(*way, strip->state(), ship).text().c_str();
        // The same curves on the grid that wraps: its links have other numbers, so slice by slice.
        Route in_slice;
        for (std::size_t k = 0; k < way->legs.size(); ++k) {
            if (way->legs[k].kind == LegKind::link) continue;
            in_slice.clear();
            in_slice.status = PathStatus::complete;
            ASSERT_TRUE(in_slice.legs.push_back(way->legs[k]));
            in_slice.end = leg_end(*way, k);
            in_slice.length = in_slice.cost = in_slice.line_cost = way->legs[k].length;
            const Violation bad = verify(in_slice, tube->state(), ship, {.check_revision = false});
            EXPECT_FALSE(bad) << bad.text().c_str();
            const double x = in_slice.end.position.x;
            over_seam += x < 0.0 || x > world.shape.lap() ? 1 : 0;
        }
        Route flown;
        ASSERT_TRUE(lift_route(world.shape, *way, {}, flown));
        EXPECT_GT(flown.legs.size(), way->legs.size());
    }
    if (!all_trials()) return;
    EXPECT_GT(complete, 14);
    EXPECT_GT(over_seam, 3);
}

// A grid that wraps is refused by the planner of turning units itself.
TEST(CylinderTurning, OneLapIsRefused) {
    Rng rng(3);
    const CylinderWorld world = plain_tube(rng, 2);
    const Result<Grid> tube = make_cylinder_grid(world);
    ASSERT_TRUE(tube);
    Scratch scratch;
    const DriveQuery query{.start = Pose{{3.0, 3.0}, 0.0},
                           .goal = Pose{{40.0, 12.0}, 0.0},
                           .agent = {.radius = 0.4, .turning_radius = 3.0}};
    const Result<Route> way = find_route(tube->state(), query, scratch);
    ASSERT_FALSE(way);
    EXPECT_EQ(way.error().code, ErrorCode::unsupported);
    for (const std::int32_t laps : {0, 2, 7}) {
        const Result<Grid> bad = make_cylinder_grid(world, {.laps = laps});
        ASSERT_FALSE(bad);
        EXPECT_EQ(bad.error(), (Error{ErrorCode::out_of_range, Field::lap, laps}));
    }
}

// W8: start at 10 degrees, goal at 350: 20 degrees across the seam, not 340.
TEST(CylinderTurning, AWalkerCrossesTheSeam) {
    CylinderWorld world;
    world.shape.around = 36;
    world.shape.along = 10;
    ASSERT_TRUE(world.solid.resize(world.shape.columns()));
    const Result<Grid> grid = make_cylinder_grid(world);
    ASSERT_TRUE(grid);
    const double degree = kTwoPi / 360.0;
    const auto at = [&](double degrees) {
        return Vec3{0.9 * std::cos(degrees * degree), 0.9 * std::sin(degrees * degree), 0.8};
    };
    Scratch scratch;
    GridQuery query;
    query.start = unroll(world.shape, at(10));
    query.goal = unroll(world.shape, at(350));
    const Result<Route> way = find_route(grid->state(), query, scratch);
    ASSERT_TRUE(way);
    EXPECT_NEAR(way->length, 20.0 * degree, 1e-9);
    Route flown;
    ASSERT_TRUE(lift_route(world.shape, *way, {.start_radius = 0.9, .goal_radius = 0.8}, flown));
    EXPECT_NEAR(length(flown.legs[0].start.position - at(10)), 0.0, 1e-9);
    EXPECT_NEAR(std::hypot(flown.end.position.x, flown.end.position.y), 0.8, 1e-9);
    for (const Leg& leg : flown.legs) EXPECT_GT(leg.start.position.x, 0.75);
    // Beyond the wall and by the axis is off the world.
    for (const double r : {1.0, 1.3, 0.2}) {
        query.goal = unroll(world.shape, {r, 0.0, 0.8});
        const Result<Route> off = find_route(grid->state(), query, scratch);
        ASSERT_TRUE(off);
        EXPECT_EQ(off->status, PathStatus::off_world) << r;
    }
    // Directions: along the slice and up.
    const Vec3 east = direction_in_space(world.shape, 0.0, 0.0), up = up_in_space(world.shape, 0.0);
    EXPECT_NEAR(length(east - Vec3{0, 1, 0}), 0.0, 1e-12);
    EXPECT_NEAR(length(up - Vec3{-1, 0, 0}), 0.0, 1e-12);
}

}  // namespace
}  // namespace fairlead::testing
