// Blockers of a map for turning units: routes keep clear of them exactly, and are those over a map with the tiles they reach into as
// walls, which an oracle of its own finds.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/verify/verify.h>

#include "support/drive_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

// A disc's inside meets the tile's if a point of the tile is nearer than its radius; a box's if both spans overlap.
bool reaches_into(const Blocker& blocker, std::int32_t x, std::int32_t y) {
    if (!blocker.box.empty()) {
        return std::max(blocker.box.low.x, 1.0 * x) < std::min(blocker.box.high.x, x + 1.0) &&
               std::max(blocker.box.low.y, 1.0 * y) < std::min(blocker.box.high.y, y + 1.0);
    }
    const Vec2 nearest{std::clamp(blocker.centre.x, 1.0 * x, x + 1.0),
                       std::clamp(blocker.centre.y, 1.0 * y, y + 1.0)};
    const Vec2 gap = nearest - blocker.centre;
    return dot(gap, gap) < blocker.radius * blocker.radius;
}

Blocker random_blocker(Rng& rng, std::int32_t width, std::int32_t height) {
    Blocker out{.centre = {rng.between(-2.0, width + 2.0), rng.between(-2.0, height + 2.0)},
                .radius = rng.between(0.1, 2.5)};
    if (rng.below(2) == 0) {
        const Vec2 half{rng.between(0.1, 2.0), rng.between(0.1, 2.0)};
        out.box = {out.centre - half, out.centre + half};
    }
    if (rng.below(8) == 0) out.layer = 1;
    return out;
}

TEST(MapBlockers, RoutesAreThoseOverTheTilesTheyClose) {
    Rng rng(401);
    constexpr std::int32_t kWidth = 24, kHeight = 18;
    int complete = 0, detours = 0, unreachable = 0;
    Scratch scratch, other;
    for (int i = 0; i < trials(120); ++i) {
        const auto style = static_cast<MapStyle>(rng.below(static_cast<std::uint32_t>(MapStyle::count_)));
        const oracle::PoseMap map = random_drive_map(rng, style, kWidth, kHeight);
        const Grid grid = grid_of(map);
        Grid closed = grid_of(map);
        std::vector<Blocker> blockers;
        for (std::uint32_t k = rng.below(4) + 1; k > 0; --k)
            blockers.push_back(random_blocker(rng, kWidth, kHeight));
        for (std::int32_t y = 0; y < kHeight; ++y) {
            for (std::int32_t x = 0; x < kWidth; ++x) {
                for (const Blocker& b : blockers) {
                    if (b.layer != 0 || !reaches_into(b, x, y)) continue;
                    ASSERT_TRUE(closed.fill({{x, y}, {x + 1, y + 1}}, 0).has_value());
                }
            }
        }
        DriveQuery query{.agent = {.radius = 0.45, .turning_radius = 1.5, .can_reverse = i % 2 == 0}};
        if (!random_free_pose(rng, map, query.agent, true, query.start) ||
            !random_free_pose(rng, map, query.agent, true, query.goal.at))
            continue;
        const Result<Route> free = find_route(grid, query, other);
        const Result<Route> kept = find_route(grid, query, scratch, {.map = {.blockers = blockers}});
        const Result<Route> walled = find_route(closed, query, other);
        ASSERT_TRUE(free && kept && walled);
        ASSERT_EQ(kept->status, walled->status) << i;
        ASSERT_EQ(kept->stats.digest, walled->stats.digest) << i;
        ASSERT_EQ(kept->cost, walled->cost) << i;
        unreachable += kept->status == PathStatus::unreachable ? 1 : 0;
        const Violation bad = verify(*kept, grid, query.agent, {.blockers = blockers});
        ASSERT_FALSE(bad) << i << ": " << bad.text().c_str();
        if (kept->status != PathStatus::complete) continue;
        ++complete;
        if (verify(*free, grid, query.agent, {.blockers = blockers})) ++detours;
    }
    EXPECT_GT(complete, trials(120) / 4);
    EXPECT_GT(detours, 0);  // they were in the way
    EXPECT_GT(unreachable, 0);
}

TEST(MapBlockers, AreGoneInTheNextCall) {
    Grid grid = *Grid::make({.width = 20, .height = 5});
    const Blocker wall{.box = {{9.5, 0.0}, {10.5, 5.0}}};
    const DriveQuery query{
        .start = {{2.5, 2.5}, 0}, .goal = {{17.5, 2.5}, 0}, .agent = {.radius = 0.4, .turning_radius = 1}};
    Scratch scratch;
    const auto status = [&](std::span<const Blocker> blockers) {
        const Result<Route> route = find_route(grid, query, scratch, {.map = {.blockers = blockers}});
        return route ? route->status : PathStatus::count_;
    };
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(status({}), PathStatus::complete);
        EXPECT_EQ(status({&wall, 1}), PathStatus::unreachable);
    }
    const Blocker under{.centre = query.start.ground(), .radius = 0.1};
    EXPECT_EQ(status({&under, 1}), PathStatus::start_blocked);
    const Blocker elsewhere{.box = wall.box, .layer = 3};
    EXPECT_EQ(status({&elsewhere, 1}), PathStatus::complete);
}

// Points, lines on the border of tiles, and those far away or outside.
TEST(MapBlockers, WithoutAnInside) {
    Grid grid = *Grid::make({.width = 20, .height = 5});
    const DriveQuery query{
        .start = {{2.5, 2.5}, 0}, .goal = {{17.5, 2.5}, 0}, .agent = {.radius = 0.4, .turning_radius = 1}};
    Scratch scratch;
    const auto complete = [&](const Blocker& blocker) {
        const Result<Route> route = find_route(grid, query, scratch, {.map = {.blockers = {&blocker, 1}}});
        if (!route || route->status != PathStatus::complete) return false;
        EXPECT_FALSE(verify(*route, grid, query.agent, {.blockers = {&blocker, 1}}));
        return true;
    };
    EXPECT_FALSE(complete({.box = {{10.0, 0.0}, {10.0, 5.0}}}));
    EXPECT_TRUE(complete({.centre = {10.0, 2.0}}));
    EXPECT_TRUE(complete({.centre = {-300.0, 2.0}, .radius = 2.0}));
    EXPECT_TRUE(complete({.centre = {1e300, 1e300}, .radius = 1.0}));
    EXPECT_FALSE(complete({.centre = {10.0, 2.5}, .radius = 1e300}));
}

TEST(MapBlockers, BadNumbers) {
    const Grid grid = *Grid::make({.width = 8, .height = 8});
    const DriveQuery query{.start = {{2.5, 2.5}, 0}, .goal = {{5.5, 2.5}, 0}, .agent = {.turning_radius = 1}};
    Scratch scratch;
    const auto error = [&](const Blocker& bad) {
        const Blocker both[] = {{.centre = {0, 0}, .radius = 0.1}, bad};
        const Result<Route> route = find_route(grid, query, scratch, {.map = {.blockers = both}});
        EXPECT_FALSE(route.has_value());
        return route ? Error{} : route.error();
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(error({.centre = {nan, 0}}), (Error{ErrorCode::not_finite, Field::blockers, 1, 0}));
    EXPECT_EQ(error({.box = {{0, 0}, {nan, 1}}}), (Error{ErrorCode::not_finite, Field::blockers, 1, 0}));
    EXPECT_EQ(error({.radius = -1}), (Error{ErrorCode::out_of_range, Field::blockers, 1, 0}));
}

}  // namespace
}  // namespace fairlead::testing
