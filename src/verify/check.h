// The order of all checks of one route against one tile world. verify.h says what they are.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "verify/leg_sweep.h"
#include "verify/manner.h"
#include "verify/numbers.h"
#include "verify/scale.h"

namespace fairlead::witness {

template <TileWorld World>
class Check {
  public:
    Check(const Route& route, const World& world, const Agent& agent, const VerifyOptions& options)
        : route_(route),
          world_(world),
          agent_(agent),
          options_(options),
          legs_(world, agent, options),
          scale_(legs_.scale()) {}

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
        if (has_way(route_)) {
            const Violation bad = check_end();
            if (bad) return bad;
        }
        Violation sum = whole(ViolationKind::length_sum);
        sum.depth = length_error(route_);
        return sum.depth > 0.0 ? sum : Violation{};
    }

  private:
    [[nodiscard]] Violation check_leg(std::size_t i) {
        const Leg& leg = route_.legs[i];
        const auto index = static_cast<std::int64_t>(i);
        const ViolationKind numbers = leg_numbers(leg, world_.layers());
        if (numbers != ViolationKind::none) return at_place(numbers, index, 0.0, leg.start, 0.0);
        const Manner manner = manner_of(leg, agent_, options_.facings);
        if (manner.kind != ViolationKind::none)
            return at_place(manner.kind, index, 0.0, leg.start, manner.depth);
        LegPath path;
        const Violation bad = legs_.sweep(index, leg, leg.start.layer, legs_.body(), path);
        if (bad) return bad;
        const Violation bad_end = check_leg_end(i, leg, path.track);
        return bad_end ? bad_end : check_clearance(index, leg, path.seen);
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
        if (!meets) {
            return at_place(ViolationKind::leg_end, index, leg.length, next,
                            larger(gap * scale_.cell, height_gap(leg, next)));
        }
        const double jump = keeps_heading(agent_) ? heading_jump(leg, next) : 0.0;
        return jump > 0.0 ? at_place(ViolationKind::heading, index, leg.length, next, jump) : Violation{};
    }

    /// 0 where rounding and slack explain it.
    [[nodiscard]] double height_gap(const Leg& leg, const Place& next) const {
        const double z = leg.start.position.z + leg.rise;
        const double gap = std::fabs(next.position.z - z);
        const double size = larger(std::fabs(leg.start.position.z), std::fabs(leg.rise));
        return gap <= scale_.slack * scale_.cell + 8.0 * kRound * size ? 0.0 : gap;
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

    [[nodiscard]] Violation check_clearance(std::int64_t index, const Leg& leg, const Ride& part) {
        if (leg.clearance == kUnknown) return {};
        Body claim;
        claim.radius = leg.clearance / scale_.cell;
        const Body& body = legs_.body();
        if (!body.turns && claim.radius <= body.reach()) return {};  // the sweep has shown this much
        if (claim.radius > scale_.reach_max()) {
            return at_place(ViolationKind::clearance, index, 0.0, leg.start, 0.0);
        }
        const Hit hit = legs_.run(part, leg.start.layer, claim);
        if (hit.kind == ViolationKind::none) return {};
        Violation bad = legs_.from_hit(hit, index, leg, part);
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
        LegPath path;
        Violation bad = legs_.sweep(index, standing(route_.end), route_.end.layer, legs_.body(), path);
        if (bad) bad.distance = distance;
        return bad;
    }

    const Route& route_;
    const World& world_;
    const Agent& agent_;
    const VerifyOptions& options_;
    LegSweep<World> legs_;
    const Scale& scale_;
};

/// verify for any tile world.
template <TileWorld World>
[[nodiscard]] Violation verify_over(const Route& route, const World& world, const Agent& agent,
                                    const VerifyOptions& options = {}) {
    return Check<World>(route, world, agent, options).run();
}

}  // namespace fairlead::witness
