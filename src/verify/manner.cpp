#include "verify/manner.h"

#include <cmath>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "verify/numbers.h"
#include "verify/scale.h"

namespace fairlead::witness {

namespace {

constexpr double kCurvatureSlack = 1e-9;  // relative

/// The leg's change of heading.
double bend(const Leg& leg) {
    switch (leg.kind) {
        case LegKind::drive: return leg.curvature * leg.length;
        case LegKind::turn: return leg.turn_rad;
        case LegKind::link: break;
    }
    return 0.0;
}

/// 0 where the slack or the rounding of numbers of this size explain an angle.
double beyond_slack(double angle, double size) {
    const double off = std::fabs(math::wrap_pi(angle));
    return off <= kHeadingSlack + 8.0 * kRound * size ? 0.0 : off;
}

/// How much smaller than the unit's turning circle that of the leg is.
double too_tight(const Leg& leg, double radius) {
    const double curvature = std::fabs(leg.curvature);
    return curvature * radius > 1.0 + kCurvatureSlack ? radius - 1.0 / curvature : 0.0;
}

/// How far the leg's headings are from a facing. A curve passes through others between two of them.
double off_facing(const Leg& leg, std::int32_t facings) {
    const double part = kTwoPi / static_cast<double>(facings);
    const double heading = math::wrap_pi(leg.start.heading_rad);
    const double off = heading - part * std::floor(heading / part + 0.5);
    const double start = beyond_slack(off, std::fabs(leg.start.heading_rad));
    const double swing = std::fabs(bend(leg));
    return larger(start, swing > kHeadingSlack ? smaller(swing, 0.5 * part) : 0.0);
}

Manner on_circle(const Leg& leg, const Agent& agent) {
    if (leg.kind == LegKind::turn) return agent.can_pivot ? Manner{} : Manner{ViolationKind::turn, 0.0};
    if (leg.gear == Gear::reverse && !agent.can_reverse) return {ViolationKind::gear, 0.0};
    const double tight = too_tight(leg, agent.turning_radius);
    return tight > 0.0 ? Manner{ViolationKind::curvature, tight} : Manner{};
}

}  // namespace

Manner manner_of(const Leg& leg, const Agent& agent, std::int32_t facings) {
    if (leg.kind == LegKind::link) return {};
    if (agent.turning_radius > 0.0) {
        const Manner bad = on_circle(leg, agent);
        if (bad.kind != ViolationKind::none) return bad;
    }
    if (facings == 0 || leg.kind != LegKind::drive) return {};
    const double off = off_facing(leg, facings);
    return off > 0.0 ? Manner{ViolationKind::facing, off} : Manner{};
}

bool keeps_heading(const Agent& agent) {
    const bool looks_alike = agent.footprint > 0 || agent.shape == BodyShape::disc;
    return agent.turning_radius > 0.0 || !looks_alike;
}

double heading_jump(const Leg& leg, const Place& next) {
    if (leg.kind == LegKind::link) return 0.0;  // a link says nothing about headings
    const double turned = bend(leg);
    const double size =
        larger(larger(std::fabs(leg.start.heading_rad), std::fabs(turned)), std::fabs(next.heading_rad));
    return beyond_slack(next.heading_rad - leg.start.heading_rad - turned, size);
}

}  // namespace fairlead::witness
