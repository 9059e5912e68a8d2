// fairlead sim in volumes: voxel maps and baked ones, drones and planes, boxes that come and go, records, what is refused.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "cli/cli_test.h"
#include "cli/space.h"

namespace fairlead::testing {
namespace {

std::vector<nlohmann::json> track_lines(const RunResult& run) {
    EXPECT_EQ(run.status, 0) << run.err;
    std::vector<nlohmann::json> lines;
    std::istringstream text(run.out);
    for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
}

class SimVolume : public SpaceTest {
  protected:
    std::string units_ = temp_path("space_units.csv");
    std::string edits_ = temp_path("space_edits.csv");
    std::string hall_ = temp_path("hall.3dmap");

    [[nodiscard]] RunResult sim(const std::string& world, const std::string& units,
                                const std::vector<std::string>& more = {}) const {
        write_text(units_, units);
        return run_cli(with({"sim", world, units_, "-o", "-", "--rate", "30"}, more));
    }
    /// 40 x 24 x 12 and a wall with a gate.
    void write_hall() const {
        std::ostringstream out;
        out << "voxel 40 24 12\n";
        for (int y = 0; y < 24; ++y) {
            for (int z = 0; z < 12; ++z) {
                if (y < 9 || y > 14 || z < 3 || z > 8) out << 20 << ' ' << y << ' ' << z << '\n';
            }
        }
        write_text(hall_, out.str());
    }
};

constexpr const char* kOverTheWall =
    "id,x,y,z,gx,gy,gz,radius,speed,accel\n7,2.5,4,1.5,9.5,5,1.5,0.4,2,4\n9,9.5,2.5,3.5,2,2,2,0.3,1.5,4\n";

TEST_F(SimVolume, DronesGoOverTheWall) {
    const auto lines = track_lines(sim(map_, kOverTheWall, {"--seconds", "20"}));
    EXPECT_EQ(lines.back()["arrived"], 2);
    double top = 0.0;
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
        top = std::max(top, lines[i]["z"].get<double>());
        if (std::abs(lines[i]["x"].get<double>() - 5.5) < 0.3) {
            EXPECT_GE(lines[i]["z"].get<double>(), 5.0);
        }
    }
    EXPECT_GT(top, 5.29);
    const auto again = track_lines(sim(map_, kOverTheWall, {"--seconds", "20", "--threads", "3"}));
    EXPECT_EQ(again, lines);
}

TEST_F(SimVolume, ABakedVolumeIsTheSame) {
    const std::string baked = temp_path("space.fl");
    ASSERT_EQ(run_cli({"bake", "volume", map_, "-o", baked}).status, 0);
    auto lines = track_lines(sim(map_, kOverTheWall, {"--seconds", "5"}));
    auto of_baked = track_lines(sim(baked, kOverTheWall, {"--seconds", "5"}));
    lines[0].erase("world");
    of_baked[0].erase("world");
    EXPECT_EQ(of_baked, lines);
}

TEST_F(SimVolume, PlanesKeepTheirTurningRadiusAndClimb) {
    write_hall();
    const auto lines =
        track_lines(sim(hall_,
                        "id,x,y,z,h,gx,gy,gz,gh,radius,speed,accel,turning_radius,climb\n"
                        "1,4,4,3,0,36,20,8,90,0.4,3,3,2,25\n2,36,12,6,180,4,12,6,,0.4,3,3,2,25\n",
                        {"--seconds", "40"}));
    EXPECT_EQ(lines.back()["arrived"], 2);
    for (std::size_t i = 3; i + 1 < lines.size(); ++i) {
        const nlohmann::json& now = lines[i];
        const nlohmann::json& before = lines[i - 2];
        const auto step = [&](const char* name) {
            return now[name].get<double>() - before[name].get<double>();
        };
        const double flat = std::hypot(step("x"), step("y"));
        EXPECT_LE(std::abs(step("z")), flat * std::tan(25.0 * 0.017453292519943295) * 1.01 + 1e-9);
        EXPECT_LE(std::abs(std::remainder(step("heading"), 6.283185307179586)), flat / 2.0 * 1.01 + 1e-9);
    }
}

TEST_F(SimVolume, BoxesComeAndGo) {
    // over the wall alone: shut for five seconds, then open again
    write_text(edits_,
               "t_s,what,id,x0,y0,z0,x1,y1,z1\n0,add,4,5,0,5,6,8,6\n0,add,5,5.2,2.1,5.5,5.9,3,6\n"
               "5,remove,4,0,0,0,0,0,0\n");
    const std::string one = "id,x,y,z,gx,gy,gz,radius,speed\n7,2.5,4,1.5,9.5,5,1.5,0.4,2\n";
    const auto lines = track_lines(sim(map_, one, {"--seconds", "20", "--edits", edits_}));
    EXPECT_EQ(lines[100]["state"], "unreachable");
    EXPECT_EQ(lines.back()["arrived"], 1);
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) {  // the other box stays: voxels (5, 2, 5)
        const bool beside = std::abs(lines[i]["x"].get<double>() - 5.5) < 0.5;
        if (beside) {
            EXPECT_GE(std::abs(lines[i]["y"].get<double>() - 2.5), 0.9 - 1e-9);
        }
    }
    // what the file has solid stays so where a box goes
    write_text(edits_, "0,add,1,4,0,0,7,8,3\n1,remove,1,4,0,0,7,8,3\n");
    const auto through = track_lines(sim(map_, one, {"--seconds", "12", "--edits", edits_}));
    double top = 0.0;
    for (std::size_t i = 1; i + 1 < through.size(); ++i) top = std::max(top, through[i]["z"].get<double>());
    EXPECT_GT(top, 5.39);
}

TEST_F(SimVolume, ARecordIsPlayedAgain) {
    write_hall();
    write_text(edits_, "1,add,1,20,9,3,21,12,9\n6,remove,1,0,0,0,0,0,0\n");
    const std::string record = temp_path("space.run");
    const RunResult made =
        sim(hall_,
            "id,x,y,z,gx,gy,gz,radius,speed,accel,turning_radius\n"
            "1,4,12,6,36,12,6,0.4,3,3,0\n2,36,11,6,4,11,6,0.5,2,3,0\n3,4,4,3,36,20,8,0.4,3,3,2\n",
            {"--seconds", "12", "--edits", edits_, "--record", record});
    ASSERT_EQ(made.status, 0) << made.err;
    std::filesystem::remove(hall_);
    for (const char* threads : {"1", "2", "3", "8", "16"}) {
        const RunResult again = run_cli({"replay", record, "--threads", threads, "-o", "-"});
        EXPECT_EQ(again.status, 0) << again.err;
        EXPECT_EQ(again.out, made.out) << threads;
    }
}

TEST_F(SimVolume, SpheresThatOverlapAtTheStart) {
    const auto lines = track_lines(
        sim(map_, "id,x,y,z,gx,gy,gz,radius\n1,2,2,2,2,6,2,0.4\n2,2,2,2.7,3,6,2,0.4\n3,2,2,3.5,2,6,4,0.4\n",
            {"--seconds", "1"}));
    EXPECT_NE(lines[1]["state"], "invalid");
    EXPECT_EQ(lines[2]["state"], "invalid");
    EXPECT_NE(lines[3]["state"], "invalid");  // above: far enough in height
}

TEST_F(SimVolume, RefusesWhatItCannotPlay) {
    const auto refused = [&](const std::string& head, const std::string& row, const std::string& word) {
        write_text(units_, "id,x,y,z,gx,gy,gz" + head + "\n1,2,2,2,3,3,3" + row + "\n");
        expect_refused({"sim", map_, units_, "-o", "-"}, {units_ + ":2", word});
    };
    refused(",length,width", ",1,1", "spheres");
    refused(",reverse,turning_radius", ",1,2", "reverse");
    refused(",climb", ",20", "turning_radius");
    refused(",climb,turning_radius", ",89,2", "climb");
    refused(",layer", ",1", "layer");
    write_text(units_, "id,x,y,gx,gy,gz\n1,2,2,3,3,3\n");
    expect_refused({"sim", map_, units_, "-o", "-"}, {units_ + ":2", "z:"});
    write_text(units_, "id,x,y,z,gx,gy\n1,2,2,2,3,3\n");
    expect_refused({"sim", map_, units_, "-o", "-"}, {units_ + ":2", "gz:"});
    write_text(units_, "id,x,y,z,gx,gy,gz\n1,2,2,2,3,3,3\n");
    const auto bad_edit = [&](const std::string& text, const std::string& word) {
        write_text(edits_, text);
        expect_refused({"sim", map_, units_, "-o", "-", "--edits", edits_}, {edits_, word});
    };
    bad_edit("0,fill,1,0,0,0,1,1,1\n", "neither add nor remove");
    bad_edit("0,add,1,0,0,0,1,1\n", "9 fields");
    bad_edit("0,add,1,3,0,0,1,1,1\n", "corners");
    bad_edit("0,remove,1,0,0,0,1,1,1\n", "no box 1");
    bad_edit("0,add,1,0,0,0,1,1,1\n0,add,1,0,0,0,1,1,1\n", "there already");
}

}  // namespace
}  // namespace fairlead::testing
