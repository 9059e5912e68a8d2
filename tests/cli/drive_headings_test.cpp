// Sets of headings, roads under rounded corners, and the heuristics of turning units on the command line.

#include "cli/cli_test.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

std::vector<std::string> open_yard_route(const std::vector<std::string>& more) {
    return with({"route", kYard, "--radius", "0.4", "--turning-radius", "1.5"}, more);
}

json drive_answer(const std::vector<std::string>& arguments) {
    const RunResult run = run_cli(with(arguments, {"--json"}));
    EXPECT_EQ(run.status, 0) << run.err;
    return json::parse(run.out);
}

/// An empty map of w x h tiles, and its roads.
std::string open_map(const std::string& name, int w, int h) {
    std::string text =
        "type octile\nheight " + std::to_string(h) + "\nwidth " + std::to_string(w) + "\nmap\n";
    for (int y = 0; y < h; ++y) text += std::string(static_cast<std::size_t>(w), '.') + "\n";
    const std::string path = temp_path(name);
    write_text(path, text);
    return path;
}

TEST(DriveHeadings, TheCheapestOfTheSetIsTaken) {
    const std::string map = open_map("headings.map", 24, 24);
    const std::vector<std::string> ask{"route", map,       "--radius", "0.4", "--turning-radius",
                                       "2",     "--start", "4.5,12.5"};
    double best = 1e9;
    for (const char* heading : {"0", "90", "180"}) {
        const json one = drive_answer(with(ask, {"--goal", std::string("18.5,12.5,,") + heading}));
        best = std::min(best, one["cost"].get<double>());
    }
    const json all = drive_answer(with(ask, {"--goal", "18.5,12.5", "--goal-headings", "180,90,0"}));
    EXPECT_EQ(all["cost"].get<double>(), best);
    const json two = drive_answer(with(ask, {"--goal", "18.5,12.5,,0", "--start-headings", "180,90"}));
    const double heading = two["legs"][0]["heading"].get<double>();
    EXPECT_NEAR(std::abs(heading), 1.5707963, 1e-3);  // one of the set
}

TEST(DriveHeadings, HeuristicsFindTheSameCost) {
    const std::string map = open_map("heuristics.map", 24, 24);
    double cost = -1.0;
    for (const char* heuristic : {"bounds", "straight", "zero"}) {
        const json route = drive_answer({"route", map, "--radius", "0.4", "--turning-radius", "2", "--start",
                                         "4.5,12.5,,0", "--goal", "4.5,15.5,,180", "--planner", "lattice",
                                         "--no-smooth", "--drive-heuristic", heuristic});
        if (cost < 0.0) cost = route["cost"].get<double>();
        EXPECT_NEAR(route["cost"].get<double>(), cost, 1e-6) << heuristic;
        EXPECT_EQ(route["bound"], 1.0) << heuristic;
    }
}

// R2: the tile route keeps to the road, its corners are driven from tile to tile.
TEST(DriveHeadings, CornersOverRoadsAlone) {
    const std::string map = open_map("roads.map", 20, 20);
    std::string roads;
    for (int y = 0; y < 20; ++y) {
        for (int x = 0; x < 20; ++x) roads += y == 2 || x == 17 ? '+' : '.';
        roads += '\n';
    }
    const std::string file = temp_path("roads.txt");
    write_text(file, roads);
    const std::vector<std::string> ask{
        "route",      map,      "--radius",      "0.3",       "--turning-radius", "0.5",      "--start",
        "2.5,2.5,,0", "--goal", "17.5,17.5,,90", "--corners", "ignore_walls",     "--smooth", "none"};
    const json across = drive_answer(ask);
    const json along = drive_answer(with(ask, {"--roads", file, "--off-road", "forbidden"}));
    EXPECT_GT(along["length"].get<double>(), across["length"].get<double>() + 3.0);
    for (const json& leg : along["legs"]) {
        const double x = leg["x"].get<double>(), y = leg["y"].get<double>();
        EXPECT_TRUE((y > 1.5 && y < 3.6) || (x > 16.4 && x < 18.5)) << x << " " << y;
    }
    const json dear = drive_answer(with(ask, {"--roads", file, "--off-road", "9"}));
    EXPECT_LE(dear["length"].get<double>(), along["length"].get<double>());  // a diagonal step in the bend
    EXPECT_GT(dear["length"].get<double>(), across["length"].get<double>() + 2.0);
    expect_refused(with(ask, {"--roads", file, "--cones", "2"}), {"--cones", "--corners"});
    expect_refused(with(ask, {"--roads", file, "--against", "2"}), {"--against", "--corners"});
}

TEST(DriveHeadings, RefusesWhatMeansNothing) {
    const std::vector<std::string> ends{"--start", "2.5,2.5,,0", "--goal", "5.5,2.5"};
    expect_refused(open_yard_route(with(ends, {"--start-headings", "0"})),
                   {"--start-headings", "--start has a heading"});
    expect_refused(open_yard_route(with(ends, {"--goal-headings", "0,,90"})), {"--goal-headings", "empty"});
    expect_refused(open_yard_route(with(ends, {"--drive-heuristic", "hunch"})),
                   {"--drive-heuristic", "hunch", "straight"});
    expect_refused(
        with({"route", kRoom, "--start", "0.5,0.5", "--goal", "3.5,3.5"}, {"--goal-headings", "0"}),
        {"--goal-headings", "--turning-radius"});
}

// W5: a walker on a roadmap, pulled taut where the ground is clear.
TEST(RoadmapSmooth, OnRequestFromTheCommandLine) {
    const std::vector<std::string> ask{
        "route", "scenes/roadmaps/harbour.json", "--start", "3,20.5", "--goal", "36.5,3", "--radius", "0.4"};
    const json over = drive_answer(ask);
    const json taut = drive_answer(with(ask, {"--smooth", "best"}));
    EXPECT_LE(taut["length"].get<double>(), over["length"].get<double>());
    EXPECT_EQ(taut["cost"], over["cost"]);
    EXPECT_EQ(drive_answer(with(ask, {"--smooth", "none"}))["length"], over["length"]);
    expect_refused(with(ask, {"--smooth", "greedy"}), {"--smooth", "roadmaps"});
}

// R6: off the road, along its lane, off it again: on the road its rules hold, whichever way.
TEST(DriveHeadings, MixedRulesOnAndOffTheRoad) {
    const std::string map = open_map("mixed.map", 40, 24);
    std::string roads;
    for (int y = 0; y < 24; ++y) {
        for (int x = 0; x < 40; ++x) roads += x < 6 || x > 33 ? '.' : (y == 10 ? '<' : (y == 11 ? '>' : '.'));
        roads += '\n';
    }
    const std::string file = temp_path("mixed_roads.txt");
    write_text(file, roads);
    const std::string ends[] = {"2.5,18.5,,0", "37.5,4.5,,0"};
    for (const int there : {0, 1}) {
        const std::string from = there == 0 ? ends[0] : "37.5,4.5,,180";
        const std::string to = there == 0 ? ends[1] : "2.5,18.5,,180";
        const json route =
            drive_answer({"route", map, "--radius", "0.4", "--turning-radius", "1.5", "--start", from,
                          "--goal", to, "--roads", file, "--off-road", "6", "--against", "forbidden"});
        double on_lane = 0.0;
        for (const json& leg : route["legs"]) {
            const double y = leg["y"].get<double>(), x = leg["x"].get<double>();
            const bool lane = there == 0 ? y > 11.0 && y < 12.0 : y > 10.0 && y < 11.0;
            if (lane && x > 5.0 && x < 35.0) on_lane += leg["length"].get<double>();
        }
        EXPECT_GT(on_lane, 12.0) << there;
        const std::string path = temp_path("mixed.jsonl");
        write_text(path, route.dump() + "\n");
        const RunResult judged = run_cli({"verify", map, path, "--radius", "0.4", "--turning-radius", "1.5",
                                          "--roads", file, "--against", "forbidden"});
        EXPECT_EQ(judged.status, 0) << judged.out << judged.err;
    }
}

TEST(NamedAreas, ArePricedAndClosedByName) {
    const std::vector<std::string> ask{"route",  "scenes/areas.json", "--start", "1.5,1.5",
                                       "--goal", "38.5,13.5"};
    const double plain = drive_answer(ask)["line_cost"].get<double>();
    const double cheap = drive_answer(with(ask, {"--area", "swamp=1"}))["line_cost"].get<double>();
    const double closed = drive_answer(with(ask, {"--area", "swamp=closed"}))["length"].get<double>();
    EXPECT_LT(cheap, plain);
    EXPECT_GT(closed,
              drive_answer(with(ask, {"--area", "swamp=1", "--area", "yard=1"}))["length"].get<double>());
    expect_refused(with(ask, {"--area", "moor=2"}), {"--area", "moor", "areas.json"});
    expect_refused(with(ask, {"--area", "swamp"}), {"--area"});
    expect_refused(with(ask, {"--area", "swamp=0"}), {"--area", "1 to 1023"});
    expect_refused({"route", kRoom, "--start", "0.5,0.5", "--goal", "3.5,3.5", "--area", "swamp=2"},
                   {"--area", "scenes"});
}

}  // namespace
}  // namespace fairlead::testing
