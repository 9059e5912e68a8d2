// Where a unit is on a course: distance by the profile, place by the curve, gear by the segment that is under way.
#include "convoy/course.h"

#include <cmath>

namespace fairlead::convoy {

namespace {

Gear gear_on(const CurveWord& word, double radii, Gear none) {
    Gear gear = none;
    double gone = 0.0;
    for (const CurveSegment& segment : word.used()) {
        if (segment.amount == 0.0) continue;
        if (gone > 0.0 && gone >= radii) break;
        gear = segment.amount < 0.0 ? Gear::reverse : Gear::forward;
        gone += std::abs(segment.amount);
    }
    return gear;
}

}  // namespace

Moving moving_at(const Plan& plan, const Course& course, double radius, double time) {
    Moving out;
    out.gear = course.last.gear;
    if (course.stands() || time >= course.end) {
        out.pose = course.last.at;
        if (time >= course.end) return out;
        out.pose = course.from;
        return out;
    }
    const std::span<const SpeedKnot> knots = plan.knots_of(course);
    const double since = time > course.start ? time - course.start : 0.0;
    const double gone = distance_at(knots, since);
    out.pose = pose_on_curve(course.from, radius, course.word, gone);
    out.speed = speed_at(knots, since);
    out.gear = gear_on(course.word, gone / radius, out.gear);
    return out;
}

}  // namespace fairlead::convoy
