// Random draws that worlds of turning units are made from, also for the digest scenes: header only, and one draw a statement,
// because the order of the draws is part of a scene.
#pragma once

#include <cstdint>

#include <fairlead/base/rng.h>
#include <fairlead/drive/headings.h>
#include <fairlead/math/pose.h>

namespace fairlead::testing {

/// Calls block(left, low, width, height) for each of `count` blocks that begin on a map; their sides are 1 to side_max, and
/// they may end beyond it.
template <class Block>
void random_blocks(Rng& rng, std::int32_t count, std::int32_t map_width, std::int32_t map_height,
                   std::int32_t side_max, const Block& block) {
    for (std::int32_t i = 0; i < count; ++i) {
        const std::int32_t left = rng.between(0, map_width - 1);
        const std::int32_t low = rng.between(0, map_height - 1);
        const std::int32_t width = rng.between(1, side_max);
        const std::int32_t height = rng.between(1, side_max);
        block(left, low, width, height);
    }
}

/// The centre of a cell in one of 8 headings.
inline Pose random_lattice_pose(Rng& rng, std::int32_t map_width, std::int32_t map_height) {
    Pose pose{{0.5, 0.5}, 0.0};
    pose.position.x += rng.between(0, map_width - 1);
    pose.position.y += rng.between(0, map_height - 1);
    pose.heading_rad = heading_rad(8, rng.between(0, 7));
    return pose;
}

/// By up to half a cell and half a radian.
inline void move_off_lattice(Rng& rng, Pose& pose) {
    pose.position.x += rng.unit() - 0.5;
    pose.position.y += rng.unit() - 0.5;
    pose.heading_rad += rng.unit() - 0.5;
}

}  // namespace fairlead::testing
