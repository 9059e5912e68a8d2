// Every map of 4 x 4 cells and every pair of free cells on it, under all corner rules and with four neighbours, by every
// optimal planner. Here each pair is asked one way round; the campaign every_small_map asks both ways, and for walls.

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "oracle/grid_oracle.h"
#include "oracle/small_map.h"
#include "support/environment.h"
#include "support/small_check.h"

namespace fairlead::testing {
namespace {

void run_all_maps(CornerRule rule, Neighbourhood neighbours) {
    Scratch scratch;
    SmallTally tally;
    // All of them, or every eighth with another first one for each rule: what `trials` asks for.
    const std::uint32_t step = all_trials() ? 1 : 8;
    for (std::uint32_t free = static_cast<std::uint32_t>(rule) % step; free < oracle::kSmallMaps;
         free += step) {
        const std::string problem = check_small_map(free, rule, neighbours, SmallPart::half, scratch, tally);
        ASSERT_TRUE(problem.empty()) << problem;
    }
    // 65536 maps have on average 8 free cells and 38 pairs of free cells, a cell with itself included.
    if (step == 1) {
        EXPECT_EQ(tally.routes + tally.sealed, std::uint64_t{oracle::kSmallMaps} * 38);
    }
    EXPECT_GT(tally.sealed, 100000U / step);
    for (const GridPlanner planner : optimal_planners(rule, neighbours)) {
        EXPECT_EQ(tally.asked[static_cast<std::size_t>(planner)], tally.routes + tally.sealed);
    }
}

TEST(EverySmallMapSlow, CornersNever) { run_all_maps(CornerRule::never, Neighbourhood::eight); }
TEST(EverySmallMapSlow, CornersOneFree) { run_all_maps(CornerRule::one_free, Neighbourhood::eight); }
TEST(EverySmallMapSlow, CornersAlways) { run_all_maps(CornerRule::always, Neighbourhood::eight); }
TEST(EverySmallMapSlow, FourNeighbours) { run_all_maps(CornerRule::never, Neighbourhood::four); }

// Every planner on some of the maps, with walls as start and goal; for the sanitizers too.
TEST(EverySmallMap, AllPlannersOnSome) {
    Scratch scratch;
    SmallTally tally;
    Rng rng(4);
    for (int i = 0; i < trials(300); ++i) {
        const std::uint32_t free = i == 0 ? 0 : (i == 1 ? 0xffffU : rng.below(oracle::kSmallMaps));
        for (const CornerRule rule : {CornerRule::never, CornerRule::one_free, CornerRule::always}) {
            const std::string problem =
                check_small_map(free, rule, Neighbourhood::eight, SmallPart::all, scratch, tally);
            ASSERT_TRUE(problem.empty()) << problem;
        }
        const std::string problem =
            check_small_map(free, CornerRule::never, Neighbourhood::four, SmallPart::all, scratch, tally);
        ASSERT_TRUE(problem.empty()) << problem;
    }
}

// The two witnesses agree.
TEST(EverySmallMap, TheWitnessesAgree) {
    Rng rng(5);
    for (int i = 0; i < trials(300); ++i) {
        const std::uint32_t free = rng.below(oracle::kSmallMaps);
        oracle::World world;
        world.width = world.height = oracle::kSmallSide;
        for (std::int32_t c = 0; c < oracle::kSmallCells; ++c)
            world.tiles.push_back(static_cast<std::uint8_t>((free >> c) & 1U));
        GridQuery query;
        query.corner = static_cast<CornerRule>(rng.below(3));
        query.neighbours = rng.below(4) == 0 ? Neighbourhood::four : Neighbourhood::eight;
        const oracle::GridOracle large(world, query);
        const oracle::SmallMap small(free, query.corner, query.neighbours);
        for (std::int32_t from = 0; from < oracle::kSmallCells; ++from) {
            if (!small.free(from)) continue;
            const auto lengths = large.lengths_from(from);
            for (std::int32_t to = 0; to < oracle::kSmallCells; ++to) {
                if (!small.free(to)) continue;
                const oracle::SmallMap::Steps steps = small.shortest(from, to);
                const auto& length = lengths[static_cast<std::size_t>(to)];
                ASSERT_EQ(length.has_value(), steps.straight >= 0);
                if (length) {
                    ASSERT_EQ(*length, (oracle::Length{steps.straight, steps.diagonal, 0}));
                }
            }
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
