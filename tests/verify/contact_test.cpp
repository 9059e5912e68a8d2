// Hand cases: what touches is legal, what overlaps is not, and the report says where.
#include <gtest/gtest.h>

#include "support/fake_world.h"
#include "support/route_maker.h"
#include "support/violation_checks.h"
#include "verify/check.h"
#include "verify/tile_agents.h"

namespace fairlead {
namespace {

using testing::disc;
using testing::FakeWorld;
using testing::polyline;
using testing::RouteMaker;
using testing::square;
using witness::verify_over;

const Agent kPoint{};

Violation judge(const Route& route, const FakeWorld& world, const Agent& agent) {
    return verify_over(route, world, agent);
}

TEST(Contact, DiscFitsExactlyIntoACorridor) {
    const FakeWorld world({"#####", ".....", "#####"});
    const Route route = polyline({{1, 1.5}, {4, 1.5}});
    EXPECT_LEGAL(judge(route, world, disc(0.5)));
    const Violation bad = judge(route, world, disc(0.5 + 1e-6));
    EXPECT_KIND(bad, wall);
    EXPECT_EQ(bad.leg, 0);
    EXPECT_EQ(bad.distance, 0.0);
    EXPECT_NEAR(bad.depth, 1e-6, 1e-9);
}

TEST(Contact, DiscFitsExactlyIntoAVerticalAndABentCorridor) {
    const FakeWorld world({"#.###", "#.###", "#....", "#####"});
    const Route route = polyline({{1.5, 3.5}, {1.5, 1.5}, {4.5, 1.5}});
    EXPECT_LEGAL(judge(route, world, disc(0.5)));
    EXPECT_KIND(judge(route, world, disc(0.500001)), off_world);  // the top edge comes first
    const Route lower = polyline({{1.5, 2.5}, {1.5, 1.5}, {4.0, 1.5}});
    EXPECT_KIND(judge(lower, world, disc(0.500001)), wall);
}

TEST(Contact, DiscRollsAroundACorner) {
    FakeWorld world(7, 7);
    world.set({2, 2, 0}, 0);
    // Quarter circle of radius r around the corner (2, 3), from its left to above it.
    for (const double r : {0.25, 0.5, 0.75, 0.99}) {
        const auto around = [&](double gap) {
            return RouteMaker({2.0 - r - gap, 3.0}, kHalfPi)
                .drive((r + gap) * kHalfPi, -1.0 / (r + gap))
                .take();
        };
        EXPECT_LEGAL(judge(around(0.0), world, disc(r)));
        EXPECT_LEGAL(judge(around(1e-6), world, disc(r)));
        const Violation bad = judge(around(-1e-6), world, disc(r));
        EXPECT_KIND(bad, wall);
        EXPECT_EQ(bad.cell, (Cell{2, 2, 0}));
        EXPECT_NEAR(bad.depth, 1e-6, 1e-10);
        EXPECT_NEAR(bad.distance, 0.0, 1e-3);
    }
}

TEST(Contact, PointMayTouchWallsOnEverySide) {
    const FakeWorld world({".....", ".###.", ".#.#.", ".###.", "....."});
    EXPECT_LEGAL(judge(polyline({{1, 1}, {4, 1}, {4, 4}, {1, 4}, {1, 1}}), world, kPoint));
    EXPECT_LEGAL(judge(polyline({{2, 2}, {3, 2}, {3, 3}, {2, 3}, {2, 2}, {3, 3}}), world, kPoint));
    EXPECT_LEGAL(judge(polyline({{0, 0}, {5, 0}, {5, 5}, {0, 5}, {0, 0}}), world, kPoint));
    EXPECT_LEGAL(judge(polyline({{0, 2}, {2, 0}}), world, kPoint));  // through the corner (1, 1)
    EXPECT_KIND(judge(polyline({{0, 2.00001}, {2.00001, 0}}), world, kPoint), wall);
}

TEST(Contact, DiagonalSqueezeIsForPointsOnly) {
    const FakeWorld world({"#.", ".#"});
    const Route route = polyline({{0.5, 0.5}, {1.5, 1.5}});
    EXPECT_LEGAL(judge(route, world, kPoint));
    const Violation bad = judge(route, world, disc(1e-6));
    EXPECT_KIND(bad, wall);
    EXPECT_NEAR(bad.depth, 1e-6, 1e-12);
    EXPECT_NEAR(bad.place.position.x, 1.0, 1e-9);
    EXPECT_NEAR(bad.place.position.y, 1.0, 1e-9);
    EXPECT_NEAR(bad.distance, std::sqrt(0.5), 2e-6);
    EXPECT_KIND(judge(route, world, square(1)), wall);
    // The other diagonal is shut.
    EXPECT_KIND(judge(polyline({{0.5, 1.5}, {1.5, 0.5}}), world, kPoint), wall);
}

TEST(Contact, NoSeamBetweenWalls) {
    const FakeWorld pair({"....", ".##.", "...."});
    EXPECT_KIND(judge(polyline({{2, 0.5}, {2, 2.5}}), pair, kPoint), wall);
    EXPECT_KIND(judge(polyline({{2, 0.5}, {2, 2.5}}), pair, disc(1e-12)), wall);
    const FakeWorld stack({"...", ".#.", ".#.", "..."});
    EXPECT_KIND(judge(polyline({{0.5, 2}, {2.5, 2}}), stack, kPoint), wall);
    const FakeWorld block({"....", ".##.", ".##.", "...."});
    EXPECT_KIND(judge(polyline({{0.5, 0.5}, {3.5, 3.5}}), block, kPoint), wall);
    EXPECT_KIND(judge(polyline({{0.5, 2}, {3.5, 2}}), block, kPoint), wall);
    EXPECT_KIND(judge(RouteMaker({2, 2}).take(), block, kPoint), wall);
    // Between a wall and the edge of the map.
    const FakeWorld edge({"...", "#..", "..."});
    EXPECT_KIND(judge(polyline({{0, 0.5}, {0, 2.5}}), edge, kPoint), wall);
    EXPECT_KIND(judge(polyline({{0, 2.5}, {0, 0.5}}), edge, kPoint), wall);
    EXPECT_LEGAL(judge(polyline({{1, 0.5}, {1, 2.5}}), edge, kPoint));
    // An L of three walls leaves its inner corner open.
    const FakeWorld corner({"....", ".#..", ".##.", "...."});
    EXPECT_LEGAL(judge(polyline({{3, 3}, {2, 2}, {2, 3.5}}), corner, kPoint));
}

/// Every map of 3 x 3 tiles, every side and diagonal of a tile, every corner: a point may be on a side unless
/// both tiles along it are walls, on a diagonal if its tile is free, on a corner unless all four are walls.
TEST(Contact, EverySideAndDiagonalOfEverySmallMap) {
    constexpr std::int32_t n = 3;
    for (std::uint32_t map = 0; map < 512; ++map) {
        FakeWorld world(n, n);
        for (std::int32_t i = 0; i < n * n; ++i) world.set({i % n, i / n, 0}, (map >> i & 1U) != 0 ? 0 : 1);
        const auto wall = [&](std::int32_t x, std::int32_t y) { return world.blocked({x, y, 0}); };
        const auto legal = [&](Vec2 a, Vec2 b) { return !judge(polyline({a, b}), world, kPoint); };
        for (std::int32_t y = 0; y <= n; ++y) {
            for (std::int32_t x = 0; x <= n; ++x) {
                const Vec2 p{static_cast<double>(x), static_cast<double>(y)};
                const Vec2 right = p + Vec2{1, 0};
                const Vec2 up = p + Vec2{0, 1};
                const bool corner = !(wall(x, y) && wall(x - 1, y) && wall(x, y - 1) && wall(x - 1, y - 1));
                ASSERT_EQ(legal(p, p), corner) << map << " (" << x << ", " << y << ")";
                if (x < n) {
                    const bool open = !(wall(x, y) && wall(x, y - 1));
                    ASSERT_EQ(legal(p, right), open) << map << " (" << x << ", " << y << ") right";
                    ASSERT_EQ(legal(right, p), open) << map << " (" << x << ", " << y << ") back";
                }
                if (y < n) {
                    const bool open = !(wall(x, y) && wall(x - 1, y));
                    ASSERT_EQ(legal(p, up), open) << map << " (" << x << ", " << y << ") up";
                    ASSERT_EQ(legal(up, p), open) << map << " (" << x << ", " << y << ") down";
                }
                if (x < n && y < n) {
                    ASSERT_EQ(legal(p, p + Vec2{1, 1}), !wall(x, y));
                    ASSERT_EQ(legal(up, right), !wall(x, y));
                }
            }
        }
    }
}

TEST(Contact, FootprintSlidesAlongWalls) {
    const FakeWorld world({"######", "......", "......", "######"});
    EXPECT_LEGAL(judge(polyline({{1, 2}, {5, 2}}), world, square(2)));
    EXPECT_LEGAL(judge(polyline({{0.5, 1.5}, {5.5, 2.5}}), world, square(1)));
    EXPECT_KIND(judge(polyline({{1, 2}, {5, 2.00001}}), world, square(2)), wall);
    EXPECT_KIND(judge(polyline({{1.5, 2}, {4.5, 2}}), world, square(3)), wall);
    const Violation bad = judge(polyline({{0.5, 1.5}, {5.5, 2.6}}), world, square(1));
    EXPECT_KIND(bad, wall);
    EXPECT_NEAR(bad.depth, 0.1 / 1.1 * 1.1, 0.03);
    EXPECT_GE(bad.cell.x, 4);
    EXPECT_EQ(bad.cell.y, 3);
}

TEST(Contact, FootprintPassesACornerExactly) {
    const FakeWorld world({".....", ".....", "..#..", ".....", "....."});
    // The square's lower right corner slides through (2, 3): its centre passes (1.5, 3.5).
    EXPECT_LEGAL(judge(polyline({{0.75, 2.75}, {2.25, 4.25}}), world, square(1)));
    const double d = 1e-6;
    const Violation bad = judge(polyline({{0.75 + d, 2.75 - d}, {2.25 + d, 4.25 - d}}), world, square(1));
    EXPECT_KIND(bad, wall);
    EXPECT_NEAR(bad.depth, d, 1e-9);
    EXPECT_NEAR(bad.place.position.x, 1.5, 2e-6);
    EXPECT_NEAR(bad.place.position.y, 3.5, 2e-6);
    EXPECT_NEAR(bad.distance, 0.75 * std::sqrt(2.0), 4e-6);
    EXPECT_LEGAL(judge(polyline({{0.75 - d, 2.75 + d}, {2.25 - d, 4.25 + d}}), world, square(1)));
}

TEST(Contact, EdgeOfTheMapIsAWall) {
    const FakeWorld world(4, 3);
    EXPECT_LEGAL(
        judge(polyline({{0.5, 0.5}, {3.5, 0.5}, {3.5, 2.5}, {0.5, 2.5}, {0.5, 0.5}}), world, disc(0.5)));
    EXPECT_LEGAL(judge(polyline({{1, 1}, {3, 1}, {3, 2}}), world, square(2)));
    const Violation right = judge(polyline({{0.5, 0.5}, {3.75, 0.5}}), world, disc(0.5));
    EXPECT_KIND(right, off_world);
    EXPECT_NEAR(right.depth, 0.25, 1e-12);
    EXPECT_NEAR(right.distance, 3.0, 1e-6);
    EXPECT_NEAR(right.place.position.x, 3.75, 1e-12);
    EXPECT_KIND(judge(polyline({{2, 1}, {2, 2.1}}), world, square(2)), off_world);
    EXPECT_KIND(judge(polyline({{2, 1.5}, {-50, 1.5}}), world, kPoint), off_world);
    EXPECT_KIND(judge(polyline({{-50, 1.5}, {2, 1.5}}), world, kPoint), off_world);
    EXPECT_KIND(judge(polyline({{2, 1.5}}), world, disc(1.6)), off_world);
    EXPECT_LEGAL(judge(polyline({{2, 1.5}}), world, disc(1.5)));
}

TEST(Contact, FirstViolationIsTheNearestOnTheSmallestLeg) {
    const FakeWorld world({".......", ".......", "..#.#..", ".......", "......."});
    const Violation forth = judge(polyline({{1, 1.25}, {1, 1.5}, {6, 1.5}, {1, 1.5}}), world, disc(0.75));
    EXPECT_KIND(forth, wall);
    EXPECT_EQ(forth.leg, 1);
    EXPECT_EQ(forth.cell, (Cell{2, 2, 0}));
    EXPECT_NEAR(forth.distance, 1.0 - std::sqrt(0.75 * 0.75 - 0.25), 1e-6);
    EXPECT_NEAR(forth.depth, 0.25, 1e-12);
    EXPECT_NEAR(forth.place.position.x, 2.5, 0.5);
    const Violation back = judge(polyline({{6, 1.5}, {1, 1.5}}), world, disc(0.75));
    EXPECT_EQ(back.cell, (Cell{4, 2, 0}));
}

TEST(Contact, WorstPlaceIsFollowedThroughThePieces) {
    FakeWorld world(200, 9);
    for (std::int32_t x = 0; x < 200; ++x) world.set({x, 0, 0}, x == 70 ? 0 : 1);
    // One tile; the leg's pieces are far shorter than the leg.
    const Violation bad = judge(polyline({{1, 1.25}, {199, 1.25}}), world, disc(0.5));
    EXPECT_KIND(bad, wall);
    EXPECT_EQ(bad.cell, (Cell{70, 0, 0}));
    EXPECT_NEAR(bad.depth, 0.25, 1e-9);
    EXPECT_NEAR(bad.distance, 69 - std::sqrt(0.25 - 0.0625), 1e-6);
    // Straight through a wall: deepest in its middle.
    const Violation through = judge(polyline({{1, 0.5}, {199, 0.5}}), world, kPoint);
    EXPECT_NEAR(through.depth, 0.5, 1e-9);
    EXPECT_NEAR(through.place.position.x, 70.5, 1e-9);
    EXPECT_NEAR(through.distance, 69.0, 1e-6);
}

TEST(Contact, ArcsBulge) {
    const FakeWorld world({".......", "...#...", ".......", ".......", "......."});
    // Half circle of radius 2 from (1.5, 1) to (5.5, 1), its top at (3.5, 3): touches the tile's lower side.
    const auto half_circle = [](double lift) {
        return RouteMaker({1.5, 1.0 + lift}, kHalfPi).drive(kPi * 2.0, -0.5).take();
    };
    EXPECT_LEGAL(judge(half_circle(0.0), world, kPoint));
    const Violation bad = judge(half_circle(1e-6), world, kPoint);
    EXPECT_KIND(bad, wall);
    EXPECT_NEAR(bad.depth, 1e-6, 1e-11);
    EXPECT_NEAR(bad.place.position.x, 3.5, 1e-6);
    EXPECT_NEAR(bad.place.position.y, 3.000001, 1e-9);
    EXPECT_LEGAL(judge(half_circle(-0.5), world, disc(0.5)));
    EXPECT_KIND(judge(half_circle(-0.5 + 1e-6), world, disc(0.5)), wall);
    EXPECT_LEGAL(judge(half_circle(-0.5), world, square(1)));
    EXPECT_KIND(judge(half_circle(-0.5 + 1e-6), world, square(1)), wall);
    // Its chord is free, its far half is free; the way round is what counts.
    EXPECT_LEGAL(judge(RouteMaker({1.5, 2.5}, -kHalfPi).drive(kPi * 2.0, 0.5).take(), world, kPoint));
}

TEST(Contact, FullCirclesAndMore) {
    FakeWorld world(7, 7);
    world.set({3, 3, 0}, 0);
    // Round the tile at the distance of its corners.
    const double r = std::sqrt(0.5);
    const auto circle = [&](double radius, double turns) {
        return RouteMaker({3.5 + radius, 3.5}, kHalfPi).drive(turns * kTwoPi * radius, 1.0 / radius).take();
    };
    EXPECT_LEGAL(judge(circle(r, 1.0), world, kPoint));
    EXPECT_LEGAL(judge(circle(r + 0.5, 3.25), world, disc(0.5)));
    EXPECT_KIND(judge(circle(r - 1e-6, 1.0), world, kPoint), wall);
    EXPECT_KIND(judge(circle(r + 0.5 - 1e-6, 3.25), world, disc(0.5)), wall);
    EXPECT_LEGAL(judge(circle(r + 0.5, 1000.25), world, disc(0.5)));
    // Inside a tile's ring of walls, and a circle smaller than all rounding but one.
    EXPECT_LEGAL(judge(RouteMaker({1.5, 1.5}).drive(1.0, 1e6).take(), world, disc(0.5)));
}

TEST(Contact, StandingAndTurning) {
    const FakeWorld world({"###", "#.#", "###"});
    EXPECT_LEGAL(judge(RouteMaker({1.5, 1.5}).turn(2.0).turn(-7.0).take(), world, disc(0.5)));
    EXPECT_LEGAL(judge(RouteMaker({1.5, 1.5}).turn(2.0).take(), world, square(1)));
    EXPECT_KIND(judge(RouteMaker({1.5, 1.5}).turn(2.0).take(), world, disc(0.6)), wall);
    EXPECT_LEGAL(judge(RouteMaker({1.5, 1.5}).take(), world, disc(0.5)));
    const Violation bad = judge(RouteMaker({0.5, 1.5}).take(), world, kPoint);
    EXPECT_KIND(bad, wall);
    EXPECT_EQ(bad.leg, -1);
    EXPECT_EQ(bad.cell, (Cell{0, 1, 0}));
}

TEST(Contact, ReverseGearRunsBackwards) {
    const FakeWorld world({"#....", "#....", "#...."});
    EXPECT_LEGAL(judge(RouteMaker({4.0, 1.5}, 0.0).drive(2.5, 0.0, Gear::reverse).take(), world, disc(0.5)));
    EXPECT_KIND(judge(RouteMaker({4.0, 1.5}, 0.0).drive(2.6, 0.0, Gear::reverse).take(), world, disc(0.5)),
                wall);
    EXPECT_LEGAL(judge(RouteMaker({3.5, 1.0}, 0.0).drive(2.0, -0.5, Gear::reverse).take(), world, disc(0.5)));
}

TEST(Contact, ClearanceClaims) {
    const FakeWorld world({".......", ".......", "...#...", ".......", "......."});
    const auto claimed = [](double c) { return RouteMaker({2.0, 1.0}).drive(3.0).claim(c).take(); };
    EXPECT_LEGAL(judge(claimed(kUnknown), world, disc(0.5)));
    EXPECT_LEGAL(judge(claimed(0.5), world, disc(0.5)));
    EXPECT_LEGAL(judge(claimed(1.0), world, disc(0.5)));
    const Violation bad = judge(claimed(1.0 + 1e-6), world, disc(0.5));
    EXPECT_KIND(bad, clearance);
    EXPECT_NEAR(bad.depth, 1e-6, 1e-9);
    EXPECT_KIND(judge(claimed(1e6), world, disc(0.5)), clearance);
    EXPECT_KIND(judge(claimed(1e300), world, disc(0.5)), clearance);
    // The claim is about the centre, whatever the body.
    EXPECT_LEGAL(judge(claimed(1.0), world, square(1)));
    EXPECT_KIND(judge(claimed(1.1), world, square(1)), clearance);
    EXPECT_KIND(judge(claimed(1.1), world, kPoint), clearance);
    // An overlap counts first.
    const Violation overlap = judge(RouteMaker({2.0, 1.2}).drive(3.0).claim(3.0).take(), world, disc(1.0));
    EXPECT_KIND(overlap, wall);
}

}  // namespace
}  // namespace fairlead
