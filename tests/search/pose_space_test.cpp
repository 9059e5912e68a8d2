// PoseSpace in three dimensions: a small craft in a world of cubes that heads four ways, climbs, and may fly backward, against Dijkstra
// over all its states by hand; with jumps, with a curve all the way, with more moves than are read ahead.

#include <gtest/gtest.h>

#include <queue>
#include <set>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/search/engine.h>

#include "search/pose_space.h"

namespace fairlead {
namespace {

constexpr std::uint32_t kWide = 5, kHigh = 4, kHeadings = 4;
constexpr std::uint32_t kStates = kWide * kWide * kHigh * kHeadings * 2;
constexpr Cost kCusp = 7;

// ---- the world: a state is ((z * wide + y) * wide + x) * 8 + heading * 2 + gear

struct Craft {
    int x = 0, y = 0, z = 0;
    std::uint32_t heading = 0, gear = 0;
};

Craft craft_at(std::uint32_t state) {
    const std::uint32_t cube = state / 8;
    return {static_cast<int>(cube % kWide), static_cast<int>(cube / kWide % kWide),
            static_cast<int>(cube / (kWide * kWide)), state % 8 / 2, state % 2};
}

std::uint32_t state_at(const Craft& c) {
    const int cube = (c.z * static_cast<int>(kWide) + c.y) * static_cast<int>(kWide) + c.x;
    return static_cast<std::uint32_t>(cube) * 8 + c.heading * 2 + c.gear;
}

class Cubes {
  public:
    std::vector<std::vector<PoseMove>> moves_of{kStates};
    std::vector<std::vector<PoseMove>> jumps_of{kStates};
    std::vector<PoseMove> starts;
    std::set<std::uint32_t> goals;  ///< from which the goal is one curve away
    Cost curve = 3;
    Craft goal{};
    bool two_gears = true;

    class Moves {
      public:
        Moves(const std::vector<PoseMove>& all, std::uint32_t gear, bool keeps_gear)
            : all_(&all), gear_(gear), keeps_gear_(keeps_gear) {}
        [[nodiscard]] bool next(PoseMove& move) {
            while (next_ < all_->size()) {
                move = (*all_)[next_++];
                if (!keeps_gear_ || move.state % 2 == gear_) return true;
            }
            return false;
        }

      private:
        const std::vector<PoseMove>* all_;
        std::size_t next_ = 0;
        std::uint32_t gear_;
        bool keeps_gear_;
    };
    [[nodiscard]] static std::uint32_t goal_state() { return kStates; }
    [[nodiscard]] std::uint32_t gear_bit() const { return two_gears ? 1 : 0; }
    template <class Visit>
    void each_start(bool, const Visit& visit) const {
        for (const PoseMove& start : starts) visit(start.state, start.cost);
    }
    [[nodiscard]] Moves moves(std::uint32_t state, bool keeps_gear) const {
        return {moves_of[state], state % 2, keeps_gear};
    }
    template <class Visit>
    void each_jump(std::uint32_t state, const Visit& visit) const {
        for (const PoseMove& jump : jumps_of[state]) visit(jump);
    }
    // Each cube costs 1 at least; a jump may cross the whole world for that.
    [[nodiscard]] Cost least_left(std::uint32_t state) const {
        const Craft c = craft_at(state);
        const bool is_there = c.x == goal.x && c.y == goal.y && c.z == goal.z;
        return is_there ? 0 : 1;
    }
    [[nodiscard]] bool cost_to_goal(std::uint32_t state, Cost& cost) const {
        cost = curve;
        return goals.contains(state);
    }
};
static_assert(PoseWorld<Cubes>);

Cubes random_cubes(Rng& rng, bool two_gears) {
    Cubes world;
    world.two_gears = two_gears;
    std::vector<bool> wall(kWide * kWide * kHigh);
    for (std::size_t i = 0; i < wall.size(); ++i) wall[i] = rng.below(4) == 0;
    const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
    // What a pose leads to is the same in either gear.
    for (std::uint32_t s = 0; s < kStates; s += 2) {
        if (wall[s / 8]) continue;
        const Craft c = craft_at(s);
        std::vector<PoseMove>& moves = world.moves_of[s];
        for (std::uint32_t gear = 0; gear < (two_gears ? 2U : 1U); ++gear) {
            const int way = gear == 0 ? 1 : -1;
            for (const int climb : {-1, 0, 1}) {
                for (const std::uint32_t turn : {0U, 1U, 3U}) {
                    const Craft to{c.x + way * dx[c.heading], c.y + way * dy[c.heading], c.z + climb,
                                   (c.heading + turn) % kHeadings, gear};
                    const bool inside = to.x >= 0 && to.y >= 0 && to.z >= 0 &&
                                        to.x < static_cast<int>(kWide) && to.y < static_cast<int>(kWide) &&
                                        to.z < static_cast<int>(kHigh);
                    if (!inside || wall[state_at(to) / 8]) continue;
                    const Cost cost = 1 + (climb > 0 ? 2 : 0) + (turn == 0 ? 0 : 1) + gear;
                    moves.push_back({state_at(to), 0, cost});
                }
            }
        }
        // Dear ways about, so that some states have more moves than are read ahead.
        for (std::uint32_t k = 0; s % 16 == 0 && k < 40; ++k) {
            const std::uint32_t to = two_gears ? rng.below(kStates) : rng.below(kStates) & ~1U;
            if (!wall[to / 8]) moves.push_back({to, 2, 20 + rng.below(20)});
        }
        if (two_gears) world.moves_of[s + 1] = moves;
        // A link keeps the gear.
        const std::uint32_t far = rng.below(kStates) & ~1U;
        if (rng.below(30) != 0 || wall[far / 8]) continue;
        const Cost cost = 1 + rng.below(9);
        world.jumps_of[s].push_back({far, 1, cost});
        if (two_gears) world.jumps_of[s + 1].push_back({far + 1, 1, cost});
    }
    const auto free_state = [&] {
        for (;;) {
            const std::uint32_t s = rng.below(kStates) & ~1U;
            if (!wall[s / 8]) return s;
        }
    };
    const std::uint32_t start = free_state();
    world.starts.push_back({start, 0, 0});
    if (two_gears) world.starts.push_back({start | 1U, 0, 0});
    world.goal = craft_at(free_state());
    for (std::uint32_t h = 0; h < 2; ++h) {
        Craft at = world.goal;
        at.heading = h;
        world.goals.insert(state_at(at));
        world.goals.insert(state_at(at) + 1);
    }
    return world;
}

// ---- the oracle: Dijkstra with a heap of the standard library, every move with its change of gear, nothing left out

Cost least_cost(const Cubes& world, Cost direct) {
    std::vector<Cost> best(kStates, kCostMax);
    using Entry = std::pair<Cost, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const auto reach = [&](std::uint32_t s, Cost g) {
        if (g >= best[s]) return;
        best[s] = g;
        open.push({g, s});
    };
    for (const PoseMove& start : world.starts) reach(start.state, start.cost);
    Cost least = direct;
    while (!open.empty()) {
        const auto [g, s] = open.top();
        open.pop();
        if (g != best[s]) continue;
        if (world.goals.contains(s)) least = std::min(least, g + world.curve);
        for (const PoseMove& move : world.moves_of[s])
            reach(move.state, g + move.cost + (world.two_gears && ((move.state ^ s) & 1U) != 0 ? kCusp : 0));
        for (const PoseMove& jump : world.jumps_of[s]) reach(jump.state, g + jump.cost);
    }
    return least;
}

using Space = PoseSpace<Cubes, HashedNodes>;

struct OpenedStates {
    std::vector<std::uint32_t>* list = nullptr;
    void expanded(std::uint32_t state, Cost) const { list->push_back(state); }
    void generated(std::uint32_t, Cost) const {}
};
using Engine = BestFirst<Space, AStarKey, HeapOpen, HashedNodes, OpenedStates>;

TEST(PoseSpace, FindsTheLeastCostInThreeDimensions) {
    Rng rng(20261129);
    int joined = 0, by_curve = 0;
    for (int i = 0; i < 400; ++i) {
        Cubes world = random_cubes(rng, i % 3 != 0);
        const Cost direct = i % 4 == 0 ? Cost{8} + rng.below(20) : kCostMax;
        HashedNodes nodes;
        HeapOpen open;
        Space space(world, nodes);
        space.set_costs(kCusp, direct);
        std::vector<std::uint32_t> opened;
        Engine engine(space, open, nodes, {}, {&opened});
        engine.begin();
        const SearchProgress progress = engine.step(UINT64_MAX);
        const Cost least = least_cost(world, direct);
        ASSERT_EQ(progress == SearchProgress::found, least != kCostMax) << i;
        if (progress != SearchProgress::found) continue;
        ASSERT_EQ(engine.goal_cost(), least) << i;
        ASSERT_EQ(space.goal_cost(), least) << i;
        ++joined;
        if (least == direct) ++by_curve;
    }
    EXPECT_GT(joined, 200);
    EXPECT_GT(by_curve, 10);
}

// The same world with its changes of gear in its moves, where no pose is left out for its twin.
Cubes with_changes_in_moves(const Cubes& world) {
    Cubes out = world;
    out.two_gears = false;
    for (std::uint32_t s = 0; s < kStates; ++s) {
        for (PoseMove& move : out.moves_of[s]) move.cost += ((move.state ^ s) & 1U) != 0 ? kCusp : 0;
    }
    return out;
}

TEST(PoseSpace, APoseIsLeftOutForItsTwin) {
    Rng rng(7);
    std::uint64_t all = 0, opened = 0;
    for (int i = 0; i < 100; ++i) {
        Cubes worlds[2] = {random_cubes(rng, true), {}};
        worlds[0].goals.clear();
        worlds[1] = with_changes_in_moves(worlds[0]);
        std::uint64_t counts[2];
        for (int k = 0; k < 2; ++k) {
            HashedNodes nodes;
            HeapOpen open;
            Space space(worlds[k], nodes);
            space.set_costs(kCusp, kCostMax);
            std::vector<std::uint32_t> list;
            Engine engine(space, open, nodes, {}, {&list});
            engine.begin();
            ASSERT_EQ(engine.step(UINT64_MAX), SearchProgress::exhausted);
            counts[k] = engine.expanded();
        }
        ASSERT_LE(counts[0], counts[1]) << i;
        opened += counts[0];
        all += counts[1];
    }
    EXPECT_LT(opened * 10, all * 9);
}

TEST(PoseSpace, KeepsThePoseOpenedThatIsNearestToTheGoal) {
    Rng rng(11);
    int kept = 0;
    for (int i = 0; i < 200; ++i) {
        Cubes world = random_cubes(rng, true);
        HashedNodes nodes;
        HeapOpen open;
        Space space(world, nodes);
        space.set_costs(kCusp, kCostMax);
        EXPECT_EQ(space.nearest(), kNoNode);  // not asked for
        space.watch_nearest();
        std::vector<std::uint32_t> opened;
        Engine engine(space, open, nodes, {}, {&opened});
        engine.begin();
        (void)engine.step(1 + rng.below(60));
        const Cost from_start = world.least_left(world.starts[0].state);
        std::uint32_t nearest = kNoNode;
        Cost left = from_start;
        for (const std::uint32_t state : opened) {
            if (world.least_left(state) >= left) continue;
            left = world.least_left(state);
            nearest = state;
        }
        ASSERT_EQ(space.nearest(), nearest) << i;
        kept += nearest != kNoNode ? 1 : 0;
        space.stop_watching();
        EXPECT_EQ(space.nearest(), kNoNode);
    }
    EXPECT_GT(kept, 20);
}

}  // namespace
}  // namespace fairlead
