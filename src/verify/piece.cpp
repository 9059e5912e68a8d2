#include "verify/piece.h"

#include <cmath>
#include <limits>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "verify/scale.h"

namespace fairlead::witness {

namespace {

constexpr double kStepMin = 32.0;  // cells: long enough to share the work, short enough to stop soon
constexpr double kBulgeMin = 0.5;  // cells

Vec2 rotated(Vec2 v, double angle) {
    const math::SinCos sc = math::sin_cos(angle);
    return {v.x * sc.cos - v.y * sc.sin, v.x * sc.sin + v.y * sc.cos};
}

Vec2 along_at(const Track& track, double distance) {
    if (track.curvature == 0.0) return track.along;
    return rotated(track.along, track.curvature * distance);
}

}  // namespace

Vec2 point_at(const Track& track, double distance) {
    if (track.curvature == 0.0) return track.start + track.along * distance;
    // The chord leaves at half the angle of the arc; no difference of nearly equal numbers is taken.
    const double half = 0.5 * (track.curvature * distance);
    const math::SinCos sc = math::sin_cos(half);
    const double chord = 2.0 * sc.sin / track.curvature;
    const Vec2 towards{track.along.x * sc.cos - track.along.y * sc.sin,
                       track.along.x * sc.sin + track.along.y * sc.cos};
    return track.start + towards * chord;
}

Piece piece_between(const Track& track, double from, double to) {
    // Its middle says which way a piece runs. Its ends may be exactly at a turning point, where rounding
    // decides; what they then stick out by is far below the error bound, and is cut off here.
    const Vec2 middle = along_at(track, 0.5 * (from + to));
    Piece piece;
    piece.flip = {middle.x < 0.0 ? -1.0 : 1.0, middle.y < 0.0 ? -1.0 : 1.0};
    piece.a = mirrored(point_at(track, from), piece.flip);
    piece.b = mirrored(point_at(track, to), piece.flip);
    piece.b = {larger(piece.a.x, piece.b.x), larger(piece.a.y, piece.b.y)};
    piece.along_a = mirrored(along_at(track, from), piece.flip);
    piece.along_b = mirrored(along_at(track, to), piece.flip);
    piece.curvature = track.curvature * piece.flip.x * piece.flip.y;
    piece.from = from;
    piece.to = to;
    // An arc of length l and curvature k stays within k l^2 / 8 of its chord.
    piece.bulge = std::fabs(track.curvature) * (to - from) * (to - from) / 8.0;
    return piece;
}

Cuts::Cuts(const Track& track, double reach) : track_(track), step_(larger(kStepMin, reach)) {
    const double bend = std::fabs(track.curvature);
    if (bend == 0.0) return;
    step_ = smaller(step_, std::sqrt(8.0 * larger(kBulgeMin, 0.5 * reach) / bend));
    const double heading = math::atan2(track.along.y, track.along.x) / kHalfPi;
    heading_quarters_ = track.curvature > 0.0 ? heading : -heading;
    quarter_ = std::floor(heading_quarters_) + 1.0;
}

double Cuts::next_turn() {
    if (track_.curvature == 0.0) return std::numeric_limits<double>::infinity();
    const double bend = std::fabs(track_.curvature);
    for (;; quarter_ += 1.0) {
        const double distance = (quarter_ - heading_quarters_) * kHalfPi / bend;
        if (distance > at_) return distance;
    }
}

bool Cuts::next(Piece& piece) {
    if (done_) return false;
    const double to = smaller(smaller(track_.length, at_ + step_), next_turn());
    piece = piece_between(track_, at_, to);
    done_ = to >= track_.length;
    at_ = to;
    return true;
}

}  // namespace fairlead::witness
