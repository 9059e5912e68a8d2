// Volumes as WORLD: route, batch, verify, scen.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "cli/space.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

using VolumeCommand = SpaceTest;

// Over the wall, whose top edges are at (5, 5) and (6, 5) seen from the side.
const double kOver = std::hypot(3.5, 3.5) + 1.0 + std::hypot(4.5, 3.5);

TEST_F(VolumeCommand, OverTheWall) {
    const json way = route("1.5,4.5,1.5", "10.5,4.5,1.5");
    EXPECT_EQ(way["status"], "complete");
    EXPECT_EQ(way["planner"], "any_angle");
    EXPECT_TRUE(way["bound"].is_null());
    EXPECT_GE(way["line_cost"].get<double>(), kOver - 1e-9);
    EXPECT_LE(way["line_cost"].get<double>(), 1.1 * kOver);
    EXPECT_NEAR(length_in_space(way), way["line_cost"].get<double>(), 1e-9);
    double rise = 0.0, high = 0.0;
    for (const json& leg : way["legs"]) {
        EXPECT_NEAR(leg["z"].get<double>(), 1.5 + rise, 1e-9);
        rise += leg["rise"].get<double>();
        high = std::max(high, leg["z"].get<double>());
    }
    EXPECT_NEAR(rise, 0.0, 1e-9);
    EXPECT_GE(high, 5.0);
    EXPECT_EQ(way["end"]["x"], 10.5);
    EXPECT_EQ(way["end"]["z"], 1.5);

    const json found = route("1.5,4.5,1.5", "10.5,4.5,1.5", {"--no-smooth"});
    EXPECT_GE(found["line_cost"].get<double>(), way["line_cost"].get<double>() - 1e-9);
    const json wide = route("1.5,4.5,1.5", "10.5,4.5,1.5", {"--radius", "0.45"});
    EXPECT_GT(wide["line_cost"].get<double>(), kOver + 0.1);
    const json up = route("1.5,4.5,1.5", "1.5,4.5,4.5,90", {"--planner", "any_angle"});
    EXPECT_EQ(up["length"], 0.0);
    EXPECT_EQ(up["line_cost"], 3.0);
    EXPECT_EQ(up["legs"].back()["kind"], "turn");
}

TEST_F(VolumeCommand, DangersAndCurrents) {
    const std::vector<std::string> danger = {"--danger", "0,0,0,12,8,6,3"},
                                   wind = {"--current", "6,4,3,40,0.5,0,0"};
    const json plain = route("1.5,4.5,5.5", "10.5,4.5,5.5");
    EXPECT_NEAR(route("1.5,4.5,5.5", "10.5,4.5,5.5", danger)["line_cost"].get<double>(), 27.0, 1e-9);
    EXPECT_NEAR(route("1.5,4.5,5.5", "10.5,4.5,5.5", with(danger, wind))["line_cost"].get<double>(), 18.0,
                1e-9);
    EXPECT_NEAR(route("10.5,4.5,5.5", "1.5,4.5,5.5", wind)["line_cost"].get<double>(), 18.0, 1e-9);
    EXPECT_NEAR(plain["line_cost"].get<double>(), 9.0, 1e-9);

    const std::string queries = temp_path("priced.csv"), routes = temp_path("priced.jsonl");
    write_text(queries, "id,sx,sy,sz,sh,gx,gy,gz,gh\n1,1.5,4.5,1.5,,10.5,4.5,1.5,\n");
    ASSERT_EQ(run_cli(with({"batch", map_, queries, "-o", routes}, danger)).status, 0);
    EXPECT_EQ(run_cli(with({"verify", map_, routes}, danger)).status, 0);
    EXPECT_EQ(run_cli({"verify", map_, routes}).status, 1);
    const std::vector<std::string> ask = {"route", map_, "--start", "1.5,4.5,5.5", "--goal", "10.5,4.5,5.5"};
    EXPECT_EQ(run_cli(with(with({"explain"}, {ask.begin() + 1, ask.end()}), danger)).status, 0);
    expect_refused(with(ask, {"--danger", "1,1,1,2"}), {"--danger", "1,1,1,2"});
    expect_refused(with(ask, {"--danger", "1,1,1,2,0.5"}), {"--danger", "number 1", "range"});
    expect_refused(with(ask, {"--current", "1,1,1,2,1,1,0"}), {"--current", "range"});
    expect_refused(with(ask, {"--danger", "3,1,1,2,2,2,4"}), {"--danger", "low corner"});
    expect_refused(with(with(ask, danger), {"--turning-radius", "1"}), {"--danger", "--turning-radius"});
}

TEST_F(VolumeCommand, WaysThatThereAreNot) {
    EXPECT_EQ(route("1.5,4.5,1.5", "10.5,1.5,1.5")["status"], "unreachable");
    EXPECT_EQ(route("5.5,4.5,1.5", "10.5,4.5,1.5")["status"], "start_blocked");
    EXPECT_EQ(route("1.5,4.5,1.5", "9.5,1.5,1.5")["status"], "goal_blocked");
    EXPECT_EQ(route("1.5,4.5,1.5", "10.5,4.5,6.5")["status"], "off_world");
    EXPECT_EQ(route("1.5,4.5,1.5", "10.5,4.5,1.5", {"--budget", "0"})["status"], "budget_spent");
}

TEST_F(VolumeCommand, TextTellsHeights) {
    const RunResult run = run_cli({"route", map_, "--start", "1.5,4.5,1.5", "--goal", "1.5,4.5,4.5"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find("line cost 3\n"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("1.5                 4.5                 1.5  length 0.000000  rise 3.000000"),
              std::string::npos)
        << run.out;
    EXPECT_EQ(run.out.find("explain"), std::string::npos);
    const RunResult none = run_cli({"route", map_, "--start", "1.5,4.5,1.5", "--goal", "10.5,1.5,1.5"});
    EXPECT_NE(none.out.find("explain"), std::string::npos) << none.out;
}

// The wall leaves the top layer open, one voxel high.
TEST_F(VolumeCommand, Explain) {
    const auto ask = [&](const std::string& goal, const std::vector<std::string>& more) {
        const RunResult run =
            run_cli(with({"explain", map_, "--start", "2.5,4.5,2.5", "--goal", goal}, more));
        EXPECT_EQ(run.status, 0) << run.err;
        return run.out;
    };
    const auto told = [&](const std::string& goal, const std::string& radius) {
        return json::parse(ask(goal, {"--json", "--radius", radius}));
    };
    const json tight = told("8.5,4.5,3.5", "0.8");
    EXPECT_EQ(tight["reason"], "too_wide");
    EXPECT_EQ(tight["helps"][0]["help"], "smaller_body");
    EXPECT_EQ(tight["helps"][0]["value"], 0.5);
    EXPECT_NEAR(tight["width"].get<double>(), 1.0, 0.05);
    EXPECT_NEAR(tight["place"]["z"].get<double>(), 5.5, 0.05);
    const json sealed = told("10.5,1.5,1.5", "0");
    EXPECT_EQ(sealed["reason"], "sealed");
    EXPECT_EQ(sealed["closed"], "goal");
    EXPECT_EQ(sealed["voxels"], 1);
    EXPECT_EQ(sealed["walls"], 6);
    EXPECT_EQ(sealed["box"], (json{10, 1, 1, 11, 2, 2}));
    const json blocked = told("5.5,4.5,1.5", "0.25");
    EXPECT_EQ(blocked["reason"], "goal_blocked");
    EXPECT_EQ(blocked["voxel"], (json{5, 4, 1}));
    EXPECT_EQ(blocked["helps"][1]["help"], "move_goal");
    EXPECT_EQ(blocked["helps"][1]["distance"], 1.0);
    const std::string svg = temp_path("why.svg"), png = temp_path("why.png");
    const std::string text = ask("8.5,4.5,3.5", {"--radius", "0.8", "--svg", svg, "--png", png});
    EXPECT_NE(text.find("would need radius <= 0.5\n"), std::string::npos) << text;
    EXPECT_NE(read_text(svg).find("would need radius"), std::string::npos);
    EXPECT_EQ(read_text(png).substr(1, 3), "PNG");
}

// A unit that turns flies through the open layer above the wall, up and down again.
TEST_F(VolumeCommand, TurningUnits) {
    std::ostringstream text;
    text << "voxel 40 20 12\n";
    for (int y = 0; y < 20; ++y) {
        for (int z = 0; z < 8; ++z) text << 20 << ' ' << y << ' ' << z << '\n';
    }
    const std::string map = temp_path("wall.3dmap");
    write_text(map, text.str());
    const std::vector<std::string> unit{"--radius", "0.4", "--turning-radius", "2"};
    const auto fly = [&](const std::vector<std::string>& more) {
        const RunResult run = run_cli(
            with(with({"route", map, "--json", "--start", "4,10,3,0", "--goal", "36,10,3,90"}, unit), more));
        EXPECT_EQ(run.status, 0) << run.err;
        return json::parse(run.out);
    };
    const auto steepest = [](const json& way) {
        double most = 0.0;
        for (const json& leg : way["legs"])
            most = std::max(most, std::fabs(leg["rise"].get<double>()) / leg["length"].get<double>());
        return most;
    };
    const json way = fly({});
    EXPECT_EQ(way["status"], "complete");
    EXPECT_EQ(way["planner"], "fly");
    EXPECT_EQ(way["legs"][0]["heading"], 0.0);
    EXPECT_LE(steepest(way), std::tan(30.0 * std::acos(-1.0) / 180.0) + 1e-9);
    const json flat = fly({"--climb", "15", "--planner", "fly"});
    EXPECT_EQ(flat["status"], "complete");
    EXPECT_LE(steepest(flat), std::tan(15.0 * std::acos(-1.0) / 180.0) + 1e-9);
    EXPECT_GE(flat["line_cost"].get<double>(), way["line_cost"].get<double>() - 1e-9);
    const std::string svg = temp_path("fly.svg");
    (void)fly({"--svg", svg, "--no-smooth"});
    EXPECT_NE(read_text(svg).find("fly"), std::string::npos);

    const std::string queries = temp_path("fly.csv"), routes = temp_path("fly.jsonl");
    write_text(queries, "id,sx,sy,sz,sh,gx,gy,gz,gh\n1,4,10,3,0,36,10,3,90\n2,4,10,3,180,10,4,6,45\n");
    const RunResult batch = run_cli(with({"batch", map, queries, "-o", routes, "--no-times"}, unit));
    ASSERT_EQ(batch.status, 0) << batch.err;
    EXPECT_EQ(batch.out, "2 routes, 2 complete\n");
    EXPECT_EQ(json::parse(read_text(routes).substr(0, read_text(routes).find('\n')))["legs"], way["legs"]);
    const RunResult judged = run_cli(with({"verify", map, routes}, unit));
    EXPECT_EQ(judged.status, 0) << judged.out << judged.err;
    EXPECT_EQ(run_cli({"verify", map, routes, "--radius", "0.4", "--turning-radius", "2.5"}).status, 1);

    const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& words) {
        expect_refused(with(with({"route", map, "--start", "4,10,3,0", "--goal", "36,10,3,90"}, unit), more),
                       words);
    };
    refused({"--climb", "0"}, {"--climb"});
    refused({"--climb", "90"}, {"--climb"});
    refused({"--planner", "astar"}, {"--planner", "astar", "fly"});
    refused({"--reverse"}, {"--reverse"});
    refused({"--neighbours", "6"}, {"--neighbours"});
    write_text(queries, "id,sx,sy,sz,sh,gx,gy,gz,gh\n1,4,10,3,,36,10,3,90\n");
    expect_refused(with({"batch", map, queries, "-o", "-"}, unit), {"fly.csv:2: sh", "heading"});
}

TEST_F(VolumeCommand, Trace) {
    const std::string trace = temp_path("trace.json");
    const json way = route("1.5,4.5,1.5", "10.5,4.5,1.5", {"--trace", trace});
    EXPECT_EQ(json::parse(read_text(trace))["counts"]["expand"], way["stats"]["expanded"]);
}

TEST_F(VolumeCommand, FromVoxelToVoxel) {
    // To the top layer at x = 4 in 3 slanting steps and one up, over the wall in 2, down in 4 slanting ones.
    const double shortest = 2.0 + 7.0 * std::sqrt(2.0) + 1.0;
    for (const char* planner : {"astar", "astar26", "dijkstra"}) {
        const json way = route("1.5,4.5,1.5", "10.5,4.5,1.5", {"--planner", planner, "--no-smooth"});
        EXPECT_EQ(way["planner"], std::string(planner) == "dijkstra" ? "dijkstra" : "astar");
        EXPECT_EQ(way["bound"], 1.0);
        EXPECT_NEAR(way["cost"].get<double>(), shortest, 1e-9) << planner;
        EXPECT_NEAR(way["line_cost"].get<double>(), shortest, 1e-9) << planner;
        const json smooth = route("1.5,4.5,1.5", "10.5,4.5,1.5", {"--planner", planner});
        EXPECT_NEAR(smooth["cost"].get<double>(), shortest, 1e-9) << planner;
        EXPECT_LT(smooth["line_cost"].get<double>(), shortest) << planner;
    }
    for (const std::vector<std::string>& six :
         std::vector<std::vector<std::string>>{{"--planner", "astar6"},
                                               {"--planner", "astar", "--neighbours", "6"},
                                               {"--planner", "dijkstra", "--neighbours", "6"},
                                               {"--planner", "astar6", "--heuristic", "manhattan"}})
        EXPECT_EQ(route("1.5,4.5,1.5", "10.5,4.5,1.5", six)["cost"], 9.0 + 2 * 4.0);
    EXPECT_NEAR(route("1.5,4.5,1.5", "10.5,4.5,1.5", {"--planner", "astar18"})["cost"].get<double>(),
                shortest, 1e-9);
}

// A packed map, and a baked volume, are the same world.
TEST_F(VolumeCommand, PackedAndBaked) {
    const std::string file = temp_path("space.fl");
    ASSERT_EQ(run_cli({"bake", "volume", map_, "-o", file}).status, 0);
    const json way = route("1.5,4.5,1.5", "10.5,4.5,1.5");
    for (const std::string& world : {std::string("tests/fixtures/cli/space.3dmap.gz"), file}) {
        const json same = route_json(world, "1.5,4.5,1.5", {"--goal", "10.5,4.5,1.5"});
        EXPECT_EQ(same["legs"], way["legs"]) << world;
        EXPECT_EQ(same["stats"]["digest"], way["stats"]["digest"]) << world;
    }
}

TEST_F(VolumeCommand, BatchAndVerify) {
    std::string csv = "id,sx,sy,sz,sh,gx,gy,gz,gh\n";
    for (int i = 0; i < 40; ++i) {
        const auto place = [&](int k) {
            return std::to_string(k * 5 % 12) + ".5," + std::to_string(k * 3 % 8) + ".5," +
                   std::to_string(k * 7 % 6) + ".5,";
        };
        csv += std::to_string(i) + "," + place(i) + "90," + place(3 * i + 7) + "\n";
    }
    const std::string queries = temp_path("queries.csv"), out = temp_path("routes.jsonl");
    write_text(queries, csv);
    for (const char* radius : {"0", "0.5"}) {
        std::string first;
        for (const char* threads : {"1", "3"}) {
            const RunResult run = run_cli(
                {"batch", map_, queries, "--radius", radius, "--no-times", "--threads", threads, "-o", out});
            ASSERT_EQ(run.status, 0) << run.err;
            EXPECT_NE(run.out.find("40 routes"), std::string::npos) << run.out;
            EXPECT_NE(run.out.find("start_blocked"), std::string::npos) << run.out;
            if (first.empty()) first = read_text(out);
            EXPECT_EQ(read_text(out), first);
        }
        const RunResult good = run_cli({"verify", map_, out, "--radius", radius});
        EXPECT_EQ(good.status, 0) << good.out;
        EXPECT_EQ(good.out, "40 routes, 40 legal, 0 illegal\n");
    }
    // A unit that is too wide for them.
    const RunResult wide = run_cli({"verify", map_, out, "--radius", "0.6"});
    EXPECT_EQ(wide.status, 1);
    EXPECT_NE(wide.out.find("route 0: "), std::string::npos) << wide.out;
    // Heights are needed; the line is told.
    write_text(queries,
               "id,sx,sy,sz,sh,gx,gy,gz,gh\n1,1.5,1.5,1.5,,2.5,2.5,2.5,\n2,1.5,1.5,1.5,,2.5,2.5,,\n");
    expect_refused({"batch", map_, queries, "-o", out}, {"queries.csv:3: gz", "height"});
}

std::string line_of(int id, double z, double rise, const std::string& more) {
    std::ostringstream out;
    out << R"({"id":)" << id << R"(,"status":"complete",)" << more << R"("legs":[{"x":1.5,"y":4.5,"z":)" << z
        << R"(,"heading":0,"length":3,"rise":)" << rise << R"(}],"end":{"x":4.5,"y":4.5,"z":)" << z + rise
        << "}}\n";
    return out.str();
}

TEST_F(VolumeCommand, VerifyNamesWhatIsWrong) {
    const std::string routes = temp_path("routes.jsonl");
    write_text(routes, line_of(1, 0.5, 4.0, R"("line_cost":5,)") +
                           line_of(2, 0.5, 4.0, R"("line_cost":4.5,)") + line_of(3, 0.5, 4.0, "") +
                           line_of(4, 3.5, 3.0, ""));
    const RunResult run = run_cli({"verify", map_, routes});
    EXPECT_EQ(run.status, 1);
    ASSERT_EQ(run.out_lines().size(), 3u) << run.out;
    EXPECT_NE(run.out.find("routes.jsonl:2: route 2: line_cost: "), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("routes.jsonl:4: route 4: off_world: "), std::string::npos) << run.out;
    EXPECT_EQ(run.out_lines()[2], "4 routes, 2 legal, 2 illegal");

    const RunResult machine = run_cli({"verify", map_, routes, "--json"});
    const json wrong = json::parse(machine.out_lines().at(1));
    EXPECT_EQ(wrong["kind"], "line_cost");
    EXPECT_EQ(wrong["depth"], 0.5);
    EXPECT_GT(json::parse(machine.out_lines().at(3))["z"].get<double>(), 6.0 - 1e-6);

    // Through the wall, at a height.
    write_text(routes,
               R"({"id":7,"status":"complete","legs":[{"x":3.5,"y":4.5,"z":2.5,"heading":0,"length":5}],)"
               R"("end":{"x":8.5,"y":4.5,"z":2.5}})"
               "\n");
    const RunResult wall = run_cli({"verify", map_, routes});
    EXPECT_EQ(wall.status, 1);
    EXPECT_NE(wall.out.find("route 7: wall: leg 0 at 1.5"), std::string::npos) << wall.out;
    EXPECT_NE(wall.out.find("voxel (5, 4, 2)"), std::string::npos) << wall.out;
    for (const std::vector<std::string>& more :
         std::vector<std::vector<std::string>>{{"--footprint", "2"}, {"--facings", "8"}, {"--check-edges"}})
        expect_refused(with({"verify", map_, routes}, more), {});
}

TEST_F(VolumeCommand, ScenColumns) {
    const std::string scen = temp_path("space.3dscen");
    write_text(scen,
               "version 1\nspace.3dmap\n0 0 0 3 0 0 3 1.0\n1 4 1 1 4 4 3 1.0\n"
               "1 4 1 10 4 1 12.8995 1.4\n1 4 1 10 1 1 -1 1.0\n");
    const RunResult run = run_cli({"scen", map_, scen, "--csv", "--repeat", "2"});
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    ASSERT_EQ(run.out_lines().size(), 5u);
    EXPECT_EQ(run.out_lines()[0],
              "index,bucket,sx,sy,sz,gx,gy,gz,optimal,length,expanded,ns_total,ns_preprocess,legal");
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : run.out_lines()) rows.push_back(split(line, ','));
    const std::vector<std::string> first{"0", "0", "0", "0", "0", "3", "0", "0", "3", "3"};
    EXPECT_EQ(std::vector<std::string>(rows[1].begin(), rows[1].begin() + 10), first);
    EXPECT_EQ(rows[2][9], "3");  // straight up: no ground length
    EXPECT_EQ(rows[3][1], "3");
    EXPECT_EQ(rows[3][8], "12.8995");
    EXPECT_GE(std::stod(rows[3][9]), kOver - 1e-9);
    EXPECT_LE(std::stod(rows[3][9]), 1.1 * kOver);
    EXPECT_EQ(rows[4][9], "-1");
    EXPECT_GT(std::stoull(rows[1][12]), 0u);  // making the volume is charged to the first query
    EXPECT_EQ(rows[2][12], "0");
    for (std::size_t i = 1; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), 14u);
        EXPECT_EQ(rows[i][13], "1");
    }
    ASSERT_EQ(run.err_lines().size(), 1u);
    const std::vector<std::string> sum = split(run.err_lines()[0], ',');
    ASSERT_GE(sum.size(), 8u);
    EXPECT_EQ(std::vector<std::string>(sum.begin(), sum.begin() + 4),
              (std::vector<std::string>{"auto", "4", "0", "0"}));
    for (const char* planner : {"astar26", "dijkstra"}) {
        const RunResult best = run_cli({"scen", map_, scen, "--csv", "--planner", planner});
        EXPECT_EQ(best.status, 0) << best.out << best.err;
        EXPECT_NEAR(std::stod(split(best.out_lines().at(3), ',')[9]), 12.8995, 5e-5);
    }
    EXPECT_EQ(split(run_cli({"scen", map_, scen, "--csv", "--planner", "astar6"}).out_lines().at(3), ',')[9],
              "17");
    const json machine = json::parse(run_cli({"scen", map_, scen, "--json"}).out);
    EXPECT_EQ(machine["wrong_lengths"], 0);
    EXPECT_EQ(machine["queries"], 4);
    EXPECT_GE(machine["ratio_max"], 1.0);
    // The baked volume is the same world.
    const std::string file = temp_path("space.fl");
    ASSERT_EQ(run_cli({"bake", "volume", map_, "-o", file, "--voxel", "2"}).status, 0);
    EXPECT_EQ(split(run_cli({"scen", file, scen, "--csv"}).out_lines().at(3), ',')[9], rows[3][9]);
}

TEST_F(VolumeCommand, ScenFaults) {
    const std::string scen = temp_path("space.3dscen");
    write_text(scen, "version 1\nspace.3dmap\n1 4 1 10 4 1 -1 1.0\n1 4 1 10 1 1 9.5 1.0\n");
    const RunResult run = run_cli({"scen", map_, scen});
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.out.find("wrong lengths    2"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("space.3dscen:4: query 1: length -1, published 9.5"), std::string::npos)
        << run.out;
    write_text(scen, "version 1\nspace.3dmap\n1 4 1 10 4 1 12.8996 1.4\n");
    EXPECT_EQ(run_cli({"scen", map_, scen}).status, 0);
    EXPECT_EQ(run_cli({"scen", map_, scen, "--planner", "astar"}).status, 1);
    expect_refused({"scen", kRoom, scen}, {"room.map", "no volume"});
    expect_refused({"scen", map_, scen, "--planner", "jump_point"}, {"--planner", "jump_point", "any_angle"});
    expect_refused({"scen", map_, scen, "--corner", "always"}, {"--corner", "volumes"});
    expect_refused({"scen", map_, scen, "--rings", "1"}, {"--rings"});
    write_text(scen, "version 1\nspace.3dmap\n1 4 1 12 4 1 9 1.0\n");
    expect_refused({"scen", map_, scen}, {"space.3dscen:3"});
    write_text(scen, "version 1\nspace.3dmap\n1 4 x 12 4 1 9 1.0\n");
    expect_refused({"scen", map_, scen}, {"space.3dscen:3:5"});
}

TEST(VolumeScen, PublishedMap) {
    FAIRLEAD_REQUIRE_DATA(map, "voxels/Simple.3dmap.gz");
    FAIRLEAD_REQUIRE_DATA(scen, "voxels/Simple.3dmap.3dscen.gz");
    const RunResult run = run_cli({"scen", map, scen, "--json"});
    EXPECT_EQ(run.status, 0) << run.out;
    const json sum = json::parse(run.out);
    EXPECT_EQ(sum["queries"], 10000);
    EXPECT_EQ(sum["illegal_routes"], 0);
    EXPECT_LT(sum["ratio_mean"], 1.0);
}

// An upright capsule, and a level box with a turning circle: planned, judged, explained.
TEST_F(VolumeCommand, BodiesWithAHeight) {
    const std::string out = ::testing::TempDir() + "/bodies.jsonl";
    const std::vector<std::string> ends{"--start", "1.5,4.5,1.5", "--goal", "10.5,4.5,1.5"};
    const std::vector<std::string> tall{"--radius", "0.3", "--height", "0.9"};
    RunResult run = run_cli(with(with({"route", map_, "--json"}, ends), tall));
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(json::parse(run.out)["status"], "complete");
    write_text(out, json::parse(run.out).dump() + "\n");
    EXPECT_EQ(run_cli(with({"verify", map_, out}, tall)).status, 0);
    EXPECT_EQ(run_cli({"verify", map_, out, "--radius", "0.3", "--height", "30"}).status, 1);
    run = run_cli(with(with({"explain", map_}, ends), {"--radius", "0.3", "--height", "30"}));
    EXPECT_NE(run.out.find("does not fit at the start"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("of its size"), std::string::npos) << run.out;
    const std::vector<std::string> poses{"--start", "1.5,4.5,1.5,0", "--goal", "10.5,4.5,1.5,0"};
    const std::vector<std::string> box{"--length", "0.8", "--width",          "0.5",
                                       "--height", "0.4", "--turning-radius", "0.5"};
    run = run_cli(with(with({"route", map_, "--json"}, poses), box));
    ASSERT_EQ(run.status, 0) << run.err;
    write_text(out, json::parse(run.out).dump() + "\n");
    if (json::parse(run.out)["status"] == "complete") {
        EXPECT_EQ(run_cli(with({"verify", map_, out}, box)).status, 0);
    }
    expect_refused(with({"route", map_, "--height", "1"}, ends), {"--radius", "1/1024"});
    expect_refused(with({"route", map_, "--radius", "1", "--height", "1.5"}, ends), {"--height", "twice"});
    expect_refused(with({"route", map_, "--length", "1", "--width", "1", "--turning-radius", "2"}, poses),
                   {"--height", "box"});
}

TEST_F(VolumeCommand, RefusesWhatVolumesDoNotHave) {
    const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& words) {
        expect_refused(with({"route", map_, "--start", "1.5,4.5,1.5", "--goal", "10.5,4.5,1.5"}, more),
                       words);
    };
    refused({"--planner", "jump_point"}, {"--planner", "jump_point", "auto, any_angle"});
    refused({"--planner", "astar", "--neighbours", "8"}, {"--neighbours", "6, 18 or 26"});
    refused({"--planner", "astar26", "--neighbours", "26"}, {"--neighbours", "astar26"});
    refused({"--planner", "astar", "--heuristic", "octile"}, {"--heuristic", "euclidean"});
    refused({"--planner", "dijkstra", "--heuristic", "euclidean"}, {"--heuristic", "dijkstra"});
    refused({"--heuristic", "euclidean"}, {"--heuristic", "any_angle"});
    refused({"--planner", "astar", "--radius", "0.6"}, {"--radius", "half"});
    refused({"--turning-radius", "2"}, {"--start", "heading"});
    refused({"--climb", "20"}, {"--climb", "--turning-radius"});
    refused({"--footprint", "2"}, {"spheres", "--footprint"});
    refused({"--goal", "1,1,1"}, {"--goal", "one only"});
    refused({"--goal-within", "2"}, {"--goal-within"});
    refused({"--heights", kRoom}, {"--heights"});
    refused({"--closed-areas", "2"}, {"--closed-areas"});
    for (const auto& [flag, value] : {std::pair{"--smooth", "best"},
                                      {"--corner", "always"},
                                      {"--neighbours", "8"},
                                      {"--epsilon", "2"},
                                      {"--terrain", "S=3"},
                                      {"--blocker", "1,1,1"},
                                      {"--table", "x.fl"},
                                      {"--speed", "2"}})
        refused({flag, value}, {flag});
    expect_refused({"route", map_, "--start", "1.5,4.5", "--goal", "10.5,4.5,1.5"}, {"--start", "height"});
    expect_refused({"route", map_, "--start", "1.5,4.5,1.5", "--goal", "10.5,4.5"}, {"--goal", "height"});
    expect_refused({"explain", map_, "--start", "1.5,4.5,1.5", "--goal", "10.5,4.5,1.5", "--y-up"},
                   {"--y-up"});
    expect_refused(
        {"explain", map_, "--start", "1.5,4.5,1.5", "--goal", "10.5,4.5,1.5", "--turning-radius", "2"},
        {"--turning-radius"});
    refused({"--memory-max", "16"}, {"space.3dmap", "--memory-max"});
    refused({"--file-max", "16"}, {"space.3dmap", "--file-max"});
    write_text(map_, "voxel 4 4 4\n1 2 4\n");
    expect_refused({"route", map_, "--start", "0.5,0.5,0.5", "--goal", "1.5,0.5,0.5"}, {"space.3dmap:2:5"});
}

TEST(VolumePlanners, AreListed) {
    bool found = false;
    for (const json& row : json::parse(run_cli({"planners", "--json"}).out))
        found = found || (row["world"] == "volumes" && row["name"] == "any_angle");
    EXPECT_TRUE(found);
}

}  // namespace
}  // namespace fairlead::testing
