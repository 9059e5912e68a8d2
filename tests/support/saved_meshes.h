// Small meshes of every kind that a file can hold, for tests of saving and loading.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <fairlead/mesh/save_mesh.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "support/levels.h"
#include "support/plain_mesh.h"

namespace fairlead::testing {

inline std::vector<std::uint8_t> saved_bytes(const NavMeshState& mesh) {
    Array<std::uint8_t> out;
    EXPECT_TRUE(save_mesh(mesh, out).has_value());
    return {out.begin(), out.end()};
}

/// Hills, boxes, a ramp to a second floor over the first one, a marked area.
inline Level small_level() {
    Rng rng(77);
    Level level = random_hills(rng, 16, 0.6);
    level.box({3, 3, -2}, {5, 5, 3});
    level.box({9, 2, -2}, {10, 9, 4});
    level.quad({11, 11, 0}, {15, 11, 2.4}, {15, 13, 2.4}, {11, 13, 0}, 2);
    level.floor(15, 9, 19, 15, 2.4, 3);
    return level;
}

inline bake::BakeOptions small_bake(std::uint32_t tile_cells) {
    return {.cell_size = 0.25,
            .cell_height = 0.1,
            .agent_radius = 0.3,
            .climb = 0.5,
            .tile_cells = tile_cells,
            .give_origin = true,
            .origin = {-1.0, -1.0, -4.0}};
}

/// Heights and areas; in tiles with gates, or whole without.
inline NavMesh small_baked(std::uint32_t tile_cells, std::uint32_t landmarks = 4) {
    const Level level = small_level();
    Result<NavMesh> mesh = bake::navmesh(level.soup(), small_bake(tile_cells),
                                         {.radius_max = tile_cells != 0 ? 0.8 : 0.0, .landmarks = landmarks});
    EXPECT_TRUE(mesh.has_value());
    return std::move(*mesh);
}

/// Cells of a random map: sheared or not, with or without tiles, areas, landmarks and gates.
inline NavMesh random_saved_mesh(Rng& rng) {
    const bool tiled = rng.below(2) == 0;
    PlainMesh plain = random_mesh(rng, {.width = 8,
                                        .height = 8,
                                        .join_percent = tiled ? 0U : 60U,
                                        .slanted = !tiled && rng.below(2) == 0,
                                        .areas = 1 + rng.below(3)});
    for (Vec3& v : plain.vertices) v.z = rng.between(0.0, 0.4);
    const std::uint32_t landmarks = rng.below(3) == 0 ? 0 : rng.below(kLandmarksMax + 1);
    const double radius_max = rng.below(2) == 0 ? 0.0 : 1.5;
    return tiled ? plain.make_tiled(16.0, landmarks, {}, radius_max) : plain.make(landmarks, {}, radius_max);
}

/// `count` links of all kinds between places near the surface, with ids from `first_id` on, not in order.
inline std::vector<MeshLink> random_links(Rng& rng, const NavMeshState& mesh, std::uint32_t first_id,
                                          int count) {
    const Aabb box = mesh.bounds();
    std::vector<MeshLink> links;
    for (int i = 0; i < count; ++i) {
        MeshLink link{.id = first_id + static_cast<std::uint32_t>((i * 7 + 3) % count)};
        for (Vec3* end : {&link.from, &link.to}) {
            const double x = rng.between(box.low.x, box.high.x), y = rng.between(box.low.y, box.high.y);
            *end = {x, y, rng.between(-1.0, 3.0)};
        }
        if (rng.below(2) == 0) link.extent = rng.between(0.5, 3.0);
        if (rng.below(3) == 0) link.cost = rng.between(0.0, 20.0);
        if (rng.below(3) == 0) link.heading_rad = rng.between(-4.0, 4.0);
        if (rng.below(4) == 0) link.radius_max = rng.between(0.0, 1.0);
        link.one_way = rng.below(2) == 0;
        link.kind = static_cast<std::uint8_t>(rng.below(4));
        link.tag = rng.below(1000);
        link.reach = rng.between(0.0, 4.0);
        links.push_back(link);
    }
    return links;
}

/// Some links that the landmarks know, and some that came later.
inline void put_random_links(Rng& rng, NavMesh& mesh, std::uint32_t landmarks) {
    for (const std::uint32_t first : {100U, 0U, 200U}) {
        for (const MeshLink& link : random_links(rng, mesh, first, 1 + static_cast<int>(rng.below(4)))) {
            const MeshEdit put = MeshEdit::add_link(link);
            EXPECT_TRUE(mesh.apply({&put, 1}).has_value());
        }
        if (first == 0) {
            EXPECT_TRUE(mesh.measure_landmarks(landmarks).has_value());
        }
    }
}

/// A small level with links of every kind.
inline NavMesh small_linked(std::uint32_t tile_cells, std::uint32_t landmarks = 4) {
    NavMesh mesh = small_baked(tile_cells, landmarks);
    Rng rng(15);
    put_random_links(rng, mesh, landmarks);
    return mesh;
}

}  // namespace fairlead::testing
