// Discs a little wider than what they go through: up to half of the contact slack of the smallest map they touch, and every way of asking
// says so; above it none does. verify, whose slack is twice that and more, accepts all routes of them.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/grid/explore.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/grid/flow_field.h>
#include <fairlead/grid/nearest_free.h>
#include <fairlead/verify/verify.h>

#include "grid/body.h"
#include "support/environment.h"
#include "support/flow_fields.h"
#include "support/grids.h"

namespace fairlead::testing {
namespace {

constexpr double kTouching[] = {0.0, 1e-13, 1e-12, 1e-11, 1e-10, 3e-10, 4.9e-10};
constexpr double kTooWide[] = {5.1e-10, 1e-9, 2e-9, 1e-8, 1e-6};

TEST(TouchingRadius, CountsAsTheTightOne) {
    for (const double tight : {0.5, std::sqrt(0.5), 1.0, std::sqrt(1.25), 0.5 * std::sqrt(10.0), 100.5}) {
        for (const double more : kTouching) EXPECT_EQ(grid::touching_radius(tight + more), tight) << more;
        for (const double more : kTooWide) EXPECT_EQ(grid::touching_radius(tight + more), tight + more);
        EXPECT_EQ(grid::touching_radius(tight - 1e-10), tight - 1e-10);
    }
    for (const double radius : {0.0, 1e-10, 0.3, 0.499999, 0.8, 5000.0})
        EXPECT_EQ(grid::touching_radius(radius), radius);
}

// A lane `lane` tiles wide between walls, asked from one end to the other. The status, the same of all who are asked.
PathStatus along_lane(std::int32_t lane, double radius, double cell_size, bool registered) {
    const std::int32_t width = 3 * lane + 4, height = lane + 2;
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(width * height), 0);
    for (std::int32_t y = 1; y <= lane; ++y) {
        for (std::int32_t x = 1; x + 1 < width; ++x) tiles[static_cast<std::size_t>(y * width + x)] = 1;
    }
    const Agent agent{.radius = radius * cell_size};
    const Agent sizes[] = {agent};
    GridOptions options{.width = width, .height = height, .cell_size = cell_size};
    if (registered) options.sizes = sizes;
    const Grid grid = *Grid::make(options, tiles);
    Scratch scratch;
    const double end = 1.0 + 0.5 * lane;
    const Vec2 from = Vec2{end, end} * cell_size, to = Vec2{width - end, end} * cell_size;
    const Route route = *find_route(grid, GridQuery{.start = from, .goal = to, .agent = agent}, scratch);
    const bool way = route.status == PathStatus::complete;
    if (way) {
        EXPECT_FALSE(verify(route, grid, agent)) << lane << " " << radius;
    }
    const FlowField field = filled(grid, {.goal = to, .agent = agent});
    FlowHold hold;
    EXPECT_EQ(field.sample(from, hold).status == PathStatus::complete, way);
    NearestFreeQuery near{.place = from, .agent = agent};
    EXPECT_EQ((*nearest_free(grid, near, scratch)).found, way);
    near.connected = true;
    near.from = to;
    EXPECT_EQ((*nearest_free(grid, near, scratch)).found, way);
    const Cell first{lane / 2 + 1, lane / 2 + 1, 0}, last{width - 2 - lane / 2, lane / 2 + 1, 0};
    if (lane % 2 == 1) {
        EXPECT_EQ(grid.state().can_stand(first, agent), way);
        const Result<bool> joined = grid.state().connected(first, last, agent);
        if (joined.has_value()) {
            EXPECT_EQ(*joined, way);
        }
    }
    Result<Explorer> explorer = Explorer::make(grid, {.agent = agent});
    EXPECT_TRUE(explorer);
    EXPECT_TRUE(explorer->begin(from, to));
    while (explorer->status() == ExploreStatus::going) EXPECT_TRUE(explorer->step(grid, scratch));
    EXPECT_EQ(explorer->status(), way ? ExploreStatus::arrived : ExploreStatus::start_blocked);
    return route.status;
}

TEST(TouchingRadius, LanesOfWholeTiles) {
    for (std::int32_t lane = 1; lane <= 6; ++lane) {
        for (const double cell_size : {1.0, 0.25}) {
            for (const bool registered : {false, true}) {
                SCOPED_TRACE(::testing::Message() << lane << " " << cell_size << " " << registered);
                for (const double more : kTouching) {
                    EXPECT_EQ(along_lane(lane, 0.5 * lane + more, cell_size, registered),
                              PathStatus::complete)
                        << more;
                }
                for (const double more : kTooWide) {
                    EXPECT_EQ(along_lane(lane, 0.5 * lane + more, cell_size, registered),
                              PathStatus::start_blocked)
                        << more;
                }
            }
        }
    }
}

// Ways that squeeze between two corners: as those of the radius that just fits, on any map.
TEST(TouchingRadius, SqueezesAndGaps) {
    Rng rng(0x70c4);
    Scratch scratch;
    int ways = 0;
    for (int trial = 0; trial < trials(300); ++trial) {
        const auto side = [&] { return static_cast<std::int32_t>(5 + rng.below(7)); };
        const std::int32_t width = side(), height = side();
        const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
        const std::vector<std::uint8_t> tiles = random_tiles(rng, count, 5 + rng.below(20));
        constexpr int kTightSquares[] = {1, 2, 4, 5, 8, 9, 10, 13};
        const double tight = 0.5 * std::sqrt(static_cast<double>(kTightSquares[rng.below(8)]));
        const double more = kTouching[1 + rng.below(6)];
        const auto place = [&] {
            return Vec2{0.5 * static_cast<double>(rng.below(static_cast<std::uint32_t>(2 * width))),
                        0.5 * static_cast<double>(rng.below(static_cast<std::uint32_t>(2 * height)))};
        };
        const Agent sizes[] = {{.radius = tight}, {.radius = tight + more}};
        GridOptions options{.width = width, .height = height};
        if (trial % 2 == 0) options.sizes = sizes;
        const Grid grid = *Grid::make(options, tiles);
        for (int ask = 0; ask < 20; ++ask) {
            GridQuery query{.start = place(), .goal = place(), .agent = sizes[0]};
            query.corner = rng.below(2) == 0 ? CornerRule::never : CornerRule::always;
            const Result<Route> exact = find_route(grid, query, scratch);
            ASSERT_TRUE(exact);
            query.agent = sizes[1];
            const Result<Route> wider = find_route(grid, query, scratch);
            ASSERT_TRUE(wider);
            ASSERT_EQ(wider->status, exact->status) << trial << "." << ask << " " << tight << "+" << more;
            if (wider->status != PathStatus::complete) continue;
            ++ways;
            EXPECT_EQ(wider->cost, exact->cost);
            const auto wrong = verify(*wider, grid, query.agent);
            ASSERT_FALSE(wrong) << trial << "." << ask << " " << tight << "+" << more;
        }
    }
    EXPECT_GT(ways, 0);
}

}  // namespace
}  // namespace fairlead::testing
