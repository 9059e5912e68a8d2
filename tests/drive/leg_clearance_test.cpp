// Leg::clearance of turning units against dense samples of the axle's path, and against verify, which confirms every
// claim and refuses one that is 2e-6 cells larger.

#include "drive/body/leg_clearance.h"
#include "drive/body/pieces.h"
#include "drive/map/map_data.h"
#include "support/drive_worlds.h"
#include "support/environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fairlead/base/rng.h>
#include <fairlead/drive/pose_field.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

namespace fairlead::testing {
namespace {

constexpr double kStep =
    0.02;  // between samples: the nearest moment lies within kStep^2 / 8 of 0.1 cells and more

double distance_to_cell(Vec2 p, std::int32_t x, std::int32_t y) {
    const double dx = std::max({x - p.x, 0.0, p.x - x - 1.0});
    const double dy = std::max({y - p.y, 0.0, p.y - y - 1.0});
    return std::sqrt(dx * dx + dy * dy);
}

double distance_at(const Tiles& tiles, Vec2 p, double cap) {
    double least = std::min({cap, p.x, p.y, tiles.width - p.x, tiles.height - p.y});
    const auto reach = static_cast<std::int32_t>(std::ceil(cap));
    const auto cx = static_cast<std::int32_t>(std::floor(p.x));
    const auto cy = static_cast<std::int32_t>(std::floor(p.y));
    for (std::int32_t y = std::max(cy - reach, 0); y <= std::min(cy + reach, tiles.height - 1); ++y) {
        for (std::int32_t x = std::max(cx - reach, 0); x <= std::min(cx + reach, tiles.width - 1); ++x) {
            const bool wall = tiles.tile[static_cast<std::size_t>(y * tiles.width + x)] == 0;
            if (wall) least = std::min(least, distance_to_cell(p, x, y));
        }
    }
    return std::max(least, 0.0);
}

double sampled(const Tiles& tiles, const Leg& leg, double cap) {
    const int count = 1 + static_cast<int>(leg.length / kStep);
    double least = cap;
    for (int i = 0; i <= count; ++i) {
        const Place place = place_on_leg(leg, leg.length * i / count);
        least = std::min(least, distance_at(tiles, {place.position.x, place.position.y}, cap));
    }
    return least;
}

Route route_of(const Leg& leg) {
    Route route;
    route.status = PathStatus::complete;
    route.length = leg.length;
    EXPECT_TRUE(route.legs.push_back(leg));
    route.end = place_on_leg(leg, leg.length);
    return route;
}

// A point that drives as the unit does: verify then judges every claim, also those below the body's radius.
Violation judge(const Grid& grid, const Leg& leg, double radius, double more) {
    Leg claim = leg;
    claim.clearance += more;
    return verify(route_of(claim), grid, {.radius = 0.0, .turning_radius = radius, .can_reverse = true});
}

Leg random_leg(Rng& rng, const Tiles& tiles, double radius) {
    Leg leg;
    const Pose pose = random_pose(rng, tiles, rng.below(3) == 0);
    leg.start = {{pose.position.x, pose.position.y, 0.0}, pose.heading_rad, 0};
    const std::uint32_t border = rng.below(6);  // on it, or along it
    if (border == 0) leg.start.position.y = rng.below(2) == 0 ? 0.5 : tiles.height - 1.0;
    if (border == 1) leg.start.position.x = rng.below(2) == 0 ? 0.25 : tiles.width - 0.5;
    leg.gear = rng.below(2) == 0 ? Gear::forward : Gear::reverse;
    const std::int32_t side = rng.between(-1, 1);
    leg.curvature = side / radius;
    leg.length = side == 0 ? rng.between(0.0, 30.0) : rng.between(0.0, 6.0) * radius;
    if (rng.below(8) == 0) leg.length *= 1e-7;
    return leg;
}

TEST(LegClearanceSlow, LinesAndArcsAgainstSamplesAndVerify) {
    Rng rng(51);
    int free = 0;
    int capped = 0;
    for (int i = 0; i < trials(60); ++i) {
        const Tiles tiles = random_tiles(rng);
        const Grid grid = grid_of(tiles);
        const Agent agent{.radius = 0.2, .turning_radius = 1.0 + rng.below(4)};
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .rings = 1});
        ASSERT_TRUE(table.has_value());
        const Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
        ASSERT_TRUE(map.has_value());
        const double cap = agent.radius + drive::kClearanceBeyond;
        for (int k = 0; k < 60; ++k) {
            Array<Leg> legs;
            ASSERT_TRUE(legs.push_back(random_leg(rng, tiles, agent.turning_radius)));
            drive::write_clearances(map->state().data(), nullptr, legs);
            const Leg& leg = legs[0];
            const double about = sampled(tiles, leg, cap);
            ASSERT_LE(leg.clearance, about) << "map " << i << " leg " << k;
            if (about == 0.0) continue;  // into a wall
            Leg none = leg;
            none.clearance = kUnknown;
            if (judge(grid, none, agent.turning_radius, 0.0))
                continue;  // through the tip of one, between samples
            ++free;
            ASSERT_GE(leg.clearance, about - (about > 0.1 ? 1e-3 : kStep)) << "map " << i << " leg " << k;
            const Violation bad = judge(grid, leg, agent.turning_radius, 0.0);
            ASSERT_FALSE(bad) << "map " << i << " leg " << k << ": " << bad.text().c_str();
            const Violation lie = judge(grid, leg, agent.turning_radius, 2e-6);
            if (leg.clearance > cap - 1e-6) {
                ++capped;
            } else {
                ASSERT_EQ(lie.kind, ViolationKind::clearance) << "map " << i << " leg " << k;
            }
        }
    }
    EXPECT_GT(free, trials(60) * 8);
    EXPECT_GT(capped, 0);
}

void expect_claims(const Tiles& tiles, const Grid& grid, const DriveMap& map, const Route& route) {
    const Agent& agent = map.state().table().options().agent;
    const Violation bad = verify(route, grid, agent);
    ASSERT_FALSE(bad) << bad.text().c_str();
    const double cap = drive::farthest_point(map.state().table().body()) + drive::kClearanceBeyond;
    for (const Leg& leg : route.legs) {
        ASSERT_GE(leg.clearance, 0.0);
        ASSERT_NEAR(leg.clearance, sampled(tiles, leg, cap), 1e-3);
        ASSERT_FALSE(judge(grid, leg, agent.turning_radius, 0.0));
        if (leg.clearance > cap - 1e-6) continue;
        ASSERT_EQ(judge(grid, leg, agent.turning_radius, 2e-6).kind, ViolationKind::clearance);
    }
}

TEST(LegClearanceSlow, RoutesAndFieldsOfAllBodies) {
    Rng rng(52);
    Scratch scratch;
    Route route;
    int legs = 0;
    for (int i = 0; i < trials(40); ++i) {
        const Tiles tiles = random_tiles(rng);
        const Grid grid = grid_of(tiles);
        const Agent agent = random_unit(rng);
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
        ASSERT_TRUE(table.has_value());
        const Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
        ASSERT_TRUE(map.has_value());
        DriveQuery query;
        query.goal = random_pose(rng, tiles, i % 3 == 0);
        Result<PoseField> field = PoseField::make(*map, query);
        ASSERT_TRUE(field.has_value());
        while (field->step(UINT64_MAX)) {
        }
        for (int k = 0; k < 6; ++k) {
            query.start = random_pose(rng, tiles, k % 2 == 0);
            query.smooth = k % 3 != 0;
            ASSERT_TRUE(find_route_into(*map, query, scratch, route).has_value());
            expect_claims(tiles, grid, *map, route);
            if (HasFatalFailure()) return;
            legs += static_cast<int>(route.legs.size());
            ASSERT_TRUE(
                find_route_into(*field, query.start.pose(), scratch, route, query.smooth).has_value());
            expect_claims(tiles, grid, *map, route);
            if (HasFatalFailure()) return;
        }
    }
    EXPECT_GT(legs, trials(40) * 10);
}

// World units, and an axle that does not lie inside the body.
TEST(LegClearance, IsInWorldUnitsAndUnknownOverWalls) {
    Tiles tiles = open_tiles(30, 20);
    fill(tiles, 0, 8, 30, 1, 0);
    const Agent ahead{
        .shape = BodyShape::box, .length = 6.0, .width = 1.0, .axle_offset = 6.0, .turning_radius = 4.0};
    const Result<DriveTable> table = DriveTable::make({.agent = ahead, .cell_size = 2.0, .headings = 8});
    ASSERT_TRUE(table.has_value());
    const Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table, {.origin = {100.0, -50.0}});
    ASSERT_TRUE(map.has_value());
    Array<Leg> legs;
    Leg leg;
    leg.length = 8.0;
    leg.start = {{120.0, -50.0 + 2.0 * 12.5, 0.0}, 0.0, 0};
    ASSERT_TRUE(legs.push_back(leg));
    leg.start.position.y = -50.0 + 2.0 * 8.5;  // in the wall
    ASSERT_TRUE(legs.push_back(leg));
    leg.start.position.y = -50.0 + 2.0 * 6.0;
    leg.start.heading_rad = kHalfPi;  // across it
    ASSERT_TRUE(legs.push_back(leg));
    drive::write_clearances(map->state().data(), nullptr, legs);
    EXPECT_NEAR(legs[0].clearance, 7.0, 1e-8);
    EXPECT_EQ(legs[1].clearance, kUnknown);
    EXPECT_EQ(legs[2].clearance, kUnknown);
}

// A leg along the rim of the map, and one that touches nothing for far.
TEST(LegClearance, ReachesToTheRimAndNoFartherThanTheCap) {
    const Tiles tiles = open_tiles(64, 40);
    const Agent agent{.radius = 0.5, .turning_radius = 2.0};
    const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8});
    const Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
    ASSERT_TRUE(map.has_value());
    const drive::GroundBits free = map->state().data().free_cells();
    EXPECT_EQ(drive::distance_to_walls(free, {{5.0, 0.5}, {1.0, 0.0}, 50.0, 0.0}, 4.5), 0.5);
    EXPECT_EQ(drive::distance_to_walls(free, {{60.0, 39.0}, {1.0, 0.0}, -50.0, 0.0}, 4.5), 1.0);
    EXPECT_EQ(drive::distance_to_walls(free, {{20.0, 20.0}, {1.0, 0.0}, 9.0, 0.0}, 4.5), 4.5);
    EXPECT_EQ(drive::distance_to_walls(free, {{20.0, 3.0}, {1.0, 0.0}, 12.0, 0.5}, 4.5), 3.0);
    EXPECT_EQ(drive::distance_to_walls(free, {{-1.0, 3.0}, {1.0, 0.0}, 12.0, 0.0}, 4.5), 0.0);
}

}  // namespace
}  // namespace fairlead::testing
