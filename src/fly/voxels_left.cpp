// See voxels_left.h. A resumable backward A*: Silver 2005 (reverse resumable A*).
#include "fly/voxels_left.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

namespace fairlead::fly {

namespace {

constexpr std::uint64_t kWorkMost = 20000;  ///< expansions for one question
constexpr double kUnit = 0x1p34;            ///< cost of a voxel's shortest side

}  // namespace

VoxelsLeftSpace::VoxelsLeftSpace(Masks& masks, const ClimbLimits& climb, bool back, Vec3 root, Vec3 aim)
    : masks_(&masks), size_(masks.state().size), root_(root), aim_(aim) {
    const StateData& state = masks.state();
    unit_ = kUnit / std::min({state.scale.x, state.scale.y, state.scale.z});
    int count = 0;
    for (std::int32_t i = 0; i < 27; ++i) {
        const Voxel by{i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        if (by == Voxel{}) continue;
        const double plain = state.length_of(
            {static_cast<double>(by.x), static_cast<double>(by.y), static_cast<double>(by.z)});
        // A step away from the root is flown the other way, unless the unit comes from there.
        const bool up = back ? by.z > 0 : by.z < 0;
        const double steep = std::fabs(by.z * state.scale.z) / math::sin(up ? climb.up_rad : climb.down_rad);
        moves_[count++] = {by, static_cast<Cost>(std::max(plain, steep) * unit_ + 0.5)};
    }
}

Voxel VoxelsLeftSpace::voxel(std::uint32_t state) const {
    const auto nx = static_cast<std::uint32_t>(size_.x), ny = static_cast<std::uint32_t>(size_.y);
    return {static_cast<std::int32_t>(state % nx), static_cast<std::int32_t>(state / nx % ny),
            static_cast<std::int32_t>(state / nx / ny)};
}

Cost VoxelsLeftSpace::cost_of(Vec3 voxels) const {
    return static_cast<Cost>(masks_->state().length_of(voxels) * unit_);
}

Cost VoxelsLeftSpace::heuristic(std::uint32_t state) const {
    return cost_of(aim_ - volume::middle_of(voxel(state)));
}

bool VoxelsLeft::serves(const StateData& state) {
    return std::int64_t{state.size.x} * state.size.y * state.size.z < std::int64_t{UINT32_MAX};
}

void VoxelsLeft::begin(Masks& masks, const ClimbLimits& climb, bool back, Vec3 root, Vec3 aim) {
    space_ = VoxelsLeftSpace(masks, climb, back, root, aim);
    engine_.emplace(space_, open_, nodes_);
    engine_->begin();
    done_ = failed_ = false;
}

double VoxelsLeft::from(Vec3 at) {
    const Voxel v = volume::voxel_of(space_.masks().state(), at);
    if (!space_.masks().is_free(v)) return -1.0;
    const std::uint32_t state = space_.number(v);
    const auto known = [&] {
        const std::uint32_t node = nodes_.find(state);
        return node != kNoNode && nodes_[node].closed != 0;
    };
    constexpr std::uint64_t kSlice = 8;
    for (std::uint64_t used = 0; !known(); used += kSlice) {
        if (done_ || used >= kWorkMost) return -1.0;
        const SearchProgress progress = engine_->step(kSlice);
        failed_ = failed_ || progress == SearchProgress::no_memory;
        done_ = progress != SearchProgress::running;
    }
    return space_.to_world(nodes_[nodes_.find(state)].g);
}

}  // namespace fairlead::fly
