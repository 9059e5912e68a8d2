// The textbook's funnel of the figures: never shorter than the shortest way, never longer than through the middles of portals.

#include "gallery/yard.h"

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/mesh/find_route.h>

namespace fairlead::gallery {
namespace {

TEST(Yard, TheFunnelPullsItsCorridorTaut) {
    const NavMesh mesh = outline_mesh(yard_rings());
    Rng rng(88);
    Scratch scratch;
    int shortest = 0;
    for (int round = 0; round < 300; ++round) {
        Vec2 ends[2];
        for (Vec2& end : ends) {
            do {
                const double x = rng.between(0.0, 26.0);
                end = {x, rng.between(0.0, 15.0)};
            } while (!mesh.state().nearest({end.x, end.y, 0}, {0, 1, 1}).polygon.valid());
        }
        const YardCorridor corridor = find_corridor(mesh.state(), ends[0], ends[1]);
        ASSERT_EQ(corridor.polygons.size(), corridor.portals.size() + 1);
        std::vector<Vec2> taut = funnel_steps(corridor.portals, ends[0], ends[1]).back().line;
        if (taut.back() != ends[1]) taut.push_back(ends[1]);
        std::vector<Vec2> middles{ends[0]};
        for (const YardPortal& portal : corridor.portals) middles.push_back(portal.middle());
        middles.push_back(ends[1]);
        const Result<Route> best = find_route(
            mesh, MeshQuery{.start = {ends[0].x, ends[0].y, 0}, .goal = Vec3{ends[1].x, ends[1].y, 0}},
            scratch);
        ASSERT_TRUE(best.has_value());
        EXPECT_LE(best->length, length_of(taut) + 1e-9) << round;
        EXPECT_LE(length_of(taut), length_of(middles) + 1e-9) << round;
        shortest += length_of(taut) < best->length + 1e-9 ? 1 : 0;
    }
    EXPECT_GT(shortest, 200);
    EXPECT_LT(shortest, 300);
}

}  // namespace
}  // namespace fairlead::gallery
