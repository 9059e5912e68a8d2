// A body that turns with its heading while a leg moves it: where each of its points runs in the world, and where each
// point of the world runs as the body sees it. Both are lines or arcs.
#pragma once

#include <fairlead/math/aabb.h>
#include <fairlead/math/vec.h>

#include "verify/piece.h"

namespace fairlead::witness {

/// All points within `radius` of a rectangle in the body's own frame: x ahead, y to the left, the axle at the origin.
struct RigidBody {
    Aabb core{};
    double radius = 0.0;

    /// From the axle to the farthest point.
    [[nodiscard]] double reach() const;
};

/// One rigid motion: per unit of its extent the axle runs `speed` ahead, and the body turns by `spin` radians to the left.
/// In cells.
struct Motion {
    Vec2 axle{};            ///< at the start
    Vec2 facing{1.0, 0.0};  ///< unit vector ahead at the start
    double speed = 0.0;     ///< 1 forward, -1 in reverse, 0 on the spot
    double spin = 0.0;      ///< radians
    double extent = 0.0;    ///< how far it goes: cells, on the spot radians

    [[nodiscard]] Vec2 to_world(Vec2 p) const {
        return axle + Vec2{p.x * facing.x - p.y * facing.y, p.x * facing.y + p.y * facing.x};
    }
    [[nodiscard]] Vec2 to_body(Vec2 q) const {
        const Vec2 v = q - axle;
        return {dot(v, facing), cross(facing, v)};
    }
};

/// The same motion between two distances along it.
[[nodiscard]] Motion part_of(const Motion& motion, double from, double to);

/// Where a point of the body, given in its frame, runs in the world.
[[nodiscard]] Track track_of(const Motion& motion, Vec2 of_body);

/// Where a point of the world runs in the body's frame.
[[nodiscard]] Track track_seen(const Motion& motion, Vec2 of_world);

}  // namespace fairlead::witness
