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
    EXPECT_EQ(lines.back()["unreachable"], 0);
    EXPECT_EQ(lines.back()["invalid"], 1);
    EXPECT_EQ(lines.back()["digest"].get<std::string>().size(), 16u);
    EXPECT_TRUE(lines.back().contains("route_ms_max"));
}

TEST(Sim, ItsLastLineCountsEveryone) {
    const Written units("ends.csv", "id,x,y,gx,gy\n1,3.5,2.5,0.5,0.5\n2,0.5,0.5,1.5,0.5\n3,-9,0.5,1,1\n");
    const auto run =
        run_cli({"sim", kSealed, units.path, "--seconds", "4", "-o", ::testing::TempDir() + "ends.jsonl"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "3 units after 4 s: 1 arrived, 0 under way, 0 stuck, 1 unreachable, 1 invalid\n");
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

TEST(Sim, WhoCannotBeginIsInvalidAndTheOthersGo) {
    const Written units(
        "crowded.csv",
        "id,x,y,gx,gy,radius\n1,0.5,0.5,7.5,0.5,0.3\n2,0.8,0.5,7.5,5.5,0.3\n3,1.3,0.5,0.5,3.5,0.3\n"
        "4,0.5,5.5,1.5,1.5,0.3\n5,7.5,5.5,-3,2,0.3\n6,3.5,2.5,99,2,0.3\n");
    const auto lines = tracks({"--seconds", "12", "--rate", "20"}, kRoom, units.path);
    const std::size_t last = lines.size() - 7;
    const char* const states[] = {"arrived", "invalid", "arrived", "invalid", "invalid", "invalid"};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(lines[last + i]["state"], states[i]) << i + 1;
    EXPECT_EQ(lines[last + 1]["x"], 0.8);  // it stands where it was put
}

TEST(Sim, WhoIsWalledInByAnEditIsToldSo) {
    const Written units("walled.csv", "id,x,y,gx,gy,speed\n1,0.5,0.5,7.5,5.5,1\n2,7.5,0.5,7.5,4.5,1\n");
    const Written edits("walls.csv", "1,3,0,4,1,0\n1,0,3,1,4,0\n");
    const auto lines = tracks({"--seconds", "6", "--rate", "10", "--edits", edits.path}, kRoom, units.path);
    EXPECT_EQ(lines[1 + 2 * 5]["state"], "moving");
    EXPECT_EQ(lines[1 + 2 * 15]["state"], "unreachable");
    EXPECT_EQ(lines[lines.size() - 2]["state"], "arrived");
}

TEST(Sim, ARecordIsPlayedAgainFromItsFileAlone) {
    const std::string run = temp_path("run");
    const std::string world = temp_path("room.map");
    write_text(world, read_text("tests/fixtures/cli/room.map"));
    std::string first;
    {
        const Written units("recorded.csv",
                            "id,x,y,gx,gy,radius\n1,0.5,0.5,7.5,5.5,0.3\n2,7.5,5.5,0.5,0.5,0.3\n");
        const Written edits("recorded_edits.csv", "2,1,5,2,6,0\n");
        const RunResult made = run_cli(
            {"sim", world, units.path, "--seconds", "6", "--edits", edits.path, "-o", "-", "--record", run});
        ASSERT_EQ(made.status, 0) << made.err;
        first = made.out;
    }
    std::filesystem::remove(world);
    for (const char* threads : {"1", "2", "3", "8", "16"}) {
        const RunResult again = run_cli({"replay", run, "--threads", threads, "-o", "-"});
        EXPECT_EQ(again.status, 0) << again.err;
        EXPECT_EQ(again.out, first) << threads;
    }
    const std::string bytes = read_text(run);
    for (const std::size_t cut : {bytes.size() - 3, bytes.size() / 2, std::size_t{30}}) {
        write_text(run, bytes.substr(0, cut));
        expect_refused({"replay", run}, {run, "cut short"});
    }
    for (std::size_t at = 12; at < bytes.size(); at += bytes.size() / 12) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 4);
        write_text(run, damaged);
        expect_refused({"replay", run}, {run, "the record is"});
    }
    write_text(run, "id,x,y\n");
    expect_refused({"replay", run}, {run, "no record"});
}

TEST(Sim, RefusesWhatItCannotPlay) {
    const Written units("good.csv", "id,x,y,gx,gy\n1,0.5,0.5,7.5,0.5\n");
    const Written bad("bad.csv", "id,x,y,gx,gy,wings\n1,0.5,0.5,7.5,0.5,2\n");
    const Written edits("edits.csv", "1,0,0,90,1,0\n");
    const auto refuses = [](const std::string& columns, const std::string& values,
                            const std::string& column) {
        const Written odd("odd.csv", "id,x,y,gx,gy," + columns + "\n\n1,0.5,0.5,7.5,0.5," + values + "\n");
        expect_refused({"sim", kRoom, odd.path, "-o", "-"}, {odd.path + ":3:", column});
    };
    refuses("speed", "0", "");
    refuses("speed", "nan", "");
    refuses("speed", "1e300", "");
    refuses("accel", "1e-12", " accel: ");
    refuses("length", "1", " length: ");
    refuses("width", "1", " width: ");
    refuses("length,width", "1,1", "turning_radius");
    refuses("radius,length,width,turning_radius", "1,1,1,1", " radius: ");
    refuses("reverse", "1", " reverse: ");
    const Written empty("empty.csv", "");
    expect_refused({"sim", kRoom, empty.path, "-o", "-"}, {empty.path + ":1:"});
    const Written twice("twice.csv", "id,x,y,gx,gy\n1,0.5,0.5,7.5,0.5\n1,1.5,0.5,7.5,0.5\n");
    expect_refused({"sim", kRoom, twice.path, "-o", "-"}, {twice.path + ":3:1"});
    expect_refused({"sim", kRoom, units.path, "-o", "no/such/folder/t"}, {"no/such/folder/t"});
    expect_refused({"sim", kRoom, units.path, "-o", "/dev/full"}, {"/dev/full", "space"});
    expect_refused({"sim", kRoom, units.path, "-o", "-", "--closed-areas", "1"}, {"--closed-areas"});
    expect_refused({"sim", kRoom, bad.path, "-o", "-"}, {bad.path, "wings"});
    expect_refused({"sim", kRoom, units.path, "-o", "-", "--rate", "0"}, {"--rate"});
    expect_refused({"sim", kRoom, units.path, "-o", "-", "--seconds", "-1"}, {"--seconds"});
    expect_refused({"sim", kRoom, units.path, "-o", "-", "--edits", edits.path}, {edits.path, "rectangle"});
    expect_refused({"sim", kRoom, "no_such_file.csv", "-o", "-"}, {"no_such_file.csv"});
}

}  // namespace
}  // namespace fairlead::testing
