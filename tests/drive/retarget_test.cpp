// Technique T6: a new goal for a unit on its way. From any pose of a route, in the middle of an arc too, the next route starts
// exactly there: position and heading go on without a jump.

#include <gtest/gtest.h>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "support/bodies.h"
#include "support/drive_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

Pose pose_of(const Place& place) { return {{place.position.x, place.position.y}, place.heading_rad}; }

struct Count {
    int retargets = 0;
    int in_arcs = 0;
    int lost = 0;  // no route from the middle of the way, although there is one from its end
};

// One unit that is given new goals on its way.
void drive_about(Rng& rng, const Agent& agent, int times, Count& count) {
    const oracle::PoseMap tiles = random_drive_map(rng, MapStyle::rooms, 70, 70);
    const Grid grid = grid_of(tiles);
    Scratch scratch;
    Route route;
    Route other;
    DriveQuery query{.agent = agent};
    if (!random_free_pose(rng, tiles, agent, false, query.start)) return;
    for (int i = 0; i < times; ++i) {
        if (!random_free_pose(rng, tiles, agent, false, query.goal.at)) return;
        ASSERT_TRUE(find_route_into(grid, query, scratch, route).has_value());
        if (route.status != PathStatus::complete) continue;  // this goal cannot be reached from there
        const Violation bad = verify(route, grid, agent);
        ASSERT_FALSE(bad) << bad.text().c_str();
        if (!route.legs.empty()) {
            const Vec2 gap = pose_of(route.legs[0].start).position - query.start.ground();
            EXPECT_LE(length(gap), 1e-12);
            EXPECT_NEAR(math::wrap_pi(route.legs[0].start.heading_rad - query.start.heading_rad), 0.0, 1e-12);
        }
        // The next goal is one that the end of this route leads to.
        DriveQuery onward{.start = query.goal.at, .agent = agent};
        for (int k = 0; k < 20; ++k) {
            if (!random_free_pose(rng, tiles, agent, false, onward.goal.at)) return;
            ASSERT_TRUE(find_route_into(grid, onward, scratch, other).has_value());
            if (other.status == PathStatus::complete) break;
        }
        if (other.status != PathStatus::complete) return;
        const double distance = rng.between(0.0, route.length);
        query.start = pose_of(place_on_route(route, distance));
        query.goal = onward.goal;
        ++count.retargets;
        double passed = 0.0;
        for (const Leg& leg : route.legs) {
            const bool on_it = distance >= passed && distance < passed + leg.length;
            count.in_arcs += on_it && leg.curvature != 0.0 ? 1 : 0;
            passed += leg.length;
        }
        ASSERT_TRUE(find_route_into(grid, query, scratch, route).has_value());
        if (route.status != PathStatus::complete) {
            ++count.lost;
            return;
        }
        EXPECT_FALSE(verify(route, grid, agent)) << verify(route, grid, agent).text().c_str();
        query.start = pose_of(place_on_route(route, rng.between(0.0, route.length)));
    }
}

TEST(RetargetSlow, AnyPoseOfARouteIsAStart) {
    Rng rng(31);
    Agent car = box_body(2.0, 1.0, 0.4);
    car.turning_radius = 2.0;
    Agent van = car;
    van.can_reverse = true;
    const Agent horse{.radius = 0.45, .turning_radius = 1.5};
    Count count;
    for (int i = 0; i < trials(12); ++i) {
        for (const Agent& agent : {car, van, horse}) drive_about(rng, agent, 28, count);
        if (HasFatalFailure()) return;
    }
    std::printf("%d retargets, %d of them in arcs, %d lost\n", count.retargets, count.in_arcs, count.lost);
    EXPECT_GT(count.retargets, trials(12) * 30);
    EXPECT_GT(count.in_arcs, count.retargets / 10);
    EXPECT_LE(count.lost * 100, count.retargets);
}

}  // namespace
}  // namespace fairlead::testing
