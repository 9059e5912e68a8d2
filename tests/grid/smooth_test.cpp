// Smoothing of tile routes: what may never happen, on random worlds of all kinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "support/any_angle.h"
#include "support/environment.h"
#include "support/random_worlds.h"

namespace fairlead::testing {
namespace {

constexpr Smoothing kSmoothings[] = {Smoothing::greedy_shortcut, Smoothing::farthest_visible,
                                     Smoothing::best};

Vec2 to_cells(const oracle::World& world, const Vec3& p) {
    return (ground(p) - world.origin) * (1.0 / world.cell_size);
}

/// Cost of the drive legs by the test's own integral, in cells.
double cost_of(const oracle::World& world, const GridQuery& query, const Route& route) {
    double cost = 0.0;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        if (leg.kind == LegKind::link) continue;
        const Vec3 end = i + 1 < route.legs.size() ? route.legs[i + 1].start.position : route.end.position;
        cost += terrain_cost(world, query, to_cells(world, leg.start.position), to_cells(world, end),
                             leg.start.layer);
    }
    return cost;
}

bool same_place(const Place& a, const Place& b) { return a.position == b.position && a.layer == b.layer; }

bool same_route(const Route& a, const Route& b) {
    if (a.status != b.status || a.legs.size() != b.legs.size()) return false;
    if (a.length != b.length || a.cost != b.cost || !same_place(a.end, b.end)) return false;
    for (std::size_t i = 0; i < a.legs.size(); ++i) {
        const Leg& p = a.legs[i];
        const Leg& q = b.legs[i];
        if (!same_place(p.start, q.start) || p.length != q.length || p.kind != q.kind ||
            p.link_id != q.link_id)
            return false;
    }
    return true;
}

/// Are the points where `part` bends among those where `all` does, in order?
bool is_subsequence(const Route& part, const Route& all) {
    std::size_t at = 0;
    for (const Leg& leg : part.legs) {
        while (at < all.legs.size() && !same_place(all.legs[at].start, leg.start)) ++at;
        if (at == all.legs.size()) return false;
    }
    return true;
}

struct Tally {
    std::uint64_t routes = 0;
    std::uint64_t bent = 0;         ///< tile routes with something to smooth
    std::uint64_t best_dearer = 0;  ///< than farthest_visible
    double worst_ratio = 1.0;       ///< of those, best / farthest
    double tile_length = 0.0;
    double lengths[3] = {};
};

/// One query under every smoothing. Empty: all is well.
std::string check_query(const Grid& grid, const oracle::World& world, GridQuery& query, Rng& rng,
                        Scratch& scratch, Tally& tally) {
    const GridState& state = grid.state();
    query.smoothing = Smoothing::none;
    Route tiles;
    if (!find_route_into(state, query, scratch, tiles)) return "";  // not a query for this planner
    if (tiles.legs.empty()) return "";
    ++tally.routes;
    tally.bent += tiles.legs.size() > 1 ? 1 : 0;
    tally.tile_length += tiles.length;
    const double tile_cost = cost_of(world, query, tiles);
    double costs[3] = {};
    for (std::size_t s = 0; s < 3; ++s) {
        query.smoothing = kSmoothings[s];
        const std::string name = "smoothing " + std::to_string(static_cast<int>(query.smoothing)) + ": ";
        Route route;
        if (!find_route_into(state, query, scratch, route)) return name + "refused";
        const Violation bad =
            verify(route, state, query.agent, {.terrain = query.terrain, .blockers = query.blockers});
        if (bad) return name + bad.text().c_str();
        if (route.status != tiles.status) return name + "another status";
        if (!same_place(route.end, tiles.end)) return name + "ends elsewhere";
        const bool starts = route.legs.empty() ? same_place(route.end, tiles.legs[0].start)
                                               : same_place(route.legs[0].start, tiles.legs[0].start);
        if (!starts) return name + "starts elsewhere";
        if (route.length > tiles.length * (1.0 + 1e-12)) return name + "longer";
        costs[s] = cost_of(world, query, route);
        if (costs[s] > tile_cost * (1.0 + 1e-9) + 1e-9) return name + "dearer";
        if (s < 2 && !is_subsequence(route, tiles)) return name + "not a subsequence";
        tally.lengths[s] += route.length;
        GridSearch search(grid, query, scratch);
        while (search.step(1 + rng.below(6))) {
        }
        Route sliced;
        if (!search.take(sliced) || !same_route(route, sliced)) return name + "slices give another route";
    }
    if (costs[2] > costs[0] * (1.0 + 1e-9) + 1e-9) return "best is dearer than greedy";
    if (costs[2] > costs[1] + 1e-6) {
        ++tally.best_dearer;
        tally.worst_ratio = std::max(tally.worst_ratio, costs[2] / costs[1]);
    }
    return "";
}

void run_topic(Topic topic, int cases) {
    constexpr GridPlanner kPlanners[] = {GridPlanner::automatic, GridPlanner::automatic, GridPlanner::astar,
                                         GridPlanner::greedy_best_first, GridPlanner::turn_penalty};
    Tally tally;
    for (int i = 0; i < trials(cases); ++i) {
        Rng rng(static_cast<std::uint64_t>(i) * 77 + static_cast<std::uint64_t>(topic));
        RandomCase drawn = random_case(rng, topic, 60);
        const Grid grid = drawn.make_grid();
        const oracle::GridOracle oracle(drawn.world, drawn.ask.bind());
        Scratch scratch;
        for (int k = 0; k < 6; ++k) {
            draw_ends(rng, topic, oracle, drawn);
            (void)drawn.ask.bind();
            GridQuery query = drawn.ask.query;
            query.planner = kPlanners[rng.below(5)];
            const std::string problem = check_query(grid, drawn.world, query, rng, scratch, tally);
            ASSERT_EQ(problem, "") << topic_name(topic) << " case " << i << " query " << k;
        }
    }
    const double dearer = 100.0 * static_cast<double>(tally.best_dearer) / static_cast<double>(tally.bent);
    std::printf(
        "%-10s %6llu routes; length to the tile route's: greedy %.4f, farthest %.4f, best %.4f; best dearer "
        "than farthest: %llu (%.2f %%), by up to %.2f %%\n",
        topic_name(topic), static_cast<unsigned long long>(tally.routes),
        tally.lengths[0] / tally.tile_length, tally.lengths[1] / tally.tile_length,
        tally.lengths[2] / tally.tile_length, static_cast<unsigned long long>(tally.best_dearer), dearer,
        100.0 * (tally.worst_ratio - 1.0));
    // Farthest may jump to the other side of a wall where the route around it, pulled taut, is still longer.
    EXPECT_LT(dearer, 1.0);
    EXPECT_GT(2 * tally.bent, static_cast<std::uint64_t>(trials(cases)));
}

TEST(SmoothingSlow, Plain) { run_topic(Topic::plain, 1500); }
TEST(SmoothingSlow, Bodies) { run_topic(Topic::bodies, 1500); }
TEST(SmoothingSlow, Terrain) { run_topic(Topic::terrain, 1000); }
TEST(SmoothingSlow, Filtered) { run_topic(Topic::filtered, 1000); }
TEST(SmoothingSlow, Influence) { run_topic(Topic::influence, 500); }
TEST(SmoothingSlow, Wrapped) { run_topic(Topic::wrapped, 1000); }
TEST(SmoothingSlow, Layered) { run_topic(Topic::layered, 800); }
TEST(SmoothingSlow, Blocked) { run_topic(Topic::blocked, 1500); }
TEST(SmoothingSlow, Regions) { run_topic(Topic::regions, 800); }
TEST(SmoothingSlow, Scaled) { run_topic(Topic::scaled, 800); }
TEST(SmoothingSlow, Everything) { run_topic(Topic::everything, 1500); }

}  // namespace
}  // namespace fairlead::testing
