// The world of a scenario.

#include "cli/scen_world.h"

#include <filesystem>

#include <fmt/format.h>

#include <fairlead/formats/file.h>
#include <fairlead/verify/verify.h>

#include "cli/failure.h"
#include "cli/limits.h"
#include "cli/solve.h"
#include "cli/world.h"
#include "measure/clock.h"

namespace fairlead::cli {

namespace {

std::string patch_path(const std::string& scen, const std::string& name) {
    return (std::filesystem::path(scen).parent_path() / name).string();
}

/// Names end in .gz where the file was packed beside the scenario.
std::string existing(const std::string& path) {
    std::error_code none;
    return !std::filesystem::exists(path, none) && std::filesystem::exists(path + ".gz", none) ? path + ".gz"
                                                                                               : path;
}

}  // namespace

ScenWorld::ScenWorld(const std::string& map, const std::string& scen, const GridQuery& plain)
    : plain_(plain) {
    const std::string text = read_file(scen);
    const formats::FileKind kind = formats::sniff_kind(text);
    if (kind != formats::FileKind::scenario && kind != formats::FileKind::unknown) {
        fail_at(scen, fmt::format("this is a {}; a scenario is needed here", formats::kind_name(kind)));
    }
    scenario_ = expect(scen, text, formats::load_scenario(text, file_limits()));
    dynamic() ? load_patches(map, scen, text) : load_map(map, scen);
}

void ScenWorld::load_map(const std::string& map, const std::string& scen) {
    const formats::TileTable table = formats::TileTable::movingai();
    const formats::TileMap file = cli::load_map(map, table);
    tiles_ = expect(map, {}, formats::make_tiles(file, table));
    width_ = file.width;
    height_ = file.height;
    for (const formats::ScenarioQuery& query : scenario_.queries) {
        const formats::ScenarioMap& stated = scenario_.maps[query.map];
        if (stated.width != width_ || stated.height != height_) {
            fail(fmt::format("{}:{}: for a map of {} x {} cells; {} has {} x {}", scen, query.line,
                             stated.width, stated.height, map, width_, height_));
        }
    }
}

void ScenWorld::load_patches(const std::string& map, const std::string& scen, const std::string& scen_text) {
    width_ = scenario_.width;
    height_ = scenario_.height;
    std::string path = existing(patch_path(scen, scenario_.patch_file));
    if (map != "-") {
        const std::string text = read_file(map);
        if (formats::sniff_kind(text) == formats::FileKind::tile_map) {
            const formats::TileMap file = expect(map, text, formats::load_tile_map(text, file_limits()));
            if (file.width != width_ || file.height != height_) {
                fail(fmt::format("{}: {} x {} cells; the scenario's world has {} x {}", map, file.width,
                                 file.height, width_, height_));
            }
        } else {
            path = map;
        }
    }
    const std::string text = read_file(path);
    patches_ = expect(path, text, formats::load_patches(text, file_limits()));
    if (const Result<void> good = formats::check_placements(scenario_, patches_); !good) {
        fail_file(scen, good.error(), scen_text);
    }
    for (const formats::TileMap& patch : patches_.patches) {
        patch_tiles_.push_back(
            expect(path, text, formats::make_tiles(patch, formats::TileTable::movingai())));
    }
}

std::uint64_t ScenWorld::restart() {
    grid_.reset();
    applied_ = 0;
    const std::uint64_t before = measure::thread_ns();
    Result<Grid> grid = Grid::make({.width = width_, .height = height_, .corner = plain_.corner}, tiles_);
    const std::uint64_t after = measure::thread_ns();
    if (!grid) fail_at("the scenario's world", error_text(grid.error()).c_str());
    grid_.emplace(std::move(*grid));
    return after - before;
}

std::uint64_t ScenWorld::advance(std::size_t i) {
    const std::size_t wanted = scenario_.queries[i].patches_before;
    if (applied_ >= wanted) return 0;
    const std::uint64_t before = measure::thread_ns();
    for (; applied_ < wanted; ++applied_) {
        const formats::PatchPlacement& placement = scenario_.placements[applied_];
        const CellRect rect = formats::placement_rect(placement, patches_.patches[placement.patch]);
        const Result<void> set = grid_->set(rect, patch_tiles_[placement.patch]);
        if (!set)
            fail_at(fmt::format("the patch of line {}", placement.line), error_text(set.error()).c_str());
    }
    return measure::thread_ns() - before;
}

std::string ScenWorld::places(std::size_t i) const {
    const formats::ScenarioQuery& q = scenario_.queries[i];
    return fmt::format("{},{},{},{},{}", q.bucket, q.start.x, q.start.y, q.goal.x, q.goal.y);
}

std::uint64_t ScenWorld::search(std::size_t i, Scratch& scratch, Route& route) const {
    const formats::ScenarioQuery& asked = scenario_.queries[i];
    GridQuery query = plain_;
    query.start = grid().cell_centre(asked.start);
    query.goal = grid().cell_centre(asked.goal);
    const Result<std::uint64_t> ns = timed_search(*grid_, query, scratch, route);
    if (!ns) fail_at(fmt::format("the query of line {}", asked.line), query_error_text(ns.error()));
    return *ns;
}

bool ScenWorld::is_legal(const Route& route) const { return !verify(route, *grid_, plain_.agent); }

bool ScenWorld::agrees(std::size_t i, const Route&, double length) const {
    return formats::length_agrees(scenario_, scenario_.queries[i], length);
}

std::size_t ScenWorld::index_bytes() const {
    const GridMemory memory = grid().memory();
    return memory.clearance + memory.sizes + memory.connectivity;
}

}  // namespace fairlead::cli
