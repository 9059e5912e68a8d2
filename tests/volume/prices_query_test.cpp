// Prices as a user meets them: round a danger, with a current, through what cannot be avoided; spheres and blockers beside them; goals by
// price; repair; bad ones; memory.
#include <algorithm>
#include <cmath>
#include <limits>
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

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;

Route found(const Volume& volume, const VolumeQuery& query) {
    Scratch scratch;
    Result<Route> route = find_route(volume, query, scratch);
    EXPECT_TRUE(route);
    const Violation bad = judged(*route, volume, query);
    EXPECT_FALSE(bad) << bad.text().c_str();
    return route ? std::move(*route) : Route{};
}

std::vector<VolumeArea> draw_regions(Rng& rng, Voxel size, std::uint32_t most) {
    std::vector<VolumeArea> out(1 + rng.below(most));
    for (VolumeArea& price : out) {
        const Vec3 at{size.x * rng.unit(), size.y * rng.unit(), size.z * rng.unit()};
        const double wide = rng.between(0.5, 9.0);
        price =
            VolumeArea::danger(rng.below(2) == 0 ? VolumeBlocker::ball(at, wide)
                                                 : VolumeBlocker::box(at, at + Vec3{wide, 2.0 * wide, wide}),
                               rng.between(1.0, 12.0));
        if (rng.below(3) == 0)
            price.drift = {rng.between(-0.5, 0.5), rng.between(-0.5, 0.5), rng.between(-0.5, 0.5)};
    }
    return out;
}

// Round a ball the shortest way is two tangents and an arc.
TEST(VolumePricesQuery, RoundADanger) {
    const Volume volume = *Volume::make({.size = {60, 60, 60}});
    const VolumeArea turret[] = {VolumeArea::danger(VolumeBlocker::ball({29.5, 29.5, 29.5}, 12), 10)};
    VolumeQuery query{.start = {4.5, 29.5, 29.5}, .goal = Vec3{54.5, 29.5, 29.5}, .areas = turret};
    const Route round = found(volume, query);
    const double tangent = std::sqrt(25.0 * 25.0 - 12.0 * 12.0), angle = std::asin(12.0 / 25.0);
    const double least = 2.0 * tangent + 12.0 * 2.0 * angle;
    EXPECT_GE(round.cost, least);
    EXPECT_LE(round.cost, 1.02 * least);
    // A little dearer than the way round is long: then straight through.
    const VolumeArea weak[] = {VolumeArea::danger(VolumeBlocker::ball({29.5, 29.5, 29.5}, 12), 1.01)};
    query.areas = weak;
    const Route through = found(volume, query);
    EXPECT_NEAR(through.cost, 50.0 + 0.01 * 24.0, 0.05);
}

TEST(VolumePricesQuery, WithTheCurrent) {
    const Volume volume = *Volume::make({.size = {80, 40, 10}});
    const VolumeArea river[] = {
        VolumeArea::current(VolumeBlocker::box({0, 25, 0}, {80, 40, 10}), {0.8, 0, 0})};
    const VolumeQuery down{.start = {5.5, 15.5, 5.5}, .goal = Vec3{75.5, 15.5, 5.5}, .areas = river};
    const VolumeQuery up{.start = {75.5, 15.5, 5.5}, .goal = Vec3{5.5, 15.5, 5.5}, .areas = river};
    const Route with = found(volume, down), against = found(volume, up);
    EXPECT_NEAR(against.cost, 70.0, 1e-9);  // beside it
    EXPECT_LT(with.cost, 61.0);
    EXPECT_GT(with.legs.size(), 1u);
    // Straight along it, exactly: and what has to be held against aside.
    const VolumeQuery in{.start = {5.5, 30.5, 5.5}, .goal = Vec3{75.5, 30.5, 5.5}, .areas = river};
    EXPECT_NEAR(found(volume, in).cost, 70.0 / 1.8, 1e-9);
    const VolumeArea one_way[] = {
        VolumeArea::current(VolumeBlocker::box({0, 0, 0}, {80, 40, 10}), {0.99, 0, 0})};
    VolumeQuery back{.start = {75.5, 30.5, 5.5}, .goal = Vec3{5.5, 30.5, 5.5}, .areas = one_way};
    EXPECT_NEAR(found(volume, back).cost, 7000.0, 1e-6);
    back.goal = Vec3{75.5, 5.5, 5.5};
    EXPECT_NEAR(found(volume, back).cost, 25.0 / std::sqrt(1.0 - 0.99 * 0.99), 1e-6);
    // The second of two currents counts, dangers add up.
    const VolumeBlocker all = VolumeBlocker::box({0, 0, 0}, {80, 40, 10});
    const VolumeArea both[] = {VolumeArea::current(all, {0.9, 0, 0}),
                               VolumeArea::danger(all, 3),
                               {.region = all, .factor = 2, .drift = {0.5, 0, 0}}};
    const VolumeQuery sum{.start = {5.5, 30.5, 5.5}, .goal = Vec3{75.5, 30.5, 5.5}, .areas = both};
    EXPECT_NEAR(found(volume, sum).cost, 70.0 * 4.0 / 1.5, 1e-9);
    const VolumeArea deadly[] = {VolumeArea::danger(all, 900), VolumeArea::danger(all, 900)};
    const VolumeQuery most{.start = {5.5, 30.5, 5.5}, .goal = Vec3{75.5, 30.5, 5.5}, .areas = deadly};
    EXPECT_NEAR(found(volume, most).cost, 70.0 * kDangerMost, 1e-6);
}

// Regions that the way does not meet change nothing but the goal's order of who is asked.
TEST(VolumePricesQuery, FarOnesChangeNothing) {
    Rng rng(11);
    Scratch scratch;
    for (int n = 0; n < trials(100); ++n) {
        const VolumeDense world = random_volume(rng, static_cast<VolumeKind>(rng.below(9)), {24, 24, 16});
        const Volume volume = make_volume(world);
        Voxel from, to;
        if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) continue;
        VolumeQuery query{.start = world.centre(from), .goal = world.centre(to), .agent = {.radius = 0.3}};
        const Result<Route> plain = find_route(volume, query, scratch);
        const VolumeArea far[] = {VolumeArea::danger(VolumeBlocker::ball({-50, 0, 0}, 20), 7)};
        query.areas = far;
        const Result<Route> priced = find_route(volume, query, scratch);
        ASSERT_TRUE(plain && priced);
        ASSERT_EQ(route_difference(*priced, *plain), "");
    }
}

// Wide spheres and blockers: legal, found where it is found without prices, never dearer than that way.
TEST(VolumePricesQuery, SpheresAndBlockers) {
    Rng rng(12);
    Scratch scratch, other;
    int complete = 0, cheaper = 0;
    for (int n = 0; n < trials(300); ++n) {
        const VolumeDense world = random_volume(
            rng, rng.below(2) == 0 ? VolumeKind::asteroids : static_cast<VolumeKind>(rng.below(9)),
            {30, 30, 20});
        const Volume volume = make_volume(world);
        const std::vector<VolumeArea> prices = draw_regions(rng, world.size, 6);
        std::vector<VolumeBlocker> blockers(rng.below(6));
        for (VolumeBlocker& b : blockers)
            b = VolumeBlocker::ball({30 * rng.unit(), 30 * rng.unit(), 20 * rng.unit()},
                                    rng.between(0.2, 3.0));
        Voxel from, to;
        if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) continue;
        VolumeQuery query{.start = world.centre(from),
                          .goal = world.centre(to),
                          .agent = {.radius = rng.between(0.0, 1.6)},
                          .reach = 3.0};
        query.blockers = blockers;
        query.smooth = rng.below(4) != 0;
        query.partial = rng.below(4) == 0;
        const Result<Route> plain = find_route(volume, query, scratch);
        query.areas = prices;
        const Result<Route> route = find_route(volume, query, scratch);
        ASSERT_TRUE(plain && route);
        ASSERT_EQ(route->status, plain->status);
        const Violation bad = judged(*route, volume, query);
        ASSERT_FALSE(bad) << bad.text().c_str();
        VolumeSearch slices(volume, query, other);
        while (slices.running()) slices.step(1 + rng.below(50));
        Route sliced;
        ASSERT_TRUE(slices.take(sliced));
        ASSERT_EQ(route_difference(sliced, *route), "");
        if (route->status != PathStatus::complete) continue;
        ++complete;
        double before = 0.0;
        for (std::size_t k = 0; k < plain->legs.size(); ++k)
            before += static_cast<double>(
                oracle::price_of_line(prices, plain->legs[k].start.position, leg_end(*plain, k).position));
        ASSERT_LE(route->cost, before * (1.0 + 1e-9) + 1e-6);
        cheaper += route->cost < before * 0.999 ? 1 : 0;
    }
    if (all_trials()) {
        EXPECT_GT(complete, 100);
        EXPECT_GT(cheaper, 40);
    }
}

TEST(VolumePricesQuery, TheCheapestGoal) {
    const Volume volume = *Volume::make({.size = {60, 20, 20}});
    const VolumeArea guarded[] = {VolumeArea::danger(VolumeBlocker::box({0, 0, 0}, {15, 20, 20}), 5)};
    const Spot goals[] = {Vec3{10, 10, 10}, Vec3{45, 10, 10}};
    for (const VolumePlanner planner : {VolumePlanner::any_angle, VolumePlanner::astar}) {
        VolumeQuery query{.start = {20.5, 10, 10}, .goal = Goal::any_of(goals), .planner = planner};
        EXPECT_NEAR(found(volume, query).end.position.x, 10.0, 1e-9);
        query.areas = guarded;
        EXPECT_NEAR(found(volume, query).end.position.x, 45.0, 1e-9);
    }
}

TEST(VolumePricesQuery, BudgetsKeepTheWayWithoutPrices) {
    const Volume volume = *Volume::make({.size = {60, 60, 60}});
    const VolumeArea turret[] = {VolumeArea::danger(VolumeBlocker::ball({29.5, 29.5, 29.5}, 12), 10)};
    const VolumeQuery query{
        .start = {4.5, 29.5, 29.5}, .goal = Vec3{54.5, 29.5, 29.5}, .areas = turret, .expansions_max = 5};
    const Route route = found(volume, query);
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_NEAR(route.cost, 50.0 + 9.0 * 24.0, 1e-9);
}

TEST(VolumePricesQuery, MendedRoutesTellTheirPrice) {
    Rng rng(13);
    Scratch scratch;
    int mended = 0;
    for (int n = 0; n < trials(150); ++n) {
        const VolumeDense world = random_volume(rng, VolumeKind::asteroids, {24, 24, 16});
        Volume volume = make_volume(world);
        const std::vector<VolumeArea> prices = draw_regions(rng, world.size, 5);
        Voxel from, to;
        if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) continue;
        const VolumeQuery query{.start = world.centre(from), .goal = world.centre(to), .areas = prices};
        Route route;
        ASSERT_TRUE(find_route_into(volume, query, scratch, route));
        if (route.status != PathStatus::complete || route.legs.empty()) continue;
        const std::size_t leg = rng.below(static_cast<std::uint32_t>(route.legs.size()));
        ASSERT_TRUE(volume.apply(VolumeEdit::ball(
            0.5 * route.legs[leg].start.position + 0.5 * leg_end(route, leg).position, 1.0)));
        ASSERT_TRUE(repair(volume, route, query, scratch));
        if (route.status != PathStatus::complete) continue;
        ++mended;
        const Violation bad = judged(route, volume, query);
        ASSERT_FALSE(bad) << bad.text().c_str();
    }
    if (all_trials()) {
        EXPECT_GT(mended, 60);
    }
}

// The checker refuses other costs, also by little.
TEST(VolumePricesQuery, WrongCostsAreCaught) {
    const Volume volume = *Volume::make({.size = {60, 60, 60}});
    const VolumeArea turret[] = {VolumeArea::danger(VolumeBlocker::ball({30, 30, 30}, 12), 10)};
    VolumeQuery query{
        .start = {5, 30, 30}, .goal = Vec3{55, 31, 30}, .planner = VolumePlanner::astar, .areas = turret};
    Route route = found(volume, query);
    for (const double more : {1e-5, -1e-5}) {
        route.line_cost += more;
        EXPECT_EQ(judged(route, volume, query).kind, ViolationKind::line_cost);
        route.line_cost -= more;
    }
    EXPECT_FALSE(judged(route, volume, query));
    const VolumeArea other[] = {VolumeArea::danger(VolumeBlocker::ball({30, 30, 30}, 22), 10)};
    query.areas = other;
    EXPECT_EQ(judged(route, volume, query).kind, ViolationKind::line_cost);
    const VolumeArea bad[] = {VolumeArea::danger(VolumeBlocker::ball({30, 30, 30}, 22), 0.5)};
    query.areas = bad;
    EXPECT_EQ(judged(route, volume, query).kind, ViolationKind::bad_argument);
}

// Legs along the sides of boxes: what is on a surface may count either way.
TEST(VolumePricesQuery, AlongSurfaces) {
    const Volume volume = *Volume::make({.size = {40, 20, 20}});
    for (const double side : {9.5, 10.0, 10.5}) {
        const VolumeArea prices[] = {
            VolumeArea::danger(VolumeBlocker::box({0, side, 0}, {30, 20, 20}), 3),
            VolumeArea::current(VolumeBlocker::box({10, 0, 0}, {20, side, side}), {-0.5, 0.2, 0})};
        for (const VolumePlanner planner : {VolumePlanner::any_angle, VolumePlanner::astar}) {
            const VolumeQuery query{.start = {0.5, 10.5, 10.5},
                                    .goal = Vec3{38.5, 10.5, 10.5},
                                    .planner = planner,
                                    .areas = prices};
            EXPECT_EQ(found(volume, query).status, PathStatus::complete);
        }
    }
}

TEST(VolumePricesQuery, BadOnes) {
    const Volume volume = *Volume::make({.size = {20, 20, 20}});
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    Scratch scratch;
    const VolumeBlocker ball = VolumeBlocker::ball({1, 1, 1}, 1);
    const auto refused = [&](const VolumeArea& bad, ErrorCode code) {
        const VolumeArea all[] = {VolumeArea::danger(ball, 2), bad};
        const VolumeQuery query{.start = {5, 5, 5}, .goal = Vec3{9, 9, 9}, .areas = all};
        const Error wanted{code, Field::areas, 1, 0};
        EXPECT_EQ(find_route(volume, query, scratch).error(), wanted);
        Route route;
        EXPECT_EQ(revalidate(volume, route, query, scratch).error(), wanted);
        EXPECT_EQ(repair(volume, route, query, scratch).error(), wanted);
    };
    refused(VolumeArea::danger(ball, nan), ErrorCode::not_finite);
    refused(VolumeArea::danger(ball, inf), ErrorCode::not_finite);
    refused(VolumeArea::danger(ball, 0.99), ErrorCode::out_of_range);
    refused(VolumeArea::danger(ball, 1000.1), ErrorCode::out_of_range);
    refused(VolumeArea::danger(VolumeBlocker::ball({0, 0, 0}, -1), 2), ErrorCode::out_of_range);
    refused(VolumeArea::danger(VolumeBlocker::box({0, nan, 0}, {1, 1, 1}), 2), ErrorCode::not_finite);
    refused(VolumeArea::current(ball, {nan, 0, 0}), ErrorCode::not_finite);
    refused(VolumeArea::current(ball, {0.7, 0.7, 0.2}), ErrorCode::out_of_range);
    std::vector<VolumeArea> many(65537, VolumeArea::danger(ball, 2));
    VolumeQuery query{.start = {5, 5, 5}, .goal = Vec3{9, 9, 9}, .areas = many};
    EXPECT_EQ(find_route(volume, query, scratch).error(),
              (Error{ErrorCode::size_limit, Field::areas, 65536}));
    many.pop_back();
    query.areas = many;
    const Result<Route> most = find_route(volume, query, scratch);
    ASSERT_TRUE(most);
    EXPECT_EQ(most->status, PathStatus::complete);
}

TEST(VolumePricesQuery, WarmQueriesAllocateNothing) {
    Rng rng(14);
    const VolumeDense world = random_volume(rng, VolumeKind::asteroids, {28, 28, 20});
    const Volume volume = make_volume(world);
    const std::vector<VolumeArea> prices = draw_regions(rng, world.size, 40);
    TestAllocator memory;
    Scratch scratch(memory.allocator());
    Route route;
    route.legs = Array<Leg>(memory.allocator());
    std::vector<std::pair<Voxel, Voxel>> asked(6);
    for (auto& [from, to] : asked) ASSERT_TRUE(draw_free(rng, world, from) && draw_free(rng, world, to));
    std::int64_t warm = 0;
    for (int round = 0; round < 3; ++round) {
        if (round == 2) warm = memory.calls;
        for (const auto& [from, to] : asked) {
            for (const VolumePlanner planner : {VolumePlanner::any_angle, VolumePlanner::astar}) {
                const VolumeQuery query{.start = world.centre(from),
                                        .goal = world.centre(to),
                                        .planner = planner,
                                        .areas = prices};
                ASSERT_TRUE(find_route_into(volume, query, scratch, route));
                ASSERT_TRUE(revalidate(volume, route, query, scratch));
            }
        }
    }
    EXPECT_EQ(memory.calls, warm);
}

}  // namespace
}  // namespace fairlead::testing
