// The article's figures: all there, numbered as the article numbers them, with labels that the docs explain; and what Figure 1 says.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gallery/drive_plan.h"
#include "gallery/figure.h"
#include "gallery/stages.h"
#include "gallery/techniques.h"

namespace fairlead::gallery {
namespace {

std::string read(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

TEST(ArticleFigures, AreThereOnceEachInOrder) {
    std::vector<int> numbers;
    for (const Figure& figure : all_figures()) {
        const int number = article_number(figure.id);
        if (number == 0) continue;
        numbers.push_back(number);
        const std::string begins = "The article's Figure " + std::to_string(number) + ":";
        EXPECT_EQ(std::string{figure.title}.rfind(begins, 0), 0U) << figure.id << ": " << figure.title;
    }
    std::vector<int> wanted;
    for (int i = 1; i <= 18; ++i) wanted.push_back(i);
    EXPECT_EQ(numbers, wanted);
}

TEST(ArticleFigures, NumbersAreRead) {
    EXPECT_EQ(article_number("article_7_corner"), 7);
    EXPECT_EQ(article_number("article_16_cones"), 16);
    EXPECT_EQ(article_number("article_mesh_graph"), 0);
    EXPECT_EQ(article_number("town"), 0);
    EXPECT_EQ(article_number(""), 0);
}

// docs/gallery.md has a row for each figure of the article and one for each technique; no others.
TEST(ArticleFigures, AreInTheDocs) {
    const std::string docs = read("docs/gallery.md");
    for (const Figure& figure : all_figures()) {
        if (std::string_view{figure.id}.substr(0, 8) != "article_") continue;
        EXPECT_NE(docs.find("`" + std::string{figure.id} + "`"), std::string::npos) << figure.id;
    }
}

TEST(Techniques, EveryLabelIsExplained) {
    const std::string docs = read("docs/gallery.md");
    std::set<std::string> used;
    for (const Figure& figure : all_figures()) {
        std::istringstream labels{figure.techniques};
        for (std::string id; labels >> id;) {
            EXPECT_NE(technique_name(id), "") << figure.id << ": " << id;
            used.insert(id);
        }
    }
    std::size_t rows = 0;
    for (const Technique& technique : all_techniques()) {
        const std::string row = "| " + std::string{technique.id} + " | " + std::string{technique.name} + " |";
        EXPECT_NE(docs.find(row), std::string::npos) << row;
        EXPECT_TRUE(used.contains(std::string{technique.id})) << technique.id << ": no picture shows it";
        ++rows;
    }
    EXPECT_GT(rows, 60U);
    EXPECT_EQ(technique_name("Z9"), "");
}

struct Figure1 {
    World world = load_world("scenes", "article_1_stages");
    StagesQuery query{};
    Stages stages{};

    Figure1() {
        const DriveQuery drive = drive_query(world.query("drive"));
        query = {.start = drive.start.pose(), .goal = drive.goal.at.pose(), .agent = drive.agent};
        Scratch scratch;
        EXPECT_TRUE(make_stages_into(world.grid.state(), query, scratch, stages));
    }
    [[nodiscard]] std::size_t clipped(const Route& route, const Agent& body) const {
        const Result<std::vector<Cell>> cells = find_clipped(world.grid.state(), route, body);
        return cells ? cells->size() : 999;
    }
};

TEST(Stages, AreWhatTheArticleShows) {
    const Figure1 f;
    const Agent disc{.radius = inscribed_radius(f.query.agent)};
    EXPECT_GE(f.stages.tiles.legs.size(), 5U);                             // a zigzag
    EXPECT_LT(f.stages.smoothed.legs.size(), f.stages.tiles.legs.size());  // straightened
    EXPECT_EQ(f.clipped(f.stages.tiles, disc), 0U);
    EXPECT_EQ(f.clipped(f.stages.smoothed, disc), 0U);
    EXPECT_FALSE(f.stages.curved.legal);
    EXPECT_GT(f.clipped(f.stages.curved.route, f.query.agent), 0U);
    EXPECT_EQ(f.clipped(f.stages.driven, f.query.agent), 0U);
    EXPECT_FALSE(verify(f.stages.driven, f.world.grid.state(), f.query.agent));
    for (const Route* route :
         {&f.stages.tiles, &f.stages.smoothed, &f.stages.curved.route, &f.stages.driven}) {
        const Vec2 end = ground(route->end.position);
        EXPECT_NEAR(distance(end, f.query.goal.position), 0.0, 1e-9);
    }
}

// The hit tiles against bodies laid down every hundredth of a tile.
TEST(Stages, ClippedTilesAreThoseThatSamplesMeet) {
    const Figure1 f;
    const Agent& ship = f.query.agent;
    const GridState& grid = f.world.grid.state();
    const Result<std::vector<Cell>> found = find_clipped(grid, f.stages.curved.route, ship);
    ASSERT_TRUE(found);
    std::set<std::pair<int, int>> told;
    for (const Cell& cell : *found) told.insert({cell.x, cell.y});
    std::set<std::pair<int, int>> met;
    const double half = ship.length / 2 - ship.radius;
    for (double at = 0.0; at <= f.stages.curved.route.length; at += 0.01) {
        const Place place = place_on_route(f.stages.curved.route, at);
        for (int k = -10; k <= 10; ++k) {
            const double along = half * k / 10.0;
            const Vec2 p = ground(place.position) +
                           Vec2{std::cos(place.heading_rad), std::sin(place.heading_rad)} * along;
            for (int y = 0; y < grid.height(); ++y) {
                for (int x = 0; x < grid.width(); ++x) {
                    if (grid.tile({x, y}) != 0) continue;
                    const double dx = std::max({x - p.x, 0.0, p.x - (x + 1)});
                    const double dy = std::max({y - p.y, 0.0, p.y - (y + 1)});
                    if (dx * dx + dy * dy < ship.radius * ship.radius - 1e-6) met.insert({x, y});
                }
            }
        }
    }
    EXPECT_EQ(told, met);
    EXPECT_FALSE(told.empty());
}

TEST(Stages, SayWhatIsMissing) {
    Result<Grid> wall = Grid::make({.width = 12, .height = 8});
    ASSERT_TRUE(wall);
    ASSERT_TRUE(wall->fill({{6, 0}, {7, 8}}, 0));
    Scratch scratch;
    Stages stages;
    const Agent ship{.radius = 0.4, .shape = BodyShape::capsule, .length = 1.6, .turning_radius = 1.5};
    ASSERT_TRUE(make_stages_into(wall->state(), {.start = {{2, 4}, 0}, .goal = {{10, 4}, 0}, .agent = ship},
                                 scratch, stages));
    EXPECT_EQ(stages.tiles.status, PathStatus::unreachable);
    EXPECT_EQ(stages.curved.route.status, PathStatus::unreachable);
    EXPECT_EQ(stages.driven.status, PathStatus::unreachable);
    ASSERT_TRUE(make_stages_into(wall->state(), {.start = {{6.5, 4}, 0}, .goal = {{10, 4}, 0}, .agent = ship},
                                 scratch, stages));
    EXPECT_EQ(stages.driven.status, PathStatus::start_blocked);
    EXPECT_FALSE(make_stages_into(
        wall->state(), {.start = {{NAN, 4}, 0}, .goal = {{10, 4}, 0}, .agent = ship}, scratch, stages));
}

}  // namespace
}  // namespace fairlead::gallery
