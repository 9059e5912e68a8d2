// What must hold for a MeshTable's loader whatever the bytes: it returns; its error is one of a baked file, or of another
// surface; with what it accepts queries end. The checksums are then computed anew, so that damage reaches the checks behind
// them. A broken promise ends the program through FAIRLEAD_ASSERT.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <fairlead/base/assert.h>
#include <fairlead/base/baked.h>
#include <fairlead/base/rng.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/mesh_table.h>

#include "support/looked_up.h"

namespace fairlead::testing {

/// 5 x 5 cells of side 2 with holes, one polygon each. Its table has less than 4096 bytes.
inline NavMesh fuzzed_level() {
    constexpr const char* kCells[] = {".....", ".#.#.", ".#...", "...#.", "....."};
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> sizes, corners;
    for (std::uint32_t i = 0; i < 36; ++i) vertices.push_back({i % 6 * 2.0, i / 6 * 2.0, 0.0});
    for (std::uint32_t i = 0; i < 25; ++i) {
        if (kCells[i / 5][i % 5] == '#') continue;
        const std::uint32_t a = i / 5 * 6 + i % 5;
        sizes.push_back(4);
        corners.insert(corners.end(), {a, a + 1, a + 7, a + 6});
    }
    const NavMeshTile tile{.vertices = vertices, .polygon_sizes = sizes, .polygon_corners = corners};
    Result<NavMesh> made = NavMesh::make({.tiles = {&tile, 1}});
    FAIRLEAD_ASSERT(made.has_value());
    return std::move(*made);
}

/// Asks 100 queries of a table that the loader has accepted.
inline void ask_accepted_table(const NavMesh& level, const MeshTable& table, Scratch& scratch) {
    Rng rng(3);
    Route route;
    for (int i = 0; i < 100; ++i) {
        MeshQuery query;
        query.start = {rng.between(0.0, 10.0), rng.between(0.0, 10.0), 0.0};
        query.goal = Vec3{rng.between(0, 5) * 2.0, rng.between(0.0, 10.0), 0.0};
        FAIRLEAD_ASSERT(find_route_into(level, looked_up_in(table, query), scratch, route).has_value());
        FAIRLEAD_ASSERT(route.status < PathStatus::count_);
    }
}

/// True: it was accepted, as it is or with good checksums.
inline bool drive_mesh_table(std::span<const std::uint8_t> bytes, const NavMesh& level, Scratch& scratch) {
    const auto load = [&](std::span<const std::uint8_t> from) {
        const Result<MeshTable> table = MeshTable::load(from, level.acquire());
        if (table) {
            ask_accepted_table(level, *table, scratch);
        } else {
            const ErrorCode code = table.error().code;
            FAIRLEAD_ASSERT(code == ErrorCode::incompatible ||
                            (code >= ErrorCode::baked_length && code <= ErrorCode::baked_value));
        }
        return table.has_value();
    };
    if (load(bytes)) return true;
    std::vector<std::uint8_t> sealed(bytes.begin(), bytes.end());
    return baked_reseal(sealed).has_value() && load(sealed);
}

}  // namespace fairlead::testing
