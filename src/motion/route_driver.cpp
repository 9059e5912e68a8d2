// A unit on its route: stretch by stretch as the speed pass drives them, with what lies ahead looked up as far as it takes to brake.

#include <fairlead/motion/route_driver.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/contact.h>
#include <fairlead/math/trig.h>

#include "route/leg_speed.h"
#include "route/speed_pass.h"

namespace fairlead {

namespace {

using route::SpeedPiece;

constexpr double kSpeedRound = 1e-9;  // of squared speeds that are meant to be the same
constexpr double kPlaceRound = 1e-6;  // between a unit and its new route's start

double gain_of_speed(double rate, double length) { return length > 0.0 ? 2.0 * rate * length : 0.0; }

bool same_place(const Place& a, const Place& b) {
    const Vec3 gap = b.position - a.position;
    const double size = std::abs(a.position.x) + std::abs(a.position.y) + std::abs(a.position.z);
    const double slack = kPlaceRound + 1e-9 * size;
    return a.layer == b.layer && dot(gap, gap) <= slack * slack;
}

// To its end along a leg that the unit is on.
double rest_of(const Leg& leg, double on_leg) {
    if (leg.kind != LegKind::drive) return 0.0;
    return (leg.length - on_leg) * (leg.rise == 0.0 ? 1.0 : route::way_of(leg) / leg.length);
}

}  // namespace

const char* driver_state_name(DriverState state) {
    switch (state) {
        case DriverState::idle: return "idle";
        case DriverState::driving: return "driving";
        case DriverState::turning: return "turning";
        case DriverState::shifting: return "shifting";
        case DriverState::in_link: return "in_link";
        case DriverState::arrived: return "arrived";
    }
    return "unknown";
}

Result<RouteDriver> RouteDriver::make(const DriverOptions& options, const Place& at) {
    if (const Result<void> good = check_speed_limits(options.limits); !good) return good.error();
    if (!is_finite(at.position) || !std::isfinite(at.heading_rad))
        return Error{ErrorCode::not_finite, Field::start};
    RouteDriver out(options, at);
    out.heading_ = at.heading_rad;
    return out;
}

// The squared speed that is allowed where a stretch of a leg ends, `way` before the leg's end: what can be braked from for all
// that is ahead.
double RouteDriver::end_speed(std::size_t i, double way, double ground_end) const {
    const SpeedLimits& limits = options_.limits;
    const double top = limits.speed_max * limits.speed_max;
    double least = hold_ < kNoLimit ? gain_of_speed(limits.brake_max, hold_ - ground_end) : top;
    for (std::size_t j = i + 1; j < route_->legs.size(); ++j) {
        const double braking = gain_of_speed(limits.brake_max, way);
        if (braking >= least) return least;
        const Leg& before = route_->legs[j - 1];
        const Leg& leg = route_->legs[j];
        if (route::stop_before(limits, &before, route::heading_at_end(*route_, j - 1), leg).stops)
            return std::min(least, braking);
        const double most = route::speed_on_leg(limits, leg);
        least = std::min(least, most * most + braking);
        way += route::way_of(leg);
    }
    return std::min(least, gain_of_speed(limits.brake_max, way));
}

// May a unit that moves set out on it?
bool RouteDriver::keeps_to(const Route& route) const {
    const SpeedLimits& limits = options_.limits;
    const double squared = speed_ * speed_;
    double way = 0.0;
    double heading = place().heading_rad;
    const Leg* before = nullptr;
    for (std::size_t j = 0; j < route.legs.size(); ++j) {
        const double braking = gain_of_speed(limits.brake_max, way) + kSpeedRound * squared;
        if (braking >= squared && way > 0.0) return true;
        const Leg& leg = route.legs[j];
        const bool other_gear = before == nullptr && leg.gear != gear_;
        if (other_gear || route::stop_before(limits, before, heading, leg).stops) return braking >= squared;
        const double most = route::speed_on_leg(limits, leg);
        if (squared > most * most + braking) return false;
        way += route::way_of(leg);
        heading = route::heading_at_end(route, j);
        before = &leg;
    }
    return gain_of_speed(limits.brake_max, way) + kSpeedRound * squared >= squared;
}

RouteTaken RouteDriver::take(const Route& route) {
    if (state_ == DriverState::in_link) return RouteTaken::in_link;
    const Place now = place();
    const Place& begin = route.legs.empty() ? route.end : route.legs[0].start;
    if (!same_place(now, begin)) return RouteTaken::elsewhere;
    if (speed_ > 0.0 && !keeps_to(route)) return RouteTaken::too_fast;
    heading_ = now.heading_rad;
    at_ = now;
    route_ = &route;
    cursor_.emplace(route);
    hold_ = kNoLimit;
    climbed_ = busy_ = turn_ = 0.0;
    prepared_ = false;
    state_ = route.legs.empty() ? DriverState::idle : DriverState::driving;
    return RouteTaken::taken;
}

Place RouteDriver::place() const {
    if (!cursor_ || route_->legs.empty()) return at_;
    if (state_ == DriverState::arrived) return route_->end;
    Place out = cursor_->place();
    if (!prepared_ || busy_ > 0.0) {
        if (state_ == DriverState::in_link) return out;
        out.heading_rad = heading_ + (busy_ > 0.0 ? turn_ * (1.0 - busy_ / busy_all_) : 0.0);
    } else if (const Leg& leg = *cursor_->leg(); route::is_upright(leg)) {
        out.position.z += leg.rise < 0.0 ? -climbed_ : climbed_;
    }
    return out;
}

// Passes time that is taken by a turn, a gear or a link. False: there is none left.
bool RouteDriver::spend(double& seconds) {
    if (busy_ > seconds) {
        busy_ -= seconds;
        seconds = 0.0;
        return false;
    }
    seconds -= busy_;
    busy_ = 0.0;
    heading_ += turn_;
    turn_ = 0.0;
    if (state_ != DriverState::in_link) state_ = DriverState::driving;
    return true;
}

// Before a leg: turned as it begins, in its gear.
void RouteDriver::prepare() {
    const Leg& leg = *cursor_->leg();
    const route::Stop stop = route::stop_before(options_.limits, nullptr, heading_, leg);
    const bool shifts = leg.kind == LegKind::drive && moved_ && leg.gear != gear_;
    prepared_ = true;
    if (stop.stops || shifts) speed_ = 0.0;
    busy_all_ = busy_ = stop.seconds + (shifts ? options_.limits.cusp_seconds : 0.0);
    if (leg.kind == LegKind::drive) gear_ = leg.gear;
    turn_ = busy_ > 0.0 ? stop.turn_rad : 0.0;
    if (busy_ > 0.0) {
        state_ = shifts ? DriverState::shifting : DriverState::turning;
    } else {
        heading_ += stop.turn_rad;
    }
}

// Behind the leg that the cursor has driven out, or into a link.
RouteEvent RouteDriver::pass_leg() {
    const std::size_t i = cursor_->leg_index();
    const Leg& leg = route_->legs[i];
    const bool upright = route::is_upright(leg);
    RouteEvent out = cursor_->next_leg();
    if (out.kind == RouteEventKind::link_enter) {
        state_ = DriverState::in_link;
        busy_all_ = busy_ = options_.times.link_seconds != nullptr
                                ? options_.times.link_seconds(leg, options_.times.user)
                                : 0.0;
        if (!(busy_ >= 0.0)) busy_ = 0.0;
        return out;
    }
    if (leg.kind != LegKind::drive || upright) speed_ = 0.0;
    climbed_ = 0.0;
    prepared_ = false;
    if (leg.kind == LegKind::turn) {
        busy_all_ = busy_ = turn_seconds(options_.limits, leg.turn_rad);
        heading_ = leg.start.heading_rad;
        turn_ = leg.turn_rad;
        if (busy_ > 0.0) state_ = DriverState::turning;
        if (!(busy_ > 0.0)) heading_ += turn_;
        return out;
    }
    if (state_ == DriverState::in_link) state_ = DriverState::driving;
    heading_ = route::heading_at_end(*route_, i);
    // The unit has gone up the leg itself.
    if (upright && out.kind == RouteEventKind::jump) {
        const bool turns = std::abs(out.turn_rad) > route::kSameHeading;
        out.kind = out.gear_from != out.gear_to ? RouteEventKind::gear
                   : turns                      ? RouteEventKind::corner
                                                : RouteEventKind::none;
    }
    return out;
}

void RouteDriver::leave_link() {
    if (state_ == DriverState::in_link) busy_ = 0.0;
}

// Moves along the leg by a length of way; its end is passed by pass_leg alone.
void RouteDriver::go(const SpeedPiece& stretch, double length) {
    if (stretch.ground_share == 0.0) {
        climbed_ += length;
        return;
    }
    const double room = cursor_->leg()->length - cursor_->on_leg();
    double ground = std::min(length * stretch.ground_share, room * (1.0 - 0x1p-52));
    const RouteEvent none = cursor_->advance(ground);
    FAIRLEAD_DEBUG_ASSERT(!none.happened());
    static_cast<void>(none);
}

// The stretch of the leg that is driven next: to its end, to where the ground changes, or to where the unit is to stand.
struct RouteDriver::Ahead {
    SpeedPiece stretch{};
    double cap = 0.0;  // squared speed
    double end = 0.0;  // and the most where it ends
    bool ends_leg = false;
};

RouteDriver::Ahead RouteDriver::look_ahead(double speed_cap) const {
    const std::size_t i = cursor_->leg_index();
    const Leg& leg = route_->legs[i];
    const bool upright = route::is_upright(leg);
    const double from = upright ? climbed_ : cursor_->on_leg();
    Ahead out{.stretch = route::stretch_of(options_.limits, options_.times, leg, from), .ends_leg = true};
    SpeedPiece& stretch = out.stretch;
    if (!(stretch.slowdown >= 1.0)) stretch.slowdown = 1.0;
    const double all = upright ? std::abs(leg.rise) - from : (leg.length - from) / stretch.ground_share;
    if (stretch.length < all * (1.0 - 1e-15) && stretch.length > 0.0) out.ends_leg = false;
    if (out.ends_leg) stretch.length = all;
    const double gone = cursor_->distance();
    const bool held = stopping_ || !(hold_ > gone);
    if (!held && hold_ < gone + stretch.length * stretch.ground_share) {
        stretch.length = (hold_ - gone) / stretch.ground_share;
        out.ends_leg = false;
    }
    out.cap = held || !(speed_cap > 0.0) ? 0.0 : std::min(stretch.cap, speed_cap * speed_cap);
    out.end = end_speed(i, std::max(all - stretch.length, 0.0), gone + stretch.length * stretch.ground_share);
    return out;
}

// Drives on. True: to the end of the leg.
bool RouteDriver::drive(double& seconds, double speed_cap) {
    const SpeedLimits& limits = options_.limits;
    const Ahead ahead = look_ahead(speed_cap);
    const double most = ahead.stretch.length;
    const double squared = speed_ * speed_;
    const double braked = std::max(squared - gain_of_speed(limits.brake_max, most), 0.0);
    SpeedPiece piece = ahead.stretch;
    double to = 0.0;
    if (squared > ahead.cap * (1.0 + kSpeedRound) && limits.brake_max < kNoLimit) {
        // First down to the cap.
        piece.length = std::min(most, (squared - ahead.cap) / (2.0 * limits.brake_max));
        piece.cap = squared;
        to = piece.length < most ? ahead.cap : braked;
    } else {
        piece.cap = ahead.cap;
        speed_ = std::min(speed_, std::sqrt(ahead.cap));
        to = std::min({ahead.end, ahead.cap, speed_ * speed_ + gain_of_speed(limits.accel_max, most)});
        if (braked > to + kSpeedRound * squared) to = braked;  // named too late
    }
    if (ahead.cap == 0.0 && speed_ == 0.0) {
        seconds = 0.0;
        return false;
    }
    const route::PieceStep step = route::drive_piece(piece, speed_ * speed_, to, limits, seconds);
    speed_ = step.speed;
    moved_ = moved_ || step.length > 0.0;
    seconds = step.done ? std::max(seconds - step.seconds, 0.0) : 0.0;
    if (step.done && ahead.ends_leg && piece.length == most) return true;
    const double before = cursor_->distance() + climbed_;
    go(piece, step.length);
    // So short a stretch moves nothing, and takes no time.
    if (step.done && cursor_->distance() + climbed_ == before && piece.length < most * 1e-9) seconds = 0.0;
    return false;
}

// Behind the last leg: to the heading of the route's end.
void RouteDriver::prepare_end() {
    prepared_ = true;
    speed_ = 0.0;
    const double turn = math::wrap_pi(route_->end.heading_rad - heading_);
    if (route_->legs.empty() || std::abs(turn) <= route::kSameHeading || !stops_at_corners(options_.limits))
        return;
    busy_all_ = busy_ = turn_seconds(options_.limits, turn);
    turn_ = turn;
    if (busy_ > 0.0) state_ = DriverState::turning;
}

RouteEvent RouteDriver::update(double& seconds, double speed_cap) {
    seconds = seconds > 0.0 ? seconds : 0.0;
    while (cursor_) {
        if (busy_ > 0.0 && !spend(seconds)) return {};
        if (!prepared_) {
            if (cursor_->at_end()) {
                prepare_end();
            } else {
                prepare();
            }
            continue;
        }
        if (cursor_->at_end()) {
            state_ = route_->legs.empty() ? DriverState::idle : DriverState::arrived;
            const RouteEvent goal = cursor_->next_leg();
            if (!goal.happened()) seconds = 0.0;
            return goal;
        }
        const bool drives = cursor_->leg()->kind == LegKind::drive;
        if (!drives || drive(seconds, speed_cap)) {
            const RouteEvent out = pass_leg();
            if (out.kind == RouteEventKind::corner && options_.one_heading_a_frame) seconds = 0.0;
            if (out.happened()) return out;
        } else if (seconds == 0.0) {
            return {};
        }
    }
    seconds = 0.0;
    return {};
}

double RouteDriver::stopping_distance() const {
    return speed_ > 0.0 ? speed_ * speed_ / (2.0 * options_.limits.brake_max) : 0.0;
}

Place RouteDriver::stopping_place() const {
    if (!cursor_ || route_->legs.empty()) return at_;
    if (state_ == DriverState::in_link) return leg_end(*route_, cursor_->leg_index());
    Place out = place();
    if (busy_ > 0.0) out.heading_rad = heading_ + turn_;
    double way = stopping_distance();
    if (!(way > 0.0)) return out;
    double on_leg = cursor_->on_leg();
    for (std::size_t i = cursor_->leg_index(); i < route_->legs.size(); ++i, on_leg = 0.0) {
        const Leg& leg = route_->legs[i];
        const double rest = route::is_upright(leg) ? std::abs(leg.rise) - climbed_ : rest_of(leg, on_leg);
        if (way < rest && route::is_upright(leg)) {
            out.position.z += leg.rise < 0.0 ? -way : way;
            return out;
        }
        if (way < rest) return place_on_leg(leg, on_leg + (leg.length - on_leg) * (way / rest));
        way -= rest;
    }
    return route_->end;
}

}  // namespace fairlead
