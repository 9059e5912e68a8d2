// The voxel's middle nearest to a place: bricks in cubes of bricks that grow, until none farther out can be as near.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "volume/data/state.h"

namespace fairlead::volume {

template <class Bits, class Accept>
class NearestMiddle {
  public:
    /// `at`: in voxels. bits(x, y, z): which voxels of a brick count; accept(Voxel): does one of them?
    NearestMiddle(const StateData& state, Vec3 at, double reach, Bits bits, Accept accept)
        : state_(state), at_(at), squared_(reach * reach * (1.0 + 1e-12)), bits_(bits), accept_(accept) {
        const double p[3] = {at.x, at.y, at.z};
        const std::int32_t size[3] = {state.size.x, state.size.y, state.size.z};
        const double scale[3] = {state.scale.x, state.scale.y, state.scale.z};
        for (int k = 0; k < 3; ++k) {
            at_k_[k] = p[k];
            scale_[k] = scale[k];
            count_[k] = (size[k] + 3) >> 2;
            home_[k] = static_cast<std::int32_t>(std::clamp(std::floor(p[k] / 4.0), 0.0, count_[k] - 1.0));
        }
    }

    [[nodiscard]] bool run() {
        const std::int32_t most = std::max({count_[0], count_[1], count_[2]});
        for (std::int32_t ring = 0; ring <= most; ++ring) {
            const double inner = ring == 0 ? 0.0 : inner_side(ring);
            if (inner * inner > squared_) break;
            each_of_ring(ring);
        }
        return found_;
    }
    [[nodiscard]] Voxel voxel() const { return voxel_; }
    /// World units.
    [[nodiscard]] double distance() const { return std::sqrt(squared_); }

  private:
    // Nothing in this ring is nearer.
    [[nodiscard]] double inner_side(std::int32_t ring) const {
        double inner = std::numeric_limits<double>::infinity();
        for (int k = 0; k < 3; ++k) {
            const double low = (home_[k] - ring + 1) * 4.0, high = (home_[k] + ring) * 4.0;
            if (home_[k] - ring >= 0) inner = std::min(inner, std::max(at_k_[k] - low, 0.0) * scale_[k]);
            if (home_[k] + ring < count_[k])
                inner = std::min(inner, std::max(high - at_k_[k], 0.0) * scale_[k]);
        }
        return inner;
    }

    void each_of_ring(std::int32_t ring) {
        const std::int32_t *c = home_, *count = count_;
        for (std::int32_t z = std::max(c[2] - ring, 0); z <= std::min(c[2] + ring, count[2] - 1); ++z) {
            for (std::int32_t y = std::max(c[1] - ring, 0); y <= std::min(c[1] + ring, count[1] - 1); ++y) {
                const bool side_on = std::abs(z - c[2]) == ring || std::abs(y - c[1]) == ring;
                const std::int32_t step = side_on || ring == 0 ? 1 : 2 * ring;
                for (std::int32_t x = c[0] - ring; x <= c[0] + ring; x += step) {
                    if (x >= 0 && x < count[0]) try_brick(x, y, z);
                }
            }
        }
    }

    void try_brick(std::int32_t x, std::int32_t y, std::int32_t z) {
        const double low[3] = {x * 4.0 + 0.5, y * 4.0 + 0.5, z * 4.0 + 0.5};
        double least = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double p = at_k_[k];
            const double gap = (p < low[k]         ? low[k] - p
                                : p > low[k] + 3.0 ? p - low[k] - 3.0
                                                   : 0.0) *
                               scale_[k];
            least += gap * gap;
        }
        if (least > squared_) return;
        for (std::uint64_t left = bits_(x, y, z); left != 0; left &= left - 1) {
            const std::int32_t b = std::countr_zero(left);
            const Voxel v{x * 4 + (b & 3), y * 4 + (b >> 2 & 3), z * 4 + (b >> 4)};
            const double length = state_.length_of(middle_of(v) - at_);
            const double squared = length * length;
            if (squared > squared_ || (found_ && squared == squared_ && !before(v)) || !accept_(v)) continue;
            squared_ = squared;
            voxel_ = v;
            found_ = true;
        }
    }
    [[nodiscard]] bool before(Voxel v) const {
        if (v.z != voxel_.z) return v.z < voxel_.z;
        return v.y != voxel_.y ? v.y < voxel_.y : v.x < voxel_.x;
    }

    const StateData& state_;
    Vec3 at_;
    double squared_;  ///< of the best one's distance, or of the reach
    Bits bits_;
    Accept accept_;
    double at_k_[3] = {};
    double scale_[3] = {};
    std::int32_t count_[3] = {};  ///< bricks
    std::int32_t home_[3] = {};   ///< the brick that the rings are around
    bool found_ = false;
    Voxel voxel_{};
};

}  // namespace fairlead::volume
