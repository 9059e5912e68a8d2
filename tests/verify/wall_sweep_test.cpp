// A disc along a straight line among the walls of a roadmap: planted overlaps, and random walls against dense sampling.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/verify/verify_roadmap.h>

#include "support/dense_walls.h"
#include "support/environment.h"
#include "support/roadmaps.h"
#include "support/route_maker.h"
#include "support/violation_checks.h"

namespace fairlead {
namespace {

using testing::PlainRoadmap;
using testing::polyline;

constexpr double kWallPlant = 1e-6;

/// A net far from everything, so that all routes here are one leg from off the net to off the net.
PlainRoadmap walls_only() {
    PlainRoadmap world;
    world.node(1, -1, -1);
    world.node(2, -1, 20);
    return world;
}

Violation judge(const Roadmap& roadmap, Vec2 a, Vec2 b, double radius) {
    return verify(polyline({a, b}), roadmap, {.radius = radius}, {.check_revision = false});
}

Vec2 turned(Vec2 p, double angle, Vec2 by) {
    const Vec2 e = math::direction(angle);
    return Vec2{p.x * e.x - p.y * e.y, p.x * e.y + p.y * e.x} + by;
}

/// A wall, and a line that touches it when moved by `gap` = 0; `out` is away from the wall.
struct WallTouch {
    std::vector<Vec2> wall;
    bool closed = true;
    Vec2 a, b, out;
    double radius = 0.0;
    double share = 1.0;  ///< depth per distance moved
};

const std::vector<Vec2> kBlock{{2, 2}, {6, 2}, {6, 5}, {2, 5}};
const std::vector<Vec2> kBow{{2, 2}, {6, 5}, {6, 2}, {2, 5}};  // crosses itself
const std::vector<Vec2> kFence{{2, 2}, {6, 2}};

std::vector<WallTouch> touches() {
    const double s = std::sqrt(0.5);
    return {
        {kBlock, true, {0, 1.5}, {8, 1.5}, {0, -1}, 0.5},  // along a side
        {kBlock, true, {3, 1.5}, {4, 1.5}, {0, -1}, 0.5},  // along a part of it
        {kBlock, true, {3, -2}, {3, 1.5}, {0, -1}, 0.5},   // head on
        {kBlock, true, {0, 4 - std::sqrt(0.5)}, {4 - std::sqrt(0.5), 0}, {-s, -s}, 0.5},  // past a corner
        {kBlock, true, {0, 2}, {8, 2}, {0, -1}, 0.0},
        {kBlock, true, {3, 2}, {4, 2}, {0, -1}, 0.0},
        {kBlock, true, {3, -2}, {3, 2}, {0, -1}, 0.0},
        {kBlock, true, {0, 4}, {4, 0}, {-s, -s}, 0.0, s},
        {kBow, true, {6.25, 0}, {6.25, 8}, {1, 0}, 0.25},
        {kBow, true, {6, 0}, {6, 8}, {1, 0}, 0.0},
        {kFence, false, {0, 1.5}, {8, 1.5}, {0, -1}, 0.5},
        {kFence, false, {7, -2}, {7, 6}, {1, 0}, 1.0},
        {kFence, false, {3, -2}, {3, 2}, {0, -1}, 0.0},
        {kFence, false, {6, -2}, {6, 6}, {1, 0}, 0.0},
    };
}

TEST(WallSweep, PlantedOverlapsInEveryDirection) {
    for (const Vec2 origin : {Vec2{0, 0}, Vec2{5, 3}, Vec2{30000, -7000}}) {
        for (double angle = 0.0; angle < 6.0; angle += 0.37) {
            for (const WallTouch& touch : touches()) {
                PlainRoadmap plain;
                plain.node(1, origin.x - 20, origin.y);
                plain.node(2, origin.x + 20, origin.y);
                std::vector<Vec2> points;
                for (const Vec2 p : touch.wall) points.push_back(turned(p, angle, origin));
                plain.wall({{origin.x - 19, origin.y - 19}, {origin.x - 19, origin.y - 18}}, false);
                plain.wall(points, touch.closed);
                const Roadmap roadmap = plain.make();
                const auto at = [&](double gap, bool back) {
                    const Vec2 a = turned(touch.a + touch.out * gap, angle, origin);
                    const Vec2 b = turned(touch.b + touch.out * gap, angle, origin);
                    return back ? judge(roadmap, b, a, touch.radius) : judge(roadmap, a, b, touch.radius);
                };
                for (const bool back : {false, true}) {
                    EXPECT_LEGAL(at(0.0, back));
                    EXPECT_LEGAL(at(kWallPlant, back));
                    const Violation bad = at(-kWallPlant, back);
                    ASSERT_EQ(bad.kind, ViolationKind::wall) << bad.text().c_str() << " angle " << angle;
                    EXPECT_EQ(bad.leg, 0);
                    EXPECT_EQ(bad.index, 1);
                    EXPECT_NEAR(bad.depth, kWallPlant * touch.share, 1e-9);
                    const Vec2 a = turned(touch.a, angle, origin);
                    const Vec2 b = turned(touch.b, angle, origin);
                    EXPECT_LE(testing::dense_walls::distance_to_side(
                                  {bad.place.position.x, bad.place.position.y}, {a.x, a.y}, {b.x, b.y}),
                              2e-6L);
                }
            }
        }
    }
}

/// Depths on both sides of the slack are told apart: past a corner, for discs and points, for polygons and lines.
TEST(WallSweep, TheSlackIsWhatTheHeaderSays) {
    Rng rng(11);
    for (int i = 0; i < testing::trials(3000); ++i) {
        PlainRoadmap plain;
        plain.node(1, -20, -20);
        plain.node(2, 20, 20);
        const double slack = 40e-9;
        const double angle = rng.between(0.0, 6.28);
        const bool closed = i % 2 == 0;
        // A spike that points to +x, whose tip is at the origin.
        std::vector<Vec2> spike{{-4, 3}, {0, 0}, {-4, -3}};
        for (Vec2& p : spike) p = turned(p, angle, {1, 2});
        plain.wall(spike, closed);
        const Roadmap roadmap = plain.make();
        // A spike of a line is as thin as its sides: a point must come all the way to its inner side.
        const double radius = closed && i % 3 == 0 ? 0.0 : rng.between(0.1, 3.0);
        const auto at = [&](double depth) {
            const double x = radius - depth;
            return judge(roadmap, turned({x, -5}, angle, {1, 2}), turned({x, 6}, angle, {1, 2}), radius);
        };
        // Inside the tip of the polygon the outline is nearer than the tip: by the sine of half its angle.
        const double share = radius == 0.0 ? 0.6 : 1.0;
        EXPECT_LEGAL(at(0.999 * slack / share));
        EXPECT_KIND(at(1.001 * slack / share), wall);
    }
}

TEST(WallSweep, WhatIsSolid) {
    PlainRoadmap plain = walls_only();
    plain.wall(kBow, true);
    plain.wall({{10, 2}, {14, 2}, {14, 5}, {10, 5}}, true);
    plain.wall({{12, 3}, {16, 3}, {16, 6}, {12, 6}}, true);  // overlaps the one before: both are solid there
    plain.wall({{14, 0}, {16, 0}, {16, 2}, {14, 2}}, true);
    plain.wall({{16, 0}, {18, 0}, {18, 2}, {16, 2}}, true);  // side to side with it
    const Roadmap roadmap = plain.make();
    EXPECT_LEGAL(judge(roadmap, {4, 0}, {4, 3}, 0.0));  // between the wings of the bow
    EXPECT_KIND(judge(roadmap, {2.5, 0}, {2.5, 3.5}, 0.0), wall);
    EXPECT_LEGAL(judge(roadmap, {4, 0}, {4, 8}, 0.0));  // through the knot: the wings only touch
    EXPECT_KIND(judge(roadmap, {4, 0}, {4, 8}, 0.01), wall);
    EXPECT_KIND(judge(roadmap, {12.5, 3.5}, {13.5, 4.5}, 0.0), wall);  // wholly inside two
    EXPECT_KIND(judge(roadmap, {13, 4}, {13, 4}, 0.0), wall);
    EXPECT_LEGAL(judge(roadmap, {16, -1}, {16, 3}, 0.0));  // each wall by itself
    EXPECT_EQ(judge(roadmap, {11, 4}, {11.5, 4}, 0.0).index, 1);
    EXPECT_NEAR(judge(roadmap, {11, 4}, {11.5, 4}, 0.0).depth, 1.0, 1e-9);
    EXPECT_NEAR(judge(roadmap, {11, 4}, {11.5, 4}, 0.25).depth, 1.25, 1e-9);
}

TEST(WallSweep, APointAndThinLines) {
    PlainRoadmap plain = walls_only();
    plain.wall({{2, 2}, {4, 4}, {6, 2}}, false);              // a roof
    plain.wall({{10, 2}, {12, 2}, {12, 4}, {14, 4}}, false);  // a step
    const Roadmap roadmap = plain.make();
    EXPECT_LEGAL(judge(roadmap, {0, 4}, {8, 4}, 0.0));  // grazes the ridge
    EXPECT_KIND(judge(roadmap, {0, 4 - 1e-6}, {8, 4 - 1e-6}, 0.0), wall);
    EXPECT_KIND(judge(roadmap, {4, 0}, {4, 8}, 0.0), wall);  // through the ridge
    EXPECT_LEGAL(judge(roadmap, {4, 0}, {4, 4}, 0.0));
    EXPECT_LEGAL(judge(roadmap, {1, 1}, {5, 5}, 0.0));         // along one side of the roof and on
    EXPECT_KIND(judge(roadmap, {12, 0}, {12, 8}, 0.0), wall);  // slides, but comes out on the other side
    EXPECT_LEGAL(judge(roadmap, {12, 0}, {12, 4}, 0.0));
    EXPECT_LEGAL(judge(roadmap, {12, 3}, {12, 3}, 0.0));  // standing on it
    EXPECT_NEAR(judge(roadmap, {11, 1}, {11, 2.25}, 0.0).depth, 0.25, 1e-9);
}

PlainRoadmap random_walls(Rng& rng) {
    PlainRoadmap plain = walls_only();
    const std::uint32_t count = 1 + rng.below(4);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec2 middle{rng.between(0.0, 12.0), rng.between(0.0, 12.0)};
        const bool closed = rng.below(3) != 0;
        std::vector<Vec2> points;
        const std::uint32_t corners = (closed ? 3 : 2) + rng.below(5);
        for (std::uint32_t k = 0; k < corners; ++k) {
            points.push_back(middle + Vec2{rng.between(-3.0, 3.0), rng.between(-3.0, 3.0)});
        }
        plain.wall(points, closed);
    }
    return plain;
}

TEST(WallSweep, AgreesWithDenseSampling) {
    Rng rng(20260301);
    int legal = 0;
    int illegal = 0;
    constexpr int kSteps = 1500;
    for (int i = 0; i < testing::trials(1500); ++i) {
        const PlainRoadmap plain = random_walls(rng);
        const Roadmap roadmap = plain.make();
        const Vec2 a{rng.between(0.0, 12.0), rng.between(0.0, 12.0)};
        const Vec2 b = i % 10 == 0 ? a : a + Vec2{rng.between(-4.0, 4.0), rng.between(-4.0, 4.0)};
        const double radius = rng.below(3) == 0 ? 0.0 : rng.between(0.0, 1.0);
        const Violation bad = judge(roadmap, a, b, radius);
        const double band = length(b - a) / kSteps;  // what the sampler may miss
        testing::dense_walls::Deepest worst;
        bool crossed = false;
        for (std::size_t w = 0; w < plain.walls.size(); ++w) {
            const auto found = testing::dense_walls::along(plain, w, a, b, radius, kSteps);
            if (found.depth > worst.depth) worst = found;
            crossed = crossed ||
                      (!plain.walls[w].closed && testing::dense_walls::crosses(plain, plain.walls[w], a, b));
            if (bad && bad.index == static_cast<std::int64_t>(w) && (radius > 0.0 || plain.walls[w].closed)) {
                ASSERT_NEAR(bad.depth, static_cast<double>(found.depth), band + 1e-9) << i;
                const auto there = testing::dense_walls::depth_at(
                    plain, plain.walls[w], {bad.place.position.x, bad.place.position.y}, radius);
                ASSERT_NEAR(bad.depth, static_cast<double>(there), 1e-7) << i;
            }
        }
        ASSERT_TRUE(!bad || bad.kind == ViolationKind::wall) << bad.text().c_str();
        if (worst.depth > 1e-7L || crossed) {
            ASSERT_TRUE(bad) << i << " depth " << static_cast<double>(worst.depth);
        }
        if (worst.depth < -band - 1e-9 && !crossed) {
            ASSERT_FALSE(bad) << i << ' ' << bad.text().c_str();
        }
        ++(bad ? illegal : legal);
    }
    if (testing::all_trials()) {
        EXPECT_GT(legal, 200);
        EXPECT_GT(illegal, 200);
    }
}

/// Nothing overlaps before it begins, and at once afterwards something does.
TEST(WallSweep, BeginsWhereItSays) {
    Rng rng(5);
    int checked = 0;
    for (int i = 0; i < testing::trials(3000); ++i) {
        const Roadmap roadmap = random_walls(rng).make();
        const Vec2 a{rng.between(0.0, 12.0), rng.between(0.0, 12.0)};
        const Vec2 b = a + Vec2{rng.between(-6.0, 6.0), rng.between(-6.0, 6.0)};
        const double radius = i % 3 == 0 ? 0.0 : rng.between(0.0, 1.0);
        const Violation bad = judge(roadmap, a, b, radius);
        if (!bad || bad.distance < 1e-5) continue;
        const Vec2 along = (b - a) * (1.0 / length(b - a));
        ASSERT_FALSE(judge(roadmap, a, a + along * (bad.distance - 1e-6), radius)) << i;
        ASSERT_TRUE(judge(roadmap, a, a + along * (bad.distance + 1e-3), radius)) << i;
        ++checked;
    }
    if (testing::all_trials()) {
        EXPECT_GT(checked, 500);
    }
}

}  // namespace
}  // namespace fairlead
