// Argument reduction by multiples of pi/2 (William J. Cody and William Waite, 1980, "Software Manual for the
// Elementary Functions"), to a double and its rounding error.
//
// pi/2 is cut into pieces of at most 23 bits: kPart1 on the grid 2^-22, kPart2 on 2^-45, kPart3 on 2^-68,
// kPart4 on 2^-91, each truncated, so that what remains is positive. A quotient q of at most 30 bits (|x| <=
// 2^30, so |q| < 2^29.4) times such a piece is exact. So are the first two subtractions:
//   x - q kPart1 is a multiple of g = min(ulp(x), 2^-22), and is below 2 + |q| 2^-22 < 2^52 g;
//   minus q kPart2 it is a multiple of min(g, 2^-45), and below 4; ulp(x) >= 2^-53, and >= 2^-51 wherever the
//   difference can pass 1 (quotients by the full turn).
// The rest of pi/2, below 2^-47, times q is below 2^-18. As one double its product is off by at most 2^-71:
// enough where the reduced argument is not small. Where it is, two more exact pieces and a last rounded one
// bring the error to |q| 2^-144. No double up to 2^30 other than 0 is closer than 2^-60.5 to a multiple of
// pi/2 (continued fractions of 2^e / (pi/2) for each exponent e), and for all of them the relative error
// stays below 2^-62.
#pragma once

#include <cstdint>

#include "math/exact.h"

namespace fairlead::math::detail {

inline constexpr double kPart1 = 0x1.921fb4p+0;
inline constexpr double kPart2 = 0x1.4442dp-24;
inline constexpr double kRestAfter2 = 0x1.8469898cc5170p-48;
inline constexpr double kPart3 = 0x1.84698p-48;
inline constexpr double kPart4 = 0x1.3198ap-69;
inline constexpr double kRestAfter4 = 0x1.701b839a25205p-92;

inline constexpr double kReduceMax = 0x1p30;     ///< the reduction is exact enough up to here
inline constexpr double kRoundShift = 0x1.8p52;  ///< adding it rounds to an integer, kept in the low bits
inline constexpr double kReduceSmall = 0x1p-12;  ///< below it the short form is not good enough

/// x - q pi/2 as an unevaluated sum; |low| is at most half an ulp of high.
FAIRLEAD_NOINLINE Pair subtract_quarters_carefully(double x, double q);

FAIRLEAD_INLINE Pair subtract_quarters(double x, double q) {
    const double rest = (x - q * kPart1) - q * kPart2;
    const double correction = q * kRestAfter2;
    const double high = rest - correction;
    if (FAIRLEAD_UNLIKELY(magnitude(high) < kReduceSmall)) return subtract_quarters_carefully(x, q);
    return {high, (rest - high) - correction};
}

/// x modulo the double nearest to 2 pi, exactly, with the sign of x; NaN for infinities and NaN. For |x| >
/// 2^30, where a double says little about an angle: the result is at least the same everywhere.
FAIRLEAD_NOINLINE double reduce_huge(double x);

}  // namespace fairlead::math::detail
