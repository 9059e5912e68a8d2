#include <fairlead/route/speed_profile.h>

#include <algorithm>
#include <cmath>

namespace fairlead {

namespace {

// Speed after `part` (0 to 1) of the length between two knots.
double speed_after(const SpeedKnot& from, const SpeedKnot& to, double part) {
    const double squared = from.speed * from.speed * (1.0 - part) + to.speed * to.speed * part;
    return std::sqrt(std::max(squared, 0.0));
}

// The knot that the time lies behind, with one after it; knots.size() > 1.
std::size_t interval_of_time(std::span<const SpeedKnot> knots, double time) {
    const auto after = std::upper_bound(knots.begin() + 1, knots.end() - 1, time,
                                        [](double t, const SpeedKnot& knot) { return t < knot.time; });
    return static_cast<std::size_t>(after - knots.begin()) - 1;
}

// Seconds since a knot, without the slowdown of terrain.
double seconds_since(const SpeedKnot& knot, const SpeedKnot& next, double time) {
    return (std::clamp(time, knot.time, next.time) - knot.time) / knot.slowdown;
}

double acceleration(const SpeedKnot& knot, const SpeedKnot& next) {
    const double length = next.distance - knot.distance;
    return length > 0.0 ? (next.speed - knot.speed) * (next.speed + knot.speed) / (2.0 * length) : 0.0;
}

}  // namespace

double time_at(std::span<const SpeedKnot> knots, double distance) {
    if (knots.empty()) return 0.0;
    const auto next = std::lower_bound(knots.begin(), knots.end(), distance,
                                       [](const SpeedKnot& knot, double d) { return knot.distance < d; });
    if (next == knots.end()) return knots.back().time;
    if (next == knots.begin()) return next->time;
    const SpeedKnot& from = *(next - 1);
    const double length = next->distance - from.distance;
    const double gone = distance - from.distance;
    const double mean = 0.5 * (from.speed + speed_after(from, *next, gone / length));
    return mean > 0.0 ? std::min(next->time, from.time + from.slowdown * gone / mean) : from.time;
}

double distance_at(std::span<const SpeedKnot> knots, double time) {
    if (knots.size() < 2) return 0.0;
    const std::size_t i = interval_of_time(knots, time);
    const SpeedKnot& knot = knots[i];
    const SpeedKnot& next = knots[i + 1];
    if (time >= next.time) return next.distance;
    const double t = seconds_since(knot, next, time);
    const double gone = (knot.speed + 0.5 * acceleration(knot, next) * t) * t;
    return std::clamp(knot.distance + gone, knot.distance, next.distance);
}

double speed_at(std::span<const SpeedKnot> knots, double time) {
    if (knots.empty()) return 0.0;
    if (knots.size() == 1) return knots[0].speed;
    const std::size_t i = interval_of_time(knots, time);
    if (time >= knots[i + 1].time) return knots[i + 1].speed;
    const double gained = acceleration(knots[i], knots[i + 1]) * seconds_since(knots[i], knots[i + 1], time);
    return std::max(0.0, knots[i].speed + gained);
}

Place place_at(const Route& route, std::span<const SpeedKnot> knots, double time) {
    return place_on_route(route, distance_at(knots, time));
}

}  // namespace fairlead
