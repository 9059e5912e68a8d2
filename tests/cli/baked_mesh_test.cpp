// fairlead bake navmesh, and what is done with its files.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/hall.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

using BakedMeshCommand = HallTest;

TEST_F(BakedMeshCommand, RoutesOnIt) {
    for (const std::vector<std::string>& tiles :
         {std::vector<std::string>{}, {"--tile-size", "5", "--radius-max", "1"}}) {
        const json report = bake(tiles);
        EXPECT_EQ(report["bytes"], std::filesystem::file_size(file_));
        EXPECT_GT(report["polygons"], 3);
        EXPECT_EQ(report["tiles"].get<int>() > 1, !tiles.empty());
        const json route = route_json(file_, "2,2", {"--goal", "18,2"});
        EXPECT_EQ(route["status"], "complete");
        EXPECT_GT(route["length"].get<double>(), 2.0 * 8.0);  // round the end of the wall, past y = 9
        EXPECT_LT(route["length"].get<double>(), 24.0);
        const json shut = route_json(file_, "2,2", {"--goal", "18,2", "--closed-areas", "2"});
        EXPECT_EQ(shut["status"], "unreachable");
        if (tiles.empty()) {
            expect_refused({"route", file_, "--start", "2,2", "--goal", "18,2", "--radius", "0.9"},
                           {"--radius"});
            continue;
        }
        const json wide = route_json(file_, "2,2", {"--goal", "18,2", "--radius", "0.9"});
        EXPECT_EQ(wide["status"], "complete");
        EXPECT_GT(wide["length"], route["length"]);
    }
}

TEST_F(BakedMeshCommand, BatchAndVerify) {
    (void)bake({"--tile-size", "5"});
    std::string csv = "id,sx,sy,sz,sh,gx,gy,gz,gh\n";
    for (int i = 0; i < 40; ++i)
        csv += std::to_string(i) + ',' + std::to_string(1 + i % 5) + ',' + std::to_string(1 + i % 7) + ",,," +
               std::to_string(16 + i % 4) + ',' + std::to_string(1 + i % 9) + ",,\n";
    const std::string queries = temp_path("hall.csv"), out = temp_path("hall.jsonl");
    write_text(queries, csv);
    const RunResult run = run_cli({"batch", file_, queries, "-o", out});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find("40 routes, 40 complete"), std::string::npos) << run.out;
    const RunResult good = run_cli({"verify", file_, out});
    EXPECT_EQ(good.status, 0) << good.out;
    // With the water closed, ways through it are not legal.
    const RunResult bad = run_cli({"verify", file_, out, "--closed-areas", "2"});
    EXPECT_EQ(bad.status, 1) << bad.out;
}

TEST_F(BakedMeshCommand, InspectCheckReseal) {
    (void)bake({"--tile-size", "5"});
    const RunResult run = run_cli({"inspect", file_, "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const json all = json::parse(run.out);
    EXPECT_EQ(all["kind"], "MESH");
    EXPECT_EQ(all["version"], "1.2");  // heights are measured
    EXPECT_EQ(all["sections"].size(), 10U);
    EXPECT_EQ(all["mesh"]["heights"], true);
    EXPECT_EQ(all["mesh"]["agent_radius"], 0.25);
    EXPECT_EQ(run_cli({"check", file_}).status, 0);
    // A landmark's distance that is a little off: a load believes it, check measures.
    std::size_t at = 0;
    for (const json& section : all["sections"]) {
        if (section["id"] == "LAND") at = section["offset"].get<std::size_t>();
    }
    alter(at + 4);
    EXPECT_EQ(run_cli({"check", file_}).status, 1);
    expect_refused({"route", file_, "--start", "2,2", "--goal", "18,2"}, {"hall.fl", "checksum"});
    ASSERT_EQ(run_cli({"reseal", file_}).status, 0);
    EXPECT_EQ(route_json(file_, "2,2", {"--goal", "18,2"})["status"], "complete");
    const RunResult told = run_cli({"check", file_});
    EXPECT_EQ(told.status, 1);
    EXPECT_NE(told.out.find("not what its own polygons make"), std::string::npos) << told.out;
}

TEST_F(BakedMeshCommand, Export) {
    (void)bake({"--tile-size", "5"});
    const std::string mesh = temp_path("hall.mesh"), heights = temp_path("hall_heights.csv"),
                      obj = temp_path("hall_out.obj");
    ASSERT_EQ(run_cli({"export", file_, "-o", mesh, "--heights-out", heights}).status, 0);
    ASSERT_EQ(run_cli({"export", file_, "-o", obj}).status, 0);
    EXPECT_NE(read_text(obj).find("g area_2"), std::string::npos);
    const json before = route_json(file_, "2,2", {"--goal", "18,2"});
    const json after = route_json(mesh, "2,2", {"--goal", "18,2", "--heights", heights});
    EXPECT_EQ(after["status"], "complete");
    EXPECT_NEAR(after["length"].get<double>(), before["length"].get<double>(), 1e-9);
}

TEST_F(BakedMeshCommand, TheSameBytesForAnyNumberOfThreads) {
    (void)bake({"--tile-size", "5"});
    const std::string one = read_text(file_);
    (void)bake({"--tile-size", "5", "--threads", "3"});
    EXPECT_EQ(read_text(file_), one);
}

// FAULT-11: what a bake leaves out is told, with its place.
TEST_F(BakedMeshCommand, NoTriangleIsDroppedInSilence) {
    const std::string far = "tests/fixtures/cli/far.obj";
    const RunResult run = run_cli({"bake", "navmesh", far, "-o", file_});
    EXPECT_EQ(run.status, 0) << run.err;
    ASSERT_EQ(run.err_lines().size(), 1U) << run.err;
    for (const char* word : {"far.obj", "left out", "triangle 3", "1000000000", "--cell-size"})
        EXPECT_NE(run.err.find(word), std::string::npos) << word << "\n" << run.err;
    const RunResult report = run_cli({"bake", "navmesh", far, "-o", file_, "--json"});
    EXPECT_EQ(json::parse(report.out)["triangles_left_out"], 1);
    EXPECT_EQ(json::parse(report.out)["triangles"], 3);
    EXPECT_EQ(bake({})["triangles_left_out"], 0);
    expect_refused({"bake", "navmesh", far, "-o", file_, "--refuse-bad"},
                   {"--refuse-bad", "triangle 3", "origin"});
    expect_refused({"bake", "navmesh", "tests/fixtures/cli/all_far.obj", "-o", file_},
                   {"all 1", "triangle 1"});
    expect_refused({"bake", "navmesh", "tests/fixtures/cli/all_far.obj", "-o", file_, "--refuse-bad"},
                   {"triangle 1"});
}

TEST_F(BakedMeshCommand, Refusals) {
    const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& words) {
        expect_refused(with({"bake", "navmesh", obj_, "-o", file_}, more), words);
    };
    refused({"--cell-size", "0"}, {"--cell-size"});
    refused({"--cell-size", "-1"}, {"--cell-size"});
    refused({"--cell-height", "0"}, {"--cell-height"});
    refused({"--slope", "95"}, {"--slope"});
    refused({"--tile-size", "1"}, {"--tile-size", "16 to 4096"});
    refused({"--tile-size", "5", "--cell-size", "0.25", "--radius", "9"}, {"--tile-size", "whole tile"});
    refused({"--origin", "1,2"}, {"--origin", "X,Y,Z"});
    refused({"--up", "x"}, {"--up"});
    refused({"--threads", "0"}, {"--threads"});
    refused({"--landmarks", "17"}, {"--landmarks"});
    refused({"--terrain", "T=0"}, {"--terrain", "tile maps"});
    expect_refused({"bake", "navmesh", obj_}, {"--out is required"});
    expect_refused({"bake", "navmesh", "tests/fixtures/cli/room.csv", "-o", file_},
                   {"this is a queries", "OBJ"});
    expect_refused({"route", kRoom, "--start", "1,1", "--goal", "2,2", "--closed-areas", "1"},
                   {"--closed-areas: for level meshes only"});
    (void)bake({});
    expect_refused({"route", file_, "--start", "1,1", "--goal", "2,2", "--closed-areas", "64"}, {"0 to 63"});
    expect_refused({"route", file_, "--start", "1,1", "--goal", "2,2", "--heights", kRoom}, {"--heights"});
}

}  // namespace
}  // namespace fairlead::testing
