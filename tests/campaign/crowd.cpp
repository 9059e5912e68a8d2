// Crowds in the scenes that they are judged by (support/crowd_scenes.h): how many seeds let everybody arrive within 3 times the time
// alone, and is anybody stuck?
//
//     crowd [--place NAME] [--from 0] [--to 100] [--accel 8] [--facings 0] [--turn-rate 0] [--pose all|plain|NUMBER]
//           [--world tiles|mesh] [--losers 1]
//
// Without --place, all scenes. `accel`: acceleration, braking and lateral acceleration in m/s^2; 0: no limit. `turn-rate`: radians a
// second. Poses 0 to 7: by 90 degrees
// turned (1), mirrored (2), scaled 0.3 (4). A unit is stuck that is not there after 10 times the longest time alone. Status 1: a body
// in a wall or in another one, a limit not kept, or somebody stuck. Seeds 0 to 99 are the stated ones; others were never tuned on.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "campaign/flags.h"
#include "support/crowd_run.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

struct Asked {
    std::string place{};
    std::uint64_t from = 0;
    std::uint64_t to = 100;
    double accel = 8.0;
    std::string pose = "plain";
    std::int32_t facings = 0;
    double turn_rate = 0.0;
    bool mesh = false;
    bool losers = false;
};

bool take(Asked& asked, const std::string& flag, const char* value) {
    if (flag == "--place") {
        asked.place = value;
    } else if (flag == "--from") {
        asked.from = std::strtoull(value, nullptr, 10);
    } else if (flag == "--to") {
        asked.to = std::strtoull(value, nullptr, 10);
    } else if (flag == "--accel") {
        asked.accel = std::strtod(value, nullptr);
    } else if (flag == "--facings") {
        asked.facings = static_cast<std::int32_t>(std::strtol(value, nullptr, 10));
    } else if (flag == "--turn-rate") {
        asked.turn_rate = std::strtod(value, nullptr);
    } else if (flag == "--pose") {
        asked.pose = value;
    } else if (flag == "--world") {
        asked.mesh = std::string(value) == "mesh";
    } else if (flag == "--losers") {
        asked.losers = std::string(value) == "1";
    } else {
        return false;
    }
    return true;
}

SpeedLimits limits_of(double accel, double turn_rate) {
    SpeedLimits limits = SpeedLimits::only(1.5);
    if (accel > 0.0) limits.accel_max = limits.brake_max = limits.lateral_accel_max = accel;
    if (turn_rate > 0.0) limits.turn_rate_max = turn_rate;
    return limits;
}

CrowdPose pose_of(unsigned number) {
    return {.scale = (number & 4U) != 0 ? 0.3 : 1.0,
            .quarters = static_cast<int>(number & 1U),
            .mirrored = (number & 2U) != 0};
}

bool legal(const CrowdTrial& trial, const CrowdVerdict& verdict) {
    return verdict.nearest >= 2.0 * (1.0 - 1e-9) && verdict.nearest_wall >= 1.0 - 1e-9 &&
           verdict.speed <= trial.limits.speed_max * (1.0 + 1e-9) &&
           verdict.accel <= trial.limits.accel_max * (1.0 + 1e-9) && verdict.aside <= 1e-9 &&
           !verdict.off_facing &&
           (trial.facings != 0 || verdict.turned <= trial.limits.turn_rate_max * (1.0 + 1e-9) + 1e-9);
}

/// False: something that must never be.
bool play(const Asked& asked, CrowdPlace place, unsigned pose) {
    int seeds = 0;
    int in_time = 0;
    int late = 0;
    int stuck = 0;
    bool good = true;
    double worst = 0.0;
    double mean = 0.0;
    double nearest = 1e9;
    for (std::uint64_t seed = asked.from; seed < asked.to; ++seed) {
        const CrowdTrial trial{.place = place,
                               .pose = pose_of(pose),
                               .seed = seed,
                               .limits = limits_of(asked.accel, asked.turn_rate),
                               .facings = asked.facings,
                               .mesh = asked.mesh,
                               .times_alone_max = 10.0};
        const CrowdVerdict verdict = play_crowd(trial);
        const bool lost = verdict.missing != 0 || verdict.late != 0;
        if (!legal(trial, verdict)) {
            std::printf("not legal: %s seed %llu\n", crowd_place_name(place),
                        static_cast<unsigned long long>(seed));
            good = false;
        }
        if (asked.losers && lost)
            std::printf("  seed %llu: late %d, stuck %d, worst %.2f\n", static_cast<unsigned long long>(seed),
                        verdict.late, verdict.missing, verdict.worst);
        ++seeds;
        in_time += lost ? 0 : 1;
        late += verdict.late;
        stuck += verdict.missing;
        worst = std::max(worst, verdict.worst);
        mean += verdict.mean;
        nearest = std::min(nearest, verdict.nearest);
    }
    if (seeds == 0) return good;
    std::printf("| %s | %u | %s | %d of %d | %d | %d | %.2f | %.3f | %.6f |\n", crowd_place_name(place), pose,
                asked.mesh ? "mesh" : "tiles", in_time, seeds, late, stuck, worst, mean / seeds, nearest);
    std::fflush(stdout);
    return good && stuck == 0;
}

}  // namespace

int main(int count, char** words) {
    Asked asked;
    if (!read_flags(count, words,
                    [&](const std::string& flag, const char* value) { return take(asked, flag, value); })) {
        std::fprintf(stderr, "unknown flag\n");
        return 2;
    }
    std::printf(
        "| scene | pose | world | seeds in time | units late | stuck | worst | mean | nearest, radii |\n");
    std::printf("|---|---|---|---|---|---|---|---|---|\n");
    bool good = true;
    for (const CrowdPlace place : all_crowd_places()) {
        if (!asked.place.empty() && asked.place != crowd_place_name(place)) continue;
        const bool all = asked.pose == "all";
        const unsigned first =
            asked.pose == "plain" || all ? 0 : static_cast<unsigned>(std::atoi(asked.pose.c_str()));
        for (unsigned pose = first; pose <= (all ? 7U : first); ++pose)
            good = play(asked, place, pose) && good;
    }
    return good ? 0 : 1;
}
