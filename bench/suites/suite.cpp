// The list of suites, the report, the figures file.

#include "suites/suite.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "suites/article_suites.h"

namespace fairlead::bench {

namespace {

constexpr Suite kSuites[] = {
    {"tiles", "tile routes: our planners and Boost's A*, the same queries", run_tiles},
    {"planners", "every planner by name, on one map", run_planners},
    {"radii", "discs wider than a tile beside one of 0.4 tiles, the same pairs", run_radii},
    {"sealed", "goals that cannot be reached", run_sealed},
    {"edits", "edits of a 1024 x 1024 map with three registered sizes, kept exact", run_edits},
    {"dynamic", "routes on maps that change between the queries, edits included", run_dynamic},
    {"smooth", "smoothing: time a query, and length against the tile route", run_smooth},
    {"build", "making a grid from tiles", run_build},
    {"curves", "Dubins and Reeds-Shepp curves beside OMPL's, the same pairs", run_curves},
    {"turning", "turning units: queries beside OMPL's planners, preparing, edits, fields", run_turning},
    {"turning_large", "turning units on maps of 2048 x 2048: queries, unreachable goals, memory, preparing",
     run_turning_large},
    {"budget", "what a unit of the budget costs, beside an expansion of A*", run_budget},
    {"memory", "bytes a cell", run_memory},
    {"meshes", "routes on level meshes beside Detour, the same mesh and queries; any radius", run_meshes},
    {"mesh_bake", "baking levels beside Recast: time, threads, memory", run_mesh_bake},
    {"mesh_obstacles", "obstacles on level meshes beside DetourTileCache", run_mesh_obstacles},
    {"voxels", "triangles into voxels beside a plain test of each voxel of a triangle's box", run_voxels},
    {"volume_data", "volumes: memory, cached files, edits, the whole bake", run_volume_data},
    {"schedule", "a scheduler: what it adds, how it keeps its time, first legs, letting go", run_schedule},
    {"flow", "flow fields: filling, 10,000 units in one field, from how many units on one pays", run_flow},
    {"hierarchy", "large maps: over clusters beside the flat search, made, asked, edited", run_hierarchy},
    {"explore", "a unit that does not know the map: fresh searches beside D* Lite, the same walk",
     run_explore},
    {"crowd", "a thousand units that set off, and 500 that go to one place, beside DetourCrowd", run_crowd},
    {"window", "the articles' fixed window beside sorted linked lists, the same maps and costs", run_window},
    {"articles", "what the articles say of sampling, smoothing by width and compass headings", run_articles},
};

std::string processor() {
    std::ifstream file{"/proc/cpuinfo"};
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

/// Four digits: more would only say how busy the machine was.
double rounded(double value) { return std::stod(fmt::format("{:.4g}", value)); }

std::string compiler() {
#if defined(__clang__)
    return fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#elif defined(__GNUC__)
    return fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__);
#else
    return "unknown";
#endif
}

}  // namespace

void Report::add(const std::string& world, const std::string& subject, const std::string& what, double value,
                 const std::string& unit) {
    figures_.push_back({world, subject, what, unit, value});
    if (on_figure_) on_figure_(figures_.back());
}

std::span<const Suite> suites() { return kSuites; }

const Suite* find_suite(const std::string& name) {
    for (const Suite& suite : kSuites) {
        if (name == suite.name) return &suite;
    }
    return nullptr;
}

std::string data_folder(const std::string& given) {
    std::error_code none;
    const auto folder = [&](const std::string& path) {
        return std::filesystem::is_directory(path + "/maps", none);
    };
    if (!given.empty()) return folder(given) ? given : std::string{};
    if (const char* set = std::getenv("FAIRLEAD_DATA"); set != nullptr && folder(set)) return set;
    const std::string beside = FAIRLEAD_SOURCE_DIR "/../shared/data";
    return folder(beside) ? beside : std::string{};
}

std::string figures_json(const Suite& suite, const std::vector<Figure>& figures) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Figure& figure : figures) {
        rows.push_back({{"world", figure.world},
                        {"subject", figure.subject},
                        {"what", figure.what},
                        {"value", rounded(figure.value)},
                        {"unit", figure.unit}});
    }
    const nlohmann::ordered_json file{{"suite", suite.name},
                                      {"what", suite.what},
                                      {"command", fmt::format("./run bench {}", suite.name)},
                                      {"processor", processor()},
                                      {"compiler", compiler()},
                                      {"figures", rows}};
    return file.dump(1) + "\n";
}

}  // namespace fairlead::bench
