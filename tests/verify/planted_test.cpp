// Penetrations of 1e-6 tiles (four slacks, where a map is so wide or far that this is more) are planted in every orientation, and near
// misses beside them: the first are always found, with leg, place and depth; the second never.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/math/contact.h>

#include "support/environment.h"
#include "support/fake_world.h"
#include "support/route_images.h"
#include "support/route_maker.h"
#include "support/violation_checks.h"
#include "verify/check.h"

namespace fairlead {
namespace {

using testing::FakeWorld;
using testing::Image;
using testing::RouteMaker;
using witness::verify_over;

constexpr double kPlant = 1e-6;
constexpr std::int32_t kSize = 21;
constexpr Cell kWall{10, 10, 0};

/// A contact: where the body's centre is when it touches, which way is out of the wall, and the body.
struct Touch {
    Vec2 centre;
    Vec2 out;
    Agent agent;
    double share = 1.0;  ///< depth per distance moved into the wall
};

/// Where two corners meet, the way out is to the nearer side, not straight back.
double corner_share(double angle) { return 1.0 / (std::cos(angle) + std::sin(angle)); }

Touch corner_touch(double radius, double angle) {
    const Vec2 out = math::direction(angle);
    return {Vec2{11, 11} + out * radius,
            out,
            {.radius = radius, .footprint = 0},
            radius > 0.0 ? 1.0 : corner_share(angle)};
}

Touch side_touch(double radius, double along) {
    return {Vec2{10 + along, 11 + radius}, {0, 1}, {.radius = radius, .footprint = 0}};
}

Touch square_touch(std::int32_t n, double along) {
    return {Vec2{10 + along, 11 + 0.5 * n}, {0, 1}, {.radius = 0.0, .footprint = n}};
}

/// A square's corner against the wall's, on a slanted path.
Touch square_corner_touch(std::int32_t n, double angle) {
    return {Vec2{11 + 0.5 * n, 11 + 0.5 * n},
            math::direction(angle),
            {.radius = 0.0, .footprint = n},
            corner_share(angle)};
}

/// Three legs: up to the contact from a bend, past it by `after`, and away. The middle one touches at its
/// distance `before`, moved by `gap` away from the wall.
Route passing(const Touch& touch, double gap, double curvature, double before, double after) {
    const Vec2 at = touch.centre + touch.out * gap;
    const double heading = math::atan2(-touch.out.x, touch.out.y);  // the wall is on the right
    Leg back;
    back.start.position = {at.x, at.y, 0.0};
    back.start.heading_rad = heading + kPi;
    back.curvature = -curvature;
    back.length = before;
    Place start = place_on_leg(back, before);
    start.heading_rad -= kPi;
    const Vec2 first = ground(start.position);
    const Vec2 bend = first + touch.out * 2.0;
    RouteMaker maker(bend);
    maker.line_to(first);
    RouteMaker middle(first, start.heading_rad);
    middle.drive(before + after, curvature);
    const Route arc = middle.take();
    Route route = maker.take();
    FAIRLEAD_ASSERT(route.legs.push_back(arc.legs[0]));
    route.end = arc.end;
    RouteMaker away(ground(arc.end.position));
    away.line_to(ground(arc.end.position) + touch.out * 2.0);
    const Route last = away.take();
    FAIRLEAD_ASSERT(route.legs.push_back(last.legs[0]));
    route.end = last.end;
    route.length = 0.0;
    for (const Leg& leg : route.legs) route.length += leg.length;
    return route;
}

/// 1e-6 cells, or more where the slack (1e-9 of a wide map, 2^-44 of a far origin) comes near that.
double deeper_than_slack(Vec2 origin, double cell_size, std::int32_t size) {
    return std::max(kPlant, 4.0 * tile_contact_slack(origin, cell_size, size, 4));
}

FakeWorld one_wall() {
    FakeWorld world(kSize, kSize);
    world.set(kWall, 0);
    return world;
}

void judge_all_images(const Touch& touch, double curvature, double before, double after) {
    const FakeWorld world = one_wall();
    for (int image_index = 0; image_index < 8; ++image_index) {
        const Image image{kSize, image_index >= 4, image_index % 4};
        const FakeWorld seen = image.world(world);
        const auto judge = [&](double gap) {
            return verify_over(image.route(passing(touch, gap, curvature, before, after)), seen, touch.agent);
        };
        EXPECT_LEGAL(judge(0.0));
        EXPECT_LEGAL(judge(kPlant));
        const Violation bad = judge(-kPlant);
        ASSERT_EQ(bad.kind, ViolationKind::wall) << bad.text().c_str() << " image " << image_index;
        EXPECT_EQ(bad.leg, 1);
        EXPECT_EQ(bad.cell, image.cell(kWall));
        EXPECT_NEAR(bad.depth, kPlant * touch.share, 1e-9);
        // The centre's place is found to within what a penetration of 1e-6 can tell: side contacts are long.
        const Vec2 place = image.point(touch.centre);
        EXPECT_NEAR(bad.place.position.x, place.x, 1.1 + 0.5 * touch.agent.footprint);
        EXPECT_NEAR(bad.place.position.y, place.y, 1.1 + 0.5 * touch.agent.footprint);
        EXPECT_LE(bad.distance, before + 1e-5);
        EXPECT_GE(bad.distance, before - 1.5 - touch.agent.radius - 0.5 * touch.agent.footprint);
    }
}

const std::vector<double> kRadii{0.0, 0.1, 0.5, 0.7071, 1.2, 3.0};

TEST(Planted, LinesPastACorner) {
    for (const double radius : kRadii) {
        for (int i = 1; i < 10; ++i)
            judge_all_images(corner_touch(radius, kHalfPi * i / 10.0), 0.0, 2.3, 1.9);
    }
}

TEST(Planted, ArcsPastACornerBothWays) {
    for (const double radius : kRadii) {
        for (int i = 3; i <= 7; ++i) {
            for (const double curvature : {0.5, 0.05, 1e-4, 1e-9, -1e-9, -1e-4, -0.05, -0.1}) {
                judge_all_images(corner_touch(radius, kHalfPi * i / 10.0), curvature, 1.3, 1.1);
            }
        }
    }
}

TEST(Planted, LinesAlongASide) {
    for (const double radius : kRadii) {
        for (const double along : {0.0, 0.3, 1.0}) judge_all_images(side_touch(radius, along), 0.0, 2.5, 2.5);
    }
}

TEST(Planted, ArcsOnASide) {
    for (const double radius : kRadii) {
        for (const double along : {0.1, 0.5, 0.9}) {
            for (const double curvature : {2.0, 0.5, 0.01})
                judge_all_images(side_touch(radius, along), curvature, 0.7, 0.7);
        }
    }
}

TEST(Planted, Footprints) {
    for (const std::int32_t n : {1, 2, 3, 4}) {
        for (const double along : {0.0, 0.5, 1.0}) {
            judge_all_images(square_touch(n, along), 0.0, 5.0, 1.0);
            judge_all_images(square_touch(n, along), 0.25, 3.5, 1.0);
        }
    }
}

TEST(Planted, FootprintsCornerToCorner) {
    for (const std::int32_t n : {1, 2, 3}) {
        for (int i = 2; i <= 8; ++i) {
            for (const double curvature : {0.0, 0.3, -0.02}) {
                judge_all_images(square_corner_touch(n, kHalfPi * i / 10.0), curvature, 1.0, 1.0);
            }
        }
    }
}

TEST(Planted, EveryMapSizeKeepsThePromise) {
    for (const std::int32_t size : {4, 100, 1000, 4096}) {
        FakeWorld world(size, 4);
        world.set({size / 2, 0, 0}, 0);
        const double plant = deeper_than_slack({}, 1.0, size);
        const auto judge = [&](double gap) {
            const double y = 1.5 + gap;
            return verify_over(testing::polyline({{0.5, y}, {size - 0.5, y}}), world,
                               {.radius = 0.5, .footprint = 0});
        };
        EXPECT_LEGAL(judge(0.0));
        EXPECT_KIND(judge(-plant), wall);
        EXPECT_LEGAL(judge(plant));
    }
}

TEST(Planted, FarAndOddlyScaledMaps) {
    FakeWorld world = one_wall();
    for (const double cell_size : {0.01, 1.0, 100.0, 1.0 / 3.0}) {
        for (const Vec2 origin : {Vec2{0, 0}, Vec2{1e6, 1e6}, Vec2{-1e6, 1e6 / 3}, Vec2{0.1, -1e6}}) {
            world.at_origin = origin;
            world.size_of_cell = cell_size;
            const double plant = deeper_than_slack(origin, cell_size, kSize);
            for (int i = 1; i < 10; ++i) {
                for (const double curvature : {0.0, 0.3, -0.1}) {
                    Touch touch = corner_touch(0.7, kHalfPi * i / 10.0);
                    touch.agent.radius *= cell_size;
                    const auto judge = [&](double gap) {
                        const Route route =
                            testing::placed(passing(touch, gap, curvature, 1.5, 1.5), origin, cell_size);
                        return verify_over(route, world, touch.agent);
                    };
                    EXPECT_LEGAL(judge(0.0));
                    EXPECT_LEGAL(judge(plant));
                    const Violation bad = judge(-plant);
                    EXPECT_KIND(bad, wall);
                    EXPECT_EQ(bad.leg, 1);
                    EXPECT_NEAR(bad.depth / cell_size, plant, 0.05 * plant);
                }
            }
        }
    }
}

TEST(Planted, AnyDirectionAtAnyDepth) {
    // The slack of this map is 1e-9 x 21: depths on both sides of it are told apart.
    const FakeWorld world = one_wall();
    const double slack = 21e-9;
    Rng rng(3);
    for (int i = 0; i < testing::trials(2000); ++i) {
        const Touch touch = corner_touch(rng.between(0.0, 2.0), rng.between(0.05, 1.5));
        const double curvature = i % 2 == 0 ? 0.0 : rng.between(-0.1, 0.5);
        const double before = rng.between(0.5, 2.0);
        const auto judge = [&](double gap) {
            return verify_over(passing(touch, gap, curvature, before, 1.0), world, touch.agent);
        };
        EXPECT_LEGAL(judge(-0.999 * slack));
        EXPECT_KIND(judge(-1.001 * slack), wall);
    }
}

}  // namespace
}  // namespace fairlead
