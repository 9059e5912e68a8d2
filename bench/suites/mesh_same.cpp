// Queries beside Detour's: both ask Recast's bake of the level, which is handed to us as Detour's own tiles. Nearest
// polygons of both ends are included. Detour gets the smallest pool of nodes with which none of its searches fails.

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <fairlead/formats/detour.h>
#include <fairlead/mesh/mesh_table.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "suites/detour_queries.h"
#include "suites/meshes_parts.h"
#include "suites/need.h"
#include "suites/recast_bake.h"
#include "suites/stopwatch.h"

namespace fairlead::bench {

namespace {

constexpr int kSameRounds = 5;
constexpr int kNodesMost = 32768;

NavMesh own_bake(const BenchLevel& level, std::uint32_t tile_cells) {
    return need(level.name, bake::navmesh(level.soup(), {.tile_cells = tile_cells}));
}

NavMesh of_detour(const std::string& name, const std::string& set) {
    const formats::DetourMesh bake = need(name, formats::load_detour(set));
    const NavMeshTile tile = bake.mesh.tile();
    return need(name, NavMesh::make({.agent_radius = bake.agent_radius, .tiles = {&tile, 1}}));
}

/// A level baked by Recast, and by us, with the queries.
class Run {
  public:
    Run(const BenchLevel& level, std::uint32_t tile_cells, std::size_t count)
        : name_(fmt::format("{}, {}", level.name, tile_cells == 0 ? "solo" : "tiled")),
          set_(recast_set(level, tile_cells)),
          own_(own_bake(level, tile_cells)),
          same_(set_.empty() ? own_bake(level, tile_cells) : of_detour(name_, set_)),
          table_(need(name_, MeshTable::make(same_.acquire()))),
          joined_(mesh_pairs(same_, count, true, 51)),
          parted_(mesh_pairs(same_, count / 10, false, 52)) {
        if (!set_.empty()) detour_.emplace(set_);
        give_nodes();
    }

    void measure(Report& report) {
        report_times(report);
        report_lengths(report);
        report_parted(report);
        report.add(name_, "polygons", "count", same_.state().polygons(), "");
        report.add(name_, "table, KiB", "count", static_cast<double>(table_.size().bytes) / 1024.0, "");
        report.add(name_, "queries", "count", static_cast<double>(joined_.size()), "");
        report.add(name_, "unreachable", "count", static_cast<double>(parted_.size()), "");
        if (detour_) report.add(name_, "nodes of Detour", "count", detour_->nodes(), "");
    }

  private:
    static std::string recast_set(const BenchLevel& level, std::uint32_t tile_cells) {
        RecastBake bake{level, tile_cells};
        return bake.bake(RecastPartition::watershed) ? bake.detour_set() : std::string{};
    }

    void give_nodes() {
        if (!detour_) return;
        const auto short_of_nodes = [&](const MeshPair& pair) {
            detour_->ask(pair.start, pair.goal);
            return detour_->out_of_nodes();
        };
        while (detour_->nodes() < kNodesMost &&
               (std::any_of(joined_.begin(), joined_.end(), short_of_nodes) ||
                std::any_of(parted_.begin(), parted_.end(), short_of_nodes)))
            detour_->grow_nodes(2 * detour_->nodes());
    }

    Asked ours(const std::string& name, const NavMeshState& mesh, MeshPlanner planner) {
        return {name, [&mesh, planner, this](const MeshPair& pair) {
                    (void)find_route_into(
                        mesh, MeshQuery{.start = pair.start, .goal = pair.goal, .planner = planner}, scratch_,
                        route_);
                }};
    }
    void look_up(const MeshPair& pair) {
        (void)find_route_into(same_, MeshQuery{.start = pair.start, .goal = pair.goal, .table = &table_},
                              scratch_, route_);
    }
    std::vector<Asked> contestants() {
        std::vector<Asked> all{ours("any_angle", same_, MeshPlanner::any_angle),
                               ours("corridor", same_, MeshPlanner::corridor),
                               ours("any_angle, own bake", own_, MeshPlanner::any_angle),
                               {"any_angle, table", [this](const MeshPair& pair) { look_up(pair); }}};
        if (detour_)
            all.push_back({"Detour", [&](const MeshPair& pair) { detour_->ask(pair.start, pair.goal); }});
        return all;
    }

    void report_times(Report& report) {
        if (joined_.empty()) return;
        std::vector<Asked> all = contestants();
        ask_in_turn(all, joined_, kSameRounds);
        for (const Asked& asked : all) {
            report.add(name_, asked.name, "mean", asked.mean_us, "us");
            report.add(name_, asked.name, "p99", asked.p99_us, "us");
            if (detour_ && asked.name != "Detour")
                report.add(name_, asked.name, "Detour's time against ours",
                           all.back().mean_us / asked.mean_us, "x");
        }
    }

    void report_parted(Report& report) {
        if (parted_.empty()) return;
        std::vector<Asked> all{ours("any_angle", same_, MeshPlanner::any_angle)};
        if (detour_)
            all.push_back({"Detour", [&](const MeshPair& pair) { detour_->ask(pair.start, pair.goal); }});
        ask_in_turn(all, parted_, kSameRounds);
        for (const Asked& asked : all)
            report.add(name_, asked.name, "unreachable, mean", asked.mean_us, "us");
    }

    double length(const MeshPair& pair, MeshPlanner planner) {
        const Result<void> done = find_route_into(
            same_, MeshQuery{.start = pair.start, .goal = pair.goal, .planner = planner}, scratch_, route_);
        return done && route_.status == PathStatus::complete ? route_.length : -1.0;
    }

    void report_lengths(Report& report) {
        struct Peer {
            const char* name;
            double sum = 0.0, most = 0.0;
            std::size_t count = 0;
            void add(double ratio) {
                sum += ratio;
                most = std::max(most, ratio);
                ++count;
            }
        };
        Peer corridor{"corridor"}, detour{"Detour"};
        std::size_t wrong = 0;
        for (const MeshPair& pair : joined_) {
            const double best = length(pair, MeshPlanner::any_angle);
            const double through = length(pair, MeshPlanner::corridor);
            if (best < 0 || through < best * (1 - 1e-12)) ++wrong;
            if (best <= 0) continue;
            corridor.add(through / best);
            if (!detour_) continue;
            detour_->ask(pair.start, pair.goal);
            if (!detour_->arrived()) continue;
            // Detour counts in single precision. Lengths of a few centimetres are all rounding.
            if (detour_->length() < best * (1 - 1e-4) - 1e-2) ++wrong;
            if (best > 1.0) detour.add(detour_->length() / best);
        }
        for (const Peer& peer : {corridor, detour}) {
            if (peer.count == 0) continue;
            const std::string what = "length against the shortest";
            report.add(name_, fmt::format("{}, mean", peer.name), what,
                       peer.sum / static_cast<double>(peer.count), "x");
            report.add(name_, fmt::format("{}, most", peer.name), what, peer.most, "x");
        }
        report.add(name_, "wrong lengths", "count", static_cast<double>(wrong), "");
    }

    std::string name_;
    std::string set_;
    NavMesh own_;
    NavMesh same_;
    MeshTable table_;  ///< of same_
    std::vector<MeshPair> joined_;
    std::vector<MeshPair> parted_;
    std::optional<DetourQueries> detour_;
    Scratch scratch_{};
    Route route_{};
};

}  // namespace

void measure_beside_detour(const SuiteOptions& options, Report& report) {
    for (const BenchLevel& level : bench_levels(options)) {
        for (const std::uint32_t tile_cells : {0U, kTileCells})
            Run{level, tile_cells, mesh_queries(options)}.measure(report);
    }
}

}  // namespace fairlead::bench
