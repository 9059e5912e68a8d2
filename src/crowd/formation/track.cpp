// The route of a formation as a row of places: which way it leads there, how far the walls are to each side, how many units fit beside each
// other. The room is looked at piece by piece, ahead of the leader.
#include <cmath>
#include <limits>

#include "crowd/formation/formation_data.h"

namespace fairlead::crowd {

namespace {

constexpr double kPiece = 0.25;  // spacings from place to place
constexpr std::size_t kPointsMax = 1U << 20;
constexpr double kSlant = 0.6;  // of rays that look aslant, for a gap that is crossed so
constexpr double kAcross = 0.8;
constexpr double kSlim = 0.75;       // of the radius: the route touches what it bends round
constexpr double kEase = 0.5;        // aside for each length ahead
constexpr double kShapeSpare = 0.1;  // radii that the whole shape has more
constexpr double kUpright = 0.05;    // sine: steeper than that the left side stays what it was

Vec3 flat(const FormationData& data, Vec3 v) { return data.space ? v : Vec3{v.x, v.y, 0.0}; }

/// The places themselves, one every `step`.
void lay_points(FormationData& data) {
    std::size_t leg = 0;
    double before = 0.0;  // length of the legs before
    const std::size_t legs = data.legs.size();
    for (std::size_t i = 0; i < data.track.size(); ++i) {
        TrackPoint& point = data.track[i];
        point = {};
        if (legs == 0) {
            point.at = data.route_end;
            continue;
        }
        const double on = static_cast<double>(i) * data.step;
        const auto long_of = [&](std::size_t k) {
            const double rise = data.legs[k].rise;
            const double ground = data.legs[k].length;
            return data.space ? std::sqrt(ground * ground + rise * rise) : ground;
        };
        while (leg + 1 < legs && on > before + long_of(leg)) before += long_of(leg++);
        const double size = long_of(leg);
        const double part = size > 0.0 ? (on - before < size ? (on - before) / size : 1.0) : 0.0;
        point.leg = static_cast<std::uint32_t>(leg);
        point.on_leg = part * data.legs[leg].length;
        const Leg& one = data.legs[leg];
        point.at = place_on_leg(one, point.on_leg);
        if (one.length == 0.0) point.at.position.z = one.start.position.z + part * one.rise;
    }
    if (legs != 0) data.track[data.track.size() - 1].at = data.route_end;
}

/// The way ahead turns over as much of the route as the shape is wide, so that who is far from the leader need not run in bends.
void lay_frames(FormationData& data) {
    const double half = 0.5 * (data.shape_high.left - data.shape_low.left);
    const auto reach = static_cast<std::size_t>((half > data.spacing ? half : data.spacing) / data.step) + 1;
    const std::size_t count = data.track.size();
    Vec3 ahead{1.0, 0.0, 0.0};
    Vec3 left{0.0, 1.0, 0.0};
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t back = i > reach ? i - reach : 0;
        const std::size_t fore = i + reach < count ? i + reach : count - 1;
        const Vec3 way = flat(data, data.track[fore].at.position - data.track[back].at.position);
        if (length(way) > 0.5 * data.step) ahead = normalized(way);
        const Vec3 side{-ahead.y, ahead.x, 0.0};
        if (length(side) > kUpright) {
            left = normalized(side);
        } else {
            left = normalized(left - ahead * dot(left, ahead));
        }
        data.track[i].ahead = ahead;
        data.track[i].left = left;
    }
}

/// How far the middle of the widest unit may go to a side.
double room_beside(const FormationData& data, const TrackPoint& point, Vec3 side, double reach,
                   const CrowdWorld& world) {
    if (world.ray == nullptr) return reach;
    const double most = reach + data.radius;
    double least = world.ray(point.at, side, most, world.user);
    for (const double slant : {-kSlant, kSlant}) {
        const Vec3 way = side * kAcross + point.ahead * slant;
        const double free = kAcross * world.ray(point.at, way, most, world.user);
        if (free < least && free < kAcross * most * 0.999) least = free;
    }
    const double room = least + world.margin - data.radius;
    return room < 0.0 ? 0.0 : room < reach ? room : reach;
}

}  // namespace

bool lay_track(FormationData& data, const Route& route) {
    if (!data.legs.assign(route.legs.span()) || !data.way.reserve(route.legs.size() + 2)) return false;
    data.route_end = route.end;
    data.length = 0.0;
    for (const Leg& leg : data.legs)
        data.length += data.space ? std::sqrt(leg.length * leg.length + leg.rise * leg.rise) : leg.length;
    const double parts = std::ceil(data.length / (kPiece * data.spacing));
    const auto pieces =
        static_cast<std::size_t>(parts < static_cast<double>(kPointsMax) ? parts : kPointsMax);
    data.step = pieces > 0 ? data.length / static_cast<double>(pieces) : kPiece * data.spacing;
    if (!data.track.resize(pieces + 1)) return false;
    data.measured = 0;
    lay_points(data);
    lay_frames(data);
    return true;
}

void measure_track(FormationData& data, const CrowdWorld& world, std::size_t count) {
    const double half_left = data.shape_high.left - data.shape_low.left + data.spacing;
    const double half_up = data.shape_high.up - data.shape_low.up + data.spacing;
    const std::size_t size = data.track.size();
    for (; count > 0 && data.measured < size; --count, ++data.measured) {
        TrackPoint& point = data.track[data.measured];
        point.room_left = room_beside(data, point, point.left, half_left, world);
        point.room_right = room_beside(data, point, -point.left, half_left, world);
        if (data.space) {
            const Vec3 up = cross(point.ahead, point.left);
            point.room_up = room_beside(data, point, up, half_up, world);
            point.room_down = room_beside(data, point, -up, half_up, world);
        }
        const TrackPoint& before = data.track[data.measured > 0 ? data.measured - 1 : 0];
        point.open = can_go(world, before.at, point.at.position, kSlim * data.radius);
    }
}

Fit fit_at(const FormationData& data, std::size_t i) {
    const TrackPoint& point = data.track[i];
    const double spare = kShapeSpare * data.radius;
    const auto needs = [&](double extent) { return extent > 0.0 ? extent + spare : 0.0; };
    const double wide = point.room_left + point.room_right;
    const double high = point.room_up + point.room_down;
    Fit fit;
    fit.whole = wide >= needs(data.shape_high.left - data.shape_low.left) &&
                (!data.space || high >= needs(data.shape_high.up - data.shape_low.up));
    fit.across = static_cast<std::uint32_t>(wide / data.spacing) + 1;
    fit.storeys = data.space ? static_cast<std::uint32_t>(high / data.spacing) + 1 : 1;
    return fit;
}

namespace {

Fit narrower(const Fit& a, const Fit& b) {
    return {a.whole && b.whole, a.across < b.across ? a.across : b.across,
            a.storeys < b.storeys ? a.storeys : b.storeys};
}

}  // namespace

Fit fit_between(const FormationData& data, double from, double to) {
    Fit fit{true, std::numeric_limits<std::uint32_t>::max(), data.space ? 1U << 16 : 1U};
    std::size_t i = data.point_at(from);
    const std::size_t last = data.point_at(to);
    for (; i <= last && i < data.measured; ++i) fit = narrower(fit, fit_at(data, i));
    if (fit.whole) return {};
    // no more of them than there are units, and in space as square as it can be
    const auto n = static_cast<std::uint32_t>(data.members.size());
    if (fit.across > n) fit.across = n;
    if (fit.storeys > n) fit.storeys = n;
    while (fit.across > 1 && fit.storeys > 1 && (fit.across - 1) * fit.storeys >= n) --fit.across;
    return fit;
}

void lay_beside(FormationData& data, double from) {
    const auto ease = [&](auto room_more, auto room_less, double low, double high, double TrackPoint::*out) {
        const std::size_t first = data.point_at(from);
        const double most = kEase * data.step;
        const auto wanted = [&](const TrackPoint& point) {
            const double least = -low - point.*room_less;
            const double greatest = point.*room_more - high;
            if (least > greatest) return 0.5 * (least + greatest);
            return least > 0.0 ? least : greatest < 0.0 ? greatest : 0.0;
        };
        // to either side, the nearest that is asked for near by, less for each length that it is away
        double left = 0.0;
        double right = 0.0;
        for (std::size_t i = first; i < data.measured; ++i) {
            const double now = wanted(data.track[i]);
            left = left > most ? left - most : 0.0;
            right = right < -most ? right + most : 0.0;
            if (now > left) left = now;
            if (now < right) right = now;
            data.track[i].*out = left + right;
        }
        left = right = 0.0;
        for (std::size_t i = data.measured; i-- > first;) {
            const double now = wanted(data.track[i]);
            left = left > most ? left - most : 0.0;
            right = right < -most ? right + most : 0.0;
            if (now > left) left = now;
            if (now < right) right = now;
            double& shift = data.track[i].*out;
            const double other = left + right;
            if ((shift >= 0.0 && other > shift) || (shift <= 0.0 && other < shift)) shift = other;
        }
    };
    ease(&TrackPoint::room_left, &TrackPoint::room_right, data.low.left, data.high.left, &TrackPoint::shift);
    if (data.space)
        ease(&TrackPoint::room_up, &TrackPoint::room_down, data.low.up, data.high.up, &TrackPoint::lift);
}

double find_along(const FormationData& data, Vec3 p, double known, bool everywhere) {
    const std::size_t size = data.track.size();
    std::size_t first = everywhere ? 0 : data.point_at(known - 6.0 * data.spacing);
    const std::size_t last = everywhere ? size - 1 : data.point_at(known + 6.0 * data.spacing);
    std::size_t best = first;
    double least = std::numeric_limits<double>::infinity();
    for (; first <= last; ++first) {
        const double apart = data.apart(data.track[first].at.position, p);
        if (apart < least) {
            least = apart;
            best = first;
        }
    }
    const TrackPoint& point = data.track[best];
    const double more = dot(flat(data, p - point.at.position), point.ahead);
    const double at = static_cast<double>(best) * data.step;
    if ((best == 0 && more < 0.0) || (best + 1 == size && more > 0.0)) return at + more;
    return at;
}

}  // namespace fairlead::crowd
