// See voxel_search.h.
#include "volume/search/voxel_search.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "search/run_state.h"
#include "volume/search/metric.h"
#include "volume/search/tell.h"

namespace fairlead::volume {

namespace {

// The 27 voxels around one, itself included, as bits.
std::uint32_t place27(std::int32_t x, std::int32_t y, std::int32_t z) {
    return static_cast<std::uint32_t>((x + 1) + 3 * (y + 1) + 9 * (z + 1));
}

// All voxels of the box that a step crosses.
std::uint32_t box_of(std::int32_t x, std::int32_t y, std::int32_t z) {
    std::uint32_t bits = 0;
    for (std::int32_t i = 0; i < 8; ++i)
        bits |= 1U << place27((i & 1) != 0 ? x : 0, (i & 2) != 0 ? y : 0, (i & 4) != 0 ? z : 0);
    return bits;
}

std::int32_t axes_of(VoxelNeighbours n) {
    return n == VoxelNeighbours::six ? 1 : n == VoxelNeighbours::eighteen ? 2 : 3;
}

}  // namespace

VoxelSpace::VoxelSpace(Masks& masks, Prices& prices, const VolumeQuery& query, Voxel start, Voxel goal)
    : masks_(&masks),
      prices_(&prices),
      has_prices_(!prices.empty()),
      least_(has_prices_ ? prices.least() : 1.0),
      start_(start),
      goal_(goal),
      neighbours_(query.neighbours),
      heuristic_(query.heuristic),
      blind_(query.planner == VolumePlanner::dijkstra) {
    const StateData& state = masks.state();
    size_ = state.size;
    metric_ = metric_of(state);
    goal_state_ = number(goal);
    nearest_ = number(start);
    // No way enters a voxel twice: its cost stays below 2^63.
    const double most = static_cast<double>(size_.x) * size_.y * size_.z * 2.0 *
                        std::max({metric_.x, metric_.y, metric_.z}) * (has_prices_ ? prices.most() : 1.0);
    unit_ = 0x1p34;
    while (unit_ > 0x1p8 && most * unit_ > 0x1p62) unit_ *= 0.5;
    for (std::uint32_t axes = 1; axes < 8; ++axes) {
        const Vec3 d{(axes & 1) != 0 ? 1.0 : 0.0, (axes & 2) != 0 ? 1.0 : 0.0, (axes & 4) != 0 ? 1.0 : 0.0};
        step_cost_[axes] = static_cast<Cost>(metric_length(metric_, d) * unit_ + 0.5);
        least_cost_[axes] =
            has_prices_ ? static_cast<Cost>(metric_length(metric_, d) * unit_ * least_) : step_cost_[axes];
    }
    for (std::int32_t i = 0; i < 27; ++i) {
        const std::int32_t x = i % 3 - 1, y = i / 3 % 3 - 1, z = i / 9 - 1;
        const std::uint32_t axes = (x != 0 ? 1U : 0U) | (y != 0 ? 2U : 0U) | (z != 0 ? 4U : 0U);
        if (axes == 0 || std::popcount(axes) > axes_of(neighbours_)) continue;
        const std::int64_t by = x + std::int64_t{size_.x} * (y + std::int64_t{size_.y} * z);
        moves_[count_++] = {
            box_of(x, y, z), static_cast<std::uint32_t>(by), step_cost_[axes], {x, y, z}, axes};
    }
}

Voxel VoxelSpace::voxel(std::uint32_t state) const {
    const auto nx = static_cast<std::uint32_t>(size_.x), ny = static_cast<std::uint32_t>(size_.y);
    return {static_cast<std::int32_t>(state % nx), static_cast<std::int32_t>(state / nx % ny),
            static_cast<std::int32_t>(state / nx / ny)};
}

std::uint32_t VoxelSpace::number(Voxel v) const {
    return static_cast<std::uint32_t>(v.x) +
           static_cast<std::uint32_t>(size_.x) *
               (static_cast<std::uint32_t>(v.y) +
                static_cast<std::uint32_t>(size_.y) * static_cast<std::uint32_t>(v.z));
}

std::uint32_t VoxelSpace::free_around(Voxel at) {
    std::uint32_t free = 0;
    for (std::int32_t z = -1; z <= 1; ++z) {
        for (std::int32_t y = -1; y <= 1; ++y) {
            for (std::int32_t x = -1; x <= 1; ++x) {
                if (masks_->is_free({at.x + x, at.y + y, at.z + z})) free |= 1U << place27(x, y, z);
            }
        }
    }
    return free;
}

Cost VoxelSpace::straight(Voxel at) const {
    const Vec3 d{static_cast<double>(goal_.x) - at.x, static_cast<double>(goal_.y) - at.y,
                 static_cast<double>(goal_.z) - at.z};
    return static_cast<Cost>(metric_length(metric_, d) * unit_ * (1.0 - 1e-12));
}

// Does no region come near the voxels around one?
bool VoxelSpace::is_plain_around(Voxel at) const {
    const Vec3 s = masks_->state().scale;
    return prices_->is_free_of({{(at.x - 1) * s.x, (at.y - 1) * s.y, (at.z - 1) * s.z},
                                {(at.x + 2) * s.x, (at.y + 2) * s.y, (at.z + 2) * s.z}});
}

// No less than the heuristic has it, whatever rounding does.
Cost VoxelSpace::price_of(const Move& move, Voxel at) const {
    const Vec3 from = middle_of(at),
               to = middle_of({at.x + move.step.x, at.y + move.step.y, at.z + move.step.z});
    return std::max(static_cast<Cost>(prices_->of_voxels(from, to) * unit_ + 0.5), least_cost_[move.axes]);
}

// The way if all were open: steps over as many axes as are left and allowed, then fewer.
Cost VoxelSpace::by_steps(Voxel at) const {
    std::int64_t left[3] = {std::int64_t{goal_.x} - at.x, std::int64_t{goal_.y} - at.y,
                            std::int64_t{goal_.z} - at.z};
    for (std::int64_t& d : left) d = d < 0 ? -d : d;
    Cost sum = 0;
    if (neighbours_ == VoxelNeighbours::six) {
        for (int k = 0; k < 3; ++k) sum += static_cast<Cost>(left[k]) * least_cost_[1U << k];
        return sum;
    }
    for (;;) {
        std::uint32_t axes = 0;
        std::int64_t steps = INT64_MAX;
        for (int k = 0; k < 3; ++k) {
            if (left[k] == 0) continue;
            axes |= 1U << k;
            steps = std::min(steps, left[k]);
        }
        if (axes == 0) return sum;
        sum += static_cast<Cost>(steps) * least_cost_[axes];
        for (std::int64_t& d : left) d = d > steps ? d - steps : 0;
    }
}

bool VoxelSpace::is_admissible() const {
    return blind_ || heuristic_ != VolumeHeuristic::manhattan || neighbours_ == VoxelNeighbours::six;
}

Cost VoxelSpace::heuristic(std::uint32_t state) const {
    if (blind_) return 0;
    const Voxel at = voxel(state);
    switch (heuristic_) {
        case VolumeHeuristic::euclid: return scaled(straight(at));
        case VolumeHeuristic::manhattan: {
            Cost sum = 0;
            const std::int64_t d[3] = {std::int64_t{goal_.x} - at.x, std::int64_t{goal_.y} - at.y,
                                       std::int64_t{goal_.z} - at.z};
            for (int k = 0; k < 3; ++k)
                sum += static_cast<Cost>(d[k] < 0 ? -d[k] : d[k]) * least_cost_[1U << k];
            return sum;
        }
        case VolumeHeuristic::automatic:
        case VolumeHeuristic::count_: break;
    }
    // With edges alone the rule for the open way is another one; the straight line is below it.
    return neighbours_ == VoxelNeighbours::eighteen ? scaled(straight(at)) : by_steps(at);
}

void VoxelSpace::note(std::uint32_t state, Voxel at) {
    const Cost away = straight(at);
    if (away < nearest_away_) nearest_away_ = away, nearest_ = state;
}

void VoxelTrace::tell(TraceEventKind kind, std::uint32_t s, Cost g) const {
    const Voxel v = space->voxel(s);
    volume::tell(hook, *state, {.kind = kind, .state = s, .g = g}, middle_of(v),
                 {{v.x, v.y, v.z}, {v.x + 1, v.y + 1, v.z + 1}});
}

void VoxelSearch::begin(Masks& masks, Prices& prices, const VolumeQuery& query, Voxel start, Voxel goal,
                        const SearchTrace& trace) {
    space_ = VoxelSpace(masks, prices, query, start, goal);
    engine_.emplace(space_, open_, nodes_, VoxelKey{query.planner == VolumePlanner::greedy_best_first},
                    VoxelTrace{&space_, &masks.state(), trace});
    engine_->begin();
}

SearchStats VoxelSearch::stats() const { return stats_of(*engine_); }

bool VoxelSearch::list_way(bool found, Array<Vec3>& way) {
    way.clear();
    chain_.clear();
    std::uint32_t node = found ? engine_->goal_node() : nodes_.find(space_.nearest());
    for (; node != kNoNode; node = nodes_[node].parent) {
        if (!chain_.push_back(nodes_.state_of(node))) return false;
    }
    for (std::size_t i = chain_.size(); i-- > 0;) {
        if (!way.push_back(middle_of(space_.voxel(chain_[i])))) return false;
    }
    return true;
}

}  // namespace fairlead::volume
