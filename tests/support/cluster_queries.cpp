#include "support/cluster_queries.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fairlead/formats/assets.h>
#include <fairlead/verify/verify.h>

#include "support/cluster_check.h"
#include "support/planner_check.h"

namespace fairlead::testing {

namespace {

Cell draw_cell(Rng& rng, const GridState& grid, const Agent& agent, std::int32_t layer) {
    Cell cell;
    for (int i = 0; i < 60; ++i) {
        const std::int32_t x = rng.between(0, grid.width() - 1);
        cell = {x, rng.between(0, grid.height() - 1), layer};
        if (grid.can_stand(cell, agent)) break;
    }
    return cell;
}

// Where the unit's centre is when it stands in a cell.
Vec2 stand_point(const GridState& grid, Cell cell, const Agent& agent) {
    const double low = agent.footprint > 0 && agent.footprint % 2 == 0 ? 0.5 : 0.0;
    return grid.cell_centre(cell) - Vec2{low, low} * grid.cell_size();
}

class Asker {
  public:
    Asker(const Grid& grid, const Agent& agent, ClusterQueryTally& tally)
        : grid_(grid), agent_(agent), tally_(tally) {}

    std::string ask(Rng& rng) {
        GridQuery query = draw_cluster_query(rng, grid_.state(), agent_);
        const auto smoothing = static_cast<Smoothing>(rng.below(4));
        const bool jumps =
            !grid_.state().wrap_x() && !grid_.state().wrap_y() && grid_.state().portals().empty();
        query.planner = jumps ? GridPlanner::jump_point : GridPlanner::bucket_astar;
        ++tally_.queries;
        if (!find_route_into(grid_, query, flat_, by_tiles_)) return "the flat search refuses";
        query.planner = GridPlanner::hierarchy;
        std::string problem = judge(query, true);
        if (problem.empty()) {
            query.smoothing = smoothing;
            problem = judge(query, false);
        }
        return problem.empty() ? "" : describe(query) + ": " + problem;
    }

  private:
    std::string judge(const GridQuery& query, bool counts) {
        if (!find_route_into(grid_, query, over_, route_)) return "refused";
        if (route_.status != by_tiles_.status)
            return std::string("status ") + status_name(route_.status) + ", not " +
                   status_name(by_tiles_.status);
        const std::string planner = route_.planner;
        // Discs wider than a tile go between half tiles where none leads over tiles.
        if (planner != "hierarchy" && planner != by_tiles_.planner) return "made by " + planner;
        if (route_.revision != grid_.state().revision()) return "wrong revision";
        if (route_.status != PathStatus::complete) return route_.legs.empty() ? "" : "legs without a route";
        const Violation bad = verify(route_, grid_.state(), query.agent);
        if (bad) return std::string("illegal: ") + bad.text().c_str();
        if (!route_.legs.empty()) {
            if (distance(ground(route_.legs[0].start.position), query.start.ground()) > 1e-9)
                return "does not start at the start";
            const double straight = distance(query.start.ground(), ground(route_.end.position));
            if (route_.length < straight * (1.0 - 1e-9) && grid_.state().portals().empty())
                return "too short";
        }
        if (distance(ground(route_.end.position), ground(by_tiles_.end.position)) > 1e-9 &&
            !grid_.state().wrap_x() && !grid_.state().wrap_y())
            return "ends elsewhere";
        if (counts) count(query);
        return "";
    }

    void count(const GridQuery& query) {
        ++tally_.complete;
        const GridState& grid = grid_.state();
        const Vec2 a = query.start.ground(), b = query.goal.at.ground();
        double dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y);
        if (grid.wrap_x()) dx = std::min(dx, grid.width() - dx);
        if (grid.wrap_y()) dy = std::min(dy, grid.height() - dy);
        if (std::max(dx, dy) < 76.0 || query.start.layer != query.goal.at.layer) return;
        ++tally_.far;
        if (std::isfinite(route_.bound)) return;
        ++tally_.over_clusters;
        // What portals cost counts, and not where they save nearly all of the way.
        const double ratio = (route_.line_cost + 10.0) / (by_tiles_.line_cost + 10.0);
        tally_.ratio += ratio;
        tally_.most = std::max(tally_.most, ratio);
    }

    const Grid& grid_;
    Agent agent_;
    ClusterQueryTally& tally_;
    Scratch flat_, over_;
    Route by_tiles_, route_;
};

std::string ask_all(Rng& rng, const Grid& grid, const Agent& agent, int queries, ClusterQueryTally& tally) {
    Asker asker(grid, agent, tally);
    for (int i = 0; i < queries; ++i) {
        const std::string problem = asker.ask(rng);
        if (!problem.empty()) return problem;
    }
    return "";
}

}  // namespace

GridQuery draw_cluster_query(Rng& rng, const GridState& grid, const Agent& agent) {
    const std::int32_t layer = rng.between(0, grid.layers() - 1);
    const Cell start = draw_cell(rng, grid, agent, layer);
    const std::int32_t goal_layer =
        grid.portals().empty() || rng.below(2) == 0 ? layer : rng.between(0, grid.layers() - 1);
    Cell goal = draw_cell(rng, grid, agent, goal_layer);
    const bool any = rng.below(4) == 0;
    for (int i = 0; !any && i < 8 && std::max(std::abs(goal.x - start.x), std::abs(goal.y - start.y)) < 150;
         ++i)
        goal = draw_cell(rng, grid, agent, goal_layer);
    GridQuery query{.agent = agent};
    query.start = stand_point(grid, start, agent);
    query.start.layer = layer;
    query.goal = stand_point(grid, goal, agent);
    query.goal.at.layer = goal_layer;
    return query;
}

std::string check_cluster_queries(std::uint64_t seed, std::int32_t side_max, int queries,
                                  ClusterQueryTally& tally) {
    Rng rng(seed);
    const auto kind = static_cast<ClusterMap>(rng.below(static_cast<std::uint32_t>(ClusterMap::count_)));
    const Agent agent = kClusterAgents[rng.below(3) == 0 ? 0 : rng.below(10)];
    const Agent sizes[] = {agent};
    GridOptions options;
    options.width = rng.between(65, side_max) + (rng.below(4) == 0 ? 200 : 0);
    options.height = rng.between(65, std::min(side_max, 60000 / options.width + 66));
    options.layers = rng.below(6) == 0 ? 2 : 1;
    options.wrap_x = options.width >= 128 && rng.below(6) == 0;
    options.wrap_y = options.height >= 128 && rng.below(6) == 0;
    options.hierarchy = true;
    if (!(agent == Agent{})) options.sizes = sizes;
    std::vector<std::uint8_t> tiles;
    for (std::int32_t layer = 0; layer < options.layers; ++layer) {
        const std::vector<std::uint8_t> floor = cluster_map(rng, kind, options.width, options.height);
        tiles.insert(tiles.end(), floor.begin(), floor.end());
    }
    std::vector<Portal> portals;
    const bool with_portals = rng.below(3) == 0;
    if (with_portals) portals = draw_portals(rng, options, tiles, rng.between(1, rng.below(3) == 0 ? 45 : 8));
    options.portals = portals;
    const Result<Grid> grid = Grid::make(options, tiles);
    if (!grid) return "no grid";
    ClusterQueryTally own;
    const std::string problem = ask_all(rng, *grid, agent, queries, own);
    if (with_portals) tally.portal_ratio += own.ratio;
    if (with_portals) tally.with_portals += own.over_clusters;
    tally.add(own);
    return problem.empty() ? "" : std::string(cluster_map_name(kind)) + ", " + problem;
}

std::string check_long_queries(std::uint64_t seed, int queries, ClusterQueryTally& tally) {
    Rng rng(seed);
    const auto kind = seed % 2 == 0 ? ClusterMap::rooms : ClusterMap::town;
    GridOptions options{.width = 2049 + rng.between(0, 200), .height = rng.between(65, 100)};
    options.hierarchy = true;
    const Result<Grid> grid = Grid::make(options, cluster_map(rng, kind, options.width, options.height));
    if (!grid || cluster_levels(grid->state(), {}) != 3) return "no three levels";
    return ask_all(rng, *grid, {}, queries, tally);
}

std::string check_map_queries(const std::string& path, const Agent& agent, int queries,
                              ClusterQueryTally& tally) {
    const Agent sizes[] = {agent};
    GridOptions options;
    options.hierarchy = true;
    if (!(agent == Agent{})) options.sizes = sizes;
    const Result<Grid> grid = formats::load_grid_asset(path, options);
    if (!grid) return "no grid";
    Rng rng(77);
    return ask_all(rng, *grid, agent, queries, tally);
}

}  // namespace fairlead::testing
