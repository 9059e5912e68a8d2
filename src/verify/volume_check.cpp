// Numbers first, then what the unit cannot do, what its body meets, where the leg leads, and what it claims.
#include "verify/volume_check.h"

#include <cmath>

#include <fairlead/math/trig.h>

#include "verify/leg_sweep.h"
#include "verify/manner.h"
#include "verify/numbers.h"

namespace fairlead::witness {

namespace {

constexpr std::int32_t kVolumeLayers = 1;

bool is_box(const Agent& agent) { return agent.shape == BodyShape::box; }

/// 0 for a box: it has a sweep of its own, and what it claims of clearance is said of its axle.
double upright_half(const Agent& agent) { return is_box(agent) ? 0.0 : core_half_height(agent); }

/// Sum of the legs' lengths in space.
double length_in_space(const Route& route) {
    double sum = 0.0;
    for (const Leg& leg : route.legs) sum += length(Vec2{leg.length, leg.rise});
    return sum;
}

}  // namespace

VolumeCheck::VolumeCheck(const Route& route, const VolumeState& volume, const Agent& agent,
                         const VolumeVerifyOptions& options)
    : route_(route),
      volume_(volume),
      agent_(agent),
      options_(options),
      frame_(make_frame(volume)),
      sweep_(volume, frame_, options.blockers.span(), upright_half(agent), options.bricks_max),
      hull_(volume, frame_, agent, options.blockers.span(), options.bricks_max),
      prices_(frame_, options.areas.span()) {}

bool VolumeCheck::arguments_judged() const {
    const bool body = agent_.footprint == 0 && (is_box(agent_) ? box_judged() : disc_judged());
    const bool turns = std::isfinite(agent_.turning_radius) && agent_.turning_radius >= 0.0;
    bool straight = true;
    for (const Leg& leg : route_.legs) straight = straight && leg.curvature == 0.0;
    const bool priced = options_.areas.empty() || (straight && prices_.are_good());
    return VolumeBlockers::are_good(frame_, options_.blockers.span()) && priced && body && turns;
}

/// A body that is thin against the slack is none: its middle alone would be judged.
bool VolumeCheck::box_judged() const {
    if (!(agent_.turning_radius > 0.0) || !check_body_in_space(agent_)) return false;
    const double thinnest = smaller(agent_.width, smaller(agent_.length, agent_.height));
    return thinnest > 32.0 * frame_.slack && agent_.height <= frame_.far && hull_.size() <= frame_.far;
}

bool VolumeCheck::disc_judged() const {
    if (agent_.shape != BodyShape::disc || !(agent_.radius >= 0.0 && agent_.radius <= frame_.far))
        return false;
    if (agent_.height == 0.0) return true;
    return agent_.height >= 2.0 * agent_.radius && agent_.height <= frame_.far &&
           agent_.radius > 16.0 * frame_.slack;
}

Violation VolumeCheck::run() {
    if (!arguments_judged()) return whole(ViolationKind::bad_argument);
    const ViolationKind numbers = route_numbers(route_);
    if (numbers != ViolationKind::none) return whole(numbers);
    if (options_.check_revision && route_.revision != volume_.revision())
        return whole(ViolationKind::revision);
    for (std::size_t i = 0; i < route_.legs.size(); ++i) {
        const Violation bad = check_leg(i);
        if (bad) return bad;
    }
    if (has_way(route_)) {
        const Violation bad = check_end();
        if (bad) return bad;
    }
    return check_sums();
}

double VolumeCheck::size_with(const VolumePath& path) const {
    const double body = is_box(agent_) ? hull_.size() : larger(agent_.radius, agent_.height);
    return larger(larger(frame_.size(), body), path.size());
}

/// A start that is outside needs no judge.
ViolationKind VolumeCheck::far_kind(const VolumePath& path) const {
    for (std::size_t k = 0; k < 3; ++k) {
        const double side = frame_.voxel[k];
        if (path.start[k] < -side || path.start[k] > frame_.extent[k] + side) return ViolationKind::off_world;
    }
    return ViolationKind::too_far;
}

VolumeHit VolumeCheck::sweep(const Leg& leg, const VolumePath& path, double size) {
    if (!is_box(agent_)) return sweep_.run(path, agent_.radius, size);
    return hull_.run(path, math::direction(leg.start.heading_rad), size);
}

Violation VolumeCheck::check_leg(std::size_t i) {
    const Leg& leg = route_.legs[i];
    const auto index = static_cast<std::int64_t>(i);
    const auto bad_leg = [&](ViolationKind kind, double depth) {
        return at_place(kind, index, 0.0, leg.start, depth);
    };
    const ViolationKind numbers = leg_numbers(leg, kVolumeLayers);
    if (numbers != ViolationKind::none) return bad_leg(numbers, 0.0);
    const Manner manner = manner_of(leg, agent_, 0);
    if (manner.kind != ViolationKind::none) return bad_leg(manner.kind, manner.depth);
    if (leg.kind == LegKind::link) {
        Violation bad = bad_leg(ViolationKind::link, 0.0);
        bad.index = static_cast<std::int64_t>(leg.link_id);
        return bad;
    }
    const VolumePath path = path_of(leg, frame_);
    const double size = size_with(path);
    if (!(size <= frame_.far)) return bad_leg(far_kind(path), 0.0);
    const VolumeHit hit = sweep(leg, path, size);
    if (hit.kind != ViolationKind::none) return from_hit(hit, i, leg, path);
    const Violation bad_end = check_leg_end(i, path, size);
    return bad_end ? bad_end : check_clearance(i, path, size);
}

Violation VolumeCheck::check_leg_end(std::size_t i, const VolumePath& path, double size) const {
    const Leg& leg = route_.legs[i];
    const Place& next = leg_end(route_, i);
    const auto index = static_cast<std::int64_t>(i);
    const ViolationKind numbers = place_numbers(next, kVolumeLayers);
    if (numbers != ViolationKind::none) {
        // The next leg is going to report its own start.
        const bool last = i + 1 == route_.legs.size();
        return last ? at_place(numbers, index, leg.length, next, 0.0) : Violation{};
    }
    const double gap = distance_of(frame_.from_world(next.position), path.at(1.0));
    if (!(gap <= frame_.threshold(size)) || (leg.kind == LegKind::turn && !turns_to(leg, next)))
        return at_place(ViolationKind::leg_end, index, leg.length, next, std::isfinite(gap) ? gap : 0.0);
    const double jump = keeps_heading(agent_) ? heading_jump(leg, next) : 0.0;
    return jump > 0.0 ? at_place(ViolationKind::heading, index, leg.length, next, jump) : Violation{};
}

Violation VolumeCheck::check_clearance(std::size_t i, const VolumePath& path, double size) {
    const Leg& leg = route_.legs[i];
    if (leg.clearance == kUnknown || leg.clearance <= agent_.radius) return {};
    if (!(leg.clearance <= frame_.far))
        return at_place(ViolationKind::clearance, static_cast<std::int64_t>(i), 0.0, leg.start, 0.0);
    const VolumeHit hit = sweep_.claim(path, leg.clearance, larger(size, leg.clearance));
    if (hit.kind == ViolationKind::none) return {};
    Violation bad = from_hit(hit, i, leg, path);
    if (hit.kind != ViolationKind::too_far) bad.kind = ViolationKind::clearance;
    return bad;
}

/// The body at the end of the route; it belongs to the last leg.
Violation VolumeCheck::check_end() {
    const std::size_t count = route_.legs.size();
    const auto index = static_cast<std::int64_t>(count) - 1;
    const double distance = count > 0 ? route_.legs[count - 1].length : 0.0;
    const ViolationKind numbers = place_numbers(route_.end, kVolumeLayers);
    if (numbers != ViolationKind::none) return at_place(numbers, index, distance, route_.end, 0.0);
    const Leg stands = standing(route_.end);
    const VolumePath path = path_of(stands, frame_);
    const double size = size_with(path);
    if (!(size <= frame_.far)) return at_place(far_kind(path), index, distance, route_.end, 0.0);
    const VolumeHit hit = sweep(stands, path, size);
    if (hit.kind == ViolationKind::none) return {};
    Violation bad = from_hit(hit, 0, stands, path);
    bad.leg = index;
    bad.distance = distance;
    return bad;
}

Violation VolumeCheck::check_sums() const {
    Violation sum = whole(ViolationKind::length_sum);
    sum.depth = length_error(route_);
    if (sum.depth > 0.0) return sum;
    if (!options_.check_line_cost) return {};
    const double space = length_in_space(route_);
    const double most = options_.areas.empty() ? 1.0 : prices_.most();
    const double allowed =
        (frame_.slack + 8.0 * kRound * space * static_cast<double>(route_.legs.size() + 1)) * most;
    const CostRange cost = options_.areas.empty() ? CostRange{space, space} : priced_cost();
    sum.kind = ViolationKind::line_cost;
    sum.depth = larger(larger(cost.low - route_.line_cost, route_.line_cost - cost.high), 0.0);
    return sum.depth > allowed ? sum : Violation{};
}

CostRange VolumeCheck::priced_cost() const {
    CostRange sum;
    for (std::size_t i = 0; i < route_.legs.size(); ++i) {
        const CostRange leg = prices_.cost(chord_between(frame_.from_world(route_.legs[i].start.position),
                                                         frame_.from_world(leg_end(route_, i).position)));
        sum.low += leg.low;
        sum.high += leg.high;
    }
    return sum;
}

Violation VolumeCheck::from_hit(const VolumeHit& hit, std::size_t i, const Leg& leg,
                                const VolumePath& path) const {
    Violation bad = at_place(hit.kind, static_cast<std::int64_t>(i), hit.begin * path.ground.length,
                             leg.start, hit.depth);
    bad.place.position = frame_.to_world(path.at(hit.worst));
    if (leg.kind == LegKind::drive) bad.place.heading_rad += leg.curvature * (hit.worst * path.ground.length);
    bad.cell = {hit.voxel[0], hit.voxel[1], hit.voxel[2]};
    if (hit.kind == ViolationKind::blocker) {
        const Voxel in = volume_.voxel_at(bad.place.position);
        bad.cell = {in.x, in.y, in.z};
        bad.index = hit.blocker;
    }
    bad.in_space = true;
    return bad;
}

}  // namespace fairlead::witness

namespace fairlead {

Violation verify(const Route& route, const VolumeState& volume, const Agent& agent,
                 const VolumeVerifyOptions& options) {
    return witness::VolumeCheck(route, volume, agent, options).run();
}

}  // namespace fairlead
