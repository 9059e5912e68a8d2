// The judge knows the crowd by its places alone.
#include "support/space_run.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>

namespace fairlead::testing {

namespace {

/// A straight move as a route of one leg.
Route move_of(Vec3 from, Vec3 to) {
    Route route;
    route.status = PathStatus::complete;
    const double flat = std::hypot(to.x - from.x, to.y - from.y);
    const double heading = std::atan2(to.y - from.y, to.x - from.x);
    route.end.position = to;
    route.end.heading_rad = flat > 0.0 ? heading : 0.0;
    if (!(from == to)) {
        Leg leg;
        leg.start.position = from;
        leg.start.heading_rad = route.end.heading_rad;
        leg.length = flat;
        leg.rise = to.z - from.z;
        leg.clearance = kUnknown;
        EXPECT_TRUE(route.legs.push_back(leg));
    }
    route.length = flat;
    return route;
}

bool legal_move(const VolumeState& volume, Vec3 from, Vec3 to, double radius) {
    VolumeVerifyOptions options;
    options.check_revision = options.check_line_cost = false;
    Agent agent;
    agent.radius = radius;
    const Violation bad = verify(move_of(from, to), volume, agent, options);
    return !bad;
}

}  // namespace

SpaceVerdict play_space(const SpaceTrial& trial) {
    SpaceVerdict verdict;
    CrowdOptions options;
    options.space = true;
    options.seed = trial.seed;
    Result<Crowd> crowd = Crowd::make(options);
    EXPECT_TRUE(crowd);
    Scratch scratch;
    const std::size_t n = trial.trips.size();
    std::vector<UnitId> ids;
    std::vector<Vec3> places, velocities;
    std::vector<double> arrived(n, -1.0);
    for (const SpaceTrip& trip : trial.trips) {
        CrowdUnit body;
        body.radius = trip.radius;
        body.limits = trial.limits;
        Place at;
        at.position = trip.from;
        const Result<UnitId> id = crowd->add(body, at);
        EXPECT_TRUE(id);
        Route route = move_of(trip.from, trip.to);
        if (trial.volume != nullptr) {
            VolumeQuery query;
            query.start = trip.from;
            query.goal = trip.to;
            query.agent.radius = trip.radius;
            Result<Route> found = find_route(trial.volume->state(), query, scratch);
            EXPECT_TRUE(found && found->status == PathStatus::complete);
            if (found) route = std::move(*found);
        }
        CrowdGoal goal;
        goal.group = trip.group;
        EXPECT_TRUE(crowd->send(*id, route, goal));
        ids.push_back(*id);
        places.push_back(trip.from);
        velocities.push_back({});
    }
    CrowdWorld world;
    if (trial.volume != nullptr) world = VolumeCrowd(trial.volume->state()).world();
    std::size_t home = 0;
    const auto steps = static_cast<int>(trial.seconds_max / trial.step);
    for (int tick = 1; tick <= steps && home < n; ++tick) {
        EXPECT_TRUE(crowd->update(trial.step, world, trial.jobs));
        for (std::size_t i = 0; i < n; ++i) {
            const UnitView view = crowd->unit(ids[i]);
            const Vec3 to = view.place.position;
            if (trial.volume != nullptr &&
                !legal_move(trial.volume->state(), places[i], to, trial.trips[i].radius)) {
                ++verdict.in_walls;
            }
            // as it moved, and as it says it moves
            const Vec3 moved = (to - places[i]) / trial.step;
            verdict.speed = std::max({verdict.speed, length(moved), length(view.velocity)});
            verdict.accel = std::max(verdict.accel, length(view.velocity - velocities[i]) / trial.step);
            EXPECT_LT(length(moved - view.velocity), 1e-6 * trial.limits.speed_max);
            places[i] = to;
            velocities[i] = view.velocity;
            if (arrived[i] < 0.0 && view.state == UnitState::arrived) {
                arrived[i] = tick * trial.step;
                ++home;
                verdict.seconds = arrived[i];
                const double alone = arrived[i] / std::max(view.alone, 1e-9);
                verdict.worst = std::max(verdict.worst, alone);
                if (alone > 3.0) ++verdict.late;
            }
        }
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                const double both = trial.trips[i].radius + trial.trips[k].radius;
                verdict.nearest = std::min(verdict.nearest, distance(places[i], places[k]) / both);
            }
        }
    }
    verdict.missing = static_cast<int>(n - home);
    verdict.digest = crowd->digest();
    return verdict;
}

}  // namespace fairlead::testing
