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
#include <fairlead/volume/stream.h>

#include "fuzz/baked_mesh_drive.h"
#include "fuzz/baked_volume_drive.h"
#include "support/environment.h"
#include "support/plain_volume.h"
#include "support/random_plain_volume.h"
#include "support/test_allocator.h"

namespace fairlead {
namespace {

using testing::FileBytes;
using testing::number_at;
using testing::PlainSection;
using testing::PlainVolume;

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

std::vector<PlainSection> saved_sections(const PlainVolume& plain) {
    Array<std::uint8_t> out;
    EXPECT_TRUE(save_volume(testing::make_volume(plain), out).has_value());
    const Result<BakedFile> file = BakedFile::open(out.span(), {});
    std::vector<PlainSection> parts;
    for (const char* id : {"OPTS", "CHNK", "DATA", "LABL"}) {
        const BakedSection section = file->section_at(static_cast<std::uint32_t>(parts.size()));
        const std::uint8_t* from = out.data() + section.offset;
        parts.push_back({id, section.stride, FileBytes(from, from + section.size)});
    }
    return parts;
}

class ForgedVolume : public ::testing::Test {
  protected:
    // Chunks (0, 0, 0), (1, 0, 0) and (1, 1, 1) hold something solid; the others are near.
    std::vector<PlainSection> parts_ = saved_sections(forged_volume());
    FileBytes& opts() { return parts_[0].bytes; }
    FileBytes& chunks() { return parts_[1].bytes; }
    FileBytes& data() { return parts_[2].bytes; }
    FileBytes& labels() { return parts_[3].bytes; }
    /// The first word in DATA of chunk i: 0 its own, 1 of its tables, 2 of its links.
    [[nodiscard]] std::size_t word_of(std::size_t chunk, int block = 0) {
        std::size_t word = 0;
        for (std::size_t i = 0; i < 3 * chunk + static_cast<std::size_t>(block); ++i)
            word += number_at(chunks(), i / 3 * 24 + 12 + i % 3 * 4, 4);
        return word;
    }
    /// The n-th word behind the cells of a chunk.
    [[nodiscard]] std::size_t brick_of(std::size_t chunk, std::size_t n) { return word_of(chunk) + 35 + n; }
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
    /// A number within a word of DATA; `bad_at(word)` is what is to be said.
    [[nodiscard]] Error data_with(std::size_t word, std::size_t byte, std::uint64_t value, int bytes) {
        return with(2, word * 8 + byte, value, bytes);
    }
    static Error bad(int section, std::size_t record) {
        return {ErrorCode::baked_value, section, static_cast<std::int64_t>(record)};
    }
};

TEST_F(ForgedVolume, LoadsAsItIs) {
    EXPECT_EQ(load().code, ErrorCode::count_);
    EXPECT_EQ(chunks().size(), 8U * 24);
    EXPECT_EQ(word_of(7) + 35 + 3, word_of(7, 2));
    EXPECT_EQ(word_of(0) + 35 + 3, word_of(0, 1));
}

TEST_F(ForgedVolume, SectionsMustBeThoseFourInOrder) {
    const auto id = [](const char(&text)[5]) { return std::int64_t{four_letters(text)}; };
    const std::vector<PlainSection> kept = parts_;
    std::swap(parts_[1], parts_[2]);
    EXPECT_EQ(load(), (Error{ErrorCode::baked_section, 1, id("DATA")}));
    parts_ = {kept[0], kept[1], kept[2]};
    EXPECT_EQ(load(), (Error{ErrorCode::baked_section, -1, id("LABL")}));
    parts_ = {kept[0], kept[1], kept[2], kept[3], {"MORE", 8, {}}};
    EXPECT_EQ(load(), (Error{ErrorCode::baked_section, 4, id("MORE")}));
    parts_ = kept;
    parts_[1].stride = 12;
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
        EXPECT_EQ(with(1, 7 * 24 + 4 * axis, 2, 4), bad(1, 7));
        EXPECT_EQ(with(1, 7 * 24 + 4 * axis, 0xffffffff, 4), bad(1, 7));
        EXPECT_EQ(with(1, 7 * 24 + 4 * axis, 1 << 26, 4), bad(1, 7));  // times 64: 2^32
    }
    EXPECT_EQ(with(1, 24, 0, 4), bad(1, 1));                       // the same place twice
    EXPECT_EQ(with(1, 12, 34, 4), bad(1, 0));                      // no room for a chunk
    EXPECT_EQ(with(1, 12, 37, 4), bad(2, data().size() / 8 - 1));  // one word less than it has
    EXPECT_EQ(with(1, 7 * 24 + 20, 0xffffffff, 4), bad(1, 7));
    for (int i = 0; i < 8; ++i) data().push_back(0);
    EXPECT_EQ(load(), bad(2, data().size() / 8 - 1));
}

TEST_F(ForgedVolume, AChunkIsThereIfAndOnlyIfSomethingIsNear) {
    // Without the last but one, and with an open one.
    const std::vector<PlainSection> kept = parts_;
    const auto cut = [&](std::size_t i) {
        const auto from = static_cast<std::ptrdiff_t>(word_of(i) * 8),
                   to = static_cast<std::ptrdiff_t>(word_of(i + 1) * 8);
        data().erase(data().begin() + from, data().begin() + to);
        chunks().erase(chunks().begin() + static_cast<std::ptrdiff_t>(i * 24),
                       chunks().begin() + static_cast<std::ptrdiff_t>(i * 24 + 24));
    };
    cut(2);
    EXPECT_EQ(load().code, ErrorCode::baked_value);
    parts_ = kept;
    testing::change(data(), word_of(2) * 8 + 22, 0xffff, 2);
    for (std::size_t byte = 26; byte < 280; byte += 4)
        testing::change(data(), word_of(2) * 8 + byte, 0xffff, 2);
    EXPECT_EQ(load(), bad(2, word_of(2) + 2));
}

TEST_F(ForgedVolume, CellsMustBeInBoundsAndWhole) {
    const std::size_t first = word_of(0), last = word_of(7);
    EXPECT_EQ(data_with(first, 24, 0, 2), bad(2, first + 3));  // empty, but distances say otherwise
    EXPECT_EQ(data_with(first, 28, 1, 2), bad(2, first + 3));  // full
    EXPECT_EQ(data_with(first, 28, 3, 2), bad(2, first + 3));  // not where its words begin
    EXPECT_EQ(data_with(first, 24, 2, 2).code, ErrorCode::baked_value);
    EXPECT_EQ(data_with(last, 24 + 2 * 4 + 2, 0xaaaa, 2), bad(2, last + 4));  // x 96 to 112: its parts
    EXPECT_EQ(data_with(first, 16, 5000, 4), bad(2, first + 2));
    EXPECT_EQ(data_with(first, 20, 8, 2), bad(2, first));
    EXPECT_EQ(data_with(first, 0, 1, 8), bad(2, first));
    EXPECT_EQ(data_with(first, 8, 8, 8), bad(2, first));
}

// All of them: too near costs time, too far lets a ray through.
TEST_F(ForgedVolume, DistancesMustBeThoseOfTheVoxels) {
    for (std::size_t i = 0; i < 8; ++i) {
        const std::size_t at = word_of(i) * 8;
        for (std::size_t byte = 22; byte < 280; byte += byte == 22 ? 4 : 12) {
            const std::uint64_t right = number_at(data(), at + byte, 2);
            for (int unit = 0; unit < 8; ++unit) {
                for (std::uint64_t d = 0; d < 4; ++d) {
                    const std::uint64_t other = (right & ~(std::uint64_t{3} << 2 * unit)) | d << 2 * unit;
                    if (other == right) continue;
                    ASSERT_EQ(with(2, at + byte, other, 2).code, ErrorCode::baked_value);
                }
            }
        }
    }
}

TEST_F(ForgedVolume, ACellThatTheBoundsCutIsNeverFull) {
    const std::size_t last = word_of(7);
    testing::change(data(), last * 8 + 24 + 2 * 4, 1, 2);
    EXPECT_EQ(load(), bad(2, last + 4));
}

TEST_F(ForgedVolume, WordsMustBeTheOneFormOfACell) {
    const std::uint64_t all = ~std::uint64_t{0};
    const auto word = [&](std::size_t n, std::uint64_t value) {
        return data_with(brick_of(0, n), 0, value, 8);
    };
    EXPECT_EQ(word(0, 0), bad(2, brick_of(0, 0)));       // nothing solid: no cell
    EXPECT_EQ(word(1, 4), bad(2, brick_of(0, 1)));       // full, but not solid
    EXPECT_EQ(word(2, 0), bad(2, brick_of(0, 2)));       // an empty brick
    EXPECT_EQ(word(2, all), bad(2, brick_of(0, 2)));     // a full one
    EXPECT_EQ(word(1, 0).code, ErrorCode::baked_value);  // then the cell has more words than its chunk
    EXPECT_EQ(word(2, 3), bad(2, word_of(0) + 2));       // another number of solid voxels
    EXPECT_EQ(with(0, 64, number_at(opts(), 64, 8) + 1, 8), bad(0, 0));
}

TEST_F(ForgedVolume, BricksMustBeInBounds) {
    // The last cell begins at (96, 64, 64): of its bricks those at x 0, y 0 and 1, z 0; of that at y 1 the voxels
    // below (4, 2, 2).
    const std::size_t cell = brick_of(7, 0);
    const std::uint64_t some = number_at(data(), cell * 8, 8);
    ASSERT_EQ(some, std::uint64_t{1} << 4);
    for (const int brick : {5, 8, 20})
        EXPECT_EQ(data_with(cell, 0, std::uint64_t{1} << brick, 8), bad(2, cell)) << brick;
    EXPECT_EQ(data_with(cell + 1, 0, some, 8), bad(2, cell + 1));  // full, but cut by the bounds
    ASSERT_EQ(number_at(data(), cell * 8 + 16, 8), std::uint64_t{1} << (3 + 4 + 16));
    for (const int bit : {8, 32})
        EXPECT_EQ(data_with(cell + 2, 0, std::uint64_t{1} << bit, 8), bad(2, cell + 2));
    EXPECT_EQ(data_with(cell + 2, 0, std::uint64_t{1} << 22, 8).code, ErrorCode::count_);
}

TEST_F(ForgedVolume, LinksMustLeadToComponents) {
    const std::size_t links = word_of(0, 2);
    EXPECT_EQ(data_with(links, 0, 1, 8), bad(2, links));
    EXPECT_EQ(data_with(links, 16, 1, 8), bad(2, links + 2));  // not the empty cells
    EXPECT_EQ(data_with(links, 24, 1, 8), bad(2, links + 3));  // not the mixed ones
    EXPECT_EQ(data_with(links, 32, 1, 8), bad(2, links + 4));  // links listed of one that is not mixed
    EXPECT_EQ(data_with(links, 44, 2, 4), bad(2, links + 5));  // pieces without numbers
    EXPECT_EQ(data_with(links, 44, 0, 4), bad(3, 4));  // no piece: the next chunk's has another number
    EXPECT_EQ(data_with(links, 52, 1, 4), bad(2, links + 6));
    ASSERT_EQ(number_at(data(), links * 8 + 40, 4), 0U);  // no link is listed: one mixed cell and its faces
    ASSERT_EQ(number_at(data(), links * 8 + 56, 1), 0x2aU);
    EXPECT_EQ(data_with(links, 56, 64, 1), bad(2, links + 7));
    EXPECT_EQ(data_with(links, 56, 0x2b, 1), bad(2, links));  // into the full cell
    EXPECT_EQ(data_with(links, 56, 0x2e, 1), bad(2, links));  // out of the bounds
    EXPECT_EQ(data_with(links, 57, 1, 1), bad(2, links + 7));
}

TEST_F(ForgedVolume, LabelsMustBeTheLowestPiece) {
    ASSERT_EQ(labels().size(), 24U + 8 * 4 + 8 * 4);
    EXPECT_EQ(with(3, 0, 0, 8), bad(3, 0));
    EXPECT_EQ(with(3, 16, 7, 4), bad(3, 2));
    EXPECT_EQ(with(3, 20, 7, 4), bad(3, 2));
    EXPECT_EQ(with(3, 24 + 3 * 4, 4, 4).code, ErrorCode::baked_value);  // where a chunk's pieces begin
    EXPECT_EQ(with(3, 56, 1, 4), bad(3, 7));                            // a label above its piece
    EXPECT_EQ(with(3, 56 + 2 * 4, 3, 4).code, ErrorCode::baked_value);
    EXPECT_EQ(with(3, 56 + 3 * 4, 3, 4).code, ErrorCode::count_);  // wrong, but nobody reads beyond
}

// A record without words: a chunk that is not there. Only files of version 1.1 have them, and they have some.
TEST_F(ForgedVolume, MissingChunksAreToldByTheVersion) {
    const Volume whole = testing::make_volume(forged_volume());
    Array<std::uint8_t> out;
    ASSERT_TRUE(save_volume(whole, out).has_value());
    FileBytes other(out.begin(), out.end());
    testing::change(other, 18, 1, 2);
    ASSERT_TRUE(baked_reseal(other).has_value());
    const auto count = static_cast<std::int64_t>(chunks().size() / 24);
    EXPECT_EQ(load_volume(other).error(), (Error{ErrorCode::baked_value, 1, count}));
    Volume some = testing::make_volume(forged_volume());
    ASSERT_TRUE(some.apply(VolumeEdit::unload({1, 0, 0})).has_value());
    ASSERT_TRUE(save_volume(some, out).has_value());
    other.assign(out.begin(), out.end());
    EXPECT_EQ(number_at(other, 18, 2), 1U);
    testing::change(other, 18, 0, 2);
    ASSERT_TRUE(baked_reseal(other).has_value());
    EXPECT_EQ(load_volume(other).error(), (Error{ErrorCode::baked_value, 1, 1}));
    // Its record says where it is, and nothing else.
    const Result<BakedFile> file = BakedFile::open(out.span(), {.minor = 1});
    const std::size_t at = static_cast<std::size_t>(file->section_at(1).offset) + 24;
    for (std::size_t k = 0; k < 6; ++k)
        EXPECT_EQ(number_at(FileBytes(out.begin(), out.end()), at + 4 * k, 4), k == 0 ? 1U : 0U);
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
    std::vector<FileBytes> seeds = {testing::plain_file(saved_sections(forged_volume()),
                                                        hash_of(testing::plain_options(forged_volume())), 9)};
    for (int i = 0; i < 6; ++i) {
        Array<std::uint8_t> out;
        ASSERT_TRUE(
            save_volume(testing::make_volume(testing::random_plain_volume(rng, 60)), out, 3).has_value());
        const Result<BakedFile> file = BakedFile::open(out.span(), {});
        if (file->section_at(2).size >= 8) seeds.emplace_back(out.begin(), out.end());
    }
    // Chunks that are not there, and one alone.
    Volume some = testing::make_volume(forged_volume());
    ASSERT_TRUE(some.apply(VolumeEdit::unload({0, 1, 0})) && some.apply(VolumeEdit::unload({1, 0, 1})));
    Array<std::uint8_t> parts, chunk;
    ASSERT_TRUE(save_volume(some, parts, 3) && save_volume_chunk(some, {0, 0, 0}, chunk, 3));
    seeds.emplace_back(parts.begin(), parts.end());
    seeds.emplace_back(chunk.begin(), chunk.end());
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
    const FileBytes bytes = testing::plain_file(saved_sections(forged_volume()),
                                                hash_of(testing::plain_options(forged_volume())));
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
    std::vector<PlainSection> parts = saved_sections(forged_volume());
    testing::change(parts[2].bytes, (35 + 2) * 8, ~std::uint64_t{0}, 8);
    const FileBytes bytes = testing::plain_file(parts, hash_of(parts[0].bytes));
    EXPECT_EQ(load_volume(bytes, {.allocator = memory.allocator()}).error(),
              (Error{ErrorCode::baked_value, 2, 35 + 2}));
    EXPECT_EQ(memory.calls, 0);
}

// 1,000 full chunks in 364 kB: no list of their 4 million bricks.
TEST(LoadVolume, AFullVolumeTakesNoMoreThanItHas) {
    Volume full = *Volume::make({.size = {640, 640, 640}});
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
