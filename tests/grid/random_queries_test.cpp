// Random queries of every planner against the oracle: statuses, lengths, legality, bounds. 2e4 a planner in the release
// build, by topics; the campaign random_campaign does a million.

#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/random_campaign.h"

namespace fairlead::testing {
namespace {

// `each`: how many queries every planner must have answered at least, in a full run.
void run_topic(Topic topic, int cases, std::uint64_t each = 0) {
    RandomTally tally;
    for (int i = 0; i < trials(cases); ++i) {
        const std::string problem = check_random_case(topic, static_cast<std::uint64_t>(i), 70, 8, tally);
        ASSERT_TRUE(problem.empty()) << topic_name(topic) << " case " << i << ": " << problem;
    }
    for (std::size_t p = 0; p < kPlanners; ++p) {
        ::testing::Test::RecordProperty(planner_name(static_cast<GridPlanner>(p)),
                                        std::to_string(tally.answered[p]));
        if (all_trials()) {
            // Every other world has a hierarchy.
            const bool clusters = static_cast<GridPlanner>(p) == GridPlanner::hierarchy;
            EXPECT_GE(tally.answered[p], clusters ? each / 3 : each)
                << planner_name(static_cast<GridPlanner>(p));
        }
    }
    // The cases must not have become trivial.
    if (all_trials()) {
        EXPECT_GT(tally.complete, tally.queries / 4);
        EXPECT_GT(tally.queries - tally.complete, tally.queries / 200);
    }
}

// Jump points answer a good quarter of these: the corner rule never, eight neighbours.
TEST(RandomQueriesSlow, Plain) { run_topic(Topic::plain, 9200, 20000); }
TEST(RandomQueriesSlow, Bodies) { run_topic(Topic::bodies, 900); }
TEST(RandomQueriesSlow, Terrain) { run_topic(Topic::terrain, 300); }
TEST(RandomQueriesSlow, Filtered) { run_topic(Topic::filtered, 300); }
TEST(RandomQueriesSlow, Influence) { run_topic(Topic::influence, 150); }
TEST(RandomQueriesSlow, Wrapped) { run_topic(Topic::wrapped, 300); }
TEST(RandomQueriesSlow, Layered) { run_topic(Topic::layered, 250); }
TEST(RandomQueriesSlow, Blocked) { run_topic(Topic::blocked, 300); }
TEST(RandomQueriesSlow, Regions) { run_topic(Topic::regions, 300); }
TEST(RandomQueriesSlow, Scaled) { run_topic(Topic::scaled, 250); }
TEST(RandomQueriesSlow, Everything) { run_topic(Topic::everything, 400); }

// A few of each, for the sanitizers.
TEST(RandomQueries, AFewOfEveryTopic) {
    RandomTally tally;
    for (std::size_t t = 0; t < static_cast<std::size_t>(Topic::count_); ++t) {
        for (int i = 0; i < trials(60); ++i) {
            const auto topic = static_cast<Topic>(t);
            const std::string problem =
                check_random_case(topic, 1000000U + static_cast<std::uint64_t>(i), 24, 2, tally);
            ASSERT_TRUE(problem.empty()) << topic_name(topic) << " case " << i << ": " << problem;
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
