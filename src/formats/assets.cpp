// Files in and out around the loaders and savers of the worlds.
#include <fairlead/formats/assets.h>

#include <string_view>
#include <utility>
#include <vector>

#include <fairlead/formats/file.h>
#include <fairlead/formats/roadmap_file.h>
#include <fairlead/formats/roadmap_world.h>
#include <fairlead/formats/voxel_map.h>

#include "formats/budget.h"

namespace fairlead::formats {

namespace {

std::string_view text_of(std::span<const std::uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

Result<Array<std::uint8_t>> load_bytes(const std::string& path, const Limits& limits) {
    const Result<std::string> text = load_file(path, limits);
    if (!text) return text.error();
    Array<std::uint8_t> bytes;
    if (!bytes.assign(bytes_of(*text))) return Error{ErrorCode::out_of_memory, -1, 0};
    return bytes;
}

Result<void> save_bytes(const std::string& path, std::span<const std::uint8_t> bytes) {
    return save_file(path, text_of(bytes));
}

Result<NavMesh> load_mesh_asset(const std::string& path, const MeshLoadOptions& options) {
    const Result<std::string> text = load_file(path);
    if (!text) return text.error();
    return load_mesh(bytes_of(*text), options);
}

Result<MeshTable> load_mesh_table_asset(const std::string& path, NavMeshSnapshot mesh,
                                        const Allocator& allocator) {
    const Result<std::string> text = load_file(path);
    if (!text) return text.error();
    return MeshTable::load(bytes_of(*text), std::move(mesh), allocator);
}

Result<Roadmap> load_roadmap_asset(const std::string& path, const Limits& limits) {
    const Result<std::string> text = load_file(path, limits);
    if (!text) return text.error();
    const Result<RoadmapFile> file = load_roadmap(*text, limits);
    if (!file) return file.error();
    return make_roadmap(*file);
}

Result<Grid> load_grid_asset(const std::string& path, const GridOptions& options, const TileTable& table) {
    const Result<std::string> text = load_file(path);
    if (!text) return text.error();
    const Result<TileMap> map = load_tile_map(*text, {}, table);
    if (!map) return map.error();
    const Result<std::vector<std::uint8_t>> tiles = make_tiles(*map, table);
    if (!tiles) return tiles.error();
    GridOptions whole = options;
    whole.width = map->width;
    whole.height = map->height;
    whole.layers = 1;
    return Grid::make(whole, *tiles);
}

Result<Volume> load_volume_asset(const std::string& path, const VolumeLoadOptions& options) {
    const Result<std::string> text = load_file(path);
    if (!text) return text.error();
    if (sniff_kind(*text) != FileKind::voxel_map) return load_volume(bytes_of(*text), options);
    const Result<VoxelMap> map = load_voxel_map(*text, {.text_bytes = options.bytes_max});
    if (!map) return map.error();
    if (std::int64_t{map->size.x} * map->size.y * map->size.z > options.voxels_max)
        return Error{ErrorCode::size_limit, -1, options.voxels_max};
    VolumeOptions whole = map->volume_options();
    whole.allocator = options.allocator;
    return Volume::make(whole);
}

Result<void> save_asset(const std::string& path, const VolumeState& volume, std::uint64_t source) {
    Array<std::uint8_t> bytes;
    if (const Result<void> done = save_volume(volume, bytes, source); !done) return done.error();
    return save_bytes(path, bytes.span());
}

Result<void> save_asset(const std::string& path, const NavMeshState& mesh) {
    Array<std::uint8_t> bytes;
    if (const Result<void> done = save_mesh(mesh, bytes); !done) return done.error();
    return save_bytes(path, bytes.span());
}

Result<void> save_asset(const std::string& path, const RoadmapState& roadmap) {
    if (!roadmap.wall_sides().empty()) return Error{ErrorCode::unsupported, -1, 0};
    return guarded({}, {}, [&]() -> Result<void> {
        RoadmapFile file;
        std::vector<std::uint32_t> places(roadmap.slots());  // of the slots, in the file
        for (std::uint32_t i = 0; i < roadmap.slots(); ++i) {
            const Waypoint node = roadmap.node(WaypointSlot{i});
            if (!node.id.valid()) continue;
            places[i] = static_cast<std::uint32_t>(file.nodes.size());
            file.nodes.push_back({node.id.value, node.position});
        }
        for (std::uint32_t i = 0; i < roadmap.slots(); ++i) {
            if (!roadmap.node(WaypointSlot{i}).id.valid()) continue;
            for (const RoadmapArc& arc : roadmap.arcs(WaypointSlot{i})) {
                RoadmapEdge edge{.from = places[i], .to = places[arc.to.value]};
                edge.cost = arc.straight ? RoadmapEdge::kStraight : arc.cost;
                edge.one_way = true;
                edge.link = arc.link;
                edge.kind = arc.kind;
                edge.flags = arc.flags;
                edge.label = arc.label;
                file.edges.push_back(edge);
            }
        }
        return save_file(path, save_roadmap(file));
    });
}

Result<void> save_asset(const std::string& path, const GridState& grid, const TileTable& table) {
    if (grid.layers() != 1) return Error{ErrorCode::unsupported, -1, 0};
    return guarded({}, {}, [&]() -> Result<void> {
        std::vector<std::uint8_t> tiles;
        tiles.reserve(static_cast<std::size_t>(grid.width()) * static_cast<std::size_t>(grid.height()));
        for (std::int32_t y = 0; y < grid.height(); ++y) {
            for (std::int32_t x = 0; x < grid.width(); ++x) tiles.push_back(grid.tile({x, y, 0}));
        }
        const Result<TileMap> map = make_tile_map(grid.width(), grid.height(), tiles, table);
        if (!map) return map.error();
        return save_file(path, save_tile_map(*map));
    });
}

}  // namespace fairlead::formats
