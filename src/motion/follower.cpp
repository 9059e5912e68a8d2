// A unit beside its route: an aim that moves along the route, the track that leads there, and what to do off it.

#include <fairlead/motion/follower.h>

#include <algorithm>
#include <cmath>

#include "math/segment.h"
#include "route/leg_speed.h"

namespace fairlead {

namespace {

constexpr int kAheadMax = 16;        // places looked at for corners to slow down for
constexpr std::size_t kNear = 3;     // legs back to which a unit rejoins
constexpr double kOnTrack = 0.05;    // of the corridor: so near the track the way to the aim is the track
constexpr std::uint8_t kProbes = 3;  // places ahead that are looked at in turn

double extent(const Leg& leg) { return route::is_upright(leg) ? std::abs(leg.rise) : leg.length; }

bool near_by(Vec3 a, Vec3 b, double range) { return dot(b - a, b - a) <= range * range; }

// Do two legs meet?
bool joined(Vec3 a, Vec3 b) {
    const double size = std::abs(a.x) + std::abs(a.y) + std::abs(a.z);
    return near_by(a, b, 1e-6 + 1e-9 * size);
}

// The greatest speed that still stops within a distance if it is kept up for a frame first.
double stopping_speed(double gap, double brake, double seconds) {
    if (!(gap > 0.0)) return 0.0;
    if (!(brake < kNoLimit)) return gap / seconds;
    const double step = brake * seconds;
    // -step + sqrt(step^2 + 2 brake gap), without cancelling
    return 2.0 * brake * gap / (step + std::sqrt(step * step + 2.0 * brake * gap));
}

// Through a corner between two directions, cut by `off` at most.
double corner_speed(Vec3 in, Vec3 out, double off, const SpeedLimits& limits) {
    const double half = std::sqrt(std::max(0.0, 0.5 * (1.0 + dot(in, out))));  // cosine of half the turn
    if (half >= 1.0 - 1e-12) return kNoLimit;
    const double radius = off * half / (1.0 - half);
    double speed = kNoLimit;
    if (limits.lateral_accel_max < kNoLimit) speed = std::sqrt(limits.lateral_accel_max * radius);
    if (limits.turn_rate_max < kNoLimit) speed = std::min(speed, limits.turn_rate_max * radius);
    return speed;
}

}  // namespace

const char* follow_state_name(FollowState state) {
    switch (state) {
        case FollowState::idle: return "idle";
        case FollowState::following: return "following";
        case FollowState::rejoining: return "rejoining";
        case FollowState::traversing: return "traversing";
        case FollowState::arrived: return "arrived";
        case FollowState::lost: return "lost";
    }
    return "unknown";
}

const char* follow_event_name(FollowEvent event) {
    switch (event) {
        case FollowEvent::none: return "none";
        case FollowEvent::link_enter: return "link_enter";
        case FollowEvent::link_leave: return "link_leave";
        case FollowEvent::jump: return "jump";
        case FollowEvent::arrived: return "arrived";
        case FollowEvent::stuck: return "stuck";
        case FollowEvent::needs_route: return "needs_route";
    }
    return "unknown";
}

const char* stuck_reason_name(StuckReason reason) {
    switch (reason) {
        case StuckReason::none: return "none";
        case StuckReason::no_progress: return "no_progress";
        case StuckReason::blocked: return "blocked";
        case StuckReason::off_route: return "off_route";
        case StuckReason::world_changed: return "world_changed";
    }
    return "unknown";
}

Result<Follower> Follower::make(const FollowerOptions& options) {
    if (const Result<void> good = check_speed_limits(options.limits); !good) return good.error();
    const double numbers[] = {options.radius, options.corridor, options.lost, options.arrive,
                              options.stuck_seconds};
    constexpr Field kFields[] = {Field::agent_radius, Field::corridor, Field::corridor, Field::corridor,
                                 Field::times};
    for (int i = 0; i < 5; ++i) {
        if (!std::isfinite(numbers[i])) return Error{ErrorCode::not_finite, kFields[i]};
        if (i == 0 ? numbers[i] < 0.0 : !(numbers[i] > 0.0))
            return Error{ErrorCode::out_of_range, kFields[i]};
    }
    if (options.lost < options.corridor) return Error{ErrorCode::out_of_range, Field::corridor};
    return Follower(options);
}

double Follower::way(const Leg& leg) const {
    if (leg.kind != LegKind::drive) return 0.0;
    return options_.space ? route::way_of(leg) : leg.length;
}

void Follower::take(const Route& route) {
    const FollowerOptions options = options_;
    *this = Follower(options);
    route_ = &route;
    for (const Leg& leg : route.legs) rest_ += way(leg);
    state_ = FollowState::following;
    aim_ = flat(route.legs.empty() ? route.end.position : route.legs[0].start.position);
    anchor_ = aim_;
}

void Follower::drop() {
    const FollowerOptions options = options_;
    *this = Follower(options);
}

const Leg* Follower::leg() const {
    return route_ != nullptr && leg_ < route_->legs.size() ? &route_->legs[leg_] : nullptr;
}

void Follower::revalidated(const Revalidation& found) {
    if (route_ == nullptr || found.legal) return;
    if (found.first_bad < 0 || found.last_bad >= static_cast<std::int64_t>(leg_)) world_changed_ = true;
}

Follower::Mark Follower::mark_at(std::size_t i, double on) const {
    const Leg& leg = route_->legs[i];
    const bool end = leg.kind == LegKind::link || !(on < extent(leg));
    return {i, on, flat(end ? leg_end(*route_, i).position : place_on_leg(leg, on).position), true};
}

// The end of the leg, or of the next one; on an arc the end of a chord.
Follower::Mark Follower::next_mark(const Mark& from) const {
    std::size_t i = from.leg;
    double on = from.on;
    while (i < route_->legs.size()) {
        const Leg& leg = route_->legs[i];
        if (leg.kind == LegKind::link && (i > from.leg || from.on == 0.0)) return {};
        const double all = extent(leg);
        if (leg.kind == LegKind::drive && on < all) {
            if (leg.curvature == 0.0) return mark_at(i, all);
            const double bend = std::abs(leg.curvature);
            const double chord = std::min(std::sqrt(2.0 * options_.corridor / bend), 1.0 / bend);
            return mark_at(i, on + 1.001 * chord < all ? on + chord : all);
        }
        if (++i == route_->legs.size()) return {};
        if (leg.kind != LegKind::link) {
            const Vec3 end = leg.kind == LegKind::drive && !route::is_upright(leg)
                                 ? place_on_leg(leg, leg.length).position
                                 : leg_end(*route_, i - 1).position;
            if (!joined(flat(end), flat(route_->legs[i].start.position))) return {};
        }
        on = 0.0;
    }
    return {};
}

// Along the route; `from` is not behind `to`.
double Follower::way_between(const Mark& from, const Mark& to) const {
    const auto share = [this](std::size_t i, double on) {
        const double all = extent(route_->legs[i]);
        return all > 0.0 ? way(route_->legs[i]) * std::min(on / all, 1.0) : 0.0;
    };
    double sum = share(to.leg, to.on) - share(from.leg, from.on);
    for (std::size_t i = from.leg; i < to.leg; ++i) sum += way(route_->legs[i]);
    return sum;
}

bool Follower::at_route_end() const {
    for (std::size_t i = leg_; i < route_->legs.size(); ++i) {
        const Leg& leg = route_->legs[i];
        if (leg.kind == LegKind::link && (i > leg_ || on_leg_ == 0.0)) return false;
        if (leg.kind == LegKind::drive && (i > leg_ ? 0.0 : on_leg_) < extent(leg)) return false;
    }
    return true;
}

void Follower::aim_at(const Mark& mark, Vec3 from) {
    rest_ = std::max(0.0, rest_ - way_between(aim_mark(), mark));
    leg_ = mark.leg;
    on_leg_ = mark.on;
    aim_ = mark.at;
    anchor_ = from;
    aim_hidden_ = foot_hidden_ = false;
    probe_ = 0;
}

bool Follower::sees(Vec3 from, Vec3 to, const SightQuery& sight, FollowStep& step) const {
    ++step.sight_tests;
    return sight.clear(from, to, options_.radius, sight.user);
}

// Near the aim, or past it within the corridor if from there the next place is in sight. On the inner side of a corner it may not be.
bool Follower::reaches_aim(Vec3 p, const SightQuery& sight, FollowStep& step) const {
    if (near_by(p, aim_, options_.arrive)) return true;
    if (!near_by(p, aim_, options_.corridor) || !(dot(p - aim_, aim_ - anchor_) >= 0.0)) return false;
    if (sight.clear == nullptr) return true;
    const Mark next = next_mark(aim_mark());
    return next.good && step.sight_tests == 0 && sees(p, next.at, sight, step);
}

Vec3 Follower::foot_of(Vec3 p) const { return math::nearest_along(anchor_, aim_ - anchor_, p); }

// On to the next aims as they are reached, up to a link, a jump or the goal.
void Follower::move_aim(Vec3 p, const SightQuery& sight, FollowStep& step) {
    while (reaches_aim(p, sight, step)) {
        const Mark next = next_mark(aim_mark());
        if (next.good) {
            aim_at(next, aim_);
            continue;
        }
        if (!near_by(p, aim_, options_.arrive)) return;
        if (at_route_end()) {
            state_ = FollowState::arrived;
            step.event = FollowEvent::arrived;
            return;
        }
        // A link or a jump, behind turns on the spot perhaps.
        std::size_t i = leg_;
        if (!(i == 0 && on_leg_ == 0.0 && route_->legs[0].kind == LegKind::link)) ++i;
        while (i < route_->legs.size() && route_->legs[i].kind == LegKind::turn) ++i;
        if (i >= route_->legs.size()) return;
        const Leg& leg = route_->legs[i];
        leg_ = i;
        on_leg_ = 0.0;
        if (leg.kind == LegKind::link) {
            state_ = FollowState::traversing;
            step.event = FollowEvent::link_enter;
            step.place = leg_end(*route_, i);
            link_seconds_ = options_.times.link_seconds != nullptr
                                ? options_.times.link_seconds(leg, options_.times.user)
                                : 0.0;
            link_left_ = false;
            return;
        }
        step.event = FollowEvent::jump;
        step.place = leg.start;
        anchor_ = aim_ = flat(leg.start.position);
        fresh_ = true;
        return;
    }
}

// On the track: is a place further on in sight?
void Follower::look_on(Vec3 p, const SightQuery& sight, FollowStep& step) {
    if (!options_.skip || sight.clear == nullptr || step.sight_tests > 0) return;
    Mark there = next_mark(aim_mark());
    for (std::uint8_t k = 0; k < probe_ && there.good; ++k) {
        const Mark more = next_mark(there);
        if (!more.good) break;
        there = more;
    }
    if (!there.good) return;
    if (sees(p, there.at, sight, step)) {
        aim_at(there, p);
    } else {
        probe_ = static_cast<std::uint8_t>((probe_ + 1) % kProbes);
    }
}

// Off the track: is the aim still in sight, or else the track?
void Follower::look_back(Vec3 p, const SightQuery& sight, FollowStep& step) {
    if (sight.clear == nullptr) {
        if (track_error_ > options_.lost) ask(StuckReason::off_route, step);
        return;
    }
    if (step.sight_tests > 0) return;
    const bool at_foot = aim_hidden_ && !foot_hidden_;
    const bool seen = sees(p, at_foot ? foot_of(p) : aim_, sight, step);
    (at_foot ? foot_hidden_ : aim_hidden_) = !seen;
    if (seen) {
        if (!at_foot && options_.skip) aim_at(aim_mark(), p);
        return;
    }
    if (aim_hidden_ && foot_hidden_ && track_error_ > options_.lost) {
        ask(StuckReason::off_route, step);
    } else if (!at_foot) {
        foot_hidden_ = false;
    }
}

void Follower::ask(StuckReason reason, FollowStep& step) {
    state_ = FollowState::lost;
    step.event = FollowEvent::needs_route;
    step.reason = reason;
}

void Follower::traverse(double seconds, FollowStep& step) {
    link_seconds_ -= seconds;
    if (!link_left_ && link_seconds_ > 0.0) return;
    state_ = FollowState::following;
    step.event = FollowEvent::link_leave;
    step.place = leg_end(*route_, leg_);
    on_leg_ = kNoLimit;  // its end
    anchor_ = aim_ = flat(step.place.position);
    best_ = stuck_at_ = kNoLimit;
    since_ = 0.0;
    fresh_ = true;
}

// To the nearest place of the legs near by, this side of links.
void Follower::rejoin(Vec3 p) {
    Mark best = aim_mark();
    double least = kNoLimit;
    const std::size_t first = leg_ > kNear ? leg_ - kNear : 0;
    for (std::size_t i = leg_ + 1; i-- > first;) {
        const Leg& leg = route_->legs[i];
        if (leg.kind == LegKind::link) break;
        if (leg.kind != LegKind::drive) continue;
        constexpr int kParts = 16;
        for (int k = 0; k <= kParts; ++k) {
            const Mark mark = mark_at(i, extent(leg) * k / kParts);
            const double gap = dot(mark.at - p, mark.at - p);
            const bool behind = i < leg_ || mark.on <= on_leg_;
            if (behind && gap < least) {
                least = gap;
                best = mark;
            }
        }
    }
    rest_ += way_between(best, aim_mark());
    leg_ = best.leg;
    on_leg_ = best.on;
    aim_ = best.at;
    anchor_ = p;
    aim_hidden_ = foot_hidden_ = false;
    state_ = FollowState::rejoining;
}

// Progress, or being stuck.
void Follower::watch(Vec3 p, double seconds, FollowStep& step) {
    const double enough = std::min(options_.arrive, 0.1 * options_.limits.speed_max * options_.stuck_seconds);
    const double moved = length(p - last_);
    if (moved > 3.0 * options_.limits.speed_max * seconds + options_.corridor) best_ = kNoLimit;  // knocked
    if (remaining_ < best_ - enough) {
        best_ = remaining_;
        since_ = 0.0;
        if (best_ < stuck_at_ - options_.corridor) stuck_at_ = kNoLimit;
        return;
    }
    since_ += seconds;
    if (since_ < options_.stuck_seconds || step.event != FollowEvent::none) return;
    const StuckReason reason = aim_hidden_ ? StuckReason::blocked : StuckReason::no_progress;
    if (stuck_at_ < kNoLimit) return ask(reason, step);
    step.event = FollowEvent::stuck;
    step.reason = reason;
    stuck_at_ = std::min(best_, remaining_);
    rejoin(p);
    best_ = kNoLimit;
    since_ = 0.0;
}

// The most that can be braked from for all that is ahead.
double Follower::wanted_speed(Vec3 p, double seconds) const {
    const SpeedLimits& limits = options_.limits;
    double speed = std::min(limits.speed_max, stopping_speed(remaining_, limits.brake_max, seconds));
    const auto slow_for = [&](double most, double gap) {
        if (!(most < speed)) return;
        if (!(limits.brake_max < kNoLimit)) return;  // it slows when it is there
        // From here to that speed, after a frame at this one.
        const double more = most * most / (2.0 * limits.brake_max);
        speed = std::min(speed, std::max(most, stopping_speed(gap + more, limits.brake_max, seconds)));
    };
    if (const Leg* on = leg(); on != nullptr && on->kind == LegKind::drive && on->speed_max > 0.0)
        speed = std::min(speed, on->speed_max);
    Mark at = aim_mark();
    double gap = distance(p, aim_);
    Vec3 in = normalized(aim_ - anchor_);
    for (int k = 0; k < kAheadMax && stopping_speed(gap, limits.brake_max, seconds) < speed; ++k) {
        const Mark next = next_mark(at);
        if (!next.good) {
            slow_for(0.0, gap);
            break;
        }
        const Vec3 out = normalized(next.at - at.at);
        slow_for(corner_speed(in, out, 0.5 * options_.corridor, limits), gap);
        const Leg& leg = route_->legs[next.leg];
        if (leg.speed_max > 0.0) slow_for(leg.speed_max, gap);
        gap += distance(at.at, next.at);
        in = out;
        at = next;
    }
    return speed;
}

FollowStep Follower::update(Vec3 position, double seconds, const SightQuery& sight) {
    FollowStep step;
    const Vec3 p = flat(position);
    step.aim = p;
    if (route_ == nullptr || !(seconds > 0.0) || !is_finite(position)) return step;
    if (world_changed_ && state_ != FollowState::lost && state_ != FollowState::arrived) {
        world_changed_ = false;
        ask(StuckReason::world_changed, step);
    }
    if (state_ == FollowState::traversing) traverse(seconds, step);
    if (state_ != FollowState::following && state_ != FollowState::rejoining) return step;
    if (fresh_) {
        fresh_ = false;
        last_ = anchor_ = p;
    }
    if (step.event == FollowEvent::none) move_aim(p, sight, step);
    if (state_ != FollowState::following && state_ != FollowState::rejoining) return step;
    if (fresh_) return step;  // it has jumped

    track_error_ = distance(p, foot_of(p));
    if (track_error_ > options_.corridor) state_ = FollowState::rejoining;
    if (track_error_ <= 0.5 * options_.corridor) state_ = FollowState::following;
    const bool on_track = track_error_ <= kOnTrack * options_.corridor;
    if (on_track) aim_hidden_ = false;  // as it was seen
    if (!on_track) {
        look_back(p, sight, step);
    } else {
        look_on(p, sight, step);
    }
    remaining_ = distance(p, aim_) + rest_;
    if (state_ != FollowState::lost) watch(p, seconds, step);
    last_ = p;
    if (state_ == FollowState::lost) return step;

    const Vec3 foot = foot_of(p);
    track_error_ = distance(p, foot);
    Vec3 target = aim_;
    if (aim_hidden_) {
        target = foot;
    } else if (state_ == FollowState::rejoining && track_error_ > 0.5 * options_.corridor) {
        const double left = distance(foot, aim_);
        target = foot + normalized(aim_ - anchor_) * std::min(options_.corridor, left);
    }
    step.aim = target;
    const Vec3 to = target - p;
    const double gap = length(to);
    if (!(gap > 0.0)) return step;
    double speed = wanted_speed(p, seconds);
    if (aim_hidden_) speed = std::min(speed, gap / seconds);  // to the track, not past it
    step.velocity = to * (speed / gap);
    return step;
}

}  // namespace fairlead
