// Files of volumes that mean nothing: every rule of FORMAT.md broken once, by forged files; thousands of damaged ones;
// limits and failing allocations.
#include <fairlead/volume/save_volume.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "fuzz/baked_mesh_drive.h"
#include "fuzz/baked_volume_drive.h"
#include "support/environment.h"
#include "support/plain_volume.h"
#include "support/random_plain_volume.h"
#include "support/test_allocator.h"

namespace fairlead {
namespace {

using testing::FileBytes;
using testing::PlainSection;
using testing::PlainVolume;

std::uint64_t number_at(const FileBytes& bytes, std::size_t at, int count) {
    std::uint64_t out = 0;
    for (int i = count - 1; i >= 0; --i) out = out << 8 | bytes[at + static_cast<std::size_t>(i)];
    return out;
}
double double_at(const FileBytes& bytes, std::size_t at) {
    const std::uint64_t bits = number_at(bytes, at, 8);
    double out = 0;
    std::memcpy(&out, &bits, sizeof out);
    return out;
}

// The hash that belongs to what OPTS says, so that it is not what is refused.
std::uint64_t hash_of(const FileBytes& opts) {
    VolumeOptions options{.origin = {double_at(opts, 0), double_at(opts, 8), double_at(opts, 16)},
                          .voxel_size = {double_at(opts, 24), double_at(opts, 32), double_at(opts, 40)}};
    std::int32_t* const sides[] = {&options.size.x, &options.size.y, &options.size.z};
    for (std::size_t i = 0; i < 3; ++i) *sides[i] = static_cast<std::int32_t>(number_at(opts, 48 + 4 * i, 4));
    return volume_key(options, 0).options;
}

/// 100 x 70 x 66: chunks 2 x 2 x 2, the last ones thin. Full cells, a full brick, a mixed brick, a last chunk with
/// one voxel.
PlainVolume forged_volume() {
    PlainVolume v(100, 70, 66);
    const auto fill = [&](int x, int y, int z, int side) {
        for (int i = 0; i < side * side * side; ++i)
            v.set(x + i % side, y + i / side % side, z + i / side / side, true);
    };
    fill(0, 0, 0, 16);
    fill(16, 0, 0, 4);
    fill(20, 0, 0, 2);
    fill(70, 4, 0, 3);
    v.set(99, 69, 65, true);
    return v;
}

class ForgedVolume : public ::testing::Test {
  protected:
    // CHNK: chunk (0, 0, 0), (1, 0, 0), (1, 1, 1). WORD: 0 some, 1 full, 2 brick; 3 some, 4 full, 5 and 6 bricks; 7,
    // 8, 9.
    std::vector<PlainSection> parts_ = testing::plain_sections(forged_volume());
    FileBytes& opts() { return parts_[0].bytes; }
    FileBytes& chunks() { return parts_[1].bytes; }
    FileBytes& words() { return parts_[2].bytes; }
    [[nodiscard]] Error load(const VolumeLoadOptions& options = {}) const {
        const Result<Volume> loaded =
            load_volume(testing::plain_file(parts_, hash_of(parts_[0].bytes)), options);
        return loaded ? Error{ErrorCode::count_} : loaded.error();
    }
    /// One number becomes another.
    [[nodiscard]] Error with(std::size_t section, std::size_t at, std::uint64_t value, int bytes) {
        const std::vector<PlainSection> kept = parts_;
        testing::change(parts_[section].bytes, at, value, bytes);
        const Error error = load();
        parts_ = kept;
        return error;
    }
    [[nodiscard]] Error with(std::size_t at, double value) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        return with(0, at, bits, 8);
    }
    static Error bad(int section, int record) { return {ErrorCode::baked_value, section, record}; }
};

TEST_F(ForgedVolume, LoadsAsItIs) {
    EXPECT_EQ(load().code, ErrorCode::count_);
    EXPECT_EQ(chunks().size(), 3U * 32);
    EXPECT_EQ(words().size(), 10U * 8);
}

TEST_F(ForgedVolume, SectionsMustBeThoseThreeInOrder) {
    const auto id = [](const char(&text)[5]) { return std::int64_t{four_letters(text)}; };
    const std::vector<PlainSection> kept = parts_;
    std::swap(parts_[1], parts_[2]);
    EXPECT_EQ(load(), (Error{ErrorCode::baked_section, 1, id("WORD")}));
    parts_ = {kept[0], kept[1]};
    EXPECT_EQ(load(), (Error{ErrorCode::baked_section, -1, id("WORD")}));
    parts_ = {kept[0], kept[1], kept[2], {"MORE", 8, {}}};
    EXPECT_EQ(load(), (Error{ErrorCode::baked_section, 3, id("MORE")}));
    parts_ = kept;
    parts_[1].stride = 16;
    EXPECT_EQ(load(), (Error{ErrorCode::baked_section, 1, id("CHNK")}));
}

TEST_F(ForgedVolume, OptionsMustMakeAVolume) {
    const double infinite = 1e308 * 10;
    for (std::size_t at = 0; at < 48; at += 8) {
        EXPECT_EQ(with(at, infinite), bad(0, 0)) << at;
        EXPECT_EQ(with(at, infinite - infinite), bad(0, 0)) << at;
        EXPECT_EQ(with(at, 1e20), bad(0, 0)) << at;  // no room between numbers there
    }
    for (std::size_t at = 24; at < 48; at += 8) {
        EXPECT_EQ(with(at, 0.0), bad(0, 0)) << at;
        EXPECT_EQ(with(at, -1.0), bad(0, 0)) << at;
    }
    for (std::size_t at = 48; at < 60; at += 4) {
        EXPECT_EQ(with(0, at, 0, 4), bad(0, 0)) << at;
        EXPECT_EQ(with(0, at, 0xffffffff, 4), bad(0, 0)) << at;
        EXPECT_EQ(with(0, at, kVolumeSideMax + 1, 4), bad(0, 0)) << at;
    }
    EXPECT_EQ(with(0, 60, 1, 4), bad(0, 0));
    EXPECT_EQ(with(0, 64, number_at(opts(), 64, 8) + 1, 8), bad(0, 0));
    testing::change(opts(), 48, kVolumeSideMax, 4);
    testing::change(opts(), 52, kVolumeSideMax, 4);
    EXPECT_EQ(load(), bad(0, 0));  // 2^34 x 66 voxels
    opts().insert(opts().end(), opts().begin(), opts().begin() + 72);
    EXPECT_EQ(load(), bad(0, 0));
    opts().clear();
    EXPECT_EQ(load_volume(testing::plain_file(parts_, 0)).error(), bad(0, 0));
}

TEST_F(ForgedVolume, TheHashMustBeThatOfTheOptions) {
    EXPECT_EQ(load_volume(testing::plain_file(parts_, hash_of(opts()) + 1)).error(), bad(0, 0));
}

TEST_F(ForgedVolume, ChunksMustBeInBoundsAndOrder) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(with(1, 64 + 4 * axis, 2, 4), bad(1, 2));
        EXPECT_EQ(with(1, 64 + 4 * axis, 0xffffffff, 4), bad(1, 2));
        EXPECT_EQ(with(1, 64 + 4 * axis, 1 << 26, 4), bad(1, 2));  // times 64: 2^32
    }
    EXPECT_EQ(with(1, 32, 0, 4), bad(1, 1));  // the same place twice
    FileBytes turned = chunks();
    std::swap_ranges(turned.begin(), turned.begin() + 32, turned.begin() + 32);
    chunks() = turned;
    EXPECT_EQ(load(), bad(1, 0));  // of words that are not its own, before the order
}

TEST_F(ForgedVolume, CellsMustBeInBoundsAndWhole) {
    EXPECT_EQ(with(1, 16, 0, 8), bad(1, 0));                                     // nothing solid
    EXPECT_EQ(with(1, 24, 5, 8), bad(1, 0));                                     // full, but not solid
    EXPECT_EQ(with(1, 32 + 16, 1 | 8, 8), bad(1, 1));                            // x from 112 on
    EXPECT_EQ(with(1, 64 + 16, number_at(chunks(), 80, 8) | 16, 8), bad(1, 2));  // y from 80 on
    EXPECT_EQ(with(1, 64 + 24, number_at(chunks(), 80, 8), 8), bad(1, 2));  // full, but cut by the bounds
    EXPECT_EQ(with(1, 12, 2, 4), bad(1, 0));                                // fewer words than it needs
    EXPECT_EQ(with(1, 12, 4, 4), bad(1, 0));
    EXPECT_EQ(with(1, 12, 0xffffffff, 4), bad(1, 0));
}

TEST_F(ForgedVolume, AChunkThatIsEmptyIsNone) {
    FileBytes empty;
    for (const std::uint64_t at : {0, 1, 0}) testing::put(empty, at, 4);
    empty.resize(32);
    chunks().insert(chunks().begin() + 64, empty.begin(), empty.end());
    EXPECT_EQ(load(), bad(1, 2));
}

TEST_F(ForgedVolume, ACellThatTheBoundsCutIsNeverFull) {
    testing::change(chunks(), 64 + 12, 0, 4);
    testing::change(chunks(), 64 + 24, number_at(chunks(), 80, 8), 8);
    words().resize(7 * 8);
    testing::change(opts(), 64, number_at(opts(), 64, 8) - 1 + 16 * 16 * 16, 8);
    EXPECT_EQ(load(), bad(1, 2));
}

TEST_F(ForgedVolume, WordsMustBeTheOneFormOfACell) {
    const std::uint64_t all = ~std::uint64_t{0};
    EXPECT_EQ(with(2, 0, 0, 8), bad(2, 0));     // nothing solid: no cell
    EXPECT_EQ(with(2, 8, 4, 8), bad(2, 1));     // full, but not solid
    EXPECT_EQ(with(2, 16, 0, 8), bad(2, 2));    // an empty brick
    EXPECT_EQ(with(2, 16, all, 8), bad(2, 2));  // a full one
    EXPECT_EQ(with(2, 8, 0, 8), bad(1, 0));     // then the cell has more words than its chunk
    EXPECT_EQ(with(2, 16, 3, 8), bad(0, 0));    // another number of solid voxels
    const std::vector<PlainSection> kept = parts_;
    testing::change(words(), 0, all, 8);
    testing::change(words(), 8, all, 8);
    EXPECT_EQ(load(), bad(2, 1));  // full: no mixed cell
    parts_ = kept;
    words().resize(72);
    EXPECT_EQ(load(), bad(1, 2));
    parts_ = kept;
    for (int i = 0; i < 8; ++i) words().push_back(0);
    EXPECT_EQ(load(), bad(2, 10));
}

TEST_F(ForgedVolume, BricksMustBeInBounds) {
    // The last cell begins at (96, 64, 64): of its bricks those at x 0, y 0 and 1, z 0; of that at y 1 the voxels
    // below (4, 2, 2).
    const std::uint64_t some = number_at(words(), 56, 8);
    ASSERT_EQ(some, std::uint64_t{1} << 4);
    EXPECT_EQ(with(2, 56, std::uint64_t{1} << 5, 8), bad(2, 7));
    EXPECT_EQ(with(2, 56, std::uint64_t{1} << 8, 8), bad(2, 7));
    EXPECT_EQ(with(2, 56, std::uint64_t{1} << 20, 8), bad(2, 7));
    EXPECT_EQ(with(2, 64, some, 8), bad(2, 8));  // full, but cut by the bounds
    const std::uint64_t bits = number_at(words(), 72, 8);
    ASSERT_EQ(bits, std::uint64_t{1} << (3 + 4 + 16));
    EXPECT_EQ(with(2, 72, std::uint64_t{1} << 8, 8), bad(2, 9));
    EXPECT_EQ(with(2, 72, std::uint64_t{1} << 32, 8), bad(2, 9));
    EXPECT_EQ(with(2, 72, std::uint64_t{1} << 22, 8).code, ErrorCode::count_);
}

TEST_F(ForgedVolume, LimitsAreKept) {
    const std::int64_t voxels = 100 * 70 * 66;
    EXPECT_EQ(load({.voxels_max = voxels}).code, ErrorCode::count_);
    EXPECT_EQ(load({.voxels_max = voxels - 1}), (Error{ErrorCode::size_limit, -1, voxels - 1}));
    const auto bytes = static_cast<std::int64_t>(testing::plain_file(parts_, 0).size());
    EXPECT_EQ(load({.bytes_max = static_cast<std::uint64_t>(bytes)}).code, ErrorCode::count_);
    EXPECT_EQ(load({.bytes_max = static_cast<std::uint64_t>(bytes - 1)}),
              (Error{ErrorCode::size_limit, -1, bytes - 1}));
}

// --- Damage ------------------------------------------------------------------------------------------------------

TEST(LoadVolume, DamagedFilesComeBackCleanly) {
    Rng rng(4);
    std::vector<FileBytes> seeds = {
        testing::plain_file(testing::plain_sections(forged_volume()),
                            hash_of(testing::plain_sections(forged_volume())[0].bytes), 9)};
    for (int i = 0; i < 6; ++i) {
        Array<std::uint8_t> out;
        ASSERT_TRUE(
            save_volume(testing::make_volume(testing::random_plain_volume(rng, 60)), out, 3).has_value());
        const Result<BakedFile> file = BakedFile::open(out.span(), {});
        if (file->section_at(2).size >= 8) seeds.emplace_back(out.begin(), out.end());
    }
    int fates[4] = {};
    for (int i = 0; i < testing::trials(10000); ++i) {
        const FileBytes& good = seeds[rng.below(static_cast<std::uint32_t>(seeds.size()))];
        const Result<BakedFile> file = BakedFile::open(good, {});
        FileBytes bytes = good;
        for (int k = rng.between(1, 3); k > 0 && bytes.size() == good.size(); --k)
            testing::damage_baked(rng, *file, bytes);
        const testing::VolumeFate fate = testing::baked_volume(bytes);
        ++fates[static_cast<int>(fate)];
        ASSERT_TRUE(fate != testing::VolumeFate::accepted || bytes == good) << i;
    }
    if (testing::all_trials()) {
        EXPECT_GT(fates[static_cast<int>(testing::VolumeFate::refused_resealed)], 1000);
        EXPECT_GT(fates[static_cast<int>(testing::VolumeFate::refused)], 300);
        EXPECT_GT(fates[static_cast<int>(testing::VolumeFate::accepted_resealed)], 20);
    }
}

TEST(LoadVolume, RandomBytesAreRefused) {
    Rng rng(6);
    for (int i = 0; i < testing::trials(2000); ++i) {
        FileBytes bytes(rng.below(400));
        for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(rng.below(256));
        if (i % 2 == 0 && bytes.size() > 8) std::memcpy(bytes.data(), "FAIRLEAD", 8);
        EXPECT_EQ(testing::baked_volume(bytes), testing::VolumeFate::refused);
    }
}

// Let the n-th allocation fail, for every n: an error, no leak, and the next load works.
TEST(LoadVolume, FailedAllocationsAreErrors) {
    testing::TestAllocator memory;
    const FileBytes bytes = testing::plain_file(testing::plain_sections(forged_volume()),
                                                hash_of(testing::plain_sections(forged_volume())[0].bytes));
    const VolumeLoadOptions options{.allocator = memory.allocator()};
    bool done = false;
    int failures = 0;
    for (int n = 0; !done && n < 1000; ++n) {
        for (const bool once : {true, false}) {
            memory.fail_after(n, once);
            const Result<Volume> volume = load_volume(bytes, options);
            const bool failed = memory.feed();
            if (!volume) {
                ASSERT_EQ(volume.error().code, ErrorCode::out_of_memory);
                ++failures;
            }
            done = !failed;
            ASSERT_TRUE(failed || volume.has_value());
        }
        ASSERT_EQ(memory.live_blocks, 0);
        ASSERT_EQ(memory.live_bytes, 0);
    }
    EXPECT_TRUE(done);
    EXPECT_GT(failures, 4);
    const Volume volume = *load_volume(bytes);
    for (int n = 0; n < 8; ++n) {
        memory.fail_after(n, false);
        Array<std::uint8_t> out(memory.allocator());
        const Result<void> saved = save_volume(volume, out);
        const bool failed = memory.feed();
        EXPECT_EQ(saved.has_value(), !failed) << n;
    }
    EXPECT_EQ(memory.live_blocks, 0);
}

// Nothing is taken for a file that is refused, whatever it says of itself.
TEST(LoadVolume, ARefusedFileTakesNoMemory) {
    testing::TestAllocator memory;
    std::vector<PlainSection> parts = testing::plain_sections(forged_volume());
    testing::change(parts[2].bytes, 72, ~std::uint64_t{0}, 8);
    const FileBytes bytes = testing::plain_file(parts, hash_of(parts[0].bytes));
    EXPECT_EQ(load_volume(bytes, {.allocator = memory.allocator()}).error(),
              (Error{ErrorCode::baked_value, 2, 9}));
    EXPECT_EQ(memory.calls, 0);
}

// 1,000 full chunks in 32 kB: no list of their 4 million bricks.
TEST(LoadVolume, AFullVolumeTakesNoMoreThanItHas) {
    Volume full = std::move(*Volume::make({.size = {640, 640, 640}}));
    ASSERT_TRUE(full.apply(VolumeEdit::fill({{0, 0, 0}, {640, 640, 640}})).has_value());
    Array<std::uint8_t> bytes;
    ASSERT_TRUE(save_volume(full, bytes).has_value());
    testing::TestAllocator memory;
    {
        const Result<Volume> volume = load_volume(bytes.span(), {.allocator = memory.allocator()});
        ASSERT_TRUE(volume.has_value());
        EXPECT_EQ(volume->state().solid_voxels(), std::int64_t{640} * 640 * 640);
        EXPECT_LT(memory.peak_bytes, std::int64_t{4} << 20);
    }
    EXPECT_EQ(memory.live_bytes, 0);
}

}  // namespace
}  // namespace fairlead
