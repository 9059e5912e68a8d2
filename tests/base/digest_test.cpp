#include <fairlead/base/digest.h>

#include <cstdint>
#include <limits>
#include <set>

#include <gtest/gtest.h>

namespace fairlead {
namespace {

template <class... Values>
std::uint64_t digest_of(Values... values) {
    Digest digest;
    (digest.add(values), ...);
    return digest.value();
}

// Computed by a second program, in Python.
TEST(Digest, GoldenValues) {
    EXPECT_EQ(digest_of(), 0x6661697265616421ULL);
    EXPECT_EQ(digest_of(std::uint64_t{0}), 0xf8fc2b634051b514ULL);
    EXPECT_EQ(digest_of(std::uint64_t{1}), 0x8510bd0f9f16c719ULL);
    EXPECT_EQ(digest_of(1.0), 0x08df8cdcac7d9f92ULL);
    EXPECT_EQ(digest_of(std::int32_t{-1}, 0.5, std::uint32_t{7}), 0x0dcc96e92d0a26ecULL);
}

TEST(Digest, OrderAndRepetitionMatter) {
    const std::uint64_t one = 1;
    const std::uint64_t two = 2;
    EXPECT_NE(digest_of(one, two), digest_of(two, one));
    EXPECT_NE(digest_of(one), digest_of(one, one));
    EXPECT_NE(digest_of(), digest_of(std::uint64_t{0}));
}

TEST(Digest, IntegerTypesOfTheSameNumberAgree) {
    EXPECT_EQ(digest_of(std::int32_t{-5}), digest_of(std::int64_t{-5}));
    EXPECT_EQ(digest_of(std::uint32_t{5}), digest_of(std::uint64_t{5}));
    EXPECT_EQ(digest_of(std::int32_t{5}), digest_of(std::uint32_t{5}));
}

TEST(Digest, ZeroHasOneSign) {
    EXPECT_EQ(digest_of(-0.0), digest_of(0.0));
    EXPECT_NE(digest_of(1.0), digest_of(-1.0));
    EXPECT_NE(digest_of(1.0), digest_of(1.0 + std::numeric_limits<double>::epsilon()));
}

TEST(Digest, NoCollisionsAmongSmallInputs) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t a = 0; a < 300; ++a) {
        EXPECT_TRUE(seen.insert(digest_of(a)).second);
        for (std::uint64_t b = 0; b < 300; ++b) EXPECT_TRUE(seen.insert(digest_of(a, b)).second);
    }
}

}  // namespace
}  // namespace fairlead
