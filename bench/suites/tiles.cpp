// Tile routes, unsmoothed, of our planners and of Boost's A*. In each round every contestant answers the same queries,
// one contestant after the other, so that a busy machine slows all alike and each finds its own memory warm; of each
// query the fastest round counts. Those that take milliseconds a query are asked a part of the queries, spread evenly;
// ratios are over the queries that both answered.

#include <cmath>
#include <optional>

#include <fairlead/grid/find_route.h>

#include "suites/boost_astar.h"
#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr int kRounds = 3;
constexpr std::size_t kFastQueries = 800;
constexpr std::size_t kSlowQueries = 100;

struct Contestant {
    const char* name;
    std::optional<GridPlanner> planner;  ///< none: Boost
    bool fast;
};
constexpr Contestant kContestants[] = {
    {"auto", GridPlanner::automatic, true},
    {"jump_point", GridPlanner::jump_point, true},
    {"bucket_astar", GridPlanner::bucket_astar, false},
    {"astar", GridPlanner::astar, false},
    {"Boost A*", std::nullopt, false},
};
constexpr std::size_t kCount = std::size(kContestants);
constexpr std::size_t kAuto = 0, kBucket = 2, kAstar = 3, kBoost = 4;

class TilesRun {
  public:
    explicit TilesRun(const BenchWorld& world) : world_(world), grid_(world.grid()), times_(kCount) {
        fast_ = spread(world.pairs.size(), kFastQueries);
        // The slow ones' queries are some of the fast ones'.
        for (const std::size_t i : spread(fast_.size(), kSlowQueries)) slow_.push_back(fast_[i]);
        for (Times& times : times_) times = Times(world.pairs.size());
        if (has_boost()) boost_.emplace(world);
    }

    void measure() {
        for (int round = 0; round < kRounds; ++round) {
            for (std::size_t c = 0; c < kCount; ++c) run(c, round == 0);
        }
    }

    void report(Report& report) const {
        const std::string& name = world_.name;
        for (std::size_t c = 0; c < kCount; ++c) {
            if (asked(c)) report.add(name, kContestants[c].name, "mean", mean_us(c, queries(c)), "us");
        }
        report.add(name, "auto", "p99", times_[kAuto].quantile_us(0.99), "us");
        for (const std::size_t c : {kBucket, kAstar, kBoost}) {
            if (asked(c))
                report.add(name, kContestants[c].name, "time against auto",
                           mean_us(c, slow_) / mean_us(kAuto, slow_), "x");
        }
        for (const std::size_t c : {kBucket, kAstar}) {
            const double ns = mean_us(c, slow_) * 1e3 * static_cast<double>(slow_.size());
            report.add(name, kContestants[c].name, "an expansion",
                       ns / static_cast<double>(std::max<std::uint64_t>(1, expanded_[c])), "ns");
        }
        report.add(name, "queries", "count", static_cast<double>(fast_.size()), "");
        report.add(name, "wrong lengths", "count", static_cast<double>(wrong_), "");
    }

  private:
    [[nodiscard]] const std::vector<std::size_t>& queries(std::size_t c) const {
        return kContestants[c].fast ? fast_ : slow_;
    }
    [[nodiscard]] bool asked(std::size_t c) const { return kContestants[c].planner || boost_; }
    [[nodiscard]] double mean_us(std::size_t c, const std::vector<std::size_t>& of) const {
        double sum = 0;
        for (const std::size_t i : of) sum += static_cast<double>(times_[c].of(i));
        return of.empty() ? 0 : sum / static_cast<double>(of.size()) / 1e3;
    }

    void run(std::size_t c, bool first) {
        if (!asked(c)) return;
        if (first && !queries(c).empty()) (void)ask(c, world_.pairs[queries(c).back()]);  // warm
        for (const std::size_t i : queries(c)) {
            times_[c].add(i, ask(c, world_.pairs[i]));
            if (first) judge(c, world_.pairs[i]);
        }
    }

    /// Nanoseconds; the length and the expansions stay behind.
    std::uint64_t ask(std::size_t c, const Pair& pair) {
        if (!kContestants[c].planner)
            return time_ns([&] { length_ = boost_->length(pair.start, pair.goal); });
        const GridQuery query{.start = grid_.state().cell_centre(pair.start),
                              .goal = grid_.state().cell_centre(pair.goal),
                              .planner = *kContestants[c].planner,
                              .smoothing = Smoothing::none};
        const std::uint64_t ns = time_ns([&] { (void)find_route_into(grid_, query, scratch_, route_); });
        length_ = route_.status == PathStatus::complete ? route_.length : -1.0;
        return ns;
    }

    void judge(std::size_t c, const Pair& pair) {
        // Boost adds up in single precision, so it may take a way that is longer by that much.
        const double tolerance = pair.tolerance + (kContestants[c].planner ? 0.0 : 1e-5 * pair.optimal);
        wrong_ += std::fabs(length_ - pair.optimal) > tolerance ? 1 : 0;
        expanded_[c] += kContestants[c].planner ? route_.stats.expanded : 0;
    }

    const BenchWorld& world_;
    Grid grid_;
    Scratch scratch_{};
    Route route_{};
    std::optional<BoostAstar> boost_;
    double length_ = 0;
    std::vector<std::size_t> fast_;
    std::vector<std::size_t> slow_;
    std::vector<Times> times_;
    std::uint64_t expanded_[kCount] = {};
    std::size_t wrong_ = 0;
};

}  // namespace

void run_tiles(const SuiteOptions& options, Report& report) {
    if (!has_boost()) report.note("Boost.Graph was not there when this was built: no figures of Boost A*");
    for (const BenchWorld& world : tile_worlds(options)) {
        TilesRun run{world};
        run.measure();
        run.report(report);
    }
}

}  // namespace fairlead::bench
