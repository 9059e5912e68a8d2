// verify over a level mesh: every kind of violation planted, found on the right leg; floors told apart.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/plain_mesh.h"
#include "support/route_maker.h"
#include "support/test_allocator.h"
#include "support/violation_checks.h"
#include "verify/extremes.h"

namespace fairlead {
namespace {

using testing::kNan;
using testing::PlainMesh;
using testing::polyline;
using testing::RouteMaker;
using testing::spiral_mesh;

const MeshVerifyOptions kAnyRevision{.check_revision = false};

/// An L of three polygons round the corner (10, 10), which is solid; the middle one is of area 3.
///     (0,20)---(10,20)
///       |  2  |
///     (0,10)---(10,10)---(20,10)
///       |  1  |     0     |
///     (0,0)----(10,0)---(20,0)
PlainMesh corner_mesh(Vec3 origin = {}) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0},   {10, 0, 0},  {20, 0, 0}, {0, 10, 0},
                      {10, 10, 0}, {20, 10, 0}, {0, 20, 5}, {10, 20, 5}};
    for (Vec3& v : plain.vertices) v = v + origin;
    plain.polygons = {{1, 2, 5, 4}, {0, 1, 4, 3}, {3, 4, 7, 6}};
    plain.areas = {0, 3, 0};
    return plain;
}

Violation judge(const Route& route, double radius = 0.0, const MeshVerifyOptions& options = kAnyRevision) {
    const NavMesh mesh = corner_mesh().make();
    return verify(route, mesh, {.radius = radius}, options);
}

/// As RouteMaker, but uphill in the third polygon.
Route round_the_corner(Vec2 bend) {
    Route route = polyline({{18, 5}, bend, {5, 20}});
    route.legs[1].rise = 5;
    route.end.position.z = 5;
    return route;
}

TEST(MeshVerify, LegalRoutes) {
    EXPECT_LEGAL(judge(round_the_corner({10, 10})));
    EXPECT_LEGAL(judge(
        polyline({{0, 0}, {20, 0}, {20, 10}, {10, 10}, {20, 10}, {20, 0}, {0, 0}, {0, 10}})));  // along walls
    EXPECT_LEGAL(judge(polyline({{10, 10}, {10, 0}, {20, 10}})));
    EXPECT_LEGAL(judge(polyline({{2, 2}, {18, 2}, {18, 8}}), 2.0));
    EXPECT_LEGAL(
        judge(RouteMaker({2, 5}).drive(8).drive(2 * kHalfPi, 0.5).drive(4, 0.0, Gear::reverse).take(), 1.0));
    EXPECT_LEGAL(judge(RouteMaker({5, 5}).drive(40 * kPi, 1.0 / 2.0).take(), 1.0));  // ten laps
    EXPECT_LEGAL(judge(RouteMaker({5, 5}, -1.0).turn(3.0).drive(2).turn(7.0).take(), 3.0));
    Route none;
    EXPECT_LEGAL(judge(none));
    none.status = PathStatus::complete;
    none.end.position = {5, 5, 0};
    EXPECT_LEGAL(judge(none, 5.0));
    EXPECT_KIND(judge(none, 5.1), wall);
    none.end.position = {12, 12, 0};
    EXPECT_KIND(judge(none), surface);
    none.end.position = {5, 5, 1};
    EXPECT_KIND(judge(none), surface);
}

TEST(MeshVerify, TheCornerCutByALittle) {
    for (const double depth : {1e-3, 1e-6, 1e-7}) {
        const double off = depth * std::sqrt(2.0);
        // The chord across the corner passes it at a depth of about `depth`.
        Violation bad = judge(polyline({{10 + off, 10}, {10, 10 + off}}));
        EXPECT_EQ(bad.kind, ViolationKind::wall) << depth << ": " << bad.text().c_str();
        EXPECT_GT(bad.depth, 0.7 * depth);
        EXPECT_LT(bad.depth, 1.5 * depth);
        // Past a straight wall.
        bad = judge(polyline({{18, 5}, {15, 10 + depth}, {12, 5}}));
        EXPECT_EQ(bad.kind, ViolationKind::wall) << depth;
        EXPECT_EQ(bad.leg, 0);
        EXPECT_EQ(bad.index, 0);
        EXPECT_NEAR(bad.depth, depth, 1e-9 + 0.01 * depth);
        bad = judge(polyline({{16, 5}, {14, 7 + depth}, {12, 5}}), 3.0);
        EXPECT_EQ(bad.kind, ViolationKind::wall) << depth;
        EXPECT_EQ(bad.index, 0);
        EXPECT_NEAR(bad.depth, depth, 1e-9 + 0.01 * depth);
        // An arc over the wall at its top; and one past the corner with a body.
        EXPECT_LEGAL(judge(RouteMaker({13, 8}, kHalfPi).drive(2 * kPi, -0.5).take()));
        bad = judge(RouteMaker({13, 8 + depth}, kHalfPi).drive(2 * kPi, -0.5).take());
        EXPECT_EQ(bad.kind, ViolationKind::wall) << depth;
        EXPECT_NEAR(bad.depth, depth, 1e-9 + 0.01 * depth);
        EXPECT_NEAR(bad.distance, kPi, 0.1);
    }
    for (const double slack_part : {0.0, 0.5, 1.0}) {
        EXPECT_LEGAL(judge(polyline({{18, 5}, {15, 10 + 1.9e-8 * slack_part}, {12, 5}})));
        EXPECT_LEGAL(judge(polyline({{16, 5}, {14, 7 + 1.9e-8 * slack_part}, {12, 5}}), 3.0));
    }
}

TEST(MeshVerify, ArcsRoundACorner) {
    // Round (10, 10) at the radius of the body, touching it all the way.
    const auto round = [](double out) {
        return RouteMaker({10 + 3, 10 - 3 - out}, kPi)
            .drive(3)
            .drive((3 + out) * kHalfPi, -1.0 / (3 + out))
            .take();
    };
    EXPECT_LEGAL(judge(round(0.0), 3.0));
    EXPECT_LEGAL(judge(round(0.1), 3.0));
    const Violation bad = judge(round(-1e-6), 3.0);
    EXPECT_EQ(bad.kind, ViolationKind::wall);
    EXPECT_EQ(bad.leg, 0);  // the wall of the first polygon comes first
    EXPECT_NEAR(bad.depth, 1e-6, 1e-8);
}

TEST(MeshVerify, ClosedAreasAreWalls) {
    const MeshVerifyOptions closed{.filter = {.areas = {.closed = KindSet::of_mask(1U << 3)}},
                                   .check_revision = false};
    EXPECT_LEGAL(judge(polyline({{18, 5}, {10, 5}}), 0.0, closed));
    Violation bad = judge(polyline({{18, 5}, {10 - 1e-6, 5}}), 0.0, closed);
    EXPECT_KIND(bad, wall);
    EXPECT_NEAR(bad.distance, 8.0, 1e-6);
    bad = judge(polyline({{18, 5}, {11 - 1e-6, 5}}), 1.0, closed);
    EXPECT_KIND(bad, wall);
    EXPECT_NEAR(bad.depth, 1e-6, 1e-8);
    EXPECT_KIND(judge(polyline({{5, 5}, {6, 5}}), 0.0, closed), surface);
}

TEST(MeshVerify, PolygonsThatOnlyTouchAreNotJoined) {
    PlainMesh plain;  // two squares at one vertex; and two that lie on one line without sharing its vertices
    plain.vertices = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {8, 4, 0}, {8, 8, 0},
                      {4, 8, 0}, {4, 0, 0}, {8, 0, 0}, {8, 3, 0}, {4, 3, 0}};
    plain.polygons = {{0, 1, 2, 3}, {2, 4, 5, 6}, {7, 8, 9, 10}};
    const NavMesh mesh = plain.make();
    EXPECT_KIND(verify(polyline({{2, 2}, {6, 6}}), mesh, {}, kAnyRevision), wall);
    EXPECT_KIND(verify(polyline({{2, 2}, {6, 2}}), mesh, {}, kAnyRevision), wall);
    EXPECT_LEGAL(verify(polyline({{4, 1}, {6, 2}}), mesh, {}, kAnyRevision));
    EXPECT_LEGAL(verify(polyline({{4, 1}, {1, 2}}), mesh, {}, kAnyRevision));
    // At one place, but on two sheets: a route that comes on the one does not go on on the other.
    EXPECT_KIND(verify(polyline({{2, 2}, {4, 1}, {6, 2}}), mesh, {}, kAnyRevision), wall);
    EXPECT_EQ(verify(polyline({{2, 2}, {4, 1}, {6, 2}}), mesh, {}, kAnyRevision).leg, 1);
}

TEST(MeshVerify, FloorsAreToldApart) {
    PlainMesh plain = spiral_mesh(16, 3, 0.5);
    const NavMesh mesh = plain.make();
    // Along the middle of the ramp, two turns up; the walls of the floors above and below do not count.
    const auto at = [&](int step) {
        const math::SinCos sc = math::sin_cos(kTwoPi * (step % 16) / 16);
        return Vec3{6.5 * sc.cos, 6.5 * sc.sin, 0.5 * step};
    };
    const auto along_the_ramp = [&] {
        Route route;
        route.status = PathStatus::complete;
        for (int step = 2; step < 34; ++step) {
            const Vec3 from = at(step), to = at(step + 1);
            Leg leg;
            leg.start = {from, math::atan2(to.y - from.y, to.x - from.x), 0};
            leg.length = distance(ground(from), ground(to));
            leg.rise = to.z - from.z;
            route.length += leg.length;
            EXPECT_TRUE(route.legs.push_back(leg));
            route.end = {to, 0.0, 0};
        }
        return route;
    };
    const Route route = along_the_ramp();
    MeshVerifyOptions options = kAnyRevision;
    for (const double radius : {0.0, 0.5, 2.0})
        EXPECT_LEGAL(verify(route, mesh, {.radius = radius}, options));
    options.surface_error = 0.1;  // a step is not flat
    EXPECT_LEGAL(verify(route, mesh, {}, options));
    options.surface_error = 0.09;
    EXPECT_KIND(verify(route, mesh, {}, options), surface);
    const Violation bad = verify(route, mesh, {.radius = 2.5}, kAnyRevision);
    EXPECT_KIND(bad, wall);
    // Too low: the route of the floor below, found at once; or from some leg on.
    Route low = along_the_ramp();
    for (Leg& leg : low.legs) leg.start.position.z += 1.0;
    low.end.position.z += 1.0;
    EXPECT_KIND(verify(low, mesh, {}, kAnyRevision), surface);
    low = along_the_ramp();
    low.legs[5].rise += 0.2;
    for (std::size_t i = 6; i < low.legs.size(); ++i) low.legs[i].start.position.z += 0.2;
    low.end.position.z += 0.2;
    EXPECT_KIND(verify(low, mesh, {}, kAnyRevision), surface);
    EXPECT_EQ(verify(low, mesh, {}, kAnyRevision).leg, 6);
    EXPECT_NEAR(verify(low, mesh, {}, kAnyRevision).depth, 0.2, 1e-9);
    // Bridging the gap between two floors on the straight line.
    const Vec3 up = at(18);
    Route jump = polyline({{ground(at(2)).x, ground(at(2)).y}, {ground(up).x - 0.001, ground(up).y}});
    jump.legs[0].start.position.z = at(2).z;
    jump.legs[0].rise = up.z - at(2).z;
    jump.end.position.z = up.z;
    EXPECT_KIND(verify(jump, mesh, {}, kAnyRevision), surface);
    // An arc that follows the ramp for two turns.
    const double wide = 7.0;
    const double first = kTwoPi / 4;  // four steps up
    Route arc = RouteMaker({0, wide}, first + kHalfPi).drive(wide * 2 * kTwoPi, 1.0 / wide).take();
    arc.legs[0].start.position.z = 2.0;
    arc.legs[0].rise = 16.0;
    arc.end.position.z = 18.0;
    const double room = 9.0 * math::cos(kPi / 16) - wide;  // to the middle of an outer side
    EXPECT_LEGAL(verify(arc, mesh, {.radius = room}, kAnyRevision));
    EXPECT_KIND(verify(arc, mesh, {.radius = room + 1e-6}, kAnyRevision), wall);
    arc.legs[0].rise = 8.0;  // where it would be after one turn
    arc.end.position.z = 10.0;
    EXPECT_KIND(verify(arc, mesh, {.radius = 1.0}, kAnyRevision), surface);
}

TEST(MeshVerify, AFloorAboveThatTheSurfaceWindsUpTo) {
    // Round the vertex (0, 6) the surface winds from the left over the right to a floor above the left. A body that keeps
    // clear of the vertex passes below a wall of that floor.
    PlainMesh plain;
    plain.vertices = {{-8, -10, 0}, {0, -10, 0},  {0, 6, 0},   {0, 30, 0}, {-8, 30, 0},
                      {5, -10, 2},  {20, -10, 5}, {20, 20, 5}, {-4, 20, 5}};
    plain.polygons = {{0, 1, 2, 3, 4}, {1, 5, 2}, {2, 5, 6, 7, 8}};
    const NavMesh mesh = plain.make();
    const Route under = polyline({{-0.8, 4.5}, {-2.9, 15.0}});
    EXPECT_LEGAL(verify(under, mesh, {.radius = 1.0}, kAnyRevision));
    EXPECT_LEGAL(verify(under, mesh, {.radius = 1.07}, kAnyRevision));
    EXPECT_KIND(verify(under, mesh, {.radius = 1.08}, kAnyRevision), wall);  // the vertex
}

TEST(MeshVerify, TheWayOverASideMustComeInTime) {
    // Along y = 0 lie a hall above and two below, on different floors; they are joined to it at x = 5 to 6 and 1 to 2.
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {1, 0, 0},  {2, 0, 0},  {5, 0, 0}, {6, 0, 0},   {10, 0, 0},  {10, 2, 0},
                      {0, 2, 0}, {0, -2, 0}, {9, -2, 0}, {9, 0, 0}, {1, -2, -3}, {10, -2, -3}};
    plain.polygons = {{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 4, 3, 0}, {11, 12, 5, 2, 1}};
    const NavMesh mesh = plain.make();
    MeshVerifyOptions options = kAnyRevision;
    options.height_slack = 5.0;
    const auto come_in = [&](double x, Vec2 to) {
        return verify(polyline({{0.5, -1}, {x, 0}, {9.5, 0}, to}), mesh, {}, options);
    };
    EXPECT_LEGAL(come_in(0.5, {9.5, 1}));
    // Into the hall at 5; what lies at 1 to 2 was passed before.
    EXPECT_KIND(come_in(0.5, {9.5, -1}), wall);
    EXPECT_EQ(come_in(0.5, {9.5, -1}).leg, 2);
    // There and back again.
    const Route back = polyline({{0.5, -1}, {0.5, 0}, {9.5, 0}, {1.5, 0}, {9.5, 0}, {9.5, -1}});
    EXPECT_LEGAL(verify(back, mesh, {}, options));
}

TEST(MeshVerify, HeightsBetweenTheEnds) {
    MeshVerifyOptions options = kAnyRevision;
    Route over = polyline({{5, 2}, {5, 18}});  // level, then uphill
    over.legs[0].rise = over.end.position.z = 4;
    EXPECT_LEGAL(judge(over, 0.0, options));
    options.surface_error = 1.9;
    const Violation bad = judge(over, 0.0, options);
    EXPECT_KIND(bad, surface);
    EXPECT_NEAR(bad.distance, 8.0, 1e-6);
    EXPECT_NEAR(bad.depth, 2.0, 1e-6);
    options.surface_error = 2.001;
    EXPECT_LEGAL(judge(over, 0.0, options));
}

TEST(MeshVerify, TheRouteAsAWhole) {
    const NavMesh mesh = corner_mesh().make();
    Route route = polyline({{2, 2}, {18, 2}});
    route.revision = 77;
    EXPECT_KIND(verify(route, mesh, {}), revision);
    route.revision = mesh.state().revision();
    EXPECT_LEGAL(verify(route, mesh, {}));
    EXPECT_KIND(judge(route, -1.0), bad_argument);
    EXPECT_KIND(judge(route, kNan), bad_argument);
    EXPECT_KIND(verify(route, mesh, {.radius = 1, .footprint = 2}), bad_argument);
    EXPECT_KIND(verify(route, mesh, {.radius = 1, .shape = BodyShape::capsule, .length = 1}), bad_argument);
    EXPECT_KIND(verify(route, mesh, {.turning_radius = kNan}), bad_argument);
    EXPECT_KIND(judge(route, 0.0, {.height_slack = -1.0, .check_revision = false}), bad_argument);
    EXPECT_KIND(judge(route, 0.0, {.check_revision = false, .sides_max = 3}), too_far);
    route.status = PathStatus::budget_spent;  // its legs are judged
    EXPECT_LEGAL(judge(route));
    route.end.position.x += 0.1;
    EXPECT_KIND(judge(route), leg_end);
    route.end.position.x -= 0.1;
    route.length += 0.001;
    EXPECT_KIND(judge(route), length_sum);
    route.status = PathStatus::unreachable;
    EXPECT_KIND(judge(route), bad_status);
    const Result<NavMesh> nothing = NavMesh::make({});
    ASSERT_TRUE(nothing);
    EXPECT_KIND(verify(polyline({{2, 2}, {18, 2}}), *nothing, {}, kAnyRevision), surface);
}

TEST(MeshVerify, Numbers) {
    const auto with = [](auto&& change, double radius = 0.0) {
        Route route = polyline({{18, 2}, {2, 2}, {2, 8}});
        change(route);
        return judge(route, radius);
    };
    EXPECT_KIND(with([](Route& r) { r.legs[1].start.position.x = kNan; }), not_finite);
    EXPECT_KIND(with([](Route& r) { r.legs[1].rise = kNan; }), not_finite);
    EXPECT_KIND(with([](Route& r) { r.legs[1].start.position.y = 1e13; }), bad_number);
    EXPECT_KIND(with([](Route& r) { r.legs[0].length = 1e300; }), bad_number);
    EXPECT_KIND(with([](Route& r) { r.legs[0].length = 1e9; }), wall);
    EXPECT_KIND(with([](Route& r) { r.legs[0].length = 16.1; }), leg_end);
    EXPECT_KIND(with([](Route& r) { r.legs[0].rise = 0.001; }), leg_end);
    EXPECT_KIND(with([](Route& r) { r.legs[1].length = 6.001, r.length += 0.001; }), leg_end);
    EXPECT_KIND(with([](Route& r) { r.legs[1].start.layer = 1; }), bad_layer);
    EXPECT_KIND(with([](Route& r) { r.legs[1].kind = LegKind::link; }), link);
    EXPECT_KIND(with([](Route& r) { r.end.position.x = kNan; }), not_finite);
    EXPECT_KIND(with([](Route& r) { r.legs[0].start.position = {30, 30, 0}; }), surface);
    EXPECT_KIND(with([](Route& r) { r.legs[0].curvature = 1e17; }), too_far);
    EXPECT_KIND(with([](Route& r) { r.legs[0].clearance = 2.0; }, 0.5), none);
    EXPECT_KIND(with([](Route& r) { r.legs[0].clearance = 2.001; }, 0.5), clearance);
    EXPECT_KIND(with([](Route& r) { r.legs[0].clearance = 1e200; }, 0.5), clearance);
}

TEST(MeshVerify, LinksAreTakenAtTheirWord) {
    const MeshVerifyOptions links{.links = true, .check_revision = false};
    const Route jump = RouteMaker({12, 2}).drive(6).link(4, {2, 8}, 0).drive(3).take();
    EXPECT_KIND(judge(jump), link);
    EXPECT_EQ(judge(jump).index, 4);
    EXPECT_LEGAL(judge(jump, 1.0, links));
    EXPECT_KIND(judge(RouteMaker({12, 2}).drive(6).link(4, {12, 12}, 0).take(), 0.0, links), surface);
    const Violation bad =
        judge(RouteMaker({12, 2}).drive(6).link(4, {2, 8}, 0).drive(3).take(), 2.0 + 1e-6, links);
    EXPECT_KIND(bad, wall);
    EXPECT_EQ(bad.leg, 0);
    EXPECT_KIND(
        judge(RouteMaker({12, 2}).drive(6).link(4, {2, 9}, 0).drive(3).drive(15.001).take(), 0.0, links),
        wall);
}

TEST(MeshVerify, UnitsWithATurningCircle) {
    const NavMesh mesh = corner_mesh().make();
    const auto judge_drive = [&](const Route& route, Agent agent) {
        return verify(route, mesh, agent, kAnyRevision);
    };
    const Route smooth = RouteMaker({4, 2}).drive(8).drive(3 * kHalfPi, 1.0 / 3.0).take();
    EXPECT_LEGAL(judge_drive(smooth, {.radius = 1.0, .turning_radius = 3.0}));
    EXPECT_KIND(judge_drive(smooth, {.radius = 1.0, .turning_radius = 3.1}), curvature);
    EXPECT_KIND(judge_drive(polyline({{4, 2}, {12, 2}, {12, 6}}), {.turning_radius = 1.0}), heading);
    const Route back = RouteMaker({4, 2}).drive(8).drive(2, 0.0, Gear::reverse).take();
    EXPECT_KIND(judge_drive(back, {.turning_radius = 1.0}), gear);
    EXPECT_LEGAL(judge_drive(back, {.turning_radius = 1.0, .can_reverse = true}));
    EXPECT_KIND(judge_drive(RouteMaker({4, 2}).turn(1).take(), {.turning_radius = 1.0}), turn);
}

TEST(MeshVerify, FailingMemoryIsNoVerdict) {
    const NavMesh mesh = corner_mesh().make();
    const Route route = polyline({{18, 8}, {5, 5}, {5, 9}});
    testing::TestAllocator counted;
    EXPECT_LEGAL(
        verify(route, mesh, {.radius = 0.5}, {.check_revision = false, .allocator = counted.allocator()}));
    ASSERT_GT(counted.calls, 0);
    EXPECT_EQ(counted.live_blocks, 0);
    for (std::int64_t n = 0; n < counted.calls; ++n) {
        testing::TestAllocator failing;
        failing.fail_from_call = n;
        EXPECT_KIND(
            verify(route, mesh, {.radius = 0.5}, {.check_revision = false, .allocator = failing.allocator()}),
            too_far);
        EXPECT_EQ(failing.live_blocks, 0);
    }
}

}  // namespace
}  // namespace fairlead
