// Routes of turning units over random maps: legal by verify, within the bound, sliced = unsliced, no allocation.

#include <fairlead/drive/find_drive.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/grid/grid.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "support/environment.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

// A map as tiles and as rows of bits.
struct Tiles {
    std::int32_t width;
    std::int32_t height;
    std::vector<std::uint8_t> tile;

    [[nodiscard]] DriveGround rows() const {
        return {.width = width,
                .height = height,
                .read_free =
                    [](const void* user, std::int32_t y, std::span<std::uint64_t> row) {
                        const auto& tiles = *static_cast<const Tiles*>(user);
                        for (std::uint64_t& word : row) word = 0;
                        for (std::int32_t x = 0; x < tiles.width; ++x) {
                            const bool free = tiles.tile[static_cast<std::size_t>(y * tiles.width + x)] != 0;
                            if (free) row[static_cast<std::size_t>(x >> 6)] |= std::uint64_t{1} << (x & 63);
                        }
                    },
                .user = this};
    }
    [[nodiscard]] Grid grid() const {
        return std::move(*Grid::make({.width = width, .height = height}, tile));
    }
};

// Blocks of walls on open ground.
Tiles random_tiles(Rng& rng) {
    Tiles out{
        30 + static_cast<std::int32_t>(rng.below(60)), 30 + static_cast<std::int32_t>(rng.below(40)), {}};
    out.tile.assign(static_cast<std::size_t>(out.width * out.height), 1);
    const std::uint32_t blocks = 5 + rng.below(40);
    for (std::uint32_t i = 0; i < blocks; ++i) {
        const auto x = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(out.width)));
        const auto y = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(out.height)));
        const auto w = static_cast<std::int32_t>(1 + rng.below(7));
        const auto h = static_cast<std::int32_t>(1 + rng.below(7));
        for (std::int32_t ty = y; ty < std::min(y + h, out.height); ++ty) {
            for (std::int32_t tx = x; tx < std::min(x + w, out.width); ++tx)
                out.tile[static_cast<std::size_t>(ty * out.width + tx)] = 0;
        }
    }
    return out;
}

Agent random_unit(Rng& rng) {
    Agent agent;
    agent.turning_radius = 1.0 + rng.below(3);
    agent.can_reverse = rng.below(2) == 0;
    switch (rng.below(3)) {
        case 0: agent.radius = rng.below(2) == 0 ? 0.45 : 0.95; break;
        case 1:
            agent.shape = BodyShape::box;
            agent.length = 2.5;
            agent.width = 1.2;
            agent.axle_offset = 0.6;
            break;
        default:
            agent.shape = BodyShape::capsule;
            agent.radius = 0.4;
            agent.length = 2.0;
    }
    return agent;
}

Pose random_pose(Rng& rng, const Tiles& tiles, bool on_lattice) {
    Pose pose;
    pose.position.x = rng.below(static_cast<std::uint32_t>(tiles.width)) + 0.5;
    pose.position.y = rng.below(static_cast<std::uint32_t>(tiles.height)) + 0.5;
    pose.heading_rad = heading_rad(8, static_cast<std::int32_t>(rng.below(8)));
    if (on_lattice) return pose;
    pose.position.x += rng.unit() - 0.5;
    pose.position.y += rng.unit() - 0.5;
    pose.heading_rad += rng.unit() - 0.5;
    return pose;
}

TEST(FindDriveSlow, RandomMapsUnitsAndPoses) {
    Rng rng(7);
    int complete = 0;
    int unreachable = 0;
    double shorter = 0.0;
    Scratch scratch;
    Route optimal;
    Route weighted;
    Route sliced;
    for (int i = 0; i < trials(150); ++i) {
        const Tiles tiles = random_tiles(rng);
        const Grid grid = tiles.grid();
        const Agent agent = random_unit(rng);
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
        ASSERT_TRUE(table.has_value());
        const Result<DriveMap> map = DriveMap::make(tiles.rows(), *table);
        ASSERT_TRUE(map.has_value());
        for (int k = 0; k < 12; ++k) {
            const bool on_lattice = rng.below(2) == 0;
            DriveQuery query;
            query.start = random_pose(rng, tiles, on_lattice);
            query.goal = random_pose(rng, tiles, on_lattice);
            query.planner = DrivePlanner::lattice;
            query.smooth = false;
            ASSERT_TRUE(find_route_into(*map, query, scratch, optimal).has_value());
            query.planner = DrivePlanner::weighted;
            ASSERT_TRUE(find_route_into(*map, query, scratch, weighted).has_value());
            DriveSearch search(*map, query, scratch);
            while (search.step(1 + rng.below(50))) {
            }
            ASSERT_TRUE(search.take(sliced).has_value());
            EXPECT_EQ(sliced.stats, weighted.stats);
            EXPECT_EQ(sliced.cost, weighted.cost);
            ASSERT_EQ(optimal.status, weighted.status) << "case " << i << " query " << k;
            unreachable += optimal.status == PathStatus::unreachable ? 1 : 0;
            if (optimal.status != PathStatus::complete) continue;
            ++complete;
            for (const Route* route : {&optimal, &weighted}) {
                const Violation bad = verify(*route, grid, agent);
                ASSERT_FALSE(bad) << "case " << i << " query " << k << ": " << bad.text().c_str();
                EXPECT_NEAR(
                    route->legs.empty() ? 0.0 : route->legs[0].start.position.x - query.start.position.x, 0.0,
                    1e-9);
                EXPECT_EQ(route->end.position.x, query.goal.position.x);
            }
            EXPECT_LE(optimal.cost, weighted.cost * (1 + 1e-9));
            query.smooth = true;
            ASSERT_TRUE(find_route_into(*map, query, scratch, sliced).has_value());
            ASSERT_FALSE(verify(sliced, grid, agent)) << "case " << i << " query " << k;
            EXPECT_LE(sliced.cost, weighted.cost * (1 + 1e-9));
            shorter += weighted.cost - sliced.cost;
            EXPECT_LE(weighted.cost, optimal.cost * query.epsilon * (1 + 1e-9))
                << "case " << i << " query " << k;
        }
    }
    EXPECT_GT(complete, trials(150) * 3);
    EXPECT_GT(unreachable, trials(150) / 10);
    EXPECT_GT(shorter, complete * 0.5);
}

// Technique S9: a set of headings at the ends, and goals that are places.
TEST(FindDriveSlow, HeadingsAndRangesThatWillDo) {
    Rng rng(21);
    Scratch scratch;
    Route exact;
    Route other;
    int complete = 0;
    for (int i = 0; i < trials(60); ++i) {
        const Tiles tiles = random_tiles(rng);
        const Grid grid = tiles.grid();
        const Agent agent = random_unit(rng);
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
        const Result<DriveMap> map = DriveMap::make(tiles.rows(), *table);
        ASSERT_TRUE(map.has_value());
        for (int k = 0; k < 8; ++k) {
            DriveQuery query;
            query.start = random_pose(rng, tiles, k % 2 == 0);
            query.goal = random_pose(rng, tiles, k % 3 != 0);
            query.planner = DrivePlanner::lattice;
            query.smooth = k % 4 == 0;
            const auto ask = [&](Route& route) {
                ASSERT_TRUE(find_route_into(*map, query, scratch, route).has_value());
                ASSERT_FALSE(verify(route, grid, agent)) << verify(route, grid, agent).text().c_str();
            };
            ask(exact);
            const std::int32_t facing = static_cast<std::int32_t>(rng.below(8));
            query.goal_headings = 1U << facing;
            ask(other);
            if (other.status == PathStatus::complete) {
                EXPECT_NEAR(math::wrap_pi(other.end.heading_rad - heading_rad(8, facing)), 0.0, 1e-9);
                EXPECT_EQ(other.end.position.x, query.goal.position.x);
            }
            query.goal_headings = kAnyHeading;
            ask(other);
            if (exact.status == PathStatus::complete) {
                ++complete;
                ASSERT_EQ(other.status, PathStatus::complete);
                const bool on_lattice = k % 3 != 0 && k % 2 == 0;
                if (on_lattice && !query.smooth) {
                    EXPECT_LE(other.cost, exact.cost * (1 + 1e-9));
                }
            }
            query.goal_range = 3.0;
            ask(other);
            if (other.status == PathStatus::complete) {
                const Vec2 gap{other.end.position.x - query.goal.position.x,
                               other.end.position.y - query.goal.position.y};
                EXPECT_LE(dot(gap, gap), 9.0 + 1e-9);
            } else {
                EXPECT_NE(exact.status, PathStatus::complete);
            }
            query.start_headings = kAnyHeading;
            ask(other);
            if (exact.status == PathStatus::complete) {
                EXPECT_EQ(other.status, PathStatus::complete);
            }
        }
    }
    EXPECT_GT(complete, trials(60));
}

TEST(FindDrive, AWarmQueryAllocatesNothing) {
    Rng rng(9);
    const Tiles tiles = random_tiles(rng);
    const Agent agent{.radius = 0.4, .turning_radius = 2.0, .can_reverse = true};
    const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8});
    const Result<DriveMap> map = DriveMap::make(tiles.rows(), *table);
    ASSERT_TRUE(map.has_value());
    Scratch scratch;
    Route route;
    const auto ask_all = [&](std::uint64_t seed) {
        Rng draws(seed);
        for (int i = 0; i < 30; ++i) {
            DriveQuery query;
            query.start = random_pose(draws, tiles, i % 2 == 0);
            query.goal = random_pose(draws, tiles, i % 3 == 0);
            ASSERT_TRUE(find_route_into(*map, query, scratch, route).has_value());
        }
    };
    ask_all(3);
    const std::uint64_t before = heap_calls();
    ask_all(3);
    EXPECT_EQ(heap_calls(), before);
}

TEST(FindDrive, BadInput) {
    Rng rng(9);
    const Tiles tiles = random_tiles(rng);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinite = std::numeric_limits<double>::infinity();
    const auto refuse = [](Agent agent, ErrorCode code) {
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8});
        ASSERT_FALSE(table.has_value());
        EXPECT_EQ(table.error().code, code);
    };
    refuse({.radius = 0.4, .turning_radius = 0.0}, ErrorCode::out_of_range);
    refuse({.radius = 0.4, .turning_radius = -1.0}, ErrorCode::out_of_range);
    refuse({.radius = 0.4, .turning_radius = nan}, ErrorCode::not_finite);
    refuse({.radius = 0.4, .turning_radius = infinite}, ErrorCode::not_finite);
    refuse({.radius = 0.4, .turning_radius = 1e6}, ErrorCode::out_of_range);
    refuse({.radius = 100.0, .turning_radius = 2.0}, ErrorCode::size_limit);
    refuse({.footprint = 2, .turning_radius = 2.0}, ErrorCode::incompatible);
    const Result<DriveTable> table =
        DriveTable::make({.agent = {.radius = 0.4, .turning_radius = 2.0}, .headings = 8});
    const Result<DriveMap> map = DriveMap::make(tiles.rows(), *table);
    ASSERT_TRUE(map.has_value());
    Scratch scratch;
    DriveQuery query;
    query.goal.position.x = nan;
    EXPECT_EQ(find_route(*map, query, scratch).error().code, ErrorCode::not_finite);
    query.goal.position.x = 1e300;
    EXPECT_EQ(find_route(*map, query, scratch)->status, PathStatus::off_world);
    query.epsilon = 0.5;
    EXPECT_EQ(find_route(*map, query, scratch).error().code, ErrorCode::out_of_range);
}

}  // namespace
}  // namespace fairlead::testing
