// Plans of several walkers against a breadth-first search over where all of them are, with steps looked at by sampling.
#include "fleet/walkers_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <vector>

#include <fairlead/base/rng.h>

#include "support/environment.h"

namespace fairlead::testing {
namespace {

using Config = std::vector<int>;

/// Some places of a small board, and steps between those that are joined.
struct Board {
    std::vector<Vec2> places;
    std::vector<std::vector<int>> joined;

    Board(Rng& rng, int width, int height, std::uint32_t walls, bool diagonal) {
        std::map<std::pair<int, int>, int> number;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                if (rng.below(100) < walls) continue;
                number[{x, y}] = static_cast<int>(places.size());
                places.push_back({static_cast<double>(x), static_cast<double>(y)});
            }
        }
        joined.resize(places.size());
        for (const auto& [at, from] : number) {
            for (int k = 0; k < 9; ++k) {
                const int dx = k % 3 - 1, dy = k / 3 - 1;
                if ((dx == 0) == (dy == 0) && !diagonal) continue;
                if (dx == 0 && dy == 0) continue;
                const auto to = number.find({at.first + dx, at.second + dy});
                if (to != number.end()) joined[static_cast<std::size_t>(from)].push_back(to->second);
            }
        }
    }
};

bool keep_apart(const Board& board, const Config& before, const Config& after, double radius) {
    for (std::size_t i = 0; i < before.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            for (int part = 0; part <= 64; ++part) {
                const double t = part / 64.0;
                const auto at = [&](std::size_t who) {
                    const Vec2 a = board.places[static_cast<std::size_t>(before[who])];
                    const Vec2 b = board.places[static_cast<std::size_t>(after[who])];
                    return a + (b - a) * t;
                };
                if (length(at(i) - at(k)) < 2.0 * radius - 1e-6) return false;
            }
        }
    }
    return true;
}

bool can_be_solved(const Board& board, const Config& start, const Config& goal, double radius) {
    std::map<Config, bool> seen{{start, true}};
    std::queue<Config> open;
    open.push(start);
    while (!open.empty()) {
        const Config at = open.front();
        open.pop();
        if (at == goal) return true;
        std::vector<Config> next{{}};
        for (const int place : at) {
            std::vector<Config> longer;
            for (const Config& so_far : next) {
                for (int k = -1; k < static_cast<int>(board.joined[static_cast<std::size_t>(place)].size());
                     ++k) {
                    Config one = so_far;
                    one.push_back(
                        k < 0 ? place
                              : board.joined[static_cast<std::size_t>(place)][static_cast<std::size_t>(k)]);
                    longer.push_back(one);
                }
            }
            next = longer;
        }
        for (const Config& to : next) {
            if (seen.count(to) != 0 || !keep_apart(board, at, to, radius)) continue;
            seen[to] = true;
            open.push(to);
        }
    }
    return false;
}

TEST(WalkersPlan, FindsAPlanWhereThereIsOne) {
    int found = 0, none = 0;
    const int count = trials(150);
    for (int round = 0; round < count; ++round) {
        SCOPED_TRACE(round);
        Rng rng(900 + static_cast<std::uint64_t>(round));
        const Board board(rng, 4, 3, 20 + rng.below(30), rng.below(2) == 0);
        const auto walkers = static_cast<std::size_t>(rng.between(2, 3));
        if (board.places.size() < walkers + 1) continue;
        const double radius = rng.below(2) == 0 ? 0.4 : 0.5;
        Config start, goal;
        const auto draw = [&](Config& into) {
            while (into.size() < walkers) {
                const auto place =
                    static_cast<int>(rng.below(static_cast<std::uint32_t>(board.places.size())));
                if (std::find(into.begin(), into.end(), place) == into.end()) into.push_back(place);
            }
        };
        draw(start);
        draw(goal);
        fleet::WalkersPlan plan{Allocator{}};
        for (const Vec2 at : board.places) ASSERT_NE(plan.add_place(at), fleet::kNoPlanPlace);
        for (std::size_t a = 0; a < board.places.size(); ++a) {
            for (const int b : board.joined[a]) {
                if (static_cast<std::size_t>(b) < a) continue;
                ASSERT_TRUE(plan.join(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)));
            }
        }
        bool joined = true;
        for (std::size_t i = 0; i < walkers; ++i)
            joined = joined && plan.add_walker(static_cast<std::uint32_t>(start[i]),
                                               static_cast<std::uint32_t>(goal[i]), radius);
        const bool can = can_be_solved(board, start, goal, radius);
        if (!joined) {
            EXPECT_FALSE(can);
            continue;
        }
        ASSERT_TRUE(plan.begin());
        for (int slice = 0; plan.running() && slice < 1000000; ++slice) (void)plan.step(7);
        ASSERT_EQ(plan.found(), can);
        ++(can ? found : none);
        if (!can) continue;
        Config before = start;
        for (std::uint32_t s = 0; s < plan.state_count(); ++s) {
            Config at;
            for (std::uint32_t i = 0; i < plan.walker_count(); ++i)
                at.push_back(static_cast<int>(plan.place_of(s, i)));
            ASSERT_TRUE(keep_apart(board, before, at, radius));
            for (std::size_t i = 0; i < at.size(); ++i) {
                const std::vector<int>& to = board.joined[static_cast<std::size_t>(before[i])];
                ASSERT_TRUE(at[i] == before[i] || std::find(to.begin(), to.end(), at[i]) != to.end());
            }
            before = at;
        }
        EXPECT_EQ(before, goal);
    }
    if (all_trials()) {
        EXPECT_GT(found, 40);
        EXPECT_GT(none, 8);
    }
}

TEST(WalkersPlan, TwentyOnABoard) {
    Rng rng(4);
    const Board board(rng, 12, 12, 10, true);
    fleet::WalkersPlan plan{Allocator{}};
    for (const Vec2 at : board.places) (void)plan.add_place(at);
    for (std::size_t a = 0; a < board.places.size(); ++a) {
        for (const int b : board.joined[a]) {
            if (static_cast<std::size_t>(b) < a) continue;
            ASSERT_TRUE(plan.join(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)));
        }
    }
    const std::uint32_t last = plan.place_count() - 1;
    for (std::uint32_t i = 0; i < fleet::kPlanWalkersMax; ++i) ASSERT_TRUE(plan.add_walker(i, last - i, 0.4));
    EXPECT_FALSE(plan.add_walker(50, 50, 0.4));  // no more
    ASSERT_TRUE(plan.begin());
    (void)plan.step(5000);
    EXPECT_TRUE(plan.found());
    EXPECT_LT(plan.state_count(), 200U);
}

}  // namespace
}  // namespace fairlead::testing
