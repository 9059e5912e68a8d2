// The trace, the blockers, and what is refused, for units with a turning radius.

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/cli_test.h"
#include "support/xml_check.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

const std::vector<std::string> kUnit{"--turning-radius", "2", "--radius", "0.4"};

std::vector<std::string> truck_route(const std::vector<std::string>& more) {
    return with(with({"route", kYard, "--start", "2.5,2.5,,0", "--goal", "20.3,13.7,,200"}, kUnit), more);
}

json found(const std::vector<std::string>& more) {
    const RunResult run = run_cli(with(truck_route({"--json"}), more));
    EXPECT_EQ(run.status, 0) << run.err;
    return json::parse(run.out);
}

constexpr int kGenerate = 0, kExpand = 1, kPath = 3;

TEST(DriveTraceFile, HasTheEventsThatTheStatsCount) {
    for (const char* planner : {"weighted_lattice", "lattice", "anytime_lattice"}) {
        const std::string file = temp_path("trace.json");
        const json route = found({"--planner", planner, "--trace", file});
        const json trace = json::parse(read_text(file));
        int counts[4] = {};
        for (const json& event : trace["events"]) {
            ASSERT_EQ(event.size(), 7u) << event;  // with its heading
            ++counts[event[0].get<int>()];
        }
        EXPECT_GT(counts[kExpand], 10);
        EXPECT_EQ(route["stats"]["expanded"], counts[kExpand]) << planner;
        EXPECT_EQ(route["stats"]["generated"], counts[kGenerate]) << planner;
        EXPECT_EQ(trace["counts"]["expand"], counts[kExpand]);
        EXPECT_EQ(trace["counts"]["path"], counts[kPath]);
        ASSERT_EQ(counts[kPath], static_cast<int>(route["legs"].size()) + 1);
        const json& last = trace["events"].back();
        EXPECT_NEAR(last[1].get<double>(), 20.3, 1e-4);
        EXPECT_NEAR(last[6].get<double>(), route["end"]["heading"].get<double>(), 1e-6);
        EXPECT_EQ(found({"--planner", planner})["stats"]["digest"], route["stats"]["digest"]);
    }
}

// No way within the budget, and none at all.
TEST(DriveTraceFile, OfSearchesThatFindNothing) {
    const std::string file = temp_path("trace.json");
    const json spent = found({"--budget", "5", "--trace", file});
    EXPECT_EQ(spent["status"], "budget_spent");
    EXPECT_EQ(json::parse(read_text(file))["counts"]["expand"], 5);
    EXPECT_EQ(found({"--blocker", "9,0,11,16", "--trace", file})["status"], "unreachable");
    EXPECT_EQ(json::parse(read_text(file))["counts"]["path"], 0);
}

TEST(DriveTraceFile, ThePictureHasItsStrokes) {
    const std::string svg = temp_path("trace.svg");
    const json route = found({"--svg", svg});
    const std::string picture = read_text(svg);
    EXPECT_EQ(XmlCheck::run(picture), "");
    for (const char* part : {"class=\"open\"", "class=\"expanded\"", "class=\"swept\""})
        EXPECT_NE(picture.find(part), std::string::npos) << part;
    const std::size_t at = picture.find("class=\"expanded\"");
    const std::string strokes = picture.substr(at, picture.find("</g>", at) - at);
    EXPECT_EQ(strokes.find("<rect"), std::string::npos);
    const auto moves = static_cast<std::uint64_t>(std::count(strokes.begin(), strokes.end(), 'M'));
    EXPECT_EQ(moves, route["stats"]["expanded"].get<std::uint64_t>());
}

TEST(DriveBlockerFlag, RoutesKeepClearAndVerifyAgrees) {
    const std::vector<std::string> blockers{"--blocker", "10,8,1", "--blocker", "12,2,14,6"};
    const std::string file = temp_path("kept.jsonl");
    const std::vector<std::string> judge = with({"verify", kYard, file}, with(kUnit, blockers));
    write_text(file, run_cli(truck_route({"--json"})).out);
    EXPECT_EQ(run_cli(judge).status, 1);  // they are in the way
    const RunResult run = run_cli(with(truck_route({"--json"}), blockers));
    EXPECT_EQ(json::parse(run.out)["status"], "complete");
    write_text(file, run.out);
    EXPECT_EQ(run_cli(judge).out, "1 routes, 1 legal, 0 illegal\n");
    write_text(file, run_cli(with(truck_route({"--json", "--planner", "hybrid"}), blockers)).out);
    EXPECT_EQ(run_cli(judge).status, 0);
    EXPECT_EQ(found({"--blocker", "2.5,2.5,0.3"})["status"], "start_blocked");
    EXPECT_EQ(found({"--speed", "4", "--blocker", "9,0,11,16"})["status"], "unreachable");
}

TEST(DriveBlockerFlag, Batch) {
    const std::string out = temp_path("routes.jsonl");
    const std::vector<std::string> blockers{"--blocker", "10,8,1", "--blocker", "12,2,14,6"};
    const std::string queries = "tests/fixtures/cli/yard.csv";
    const std::vector<std::string> judge = with(with({"verify", kYard, out}, kUnit), blockers);
    const std::vector<std::string> batch = with({"batch", kYard, queries, "-o", out}, kUnit);
    ASSERT_EQ(run_cli(batch).status, 0);
    EXPECT_EQ(run_cli(judge).status, 1);
    const RunResult run = run_cli(with(batch, blockers));
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find("3 complete"), std::string::npos) << run.out;
    EXPECT_EQ(run_cli(judge).out, "7 routes, 7 legal, 0 illegal\n");
}

TEST(DriveBlockerFlag, ThePictureShowsThem) {
    const std::string svg = temp_path("blockers.svg");
    (void)found({"--svg", svg, "--blocker", "10,8,1"});
    EXPECT_NE(read_text(svg).find("class=\"blockers\""), std::string::npos);
}

// Each option that has no meaning beside another, for a unit with a turning radius: refused in one line that names both.
// The article's Figure 12: one ring has no way, and nothing else stands in for it.
TEST(DriveOptions, RingsAreTheArticlesSearch) {
    const auto status = [](const std::vector<std::string>& more) {
        const RunResult run = run_cli(
            with({"route", "scenes/article_12_rings.json", "--start", "0.5,0.5,,0", "--goal", "11.5,11.5,,0",
                  "--radius", "0.4", "--turning-radius", "1", "--planner", "lattice", "--json"},
                 more));
        EXPECT_EQ(run.status, 0) << run.err;
        return json::parse(run.out)["status"].get<std::string>();
    };
    EXPECT_EQ(status({"--rings", "1"}), "unreachable");
    EXPECT_EQ(status({"--rings", "2"}), "complete");
    EXPECT_EQ(status({"--rings", "3", "--every-word"}), "complete");
    EXPECT_EQ(status({}), "complete");
}

// Curves are made from the waypoints of the article's greedy smoothing; those pulled to the corners make loops.
TEST(DriveOptions, CornersTakeGreedyWaypoints) {
    const auto length = [](const std::vector<std::string>& more) {
        const RunResult run = run_cli(
            with({"route", "scenes/article_1_turns.json", "--start", "3.5,6.5,,90", "--goal", "16.5,7.5",
                  "--radius", "0.4", "--turning-radius", "2", "--corners", "ignore_walls", "--json"},
                 more));
        EXPECT_EQ(run.status, 0) << run.err;
        return json::parse(run.out)["length"].get<double>();
    };
    EXPECT_LT(length({}), 20.0);
    EXPECT_EQ(length({"--smooth", "greedy"}), length({}));
    EXPECT_GT(length({"--smooth", "best"}), 30.0);
}

TEST(DriveOptions, CombinationsThatAreRefused) {
    struct Row {
        std::vector<std::string> flags;
        std::vector<std::string> words;
    };
    const Row rows[] = {
        {{"--trace", "x", "--planner", "hybrid"}, {"--trace", "hybrid"}},
        {{"--trace", "x", "--corners", "tighter"}, {"--trace", "--corners"}},
        {{"--trace", "x", "--speed", "4"}, {"--trace", "--speed"}},
        {{"--blocker", "9,9,1", "--corners", "tighter"}, {"--blocker", "--corners"}},
        {{"--headings", "16", "--corners", "tighter"}, {"--headings", "--corners"}},
        {{"--rings", "2", "--corners", "tighter"}, {"--rings", "--corners"}},
        {{"--every-word", "--corners", "tighter"}, {"--every-word", "--corners"}},
        {{"--every-word"}, {"--every-word", "--rings"}},
        {{"--smooth", "sharp", "--corners", "tighter"}, {"--smooth", "sharp", "greedy"}},
        {{"--drive-heuristic", "article", "--corners", "tighter"}, {"--drive-heuristic", "--corners"}},
        {{"--drive-heuristic", "article", "--planner", "hybrid"}, {"--drive-heuristic", "hybrid"}},
        {{"--drive-heuristic", "article", "--speed", "4"}, {"--drive-heuristic", "--speed"}},
        {{"--roads", "tests/fixtures/cli/yard.roads", "--speed", "4"}, {"--roads", "--speed"}},
        {{"--facings", "8", "--speed", "4"}, {"--facings", "--speed"}},
        {{"--corners", "tighter", "--speed", "4"}, {"--corners", "--speed"}},
        {{"--pivot", "--corners", "tighter"}, {"--pivot", "--corners"}},
        {{"--no-smooth", "--corners", "tighter"}, {"--no-smooth", "--corners"}},
        {{"--reverse", "--cusp-penalty", "2", "--planner", "hybrid"}, {"--cusp-penalty", "hybrid"}},
        {{"--reverse", "--reverse-penalty", "2", "--speed", "4"}, {"--reverse-penalty", "--speed"}},
        {{"--planner", "timed_lattice"}, {"timed_lattice", "--speed"}},
        {{"--planner", "lattice", "--speed", "4"}, {"lattice", "--speed"}},
        {{"--check-edges"}, {"--check-edges", "roadmaps"}},
        {{"--partial", "--corners", "tighter"}, {"--partial", "--corners"}},
        {{"--no-grow"}, {"--no-grow", "--turning-radius"}},
        {{"--smooth", "none"}, {"--smooth", "--turning-radius"}},
        {{"--goal-adjacent"}, {"--goal-adjacent", "--turning-radius"}},
        {{"--goal-in-sight", "3"}, {"--goal-in-sight", "--turning-radius"}},
        {{"--goal", "9.5,2.5"}, {"--goal", "one only"}},
        {{"--height", "2"}, {"--height", "in volumes only"}},
        {{"--climb", "2"}, {"--climb", "volumes"}},
    };
    for (const Row& row : rows) {
        const RunResult run = run_cli(truck_route(row.flags));
        EXPECT_EQ(run.status, 2) << row.flags[0] << " " << run.out;
        EXPECT_EQ(run.out, "") << row.flags[0];
        EXPECT_EQ(run.err_lines().size(), 1u) << run.err;
        for (const std::string& word : row.words)
            EXPECT_NE(run.err.find(word), std::string::npos) << word << "\n" << run.err;
    }
}

// Penalties are in tiles: on tiles twice as large all is twice as long, and costs twice as much.
TEST(DriveOptions, PenaltiesAreInTiles) {
    const auto cost_on = [](int cell, const std::vector<std::string>& flags, bool drives) {
        const std::string file = temp_path("tiles" + std::to_string(cell) + ".json");
        std::string rows;
        for (int y = 0; y < 14; ++y)
            rows += std::string(y > 0 ? "," : "") +
                    (y > 3 && y < 9 ? "\"....######........\"" : "\"..................\"");
        write_text(file, "{\"title\": \"Tiles\", \"cell_size\": " + std::to_string(cell) + ", \"map\": [" +
                             rows +
                             "], \"queries\": [{\"name\": \"q\", \"start\": [1, 1], \"goal\": [2, 2]}]}");
        const auto place = [&](double x, double y, const char* heading) {
            return std::to_string(cell * x) + "," + std::to_string(cell * y) + (drives ? heading : "");
        };
        std::vector<std::string> arguments{
            "route", file, "--json", "--start", place(2.5, 6.5, ",,0"), "--goal", place(13.5, 6.5, ",,180")};
        if (drives)
            arguments =
                with(arguments, {"--turning-radius", std::to_string(2 * cell), "--planner", "lattice"});
        const RunResult run = run_cli(with(arguments, flags));
        EXPECT_EQ(run.status, 0) << run.err;
        const json route = json::parse(run.out);
        EXPECT_EQ(route["status"], "complete");
        return route["cost"].get<double>();
    };
    const std::vector<std::string> drives[] = {{"--reverse"},
                                               {"--reverse", "--cusp-penalty", "0.25"},
                                               {"--pivot"},
                                               {"--pivot", "--pivot-penalty", "0.5"}};
    for (const auto& flags : drives) EXPECT_EQ(cost_on(2, flags, true), 2 * cost_on(1, flags, true));
    const std::vector<std::string> walks[] = {{}, {"--turn-penalty", "3"}, {"--turn-penalty-each", "4"}};
    for (const auto& flags : walks) {
        const std::vector<std::string> all = with({"--planner", "turn_penalty", "--no-smooth"}, flags);
        EXPECT_EQ(cost_on(2, all, false), 2 * cost_on(1, all, false));
    }
}

// The field at fault is named, not another one of the unit.
TEST(DriveOptions, ErrorsNameTheFlag) {
    const RunResult run = run_cli({"route", kYard, "--start", "2.5,2.5,,0", "--goal", "20.3,13.7,,200",
                                   "--length", "3", "--turning-radius", "3"});
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.err,
              "fairlead route: --length: also needs --width (a rectangle) or --radius (a capsule)\n");
}

}  // namespace
}  // namespace fairlead::testing
