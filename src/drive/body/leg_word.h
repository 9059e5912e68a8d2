// A leg of a route as a curve of one segment.
#pragma once

#include <cmath>

#include <fairlead/curve/word.h>
#include <fairlead/route/route.h>

namespace fairlead::drive {

/// In cells.
struct LegWord {
    CurveWord word{};
    double radius = 1.0;
};

/// `scale`: cells a unit of length. Of a drive or turn leg: lines and turns on the spot in a word of radius 1.
[[nodiscard]] inline LegWord leg_word(const Leg& leg, double scale) {
    LegWord out;
    out.word.count = 1;
    CurveSegment& segment = out.word.segments[0];
    if (leg.kind == LegKind::turn) {
        segment = {leg.turn_rad, Steer::spin};
    } else {
        segment = {leg.gear == Gear::reverse ? -leg.length * scale : leg.length * scale, Steer::straight};
        if (leg.curvature != 0.0) {
            // Curvature is to the left of the direction of travel, a word's steer to the left of where the unit faces.
            const bool left = (leg.curvature > 0.0) == (leg.gear == Gear::forward);
            out.radius = 1.0 / std::abs(leg.curvature) * scale;
            segment.amount /= out.radius;
            segment.steer = left ? Steer::left : Steer::right;
        }
    }
    out.word.length = out.word.cost = std::abs(segment.amount);
    return out;
}

}  // namespace fairlead::drive
