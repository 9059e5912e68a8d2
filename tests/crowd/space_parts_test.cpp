// The parts of a crowd in space against plain answers: nearest points by sampling, programs by trying all sets of planes, planes of walls
// voxel by voxel.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/volume/sight.h>

#include "crowd/space/nearest_lines.h"
#include "crowd/space/space_program.h"
#include "support/environment.h"
#include "support/volumes.h"

namespace fairlead::testing {
namespace {

Vec3 any(Rng& rng, double most) {
    const double x = rng.between(-most, most);
    const double y = rng.between(-most, most);
    const double z = rng.between(-most, most);
    return {x, y, z};
}

TEST(SpaceParts, NearestLinesPartThem) {
    Rng rng(5);
    for (int i = 0; i < trials(20000); ++i) {
        const Vec3 a = any(rng, 2.0);
        Vec3 b = any(rng, 2.0);
        const Vec3 c = any(rng, 2.0);
        Vec3 d = any(rng, 2.0);
        const int kind = i % 5;
        if (kind == 1) b = a;
        if (kind == 2) d = c;
        if (kind == 3) d = c + (b - a) * rng.between(-1.0, 1.0) + any(rng, 1e-7);  // almost side by side
        const crowd::NearestInSpace pair = crowd::nearest_lines(a, b, c, d);
        const Vec3 between = pair.on_way - pair.on_other;
        const double apart = length(between);
        if (apart < 1e-3) continue;
        // the plane across has both lines on its sides: so nothing is nearer
        const Vec3 normal = between / apart;
        const double mine = std::min(dot(normal, a), dot(normal, b));
        const double other = std::max(dot(normal, c), dot(normal, d));
        EXPECT_GE(mine - other, apart - 1e-7) << i;
    }
}

/// Of all points of the planes' common part the nearest to `aim`: that of one of the sets of at most three planes that hold it.
double nearest_by_sets(const std::vector<crowd::HalfSpace>& planes, Vec3 aim) {
    double best = 1e300;
    const auto look = [&](Vec3 u) {
        for (const crowd::HalfSpace& plane : planes) {
            if (plane.violation(u) > 1e-9) return;
        }
        best = std::min(best, distance(u, aim));
    };
    look(aim);
    const std::size_t n = planes.size();
    for (std::size_t i = 0; i < n; ++i) {
        look(aim + planes[i].normal * planes[i].violation(aim));
        for (std::size_t j = 0; j < i; ++j) {
            const double c = dot(planes[i].normal, planes[j].normal);
            if (1.0 - c * c < 1e-9) continue;
            const double vi = planes[i].violation(aim), vj = planes[j].violation(aim);
            const double x = (vi - c * vj) / (1.0 - c * c), y = (vj - c * vi) / (1.0 - c * c);
            look(aim + planes[i].normal * x + planes[j].normal * y);
            for (std::size_t k = 0; k < j; ++k) {
                const Vec3 p = planes[i].normal, q = planes[j].normal, r = planes[k].normal;
                const double volume = dot(p, cross(q, r));
                if (std::fabs(volume) < 1e-9) continue;
                look((cross(q, r) * planes[i].offset + cross(r, p) * planes[j].offset +
                      cross(p, q) * planes[k].offset) /
                     volume);
            }
        }
    }
    return best;
}

TEST(SpaceParts, ProgramsAreSolved) {
    Rng rng(6);
    int bent = 0;
    for (int i = 0; i < trials(3000); ++i) {
        std::vector<crowd::HalfSpace> planes;
        const int count = rng.between(1, 9);
        for (int k = 0; k < count; ++k) {
            const Vec3 normal = normalized(any(rng, 1.0));
            planes.push_back({normal, -rng.between(0.0, 1.0)});  // rest is allowed
        }
        const Vec3 aim = any(rng, 3.0);
        Vec3 u{};
        ASSERT_TRUE(crowd::solve({planes, planes.size(), 100.0}, aim, u));
        for (const crowd::HalfSpace& plane : planes) EXPECT_LE(plane.violation(u), 1e-9);
        EXPECT_NEAR(distance(u, aim), nearest_by_sets(planes, aim), 1e-7) << i;
        if (distance(u, aim) > 1e-9) ++bent;
        // within a speed: no faster, and never farther from the aim than the slowest answer
        ASSERT_TRUE(crowd::solve({planes, planes.size(), 0.7}, aim, u));
        EXPECT_LE(length(u), 0.7 * (1.0 + 1e-9));
        for (const crowd::HalfSpace& plane : planes) EXPECT_LE(plane.violation(u), 1e-9);
    }
    if (all_trials()) {
        EXPECT_GT(bent, 1000);
    }
}

TEST(SpaceParts, SoftPlanesThatCannotBeServedAreMissedLittle) {
    // two that face each other, 1 apart: half way between is the best
    const std::vector<crowd::HalfSpace> planes = {{{0, 0, 1}, -2.0}, {{1, 0, 0}, 0.5}, {{-1, 0, 0}, 0.5}};
    Vec3 u{};
    ASSERT_TRUE(crowd::solve({planes, 1, 3.0}, {0.3, 0.2, 0.1}, u));
    EXPECT_NEAR(u.x, 0.0, 1e-9);
    const std::vector<crowd::HalfSpace> hard = {{{1, 0, 0}, 0.5}, {{-1, 0, 0}, 0.5}};
    EXPECT_FALSE(crowd::solve({hard, 2, 3.0}, {}, u));
}

/// A corner of a box.
Vec3 corner(Vec3 low, Vec3 size, int i) {
    return {low.x + (i & 1 ? size.x : 0.0), low.y + (i & 2 ? size.y : 0.0), low.z + (i & 4 ? size.z : 0.0)};
}

double plain_distance(Vec3 p, Vec3 low, Vec3 high) {
    const double x = std::max({low.x - p.x, 0.0, p.x - high.x});
    const double y = std::max({low.y - p.y, 0.0, p.y - high.y});
    const double z = std::max({low.z - p.z, 0.0, p.z - high.z});
    return std::sqrt(x * x + y * y + z * z);
}

TEST(SpaceParts, PlanesHideAllThatIsSolid) {
    Rng rng(8);
    int hidden = 0;
    for (int round = 0; round < trials(300); ++round) {
        oracle::VolumeDense world = random_volume(
            rng, static_cast<VolumeKind>(round % static_cast<int>(VolumeKind::count_)), {14, 13, 12});
        if (round % 3 == 0) move_volume(rng, world);
        const Volume volume = make_volume(world);
        const VolumeState& state = volume.state();
        Voxel at;
        if (!draw_free(rng, world, at)) continue;
        const Vec3 size = state.voxel_size();
        const double least = std::min({size.x, size.y, size.z});
        const Vec3 from = draw_place(rng, world, at);
        const Vec3 to = from + any(rng, 0.6 * least);
        if (!in_sight(state, from, to, 1e-3 * least)) continue;  // a plan to stop is free of walls
        const double reach = least * rng.between(0.3, 3.0);
        const CrowdWorld seen = VolumeCrowd(state).world();
        WallPlane planes[kWallPlanesMax];
        std::size_t count = 0;
        const double known = seen.planes(from, to, reach, {planes, kWallPlanesMax}, count, seen.user);
        EXPECT_GT(known, 0.0);
        double nearest = 1e300;
        for (std::int32_t z = -1; z <= world.size.z; ++z) {
            for (std::int32_t y = -1; y <= world.size.y; ++y) {
                for (std::int32_t x = -1; x <= world.size.x; ++x) {
                    if (state.is_free({x, y, z})) continue;
                    const Vec3 low{state.origin().x + size.x * x, state.origin().y + size.y * y,
                                   state.origin().z + size.z * z};
                    double apart = 1e300;
                    for (int k = 0; k <= 16; ++k) {
                        apart =
                            std::min(apart, plain_distance(from + (to - from) * (k / 16.0), low, low + size));
                    }
                    nearest = std::min(nearest, apart);
                    if (apart >= std::min(known, reach) || apart == 0.0) continue;
                    bool behind = false;
                    for (std::size_t i = 0; i < count && !behind; ++i) {
                        behind = true;
                        for (int c = 0; c < 8; ++c) {
                            behind = behind && dot(planes[i].normal, corner(low, size, c) - planes[i].at) <
                                                   1e-8 * least;
                        }
                    }
                    EXPECT_TRUE(behind) << round << ": " << x << " " << y << " " << z;
                    ++hidden;
                }
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_NEAR(length(planes[i].normal), 1.0, 1e-12);
            EXPECT_GE(dot(planes[i].normal, from - planes[i].at), -1e-9 * least);
            EXPECT_GE(dot(planes[i].normal, to - planes[i].at), -1e-9 * least);
        }
        if (count > 0 && nearest > 0.0) {
            const double first = std::min(dot(planes[0].normal, from - planes[0].at),
                                          dot(planes[0].normal, to - planes[0].at));
            EXPECT_LE(first, nearest + 1e-9 * least);
            EXPECT_GE(first, nearest - 0.1 * least);  // sampled
        }
    }
    if (all_trials()) {
        EXPECT_GT(hidden, 3000);
    }
}

}  // namespace
}  // namespace fairlead::testing
