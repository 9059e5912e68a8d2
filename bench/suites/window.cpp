// The articles' window beside the "standard A*" that it is said to be forty times as fast as: sorted linked lists with linear look-up, as the
// article describes it. The same maps, the same steps and costs, and ways of the same cost (checked).

#include <cmath>
#include <list>
#include <stdexcept>
#include <unordered_map>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/classic/find_classic.h>
#include <fairlead/classic/offsets.h>
#include <fairlead/grid/find_route.h>

#include "suites/article_suites.h"
#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr std::int32_t kSide = 60;

/// A sorted open list and a closed list, both linked; who is on them is found by walking them, or by a hash table.
class ListedAStar {
  public:
    ListedAStar(const BenchWorld& world, bool hashed) : world_(world), hashed_(hashed) {}

    /// Cost in 1/64 tile, or -1.
    std::int32_t run(const Cell& from, const Cell& to) {
        open_.clear();
        closed_.clear();
        where_.clear();
        goal_ = to;
        insert({from.x, from.y, 0, estimate(from.x, from.y)});
        while (!open_.empty()) {
            closed_.splice(closed_.begin(), open_, open_.begin());
            const Node at = closed_.front();
            if (at.x == to.x && at.y == to.y) return at.g;
            if (hashed_) where_[key(at.x, at.y)] = {closed_.begin(), true};
            for (std::int32_t i = 0; i < offset_count(1); ++i) reach(at, kTileOffsets[i]);
        }
        return -1;
    }

  private:
    struct Node {
        std::int32_t x = 0, y = 0, g = 0, f = 0;
    };
    using List = std::list<Node>;
    struct Found {
        List::iterator node;
        bool closed = false;
    };

    static std::int32_t key(std::int32_t x, std::int32_t y) { return y * 65536 + x; }
    [[nodiscard]] std::int32_t estimate(std::int32_t x, std::int32_t y) const {
        const std::int32_t dx = std::abs(goal_.x - x), dy = std::abs(goal_.y - y);
        return 64 * (dx + dy - 2 * std::min(dx, dy)) + 90 * std::min(dx, dy);
    }
    bool find(std::int32_t x, std::int32_t y, Found& found) {
        if (hashed_) {
            const auto at = where_.find(key(x, y));
            if (at == where_.end()) return false;
            found = at->second;
            return true;
        }
        for (List* list : {&open_, &closed_}) {
            for (auto at = list->begin(); at != list->end(); ++at) {
                if (at->x != x || at->y != y) continue;
                found = {at, list == &closed_};
                return true;
            }
        }
        return false;
    }
    void insert(const Node& node) {
        auto at = open_.begin();
        while (at != open_.end() && at->f < node.f) ++at;
        const auto put = open_.insert(at, node);
        if (hashed_) where_[key(node.x, node.y)] = {put, false};
    }
    void reach(const Node& from, const TileOffset& step) {
        const std::int32_t x = from.x + step.dx, y = from.y + step.dy;
        if (x < 0 || y < 0 || x >= world_.width || y >= world_.height) return;
        if (world_.tiles[static_cast<std::size_t>(y * world_.width + x)] == 0) return;
        const std::int32_t g = from.g + (step.dx != 0 && step.dy != 0 ? 90 : 64);
        Found found;
        if (find(x, y, found)) {
            if (found.node->g <= g) return;
            (found.closed ? closed_ : open_).erase(found.node);
        }
        insert({x, y, g, g + estimate(x, y)});
    }

    const BenchWorld& world_;
    bool hashed_;
    Cell goal_{};
    List open_, closed_;
    std::unordered_map<std::int32_t, Found> where_;
};

BenchWorld random_window(std::uint32_t percent, std::size_t pairs) {
    BenchWorld world{.name = std::to_string(percent) + " % walls",
                     .width = kSide,
                     .height = kSide,
                     .tiles = {},
                     .pairs = {}};
    Rng rng(percent + 1);
    for (std::int32_t i = 0; i < kSide * kSide; ++i) world.tiles.push_back(rng.below(100) < percent ? 0 : 1);
    ListedAStar search(world, true);
    while (world.pairs.size() < pairs) {
        const Cell from{rng.between(10, 49), rng.between(10, 49)},
            to{rng.between(10, 49), rng.between(10, 49)};
        const auto wall = [&](const Cell& c) {
            return world.tiles[static_cast<std::size_t>(c.y * kSide + c.x)] == 0;
        };
        if (std::abs(from.x - to.x) + std::abs(from.y - to.y) < 20 || wall(from) || wall(to)) continue;
        if (search.run(from, to) >= 0) world.pairs.push_back({.start = from, .goal = to});
    }
    return world;
}

ClassicQuery query_of(const Pair& pair, const GridState& grid, ClassicOpen open) {
    ClassicQuery query{.start = {grid.cell_centre(pair.start), 0.0},
                       .goal = {grid.cell_centre(pair.goal), 0.0}};
    query.agent.radius = 0.0;
    query.open = open;
    query.heuristic = ClassicHeuristic::lower_bound;
    query.smoothing = ClassicSmoothing::none;
    query.probe = ClassicProbe::exact;
    query.window_grows = true;  // a detour may leave the map's middle
    return query;
}

constexpr const char* kOpenNames[] = {"window, list", "window, tree", "window, heap"};

void measure_tiles(const BenchWorld& world, int rounds, Report& report) {
    const Grid grid = world.grid();
    Scratch scratch;
    ClassicRoute way;
    Route route;
    const std::size_t count = world.pairs.size();
    Times lists(count), hashed(count), ours(count);
    std::vector<Times> windows(3, Times(count));
    ListedAStar plain(world, false), quick(world, true);
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < count; ++i) {
            const Pair& pair = world.pairs[i];
            std::int32_t cost = 0, again = 0;
            lists.add(i, time_ns([&] { cost = plain.run(pair.start, pair.goal); }));
            hashed.add(i, time_ns([&] { again = quick.run(pair.start, pair.goal); }));
            for (std::size_t k = 0; k < 3; ++k) {
                const ClassicQuery query = query_of(pair, grid.state(), static_cast<ClassicOpen>(k));
                if (round == 0) (void)find_classic_into(grid, query, scratch, way);
                windows[k].add(i, time_ns([&] { (void)find_classic_into(grid, query, scratch, way); }));
                if (way.route.cost * 64 != cost || again != cost)
                    throw std::runtime_error("window: ways of different cost in " + world.name);
            }
            const GridQuery query{.start = grid.state().cell_centre(pair.start),
                                  .goal = grid.state().cell_centre(pair.goal),
                                  .planner = GridPlanner::bucket_astar,
                                  .smoothing = Smoothing::none,
                                  .corner = CornerRule::always};
            ours.add(i, time_ns([&] { (void)find_route_into(grid, query, scratch, route); }));
        }
    }
    const double base = windows[0].mean_us();
    const auto add = [&](const char* name, const Times& times) {
        report.add(world.name, name, "mean", times.mean_us(), "us");
        report.add(world.name, name, "time against the window with a list", times.mean_us() / base, "x");
    };
    add("linked lists", lists);
    add("linked list and hash", hashed);
    for (std::size_t k = 0; k < 3; ++k) add(kOpenNames[k], windows[k]);
    add("bucket_astar", ours);
}

void measure_headings(const BenchWorld& world, int rounds, Report& report) {
    const Grid grid = world.grid();
    Scratch scratch;
    ClassicRoute way;
    for (const std::int32_t neighbours : {8, 24, 48}) {
        std::vector<Times> windows(3, Times(world.pairs.size()));
        std::size_t found = 0;
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t i = 0; i < world.pairs.size(); ++i) {
                for (std::size_t k = 0; k < 3; ++k) {
                    ClassicQuery query = query_of(world.pairs[i], grid.state(), static_cast<ClassicOpen>(k));
                    query.agent = {.radius = 0.4, .turning_radius = 1.0};
                    query.search = ClassicSearch::directional;
                    query.heuristic = ClassicHeuristic::article;
                    query.neighbours = neighbours;
                    query.window_grows = false;
                    query.any_goal_heading = true;
                    if (round == 0) (void)find_classic_into(grid, query, scratch, way);
                    const std::uint64_t ns =
                        time_ns([&] { (void)find_classic_into(grid, query, scratch, way); });
                    if (way.route.status != PathStatus::complete) continue;
                    windows[k].add(i, ns);
                    if (round == 0 && k == 0) ++found;
                }
            }
        }
        const std::string row = world.name + ", Directional-" + std::to_string(neighbours);
        for (std::size_t k = 0; k < 3; ++k)
            report.add(row, kOpenNames[k], "with headings, mean", windows[k].mean_us(), "us");
        report.add(row, "found", "with headings, share of the pairs",
                   100.0 * static_cast<double>(found) / static_cast<double>(world.pairs.size()), "%");
    }
}

}  // namespace

void run_window(const SuiteOptions& options, Report& report) {
    const std::size_t pairs = options.quick ? 10 : 200;
    const int rounds = options.quick ? 1 : 3;
    for (const std::uint32_t percent : {0U, 20U, 35U, 40U})
        measure_tiles(random_window(percent, pairs), rounds, report);
    for (const std::uint32_t percent : {0U, 5U, 10U})
        measure_headings(random_window(percent, options.quick ? 5 : 60), options.quick ? 1 : 2, report);
}

}  // namespace fairlead::bench
