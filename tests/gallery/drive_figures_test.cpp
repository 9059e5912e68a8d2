// What the figures of turning units claim: greedy smoothing against the searches (technique B1), lattices that have no way.

#include <gtest/gtest.h>

#include "gallery/drive_plan.h"
#include "gallery/greedy_curves.h"

namespace fairlead::gallery {
namespace {

void expect_searches_are_better(const GreedyCurves& curves) {
    const Route& along = curves.along.route;
    const Route& search = curves.search.route;
    ASSERT_EQ(along.status, PathStatus::complete);
    ASSERT_EQ(search.status, PathStatus::complete);
    EXPECT_FALSE(curves.along_violation) << curves.along_violation.text().c_str();
    EXPECT_FALSE(curves.search.violation) << curves.search.violation.text().c_str();
    EXPECT_LT(along.length, curves.greedy.route.length);
    EXPECT_LE(search.length, along.length + 1e-9);
    // The greedy one arrives as well: in any heading, which is the easier task.
    const Vec2 end = ground(curves.greedy.route.end.position);
    EXPECT_NEAR(distance(end, curves.search.query.goal.at.ground()), 0.0, 1e-9);
}

// Figure 17: legal, but it passes the place to turn off.
TEST(GreedySmoothing, HoldsOnToItsAnchorTooLong) {
    const World world = load_world("scenes", "article_17_anchor");
    const GreedyCurves curves = make_greedy_curves(world, world.query("drive"));
    expect_searches_are_better(curves);
    EXPECT_TRUE(curves.greedy.legal);
    EXPECT_FALSE(curves.greedy_violation) << curves.greedy_violation.text().c_str();
}

// Figure 18: the heading in which it arrives leaves no free curve to the next tile, so it drives through the wall.
TEST(GreedySmoothing, CheatsWhereItsHeadingLeavesNoTurn) {
    const World world = load_world("scenes", "article_18_heading");
    const GreedyCurves curves = make_greedy_curves(world, world.query("drive"));
    expect_searches_are_better(curves);
    EXPECT_FALSE(curves.greedy.legal);
    EXPECT_TRUE(static_cast<bool>(curves.greedy_violation));
    EXPECT_FALSE(curves.clipped.empty());
}

// A scene that names one of the article's lattices is answered by that lattice alone: nothing else may stand in for it.
TEST(DrivePlan, RingsAreTheLatticeAlone) {
    const World world = load_world("scenes", "article_12_rings");
    const DrivePlan one = make_drive_plan(world, "Directional-8");
    EXPECT_EQ(one.route.status, PathStatus::unreachable);
    EXPECT_TRUE(one.route.legs.empty());
    const DrivePlan two = make_drive_plan(world, "Directional-24");
    EXPECT_EQ(two.route.status, PathStatus::complete);
    EXPECT_STREQ(two.route.planner, "lattice");
    EXPECT_FALSE(two.violation);
}

}  // namespace
}  // namespace fairlead::gallery
