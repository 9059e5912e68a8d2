// A curve cut into pieces that lie in one cell and travel in one facing (road_facings.h): what road rules are applied to.
//
// Cut at the borders of cells and where an arc's direction is a multiple of 45 degrees. A piece that lies within kOnBorder of a
// border of its cell counts as in the cell on the other side as well. Pieces shorter than kSliver are left out: they are the
// rounding of a crossing.
#pragma once

#include <cmath>
#include <cstdint>

#include <fairlead/math/trig.h>

#include "drive/cost/cells_along.h"
#include "drive/cost/road_facings.h"

namespace fairlead::drive {

struct RoadPiece {
    double length = 0.0;
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t over_x = 0;  ///< from there to the cell on the other side; 0, 0: the piece lies inside
    std::int32_t over_y = 0;
    std::int32_t facing = 0;
};

inline constexpr double kOnBorder = 1e-7;  // cells
inline constexpr double kSliver =
    1e-9;  // cells, and radians within which a line travels in a multiple of 45 degrees

/// Angle to facing.
[[nodiscard]] inline std::int32_t facing_of(double angle_rad) {
    const double eighths = math::wrap_two_pi(angle_rad) * (4.0 / kPi);
    const double nearest = std::floor(eighths + 0.5);
    if (std::abs(eighths - nearest) <= kSliver) return static_cast<std::int32_t>(nearest) % 8 * 2;
    return static_cast<std::int32_t>(eighths) % 8 * 2 + 1;
}

/// -1, 0 or 1: the side on which all three lie within kOnBorder of a border of the cell from `low` to low + 1.
[[nodiscard]] inline std::int32_t border_side(double low, double a, double b, double c) {
    const auto near = [&](double at) {
        return std::abs(a - at) <= kOnBorder && std::abs(b - at) <= kOnBorder &&
               std::abs(c - at) <= kOnBorder;
    };
    return near(low) ? -1 : near(low + 1.0) ? 1 : 0;
}

/// Calls visit(piece) along one segment, in order.
template <class Visit>
void for_road_pieces(const SweptSegment& segment, const Visit& visit) {
    const SegmentPlaces places(segment);
    const double length = std::abs(segment.amount);
    const Vec2 travel = segment.amount < 0.0 ? segment.ahead * -1.0 : segment.ahead;
    const double first = math::atan2(travel.y, travel.x);
    const double sweep = segment.amount * segment.curvature;
    for_parts_along(segment, true, [&](double from, double to, Vec2 middle) {
        RoadPiece piece;
        piece.length = (to - from) * length;
        if (piece.length < kSliver) return;
        const Vec2 low{std::floor(middle.x), std::floor(middle.y)};
        piece.x = static_cast<std::int32_t>(low.x);
        piece.y = static_cast<std::int32_t>(low.y);
        piece.facing = facing_of(first + sweep * 0.5 * (from + to));
        const auto near = [](double at) { return at <= kOnBorder || at >= 1.0 - kOnBorder; };
        if (near(middle.x - low.x) || near(middle.y - low.y)) {
            const Vec2 a = places.at(from);
            const Vec2 b = places.at(to);
            piece.over_x = border_side(low.x, a.x, middle.x, b.x);
            if (piece.over_x == 0) piece.over_y = border_side(low.y, a.y, middle.y, b.y);
        }
        visit(piece);
    });
}

}  // namespace fairlead::drive
