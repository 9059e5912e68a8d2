// fairlead route, batch and verify for units with a turning radius.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/cli_test.h"
#include "support/xml_check.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

const std::string kYardQueries = "tests/fixtures/cli/yard.csv";

std::vector<std::string> yard_route(const std::vector<std::string>& more) {
    return with({"route", kYard, "--start", "2.5,2.5,,0", "--goal", "20.3,13.7,,200"}, more);
}

TEST(DriveRoute, LegsBendNoTighterThanTheUnitCan) {
    const RunResult run = run_cli(yard_route({"--turning-radius", "2", "--radius", "0.4", "--json"}));
    ASSERT_EQ(run.status, 0) << run.err;
    const json route = json::parse(run.out);
    EXPECT_EQ(route["status"], "complete");
    EXPECT_EQ(route["planner"], "weighted_lattice");
    EXPECT_EQ(route["bound"], 1.4);
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
    EXPECT_EQ(loose["bound"], 2.5);
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
    refused({"--rings", "4"}, {"--rings", "4"});
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
    refused({"--planner", "hybrid", "--no-smooth"}, {"--no-smooth", "hybrid"});
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

// Radians from a leg's heading to the nearest multiple of 360 / facings degrees.
double off_facing(const json& leg, int facings) {
    const double step = 2 * 3.14159265358979323846 / facings;
    return std::fabs(std::remainder(leg["heading"].get<double>(), step));
}

bool drives_on(const json& route, int facings) {
    int drives = 0;
    for (const json& leg : route["legs"]) {
        if (leg["kind"] != "drive") continue;
        ++drives;
        if (off_facing(leg, facings) > 1e-9 || leg["curvature"] != 0.0) return false;
    }
    return drives > 0;
}

// What verify says of one route, and how the program ended.
RunResult judged(const std::string& line, const std::vector<std::string>& unit) {
    const std::string file = temp_path("judged.jsonl");
    write_text(file, line);
    return run_cli(with({"verify", kYard, file}, unit));
}

// A route on facings keeps to multiples of 360/N, ends where the plain one ends, and is legal for a unit that snaps from one to
// the next; the plain route is neither.
TEST(DriveRoute, FacingsAreVerified) {
    const std::vector<std::string> body{"--radius", "0.3"};
    const RunResult plain = run_cli(with(yard_route({"--turning-radius", "2", "--json"}), body));
    const json free = json::parse(plain.out);
    for (const int facings : {8, 16, 32}) {
        const std::vector<std::string> styled{"--facings", std::to_string(facings)};
        const RunResult run =
            run_cli(with(with(yard_route({"--turning-radius", "2", "--json"}), body), styled));
        ASSERT_EQ(run.status, 0) << run.err;
        ASSERT_EQ(run.err, "") << facings;
        const json route = json::parse(run.out);
        ASSERT_EQ(route["status"], "complete");
        EXPECT_TRUE(drives_on(route, facings)) << run.out;
        EXPECT_FALSE(drives_on(free, facings));
        EXPECT_EQ(route["end"]["x"], 20.3);
        EXPECT_EQ(route["end"]["y"], 13.7);
        EXPECT_NEAR(route["length"].get<double>(), free["length"].get<double>(),
                    0.1 * free["length"].get<double>());
        EXPECT_EQ(judged(run.out, with(body, styled)).out, "1 routes, 1 legal, 0 illegal\n");
        const RunResult bad = judged(plain.out, with(body, styled));
        EXPECT_EQ(bad.status, 1);
        EXPECT_NE(bad.out.find("facing"), std::string::npos) << bad.out;
        // On 8 facings it is on 16 too, not the other way round.
        EXPECT_TRUE(facings == 8 || !drives_on(route, facings / 2)) << facings;
    }
}

// The route stays as it was without --facings: legal for the unit, not on facings; the line names a leg that is off them, and by
// how much.
TEST(DriveRoute, FacingsThatDoNotFitAreTold) {
    const std::vector<std::string> body{"--turning-radius", "2", "--length", "1.2", "--width", "0.6"};
    const RunResult plain = run_cli(with(yard_route({"--json"}), body));
    const RunResult run = run_cli(with(yard_route({"--facings", "8", "--json"}), body));
    ASSERT_EQ(run.status, 0) << run.err;
    const json route = json::parse(run.out), free = json::parse(plain.out);
    EXPECT_EQ(plain.err, "");
    EXPECT_EQ(route["status"], "complete");
    EXPECT_EQ(route["legs"], free["legs"]);
    EXPECT_FALSE(drives_on(route, 8));
    EXPECT_EQ(judged(run.out, body).out, "1 routes, 1 legal, 0 illegal\n");
    ASSERT_EQ(run.err_lines().size(), 1u) << run.err;
    std::size_t leg = 0;
    double degrees = 0;
    ASSERT_EQ(std::sscanf(run.err.c_str(), "fairlead: --facings: leg %zu cannot be drawn on 8 facings", &leg),
              1)
        << run.err;
    EXPECT_LT(leg, route["legs"].size());
    const std::size_t by = run.err.find("up to ");
    ASSERT_NE(by, std::string::npos) << run.err;
    ASSERT_EQ(std::sscanf(run.err.c_str() + by, "up to %lf degrees", &degrees), 1);
    double most = 0;
    for (const json& at : route["legs"]) most = std::max(most, off_facing(at, 8));
    EXPECT_GE(degrees, most * 180 / 3.14159265358979323846 - 0.06);
    EXPECT_LE(degrees, 22.55);
}

struct Cornered {
    json route;
    std::string line, err;
};

Cornered cornered(const std::string& method) {
    const RunResult run = run_cli(
        yard_route({"--turning-radius", "2", "--radius", "0.3", "--reverse", "--corners", method, "--json"}));
    EXPECT_EQ(run.status, 0) << run.err;
    return {json::parse(run.out), run.out, run.err};
}

std::size_t count_reverse(const json& route) {
    std::size_t n = 0;
    for (const json& leg : route["legs"]) n += leg["gear"] == "reverse" ? 1 : 0;
    return n;
}

TEST(DriveRoute, CornersByEachMethod) {
    const std::vector<std::string> unit{"--radius", "0.3", "--reverse", "--turning-radius", "2"};
    // The curves as if there were no walls: as long as the unit says, but into them.
    const Cornered ignoring = cornered("ignore_walls");
    EXPECT_EQ(ignoring.route["planner"], "ignore_walls");
    EXPECT_EQ(ignoring.route["status"], "complete");
    EXPECT_EQ(count_reverse(ignoring.route), 0u);
    EXPECT_NE(ignoring.err.find("--corners: the route is not legal, its body hits"), std::string::npos);
    const RunResult bad = judged(ignoring.line, unit);
    EXPECT_EQ(bad.status, 1);
    EXPECT_NE(bad.out.find("wall"), std::string::npos) << bad.out;
    // Other curves where those meet a wall: legal, and longer.
    const Cornered searching = cornered("search_again");
    EXPECT_EQ(searching.route["planner"], "search_again");
    EXPECT_EQ(searching.route["status"], "complete");
    EXPECT_EQ(count_reverse(searching.route), 0u);
    EXPECT_EQ(judged(searching.line, unit).out, "1 routes, 1 legal, 0 illegal\n");
    EXPECT_GT(searching.route["length"].get<double>(), ignoring.route["length"].get<double>());
    // Backing up: shorter, and legal.
    const Cornered backing = cornered("back_up");
    EXPECT_EQ(backing.route["planner"], "back_up");
    EXPECT_EQ(backing.route["status"], "complete");
    EXPECT_GT(count_reverse(backing.route), 0u);
    EXPECT_EQ(judged(backing.line, unit).out, "1 routes, 1 legal, 0 illegal\n");
    EXPECT_LT(backing.route["length"].get<double>(), searching.route["length"].get<double>());
    // Tighter circles at the same places do not come round there, down to half the radius.
    const Cornered tight = cornered("tighter");
    EXPECT_EQ(tight.route["planner"], "tighter");
    EXPECT_EQ(tight.route["status"], "unreachable");
    EXPECT_TRUE(tight.route["legs"].empty());
    EXPECT_EQ(tight.err, "");
}

// Each row of the file: routes of the hybrid that start and end where asked, or the status that the lattice search gives; judged
// by verify, which refuses them for a unit that cannot turn so tightly.
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

const std::string kRoads = "tests/fixtures/cli/yard.roads";

std::vector<std::string> on_roads(const std::vector<std::string>& more) {
    return with({"route", kYard, "--start", "2.5,1.5,,0", "--goal", "20.5,13.5,,90", "--turning-radius",
                 "1.5", "--radius", "0.4", "--roads", kRoads},
                more);
}

TEST(DriveRoads, ForbiddenMeansThatNoRouteDoesIt) {
    const RunResult run = run_cli(on_roads({"--off-road", "forbidden", "--against", "forbidden", "--json"}));
    ASSERT_EQ(run.status, 0) << run.err;
    const json kept = json::parse(run.out);
    ASSERT_EQ(kept["status"], "complete");
    const RunResult open = run_cli(on_roads({"--off-road", "1", "--against", "1", "--json"}));
    ASSERT_EQ(open.status, 0) << open.err;
    const json free = json::parse(open.out);
    EXPECT_GT(kept["length"].get<double>(), free["length"].get<double>() + 1.0);
    const std::string routes = temp_path("roads.jsonl");
    write_text(routes, run.out + open.out);
    const std::vector<std::string> judge = {"verify", kYard,      routes, "--turning-radius",
                                            "1.5",    "--radius", "0.4"};
    EXPECT_EQ(run_cli(judge).status, 0);
    const RunResult bad =
        run_cli(with(judge, {"--roads", kRoads, "--off-road", "forbidden", "--against", "forbidden"}));
    EXPECT_EQ(bad.status, 1) << bad.err;
    EXPECT_NE(bad.out.find("2 routes, 1 legal, 1 illegal"), std::string::npos) << bad.out;
    EXPECT_NE(bad.out.find("against_lane"), std::string::npos) << bad.out;
    const RunResult off = run_cli(with(judge, {"--roads", kRoads, "--off-road", "forbidden"}));
    EXPECT_EQ(off.status, 1) << off.err;
    EXPECT_NE(off.out.find("off_road"), std::string::npos) << off.out;
}

TEST(DriveRoads, WrongFlagsAndFiles) {
    expect_refused(on_roads({"--off-road", "0.5"}), {"--off-road", "0.5"});
    expect_refused(on_roads({"--against", "never"}), {"--against"});
    expect_refused(on_roads({"--cones", "65"}), {"--cones", "65"});
    expect_refused(on_roads({"--planner", "hybrid"}), {"--roads", "hybrid"});
    expect_refused(yard_route({"--turning-radius", "2", "--off-road", "3"}), {"--roads"});
    expect_refused(yard_route({"--roads", kRoads}), {"--roads", "--turning-radius"});
    expect_refused(yard_route({"--turning-radius", "2", "--roads", kYard}), {"yard.map:1", "24 columns"});
    expect_refused(yard_route({"--turning-radius", "2", "--roads", "none.roads"}), {"none.roads"});
}

}  // namespace
}  // namespace fairlead::testing
