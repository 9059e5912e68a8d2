// fairlead route with --speed.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/cli_test.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

std::vector<std::string> timed_route(const std::vector<std::string>& more) {
    std::vector<std::string> all{"route",    "tests/fixtures/cli/yard.map",
                                 "--start",  "2.5,2.5,,0",
                                 "--goal",   "20.5,13.5,,180",
                                 "--radius", "0.4",
                                 "--speed",  "6"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

const std::vector<std::string> kTurns{"--turning-radius", "2"};

std::vector<std::string> turning(std::vector<std::string> more) {
    more.insert(more.end(), kTurns.begin(), kTurns.end());
    return timed_route(more);
}

TEST(SpeedRoute, LegsHaveLimitsAndTheRouteSeconds) {
    const RunResult run = run_cli(turning({"--json", "--lateral-accel", "2"}));
    ASSERT_EQ(run.status, 0) << run.err;
    const json route = json::parse(run.out);
    EXPECT_EQ(route["status"], "complete");
    EXPECT_EQ(route["planner"], "weighted_timed");
    EXPECT_EQ(route["seconds"], route["cost"]);
    for (const json& leg : route["legs"]) {
        const bool arc = leg["curvature"] != 0.0;
        EXPECT_NEAR(leg["speed_max"].get<double>(), arc ? 2.0 : 6.0, 1e-9);
    }
    const json& speeds = route["speeds"];
    EXPECT_EQ(speeds.front(), json::parse("[0,0,0,1]"));
    EXPECT_EQ(speeds.back()[1], route["seconds"]);
    EXPECT_EQ(speeds.back()[2], 0.0);
    EXPECT_NEAR(speeds.back()[0].get<double>(), route["length"].get<double>(), 1e-9);
}

TEST(SpeedRoute, PartialLeadsToTheBestPoseSoFar) {
    const RunResult run = run_cli(turning({"--json", "--partial", "--budget", "30"}));
    ASSERT_EQ(run.status, 0) << run.err;
    const json route = json::parse(run.out);
    EXPECT_EQ(route["status"], "budget_spent");
    EXPECT_FALSE(route["legs"].empty());
}

TEST(SpeedRoute, QuickerUnitsAreQuicker) {
    const auto seconds = [](const std::string& accel) {
        const RunResult run =
            run_cli(turning({"--json", "--accel", accel, "--planner", "timed_lattice", "--brake", accel}));
        EXPECT_EQ(run.status, 0) << run.err;
        return json::parse(run.out)["seconds"].get<double>();
    };
    EXPECT_LT(seconds("4"), seconds("1"));
}

TEST(SpeedRoute, TooFastIsSaid) {
    const RunResult run =
        run_cli(turning({"--json", "--start-speed", "6", "--brake", "0.5", "--lateral-accel", "0.1"}));
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(json::parse(run.out)["status"], "unreachable");
    EXPECT_NE(run.err.find("--start-speed"), std::string::npos) << run.err;
}

TEST(SpeedRoute, WhatMeansNothingIsRefused) {
    expect_refused(timed_route({}), {"--speed", "--turning-radius"});
    expect_refused(turning({"--goal-speed", "5.99"}), {"--goal-speed", "levels"});
    expect_refused(turning({"--start-speed", "7"}), {"--start-speed"});
    expect_refused(turning({"--accel", "0"}), {"--accel"});
    expect_refused(turning({"--levels", "2"}), {"--levels"});
    expect_refused(turning({"--planner", "lattice"}), {"--planner", "timed_lattice"});
    expect_refused(turning({"--planner", "timed_lattice", "--epsilon", "2"}), {"--epsilon"});
    expect_refused(turning({"--reverse", "--cusp-penalty", "2"}), {"--cusp-penalty", "--speed"});
    expect_refused({"route", "tests/fixtures/cli/yard.map", "--start", "2.5,2.5,,0", "--goal", "9.5,2.5",
                    "--turning-radius", "2", "--planner", "weighted_timed"},
                   {"--planner", "--speed"});
    expect_refused({"batch", "tests/fixtures/cli/yard.map", "tests/fixtures/cli/yard.csv", "-o", "-",
                    "--turning-radius", "2", "--planner", "weighted_timed"},
                   {"--planner", "route"});
}

}  // namespace
}  // namespace fairlead::testing
