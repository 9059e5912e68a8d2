// Lines and arcs in parts of at most a quarter of a circle.
#pragma once

#include <cmath>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "drive/body/sweep.h"

namespace fairlead::bridge {

[[nodiscard]] inline Vec2 turned_by(Vec2 v, math::SinCos turn) {
    return {v.x * turn.cos - v.y * turn.sin, v.x * turn.sin + v.y * turn.cos};
}

/// Calls visit(part) for pieces of at most a quarter of a circle, until it returns false.
template <class Visit>
bool each_quarter(const drive::SweptSegment& piece, const Visit& visit) {
    const double turn = std::abs(piece.amount * piece.curvature);
    if (turn <= kHalfPi + 1e-9) return visit(piece);
    const int parts = static_cast<int>(turn / kHalfPi) + 1;
    const double radius = 1.0 / piece.curvature;
    const Vec2 first_out = Vec2{piece.ahead.y, -piece.ahead.x} * radius;
    const Vec2 centre = piece.start - first_out;
    for (int i = 0; i < parts; ++i) {
        const math::SinCos by = math::sin_cos(piece.amount * piece.curvature * i / parts);
        drive::SweptSegment part = piece;
        part.start = i == 0 ? piece.start : centre + turned_by(first_out, by);
        part.ahead = turned_by(piece.ahead, by);
        part.amount = piece.amount / parts;
        if (!visit(part)) return false;
    }
    return true;
}

}  // namespace fairlead::bridge
