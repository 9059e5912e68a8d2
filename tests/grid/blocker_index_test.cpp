// The buckets of blockers against a look at each: nothing near is left out, nothing comes twice, few others come; and
// FAULT-9: preparing a query with many blockers or goals is cut into units.
#include <atomic>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>

#include "grid/sight_blockers.h"
#include "route/blocker_index.h"
#include "support/environment.h"
#include "support/route_compare.h"

namespace fairlead::grid {
namespace {

bool begin_index(route::BlockerIndex& index, const GridState& grid, std::size_t count, double reach) {
    return index.begin({1.0 * grid.width(), grid.wrap_x()}, {1.0 * grid.height(), grid.wrap_y()}, count,
                       reach);
}

using testing::trials;

Blocker random_blocker(Rng& rng, double width, double height, int layers) {
    const double sizes[] = {0.0, 0.4, 3.0, 20.0, 300.0, 1e7};
    const double size = sizes[rng.below(6)] * rng.unit();
    Blocker blocker;
    blocker.layer = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(layers)));
    blocker.centre = {rng.between(-0.2, 1.2) * width, rng.between(-0.2, 1.2) * height};
    if (rng.below(20) == 0) blocker.centre = {rng.between(-1.0, 1.0) * 1e15, rng.between(-1.0, 1.0) * 1e300};
    if (rng.below(2) == 0) {
        blocker.radius = size;
    } else {
        const Vec2 half{size * rng.unit() + 1e-3, size + 1e-3};
        blocker.box = {blocker.centre - half, blocker.centre + half};
    }
    return blocker;
}

std::vector<std::pair<const Blocker*, Vec2>> images(const SightWorld& world, const Aabb& near, double reach,
                                                    bool along) {
    std::vector<std::pair<const Blocker*, Vec2>> found;
    const auto note = [&](const Blocker& blocker, Vec2 shift) {
        found.emplace_back(&blocker, shift);
        return true;
    };
    if (along) {
        sight_detail::visit_blockers_along(world, near.low, near.high, reach, note);
    } else {
        sight_detail::visit_blockers(world, near, reach, note);
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.first != b.first
                   ? a.first < b.first
                   : (a.second.x != b.second.x ? a.second.x < b.second.x : a.second.y < b.second.y);
    });
    return found;
}

using Image = std::pair<const Blocker*, Vec2>;

Aabb box_of(const Image& image) {
    const Blocker& blocker = *image.first;
    const Vec2 half{blocker.radius, blocker.radius};
    const Aabb at = blocker.box.empty() ? Aabb{blocker.centre - half, blocker.centre + half} : blocker.box;
    return {at.low + image.second, at.high + image.second};
}

// What meets a triangle, judged by its sides and a corner of the box, is found, once.
void expect_triangle(const SightWorld& world, double reach, Rng& rng, bool seams) {
    const double width = world.state->width;
    const double height = world.state->height;
    const double far = rng.below(2) == 0 ? width : 3.0;
    Vec2 p[3];
    p[0] = {rng.between(0.0, 1.0) * width, rng.between(0.0, 1.0) * height};
    p[1] = p[0] + Vec2{rng.between(-far, far), rng.between(-far, far)};
    p[2] = rng.below(4) == 0 ? p[1] : p[0] + Vec2{rng.between(-far, far), rng.between(-far, far)};
    std::vector<Image> found;
    sight_detail::visit_blockers_within(world, p, reach, [&](const Blocker& blocker, Vec2 shift) {
        found.emplace_back(&blocker, shift);
        return true;
    });
    SightWorld each = world;
    each.blocker_index = nullptr;
    std::vector<Image> wanted;
    sight_detail::visit_blockers_within(each, p, reach, [&](const Blocker& blocker, Vec2 shift) {
        wanted.emplace_back(&blocker, shift);
        return true;
    });
    const double side = cross(p[1] - p[0], p[2] - p[0]) < 0.0 ? -1.0 : 1.0;
    for (const Image& image : wanted) {
        const Aabb box = box_of(image);
        bool meets = true;  // its low corner is in the triangle
        for (int i = 0; i < 3; ++i) {
            const Vec2 a = p[i], b = p[(i + 1) % 3];
            meets = meets && side * cross(b - a, box.low - a) >= 0.0;
        }
        for (int i = 0; i < 3; ++i)
            meets = meets || math::distance_segment_box(p[i], p[(i + 1) % 3], box) < reach;
        const auto count = std::count(found.begin(), found.end(), image);
        if (meets) {
            EXPECT_GE(count, 1);
        }
        EXPECT_LE(count, seams ? 9 : 1);
    }
}

TEST(BlockerIndex, FindsWhatALookAtEachFinds) {
    Rng rng(901);
    std::size_t met = 0;
    for (int round = 0; round < trials(400); ++round) {
        const std::int32_t width = 8 + static_cast<std::int32_t>(rng.below(300));
        const std::int32_t height = 8 + static_cast<std::int32_t>(rng.below(300));
        const Result<Grid> grid = Grid::make({.width = width,
                                              .height = height,
                                              .layers = 2,
                                              .wrap_x = rng.below(2) == 0,
                                              .wrap_y = rng.below(2) == 0});
        ASSERT_TRUE(grid);
        std::vector<Blocker> blockers(17 + rng.below(300));
        const double reach = rng.below(2) == 0 ? 0.0 : rng.between(0.0, 12.0);
        route::BlockerIndex index{Allocator{}};
        ASSERT_TRUE(begin_index(index, grid->state(), blockers.size(), reach));
        for (Blocker& blocker : blockers) {
            blocker = random_blocker(rng, width, height, 2);
            ASSERT_TRUE(index.add(blocker));
        }
        SightWorld world;
        world.state = &grid->state().data();
        world.blockers = blockers;
        for (int i = 0; i < 40; ++i) {
            world.layer = static_cast<std::int32_t>(rng.below(2));
            const Vec2 a{rng.between(0.0, 1.0) * width, rng.between(0.0, 1.0) * height};
            const double far = rng.below(3) == 0 ? width : 1.5;
            const Vec2 b = a + Vec2{rng.between(-far, far), rng.between(-far, far)};
            const Aabb box{{std::min(a.x, b.x), std::min(a.y, b.y)},
                           {std::max(a.x, b.x), std::max(a.y, b.y)}};
            world.blocker_index = nullptr;
            const auto wanted = images(world, box, reach, false);
            world.blocker_index = &index;
            EXPECT_EQ(images(world, box, reach, false), wanted) << round;
            // Along a way over a seam some come twice, and in a triangle.
            auto ways = images(world, {a, b}, reach, true);
            const bool seams = grid->state().wrap_x() || grid->state().wrap_y();
            const auto twice = std::unique(ways.begin(), ways.end());
            EXPECT_TRUE(seams || twice == ways.end()) << round;
            ways.erase(twice, ways.end());
            expect_triangle(world, reach, rng, seams);
            for (const auto& [blocker, shift] : wanted) {
                const Aabb at = blocker->box.empty()
                                    ? Aabb{blocker->centre - Vec2{blocker->radius, blocker->radius},
                                           blocker->centre + Vec2{blocker->radius, blocker->radius}}
                                    : blocker->box;
                const double gap = math::distance_segment_box(a, b, {at.low + shift, at.high + shift});
                if (!(gap < reach)) continue;
                ++met;
                EXPECT_TRUE(std::find(ways.begin(), ways.end(), std::pair(blocker, shift)) != ways.end());
            }
        }
    }
    EXPECT_GT(met, static_cast<std::size_t>(trials(400)) * 40);
}

TEST(BlockerIndex, AStepLooksAtAFewOfTheMost) {
    const Result<Grid> grid = Grid::make({.width = 512, .height = 512});
    ASSERT_TRUE(grid);
    Rng rng(902);
    route::BlockerIndex index{Allocator{}};
    ASSERT_TRUE(begin_index(index, grid->state(), 65536, 0.4));
    for (int i = 0; i < 65536; ++i) {
        const Vec2 at{rng.between(0.0, 512.0), rng.between(0.0, 512.0)};
        ASSERT_TRUE(index.add({.centre = at, .radius = 0.3}));
    }
    std::size_t most = 0;
    for (int i = 0; i < 1000; ++i) {
        const Vec2 at{rng.between(1.0, 511.0), rng.between(1.0, 511.0)};
        std::size_t looks = 0;
        index.near(0, at - Vec2{0.4, 0.4}, at + Vec2{1.4, 1.4}, [&](std::uint32_t) {
            ++looks;
            return true;
        });
        most = std::max(most, looks);
    }
    std::size_t along = 0;
    for (int i = 0; i < 100; ++i) {
        const Vec2 at{rng.between(1.0, 300.0), rng.between(1.0, 300.0)};
        std::size_t looks = 0;
        index.along(0, at, at + Vec2{200.0, 200.0}, 0.4, [&](std::uint32_t) {
            ++looks;
            return true;
        });
        along = std::max(along, looks);
    }
    EXPECT_LT(along, 1200U);  // the way meets some 100 buckets of 4 x 4, and their neighbours
    EXPECT_LT(most,
              60U);  // a bucket of 4 x 4 holds 4 of them in the mean, and a step meets up to four buckets
}

// With more than a few blockers they are looked up: the ones that are far away change nothing.
TEST(BlockerIndex, BlockersFarAwayChangeNoRoute) {
    const Result<Grid> grid = Grid::make({.width = 24, .height = 24});
    ASSERT_TRUE(grid);
    Rng rng(904);
    Scratch scratch;
    for (int round = 0; round < trials(1000); ++round) {
        std::vector<Blocker> blockers(12);
        for (Blocker& b : blockers)
            b = {.centre = {rng.between(0.0, 24.0), rng.between(0.0, 24.0)}, .radius = rng.between(0.1, 1.5)};
        GridQuery query{.start = {1.5, 1.5}, .goal = Vec2{22.5, 22.5}, .blockers = blockers};
        if (rng.below(2) == 0) {
            query.agent.radius = rng.between(0.0, 1.4);
        } else {
            query.agent.footprint = 1 + static_cast<std::int32_t>(rng.below(3));
        }
        const Result<Route> few = find_route(*grid, query, scratch);
        blockers.resize(40, {.centre = {5000.0, 5000.0}, .radius = 1.0});
        query.blockers = blockers;
        const Result<Route> many = find_route(*grid, query, scratch);
        ASSERT_TRUE(few && many);
        EXPECT_EQ(many->status, few->status) << round;
        EXPECT_EQ(many->cost, few->cost) << round;
    }
}

// FAULT-9: nothing of a list is done without paying for it, and a cancel ends the preparing.
TEST(PrepareInSlices, LongListsCostUnits) {
    const Result<Grid> grid = Grid::make({.width = 256, .height = 256});
    ASSERT_TRUE(grid);
    Rng rng(903);
    std::vector<Blocker> blockers(65536);
    for (Blocker& b : blockers)
        b = {.centre = {rng.between(0.0, 256.0), rng.between(3.0, 256.0)}, .radius = 0.1};
    std::vector<Vec2> goals(65536);
    for (Vec2& goal : goals) goal = {rng.between(0.0, 256.0), rng.between(0.0, 256.0)};
    GridQuery query{.start = cell_centre(0, 0), .goal = Goal::any_of(goals), .blockers = blockers};
    Scratch scratch;
    const Result<Route> whole = find_route(*grid, query, scratch);
    ASSERT_TRUE(whole);

    GridSearch search(*grid, query, scratch);
    std::uint64_t steps = 0;
    while (search.step(1)) ++steps;
    Route route;
    ASSERT_TRUE(search.take(route));
    EXPECT_EQ(testing::route_difference(route, *whole), "");
    // 64 blockers, 8 goals a unit; sorting takes 1.5 times as many steps as there are goals, 32 a unit.
    EXPECT_GT(steps, 65536U / 64 + 65536U / 16 + 65536U / 64);

    std::atomic<bool> cancel{false};
    GridSearch stopped(*grid, query, scratch, {.cancel = &cancel});
    stopped.step(100);
    ASSERT_TRUE(stopped.running());
    cancel = true;
    stopped.step(1);
    EXPECT_FALSE(stopped.running());
    ASSERT_TRUE(stopped.take(route));
    EXPECT_EQ(route.status, PathStatus::budget_spent);
}

}  // namespace
}  // namespace fairlead::grid
