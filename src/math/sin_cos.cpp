// Sine and cosine: reduction to [-pi/4, pi/4] (reduce.h), then one polynomial each.
//
// The coefficients minimise the largest relative error on [0, (pi/4)^2] in z = x^2 (Evgeny Remez's exchange
// in 70 digits, weights x z / sin x and z^2 / cos x). They are rounded to double one at a time from the
// lowest degree up, and the remaining ones fitted anew. Error of the polynomials: 2^-57.8 (sine), 2^-63.9
// (cosine).
#include <fairlead/math/trig.h>

#include "math/exact.h"
#include "math/reduce.h"

namespace fairlead::math {
namespace {

using detail::Pair;

constexpr double kQuartersPerRadian = 0x1.45f306dc9c883p-1;  // 2 / pi

struct Reduced {
    Pair angle;
    std::uint64_t quadrant;  // only the low two bits count
};

FAIRLEAD_INLINE Reduced reduce(double x) {
    if (FAIRLEAD_UNLIKELY(!(detail::magnitude(x) <= detail::kReduceMax))) x = detail::reduce_huge(x);
    const double shifted = x * kQuartersPerRadian + detail::kRoundShift;
    const double quarters = shifted - detail::kRoundShift;
    return {detail::subtract_quarters(x, quarters), detail::to_bits(shifted)};
}

/// (sin x - x) / x^3 with z = x^2.
FAIRLEAD_INLINE double sin_tail(double z) {
    constexpr double s1 = -0x1.5555555555548p-3, s2 = 0x1.111111110f730p-7, s3 = -0x1.a01a019be9215p-13;
    constexpr double s4 = 0x1.71de35552b242p-19, s5 = -0x1.ae5e4b83b29cfp-26, s6 = 0x1.5d8b55811a41bp-33;
    const double w = z * z;
    return (s1 + z * s2) + w * ((s3 + z * s4) + w * (s5 + z * s6));
}

/// (cos x - 1 + x^2 / 2) / x^4 with z = x^2.
FAIRLEAD_INLINE double cos_tail(double z) {
    constexpr double c1 = 0x1.555555555554bp-5, c2 = -0x1.6c16c16c15014p-10, c3 = 0x1.a01a019c8efb3p-16;
    constexpr double c4 = -0x1.27e4f7f169b50p-22, c5 = 0x1.1ee9dbaf24728p-29, c6 = -0x1.8fa671ee2c618p-37;
    const double w = z * z;
    return (c1 + z * c2) + w * ((c3 + z * c4) + w * (c5 + z * c6));
}

// sin(h + l) = sin h + l cos h, and cos h = 1 - h^2 / 2 is near enough for so small an l. The tail is at most
// a tenth of h, so its rounding errors add at most 0.25 ulp to the 0.5 of the last addition.
FAIRLEAD_INLINE double sin_reduced(Pair x) {
    const double z = x.high * x.high;
    return x.high + (x.high * z * sin_tail(z) + x.low * (1.0 - 0.5 * z));
}

// The error of 1 - z / 2 is recovered exactly; that of z itself is at most 0.25 ulp of the result.
FAIRLEAD_INLINE double cos_reduced(Pair x) {
    const double z = x.high * x.high;
    const Pair head = detail::fast_two_sum(1.0, -0.5 * z);
    return head.high + (head.low + (z * z * cos_tail(z) - x.high * x.low));
}

FAIRLEAD_INLINE double sin_of_quadrant(const Reduced& r) {
    const double value = (r.quadrant & 1) != 0 ? cos_reduced(r.angle) : sin_reduced(r.angle);
    return detail::flip_sign(value, (r.quadrant & 2) << 62);
}

}  // namespace

double sin(double x) { return sin_of_quadrant(reduce(x)); }

double cos(double x) {
    Reduced r = reduce(x);
    ++r.quadrant;
    return sin_of_quadrant(r);
}

// Without branches on the quadrant: headings come in no order that a predictor could learn.
SinCos sin_cos(double x) {
    const Reduced r = reduce(x);
    const std::uint64_t s = detail::to_bits(sin_reduced(r.angle));
    const std::uint64_t c = detail::to_bits(cos_reduced(r.angle));
    const std::uint64_t swap = (s ^ c) & (0 - (r.quadrant & 1));
    return {detail::from_bits(s ^ swap ^ ((r.quadrant & 2) << 62)),
            detail::from_bits(c ^ swap ^ (((r.quadrant + 1) & 2) << 62))};
}

}  // namespace fairlead::math
