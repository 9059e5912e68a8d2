// What every command has in common: help, exit status, one line for what is wrong.

#include <gtest/gtest.h>

#include "support/run_program.h"

namespace fairlead::testing {
namespace {

const std::string kRoom = "tests/fixtures/cli/room.map";

/// Status 2, nothing on standard output, one line that holds each of the words.
void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& words) {
    const RunResult run = run_cli(arguments);
    EXPECT_EQ(run.status, 2) << run.out;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err_lines().size(), 1u) << run.err;
    for (const std::string& word : words)
        EXPECT_NE(run.err.find(word), std::string::npos) << word << "\n" << run.err;
}

std::vector<std::string> route_with(const std::vector<std::string>& more) {
    std::vector<std::string> all{"route", kRoom, "--start", "0.5,0.5", "--goal", "3.5,3.5"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

TEST(Usage, HelpEverywhere) {
    for (const char* command : {"demo", "route", "explain", "batch", "scen", "verify", "planners", "bench",
                                "bake", "inspect", "check", "reseal"}) {
        const RunResult run = run_cli({command, "--help"});
        EXPECT_EQ(run.status, 0) << command;
        EXPECT_NE(run.out.find("Usage:"), std::string::npos) << command;
        EXPECT_EQ(run.err, "") << command;
    }
    EXPECT_EQ(run_cli({"--help"}).status, 0);
}

TEST(Usage, BadUsageIsOneLineAndTwo) {
    expect_refused({}, {"fairlead", "ubcommand"});
    expect_refused({"fly"}, {"fairlead"});
    expect_refused({"route"}, {"fairlead route", "WORLD"});
    expect_refused({"route", kRoom}, {"--start"});
    expect_refused(route_with({"--bogus"}), {"--bogus"});
    expect_refused(route_with({"--planner", "teleport"}), {"--planner", "teleport", "jump_point"});
    expect_refused(route_with({"--corner", "often"}), {"--corner", "often", "one_free"});
    expect_refused(route_with({"--heuristic", "hunch"}), {"--heuristic", "hunch"});
    expect_refused(route_with({"--radius", "wide"}), {"--radius", "wide"});
    expect_refused(route_with({"--radius", "-1"}), {"--radius", "-1"});
    expect_refused(route_with({"--radius", "inf"}), {"--radius"});
    expect_refused(route_with({"--footprint", "65"}), {"--footprint", "65"});
    expect_refused(route_with({"--radius", "1", "--footprint", "1"}), {"--radius", "--footprint"});
    expect_refused(route_with({"--smooth", "best", "--no-smooth"}), {"--smooth", "--no-smooth"});
    expect_refused(route_with({"--neighbours", "6"}), {"--neighbours", "6"});
    expect_refused(route_with({"--goal", "1"}), {"--goal", "X,Y"});
    expect_refused(route_with({"--goal-within", "1", "--goal-adjacent"}),
                   {"--goal-within", "--goal-adjacent"});
    expect_refused(route_with({"--blocker", "1,2"}), {"--blocker", "1,2"});
    expect_refused(route_with({"--terrain", "S=many"}), {"--terrain", "many"});
    expect_refused(route_with({"--epsilon", "0.5", "--planner", "weighted_astar"}), {"--epsilon", "range"});
    expect_refused({"route", kRoom, "--start", "0.5,0.5,2", "--goal", "3.5,3.5"}, {"--start", "flat"});
}

TEST(Usage, PlannersThatCannotSayWhy) {
    expect_refused(route_with({"--planner", "jump_point", "--goal-within", "2"}),
                   {"room.map", "jump_point", "goal"});
    expect_refused(route_with({"--planner", "jump_point", "--neighbours", "4"}), {"eight"});
    expect_refused(route_with({"--planner", "jump_point", "--blocker", "5,0.5,0.2"}), {"blockers"});
    expect_refused(route_with({"--planner", "jump_point", "--terrain", "S=3"}), {"uniform cost"});
    expect_refused(route_with({"--planner", "fixed_window", "--goal-adjacent"}), {"fixed_window"});
    expect_refused(route_with({"--planner", "bidirectional", "--goal-within", "2"}), {"bidirectional"});
}

TEST(Usage, FlagsOfLaterVersionsAreRefused) {
    for (const char* flag : {"--height", "--climb"}) {
        expect_refused(route_with({flag, "1"}), {flag, "not in this version"});
    }
    expect_refused(route_with({"--speed", "1"}), {"--speed", "--turning-radius"});
    expect_refused(route_with({"--accel", "1"}), {"--accel", "--speed"});
    expect_refused(route_with({"--turn-rate", "90"}), {"--turn-rate", "--speed"});
    expect_refused(route_with({"--facings", "8"}), {"--facings", "--turning-radius"});
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
