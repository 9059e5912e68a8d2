// Blockers of one query against distances found by thirds: sight, places, ways of points and spheres; repair; the tree against
// looking at each of them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/repair.h>
#include <fairlead/volume/sight.h>

#include "oracle/volume_room.h"
#include "support/environment.h"
#include "support/route_compare.h"
#include "support/test_allocator.h"
#include "support/volume_routes.h"
#include "support/volumes.h"
#include "volume/answers.h"
#include "volume/sight/blockers.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;
using Real = double;

Real room_at(const VolumeBlocker& b, Vec3 p) {
    if (!b.is_box()) {
        const Real x = Real{p.x} - b.centre.x, y = Real{p.y} - b.centre.y, z = Real{p.z} - b.centre.z;
        return std::sqrt(x * x + y * y + z * z) - b.radius;
    }
    const auto gap = [](Real v, Real low, Real high) { return std::max({low - v, v - high, 0.0}); };
    const Real x = gap(p.x, b.low.x, b.high.x), y = gap(p.y, b.low.y, b.high.y),
               z = gap(p.z, b.low.z, b.high.z);
    return std::sqrt(x * x + y * y + z * z);
}

// Along a segment the distance to something convex has one valley.
Real room_along(const VolumeBlocker& b, Vec3 from, Vec3 to) {
    double low = 0.0, high = 1.0;
    const auto at = [&](double t) { return room_at(b, from + (to - from) * t); };
    for (int i = 0; i < 60; ++i) {
        const double one = low + (high - low) / 3.0, other = high - (high - low) / 3.0;
        (at(one) < at(other) ? high : low) = at(one) < at(other) ? other : one;
    }
    return std::min({at(0.5 * (low + high)), at(0.0), at(1.0)});
}

VolumeBlocker draw_blocker(Rng& rng, Voxel size) {
    const auto at = [&](std::int32_t side) {
        return rng.below(3) == 0 ? 0.5 * rng.between(-1, 2 * side + 1) : rng.between(-1.0, side + 1.0);
    };
    const Vec3 p{at(size.x), at(size.y), at(size.z)};
    if (rng.below(2) == 0) return VolumeBlocker::ball(p, rng.below(4) == 0 ? 0.0 : rng.between(0.05, 2.5));
    const auto wide = [&] { return rng.below(4) == 0 ? 0.0 : rng.between(0.0, 4.0); };
    return VolumeBlocker::box(p, p + Vec3{wide(), wide(), wide()});
}

std::vector<VolumeBlocker> draw_blockers(Rng& rng, Voxel size, std::uint32_t most) {
    std::vector<VolumeBlocker> out(1 + rng.below(most));
    for (VolumeBlocker& b : out) b = draw_blocker(rng, size);
    return out;
}

// -1: blocked, 1: free, 0: so near that rounding decides.
int judge(Real room, double radius) {
    const Real more = room - radius;
    return more > 1e-7 ? 1 : more < -1e-7 ? -1 : 0;
}

bool is_legal(const Volume& volume, Route& route, const VolumeQuery& query, Scratch& scratch) {
    const Result<Revalidation> still = revalidate(volume, route, query, scratch);
    return still && still->legal;
}

TEST(VolumeBlockers, Sight) {
    Rng rng(1);
    int seen = 0, blocked = 0;
    for (int n = 0; n < trials(300); ++n) {
        const VolumeDense world =
            random_volume(rng, rng.below(2) == 0 ? VolumeKind::open : VolumeKind::sparse_noise,
                          {rng.between(3, 20), rng.between(3, 20), rng.between(3, 20)});
        const Volume volume = make_volume(world);
        const std::vector<VolumeBlocker> all = draw_blockers(rng, world.size, 6);
        for (int k = 0; k < 20; ++k) {
            const auto place = [&] {
                return Vec3{world.size.x * rng.unit(), world.size.y * rng.unit(), world.size.z * rng.unit()};
            };
            const Vec3 from = place(), to = place();
            const double radius = rng.below(3) == 0 ? 0.0 : rng.between(0.05, 1.5);
            Real room = 1e9, here = 1e9;
            for (const VolumeBlocker& b : all) {
                room = std::min(room, room_along(b, from, to));
                here = std::min(here, room_at(b, from));
            }
            const bool sees = in_sight(volume, from, to, radius, all);
            ASSERT_EQ(sees, in_sight(volume, to, from, radius, all));
            const int free = judge(room, radius);
            if (free == 1) {
                ASSERT_EQ(sees, in_sight(volume, from, to, radius));
            }
            if (free == -1 || room == 0) {
                ASSERT_FALSE(sees);
            }
            const int stands = judge(here, radius);
            if (stands != 0) {
                ASSERT_EQ(fits(volume, from, radius, all), stands == 1 && fits(volume, from, radius));
            }
            const VolumeHit hit = cast_ray(volume, from, to, radius, all);
            ASSERT_EQ(hit.blocked, !sees);
            ASSERT_GE(hit.share, 0.0);
            (sees ? seen : blocked) += 1;
            if (hit.blocker < 0 || hit.share == 0.0) continue;
            // There it is met first.
            const VolumeBlocker& b = all[static_cast<std::size_t>(hit.blocker)];
            ASSERT_NEAR(static_cast<double>(room_at(b, hit.position)), radius, 1e-5);
            for (const VolumeBlocker& other : all)
                ASSERT_GE(static_cast<double>(room_along(other, from, hit.position)), radius - 1e-5);
            ASSERT_EQ(hit.voxel, volume.state().voxel_at(hit.position));
        }
    }
    if (all_trials()) {
        EXPECT_GT(seen, 500);
        EXPECT_GT(blocked, 500);
    }
}

TEST(VolumeBlockers, TheTreeIsAsLookingAtEach) {
    Rng rng(2);
    volume::BlockerTree tree{Allocator{}};
    const Volume space = *Volume::make({.size = {100, 80, 60}});
    const volume::StateData& state = space.state().data();
    for (int n = 0; n < trials(15); ++n) {
        const std::vector<VolumeBlocker> all = draw_blockers(rng, {100, 80, 60}, n % 5 == 0 ? 700 : 40);
        ASSERT_TRUE(tree.begin(state, all, 0.0));
        std::size_t told = 0;
        for (int k = 0; k < 50; ++k) {
            const auto place = [&] {
                return Vec3{rng.between(0.0, 100.0), rng.between(0.0, 80.0), rng.between(0.0, 60.0)};
            };
            const Vec3 a = place(), b = rng.below(3) == 0 ? Vec3{place().x, a.y, a.z} : place();
            const double margin = rng.between(0.0, 3.0);
            std::vector<char> near(all.size());
            EXPECT_FALSE(tree.along(a, b, margin, [&](const volume::Obstacle&, std::uint32_t i) {
                near[i] = 1;
                ++told;
                return false;
            }));
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (room_along(all[i], a, b) < margin) {
                    ASSERT_EQ(near[i], 1);
                }
            }
        }
        if (all.size() > 300) {
            EXPECT_LT(told, all.size() * 50 / 4);  // mostly they are left alone
        }
    }
    ASSERT_TRUE(tree.begin(state, {}, 0.0));
    EXPECT_TRUE(tree.empty());
    EXPECT_FALSE(
        tree.along({0, 0, 0}, {9, 9, 9}, 1.0, [](const volume::Obstacle&, std::uint32_t) { return true; }));
}

// Which middles of voxels are joined by steps over faces that keep `radius` (and a little) from everything. Empty: not even `from` is one.
std::vector<char> joined_middles(const VolumeDense& world, const std::vector<VolumeBlocker>& all,
                                 double radius, Voxel from) {
    std::vector<char> good(world.solid.size()), seen(world.solid.size());
    const double more = radius + 1e-6;
    for (std::size_t i = 0; i < good.size(); ++i) {
        const Voxel v = world.at(i);
        const Vec3 m = world.centre(v);
        bool free = world.is_free(v);
        if (free && radius > 0.5)
            free = oracle::squared_room(world, oracle::wide(m)) > oracle::WideReal{more} * more;
        for (const VolumeBlocker& b : all) {
            if (!free || room_at(b, m) > more + 0.5) continue;
            for (const Vec3 half : {Vec3{0.5, 0, 0}, Vec3{0, 0.5, 0}, Vec3{0, 0, 0.5}})
                free = free && room_along(b, m - half, m + half) > more;
        }
        good[i] = free ? 1 : 0;
    }
    if (good[world.index(from)] == 0) return {};
    std::vector<std::size_t> open{world.index(from)};
    seen[open[0]] = 1;
    while (!open.empty()) {
        const Voxel v = world.at(open.back());
        open.pop_back();
        for (const Voxel d : {Voxel{1, 0, 0}, Voxel{-1, 0, 0}, Voxel{0, 1, 0}, Voxel{0, -1, 0},
                              Voxel{0, 0, 1}, Voxel{0, 0, -1}}) {
            const Voxel w{v.x + d.x, v.y + d.y, v.z + d.z};
            if (!world.holds(w) || good[world.index(w)] == 0 || seen[world.index(w)] != 0) continue;
            seen[world.index(w)] = 1;
            open.push_back(world.index(w));
        }
    }
    return seen;
}

TEST(VolumeBlockers, WaysKeepOffThemAndAreFound) {
    Rng rng(3);
    int complete = 0, due = 0, none = 0;
    Scratch scratch;
    for (int n = 0; n < trials(150); ++n) {
        constexpr VolumeKind kKinds[] = {VolumeKind::open, VolumeKind::sparse_noise, VolumeKind::rooms,
                                         VolumeKind::boxes, VolumeKind::noise};
        const VolumeDense world = random_volume(rng, kKinds[rng.below(5)],
                                                {rng.between(2, 14), rng.between(2, 14), rng.between(2, 14)});
        const Volume volume = make_volume(world);
        const std::vector<VolumeBlocker> all = draw_blockers(rng, world.size, rng.below(3) == 0 ? 30 : 5);
        for (int q = 0; q < 4; ++q) {
            constexpr double kRadii[] = {0.0, 0.0, 0.3, 0.5, 0.9, 1.3};
            Voxel from, to;
            if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) continue;
            const bool middles = rng.below(2) == 0;
            VolumeQuery query{.start = middles ? world.centre(from) : draw_place(rng, world, from),
                              .goal = middles ? world.centre(to) : draw_place(rng, world, to),
                              .agent = {.radius = kRadii[rng.below(6)]},
                              .reach = rng.below(4) == 0 ? 3.0 : 0.0,
                              .smooth = rng.below(3) != 0,
                              .partial = rng.below(4) == 0,
                              .blockers = all};
            const Result<Route> route = find_route(volume, query, scratch);
            ASSERT_TRUE(route) << error_text(route.error()).c_str();
            if (!route->legs.empty()) {
                const Violation bad = verify(*route, volume, query.agent, {.blockers = all});
                ASSERT_FALSE(bad) << "world " << n << ", query " << q << ": " << bad.text().c_str();
            }
            for (std::size_t i = 0; i < route->legs.size(); ++i) {
                const Vec3 a = route->legs[i].start.position, b = leg_end(*route, i).position;
                for (const VolumeBlocker& one : all)
                    ASSERT_GE(static_cast<double>(room_along(one, a, b)),
                              query.agent.radius - (query.agent.radius > 0.0 ? 1e-6 : 0.0));
            }
            complete += route->status == PathStatus::complete ? 1 : 0;
            none += route->status == PathStatus::unreachable ? 1 : 0;
            VolumeQuery without = query;
            without.blockers = {};
            if (status_of(volume, without, scratch) == PathStatus::unreachable) {
                ASSERT_NE(route->status, PathStatus::complete);
            }
            if (!middles) continue;
            const std::vector<char> joined = joined_middles(world, all, query.agent.radius, from);
            if (joined.empty() || joined[world.index(to)] == 0) continue;
            ++due;
            ASSERT_EQ(route->status, PathStatus::complete) << "world " << n << ", query " << q;
            // In slices, the same.
            VolumeSearch search(volume.acquire(), query, scratch);
            while (search.step(2)) {
            }
            Route again;
            ASSERT_TRUE(search.take(again));
            ASSERT_EQ(route_difference(*route, again), "");
        }
    }
    if (all_trials()) {
        EXPECT_GT(complete, 150);
        EXPECT_GT(due, 80);
        EXPECT_GT(none, 15);
    }
}

TEST(VolumeBlockers, TouchingIsLegal) {
    const Volume volume = *Volume::make({.size = {20, 20, 20}});
    Scratch scratch;
    // A point that starts on the side of a box and ends on a ball.
    const VolumeBlocker all[] = {VolumeBlocker::box({5, 0, 0}, {8, 12, 20}),
                                 VolumeBlocker::ball({14, 10, 10}, 2.0)};
    const VolumeQuery query{.start = {5, 5, 5}, .goal = Vec3{16, 10, 10}, .blockers = all};
    const Result<Route> route = find_route(volume, query, scratch);
    ASSERT_TRUE(route);
    ASSERT_EQ(route->status, PathStatus::complete);
    EXPECT_FALSE(verify(*route, volume, query.agent, {.blockers = all}));
    EXPECT_EQ(route->legs[0].start.position, (Vec3{5, 5, 5}));
    EXPECT_EQ(route->end.position, (Vec3{16, 10, 10}));
    Route kept;
    ASSERT_TRUE(find_route_into(volume, query, scratch, kept));
    EXPECT_TRUE(is_legal(volume, kept, query, scratch));
    // Inside it is blocked, and moved out where it may be.
    VolumeQuery in = query;
    in.start = Vec3{6, 5, 5};
    EXPECT_EQ(status_of(volume, in, scratch), PathStatus::start_blocked);
    in.reach = 3.0;
    EXPECT_EQ(status_of(volume, in, scratch), PathStatus::complete);
    in = query;
    in.goal = Vec3{14, 10, 10};
    EXPECT_EQ(status_of(volume, in, scratch), PathStatus::goal_blocked);
}

TEST(VolumeBlockers, VerifySeesThem) {
    Rng rng(4);
    const Volume volume = *Volume::make({.size = {30, 30, 30}});
    for (int n = 0; n < trials(300); ++n) {
        const double radius = rng.below(3) == 0 ? 0.0 : rng.between(0.1, 1.5), deep = 1e-6;
        const Vec3 from{rng.between(3.0, 27.0), rng.between(3.0, 27.0), rng.between(3.0, 27.0)},
            to{rng.between(3.0, 27.0), rng.between(3.0, 27.0), rng.between(3.0, 27.0)};
        const Route route = space_line({from, to});
        const double share = rng.unit();
        const Vec3 along = to - from, at = from + along * share;
        const Vec3 side = cross(along, {0.3, 0.5, 0.8});
        const Vec3 off = side * (1.0 / length(side));
        const double ball = rng.between(0.2, 2.0);
        for (const double more : {-deep, deep}) {
            const VolumeBlocker one[] = {VolumeBlocker::ball(at + off * (radius + ball + more), ball)};
            const Violation bad = verify(route, volume, {.radius = radius}, {.blockers = one});
            ASSERT_EQ(static_cast<bool>(bad), more < 0.0) << bad.text().c_str();
            if (!bad) continue;
            EXPECT_EQ(bad.kind, ViolationKind::blocker);
            EXPECT_EQ(bad.index, 0);
            EXPECT_NEAR(bad.depth, deep, 1e-7);
        }
        // A box whose low side lies just below, or above, the line's high end.
        const Vec3 top = from.z > to.z ? from : to;
        for (const double more : {-deep, deep}) {
            const VolumeBlocker one[] = {VolumeBlocker::box({top.x - 1, top.y - 1, top.z + radius + more},
                                                            {top.x + 1, top.y + 1, top.z + radius + 1})};
            ASSERT_EQ(static_cast<bool>(verify(route, volume, {.radius = radius}, {.blockers = one})),
                      more < 0.0);
        }
    }
    // On curves as well.
    SpaceRoute maker({5, 5, 5});
    maker.drive(10.0, 0.2, 3.0);
    const Route bent = maker.take();
    const Vec3 middle = place_on_leg(bent.legs[0], 5.0).position;
    const VolumeBlocker on[] = {VolumeBlocker::ball(middle + Vec3{0, 0, 0.7}, 0.3)};
    EXPECT_FALSE(verify(bent, volume, {.radius = 0.3}, {.blockers = on}));
    EXPECT_EQ(verify(bent, volume, {.radius = 0.41}, {.blockers = on}).kind, ViolationKind::blocker);
    const VolumeBlocker bad[] = {VolumeBlocker::ball({0, 0, 0}, -1.0)};
    EXPECT_EQ(verify(bent, volume, {}, {.blockers = bad}).kind, ViolationKind::bad_argument);
}

TEST(VolumeBlockers, RepairGoesRoundThem) {
    Rng rng(5);
    int mended = 0;
    Scratch scratch;
    for (int n = 0; n < trials(150); ++n) {
        const VolumeDense world = random_volume(rng, VolumeKind::asteroids, {24, 24, 16});
        const Volume volume = make_volume(world);
        Voxel from, to;
        if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) continue;
        VolumeQuery query{.start = world.centre(from), .goal = world.centre(to), .agent = {.radius = 0.4}};
        Route route;
        ASSERT_TRUE(find_route_into(volume, query, scratch, route));
        if (route.status != PathStatus::complete || route.legs.empty()) continue;
        const std::size_t leg = rng.below(static_cast<std::uint32_t>(route.legs.size()));
        const Vec3 at = 0.5 * route.legs[leg].start.position + 0.5 * leg_end(route, leg).position;
        const VolumeBlocker all[] = {VolumeBlocker::ball(at, 1.0)};
        query.blockers = all;
        const Result<Revalidation> still = revalidate(volume, route, query, scratch);
        ASSERT_TRUE(still && !still->legal);
        ASSERT_TRUE(repair(volume, route, query, scratch));
        if (route.status != PathStatus::complete) continue;
        ++mended;
        ASSERT_FALSE(verify(route, volume, query.agent, {.blockers = all}));
        ASSERT_TRUE(is_legal(volume, route, query, scratch));
    }
    if (all_trials()) {
        EXPECT_GT(mended, 60);
    }
}

TEST(VolumeBlockers, BadOnes) {
    const Volume volume = *Volume::make({.size = {20, 20, 20}});
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    Scratch scratch;
    const auto refused = [&](const VolumeBlocker& bad, ErrorCode code) {
        const VolumeBlocker all[] = {VolumeBlocker::ball({1, 1, 1}, 0.1), bad};
        const VolumeQuery query{.start = {5, 5, 5}, .goal = Vec3{9, 9, 9}, .blockers = all};
        const Error wanted{code, Field::blockers, 1, 0};
        EXPECT_EQ(find_route(volume, query, scratch).error(), wanted);
        Route route;
        EXPECT_EQ(revalidate(volume, route, query, scratch).error(), wanted);
        EXPECT_EQ(repair(volume, route, query, scratch).error(), wanted);
        EXPECT_TRUE(in_sight(volume, {5, 5, 5}, {9, 9, 9}, 0.1, std::span(&bad, 1)));  // left out
    };
    refused(VolumeBlocker::ball({nan, 0, 0}, 1.0), ErrorCode::not_finite);
    refused(VolumeBlocker::ball({0, 0, 0}, inf), ErrorCode::not_finite);
    refused(VolumeBlocker::ball({0, 0, 0}, -1.0), ErrorCode::out_of_range);
    refused(VolumeBlocker::ball({0, 0, 0}, 1e12), ErrorCode::out_of_range);
    refused(VolumeBlocker::box({0, 0, 0}, {1, inf, 1}), ErrorCode::not_finite);
    refused(VolumeBlocker::box({nan, 0, 0}, {1, 1, 1}), ErrorCode::not_finite);
    const VolumeBlocker good[] = {VolumeBlocker::ball({1, 1, 1}, 0.1)};
    const VolumeQuery voxels{
        .start = {5, 5, 5}, .goal = Vec3{9, 9, 9}, .planner = VolumePlanner::astar, .blockers = good};
    EXPECT_EQ(find_route(volume, voxels, scratch).error(), (Error{ErrorCode::unsupported, Field::blockers}));
    std::vector<VolumeBlocker> many(65537, good[0]);
    const VolumeQuery crowd{.start = {5, 5, 5}, .goal = Vec3{9, 9, 9}, .blockers = many};
    EXPECT_EQ(find_route(volume, crowd, scratch).error().code, ErrorCode::size_limit);
    many.pop_back();
    const VolumeQuery most{.start = {5, 5, 5}, .goal = Vec3{9, 9, 9}, .blockers = many};
    EXPECT_EQ(status_of(volume, most, scratch), PathStatus::complete);
}

TEST(VolumeBlockers, WarmQueriesAllocateNothing) {
    Rng rng(6);
    const VolumeDense world = random_volume(rng, VolumeKind::asteroids, {60, 60, 40});
    const Volume volume = make_volume(world);
    TestAllocator memory;
    Scratch scratch(memory.allocator());
    Route route;
    std::vector<VolumeBlocker> all(100);
    for (VolumeBlocker& b : all) b = draw_blocker(rng, world.size);
    std::vector<std::pair<Voxel, Voxel>> asked(20);
    for (auto& [from, to] : asked) ASSERT_TRUE(draw_free(rng, world, from) && draw_free(rng, world, to));
    std::int64_t warm = 0;
    for (int round = 0; round < 3; ++round) {
        if (round == 2) warm = memory.calls;
        for (const auto& [from, to] : asked) {
            const VolumeQuery query{.start = world.centre(from),
                                    .goal = world.centre(to),
                                    .agent = {.radius = 0.3},
                                    .blockers = all};
            ASSERT_TRUE(find_route_into(volume, query, scratch, route));
            ASSERT_TRUE(revalidate(volume, route, query, scratch));
        }
    }
    EXPECT_EQ(memory.calls, warm);
}

}  // namespace
}  // namespace fairlead::testing
