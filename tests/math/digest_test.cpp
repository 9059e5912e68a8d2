// The same bits as every other toolchain: golden digests.
#include <gtest/gtest.h>

#include <set>

#include "math_digest.h"

namespace fairlead::math_test {
namespace {

TEST(MathDigest, FewArgumentsGiveTheGoldenBits) {
    for (const NamedDigest& d : kDigests) EXPECT_EQ(d.compute(kFew), d.golden_few) << d.name;
}

TEST(MathDigest, ManyArgumentsGiveTheGoldenBits) {
    for (const NamedDigest& d : kDigests) EXPECT_EQ(d.compute(kMany), d.golden_many) << d.name;
}

TEST(MathDigest, DigestsTellFunctionsAndCountsApart) {
    std::set<std::uint64_t> seen;
    for (const NamedDigest& d : kDigests) {
        EXPECT_TRUE(seen.insert(d.compute(kFew)).second) << d.name;
        EXPECT_TRUE(seen.insert(d.compute(kFew + 1)).second) << d.name;
    }
}

}  // namespace
}  // namespace fairlead::math_test
