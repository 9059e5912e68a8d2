// Every leg again, with the exact swept test of the planner.
#include <fairlead/drive/revalidate.h>

#include <cmath>

#include "drive/body/leg_check.h"

namespace fairlead {

namespace {

bool leg_is_free(const drive::LegCheck& check, const Leg& leg) {
    const Pose start{ground(leg.start.position), leg.start.heading_rad};
    if (leg.kind == LegKind::turn) return check.turn_is_free(start, leg.turn_rad);
    if (leg.kind == LegKind::link) return false;
    if (leg.curvature == 0.0) return check.line_is_free(start, leg.length, leg.gear);
    CurveWord word;
    const double angle = leg.length * std::abs(leg.curvature);
    word.segments[0] = {leg.gear == Gear::reverse ? -angle : angle,
                        (leg.curvature > 0.0) == (leg.gear == Gear::forward) ? Steer::left : Steer::right};
    word.count = 1;
    word.length = word.cost = angle;
    return check.word_is_free(start, 1.0 / std::abs(leg.curvature), word);
}

}  // namespace

Result<Revalidation> revalidate(const DriveMapState& map, const Route& route) {
    if (!map.is_plain()) return Error{ErrorCode::unsupported, Field::floors};
    const drive::LegCheck check(map.data());
    Revalidation found;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        if (leg_is_free(check, route.legs[i])) continue;
        if (found.legal) found.first_bad = static_cast<std::int64_t>(i);
        found.last_bad = static_cast<std::int64_t>(i);
        found.legal = false;
    }
    if (route.legs.empty()) found.legal = check.stands({ground(route.end.position), route.end.heading_rad});
    return found;
}

}  // namespace fairlead
