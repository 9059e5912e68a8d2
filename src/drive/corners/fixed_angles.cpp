#include <fairlead/drive/fixed_angles.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "drive/body/leg_check.h"
#include "drive/cost/line_cost.h"

namespace fairlead {

using drive::MapData;

namespace {

constexpr double kTurnMin = 1e-10;  // smaller turns are rounding; verify lets 1e-9 pass
constexpr double kTurnsMax = 1e4;   // radians of one source leg
constexpr double kFurthest = 1e12;  // world units

Result<void> check_leg(const Leg& leg, std::int64_t index) {
    if (leg.kind != LegKind::drive) return Error{ErrorCode::unsupported, index, 0};
    const double numbers[] = {leg.start.position.x,
                              leg.start.position.y,
                              leg.start.position.z,
                              leg.start.heading_rad,
                              leg.length,
                              leg.curvature,
                              leg.rise};
    for (const double number : numbers) {
        if (!std::isfinite(number)) return Error{ErrorCode::not_finite, index, 0};
        if (std::abs(number) > kFurthest) return Error{ErrorCode::out_of_range, index, 0};
    }
    if (leg.rise != 0.0) return Error{ErrorCode::unsupported, index, 1};
    const double turn = std::abs(leg.curvature) * leg.length;
    if (leg.length < 0.0 || turn > kTurnsMax) return Error{ErrorCode::out_of_range, index, 0};
    return {};
}

Result<void> check(const Route& source, const FixedAnglesOptions& options) {
    if (!good_facings(options.facings)) return Error{ErrorCode::out_of_range, Field::facings};
    if (options.parts_max < 1 || options.parts_max > 64)
        return Error{ErrorCode::out_of_range, Field::parts_max};
    for (std::size_t i = 0; i < source.legs.size(); ++i) {
        const Result<void> good = check_leg(source.legs[i], static_cast<std::int64_t>(i));
        if (!good) return good;
    }
    const Place& end = source.end;
    const auto last = static_cast<std::int64_t>(source.legs.size());
    if (!is_finite(ground(end.position)) || !std::isfinite(end.heading_rad))
        return Error{ErrorCode::not_finite, last, 0};
    return {};
}

// What has been written so far: to go back to.
struct Mark {
    std::size_t legs = 0;
    double heading_rad = 0.0;
};

class Styler {
  public:
    Styler(const Route& source, const MapData& map, const FixedAnglesOptions& options, FixedAngles& out)
        : source_(source), options_(options), check_(map), out_(out) {
        turns_ = check_.body_turns();
    }

    /// Styles all legs. False: out of memory. out.blocked_leg tells where it had to stop.
    [[nodiscard]] bool run() {
        if (!source_.legs.empty()) heading_ = source_.legs[0].start.heading_rad;
        for (std::size_t i = 0; i < source_.legs.size(); ++i) {
            FacingGroup group;
            group.source_leg = static_cast<std::int64_t>(i);
            group.first = static_cast<std::uint32_t>(out_.route.legs.size());
            const bool styled = style_leg(i, group);
            if (no_memory_) return false;
            if (!styled) {
                out_.blocked_leg = group.source_leg;
                return true;
            }
            group.count = static_cast<std::uint32_t>(out_.route.legs.size()) - group.first;
            if (!out_.groups.push_back(group)) return false;
        }
        return true;
    }

  private:
    [[nodiscard]] bool style_leg(std::size_t i, FacingGroup& group) {
        const Leg& leg = source_.legs[i];
        const double half_turns = std::abs(leg.curvature) * leg.length / (kPi + 1e-9);
        const auto least = std::max(1, static_cast<std::int32_t>(std::ceil(half_turns)));
        const Mark before{out_.route.legs.size(), heading_};
        for (std::int32_t parts = 1; parts <= options_.parts_max; parts *= 2) {
            group.parts = parts * least;
            if (style_parts(i, group) && (i + 1 < source_.legs.size() || turn_at_end(leg))) return true;
            if (no_memory_) return false;
            back_to(before);
        }
        return false;
    }

    [[nodiscard]] bool style_parts(std::size_t i, FacingGroup& group) {
        const bool arc = source_.legs[i].curvature != 0.0;
        bool other = false;  // the style of the part before: most likely free again
        for (std::int32_t part = 0; part < group.parts; ++part) {
            if (!style_part(i, group.parts, part, other)) {
                other = !other;
                if (!style_part(i, group.parts, part, other)) return false;
            }
            FacingStyle style = arc ? FacingStyle::outside : FacingStyle::right_first;
            if (other) style = arc ? FacingStyle::inside : FacingStyle::left_first;
            if (!arc && path_.count <= 1) style = FacingStyle::single;
            if (part == 0) group.style = style;
            if (style != group.style) group.style = FacingStyle::mixed;
        }
        return true;
    }

    // Writes one part if it is free.
    [[nodiscard]] bool style_part(std::size_t i, std::int32_t parts, std::int32_t part, bool other) {
        const Leg& leg = source_.legs[i];
        const double size = leg.length / parts;
        const Place from = place_on_leg(leg, size * part);
        const Vec2 start = ground(from.position);
        if (leg.curvature == 0.0) {
            const Vec2 to = ground(leg_end(source_, i).position);
            const Vec2 begin = ground(leg.start.position);
            const auto at = [&](std::int32_t k) {
                return k == parts ? to : begin + (to - begin) * (static_cast<double>(k) / parts);
            };
            const FacingOrder order = other ? FacingOrder::left_first : FacingOrder::right_first;
            line_on_facings(at(part), at(part + 1), options_.facings, order, path_);
            return write(at(part), leg);
        }
        const double travel = from.heading_rad + (leg.gear == Gear::reverse ? kPi : 0.0);
        const Pose begin{start, travel};
        if (other) {
            arc_inside(begin, leg.curvature, size, options_.facings, path_);
        } else {
            arc_outside(begin, leg.curvature, size, options_.facings, path_);
        }
        return write(start, leg);
    }

    // Writes the path's legs, each swept first. Nothing is written if one is not free.
    [[nodiscard]] bool write(Vec2 from, const Leg& leg) {
        const Mark before{out_.route.legs.size(), heading_};
        Vec2 at = from;
        for (int i = 0; i < path_.count; ++i) {
            if (!write_line(at, path_.legs[i], leg)) {
                back_to(before);
                return false;
            }
            at = path_.legs[i].end;
        }
        return true;
    }

    [[nodiscard]] bool write_line(Vec2 at, const FacingLeg& line, const Leg& leg) {
        const std::int32_t half = leg.gear == Gear::reverse ? options_.facings / 2 : 0;
        const std::int32_t facing = (line.facing + half) & (options_.facings - 1);
        const double heading = math::wrap_pi(facing_rad(options_.facings, facing));
        if (!turn_to(at, heading, leg)) return false;
        Leg out;
        out.start = {{at.x, at.y, leg.start.position.z}, heading, leg.start.layer};
        out.length = line.length;
        out.speed_max = leg.speed_max;
        out.gear = leg.gear;
        return check_.line_is_free({at, heading}, line.length, leg.gear) && push(out);
    }

    // A disc snaps; other bodies turn.
    [[nodiscard]] bool turn_to(Vec2 at, double heading, const Leg& leg) {
        const double from = heading_;
        heading_ = heading;
        if (!turns_) return true;
        const double turn = math::wrap_pi(heading - from);
        if (std::abs(turn) <= kTurnMin) return true;
        if (!check_.turn_is_free({at, from}, turn)) return false;
        Leg out;
        out.start = {{at.x, at.y, leg.start.position.z}, from, leg.start.layer};
        out.turn_rad = turn;
        out.kind = LegKind::turn;
        return push(out);
    }

    [[nodiscard]] bool turn_at_end(const Leg& leg) {
        return turn_to(ground(source_.end.position), source_.end.heading_rad, leg);
    }

    void back_to(const Mark& mark) {
        while (out_.route.legs.size() > mark.legs) out_.route.legs.pop_back();
        heading_ = mark.heading_rad;
    }

    [[nodiscard]] bool push(const Leg& leg) {
        if (out_.route.legs.push_back(leg)) return true;
        no_memory_ = true;
        return false;
    }

    const Route& source_;
    const FixedAnglesOptions& options_;
    drive::LegCheck check_;
    FixedAngles& out_;
    FacingPath path_;
    double heading_ = 0.0;  // where the unit faces at the end of what is written
    bool turns_ = false;
    bool no_memory_ = false;
};

void clear(FixedAngles& out) {
    out.status = FixedAnglesStatus::rounded;
    out.route.clear();
    out.groups.clear();
    out.blocked_leg = -1;
    out.error_rad = 0.0;
}

Error no_memory(FixedAngles& out) {
    clear(out);
    return {ErrorCode::out_of_memory, -1, 0};
}

}  // namespace

Result<void> make_fixed_angles_into(const Route& source, const DriveMapState& state,
                                    const FixedAnglesOptions& options, FixedAngles& out) {
    const MapData& map = state.data();
    clear(out);
    if (const Result<void> good = check(source, options); !good) return good;
    if (map.floors() > 1) return Error{ErrorCode::unsupported, -1, 2};
    if (!Styler(source, map, options, out).run()) return no_memory(out);
    Route& route = out.route;
    if (out.blocked_leg >= 0 && !route.legs.assign(source.legs.span())) return no_memory(out);
    route.status = source.status;
    route.cost = source.cost;
    route.end = source.end;
    route.revision = map.options().revision;
    route.stats = source.stats;
    route.planner = "fixed_angles";
    if (out.blocked_leg >= 0) {
        out.error_rad = drawn_error_rad(source, options.facings);
        route.planner = source.planner;
        route.bound = source.bound;
        route.length = source.length;
        route.line_cost = source.line_cost;
        route.revision = source.revision;
        return {};
    }
    out.status = FixedAnglesStatus::styled;
    for (const Leg& leg : route.legs) route.length += leg.length;
    route.line_cost = drive::line_cost(map, route.legs.span());
    return {};
}

Result<FixedAngles> make_fixed_angles(const Route& source, const DriveMapState& map,
                                      const FixedAnglesOptions& options) {
    FixedAngles out;
    if (const Result<void> done = make_fixed_angles_into(source, map, options, out); !done)
        return done.error();
    return out;
}

}  // namespace fairlead
