// MeshFile: the polygons of a level as files hold them, and the Polyanya text format.
//
//     Result<formats::MeshFile> file = formats::load_polyanya_mesh(text);
//     if (Result<void> done = formats::load_heights(more, *file); !done) return report(done.error());
//     const NavMeshTile tile = file->tile();
//     Result<NavMesh> level = NavMesh::make({.tiles = {&tile, 1}});
//
// The format, version 2 (Cui, Harabor & Grastien 2017); words are parted by blanks, one record a line:
//
//     mesh
//     2
//     V P
//     x y n p1 ... pn            V vertices: the n polygons around it, -1 for what is no polygon
//     n v1 ... vn a1 ... an      P polygons: n >= 3 vertices counter-clockwise, then the neighbours; a1 lies across the
//                                side from vn to v1, a2 across that from v1 to v2, ...; -1 for none
//
// Vertices and polygons count from 0. The format is flat; heights come in a file of their own, a line `x,y,height`
// for each vertex in the order of the mesh, with an optional first line that starts with '#'.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>
#include <fairlead/mesh/nav_mesh.h>

namespace fairlead::formats {

struct MeshFile {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> polygon_sizes;    ///< corners of each polygon, at least 3
    std::vector<std::uint32_t> polygon_corners;  ///< vertices of all polygons in turn, counter-clockwise
    std::vector<std::uint8_t> areas;             ///< of each polygon, below kAreasMax; empty: all 0

    /// Refers to this object; at raster place (0, 0).
    [[nodiscard]] NavMeshTile tile() const;

    friend bool operator==(const MeshFile&, const MeshFile&) = default;
};

/// All heights are 0. What is checked: every number, that no polygon has a vertex twice, that no two polygons lie on the
/// same side of an edge, that neighbours are those that share the side and that the vertices' lists name the polygons
/// that have them. Whether polygons are convex is NavMesh::make's to check, or mesh_repair.h's to mend.
///
/// Errors: text_keyword (first line), text_value (version other than 2; beyond kMeshSpan; a polygon of less than 3
/// corners; a neighbour that does not share the side, or a missing one; a list of a vertex that names a polygon without
/// it, or not all), text_reference (no such vertex or polygon), text_duplicate (a vertex twice in a polygon, a polygon
/// twice in a list, a side that another polygon has), text_number, text_end, text_extra, size_limit, out_of_memory.
[[nodiscard]] Result<MeshFile> load_polyanya_mesh(std::string_view text, const Limits& limits = {});

/// Sets the heights. x and y are compared with the mesh's (to 1e-4 and six digits), so that another level's heights are
/// noticed. Errors: text_value (another place, a height beyond kMeshSpan), text_number, text_end (too few lines or
/// fields), text_extra, size_limit. On an error the mesh is as it was.
[[nodiscard]] Result<void> load_heights(std::string_view text, MeshFile& mesh, const Limits& limits = {});

/// The polygons of one revision, obstacles cut out, tiles joined, in the world. Where two tiles meet at different heights the
/// vertex has that of the first polygon. For saving below.
[[nodiscard]] MeshFile mesh_file_of(const NavMeshState& mesh);

/// Version 2 text; reads back as the same polygons, heights and areas aside. The mesh must be one that NavMesh::make
/// takes.
[[nodiscard]] std::string save_polyanya_mesh(const MeshFile& mesh);
/// The heights that belong to it.
[[nodiscard]] std::string save_heights(const MeshFile& mesh);
/// A Wavefront OBJ file, y up: (x, y, z) is written as (x, z, -y). One `f` a polygon; areas as groups `area_N`.
[[nodiscard]] std::string save_mesh_obj(const MeshFile& mesh);

}  // namespace fairlead::formats
