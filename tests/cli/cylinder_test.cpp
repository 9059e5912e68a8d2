// fairlead bake cylinder, and routes over what it wrote.
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/cli_test.h"
#include "support/run_program.h"
#include "support/tubes.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

std::string obj_of(const Triangles& model) {
    std::ostringstream out;
    out.precision(17);
    for (const Vec3& v : model.vertices) out << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
    for (std::size_t i = 0; i < model.triangles.size(); i += 3)
        out << "f " << model.triangles[i] + 1 << ' ' << model.triangles[i + 1] + 1 << ' '
            << model.triangles[i + 2] + 1 << '\n';
    return out.str();
}

class CylinderCommand : public ::testing::Test {
  protected:
    std::string obj_ = temp_path("tube.obj"), file_ = temp_path("tube.fl");
    Tube tube_;

    void SetUp() override {
        tube_.pylons.push_back({1.0, 5.0, 18.0, 21.0, 5.0});  // a ridge: more than half around
        write_text(obj_, obj_of(tube_.triangles(CylinderAxis::x)));
    }
    [[nodiscard]] RunResult bake(const std::vector<std::string>& more = {}) const {
        return run_cli(with(
            {"bake", "cylinder", obj_, "-o", file_, "--axis", "x", "--cell", "1", "--slices", "6"}, more));
    }
    // At an angle and depth of the tube, along x.
    static std::string place(double angle, double radius, double along) {
        std::ostringstream out;
        out.precision(17);
        out << along << ',' << radius * std::cos(angle) << ',' << radius * std::sin(angle);
        return out.str();
    }
};

TEST_F(CylinderCommand, BakedAndRouted) {
    const RunResult run = bake({"--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const json report = json::parse(run.out);
    EXPECT_EQ(report["around"], 126);
    EXPECT_EQ(report["slices"], 6);
    EXPECT_NEAR(report["radius"].get<double>(), 20.0, 1e-9);
    EXPECT_NEAR(report["inner_radius"].get<double>(), 14.0, 0.01);  // the ridge is of chords
    const std::string bytes = read_text(file_);
    EXPECT_EQ(bake({"--threads", "3"}).status, 0);
    EXPECT_EQ(read_text(file_), bytes);

    // Over the ridge, or around it: the short way over the seam is over the ridge's gap.
    const json over = route_json(file_, place(3.0, 19.5, 10.0), {"--goal", place(3.0, 19.5, 30.0)});
    EXPECT_EQ(over["status"], "complete");
    EXPECT_LT(over["line_cost"].get<double>(), 31.0);
    EXPECT_GT(over["line_cost"].get<double>(), 28.0);
    bool high = false;
    for (const json& leg : over["legs"]) high = high || leg["layer"].get<int>() >= 5;
    EXPECT_TRUE(high);
    const json& last = over["end"];
    EXPECT_NEAR(last["x"].get<double>(), 30.0, 1e-9);
    EXPECT_NEAR(last["y"].get<double>(), 19.5 * std::cos(3.0), 1e-9);
    EXPECT_NEAR(last["z"].get<double>(), 19.5 * std::sin(3.0), 1e-9);
    const json seam = route_json(file_, place(0.2, 19.5, 10.0), {"--goal", place(-0.2, 19.5, 10.0)});
    EXPECT_NEAR(seam["line_cost"].get<double>(), 0.4 * 19.5, 0.05);
    EXPECT_EQ(route_json(file_, place(3.0, 19.5, 19.5), {"--goal", place(3.0, 19.5, 30.0)})["status"],
              "start_blocked");
    EXPECT_EQ(route_json(file_, place(3.0, 3.0, 19.5), {"--goal", place(3.0, 19.5, 30.0)})["status"],
              "off_world");

    EXPECT_EQ(run_cli({"check", file_}).status, 0);
    const RunResult told = run_cli({"inspect", file_, "--json"});
    ASSERT_EQ(told.status, 0) << told.err;
    EXPECT_EQ(json::parse(told.out)["cylinder"]["axis"], "x");
    const std::string queries = temp_path("tube.csv"), routes = temp_path("tube.jsonl");
    write_text(queries, "id,sx,sy,sz,sh,gx,gy,gz,gh\n7," + place(3.0, 19.5, 10.0) + ",," +
                            place(3.0, 19.5, 30.0) + ",\n");
    const RunResult batch = run_cli({"batch", file_, queries, "-o", routes});
    ASSERT_EQ(batch.status, 0) << batch.err;
    EXPECT_EQ(json::parse(read_text(routes))["length"], over["length"]);
}

TEST_F(CylinderCommand, WhatFloatsIsRefusedWithItsPlace) {
    Pylon floating{3.0, 3.4, 26.0, 30.0, 5.0};
    floating.base = 3.0;
    tube_.pylons.push_back(floating);
    write_text(obj_, obj_of(tube_.triangles(CylinderAxis::x)));
    const RunResult run = bake();
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("tube.obj: something floats: at ("), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("slice"), std::string::npos);
}

TEST_F(CylinderCommand, WrongUse) {
    const auto refused = [&](const std::vector<std::string>& flags, const char* word) {
        const RunResult run = run_cli(with({"bake", "cylinder", obj_, "-o", file_}, flags));
        EXPECT_EQ(run.status, 2);
        EXPECT_NE(run.err.find(word), std::string::npos) << run.err;
    };
    refused({"--axis", "w", "--cell", "1", "--slices", "6"}, "--axis");
    refused({"--axis", "x", "--cell", "0", "--slices", "6"}, "--cell");
    refused({"--axis", "x", "--cell", "90", "--slices", "6"}, "--cell");
    refused({"--axis", "x", "--cell", "0.001", "--slices", "6"}, "--cell");
    refused({"--axis", "x", "--cell", "1", "--slices", "0"}, "--slices");
    refused({"--axis", "x", "--cell", "1", "--slices", "6", "--centre", "1,2"}, "--centre");
    refused({"--axis", "x", "--cell", "1", "--slices", "6", "--radius", "-3"}, "--radius");
    refused({"--axis", "x", "--cell", "1", "--slices", "6", "--depth", "30"}, "--depth");
    ASSERT_EQ(bake().status, 0);
    const auto route = [&](const std::vector<std::string>& flags, const char* word) {
        const RunResult run = run_cli(with({"route", file_, "--start", place(3.0, 19.5, 10.0)}, flags));
        EXPECT_EQ(run.status, 2);
        EXPECT_NE(run.err.find(word), std::string::npos) << run.err;
    };
    route({"--goal", "3,4"}, "--goal");
    route({"--goal", "3,4,5", "--turning-radius", "2"}, "--turning-radius");
    route({"--goal", "3,4,5", "--svg", "x.svg"}, "--svg");
}

}  // namespace
}  // namespace fairlead::testing
