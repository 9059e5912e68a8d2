// verify against the mesh planner on random meshes, and against dense sampling on random lines and arcs.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/repair.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/environment.h"
#include "support/plain_mesh.h"
#include "support/route_maker.h"
#include "support/violation_checks.h"

namespace fairlead {
namespace {

using testing::MeshRecipe;
using testing::PlainMesh;
using testing::random_mesh;
using testing::RouteMaker;
using testing::spiral_mesh;
using testing::trials;

MeshRecipe random_recipe(Rng& rng) {
    MeshRecipe recipe;
    recipe.width = 3 + static_cast<std::int32_t>(rng.below(9));
    recipe.height = 3 + static_cast<std::int32_t>(rng.below(9));
    recipe.blocked_percent = 5 + rng.below(40);
    recipe.split_percent = rng.below(101);
    recipe.join_percent = rng.below(3) == 0 ? 0 : rng.below(101);
    recipe.slanted = rng.below(2) == 0;
    recipe.areas = 1 + rng.below(3);
    return recipe;
}

/// On vertices and sides as often as in the middle of things.
Vec3 random_place(Rng& rng, const NavMeshState& mesh) {
    const PolygonId polygon = mesh.polygon(rng.below(mesh.polygons()));
    const std::uint32_t count = mesh.corners(polygon);
    const Vec3 a = mesh.corner(polygon, rng.below(count)), b = mesh.corner(polygon, rng.below(count));
    const Vec3 c = mesh.corner(polygon, rng.below(count));
    const double t = rng.below(3) == 0 ? 0.0 : rng.between(0.0, 1.0),
                 u = rng.below(2) == 0 ? 0.0 : rng.between(0.0, 1.0);
    return (a * (1.0 - t) + b * t) * (1.0 - u) + c * u;
}

MeshObstacle random_obstacle(Rng& rng, const NavMeshState& mesh) {
    const Vec2 at = ground(random_place(rng, mesh));
    if (rng.below(2) == 0) return MeshObstacle::pillar(at, rng.between(0.2, 3.0), -1.0, 2.0);
    return MeshObstacle::box(at, {rng.between(0.1, 4.0), rng.between(0.1, 4.0)}, rng.between(0.0, 6.0), -1.0,
                             2.0);
}

/// The corner of a route moved away from the free side by a little: legs that cut a wall by about `depth`.
Route bent_inwards(const Route& route, std::size_t corner, double depth) {
    Route bad;
    bad.status = route.status;
    bad.revision = route.revision;
    std::vector<Vec3> points;
    for (const Leg& leg : route.legs) points.push_back(leg.start.position);
    points.push_back(route.end.position);
    const Vec2 in = ground(points[corner]) - ground(points[corner - 1]),
               out = ground(points[corner + 1]) - ground(points[corner]);
    const Vec2 way = in * (-1.0 / length(in)) + out * (1.0 / length(out));
    points[corner] = points[corner] + Vec3{way.x, way.y, 0.0} * (depth / length(way));
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const Vec2 step = ground(points[i + 1]) - ground(points[i]);
        Leg leg;
        leg.start = {points[i], math::atan2(step.y, step.x), 0};
        leg.length = length(step);
        leg.rise = points[i + 1].z - points[i].z;
        bad.length += leg.length;
        EXPECT_TRUE(bad.legs.push_back(leg));
    }
    bad.end = {points.back(), 0.0, 0};
    return bad;
}

bool bends_at(const Route& route, std::size_t corner) {
    const Vec2 in = math::direction(route.legs[corner - 1].start.heading_rad);
    return distance(in, math::direction(route.legs[corner].start.heading_rad)) > 1e-3;
}

struct Tally {
    int routes = 0;
    int legs = 0;
    int planted = 0;
};

/// `continuous`: heights are the same on both sides of a side, all along (no corner lies in the middle of a side).
void check_queries(Rng& rng, const NavMesh& mesh, int queries, std::uint64_t closed, bool continuous,
                   Tally& tally) {
    Scratch scratch;
    const NavMeshState& state = mesh.state();
    const Vec2 size = state.bounds().high - state.bounds().low;
    const double depth = 1e-6 * std::max(1.0, std::max(size.x, size.y) / 1000.0);
    for (int i = 0; i < queries; ++i) {
        const MeshQuery query{.start = random_place(rng, state),
                              .goal = random_place(rng, state),
                              .filter = {.areas = {.closed = KindSet::of_mask(closed)}},
                              .partial = rng.below(2) == 0};
        Result<Route> route = find_route(mesh, query, scratch);
        ASSERT_TRUE(route);
        MeshVerifyOptions options{.filter = query.filter};
        const Violation bad = verify(*route, mesh, {}, options);
        ASSERT_FALSE(bad) << bad.text().c_str() << " (query " << i << ")";
        ASSERT_TRUE(revalidate(mesh, *route, MeshQuery{.filter = query.filter}, scratch).value().legal)
            << "query " << i;
        ++tally.routes;
        tally.legs += static_cast<int>(route->legs.size());
        const auto bends = static_cast<std::uint32_t>(route->legs.size()) - 1;
        const std::size_t corner = route->legs.size() > 1 ? 1 + rng.below(bends) : 0;
        if (corner > 0 && bends_at(*route, corner)) {
            options.height_slack = 2.5;  // no floor is as near above or below
            // Taut: a bend is at a corner of a wall, and what is bent less is in the wall.
            const Route bent = bent_inwards(*route, corner, depth);
            const Violation cut = verify(bent, mesh, {}, options);
            // In a very sharp corner of a wall it is still near to the surface.
            const Vec3 at = bent.legs[corner].start.position;
            const MeshPoint near = state.nearest(at, {.across = 2.0 * depth});
            const bool deep =
                !near.polygon.valid() || distance(ground(near.position), ground(at)) > 0.5 * depth;
            if (!deep) continue;
            ASSERT_EQ(cut.kind, ViolationKind::wall) << cut.text().c_str() << " (query " << i << ")";
            ++tally.planted;
        }
        if (route->legs.empty() || !continuous) continue;
        options.height_slack = 0.05;
        options.surface_error = 1e-6;
        ASSERT_TRUE(follow_surface(mesh, 1e-6, *route));
        const Violation high = verify(*route, mesh, {}, options);
        ASSERT_FALSE(high) << high.text().c_str() << " (query " << i << ", heights)";
    }
}

TEST(MeshVerifyRandom, AcceptsThePlannersRoutes) {
    Rng rng(501);
    Tally tally;
    for (int world = 0; world < trials(300); ++world) {
        const MeshRecipe recipe = random_recipe(rng);
        PlainMesh plain = random_mesh(rng, recipe);
        if (plain.polygons.empty()) continue;
        const bool tiled = rng.below(3) == 0 && !recipe.slanted && recipe.join_percent == 0;
        for (Vec3& v : plain.vertices) v.z = rng.between(0.0, 2.0);
        const NavMesh mesh = tiled ? plain.make_tiled(recipe.cell) : plain.make();
        check_queries(rng, mesh, 20, recipe.areas > 1 && rng.below(2) == 0 ? 2 : 0, recipe.join_percent == 0,
                      tally);
        if (HasFatalFailure()) FAIL() << "world " << world;
    }
    EXPECT_GT(tally.planted, trials(500));
}

TEST(MeshVerifyRandom, WithObstaclesAndTiles) {
    Rng rng(502);
    Tally tally;
    for (int world = 0; world < trials(200); ++world) {
        MeshRecipe recipe = random_recipe(rng);
        recipe.slanted = false;
        recipe.areas = 1;
        if (rng.below(2) == 0) recipe.join_percent = 0;
        PlainMesh plain = random_mesh(rng, recipe);
        if (plain.polygons.empty()) continue;
        NavMesh mesh = recipe.join_percent == 0 ? plain.make_tiled(recipe.cell) : plain.make();
        std::vector<MeshEdit> edits;
        for (std::int64_t id = 0; id < 6; ++id)
            edits.push_back(MeshEdit::add(id, random_obstacle(rng, mesh)));
        ASSERT_TRUE(mesh.apply(edits));
        if (mesh.state().polygons() == 0) continue;
        check_queries(rng, mesh, 20, 0, true, tally);
        if (HasFatalFailure()) FAIL() << "world " << world;
    }
    EXPECT_GT(tally.planted, trials(800));
}

TEST(MeshVerifyRandom, FarFromTheOrigin) {
    Rng rng(503);
    Tally tally;
    for (const double far : {5e3, 5e5}) {
        for (int world = 0; world < trials(60); ++world) {
            MeshRecipe recipe = random_recipe(rng);
            recipe.areas = 1;
            PlainMesh plain = random_mesh(rng, recipe);
            if (plain.polygons.empty()) continue;
            plain.flatten();
            const NavMeshTile tile = plain.tile();
            Result<NavMesh> mesh =
                NavMesh::make({.origin = {far + 0.1, -far / 3.0, 100.0 / 3.0}, .tiles = {&tile, 1}});
            ASSERT_TRUE(mesh);
            if (rng.below(2) == 0) {
                const MeshEdit edit[] = {MeshEdit::add(1, random_obstacle(rng, *mesh))};
                ASSERT_TRUE(mesh->apply(edit));
            }
            if (mesh->state().polygons() == 0) continue;
            check_queries(rng, *mesh, 20, 0, true, tally);
            if (HasFatalFailure()) FAIL() << "world " << world << " at " << far;
        }
    }
    EXPECT_GT(tally.planted, trials(300));
}

TEST(MeshVerifyRandom, SpiralRamps) {
    Rng rng(504);
    Tally tally;
    for (int world = 0; world < trials(40); ++world) {
        PlainMesh plain = spiral_mesh(3 + rng.below(20), 1 + rng.below(5), rng.between(0.1, 1.0));
        const NavMesh mesh = plain.make();
        check_queries(rng, mesh, 20, 0, true, tally);
        if (HasFatalFailure()) FAIL() << "world " << world;
    }
}

// ---- lines and arcs against dense sampling: on a flat mesh, what is near is near whatever lies between.

double distance_to_walls(const NavMeshState& mesh, Vec2 p) {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < mesh.polygons(); ++i) {
        const PolygonId polygon = mesh.polygon(i);
        const std::uint32_t count = mesh.corners(polygon);
        for (std::uint32_t k = 0; k < count; ++k) {
            if (mesh.neighbour(polygon, k).valid()) continue;
            const Vec2 a = ground(mesh.corner(polygon, k)), b = ground(mesh.corner(polygon, (k + 1) % count));
            const Vec2 e = b - a;
            const double t = std::min(1.0, std::max(0.0, dot(p - a, e) / dot(e, e)));
            least = std::min(least, distance(p, a + e * t));
        }
    }
    return least;
}

TEST(MeshVerifyRandom, LinesAndArcsLikeDenseSampling) {
    Rng rng(505);
    int legal = 0, illegal = 0;
    for (int world = 0; world < trials(60); ++world) {
        MeshRecipe recipe = random_recipe(rng);
        recipe.areas = 1;
        recipe.blocked_percent = rng.below(15);
        PlainMesh plain = random_mesh(rng, recipe);
        if (plain.polygons.empty()) continue;
        const NavMesh mesh = plain.make();
        for (int i = 0; i < 25; ++i) {
            const Vec3 from = random_place(rng, mesh);
            const double curvature = rng.below(3) == 0 ? 0.0 : rng.between(-1.0, 1.0);
            const double length = rng.between(0.0, 8.0), first = rng.between(-3.2, 3.2);
            Route route = RouteMaker(ground(from), first).drive(length, curvature).take();
            constexpr int kSamples = 300;
            double least = std::numeric_limits<double>::infinity();
            for (int k = 0; k <= kSamples; ++k) {
                const Vec2 p = ground(place_on_leg(route.legs[0], length * k / kSamples).position);
                const MeshPoint under = mesh.state().nearest({p.x, p.y, 0.0}, {.across = 0.0});
                const double near = distance_to_walls(mesh, p);
                least = std::min(least, under.polygon.valid() ? near : -near);
            }
            // The distance changes by no more than the way between two samples.
            const double blur = 0.5 * length / kSamples + 1e-6;
            if (least > blur) {
                EXPECT_LEGAL(verify(route, mesh, {.radius = least - blur}, {.check_revision = false}));
                ++legal;
            }
            if (least >= 0.0) {
                ASSERT_EQ(verify(route, mesh, {.radius = least + 1e-6}, {.check_revision = false}).kind,
                          ViolationKind::wall)
                    << world << " " << i << ": " << from.x << " " << from.y << ", " << first << " " << length
                    << " " << curvature << ", " << least;
            } else if (least < -1e-6) {
                EXPECT_KIND(verify(route, mesh, {}, {.check_revision = false}), wall);
                ++illegal;
            }
        }
    }
    EXPECT_GT(legal, trials(200));
    EXPECT_GT(illegal, trials(200));
}

// ---- any argument is safe

double hostile_number(Rng& rng) {
    switch (rng.below(12)) {
        case 0: return std::numeric_limits<double>::quiet_NaN();
        case 1: return std::numeric_limits<double>::infinity();
        case 2: return 1e308;
        case 3: return -1e300;
        case 4: return 1e-300;
        case 5: return 1e9;
        case 6: return 0.0;
        case 7: return -1.0;
        case 8: return 1e-17;
        default: return rng.between(-40.0, 40.0);
    }
}

TEST(MeshVerifyRandom, HostileNumbers) {
    Rng rng(507);
    MeshRecipe recipe;
    PlainMesh plain = random_mesh(rng, recipe);
    const NavMesh mesh = plain.make();
    Scratch scratch;
    int rejected = 0;
    for (int i = 0; i < trials(5000); ++i) {
        Result<Route> route = find_route(
            mesh, MeshQuery{.start = random_place(rng, mesh), .goal = random_place(rng, mesh)}, scratch);
        ASSERT_TRUE(route);
        Agent agent{.radius = rng.below(2) == 0 ? 0.0 : rng.between(0.0, 3.0)};
        for (int change = 0; change < 3; ++change) {
            const double value = hostile_number(rng);
            const auto count = static_cast<std::uint32_t>(route->legs.size());
            Leg spare;
            Leg& leg = count > 0 ? route->legs[rng.below(count)] : spare;
            switch (rng.below(12)) {
                case 0: leg.start.position.x = value; break;
                case 1: leg.start.position.y = value; break;
                case 2: leg.start.position.z = value; break;
                case 3: leg.start.heading_rad = value; break;
                case 4: leg.length = value; break;
                case 5: leg.rise = value; break;
                case 6: leg.curvature = value; break;
                case 7: leg.clearance = value; break;
                case 8: leg.kind = static_cast<LegKind>(rng.below(5)); break;
                case 9: route->end.position.x = value; break;
                case 10: agent.radius = value; break;
                default: route->length = value; break;
            }
        }
        rejected += verify(*route, mesh, agent, {.sides_max = 1000000}) ? 1 : 0;
    }
    EXPECT_GT(rejected, trials(4000));
}

// ---- the reference levels

/// A Polyanya mesh, version 2, with the heights of its vertices beside it.
PlainMesh read_level(const std::string& name, const std::string& heights) {
    PlainMesh plain;
    std::ifstream in(name);
    std::string word;
    std::size_t version = 0, vertices = 0, polygons = 0, count = 0;
    in >> word >> version >> vertices >> polygons;
    for (std::size_t i = 0; i < vertices; ++i) {
        Vec3 v;
        long skipped = 0;
        in >> v.x >> v.y >> count;
        for (std::size_t k = 0; k < count; ++k) in >> skipped;
        plain.vertices.push_back(v);
    }
    for (std::size_t i = 0; i < polygons; ++i) {
        in >> count;
        std::vector<std::uint32_t> ring(count);
        long skipped = 0;
        for (std::uint32_t& vertex : ring) in >> vertex;
        for (std::size_t k = 0; k < count; ++k) in >> skipped;
        plain.polygons.push_back(ring);
    }
    EXPECT_TRUE(in) << name;
    std::ifstream table(heights);
    std::string line;
    std::getline(table, line);
    for (Vec3& v : plain.vertices) {
        EXPECT_TRUE(std::getline(table, line)) << heights;
        v.z = std::stod(line.substr(line.rfind(',') + 1));
    }
    return plain;
}

class MeshVerifyLevels : public ::testing::TestWithParam<const char*> {};

TEST_P(MeshVerifyLevels, AcceptsThePlannersRoutes) {
    const std::string name = std::string("meshes/reference/") + GetParam();
    FAIRLEAD_REQUIRE_DATA(shape, name + ".mesh");
    FAIRLEAD_REQUIRE_DATA(heights, name + "_verts3d.csv");
    PlainMesh plain = read_level(shape, heights);
    plain.flatten();
    const NavMeshTile tile = plain.tile();
    const Result<NavMesh> mesh = NavMesh::make({.tiles = {&tile, 1}});
    ASSERT_TRUE(mesh) << error_text(mesh.error().code) << " " << mesh.error().index << " "
                      << mesh.error().detail;
    Rng rng(506);
    Tally tally;
    check_queries(rng, *mesh, trials(300), 0, false, tally);
    EXPECT_GT(tally.planted, trials(300) / 10);
}

INSTANTIATE_TEST_SUITE_P(Reference, MeshVerifyLevels,
                         ::testing::Values("nav_test_solo", "nav_test_tiled", "proto-level_solo",
                                           "proto-level_tiled", "city_256_solo", "city_256_tiled"));

}  // namespace
}  // namespace fairlead
