// fairlead route with --roads: lanes, and what it costs to leave them.

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/yard.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

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

// The more tiles around the junction have no cones, the more the unit cuts the corner.
TEST(DriveRoads, TheNumberOfConesCounts) {
    std::string map = "type octile\nheight 24\nwidth 24\nmap\n";
    std::string roads;
    for (int y = 0; y < 24; ++y) {
        map += std::string(24, '.') + "\n";
        const std::string across = std::string(15, '>') + "+++......\n";
        const std::string down = std::string(15, '.') + "vvv......\n";
        roads += y < 4 ? std::string(24, '.') + "\n" : (y < 7 ? across : down);
    }
    const std::string map_file = temp_path("corner.map"), roads_file = temp_path("corner.roads");
    write_text(map_file, map);
    write_text(roads_file, roads);
    const auto length = [&](const char* tiles) {
        const RunResult run = run_cli({"route", map_file, "--start", "2.5,5.5,,0", "--goal", "16.5,20.5,,90",
                                       "--radius", "0.3", "--turning-radius", "3", "--roads", roads_file,
                                       "--off-road", "1", "--against", "1", "--cones", tiles, "--json"});
        EXPECT_EQ(run.status, 0) << run.err;
        return json::parse(run.out)["length"].get<double>();
    };
    const double held = length("0");
    EXPECT_LT(length("4"), held - 0.2);
    EXPECT_LT(length("8"), length("4") - 0.2);
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
