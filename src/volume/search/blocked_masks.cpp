// Where the middle of a body may be beside the query's blockers. Bricks and parts that none comes near stay as they are; in the others
// every middle is tried: from it to the middles of the voxel's sides the body keeps off all of them. All answers are kept for the query.
#include <algorithm>
#include <bit>

#include "volume/search/masks.h"

namespace fairlead::volume {

namespace {

// Beside the keys of grown bricks.
constexpr std::uint64_t kBrickKey = std::uint64_t{1} << 62;
constexpr std::uint64_t kPartKey = std::uint64_t{1} << 63;

std::uint64_t key_of(std::int32_t x, std::int32_t y, std::int32_t z, std::uint64_t kind) {
    return kind | static_cast<std::uint64_t>(z) << 42 | static_cast<std::uint64_t>(y) << 21 |
           static_cast<std::uint64_t>(x);
}

// World units from the low corner, of the cube of `side` voxels number (x, y, z).
math::SpaceBox cube_of(const StateData& state, std::int32_t x, std::int32_t y, std::int32_t z, double side) {
    const double at[3] = {x * side, y * side, z * side}, s[3] = {state.scale.x, state.scale.y, state.scale.z};
    math::SpaceBox box{};
    for (int k = 0; k < 3; ++k) {
        box.low[k] = at[k] * s[k];
        box.high[k] = (at[k] + side) * s[k];
    }
    return box;
}

}  // namespace

// Of the blockers in near_.
bool Masks::moves_past(Voxel v) const {
    const Vec3 s = state_->scale, middle{(v.x + 0.5) * s.x, (v.y + 0.5) * s.y, (v.z + 0.5) * s.z};
    const Vec3 half[3] = {{0.5 * s.x, 0, 0}, {0, 0.5 * s.y, 0}, {0, 0, 0.5 * s.z}};
    const double margin = body_->margin, far = margin + 0.5 * std::max({s.x, s.y, s.z});
    for (const Obstacle& o : near_) {
        if (!comes_near(o, middle, middle, far)) continue;
        for (const Vec3& side : half) {
            if (comes_near(o, middle - side, middle + side, margin)) return false;
        }
    }
    return true;
}

std::uint64_t Masks::bits_past_blockers(std::int32_t x, std::int32_t y, std::int32_t z) {
    if (!state_->brick_in_bounds(x, y, z)) return 0;
    const std::uint64_t key = key_of(x, y, z, kBrickKey);
    const std::uint32_t kept = table_.find(bricks_, key);
    if (kept != kNoNode) return bricks_[kept].bits;
    std::uint64_t bits = narrow_ ? state_->free_bits(x, y, z) : grown_bits(x, y, z);
    near_.clear();
    if (bits != 0 && blockers_->around(cube_of(*state_, x, y, z, 4.0), body_->margin,
                                       [&](const Obstacle& o, std::uint32_t) { return !near_.push_back(o); }))
        failed_ = true;
    for (std::uint64_t left = near_.empty() ? 0 : bits; left != 0; left &= left - 1) {
        const std::int32_t b = std::countr_zero(left);
        if (!moves_past({x * 4 + (b & 3), y * 4 + (b >> 2 & 3), z * 4 + (b >> 4)}))
            bits &= ~(std::uint64_t{1} << b);
    }
    bool added = false;
    if (table_.find_or_add(bricks_, {key, bits}, added) == kNoNode) failed_ = true;
    return failed_ ? 0 : bits;
}

bool Masks::is_open_past_blockers(std::int32_t x, std::int32_t y, std::int32_t z) {
    const std::uint64_t key = key_of(x, y, z, kPartKey);
    const std::uint32_t kept = table_.find(bricks_, key);
    if (kept != kNoNode) return bricks_[kept].bits != 0;
    const math::SpaceBox part = cube_of(*state_, x, y, z, 8.0);
    const bool open =
        is_open_without(x, y, z) &&
        !blockers_->around(part, body_->margin, [](const Obstacle&, std::uint32_t) { return true; });
    bool added = false;
    if (table_.find_or_add(bricks_, {key, open ? 1U : 0U}, added) == kNoNode) failed_ = true;
    return open;
}

}  // namespace fairlead::volume
