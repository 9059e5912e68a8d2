// The cursor beside plain sums, on routes made at random.

#include <fairlead/route/route_cursor.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/math/trig.h>

#include "support/cursor_oracle.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

// Legs of all kinds, one behind the other; some of length 0.
Route random_chain(Rng& rng, std::uint32_t legs) {
    Route route;
    route.status = PathStatus::complete;
    Place at{{rng.between(-50.0, 50.0), rng.between(-50.0, 50.0), rng.between(-3.0, 3.0)},
             rng.between(-3.0, 3.0),
             0};
    for (std::uint32_t i = 0; i < legs; ++i) {
        Leg leg;
        leg.start = at;
        leg.gear = rng.below(4) == 0 ? Gear::reverse : Gear::forward;
        const std::uint32_t kind = rng.below(10);
        if (kind == 0) {
            leg.kind = LegKind::link;
            leg.link_id = i;
            at.position = at.position + Vec3{rng.between(-9.0, 9.0), 3.0, 3.0};
            at.layer += 1;
        } else if (kind == 1) {
            leg.kind = LegKind::turn;
            leg.turn_rad = rng.between(-3.0, 3.0);
            at.heading_rad += leg.turn_rad;
        } else {
            leg.length = kind == 2 ? 0.0 : rng.between(0.0, 8.0);
            leg.curvature = kind < 6 ? 0.0 : rng.between(-0.5, 0.5);
            leg.rise = leg.length > 0.0 ? rng.between(-0.5, 0.5) : 0.0;
            at = place_on_leg(leg, leg.length);
            if (kind == 9) at.heading_rad += rng.between(0.1, 1.0);
        }
        route.length += leg.length;
        EXPECT_TRUE(route.legs.push_back(leg));
    }
    route.end = at;
    return route;
}

bool same_bits(const Place& a, const Place& b) {
    const double left[] = {a.position.x, a.position.y, a.position.z, a.heading_rad};
    const double right[] = {b.position.x, b.position.y, b.position.z, b.heading_rad};
    return std::memcmp(left, right, sizeof left) == 0 && a.layer == b.layer;
}

TEST(RouteCursor, SeeksToThePlacesOfPlainSums) {
    Rng rng(1);
    for (int world = 0; world < trials(400); ++world) {
        const Route route = random_chain(rng, rng.below(40));
        RouteCursor cursor(route);
        EXPECT_NEAR(cursor.length(), route.length, 1e-12 * (1.0 + route.length));
        for (int i = 0; i < 250; ++i) {
            const double at = rng.between(-0.1, 1.1) * route.length;
            cursor.seek(at);
            expect_near(cursor.place(), plain_place(route, at), 1e-9);
            EXPECT_NEAR(cursor.distance(), std::clamp(at, 0.0, route.length), 1e-12 * (1.0 + route.length));
            if (at < route.length) expect_near(cursor.place(), place_on_route(route, at), 1e-9);
        }
    }
}

// Pose at time asks the same distance again and again, from wherever the cursor is: a replay has the same bits.
TEST(RouteCursor, APlaceDoesNotDependOnTheWayThere) {
    Rng rng(2);
    for (int world = 0; world < trials(200); ++world) {
        const Route route = random_chain(rng, 1 + rng.below(60));
        std::vector<double> at;
        std::vector<Place> places;
        for (int i = 0; i < 50; ++i) {
            at.push_back(rng.unit() * route.length);
            RouteCursor fresh(route);
            fresh.seek(at.back());
            places.push_back(fresh.place());
        }
        RouteCursor cursor(route);
        for (int i = 0; i < 400; ++i) {
            const std::size_t k = rng.below(static_cast<std::uint32_t>(at.size()));
            double left = rng.unit() * 20.0;
            if (rng.below(3) == 0) (void)cursor.advance(left);
            if (rng.below(3) == 0) (void)cursor.retreat(left);
            cursor.seek(at[k]);
            ASSERT_TRUE(same_bits(cursor.place(), places[k]));
        }
    }
}

TEST(RouteCursor, AdvancingUsesUpWhatItIsGivenAndTellsEachEventOnce) {
    Rng rng(3);
    for (int world = 0; world < trials(400); ++world) {
        const Route route = random_chain(rng, rng.below(40));
        const std::vector<RouteEvent> wanted = plain_events(route);
        RouteCursor cursor(route);
        std::vector<RouteEvent> told;
        double sum = 0.0;
        while (sum <= route.length + 1.0) {
            double left = rng.below(4) == 0 ? 0.0 : rng.unit() * 3.0;
            sum += left;
            for (RouteEvent e = cursor.advance(left); e.happened(); e = cursor.advance(left)) {
                EXPECT_NEAR(e.distance, cursor.distance(), 1e-12);
                if (e.kind != RouteEventKind::link_enter) {
                    EXPECT_TRUE(same_bits(cursor.place(), e.to));
                }
                told.push_back(e);
            }
            if (!cursor.at_end()) {
                EXPECT_EQ(left, 0.0);
                EXPECT_NEAR(cursor.distance(), sum, 1e-9);
            }
        }
        ASSERT_EQ(told.size(), wanted.size());
        for (std::size_t i = 0; i < told.size(); ++i) expect_same_event(told[i], wanted[i]);
        EXPECT_TRUE(same_bits(cursor.place(), route.end));
        // And back: the same events, mirrored, then the start.
        std::vector<RouteEvent> back;
        for (int i = 0; i < 1000 && (back.empty() || back.back().kind != RouteEventKind::start); ++i) {
            double left = rng.unit() * 3.0;
            for (RouteEvent e = cursor.retreat(left); e.happened(); e = cursor.retreat(left))
                back.push_back(e);
        }
        if (route.legs.empty()) continue;
        ASSERT_EQ(back.size(), wanted.size());
        for (std::size_t i = 0; i + 1 < back.size(); ++i)
            expect_mirrored(back[i], wanted[wanted.size() - 2 - i]);
        EXPECT_EQ(cursor.distance(), 0.0);
        EXPECT_TRUE(same_bits(cursor.place(), route.legs[0].start));
        double more = 1.0;
        EXPECT_FALSE(cursor.retreat(more).happened());
        EXPECT_EQ(more, 1.0);
    }
}

TEST(RouteCursor, ALongRouteInSmallStepsIsAsLongAsItIs) {
    Rng rng(4);
    Route route = random_chain(rng, 3000);
    RouteCursor cursor(route);
    double last = 0.0, sum = 0.0;
    while (!cursor.at_end()) {
        double left = 0.01;
        sum += left;
        for (RouteEvent e = cursor.advance(left); e.happened(); e = cursor.advance(left)) {
            if (e.kind == RouteEventKind::goal) break;
        }
        sum -= left;
        ASSERT_GE(cursor.distance(), last);
        last = cursor.distance();
    }
    EXPECT_NEAR(sum, route.length, 1e-6);  // 850,000 sums, each rounded
    EXPECT_EQ(cursor.remaining(), 0.0);
}

TEST(RouteCursor, EndsAreExact) {
    Rng rng(5);
    for (int world = 0; world < trials(300); ++world) {
        const Route route = random_chain(rng, 1 + rng.below(20));
        RouteCursor cursor(route);
        EXPECT_TRUE(same_bits(cursor.place(), route.legs[0].start));
        cursor.seek(std::max(route.length, 1e-9));
        EXPECT_TRUE(same_bits(cursor.place(), route.end));
        EXPECT_TRUE(cursor.at_end());
        cursor.seek(0.0);
        EXPECT_TRUE(same_bits(cursor.place(), route.legs[0].start));
        cursor.seek(std::numeric_limits<double>::infinity());
        EXPECT_TRUE(same_bits(cursor.place(), route.end));
    }
}

// Leg by leg: the same events, one at most for each leg passed and each link entered.
TEST(RouteCursor, NextLegPassesOneLeg) {
    Rng rng(17);
    for (int i = 0; i < trials(50); ++i) {
        const Route route = random_chain(rng, 30);
        const std::vector<RouteEvent> wanted = plain_events(route);
        RouteCursor cursor(route);
        std::size_t told = 0;
        while (!cursor.at_end()) {
            const std::size_t leg = cursor.leg_index();
            const bool enters = route.legs[leg].kind == LegKind::link && !cursor.in_link();
            const RouteEvent e = cursor.next_leg();
            EXPECT_EQ(cursor.at_end() ? route.legs.size() : cursor.leg_index(), leg + (enters ? 0 : 1));
            if (!e.happened()) continue;
            ASSERT_LT(told, wanted.size());
            expect_same_event(e, wanted[told++]);
        }
        EXPECT_EQ(told + 1, wanted.size());
        EXPECT_EQ(cursor.next_leg().kind, RouteEventKind::goal);
        EXPECT_FALSE(cursor.next_leg().happened());
    }
}

TEST(RouteCursor, ARouteWithoutLegsIsAtItsGoal) {
    Route route;
    route.end = {{3, 4, 5}, 0.5, 2};
    RouteCursor cursor(route);
    EXPECT_EQ(cursor.place(), route.end);
    EXPECT_EQ(cursor.leg(), nullptr);
    EXPECT_EQ(cursor.length(), 0.0);
    double left = 2.0;
    EXPECT_EQ(cursor.advance(left).kind, RouteEventKind::goal);
    EXPECT_FALSE(cursor.advance(left).happened());
    EXPECT_EQ(left, 2.0);
    EXPECT_FALSE(cursor.retreat(left).happened());
    for (const double at : {-1.0, 0.0, 7.0, std::nan("")}) {
        cursor.seek(at);
        EXPECT_EQ(cursor.place(), route.end);
    }
}

TEST(RouteCursor, BadDistancesCountAsNothing) {
    Rng rng(6);
    const Route route = random_chain(rng, 12);
    RouteCursor cursor(route);
    cursor.seek(route.length / 2);
    const Place before = cursor.place();
    for (const double bad : {-1.0, std::nan(""), -std::numeric_limits<double>::infinity()}) {
        double left = bad;
        (void)cursor.advance(left);
        EXPECT_EQ(left, 0.0);
        left = bad;
        (void)cursor.retreat(left);
        EXPECT_EQ(left, 0.0);
        EXPECT_TRUE(same_bits(cursor.place(), before));
    }
    cursor.seek(std::nan(""));
    EXPECT_EQ(cursor.distance(), 0.0);
    EXPECT_EQ(place_on_route(route, std::nan("")), route.legs[0].start);
}

// Routes from files may hold any numbers: the cursor ends, and is somewhere.
TEST(RouteCursor, LegsWithSenselessNumbers) {
    const double odd[] = {std::nan(""), -5.0, std::numeric_limits<double>::infinity(), 1e300, 1e-320, 3.0};
    Rng rng(7);
    for (int world = 0; world < trials(200); ++world) {
        Route route = random_chain(rng, 8);
        for (Leg& leg : route.legs) {
            if (rng.below(2) == 0) leg.length = odd[rng.below(6)];
            if (rng.below(4) == 0) leg.curvature = odd[rng.below(6)];
        }
        route.length = odd[rng.below(6)];
        RouteCursor cursor(route);
        for (int i = 0; i < 50; ++i) {
            cursor.seek(odd[rng.below(6)] * 3.0);
            double left = odd[rng.below(6)];
            (void)cursor.advance(left);
            (void)cursor.retreat(left);
            (void)cursor.place();
        }
        int events = 0;
        double left = std::numeric_limits<double>::infinity();
        while (cursor.advance(left).happened()) ASSERT_LT(++events, 100);
        EXPECT_TRUE(cursor.at_end());
        left = std::numeric_limits<double>::infinity();
        while (cursor.retreat(left).happened()) ASSERT_LT(++events, 200);
        EXPECT_EQ(cursor.leg_index(), 0U);
    }
}

TEST(RouteCursor, ALinkIsStoodIn) {
    Route route;
    const Leg walk{.start = {{0, 0, 0}, 0.0, 0}, .length = 2.0};
    const Leg stairs{.start = {{2, 0, 0}, 0.0, 0}, .link_id = 9, .kind = LegKind::link};
    const Leg on{.start = {{20, 0, 4}, 0.0, 1}, .length = 3.0};
    for (const Leg& leg : {walk, stairs, on}) ASSERT_TRUE(route.legs.push_back(leg));
    route.length = 5.0;
    route.end = {{23, 0, 4}, 0.0, 1};
    RouteCursor cursor(route);
    double left = 2.5;
    const RouteEvent enter = cursor.advance(left);
    EXPECT_EQ(enter.kind, RouteEventKind::link_enter);
    EXPECT_EQ(enter.link_id, 9U);
    EXPECT_EQ(enter.to, on.start);
    EXPECT_EQ(left, 0.5);
    EXPECT_TRUE(cursor.in_link());
    EXPECT_EQ(cursor.place(), stairs.start);
    const RouteEvent leave = cursor.advance(left);
    EXPECT_EQ(leave.kind, RouteEventKind::link_leave);
    EXPECT_FALSE(cursor.in_link());
    EXPECT_EQ(cursor.place(), on.start);
    EXPECT_FALSE(cursor.advance(left).happened());
    EXPECT_EQ(cursor.place().position, (Vec3{20.5, 0, 4}));
    EXPECT_EQ(cursor.leg_index(), 2U);
    EXPECT_EQ(cursor.remaining(), 2.5);
}

}  // namespace
}  // namespace fairlead::testing
