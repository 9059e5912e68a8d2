// Roadmap files as WORLD: route, batch and verify.

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/cli_test.h"
#include "support/xml_check.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

const std::string kCosts = "scenes/roadmaps/costs.json";
const std::string kHarbour = "scenes/roadmaps/harbour.json";
const std::string kLane = "tests/fixtures/cli/lane.json";

json roadmap_json(const std::string& world, const std::string& start, const std::string& goal,
                  const std::vector<std::string>& more = {}) {
    return route_json(world, start, with({"--goal", goal}, more));
}

// The numbers of W1: 2 + 1 + 1 = 4 by three edges; the other way round the jump down does not count.
TEST(RoadmapCommand, CostsOfEdges) {
    const json there = roadmap_json(kCosts, "2,6", "16,5");
    EXPECT_EQ(there["status"], "complete");
    EXPECT_EQ(there["cost"], 4.0);
    EXPECT_EQ(there["legs"].size(), 3u);
    EXPECT_EQ(there["bound"], 1.0);
    EXPECT_EQ(there["planner"], "astar");
    const json down = roadmap_json(kCosts, "11,3", "11,9");
    EXPECT_EQ(down["cost"], 1.0);
    const json up = roadmap_json(kCosts, "11,9", "11,3");
    EXPECT_EQ(up["cost"], 3.0);  // by way of 5
    for (const char* planner : {"auto", "astar", "dijkstra", "greedy_best_first"}) {
        EXPECT_EQ(roadmap_json(kCosts, "2,6", "16,5", {"--planner", planner})["status"], "complete")
            << planner;
    }
}

TEST(RoadmapCommand, AttachedAroundTheWalls) {
    const json route = roadmap_json(kHarbour, "3,20.5", "36.5,3", {"--radius", "0.4"});
    EXPECT_EQ(route["status"], "complete");
    EXPECT_GE(route["legs"].size(), 3u);
    EXPECT_EQ(roadmap_json(kHarbour, "7,6", "36.5,3", {"--radius", "0.4"})["status"], "start_blocked");
    EXPECT_EQ(roadmap_json(kHarbour, "3,20.5", "7,6", {"--radius", "0.4"})["status"], "goal_blocked");
}

// The map beside the file: row 0 and row 3 of room.map are parted by a wall.
TEST(RoadmapCommand, TheMapThatTheFileNames) {
    const json route = roadmap_json(kLane, "0.5,0.5", "5.5,1.5");
    EXPECT_EQ(route["status"], "complete");
    EXPECT_EQ(roadmap_json(kLane, "3.5,3.5", "5.5,1.5")["status"], "start_blocked");
}

TEST(RoadmapCommand, Picture) {
    const std::string svg = temp_path("harbour.svg");
    const std::string trace = temp_path("harbour.json");
    const json route =
        roadmap_json(kHarbour, "3,20.5", "36.5,3", {"--radius", "0.4", "--svg", svg, "--trace", trace});
    const std::string picture = read_text(svg);
    EXPECT_EQ(XmlCheck::run(picture), "");
    for (const char* part : {"class=\"walls\"", "class=\"edges\"", "class=\"nodes\"", "class=\"route\""}) {
        EXPECT_NE(picture.find(part), std::string::npos) << part;
    }
    EXPECT_EQ(json::parse(read_text(trace))["counts"]["expand"], route["stats"]["expanded"]);
}

TEST(RoadmapCommand, BatchAndVerify) {
    std::string csv = "id,sx,sy,sz,sh,gx,gy,gz,gh\n";
    for (int i = 0; i < 60; ++i) {
        const int x = 1 + i * 7 % 38;
        const int y = 1 + i * 5 % 20;
        csv += std::to_string(i) + "," + std::to_string(x) + "," + std::to_string(y) + ".5,,90,36.5,3,,\n";
    }
    const std::string queries = temp_path("queries.csv");
    write_text(queries, csv);
    std::string first;
    for (const char* threads : {"1", "3"}) {
        const std::string out = temp_path("routes.jsonl");
        const RunResult run = run_cli(
            {"batch", kHarbour, queries, "--radius", "0.4", "--no-times", "--threads", threads, "-o", out});
        ASSERT_EQ(run.status, 0) << run.err;
        EXPECT_NE(run.out.find("60 routes"), std::string::npos) << run.out;
        if (first.empty()) first = read_text(out);
        EXPECT_EQ(read_text(out), first);
        const RunResult good = run_cli({"verify", kHarbour, out, "--radius", "0.4"});
        EXPECT_EQ(good.status, 0) << good.out;
        EXPECT_EQ(good.out_lines()[0], "60 routes, 60 legal, 0 illegal");
        EXPECT_EQ(good.out_lines()[1], "not checked: edges against walls (--check-edges)");
    }
}

TEST(RoadmapCommand, VerifyFindsTheWrongWay) {
    // Against the one-way edge from 3 to 4 of costs.json; and a leg that ends in the air.
    const std::string routes = temp_path("wrong.jsonl");
    write_text(routes,
               "{\"id\":1,\"status\":\"complete\",\"legs\":[{\"x\":11,\"y\":3,\"heading\":1.5707963267948966,"
               "\"length\":6}],\"end\":{\"x\":11,\"y\":9}}\n"
               "{\"id\":2,\"status\":\"complete\",\"legs\":[{\"x\":2,\"y\":6,\"heading\":0,\"length\":4}],"
               "\"end\":{\"x\":11,\"y\":9}}\n"
               "{\"id\":3,\"status\":\"complete\",\"legs\":["
               "{\"x\":6,\"y\":3,\"heading\":0,\"length\":5},"
               "{\"x\":11,\"y\":3,\"heading\":3.141592653589793,\"length\":5},"
               "{\"x\":6,\"y\":3,\"heading\":1.5707963267948966,\"length\":6},"
               "{\"x\":6,\"y\":9,\"heading\":0,\"length\":5},"
               "{\"x\":11,\"y\":9,\"heading\":-1.5707963267948966,\"length\":6},"
               "{\"x\":11,\"y\":3,\"heading\":3.141592653589793,\"length\":5}],\"end\":{\"x\":6,\"y\":3}}\n");
    const RunResult run = run_cli({"verify", kCosts, routes});
    EXPECT_EQ(run.status, 1);
    const std::vector<std::string> lines = run.out_lines();
    ASSERT_EQ(lines.size(), 4u) << run.out;
    EXPECT_NE(lines[0].find("wrong.jsonl:2: route 2: leg_end: leg 0"), std::string::npos) << lines[0];
    EXPECT_NE(lines[1].find("wrong.jsonl:3: route 3: edge: leg 4"), std::string::npos) << lines[1];
    EXPECT_EQ(lines[2], "3 routes, 1 legal, 2 illegal");
}

// By the exact checker: off the net the unit keeps clear of the roadmap's walls and of the map that the file names; on
// it only when that is asked for.
TEST(RoadmapCommand, VerifyAgainstWallsAndTiles) {
    const std::string routes = temp_path("walls.jsonl");
    const auto leg = [](double x, double y, double heading, double length) {
        return json{{"x", x}, {"y", y}, {"heading", heading}, {"length", length}};
    };
    const auto route = [](int id, const std::vector<json>& legs, double x, double y) {
        return json{{"id", id}, {"status", "complete"}, {"legs", legs}, {"end", {{"x", x}, {"y", y}}}}
                   .dump() +
               "\n";
    };
    // Past the first shed of the harbour, whose lower side is y = 5: with 0.4 to spare, and with 1e-6 less.
    write_text(routes,
               route(1, {leg(5, 4.6, 0, 7)}, 12, 4.6) + route(2, {leg(5, 4.600001, 0, 7)}, 12, 4.600001));
    const RunResult run = run_cli({"verify", kHarbour, routes, "--radius", "0.4", "--json"});
    EXPECT_EQ(run.status, 1);
    ASSERT_EQ(run.out_lines().size(), 2u) << run.out;
    EXPECT_EQ(json::parse(run.out_lines()[0])["legal"], true);
    const json bad = json::parse(run.out_lines()[1]);
    EXPECT_EQ(bad["kind"], "wall");
    EXPECT_EQ(bad["leg"], 0);
    EXPECT_NEAR(bad["depth"].get<double>(), 1e-6, 1e-9);
    EXPECT_NEAR(bad["distance"].get<double>(), 1.0, 1e-2);
    EXPECT_NE(run.err.find("2 routes, 1 legal, 1 illegal"), std::string::npos) << run.err;

    // Down into the room of the map, through its wall; and along the edge from 2 to 3, which ends in that wall.
    const double down = -1.5707963267948966;
    write_text(routes,
               route(1, {leg(3.5, 0.5, -down, 2)}, 3.5, 2.5) + route(2, {leg(5.5, 0.5, -down, 1)}, 5.5, 1.5));
    const RunResult tiles = run_cli({"verify", kLane, routes});
    EXPECT_EQ(tiles.status, 1);
    ASSERT_EQ(tiles.out_lines().size(), 3u) << tiles.out;
    EXPECT_NE(tiles.out.find("route 1: wall: leg 0 at 0.5"), std::string::npos) << tiles.out;
    EXPECT_NE(tiles.out.find("tile (3, 1)"), std::string::npos) << tiles.out;
    EXPECT_NE(tiles.out.find("2 routes, 1 legal, 1 illegal"), std::string::npos) << tiles.out;
    const RunResult edges = run_cli({"verify", kLane, routes, "--check-edges"});
    EXPECT_NE(edges.out.find("2 routes, 0 legal, 2 illegal"), std::string::npos) << edges.out;
    EXPECT_EQ(edges.out.find("not checked"), std::string::npos) << edges.out;

    const RunResult square = run_cli({"verify", kHarbour, routes, "--footprint", "2"});
    EXPECT_EQ(square.status, 2);
    EXPECT_NE(square.err.find("roadmaps take discs"), std::string::npos) << square.err;
}

TEST(RoadmapCommand, RefusesWhatRoadmapsDoNotHave) {
    const auto refused = [](std::vector<std::string> more, const std::string& reason) {
        std::vector<std::string> all{"route", kCosts, "--start", "2,6", "--goal", "16,5"};
        all.insert(all.end(), more.begin(), more.end());
        const RunResult run = run_cli(all);
        EXPECT_EQ(run.status, 2);
        EXPECT_NE(run.err.find(reason), std::string::npos) << run.err;
        EXPECT_EQ(run.err_lines().size(), 1u);
    };
    refused({"--planner", "jump_point"}, "jump_point is for tile worlds");
    refused({"--footprint", "2"}, "roadmaps take discs");
    refused({"--blocker", "1,1,1"}, "--blocker");
    refused({"--goal-adjacent"}, "tile worlds");
    const std::string missing = temp_path("missing.json");
    write_text(missing, "{\"nodes\": [{\"id\": 1, \"x\": 0, \"y\": 0}], \"map\": \"nowhere.map\"}");
    const RunResult run = run_cli({"route", missing, "--start", "0,0", "--goal", "1,1"});
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("nowhere.map"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace fairlead::testing
