#include "math/reduce.h"

#include <limits>

namespace fairlead::math::detail {

Pair subtract_quarters_carefully(double x, double q) {
    if (q == 0.0) return {x, 0.0};  // nothing to subtract
    const double rest = (x - q * kPart1) - q * kPart2;
    const Pair third = two_difference(rest, q * kPart3);
    const Pair fourth = two_difference(third.high, q * kPart4);
    return two_sum(fourth.high, (third.low + fourth.low) - q * kRestAfter4);
}

// Long division of integers: x = mantissa 2^shift and 2 pi = modulus 2^-50.
double reduce_huge(double x) {
    constexpr std::uint64_t kModulus = 0x1921fb54442d18;
    const std::uint64_t bits = to_bits(x);
    const int exponent = static_cast<int>((bits >> 52) & 0x7ff);
    if (exponent == 0x7ff) return std::numeric_limits<double>::quiet_NaN();
    const std::uint64_t mantissa = (bits & 0xfffffffffffff) | 0x10000000000000;
    std::uint64_t rest = mantissa % kModulus;
    int shift = exponent - 1075 + 50;  // >= 28 for |x| > 2^30
    for (; shift >= 11; shift -= 11) rest = (rest << 11) % kModulus;
    rest = (rest << shift) % kModulus;
    return flip_sign(static_cast<double>(rest) * 0x1p-50, bits & kSignBit);
}

}  // namespace fairlead::math::detail
