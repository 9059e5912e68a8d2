// Every published scenario by every optimal planner: the length of each route against the published one, the route
// against the exact checker. One line a file and planner; status 1 if anything is wrong.
//
//     scen [--data DIR] [--planner NAME]... [--only TEXT] [--sample N]
//
// The planners that flood the map (dijkstra, astar, bidirectional) are asked N queries a file, spread evenly; the others
// are asked all. 0: all are asked all.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <fairlead/formats/names.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "campaign/flags.h"
#include "cli/failure.h"
#include "cli/scen_world.h"
#include "measure/clock.h"
#include "support/environment.h"

using namespace fairlead;

namespace {

constexpr int kWrongShown = 20;  // a file and planner

struct Options {
    std::string data = fairlead::testing::data_path("maps");
    std::vector<GridPlanner> planners;
    std::string only;
    std::size_t sample = 200;
};

bool read_options(int count, char** words, Options& options) {
    const auto take = [&](const std::string& flag, const char* value) {
        if (flag == "--data") {
            options.data = std::string(value) + "/maps";
        } else if (flag == "--only") {
            options.only = value;
        } else if (flag == "--sample") {
            options.sample = static_cast<std::size_t>(std::strtoull(value, nullptr, 10));
        } else if (flag == "--planner" && formats::planner_from_name(value)) {
            options.planners.push_back(*formats::planner_from_name(value));
        } else {
            return false;
        }
        return true;
    };
    if (!fairlead::testing::read_flags(count, words, take)) return false;
    if (options.planners.empty()) {
        options.planners = {GridPlanner::automatic, GridPlanner::jump_point, GridPlanner::bucket_astar,
                            GridPlanner::astar,     GridPlanner::dijkstra,   GridPlanner::bidirectional};
    }
    return true;
}

/// The files in the order of their names, so that two runs print the same lines.
std::vector<std::string> scenario_files(const Options& options) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(options.data)) {
        const std::string path = entry.path().string();
        // What "passable" means on these is a matter on which no two programs agree: they are for terrain costs.
        if (path.find("wc3maps512") != std::string::npos) continue;
        if (entry.path().extension() == ".scen" && path.find(options.only) != std::string::npos)
            files.push_back(path);
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// "NAME.map.scen" lies beside its map; a dynamic scenario names its patch file itself.
std::string map_of(const std::string& scen) {
    const std::string map = scen.substr(0, scen.size() - std::strlen(".scen"));
    return std::filesystem::exists(map) ? map : "-";
}

struct Tally {
    std::size_t queries = 0;
    std::size_t wrong = 0;
    std::size_t illegal = 0;
    std::uint64_t ns = 0;
};

void judge(const std::string& scen, const cli::ScenWorld& world, std::size_t i, const Route& route,
           Tally& tally) {
    const formats::ScenarioQuery& asked = world.scenario().queries[i];
    const double length = route.status == PathStatus::complete ? route.length : formats::kNoRoute;
    if (!formats::length_agrees(world.scenario(), asked, length)) {
        if (++tally.wrong <= kWrongShown)
            std::printf("%s:%lld: query %zu: length %.17g, published %.17g\n", scen.c_str(),
                        static_cast<long long>(asked.line), i, length, asked.optimal);
    }
    if (const Violation bad = verify(route, world.grid(), {})) {
        if (++tally.illegal <= kWrongShown)
            std::printf("%s:%lld: query %zu: %s\n", scen.c_str(), static_cast<long long>(asked.line), i,
                        bad.text().c_str());
    }
}

Tally run(cli::ScenWorld& world, const std::string& scen, GridPlanner planner, std::size_t sample) {
    Tally tally;
    Scratch scratch;
    Route route;
    (void)world.restart();
    const std::size_t count = world.scenario().queries.size();
    const std::size_t asked = sample == 0 ? count : std::min(count, sample);
    for (std::size_t k = 0; k < asked; ++k) {
        const std::size_t i = (2 * k + 1) * count / (2 * asked);
        (void)world.advance(i);
        const formats::ScenarioQuery& pair = world.scenario().queries[i];
        const GridQuery query{.start = world.grid().cell_centre(pair.start),
                              .goal = world.grid().cell_centre(pair.goal),
                              .planner = planner,
                              .smoothing = Smoothing::none};
        const std::uint64_t before = measure::thread_ns();
        const Result<void> done = find_route_into(world.grid(), query, scratch, route);
        tally.ns += measure::thread_ns() - before;
        if (!done) route.status = PathStatus::unreachable;
        judge(scen, world, i, route, tally);
        ++tally.queries;
    }
    return tally;
}

bool floods(GridPlanner planner) {
    return planner == GridPlanner::astar || planner == GridPlanner::dijkstra ||
           planner == GridPlanner::bidirectional;
}

}  // namespace

int main(int count, char** words) {
    Options options;
    if (!read_options(count, words, options)) {
        std::fprintf(stderr, "scen [--data DIR] [--planner NAME]... [--only TEXT] [--sample N]\n");
        return 2;
    }
    if (options.data.empty() || !std::filesystem::is_directory(options.data)) {
        std::printf("skipped: no data (--data DIR or FAIRLEAD_DATA)\n");
        return 0;
    }
    std::size_t files = 0;
    std::size_t queries = 0;
    std::size_t bad = 0;
    try {
        for (const std::string& scen : scenario_files(options)) {
            cli::ScenWorld world{map_of(scen), scen, GridQuery{}};
            ++files;
            for (const GridPlanner planner : options.planners) {
                const Tally tally = run(world, scen, planner, floods(planner) ? options.sample : 0);
                std::printf("%-36s %-14s %6zu queries %4zu wrong %4zu illegal %10.1f us a query\n",
                            std::filesystem::path(scen).filename().string().c_str(), planner_name(planner),
                            tally.queries, tally.wrong, tally.illegal,
                            static_cast<double>(tally.ns) / 1e3 / static_cast<double>(tally.queries));
                std::fflush(stdout);
                queries += tally.queries;
                bad += tally.wrong + tally.illegal;
            }
        }
    } catch (const cli::Failure& failure) {
        std::printf("%s\n", failure.line.c_str());
        return 2;
    }
    std::printf("scen: %zu files, %zu queries, %zu wrong or illegal\n", files, queries, bad);
    return bad == 0 ? 0 : 1;
}
