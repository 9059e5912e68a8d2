#include "drive/body/leg_check.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "drive/body/curve_check.h"
#include "drive/body/leg_word.h"

namespace fairlead::drive {

namespace {

CurveWord one_segment(Steer steer, double amount) {
    CurveWord word;
    word.segments[0] = {amount, steer};
    word.count = 1;
    word.length = word.cost = std::abs(amount);
    return word;
}

Pose pose_of(const Place& place) { return {ground(place.position), place.heading_rad}; }

}  // namespace

LegCheck::LegCheck(const MapData& map, const BlockerSweep* blockers)
    : frame_(map), free_(map.free_cells()), body_(map.table().body()), blockers_(blockers) {}

bool LegCheck::is_free(const Pose& from, double radius, const CurveWord& word) const {
    return curve_is_free(free_, body_, from, radius, word) &&
           is_clear_of(blockers_, body_, from, radius, word);
}

bool LegCheck::body_turns() const {
    return body_.core.low != body_.core.high || body_.core.low != Vec2{0.0, 0.0};
}

bool LegCheck::line_is_free(const Pose& start, double length, Gear gear) const {
    const double amount = (gear == Gear::reverse ? -length : length) / frame_.size;
    return is_free(frame_.in_cells(start), 1.0, one_segment(Steer::straight, amount));
}

bool LegCheck::word_is_free(const Pose& start, double radius, const CurveWord& word) const {
    return is_free(frame_.in_cells(start), radius / frame_.size, word);
}

bool LegCheck::turn_is_free(const Pose& start, double turn_rad) const {
    return is_free(frame_.in_cells(start), 1.0, one_segment(Steer::spin, turn_rad));
}

bool LegCheck::leg_is_free(const Leg& leg) const {
    if (leg.kind == LegKind::link || !frame_.has_layer(leg.start.layer)) return false;
    const Pose from = frame_.in_cells(pose_of(leg.start), leg.start.layer);
    const LegWord driven = leg_word(leg, 1.0 / frame_.size);
    return is_free(from, driven.radius, driven.word);
}

bool LegCheck::stands(const Place& at) const {
    return frame_.has_layer(at.layer) && is_free(frame_.in_cells(pose_of(at), at.layer), 1.0, CurveWord{});
}

bool LegCheck::stands(const Pose& at) const { return is_free(frame_.in_cells(at), 1.0, CurveWord{}); }

bool LegCheck::on_map(Vec2 at) const {
    const Vec2 p = frame_.in_cells({at, 0.0}).position;
    return p.x >= 0.0 && p.y >= 0.0 && p.x <= free_.width && p.y <= free_.height;
}

double LegCheck::inner_radius() const {
    const Aabb& core = body_.core;
    const double inside = std::min({core.high.x, core.high.y, -core.low.x, -core.low.y});
    return inside >= 0.0 ? inside + body_.radius : 0.0;
}

bool LegCheck::inner_disc_stands(Vec2 at) const {
    BodyCore disc;
    disc.radius = inner_radius();
    return stands_free(free_, disc, frame_.in_cells({at, 0.0}));
}

}  // namespace fairlead::drive
