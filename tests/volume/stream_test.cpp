// Chunks that come and go, against a plain array in which all that is not there is solid: voxels, components, distances, ways; and byte
// for byte against a volume that was made at once.
#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/baked.h>
#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/nearest_free.h>
#include <fairlead/volume/repair.h>
#include <fairlead/volume/sight.h>
#include <fairlead/volume/stream.h>

#include "oracle/volume_dense.h"
#include "support/environment.h"
#include "support/route_compare.h"
#include "support/starve.h"
#include "support/test_allocator.h"
#include "support/volumes.h"
#include "volume/answers.h"
#include "volume/data/state.h"
#include "volume/same_bytes.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;

/// What is in every chunk, and which chunks are there.
struct StreamModel {
    VolumeDense all;
    Voxel chunks{};
    std::vector<char> loaded;

    explicit StreamModel(const VolumeDense& world) : all(world) {
        const auto count = [](std::int32_t side) { return (side + 63) / 64; };
        chunks = {count(all.size.x), count(all.size.y), count(all.size.z)};
        loaded.resize(static_cast<std::size_t>(chunks.x * chunks.y * chunks.z));
    }
    [[nodiscard]] std::size_t index(Voxel c) const {
        return static_cast<std::size_t>((c.z * chunks.y + c.y) * chunks.x + c.x);
    }
    [[nodiscard]] Voxel chunk(std::size_t i) const {
        const auto n = static_cast<std::int32_t>(i);
        return {n % chunks.x, n / chunks.x % chunks.y, n / (chunks.x * chunks.y)};
    }
    [[nodiscard]] bool is_there(Voxel v) const { return loaded[index({v.x / 64, v.y / 64, v.z / 64})] != 0; }
    /// With all that is not there filled.
    [[nodiscard]] VolumeDense seen() const {
        VolumeDense out = all;
        for (std::size_t i = 0; i < out.solid.size(); ++i) {
            if (!is_there(out.at(i))) out.solid[i] = 1;
        }
        return out;
    }
    [[nodiscard]] std::vector<VoxelBrick> bricks(Voxel c) const {
        std::vector<VoxelBrick> out;
        for (const VoxelBrick& b : VolumeBricks(all).bricks) {
            if (b.x / 16 == c.x && b.y / 16 == c.y && b.z / 16 == c.z) out.push_back(b);
        }
        return out;
    }
    void clear(Voxel c) {
        for (std::size_t i = 0; i < all.solid.size(); ++i) {
            const Voxel v = all.at(i);
            if (v.x / 64 == c.x && v.y / 64 == c.y && v.z / 64 == c.z) all.solid[i] = 0;
        }
    }
};

VolumeOptions streamed(const VolumeDense& world, const Allocator& allocator = {}) {
    return {.origin = world.origin,
            .voxel_size = world.voxel,
            .size = world.size,
            .streamed = true,
            .allocator = allocator};
}

// Another way to the same: all of it, and then what is not there taken out.
Volume made_whole(const StreamModel& model) {
    Volume whole = make_volume(model.all);
    std::vector<VolumeEdit> edits;
    for (std::size_t i = model.loaded.size(); i-- > 0;) {
        if (model.loaded[i] == 0) edits.push_back(VolumeEdit::unload(model.chunk(i)));
    }
    EXPECT_TRUE(whole.apply(edits));
    return whole;
}

void expect_as(const VolumeState& state, const StreamModel& model) {
    const VolumeDense seen = model.seen();
    const std::vector<std::int32_t> components = oracle::volume_components(seen);
    std::map<std::int32_t, std::uint32_t> label_of;
    std::map<std::uint32_t, std::int32_t> component_of;
    std::int64_t solid = 0;
    for (std::size_t i = 0; i < seen.solid.size(); ++i) {
        const Voxel v = seen.at(i);
        if (model.is_there(v)) solid += seen.solid[i];
        ASSERT_EQ(state.is_free(v), seen.is_free(v));
        const std::uint32_t label = state.component(v);
        if (!seen.is_free(v)) {
            ASSERT_EQ(label, VolumeState::kNoComponent);
            continue;
        }
        ASSERT_EQ(label_of.emplace(components[i], label).first->second, label);
        ASSERT_EQ(component_of.emplace(label, components[i]).first->second, components[i]);
    }
    EXPECT_EQ(state.solid_voxels(), solid);
    std::size_t there = 0;
    for (std::size_t i = 0; i < model.loaded.size(); ++i) {
        there += model.loaded[i] != 0 ? 1U : 0U;
        ASSERT_EQ(state.is_loaded(model.chunk(i)), model.loaded[i] != 0);
    }
    EXPECT_EQ(state.loaded_chunks(), there);
    EXPECT_FALSE(state.is_loaded({-1, 0, 0}));
    EXPECT_FALSE(state.is_loaded(model.chunks));
}

// Of parts (side 8) or blocks (side 32) of the chunks that are there; a missing chunk is solid all through, beyond the bounds as well.
void expect_distances(const VolumeState& state, const StreamModel& model, std::int32_t side) {
    const Voxel count{model.chunks.x * 64 / side, model.chunks.y * 64 / side, model.chunks.z * 64 / side};
    VolumeDense units(count);
    for (std::size_t i = 0; i < units.solid.size(); ++i) {
        const Voxel u = units.at(i);
        if (!model.is_there({u.x * side, u.y * side, u.z * side})) units.solid[i] = 1;
    }
    for (std::size_t i = 0; i < model.all.solid.size(); ++i) {
        const Voxel v = model.all.at(i);
        if (model.all.solid[i] != 0) units.set({v.x / side, v.y / side, v.z / side}, true);
    }
    for (std::size_t i = 0; i < units.solid.size(); ++i) {
        const Voxel u = units.at(i);
        std::int32_t least = 3;
        for (std::int32_t n = 0; n < 125; ++n) {
            const Voxel d{n % 5 - 2, n / 5 % 5 - 2, n / 25 - 2}, w{u.x + d.x, u.y + d.y, u.z + d.z};
            if (units.holds(w) && !units.is_free(w))
                least = std::min(least, std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}));
        }
        const volume::Chunk& chunk = state.data().chunk_of({u.x * side, u.y * side, u.z * side});
        const std::uint32_t place = volume::place8(u.x, u.y, u.z);
        const std::int32_t got =
            side == 32 ? chunk.block_distance(place)
                       : chunk.cells[volume::place64(u.x >> 1, u.y >> 1, u.z >> 1)].distance(place);
        ASSERT_EQ(got, least) << "side " << side << ", " << u.x << " " << u.y << " " << u.z;
    }
}

VolumeDense draw_streamed(Rng& rng, std::int32_t side_max = 150) {
    constexpr VolumeKind kKinds[] = {VolumeKind::rooms,  VolumeKind::tunnels,      VolumeKind::asteroids,
                                     VolumeKind::boxes,  VolumeKind::sparse_noise, VolumeKind::open,
                                     VolumeKind::plates, VolumeKind::noise};
    Voxel size{rng.between(1, side_max), rng.between(1, 100), rng.between(1, 40)};
    if (rng.below(4) == 0) size.x = 128;
    return random_volume(rng, kKinds[rng.below(8)], size);
}

// One edit of the volume and of the model.
void stream_once(Rng& rng, StreamModel& model, Volume& volume) {
    const std::size_t i = rng.below(static_cast<std::uint32_t>(model.loaded.size()));
    const Voxel chunk = model.chunk(i);
    const std::uint32_t what = rng.below(4);
    if (what == 0) {
        ASSERT_TRUE(volume.apply(VolumeEdit::unload(chunk)));
        model.loaded[i] = 0;
    } else if (what == 1) {
        const Voxel low{rng.between(-3, model.all.size.x), rng.between(-3, model.all.size.y),
                        rng.between(-3, model.all.size.z)};
        const VoxelBox box{
            low, {low.x + rng.between(0, 30), low.y + rng.between(0, 30), low.z + rng.between(0, 12)}};
        const bool solid = rng.below(2) == 0;
        ASSERT_TRUE(volume.apply(solid ? VolumeEdit::fill(box) : VolumeEdit::clear(box)));
        for (std::size_t n = 0; n < model.all.solid.size(); ++n) {
            const Voxel v = model.all.at(n);
            if (box.contains(v) && model.is_there(v)) model.all.set(v, solid);
        }
    } else {
        if (what == 2 && model.loaded[i] != 0) model.clear(chunk);  // another one in its place
        std::vector<VoxelBrick> bricks = model.bricks(chunk);
        std::reverse(bricks.begin(), bricks.end());
        ASSERT_TRUE(volume.apply(VolumeEdit::load(chunk, bricks)));
        model.loaded[i] = 1;
    }
}

TEST(VolumeStream, AsIfAllThatIsMissingWereSolid) {
    Rng rng(1);
    for (int n = 0; n < trials(10); ++n) {
        StreamModel model(draw_streamed(rng));
        Result<Volume> volume = Volume::make(streamed(model.all));
        ASSERT_TRUE(volume);
        const VolumeSnapshot empty = volume->acquire();
        EXPECT_EQ(volume->state().memory().chunks + volume->state().solid_voxels(), 0U);
        for (int e = 0; e < 12; ++e) {
            stream_once(rng, model, *volume);
            if (e % 4 != 3) continue;
            expect_as(*volume, model);
            expect_distances(*volume, model, 8);
            expect_distances(*volume, model, 32);
            expect_same_bytes(*volume, made_whole(model));
            ASSERT_FALSE(HasFailure()) << "world " << n << ", edit " << e;
        }
        const StreamModel nothing(model.all);
        expect_as(*empty, nothing);
    }
}

// Ways, sight and places are those of a volume in which what is missing was filled.
TEST(VolumeStream, AnswersAsIfFilled) {
    Rng rng(2);
    int complete = 0, off_world = 0;
    for (int n = 0; n < trials(30); ++n) {
        StreamModel model(draw_streamed(rng));
        for (char& there : model.loaded) there = rng.below(3) != 0;
        const Volume volume = made_whole(model), filled = make_volume(model.seen());
        Scratch scratch;
        for (int q = 0; q < 8; ++q) {
            const auto place = [&] {
                const Voxel v{rng.between(0, model.all.size.x - 1), rng.between(0, model.all.size.y - 1),
                              rng.between(0, model.all.size.z - 1)};
                return model.all.centre(v);
            };
            constexpr double kRadii[] = {0.0, 0.4, 0.5, 1.2};
            VolumeQuery query{.start = place(), .goal = place(), .agent = {.radius = kRadii[rng.below(4)]}};
            if (rng.below(3) == 0) query.reach = 4.0;
            const Result<Route> a = find_route(volume, query, scratch),
                                b = find_route(filled, query, scratch);
            ASSERT_TRUE(a && b);
            const bool start_there = model.is_there(volume.state().voxel_at(query.start.position)),
                       goal_there = model.is_there(volume.state().voxel_at(query.goal.at.position));
            if (b->status == PathStatus::start_blocked && !start_there) {
                EXPECT_EQ(a->status, PathStatus::off_world);
                ++off_world;
            } else if (b->status == PathStatus::goal_blocked && !goal_there) {
                EXPECT_EQ(a->status, PathStatus::off_world);
                ++off_world;
            } else {
                EXPECT_EQ(route_difference(*a, *b, false), "");
                complete += a->status == PathStatus::complete ? 1 : 0;
                if (!a->legs.empty()) {
                    EXPECT_FALSE(verify(*a, volume, query.agent));
                }
            }
            const Vec3 from = place(), to = place();
            EXPECT_EQ(in_sight(volume, from, to, 0.3), in_sight(filled, from, to, 0.3));
            EXPECT_EQ(fits(volume, from), fits(filled, from));
            const VolumeFreeQuery free{.place = from, .agent = query.agent};
            const Result<VolumeFree> near = nearest_free(volume, free, scratch),
                                     other = nearest_free(filled, free, scratch);
            ASSERT_TRUE(near && other);
            EXPECT_EQ(near->found, other->found);
            EXPECT_EQ(near->position, other->position);
            Rng dice(7), same(7);
            const Result<VolumeFree> random = random_place(volume, {}, dice, scratch),
                                     again = random_place(filled, {}, same, scratch);
            ASSERT_TRUE(random && again);
            EXPECT_EQ(random->position, again->position);
        }
        ASSERT_FALSE(HasFailure()) << "world " << n;
    }
    if (all_trials()) {
        EXPECT_GT(complete, 20);
        EXPECT_GT(off_world, 20);
    }
}

TEST(VolumeStream, FilesKeepWhichChunksAreThere) {
    Rng rng(3);
    for (int n = 0; n < trials(8); ++n) {
        StreamModel model(draw_streamed(rng));
        for (char& there : model.loaded) there = rng.below(2) == 0;
        const Volume volume = made_whole(model);
        Array<std::uint8_t> bytes, again;
        ASSERT_TRUE(save_volume(volume, bytes, 9));
        const Result<Volume> loaded = load_volume(bytes.span());
        ASSERT_TRUE(loaded) << error_text(loaded.error()).c_str();
        expect_as(*loaded, model);
        expect_same_bytes(*loaded, volume);
        ASSERT_TRUE(save_volume(*loaded, again, 9));
        EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), again.begin(), again.end()));
        Result<Volume> mapped = map_trusted_volume(bytes.span(), volume_key(streamed(model.all), 9));
        ASSERT_TRUE(mapped);
        expect_as(*mapped, model);
        for (int e = 0; e < 3; ++e) stream_once(rng, model, *mapped);
        expect_same_bytes(*mapped, made_whole(model));
        const Result<BakedFile> file =
            BakedFile::open(bytes.span(), {.kind = kBakedVolume, .major = 1, .minor = 1});
        ASSERT_TRUE(file);
        EXPECT_EQ(file->header().minor, volume.state().loaded_chunks() < model.loaded.size() ? 1 : 0);
        ASSERT_FALSE(HasFailure()) << "world " << n;
    }
}

TEST(VolumeStream, AChunksFile) {
    Rng rng(4);
    for (int n = 0; n < trials(12); ++n) {
        StreamModel model(draw_streamed(rng));
        std::fill(model.loaded.begin(), model.loaded.end(), 1);
        const Volume whole = make_volume(model.all);
        const VolumeKey key = volume_key(streamed(model.all), 0);
        Result<Volume> volume = Volume::make(streamed(model.all));
        for (std::size_t i = 0; i < model.loaded.size(); ++i) {
            Array<std::uint8_t> bytes;
            ASSERT_TRUE(save_volume_chunk(whole, model.chunk(i), bytes, 5));
            const Result<VolumeChunk> chunk = load_volume_chunk(bytes.span(), key);
            ASSERT_TRUE(chunk) << error_text(chunk.error()).c_str();
            EXPECT_EQ(chunk->place, model.chunk(i));
            EXPECT_EQ(chunk->source, 5U);
            ASSERT_TRUE(volume->apply(chunk->edit()));
            EXPECT_EQ(load_volume_chunk(bytes.span(), {key.options + 1, 0}).error().code,
                      ErrorCode::incompatible);
            EXPECT_EQ(load_volume_chunk(bytes.span(), {key.options, 6}).error().code,
                      ErrorCode::incompatible);
            EXPECT_TRUE(load_volume_chunk(bytes.span(), {key.options, 5}));
            // Any byte: told by the checksums, and behind them by what is looked at.
            for (int k = 0; k < 30; ++k) {
                std::vector<std::uint8_t> bad(bytes.begin(), bytes.end());
                std::uint8_t& hit = bad[rng.below(static_cast<std::uint32_t>(bad.size()))];
                hit = static_cast<std::uint8_t>(hit ^ (1U << rng.below(8)));
                if (&hit != &bad[10] && &hit != &bad[11]) {
                    EXPECT_FALSE(load_volume_chunk(bad, key));
                }
                if (!baked_reseal(bad)) continue;
                const Result<VolumeChunk> forged = load_volume_chunk(bad, key);
                if (!forged) continue;
                Volume target = *Volume::make(streamed(model.all));
                ASSERT_TRUE(target.apply(forged->edit()));
                Array<std::uint8_t> once;
                ASSERT_TRUE(save_volume_chunk(target, forged->place, once, forged->source));
                // What counts of the file: an origin of -0 is one of 0.
                ASSERT_EQ(once.size(), bad.size());
                const Result<VolumeChunk> same = load_volume_chunk(once.span(), key);
                ASSERT_TRUE(same && same->place == forged->place &&
                            same->bricks.size() == forged->bricks.size());
                for (std::size_t b = 0; b < same->bricks.size(); ++b)
                    ASSERT_EQ(same->bricks[b].solid, forged->bricks[b].solid);
            }
        }
        expect_same_bytes(*volume, whole);
        ASSERT_FALSE(HasFailure()) << "world " << n;
    }
    const Volume none = *Volume::make({.size = {70, 4, 4}, .streamed = true});
    Array<std::uint8_t> out;
    EXPECT_EQ(save_volume_chunk(none, {2, 0, 0}, out).error(),
              (Error{ErrorCode::out_of_range, Field::chunks}));
    EXPECT_EQ(save_volume_chunk(none, {1, 0, 0}, out).error(),
              (Error{ErrorCode::incompatible, Field::chunks}));
}

TEST(VolumeStream, ASearchGoesOnInItsSnapshot) {
    VolumeDense world({200, 60, 60});
    for (std::int32_t z = 0; z < 60; ++z) {
        for (std::int32_t y = 0; y < 58; ++y) world.set({100, y, z}, true);
    }
    Volume volume = make_volume(world);
    const VolumeQuery query{.start = {5.5, 5.5, 5.5}, .goal = Vec3{195.5, 5.5, 5.5}};
    Scratch scratch, other;
    const Result<Route> alone = find_route(volume, query, other);
    ASSERT_TRUE(alone && alone->status == PathStatus::complete);
    VolumeSearch search(volume.acquire(), query, scratch);
    (void)search.step(2);
    ASSERT_TRUE(volume.apply(VolumeEdit::unload({1, 0, 0})));
    while (search.step(3)) {
    }
    Route route;
    ASSERT_TRUE(search.take(route));
    EXPECT_EQ(route_difference(route, *alone), "");
    EXPECT_EQ(status_of(volume, query, other), PathStatus::unreachable);
    // The edit's box tells which legs are asked, and which routes.
    RouteIndex index = *RouteIndex::make({.bucket = 8.0, .space = true});
    ASSERT_TRUE(index.insert(route, 3, 0.0));
    const VoxelBox box = changed_voxels(volume, VolumeEdit::unload({1, 0, 0}));
    EXPECT_EQ(box, (VoxelBox{{64, 0, 0}, {128, 60, 60}}));
    Array<std::uint64_t> ids;
    ASSERT_TRUE(index.touched(touched_box(volume, box), ids));
    EXPECT_EQ(ids.size(), 1U);
    const Result<Revalidation> still = revalidate(volume, route, query, other, &box);
    ASSERT_TRUE(still);
    EXPECT_FALSE(still->legal);
    ASSERT_TRUE(repair(volume, route, query, other));
    EXPECT_EQ(route.status, PathStatus::unreachable);
    EXPECT_EQ(status_of(volume, {.start = {70, 5, 5}, .goal = Vec3{5, 5, 5}}, other), PathStatus::off_world);
    EXPECT_EQ(status_of(volume, {.start = {5, 5, 5}, .goal = Vec3{70, 5, 5}}, other), PathStatus::off_world);
}

TEST(VolumeStream, BadOnes) {
    Volume volume = *Volume::make({.size = {100, 70, 20}, .streamed = true});
    const auto refused = [&](const VolumeEdit& edit, Error wanted) {
        const VolumeEdit edits[] = {VolumeEdit::load({0, 0, 0}, {}), edit};
        const Result<void> done = volume.apply(edits);
        ASSERT_FALSE(done);
        wanted.index = 1;
        EXPECT_EQ(done.error(), wanted) << error_text(done.error()).c_str();
        EXPECT_EQ(volume.state().loaded_chunks(), 0U);
        EXPECT_EQ(volume.state().revision(), 1U);
    };
    const Error outside{ErrorCode::out_of_range, Field::chunks};
    refused(VolumeEdit::load({2, 0, 0}, {}), outside);
    refused(VolumeEdit::unload({0, -1, 0}), outside);
    refused(VolumeEdit::load({0, 0, INT32_MAX}, {}), outside);
    refused(VolumeEdit::unload({INT32_MIN, 0, 0}), outside);
    const VoxelBrick there[] = {{0, 0, 0, 1}, {16, 0, 0, 1}};
    refused(VolumeEdit::load({0, 0, 0}, there), {ErrorCode::out_of_range, Field::cells, 1, 1});
    const VoxelBrick beyond[] = {{16, 17, 0, 0x0010}, {16, 17, 0, 0x0100}};  // 70 is 17.5 bricks
    refused(VolumeEdit::load({1, 1, 0}, beyond), {ErrorCode::out_of_range, Field::cells, 1, 1});
    const VoxelBrick far[] = {{INT32_MIN, 0, 0, 1}};
    refused(VolumeEdit::load({0, 0, 0}, far), {ErrorCode::out_of_range, Field::cells, 1, 0});
    ASSERT_TRUE(volume.apply(VolumeEdit::unload({0, 0, 0})));
    ASSERT_TRUE(volume.apply(VolumeEdit::fill({{0, 0, 0}, {50, 50, 50}})));
    EXPECT_EQ(volume.state().revision(), 1U);
    const VoxelBrick bricks[] = {{0, 0, 0, 1}};
    EXPECT_EQ(Volume::make({.size = {9, 9, 9}, .bricks = bricks, .streamed = true}).error(),
              (Error{ErrorCode::incompatible, Field::cells}));
}

// Wherever memory ends nothing has changed; and to and fro costs no allocation.
TEST(VolumeStream, Memory) {
    Rng rng(5);
    for (const VolumeKind kind : {VolumeKind::noise, VolumeKind::rooms, VolumeKind::asteroids}) {
        StreamModel model(random_volume(rng, kind, {130, 70, 40}));
        TestAllocator memory;
        Result<Volume> volume = Volume::make(streamed(model.all, memory.allocator()));
        ASSERT_TRUE(volume);
        std::vector<std::vector<VoxelBrick>> bricks;
        for (std::size_t i = 0; i < model.loaded.size(); ++i) bricks.push_back(model.bricks(model.chunk(i)));
        const auto flip = [&](std::size_t i) {
            const bool there = volume->state().is_loaded(model.chunk(i));
            return volume->apply(there ? VolumeEdit::unload(model.chunk(i))
                                       : VolumeEdit::load(model.chunk(i), bricks[i]));
        };
        for (const std::size_t i : {0U, 2U, 1U, 2U}) {
            const std::size_t before = volume->state().loaded_chunks();
            for (const bool once : kOnceAndForEver) {
                starve(
                    memory, once, [&] { return flip(i); },
                    [&](const Result<void>& done) {
                        if (done) {
                            ASSERT_TRUE(flip(i));
                        } else {
                            EXPECT_EQ(volume->state().loaded_chunks(), before);
                        }
                    });
                ASSERT_TRUE(flip(i));
            }
            ASSERT_TRUE(flip(i));
        }
        std::int64_t warm = 0;
        for (int round = 0; round < 6; ++round) {
            if (round == 3) warm = memory.calls;
            for (const std::size_t i : {0U, 1U, 0U, 1U}) ASSERT_TRUE(flip(i));
        }
        EXPECT_EQ(memory.calls, warm) << static_cast<int>(kind);
        *volume = make_volume(model.all);
        EXPECT_EQ(memory.live_blocks, 0);
    }
}

}  // namespace
}  // namespace fairlead::testing
