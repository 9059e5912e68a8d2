// Random queries of every planner against the oracle, by topics: until each planner has answered --queries of them.
//
//     random_queries [--queries 1000000] [--seed 1] [--topic NAME]
//     random_queries --topic NAME --case N       the case of that number alone, as a failure prints it

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>

#include <fairlead/grid/find_route.h>

#include "support/random_campaign.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

struct Options {
    std::uint64_t queries = 1000000;
    std::uint64_t seed = 1;
    std::uint64_t only = 0;  // a case's number
    std::string topic;
};

Options read_options(int count, char** words) {
    Options options;
    for (int i = 1; i + 1 < count; i += 2) {
        if (std::strcmp(words[i], "--queries") == 0)
            options.queries = std::strtoull(words[i + 1], nullptr, 10);
        if (std::strcmp(words[i], "--seed") == 0) options.seed = std::strtoull(words[i + 1], nullptr, 10);
        if (std::strcmp(words[i], "--case") == 0) options.only = std::strtoull(words[i + 1], nullptr, 10);
        if (std::strcmp(words[i], "--topic") == 0) options.topic = words[i + 1];
    }
    return options;
}

std::uint64_t least_answered(const RandomTally& tally) {
    return *std::min_element(tally.answered.begin(), tally.answered.end());
}

// Says what is wrong, if anything is.
bool passes(Topic topic, std::uint64_t number, RandomTally& tally) {
    const std::string problem = check_random_case(topic, number, number / 16 % 16 == 0 ? 160 : 70, 16, tally);
    if (!problem.empty()) {
        std::printf("%s case %llu: %s\n", topic_name(topic), static_cast<unsigned long long>(number),
                    problem.c_str());
    }
    return problem.empty();
}

}  // namespace

int main(int count, char** words) {
    const Options options = read_options(count, words);
    RandomTally tally;
    std::uint64_t cases = 0;
    int failures = 0;
    // Twice as many cases of the plain topics, which jump points can answer.
    constexpr Topic kOrder[] = {Topic::plain,    Topic::bodies,    Topic::terrain,   Topic::plain,
                                Topic::filtered, Topic::bodies,    Topic::wrapped,   Topic::plain,
                                Topic::layered,  Topic::blocked,   Topic::regions,   Topic::plain,
                                Topic::scaled,   Topic::influence, Topic::everything};
    if (options.only != 0) {
        bool good = true;
        for (const Topic topic : kOrder) {
            if (options.topic == topic_name(topic)) {
                good = passes(topic, options.only, tally);
                break;
            }
        }
        return good ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    for (std::uint64_t seed = options.seed << 32; failures < 20; ++seed) {
        const bool enough = options.topic.empty() ? least_answered(tally) >= options.queries
                                                  : tally.queries >= options.queries;
        if (enough) break;
        for (std::size_t slot = 0; slot < std::size(kOrder); ++slot) {
            const Topic topic = kOrder[slot];
            const std::uint64_t number = seed * 16 + slot;
            if (!options.topic.empty() && options.topic != topic_name(topic)) continue;
            ++cases;
            if (!passes(topic, number, tally)) ++failures;
        }
        if ((seed & 0xffff) % 1000 == 999) {
            std::printf("%llu worlds, %llu queries, fewest answers of a planner %llu\n",
                        static_cast<unsigned long long>(cases),
                        static_cast<unsigned long long>(tally.queries),
                        static_cast<unsigned long long>(least_answered(tally)));
            std::fflush(stdout);
        }
    }
    for (std::size_t p = 0; p < kPlanners; ++p) {
        std::printf("%-18s %12llu answered %12llu refused\n", planner_name(static_cast<GridPlanner>(p)),
                    static_cast<unsigned long long>(tally.answered[p]),
                    static_cast<unsigned long long>(tally.refused[p]));
    }
    std::printf("random_queries: %llu worlds, %llu start and goal pairs, %llu with a route, %d wrong\n",
                static_cast<unsigned long long>(cases), static_cast<unsigned long long>(tally.queries),
                static_cast<unsigned long long>(tally.complete), failures);
    return failures == 0 ? 0 : 1;
}
