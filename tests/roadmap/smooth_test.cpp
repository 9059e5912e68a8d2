// Routes over roadmaps pulled taut: legal by the tile map's verifier, never longer, links kept, nothing done where nothing is known.

#include <fairlead/bridge/tile_sight.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/roadmap/smooth.h>
#include <fairlead/verify/verify.h>
#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/grids.h"

namespace fairlead::testing {
namespace {

// Technique W2's complaint: three waypoints on open ground are 14.14 long, straight on it is 10.
TEST(RoadmapSmoothing, OpenGroundIsCrossed) {
    const Grid open = grid_of(std::vector<std::string>(20, "...................."));
    const TileSight sight(open);
    const Waypoint places[] = {{WaypointId{1}, {2, 2}}, {WaypointId{2}, {7, 7}}, {WaypointId{3}, {12, 2}}};
    const WaypointEdge ways[] = {{.from = WaypointId{1}, .to = WaypointId{2}},
                                 {.from = WaypointId{2}, .to = WaypointId{3}}};
    const Result<Roadmap> roads = Roadmap::make({.nodes = places, .edges = ways});
    ASSERT_TRUE(roads.has_value());
    Scratch scratch;
    RoadmapQuery query{
        .start = WaypointId{1}, .goal = WaypointId{3}, .agent = {.radius = 0.4}, .direct = false};
    Result<Route> route = find_route(*roads, query, scratch);
    ASSERT_TRUE(route.has_value());
    ASSERT_TRUE(smooth_route(*roads, query, scratch, *route).has_value());
    EXPECT_NEAR(route->length, 14.142, 1e-3);  // nothing is known about walls
    query.sight = sight.sight();
    ASSERT_TRUE(smooth_route(*roads, query, scratch, *route).has_value());
    EXPECT_NEAR(route->length, 10.0, 1e-9);
    ASSERT_EQ(route->legs.size(), 1u);
    const Result<Route> again = find_route(*roads, query, scratch);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(route->cost, again->cost);
    query.off_net_cost = 2.0;  // ground is dearer than the road: it is kept
    route = find_route(*roads, query, scratch);
    ASSERT_TRUE(smooth_route(*roads, query, scratch, *route).has_value());
    EXPECT_EQ(route->legs.size(), 2u);
}

TEST(RoadmapSmoothing, RandomNetsOverTiles) {
    Rng rng(61);
    Scratch scratch;
    int shorter = 0;
    for (int i = 0; i < trials(60); ++i) {
        const std::int32_t side = 30;
        const std::vector<std::uint8_t> tiles =
            random_tiles(rng, static_cast<std::size_t>(side * side), rng.below(20));
        const Result<Grid> grid = Grid::make({.width = side, .height = side}, tiles);
        ASSERT_TRUE(grid.has_value());
        const TileSight sight(*grid);
        const double radius = i % 3 == 0 ? 0.0 : 0.4;
        std::vector<Waypoint> places;
        while (places.size() < 40) {
            const std::int32_t x = rng.between(0, side - 1);
            const std::int32_t y = rng.between(0, side - 1);
            const auto id = static_cast<std::int64_t>(places.size());
            if (!grid->state().blocked({x, y, 0}))
                places.push_back({WaypointId{id}, {x + 0.5, y + 0.5, 0.0}});
        }
        std::vector<WaypointEdge> ways;
        for (std::size_t a = 0; a < places.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                const Vec2 from = ground(places[a].position), to = ground(places[b].position);
                if (from != to && distance(from, to) < 9.0 && sight.clear(from, to, radius))
                    ways.push_back({.from = places[a].id, .to = places[b].id});
            }
        }
        const Result<Roadmap> roads = Roadmap::make({.nodes = places, .edges = ways});
        ASSERT_TRUE(roads.has_value());
        const RoadmapQuery query{.start = WaypointId{0},
                                 .goal = WaypointId{1},
                                 .agent = {.radius = radius},
                                 .sight = sight.sight(),
                                 .direct = false};
        Result<Route> route = find_route(*roads, query, scratch);
        ASSERT_TRUE(route.has_value());
        if (route->status != PathStatus::complete) continue;
        const double before = route->length;
        ASSERT_TRUE(smooth_route(*roads, query, scratch, *route).has_value());
        EXPECT_LE(route->length, before + 1e-9);
        shorter += route->length < before - 1e-6 ? 1 : 0;
        const Violation bad = verify(*route, *grid, query.agent, {.check_revision = false});
        EXPECT_EQ(bad.kind, ViolationKind::none) << bad.text().c_str();
        const double once = route->length;
        ASSERT_TRUE(smooth_route(*roads, query, scratch, *route).has_value());
        EXPECT_EQ(route->length, once);
    }
    EXPECT_GT(shorter, trials(60) / 10);
}

TEST(RoadmapSmoothing, LinksAndHeightsStay) {
    const Waypoint places[] = {{WaypointId{1}, {0, 0, 0}},
                               {WaypointId{2}, {5, 5, 0}},
                               {WaypointId{3}, {10, 0, 3}},
                               {WaypointId{4}, {15, 5, 3}},
                               {WaypointId{5}, {20, 0, 3}}};
    const WaypointEdge ways[] = {{.from = WaypointId{1}, .to = WaypointId{2}},
                                 {.from = WaypointId{2}, .to = WaypointId{3}, .link = true},
                                 {.from = WaypointId{3}, .to = WaypointId{4}},
                                 {.from = WaypointId{4}, .to = WaypointId{5}}};
    const Vec2 corners[] = {{40, 40}, {41, 40}, {41, 41}, {40, 40}};  // far away: walls are known
    const RoadmapWall walls[] = {{.first_point = 0, .points = 4}};
    const Result<Roadmap> roads =
        Roadmap::make({.nodes = places, .edges = ways, .walls = walls, .wall_points = corners});
    ASSERT_TRUE(roads.has_value());
    Scratch scratch;
    const RoadmapQuery query{.start = WaypointId{1}, .goal = WaypointId{5}, .direct = false};
    Result<Route> route = find_route(*roads, query, scratch);
    ASSERT_TRUE(route.has_value());
    ASSERT_TRUE(smooth_route(*roads, query, scratch, *route).has_value());
    ASSERT_EQ(route->legs.size(), 3u);
    EXPECT_EQ(route->legs[1].kind, LegKind::link);
    EXPECT_NEAR(route->legs[2].length, 10.0, 1e-9);
}

}  // namespace
}  // namespace fairlead::testing
