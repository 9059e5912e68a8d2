#include <fairlead/route/route.h>

#include <cstring>

#include <fairlead/base/digest.h>
#include <fairlead/math/trig.h>

namespace fairlead {

const char* status_name(PathStatus status) {
    switch (status) {
        case PathStatus::complete: return "complete";
        case PathStatus::partial: return "partial";
        case PathStatus::unreachable: return "unreachable";
        case PathStatus::start_blocked: return "start_blocked";
        case PathStatus::goal_blocked: return "goal_blocked";
        case PathStatus::off_world: return "off_world";
        case PathStatus::budget_spent: return "budget_spent";
        case PathStatus::window: return "window";
        case PathStatus::count_: break;
    }
    return "unknown";
}

const char* leg_kind_name(LegKind kind) {
    switch (kind) {
        case LegKind::drive: return "drive";
        case LegKind::turn: return "turn";
        case LegKind::link: return "link";
    }
    return "unknown";
}

const char* gear_name(Gear gear) { return gear == Gear::forward ? "forward" : "reverse"; }

void Route::clear() {
    status = PathStatus::unreachable;
    length = 0.0;
    cost = 0.0;
    line_cost = 0.0;
    bound = kNoBound;
    planner = "";
    revision = 0;
    legs.clear();
    end = {};
    speeds.clear();
    too_fast = false;
    level_cost = 0.0;
    stats = {};
}

namespace {

// -0 and +0 are one number.
std::uint64_t bits_of(double value) {
    std::uint64_t bits = 0;
    if (value != 0.0) std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

// A sum of products with odd numbers, which need not wait for each other; a digest of each in turn costs five times as much.
std::uint64_t sum_of(const Place& place) {
    return bits_of(place.position.x) * 0x9e3779b97f4a7c15ULL +
           bits_of(place.position.y) * 0xbf58476d1ce4e5b9ULL +
           bits_of(place.position.z) * 0x94d049bb133111ebULL +
           bits_of(place.heading_rad) * 0xd6e8feb86659fd93ULL +
           static_cast<std::uint64_t>(place.layer) * 0xa0761d6478bd642fULL;
}

std::uint64_t sum_of(const Leg& leg) {
    const std::uint64_t kind = std::uint64_t{leg.link_id} << 8 | static_cast<std::uint64_t>(leg.kind) << 4 |
                               static_cast<std::uint64_t>(leg.gear);
    return sum_of(leg.start) + bits_of(leg.length) * 0xe7037ed1a0b428dbULL +
           bits_of(leg.rise) * 0x8ebc6af09c88c6e3ULL + bits_of(leg.curvature) * 0x589965cc75374cc3ULL +
           bits_of(leg.turn_rad) * 0x1d8e4e27c47d124fULL + bits_of(leg.clearance) * 0xeb44accab455d165ULL +
           bits_of(leg.speed_max) * 0x2127599bf4325c37ULL + kind * 0x880355f21e6d1965ULL;
}

}  // namespace

std::uint64_t route_digest(const Route& route, std::uint64_t search) {
    Digest digest;
    digest.add(search);
    digest.add(static_cast<std::uint32_t>(route.status));
    digest.add(route.cost);
    for (const Leg& leg : route.legs) {
        std::uint64_t sum = sum_of(leg);
        digest.add(sum ^ (sum >> 29));
    }
    digest.add(sum_of(route.end));
    for (const SpeedKnot& knot : route.speeds) {
        digest.add(knot.time);
        digest.add(knot.speed);
    }
    return digest.value();
}

Place place_on_leg(const Leg& leg, double distance) {
    Place at = leg.start;
    if (leg.kind != LegKind::drive) return at;
    const double s = distance < 0.0 ? 0.0 : (distance > leg.length ? leg.length : distance);
    if (leg.length > 0.0) at.position.z += leg.rise * (s / leg.length);
    const double travel = leg.gear == Gear::forward ? leg.start.heading_rad : leg.start.heading_rad + kPi;
    if (leg.curvature == 0.0) {
        const Vec2 along = math::direction(travel) * s;
        at.position.x += along.x;
        at.position.y += along.y;
        return at;
    }
    // The chord of an arc of angle a has length 2 sin(a/2) / curvature and leaves at half the angle: exact for
    // short arcs too, where the difference of two sines would cancel.
    const double angle = leg.curvature * s;
    const double chord = 2.0 * math::sin(0.5 * angle) / leg.curvature;
    const Vec2 along = math::direction(travel + 0.5 * angle) * chord;
    at.position.x += along.x;
    at.position.y += along.y;
    at.heading_rad += angle;
    return at;
}

const Place& leg_end(const Route& route, std::size_t i) {
    FAIRLEAD_ASSERT(i < route.legs.size());
    return i + 1 < route.legs.size() ? route.legs[i + 1].start : route.end;
}

Place place_on_route(const Route& route, double distance) {
    if (!(distance > 0.0) && !route.legs.empty()) return route.legs[0].start;
    double left = distance;
    for (const Leg& leg : route.legs) {
        if (left <= leg.length && leg.kind == LegKind::drive) return place_on_leg(leg, left);
        left -= leg.length;
    }
    return route.end;
}

}  // namespace fairlead
