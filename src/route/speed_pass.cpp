// Two passes over squared speeds, then three motions a piece: up, hold, down.

#include "route/speed_pass.h"

#include <algorithm>
#include <cmath>

#include <fairlead/base/assert.h>

namespace fairlead::route {

namespace {

constexpr double kRounding = 1e-12;  // of squared speeds that are meant to be the same
constexpr double kSameSpeed = 1e-9;  // of speeds

// How one piece is driven.
struct Motion {
    double speed = 0.0;  // the greatest
    double up = 0.0;     // lengths
    double hold = 0.0;
    double down = 0.0;
    double seconds = 0.0;
};

// Squared speed gained on a length.
double gain(double rate, double length) { return length > 0.0 ? 2.0 * rate * length : 0.0; }

// Squared: where speeding up from one end meets braking to the other.
double meeting_speed(double a, double b, double length, double from, double to) {
    if (std::isinf(a)) return std::isinf(b) ? kNever : 2.0 * b * length + to;
    if (std::isinf(b)) return 2.0 * a * length + from;
    const double share = a / (a + b);
    return 2.0 * b * share * length + from * (1.0 - share) + to * share;
}

Motion motion_of(const SpeedPiece& piece, double from, double to, const SpeedLimits& limits) {
    const double a = limits.accel_max;
    const double b = limits.brake_max;
    const double meets = meeting_speed(a, b, piece.length, from, to);
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
    double share = 1.0;  // of the length is on the ground
    bool good = true;

    void go(double length, double to_speed) {
        const SpeedKnot from = knots.back();
        SpeedKnot next = from;
        next.speed = to_speed;
        next.distance += length * share;
        if (!(length > 0.0) || !(next.distance > from.distance || share == 0.0)) {
            next.distance = from.distance;
            const double change = std::abs(to_speed - from.speed);
            if (change <= kSameSpeed * (to_speed + from.speed)) {
                knots.back().speed = to_speed;
            } else {
                good = good && knots.push_back(next);  // at once
            }
            return;
        }
        const double on_ground = share > 0.0 ? length * share : length;
        next.time += from.slowdown * 2.0 * on_ground / (from.speed + to_speed);
        good = good && knots.push_back(next);
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
        squared[i + 1] = std::min(cap, squared[i] + gain(limits.accel_max, pieces[i].length));
    }
    if (to >= 0.0) {
        if (squared[count] < to * (1.0 - kRounding)) return false;
        squared[count] = to;
    }
    for (std::size_t i = count; i-- > 0;) {
        squared[i] = std::min(squared[i], squared[i + 1] + gain(limits.brake_max, pieces[i].length));
    }
    if (squared[0] < from * (1.0 - kRounding)) return false;
    squared[0] = from;
    return true;
}

double sum_seconds(std::span<const SpeedPiece> pieces, std::span<const double> squared,
                   const SpeedLimits& limits) {
    double sum = 0.0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        sum += pieces[i].stops ? pieces[i].stand : 0.0;
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
    if (!knots.push_back({.speed = std::sqrt(squared[0])})) return false;
    KnotPen pen{knots};
    for (std::size_t i = 0; i < pieces.size() && pen.good; ++i) {
        const SpeedPiece& piece = pieces[i];
        knots.back().leg = piece.leg;
        if (piece.stops) pen.wait(piece.stand);
        if (!pen.good) break;
        pen.share = piece.ground_share;
        knots.back().slowdown = piece.slowdown / (pen.share > 0.0 ? pen.share : 1.0);
        const Motion motion = motion_of(piece, squared[i], squared[i + 1], limits);
        pen.go(motion.up, motion.speed);
        pen.go(motion.hold, motion.speed);
        pen.go(motion.down, std::sqrt(squared[i + 1]));
    }
    return pen.good;
}

namespace {

// Seconds from a speed at a change of so much a second, over a length, to a speed.
double seconds_over(double length, double from, double to) {
    return length > 0.0 ? 2.0 * length / (from + to) : 0.0;
}

// After so many seconds of one of the three motions.
void end_within(PieceStep& out, double seconds, double from, double to, double length, double all) {
    const double share = all > 0.0 ? std::min(seconds / all, 1.0) : 1.0;
    out.speed = from + (to - from) * share;
    out.length += std::min(0.5 * (from + out.speed) * seconds, length);
    out.peak = std::max(out.peak, out.speed);
}

}  // namespace

PieceStep drive_piece(const SpeedPiece& piece, double from, double to, const SpeedLimits& limits,
                      double seconds) {
    const Motion motion = motion_of(piece, from, to, limits);
    const double ends[] = {std::sqrt(from), motion.speed, motion.speed, std::sqrt(to)};
    const double lengths[] = {motion.up, motion.hold, motion.down};
    PieceStep out{.peak = ends[0]};
    double left = seconds / piece.slowdown;
    for (int i = 0; i < 3; ++i) {
        const double all = seconds_over(lengths[i], ends[i], ends[i + 1]);
        if (left < all) {
            end_within(out, left, ends[i], ends[i + 1], lengths[i], all);
            out.seconds = seconds;
            return out;
        }
        left -= all;
        out.length += lengths[i];
        out.peak = std::max(out.peak, ends[i + 1]);
    }
    out.length = piece.length;
    out.speed = ends[3];
    out.seconds = seconds - left * piece.slowdown;
    out.done = true;
    return out;
}

double least_seconds_beyond(double length, double from, double to, double speed_max,
                            const SpeedLimits& limits) {
    const double end = to < 0.0 ? from : to;
    // So much is needed to come from one speed to the other; a shorter way is no quicker.
    const double needed = to < 0.0 ? 0.0
                                   : std::max((end - from) * (end + from) / (2.0 * limits.accel_max),
                                              (from - end) * (end + from) / (2.0 * limits.brake_max));
    const double way = std::max(length, needed);
    if (to < 0.0) {
        const double reached = std::sqrt(from * from + 2.0 * limits.accel_max * way);
        if (reached <= speed_max) return 2.0 * way / std::max(from + reached, 1e-300);
        const double up = (speed_max - from) * (speed_max + from) / (2.0 * limits.accel_max);
        return (speed_max - from) / limits.accel_max + (way - up) / speed_max;
    }
    const SpeedPiece piece{.length = way, .cap = speed_max * speed_max};
    return motion_of(piece, from * from, end * end, limits).seconds;
}

}  // namespace fairlead::route
