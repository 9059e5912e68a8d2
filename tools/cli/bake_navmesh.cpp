// fairlead bake navmesh: from the triangles of a level to a baked mesh.

#include "cli/bake_navmesh.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/formats/file.h>
#include <fairlead/formats/triangles.h>
#include <fairlead/mesh/save_mesh.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

constexpr int kBakeThreadsMax = 256;
constexpr double kRadPerDegree = 0.017453292519943295;

volatile std::sig_atomic_t interrupted = 0;

/// While it lives, Ctrl-C asks the bake to stop; no file is written then.
class StopOnInterrupt {
  public:
    StopOnInterrupt() : before_(std::signal(SIGINT, [](int) { interrupted = 1; })) {}
    StopOnInterrupt(const StopOnInterrupt&) = delete;
    StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;
    ~StopOnInterrupt() { std::signal(SIGINT, before_); }

  private:
    void (*before_)(int);
};

/// Wall time of the stages.
class Stages {
  public:
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const std::chrono::duration<double, std::milli> gone = now - last_;
        last_ = now;
        return gone.count();
    }

  private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Jobs of the bake on some threads.
struct Threads {
    int count = 1;

    [[nodiscard]] bake::Jobs jobs() { return {count > 1 ? &run : nullptr, this}; }

  private:
    static void run(void* user, std::size_t count, void (*job)(void* context, std::size_t index),
                    void* context) {
        std::atomic<std::size_t> next{0};
        const auto work = [&] {
            for (std::size_t i = next++; i < count; i = next++) job(context, i);
        };
        std::vector<std::thread> others;
        const auto wanted = static_cast<std::size_t>(static_cast<Threads*>(user)->count);
        for (std::size_t i = 1; i < wanted && i < count; ++i) others.emplace_back(work);
        work();
        for (std::thread& other : others) other.join();
    }
};

/// A progress bar that learns what there is to do with the first report.
struct BakeProgress {
    std::optional<Progress> bar;

    [[nodiscard]] bake::Progress hook() {
        return {[](void* user, std::size_t done, std::size_t all) {
                    auto& self = *static_cast<BakeProgress*>(user);
                    if (!self.bar) self.bar.emplace("bake", all);
                    self.bar->at(done);
                    return interrupted == 0;
                },
                this};
    }
};

struct BakeNavMesh {
    std::string in, out, up = "y", origin;
    std::string cell_size = "0.3", cell_height = "0.2", radius = "0.6", height = "2", climb = "0.9",
                slope = "45", edge_error = "1.3", tile_size, radius_max;
    int landmarks = static_cast<int>(kLandmarksMax);
    int island = 64;
    int threads = 1;
    std::vector<std::string> areas;
    bool refuse_bad = false;
    bool json = false;

    void run() const;
    [[nodiscard]] bake::BakeOptions options() const;
    [[nodiscard]] formats::TriangleFile load() const;
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
    if (!tile_size.empty()) {
        const double cells = std::round(positive("--tile-size", tile_size) / made.cell_size);
        if (!(cells >= 16.0 && cells <= 4096.0))
            fail(fmt::format("--tile-size: {} is {} cells; 16 to 4096 are possible", tile_size, cells));
        made.tile_cells = static_cast<std::uint32_t>(cells);
    }
    if (!origin.empty()) {
        const std::vector<std::optional<double>> numbers = to_numbers("--origin", origin);
        if (numbers.size() != 3 || !numbers[0] || !numbers[1] || !numbers[2])
            fail(fmt::format("--origin: {} is not X,Y,Z", origin));
        made.give_origin = true;
        made.origin = {*numbers[0], *numbers[1], *numbers[2]};
    }
    if (threads < 1 || threads > kBakeThreadsMax)
        fail(fmt::format("--threads: {} is not 1 to {}", threads, kBakeThreadsMax));
    return made;
}

formats::TriangleFile BakeNavMesh::load() const {
    if (up != "y" && up != "z") fail(fmt::format("--up: {} is not y or z", up));
    std::filesystem::path folder = std::filesystem::path(in).parent_path();
    formats::TriangleFileOptions reading{.up = up == "y" ? formats::UpAxis::y : formats::UpAxis::z,
                                         .area_names = areas};
    reading.load_beside = [](std::string_view uri, void* user) {
        return formats::load_file((*static_cast<std::filesystem::path*>(user) / uri).string());
    };
    reading.user = &folder;
    const std::string text = read_file(in);
    const formats::FileKind kind = formats::sniff_kind(text);
    if (kind == formats::FileKind::obj) return expect(in, text, formats::load_obj(text, reading));
    if (kind == formats::FileKind::gltf) return expect(in, text, formats::load_gltf(text, reading));
    fail_at(in, fmt::format("this is a {}; triangles are needed here: an OBJ or glTF file",
                            formats::kind_name(kind)));
}

std::string bake_error_text(const Error& error) {
    constexpr const char* kOptions[] = {"--cell-size", "--cell-height", "--height",    "--radius", "--climb",
                                        "--slope",     "--edge-error",  "--tile-size", "--origin"};
    const std::string reason = error_text(error.code);
    if (error.code == ErrorCode::incompatible && error.index == 10) return "stopped; nothing was written";
    if (error.code == ErrorCode::incompatible && error.index == 7)
        return "--tile-size: the radius reaches over a whole tile";
    if (error.code == ErrorCode::incompatible && error.index >= 0)
        return fmt::format("polygon {}: {}", error.index,
                           nav_mesh_rule_text(static_cast<NavMeshRule>(error.detail)));
    if (error.code == ErrorCode::out_of_range && error.index >= 0 &&
        error.index < static_cast<std::int64_t>(std::size(kOptions)))
        return fmt::format("{}: {}", kOptions[error.index], reason);
    return reason;
}

// Triangles that no name gives an area have area 1, as all of a file without names; names begin at 2.
void number_areas(formats::TriangleFile& level, bool named) {
    for (std::uint8_t& area : level.areas)
        area = named ? static_cast<std::uint8_t>(area + 1) : std::uint8_t{1};
}

void BakeNavMesh::run() const {
    bake::BakeOptions baking = options();
    if (landmarks < 0 || landmarks > static_cast<int>(kLandmarksMax))
        fail(fmt::format("--landmarks: {} is not 0 to {}", landmarks, kLandmarksMax));
    if (areas.size() > kAreasMax - 2) fail(fmt::format("--area: {} at most", kAreasMax - 2));
    const bake::NavMeshExtras extras{
        .radius_max = radius_max.empty() ? 0.0 : positive("--radius-max", radius_max),
        .landmarks = static_cast<std::uint32_t>(landmarks)};
    Stages stages;
    formats::TriangleFile level = load();
    number_areas(level, !areas.empty());
    const double read_ms = stages.lap();
    const StopOnInterrupt stop;
    Threads workers{threads};
    BakeProgress progress;
    baking.jobs = workers.jobs();
    baking.progress = progress.hook();
    const TriangleSoup soup{level.vertices, level.triangles, level.areas};
    const Result<bake::BakedMesh> baked = bake::bake_mesh(soup, baking);
    progress.bar.reset();
    if (!baked) fail_at(in, bake_error_text(baked.error()));
    const double bake_ms = stages.lap();
    const Result<NavMesh> mesh = bake::navmesh_of(*baked, baking, extras);
    if (!mesh) fail_at(in, bake_error_text(mesh.error()));
    if (interrupted != 0) fail_at(in, "stopped; nothing was written");
    const double mesh_ms = stages.lap();
    Array<std::uint8_t> bytes;
    if (const Result<void> done = save_mesh(*mesh, bytes); !done) fail_at(out, error_text(done.error().code));
    write_file(out, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const double save_ms = stages.lap();
    const NavMeshState& state = mesh->state();
    if (json) {
        const nlohmann::ordered_json report{{"file", out},
                                            {"triangles", level.triangles.size() / 3},
                                            {"tiles", state.tiles()},
                                            {"polygons", state.polygons()},
                                            {"bytes", bytes.size()},
                                            {"read_ms", read_ms},
                                            {"bake_ms", bake_ms},
                                            {"mesh_ms", mesh_ms},
                                            {"save_ms", save_ms}};
        fmt::print("{}\n", report.dump(2));
        return;
    }
    fmt::print(
        "{}: {} polygons in {} tiles, {} bytes; read {:.1f} ms, bake {:.1f} ms, mesh {:.1f} ms, save {:.1f} "
        "ms\n",
        out, state.polygons(), state.tiles(), bytes.size(), read_ms, bake_ms, mesh_ms, save_ms);
}

}  // namespace

void add_bake_navmesh(CLI::App& bake, int& status) {
    CLI::App* sub = bake.add_subcommand("navmesh", "A level mesh from the triangles of an OBJ or glTF file");
    const auto command = std::make_shared<BakeNavMesh>();
    sub->add_option("IN", command->in, "The level: an OBJ or glTF file (.obj, .glb, .gltf)")->required();
    sub->add_option("-o,--out", command->out, "The file to write, .fl")->required();
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
    number("--tile-size", command->tile_size, "Side of a tile; without it the mesh is one tile");
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
    sub->add_option("--threads", command->threads, "Threads")->capture_default_str();
    sub->add_flag("--refuse-bad", command->refuse_bad, "A bad triangle is an error; else it is left out");
    sub->add_flag("--json", command->json, "The report for machines");
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
