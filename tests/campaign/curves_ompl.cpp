// Dubins and Reeds-Shepp lengths beside OMPL's over random pairs of poses, and every word's end at the goal.
//
// OMPL takes an angle within 5e-7 of a full turn for none, which puts its own length off by as much in one pair of some
// millions. Where the two differ by more than 1e-9 the numeric oracle decides, and what OMPL has lost is counted apart.
//
//     curves_ompl [--pairs 1000000]

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fairlead/base/rng.h>
#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>

#include "oracle/curve_oracle.h"
#include "suites/ompl_curves.h"

using namespace fairlead;

namespace {

struct Worst {
    double length = 0.0;  // relative
    int peer_off = 0;
    double end = 0.0;  // radii or radians
};

Pose pose_in(Rng& rng, double size) {
    const double x = rng.between(-size, size);
    const double y = rng.between(-size, size);
    return {{x, y}, rng.between(-kPi, kPi)};
}

void check_ends(std::span<const CurveWord> words, const Pose& from, const Pose& to, Worst& worst) {
    for (const CurveWord& word : words) {
        const Pose end = end_of_curve(from, 1.0, word);
        worst.end = std::fmax(worst.end, distance(end.position, to.position));
        worst.end = std::fmax(worst.end, std::fabs(std::remainder(end.heading_rad - to.heading_rad, kTwoPi)));
    }
}

void check_length(double ours, double peer, double (*oracle)(const Pose&, const Pose&), const Pose& from,
                  const Pose& to, Worst& worst) {
    double off = std::fabs(ours - peer) / peer;
    if (off > 1e-9) {
        off = std::fabs(ours - oracle(from, to)) / peer;
        worst.peer_off += off > 1e-9 ? 0 : 1;
    }
    worst.length = std::fmax(worst.length, off);
}

bool report(const char* what, const Worst& worst) {
    std::printf("%-12s length off by at most %.3g of it, ends off by at most %.3g; OMPL off in %d pairs\n",
                what, worst.length, worst.end, worst.peer_off);
    return worst.length <= 1e-9 && worst.end <= 1e-9 && worst.peer_off <= 20;
}

}  // namespace

int main(int count, char** words) {
    long pairs = 1000000;
    for (int i = 1; i + 1 < count; i += 2) {
        if (std::strcmp(words[i], "--pairs") == 0) pairs = std::strtol(words[i + 1], nullptr, 10);
    }
    if (!bench::has_ompl()) {
        std::printf("curves_ompl: skipped, built without libompl-dev\n");
        return 0;
    }
    bench::OmplCurves ompl;
    Rng rng(2026);
    Worst dubins;
    Worst reeds_shepp;
    for (long i = 0; i < pairs; ++i) {
        const double size = i % 2 == 0 ? 2.0 : 10.0;
        const Pose from = pose_in(rng, size);
        const Pose to = pose_in(rng, size);
        CurveWord six[kDubinsWords];
        CurveWord all[kReedsSheppWords];
        check_ends({six, static_cast<std::size_t>(dubins_words(from, to, 1.0, six))}, from, to, dubins);
        check_ends({all, static_cast<std::size_t>(reeds_shepp_words(from, to, 1.0, {}, all))}, from, to,
                   reeds_shepp);
        check_length(dubins_distance(from, to, 1.0), ompl.dubins(from, to), oracle::dubins_length, from, to,
                     dubins);
        check_length(reeds_shepp_distance(from, to, 1.0), ompl.reeds_shepp(from, to),
                     oracle::reeds_shepp_length, from, to, reeds_shepp);
    }
    std::printf("%ld pairs\n", pairs);
    const bool good = report("Dubins", dubins);
    return report("Reeds-Shepp", reeds_shepp) && good ? 0 : 1;
}
