// Wide links: as short as the best of many narrow ones side by side, and never longer; for points and for units with a radius.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/repair.h>
#include <fairlead/verify/verify_mesh.h>

#include "oracle/mesh_oracle.h"
#include "support/environment.h"
#include "support/oracle_mesh.h"
#include "support/plain_mesh.h"

namespace fairlead {
namespace {

using testing::ambiguous;
using testing::MeshOracle;
using testing::on_floor;
using testing::oracle_mesh;
using testing::OracleMesh;
using testing::PlainMesh;
using testing::random_mesh;
using testing::random_mesh_point;
using testing::trials;

constexpr std::int32_t kCell = 64;
constexpr std::int32_t kStep = 8;

/// A polygon that holds a point; the number of polygons if there is none.
std::uint32_t polygon_at(const OracleMesh& mesh, Vec2 p) {
    std::uint32_t i = 0;
    while (i < mesh.polygons.size() && !testing::in_oracle_polygon(mesh, i, p)) ++i;
    return i;
}

// The narrow links that a wide one along x or y is made of, where there is floor at both ends.
void add_narrow(const OracleMesh& shape, const MeshLink& link, Vec2 along, double cost,
                std::vector<MeshOracle::Jump>& jumps) {
    const auto half = static_cast<std::int32_t>(link.extent / 2.0);
    for (std::int32_t off = -half; off <= half; off += kStep) {
        const Vec2 a = ground(link.from) + along * off, b = ground(link.to) + along * off;
        const std::uint32_t from = polygon_at(shape, a), to = polygon_at(shape, b);
        if (from == shape.polygons.size() || to == shape.polygons.size()) continue;
        jumps.push_back({{a, from}, {b, to}, cost});
        if (!link.one_way) jumps.push_back({{b, to}, {a, from}, cost});
    }
}

// From a middle of a cell, so that both ends are clear of vertices.
Vec2 random_middle(Rng& rng, const OracleMesh& shape) {
    for (;;) {
        const Vec2 p = random_mesh_point(rng, shape).at;
        const Vec2 middle{std::floor(p.x / kCell) * kCell + 24.0 + 8.0 * rng.below(3),
                          std::floor(p.y / kCell) * kCell + 24.0 + 8.0 * rng.below(3)};
        if (polygon_at(shape, middle) < shape.polygons.size()) return middle;
    }
}

TEST(MeshWideLinks, AreAsShortAsTheBestOfManyNarrowOnes) {
    Rng rng(1611);
    Scratch scratch;
    int crossed = 0, apart = 0;
    double gap = 0.0;
    for (int round = 0; round < trials(150); ++round) {
        PlainMesh plain = random_mesh(rng, {.width = 3 + static_cast<std::int32_t>(rng.below(4)),
                                            .height = 3 + static_cast<std::int32_t>(rng.below(4)),
                                            .cell = kCell,
                                            .blocked_percent = 20 + rng.below(40),
                                            .split_percent = rng.below(101),
                                            .join_percent = 0});
        if (plain.polygons.size() < 2) continue;
        const OracleMesh shape = oracle_mesh(plain);
        MeshOracle oracle(shape);
        std::vector<MeshLink> links;
        std::vector<MeshOracle::Jump> jumps;
        const std::uint32_t count = 1 + rng.below(2);
        for (std::uint32_t id = 0; id < count; ++id) {
            MeshLink link{.id = id};
            link.from = on_floor(random_middle(rng, shape));
            link.to = on_floor(random_middle(rng, shape));
            const bool upright = rng.below(2) == 0;
            link.heading_rad = upright ? 0.0 : kHalfPi;
            link.extent = 2.0 * kStep * (1 + rng.below(9));
            link.one_way = rng.below(2) == 0;
            link.cost = rng.below(3) == 0   ? 0.0
                        : rng.below(3) == 0 ? kLinkCostStraight
                                            : 10.0 * rng.below(30);
            const double cost =
                link.cost == kLinkCostStraight ? distance(ground(link.from), ground(link.to)) : link.cost;
            add_narrow(shape, link, upright ? Vec2{0.0, 1.0} : Vec2{1.0, 0.0}, cost, jumps);
            links.push_back(link);
        }
        oracle.set_links(jumps);
        NavMesh mesh = rng.below(2) == 0 ? plain.make() : plain.make_tiled(kCell * (1.0 + rng.below(3)));
        std::vector<MeshEdit> put;
        for (const MeshLink& link : links) put.push_back(MeshEdit::add_link(link));
        ASSERT_TRUE(mesh.apply(put));
        if (rng.below(2) == 0) {
            ASSERT_TRUE(mesh.measure_landmarks());
        }
        for (int i = 0; i < 25; ++i) {
            const MeshOracle::Point from = random_mesh_point(rng, shape), to = random_mesh_point(rng, shape);
            if (ambiguous(shape, oracle, from) || ambiguous(shape, oracle, to)) continue;
            const double wanted = oracle.shortest(from, to);
            const MeshQuery query{.start = on_floor(from.at), .goal = on_floor(to.at)};
            Result<Route> route = find_route(mesh, query, scratch);
            ASSERT_TRUE(route);
            if (std::isinf(wanted)) {
                // Narrower than the step there may be a way that the oracle does not have.
                apart += route->status == PathStatus::unreachable ? 1 : 0;
                continue;
            }
            ASSERT_EQ(route->status, PathStatus::complete) << "round " << round << " query " << i;
            ASSERT_LE(route->cost, wanted * (1.0 + 1e-9) + 1e-9) << "round " << round << " query " << i;
            const Violation bad = verify(*route, mesh, query.agent);
            ASSERT_FALSE(bad) << bad.text().c_str() << " round " << round << " query " << i;
            ASSERT_TRUE(revalidate(mesh, *route, MeshQuery{}, scratch).value().legal)
                << "round " << round << " query " << i;
            int links_used = 0;
            double sum = 0.0;
            for (std::size_t leg = 0; leg < route->legs.size(); ++leg) {
                if (route->legs[leg].kind != LegKind::link) continue;
                ++links_used;
                const MeshLink& link = links[route->legs[leg].link_id];
                sum +=
                    link.cost == kLinkCostStraight ? distance(ground(link.from), ground(link.to)) : link.cost;
            }
            crossed += links_used;
            // The cost is what it says: a legal route, so not too small.
            ASSERT_NEAR(route->cost, route->length + sum, 1e-9 * (1.0 + route->cost));
            ASSERT_GE(route->cost, wanted - 2.0 * kStep * links_used - 1e-6)
                << "round " << round << " query " << i;
            gap += wanted - route->cost;
        }
    }
    EXPECT_GT(crossed, trials(150) * 2);
    EXPECT_GT(gap, 0.0);
    EXPECT_GT(apart, 0);
}

// Between two floors with a gap: straight over it, wherever one stands.
TEST(MeshWideLinks, AreCrossedInAStraightLine) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0},  {10, 0, 0}, {10, 10, 0}, {0, 10, 0},
                      {14, 0, 0}, {24, 0, 0}, {24, 10, 0}, {14, 10, 0}};
    plain.polygons = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    NavMesh mesh = plain.make();
    const MeshEdit put[] = {MeshEdit::add_link(
        {.id = 5, .from = {10, 5, 0}, .to = {14, 5, 0}, .extent = 8.0, .cost = 4.0, .tag = 77})};
    ASSERT_TRUE(mesh.apply(put));
    Scratch scratch;
    // The gap takes 4 of x: what is left is straight, from (2, 2) to (18, 8).
    Result<Route> there = find_route(mesh, MeshQuery{.start = {2, 2, 0}, .goal = Vec3{22, 8, 0}}, scratch);
    ASSERT_TRUE(there);
    ASSERT_EQ(there->legs.size(), 3U);
    EXPECT_NEAR(there->length, std::sqrt(16.0 * 16.0 + 36.0), 1e-12);
    EXPECT_NEAR(there->cost, there->length + 4.0, 1e-12);
    EXPECT_NEAR(there->legs[1].start.position.y, 5.0, 1e-12);
    EXPECT_EQ(there->legs[1].start.position.x, 10.0);
    EXPECT_EQ(there->legs[1].kind, LegKind::link);
    EXPECT_EQ(there->legs[1].link_id, 5U);
    EXPECT_EQ(mesh.state().link(5)->link.tag, 77U);
    EXPECT_EQ(there->legs[1].start.heading_rad, 0.0);
    Result<Route> back = find_route(mesh, MeshQuery{.start = {22, 8, 0}, .goal = Vec3{2, 2, 0}}, scratch);
    ASSERT_TRUE(back);
    EXPECT_NEAR(back->cost, there->cost, 1e-12);
    EXPECT_NEAR(std::fabs(back->legs[1].start.heading_rad), kPi, 1e-12);
    // Past its end: round it.
    Result<Route> end = find_route(mesh, MeshQuery{.start = {9, 0, 0}, .goal = Vec3{15, 0, 0}}, scratch);
    ASSERT_TRUE(end);
    EXPECT_NEAR(end->length, 2.0 * std::sqrt(2.0), 1e-12);
    // A unit with a radius keeps from the walls at both sides.
    plain.flatten();
    const NavMeshTile tile = plain.tile();
    const MeshLink wide{.id = 5, .from = {9, 5, 0}, .to = {15, 5, 0}, .extent = 10.0, .cost = 4.0};
    const Result<NavMesh> roomy =
        NavMesh::make({.radius_max = 2.0, .tiles = {&tile, 1}, .links = {&wide, 1}});
    ASSERT_TRUE(roomy);
    for (const double radius : {0.25, 0.5, 1.0}) {
        const MeshQuery query{.start = {2, 0, 0}, .goal = Vec3{22, 0, 0}, .agent = {.radius = radius}};
        Result<Route> route = find_route(*roomy, query, scratch);
        ASSERT_TRUE(route);
        ASSERT_EQ(route->status, PathStatus::complete) << radius;
        EXPECT_FALSE(verify(*route, *roomy, query.agent)) << radius;
        EXPECT_NEAR(route->end.position.y, radius, 1e-5);
    }
    const MeshQuery broad{.start = {2, 5, 0}, .goal = Vec3{22, 5, 0}, .agent = {.radius = 1.5}};
    EXPECT_EQ(find_route(*roomy, broad, scratch).value().status, PathStatus::unreachable);
}

// A link behind a corner is found whatever the numbers of the polygons and of their sides are.
TEST(MeshWideLinks, BehindACornerWithAnyNumbers) {
    Scratch scratch;
    std::vector<std::size_t> order{0, 1, 2, 3, 4};
    do {
        for (std::size_t turn = 0; turn < 4; ++turn) {
            PlainMesh plain;
            plain.vertices = {{0, 0, 0},   {10, 0, 0},  {20, 0, 0},  {0, 10, 0},  {10, 10, 0},
                              {20, 10, 0}, {10, 20, 0}, {20, 20, 0}, {40, 20, 0}, {50, 20, 0},
                              {50, 30, 0}, {40, 30, 0}, {10, 30, 0}, {20, 30, 0}};
            const std::vector<std::vector<std::uint32_t>> polygons{
                {0, 1, 4, 3}, {1, 2, 5, 4}, {4, 5, 7, 6}, {6, 7, 13, 12}, {8, 9, 10, 11}};
            for (const std::size_t i : order) {
                std::vector<std::uint32_t> sides = polygons[i];
                std::rotate(sides.begin(), sides.begin() + static_cast<std::ptrdiff_t>(turn), sides.end());
                plain.polygons.emplace_back(sides.begin(), sides.end());
            }
            NavMesh mesh = plain.make();
            const MeshEdit put[] = {
                MeshEdit::add_link({.id = 1, .from = {11, 29, 0}, .to = {41, 29, 0}, .cost = 1.0}),
                MeshEdit::add_link({.id = 2, .from = {12, 28, 0}, .to = {42, 28, 0}, .cost = 1.0})};
            ASSERT_TRUE(mesh.apply(put));
            const MeshQuery query{.start = {1, 9, 0}, .goal = Vec3{41, 29, 0}};
            const Result<Route> route = find_route(mesh, query, scratch);
            ASSERT_TRUE(route);
            ASSERT_EQ(route->status, PathStatus::complete) << turn;
            EXPECT_NEAR(route->cost, std::sqrt(82.0) + std::sqrt(362.0) + 1.0, 1e-9) << turn;
        }
    } while (std::next_permutation(order.begin(), order.end()));
}

// The corridor's estimate knows how near the goal a wide link comes: a dearer narrow one beside it is not taken.
TEST(MeshWideLinks, TheCorridorTakesTheCheaperOne) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0},  {10, 0, 0}, {10, 10, 0}, {0, 10, 0},
                      {14, 0, 0}, {24, 0, 0}, {24, 10, 0}, {14, 10, 0}};
    plain.polygons = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    NavMesh mesh = plain.make();
    const MeshEdit put[] = {
        MeshEdit::add_link({.id = 5, .from = {10, 5, 0}, .to = {14, 5, 0}, .extent = 8.0, .cost = 4.0}),
        MeshEdit::add_link({.id = 6, .from = {10, 1, 0}, .to = {14, 1, 0}, .cost = 6.0}),
        MeshEdit::add_link({.id = 7, .from = {10, 9, 0}, .to = {14, 9, 0}, .cost = 6.0})};
    ASSERT_TRUE(mesh.apply(put));
    Scratch scratch;
    for (const double y : {1.0, 9.0}) {
        const MeshQuery query{.start = {2, y, 0}, .goal = Vec3{22, y, 0}, .planner = MeshPlanner::corridor};
        const Result<Route> route = find_route(mesh, query, scratch);
        ASSERT_TRUE(route);
        EXPECT_NEAR(route->cost, 20.0, 1e-9) << y;
    }
}

TEST(MeshWideLinks, UnitsWithARadiusHaveRoom) {
    Rng rng(1612);
    Scratch scratch;
    int crossed = 0;
    for (int round = 0; round < trials(60); ++round) {
        PlainMesh plain = random_mesh(rng, {.width = 4 + static_cast<std::int32_t>(rng.below(4)),
                                            .height = 4 + static_cast<std::int32_t>(rng.below(4)),
                                            .cell = kCell,
                                            .blocked_percent = 20 + rng.below(30),
                                            .split_percent = rng.below(60),
                                            .join_percent = 0});
        if (plain.polygons.size() < 2) continue;
        const OracleMesh shape = oracle_mesh(plain);
        std::vector<MeshLink> links;
        for (std::uint32_t id = 0; id < 4; ++id) {
            MeshLink link{.id = id};
            link.from = on_floor(random_middle(rng, shape));
            link.to = on_floor(random_middle(rng, shape));
            link.extent = rng.below(3) == 0 ? 0.0 : rng.between(1.0, 150.0);
            link.heading_rad = rng.between(-4.0, 4.0);
            link.cost = rng.below(2) == 0 ? 5.0 : kLinkCostStraight;
            link.radius_max = rng.below(3) == 0 ? 6.0 : 100.0;
            links.push_back(link);
        }
        plain.flatten();
        const NavMeshTile tile = plain.tile();
        const Result<NavMesh> mesh = NavMesh::make({.radius_max = 20.0, .tiles = {&tile, 1}, .links = links});
        ASSERT_TRUE(mesh);
        for (int i = 0; i < 20; ++i) {
            const MeshQuery query{.start = on_floor(random_mesh_point(rng, shape).at),
                                  .goal = on_floor(random_mesh_point(rng, shape).at),
                                  .agent = {.radius = rng.between(0.5, 15.0)},
                                  .reach = {.across = 20.0}};
            Result<Route> route = find_route(*mesh, query, scratch);
            ASSERT_TRUE(route);
            if (route->status != PathStatus::complete) continue;
            const Violation bad = verify(*route, *mesh, query.agent);
            ASSERT_FALSE(bad) << bad.text().c_str() << " round " << round << " query " << i;
            for (const Leg& leg : route->legs) {
                if (leg.kind != LegKind::link) continue;
                ++crossed;
                ASSERT_LE(query.agent.radius, links[leg.link_id].radius_max);
            }
        }
    }
    EXPECT_GT(crossed, trials(60));
}

}  // namespace
}  // namespace fairlead
