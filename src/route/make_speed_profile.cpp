// The profile of a route: its legs and stops as pieces of a line, two passes over their speeds, then knots.

#include <fairlead/route/speed_profile.h>

#include <cmath>

#include <fairlead/math/trig.h>

#include "route/leg_speed.h"
#include "route/speed_pass.h"

namespace fairlead {

namespace {

using route::SpeedPiece;

constexpr int kStretchesMax = 1 << 20;  // of a leg

bool finite_leg(const Leg& leg) {
    return is_finite(leg.start.position) && std::isfinite(leg.start.heading_rad) &&
           std::isfinite(leg.length) && std::isfinite(leg.rise) && std::isfinite(leg.curvature) &&
           std::isfinite(leg.turn_rad) && !std::isnan(leg.speed_max);
}

// Pieces of the legs of a route in turn.
class PieceList {
  public:
    PieceList(const Route& route, const SpeedLimits& limits, const LegTimes& times, Array<SpeedPiece>& pieces)
        : route_(route), limits_(limits), times_(times), pieces_(pieces) {}

    Result<void> fill() {
        for (std::size_t i = 0; i < route_.legs.size(); ++i) {
            if (const Result<void> good = add_leg(i); !good) return good;
        }
        return add_last_turn();
    }

  private:
    [[nodiscard]] static Error wrong(Field field, std::size_t leg) {
        return Error{ErrorCode::out_of_range, field, static_cast<std::int64_t>(leg), 0};
    }

    Result<void> push(const SpeedPiece& piece) {
        if (!pieces_.push_back(piece)) return Error{ErrorCode::out_of_memory, -1, 0};
        return {};
    }

    Result<void> add_leg(std::size_t i) {
        const Leg& leg = route_.legs[i];
        if (!finite_leg(leg))
            return Error{ErrorCode::not_finite, Field::route, static_cast<std::int64_t>(i), 0};
        if (leg.length < 0.0) return wrong(Field::route, i);
        const bool first = i == 0;
        const double heading = first ? leg.start.heading_rad : route::heading_at_end(route_, i - 1);
        route::Stop stop = route::stop_before(limits_, first ? nullptr : &route_.legs[i - 1], heading, leg);
        if (leg.kind == LegKind::drive) {
            if (moved_ && gear_ != leg.gear) stop = {true, stop.seconds + limits_.cusp_seconds};
            moved_ = moved_ || route::way_of(leg) > 0.0;
            gear_ = leg.gear;
        }
        if (stop.stops) {
            const SpeedPiece stand{
                .stand = stop.seconds, .stops = true, .leg = static_cast<std::uint32_t>(i)};
            if (const Result<void> good = push(stand); !good) return good;
        }
        return leg.kind == LegKind::drive ? add_drive(leg, i) : add_standing(leg, i);
    }

    // To the heading of the route's end.
    Result<void> add_last_turn() {
        const std::size_t count = route_.legs.size();
        const double turn = math::wrap_pi(route_.end.heading_rad - route::heading_at_end(route_, count - 1));
        if (!(std::abs(turn) > route::kSameHeading) || !stops_at_corners(limits_)) return {};
        return push(
            {.stand = turn_seconds(limits_, turn), .stops = true, .leg = static_cast<std::uint32_t>(count)});
    }

    Result<void> add_standing(const Leg& leg, std::size_t i) {
        SpeedPiece stand{.stops = true, .leg = static_cast<std::uint32_t>(i)};
        if (leg.kind == LegKind::turn) stand.stand = turn_seconds(limits_, leg.turn_rad);
        if (leg.kind == LegKind::link && times_.link_seconds != nullptr) {
            stand.stand = times_.link_seconds(leg, times_.user);
            if (!(stand.stand >= 0.0 && stand.stand < kNoLimit)) return wrong(Field::link_seconds, i);
        }
        return push(stand);
    }

    Result<void> add_drive(const Leg& leg, std::size_t i) {
        if (!(route::way_of(leg) > 0.0)) return {};
        if (!(route::speed_on_leg(limits_, leg) > 0.0)) return wrong(Field::route, i);
        double from = 0.0;
        for (int k = 0; k < kStretchesMax; ++k) {
            SpeedPiece piece = route::stretch_of(limits_, times_, leg, from);
            if (!(piece.slowdown >= 1.0 && piece.slowdown < kNoLimit) || !(piece.length > 0.0))
                return wrong(Field::slowdown, i);
            piece.leg = static_cast<std::uint32_t>(i);
            if (const Result<void> good = push(piece); !good) return good;
            if (route::is_upright(leg)) return {};
            from += piece.length * piece.ground_share;
            if (!(from < leg.length * (1.0 - 1e-15))) return {};
        }
        return Error{ErrorCode::size_limit, Field::slowdown, static_cast<std::int64_t>(i), 0};
    }

    const Route& route_;
    const SpeedLimits& limits_;
    const LegTimes& times_;
    Array<SpeedPiece>& pieces_;
    Gear gear_ = Gear::forward;
    bool moved_ = false;
};

Result<void> check_ends(const SpeedLimits& limits, const SpeedProfileOptions& options) {
    if (!std::isfinite(options.start_speed)) return Error{ErrorCode::not_finite, Field::start_speed};
    if (!std::isfinite(options.goal_speed)) return Error{ErrorCode::not_finite, Field::goal_speed};
    if (options.start_speed < 0.0 || options.start_speed > limits.speed_max)
        return Error{ErrorCode::out_of_range, Field::start_speed};
    if ((options.goal_speed < 0.0 && options.goal_speed != kAnySpeed) ||
        options.goal_speed > limits.speed_max)
        return Error{ErrorCode::out_of_range, Field::goal_speed};
    return {};
}

// Speeds at the ends are those of going forward.
bool backs_at_speed(const Route& route, const SpeedProfileOptions& options) {
    return (options.start_speed > 0.0 && route.legs[0].gear == Gear::reverse) ||
           (options.goal_speed > 0.0 && route.legs.back().gear == Gear::reverse);
}

}  // namespace

Result<void> make_speed_profile(const Route& route, const SpeedLimits& limits,
                                const SpeedProfileOptions& options, SpeedProfile& out) {
    out.knots_.clear();
    out.pieces_.clear();
    out.too_fast_ = false;
    if (const Result<void> good = check_speed_limits(limits); !good) return good;
    if (const Result<void> good = check_ends(limits, options); !good) return good;
    if (route.legs.empty()) return {};
    if (const Result<void> good = PieceList(route, limits, options.times, out.pieces_).fill(); !good)
        return good;
    if (!out.squared_.resize_uninitialized(out.pieces_.size() + 1))
        return Error{ErrorCode::out_of_memory, -1, 0};
    const double from = options.start_speed * options.start_speed;
    const double to = options.goal_speed < 0.0 ? route::kFreeSpeed : options.goal_speed * options.goal_speed;
    out.too_fast_ = backs_at_speed(route, options) ||
                    !route::fill_speeds(out.pieces_.span(), from, to, limits, out.squared_.span());
    if (out.too_fast_) return {};
    if (!route::append_knots(out.pieces_.span(), out.squared_.span(), limits, out.knots_)) {
        out.knots_.clear();
        return Error{ErrorCode::out_of_memory, -1, 0};
    }
    return {};
}

}  // namespace fairlead
