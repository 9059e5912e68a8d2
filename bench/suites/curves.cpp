// Curves: Dubins and Reeds-Shepp, one at a time and in batches, beside OMPL on the same random pairs.

#include <fairlead/base/rng.h>
#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>
#include <fairlead/curve/relaxed.h>

#include "suites/ompl_curves.h"
#include "suites/stopwatch.h"
#include "suites/suite.h"

namespace fairlead::bench {

namespace {

struct Pairs {
    std::vector<Pose> from;
    std::vector<Pose> to;
};

Pairs random_pairs(double size, std::size_t count) {
    Rng rng(3);
    const auto pose = [&] {
        const double x = rng.between(0.0, size);
        const double y = rng.between(0.0, size);
        return Pose{{x, y}, rng.between(-kPi, kPi)};
    };
    Pairs pairs;
    for (std::size_t i = 0; i < count; ++i) {
        pairs.from.push_back(pose());
        pairs.to.push_back(pose());
    }
    return pairs;
}

struct Contestant {
    const char* name;
    const char* what;
    std::function<double(const Pairs&)> run;  // the sum of the lengths, so that nothing is left out
    double best_ns = 1e30;
};

template <class Length>
std::function<double(const Pairs&)> one_at_a_time(Length length) {
    return [length](const Pairs& pairs) {
        double sum = 0;
        for (std::size_t i = 0; i < pairs.from.size(); ++i) sum += length(pairs.from[i], pairs.to[i]);
        return sum;
    };
}

constexpr const char* kDubins = "Dubins";
constexpr const char* kReedsShepp = "Reeds-Shepp";
constexpr ReedsSheppCost kDear{.reverse_factor = 2.0, .cusp_cost = 1.0};

std::vector<Contestant> contestants(OmplCurves& ompl) {
    std::vector<Contestant> all;
    const auto add = [&](const char* name, const char* what, std::function<double(const Pairs&)> run) {
        all.push_back({name, what, std::move(run)});
    };
    add("length", kDubins,
        one_at_a_time([](const Pose& a, const Pose& b) { return dubins_distance(a, b, 1.0); }));
    add("path", kDubins,
        one_at_a_time([](const Pose& a, const Pose& b) { return shortest_dubins(a, b, 1.0).length; }));
    add("length, batched", kDubins, [lengths = std::vector<double>()](const Pairs& pairs) mutable {
        lengths.resize(pairs.from.size());
        dubins_distances(pairs.from, pairs.to, 1.0, lengths);
        return lengths.front();
    });
    add("all words", kDubins, one_at_a_time([](const Pose& a, const Pose& b) {
            CurveWord words[kDubinsWords];
            return static_cast<double>(dubins_words(a, b, 1.0, words));
        }));
    add("length", kReedsShepp,
        one_at_a_time([](const Pose& a, const Pose& b) { return reeds_shepp_distance(a, b, 1.0); }));
    add("path", kReedsShepp,
        one_at_a_time([](const Pose& a, const Pose& b) { return shortest_reeds_shepp(a, b, 1.0).length; }));
    add("path, penalties", kReedsShepp, one_at_a_time([](const Pose& a, const Pose& b) {
            return shortest_reeds_shepp(a, b, 1.0, kDear).length;
        }));
    add("all words", kReedsShepp, one_at_a_time([](const Pose& a, const Pose& b) {
            CurveWord words[kReedsSheppWords];
            return static_cast<double>(reeds_shepp_words(a, b, 1.0, {}, words));
        }));
    add("length", "to a point",
        one_at_a_time([](const Pose& a, const Pose& b) { return distance_to_point(a, b.position, 1.0); }));
    if (!has_ompl()) return all;
    add("OMPL", kDubins, one_at_a_time([&](const Pose& a, const Pose& b) { return ompl.dubins(a, b); }));
    add("OMPL", kReedsShepp,
        one_at_a_time([&](const Pose& a, const Pose& b) { return ompl.reeds_shepp(a, b); }));
    return all;
}

void measure_curves(const std::string& world, const Pairs& pairs, int rounds, Report& report) {
    OmplCurves ompl;
    std::vector<Contestant> all = contestants(ompl);
    volatile double sink = 0;
    for (int round = 0; round < rounds; ++round) {
        for (Contestant& c : all) {
            const auto ns = static_cast<double>(time_ns([&] { sink = c.run(pairs); }));
            c.best_ns = std::min(c.best_ns, ns / static_cast<double>(pairs.from.size()));
        }
    }
    for (const Contestant& c : all) report.add(world, c.name, c.what, c.best_ns, "ns");
    for (const Contestant& peer : all) {
        if (std::string{"OMPL"} != peer.name) continue;
        for (const Contestant& c : all) {
            const std::string name = c.name;
            if (c.what != peer.what || &c == &peer || name == "all words" || name == "path, penalties")
                continue;
            report.add(world, c.name, std::string{c.what} + ", OMPL's time against ours",
                       peer.best_ns / c.best_ns, "x");
        }
    }
}

}  // namespace

void run_curves(const SuiteOptions& options, Report& report) {
    if (!has_ompl()) report.note("OMPL is not there: no comparison");
    const std::size_t count = options.quick ? 256 : 4096;
    const int rounds = options.quick ? 2 : 40;
    measure_curves("within 20 radii", random_pairs(20.0, count), rounds, report);
    measure_curves("within 4 radii", random_pairs(4.0, count), rounds, report);
}

}  // namespace fairlead::bench
