// Plans by pushing and swapping, played step by step by plain rules; and lanes in which a search over joint steps gives up.
#include "fleet/walkers_swap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include <fairlead/base/rng.h>

#include "fleet/walkers_plan.h"
#include "scenes/lane_maze.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

using fleet::SwapMove;
using fleet::SwapPlan;
using fleet::WalkersPlan;

using Places = std::vector<std::uint16_t>;

/// The free tiles of a maze, and those beside each.
struct Lanes {
    std::vector<Vec2> places{};
    std::vector<Places> joined{};

    Lanes(Rng& rng, std::int32_t width, std::int32_t height) {
        const std::vector<std::uint8_t> tiles = scenes::lane_maze(rng, width, height);
        std::vector<int> number(tiles.size(), -1);
        for (std::int32_t y = 0; y < height; ++y) {
            for (std::int32_t x = 0; x < width; ++x) {
                const auto tile = static_cast<std::size_t>(y * width + x);
                if (tiles[tile] == 0) continue;
                number[tile] = static_cast<int>(places.size());
                places.push_back({static_cast<double>(x), static_cast<double>(y)});
                joined.emplace_back();
                for (const std::size_t before : {tile - 1, tile - static_cast<std::size_t>(width)}) {
                    if (number[before] < 0) continue;  // there are walls all around
                    joined[static_cast<std::size_t>(number[before])].push_back(
                        static_cast<std::uint16_t>(number[tile]));
                    joined.back().push_back(static_cast<std::uint16_t>(number[before]));
                }
            }
        }
    }
    template <class Plan>
    void join_all(Plan& plan) const {
        for (std::uint16_t a = 0; a < places.size(); ++a) {
            for (const std::uint16_t b : joined[a]) {
                if (a >= b) continue;
                ASSERT_TRUE(plan.join(a, b));
            }
        }
    }
    Places draw(Rng& rng, std::size_t count) const {
        Places drawn;
        while (drawn.size() < count) {
            const auto place =
                static_cast<std::uint16_t>(rng.below(static_cast<std::uint32_t>(places.size())));
            if (std::find(drawn.begin(), drawn.end(), place) == drawn.end()) drawn.push_back(place);
        }
        return drawn;
    }
    bool are_joined(std::uint16_t a, std::uint16_t b) const {
        return std::find(joined[a].begin(), joined[a].end(), b) != joined[a].end();
    }
};

/// Moves of a step have no place in common, and nobody stands where one comes to.
void play(const Lanes& lanes, Places at, const Places& goals, std::span<const SwapMove> moves) {
    std::size_t played = 0;
    for (std::uint16_t step = 1; played < moves.size(); ++step) {
        Places touched;
        const Places before = at;
        for (const SwapMove& move : moves) {
            if (move.step != step) continue;
            ++played;
            ASSERT_EQ(move.from, before[move.walker]);
            ASSERT_TRUE(lanes.are_joined(move.from, move.to));
            for (const std::uint16_t place : {move.from, move.to}) {
                ASSERT_EQ(std::count(touched.begin(), touched.end(), place), 0);
                touched.push_back(place);
            }
            ASSERT_EQ(std::count(before.begin(), before.end(), move.to), 0);
            at[move.walker] = move.to;
        }
        ASSERT_FALSE(touched.empty());
    }
    EXPECT_EQ(at, goals);
}

TEST(SwapPlan, MazesOfLanesWithAnyoneAnywhere) {
    std::size_t longest = 0;
    const int count = trials(200);
    int found = 0;
    for (int round = 0; round < count; ++round) {
        SCOPED_TRACE(round);
        Rng rng(40 + static_cast<std::uint64_t>(round));
        const Lanes lanes(rng, 9 + 2 * rng.between(0, 8), 9 + 2 * rng.between(0, 4));
        const auto walkers = static_cast<std::size_t>(rng.between(2, 10));
        const Places starts = lanes.draw(rng, walkers), goals = lanes.draw(rng, walkers);
        SwapPlan plan{Allocator{}};
        ASSERT_TRUE(plan.begin(static_cast<std::uint32_t>(lanes.places.size())));
        lanes.join_all(plan);
        if (!plan.solve(starts, goals)) continue;
        ++found;
        play(lanes, starts, goals, plan.moves());
        for (const SwapMove& move : plan.moves()) longest = std::max<std::size_t>(longest, move.step);
        if (HasFailure()) return;
    }
    if (all_trials()) {
        EXPECT_GE(found, 190);
    }
    EXPECT_LT(longest, 2000U);
}

// A lane has no place to pass.
TEST(SwapPlan, NobodyPassesInALane) {
    SwapPlan plan{Allocator{}};
    ASSERT_TRUE(plan.begin(6));
    for (std::uint32_t i = 0; i + 1 < 6; ++i) ASSERT_TRUE(plan.join(i, i + 1));
    const Places starts{0, 1}, goals{1, 0}, ahead{3, 5};
    EXPECT_FALSE(plan.solve(starts, goals));
    ASSERT_TRUE(plan.solve(starts, ahead));
    EXPECT_EQ(plan.moves().back().step, 4);  // one right behind the other
    ASSERT_TRUE(plan.solve(starts, starts));
    EXPECT_TRUE(plan.moves().empty());
}

// What a search over joint steps does not find in 131,072 of them: somebody has to go back a whole lane.
TEST(WalkersPlan, LongLanes) {
    const int count = trials(30);
    for (int round = 0; round < count; ++round) {
        SCOPED_TRACE(round);
        Rng rng(8000 + static_cast<std::uint64_t>(round));
        const Lanes lanes(rng, 25, 13);
        const Places starts = lanes.draw(rng, 6), goals = lanes.draw(rng, 6);
        WalkersPlan plan{Allocator{}};
        for (const Vec2 at : lanes.places) ASSERT_NE(plan.add_place(at), fleet::kNoPlanPlace);
        lanes.join_all(plan);
        for (std::size_t i = 0; i < 6; ++i) ASSERT_TRUE(plan.add_walker(starts[i], goals[i], 0.4));
        ASSERT_TRUE(plan.begin());
        std::uint64_t used = 0;
        while (plan.running() && used < 1000000) {
            const std::uint64_t units = plan.step(500);
            ASSERT_LE(units, 500U);
            used += units;
        }
        ASSERT_TRUE(plan.found());
        for (std::uint32_t i = 0; i < 6; ++i) {
            EXPECT_EQ(plan.place_of(0, i), starts[i]);
            EXPECT_EQ(plan.place_of(plan.state_count() - 1, i), goals[i]);
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
