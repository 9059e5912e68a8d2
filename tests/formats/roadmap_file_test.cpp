#include <fairlead/formats/roadmap_file.h>

#include <string>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

namespace fairlead::formats {
namespace {

TEST(RoadmapFile, Loads) {
    const auto roadmap = load_roadmap(R"({
        "title": "Harbour", "_note": ["anything"],
        "edges": [{"from": 7, "to": 1}, {"to": 7, "from": 1, "cost": 12.5, "one_way": true}],
        "nodes": [{"id": 1, "x": 2.5, "y": 3}, {"id": 7, "x": 9, "y": 3, "z": 1.5}],
        "walls": [{"polygon": [[4, 1], [6, 1], [6, 2]]}, {"line": [[0, 5], [10, 5]]}],
        "roads": [{"width": 6, "speed_max": 8.5}, {}, {"width": 3}],
        "map": "harbour.map"})");
    ASSERT_TRUE(roadmap.has_value());
    EXPECT_EQ(roadmap->title, "Harbour");
    EXPECT_EQ(roadmap->nodes, (std::vector<RoadmapNode>{{1, {2.5, 3, 0}}, {7, {9, 3, 1.5}}}));
    EXPECT_EQ(roadmap->edges,
              (std::vector<RoadmapEdge>{{1, 0, RoadmapEdge::kStraight, false}, {0, 1, 12.5, true}}));
    EXPECT_EQ(roadmap->walls, (std::vector<RoadmapWall>{{0, 3, true}, {3, 2, false}}));
    EXPECT_EQ(roadmap->wall_points.size(), 5U);
    EXPECT_EQ(roadmap->wall_points[4], (Vec2{10, 5}));
    EXPECT_EQ(roadmap->roads, (std::vector<RoadKind>{{6.0, 8.5}, {}, {3.0, kNoLimit}}));
    EXPECT_EQ(roadmap->map_file, "harbour.map");
}

TEST(RoadmapFile, SavesWhatItLoaded) {
    Rng rng(9);
    for (int i = 0; i < 100; ++i) {
        RoadmapFile roadmap;
        roadmap.title = i % 2 == 0 ? "" : "\"quoted\" \\ \x01 \xc3\xa9";
        const std::uint32_t nodes = rng.below(30);
        for (std::uint32_t n = 0; n < nodes; ++n) {
            roadmap.nodes.push_back(
                {std::int64_t{n} * 1000003 % 997, {rng.between(-9.0, 9.0), rng.unit(), n % 3 * 0.1}});
        }
        for (std::uint32_t n = 0; nodes > 1 && n < 40; ++n) {
            const std::uint32_t from = rng.below(nodes);
            const std::uint32_t to = (from + 1 + rng.below(nodes - 1)) % nodes;
            roadmap.edges.push_back(
                {from, to, rng.below(2) == 0 ? RoadmapEdge::kStraight : rng.unit(), rng.below(2) == 0});
        }
        for (std::uint32_t n = rng.below(5); n > 0; --n) {
            const auto first = static_cast<std::uint32_t>(roadmap.wall_points.size());
            roadmap.walls.push_back({first, 3 + n, n % 2 == 0});
            for (std::uint32_t p = 0; p < 3 + n; ++p) roadmap.wall_points.push_back({rng.unit(), rng.unit()});
        }
        for (std::uint32_t n = rng.below(4); n > 0; --n) {
            const double width = rng.below(2) == 0 ? 0.0 : rng.unit();
            roadmap.roads.push_back({width, rng.below(2) == 0 ? kNoLimit : 0.1 + rng.unit()});
        }
        roadmap.map_file = i % 3 == 0 ? "a/b.map" : "";
        const auto again = load_roadmap(save_roadmap(roadmap));
        ASSERT_TRUE(again.has_value()) << save_roadmap(roadmap);
        EXPECT_EQ(*again, roadmap);
    }
}

TEST(RoadmapFile, BadRoads) {
    const auto error = [](const std::string& roads) {
        return load_roadmap(R"({"nodes": [], "roads": [)" + roads + "]}").error().code;
    };
    EXPECT_EQ(error(R"({"width": -1})"), ErrorCode::text_value);
    EXPECT_EQ(error(R"({"speed_max": 0})"), ErrorCode::text_value);
    EXPECT_EQ(error(R"({"lanes": 2})"), ErrorCode::text_keyword);
    EXPECT_EQ(error(R"({"width": 1, "width": 1})"), ErrorCode::text_duplicate);
    EXPECT_EQ(error("3"), ErrorCode::text_type);
    std::string many = "{}";
    for (int i = 0; i < 256; ++i) many += ",{}";
    EXPECT_EQ(error(many), ErrorCode::size_limit);
}

}  // namespace
}  // namespace fairlead::formats
