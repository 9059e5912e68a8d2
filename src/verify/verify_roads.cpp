#include <fairlead/verify/verify_roads.h>

#include <cmath>

#include "verify/road_walk.h"

namespace fairlead {

namespace {

using witness::RoadLeg;
using witness::RoadState;
using witness::RoadWalk;

constexpr double kFar = 1e6;  // cells, and radians

bool is_far(const RoadLeg& leg) {
    const double size = std::fabs(leg.start().x) + std::fabs(leg.start().y) + leg.length();
    const double turn = std::fabs(leg.angle(0.0)) + std::fabs(leg.curvature()) * leg.length();
    return !(size <= kFar) || !(turn <= kFar);
}

// What forbids a judgement of a leg.
ViolationKind unfit(const Leg& leg, Vec2 origin, double cell_size) {
    const double numbers[] = {leg.start.position.x, leg.start.position.y, leg.start.heading_rad, leg.length,
                              leg.curvature};
    for (const double number : numbers) {
        if (!std::isfinite(number)) return ViolationKind::not_finite;
    }
    if (leg.length < 0.0) return ViolationKind::bad_number;
    return is_far(RoadLeg(leg, origin, cell_size)) ? ViolationKind::too_far : ViolationKind::none;
}

Violation violation_at(ViolationKind kind, std::size_t leg, double distance, const Place& place,
                       double depth) {
    Violation bad;
    bad.kind = kind;
    bad.leg = static_cast<std::int64_t>(leg);
    bad.distance = distance;
    bad.place = place;
    bad.depth = depth;
    return bad;
}

bool good_frame(Vec2 origin, double cell_size) {
    return std::isfinite(origin.x) && std::isfinite(origin.y) && std::isfinite(cell_size) && cell_size > 0.0;
}

// The first stretch of a leg that is as asked, and how far it goes on.
Violation judge_leg(const Leg& leg, std::size_t index, const RoadLayer& roads,
                    const RoadVerifyOptions& options) {
    RoadState found = RoadState::good;
    double begin = 0.0;
    double end = 0.0;
    const RoadLeg path(leg, options.origin, options.cell_size);
    const RoadWalk walk(roads, options.off_road, options.against);
    (void)walk.any_stretch(path, [&](double from, double to, RoadState state) {
        if (found != RoadState::good) {
            if (state != found) return true;
            end = to;
            return false;
        }
        if (state == RoadState::good) return false;
        found = state;
        begin = from;
        end = to;
        return false;
    });
    if (found == RoadState::good) return {};
    const ViolationKind kind =
        found == RoadState::off_road ? ViolationKind::off_road : ViolationKind::against_lane;
    const double size = options.cell_size;
    return violation_at(kind, index, begin * size, place_on_leg(leg, begin * size), (end - begin) * size);
}

}  // namespace

Violation verify_roads(const Route& route, const RoadLayer& roads, const RoadVerifyOptions& options) {
    Violation whole;
    if (!good_frame(options.origin, options.cell_size)) {
        whole.kind = ViolationKind::bad_argument;
        return whole;
    }
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        if (leg.kind != LegKind::drive) continue;
        const ViolationKind kind = unfit(leg, options.origin, options.cell_size);
        if (kind != ViolationKind::none) return violation_at(kind, i, 0.0, leg.start, 0.0);
        const Violation bad = judge_leg(leg, i, roads, options);
        if (bad) return bad;
    }
    return {};
}

RoadUse measure_roads(const Route& route, const RoadLayer& roads, Vec2 origin, double cell_size) {
    RoadUse use;
    if (!good_frame(origin, cell_size)) return use;
    for (const Leg& leg : route.legs) {
        if (leg.kind != LegKind::drive) continue;
        if (unfit(leg, origin, cell_size) != ViolationKind::none) return {};
        use.length += leg.length;
        const RoadLeg path(leg, origin, cell_size);
        (void)RoadWalk(roads).any_stretch(path, [&](double from, double to, RoadState state) {
            if (state == RoadState::off_road) use.off_road += (to - from) * cell_size;
            if (state == RoadState::against) use.against += (to - from) * cell_size;
            return false;
        });
    }
    return use;
}

}  // namespace fairlead
