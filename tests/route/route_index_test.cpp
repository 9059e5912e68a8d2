// RouteIndex against oracles: legs walked in small steps, and revalidate after edits.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/grid/repair.h>
#include <fairlead/route/route_index.h>
#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/grids.h"
#include "support/heap_counter.h"
#include "support/volume_routes.h"

namespace fairlead::testing {
namespace {

double gap_to(const Aabb& box, Vec2 p) {
    const double x = std::max({box.low.x - p.x, p.x - box.high.x, 0.0});
    const double y = std::max({box.low.y - p.y, p.y - box.high.y, 0.0});
    return std::sqrt(x * x + y * y);
}

// A chain of straight legs, arcs, turns and links, as planners write them.
Route random_route(Rng& rng, double side) {
    Route route;
    Place at{{rng.unit() * side, rng.unit() * side, rng.unit() * 10.0}, rng.between(-3.0, 3.0), 0};
    at.layer = static_cast<std::int32_t>(rng.below(3));
    const std::uint32_t count = rng.below(6);
    for (std::uint32_t i = 0; i < count; ++i) {
        Leg leg;
        leg.start = at;
        const std::uint32_t kind = rng.below(10);
        leg.kind = kind == 0 ? LegKind::link : kind == 1 ? LegKind::turn : LegKind::drive;
        leg.gear = rng.below(3) == 0 ? Gear::reverse : Gear::forward;
        if (leg.kind == LegKind::drive) {
            leg.length = rng.unit() * (rng.below(4) == 0 ? side : 8.0);
            leg.rise = rng.between(-1.0, 1.0);
            if (rng.below(2) == 0) leg.curvature = (rng.below(2) == 0 ? 1.0 : -1.0) / rng.between(0.5, 20.0);
            at = place_on_leg(leg, leg.length);
        } else if (leg.kind == LegKind::turn) {
            leg.turn_rad = 1.0;
            at.heading_rad += 1.0;
        } else {
            at = {{rng.unit() * side, rng.unit() * side, 3.0}, 0.0, static_cast<std::int32_t>(rng.below(3))};
        }
        EXPECT_TRUE(route.legs.push_back(leg));
    }
    route.end = at;
    return route;
}

// The smallest gap of the places of the route, a thousandth of a unit apart, that count for the question.
double walked_gap(const Route& route, const TouchedBox& where) {
    double best = 1e300;
    const auto look = [&](const Place& place) {
        if (where.layer != kAnyLayer && place.layer != where.layer) return;
        best = std::min(best, gap_to(where.box, ground(place.position)));
    };
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        look(leg.start);
        if (leg.kind == LegKind::link) look(leg_end(route, i));
        const int steps = leg.kind == LegKind::drive ? static_cast<int>(leg.length / 2e-3) + 1 : 0;
        for (int k = 1; k <= steps; ++k) look(place_on_leg(leg, leg.length * k / steps));
    }
    if (route.legs.empty()) look(route.end);
    return best;
}

std::vector<std::uint64_t> ask(const RouteIndex& index, const TouchedBox& where) {
    Array<std::uint64_t> ids;
    EXPECT_TRUE(index.touched(where, ids));
    return {ids.begin(), ids.end()};
}

TEST(RouteIndex, TouchesWhatAWalkAlongTheRoutesTouches) {
    Rng rng(0x1d8);
    int touched = 0;
    int missed = 0;
    for (int trial = 0; trial < trials(40); ++trial) {
        RouteIndex index = *RouteIndex::make({.bucket = rng.between(0.5, 20.0)});
        std::vector<Route> routes;
        std::vector<double> radii;
        for (std::uint64_t id = 0; id < 20; ++id) {
            routes.push_back(random_route(rng, 60.0));
            radii.push_back(rng.below(3) == 0 ? 0.0 : rng.unit() * 2.0);
            ASSERT_TRUE(index.insert(routes.back(), id * 7, radii.back()));
        }
        for (int ask_no = 0; ask_no < 10; ++ask_no) {
            const Vec2 low{rng.unit() * 60.0, rng.unit() * 60.0};
            TouchedBox where{.box = {low, low + Vec2{rng.unit() * 10.0, rng.unit() * 10.0}}};
            if (rng.below(3) == 0) where.layer = static_cast<std::int32_t>(rng.below(3));
            const std::vector<std::uint64_t> ids = ask(index, where);
            ASSERT_TRUE(std::is_sorted(ids.begin(), ids.end()));
            for (std::size_t r = 0; r < routes.size(); ++r) {
                const bool told = std::find(ids.begin(), ids.end(), r * 7) != ids.end();
                const double gap = walked_gap(routes[r], where) - radii[r];
                // A walk in steps of h is off by h / 2 beside a side, and by h^2 / 8 r past a corner.
                ASSERT_TRUE(told || gap >= -1e-8) << "trial " << trial << " route " << r << " gap " << gap;
                ASSERT_TRUE(!told || gap <= 2e-3) << "trial " << trial << " route " << r << " gap " << gap;
                ++(told ? touched : missed);
            }
        }
    }
    EXPECT_GT(touched, missed / 100);
}

// Boxes in height: a route on the bridge is not touched by what happens below.
TEST(RouteIndex, HeightsCount) {
    RouteIndex index = *RouteIndex::make();
    Route route;
    Leg leg;
    leg.start = {{0, 0, 5}, 0.0, 0};
    leg.length = 20.0;
    leg.rise = 2.0;
    ASSERT_TRUE(route.legs.push_back(leg));
    route.end = {{20, 0, 7}, 0.0, 0};
    ASSERT_TRUE(index.insert(route, 3, 0.5));
    const Aabb box{{9, -1}, {10, 1}};
    EXPECT_EQ(ask(index, {.box = box, .high = 4.0}).size(), 0U);
    EXPECT_EQ(ask(index, {.box = box, .low = 4.0, .high = 8.0}).size(), 1U);
    EXPECT_EQ(ask(index, {.box = box, .low = 7.5}).size(), 0U);
    // Touching counts, a hair more does not.
    EXPECT_EQ(ask(index, {.box = {{5, 0.5}, {6, 1}}}).size(), 1U);
    EXPECT_EQ(ask(index, {.box = {{5, 0.5001}, {6, 1}}}).size(), 0U);
    // Put in again: the old one has gone.
    route.legs.clear();
    route.end = {{100, 100, 0}, 0.0, 0};
    ASSERT_TRUE(index.insert(route, 3, 0.5));
    EXPECT_EQ(index.routes(), 1U);
    EXPECT_EQ(index.pieces(), 1U);
    EXPECT_EQ(ask(index, {.box = box}).size(), 0U);
    EXPECT_EQ(ask(index, {.box = {{100.2, 100}, {101, 101}}}).size(), 1U);
    EXPECT_TRUE(index.erase(3));
    EXPECT_FALSE(index.erase(3));
    EXPECT_EQ(index.pieces(), 0U);
    EXPECT_EQ(ask(index, {.box = {{-1e6, -1e6}, {1e6, 1e6}}}).size(), 0U);
}

// In space: what a walk along the routes touches, above and below as well.
TEST(RouteIndex, InSpaceHeightsAreLikeTheOtherAxes) {
    Rng rng(0x1d9);
    int touched = 0, missed = 0;
    for (int trial = 0; trial < trials(20); ++trial) {
        RouteIndex index = *RouteIndex::make({.bucket = rng.between(0.5, 20.0), .space = true});
        std::vector<Route> routes;
        std::vector<double> radii;
        const auto place = [&] { return Vec3{rng.unit() * 40.0, rng.unit() * 40.0, rng.unit() * 40.0}; };
        for (std::uint64_t id = 0; id < 20; ++id) {
            std::vector<Vec3> points{place()};
            for (std::uint32_t n = rng.below(5); n > 0; --n) {
                points.push_back(place());
                if (rng.below(4) == 0)
                    points.back() = points[points.size() - 2] + Vec3{0, 0, 5};  // straight up
            }
            routes.push_back(space_line(points));
            radii.push_back(rng.below(3) == 0 ? 0.0 : rng.unit() * 2.0);
            ASSERT_TRUE(index.insert(routes.back(), id, radii.back()));
        }
        for (int ask_no = 0; ask_no < 10; ++ask_no) {
            const Vec3 low = place(), high = low + place() * 0.15;
            TouchedBox where{.box = {ground(low), ground(high)}, .low = low.z, .high = high.z};
            const std::vector<std::uint64_t> ids = ask(index, where);
            for (std::size_t r = 0; r < routes.size(); ++r) {
                const bool told = std::find(ids.begin(), ids.end(), r) != ids.end();
                double gap = 1e300;
                const auto look = [&](Vec3 p) {
                    const double z = std::max({low.z - p.z, p.z - high.z, 0.0});
                    gap = std::min(gap, length(Vec2{gap_to(where.box, ground(p)), z}) - radii[r]);
                };
                for (std::size_t i = 0; i < routes[r].legs.size(); ++i) {
                    const Vec3 a = routes[r].legs[i].start.position, b = leg_end(routes[r], i).position;
                    for (int k = 0; k <= 3000; ++k) look(a + (b - a) * (k / 3000.0));
                }
                look(routes[r].end.position);
                ASSERT_TRUE(told || gap >= -1e-8) << "trial " << trial << " route " << r << " gap " << gap;
                ASSERT_TRUE(!told || gap <= 2e-2) << "trial " << trial << " route " << r << " gap " << gap;
                touched += told ? 1 : 0;
                missed += told ? 0 : 1;
            }
        }
        ASSERT_EQ(ask(index, {.box = {{-99, -99}, {99, 99}}}).size(), 20U);
        ASSERT_EQ(ask(index, {.box = {{-99, -99}, {99, 99}}, .low = 60.0}).size(), 0U);
    }
    if (all_trials()) {
        EXPECT_GT(touched, 50);
        EXPECT_GT(missed, 500);
    }
}

// Every route that an edit breaks is among those touched: walls put up at random, also over seams.
TEST(RouteIndex, HoldsEveryRouteThatAnEditBreaks) {
    Rng rng(0xed17);
    Scratch scratch;
    int broken = 0;
    std::uint64_t told = 0;
    std::uint64_t all = 0;
    for (int trial = 0; trial < trials(60); ++trial) {
        const bool wraps = trial % 2 == 1;
        const double cell = trial % 3 == 0 ? 1.0 : 0.7;
        const GridOptions options{
            .width = 40, .height = 40, .cell_size = cell, .wrap_x = wraps, .wrap_y = wraps && trial % 4 == 1};
        Grid grid = *Grid::make(options, random_tiles(rng, 1600, 12));
        RouteIndex index = *RouteIndex::make(
            {.bucket = 4.0,
             .lap = {grid.state().wrap_x() ? 40 * cell : 0.0, grid.state().wrap_y() ? 40 * cell : 0.0}});
        std::vector<Route> routes;
        std::vector<GridQuery> queries;
        for (std::uint64_t id = 0; id < 12; ++id) {
            const auto place = [&] {
                return Vec2{(rng.below(40) + 0.5) * cell, (rng.below(40) + 0.5) * cell};
            };
            GridQuery query{
                .start = place(), .goal = place(), .agent = {.radius = rng.below(3) * 0.45 * cell}};
            Result<Route> route = find_route(grid, query, scratch);
            ASSERT_TRUE(route);
            if (route->status != PathStatus::complete) continue;
            ASSERT_TRUE(index.insert(*route, routes.size(), query.agent.radius));
            routes.push_back(std::move(*route));
            queries.push_back(query);
        }
        for (int edit = 0; edit < 6; ++edit) {
            const auto x = static_cast<std::int32_t>(rng.below(38));
            const auto y = static_cast<std::int32_t>(rng.below(38));
            const CellRect rect{{x, y}, {x + 1 + static_cast<std::int32_t>(rng.below(2)), y + 1}};
            std::vector<std::uint8_t> before;
            for (std::int32_t i = rect.low.x; i < rect.high.x; ++i)
                before.push_back(grid.state().tile({i, y, 0}));
            ASSERT_TRUE(grid.fill(rect, 0));
            const std::vector<std::uint64_t> ids = ask(
                index,
                {.box = {{rect.low.x * cell, rect.low.y * cell}, {rect.high.x * cell, rect.high.y * cell}}});
            told += ids.size();
            all += routes.size();
            for (std::size_t r = 0; r < routes.size(); ++r) {
                Route copy;
                copy.status = routes[r].status;
                copy.end = routes[r].end;
                ASSERT_TRUE(copy.legs.assign(routes[r].legs.span()));
                if ((*revalidate(grid, copy, queries[r], scratch)).legal) continue;
                ++broken;
                ASSERT_TRUE(std::find(ids.begin(), ids.end(), r) != ids.end()) << "trial " << trial;
            }
            ASSERT_TRUE(grid.set(rect, before));
        }
    }
    if (all_trials()) {
        EXPECT_GT(broken, 10);
    }
    EXPECT_LT(told, all / 2);
}

// The cost is that of the routes near the box.
TEST(RouteIndex, WorkGrowsWithTheRoutesNearby) {
    Rng rng(7);
    RouteIndex index = *RouteIndex::make();
    Route route;
    Leg leg;
    leg.length = 30.0;
    ASSERT_TRUE(route.legs.push_back(leg));
    const auto put = [&](std::uint64_t id, Vec2 at) {
        route.legs[0].start = {{at.x, at.y, 0}, 0.0, 0};
        route.end = {{at.x + 30.0, at.y, 0}, 0.0, 0};
        ASSERT_TRUE(index.insert(route, id, 0.5));
    };
    for (std::uint64_t id = 0; id < 10; ++id) put(id, {0.0, static_cast<double>(id)});
    std::uint64_t few = 0;
    std::uint64_t many = 0;
    Array<std::uint64_t> ids;
    const TouchedBox where{.box = {{0, 0}, {4, 4}}};
    ASSERT_TRUE(index.touched(where, ids, &few));
    EXPECT_EQ(ids.size(), 5U);
    for (std::uint64_t id = 10; id < 5000; ++id) put(id, {100.0 + rng.unit() * 2000.0, rng.unit() * 2000.0});
    ASSERT_TRUE(index.touched(where, ids, &many));
    EXPECT_EQ(ids.size(), 5U);
    EXPECT_EQ(few, many);
    EXPECT_LE(many, 40U);
    // A box over everything looks at each piece once.
    ASSERT_TRUE(index.touched({.box = {{-1e9, -1e9}, {1e9, 1e9}}}, ids, &many));
    EXPECT_EQ(ids.size(), 5000U);
    EXPECT_EQ(many, index.pieces());
    // Warm: nothing is allocated.
    const std::uint64_t before = heap_calls();
    for (std::uint64_t id = 0; id < 100; ++id) put(id, {0.0, static_cast<double>(id)});
    ASSERT_TRUE(index.touched(where, ids));
    EXPECT_EQ(heap_calls(), before);
}

// The same ids whatever the order in which routes came and went.
TEST(RouteIndex, OrderDoesNotMatter) {
    Rng rng(11);
    std::vector<Route> routes;
    for (int i = 0; i < 50; ++i) routes.push_back(random_route(rng, 40.0));
    RouteIndex forward = *RouteIndex::make();
    RouteIndex backward = *RouteIndex::make();
    for (std::uint64_t id = 0; id < 50; ++id) {
        ASSERT_TRUE(forward.insert(routes[id], id, 0.4));
        ASSERT_TRUE(backward.insert(routes[49 - id], 49 - id, 0.4));
        ASSERT_TRUE(backward.insert(routes[(id * 7) % 50], 1000 + id, 3.0));
    }
    for (std::uint64_t id = 0; id < 50; ++id) ASSERT_TRUE(backward.erase(1000 + id));
    for (int i = 0; i < 50; ++i) {
        const Vec2 low{rng.unit() * 40.0, rng.unit() * 40.0};
        const TouchedBox where{.box = {low, low + Vec2{3, 3}}};
        ASSERT_EQ(ask(forward, where), ask(backward, where));
    }
}

TEST(RouteIndex, Errors) {
    const double nan = std::nan("");
    EXPECT_EQ(RouteIndex::make({.bucket = 0.0}).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(RouteIndex::make({.bucket = nan}).error().code, ErrorCode::not_finite);
    EXPECT_EQ(RouteIndex::make({.lap = {-1, 0}}).error().code, ErrorCode::out_of_range);
    RouteIndex index = *RouteIndex::make({.bucket = 1.0});
    Route route;
    EXPECT_EQ(index.insert(route, 1, -1.0).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(index.insert(route, 1, nan).error().code, ErrorCode::not_finite);
    Leg leg;
    leg.length = 1e9;
    ASSERT_TRUE(route.legs.push_back(leg));
    route.end.position = {1e9, 0, 0};
    EXPECT_EQ(index.insert(route, 1, 0.0).error().code, ErrorCode::size_limit);
    EXPECT_EQ(index.routes(), 0U);
    EXPECT_EQ(index.pieces(), 0U);
    route.legs[0].start.position.x = nan;
    EXPECT_EQ(index.insert(route, 1, 0.0).error().code, ErrorCode::not_finite);
    route.legs[0].start.position.x = 1e12;
    route.end.position.x = 1e12;
    EXPECT_EQ(index.insert(route, 1, 0.0).error().code, ErrorCode::out_of_range);
    Array<std::uint64_t> ids;
    EXPECT_EQ(index.touched({.box = {{nan, 0}, {1, 1}}}, ids).error().code, ErrorCode::not_finite);
}

}  // namespace
}  // namespace fairlead::testing
