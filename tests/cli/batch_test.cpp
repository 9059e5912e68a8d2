// fairlead batch and verify: many routes, and the judgement on them.

#if __has_include(<sys/resource.h>)
#include <sys/resource.h>
#endif

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairlead/formats/routes.h>
#include <fairlead/mesh/query.h>
#include <fairlead/volume/query.h>

#include "cli/cli_test.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

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

// FAULT-11: where a thread could not start the program was ended by the system. A thread's stack is as large as the limit says:
// no address space holds this one.
TEST(Batch, FewerThreadsWhereNoMoreCanStart) {
#ifdef RLIMIT_STACK
    const std::string alone = temp_path("alone.jsonl");
    const std::string out = temp_path("few.jsonl");
    ASSERT_EQ(run_cli({"batch", kRoom, kQueries, "--no-times", "-o", alone}).status, 0);
    rlimit was{};
    ASSERT_EQ(getrlimit(RLIMIT_STACK, &was), 0);
    const rlimit huge{rlim_t{1} << 47, was.rlim_max};
    if (setrlimit(RLIMIT_STACK, &huge) != 0) GTEST_SKIP() << "stacks may not be that large here";
    const RunResult run = run_cli({"batch", kRoom, kQueries, "--no-times", "--threads", "8", "-o", out});
    ASSERT_EQ(setrlimit(RLIMIT_STACK, &was), 0);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.err.find("--threads: 1 of 8 run"), std::string::npos) << run.err;
    EXPECT_EQ(read_text(out), read_text(alone));
#else
    GTEST_SKIP() << "no limits on stacks here";
#endif
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

/// What a unit that turns with its heading cannot do, one route each; bodies are 1 x 0.5 round an axle.
TEST(VerifyCommand, UnitsThatTurn) {
    const std::string routes = temp_path("turning.jsonl");
    write_text(
        routes,
        R"({"id":1,"status":"complete","legs":[{"x":3,"y":3,"heading":0,"length":2}],"end":{"x":5,"y":3}}
{"id":2,"status":"complete","legs":[{"x":3,"y":3,"heading":0,"length":2.6}],"end":{"x":5.6,"y":3}}
{"id":3,"status":"complete","legs":[{"x":3,"y":3,"heading":0,"length":2}],"end":{"x":5,"y":3,"heading":1}}
{"id":4,"status":"complete","legs":[{"x":5,"y":3,"heading":0,"length":2,"gear":"reverse"}],"end":{"x":3,"y":3}}
{"id":5,"status":"complete","legs":[{"kind":"turn","x":4,"y":3,"heading":0,"length":0,"turn":0.5}],"end":{"x":4,"y":3,"heading":0.5}}
)");
    std::vector<std::string> command{"verify",           kRoom, routes, "--length", "1", "--width", "0.5",
                                     "--turning-radius", "2"};
    const RunResult run = run_cli(command);
    EXPECT_EQ(run.status, 1) << run.err;
    for (const char* part : {"route 2: wall: leg 0", "route 3: heading: leg 0", "route 4: gear: leg 0",
                             "route 5: turn: leg 0", "5 routes, 1 legal, 4 illegal"}) {
        EXPECT_NE(run.out.find(part), std::string::npos) << part << '\n' << run.out;
    }
    command.insert(command.end(), {"--reverse", "--facings", "8"});
    EXPECT_NE(run_cli(command).out.find("5 routes, 2 legal, 3 illegal"), std::string::npos);
    const RunResult capsule =
        run_cli({"verify", kRoom, routes, "--length", "1", "--radius", "0.25", "--axle-offset", "-0.5"});
    EXPECT_NE(capsule.out.find("5 routes, 4 legal, 1 illegal"), std::string::npos) << capsule.out;
}

TEST(VerifyCommand, UnitsThatDoNotExist) {
    const auto refused = [](std::vector<std::string> flags, const std::string& word) {
        std::vector<std::string> command{"verify", kRoom, "tests/fixtures/cli/judged.jsonl"};
        command.insert(command.end(), flags.begin(), flags.end());
        const RunResult run = run_cli(command);
        EXPECT_EQ(run.status, 2) << run.out;
        EXPECT_EQ(run.err_lines().size(), 1u) << run.err;
        EXPECT_NE(run.err.find(word), std::string::npos) << run.err;
    };
    refused({"--length", "0"}, "--length");
    refused({"--length", "nan"}, "--length");
    refused({"--width", "1"}, "--length");
    refused({"--length", "1", "--width", "-1"}, "--width");
    refused({"--length", "1", "--width", "1", "--radius", "1"}, "--radius");
    refused({"--length", "1", "--radius", "0.6"}, "--length");
    refused({"--length", "1", "--footprint", "1"}, "--footprint");
    refused({"--length", "1", "--axle-offset", "1.5"}, "--axle-offset");
    refused({"--length", "1"}, "--length: also needs");
    refused({"--axle-offset", "0.5"}, "--axle-offset");
    refused({"--turning-radius", "-1"}, "--turning-radius");
    refused({"--facings", "0"}, "--facings");
    refused({"--speed", "1"}, "not in this version");
}

TEST(PlannersCommand, ListsAllAndAllWork) {
    const RunResult run = run_cli({"planners", "--json"});
    ASSERT_EQ(run.status, 0);
    const json list = json::parse(run.out);
    EXPECT_EQ(list.size(), 19u + static_cast<std::size_t>(MeshPlanner::count_) +
                               static_cast<std::size_t>(VolumePlanner::count_));
    const std::string space = temp_path("space.3dmap");
    write_text(space, "voxel 4 4 4\n1 1 1\n");
    for (const json& row : list) {
        const std::string name = row["name"];
        const bool timed = name.find("timed") != std::string::npos;
        const bool turning = timed || name.find("lattice") != std::string::npos || name == "hybrid";
        const std::string world = row["world"] == "meshes"    ? "tests/fixtures/cli/rooms.mesh"
                                  : row["world"] == "volumes" ? space
                                                              : kRoom;
        std::vector<std::string> command{"route", world, "--planner", name, "--json"};
        const std::vector<std::string> more =
            name == "fly"
                ? std::vector<std::string>{"--start",          "0.5,0.5,2.5,0", "--goal",  "3.5,0.5,2.5,0",
                                           "--turning-radius", "0.5",           "--climb", "30"}
            : turning        ? std::vector<std::string>{"--start",    "2.5,3.5,,0",       "--goal",
                                                        "5.5,3.5,,0", "--turning-radius", "1"}
            : world == space ? std::vector<std::string>{"--start", "0.5,0.5,0.5", "--goal", "3.5,3.5,3.5"}
                             : std::vector<std::string>{"--start", "0.5,0.5", "--goal", "3.5,3.5"};
        command.insert(command.end(), more.begin(), more.end());
        if (timed) command.insert(command.end(), {"--speed", "2"});
        const RunResult route = run_cli(command);
        ASSERT_EQ(route.status, 0) << name << ": " << route.err;
        const json found = json::parse(route.out);
        EXPECT_EQ(found["status"], "complete") << name;
        if (name != "auto") {
            EXPECT_EQ(found["planner"], name);
        }
        if (row["bound"] == "1") {
            EXPECT_EQ(found["bound"], 1.0) << name;
        }
        if (row["bound"] == "none" && name != "hierarchy") {  // on so small a map it is the flat search
            EXPECT_TRUE(found["bound"].is_null()) << name;
        }
    }
    EXPECT_NE(run_cli({"planners"}).out.find("jump_point"), std::string::npos);
}

}  // namespace
}  // namespace fairlead::testing
