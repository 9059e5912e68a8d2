// A unit that is pressed against a wall of several pieces slides along it, over the corners between them, and never into it.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/crowd/crowd.h>

namespace fairlead::testing {
namespace {

constexpr double kWallStep = 1.0 / 30.0;
constexpr double kWallRadius = 0.5;

/// A wall of lines from corner to corner, free ground on its left.
struct Lines {
    std::vector<Vec2> corners{};
    double margin = 0.0;

    static double near(const Place&, double reach, std::span<WallPiece> out, std::size_t& count, void* user) {
        const Lines& self = *static_cast<const Lines*>(user);
        count = 0;
        for (std::size_t i = 0; i + 1 < self.corners.size(); ++i) {
            const Vec2 a = self.corners[i];
            const Vec2 b = self.corners[i + 1];
            out[count++] = {{a.x, a.y, 0.0}, {b.x, b.y, 0.0}, false};
        }
        return reach;
    }
    [[nodiscard]] CrowdWorld world() {
        CrowdWorld world;
        world.walls = near;
        world.margin = margin;
        world.user = this;
        return world;
    }
    [[nodiscard]] double apart(Vec2 p) const {
        double nearest = 1e9;
        for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
            const Vec2 along = corners[i + 1] - corners[i];
            const double t = std::clamp(dot(p - corners[i], along) / dot(along, along), 0.0, 1.0);
            nearest = std::min(nearest, distance(p, corners[i] + along * t));
        }
        return nearest;
    }
};

/// Where a unit comes to in so many seconds that always wants one velocity.
Vec2 pressed(Lines& lines, Vec2 from, Vec2 wish, double seconds, double accel) {
    Crowd crowd = *Crowd::make();
    fairlead::CrowdUnit body;
    body.radius = kWallRadius;
    body.limits = SpeedLimits::only(1.5);
    if (accel > 0.0) body.limits.accel_max = body.limits.brake_max = body.limits.lateral_accel_max = accel;
    Place at;
    at.position = {from.x, from.y, 0.0};
    const UnitId id = *crowd.add(body, at);
    EXPECT_TRUE(crowd.guide(id, {.velocity = {wish.x, wish.y, 0.0}}));
    const CrowdWorld world = lines.world();
    const double least = kWallRadius - lines.margin - 1e-9;
    Vec2 p = from;
    for (int tick = 0; tick * kWallStep < seconds; ++tick) {
        EXPECT_TRUE(crowd.update(kWallStep, world));
        p = ground(crowd.unit(id).place.position);
        EXPECT_GE(lines.apart(p), least);
    }
    return p;
}

TEST(CrowdWalls, SlidesAlongAStraightWallOfPieces) {
    for (const double margin : {0.0, kWallRadius}) {
        for (const double accel : {0.0, 8.0}) {
            Lines lines{{{-10, 0}, {-7.5, 0}, {-5, 0}, {-2.5, 0}, {0, 0}, {12, 0}}, margin};
            // pressed into the wall: what is left of its wish is 1.06 m/s along it
            const Vec2 p = pressed(lines, {-8.0, kWallRadius - margin}, {1.06, -1.06}, 9.0, accel);
            EXPECT_GT(p.x, -8.0 + 0.95 * 1.06 * 9.0 - 0.5) << margin << ' ' << accel;
        }
    }
}

TEST(CrowdWalls, GoesRoundTheCornerOfAWallThatTurnsAway) {
    for (const double margin : {0.0, kWallRadius}) {
        Lines lines{{{-10, 0}, {0, 0}, {3, -1}, {9, -7}}, margin};
        const Vec2 p = pressed(lines, {-3.0, kWallRadius - margin}, {1.0, -0.9}, 7.0, 8.0);
        EXPECT_GT(p.x, 3.0) << margin;
        EXPECT_LT(p.y, 0.0) << margin;
    }
}

// A point that goes along a wall which it does not press against, to where another wall turns away from that line: the corner touches
// its way, and to a point it is a wall in its way.
TEST(CrowdWalls, APointPassesACornerThatTouchesItsWay) {
    for (const double beside : {0.0, 1e-13, -1e-13, 1e-11}) {
        Lines lines{{{10, 0}, {0, 0}, {0, 10}}, kWallRadius};
        const Vec2 p = pressed(lines, {-3.0, beside}, {1.5, 0.0}, 6.0, 8.0);
        EXPECT_GT(p.x, 5.0) << beside << " y " << p.y;
    }
}

// So near to a wall that places are rounded to much of how far it is.
TEST(CrowdWalls, APointBesideAWallNeverComesBehindIt) {
    const Vec2 corner{188.897741, -69.764587};
    Lines lines{{corner + Vec2{10.0, 0.001}, corner, corner + Vec2{0.3, 5.7}},
                kWallRadius};  // solid to its right
    for (const double away : {0.0, 1e-13, 1e-11, 1e-9}) {
        const Vec2 along = normalized(Vec2{0.3, 5.7});
        const Vec2 from = corner + along * 3.0 + Vec2{-along.y, along.x} * away;
        const Vec2 p = pressed(lines, from, along * -1.0 + Vec2{along.y, -along.x}, 2.5, 8.0);
        EXPECT_GE(cross(along, p - corner), -1e-9) << away;
    }
}

TEST(CrowdWalls, StopsInACornerOfAWallThatTurnsTowardIt) {
    Lines lines{{{-10, 0}, {0, 0}, {0, 10}}, 0.0};
    const Vec2 p = pressed(lines, {-3.0, kWallRadius}, {1.2, -0.9}, 6.0, 8.0);
    EXPECT_NEAR(p.x, -kWallRadius, 1e-3);
    EXPECT_NEAR(p.y, kWallRadius, 1e-3);
}

}  // namespace
}  // namespace fairlead::testing
