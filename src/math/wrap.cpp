// Angles modulo 2 pi: the reduction of sine and cosine (reduce.h) in whole turns.
#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "math/exact.h"
#include "math/reduce.h"

namespace fairlead::math {
namespace {

using detail::Pair;

constexpr double kTurnsPerRadian = 0x1.45f306dc9c883p-3;  // 1 / (2 pi)
constexpr double kTwoPiLow = 0x1.1a62633145c07p-52;       // 2 pi - kTwoPi
constexpr double kSnap = 1e-8;

/// x minus the nearest whole number of turns. The number may be off by one within 2^-22 of half a turn.
Pair subtract_turns(double x) {
    if (FAIRLEAD_UNLIKELY(!(detail::magnitude(x) <= detail::kReduceMax))) x = detail::reduce_huge(x);
    const double turns = (x * kTurnsPerRadian + detail::kRoundShift) - detail::kRoundShift;
    return detail::subtract_quarters(x, 4.0 * turns);
}

double add_turn(Pair x) {
    const Pair sum = detail::fast_two_sum(kTwoPi, x.high);
    return sum.high + (sum.low + (x.low + kTwoPiLow));
}

double subtract_turn(Pair x) { return -add_turn({-x.high, -x.low}); }

}  // namespace

double wrap_pi(double x) {
    if (-kPi <= x && x < kPi) return x;
    const Pair rest = subtract_turns(x);
    double angle = rest.high;
    if (angle >= kPi) angle = subtract_turn(rest);
    if (angle < -kPi) angle = add_turn(rest);
    // The doubles nearest to pi and -pi are one heading, and it has one name.
    return angle >= kPi || angle < -kPi ? -kPi : angle;
}

double wrap_two_pi(double x) {
    if (0.0 <= x && x < kTwoPi - kSnap) return x + 0.0;  // + 0.0 makes a zero positive
    const Pair rest = subtract_turns(x);
    if (rest.high < -kSnap) {
        const double angle = add_turn(rest);
        return angle < kTwoPi - kSnap ? angle : 0.0;
    }
    return rest.high <= 0.0 ? 0.0 : rest.high;
}

}  // namespace fairlead::math
