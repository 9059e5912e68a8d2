// Every published tile map as a level mesh, every published query on both: the route on the mesh is legal among the tiles, and never longer
// than the grid's route pulled taut. And against lengths computed apart from the project: shortest ways of a point from corner to
// corner. One line a map; status 1 if anything is wrong.
//
//     grid_mesh [--data DIR] [--only TEXT] [--tile CELLS] [--queries N]
//
// --queries: of each scenario, spread evenly; 0: all.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/formats/file.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/verify/verify.h>

#include "campaign/flags.h"
#include "cli/failure.h"
#include "cli/scen_world.h"
#include "measure/clock.h"
#include "support/environment.h"

using namespace fairlead;

namespace {

constexpr double kPublishedError = 1e-6;  // six digits behind the point
constexpr int kWrongShown = 5;

struct Options {
    std::string data = fairlead::testing::data_path("maps");
    std::string only;
    std::int32_t tile = 0;
    std::size_t queries = 0;
};

bool read_options(int count, char** words, Options& options) {
    const auto take = [&](const std::string& flag, const char* value) {
        if (flag == "--data") {
            options.data = std::string(value) + "/maps";
        } else if (flag == "--only") {
            options.only = value;
        } else if (flag == "--tile") {
            options.tile = std::atoi(value);
        } else if (flag == "--queries") {
            options.queries = static_cast<std::size_t>(std::strtoull(value, nullptr, 10));
        } else {
            return false;
        }
        return true;
    };
    return fairlead::testing::read_flags(count, words, take);
}

struct CornerPair {
    Vec2 from;
    Vec2 to;
    double length;  ///< negative: no way
};

/// By name of the map.
std::map<std::string, std::vector<CornerPair>> load_published(const std::string& data) {
    std::map<std::string, std::vector<CornerPair>> all;
    const Result<std::string> text = formats::load_file(data + "/euclidean/optimal.csv.gz");
    if (!text) return all;
    const char* at = text->c_str();
    char name[64];
    CornerPair pair{};
    for (int used = 0; std::sscanf(at, "%63[^,],%lf,%lf,%lf,%lf,%lf\n%n", name, &pair.from.x, &pair.from.y,
                                   &pair.to.x, &pair.to.y, &pair.length, &used) == 6;
         at += used) {
        all[name].push_back(pair);
    }
    return all;
}

struct Tally {
    std::size_t queries = 0;
    std::size_t longer = 0;  ///< than the grid's
    std::size_t illegal = 0;
    std::size_t unlike = 0;  ///< one found a way and the other did not
    std::size_t published = 0;
    std::size_t off = 0;  ///< not the published length
    double mesh_ns = 0.0;
    double grid_ns = 0.0;
    double ratio_sum = 0.0;  ///< grid / mesh
    double ratio_most = 1.0;
    std::size_t ratios = 0;

    [[nodiscard]] std::size_t bad() const { return longer + illegal + unlike + off; }
};

struct Side {
    const NavMesh& mesh;
    Scratch scratch;
    Route route;

    void find(Vec2 from, Vec2 to, double reach) {
        const MeshQuery query{
            .start = {from.x, from.y, 0.0}, .goal = Vec3{to.x, to.y, 0.0}, .reach = {reach, 1, 1}};
        if (!find_route_into(mesh, query, scratch, route)) route.status = PathStatus::unreachable;
    }
};

void run_scenario(const cli::ScenWorld& world, Side& side, std::size_t queries, Tally& tally) {
    Scratch scratch;
    Route tiles;
    const std::size_t count = world.scenario().queries.size();
    const std::size_t asked = queries == 0 ? count : std::min(count, queries);
    for (std::size_t k = 0; k < asked; ++k) {
        const formats::ScenarioQuery& pair = world.scenario().queries[(2 * k + 1) * count / (2 * asked)];
        const Vec2 from = world.grid().cell_centre(pair.start), to = world.grid().cell_centre(pair.goal);
        std::uint64_t before = measure::thread_ns();
        const Result<void> done =
            find_route_into(world.grid(), GridQuery{.start = from, .goal = to}, scratch, tiles);
        tally.grid_ns += static_cast<double>(measure::thread_ns() - before);
        if (!done) tiles.status = PathStatus::unreachable;
        before = measure::thread_ns();
        side.find(from, to, 0.25);
        tally.mesh_ns += static_cast<double>(measure::thread_ns() - before);
        ++tally.queries;
        const bool complete = side.route.status == PathStatus::complete;
        if (complete != (tiles.status == PathStatus::complete)) ++tally.unlike;
        if (!complete || tiles.status != PathStatus::complete) continue;
        if (const Violation bad = verify(side.route, world.grid(), {}, {.check_revision = false})) {
            if (++tally.illegal <= kWrongShown) std::printf("  query %zu: %s\n", k, bad.text().c_str());
        }
        if (side.route.length > tiles.length * (1.0 + 1e-12)) {
            if (++tally.longer <= kWrongShown)
                std::printf("  query %zu: %.17g, on tiles %.17g\n", k, side.route.length, tiles.length);
        }
        if (side.route.length > 0.0) {
            const double ratio = tiles.length / side.route.length;
            tally.ratio_sum += ratio;
            tally.ratio_most = std::max(tally.ratio_most, ratio);
            ++tally.ratios;
        }
    }
}

/// The places that a corner is: where two walls meet only there it is one on either side, which are far apart.
std::vector<Vec2> places_of(const GridState& grid, Vec2 corner) {
    const auto x = static_cast<std::int32_t>(corner.x), y = static_cast<std::int32_t>(corner.y);
    const bool a = grid.blocked({x - 1, y - 1, 0}), b = grid.blocked({x, y - 1, 0});
    const bool c = grid.blocked({x - 1, y, 0}), d = grid.blocked({x, y, 0});
    if (a != d || b != c || a == b) return {corner};
    const Vec2 off{kPublishedError / 10, a ? -kPublishedError / 10 : kPublishedError / 10};
    return {corner + off, corner - off};
}

bool as_published(const GridState& grid, const CornerPair& pair, Side& side, double& length) {
    for (const Vec2 from : places_of(grid, pair.from)) {
        for (const Vec2 to : places_of(grid, pair.to)) {
            side.find(from, to, 1e-6);
            length = side.route.status == PathStatus::complete ? side.route.length : -1.0;
            if (std::fabs(length - pair.length) <= kPublishedError * std::max(1.0, length)) return true;
        }
    }
    return false;
}

void run_published(const GridState& grid, const std::vector<CornerPair>& pairs, Side& side, Tally& tally) {
    for (const CornerPair& pair : pairs) {
        double length = 0.0;
        ++tally.published;
        if (as_published(grid, pair, side, length)) continue;
        if (++tally.off <= kWrongShown)
            std::printf("  (%g, %g) to (%g, %g): %.9g, published %.9g\n", pair.from.x, pair.from.y, pair.to.x,
                        pair.to.y, length, pair.length);
    }
}

std::vector<std::string> scenario_files(const Options& options) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(options.data)) {
        const std::string path = entry.path().string();
        if (path.size() > 9 && path.substr(path.size() - 9) == ".map.scen" &&
            path.find(options.only) != std::string::npos)
            files.push_back(path);
    }
    std::sort(files.begin(), files.end());
    return files;
}

int run(const Options& options) {
    const auto published = load_published(options.data);
    Tally all;
    double grid_all = 0.0, mesh_all = 0.0;
    std::size_t maps = 0;
    std::printf("%-18s %9s %8s %8s %8s %8s %9s %9s %9s %9s\n", "map", "free", "polygons", "make ms", "KiB",
                "queries", "mesh us", "tiles us", "ratio", "worst");
    for (const std::string& scen : scenario_files(options)) {
        cli::ScenWorld world{scen.substr(0, scen.size() - std::strlen(".scen")), scen, GridQuery{}};
        (void)world.restart();
        const std::uint64_t before = measure::thread_ns();
        const Result<NavMesh> mesh =
            make_grid_mesh(world.grid(), {.tile_cells = options.tile, .landmarks = 0});
        const double make_ms = static_cast<double>(measure::thread_ns() - before) / 1e6;
        const Result<NavMesh> full = make_grid_mesh(world.grid(), {.tile_cells = options.tile});
        if (!mesh || !full) {
            std::printf("%s: no mesh\n", scen.c_str());
            return 1;
        }
        Side side{*full, Scratch(), Route()};
        Tally tally;
        const std::string name = std::filesystem::path(scen).stem().stem().string();
        run_scenario(world, side, options.queries, tally);
        if (const auto pairs = published.find(name); pairs != published.end())
            run_published(world.grid(), pairs->second, side, tally);
        const double n = static_cast<double>(std::max<std::size_t>(tally.queries, 1));
        std::printf("%-18s %9lld %8u %8.2f %8.0f %8zu %9.1f %9.1f %9.5f %9.5f", name.c_str(),
                    static_cast<long long>(world.grid().free_cells()), full->state().polygons(), make_ms,
                    static_cast<double>(full->state().memory().total()) / 1024.0, tally.queries,
                    tally.mesh_ns / n / 1e3, tally.grid_ns / n / 1e3,
                    tally.ratio_sum / static_cast<double>(std::max<std::size_t>(tally.ratios, 1)),
                    tally.ratio_most);
        if (tally.published > 0)
            std::printf("   %zu of %zu as published", tally.published - tally.off, tally.published);
        if (tally.bad() > 0)
            std::printf("   %zu longer, %zu illegal, %zu unlike, %zu off", tally.longer, tally.illegal,
                        tally.unlike, tally.off);
        std::printf("\n");
        std::fflush(stdout);
        ++maps;
        all.queries += tally.queries;
        all.longer += tally.longer;
        all.illegal += tally.illegal;
        all.unlike += tally.unlike;
        all.published += tally.published;
        all.off += tally.off;
        grid_all += tally.grid_ns;
        mesh_all += tally.mesh_ns;
    }
    const double n = static_cast<double>(std::max<std::size_t>(all.queries, 1));
    std::printf(
        "grid_mesh: %zu maps, %zu queries: %zu longer, %zu illegal, %zu unlike; mean %.1f us, on tiles %.1f "
        "us; "
        "%zu published lengths, %zu off\n",
        maps, all.queries, all.longer, all.illegal, all.unlike, mesh_all / n / 1e3, grid_all / n / 1e3,
        all.published, all.off);
    return all.bad() == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
    Options options;
    if (!read_options(count, words, options)) {
        std::fprintf(stderr, "grid_mesh [--data DIR] [--only TEXT] [--tile CELLS] [--queries N]\n");
        return 2;
    }
    if (options.data.empty() || !std::filesystem::is_directory(options.data)) {
        std::printf("skipped: no data (--data DIR or FAIRLEAD_DATA)\n");
        return 0;
    }
    try {
        return run(options);
    } catch (const cli::Failure& failure) {
        std::printf("%s\n", failure.line.c_str());
        return 2;
    }
}
