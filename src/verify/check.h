// The order of all checks of one route against one tile world. verify.h says what they are.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "verify/numbers.h"
#include "verify/scale.h"
#include "verify/sweep.h"

namespace fairlead::witness {

/// A turn leg leads to the next heading within this.
inline constexpr double kHeadingSlack = 1e-9;

template <TileWorld World>
class Check {
  public:
    Check(const Route& route, const World& world, const Agent& agent, const VerifyOptions& options)
        : route_(route),
          world_(world),
          agent_(agent),
          options_(options),
          scale_(make_scale(world.origin(), world.cell_size(), world.width(), world.height())),
          sweep_(world, scale_, options) {
        if (agent.footprint > 0) {
            body_.half = 0.5 * static_cast<double>(agent.footprint);
        } else {
            body_.radius = agent.radius / world.cell_size();
        }
    }

    [[nodiscard]] Violation run() {
        if (!arguments_fit(agent_, options_, scale_, world_.wrap_x(), world_.wrap_y())) {
            return whole(ViolationKind::bad_argument);
        }
        const ViolationKind numbers = route_numbers(route_);
        if (numbers != ViolationKind::none) return whole(numbers);
        if (options_.check_revision && route_.revision != world_.revision())
            return whole(ViolationKind::revision);
        for (std::size_t i = 0; i < route_.legs.size(); ++i) {
            const Violation bad = check_leg(i);
            if (bad) return bad;
        }
        if (reaches_end(route_.status)) {
            const Violation bad = check_end();
            if (bad) return bad;
        }
        Violation sum = whole(ViolationKind::length_sum);
        sum.depth = length_error(route_);
        return sum.depth > 0.0 ? sum : Violation{};
    }

  private:
    [[nodiscard]] static Violation whole(ViolationKind kind) {
        Violation bad;
        bad.kind = kind;
        return bad;
    }

    [[nodiscard]] static Violation at_place(ViolationKind kind, std::int64_t leg, double distance,
                                            const Place& place, double depth) {
        Violation bad;
        bad.kind = kind;
        bad.leg = leg;
        bad.distance = distance;
        bad.place = place;
        bad.depth = depth;
        return bad;
    }

    [[nodiscard]] Violation from_hit(const Hit& hit, std::int64_t leg_index, const Leg& leg,
                                     const Track& track) const {
        Violation bad;
        bad.kind = hit.kind;
        bad.leg = leg_index;
        bad.distance = hit.contact.begin * scale_.cell;
        bad.place = leg.start;
        const Vec2 worst = scale_.to_world(point_at(track, hit.contact.worst));
        bad.place.position.x = worst.x;
        bad.place.position.y = worst.y;
        if (track.length > 0.0) bad.place.position.z += leg.rise * (hit.contact.worst / track.length);
        bad.place.heading_rad += track.curvature * hit.contact.worst;
        bad.depth = hit.contact.depth * scale_.cell;
        bad.cell = hit.cell;
        bad.index = hit.index;
        return bad;
    }

    /// A body that stands where it should not be outside all that is judged has no track.
    [[nodiscard]] Violation check_position(std::int64_t index, double distance, const Place& place) const {
        const Vec2 at = scale_.to_cells(ground(place.position));
        const double x_out = world_.wrap_x() ? 0.0 : larger(-at.x, at.x - scale_.width);
        const double y_out = world_.wrap_y() ? 0.0 : larger(-at.y, at.y - scale_.height);
        if (larger(x_out, y_out) > 1.0) {
            const double depth = (larger(x_out, y_out) + body_.reach()) * scale_.cell;
            return at_place(ViolationKind::off_world, index, distance, place, depth);
        }
        if (size_of(at) <= scale_.reach_max()) return {};
        return at_place(ViolationKind::too_far, index, distance, place, 0.0);
    }

    /// The path of a leg, as far as it is judged; a turn or a link stands at its start.
    [[nodiscard]] Track track_of(const Leg& leg) const {
        Track track;
        track.start = scale_.to_cells(ground(leg.start.position));
        if (leg.kind != LegKind::drive) return track;
        track.along = math::direction(leg.start.heading_rad);
        if (leg.gear == Gear::reverse) track.along = -track.along;
        track.length = leg.length / scale_.cell;
        track.curvature = leg.curvature * scale_.cell;
        // What is smaller than rounding is nothing: a curve of no width, a leg of no length.
        const double nothing = kRound * larger(size_of(track.start), 1.0);
        if (track.length <= nothing) track.length = 0.0;
        const double swing = 0.5 * std::fabs(track.curvature) * track.length * track.length;
        if (track.length == 0.0 || swing <= nothing) track.curvature = 0.0;
        return track;
    }

    [[nodiscard]] bool too_long(const Track& track) const {
        const bool short_enough = track.length <= scale_.length_max();
        return !(short_enough && std::fabs(track.curvature) * track.length <= kAngleMax);
    }

    /// What there is to see of a track: an arc repeats itself after a full turn.
    [[nodiscard]] Track swept_part(const Track& track) const {
        Track part = track;
        part.length = smaller(part.length, scale_.length_max());
        const double bend = std::fabs(track.curvature);
        if (bend * part.length > kTwoPi) part.length = kTwoPi / bend;
        return part;
    }

    [[nodiscard]] Violation check_leg(std::size_t i) {
        const Leg& leg = route_.legs[i];
        const auto index = static_cast<std::int64_t>(i);
        const ViolationKind numbers = leg_numbers(leg, world_.layers());
        if (numbers != ViolationKind::none) return at_place(numbers, index, 0.0, leg.start, 0.0);
        const Violation bad_start = check_position(index, 0.0, leg.start);
        if (bad_start) return bad_start;

        const Track track = track_of(leg);
        if (!std::isfinite(track.curvature))
            return at_place(ViolationKind::too_far, index, 0.0, leg.start, 0.0);
        const Track part = swept_part(track);
        const Hit hit = sweep_.run(part, leg.start.layer, body_);
        if (hit.kind != ViolationKind::none) return from_hit(hit, index, leg, part);
        if (too_long(track)) {
            return at_place(ViolationKind::too_far, index, part.length * scale_.cell, leg.start, 0.0);
        }
        const Violation bad_end = check_leg_end(i, leg, track);
        return bad_end ? bad_end : check_clearance(index, leg, part);
    }

    [[nodiscard]] Violation check_leg_end(std::size_t i, const Leg& leg, const Track& track) const {
        const auto index = static_cast<std::int64_t>(i);
        const bool last = i + 1 == route_.legs.size();
        const Place& next = last ? route_.end : route_.legs[i + 1].start;
        const ViolationKind numbers = place_numbers(next, world_.layers());
        if (numbers != ViolationKind::none) {
            // The next leg is going to report its own start.
            return last ? at_place(numbers, index, leg.length, next, 0.0) : Violation{};
        }
        if (leg.kind == LegKind::link) return check_link(index, leg, next);
        const Vec2 off = scale_.to_cells(ground(next.position)) - point_at(track, track.length);
        const double gap = length(off);
        const double size = larger(size_of(track.start) + track.length, larger(scale_.width, scale_.height));
        const bool meets = gap <= scale_.threshold(size) && height_gap(leg, next) == 0.0 &&
                           next.layer == leg.start.layer &&
                           (leg.kind != LegKind::turn || turns_to(leg, next));
        if (meets) return {};
        return at_place(ViolationKind::leg_end, index, leg.length, next,
                        larger(gap * scale_.cell, height_gap(leg, next)));
    }

    /// 0 where rounding and slack explain it.
    [[nodiscard]] double height_gap(const Leg& leg, const Place& next) const {
        const double z = leg.start.position.z + leg.rise;
        const double gap = std::fabs(next.position.z - z);
        const double size = larger(std::fabs(leg.start.position.z), std::fabs(leg.rise));
        return gap <= scale_.slack * scale_.cell + 8.0 * kRound * size ? 0.0 : gap;
    }

    [[nodiscard]] static bool turns_to(const Leg& leg, const Place& next) {
        const double size = larger(std::fabs(leg.start.heading_rad), std::fabs(leg.turn_rad));
        const double off = math::wrap_pi(next.heading_rad - leg.start.heading_rad - leg.turn_rad);
        return std::fabs(off) <= kHeadingSlack + 8.0 * kRound * size;
    }

    [[nodiscard]] Violation check_link(std::int64_t index, const Leg& leg, const Place& next) const {
        Violation bad = at_place(ViolationKind::link, index, 0.0, leg.start, 0.0);
        bad.index = static_cast<std::int64_t>(leg.link_id);
        const auto portals = world_.portals();
        if (leg.link_id >= portals.size()) return bad;
        const Portal& portal = portals[leg.link_id];
        const double there = larger(off_cell(leg.start, portal.from), off_cell(next, portal.to));
        const double back = larger(off_cell(leg.start, portal.to), off_cell(next, portal.from));
        const double off = portal.two_way ? smaller(there, back) : there;
        if (off <= scale_.threshold(larger(scale_.reach_max(), 1.0)) && height_gap(leg, next) == 0.0)
            return {};
        bad.depth = std::isfinite(off) ? off * scale_.cell : 0.0;
        return bad;
    }

    /// How far a place is from where the unit stands in a cell; infinite on another layer.
    [[nodiscard]] double off_cell(const Place& place, const Cell& cell) const {
        if (place.layer != cell.layer) return std::numeric_limits<double>::infinity();
        const bool even = agent_.footprint > 0 && agent_.footprint % 2 == 0;
        const double centre = even ? 0.0 : 0.5;
        const Vec2 at = scale_.to_cells(ground(place.position));
        Vec2 off{at.x - (static_cast<double>(cell.x) + centre),
                 at.y - (static_cast<double>(cell.y) + centre)};
        if (world_.wrap_x()) off.x -= scale_.width * std::floor(off.x / scale_.width + 0.5);
        if (world_.wrap_y()) off.y -= scale_.height * std::floor(off.y / scale_.height + 0.5);
        return length(off);
    }

    [[nodiscard]] Violation check_clearance(std::int64_t index, const Leg& leg, const Track& part) {
        if (leg.clearance == kUnknown) return {};
        const Body claim{0.0, leg.clearance / scale_.cell};
        if (claim.radius <= body_.reach()) return {};  // the sweep has shown this much
        if (claim.radius > scale_.reach_max()) {
            return at_place(ViolationKind::clearance, index, 0.0, leg.start, 0.0);
        }
        const Hit hit = sweep_.run(part, leg.start.layer, claim);
        if (hit.kind == ViolationKind::none) return {};
        Violation bad = from_hit(hit, index, leg, part);
        if (hit.kind != ViolationKind::too_far) bad.kind = ViolationKind::clearance;
        return bad;
    }

    /// The body at the end of the route; it belongs to the last leg.
    [[nodiscard]] Violation check_end() {
        const std::size_t count = route_.legs.size();
        const auto index = static_cast<std::int64_t>(count) - 1;
        const double distance = count > 0 ? route_.legs[count - 1].length : 0.0;
        const ViolationKind numbers = place_numbers(route_.end, world_.layers());
        if (numbers != ViolationKind::none) return at_place(numbers, index, distance, route_.end, 0.0);
        const Violation bad = check_position(index, distance, route_.end);
        if (bad) return bad;
        Leg stand;
        stand.start = route_.end;
        stand.kind = LegKind::turn;
        const Track track = track_of(stand);
        const Hit hit = sweep_.run(track, route_.end.layer, body_);
        if (hit.kind == ViolationKind::none) return {};
        Violation at_end = from_hit(hit, index, stand, track);
        at_end.distance = distance;
        return at_end;
    }

    const Route& route_;
    const World& world_;
    const Agent& agent_;
    const VerifyOptions& options_;
    Scale scale_;
    Sweep<World> sweep_;
    Body body_{};
};

/// verify for any tile world.
template <TileWorld World>
[[nodiscard]] Violation verify_over(const Route& route, const World& world, const Agent& agent,
                                    const VerifyOptions& options = {}) {
    return Check<World>(route, world, agent, options).run();
}

}  // namespace fairlead::witness
