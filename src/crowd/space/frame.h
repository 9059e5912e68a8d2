// Two directions at right angles to a third one.
#pragma once

#include <fairlead/math/vec.h>

namespace fairlead::crowd {

struct Frame {
    Vec3 side{};
    Vec3 other{};

    [[nodiscard]] Vec2 of(Vec3 v) const { return {dot(side, v), dot(other, v)}; }
};

/// `along` of length 1. Where it is not straight up, `side` is level and to the right of it.
[[nodiscard]] inline Frame frame_across(Vec3 along) {
    const Vec3 right{along.y, -along.x, 0.0};
    const double size = length(right);
    Frame frame;
    // for the way down it is the other side than for the way up, as it is for there and back on the ground
    frame.side = size > 1e-6 ? right / size : Vec3{0.0, along.z > 0.0 ? -1.0 : 1.0, 0.0};
    const Vec3 other = cross(frame.side, along);
    frame.other = other / length(other);
    if (!(size > 1e-6)) {
        const Vec3 level = cross(along, frame.other);
        frame.side = level / length(level);
    }
    return frame;
}

}  // namespace fairlead::crowd
