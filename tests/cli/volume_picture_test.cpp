// Pictures of volumes and of queries in them.
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/space.h"
#include "support/xml_check.h"

namespace fairlead::testing {
namespace {

using VolumePicture = SpaceTest;

const std::vector<std::string> kEnds{"--start", "1.5,4.5,1.5", "--goal", "10.5,4.5,1.5"};

struct ObjText {
    std::set<std::string> groups;
    std::vector<std::vector<double>> corners;
    std::size_t faces = 0;
    std::size_t lines = 0;
};

ObjText read_obj(const std::string& text) {
    ObjText out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "g") out.groups.insert(line.substr(2));
        if (kind == "f") ++out.faces;
        if (kind == "l") ++out.lines;
        if (kind != "v") continue;
        out.corners.emplace_back(3);
        for (double& p : out.corners.back()) words >> p;
    }
    return out;
}

TEST_F(VolumePicture, OfAQuery) {
    const std::string svg = temp_path("space.svg"), png = temp_path("space.png"),
                      obj = temp_path("space.obj");
    std::set<std::string> all;
    for (const char* show : {"searched", "path", "counts"}) {
        const std::vector<std::string> more{"--show", show, "--svg", svg, "--png", png, "--obj", obj};
        const RunResult run = run_cli(with(with({"route", map_}, kEnds), more));
        ASSERT_EQ(run.status, 0) << run.err;
        const std::string text = read_text(svg);
        EXPECT_EQ(XmlCheck::run(text), "") << show;
        EXPECT_NE(text.find("<title>complete, any_angle: length "), std::string::npos);
        for (const char* group : {"\"faces\"", "\"edges\"", "\"route\""})
            EXPECT_NE(text.find(group), std::string::npos) << group;
        EXPECT_TRUE(all.insert(text).second) << show;
        EXPECT_EQ(read_text(png).substr(0, 8), "\x89PNG\r\n\x1a\n");
        const ObjText space = read_obj(read_text(obj));
        EXPECT_EQ(space.groups, (std::set<std::string>{"blocks", "route"}));
        EXPECT_EQ(space.lines, 1U);
        EXPECT_GT(space.faces, 20U);
        double high = 0.0;
        for (const std::vector<double>& p : space.corners) {
            high = std::max(high, p[1]);  // y up
            EXPECT_TRUE(p[0] >= 0 && p[0] <= 12 && p[1] >= 0 && p[1] <= 6 && p[2] <= 0 && p[2] >= -8);
        }
        EXPECT_GE(high, 5.0);
    }
}

TEST_F(VolumePicture, WhatIsLeftOut) {
    const std::string out = temp_path("space.svg");
    const auto picture = [&](const std::vector<std::string>& more) {
        const RunResult run = run_cli(with(with({"route", map_, "--svg", out}, kEnds), more));
        EXPECT_EQ(run.status, 0) << run.err;
        return read_text(out);
    };
    const std::string all = picture({});
    const std::string top = "fill=\"#c9d0d8\"", cut = "fill=\"#505b6b\"";
    EXPECT_NE(all.find(top), std::string::npos);
    EXPECT_EQ(all.find(cut), std::string::npos);
    EXPECT_EQ(picture({"--solid", "none", "--show", "path"}).find(top), std::string::npos);
    EXPECT_NE(picture({"--solid", "0,0,0,12,8,3", "--show", "path"}).find(cut), std::string::npos);
    EXPECT_NE(picture({"--quarter", "2"}), all);
    EXPECT_NE(picture({"--block", "2"}), all);
    EXPECT_NE(picture({"--planner", "astar26"}), all);
    EXPECT_EQ(picture({"--block", "1"}), all);
}

TEST_F(VolumePicture, OfAVolume) {
    const std::string svg = temp_path("volume.svg"), png = temp_path("volume.png");
    ASSERT_EQ(run_cli({"export", map_, "-o", svg}).status, 0);
    const std::string text = read_text(svg);
    EXPECT_EQ(XmlCheck::run(text), "");
    EXPECT_EQ(text.find("\"route\""), std::string::npos);
    ASSERT_EQ(run_cli({"export", map_, "-o", png, "--quarter", "1", "--solid", "0,0,0,6,8,6"}).status, 0);
    EXPECT_EQ(read_text(png).substr(0, 8), "\x89PNG\r\n\x1a\n");
}

TEST_F(VolumePicture, Refused) {
    const std::string out = temp_path("x.svg");
    const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& words) {
        expect_refused(with(with({"route", map_, "--svg", out}, kEnds), more), words);
    };
    refused({"--show", "nodes"}, {"--show", "nodes", "searched, path, counts"});
    refused({"--solid", "some"}, {"--solid"});
    refused({"--solid", "0,0,0,1,1"}, {"--solid", "six numbers"});
    refused({"--solid", "5,5,5,1,1,1"}, {"--solid", "no voxel"});
    refused({"--quarter", "4"}, {"--quarter"});
    refused({"--block", "0"}, {"--block"});
    refused({"--y-up"}, {"--y-up", "--quarter"});
    expect_refused({"export", map_, "-o", temp_path("x.obj"), "--quarter", "1"}, {"--quarter", ".svg"});
    for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
             {"--png", out}, {"--obj", out}, {"--show", "path"}, {"--quarter", "0"}})
        expect_refused(with({"route", kRoom, "--start", "1.5,1.5", "--goal", "2.5,1.5"}, more),
                       {more[0], "for volumes only"});
}

}  // namespace
}  // namespace fairlead::testing
