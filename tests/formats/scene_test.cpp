#include <fairlead/formats/scene.h>

#include <filesystem>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <fairlead/formats/file.h>

#include "support/environment.h"

namespace fairlead::formats {
namespace {

TEST(Scene, Loads) {
    const auto scene =
        load_scene(*load_file(testing::source_path("tests/fixtures/formats/scene/good_everything.json")));
    ASSERT_TRUE(scene.has_value());
    EXPECT_EQ(scene->title, "All");
    EXPECT_EQ(scene->techniques, (std::vector<std::string>{"W7", "P4"}));
    EXPECT_EQ(scene->width, 3);
    EXPECT_EQ(scene->height, 2);
    EXPECT_EQ(scene->layers, 2);
    EXPECT_EQ(scene->letters, "A.s#.B.....C");
    EXPECT_EQ(scene->tiles, (std::vector<std::uint8_t>{1, 1, 5, 0, 1, 1, 1, 1, 1, 1, 1, 1}));
    ASSERT_EQ(scene->terrain_costs.size(), 256U);
    EXPECT_EQ(scene->terrain_costs[5], 300);
    EXPECT_EQ(scene->terrain_costs[7], 7);
    ASSERT_EQ(scene->portals.size(), 1U);
    EXPECT_EQ(scene->portals[0].from, (Cell{2, 1, 0}));
    EXPECT_EQ(scene->portals[0].to, (Cell{2, 1, 1}));
    EXPECT_EQ(scene->portals[0].cost, 2.5);
    EXPECT_FALSE(scene->portals[0].two_way);

    const GridOptions options = scene->grid_options();
    EXPECT_EQ(options.layers, 2);
    EXPECT_EQ(options.origin, (Vec2{10, -2}));
    EXPECT_EQ(options.cell_size, 0.5);
    EXPECT_TRUE(options.wrap_x && options.wrap_y);
    EXPECT_EQ(options.corner, CornerRule::one_free);
    ASSERT_EQ(options.sizes.size(), 2U);
    EXPECT_EQ(options.sizes[0].radius, 0.4);
    EXPECT_EQ(options.sizes[1].footprint, 2);
    EXPECT_EQ(options.portals.size(), 1U);
    EXPECT_EQ(options.terrain_costs.size(), 256U);

    ASSERT_EQ(scene->queries.size(), 4U);
    const SceneQuery& first = scene->queries[0];
    const GridQuery query = first.grid_query();
    EXPECT_EQ(query.start.ground(), (Vec2{10.25, -1.75}));
    EXPECT_EQ(query.start.layer, 0);
    EXPECT_EQ(query.goal.kind, Goal::Kind::point);
    EXPECT_EQ(query.goal.at.ground(), (Vec2{11.25, -1.25}));
    EXPECT_EQ(query.goal.at.layer, 1);
    EXPECT_EQ(first.start_heading_deg, 90.0);
    EXPECT_EQ(first.goal_heading_deg, -45.5);
    EXPECT_EQ(query.agent.radius, 0.4);
    EXPECT_EQ(query.planner, GridPlanner::weighted_astar);
    EXPECT_EQ(query.smoothing, Smoothing::none);
    EXPECT_EQ(query.corner, CornerRule::always);
    EXPECT_EQ(query.neighbours, Neighbourhood::four);
    EXPECT_EQ(query.heuristic, GridHeuristic::manhattan);
    EXPECT_EQ(query.epsilon, 2.0);
    EXPECT_EQ(query.turn_penalty, 0.5);  // a file says cells
    EXPECT_FALSE(query.window_grows);
    EXPECT_TRUE(query.partial);
    EXPECT_EQ(query.expansions_max, 1000U);
    ASSERT_EQ(query.terrain.factors.size(), 256U);
    EXPECT_EQ(query.terrain.factors[5], 0);
    EXPECT_EQ(query.terrain.factors[1], 1.0);
    ASSERT_EQ(query.blockers.size(), 2U);
    EXPECT_EQ(query.blockers[0].radius, 0.5);
    EXPECT_TRUE(query.blockers[0].box.empty());
    EXPECT_EQ(query.blockers[1].box, (Aabb{{0, 0}, {1, 1}}));
    EXPECT_EQ(query.blockers[1].layer, 1);
    ASSERT_EQ(query.influence.cells.size(), 12U);
    EXPECT_EQ(query.influence.cells[5], 9);
    EXPECT_EQ(query.influence.weight, 3);
    ASSERT_EQ(first.edits.size(), 1U);
    EXPECT_EQ(first.edits[0], (SceneEdit{{{0, 0}, {2, 1}, 1}, 0}));
    EXPECT_EQ(first.expect.status, PathStatus::complete);
    EXPECT_EQ(first.expect.length, 1.5);
    EXPECT_EQ(first.expect.cost, 2.0);
    EXPECT_EQ(first.expect.legs, 3);
    EXPECT_EQ(first.expect.digest, 0xffU);

    EXPECT_EQ(scene->queries[1].grid_query().goal.kind, Goal::Kind::within);
    EXPECT_EQ(scene->queries[1].grid_query().goal.range, 2.0);
    EXPECT_EQ(scene->queries[2].grid_query().goal.kind, Goal::Kind::adjacent);
    EXPECT_EQ(scene->queries[2].grid_query().goal.at.ground(), (Vec2{11, -1.5}));
    const Goal any = scene->queries[3].grid_query().goal;
    EXPECT_EQ(any.kind, Goal::Kind::any_of);
    ASSERT_EQ(any.list.size(), 2U);
    EXPECT_EQ(any.list[1].ground(), (Vec2{11.25, -1.25}));
}

TEST(Scene, DefaultsAreThoseOfTheQuery) {
    const auto scene =
        load_scene(R"({"queries": [{"start": [0.5, 0.5], "goal": [1.5, 0.5]}], "map": [".#@"]})");
    ASSERT_TRUE(scene.has_value());
    EXPECT_EQ(scene->tiles, (std::vector<std::uint8_t>{1, 0, 0}));
    const GridQuery query = scene->queries[0].grid_query();
    const GridQuery usual;
    EXPECT_EQ(query.planner, usual.planner);
    EXPECT_EQ(query.smoothing, usual.smoothing);
    EXPECT_EQ(query.expansions_max, usual.expansions_max);
    EXPECT_TRUE(query.terrain.factors.empty() && query.blockers.empty() && query.influence.cells.empty());
    EXPECT_TRUE(scene->grid_options().terrain_costs.empty());
}

// Moved scenes keep what their queries refer to.
TEST(Scene, MovesAsAWhole) {
    Result<Scene> loaded = load_scene(R"({"map": ["A."], "legend": {"A": 1},
        "queries": [{"start": "A", "goal": {"kind": "any_of", "points": ["A", [1.5, 0.5]]}}]})");
    ASSERT_TRUE(loaded.has_value());
    const Scene moved = std::move(*loaded);
    EXPECT_EQ(moved.queries[0].grid_query().goal.list.size(), 2U);
}

// Every scene of the repository loads, says what it shows, and names its queries.
TEST(Scene, TheRepositorysScenes) {
    std::set<std::string> titles;
    int scenes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::source_path("scenes"))) {
        if (entry.path().extension() != ".json") continue;
        const std::string path = entry.path().string();
        const Result<std::string> text = load_file(path);
        ASSERT_TRUE(text.has_value()) << error_line(path, text.error());
        if (sniff_kind(*text) != FileKind::scene) continue;
        const Result<Scene> scene = load_scene(*text);
        ASSERT_TRUE(scene.has_value()) << error_line(path, scene.error(), *text);
        EXPECT_FALSE(scene->title.empty()) << path;
        EXPECT_FALSE(scene->caption.empty()) << path;
        EXPECT_FALSE(scene->techniques.empty()) << path;
        EXPECT_TRUE(titles.insert(scene->title).second) << "twice: " << scene->title;
        std::set<std::string> names;
        for (const SceneQuery& query : scene->queries) EXPECT_TRUE(names.insert(query.name).second) << path;
        ++scenes;
    }
    EXPECT_GE(scenes, 3);
}

}  // namespace
}  // namespace fairlead::formats
