#include "grid/hierarchy/stored_clusters.h"

#include <algorithm>

#include "grid/block.h"

namespace fairlead::grid {

namespace {

constexpr std::size_t pairs_of(std::size_t count) { return count == 0 ? 0 : count * (count - 1) / 2; }

// Is going on from point p to its next point the first part of a way to entrance e, which costs what it should?
bool leads_on(const ClusterScratch& s, std::size_t e, std::size_t p) {
    const std::size_t count = s.points.size();
    const std::uint16_t* costs = s.costs.data() + e * count;
    const std::uint8_t* next = s.next.data() + e * count;
    const auto step = [&](std::size_t from, std::size_t to) {
        return taut_cost(s.points[to].x - s.points[from].x, s.points[to].y - s.points[from].y);
    };
    const std::size_t q = next[p];
    if (q >= count || q == p || costs[q] == Cluster::kNone) return false;
    if (std::uint32_t{costs[q]} + step(p, q) != costs[p]) return false;
    // Up to four points share a cell, two entrances, a place of portals and a corner. Steps of no length may not go round.
    constexpr int kInACell = 4;
    std::size_t from = p, to = q;
    for (int i = 1; to != e && step(from, to) == 0; ++i) {
        from = to;
        to = next[from];
        if (i == kInACell || to >= count) return false;
    }
    return true;
}

}  // namespace

void put_stored(ByteWriter& out, const Cluster& cluster) {
    const std::size_t entries = std::size_t{cluster.header->entrances} * cluster.header->points;
    const bool crowded = cluster.header->crowded != 0;
    out.put(static_cast<std::uint8_t>(crowded));
    for (std::size_t i = 0; i < entries; ++i) out.put(cluster.costs[i]);
    for (std::size_t i = 0; i < entries && !crowded; ++i) out.put(cluster.next[i]);
}

void put_stored(ByteWriter& out, const UpperCluster& cluster) {
    const std::int32_t nodes = cluster.count();
    for (std::int32_t i = 1; i < nodes; ++i) {
        for (std::int32_t j = 0; j < i; ++j) out.put(cluster.cost(i, j));
    }
    const std::size_t parts = cluster.header->parts;
    for (std::size_t i = 0; i < pairs_of(parts); ++i) out.put(cluster.via[i]);
}

bool StoredClusters::read_row(const ClusterSight& sight, std::size_t e, ClusterScratch& s) {
    const std::size_t count = s.points.size();
    const std::uint16_t* costs = s.costs.data() + e * count;
    const std::uint8_t* next = s.next.data() + e * count;
    if (costs[e] != 0) return fail();
    for (std::size_t p = 0; p < count; ++p) {
        if (p == e || costs[p] == Cluster::kNone) continue;
        const std::size_t q = next[p];
        if (!leads_on(s, e, p)) return fail();
        const std::size_t pair = p < q ? q * (q - 1) / 2 + p : p * (p - 1) / 2 + q;
        std::uint64_t& seen = s.words[pair / 64];
        const std::uint64_t bit = std::uint64_t{1} << (pair % 64);
        if ((seen & bit) != 0) continue;
        // As when it was made: from the lower number.
        const Cluster::Point from = s.points[std::min(p, q)], to = s.points[std::max(p, q)];
        const std::int32_t dx = to.x - from.x, dy = to.y - from.y;
        if (!bends_at(s.corners[p], dx, dy) || !bends_at(s.corners[q], dx, dy)) return fail();
        if (!sight.sees(s.cells, from, to)) return fail();
        seen |= bit;
    }
    return true;
}

// A crowded cluster: its ways are walked from cell to cell, and there is one just where the connectivity index says so.
bool StoredClusters::read_cell_ways(const StateData& state, const Body& body, std::int32_t layer,
                                    std::size_t entrances, ClusterScratch& s) {
    if (!s.points.resize(entrances) || !s.corners.resize(entrances) || !s.costs.resize(entrances * entrances))
        return false;
    const BlockTree tree = BlockTree::of(state, body);
    const auto label = [&](std::size_t e) {
        return tree.leaf_label(s.cells.x + s.points[e].x, s.cells.y + s.points[e].y, layer);
    };
    for (std::size_t a = 0; a < entrances; ++a) {
        for (std::size_t b = 0; b < entrances; ++b) {
            const auto cost = ground_.get<std::uint16_t>();
            s.costs[a * entrances + b] = cost;
            const Cluster::Point from = s.points[a], to = s.points[b];
            const bool joined = label(a) == label(b);
            if (joined != (cost != Cluster::kNone)) return fail();
            if (joined && cost < taut_cost(to.x - from.x, to.y - from.y)) return fail();
        }
    }
    return true;
}

bool StoredClusters::read_ground(const StateData& state, const Body& body, std::int32_t layer,
                                 std::size_t entrances, ClusterScratch& s, bool& crowded) {
    if (wrong_) return false;
    in_upper_ = false;
    const auto kind = ground_.get<std::uint8_t>();
    crowded = kind != 0;
    if (ground_.failed() || kind > 1 || (!crowded && s.points.size() > kClusterPointsMax)) return fail();
    if (crowded) return read_cell_ways(state, body, layer, entrances, s) && (!ground_.failed() || fail());
    const std::size_t count = s.points.size();
    if (ground_.left() / 3 < entrances * count) return fail();
    if (!s.costs.resize(entrances * count) || !s.next.resize(entrances * count)) return false;
    for (std::uint16_t& cost : s.costs) cost = ground_.get<std::uint16_t>();
    for (std::uint8_t& next : s.next) next = ground_.get<std::uint8_t>();
    // Which pairs of points are known to see each other.
    if (!s.words.resize(count * count / 128 + 1)) return false;
    std::fill(s.words.begin(), s.words.end(), std::uint64_t{0});
    const ClusterSight sight(state, body, layer);
    for (std::size_t e = 0; e < entrances; ++e) {
        if (!read_row(sight, e, s)) return false;
    }
    return true;
}

bool StoredClusters::read_upper(std::size_t parts, std::size_t kept, ClusterScratch& s) {
    if (wrong_) return false;
    in_upper_ = true;
    float* costs = s.matrix.data();
    std::int32_t* links = s.links.data();
    const auto set = [&](std::size_t i, std::size_t j, float cost) {
        costs[i * parts + j] = cost;
        costs[j * parts + i] = cost;
    };
    if (upper_.left() < 4 * pairs_of(kept) + pairs_of(parts)) return fail();
    // The stored costs between entrances lie in s.words until they are proved.
    if (!s.words.resize(kept * kept)) return false;
    for (std::size_t i = 1; i < kept; ++i) {
        for (std::size_t j = 0; j < i; ++j) s.words[i * kept + j] = upper_.get<std::uint32_t>();
    }
    for (std::size_t i = 1; i < parts; ++i) {
        for (std::size_t j = 0; j < i; ++j)
            links[i * parts + j] = links[j * parts + i] = upper_.get<std::uint8_t>();
    }
    // A part that was eliminated was so before those with smaller numbers: ways to it lead over greater ones alone.
    for (std::size_t i = parts; i-- > kept;) {
        for (std::size_t j = 0; j < i; ++j) {
            const auto via = static_cast<std::size_t>(links[i * parts + j]);
            if (via == UpperCluster::kDirect) continue;
            if (via <= i || via >= parts) return fail();
            set(i, j, costs[i * parts + via] + costs[via * parts + j]);
        }
    }
    const auto stored = [&](std::size_t i, std::size_t j) {
        const std::uint64_t cost = i > j ? s.words[i * kept + j] : s.words[j * kept + i];
        return cost == kNoCost ? kNoWayCost : static_cast<float>(cost);
    };
    // Between entrances a way may lead over another entrance: then both halves are shorter, so that no way leads to itself.
    for (std::size_t i = 1; i < kept; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const float cost = stored(i, j);
            if (cost == kNoWayCost) {
                links[i * parts + j] = links[j * parts + i] = UpperCluster::kDirect;
                continue;
            }
            const auto via = static_cast<std::size_t>(links[i * parts + j]);
            float sum = costs[i * parts + j];
            if (via != UpperCluster::kDirect) {
                if (via >= parts || via == i || via == j) return fail();
                const float one = via < kept ? stored(i, via) : costs[i * parts + via];
                const float two = via < kept ? stored(via, j) : costs[via * parts + j];
                sum = one + two;
                if (!(one > 0.0F && two > 0.0F)) return fail();
            }
            if (!(sum < kNoWayCost) || sum != cost) return fail();
        }
    }
    for (std::size_t i = 1; i < kept; ++i) {
        for (std::size_t j = 0; j < i; ++j) set(i, j, stored(i, j));
    }
    return true;
}

}  // namespace fairlead::grid
