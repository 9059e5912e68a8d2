// A volume against a plain array of voxels: which are free, which are joined, how far what is solid is, before and after edits; and edited
// ones against new ones, byte for byte.
#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/volume/volume.h>

#include "oracle/volume_dense.h"
#include "support/environment.h"
#include "support/test_allocator.h"
#include "support/volumes.h"
#include "volume/data/state.h"
#include "volume/same_bytes.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;

template <class Visit>
void each_voxel(Voxel size, Visit visit) {
    for (std::int32_t z = 0; z < size.z; ++z) {
        for (std::int32_t y = 0; y < size.y; ++y) {
            for (std::int32_t x = 0; x < size.x; ++x) visit(Voxel{x, y, z});
        }
    }
}

// Free voxels, their number, and who is joined to whom.
void expect_same(const VolumeState& state, const VolumeDense& world) {
    const std::vector<std::int32_t> components = oracle::volume_components(world);
    std::map<std::int32_t, std::uint32_t> label_of;
    std::map<std::uint32_t, std::int32_t> component_of;
    std::int64_t solid = 0;
    each_voxel(world.size, [&](Voxel v) {
        const bool free = world.is_free(v);
        solid += free ? 0 : 1;
        ASSERT_EQ(state.is_free(v), free) << v.x << " " << v.y << " " << v.z;
        const std::uint32_t label = state.component(v);
        if (!free) {
            ASSERT_EQ(label, VolumeState::kNoComponent);
            return;
        }
        const std::int32_t component = components[world.index(v)];
        ASSERT_EQ(label_of.emplace(component, label).first->second, label) << v.x << " " << v.y << " " << v.z;
        ASSERT_EQ(component_of.emplace(label, component).first->second, component)
            << v.x << " " << v.y << " " << v.z;
    });
    EXPECT_EQ(state.solid_voxels(), solid);
    for (const Voxel v :
         {Voxel{-1, 0, 0}, Voxel{world.size.x, 0, 0}, Voxel{0, -1, 0}, Voxel{0, world.size.y, 0},
          Voxel{0, 0, -1}, Voxel{0, 0, world.size.z}, Voxel{INT32_MIN, 0, 0}, Voxel{0, INT32_MAX, 0}}) {
        EXPECT_FALSE(state.is_free(v));
        EXPECT_EQ(state.component(v), VolumeState::kNoComponent);
    }
}

// Distances of parts (side 8) or blocks (side 32) by looking at all of them around.
void expect_distances(const VolumeState& state, const VolumeDense& world, std::int32_t side) {
    const Voxel count{(world.size.x + side - 1) / side, (world.size.y + side - 1) / side,
                      (world.size.z + side - 1) / side};
    VolumeDense units(count);
    each_voxel(world.size, [&](Voxel v) {
        if (!world.is_free(v)) units.set({v.x / side, v.y / side, v.z / side}, true);
    });
    each_voxel(count, [&](Voxel u) {
        std::int32_t least = 3;
        for (std::int32_t i = 0; i < 125; ++i) {
            const Voxel d{i % 5 - 2, i / 5 % 5 - 2, i / 25 - 2};
            const Voxel v{u.x + d.x, u.y + d.y, u.z + d.z};
            if (units.holds(v) && !units.is_free(v))
                least = std::min(least, std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}));
        }
        const volume::Chunk& chunk = state.data().chunk_of({u.x * side, u.y * side, u.z * side});
        const std::uint32_t place = volume::place8(u.x, u.y, u.z);
        const std::int32_t got =
            side == 32 ? chunk.block_distance(place)
                       : chunk.cells[volume::place64(u.x >> 1, u.y >> 1, u.z >> 1)].distance(place);
        ASSERT_EQ(got, least) << "side " << side << ", " << u.x << " " << u.y << " " << u.z;
    });
}

// One edit, of the volume and of the array.
VolumeEdit draw_edit(Rng& rng, VolumeDense& world) {
    const bool solid = rng.below(2) == 0;
    const Voxel size = world.size;
    const auto near = [&](std::int32_t side) { return rng.between(-3, side + 2); };
    if (rng.below(4) == 0) {
        VoxelBrick brick{rng.between(0, (size.x - 1) / 4), rng.between(0, (size.y - 1) / 4),
                         rng.between(0, (size.z - 1) / 4), rng.next()};
        for (std::int32_t i = 0; i < 64; ++i) {
            const Voxel v{brick.x * 4 + (i & 3), brick.y * 4 + (i >> 2 & 3), brick.z * 4 + (i >> 4)};
            if (world.holds(v)) world.set(v, (brick.solid >> i & 1) != 0);
        }
        return VolumeEdit::set(brick);
    }
    if (rng.below(3) == 0) {
        const Vec3 middle{world.origin.x + near(size.x) * world.voxel.x,
                          world.origin.y + near(size.y) * world.voxel.y,
                          world.origin.z + near(size.z) * world.voxel.z};
        const double radius = rng.between(0.0, 6.0) * world.voxel.x;
        each_voxel(size, [&](Voxel v) {
            const Vec3 d = world.centre(v) - middle;
            if (dot(d, d) <= radius * radius) world.set(v, solid);
        });
        return VolumeEdit::ball(middle, radius, solid);
    }
    const Voxel low{near(size.x), near(size.y), near(size.z)};
    const Voxel high{low.x + rng.between(0, 12), low.y + rng.between(0, 12), low.z + rng.between(0, 12)};
    const VoxelBox box{low, high};
    each_voxel(size, [&](Voxel v) {
        if (box.contains(v)) world.set(v, solid);
    });
    return solid ? VolumeEdit::fill(box) : VolumeEdit::clear(box);
}

TEST(VolumeState, AsThePlainArrayHasIt) {
    Rng rng(1);
    for (int i = 0; i < trials(150); ++i) {
        const VolumeDense world = any_volume(rng, i % 8 == 0 ? 90 : 40);
        const Volume made = make_volume(world);
        expect_same(made, world);
        expect_distances(made, world, 8);
        expect_distances(made, world, 32);
        ASSERT_FALSE(HasFailure()) << "world " << i;
    }
}

// Balls are told by distances: only worlds of plain numbers, where both sides round alike.
TEST(VolumeState, EditedItIsAsMadeAnew) {
    Rng rng(2);
    for (int i = 0; i < trials(60); ++i) {
        VolumeDense world = random_volume(rng, static_cast<VolumeKind>(rng.below(9)),
                                          {rng.between(1, 80), rng.between(1, 80), rng.between(1, 50)});
        const VolumeDense before = world;
        Volume made = make_volume(world);
        const VolumeSnapshot frozen = made.acquire();
        for (int e = 0; e < 20; ++e) {
            VolumeEdit edits[3];
            const std::size_t count = 1 + rng.below(3);
            for (std::size_t k = 0; k < count; ++k) edits[k] = draw_edit(rng, world);
            ASSERT_TRUE(made.apply(std::span(edits).first(count)));
            if (e % 5 != 4) continue;
            expect_same(made, world);
            expect_distances(made, world, 8);
            expect_distances(made, world, 32);
            expect_same_bytes(made, make_volume(world));
            ASSERT_FALSE(HasFailure()) << "world " << i << ", edit " << e;
        }
        expect_same(*frozen, before);
        ASSERT_FALSE(HasFailure()) << "world " << i << ", frozen";
    }
}

TEST(VolumeState, BricksAreToldAsTheyWereGiven) {
    Rng rng(3);
    for (int i = 0; i < trials(60); ++i) {
        const VolumeDense world = any_volume(rng, 70);
        const VolumeBricks given(world);
        const Volume made = make_volume(world);
        std::vector<VoxelBrick> told;
        made.state().each_brick([](const VoxelBrick& b,
                                   void* user) { static_cast<std::vector<VoxelBrick>*>(user)->push_back(b); },
                                &told);
        ASSERT_EQ(told.size(), given.bricks.size());
        VolumeOptions options = given.options;
        std::reverse(told.begin(), told.end());  // in any order, and twice
        std::vector<VoxelBrick> twice = told;
        twice.insert(twice.end(), told.begin(), told.end());
        options.bricks = twice;
        const Result<Volume> again = Volume::make(options);
        ASSERT_TRUE(again);
        expect_same_bytes(made, *again);
        for (const VoxelBrick& b : told) ASSERT_EQ(made.state().solid_bits(b.x, b.y, b.z) & b.solid, b.solid);
    }
    EXPECT_EQ(make_volume(VolumeDense({5, 5, 5})).state().solid_bits(-1, 0, 0), UINT64_MAX);
    EXPECT_EQ(make_volume(VolumeDense({5, 5, 5})).state().solid_bits(0, 0, INT32_MAX), UINT64_MAX);
}

TEST(VolumeState, EditsThatChangeNothingMakeNoRevision) {
    VolumeDense world({20, 20, 20});
    world.set({3, 4, 5}, true);
    Volume made = make_volume(world);
    const std::uint64_t first = made.state().revision();
    ASSERT_TRUE(made.apply(VolumeEdit::fill({{3, 4, 5}, {4, 5, 6}})));
    ASSERT_TRUE(made.apply(VolumeEdit::fill({{5, 5, 5}, {5, 9, 9}})));
    ASSERT_TRUE(made.apply(VolumeEdit::fill({{-9, -9, -9}, {0, 50, 50}})));
    ASSERT_TRUE(made.apply(std::span<const VolumeEdit>{}));
    EXPECT_EQ(made.state().revision(), first);
    ASSERT_TRUE(made.apply(VolumeEdit::clear({{3, 4, 5}, {4, 5, 6}})));
    EXPECT_EQ(made.state().revision(), first + 1);
    EXPECT_EQ(made.state().solid_voxels(), 0);
}

TEST(VolumeState, BadEditsChangeNothing) {
    Volume made = make_volume(VolumeDense({20, 20, 20}));
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    const auto refused = [&](const VolumeEdit& bad, const Error& wanted) {
        const VolumeEdit edits[] = {VolumeEdit::fill({{1, 1, 1}, {5, 5, 5}}), bad};
        const Result<void> done = made.apply(edits);
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error(), wanted) << error_text(done.error()).c_str();
        EXPECT_EQ(made.state().solid_voxels(), 0);
        EXPECT_EQ(made.state().revision(), 1U);
    };
    refused(VolumeEdit::ball({nan, 0, 0}, 1.0), {ErrorCode::not_finite, Field::origin, 1, 0});
    refused(VolumeEdit::ball({0, inf, 0}, 1.0), {ErrorCode::not_finite, Field::origin, 1, 0});
    refused(VolumeEdit::ball({0, 0, 0}, nan), {ErrorCode::not_finite, Field::range, 1, 0});
    refused(VolumeEdit::ball({0, 0, 0}, -1.0), {ErrorCode::out_of_range, Field::range, 1, 0});
    refused(VolumeEdit::set({5, 0, 0, 1}), {ErrorCode::out_of_range, Field::rect, 1, 0});
    refused(VolumeEdit::set({0, -1, 0, 1}), {ErrorCode::out_of_range, Field::rect, 1, 0});
    refused(VolumeEdit::set({0, 0, INT32_MAX, 1}), {ErrorCode::out_of_range, Field::rect, 1, 0});
    refused({.kind = VolumeEdit::Kind::count_}, {ErrorCode::out_of_range, Field::none, 1, 0});
    ASSERT_TRUE(made.apply(VolumeEdit::ball({1e300, 0, 0}, 1e300)));
    ASSERT_TRUE(
        made.apply(VolumeEdit::fill({{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}})));
    EXPECT_EQ(made.state().solid_voxels(), 8000);
}

TEST(VolumeState, BadOptions) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto refused = [](const VolumeOptions& options, ErrorCode code, Field field,
                            std::int64_t index = -1) {
        const Result<Volume> made = Volume::make(options);
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().code, code) << error_text(made.error()).c_str();
        EXPECT_EQ(made.error().field, field) << error_text(made.error()).c_str();
        EXPECT_EQ(made.error().index, index);
    };
    refused({}, ErrorCode::out_of_range, Field::width);
    refused({.size = {1, 0, 1}}, ErrorCode::out_of_range, Field::width);
    refused({.size = {1, 1, -5}}, ErrorCode::out_of_range, Field::width);
    refused({.size = {kVolumeSideMax + 1, 1, 1}}, ErrorCode::size_limit, Field::width);
    refused({.size = {kVolumeSideMax, kVolumeSideMax, kVolumeSideMax}}, ErrorCode::size_limit, Field::width);
    refused({.origin = {nan, 0, 0}, .size = {4, 4, 4}}, ErrorCode::not_finite, Field::origin);
    refused({.origin = {1e18, 0, 0}, .size = {4, 4, 4}}, ErrorCode::out_of_range, Field::origin);
    refused({.voxel_size = {1, nan, 1}, .size = {4, 4, 4}}, ErrorCode::not_finite, Field::cell_size);
    refused({.voxel_size = {0, 1, 1}, .size = {4, 4, 4}}, ErrorCode::out_of_range, Field::cell_size);
    refused({.voxel_size = {1, 1, -1}, .size = {4, 4, 4}}, ErrorCode::out_of_range, Field::cell_size);
    refused({.voxel_size = {1, 1, 1e5}, .size = {4, 4, 4}}, ErrorCode::out_of_range, Field::cell_size);
    for (const VoxelBrick bad : {VoxelBrick{1, 0, 0, 1}, VoxelBrick{-1, 0, 0, 1},
                                 VoxelBrick{0, 0, INT32_MIN, 1}, VoxelBrick{0, 0, 0, 8}}) {
        const VoxelBrick bricks[] = {{0, 0, 0, 1}, bad};
        refused({.size = {3, 4, 4}, .bricks = bricks}, ErrorCode::out_of_range, Field::cells, 1);
    }
}

// Wherever memory ends: nothing leaks, nothing has changed, and the next call works.
TEST(VolumeState, MemoryEnds) {
    Rng rng(5);
    const VolumeDense world = random_volume(rng, VolumeKind::noise, {70, 40, 20});
    TestAllocator memory;
    VolumeBricks given(world);
    given.options.allocator = memory.allocator();
    for (std::int64_t n = 0;; ++n) {
        memory.fail_after(n, n % 2 == 0);
        {
            Result<Volume> made = Volume::make(given.options);
            const bool failed = memory.feed();
            if (!made) {
                ASSERT_TRUE(failed);
                ASSERT_EQ(made.error().code, ErrorCode::out_of_memory);
            }
        }
        ASSERT_EQ(memory.live_blocks, 0);
        if (memory.calls == 0 || n > 400) break;
        if (n > 60) n += 17;
    }
    Result<Volume> made = Volume::make(given.options);
    ASSERT_TRUE(made);
    for (std::int64_t n = 0; n < 60; ++n) {
        const VolumeEdit edit = n % 2 == 0 ? VolumeEdit::fill({{60, 10, 5}, {68, 20, 15}})
                                           : VolumeEdit::clear({{60, 10, 5}, {68, 20, 15}});
        const std::int64_t solid = made->state().solid_voxels();
        memory.fail_after(n, true);
        const Result<void> done = made->apply(edit);
        if (memory.feed() && !done) {
            ASSERT_EQ(done.error().code, ErrorCode::out_of_memory);
            ASSERT_EQ(made->state().solid_voxels(), solid);
        }
        ASSERT_TRUE(made->apply(edit));
    }
    VolumeDense now = world;
    each_voxel(world.size, [&](Voxel v) {
        if (VoxelBox{{60, 10, 5}, {68, 20, 15}}.contains(v)) now.set(v, false);
    });
    expect_same(*made, now);
    *made = make_volume(world);
    EXPECT_EQ(memory.live_blocks, 0);
}

// An obstacle that goes to and fro.
TEST(VolumeState, WarmEditsAllocateNothing) {
    Rng rng(6);
    for (const VolumeKind kind :
         {VolumeKind::noise, static_cast<VolumeKind>(3), static_cast<VolumeKind>(5)}) {
        TestAllocator memory;
        VolumeBricks given(random_volume(rng, kind, {150, 140, 90}));
        given.options.allocator = memory.allocator();
        Result<Volume> made = Volume::make(given.options);
        ASSERT_TRUE(made);
        const VoxelBox boxes[] = {{{60, 60, 30}, {68, 68, 38}}, {{62, 60, 30}, {70, 68, 38}}};
        std::int64_t warm = 0, revisions = 0;
        for (int round = 0; round < 6; ++round) {
            if (round == 3) warm = memory.calls;
            for (const VoxelBox& box : boxes) {
                ASSERT_TRUE(made->apply(VolumeEdit::fill(box)));
                ASSERT_TRUE(made->apply(VolumeEdit::clear(box)));
            }
            if (round == 3) revisions = static_cast<std::int64_t>(made->state().revision());
        }
        EXPECT_EQ(memory.calls, warm);
        EXPECT_GT(static_cast<std::int64_t>(made->state().revision()), revisions + 7);
    }
}

// More components than a number of 2 bytes can tell: no voxel of a checkerboard is joined to another.
TEST(VolumeState, EveryVoxelOfACheckerboardIsAComponent) {
    std::vector<VoxelBrick> bricks;
    std::uint64_t odd = 0;
    for (std::uint32_t i = 0; i < 64; ++i) odd |= std::uint64_t{((i & 3) + (i >> 2 & 3) + (i >> 4)) & 1} << i;
    for (std::int32_t i = 0; i < 16 * 16 * 16; ++i) bricks.push_back({i & 15, i >> 4 & 15, i >> 8, odd});
    const Result<Volume> made = Volume::make({.size = {64, 64, 64}, .bricks = bricks});
    ASSERT_TRUE(made);
    std::vector<char> seen(64 * 64 * 64);
    each_voxel({64, 64, 64}, [&](Voxel v) {
        const std::uint32_t component = made->state().component(v);
        if (!made->state().is_free(v)) return;
        ASSERT_LT(component, seen.size());
        ASSERT_EQ(seen[component]++, 0);
    });
}

TEST(VolumeState, Numbers) {
    VolumeDense world({10, 20, 30});
    world.origin = {100, -50, 5};
    world.voxel = {0.5, 1.0, 2.0};
    const Volume made = make_volume(world);
    const VolumeState& state = made;
    EXPECT_EQ(state.size(), (Voxel{10, 20, 30}));
    EXPECT_EQ(state.voxel_at({100.6, -48.5, 6.9}), (Voxel{1, 1, 0}));
    EXPECT_EQ(state.voxel_at({99.9, -50, 5}), (Voxel{-1, 0, 0}));
    EXPECT_EQ(state.voxel_at({1e300, 0, 0}), (Voxel{-1, -1, -1}));
    EXPECT_EQ(state.voxel_at({std::numeric_limits<double>::quiet_NaN(), 0, 0}), (Voxel{-1, -1, -1}));
    EXPECT_EQ(state.centre({1, 1, 0}), (Vec3{100.75, -48.5, 6}));
    EXPECT_TRUE(state.in_bounds({9, 19, 29}));
    EXPECT_FALSE(state.in_bounds({10, 0, 0}));
    EXPECT_GT(state.memory().total(), 0U);
}

}  // namespace
}  // namespace fairlead::testing
