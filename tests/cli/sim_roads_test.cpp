// fairlead sim on roadmaps: roads that are closed and opened, limits of speed in the tracks, records, what is refused.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "cli/cli_test.h"

namespace fairlead::testing {
namespace {

struct WrittenRoads {
    std::string path;
    WrittenRoads(const std::string& name, const std::string& text)
        : path((std::filesystem::temp_directory_path() / ("fairlead_sim_roads_" + name)).string()) {
        std::ofstream(path, std::ios::binary) << text;
    }
    ~WrittenRoads() { std::filesystem::remove(path); }
};

const char* const kTown = R"({
    "nodes": [{"id": 1, "x": 0, "y": 0}, {"id": 2, "x": 10, "y": 0}, {"id": 3, "x": 20, "y": 0}, {"id": 4, "x": 10, "y": 10}],
    "edges": [{"from": 1, "to": 2}, {"from": 2, "to": 3}, {"from": 1, "to": 4, "kind": 1}, {"from": 4, "to": 3, "kind": 1}],
    "roads": [{"width": 4, "speed_max": 3}, {"width": 3, "speed_max": 1}]})";

std::vector<nlohmann::json> lines_of(const RunResult& run) {
    EXPECT_EQ(run.status, 0) << run.err;
    std::vector<nlohmann::json> lines;
    std::istringstream text(run.out);
    for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
}

TEST(SimRoads, AClosedRoadIsGoneRoundAtItsSpeed) {
    const WrittenRoads town("town.json", kTown);
    const WrittenRoads units("units.csv", "id,x,y,gx,gy,radius,speed\n7,1,0,19,0,0.5,5\n");
    const WrittenRoads edits("edits.csv", "t_s,what,from,to,one_way\n0,close,2,3,0\n");
    const auto open = lines_of(run_cli({"sim", town.path, units.path, "-o", "-", "--seconds", "30"}));
    EXPECT_EQ(open.back()["arrived"], 1);
    double north = 0.0;
    for (std::size_t i = 1; i + 1 < open.size(); ++i) {
        EXPECT_LE(open[i]["speed"], 3.0 + 1e-9);
        north = std::max(north, open[i]["y"].get<double>());
    }
    EXPECT_LT(north, 1.6);
    const auto shut = lines_of(
        run_cli({"sim", town.path, units.path, "-o", "-", "--seconds", "40", "--edits", edits.path}));
    EXPECT_EQ(shut.back()["arrived"], 1);
    for (std::size_t i = 1; i + 1 < shut.size(); ++i) {
        if (shut[i]["y"].get<double>() > 4.0) {
            EXPECT_LE(shut[i]["speed"], 1.0 + 1e-9);
        }
        north = std::max(north, shut[i]["y"].get<double>());
    }
    EXPECT_GT(north, 8.0);
}

TEST(SimRoads, AreRecordedAndPlayedAgain) {
    const WrittenRoads town("again.json", kTown);
    const WrittenRoads units("again.csv", "id,x,y,gx,gy,radius,speed\n7,1,0,19,0,0.5,2\n8,19,1,1,1,0.5,2\n");
    const WrittenRoads edits("again_edits.csv", "1,close,2,3,1\n4,open,2,3,1\n");
    const WrittenRoads record("again.run", "");
    const RunResult run = run_cli({"sim", town.path, units.path, "-o", "-", "--seconds", "30", "--edits",
                                   edits.path, "--record", record.path});
    EXPECT_EQ(lines_of(run).back()["arrived"], 2);
    std::filesystem::remove(town.path);
    const RunResult again = run_cli({"replay", record.path, "--threads", "3"});
    EXPECT_EQ(again.status, 0) << again.err;
}

TEST(SimRoads, RefusesWhatItCannotPlay) {
    const WrittenRoads town("refused.json", kTown);
    const auto said = [&](const std::string& units, const std::string& edits) {
        const WrittenRoads rows("refused.csv", units);
        const WrittenRoads changes("refused_edits.csv", edits);
        const RunResult run = run_cli({"sim", town.path, rows.path, "-o", "-", "--edits", changes.path});
        EXPECT_NE(run.status, 0);
        return run.err;
    };
    const std::string fine = "id,x,y,gx,gy\n1,1,0,2,0\n";
    EXPECT_NE(said("id,x,y,gx,gy,turning_radius\n1,1,0,2,0,3\n", "").find("turning_radius"),
              std::string::npos);
    EXPECT_NE(said("id,x,y,gx,gy,layer\n1,1,0,2,0,1\n", "").find("layer"), std::string::npos);
    EXPECT_NE(said(fine, "0,shut,1,2,0\n").find("neither close nor open"), std::string::npos);
    EXPECT_NE(said(fine, "0,close,1,9,0\n").find("no waypoint 9"), std::string::npos);
    EXPECT_NE(said(fine, "0,close,1,3,0\n").find("no such road"), std::string::npos);
    EXPECT_NE(said(fine, "0,open,1,2,0\n").find("was closed"), std::string::npos);
    EXPECT_NE(said(fine, "0,close,1,2\n").find("5 fields"), std::string::npos);
}

}  // namespace
}  // namespace fairlead::testing
