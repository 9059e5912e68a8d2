// The upper levels of a hierarchy, judged by Dijkstra over what is stored below: which nodes there are, what crossing costs, and that each
// crossing can be unpacked.
#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <set>
#include <vector>

#include "support/cluster_where.h"

namespace fairlead::testing {

namespace {

using grid::Cluster;
using grid::ClusterNode;
using grid::UpperCluster;

// What a level sees of a cluster below it, or of one of its own.
struct Table {
    std::vector<ClusterNode> nodes;
    std::vector<std::int32_t> side;
    std::vector<std::uint32_t> costs;
    bool absent = false;

    [[nodiscard]] std::uint32_t cost(std::size_t i, std::size_t j) const {
        return costs[i * nodes.size() + j];
    }
};

template <class Any>
void read_table(const Any& cluster, Table& table) {
    const std::int32_t count = cluster.count();
    table.nodes.assign(cluster.nodes, cluster.nodes + count);
    for (std::int32_t i = 0; i < count; ++i) {
        std::int32_t side = 0;
        while (side < 4 && i >= cluster.first(side + 1)) ++side;
        table.side.push_back(side);
        for (std::int32_t j = 0; j < count; ++j) table.costs.push_back(i == j ? 0 : cluster.cost(i, j));
    }
}

Table table_of(const ClusterWhere& where, std::int32_t level, std::int32_t x, std::int32_t y) {
    Table table;
    const std::uint64_t* chunk = where.chunk(level, x, y);
    if (level == 0) {
        read_table(Cluster::at(chunk), table);
    } else {
        read_table(UpperCluster::at(chunk), table);
        table.absent = UpperCluster::at(chunk).absent();
    }
    return table;
}

// By its place: over a seam a node has one number and two places.
using NodeKey = std::uint32_t;
NodeKey key_of(const ClusterNode& node) { return NodeKey{node.y2} << 16 | node.x2; }

// The graph of the level below inside one cluster.
struct Below {
    struct Edge {
        NodeKey to;
        std::uint32_t cost;
    };
    std::map<NodeKey, std::vector<Edge>> edges;
    std::map<NodeKey, ClusterNode> nodes;
    std::map<NodeKey, int> component;
    bool absent = false;

    Below(const ClusterWhere& where, std::int32_t level, std::int32_t x, std::int32_t y) {
        for (std::int32_t i = 0; i < 16; ++i) {
            const std::int32_t lx = 4 * x + i % 4, ly = 4 * y + i / 4;
            if (!where.inside(level - 1, lx, ly)) continue;
            const Table table = table_of(where, level - 1, lx, ly);
            absent = absent || table.absent;
            for (std::size_t a = 0; a < table.nodes.size(); ++a) {
                const NodeKey key = key_of(table.nodes[a]);
                nodes[key] = table.nodes[a];
                edges[key];
                for (std::size_t b = 0; b < table.nodes.size(); ++b) {
                    if (a != b && table.cost(a, b) != grid::kNoCost)
                        edges[key].push_back({key_of(table.nodes[b]), table.cost(a, b)});
                }
            }
        }
        int count = 0;
        for (const auto& [id, node] : nodes) {
            if (component.count(id) != 0) continue;
            ++count;
            for (const auto& [to, cost] : costs_from(id)) component[to] = count;
        }
    }
    [[nodiscard]] std::map<NodeKey, std::uint32_t> costs_from(NodeKey start) const {
        using Entry = std::pair<std::uint32_t, NodeKey>;
        std::map<NodeKey, std::uint32_t> best{{start, 0}};
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
        open.push({0, start});
        while (!open.empty()) {
            const auto [cost, id] = open.top();
            open.pop();
            if (cost > best[id]) continue;
            for (const Edge& e : edges.at(id)) {
                const auto [found, made] = best.try_emplace(e.to, cost + e.cost);
                if (!made && found->second <= cost + e.cost) continue;
                found->second = cost + e.cost;
                open.push({cost + e.cost, e.to});
            }
        }
        return best;
    }
};

class UpperJudge {
  public:
    UpperJudge(const ClusterWhere& where, std::int32_t level, std::int32_t x, std::int32_t y,
               ClusterTally& tally)
        : where_(where), level_(level), x_(x), y_(y), tally_(tally), below_(where, level, x, y) {}

    std::string judge() {
        ++tally_.upper;
        cluster_ = UpperCluster::at(where_.chunk(level_, x_, y_));
        const Table own = table_of(where_, level_, x_, y_);
        if (own.absent) {
            ++tally_.absent;
            return below_.absent || below_.nodes.size() > 250 || below_.nodes.empty() ? "" : "is absent";
        }
        if (below_.absent || below_.nodes.size() > 250) return "is not absent";
        const std::vector<NodeKey> wanted = wanted_nodes();
        for (std::size_t i = 0; i < std::min(wanted.size(), own.nodes.size()); ++i) {
            if (key_of(own.nodes[i]) != wanted[i] || own.nodes[i].id != below_.nodes.at(wanted[i]).id)
                return "node " + std::to_string(i) + " is another";
        }
        if (own.nodes.size() != wanted.size()) return "a wrong number of nodes";
        for (std::size_t i = 0; i < own.nodes.size(); ++i) {
            const auto best = below_.costs_from(wanted[i]);
            for (std::size_t j = 0; j < own.nodes.size(); ++j) {
                if (i == j) continue;
                const auto found = best.find(wanted[j]);
                const std::uint32_t cost = found == best.end() ? grid::kNoCost : found->second;
                if (own.cost(i, j) != cost) return "a crossing costs something else";
                if (cost == grid::kNoCost) continue;
                ++tally_.crossings;
                std::uint32_t sum = 0;
                if (const std::string problem = unpack(i, j, 0, sum); !problem.empty()) return problem;
                if (sum != cost) return "what a crossing is made of costs something else";
            }
        }
        return "";
    }

  private:
    // Of each segment and each pair of components the one nearest to the segment's middle.
    std::vector<NodeKey> wanted_nodes() {
        std::vector<NodeKey> all;
        for (std::int32_t side = 0; side < 4; ++side) {
            std::int32_t to_x = x_, to_y = y_;
            if (where_.beyond(level_, side, to_x, to_y)) keep_side(side, to_x, to_y, all);
        }
        for (std::int32_t i = 0; i < 16; ++i) keep_places(4 * x_ + i % 4, 4 * y_ + i / 4, all);
        return all;
    }
    void keep_places(std::int32_t lower_x, std::int32_t lower_y, std::vector<NodeKey>& all) const {
        if (!where_.inside(level_ - 1, lower_x, lower_y)) return;
        const Table table = table_of(where_, level_ - 1, lower_x, lower_y);
        for (std::size_t k = 0; k < table.nodes.size(); ++k) {
            if (table.side[k] == 4) all.push_back(key_of(table.nodes[k]));
        }
    }
    void keep_side(std::int32_t side, std::int32_t to_x, std::int32_t to_y, std::vector<NodeKey>& all) {
        const Below beyond(where_, level_, to_x, to_y);
        const bool lacks = beyond.absent || beyond.nodes.size() > 250;
        const bool vertical = side % 2 == 0;
        const std::int32_t rim = where_.rim(level_, side, x_, y_);
        const auto twin_rim = static_cast<std::uint16_t>(where_.rim(level_, (side + 2) % 4, to_x, to_y));
        const std::int32_t segment = level_ == 2 ? 256 : 64;  // in half cells
        struct Kept {
            std::int32_t off;
            std::int32_t at;
            NodeKey key;
        };
        std::map<std::vector<std::int32_t>, Kept> kept;
        std::vector<std::pair<std::int32_t, NodeKey>> on_rim;
        for (const auto& [key, node] : below_.nodes) {
            if ((vertical ? node.x2 : node.y2) == rim) on_rim.push_back({vertical ? node.y2 : node.x2, key});
        }
        std::sort(on_rim.begin(), on_rim.end());
        for (const auto& [at, key] : on_rim) {
            ClusterNode twin = below_.nodes.at(key);
            (vertical ? twin.x2 : twin.y2) = twin_rim;
            const std::int32_t outer = lacks ? -1 - at : beyond.component.at(key_of(twin));
            const std::int32_t off = std::abs(at - at / segment * segment - segment / 2);
            const auto [found, made] =
                kept.try_emplace({at / segment, below_.component.at(key), outer}, Kept{off, at, key});
            if (!made && off < found->second.off) found->second = {off, at, key};
        }
        std::vector<std::pair<std::int32_t, NodeKey>> chosen;
        for (const auto& [joins, one] : kept) chosen.push_back({one.at, one.key});
        std::sort(chosen.begin(), chosen.end());
        for (const auto& [at, key] : chosen) all.push_back(key);
    }

    // The cost of the way from one part to another by the table of ways, down to the level below.
    std::string unpack(std::size_t from, std::size_t to, int depth, std::uint32_t& sum) {
        if (depth > 250) return "a way in a circle";
        const std::uint8_t via = cluster_.way(from, to);
        if (via != UpperCluster::kDirect) {
            if (via >= cluster_.header->parts) return "a way over nothing";
            const std::string first = unpack(from, via, depth + 1, sum);
            return first.empty() ? unpack(via, to, depth + 1, sum) : first;
        }
        const NodeKey a = key_at(from), b = key_at(to);
        std::uint32_t best = grid::kNoCost;
        for (const Below::Edge& e : below_.edges.at(a)) {
            if (e.to == b) best = std::min(best, e.cost);
        }
        if (best == grid::kNoCost) return "a way where nothing leads";
        sum += best;
        return "";
    }
    [[nodiscard]] NodeKey key_at(std::size_t part) const {
        const UpperCluster::Part name = cluster_.parts[part];
        const std::int32_t x = 4 * x_ + name.cluster % 4, y = 4 * y_ + name.cluster / 4;
        const std::uint64_t* chunk = where_.chunk(level_ - 1, x, y);
        return key_of(level_ == 1 ? Cluster::at(chunk).nodes[name.node]
                                  : UpperCluster::at(chunk).nodes[name.node]);
    }

    ClusterWhere where_;
    std::int32_t level_;
    std::int32_t x_;
    std::int32_t y_;
    ClusterTally& tally_;
    Below below_;
    UpperCluster cluster_{};
};

}  // namespace

std::string upper_cluster_problem(const ClusterWhere& where, std::int32_t level, std::int32_t x,
                                  std::int32_t y, ClusterTally& tally) {
    return UpperJudge(where, level, x, y, tally).judge();
}

}  // namespace fairlead::testing
