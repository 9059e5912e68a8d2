// Arc sine and arc cosine: a polynomial up to 1/2, and beyond it the half-angle identity
//   acos(x) = 2 asin(sqrt((1 - x) / 2)),
// where 1 - x is exact and the rounding error of the root is recovered.
#include <cmath>

#include <fairlead/math/trig.h>

#include "math/exact.h"

namespace fairlead::math {
namespace {

using detail::kHalfPiPair;
using detail::kPiPair;
using detail::Pair;

/// (asin x - x) / x with z = x^2 <= 1/4: minimax as in sin_cos.cpp, weight z; relative error of the result
/// 2^-59.8.
FAIRLEAD_INLINE double asin_excess(double z) {
    constexpr double a1 = 0x1.5555555555578p-3, a2 = 0x1.333333332df1ep-4, a3 = 0x1.6db6db722ad3ap-5;
    constexpr double a4 = 0x1.f1c71a8bdefc3p-6, a5 = 0x1.6e8bdfde4cd74p-6, a6 = 0x1.1c49dea530916p-6;
    constexpr double a7 = 0x1.ca2133c8e7206p-7, a8 = 0x1.75781ccea1419p-7, a9 = 0x1.618769abecae6p-7;
    constexpr double a10 = 0x1.e18fbaeb96439p-9, a11 = 0x1.64f1606a9e048p-6, a12 = -0x1.59de177148e29p-6;
    constexpr double a13 = 0x1.0bdc80217c620p-5;
    const double w = z * z;
    const double low = (a1 + z * a2) + w * (a3 + z * a4);
    const double middle = (a5 + z * a6) + w * (a7 + z * a8);
    const double high = ((a9 + z * a10) + w * (a11 + z * a12)) + (w * w) * a13;
    return z * (low + (w * w) * (middle + (w * w) * high));
}

/// acos(x) / 2 for 1/2 <= x <= 1, as an unevaluated sum.
FAIRLEAD_INLINE Pair half_acos(double x) {
    const double z = (1.0 - x) * 0.5;
    if (z <= 0.0) return {0.0, 0.0};
    const double root = std::sqrt(z);
    const Pair square = detail::two_product(root, root);
    const double root_low = ((z - square.high) - square.low) / (2.0 * root);
    // asin'(root) = 1 / sqrt(1 - z), near enough 1 + z / 2 for the small part.
    return {root, root * asin_excess(z) + root_low * (1.0 + 0.5 * z)};
}

FAIRLEAD_INLINE double clamp_unit(double x) { return x > 1.0 ? 1.0 : (x < -1.0 ? -1.0 : x); }

/// whole - (part.high + part.low), |whole| >= |part|.
FAIRLEAD_INLINE double difference(Pair whole, Pair part) {
    const Pair high = detail::fast_two_sum(whole.high, -part.high);
    return high.high + (high.low + (whole.low - part.low));
}

}  // namespace

double acos(double x) {
    x = clamp_unit(x);
    if (detail::magnitude(x) <= 0.5) return difference(kHalfPiPair, {x, x * asin_excess(x * x)});
    const Pair half = half_acos(detail::magnitude(x));
    if (x > 0.0) return 2.0 * (half.high + half.low);
    return difference(kPiPair, {2.0 * half.high, 2.0 * half.low});
}

double asin(double x) {
    x = clamp_unit(x);
    if (detail::magnitude(x) <= 0.5) return x + x * asin_excess(x * x);
    const Pair half = half_acos(detail::magnitude(x));
    return detail::flip_sign(difference(kHalfPiPair, {2.0 * half.high, 2.0 * half.low}),
                             detail::to_bits(x) & detail::kSignBit);
}

}  // namespace fairlead::math
