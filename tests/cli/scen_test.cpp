// fairlead scen: columns, summary row, wrong lengths, dynamic scenarios.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/cli_test.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

const std::string kHeader = "index,bucket,sx,sy,gx,gy,optimal,length,expanded,ns_total,ns_preprocess,legal";

std::vector<std::vector<std::string>> csv_rows(const RunResult& run) {
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : run.out_lines()) rows.push_back(split(line, ','));
    return rows;
}

TEST(Scen, CsvColumnsAndSummaryRow) {
    const RunResult run = run_cli({"scen", kRoom, "tests/fixtures/cli/room.scen", "--csv", "--repeat", "3"});
    EXPECT_EQ(run.status, 0) << run.out;
    ASSERT_EQ(run.out_lines().size(), 5u);
    EXPECT_EQ(run.out_lines()[0], kHeader);
    const auto rows = csv_rows(run);
    const std::vector<std::string> first{"0", "0", "0", "0", "3", "3", "14", "14"};
    EXPECT_EQ(std::vector<std::string>(rows[1].begin(), rows[1].begin() + 8), first);
    EXPECT_EQ(rows[2][6], "2.82842712");
    EXPECT_EQ(rows[2][7], "2.8284271247461903");
    EXPECT_GT(std::stoull(rows[1][10]), 0u);  // making the grid is charged to the first query
    EXPECT_EQ(rows[2][10], "0");
    for (std::size_t i = 1; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), 12u);
        EXPECT_EQ(rows[i][11], "1");
    }
    ASSERT_EQ(run.err_lines().size(), 1u);
    const std::vector<std::string> sum = split(run.err_lines()[0], ',');
    ASSERT_GE(sum.size(), 8u);
    EXPECT_EQ(std::vector<std::string>(sum.begin(), sum.begin() + 4),
              (std::vector<std::string>{"auto", "4", "0", "0"}));
    for (std::size_t i = 4; i < 8; ++i) EXPECT_GT(std::stod(sum[i]), 0.0) << i;
}

TEST(Scen, EveryOptimalPlannerAgrees) {
    for (const char* planner :
         {"auto", "jump_point", "bucket_astar", "astar", "dijkstra", "bidirectional", "fixed_window"}) {
        const RunResult run = run_cli({"scen", kRoom, "tests/fixtures/cli/room.scen", "--planner", planner});
        EXPECT_EQ(run.status, 0) << planner << "\n" << run.out << run.err;
        EXPECT_NE(run.out.find("wrong lengths    0"), std::string::npos) << planner;
    }
}

TEST(Scen, AWrongLengthIsStatusOne) {
    const RunResult run = run_cli({"scen", kRoom, "tests/fixtures/cli/wrong.scen"});
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.out.find("wrong.scen:2: query 0: length 14, published 13.5"), std::string::npos) << run.out;
    const RunResult csv = run_cli({"scen", kRoom, "tests/fixtures/cli/wrong.scen", "--csv"});
    EXPECT_EQ(csv.status, 1);
    EXPECT_EQ(split(csv.err, ',')[2], "1");
}

// FAULT-12.
TEST(Scen, AZeroIsNoWay) {
    const RunResult run =
        run_cli({"scen", "tests/fixtures/cli/sealed.map", "tests/fixtures/cli/no_way.scen"});
    EXPECT_EQ(run.status, 0) << run.out;
    EXPECT_NE(run.out.find("wrong lengths    0"), std::string::npos) << run.out;
}

TEST(Scen, PatchesBetweenQueries) {
    for (const char* map : {"-", "tests/fixtures/cli/room.patch", "tests/fixtures/cli/room.map"}) {
        const RunResult run =
            run_cli({"scen", map, "tests/fixtures/cli/dynamic.scen", "--csv", "--repeat", "2"});
        ASSERT_EQ(run.status, 0) << run.out << run.err;
        const auto rows = csv_rows(run);
        ASSERT_EQ(rows.size(), 5u);
        EXPECT_EQ(rows[2][7], "14");
        EXPECT_EQ(rows[3][7], "-1");
        EXPECT_GT(std::stoull(rows[2][10]), 0u);
        EXPECT_EQ(rows[4][10], "0");
    }
}

TEST(Scen, JsonSummary) {
    const RunResult run = run_cli({"scen", kRoom, "tests/fixtures/cli/room.scen", "--json"});
    EXPECT_EQ(run.status, 0);
    const nlohmann::json sum = nlohmann::json::parse(run.out);
    EXPECT_EQ(sum["queries"], 4);
    EXPECT_EQ(sum["wrong_lengths"], 0);
}

TEST(Scen, PublishedMap) {
    FAIRLEAD_REQUIRE_DATA(map, "maps/dao/arena.map");
    FAIRLEAD_REQUIRE_DATA(scen, "maps/dao/arena.map.scen");
    EXPECT_EQ(run_cli({"scen", map, scen}).status, 0);
}

TEST(Demo, OnePicture) {
    const std::string folder = temp_path("gallery");
    const RunResult run = run_cli({"demo", "-o", folder, "--only", "corner", "--scale", "1"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_NE(read_text(folder + "/index.html").find("<svg"), std::string::npos + 1);
    EXPECT_EQ(run_cli({"demo", "-o", folder, "--only", "no such picture"}).status, 2);
}

}  // namespace
}  // namespace fairlead::testing
