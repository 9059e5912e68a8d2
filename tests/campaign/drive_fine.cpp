// Lengths beside a fine search: the queries of data/poses (turning radius 3, disc 0.4) on crops of at most 256 x 256 cells of
// their maps, by the default planner and by the slow search of tests/oracle/fine_oracle.h, which has poses at every quarter
// of a cell, 64 headings and no time limit.
//
//     drive_fine [--data DIR] [--only TEXT] [--queries 40] [--from 0] [--reverse 0|1|2] [--csv FILE]
//
// --reverse 0: forward only; 1: with reverse; 2 (default): both. Minutes to hours, and up to 4 GB.
// Status 1: a query that the fine search solves is not solved, or its answer is not legal.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/verify/verify.h>

#include "campaign/flags.h"
#include "campaign/pose_data.h"
#include "measure/clock.h"
#include "oracle/fine_oracle.h"
#include "support/drive_worlds.h"
#include "support/environment.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

constexpr std::int32_t kSide = 256;

struct Options {
    std::string data = data_path("maps").empty() ? std::string() : data_path("");
    std::string only;
    std::string csv;
    int queries = 40;
    int from = 0;
    int reverse = 2;
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
        } else if (flag == "--from") {
            options.from = std::atoi(value);
        } else if (flag == "--reverse") {
            options.reverse = std::atoi(value);
        } else {
            return false;
        }
        return true;
    };
    return fairlead::testing::read_flags(count, words, take);
}

// The part of a map that both poses are in the middle of, as far as the map goes.
struct Crop {
    oracle::PoseMap map;
    PosePair pair{};
    bool fits = false;
};

Crop crop_around(const oracle::PoseMap& map, const PosePair& pair) {
    Crop crop;
    crop.map.width = std::min(map.width, kSide);
    crop.map.height = std::min(map.height, kSide);
    const Vec2 middle = (pair.start.position + pair.goal.position) * 0.5;
    const auto left = std::clamp(static_cast<std::int32_t>(std::lround(middle.x)) - kSide / 2, 0,
                                 map.width - crop.map.width);
    const auto low = std::clamp(static_cast<std::int32_t>(std::lround(middle.y)) - kSide / 2, 0,
                                map.height - crop.map.height);
    for (std::int32_t y = 0; y < crop.map.height; ++y) {
        for (std::int32_t x = 0; x < crop.map.width; ++x)
            crop.map.tile.push_back(map.wall(left + x, low + y) ? 0 : 1);
    }
    const Vec2 shift{static_cast<double>(left), static_cast<double>(low)};
    crop.pair = {{pair.start.position - shift, pair.start.heading_rad},
                 {pair.goal.position - shift, pair.goal.heading_rad}};
    const auto inside = [&](Vec2 p) {
        return p.x >= 0.0 && p.y >= 0.0 && p.x <= crop.map.width && p.y <= crop.map.height;
    };
    crop.fits = inside(crop.pair.start.position) && inside(crop.pair.goal.position);
    return crop;
}

struct Row {
    std::size_t asked = 0;
    std::size_t fine = 0;    // solved by the fine search
    std::size_t both = 0;    // by both
    std::size_t missed = 0;  // by the fine search alone
    std::size_t bad = 0;     // not legal
    double ratios = 0.0;
    double worst = 0.0;
    double length = 0.0;
    double fine_length = 0.0;
    double ms = 0.0;

    void add(const Row& other) {
        asked += other.asked;
        fine += other.fine;
        both += other.both;
        missed += other.missed;
        bad += other.bad;
        ratios += other.ratios;
        worst = std::max(worst, other.worst);
        length += other.length;
        fine_length += other.fine_length;
        ms += other.ms;
    }
    void print(const char* name, bool reverse) const {
        const double n = std::max<double>(1.0, static_cast<double>(both));
        std::printf(
            "%-14s %-7s asked %3zu fine %3zu both %3zu missed %zu illegal %zu: cost %+.2f %% in the mean, "
            "%+.2f %% at most, of the sums %+.2f %%; fine %.1f s each\n",
            name, reverse ? "reverse" : "forward", asked, fine, both, missed, bad, 100.0 * (ratios / n - 1.0),
            100.0 * (worst - 1.0), 100.0 * (length / std::max(1e-9, fine_length) - 1.0),
            ms / 1000.0 / std::max<double>(1.0, static_cast<double>(asked)));
        std::fflush(stdout);
    }
};

class Campaign {
  public:
    explicit Campaign(const Options& options) : options_(options) {
        if (options.csv.empty()) return;
        csv_.open(options.csv);
        csv_ << "map,gears,query,status,cost,length,fine_cost,fine_found,fine_length,fine_opened,fine_ms\n";
    }

    void published(const std::string& name, const std::string& folder) {
        if (name.find(options_.only) == std::string::npos) return;
        const oracle::PoseMap map = load_pose_map(options_.data + "/maps/" + folder + "/" + name + ".map");
        if (map.tile.empty()) return (void)std::printf("%s: no map\n", name.c_str());
        const std::vector<PosePair> pairs = load_pose_pairs(options_.data + "/poses/" + name + ".csv");
        for (const bool reverse : {false, true}) {
            if (options_.reverse != 2 && reverse != (options_.reverse == 1)) continue;
            Row row;
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                const int number = static_cast<int>(i);
                if (number < options_.from || number >= options_.from + options_.queries) continue;
                const Crop crop = crop_around(map, pairs[i]);
                if (crop.fits) ask(name, crop, reverse, i, row);
            }
            row.print(name.c_str(), reverse);
            (reverse ? reverse_ : forward_).add(row);
        }
    }

    bool done() const {
        if (forward_.asked != 0) forward_.print("all", false);
        if (reverse_.asked != 0) reverse_.print("all", true);
        return forward_.missed + forward_.bad + reverse_.missed + reverse_.bad == 0;
    }

  private:
    void ask(const std::string& name, const Crop& crop, bool reverse, std::size_t number, Row& row) {
        const Agent agent{.radius = 0.4, .turning_radius = 3.0, .can_reverse = reverse};
        const Grid grid = grid_of(crop.map);
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .stretch = 1.05});
        if (!table) return;
        const Result<DriveMap> ready = make_drive_map(grid, *table);
        if (!ready) return;
        const DriveQuery query{.start = crop.pair.start, .goal = crop.pair.goal};
        Scratch scratch;
        const Result<Route> route = find_route(*ready, query, scratch);
        if (!route) return;
        const std::uint64_t before = measure::thread_ns();
        const oracle::FineAnswer fine = oracle::find_fine(
            crop.map, agent,
            {query.start.pose(), query.goal.at.pose(), query.reverse_penalty, query.cusp_penalty});
        const double ms = static_cast<double>(measure::thread_ns() - before) / 1e6;
        const bool solved = route->status == PathStatus::complete;
        const double cost = oracle::drive_cost(*route, query.reverse_penalty, query.cusp_penalty);
        ++row.asked;
        row.ms += ms;
        row.fine += fine.reachable ? 1U : 0U;
        if (solved && verify(*route, grid, agent)) ++row.bad;
        if (fine.reachable && !solved) ++row.missed;
        if (fine.reachable && solved) {
            ++row.both;
            row.ratios += cost / fine.cost;
            row.worst = std::max(row.worst, cost / fine.cost);
            row.length += cost;
            row.fine_length += fine.cost;
        }
        if (!csv_.is_open()) return;
        csv_ << name << ',' << (reverse ? "reverse" : "forward") << ',' << number << ','
             << status_name(route->status) << ',' << cost << ',' << route->length << ',' << fine.cost << ','
             << fine.cost_found << ',' << fine.length << ',' << fine.opened << ',' << ms << std::endl;
    }

    const Options& options_;
    std::ofstream csv_;
    Row forward_;
    Row reverse_;
};

}  // namespace

int main(int count, char** words) {
    Options options;
    if (!read_options(count, words, options)) {
        std::fprintf(stderr,
                     "drive_fine [--data DIR] [--only TEXT] [--queries N] [--from N] [--reverse 0|1|2] "
                     "[--csv FILE]\n");
        return 2;
    }
    if (options.data.empty() || !std::filesystem::is_directory(options.data)) {
        std::printf("skipped: no data (--data DIR or FAIRLEAD_DATA)\n");
        return 0;
    }
    Campaign campaign(options);
    for (const PoseMapName& map : kPoseMaps) campaign.published(map.name, map.folder);
    return campaign.done() ? 0 : 1;
}
