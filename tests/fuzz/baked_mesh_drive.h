// What must hold for the loaders of baked meshes and tiles whatever the bytes: they return; their errors are those of a baked
// file; what they accept can be asked. The checksums are then computed anew, so that damage reaches the checks behind them.
// Shared by the fuzz target, the campaign and the test with damaged files. A broken promise ends the program through
// FAIRLEAD_ASSERT.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <fairlead/base/assert.h>
#include <fairlead/base/baked.h>
#include <fairlead/base/rng.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/save_mesh.h>
#include <fairlead/mesh/surface.h>

namespace fairlead::testing {

struct MeshDriveWork {
    Scratch scratch;
    Route route;
    Array<MeshDistance> within;
};

/// A place near the mesh, or far from it, or none.
inline Vec3 fuzzed_place(Rng& rng, const Aabb& box) {
    const double x = rng.between(box.low.x - 1.0, box.high.x + 1.0);
    const double y = rng.between(box.low.y - 1.0, box.high.y + 1.0);
    const double z = rng.between(-2.0, 4.0);
    return rng.below(40) == 0 ? Vec3{x * 1e6, y, z} : Vec3{x, y, z};
}

/// Asks `count` queries of a mesh that a loader has accepted: routes, and what else there is to ask.
inline void drive_accepted_mesh(const NavMesh& mesh, MeshDriveWork& work, int count = 100) {
    const NavMeshState& state = mesh.state();
    const Aabb box = state.bounds();
    const double radius_max = frame_of(state).radius_max;
    const auto known = [](ErrorCode code) {
        return code == ErrorCode::out_of_memory || code == ErrorCode::out_of_range ||
               code == ErrorCode::not_finite;
    };
    Rng rng(3);
    for (int i = 0; i < count; ++i) {
        MeshQuery query{.start = fuzzed_place(rng, box), .expansions_max = 300};
        query.goal = fuzzed_place(rng, box);
        if (i % 3 == 0) query.agent.radius = rng.between(0.0, radius_max);
        query.partial = i % 2 == 0;
        query.planner = static_cast<MeshPlanner>(i % static_cast<int>(MeshPlanner::count_));
        if (i % 4 == 1 && state.links() > 0) query.filter.links.closed = KindSet::of_mask(rng.below(16));
        query.reach = {.across = 3.0, .above = 1e6, .below = 1e6};
        const Result<void> done = find_route_into(mesh, query, work.scratch, work.route);
        FAIRLEAD_ASSERT(done.has_value() || known(done.error().code));
        FAIRLEAD_ASSERT(!done || work.route.status < PathStatus::count_);
        if (done && i % 8 == 0) (void)follow_surface(state, 0.1, work.route);
        const MeshPoint at = state.nearest(query.start.position, query.reach);
        FAIRLEAD_ASSERT(!at.polygon.valid() || state.valid(at.polygon));
        if (!at.polygon.valid()) continue;
        const MeshHit hit = cast_ray(state, at, query.goal.at.ground());
        FAIRLEAD_ASSERT(state.valid(hit.end.polygon));
        const Result<MeshPoint> moved =
            move_along(state, at, ground(at.position) + Vec2{1.0, 0.5}, work.scratch);
        FAIRLEAD_ASSERT(moved.has_value() || known(moved.error().code));
        if (i % 8 != 0) continue;
        (void)find_wall(state, at, 2.0, work.scratch);
        (void)find_within_into(state, at, 4.0, work.scratch, work.within);
        (void)random_point(state, rng);
    }
}

enum class MeshFate : std::uint8_t { refused, refused_resealed, accepted_resealed, accepted };

/// True: accepted.
inline bool load_and_drive(std::span<const std::uint8_t> bytes, MeshDriveWork& work, int queries) {
    const auto check = [](const Error& error) {
        const bool too_much = error.code == ErrorCode::size_limit && error.detail == 1 << 22;
        FAIRLEAD_ASSERT(too_much ||
                        (error.code >= ErrorCode::baked_length && error.code <= ErrorCode::baked_value));
    };
    const MeshLoadOptions options{.gate_work_max = 1 << 22};
    const Result<NavMesh> mesh = load_mesh(bytes, options);
    if (mesh) {
        drive_accepted_mesh(*mesh, work, queries);
        return true;
    }
    check(mesh.error());
    if (mesh.error().code != ErrorCode::baked_kind) return false;
    const Result<MeshTileFile> tile = MeshTileFile::load(bytes);
    if (!tile) {
        check(tile.error());
        return false;
    }
    // A tile is asked as a mesh of that one tile.
    const MeshFrame& f = tile->frame();
    const Result<NavMesh> alone = NavMesh::make({.origin = f.origin,
                                                 .tile_size = f.tile_size,
                                                 .step_height = f.step_height,
                                                 .agent_radius = f.agent_radius,
                                                 .agent_height = f.agent_height,
                                                 .radius_max = f.radius_max,
                                                 .tiles = {&tile->tile(), 1}});
    if (alone) drive_accepted_mesh(*alone, work, queries);
    return true;
}

inline MeshFate baked_mesh(std::span<const std::uint8_t> bytes, MeshDriveWork& work, int queries = 100) {
    if (load_and_drive(bytes, work, queries)) return MeshFate::accepted;
    std::vector<std::uint8_t> sealed(bytes.begin(), bytes.end());
    if (!baked_reseal(sealed)) return MeshFate::refused;
    return load_and_drive(sealed, work, queries) ? MeshFate::accepted_resealed : MeshFate::refused_resealed;
}

/// Half of all damage lies in a section drawn evenly: the largest would take nearly all. Bytes become others, two change places,
/// four or eight become a number that is none or is huge, the end is cut or grows.
inline void damage_baked(Rng& rng, const BakedFile& good, std::vector<std::uint8_t>& bytes) {
    const auto below = [&rng](std::size_t size) {
        return std::size_t{rng.below(static_cast<std::uint32_t>(size))};
    };
    BakedSection section = good.section_at(rng.below(good.sections()));
    while (section.size < 8) section = good.section_at(rng.below(good.sections()));
    const auto in_section = [&](std::size_t room) {
        return static_cast<std::size_t>(section.offset) +
               below(static_cast<std::size_t>(section.size) - room + 1);
    };
    switch (rng.below(9)) {
        case 0: bytes[below(bytes.size())] ^= static_cast<std::uint8_t>(1 + rng.below(255)); break;
        case 1: bytes[in_section(1)] ^= static_cast<std::uint8_t>(1U << rng.below(8)); break;
        case 2:
            bytes[in_section(1)] = static_cast<std::uint8_t>(rng.below(3) == 0 ? 255 : rng.below(256));
            break;
        case 3: std::swap(bytes[in_section(1)], bytes[in_section(1)]); break;
        case 4: {
            const std::size_t at = in_section(8) & ~std::size_t{7};
            for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = i < 6 ? 0 : i == 6 ? 0xf0 : 0x7f;
            break;
        }
        case 5: {  // a record's number becomes another record's
            const std::size_t from = in_section(4) & ~std::size_t{3}, to = in_section(4) & ~std::size_t{3};
            for (std::size_t i = 0; i < 4; ++i) bytes[to + i] = bytes[from + i];
            break;
        }
        case 6: {
            const std::size_t at = in_section(4) & ~std::size_t{3};
            const std::uint32_t value = rng.below(4) == 0 ? 0xffffffffU - rng.below(3) : rng.below(64);
            for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
            break;
        }
        case 7: bytes[below(64)] = static_cast<std::uint8_t>(rng.below(256)); break;
        default: bytes.resize(rng.below(2) == 0 ? below(bytes.size()) : bytes.size() + 8);
    }
}

}  // namespace fairlead::testing
