// What the tests of this module measure with: arithmetic wider than double, and the unit in the last place.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace fairlead::math_test {

// About 113 bits; 64 where there is nothing better.
#if LDBL_MANT_DIG >= 100 || !defined(__SIZEOF_FLOAT128__)
using Wide = long double;
#else
__extension__ typedef __float128 Wide;
#endif

inline constexpr bool kLongDoubleIsWider = LDBL_MANT_DIG >= 64;

inline Wide wide_abs(Wide x) { return x < 0 ? -x : x; }

/// Newton's iteration from the double root: twice the digits each time.
inline Wide wide_sqrt(Wide x) {
    if (x <= 0) return 0;
    Wide root = std::sqrt(static_cast<double>(x));
    if (root <= 0) return 0;
    for (int i = 0; i < 2; ++i) root = (root + x / root) / 2;
    return root;
}

/// pi to 160 bits, in parts that are doubles.
inline Wide wide_pi() {
    return static_cast<Wide>(0x1.921fb54442d18p+1) + static_cast<Wide>(0x1.1a62633145c07p-53) +
           static_cast<Wide>(-0x1.f1976b7ed8fbcp-109);
}

/// The gap between doubles in the binade of x.
inline double ulp_of(double x) {
    int exponent = 0;
    (void)std::frexp(std::fabs(x), &exponent);
    const int last = exponent - 53;
    return x == 0.0 ? DBL_TRUE_MIN : std::ldexp(1.0, last < -1074 ? -1074 : last);
}

/// |got - want| in units in the last place of `want`.
template <class T>
double ulp_error(double got, T want) {
    const T difference = static_cast<T>(got) - want;
    return static_cast<double>((difference < 0 ? -difference : difference) /
                               static_cast<T>(ulp_of(static_cast<double>(want))));
}

inline double next_up(double x, int steps) {
    for (; steps > 0; --steps) x = std::nextafter(x, HUGE_VAL);
    for (; steps < 0; ++steps) x = std::nextafter(x, -HUGE_VAL);
    return x;
}

inline std::uint64_t bits_of(double x) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

}  // namespace fairlead::math_test
