// fairlead batch and verify: many routes, and the judgement on them.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairlead/formats/routes.h>

#include "support/environment.h"
#include "support/run_program.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

const std::string kRoom = "tests/fixtures/cli/room.map";
const std::string kQueries = "tests/fixtures/cli/room.csv";

TEST(Batch, InTheOrderOfTheQueries) {
    const RunResult run = run_cli({"batch", kRoom, kQueries, "-o", "-"});
    ASSERT_EQ(run.status, 0) << run.err;
    const std::vector<std::string> lines = run.out_lines();
    ASSERT_EQ(lines.size(), 4u);
    const char* statuses[] = {"complete", "complete", "goal_blocked", "off_world"};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const json route = json::parse(lines[i]);
        EXPECT_EQ(route["id"], 5 + i);
        EXPECT_EQ(route["status"], statuses[i]);
    }
    EXPECT_EQ(json::parse(lines[1])["legs"][0]["kind"], "turn");
    EXPECT_EQ(run.err, "");
}

TEST(Batch, Golden) {
    const RunResult run =
        run_cli({"batch", kRoom, kQueries, "-o", "-", "--no-times", "--planner", "astar", "--no-smooth"});
    EXPECT_EQ(run.out, read_text(source_path("tests/fixtures/cli/room_golden.jsonl")));
}

TEST(Batch, SameBytesForAnyNumberOfThreads) {
    std::string csv = "id,sx,sy,sz,sh,gx,gy,gz,gh\n";
    for (int i = 0; i < 200; ++i) {
        csv += std::to_string(i) + "," + std::to_string(i % 8) + ".25," + std::to_string(i / 8 % 6) +
               ".5,,,3.5,3.5,,\n";
    }
    const std::string queries = temp_path("queries.csv");
    write_text(queries, csv);
    std::string first;
    for (const char* threads : {"1", "2", "7"}) {
        const std::string out = temp_path("routes.jsonl");
        const RunResult run = run_cli(
            {"batch", kRoom, queries, "--radius", "0.25", "--no-times", "--threads", threads, "-o", out});
        ASSERT_EQ(run.status, 0) << run.err;
        EXPECT_NE(run.out.find("200 routes"), std::string::npos);
        const std::string text = read_text(out);
        if (first.empty()) first = text;
        EXPECT_EQ(text, first) << threads;
    }
}

TEST(Batch, NumbersReadBackAndRoutesAreLegal) {
    const std::string out = temp_path("routes.jsonl");
    ASSERT_EQ(run_cli({"batch", kRoom, kQueries, "-o", out, "--radius", "0.3"}).status, 0);
    const std::string text = read_text(out);
    const Result<std::vector<formats::RouteRecord>> records = formats::load_routes(text);
    ASSERT_TRUE(records);
    EXPECT_EQ(formats::save_routes(*records), text);
    const RunResult good = run_cli({"verify", kRoom, out, "--radius", "0.3"});
    EXPECT_EQ(good.status, 0) << good.out;
    EXPECT_EQ(good.out, "4 routes, 4 legal, 0 illegal\n");
    EXPECT_EQ(run_cli({"verify", kRoom, out, "--radius", "0.9"}).status, 1);
}

TEST(VerifyCommand, FirstViolationOfEach) {
    const RunResult run = run_cli({"verify", kRoom, "tests/fixtures/cli/judged.jsonl"});
    EXPECT_EQ(run.status, 1);
    const std::vector<std::string> lines = run.out_lines();
    ASSERT_EQ(lines.size(), 3u) << run.out;
    EXPECT_NE(lines[0].find("judged.jsonl:2: route 2: wall: leg 0"), std::string::npos) << lines[0];
    EXPECT_NE(lines[1].find("judged.jsonl:3: route 3: leg_end: leg 0"), std::string::npos) << lines[1];
    EXPECT_EQ(lines[2], "4 routes, 2 legal, 2 illegal");
}

TEST(VerifyCommand, Json) {
    const RunResult run = run_cli({"verify", kRoom, "tests/fixtures/cli/judged.jsonl", "--json"});
    EXPECT_EQ(run.status, 1);
    const std::vector<std::string> lines = run.out_lines();
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(json::parse(lines[0])["legal"], true);
    const json bad = json::parse(lines[1]);
    EXPECT_EQ(bad["id"], 2);
    EXPECT_EQ(bad["kind"], "wall");
    EXPECT_EQ(bad["leg"], 0);
    EXPECT_GT(bad["depth"].get<double>(), 0.0);
    EXPECT_EQ(run.err, "4 routes, 2 legal, 2 illegal\n");
}

TEST(VerifyCommand, KnowsBlockersToo) {
    EXPECT_EQ(
        run_cli({"verify", kRoom, "tests/fixtures/cli/judged.jsonl", "--blocker", "3,0.5,0.2", "--json"})
            .status,
        1);
}

TEST(PlannersCommand, ListsAllAndAllWork) {
    const RunResult run = run_cli({"planners", "--json"});
    ASSERT_EQ(run.status, 0);
    const json list = json::parse(run.out);
    EXPECT_EQ(list.size(), 11u);
    for (const json& row : list) {
        const std::string name = row["name"];
        const RunResult route =
            run_cli({"route", kRoom, "--start", "0.5,0.5", "--goal", "3.5,3.5", "--planner", name, "--json"});
        ASSERT_EQ(route.status, 0) << name << ": " << route.err;
        const json found = json::parse(route.out);
        EXPECT_EQ(found["status"], "complete") << name;
        if (name != "auto") {
            EXPECT_EQ(found["planner"], name);
        }
        if (row["bound"] == "1") {
            EXPECT_EQ(found["bound"], 1.0) << name;
        }
        if (row["bound"] == "none") {
            EXPECT_TRUE(found["bound"].is_null()) << name;
        }
    }
    EXPECT_NE(run_cli({"planners"}).out.find("jump_point"), std::string::npos);
}

}  // namespace
}  // namespace fairlead::testing
