// Pose queries on published maps: those of data/poses (turning radius 3, disc 0.4), and random pairs of legal poses for turning
// radii 1 to 6, three bodies, forward only and with reverse. What the search calls unreachable a breadth-first search on
// the same lattice must call so too; every route is judged by verify, a sample of them by the dense sampler.
//
//     drive_poses [--data DIR] [--only TEXT] [--queries 200] [--radius R] [--sample 50] [--planner weighted|lattice]
//                 [--headings 8] [--stretch 1.05] [--csv FILE] [--slow MS]
//
// --slow MS: queries that take longer are printed. --sample N: every N-th route goes to the dense sampler.
// Status 1: something illegal, or a way missed that the lattice has.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/verify/verify.h>

#include "campaign/flags.h"
#include "campaign/pose_data.h"
#include "drive/map/map_data.h"
#include "measure/clock.h"
#include "oracle/lattice_reach.h"
#include "oracle/pose_sampler.h"
#include "support/bodies.h"
#include "support/drive_worlds.h"
#include "support/environment.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

struct Options {
    std::string data = data_path("maps").empty() ? std::string() : data_path("");
    std::string only;
    std::string csv;
    int queries = 200;
    int sample = 50;
    double radius = 0.0;  // 0: all
    std::int32_t headings = 8;
    double stretch = 1.05;
    double slow_ms = 1e9;  // queries that take longer are told
    DrivePlanner planner = DrivePlanner::weighted;
};

bool read_options(int count, char** words, Options& options) {
    const auto take = [&](const std::string& flag, const char* value) {
        if (flag == "--data") {
            options.data = value;
        } else if (flag == "--only") {
            options.only = value;
        } else if (flag == "--csv") {
            options.csv = value;
        } else if (flag == "--queries") {
            options.queries = std::atoi(value);
        } else if (flag == "--sample") {
            options.sample = std::max(1, std::atoi(value));
        } else if (flag == "--radius") {
            options.radius = std::atof(value);
        } else if (flag == "--slow") {
            options.slow_ms = std::atof(value);
        } else if (flag == "--headings") {
            options.headings = std::atoi(value);
        } else if (flag == "--stretch") {
            options.stretch = std::atof(value);
        } else if (flag == "--planner") {
            options.planner =
                std::strcmp(value, "lattice") == 0 ? DrivePlanner::lattice : DrivePlanner::weighted;
        } else {
            return false;
        }
        return true;
    };
    return fairlead::testing::read_flags(count, words, take);
}

std::vector<PosePair> random_pairs(const oracle::PoseMap& map, const Agent& agent, int count) {
    Rng rng(20260901);
    std::vector<PosePair> pairs;
    for (int i = 0; i < count; ++i) {
        PosePair pair;
        if (random_free_pose(rng, map, agent, true, pair.start) &&
            random_free_pose(rng, map, agent, true, pair.goal)) {
            pairs.push_back(pair);
        }
    }
    return pairs;
}

struct Row {
    std::string map;
    std::string body;
    Agent agent{};
    std::size_t queries = 0;
    std::size_t complete = 0;
    std::size_t unreachable = 0;
    std::size_t other = 0;
    std::size_t proven = 0;  // unreachable on the lattice, says the breadth-first search
    std::size_t missed = 0;  // reachable, says it
    std::size_t illegal = 0;
    std::size_t sampled = 0;
    std::size_t sampled_bad = 0;
    double prepare_ms = 0.0;
    double length = 0.0;
    std::vector<double> ms{};
    double sealed_ms = 0.0;      // the slowest answer "unreachable"
    double sealed_sum_ms = 0.0;  // of all of them

    [[nodiscard]] bool good() const { return missed + illegal + sampled_bad + other == 0; }
    [[nodiscard]] double mean() const {
        double sum = 0.0;
        for (const double v : ms) sum += v;
        return ms.empty() ? 0.0 : sum / double(ms.size());
    }
    [[nodiscard]] double sealed_mean() const {
        return unreachable == 0 ? 0.0 : sealed_sum_ms / double(unreachable);
    }
    /// Of the sorted times.
    [[nodiscard]] double part(double q) const {
        return ms.empty() ? 0.0
                          : ms[std::min(ms.size() - 1, static_cast<std::size_t>(q * double(ms.size())))];
    }
};

oracle::OraclePose lattice_pose(const Pose& pose, std::int32_t headings) {
    return {static_cast<std::int32_t>(std::floor(pose.position.x)),
            static_cast<std::int32_t>(std::floor(pose.position.y)),
            nearest_heading(headings, pose.heading_rad)};
}

void tell(const Row& row, std::size_t i, const PosePair& pair, const char* what) {
    std::printf("%s %s r %g %s query %zu (%.17g %.17g %.17g to %.17g %.17g %.17g): %s\n", row.map.c_str(),
                row.body.c_str(), row.agent.turning_radius, row.agent.can_reverse ? "reverse" : "forward", i,
                pair.start.position.x, pair.start.position.y, pair.start.heading_rad, pair.goal.position.x,
                pair.goal.position.y, pair.goal.heading_rad, what);
}

void judge(const oracle::PoseMap& map, const Grid& grid, const Options& options, const PosePair& pair,
           std::size_t i, const Route& route, Row& row) {
    if (const Violation bad = verify(route, grid, row.agent)) {
        ++row.illegal;
        tell(row, i, pair, bad.text().c_str());
    }
    if (row.complete++ % static_cast<std::size_t>(options.sample) != 0) return;
    ++row.sampled;
    const oracle::PoseFinding found =
        sample_route(route, map, row.agent, {.start = pair.start, .goal = pair.goal});
    if (!found) return;
    ++row.sampled_bad;
    tell(row, i, pair, fault_name(found.fault));
}

// The query of one pair, timed. The scratch is warm.
void ask(const DriveMap& map, const DriveQuery& query, Scratch& scratch, Route& route, Row& row) {
    const std::uint64_t before = measure::thread_ns();
    const Result<void> done = find_route_into(map, query, scratch, route);
    row.ms.push_back(static_cast<double>(measure::thread_ns() - before) / 1e6);
    if (!done) route.status = PathStatus::count_;
}

void run_row(const oracle::PoseMap& map, const Grid& grid, const std::vector<PosePair>& pairs,
             const Options& options, Row& row) {
    const Result<DriveTable> table =
        DriveTable::make({.agent = row.agent, .headings = options.headings, .stretch = options.stretch});
    if (!table) return;
    const std::uint64_t before = measure::thread_ns();
    const Result<DriveMap> ready = make_drive_map(grid, *table);
    row.prepare_ms = static_cast<double>(measure::thread_ns() - before) / 1e6;
    if (!ready) return;
    oracle::LatticeReach reach(ready->state().data().edges());
    Scratch scratch;
    Route route;
    // One query unmeasured: it makes room.
    if (!pairs.empty()) {
        (void)find_route_into(*ready, DriveQuery{.start = pairs[0].start, .goal = pairs[0].goal}, scratch,
                              route);
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const PosePair& pair = pairs[i];
        ask(*ready, {.start = pair.start, .goal = pair.goal, .planner = options.planner}, scratch, route,
            row);
        ++row.queries;
        if (row.ms.back() > options.slow_ms) {
            std::printf("%.3f ms, %llu expanded: ", row.ms.back(),
                        static_cast<unsigned long long>(route.stats.expanded));
            tell(row, i, pair, status_name(route.status));
        }
        if (route.status == PathStatus::complete) {
            row.length += route.length;
            judge(map, grid, options, pair, i, route, row);
        } else if (route.status == PathStatus::unreachable) {
            ++row.unreachable;
            row.sealed_ms = std::max(row.sealed_ms, row.ms.back());
            row.sealed_sum_ms += row.ms.back();
            const bool way = reach.reaches(lattice_pose(pair.start, options.headings),
                                           lattice_pose(pair.goal, options.headings));
            ++(way ? row.missed : row.proven);
            if (way) tell(row, i, pair, "unreachable, but the lattice has a way");
        } else {
            ++row.other;
            tell(row, i, pair, route.status == PathStatus::count_ ? "error" : status_name(route.status));
        }
    }
    std::sort(row.ms.begin(), row.ms.end());
}

void print_head() {
    std::printf("%-14s %-9s %3s %-7s %5s %8s %7s %6s %6s %7s %7s %8s %8s %8s %8s %8s %8s %8s\n", "map",
                "body", "r", "gears", "asked", "complete", "sealed", "proven", "missed", "illegal", "sampled",
                "bad", "mean ms", "p99 ms", "max ms", "sealed", "s. max", "prep ms");
}

void print_row(const Row& row, std::ofstream& csv) {
    const char* gears = row.agent.can_reverse ? "reverse" : "forward";
    std::printf(
        "%-14s %-9s %3g %-7s %5zu %8zu %7zu %6zu %6zu %7zu %7zu %8zu %8.3f %8.3f %8.3f %8.3f %8.3f %8.1f\n",
        row.map.c_str(), row.body.c_str(), row.agent.turning_radius, gears, row.queries, row.complete,
        row.unreachable, row.proven, row.missed, row.illegal, row.sampled, row.sampled_bad, row.mean(),
        row.part(0.99), row.part(1.0), row.sealed_mean(), row.sealed_ms, row.prepare_ms);
    std::fflush(stdout);
    if (!csv.is_open()) return;
    csv << row.map << ',' << row.body << ',' << row.agent.turning_radius << ',' << gears << ',' << row.queries
        << ',' << row.complete << ',' << row.unreachable << ',' << row.proven << ',' << row.missed << ','
        << row.illegal << ',' << row.sampled << ',' << row.sampled_bad << ',' << row.mean() << ','
        << row.part(0.99) << ',' << row.part(1.0) << ',' << row.sealed_mean() << ',' << row.sealed_ms << ','
        << row.prepare_ms << ',' << row.length << '\n';
}

struct Body {
    const char* name;
    Agent agent;
};

std::vector<Body> bodies() {
    return {
        {"disc 0.45", {.radius = 0.45}}, {"disc 0.95", {.radius = 0.95}}, {"box 3x1.5", box_body(3.0, 1.5)}};
}

class Campaign {
  public:
    explicit Campaign(const Options& options) : options_(options) {
        if (options.csv.empty()) return;
        csv_.open(options.csv);
        csv_ << "map,body,radius,gears,asked,complete,sealed,proven,missed,illegal,sampled,sampled_bad,mean_"
                "ms,"
                "p99_ms,max_ms,sealed_mean_ms,sealed_max_ms,prepare_ms,length\n";
    }

    void published(const std::string& name, const std::string& folder) {
        if (("poses/" + name).find(options_.only) == std::string::npos) return;
        const oracle::PoseMap map = load_pose_map(options_.data + "/maps/" + folder + "/" + name + ".map");
        if (map.tile.empty()) return (void)std::printf("%s: no map\n", name.c_str());
        const std::vector<PosePair> pairs = load_pose_pairs(options_.data + "/poses/" + name + ".csv");
        const Grid grid = grid_of(map);
        for (const bool reverse : {false, true}) {
            Row row{.map = name + "*", .body = "disc 0.4"};
            row.agent = {.radius = 0.4, .turning_radius = 3.0, .can_reverse = reverse};
            finish(map, grid, pairs, row);
            std::vector<double>& all = reverse ? reverse_ms_ : forward_ms_;
            all.insert(all.end(), row.ms.begin(), row.ms.end());
        }
    }

    void random(const std::string& name, const std::string& folder) {
        if (("random/" + name).find(options_.only) == std::string::npos) return;
        const oracle::PoseMap map = load_pose_map(options_.data + "/maps/" + folder + "/" + name + ".map");
        if (map.tile.empty()) return (void)std::printf("%s: no map\n", name.c_str());
        const Grid grid = grid_of(map);
        for (const Body& body : bodies()) {
            const std::vector<PosePair> pairs = random_pairs(map, body.agent, options_.queries);
            for (const double radius : {1.0, 2.0, 3.0, 4.0, 6.0}) {
                if (options_.radius > 0.0 && radius != options_.radius) continue;
                for (const bool reverse : {false, true}) {
                    Row row{.map = name, .body = body.name, .agent = body.agent};
                    row.agent.turning_radius = radius;
                    row.agent.can_reverse = reverse;
                    finish(map, grid, pairs, row);
                }
            }
        }
    }

    bool done() {
        for (std::vector<double>* all : {&forward_ms_, &reverse_ms_}) {
            if (all->empty()) continue;
            Row row;
            row.ms = *all;
            std::sort(row.ms.begin(), row.ms.end());
            std::printf("poses, %s: mean %.3f ms, p99 %.3f ms, %zu queries\n",
                        all == &forward_ms_ ? "forward" : "reverse", row.mean(), row.part(0.99),
                        row.ms.size());
        }
        std::printf("drive_poses: %zu rows, %zu queries, %zu bad rows\n", rows_, queries_, bad_);
        return bad_ == 0;
    }

  private:
    void finish(const oracle::PoseMap& map, const Grid& grid, const std::vector<PosePair>& pairs, Row& row) {
        run_row(map, grid, pairs, options_, row);
        print_row(row, csv_);
        ++rows_;
        queries_ += row.queries;
        bad_ += row.good() ? 0 : 1;
    }

    const Options& options_;
    std::ofstream csv_;
    std::vector<double> forward_ms_;
    std::vector<double> reverse_ms_;
    std::size_t rows_ = 0;
    std::size_t queries_ = 0;
    std::size_t bad_ = 0;
};

}  // namespace

int main(int count, char** words) {
    Options options;
    if (!read_options(count, words, options)) {
        std::fprintf(stderr,
                     "drive_poses [--data DIR] [--only TEXT] [--queries N] [--radius R] [--sample N] "
                     "[--planner weighted|lattice] [--headings N] [--stretch X] [--csv FILE] [--slow MS]\n");
        return 2;
    }
    if (options.data.empty() || !std::filesystem::is_directory(options.data)) {
        std::printf("skipped: no data (--data DIR or FAIRLEAD_DATA)\n");
        return 0;
    }
    Campaign campaign(options);
    print_head();
    for (const PoseMapName& map : kPoseMaps) campaign.published(map.name, map.folder);
    campaign.random("arena2", "dao");
    campaign.random("den520d", "dao");
    campaign.random("brc202d", "dao");
    campaign.random("ost100d", "dao");
    campaign.random("Berlin_0_1024", "cities");
    return campaign.done() ? 0 : 1;
}
