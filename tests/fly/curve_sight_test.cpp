// Rising arcs and lines against the exact distance to every voxel, in long double.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <fairlead/fly/curve_sight.h>
#include <fairlead/math/contact.h>
#include <fairlead/volume/sight.h>

#include "oracle/volume_room.h"
#include "support/environment.h"
#include "support/volumes.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;

double slack_of(const VolumeDense& world) {
    double extent = 0.0, largest = 0.0;
    const double low[3] = {world.origin.x, world.origin.y, world.origin.z};
    const double side[3] = {world.size.x * world.voxel.x, world.size.y * world.voxel.y,
                            world.size.z * world.voxel.z};
    for (int k = 0; k < 3; ++k) {
        extent = std::max(extent, side[k]);
        largest = std::max({largest, std::fabs(low[k]), std::fabs(low[k] + side[k])});
    }
    return contact_slack(extent, largest);
}

Leg draw_leg(Rng& rng, const VolumeDense& world, Vec3 at, double side) {
    Leg leg;
    leg.start = {at, rng.between(-4.0, 4.0), 0};
    leg.length = rng.between(0.1, 1.0) * rng.between(1.0, 8.0) * side;
    leg.rise = rng.below(4) == 0 ? 0.0 : leg.length * rng.between(-1.0, 1.0);
    const double radius = rng.between(0.3, 8.0) * side;
    if (rng.below(5) != 0) leg.curvature = (rng.below(2) == 0 ? 1.0 : -1.0) / radius;
    (void)world;
    return leg;
}

TEST(CurveSight, ExactButForTheGapThatIsStated) {
    Rng rng(41);
    int free = 0, blocked = 0, close = 0;
    for (int i = 0; i < trials(40); ++i) {
        const VolumeDense world = any_volume(rng, 8);
        const Volume volume = make_volume(world);
        const double side = std::min({world.voxel.x, world.voxel.y, world.voxel.z});
        const double slack = slack_of(world);
        for (int k = 0; k < 6; ++k) {
            Voxel from;
            if (!draw_free(rng, world, from)) break;
            Leg leg = draw_leg(rng, world, draw_place(rng, world, from), side);
            const int samples =
                4 + static_cast<int>(leg.length * (2.0 * std::fabs(leg.curvature) + 1.0 / side));
            const auto room = static_cast<double>(oracle::leg_room(world, leg, samples));
            double radius = rng.below(3) == 0 ? 0.0 : rng.between(0.01, 1.5) * side;
            // As near as it gets: a hair more and a hair less than there is.
            const bool tight = rng.below(3) == 0 && room > 0.1 * side;
            if (tight)
                radius = std::max(0.0, room + (rng.below(2) == 0 ? 1.5 * slack : -2.1 * kCurveGap * side));
            const bool seen = leg_in_sight(volume, leg, radius);
            if (seen) {
                EXPECT_GE(room, radius - slack) << "leg of curvature " << leg.curvature;
            } else {
                EXPECT_LT(room, radius + 2.0 * kCurveGap * side) << "leg of curvature " << leg.curvature;
            }
            (seen ? free : blocked) += 1;
            close += tight ? 1 : 0;
        }
        if (::testing::Test::HasFailure()) return;
    }
    if (!all_trials()) return;
    EXPECT_GT(free, 15);
    EXPECT_GT(blocked, 15);
    EXPECT_GT(close, 5);
}

TEST(CurveSight, WholeCurvesAreTheirLegs) {
    Rng rng(42);
    int free = 0, blocked = 0;
    for (int i = 0; i < trials(40); ++i) {
        const VolumeDense world = random_volume(rng, VolumeKind::asteroids, {24, 24, 24});
        const Volume volume = make_volume(world);
        for (int k = 0; k < 6; ++k) {
            Voxel a, b;
            if (!draw_free(rng, world, a) || !draw_free(rng, world, b)) break;
            const Place from{world.centre(a), rng.between(-3.0, 3.0), 0},
                to{world.centre(b), rng.between(-3.0, 3.0), 0};
            const AirplaneCurve curve = shortest_airplane(from, to, rng.between(0.5, 4.0), {});
            Leg legs[kAirplaneLegs];
            Place end;
            const int count = legs_of(curve, from, to.position.z, legs, end);
            bool each = true;
            for (int n = 0; n < count; ++n) each = each && leg_in_sight(volume, legs[n], 0.4);
            EXPECT_EQ(curve_in_sight(volume, from, to, curve, 0.4),
                      count > 0 ? each : fits(volume, from.position, 0.4));
            (each ? free : blocked) += 1;
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(free, 20);
    EXPECT_GT(blocked, 20);
}

TEST(CurveSight, HostileNumbersSeeNothing) {
    const Volume volume = make_volume(VolumeDense({8, 8, 8}));
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    Leg good;
    good.start = {{4, 4, 4}, 0.0, 0};
    good.length = 2.0;
    good.curvature = 0.5;
    EXPECT_TRUE(leg_in_sight(volume, good, 0.5));
    for (const double bad : {nan, inf, -inf}) {
        Leg leg = good;
        leg.start.position.y = bad;
        EXPECT_FALSE(leg_in_sight(volume, leg));
        leg = good;
        leg.length = bad;
        EXPECT_FALSE(leg_in_sight(volume, leg));
        leg = good;
        leg.curvature = bad;
        EXPECT_FALSE(leg_in_sight(volume, leg));
        leg = good;
        leg.rise = bad;
        EXPECT_FALSE(leg_in_sight(volume, leg));
        leg = good;
        leg.start.heading_rad = bad;
        EXPECT_FALSE(leg_in_sight(volume, leg));
        EXPECT_FALSE(leg_in_sight(volume, good, bad));
    }
    EXPECT_FALSE(leg_in_sight(volume, good, -1.0));
    good.length = 1e300;
    EXPECT_FALSE(leg_in_sight(volume, good, 0.5));
}

}  // namespace
}  // namespace fairlead::testing
