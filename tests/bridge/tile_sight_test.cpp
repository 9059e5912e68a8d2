// A roadmap over a tile world: what the tiles hide, against walls one by one.

#include <gtest/gtest.h>

#include <fairlead/bridge/tile_sight.h>
#include <fairlead/math/swept.h>
#include <fairlead/roadmap/find_route.h>

#include "support/roadmaps.h"

namespace fairlead {
namespace {

constexpr double kTileSide = 0.5;
const Vec2 kOrigin{-3, 7};

struct Town {
    std::int32_t width, height;
    std::vector<std::uint8_t> tiles;

    [[nodiscard]] Grid make() const {
        Result<Grid> grid =
            Grid::make({.width = width, .height = height, .origin = kOrigin, .cell_size = kTileSide}, tiles);
        FAIRLEAD_ASSERT(grid.has_value());
        return std::move(*grid);
    }
    /// How deep a disc reaches into the walls, the world outside the map included. World units.
    [[nodiscard]] double depth(Vec2 a, Vec2 b, double radius) const {
        double deepest = -1e9;
        const auto against = [&](const Aabb& box) {
            deepest = std::max(deepest, math::penetration_disc_box(a, b, radius, box));
        };
        for (std::int32_t y = 0; y < height; ++y) {
            for (std::int32_t x = 0; x < width; ++x) {
                if (tiles[static_cast<std::size_t>(y * width + x)] != 0) continue;
                const Vec2 low = kOrigin + Vec2{static_cast<double>(x), static_cast<double>(y)} * kTileSide;
                against({low, low + Vec2{kTileSide, kTileSide}});
            }
        }
        const Vec2 end = kOrigin + Vec2{static_cast<double>(width), static_cast<double>(height)} * kTileSide;
        against({{-1000, -1000}, {kOrigin.x, 1000}});
        against({{end.x, -1000}, {1000, 1000}});
        against({{-1000, -1000}, {1000, kOrigin.y}});
        against({{-1000, end.y}, {1000, 1000}});
        return deepest;
    }
};

Town random_town(Rng& rng) {
    Town town{20, 16, {}};
    for (int i = 0; i < 20 * 16; ++i) town.tiles.push_back(rng.below(100) < 12 ? 0 : 1);
    return town;
}

TEST(TileSight, CoverageEqualsBruteForce) {
    Rng rng(821);
    std::uint64_t counts[3] = {};
    for (int round = 0; round < 30; ++round) {
        const Town town = random_town(rng);
        const Grid grid = town.make();
        const TileSight over(grid);
        testing::PlainRoadmap plain;
        for (int i = 0; i < 3; ++i) {
            const double x = kOrigin.x + rng.between(0.0, 10.0);
            const double y = kOrigin.y + rng.between(0.0, 8.0);
            plain.node(i, x, y);
        }
        plain.edge(0, 1);
        plain.edge(1, 2, kStraightCost, true);
        const Roadmap roadmap = plain.make();
        const double radius = round % 2 == 0 ? 0.13 : 0.24;
        Scratch scratch;
        std::vector<Cover> cover(20 * 16);
        const CoverageArea area = over.area();
        ASSERT_EQ(area.width, 20);
        ASSERT_TRUE(find_coverage(roadmap, {.agent = {.radius = radius}, .sight = over.sight()}, area,
                                  scratch, cover));
        for (std::int32_t y = 0; y < 16; ++y) {
            for (std::int32_t x = 0; x < 20; ++x) {
                const Vec2 p = ground(area.centre(x, y));
                ASSERT_EQ(p, grid.state().cell_centre({x, y, 0}));
                Cover wanted = Cover::uncovered;
                bool touchy = false;
                for (const Waypoint& node : plain.nodes) {
                    const double depth = town.depth(p, ground(node.position), radius);
                    touchy = touchy || (depth > -1e-8 && depth < 1e-8);
                    if (depth <= 0) wanted = Cover::covered;
                }
                if (town.depth(p, p, radius) > 0) wanted = Cover::blocked;
                if (touchy) continue;
                ASSERT_EQ(cover[static_cast<std::size_t>(y * 20 + x)], wanted)
                    << round << ": " << x << "," << y;
                ++counts[static_cast<int>(wanted)];
            }
        }
        EdgeFault faults[4];
        const Result<AuditCount> audit =
            audit_edges(roadmap, {.agent = {.radius = radius}, .sight = over.sight()}, faults);
        ASSERT_TRUE(audit);
        std::uint64_t bad = 0;
        const auto at = [&](int i) { return ground(plain.nodes[static_cast<std::size_t>(i)].position); };
        if (town.depth(at(0), at(1), radius) > 0) bad += 2;
        if (town.depth(at(1), at(2), radius) > 0) bad += 1;
        EXPECT_EQ(audit->faults, bad);
        EXPECT_EQ(audit->tested, 3U);
    }
    for (const std::uint64_t count : counts) EXPECT_GT(count, 500U);
}

TEST(TileSight, SeesEditsAndAttachesByThem) {
    Town town{10, 10, std::vector<std::uint8_t>(100, 1)};
    Grid grid = town.make();
    const TileSight over(grid);
    testing::PlainRoadmap plain;
    plain.node(1, kOrigin.x + 0.5, kOrigin.y + 2.25);
    plain.node(2, kOrigin.x + 4.5, kOrigin.y + 2.25);
    plain.edge(1, 2);
    const Roadmap roadmap = plain.make();
    Scratch scratch;
    RoadmapQuery query{.start = kOrigin + Vec2{1.25, 0.75},
                       .goal = WaypointId{2},
                       .agent = {.radius = 0.2},
                       .sight = over.sight()};
    const Result<Route> open = find_route(roadmap, query, scratch);
    ASSERT_TRUE(open);
    EXPECT_EQ(open->legs.size(), 1U);
    ASSERT_TRUE(grid.fill({{0, 2}, {10, 3}}, 0));
    const Result<Route> shut = find_route(roadmap, query, scratch);
    ASSERT_TRUE(shut);
    EXPECT_EQ(shut->status, PathStatus::start_blocked);
}

}  // namespace
}  // namespace fairlead
