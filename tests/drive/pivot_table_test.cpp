// Tables of units that turn on the spot, and the turns that verify takes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fairlead/drive/speed_table.h>
#include <fairlead/math/trig.h>

#include "drive/pivots.h"

namespace fairlead::testing {
namespace {

// Headings are not evenly apart (headings.h). Every angle in between, looked at one by one, with the sampler's geometry.
TEST(PivotTable, TurnsSweepWhatTheBodyCoversOnTheWay) {
    Rng rng(5);
    for (int i = 0; i < 12; ++i) {
        const Agent agent = random_pivoting(rng);
        const std::int32_t headings = i % 2 == 0 ? 8 : 16;
        const DriveNodes nodes = i % 3 == 0 ? DriveNodes::corners : DriveNodes::centres;
        const Result<DriveTable> table =
            DriveTable::make({.agent = agent, .headings = headings, .stretch = 1.05, .nodes = nodes});
        ASSERT_TRUE(table.has_value());
        const oracle::PoseBody body = oracle::pose_body(agent);
        const auto all = table->primitives().all();
        int turns = 0;
        for (std::size_t p = 0; p < all.size(); ++p) {
            if (!all[p].is_turn()) continue;
            ++turns;
            std::set<std::pair<int, int>> swept;
            for (const CellRun& run : table->swept(p)) {
                for (int k = 0; k < run.count; ++k) swept.insert({run.dx + k, run.dy});
            }
            ASSERT_EQ(std::abs(all[p].to - all[p].from) % (headings - 2), 1);
            const double angle =
                std::remainder(heading_rad(headings, all[p].to) - heading_rad(headings, all[p].from), kTwoPi);
            for (int y = -5; y <= 5; ++y) {
                for (int x = -5; x <= 5; ++x) {
                    double deepest = -1.0;
                    for (int k = 0; k <= 400; ++k) {
                        Pose at = table->node(0, 0, all[p].from);
                        at.heading_rad += angle * k / 400.0;
                        deepest = std::max(deepest, depth_in_cell(body, at, x, y));
                    }
                    // Between two looks the body moves by no more than this.
                    if (std::fabs(deepest) < 4.0 * std::fabs(angle) / 400.0) continue;
                    ASSERT_EQ(swept.count({x, y}), deepest > 0.0 ? 1U : 0U)
                        << i << " " << p << " " << x << " " << y;
                }
            }
        }
        EXPECT_EQ(turns, headings * (agent.can_reverse ? 4 : 2));
    }
}

TEST(PivotTable, IsSavedAndLoaded) {
    for (const bool reverse : {false, true}) {
        const Agent agent = pivoting(box_body(2.0, 1.0, 0.5), 2.0, reverse);
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
        Array<std::uint8_t> bytes;
        ASSERT_TRUE(table->save(bytes).has_value());
        const Result<DriveTable> again = DriveTable::load(bytes.span());
        ASSERT_TRUE(again.has_value());
        EXPECT_EQ(again->options().agent, agent);
        EXPECT_TRUE(std::equal(table->primitives().all().begin(), table->primitives().all().end(),
                               again->primitives().all().begin(), again->primitives().all().end()));
        EXPECT_TRUE(*again->is_as_made());
    }
}

TEST(PivotTable, IsNoneForSpeeds) {
    const Result<DriveTable> table =
        DriveTable::make({.agent = pivoting({.radius = 0.4}, 2.0), .headings = 8});
    const Result<SpeedTable> speeds = SpeedTable::make(*table, {.speed_max = 5.0});
    ASSERT_FALSE(speeds.has_value());
    EXPECT_EQ(speeds.error().code, ErrorCode::incompatible);
}

TEST(PivotVerify, TurnsAreForUnitsThatPivotAndHaveTheRoom) {
    const Tiles tiles = drawn_tiles({"#######", "#.....#", "#.....#", "#.....#", "#######"});
    const Grid grid = grid_of(tiles);
    const auto judge = [&](const Agent& agent, double turn) {
        Route route;
        route.status = PathStatus::complete;
        Leg leg;
        leg.start = {{3.5, 2.5, 0.0}, 0.0, 0};
        leg.kind = LegKind::turn;
        leg.turn_rad = turn;
        EXPECT_TRUE(route.legs.push_back(leg));
        route.end = {{3.5, 2.5, 0.0}, math::wrap_pi(turn), 0};
        return verify(route, grid, agent, {.check_revision = false}).kind;
    };
    const Agent box = pivoting(box_body(4.0, 1.0), 2.0);
    Agent car = box;
    car.can_pivot = false;
    EXPECT_EQ(judge(car, 0.3), ViolationKind::turn);
    EXPECT_EQ(judge(box, 0.3), ViolationKind::none);
    EXPECT_EQ(judge(box, -kHalfPi), ViolationKind::wall);
    EXPECT_EQ(judge(pivoting(box_body(2.4, 1.0), 2.0), kPi), ViolationKind::none);
}

}  // namespace
}  // namespace fairlead::testing
