// Routes of discs of any radius on one mesh beside the shortest there are, found by points round all corners and lines of sight (an oracle
// too slow for more than a window of a map). Windows of published tile maps; about 3 minutes. Nothing may be illegal, no way
// may be missed, and no route may be far longer than the oracle's; the table says how much longer they are.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/tile_map.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/verify/verify_mesh.h>

#include "oracle/disc_oracle.h"
#include "support/environment.h"

namespace fairlead {
namespace {

using testing::DiscOracle;
using testing::Segment;
using testing::trials;

constexpr std::int32_t kSide = 40;
constexpr double kRadiusMax = 3.0;
constexpr int kOracleSides = 64;  // too long by 0.12 % of the arcs at most

struct Window {
    std::vector<std::uint8_t> tiles;  ///< 0 is a wall

    [[nodiscard]] bool free(std::int32_t x, std::int32_t y) const {
        return x >= 0 && y >= 0 && x < kSide && y < kSide &&
               tiles[static_cast<std::size_t>(y * kSide + x)] != 0;
    }
    [[nodiscard]] Vec2 free_place(Rng& rng) const {
        for (;;) {
            const double x = rng.between(0.0, 1.0 * kSide), y = rng.between(0.0, 1.0 * kSide);
            if (free(static_cast<std::int32_t>(x), static_cast<std::int32_t>(y))) return {x, y};
        }
    }
};

// Sides of free cells towards walls, those in line and on the same side joined to one.
void add_walls(const Window& window, bool columns, int step, std::vector<Segment>& out) {
    for (std::int32_t line = 0; line < kSide; ++line) {
        std::int32_t begun = -1;
        for (std::int32_t at = 0; at <= kSide; ++at) {
            const auto free = [&](std::int32_t l) {
                return columns ? window.free(l, at) : window.free(at, l);
            };
            const bool wall = at < kSide && free(line) && !free(line + step);
            if (wall && begun < 0) begun = at;
            if (wall || begun < 0) continue;
            const double level = step > 0 ? line + 1 : line;
            const auto place = [&](double along) {
                return columns ? Vec2{level, along} : Vec2{along, level};
            };
            out.push_back({place(begun), place(at)});
            begun = -1;
        }
    }
}

DiscOracle walls_of(const Window& window) {
    std::vector<Segment> walls;
    for (const bool columns : {false, true}) {
        for (const int step : {-1, 1}) add_walls(window, columns, step, walls);
    }
    return DiscOracle(std::move(walls));
}

struct Tally {
    std::vector<double> ratios;
    int unreachable = 0;
    int illegal = 0;
    int missed = 0;
};

void compare(const Window& window, Rng& rng, Tally& tally) {
    const Result<Grid> grid = Grid::make({.width = kSide, .height = kSide}, window.tiles);
    ASSERT_TRUE(grid);
    const Result<NavMesh> mesh = make_grid_mesh(*grid, {.radius_max = kRadiusMax});
    ASSERT_TRUE(mesh);
    const DiscOracle walls = walls_of(window);
    Scratch scratch;
    for (int i = 0; i < 12; ++i) {
        const double radius = rng.between(0.1, rng.below(3) == 0 ? kRadiusMax : 1.2);
        const Vec2 from = window.free_place(rng), to = window.free_place(rng);
        const auto route = [&](Vec2 a, Vec2 b) {
            return find_route(*mesh,
                              MeshQuery{.start = {a.x, a.y, 0.0},
                                        .goal = Vec3{b.x, b.y, 0.0},
                                        .agent = {.radius = radius},
                                        .reach = {.across = 3.0}},
                              scratch);
        };
        const Result<Route> found = route(from, to);
        ASSERT_TRUE(found);
        if (found->status == PathStatus::unreachable) {
            ++tally.unreachable;
            const Result<Route> s = route(from, from), g = route(to, to);
            ASSERT_TRUE(s && g);
            if (!std::isinf(walls.shortest(ground(s->end.position), ground(g->end.position), radius + 1e-6)))
                ++tally.missed;
        }
        if (found->status != PathStatus::complete) continue;
        if (const Violation bad = verify(*found, *mesh, {.radius = radius}); bad) {
            ++tally.illegal;
            ADD_FAILURE() << bad.text().c_str() << ", radius " << std::setprecision(17) << radius << " from "
                          << from.x << " " << from.y << " to " << to.x << " " << to.y;
        }
        if (found->length < 1.0) continue;
        const double best = walls.shortest(ground(found->legs[0].start.position), ground(found->end.position),
                                           radius, kOracleSides, found->length);
        tally.ratios.push_back(std::isinf(best) ? 1.0 : found->length / best);
    }
}

TEST(MeshRadiusGap, WindowsOfMaps) {
    FAIRLEAD_REQUIRE_DATA(first, "maps/dao/arena2.map");
    std::printf("%-20s %8s %9s %9s %9s %9s %9s\n", "map", "routes", "shortest", "mean", "p99", "most",
                "no way");
    for (const char* name : {"dao/arena2", "dao/den520d", "dao/hrt201n", "cities/Berlin_0_256",
                             "rooms/8room_000", "random/random512-25-0", "sc1/Aurora"}) {
        const std::string path = testing::data_path(std::string("maps/") + name + ".map");
        if (path.empty()) {
            std::printf("%s: not there\n", name);
            continue;
        }
        const Result<std::string> text = formats::load_file(path);
        ASSERT_TRUE(text);
        const Result<formats::TileMap> map = formats::load_tile_map(*text);
        ASSERT_TRUE(map);
        const Result<std::vector<std::uint8_t>> tiles =
            formats::make_tiles(*map, formats::TileTable::movingai());
        ASSERT_TRUE(tiles);
        Rng rng(5020);
        Tally tally;
        for (int world = 0; world < trials(40);) {
            const auto x0 =
                static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(map->width - kSide)));
            const auto y0 =
                static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(map->height - kSide)));
            Window window;
            int free = 0;
            for (std::int32_t y = 0; y < kSide; ++y) {
                for (std::int32_t x = 0; x < kSide; ++x) {
                    window.tiles.push_back(
                        (*tiles)[static_cast<std::size_t>((y0 + y) * map->width + x0 + x)]);
                    free += window.tiles.back() != 0 ? 1 : 0;
                }
            }
            if (free < kSide * kSide / 3 || free == kSide * kSide) continue;
            ++world;
            compare(window, rng, tally);
            if (::testing::Test::HasFatalFailure()) return;
        }
        ASSERT_FALSE(tally.ratios.empty());
        std::sort(tally.ratios.begin(), tally.ratios.end());  // total order
        double sum = 0.0;
        int shortest = 0;
        for (const double ratio : tally.ratios) {
            sum += ratio;
            shortest += ratio <= 1.0 + 1e-6 ? 1 : 0;
        }
        const auto count = tally.ratios.size();
        std::printf("%-20s %8zu %8.1f%% %9.5f %9.5f %9.5f %9d\n", name, count,
                    100.0 * shortest / static_cast<double>(count), sum / static_cast<double>(count),
                    tally.ratios[count * 99 / 100], tally.ratios.back(), tally.unreachable);
        std::fflush(stdout);
        EXPECT_EQ(tally.illegal, 0) << name;
        EXPECT_EQ(tally.missed, 0) << name;
        EXPECT_LT(tally.ratios.back(), 1.5) << name;
    }
}

}  // namespace
}  // namespace fairlead
