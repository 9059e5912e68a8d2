// Would turning on the spot help? And blockers of turning units.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include <fairlead/explain/explain.h>
#include <fairlead/verify/verify.h>

#include "explain/why_not.h"

namespace fairlead {
namespace {

using testing::why_not;
Proof proof(const Explanation& why, HelpKind kind) { return why.help(kind).proof; }

// A street three tiles wide, closed at both ends.
Grid street() {
    Result<Grid> grid = Grid::make({.width = 30, .height = 9});
    FAIRLEAD_ASSERT(grid.has_value());
    (void)grid->fill({{0, 0}, {30, 9}}, 0);
    (void)grid->fill({{1, 3}, {29, 6}}, 1);
    return std::move(*grid);
}

// Nose to the wall at its end; to leave the way that it came, nose ahead.
DriveQuery out_of(const Agent& agent) {
    return {.start = {{26.0, 4.5}, 0.0}, .goal = {{5.0, 4.5}, kPi}, .agent = agent};
}

// A twentieth of a tile to each side is no room to turn round in by going to and fro.
TEST(ExplainPivot, OnlyTurningOnTheSpot) {
    const Grid grid = street();
    const Explanation why = why_not(grid, out_of({.radius = 1.45, .turning_radius = 4, .can_reverse = true}));
    ASSERT_EQ(why.reason, ExplainReason::turning);
    ASSERT_EQ(proof(why, HelpKind::pivot), Proof::found);
    const Help& help = why.help(HelpKind::pivot);
    EXPECT_TRUE(help.agent.can_pivot);
    EXPECT_EQ(help.agent.turning_radius, 4.0);
    double turned = 0.0;
    for (const Leg& leg : help.route.legs) turned += std::abs(leg.turn_rad);
    EXPECT_NEAR(turned, kPi, 1e-6);
    EXPECT_EQ(proof(why, HelpKind::reverse_gear), Proof::not_asked);
    EXPECT_NE(std::strstr(why.text().c_str(), "turns on the spot"), nullptr) << why.text().c_str();
    EXPECT_STREQ(help_name(HelpKind::pivot), "pivot");
}

// Without a reverse gear that alone is no help.
TEST(ExplainPivot, BesideTheReverseGear) {
    const Grid grid = street();
    const Explanation why = why_not(grid, out_of({.radius = 1.2, .turning_radius = 4}));
    ASSERT_EQ(why.reason, ExplainReason::turning);
    EXPECT_EQ(proof(why, HelpKind::pivot), Proof::found);
    EXPECT_EQ(proof(why, HelpKind::reverse_gear), Proof::none);
}

// Four long in a street three wide: it fits, but its corners do not come round.
TEST(ExplainPivot, ABodyTooLongToTurn) {
    const Grid grid = street();
    const Agent bus{
        .shape = BodyShape::box, .length = 4, .width = 2, .turning_radius = 4, .can_reverse = true};
    const Explanation why = why_not(grid, out_of(bus));
    ASSERT_EQ(why.reason, ExplainReason::turning);
    EXPECT_EQ(proof(why, HelpKind::pivot), Proof::none);
    EXPECT_EQ(std::strstr(why.text().c_str(), "turns on the spot"), nullptr) << why.text().c_str();
    ASSERT_EQ(proof(why, HelpKind::goal_heading), Proof::found);
}

TEST(ExplainPivot, UnitsThatTurnOnTheSpot) {
    const Grid grid = street();
    Agent agent{.radius = 1.2, .turning_radius = 4, .can_pivot = true};
    EXPECT_EQ(why_not(grid, out_of(agent)).reason, ExplainReason::none);
    // Too long to turn: what it can do already is not told as a help; a smaller body comes round.
    const Agent bus{.shape = BodyShape::box, .length = 4, .width = 2, .turning_radius = 4, .can_pivot = true};
    const Explanation why = why_not(grid, out_of(bus));
    ASSERT_EQ(why.reason, ExplainReason::turning);
    EXPECT_EQ(proof(why, HelpKind::pivot), Proof::not_asked);
    ASSERT_EQ(proof(why, HelpKind::smaller_body), Proof::found);
    const Help& smaller = why.help(HelpKind::smaller_body);
    EXPECT_TRUE(smaller.agent.can_pivot);
    // It turns within its half diagonal, sqrt(5) as it is, and has 1.5 to each side; tiles may cost it a little.
    EXPECT_LE(smaller.value, 1.5 / std::sqrt(5.0) * 1.001);
    EXPECT_GE(smaller.value, 0.55);
}

TEST(ExplainPivot, KeepsToTheTrials) {
    const Grid grid = street();
    const DriveQuery query = out_of({.radius = 1.2, .turning_radius = 4});
    const Explanation one = why_not(grid, query, {.trials_max = 1});
    EXPECT_EQ(proof(one, HelpKind::reverse_gear), Proof::none);
    EXPECT_EQ(proof(one, HelpKind::pivot), Proof::not_looked);
    EXPECT_EQ(one.trials, 1);
    EXPECT_EQ(proof(why_not(grid, query, {.trials_max = 2}), HelpKind::pivot), Proof::found);
}

TEST(ExplainDriveBlockers, TheOneThatIsInTheWay) {
    const Grid grid = street();
    const Blocker blockers[] = {{.centre = {3.0, 1.0}, .radius = 0.5},
                                {.centre = {15.5, 4.5}, .radius = 0.6}};
    const GridDriveSetup setup{.map = {.blockers = blockers}};
    const DriveQuery query{
        .start = {{5, 4.5}, 0}, .goal = {{25, 4.5}, 0}, .agent = {.radius = 1, .turning_radius = 2}};
    EXPECT_EQ(why_not(grid, query).reason, ExplainReason::none);
    const Explanation why = why_not(grid, query, {}, setup);
    EXPECT_EQ(why.reason, ExplainReason::sealed);  // its tiles fill the street
    ASSERT_EQ(proof(why, HelpKind::no_blockers), Proof::found);
    EXPECT_EQ(why.help(HelpKind::no_blockers).value, 1.0);
    EXPECT_NE(std::strstr(why.text().c_str(), "blocker 1 gone"), nullptr) << why.text().c_str();
}

TEST(ExplainDriveBlockers, OneTileLeavesTooLittleRoom) {
    const Grid grid = street();
    const Blocker blocker{.centre = {15.5, 3.5}, .radius = 0.4};
    const GridDriveSetup setup{.map = {.blockers = {&blocker, 1}}};
    const DriveQuery query{
        .start = {{5, 4.5}, 0}, .goal = {{25, 4.5}, 0}, .agent = {.radius = 1.2, .turning_radius = 2}};
    const Explanation why = why_not(grid, query, {}, setup);
    EXPECT_EQ(why.reason, ExplainReason::too_wide);
    EXPECT_NEAR(why.width, 2.0, 1e-9);
    EXPECT_EQ(proof(why, HelpKind::no_blockers), Proof::found);
    EXPECT_NEAR(why.help(HelpKind::smaller_body).value, 1.0, 1e-9);
}

// Blockers of the query are exact: beside one there is more room than beside the tiles that it closes.
TEST(ExplainDriveBlockers, OfTheQuery) {
    const Grid grid = street();
    const Blocker blockers[] = {{.centre = {3.0, 1.0}, .radius = 0.5},
                                {.centre = {15.5, 4.5}, .radius = 0.6}};
    DriveQuery query{.start = {{5, 4.5}, 0},
                     .goal = {{25, 4.5}, 0},
                     .agent = {.radius = 1, .turning_radius = 2},
                     .blockers = blockers};
    const Explanation why = why_not(grid, query);
    EXPECT_EQ(why.reason, ExplainReason::too_wide);
    EXPECT_NEAR(why.width, 0.8, 1e-6);  // where it is looked: at half tiles; there is 0.9
    ASSERT_EQ(proof(why, HelpKind::no_blockers), Proof::found);
    EXPECT_EQ(why.help(HelpKind::no_blockers).value, 1.0);
    EXPECT_EQ(proof(why, HelpKind::smaller_body), Proof::found);
    EXPECT_NEAR(why.help(HelpKind::smaller_body).value, 0.43, 0.021);
    // It stands in the way of the start itself.
    query.start.position = {14.2, 4.5, 0.0};
    const Explanation beside = why_not(grid, query);
    EXPECT_EQ(beside.reason, ExplainReason::start_blocked);
    EXPECT_NEAR(beside.width, 2.0 * 0.7, 1e-6);
    ASSERT_EQ(proof(beside, HelpKind::move_start),
              Proof::none);  // on either side of the one there is no way past it
    EXPECT_NEAR(beside.help(HelpKind::move_start).place.position.x, 13.5, 1e-9);
}

}  // namespace
}  // namespace fairlead
