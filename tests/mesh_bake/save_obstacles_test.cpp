// Obstacles in baked meshes: what comes back, what edits make of it, and what a forged file is told.

#include <fairlead/mesh/save_mesh.h>

#include <cmath>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include <fairlead/mesh_bake/navmesh.h>

#include "support/environment.h"
#include "support/forged_mesh.h"
#include "support/saved_meshes.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

Bytes game_bytes(const NavMesh& mesh) {
    Array<std::uint8_t> out;
    EXPECT_TRUE(save_mesh(mesh, out).has_value());
    return {out.begin(), out.end()};
}

/// Every number of some routes but the revision: a mesh that was loaded has had other edits.
std::uint64_t ways(const NavMeshState& mesh, int count) {
    Rng rng(5);
    Digest digest;
    Scratch scratch;
    for (int i = 0; i < count; ++i) {
        MeshQuery query{.start = place_in(rng, mesh.bounds()), .reach = {.above = 9.0, .below = 9.0}};
        query.goal = place_in(rng, mesh.bounds());
        if (i % 3 == 0) query.agent.radius = rng.between(0.0, frame_of(mesh).radius_max);
        query.partial = i % 2 == 0;
        Result<Route> route = find_route(mesh, query, scratch);
        EXPECT_TRUE(route.has_value());
        if (!route) continue;
        route->revision = 0;
        add_route(digest, *route);
    }
    return digest.value();
}

MeshObstacle some_obstacle(Rng& rng) {
    const Vec2 at{rng.between(1.0, 14.0), rng.between(1.0, 14.0)};
    if (rng.below(2) == 0) return MeshObstacle::pillar(at, rng.between(0.2, 1.0), -5.0, 9.0);
    return MeshObstacle::box(at, {rng.between(0.2, 1.5), 0.5}, rng.between(-3.0, 3.0), -5.0,
                             rng.between(-4.0, 9.0));
}

std::map<std::int64_t, MeshObstacle> listed(const NavMesh& mesh) {
    std::map<std::int64_t, MeshObstacle> out;
    mesh.each_obstacle(
        [](std::int64_t id, const MeshObstacle& obstacle, void* user) {
            auto& all = *static_cast<std::map<std::int64_t, MeshObstacle>*>(user);
            EXPECT_TRUE(all.empty() || all.rbegin()->first < id);
            all[id] = obstacle;
        },
        &out);
    return out;
}

bool same_outline(const MeshObstacle& a, const MeshObstacle& b) {
    bool same = a.count == b.count && a.low == b.low && a.high == b.high;
    for (std::uint32_t i = 0; i < a.count; ++i) same = same && a.points[i] == b.points[i];
    return same;
}

/// Adds, moves and removes, as a game does.
void edit_at_random(Rng& rng, std::map<std::int64_t, MeshObstacle>& wanted, NavMesh& first, NavMesh* second) {
    const std::int64_t id = rng.between(-6, 6) * std::int64_t{1234567890123};
    MeshEdit edit = MeshEdit::add(id, some_obstacle(rng));
    if (wanted.count(id) != 0) edit.kind = rng.below(2) == 0 ? MeshEdit::Kind::move : MeshEdit::Kind::remove;
    wanted[id] = edit.obstacle;
    if (edit.kind == MeshEdit::Kind::remove) wanted.erase(id);
    ASSERT_TRUE(first.apply({&edit, 1}).has_value());
    if (second != nullptr) {
        ASSERT_TRUE(second->apply({&edit, 1}).has_value());
    }
}

TEST(SaveObstacles, AGameComesBackAndEditsGoOn) {
    for (const std::uint32_t tile_cells : {0U, 24U}) {
        Rng rng(31 + tile_cells);
        NavMesh mesh = small_baked(tile_cells);
        std::map<std::int64_t, MeshObstacle> wanted;
        for (int round = 0; round < trials(30); ++round) {
            for (int i = 0; i < 4; ++i) edit_at_random(rng, wanted, mesh, nullptr);
            const Bytes bytes = game_bytes(mesh);
            Result<NavMesh> again = load_mesh(bytes);
            ASSERT_TRUE(again.has_value());
            EXPECT_EQ(again->obstacles(), wanted.size());
            for (const auto& [id, obstacle] : listed(*again))
                EXPECT_TRUE(same_outline(obstacle, wanted.at(id)));
            EXPECT_EQ(game_bytes(*again), bytes);
            EXPECT_EQ(ways(again->state(), 20), ways(mesh.state(), 20));
            // What the game still holds is valid: the same edits make the same mesh.
            for (int i = 0; i < 3; ++i) edit_at_random(rng, wanted, mesh, &*again);
            EXPECT_EQ(ways(again->state(), 20), ways(mesh.state(), 20));
            EXPECT_EQ(game_bytes(*again), game_bytes(mesh));
        }
        for (const auto& [id, obstacle] : listed(mesh)) {
            const MeshEdit gone = MeshEdit::remove(id);
            ASSERT_TRUE(mesh.apply({&gone, 1}).has_value());
        }
        EXPECT_EQ(game_bytes(mesh), saved_bytes(mesh));  // without obstacles there is one form
    }
}

TEST(SaveObstacles, AStateIsSavedWithoutThem) {
    NavMesh mesh = small_baked(0);
    const Bytes bare = saved_bytes(mesh);
    const MeshEdit edit = MeshEdit::add(5, MeshObstacle::pillar({8, 8}, 1.0, -9.0, 9.0));
    ASSERT_TRUE(mesh.apply({&edit, 1}).has_value());
    EXPECT_EQ(saved_bytes(mesh), bare);
    EXPECT_NE(game_bytes(mesh), bare);
    EXPECT_EQ(load_mesh(bare).value().obstacles(), 0U);
}

// A link that an obstacle puts to sleep sleeps after a load.
TEST(SaveObstacles, LinksSleepUnderThem) {
    NavMesh mesh = small_baked(24);
    const MeshLink link{.id = 3, .from = {2, 2, 0}, .to = {13, 8, 0}, .reach = 2.0};
    const MeshEdit edits[] = {MeshEdit::add_link(link),
                              MeshEdit::add(1, MeshObstacle::pillar({2, 2}, 2.5, -9.0, 9.0))};
    ASSERT_TRUE(mesh.apply(edits).has_value());
    Result<NavMesh> again = load_mesh(game_bytes(mesh));
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(game_bytes(*again), game_bytes(mesh));
    EXPECT_EQ(ways(again->state(), 40), ways(mesh.state(), 40));
}

struct Saved {
    Forged good;
    Saved() {
        NavMesh mesh = small_baked(24);
        const MeshEdit edits[] = {MeshEdit::add(7, MeshObstacle::box({5, 8}, {1, 0.5}, 0.3, -5, 5)),
                                  MeshEdit::add(-2, MeshObstacle::pillar({9, 12}, 0.5, -5, 5))};
        EXPECT_TRUE(mesh.apply(edits).has_value());
        good.bytes = game_bytes(mesh);
    }
};

TEST(SaveObstacles, EveryNumberIsChecked) {
    const Forged good = Saved().good;
    ASSERT_TRUE(load_mesh(good.bytes).has_value());
    const double nan = std::nan(""), far = 1e300;
    expect_bad(good, "OBST", 0, std::int64_t{7}, "OBST", 1);    // an id twice: the first is -2
    expect_bad(good, "OBST", 32, std::int64_t{-3}, "OBST", 1);  // not in order
    expect_bad(good, "OBST", 24, std::uint32_t{2}, "OBST", 0);
    expect_bad(good, "OBST", 24, std::uint32_t{17}, "OBST", 0);
    expect_bad(good, "OBST", 28, std::uint32_t{1}, "OBST", 0);
    expect_bad(good, "OBST", 24, std::uint32_t{16}, "OPNT", 12);  // more points than there are
    expect_bad(good, "OBST", 56, std::uint32_t{3}, "OPNT", 11);   // fewer
    expect_bad(good, "OBST", 8, nan, "OPNT", 7);
    expect_bad(good, "OBST", 8, 6.0, "OPNT", 7);  // low above high
    expect_bad(good, "OPNT", 0, nan, "OPNT", 7);
    expect_bad(good, "OPNT", 16 * 8, far, "OPNT", 11);
    expect_bad(good, "OPNT", 16 * 2, -50.0, "OPNT", 7);  // not convex
}

TEST(SaveObstacles, VersionsHaveWhatTheyMay) {
    const Forged good = Saved().good;
    Forged old = good;
    for (const std::uint8_t minor : {0, 1}) {
        old.bytes[18] = minor;
        old.seal();
        EXPECT_FALSE(load_mesh(old.bytes).has_value());
    }
    old.bytes[18] = 3;
    old.seal();
    EXPECT_EQ(error_of(old.bytes).code, ErrorCode::baked_version);
}

// Bytes changed at random, sealed anew: an error, or a mesh that can be saved and loaded.
TEST(SaveObstacles, DamagedSectionsGiveAnErrorOrAMesh) {
    const Forged good = Saved().good;
    Rng rng(9);
    int loaded = 0;
    for (int i = 0; i < trials(300); ++i) {
        Forged other = good;
        std::int64_t index = 0;
        const BakedSection section =
            rng.below(2) == 0 ? good.section("OBST", index) : good.section("OPNT", index);
        for (std::uint32_t k = 0; k <= rng.below(3); ++k) {
            const std::uint64_t bytes = section.count * section.stride;
            const auto at =
                static_cast<std::size_t>(section.offset) + rng.below(static_cast<std::uint32_t>(bytes));
            other.bytes[at] = static_cast<std::uint8_t>(rng.below(256));
        }
        other.seal();
        const Result<NavMesh> mesh = load_mesh(other.bytes);
        if (!mesh) continue;
        ++loaded;
        EXPECT_EQ(game_bytes(*mesh), other.bytes);
    }
    EXPECT_GT(loaded, 0);
}

TEST(SaveObstacles, WithoutMemoryNothingIsLoaded) {
    const Forged good = Saved().good;
    for (int allowed = 0;; ++allowed) {
        TestAllocator memory;
        memory.fail_after(allowed, false);
        const Result<NavMesh> mesh = load_mesh(good.bytes, {.allocator = memory.allocator()});
        if (mesh) break;
        ASSERT_EQ(mesh.error().code, ErrorCode::out_of_memory);
    }
}

}  // namespace
}  // namespace fairlead::testing
