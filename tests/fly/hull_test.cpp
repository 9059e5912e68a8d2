// Level boxes, and upright capsules, that turn in space: against moments laid close along each leg, each judged by the shadows of box and
// voxel on the axes of both, in long double.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/fly/curve_sight.h>
#include <fairlead/fly/find_fly.h>
#include <fairlead/fly/repair.h>
#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/volume.h>

#include "support/environment.h"
#include "support/route_compare.h"
#include "support/taller_volume.h"
#include "support/test_allocator.h"
#include "support/volumes.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;
using Real = long double;

struct Moment {
    Real x, y, z, heading;
};

Moment moment_of(const Leg& leg, Real share) {
    const Real gone = share * leg.length, h = leg.start.heading_rad, k = leg.curvature;
    Moment m{leg.start.position.x, leg.start.position.y, leg.start.position.z + share * leg.rise,
             h + k * gone};
    if (leg.curvature == 0.0) {
        m.x += gone * std::cos(h), m.y += gone * std::sin(h);
    } else {
        m.x += (std::sin(h + k * gone) - std::sin(h)) / k, m.y -= (std::cos(h + k * gone) - std::cos(h)) / k;
    }
    return m;
}

/// How deep the box is in a box of the world: the least overlap of their shadows; below 0: a gap at least as wide is on some axis.
Real depth_in(const Agent& a, const Moment& m, const Real low[3], const Real high[3]) {
    const Real c = std::cos(m.heading), s = std::sin(m.heading);
    const Real front = a.axle_offset + 0.5L * a.length, rear = a.axle_offset - 0.5L * a.length,
               half = 0.5L * a.width;
    const Real own[4][2] = {{rear, -half}, {front, -half}, {front, half}, {rear, half}};
    const Real axes[4][2] = {{1, 0}, {0, 1}, {c, s}, {-s, c}};
    Real least = std::min(m.z + 0.5L * a.height - low[2], high[2] - m.z + 0.5L * a.height);
    for (const auto& axis : axes) {
        Real one[2] = {1e30L, -1e30L}, other[2] = {1e30L, -1e30L};
        for (int i = 0; i < 4; ++i) {
            const Real x = m.x + own[i][0] * c - own[i][1] * s, y = m.y + own[i][0] * s + own[i][1] * c;
            const Real p = x * axis[0] + y * axis[1];
            one[0] = std::min(one[0], p), one[1] = std::max(one[1], p);
            const Real q =
                ((i & 1) != 0 ? high[0] : low[0]) * axis[0] + ((i & 2) != 0 ? high[1] : low[1]) * axis[1];
            other[0] = std::min(other[0], q), other[1] = std::max(other[1], q);
        }
        least = std::min({least, one[1] - other[0], other[1] - one[0]});
    }
    return least;
}

/// The deepest that a moment of the leg is in anything, or outside.
Real deepest(const VolumeDense& world, const Agent& agent, const Leg& leg, int samples) {
    Real most = -1e30L;
    const Real side[3] = {world.voxel.x, world.voxel.y, world.voxel.z};
    const Real origin[3] = {world.origin.x, world.origin.y, world.origin.z};
    const std::int32_t size[3] = {world.size.x, world.size.y, world.size.z};
    for (int i = 0; i <= samples; ++i) {
        const Moment m = moment_of(leg, Real{1.0L} * i / samples);
        // What is farther off than the body reaches, and a voxel, is no deeper than that.
        const Real reach = std::max(circumscribed_radius(agent), agent.height), at[3] = {m.x, m.y, m.z};
        std::int32_t first[3], last[3];
        for (int k = 0; k < 3; ++k) {
            const Real p = (at[k] - origin[k]) / side[k], r = reach / side[k] + 1;
            first[k] = static_cast<std::int32_t>(std::clamp(std::floor(p - r), -1.0L, Real{1.0L} * size[k]));
            last[k] = static_cast<std::int32_t>(std::clamp(std::floor(p + r), -1.0L, Real{1.0L} * size[k]));
        }
        for (std::int32_t z = first[2]; z <= last[2]; ++z) {
            for (std::int32_t y = first[1]; y <= last[1]; ++y) {
                for (std::int32_t x = first[0]; x <= last[0]; ++x) {
                    if (world.is_free({x, y, z})) continue;
                    const std::int32_t v[3] = {x, y, z};
                    Real low[3], high[3];
                    for (int k = 0; k < 3; ++k) {
                        // Outside there is no end.
                        low[k] = v[k] < 0 ? -1e9L : origin[k] + side[k] * v[k];
                        high[k] = v[k] >= size[k] ? 1e9L : origin[k] + side[k] * (v[k] + 1);
                    }
                    most = std::max(most, depth_in(agent, m, low, high));
                }
            }
        }
    }
    return most;
}

Agent draw_box(Rng& rng) {
    Agent agent{.shape = BodyShape::box};
    agent.length = rng.between(0.2, 2.0);
    agent.width = rng.between(0.1, 1.2);
    agent.height = rng.between(0.1, 1.0);
    agent.axle_offset = rng.below(2) == 0 ? 0.0 : rng.between(-0.5, 0.5) * agent.length;
    agent.turning_radius = rng.between(0.3, 4.0);
    return agent;
}

Route route_of(const Leg& leg, const VolumeState& volume) {
    Route route;
    const Moment end = moment_of(leg, 1.0L);
    EXPECT_TRUE(route.legs.push_back(leg));
    route.end = {{static_cast<double>(end.x), static_cast<double>(end.y), static_cast<double>(end.z)},
                 static_cast<double>(end.heading),
                 0};
    route.status = PathStatus::complete;
    route.revision = volume.revision();
    route.length = leg.length;
    route.line_cost = length(Vec2{leg.length, leg.rise});
    return route;
}

TEST(Hull, SightAndVerifyAgainstMoments) {
    Rng rng(61);
    int free = 0, blocked = 0;
    for (int i = 0; i < trials(60); ++i) {
        const VolumeDense world = any_volume(rng, 7);
        const double side = std::min({world.voxel.x, world.voxel.y, world.voxel.z});
        const Volume volume = make_volume(world);
        for (int k = 0; k < 8; ++k) {
            Voxel from;
            if (!draw_free(rng, world, from)) break;
            Agent agent = draw_box(rng);
            for (double* size :
                 {&agent.length, &agent.width, &agent.height, &agent.axle_offset, &agent.turning_radius})
                *size *= side;
            Leg leg;
            leg.start = {draw_place(rng, world, from), rng.between(-4.0, 4.0), 0};
            leg.length = rng.between(0.05, 2.0) * side;
            leg.rise = rng.below(3) == 0 ? 0.0 : leg.length * rng.between(-1.0, 1.0);
            if (rng.below(4) != 0) {
                const double radius = agent.turning_radius * rng.between(1.0, 3.0);
                leg.curvature = (rng.below(2) == 0 ? 1.0 : -1.0) / radius;
            }
            constexpr int kMoments = 60;
            const Real depth = deepest(world, agent, leg, kMoments) / side;
            const bool sees = leg_in_sight(volume, leg, agent);
            const Violation bad = verify(route_of(leg, volume), volume, agent);
            ASSERT_NE(bad.kind, ViolationKind::bad_argument) << i << " " << k;
            // What no moment shows can lie between two of them.
            const Real between = 2.0L * (leg.length + std::fabs(leg.rise)) / side / kMoments;
            if (depth > 1e-6L) {
                ASSERT_FALSE(sees) << i << " " << k << " " << static_cast<double>(depth);
                ASSERT_TRUE(bad) << i << " " << k << " " << static_cast<double>(depth);
                ++blocked;
            } else if (depth < -between) {
                ASSERT_TRUE(sees) << i << " " << k << " " << static_cast<double>(depth);
                ASSERT_FALSE(bad) << i << " " << k << " " << bad.text().c_str();
                ++free;
            }
            // Both are exact, each by its own geometry.
            ASSERT_FALSE(sees && bad) << i << " " << k << " " << bad.text().c_str();
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(blocked, 60);
    EXPECT_GT(free, 20);
}

void expect_legal(const VolumeDense& world, const Volume& volume, const FlyQuery& query, const Route& route,
                  int& judged) {
    ASSERT_FALSE(verify(route, volume, query.agent, {.blockers = query.blockers}))
        << verify(route, volume, query.agent, {.blockers = query.blockers}).text().c_str();
    for (const Leg& leg : route.legs) {
        ++judged;
        const auto samples = static_cast<int>(2.0 * leg.length) + 2;
        ASSERT_LE(deepest(world, query.agent, leg, samples), 1e-8L);
    }
}

TEST(Hull, WaysAreLegal) {
    Rng rng(62);
    Scratch scratch, other;
    Route route, sliced;
    int complete = 0, queries = 0, judged = 0;
    constexpr VolumeKind kinds[] = {VolumeKind::sparse_noise, VolumeKind::rooms, VolumeKind::asteroids,
                                    VolumeKind::plates};
    for (int w = 0; w < trials(12); ++w) {
        const VolumeDense world = random_volume(rng, kinds[w % 4], {20, 20, 14});
        const Volume volume = make_volume(world);
        for (int q = 0; q < 4; ++q) {
            Voxel from, to;
            if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) break;
            const double leaves = rng.between(-3.0, 3.0), arrives = rng.between(-3.0, 3.0);
            FlyQuery query{.start = Spot(Position3(world.centre(from)), leaves),
                           .goal = Spot(Position3(world.centre(to)), arrives),
                           .agent = draw_box(rng)};
            query.partial = rng.below(2) == 0;
            query.expansions_max = 3000;
            const Result<void> done = find_route_into(volume, query, scratch, route);
            ASSERT_TRUE(done) << error_text(done.error()).c_str();
            if (route.status == PathStatus::start_blocked || route.status == PathStatus::goal_blocked)
                continue;
            ++queries;
            complete += route.status == PathStatus::complete ? 1 : 0;
            if (route.status == PathStatus::complete || !route.legs.empty()) {
                expect_legal(world, volume, query, route, judged);
                if (HasFatalFailure()) return;
                const Result<Revalidation> still = revalidate(volume, route, query, scratch);
                ASSERT_TRUE(still && still->legal) << w << " " << q;
            }
            if (route.status == PathStatus::complete && !route.legs.empty()) {
                EXPECT_EQ(route.legs[0].start.position, query.start.position);
                EXPECT_EQ(route.end.position, query.goal.at.position);
            }
            if (rng.below(3) != 0) continue;
            FlySearch search(volume, query, other);
            while (search.running()) search.step(1 + rng.below(50));
            ASSERT_TRUE(search.take(sliced));
            ASSERT_EQ(route_difference(sliced, route), "");
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(complete * 3, queries);
    EXPECT_GT(judged, 40);
}

// A slot 2 wide and 2 high, 7 long: a box of 4 x 1.9 x 1.9 goes through, its ball would not, and across it cannot stand.
TEST(Hull, GoesThroughWhatIsAsWideAsItIs) {
    VolumeDense world({40, 24, 12});
    for (std::int32_t z = 0; z < 12; ++z) {
        for (std::int32_t y = 0; y < 24; ++y) {
            for (std::int32_t x = 16; x < 23; ++x)
                world.set({x, y, z}, !(y >= 11 && y < 13 && z >= 5 && z < 7));
        }
    }
    const Volume volume = make_volume(world);
    Scratch scratch;
    FlyQuery query{.start = Spot(Position3(6, 12, 6), 0.0), .goal = Spot(Position3(33, 12, 6), 0.0)};
    query.agent = {
        .shape = BodyShape::box, .length = 4.0, .width = 2.0, .turning_radius = 3.0, .height = 2.0};
    Result<Route> route = find_route(volume, query, scratch);
    ASSERT_TRUE(route);
    EXPECT_EQ(route->status, PathStatus::complete);
    EXPECT_FALSE(verify(*route, volume, query.agent));
    // A hair too high, or too wide.
    for (const Vec2 more : {Vec2{0.01, 0.0}, Vec2{0.0, 0.01}}) {
        FlyQuery wider = query;
        wider.agent.width += more.x;
        wider.agent.height += more.y;
        route = find_route(volume, wider, scratch);
        EXPECT_NE(route->status, PathStatus::complete);
    }
    // Across in the slot.
    query.start = Spot(Position3(19, 12, 6), kHalfPi);
    route = find_route(volume, query, scratch);
    EXPECT_EQ(route->status, PathStatus::start_blocked);
    query.start = Spot(Position3(19, 12, 6), 0.0);
    route = find_route(volume, query, scratch);
    EXPECT_EQ(route->status, PathStatus::complete);
}

// A box keeps off a box of a blocker exactly, and off the upright cylinder around a ball.
TEST(Hull, Blockers) {
    const Volume volume = make_volume(VolumeDense({40, 24, 16}));
    Scratch scratch;
    FlyQuery query{.start = Spot(Position3(6, 12, 8), 0.0), .goal = Spot(Position3(33, 12, 8), 0.0)};
    query.agent = {
        .shape = BodyShape::box, .length = 4.0, .width = 2.0, .turning_radius = 3.0, .height = 3.0};
    for (const double gap : {0.0, 0.01, -0.01}) {
        const VolumeBlocker beside[] = {VolumeBlocker::box({18, 4, 2}, {20, 11 - gap, 14}),
                                        VolumeBlocker::ball({24, 12, 9.5 + 1.5 + gap}, 1.5)};
        query.blockers = beside;
        Result<Route> route = find_route(volume, query, scratch);
        ASSERT_EQ(route->status, PathStatus::complete);
        EXPECT_EQ(route->legs.size() == 1, gap >= 0.0) << gap;
        EXPECT_FALSE(verify(*route, volume, query.agent, {.blockers = beside})) << gap;
        FlyQuery plain = query;
        plain.blockers = {};
        const Result<Route> straight = find_route(volume, plain, scratch);
        EXPECT_EQ(verify(*straight, volume, query.agent, {.blockers = beside}).kind,
                  gap >= 0.0 ? ViolationKind::none : ViolationKind::blocker);
    }
}

TEST(Hull, RepairedAfterAnEdit) {
    Volume volume = make_volume(VolumeDense({40, 24, 16}));
    Scratch scratch;
    FlyQuery query{.start = Spot(Position3(6, 12, 8), 0.0), .goal = Spot(Position3(33, 12, 8), 0.0)};
    query.agent = {
        .shape = BodyShape::box, .length = 6.0, .width = 2.0, .turning_radius = 3.0, .height = 3.0};
    Result<Route> route = find_route(volume, query, scratch);
    // Beside its way by a hair, then into it.
    const VoxelBox far{{18, 13, 2}, {20, 20, 14}}, near{{18, 12, 2}, {20, 13, 14}};
    ASSERT_TRUE(volume.apply(VolumeEdit::fill(far)));
    EXPECT_TRUE(revalidate(volume, *route, query, scratch, &far).value().legal);
    ASSERT_TRUE(volume.apply(VolumeEdit::fill(near)));
    EXPECT_FALSE(revalidate(volume, *route, query, scratch, &near).value().legal);
    ASSERT_TRUE(repair(volume, *route, query, scratch));
    EXPECT_EQ(route->status, PathStatus::complete);
    EXPECT_FALSE(verify(*route, volume, query.agent));
}

// An upright capsule that turns is the sphere of its radius in the world made taller.
TEST(Hull, UprightCapsules) {
    Rng rng(63);
    Scratch scratch;
    int complete = 0;
    for (int w = 0; w < trials(10); ++w) {
        const VolumeDense world =
            random_volume(rng, w % 2 == 0 ? VolumeKind::sparse_noise : VolumeKind::asteroids, {24, 24, 16});
        const Volume volume = make_volume(world), tall = make_volume(taller_volume(world, 1));
        for (int q = 0; q < 4; ++q) {
            Voxel from, to;
            if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) break;
            const double radius = rng.between(0.1, 1.2);
            FlyQuery query{.start = Spot(Position3(world.centre(from)), rng.between(-3.0, 3.0)),
                           .goal = Spot(Position3(world.centre(to)), 1.0),
                           .agent = {.radius = radius, .turning_radius = 2.0, .height = 2.0 * radius + 2.0}};
            query.expansions_max = 2000;
            const Result<Route> route = find_route(volume, query, scratch);
            ASSERT_TRUE(route);
            query.agent.height = 0.0;
            const Result<Route> ball = find_route(tall, query, scratch);
            ASSERT_TRUE(ball);
            if (ball->status != PathStatus::unreachable) {
                EXPECT_EQ(route->status, ball->status) << w << " " << q;
            }
            if (route->status != PathStatus::complete) continue;
            ++complete;
            EXPECT_NEAR(route->line_cost, ball->line_cost, 1e-6);
            EXPECT_FALSE(verify(*route, volume,
                                {.radius = radius, .turning_radius = 2.0, .height = 2.0 * radius + 2.0}));
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(complete, 5);
}

TEST(Hull, BodiesThatAreNone) {
    const Volume volume = make_volume(VolumeDense({20, 20, 20}));
    Scratch scratch;
    const auto error = [&](const Agent& agent) {
        FlyQuery query{.start = Spot(Position3(6, 10, 10), 0.0),
                       .goal = Spot(Position3(14, 10, 10), 0.0),
                       .agent = agent};
        const Result<Route> route = find_route(volume, query, scratch);
        return route ? Error{} : route.error();
    };
    const Agent box{.shape = BodyShape::box, .length = 3, .width = 1, .turning_radius = 2, .height = 1};
    EXPECT_EQ(error(box), Error{});
    Agent bad = box;
    bad.height = 0.0;
    EXPECT_EQ(error(bad), (Error{ErrorCode::out_of_range, Field::agent_height}));
    bad = box;
    bad.axle_offset = 1.6;
    EXPECT_EQ(error(bad), (Error{ErrorCode::out_of_range, Field::agent_axle_offset}));
    bad = {.radius = 0.5, .shape = BodyShape::capsule, .length = 3, .turning_radius = 2};
    EXPECT_EQ(error(bad), (Error{ErrorCode::unsupported, Field::agent_shape}));
    bad = {.radius = 0.5, .turning_radius = 2, .height = 0.5};
    EXPECT_EQ(error(bad), (Error{ErrorCode::out_of_range, Field::agent_height}));
    bad = box;
    bad.length = 1e300;
    FlyQuery query{
        .start = Spot(Position3(6, 10, 10), 0.0), .goal = Spot(Position3(14, 10, 10), 0.0), .agent = bad};
    EXPECT_EQ(find_route(volume, query, scratch).value().status, PathStatus::start_blocked);
}

TEST(Hull, WarmQueriesAllocateNothing) {
    Rng rng(64);
    const VolumeDense world = random_volume(rng, VolumeKind::asteroids, {24, 24, 24});
    const Volume volume = make_volume(world);
    TestAllocator memory;
    Scratch scratch(memory.allocator());
    Route route;
    std::vector<FlyQuery> queries;
    for (int i = 0; i < 12; ++i) {
        Voxel from, to;
        if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) break;
        queries.push_back({.start = Spot(Position3(world.centre(from)), 0.5),
                           .goal = Spot(Position3(world.centre(to)), 1.0),
                           .agent = draw_box(rng),
                           .expansions_max = 500});
    }
    // Twice: lists that are swapped grow to the same size.
    for (int i = 0; i < 2; ++i) {
        for (const FlyQuery& query : queries) ASSERT_TRUE(find_route_into(volume, query, scratch, route));
    }
    const std::int64_t calls = memory.calls;
    for (const FlyQuery& query : queries) ASSERT_TRUE(find_route_into(volume, query, scratch, route));
    EXPECT_EQ(memory.calls, calls);
}

}  // namespace
}  // namespace fairlead::testing
