// fairlead inspect: what a baked file, a level mesh or a voxel map holds.

#include <memory>
#include <set>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/base/baked.h>
#include <fairlead/mesh/save_mesh.h>
#include <fairlead/volume/save_volume.h>

#include "cli/baked.h"
#include "cli/commands.h"
#include "cli/cylinder_world.h"
#include "cli/failure.h"
#include "cli/mesh_world.h"
#include "cli/volume_world.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Inspected {
    std::string in;
    std::string heights;
    bool json = false;
};

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

Json describe_any(const Inspected& files) {
    const std::string text = read_file(files.in);
    const WorldKind kind = world_kind(files.in);
    if (baked_kind(text) == 0 && kind == WorldKind::mesh) return describe_mesh(files.in, files.heights);
    if (!files.heights.empty()) fail("--heights: for .mesh files only");
    if (baked_kind(text) == 0 && kind == WorldKind::volume) return describe_voxel_map(files.in);
    return describe(files.in, text);
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

}  // namespace

void add_inspect(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("inspect", "What a baked file, a level mesh or a voxel map holds");
    const auto files = std::make_shared<Inspected>();
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

}  // namespace fairlead::cli
