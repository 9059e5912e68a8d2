// Saved volumes: the bytes are what FORMAT.md says, put together by a writer of the tests' own; what is loaded is
// what was saved; a file is loaded, made anew or refused.
#include <fairlead/volume/save_volume.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/baked.h>
#include <fairlead/base/rng.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/voxel_map.h>

#include "support/environment.h"
#include "support/plain_volume.h"
#include "support/random_plain_volume.h"
#include "support/test_allocator.h"
#include "volume/data/state.h"
#include "volume/same_bytes.h"

namespace fairlead {
namespace {

using testing::expect_same_bytes;
using testing::FileBytes;
using testing::number_at;
using testing::PlainVolume;

FileBytes saved(const VolumeState& volume, std::uint64_t source = 0) {
    Array<std::uint8_t> out;
    EXPECT_TRUE(save_volume(volume, out, source).has_value());
    return {out.begin(), out.end()};
}

void expect_same(const VolumeState& state, const PlainVolume& plain) {
    ASSERT_EQ(state.size(), (Voxel{plain.size(0), plain.size(1), plain.size(2)}));
    EXPECT_EQ(state.origin(), (Vec3{plain.origin[0], plain.origin[1], plain.origin[2]}));
    EXPECT_EQ(state.voxel_size(), (Vec3{plain.voxel[0], plain.voxel[1], plain.voxel[2]}));
    ASSERT_EQ(state.solid_voxels(), plain.count());
    int differ = 0;
    for (int z = 0; z < plain.size(2); ++z) {
        for (int y = 0; y < plain.size(1); ++y) {
            for (int x = 0; x < plain.size(0); ++x)
                differ += state.is_free({x, y, z}) == plain.has(x, y, z) ? 1 : 0;
        }
    }
    ASSERT_EQ(differ, 0);
}

FileBytes section_of(const FileBytes& bytes, std::uint32_t i) {
    const Result<BakedFile> file = BakedFile::open(bytes, {});
    const BakedSection section = file->section_at(i);
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(section.offset);
    return {from, from + static_cast<std::ptrdiff_t>(section.size)};
}

// Bounds, voxels and distances; what is joined to what is compared with an oracle in state_test.cpp, and byte for byte in LoadsAsItWas.
TEST(SaveVolume, TheBytesAreWhatTheFormatSays) {
    Rng rng(1);
    int full_cells = 0, mixed = 0, none = 0;
    for (int trial = 0; trial < testing::trials(80); ++trial) {
        const PlainVolume plain = testing::random_plain_volume(rng);
        const Volume volume = testing::make_volume(plain);
        const std::uint64_t source = trial % 3 == 0 ? 0 : rng.next();
        const std::vector<VoxelBrick> bricks = testing::bricks_of(plain);
        const VolumeKey key = volume_key(testing::options_of(plain, bricks), source);
        const FileBytes bytes = saved(volume, source);
        std::vector<testing::PlainSection> sections = {{"OPTS", 72, testing::plain_options(plain)},
                                                       {"CHNK", 24, section_of(bytes, 1)},
                                                       {"DATA", 8, section_of(bytes, 2)},
                                                       {"LABL", 8, section_of(bytes, 3)}};
        ASSERT_EQ(bytes, testing::plain_file(sections, key.options, source)) << trial;
        const std::vector<testing::PlainChunk> chunks = testing::plain_chunks(plain);
        ASSERT_EQ(sections[1].bytes.size(), chunks.size() * 24) << trial;
        std::size_t at = 0;
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            for (std::size_t k = 0; k < 3; ++k)
                ASSERT_EQ(number_at(sections[1].bytes, i * 24 + k * 4, 4),
                          static_cast<unsigned>(chunks[i].place[k]));
            const auto from = sections[2].bytes.begin() + static_cast<std::ptrdiff_t>(at);
            const FileBytes& image = chunks[i].image;
            ASSERT_LE(at + image.size(), sections[2].bytes.size());
            ASSERT_TRUE(std::equal(image.begin(), image.end(), from)) << trial << ", chunk " << i;
            for (std::size_t k = 0; k < 3; ++k)
                at += 8 * number_at(sections[1].bytes, i * 24 + 12 + k * 4, 4);
            for (std::size_t c = 24; c < 280; c += 4) full_cells += number_at(image, c, 2) == 1 ? 1 : 0;
            mixed += image.size() > 280 ? 1 : 0;
        }
        ASSERT_EQ(at, sections[2].bytes.size());
        none += chunks.empty() ? 1 : 0;
    }
    if (testing::all_trials()) {
        EXPECT_GT(full_cells, 10);
        EXPECT_GT(mixed, 50);
        EXPECT_GT(none, 2);
    }
}

// Made, loaded, and mapped: the same to the byte, also after the same edits; the mapped bytes stay as they were, and a snapshot of them
// outlives the edits.
TEST(SaveVolume, MadeLoadedAndMappedAreTheSame) {
    Rng rng(8);
    for (int trial = 0; trial < testing::trials(60); ++trial) {
        const PlainVolume plain = testing::random_plain_volume(rng);
        const std::vector<VoxelBrick> bricks = testing::bricks_of(plain);
        const VolumeKey key = volume_key(testing::options_of(plain, bricks), 7);
        Volume made = testing::make_volume(plain);
        Array<std::uint8_t> bytes;
        ASSERT_TRUE(save_volume(made, bytes, 7).has_value());
        const FileBytes before(bytes.begin(), bytes.end());
        testing::TestAllocator memory;
        {
            Result<Volume> loaded = load_volume(bytes.span());
            Result<Volume> mapped = map_trusted_volume(bytes.span(), key, {.allocator = memory.allocator()});
            ASSERT_TRUE(loaded.has_value() && mapped.has_value()) << trial;
            EXPECT_EQ(mapped->state().memory().chunks + mapped->state().memory().components, 0U);
            const VolumeSnapshot frozen = mapped->acquire();
            for (int e = 0; e < 6; ++e) {
                expect_same_bytes(made, *loaded);
                expect_same_bytes(made, *mapped);
                ASSERT_FALSE(::testing::Test::HasFailure()) << trial << ", edit " << e;
                const auto place = [&](int axis) { return rng.between(0, plain.size(axis) - 1); };
                const Voxel low{place(0), place(1), place(2)};
                const VoxelBox box{low, {low.x + rng.between(1, 20), low.y + rng.between(1, 20), low.z + 9}};
                const VolumeEdit edit = e % 2 == 0 ? VolumeEdit::fill(box) : VolumeEdit::clear(box);
                for (Volume* volume : {&made, &*loaded, &*mapped})
                    ASSERT_TRUE(volume->apply(edit).has_value());
            }
            expect_same(*frozen, plain);
            EXPECT_EQ(saved(*frozen, 7), before);
            EXPECT_EQ(saved(*mapped, 7), saved(made, 7));
        }
        EXPECT_EQ(memory.live_blocks, 0);
        EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), before.begin(), before.end()));
    }
}

TEST(SaveVolume, WhatIsNotWantedIsNotMapped) {
    const VoxelBrick bricks[] = {{0, 0, 0, 1}};
    const VolumeOptions options{.size = {20, 20, 20}, .bricks = bricks};
    const VolumeKey key = volume_key(options);
    FileBytes bytes = saved(*Volume::make(options), key.source);
    const auto code = [&](const VolumeKey& wanted) { return map_trusted_volume(bytes, wanted).error().code; };
    EXPECT_TRUE(map_trusted_volume(bytes, key).has_value());
    EXPECT_EQ(code({key.options + 1, key.source}), ErrorCode::incompatible);
    EXPECT_EQ(code({key.options, key.source + 1}), ErrorCode::incompatible);
    EXPECT_EQ(map_trusted_volume({bytes.data(), bytes.size() - 8}, key).error().code, ErrorCode::baked_size);
    FileBytes moved(bytes.size() + 1);
    std::copy(bytes.begin(), bytes.end(), moved.begin() + 1);
    EXPECT_TRUE(map_trusted_volume(std::span(moved).subspan(1), key).has_value());  // a copy
    bytes[20] ^= 1;
    EXPECT_EQ(code(key), ErrorCode::baked_checksum);
}

TEST(SaveVolume, LoadsAsItWas) {
    Rng rng(2);
    for (int trial = 0; trial < testing::trials(150); ++trial) {
        const PlainVolume plain = testing::random_plain_volume(rng);
        const Volume volume = testing::make_volume(plain);
        const FileBytes bytes = saved(volume, 5);
        const Result<Volume> again = load_volume(bytes);
        ASSERT_TRUE(again.has_value()) << error_text(again.error()).c_str();
        expect_same(again->state(), plain);
        ASSERT_EQ(saved(*again, 5), bytes);
        EXPECT_EQ(again->state().memory().total(), volume.state().memory().total());
    }
}

// However it came about: edited to and fro, and then saved from a snapshot while edits go on.
TEST(SaveVolume, AnEditedVolumeHasTheBytesOfOneMadeAtOnce) {
    Rng rng(3);
    for (int trial = 0; trial < testing::trials(100); ++trial) {
        const PlainVolume plain = testing::random_plain_volume(rng, 80);
        Volume volume = testing::make_volume(plain);
        const FileBytes bytes = saved(volume);
        const auto place = [&](int axis) { return rng.between(0, plain.size(axis) - 1); };
        for (int i = 0; i < 5; ++i) {
            const Voxel low{place(0), place(1), place(2)};
            const VoxelBox box{
                low, {low.x + rng.between(1, 30), low.y + rng.between(1, 30), low.z + rng.between(1, 30)}};
            ASSERT_TRUE(
                volume.apply(i % 2 == 0 ? VolumeEdit::fill(box) : VolumeEdit::clear(box)).has_value());
        }
        const Result<Volume> edited = load_volume(saved(volume));
        ASSERT_TRUE(edited.has_value());
        ASSERT_EQ(saved(*edited), saved(volume));
        ASSERT_EQ(edited->state().solid_voxels(), volume.state().solid_voxels());
        // Back to what it was: all cleared, every brick set again.
        std::vector<VolumeEdit> back = {VolumeEdit::clear({{0, 0, 0}, volume.state().size()})};
        for (const VoxelBrick& brick : testing::bricks_of(plain)) back.push_back(VolumeEdit::set(brick));
        ASSERT_TRUE(volume.apply(back).has_value());
        const VolumeSnapshot frozen = volume.acquire();
        ASSERT_TRUE(volume.apply(VolumeEdit::fill({{0, 0, 0}, {9, 9, 9}})).has_value());
        ASSERT_EQ(saved(*frozen), bytes);
    }
}

TEST(SaveVolume, AFileIsSmallWhereNothingOrEverythingIsSolid) {
    const VoxelBrick none[] = {{0, 0, 0, 0}};
    Volume volume = *Volume::make({.size = {640, 640, 640}, .bricks = none});
    EXPECT_EQ(saved(volume).size(), 64U + 4 * 32 + 72 + 24 + 2 * 4000);
    ASSERT_TRUE(volume.apply(VolumeEdit::fill({{0, 0, 0}, {640, 640, 640}})).has_value());
    const FileBytes bytes = saved(volume);
    EXPECT_EQ(bytes.size(), 64U + 4 * 32 + 72 + 1000 * (24 + 280 + 56) + 24 + 4000);
    const Result<Volume> again = load_volume(bytes);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->state().solid_voxels(), std::int64_t{640} * 640 * 640);
    EXPECT_EQ(saved(*again), bytes);
}

TEST(SaveVolume, PublishedMapsLoadAsTheyWere) {
    FAIRLEAD_REQUIRE_DATA(folder, "voxels");
    for (const char* name :
         {"Simple", "Complex", "DA1", "A1", "Full1", "BA1", "guardian-256", "tunnels-256"}) {
        SCOPED_TRACE(name);
        const Result<std::string> text = formats::load_file(folder + "/" + name + ".3dmap.gz");
        const Result<formats::VoxelMap> map = formats::load_voxel_map(*text);
        const Result<Volume> volume = Volume::make(map->volume_options());
        ASSERT_TRUE(volume.has_value());
        EXPECT_EQ(volume->state().solid_voxels(), map->solid_voxels());
        const FileBytes bytes = saved(*volume);
        EXPECT_LT(bytes.size(), volume->state().memory().total() + 512);
        const Result<Volume> again = load_volume(bytes);
        ASSERT_TRUE(again.has_value());
        ASSERT_EQ(saved(*again), bytes);
        for (const VoxelBrick& brick : map->bricks)
            ASSERT_EQ(again->state().solid_bits(brick.x, brick.y, brick.z) & brick.solid, brick.solid);
    }
}

TEST(SaveVolume, GoldenFileOf1_0Loads) {
    std::ifstream file(testing::source_path("tests/golden/volume_1_0.fl"), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const FileBytes bytes(text.begin(), text.end());
    const Result<Volume> volume = load_volume(bytes);
    ASSERT_TRUE(volume.has_value());
    Rng rng(20261126);
    const PlainVolume plain = testing::random_plain_volume(rng, 70);
    expect_same(volume->state(), plain);
    EXPECT_EQ(saved(*volume, 77), bytes);
}

// --- Keys --------------------------------------------------------------------------------------------------------

TEST(VolumeKey, TellsBoundsAndSource) {
    const VoxelBrick bricks[] = {{0, 0, 0, 1}, {1, 0, 0, 2}}, turned[] = {{1, 0, 0, 2}, {0, 0, 0, 1}};
    const VolumeOptions base{
        .origin = {1, 2, 3}, .voxel_size = {1, 1, 2}, .size = {8, 9, 10}, .bricks = bricks};
    const VolumeKey key = volume_key(base);
    EXPECT_NE(key.source, 0U);
    EXPECT_EQ(volume_key(base, 12).source, 12U);
    EXPECT_EQ(volume_key(base, 12).options, key.options);
    VolumeOptions other = base;
    other.bricks = turned;
    EXPECT_EQ(volume_key(other).options, key.options);
    EXPECT_NE(volume_key(other).source, key.source);
    const auto differs = [&](const auto& set) {
        VolumeOptions changed = base;
        set(changed);
        return volume_key(changed).options != key.options && volume_key(changed).source == key.source;
    };
    EXPECT_TRUE(differs([](VolumeOptions& o) { o.origin.x = 2; }));
    EXPECT_TRUE(differs([](VolumeOptions& o) { o.origin.y = 1; }));
    EXPECT_TRUE(differs([](VolumeOptions& o) { o.origin.z = 1; }));
    EXPECT_TRUE(differs([](VolumeOptions& o) { o.voxel_size.x = 2; }));
    EXPECT_TRUE(differs([](VolumeOptions& o) { o.voxel_size.y = 2; }));
    EXPECT_TRUE(differs([](VolumeOptions& o) { o.voxel_size.z = 1; }));
    EXPECT_TRUE(differs([](VolumeOptions& o) { o.size.x = 9; }));
    EXPECT_TRUE(differs([](VolumeOptions& o) { o.size.y = 8; }));
    EXPECT_TRUE(differs([](VolumeOptions& o) { o.size.z = 9; }));
}

class FreshVolume : public ::testing::Test {
  protected:
    const std::vector<VoxelBrick> bricks_ = {{0, 0, 0, 1}, {1, 1, 1, 0xff00}};
    const VolumeOptions options_{.size = {20, 20, 20}, .bricks = bricks_};
    const VolumeKey key_ = volume_key(options_);
    int calls_ = 0;

    Result<LoadedVolume> run(const FileBytes& bytes, const VolumeKey& key) {
        return load_or_make_volume(bytes, key, [&] {
            ++calls_;
            return Volume::make({.size = {20, 20, 20}});
        });
    }
    [[nodiscard]] FileBytes good() const { return saved(*Volume::make(options_), key_.source); }
    static void expect_stale(const Result<Volume>& loaded, VolumeStale why) {
        ASSERT_FALSE(loaded.has_value());
        EXPECT_EQ(loaded.error(), (Error{ErrorCode::incompatible, -1, static_cast<std::int64_t>(why)}));
    }
};

TEST_F(FreshVolume, IsLoaded) {
    const Result<LoadedVolume> loaded = run(good(), key_);
    ASSERT_TRUE(loaded.has_value());
    EXPECT_FALSE(loaded->made);
    EXPECT_EQ(calls_, 0);
    EXPECT_EQ(loaded->volume.state().solid_voxels(), 9);
}

TEST_F(FreshVolume, IsMadeWhereThereIsNoFile) {
    const Result<LoadedVolume> made = run({}, key_);
    ASSERT_TRUE(made.has_value());
    EXPECT_TRUE(made->made);
    EXPECT_EQ(calls_, 1);
    EXPECT_EQ(made->volume.state().solid_voxels(), 0);
}

TEST_F(FreshVolume, IsMadeAnewWhereTheFileIsOfAnother) {
    const FileBytes bytes = good();
    expect_stale(load_fresh_volume(bytes, {key_.options + 1, key_.source}), VolumeStale::options);
    expect_stale(load_fresh_volume(bytes, {key_.options, key_.source + 1}), VolumeStale::source);
    expect_stale(load_fresh_volume(bytes, {key_.options, 0}), VolumeStale::source);
    const FileBytes unknown = saved(*Volume::make(options_));
    expect_stale(load_fresh_volume(unknown, {key_.options, 0}), VolumeStale::source);
    const std::pair<std::size_t, int> versions[] = {{16, 0}, {16, 2}, {18, 2}};  // major, minor
    for (const auto& [at, value] : versions) {
        FileBytes other = bytes;
        testing::change(other, at, static_cast<std::uint64_t>(value), 2);
        ASSERT_TRUE(baked_reseal(other).has_value());
        expect_stale(load_fresh_volume(other, key_), VolumeStale::version);
        EXPECT_EQ(load_volume(other).error().code, ErrorCode::baked_version);
    }
    EXPECT_EQ(calls_, 0);
    const Result<LoadedVolume> made = run(bytes, {key_.options, key_.source + 1});
    ASSERT_TRUE(made.has_value());
    EXPECT_TRUE(made->made);
    EXPECT_EQ(calls_, 1);
}

// Damage is damage, whatever the header says it is of; and a file of another kind is somebody's.
TEST_F(FreshVolume, IsRefusedWhereTheFileIsDamaged) {
    const FileBytes bytes = good();
    const VolumeKey keys[] = {key_, {key_.options, key_.source + 1}};
    for (const VolumeKey& key : keys) {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            if (i == 10 || i == 11) continue;  // the container's minor version, under the header's checksum
            FileBytes other = bytes;
            other[i] ^= 0x20;
            const Result<LoadedVolume> loaded = run(other, key);
            ASSERT_FALSE(loaded.has_value()) << i;
            ASSERT_TRUE(loaded.error().code >= ErrorCode::baked_length &&
                        loaded.error().code <= ErrorCode::baked_section)
                << i;
        }
        for (std::size_t size = 1; size < bytes.size(); ++size)
            ASSERT_FALSE(
                run(FileBytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)), key))
                << size;
    }
    FileBytes other = bytes;
    std::memcpy(&other[12], "MESH", 4);
    ASSERT_TRUE(baked_reseal(other).has_value());
    EXPECT_EQ(run(other, key_).error().code, ErrorCode::baked_kind);
    FileBytes meaningless = bytes;
    const Result<BakedFile> file = BakedFile::open(bytes, {});
    testing::change(meaningless, file->section_at(2).offset, 0, 8);
    ASSERT_TRUE(baked_reseal(meaningless).has_value());
    EXPECT_EQ(run(meaningless, key_).error().code, ErrorCode::baked_value);
    EXPECT_EQ(calls_, 0);
}

TEST_F(FreshVolume, HandsOnWhatMakingSays) {
    const Result<LoadedVolume> made =
        load_or_make_volume({}, key_, []() -> Result<Volume> { return Error{ErrorCode::cancelled}; });
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace fairlead
