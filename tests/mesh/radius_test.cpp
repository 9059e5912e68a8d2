// Units of any radius on one mesh: they find their way where there is one, keep their distance, and go about as short as
// can be.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/math/trig.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/verify/verify_mesh.h>

#include "oracle/disc_oracle.h"
#include "support/environment.h"
#include "support/plain_mesh.h"

namespace fairlead {
namespace {

using testing::DiscOracle;
using testing::MeshRecipe;
using testing::PlainMesh;
using testing::random_mesh;
using testing::Segment;
using testing::trials;

/// All walls of a flat mesh.
DiscOracle walls_of(const NavMeshState& state) {
    std::vector<Segment> walls;
    for (std::uint32_t i = 0; i < state.polygons(); ++i) {
        const PolygonId polygon = state.polygon(i);
        for (std::uint32_t k = 0; k < state.corners(polygon); ++k) {
            if (state.neighbour(polygon, k).valid()) continue;
            walls.push_back({ground(state.corner(polygon, k)),
                             ground(state.corner(polygon, (k + 1) % state.corners(polygon)))});
        }
    }
    return DiscOracle(std::move(walls));
}

// Straight pieces short enough that an arc is within 1e-7 of them.
std::vector<Vec2> dense(const Route& route) {
    std::vector<Vec2> out;
    for (const Leg& leg : route.legs) {
        const auto parts =
            static_cast<int>(leg.curvature == 0.0 ? 1 : 2 + leg.length * std::fabs(leg.curvature) * 400);
        for (int i = 0; i < parts; ++i)
            out.push_back(ground(place_on_leg(leg, leg.length * i / parts).position));
    }
    out.push_back(ground(route.end.position));
    return out;
}

PlainMesh radius_mesh(Rng& rng) {
    const auto size = [&] { return static_cast<std::int32_t>(3 + rng.below(5)); };
    return random_mesh(rng, {.width = size(),
                             .height = size(),
                             .blocked_percent = 10 + rng.below(30),
                             .split_percent = rng.below(60),
                             .join_percent = 0,
                             .slanted = rng.below(2) == 0});
}

// A place off the surface is put on the nearest wall and from there straight away from it, also where rounding moves it along the wall.
TEST(MeshRadius, StandsClearOfTheWallThatItWasPutOn) {
    Rng rng(702);
    Scratch scratch;
    PlainMesh plain;
    plain.vertices = {{8.75, 0, 0}, {12.75, 0, 0}, {12.75, 3.25, 0}, {8.75, 3.25, 0}};
    plain.polygons = {{0, 1, 2, 3}};
    const NavMesh mesh = plain.make(kLandmarksMax, {}, 4.0);
    for (int i = 0; i < 500; ++i) {
        const double radius = rng.between(0.05, 0.75), y = rng.between(0.8, 2.4);
        const MeshQuery query{
            .start = {7.5, y, 0.0}, .goal = Vec3{10.75, 1.6, 0.0}, .agent = {.radius = radius}};
        const Result<Route> route = find_route(mesh, query, scratch);
        ASSERT_TRUE(route);
        ASSERT_EQ(route->status, PathStatus::complete) << y << " " << radius;
        ASSERT_FALSE(route->legs.empty());
        EXPECT_NEAR(route->legs[0].start.position.x, 8.75 + radius, 1e-5);
        EXPECT_NEAR(route->legs[0].start.position.y, y, 1e-9);
    }
}

TEST(MeshRadius, FindsItsWayAndKeepsItsDistance) {
    Rng rng(701);
    Scratch scratch;
    int found = 0, none = 0;
    double worst = 1.0, sum = 0.0;
    for (int world = 0; world < trials(40); ++world) {
        PlainMesh plain = radius_mesh(rng);
        if (plain.polygons.empty()) continue;
        for (Vec3& vertex : plain.vertices) vertex.z = rng.between(0.0, 1.0);
        plain.flatten();
        const NavMeshTile tile = plain.tile();
        const Result<NavMesh> mesh = NavMesh::make({.radius_max = 6.0, .tiles = {&tile, 1}});
        ASSERT_TRUE(mesh) << error_text(mesh.error().code);
        const Result<NavMesh> bare = NavMesh::make({.tiles = {&tile, 1}});
        const DiscOracle walls = walls_of(bare->state());
        for (int i = 0; i < 6; ++i) {
            const double radius = rng.between(0.1, rng.below(3) == 0 ? 6.0 : 2.5);
            const Vec3 a = plain.vertices[rng.below(static_cast<std::uint32_t>(plain.vertices.size()))];
            const Vec3 b = plain.vertices[rng.below(static_cast<std::uint32_t>(plain.vertices.size()))];
            const MeshQuery query{.start = a + Vec3{1, 1, 0},
                                  .goal = b + Vec3{1, 1, 0},
                                  .agent = {.radius = radius},
                                  .reach = {.across = 3.0}};
            const Result<Route> route = find_route(*mesh, query, scratch);
            ASSERT_TRUE(route);
            if (route->status != PathStatus::complete) {
                if (route->status != PathStatus::unreachable) continue;
                // Nor does the oracle find one, from where the unit would stand.
                const MeshQuery here{
                    .start = query.start, .goal = query.start, .agent = query.agent, .reach = query.reach};
                const MeshQuery there{.start = query.goal.at.ground(),
                                      .goal = query.goal.at.ground(),
                                      .agent = query.agent,
                                      .reach = query.reach};
                const Result<Route> s = find_route(*mesh, here, scratch),
                                    g = find_route(*mesh, there, scratch);
                ASSERT_TRUE(std::isinf(
                    walls.shortest(ground(s->end.position), ground(g->end.position), radius + 1e-6)))
                    << "world " << world << " query " << i << " radius " << radius;
                ++none;
                continue;
            }
            const Violation bad = verify(*route, *mesh, query.agent);
            ASSERT_FALSE(bad) << bad.text().c_str() << ", world " << world << " query " << i;
            const std::vector<Vec2> line = dense(*route);
            for (std::size_t k = 0; k + 1 < line.size(); ++k) {
                ASSERT_GE(walls.distance_to({line[k], line[k + 1]}), radius - 1e-5 * radius)
                    << "world " << world << " query " << i << " radius " << radius;
            }
            ++found;
            const double best = walls.shortest(line.front(), line.back(), radius);
            if (std::isinf(best) || best < 1.0) continue;
            worst = std::max(worst, route->length / best);
            sum += route->length / best;
        }
    }
    RecordProperty("worst_ratio", std::to_string(worst));
    RecordProperty("mean_ratio", std::to_string(sum / found));
    EXPECT_GT(found, trials(40));
    EXPECT_GT(none, 0);
    EXPECT_LT(worst, 1.25);
}

TEST(MeshRadius, TilesAndObstaclesChangeNothing) {
    Rng rng(702);
    Scratch scratch;
    for (int world = 0; world < trials(25); ++world) {
        PlainMesh plain = random_mesh(rng, {.width = 10,
                                            .height = 10,
                                            .blocked_percent = 5 + rng.below(25),
                                            .split_percent = rng.below(60),
                                            .join_percent = 0});
        NavMesh tiled = plain.make_tiled(12.0, kLandmarksMax, {}, 5.0), whole = plain.make(0, {}, 5.0);
        for (int step = 0; step < 4; ++step) {
            const Vec2 at{rng.between(0.0, 40.0), rng.between(0.0, 40.0)};
            const MeshEdit put[] = {
                MeshEdit::add(step, MeshObstacle::box(at, {rng.between(0.5, 3.0), rng.between(0.5, 3.0)},
                                                      rng.between(0.0, 3.0), -1, 1))};
            ASSERT_TRUE(tiled.apply(put));
            ASSERT_TRUE(whole.apply(put));
            const DiscOracle walls = walls_of(whole.state());
            for (int i = 0; i < 8; ++i) {
                const double radius = rng.between(0.05, 3.0);
                const MeshQuery query{.start = {rng.between(0.0, 40.0), rng.between(0.0, 40.0), 0},
                                      .goal = Vec3{rng.between(0.0, 40.0), rng.between(0.0, 40.0), 0},
                                      .agent = {.radius = radius},
                                      .reach = {.across = 4.0}};
                const Result<Route> a = find_route(tiled, query, scratch),
                                    b = find_route(whole, query, scratch);
                ASSERT_TRUE(a && b);
                // Near walls a start is pushed clear step by step; that may go another way where polygons differ.
                if (a->status != b->status &&
                    (a->status == PathStatus::start_blocked || a->status == PathStatus::goal_blocked))
                    continue;
                if (b->status == PathStatus::start_blocked || b->status == PathStatus::goal_blocked) continue;
                ASSERT_EQ(a->status, b->status)
                    << "world " << world << " step " << step << " query " << i << " radius " << radius;
                if (a->status != PathStatus::complete) continue;
                const std::vector<Vec2> line = dense(*a);
                for (std::size_t k = 0; k + 1 < line.size(); ++k) {
                    ASSERT_GE(walls.distance_to({line[k], line[k + 1]}), radius - 1e-5 * radius)
                        << "world " << world << " step " << step << " query " << i;
                }
                if (distance(line.front(), dense(*b).front()) > 1e-6 ||
                    distance(line.back(), dense(*b).back()) > 1e-6)
                    continue;
                ASSERT_NEAR(a->length, b->length, 1e-4 * (1.0 + a->length))
                    << "world " << world << " step " << step << " query " << i;
            }
        }
    }
}

// A ramp up along a ledge, and a passage below it: the walls of the passage are not in the way of who goes up, although they
// are within the band around the corner where the ledge begins.
TEST(MeshRadius, OtherFloorsAreNotInTheWay) {
    PlainMesh plain;
    plain.vertices = {{-3, 5, 0},     {10, 5, 0},   {10, 0, 0},  {0.125, 0, 0}, {0, 0, 0},
                      {-3, 0, 0},     {-3, -10, 4}, {0, -10, 4}, {10, -10, 0},  {0.125, -10, 0},
                      {0.125, -5, 0}, {-1, -5, 0},  {-1, -10, 0}};
    plain.polygons = {{0, 5, 4, 3, 2, 1}, {5, 6, 7, 4}, {3, 10, 9, 8, 2}, {11, 12, 9, 10}};
    NavMesh mesh = plain.make(0, {}, 2.0);
    Scratch scratch;
    double last = 0.0;
    for (int i = 0; i <= 14; ++i) {
        const MeshQuery query{.start = {5, -6, 0}, .goal = Vec3{-1.5, -8, 3.2}, .agent = {.radius = i * 0.1}};
        const Result<Route> route = find_route(mesh, query, scratch);
        ASSERT_TRUE(route);
        ASSERT_EQ(route->status, PathStatus::complete) << i;
        const Violation bad = verify(*route, mesh, query.agent);
        ASSERT_FALSE(bad) << bad.text().c_str() << " " << i;
        ASSERT_GT(route->length, last) << i;
        last = route->length;
    }
    const MeshPoint on_ramp = mesh.state().nearest({-0.75, -7, 2.8});
    const Result<MeshWall> wall = find_wall(mesh, on_ramp, 20.0, scratch);
    ASSERT_TRUE(wall);
    EXPECT_DOUBLE_EQ(wall->distance, 0.75);
}

// From under a ramp, round its foot and up. Before the band knows of the corner at (3.5, 0), it turns round the foot by more
// than half a turn; and straight on, under the ramp, it would end below the goal.
TEST(MeshRadius, RoundTheFootOfARamp) {
    PlainMesh plain;
    plain.vertices = {{-4, -4, 0}, {0, -4, 0},  {0, 0, 0},   {0, 0.5, 0},  {0, 4, 0},     {-4, 4, 0},
                      {14, -4, 0}, {14, 0, 0},  {3.5, 0, 0}, {14, 0.5, 0}, {3.5, 0.5, 0}, {14, 4, 0},
                      {8, 0, 4},   {8, 0.5, 4}, {8, -2, 4},  {13, -2, 4},  {13, 3, 4},    {8, 3, 4}};
    plain.polygons = {{0, 1, 2, 3, 4, 5}, {1, 6, 7, 8, 2}, {8, 7, 9, 10},
                      {3, 10, 9, 11, 4},  {2, 12, 13, 3},  {14, 15, 16, 17, 13, 12}};
    NavMesh mesh = plain.make(0, {}, 0.5);
    Scratch scratch;
    for (const double radius : {0.0, 0.1, 0.2, 0.25}) {
        const MeshQuery query{.start = {5, -0.02, 0}, .goal = Vec3{12, 0.3, 4}, .agent = {.radius = radius}};
        const Result<Route> route = find_route(mesh, query, scratch);
        ASSERT_TRUE(route);
        ASSERT_EQ(route->status, PathStatus::complete) << radius;
        const Violation bad = verify(*route, mesh, query.agent);
        EXPECT_FALSE(bad) << bad.text().c_str() << " " << radius;
        EXPECT_GT(route->length, 17.0) << radius;
    }
}

TEST(MeshRadius, PolygonsThatOnlyTouchStayJoinedToTheirOwn) {
    // Found by the random test: at (8, 12) the triangles and the square only touch; cutting a gate gave the triangle the
    // square's vertex, and it fell off its neighbour.
    PlainMesh plain;
    plain.vertices = {{4, 8, 0},   {8, 8, 0},  {8, 12, 0}, {4, 12, 0}, {12, 12, 0},
                      {12, 16, 0}, {8, 16, 0}, {4, 4, 0},  {8, 4, 0}};
    plain.polygons = {{7, 8, 1, 0}, {0, 1, 2}, {2, 3, 0}, {2, 4, 5, 6}};
    NavMesh mesh = plain.make(kLandmarksMax, {}, 2.0);
    Scratch scratch;
    const Result<Route> route = find_route(
        mesh, MeshQuery{.start = {5, 11, 0}, .goal = Vec3{6, 5, 0}, .agent = {.radius = 0.2}}, scratch);
    ASSERT_TRUE(route);
    EXPECT_EQ(route->status, PathStatus::complete);
}

TEST(MeshRadius, ArcsStartAndEndOnTheSurface) {
    // Uneven ground round a pit. The arc of a wide unit begins in another polygon than the one that it ends in.
    Rng rng(703);
    Scratch scratch;
    int arcs = 0;
    for (int world = 0; world < trials(40); ++world) {
        PlainMesh plain;
        for (int i = 0; i < 16; ++i)
            plain.vertices.push_back(
                {4.0 * (i % 4), 4.0 * static_cast<double>(i / 4), rng.between(0.0, 2.0)});
        for (std::uint32_t i = 0; i < 9; ++i) {
            const std::uint32_t low = i % 3 + i / 3 * 4;
            if (i != 4) plain.polygons.push_back({low, low + 1, low + 5, low + 4});
        }
        const NavMesh mesh = plain.make(kLandmarksMax, {}, 1.5);
        for (int i = 0; i < 10; ++i) {
            const auto place = [&] { return Vec3{rng.between(0.0, 12.0), rng.between(0.0, 12.0), 1.0}; };
            const MeshQuery query{
                .start = place(), .goal = place(), .agent = {.radius = rng.between(0.1, 1.5)}};
            const Result<Route> route = find_route(mesh, query, scratch);
            ASSERT_TRUE(route);
            if (route->status != PathStatus::complete) continue;
            for (const Leg& leg : route->legs) arcs += leg.curvature != 0.0 ? 1 : 0;
            const Violation bad = verify(*route, mesh, query.agent, {.height_slack = 1e-9});
            ASSERT_FALSE(bad) << "world " << world << " query " << i << ": " << bad.text().c_str();
        }
    }
    EXPECT_GT(arcs, trials(40));
}

TEST(MeshRadius, AWallWithADoor) {
    // A room 20 wide with a wall across it and a door of 2 in the middle.
    PlainMesh plain;
    plain.vertices = {{0, 0, 0},   {20, 0, 0},  {20, 9, 0}, {11, 9, 0}, {9, 9, 0},   {0, 9, 0},
                      {20, 10, 0}, {11, 10, 0}, {9, 10, 0}, {0, 10, 0}, {20, 20, 0}, {0, 20, 0}};
    plain.polygons = {{0, 1, 2, 3, 4, 5}, {4, 3, 7, 8}, {9, 8, 7, 6, 10, 11}};
    NavMesh mesh = plain.make(kLandmarksMax, {}, 5.0);
    Scratch scratch;
    const auto through = [&](double radius) {
        const Result<Route> route = find_route(mesh,
                                               MeshQuery{.start = {10, 4.5, 0},
                                                         .goal = Vec3{10, 15, 0},
                                                         .agent = {.radius = radius},
                                                         .reach = {.across = 0.5}},
                                               scratch);
        EXPECT_TRUE(route);
        return route->status == PathStatus::complete ? route->length : INFINITY;
    };
    EXPECT_DOUBLE_EQ(through(0.0), 10.5);
    EXPECT_DOUBLE_EQ(through(0.999), 10.5);
    EXPECT_DOUBLE_EQ(through(1.0), 10.5);
    EXPECT_TRUE(std::isinf(through(1.001)));
    // Round one corner: a quarter of a circle, and straight lines to and from it.
    const Result<Route> turn = find_route(
        mesh, MeshQuery{.start = {4, 4, 0}, .goal = Vec3{10, 15, 0}, .agent = {.radius = 1.0}}, scratch);
    ASSERT_TRUE(turn);
    ASSERT_EQ(turn->status, PathStatus::complete);
    bool arcs = false;
    for (const Leg& leg : turn->legs) arcs = arcs || leg.curvature != 0.0;
    EXPECT_TRUE(arcs);
    EXPECT_FALSE(find_route(mesh, MeshQuery{.agent = {.radius = 5.1}}, scratch));  // more than radius_max
}

}  // namespace
}  // namespace fairlead
