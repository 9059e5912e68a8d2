// Detour's navigation meshes: tiles (`dtNavMesh::addTile` data, magic DNAV, version 7) and the sets that RecastDemo
// saves (MSET, version 1), with 32 or 64 bit references. So a game with a Recast bake can try our queries at once.
//
//     Result<formats::DetourMesh> bake = formats::load_detour(bytes);
//     const NavMeshTile tile = bake->mesh.tile();
//     Result<NavMesh> level = NavMesh::make({.tiles = {&tile, 1}});
//
// Detour is y-up; (x, y, z) becomes (x, -z, y). All tiles become one mesh. Detour lets sides of neighbouring tiles meet
// in parts; here sides must be equal. So sides that Detour would link (marked as borders, on one line within 0.01, at
// least 0.02 of overlap, heights within twice the climb) are cut at each other's ends: exactly, as they are parallel to
// an axis; ends that differ by rounding become one vertex. Where several floors would link to one part of a side, the
// nearest in height does. What is not convex afterwards is mended as in mesh_repair.h. Heights are those of the
// polygons' corners; the detail mesh is checked and not used. Off-mesh connections are listed, not joined.
//
// Everything is bounds-checked; files are little-endian. Cost: about 1 us a polygon. Memory: at most 100
// times the file (if limits.memory_bytes is less than that, size_limit); about 10 times where few sides are borders.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>
#include <fairlead/formats/mesh_file.h>
#include <fairlead/formats/mesh_repair.h>

namespace fairlead::formats {

/// An off-mesh connection.
struct DetourLink {
    Vec3 start{};
    Vec3 end{};
    double radius = 0.0;
    bool both_ways = false;
    std::uint8_t area = 0;
    std::uint16_t flags = 0;
    std::uint32_t user_id = 0;

    friend bool operator==(const DetourLink&, const DetourLink&) = default;
};

struct DetourMesh {
    MeshFile mesh;                     ///< with areas
    std::vector<std::uint16_t> flags;  ///< of each polygon
    std::vector<DetourLink> links;
    MeshRepairs repairs;
    std::uint32_t tiles = 0;
    std::uint32_t joints = 0;  ///< pairs of sides of different tiles that were joined
    double agent_height = 0.0, agent_radius = 0.0, agent_climb = 0.0;  ///< of the first tile
};

/// Why a file is refused: Error::detail where the code is incompatible; index is the tile from 0, or -1.
enum class DetourRule : std::int64_t {
    magic,              ///< neither a tile nor a set
    tile_cache,         ///< a set of compressed tiles (TSET), which hold no polygons yet
    set_version,        ///< a set of another version than 1
    set_count,          ///< a number of tiles below 0 or more than the file has room for
    cut_short,          ///< the file ends too early
    extra_bytes,        ///< something follows the last tile
    tile_magic,         ///< a tile of the set does not begin as one
    tile_version,       ///< a tile of another version than 7
    tile_count,         ///< a number of vertices, polygons, ... below 0 or beyond 65535 polygons or vertices
    tile_size,          ///< the tile is not as long as its counts make it
    header_number,      ///< a size of the agent or a bound that is not finite, or below 0
    vertex,             ///< a vertex that is not finite or beyond kMeshSpan
    polygon_corners,    ///< a polygon of less than 3 or more than 6 corners
    polygon_vertex,     ///< a corner that is no vertex
    polygon_neighbour,  ///< a neighbour that is no polygon, or a border without a side
    polygon_type,       ///< off-mesh connections and ground are not where the header says
    detail,             ///< a detail mesh that is not within the lists
    off_mesh,           ///< an off-mesh connection without a polygon, or with a number that is not finite
    crowded,            ///< more sides above each other on one border than any level has
    count_,
};

/// One plain English sentence without a full stop. Never null.
[[nodiscard]] const char* detour_rule_text(DetourRule rule);

/// Errors: incompatible, as above; size_limit, out_of_memory.
[[nodiscard]] Result<DetourMesh> load_detour(std::string_view bytes, const Limits& limits = {});

}  // namespace fairlead::formats
