// Fixed-angle art: the article's figures, exact ends, and legal by verify as a sprite that snaps.

#include <fairlead/drive/fixed_angles.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include <fairlead/drive/find_drive.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

double length_of(const FacingPath& path) {
    double sum = 0.0;
    for (int i = 0; i < path.count; ++i) sum += path.legs[i].length;
    return sum;
}

// The legs, walked by their facings and lengths alone, pass through the stored corners.
void expect_walks(const FacingPath& path, std::int32_t facings, Vec2 from, Vec2 to) {
    Vec2 at = from;
    for (int i = 0; i < path.count; ++i) {
        EXPECT_GT(path.legs[i].length, 0.0);
        at = at + math::direction(facing_rad(facings, path.legs[i].facing)) * path.legs[i].length;
        EXPECT_NEAR(distance(at, path.legs[i].end), 0.0, 1e-10);
    }
    EXPECT_NEAR(distance(at, to), 0.0, 1e-10);
}

TEST(Facings, ArcGoldenFigures) {
    struct Golden {
        std::int32_t facings;
        double bulge;
        double longer;
    };
    for (const Golden& golden : {Golden{8, 0.0824, 1.0548}, Golden{16, 0.0196, 1.0131}}) {
        FacingPath path;
        const double r = 3.0;
        arc_outside({{0, 0}, 0}, 1.0 / r, kTwoPi * r, golden.facings, path);
        EXPECT_EQ(path.count, golden.facings + 1);  // the first side in two halves
        EXPECT_NEAR(length_of(path) / (kTwoPi * r), golden.longer, 5e-5);
        double farthest = 0.0;
        for (int i = 0; i < path.count; ++i)
            farthest = std::max(farthest, distance(path.legs[i].end, Vec2{0, r}) - r);
        EXPECT_NEAR(farthest / r, golden.bulge, 5e-5);
        expect_walks(path, golden.facings, {0, 0}, {0, 0});
        arc_inside({{0, 0}, 0}, 1.0 / r, kTwoPi * r, golden.facings, path);
        for (int i = 0; i < path.count; ++i)
            EXPECT_LE(distance(path.legs[i].end, Vec2{0, r}), r * (1 + 1e-12));
    }
}

TEST(Facings, LineGoldenFigures) {
    for (const auto& [facings, offset, longer] :
         {std::tuple{8, 0.2071, 1.0824}, std::tuple{16, 0.0995, 1.0196}}) {
        const Vec2 to = math::direction(kPi / facings) * 10.0;
        for (const FacingOrder order : {FacingOrder::right_first, FacingOrder::left_first}) {
            FacingPath path;
            line_on_facings({0, 0}, to, facings, order, path);
            ASSERT_EQ(path.count, 2);
            EXPECT_NEAR(length_of(path) / 10.0, longer, 5e-5);
            const double side = cross(to, path.legs[0].end) / 10.0;
            EXPECT_NEAR(side / 10.0, order == FacingOrder::right_first ? -offset : offset, 5e-5);
            expect_walks(path, facings, {0, 0}, to);
        }
    }
}

TEST(Facings, ALineAlongAFacingIsOneLeg) {
    for (const std::int32_t facings : {8, 16, 32}) {
        for (std::int32_t k = 0; k < facings; ++k) {
            FacingPath path;
            const Vec2 from{3.25, -7.5};
            const Vec2 to = from + math::direction(facing_rad(facings, k)) * 17.0;
            line_on_facings(from, to, facings, FacingOrder::right_first, path);
            ASSERT_EQ(path.count, 1);
            EXPECT_EQ(path.legs[0].facing, k);
            expect_walks(path, facings, from, to);
        }
    }
    FacingPath path;
    line_on_facings({1, 1}, {1, 1}, 8, FacingOrder::right_first, path);
    EXPECT_EQ(path.count, 0);
}

TEST(Facings, RandomArcsAndLinesKeepTheirEnds) {
    Rng rng(11);
    for (int i = 0; i < trials(20000); ++i) {
        const std::int32_t facings = 8 << rng.below(3);
        const Pose start{{rng.unit() * 50, rng.unit() * 50}, (rng.unit() - 0.5) * 12};
        const double r = 0.5 + rng.unit() * 5;
        const double turn = rng.below(4) == 0 ? kHalfPi * rng.below(5) : rng.unit() * kTwoPi;
        Leg leg;
        leg.start = {{start.position.x, start.position.y, 0}, start.heading_rad, 0};
        leg.curvature = (rng.below(2) == 0 ? 1.0 : -1.0) / r;
        leg.length = turn * r;
        const Vec2 to = ground(place_on_leg(leg, leg.length).position);
        const Vec2 middle{start.position.x - math::sin(start.heading_rad) / leg.curvature,
                          start.position.y + math::cos(start.heading_rad) / leg.curvature};
        FacingPath path;
        arc_outside(start, leg.curvature, leg.length, facings, path);
        expect_walks(path, facings, start.position, to);
        const double half = kPi / facings;
        for (int k = 0; k < path.count; ++k) {
            EXPECT_GE(distance(path.legs[k].end, middle), r * (1 - 1e-9));
            EXPECT_LE(distance(path.legs[k].end, middle), r / math::cos(half) * (1 + 1e-9));
        }
        EXPECT_LE(length_of(path), leg.length / math::cos(half) * (1 + 1e-9) + 1e-9);
        arc_inside(start, leg.curvature, leg.length, facings, path);
        expect_walks(path, facings, start.position, to);
        line_on_facings(start.position, to, facings, FacingOrder::left_first, path);
        EXPECT_LE(path.count, 2);
        expect_walks(path, facings, start.position, to);
    }
}

TEST(Facings, WhatRoundingShows) {
    Route route;
    Leg line;
    line.length = 1.0;
    line.start.heading_rad = 0.1;
    ASSERT_TRUE(route.legs.push_back(line));
    EXPECT_NEAR(drawn_error_rad(route, 16), 0.1, 1e-12);
    line.start.heading_rad = 0.0;
    line.curvature = 1.0;
    ASSERT_TRUE(route.legs.push_back(line));
    EXPECT_NEAR(drawn_error_rad(route, 16), kPi / 16, 1e-12);  // 11.25 degrees
}

Agent sprite_of(Agent agent) {
    agent.turning_radius = 0.0;
    return agent;
}

TEST(FixedAnglesSlow, RandomRoutesAreLegalAsSprites) {
    Rng rng(21);
    int styled = 0;
    int rounded = 0;
    int kinds[6] = {};
    Scratch scratch;
    Route route;
    FixedAngles drawn;
    for (int i = 0; i < trials(100); ++i) {
        const Tiles ground = random_tiles(rng, 3 + rng.between(0, 29));
        const Grid grid = grid_of(ground);
        const Agent agent = random_unit(rng);
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
        ASSERT_TRUE(table.has_value());
        const Result<DriveMap> map = DriveMap::make(ground_of(ground), *table);
        ASSERT_TRUE(map.has_value());
        for (int k = 0; k < 10; ++k) {
            const DriveQuery query{.start = random_pose(rng, ground, k % 2 == 0),
                                   .goal = random_pose(rng, ground, k % 3 == 0)};
            ASSERT_TRUE(find_route_into(*map, query, scratch, route).has_value());
            if (route.status != PathStatus::complete) continue;
            const std::int32_t facings = 8 << rng.below(3);
            ASSERT_TRUE(make_fixed_angles_into(route, *map, {.facings = facings}, drawn).has_value());
            EXPECT_EQ(drawn.route.end, route.end);
            if (drawn.status == FixedAnglesStatus::rounded) {
                ++rounded;
                EXPECT_GE(drawn.blocked_leg, 0);
                EXPECT_GT(drawn.error_rad, 0.0);
                EXPECT_LE(drawn.error_rad, kPi / facings + 1e-12);
                const Violation bad = verify(drawn.route, grid, agent);
                EXPECT_FALSE(bad) << bad.text().c_str();
                continue;
            }
            ++styled;
            const Violation bad = verify(drawn.route, grid, sprite_of(agent), {.facings = facings});
            ASSERT_FALSE(bad) << "case " << i << " query " << k << ": " << bad.text().c_str();
            EXPECT_EQ(drawn.groups.size(), route.legs.size());
            std::uint32_t next = 0;
            for (const FacingGroup& group : drawn.groups) {
                EXPECT_EQ(group.first, next);
                next += group.count;
                ++kinds[static_cast<int>(group.style)];
            }
            for (const Leg& leg : drawn.route.legs) EXPECT_EQ(leg.curvature, 0.0);
            EXPECT_LE(drawn.route.length, route.length / math::cos(kPi / facings) * (1 + 1e-9) + 1e-9);
        }
    }
    RecordProperty("styled", styled);
    RecordProperty("rounded", rounded);
    for (int kind = 0; kind < 6; ++kind) RecordProperty("style_" + std::to_string(kind), kinds[kind]);
    EXPECT_GT(styled, rounded);
    if (!testing::all_trials()) return;
    for (int kind = 0; kind < 6; ++kind) EXPECT_GT(kinds[kind], 0) << kind;
}

// A gate in the middle of a line that runs between two facings: either order misses it, two parts meet it.
TEST(FixedAngles, AGateTakesTwoParts) {
    const Tiles ground = drawn_tiles({
        "..........#.........",
        "..........#.........",
        "..........#.........",
        "....................",
        "....................",
        "....................",
        "..........#.........",
        "..........#.........",
        "..........#.........",
        "..........#.........",
    });
    const Agent agent{.radius = 0.45, .turning_radius = 2.0};
    const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8});
    const Result<DriveMap> map = DriveMap::make(ground_of(ground), *table);
    ASSERT_TRUE(map.has_value());
    Route route;
    Leg leg;
    leg.start = {{1, 1.5, 0}, kPi / 8, 0};
    leg.length = route.length = 19.0;
    ASSERT_TRUE(route.legs.push_back(leg));
    route.end = place_on_leg(leg, leg.length);
    route.status = PathStatus::complete;
    Result<FixedAngles> drawn = make_fixed_angles(route, *map, {.facings = 8});
    ASSERT_TRUE(drawn.has_value());
    ASSERT_EQ(drawn->status, FixedAnglesStatus::styled);
    EXPECT_EQ(drawn->groups[0].parts, 2);
    EXPECT_FALSE(verify(drawn->route, grid_of(ground), sprite_of(agent), {.facings = 8}));
    // One part only: no such styling.
    drawn = make_fixed_angles(route, *map, {.facings = 8, .parts_max = 1});
    EXPECT_EQ(drawn->status, FixedAnglesStatus::rounded);
    EXPECT_EQ(drawn->blocked_leg, 0);
    EXPECT_NEAR(drawn->error_rad, kPi / 8, 1e-12);
    EXPECT_EQ(drawn->route.legs.size(), 1U);
    // With 16 facings the line runs along one.
    drawn = make_fixed_angles(route, *map, {.facings = 16});
    EXPECT_EQ(drawn->groups[0].style, FacingStyle::single);
    EXPECT_EQ(drawn->route.legs.size(), 1U);
}

TEST(FixedAngles, AWarmCallAllocatesNothing) {
    Rng rng(4);
    const Tiles ground = random_tiles(rng, 10);
    const Agent agent{.radius = 0.4, .turning_radius = 2.0};
    const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8});
    const Result<DriveMap> map = DriveMap::make(ground_of(ground), *table);
    Scratch scratch;
    Route route;
    FixedAngles drawn;
    for (int i = 0; i < 40; ++i) {
        const DriveQuery query{.start = random_pose(rng, ground, false),
                               .goal = random_pose(rng, ground, false)};
        ASSERT_TRUE(find_route_into(*map, query, scratch, route).has_value());
        ASSERT_TRUE(make_fixed_angles_into(route, *map, {}, drawn).has_value());
        const std::uint64_t before = heap_calls();
        ASSERT_TRUE(make_fixed_angles_into(route, *map, {}, drawn).has_value());
        EXPECT_EQ(heap_calls(), before);
    }
}

TEST(FixedAngles, BadInput) {
    Rng rng(4);
    const Tiles ground = random_tiles(rng, 0);
    const Result<DriveTable> table =
        DriveTable::make({.agent = {.radius = 0.4, .turning_radius = 2.0}, .headings = 8});
    const Result<DriveMap> map = DriveMap::make(ground_of(ground), *table);
    Route route;
    route.status = PathStatus::complete;
    const auto code = [&](const FixedAnglesOptions& options) {
        return make_fixed_angles(route, *map, options).error().code;
    };
    EXPECT_EQ(make_fixed_angles(route, *map).value().status, FixedAnglesStatus::styled);  // no legs
    EXPECT_EQ(code({.facings = 12}), ErrorCode::out_of_range);
    EXPECT_EQ(code({.parts_max = 0}), ErrorCode::out_of_range);
    Leg leg;
    leg.length = std::numeric_limits<double>::quiet_NaN();
    ASSERT_TRUE(route.legs.push_back(leg));
    EXPECT_EQ(code({}), ErrorCode::not_finite);
    route.legs[0].length = 1e300;
    EXPECT_EQ(code({}), ErrorCode::out_of_range);
    route.legs[0].length = 1.0;
    route.legs[0].kind = LegKind::turn;
    EXPECT_EQ(code({}), ErrorCode::unsupported);
    route.legs[0].kind = LegKind::drive;
    route.legs[0].start.position = {-5, -5, 0};  // off the map: nothing is free there
    route.end.position = {-4, -5, 0};
    EXPECT_EQ(make_fixed_angles(route, *map).value().status, FixedAnglesStatus::rounded);
}

}  // namespace
}  // namespace fairlead::testing
