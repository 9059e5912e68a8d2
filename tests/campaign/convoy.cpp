// The yards of twelve vehicles for as many seeds as wanted: all must arrive within 3 times the time alone, nothing overlaps, limits hold.
//   convoy [--seeds 100] [--fresh 100] [--boxes 0]      stated seeds 0 up, fresh ones 1000000 up, each in the yards of 44 and 32 m
//   convoy --side 32 --seed N [--boxes 1]               one run

#include <cstdio>
#include <cstdlib>
#include <string>

#include "campaign/flags.h"
#include "support/convoy_run.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

struct Tally {
    int runs = 0;
    int in_time = 0;
    int missing = 0;
    int illegal = 0;
    double worst = 0.0;
    double nearest = 1e300;
};

void play(const YardTrial& trial, Tally& tally) {
    const YardVerdict verdict = play_yard(trial);
    ++tally.runs;
    tally.missing += verdict.missing;
    const bool legal = verdict.overlap <= 1e-6 && verdict.speed <= 2.0 + 1e-9 &&
                       verdict.accel <= 1.0 + 1e-6 && verdict.curvature <= (1.0 + 1e-6) / 3.0 &&
                       verdict.jump <= 1e-9;
    tally.illegal += legal ? 0 : 1;
    const bool good = verdict.missing == 0 && verdict.worst <= 3.0;
    tally.in_time += good ? 1 : 0;
    tally.worst = verdict.worst > tally.worst ? verdict.worst : tally.worst;
    tally.nearest = verdict.nearest < tally.nearest ? verdict.nearest : tally.nearest;
    if (!good || !legal) {
        std::printf("  side %.0f seed %llu: %d missing, worst %.2f, deepest %.6f\n", trial.side,
                    static_cast<unsigned long long>(trial.seed), verdict.missing, verdict.worst,
                    verdict.overlap);
    }
}

Tally play_seeds(double side, std::uint64_t first, std::uint64_t count, bool boxes, const char* name) {
    Tally tally;
    for (std::uint64_t seed = first; seed < first + count; ++seed)
        play({.side = side, .seed = seed, .boxes = boxes, .turns = static_cast<int>(seed % 4)}, tally);
    std::printf(
        "yard %.0f, %s seeds: %d of %d in time, %d missing, %d illegal, worst %.2f, nearest centres %.3f\n",
        side, name, tally.in_time, tally.runs, tally.missing, tally.illegal, tally.worst, tally.nearest);
    std::fflush(stdout);
    return tally;
}

}  // namespace

int main(int argc, char** argv) {
    std::uint64_t seeds = 100;
    std::uint64_t fresh = 100;
    double side = 0.0;
    std::uint64_t one = 0;
    bool boxes = false;
    const bool read = read_flags(argc, argv, [&](const std::string& flag, const char* value) {
        const auto number = std::strtoull(value, nullptr, 10);
        if (flag == "--seeds")
            seeds = number;
        else if (flag == "--fresh")
            fresh = number;
        else if (flag == "--boxes")
            boxes = number != 0;
        else if (flag == "--side")
            side = static_cast<double>(number);
        else if (flag == "--seed")
            one = number;
        else
            return false;
        return true;
    });
    if (!read) return 2;
    if (side > 0.0) {
        const Tally tally = play_seeds(side, one, 1, boxes, "one of the");
        return tally.in_time == tally.runs && tally.illegal == 0 ? 0 : 1;
    }
    bool good = true;
    for (const double yard : {44.0, 32.0}) {
        const Tally stated = play_seeds(yard, 0, seeds, boxes, "stated");
        const Tally others = play_seeds(yard, 1000000, fresh, boxes, "fresh");
        good = good && stated.in_time == stated.runs && stated.illegal == 0 && others.illegal == 0 &&
               others.missing == 0 && others.in_time * 100 >= others.runs * 98;
    }
    return good ? 0 : 1;
}
