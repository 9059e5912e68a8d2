// Random legs in random volumes: verify against looking at every voxel, in long double. Spheres just as large as the
// room there is, and a little more; points that touch nothing, and points that enter; short ways from the oracle, and
// broken ones.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/math/contact.h>
#include <fairlead/math/pose.h>
#include <fairlead/verify/verify_volume.h>

#include "oracle/volume_reference.h"
#include "oracle/volume_room.h"
#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/route_images.h"
#include "support/violation_checks.h"
#include "support/volume_routes.h"
#include "support/volumes.h"

namespace fairlead {
namespace {

using oracle::VolumeDense;
using oracle::WideReal;
using testing::space_line;
using testing::SpaceRoute;
using testing::VolumeKind;

Vec3 extent_of(const VolumeDense& world) {
    return {world.size.x * world.voxel.x, world.size.y * world.voxel.y, world.size.z * world.voxel.z};
}

double slack_of_volume(const VolumeDense& world) {
    const Vec3 extent = extent_of(world);
    double coordinate = 0.0;
    for (const double v : {world.origin.x, world.origin.y, world.origin.z, world.origin.x + extent.x,
                           world.origin.y + extent.y, world.origin.z + extent.z})
        coordinate = std::max(coordinate, std::fabs(v));
    return contact_slack(std::max({extent.x, extent.y, extent.z}), coordinate);
}

double side_of(const VolumeDense& world) { return std::min({world.voxel.x, world.voxel.y, world.voxel.z}); }

/// One leg from a free place: a line, an arc or a helix, now and then straight up, along an axis or in reverse.
Route random_leg(Rng& rng, const VolumeDense& world, Vec3 from, double reach) {
    double heading = rng.between(-kPi, kPi);
    if (rng.below(4) == 0) heading = rng.between(-4, 4) * kHalfPi / 2.0;
    SpaceRoute route(from, heading);
    const double rise = rng.below(3) == 0 ? 0.0 : rng.between(-reach, reach) * world.voxel.z;
    const Gear gear = rng.below(4) == 0 ? Gear::reverse : Gear::forward;
    switch (rng.below(8)) {
        case 0: return route.drive(0.0, 0.0, rise).take();
        case 1:
        case 2:
        case 3: return route.drive(rng.unit() * reach, 0.0, rise, gear).take();
        case 4: return route.drive(rng.unit() * reach * 3.0, 2.0 / reach, rise, gear).take();
        case 5: return route.drive(rng.unit() * reach, rng.between(-1e-3, 1e-3), rise, gear).take();
        default:
            return route.drive(rng.unit() * reach * 2.0, rng.between(-1.5, 1.5) / side_of(world), rise, gear)
                .take();
    }
}

struct Drawn {
    VolumeDense world;
    Vec3 from{};
};

/// A small world and a free place in it.
bool draw_scene(Rng& rng, Drawn& drawn) {
    drawn.world = testing::any_volume(rng, 7);
    Voxel in;
    if (!testing::draw_free(rng, drawn.world, in)) return false;
    drawn.from = testing::draw_place(rng, drawn.world, in);
    return true;
}

/// The radius that just fits is legal; a slack more is not.
TEST(VolumeRandom, SpheresThatJustFit) {
    Rng rng(2301);
    int curved = 0;
    int tested = 0;
    for (int i = 0; i < testing::trials(1500); ++i) {
        Drawn drawn;
        if (!draw_scene(rng, drawn)) continue;
        const Route route =
            random_leg(rng, drawn.world, drawn.from, rng.between(0.3, 5.0) * side_of(drawn.world));
        const Leg& leg = route.legs[0];
        const WideReal room = oracle::leg_room(drawn.world, leg, 160);
        const double slack = slack_of_volume(drawn.world);
        if (room < 8.0 * slack) continue;
        const Volume volume = testing::make_volume(drawn.world);
        const auto judge = [&](double radius) { return verify(route, volume, Agent{.radius = radius}); };
        const auto fits = static_cast<double>(room);
        const std::uint64_t before = testing::heap_calls();
        const Violation exact = judge(fits);
        ASSERT_EQ(testing::heap_calls(), before);
        ASSERT_FALSE(exact) << i << ' ' << exact.text().c_str() << " room " << fits;
        const bool bends = leg.curvature != 0.0;
        const Violation within = judge(fits + (bends ? 0.7 : 0.95) * slack);
        ASSERT_FALSE(within) << i << ' ' << within.text().c_str() << " room " << fits;
        for (const double more : {1.01 * slack, 2.0 * slack, 1e-6, 1e-3}) {
            if (more < 1.01 * slack) continue;
            const Violation bad = judge(fits + more);
            ASSERT_TRUE(bad.kind == ViolationKind::wall || bad.kind == ViolationKind::off_world)
                << i << " by " << more / slack << " slacks, room " << fits;
            if (more <= 1e-6) {
                ASSERT_NEAR(bad.depth, more, 1e-8 + 0.5 * more) << i;
            }
        }
        // A claim of clearance is the same question.
        Route claims = testing::copy_of(route);
        claims.legs[0].clearance = fits;
        ASSERT_FALSE(verify(claims, volume, {})) << i;
        claims.legs[0].clearance = fits + 2.0 * slack;
        ASSERT_EQ(verify(claims, volume, {}).kind, ViolationKind::clearance) << i;
        curved += bends ? 1 : 0;
        ++tested;
    }
    if (testing::all_trials()) {
        EXPECT_GT(tested, 500);
        EXPECT_GT(curved, 150);
    }
}

/// How deep a leg goes among solid voxels, by samples: at least that deep somewhere.
WideReal deepest_sample(const VolumeDense& world, const Leg& leg) {
    WideReal deepest = 0;
    for (int i = 0; i <= 150; ++i) {
        const WideReal share = WideReal(i) / 150;
        deepest = std::max(deepest, oracle::depth_among_solid(world, oracle::wide_on_leg(leg, share), 1.0L));
    }
    return deepest;
}

TEST(VolumeRandom, Points) {
    Rng rng(2302);
    int clear = 0;
    int deep = 0;
    int unknown = 0;
    for (int i = 0; i < testing::trials(2000); ++i) {
        Drawn drawn;
        if (!draw_scene(rng, drawn)) continue;
        const Route route =
            random_leg(rng, drawn.world, drawn.from, rng.between(0.3, 6.0) * side_of(drawn.world));
        const Leg& leg = route.legs[0];
        const Volume volume = testing::make_volume(drawn.world);
        // Bodies thinner than a few slacks are points, nearly or in all.
        const double slack = slack_of_volume(drawn.world);
        const double shares[] = {0.0, 0.0, 0.5, 0.9, 1.2, 3.0, 6.0};
        const double radius = shares[rng.below(7)] * slack;
        const Violation bad = verify(route, volume, Agent{.radius = radius});
        if (oracle::leg_room(drawn.world, leg, 80) > radius) {
            ASSERT_FALSE(bad) << i << ' ' << bad.text().c_str();
            ++clear;
        } else if (deepest_sample(drawn.world, leg) > 1.01 * slack) {
            ASSERT_TRUE(bad.kind == ViolationKind::wall || bad.kind == ViolationKind::off_world) << i;
            ++deep;
        } else {
            ++unknown;
        }
    }
    if (testing::all_trials()) {
        EXPECT_GT(clear, 500);
        EXPECT_GT(deep, 700);
        EXPECT_LT(unknown, 300);
    }
}

/// A place on the lattice of the voxels' corners and middles, so that legs touch and run along sides and edges.
Vec3 lattice_place(Rng& rng, const VolumeDense& world) {
    const auto half = [&](std::int32_t voxels) { return rng.between(0, 2 * voxels) / 2.0; };
    return {half(world.size.x), half(world.size.y), half(world.size.z)};
}

/// On the lattice all is exact: a route is legal exactly if a point can follow it from free voxel to free voxel. Told
/// by voxels alone: what the leg's open pieces between the planes of half voxels lie in, and what these pieces share.
class LatticeWalk {
  public:
    explicit LatticeWalk(const VolumeDense& world) : world_(world) {}

    [[nodiscard]] bool follows(const std::vector<Vec3>& points) {
        here_ = touching(points.front(), points.front());
        for (std::size_t i = 1; i < points.size() && !here_.empty(); ++i) follow(points[i - 1], points[i]);
        return !here_.empty();
    }

  private:
    using Set = std::vector<Voxel>;

    /// The free voxels that hold all of a piece that no plane cuts; a place has up to eight.
    [[nodiscard]] Set touching(Vec3 a, Vec3 b) const {
        Set found;
        for (std::size_t i = 0; i < world_.solid.size(); ++i) {
            const Voxel v = world_.at(i);
            const auto in = [](double p, double q, std::int32_t low) {
                return std::min(p, q) >= low - 1e-9 && std::max(p, q) <= low + 1 + 1e-9;
            };
            if (world_.is_free(v) && in(a.x, b.x, v.x) && in(a.y, b.y, v.y) && in(a.z, b.z, v.z))
                found.push_back(v);
        }
        return found;
    }

    /// Those of the set that are joined to one that is here already, over faces within the set.
    [[nodiscard]] Set spread(const Set& set) const {
        Set reached;
        for (const Voxel& v : set) {
            if (std::find(here_.begin(), here_.end(), v) != here_.end()) reached.push_back(v);
        }
        for (std::size_t i = 0; i < reached.size(); ++i) {
            for (const Voxel& v : set) {
                const Voxel& r = reached[i];
                const bool joined = std::abs(v.x - r.x) + std::abs(v.y - r.y) + std::abs(v.z - r.z) == 1;
                if (joined && std::find(reached.begin(), reached.end(), v) == reached.end())
                    reached.push_back(v);
            }
        }
        return reached;
    }

    void follow(Vec3 a, Vec3 b) {
        std::vector<double> cuts{0.0, 1.0};
        const auto add = [&](double from, double to) {
            for (double plane = std::ceil(std::min(from, to)); from != to && plane <= std::max(from, to);
                 plane += 1.0)
                cuts.push_back((plane - from) / (to - from));
        };
        add(a.x, b.x);
        add(a.y, b.y);
        add(a.z, b.z);
        std::sort(cuts.begin(), cuts.end());
        const auto at = [&](double share) { return a + (b - a) * share; };
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
            if (cuts[i + 1] - cuts[i] < 1e-9) continue;
            here_ = spread(touching(at(cuts[i]), at(cuts[i])));
            here_ = spread(touching(at(cuts[i]), at(cuts[i + 1])));
        }
        here_ = spread(touching(b, b));
    }

    const VolumeDense& world_;
    Set here_;
};

TEST(VolumeRandom, PointsOnTheLattice) {
    Rng rng(2303);
    int legal = 0;
    int illegal = 0;
    for (int i = 0; i < testing::trials(20000); ++i) {
        Voxel size{rng.between(2, 4), rng.between(2, 4), rng.between(2, 4)};
        const bool wide = rng.below(3) == 0;
        if (wide) size.x = rng.between(5, 14);
        VolumeDense world(size);
        const double share = wide ? rng.between(0.02, 0.2) : rng.between(0.05, 0.6);
        for (std::uint8_t& solid : world.solid) solid = rng.unit() < share ? 1 : 0;
        std::vector<Vec3> points{lattice_place(rng, world)};
        for (std::uint32_t k = 1 + rng.below(3); k > 0; --k) {
            // Mostly near, so that many are legal.
            Vec3 next = lattice_place(rng, world);
            if (!wide && rng.below(3) != 0)
                next = points.back() +
                       Vec3{rng.between(-1, 1) / 2.0, rng.between(-1, 1) / 2.0, rng.between(-1, 1) / 2.0};
            points.push_back(next);
        }
        const Violation bad = verify(space_line(points), testing::make_volume(world), {});
        const bool follows = LatticeWalk(world).follows(points);
        ASSERT_EQ(!bad, follows) << i << ' ' << bad.text().c_str();
        (follows ? legal : illegal) += 1;
    }
    if (testing::all_trials()) {
        EXPECT_GT(legal, 2000);
        EXPECT_GT(illegal, 2000);
    }
}

/// Short ways by the oracle are legal, for a point and for half the room they have; moved into what is solid they are
/// not.
TEST(VolumeRandom, WholeRoutes) {
    Rng rng(2304);
    int found = 0;
    int broken = 0;
    for (int i = 0; i < testing::trials(300); ++i) {
        VolumeDense world =
            testing::random_volume(rng, static_cast<VolumeKind>(i % 9),
                                   {rng.between(9, 21), rng.between(9, 21), rng.between(9, 21)});
        Voxel from, to;
        if (!testing::draw_free(rng, world, from) || !testing::draw_free(rng, world, to)) continue;
        const oracle::VolumeWay way = oracle::reference_way(world, from, to);
        if (way.points.size() < 2) continue;
        const Route route = space_line(way.points);
        const Volume volume = testing::make_volume(world);
        ASSERT_FALSE(verify(route, volume, {})) << i << ' ' << verify(route, volume, {}).text().c_str();
        ++found;
        // A solid voxel on the way.
        const auto leg = rng.below(static_cast<std::uint32_t>(route.legs.size()));
        const oracle::WideVec p = oracle::wide_on_leg(route.legs[leg], rng.between(0.1, 0.9));
        const Voxel in{static_cast<std::int32_t>(std::floor(p.x)), static_cast<std::int32_t>(std::floor(p.y)),
                       static_cast<std::int32_t>(std::floor(p.z))};
        world.set(in, true);
        const Violation bad = verify(route, testing::make_volume(world), {});
        const WideReal depth = deepest_sample(world, route.legs[leg]);
        if (depth < 1e-3L) continue;
        ASSERT_EQ(bad.kind, ViolationKind::wall) << i;
        ASSERT_LE(bad.leg, static_cast<std::int64_t>(leg)) << i;
        ASSERT_EQ(bad.cell, (Cell{in.x, in.y, in.z})) << i << ' ' << bad.text().c_str();
        ++broken;
    }
    if (testing::all_trials()) {
        EXPECT_GT(found, 200);
        EXPECT_GT(broken, 150);
    }
}

/// Any number of a route replaced by a strange one: never a crash, and rarely legal.
TEST(VolumeRandom, HostileNumbers) {
    Rng rng(2305);
    const double strange[] = {0.0,
                              -0.0,
                              1e-310,
                              1e300,
                              -1e300,
                              1e12,
                              -1e12,
                              3.7,
                              1e-9,
                              1e9,
                              std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()};
    int illegal = 0;
    int tried = 0;
    for (int i = 0; i < testing::trials(1500); ++i) {
        Drawn drawn;
        if (!draw_scene(rng, drawn)) continue;
        Route route = random_leg(rng, drawn.world, drawn.from, 1.0);
        Leg& leg = route.legs[0];
        double* const fields[] = {&leg.start.position.x,  &leg.start.position.y, &leg.start.position.z,
                                  &leg.start.heading_rad, &leg.length,           &leg.rise,
                                  &leg.curvature,         &leg.clearance};
        *fields[rng.below(8)] = strange[rng.below(12)];
        const Violation bad = verify(route, testing::make_volume(drawn.world),
                                     Agent{.radius = rng.below(2) * 0.1}, {.bricks_max = 1000000});
        illegal += bad ? 1 : 0;
        ++tried;
    }
    EXPECT_GT(illegal, tried / 2);
}

}  // namespace
}  // namespace fairlead
