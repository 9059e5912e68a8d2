// fairlead route with --facings and --corners: routes cut to a fixed number of headings, and polylines rounded.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/yard.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

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

// A way to the best pose so far is drawn on the facings too.
TEST(DriveRoute, FacingsOfAWayThatIsNotComplete) {
    const std::vector<std::string> body{"--radius", "0.3"};
    const std::vector<std::string> styled{"--facings", "16"};
    int ways = 0;
    for (const char* budget : {"5", "10", "20", "40"}) {
        const std::vector<std::string> flags{"--turning-radius", "2",        "--json",
                                             "--partial",        "--budget", budget};
        const RunResult run = run_cli(with(with(yard_route(flags), body), styled));
        ASSERT_EQ(run.status, 0) << run.err;
        const json route = json::parse(run.out);
        if (route["status"] != "budget_spent" || route["legs"].empty() || !run.err.empty()) continue;
        ++ways;
        EXPECT_TRUE(drives_on(route, 16)) << run.out;
        EXPECT_EQ(judged(run.out, with(body, styled)).out, "1 routes, 1 legal, 0 illegal\n");
    }
    EXPECT_GT(ways, 0);
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

// From waypoints pulled to the corners of walls: the hardest ones.
Cornered cornered(const std::string& method) {
    const RunResult run = run_cli(yard_route({"--turning-radius", "2", "--radius", "0.3", "--reverse",
                                              "--corners", method, "--smooth", "best", "--json"}));
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

}  // namespace
}  // namespace fairlead::testing
