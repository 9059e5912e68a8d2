// Units that move: a carrier that drives its route and waits for traffic, a person who is shoved and finds back, and one who turns on
// the spot to come to a place.

#include <fairlead/fairlead.h>

#include <cstdio>

namespace {

using namespace fairlead;

constexpr double kFrame = 1.0 / 30.0;

bool drive_carrier() {
    const Result<Grid> yard = Grid::make({.width = 24, .height = 12});
    if (!yard) return false;
    const Agent carrier{.radius = 0.5, .turning_radius = 2.0, .can_reverse = true};
    Scratch scratch;
    const DriveQuery haul{.start = {{4.5, 6.5}, 0.0}, .goal = {{4.5, 2.5}, -kHalfPi}, .agent = carrier};
    const Result<Route> route = find_route(*yard, haul, scratch);
    if (!route || route->status != PathStatus::complete) return false;

    const SpeedLimits limits{.speed_max = 3.0, .accel_max = 1.0, .brake_max = 2.0, .lateral_accel_max = 1.5};
    SpeedProfile profile;
    if (!make_speed_profile(*route, limits, {}, profile)) return false;
    std::printf("a carrier: %.2f s for %.2f\n", profile.seconds(), route->length);

    Result<RouteDriver> unit = RouteDriver::make({.limits = limits}, route->legs[0].start);
    if (!unit || unit->take(*route) != RouteTaken::taken) return false;
    double seconds = 0.0;
    while (unit->state() != DriverState::arrived && seconds < 60.0) {
        const double cap = seconds > 1.0 && seconds < 2.5 ? 0.0 : kNoLimit;  // somebody crosses
        double left = kFrame;
        for (RouteEvent e = unit->update(left, cap); e.happened(); e = unit->update(left, cap))
            std::printf("  %5.2f s  %s at %.2f\n", seconds, route_event_name(e.kind), e.distance);
        seconds += kFrame;
    }
    std::printf("  there after %.2f s, the wait included\n", seconds);
    return unit->place() == route->end && seconds > profile.seconds();
}

bool follow_person() {
    Result<Grid> town = Grid::make({.width = 24, .height = 12});
    if (!town || !town->fill({{8, 0}, {10, 9}}, 0)) return false;
    Scratch scratch;
    const GridQuery walk{.start = Vec2{2.5, 2.5}, .goal = Vec2{20.5, 2.5}, .agent = {.radius = 0.4}};
    const Result<Route> route = find_route(*town, walk, scratch);
    if (!route || route->status != PathStatus::complete) return false;

    const TileSight sight(*town);
    const SpeedLimits limits{.speed_max = 1.5, .accel_max = 6.0, .brake_max = 6.0};
    Result<Follower> guide = Follower::make({.radius = 0.4, .limits = limits});
    if (!guide) return false;
    guide->take(*route);
    Vec3 at = route->legs[0].start.position;
    Vec3 velocity{};
    int frames = 0, tests = 0;
    for (; guide->state() != FollowState::arrived && frames < 3000; ++frames) {
        const FollowStep step = guide->update(at, kFrame, sight.sight());
        if (step.event == FollowEvent::needs_route) return false;
        tests += step.sight_tests;
        velocity = limit_change(velocity, step.velocity, limits, kFrame);
        at += velocity * kFrame;
        if (frames == 60) at.y += 1.5;  // shoved
    }
    std::printf("a person: there after %.2f s with %d sight tests in %d frames\n", frames * kFrame, tests,
                frames);
    return guide->state() == FollowState::arrived && tests <= frames;
}

bool send_person() {
    const SpeedLimits limits{
        .speed_max = 1.5, .accel_max = 3.0, .brake_max = 3.0, .lateral_accel_max = 2.0, .turn_rate_max = 3.0};
    UnicycleState me{.pose = {{0, 0}, 0.0}};
    const Vec2 behind{-3.0, 0.5};
    int frames = 0;
    for (; !(me.pose.position == behind && me.speed == 0.0) && frames < 600; ++frames)
        me = steer_towards(me, behind, limits, kFrame);
    std::printf("a person sent behind: turned and there after %.2f s\n", frames * kFrame);
    return me.pose.position == behind;
}

}  // namespace

int main() { return drive_carrier() && follow_person() && send_person() ? 0 : 1; }
