// fairlead inspect, check, reseal: what a baked file holds, whether all of it makes sense, and checksums computed anew.

#include "cli/baked.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/base/baked.h>
#include <fairlead/cylinder/save_cylinder.h>
#include <fairlead/grid/save_hierarchy.h>
#include <fairlead/mesh/mesh_table.h>
#include <fairlead/mesh/save_mesh.h>
#include <fairlead/volume/save_volume.h>

#include "cli/commands.h"
#include "cli/cylinder_world.h"
#include "cli/failure.h"
#include "cli/limits.h"
#include "cli/mesh_world.h"
#include "cli/unit.h"
#include "cli/volume_world.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Files {
    std::string in;
    std::string out;
    std::string heights;
    std::string mesh;
    std::string map;
    std::string terrain;
    UnitFlags unit;
    bool json = false;
};

std::string letters(std::uint32_t id) {
    std::string out;
    for (int i = 0; i < 4; ++i) {
        const auto c = static_cast<char>((id >> (8 * i)) & 0xff);
        out += c >= 32 && c < 127 ? c : '?';
    }
    return out;
}

const char* body_name(BodyShape shape) {
    switch (shape) {
        case BodyShape::disc: return "disc";
        case BodyShape::box: return "box";
        case BodyShape::capsule: return "capsule";
    }
    return "";
}

const char* nodes_name(DriveNodes nodes) {
    constexpr const char* kNames[] = {"centres", "corners", "halves", "fitting"};
    return kNames[static_cast<int>(nodes)];
}

BakedFile open_any(const std::string& path, const std::string& text) {
    const Result<BakedFile> file = BakedFile::open(bytes_of(text), {});
    if (!file) fail_at(path, baked_error_text(file.error()));
    return *file;
}

Json describe_table(const DriveTable& table) {
    const DriveTableOptions& options = table.options();
    const Agent& agent = options.agent;
    return {{"body", body_name(agent.shape)},
            {"radius", agent.radius},
            {"length", agent.length},
            {"width", agent.width},
            {"axle_offset", agent.axle_offset},
            {"turning_radius", agent.turning_radius},
            {"reverse", agent.can_reverse},
            {"cell_size", options.cell_size},
            {"headings", options.headings},
            {"rings", options.rings},
            {"every_word", options.every_word},
            {"stretch", options.stretch},
            {"nodes", nodes_name(table.nodes())},
            {"primitives", table.primitives().all().size()},
            {"reach", table.primitives().reach()},
            {"margin", table.margin()},
            {"bytes_in_memory", table.bytes()}};
}

struct Counts {
    std::uint32_t walls = 0;
    std::size_t components = 0;
};

Counts count_walls(const NavMeshState& state) {
    Counts out;
    std::set<std::uint32_t> components;
    for (std::uint32_t i = 0; i < state.polygons(); ++i) {
        const PolygonId polygon = state.polygon(i);
        components.insert(state.component(polygon));
        for (std::uint32_t c = 0; c < state.corners(polygon); ++c)
            out.walls += state.neighbour(polygon, c).valid() ? 0U : 1U;
    }
    out.components = components.size();
    return out;
}

std::uint32_t count_asleep(const NavMeshState& state) {
    std::uint32_t out = 0;
    for (std::uint32_t i = 0; i < state.links(); ++i) out += state.link_at(i).awake ? 0U : 1U;
    return out;
}

Json describe_frame(const MeshFrame& frame) {
    return {{"origin_x", frame.origin.x},         {"origin_y", frame.origin.y},
            {"origin_z", frame.origin.z},         {"tile_size", frame.tile_size},
            {"step_height", frame.step_height},   {"agent_radius", frame.agent_radius},
            {"agent_height", frame.agent_height}, {"radius_max", frame.radius_max}};
}

// Of a table of a mesh, without the mesh.
Json describe_mesh_table(const BakedFile& file) {
    const auto count = [&](const char(&id)[5]) {
        for (std::uint32_t i = 0; i < file.sections(); ++i) {
            if (file.section_at(i).id == four_letters(id)) return file.section_at(i).count;
        }
        return std::uint64_t{0};
    };
    const auto lists = [&](const char(&id)[5]) { return count(id) > 0 ? count(id) - 1 : 0; };
    return {{"polygons", lists("SEE1")},
            {"corners", lists("LAB1")},
            {"sights", count("SEEN")},
            {"labels", count("LABL")}};
}

Json describe_baked_mesh(const NavMesh& mesh) {
    const NavMeshState& state = mesh.state();
    const Aabb box = state.bounds();
    const auto [walls, components] = count_walls(state);
    Json out = describe_frame(frame_of(state));
    const Json more{{"tiles", state.tiles()},
                    {"polygons", state.polygons()},
                    {"walls", walls},
                    {"components", components},
                    {"heights", state.has_heights()},
                    {"links", state.links()},
                    {"links_asleep", count_asleep(state)},
                    {"low_x", box.low.x},
                    {"low_y", box.low.y},
                    {"high_x", box.high.x},
                    {"high_y", box.high.y},
                    {"bytes_in_memory", state.memory().total()}};
    out.update(more);
    return out;
}

Json describe_baked_tile(const std::string& path, const std::string& text) {
    const Result<MeshTileFile> file = MeshTileFile::load(bytes_of(text));
    if (!file) fail_at(path, baked_error_text(file.error()));
    const NavMeshTile& tile = file->tile();
    Json out = describe_frame(file->frame());
    const Json more{{"x", tile.x},
                    {"y", tile.y},
                    {"key", fmt::format("{:016x}", tile.key)},
                    {"polygons", tile.polygon_sizes.size()},
                    {"vertices", tile.vertices.size()},
                    {"height_layers", tile.heights.field.layers.size()}};
    out.update(more);
    return out;
}

Json describe_volume(const VolumeState& state) {
    const Vec3 origin = state.origin();
    const Vec3 voxel = state.voxel_size();
    const Voxel size = state.size();
    const std::int64_t voxels = std::int64_t{size.x} * size.y * size.z;
    std::size_t bricks = 0;
    state.each_brick([](const VoxelBrick&, void* user) { ++*static_cast<std::size_t*>(user); }, &bricks);
    const VolumeMemory memory = state.memory();
    return {{"origin_x", origin.x},
            {"origin_y", origin.y},
            {"origin_z", origin.z},
            {"voxel_size_x", voxel.x},
            {"voxel_size_y", voxel.y},
            {"voxel_size_z", voxel.z},
            {"size_x", size.x},
            {"size_y", size.y},
            {"size_z", size.z},
            {"voxels", voxels},
            {"solid_voxels", state.solid_voxels()},
            {"chunks_loaded", state.loaded_chunks()},
            {"bricks", bricks},
            {"components", count_components(state)},
            {"bytes_of_chunks", memory.chunks},
            {"bytes_of_components", memory.components},
            {"bytes_in_memory", memory.total()}};
}

Json describe_cylinder(const CylinderWorld& world) {
    const Cylinder& shape = world.shape;
    std::int64_t solid = 0;
    for (const std::uint8_t slices : world.solid) solid += slices;
    const auto tiles = static_cast<std::int64_t>(shape.columns()) * shape.slices;
    constexpr const char* kAxes[] = {"x", "y", "z"};
    return {{"axis", kAxes[static_cast<std::size_t>(shape.axis)]},
            {"origin_x", shape.origin.x},
            {"origin_y", shape.origin.y},
            {"origin_z", shape.origin.z},
            {"radius", shape.radius},
            {"inner_radius", shape.inner_radius()},
            {"cell_size", shape.cell_size()},
            {"thickness", shape.thickness},
            {"around", shape.around},
            {"along", shape.along},
            {"slices", shape.slices},
            {"tiles", tiles},
            {"solid_tiles", solid}};
}

Json describe_voxel_map(const std::string& path) {
    const Volume volume = load_volume_file(path);
    Json out{{"file", path}, {"kind", "voxel map"}};
    out.update(describe_volume(volume));
    return out;
}

Json describe_hierarchy(const BakedFile& file) {
    Result<BakedSection> options = file.section(four_letters("OPTS"), 16);
    if (!options || options->count != 1) return {};
    Json out;
    for (const char* name : {"width", "height", "layers", "sizes"})
        out[name] = options->reader.get<std::int32_t>();
    return out;
}

Json describe(const std::string& path, const std::string& text) {
    const BakedFile file = open_any(path, text);
    const BakedHeader& header = file.header();
    Json out{{"file", path},
             {"kind", letters(header.kind)},
             {"version", fmt::format("{}.{}", header.major, header.minor)},
             {"bytes", text.size()},
             {"options_hash", fmt::format("{:016x}", header.options_hash)},
             {"source_hash", fmt::format("{:016x}", header.source_hash)}};
    Json sections = Json::array();
    for (std::uint32_t i = 0; i < file.sections(); ++i) {
        const BakedSection section = file.section_at(i);
        sections.push_back({{"id", letters(section.id)},
                            {"records", section.count},
                            {"bytes_a_record", section.stride},
                            {"offset", section.offset},
                            {"checksum", fmt::format("{:08x}", section.checksum)}});
    }
    out["sections"] = sections;
    if (header.kind == kBakedDriveTable) out["table"] = describe_table(load_table(path));
    if (header.kind == kBakedMesh) out["mesh"] = describe_baked_mesh(load_baked_mesh(path, text));
    if (header.kind == kBakedVolume) out["volume"] = describe_volume(load_baked_volume(path, text));
    if (header.kind == kBakedCylinder) out["cylinder"] = describe_cylinder(load_baked_cylinder(path, text));
    if (header.kind == kBakedHierarchy) out["hierarchy"] = describe_hierarchy(file);
    if (header.kind == kBakedMeshTable) out["mesh_table"] = describe_mesh_table(file);
    if (header.kind == kBakedMeshTile) out["tile"] = describe_baked_tile(path, text);
    return out;
}

Json describe_mesh(const std::string& path, const std::string& heights) {
    const MeshSource source = load_mesh_source(path, heights);
    const NavMesh mesh = make_mesh(path, source);
    const NavMeshState& state = mesh.state();
    const Aabb box = state.bounds();
    const auto [walls, components] = count_walls(state);
    Json out{{"file", path},
             {"kind", source.detour.tiles > 0 ? "Detour mesh" : "Polyanya mesh"},
             {"vertices", source.file.vertices.size()},
             {"polygons", state.polygons()},
             {"walls", walls},
             {"components", components},
             {"low_x", box.low.x},
             {"low_y", box.low.y},
             {"high_x", box.high.x},
             {"high_y", box.high.y},
             {"turned_round", source.repairs.turned_round},
             {"cut", source.repairs.cut.size()},
             {"left_out", source.repairs.dropped.size()},
             {"bytes_in_memory", state.memory().total()}};
    if (source.detour.tiles == 0) return out;
    out["tiles"] = source.detour.tiles;
    out["joints"] = source.detour.joints;
    out["off_mesh_links"] = source.detour.links.size();
    out["agent_radius"] = source.detour.agent_radius;
    out["agent_height"] = source.detour.agent_height;
    out["agent_climb"] = source.detour.agent_climb;
    return out;
}

void print_plain(const Json& value, const std::string& indent) {
    for (const auto& [name, part] : value.items()) {
        if (part.is_object()) {
            fmt::print("{}{}\n", indent, name);
            print_plain(part, indent + "  ");
        } else if (part.is_array()) {
            fmt::print("{}{}\n", indent, name);
            for (const Json& row : part) {
                std::string line;
                for (const auto& [key, cell] : row.items())
                    line +=
                        fmt::format("  {} {}", key, cell.is_string() ? cell.get<std::string>() : cell.dump());
                fmt::print("{}{}\n", indent, line);
            }
        } else {
            fmt::print("{}{:16} {}\n", indent, name,
                       part.is_string() ? part.get<std::string>() : part.dump());
        }
    }
}

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
std::string find_mesh_table_fault(const Files& files, const std::string& text) {
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
std::string find_hierarchy_fault(const Files& files, const std::string& text) {
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
std::string find_fault(const Files& files, const std::string& text) {
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

Json describe_any(const Files& files) {
    const std::string text = read_file(files.in);
    const WorldKind kind = world_kind(files.in);
    if (baked_kind(text) == 0 && kind == WorldKind::mesh) return describe_mesh(files.in, files.heights);
    if (!files.heights.empty()) fail("--heights: for .mesh files only");
    if (baked_kind(text) == 0 && kind == WorldKind::volume) return describe_voxel_map(files.in);
    return describe(files.in, text);
}

void reseal(const Files& files) {
    std::string text = read_file(files.in);
    const Result<void> done = baked_reseal({reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
    if (!done) fail_at(files.in, baked_error_text(done.error()));
    write_file(files.out.empty() ? files.in : files.out, text);
}

}  // namespace

std::span<const std::uint8_t> bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string baked_error_text(const Error& error) {
    const std::string reason = error_text(error.code);
    switch (error.code) {
        case ErrorCode::baked_checksum:
            return fmt::format("{} ({})", reason,
                               error.index == -1   ? "header"
                               : error.index == -2 ? "table of sections"
                                                   : fmt::format("section {}", error.index));
        case ErrorCode::baked_section:
            return error.index >= 0 ? fmt::format("{} (section {})", reason, error.index) : reason;
        case ErrorCode::baked_value:
            return fmt::format("{} (section {}, record {})", reason, error.index, error.detail);
        case ErrorCode::baked_kind:
            return fmt::format("{} ({})", reason, letters(static_cast<std::uint32_t>(error.detail)));
        default: return reason;
    }
}

std::string hierarchy_error_text(const Error& error) {
    if (error.code != ErrorCode::incompatible) return baked_error_text(error);
    return error.detail == static_cast<std::int64_t>(HierarchyStale::tiles)
               ? "the hierarchy is of another map, or the map has changed; bake it anew"
               : "the hierarchy is of another unit, or of a map of another size";
}

DriveTable load_table(const std::string& path) {
    const std::string text = read_file(path);
    Result<DriveTable> table = DriveTable::load(bytes_of(text));
    if (!table) fail_at(path, baked_error_text(table.error()));
    return std::move(*table);
}

void add_inspect(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("inspect", "What a baked file, a level mesh or a voxel map holds");
    const auto files = std::make_shared<Files>();
    sub->add_option("FILE", files->in, "A baked file, .fl, a .mesh file, a Detour mesh or a .3dmap file")
        ->required();
    sub->add_option("--heights", files->heights, "Heights of a .mesh file: lines x,y,height");
    sub->add_flag("--json", files->json, "For machines");
    sub->callback([files, &status] {
        const Json all = describe_any(*files);
        files->json ? fmt::print("{}\n", all.dump(2)) : print_plain(all, "");
        status = kDone;
    });
}

void add_check(CLI::App& app, int& status) {
    CLI::App* sub =
        app.add_subcommand("check", "Does a baked file hold what it says? Remakes it and compares");
    const auto files = std::make_shared<Files>();
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

void add_reseal(CLI::App& app, int& status) {
    CLI::App* sub =
        app.add_subcommand("reseal", "Compute a baked file's checksums anew, to test what reads it");
    const auto files = std::make_shared<Files>();
    sub->add_option("FILE", files->in, "A baked file, .fl")->required();
    sub->add_option("-o,--out", files->out, "Where to; else in place");
    sub->callback([files, &status] {
        reseal(*files);
        status = kDone;
    });
}

}  // namespace fairlead::cli
