#include <fairlead/formats/names.h>

#include <gtest/gtest.h>

namespace fairlead::formats {
namespace {

TEST(Names, ReadBack) {
    for (int i = 0; i < static_cast<int>(PathStatus::count_); ++i) {
        const auto status = static_cast<PathStatus>(i);
        EXPECT_EQ(status_from_name(status_name(status)), status);
    }
    for (const LegKind kind : {LegKind::drive, LegKind::turn, LegKind::link}) {
        EXPECT_EQ(leg_kind_from_name(leg_kind_name(kind)), kind);
    }
    for (const Gear gear : {Gear::forward, Gear::reverse}) EXPECT_EQ(gear_from_name(gear_name(gear)), gear);
    for (int i = 0; i < static_cast<int>(GridPlanner::count_); ++i) {
        const auto planner = static_cast<GridPlanner>(i);
        EXPECT_EQ(planner_from_name(planner_name(planner)), planner) << planner_name(planner);
    }
    EXPECT_EQ(planner_from_name("auto"), GridPlanner::automatic);
    EXPECT_EQ(planner_from_name("automatic"), GridPlanner::automatic);
    EXPECT_EQ(mesh_planner_from_name("auto"), MeshPlanner::any_angle);
    EXPECT_EQ(mesh_planner_from_name("any_angle"), MeshPlanner::any_angle);
    EXPECT_FALSE(mesh_planner_from_name("astar").has_value());
    EXPECT_EQ(volume_planner_from_name("auto"), VolumePlanner::any_angle);
    for (int i = 0; i < static_cast<int>(VolumePlanner::count_); ++i) {
        const auto planner = static_cast<VolumePlanner>(i);
        EXPECT_EQ(volume_planner_from_name(planner_name(planner)), planner) << planner_name(planner);
    }
    EXPECT_FALSE(volume_planner_from_name("jump_point").has_value());
    EXPECT_EQ(heuristic_from_name("zero"), GridHeuristic::zero);
    EXPECT_EQ(smoothing_from_name("best"), Smoothing::best);
    EXPECT_EQ(corner_from_name("one_free"), CornerRule::one_free);
}

TEST(Names, UnknownWordsAreNothing) {
    EXPECT_FALSE(status_from_name("unknown").has_value());
    EXPECT_FALSE(status_from_name("").has_value());
    EXPECT_FALSE(leg_kind_from_name("Drive").has_value());
    EXPECT_FALSE(planner_from_name("jump_point ").has_value());
    EXPECT_FALSE(corner_from_name("").has_value());
}

}  // namespace
}  // namespace fairlead::formats
