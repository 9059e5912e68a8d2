// Trigonometry with the same result, bit for bit, on every compiler and platform. The standard library's
// versions differ in the last bit between platforms, which is enough to make two players' routes differ.
//
// Each function is within 1 unit in the last place of the true value for |x| <= 2^30. The largest errors
// found in 6e7 arguments each, beside long double: sin 0.80, cos 0.83, atan 0.79, atan2 0.78, acos 0.69, asin
// 0.70. Only IEEE + - * / and square root are used; builds must not contract (fused multiply-add), which the
// library's targets see to. Cost: 5 to 15 ns.
#pragma once

#include <fairlead/math/vec.h>

namespace fairlead::math {

struct SinCos {
    double sin = 0.0;
    double cos = 1.0;
};

/// Radians, |x| <= 2^30. Larger ones are taken modulo the double kTwoPi first: the same everywhere, but no
/// longer the sine of x. NaN and infinities give NaN.
[[nodiscard]] double sin(double x);
[[nodiscard]] double cos(double x);
/// Both for little more than the price of one.
[[nodiscard]] SinCos sin_cos(double x);
/// In (-pi/2, pi/2).
[[nodiscard]] double atan(double x);
/// Angle of (x, y) in (-pi, pi]; atan2(0, 0) is 0, as is atan2(+-0, positive); atan2(+-0, negative) is pi.
/// All magnitudes of x and y will do, infinities too.
[[nodiscard]] double atan2(double y, double x);
/// x outside [-1, 1] is clamped, since it comes from rounding.
[[nodiscard]] double acos(double x);
[[nodiscard]] double asin(double x);

/// The angle in [-kPi, kPi), equal to x modulo the true 2 pi, within 1 unit in the last place, and 5e-16 at
/// the seam: the doubles kPi and -kPi are one heading, which is always called -kPi. Angles in range come back
/// as they are.
[[nodiscard]] double wrap_pi(double x);
/// The angle in [0, 2 pi), within 1 unit in the last place. Values within 1e-8 of 2 pi give 0 (technique K6):
/// an arc of almost a full turn that comes from rounding is no arc.
[[nodiscard]] double wrap_two_pi(double x);

/// The unit vector of a heading.
[[nodiscard]] inline Vec2 direction(double heading_rad) {
    const SinCos sc = sin_cos(heading_rad);
    return {sc.cos, sc.sin};
}

}  // namespace fairlead::math
