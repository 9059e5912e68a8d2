// One leg's body against a tile world: where its centre runs, what it meets, and the report of it.
#pragma once

#include <cmath>
#include <cstdint>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "verify/numbers.h"
#include "verify/ride.h"
#include "verify/scale.h"
#include "verify/sweep.h"

namespace fairlead::witness {

[[nodiscard]] inline Violation whole(ViolationKind kind) {
    Violation bad;
    bad.kind = kind;
    return bad;
}

/// A body that stands at a place, as a leg.
[[nodiscard]] inline Leg standing(const Place& place) {
    Leg leg;
    leg.start = place;
    leg.kind = LegKind::turn;
    return leg;
}

[[nodiscard]] inline Violation at_place(ViolationKind kind, std::int64_t leg, double distance,
                                        const Place& place, double depth) {
    Violation bad;
    bad.kind = kind;
    bad.leg = leg;
    bad.distance = distance;
    bad.place = place;
    bad.depth = depth;
    return bad;
}

/// Where the body's position runs, in cells.
struct LegPath {
    Track track{};
    Ride seen{};  ///< the part of it that is swept
};

[[nodiscard]] inline Body body_of(const Agent& agent, double cell) {
    Body body;
    if (agent.footprint > 0) {
        body.half = 0.5 * static_cast<double>(agent.footprint);
    } else if (agent.shape == BodyShape::disc) {
        body.radius = agent.radius / cell;
    } else {
        const BodyCore parts = body_core(agent);
        const Aabb& core = parts.core;
        body.turns = true;
        body.rigid = {{{core.low.x / cell, core.low.y / cell}, {core.high.x / cell, core.high.y / cell}},
                      parts.radius / cell};
    }
    return body;
}

/// In the frame of one tile world.
template <TileWorld World>
class LegSweep {
  public:
    LegSweep(const World& world, const Agent& agent, const VerifyOptions& options)
        : world_(world),
          scale_(make_scale(world.origin(), world.cell_size(), world.width(), world.height())),
          body_(body_of(agent, world.cell_size())),
          sweep_(world, scale_, options) {}

    [[nodiscard]] const Scale& scale() const { return scale_; }
    [[nodiscard]] const Body& body() const { return body_; }

    [[nodiscard]] Hit run(const Ride& part, std::int32_t layer, const Body& body) {
        return sweep_.run(part, layer, body);
    }

    /// The first overlap of a body along a leg, or too_far. `path` is set where the leg's position allows it.
    [[nodiscard]] Violation sweep(std::int64_t index, const Leg& leg, std::int32_t layer, const Body& body,
                                  LegPath& path) {
        const Violation bad_start = check_position(index, 0.0, leg.start);
        if (bad_start) return bad_start;
        path.track = track_of(leg);
        if (!std::isfinite(path.track.curvature))
            return at_place(ViolationKind::too_far, index, 0.0, leg.start, 0.0);
        path.seen = ride_of(leg, path.track, body);
        const Hit hit = sweep_.run(path.seen, layer, body);
        if (hit.kind != ViolationKind::none) return from_hit(hit, index, leg, path.seen);
        if (!too_long(path.track)) return {};
        return at_place(ViolationKind::too_far, index, path.seen.track.length * scale_.cell, leg.start, 0.0);
    }

    [[nodiscard]] Violation from_hit(const Hit& hit, std::int64_t leg_index, const Leg& leg,
                                     const Ride& ride) const {
        Violation bad;
        bad.kind = hit.kind;
        bad.leg = leg_index;
        bad.place = leg.start;
        bad.place.heading_rad += ride.turned(hit.contact.worst);
        if (!ride.on_spot()) {
            const Track& track = ride.track;
            bad.distance = hit.contact.begin * scale_.cell;
            bad.place.position.z += leg.rise * (hit.contact.worst / track.length);
            set_ground(bad.place, point_at(track, hit.contact.worst));
        }
        bad.depth = hit.contact.depth * scale_.cell;
        bad.cell = hit.cell;
        bad.index = hit.index;
        return bad;
    }

  private:
    void set_ground(Place& place, Vec2 cells) const {
        const Vec2 at = scale_.to_world(cells);
        place.position.x = at.x;
        place.position.y = at.y;
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

    /// What there is to see of a leg. A turn on the spot is nothing to a body that looks the same to all sides.
    [[nodiscard]] Ride ride_of(const Leg& leg, const Track& track, const Body& body) const {
        Ride ride;
        ride.track = swept_part(track);
        Motion& motion = ride.motion;
        motion.axle = track.start;
        if (ride.on_spot()) {
            const double angle = body.turns ? angle_of(leg) : 0.0;
            motion.facing = math::direction(leg.start.heading_rad);
            motion.spin = angle < 0.0 ? -1.0 : 1.0;
            motion.extent = smaller(std::fabs(angle), kTwoPi);
            return ride;
        }
        motion.facing = leg.gear == Gear::reverse ? -track.along : track.along;
        motion.speed = leg.gear == Gear::reverse ? -1.0 : 1.0;
        motion.spin = body.turns ? spin_of(leg, track, body) : track.curvature;
        motion.extent = ride.track.length;
        return ride;
    }

    [[nodiscard]] static double angle_of(const Leg& leg) {
        if (leg.kind == LegKind::turn) return leg.turn_rad;
        return leg.kind == LegKind::drive ? leg.curvature * leg.length : 0.0;
    }

    /// A curve that is nothing to the axle may turn the far end of the body.
    [[nodiscard]] double spin_of(const Leg& leg, const Track& track, const Body& body) const {
        const double spin = leg.curvature * scale_.cell;
        const double swing = std::fabs(spin) * track.length * (track.length + body.reach());
        return swing <= kRound * larger(size_of(track.start), 1.0) ? 0.0 : spin;
    }

    /// What there is to see of a track: an arc repeats itself after a full turn.
    [[nodiscard]] Track swept_part(const Track& track) const {
        Track part = track;
        part.length = smaller(part.length, scale_.length_max());
        const double bend = std::fabs(track.curvature);
        if (bend * part.length > kTwoPi) part.length = kTwoPi / bend;
        return part;
    }

    const World& world_;
    Scale scale_;
    Body body_;
    Sweep<World> sweep_;
};

}  // namespace fairlead::witness
