// Every map of 4 x 4 cells, every pair of cells both ways round, all corner rules and four neighbours, every optimal
// planner.
//
//     every_small_map [--from 0] [--to 65536]

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "oracle/small_map.h"
#include "support/small_check.h"

using namespace fairlead;
using namespace fairlead::testing;

int main(int count, char** words) {
    std::uint32_t from = 0;
    std::uint32_t to = oracle::kSmallMaps;
    for (int i = 1; i + 1 < count; i += 2) {
        const auto value = static_cast<std::uint32_t>(std::strtoul(words[i + 1], nullptr, 10));
        if (std::strcmp(words[i], "--from") == 0) from = value;
        if (std::strcmp(words[i], "--to") == 0) to = value;
    }
    struct Kind {
        const char* name;
        CornerRule rule;
        Neighbourhood neighbours;
    };
    constexpr Kind kKinds[] = {{"never", CornerRule::never, Neighbourhood::eight},
                               {"one_free", CornerRule::one_free, Neighbourhood::eight},
                               {"always", CornerRule::always, Neighbourhood::eight},
                               {"four neighbours", CornerRule::never, Neighbourhood::four}};
    Scratch scratch;
    int failures = 0;
    for (const Kind& kind : kKinds) {
        SmallTally tally;
        for (std::uint32_t free = from; free < to && failures < 20; ++free) {
            const std::string problem =
                check_small_map(free, kind.rule, kind.neighbours, SmallPart::all, scratch, tally);
            if (problem.empty()) continue;
            std::printf("%s, %s\n", kind.name, problem.c_str());
            ++failures;
        }
        std::uint64_t asked = 0;
        for (const std::uint64_t n : tally.asked) asked += n;
        std::printf("%-15s %10llu routes, %10llu sealed, %10llu blocked pairs; %11llu queries\n", kind.name,
                    static_cast<unsigned long long>(tally.routes),
                    static_cast<unsigned long long>(tally.sealed),
                    static_cast<unsigned long long>(tally.blocked), static_cast<unsigned long long>(asked));
        std::fflush(stdout);
    }
    std::printf("every_small_map: %d wrong\n", failures);
    return failures == 0 ? 0 : 1;
}
