// Walking along a chain of legs: forward and back are the same steps in turn, with an event wherever legs do not flow into each other.

#include <fairlead/route/route_cursor.h>

#include <fairlead/math/trig.h>

namespace fairlead {

namespace {

/// Legs meet within rounding; what is further apart is told.
constexpr double kTurnRound = 1e-6;
constexpr double kGapRound = 1e-6;
constexpr double kLengthMost = 0x1p36;  // of a leg

double absolute(double value) { return value < 0.0 ? -value : value; }

/// Below 0 and NaN count as 0.
double not_below_zero(double value) { return value > 0.0 ? value : 0.0; }

bool apart(const Place& a, const Place& b) {
    const double size = absolute(a.position.x) + absolute(a.position.y) + absolute(a.position.z);
    const double slack = kGapRound + 1e-9 * size;
    const Vec3 gap = b.position - a.position;
    return a.layer != b.layer || absolute(gap.x) > slack || absolute(gap.y) > slack ||
           absolute(gap.z) > slack;
}

RouteEvent mirrored(RouteEvent event) {
    const Place from = event.from;
    event.from = event.to;
    event.to = from;
    const Gear gear = event.gear_from;
    event.gear_from = event.gear_to;
    event.gear_to = gear;
    event.turn_rad = -event.turn_rad;
    return event;
}

}  // namespace

const char* route_event_name(RouteEventKind kind) {
    switch (kind) {
        case RouteEventKind::none: return "none";
        case RouteEventKind::corner: return "corner";
        case RouteEventKind::pivot: return "pivot";
        case RouteEventKind::gear: return "gear";
        case RouteEventKind::link_enter: return "link_enter";
        case RouteEventKind::link_leave: return "link_leave";
        case RouteEventKind::jump: return "jump";
        case RouteEventKind::start: return "start";
        case RouteEventKind::goal: return "goal";
    }
    return "unknown";
}

namespace route {

namespace {

constexpr std::uint64_t kWhole = std::uint64_t{1} << 62;  // parts in a step

}  // namespace

// Exact, but for what is below 2^-78. Signed numbers on the way are quicker.
ExactLength::ExactLength(double length) {
    const auto whole = static_cast<std::int64_t>(length * 0x1p16);
    whole_ = static_cast<std::uint64_t>(whole);
    part_ = static_cast<std::uint64_t>(
        static_cast<std::int64_t>((length * 0x1p16 - static_cast<double>(whole)) * 0x1p62));
}

void ExactLength::add(const ExactLength& more) {
    part_ += more.part_;
    const std::uint64_t carry = part_ >> 62;
    part_ &= kWhole - 1;
    whole_ += more.whole_ + carry;
}

void ExactLength::take(const ExactLength& less) {
    part_ += kWhole - less.part_;
    const std::uint64_t kept = part_ >> 62;
    part_ &= kWhole - 1;
    whole_ -= less.whole_ + (1 - kept);
}

double ExactLength::value() const {
    return static_cast<double>(static_cast<std::int64_t>(whole_)) * 0x1p-16 +
           static_cast<double>(static_cast<std::int64_t>(part_)) * 0x1p-78;
}

}  // namespace route

RouteCursor::RouteCursor(const Route& route) : route_(&route) {
    route::ExactLength sum;
    for (std::size_t i = 0; i < route.legs.size(); ++i) sum.add(route::ExactLength(leg_length(i)));
    length_ = sum.value();
    const double told = route.length;
    goal_ = told < length_ && told >= length_ * (1.0 - 0x1p-32) ? told : length_;
}

// Legs of routes from elsewhere may hold anything.
double RouteCursor::leg_length(std::size_t i) const {
    const double length = not_below_zero(route_->legs[i].length);
    return length < kLengthMost ? length : kLengthMost;
}

bool RouteCursor::at_end() const { return leg_ == route_->legs.size(); }

Place RouteCursor::place() const { return at_end() ? route_->end : place_on_leg(here(), offset_); }

double RouteCursor::distance() const { return at_end() ? length_ : begin_.value() + offset_; }

double RouteCursor::remaining() const { return not_below_zero(length_ - distance()); }

std::size_t RouteCursor::leg_index() const { return at_end() && leg_ > 0 ? leg_ - 1 : leg_; }

const Leg* RouteCursor::leg() const { return route_->legs.empty() ? nullptr : &route_->legs[leg_index()]; }

Gear RouteCursor::gear() const { return route_->legs.empty() ? Gear::forward : leg()->gear; }

bool RouteCursor::in_link() const { return !at_end() && here().kind == LegKind::link && inside_; }

RouteEvent RouteCursor::event(RouteEventKind kind, std::size_t leg, const Place& from,
                              const Place& to) const {
    RouteEvent out;
    out.kind = kind;
    out.leg = leg;
    out.distance = distance();
    out.from = from;
    out.to = to;
    out.gear_from = out.gear_to = gear();
    out.turn_rad = math::wrap_pi(to.heading_rad - from.heading_rad);
    return out;
}

// Between a leg and the next one, which is no link.
RouteEvent RouteCursor::joint(std::size_t before) const {
    const Leg& last = route_->legs[before];
    const Leg& next = route_->legs[before + 1];
    if (last.kind != LegKind::drive || next.kind == LegKind::link) return {};
    const Place from = place_on_leg(last, leg_length(before));
    RouteEvent out = event(RouteEventKind::none, before + 1, from, next.start);
    out.gear_from = last.gear;
    out.gear_to = next.gear;
    if (apart(from, next.start)) {
        out.kind = RouteEventKind::jump;
    } else if (last.gear != next.gear && next.kind == LegKind::drive) {
        out.kind = RouteEventKind::gear;
    } else if (absolute(out.turn_rad) > kTurnRound) {
        out.kind = RouteEventKind::corner;
    }
    return out;
}

// Of the link or turn that the cursor is at, the way that it is followed forward unless `back`.
RouteEvent RouteCursor::spot_event(RouteEventKind kind, bool back) const {
    RouteEvent out = event(kind, leg_, here().start, leg_end(*route_, leg_));
    if (kind == RouteEventKind::pivot) {
        out.turn_rad = here().turn_rad;
    } else {
        out.link_id = here().link_id;
    }
    return back ? mirrored(out) : out;
}

void RouteCursor::enter_next() {
    begin_.add(route::ExactLength(leg_length(leg_)));
    ++leg_;
    offset_ = 0.0;
    inside_ = false;
}

void RouteCursor::enter_last() {
    --leg_;
    const double length = leg_length(leg_);
    begin_.take(route::ExactLength(length));
    offset_ = length;
    inside_ = true;
}

// The cursor is at the end of its leg.
RouteEvent RouteCursor::leave_forward() {
    RouteEvent out;
    if (here().kind == LegKind::turn) {
        out = spot_event(RouteEventKind::pivot, false);
    } else if (here().kind == LegKind::link) {
        out = spot_event(RouteEventKind::link_leave, false);
    } else if (leg_ + 1 < route_->legs.size()) {
        out = joint(leg_);
    }
    enter_next();
    return out;
}

// The cursor is at the start of its leg, and that is not the first one.
RouteEvent RouteCursor::leave_back() {
    const std::size_t last = leg_ - 1;
    RouteEvent out;
    if (!at_end()) out = mirrored(joint(last));
    enter_last();
    out.leg = leg_;
    return out;
}

RouteEvent RouteCursor::advance(double& left) {
    left = not_below_zero(left);
    while (!at_end()) {
        if (here().kind == LegKind::link && !inside_) {
            told_start_ = false;
            inside_ = true;
            return spot_event(RouteEventKind::link_enter, false);
        }
        const double room = leg_length(leg_) - offset_;
        if (left < room) {
            told_start_ = told_start_ && left == 0.0;
            offset_ += left;
            left = 0.0;
            return {};
        }
        // In a link without length one stands until one is moved again, which is now.
        left -= room > 0.0 ? room : 0.0;
        offset_ = leg_length(leg_);
        told_start_ = false;
        const RouteEvent out = leave_forward();
        if (out.happened()) return out;
    }
    if (told_goal_) return {};
    told_goal_ = true;
    return event(RouteEventKind::goal, leg_, route_->end, route_->end);
}

RouteEvent RouteCursor::next_leg() {
    told_start_ = false;
    if (at_end()) {
        double nothing = 0.0;
        return advance(nothing);
    }
    if (here().kind == LegKind::link && !inside_) {
        inside_ = true;
        return spot_event(RouteEventKind::link_enter, false);
    }
    offset_ = leg_length(leg_);
    return leave_forward();
}

RouteEvent RouteCursor::retreat(double& left) {
    left = not_below_zero(left);
    for (;;) {
        if (!at_end()) {
            const LegKind kind = here().kind;
            if (left < offset_) {
                offset_ -= left;
                left = 0.0;
                return {};
            }
            left -= offset_;
            offset_ = 0.0;
            if (kind != LegKind::drive && inside_) {
                inside_ = false;
                const bool link = kind == LegKind::link;
                return spot_event(link ? RouteEventKind::link_leave : RouteEventKind::pivot, true);
            }
        }
        if (leg_ == 0) break;
        told_goal_ = false;
        const RouteEvent out = leave_back();
        if (here().kind == LegKind::link) return spot_event(RouteEventKind::link_enter, true);
        if (out.happened()) return out;
    }
    if (told_start_) return {};
    told_start_ = true;
    const Place at = place();
    return event(RouteEventKind::start, 0, at, at);
}

void RouteCursor::seek(double distance) {
    const double wanted = not_below_zero(distance);
    told_start_ = wanted == 0.0;
    told_goal_ = false;
    if (wanted >= goal_ && wanted > 0.0) {
        while (!at_end()) enter_next();
        told_goal_ = true;
        return;
    }
    // The leg that begins before it and ends at it or behind it; at 0 the first one.
    const route::ExactLength place(wanted < kLengthMost ? wanted : kLengthMost);
    while (leg_ > 0 && !(begin_ < place)) enter_last();
    while (!at_end()) {
        route::ExactLength end = begin_;
        end.add(route::ExactLength(leg_length(leg_)));
        if (!(end < place)) break;
        begin_ = end;
        ++leg_;
    }
    inside_ = false;
    told_goal_ = at_end();
    if (told_goal_) return;
    const double on = not_below_zero(wanted - begin_.value());
    const double length = leg_length(leg_);
    offset_ = on < length ? on : length;
    inside_ = offset_ > 0.0;
}

}  // namespace fairlead
