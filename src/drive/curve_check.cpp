#include "drive/curve_check.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "drive/pieces.h"
#include "drive/swept_cells.h"

namespace fairlead::drive {

namespace {

// The box around where the axle is on a segment, grown by nothing.
Aabb axle_box(const SweptSegment& segment) {
    const Vec2 along = segment.ahead * segment.amount;
    if (segment.curvature == 0.0) {
        const Vec2 end = segment.start + along;
        return {{std::min(segment.start.x, end.x), std::min(segment.start.y, end.y)},
                {std::max(segment.start.x, end.x), std::max(segment.start.y, end.y)}};
    }
    const Vec2 left{-segment.ahead.y, segment.ahead.x};
    const Vec2 centre = segment.start + left * (1.0 / segment.curvature);
    const ArcPath arc(centre, segment.start, std::clamp(segment.amount * segment.curvature, -kTwoPi, kTwoPi));
    Aabb box{segment.start, segment.start};
    const auto grow = [&](Vec2 p) {
        box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
        box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
    };
    grow(arc.to());
    for (const Vec2 axis : {Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1}}) {
        if (arc.passes(axis)) grow(centre + axis * arc.radius());
    }
    return box;
}

bool piece_is_free(const GroundBits& free, const BodyCore& body, double reach, const SweptSegment& piece) {
    const Aabb box = axle_box(piece);
    const auto low_x = static_cast<std::int32_t>(std::floor(box.low.x - reach));
    const auto low_y = static_cast<std::int32_t>(std::floor(box.low.y - reach));
    const auto high_x = static_cast<std::int32_t>(std::floor(box.high.x + reach));
    const auto high_y = static_cast<std::int32_t>(std::floor(box.high.y + reach));
    const auto clear_of = [&](std::int32_t x, std::int32_t y) {
        const Aabb cell{{static_cast<double>(x), static_cast<double>(y)}, {x + 1.0, y + 1.0}};
        return !sweep_overlaps_box(body, piece, cell, kSweepSlack);
    };
    for (std::int32_t y = low_y; y <= high_y; ++y) {
        for (std::int32_t x = low_x; x <= high_x; ++x) {
            const bool outside = x < 0 || y < 0 || x >= free.width || y >= free.height;
            if ((outside || !free.free(x, y)) && !clear_of(x, y)) return false;
        }
    }
    return true;
}

}  // namespace

bool curve_is_free(const GroundBits& free, const BodyCore& body, const Pose& start, double radius,
                   const CurveWord& word) {
    const SweptPieces pieces = place_pieces(start, radius, word);
    const double reach = farthest_point(body);
    for (int i = 0; i < pieces.count; ++i) {
        if (!piece_is_free(free, body, reach, pieces.piece[i])) return false;
    }
    return true;
}

bool stands_free(const GroundBits& free, const BodyCore& body, const Pose& pose) {
    return curve_is_free(free, body, pose, 1.0, CurveWord{});
}

}  // namespace fairlead::drive
