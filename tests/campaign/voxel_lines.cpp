// The published lines of the voxel maps (Brewer and Sturtevant 2018): each by the default planner, whose ways must be found, legal by
// verify and no longer than 1.10 of the published cost, and by the optimal one, whose cost must be the published one. Every 100th line
// against a reference of our own: Theta* over all voxels, bends moved until none makes the way shorter. Status 1 if anything is wrong.
//
//     voxel_lines [--data DIR] [--only MAP] [--every 1] [--optimal 20] [--reference 100] [--radius 0]
//
// --every, --optimal and --reference: each N-th line; 0: none. --optimal 1 takes some hours. Spheres (--radius) begin and end where they
// fit (VolumeQuery::reach), so they are compared with nothing that is published. The reference takes seconds a line and a gigabyte on the
// larger maps.

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <fairlead/formats/file.h>
#include <fairlead/formats/voxel_map.h>
#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>

#include "campaign/flags.h"
#include "measure/clock.h"
#include "oracle/volume_reference.h"
#include "support/environment.h"

using namespace fairlead;

namespace {

constexpr double kLongest = 1.10;  // of the published cost
constexpr int kShown = 20;         // lines a map

struct Options {
    std::string data = fairlead::testing::data_path("voxels");
    std::string only;
    std::size_t every = 1;
    std::size_t optimal = 20;
    std::size_t reference = 100;
    double radius = 0.0;
};

bool read_options(int count, char** words, Options& options) {
    return fairlead::testing::read_flags(count, words, [&](const std::string& flag, const char* value) {
        const auto number = static_cast<std::size_t>(std::strtoull(value, nullptr, 10));
        if (flag == "--data")
            options.data = std::string(value) + "/voxels";
        else if (flag == "--only")
            options.only = value;
        else if (flag == "--every")
            options.every = number;
        else if (flag == "--optimal")
            options.optimal = number;
        else if (flag == "--reference")
            options.reference = number;
        else if (flag == "--radius")
            options.radius = std::strtod(value, nullptr);
        else
            return false;
        return true;
    });
}

bool is_nth(std::size_t i, std::size_t n) { return n != 0 && i % n == 0; }

oracle::VolumeDense dense_of(const formats::VoxelMap& map) {
    oracle::VolumeDense world(map.size);
    for (const VoxelBrick& brick : map.bricks) {
        for (std::int32_t bit = 0; bit < 64; ++bit) {
            const Voxel v{4 * brick.x + bit % 4, 4 * brick.y + bit / 4 % 4, 4 * brick.z + bit / 16};
            if ((brick.solid >> bit & 1) != 0 && world.holds(v)) world.set(v, true);
        }
    }
    return world;
}

/// Numbers of one kind, a line each.
struct Figures {
    std::vector<double> all;

    [[nodiscard]] double mean() const {
        double sum = 0.0;
        for (const double one : all) sum += one;
        return all.empty() ? 0.0 : sum / static_cast<double>(all.size());
    }
    /// share 1: the largest.
    [[nodiscard]] double at(double share) {
        if (all.empty()) return 0.0;
        std::sort(all.begin(), all.end());
        return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
    }
};

class MapRun {
  public:
    MapRun(const std::string& name, const Options& options, const formats::VoxelMap& map,
           const formats::VoxelScenario& lines, const Volume& volume)
        : name_(name), options_(options), lines_(lines), volume_(volume) {
        if (options.reference != 0 && options.radius == 0.0) world_ = dense_of(map);
    }

    [[nodiscard]] bool run() {
        for (std::size_t i = 0; i < lines_.queries.size(); ++i) {
            if (is_nth(i, options_.every)) ask(i);
            if (is_nth(i, options_.optimal) && options_.radius == 0.0) ask_optimal(i);
        }
        print();
        return wrong_ == 0;
    }

  private:
    [[nodiscard]] VolumeQuery query_of(std::size_t i) const {
        VolumeQuery query{.start = volume_.state().centre(lines_.queries[i].start),
                          .goal = volume_.state().centre(lines_.queries[i].goal)};
        query.agent.radius = options_.radius;
        if (options_.radius > 0.0) query.reach = std::numeric_limits<double>::infinity();
        return query;
    }

    void tell(std::size_t i, const char* what, double value, double due) {
        if (++wrong_ <= kShown)
            std::printf("%s, line %" PRId64 ": %s %.9g, published %.9g\n", name_.c_str(),
                        lines_.queries[i].line, what, value, due);
    }

    // False: it has no way, or an illegal one.
    [[nodiscard]] bool find(std::size_t i, const VolumeQuery& query, std::uint64_t& ns) {
        const double due = lines_.queries[i].optimal;
        const std::uint64_t before = measure::thread_ns();
        const Result<void> done = find_route_into(volume_, query, scratch_, route_);
        ns = measure::thread_ns() - before;
        if (!done) {
            tell(i, error_name(done.error().code), 0.0, due);
            return false;
        }
        if (const Violation bad = verify(route_, volume_, query.agent)) {
            tell(i, bad.text().c_str(), 0.0, due);
            return false;
        }
        // A sphere may have no way.
        if (route_.status != PathStatus::complete && options_.radius == 0.0 && due >= 0.0)
            tell(i, status_name(route_.status), 0.0, due);
        if (route_.status != PathStatus::complete) ++unfound_;
        return route_.status == PathStatus::complete;
    }

    void ask(std::size_t i) {
        const double due = lines_.queries[i].optimal;
        std::uint64_t ns = 0;
        const bool found = find(i, query_of(i), ns);
        us_.all.push_back(static_cast<double>(ns) * 1e-3);
        if (!found || due <= 0.0) return;
        ratios_.all.push_back(route_.cost / due);
        if (options_.radius == 0.0 && route_.cost > kLongest * due) tell(i, "too long:", route_.cost, due);
        if (world_.solid.empty() || !is_nth(i, options_.reference)) return;
        const double best =
            oracle::reference_way(world_, lines_.queries[i].start, lines_.queries[i].goal).length();
        if (best > 0.0) to_reference_.all.push_back(route_.cost / best);
        reference_to_published_.all.push_back(best / due);
    }

    void ask_optimal(std::size_t i) {
        VolumeQuery query = query_of(i);
        query.planner = VolumePlanner::astar;
        query.smooth = false;
        std::uint64_t ns = 0;
        if (!find(i, query, ns)) return;
        ++optimal_;
        optimal_us_.all.push_back(static_cast<double>(ns) * 1e-3);
        const double due = lines_.queries[i].optimal;
        // The two larger maps' costs were summed in single precision, step by step.
        const bool single = name_.find("-256") != std::string::npos;
        const double slack = formats::printed_tolerance(lines_.queries[i]) + (single ? 4e-6 * due : 0.0);
        if (std::fabs(route_.cost - due) > slack) tell(i, "optimal planner:", route_.cost, due);
        if (due > 0.0 && route_.bound != 1.0) tell(i, "optimal planner: bound", route_.bound, 1.0);
    }

    void print() {
        std::printf("%-13s %6zu lines, %" PRIu64 " without a way, %" PRIu64
                    " wrong: us mean %.1f p99 %.0f max %.0f; of published mean %.4f p99 %.4f max %.4f",
                    name_.c_str(), us_.all.size(), unfound_, wrong_, us_.mean(), us_.at(0.99), us_.at(1.0),
                    ratios_.mean(), ratios_.at(0.99), ratios_.at(1.0));
        if (!to_reference_.all.empty())
            std::printf("; of the reference (%zu) mean %.4f max %.4f, that of published %.4f",
                        to_reference_.all.size(), to_reference_.mean(), to_reference_.at(1.0),
                        reference_to_published_.mean());
        if (optimal_ > 0) std::printf("; optimal %" PRIu64 ", us mean %.0f", optimal_, optimal_us_.mean());
        std::printf("\n");
        std::fflush(stdout);
    }

    std::string name_;
    const Options& options_;
    const formats::VoxelScenario& lines_;
    const Volume& volume_;
    oracle::VolumeDense world_;
    Scratch scratch_;
    Route route_;
    std::uint64_t wrong_ = 0, unfound_ = 0, optimal_ = 0;
    Figures us_, ratios_, to_reference_, reference_to_published_, optimal_us_;
};

bool run_map(const std::string& name, const Options& options) {
    const std::string path = options.data + "/" + name + ".3dmap";
    const Result<std::string> map_text = formats::load_file(path + ".gz"),
                              lines_text = formats::load_file(path + ".3dscen.gz");
    if (!map_text || !lines_text) {
        std::printf("%s: no file %s.gz\n", name.c_str(), path.c_str());
        return false;
    }
    const Result<formats::VoxelMap> map = formats::load_voxel_map(*map_text);
    const Result<formats::VoxelScenario> lines = formats::load_voxel_scenario(*lines_text);
    if (!map || !lines) return false;
    const Result<Volume> volume = Volume::make(map->volume_options());
    return volume && MapRun(name, options, *map, *lines, *volume).run();
}

}  // namespace

int main(int count, char** words) {
    Options options;
    if (!read_options(count, words, options)) {
        std::fprintf(
            stderr,
            "voxel_lines: --data DIR, --only MAP, --every N, --optimal N, --reference N, --radius R\n");
        return EXIT_FAILURE;
    }
    bool good = true;
    for (const char* name :
         {"Simple", "Complex", "DA1", "A1", "Full1", "BA1", "guardian-256", "tunnels-256"}) {
        if (!options.only.empty() && options.only != name) continue;
        good = run_map(name, options) && good;
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
