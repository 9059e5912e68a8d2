// Units that move the way they face: the choice among facings against a plain search, crowds in the hard scenes, and what a turn costs.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "crowd/avoid/facing.h"
#include "support/crowd_run.h"
#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/threads.h"

namespace fairlead::testing {
namespace {

constexpr double kFacingTouching = 2.0 * (1.0 - 1e-9);
constexpr double kFacingStep = 1.0 / 30.0;

SpeedLimits limits_of(double accel, double turn_rate = 0.0) {
    SpeedLimits limits = SpeedLimits::only(1.5);
    if (accel > 0.0) limits.accel_max = limits.brake_max = limits.lateral_accel_max = accel;
    if (turn_rate > 0.0) limits.turn_rate_max = turn_rate;
    return limits;
}

void judge_facings(const CrowdTrial& trial, double worst_max) {
    const CrowdVerdict verdict = play_crowd(trial);
    SCOPED_TRACE(::testing::Message() << crowd_place_name(trial.place) << " seed " << trial.seed);
    EXPECT_EQ(verdict.missing, 0);
    EXPECT_LE(verdict.worst, worst_max);
    EXPECT_GE(verdict.nearest, kFacingTouching);
    EXPECT_GE(verdict.nearest_wall, 1.0 - 1e-9);
    EXPECT_LE(verdict.speed, trial.limits.speed_max * (1.0 + 1e-9));
    EXPECT_LE(verdict.accel, trial.limits.accel_max * (1.0 + 1e-9));
    EXPECT_LE(verdict.aside, 1e-9);
    EXPECT_FALSE(verdict.off_facing);
    if (trial.facings == 0) {
        EXPECT_LE(verdict.turned, trial.limits.turn_rate_max + 1e-9);
    }
}

TEST(CrowdFacings, DirectionsAreExact) {
    for (const std::int32_t facings : {8, 16, 32}) {
        for (std::int32_t k = 0; k < facings; ++k) {
            const Vec2 way = crowd::direction_of(facings, k);
            EXPECT_NEAR(way.x, std::cos(2.0 * kPi * k / facings), 1e-15);
            EXPECT_NEAR(way.y, std::sin(2.0 * kPi * k / facings), 1e-15);
            EXPECT_EQ(crowd::direction_of(facings, (k + facings / 2) % facings), -way);
            EXPECT_EQ(crowd::direction_of(facings, (k + facings / 4) % facings), (Vec2{-way.y, way.x}));
        }
    }
}

/// Random planes with room for a stand: no speed outside of the span serves all of them, the span's ends do.
TEST(CrowdFacings, SpeedsAlongADirectionAreThoseThatServe) {
    Rng rng(36);
    for (int round = 0; round < trials(20000); ++round) {
        std::vector<crowd::HalfPlane> planes;
        for (std::uint32_t i = 1 + rng.below(6); i > 0; --i) {
            const double angle = rng.between(0.0, 2.0 * kPi);
            planes.push_back({{std::cos(angle), std::sin(angle)}, rng.between(-1.0, 0.1)});
        }
        const Vec2 way = crowd::direction_of(16, static_cast<std::int32_t>(rng.below(16)));
        crowd::SpeedSpan span;
        const bool open = crowd::speeds_along(planes, way, 1.5, span);
        for (int k = 0; k <= 30; ++k) {
            const double speed = 0.05 * k;
            bool serves = true;
            for (const crowd::HalfPlane& plane : planes)
                serves = serves && plane.violation(way * speed) <= 0.0;
            const bool within = open && speed >= span.low && speed <= span.high;
            const bool near =
                open && (std::fabs(speed - span.low) < 1e-9 || std::fabs(speed - span.high) < 1e-9);
            if (!near) {
                EXPECT_EQ(serves, within) << round << " at " << speed;
            }
        }
    }
}

TEST(CrowdFacings, DoorwayWithSixteen) {
    judge_facings({.place = CrowdPlace::doorway, .seed = 1, .limits = limits_of(0.0), .facings = 16}, 3.5);
}

TEST(CrowdFacings, CrossingWithSixteen) {
    judge_facings({.place = CrowdPlace::crossing_open, .seed = 2, .limits = limits_of(8.0), .facings = 16},
                  3.0);
}

TEST(CrowdFacings, CorridorWithEightTurnedMirroredAndSmall) {
    judge_facings({.place = CrowdPlace::corridor_a,
                   .pose = {.scale = 0.3, .quarters = 1, .mirrored = true},
                   .seed = 3,
                   .limits = limits_of(0.0),
                   .facings = 8},
                  3.5);
}

TEST(CrowdFacings, VestibuleOnALevelMeshWithThirtyTwo) {
    judge_facings(
        {.place = CrowdPlace::vestibule, .seed = 4, .limits = limits_of(8.0), .facings = 32, .mesh = true},
        4.0);
}

TEST(CrowdFacings, TurnRateAndFacings) {
    judge_facings({.place = CrowdPlace::vestibule, .seed = 5, .limits = limits_of(8.0, 3.0), .facings = 16},
                  5.0);
}

TEST(CrowdTurnRate, VestibuleAndCrossing) {
    judge_facings({.place = CrowdPlace::vestibule, .seed = 6, .limits = limits_of(8.0, 3.0)}, 5.0);
    judge_facings({.place = CrowdPlace::crossing_open, .seed = 6, .limits = limits_of(8.0, 2.0)}, 3.0);
}

TEST(CrowdFacings, ThreadsChangeNothing) {
    CrowdTrial trial{.place = CrowdPlace::vestibule,
                     .seed = 9,
                     .limits = limits_of(8.0, 3.0),
                     .facings = 16,
                     .seconds_max = 3.0};
    const std::uint64_t alone = play_crowd(trial).digest;
    for (const std::size_t count : {std::size_t{2}, std::size_t{3}}) {
        Threads threads{count};
        trial.jobs = {&Threads::run, &threads};
        EXPECT_EQ(play_crowd(trial).digest, alone) << count;
    }
}

Route straight_route(Vec2 from, Vec2 to) {
    Route route;
    route.status = PathStatus::complete;
    Leg leg;
    leg.start.position = {from.x, from.y, 0.0};
    leg.start.heading_rad = std::atan2(to.y - from.y, to.x - from.x);
    leg.length = distance(from, to);
    EXPECT_TRUE(route.legs.push_back(leg));
    route.end.position = {to.x, to.y, 0.0};
    route.length = leg.length;
    return route;
}

struct Alone {
    Crowd crowd = *Crowd::make();
    UnitId id{};

    Alone(SpeedLimits limits, std::int32_t facings, double heading, Vec2 to) {
        fairlead::CrowdUnit body;
        body.limits = limits;
        body.facings = facings;
        Place at;
        at.heading_rad = heading;
        id = *crowd.add(body, at);
        EXPECT_TRUE(crowd.send(id, straight_route({0.0, 0.0}, to)));
    }
    [[nodiscard]] UnitView step() {
        EXPECT_TRUE(crowd.update(kFacingStep, {}));
        return crowd.unit(id);
    }
};

/// Between two facings: few turns, and little longer than two legs are.
TEST(CrowdFacings, AWayBetweenFacingsIsAFewLongLegs) {
    const double longer[] = {1.18, 1.05, 1.03};
    int row = 0;
    for (const std::int32_t facings : {8, 16, 32}) {
        double longest = 0.0;
        for (int k = 0; k < 12; ++k) {
            const double angle = 0.1 + 0.5 * k;
            Alone unit(limits_of(0.0), facings, angle, Vec2{std::cos(angle), std::sin(angle)} * 20.0);
            double before = unit.crowd.unit(unit.id).place.heading_rad;
            int turns = 0;
            int ticks = 0;
            for (; ticks < 1000; ++ticks) {
                const UnitView view = unit.step();
                turns += view.place.heading_rad != before ? 1 : 0;
                before = view.place.heading_rad;
                if (view.state == UnitState::arrived) break;
            }
            EXPECT_LE(turns, 12) << facings << " at " << angle;
            longest = std::max(longest, ticks * kFacingStep * 1.5 / 19.5);
        }
        EXPECT_LE(longest, longer[row++]) << facings;
    }
}

/// Half a turn on the spot, then off.
TEST(CrowdTurnRate, TurnsOnTheSpotAndSetsOff) {
    for (const std::int32_t facings : {0, 16}) {
        Alone unit(limits_of(4.0, 1.0), facings, kPi, {10.0, 0.0});
        double seconds = 0.0;
        UnitView view;
        for (int tick = 1; tick < 600; ++tick) {
            view = unit.step();
            if (seconds == 0.0 && length(view.velocity) > 0.1) seconds = tick * kFacingStep;
            if (view.state == UnitState::arrived) break;
        }
        EXPECT_EQ(view.state, UnitState::arrived);
        // it may set off while it still turns a little
        EXPECT_GE(seconds, 1.5);
        EXPECT_LE(seconds, 3.3);
    }
}

/// A goal beside it that is nearer than its circle at full speed is come to, not circled.
TEST(CrowdTurnRate, NoCirclesAroundAGoal) {
    for (const double rate : {0.5, 1.0, 3.0}) {
        for (int k = 0; k < 16; ++k) {
            const double angle = 2.0 * kPi * k / 16.0;
            Alone unit(limits_of(k % 2 == 0 ? 4.0 : 0.0, rate), k % 3 == 0 ? 8 : 0, 0.0,
                       Vec2{std::cos(angle), std::sin(angle)} * 1.5);
            UnitView view;
            for (int tick = 0; tick < 900 && view.state != UnitState::arrived; ++tick) view = unit.step();
            EXPECT_EQ(view.state, UnitState::arrived) << rate << " at " << angle;
        }
    }
}

TEST(CrowdFacings, BadInputNamesTheField) {
    Crowd crowd = *Crowd::make();
    Crowd space = *Crowd::make({.space = true});
    fairlead::CrowdUnit body;
    body.facings = 12;
    EXPECT_EQ(crowd.add(body, {}).error().field, Field::facings);
    body.facings = 8;
    EXPECT_TRUE(crowd.add(body, {}));
    EXPECT_EQ(space.add(body, {}).error().code, ErrorCode::unsupported);
    Place at;
    at.heading_rad = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(crowd.add(body, at).error().field, Field::start);
}

/// A unit in a slot that another one had is not pushed by what that one wanted.
TEST(CrowdFixtures, WhoComesIntoASlotWasNotHeardBefore) {
    const auto play = [](bool reused) {
        Crowd crowd = *Crowd::make();
        const auto add = [&](Vec2 p) {
            Place at;
            at.position = {p.x, p.y, 0.0};
            return *crowd.add({}, at);
        };
        const UnitId first = add({50.0, 0.0});
        const UnitId idle = add({0.0, 0.0});
        if (reused) {
            EXPECT_TRUE(crowd.send(first, straight_route({50.0, 0.0}, {90.0, 0.0})));
            EXPECT_TRUE(crowd.update(kFacingStep, {}));
        }
        EXPECT_TRUE(crowd.remove(first));
        (void)add({-1.1, 0.0});  // stands behind the idle one, which must not feel pushed to the east
        EXPECT_TRUE(crowd.update(kFacingStep, {}));
        return crowd.unit(idle).place.position;
    };
    EXPECT_EQ(play(true), play(false));
}

/// crowd.h tells of `waiting`: before a door others have their turn.
TEST(CrowdFixtures, WhoWaitsForItsTurnSaysSo) {
    const CrowdVerdict verdict = play_crowd({.place = CrowdPlace::doorway, .seed = 1, .seconds_max = 30.0});
    EXPECT_GT(verdict.waited, 0);
}

}  // namespace
}  // namespace fairlead::testing
