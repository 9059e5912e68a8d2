// Obstacles cut into meshes: as if the cells under them were not there; as a visibility graph round them says;
// whatever was there before.
#include <fairlead/mesh/obstacle.h>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/math/trig.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/repair.h>

#include "oracle/mesh_oracle.h"
#include "oracle/point_graph.h"
#include "support/environment.h"
#include "support/mesh_obstacles.h"
#include "support/plain_mesh.h"

namespace fairlead {
namespace {

using testing::MeshOracle;
using testing::middle_of;
using testing::OracleMesh;
using testing::PlainMesh;
using testing::random_mesh;
using testing::random_obstacle;
using testing::trials;

constexpr std::int32_t kCell = 4;

double length_of(const NavMeshState& mesh, Vec2 from, Vec2 to, Scratch& scratch, double across = 0.0) {
    const MeshQuery query{
        .start = {from.x, from.y, 0}, .goal = Vec3{to.x, to.y, 0}, .reach = {.across = across}};
    Result<Route> route = find_route(mesh, query, scratch);
    EXPECT_TRUE(route);
    return route && route->status == PathStatus::complete ? route->length : INFINITY;
}

/// A rectangle of cells.
struct Cells {
    std::int32_t x, y, width, height;
    [[nodiscard]] MeshObstacle obstacle() const {
        const Vec2 half{width * kCell / 2.0, height * kCell / 2.0};
        return MeshObstacle::box({x * kCell + half.x, y * kCell + half.y}, half, 0.0, -1.0, 1.0);
    }
    [[nodiscard]] bool covers(Vec2 middle) const {
        return middle.x > x * kCell && middle.x < (x + width) * kCell && middle.y > y * kCell &&
               middle.y < (y + height) * kCell;
    }
};

Cells random_cells(Rng& rng, std::int32_t size) {
    const auto below = [&](std::int32_t n) {
        return static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(n)));
    };
    return {below(size), below(size), 1 + below(3), 1 + below(3)};
}

OracleMesh without(const PlainMesh& plain, const std::vector<Cells>& gone) {
    OracleMesh out;
    for (const Vec3& v : plain.vertices) out.vertices.push_back(ground(v));
    for (std::size_t i = 0; i < plain.polygons.size(); ++i) {
        const Vec2 middle = middle_of(plain, i);
        const auto covers = [&](const Cells& cells) { return cells.covers(middle); };
        if (std::none_of(gone.begin(), gone.end(), covers)) out.polygons.push_back(plain.polygons[i]);
    }
    return out;
}

TEST(MeshObstacle, BlocksItsCells) {
    Rng rng(501);
    Scratch scratch;
    for (int world = 0; world < trials(200); ++world) {
        const auto size = static_cast<std::int32_t>(4 + rng.below(6));
        PlainMesh plain = random_mesh(rng, {.width = size,
                                            .height = size,
                                            .blocked_percent = rng.below(25),
                                            .split_percent = 0,
                                            .join_percent = 0});
        if (plain.polygons.empty()) continue;
        const bool tiled = rng.below(4) != 0;
        NavMesh mesh = tiled ? plain.make_tiled(kCell * (1.0 + rng.below(4))) : plain.make();
        std::vector<Cells> gone(1 + rng.below(5));
        std::vector<MeshEdit> edits;
        for (std::size_t i = 0; i < gone.size(); ++i) {
            gone[i] = random_cells(rng, size);
            edits.push_back(MeshEdit::add(static_cast<std::int64_t>(i), gone[i].obstacle()));
        }
        ASSERT_TRUE(mesh.apply(edits));
        const OracleMesh left = without(plain, gone);
        if (left.polygons.empty()) continue;
        const MeshOracle oracle(left);
        for (int i = 0; i < 20; ++i) {
            // Points in the middle of cells: what lies on an edge may belong to either side.
            const auto a =
                static_cast<std::uint32_t>(rng.below(static_cast<std::uint32_t>(left.polygons.size())));
            const auto b =
                static_cast<std::uint32_t>(rng.below(static_cast<std::uint32_t>(left.polygons.size())));
            const auto middle = [&](std::uint32_t p) {
                Vec2 sum{};
                for (const std::uint32_t v : left.polygons[p]) sum = sum + left.vertices[v];
                return sum * 0.25;
            };
            const double wanted = oracle.shortest({middle(a), a}, {middle(b), b});
            const double got = length_of(mesh, middle(a), middle(b), scratch);
            if (std::isinf(wanted)) {
                ASSERT_TRUE(std::isinf(got)) << "world " << world << " query " << i;
            } else {
                ASSERT_NEAR(got, wanted, 1e-9 * (1.0 + wanted)) << "world " << world << " query " << i;
            }
        }
    }
}

// ---- any shape in an open field --------------------------------------------------------------------------------

bool enters(Vec2 a, Vec2 b, const MeshObstacle& o) {
    // Clips ab by the outline, made smaller by a hair.
    double low = 0.0, high = 1.0;
    for (std::uint32_t i = 0; i < o.count; ++i) {
        const Vec2 p = o.points[i], q = o.points[(i + 1) % o.count];
        const double n = length(q - p);
        const double at_a = cross(q - p, a - p) / n - 1e-7, at_b = cross(q - p, b - p) / n - 1e-7;
        if (at_a <= 0.0 && at_b <= 0.0) return false;
        const double t = at_a / (at_a - at_b);
        if (at_a < 0.0) low = std::max(low, t);
        if (at_b < 0.0) high = std::min(high, t);
    }
    return low < high;
}

double round_obstacles(Vec2 from, Vec2 to, const std::vector<MeshObstacle>& obstacles, double size) {
    std::vector<Vec2> nodes{from, to};
    for (const MeshObstacle& o : obstacles) {
        for (std::uint32_t i = 0; i < o.count; ++i) {
            const Vec2 p = o.points[i];
            if (p.x >= 0.0 && p.y >= 0.0 && p.x <= size && p.y <= size) nodes.push_back(p);
        }
    }
    // Where outlines cross each other or the border there are corners that turn the wrong way: never on a taut path.
    const auto clear = [&](Vec2 a, Vec2 b) {
        return std::none_of(obstacles.begin(), obstacles.end(),
                            [&](const MeshObstacle& o) { return enters(a, b, o); });
    };
    return testing::shortest_in_sight(nodes, clear);
}

TEST(MeshObstacle, AnyShapeAsAVisibilityGraphSays) {
    Rng rng(502);
    Scratch scratch;
    constexpr std::int32_t kCells = 10;
    constexpr double kSize = kCells * kCell;
    for (int world = 0; world < trials(200); ++world) {
        PlainMesh plain = random_mesh(rng, {.width = kCells,
                                            .height = kCells,
                                            .blocked_percent = 0,
                                            .split_percent = 20,
                                            .join_percent = 0});
        NavMesh mesh = rng.below(3) == 0 ? plain.make() : plain.make_tiled(kCell * (1.0 + rng.below(5)));
        std::vector<MeshObstacle> obstacles(1 + rng.below(12));
        std::vector<MeshEdit> edits;
        for (std::size_t i = 0; i < obstacles.size(); ++i) {
            obstacles[i] = random_obstacle(rng, kSize);
            edits.push_back(MeshEdit::add(static_cast<std::int64_t>(i), obstacles[i]));
        }
        const Result<void> applied = mesh.apply(edits);
        ASSERT_TRUE(applied) << error_text(applied.error().code) << " world " << world;
        for (int i = 0; i < 20; ++i) {
            const Vec2 from{rng.between(0.0, kSize), rng.between(0.0, kSize)},
                to{rng.between(0.0, kSize), rng.between(0.0, kSize)};
            const auto free = [&](Vec2 p) {
                return std::none_of(obstacles.begin(), obstacles.end(), [&](const MeshObstacle& o) {
                    return enters(p - Vec2{1e-4, 0}, p + Vec2{1e-4, 0}, o) ||
                           enters(p - Vec2{0, 1e-4}, p + Vec2{0, 1e-4}, o);
                });
            };
            if (!free(from) || !free(to)) continue;
            const double wanted = round_obstacles(from, to, obstacles, kSize);
            const double got = length_of(mesh, from, to, scratch);
            if (std::isinf(wanted)) {
                ASSERT_TRUE(std::isinf(got)) << "world " << world << " query " << i;
            } else {
                ASSERT_NEAR(got, wanted, 1e-5 * (1.0 + wanted)) << "world " << world << " query " << i;
            }
        }
    }
}

TEST(MeshObstacle, BoundsHoldWhileObstaclesComeAndGo) {
    // The same lengths with and without landmarks.
    Rng rng(504);
    Scratch scratch;
    PlainMesh plain = random_mesh(
        rng, {.width = 20, .height = 20, .blocked_percent = 25, .split_percent = 20, .join_percent = 0});
    NavMesh with = plain.make_tiled(20.0), bare = plain.make_tiled(20.0, 0);
    for (int step = 0; step < trials(60); ++step) {
        const MeshObstacle obstacle = random_obstacle(rng, 80.0);
        const auto id = static_cast<std::int64_t>(rng.below(30));
        const MeshEdit add[] = {MeshEdit::add(id, obstacle)}, gone[] = {MeshEdit::remove(id)};
        const bool added = static_cast<bool>(with.apply(add));
        if (!added) {
            ASSERT_TRUE(with.apply(gone));
        }
        ASSERT_TRUE(bare.apply(added ? std::span<const MeshEdit>(add) : std::span<const MeshEdit>(gone)));
        if (step % 20 == 19) {
            ASSERT_TRUE(with.measure_landmarks());
        }
        for (int i = 0; i < 20; ++i) {
            const Vec2 from{rng.between(0.0, 80.0), rng.between(0.0, 80.0)},
                to{rng.between(0.0, 80.0), rng.between(0.0, 80.0)};
            const double a = length_of(with, from, to, scratch, 3.0),
                         b = length_of(bare, from, to, scratch, 3.0);
            ASSERT_TRUE(a == b || std::fabs(a - b) < 1e-9 * a) << a << " " << b << " step " << step;
        }
    }
}

TEST(MeshObstacle, OnlyItsOwnFloorAndWithTheRadius) {
    // Two floors above each other, an obstacle on the lower one.
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {20, 0, 0}, {20, 10, 0}, {0, 10, 0},
                      {0, 0, 5}, {20, 0, 5}, {20, 10, 5}, {0, 10, 5}};
    plain.polygons = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    plain.flatten();
    const NavMeshTile tile = plain.tile();
    Result<NavMesh> mesh = NavMesh::make({.agent_radius = 0.5, .tiles = {&tile, 1}});
    ASSERT_TRUE(mesh);
    const MeshEdit put[] = {MeshEdit::add(1, MeshObstacle::box({10, 5}, {1, 4.5}, 0.0, 0.0, 1.0))};
    ASSERT_TRUE(mesh->apply(put));
    Scratch scratch;
    const auto route = [&](double z) {
        Result<Route> found =
            find_route(*mesh, MeshQuery{.start = {2, 5, z}, .goal = Vec3{18, 5, z}}, scratch);
        EXPECT_TRUE(found);
        return found->status == PathStatus::complete ? found->length : INFINITY;
    };
    EXPECT_DOUBLE_EQ(route(5.0), 16.0);
    // 0.5 are left on both sides, but the unit's half width is 0.5: exactly shut (the corners are a little outside of round).
    EXPECT_TRUE(std::isinf(route(0.0)));
    const MeshEdit away[] = {MeshEdit::move(1, MeshObstacle::box({10, 5}, {1, 4}, 0.0, 0.0, 1.0))};
    ASSERT_TRUE(mesh->apply(away));
    EXPECT_GT(route(0.0), 17.0);
    EXPECT_LT(route(0.0), 20.0);
    // Below the floor, no further than a unit is high.
    const MeshEdit low[] = {MeshEdit::move(1, MeshObstacle::box({10, 5}, {1, 4}, 0.0, 2.5, 3.0))};
    ASSERT_TRUE(mesh->apply(low));
    EXPECT_DOUBLE_EQ(route(0.0), 16.0);
}

TEST(MeshObstacle, ASearchInFlightKeepsItsSnapshot) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {20, 0, 0}, {20, 10, 0}, {0, 10, 0}};
    plain.polygons = {{0, 1, 2, 3}};
    NavMesh mesh = plain.make_tiled(20.0);
    NavMeshSnapshot frozen = mesh.acquire();
    Scratch scratch;
    MeshSearch search(frozen, {.start = {2, 5, 0}, .goal = Vec3{18, 5, 0}}, scratch);
    (void)search.step(1);
    const MeshEdit put[] = {MeshEdit::add(1, MeshObstacle::box({10, 5}, {1, 3}, 0.0, 0.0, 1.0))};
    ASSERT_TRUE(mesh.apply(put));
    while (search.step(1)) {
    }
    Route route;
    ASSERT_TRUE(search.take(route));
    EXPECT_EQ(route.revision, 0U);
    EXPECT_DOUBLE_EQ(route.length, 16.0);
    frozen.release();
    Result<Route> now = find_route(mesh, MeshQuery{.start = {2, 5, 0}, .goal = Vec3{18, 5, 0}}, scratch);
    ASSERT_TRUE(now);
    EXPECT_EQ(now->revision, 1U);
    EXPECT_DOUBLE_EQ(now->length, 2.0 * std::sqrt(49.0 + 9.0) + 2.0);
}

TEST(MeshObstacle, RoutesAreRevalidated) {
    Rng rng(506);
    Scratch scratch;
    PlainMesh plain = random_mesh(
        rng, {.width = 15, .height = 15, .blocked_percent = 20, .split_percent = 20, .join_percent = 0});
    NavMesh mesh = plain.make_tiled(12.0);
    int good = 0, bad = 0;
    for (int step = 0; step < 300; ++step) {
        const Vec3 from{rng.between(0.0, 60.0), rng.between(0.0, 60.0), 0.0},
            to{rng.between(0.0, 60.0), rng.between(0.0, 60.0), 0.0};
        Result<Route> before = find_route(mesh, MeshQuery{.start = from, .goal = to}, scratch);
        ASSERT_TRUE(before);
        if (before->status != PathStatus::complete || before->legs.empty()) continue;
        ASSERT_TRUE(revalidate(mesh, *before, MeshQuery{}, scratch).value().legal) << step;
        const MeshObstacle obstacle = random_obstacle(rng, 60.0);
        const MeshEdit add[] = {MeshEdit::add(step, obstacle)};
        ASSERT_TRUE(mesh.apply(add));
        bool crossed = false;
        for (std::size_t i = 0; i < before->legs.size(); ++i) {
            crossed = crossed || enters(ground(before->legs[i].start.position),
                                        ground(leg_end(*before, i).position), obstacle);
        }
        const Revalidation now = revalidate(mesh, *before, MeshQuery{}, scratch).value();
        ASSERT_EQ(now.legal, !crossed) << step;
        ++(crossed ? bad : good);
        if (step % 3 != 0) {
            const MeshEdit gone[] = {MeshEdit::remove(step)};
            ASSERT_TRUE(mesh.apply(gone));
            ASSERT_TRUE(revalidate(mesh, *before, MeshQuery{}, scratch).value().legal);
        }
    }
    EXPECT_GT(good, 4);
    EXPECT_GT(bad, 4);
}

}  // namespace
}  // namespace fairlead
