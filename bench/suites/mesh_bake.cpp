// Baking levels beside Recast: polygons and heights (Recast's detail mesh, our height field), the same parameters, in turn.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include <fairlead/mesh_bake/bake.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "suites/counted_memory.h"
#include "suites/level_worlds.h"
#include "suites/recast_bake.h"
#include "suites/stopwatch.h"
#include "suites/suite.h"
#include "suites/worker.h"

namespace fairlead::bench {

namespace {

constexpr int kPartitions = static_cast<int>(RecastPartition::count_);
constexpr double kPatienceMs = 2000.0;  ///< what takes longer is not asked again
/// What RecastDemo takes for plain tiles (32) and for levels with obstacles.
constexpr std::uint32_t kTilings[] = {0, 32, kTileCells};
constexpr std::uint32_t kMoreTilings[] = {64, 128};

std::string tiling_name(std::uint32_t cells) {
    return cells == 0 ? std::string{"solo"} : fmt::format("tiles of {}", cells);
}

bake::BakedMesh bake_own(const BenchLevel& level, const bake::BakeOptions& options) {
    Result<bake::BakedMesh> mesh = bake::bake_mesh(level.soup(), options);
    if (!mesh) throw std::runtime_error(level.name + ": " + error_text(mesh.error()).c_str());
    return std::move(*mesh);
}

/// The least of several.
double own_ms(const BenchLevel& level, std::uint32_t tile_cells, int rounds = 1) {
    double best = 1e30;
    for (int round = 0; round < rounds; ++round) {
        std::optional<bake::BakedMesh> kept;  // ended outside of the timing
        const std::uint64_t ns = time_ns([&] { kept = bake_own(level, {.tile_cells = tile_cells}); });
        best = std::min(best, static_cast<double>(ns) / 1e6);
    }
    return best;
}

/// Negative if Recast cannot.
double recast_ms(RecastBake& peer, RecastPartition partition) {
    bool good = false;
    peer.clear();
    const std::uint64_t ns = time_ns([&] { good = peer.bake(partition); });
    return good ? static_cast<double>(ns) / 1e6 : -1.0;
}

/// The least times of one level in one tiling, in ms.
struct BakeTimes {
    double own = 1e30;
    double peer[kPartitions] = {-1.0, -1.0, -1.0};  // negative: it cannot
};

BakeTimes measure_tiling(const BenchLevel& level, std::uint32_t tile_cells, int rounds, Report& report) {
    BakeTimes best;
    RecastBake peer{level, tile_cells};
    for (int round = 0; round < rounds; ++round) {
        best.own = std::min(best.own, own_ms(level, tile_cells));
        for (int p = 0; has_recast() && p < kPartitions; ++p) {
            const auto partition = static_cast<RecastPartition>(p);
            if (best.peer[p] > kPatienceMs || !peer.bearable(partition)) continue;
            const double ms = recast_ms(peer, partition);
            if (ms >= 0 && (best.peer[p] < 0 || ms < best.peer[p])) best.peer[p] = ms;
        }
    }
    const std::string what = tiling_name(tile_cells);
    report.add(level.name, "fairlead", what, best.own, "ms");
    for (int p = 0; p < kPartitions; ++p) {
        if (best.peer[p] < 0) continue;
        const auto partition = static_cast<RecastPartition>(p);
        report.add(level.name, fmt::format("Recast, {}", partition_name(partition)), what, best.peer[p],
                   "ms");
    }
    return best;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Of one level: how much the slowest way to cut it into regions or tiles costs against the median one.
void report_cliff(const std::string& name, const std::string& who, const std::vector<double>& ms,
                  Report& report) {
    if (ms.empty()) return;
    report.add(name, who, "the slowest partition against the median",
               *std::max_element(ms.begin(), ms.end()) / median(ms), "x");
}

void measure_level(const BenchLevel& level, const SuiteOptions& options, Report& report) {
    const int rounds = options.quick ? 1 : 7;
    std::vector<double> own, peer;
    double own_best = 1e30, peer_best = 1e30;
    for (const std::uint32_t tile_cells : kTilings) {
        const BakeTimes times = measure_tiling(level, tile_cells, rounds, report);
        own.push_back(times.own);
        own_best = std::min(own_best, times.own);
        for (const double ms : times.peer) {
            if (ms >= 0) peer.push_back(ms);
        }
        if (times.peer[0] < 0) continue;
        peer_best = std::min(peer_best, times.peer[0]);
        report.add(level.name, tiling_name(tile_cells), "Recast's time (watershed) against ours",
                   times.peer[0] / times.own, "x");
    }
    if (has_recast())
        report.add(level.name, "the better of each", "Recast's time (watershed) against ours",
                   peer_best / own_best, "x");
    for (const std::uint32_t tile_cells : kMoreTilings) own.push_back(own_ms(level, tile_cells, rounds));
    report_cliff(level.name, "fairlead", own, report);
    report_cliff(level.name, "Recast", peer, report);
}

// --- Threads -----------------------------------------------------------------------------------------------------

double wall_ms(const BenchLevel& level, const bake::BakeOptions& options) {
    std::optional<bake::BakedMesh> kept;
    const auto before = std::chrono::steady_clock::now();
    kept = bake_own(level, options);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before).count();
}

void measure_threads(const BenchLevel& level, int rounds, Report& report) {
    double one = 1e30, two = 1e30;
    Worker worker;
    for (int round = 0; round < rounds; ++round) {
        one = std::min(one, wall_ms(level, {.tile_cells = kTileCells}));
        two = std::min(two, wall_ms(level, {.tile_cells = kTileCells, .jobs = worker.jobs()}));
    }
    report.add(level.name, "one thread", "wall time", one, "ms");
    report.add(level.name, "two threads", "wall time", two, "ms");
    report.add(level.name, "two threads", "wall time of one thread against", one / two, "x");
}

// --- Memory ------------------------------------------------------------------------------------------------------

void measure_memory(const BenchLevel& level, Report& report) {
    for (const std::uint32_t tile_cells : {0U, kTileCells}) {
        CountedMemory held;
        {
            const bake::BakedMesh mesh =
                bake_own(level, {.tile_cells = tile_cells, .allocator = held.allocator()});
        }
        const std::string what = tiling_name(tile_cells);
        report.add(level.name, "fairlead, " + what, "most memory", static_cast<double>(held.most()) / 1e6,
                   "MB");
        const std::size_t peer = recast_peak_bytes(level, tile_cells);
        if (peer > 0)
            report.add(level.name, "Recast, " + what, "most memory", static_cast<double>(peer) / 1e6, "MB");
    }
}

/// Sixteen cities: too large for Recast's solo mesh.
void measure_large(const BenchLevel& level, Report& report) {
    const BenchLevel large = repeated(level, 4, level.name + ", 4 x 4 of them");
    RecastBake peer{large, kTileCells};
    double own = 1e30, watershed = 1e30;
    for (int round = 0; round < 2; ++round) {
        own = std::min(own, own_ms(large, kTileCells));
        if (has_recast()) watershed = std::min(watershed, recast_ms(peer, RecastPartition::watershed));
    }
    report.add(large.name, "fairlead", tiling_name(kTileCells), own, "ms");
    if (has_recast()) {
        report.add(large.name, "Recast, watershed", tiling_name(kTileCells), watershed, "ms");
        report.add(large.name, tiling_name(kTileCells), "Recast's time (watershed) against ours",
                   watershed / own, "x");
    }
    measure_threads(large, 2, report);
    measure_memory(large, report);
}

}  // namespace

void run_mesh_bake(const SuiteOptions& options, Report& report) {
    if (!has_recast()) report.note(kNoRecast);
    std::vector<BenchLevel> levels = bench_levels(options);
    levels.push_back(maze_level(options.quick ? 8 : 40, 42));
    for (const BenchLevel& level : levels) {
        measure_level(level, options, report);
        measure_threads(level, options.quick ? 1 : 9, report);
        measure_memory(level, report);
        if (level.name == "city_256") measure_large(level, report);
    }
}

}  // namespace fairlead::bench
