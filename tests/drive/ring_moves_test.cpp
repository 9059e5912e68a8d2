// The article's Directional-8, -24 and -48: which moves there are, and how much they solve.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/curve/dubins.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/verify/verify.h>

#include "support/environment.h"

namespace fairlead::testing {
namespace {

Pose pose_of(double x, double y, std::int32_t heading) { return {{x, y}, heading_rad(8, heading)}; }

bool is_arc_line_arc(const CurveWord& word) { return word.segments[1].steer == Steer::straight; }

PrimitiveSet rings_of(std::int32_t rings, double radius, bool every_word = false, bool reverse = false) {
    return *PrimitiveSet::make({.turning_radius = radius,
                                .headings = 8,
                                .rings = rings,
                                .reverse = reverse,
                                .every_word = every_word});
}

TEST(RingMoves, ToEachTileAndHeadingTheShortestOfArcLineArc) {
    for (const double radius : {0.5, 1.0, 1.5, 3.0}) {
        for (std::int32_t rings = 1; rings <= 4; ++rings) {
            const PrimitiveSet set = rings_of(rings, radius);
            const std::size_t around = static_cast<std::size_t>((2 * rings + 1) * (2 * rings + 1) - 1);
            std::set<std::tuple<int, int, int, int>> ends;
            for (const Primitive& move : set.all()) {
                ends.insert({move.from, move.dx, move.dy, move.to});
                EXPECT_LE(std::max(std::abs(move.dx), std::abs(move.dy)), rings);
                ASSERT_TRUE(is_arc_line_arc(move.word));
                CurveWord words[kDubinsWords];
                const int count =
                    dubins_words(pose_of(0, 0, move.from), pose_of(move.dx, move.dy, move.to), radius, words);
                double least = 1e300;
                for (int i = 0; i < count; ++i)
                    if (is_arc_line_arc(words[i])) least = std::min(least, words[i].length * radius);
                EXPECT_NEAR(move.length, least, 1e-9);
            }
            EXPECT_EQ(ends.size(), 8 * 8 * around);
            EXPECT_EQ(set.all().size(), ends.size());
            for (std::int32_t h = 0; h < 8; ++h) EXPECT_EQ(set.from(h).size(), 8 * around);
        }
    }
}

TEST(RingMoves, EveryWordIsAMoveOfItsOwn) {
    const PrimitiveSet shortest = rings_of(2, 1.0);
    const PrimitiveSet all = rings_of(2, 1.0, true);
    int of_three_arcs = 0;
    for (const Primitive& move : all.all()) {
        of_three_arcs += is_arc_line_arc(move.word) ? 0 : 1;
        const Pose end = end_of_curve(pose_of(0, 0, move.from), 1.0, move.word);
        EXPECT_NEAR(end.position.x, move.dx, 1e-9);
        EXPECT_NEAR(end.position.y, move.dy, 1e-9);
    }
    EXPECT_GT(of_three_arcs, 100);
    EXPECT_GT(all.all().size(), 3 * shortest.all().size());
    // The shortest are among them, and no two are one curve.
    for (const Primitive& move : shortest.all()) {
        int same = 0;
        for (const Primitive& other : all.from(move.from)) {
            const bool ends = other.dx == move.dx && other.dy == move.dy && other.to == move.to;
            if (!ends || std::fabs(other.length - move.length) > 1e-9) continue;
            bool equal = true;
            for (const double at : {0.25, 0.5, 0.75}) {
                const Pose a = pose_on_curve(pose_of(0, 0, move.from), 1.0, move.word, at * move.length);
                const Pose b = pose_on_curve(pose_of(0, 0, move.from), 1.0, other.word, at * move.length);
                equal = equal && distance(a.position, b.position) < 1e-6;
            }
            same += equal ? 1 : 0;
        }
        EXPECT_EQ(same, 1);
    }
    EXPECT_FALSE(PrimitiveSet::make({.headings = 8, .every_word = true}).has_value());
    EXPECT_EQ(PrimitiveSet::make({.turning_radius = 17, .headings = 8, .rings = 1}).error(),
              (Error{ErrorCode::out_of_range, Field::rings, 17}));
}

// ---- how much they solve

struct Edge {
    int dx, dy, to;
    std::vector<std::pair<int, int>> cells;
};

struct Puzzle {
    static constexpr int kSide = 16;
    std::vector<std::uint8_t> tiles;
    int start[3], goal[3];  // x, y, heading
};

// As audit programs of the articles make them: the standard's generator, so that the maps are the same everywhere.
Puzzle next_puzzle(std::mt19937& random) {
    constexpr unsigned kSide = Puzzle::kSide;
    Puzzle out{std::vector<std::uint8_t>(kSide * kSide), {}, {}};
    for (std::uint8_t& tile : out.tiles) tile = (random() % 100) < 14 ? 0 : 1;
    for (int* number : {&out.start[0], &out.start[1], &out.goal[0], &out.goal[1]})
        *number = static_cast<int>(random() % kSide);
    for (int* number : {&out.start[2], &out.goal[2]}) *number = static_cast<int>(random() % 8);
    for (const int* at : {out.start, out.goal})
        out.tiles[static_cast<std::size_t>(at[1] * Puzzle::kSide + at[0])] = 1;
    return out;
}

// The tiles under a disc along a curve, by sampling.
std::vector<std::pair<int, int>> tiles_under(const Pose& start, double radius, const CurveWord& word,
                                             double disc) {
    std::set<std::pair<int, int>> out;
    const double length = word.length * radius;
    const int steps = std::max(1, static_cast<int>(std::ceil(length / 0.02)));
    for (int i = 0; i <= steps; ++i) {
        const Vec2 p = pose_on_curve(start, radius, word, length * i / steps).position;
        for (int x = static_cast<int>(std::floor(p.x - disc)); x <= static_cast<int>(std::floor(p.x + disc));
             ++x) {
            for (int y = static_cast<int>(std::floor(p.y - disc));
                 y <= static_cast<int>(std::floor(p.y + disc)); ++y) {
                const double gap_x = std::clamp(p.x, x * 1.0, x + 1.0) - p.x;
                const double gap_y = std::clamp(p.y, y * 1.0, y + 1.0) - p.y;
                if (gap_x * gap_x + gap_y * gap_y < disc * disc - 1e-9) out.insert({x, y});
            }
        }
    }
    return {out.begin(), out.end()};
}

std::vector<std::vector<Edge>> article_edges(int rings, double radius, double disc) {
    std::vector<std::vector<Edge>> out(8);
    for (int from = 0; from < 8; ++from) {
        for (int dy = -rings; dy <= rings; ++dy) {
            for (int dx = -rings; dx <= rings; ++dx) {
                for (int to = 0; to < 8 && (dx != 0 || dy != 0); ++to) {
                    CurveWord words[kDubinsWords];
                    const Pose start = pose_of(0.5, 0.5, from);
                    const int count = dubins_words(start, pose_of(0.5 + dx, 0.5 + dy, to), radius, words);
                    int i = 0;
                    while (i < count && !is_arc_line_arc(words[i])) ++i;
                    out[static_cast<std::size_t>(from)].push_back(
                        {dx, dy, to, tiles_under(start, radius, words[i], disc)});
                }
            }
        }
    }
    return out;
}

bool is_free(const Puzzle& puzzle, int x, int y) {
    const bool inside = x >= 0 && y >= 0 && x < Puzzle::kSide && y < Puzzle::kSide;
    return inside && puzzle.tiles[static_cast<std::size_t>(y * Puzzle::kSide + x)] != 0;
}

bool explicit_search(const Puzzle& puzzle, const std::vector<std::vector<Edge>>& edges) {
    const auto state = [](int x, int y, int heading) {
        return static_cast<std::size_t>((y * Puzzle::kSide + x) * 8 + heading);
    };
    std::vector<bool> seen(Puzzle::kSide * Puzzle::kSide * 8);
    std::vector<std::size_t> queue{state(puzzle.start[0], puzzle.start[1], puzzle.start[2])};
    seen[queue[0]] = true;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const int heading = static_cast<int>(queue[next] % 8);
        const int x = static_cast<int>(queue[next] / 8) % Puzzle::kSide;
        const int y = static_cast<int>(queue[next] / 8) / Puzzle::kSide;
        for (const Edge& edge : edges[static_cast<std::size_t>(heading)]) {
            bool free = is_free(puzzle, x + edge.dx, y + edge.dy);
            if (!free || seen[state(x + edge.dx, y + edge.dy, edge.to)]) continue;
            for (const auto& [cx, cy] : edge.cells) free = free && is_free(puzzle, x + cx, y + cy);
            if (!free) continue;
            seen[state(x + edge.dx, y + edge.dy, edge.to)] = true;
            queue.push_back(state(x + edge.dx, y + edge.dy, edge.to));
        }
    }
    return seen[state(puzzle.goal[0], puzzle.goal[1], puzzle.goal[2])];
}

DriveQuery ask(const Puzzle& puzzle, const Agent& agent) {
    DriveQuery query{.start = pose_of(puzzle.start[0] + 0.5, puzzle.start[1] + 0.5, puzzle.start[2]),
                     .goal = pose_of(puzzle.goal[0] + 0.5, puzzle.goal[1] + 0.5, puzzle.goal[2]),
                     .agent = agent,
                     .planner = DrivePlanner::lattice};
    query.goal_curves = false;
    return query;
}

// 150 maps of 16 x 16 with 14 % walls, a disc of 0.4: the same ones as a search over the article's own successors.
TEST(RingMovesSlow, SolveWhatAnExplicitSearchSolves) {
    constexpr int kSolved[2][3] = {{59, 69, 69}, {8, 27, 35}};
    Scratch scratch;
    for (int k = 0; k < 2; ++k) {
        const Agent agent{.radius = 0.4, .turning_radius = k == 0 ? 1.0 : 1.5};
        for (std::int32_t rings = 1; rings <= 3; ++rings) {
            const Result<DriveTable> table =
                DriveTable::make({.agent = agent, .headings = 8, .rings = rings});
            ASSERT_TRUE(table.has_value());
            const auto edges = article_edges(rings, agent.turning_radius, agent.radius);
            std::mt19937 random(5);
            int solved = 0;
            for (int i = 0; i < 150; ++i) {
                const Puzzle puzzle = next_puzzle(random);
                const Grid grid =
                    *Grid::make({.width = Puzzle::kSide, .height = Puzzle::kSide}, puzzle.tiles);
                const Result<DriveMap> map = make_drive_map(grid, *table);
                ASSERT_TRUE(map.has_value());
                const Result<Route> route = find_route(*map, ask(puzzle, agent), scratch);
                ASSERT_TRUE(route.has_value());
                const bool complete = route->status == PathStatus::complete;
                EXPECT_EQ(complete, explicit_search(puzzle, edges)) << "map " << i << " rings " << rings;
                const Violation bad = verify(*route, grid, agent);
                EXPECT_FALSE(bad) << bad.text().c_str() << " map " << i;
                solved += complete ? 1 : 0;
            }
            EXPECT_EQ(solved, kSolved[k][rings - 1]) << agent.turning_radius;
        }
    }
}

// With all words whatever the shortest solve is solved, and more; routes are legal.
TEST(RingMovesSlow, EveryWordSolvesMore) {
    const Agent agent{.radius = 0.4, .turning_radius = 1.5};
    Scratch scratch;
    int solved[2] = {};
    const Result<DriveTable> tables[] = {
        DriveTable::make({.agent = agent, .headings = 8, .rings = 1}),
        DriveTable::make({.agent = agent, .headings = 8, .rings = 1, .every_word = true})};
    std::mt19937 random(5);
    for (int i = 0; i < 150; ++i) {
        const Puzzle puzzle = next_puzzle(random);
        const Grid grid = *Grid::make({.width = Puzzle::kSide, .height = Puzzle::kSide}, puzzle.tiles);
        double cost[2] = {1e300, 1e300};
        for (std::size_t k = 0; k < 2; ++k) {
            const Result<DriveMap> map = make_drive_map(grid, *tables[k]);
            DriveQuery query = ask(puzzle, agent);
            query.smooth = false;
            const Result<Route> route = find_route(*map, query, scratch);
            ASSERT_TRUE(route.has_value());
            const Violation bad = verify(*route, grid, agent);
            EXPECT_FALSE(bad) << bad.text().c_str() << " map " << i;
            if (route->status != PathStatus::complete) continue;
            ++solved[k];
            cost[k] = route->cost;
        }
        EXPECT_LE(cost[1], cost[0] + 1e-9) << i;
    }
    EXPECT_GT(solved[1], solved[0]);
    RecordProperty("solved", solved[1]);
}

// The one call gives the article's search on maps of all sizes: small ones had poses at half tiles, so that what the rings
// were depended on the map.
TEST(RingMoves, TheOneCallCountsInWholeTilesOnMapsOfEverySize) {
    Scratch scratch;
    const Agent agent{.radius = 0.3, .turning_radius = 1.0};
    for (std::int32_t rings = 1; rings <= 3; ++rings) {
        double cost = 0.0;
        for (const std::int32_t side : {24, 64, 65, 80}) {
            const Grid grid = *Grid::make({.width = side, .height = side});
            DriveQuery query{.start = pose_of(2.5, 5.5, 0), .goal = pose_of(16.5, 20.5, 2), .agent = agent};
            query.planner = DrivePlanner::lattice;
            query.smooth = query.goal_curves = false;
            const GridDriveSetup setup{.rings = rings};
            const Result<Route> route = find_route(grid, query, scratch, setup);
            ASSERT_TRUE(route && route->status == PathStatus::complete);
            const DriveTable& table = (*drive_map_in(scratch, grid, agent, setup))->state().table();
            EXPECT_EQ(table.pitch(), 1) << side;
            EXPECT_EQ(table.primitives().reach(), rings) << side;
            if (cost == 0.0) cost = route->cost;
            EXPECT_EQ(route->cost, cost) << side;
        }
    }
}

// Where the rings have no way, nothing else stands in for them.
TEST(RingMoves, NoOtherSearchFollows) {
    std::mt19937 random(5);
    Scratch scratch;
    const Agent agent{.radius = 0.4, .turning_radius = 1.5};
    int unreachable = 0;
    for (int i = 0; i < 30; ++i) {
        const Puzzle puzzle = next_puzzle(random);
        const Grid grid = *Grid::make({.width = Puzzle::kSide, .height = Puzzle::kSide}, puzzle.tiles);
        DriveQuery query = ask(puzzle, agent);
        const Result<Route> route = find_route(grid, query, scratch, GridDriveSetup{.rings = 1});
        ASSERT_TRUE(route.has_value());
        if (route->status == PathStatus::complete) {
            EXPECT_STREQ(route->planner, "lattice");
        } else {
            ++unreachable;
        }
    }
    EXPECT_GT(unreachable, 20);
}

}  // namespace
}  // namespace fairlead::testing
