// Arc tangent of a ratio b / a, 0 <= b <= a, by table and a short polynomial. With c = k / 32 near b / a,
//   atan(b / a) = atan(c) + atan(d),  d = (b - c a) / (a + c b),  |d| <= 1/64 and a little,
// and below 1/16, where the table would cost relative precision, k = 0 and d = b / a to twice the precision.
//
// The table holds atan(k / 32) rounded to the grid 2^-50, and the remainder. So do pi/2 and pi, and sums and
// differences of such high parts are exact: the rounding errors are those of d (2.5 half ulps of d, so at
// most 0.31 ulp of the result, which is at least 1/16) and of the last addition (0.5 ulp).
#include <fairlead/math/trig.h>

#include "math/exact.h"

namespace fairlead::math {
namespace {

using detail::kHalfPiPair;
using detail::kPiPair;
using detail::Pair;

constexpr Pair kAtan[33] = {
    {0.0, 0.0},
    {0x1.ffd55bba97600p-6, 0x1.2542779d776dep-53},
    {0x1.ff55bb72cfe00p-5, -0x1.639269b0da47ep-53},
    {0x1.7ee182602f100p-4, 0x1.d1824d59f9e13p-53},
    {0x1.fd5ba9aac2f80p-4, -0x1.239a6ed0cec18p-52},
    {0x1.3d6eee8c66260p-3, 0x1.8b0d1d8674941p-52},
    {0x1.7b97b4bce5b00p-3, 0x1.1347b0b4f881dp-54},
    {0x1.b90d7529260a0p-3, 0x1.022f621a5c1cbp-54},
    {0x1.f5b75f92c80e0p-3, -0x1.4ea9238610a08p-54},
    {0x1.18bf5a30bf180p-2, -0x1.f679adc5ba720p-52},
    {0x1.362773707ebd0p-2, -0x1.0cb1d2a25b397p-52},
    {0x1.530ad9951cd50p-2, -0x1.892b324044204p-52},
    {0x1.6f61941e4def0p-2, 0x1.1ce2a8c848b74p-55},
    {0x1.8b24d394a1b20p-2, 0x1.5b6d0ba3748fbp-52},
    {0x1.a64eec3cc2400p-2, -0x1.a49bd836a1700p-53},
    {0x1.c0db4c94ec9f0p-2, -0x1.cc1ce70934c34p-56},
    {0x1.dac670561bb50p-2, -0x1.2ea406ee84d0fp-55},
    {0x1.f40dd0b541410p-2, 0x1.f2e33691e3eafp-52},
    {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
    {0x1.1255d9bfbd2a8p-1, 0x1.ed42511e3f11dp-54},
    {0x1.1e00babdefeb0p-1, 0x1.f9b5c835e1666p-52},
    {0x1.2958e59308e30p-1, 0x1.bd86313ce4fdep-54},
    {0x1.345f01cce37b8p-1, 0x1.a204226f8e220p-52},
    {0x1.3f13fb89e96f8p-1, -0x1.e13074b6d9bb1p-52},
    {0x1.4978fa3269ee0p-1, 0x1.2483350fe548bp-53},
    {0x1.538f57b890620p-1, -0x1.46edd2af69483p-53},
    {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
    {0x1.66d663923e088p-1, -0x1.2dd4dfd7d1777p-53},
    {0x1.700a7c5784630p-1, 0x1.e73cb2da55211p-52},
    {0x1.78f6bbd5d3160p-1, -0x1.afe57dd9ff230p-53},
    {0x1.819d0b7158a50p-1, -0x1.9bf76229d3b91p-52},
    {0x1.89ff5ff57f1f8p-1, -0x1.55b9a5e177a1bp-55},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

/// (atan d - d) / d^3 with z = d^2, |d| <= 1/16: minimax as in sin_cos.cpp, weight z; relative error of the
/// result 2^-62.5.
FAIRLEAD_INLINE double atan_tail(double z) {
    constexpr double t1 = -0x1.5555555555537p-2, t2 = 0x1.99999999637bap-3, t3 = -0x1.2492482a7b4d9p-3;
    constexpr double t4 = 0x1.c71881f42ed9ep-4, t5 = -0x1.70c2f344a33eep-4;
    const double w = z * z;
    return (t1 + z * t2) + w * ((t3 + z * t4) + w * t5);
}

/// b - c a for c = k / 32, k <= 32, b / a within 1/63 of c, c >= 1/16. Cutting six bits off a makes both
/// products exact; the first difference is of numbers within a factor of 2, so it is exact too (Sterbenz
/// 1974). One rounding in all.
FAIRLEAD_INLINE double cross_difference(double b, double c, double a) {
    const double a_high = detail::from_bits(detail::to_bits(a) & ~std::uint64_t{63});
    return (b - c * a_high) - c * (a - a_high);
}

/// offset + sign * atan(b / a). Both numbers are in [2^-900, 2^900] unless b / a < 2^-60.
FAIRLEAD_INLINE double offset_atan(Pair offset, std::uint64_t sign, double b, double a) {
    const double ratio = b / a;
    double d = ratio;
    double d_low = 0.0;
    if (ratio >= 0x1p-4) {
        const int k = static_cast<int>(ratio * 32.0 + 0.5);
        const double c = static_cast<double>(k) * 0x1p-5;
        d = cross_difference(b, c, a) / (a + c * b);
        offset.high += detail::flip_sign(kAtan[k].high, sign);
        offset.low += detail::flip_sign(kAtan[k].low, sign);
    } else if (offset.high == 0.0 && ratio >= 0x1p-28) {
        const Pair product = detail::two_product(ratio, a);
        d_low = ((b - product.high) - product.low) / a;
    }
    const double z = d * d;
    const double small = d + (d * z * atan_tail(z) + d_low);
    return offset.high + (offset.low + detail::flip_sign(small, sign));
}

}  // namespace

double atan(double x) {
    const std::uint64_t sign = detail::to_bits(x) & detail::kSignBit;
    const double size = detail::magnitude(x);
    if (size <= 1.0) return detail::flip_sign(offset_atan({0.0, 0.0}, 0, size, 1.0), sign);
    if (size < 0x1p60) return detail::flip_sign(offset_atan(kHalfPiPair, detail::kSignBit, 1.0, size), sign);
    return size != size ? x : detail::flip_sign(kHalfPiPair.high, sign);
}

namespace {

/// Where a number is too large or too small for products: scaled by a power of two, unless the smaller one
/// does not count.
FAIRLEAD_NOINLINE double atan2_scaled(double y, double x) {
    if (x != x || y != y) return x + y;
    const double size_x = detail::magnitude(x);
    const double size_y = detail::magnitude(y);
    const double larger = size_x > size_y ? size_x : size_y;
    const double smaller = size_x > size_y ? size_y : size_x;
    if (larger == 0.0) return 0.0;
    if (smaller < larger * 0x1p-100) {
        if (size_x < size_y) return y < 0.0 ? -kHalfPiPair.high : kHalfPiPair.high;
        if (x > 0.0) return y / x;
        return y < 0.0 ? -kPiPair.high : kPiPair.high;
    }
    constexpr double kLargest = 0x1.fffffffffffffp1023;
    if (smaller > kLargest) return atan2(y > 0.0 ? 1.0 : -1.0, x > 0.0 ? 1.0 : -1.0);  // both infinite
    const double scale = larger > 1.0 ? 0x1p-600 : 0x1p600;
    return atan2(y * scale, x * scale);
}

/// Octants, by (|y| > |x|) + 2 (x < 0): the angle is offset +- atan(smaller / larger).
constexpr Pair kOffset[4] = {{0.0, 0.0}, kHalfPiPair, kPiPair, kHalfPiPair};
constexpr std::uint64_t kSign[4] = {0, detail::kSignBit, detail::kSignBit, 0};

}  // namespace

double atan2(double y, double x) {
    constexpr double kSmall = 0x1p-400, kLarge = 0x1p400;
    const double size_x = detail::magnitude(x);
    const double size_y = detail::magnitude(y);
    const bool steep = size_y > size_x;
    const double larger = steep ? size_y : size_x;
    const double smaller = steep ? size_x : size_y;
    if (FAIRLEAD_UNLIKELY(
            !(larger <= kLarge && (smaller >= kSmall || (smaller == 0.0 && larger >= kSmall))))) {
        return atan2_scaled(y, x);
    }
    const unsigned octant = static_cast<unsigned>(steep) + 2U * static_cast<unsigned>(x < 0.0);
    const double angle = offset_atan(kOffset[octant], kSign[octant], smaller, larger);
    return y < 0.0 ? -angle : angle;
}

}  // namespace fairlead::math
