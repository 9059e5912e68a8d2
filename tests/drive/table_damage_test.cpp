// 2,000 damaged tables of units that turn on the spot, the same every time: what a loader accepts can be searched with
// (fuzz/drive_table_drive.h). The fuzzer of the same name goes on from there.

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include <fairlead/base/baked.h>

#include "fuzz/drive_table_drive.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

std::vector<std::uint8_t> seed() {
    std::ifstream in(source_path("tests/fuzz/corpus/drive_table/seed_1_1.fl"), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::size_t below(Rng& rng, std::size_t size) { return rng.below(static_cast<std::uint32_t>(size)); }

// Half of all damage lies in a section drawn evenly: the largest would take nearly all. Bytes become others, two bytes change
// places, eight become a number that is none, the end is cut or grows.
void damage(Rng& rng, const BakedFile& good, std::vector<std::uint8_t>& bytes) {
    const BakedSection section = good.section_at(rng.below(good.sections()));
    const auto in_section = [&](std::size_t room) {
        return static_cast<std::size_t>(section.offset) +
               below(rng, static_cast<std::size_t>(section.size) - room);
    };
    switch (rng.below(7)) {
        case 0: bytes[below(rng, bytes.size())] ^= static_cast<std::uint8_t>(1 + rng.below(255)); break;
        case 1: bytes[in_section(0)] ^= static_cast<std::uint8_t>(1U << rng.below(8)); break;
        case 2:
            bytes[in_section(0)] = static_cast<std::uint8_t>(rng.below(3) == 0 ? 255 : rng.below(256));
            break;
        case 3: std::swap(bytes[in_section(0)], bytes[in_section(0)]); break;
        case 4: {
            const std::size_t at = in_section(8) & ~std::size_t{7};
            for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = i < 6 ? 0 : i == 6 ? 0xf0 : 0x7f;
            break;
        }
        case 5: bytes[below(rng, 64)] = static_cast<std::uint8_t>(rng.below(256)); break;
        default: bytes.resize(rng.below(2) == 0 ? below(rng, bytes.size()) : bytes.size() + 8);
    }
}

TEST(TableDamageSlow, WhatIsAcceptedCanBeSearchedWith) {
    const std::vector<std::uint8_t> good = seed();
    const Result<BakedFile> file = BakedFile::open(good, {});
    ASSERT_TRUE(file.has_value());
    Scratch scratch;
    ASSERT_EQ(drive_table(good, scratch), TableFate::accepted);
    Rng rng(12);
    int fates[3] = {};
    for (int i = 0; i < trials(2000); ++i) {
        std::vector<std::uint8_t> bytes = good;
        for (int k = rng.between(1, 3); k > 0 && bytes.size() == good.size(); --k) damage(rng, *file, bytes);
        ++fates[static_cast<int>(drive_table(bytes, scratch))];
    }
    std::printf("%d refused, %d with fitting checksums, %d accepted\n", fates[0], fates[1], fates[2]);
    EXPECT_GT(fates[0], trials(2000) / 20);
    EXPECT_GT(fates[1], trials(2000) / 20);
    EXPECT_GT(fates[2], trials(2000) / 20);
}

}  // namespace
}  // namespace fairlead::testing
