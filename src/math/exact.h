// Error-free transformations: the rounding error of one +, - or * as a second double, so that high + low is
// the exact result. Theodorus J. Dekker (1971) and Donald E. Knuth (1969); no fused multiply-add, so the
// values are the same on every target. They hold for round-to-nearest while nothing overflows and no product
// is below 2^-969.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include <fairlead/base/exact_floats.h>
#include <fairlead/base/platform.h>

namespace fairlead::math::detail {

struct Pair {
    double high;
    double low;
};

/// Half a turn and a quarter, beyond the precision of a double.
inline constexpr Pair kPiPair = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
inline constexpr Pair kHalfPiPair = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/// a + b, in any order of magnitude.
FAIRLEAD_INLINE Pair two_sum(double a, double b) {
    const double high = a + b;
    const double b_part = high - a;
    const double a_part = high - b_part;
    return {high, (a - a_part) + (b - b_part)};
}

/// a + b where |a| >= |b| or a == 0.
FAIRLEAD_INLINE Pair fast_two_sum(double a, double b) {
    const double high = a + b;
    return {high, b - (high - a)};
}

FAIRLEAD_INLINE Pair two_difference(double a, double b) { return two_sum(a, -b); }

/// a as two numbers of at most 26 bits each; |a| < 2^996.
FAIRLEAD_INLINE Pair split(double a) {
    const double scaled = a * 134217729.0;  // 2^27 + 1
    const double high = scaled - (scaled - a);
    return {high, a - high};
}

FAIRLEAD_INLINE Pair two_product(double a, double b) {
    const double high = a * b;
    const Pair p = split(a);
    const Pair q = split(b);
    return {high, ((p.high * q.high - high) + p.high * q.low + p.low * q.high) + p.low * q.low};
}

// std::bit_cast is not in every toolchain that counts here.
FAIRLEAD_INLINE std::uint64_t to_bits(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

FAIRLEAD_INLINE double from_bits(std::uint64_t bits) {
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline constexpr std::uint64_t kSignBit = 0x8000000000000000ULL;

FAIRLEAD_INLINE double magnitude(double value) { return std::fabs(value); }

/// `value` with its sign flipped where `sign` is kSignBit; 0 leaves it alone.
FAIRLEAD_INLINE double flip_sign(double value, std::uint64_t sign) {
    return from_bits(to_bits(value) ^ sign);
}

}  // namespace fairlead::math::detail
