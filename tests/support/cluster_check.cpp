#include "support/cluster_check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <set>
#include <vector>

#include <fairlead/verify/verify.h>

#include "grid/hierarchy/clusters.h"
#include "support/cluster_where.h"
#include "support/route_maker.h"

namespace fairlead::testing {

namespace {

using grid::Cluster;
using grid::ClusterNode;

constexpr std::int32_t kSide = kClusterCells;
constexpr double kFar = 1e30;

const grid::Body& body_of(const GridState& grid, const Agent& agent) {
    const grid::StateData& data = grid.data();
    const grid::BodyKey key = grid::body_key(agent, grid.cell_size());
    for (std::int32_t i = 0; i < data.body_count; ++i) {
        if (data.bodies[i].key == key) return data.bodies[i];
    }
    return data.bodies[0];
}

// ---- cells ---------------------------------------------------------------------------------------------------

// The cells of one cluster of level 0.
struct Ground {
    bool free[kSide][kSide] = {};  // by y, x
    int label[kSide][kSide] = {};  // what is joined inside, from 1; 0: not free
    double costs[kSide][kSide] = {};

    Ground(const ClusterWhere& where, const Agent& agent, std::int32_t cx, std::int32_t cy) {
        for (std::int32_t y = 0; y < kSide; ++y) {
            for (std::int32_t x = 0; x < kSide; ++x) {
                const Cell cell{cx * kSide + x, cy * kSide + y, where.layer};
                free[y][x] = cell.x < where.state->width() && cell.y < where.state->height() &&
                             where.state->can_stand(cell, agent);
            }
        }
        label_all();
    }
    [[nodiscard]] bool at(std::int32_t x, std::int32_t y) const {
        return x >= 0 && y >= 0 && x < kSide && y < kSide && free[y][x];
    }
    [[nodiscard]] bool steps(std::int32_t x, std::int32_t y, std::int32_t dx, std::int32_t dy) const {
        return at(x + dx, y + dy) && at(x + dx, y) && at(x, y + dy);
    }

    // Dijkstra from a cell over straight and diagonal steps that cut no corner.
    void flood(std::int32_t from_x, std::int32_t from_y, double diagonal) {
        using Entry = std::pair<double, std::int32_t>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
        for (auto& row : costs) std::fill(std::begin(row), std::end(row), kFar);
        costs[from_y][from_x] = 0.0;
        open.push({0.0, from_y * kSide + from_x});
        while (!open.empty()) {
            const auto [cost, cell] = open.top();
            open.pop();
            const std::int32_t x = cell % kSide, y = cell / kSide;
            if (cost > costs[y][x]) continue;
            for (std::int32_t dy = -1; dy <= 1; ++dy) {
                for (std::int32_t dx = -1; dx <= 1; ++dx) {
                    if ((dx == 0 && dy == 0) || !steps(x, y, dx, dy)) continue;
                    const double sum = cost + (dx != 0 && dy != 0 ? diagonal : 24.0);
                    if (sum >= costs[y + dy][x + dx]) continue;
                    costs[y + dy][x + dx] = sum;
                    open.push({sum, (y + dy) * kSide + x + dx});
                }
            }
        }
    }

  private:
    void label_all() {
        int count = 0;
        std::vector<std::int32_t> stack;
        for (std::int32_t start = 0; start < kSide * kSide; ++start) {
            if (!free[start / kSide][start % kSide] || label[start / kSide][start % kSide] != 0) continue;
            label[start / kSide][start % kSide] = ++count;
            stack.push_back(start);
            while (!stack.empty()) {
                const std::int32_t x = stack.back() % kSide, y = stack.back() / kSide;
                stack.pop_back();
                constexpr std::int32_t kDx[] = {1, 0, -1, 0}, kDy[] = {0, 1, 0, -1};
                for (int k = 0; k < 4; ++k) {
                    if (!at(x + kDx[k], y + kDy[k]) || label[y + kDy[k]][x + kDx[k]] != 0) continue;
                    label[y + kDy[k]][x + kDx[k]] = count;
                    stack.push_back((y + kDy[k]) * kSide + x + kDx[k]);
                }
            }
        }
    }
};

// Positions along the border between A and the cluster east or north of it.
std::vector<int> border_of(const Ground& a, int last, const Ground& b, bool east, bool& thinned) {
    const auto free_at = [&](int i) {
        return east ? a.free[i][last] && b.free[i][0] : a.free[last][i] && b.free[0][i];
    };
    std::vector<int> middles;
    for (int i = 0; i < kSide; ++i) {
        if (!free_at(i)) continue;
        const int low = i;
        while (i < kSide && free_at(i)) ++i;
        middles.push_back((low + i) / 2);
    }
    thinned = middles.size() > 4;
    if (!thinned) return middles;
    struct Kept {
        int off;
        int at;
    };
    std::map<std::vector<int>, Kept> kept;  // by what they join and the half of the border
    for (const int at : middles) {
        const int in_a = east ? a.label[at][last] : a.label[last][at];
        const int in_b = east ? b.label[at][0] : b.label[0][at];
        const int off = std::abs(2 * at + 1 - (at < 32 ? 32 : 96));
        const auto [found, made] = kept.try_emplace({in_a, in_b, at / 32}, Kept{off, at});
        if (!made && off < found->second.off) found->second = {off, at};
    }
    std::vector<int> chosen;
    for (const auto& [joins, one] : kept) chosen.push_back(one.at);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

// A cluster's entrances, from the cells around it.
struct Entrance {
    std::int32_t side;
    std::int32_t at;
};
std::vector<Entrance> entrances_of(const ClusterWhere& where, const Agent& agent, std::int32_t cx,
                                   std::int32_t cy, ClusterTally& tally) {
    const Ground here(where, agent, cx, cy);
    std::vector<Entrance> all;
    for (std::int32_t side = 0; side < 4; ++side) {
        std::int32_t x = cx, y = cy;
        if (!where.beyond(0, side, x, y)) continue;
        const Ground beyond(where, agent, x, y);
        bool thinned = false;
        const int last = (side < 2 ? where.rim(0, side + 2, x, y) : where.rim(0, side, cx, cy)) / 2 - 1;
        const std::vector<int> found = side < 2 ? border_of(beyond, last % kSide, here, side == 0, thinned)
                                                : border_of(here, last % kSide, beyond, side == 2, thinned);
        for (const int at : found) all.push_back({side, at});
        tally.thinned += thinned ? 1 : 0;
    }
    return all;
}

// ---- level 0 -------------------------------------------------------------------------------------------------

// What one straight hop may not be.
std::string hop_problem(const ClusterWhere& where, const Agent& agent, Vec2 from, Vec2 to) {
    if (from == to) return "";
    RouteMaker maker(from, 0.0, where.layer);
    maker.line_to(to);
    const Violation bad = verify(maker.take(), *where.state, agent, {.check_revision = false});
    return bad ? bad.text().c_str() : "";
}

class ClusterJudge {
  public:
    ClusterJudge(const ClusterWhere& where, const Agent& agent, std::int32_t cx, std::int32_t cy,
                 ClusterTally& tally)
        : where_(where),
          agent_(agent),
          x_(cx),
          y_(cy),
          tally_(tally),
          cluster_(Cluster::at(where.chunk(0, cx, cy))),
          cells_(where, agent, cx, cy),
          points_(cluster_.header->points) {}

    std::string judge() {
        ++tally_.clusters;
        const bool crowded = cluster_.header->crowded != 0;
        tally_.crowded += crowded ? 1 : 0;
        if (cluster_.header->bytes != Cluster::bytes_of(static_cast<std::size_t>(cluster_.count()),
                                                        static_cast<std::size_t>(points_), crowded))
            return "wrong size";
        std::string problem = judge_entrances();
        for (std::int32_t e = 0; e < cluster_.count() && problem.empty(); ++e) {
            problem = crowded ? judge_crowded_row(e) : judge_row(e);
            if (!problem.empty()) problem = "entrance " + std::to_string(e) + ": " + problem;
        }
        return problem;
    }

  private:
    std::string judge_entrances() {
        const std::vector<Entrance> wanted = entrances_of(where_, agent_, x_, y_, tally_);
        const std::int32_t at_sides = cluster_.first(4);
        if (wanted.size() != static_cast<std::size_t>(at_sides))
            return std::to_string(at_sides) + " entrances, not " + std::to_string(wanted.size());
        const std::string problem = judge_places();
        if (!problem.empty()) return problem;
        const std::int32_t last_x = std::min(kSide, where_.state->width() - x_ * kSide) - 1;
        const std::int32_t last_y = std::min(kSide, where_.state->height() - y_ * kSide) - 1;
        for (std::int32_t e = 0; e < at_sides; ++e) {
            const auto [side, at] = wanted[static_cast<std::size_t>(e)];
            const Cluster::Point p = cluster_.points[e];
            const std::int32_t x = side == 0 ? 0 : side == 2 ? last_x : at;
            const std::int32_t y = side == 1 ? 0 : side == 3 ? last_y : at;
            if (p.x != x || p.y != y || cluster_.side_of(e) != side)
                return "entrance " + std::to_string(e) + " is elsewhere";
            constexpr std::int32_t kDx[] = {-1, 0, 1, 0}, kDy[] = {0, -1, 0, 1};
            const ClusterNode node = cluster_.nodes[e];
            if (node.x2 != 2 * (x_ * kSide + x) + 1 + kDx[side] ||
                node.y2 != 2 * (y_ * kSide + y) + 1 + kDy[side])
                return "entrance " + std::to_string(e) + " has a wrong place";
        }
        return "";
    }

    // Each cell that a portal leaves or arrives at, where the unit can stand.
    std::string judge_places() {
        std::set<std::pair<std::int32_t, std::int32_t>> wanted;  // y, x
        for (const Portal& portal : where_.state->portals()) {
            for (const Cell cell : {portal.from, portal.to}) {
                const bool here = cell.x / kSide == x_ && cell.y / kSide == y_ && cell.layer == where_.layer;
                if (here && where_.state->can_stand(cell, agent_)) wanted.insert({cell.y, cell.x});
            }
        }
        std::int32_t e = cluster_.first(4);
        if (wanted.size() != static_cast<std::size_t>(cluster_.count() - e)) return "other places of portals";
        for (const auto& [y, x] : wanted) {
            ++tally_.places;
            const Cluster::Point p = cluster_.points[e];
            const ClusterNode node = cluster_.nodes[e++];
            if (p.x != x % kSide || p.y != y % kSide || node.x2 != 2 * x + 1 || node.y2 != 2 * y + 1)
                return "a place of portals is elsewhere";
        }
        return "";
    }

    [[nodiscard]] std::uint32_t entry(std::int32_t e, std::int32_t p) const {
        return cluster_.costs[e * points_ + p];
    }
    [[nodiscard]] Vec2 place(std::int32_t p) const {
        const double half = agent_.footprint > 0 && agent_.footprint % 2 == 0 ? 0.0 : 0.5;
        return {x_ * kSide + cluster_.points[p].x + half, y_ * kSide + cluster_.points[p].y + half};
    }

    std::string judge_crowded_row(std::int32_t e) {
        cells_.flood(cluster_.points[e].x, cluster_.points[e].y, 34.0);
        for (std::int32_t p = 0; p < points_; ++p) {
            const double plain = cells_.costs[cluster_.points[p].y][cluster_.points[p].x];
            const std::uint32_t cost = entry(e, p);
            if (plain == kFar ? cost != Cluster::kNone : cost != plain)
                return "a way over cells costs something else";
            ++tally_.entries;
        }
        return "";
    }

    std::string judge_row(std::int32_t e) {
        cells_.flood(cluster_.points[e].x, cluster_.points[e].y, 24.0 * std::sqrt(2.0));
        const bool disc = agent_.radius > 0.0 && agent_.footprint == 0;
        for (std::int32_t p = 0; p < points_; ++p) {
            ++tally_.entries;
            const std::uint32_t cost = entry(e, p);
            const double plain = cells_.costs[cluster_.points[p].y][cluster_.points[p].x];
            const bool entrance = p < cluster_.count();
            const bool known = cost != Cluster::kNone;
            if (known && plain == kFar) return "a way where no cell leads";
            if (!known && plain != kFar && entrance) return "no way where cells lead";
            if (!known) continue;
            std::int32_t hops = 0;
            if (const std::string problem = judge_way(e, p, hops); !problem.empty()) return problem;
            // A corner's way is the best of those that bend at it. Discs may not go along some lines over free cells.
            if (entrance && cost > plain + 0.5 * hops + 1e-6) {
                if (!disc)
                    return "a way of " + std::to_string(cost) + ", over cells " + std::to_string(plain);
                ++tally_.longer;
            }
        }
        return "";
    }

    // Hop by hop to the entrance: each costs its length, rounded.
    std::string judge_way(std::int32_t e, std::int32_t p, std::int32_t& hops) {
        while (p != e) {
            const std::int32_t next = cluster_.next[e * points_ + p];
            const Vec2 a = place(p), b = place(next);
            const auto cost =
                static_cast<std::uint32_t>(std::lround(24.0 * std::hypot(b.x - a.x, b.y - a.y)));
            if (entry(e, p) != entry(e, next) + cost) return "a hop costs something else";
            if (++hops > points_) return "a way in a circle";
            if (judged_.insert({std::min(p, next), std::max(p, next)}).second) {
                ++tally_.hops;
                const std::string problem = hop_problem(where_, agent_, a, b);
                if (!problem.empty()) return "a hop is illegal: " + problem;
            }
            p = next;
        }
        return "";
    }

    ClusterWhere where_;
    Agent agent_;
    std::int32_t x_;
    std::int32_t y_;
    ClusterTally& tally_;
    Cluster cluster_;
    Ground cells_;
    std::int32_t points_;
    std::set<std::pair<std::int32_t, std::int32_t>> judged_;
};

}  // namespace

std::int32_t cluster_levels(const GridState& grid, const Agent& agent) {
    return body_of(grid, agent).cluster_levels;
}

std::string cluster_problem(const GridState& grid, const Agent& agent, ClusterTally& tally) {
    ClusterWhere where{&grid, &body_of(grid, agent), 0};
    for (; where.layer < grid.layers(); ++where.layer) {
        for (std::int32_t level = 0; level < where.body->cluster_levels; ++level) {
            for (std::int32_t y = 0; y < where.down(level); ++y) {
                for (std::int32_t x = 0; x < where.across(level); ++x) {
                    const std::string problem = level == 0 ? ClusterJudge(where, agent, x, y, tally).judge()
                                                           : upper_cluster_problem(where, level, x, y, tally);
                    if (!problem.empty()) return where.name(level, x, y) + problem;
                }
            }
        }
    }
    return "";
}

}  // namespace fairlead::testing
