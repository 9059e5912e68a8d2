#include "grid/hierarchy/cluster_field.h"

#include <algorithm>

namespace fairlead::grid {

namespace {

constexpr std::uint16_t kEnd = UINT16_MAX;
constexpr std::uint32_t kDiagonal = 34;
constexpr std::int32_t kDx[8] = {1, 0, -1, 0, 1, -1, -1, 1};
constexpr std::int32_t kDy[8] = {0, 1, 0, -1, 1, 1, -1, -1};

// Is the step inside the cluster, to a free cell, past free ones?
bool may_step(const ClusterCells& cells, std::int32_t x, std::int32_t y, std::int32_t way) {
    const std::int32_t to_x = x + kDx[way], to_y = y + kDy[way];
    if (to_x < 0 || to_y < 0 || to_x >= kClusterSide || to_y >= kClusterSide) return false;
    if (!cells.free(to_x, to_y)) return false;
    return way < 4 || (cells.free(to_x, y) && cells.free(x, to_y));
}

std::uint32_t step_cost(std::int32_t way) { return way < 4 ? kStepCost : kDiagonal; }

}  // namespace

bool ClusterField::push(std::int32_t cell, std::uint32_t cost) {
    if (entries_.size() >= kEnd) return false;
    std::uint16_t& head = heads_[cost & 63U];
    if (!entries_.push_back({static_cast<std::uint16_t>(cell), head})) return false;
    head = static_cast<std::uint16_t>(entries_.size() - 1);
    costs_[cell] = static_cast<std::uint16_t>(cost);
    return true;
}

bool ClusterField::fill(const ClusterCells& cells, Cluster::Point to) {
    std::fill(std::begin(costs_), std::end(costs_), Cluster::kNone);
    std::fill(std::begin(heads_), std::end(heads_), kEnd);
    entries_.clear();
    if (!push(to.y * kClusterSide + to.x, 0)) return false;
    std::uint32_t empty = 0;
    for (std::uint32_t cost = 0; empty < 64; ++cost) {
        std::uint16_t at = heads_[cost & 63U];
        heads_[cost & 63U] = kEnd;
        empty = at == kEnd ? empty + 1 : 0;
        for (; at != kEnd; at = entries_[at].next) {
            const std::int32_t cell = entries_[at].cell;
            if (costs_[cell] != cost) continue;
            const std::int32_t x = cell % kClusterSide, y = cell / kClusterSide;
            for (std::int32_t way = 0; way < 8; ++way) {
                if (!may_step(cells, x, y, way)) continue;
                const std::int32_t next = cell + kDy[way] * kClusterSide + kDx[way];
                const std::uint32_t sum = cost + step_cost(way);
                if (sum < costs_[next] && !push(next, sum)) return false;
            }
        }
    }
    return true;
}

Cluster::Point ClusterField::next(const ClusterCells& cells, Cluster::Point p) const {
    for (std::int32_t way = 0; way < 8; ++way) {
        if (!may_step(cells, p.x, p.y, way)) continue;
        const Cluster::Point to{static_cast<std::uint8_t>(p.x + kDx[way]),
                                static_cast<std::uint8_t>(p.y + kDy[way])};
        if (cost(to) + step_cost(way) == cost(p)) return to;
    }
    return p;
}

}  // namespace fairlead::grid
