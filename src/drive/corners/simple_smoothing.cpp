// The article's simple smoothing, with the test that its directional part gives it: may the unit drive from one pose to another by
// the shortest curve, in the headings that it has there? The poses are those between the legs. From an anchor the next pose but one is
// tried; if a curve leads there, the pose between is dropped, else it becomes the anchor. The article asks only that the curve
// is free; one that is longer than what it replaces (round in a circle, say, to face the right way) is not taken here either. Legs in
// reverse stay as they are.

#include "drive/corners/simple_smoothing.h"

#include <fairlead/curve/dubins.h>

namespace fairlead::drive {

namespace {

Pose pose_of(const Leg& leg) { return {ground(leg.start.position), leg.start.heading_rad}; }

bool may_drop(const Leg& leg) { return leg.kind == LegKind::drive && leg.gear == Gear::forward; }

}  // namespace

bool smooth_simply(const LegCheck& check, double radius, std::span<const Leg> legs, const Pose& end,
                   Array<Leg>& out) {
    out.clear();
    for (std::size_t anchor = 0; anchor < legs.size();) {
        const Pose from = pose_of(legs[anchor]);
        double length = legs[anchor].length;
        std::size_t next = anchor + 1;  // the pose that the way from the anchor leads to
        CurveWord way;
        for (; next < legs.size() && may_drop(legs[anchor]) && may_drop(legs[next]); ++next) {
            const Pose to = next + 1 < legs.size() ? pose_of(legs[next + 1]) : end;
            const CurveWord word = shortest_dubins(from, to, radius);
            if (word.length * radius > length + legs[next].length) break;
            if (!check.word_is_free(from, radius, word)) break;
            way = word;
            length = word.length * radius;
        }
        Pose reached;
        const bool good = next == anchor + 1
                              ? out.push_back(legs[anchor])
                              : append_legs(way, from, radius, legs[anchor].start.layer, out, reached);
        if (!good) return false;
        anchor = next;
    }
    return true;
}

}  // namespace fairlead::drive
