#include <fairlead/formats/scenario.h>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace fairlead::formats {
namespace {

TEST(Scenario, Version1) {
    const Result<Scenario> scenario = load_scenario(
        "version 1\n"
        "3\tmaps/dao/a.map\t30\t20\t1\t2\t29\t19\t34.6274\n"
        "4\tmaps/dao/a.map\t30\t20\t1\t2\t5\t2\t4\n"
        "4\tother.map\t8\t9\t7\t8\t0\t0\t-1\n");
    ASSERT_TRUE(scenario.has_value());
    EXPECT_EQ(scenario->version, 1);
    ASSERT_EQ(scenario->queries.size(), 3U);
    const ScenarioQuery& first = scenario->queries[0];
    EXPECT_EQ(first.bucket, 3);
    EXPECT_EQ(first.start, (Cell{1, 2}));
    EXPECT_EQ(first.goal, (Cell{29, 19}));
    EXPECT_EQ(first.optimal, 34.6274);
    EXPECT_EQ(first.decimals, 4);
    EXPECT_EQ(first.line, 2);
    EXPECT_EQ(scenario->queries[1].decimals, 0);
    EXPECT_EQ(scenario->queries[2].optimal, kNoRoute);
    EXPECT_EQ(scenario->maps, (std::vector<ScenarioMap>{{"maps/dao/a.map", 30, 20}, {"other.map", 8, 9}}));
    EXPECT_EQ(scenario->queries[2].map, 1U);
    EXPECT_EQ(scenario->width, 30);
    EXPECT_EQ(scenario->height, 20);
    EXPECT_EQ(scenario->significant, 6);
}

TEST(Scenario, SavesWhatItLoaded) {
    const std::string text =
        "version 1\n0\ta "
        "b.map\t3\t4\t0\t0\t2\t3\t4.41421\n1\tc.map\t5\t6\t0\t0\t0\t0\t0\n1\tc.map\t5\t6\t0\t0\t0\t0\t-1\n";
    EXPECT_EQ(save_scenario(*load_scenario(text)), text);
}

// %g drops zeros at the end, so the number of digits of one row says little: the file's longest number says
// it.
TEST(Scenario, PrintedWithSignificantDigits) {
    const Scenario scenario = *load_scenario(
        "version 1\n"
        "0\ta\t9\t9\t0\t0\t1\t1\t635.764\n"
        "0\ta\t9\t9\t0\t0\t1\t1\t4787\n"
        "0\ta\t9\t9\t0\t0\t1\t1\t2.4\n"
        "0\ta\t9\t9\t1\t1\t1\t1\t0\n");
    EXPECT_EQ(scenario.significant, 6);
    const auto agrees = [&](std::size_t i, double length) {
        return length_agrees(scenario, scenario.queries[i], length);
    };
    // 500 straight and 96 diagonal steps: the author summed in single precision and printed one unit less.
    EXPECT_TRUE(agrees(0, 500 + 96 * std::sqrt(2.0)));
    EXPECT_FALSE(agrees(0, 635.765));
    EXPECT_FALSE(agrees(0, 635.763));
    EXPECT_TRUE(agrees(1, 4787.0049));
    EXPECT_FALSE(agrees(1, 4787.01));
    EXPECT_FALSE(agrees(1, 4788.0));
    EXPECT_TRUE(agrees(2, 2.400004));
    EXPECT_FALSE(agrees(2, 2.41421356));
    EXPECT_TRUE(agrees(3, 0.0));
    EXPECT_FALSE(agrees(3, 1.0));
    EXPECT_FALSE(agrees(3, kNoRoute));
}

// FAULT-12: the published files of lak511d, lak512d, lak514d and orz500d have 0 where there is no way.
TEST(Scenario, ALengthOfZeroBetweenTwoCellsIsNoWay) {
    const Scenario scenario = *load_scenario(
        "version 1\n"
        "0\ta\t9\t9\t0\t0\t1\t1\t0\n"
        "0\ta\t9\t9\t0\t0\t1\t0\t0.00\n"
        "0\ta\t9\t9\t1\t0\t1\t0\t0\n");
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_TRUE(says_no_route(scenario.queries[i])) << i;
        EXPECT_TRUE(length_agrees(scenario, scenario.queries[i], kNoRoute)) << i;
        EXPECT_FALSE(length_agrees(scenario, scenario.queries[i], 0.0)) << i;
        EXPECT_FALSE(length_agrees(scenario, scenario.queries[i], 1.0)) << i;
    }
    EXPECT_FALSE(says_no_route(scenario.queries[2]));
    EXPECT_TRUE(length_agrees(scenario, scenario.queries[2], 0.0));
    EXPECT_FALSE(length_agrees(scenario, scenario.queries[2], kNoRoute));
}

TEST(Scenario, PrintedWithFixedDecimals) {
    const Scenario two =
        *load_scenario("version 1.0\n0 a 9 9 0 0 1 1 2.83\n0 a 9 9 0 0 1 1 474.60\n0 a 9 9 0 0 1 1 -1\n");
    EXPECT_EQ(two.significant, 0);
    EXPECT_TRUE(length_agrees(two, two.queries[0], 2 * std::sqrt(2.0)));
    EXPECT_FALSE(length_agrees(two, two.queries[0], 2.84));
    EXPECT_TRUE(length_agrees(two, two.queries[1], 474.604));
    EXPECT_FALSE(length_agrees(two, two.queries[1], 474.606));
    EXPECT_TRUE(length_agrees(two, two.queries[2], kNoRoute));
    EXPECT_FALSE(length_agrees(two, two.queries[2], 3.0));
    const Scenario eight = *load_scenario("version 1\n0 a 9 9 0 0 1 1 369.44574280\n");
    EXPECT_LT(printed_tolerance(eight, eight.queries[0]), 3e-5);
}

const std::string kDynamic =
    "version 2\nheight 4\nwidth 5\ncost 1 octile\npatch p.patch\ncommands\n"
    "Q 0 0 0 4 3 5.2426406871193\nP 1 1 2 0\nP 1 0 0 1\nQ 1 0 0 4 3 -1\nP 2 1 3 3\n";

TEST(Scenario, Version2) {
    const Result<Scenario> scenario = load_scenario(kDynamic);
    ASSERT_TRUE(scenario.has_value());
    EXPECT_EQ(scenario->version, 2);
    EXPECT_EQ(scenario->width, 5);
    EXPECT_EQ(scenario->height, 4);
    EXPECT_EQ(scenario->patch_file, "p.patch");
    ASSERT_EQ(scenario->queries.size(), 2U);
    EXPECT_EQ(scenario->queries[0].patches_before, 0U);
    EXPECT_EQ(scenario->queries[1].patches_before, 2U);
    EXPECT_EQ(scenario->queries[1].optimal, kNoRoute);
    EXPECT_TRUE(length_agrees(*scenario, scenario->queries[0], 1 + 3 * std::sqrt(2.0)));
    ASSERT_EQ(scenario->placements.size(), 3U);
    EXPECT_EQ(scenario->placements[0], (PatchPlacement{1, 1, 2, 0, 8}));
    EXPECT_EQ(scenario->placements[2], (PatchPlacement{2, 1, 3, 3, 11}));
    EXPECT_EQ(save_scenario(*scenario), "");
}

TEST(Scenario, Patches) {
    const Result<PatchFile> file = load_patches(
        "type patch\npatches 2\npatch 0\nheight 1\nwidth 2\nmap\n@.\npatch 1\nheight 1\nwidth 2\nmap\n@@\n");
    ASSERT_TRUE(file.has_value());
    ASSERT_EQ(file->patches.size(), 2U);
    EXPECT_EQ(file->patches[1].letters, "@@");
    EXPECT_EQ(file->patches[1].first_row_line, 12);
    const CellRect rect =
        placement_rect({.bucket = 0, .patch = 1, .x = 3, .y = 2, .line = 9}, file->patches[1]);
    EXPECT_EQ(rect, (CellRect{{3, 2}, {5, 3}, 0}));
}

TEST(Scenario, PlacementsMustFit) {
    const Scenario scenario = *load_scenario(kDynamic);
    const auto patches = [](const std::string& size) {
        return *load_patches("type patch\npatches 2\npatch 0\nheight 1\nwidth 1\nmap\n@\npatch 1\n" + size);
    };
    EXPECT_TRUE(check_placements(scenario, patches("height 1\nwidth 2\nmap\n@@\n")).has_value());
    EXPECT_EQ(check_placements(scenario, patches("height 1\nwidth 3\nmap\n@@@\n")).error(),
              (Error{ErrorCode::text_value, 11, 1}));
    EXPECT_EQ(check_placements(scenario, patches("height 2\nwidth 1\nmap\n@\n@\n")).error(),
              (Error{ErrorCode::text_value, 11, 1}));
    const PatchFile one = *load_patches("type patch\npatches 1\npatch 0\nheight 1\nwidth 1\nmap\n@\n");
    EXPECT_EQ(check_placements(scenario, one).error(), (Error{ErrorCode::text_reference, 8, 1}));
}

}  // namespace
}  // namespace fairlead::formats
