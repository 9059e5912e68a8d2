// The dense sampler beside verify: two witnesses written apart must agree on random routes, and both catch planted errors.

#include "oracle/pose_sampler.h"

#include <gtest/gtest.h>

#include <cmath>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/verify/verify.h>

#include "support/bodies.h"
#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/route_maker.h"

namespace fairlead::testing {
namespace {

using oracle::PoseFault;
using oracle::PoseFinding;
using oracle::PoseMap;

constexpr double kMissed = 1e-3;  // what sampling in steps of 0.001 cell may miss

Agent random_turner(Rng& rng) {
    Agent agent = rng.below(3) == 0 ? Agent{.radius = rng.between(0.05, 0.9)} : random_body(rng, 1.8);
    agent.turning_radius = rng.between(0.8, 3.0);
    agent.can_reverse = rng.below(2) == 0;
    return agent;
}

Route random_drive(Rng& rng, const Agent& agent, const Pose& start) {
    RouteMaker maker(start.position, start.heading_rad);
    const std::uint32_t legs = 1 + rng.below(5);
    for (std::uint32_t i = 0; i < legs; ++i) {
        const double bend = rng.below(3) == 0 ? 0.0 : rng.between(-1.0, 1.0) / agent.turning_radius;
        const bool back = agent.can_reverse && rng.below(3) == 0;
        maker.drive(rng.between(0.0, 2.5), bend, back ? Gear::reverse : Gear::forward);
    }
    return maker.take();
}

TEST(PoseSamplerSlow, AgreesWithVerifyOnRandomRoutes) {
    Rng rng(41);
    int legal = 0;
    int illegal = 0;
    for (int i = 0; i < trials(6000); ++i) {
        const PoseMap map = random_drive_map(rng, static_cast<MapStyle>(rng.below(4)), 16, 14);
        const Agent agent = random_turner(rng);
        Pose start;
        if (!random_free_pose(rng, map, agent, false, start)) continue;
        const Grid grid = grid_of(map);
        const Route route = random_drive(rng, agent, start);
        const Violation bad = verify(route, grid, agent, {.check_revision = false});
        const PoseFinding found = sample_route(route, map, agent);
        SCOPED_TRACE(i);
        if (!bad) {
            ++legal;
            ASSERT_FALSE(found) << fault_name(found.fault) << " by " << found.amount;
            continue;
        }
        ++illegal;
        ASSERT_TRUE(bad.kind == ViolationKind::wall || bad.kind == ViolationKind::off_world)
            << bad.text().c_str();
        if (found) {
            ASSERT_EQ(found.fault, PoseFault::wall);
            ASSERT_LE(bad.leg, static_cast<std::int64_t>(found.leg));
        } else {
            // Verify gives the depth of the first overlap; the sampler must have been near to it.
            ASSERT_GT(found.deepest, -kMissed) << bad.text().c_str();
            ASSERT_LT(bad.depth, kMissed) << bad.text().c_str();
        }
    }
    EXPECT_GT(legal, trials(6000) / 8);
    EXPECT_GT(illegal, trials(6000) / 8);
}

// A legal route through the random map, by the search.
bool found_route(Rng& rng, const PoseMap& map, const Grid& grid, const Agent& agent, Scratch& scratch,
                 Route& route, Pose& start, Pose& goal) {
    if (!random_free_pose(rng, map, agent, false, start) || !random_free_pose(rng, map, agent, false, goal))
        return false;
    const DriveQuery query{.start = start, .goal = goal, .agent = agent};
    return find_route_into(grid, query, scratch, route).has_value() && route.status == PathStatus::complete &&
           route.legs.size() > 1;
}

enum class Spoil : std::uint8_t { place, heading, curvature, length, gear, end, count_ };

void spoil(Rng& rng, Route& route, const Agent& agent, Spoil how) {
    const double amount = std::pow(10.0, rng.between(-2.0, -0.5));
    const double sign = rng.below(2) == 0 ? 1.0 : -1.0;
    Leg& leg = route.legs[rng.below(static_cast<std::uint32_t>(route.legs.size()))];
    switch (how) {
        case Spoil::place: leg.start.position.x += sign * amount; break;
        case Spoil::heading: leg.start.heading_rad += sign * amount; break;
        case Spoil::curvature: leg.curvature = sign * (1.0 + amount) / agent.turning_radius; break;
        case Spoil::length: leg.length += amount; break;
        case Spoil::gear: leg.gear = leg.gear == Gear::reverse ? Gear::forward : Gear::reverse; break;
        default: route.end.heading_rad += sign * amount; break;
    }
}

TEST(PoseSamplerSlow, AgreesWithVerifyOnRoutesOfTheSearchAndOnSpoiledOnes) {
    Rng rng(42);
    Scratch scratch;
    Route route;
    int spoiled = 0;
    for (int i = 0; i < trials(120); ++i) {
        const PoseMap map = random_drive_map(rng, static_cast<MapStyle>(rng.below(4)), 24, 24);
        const Grid grid = grid_of(map);
        const Agent agent{
            .radius = 0.4, .turning_radius = rng.between(1.0, 2.5), .can_reverse = rng.below(2) == 0};
        for (int k = 0; k < static_cast<int>(Spoil::count_); ++k) {
            Pose start;
            Pose goal;
            if (!found_route(rng, map, grid, agent, scratch, route, start, goal)) continue;
            SCOPED_TRACE(i * 100 + k);
            const Violation bad = verify(route, grid, agent);
            ASSERT_FALSE(bad) << bad.text().c_str();
            const PoseFinding found = sample_route(route, map, agent, {.start = start, .goal = goal});
            ASSERT_FALSE(found) << fault_name(found.fault) << " leg " << found.leg << " by " << found.amount;
            spoil(rng, route, agent, static_cast<Spoil>(k));
            ++spoiled;
            EXPECT_TRUE(verify(route, grid, agent)) << "spoiled " << k;
            EXPECT_TRUE(sample_route(route, map, agent)) << "spoiled " << k;
        }
    }
    EXPECT_GT(spoiled, trials(120) * 2);
}

// An open room with one wall cell in it.
PoseMap one_wall() {
    PoseMap map{12, 12, {}};
    map.tile.assign(144, 1);
    map.tile[6 * 12 + 6] = 0;
    return map;
}

PoseFault fault_of(const Route& route, const Agent& agent) {
    return sample_route(route, one_wall(), agent).fault;
}

TEST(PoseSampler, FindsPlantedErrors) {
    const Agent agent{.radius = 0.5, .turning_radius = 2.0};
    // Along the wall, touching it; then nearer by 1e-4.
    EXPECT_EQ(fault_of(RouteMaker({2, 5.5}).drive(8).take(), agent), PoseFault::none);
    EXPECT_EQ(fault_of(RouteMaker({2, 5.5 + 1e-4}).drive(8).take(), agent), PoseFault::wall);
    // Past the border of the map by as much.
    EXPECT_EQ(fault_of(RouteMaker({2, 2}).drive(9.5).take(), agent), PoseFault::none);
    EXPECT_EQ(fault_of(RouteMaker({2, 2}).drive(9.5 + 1e-4).take(), agent), PoseFault::wall);
    EXPECT_EQ(fault_of(RouteMaker({2, 2}).drive(2, 0.5).take(), agent), PoseFault::none);
    EXPECT_EQ(fault_of(RouteMaker({2, 2}).drive(2, 0.501).take(), agent), PoseFault::curvature);
    EXPECT_EQ(fault_of(RouteMaker({5, 2}).drive(2, 0.0, Gear::reverse).take(), agent), PoseFault::gear);
    EXPECT_EQ(fault_of(RouteMaker({5, 2}).drive(1).turn(0.1).take(), agent), PoseFault::number);
    Route longer = RouteMaker({2, 2}).drive(2).take();
    longer.length += 1e-3;
    EXPECT_EQ(fault_of(longer, agent), PoseFault::length);
    Route jump = RouteMaker({2, 2}).drive(2).drive(2, 0.3).take();
    jump.legs[1].start.position.y += 1e-3;
    EXPECT_EQ(fault_of(jump, agent), PoseFault::position);
    Route kink = RouteMaker({2, 2}).drive(2).drive(2, 0.3).take();
    kink.legs[1].start.heading_rad += 1e-3;
    EXPECT_EQ(fault_of(kink, agent), PoseFault::heading);
}

TEST(PoseSampler, FindsTheCornerOfATurningBox) {
    // Its outer front corner runs round on a circle of radius sqrt(1.5^2 + 2.6^2) = 3.0017; the wall's corner at (6, 6) is
    // a little outside of it, then a little inside.
    Agent agent = box_body(2.0, 1.2, 0.5);
    agent.turning_radius = 2.0;
    for (const double away : {3.0027, 3.0007}) {
        const double middle = 6.0 - away / std::sqrt(2.0);
        const Route turn = RouteMaker({middle, middle - 2.0}).drive(4.5, 0.5).take();
        const bool legal = away > 3.0017;
        EXPECT_EQ(fault_of(turn, agent), legal ? PoseFault::none : PoseFault::wall);
        EXPECT_EQ(!verify(turn, grid_of(one_wall()), agent, {.check_revision = false}), legal);
    }
}

}  // namespace
}  // namespace fairlead::testing
