// Every voxel against every sample.
#include "oracle/volume_room.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace fairlead::oracle {

namespace {

/// How far a coordinate is from the range of a voxel on one axis, negative inside.
WideReal out_of(WideReal p, WideReal origin, WideReal side, std::int32_t i) {
    const WideReal low = origin + side * i;
    return std::max(low - p, p - (low + side));
}

struct Outs {
    WideReal x, y, z;
};

Outs outs_of(const VolumeDense& world, WideVec p, Voxel v) {
    return {out_of(p.x, world.origin.x, world.voxel.x, v.x), out_of(p.y, world.origin.y, world.voxel.y, v.y),
            out_of(p.z, world.origin.z, world.voxel.z, v.z)};
}

WideReal room_inside(const VolumeDense& world, WideVec p) {
    const WideReal low = std::min({p.x - world.origin.x, p.y - world.origin.y, p.z - world.origin.z});
    const WideReal high = std::min({world.origin.x + WideReal{world.voxel.x} * world.size.x - p.x,
                                    world.origin.y + WideReal{world.voxel.y} * world.size.y - p.y,
                                    world.origin.z + WideReal{world.voxel.z} * world.size.z - p.z});
    return std::min(low, high);
}

/// The least value of a function along a leg, from samples of it.
WideReal least_of(const std::function<WideReal(WideReal)>& value, int samples, WideReal speed) {
    std::vector<WideReal> found;
    for (int i = 0; i <= samples; ++i) found.push_back(value(WideReal(i) / samples));
    WideReal best = *std::min_element(found.begin(), found.end());
    // Nothing changes faster than the way is long.
    const WideReal hope = best + speed / samples;
    for (int i = 0; i <= samples; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool valley =
            (i == 0 || found[at] <= found[at - 1]) && (i == samples || found[at] <= found[at + 1]);
        if (!valley || found[at] > hope) continue;
        WideReal low = WideReal(std::max(0, i - 1)) / samples;
        WideReal high = WideReal(std::min(samples, i + 1)) / samples;
        for (int j = 0; j < 90; ++j) {
            const WideReal one = low + (high - low) / 3;
            const WideReal other = high - (high - low) / 3;
            (value(one) > value(other) ? low : high) = value(one) > value(other) ? one : other;
        }
        best = std::min(best, value((low + high) / 2));
    }
    return best;
}

}  // namespace

WideReal squared_to_voxel(const VolumeDense& world, WideVec p, Voxel v) {
    const Outs out = outs_of(world, p, v);
    WideReal sum = 0;
    for (const WideReal o : {out.x, out.y, out.z}) sum += o > 0 ? o * o : 0;
    return sum;
}

WideReal squared_room(const VolumeDense& world, WideVec p) {
    const WideReal room = std::max<WideReal>(0, room_inside(world, p));
    WideReal best = room * room;
    for (std::size_t i = 0; i < world.solid.size(); ++i) {
        if (world.solid[i] != 0) best = std::min(best, squared_to_voxel(world, p, world.at(i)));
    }
    return best;
}

WideVec wide_on_leg(const Leg& leg, WideReal share) {
    WideVec at = wide(leg.start.position);
    if (leg.kind != LegKind::drive) return at;
    at.z += share * leg.rise;
    const WideReal s = share * leg.length;
    const WideReal heading = leg.start.heading_rad;
    const WideReal way = leg.gear == Gear::reverse ? -1 : 1;
    const WideReal half = s * leg.curvature / 2;
    const WideReal chord = half == 0 ? s : s * std::sin(half) / half;
    at.x += way * chord * std::cos(heading + half);
    at.y += way * chord * std::sin(heading + half);
    return at;
}

WideReal leg_room(const VolumeDense& world, const Leg& leg, int samples) {
    const WideReal speed = std::hypot(WideReal{leg.length}, WideReal{leg.rise});
    WideReal best =
        least_of([&](WideReal share) { return room_inside(world, wide_on_leg(leg, share)); }, samples, speed);
    const WideVec middle = wide_on_leg(leg, 0.5L);
    for (std::size_t i = 0; i < world.solid.size(); ++i) {
        if (world.solid[i] == 0) continue;
        const Voxel v = world.at(i);
        if (std::sqrt(squared_to_voxel(world, middle, v)) - speed / 2 > best) continue;
        const auto value = [&](WideReal share) {
            return std::sqrt(squared_to_voxel(world, wide_on_leg(leg, share), v));
        };
        best = std::min(best, least_of(value, samples, speed));
    }
    return best;
}

WideReal depth_among_solid(const VolumeDense& world, WideVec p, WideReal far) {
    const Voxel at{static_cast<std::int32_t>(std::floor((p.x - world.origin.x) / world.voxel.x)),
                   static_cast<std::int32_t>(std::floor((p.y - world.origin.y) / world.voxel.y)),
                   static_cast<std::int32_t>(std::floor((p.z - world.origin.z) / world.voxel.z))};
    WideReal best = far;
    for (std::int32_t z = at.z - 2; z <= at.z + 2; ++z) {
        for (std::int32_t y = at.y - 2; y <= at.y + 2; ++y) {
            for (std::int32_t x = at.x - 2; x <= at.x + 2; ++x) {
                if (!world.is_free({x, y, z})) continue;
                const Outs out = outs_of(world, p, {x, y, z});
                best = std::min(best, std::max<WideReal>({0, out.x, out.y, out.z}));
            }
        }
    }
    return best;
}

}  // namespace fairlead::oracle
