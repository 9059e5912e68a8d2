// What one asks of the surface, against plain counting.
#include <fairlead/mesh/surface.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/math/trig.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/repair.h>

#include "oracle/mesh_oracle.h"
#include "support/environment.h"
#include "support/oracle_mesh.h"
#include "support/plain_mesh.h"

namespace fairlead {
namespace {

using testing::MeshOracle;
using testing::MeshRecipe;
using testing::on_floor;
using testing::oracle_mesh;
using testing::OracleMesh;
using testing::PlainMesh;
using testing::random_mesh;
using testing::trials;

Vec2 whole_point(Rng& rng, const OracleMesh& mesh, std::uint32_t& polygon) {
    polygon = rng.below(static_cast<std::uint32_t>(mesh.polygons.size()));
    const auto& ring = mesh.polygons[polygon];
    for (;;) {
        const Vec2 a = mesh.vertices[ring[rng.below(static_cast<std::uint32_t>(ring.size()))]];
        const Vec2 b = mesh.vertices[ring[rng.below(static_cast<std::uint32_t>(ring.size()))]];
        const double t = rng.between(0.0, 1.0);
        const Vec2 p{std::round(a.x + (b.x - a.x) * t), std::round(a.y + (b.y - a.y) * t)};
        bool inside = true;
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const Vec2 u = mesh.vertices[ring[i]], v = mesh.vertices[ring[(i + 1) % ring.size()]];
            inside = inside && cross(v - u, p - u) >= 0.0;
        }
        if (inside) return p;
    }
}

MeshRecipe random_recipe(Rng& rng) {
    return {.width = 2 + static_cast<std::int32_t>(rng.below(7)),
            .height = 2 + static_cast<std::int32_t>(rng.below(7)),
            .blocked_percent = 5 + rng.below(40),
            .split_percent = rng.below(101),
            .join_percent = rng.below(101),
            .slanted = rng.below(2) == 0};
}

TEST(MeshRay, SeesWhatTheOracleSees) {
    Rng rng(601);
    for (int world = 0; world < trials(400); ++world) {
        PlainMesh plain = random_mesh(rng, random_recipe(rng));
        if (plain.polygons.empty()) continue;
        const OracleMesh shape = oracle_mesh(plain);
        const MeshOracle oracle(shape);
        const NavMesh mesh = plain.make(0);
        for (int i = 0; i < 60; ++i) {
            std::uint32_t p = 0, q = 0;
            const Vec2 a = whole_point(rng, shape, p), b = whole_point(rng, shape, q);
            // Polygons are numbered as in the plain mesh: from this very one, so a vertex where others touch is no riddle.
            const MeshPoint from{{p}, on_floor(a)};
            const MeshHit hit = cast_ray(mesh, from, b);
            // The end may be in another polygon that holds b; ask whether the walk got there.
            const bool got = !hit.hit;
            const bool wanted =
                got ? oracle.sees({a, p}, {b, hit.end.polygon.value}) : !oracle.sees({a, p}, {b, q});
            ASSERT_TRUE(wanted || !got) << "world " << world << " ray " << i;
            if (!got && oracle.sees({a, p}, {b, q})) {
                FAIL() << "world " << world << " ray " << i << " (" << a.x << " " << a.y << ") (" << b.x
                       << " " << b.y << ")";
            }
            if (hit.hit) {
                const Vec2 end = ground(hit.end.position);
                EXPECT_NEAR(cross(b - a, end - a), 0.0, 1e-6);
                EXPECT_NEAR(hit.length, distance(a, end), 1e-9);
            }
        }
    }
}

TEST(MeshWithin, DistancesAreThoseOfRoutes) {
    Rng rng(602);
    Scratch scratch;
    Array<MeshDistance> found;
    for (int world = 0; world < trials(60); ++world) {
        PlainMesh plain = random_mesh(rng, random_recipe(rng));
        if (plain.polygons.empty()) continue;
        const OracleMesh shape = oracle_mesh(plain);
        const NavMesh mesh = plain.make(0);
        std::uint32_t p = 0;
        const Vec2 a = whole_point(rng, shape, p);
        const double reach = rng.between(0.0, 40.0);
        ASSERT_TRUE(find_within_into(mesh, {{p}, on_floor(a)}, reach, scratch, found));
        std::vector<double> distances(plain.polygons.size(), INFINITY);
        double last = 0.0;
        for (const MeshDistance& entry : found) {
            EXPECT_GE(entry.distance, last - 1e-9);
            last = entry.distance;
            distances[entry.polygon.value] = entry.distance;
        }
        const MeshOracle oracle(shape);
        for (std::uint32_t q = 0; q < plain.polygons.size(); ++q) {
            // No whole-numbered point of it is nearer than it, and one of its corners not much further.
            double nearest = INFINITY;
            for (const std::uint32_t v : plain.polygons[q]) {
                nearest = std::fmin(nearest, oracle.shortest({a, p}, {shape.vertices[v], q}));
            }
            if (distances[q] < INFINITY) {
                EXPECT_LE(distances[q], nearest + 1e-9) << "world " << world << " polygon " << q;
            } else {
                EXPECT_GT(nearest, reach - 1e-9) << "world " << world << " polygon " << q;
            }
        }
    }
}

TEST(MeshWall, IsTheNearestOfAll) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {20, 0, 0}, {20, 10, 0}, {0, 10, 0}, {30, 0, 0}, {30, 10, 0}};
    plain.polygons = {{0, 1, 2, 3}, {1, 4, 5, 2}};
    const NavMesh mesh = plain.make();
    Scratch scratch;
    const auto wall = [&](Vec2 p, double reach) {
        return *find_wall(mesh, mesh.state().nearest(on_floor(p)), reach, scratch);
    };
    EXPECT_DOUBLE_EQ(wall({19, 3}, 10.0).distance, 3.0);
    EXPECT_EQ(wall({19, 3}, 10.0).point, (Vec2{19, 0}));
    EXPECT_DOUBLE_EQ(wall({29, 5}, 10.0).distance, 1.0);
    EXPECT_FALSE(wall({15, 5}, 2.0).found);
    EXPECT_DOUBLE_EQ(wall({15, 5}, 2.0).distance, 2.0);
}

TEST(MeshMove, SlidesAlongWallsAndStaysInside) {
    Rng rng(603);
    Scratch scratch;
    for (int world = 0; world < trials(60); ++world) {
        PlainMesh plain = random_mesh(rng, random_recipe(rng));
        if (plain.polygons.empty()) continue;
        const NavMesh mesh = plain.make(0);
        MeshPoint at = random_point(mesh, rng);
        for (int i = 0; i < 50; ++i) {
            const Vec2 to = ground(at.position) + Vec2{rng.between(-3.0, 3.0), rng.between(-3.0, 3.0)};
            const Result<MeshPoint> moved = move_along(mesh, at, to, scratch);
            ASSERT_TRUE(moved);
            ASSERT_TRUE(mesh.state().valid(moved->polygon));
            const Vec2 end = ground(moved->position);
            EXPECT_LE(distance(end, to), distance(ground(at.position), to) + 1e-9);
            const MeshHit straight = cast_ray(mesh, at, to);
            if (!straight.hit) {
                EXPECT_LE(distance(end, to), 1e-9);
            }
            EXPECT_EQ(mesh.state().component(moved->polygon), mesh.state().component(at.polygon));
            at = *moved;
        }
    }
}

TEST(MeshRandomPoint, IsSpreadByArea) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {10, 0, 0}, {10, 10, 0}, {0, 10, 0}, {30, 0, 0}, {30, 10, 0}};
    plain.polygons = {{0, 1, 2, 3}, {1, 4, 5, 2}};
    const NavMesh mesh = plain.make();
    Rng rng(604);
    int right = 0, low = 0;
    for (int i = 0; i < 6000; ++i) {
        const MeshPoint p = random_point(mesh, rng);
        right += p.position.x > 10.0 ? 1 : 0;
        low += p.position.y < 5.0 ? 1 : 0;
    }
    EXPECT_NEAR(right, 4000, 200);
    EXPECT_NEAR(low, 3000, 200);
}

TEST(MeshHeights, RoutesFollowTheSurface) {
    // Up a ramp, over a ridge and down again: the straight line would go through the hill.
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {10, 0, 4}, {20, 0, 0}, {20, 10, 0}, {10, 10, 4}, {0, 10, 0}};
    plain.polygons = {{0, 1, 4, 5}, {1, 2, 3, 4}};
    const NavMesh mesh = plain.make();
    Scratch scratch;
    Result<Route> route =
        find_route(mesh, MeshQuery{.start = {1, 5, 0.4}, .goal = Vec3{19, 6, 0.4}}, scratch);
    ASSERT_TRUE(route);
    ASSERT_EQ(route->legs.size(), 1U);
    const double before = route->length;
    ASSERT_TRUE(follow_surface(mesh, 0.01, *route));
    ASSERT_EQ(route->legs.size(), 2U);
    EXPECT_NEAR(route->legs[1].start.position.z, 4.0, 1e-6);
    EXPECT_NEAR(route->legs[1].start.position.x, 10.0, 1e-9);
    EXPECT_NEAR(route->legs[0].rise, 3.6, 1e-6);
    EXPECT_NEAR(route->legs[0].length + route->legs[1].length, before, 1e-12);
    ASSERT_TRUE(follow_surface(mesh, 10.0, *route));
    EXPECT_EQ(route->legs.size(), 2U);  // joints stay
    EXPECT_FALSE(follow_surface(mesh, 0.0, *route));
}

TEST(MeshHeights, CornersInLineWithTheFirstOne) {
    // A ramp whose low side and left side have corners in the middle, each off the straight line.
    PlainMesh plain;
    plain.vertices = {{0, 0, 0},    {4, 0, 5},  {8, 0, 6}, {10, 0, 10},
                      {10, 10, 10}, {0, 10, 0}, {0, 6, 3}, {0, 3, 1}};
    plain.polygons = {{0, 1, 2, 3, 4, 5, 6, 7}};
    const NavMesh mesh = plain.make();
    const auto height = [&](Vec2 p) {
        return mesh.state()
            .nearest({p.x, p.y, 5.0}, {.across = 0.0, .above = 20.0, .below = 20.0})
            .position.z;
    };
    for (const Vec3& v : plain.vertices) EXPECT_NEAR(height(ground(v)), v.z, 1e-6);
    for (std::size_t i = 0; i < plain.vertices.size(); ++i) {
        const Vec3 middle = (plain.vertices[i] + plain.vertices[(i + 1) % plain.vertices.size()]) * 0.5;
        EXPECT_NEAR(height(ground(middle)), middle.z, 1e-6) << i;
    }
    EXPECT_NEAR(height({5, 5}), 5.0, 1e-6);
}

// What was a NaN: a side that the way runs along, as far as rounding can tell.
TEST(MeshRay, AlongASideItEndsSomewhere) {
    PlainMesh plain;
    plain.vertices = {{52, -8, 0}, {64, -12, 0}, {68, -4, 0}, {56, 0, 0}, {48, -16, 0}, {60, -20, 0}};
    plain.polygons = {{4, 5, 1, 0}, {0, 1, 2, 3}};
    const NavMesh mesh = plain.make();
    const Vec2 from{60.907137446169138, -10.969045815389713}, to{10.992518170766711, 5.6691606097444298};
    for (std::uint32_t i = 0; i < mesh.state().polygons(); ++i) {
        const MeshHit end = cast_ray(mesh, {mesh.state().polygon(i), on_floor(from)}, to);
        EXPECT_TRUE(end.hit);
        EXPECT_NEAR(end.end.position.x, 52.0, 1e-9);
        EXPECT_NEAR(end.end.position.y, -8.0, 1e-9);
    }
    Route route;
    route.status = PathStatus::complete;
    route.revision = mesh.state().revision();
    const double heading = math::atan2(to.y - from.y, to.x - from.x);
    ASSERT_TRUE(route.legs.push_back({.start = {on_floor(from), heading, 0}, .length = distance(from, to)}));
    route.end.position = on_floor(to);
    ASSERT_TRUE(follow_surface(mesh, 1e-6, route));
    for (const Leg& leg : route.legs)
        EXPECT_TRUE(std::isfinite(leg.length) && std::isfinite(leg.start.position.x));
}

TEST(MeshHeights, WherePolygonsOnlyTouch) {
    // A ridge beyond a vertex at which another polygon touches the first one: that is the one found there.
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0},  {0, 4, 0}, {8, 4, 2},
                      {8, 8, 2}, {4, 8, 0}, {12, 4, 0}, {12, 8, 0}};
    plain.polygons = {{0, 1, 2, 3}, {2, 4, 5, 6}, {4, 7, 8, 5}};
    const NavMesh mesh = plain.make();
    Route route;
    route.status = PathStatus::complete;
    route.revision = mesh.state().revision();
    ASSERT_TRUE(route.legs.push_back(
        {.start = {{4, 4, 0}, math::atan2(2, 8), 0}, .length = distance(Vec2{4, 4}, Vec2{12, 6})}));
    route.end.position = {12, 6, 0};
    Scratch scratch;
    EXPECT_TRUE(revalidate(mesh, route, MeshQuery{}, scratch).value().legal);
    ASSERT_TRUE(follow_surface(mesh, 1e-6, route));
    ASSERT_EQ(route.legs.size(), 2U);
    EXPECT_NEAR(route.legs[1].start.position.z, 2.0, 1e-9);
    route.end.position = {6, 2, 0};
    EXPECT_FALSE(revalidate(mesh, route, MeshQuery{}, scratch).value().legal);
}

TEST(MeshPolygons, EachInABoxOnce) {
    Rng rng(412);
    for (int world = 0; world < trials(100); ++world) {
        MeshRecipe recipe;
        recipe.join_percent = rng.below(2) == 0 ? 0 : 60;
        PlainMesh plain = random_mesh(rng, recipe);
        if (plain.polygons.empty()) continue;
        const NavMesh mesh = recipe.join_percent == 0 ? plain.make_tiled(8) : plain.make();
        const NavMeshState& state = mesh.state();
        for (int i = 0; i < 20; ++i) {
            const Vec2 low{rng.between(-5, 35) * 1.0, rng.between(-5, 35) * 1.0};
            const Aabb box{low, low + Vec2{rng.between(0, 12) * 1.0, rng.between(0, 12) * 1.0}};
            std::vector<PolygonId> wanted, got;
            for (std::uint32_t k = 0; k < state.polygons(); ++k) {
                Aabb own{ground(state.corner(state.polygon(k), 0)),
                         ground(state.corner(state.polygon(k), 0))};
                for (std::uint32_t c = 1; c < state.corners(state.polygon(k)); ++c) {
                    const Vec2 p = ground(state.corner(state.polygon(k), c));
                    own = {{std::fmin(own.low.x, p.x), std::fmin(own.low.y, p.y)},
                           {std::fmax(own.high.x, p.x), std::fmax(own.high.y, p.y)}};
                }
                if (overlaps(own, box)) wanted.push_back(state.polygon(k));
            }
            state.each_polygon(
                box,
                [](PolygonId polygon, void* user) {
                    static_cast<std::vector<PolygonId>*>(user)->push_back(polygon);
                },
                &got);
            std::sort(got.begin(), got.end());
            std::sort(wanted.begin(), wanted.end());
            ASSERT_EQ(got, wanted);
        }
    }
}

}  // namespace
}  // namespace fairlead
