// From triangles to a level mesh in one call.
//
//     Result<NavMesh> level = bake::navmesh({.vertices = v, .triangles = t}, {.agent_radius = 0.4, .tile_cells = 64});
//     Result<Route> way = find_route(*level, {.start = {2, 3, 0}, .goal = Vec3{40, 8, 0}}, scratch);
//
// Bake once with the smallest radius that walks there (0 will do) and the largest as radius_max: then every unit between
// them asks the one mesh with its own radius.
//
// A level that has changed a little is baked again a little: keys tell which tiles are as they were.
//
//     bake::tile_keys(soup, options, keys);                        // compare with those of the last bake
//     options.only = {changed, &last};                             // bake those tiles alone
//     bake::navmesh_of(baked, options, {.keys = keys.span(), .kept = the others});   // the mesh of a whole bake
//
// Areas of the bake are areas of the mesh; they must be below kAreasMax. With tiles, each can be baked anew (bake_tile) and put
// in place with NavMesh::set_tile (tile_of gives it in that form).
#pragma once

#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh_bake/bake.h>

namespace fairlead::bake {

/// What a mesh needs to know beyond what was baked.
struct NavMeshExtras {
    double radius_max = 0.0;  ///< NavMeshOptions::radius_max
    std::uint32_t landmarks = kLandmarksMax;
    std::span<const TileKey>
        keys{};  ///< by y, then x (tile_keys): of the tiles at these places, kept with them
    std::span<const NavMeshTile>
        kept{};  ///< by y, then x: tiles of an earlier bake, where BakeOptions::only left a gap
    std::uint64_t gate_work_max = UINT64_MAX;  ///< NavMeshOptions
    Progress progress{};                       ///< NavMeshOptions
};

/// A tile in the form that NavMesh takes, with its heights. Borrows the mesh's vertices, corners and heights; owns the rest.
struct TileForm {
    explicit TileForm(const Allocator& allocator = {})
        : sizes(allocator), areas(allocator), layers(allocator) {}

    Array<std::uint32_t> sizes;
    Array<std::uint8_t> areas;
    Array<std::uint32_t> layers;
    NavMeshTile
        tile{};  ///< its spans point into the arrays above: it moves with them, but is not to be copied
};

/// tiles[i] of a baked mesh, which must outlive it. Errors: out_of_range (a polygon's area is not below kAreasMax; index: the
/// polygon, detail: the area), out_of_memory. `key`: NavMeshTile::key.
[[nodiscard]] Result<TileForm> tile_of(const BakedMesh& mesh, std::size_t i, const Allocator& allocator = {},
                                       std::uint64_t key = 0);

/// A mesh of what was baked with these options. Errors: as tile_of, and NavMesh::make.
[[nodiscard]] Result<NavMesh> navmesh_of(const BakedMesh& mesh, const BakeOptions& options,
                                         const NavMeshExtras& extras = {});

/// Bakes and makes. Errors: as bake_mesh and navmesh_of.
[[nodiscard]] Result<NavMesh> navmesh(const TriangleSoup& soup, const BakeOptions& options = {},
                                      const NavMeshExtras& extras = {});

}  // namespace fairlead::bake
