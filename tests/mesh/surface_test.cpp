// What one asks of the surface, against plain counting.
#include <fairlead/mesh/surface.h>

#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>

#include "oracle/mesh_oracle.h"
#include "support/environment.h"
#include "support/plain_mesh.h"

namespace fairlead {
namespace {

using testing::MeshOracle;
using testing::MeshRecipe;
using testing::OracleMesh;
using testing::PlainMesh;
using testing::random_mesh;
using testing::trials;

OracleMesh oracle_mesh(const PlainMesh& plain) {
    OracleMesh out;
    for (const Vec3& v : plain.vertices) out.vertices.push_back(ground(v));
    out.polygons = plain.polygons;
    return out;
}

Vec3 on_floor(Vec2 p) { return {p.x, p.y, 0.0}; }

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
    Result<Route> route = find_route(mesh, {.start = {1, 5, 0.4}, .goal = Vec3{19, 6, 0.4}}, scratch);
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

}  // namespace
}  // namespace fairlead
