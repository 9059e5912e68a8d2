// Lines through lattices of whole numbers, and routes as straight lines.
#pragma once

#include <cmath>
#include <limits>

#include <fairlead/route/route.h>

namespace fairlead::debug {

/// Calls visit(t0, t1) of the pieces of [0, 1], in order, between which one of three linear functions, from[k] at 0 and to[k] at 1,
/// passes a whole number.
template <class Visit>
void walk_lattice(const double (&from)[3], const double (&to)[3], const Visit& visit) {
    double next[3], whole[3], rate[3];
    for (int k = 0; k < 3; ++k) {
        rate[k] = to[k] - from[k];
        whole[k] = rate[k] > 0.0 ? std::floor(from[k]) + 1.0 : std::ceil(from[k]) - 1.0;
        next[k] = rate[k] != 0.0 ? (whole[k] - from[k]) / rate[k] : std::numeric_limits<double>::infinity();
    }
    double at = 0.0;
    while (at < 1.0) {
        const int k = next[0] <= next[1] ? (next[0] <= next[2] ? 0 : 2) : (next[1] <= next[2] ? 1 : 2);
        const double end = next[k] < 1.0 ? next[k] : 1.0;
        if (end > at) visit(at, end);
        at = end > at ? end : at;
        if (!(next[k] < 1.0)) break;
        whole[k] += rate[k] > 0.0 ? 1.0 : -1.0;
        next[k] = (whole[k] - from[k]) / rate[k];
    }
}

/// Finite, and so near to the blocks that walks end and their whole numbers are of 32 bits.
[[nodiscard]] inline bool is_walkable(Vec3 blocks) {
    constexpr double kMost = 1e6;
    return std::fabs(blocks.x) < kMost && std::fabs(blocks.y) < kMost && std::fabs(blocks.z) < kMost;
}

/// Calls visit(a, b) of straight lines along a route, curves in 32 pieces.
template <class Visit>
void each_straight(const Route& route, const Visit& visit) {
    constexpr int kPieces = 32;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        const Vec3 end = leg_end(route, i).position;
        Vec3 last = leg.start.position;
        const int pieces = leg.curvature != 0.0 ? kPieces : 1;
        for (int k = 1; k <= pieces; ++k) {
            const Vec3 at = k == pieces ? end : place_on_leg(leg, leg.length * k / kPieces).position;
            if (!(at == last)) visit(last, at);
            last = at;
        }
    }
}

}  // namespace fairlead::debug
