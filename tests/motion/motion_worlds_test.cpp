// Profiles and drivers on routes of tiles, turning units and meshes: verify_speed accepts every profile, every tick keeps its limits;
// a follower comes to its goals on random maps.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/bridge/tile_sight.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/drive/find_timed.h>
#include <fairlead/drive/fixed_angles.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/motion/follower.h>
#include <fairlead/motion/route_driver.h>
#include <fairlead/motion/steering.h>
#include <fairlead/verify/verify_speed.h>

#include "support/environment.h"
#include "support/motion_oracle.h"
#include "support/speed_rules.h"

namespace fairlead::testing {
namespace {

constexpr std::int32_t kWide = 40;
constexpr double kLinkSeconds = 1.5;

Grid motion_town(std::uint64_t seed, std::int32_t layers = 1) {
    Rng rng(seed);
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(kWide * kWide * layers));
    for (std::uint8_t& tile : tiles) tile = rng.below(100) < 12 ? 0 : 1;
    std::vector<Portal> portals;
    for (int i = 0; layers > 1 && i < 12; ++i) {
        const Cell from{rng.between(0, kWide - 1), rng.between(0, kWide - 1), 0};
        const Cell to{rng.between(0, kWide - 1), rng.between(0, kWide - 1), 1};
        portals.push_back({.from = from, .to = to});
    }
    Result<Grid> grid =
        Grid::make({.width = kWide, .height = kWide, .layers = layers, .portals = portals}, tiles);
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

Vec2 town_spot(Rng& rng) {
    const std::int32_t x = rng.between(0, kWide - 1), y = rng.between(0, kWide - 1);
    return cell_centre(x, y);
}

Pose town_pose(Rng& rng) {
    const Vec2 at = town_spot(rng);
    return {at, rng.between(-3.0, 3.0)};
}

LegTimes town_links() {
    return {.link_seconds = [](const Leg&, void*) { return kLinkSeconds; }};
}

// The profile, and the drive in it.
void expect_driven(const Route& route, Rng& rng) {
    const SpeedLimits limits = random_limits(rng);
    SpeedProfile profile;
    ASSERT_TRUE(make_speed_profile(route, limits, {.times = town_links()}, profile).has_value());
    const std::vector<double> seconds = link_seconds_of(route, kLinkSeconds);
    const SpeedViolation bad = verify_speed(route, profile.knots(), rules_of(limits, seconds));
    ASSERT_FALSE(bad) << speed_violation_name(bad.kind) << " at " << bad.distance << " by " << bad.depth;
    if (route.legs.empty()) return;
    Result<RouteDriver> unit =
        RouteDriver::make({.limits = limits, .times = town_links()}, route.legs[0].start);
    ASSERT_TRUE(unit.has_value());
    ASSERT_EQ(unit->take(route), RouteTaken::taken);
    MotionJudge judge(route, limits, *unit);
    double now = 0.0;
    const double dt = 0.1;
    while (unit->state() != DriverState::arrived && now < profile.seconds() + 1.0) {
        double left = dt;
        while (unit->update(left).happened()) {
        }
        now += dt;
        judge.tick(*unit, dt);
        ASSERT_EQ(judge.fault(), "");
    }
    EXPECT_EQ(unit->state(), DriverState::arrived);
    EXPECT_NEAR(now, profile.seconds(), dt + 1e-6 * now + 1e-6);
}

template <class Ask>
void drive_many(std::uint64_t seed, const Ask& ask) {
    Rng rng(seed);
    int routes = 0;
    const int wanted = trials(20);
    for (int i = 0; i < 100 * wanted && routes < wanted; ++i) {
        const Result<Route> route = ask(rng);
        ASSERT_TRUE(route.has_value());
        if (route->status != PathStatus::complete) continue;
        ++routes;
        expect_driven(*route, rng);
        if (::testing::Test::HasFatalFailure()) return;
    }
    EXPECT_EQ(routes, wanted);
}

TEST(MotionWorlds, Tiles) {
    const Grid town = motion_town(1);
    Scratch scratch;
    drive_many(1, [&](Rng& rng) {
        const Vec2 a = town_spot(rng), b = town_spot(rng);
        return find_route(town, GridQuery{.start = a, .goal = b}, scratch);
    });
}

TEST(MotionWorlds, FloorsWithPortals) {
    const Grid town = motion_town(2, 2);
    Scratch scratch;
    drive_many(2, [&](Rng& rng) {
        const Vec2 a = town_spot(rng), b = town_spot(rng);
        GridQuery query{.start = a, .goal = b};
        query.goal = query.goal.on_layer(1);
        return find_route(town, query, scratch);
    });
}

TEST(MotionWorlds, Meshes) {
    const Result<NavMesh> mesh = make_grid_mesh(motion_town(3), {.tile_cells = 16, .radius_max = 0.4});
    ASSERT_TRUE(mesh.has_value());
    Scratch scratch;
    drive_many(3, [&](Rng& rng) {
        const Vec2 a = town_spot(rng), b = town_spot(rng);
        MeshQuery query{.start = {a.x, a.y, 0}, .goal = Vec3{b.x, b.y, 0}};
        query.agent.radius = rng.below(2) == 0 ? 0.4 : 0.0;  // with a radius arcs go round the corners
        return find_route(*mesh, query, scratch);
    });
}

TEST(MotionWorlds, TurningUnitsWithReverseAndPivots) {
    const Grid town = motion_town(4);
    Scratch scratch;
    for (const bool pivots : {false, true}) {
        const Agent car{.radius = 0.4, .turning_radius = 2.0, .can_reverse = true, .can_pivot = pivots};
        const Result<DriveTable> table = DriveTable::make({.agent = car, .headings = 8});
        ASSERT_TRUE(table.has_value());
        const Result<DriveMap> map = make_drive_map(town, *table);
        ASSERT_TRUE(map.has_value());
        drive_many(pivots ? 5 : 4, [&](Rng& rng) {
            const Pose a = town_pose(rng), b = town_pose(rng);
            return find_route(*map, DriveQuery{.start = a, .goal = b}, scratch);
        });
    }
}

// The planner with speeds under a turn rate: its own knots are legal, and no slower than any profile of the same route.
TEST(MotionWorlds, TimedRoutesUnderATurnRate) {
    const Grid town = motion_town(6);
    Scratch scratch;
    const Agent car{.radius = 0.4, .turning_radius = 2.0, .can_reverse = true};
    const Result<DriveTable> table = DriveTable::make({.agent = car, .headings = 8});
    ASSERT_TRUE(table.has_value());
    const Result<DriveMap> map = make_drive_map(town, *table);
    const SpeedLimits limits{
        .speed_max = 6.0, .accel_max = 2.0, .lateral_accel_max = 9.0, .turn_rate_max = 0.8};
    const Result<SpeedTable> times = SpeedTable::make(*table, limits);
    ASSERT_TRUE(map.has_value() && times.has_value());
    EXPECT_DOUBLE_EQ(times->arc_speed(), 1.6);
    Rng rng(6);
    SpeedProfile profile;
    int found = 0;
    for (int i = 0; i < trials(30); ++i) {
        const Pose a = town_pose(rng), b = town_pose(rng);
        const Result<Route> way =
            find_route(*map, TimedQuery{.start = a, .goal = b, .times = &*times}, scratch);
        ASSERT_TRUE(way.has_value());
        if (way->status != PathStatus::complete) continue;
        ++found;
        SpeedRules rules = rules_of(times->limits(), {});
        rules.cost_is_time = true;
        const SpeedViolation bad = verify_speed(*way, way->speeds.span(), rules);
        ASSERT_FALSE(bad) << speed_violation_name(bad.kind) << " by " << bad.depth;
        ASSERT_TRUE(make_speed_profile(*way, times->limits(), {}, profile).has_value());
        EXPECT_NEAR(profile.seconds(), way->cost, 1e-6 * way->cost + 1e-9);
        for (double t = 0.0; t < way->cost; t += 0.37) {
            const Place one = place_at(*way, way->speeds.span(), t),
                        other = place_at(*way, profile.knots(), t);
            EXPECT_LT(distance(one.position, other.position), 1e-5);
            EXPECT_LT(std::abs(math::wrap_pi(one.heading_rad - other.heading_rad)), 1e-5);
        }
    }
    if (all_trials()) {
        EXPECT_GT(found, 8);
    }
}

// A sprite with 16 facings over make_fixed_angles: each frame's motion goes along the facing that it shows.
TEST(MotionWorlds, SpritesNeverSlide) {
    const Grid town = motion_town(7);
    Scratch scratch;
    const Agent car{.radius = 0.3, .turning_radius = 1.5};
    const Result<DriveTable> table = DriveTable::make({.agent = car, .headings = 8});
    ASSERT_TRUE(table.has_value());
    const Result<DriveMap> map = make_drive_map(town, *table);
    ASSERT_TRUE(map.has_value());
    Rng rng(7);
    int styled = 0, frames = 0;
    for (int i = 0; i < trials(30); ++i) {
        const Pose a = town_pose(rng), b = town_pose(rng);
        const Result<Route> way = find_route(*map, DriveQuery{.start = a, .goal = b}, scratch);
        ASSERT_TRUE(way.has_value());
        if (way->status != PathStatus::complete || way->legs.empty()) continue;
        const std::int32_t facings = i % 2 == 0 ? 16 : 8;
        const Result<FixedAngles> drawn = make_fixed_angles(*way, map->state(), {.facings = facings});
        ASSERT_TRUE(drawn.has_value());
        if (drawn->status != FixedAnglesStatus::styled || drawn->route.legs.empty()) continue;
        ++styled;
        const SpeedLimits limits{.speed_max = 4.0, .accel_max = 3.0, .lateral_accel_max = kNoLimit};
        Result<RouteDriver> unit =
            RouteDriver::make({.limits = limits, .one_heading_a_frame = true}, drawn->route.legs[0].start);
        ASSERT_EQ(unit->take(drawn->route), RouteTaken::taken);
        for (int k = 0; k < 5000 && unit->state() != DriverState::arrived; ++k, ++frames) {
            const Vec2 before = ground(unit->place().position);
            // What is shown while the frame's motion is drawn: the heading of the leg at hand.
            double left = 1.0 / 30.0;
            const double shown = unit->leg()->start.heading_rad;
            while (unit->update(left).happened()) {
            }
            const Vec2 moved = ground(unit->place().position) - before;
            if (length(moved) < 1e-7) continue;
            const double along = std::atan2(moved.y, moved.x);
            ASSERT_LT(std::abs(math::wrap_pi(along - shown)), 1e-6) << i << " frame " << k;
            const std::int32_t facing = nearest_facing(facings, shown);
            ASSERT_LT(std::abs(math::wrap_pi(shown - facing_rad(facings, facing))), 1e-9);
        }
        EXPECT_EQ(unit->state(), DriverState::arrived);
    }
    if (all_trials()) {
        EXPECT_GT(styled, 8);
        EXPECT_GT(frames, 1000);
    }
}

// Never stuck on its own: walkers with sight on random tiles, now and then shoved within what they see.
TEST(MotionWorlds, FollowersComeToTheirGoals) {
    const Grid town = motion_town(8);
    const TileSight sight(town);
    const SpeedLimits limits{
        .speed_max = 2.0, .accel_max = 20.0, .brake_max = 20.0, .lateral_accel_max = 20.0};
    Scratch scratch;
    Rng rng(8);
    int walks = 0, arrived = 0;
    for (int i = 0; i < 10 * trials(40) && walks < trials(40); ++i) {
        const Vec2 a = town_spot(rng), b = town_spot(rng);
        const Result<Route> route =
            find_route(town, GridQuery{.start = a, .goal = b, .agent = {.radius = 0.3}}, scratch);
        ASSERT_TRUE(route.has_value());
        if (route->status != PathStatus::complete || route->legs.empty()) continue;
        ++walks;
        Result<Follower> guide = Follower::make({.radius = 0.3, .limits = limits, .corridor = 0.3});
        ASSERT_TRUE(guide.has_value());
        guide->take(*route);
        Vec3 at = route->legs[0].start.position;
        Vec3 velocity{};
        for (int k = 0; k < 6000; ++k) {
            const FollowStep step = guide->update(at, 1.0 / 30.0, sight.sight());
            ASSERT_LE(step.sight_tests, 1);
            if (guide->state() == FollowState::arrived || guide->state() == FollowState::lost) break;
            velocity = limit_change(velocity, step.velocity, limits, 1.0 / 30.0);
            at += velocity * (1.0 / 30.0);
            if (rng.below(90) != 0) continue;
            const double dx = rng.between(-1.0, 1.0), dy = rng.between(-1.0, 1.0);
            const Vec3 to = at + Vec3{dx, dy, 0.0};
            if (sight.clear(ground(at), ground(to), 0.3)) at = to;
        }
        arrived += guide->state() == FollowState::arrived;
    }
    EXPECT_EQ(walks, trials(40));
    EXPECT_EQ(arrived, walks);
}

}  // namespace
}  // namespace fairlead::testing
