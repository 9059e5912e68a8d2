// Units with a turning circle on level meshes, by the command line: route, batch, pictures, verify, what is refused.
#include <cmath>
#include <string>
#include <vector>

#include "cli/hall.h"
#include "cli/yard.h"
#include "support/xml_check.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

const std::vector<std::string> kCar = {"--radius", "0.4", "--turning-radius", "1.5"};

// The yard as a level, walls and all.
std::string yard_level() {
    const std::string file = temp_path("yard.fl");
    const RunResult run = run_cli({"bake", "navmesh", kYard, "-o", file});
    EXPECT_EQ(run.status, 0) << run.err;
    return file;
}

TEST(MeshDriveCommand, FromPoseToPoseAndLegalOnBoth) {
    const std::string level = yard_level();
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--reverse"}, {"--pivot"}}) {
        const std::vector<std::string> unit = with(kCar, more);
        const json line = route_json(level, "2.5,2.5,,0", with({"--goal", "20.3,13.7,,200"}, unit));
        ASSERT_EQ(line["status"], "complete");
        EXPECT_NEAR(line["end"]["heading"].get<double>(), 200.0 * 3.14159265358979 / 180.0 - 6.28318530717959,
                    1e-9);
        EXPECT_EQ(judged(line.dump() + "\n", unit).status, 0) << line;  // among the tiles
        const std::string file = temp_path("on_mesh.jsonl");
        write_text(file, line.dump() + "\n");
        EXPECT_EQ(run_cli(with({"verify", level, file}, unit)).status, 0) << line;
        // A unit that turns more widely than the route does is not driven by it.
        EXPECT_EQ(run_cli({"verify", level, file, "--radius", "0.4", "--turning-radius", "30"}).status, 1);
        const json tiles = route_json(kYard, "2.5,2.5,,0", with({"--goal", "20.3,13.7,,200"}, unit));
        EXPECT_LT(line["length"].get<double>(), 1.1 * tiles["length"].get<double>());
    }
    const json any = route_json(level, "2.5,2.5,,0", with({"--goal", "20.3,13.7"}, kCar));
    EXPECT_EQ(any["status"], "complete");  // any heading will do there
}

TEST(MeshDriveCommand, TheChoicesOfTileMaps) {
    const std::string level = yard_level();
    const auto routed = [&](const char* start, const std::vector<std::string>& more) {
        const json line = route_json(level, start, with({"--goal", "20.3,13.7"}, with(kCar, more)));
        EXPECT_EQ(line["status"], "complete");
        EXPECT_EQ(judged(line.dump() + "\n", kCar).status, 0) << line;
        return line;
    };
    const json east = routed("2.5,2.5,,0", {});
    // A start without a heading: any will do.
    const json any = routed("2.5,2.5", {"--planner", "lattice"});
    EXPECT_LE(any["cost"].get<double>(), east["cost"].get<double>() * 1.02);
    for (const char* planner : {"lattice", "anytime_lattice"}) {
        const json best = routed("2.5,2.5,,0", {"--planner", planner});
        EXPECT_EQ(best["bound"], 1.0) << planner;
    }
    const json near = routed("2.5,2.5,,0", {"--goal-range", "4"});
    EXPECT_LT(near["cost"].get<double>(), east["cost"].get<double>() - 2.0);
    const double dx = near["end"]["x"].get<double>() - 20.3, dy = near["end"]["y"].get<double>() - 13.7;
    EXPECT_LE(std::hypot(dx, dy), 4.0);
}

TEST(MeshDriveCommand, BatchIsTheSameOnAnyNumberOfThreads) {
    const std::string level = yard_level();
    const std::string queries = temp_path("poses.csv"), out = temp_path("poses.jsonl");
    std::string rows = "id,sx,sy,sz,sh,gx,gy,gz,gh\n";
    for (int i = 0; i < 12; ++i)
        rows += std::to_string(i) + ",2.5," + std::to_string(1 + i % 5) + ",,0,20.5," +
                std::to_string(3 + i) + ",," + (i % 2 == 0 ? "90" : "") + "\n";
    write_text(queries, rows);
    std::string first;
    for (const char* threads : {"1", "3"}) {
        const RunResult run =
            run_cli(with({"batch", level, queries, "-o", out, "--no-times", "--threads", threads}, kCar));
        ASSERT_EQ(run.status, 0) << run.err;
        EXPECT_NE(run.out.find("12 routes, 12 complete"), std::string::npos) << run.out;
        if (first.empty()) first = read_text(out);
        EXPECT_EQ(read_text(out), first);
    }
    EXPECT_EQ(run_cli(with({"verify", level, out}, kCar)).status, 0);
}

TEST(MeshDriveCommand, PictureAndTrace) {
    const std::string level = yard_level(), svg = temp_path("car.svg"), trace = temp_path("car.json");
    (void)route_json(level, "2.5,2.5,,0",
                     with({"--goal", "20.3,13.7,,200", "--svg", svg, "--trace", trace}, kCar));
    const std::string picture = read_text(svg);
    EXPECT_EQ(XmlCheck::run(picture), "");
    EXPECT_NE(picture.find("class=\"mesh\""), std::string::npos);
    EXPECT_GT(json::parse(read_text(trace))["counts"]["expand"], 0);
}

TEST(MeshDriveCommand, WhatHasNoMeaningThereIsRefused) {
    const std::string level = yard_level();
    const auto refused = [&](const std::vector<std::string>& more, const std::string& reason) {
        expect_refused(
            with({"route", level, "--start", "2.5,2.5,,0", "--goal", "20.3,13.7"}, with(kCar, more)),
            {reason});
    };
    refused({"--corners", "tighter"}, "--corners: not on level meshes");
    refused({"--planner", "hybrid"},
            "--planner: hybrid is not auto, weighted_lattice, lattice or anytime_lattice");
    refused({"--planner", "any_angle"}, "--planner: any_angle");
    refused({"--facings", "16"}, "--facings: not on level meshes");
    refused({"--rings", "2"}, "--rings: not on level meshes");
    refused({"--goal-range", "-1"}, "--goal-range: -1 is not above 0");
    refused({"--goal-headings", "0,90"}, "--goal-headings: not on level meshes");
    refused({"--drive-heuristic", "zero"}, "--drive-heuristic: not on level meshes");
    refused({"--roads", "tests/fixtures/cli/yard.roads"}, "--roads: not on level meshes");
    refused({"--speed", "3"}, "--speed: not on level meshes");
    refused({"--blocker", "1,1,1"}, "--blocker");
    refused({"--check-edges"}, "--check-edges");
    refused({"--goal-within", "1"}, "not for units with a --turning-radius");
    refused({"--alternatives", "2"}, "for walkers");
    refused({"--table", level}, "--table");
    expect_refused({"route", level, "--start", "2.5,2.5,,0", "--goal", "9,9", "--turning-radius", "1",
                    "--footprint", "2"},
                   {"--footprint"});
}

}  // namespace
}  // namespace fairlead::testing
