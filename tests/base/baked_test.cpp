// Baked files: what is damaged is refused, wherever the damage is.

#include <gtest/gtest.h>

#include <string_view>

#include <fairlead/base/baked.h>
#include <fairlead/base/rng.h>

namespace fairlead {
namespace {

constexpr std::uint32_t kKind = four_letters("TEST");

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Two sections with records of 3 and 8 bytes and an empty one.
Array<std::uint8_t> small_file() {
    BakedWriter file({.kind = kKind, .major = 2, .minor = 1, .options_hash = 77, .source_hash = 88});
    ByteWriter& out = file.begin(four_letters("ONES"), 3);
    for (std::uint8_t i = 0; i < 15; ++i) out.put(i);
    (void)file.begin(four_letters("NONE"), 4);
    file.begin(four_letters("REAL"), 8).put(-1.5);
    Array<std::uint8_t> bytes;
    EXPECT_TRUE(file.finish(bytes).has_value());
    return bytes;
}

constexpr BakedFile::Expected kExpected{.kind = kKind, .major = 2, .minor = 1};

ErrorCode code_of(std::span<const std::uint8_t> bytes, const BakedFile::Expected& expected = kExpected) {
    const Result<BakedFile> file = BakedFile::open(bytes, expected);
    return file ? ErrorCode::count_ : file.error().code;
}

TEST(Crc32c, KnownValues) {
    EXPECT_EQ(crc32c(bytes_of("123456789")), 0xe3069283U);  // RFC 3720's check value
    EXPECT_EQ(crc32c(bytes_of("")), 0U);
    const std::uint8_t zeros[32] = {};
    EXPECT_EQ(crc32c(zeros), 0x8a9136aaU);  // RFC 3720, B.4
    const std::string_view text = "a line taut round the corner";
    EXPECT_EQ(crc32c(bytes_of(text.substr(9)), crc32c(bytes_of(text.substr(0, 9)))), crc32c(bytes_of(text)));
}

TEST(Bytes, EveryNumberComesBack) {
    Array<std::uint8_t> bytes;
    ByteWriter out(bytes);
    out.put(std::int8_t{-3});
    out.put(std::uint16_t{0xbeef});
    out.put(std::int32_t{-70000});
    out.put(std::uint64_t{0x0123456789abcdefULL});
    out.put(0.1);
    ASSERT_EQ(bytes.size(), 23U);
    EXPECT_EQ(bytes[1], 0xef);  // the low byte first
    ByteReader in(bytes.span());
    EXPECT_EQ(in.get<std::int8_t>(), -3);
    EXPECT_EQ(in.get<std::uint16_t>(), 0xbeef);
    EXPECT_EQ(in.get<std::int32_t>(), -70000);
    EXPECT_EQ(in.get<std::uint64_t>(), 0x0123456789abcdefULL);
    EXPECT_EQ(in.get<double>(), 0.1);
    EXPECT_FALSE(in.failed());
    EXPECT_EQ(in.get<std::uint8_t>(), 0);
    EXPECT_TRUE(in.failed());
}

TEST(Baked, SectionsComeBack) {
    const Array<std::uint8_t> bytes = small_file();
    const Result<BakedFile> file = BakedFile::open(bytes.span(), kExpected);
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(file->header().options_hash, 77U);
    EXPECT_EQ(file->header().source_hash, 88U);
    EXPECT_EQ(file->sections(), 3U);
    Result<BakedSection> ones = file->section(four_letters("ONES"), 3);
    ASSERT_TRUE(ones.has_value());
    EXPECT_EQ(ones->count, 5U);
    for (std::uint8_t i = 0; i < 15; ++i) EXPECT_EQ(ones->reader.get<std::uint8_t>(), i);
    EXPECT_EQ(file->section(four_letters("NONE"), 4).value().count, 0U);
    Result<BakedSection> real = file->section(four_letters("REAL"), 8);
    ASSERT_TRUE(real.has_value());
    EXPECT_EQ(real->reader.get<double>(), -1.5);
    EXPECT_EQ(file->section(four_letters("REAL"), 4).error(), (Error{ErrorCode::baked_section, 2, 8}));
    EXPECT_EQ(file->section(four_letters("GONE"), 4).error().index, -1);
}

TEST(Baked, RefusedForTheFirstThingThatIsWrong) {
    Array<std::uint8_t> bytes = small_file();
    const std::span<std::uint8_t> all = bytes.span();
    EXPECT_EQ(code_of(all.first(63)), ErrorCode::baked_length);
    EXPECT_EQ(code_of({}), ErrorCode::baked_length);
    EXPECT_EQ(code_of(all.first(all.size() - 1)), ErrorCode::baked_size);
    EXPECT_EQ(code_of(all, {.kind = kKind, .major = 3}), ErrorCode::baked_version);
    EXPECT_EQ(code_of(all, {.kind = kKind, .major = 2, .minor = 0}), ErrorCode::baked_version);
    EXPECT_EQ(code_of(all, {.kind = kBakedDriveTable}), ErrorCode::baked_kind);
    EXPECT_EQ(code_of(all, {.kind = kKind, .major = 2, .minor = 1, .bytes_max = all.size() - 1}),
              ErrorCode::size_limit);
    EXPECT_EQ(code_of(all, {}), ErrorCode::count_);
    all[0] ^= 1;
    EXPECT_EQ(code_of(all), ErrorCode::baked_magic);
}

TEST(Baked, NoAlteredByteIsAccepted) {
    Array<std::uint8_t> bytes = small_file();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        for (int bit = 0; bit < 8; ++bit) {
            bytes[i] ^= static_cast<std::uint8_t>(1 << bit);
            EXPECT_NE(code_of(bytes.span()), ErrorCode::count_) << i << " " << bit;
            bytes[i] ^= static_cast<std::uint8_t>(1 << bit);
        }
    }
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_NE(code_of(bytes.span().first(size)), ErrorCode::count_);
}

// With checksums computed anew: what is opened then lies within the file.
TEST(Baked, ResealedFilesStayWithinTheirBytes) {
    Rng rng(5);
    int opened = 0;
    for (int i = 0; i < 20'000; ++i) {
        Array<std::uint8_t> bytes = small_file();
        for (int k = rng.between(1, 4); k > 0; --k) {
            const auto at = static_cast<std::size_t>(rng.below(static_cast<std::uint32_t>(bytes.size())));
            bytes[at] = static_cast<std::uint8_t>(rng.below(3) == 0 ? 255 : rng.below(256));
        }
        if (!baked_reseal(bytes.span())) continue;
        const Result<BakedFile> file = BakedFile::open(bytes.span(), {});
        ASSERT_TRUE(file.has_value());
        ++opened;
        for (std::uint32_t k = 0; k < file->sections(); ++k) {
            const BakedSection section = file->section_at(k);
            EXPECT_EQ(section.reader.left(), section.size);
            EXPECT_EQ(section.count * section.stride, section.size);
        }
    }
    EXPECT_GT(opened, 500);
}

}  // namespace
}  // namespace fairlead
