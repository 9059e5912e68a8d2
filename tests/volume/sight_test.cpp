// Sight against brute force over all voxels, and the quick walk against the careful one, on lines that are made to be hard.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/volume/sight.h>

#include "oracle/volume_room.h"
#include "support/environment.h"
#include "support/volume_routes.h"
#include "support/volumes.h"
#include "volume/data/state.h"
#include "volume/sight/walk.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;

// On sides, on middles, a little off them, anywhere.
double hard_number(Rng& rng, std::int32_t side) {
    switch (rng.below(6)) {
        case 0: return rng.between(0, side);
        case 1: return rng.between(0, side - 1) + 0.5;
        case 2:
            return std::clamp(rng.between(0, side) + rng.between(-2e-7, 2e-7), 0.0,
                              static_cast<double>(side));
        case 3: return rng.between(0, side - 1) + rng.below(8) / 8.0;
        default: return rng.between(0.0, static_cast<double>(side));
    }
}

Vec3 hard_place(Rng& rng, Voxel size) {
    return {hard_number(rng, size.x), hard_number(rng, size.y), hard_number(rng, size.z)};
}

// How near the middle of a sphere comes to what is solid on its way.
double line_room(const VolumeDense& world, Vec3 a, Vec3 b) {
    const Route line = space_line({a, b});
    return static_cast<double>(line.legs.empty() ? std::sqrt(oracle::squared_room(world, oracle::wide(a)))
                                                 : oracle::leg_room(world, line.legs[0], 4));
}

TEST(VolumeSight, BothWalksAndBothDirectionsAgree) {
    Rng rng(11);
    int quick = 0, blocked = 0, all = 0;
    for (int i = 0; i < trials(60); ++i) {
        const VolumeDense world = any_volume(rng, 44);
        const Volume made = make_volume(world);
        const volume::StateData& state = made.state().data();
        const volume::Body point(state, 0.0);
        for (int k = 0; k < 1500; ++k) {
            const Vec3 a = hard_place(rng, world.size);
            Vec3 b = hard_place(rng, world.size);
            if (rng.below(8) == 0)
                b.x = std::clamp(a.x + rng.between(-1e-6, 1e-6), 0.0, static_cast<double>(world.size.x));
            if (rng.below(8) == 0) b.y = a.y;
            volume::SightHit fast, careful;
            const volume::WalkEnd end = volume::walk_point(state, point, a, b, fast);
            const bool touched = volume::walk_body(state, point, a, b, true, careful);
            ++all;
            blocked += touched ? 1 : 0;
            ASSERT_EQ(volume::walk_body(state, point, b, a, false, careful), touched);
            if (end == volume::WalkEnd::unsure) continue;
            ++quick;
            ASSERT_EQ(end == volume::WalkEnd::blocked, touched)
                << "world " << i << ": " << a.x << " " << a.y << " " << a.z << " to " << b.x << " " << b.y
                << " " << b.z;
            if (touched) {
                ASSERT_FALSE(state.is_free(fast.voxel));
            }
        }
    }
    EXPECT_GT(quick, all / 2);
    EXPECT_GT(blocked, all / 10);
}

// The oracle's room along a line: how near it comes to what is solid, in long double over all voxels.
TEST(VolumeSight, SpheresKeepTheirRadius) {
    Rng rng(12);
    int free = 0, all = 0;
    for (int i = 0; i < trials(120); ++i) {
        const VolumeDense world = any_volume(rng, 12);
        const Volume made = make_volume(world);
        const double side = std::min({world.voxel.x, world.voxel.y, world.voxel.z});
        const double slack = made.state().data().slack * side;  // up to half of it may be overlapped
        for (int k = 0; k < 12; ++k) {
            Voxel va, vb;
            if (!draw_free(rng, world, va) || !draw_free(rng, world, vb)) break;
            const Vec3 a = draw_place(rng, world, va), b = draw_place(rng, world, vb);
            const double room = line_room(world, a, b);
            const double radii[] = {0.25 * side, 0.5 * side,         1.0 * side,
                                    1.7 * side,  room - 2.0 * slack, room + 2.0 * slack};
            for (const double radius : radii) {
                if (!(radius > 1e-6 * side) || std::fabs(radius - room) < slack) continue;
                ++all;
                const bool sees = in_sight(made, a, b, radius);
                free += sees ? 1 : 0;
                ASSERT_EQ(sees, radius < room) << "world " << i << ": radius " << radius << ", room " << room;
                ASSERT_EQ(in_sight(made, b, a, radius), sees);
                const VolumeHit hit = cast_ray(made, a, b, radius);
                ASSERT_EQ(hit.blocked, !sees);
                ASSERT_TRUE(hit.share >= 0.0 && hit.share <= 1.0);
                if (hit.blocked && hit.share > 1e-6) {
                    ASSERT_TRUE(in_sight(made, a, a + (b - a) * (hit.share * (1 - 1e-6)), radius));
                }
            }
            ASSERT_NEAR(clearance_at(made, a, 1e9),
                        static_cast<double>(std::sqrt(oracle::squared_room(world, oracle::wide(a)))),
                        1e-9 * side * 64);
            ASSERT_TRUE(fits(made, a));
        }
    }
    EXPECT_GT(free, all / 20);
}

TEST(VolumeSight, NothingPassesWhereSolidVoxelsTouch) {
    VolumeDense world({4, 4, 4});
    world.set({1, 1, 1}, true);
    world.set({2, 2, 1}, true);
    const Volume made = make_volume(world);
    // Through the edge that both have, exactly and a little aside.
    EXPECT_FALSE(in_sight(made, {2.5, 1.5, 1.5}, {1.5, 2.5, 1.5}));
    EXPECT_FALSE(in_sight(made, {2.5, 1.4999999999, 1.5}, {1.5, 2.5, 1.5}));
    EXPECT_TRUE(in_sight(made, {2.5, 1.5, 2.5}, {1.5, 2.5, 2.5}));
    EXPECT_FALSE(in_sight(made, {1.5, 0.5, 2.0}, {1.5, 3.5, 2.0}));  // along a side
    EXPECT_TRUE(fits(made, {2.0, 2.0, 1.5}));                        // at the edge itself a point can be
    EXPECT_FALSE(fits(made, {1.5, 1.5, 1.5}));
    EXPECT_FALSE(fits(made, {0.5, 0.5, 0.5}, 0.6));
    EXPECT_TRUE(fits(made, {0.5, 0.5, 0.5}, 0.5));
}

TEST(VolumeSight, BoundsAndBadNumbers) {
    const Volume made = make_volume(VolumeDense({10, 10, 10}));
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    const VolumeHit out = cast_ray(made, {5, 5, 5}, {15, 5, 5});
    EXPECT_TRUE(out.blocked);
    EXPECT_NEAR(out.share, 0.5, 1e-12);
    EXPECT_EQ(out.voxel, (Voxel{10, 5, 5}));
    const VolumeHit sphere = cast_ray(made, {5, 5, 5}, {5, -15, 5}, 1.0);
    EXPECT_TRUE(sphere.blocked);
    EXPECT_NEAR(sphere.share, 0.2, 1e-8);
    EXPECT_EQ(sphere.voxel.y, -1);
    EXPECT_FALSE(cast_ray(made, {0, 0, 0}, {10, 10, 10}).blocked);
    for (const double bad : {nan, inf, -inf, 1e300}) {
        EXPECT_FALSE(in_sight(made, {5, 5, 5}, {bad, 5, 5}));
        EXPECT_FALSE(in_sight(made, {5, bad, 5}, {5, 5, 5}));
        EXPECT_FALSE(fits(made, {bad, 5, 5}));
        EXPECT_EQ(clearance_at(made, {5, 5, bad}, 1.0), 0.0);
        EXPECT_TRUE(cast_ray(made, {bad, 5, 5}, {5, 5, 5}).blocked);
    }
    // Finite, but more voxels away than a number can tell.
    VolumeDense fine({10, 10, 10});
    fine.voxel = {0.25, 1.0, 1.0};
    const VolumeHit far = cast_ray(make_volume(fine), {1, 5, 5}, {1e308, 5, 5});
    EXPECT_TRUE(far.blocked);
    EXPECT_EQ(far.share, 0.0);
    EXPECT_EQ(far.position, (Vec3{1, 5, 5}));
    EXPECT_FALSE(in_sight(made, {5, 5, 5}, {6, 5, 5}, nan));
    EXPECT_FALSE(in_sight(made, {5, 5, 5}, {6, 5, 5}, -1.0));
    EXPECT_FALSE(fits(made, {5, 5, 5}, 5.0 + 1e-7));
    EXPECT_TRUE(fits(made, {5, 5, 5}, 5.0));
    EXPECT_EQ(clearance_at(made, {5, 5, 5}, 2.0), 2.0);
    EXPECT_EQ(clearance_at(made, {5, 5, 5}, inf), 5.0);
    EXPECT_EQ(voxel_distance(made, {0, 0, 0}, {2, 3, 6}), 7.0);
}

}  // namespace
}  // namespace fairlead::testing
