// fairlead sim: the form of the tracks, states, edits, equal for any number of threads, what is refused.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "cli/cli_test.h"

namespace fairlead::testing {
namespace {

/// A file that is there as long as this lives.
struct Written {
    std::string path;
    Written(const std::string& name, const std::string& text)
        : path((std::filesystem::temp_directory_path() / ("fairlead_sim_" + name)).string()) {
        std::ofstream(path, std::ios::binary) << text;
    }
    ~Written() { std::filesystem::remove(path); }
};

std::vector<nlohmann::json> tracks(const std::vector<std::string>& more, const std::string& world,
                                   const std::string& units) {
    const RunResult run = run_cli(with({"sim", world, units, "-o", "-"}, more));
    EXPECT_EQ(run.status, 0) << run.err;
    std::vector<nlohmann::json> lines;
    std::istringstream text(run.out);
    for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
}

TEST(Sim, TracksOfTwoUnits) {
    const Written units("two.csv", "id,x,y,gx,gy,speed\n4,0.5,0.5,7.5,5.5,2\n9,3.5,1.5,0.5,0.5,2\n");
    const auto lines = tracks({"--seconds", "10", "--rate", "20", "--every", "2"}, kRoom, units.path);
    ASSERT_EQ(lines.size(), 1u + 2u * 101u + 1u);
    EXPECT_EQ(lines[0]["rate"], 20);
    EXPECT_EQ(lines[0]["units"], 2);
    EXPECT_EQ(lines[0]["world"], kRoom);
    EXPECT_EQ(lines[1]["t"], 0);
    EXPECT_EQ(lines[1]["id"], 4);
    EXPECT_EQ(lines[1]["x"], 0.5);
    EXPECT_EQ(lines[3]["t"], 0.1);
    const nlohmann::json& last = lines[lines.size() - 3];
    for (const char* name : {"t", "id", "x", "y", "z", "layer", "heading", "speed", "gear", "state"}) {
        EXPECT_TRUE(last.contains(name)) << name;
    }
    EXPECT_EQ(last["state"], "arrived");
    EXPECT_EQ(lines[lines.size() - 2]["state"], "invalid");  // it begins in a wall
    EXPECT_EQ(lines.back()["arrived"], 1);
    EXPECT_EQ(lines.back()["stuck"], 0);
    EXPECT_EQ(lines.back()["digest"].get<std::string>().size(), 16u);
    EXPECT_TRUE(lines.back().contains("route_ms_max"));
}

TEST(Sim, StartsWhenItSaysAndThreadsChangeNothing) {
    const Written units("later.csv", "id,x,y,gx,gy,start_s\n1,0.5,0.5,7.5,0.5,1\n");
    const auto lines = tracks({"--seconds", "3", "--rate", "10"}, kRoom, units.path);
    EXPECT_EQ(lines[8]["state"], "waiting");
    EXPECT_EQ(lines[8]["x"], 0.5);
    EXPECT_EQ(lines[29]["state"], "moving");
    const auto again = tracks({"--seconds", "3", "--rate", "10", "--threads", "3"}, kRoom, units.path);
    EXPECT_EQ(again, lines);
}

TEST(Sim, EditsOpenAWay) {
    const Written units("sealed.csv", "id,x,y,gx,gy\n1,3.5,2.5,0.5,0.5\n");
    const Written edits("door.csv", "t_s,x0,y0,x1,y1,tile\n1,3,1,4,2,1\n");
    const auto lines = tracks({"--seconds", "8", "--rate", "10", "--edits", edits.path}, kSealed, units.path);
    EXPECT_EQ(lines[8]["state"], "unreachable");
    EXPECT_EQ(lines.back()["arrived"], 1);
}

TEST(Sim, RefusesWhatItCannotPlay) {
    const Written units("good.csv", "id,x,y,gx,gy\n1,0.5,0.5,7.5,0.5\n");
    const Written bad("bad.csv", "id,x,y,gx,gy,wings\n1,0.5,0.5,7.5,0.5,2\n");
    const Written edits("edits.csv", "1,0,0,90,1,0\n");
    expect_refused({"sim", kRoom, bad.path, "-o", "-"}, {bad.path, "wings"});
    expect_refused({"sim", kRoom, units.path, "-o", "-", "--rate", "0"}, {"--rate"});
    expect_refused({"sim", kRoom, units.path, "-o", "-", "--seconds", "-1"}, {"--seconds"});
    expect_refused({"sim", kRoom, units.path, "-o", "-", "--edits", edits.path}, {edits.path, "rectangle"});
    expect_refused({"sim", kRoom, "no_such_file.csv", "-o", "-"}, {"no_such_file.csv"});
}

}  // namespace
}  // namespace fairlead::testing
