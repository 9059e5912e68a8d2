// WORLD files.

#include "cli/world.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include <fairlead/base/baked.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/scene.h>
#include <fairlead/mesh/nav_mesh.h>

#include "cli/baked.h"
#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/kept_files.h"
#include "cli/limits.h"
#include "cli/text.h"

namespace fairlead::cli {

void fail_file(const std::string& path, const Error& error, const std::string& text) {
    if (error.field != Field::none) fail_at(path, flag_error_text(error));
    fail(formats::error_line(path, error, text) + limit_flag(error));
}

namespace {

/// "-" is standard input, which can be read once: a world and what is asked of it are two files.
std::string load_text(const std::string& path) {
    if (path != "-") return expect(path, {}, formats::load_file(path, file_limits()));
    static std::optional<std::string> once;
    if (!once) once = expect("standard input", {}, formats::load_file("/dev/stdin", file_limits()));
    return *once;
}

}  // namespace

std::string read_file(const std::string& path) {
    KeptFiles* kept = KeptFiles::now();
    if (kept == nullptr) return load_text(path);
    const auto found = kept->files().find(path);
    if (found != kept->files().end()) return found->second;
    if (kept->closed()) fail_at(path, "the record does not hold this file");
    return kept->files()[path] = load_text(path);
}

FileOut::FileOut(std::string path) : path_(std::move(path)) {
    if (path_ == "-") return;
    Result<formats::FileWriter> file = formats::FileWriter::open(path_);
    if (!file) fail_file(path_, file.error(), {});
    file_.emplace(std::move(*file));
}

void FileOut::write(std::string_view text) {
    constexpr std::size_t kPiece = 1U << 18U;
    waiting_ += text;
    if (waiting_.size() >= kPiece) flush();
}

void FileOut::flush() {
    if (file_) {
        if (const Result<void> done = file_->write(waiting_); !done) fail_file(path_, done.error(), {});
    } else {
        write_file(path_, waiting_);
    }
    waiting_.clear();
}

void FileOut::finish() {
    flush();
    if (!file_) return;
    if (const Result<void> done = file_->finish(); !done) fail_file(path_, done.error(), {});
}

void write_file(const std::string& path, std::string_view text) {
    if (path == "-") {
        const bool written =
            std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
        if (!written) fail_at("standard output", error_text(ErrorCode::file_read));
        return;
    }
    if (const Result<void> saved = formats::save_file(path, text); !saved) fail_file(path, saved.error(), {});
}

std::uint32_t baked_kind(std::string_view bytes) {
    if (bytes.size() < 16 || bytes.substr(0, 8) != "FAIRLEAD") return 0;
    const char kind[5] = {bytes[12], bytes[13], bytes[14], bytes[15], 0};
    return four_letters(kind);
}

WorldKind world_kind(const std::string& path) {
    const std::string text = read_file(path);
    const std::uint32_t baked = baked_kind(text);
    if (baked == kBakedMesh) return WorldKind::mesh;
    if (baked == kBakedVolume) return WorldKind::volume;
    if (baked == kBakedCylinder) return WorldKind::cylinder;
    switch (formats::sniff_kind(text)) {
        case formats::FileKind::polyanya_mesh:
        case formats::FileKind::detour_mesh: return WorldKind::mesh;
        case formats::FileKind::roadmap: return WorldKind::roadmap;
        case formats::FileKind::voxel_map: return WorldKind::volume;
        default: return WorldKind::tiles;
    }
}

void WorldFlags::add(CLI::App& app) {
    app.add_option("WORLD", path_,
                   "The world: a MovingAI .map or .3dmap file, a scene or a roadmap .json, a .mesh file, a "
                   "Detour mesh, or a baked .fl mesh, volume or cylinder")
        ->required();
    app.add_option("--heights", heights_,
                   "Heights of a .mesh file: lines x,y,height in the order of its vertices");
    app.add_option("--closed-areas", closed_areas_,
                   "Level meshes: areas that are closed, as walls are: 2 or 2,5,7");
    app.add_option("--closed-links", closed_links_,
                   "Level meshes: kinds of links that are not there: 1 or 0,3");
    app.add_option("--terrain", terrain_, "What letters of the map cost to enter, 0 = wall: 'S=3,T=0,W=5'");
}

namespace {

// Whole numbers below 64, as bits.
std::uint64_t bits_of(const char* flag, const char* what, const std::string& text) {
    std::uint64_t out = 0;
    if (text.empty()) return out;
    for (const std::optional<double> number : to_numbers(flag, text)) {
        const double value = number.value_or(-1.0);
        if (!(value >= 0.0) || value >= 64.0 || value != std::floor(value))
            fail(fmt::format("{}: {} are whole numbers from 0 to 63", flag, what));
        out |= std::uint64_t{1} << static_cast<std::uint32_t>(value);
    }
    return out;
}

formats::TileTable table_of(const std::string& terrain) {
    if (terrain.empty()) return formats::TileTable::movingai();
    Result<formats::TileTable> table = formats::load_tile_table(terrain);
    if (!table) fail_file("--terrain", table.error(), terrain);
    return *table;
}

}  // namespace

std::uint64_t WorldFlags::closed_areas() const { return bits_of("--closed-areas", "areas", closed_areas_); }

std::uint64_t WorldFlags::closed_links() const { return bits_of("--closed-links", "kinds", closed_links_); }

void WorldFlags::refuse_closed_parts() const {
    if (!closed_areas_.empty()) fail("--closed-areas: for level meshes only");
    if (!closed_links_.empty()) fail("--closed-links: for level meshes only");
}

formats::TileTable WorldFlags::table() const { return table_of(terrain_); }

namespace {

formats::TileMap read_map(const std::string& path, const std::string& text, const formats::TileTable& table) {
    const formats::FileKind kind = formats::sniff_kind(text);
    if (kind != formats::FileKind::tile_map && kind != formats::FileKind::unknown) {
        fail_at(path, fmt::format("this is a {}; a tile map is needed here", formats::kind_name(kind)));
    }
    return expect(path, text, formats::load_tile_map(text, file_limits(), table));
}

// Each form of the tiles is dropped when the next one is there: a map may have 10^8 of them.
Grid make_grid(const std::string& path, std::string text, const formats::TileTable& table, const Agent& agent,
               CornerRule corner, bool hierarchy = false) {
    formats::TileMap map = read_map(path, text, table);
    text = std::string();
    const std::vector<std::uint8_t> tiles = expect(path, {}, formats::make_tiles(map, table));
    map.letters = std::string();
    GridOptions options{.width = map.width, .height = map.height, .corner = corner};
    options.sizes = {&agent, 1};
    options.hierarchy = hierarchy;
    return expect(path, {}, Grid::make(options, tiles));
}

// A scene is its map here; its queries are left out.
Grid load_scene_grid(const std::string& path, const std::string& text, const Agent& agent, CornerRule corner,
                     bool hierarchy) {
    const formats::Scene scene = expect(path, text, formats::load_scene(text, file_limits()));
    GridOptions options = scene.grid_options();
    options.corner = corner;
    options.sizes = {&agent, 1};
    options.hierarchy = hierarchy;
    return expect(path, {}, Grid::make(options, scene.tiles));
}

// The tiles of a map or a scene.
Grid load_any_grid(const std::string& path, const std::string& terrain, const Agent& agent, CornerRule corner,
                   bool hierarchy = false) {
    std::string text = read_file(path);
    if (formats::sniff_kind(text) == formats::FileKind::scene) {
        if (!terrain.empty()) fail("--terrain: a scene says itself what its letters cost");
        return load_scene_grid(path, text, agent, corner, hierarchy);
    }
    return make_grid(path, std::move(text), table_of(terrain), agent, corner, hierarchy);
}

}  // namespace

formats::TileMap load_map(const std::string& path, const formats::TileTable& table) {
    return read_map(path, read_file(path), table);
}

Grid load_map_grid(const std::string& path, const formats::TileTable& table, const Agent& agent,
                   CornerRule corner) {
    return make_grid(path, read_file(path), table, agent, corner);
}

Grid load_grid(const WorldFlags& world, const Agent& agent, CornerRule corner,
               const HierarchyChoice& hierarchy) {
    if (!world.heights().empty()) fail("--heights: for .mesh files only");
    world.refuse_closed_parts();
    const bool make = hierarchy.wanted && hierarchy.file.empty();
    Grid grid = load_any_grid(world.path(), world.terrain(), agent, corner, make);
    if (hierarchy.file.empty()) return grid;
    const std::string text = read_file(hierarchy.file);
    const Result<void> loaded = grid.load_hierarchy(bytes_of(text));
    if (!loaded) fail_at(hierarchy.file, hierarchy_error_text(loaded.error()));
    return grid;
}

Grid load_tile_world(const std::string& path, const std::string& terrain, const Agent& agent) {
    return load_any_grid(path, terrain, agent, CornerRule::never);
}

Grid load_tiles(const std::string& path, const std::string& terrain) {
    return load_tile_world(path, terrain, Agent{});
}

void AreaFlags::add(CLI::App& app) {
    app.add_option(
           "--area", texts_,
           "Scenes with named areas: NAME=COST (1 to 1023) or NAME=closed, for this unit; may be repeated")
        ->group("Query")
        ->allow_extra_args(false);
}

void AreaFlags::refuse(const char* where) const {
    if (!texts_.empty()) fail(fmt::format("--area: {}", where));
}

std::vector<double> AreaFlags::factors(const WorldFlags& world) const {
    if (texts_.empty()) return {};
    const std::string text = read_file(world.path());
    if (formats::sniff_kind(text) != formats::FileKind::scene) refuse("only for scenes, which name areas");
    const formats::Scene scene = expect(world.path(), text, formats::load_scene(text, file_limits()));
    std::vector<double> out(256, 1.0);
    for (const std::string& asked : texts_) {
        const std::size_t split = std::min(asked.find('='), asked.size());
        const std::string name = asked.substr(0, split);
        const auto area = std::find_if(scene.areas.begin(), scene.areas.end(),
                                       [&](const formats::SceneArea& one) { return one.name == name; });
        if (area == scene.areas.end())
            fail(fmt::format("--area: {} has no area named \"{}\"", world.path(), name));
        const std::string told = split < asked.size() ? asked.substr(split + 1) : std::string{};
        if (told == "closed") {
            out[area->terrain] = 0.0;
            continue;
        }
        const double cost = to_number("--area", told);
        if (!(cost >= 1.0 && cost <= 1023.0))
            fail(fmt::format("--area: {} costs 1 to 1023, or closed, not {}", name, told));
        out[area->terrain] = cost / area->cost;
    }
    return out;
}

}  // namespace fairlead::cli
