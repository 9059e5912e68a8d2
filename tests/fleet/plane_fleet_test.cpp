// Units with a turning circle in a volume's fleet: they fly exactly along routes of FlySearch, stop for what is in the way and go around
// it; what is refused is named.
#include <gtest/gtest.h>

#include "fleet/hall_judge.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

constexpr double kPlaneFrame = 1.0 / 30.0;
constexpr FrameBudget kPlaneWork{.units = 5000};

FleetUnit plane(double turning_radius = 2.0) {
    FleetUnit unit;
    unit.agent.radius = 0.4;
    unit.agent.turning_radius = turning_radius;
    unit.limits = {.speed_max = 3.0, .accel_max = 3.0, .brake_max = 4.0};
    unit.climb = {0.4, 0.5};
    return unit;
}

Place pose(Vec3 position, double heading) {
    Place place;
    place.position = position;
    place.heading_rad = heading;
    return place;
}

Volume hall() { return *Volume::make({.size = {40, 24, 14}}); }

/// Until it has arrived; the frames.
int fly(Fleet& fleet, HallJudge& judge, int most) {
    const auto arrived = [&] {
        return std::all_of(judge.units().begin(), judge.units().end(),
                           [](const JudgedUnit& unit) { return unit.before.state == FleetState::arrived; });
    };
    int frame = 0;
    while (frame < most && !arrived()) {
        EXPECT_TRUE(fleet.update(kPlaneFrame, kPlaneWork));
        judge.look(fleet, kPlaneFrame);
        ++frame;
    }
    for (const std::string& fault : judge.faults()) ADD_FAILURE() << fault;
    EXPECT_TRUE(arrived());
    return frame;
}

TEST(PlaneFleet, FliesToItsPose) {
    const Volume volume = hall();
    const VolumeFleet port(volume);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(plane());
    const FleetId id = *fleet.add(kind, pose({4, 12, 3}, 0.0), true);
    HallJudge judge(volume);
    judge.add(id, plane(), {34, 6, 11}, fleet);
    ASSERT_TRUE(fleet.send(id, Spot(Position3(34, 6, 11), kHalfPi)));
    EXPECT_LT(fly(fleet, judge, 30 * 60), 30 * 30);
    EXPECT_NEAR(fleet.unit(id).place.heading_rad, kHalfPi, 1e-9);
    EXPECT_NEAR(distance(fleet.unit(id).place.position, Vec3{34, 6, 11}), 0.0, 1e-9);
    EXPECT_STREQ(fleet.route(id)->planner, "fly");
}

TEST(PlaneFleet, TakesAnyHeadingWhereNoneIsSaid) {
    const Volume volume = hall();
    const VolumeFleet port(volume);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(plane());
    HallJudge judge(volume);
    const FleetId free = *fleet.add(kind, pose({4, 12, 3}, 0.0));
    judge.add(free, plane(), {34, 20, 9}, fleet, false);
    ASSERT_TRUE(fleet.send(free, Vec3{34, 20, 9}));
    // against the far wall the straight line's heading does not do
    const FleetId cornered = *fleet.add(kind, pose({20, 4, 7}, kPi), true);
    judge.add(cornered, plane(), {39.5, 12, 7}, fleet);
    ASSERT_TRUE(fleet.send(cornered, Vec3{39.5, 12, 7}));
    fly(fleet, judge, 30 * 60);
}

TEST(PlaneFleet, TwoHeadOnPassEachOther) {
    const Volume volume = hall();
    for (const double aside : {0.0, 0.3, -0.5}) {
        const VolumeFleet port(volume);
        Fleet fleet = *Fleet::make(port.port());
        const FleetKind kind = *fleet.add_kind(plane());
        HallJudge judge(volume);
        const FleetId east = *fleet.add(kind, pose({4, 12, 7}, 0.0), true);
        const FleetId west = *fleet.add(kind, pose({36, 12 + aside, 7}, kPi), true);
        judge.add(east, plane(), {36, 12, 7}, fleet);
        judge.add(west, plane(), {4, 12, 7}, fleet);
        ASSERT_TRUE(fleet.send(east, Spot(Position3(36, 12, 7), 0.0)));
        ASSERT_TRUE(fleet.send(west, Spot(Position3(4, 12, 7), -kPi)));
        fly(fleet, judge, 30 * 90);
        EXPECT_GE(judge.closest(), 1.0) << aside;
    }
}

TEST(PlaneFleet, GoesAroundOneThatStands) {
    const Volume volume = hall();
    const VolumeFleet port(volume);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(plane());
    (void)*fleet.add(kind, pose({20, 12, 7}, 0.0), true);
    HallJudge judge(volume);
    const FleetId id = *fleet.add(kind, pose({4, 12, 7}, 0.0), true);
    judge.add(id, plane(), {36, 12, 7}, fleet);
    ASSERT_TRUE(fleet.send(id, Spot(Position3(36, 12, 7), 0.0)));
    fly(fleet, judge, 30 * 60);
    EXPECT_GE(judge.closest(), 1.0);
}

TEST(PlaneFleet, AWallThatComesIsFlownAround) {
    Volume volume = hall();
    const VolumeFleet port(volume);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(plane());
    HallJudge judge(volume);
    const FleetId id = *fleet.add(kind, pose({4, 12, 7}, 0.0), true);
    judge.add(id, plane(), {36, 12, 7}, fleet);
    ASSERT_TRUE(fleet.send(id, Spot(Position3(36, 12, 7), 0.0)));
    for (int frame = 0; frame < 60; ++frame) {
        ASSERT_TRUE(fleet.update(kPlaneFrame, kPlaneWork));
        judge.look(fleet, kPlaneFrame);
    }
    // an edit elsewhere changes nothing
    ASSERT_TRUE(volume.apply(VolumeEdit::fill({{20, 0, 0}, {21, 4, 14}})));
    ASSERT_TRUE(fleet.world_changed());
    EXPECT_EQ(fleet.unit(id).state, FleetState::moving);
    ASSERT_TRUE(volume.apply(VolumeEdit::fill({{22, 0, 0}, {23, 20, 14}})));
    ASSERT_TRUE(fleet.world_changed());
    fly(fleet, judge, 30 * 90);
}

TEST(PlaneFleet, WhoFindsNoWaySaysSo) {
    Volume volume = hall();
    ASSERT_TRUE(volume.apply(VolumeEdit::fill({{24, 0, 0}, {25, 24, 14}})));
    ASSERT_TRUE(
        volume.apply(VolumeEdit::clear({{24, 2, 2}, {25, 3, 3}})));  // too small, though a point passes
    const VolumeFleet port(volume);
    Fleet fleet = *Fleet::make(port.port());
    FleetUnit wide = plane();
    wide.agent.radius = 0.6;
    const FleetKind kind = *fleet.add_kind(wide);
    const FleetId shut_out = *fleet.add(kind, pose({4, 12, 7}, 0.0), true);
    const FleetId in_wall = *fleet.add(kind, pose({24.5, 12, 7}, 0.0), true);
    const FleetId to_wall = *fleet.add(kind, pose({8, 20, 7}, 0.0), true);
    ASSERT_TRUE(fleet.send(shut_out, Vec3{36, 12, 7}));
    ASSERT_TRUE(fleet.send(in_wall, Vec3{4, 20, 3}));
    ASSERT_TRUE(fleet.send(to_wall, Vec3{24.5, 12, 7}));
    for (int frame = 0; frame < 600; ++frame) ASSERT_TRUE(fleet.update(kPlaneFrame, {.units = 50000}));
    EXPECT_EQ(fleet.unit(shut_out).state, FleetState::unreachable);
    EXPECT_EQ(fleet.unit(shut_out).why, PathStatus::budget_spent);
    EXPECT_EQ(fleet.unit(in_wall).state, FleetState::invalid);
    EXPECT_EQ(fleet.unit(in_wall).why, PathStatus::start_blocked);
    EXPECT_EQ(fleet.unit(to_wall).state, FleetState::invalid);
    EXPECT_EQ(fleet.unit(to_wall).why, PathStatus::goal_blocked);
}

TEST(PlaneFleet, RefusesWhatDoesNotFly) {
    const Volume volume = hall();
    const VolumeFleet port(volume);
    Fleet fleet = *Fleet::make(port.port());
    const auto refused = [&](const FleetUnit& unit, ErrorCode code, Field field) {
        const Result<FleetKind> kind = fleet.add_kind(unit);
        ASSERT_FALSE(kind);
        EXPECT_EQ(kind.error().code, code);
        EXPECT_EQ(kind.error().field, field);
    };
    FleetUnit unit = plane();
    unit.agent.can_reverse = true;
    refused(unit, ErrorCode::unsupported, Field::agent);
    unit = plane();
    unit.agent.can_pivot = true;
    refused(unit, ErrorCode::unsupported, Field::agent);
    unit = plane();
    unit.agent.shape = BodyShape::box;
    unit.agent.radius = 0.0;
    unit.agent.length = unit.agent.width = 1.0;
    refused(unit, ErrorCode::unsupported, Field::agent_shape);
    unit = plane();
    unit.climb.up_rad = 0.0;
    refused(unit, ErrorCode::out_of_range, Field::climb);
    unit = plane(0.0);  // it turns on the spot, and climbs upright
    refused(unit, ErrorCode::unsupported, Field::climb);
    EXPECT_EQ(*fleet.add_kind(plane()), FleetKind{0});
    // formations are of units that turn on the spot
    const FleetId ids[] = {*fleet.add(FleetKind{0}, pose({4, 12, 7}, 0.0), true)};
    EXPECT_EQ(fleet.send(ids, Vec3{20, 12, 7}, {}).error().code, ErrorCode::unsupported);
}

TEST(PlaneFleet, AWarmFrameAllocatesNothing) {
    const Volume volume = hall();
    const VolumeFleet port(volume);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(plane());
    std::vector<FleetId> ids;
    for (int i = 0; i < 6; ++i) {
        ids.push_back(*fleet.add(kind, pose({4, 3.0 + 3.0 * i, 7}, 0.0), true));
        ASSERT_TRUE(fleet.send(ids.back(), Spot(Position3(36, 3.0 + 3.0 * (5 - i), 7), 0.0)));
    }
    for (int frame = 0; frame < 60; ++frame) ASSERT_TRUE(fleet.update(kPlaneFrame, kPlaneWork));
    const std::uint64_t before = heap_calls();
    for (int frame = 0; frame < 60; ++frame) ASSERT_TRUE(fleet.update(kPlaneFrame, kPlaneWork));
    EXPECT_EQ(heap_calls(), before);
    EXPECT_GT(fleet.unit(ids[0]).speed, 0.0);
}

}  // namespace
}  // namespace fairlead::testing
