// Dangers and currents: lines against an integral by halving, the planners that go from voxel to voxel against Dijkstra's algorithm over
// the plain array, any_angle against those; the exact checker on all of them.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/repair.h>

#include "oracle/volume_prices.h"
#include "support/environment.h"
#include "support/route_compare.h"
#include "support/test_allocator.h"
#include "support/volumes.h"
#include "volume/answers.h"
#include "volume/sight/prices.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;
using oracle::VolumeSteps;

struct Place3 {
    const VolumeDense& world;
    Rng& rng;
    [[nodiscard]] Vec3 operator()() const {
        const Vec3 v = world.voxel;
        return world.origin + Vec3{v.x * world.size.x * rng.between(-0.1, 1.1),
                                   v.y * world.size.y * rng.between(-0.1, 1.1),
                                   v.z * world.size.z * rng.between(-0.1, 1.1)};
    }
};

Vec3 draw_drift(Rng& rng, double most) {
    const Vec3 d{rng.between(-1.0, 1.0), rng.between(-1.0, 1.0), rng.between(-1.0, 1.0)};
    return d * (rng.unit() * most / std::max(length(d), 1e-3));
}

// Of no surface that a way along the lattice runs in.
std::vector<VolumeArea> draw_prices(Rng& rng, const VolumeDense& world, std::uint32_t most) {
    const Place3 place{world, rng};
    const double side = std::min({world.voxel.x, world.voxel.y, world.voxel.z});
    std::vector<VolumeArea> out(1 + rng.below(most));
    for (VolumeArea& price : out) {
        const Vec3 at = place();
        const auto wide = [&](std::int32_t n) { return side * rng.between(0.3, 0.6 * n + 1.0); };
        const VolumeBlocker region =
            rng.below(2) == 0 ? VolumeBlocker::ball(at, wide(10))
                              : VolumeBlocker::box(at, at + Vec3{wide(world.size.x), wide(world.size.y),
                                                                 wide(world.size.z)});
        price = VolumeArea::danger(
            region, rng.below(4) == 0 ? 1.0 : rng.between(1.0, rng.below(4) == 0 ? 60.0 : 6.0));
        if (rng.below(3) == 0) price.drift = draw_drift(rng, 0.98);
    }
    return out;
}

VolumeDense draw_world(Rng& rng, std::int32_t side) {
    VolumeDense world = random_volume(rng, static_cast<VolumeKind>(rng.below(9)),
                                      {rng.between(2, side), rng.between(2, side), rng.between(1, side)});
    if (rng.below(3) == 0) move_volume(rng, world);
    return world;
}

TEST(VolumePrices, LinesByHalving) {
    Rng rng(1);
    double dearer = 0.0, cheaper = 0.0;
    for (int n = 0; n < trials(2000); ++n) {
        const VolumeDense world = draw_world(rng, 20);
        const Volume volume = make_volume(world);
        const std::vector<VolumeArea> all = draw_prices(rng, world, 8);
        volume::Prices prices{Allocator{}};
        ASSERT_TRUE(volume::check_prices(volume.state().data(), all));
        ASSERT_TRUE(prices.begin(volume.state().data(), all));
        const Place3 place{world, rng};
        for (int k = 0; k < 10; ++k) {
            const Vec3 from = place(), to = place(), low = world.origin;
            const double cost = prices.of_line(from - low, to - low), straight = distance(from, to);
            const auto least = static_cast<double>(oracle::price_of_line(all, from, to));
            ASSERT_NEAR(cost, least, 1e-8 * (straight + least) * prices.most());
            ASSERT_GE(cost, straight * prices.least());
            ASSERT_LE(cost, straight * prices.most());
            (cost > straight ? dearer : cheaper) += 1.0;
        }
    }
    EXPECT_GT(dearer, 0.0);
    EXPECT_GT(cheaper, 0.0);
}

constexpr VolumePlanner kByVoxels[] = {VolumePlanner::astar, VolumePlanner::dijkstra,
                                       VolumePlanner::greedy_best_first};

TEST(VolumePrices, CheapestByItsNeighbours) {
    Rng rng(2);
    Scratch scratch, other;
    int found = 0, cut_off = 0;
    for (int i = 0; i < trials(200); ++i) {
        const VolumeDense world = draw_world(rng, 12);
        const Volume made = make_volume(world);
        const std::vector<VolumeArea> prices = draw_prices(rng, world, 5);
        for (std::uint8_t n = 0; n < 3; ++n) {
            const oracle::VolumeGraph graph(world, static_cast<VolumeSteps>(n));
            Voxel from, to;
            if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) break;
            const std::vector<long double> costs = priced_costs_from(world, graph, prices, from);
            const auto least = static_cast<double>(costs[world.index(to)]);
            for (const VolumePlanner planner : kByVoxels) {
                VolumeQuery query{.start = world.centre(from),
                                  .goal = world.centre(to),
                                  .planner = planner,
                                  .smooth = false,
                                  .areas = prices};
                query.neighbours = static_cast<VoxelNeighbours>(n);
                query.heuristic = static_cast<VolumeHeuristic>(rng.below(3));
                const Result<Route> route = find_route(made, query, scratch);
                ASSERT_TRUE(route);
                ASSERT_EQ(route->status, least >= 0.0 ? PathStatus::complete : PathStatus::unreachable);
                if (least < 0.0) {
                    ++cut_off;
                    continue;
                }
                ++found;
                const Violation bad = judged(*route, made, query);
                ASSERT_FALSE(bad) << bad.text().c_str();
                const double near = 1e-6 * (1.0 + least);
                ASSERT_GE(route->cost, least - near);
                ASSERT_NEAR(route->cost, route->line_cost, near);
                if (route->bound == 1.0) {
                    ASSERT_NEAR(route->cost, least, near)
                        << planner_name(planner) << ", neighbours " << int{n};
                }
                ASSERT_EQ(route->bound == 1.0,
                          !(from == to) && (planner == VolumePlanner::dijkstra ||
                                            (planner == VolumePlanner::astar &&
                                             (n == 0 || query.heuristic != VolumeHeuristic::manhattan))));
                VolumeSearch slices(made, query, other);
                while (slices.running()) slices.step(1 + rng.below(50));
                Route sliced;
                ASSERT_TRUE(slices.take(sliced));
                ASSERT_EQ(route_difference(sliced, *route), "");
                query.smooth = true;
                const Result<Route> taut = find_route(made, query, scratch);
                ASSERT_TRUE(taut);
                ASSERT_EQ(taut->cost, route->cost);
                ASSERT_LE(taut->line_cost, route->line_cost * (1.0 + 1e-9));
                const Violation worse = judged(*taut, made, query);
                ASSERT_FALSE(worse) << worse.text().c_str();
            }
        }
    }
    if (all_trials()) {
        EXPECT_GT(found, 800);
        EXPECT_GT(cut_off, 60);
    }
}

// Against the cheapest way from voxel to voxel, pulled taut.
TEST(VolumePrices, AnyAngle) {
    Rng rng(3);
    Scratch scratch, other;
    double sum = 0.0, worst = 0.0, saved = 0.0;
    int found = 0;
    std::uint64_t most = 0;
    for (int i = 0; i < trials(300); ++i) {
        const VolumeDense world = draw_world(rng, 40);
        const Volume made = make_volume(world);
        const std::vector<VolumeArea> prices = draw_prices(rng, world, 8);
        Voxel from, to;
        if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) continue;
        VolumeQuery query{.start = world.centre(from), .goal = world.centre(to)};
        const Result<Route> plain = find_route(made, query, scratch);
        query.areas = prices;
        const Result<Route> route = find_route(made, query, scratch);
        ASSERT_TRUE(plain && route);
        ASSERT_EQ(route->status, plain->status);
        const Violation bad = judged(*route, made, query);
        ASSERT_FALSE(bad) << bad.text().c_str();
        ASSERT_EQ(route->cost, route->line_cost);
        VolumeSearch slices(made, query, other);
        while (slices.running()) slices.step(1 + rng.below(50));
        Route sliced;
        ASSERT_TRUE(slices.take(sliced));
        ASSERT_EQ(route_difference(sliced, *route), "");
        if (route->status != PathStatus::complete || from == to) continue;
        double before = 0.0;
        for (std::size_t k = 0; k < plain->legs.size(); ++k)
            before += static_cast<double>(
                oracle::price_of_line(prices, plain->legs[k].start.position, leg_end(*plain, k).position));
        ASSERT_LE(route->cost, before * (1.0 + 1e-9) + 1e-9);
        query.planner = VolumePlanner::astar;
        const Result<Route> best = find_route(made, query, scratch);
        ASSERT_TRUE(best);
        ++found;
        sum += route->cost / best->line_cost;
        worst = std::max(worst, route->cost / best->line_cost);
        saved += route->cost / before;
        most = std::max(most, route->stats.expanded);
    }
    // Factors up to 60 in narrow worlds: a way that no voxel of the search's nodes hints at may be missed.
    std::printf(
        "found %d, cost / taut A*: mean %.4f, worst %.3f; / unpriced way %.3f; expanded %llu at the most\n",
        found, sum / found, worst, saved / found, static_cast<unsigned long long>(most));
    EXPECT_LE(sum, (all_trials() ? 1.025 : 1.05) * found);
    EXPECT_LE(worst, 3.0);
}

}  // namespace
}  // namespace fairlead::testing
