// The article's four ways to round corners: what clips is told, and what is called legal is so by verify.

#include <fairlead/drive/round_corners.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

int gear_changes(const Route& route) {
    int count = 0;
    for (std::size_t i = 1; i < route.legs.size(); ++i)
        count += route.legs[i].gear != route.legs[i - 1].gear ? 1 : 0;
    return count;
}

// Joined up, on the ground that was asked for, as long as it says: all but the walls.
void expect_chains(const RoundedCorners& out, const DrivenWorld& world) {
    Tiles open = world.tiles;
    for (std::uint8_t& tile : open.tile) tile = 1;
    Agent agent = world.agent;
    agent.turning_radius = out.radius_least;
    agent.radius = 0.0;  // a point: the curve itself may leave the map
    agent.shape = BodyShape::disc;
    const Violation bad = verify(out.route, grid_of(open), agent);
    EXPECT_TRUE(!bad || bad.kind == ViolationKind::off_world) << bad.text().c_str();
}

void expect_legal(const RoundedCorners& out, const DrivenWorld& world) {
    Agent agent = world.agent;
    EXPECT_LE(out.radius_least, agent.turning_radius);
    agent.turning_radius = out.radius_least;
    const Violation bad = verify(out.route, world.grid, agent);
    EXPECT_FALSE(bad) << out.route.planner << ": " << bad.text().c_str();
    EXPECT_EQ(out.clipped, 0);
    EXPECT_EQ(out.overlap_length, 0.0);
}

const Agent kCar{.radius = 0.4, .turning_radius = 1.5, .can_reverse = true};

// A corridor two wide that ends in a hall on the left. The car stands in it and faces the dead end.
DrivenWorld dead_end() {
    return DrivenWorld(drawn_tiles({"##############", "#......#######", "#......#######", "#............#",
                                    "#............#", "#......#######", "#......#######", "##############"}),
                       kCar);
}

TEST(RoundCorners, DeadEndByBackingUp) {
    DrivenWorld world = dead_end();
    const std::vector<Vec2> way = {{4.0, 4.0}, {2.5, 4.0}};
    const CornerQuery query{
        .start = {{11.5, 4.0}, 0.0}, .waypoints = way, .fix_goal_heading = true, .goal_heading_rad = kPi};
    Scratch scratch;
    const Result<RoundedCorners> out = round_corners(*world.map, query, CornerMethod::back_up, scratch);
    ASSERT_TRUE(out.has_value());
    ASSERT_EQ(out->route.status, PathStatus::complete);
    EXPECT_TRUE(out->legal);
    EXPECT_GE(gear_changes(out->route), 1);
    EXPECT_EQ(out->route.legs[0].gear, Gear::reverse);
    expect_legal(*out, world);
    // A car that goes forward alone cannot turn round there, and the way that ignores the walls says what it clips.
    const Result<RoundedCorners> over = round_corners(*world.map, query, CornerMethod::ignore_walls, scratch);
    EXPECT_EQ(over->route.status, PathStatus::complete);
    EXPECT_FALSE(over->legal);
    EXPECT_FALSE(over->stretches[0].free);
    EXPECT_GT(over->stretches[0].clipped, 0);
    EXPECT_GT(over->stretches[0].overlap_length, 0.0);
    EXPECT_TRUE(verify(over->route, world.grid, world.agent));
    expect_chains(*over, world);
    for (const CornerMethod method : {CornerMethod::search_again, CornerMethod::tighter}) {
        const Result<RoundedCorners> none = round_corners(*world.map, query, method, scratch);
        EXPECT_EQ(none->route.status, PathStatus::unreachable) << corner_method_name(method);
        EXPECT_EQ(none->blocked_stretch, 0);
        EXPECT_FALSE(none->legal);
        EXPECT_TRUE(none->route.legs.empty());
    }
}

// A corner of two corridors two wide: too tight for radius 3, not for a smaller one.
TEST(RoundCorners, TighterTellsTheRadiusAndKeepsTheFloor) {
    DrivenWorld world(drawn_tiles({"##########", "######..##", "######..##", "######..##", "######..##",
                                   "######..##", "#.......##", "#.......##", "##########"}),
                      {.radius = 0.4, .turning_radius = 3.0});
    const std::vector<Vec2> way = {{5.2, 2.0}, {7.0, 4.5}, {7.0, 7.0}};
    CornerQuery query{.start = {{2, 2}, 0.0}, .waypoints = way, .radius_min = 0.5};
    Scratch scratch;
    Result<RoundedCorners> out = round_corners(*world.map, query, CornerMethod::ignore_walls, scratch);
    EXPECT_FALSE(out->legal);
    out = round_corners(*world.map, query, CornerMethod::tighter, scratch);
    ASSERT_TRUE(out->legal);
    expect_legal(*out, world);
    EXPECT_EQ(out->stretches[0].radius, 3.0);
    EXPECT_LT(out->radius_least, 3.0);
    for (const CornerStretch& stretch : out->stretches) EXPECT_GE(stretch.radius, 0.5);
    query.radius_min = 2.9;
    out = round_corners(*world.map, query, CornerMethod::tighter, scratch);
    EXPECT_FALSE(out->legal);
    EXPECT_EQ(out->route.status, PathStatus::unreachable);
}

TEST(RoundCorners, OverlapIsMeasured) {
    DrivenWorld world(drawn_tiles({"..........", "....#.....", ".........."}),
                      {.radius = 0.3, .turning_radius = 1.0});
    const std::vector<Vec2> way = {{9.0, 1.5}};
    Scratch scratch;
    const Result<RoundedCorners> out = round_corners(*world.map, {.start = {{1, 1.5}, 0.0}, .waypoints = way},
                                                     CornerMethod::ignore_walls, scratch);
    ASSERT_EQ(out->stretches.size(), 1U);
    EXPECT_EQ(out->stretches[0].clipped, 1);
    EXPECT_NEAR(out->stretches[0].overlap_length, 1.6, 0.13);
    EXPECT_NEAR(out->stretches[0].first_clip.position.x, 3.7, 1e-5);
    EXPECT_EQ(out->overlap_length, out->stretches[0].overlap_length);
}

struct Detours {
    std::vector<std::vector<Vec2>> ways;
    std::size_t next = 0;
    std::vector<BannedStretch> seen;
};

TEST(RoundCorners, SearchAgainAsksTheCaller) {
    DrivenWorld world(drawn_tiles({"..........", "..........", "....#.....", "..........", ".........."}),
                      {.radius = 0.3, .turning_radius = 1.0});
    Detours detours;
    detours.ways = {{{4.5, 2.9}, {9.0, 2.5}}, {{4.5, 4.0}, {9.0, 2.5}}};
    const WaySearch search{.find =
                               [](void* user, std::span<const BannedStretch> banned, Array<Vec2>& way) {
                                   auto& own = *static_cast<Detours*>(user);
                                   own.seen.assign(banned.begin(), banned.end());
                                   if (own.next == own.ways.size()) return false;
                                   return way.assign(own.ways[own.next++]);
                               },
                           .user = &detours};
    const std::vector<Vec2> first = {{9.0, 2.5}};
    CornerQuery query{.start = {{1, 2.5}, 0.0}, .waypoints = first, .search = search};
    Scratch scratch;
    Result<RoundedCorners> out = round_corners(*world.map, query, CornerMethod::search_again, scratch);
    ASSERT_TRUE(out->legal);
    EXPECT_EQ(out->searches, 3);
    ASSERT_EQ(detours.seen.size(), 2U);
    EXPECT_EQ(detours.seen[0], (BannedStretch{{1, 2.5}, {9.0, 2.5}}));
    EXPECT_EQ(detours.seen[1], (BannedStretch{{1, 2.5}, {4.5, 2.9}}));
    expect_legal(*out, world);
    // No way left; and a way that is none.
    detours.next = 2;
    out = round_corners(*world.map, query, CornerMethod::search_again, scratch);
    EXPECT_EQ(out->route.status, PathStatus::unreachable);
    detours.ways = {{{std::numeric_limits<double>::quiet_NaN(), 1.0}}};
    detours.next = 0;
    out = round_corners(*world.map, query, CornerMethod::search_again, scratch);
    EXPECT_EQ(out.error().code, ErrorCode::not_finite);
    query.searches_max = 1;
    out = round_corners(*world.map, query, CornerMethod::search_again, scratch);
    EXPECT_EQ(out->route.status, PathStatus::budget_spent);
}

// Random waypoints for the methods that take them; only legal ones where the body has room.
std::vector<Vec2> random_way(Rng& rng, const Tiles& ground) {
    std::vector<Vec2> way;
    const std::uint32_t count = 1 + rng.below(4);
    while (way.size() < count) way.push_back(random_pose(rng, ground, false).position);
    return way;
}

TEST(RoundCornersSlow, WhatIsCalledLegalIsLegal) {
    Rng rng(31);
    Scratch scratch;
    RoundedCorners out;
    int legal[4] = {};
    int asked[4] = {};
    for (int i = 0; i < trials(60); ++i) {
        DrivenWorld world(random_tiles(rng, 2 + rng.between(0, 19)), random_unit(rng));
        for (int k = 0; k < 8; ++k) {
            const std::vector<Vec2> way = random_way(rng, world.tiles);
            CornerQuery query{.start = random_pose(rng, world.tiles, false), .waypoints = way};
            query.fix_goal_heading = rng.below(2) == 0;
            query.goal_heading_rad = rng.unit() * 6;
            for (int m = 0; m < 4; ++m) {
                const auto method = static_cast<CornerMethod>(m);
                const Result<void> done = round_corners_into(*world.map, query, method, scratch, out);
                if (method == CornerMethod::back_up && !world.agent.can_reverse) {
                    EXPECT_EQ(done.error().code, ErrorCode::incompatible);
                    continue;
                }
                ASSERT_TRUE(done.has_value());
                ++asked[m];
                if (out.route.status != PathStatus::complete) {
                    EXPECT_FALSE(out.legal);
                    EXPECT_TRUE(out.route.legs.empty());
                    continue;
                }
                EXPECT_EQ(out.route.end.position.x, way.back().x);
                if (query.fix_goal_heading) {
                    EXPECT_EQ(out.route.end.heading_rad, query.goal_heading_rad);
                }
                legal[m] += out.legal ? 1 : 0;
                ASSERT_NO_FATAL_FAILURE(out.legal ? expect_legal(out, world) : expect_chains(out, world));
                EXPECT_TRUE(out.legal || method == CornerMethod::ignore_walls);
                if (method == CornerMethod::ignore_walls) {
                    // The other witness agrees that it clips.
                    EXPECT_EQ(out.legal, !verify(out.route, world.grid, world.agent));
                    EXPECT_EQ(out.legal, out.clipped == 0);
                    EXPECT_EQ(out.legal, out.overlap_length == 0.0);
                }
            }
        }
    }
    for (int m = 0; m < 4; ++m) {
        RecordProperty(std::string("legal_") + corner_method_name(static_cast<CornerMethod>(m)),
                       std::to_string(legal[m]) + "/" + std::to_string(asked[m]));
        EXPECT_GT(legal[m], 0) << m;
    }
    EXPECT_GT(legal[2], legal[0]);
}

TEST(RoundCorners, AWarmCallAllocatesNothing) {
    Rng rng(5);
    DrivenWorld world(random_tiles(rng, 10), kCar);
    Scratch scratch;
    RoundedCorners out;
    for (int i = 0; i < 10; ++i) {
        const std::vector<Vec2> way = random_way(rng, world.tiles);
        const CornerQuery query{.start = random_pose(rng, world.tiles, false), .waypoints = way};
        for (int m = 0; m < 4; ++m) {
            const auto method = static_cast<CornerMethod>(m);
            ASSERT_TRUE(round_corners_into(*world.map, query, method, scratch, out).has_value());
            const std::uint64_t before = heap_calls();
            ASSERT_TRUE(round_corners_into(*world.map, query, method, scratch, out).has_value());
            EXPECT_EQ(heap_calls(), before) << m;
        }
    }
}

TEST(RoundCorners, BadInput) {
    DrivenWorld world = dead_end();
    Scratch scratch;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Vec2> way = {{2.5, 4.0}};
    const CornerQuery good{.start = {{11.5, 4.0}, 0.0}, .waypoints = way};
    for (int m = 0; m < 4; ++m) {
        const auto method = static_cast<CornerMethod>(m);
        const auto refuse = [&](const CornerQuery& query, ErrorCode code, Field field,
                                std::int64_t index = -1) {
            const Result<RoundedCorners> out = round_corners(*world.map, query, method, scratch);
            ASSERT_FALSE(out.has_value());
            EXPECT_EQ(out.error().code, code);
            EXPECT_EQ(out.error().field, field);
            EXPECT_EQ(out.error().index, index);
        };
        CornerQuery query = good;
        query.waypoints = {};
        refuse(query, ErrorCode::size_zero, Field::waypoints);
        query = good;
        query.start.heading_rad = nan;
        refuse(query, ErrorCode::not_finite, Field::start);
        const std::vector<Vec2> hole = {{2.5, 4.0}, {nan, 1.0}};
        query = good;
        query.waypoints = hole;
        refuse(query, ErrorCode::not_finite, Field::waypoints, 1);
        const std::vector<Vec2> far = {{1e300, 1.0}};
        query.waypoints = far;
        refuse(query, ErrorCode::out_of_range, Field::waypoints, 0);
        query = good;
        query.radius_min = 2.0;
        refuse(query, ErrorCode::out_of_range, Field::radius_min);
        query = good;
        query.searches_max = 0;
        refuse(query, ErrorCode::out_of_range, Field::searches_max);
        const std::vector<Vec2> outside = {{-3, 4}, {2.5, 4.0}};
        query = good;
        query.waypoints = outside;
        EXPECT_EQ(round_corners(*world.map, query, method, scratch).value().route.status,
                  PathStatus::off_world);
        if (method == CornerMethod::ignore_walls) continue;
        query = good;
        query.start.position = {9.5, 6.5};
        EXPECT_EQ(round_corners(*world.map, query, method, scratch).value().route.status,
                  PathStatus::start_blocked);
        const std::vector<Vec2> wall = {{9.5, 6.5}};
        query = good;
        query.waypoints = wall;
        EXPECT_EQ(round_corners(*world.map, query, method, scratch).value().route.status,
                  PathStatus::goal_blocked);
    }
}

}  // namespace
}  // namespace fairlead::testing
