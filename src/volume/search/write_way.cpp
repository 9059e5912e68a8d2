// See write_way.h.
#include "volume/search/write_way.h"

#include <cmath>

#include <fairlead/math/trig.h>

namespace fairlead::volume {

bool WayWriter::fly(Vec3 to) {
    const Vec3 along = to - at_;
    const double on_ground = length(ground(along)), in_space = length(along);
    if (in_space == 0.0) return true;
    if (on_ground > 0.0) heading_ = math::atan2(along.y, along.x);
    Leg leg;
    leg.start = {at_, heading_, 0};
    leg.length = on_ground;
    leg.rise = along.z;
    route_.length += on_ground;
    route_.cost += prices_.empty() ? in_space : prices_.of_line(at_ - state_.origin, to - state_.origin);
    at_ = to;
    return route_.legs.push_back(leg);
}

bool WayWriter::stay() {
    route_.end = {at_, heading_, 0};
    return true;
}

// A place in voxels, or the very numbers that were asked for, where it is that place.
Vec3 WayWriter::world(Vec3 at, Vec3 asked) const {
    return state_.in_voxels(asked) == at ? asked : state_.in_world(at);
}

bool WayWriter::write(Vec3 begins, std::span<const Vec3> way, const Vec3* ends, Vec3 start, Vec3 goal) {
    at_ = world(begins, start);
    for (const Vec3& place : way) {
        if (!fly(world(place, start))) return false;
    }
    if (ends != nullptr && !fly(world(*ends, goal))) return false;
    route_.line_cost = route_.cost;
    return stay();
}

}  // namespace fairlead::volume
