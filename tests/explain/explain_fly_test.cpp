// Why a unit with a turning circle has no route through a volume: named scenes; each help that is found is a route that verify accepts.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <fairlead/explain/explain.h>
#include <fairlead/fly/find_fly.h>
#include <fairlead/verify/verify_volume.h>

#include "support/environment.h"
#include "support/volumes.h"

namespace fairlead::testing {
namespace {

Explanation why_not_fly(const Volume& space, const FlyQuery& query, const ExplainOptions& options = {}) {
    Scratch scratch;
    Result<Explanation> why = explain(space, query, scratch, options);
    FAIRLEAD_ASSERT(why.has_value());
    EXPECT_EQ(why->world, ExplainWorld::volume);
    for (const Help& help : why->helps) {
        if (help.proof != Proof::found) continue;
        EXPECT_EQ(help.route.status, PathStatus::complete);
        const Violation bad = verify(help.route, space, help.agent);
        EXPECT_FALSE(bad) << bad.text().c_str();
    }
    return std::move(*why);
}

Volume halls(VoxelBox door) {
    Volume space = Volume::make({.size = {40, 20, 20}}).value();
    const VolumeEdit edits[] = {VolumeEdit::fill({{20, 0, 0}, {22, 20, 20}}), VolumeEdit::clear(door)};
    EXPECT_TRUE(space.apply(edits));
    return space;
}

const VoxelBox kDoor{{20, 9, 8}, {22, 12, 11}};

TEST(ExplainFly, NoneAndOffTheWorld) {
    const Volume space = halls(kDoor);
    FlyQuery query{.start = Spot(Position3(4, 10, 10), 0.0),
                   .goal = Spot(Position3(36, 10, 10), 0.0),
                   .agent = {.radius = 0.5, .turning_radius = 2.0}};
    EXPECT_EQ(why_not_fly(space, query).reason, ExplainReason::none);
    query.goal = Spot(Position3(60, 10, 10), 0.0);
    const Explanation why = why_not_fly(space, query);
    EXPECT_EQ(why.reason, ExplainReason::off_world);
    EXPECT_EQ(why.place.position.x, 60.0);
}

TEST(ExplainFly, WhatFitsWithinItIsAskedFirst) {
    FlyQuery query{.start = Spot(Position3(4, 10, 10), 0.0),
                   .goal = Spot(Position3(36, 10, 10), 0.0),
                   .agent = {.radius = 1.9, .turning_radius = 2.0}};
    // Through a door of 3 x 3 goes half of that.
    Explanation why = why_not_fly(halls(kDoor), query);
    EXPECT_EQ(why.reason, ExplainReason::too_wide);
    const Help& smaller = why.help(HelpKind::smaller_body);
    ASSERT_EQ(smaller.proof, Proof::found);
    EXPECT_LE(smaller.value, 1.5);
    EXPECT_GT(smaller.value, 1.2);
    ASSERT_TRUE(why.has_place);
    EXPECT_NEAR(why.place.position.x, 21.0, 1.5);
    EXPECT_NE(std::string(why.text().c_str()).find("radius <= 1."), std::string::npos) << why.text().c_str();
    // Without a door.
    why = why_not_fly(halls({}), query);
    EXPECT_EQ(why.reason, ExplainReason::sealed);
    EXPECT_GT(why.area, 1000);
    EXPECT_EQ(why.help(HelpKind::smaller_body).proof, Proof::none);
}

// Nose to a wall, nearer than it can turn.
TEST(ExplainFly, CannotTurnInto) {
    const Volume space = halls(kDoor);
    FlyQuery query{.start = Spot(Position3(3, 10, 10), kPi),
                   .goal = Spot(Position3(16, 10, 10), 0.0),
                   .agent = {.radius = 0.5, .turning_radius = 5.0},
                   .expansions_max = 1500};
    const Explanation why = why_not_fly(space, query);
    EXPECT_EQ(why.reason, ExplainReason::turning);
    const Help& turned = why.help(HelpKind::start_heading);
    ASSERT_EQ(turned.proof, Proof::found);
    EXPECT_GT(std::fabs(std::fabs(turned.value) - kPi), 0.7);
    EXPECT_EQ(why.help(HelpKind::goal_heading).proof, Proof::none);
    const Help& circle = why.help(HelpKind::smaller_circle);
    ASSERT_EQ(circle.proof, Proof::found);
    EXPECT_LE(circle.value, 2.51);
    EXPECT_GT(circle.value, 1.5);
    EXPECT_NE(std::string(why.text().c_str()).find("turn"), std::string::npos);
}

TEST(ExplainFly, BlockedEndsOfABox) {
    const Volume space = halls({{20, 9, 8}, {22, 12, 11}});
    FlyQuery query{.start = Spot(Position3(21, 10.5, 9.5), kHalfPi),
                   .goal = Spot(Position3(36, 10, 10), 0.0)};
    query.agent = {
        .shape = BodyShape::box, .length = 6.0, .width = 2.0, .turning_radius = 3.0, .height = 2.0};
    query.expansions_max = 1500;
    const Explanation why = why_not_fly(space, query);
    EXPECT_EQ(why.reason, ExplainReason::start_blocked);
    const Help& turned = why.help(HelpKind::start_heading);
    ASSERT_EQ(turned.proof, Proof::found);
    EXPECT_NEAR(turned.value, 0.0, 1e-9);
    // However small it is, it faces the door's side nearer than it can turn.
    EXPECT_EQ(why.help(HelpKind::smaller_body).proof, Proof::none);
    // In the door as it lies it is too wide by a third.
    query.start = Spot(Position3(21, 10.5, 9.5), 0.0);
    query.agent.width = 4.0;
    const Explanation wide = why_not_fly(space, query);
    EXPECT_EQ(wide.reason, ExplainReason::start_blocked);
    const Help& smaller = wide.help(HelpKind::smaller_body);
    ASSERT_EQ(smaller.proof, Proof::found);
    EXPECT_NEAR(smaller.value, 0.75, 0.06);
    EXPECT_LE(smaller.value, 0.75 + 1e-9);
    EXPECT_NE(std::string(wide.text().c_str()).find("of its size"), std::string::npos) << wide.text().c_str();
}

TEST(ExplainFly, BlockersThatAreInTheWay) {
    const Volume space = halls(kDoor);
    const VolumeBlocker closed[] = {VolumeBlocker::box({20, 8, 7}, {22, 13, 12})};
    FlyQuery query{.start = Spot(Position3(4, 10, 10), 0.0),
                   .goal = Spot(Position3(36, 10, 10), 0.0),
                   .agent = {.radius = 0.5, .turning_radius = 2.0},
                   .expansions_max = 800};
    query.blockers = closed;
    const Explanation why = why_not_fly(space, query, {.trials_max = 6});
    EXPECT_EQ(why.reason, ExplainReason::turning);
    EXPECT_EQ(why.help(HelpKind::no_blockers).proof, Proof::found);
    EXPECT_NE(std::string(why.text().c_str()).find("no blockers"), std::string::npos) << why.text().c_str();
}

TEST(ExplainFly, BudgetsAndErrors) {
    const Volume space = halls({});
    Scratch scratch;
    FlyQuery query{.start = Spot(Position3(4, 10, 10), 0.0),
                   .goal = Spot(Position3(36, 10, 10), 0.0),
                   .agent = {.radius = 0.5, .turning_radius = 2.0}};
    EXPECT_EQ(explain(space, query, scratch, {.accuracy = NAN}).error().field, Field::accuracy);
    query.agent.height = 0.2;
    EXPECT_EQ(explain(space, query, scratch).error().field, Field::agent_height);
    query.agent.height = 0.0;
    query.start = Spot(Position3(3, 10, 10), kPi);
    query.goal = Spot(Position3(16, 10, 10), 0.0);
    query.agent.turning_radius = 5.0;
    EXPECT_EQ(why_not_fly(space, query, {.expansions = 10}).reason, ExplainReason::budget_spent);
}

}  // namespace
}  // namespace fairlead::testing
