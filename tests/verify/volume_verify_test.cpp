// verify in volumes: every kind of violation planted, found on the right leg; what touches is legal.
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/math/contact.h>
#include <fairlead/math/pose.h>
#include <fairlead/verify/verify_volume.h>

#include "support/violation_checks.h"
#include "support/volume_routes.h"
#include "support/volumes.h"

namespace fairlead {
namespace {

using oracle::VolumeDense;
using testing::space_line;
using testing::SpaceRoute;

constexpr double kVolumeNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kVolumeInf = std::numeric_limits<double>::infinity();

/// 9 x 10 x 11 voxels with some solid ones.
class VolumeVerify : public ::testing::Test {
  protected:
    [[nodiscard]] static VolumeDense with(std::initializer_list<Voxel> solid) {
        VolumeDense world({9, 10, 11});
        for (const Voxel& v : solid) world.set(v, true);
        return world;
    }
    [[nodiscard]] static Violation judge(const VolumeDense& world, const Route& route, double radius = 0.0,
                                         const VolumeVerifyOptions& options = {}) {
        return verify(route, testing::make_volume(world), Agent{.radius = radius}, options);
    }
    [[nodiscard]] static Violation judge(const Route& route, double radius = 0.0) {
        return judge(with({{4, 4, 4}}), route, radius);
    }
    /// A sample of all legs there are, changed.
    [[nodiscard]] static Violation damaged(const std::function<void(Route&)>& change) {
        Route route = SpaceRoute({1.5, 1.5, 1.5})
                          .to({3.0, 2.0, 2.5})
                          .to({3.0, 2.0, 6.0})
                          .turn(1.0)
                          .drive(2.0, 0.1, 1.0)
                          .take();
        change(route);
        return judge(route, 0.25);
    }
};

TEST_F(VolumeVerify, ThePointTouches) {
    EXPECT_LEGAL(judge(space_line({{0.5, 0.5, 0.5}, {8.5, 9.5, 0.5}, {8.5, 9.5, 10.5}})));
    EXPECT_LEGAL(judge(space_line({{1, 4.5, 5}, {8, 4.5, 5}})));                      // along a face
    EXPECT_LEGAL(judge(space_line({{1, 4, 5}, {8, 4, 5}})));                          // along an edge
    EXPECT_LEGAL(judge(space_line({{3, 4, 4}, {3.9, 4, 4}, {4, 4, 4}, {1, 1, 1}})));  // to a corner
    EXPECT_LEGAL(judge(space_line({{4, 4.5, 1}, {4, 4.5, 10}})));                     // up along a face
    EXPECT_LEGAL(judge(space_line({{4.5, 4.5, 5}, {4.5, 4.5, 5}})));
    EXPECT_LEGAL(judge(space_line({{0, 0, 0}, {9, 0, 0}, {9, 10, 0}, {9, 10, 11}})));  // along the bounds
    EXPECT_LEGAL(judge(space_line({{4.5, 3.5, 4.5}, {3.5, 4.5, 4.5}})));               // past an edge
}

TEST_F(VolumeVerify, ThePointEnters) {
    const Violation bad = judge(space_line({{1, 4.5, 4.5}, {8, 4.5, 4.5}}));
    EXPECT_KIND(bad, wall);
    EXPECT_EQ(bad.leg, 0);
    EXPECT_EQ(bad.cell, (Cell{4, 4, 4}));
    EXPECT_NEAR(bad.distance, 3.0, 1e-6);
    EXPECT_NEAR(bad.depth, 0.5, 1e-6);
    EXPECT_NEAR(bad.place.position.x, 4.5, 1e-6);
    EXPECT_STREQ(
        bad.text().c_str(),
        "leg 0 at 3.00000001: the body overlaps a wall, voxel (4, 4, 4), by 0.5, centre at (4.5, 4.5, 4.5)");
    EXPECT_KIND(judge(space_line({{4.5, 4.5, 1}, {4.5, 4.5, 10}})), wall);
    EXPECT_KIND(judge(space_line({{4.5, 4.5, 4.5}, {1, 1, 1}})), wall);
    EXPECT_KIND(judge(space_line({{4.5, 4.5, 4.5}, {4.5, 4.5, 4.5}})), wall);
    for (const double graze : {1e-3, 1e-6}) {
        EXPECT_KIND(judge(space_line({{1, 4.5, 5 - graze}, {8, 4.5, 5 - graze}})), wall);  // a face
        EXPECT_KIND(judge(space_line({{1, 5 - graze, 5 - graze}, {8, 5 - graze, 5 - graze}})),
                    wall);  // an edge
        // Across an edge on the diagonal.
        EXPECT_KIND(judge(space_line({{4.5, 5.5 - graze, 4.5}, {5.5, 4.5 - graze, 4.5}})), wall);
        EXPECT_LEGAL(judge(space_line({{4.5, 5.5 + graze, 4.5}, {5.5, 4.5 + graze, 4.5}})));
    }
}

// From x = 41 on into a voxel that is 10 long; at 49 it is as deep as can be.
TEST_F(VolumeVerify, TheDeepestPlaceIsSoughtThroughALongVoxel) {
    VolumeDense world = with({{4, 4, 4}});
    world.voxel = {10.0, 1.0, 1.0};
    const Violation bad = judge(world, space_line({{33, 3.5, 4.5}, {57, 5.0, 4.5}}), 0.1);
    EXPECT_KIND(bad, wall);
    EXPECT_NEAR(bad.depth, 0.6, 1e-6);
    EXPECT_NEAR(bad.place.position.x, 49.0, 1e-4);
}

TEST_F(VolumeVerify, NoSeamToSlipThrough) {
    const VolumeDense pair = with({{4, 4, 4}, {4, 5, 4}});
    EXPECT_KIND(judge(pair, space_line({{1, 5, 4.5}, {8, 5, 4.5}})), wall);
    EXPECT_LEGAL(judge(pair, space_line({{1, 5, 5}, {8, 5, 5}})));
    VolumeDense block = with({});
    for (std::int32_t i = 0; i < 8; ++i) block.set({3 + (i & 1), 3 + (i >> 1 & 1), 3 + (i >> 2)}, true);
    EXPECT_KIND(judge(block, space_line({{1, 4, 4}, {8, 4, 4}})), wall);  // along the edge in its middle
    EXPECT_KIND(judge(block, space_line({{1, 1, 1}, {8, 8, 8}})), wall);
    EXPECT_KIND(judge(block, space_line({{4, 4, 4}, {4, 4, 4}})), wall);
}

TEST_F(VolumeVerify, NoPassWhereSolidVoxelsTouch) {
    // At an edge: x, y in a chessboard; the edge runs along z at (4, 4).
    VolumeDense edge = with({});
    for (std::int32_t z = 0; z < 11; ++z) {
        edge.set({3, 4, z}, true);
        edge.set({4, 3, z}, true);
    }
    const Violation bad = judge(edge, space_line({{3.5, 3.5, 4.5}, {4.5, 4.5, 4.5}}));
    EXPECT_KIND(bad, wall);
    EXPECT_NEAR(bad.distance, std::sqrt(0.5), 1e-6);
    EXPECT_KIND(judge(edge, space_line({{3.5, 3.5, 4.5}, {4, 4, 4.5}, {4.5, 4.5, 4.5}})),
                wall);  // with a joint there
    EXPECT_KIND(judge(edge, space_line({{3.5, 3.5, 4.5}, {4, 4, 4.5}, {4, 4, 6.5}, {4.5, 4.5, 6.5}})), wall);
    EXPECT_LEGAL(judge(edge, space_line({{3.5, 3.5, 4.5}, {4, 4, 4.5}, {4, 4, 6.5}, {3.5, 3.5, 6.5}})));
    EXPECT_LEGAL(judge(edge, space_line({{4, 4, 4.5}, {4.5, 4.5, 4.5}})));
    // At a corner: only (3, 3, 3) and (4, 4, 4) of the block round (4, 4, 4) are free.
    VolumeDense corner = with({});
    for (std::int32_t i = 1; i < 7; ++i) corner.set({3 + (i & 1), 3 + (i >> 1 & 1), 3 + (i >> 2)}, true);
    EXPECT_KIND(judge(corner, space_line({{3.5, 3.5, 3.5}, {4.5, 4.5, 4.5}})), wall);
    EXPECT_KIND(judge(corner, space_line({{3.5, 3.5, 3.5}, {4, 4, 4}, {4.5, 4.5, 4.5}})), wall);
    EXPECT_LEGAL(judge(corner, space_line({{3.5, 3.5, 3.5}, {4, 4, 4}, {3.5, 3.6, 3.2}})));
    // A body thinner than the slack, whose two legs end and start beside the edge: the gap between them is part of the
    // way.
    const double slack = contact_slack(11.0, 11.0);
    Route jumps = space_line({{3.5, 3.5, 4.5}, {4 - 0.3 * slack, 4 - 0.3 * slack, 4.5}, {4.5, 4.5, 4.5}});
    jumps.legs[1].start.position = {4 + 0.3 * slack, 4 + 0.3 * slack, 4.5};
    jumps.legs[1].length = std::hypot(0.5 - 0.3 * slack, 0.5 - 0.3 * slack);
    jumps.length = jumps.line_cost = jumps.legs[0].length + jumps.legs[1].length;
    for (const double share : {0.0, 0.5, 0.8}) {
        EXPECT_LEGAL(judge(with({}), jumps, share * slack));
        EXPECT_KIND(judge(edge, jumps, share * slack), wall);
    }
    // Four of them free: over faces, and so through the corner.
    corner.set({4, 3, 3}, false);
    corner.set({4, 4, 3}, false);
    EXPECT_LEGAL(judge(corner, space_line({{3.5, 3.5, 3.5}, {4.5, 4.5, 4.5}})));
    corner.set({4, 4, 3}, true);
    EXPECT_KIND(judge(corner, space_line({{3.5, 3.5, 3.5}, {4.5, 4.5, 4.5}})), wall);
}

TEST_F(VolumeVerify, SpheresTouch) {
    const auto beside = [](double gap, Vec3 by) {
        // On a line along x whose nearest point to the voxel (4, 4, 4) is `gap` from it, in the direction `by`.
        const Vec3 off = normalized(by) * gap;
        return space_line({{1, 4.5 + (by.y != 0 ? 0.5 : 0) + off.y, 4.5 + (by.z != 0 ? 0.5 : 0) + off.z},
                           {8, 4.5 + (by.y != 0 ? 0.5 : 0) + off.y, 4.5 + (by.z != 0 ? 0.5 : 0) + off.z}});
    };
    for (const Vec3 by : {Vec3{0, 0, 1}, Vec3{0, 1, 0}, Vec3{0, 1, 1}, Vec3{0, 0.3, 0.8}}) {
        EXPECT_LEGAL(judge(beside(1.0, by), 1.0));
        EXPECT_LEGAL(judge(beside(1.0 + 1e-3, by), 1.0));
        for (const double graze : {1e-3, 1e-6, 5e-8}) {
            const Violation bad = judge(beside(1.0 - graze, by), 1.0);
            EXPECT_KIND(bad, wall);
            EXPECT_EQ(bad.cell, (Cell{4, 4, 4}));
            EXPECT_NEAR(bad.depth, graze, 1e-12);
        }
        EXPECT_LEGAL(judge(beside(1.0 - 5e-9, by), 1.0));  // the slack is 1.1e-8
    }
    // Thinner than four slacks.
    const double slack = contact_slack(11.0, 11.0);
    for (const double radius : {0.5, 1.0, 2.0, 3.0, 5.0}) {
        EXPECT_LEGAL(judge(beside((radius - 0.7) * slack, {0, 0, 1}), radius * slack));
        EXPECT_KIND(judge(beside((radius - 1.1) * slack, {0, 0, 1}), radius * slack), wall);
    }
    // Past a corner.
    const Vec3 corner{5, 5, 5};
    const Vec3 out = normalized(Vec3{1, 1, 1});
    const Vec3 along = normalized(Vec3{1, -1, 0});
    for (const double graze : {0.0, 1e-3, 1e-6}) {
        const Vec3 middle = corner + out * (0.75 - graze);
        const Violation bad = judge(space_line({middle - along * 2.0, middle + along * 2.0}), 0.75);
        EXPECT_EQ(bad.kind, graze > 0.0 ? ViolationKind::wall : ViolationKind::none);
        if (graze == 1e-3) {
            EXPECT_NEAR(bad.distance, 2.0 * std::sqrt(1.0), 0.1);
            EXPECT_NEAR(bad.depth, 1e-3, 1e-9);
        }
    }
    // A hole just as wide as the sphere.
    VolumeDense wall = with({});
    for (std::int32_t y = 0; y < 10; ++y) {
        for (std::int32_t z = 0; z < 11; ++z) wall.set({4, y, z}, true);
    }
    wall.set({4, 5, 5}, false);
    const Route through = space_line({{2, 5.5, 5.5}, {7, 5.5, 5.5}});
    EXPECT_LEGAL(judge(wall, through, 0.5));
    EXPECT_KIND(judge(wall, through, 0.5 + 1e-6), wall);
    EXPECT_LEGAL(judge(wall, space_line({{2, 5.5, 5.5}, {4, 5.5, 5.5}, {7, 5.5, 5.5}}), 0.5));
    EXPECT_KIND(judge(wall, space_line({{2, 5.5, 5.5}, {7, 5.5, 5.5 + 1e-3}}), 0.5), wall);
}

TEST_F(VolumeVerify, CurvesThatClimb) {
    // Half a helix of radius 2 round (4.5, 4.5), from z = 2 to 6, through a hole at its middle.
    VolumeDense wall = with({});
    for (std::int32_t x = 0; x < 9; ++x) {
        for (std::int32_t z = 0; z < 11; ++z) wall.set({x, 6, z}, true);
    }
    wall.set({4, 6, 3}, false);
    wall.set({4, 6, 4}, false);
    const auto helix = [](double radius, double rise) {
        return SpaceRoute({4.5 + radius, 4.5, 2.0}, kHalfPi).drive(kPi * radius, 1.0 / radius, rise).take();
    };
    // The top of it, at (4.5, 6.5, 4): the sides of the hole are at x = 4 and 5, where it is 0.063 lower.
    EXPECT_LEGAL(judge(wall, helix(1.4, 4.0)));
    EXPECT_KIND(judge(wall, helix(2.0, 0.0)), wall);
    EXPECT_KIND(judge(wall, helix(2.0, 4.0)), wall);
    VolumeDense wide = wall;
    for (std::int32_t x = 2; x < 7; ++x) {
        for (std::int32_t z = 2; z < 6; ++z) wide.set({x, 6, z}, false);
    }
    EXPECT_LEGAL(judge(wide, helix(2.0, 4.0)));
    EXPECT_LEGAL(judge(wide, helix(2.0, 4.0), 0.2));
    // It crosses y = 6 where sin = 0.75: x = 4.5 +- 1.323, z = 2 + 4 share with share = 0.26994: 3.0798 and 4.9202.
    wide.set({5, 6, 3}, true);
    EXPECT_KIND(judge(wide, helix(2.0, 4.0)), wall);
    EXPECT_NEAR(judge(wide, helix(2.0, 4.0)).distance, 2.0 * std::asin(0.75), 1e-6);
    EXPECT_EQ(judge(wide, helix(2.0, 4.0)).cell, (Cell{5, 6, 3}));
    // It just reaches the plane of a wall: touching, and 1e-6 more.
    for (const double more : {0.0, 1e-6}) {
        EXPECT_LEGAL(judge(wall, helix(1.5 + more, 3.0)));  // towards the hole
        EXPECT_LEGAL(judge(wall, helix(1.25 + more, 4.0), 0.25));
    }
    wall.set({4, 6, 3}, true);
    wall.set({4, 6, 4}, true);
    const double slack = contact_slack(11.0, 11.0);
    for (const double more : {0.0, 0.7 * slack, 1.02 * slack, 1e-6, 1e-3}) {
        const bool legal = more < slack;
        EXPECT_EQ(judge(wall, helix(1.5 + more, 3.0)).kind,
                  legal ? ViolationKind::none : ViolationKind::wall);
        const Violation bad = judge(wall, helix(1.25 + more, 4.0), 0.25);
        EXPECT_EQ(bad.kind, legal ? ViolationKind::none : ViolationKind::wall);
        if (!legal) {
            EXPECT_NEAR(bad.depth, more, 1e-9);
        }
        EXPECT_EQ(judge(wall,
                        SpaceRoute({4.5 - 1.25 - more, 4.5, 2.0}, -kHalfPi)
                            .drive(kPi * (1.25 + more), 1.0 / (1.25 + more), 4.0, Gear::reverse)
                            .take(),
                        0.25)
                      .kind,
                  legal ? ViolationKind::none : ViolationKind::wall);
    }
    // Round and round, all of it in the open.
    EXPECT_LEGAL(judge(wall, SpaceRoute({3.5, 3.5, 1.0}).drive(200.0, 1.0, 9.0).take(), 0.5));
    EXPECT_KIND(judge(wall, SpaceRoute({3.5, 3.5, 1.0}).drive(200.0, 1.0, 9.6).take(), 0.5), off_world);
}

TEST_F(VolumeVerify, TheOutsideIsSolid) {
    const Violation bad = judge(space_line({{5, 2, 2}, {9.5, 2, 2}}));
    EXPECT_KIND(bad, off_world);
    EXPECT_NEAR(bad.distance, 4.0, 1e-6);
    EXPECT_NEAR(bad.depth, 0.5, 1e-9);
    EXPECT_KIND(judge(space_line({{5, 2, 2}, {5, 2, 11 + 1e-6}})), off_world);
    EXPECT_LEGAL(judge(space_line({{5, 2, 2}, {5, 2, 10.5}}), 0.5));
    EXPECT_KIND(judge(space_line({{5, 2, 2}, {5, 2, 10.5 + 1e-6}}), 0.5), off_world);
    EXPECT_KIND(judge(space_line({{5, 2, -0.5}, {5, 2, 2}})), off_world);
    EXPECT_KIND(judge(space_line({{1e15, 2, 2}, {5, 2, 2}})), off_world);
    EXPECT_KIND(judge(space_line({{4.5, 2, 2}, {4.5, 2, 2}}), 2.5), off_world);
    Route stands;
    stands.status = PathStatus::complete;
    stands.revision = 1;
    stands.end.position = {2, 2, 2};
    EXPECT_LEGAL(judge(stands));
    stands.end.position = {4.5, 4.5, 4.5};
    EXPECT_KIND(judge(stands), wall);
    EXPECT_EQ(judge(stands).leg, -1);
    stands.end.position = {-1, 2, 2};
    EXPECT_KIND(judge(stands), off_world);
    stands.status = PathStatus::unreachable;
    EXPECT_LEGAL(judge(stands));
}

TEST_F(VolumeVerify, LegsLeadOn) {
    EXPECT_LEGAL(damaged([](Route&) {}));
    EXPECT_LEGAL(damaged([](Route& r) { r.legs[1].start.position.y += 5e-9; }));
    const Violation gap = damaged([](Route& r) { r.legs[1].start.position.y += 1e-6; });
    EXPECT_KIND(gap, leg_end);
    EXPECT_EQ(gap.leg, 0);
    EXPECT_NEAR(gap.depth, 1e-6, 1e-12);
    EXPECT_KIND(damaged([](Route& r) { r.legs[1].start.position.z -= 1e-6; }), leg_end);
    EXPECT_KIND(damaged([](Route& r) { r.legs[1].rise += 1e-6; }), leg_end);
    EXPECT_KIND(damaged([](Route& r) { r.legs[0].length += 1e-6; }), leg_end);
    EXPECT_KIND(damaged([](Route& r) { r.legs[2].turn_rad += 1e-6; }), leg_end);
    EXPECT_KIND(damaged([](Route& r) { r.end.position.x += 1e-6; }), leg_end);
    EXPECT_EQ(damaged([](Route& r) { r.end.position.x += 1e-6; }).leg, 3);
    EXPECT_LEGAL(damaged([](Route& r) { r.end.heading_rad += 1.0; }));
    EXPECT_KIND(damaged([](Route& r) { r.length += 1e-9; }), length_sum);
    EXPECT_KIND(damaged([](Route& r) { r.line_cost += 1e-6; }), line_cost);
    EXPECT_KIND(damaged([](Route& r) { r.line_cost = r.length; }), line_cost);
    EXPECT_LEGAL(damaged([](Route& r) { r.cost = 77.0; }));
    Route dear = space_line({{1, 1, 1}, {2, 2, 2}});
    dear.line_cost = 5.0;
    EXPECT_LEGAL(judge(with({}), dear, 0.0, {.check_line_cost = false}));
}

TEST_F(VolumeVerify, TheRouteAsAWhole) {
    EXPECT_KIND(damaged([](Route& r) { r.revision = 7; }), revision);
    Route other = space_line({{1, 1, 1}, {2, 2, 2}});
    other.revision = 7;
    EXPECT_LEGAL(judge(with({}), other, 0.0, {.check_revision = false}));
    EXPECT_KIND(damaged([](Route& r) { r.status = PathStatus::unreachable; }), bad_status);
    EXPECT_LEGAL(damaged([](Route& r) { r.status = PathStatus::partial; }));
    EXPECT_LEGAL(damaged([](Route& r) { r.status = PathStatus::budget_spent; }));
    EXPECT_KIND(damaged([](Route& r) { r.status = PathStatus::count_; }), bad_status);
    EXPECT_KIND(damaged([](Route& r) { r.bound = 0.5; }), bad_number);
    const Volume volume = testing::make_volume(with({}));
    const auto as = [&](const Agent& agent) {
        return verify(space_line({{2, 2, 2}, {3, 3, 3}}), volume, agent);
    };
    EXPECT_LEGAL(as({}));
    EXPECT_KIND(as({.radius = -1.0}), bad_argument);
    EXPECT_KIND(as({.radius = kVolumeNan}), bad_argument);
    EXPECT_KIND(as({.radius = 1e300}), bad_argument);
    EXPECT_KIND(as({.footprint = 1}), bad_argument);
    EXPECT_KIND(as({.shape = BodyShape::box, .length = 1.0, .width = 1.0}), bad_argument);
    EXPECT_KIND(as({.turning_radius = -1.0}), bad_argument);
}

TEST_F(VolumeVerify, Numbers) {
    const std::vector<std::function<double&(Route&)>> fields{
        [](Route& r) -> double& { return r.length; },
        [](Route& r) -> double& { return r.cost; },
        [](Route& r) -> double& { return r.line_cost; },
        [](Route& r) -> double& { return r.end.position.z; },
        [](Route& r) -> double& { return r.end.heading_rad; },
        [](Route& r) -> double& { return r.legs[1].start.position.x; },
        [](Route& r) -> double& { return r.legs[1].start.position.z; },
        [](Route& r) -> double& { return r.legs[3].start.heading_rad; },
        [](Route& r) -> double& { return r.legs[0].length; },
        [](Route& r) -> double& { return r.legs[1].rise; },
        [](Route& r) -> double& { return r.legs[3].curvature; },
        [](Route& r) -> double& { return r.legs[2].turn_rad; },
        [](Route& r) -> double& { return r.legs[0].clearance; },
        [](Route& r) -> double& { return r.legs[0].speed_max; },
    };
    for (const auto& field : fields) {
        for (const double v : {kVolumeNan, kVolumeInf, -kVolumeInf})
            EXPECT_KIND(damaged([&](Route& r) { field(r) = v; }), not_finite);
        // Anything else is answered, and quickly.
        for (const double v : {1e300, -1e300, 1e9, 1e-300, -0.0, 1e15}) {
            const Violation bad = damaged([&](Route& r) { field(r) = v; });
            EXPECT_STRNE(bad.text().c_str(), "");
        }
    }
    EXPECT_KIND(damaged([](Route& r) { r.legs[0].start.layer = 1; }), bad_layer);
    EXPECT_KIND(damaged([](Route& r) { r.end.layer = -1; }), bad_layer);
    EXPECT_KIND(damaged([](Route& r) { r.legs[0].length = -1.0; }), bad_number);
    EXPECT_KIND(damaged([](Route& r) { r.legs[0].kind = static_cast<LegKind>(9); }), bad_number);
    EXPECT_KIND(damaged([](Route& r) { r.legs[3].start.heading_rad = 1e300; }), bad_number);
    EXPECT_KIND(damaged([](Route& r) { r.legs[3].curvature = 1e300; }), too_far);
    EXPECT_KIND(damaged([](Route& r) { r.legs[3].length = 1e300; }), too_far);
    EXPECT_KIND(damaged([](Route& r) {
                    r.legs[2].kind = LegKind::link;
                    r.legs[2].link_id = 5;
                }),
                link);
    EXPECT_KIND(judge(with({}), space_line({{1, 1, 1}, {8, 9, 10}}), 0.5, {.bricks_max = 3}), too_far);
    EXPECT_KIND(judge(with({}), space_line({{1, 1, 1}, {8, 9, 10}}), 0.0, {.bricks_max = 3}), too_far);
}

TEST_F(VolumeVerify, ClaimsOfClearance) {
    const auto claims = [](double clearance, double radius) {
        return judge(SpaceRoute({1.5, 4.5, 6.5}).to({7.5, 4.5, 6.5}).claim(clearance).take(), radius);
    };
    for (const double radius : {0.0, 0.25}) {
        EXPECT_LEGAL(claims(1.5, radius));
        const Violation bad = claims(1.5 + 1e-6, radius);
        EXPECT_KIND(bad, clearance);
        EXPECT_NEAR(bad.depth, 1e-6, 1e-9);
        EXPECT_KIND(claims(1e300, radius), clearance);
    }
    EXPECT_KIND(judge(SpaceRoute({1.5, 4.5, 8.5}).to({4.5, 4.5, 8.5}).claim(1.6).take()),
                clearance);  // the bounds
}

TEST_F(VolumeVerify, TurningCircles) {
    const Volume volume = testing::make_volume(with({}));
    const auto judged = [&](const Route& route, Agent agent) {
        agent.turning_radius = 2.0;
        return verify(route, volume, agent);
    };
    const Route curve =
        SpaceRoute({2, 2, 2}).drive(2.0, 0.5, 1.0).drive(1.0, 0.0, 1.0).drive(1.5, -0.5).take();
    EXPECT_LEGAL(judged(curve, {}));
    EXPECT_KIND(judged(SpaceRoute({2, 2, 2}).drive(2.0, 0.51, 1.0).take(), {}), curvature);
    EXPECT_KIND(judged(space_line({{2, 2, 2}, {4, 2, 2}, {4, 4, 2}}), {}), heading);
    EXPECT_KIND(judged(SpaceRoute({2, 2, 2}).turn(1.0).take(), {}), turn);
    EXPECT_LEGAL(judged(SpaceRoute({2, 2, 2}).turn(1.0).take(), {.can_pivot = true}));
    EXPECT_KIND(judged(SpaceRoute({5, 2, 2}).drive(1.0, 0.0, 0.5, Gear::reverse).take(), {}), gear);
    EXPECT_LEGAL(
        judged(SpaceRoute({5, 2, 2}).drive(1.0, 0.0, 0.5, Gear::reverse).take(), {.can_reverse = true}));
}

/// The same routes far out, with other voxels.
TEST_F(VolumeVerify, FarFromTheOrigin) {
    VolumeDense world = with({{4, 4, 4}});
    world.origin = {5e6, -3e6, 1e5};
    world.voxel = {0.5, 2.0, 1.0};
    const auto at = [&](double x, double y, double z) {
        return Vec3{world.origin.x + x * 0.5, world.origin.y + y * 2.0, world.origin.z + z};
    };
    EXPECT_LEGAL(judge(world, space_line({at(1, 4.5, 5), at(8, 4.5, 5)})));
    EXPECT_KIND(judge(world, space_line({at(1, 4.5, 5 - 1e-6), at(8, 4.5, 5 - 1e-6)})), wall);
    EXPECT_LEGAL(judge(world, space_line({at(2, 4.5, 5.75), at(7, 4.5, 5.75)}), 0.75));
    EXPECT_KIND(judge(world, space_line({at(2, 4.5, 5.75), at(7, 4.5, 5.75)}), 0.75 + 1e-6), wall);
    EXPECT_LEGAL(judge(world, space_line({at(5.5, 2, 4.5), at(5.5, 8, 4.5)}),
                       0.25));  // half a voxel in x is a quarter
    EXPECT_KIND(judge(world, space_line({at(5.5, 2, 4.5), at(5.5, 8, 4.5)}), 0.25 + 1e-6), wall);
    EXPECT_KIND(judge(world, space_line({at(1, 4.5, 5), at(9.01, 4.5, 5)})), off_world);
}

}  // namespace
}  // namespace fairlead
