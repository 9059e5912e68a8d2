#include "grid/hierarchy/unpack.h"

#include <algorithm>

#include "grid/hierarchy/entrances.h"

namespace fairlead::grid {

namespace {

/// The other name of a part on a border between two of the 16 clusters. False: it has but one.
template <class Any>
bool other_name(const Any& cluster, const ClusterSpace& space, std::int32_t level, std::int32_t layer,
                std::int32_t x, std::int32_t y, UpperCluster::Part& part) {
    const std::int32_t side = side_of_node(cluster.header->first, part.node);
    if (side == kPlaceSide) return false;
    const std::int32_t dx = part.cluster % kClusterFan + side_dx(side);
    const std::int32_t dy = part.cluster / kClusterFan + side_dy(side);
    if (dx < 0 || dy < 0 || dx >= kClusterFan || dy >= kClusterFan) return false;
    const std::int32_t k = part.node - cluster.header->first[side];
    const std::int32_t at_x = x * kClusterFan + dx, at_y = y * kClusterFan + dy;
    if (!space.inside(level, at_x, at_y)) return false;  // beyond a seam
    const std::int32_t back = opposite_side(side);
    const std::int32_t first = level == 0 ? space.ground(layer, at_x, at_y).first(back)
                                          : space.upper(level, layer, at_x, at_y).first(back);
    part = {static_cast<std::uint8_t>(dy * kClusterFan + dx), static_cast<std::uint8_t>(first + k)};
    return true;
}

/// Both names of a part of the cluster (x, y) one level above `level`.
struct Names {
    UpperCluster::Part name[2];
    std::int32_t count = 1;

    Names(const ClusterSpace& space, std::int32_t level, std::int32_t layer, std::int32_t x, std::int32_t y,
          UpperCluster::Part part) {
        name[0] = name[1] = part;
        const std::int32_t at_x = x * kClusterFan + part.cluster % kClusterFan;
        const std::int32_t at_y = y * kClusterFan + part.cluster / kClusterFan;
        const auto other = [&](const auto& cluster) {
            return other_name(cluster, space, level, layer, x, y, name[1]);
        };
        const bool two = level == 0 ? other(space.ground(layer, at_x, at_y))
                                    : other(space.upper(level, layer, at_x, at_y));
        if (two) count = 2;
    }
};

/// The node over which a way that is inside a cluster leaves it for the next one. Where an axis wraps a border's node may be on two sides
/// of a cluster: the way on tells which. To where a portal leads, the place with the cheapest way through it.
template <class Any, class CostTo>
std::int32_t exit_to(const ClusterSpace& space, const Any& cluster, const ClusterHop& to,
                     const CostTo& cost_to) {
    if (!is_place(to.id)) {
        std::int32_t node = to.into_owner ? 0 : cluster.first(kEastSide);
        while (cluster.nodes[node].id != to.id) ++node;
        return node;
    }
    std::int32_t best = -1;
    Cost least = kCostMax;
    for (std::int32_t i = cluster.first(kPlaceSide); i < cluster.count(); ++i) {
        const Cost through = space.portal_cost(cluster.nodes[i].id, to.id);
        const std::uint32_t walk = cost_to(i);
        if (through == kCostMax || walk == kNoCost) continue;
        const Cost sum = (Cost{walk} << ClusterSpace::kFraction) + through;
        if (sum >= least) continue;
        least = sum;
        best = i;
    }
    FAIRLEAD_ASSERT(best >= 0);
    return best;
}

}  // namespace

bool Unpacker::add_cell(std::int32_t cluster_x, std::int32_t cluster_y, Cluster::Point p) {
    const Cell cell{cluster_x * kClusterSide + p.x, cluster_y * kClusterSide + p.y, layer_};
    if (!cells_->empty() && cells_->back().cell == cell) return true;
    return cells_->push_back({cell, false});
}

bool Unpacker::walk(std::int32_t x, std::int32_t y, Cluster::Point from, Cluster::Point to) {
    ClusterCells cells;
    space_->gather(layer_, x, y, cells);
    if (!field_->fill(cells, to)) return false;
    std::int32_t dx = 0, dy = 0;
    for (Cluster::Point p = from; p.x != to.x || p.y != to.y;) {
        const Cluster::Point next = field_->next(cells, p);
        const bool turns = next.x - p.x != dx || next.y - p.y != dy;
        if (turns && !add_cell(x, y, p)) return false;
        dx = next.x - p.x;
        dy = next.y - p.y;
        p = next;
    }
    return add_cell(x, y, to);
}

bool Unpacker::add_row(std::int32_t x, std::int32_t y, std::int32_t p, std::int32_t e) {
    const Cluster cluster = space_->ground(layer_, x, y);
    if (cluster.header->crowded != 0) return walk(x, y, cluster.points[p], cluster.points[e]);
    const std::uint8_t* next = cluster.next + e * cluster.header->points;
    for (;; p = next[p]) {
        if (!add_cell(x, y, cluster.points[p])) return false;
        if (p == e) return true;
    }
}

bool Unpacker::cross_part(std::int32_t level, std::int32_t x, std::int32_t y, UpperCluster::Part from,
                          UpperCluster::Part to) {
    const Names a(*space_, level, layer_, x, y, from);
    const Names b(*space_, level, layer_, x, y, to);
    std::uint32_t best = kNoCost;
    UpperCluster::Part one{}, two{};
    for (std::int32_t i = 0; i < a.count; ++i) {
        for (std::int32_t j = 0; j < b.count; ++j) {
            if (a.name[i].cluster != b.name[j].cluster) continue;
            const std::int32_t at_x = x * kClusterFan + a.name[i].cluster % kClusterFan;
            const std::int32_t at_y = y * kClusterFan + a.name[i].cluster / kClusterFan;
            const std::uint32_t cost =
                level == 0 ? space_->ground(layer_, at_x, at_y).cost(a.name[i].node, b.name[j].node)
                           : space_->upper(level, layer_, at_x, at_y).cost(a.name[i].node, b.name[j].node);
            if (cost >= best) continue;
            best = cost;
            one = a.name[i];
            two = b.name[j];
        }
    }
    FAIRLEAD_ASSERT(best != kNoCost);
    return cross(level, x * kClusterFan + one.cluster % kClusterFan,
                 y * kClusterFan + one.cluster / kClusterFan, one.node, two.node);
}

bool Unpacker::cross(std::int32_t level, std::int32_t x, std::int32_t y, std::int32_t from, std::int32_t to) {
    if (level == 0) return add_row(x, y, from, to);
    const UpperCluster cluster = space_->upper(level, layer_, x, y);
    struct Pair {
        std::uint8_t from;
        std::uint8_t to;
    };
    // A way has each part once at most.
    Pair stack[kPartsMax + 2];
    std::int32_t depth = 0;
    stack[depth++] = {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)};
    while (depth > 0) {
        const Pair pair = stack[--depth];
        const std::uint8_t via = cluster.way(pair.from, pair.to);
        if (via != UpperCluster::kDirect) {
            stack[depth++] = {via, pair.to};
            stack[depth++] = {pair.from, via};
            continue;
        }
        if (!cross_part(level - 1, x, y, cluster.parts[pair.from], cluster.parts[pair.to])) return false;
    }
    return true;
}

bool Unpacker::go_through(const ClusterHop& to) {
    if (!is_place(to.id)) return true;
    const Cell cell = space_->beyond(to.id, false);
    layer_ = cell.layer;
    return cells_->push_back({cell, true});
}

// From the start to the first node, which is an entrance of the start's cluster or where a portal in it leads to.
bool Unpacker::leave_start(const ClusterHop& hop) {
    const Insertion& start = space_->from();
    layer_ = start.layer;
    const Cluster cluster = space_->ground(layer_, start.cluster_x, start.cluster_y);
    if (!add_cell(start.cluster_x, start.cluster_y, start.at)) return false;
    const std::int32_t e = exit_to(*space_, cluster, hop, [&](std::int32_t i) { return start.cost[i]; });
    const bool walked = cluster.header->crowded != 0
                            ? walk(start.cluster_x, start.cluster_y, start.at, cluster.points[e])
                            : add_row(start.cluster_x, start.cluster_y, start.point[e], e);
    return walked && go_through(hop);
}

// From one node to the next.
bool Unpacker::follow(const ClusterHop& hop, const ClusterHop& to) {
    const ClusterEntry entry = space_->enter(hop.id, hop.into_owner);
    layer_ = entry.layer;
    const auto cross_to = [&](const auto& cluster) {
        const std::int32_t node = exit_to(*space_, cluster, to, [&](std::int32_t i) {
            return i == entry.node ? 0 : cluster.cost(entry.node, i);
        });
        const bool stays = node == entry.node;  // one portal after another
        return (stays || cross(entry.level, entry.x, entry.y, entry.node, node)) && go_through(to);
    };
    return entry.level == 0 ? cross_to(space_->ground(layer_, entry.x, entry.y))
                            : cross_to(space_->upper(entry.level, layer_, entry.x, entry.y));
}

// From the last node to the goal: its insertion, backwards.
bool Unpacker::arrive(const ClusterHop& hop) {
    const Insertion& goal = space_->to();
    const ClusterEntry entry = space_->enter(hop.id, hop.into_owner);
    layer_ = entry.layer;
    const Cluster cluster = space_->ground(layer_, entry.x, entry.y);
    if (cluster.header->crowded != 0) return walk(entry.x, entry.y, cluster.points[entry.node], goal.at);
    const std::size_t begin = cells_->size();
    if (!add_row(entry.x, entry.y, goal.point[entry.node], entry.node)) return false;
    std::reverse(cells_->begin() + begin, cells_->end());
    return add_cell(goal.cluster_x, goal.cluster_y, goal.at);
}

bool Unpacker::unpack(std::span<const ClusterHop> hops) {
    if (!leave_start(hops[0])) return false;
    for (std::size_t i = 1; i < hops.size(); ++i) {
        if (!follow(hops[i - 1], hops[i])) return false;
    }
    return arrive(hops[hops.size() - 1]);
}

bool Unpacker::unpack_first(std::span<const ClusterHop> hops) {
    if (!leave_start(hops[0])) return false;
    return hops.size() == 1 ? arrive(hops[0]) : follow(hops[0], hops[1]);
}

bool Unpacker::unpack_part(std::span<const ClusterHop> hops) {
    if (!leave_start(hops[0])) return false;
    for (std::size_t i = 1; i < hops.size(); ++i) {
        if (!follow(hops[i - 1], hops[i])) return false;
    }
    const ClusterHop& last = hops[hops.size() - 1];
    const Cell beyond = space_->beyond(last.id, last.into_owner);
    return cells_->back().cell == beyond || cells_->push_back({beyond, false});
}

}  // namespace fairlead::grid
