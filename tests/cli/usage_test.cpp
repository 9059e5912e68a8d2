// What every command has in common: help, exit status, one line for what is wrong.

#include <gtest/gtest.h>

#include "cli/cli_test.h"

namespace fairlead::testing {
namespace {

std::vector<std::string> room_route(const std::vector<std::string>& more) {
    return with({"route", kRoom, "--start", "0.5,0.5", "--goal", "3.5,3.5"}, more);
}

TEST(Usage, HelpEverywhere) {
    for (const char* command : {"demo", "route", "explain", "batch", "scen", "verify", "planners", "bench",
                                "explore", "bake", "inspect", "check", "reseal"}) {
        const RunResult run = run_cli({command, "--help"});
        EXPECT_EQ(run.status, 0) << command;
        EXPECT_NE(run.out.find("Usage:"), std::string::npos) << command;
        EXPECT_EQ(run.err, "") << command;
    }
    for (const char* what : {"navmesh", "table", "volume", "index"}) {
        const RunResult run = run_cli({"bake", what, "--help"});
        EXPECT_EQ(run.status, 0) << what;
        EXPECT_NE(run.out.find("Usage:"), std::string::npos) << what;
    }
    EXPECT_EQ(run_cli({"--help"}).status, 0);
}

TEST(Usage, BadUsageIsOneLineAndTwo) {
    expect_refused({}, {"fairlead", "ubcommand"});
    expect_refused({"fly"}, {"fairlead"});
    expect_refused({"route"}, {"fairlead route", "WORLD"});
    expect_refused({"route", kRoom}, {"--start"});
    expect_refused(room_route({"--bogus"}), {"--bogus"});
    expect_refused(room_route({"--planner", "teleport"}), {"--planner", "teleport", "jump_point"});
    expect_refused(room_route({"--corner", "often"}), {"--corner", "often", "one_free"});
    expect_refused(room_route({"--heuristic", "hunch"}), {"--heuristic", "hunch"});
    expect_refused(room_route({"--radius", "wide"}), {"--radius", "wide"});
    expect_refused(room_route({"--radius", "-1"}), {"--radius", "-1"});
    expect_refused(room_route({"--radius", "inf"}), {"--radius"});
    expect_refused(room_route({"--footprint", "65"}), {"--footprint", "65"});
    expect_refused(room_route({"--radius", "1", "--footprint", "1"}), {"--radius", "--footprint"});
    expect_refused(room_route({"--smooth", "best", "--no-smooth"}), {"--smooth", "--no-smooth"});
    expect_refused(room_route({"--neighbours", "6"}), {"--neighbours", "6"});
    expect_refused(room_route({"--goal", "1"}), {"--goal", "X,Y"});
    expect_refused(room_route({"--goal-within", "1", "--goal-adjacent"}),
                   {"--goal-within", "--goal-adjacent"});
    expect_refused(room_route({"--blocker", "1,2"}), {"--blocker", "1,2"});
    expect_refused(room_route({"--terrain", "S=many"}), {"--terrain", "many"});
    expect_refused(room_route({"--epsilon", "0.5", "--planner", "weighted_astar"}), {"--epsilon", "range"});
    expect_refused(room_route({"--goal-within", "-1"}), {"--goal-within: -1"});
    expect_refused(room_route({"--goal-in-sight", "-2"}), {"--goal-in-sight: -2"});
    expect_refused(room_route({"--blocker", "1,1,0.1", "--blocker", "1,1,1e6"}),
                   {"--blocker, number 2", "range"});
    expect_refused({"route", kRoom, "--start", "0.5,0.5,2", "--goal", "3.5,3.5"}, {"--start", "flat"});
}

TEST(Usage, VersionAndHelpInWords) {
    for (const char* flag : {"--version", "-v"}) {
        const RunResult run = run_cli({flag});
        EXPECT_EQ(run.status, 0);
        EXPECT_NE(run.out.find("fairlead 0."), std::string::npos) << run.out;
    }
    EXPECT_EQ(run_cli({"help"}).out, run_cli({"--help"}).out);
    EXPECT_EQ(run_cli({"help", "route"}).out, run_cli({"route", "--help"}).out);
    EXPECT_EQ(run_cli({"help", "bake", "navmesh"}).out, run_cli({"bake", "navmesh", "--help"}).out);
    EXPECT_NE(run_cli({"help", "route"}).out.find("--radius NUMBER"), std::string::npos);
    expect_refused({"help", "bak"}, {"\"bak\" is no command; did you mean bake?"});
}

TEST(Usage, WhatWasProbablyMeant) {
    expect_refused({"rout"}, {"\"rout\" is no command; did you mean route?"});
    expect_refused({"verfiy", kRoom}, {"did you mean verify?"});
    expect_refused({"bake", "navmehs"}, {"did you mean navmesh?"});
    expect_refused(room_route({"--raduis", "1"}),
                   {"--raduis: there is no such flag; did you mean --radius?"});
    expect_refused({"route", kRoom, "--start", "1,1", "--goal", "2", "2"}, {"X,Y without a space"});
    expect_refused({"route", kRoom, "--start", "1", "1", "--goal", "2,2"}, {"X,Y"});
    const RunResult far = run_cli({"teleport"});
    EXPECT_EQ(far.err.find("did you mean"), std::string::npos) << far.err;
    expect_refused({}, {"--help lists them"});
    expect_refused(room_route({"--svg", "x.png"}), {"--svg: x.png", "pixels"});
}

TEST(Usage, StandardInputIsAFile) {
    const RunResult piped =
        run_cli({"route", "-", "--start", "0.5,0.5", "--goal", "3.5,3.5", "--json"}, kRoom);
    ASSERT_EQ(piped.status, 0) << piped.err;
    const nlohmann::json line = nlohmann::json::parse(piped.out);
    EXPECT_EQ(line["status"], "complete");
    // Routes go to standard output where no file is named.
    const RunResult all = run_cli({"batch", kRoom, "tests/fixtures/cli/room.csv"});
    ASSERT_EQ(all.status, 0) << all.err;
    EXPECT_EQ(all.out.substr(0, 6), "{\"id\":");
}

// FAULT-11: the standard library reads "-1" as 2^64 - 1.
TEST(Usage, NumbersThatAreNone) {
    for (const char* budget : {"-1", "1.5", "99999999999999999999999", "0x10", "", "+3", " 4"})
        expect_refused(room_route({"--budget", budget}), {"--budget", "whole number"});
    expect_refused(room_route({"--budget=-1"}), {"--budget", "-1"});
    expect_refused(room_route({"--seed", "-7"}), {"--seed", "-7"});
    for (const char* flag : {"--trials", "--budget"})
        expect_refused({"explain", kRoom, "--start", "0.5,0.5", "--goal", "3.5,3.5", flag, "-1"}, {flag});
    expect_refused({"scen", kRoom, "tests/fixtures/cli/room.scen", "--repeat", "-1"}, {"--repeat", "-1"});
    expect_refused({"demo", "-o", temp_path("none"), "--scale", "nan"}, {"--scale", "nan"});
    EXPECT_EQ(run_cli(room_route({"--budget", "18446744073709551615"})).status, 0);
    EXPECT_EQ(run_cli(room_route({"--budget", "0"})).status, 0);
}

// FAULT-11: limits of what files take have options.
TEST(Usage, LimitsOnFiles) {
    expect_refused(room_route({"--file-max", "10"}), {"room.map", "10", "--file-max"});
    expect_refused(room_route({"--memory-max", "16"}), {"room.map", "16", "--memory-max"});
    // A text is not unpacked or read past what may be in memory, whatever is in it.
    const std::string large = temp_path("large.map");
    write_text(large, std::string(1 << 20, 'x'));
    expect_refused({"route", large, "--start", "0,0", "--goal", "1,1", "--memory-max", "64k"},
                   {"65536", "--memory-max"});
    EXPECT_EQ(run_cli(room_route({"--file-max", "1k", "--memory-max", "1M"})).status, 0);
    for (const char* bytes : {"0", "-1", "k", "1.5", "3x", "99999999G", "nan"})
        expect_refused(room_route({"--file-max", bytes}), {"--file-max"});
    expect_refused({"bake", "navmesh", kRoom, "-o", temp_path("none.fl"), "--file-max", "10"},
                   {"--file-max"});
}

TEST(Usage, PlannersThatCannotSayWhy) {
    expect_refused(room_route({"--planner", "jump_point", "--goal-within", "2"}),
                   {"room.map", "jump_point", "goal"});
    expect_refused(room_route({"--planner", "jump_point", "--neighbours", "4"}), {"eight"});
    expect_refused(room_route({"--planner", "jump_point", "--blocker", "5,0.5,0.2"}), {"blockers"});
    expect_refused(room_route({"--planner", "jump_point", "--terrain", "S=3"}), {"uniform cost"});
    expect_refused(room_route({"--planner", "fixed_window", "--goal-adjacent"}), {"fixed_window"});
    expect_refused(room_route({"--planner", "bidirectional", "--goal-within", "2"}), {"bidirectional"});
}

TEST(Usage, FlagsOfLaterVersionsAreRefused) {
    expect_refused(room_route({"--height", "1"}), {"--height", "in volumes only"});
    expect_refused(room_route({"--climb", "1"}), {"--climb", "--turning-radius"});
    expect_refused(room_route({"--speed", "1"}), {"--speed", "--turning-radius"});
    expect_refused(room_route({"--accel", "1"}), {"--accel", "--speed"});
    expect_refused(room_route({"--turn-rate", "90"}), {"--turn-rate", "--speed"});
    expect_refused(room_route({"--facings", "8"}), {"--facings", "--turning-radius"});
    expect_refused({"scen", kRoom, "tests/fixtures/cli/room.scen", "--index", "x.fl"},
                   {"--index", "not in this version"});
}

TEST(Usage, BadInputNamesFilePlaceAndReason) {
    const std::string folder = "tests/fixtures/cli/";
    expect_refused({"route", folder + "bad_letter.map", "--start", "0.5,0.5", "--goal", "1.5,0.5"},
                   {"bad_letter.map:5:3", "x"});
    expect_refused({"route", "no_such.map", "--start", "0.5,0.5", "--goal", "1.5,0.5"},
                   {"no_such.map", "No such file"});
    expect_refused({"route", folder + "room.csv", "--start", "0.5,0.5", "--goal", "1.5,0.5"},
                   {"room.csv", "map"});
    expect_refused({"batch", kRoom, folder + "bad_number.csv", "-o", "-"}, {"bad_number.csv:2:7", "zero"});
    expect_refused({"batch", kRoom, folder + "high.csv", "-o", "-"}, {"high.csv:2", "flat"});
    expect_refused({"batch", kRoom, folder + "room.csv", "-o", "no_folder/x.jsonl"}, {"no_folder/x.jsonl"});
    expect_refused({"scen", kRoom, folder + "other_size.scen"}, {"other_size.scen:2", "9 x 6", "8 x 6"});
    expect_refused({"scen", kRoom, kRoom}, {"room.map", "scenario"});
    expect_refused({"verify", kRoom, folder + "room.scen"}, {"room.scen:1"});
}

}  // namespace
}  // namespace fairlead::testing
