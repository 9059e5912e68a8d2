// fairlead bake navmesh: from triangles, tiles or outlines to a baked mesh.

#include "cli/bake_navmesh.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/floor_plan.h>
#include <fairlead/mesh/save_mesh.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "cli/bake_faults.h"
#include "cli/bake_level.h"
#include "cli/bake_links.h"
#include "cli/bake_tiles.h"
#include "cli/bake_work.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/limits.h"
#include "cli/text.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

constexpr double kRadPerDegree = 0.017453292519943295;

/// Of tiles that nobody asked for: of maps, where a wall is a cell or more, and of triangles.
constexpr std::uint32_t kMapTile = 32;
constexpr std::uint32_t kLevelTile = 64;
constexpr std::uint32_t kTileCellsMax = 4096;

/// Flags that only mean something for triangles.
constexpr const char* kOfTriangles[] = {"--cell-size", "--cell-height", "--radius",     "--climb",
                                        "--slope",     "--edge-error",  "--min-island", "--up",
                                        "--origin",    "--area",        "--refuse-bad", "--threads"};

/// What a bake is reported by.
struct BakeReport {
    nlohmann::ordered_json fields;  ///< behind the file's name, before what all bakes have
    std::string text;               ///< behind what all bakes have
};

struct BakeNavMesh {
    std::string in, out, up = "y", origin, terrain;
    std::string cell_size = "0.3", cell_height = "0.2", radius = "0.6", height = "2", climb = "0.9",
                slope = "45", edge_error = "1.3", tile_size, radius_max;
    int landmarks = static_cast<int>(kLandmarksMax);
    int island = 64;
    std::vector<std::string> areas;
    ThreadFlag threads;
    LinkFlags links;
    TileFlags tiles;
    bool refuse_bad = false;
    bool json = false;
    CLI::App* app = nullptr;

    void run() const;

  private:
    void run_triangles(const std::string& text) const;
    void run_map() const;
    void run_plan(const std::string& text) const;
    void list_keys(std::span<const bake::TileKey> keys) const;
    void finish(const NavMesh& mesh, const LinkCounts& counts, const BakeReport& report,
                Stages& stages) const;
    void refuse_triangle_flags() const;
    [[nodiscard]] bake::BakeOptions options() const;
    [[nodiscard]] std::uint32_t landmark_count() const;
    [[nodiscard]] double largest_radius() const;
};

double positive(const char* flag, const std::string& text) {
    const double value = to_number(flag, text);
    if (!(value >= 0.0)) fail(fmt::format("{}: {} is below 0", flag, text));
    return value;
}

bake::BakeOptions BakeNavMesh::options() const {
    bake::BakeOptions made;
    made.cell_size = positive("--cell-size", cell_size);
    made.cell_height = positive("--cell-height", cell_height);
    made.agent_height = positive("--height", height);
    made.agent_radius = positive("--radius", radius);
    made.climb = positive("--climb", climb);
    made.slope_max_rad = positive("--slope", slope) * kRadPerDegree;
    made.edge_error = positive("--edge-error", edge_error);
    if (island < 0) fail("--min-island: below 0");
    made.island_cells_min = static_cast<std::uint32_t>(island);
    made.refuse_bad = refuse_bad;
    if (!tile_size.empty() && positive("--tile-size", tile_size) > 0.0) {
        const double cells = std::round(positive("--tile-size", tile_size) / made.cell_size);
        if (!(cells >= 16.0 && cells <= 4096.0))
            fail(fmt::format("--tile-size: {} is {} cells; 16 to {} are possible", tile_size, cells,
                             kTileCellsMax));
        made.tile_cells = static_cast<std::uint32_t>(cells);
    }
    if (!origin.empty()) {
        const std::vector<std::optional<double>> numbers = to_numbers("--origin", origin);
        if (numbers.size() != 3 || !numbers[0] || !numbers[1] || !numbers[2])
            fail(fmt::format("--origin: {} is not X,Y,Z", origin));
        made.give_origin = true;
        made.origin = {*numbers[0], *numbers[1], *numbers[2]};
    }
    made.jobs = threads.jobs();
    return made;
}

// The side of a tile, in cells, where none was asked for; 0: one tile. Within a tile the work for gates grows with the square of what
// is in it, so a bake that needs them is cut. Gates reach half a tile at most.
std::uint32_t default_tile(double largest_side, double gates_reach, std::uint32_t smallest) {
    if (!(gates_reach > 0.0)) return 0;
    std::uint32_t cells = smallest;
    while (cells < kTileCellsMax && cells < 2.0 * gates_reach) cells *= 2;
    return cells < largest_side ? cells : 0;
}

std::uint32_t BakeNavMesh::landmark_count() const {
    if (landmarks < 0 || landmarks > static_cast<int>(kLandmarksMax))
        fail(fmt::format("--landmarks: {} is not 0 to {}", landmarks, kLandmarksMax));
    return static_cast<std::uint32_t>(landmarks);
}

double BakeNavMesh::largest_radius() const {
    return radius_max.empty() ? 0.0 : positive("--radius-max", radius_max);
}

std::string bake_error_text(const Error& error) {
    if (error.code == ErrorCode::cancelled) return "stopped; nothing was written";
    if (is_gate_work(error))
        return "--radius-max: looking for narrow places is more work than --gate-work-max, and no file of "
               "this mesh could be "
               "read; smaller tiles (--tile-size) or a smaller --radius-max need less";
    if (error.code == ErrorCode::incompatible && error.field == Field::tile_cells)
        return "--tile-size: the radius reaches over a whole tile";
    if (error.code == ErrorCode::incompatible && error.index >= 0)
        return fmt::format("polygon {}: {}", error.index,
                           nav_mesh_rule_text(static_cast<NavMeshRule>(error.detail)));
    return flag_error_text(error);
}

// Triangles that no name gives an area have area 1, as all of a file without names; names begin at 2.
void number_areas(formats::TriangleFile& level, bool named) {
    for (std::uint8_t& area : level.areas)
        area = named ? static_cast<std::uint8_t>(area + 1) : std::uint8_t{1};
}

/// Of the box around finite points.
Vec2 ground_size(std::span<const Vec3> points) {
    Aabb box{{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (const Vec3& p : points) {
        if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
        box = {{std::min(box.low.x, p.x), std::min(box.low.y, p.y)},
               {std::max(box.high.x, p.x), std::max(box.high.y, p.y)}};
    }
    return box.empty() ? Vec2{} : box.high - box.low;
}

void BakeNavMesh::list_keys(std::span<const bake::TileKey> keys) const {
    if (json) {
        fmt::print("{}\n", nlohmann::ordered_json{{"tile_keys", TileFlags::to_json(keys)}}.dump(2));
    } else {
        tiles.print(keys);
    }
}

void BakeNavMesh::run_triangles(const std::string& text) const {
    if (!terrain.empty()) fail("--terrain: for tile maps only");
    bake::BakeOptions baking = options();
    if (areas.size() > kAreasMax - 2) fail(fmt::format("--area: {} at most", kAreasMax - 2));
    std::vector<MeshLink> all_links = links.authored();
    const bool linked = links.finds_jumps() || !all_links.empty();
    bake::NavMeshExtras extras{.radius_max = largest_radius(), .landmarks = landmark_count()};
    Stages stages;
    formats::TriangleFile level = load_level(in, text, up, areas);
    number_areas(level, !areas.empty());
    const TriangleSoup soup{level.vertices, level.triangles, level.areas};
    if (tile_size.empty()) {
        const Vec2 size = ground_size(level.vertices);
        baking.tile_cells =
            default_tile(std::max(size.x, size.y) / baking.cell_size,
                         (extras.radius_max - baking.agent_radius) / baking.cell_size, kLevelTile);
    }
    if (baking.tile_cells != 0 && !baking.give_origin) {  // what keys count from
        baking.give_origin = true;
        baking.origin = soup_low_corner(soup);
    }
    refuse_bad_triangles(in, soup, baking);
    Array<bake::TileKey> keys;
    if (baking.tile_cells == 0) {
        tiles.refuse("only with --tile-size");
    } else if (const Result<void> done = bake::tile_keys(soup, baking, keys); !done) {
        fail_at(in, bake_error_text(done.error()));
    }
    if (out.empty()) return list_keys(keys.span());
    TileFlags::Kept kept = tiles.kept(keys.span());
    const double read_ms = stages.lap();
    const StopOnInterrupt stop;
    BakeProgress progress("bake");
    baking.progress = progress.hook();
    baking.only = kept.others();
    const Result<bake::BakedMesh> baked = bake::bake_mesh(soup, baking);
    progress.end();
    if (!baked) fail_at(in, bake_error_text(baked.error()));
    tell_left_out(in, soup, baking, baked->left_out);
    const double bake_ms = stages.lap();
    // Landmarks are measured once, with the links.
    if (linked) extras.landmarks = 0;
    extras.keys = keys.span();
    extras.kept = kept.tiles();
    extras.gate_work_max = gate_work_max();
    BakeProgress joining("mesh");
    extras.progress = joining.hook();
    Result<NavMesh> mesh = bake::navmesh_of(*baked, baking, extras);
    joining.end();
    if (!mesh) fail_at(in, bake_error_text(mesh.error()));
    const std::size_t from_file = all_links.size();
    if (links.finds_jumps()) links.find_jumps(soup, baking, *mesh, all_links);
    LinkCounts counts = links.put(all_links, landmark_count(), *mesh);
    if (linked && all_links.empty()) (void)mesh->measure_landmarks(landmark_count());
    counts.jumps = static_cast<std::uint32_t>(all_links.size() - from_file);
    if (StopOnInterrupt::asked()) fail_at(in, "stopped; nothing was written");
    const double mesh_ms = stages.lap();
    BakeReport report;
    report.fields = {{"triangles", level.triangles.size() / 3},
                     {"triangles_left_out", baked->left_out},
                     {"tiles_reused", kept.tiles().size()},
                     {"read_ms", read_ms},
                     {"bake_ms", bake_ms},
                     {"mesh_ms", mesh_ms}};
    if (tiles.lists()) report.fields["tile_keys"] = TileFlags::to_json(keys.span());
    if (!kept.tiles().empty()) report.text = fmt::format("; {} tiles reused", kept.tiles().size());
    report.text += fmt::format("; read {:.1f} ms, bake {:.1f} ms, mesh {:.1f} ms", read_ms, bake_ms, mesh_ms);
    finish(*mesh, counts, report, stages);
    if (tiles.lists() && !json) tiles.print(keys.span());
}

void BakeNavMesh::refuse_triangle_flags() const {
    for (const char* flag : kOfTriangles) {
        if (app->get_option(flag)->count() > 0) fail(fmt::format("{}: for levels of triangles only", flag));
    }
    links.refuse_jumps();
    tiles.refuse("for levels of triangles only");
    if (out.empty()) fail("--out is required");
}

void BakeNavMesh::run_map() const {
    refuse_triangle_flags();
    const std::vector<MeshLink> all_links = links.authored();
    const Grid grid = load_tiles(in, terrain);
    GridMeshOptions making{.agent_height = positive("--height", height),
                           .radius_max = largest_radius(),
                           .landmarks = all_links.empty() ? landmark_count() : 0,
                           .gate_work_max = gate_work_max()};
    if (tile_size.empty()) {
        const double cell = grid.state().cell_size();
        const int side = std::max(grid.state().width(), grid.state().height());
        making.tile_cells = static_cast<std::int32_t>(default_tile(side, making.radius_max / cell, kMapTile));
    } else if (positive("--tile-size", tile_size) > 0.0) {
        const double cells = positive("--tile-size", tile_size) / grid.state().cell_size();
        if (!(cells >= 1.0 && cells <= 4096.0 && cells == std::round(cells)))
            fail(fmt::format("--tile-size: {} is no whole number of cells from 1 to 4096", tile_size));
        making.tile_cells = static_cast<std::int32_t>(cells);
    }
    Stages stages;
    const StopOnInterrupt stop;
    BakeProgress progress("bake");
    making.progress = progress.hook();
    Result<NavMesh> mesh = make_grid_mesh(grid, making);
    progress.end();
    if (!mesh && mesh.error().code == ErrorCode::out_of_range && mesh.error().field == Field::areas)
        fail_at(in,
                fmt::format("terrain {} has no area: a mesh has {} of them", mesh.error().index, kAreasMax));
    if (!mesh) fail_at(in, bake_error_text(mesh.error()));
    const LinkCounts counts = links.put(all_links, landmark_count(), *mesh);
    if (StopOnInterrupt::asked()) fail_at(in, "stopped; nothing was written");
    const double mesh_ms = stages.lap();
    finish(*mesh, counts, {{{"mesh_ms", mesh_ms}}, fmt::format("; mesh {:.1f} ms", mesh_ms)}, stages);
}

void BakeNavMesh::run_plan(const std::string& text) const {
    refuse_triangle_flags();
    if (!terrain.empty()) fail("--terrain: for tile maps only");
    if (!tile_size.empty() && positive("--tile-size", tile_size) > 0.0)
        fail("--tile-size: a floor plan is one tile");
    const std::vector<MeshLink> all_links = links.authored();
    Stages stages;
    const formats::FloorPlan plan = expect(in, text, formats::load_floor_plan(text, file_limits()));
    const Result<formats::MeshFile> file = formats::mesh_of(plan);
    if (!file) fail_at(in, fmt::format("floor {}: {}", file.error().index, error_text(file.error().code)));
    const NavMeshTile tile = file->tile();
    const StopOnInterrupt stop;
    BakeProgress progress("bake");
    Result<NavMesh> mesh = NavMesh::make({.agent_height = positive("--height", height),
                                          .radius_max = largest_radius(),
                                          .tiles = {&tile, 1},
                                          .landmarks = all_links.empty() ? landmark_count() : 0,
                                          .gate_work_max = gate_work_max(),
                                          .progress = progress.hook()});
    progress.end();
    if (!mesh) fail_at(in, bake_error_text(mesh.error()));
    const LinkCounts counts = links.put(all_links, landmark_count(), *mesh);
    if (StopOnInterrupt::asked()) fail_at(in, "stopped; nothing was written");
    const double mesh_ms = stages.lap();
    finish(*mesh, counts, {{{"mesh_ms", mesh_ms}}, fmt::format("; mesh {:.1f} ms", mesh_ms)}, stages);
}

void BakeNavMesh::finish(const NavMesh& mesh, const LinkCounts& counts, const BakeReport& report,
                         Stages& stages) const {
    Array<std::uint8_t> bytes;
    if (const Result<void> done = save_mesh(mesh, bytes); !done)
        fail_at(out, error_text(done.error()).c_str());
    write_file(out, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const double save_ms = stages.lap();
    const NavMeshState& state = mesh.state();
    if (json) {
        nlohmann::ordered_json all{
            {"file", out},           {"tiles", state.tiles()},      {"polygons", state.polygons()},
            {"links", counts.links}, {"links_found", counts.jumps}, {"links_asleep", counts.asleep},
            {"bytes", bytes.size()}};
        all.update(report.fields);
        all["save_ms"] = save_ms;
        fmt::print("{}\n", all.dump(2));
        return;
    }
    std::string text = fmt::format("{}: {} polygons in {} tiles", out, state.polygons(), state.tiles());
    if (counts.links > 0) text += fmt::format(", {} links ({} found)", counts.links, counts.jumps);
    fmt::print("{}, {} bytes{}, save {:.1f} ms\n", text, bytes.size(), report.text, save_ms);
}

void BakeNavMesh::run() const {
    const std::string text = read_file(in);
    if (out.empty() && !tiles.lists()) fail("--out is required");
    switch (formats::sniff_kind(text)) {
        case formats::FileKind::obj:
        case formats::FileKind::gltf: return run_triangles(text);
        case formats::FileKind::tile_map:
        case formats::FileKind::scene: return run_map();
        case formats::FileKind::floor_plan: return run_plan(text);
        default:
            fail_at(in, fmt::format(
                            "this is a {}; an OBJ or glTF file, a tile map or a floor plan is needed here",
                            formats::kind_name(formats::sniff_kind(text))));
    }
}

}  // namespace

void add_bake_navmesh(CLI::App& bake, int& status) {
    CLI::App* sub =
        bake.add_subcommand("navmesh", "A level mesh from triangles (OBJ, glTF), a tile map or a floor plan");
    const auto command = std::make_shared<BakeNavMesh>();
    command->app = sub;
    sub->add_option(
           "IN", command->in,
           "The level: an OBJ or glTF file; a .map file or a scene, whose free cells it is; or a floor "
           "plan, JSON {\"floors\": [{\"rings\": [[[x, y], ...], ...]}]}")
        ->required();
    sub->add_option("-o,--out", command->out, "The file to write, .fl");
    const auto number = [&](const char* flag, std::string& value, const char* what) {
        sub->add_option(flag, value, what)->capture_default_str();
    };
    number("--cell-size", command->cell_size, "Side of a cell on the ground");
    number("--cell-height", command->cell_height, "Height of a cell");
    number("--radius", command->radius,
           "The surface keeps this far from walls: the smallest unit's radius; 0 will do");
    number("--radius-max", command->radius_max, "The largest radius that routes will be asked for");
    number("--height", command->height, "Head room");
    number("--climb", command->climb, "The highest step, in units of length");
    number("--slope", command->slope, "The steepest ground, in degrees");
    number("--edge-error", command->edge_error, "Cells that a border may be off the cells' border");
    number("--tile-size", command->tile_size,
           "Side of a tile, in units of length; 0: one tile. Without it one tile, or with --radius-max some "
           "of them, as work for "
           "gates grows with the square of a tile");
    sub->add_option("--min-island", command->island, "Smaller islands are left out, in cells")
        ->capture_default_str();
    sub->add_option("--landmarks", command->landmarks, "More make long searches shorter, 0 to 16")
        ->capture_default_str();
    sub->add_option("--up", command->up, "The axis that is up in the file: y or z")->capture_default_str();
    sub->add_option("--origin", command->origin, "X,Y,Z of the grid's origin; else the level's low corner");
    sub->add_option(
        "--area", command->areas,
        "Groups, objects or materials of this name get an area of their own: the first 2, the next 3, ...; "
        "all others have area 1");
    sub->add_option("--terrain", command->terrain,
                    "Tile maps: what their letters are, 0 = wall: 'S=3,T=0,W=5'; terrain t is area t - 1");
    command->threads.add(*sub);
    sub->add_flag("--refuse-bad", command->refuse_bad,
                  "A bad triangle is an error; else it is left out, and told of");
    sub->add_flag("--json", command->json, "The report for machines");
    command->links.add(*sub);
    command->tiles.add(*sub);
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
