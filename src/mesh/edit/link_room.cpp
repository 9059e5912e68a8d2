// Where along a link a unit with a radius has room at both ends.
#include <algorithm>
#include <cmath>

#include "mesh/search/any_angle.h"

namespace fairlead::mesh {

namespace {

struct Stretch {
    double low = 0.0;
    double high = 0.0;
};

void join(Stretch& sum, double low, double high) {
    if (low > high) return;
    sum.low = std::min(sum.low, low);
    sum.high = std::max(sum.high, high);
}

// The shares of ab nearer than `room` to the segment uv: one stretch, as distance from a convex set is convex along a line.
Stretch near_stretch(Vec2 a, Vec2 b, Vec2 u, Vec2 v, double room) {
    Stretch sum{2.0, -1.0};
    const Vec2 d = b - a, w = v - u;
    const double square = dot(d, d), wide = length(w);
    for (const Vec2 corner : {u, v}) {
        const Vec2 off = a - corner;
        const double middle = -dot(off, d), rest = dot(off, off) - room * room;
        const double root = middle * middle - square * rest;
        if (square == 0.0) {
            if (rest < 0.0) join(sum, -1.0, 2.0);
        } else if (root > 0.0) {
            join(sum, (middle - std::sqrt(root)) / square, (middle + std::sqrt(root)) / square);
        }
    }
    // Beside it: each of these is linear along ab. Beyond its ends too, so that no end is left over.
    double low = -1.0, high = 2.0;
    const auto clip = [&](double at_a, double at_b) {
        const double rate = at_b - at_a;
        if (rate > 0.0) low = std::max(low, -at_a / rate);
        if (rate < 0.0) high = std::min(high, at_a / -rate);
        if (rate == 0.0 && at_a < 0.0) low = 3.0;
    };
    if (wide > 0.0) {
        const double reach = room * wide;
        clip(reach - cross(w, a - u), reach - cross(w, b - u));
        clip(reach + cross(w, a - u), reach + cross(w, b - u));
        clip(dot(w, a - u), dot(w, b - u));
        clip(dot(w, v - a), dot(w, v - b));
        join(sum, low, high);
    }
    return sum;
}

}  // namespace

// The widest part of a piece that is clear of walls on both sides; low > high: none. False: out of memory.
bool AnyAngleSpace::clear_range(std::uint32_t number, double& low, double& high) {
    Range& known = ranges_[number];
    if (known.stamp == stamp_) {
        low = known.low;
        high = known.high;
        return true;
    }
    const LinkPiece& piece = links_->pieces[number];
    const double room = link_use_.room - link_use_.slack;
    // What walls leave, from the right on: a few stretches at most, so those are kept that are widest.
    constexpr int kMost = 16;
    Stretch free[kMost] = {{0.0, 1.0}};
    int count = 1;
    const auto take_off = [&](const Stretch& wall) {
        if (wall.low > wall.high) return;
        Stretch rest[kMost + 1];
        int kept = 0;
        for (int i = 0; i < count; ++i) {
            const Stretch parts[] = {{free[i].low, std::min(free[i].high, wall.low)},
                                     {std::max(free[i].low, wall.high), free[i].high}};
            for (const Stretch& part : parts) {
                if (part.low > part.high || kept > kMost) continue;
                rest[kept++] = part;
            }
        }
        if (kept > kMost) {
            int least = 0;
            for (int i = 1; i < kept; ++i) {
                if (rest[i].high - rest[i].low < rest[least].high - rest[least].low) least = i;
            }
            for (int i = least; i + 1 < kept; ++i) rest[i] = rest[i + 1];
            --kept;
        }
        count = kept;
        for (int i = 0; i < kept; ++i) free[i] = rest[i];
    };
    for (const bool exit : {false, true}) {
        const Vec2* const side = exit ? piece.out : piece.in;
        const std::uint32_t polygon = exit ? piece.polygon_out : piece.polygon_in;
        const auto near = [&](Vec2 u, Vec2 v) {
            const Stretch part = near_stretch(side[0], side[1], u, v, link_use_.room);
            return part.low <= 1.0 && part.high >= 0.0 && part.low <= part.high;
        };
        const auto wall = [&](EdgeRef, Vec2 u, Vec2 v) {
            take_off(near_stretch(side[0], side[1], u, v, room));
        };
        if (!flood_where(*state_, polygon, areas_closed_, flood_, near, wall)) return false;
    }
    Stretch best{1.0, 0.0};
    for (int i = 0; i < count; ++i) {
        if (free[i].high - free[i].low > best.high - best.low) best = free[i];
    }
    known = {stamp_, best.low, best.high};
    low = best.low;
    high = best.high;
    return true;
}

}  // namespace fairlead::mesh
