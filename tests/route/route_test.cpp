#include <fairlead/route/route.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

namespace fairlead {
namespace {

constexpr double kTiny = 1e-12;

Leg line(double x, double y, double heading_rad, double length) {
    Leg leg;
    leg.start.position = {x, y, 0.0};
    leg.start.heading_rad = heading_rad;
    leg.length = length;
    return leg;
}

Leg arc(double x, double y, double heading_rad, double length, double curvature) {
    Leg leg = line(x, y, heading_rad, length);
    leg.curvature = curvature;
    return leg;
}

double apart(const Place& a, const Place& b) {
    const double dx = a.position.x - b.position.x;
    const double dy = a.position.y - b.position.y;
    return std::sqrt(dx * dx + dy * dy);
}

/// The circle's equation by the standard library in long double: centre, then rotate. Another way than the
/// chord.
Place on_circle(const Leg& leg, double distance) {
    const long double sign = leg.gear == Gear::forward ? 1.0L : -1.0L;
    const long double heading = leg.start.heading_rad;
    const long double travel = sign > 0 ? heading : heading + std::acos(-1.0L);
    const long double k = leg.curvature;
    const long double cx = leg.start.position.x - std::sin(travel) / k;
    const long double cy = leg.start.position.y + std::cos(travel) / k;
    const long double turned = travel + k * distance;
    Place place = leg.start;
    place.position.x = static_cast<double>(cx + std::sin(turned) / k);
    place.position.y = static_cast<double>(cy - std::cos(turned) / k);
    place.heading_rad = static_cast<double>(heading + k * distance);
    return place;
}

TEST(PlaceOnLeg, Line) {
    const Leg leg = line(1.0, 2.0, kHalfPi, 4.0);
    EXPECT_EQ(place_on_leg(leg, 0.0), leg.start);
    const Place at = place_on_leg(leg, 3.0);
    EXPECT_NEAR(at.position.x, 1.0, kTiny);
    EXPECT_NEAR(at.position.y, 5.0, kTiny);
    EXPECT_EQ(at.heading_rad, kHalfPi);
}

TEST(PlaceOnLeg, LineInReverseFacesAgainstItsMotion) {
    Leg leg = line(0.0, 0.0, 0.0, 2.0);
    leg.gear = Gear::reverse;
    const Place at = place_on_leg(leg, 2.0);
    EXPECT_NEAR(at.position.x, -2.0, kTiny);
    EXPECT_NEAR(at.position.y, 0.0, kTiny);
    EXPECT_EQ(at.heading_rad, 0.0);
}

TEST(PlaceOnLeg, QuarterTurns) {
    // Radius 2, a quarter of the circle: length pi.
    const Place left = place_on_leg(arc(0.0, 0.0, 0.0, kPi, 0.5), kPi);
    EXPECT_NEAR(left.position.x, 2.0, kTiny);
    EXPECT_NEAR(left.position.y, 2.0, kTiny);
    EXPECT_NEAR(left.heading_rad, kHalfPi, kTiny);

    const Place right = place_on_leg(arc(0.0, 0.0, 0.0, kPi, -0.5), kPi);
    EXPECT_NEAR(right.position.x, 2.0, kTiny);
    EXPECT_NEAR(right.position.y, -2.0, kTiny);
    EXPECT_NEAR(right.heading_rad, -kHalfPi, kTiny);

    // Curvature is positive to the left of the direction of travel, which in reverse points to -x.
    Leg back = arc(0.0, 0.0, 0.0, kPi, 0.5);
    back.gear = Gear::reverse;
    const Place reverse = place_on_leg(back, kPi);
    EXPECT_NEAR(reverse.position.x, -2.0, kTiny);
    EXPECT_NEAR(reverse.position.y, -2.0, kTiny);
    EXPECT_NEAR(reverse.heading_rad, kHalfPi, kTiny);
}

TEST(PlaceOnLeg, RandomArcsLieOnTheirCircle) {
    Rng rng(11);
    for (int i = 0; i < 20000; ++i) {
        Leg leg = arc(rng.between(-50.0, 50.0), rng.between(-50.0, 50.0), rng.between(-7.0, 7.0),
                      rng.between(0.0, 60.0), rng.between(-2.0, 2.0));
        if (std::fabs(leg.curvature) < 1e-3)
            continue;  // the circle's equation cancels there, the chord does not
        leg.gear = rng.below(2) == 0 ? Gear::forward : Gear::reverse;
        const double distance = rng.unit() * leg.length;
        const Place at = place_on_leg(leg, distance);
        const Place expected = on_circle(leg, distance);
        ASSERT_LT(apart(at, expected), 1e-10) << i;
        ASSERT_NEAR(at.heading_rad, expected.heading_rad, 1e-10) << i;
    }
}

TEST(PlaceOnLeg, VanishingCurvatureMeetsTheLine) {
    const Leg straight = line(3.0, -1.0, 0.7, 10.0);
    for (double curvature = 1e-3; curvature > 1e-300; curvature *= 1e-3) {
        const Leg bent = arc(3.0, -1.0, 0.7, 10.0, curvature);
        // An arc leaves its tangent by s^2 k / 2.
        EXPECT_LT(apart(place_on_leg(bent, 10.0), place_on_leg(straight, 10.0)), 51.0 * curvature + kTiny);
    }
}

TEST(PlaceOnLeg, StepsAreChordsOfEqualLengthAndHeadingIsContinuous) {
    for (const double curvature : {-1.5, -0.1, -1e-9, 0.0, 1e-9, 0.1, 1.5}) {
        for (const Gear gear : {Gear::forward, Gear::reverse}) {
            Leg leg = arc(5.0, 5.0, 1.0, 12.0, curvature);
            leg.gear = gear;
            constexpr int kSteps = 1200;
            const double step = leg.length / kSteps;
            const double chord =
                curvature == 0.0 ? step
                                 : 2.0 / std::fabs(curvature) * std::sin(0.5 * std::fabs(curvature) * step);
            Place last = place_on_leg(leg, 0.0);
            for (int i = 1; i <= kSteps; ++i) {
                const Place at = place_on_leg(leg, i * step);
                ASSERT_NEAR(apart(at, last), chord, 1e-12) << curvature << ' ' << i;
                ASSERT_NEAR(at.heading_rad - last.heading_rad, curvature * step, 1e-12);
                last = at;
            }
        }
    }
}

TEST(PlaceOnLeg, ClampsToBothEnds) {
    for (const double curvature : {0.0, 0.3}) {
        const Leg leg = arc(1.0, 1.0, 0.4, 5.0, curvature);
        EXPECT_EQ(place_on_leg(leg, -3.0), place_on_leg(leg, 0.0));
        EXPECT_EQ(place_on_leg(leg, 99.0), place_on_leg(leg, 5.0));
        EXPECT_EQ(place_on_leg(leg, std::numeric_limits<double>::infinity()), place_on_leg(leg, 5.0));
    }
}

TEST(PlaceOnLeg, RisesInStepWithTheGround) {
    Leg leg = line(0.0, 0.0, 0.0, 8.0);
    leg.start.position.z = 1.0;
    leg.rise = -4.0;
    leg.start.layer = 2;
    const Place at = place_on_leg(leg, 2.0);
    EXPECT_NEAR(at.position.z, 0.0, kTiny);
    EXPECT_EQ(at.layer, 2);
    EXPECT_NEAR(place_on_leg(leg, 8.0).position.z, -3.0, kTiny);
}

TEST(PlaceOnLeg, VerticalLegAndLegWithoutLengthDivideByNothing) {
    Leg leg = line(1.0, 2.0, 0.5, 0.0);
    leg.rise = 3.0;
    EXPECT_EQ(place_on_leg(leg, 0.0), leg.start);
    EXPECT_EQ(place_on_leg(leg, 1.0), leg.start);
}

TEST(PlaceOnLeg, TurnAndLinkGiveTheirStart) {
    Leg leg = line(1.0, 2.0, 0.5, 4.0);
    leg.turn_rad = 1.0;
    for (const LegKind kind : {LegKind::turn, LegKind::link}) {
        leg.kind = kind;
        EXPECT_EQ(place_on_leg(leg, 2.0), leg.start);
    }
}

/// East 3, then a left quarter turn of radius 2, then north 1.
Route make_corner() {
    Route route;
    EXPECT_TRUE(route.legs.push_back(line(0.0, 0.0, 0.0, 3.0)));
    EXPECT_TRUE(route.legs.push_back(arc(3.0, 0.0, 0.0, kPi, 0.5)));
    EXPECT_TRUE(route.legs.push_back(line(5.0, 2.0, kHalfPi, 1.0)));
    route.end.position = {5.0, 3.0, 0.0};
    route.end.heading_rad = kHalfPi;
    route.length = 4.0 + kPi;
    return route;
}

TEST(PlaceOnRoute, PassesFromLegToLegWithoutAJump) {
    const Route route = make_corner();
    EXPECT_NEAR(place_on_route(route, 1.5).position.x, 1.5, kTiny);
    EXPECT_NEAR(place_on_route(route, 3.0 + kPi).position.y, 2.0, kTiny);
    EXPECT_NEAR(place_on_route(route, 3.5 + kPi).position.y, 2.5, kTiny);
    Place last = place_on_route(route, 0.0);
    for (double s = 0.0; s < route.length; s += 0.01) {
        const Place at = place_on_route(route, s);
        ASSERT_LE(apart(at, last), 0.01 + 1e-9);
        ASSERT_LE(std::fabs(at.heading_rad - last.heading_rad), 0.005 + 1e-9);
        last = at;
    }
}

TEST(PlaceOnRoute, ClampsToTheRoute) {
    const Route route = make_corner();
    EXPECT_EQ(place_on_route(route, -1.0), route.legs[0].start);
    EXPECT_EQ(place_on_route(route, 100.0), route.end);
}

TEST(PlaceOnRoute, WithoutLegsGivesItsEnd) {
    Route route;
    route.end.position = {7.0, 8.0, 9.0};
    EXPECT_EQ(place_on_route(route, 0.0), route.end);
    EXPECT_EQ(place_on_route(route, 5.0), route.end);
}

TEST(LegEnd, IsTheNextStartOrTheEndOfTheRoute) {
    const Route route = make_corner();
    EXPECT_EQ(leg_end(route, 0), route.legs[1].start);
    EXPECT_EQ(leg_end(route, 1), route.legs[2].start);
    EXPECT_EQ(leg_end(route, 2), route.end);
    EXPECT_DEATH((void)leg_end(route, 3), "");
}

TEST(Route, ClearKeepsTheMemoryAndNothingElse) {
    Route route = make_corner();
    route.status = PathStatus::complete;
    route.cost = 3.0;
    route.line_cost = 2.0;
    route.bound = 1.0;
    route.planner = "jump_point";
    route.revision = 4;
    route.stats.expanded = 5;
    const std::size_t capacity = route.legs.capacity();
    route.clear();
    EXPECT_EQ(route.status, PathStatus::unreachable);
    EXPECT_EQ(route.length, 0.0);
    EXPECT_EQ(route.cost, 0.0);
    EXPECT_EQ(route.line_cost, 0.0);
    EXPECT_EQ(route.bound, kNoBound);
    EXPECT_STREQ(route.planner, "");
    EXPECT_EQ(route.revision, 0U);
    EXPECT_TRUE(route.legs.empty());
    EXPECT_EQ(route.legs.capacity(), capacity);
    EXPECT_EQ(route.end, Place{});
    EXPECT_EQ(route.stats, SearchStats{});
}

TEST(Route, LegIsAPlainValueOfTheSizeThatItsCommentSays) {
    static_assert(std::is_trivially_copyable_v<Leg>);
    static_assert(sizeof(Leg) == 96);
    static_assert(std::is_nothrow_move_constructible_v<Route> && !std::is_copy_constructible_v<Route>);
}

TEST(Names, EveryStatusHasOne) {
    std::set<std::string> names;
    for (int i = 0; i < static_cast<int>(PathStatus::count_); ++i) {
        const std::string name = status_name(static_cast<PathStatus>(i));
        EXPECT_NE(name, "unknown");
        EXPECT_TRUE(names.insert(name).second) << name;
    }
    EXPECT_STREQ(status_name(PathStatus::complete), "complete");
    EXPECT_STREQ(status_name(PathStatus::count_), "unknown");
}

TEST(Names, LegsAndGears) {
    EXPECT_STREQ(leg_kind_name(LegKind::drive), "drive");
    EXPECT_STREQ(leg_kind_name(LegKind::turn), "turn");
    EXPECT_STREQ(leg_kind_name(LegKind::link), "link");
    EXPECT_STREQ(gear_name(Gear::forward), "forward");
    EXPECT_STREQ(gear_name(Gear::reverse), "reverse");
}

}  // namespace
}  // namespace fairlead
