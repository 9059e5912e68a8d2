// A level mesh as WORLD: a Polyanya .mesh file, with or without heights, a Detour mesh, or a baked .fl file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fairlead/debug/trace.h>
#include <fairlead/formats/detour.h>
#include <fairlead/formats/mesh_file.h>
#include <fairlead/formats/mesh_repair.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/mesh_table.h>
#include <fairlead/verify/verify.h>

#include "cli/planner.h"
#include "cli/world.h"

namespace fairlead::cli {

/// A file of polygons, mended.
struct MeshSource {
    formats::MeshFile file;
    formats::DetourMesh detour;  ///< of a Detour mesh all but the polygons; `tiles` is 0 for others
    formats::MeshRepairs repairs;
};

struct MeshWorld {
    NavMesh mesh;
    std::uint64_t closed_areas = 0;
    std::uint64_t closed_links = 0;
    std::optional<MeshTable> table{};  ///< goes before the mesh
};

/// True if the file holds a level mesh; anything else is left to other loaders.
[[nodiscard]] bool is_mesh(const std::string& path);
/// A baked file whose kind says mesh.
[[nodiscard]] bool is_baked_mesh(const std::string& text);
[[nodiscard]] NavMesh load_baked_mesh(const std::string& path, const std::string& text);
/// Fails with the file's name and the reason.
[[nodiscard]] MeshSource load_mesh_source(const std::string& path, const std::string& heights);
/// What was mended goes to standard error. `table`: its file; empty: none.
[[nodiscard]] MeshWorld load_mesh_world(const WorldFlags& world, const Agent& agent = {},
                                        const std::string& table = {});
/// Any mesh: from a baked file, or one of polygons.
[[nodiscard]] NavMesh load_any_mesh(const std::string& path, const std::string& heights,
                                    const Agent& agent = {});
[[nodiscard]] MeshTable load_mesh_table(const std::string& path, const NavMesh& mesh);
/// `agent`: the largest that will ask it.
[[nodiscard]] NavMesh make_mesh(const std::string& path, const MeshSource& source, const Agent& agent = {});
/// In words; empty: nothing was.
[[nodiscard]] std::string repairs_text(const formats::MeshRepairs& repairs);

/// What the flags of unit, planner and world mean on a mesh; fails for those that have no meaning there.
[[nodiscard]] MeshQuery mesh_query(const Agent& agent, const PlannerFlags& planner, const WorldFlags& world);
/// Places without a height are looked for on all floors.
[[nodiscard]] MeshReach any_height(MeshReach reach);

/// Where the links of a route are: into its line as the member "links", and as lines for people.
void append_links(std::string& line, const Route& route, const NavMeshState& mesh);
void print_links(const Route& route, const NavMeshState& mesh);
[[nodiscard]] std::string mesh_query_error_text(const Error& error);

[[nodiscard]] Violation verify_on_mesh(const Route& route, const MeshWorld& level, const Agent& agent);

struct MeshPicture {
    const MeshWorld& level;
    const MeshFilter& filter;
    const Agent& agent;
    const Route& route;
    const debug::Trace& trace;
    bool y_up = false;
};
/// Polygons, walls, what the search looked at, the route; of a turning unit with the ground that the body sweeps.
[[nodiscard]] std::string make_svg(const MeshPicture& picture);
/// The mesh and its links alone.
[[nodiscard]] std::string make_svg(const NavMesh& mesh);

}  // namespace fairlead::cli
