// Discs of any radius on tiles: the status is the truth of the disc, found routes are legal. (FAULT-5: radii of 0.5 to 1 were
// refused at every gap of two tiles, and so on.)

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "oracle/chain_oracle.h"
#include "support/environment.h"
#include "support/grids.h"
#include "support/route_compare.h"
#include "support/turned_map.h"

namespace fairlead::testing {
namespace {

// One query. The empty text, or what is wrong with the answer.
std::string wrong(const GridState& grid, const GridQuery& query, PathStatus expected, Scratch& scratch) {
    const Result<Route> route = find_route(grid, query, scratch);
    if (!route) return "error";
    if (route->status != expected) return std::string("status ") + status_name(route->status);
    if (expected != PathStatus::complete) return "";
    const Violation bad = verify(*route, grid, query.agent);
    if (bad) return std::string("illegal: ") + bad.text().c_str();
    if (ground(route->end.position) != query.goal.at.ground()) return "ends elsewhere";
    return "";
}

struct Fixture {
    const char* name;
    std::vector<std::string> rows;  // the first is the top
    Vec2 start;                     // y up from the low left corner
    Vec2 goal;
    std::vector<double> yes;
    std::vector<double> no;  // unreachable
    std::vector<double> blocked;
};

const std::string kOpen = "............";

const Fixture kFixtures[] = {
    {"even gap",
     {"......", "......", "##..##", "......", "......"},
     {1, 1},
     {1, 4},
     {0.55, 0.75, 1.0},
     {},
     {1.0000001}},
    {"(1,1)",
     {".....", ".....", "##...", ".....", "...##", ".....", "....."},
     {4, 6},
     {1, 1},
     {0.5, 0.6, 0.7071067},
     {0.7071069},
     {}},
    {"(2,1)",
     {"......", "......", "......", "##....", "......", "....##", "......", "......", "......"},
     {4.5, 7.5},
     {1.5, 1.5},
     {1.0, 1.03, 1.1, 1.1180339},
     {1.1180341},
     {}},
    {"(3,1)",
     {"........", "........", "........", "........", "##......", "........", ".....###", "........",
      "........", "........", "........"},
     {6, 9},
     {2, 2},
     {1.5, 1.55, 1.5811387},
     {1.5811389},
     {}},
    {"a chain of two gaps",
     {"..#...", "......", "#.....", "......", "....#.", "......"},
     {2.5, 2.5},
     {3.5, 3.5},
     {1.5, 1.52, 1.5811387},
     {},
     {1.5811389}},
    {"pocket", {".#", ".."}, {.59, .58}, {.585, .59}, {0.58}, {}, {}},
    {"two pockets", {".#.", "..."}, {.56, .56}, {2.44, .56}, {0.5}, {0.55}, {}},
    {"pocket of two rooms", {"#.", "..", "#."}, {1.4, 1.42}, {1.4, 1.58}, {0.55}, {}, {}},
    {"(5,1)",
     {kOpen, kOpen, kOpen, kOpen, kOpen, kOpen, "###.........", kOpen, "........####", kOpen, kOpen, kOpen,
      kOpen, kOpen, kOpen},
     {9, 12},
     {3, 3},
     {2.5, 2.52, 2.5495097},
     {2.5495099},
     {}},
};

std::vector<std::string> turned_up(std::vector<std::string> rows) {  // row 0 first
    std::reverse(rows.begin(), rows.end());
    return rows;
}

// Every fixture, turned and mirrored, with the size registered and not, by several planners.
TEST(AnyRadius, Fixtures) {
    Scratch scratch;
    for (const Fixture& f : kFixtures) {
        const std::vector<std::string> rows = turned_up(f.rows);
        for (std::uint32_t n = 0; n < 8; ++n) {
            const MapTurn turn{n, static_cast<std::int32_t>(rows[0].size()),
                               static_cast<std::int32_t>(rows.size())};
            const auto ask = [&](double radius, PathStatus expected) {
                const Agent size[] = {{.radius = radius}};
                GridOptions options;
                if (n % 2 == 1) options.sizes = size;
                const Grid grid = grid_of(turn.of(rows), options);
                GridQuery query{.start = turn.of(f.start), .goal = turn.of(f.goal)};
                query.agent.radius = radius;
                for (const GridPlanner planner : {GridPlanner::automatic, GridPlanner::astar,
                                                  GridPlanner::fixed_window, GridPlanner::turn_penalty}) {
                    query.planner = planner;
                    query.smoothing = planner == GridPlanner::astar ? Smoothing::none : Smoothing::best;
                    EXPECT_EQ(wrong(grid.state(), query, expected, scratch), "")
                        << f.name << ", turned " << n << ", radius " << radius << ", "
                        << planner_name(planner);
                }
            };
            for (const double radius : f.yes) ask(radius, PathStatus::complete);
            for (const double radius : f.no) ask(radius, PathStatus::unreachable);
            for (const double radius : f.blocked) ask(radius, PathStatus::start_blocked);
        }
    }
}

// A point may pass a shared corner where the rule says so; nothing else may.
TEST(AnyRadius, BetweenTilesThatShareACorner) {
    const Grid grid = grid_of({"#.", ".#"}, {.corner = CornerRule::always});
    Scratch scratch;
    GridQuery query{.start = {0.5, 1.5}, .goal = Vec2{1.5, 0.5}};
    query.corner = CornerRule::always;
    EXPECT_EQ(wrong(grid.state(), query, PathStatus::complete, scratch), "");
    query.agent.radius = 1e-9;
    EXPECT_EQ(find_route(grid.state(), query, scratch).value().status, PathStatus::unreachable);
}

struct RandomMap {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<bool> blocked;
    [[nodiscard]] std::vector<std::uint8_t> tiles() const {
        std::vector<std::uint8_t> out;
        for (const bool b : blocked) out.push_back(b ? 0 : 1);
        return out;
    }
    [[nodiscard]] std::string text() const {
        std::string out;
        for (std::int32_t y = height - 1; y >= 0; --y) {
            for (std::int32_t x = 0; x < width; ++x)
                out += blocked[static_cast<std::size_t>(y * width + x)] ? '#' : '.';
            out += '\n';
        }
        return out;
    }
};

// Noise, rooms with gaps, staircases of corners, single tiles.
RandomMap random_map(Rng& rng) {
    RandomMap m{rng.between(4, 24), rng.between(4, 24), {}};
    m.blocked.assign(static_cast<std::size_t>(m.width * m.height), false);
    const auto set = [&](std::int32_t x, std::int32_t y, bool b) {
        if (x >= 0 && y >= 0 && x < m.width && y < m.height)
            m.blocked[static_cast<std::size_t>(y * m.width + x)] = b;
    };
    switch (rng.below(4)) {
        case 0: {
            const std::uint32_t percent = 2 + rng.below(58);
            for (auto&& b : m.blocked) b = rng.below(100) < percent;
            break;
        }
        case 1:
            for (std::int32_t wall = 4; wall < m.width; wall += rng.between(3, 8)) {
                const std::int32_t gap = rng.between(0, m.height - 1);
                const std::int32_t wide = rng.between(1, 5);
                for (std::int32_t y = 0; y < m.height; ++y) set(wall, y, y < gap || y >= gap + wide);
            }
            break;
        case 2:
            for (std::int32_t n = 0; n < 3; ++n) {
                const std::int32_t from = rng.between(-m.height, m.width), step = rng.between(1, 5);
                for (std::int32_t y = 0; y < m.height; y += rng.between(1, 3))
                    set(from + y * step / 2, y, true);
            }
            break;
        default:
            for (std::int32_t n = 0; n < m.width * m.height / 14; ++n) {
                set(rng.between(0, m.width - 1), rng.between(0, m.height - 1), true);
            }
            break;
    }
    return m;
}

// A place that fits, more often than not a tight one.
bool random_place(Rng& rng, const RandomMap& m, const oracle::ChainOracle& oracle, Vec2& p) {
    for (int n = 0; n < 60; ++n) {
        p = {rng.unit() * m.width, rng.unit() * m.height};
        if (rng.below(2) == 0) p = {std::floor(p.x * 2.0) / 2.0, std::floor(p.y * 2.0) / 2.0};
        if (oracle.fits(p)) return true;
    }
    return false;
}

// The sweep: any radius, start and goal anywhere, against closed chains of tiles.
TEST(AnyRadius, StatusIsTheTruthOfTheDisc) {
    Scratch scratch;
    int reached = 0, apart = 0, half = 0;
    for (int round = 0; round < trials(3000); ++round) {
        Rng rng(6100 + static_cast<std::uint64_t>(round));
        const RandomMap m = random_map(rng);
        const double more[] = {0.0, -1e-6, 1e-6};
        const double radius =
            rng.below(3) != 0
                ? 0.05 * rng.between(1, 60)
                : std::sqrt(std::pow(rng.between(1, 6), 2.0) + std::pow(rng.between(0, 6), 2.0)) / 2.0 +
                      more[rng.below(3)];
        const oracle::ChainOracle oracle(m.width, m.height, m.blocked, radius);
        const Agent size[] = {{.radius = radius}};
        GridOptions options{.width = m.width, .height = m.height};
        if (rng.below(3) == 0) options.sizes = size;
        const Grid grid = *Grid::make(options, m.tiles());
        for (int n = 0; n < 8; ++n) {
            Vec2 a, b;
            if (!random_place(rng, m, oracle, a) || !random_place(rng, m, oracle, b)) break;
            GridQuery query{.start = a, .goal = b};
            query.agent.radius = radius;
            if (rng.below(4) == 0) query.smoothing = Smoothing::none;
            const bool joined = oracle.joined(a, b);
            const PathStatus truth = joined ? PathStatus::complete : PathStatus::unreachable;
            ASSERT_EQ(wrong(grid.state(), query, truth, scratch), "")
                << "round " << round << ", radius " << radius << " from " << a.x << " " << a.y << " to "
                << b.x << " " << b.y << "\n"
                << m.text();
            (joined ? reached : apart) += 1;
            half += std::string(find_route(grid.state(), query, scratch).value().planner) == "half_lattice" &&
                            joined
                        ? 1
                        : 0;
        }
    }
    EXPECT_GT(reached, 1000 * trials(100) / 100);
    EXPECT_GT(apart, 100 * trials(100) / 100);
    EXPECT_GT(half, 100 * trials(100) / 100);
}

// After every edit, and in slices of any size.
TEST(AnyRadius, EditsAndSlices) {
    Scratch scratch;
    Route route;
    int jumped = 0;
    for (int round = 0; round < trials(300); ++round) {
        Rng rng(6200 + static_cast<std::uint64_t>(round));
        RandomMap m = random_map(rng);
        const double radius = 0.5 + 0.05 * rng.between(1, 40);
        const Agent size[] = {{.radius = radius}};
        GridOptions options{.width = m.width, .height = m.height};
        if (rng.below(2) == 0) options.sizes = size;
        Grid grid = *Grid::make(options, m.tiles());
        for (int edit = 0; edit < 4; ++edit) {
            const std::int32_t x = rng.between(0, m.width - 1), y = rng.between(0, m.height - 1);
            const std::int32_t right = std::min(m.width, x + rng.between(1, 4)),
                               up = std::min(m.height, y + rng.between(1, 3));
            const bool wall = rng.below(2) == 0;
            ASSERT_TRUE(grid.fill({{x, y}, {right, up}}, wall ? 0 : 1));
            for (std::int32_t v = y; v < up; ++v) {
                for (std::int32_t u = x; u < right; ++u)
                    m.blocked[static_cast<std::size_t>(v * m.width + u)] = wall;
            }
            const oracle::ChainOracle oracle(m.width, m.height, m.blocked, radius);
            Vec2 a, b;
            if (!random_place(rng, m, oracle, a) || !random_place(rng, m, oracle, b)) break;
            GridQuery query{.start = a, .goal = b};
            query.agent.radius = radius;
            const PathStatus truth = oracle.joined(a, b) ? PathStatus::complete : PathStatus::unreachable;
            ASSERT_EQ(wrong(grid.state(), query, truth, scratch), "") << round << " " << radius << "\n"
                                                                      << m.text();
            if (truth == PathStatus::complete) {
                // Jumps and single steps (a search that notes the nearest place makes none) find ways of the same cost.
                query.smoothing = Smoothing::none;
                query.planner = GridPlanner::bucket_astar;  // both look at tiles' middles first
                const double cost = find_route(grid.state(), query, scratch).value().cost;
                query.partial = true;
                const Result<Route> steps = find_route(grid.state(), query, scratch);
                ASSERT_NEAR(steps->cost, cost, 1e-9) << round << " " << radius << "\n" << m.text();
                jumped += std::string(steps->planner) == "half_lattice" ? 1 : 0;
                query.smoothing = Smoothing::best;
                query.planner = GridPlanner::automatic;
            }
            query.partial = rng.below(2) == 0;
            const Result<Route> whole = find_route(grid.state(), query, scratch);
            GridSearch search(grid, query, scratch);
            while (search.step(1 + rng.below(9))) {
            }
            ASSERT_TRUE(search.take(route));
            ASSERT_EQ(route_difference(*whole, route), "");
            if (query.partial && truth == PathStatus::unreachable && whole->status == PathStatus::partial) {
                const Violation bad = verify(*whole, grid.state(), query.agent);
                ASSERT_FALSE(bad) << bad.text().c_str();
                ASSERT_TRUE(oracle.joined(a, ground(whole->end.position)));
            }
        }
    }
    EXPECT_GT(jumped, 0);
}

// On an axis that wraps: what five laps laid side by side join is joined.
TEST(AnyRadius, WrappedAxes) {
    Scratch scratch;
    int joined = 0;
    for (int round = 0; round < trials(400); ++round) {
        Rng rng(6300 + static_cast<std::uint64_t>(round));
        const RandomMap m = random_map(rng);
        const double radius = 0.5 + 0.05 * rng.between(1, 30);
        const bool across = rng.below(2) == 0;
        RandomMap laps{across ? 5 * m.width : m.width, across ? m.height : 5 * m.height, {}};
        for (std::int32_t y = 0; y < laps.height; ++y) {
            for (std::int32_t x = 0; x < laps.width; ++x)
                laps.blocked.push_back(
                    m.blocked[static_cast<std::size_t>(y % m.height * m.width + x % m.width)]);
        }
        const oracle::ChainOracle oracle(laps.width, laps.height, laps.blocked, radius);
        const Agent size[] = {{.radius = radius}};
        GridOptions options{.width = m.width, .height = m.height, .wrap_x = across, .wrap_y = !across};
        if (round % 2 == 0) options.sizes = size;
        const Grid grid = *Grid::make(options, m.tiles());
        const Vec2 lap =
            across ? Vec2{static_cast<double>(m.width), 0.0} : Vec2{0.0, static_cast<double>(m.height)};
        for (int n = 0; n < 4; ++n) {
            const Vec2 a{rng.unit() * m.width, rng.unit() * m.height},
                b{rng.unit() * m.width, rng.unit() * m.height};
            const Vec2 from = a + lap * 2.0;
            if (!oracle.fits(from) || !oracle.fits(b + lap * 2.0)) continue;
            bool any = false;
            for (int k = 1; k < 4 && !any; ++k) any = oracle.joined(from, b + lap * k);
            GridQuery query{.start = a, .goal = b};
            query.agent.radius = radius;
            const Result<Route> route = find_route(grid.state(), query, scratch);
            ASSERT_TRUE(route.has_value());
            const Violation bad = verify(*route, grid.state(), query.agent);
            ASSERT_FALSE(bad) << bad.text().c_str() << " " << radius << "\n" << m.text();
            ASSERT_TRUE(route->status == PathStatus::complete || route->status == PathStatus::unreachable);
            if (!any) continue;
            ++joined;
            ASSERT_EQ(route->status, PathStatus::complete) << radius << "\n" << m.text();
        }
    }
    EXPECT_GT(joined, 0);
}

// Two floors with stairs: both ways must be there, and the stairs' ends must have room.
TEST(AnyRadius, Floors) {
    Scratch scratch;
    int up = 0;
    for (int round = 0; round < trials(400); ++round) {
        Rng rng(6400 + static_cast<std::uint64_t>(round));
        RandomMap floors[2] = {random_map(rng), {}};
        const RandomMap& low = floors[0];
        floors[1] = low;
        for (auto&& b : floors[1].blocked) b = rng.below(100) < 8;
        const double radius = 0.5 + 0.05 * rng.between(1, 20);
        const Cell from{rng.between(0, low.width - 1), rng.between(0, low.height - 1), 0};
        const Cell to{rng.between(0, low.width - 1), rng.between(0, low.height - 1), 1};
        const Portal stairs[] = {{.from = from, .to = to, .cost = 2.0}};
        std::vector<std::uint8_t> tiles = low.tiles();
        for (const std::uint8_t tile : floors[1].tiles()) tiles.push_back(tile);
        const Agent size[] = {{.radius = radius}};
        GridOptions options{.width = low.width, .height = low.height, .layers = 2, .portals = stairs};
        if (round % 2 == 0) options.sizes = size;
        const Grid grid = *Grid::make(options, tiles);
        const oracle::ChainOracle ground_floor(low.width, low.height, low.blocked, radius);
        const oracle::ChainOracle upper_floor(low.width, low.height, floors[1].blocked, radius);
        for (int n = 0; n < 4; ++n) {
            Vec2 a, b;
            if (!random_place(rng, low, ground_floor, a) || !random_place(rng, floors[1], upper_floor, b))
                break;
            const Vec2 foot = cell_centre(from.x, from.y), head = cell_centre(to.x, to.y);
            const bool way = ground_floor.fits(foot) && upper_floor.fits(head) &&
                             ground_floor.joined(a, foot) && upper_floor.joined(head, b);
            GridQuery query{.start = a, .goal = b};
            query.goal = query.goal.on_layer(1);
            query.agent.radius = radius;
            ASSERT_EQ(
                wrong(grid.state(), query, way ? PathStatus::complete : PathStatus::unreachable, scratch), "")
                << round << " " << radius;
            up += way ? 1 : 0;
        }
    }
    EXPECT_GT(up, 0);
}

// A place within range, of several one, next to a tile: what can be reached of it is.
TEST(AnyRadius, Regions) {
    const Grid grid = grid_of({"......", "......", "##..##", "......", "......", "......"});
    Scratch scratch;
    GridQuery query{.start = {1.0, 1.0}};
    query.agent.radius = 0.9;
    const Vec2 several[] = {{0.1, 5.0}, {5.0, 5.0}};
    for (const Goal& goal :
         {Goal::within({3.0, 5.0}, 0.0), Goal::within({5.5, 5.5}, 1.0), Goal::in_sight({5.0, 5.0}, 2.0),
          Goal::adjacent({4.5, 5.5}), Goal::any_of(several)}) {
        query.goal = goal;
        const Result<Route> route = find_route(grid.state(), query, scratch);
        ASSERT_TRUE(route.has_value());
        EXPECT_EQ(route->status, PathStatus::complete);
        EXPECT_FALSE(verify(*route, grid.state(), query.agent));
        EXPECT_GT(route->end.position.y, 3.0);
    }
    const GridOptions registered{.sizes = std::span<const Agent>(&query.agent, 1)};
    const Grid rooms =
        grid_of({"......", "......", "......", "##..##", "......", "......", "......"}, registered);
    EXPECT_TRUE(*rooms.state().connected({1, 1, 0}, {4, 5, 0}, query.agent));
    const Grid apart =
        grid_of({"......", "......", "......", "##.###", "......", "......", "......"}, registered);
    EXPECT_FALSE(*apart.state().connected({1, 1, 0}, {4, 5, 0}, query.agent));
}

}  // namespace
}  // namespace fairlead::testing
