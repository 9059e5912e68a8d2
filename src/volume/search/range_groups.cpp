// See range_groups.h. Bricks as bits, flooded one after the other.
#include "volume/search/range_groups.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "volume/components/flood.h"

namespace fairlead::volume {

bool RangeGroups::before(const Group& a, const Group& b) {
    if (a.squared != b.squared) return a.squared < b.squared;
    if (a.nearest.z != b.nearest.z) return a.nearest.z < b.nearest.z;
    return a.nearest.y != b.nearest.y ? a.nearest.y < b.nearest.y : a.nearest.x < b.nearest.x;
}

bool RangeGroups::list(Masks& masks, Vec3 place, double range, const Voxel* without) {
    masks_ = &masks;
    place_ = place;
    range_ = range;
    index_.begin();
    bricks_.clear();
    todo_.clear();
    groups_.clear();
    if (!gather()) return false;
    if (without != nullptr) {
        Group none{std::numeric_limits<double>::infinity()};
        const std::uint32_t i = index_.find({without->x >> 2, without->y >> 2, without->z >> 2});
        const std::uint64_t bit = std::uint64_t{1} << place64(without->x, without->y, without->z);
        if (i != kNone && !flood({i, bricks_[i].bits & bit}, none)) return false;
    }
    for (std::uint32_t i = 0; i < bricks_.size(); ++i) {
        for (;;) {
            const std::uint64_t left = bricks_[i].bits & ~bricks_[i].seen;
            if (left == 0) break;
            Group group{std::numeric_limits<double>::infinity()};
            if (!flood({i, left & (~left + 1)}, group) || !groups_.push_back(group)) return false;
        }
    }
    std::sort(groups_.begin(), groups_.end(), before);  // total order
    return true;
}

// The bricks that the ball meets.
bool RangeGroups::gather() {
    const StateData& state = masks_->state();
    const Vec3 p = state.in_voxels(place_);
    const double at[3] = {p.x, p.y, p.z}, scale[3] = {state.scale.x, state.scale.y, state.scale.z};
    const std::int32_t size[3] = {state.size.x, state.size.y, state.size.z};
    std::int32_t low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        const double grow = range_ / scale[k] + 1.0, last = size[k] - 1.0;
        if (at[k] + grow < 0.0 || at[k] - grow > last + 1.0) return true;
        low[k] = static_cast<std::int32_t>(std::clamp(std::floor(at[k] - grow), 0.0, last)) >> 2;
        high[k] = static_cast<std::int32_t>(std::clamp(std::floor(at[k] + grow), 0.0, last)) >> 2;
    }
    for (std::int32_t z = low[2]; z <= high[2]; ++z) {
        for (std::int32_t y = low[1]; y <= high[1]; ++y) {
            for (std::int32_t x = low[0]; x <= high[0]; ++x) {
                const std::uint64_t bits = in_range({x, y, z}, masks_->free(x, y, z));
                if (bits == 0) continue;
                const auto i = static_cast<std::uint32_t>(bricks_.size());
                if (!bricks_.push_back({{x, y, z}, bits, 0}) || !index_.insert({x, y, z}, i)) return false;
            }
        }
    }
    return !masks_->failed();
}

double RangeGroups::squared_to(Voxel v) const {
    const Vec3 gap = masks_->state().in_world(middle_of(v)) - place_;
    return dot(gap, gap);
}

std::uint64_t RangeGroups::in_range(Voxel brick, std::uint64_t bits) const {
    std::uint64_t in = 0;
    for (std::uint64_t left = bits; left != 0; left &= left - 1) {
        const std::int32_t b = std::countr_zero(left);
        const Voxel v{brick.x * 4 + (b & 3), brick.y * 4 + (b >> 2 & 3), brick.z * 4 + (b >> 4)};
        if (squared_to(v) <= range_ * range_) in |= std::uint64_t{1} << b;
    }
    return in;
}

bool RangeGroups::add(Voxel brick, std::uint64_t bits) {
    if (bits == 0) return true;
    const std::uint32_t i = index_.find(brick);
    if (i == kNone) return true;
    bits &= bricks_[i].bits & ~bricks_[i].seen;
    return bits == 0 || todo_.push_back({i, bits});
}

bool RangeGroups::flood(Seed seed, Group& group) {
    bool good = todo_.push_back(seed);
    while (good && !todo_.empty()) {
        const Seed next = todo_.back();
        todo_.pop_back();
        Brick& brick = bricks_[next.brick];
        const std::uint64_t fresh = next.bits & ~brick.seen;
        if (fresh == 0) continue;
        const Voxel at = brick.at;
        const std::uint64_t now = flood_brick(fresh, brick.bits);
        brick.seen |= now;
        for (std::uint64_t left = now; left != 0; left &= left - 1) {
            const std::int32_t b = std::countr_zero(left);
            const Voxel v{at.x * 4 + (b & 3), at.y * 4 + (b >> 2 & 3), at.z * 4 + (b >> 4)};
            const Group one{squared_to(v), v};
            if (before(one, group)) group = one;
        }
        good = add({at.x + 1, at.y, at.z}, now >> 3 & kLowX) &&
               add({at.x - 1, at.y, at.z}, (now & kLowX) << 3) &&
               add({at.x, at.y + 1, at.z}, now >> 12 & kLowY) &&
               add({at.x, at.y - 1, at.z}, (now & kLowY) << 12) && add({at.x, at.y, at.z + 1}, now >> 48) &&
               add({at.x, at.y, at.z - 1}, now << 48);
    }
    return good;
}

}  // namespace fairlead::volume
