// fairlead explain: reasons and helps as JSON and text, the picture, what is refused.

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/cli_test.h"
#include "support/xml_check.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

const std::string kScene = "scenes/why_not.json";

RunResult ask(const std::string& world, const std::string& start, const std::string& goal,
              const std::vector<std::string>& more) {
    std::vector<std::string> all{"explain", world, "--start", start, "--goal", goal};
    all.insert(all.end(), more.begin(), more.end());
    return run_cli(all);
}

json asked(const std::string& world, const std::string& start, const std::string& goal,
           std::vector<std::string> more) {
    more.emplace_back("--json");
    const RunResult run = ask(world, start, goal, more);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out_lines().size(), 1u);
    return json::parse(run.out);
}

json help_of(const json& why, const std::string& kind) {
    for (const json& help : why["helps"]) {
        if (help["help"] == kind) return help;
    }
    return {};
}

TEST(ExplainCommand, TheDoorAndTheLargestRadius) {
    const json why = asked(kScene, "5.5,5.5", "20.5,4.5", {"--radius", "2.4"});
    EXPECT_EQ(why["reason"], "too_wide");
    EXPECT_EQ(why["status"], "unreachable");
    EXPECT_EQ(why["place"]["x"], 10.5);
    EXPECT_EQ(why["place"]["y"], 5.5);
    EXPECT_EQ(why["width"], 3.0);
    const json help = help_of(why, "smaller_body");
    EXPECT_EQ(help["proof"], "found");
    EXPECT_EQ(help["value"], 1.5);
    EXPECT_GT(help["length"], 15.0);
    const RunResult run = ask(kScene, "5.5,5.5", "20.5,4.5", {"--radius", "2.4"});
    EXPECT_EQ(run.out_lines().front(), "blocked at (10.5, 5.5): would need radius <= 1.5");
}

TEST(ExplainCommand, TheCircleAndTheRouteOfIt) {
    const json why = asked(kScene, "13.5,12,,0", "20.5,15,,90", {"--radius", "0.8", "--turning-radius", "6"});
    EXPECT_EQ(why["reason"], "turning");
    const json help = help_of(why, "smaller_circle");
    ASSERT_EQ(help["proof"], "found");
    for (const char* key : {"value", "failed"}) {
        const RunResult run =
            run_cli({"route", kScene, "--json", "--start", "13.5,12,,0", "--goal", "20.5,15,,90", "--radius",
                     "0.8", "--turning-radius", help[key].dump()});
        const json route = json::parse(run.out);
        // What failed did so on the lattice.
        const bool complete = key == std::string("value") || route["planner"] == "off_lattice";
        EXPECT_EQ(route["status"], complete ? "complete" : "unreachable");
    }
}

// A street three tiles wide, closed at both ends.
TEST(ExplainCommand, TurningOnTheSpotAndBlockers) {
    const std::string map = temp_path("street.map");
    std::string rows = "type octile\nheight 5\nwidth 20\nmap\n" + std::string(20, '@') + "\n";
    for (int i = 0; i < 3; ++i) rows += "@" + std::string(18, '.') + "@\n";
    write_text(map, rows + std::string(20, '@') + "\n");
    const std::vector<std::string> unit{"--radius", "1.45", "--turning-radius", "4", "--reverse"};
    const json why = asked(map, "16,2.5,,0", "4,2.5,,180", unit);
    EXPECT_EQ(why["reason"], "turning");
    EXPECT_EQ(help_of(why, "pivot")["proof"], "found");
    EXPECT_NE(why["text"].get<std::string>().find("turns on the spot"), std::string::npos) << why;
    const json bus = asked(map, "16,2.5,,0", "4,2.5,,180",
                           {"--length", "4", "--width", "2", "--turning-radius", "4", "--reverse"});
    EXPECT_EQ(help_of(bus, "pivot")["proof"], "none");
    const json blocked = asked(map, "4,2.5,,0", "16,2.5,,0",
                               {"--radius", "1.2", "--turning-radius", "4", "--blocker", "10.5,2.5,1"});
    EXPECT_EQ(help_of(blocked, "no_blockers")["proof"], "found");
    EXPECT_EQ(help_of(blocked, "no_blockers")["value"], 0.0);
}

TEST(ExplainCommand, ReasonsOfOtherKinds) {
    const json sealed = asked(kSealed, "0.5,0.5", "3.5,2.5", {});
    EXPECT_EQ(sealed["reason"], "sealed");
    EXPECT_EQ(sealed["closed"], "goal");
    EXPECT_EQ(sealed["tiles"], 1);
    const json blocked = asked(kSealed, "3.5,1.5", "0.5,0.5", {});
    EXPECT_EQ(blocked["reason"], "start_blocked");
    EXPECT_EQ(blocked["tile"], (json{3, 1}));
    EXPECT_EQ(help_of(blocked, "move_start")["proof"], "found");
    EXPECT_EQ(asked(kSealed, "-3,1.5", "0.5,0.5", {})["reason"], "off_world");
    EXPECT_EQ(asked(kSealed, "0.5,0.5", "6.5,0.5", {})["reason"], "none");
    EXPECT_EQ(asked(kSealed, "0.5,0.5", "3.5,2.5", {"--budget", "0"})["reason"], "budget_spent");
    const json short_of = asked(kScene, "5.5,5.5", "20.5,4.5", {"--radius", "2.4", "--trials", "0"});
    EXPECT_EQ(help_of(short_of, "smaller_body")["proof"], "not_looked");
}

TEST(ExplainCommand, ThePictureIsSound) {
    const std::string file = (std::filesystem::path{::testing::TempDir()} / "explain.svg").string();
    const RunResult run = ask(kScene, "5.5,5.5", "20.5,4.5", {"--radius", "2.4", "--svg", file});
    ASSERT_EQ(run.status, 0) << run.err;
    std::ifstream in{file};
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    EXPECT_EQ(XmlCheck::run(text), "");
    EXPECT_NE(text.find("explanation"), std::string::npos);
    std::filesystem::remove(file);
}

TEST(ExplainCommand, WhatIsRefused) {
    EXPECT_EQ(ask(kYard, "2.5,2.5", "8.5,8.5", {"--accuracy", "7"}).status, 2);
    EXPECT_EQ(ask(kYard, "2.5,2.5", "8.5,8.5", {"--trials", "-1"}).status, 2);
    EXPECT_EQ(ask(kYard, "2.5,2.5", "8.5,8.5", {"--radius", "-1"}).status, 2);
    EXPECT_EQ(ask(kYard, "2.5,2.5,,0", "8.5,8.5,,0", {"--turning-radius", "2", "--planner", "hybrid"}).status,
              2);
    EXPECT_EQ(ask("scenes/none.map", "2.5,2.5", "8.5,8.5", {}).status, 2);
}

TEST(ExplainCommand, RouteSaysWhereToAsk) {
    const RunResult run = run_cli({"route", kSealed, "--start", "0.5,0.5", "--goal", "3.5,2.5"});
    EXPECT_NE(run.out.find("fairlead explain"), std::string::npos);
    const RunResult found = run_cli({"route", kSealed, "--start", "0.5,0.5", "--goal", "6.5,0.5"});
    EXPECT_EQ(found.out.find("fairlead explain"), std::string::npos);
}

// The corridor is 1 wide, and 9 x 4 is all there is.
TEST(ExplainCommand, OnLevelMeshes) {
    const std::string rooms = "tests/fixtures/cli/rooms.mesh";
    const json why = asked(rooms, "1,1.5", "8,1.5", {"--radius", "0.6"});
    EXPECT_EQ(why["reason"], "too_wide");
    EXPECT_EQ(why["width"], 1.0);
    EXPECT_EQ(why["place"]["x"], 4.0);
    EXPECT_EQ(help_of(why, "smaller_body")["value"], 0.5);
    EXPECT_EQ(ask(rooms, "1,1.5", "8,1.5", {"--radius", "0.6"}).out_lines().front(),
              "blocked at (4, 1.5, 0): would need radius <= 0.5");
    const json outside = asked(rooms, "1,1.5", "50,50", {});
    EXPECT_EQ(outside["reason"], "off_world");
    EXPECT_EQ(help_of(outside, "move_goal")["place"]["x"], 9.0);
    EXPECT_EQ(asked(rooms, "1,1.5", "8,1.5", {"--radius", "0.3"})["reason"], "none");
    const RunResult hint =
        run_cli({"route", rooms, "--start", "1,1.5", "--goal", "8,1.5", "--radius", "0.6"});
    EXPECT_NE(hint.out.find("fairlead explain"), std::string::npos) << hint.out;

    const std::string svg = temp_path("why.svg");
    (void)asked(rooms, "1,1.5", "8,1.5", {"--radius", "0.6", "--svg", svg});
    const std::string picture = read_text(svg);
    EXPECT_EQ(XmlCheck::run(picture), "");
    EXPECT_NE(picture.find("would need radius"), std::string::npos);
    expect_refused({"explain", rooms, "--start", "1,1.5", "--goal", "8,1.5", "--blocker", "1,1,1"},
                   {"--blocker"});
}

TEST(ExplainCommand, TurningUnitsOnLevelMeshes) {
    const std::string rooms = "tests/fixtures/cli/rooms.mesh";
    const json wide = asked(rooms, "1,1.5,,0", "8,1.5,,0", {"--radius", "0.6", "--turning-radius", "1"});
    EXPECT_EQ(wide["reason"], "too_wide");
    EXPECT_EQ(wide["width"], 1.0);
    EXPECT_LE(help_of(wide, "smaller_body")["value"], 0.5);
    // It gets there, and cannot turn round.
    const json turning = asked(rooms, "1,1.5,,0", "8,1.5,,180", {"--radius", "0.4", "--turning-radius", "3"});
    EXPECT_EQ(turning["reason"], "turning");
    EXPECT_EQ(help_of(turning, "pivot")["proof"], "found");
    EXPECT_EQ(help_of(turning, "goal_heading")["proof"], "found");
    EXPECT_EQ(asked(rooms, "1,1.5,,0", "8,1.5,,0", {"--radius", "0.4", "--turning-radius", "1"})["reason"],
              "none");
    expect_refused(
        {"explain", rooms, "--start", "1,1.5", "--goal", "8,1.5", "--turning-radius", "1", "--facings", "8"},
        {"--facings"});
}

// Swamp cuts the map in two; its area is closed.
TEST(ExplainCommand, AreasOfAMesh) {
    const std::string map = temp_path("swamp.map"), level = temp_path("swamp.fl");
    write_text(map, "type octile\nheight 3\nwidth 5\nmap\n..S..\n..S..\n..S..\n");
    ASSERT_EQ(run_cli({"bake", "navmesh", map, "-o", level, "--terrain", "S=3"}).status, 0);
    const json why = asked(level, "0.5,1.5", "4.5,1.5", {"--closed-areas", "2"});
    EXPECT_EQ(why["reason"], "sealed");
    EXPECT_EQ(why["area"], 6.0);
    EXPECT_EQ(help_of(why, "open_terrain")["terrain"], json::array({2}));
    const json on_it = asked(level, "2.5,1.5", "4.5,1.5", {"--closed-areas", "2", "--reach", "0.1"});
    EXPECT_EQ(on_it["reason"], "start_blocked");
    EXPECT_EQ(on_it["closed_area"], 2);
}

TEST(ExplainCommand, OnRoadmaps) {
    const std::string harbour = "scenes/roadmaps/harbour.json";
    const json blocked = asked(harbour, "7,6", "36.5,3", {"--radius", "0.4"});
    EXPECT_EQ(blocked["reason"], "start_blocked");
    EXPECT_EQ(blocked["status"], "start_blocked");
    EXPECT_EQ(help_of(blocked, "move_start")["proof"], "found");
    EXPECT_EQ(asked(harbour, "3,20.5", "36.5,3", {"--radius", "0.4"})["reason"], "none");
    const std::string svg = temp_path("why.svg");
    (void)asked(harbour, "7,6", "36.5,3", {"--radius", "0.4", "--svg", svg});
    EXPECT_EQ(XmlCheck::run(read_text(svg)), "");
    expect_refused({"explain", harbour, "--start", "7,6", "--goal", "36.5,3", "--turning-radius", "1"},
                   {"--turning-radius"});
    const RunResult hint =
        run_cli({"route", harbour, "--start", "7,6", "--goal", "36.5,3", "--radius", "0.4"});
    EXPECT_NE(hint.out.find("fairlead explain"), std::string::npos) << hint.out;
}

}  // namespace
}  // namespace fairlead::testing
