// Routes over off-mesh links against a visibility graph that knows them: points and wide ones, one way and both, dear and
// cheap, closed kinds, added and taken out, in tiles and without, with landmarks that know them and that do not.
#include <cmath>

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
using testing::MeshRecipe;
using testing::on_floor;
using testing::oracle_mesh;
using testing::OracleMesh;
using testing::PlainMesh;
using testing::random_mesh;
using testing::random_mesh_point;
using testing::trials;

constexpr std::uint32_t kKinds = 4;

/// A world, its links, and where they are for the oracle.
struct LinkWorld {
    PlainMesh plain;
    OracleMesh shape;
    std::vector<MeshLink> links;
    std::vector<MeshOracle::Point> ends;  ///< from, to, from, to
};

MeshRecipe link_recipe(Rng& rng) {
    MeshRecipe recipe;
    recipe.width = 3 + static_cast<std::int32_t>(rng.below(7));
    recipe.height = 3 + static_cast<std::int32_t>(rng.below(7));
    recipe.blocked_percent = 5 + rng.below(50);
    recipe.split_percent = rng.below(101);
    recipe.join_percent = 0;
    return recipe;
}

MeshLink random_link(Rng& rng, std::uint32_t id, LinkWorld& world, const MeshOracle& oracle) {
    MeshOracle::Point at[2];
    for (MeshOracle::Point& end : at) {
        do {
            end = random_mesh_point(rng, world.shape);
        } while (ambiguous(world.shape, oracle, end));
        world.ends.push_back(end);
    }
    MeshLink link{.id = id, .from = on_floor(at[0].at), .to = on_floor(at[1].at)};
    link.one_way = rng.below(2) == 0;
    link.kind = static_cast<std::uint8_t>(rng.below(kKinds));
    switch (rng.below(4)) {
        case 0: break;
        case 1: link.cost = rng.below(4); break;
        case 2: link.cost = distance(at[0].at, at[1].at) * rng.between(0.2, 3.0); break;
        default: link.cost = 0.0; break;
    }
    return link;
}

// What the oracle is told under a filter.
std::vector<MeshOracle::Jump> open_jumps(const LinkWorld& world, const MeshFilter& filter) {
    std::vector<MeshOracle::Jump> jumps;
    for (std::size_t i = 0; i < world.links.size(); ++i) {
        const MeshLink& link = world.links[i];
        if ((filter.closed_links >> link.kind & 1U) != 0) continue;
        const MeshOracle::Point a = world.ends[2 * i], b = world.ends[2 * i + 1];
        double cost = link.cost == kLinkCostStraight ? distance(a.at, b.at) : link.cost;
        if (!filter.link_costs.empty()) {
            if (filter.link_costs[link.kind] == 0.0) continue;
            cost *= filter.link_costs[link.kind];
        }
        jumps.push_back({a, b, cost});
        if (!link.one_way) jumps.push_back({b, a, cost});
    }
    return jumps;
}

TEST(MeshLinks, EqualTheVisibilityGraph) {
    Rng rng(1601);
    Scratch scratch;
    int with_links = 0, apart = 0;
    for (int round = 0; round < trials(500); ++round) {
        const MeshRecipe recipe = link_recipe(rng);
        LinkWorld world;
        world.plain = random_mesh(rng, recipe);
        if (world.plain.polygons.empty()) continue;
        world.shape = oracle_mesh(world.plain);
        MeshOracle oracle(world.shape);
        const std::uint32_t landmarks = rng.below(2) == 0 ? 0 : rng.below(kLandmarksMax + 1);
        NavMesh mesh = rng.below(2) == 0
                           ? world.plain.make(landmarks)
                           : world.plain.make_tiled(recipe.cell * (1.0 + rng.below(4)), landmarks);
        const std::uint32_t count = 1 + rng.below(rng.below(4) == 0 ? 16 : 5);
        for (std::uint32_t id = 0; id < count; ++id) {
            world.links.push_back(random_link(rng, 100 + id * 3, world, oracle));
            const MeshEdit put[] = {MeshEdit::add_link(world.links.back())};
            ASSERT_TRUE(mesh.apply(put));
            if (rng.below(4) == 0) {
                ASSERT_TRUE(mesh.measure_landmarks(landmarks));
            }
        }
        // Some go again.
        while (world.links.size() > 1 && rng.below(3) == 0) {
            const std::size_t gone = rng.below(static_cast<std::uint32_t>(world.links.size()));
            const MeshEdit take[] = {MeshEdit::remove_link(world.links[gone].id)};
            ASSERT_TRUE(mesh.apply(take));
            world.links.erase(world.links.begin() + static_cast<std::ptrdiff_t>(gone));
            world.ends.erase(world.ends.begin() + static_cast<std::ptrdiff_t>(2 * gone),
                             world.ends.begin() + static_cast<std::ptrdiff_t>(2 * gone + 2));
        }
        for (int group = 0; group < 4; ++group) {
            std::vector<double> factors;
            MeshFilter filter;
            if (rng.below(2) == 0) filter.closed_links = rng.below(1U << kKinds);
            if (rng.below(3) == 0) {
                factors.assign(kLinkKindsMax, 1.0);
                for (std::uint32_t i = 0; i < kKinds; ++i) factors[i] = 0.5 * rng.below(5);
                filter.link_costs = factors;
            }
            oracle.set_links(open_jumps(world, filter));
            for (int i = 0; i < 12; ++i) {
                const MeshOracle::Point from = random_mesh_point(rng, world.shape),
                                        to = random_mesh_point(rng, world.shape);
                if (ambiguous(world.shape, oracle, from) || ambiguous(world.shape, oracle, to)) continue;
                const double wanted = oracle.shortest(from, to);
                const MeshQuery query{
                    .start = on_floor(from.at), .goal = on_floor(to.at), .filter = filter};
                const Result<Route> route = find_route(mesh, query, scratch);
                ASSERT_TRUE(route);
                if (std::isinf(wanted)) {
                    ASSERT_EQ(route->status, PathStatus::unreachable) << "round " << round << " query " << i;
                    ++apart;
                    continue;
                }
                ASSERT_EQ(route->status, PathStatus::complete) << "round " << round << " query " << i;
                ASSERT_NEAR(route->cost, wanted, 1e-9 * (1.0 + wanted)) << "round " << round << " query " << i;
                EXPECT_EQ(route->bound, 1.0);
                const Violation bad = verify(*route, mesh, query.agent, {.filter = filter});
                ASSERT_FALSE(bad) << bad.text().c_str() << " round " << round << " query " << i;
                ASSERT_TRUE(revalidate(mesh, *route, filter).legal) << "round " << round << " query " << i;
                for (const Leg& leg : route->legs) with_links += leg.kind == LegKind::link ? 1 : 0;
            }
        }
    }
    EXPECT_GT(with_links, trials(500) * 5);
    EXPECT_GT(apart, trials(500));
}

}  // namespace
}  // namespace fairlead
