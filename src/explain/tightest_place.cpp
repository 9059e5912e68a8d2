// See tightest_place.h.
#include "explain/tightest_place.h"

#include <algorithm>

#include <fairlead/math/vec.h>

#include "volume/sight/walk.h"

namespace fairlead::explaining {

bool RouteLine::begin(const Route& route) {
    points_.clear();
    at_.clear();
    const Vec3 start = route.legs.empty() ? route.end.position : route.legs[0].start.position;
    if (!points_.push_back(start) || !at_.push_back(0.0)) return false;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Vec3 to = leg_end(route, i).position;
        const double next = at_.back() + distance(points_.back(), to);
        if (!points_.push_back(to) || !at_.push_back(next)) return false;
    }
    return true;
}

Vec3 RouteLine::point(double along) const {
    std::size_t i = 1;
    while (i + 1 < at_.size() && at_[i] < along) ++i;
    if (i >= at_.size()) return points_[0];
    const double leg = at_[i] - at_[i - 1];
    const double share = leg > 0.0 ? std::clamp((along - at_[i - 1]) / leg, 0.0, 1.0) : 0.0;
    return points_[i - 1] + (points_[i] - points_[i - 1]) * share;
}

RouteLine::Tight RouteLine::tightest(const VolumeState& volume, double low, double high, double half,
                                     double limit, double step, std::uint64_t& budget) const {
    struct Stretch {
        double low, high;
    };
    Tight best{point(low), volume::room_at(volume.data(), point(low), half, limit)};
    const auto look = [&](double along) {
        const Vec3 p = point(along);
        const double room = volume::room_at(volume.data(), p, half, limit);
        if (room < best.room) best = {p, room};
        return room;
    };
    (void)look(high);
    // Halves of halves: as many as a double has bits.
    Stretch todo[64];
    std::size_t count = 0;
    todo[count++] = {low, high};
    while (count > 0 && budget > 0) {
        const Stretch now = todo[--count];
        --budget;
        const double middle = 0.5 * (now.low + now.high), part = 0.5 * (now.high - now.low);
        const double room = look(middle);
        if (part <= step || room - part >= best.room - step || count + 2 > 64) continue;
        todo[count++] = {middle, now.high};
        todo[count++] = {now.low, middle};
    }
    return best;
}

}  // namespace fairlead::explaining
