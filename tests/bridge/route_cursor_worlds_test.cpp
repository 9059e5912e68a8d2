// The cursor on routes of every world and unit, beside the definitions.
#include <fairlead/route/route_cursor.h>

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/drive/find_timed.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/roadmap/find_route.h>

#include "support/cursor_oracle.h"
#include "support/environment.h"
#include "support/roadmaps.h"

namespace fairlead::testing {
namespace {

constexpr int kSeeks = 12500;  // by each of eight kinds of routes: 10^5

struct Seen {
    std::uint32_t routes = 0;
    std::uint32_t events[9] = {};

    [[nodiscard]] std::uint32_t of(RouteEventKind kind) const {
        return events[static_cast<std::size_t>(kind)];
    }
};

// All that a route has to stand; `share` of the seeks.
void expect_followed(const Route& route, Rng& rng, int seeks, Seen& seen) {
    ++seen.routes;
    RouteCursor cursor(route);
    const double round = 1e-9 * (1.0 + route.length);
    EXPECT_NEAR(cursor.length(), route.length, round);
    const std::vector<RouteEvent> wanted = plain_events(route);
    for (int i = 0; i < seeks; ++i) {
        const double at = rng.between(-0.02, 1.02) * route.length;
        cursor.seek(at);
        expect_near(cursor.place(), plain_place(route, at), 1e-6);
        if (at < route.length) expect_near(cursor.place(), place_on_route(route, at), 1e-6);
        if (i % 50 != 0) continue;
        double left = rng.unit() * route.length;
        const double before = cursor.distance();
        const double step = std::min(left, cursor.remaining());
        while (cursor.advance(left).happened()) {
        }
        EXPECT_NEAR(cursor.distance(), before + step, round);
        left = step;
        while (cursor.retreat(left).happened()) {
        }
        EXPECT_NEAR(cursor.distance(), before, 2.0 * round);
    }
    cursor.seek(0.0);
    std::vector<RouteEvent> told;
    while (told.empty() || told.back().kind != RouteEventKind::goal) {
        double left = 0.03 * route.length;
        for (RouteEvent e = cursor.advance(left); e.happened(); e = cursor.advance(left)) told.push_back(e);
        ASSERT_LE(told.size(), wanted.size());
    }
    ASSERT_EQ(told.size(), wanted.size());
    for (std::size_t i = 0; i < told.size(); ++i) {
        expect_same_event(told[i], wanted[i]);
        ++seen.events[static_cast<std::size_t>(told[i].kind)];
    }
    EXPECT_EQ(cursor.place(), route.end);
}

// Asks until enough routes are there.
template <class Ask>
Seen follow_many(std::uint64_t seed, const Ask& ask) {
    constexpr std::uint32_t kRoutes = 20;
    Rng rng(seed);
    Seen seen;
    const int seeks = trials(kSeeks) / static_cast<int>(kRoutes) + 1;
    for (int i = 0; i < 2000 && seen.routes < kRoutes; ++i) {
        const Result<Route> route = ask(rng);
        EXPECT_TRUE(route.has_value());
        if (route && route->status == PathStatus::complete) expect_followed(*route, rng, seeks, seen);
    }
    EXPECT_EQ(seen.routes, kRoutes);
    return seen;
}

constexpr std::int32_t kWide = 40;

Grid cursor_town(std::uint64_t seed, std::int32_t layers, bool wrap) {
    Rng rng(seed);
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(kWide * kWide * layers));
    for (std::uint8_t& tile : tiles) tile = rng.below(100) < 12 ? 0 : 1;
    std::vector<Portal> portals;
    for (int i = 0; layers > 1 && i < 12; ++i) {
        const Cell from{rng.between(0, kWide - 1), rng.between(0, kWide - 1), 0};
        const Cell to{rng.between(0, kWide - 1), rng.between(0, kWide - 1), 1};
        portals.push_back({.from = from, .to = to});
    }
    Result<Grid> grid = Grid::make({.width = kWide,
                                    .height = kWide,
                                    .layers = layers,
                                    .wrap_x = wrap,
                                    .wrap_y = wrap,
                                    .portals = portals},
                                   tiles);
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

Vec2 spot_in_town(Rng& rng) { return cell_centre(rng.between(0, kWide - 1), rng.between(0, kWide - 1)); }

TEST(RouteCursorWorlds, Tiles) {
    const Grid town = cursor_town(1, 1, false);
    Scratch scratch;
    const Seen seen = follow_many(1, [&](Rng& rng) {
        return find_route(town, GridQuery{.start = spot_in_town(rng), .goal = spot_in_town(rng)}, scratch);
    });
    EXPECT_GT(seen.of(RouteEventKind::corner), 20U);
}

TEST(RouteCursorWorlds, LayeredTilesWithPortals) {
    const Grid town = cursor_town(2, 2, false);
    Scratch scratch;
    const Seen seen = follow_many(2, [&](Rng& rng) {
        GridQuery query{.start = spot_in_town(rng), .goal = spot_in_town(rng)};
        query.goal = query.goal.on_layer(1);
        return find_route(town, query, scratch);
    });
    EXPECT_GE(seen.of(RouteEventKind::link_enter), 20U);
    EXPECT_EQ(seen.of(RouteEventKind::link_enter), seen.of(RouteEventKind::link_leave));
}

TEST(RouteCursorWorlds, TilesThatWrap) {
    const Grid town = cursor_town(3, 1, true);
    Scratch scratch;
    (void)follow_many(3, [&](Rng& rng) {
        return find_route(town, GridQuery{.start = spot_in_town(rng), .goal = spot_in_town(rng)}, scratch);
    });
}

TEST(RouteCursorWorlds, Meshes) {
    const Result<NavMesh> mesh =
        make_grid_mesh(cursor_town(4, 1, false), {.tile_cells = 16, .radius_max = 0.4});
    ASSERT_TRUE(mesh.has_value());
    Scratch scratch;
    (void)follow_many(4, [&](Rng& rng) {
        const Vec2 a = spot_in_town(rng), b = spot_in_town(rng);
        MeshQuery query{.start = {a.x, a.y, 0}, .goal = Vec3{b.x, b.y, 0}};
        query.agent.radius = rng.below(2) == 0 ? 0.4 : 0.0;  // with a radius arcs go round the corners
        return find_route(*mesh, query, scratch);
    });
}

TEST(RouteCursorWorlds, RoadmapsInThreeDimensionsWithLinks) {
    PlainRoadmap plain;
    Rng made(5);
    for (std::int64_t i = 0; i < 40; ++i)
        plain.node(i, made.between(0.0, 40.0), made.between(0.0, 40.0), made.between(0.0, 9.0));
    for (int i = 0; i < 120; ++i) {
        const std::int64_t a = made.between(0, 39), b = made.between(0, 39);
        if (a == b) continue;
        plain.edge(a, b);
        plain.edges.back().link = i % 3 == 0;
    }
    const Roadmap roads = plain.make();
    Scratch scratch;
    const Seen seen = follow_many(5, [&](Rng& rng) {
        const RoadmapQuery query{.start = WaypointId{rng.between(0, 39)},
                                 .goal = WaypointId{rng.between(0, 39)}};
        return find_route(roads, query, scratch);
    });
    EXPECT_GT(seen.of(RouteEventKind::link_enter), 5U);
}

Agent cursor_car(bool pivots) {
    return {.radius = 0.4, .turning_radius = 2.0, .can_reverse = true, .can_pivot = pivots};
}

Pose pose_in_town(Rng& rng) { return {spot_in_town(rng), rng.between(-3.0, 3.0)}; }

TEST(RouteCursorWorlds, DrivesWithReverseAndWithTurnsOnTheSpot) {
    const Grid town = cursor_town(6, 1, false);
    Scratch scratch;
    for (const bool pivots : {false, true}) {
        const Result<DriveTable> table = DriveTable::make({.agent = cursor_car(pivots), .headings = 8});
        ASSERT_TRUE(table.has_value());
        const Result<DriveMap> map = make_drive_map(town, *table);
        ASSERT_TRUE(map.has_value());
        const Seen seen = follow_many(pivots ? 7 : 6, [&](Rng& rng) {
            return find_route(*map, DriveQuery{.start = pose_in_town(rng), .goal = pose_in_town(rng)},
                              scratch);
        });
        EXPECT_GT(seen.of(pivots ? RouteEventKind::pivot : RouteEventKind::gear), 5U);
    }
}

TEST(RouteCursorWorlds, TimedDrives) {
    const Grid town = cursor_town(8, 1, false);
    Scratch scratch;
    const Result<DriveTable> table = DriveTable::make({.agent = cursor_car(false), .headings = 8});
    ASSERT_TRUE(table.has_value());
    const Result<DriveMap> map = make_drive_map(town, *table);
    const Result<SpeedTable> speeds = SpeedTable::make(*table, {.speed_max = 6, .accel_max = 2});
    ASSERT_TRUE(map.has_value() && speeds.has_value());
    (void)follow_many(8, [&](Rng& rng) {
        const TimedQuery query{.start = pose_in_town(rng), .goal = pose_in_town(rng), .times = &*speeds};
        return find_route(*map, query, scratch);
    });
}

TEST(RouteCursorWorlds, DrivesOverMeshes) {
    const Result<NavMesh> mesh = make_grid_mesh(cursor_town(9, 1, false), {.tile_cells = 16});
    ASSERT_TRUE(mesh.has_value());
    Scratch scratch;
    (void)follow_many(9, [&](Rng& rng) {
        const Vec2 a = spot_in_town(rng), b = spot_in_town(rng);
        const MeshDriveQuery query{.start = {{a.x, a.y, 0}, rng.between(-3.0, 3.0)},
                                   .goal = {{b.x, b.y, 0}, rng.between(-3.0, 3.0)},
                                   .agent = cursor_car(false)};
        return find_route(*mesh, query, scratch);
    });
}

}  // namespace
}  // namespace fairlead::testing
