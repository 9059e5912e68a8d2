// fairlead route: the route as JSON and text, pictures, traces, goal regions.

#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/cli_test.h"
#include "support/xml_check.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

std::set<std::string> keys(const json& object) {
    std::set<std::string> names;
    for (const auto& [name, value] : object.items()) names.insert(name);
    return names;
}

TEST(RouteCommand, JsonHasTheContractsKeys) {
    const json route = route_json(kRoom, "0.5,0.5", {"--goal", "3.5,3.5", "--no-smooth"});
    EXPECT_EQ(keys(route), (std::set<std::string>{"id", "status", "length", "cost", "line_cost", "bound",
                                                  "planner", "revision", "legs", "end", "stats", "shape"}));
    EXPECT_EQ(keys(route["shape"]), (std::set<std::string>{"turns", "turned", "straightness"}));
    EXPECT_EQ(route["status"], "complete");
    EXPECT_EQ(route["length"], 14.0);
    EXPECT_EQ(route["cost"], 14.0);
    EXPECT_EQ(route["bound"], 1.0);
    EXPECT_EQ(keys(route["stats"]), (std::set<std::string>{"expanded", "generated", "digest", "ns"}));
    EXPECT_EQ(route["stats"]["digest"].get<std::string>().size(), 16u);
    EXPECT_EQ(keys(route["end"]), (std::set<std::string>{"x", "y", "z", "heading"}));
    ASSERT_FALSE(route["legs"].empty());
    for (const json& leg : route["legs"]) {
        EXPECT_EQ(keys(leg), (std::set<std::string>{"kind", "x", "y", "z", "layer", "heading", "length",
                                                    "rise", "curvature", "gear", "clearance"}));
        EXPECT_EQ(leg["kind"], "drive");
        EXPECT_EQ(leg["gear"], "forward");
        EXPECT_TRUE(leg["clearance"].is_number());
    }
    EXPECT_EQ(route["legs"][0]["x"], 0.5);
    EXPECT_EQ(route["end"]["x"], 3.5);
}

TEST(RouteCommand, SmoothedByDefaultAndNeverLonger) {
    const json taut = route_json(kRoom, "0.5,0.5", {"--goal", "3.5,3.5"});
    const double shortest = 6.5 + std::sqrt(0.25 + 0.25);  // a bound from below, no more
    EXPECT_LT(taut["length"].get<double>(), 14.0);
    EXPECT_GT(taut["length"].get<double>(), shortest);
    for (const char* way : {"best", "greedy", "farthest"}) {
        const json route = route_json(kRoom, "0.5,0.5", {"--goal", "3.5,3.5", "--smooth", way});
        EXPECT_GE(route["length"].get<double>(), taut["length"].get<double>() - 1e-9) << way;
        EXPECT_LE(route["length"].get<double>(), 14.0 + 1e-9) << way;
    }
}

TEST(RouteCommand, ASpentBudgetLeadsToTheBestPlaceSoFar) {
    const std::vector<std::string> few{"--goal", "7.5,5.5", "--planner", "astar", "--budget", "4"};
    const json nothing = route_json(kRoom, "0.5,0.5", few);
    EXPECT_EQ(nothing["status"], "budget_spent");
    EXPECT_TRUE(nothing["legs"].empty());
    std::vector<std::string> partial = few;
    partial.push_back("--partial");
    const json best = route_json(kRoom, "0.5,0.5", partial);
    EXPECT_EQ(best["status"], "budget_spent");
    ASSERT_FALSE(best["legs"].empty());
    EXPECT_TRUE(best["bound"].is_null());
    EXPECT_GT(best["end"]["x"].get<double>() + best["end"]["y"].get<double>(), 1.0);
}

TEST(RouteCommand, UnreachableIsAnAnswer) {
    const json route = route_json(kSealed, "0.5,0.5", {"--goal", "3.5,2.5"});
    EXPECT_EQ(route["status"], "unreachable");
    EXPECT_TRUE(route["bound"].is_null());
    EXPECT_TRUE(route["legs"].empty());
    EXPECT_EQ(route_json(kSealed, "0.5,0.5", {"--goal", "3.5,1.5"})["status"], "goal_blocked");
    EXPECT_EQ(route_json(kSealed, "3.5,1.5", {"--goal", "0.5,0.5"})["status"], "start_blocked");
    EXPECT_EQ(route_json(kSealed, "-1,5", {"--goal", "0.5,0.5"})["status"], "off_world");
    EXPECT_EQ(route_json(kSealed, "0.5,0.5", {"--goal", "3.5,2.5", "--partial"})["status"], "partial");
    EXPECT_EQ(route_json(kRoom, "0.5,0.5", {"--goal", "3.5,3.5", "--budget", "1"})["status"], "budget_spent");
}

TEST(RouteCommand, ABlockedEndIsMovedAsFarAsReach) {
    const json moved = route_json(kSealed, "2.5,1.5", {"--goal", "0.5,0.5", "--reach", "3"});
    EXPECT_EQ(moved["status"], "complete");
    EXPECT_EQ(moved["legs"][0]["y"].get<double>(), 0.5);
    EXPECT_EQ(route_json(kSealed, "2.5,1.5", {"--goal", "0.5,0.5", "--reach", "0.1"})["status"],
              "start_blocked");
    const std::vector<std::string> ask{"route", kSealed, "--start", "0.5,0.5", "--goal", "1.5,0.5"};
    const RunResult bad = run_cli(with(ask, {"--reach", "-1"}));
    EXPECT_EQ(bad.status, 2);
    EXPECT_NE(bad.err.find("--reach"), std::string::npos) << bad.err;
    const RunResult turns = run_cli(with(ask, {"--turning-radius", "2", "--reach", "1"}));
    EXPECT_EQ(turns.status, 2);
    EXPECT_NE(turns.err.find("--reach"), std::string::npos) << turns.err;
}

TEST(RouteCommand, UnitsOfTwoKinds) {
    EXPECT_EQ(route_json(kRoom, "0.5,0.5", {"--goal", "3.5,3.5", "--radius", "0.5"})["status"], "complete");
    EXPECT_NE(route_json(kRoom, "0.5,0.5", {"--goal", "3.5,3.5", "--radius", "0.6"})["status"], "complete");
    EXPECT_EQ(route_json(kRoom, "0.5,0.5", {"--goal", "3.5,3.5", "--footprint", "1"})["status"], "complete");
    EXPECT_NE(route_json(kRoom, "0.5,0.5", {"--goal", "3.5,3.5", "--footprint", "2"})["status"], "complete");
}

TEST(RouteCommand, GoalRegions) {
    const json within =
        route_json(kRoom, "0.5,0.5", {"--goal", "3.5,3.5", "--goal-within", "2.1", "--no-smooth"});
    EXPECT_EQ(within["status"], "complete");
    EXPECT_LT(within["length"].get<double>(), 14.0);
    const json next_to = route_json(kSealed, "0.5,0.5", {"--goal", "3.5,1.5", "--goal-adjacent"});
    EXPECT_EQ(next_to["status"], "complete");
    const json seen = route_json(kRoom, "0.5,0.5", {"--goal", "3.5,3.5", "--goal-in-sight", "100"});
    EXPECT_EQ(seen["status"], "complete");
    EXPECT_LT(seen["length"].get<double>(), 12.0);
    const json any = route_json(kRoom, "0.5,0.5", {"--goal", "3.5,3.5", "--goal", "0.5,5.5"});
    EXPECT_EQ(any["end"]["y"], 5.5);
    EXPECT_EQ(any["length"], 5.0);
}

TEST(RouteCommand, TerrainAndBlockers) {
    const json dear = route_json(kRoom, "2.5,3.5", {"--goal", "5.5,3.5", "--terrain", "S=9", "--no-smooth"});
    EXPECT_EQ(dear["status"], "complete");
    EXPECT_LT(dear["cost"].get<double>(), 6.0);  // round the two S
    const json wall = route_json(kRoom, "0.5,0.5", {"--goal", "3.5,3.5", "--blocker", "7.5,2.5,0.6"});
    EXPECT_EQ(wall["status"], "unreachable");
    const json box = route_json(kRoom, "0.5,0.5", {"--goal", "3.5,3.5", "--blocker", "6,3,7,4"});
    EXPECT_EQ(box["status"], "unreachable");
}

TEST(RouteCommand, HeadingsAreTurnsOnTheSpot) {
    const json route = route_json(kRoom, "0.5,0.5,0,90", {"--goal", "5.5,0.5,,180"});
    ASSERT_EQ(route["legs"].size(), 3u);
    const double half_turn = std::acos(0.0);
    EXPECT_EQ(route["legs"][0]["kind"], "turn");
    EXPECT_NEAR(route["legs"][0]["heading"].get<double>(), half_turn, 1e-12);
    EXPECT_NEAR(route["legs"][0]["turn"].get<double>(), -half_turn, 1e-12);
    EXPECT_EQ(route["legs"][1]["kind"], "drive");
    EXPECT_EQ(route["legs"][2]["kind"], "turn");
    EXPECT_NEAR(std::fabs(route["end"]["heading"].get<double>()), 2 * half_turn, 1e-12);
    EXPECT_EQ(route["length"], 5.0);
}

TEST(RouteCommand, TextForPeople) {
    const RunResult run = run_cli({"route", kRoom, "--start", "0.5,0.5", "--goal", "5.5,0.5"});
    EXPECT_EQ(run.status, 0);
    EXPECT_NE(run.out.find("complete"), std::string::npos);
    EXPECT_NE(run.out.find("length    5\n"), std::string::npos) << run.out;
}

TEST(RouteCommand, PictureAndTrace) {
    const std::string svg = temp_path("route.svg");
    const std::string trace = temp_path("trace.json");
    const json route = route_json(
        kRoom, "0.5,0.5",
        {"--goal", "3.5,3.5", "--radius", "0.3", "--planner", "astar", "--svg", svg, "--trace", trace});
    const std::string picture = read_text(svg);
    EXPECT_EQ(picture.substr(0, 5), "<svg ") << picture.substr(0, 60);
    for (const char* part : {"class=\"walls\"", "class=\"trace\"", "class=\"body\"", "class=\"route\""}) {
        EXPECT_NE(picture.find(part), std::string::npos) << part;
    }
    const json events = json::parse(read_text(trace));
    EXPECT_EQ(events["fairlead_trace"], 1);
    EXPECT_EQ(events["counts"]["expand"], route["stats"]["expanded"]);
}

}  // namespace
}  // namespace fairlead::testing
