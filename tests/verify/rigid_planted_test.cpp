// Penetrations of 1e-6 tiles by bodies that turn are planted in every orientation, and touches and near misses beside
// them: the first are always found, with leg, place and depth; the others never.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/math/contact.h>
#include <fairlead/math/trig.h>

#include "support/bodies.h"
#include "support/environment.h"
#include "support/fake_world.h"
#include "support/route_images.h"
#include "support/route_maker.h"
#include "support/violation_checks.h"
#include "verify/check.h"

namespace fairlead {
namespace {

using testing::box_body;
using testing::capsule_body;
using testing::FakeWorld;
using testing::Image;
using testing::RouteMaker;
using witness::verify_over;

constexpr double kBodyPlant = 1e-6;
constexpr std::int32_t kRigidSize = 61;
constexpr Cell kRigidWall{30, 30, 0};
constexpr Vec2 kCorner{31, 31};
constexpr Vec2 kTop{30.5, 31};
constexpr double kSlack = 1e-9 * kRigidSize;

FakeWorld one_middle_wall() {
    FakeWorld world(kRigidSize, kRigidSize);
    world.set(kRigidWall, 0);
    return world;
}

double half_width(const Agent& agent) {
    return agent.shape == BodyShape::box ? 0.5 * agent.width : agent.radius;
}

/// Half the length of the straight part of its sides.
double straight_half(const Agent& agent) {
    return 0.5 * agent.length - (agent.shape == BodyShape::box ? 0.0 : agent.radius);
}

/// Where the unit is when it touches the wall, which way is out of the wall, and how it gets there and on.
struct BodyTouch {
    Agent agent;
    Place place;
    Vec2 out;
    double curve = 0.0;  ///< 1 / radius, positive for a centre to the left of the unit
    double before = 1.0;
    double after = 1.0;
    bool turns = false;  ///< on the spot; before and after in radians, positive to the left
};

Place place_at(Vec2 at, double heading) {
    Place place;
    place.position = {at.x, at.y, 0.0};
    place.heading_rad = heading;
    return place;
}

Vec2 in_world(Vec2 of_body, double heading) {
    const Vec2 ahead = math::direction(heading);
    return {of_body.x * ahead.x - of_body.y * ahead.y, of_body.x * ahead.y + of_body.y * ahead.x};
}

/// Two legs, cut on the way to the touch, which the second one makes; moved by `gap` away from the wall.
Route passing(const BodyTouch& touch, double gap, Gear gear) {
    const Vec2 at = ground(touch.place.position) + touch.out * gap;
    const Place place = place_at(at, touch.place.heading_rad);
    if (touch.turns) {
        RouteMaker maker(at, place.heading_rad - touch.before);
        return maker.turn(0.3 * touch.before).turn(0.7 * touch.before + touch.after).take();
    }
    const double curvature = gear == Gear::forward ? touch.curve : -touch.curve;
    Leg back;
    back.start = place;
    back.gear = gear == Gear::forward ? Gear::reverse : Gear::forward;
    back.curvature = -curvature;
    back.length = touch.before;
    const Place start = place_on_leg(back, back.length);
    RouteMaker maker(ground(start.position), start.heading_rad);
    maker.drive(0.3 * touch.before, curvature, gear);
    return maker.drive(0.7 * touch.before + touch.after, curvature, gear).take();
}

double reach(const Agent& agent) { return circumscribed_radius(agent); }

void judge(const BodyTouch& touch, Gear gear) {
    SCOPED_TRACE(::testing::Message()
                 << "length " << touch.agent.length << " offset " << touch.agent.axle_offset << " radius "
                 << touch.agent.radius << " curve " << touch.curve << " gear " << gear_name(gear)
                 << " before " << touch.before);
    const FakeWorld world = one_middle_wall();
    for (int image_index = 0; image_index < 8; ++image_index) {
        const Image image{kRigidSize, image_index >= 4, image_index % 4};
        const FakeWorld seen = image.world(world);
        const auto verdict = [&](double gap) {
            return verify_over(image.route(passing(touch, gap, gear)), seen, touch.agent);
        };
        EXPECT_LEGAL(verdict(0.0));
        EXPECT_LEGAL(verdict(kBodyPlant));
        const Violation bad = verdict(-kBodyPlant);
        ASSERT_EQ(bad.kind, ViolationKind::wall) << bad.text().c_str() << " image " << image_index;
        EXPECT_EQ(bad.leg, 1);
        EXPECT_EQ(bad.cell, image.cell(kRigidWall));
        EXPECT_NEAR(bad.depth, kBodyPlant, 2e-9);
        const Place place = image.place(touch.place);
        const double off = distance(ground(bad.place.position), ground(place.position));
        EXPECT_LE(off, 2.0 * reach(touch.agent) + 1e-3);
        if (touch.turns) {
            EXPECT_EQ(bad.distance, 0.0);
            EXPECT_NEAR(math::wrap_pi(bad.place.heading_rad - place.heading_rad), 0.0, 0.01);
        } else {
            EXPECT_LE(bad.distance, 0.7 * touch.before + 1e-5);
            EXPECT_GE(bad.distance, 0.7 * touch.before - 2.0 * reach(touch.agent) - 0.1);
        }
    }
}

void judge_both_gears(const BodyTouch& touch) {
    judge(touch, Gear::forward);
    if (!touch.turns) judge(touch, Gear::reverse);
}

const std::vector<Agent>& bodies() {
    static const std::vector<Agent> all{
        box_body(2.0, 1.0),          box_body(4.4, 1.8, 1.3),     box_body(1.0, 3.0, -0.4),
        box_body(0.01, 0.01),        box_body(3.0, 0.4, 2.5),     capsule_body(2.0, 0.5),
        capsule_body(4.4, 0.9, 1.3), capsule_body(1.0, 0.5, 0.2), capsule_body(3.0, 0.1, -1.0),
        capsule_body(3.0, 0.1, 2.5),
    };
    return all;
}

/// The unit's right side slides past the wall's corner, which is `along` ahead of the axle.
BodyTouch flank(const Agent& agent, double angle, double along) {
    const Vec2 out = math::direction(angle);
    const double heading = angle - kHalfPi;
    const Vec2 at = kCorner + out * half_width(agent) - math::direction(heading) * along;
    return {agent, place_at(at, heading), out};
}

TEST(RigidPlanted, FlanksPastACorner) {
    for (const Agent& agent : bodies()) {
        for (int i = 1; i < 10; ++i) {
            for (const double along : {-0.3, 0.2}) {
                const double at = agent.axle_offset + along * 2.0 * straight_half(agent);
                BodyTouch touch = flank(agent, kHalfPi * i / 10.0, at);
                touch.before = 3.0 * reach(agent) + 0.5;
                touch.after = reach(agent) + 0.5;
                judge_both_gears(touch);
            }
        }
    }
}

TEST(RigidPlanted, InnerFlanksOnACurve) {
    for (const Agent& agent : bodies()) {
        // The flank is nearest to the middle of the circle abreast of the axle, if it reaches so far.
        if (std::fabs(agent.axle_offset) > straight_half(agent)) continue;
        for (int i = 2; i <= 8; ++i) {
            // Circles so wide that the rest of the tile is inside.
            for (const double wide : {2.0, 8.0, 1e4, 1e9}) {
                const double radius = half_width(agent) + wide;
                BodyTouch touch = flank(agent, kHalfPi * i / 10.0, 0.0);
                touch.curve = -1.0 / radius;
                touch.before = touch.after = std::fmin(0.7 * radius, 3.0 * reach(agent) + 0.5);
                judge_both_gears(touch);
            }
        }
    }
}

/// A corner of the core swings past the wall's upper side; `middle` in the unit's frame.
BodyTouch swing(const Agent& agent, Vec2 corner, Vec2 middle) {
    const double radius = agent.shape == BodyShape::box ? 0.0 : agent.radius;
    const Vec2 arm = corner - middle;
    const double heading = -kHalfPi - math::atan2(arm.y, arm.x);
    return {agent, place_at(kTop + Vec2{0, radius} - in_world(corner, heading), heading), {0, 1}};
}

std::vector<Vec2> core_corners(const Agent& agent) {
    const BodyCore body = body_core(agent);
    return {body.core.low,
            {body.core.high.x, body.core.low.y},
            body.core.high,
            {body.core.low.x, body.core.high.y}};
}

/// Of the corners of the core, one farthest from a place in the unit's frame. Of two that are as far, the one that comes
/// first when the body turns to the side of `sign`.
Vec2 farthest(const Agent& agent, Vec2 middle, double sign) {
    const auto angle = [&](Vec2 c) { return math::atan2(c.y - middle.y, c.x - middle.x); };
    Vec2 far = middle;
    for (const Vec2 c : core_corners(agent)) {
        const double more = distance(c, middle) - distance(far, middle);
        const bool first = math::wrap_pi(angle(far) - angle(c)) * sign < 0.0;
        if (more > 1e-9 || (more > -1e-9 && first)) far = c;
    }
    return far;
}

/// Without a tie between its front and its rear.
Agent off_centre(Agent agent) {
    if (agent.axle_offset == 0.0) agent.axle_offset = 0.2 * agent.length;
    return agent;
}

TEST(RigidPlanted, CornersSwingOnACurve) {
    for (const Agent& each : bodies()) {
        const Agent agent = off_centre(each);
        for (const double radius : {0.4, 1.5, 6.0, 40.0}) {
            for (const Vec2 middle : {Vec2{0, radius}, Vec2{0, -radius}}) {
                BodyTouch touch = swing(agent, farthest(agent, middle, 1.0), middle);
                touch.curve = 1.0 / middle.y;
                touch.before = touch.after = 0.4 * radius;
                judge_both_gears(touch);
            }
        }
    }
}

TEST(RigidPlanted, CornersSwingOnTheSpot) {
    for (const Agent& each : bodies()) {
        const Agent agent = off_centre(each);
        for (const double sign : {1.0, -1.0}) {
            BodyTouch touch = swing(agent, farthest(agent, {}, sign), {});
            touch.turns = true;
            touch.before = sign * 0.5;
            touch.after = sign * 0.4;
            judge_both_gears(touch);
            touch.before = sign * 3.0;
            touch.after = sign * 7.0;  // more than a full turn
            judge_both_gears(touch);
        }
    }
}

TEST(RigidPlanted, StopsInFrontOfAWall) {
    for (const Agent& agent : bodies()) {
        for (const double tilt : {0.0, 0.1, -0.4, 0.7}) {
            const double heading = -kHalfPi + tilt;
            BodyTouch touch{agent, {}, {0, 1}};
            touch.before = 3.0;
            touch.after = 0.0;
            for (const Gear gear : {Gear::forward, Gear::reverse}) {
                const double facing = gear == Gear::forward ? heading : heading + kPi;
                const double radius = agent.shape == BodyShape::box ? 0.0 : agent.radius;
                Vec2 low = in_world(core_corners(agent)[0], facing);
                for (const Vec2 c : core_corners(agent)) {
                    const Vec2 there = in_world(c, facing);
                    if (there.y < low.y) low = there;
                }
                touch.place = place_at(kTop + Vec2{0, radius} - low, facing);
                judge(touch, gear);
            }
        }
    }
}

TEST(RigidPlanted, TheEdgeOfTheMap) {
    const FakeWorld world(kRigidSize, kRigidSize);
    for (const Agent& agent : bodies()) {
        const auto verdict = [&](double gap) {
            const double y = half_width(agent) + gap;
            return verify_over(RouteMaker({8.0, y}).drive(10.0).take(), world, agent);
        };
        EXPECT_LEGAL(verdict(0.0));
        EXPECT_LEGAL(verdict(kBodyPlant));
        EXPECT_KIND(verdict(-kBodyPlant), off_world);
        EXPECT_NEAR(verdict(-kBodyPlant).depth, kBodyPlant, 1e-12);
    }
}

TEST(RigidPlanted, EveryMapSizeKeepsThePromise) {
    for (const std::int32_t size : {16, 100, 1000, 4096}) {
        FakeWorld world(size, 8);
        world.set({size / 2, 2, 0}, 0);
        const double plant = std::max(kBodyPlant, 4.0 * tile_contact_slack({}, 1.0, size, 8));
        for (const Agent& agent : {box_body(4, 1.5, 1), capsule_body(4, 0.75, 1)}) {
            const auto verdict = [&](double gap) {
                return verify_over(RouteMaker({4.0, 3.75 + gap}).drive(size - 8.0).take(), world, agent);
            };
            EXPECT_LEGAL(verdict(0.0));
            EXPECT_LEGAL(verdict(plant));
            EXPECT_KIND(verdict(-plant), wall);
        }
    }
}

TEST(RigidPlanted, FarAndOddlyScaledMaps) {
    FakeWorld world = one_middle_wall();
    for (const double cell_size : {0.01, 100.0, 1.0 / 3.0}) {
        for (const Vec2 origin : {Vec2{0, 0}, Vec2{1e6, 1e6}, Vec2{-1e6, 1e6 / 3}}) {
            world.at_origin = origin;
            world.size_of_cell = cell_size;
            const double plant =
                std::max(kBodyPlant, 4.0 * tile_contact_slack(origin, cell_size, kRigidSize, kRigidSize));
            for (const Agent& small : bodies()) {
                Agent agent = small;
                for (double* v : {&agent.radius, &agent.length, &agent.width, &agent.axle_offset})
                    *v *= cell_size;
                const BodyTouch touch = flank(small, 0.7, small.axle_offset);
                const auto verdict = [&](double gap) {
                    const Route route = passing(touch, gap, Gear::forward);
                    return verify_over(testing::placed(route, origin, cell_size), world, agent);
                };
                EXPECT_LEGAL(verdict(0.0));
                EXPECT_LEGAL(verdict(plant));
                EXPECT_KIND(verdict(-plant), wall);
                EXPECT_NEAR(verdict(-plant).depth / cell_size, plant, 0.05 * plant);
            }
        }
    }
}

TEST(RigidPlanted, SlackIsAsStated) {
    // Bodies with a radius on both sides of it, boxes below 0.58 of it and above it.
    const FakeWorld world = one_middle_wall();
    Rng rng(3);
    for (int i = 0; i < testing::trials(2000); ++i) {
        const Agent agent = testing::random_body(rng, 3.0);
        if (half_width(agent) < 1e-3) continue;
        BodyTouch touch = flank(agent, rng.between(0.05, 1.5), agent.axle_offset);
        const auto verdict = [&](double gap) {
            return verify_over(passing(touch, gap, i % 4 < 2 ? Gear::forward : Gear::reverse), world, agent);
        };
        EXPECT_LEGAL(verdict((agent.shape == BodyShape::box ? -0.57 : -0.999) * kSlack));
        EXPECT_KIND(verdict(-1.001 * kSlack), wall);
    }
}

TEST(RigidPlanted, NothingSlipsBetweenTwoWalls) {
    FakeWorld world(kRigidSize, kRigidSize);
    for (std::int32_t x = 0; x < kRigidSize; ++x) world.set({x, 10, 0}, 0);
    // Along the side that two tiles share, as thin as can be: in from above, and standing there.
    for (const Agent& thin : {box_body(2, 1e-12), box_body(2, 1e-7), capsule_body(2, 0.0),
                              capsule_body(2, 1e-9), capsule_body(0, 0.0), box_body(2, 0.3)}) {
        EXPECT_KIND(verify_over(RouteMaker({12.0, 14.0}, -kHalfPi).drive(3.5).take(), world, thin), wall);
        EXPECT_KIND(verify_over(RouteMaker({12.0, 10.5}, -kHalfPi).take(), world, thin), wall);
        EXPECT_LEGAL(
            verify_over(RouteMaker({12.0, 14.0}, -kHalfPi).drive(2.0 - thin.radius).take(), world, thin));
        // Corners that meet leave a way for a line, straight through.
        FakeWorld crossing(kRigidSize, kRigidSize);
        crossing.set({9, 9, 0}, 0);
        crossing.set({10, 10, 0}, 0);
        if (half_width(thin) > 1e-8) continue;
        EXPECT_LEGAL(verify_over(RouteMaker({8.0, 12.0}, -kHalfPi / 2).drive(2.0 * std::sqrt(8.0)).take(),
                                 crossing, thin));
    }
}

TEST(RigidPlanted, ACrossOfBodyAndWall) {
    // No corner is in the other one: a long box stands across a thin blocker.
    const FakeWorld world(kRigidSize, kRigidSize);
    for (const double heading : {0.0, 0.3, kHalfPi}) {
        Blocker blocker;
        blocker.box = {{5, 14.9}, {25, 15.1}};
        const Route route = RouteMaker({15, 15}, heading).take();
        const std::vector<Blocker> all{blocker};
        for (const Agent& agent : {box_body(8, 0.5), capsule_body(8, 0.1), capsule_body(8, 0.0)}) {
            const Violation bad = verify_over(route, world, agent, {.blockers = all});
            EXPECT_KIND(bad, blocker);
            EXPECT_EQ(bad.index, 0);
        }
    }
}

TEST(RigidPlanted, ClaimsAreMeasuredFromTheAxle) {
    FakeWorld world = one_middle_wall();
    const Agent agent = box_body(2, 1, 1);
    const auto verdict = [&](double claim) {
        return verify_over(RouteMaker({25.0, 32.0}, 0.0).drive(8.0).claim(claim).take(), world, agent);
    };
    EXPECT_LEGAL(verdict(0.2));
    EXPECT_LEGAL(verdict(1.0));
    const Violation bad = verdict(1.0 + kBodyPlant);
    EXPECT_KIND(bad, clearance);
    EXPECT_EQ(bad.cell, kRigidWall);
    EXPECT_NEAR(bad.depth, kBodyPlant, 1e-9);
}

}  // namespace
}  // namespace fairlead
