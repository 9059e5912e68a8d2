// A designer's named areas in scenes: which cells they are, what they cost, what is refused and where.

#include <string>

#include <fairlead/formats/scene.h>
#include <fairlead/grid/find_route.h>
#include <gtest/gtest.h>

namespace fairlead::testing {
namespace {

using formats::load_scene;
using formats::Scene;

std::string scene_with(const std::string& areas) {
    return R"({"map": ["......", "..##..", "......"], "areas": )" + areas + R"(, "queries": []})";
}

Error area_error(const std::string& areas) {
    const Result<Scene> scene = load_scene(scene_with(areas));
    return scene ? Error{ErrorCode::out_of_memory} : scene.error();
}

TEST(SceneAreas, AreKindsOfTerrainOfTheirOwn) {
    const Result<Scene> scene = load_scene(scene_with(
        R"([{"name": "swamp", "rect": [1, 0, 4, 2], "cost": 7}, {"name": "hill", "rect": [4, 2, 6, 3], "cost": 2},
            {"name": "swamp", "rect": [0, 2, 1, 3]}])"));
    ASSERT_TRUE(scene.has_value());
    ASSERT_EQ(scene->areas.size(), 2u);
    EXPECT_EQ(scene->areas[0].name, "swamp");
    EXPECT_EQ(scene->areas[0].cost, 7);
    const std::uint8_t swamp = scene->areas[0].terrain, hill = scene->areas[1].terrain;
    EXPECT_NE(swamp, hill);
    const std::vector<std::uint8_t> tiles = {1,     swamp, swamp, swamp, 1,    1,  //
                                             1,     swamp, 0,     0,     1,    1,  // walls stay
                                             swamp, 1,     1,     1,     hill, hill};
    EXPECT_EQ(scene->tiles, tiles);
    const Result<Grid> grid = Grid::make(scene->grid_options(), scene->tiles);
    ASSERT_TRUE(grid.has_value());
    EXPECT_EQ(grid->state().cost({1, 0, 0}), 7);
    EXPECT_EQ(grid->state().cost({5, 2, 0}), 2);
    EXPECT_EQ(grid->state().cost({0, 0, 0}), 1);
}

// What they cost one unit is the query's to say.
TEST(SceneAreas, AQueryClosesOrPricesThem) {
    const Result<Scene> scene =
        load_scene(scene_with(R"([{"name": "ford", "rect": [0, 1, 2, 2], "cost": 4}])"));
    ASSERT_TRUE(scene.has_value());
    const Result<Grid> grid = Grid::make(scene->grid_options(), scene->tiles);
    ASSERT_TRUE(grid.has_value());
    Scratch scratch;
    GridQuery query{.start = Cell{0, 0}, .goal = Cell{0, 2}, .smoothing = Smoothing::none};
    const auto cost = [&] {
        const Result<Route> route = find_route(*grid, query, scratch);
        return route ? route->cost : -1.0;
    };
    EXPECT_EQ(cost(), 5.0);
    std::vector<double> factors(256, 1.0);
    factors[scene->areas[0].terrain] = 0.5;
    query.terrain.factors = factors;
    EXPECT_EQ(cost(), 3.0);
    factors[scene->areas[0].terrain] = 0.0;
    EXPECT_GT(cost(), 7.0);
}

TEST(SceneAreas, FaultsAreNamed) {
    EXPECT_EQ(area_error(R"([{"rect": [0, 0, 1, 1], "cost": 2}])").code, ErrorCode::text_missing);
    EXPECT_EQ(area_error(R"([{"name": "", "rect": [0, 0, 1, 1], "cost": 2}])").code, ErrorCode::text_missing);
    EXPECT_EQ(area_error(R"([{"name": "a", "cost": 2}])").code, ErrorCode::text_missing);
    EXPECT_EQ(area_error(R"([{"name": "a", "rect": [0, 0, 1, 1]}])").code, ErrorCode::text_missing);
    EXPECT_EQ(area_error(R"([{"name": "a", "rect": [0, 0, 7, 1], "cost": 2}])").code, ErrorCode::text_value);
    EXPECT_EQ(area_error(R"([{"name": "a", "rect": [0, 0, 0, 1], "cost": 2}])").code, ErrorCode::text_value);
    EXPECT_EQ(area_error(R"([{"name": "a", "rect": [0, 0, 1, 1], "cost": 0}])").code, ErrorCode::text_value);
    EXPECT_EQ(area_error(R"([{"name": "a", "rect": [0, 0, 1, 1], "cost": 1024}])").code,
              ErrorCode::text_value);
    EXPECT_EQ(area_error(R"([{"name": "a", "rect": [0, 0, 1, 1], "cost": 2, "layer": 1}])").code,
              ErrorCode::text_value);
    EXPECT_EQ(area_error(R"([{"name": "a", "rect": [0, 0, 1, 1], "cost": 2, "color": 1}])").code,
              ErrorCode::text_keyword);
    EXPECT_EQ(area_error(R"([{"name": "a", "rect": [0, 0, 1, 1], "cost": 2},
                          {"name": "a", "rect": [1, 0, 2, 1], "cost": 3}])")
                  .code,
              ErrorCode::text_value);
}

TEST(SceneAreas, AsManyAsThereAreKindsLeft) {
    std::string areas = "[";
    for (int i = 0; i < 254; ++i)
        areas += (i > 0 ? ", " : "") + std::string(R"({"name": "a)") + std::to_string(i) +
                 R"(", "rect": [0, 0, 1, 1], "cost": 2})";
    EXPECT_TRUE(load_scene(scene_with(areas + "]")).has_value());
    areas += R"(, {"name": "more", "rect": [0, 0, 1, 1], "cost": 2}])";
    EXPECT_EQ(area_error(areas).code, ErrorCode::text_extra);
}

}  // namespace
}  // namespace fairlead::testing
