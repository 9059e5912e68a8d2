// Discs wider than a tile on turned and mirrored maps: each way costs what it costs on the map as it was, for it is said to be the
// cheapest (bound 1).

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "support/environment.h"
#include "support/grids.h"
#include "support/turned_map.h"

namespace fairlead::testing {
namespace {

struct PlainMap {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<std::uint8_t> tiles;

    [[nodiscard]] MapTurn turn(std::uint32_t bits) const { return {bits, width, height}; }
    [[nodiscard]] std::string text() const {
        std::string out;
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            if (i % static_cast<std::size_t>(width) == 0) out += '\n';
            out += tiles[i] == 0 ? '#' : '.';
        }
        return out;
    }
};

Grid made(const PlainMap& map, const MapTurn& turn, const Agent& agent, bool registered) {
    GridOptions options{.width = turn.wide(), .height = turn.high()};
    const Agent sizes[] = {agent};
    if (registered) options.sizes = sizes;
    return *Grid::make(options, turn.of(map.tiles));
}

Route asked(const Grid& grid, const GridQuery& query, Scratch& scratch) {
    Route route = *find_route(grid, query, scratch);
    if (route.status == PathStatus::complete) {
        EXPECT_FALSE(verify(route, grid, query.agent));
    }
    return route;
}

bool stands(const Grid& grid, const Agent& agent, Vec2 at) {
    Route here;
    here.status = PathStatus::complete;
    here.end.position = {at.x, at.y, 0.0};
    here.revision = grid.state().revision();
    return !verify(here, grid, agent);
}

double drawn_radius(Rng& rng) {
    if (rng.below(2) == 0) return 0.55 + 2.45 * rng.unit();
    const double a = 1.0 + rng.below(5), b = rng.below(6);
    constexpr double kBeside[] = {-1e-6, 0.0, 1e-6};
    return std::max(0.55, 0.5 * std::hypot(a, b) + kBeside[rng.below(3)]);
}

// Goals of every kind. Places are never equally far from the middles of two tiles, of which one is taken.
TEST(TurnedMaps, WaysCostTheSame) {
    Scratch scratch;
    int ways = 0;
    for (int round = 0; round < trials(300); ++round) {
        Rng rng(0x7a11 + static_cast<std::uint64_t>(round));
        const auto side = [&] { return static_cast<std::int32_t>(6 + rng.below(7)); };
        PlainMap map{side(), side(), {}};
        map.tiles = random_tiles(rng, static_cast<std::size_t>(map.width * map.height), 3 + rng.below(25));
        const auto along = [&](std::int32_t cells, double parts) {
            const auto count = static_cast<std::uint32_t>(cells * parts);
            return (2.0 * rng.below(count / 2) + 1.0) / parts;
        };
        const Agent agent{.radius = drawn_radius(rng)};
        const bool registered = rng.below(2) == 0;
        std::vector<Grid> grids;
        for (std::uint32_t bits = 0; bits < 8; ++bits)
            grids.push_back(made(map, map.turn(bits), agent, registered));
        const auto place = [&] {
            Vec2 p{};
            for (int n = 0; n < 40; ++n) {
                p = {along(map.width, 512), along(map.height, 1024)};
                if (stands(grids[0], agent, p)) break;
            }
            return p;
        };
        for (int ask = 0; ask < 8; ++ask) {
            const Vec2 start = place(), goal = place();
            const double range = 0.05 + 1.5 * rng.unit();
            Route first;
            for (std::uint32_t bits = 0; bits < 8; ++bits) {
                const MapTurn turn = map.turn(bits);
                const Vec2 to = turn.of(goal);
                GridQuery query{.start = turn.of(start), .goal = to, .agent = agent};
                if (ask % 3 == 1) query.goal = Goal::within(to, range);
                if (ask % 3 == 2) query.goal = Goal::adjacent(to);
                query.smoothing = Smoothing::none;
                Route route = asked(grids[bits], query, scratch);
                if (bits == 0) {
                    if (route.status != PathStatus::complete) break;
                    first = std::move(route);
                    ++ways;
                    continue;
                }
                ASSERT_EQ(route.status, first.status);
                if (route.bound == 1.0 && first.bound == 1.0) {
                    ASSERT_NEAR(route.cost, first.cost, 1e-9)
                        << round << "." << ask << " turned " << bits << ", radius " << agent.radius
                        << " from " << start.x << " " << start.y << " to " << goal.x << " " << goal.y
                        << " range " << range << map.text();
                }
            }
        }
    }
    EXPECT_GT(ways, 0);
    if (!all_trials()) return;
    EXPECT_GT(ways, 300);
}

// A place on the side of a room belongs to the rooms on both sides: the nearest way to it leads over a corner of either.
TEST(TurnedMaps, PlacesOnSides) {
    const PlainMap map{
        12, 9,
        tiles_of({".@.....@....", ".@@.@.......", "......@..@..", "...@.......@", "............",
                  "..@.......@.", "@@..........", ".@.....@....", "........@..@"})};
    Scratch scratch;
    for (std::uint32_t bits = 0; bits < 8; ++bits) {
        const MapTurn turn = map.turn(bits);
        GridQuery query{.start = turn.of(Vec2{4.98828125, 4.18359375}), .agent = {.radius = 0.844846311}};
        query.goal = Goal::within(turn.of(Vec2{6.53515625, 4.84765625}), 0.201316);
        query.smoothing = Smoothing::none;
        const Route route = asked(made(map, turn, query.agent, bits % 2 == 0), query, scratch);
        ASSERT_EQ(route.status, PathStatus::complete);
        EXPECT_NEAR(route.cost, 1.9256099, 1e-6) << bits;  // over (6, 4.5) to (6.5, 4.8477)
    }
}

}  // namespace
}  // namespace fairlead::testing
