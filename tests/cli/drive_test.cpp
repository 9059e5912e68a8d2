// fairlead route, batch and verify for units with a turning radius.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include "cli/cli_test.h"
#include "cli/yard.h"
#include "support/xml_check.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

const std::string kYardQueries = "tests/fixtures/cli/yard.csv";

TEST(DriveRoute, LegsBendNoTighterThanTheUnitCan) {
    const RunResult run = run_cli(yard_route({"--turning-radius", "2", "--radius", "0.4", "--json"}));
    ASSERT_EQ(run.status, 0) << run.err;
    const json route = json::parse(run.out);
    EXPECT_EQ(route["status"], "complete");
    EXPECT_EQ(route["planner"], "weighted_lattice");
    EXPECT_LE(route["bound"], 1.4);  // measured where that says less
    EXPECT_GE(route["bound"], 1.0);
    EXPECT_EQ(route["legs"][0]["x"], 2.5);
    EXPECT_EQ(route["legs"][0]["heading"], 0.0);
    EXPECT_EQ(route["end"]["x"], 20.3);
    for (const json& leg : route["legs"]) {
        EXPECT_EQ(leg["kind"], "drive");
        EXPECT_EQ(leg["gear"], "forward");
        EXPECT_LE(std::fabs(leg["curvature"].get<double>()), 0.5 * (1 + 1e-9));
    }
}

TEST(DriveRoute, PlannersBoundsAndBudget) {
    const auto found = [](const std::vector<std::string>& more) {
        const RunResult run = run_cli(with(yard_route({"--turning-radius", "2", "--json"}), more));
        EXPECT_EQ(run.status, 0) << run.err;
        return json::parse(run.out);
    };
    const json best = found({"--planner", "lattice"});
    EXPECT_EQ(best["planner"], "lattice");
    EXPECT_EQ(best["bound"], 1.0);
    const json loose = found({"--planner", "weighted_lattice", "--epsilon", "2.5"});
    EXPECT_LE(loose["bound"], 2.5);
    EXPECT_LE(loose["cost"].get<double>(), loose["bound"].get<double>() * best["cost"].get<double>() + 1e-9);
    EXPECT_GE(loose["cost"].get<double>(), best["cost"].get<double>() - 1e-9);
    EXPECT_LE(loose["cost"].get<double>(), 2.5 * best["cost"].get<double>());
    EXPECT_EQ(found({"--budget", "3"})["status"], "budget_spent");
    EXPECT_EQ(found({"--headings", "16"})["status"], "complete");
    EXPECT_EQ(found({"--rings", "3", "--headings", "8"})["status"], "complete");
}

TEST(DriveBatch, VerifyAgreesWhateverTheUnit) {
    const std::vector<std::vector<std::string>> units = {
        {"--radius", "0.45", "--turning-radius", "1.5"},
        {"--radius", "0.95", "--turning-radius", "2", "--reverse"},
        {"--length", "3", "--width", "1.5", "--axle-offset", "0.9", "--turning-radius", "2", "--reverse"},
        {"--length", "2.4", "--radius", "0.4", "--turning-radius", "3", "--reverse"},
    };
    const std::vector<std::vector<std::string>> planners = {
        {}, {"--planner", "lattice"}, {"--headings", "16", "--epsilon", "1.1"}};
    for (const auto& unit : units) {
        for (const auto& planner : planners) {
            const std::string out = temp_path("routes.jsonl");
            const RunResult made =
                run_cli(with(with({"batch", kYard, kYardQueries, "-o", out}, unit), planner));
            ASSERT_EQ(made.status, 0) << made.err;
            const RunResult judged = run_cli(with({"verify", kYard, out}, unit));
            EXPECT_EQ(judged.out, "7 routes, 7 legal, 0 illegal\n");
            const std::vector<std::string> lines = split(read_text(out), '\n');
            ASSERT_GE(lines.size(), 7u);
            EXPECT_EQ(json::parse(lines[0])["status"], "complete");
            EXPECT_EQ(json::parse(lines[1])["length"], 0.0);
            EXPECT_EQ(json::parse(lines[4])["status"], "start_blocked");
            EXPECT_EQ(json::parse(lines[5])["status"], "goal_blocked");
            EXPECT_EQ(json::parse(lines[6])["status"], "off_world");
        }
    }
}

TEST(DriveBatch, RoutesOfOneUnitAreIllegalForAnother) {
    const std::string out = temp_path("routes.jsonl");
    const std::vector<std::string> car{"--radius", "0.4", "--turning-radius", "1.5", "--reverse"};
    ASSERT_EQ(run_cli(with({"batch", kYard, kYardQueries, "-o", out}, car)).status, 0);
    EXPECT_EQ(run_cli(with({"verify", kYard, out}, car)).status, 0);
    const RunResult wide =
        run_cli({"verify", kYard, out, "--radius", "0.4", "--turning-radius", "1.6", "--reverse"});
    EXPECT_EQ(wide.status, 1);
    EXPECT_NE(wide.out.find("curvature"), std::string::npos) << wide.out;
}

TEST(DriveBatch, SameBytesForAnyNumberOfThreads) {
    std::string csv = "id,sx,sy,sz,sh,gx,gy,gz,gh\n";
    for (int i = 0; i < 60; ++i) {
        const bool blocked = i % 7 == 3;  // in a wall: nothing of the query before it may show
        const std::string start = blocked ? "7.5,3.5" : std::to_string(i % 6 + 1) + ".25,1.5";
        csv += std::to_string(i) + "," + start + ",,0,20.5," + std::to_string(i / 8 + 3) + ".5,," +
               std::to_string(i * 6) + "\n";
    }
    const std::string queries = temp_path("queries.csv");
    write_text(queries, csv);
    std::string first;
    for (const char* threads : {"1", "3"}) {
        const std::string out = temp_path("routes.jsonl");
        const RunResult run = run_cli({"batch", kYard, queries, "--radius", "0.3", "--turning-radius", "2",
                                       "--reverse", "--no-times", "--threads", threads, "-o", out});
        ASSERT_EQ(run.status, 0) << run.err;
        if (first.empty()) first = read_text(out);
        EXPECT_TRUE(read_text(out) == first) << threads;
    }
    const json blocked = json::parse(split(first, '\n')[3]);
    EXPECT_EQ(blocked["status"], "start_blocked");
    EXPECT_EQ(blocked["stats"]["expanded"], 0);
    EXPECT_EQ(blocked["legs"].size(), 0u);
}

TEST(DriveRoute, ReversePenalties) {
    const auto cost = [](const char* reverse, const char* cusp) {
        const RunResult run =
            run_cli({"route", kYard, "--start", "2.5,12.5,,0", "--goal", "5.5,14.5,,180", "--planner",
                     "lattice", "--turning-radius", "2", "--radius", "0.4", "--reverse", "--reverse-penalty",
                     reverse, "--cusp-penalty", cusp, "--json"});
        EXPECT_EQ(run.status, 0) << run.err;
        return json::parse(run.out)["cost"].get<double>();
    };
    EXPECT_LE(cost("1", "0"), cost("1.5", "1"));
    EXPECT_LT(cost("1", "0"), cost("9", "9"));
}

TEST(DriveRoute, TurnsOnTheSpot) {
    const auto route = [](const std::vector<std::string>& more) {
        const RunResult run =
            run_cli(with({"route", kYard, "--start", "2.5,12.5,,0", "--goal", "5.5,12.5,,180", "--planner",
                          "lattice", "--turning-radius", "2", "--radius", "0.4", "--json"},
                         more));
        EXPECT_EQ(run.status, 0) << run.err;
        return json::parse(run.out);
    };
    const json cheap = route({"--pivot", "--pivot-penalty", "0.1"});
    int turns = 0;
    for (const json& leg : cheap["legs"]) turns += leg["kind"] == "turn" ? 1 : 0;
    EXPECT_GT(turns, 0);
    EXPECT_LE(cheap["cost"].get<double>(), 3.0 + 0.1 * 3.14159265358979323846 + 1e-6);
    // 0.1 tiles a radian: a tenth of a tile a second, 57.3 degrees a second.
    EXPECT_NEAR(route({"--speed", "0.1", "--turn-rate", "57.29577951308232"})["cost"].get<double>(),
                cheap["cost"].get<double>(), 1e-6);
    EXPECT_GE(route({})["cost"].get<double>(), cheap["cost"].get<double>());
}

TEST(DriveRoute, RefusesTurnsThatCannotBe) {
    const std::vector<std::string> turns{"--turning-radius", "2"};
    const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& words) {
        expect_refused(with(yard_route(turns), more), words);
    };
    expect_refused(yard_route({"--pivot"}), {"--pivot", "--turning-radius"});
    refused({"--pivot-penalty", "1"}, {"--pivot-penalty", "--pivot"});
    refused({"--pivot", "--pivot-penalty", "0"}, {"--pivot-penalty", "range"});
    refused({"--turn-rate", "90"}, {"--turn-rate", "--speed"});
    refused({"--speed", "5", "--turn-rate", "0"}, {"--turn-rate", "0"});
    refused({"--speed", "5", "--turn-rate", "90", "--accel", "1"}, {"--accel", "--turn-rate"});
    refused({"--speed", "5", "--pivot"}, {"--pivot", "--turn-rate"});
    refused({"--pivot", "--planner", "hybrid"}, {"--pivot", "hybrid"});
}

TEST(DriveRoute, RefusesWhatCannotBe) {
    const std::vector<std::string> turns{"--turning-radius", "2"};
    for (const char* flag :
         {"--headings", "--rings", "--reverse-penalty", "--cusp-penalty", "--goal-range", "--corners"})
        expect_refused(yard_route({flag, "8"}), {flag, "--turning-radius"});
    expect_refused(yard_route({"--planner", "lattice"}), {"--planner", "lattice", "--turning-radius"});
    expect_refused(yard_route({"--length", "2", "--width", "1"}), {"--length", "--turning-radius"});
    expect_refused(yard_route({"--reverse"}), {"--reverse", "--turning-radius"});
    const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& words) {
        expect_refused(with(yard_route(turns), more), words);
    };
    refused({"--planner", "astar"}, {"astar", "weighted_lattice"});
    refused({"--headings", "12"}, {"--headings", "12"});
    refused({"--rings", "5"}, {"--rings", "5"});
    refused({"--facings", "7"}, {"--facings", "7"});
    refused({"--cusp-penalty", "1"}, {"--cusp-penalty", "--reverse"});
    refused({"--reverse-penalty", "2"}, {"--reverse-penalty", "--reverse"});
    refused({"--reverse", "--reverse-penalty", "0.5"}, {"--reverse-penalty", "range"});
    refused({"--footprint", "2"}, {"--footprint"});
    refused({"--epsilon", "0.5"}, {"--epsilon", "range"});
    refused({"--goal-range", "-1"}, {"--goal-range", "-1"});
    refused({"--corners", "wider"}, {"--corners", "wider", "back_up"});
    refused({"--corners", "back_up"}, {"--corners", "--reverse"});
    refused({"--corners", "tighter", "--planner", "lattice"}, {"--corners", "--planner"});
    refused({"--corners", "tighter", "--budget", "9"}, {"--corners", "--budget"});
    for (const char* flag : {"--epsilon", "--goal-range"}) {
        refused({"--corners", "tighter", flag, "2"}, {flag, "--corners"});
        refused({"--planner", "hybrid", flag, "2"}, {flag, "hybrid"});
    }
    refused({"--planner", "lattice", "--epsilon", "2"}, {"--epsilon"});
    refused({"--length", "100", "--width", "2"}, {"body", "40"});
    refused({"--goal-within", "2"}, {"--goal-within"});
    for (const char* flag : {"--corner", "--neighbours", "--heuristic", "--turn-penalty", "--smooth"})
        refused({flag, "8"}, {flag, "--turning-radius"});
    for (const char* radius : {"0.1", "33", "-1", "nan", "inf"})
        expect_refused(yard_route({"--turning-radius", radius}), {"--turning-radius", radius});
}

TEST(DriveRoute, AnEmptyHeadingIsFree) {
    const auto found = [](const char* start, const char* goal) {
        const RunResult run = run_cli({"route", kYard, "--start", start, "--goal", goal, "--turning-radius",
                                       "2", "--planner", "lattice", "--json"});
        EXPECT_EQ(run.status, 0) << run.err;
        const json route = json::parse(run.out);
        EXPECT_EQ(route["status"], "complete");
        return route;
    };
    const json fixed = found("5.5,1.5,,180", "20.5,13.5,,180");
    const json free_goal = found("5.5,1.5,,180", "20.5,13.5");
    const json free_both = found("5.5,1.5", "20.5,13.5");
    EXPECT_LT(free_goal["cost"].get<double>(), fixed["cost"].get<double>());
    EXPECT_LT(free_both["cost"].get<double>(), free_goal["cost"].get<double>());
    EXPECT_EQ(free_both["end"]["x"], 20.5);
}

TEST(DriveBatch, AnEmptyHeadingIsFree) {
    const std::string queries = temp_path("free.csv"), out = temp_path("free.jsonl");
    write_text(queries, "id,sx,sy,sz,sh,gx,gy,gz,gh\n0,2.5,2.5,,0,9.5,4.5,,\n1,2.5,2.5,,,9.5,4.5,,90\n");
    const std::vector<std::string> unit{"--turning-radius", "2", "--radius", "0.4"};
    EXPECT_EQ(run_cli(with({"batch", kYard, queries, "-o", out}, unit)).out, "2 routes, 2 complete\n");
    EXPECT_EQ(run_cli(with({"verify", kYard, out}, unit)).status, 0);
}

TEST(DriveRoute, HybridAndCornersNeedHeadings) {
    const std::vector<std::string> free_start{"route", kYard, "--start", "2.5,2.5", "--goal", "20,13,,90"};
    const std::vector<std::string> free_goal{"route", kYard, "--start", "2.5,2.5,,0", "--goal", "20,13"};
    const std::vector<std::string> hybrid{"--turning-radius", "2", "--planner", "hybrid"};
    expect_refused(with(free_start, hybrid), {"--start", "hybrid", "heading"});
    expect_refused(with(free_goal, hybrid), {"--goal", "hybrid", "heading"});
    const std::vector<std::string> corners{"--turning-radius", "2", "--corners", "tighter"};
    expect_refused(with(free_start, corners), {"--start", "--corners", "heading"});
    EXPECT_EQ(run_cli(with(free_goal, corners)).status, 0);
}

TEST(DriveRoute, RoadmapsAreForUnitsThatTurnOnTheSpot) {
    expect_refused({"route", "scenes/roadmaps/harbour.json", "--start", "1,1,,0", "--goal", "2,2,,0",
                    "--turning-radius", "2"},
                   {"harbour.json", "turn on the spot"});
}

json route_of(const std::vector<std::string>& more) {
    const RunResult run = run_cli(with(yard_route({"--radius", "0.4", "--json"}), more));
    EXPECT_EQ(run.status, 0) << run.err;
    return json::parse(run.out);
}

TEST(DriveRoute, AnytimeEndsAtTheOptimum) {
    const std::vector<std::string> turns{"--turning-radius", "2"};
    const json best = route_of(with(turns, {"--planner", "lattice", "--no-smooth"}));
    const json all = route_of(with(turns, {"--planner", "anytime_lattice", "--epsilon", "3", "--no-smooth"}));
    EXPECT_EQ(all["planner"], "anytime_lattice");
    EXPECT_EQ(all["bound"], 1.0);
    EXPECT_NEAR(all["cost"].get<double>(), best["cost"].get<double>(), 0.01);
    const json none = route_of(with(turns, {"--planner", "anytime_lattice", "--budget", "2"}));
    EXPECT_EQ(none["status"], "budget_spent");
}

TEST(DriveRoute, SmoothingNeverMakesItDearer) {
    const std::vector<std::string> turns{"--turning-radius", "2"};
    const json plain = route_of(with(turns, {"--no-smooth"}));
    EXPECT_LE(route_of(turns)["cost"].get<double>(), plain["cost"].get<double>());
    EXPECT_EQ(plain["status"], "complete");
}

TEST(DriveRoute, GoalRange) {
    const json near = route_of({"--turning-radius", "2", "--goal-range", "3"});
    const double x = near["end"]["x"].get<double>() - 20.3, y = near["end"]["y"].get<double>() - 13.7;
    EXPECT_EQ(near["status"], "complete");
    EXPECT_LE(std::hypot(x, y), 3.0 + 1e-9);
    EXPECT_LT(near["cost"].get<double>(), route_of({"--turning-radius", "2"})["cost"].get<double>());
}

double wrapped(double rad) { return std::remainder(rad, 2 * 3.14159265358979323846); }

TEST(DriveBatch, HybridRoutesAreLegal) {
    const std::vector<std::string> unit{"--radius", "0.45", "--turning-radius", "1.5"};
    const auto batch = [&](const std::string& planner) {
        const std::string out = temp_path(planner + ".jsonl");
        EXPECT_EQ(run_cli(with({"batch", kYard, kYardQueries, "--planner", planner, "-o", out}, unit)).status,
                  0);
        return out;
    };
    const std::string hybrid = batch("hybrid");
    EXPECT_EQ(run_cli(with({"verify", kYard, hybrid}, unit)).out, "7 routes, 7 legal, 0 illegal\n");
    const RunResult wider = run_cli({"verify", kYard, hybrid, "--radius", "0.45", "--turning-radius", "1.6"});
    EXPECT_EQ(wider.status, 1);
    EXPECT_NE(wider.out.find("curvature"), std::string::npos) << wider.out;
    const std::vector<std::string> lines = split(read_text(hybrid), '\n');
    const std::vector<std::string> best = split(read_text(batch("lattice")), '\n');
    const std::vector<std::string> rows = split(read_text(kYardQueries), '\n');
    int complete = 0;
    for (std::size_t i = 0; i < 7; ++i) {
        const json route = json::parse(lines[i]), optimal = json::parse(best[i]);
        EXPECT_EQ(route["planner"], "hybrid");
        EXPECT_TRUE(optimal["status"] == "complete" || route["status"] == optimal["status"]) << i;
        if (route["status"] != "complete") continue;
        ++complete;
        const std::vector<std::string> row = split(rows[i + 1], ',');
        EXPECT_EQ(route["end"]["x"].get<double>(), std::stod(row[5])) << i;
        EXPECT_EQ(route["end"]["y"].get<double>(), std::stod(row[6])) << i;
        EXPECT_NEAR(
            wrapped(route["end"]["heading"].get<double>() - std::stod(row[8]) * 3.14159265358979323846 / 180),
            0.0, 1e-9);
        EXPECT_LE(route["length"].get<double>(), 2 * optimal["length"].get<double>() + 1e-9) << i;
    }
    EXPECT_GE(complete, 3);
}

TEST(DriveRoute, PlannersAreListed) {
    const std::string list = run_cli({"planners"}).out;
    for (const char* name : {"weighted_lattice", "anytime_lattice", "hybrid"})
        EXPECT_NE(list.find(name), std::string::npos) << name;
}

TEST(DriveRoute, ScenesAreWorlds) {
    const std::string scene = "scenes/drive_parallel.json";
    const std::vector<std::string> car{"--length",      "3",   "--width",          "1.5",
                                       "--axle-offset", "0.9", "--turning-radius", "2.5"};
    const std::vector<std::string> ends{"--start",    "5,3.5,,0", "--goal", "9,6,,0",
                                        "--headings", "16",       "--json"};
    const auto status = [&](const std::vector<std::string>& more) {
        const RunResult run = run_cli(with(with(with({"route", scene}, car), ends), more));
        EXPECT_EQ(run.status, 0) << run.err;
        const std::string out = temp_path("parking.jsonl");
        write_text(out, run.out);
        EXPECT_EQ(run_cli(with(with({"verify", scene, out}, car), {"--reverse"})).status, 0);
        return json::parse(run.out)["status"];
    };
    EXPECT_EQ(status({}), "unreachable");
    EXPECT_EQ(status({"--reverse"}), "complete");
}

TEST(DriveRoute, Picture) {
    const std::string svg = temp_path("drive.svg");
    const RunResult run = run_cli(yard_route({"--turning-radius", "2", "--length", "2", "--width", "1",
                                              "--axle-offset", "0.6", "--reverse", "--svg", svg}));
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find("reverse"), std::string::npos) << run.out;
    const std::string picture = read_text(svg);
    EXPECT_EQ(XmlCheck::run(picture), "");
    for (const char* part : {"class=\"walls\"", "class=\"swept\"", "class=\"bodies\"", "class=\"cusps\""})
        EXPECT_NE(picture.find(part), std::string::npos) << part;
}

TEST(DriveRoute, TheBestSoFarOfASpentBudget) {
    const auto found = [](const std::vector<std::string>& more) {
        const RunResult run =
            run_cli(with(yard_route({"--turning-radius", "2", "--json", "--budget", "6"}), more));
        EXPECT_EQ(run.status, 0) << run.err;
        return json::parse(run.out);
    };
    EXPECT_TRUE(found({})["legs"].empty());
    const json way = found({"--partial"});
    EXPECT_EQ(way["status"], "budget_spent");
    EXPECT_FALSE(way["legs"].empty());
    EXPECT_TRUE(way["bound"].is_null());
}

// A goal in a wall: beside it, with --partial.
TEST(DriveRoute, TheNearestPlaceToABlockedGoal) {
    const std::string world = "scenes/two_floors.json";
    const auto found = [&](const std::vector<std::string>& more) {
        return route_json(world, "3.5,2.5",
                          with({"--goal", "0.02,2.5", "--turning-radius", "1", "--radius", "0.4"}, more));
    };
    EXPECT_EQ(found({})["status"], "goal_blocked");
    const json way = found({"--partial"});
    EXPECT_EQ(way["status"], "partial");
    EXPECT_FALSE(way["legs"].empty());
}

// Up one stair and down the other; the height of a place is its floor.
TEST(DriveRoute, TakesTheStairs) {
    const std::string world = "scenes/two_floors.json";
    const std::vector<std::string> unit = {"--turning-radius", "1", "--radius", "0.4"};
    const json down = route_json(world, "3.5,2.5", with({"--goal", "18.5,2.5"}, unit));
    EXPECT_EQ(down["status"], "complete");
    EXPECT_EQ(std::count_if(down["legs"].begin(), down["legs"].end(),
                            [](const json& leg) { return leg["kind"] == "link"; }),
              2);
    const json up = route_json(world, "3.5,2.5,0", with({"--goal", "18.5,2.5,1,90"}, unit));
    EXPECT_EQ(up["status"], "complete");
    EXPECT_EQ(up["end"]["layer"], 1);
    const json walk = route_json(world, "3.5,2.5,1", {"--goal", "18.5,2.5"});
    EXPECT_EQ(walk["legs"][0]["layer"], 1);
    EXPECT_EQ(walk["legs"].back()["layer"], 0);

    const std::string queries = temp_path("floors.csv");
    write_text(queries, "id,sx,sy,sz,sh,gx,gy,gz,gh\n0,3.5,2.5,,,18.5,2.5,,\n1,3.5,2.5,1,0,18.5,2.5,0,90\n");
    for (const std::vector<std::string>& who : {unit, {"--radius", "0.4"}}) {
        const std::string out = temp_path("floors.jsonl");
        const RunResult made = run_cli(with({"batch", world, queries, "-o", out}, who));
        ASSERT_EQ(made.status, 0) << made.err;
        EXPECT_EQ(run_cli(with({"verify", world, out}, who)).out, "2 routes, 2 legal, 0 illegal\n");
        const std::vector<std::string> lines = split(read_text(out), '\n');
        EXPECT_EQ(json::parse(lines[0])["status"], "complete");
        EXPECT_EQ(json::parse(lines[1])["legs"][0]["layer"], 1);
    }
    const auto refused = [&](const std::string& goal, const std::vector<std::string>& more,
                             const std::vector<std::string>& words) {
        expect_refused(with(with({"route", world, "--start", "3.5,2.5,,0", "--goal", goal}, unit), more),
                       words);
    };
    refused("18.5,2.5,2", {}, {"--goal", "floors are 0 to 1"});
    refused("18.5,2.5,0.5", {}, {"--goal", "floors are 0 to 1"});
    refused("18.5,2.5,,0", {"--planner", "hybrid"}, {"--planner hybrid", "floors or portals"});
    refused("18.5,2.5", {"--speed", "2"}, {"--speed", "floors or portals"});
    expect_refused({"route", kYard, "--start", "2.5,2.5,1", "--goal", "8.5,2.5"}, {"--start", "flat"});
}

}  // namespace
}  // namespace fairlead::testing
