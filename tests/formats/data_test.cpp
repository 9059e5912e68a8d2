// The published files: all of them load, and they mean what the headers say. FAIRLEAD_TEST_PERCENT=1000
// checks every query of the dynamic scenarios instead of one in ten.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/formats/formats.h>

#include "support/environment.h"

namespace fairlead::formats {
namespace {

std::vector<std::string> files_below(const std::string& folder, const std::string& extension) {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.path().extension() == extension)
            paths.push_back(entry.path().string());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

// Optimal octile lengths on a plain bitmap, by A* on (straight, diagonal) counts: no code of the library.
class Reference {
  public:
    Reference(int width, int height) : width_(width), height_(height) {
        const auto cells = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
        free_.assign(cells, 1);
        best_.assign(cells, {});
    }

    void set(int x, int y, bool free) { free_[at(x, y)] = free ? 1 : 0; }

    // kNoRoute: none.
    double length(Cell start, Cell goal) {
        ++generation_;
        open_.clear();
        if (!is_free(start.x, start.y) || !is_free(goal.x, goal.y)) return kNoRoute;
        goal_ = goal;
        relax(start.x, start.y, 0, 0);
        while (!open_.empty()) {
            const auto [f, x, y] = *open_.begin();
            open_.erase(open_.begin());
            const Counts counts = best_[at(x, y)].counts;
            if (x == goal.x && y == goal.y) return value(counts);
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx) step(x, y, dx, dy, counts);
            }
        }
        return kNoRoute;
    }

  private:
    struct Counts {
        int straight = 0;
        int diagonal = 0;
    };
    struct Node {
        Counts counts;
        unsigned generation = 0;
    };
    struct Entry {
        double f;
        int x;
        int y;
        bool operator<(const Entry& other) const {
            return f != other.f ? f < other.f : (x != other.x ? x < other.x : y < other.y);
        }
    };

    static double value(Counts counts) { return counts.straight + counts.diagonal * std::sqrt(2.0); }
    [[nodiscard]] std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
    }
    [[nodiscard]] bool is_free(int x, int y) const {
        return x >= 0 && y >= 0 && x < width_ && y < height_ && free_[at(x, y)] != 0;
    }
    [[nodiscard]] double estimate(int x, int y) const {
        const int dx = std::abs(x - goal_.x);
        const int dy = std::abs(y - goal_.y);
        return value({std::max(dx, dy) - std::min(dx, dy), std::min(dx, dy)});
    }
    void step(int x, int y, int dx, int dy, Counts counts) {
        if ((dx == 0 && dy == 0) || !is_free(x + dx, y + dy)) return;
        if (dx == 0 || dy == 0) {
            relax(x + dx, y + dy, counts.straight + 1, counts.diagonal);
        } else if (is_free(x + dx, y) && is_free(x, y + dy)) {
            relax(x + dx, y + dy, counts.straight, counts.diagonal + 1);
        }
    }
    void relax(int x, int y, int straight, int diagonal) {
        Node& node = best_[at(x, y)];
        const Counts counts{straight, diagonal};
        if (node.generation == generation_ && value(node.counts) <= value(counts) + 1e-9) return;
        node = {counts, generation_};
        open_.insert({value(counts) + estimate(x, y), x, y});
    }

    int width_;
    int height_;
    std::vector<char> free_;
    std::vector<Node> best_;
    std::set<Entry> open_;
    unsigned generation_ = 0;
    Cell goal_{};
};

// `wanted` of `total`, evenly.
bool chosen(std::size_t i, std::size_t total, std::size_t wanted) {
    return wanted >= total || i * wanted / total != (i + 1) * wanted / total;
}

TEST(Data, EveryMapLoads) {
    FAIRLEAD_REQUIRE_DATA(root, "maps");
    const std::vector<std::string> paths = files_below(root, ".map");
    EXPECT_GE(paths.size(), 27U);
    for (const std::string& path : paths) {
        const Result<std::string> text = load_file(path);
        ASSERT_TRUE(text.has_value()) << error_line(path, text.error());
        EXPECT_EQ(sniff_kind(*text), FileKind::tile_map) << path;
        const Result<TileMap> map = load_tile_map(*text);
        ASSERT_TRUE(map.has_value()) << error_line(path, map.error(), *text);
        EXPECT_EQ(save_tile_map(*load_tile_map(save_tile_map(*map))), save_tile_map(*map));
    }
}

TEST(Data, EveryScenarioLoadsAndFitsItsMap) {
    FAIRLEAD_REQUIRE_DATA(root, "maps");
    const std::vector<std::string> paths = files_below(root, ".scen");
    EXPECT_GE(paths.size(), 29U);
    std::size_t queries = 0;
    for (const std::string& path : paths) {
        const Result<std::string> text = load_file(path);
        ASSERT_TRUE(text.has_value()) << error_line(path, text.error());
        EXPECT_EQ(sniff_kind(*text), FileKind::scenario) << path;
        const Result<Scenario> scenario = load_scenario(*text);
        ASSERT_TRUE(scenario.has_value()) << error_line(path, scenario.error(), *text);
        queries += scenario->queries.size();
        if (scenario->version == 2) continue;
        EXPECT_EQ(scenario->maps.size(), 1U) << path;
        const Result<TileMap> map = load_tile_map(*load_file(path.substr(0, path.size() - 5)));
        ASSERT_TRUE(map.has_value()) << path;
        EXPECT_EQ(scenario->width, map->width) << path;
        EXPECT_EQ(scenario->height, map->height) << path;
    }
    EXPECT_GT(queries, 60000U);
}

TEST(Data, PublishedLengthsAgreeAtPrintedPrecision) {
    FAIRLEAD_REQUIRE_DATA(root, "maps");
    // One of each way to print: six significant digits, two decimals, eight decimals, whole numbers.
    for (const char* name : {"dao/arena.map", "dao/den520d.map", "dao/lak503d.map", "bg512/AR0700SR.map",
                             "cities/Berlin_0_256.map", "mazes/maze512-1-0.map"}) {
        const std::string path = root + "/" + name;
        const TileMap map = *load_tile_map(*load_file(path));
        const Scenario scenario = *load_scenario(*load_file(path + ".scen"));
        Reference reference(map.width, map.height);
        for (std::int32_t y = 0; y < map.height; ++y) {
            for (std::int32_t x = 0; x < map.width; ++x) {
                reference.set(x, y, TileTable::movingai().tile(map.at(x, y)) != 0);
            }
        }
        const auto wanted = static_cast<std::size_t>(testing::trials(40));
        for (std::size_t i = 0; i < scenario.queries.size(); ++i) {
            if (!chosen(i, scenario.queries.size(), wanted)) continue;
            const ScenarioQuery& query = scenario.queries[i];
            const double length = reference.length(query.start, query.goal);
            EXPECT_TRUE(length_agrees(scenario, query, length)) << name << ":" << query.line << " " << length;
            EXPECT_FALSE(length_agrees(scenario, query, length + 0.05)) << name << ":" << query.line;
        }
    }
}

// The finding written in scenario.h: all free at first, and a placement replaces its whole rectangle.
TEST(Data, DynamicScenariosMeanWhatTheHeaderSays) {
    FAIRLEAD_REQUIRE_DATA(root, "maps/dynamic");
    for (const auto& [name, full] :
         {std::pair("dao_arena2", 200), std::pair("switch_sc1_Aurora_TheFrozenSea", 22)}) {
        const std::string path = root + "/" + name;
        const Scenario scenario = *load_scenario(*load_file(path + ".scen"));
        EXPECT_EQ(scenario.patch_file, std::string(name) + ".patch");
        const std::string patch_text = *load_file(root + "/" + scenario.patch_file);
        EXPECT_EQ(sniff_kind(patch_text), FileKind::patches);
        const PatchFile file = *load_patches(patch_text);
        ASSERT_TRUE(check_placements(scenario, file).has_value());
        Reference reference(scenario.width, scenario.height);
        std::size_t applied = 0;
        std::size_t checked = 0;
        for (std::size_t i = 0; i < scenario.queries.size(); ++i) {
            const ScenarioQuery& query = scenario.queries[i];
            for (; applied < query.patches_before; ++applied) {
                const PatchPlacement& placement = scenario.placements[applied];
                const TileMap& patch = file.patches[placement.patch];
                for (std::int32_t y = 0; y < patch.height; ++y) {
                    for (std::int32_t x = 0; x < patch.width; ++x) {
                        const bool free = TileTable::movingai().tile(patch.at(x, y)) != 0;
                        reference.set(placement.x + x, placement.y + y, free);
                    }
                }
            }
            if (!chosen(i, scenario.queries.size(), static_cast<std::size_t>(testing::trials(full))))
                continue;
            const double length = reference.length(query.start, query.goal);
            EXPECT_TRUE(length_agrees(scenario, query, length)) << name << ":" << query.line << " " << length;
            ++checked;
        }
        EXPECT_GT(checked, 0U);
    }
}

TEST(Data, OtherFilesAreKnown) {
    FAIRLEAD_REQUIRE_DATA(poses, "poses");
    for (const std::string& path : files_below(poses, ".csv")) {
        const std::string text = *load_file(path);
        EXPECT_EQ(sniff_kind(text), FileKind::queries) << path;
        const auto rows = load_queries(text);
        ASSERT_TRUE(rows.has_value()) << error_line(path, rows.error(), text);
        EXPECT_EQ(rows->size(), 40U) << path;
    }
    FAIRLEAD_REQUIRE_DATA(voxels, "voxels");
    for (const std::string& path : files_below(voxels, ".gz")) {
        const Result<std::string> text = load_file(path);
        ASSERT_TRUE(text.has_value()) << error_line(path, text.error());
        const bool scenario = path.find(".3dscen") != std::string::npos;
        EXPECT_EQ(sniff_kind(*text), scenario ? FileKind::scenario_3d : FileKind::voxel_map) << path;
    }
    FAIRLEAD_REQUIRE_DATA(meshes, "meshes/reference");
    for (const std::string& path : files_below(meshes, ".mesh")) {
        EXPECT_EQ(sniff_kind(*load_file(path)), FileKind::polyanya_mesh) << path;
    }
}

}  // namespace
}  // namespace fairlead::formats
