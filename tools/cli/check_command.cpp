// fairlead check: is a baked file what its own parts make? It is loaded, made anew and compared byte by byte.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <fairlead/base/baked.h>
#include <fairlead/cylinder/save_cylinder.h>
#include <fairlead/grid/save_hierarchy.h>
#include <fairlead/mesh/mesh_table.h>
#include <fairlead/mesh/save_mesh.h>
#include <fairlead/volume/save_volume.h>

#include "cli/baked.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/limits.h"
#include "cli/mesh_world.h"
#include "cli/unit.h"
#include "cli/volume_world.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

struct Checked {
    std::string in;
    std::string heights;
    std::string mesh;
    std::string map;
    std::string terrain;
    UnitFlags unit;
};

std::string compare(const Array<std::uint8_t>& made, const std::string& text, const char* parts) {
    const bool same =
        made.size() == text.size() && std::equal(made.begin(), made.end(), bytes_of(text).begin());
    return same ? "" : fmt::format("the file is not what its own {} make", parts);
}

// Loads, measures the landmarks anew, saves: the same bytes?
std::string find_mesh_fault(const std::string& text) {
    const Result<NavMesh> mesh =
        load_mesh(bytes_of(text), {.measure_landmarks = true, .gate_work_max = gate_work_max()});
    if (!mesh) return baked_error_text(mesh.error());
    if (const Result<NavMesh> stored = load_mesh(bytes_of(text), {.gate_work_max = gate_work_max()}); !stored)
        return baked_error_text(stored.error());
    Array<std::uint8_t> made;
    if (const Result<void> done = save_mesh(*mesh, made); !done) return error_text(done.error()).c_str();
    return compare(made, text, "polygons");
}

// Takes the chunks out of a volume that another one has not.
Result<std::size_t> leave_out_missing(Volume& volume, const VolumeState& other) {
    std::vector<VolumeEdit> edits;
    const Voxel count = other.chunks();
    for (std::int32_t z = 0; z < count.z; ++z) {
        for (std::int32_t y = 0; y < count.y; ++y) {
            for (std::int32_t x = 0; x < count.x; ++x) {
                if (!other.is_loaded({x, y, z})) edits.push_back(VolumeEdit::unload({x, y, z}));
            }
        }
    }
    if (const Result<void> done = volume.apply(edits); !done) return done.error();
    return edits.size();
}

// Is it what its voxels make? What is joined to what, no load works out.
std::string find_volume_fault(const std::string& text, const BakedHeader& header) {
    const Result<Volume> volume = load_volume(bytes_of(text));
    if (!volume) return baked_error_text(volume.error());
    const VolumeState& state = *volume;
    std::vector<VoxelBrick> bricks;
    state.each_brick(
        [](const VoxelBrick& b, void* to) { static_cast<std::vector<VoxelBrick>*>(to)->push_back(b); },
        &bricks);
    Result<Volume> anew = Volume::make(
        {.origin = state.origin(), .voxel_size = state.voxel_size(), .size = state.size(), .bricks = bricks});
    if (!anew) return error_text(anew.error()).c_str();
    // Chunks that are not there.
    if (const Result<std::size_t> left_out = leave_out_missing(*anew, state); !left_out.has_value())
        return error_text(left_out.error()).c_str();
    Array<std::uint8_t> made;
    const Result<void> done = save_volume(*anew, made, header.source_hash);
    return done ? compare(made, text, "voxels") : error_text(done.error()).c_str();
}

std::string find_cylinder_fault(const std::string& text) {
    const Result<CylinderWorld> world = load_cylinder(bytes_of(text));
    if (!world) return baked_error_text(world.error());
    Array<std::uint8_t> made;
    const Result<void> done = save_cylinder(*world, made);
    return done ? compare(made, text, "columns") : error_text(done.error()).c_str();
}

std::string find_tile_fault(const std::string& text) {
    const Result<MeshTileFile> tile = MeshTileFile::load(bytes_of(text));
    if (!tile) return baked_error_text(tile.error());
    Array<std::uint8_t> made;
    const Result<void> done = save_tile(tile->tile(), tile->frame(), made);
    return done ? compare(made, text, "polygons") : error_text(done.error()).c_str();
}

// A table can only be made anew from its mesh.
std::string find_mesh_table_fault(const Checked& files, const std::string& text) {
    if (files.mesh.empty())
        fail_at(files.in, "the table of a level mesh is checked with its mesh: --mesh FILE");
    if (!is_mesh(files.mesh)) fail_at(files.mesh, "a level mesh is needed here");
    const NavMesh mesh = load_any_mesh(files.mesh, files.heights);
    const Result<MeshTable> table = MeshTable::load(bytes_of(text), mesh.acquire());
    if (!table && table.error().code == ErrorCode::incompatible) return "the table is of another mesh";
    if (!table) return baked_error_text(table.error());
    const Result<bool> same = table->is_as_made();
    if (!same.has_value()) return error_text(same.error()).c_str();
    return *same ? "" : "the table is not what its mesh makes";
}

// A hierarchy can only be made anew from its map.
std::string find_hierarchy_fault(const Checked& files, const std::string& text) {
    if (files.map.empty())
        fail_at(files.in, "a hierarchy is checked with its map and unit: --map FILE --radius R");
    if (world_kind(files.map) != WorldKind::tiles) fail_at(files.map, "a tile map is needed here");
    const Agent agent = files.unit.agent();
    Grid loaded = load_tile_world(files.map, files.terrain, agent);
    if (const Result<void> done = loaded.load_hierarchy(bytes_of(text)); !done)
        return hierarchy_error_text(done.error());
    Grid grid = load_tile_world(files.map, files.terrain, agent);
    Array<std::uint8_t> made;
    Result<void> done = grid.make_hierarchy();
    if (done) done = save_hierarchy(grid, made);
    return done ? compare(made, text, "tiles") : error_text(done.error()).c_str();
}

// All that `open` and the loader check, and that the file is what its options make. What is wrong, or nothing.
std::string find_fault(const Checked& files, const std::string& text) {
    const Result<BakedFile> file = BakedFile::open(bytes_of(text), {});
    if (!file) return baked_error_text(file.error());
    if (file->header().kind == kBakedMeshTable) return find_mesh_table_fault(files, text);
    if (!files.mesh.empty()) fail("--mesh: for tables of level meshes");
    if (file->header().kind == kBakedHierarchy) return find_hierarchy_fault(files, text);
    if (!files.map.empty()) fail("--map: for hierarchies of tile maps");
    if (file->header().kind == kBakedMesh) return find_mesh_fault(text);
    if (file->header().kind == kBakedVolume) return find_volume_fault(text, file->header());
    if (file->header().kind == kBakedCylinder) return find_cylinder_fault(text);
    if (file->header().kind == kBakedMeshTile) return find_tile_fault(text);
    if (file->header().kind != kBakedDriveTable) return "a kind that this program does not know";
    const Result<DriveTable> table = DriveTable::load(bytes_of(text));
    if (!table) return baked_error_text(table.error());
    const Result<bool> same = table->is_as_made();
    if (!same.has_value()) return error_text(same.error()).c_str();
    return *same ? "" : "the table is not what its unit and options make";
}

}  // namespace

void add_check(CLI::App& app, int& status) {
    CLI::App* sub =
        app.add_subcommand("check", "Does a baked file hold what it says? Remakes it and compares");
    const auto files = std::make_shared<Checked>();
    sub->add_option("FILE", files->in, "A baked file, .fl")->required();
    sub->add_option("--mesh", files->mesh, "The mesh of a table from `fairlead bake table`");
    sub->add_option("--heights", files->heights, "With --mesh: heights of a .mesh file");
    sub->add_option("--map", files->map,
                    "The map of a hierarchy from `fairlead bake hierarchy`; with its unit's flags");
    sub->add_option("--terrain", files->terrain,
                    "With --map: which letters may be walked on, as in `fairlead route`");
    files->unit.add(*sub);
    sub->callback([files, &status] {
        const std::string fault = find_fault(*files, read_file(files->in));
        fmt::print("{}: {}\n", files->in, fault.empty() ? "good" : fault);
        status = fault.empty() ? kDone : kCheckFailed;
    });
}

}  // namespace fairlead::cli
