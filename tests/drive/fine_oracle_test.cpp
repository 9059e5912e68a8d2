// The fine oracle: exact on open ground, legal by both witnesses, never worse than the search that it is to judge.

#include "oracle/fine_oracle.h"

#include <gtest/gtest.h>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>

#include "oracle/pose_sampler.h"
#include "support/bodies.h"
#include "support/drive_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

using oracle::FineAnswer;
using oracle::PoseMap;

Agent random_driver(Rng& rng) {
    Agent agent{.radius = 0.45};
    if (rng.below(3) == 0) agent = box_body(2.0, 1.0, 0.4);
    agent.turning_radius = rng.between(1, 2);
    agent.can_reverse = rng.below(2) == 0;
    return agent;
}

TEST(FineOracle, OnOpenGroundItIsTheShortestCurve) {
    Rng rng(5);
    PoseMap map{40, 40, {}};
    map.tile.assign(1600, 1);
    for (int i = 0; i < 20; ++i) {
        const Agent agent{.radius = 0.3, .turning_radius = 2.0, .can_reverse = i % 2 == 0};
        Pose pose[2];
        for (Pose& p : pose) p = {{rng.between(14.0, 26.0), rng.between(14.0, 26.0)}, rng.between(-kPi, kPi)};
        const FineAnswer answer = find_fine(map, agent, {pose[0], pose[1], 1.0, 0.0});
        const double best = agent.can_reverse ? reeds_shepp_distance(pose[0], pose[1], 2.0)
                                              : dubins_distance(pose[0], pose[1], 2.0);
        ASSERT_TRUE(answer.reachable);
        EXPECT_NEAR(answer.cost, best, 1e-9) << i;
        EXPECT_FALSE(answer.doubtful);
    }
}

TEST(FineOracleSlow, ASealedGoalIsNotReached) {
    PoseMap map{12, 9, {}};
    map.tile.assign(108, 1);
    for (std::size_t y = 0; y < 9; ++y) map.tile[y * 12 + 6] = 0;
    const Agent agent{.radius = 0.4, .turning_radius = 1.5, .can_reverse = true};
    EXPECT_FALSE(find_fine(map, agent, {{{3.5, 4.5}, 0}, {{9.5, 4.5}, 0}}).reachable);
    // A door, too narrow and then wide enough.
    map.tile[5 * 12 + 6] = 1;
    EXPECT_TRUE(find_fine(map, agent, {{{3.5, 4.5}, 0}, {{9.5, 4.5}, 0}}).reachable);
    const Agent wide{.radius = 0.6, .turning_radius = 1.5, .can_reverse = true};
    EXPECT_FALSE(find_fine(map, wide, {{{3.5, 4.5}, 0}, {{9.5, 4.5}, 0}}).reachable);
}

TEST(FineOracleSlow, IsLegalAndNeverWorseThanTheSearch) {
    Rng rng(6);
    Scratch scratch;
    Route route;
    int solved = 0;
    int both = 0;
    for (int i = 0; i < trials(24); ++i) {
        const PoseMap map = random_drive_map(rng, static_cast<MapStyle>(rng.below(4)), 20, 20);
        DriveQuery query{.agent = random_driver(rng), .planner = DrivePlanner::lattice};
        if (!random_free_pose(rng, map, query.agent, i % 2 == 0, query.start) ||
            !random_free_pose(rng, map, query.agent, i % 2 == 0, query.goal.at)) {
            continue;
        }
        const Grid grid = grid_of(map);
        ASSERT_TRUE(find_route_into(grid, query, scratch, route).has_value());
        const FineAnswer answer =
            find_fine(map, query.agent,
                      {query.start.pose(), query.goal.at.pose(), query.reverse_penalty, query.cusp_penalty});
        SCOPED_TRACE(i);
        if (route.status == PathStatus::complete) {
            ++both;
            ASSERT_TRUE(answer.reachable);
            // Both are judged by the same measure, over the legs.
            EXPECT_LE(answer.cost,
                      1.01 * oracle::drive_cost(route, query.reverse_penalty, query.cusp_penalty));
        }
        if (!answer.reachable) continue;
        ++solved;
        EXPECT_FALSE(answer.doubtful);
        EXPECT_NEAR(answer.cost, oracle::drive_cost(answer.route, query.reverse_penalty, query.cusp_penalty),
                    1e-9);
        const oracle::PoseFinding found = sample_route(
            answer.route, map, query.agent, {.start = query.start.pose(), .goal = query.goal.at.pose()});
        EXPECT_FALSE(found) << fault_name(found.fault) << " by " << found.amount;
    }
    EXPECT_GT(solved, trials(24) / 4);
    EXPECT_GT(both, trials(24) / 8);
}

}  // namespace
}  // namespace fairlead::testing
