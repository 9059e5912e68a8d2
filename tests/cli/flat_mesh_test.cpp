// fairlead bake navmesh from tile maps and floor plans: maps and meshes meet.
#include <string>
#include <vector>

#include "cli/hall.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

[[nodiscard]] json bake_flat(const std::string& in, const std::string& out,
                             const std::vector<std::string>& more) {
    const RunResult run = run_cli(with({"bake", "navmesh", in, "-o", out, "--json"}, more));
    EXPECT_EQ(run.status, 0) << run.err;
    return run.status == 0 ? json::parse(run.out) : json{};
}

TEST(FlatMeshCommand, OfATileMap) {
    const std::string file = temp_path("yard.fl");
    for (const std::vector<std::string>& tiles :
         {std::vector<std::string>{}, {"--tile-size", "4", "--radius-max", "1"}}) {
        const json report = bake_flat(kYard, file, tiles);
        EXPECT_GT(report["polygons"], 1);
        EXPECT_EQ(report["tiles"].get<int>() > 1, !tiles.empty());
        for (const char* goal : {"6.5,6.5", "1.5,6.5", "6.5,1.5", "3.5,4.5"}) {
            const json tile = route_json(kYard, "1.5,1.5", {"--goal", goal});
            const json mesh = route_json(file, "1.5,1.5", {"--goal", goal});
            ASSERT_EQ(tile["status"], mesh["status"]) << goal;
            if (tile["status"] != "complete") continue;
            EXPECT_LE(mesh["length"].get<double>(), tile["length"].get<double>() + 1e-9);
            EXPECT_GT(mesh["length"].get<double>(), 0.8 * tile["length"].get<double>());
        }
    }
    // A mesh's route is legal among the tiles.
    const std::string queries = temp_path("yard.csv"), out = temp_path("yard.jsonl");
    write_text(queries, "id,sx,sy,sz,sh,gx,gy,gz,gh\n1,1.5,1.5,,,6.5,6.5,,\n2,1.5,6.5,,,6.5,1.5,,\n");
    ASSERT_EQ(run_cli({"batch", file, queries, "-o", out}).status, 0);
    const RunResult judged = run_cli({"verify", kYard, out});
    EXPECT_EQ(judged.status, 0) << judged.out;
    EXPECT_EQ(run_cli({"check", file}).status, 0);
}

TEST(FlatMeshCommand, TerrainBecomesAreas) {
    const std::string map = temp_path("swamp.map"), file = temp_path("swamp.fl");
    write_text(map, "type octile\nheight 3\nwidth 5\nmap\n..S..\n..S..\n..S..\n");
    (void)bake_flat(map, file, {"--terrain", "S=3"});
    EXPECT_EQ(route_json(file, "0.5,1.5", {"--goal", "4.5,1.5"})["length"], 4.0);
    EXPECT_EQ(route_json(file, "0.5,1.5", {"--goal", "4.5,1.5", "--closed-areas", "2"})["status"],
              "unreachable");
}

// A scene is its map.
TEST(FlatMeshCommand, OfAScene) {
    const std::string scene = "scenes/article_12_rings.json", file = temp_path("scene.fl");
    EXPECT_GT(bake_flat(scene, file, {})["polygons"], 1);
    const json tile = route_json(scene, "0.5,0.5", {"--goal", "11.5,11.5"});
    const json mesh = route_json(file, "0.5,0.5", {"--goal", "11.5,11.5"});
    EXPECT_EQ(tile["status"], mesh["status"]);
    expect_refused({"bake", "navmesh", scene, "-o", file, "--terrain", "S=3"}, {"--terrain", "scene"});
}

const char* const kPlan = R"({"floors": [
    {"rings": [[[0, 0], [9, 0], [9, 9], [0, 9]], [[3, 3], [6, 3], [6, 6], [3, 6]]]},
    {"z": 3, "area": 5, "rings": [[[12, 0], [20, 0], [20, 9], [12, 9]]]}]})";

TEST(FlatMeshCommand, OfAFloorPlan) {
    const std::string plan = temp_path("plan.json"), file = temp_path("plan.fl"),
                      links = temp_path("stairs.json");
    write_text(plan, kPlan);
    EXPECT_EQ(bake_flat(plan, file, {})["tiles"], 1);
    const json round = route_json(file, "1,4.5", {"--goal", "8,4.5"});
    EXPECT_EQ(round["length"], 8.0);  // 2.5 to a corner of the hole, 3 along it, and 2.5
    EXPECT_EQ(route_json(file, "1,4.5,0", {"--goal", "14,4,3"})["status"], "unreachable");
    write_text(links, R"({"links": [{"id": 1, "from": [8.5, 4, 0], "to": [12.5, 4, 3], "extent": 2}]})");
    EXPECT_EQ(bake_flat(plan, file, {"--links", links, "--radius-max", "1"})["links"], 1);
    const json up = route_json(file, "8,4,0", {"--goal", "14,4,3"});
    EXPECT_EQ(up["status"], "complete");
    EXPECT_EQ(up["cost"], 0.5 + 5.0 + 1.5);
    EXPECT_EQ(up["links"].size(), 1U);
    EXPECT_EQ(route_json(file, "8,4,0", {"--goal", "14,4,3", "--closed-areas", "5"})["status"],
              "goal_blocked");
    EXPECT_EQ(run_cli({"check", file}).status, 0);
}

TEST(FlatMeshCommand, Refusals) {
    const std::string plan = temp_path("plan.json"), file = temp_path("plan.fl");
    write_text(plan, kPlan);
    const auto refused = [&](const std::string& in, const std::vector<std::string>& more,
                             const std::vector<std::string>& words) {
        expect_refused(with({"bake", "navmesh", in, "-o", file}, more), words);
    };
    for (const std::string& in : {kYard, plan}) {
        for (const char* flag :
             {"--cell-size", "--radius", "--slope", "--origin", "--jump-gap-max", "--reuse"})
            refused(in, {flag, "1"}, {flag, "triangles only"});
        refused(in, {"--jumps"}, {"--jumps", "triangles only"});
        refused(in, {"--radius-max", "-1"}, {"--radius-max"});
        refused(in, {"--landmarks", "17"}, {"--landmarks"});
    }
    refused(kYard, {"--tile-size", "2.5"}, {"--tile-size", "whole number of cells"});
    refused(plan, {"--tile-size", "4"}, {"--tile-size", "one tile"});
    refused(plan, {"--terrain", "S=3"}, {"--terrain"});
    refused("tests/fixtures/cli/bad_letter.map", {}, {"bad_letter.map:5:3"});
    write_text(plan, "{\"floors\": [\n{\"rings\": [[[0, 0], [1, 0]]]}]}");
    refused(plan, {}, {"plan.json:2:12"});
}

}  // namespace
}  // namespace fairlead::testing
