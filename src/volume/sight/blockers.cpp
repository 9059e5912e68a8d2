// See blockers.h.
#include "volume/sight/blockers.h"

#include <algorithm>
#include <cmath>

#include <fairlead/route/blocker.h>

namespace fairlead::volume {

namespace {

double shortest_side(const StateData& state) {
    return std::min({state.scale.x, state.scale.y, state.scale.z});
}

// Ten bits, each followed by two free ones.
std::uint64_t spread(std::uint64_t n) {
    n &= 0x3ff;
    n = (n | n << 16) & 0x30000ff;
    n = (n | n << 8) & 0x300f00f;
    n = (n | n << 4) & 0x30c30c3;
    return (n | n << 2) & 0x9249249;
}

void grow_over(math::SpaceBox& box, const Obstacle& o) {
    for (int k = 0; k < 3; ++k) {
        box.low[k] = std::min(box.low[k], o.box.low[k] - o.radius);
        box.high[k] = std::max(box.high[k], o.box.high[k] + o.radius);
    }
}
void grow_over(math::SpaceBox& box, const math::SpaceBox& other) {
    for (int k = 0; k < 3; ++k) {
        box.low[k] = std::min(box.low[k], other.low[k]);
        box.high[k] = std::max(box.high[k], other.high[k]);
    }
}
constexpr math::SpaceBox kNothing{{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

}  // namespace

Result<void> check_blocker(const StateData& state, const VolumeBlocker& blocker) {
    // Of a box that is none because it holds a NaN too.
    if (!is_finite(blocker.low) || !is_finite(blocker.high) ||
        (!blocker.is_box() && !(is_finite(blocker.centre) && std::isfinite(blocker.radius))))
        return Error{ErrorCode::not_finite, Field::blockers};
    // What is larger, rounding could move by more than the slack.
    const double most = state.slack * shortest_side(state) * 0x1p42;
    if (!blocker.is_box() && !(blocker.radius >= 0.0 && blocker.radius <= most))
        return Error{ErrorCode::out_of_range, Field::blockers};
    return {};
}

Result<void> check_blockers(const StateData& state, std::span<const VolumeBlocker> blockers) {
    if (blockers.size() > kBlockersMax) return Error{ErrorCode::size_limit, Field::blockers, kBlockersMax};
    for (std::size_t i = 0; i < blockers.size(); ++i) {
        const Result<void> good = check_blocker(state, blockers[i]);
        if (!good) return Error{good.error().code, Field::blockers, static_cast<std::int64_t>(i), 0};
    }
    return {};
}

Obstacle obstacle_of(const StateData& state, const VolumeBlocker& blocker, double half) {
    const bool is_box = blocker.is_box();
    const Vec3 low = (is_box ? blocker.low : blocker.centre) - state.origin,
               high = (is_box ? blocker.high : blocker.centre) - state.origin;
    return {{{low.x, low.y, low.z - half}, {high.x, high.y, high.z + half}}, is_box ? 0.0 : blocker.radius};
}

bool goes_inside(const Obstacle& o, Vec3 a, Vec3 b, double give) {
    if (o.radius > give) return comes_near(o, a, b, -give);
    const double p[3] = {a.x, a.y, a.z}, d[3] = {b.x - a.x, b.y - a.y, b.z - a.z};
    double from = 0.0, to = 1.0;
    for (int k = 0; k < 3; ++k) {
        const double low = o.box.low[k] + give - p[k], high = o.box.high[k] - give - p[k];
        if (!(low < high)) return false;
        if (d[k] == 0.0) {
            if (low >= 0.0 || high <= 0.0) return false;
            continue;
        }
        from = std::max(from, std::min(low / d[k], high / d[k]));
        to = std::min(to, std::max(low / d[k], high / d[k]));
    }
    return from < to || (a == b && from <= to);
}

bool BlockerTree::begin(const StateData& state, std::span<const VolumeBlocker> blockers, double half) {
    return build(state, static_cast<std::uint32_t>(blockers.size()), half,
                 [&](std::uint32_t i) -> const VolumeBlocker& { return blockers[i]; });
}

bool BlockerTree::begin_areas(const StateData& state, std::span<const VolumeArea> areas) {
    return build(state, static_cast<std::uint32_t>(areas.size()), 0.0,
                 [&](std::uint32_t i) -> const VolumeBlocker& { return areas[i].region; });
}

template <class Shape>
bool BlockerTree::build(const StateData& state, std::uint32_t count, double half, Shape shape) {
    keys_.clear();
    obstacles_.clear();
    numbers_.clear();
    boxes_.clear();
    levels_ = 0;
    if (count == 0) return true;
    const double size[3] = {state.size.x * state.scale.x, state.size.y * state.scale.y,
                            state.size.z * state.scale.z};
    for (std::uint32_t i = 0; i < count; ++i) {
        const Obstacle o = obstacle_of(state, shape(i), half);
        std::uint64_t key = 0;
        for (int k = 0; k < 3; ++k) {
            const double middle = 0.5 * o.box.low[k] + 0.5 * o.box.high[k];
            const double share = std::clamp(middle / size[k], 0.0, 1.0);
            key |= spread(static_cast<std::uint64_t>(share * 1023.0)) << k;
        }
        if (!keys_.push_back(key << 32 | i)) return false;
    }
    std::sort(keys_.begin(), keys_.end());  // total order
    for (const std::uint64_t key : keys_) {
        const auto i = static_cast<std::uint32_t>(key);
        if (!obstacles_.push_back(obstacle_of(state, shape(i), half)) || !numbers_.push_back(i)) return false;
    }
    auto below = static_cast<std::uint32_t>(obstacles_.size());
    do {
        first_[levels_] = static_cast<std::uint32_t>(boxes_.size());
        for (std::uint32_t i = 0; i < below; i += kFan) {
            math::SpaceBox box = kNothing;
            for (std::uint32_t j = i; j < std::min(i + kFan, below); ++j) {
                if (levels_ == 0)
                    grow_over(box, obstacles_[j]);
                else
                    grow_over(box, boxes_[first_[levels_ - 1] + j]);
            }
            if (!boxes_.push_back(box)) return false;
        }
        below = count_[levels_] = static_cast<std::uint32_t>(boxes_.size()) - first_[levels_];
        ++levels_;
    } while (below > 1);
    return true;
}

}  // namespace fairlead::volume
