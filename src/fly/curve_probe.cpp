// See curve_probe.h. Positions inside are world units from the volume's low corner.
#include "fly/curve_probe.h"

#include <algorithm>
#include <cmath>

#include <fairlead/fly/curve_sight.h>
#include <fairlead/math/trig.h>
#include <fairlead/volume/sight.h>

#include "fly/check_flier.h"
#include "volume/sight/each_solid.h"

namespace fairlead::fly {

namespace {

constexpr double kPieceTurn = 0.5 * kHalfPi;  // radians
constexpr double kPieceSides = 2.5;           // voxels
constexpr double kPiecesMost = 1e7;

Vec3 scaled(Vec3 p, Vec3 by) { return {p.x * by.x, p.y * by.y, p.z * by.z}; }

}  // namespace

CurveProbe::CurveProbe(const StateData& state, const Agent& agent, const volume::BlockerTree* blockers)
    : state_(&state), is_hull_(agent.shape == BodyShape::box) {
    if (is_hull_) {
        hull_ = HullSweep(state, agent, blockers);
        return;
    }
    body_ = Body(state, agent);
    body_.blockers = blockers;
    const double side = std::min({state.scale.x, state.scale.y, state.scale.z});
    firm_ = std::max(agent.radius - 0.5 * state.slack * side, 0.0);
    least_ = std::sqrt(body_.limit);
    finest_ = kCurveGap * side;
    piece_ = kPieceSides * side;
    half_side_ = 0.5 * side;
    half_diagonal_ = 0.5 * length(state.scale);
}

Vec3 CurveProbe::Arc::at(double share) const {
    const double half = 0.5 * curvature * length * share;
    const double chord = 2.0 * math::sin(half) / curvature;
    const Vec2 along = math::direction(heading + half) * chord;
    return start + Vec3{along.x, along.y, rise * share};
}

bool CurveProbe::stands(const Place& at) const {
    if (!is_hull_) return volume::stands(*state_, body_, state_->in_voxels(at.position));
    return hull_.is_clear({at.position - state_->origin, at.heading_rad, 0.0, 0.0, 0.0});
}

bool CurveProbe::is_line_free(Vec3 from, Vec3 to, double heading) const {
    if (is_hull_) {
        const Vec3 way = to - from;
        const double along = dot(ground(way), math::direction(heading));
        return hull_.is_clear({from - state_->origin, heading, along, 0.0, way.z});
    }
    const Vec3 a = state_->in_voxels(from), b = state_->in_voxels(to);
    return volume::inside(*state_, body_, a) && volume::inside(*state_, body_, b) &&
           volume::sees(*state_, body_, a, b);
}

bool CurveProbe::is_arc_free(Vec3 at, double heading, double length, double curvature, double rise) const {
    if (is_hull_) return hull_.is_clear({at - state_->origin, heading, length, curvature, rise});
    const Arc arc{at - state_->origin, heading, length, curvature, rise};
    const double bend = std::fabs(curvature);
    const double pieces = std::max(1.0, std::ceil(length / std::min(piece_, kPieceTurn / bend)));
    if (!(pieces <= kPiecesMost)) return false;
    Vec3 last = arc.start;
    for (double i = 1.0; i <= pieces; i += 1.0) {
        const Vec3 next = arc.at(i / pieces);
        if (!settle(arc, (i - 1.0) / pieces, i / pieces, last, next)) return false;
        last = next;
    }
    return true;
}

/// Depth of the recursion: each cut leaves a quarter of the bulge.
bool CurveProbe::settle(const Arc& arc, double from, double to, Vec3 a, Vec3 b) const {
    const double l = (to - from) * arc.length;
    const double bulge = std::fabs(arc.curvature) * l * l / 8.0;
    Gap gap = look(a, b, bulge);
    if (gap != Gap::blocked && body_.blockers != nullptr) {
        const Gap others = look_at_blockers(a, b, bulge);
        if (others != Gap::free) gap = others;
    }
    if (gap != Gap::near) return gap == Gap::free;
    if (bulge <= finest_) return false;
    const double middle = 0.5 * (from + to);
    const Vec3 between = arc.at(middle);
    return settle(arc, from, middle, a, between) && settle(arc, middle, to, between, b);
}

CurveProbe::Gap CurveProbe::look(Vec3 a, Vec3 b, double bulge) const {
    const StateData& state = *state_;
    const Vec3 s = state.scale;
    const double keep = std::max(firm_ + bulge, least_);
    const double a_k[3] = {a.x, a.y, a.z}, b_k[3] = {b.x, b.y, b.z}, s_k[3] = {s.x, s.y, s.z};
    const std::int32_t size[3] = {state.size.x, state.size.y, state.size.z};
    volume::VoxelRange range;
    bool out = false;
    for (int k = 0; k < 3; ++k) {
        const double least = std::min(a_k[k], b_k[k]), most = std::max(a_k[k], b_k[k]);
        const double half = k == 2 ? body_.half : 0.0, inside = firm_ + half;
        const double low = least - keep - half, high = most + keep + half;
        const double extent = size[k] * s_k[k];
        // The ends lie on the curve; upward it has no bulge.
        if (!(least >= inside && most <= extent - inside)) return Gap::blocked;
        out = out || (k < 2 && (least < firm_ + bulge || most > extent - firm_ - bulge));
        range.cover(k, low / s_k[k], high / s_k[k], size[k]);
    }
    if (out) return Gap::near;
    const double lower = std::max(firm_ - bulge, 0.0);
    const double enough = keep * keep, little = lower * lower;
    const double inner = lower + half_side_, outer = keep + half_diagonal_ + body_.half;
    const double hit = inner * inner * (1.0 - 1e-6), miss = outer * outer * (1.0 + 1e-6);
    const Vec3 along = b - a;
    const double squared = dot(along, along);
    bool near = false;
    const bool blocked = volume::each_solid(state, range, volume::EveryBrick{}, [&](Voxel v) {
        const Vec3 to = scaled({v.x + 0.5, v.y + 0.5, v.z + 0.5}, s) - a;
        const double share = squared > 0.0 ? std::clamp(dot(to, along) / squared, 0.0, 1.0) : 0.0;
        const Vec3 off = to - along * share;
        const double away = dot(off, off);
        if (away >= miss) return false;
        if (lower > 0.0 && away < hit) return true;
        const volume::Box box = volume::taller_box(s, v, body_.half);
        const double gap = volume::nearest_on_segment(a, b, box).squared;
        near = near || gap < enough;
        return gap < little;
    });
    if (blocked) return Gap::blocked;
    return near ? Gap::near : Gap::free;
}

CurveProbe::Gap CurveProbe::look_at_blockers(Vec3 a, Vec3 b, double bulge) const {
    const double wide = body_.margin + bulge;
    bool near = false;
    const bool blocked = body_.blockers->along(a, b, wide, [&](const volume::Obstacle& o, std::uint32_t) {
        const double squared = volume::nearest_on_segment(a, b, o.box).squared;
        near = near || squared < o.limit(wide);
        const double inner = o.radius + body_.margin - bulge;
        return inner > 0.0 && squared < inner * inner;
    });
    if (blocked) return Gap::blocked;
    return near ? Gap::near : Gap::free;
}

bool CurveProbe::is_free(const Leg& leg) const {
    if (leg.kind != LegKind::drive) return false;
    if (leg.curvature != 0.0)
        return is_arc_free(leg.start.position, leg.start.heading_rad, leg.length, leg.curvature, leg.rise);
    const Vec2 along = math::direction(leg.start.heading_rad) * leg.length;
    return is_line_free(leg.start.position, leg.start.position + Vec3{along.x, along.y, leg.rise},
                        leg.start.heading_rad);
}

}  // namespace fairlead::fly

namespace fairlead {

namespace {

bool is_sane(const VolumeState& volume, const Leg& leg, const Agent& agent) {
    const volume::StateData& state = volume.data();
    return fly::check_flying_body(state, agent) && is_finite(leg.start.position) &&
           std::isfinite(leg.start.heading_rad) && std::isfinite(leg.length) && std::isfinite(leg.rise) &&
           std::isfinite(leg.curvature) && state.holds(state.in_voxels(leg.start.position));
}

}  // namespace

bool curve_in_sight(const VolumeState& volume, const Place& from, const Place& to, const AirplaneCurve& curve,
                    double radius) {
    return curve_in_sight(volume, from, to, curve, Agent{.radius = radius});
}

bool leg_in_sight(const VolumeState& volume, const Leg& leg, double radius) {
    return leg_in_sight(volume, leg, Agent{.radius = radius});
}

bool curve_in_sight(const VolumeState& volume, const Place& from, const Place& to, const AirplaneCurve& curve,
                    const Agent& agent) {
    Leg legs[kAirplaneLegs];
    Place end;
    const int count = legs_of(curve, from, to.position.z, legs, end);
    if (count == 0) {
        Leg stands;
        stands.start = from;
        return leg_in_sight(volume, stands, agent);
    }
    bool free = true;
    for (int i = 0; i < count && free; ++i) free = leg_in_sight(volume, legs[i], agent);
    return free;
}

bool leg_in_sight(const VolumeState& volume, const Leg& leg, const Agent& agent) {
    return is_sane(volume, leg, agent) && leg.gear == Gear::forward &&
           fly::CurveProbe(volume.data(), agent).is_free(leg);
}

}  // namespace fairlead
