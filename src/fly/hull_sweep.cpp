// See hull_sweep.h.
#include "fly/hull_sweep.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "volume/sight/each_solid.h"

namespace fairlead::fly {

namespace {

constexpr double kPartTurn = kHalfPi;
constexpr double kPartReaches = 2.0;  // of the body
constexpr double kPartsMost = 1e7;

// A part of a way, from one share of it to another.
RisingSegment between(const RisingSegment& way, double from, double to) {
    RisingSegment part = way;
    const double gone = from * way.amount, half = 0.5 * way.curvature * gone;
    const double chord = way.curvature == 0.0 ? gone : 2.0 * math::sin(half) / way.curvature;
    const Vec2 along = math::direction(way.heading + half) * chord;
    part.start = way.start + Vec3{along.x, along.y, from * way.rise};
    part.heading = way.heading + way.curvature * gone;
    part.amount = (to - from) * way.amount;
    part.rise = (to - from) * way.rise;
    return part;
}

}  // namespace

HullSweep::HullSweep(const volume::StateData& state, const Agent& agent, const volume::BlockerTree* blockers)
    : state_(&state),
      blockers_(blockers),
      body_(body_core(agent)),
      half_(core_half_height(agent)),
      reach_(circumscribed_radius(agent)),
      give_(volume::Body(state, 0.0).give) {}

bool HullSweep::is_clear(const RisingSegment& way) const {
    // It holds its axle: what is larger than the world fits nowhere, and its numbers may be none.
    const double across = length(Vec2{state_->size.x * state_->scale.x, state_->size.y * state_->scale.y});
    if (!(reach_ <= 2.0 * across && half_ <= state_->size.z * state_->scale.z)) return false;
    const double side = std::min({state_->scale.x, state_->scale.y, state_->scale.z});
    const double ground = std::fabs(way.amount);
    const double step = kPartReaches * std::max(reach_, side);
    const double turn = std::fabs(way.curvature) * ground;
    const double count = std::max({1.0, std::ceil(ground / step), std::ceil(turn / kPartTurn)});
    if (!(count <= kPartsMost)) return false;
    for (double i = 0.0; i < count; i += 1.0) {
        Part part{between(way, i / count, (i + 1.0) / count), {}, 0.0};
        part.end = between(part.way, 1.0, 1.0).start;
        part.near = reach_ + std::fabs(part.way.amount);
        if (!is_part_clear(part)) return false;
    }
    return true;
}

bool HullSweep::meets(const Part& part, const Solid& solid) const {
    // While its middle is as high as the solid is; inside by more than `give_`.
    const double low = solid.low + give_ - part.way.start.z, high = solid.high - give_ - part.way.start.z;
    double from = 0.0, to = 1.0;
    if (part.way.rise == 0.0) {
        if (!(low < 0.0 && high > 0.0)) return false;
    } else {
        const double one = low / part.way.rise, other = high / part.way.rise;
        from = std::max(from, std::min(one, other));
        to = std::min(to, std::max(one, other));
        if (!(from < to)) return false;
    }
    // About the part's start, so that numbers are small.
    const RisingSegment way = from > 0.0 || to < 1.0 ? between(part.way, from, to) : part.way;
    const Vec2 shift = ground(part.way.start);
    const drive::SweptSegment swept{.start = ground(way.start) - shift,
                                    .ahead = math::direction(way.heading),
                                    .amount = way.amount,
                                    .curvature = way.curvature};
    BodyCore body = body_;
    body.radius += solid.round;
    return drive::sweep_overlaps_box(body, swept, {solid.ground.low - shift, solid.ground.high - shift},
                                     give_);
}

// The outside of the bounds as four walls, as thick as the body reaches, and as high as all there is.
bool HullSweep::keeps_in_bounds(const Part& part) const {
    const volume::StateData& state = *state_;
    const Vec3 extent{state.size.x * state.scale.x, state.size.y * state.scale.y,
                      state.size.z * state.scale.z};
    const double least = std::min(part.way.start.z, part.end.z),
                 most = std::max(part.way.start.z, part.end.z);
    if (!(least >= half_ - give_ && most <= extent.z - half_ + give_)) return false;
    const Vec2 at = ground(part.way.start);
    const double far = 2.0 * part.near + 1.0;
    const auto outside = [&](Vec2 low, Vec2 high) {
        return meets(part, {{low, high}, least - 1.0 - give_ * 4.0, most + 1.0 + give_ * 4.0, 0.0});
    };
    const Vec2 low{at.x - far, at.y - far}, high{at.x + far, at.y + far};
    if (!(at.x >= 0.0 && at.y >= 0.0 && at.x <= extent.x && at.y <= extent.y)) return false;
    if (at.x - part.near < 0.0 && outside(low, {0.0, high.y})) return false;
    if (at.y - part.near < 0.0 && outside(low, {high.x, 0.0})) return false;
    if (at.x + part.near > extent.x && outside({extent.x, low.y}, high)) return false;
    return !(at.y + part.near > extent.y && outside({low.x, extent.y}, high));
}

bool HullSweep::is_part_clear(const Part& part) const {
    if (!keeps_in_bounds(part)) return false;
    const volume::StateData& state = *state_;
    const Vec3 s = state.scale, at = part.way.start;
    const double low[3] = {at.x - part.near, at.y - part.near, std::min(at.z, part.end.z) - half_};
    const double high[3] = {at.x + part.near, at.y + part.near, std::max(at.z, part.end.z) + half_};
    const double side[3] = {s.x, s.y, s.z};
    const std::int32_t size[3] = {state.size.x, state.size.y, state.size.z};
    volume::VoxelRange range;
    for (int k = 0; k < 3; ++k) range.cover(k, low[k] / side[k], high[k] / side[k], size[k]);
    // From the middle of the way nothing of the body is farther off than this.
    const Vec2 middle = ground(at + part.end) * 0.5;
    const double far = reach_ + 0.5 * std::fabs(part.way.amount) + 0.5 * length(Vec2{s.x, s.y});
    const bool blocked = volume::each_solid(state, range, volume::EveryBrick{}, [&](Voxel v) {
        const Vec2 off = Vec2{(v.x + 0.5) * s.x, (v.y + 0.5) * s.y} - middle;
        if (dot(off, off) > far * far) return false;
        return meets(part, {{{v.x * s.x, v.y * s.y}, {(v.x + 1) * s.x, (v.y + 1) * s.y}},
                            v.z * s.z - half_,
                            (v.z + 1) * s.z + half_,
                            0.0});
    });
    if (blocked) return false;
    if (blockers_ == nullptr) return true;
    const math::SpaceBox box{{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return !blockers_->around(box, give_, [&](const volume::Obstacle& o, std::uint32_t) {
        // Of a blocker as large as numbers what is near will do.
        const double reach = 2.0 * part.near + o.radius + 1.0;
        const Vec2 least{std::max(o.box.low[0], at.x - reach), std::max(o.box.low[1], at.y - reach)};
        const Vec2 most{std::min(o.box.high[0], at.x + reach), std::min(o.box.high[1], at.y + reach)};
        if (!(least.x <= most.x && least.y <= most.y)) return false;
        return meets(part, {{least, most}, o.box.low[2] - o.radius, o.box.high[2] + o.radius, o.radius});
    });
}

}  // namespace fairlead::fly
