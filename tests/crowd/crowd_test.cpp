// Crowds in the scenes that they are judged by: nobody touches a wall or another one, limits hold at each step, everyone arrives.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/crowd_run.h"
#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/threads.h"

namespace fairlead::testing {
namespace {

constexpr double kTouching = 2.0 * (1.0 - 1e-9);

SpeedLimits walker() {
    SpeedLimits limits = SpeedLimits::only(1.5);
    limits.accel_max = 8.0;
    limits.brake_max = 8.0;
    limits.lateral_accel_max = 8.0;
    return limits;
}

void judge(const CrowdTrial& trial, double worst_max = 3.0) {
    const CrowdVerdict verdict = play_crowd(trial);
    SCOPED_TRACE(::testing::Message() << crowd_place_name(trial.place) << " seed " << trial.seed);
    EXPECT_EQ(verdict.missing, 0);
    EXPECT_LE(verdict.worst, worst_max);
    EXPECT_GE(verdict.nearest, kTouching);
    EXPECT_GE(verdict.nearest_wall, 1.0 - 1e-9);
    EXPECT_LE(verdict.speed, trial.limits.speed_max * (1.0 + 1e-9));
    EXPECT_LE(verdict.accel, trial.limits.accel_max * (1.0 + 1e-9));
}

TEST(Crowd, DoorwayLetsEveryoneThrough) { judge({.place = CrowdPlace::doorway, .seed = 1}); }

TEST(Crowd, CorridorLetsEveryoneThrough) { judge({.place = CrowdPlace::corridor_a, .seed = 2}); }

TEST(Crowd, HeadOnInACorridor) { judge({.place = CrowdPlace::corridor_b, .seed = 3}); }

TEST(Crowd, VestibuleLetsEveryoneThrough) { judge({.place = CrowdPlace::vestibule, .seed = 4}); }

TEST(Crowd, CrossingInTheOpen) { judge({.place = CrowdPlace::crossing_open, .seed = 5}); }

TEST(Crowd, LimitsOfAccelerationHoldAndNothingTouches) {
    judge({.place = CrowdPlace::crossing_open, .seed = 6, .limits = walker()});
    judge({.place = CrowdPlace::vestibule, .seed = 6, .limits = walker()}, 3.5);
}

TEST(Crowd, SmallMirroredAndTurned) {
    judge(
        {.place = CrowdPlace::vestibule, .pose = {.scale = 0.3, .quarters = 1, .mirrored = true}, .seed = 7});
}

TEST(Crowd, OnALevelMesh) { judge({.place = CrowdPlace::vestibule, .seed = 8, .mesh = true}); }

// A leg of a route is free by itself: who stands on it goes along it, whatever it sees. Until it is pushed off it.
TEST(Crowd, GoesAlongItsLegsWhereNothingIsSeen) {
    CrowdWorld world;
    world.clear = [](const Place&, Vec3, double, void*) { return false; };
    for (const double accel : {0.0, 8.0}) {
        Crowd crowd = *Crowd::make();
        fairlead::CrowdUnit body;
        body.radius = 0.5;
        body.limits = SpeedLimits::only(1.5);
        if (accel > 0.0)
            body.limits.accel_max = body.limits.brake_max = body.limits.lateral_accel_max = accel;
        const UnitId id = *crowd.add(body, {});
        Route route;
        const Vec2 corners[] = {{0, 0}, {6, 0}, {6, 8}, {-4, 8}};
        for (std::size_t i = 0; i + 1 < std::size(corners); ++i) {
            const Vec2 to = corners[i + 1] - corners[i];
            Leg leg;
            leg.start.position = {corners[i].x, corners[i].y, 0.0};
            leg.length = length(to);
            ASSERT_TRUE(route.legs.push_back(leg));
            route.length += leg.length;
        }
        route.end.position = {-4, 8, 0};
        ASSERT_TRUE(crowd.send(id, route, {}));
        for (int tick = 0; tick < 30 * 20; ++tick) ASSERT_TRUE(crowd.update(1.0 / 30.0, world));
        EXPECT_EQ(crowd.unit(id).state, UnitState::arrived) << accel;
        EXPECT_FALSE(crowd.unit(id).lost) << accel;
    }
}

// Of who is driven the way to a stop is told in lines: nobody comes into it, also where it bends.
TEST(Crowd, WhoIsDrivenTellsItsWay) {
    Crowd crowd = *Crowd::make({});
    fairlead::CrowdUnit truck{.radius = 0.5, .driven = true};
    const UnitId driven = *crowd.add(truck, {});
    const Vec3 way[] = {{2.0, 0.0, 0.0}, {3.0, 1.0, 0.0}, {3.0, 4.0, 0.0}};
    fairlead::CrowdUnit person{.radius = 0.5};
    person.limits = walker();
    Place from;
    from.position = {1.2, 3.0, 0.0};
    const UnitId goes = *crowd.add(person, from);
    Place to;
    to.position = {6.0, 0.5, 0.0};
    Leg leg;
    leg.start = from;
    ASSERT_TRUE(crowd.send(goes, {&leg, 1}, to));
    double nearest = 1e9;
    for (int i = 0; i < 600; ++i) {
        ASSERT_TRUE(crowd.drive(driven, {}, {}, way, 0.0));
        ASSERT_TRUE(crowd.update(1.0 / 30.0, {}));
        const Vec2 at = ground(crowd.unit(goes).place.position);
        Vec2 line = {};
        for (const Vec3& next : way) {
            for (int k = 0; k <= 100; ++k)
                nearest = std::min(nearest, distance(at, line + (ground(next) - line) * (k / 100.0)));
            line = ground(next);
        }
    }
    EXPECT_GE(nearest, 1.0 - 1e-9);
    EXPECT_LT(nearest, 1.2);  // it came to it
    EXPECT_FALSE(crowd.drive(driven, {}, {}, std::vector<Vec3>(5), 0.0));
    EXPECT_FALSE(crowd.drive(driven, {}, {}, way, -1.0));
    EXPECT_FALSE(crowd.drive(goes, {}, {}));
    EXPECT_FALSE(crowd.ask_way(goes, {1.0, 0.0}));
    EXPECT_FALSE(crowd.ask_way(driven, {std::numeric_limits<double>::quiet_NaN(), 0.0}));
    EXPECT_TRUE(crowd.ask_way(driven, {1.0, 0.0}));
}

TEST(Crowd, ThreadsChangeNothing) {
    CrowdTrial trial{.place = CrowdPlace::vestibule, .seed = 9, .limits = walker(), .seconds_max = 3.0};
    const std::uint64_t alone = play_crowd(trial).digest;
    for (const std::size_t count : {std::size_t{2}, std::size_t{3}}) {
        Threads threads{count};
        trial.jobs = {&Threads::run, &threads};
        EXPECT_EQ(play_crowd(trial).digest, alone) << count;
    }
}

/// Without walls; each unit has a straight route.
struct Open {
    Crowd crowd;
    std::vector<UnitId> ids{};

    static Route line(Vec2 from, Vec2 to) {
        Route route;
        route.status = PathStatus::complete;
        Leg leg;
        leg.start.position = {from.x, from.y, 0.0};
        leg.length = distance(from, to);
        EXPECT_TRUE(route.legs.push_back(leg));
        route.end.position = {to.x, to.y, 0.0};
        route.length = leg.length;
        return route;
    }
    void go(Vec2 from, Vec2 to, std::uint32_t group = 0, double radius = 0.5) {
        fairlead::CrowdUnit body;
        body.radius = radius;
        Place at;
        at.position = {from.x, from.y, 0.0};
        ids.push_back(*crowd.add(body, at));
        EXPECT_TRUE(crowd.send(ids.back(), line(from, to), {group}));
    }
    [[nodiscard]] Vec2 at(std::size_t i) const { return ground(crowd.unit(ids[i]).place.position); }
};

TEST(Crowd, ManyToOneGoalSettleAroundIt) {
    Open open{*Crowd::make()};
    for (int i = 0; i < 60; ++i)
        open.go({static_cast<double>(i % 10) * 2.0 - 30.0, static_cast<double>(i / 10) * 2.0}, {0.0, 0.0}, 1);
    double nearest = 1e9;
    for (int tick = 0; tick < 1500; ++tick) {
        ASSERT_TRUE(open.crowd.update(1.0 / 30.0, {}));
        for (std::size_t i = 0; i < 60; ++i) {
            for (std::size_t k = 0; k < i; ++k) nearest = std::min(nearest, distance(open.at(i), open.at(k)));
        }
    }
    EXPECT_GE(nearest, 1.0 - 1e-9);
    int settled = 0;
    double farthest = 0.0;
    for (std::size_t i = 0; i < 60; ++i) {
        settled += open.crowd.unit(open.ids[i]).state == UnitState::arrived ? 1 : 0;
        farthest = std::max(farthest, length(open.at(i)));
    }
    EXPECT_EQ(settled, 60);
    EXPECT_LE(farthest, 0.5 * std::sqrt(60 / 0.6) + 0.5 + 1.0);
}

TEST(Crowd, SizesAndSpeedsMix) {
    Open open{*Crowd::make()};
    open.go({-10.0, 0.0}, {10.0, 0.0}, 0, 1.5);
    open.go({10.0, 0.0}, {-10.0, 0.0}, 0, 0.2);
    open.go({0.0, 10.0}, {0.0, -10.0}, 0, 0.7);
    const double radius[] = {1.5, 0.2, 0.7};
    for (int tick = 0; tick < 900; ++tick) {
        ASSERT_TRUE(open.crowd.update(1.0 / 30.0, {}));
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                EXPECT_GE(distance(open.at(i), open.at(k)), (radius[i] + radius[k]) * (1.0 - 1e-9));
            }
        }
    }
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(open.crowd.unit(open.ids[i]).state, UnitState::arrived);
}

TEST(Crowd, FloorsDoNotMeet) {
    Open open{*Crowd::make()};
    open.go({-5.0, 0.0}, {5.0, 0.0});
    fairlead::CrowdUnit body;
    Place above;
    above.position = {5.0, 0.0, 3.0};
    const UnitId id = *open.crowd.add(body, above);
    ASSERT_TRUE(open.crowd.send(id, Open::line({5.0, 0.0}, {-5.0, 0.0})));
    for (int tick = 0; tick < 240; ++tick) {
        ASSERT_TRUE(open.crowd.update(1.0 / 30.0, {}));
        EXPECT_EQ(open.at(0).y, 0.0);
    }
    EXPECT_EQ(open.crowd.unit(id).state, UnitState::arrived);
}

TEST(Crowd, OverlappingAtTheStartTheyPart) {
    Open open{*Crowd::make()};
    open.go({0.0, 0.0}, {10.0, 0.0});
    open.go({0.3, 0.1}, {10.0, 5.0});
    for (int tick = 0; tick < 300; ++tick) ASSERT_TRUE(open.crowd.update(1.0 / 30.0, {}));
    EXPECT_GE(distance(open.at(0), open.at(1)), 1.0);
}

TEST(Crowd, BadInputNamesTheField) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    Crowd crowd = *Crowd::make();
    const auto refused = [&](double radius, double speed, double x) {
        fairlead::CrowdUnit body;
        body.radius = radius;
        body.limits.speed_max = speed;
        Place at;
        at.position.x = x;
        return crowd.add(body, at);
    };
    EXPECT_EQ(refused(kNan, 1.0, 0.0).error().field, Field::agent_radius);
    EXPECT_EQ(refused(0.0, 1.0, 0.0).error().field, Field::agent_radius);
    EXPECT_EQ(refused(1.0, 0.0, 0.0).error().field, Field::speed_max);
    EXPECT_EQ(refused(1.0, 1.0, kNan).error().field, Field::start);
    EXPECT_EQ(crowd.size(), 0u);
    const UnitId id = *refused(1.0, 1.0, 0.0);
    EXPECT_EQ(crowd.send(id, Open::line({0.0, 0.0}, {kNan, 0.0})).error().field, Field::route);
    EXPECT_EQ(crowd.update(0.0, {}).error().field, Field::seconds);
    EXPECT_EQ(crowd.update(kNan, {}).error().field, Field::seconds);
    EXPECT_TRUE(crowd.remove(id));
    EXPECT_FALSE(crowd.remove(id));
    EXPECT_EQ(crowd.send(id, Open::line({0.0, 0.0}, {1.0, 0.0})).error().field, Field::unit);
    EXPECT_FALSE(crowd.contains(id));
    const UnitId next = *refused(1.0, 1.0, 0.0);
    EXPECT_FALSE(crowd.contains(id));
    EXPECT_TRUE(crowd.contains(next));
    EXPECT_EQ(Crowd::make({.height = 0.0}).error().field, Field::height);
}

TEST(Crowd, NoMemoryInSteadyState) {
    Open open{*Crowd::make()};
    for (int i = 0; i < 50; ++i) open.go({i * 2.0, 0.0}, {100.0 - i * 2.0, 30.0});
    for (int tick = 0; tick < 30; ++tick) ASSERT_TRUE(open.crowd.update(1.0 / 30.0, {}));
    const Route back = Open::line({1.0, 1.0}, {5.0, 5.0});
    const std::uint64_t before = heap_calls();
    for (int tick = 0; tick < 100; ++tick) {
        ASSERT_TRUE(open.crowd.update(1.0 / 30.0, {}));
        ASSERT_TRUE(open.crowd.send(open.ids[static_cast<std::size_t>(tick % 50)], back));
    }
    EXPECT_EQ(heap_calls(), before);
}

}  // namespace
}  // namespace fairlead::testing
