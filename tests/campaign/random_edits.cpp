// Random edits of random worlds, each compared with a grid built anew.
//
//     random_edits [--edits 100000] [--seed 1]

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "support/random_edits.h"

using namespace fairlead::testing;

int main(int count, char** words) {
    std::uint64_t edits = 100000;
    std::uint64_t seed = 1;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::uint64_t value = std::strtoull(words[i + 1], nullptr, 10);
        if (std::strcmp(words[i], "--edits") == 0) edits = value;
        if (std::strcmp(words[i], "--seed") == 0) seed = value;
    }
    EditTally tally;
    int failures = 0;
    for (std::uint64_t world = seed << 32; tally.edits < edits && failures < 20; ++world) {
        const std::string problem = check_random_edits(world, world % 16 == 0 ? 400 : 100, 50, tally);
        if (!problem.empty()) {
            std::printf("world %llu, %s\n", static_cast<unsigned long long>(world), problem.c_str());
            ++failures;
        }
        if (tally.worlds % 200 == 0) {
            std::printf("%llu worlds, %llu edits\n", static_cast<unsigned long long>(tally.worlds),
                        static_cast<unsigned long long>(tally.edits));
            std::fflush(stdout);
        }
    }
    std::printf("random_edits: %llu worlds, %llu edits, %llu snapshots, %d wrong\n",
                static_cast<unsigned long long>(tally.worlds), static_cast<unsigned long long>(tally.edits),
                static_cast<unsigned long long>(tally.snapshots), failures);
    return failures == 0 ? 0 : 1;
}
