// Ways by jump points against the ground distance, to the unit; and the planes that they are searched on.

#include "drive/ground/ground_way.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include <fairlead/base/rng.h>

#include "drive/bit_ground.h"
#include "drive/ground/corridor.h"
#include "support/environment.h"

namespace fairlead::drive {
namespace {

// The same cells by row and by column.
struct BothWays {
    fairlead::testing::BitGround rows;
    fairlead::testing::BitGround columns;

    BothWays(std::int32_t w, std::int32_t h) : rows(w, h), columns(h, w) {}
    void free(std::int32_t x, std::int32_t y) {
        rows.free(x, y);
        columns.free(y, x);
    }
    [[nodiscard]] GroundPlane plane() const { return {rows.bits(), columns.bits()}; }
};

void run(GroundWay& way) {
    while (way.step()) {
    }
}

// Straight or aslant lines over free cells, as long as the way says.
void expect_lines(const GroundWay& way, const GroundBits& free, std::uint32_t first) {
    std::uint32_t sum = first;
    for (std::size_t i = 1; i < way.turns().size(); ++i) {
        GroundCell at = way.turns()[i - 1];
        const GroundCell to = way.turns()[i];
        const std::int32_t dx = (to.x > at.x) - (to.x < at.x);
        const std::int32_t dy = (to.y > at.y) - (to.y < at.y);
        for (int guard = 0; !(at == to); ++guard) {
            ASSERT_LT(guard, 1000);
            const bool aslant = dx != 0 && dy != 0;
            ASSERT_TRUE(!aslant || free.free(at.x + dx, at.y) || free.free(at.x, at.y + dy));
            at = {at.x + dx, at.y + dy};
            ASSERT_TRUE(free.free(at.x, at.y));
            sum += aslant ? kGroundDiagonal : kGroundStraight;
        }
    }
    EXPECT_EQ(sum, way.distance());
}

TEST(GroundWay, IsAsLongAsTheGroundDistanceOnEveryMapOf4x4) {
    GroundDistance ground;
    GroundWay way{Allocator{}};
    for (std::uint32_t map = 0; map < 65536; map += 3) {
        BothWays g(4, 4);
        std::vector<std::int32_t> cells;
        for (std::int32_t i = 0; i < 16; ++i) {
            if (((map >> i) & 1U) == 0) continue;
            g.free(i & 3, i >> 2);
            cells.push_back(i);
        }
        if (cells.empty()) continue;
        const std::int32_t goal = cells[map % cells.size()];
        for (const std::int32_t from : cells) {
            ASSERT_TRUE(ground.begin(g.rows.bits(), GroundCorner::closed, from & 3, from >> 2));
            ASSERT_TRUE(ground.add_goal(goal & 3, goal >> 2, 0));
            way.clear();
            ASSERT_TRUE(way.add_goal(goal & 3, goal >> 2, 0));
            way.begin(g.plane(), {from & 3, from >> 2});
            run(way);
            const std::uint32_t want = ground.at(from & 3, from >> 2);
            ASSERT_EQ(way.found(), want != kGroundFar) << map << " " << from;
            if (!way.found()) continue;
            ASSERT_EQ(way.distance(), want) << map << " " << from;
        }
    }
}

TEST(GroundWay, IsAsLongAsTheGroundDistance) {
    Rng rng(11);
    GroundDistance ground;
    GroundWay way{Allocator{}};
    int found = 0;
    for (int round = 0; round < testing::trials(1500); ++round) {
        const auto w = static_cast<std::int32_t>(2 + rng.below(200));
        const auto h = static_cast<std::int32_t>(2 + rng.below(140));
        BothWays g(w, h);
        const std::uint32_t walls = rng.below(50);
        std::vector<std::int32_t> cells;
        for (std::int32_t i = 0; i < w * h; ++i) {
            if (rng.below(100) < walls) continue;
            g.free(i % w, i / w);
            cells.push_back(i);
        }
        if (cells.empty()) continue;
        const auto some = [&] { return cells[rng.below(static_cast<std::uint32_t>(cells.size()))]; };
        const std::int32_t to = some();
        ASSERT_TRUE(ground.begin(g.rows.bits(), GroundCorner::closed, to % w, to / w));
        way.clear();
        const std::uint32_t goals = 1 + rng.below(4);
        std::uint32_t first[8] = {};
        for (std::uint32_t i = 0; i < goals; ++i) {
            const std::int32_t goal = some();
            first[i] = goals == 1 ? 0 : rng.below(60);
            ASSERT_TRUE(ground.add_goal(goal % w, goal / w, first[i]));
            ASSERT_TRUE(way.add_goal(goal % w, goal / w, first[i]));
        }
        way.begin(g.plane(), {to % w, to / w});
        run(way);
        const std::uint32_t want = ground.at(to % w, to / w);
        ASSERT_EQ(way.found(), want != kGroundFar) << round;
        if (!way.found()) continue;
        ++found;
        ASSERT_EQ(way.distance(), want) << round;
        if (goals == 1) expect_lines(way, g.rows.bits(), 0);
    }
    EXPECT_GT(found, testing::trials(1500) / 2);
}

TEST(NearestOnPlane, IsMetOverFreeCells) {
    BothWays free(40, 9);
    BothWays plane(40, 9);
    for (std::int32_t x = 0; x < 40; ++x) free.free(x, 4);
    plane.free(10, 4);
    plane.free(30, 4);
    plane.free(21, 8);  // nearer, but nothing leads there
    GroundCell out;
    ASSERT_TRUE(nearest_on_plane(plane.rows.bits(), free.rows.bits(), {22, 4}, 16, out));
    EXPECT_EQ(out, (GroundCell{30, 4}));
    EXPECT_FALSE(nearest_on_plane(plane.rows.bits(), free.rows.bits(), {20, 4}, 9, out));
}

TEST(Corridor, HoldsWhatIsNearItsLinesAndIsEmptiedForTheNext) {
    Rng rng(5);
    fairlead::testing::BitGround map(150, 90);
    for (std::int32_t i = 0; i < 150 * 90; ++i) {
        if (rng.below(100) < 70) map.free(i % 150, i / 150);
    }
    Corridor corridor{Allocator{}};
    for (int round = 0; round < 40; ++round) {
        const GroundCell a{static_cast<std::int32_t>(rng.below(150)),
                           static_cast<std::int32_t>(rng.below(90))};
        const bool aslant = rng.below(2) == 0;
        const auto far = static_cast<std::int32_t>(rng.below(80));
        const GroundCell b{std::min(149, a.x + far), aslant ? a.y + std::min(149, a.x + far) - a.x : a.y};
        if (b.y >= 90) continue;
        const auto reach = static_cast<std::int32_t>(1 + rng.below(12));
        ASSERT_TRUE(corridor.begin(map.bits()));
        ASSERT_TRUE(corridor.add_line(map.bits(), a, b, reach));
        for (std::int32_t y = 0; y < 90; ++y) {
            for (std::int32_t x = 0; x < 150; ++x) {
                std::int32_t away = 1000;
                for (std::int32_t i = 0; i <= b.x - a.x; ++i) {
                    const std::int32_t down = aslant ? a.y + i : a.y;
                    away = std::min(away, std::max(std::abs(a.x + i - x), std::abs(down - y)));
                }
                const bool in = corridor.cells().free(x, y);
                ASSERT_TRUE(!in || (map.bits().free(x, y) && away <= reach));
                // Boxes are half their reach apart.
                ASSERT_TRUE(in || away > reach / 2 || !map.bits().free(x, y));
            }
        }
    }
}

}  // namespace
}  // namespace fairlead::drive
