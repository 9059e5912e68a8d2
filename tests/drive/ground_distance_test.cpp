// The distance on the ground against a plain Dijkstra: every 4 x 4 map, and random ones, grown in any order.

#include "drive/ground/ground_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <fairlead/base/rng.h>

#include "drive/bit_ground.h"
#include "support/environment.h"

namespace fairlead::drive {
namespace {

struct Goal {
    std::int32_t cell;
    std::uint32_t distance;
};

// Relaxes until nothing changes.
std::vector<std::uint32_t> plain(const GroundBits& map, GroundCorner corner, const std::vector<Goal>& goals) {
    std::vector<std::uint32_t> d(static_cast<std::size_t>(map.width * map.height), kGroundFar);
    const auto at = [&](std::int32_t x, std::int32_t y) -> std::uint32_t& {
        return d[static_cast<std::size_t>(y * map.width + x)];
    };
    for (const Goal& goal : goals) {
        std::uint32_t& distance = d[static_cast<std::size_t>(goal.cell)];
        distance = std::min(distance, goal.distance);
    }
    for (bool better = true; better;) {
        better = false;
        for (std::int32_t y = 0; y < map.height; ++y) {
            for (std::int32_t x = 0; x < map.width; ++x) {
                if (at(x, y) == kGroundFar) continue;
                for (std::int32_t dy = -1; dy <= 1; ++dy) {
                    for (std::int32_t dx = -1; dx <= 1; ++dx) {
                        if (!map.free(x + dx, y + dy)) continue;
                        const bool diagonal = dx != 0 && dy != 0;
                        const bool squeezes = diagonal && !map.free(x + dx, y) && !map.free(x, y + dy);
                        if (squeezes && corner == GroundCorner::closed) continue;
                        const std::uint32_t sum = at(x, y) + (diagonal ? 7U : 5U);
                        if ((dx == 0 && dy == 0) || sum >= at(x + dx, y + dy)) continue;
                        at(x + dx, y + dy) = sum;
                        better = true;
                    }
                }
            }
        }
    }
    return d;
}

TEST(GroundDistance, EveryMapOf4x4) {
    GroundDistance ground;
    for (std::uint32_t map = 0; map < 65536; map += 1) {
        fairlead::testing::BitGround g(4, 4);
        for (std::int32_t i = 0; i < 16; ++i) {
            if (((map >> i) & 1U) != 0) g.free(i & 3, i >> 2);
        }
        const std::int32_t goal = static_cast<std::int32_t>((map * 7U) % 16U);
        if (((map >> goal) & 1U) == 0) continue;
        const GroundCorner corner = (map & 64U) != 0 ? GroundCorner::open : GroundCorner::closed;
        const std::vector<std::uint32_t> want = plain(g.bits(), corner, {{goal, 0}});
        ASSERT_TRUE(ground.begin(g.bits(), corner, 0, 0));
        ASSERT_TRUE(ground.add_goal(goal & 3, goal >> 2, 0));
        for (std::int32_t i = 15; i >= 0; --i) {
            if (((map >> i) & 1U) == 0) continue;
            ASSERT_EQ(ground.at(i & 3, i >> 2), want[static_cast<std::size_t>(i)]) << map << " " << i;
        }
    }
}

TEST(GroundDistance, RandomMaps) {
    Rng rng(3);
    GroundDistance ground;
    for (int round = 0; round < testing::trials(2000); ++round) {
        const auto w = static_cast<std::int32_t>(5 + rng.below(90));
        const auto h = static_cast<std::int32_t>(5 + rng.below(20));
        fairlead::testing::BitGround g(w, h);
        const std::uint32_t walls = rng.below(60);
        std::vector<std::int32_t> cells;
        for (std::int32_t i = 0; i < w * h; ++i) {
            if (rng.below(100) < walls) continue;
            g.free(i % w, i / w);
            cells.push_back(i);
        }
        if (cells.empty()) continue;
        std::vector<Goal> goals;
        const std::uint32_t count = 1 + rng.below(5);
        while (goals.size() < count) {
            const std::int32_t cell = cells[rng.below(static_cast<std::uint32_t>(cells.size()))];
            goals.push_back({cell, count == 1 ? 0 : rng.below(60)});
        }
        const GroundCorner corner = round % 4 == 0 ? GroundCorner::open : GroundCorner::closed;
        const std::int32_t start = cells[rng.below(static_cast<std::uint32_t>(cells.size()))];
        const std::vector<std::uint32_t> want = plain(g.bits(), corner, goals);
        ASSERT_TRUE(ground.begin(g.bits(), corner, start % w, start / w));
        for (const Goal& goal : goals)
            ASSERT_TRUE(ground.add_goal(goal.cell % w, goal.cell / w, goal.distance));
        for (int i = 0; i < 40; ++i) {
            const std::int32_t at = cells[rng.below(static_cast<std::uint32_t>(cells.size()))];
            ASSERT_EQ(ground.at(at % w, at / w), want[static_cast<std::size_t>(at)]) << round;
        }
    }
}

}  // namespace
}  // namespace fairlead::drive
