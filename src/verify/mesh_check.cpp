#include "verify/mesh_check.h"

#include <cmath>

#include <fairlead/math/contact.h>
#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "verify/leg_sweep.h"
#include "verify/manner.h"
#include "verify/numbers.h"
#include "verify/scale.h"

namespace fairlead::witness {

namespace {

constexpr std::int32_t kMeshLayers = 1;
constexpr double kMeshErrorRounds = 128.0;
/// No place of a mesh is further out, and no leg on one is longer than this, were it not for laps.
constexpr double kPlaceMax = 4.0 * kMeshSpan;
/// A straight leg that is this many times as long as the mesh leaves it.
constexpr double kStraightMax = 4.0;
constexpr double kPiecesMax = 0x1p29;  // sines are accurate that far

ViolationKind mesh_place_numbers(const Place& place) {
    const ViolationKind numbers = place_numbers(place, kMeshLayers);
    if (numbers != ViolationKind::none) return numbers;
    const Vec3 p = place.position;
    const bool in_span = size_of(ground(p)) <= kPlaceMax && std::fabs(p.z) <= kPlaceMax;
    return in_span ? ViolationKind::none : ViolationKind::bad_number;
}

ViolationKind mesh_leg_numbers(const Leg& leg) {
    const ViolationKind numbers = leg_numbers(leg, kMeshLayers);
    if (numbers != ViolationKind::none) return numbers;
    const ViolationKind place = mesh_place_numbers(leg.start);
    if (place != ViolationKind::none) return place;
    const bool in_span =
        std::fabs(leg.rise) <= 2.0 * kPlaceMax && leg.length <= 0x1p60 && std::fabs(leg.curvature) <= 0x1p60;
    return in_span ? ViolationKind::none : ViolationKind::bad_number;
}

Track track_between(const Track& track, double from, double to) {
    Track part = track;
    part.length = to - from;
    if (from == 0.0) return part;
    part.start = point_at(track, from);
    const Vec2 turn = math::direction(track.curvature * from);
    part.along = {track.along.x * turn.x - track.along.y * turn.y,
                  track.along.x * turn.y + track.along.y * turn.x};
    return part;
}

/// How far the first of these numbers is from the second, in a mesh's scale.
double height_step(const Leg& leg, const Place& next, double slack) {
    const double z = leg.start.position.z + leg.rise;
    const double gap = std::fabs(next.position.z - z);
    const double size = larger(std::fabs(leg.start.position.z), std::fabs(leg.rise));
    return gap <= slack + 8.0 * kRound * size ? 0.0 : gap;
}

}  // namespace

MeshCheck::MeshCheck(const Route& route, const NavMeshState& mesh, const Agent& agent,
                     const MeshVerifyOptions& options)
    : route_(route),
      mesh_(mesh),
      agent_(agent),
      options_(options),
      sheet_(mesh, options.filter.areas.closed_mask(), options.sides_max, options.allocator),
      unit_radius_(agent.radius),
      here_(options.allocator) {
    // The surface ends that far from the walls it was made from.
    judged_ = arguments_judged();
    if (judged_) body_ = body_beyond(agent_, mesh.agent_radius());
    disc_ = body_.core.low == body_.core.high;
    agent_.radius = disc_ ? body_.radius : 0.0;
    const Aabb box = mesh.bounds();
    if (box.empty()) return;
    extent_ = larger(box.high.x - box.low.x, box.high.y - box.low.y);
    slack_ = contact_slack(extent_, larger(size_of(box.low), size_of(box.high)));
}

/// The largest number involved at a distance along a leg.
double MeshCheck::size_at(double distance) const {
    const double body = disc_ ? agent_.radius : circumscribed_radius(agent_);
    return larger(larger(extent_, distance), body);
}

/// What is compared with; it may be 0 or less.
double MeshCheck::threshold(double size) const { return slack_ - kMeshErrorRounds * kRound * size; }

bool MeshCheck::arguments_judged() const {
    if (agent_.footprint != 0 || agent_.height != 0.0) return false;
    if (!(agent_.radius >= 0.0 && agent_.radius <= kMeshSpan)) return false;
    if (agent_.shape != BodyShape::disc && !(good_body(agent_) && circumscribed_radius(agent_) <= kMeshSpan))
        return false;
    if (!(agent_.turning_radius >= 0.0) || !std::isfinite(agent_.turning_radius)) return false;
    return options_.height_slack >= 0.0 && !std::isnan(options_.surface_error);
}

Violation MeshCheck::run() {
    if (!judged_) return whole(ViolationKind::bad_argument);
    const ViolationKind numbers = route_numbers(route_);
    if (numbers != ViolationKind::none) return whole(numbers);
    if (options_.check_revision && route_.revision != mesh_.revision()) return whole(ViolationKind::revision);
    if (has_way(route_)) {
        const Violation bad = check_legs();
        if (bad) return bad;
    }
    Violation sum = whole(ViolationKind::length_sum);
    sum.depth = length_error(route_);
    return sum.depth > 0.0 ? sum : Violation{};
}

Violation MeshCheck::check_legs() {
    for (std::size_t i = 0; i < route_.legs.size(); ++i) {
        const Violation bad = check_leg(i);
        if (bad) return bad;
    }
    return check_stand();
}

Violation MeshCheck::check_leg(std::size_t i) {
    const Leg& leg = route_.legs[i];
    const auto index = static_cast<std::int64_t>(i);
    const ViolationKind numbers = mesh_leg_numbers(leg);
    if (numbers != ViolationKind::none) return at_place(numbers, index, 0.0, leg.start, 0.0);
    if (leg.kind == LegKind::link && !options_.links) {
        const Violation bad = check_link(i);
        if (bad) return bad;
    }
    const Manner manner = manner_of(leg, agent_, 0);
    if (manner.kind != ViolationKind::none) return at_place(manner.kind, index, 0.0, leg.start, manner.depth);
    const Track track = track_of(leg);
    const Violation bad = sweep(index, leg, track);
    if (bad) return bad;
    if (leg.kind != LegKind::link) return check_leg_end(i, track);
    placed_ = false;
    return {};
}

/// How far a leg is from using a link in one direction; kNever: it faces another way.
double MeshCheck::off_link(const MeshLinkState& link, bool back, const Leg& leg, const Place& next) const {
    const Vec3 from = back ? link.to : link.from, to = back ? link.from : link.to;
    const double heading = link.heading_rad + (back ? kPi : 0.0);
    const double turned = std::fabs(math::wrap_pi(leg.start.heading_rad - heading));
    if (!(turned <= kHeadingSlack + 16.0 * kRound * std::fabs(heading))) return kNever;
    const Vec2 ahead = math::direction(link.heading_rad);
    const Vec2 side{-ahead.y, ahead.x};
    const Vec2 entry = ground(leg.start.position) - ground(from), exit = ground(next.position) - ground(to);
    const double half = 0.5 * link.link.extent;
    double share = dot(entry, side);
    share = share < -half ? -half : share > half ? half : share;
    // Ends are put on the surface, which may be a rounding away.
    return larger(length(entry - side * share), length(exit - side * share));
}

Violation MeshCheck::check_link(std::size_t i) const {
    const Leg& leg = route_.legs[i];
    const Place& next = leg_end(route_, i);
    Violation bad = at_place(ViolationKind::link, static_cast<std::int64_t>(i), 0.0, leg.start, 0.0);
    bad.index = static_cast<std::int64_t>(leg.link_id);
    if (mesh_place_numbers(next) != ViolationKind::none || leg.length != 0.0 || leg.rise != 0.0) return bad;
    const std::optional<MeshLinkState> link = mesh_.link(leg.link_id);
    if (!link || !link->awake || unit_radius_ > link->link.radius_max) return bad;
    const MeshFilter& filter = options_.filter;
    const std::uint8_t kind = link->link.kind;
    if (!filter.links.open(kind)) return bad;
    double off = off_link(*link, false, leg, next);
    if (!link->link.one_way) off = smaller(off, off_link(*link, true, leg, next));
    bad.depth = off < kNever ? off : 0.0;
    return off <= slack_ ? Violation{} : bad;
}

/// Relative to its start.
Track MeshCheck::track_of(const Leg& leg) const {
    Track track;
    if (leg.kind != LegKind::drive) return track;
    track.along = math::direction(leg.start.heading_rad);
    if (leg.gear == Gear::reverse) track.along = -track.along;
    track.length = leg.length;
    track.curvature = leg.curvature;
    // What is smaller than rounding is nothing: a curve of no width.
    const double swing = 0.5 * std::fabs(track.curvature) * track.length * track.length;
    if (swing <= kRound * larger(extent_, track.length)) track.curvature = 0.0;
    return track;
}

Violation MeshCheck::report(ViolationKind kind, std::int64_t index, const Leg& leg, double begin,
                            double worst, double depth) const {
    Violation bad = at_place(kind, index, begin, leg.start, depth);
    const Track track = track_of(leg);
    if (!(track.length > 0.0)) return bad;
    const Vec2 at = ground(leg.start.position) + point_at(track, worst);
    bad.place.position = {at.x, at.y, leg.start.position.z + leg.rise * (worst / track.length)};
    bad.place.heading_rad += track.curvature * worst;
    return bad;
}

Violation MeshCheck::not_known(std::int64_t index, const Leg& leg) const {
    return at_place(ViolationKind::too_far, index, 0.0, leg.start, 0.0);
}

double MeshCheck::put_starts(const Place& place) {
    if (placed_) {
        for (const PolygonId polygon : here_) sheet_.put_start(polygon);
        return 0.0;
    }
    const Vec2 at = ground(place.position), reach{2.0 * slack_, 2.0 * slack_};
    here_.clear();
    mesh_.each_polygon(
        {at - reach, at + reach},
        [](PolygonId polygon, void* user) {
            auto& self = *static_cast<MeshCheck*>(user);
            if (!self.here_.push_back(polygon)) self.lost_ = true;
        },
        this);
    double least = kNever;
    for (const PolygonId polygon : here_) {
        least = smaller(least, sheet_.put_start_at_height(polygon, place.position.z, options_.height_slack));
    }
    return least;
}

Violation MeshCheck::sweep(std::int64_t index, const Leg& leg, const Track& track) {
    if (track.curvature == 0.0) {
        const double length = smaller(track.length, kStraightMax * extent_);
        const Violation bad = sweep_piece(index, leg, track, 0.0, length);
        return bad || length == track.length ? bad : not_known(index, leg);
    }
    const double pieces = std::floor(std::fabs(track.curvature) * track.length / kHalfPi) + 1.0;
    if (!(pieces <= kPiecesMax)) return not_known(index, leg);
    double from = 0.0;
    for (double i = 1.0; i <= pieces; i += 1.0) {
        const double to = i == pieces ? track.length : track.length * (i / pieces);
        const Violation bad = sweep_piece(index, leg, track, from, to);
        if (bad) return bad;
        from = to;
    }
    return {};
}

Violation MeshCheck::sweep_piece(std::int64_t index, const Leg& leg, const Track& track, double from,
                                 double to) {
    const double size = size_at(to);
    const double slack = threshold(size);
    if (mesh_.polygons() > 0 && !(slack >= 0.5 * slack_)) return not_known(index, leg);
    const MeshTrack part{track_between(track, from, to), size};
    sheet_.begin(ground(leg.start.position), part, slack);
    const double off_floor = put_starts(leg.start);
    sheet_.walk();
    if (sheet_.failed() || lost_) return not_known(index, leg);
    if (!placed_ && sheet_.nowhere())
        return at_place(ViolationKind::surface, index, from, leg.start, off_floor < kNever ? off_floor : 0.0);
    placed_ = true;
    if (from == 0.0) {
        const double off = sheet_.height_off_start(leg.start.position.z);
        if (off > options_.height_slack && off < kNever)
            return at_place(ViolationKind::surface, index, 0.0, leg.start, off);
    }
    const Violation wall = disc_ ? check_walls(index, leg, from, agent_.radius, slack)
                                 : check_body(index, leg, part, from, slack);
    if (wall) return wall;
    if (!sheet_.arrived()) {
        const SheetHit off = sheet_.leaving();
        Violation bad =
            report(ViolationKind::wall, index, leg, from + off.begin, from + off.worst, -off.nearest);
        bad.index = off.polygon.valid() ? static_cast<std::int64_t>(off.polygon.value) : -1;
        return bad;
    }
    const Violation height = check_heights(index, leg);
    if (height) return height;
    if (leg.clearance != kUnknown && leg.clearance > agent_.radius) {
        const double claim_slack = threshold(larger(size, leg.clearance));
        if (!(claim_slack >= 0.5 * slack_))
            return at_place(ViolationKind::clearance, index, 0.0, leg.start, 0.0);
        Violation claim = check_walls(index, leg, from, leg.clearance, claim_slack);
        if (claim) {
            if (claim.kind == ViolationKind::wall) claim.kind = ViolationKind::clearance;
            return claim;
        }
    }
    if (!sheet_.ends(here_)) return not_known(index, leg);
    return {};
}

Violation MeshCheck::check_walls(std::int64_t index, const Leg& leg, double from, double radius,
                                 double slack) {
    if (radius <= slack) return {};
    const SheetHit hit = sheet_.find_wall(radius - slack, radius - 0.5 * slack);
    if (sheet_.failed()) return not_known(index, leg);
    if (!hit.found()) return {};
    Violation bad =
        report(ViolationKind::wall, index, leg, from + hit.begin, from + hit.worst, radius - hit.nearest);
    bad.index = static_cast<std::int64_t>(hit.polygon.value);
    return bad;
}

/// As check_walls, for a body that is no disc.
Violation MeshCheck::check_body(std::int64_t index, const Leg& leg, const MeshTrack& track, double from,
                                double slack) {
    const Vec2 heading =
        leg.kind == LegKind::drive && leg.gear == Gear::reverse ? -track.track.along : track.track.along;
    const bool turns = leg.kind == LegKind::turn;
    const Vec2 facing = math::direction(leg.start.heading_rad);
    const BodyMove move = turns ? BodyMove::turn(track, facing, leg.turn_rad, body_.core)
                                : BodyMove::drive(track, heading, body_.core);
    const double around = body_.radius > slack ? body_.radius - 0.5 * slack : 0.0;
    const SheetHit hit = sheet_.find_wall(move, body_.radius - slack, around, 0.25 * slack);
    if (sheet_.failed()) return not_known(index, leg);
    if (!hit.found()) return {};
    const double depth = body_.radius - hit.nearest;
    Violation bad = turns
                        ? at_place(ViolationKind::wall, index, 0.0, leg.start, depth)
                        : report(ViolationKind::wall, index, leg, from + hit.begin, from + hit.worst, depth);
    bad.index = static_cast<std::int64_t>(hit.polygon.value);
    return bad;
}

Violation MeshCheck::check_heights(std::int64_t index, const Leg& leg) {
    if (!(options_.surface_error >= 0.0) || leg.kind != LegKind::drive || track_of(leg).curvature != 0.0)
        return {};
    const MeshSheet::HeightGap gap = sheet_.height_gap(leg.start.position.z, leg.rise);
    // Where the walk is at the edge of what is rounding, the height may be that of the side's other end.
    if (gap.off <= options_.surface_error + slack_) return {};
    return report(ViolationKind::surface, index, leg, gap.at, gap.at, gap.off);
}

Violation MeshCheck::check_leg_end(std::size_t i, const Track& track) const {
    const Leg& leg = route_.legs[i];
    const auto index = static_cast<std::int64_t>(i);
    const bool last = i + 1 == route_.legs.size();
    const Place& next = leg_end(route_, i);
    const ViolationKind numbers = mesh_place_numbers(next);
    // The next leg is going to report its own start.
    if (numbers != ViolationKind::none)
        return last ? at_place(numbers, index, leg.length, next, 0.0) : Violation{};
    const Vec2 off = (ground(next.position) - ground(leg.start.position)) - point_at(track, track.length);
    const double gap = length(off);
    const double step = height_step(leg, next, slack_);
    const bool meets = gap <= threshold(size_at(track.length)) && step == 0.0 &&
                       (leg.kind != LegKind::turn || turns_to(leg, next));
    if (!meets) return at_place(ViolationKind::leg_end, index, leg.length, next, larger(gap, step));
    const double jump = keeps_heading(agent_) ? heading_jump(leg, next) : 0.0;
    return jump > 0.0 ? at_place(ViolationKind::heading, index, leg.length, next, jump) : Violation{};
}

/// The body at the end of the route; it belongs to the last leg.
Violation MeshCheck::check_stand() {
    const std::size_t count = route_.legs.size();
    const auto index = static_cast<std::int64_t>(count) - 1;
    const double distance = count > 0 ? route_.legs[count - 1].length : 0.0;
    const ViolationKind numbers = mesh_place_numbers(route_.end);
    if (numbers != ViolationKind::none) return at_place(numbers, index, distance, route_.end, 0.0);
    const Leg stand = standing(route_.end);
    Violation bad = sweep(index, stand, track_of(stand));
    if (bad) bad.distance = distance;
    return bad;
}

}  // namespace fairlead::witness

namespace fairlead {

Violation verify(const Route& route, const NavMeshState& mesh, const Agent& agent,
                 const MeshVerifyOptions& options) {
    return witness::MeshCheck(route, mesh, agent, options).run();
}

}  // namespace fairlead
