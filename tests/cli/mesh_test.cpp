// Level meshes as WORLD: Polyanya files with and without heights, Detour sets.
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/cli_test.h"
#include "support/environment.h"
#include "support/run_program.h"
#include "support/xml_check.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

const std::string kRooms = "tests/fixtures/cli/rooms.mesh";
const std::string kRoomsHeights = "tests/fixtures/cli/rooms_heights.csv";
const std::string kTwoTiles = "tests/fixtures/cli/two_tiles.bin";

// Straight from room to room past the corner (4, 1) of the corridor, and up its ramp.
TEST(MeshCommand, Route) {
    const json flat = route_json(kRooms, "1,3", {"--goal", "8,1"});
    EXPECT_EQ(flat["status"], "complete");
    EXPECT_EQ(flat["planner"], "any_angle");
    EXPECT_EQ(flat["bound"], 1.0);
    const double length = std::hypot(5.0, 1.0) + std::hypot(2.0, 1.0);
    EXPECT_LE(flat["length"].get<double>(), length + 1e-9);
    EXPECT_GE(flat["length"].get<double>(), std::hypot(7.0, 2.0));

    const json high = route_json(kRooms, "1,1.5,0", {"--heights", kRoomsHeights, "--goal", "8,1.5,1"});
    EXPECT_DOUBLE_EQ(high["length"].get<double>(), 7.0);
    EXPECT_EQ(high["end"]["z"], 1.0);
    EXPECT_EQ(high["legs"][0]["z"], 0.0);
    for (const char* planner : {"auto", "any_angle"})
        EXPECT_EQ(route_json(kRooms, "1,1", {"--goal", "8,1", "--planner", planner})["status"], "complete");
    EXPECT_EQ(route_json(kRooms, "5,3.9", {"--goal", "50,50"})["status"], "off_world");
    EXPECT_EQ(route_json(kRooms, "1,1,90", {"--goal", "8,1,0"})["status"], "start_blocked");
}

TEST(MeshCommand, Picture) {
    const std::string svg = temp_path("rooms.svg"), trace = temp_path("rooms.json");
    const json route = route_json(kRooms, "1,3", {"--goal", "8,3,,90", "--svg", svg, "--trace", trace});
    EXPECT_EQ(route["status"], "complete");
    EXPECT_GT(json::parse(read_text(trace))["counts"]["expand"], 0);
    const std::string picture = read_text(svg);
    EXPECT_EQ(XmlCheck::run(picture), "");
    for (const char* part : {"class=\"mesh\"", "class=\"corridor\"", "class=\"route\""})
        EXPECT_NE(picture.find(part), std::string::npos) << part;
}

TEST(MeshCommand, DetourSet) {
    const json route = route_json(kTwoTiles, "1,-4", {"--goal", "7,-4"});
    EXPECT_EQ(route["status"], "complete");
    EXPECT_DOUBLE_EQ(route["length"].get<double>(), 6.0);
    const RunResult inspect = run_cli({"inspect", kTwoTiles, "--json"});
    ASSERT_EQ(inspect.status, 0) << inspect.err;
    const json all = json::parse(inspect.out);
    EXPECT_EQ(all["kind"], "Detour mesh");
    EXPECT_EQ(all["tiles"], 2);
    EXPECT_EQ(all["joints"], 3);
    EXPECT_EQ(all["components"], 1);
    EXPECT_EQ(all["off_mesh_links"], 1);
}

TEST(MeshCommand, Export) {
    const std::string mesh = temp_path("out.mesh"), heights = temp_path("out.csv"),
                      obj = temp_path("out.obj");
    ASSERT_EQ(run_cli({"export", kTwoTiles, "-o", mesh, "--heights-out", heights}).status, 0);
    const json before = route_json(kTwoTiles, "1,-1,0", {"--goal", "7,-7,0"});
    const json after = route_json(mesh, "1,-1,0", {"--goal", "7,-7,0", "--heights", heights});
    EXPECT_EQ(before["legs"], after["legs"]);
    EXPECT_EQ(before["end"], after["end"]);
    const std::string again = temp_path("again.mesh");
    ASSERT_EQ(run_cli({"export", mesh, "-o", again}).status, 0);
    EXPECT_EQ(read_text(again), read_text(mesh));
    ASSERT_EQ(run_cli({"export", kRooms, "-o", obj, "--heights", kRoomsHeights}).status, 0);
    EXPECT_NE(read_text(obj).find("v 6 1 -2\n"), std::string::npos);
    expect_refused({"export", kRooms, "-o", temp_path("out.txt")}, {".mesh", ".obj"});
    expect_refused({"export", kRoom, "-o", mesh}, {"a level mesh or a volume is needed"});
}

TEST(MeshCommand, Batch) {
    std::string csv = "id,sx,sy,sz,sh,gx,gy,gz,gh\n";
    for (int i = 0; i < 60; ++i)
        csv += std::to_string(i) + ",1," + std::to_string(i * 7 % 4) + ".5,,90,7.5," +
               std::to_string(i * 5 % 4) + ".5,1,\n";
    const std::string queries = temp_path("queries.csv"), out = temp_path("routes.jsonl");
    write_text(queries, csv);
    std::string first;
    for (const char* threads : {"1", "3"}) {
        const RunResult run = run_cli({"batch", kRooms, queries, "--heights", kRoomsHeights, "--no-times",
                                       "--threads", threads, "-o", out});
        ASSERT_EQ(run.status, 0) << run.err;
        EXPECT_NE(run.out.find("60 routes, 60 complete"), std::string::npos) << run.out;
        if (first.empty()) first = read_text(out);
        EXPECT_EQ(read_text(out), first);
        const RunResult good = run_cli({"verify", kRooms, out, "--heights", kRoomsHeights});
        EXPECT_EQ(good.status, 0) << good.out;
        EXPECT_EQ(good.out_lines()[0], "60 routes, 60 legal, 0 illegal");
    }
    // Through the wall beside the corridor, and past it by less than a hair.
    const auto line = [](int id, double y) {
        return json{{"id", id},
                    {"status", "complete"},
                    {"legs", {{{"x", 1.0}, {"y", y}, {"heading", 0.0}, {"length", 7.0}}}},
                    {"end", {{"x", 8.0}, {"y", y}}}}
                   .dump() +
               "\n";
    };
    write_text(out, line(1, 1.5) + line(2, 0.999999) + line(3, 3));
    const RunResult bad = run_cli({"verify", kRooms, out});
    EXPECT_EQ(bad.status, 1);
    EXPECT_NE(bad.out.find("3 routes, 1 legal, 2 illegal"), std::string::npos) << bad.out;
    EXPECT_NE(bad.out.find("routes.jsonl:2: route 2"), std::string::npos) << bad.out;
}

TEST(MeshCommand, Refuses) {
    const auto refused = [](std::vector<std::string> more, const std::string& reason) {
        expect_refused(with({"route", kRooms, "--start", "1,1", "--goal", "8,1"}, more), {reason});
    };
    refused({"--planner", "jump_point"}, "any_angle");
    refused({"--turning-radius", "2", "--planner", "any_angle"}, "weighted_lattice");
    refused({"--blocker", "1,1,1"}, "--blocker");
    refused({"--goal-adjacent"}, "tile worlds");
    refused({"--corner", "always"}, "not on level meshes");
    refused({"--terrain", "T=0"}, "--terrain");
    refused({"--heights", kRoom}, "room.map:1:1");
    expect_refused({"route", kRoom, "--start", "0.5,0.5", "--goal", "1.5,0.5", "--heights", kRoomsHeights},
                   {"--heights"});
    expect_refused({"route", kTwoTiles, "--start", "1,-1", "--goal", "7,-7", "--heights", kRoomsHeights},
                   {"--heights"});
    const std::string bad = temp_path("bad.mesh");
    write_text(bad, "mesh\n2\n3 1\n0 0 1 0\n1 0 1 0\n0 1 1 0\n3 0 1 2 0 -1 -1\n");
    expect_refused({"route", bad, "--start", "0,0", "--goal", "1,0"}, {"bad.mesh:7:9"});
    std::string bytes = read_text(kTwoTiles);
    bytes[52] = 6;
    const std::string other = temp_path("other.bin");
    write_text(other, bytes);
    expect_refused({"route", other, "--start", "0,0", "--goal", "1,0"},
                   {"tile 0: a tile of another version than 7"});
}

TEST(MeshCommand, Planners) {
    const RunResult run = run_cli({"planners", "--json"});
    bool found = false;
    for (const json& row : json::parse(run.out))
        found = found || (row["name"] == "any_angle" && row["world"] == "meshes");
    EXPECT_TRUE(found);
}

// The published queries: the lengths that were computed apart from this project. Their places are in the world, those of
// the mesh count from the offset in the first line of the heights.
TEST(MeshCommand, ReferenceLengths) {
    for (const std::string name :
         {"nav_test_solo", "nav_test_tiled", "proto-level_solo", "proto-level_tiled"}) {
        FAIRLEAD_REQUIRE_DATA(mesh, "meshes/reference/" + name + ".mesh");
        FAIRLEAD_REQUIRE_DATA(heights, "meshes/reference/" + name + "_verts3d.csv");
        FAIRLEAD_REQUIRE_DATA(published, "meshes/reference/" + name + "_queries.csv");
        const std::string offset = read_text(heights);
        const double x0 = std::stod(offset.substr(offset.find("x=") + 2));
        const double y0 = std::stod(offset.substr(offset.find("z=") + 2));
        std::istringstream rows(read_text(published));
        std::string row, csv = "id,sx,sy,sz,sh,gx,gy,gz,gh\n";
        std::vector<double> lengths;
        std::getline(rows, row);
        while (std::getline(rows, row) && lengths.size() < 2000) {
            std::vector<double> n;
            std::istringstream fields(row);
            for (std::string field; std::getline(fields, field, ',');) n.push_back(std::stod(field));
            ASSERT_EQ(n.size(), 11U);
            std::ostringstream line;
            line.precision(12);
            line << lengths.size() << ',' << n[0] - x0 << ',' << n[2] - y0 << ',' << n[1] << ",," << n[3] - x0
                 << ',' << n[5] - y0 << ',' << n[4] << ",\n";
            csv += line.str();
            lengths.push_back(n[10]);
        }
        const std::string queries = temp_path("reference.csv"), out = temp_path("reference.jsonl");
        write_text(queries, csv);
        const RunResult run =
            run_cli({"batch", mesh, queries, "--heights", heights, "--threads", "2", "-o", out});
        ASSERT_EQ(run.status, 0) << run.err;
        std::istringstream routes(read_text(out));
        for (const double length : lengths) {
            std::string line;
            ASSERT_TRUE(std::getline(routes, line));
            const json route = json::parse(line);
            ASSERT_EQ(route["status"], "complete") << name << " " << route["id"];
            ASSERT_NEAR(route["length"].get<double>(), length, 1e-5) << name << " " << route["id"];
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
