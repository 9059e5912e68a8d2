// The kernels in the compiler's vectors and in plain structs: the same bits.
#include "curve/lanes.h"

#include <cstring>

#include "cases.h"
#include "curve/frame.h"
#include "support/environment.h"

#undef FAIRLEAD_VECTOR

namespace fairlead::curve::plain {
// clang-format off
#define FAIRLEAD_LANES 2
#include "curve/lanes_inc.h"
#include "curve/dubins_inc.h"
#include "curve/dubins_batch_inc.h"
#undef FAIRLEAD_LANES
// clang-format on
}  // namespace fairlead::curve::plain

#include <fairlead/curve/dubins.h>

namespace fairlead::curve_test {
namespace {

template <class A, class B>
bool same_bits(const A& a, const B& b) {
    static_assert(sizeof(A) == sizeof(B));
    return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(Lanes, AnglesAndSinesAreNearTheTruth) {
    Rng rng(1);
    for (int i = testing::trials(200000); i > 0; --i) {
        const double x = std::ldexp(rng.between(-1.0, 1.0), rng.between(-30, 30));
        const double y = std::ldexp(rng.between(-1.0, 1.0), rng.between(-30, 30));
        const double a = curve::two::angle(curve::two::fill(y), curve::two::fill(x))[0];
        ASSERT_NEAR(a, std::atan2(y, x), 1e-15);
        const double h = rng.between(-kPi, kPi);
        const curve::two::SinCos way = curve::two::sin_cos(curve::two::fill(h));
        ASSERT_NEAR(way.sin[1], std::sin(h), 4e-16);
        ASSERT_NEAR(way.cos[1], std::cos(h), 4e-16);
    }
    EXPECT_EQ(curve::two::angle(curve::two::fill(0.0), curve::two::fill(0.0))[0], 0.0);
    EXPECT_EQ(curve::two::angle(curve::two::fill(0.0), curve::two::fill(-1.0))[0], kPi);
    EXPECT_EQ(curve::two::sin_cos(curve::two::fill(0.0)).cos[0], 1.0);
}

TEST(Lanes, PlainStructsGiveTheSameBits) {
    Rng rng(2);
    for (int i = testing::trials(50000); i > 0; --i) {
        const double x = rng.below(8) == 0 ? 0.0 : rng.between(-9.0, 9.0);
        const double y = rng.below(8) == 0 ? -0.0 : rng.between(-9.0, 9.0);
        const double h = rng.between(-kPi, kPi);
        ASSERT_TRUE(same_bits(curve::two::angle(curve::two::pair(y, x), curve::two::pair(x, y)),
                              curve::plain::angle(curve::plain::pair(y, x), curve::plain::pair(x, y))));
        ASSERT_TRUE(same_bits(curve::two::sin_cos(curve::two::fill(h)),
                              curve::plain::sin_cos(curve::plain::fill(h))));
    }
}

TEST(Lanes, PlainDubinsGivesTheSameBits) {
    Rng rng(3);
    constexpr std::size_t kCount = 131;
    for (int i = testing::trials(200); i > 0; --i) {
        Pose from[kCount];
        Pose to[kCount];
        for (std::size_t k = 0; k < kCount; ++k) {
            const Ends ends = any_ends(rng);
            from[k] = ends.from;
            to[k] = ends.to;
        }
        double library[kCount];
        double plain[kCount];
        dubins_distances(from, to, 1.5, library);
        curve::plain::distances(from, to, 1.5, plain, kCount);
        ASSERT_TRUE(same_bits(library, plain));
    }
}

}  // namespace
}  // namespace fairlead::curve_test
