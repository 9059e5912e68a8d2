// Several goals, goals with a range, and the place nearest a goal that cannot be reached.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/sight.h>

#include "oracle/volume_reference.h"
#include "support/environment.h"
#include "support/route_compare.h"
#include "support/volumes.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;

Vec3 first_of(const Route& route) {
    return route.legs.empty() ? route.end.position : route.legs[0].start.position;
}

// As short as the shortest of the ways to each of them, and unreachable where all of them are.
TEST(VolumeGoals, AnyOfIsTheBestOfAll) {
    Rng rng(311);
    Scratch scratch, other;
    int complete = 0, unreachable = 0, later = 0;
    for (int i = 0; i < trials(300); ++i) {
        const VolumeDense world = random_volume(rng, static_cast<VolumeKind>(rng.below(9)), {20, 20, 20});
        const Volume made = make_volume(world);
        Voxel from, to;
        if (!draw_free(rng, world, from)) continue;
        std::vector<Vec3> places;
        const int count = 1 + static_cast<int>(rng.below(5));
        for (int k = 0; k < count && draw_free(rng, world, to); ++k) places.push_back(world.centre(to));
        if (places.empty()) continue;
        VolumeQuery query{.start = world.centre(from)};
        double best = std::numeric_limits<double>::infinity(), nearest = best;
        std::size_t best_at = 0, nearest_at = 0;
        for (std::size_t k = 0; k < places.size(); ++k) {
            query.goal = places[k];
            const Result<Route> one = find_route(made, query, scratch);
            ASSERT_TRUE(one);
            if ((*one).status == PathStatus::complete && (*one).cost < best) best = (*one).cost, best_at = k;
            const double away = distance(places[k], world.centre(from));
            if (away < nearest) nearest = away, nearest_at = k;
        }
        query.goal = Goal::any_of(places);
        const Result<Route> route = find_route(made, query, scratch);
        ASSERT_TRUE(route);
        const bool any = std::isfinite(best);
        ASSERT_EQ((*route).status, any ? PathStatus::complete : PathStatus::unreachable) << i;
        ASSERT_FALSE(verify(*route, made, query.agent)) << i;
        ++(any ? complete : unreachable);
        if (any) {
            ASSERT_NEAR((*route).cost, best, 1e-9 * (1.0 + best)) << i;
            later += best_at != nearest_at ? 1 : 0;
        }
        VolumeSearch slices(made, query, other);
        while (slices.running()) slices.step(1 + rng.below(20));
        Route sliced;
        ASSERT_TRUE(slices.take(sliced));
        ASSERT_EQ(route_difference(sliced, *route), "") << i;
    }
    if (!all_trials()) return;
    EXPECT_GT(complete, 150);
    EXPECT_GT(unreachable, 5);
    EXPECT_GT(later, 10);
}

// Ends in the ball, on its side where it came from outside; found wherever a voxel's middle in the ball is joined to the start.
TEST(VolumeGoals, WithinARange) {
    Rng rng(312);
    Scratch scratch;
    int on_side = 0, walled = 0, none = 0;
    for (int i = 0; i < trials(400); ++i) {
        const VolumeDense world = random_volume(rng, static_cast<VolumeKind>(rng.below(9)), {16, 16, 16});
        const Volume made = make_volume(world);
        const std::vector<std::int32_t> components = oracle::volume_components(world);
        Voxel from;
        if (!draw_free(rng, world, from)) continue;
        const Vec3 start = world.centre(from);
        const Vec3 place =
            world.origin + Vec3{rng.between(0, 16) * world.voxel.x, rng.between(0, 16) * world.voxel.y,
                                rng.between(0, 16) * world.voxel.z};
        const double range = rng.between(0.0, 5.0);
        bool any = distance(start, place) <= range;
        for (std::size_t v = 0; v < world.solid.size(); ++v) {
            any = any || (world.solid[v] == 0 && components[v] == components[world.index(from)] &&
                          distance(world.centre(world.at(v)), place) <= range);
        }
        const VolumeQuery query{.start = start, .goal = Goal::within(place, range)};
        const Result<Route> route = find_route(made, query, scratch);
        ASSERT_TRUE(route);
        const bool found = (*route).status == PathStatus::complete;
        if (any) {
            ASSERT_TRUE(found) << i;
        }
        ASSERT_FALSE(verify(*route, made, query.agent)) << i;
        none += found ? 0 : 1;
        if (!found) continue;
        ASSERT_EQ(first_of(*route), start);
        const double away = distance((*route).end.position, place);
        ASSERT_LE(away, range * (1.0 + 1e-9) + 1e-9) << i;
        on_side += away > range * (1.0 - 1e-6) ? 1 : 0;
        walled += fits(made, place) ? 0 : 1;
        if (distance(start, place) <= range) {
            ASSERT_TRUE((*route).legs.empty());
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(on_side, 100);
    EXPECT_GT(walled, 10);
    EXPECT_GT(none, 10);
}

// Partial: nothing that can be reached is nearer.
TEST(VolumeGoals, PartialEndsAtTheNearestPlace) {
    Rng rng(313);
    Scratch scratch;
    int partial = 0, stays = 0;
    for (int i = 0; i < trials(400); ++i) {
        const VolumeDense world = random_volume(rng, static_cast<VolumeKind>(rng.below(9)), {16, 16, 16});
        const Volume made = make_volume(world);
        const std::vector<std::int32_t> components = oracle::volume_components(world);
        Voxel from;
        if (!draw_free(rng, world, from)) continue;
        const Voxel to{static_cast<std::int32_t>(rng.below(16)), static_cast<std::int32_t>(rng.below(16)),
                       static_cast<std::int32_t>(rng.below(16))};
        const VolumeQuery query{.start = world.centre(from), .goal = world.centre(to), .partial = true};
        double best = distance(world.centre(from), world.centre(to));
        for (std::size_t v = 0; v < world.solid.size(); ++v) {
            if (world.solid[v] != 0 || components[v] != components[world.index(from)]) continue;
            best = std::min(best, distance(world.centre(world.at(v)), world.centre(to)));
        }
        const Result<Route> route = find_route(made, query, scratch);
        ASSERT_TRUE(route);
        ASSERT_FALSE(verify(*route, made, query.agent)) << i;
        const bool joined = world.is_free(to) && components[world.index(to)] == components[world.index(from)];
        ASSERT_EQ((*route).status, joined ? PathStatus::complete : PathStatus::partial) << i;
        ASSERT_NEAR(distance((*route).end.position, world.centre(to)), best, 1e-9) << i;
        if (joined) continue;
        ++partial;
        stays += (*route).legs.empty() ? 1 : 0;
    }
    if (!all_trials()) return;
    EXPECT_GT(partial, 50);
    EXPECT_GT(stays, 0);
}

}  // namespace
}  // namespace fairlead::testing
