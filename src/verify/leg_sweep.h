// One leg's body against a tile world: where its centre runs, what it meets, and the report of it.
#pragma once

#include <cmath>
#include <cstdint>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "verify/numbers.h"
#include "verify/scale.h"
#include "verify/sweep.h"

namespace fairlead::witness {

[[nodiscard]] inline Violation whole(ViolationKind kind) {
    Violation bad;
    bad.kind = kind;
    return bad;
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

/// Where the body's centre runs, in cells.
struct LegPath {
    Track track{};
    Track seen{};  ///< the part of it that is swept
};

/// In the frame of one tile world.
template <TileWorld World>
class LegSweep {
  public:
    LegSweep(const World& world, const Agent& agent, const VerifyOptions& options)
        : world_(world),
          scale_(make_scale(world.origin(), world.cell_size(), world.width(), world.height())),
          sweep_(world, scale_, options) {
        if (agent.footprint > 0) {
            body_.half = 0.5 * static_cast<double>(agent.footprint);
        } else {
            body_.radius = agent.radius / world.cell_size();
        }
    }

    [[nodiscard]] const Scale& scale() const { return scale_; }
    [[nodiscard]] const Body& body() const { return body_; }

    [[nodiscard]] Hit run(const Track& part, std::int32_t layer, const Body& body) {
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
        path.seen = swept_part(path.track);
        const Hit hit = sweep_.run(path.seen, layer, body);
        if (hit.kind != ViolationKind::none) return from_hit(hit, index, leg, path.seen);
        if (!too_long(path.track)) return {};
        return at_place(ViolationKind::too_far, index, path.seen.length * scale_.cell, leg.start, 0.0);
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

  private:
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

    const World& world_;
    Scale scale_;
    Sweep<World> sweep_;
    Body body_{};
};

}  // namespace fairlead::witness
