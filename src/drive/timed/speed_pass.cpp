#include "drive/timed/speed_pass.h"

#include <algorithm>
#include <cmath>

#include <fairlead/base/assert.h>

namespace fairlead::drive {

namespace {

constexpr double kRounding = 1e-12;  // of squared speeds that are meant to be the same

// How one piece is driven.
struct Motion {
    double speed = 0.0;  // the greatest
    double up = 0.0;     // lengths
    double hold = 0.0;
    double down = 0.0;
    double seconds = 0.0;
};

Motion motion_of(const SpeedPiece& piece, double from, double to, const SpeedLimits& limits) {
    const double a = limits.accel;
    const double b = limits.brake;
    // Where speeding up from one end meets braking to the other.
    const double share = a / (a + b);
    const double meets = 2.0 * b * share * piece.length + from * (1.0 - share) + to * share;
    const double peak = std::max({std::min(piece.cap, meets), from, to});
    Motion out;
    out.speed = std::sqrt(peak);
    out.up = std::min((peak - from) / (2.0 * a), piece.length);
    out.down = piece.length - out.up;
    if (meets > peak) {
        out.down = std::min((peak - to) / (2.0 * b), out.down);
        out.hold = piece.length - out.up - out.down;
    }
    const double up = (out.speed - std::sqrt(from)) / a;
    const double down = (out.speed - std::sqrt(to)) / b;
    out.seconds = piece.slowdown * (up + down + (out.hold > 0.0 ? out.hold / out.speed : 0.0));
    return out;
}

double cap_between(const SpeedPiece& before, const SpeedPiece& after) {
    return after.stops ? 0.0 : std::min(before.cap, after.cap);
}

// Appends a knot, and none for a length of nothing.
struct KnotPen {
    Array<SpeedKnot>& knots;
    bool good = true;

    void go(double length, double to_speed) {
        const SpeedKnot from = knots.back();
        if (!(length > 0.0) || !(from.distance + length > from.distance)) {
            knots.back().speed = to_speed;
            return;
        }
        const double seconds = from.slowdown * 2.0 * length / (from.speed + to_speed);
        good =
            good && knots.push_back({from.distance + length, from.time + seconds, to_speed, from.slowdown});
    }
    void wait(double seconds) {
        SpeedKnot next = knots.back();
        next.time += seconds;
        good = good && knots.push_back(next);
    }
};

}  // namespace

bool fill_speeds(std::span<const SpeedPiece> pieces, double from, double to, const SpeedLimits& limits,
                 std::span<double> squared) {
    const std::size_t count = pieces.size();
    FAIRLEAD_DEBUG_ASSERT(squared.size() == count + 1);
    squared[0] = from;
    if (count == 0) return to < 0.0 || std::abs(from - to) <= kRounding * from;
    if (from > pieces[0].cap * (1.0 + kRounding)) return false;
    for (std::size_t i = 0; i < count; ++i) {
        const double cap = i + 1 < count ? cap_between(pieces[i], pieces[i + 1]) : pieces[i].cap;
        squared[i + 1] = std::min(cap, squared[i] + 2.0 * limits.accel * pieces[i].length);
    }
    if (to >= 0.0) {
        if (squared[count] < to * (1.0 - kRounding)) return false;
        squared[count] = to;
    }
    for (std::size_t i = count; i-- > 0;) {
        squared[i] = std::min(squared[i], squared[i + 1] + 2.0 * limits.brake * pieces[i].length);
    }
    if (squared[0] < from * (1.0 - kRounding)) return false;
    squared[0] = from;
    return true;
}

double sum_seconds(std::span<const SpeedPiece> pieces, std::span<const double> squared,
                   const SpeedLimits& limits) {
    double sum = 0.0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        sum += pieces[i].stops ? limits.cusp_seconds : 0.0;
        sum += motion_of(pieces[i], squared[i], squared[i + 1], limits).seconds;
    }
    return sum;
}

double least_seconds(std::span<const SpeedPiece> pieces, double from, double to, const SpeedLimits& limits) {
    double squared[16];
    FAIRLEAD_ASSERT(pieces.size() < std::size(squared));
    const std::span<double> room(squared, pieces.size() + 1);
    return fill_speeds(pieces, from, to, limits, room) ? sum_seconds(pieces, room, limits) : kNever;
}

bool append_knots(std::span<const SpeedPiece> pieces, std::span<const double> squared,
                  const SpeedLimits& limits, Array<SpeedKnot>& knots) {
    if (!knots.push_back({0.0, 0.0, std::sqrt(squared[0]), 1.0})) return false;
    KnotPen pen{knots};
    for (std::size_t i = 0; i < pieces.size() && pen.good; ++i) {
        if (pieces[i].stops) pen.wait(limits.cusp_seconds);
        if (!pen.good) break;
        knots.back().slowdown = pieces[i].slowdown;
        const Motion motion = motion_of(pieces[i], squared[i], squared[i + 1], limits);
        pen.go(motion.up, motion.speed);
        pen.go(motion.hold, motion.speed);
        pen.go(motion.down, std::sqrt(squared[i + 1]));
    }
    return pen.good;
}

double least_seconds_beyond(double length, double from, double to, double speed_max,
                            const SpeedLimits& limits) {
    const double end = to < 0.0 ? from : to;
    // So much is needed to come from one speed to the other; a shorter way is no quicker.
    const double needed = to < 0.0 ? 0.0
                                   : std::max((end - from) * (end + from) / (2.0 * limits.accel),
                                              (from - end) * (end + from) / (2.0 * limits.brake));
    const double way = std::max(length, needed);
    if (to < 0.0) {
        const double reached = std::sqrt(from * from + 2.0 * limits.accel * way);
        if (reached <= speed_max) return 2.0 * way / std::max(from + reached, 1e-300);
        const double up = (speed_max - from) * (speed_max + from) / (2.0 * limits.accel);
        return (speed_max - from) / limits.accel + (way - up) / speed_max;
    }
    const SpeedPiece piece{.length = way, .cap = speed_max * speed_max};
    return motion_of(piece, from * from, end * end, limits).seconds;
}

}  // namespace fairlead::drive
