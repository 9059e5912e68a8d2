// Which islands can be come to over links: told by find_route as a breadth-first search over islands and links says, with kinds
// closed and without, one way and both, in worlds of hundreds of islands, and after edits.
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/mesh/find_route.h>

#include "support/environment.h"

namespace fairlead {
namespace {

using testing::trials;

constexpr double kPitch = 10.0;
constexpr double kSide = 4.0;

/// Square islands in a row.
NavMesh make_islands(std::uint32_t count, std::span<const MeshLink> links) {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> sizes, corners;
    for (std::uint32_t i = 0; i < count; ++i) {
        const double x = i * kPitch;
        for (std::uint32_t k = 0; k < 4; ++k) corners.push_back(4 * i + k);
        sizes.push_back(4);
        for (const Vec3& p :
             {Vec3{x, 0, 0}, Vec3{x + kSide, 0, 0}, Vec3{x + kSide, kSide, 0}, Vec3{x, kSide, 0}})
            vertices.push_back(p);
    }
    const NavMeshTile tile{.vertices = vertices, .polygon_sizes = sizes, .polygon_corners = corners};
    Result<NavMesh> mesh = NavMesh::make({.tiles = {&tile, 1}, .links = links, .landmarks = 0});
    EXPECT_TRUE(mesh);
    return std::move(*mesh);
}

Vec3 on_island(Rng& rng, std::uint32_t island) {
    return {island * kPitch + rng.between(0.5, kSide - 0.5), rng.between(0.5, kSide - 0.5), 0.0};
}

std::uint32_t island_of(const Vec3& at) { return static_cast<std::uint32_t>(at.x / kPitch); }

// By the links alone.
std::vector<bool> reachable(std::uint32_t count, std::span<const MeshLink> links, std::uint32_t from,
                            std::uint64_t closed) {
    std::vector<bool> met(count, false);
    std::vector<std::uint32_t> queue{from};
    met[from] = true;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        for (const MeshLink& link : links) {
            if ((closed >> link.kind & 1U) != 0) continue;
            const std::uint32_t a = island_of(link.from), b = island_of(link.to);
            std::uint32_t to = count;
            if (queue[i] == a) to = b;
            if (queue[i] == b && !link.one_way) to = a;
            if (to == count || met[to]) continue;
            met[to] = true;
            queue.push_back(to);
        }
    }
    return met;
}

TEST(MeshLinkReach, EqualsABreadthFirstSearch) {
    Rng rng(2301);
    Scratch scratch;
    int yes = 0, no = 0, closed_no = 0;
    for (int round = 0; round < trials(60); ++round) {
        const std::uint32_t count = 2 + rng.below(round % 4 == 0 ? 300 : 30);
        const std::uint32_t two_way = rng.below(60), kinds = 1 + rng.below(4);
        // Mostly ahead: many strong components, hardly any order between them.
        const bool ahead = rng.below(2) == 0;
        std::vector<MeshLink> links;
        const std::uint32_t wanted = count / 2 + rng.below(2 * count);
        for (std::uint32_t id = 0; id < wanted; ++id) {
            std::uint32_t a = rng.below(count), b = rng.below(count);
            if (a == b) continue;
            if (ahead && a > b && rng.below(50) != 0) std::swap(a, b);
            links.push_back({.id = id,
                             .from = on_island(rng, a),
                             .to = on_island(rng, b),
                             .one_way = rng.below(100) >= two_way,
                             .kind = static_cast<std::uint8_t>(rng.below(kinds))});
        }
        NavMesh mesh = make_islands(count, links);
        for (int edit = 0; edit < 3; ++edit) {
            for (int i = 0; i < 60; ++i) {
                const std::uint32_t from = rng.below(count), to = rng.below(count);
                MeshQuery query{.start = on_island(rng, from), .goal = on_island(rng, to)};
                if (rng.below(2) == 0)
                    query.filter.links.closed = KindSet::of_mask(rng.below(1U << (kinds + 1)));
                const bool wanted_yes = reachable(count, links, from, query.filter.links.closed.mask())[to];
                const Result<Route> route = find_route(mesh, query, scratch);
                ASSERT_TRUE(route);
                ASSERT_EQ(route->status, wanted_yes ? PathStatus::complete : PathStatus::unreachable)
                    << "round " << round << " from " << from << " to " << to;
                // Told without a search of the mesh.
                if (!wanted_yes) {
                    ASSERT_EQ(route->stats.expanded, 0U);
                }
                (wanted_yes ? yes : query.filter.links.closed.mask() != 0 ? closed_no : no) += 1;
            }
            // Many goals at once.
            std::vector<Vec3> goals;
            for (std::uint32_t i = 0; i < 20; ++i) goals.push_back(on_island(rng, rng.below(count)));
            const std::uint32_t from = rng.below(count);
            MeshQuery query{.start = on_island(rng, from), .goal = Goal::any_of(goals)};
            query.filter.links.closed = KindSet::of_mask(rng.below(1U << kinds));
            const std::vector<bool> met = reachable(count, links, from, query.filter.links.closed.mask());
            std::vector<Route> routes(goals.size());
            ASSERT_TRUE(find_routes_into(mesh, query, scratch, routes));
            for (std::size_t i = 0; i < goals.size(); ++i) {
                ASSERT_EQ(routes[i].status,
                          met[island_of(goals[i])] ? PathStatus::complete : PathStatus::unreachable);
            }
            // Links come, go and change.
            std::vector<MeshEdit> edits;
            for (std::size_t i = 0; i < links.size();) {
                const std::uint32_t what = rng.below(10);
                if (what == 0) {
                    edits.push_back(MeshEdit::remove_link(links[i].id));
                    links.erase(links.begin() + static_cast<std::ptrdiff_t>(i));
                    continue;
                }
                if (what == 1) {
                    links[i].one_way = !links[i].one_way;
                    edits.push_back(MeshEdit::change_link(links[i]));
                }
                ++i;
            }
            ASSERT_TRUE(mesh.apply(edits));
        }
    }
    EXPECT_GT(yes, trials(60) * 20);
    EXPECT_GT(no, trials(60) * 10);
    EXPECT_GT(closed_no, trials(60) * 10);
}

// The nearest place that can be come to, over a link, with and without a kind closed.
TEST(MeshLinkReach, PartialWaysEndOnIslandsThatCanBeComeTo) {
    const MeshLink links[] = {{.id = 0, .from = {3, 2, 0}, .to = {11, 2, 0}, .kind = 1},
                              {.id = 1, .from = {13, 2, 0}, .to = {21, 2, 0}, .kind = 2}};
    const NavMesh mesh = make_islands(5, links);
    Scratch scratch;
    MeshQuery query{.start = {1, 2, 0}, .goal = Vec3{43, 2, 0}, .partial = true};
    for (const std::uint32_t last : {2U, 1U, 0U}) {
        query.filter.links.closed = KindSet::of_mask(last == 2 ? 0 : last == 1 ? 1U << 2 : 1U << 1);
        const Result<Route> route = find_route(mesh, query, scratch);
        ASSERT_TRUE(route);
        ASSERT_EQ(route->status, PathStatus::partial);
        EXPECT_NEAR(route->end.position.x, last * kPitch + kSide, 1e-9);
    }
}

}  // namespace
}  // namespace fairlead
