// Assets by path: worlds and tables from files and into files, without bytes in between.
//
//     Result<NavMesh> level = formats::load_mesh_asset("level3.fl");
//     if (!level) return fail(formats::error_line("level3.fl", level.error()));
//     if (Result<void> done = formats::save_asset("level3.fl", *level); !done) return fail(...);
//
// Files are written as save_file does (file.h): whole or not at all, in one step; a full disk is an error, and leaves the old file as it
// was. Errors of the file itself are file_open and file_read with errno as detail, which error_line turns into words; the rest are
// those of the loader that is named.
//
// Not here: a DriveMap, which is made from a grid and a table (bridge/grid_drive.h). Obstacles are no part of a mesh file
// (mesh/save_mesh.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>
#include <fairlead/formats/tile_map.h>
#include <fairlead/grid/grid.h>
#include <fairlead/mesh/mesh_table.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh/save_mesh.h>
#include <fairlead/roadmap/roadmap.h>
#include <fairlead/volume/save_volume.h>

namespace fairlead::formats {

/// The whole file as bytes; gzip is unpacked. Errors: those of load_file.
[[nodiscard]] Result<Array<std::uint8_t>> load_bytes(const std::string& path, const Limits& limits = {});
/// Errors: those of save_file.
Result<void> save_bytes(const std::string& path, std::span<const std::uint8_t> bytes);

/// load_mesh of a file.
[[nodiscard]] Result<NavMesh> load_mesh_asset(const std::string& path, const MeshLoadOptions& options = {});
/// MeshTable::load of a file.
[[nodiscard]] Result<MeshTable> load_mesh_table_asset(const std::string& path, NavMeshSnapshot mesh,
                                                      const Allocator& allocator = {});
/// Table::load of a file, for tables that need nothing but their bytes: load_asset<DriveTable>("truck.fl").
template <class Table>
[[nodiscard]] Result<Table> load_asset(const std::string& path, const Allocator& allocator = {}) {
    const Result<Array<std::uint8_t>> bytes = load_bytes(path);
    if (!bytes) return bytes.error();
    return Table::load(bytes->span(), allocator);
}
/// load_roadmap and make_roadmap of a file; its `map` is not followed.
[[nodiscard]] Result<Roadmap> load_roadmap_asset(const std::string& path, const Limits& limits = {});
/// load_tile_map and Grid::make of a file. Size and tiles are the file's, everything else as `options` says.
[[nodiscard]] Result<Grid> load_grid_asset(const std::string& path, const GridOptions& options = {},
                                           const TileTable& table = TileTable::movingai());

/// load_volume of a file; of a voxel map (voxel_map.h) load_voxel_map and Volume::make.
[[nodiscard]] Result<Volume> load_volume_asset(const std::string& path,
                                               const VolumeLoadOptions& options = {});

/// save_mesh: as it is without obstacles.
Result<void> save_asset(const std::string& path, const NavMeshState& mesh);
/// save_volume.
Result<void> save_asset(const std::string& path, const VolumeState& volume, std::uint64_t source = 0);
/// A table: MeshTable, DriveTable.
template <class Table>
requires requires(const Table& table, Array<std::uint8_t>& out) { table.save(out); }
Result<void> save_asset(const std::string& path, const Table& table) {
    Array<std::uint8_t> bytes;
    if (const Result<void> done = table.save(bytes); !done) return done.error();
    return save_bytes(path, bytes.span());
}
/// As JSON (roadmap_file.h): waypoints and edges, each direction an edge of its own. Errors also: unsupported, it has walls.
Result<void> save_asset(const std::string& path, const RoadmapState& roadmap);
/// As a tile map (tile_map.h): the tiles of the one layer, by the table's letters. Errors also: unsupported, it has several layers;
/// those of make_tile_map.
Result<void> save_asset(const std::string& path, const GridState& grid,
                        const TileTable& table = TileTable::movingai());

}  // namespace fairlead::formats
