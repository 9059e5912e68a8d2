// The repository's scenes give what their authors state: each query is asked of its grid, after the edits before it.
#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <fairlead/formats/file.h>
#include <fairlead/formats/scene.h>
#include <fairlead/grid/find_route.h>

#include "support/environment.h"

namespace fairlead::formats {
namespace {

void check_query(Grid& grid, const SceneQuery& query, Scratch& scratch) {
    for (const SceneEdit& edit : query.edits) ASSERT_TRUE(grid.fill(edit.rect, edit.tile).has_value());
    const Result<Route> route = find_route(grid, query.grid_query(), scratch);
    ASSERT_TRUE(route.has_value()) << error_name(route.error().code);
    const SceneExpectation& expect = query.expect;
    if (expect.status) {
        EXPECT_STREQ(status_name(route->status), status_name(*expect.status));
    }
    const auto near = [](double a, double b) { return std::fabs(a - b) <= 1e-6 * (1.0 + std::fabs(b)); };
    if (expect.length) {
        EXPECT_PRED2(near, route->length, *expect.length);
    }
    if (expect.cost) {
        EXPECT_PRED2(near, route->cost, *expect.cost);
    }
    if (expect.legs) {
        EXPECT_EQ(static_cast<std::int64_t>(route->legs.size()), *expect.legs);
    }
    if (expect.digest) {
        EXPECT_EQ(route->stats.digest, *expect.digest);
    }
}

TEST(SceneRoutes, AreAsStated) {
    Scratch scratch;
    int queries = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::source_path("scenes"))) {
        if (entry.path().extension() != ".json") continue;
        const Result<std::string> text = load_file(entry.path().string());
        ASSERT_TRUE(text.has_value());
        if (sniff_kind(*text) != FileKind::scene) continue;
        const Result<Scene> scene = load_scene(*text);
        ASSERT_TRUE(scene.has_value()) << error_line(entry.path().string(), scene.error(), *text);
        Result<Grid> grid = Grid::make(scene->grid_options(), scene->tiles);
        ASSERT_TRUE(grid.has_value()) << entry.path() << " " << error_name(grid.error().code);
        for (const SceneQuery& query : scene->queries) {
            if (query.drives()) continue;  // the gallery's tests ask these
            SCOPED_TRACE(entry.path().filename().string() + ": " + query.name);
            check_query(*grid, query, scratch);
            ++queries;
        }
    }
    EXPECT_GE(queries, 11);
}

}  // namespace
}  // namespace fairlead::formats
