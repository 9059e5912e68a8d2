// verify over a level mesh for boxes and capsules: planted damage is found, touching is legal, and a plain sampler of poses agrees.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/bodies.h"
#include "support/environment.h"
#include "support/plain_mesh.h"
#include "support/route_maker.h"
#include "support/violation_checks.h"

namespace fairlead {
namespace {

using testing::box_body;
using testing::capsule_body;
using testing::PlainMesh;
using testing::RouteMaker;
using testing::trials;

const MeshVerifyOptions kAny{.check_revision = false};

Agent with_pivot(Agent agent) {
    agent.turning_radius = 1.0;
    agent.can_reverse = agent.can_pivot = true;
    return agent;
}

/// An L round the solid corner (10, 10), its arms 10 wide and 40 long.
NavMesh corner(double agent_radius = 0.0) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0},   {10, 0, 0},  {40, 0, 0}, {0, 10, 0},
                      {10, 10, 0}, {40, 10, 0}, {0, 40, 0}, {10, 40, 0}};
    plain.polygons = {{1, 2, 5, 4}, {0, 1, 4, 3}, {3, 4, 7, 6}};
    plain.flatten();
    const NavMeshTile tile = plain.tile();
    Result<NavMesh> mesh = NavMesh::make({.agent_radius = agent_radius, .tiles = {&tile, 1}});
    EXPECT_TRUE(mesh);
    return std::move(*mesh);
}

TEST(MeshBody, AlongAWallAsNearAsItIsWide) {
    const NavMesh mesh = corner();
    for (const Agent& body : {with_pivot(box_body(4, 2, 1)), with_pivot(capsule_body(4, 1, 1))}) {
        EXPECT_LEGAL(verify(RouteMaker({5, 1}).drive(30).take(), mesh, body, kAny));
        EXPECT_LEGAL(verify(RouteMaker({35, 9}).drive(30, 0.0, Gear::reverse).take(), mesh, body, kAny));
        for (const double depth : {1e-2, 1e-6, 1e-7}) {
            const Violation bad = verify(RouteMaker({5, 1 - depth}).drive(30).take(), mesh, body, kAny);
            EXPECT_KIND(bad, wall);
            EXPECT_EQ(bad.leg, 0);
            EXPECT_NEAR(bad.depth, depth, 1e-8);
        }
        // Up to the end wall with its nose, which is 3 ahead of the axle.
        EXPECT_LEGAL(verify(RouteMaker({5, 5}).drive(32).take(), mesh, body, kAny));
        const Violation nose = verify(RouteMaker({5, 5}).drive(32 + 1e-6).take(), mesh, body, kAny);
        EXPECT_KIND(nose, wall);
        EXPECT_NEAR(nose.distance, 32.0, 1e-5);
    }
}

TEST(MeshBody, RoundTheCorner) {
    const NavMesh mesh = corner();
    const Agent box = with_pivot(box_body(4, 2, 0));
    // A quarter of a circle about (20, 20): the box's inner side is sqrt 200 from it where it passes the corner.
    const double inner = std::sqrt(200.0);
    const auto round = [&](double radius) {
        return RouteMaker({20, 20 - radius}, kPi).drive(radius * kHalfPi, -1.0 / radius).take();
    };
    // The middle of a side is nearest to the centre of turning.
    EXPECT_KIND(verify(round(inner + 1.0 - 1e-6), mesh, box, kAny), wall);
    EXPECT_LEGAL(verify(round(inner + 1.0), mesh, box, kAny));
    EXPECT_LEGAL(verify(round(inner + 1.0 + 1e-3), mesh, box, kAny));
}

TEST(MeshBody, OnTheSpot) {
    const NavMesh mesh = corner();
    const Agent box = with_pivot(box_body(8, 6, 0));  // 5 from the axle to a corner
    EXPECT_LEGAL(verify(RouteMaker({20, 5}).turn(7.0).take(), mesh, box, kAny));
    const Violation bad = verify(RouteMaker({20, 5 - 1e-6}).turn(7.0).take(), mesh, box, kAny);
    EXPECT_KIND(bad, wall);
    EXPECT_NEAR(bad.depth, 1e-6, 1e-8);
    // Not as far as the corner of the body comes to stand straight.
    EXPECT_LEGAL(verify(RouteMaker({20, 5 - 1e-2}).turn(0.5).take(), mesh, box, kAny));
    EXPECT_KIND(verify(RouteMaker({20, 5 - 1e-2}).turn(-3.0).take(), mesh, box, kAny), wall);
    // Into the solid corner: only what sweeps over it.
    EXPECT_KIND(verify(RouteMaker({8, 8}, kPi).turn(-kPi).take(), mesh, with_pivot(box_body(7, 1, 0)), kAny),
                wall);
}

TEST(MeshBody, WhatTheMeshKeepsFromWallsIsTakenOff) {
    const NavMesh mesh = corner(0.5);
    const double less = 0.5 * std::sqrt(0.5);
    const Agent box = with_pivot(box_body(4, 2, 1));
    EXPECT_LEGAL(verify(RouteMaker({5, 1 - less + 1e-9}).drive(25).take(), mesh, box, kAny));
    EXPECT_KIND(verify(RouteMaker({5, 1 - less - 1e-6}).drive(25).take(), mesh, box, kAny), wall);
    const Agent capsule = with_pivot(capsule_body(4, 1, 1));
    EXPECT_LEGAL(verify(RouteMaker({5, 0.5}).drive(25).take(), mesh, capsule, kAny));
    EXPECT_KIND(verify(RouteMaker({5, 0.5 - 1e-6}).drive(25).take(), mesh, capsule, kAny), wall);
    // One that is no wider than that is a line; over the solid corner it may not sweep either.
    const Agent thin = with_pivot(capsule_body(4, 0.4, 0));
    EXPECT_LEGAL(verify(RouteMaker({5, 0.0}).drive(25).take(), mesh, thin, kAny));
    EXPECT_KIND(verify(RouteMaker({9, 9.9}, kPi).turn(-2.9).take(), mesh, thin, kAny), wall);
}

/// How deep a body is in what is no surface, by points of its outline: for the L alone.
double sampled_depth(const Agent& agent, const Pose& pose) {
    const BodyCore body = body_core(agent);
    double worst = -1e9;
    const auto depth = [](Vec2 p) {
        // Into the walls around, or into the solid block; touching is 0.
        const double out = std::max({-p.x, -p.y, p.x - 40.0, p.y - 40.0});
        const double block = std::min(p.x - 10.0, p.y - 10.0);
        return std::max(out, block);
    };
    const Vec2 ahead{std::cos(pose.heading_rad), std::sin(pose.heading_rad)};
    for (int i = 0; i < 160; ++i) {
        const double t = i / 40.0;
        const double s = t - std::floor(t);
        const Vec2 low = body.core.low, high = body.core.high;
        const Vec2 corners[] = {low, {high.x, low.y}, high, {low.x, high.y}};
        const int k = i / 40;
        const Vec2 on = corners[k] * (1.0 - s) + corners[(k + 1) & 3] * s;
        for (int n = 0; n < (body.radius > 0.0 ? 24 : 1); ++n) {
            const double angle = kTwoPi * n / 24.0;
            const Vec2 p = on + Vec2{std::cos(angle), std::sin(angle)} * body.radius;
            worst = std::max(worst, depth(pose.position + Vec2{ahead.x * p.x - ahead.y * p.y,
                                                               ahead.x * p.y + ahead.y * p.x}));
        }
    }
    return worst;
}

TEST(MeshBody, RandomLegsAsASamplerSaysThem) {
    const NavMesh mesh = corner();
    Rng rng(9);
    int legal = 0, illegal = 0, unsure = 0;
    for (int i = 0; i < trials(200); ++i) {
        const Agent agent = with_pivot(
            rng.below(2) == 0
                ? box_body(rng.between(1.0, 5.0), rng.between(0.5, 3.0), rng.between(-0.4, 0.4))
                : capsule_body(rng.between(2.0, 5.0), rng.between(0.3, 1.0), rng.between(-0.4, 0.4)));
        const Vec2 start = rng.below(2) == 0 ? Vec2{rng.between(2.0, 20.0), rng.between(2.0, 8.0)}
                                             : Vec2{rng.between(2.0, 8.0), rng.between(2.0, 20.0)};
        RouteMaker maker(start, rng.between(-3.0, 3.0));
        if (rng.below(3) == 0) {
            maker.turn(rng.between(-3.0, 3.0));
        } else {
            maker.drive(rng.between(0.5, 8.0), rng.below(3) == 0 ? 0.0 : rng.between(-0.9, 0.9),
                        rng.below(3) == 0 ? Gear::reverse : Gear::forward);
        }
        const Route route = maker.take();
        double worst = -1e9;
        const Leg& leg = route.legs[0];
        for (int k = 0; k <= 200; ++k) {
            Place place = place_on_leg(leg, leg.length * k / 200.0);
            if (leg.kind == LegKind::turn) place.heading_rad += leg.turn_rad * k / 200.0;
            worst = std::max(worst, sampled_depth(agent, {ground(place.position), place.heading_rad}));
        }
        if (worst > -0.06 && worst < 0.0) {
            ++unsure;  // between samples it may be deeper, where a corner of the block is
            continue;
        }
        const Violation bad = verify(route, mesh, agent, kAny);
        if (worst > 1e-6) {
            EXPECT_TRUE(bad) << i;
            ++illegal;
        } else if (!bad) {
            ++legal;
        } else {
            // The block's corner may reach in between points of the outline; never by more than these are apart.
            EXPECT_LT(bad.depth, 0.15) << i << ' ' << worst << ' ' << bad.text().c_str();
            ++unsure;
        }
    }
    EXPECT_GT(legal, trials(200) / 10);
    EXPECT_GT(illegal, trials(200) / 10);
    EXPECT_LT(unsure, trials(200) / 4 + 2);
}

}  // namespace
}  // namespace fairlead
