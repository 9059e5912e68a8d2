// Spheres wider than half a voxel: found wherever the oracle gets through with 0.05 more, and never where it does
// not with 0.05 less; every way is legal voxel by voxel.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/test_allocator.h"
#include "volume/wide_check.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;
using oracle::VolumeRadius;
using volume::Body;
using volume::StateData;
using volume::WideWay;

constexpr VolumeKind kKinds[] = {VolumeKind::noise, VolumeKind::sparse_noise, VolumeKind::rooms,
                                 VolumeKind::plates, VolumeKind::stairs};

/// One query from place to place, in voxels.
SearchProgress ask(WideAlone& way, const VolumeState& state, double radius, Vec3 from, Vec3 to) {
    const Body body(state.data(), radius);
    EXPECT_TRUE(volume::stands(state.data(), body, from));
    EXPECT_TRUE(volume::stands(state.data(), body, to));
    way.begin(state.data(), body, from, to);
    return way.step(UINT64_MAX);
}

void expect_legal(WideAlone& way, const VolumeDense& world, const VolumeState& state, double radius,
                  Vec3 from, Vec3 to) {
    Array<Vec3> places;
    ASSERT_TRUE(way.list_way(places));
    ASSERT_GE(places.size(), 1U);
    EXPECT_TRUE(places[0] == from);
    EXPECT_TRUE(places.back() == to);
    const StateData& data = state.data();
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
        const Vec3 a = data.in_world(places[i]), b = data.in_world(places[i + 1]);
        EXPECT_GE(wide_room(world, a, b, radius), radius - 1e-9L) << i;
    }
}

/// Plates across z, solid below `low` and from `high` on.
VolumeDense slab(Voxel size, std::int32_t low, std::int32_t high) {
    VolumeDense world(size);
    for (std::size_t i = 0; i < world.solid.size(); ++i) {
        const std::int32_t z = world.at(i).z;
        world.solid[i] = z < low || z >= high ? 1 : 0;
    }
    return world;
}

void run_worlds(int worlds, std::int32_t side, std::uint64_t seed, WideTally& tally) {
    WideAlone way{Allocator{}};
    for (int w = 0; w < worlds; ++w) {
        Rng rng(seed + static_cast<std::uint64_t>(w));
        const VolumeKind kind = kKinds[w % 5];
        const VolumeDense world = random_volume(rng, kind, {side, side, side});
        const std::vector<VolumeRadius::Pair> pairs = draw_wide_pairs(rng, world, 12);
        const Volume space = make_volume(world);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            double radius = draw_wide_radius(rng, kind);
            // One in three: as wide as just gets through, or just not.
            if (i % 3 == 2 && pairs[i].radius > 0.6)
                radius = std::clamp(pairs[i].radius + rng.between(-0.12, 0.12), 0.55, 2.5);
            check_wide(world, space, way, pairs[i], radius, tally,
                       "world " + std::to_string(w) + " (" + volume_kind_name(kind) + "), pair " +
                           std::to_string(i) + ", radius " + std::to_string(radius));
        }
    }
}

TEST(WideWay, RandomWorlds) {
    WideTally tally;
    run_worlds(trials(10), 12, 900, tally);
    if (!all_trials()) return;
    EXPECT_GT(tally.queries, 100);
    EXPECT_GT(tally.exhausted, 25);
    for (const int by : tally.by) EXPECT_GT(by, 1);
    EXPECT_GT(tally.must_beyond_lattice, 7);
    EXPECT_LT(tally.unproven * 20, tally.exhausted);
}

// A sphere of radius 1.95 between plates 4 apart, and one of 1.45 between plates 3 apart, nearly fill what there
// is; in the first no middle of a voxel fits.
TEST(WideWay, SlabWithoutAMiddle) {
    const VolumeDense world = slab({20, 16, 8}, 2, 6);
    const Volume space = make_volume(world);
    WideAlone way{Allocator{}};
    for (const double radius : {1.6, 1.95, 1.99, 2.0}) {
        const Vec3 from{2.3, 2.7, 4.0}, to{17.1, 13.2, 4.0 + (2.0 - radius) * 0.5};
        // In sight: round a corner in the second world.
        EXPECT_EQ(ask(way, space, radius, from, to), SearchProgress::found) << radius;
    }
    VolumeDense corner = world;
    for (std::int32_t z = 2; z < 6; ++z) {
        for (std::int32_t y = 0; y < 11; ++y) {
            for (std::int32_t x = 7; x < 13; ++x) corner.set({x, y, z}, true);
        }
    }
    const Volume bent = make_volume(corner);
    for (const double radius : {1.6, 1.8, 1.95}) {
        const Vec3 from{3.3, 3.7, 4.0}, to{16.1, 3.2, 4.0};
        EXPECT_EQ(ask(way, bent, radius, from, to), SearchProgress::found) << radius;
        EXPECT_NE(way.counts().means, WideWay::Means::lattice);
        expect_legal(way, corner, bent, radius, from, to);
    }
    // And closed but for 3 voxels.
    for (std::int32_t z = 2; z < 6; ++z) {
        for (std::int32_t x = 7; x < 13; ++x) corner.set({x, 11, z}, true), corner.set({x, 15, z}, true);
    }
    const Volume closed = make_volume(corner);
    EXPECT_EQ(ask(way, closed, 1.6, {3.3, 3.7, 4.0}, {16.1, 3.2, 4.0}), SearchProgress::exhausted);
    EXPECT_TRUE(way.proven());
}

/// Two rooms and a wall between them with a hole of `wide` voxels square.
VolumeDense holed(std::int32_t wide, std::int32_t thick) {
    VolumeDense world({16, 9, 9});
    for (std::size_t i = 0; i < world.solid.size(); ++i) {
        const Voxel v = world.at(i);
        const bool hole = v.y >= 3 && v.y < 3 + wide && v.z >= 3 && v.z < 3 + wide;
        world.solid[i] = v.x >= 6 && v.x < 6 + thick && !hole ? 1 : 0;
    }
    return world;
}

TEST(WideWay, HolesJustWideEnough) {
    WideAlone way{Allocator{}};
    for (std::int32_t wide = 2; wide <= 3; ++wide) {
        const VolumeDense world = holed(wide, 3);
        const Volume space = make_volume(world);
        const Vec3 from{3.0, 4.2, 4.3}, to{12.5, 5.1, 4.9};
        const double most = 0.5 * wide;
        for (const double radius : {most - 0.2, most - 0.05, most}) {
            EXPECT_EQ(ask(way, space, radius, from, to), SearchProgress::found) << radius;
            expect_legal(way, world, space, radius, from, to);
        }
        for (const double radius : {most + 1e-6, most + 0.01, most + 0.2}) {
            EXPECT_EQ(ask(way, space, radius, from, to), SearchProgress::exhausted) << radius;
        }
        // Well proven where it is not a hair's breadth.
        EXPECT_EQ(ask(way, space, most + 0.05, from, to), SearchProgress::exhausted);
        EXPECT_TRUE(way.proven());
    }
}

// Voxels longer on one axis, and somewhere else: the same oracle, of cubes that those voxels are made of.
TEST(WideWay, LongVoxels) {
    Rng rng(77);
    WideAlone way{Allocator{}};
    int found = 0, none = 0;
    for (int w = 0; w < trials(6); ++w) {
        const Voxel by[] = {{1, 1, 2}, {2, 1, 1}, {1, 3, 1}, {1, 2, 3}};
        const Voxel times = by[w % 4];
        VolumeDense coarse({12 / times.x, 12 / times.y, 12 / times.z});
        const double share = rng.between(0.05, 0.35);
        for (std::uint8_t& solid : coarse.solid) solid = rng.unit() < share ? 1 : 0;
        VolumeDense fine({12, 12, 12});
        for (std::size_t i = 0; i < fine.solid.size(); ++i) {
            const Voxel v = fine.at(i);
            fine.solid[i] = coarse.is_free({v.x / times.x, v.y / times.y, v.z / times.z}) ? 0 : 1;
        }
        const std::vector<VolumeRadius::Pair> pairs = draw_wide_pairs(rng, fine, 8);
        const double scale = w % 2 == 0 ? 1.0 : 0.3;
        coarse.voxel = {times.x * scale, times.y * scale, times.z * scale};
        coarse.origin = w % 3 == 0 ? Vec3{} : Vec3{-70.0, 12.5, 3.0};
        const Volume space = make_volume(coarse);
        const StateData& data = space.state().data();
        for (const VolumeRadius::Pair& pair : pairs) {
            const double near = std::clamp(pair.radius + rng.between(-0.3, 0.3), 0.55, 1.9);
            const double radius = rng.below(2) == 0 ? rng.between(0.55, 1.4) : near;
            const Body body(data, radius * scale);
            const auto in = [&](Vec3 p) { return Vec3{p.x / times.x, p.y / times.y, p.z / times.z}; };
            const Vec3 from = in(pair.from), to = in(pair.to);
            if (!volume::stands(data, body, from) || !volume::stands(data, body, to)) continue;
            way.begin(data, body, from, to);
            const SearchProgress end = way.step(UINT64_MAX);
            // A cell of the finest size is as much longer as the voxel.
            if (pair.radius >= radius + 0.15) {
                EXPECT_EQ(end, SearchProgress::found) << w;
            }
            if (pair.radius < radius - oracle::kRadiusTooNarrow) {
                EXPECT_EQ(end, SearchProgress::exhausted) << w;
            }
            ++(end == SearchProgress::found ? found : none);
            if (end == SearchProgress::found) expect_legal(way, coarse, space, radius * scale, from, to);
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(found, 25);
    EXPECT_GT(none, 5);
}

// Whatever the slices, and in an object that has answered other queries: the same answer, the same way, no memory
// asked for.
TEST(WideWay, SlicedAndWarm) {
    TestAllocator memory;
    WideAlone warm(memory.allocator());
    Array<Vec3> places(memory.allocator());
    int cut = 0;
    for (int w = 0; w < trials(20); ++w) {
        Rng rng(500 + static_cast<std::uint64_t>(w));
        const VolumeDense world = random_volume(rng, kKinds[w % 5], {12, 12, 12});
        const Volume space = make_volume(world);
        const StateData& data = space.state().data();
        const Body body(data, rng.between(0.55, 1.2));
        std::vector<Vec3> ends;
        for (int i = 0; i < 400 && ends.size() < 6; ++i) {
            const Vec3 p{rng.between(0.6, 11.4), rng.between(0.6, 11.4), rng.between(0.6, 11.4)};
            if (volume::stands(data, body, p)) ends.push_back(p);
        }
        for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
            WideAlone fresh{Allocator{}};
            fresh.begin(data, body, ends[i], ends[i + 1]);
            const SearchProgress whole = fresh.step(UINT64_MAX);
            Array<Vec3> way;
            if (whole == SearchProgress::found) {
                ASSERT_TRUE(fresh.list_way(way));
            }
            for (int time = 0; time < 2; ++time) {
                const std::int64_t calls = memory.calls;
                warm.begin(data, body, ends[i], ends[i + 1]);
                SearchProgress end;
                const std::uint64_t slice = time == 0 ? UINT64_MAX : 1 + rng.below(40);
                do end = warm.step(slice);
                while (end == SearchProgress::running);
                ASSERT_EQ(end, whole);
                EXPECT_EQ(warm.proven(), fresh.proven());
                EXPECT_EQ(warm.counts().cells, fresh.counts().cells);
                EXPECT_EQ(warm.counts().rounds, fresh.counts().rounds);
                if (whole == SearchProgress::found) {
                    ASSERT_TRUE(warm.list_way(places));
                    ASSERT_EQ(places.size(), way.size());
                    for (std::size_t k = 0; k < way.size(); ++k) EXPECT_TRUE(places[k] == way[k]);
                }
                if (time == 1) {
                    EXPECT_EQ(memory.calls, calls);
                }
                cut += warm.counts().cells > 0 ? 1 : 0;
            }
        }
    }
    if (all_trials()) {
        EXPECT_GT(cut, 10);
    }
}

// Every single allocation fails once: no_memory, and the next query is answered.
TEST(WideWay, OutOfMemory) {
    const VolumeDense world = holed(2, 3);
    const Volume space = make_volume(world);
    const StateData& data = space.state().data();
    const Vec3 from{3.0, 4.2, 4.3}, to{12.5, 5.1, 4.9};
    for (const double radius : {0.95, 1.02}) {
        const Body body(data, radius);
        int failures = 0;
        for (int n = 0;; ++n) {
            TestAllocator memory;
            {
                WideAlone way(memory.allocator());
                Array<Vec3> places(memory.allocator());
                memory.fail_after(n, false);
                way.begin(data, body, from, to);
                const SearchProgress end = way.step(UINT64_MAX);
                const bool listed = end == SearchProgress::found && way.list_way(places);
                const bool failed = memory.feed();
                EXPECT_EQ(failed,
                          end == SearchProgress::no_memory || (end == SearchProgress::found && !listed));
                way.begin(data, body, from, to);
                EXPECT_EQ(way.step(UINT64_MAX),
                          radius < 1.0 ? SearchProgress::found : SearchProgress::exhausted);
                if (!failed) break;
                ++failures;
            }
            EXPECT_EQ(memory.live_bytes, 0);
        }
        EXPECT_GT(failures, 10);
    }
}

// Between rooms of which one is large, and ends that are middles, faces and corners.
TEST(WideWay, FarApartInALargeWorld) {
    VolumeDense world({160, 90, 70});
    for (std::int32_t z = 0; z < 70; ++z) {
        for (std::int32_t y = 0; y < 90; ++y) world.set({80, y, z}, true);
    }
    for (std::int32_t y = 40; y < 43; ++y) {
        for (std::int32_t z = 30; z < 33; ++z) world.set({80, y, z}, false);
    }
    const Volume space = make_volume(world);
    WideAlone way{Allocator{}};
    const Vec3 from{3.0, 4.0, 5.0}, to{155.5, 80.0, 61.5};
    EXPECT_EQ(ask(way, space, 1.5, from, to), SearchProgress::found);
    EXPECT_EQ(way.counts().means, WideWay::Means::lattice);
    expect_legal(way, world, space, 1.5, from, to);
    EXPECT_EQ(ask(way, space, 1.51, from, to), SearchProgress::exhausted);
    // As wide as rows of bits do not reach.
    EXPECT_EQ(ask(way, space, 31.0, {40.0, 40.0, 35.0}, {45.0, 50.0, 36.0}), SearchProgress::found);
    EXPECT_EQ(ask(way, space, 31.0, {40.0, 40.0, 35.0}, {120.0, 50.0, 36.0}), SearchProgress::exhausted);
}

}  // namespace
}  // namespace fairlead::testing
