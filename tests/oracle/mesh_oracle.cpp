#include "oracle/mesh_oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <utility>

namespace fairlead::testing {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct Whole {
    std::int64_t x = 0;
    std::int64_t y = 0;
};

Whole whole(Vec2 p) {
    return {static_cast<std::int64_t>(std::llround(p.x)), static_cast<std::int64_t>(std::llround(p.y))};
}

std::int64_t turn(Whole a, Whole b, Whole c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

// A fraction n / d, d > 0, of a way.
struct Share {
    std::int64_t n = 0;
    std::int64_t d = 1;
};
bool less(Share a, Share b) { return a.n * b.d < b.n * a.d; }

// The part of the segment ab that is in a convex polygon: [low, high], shares of the way. False: none.
bool clip(const std::vector<Whole>& ring, Whole a, Whole b, Share& low, Share& high) {
    low = {0, 1};
    high = {1, 1};
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Whole u = ring[i], v = ring[(i + 1) % ring.size()];
        const std::int64_t at_a = turn(u, v, a), at_b = turn(u, v, b);
        if (at_a < 0 && at_b < 0) return false;
        if (at_a >= 0 && at_b >= 0) continue;
        const Share cut = at_a < 0 ? Share{-at_a, at_b - at_a} : Share{at_a, at_a - at_b};
        if (at_a < 0) {
            if (less(low, cut)) low = cut;
        } else if (less(cut, high)) {
            high = cut;
        }
    }
    return !less(high, low);
}

// The shares of ab on the segment uv, if they meet.
bool meet(Whole u, Whole v, Whole a, Whole b, Share& low, Share& high) {
    const std::int64_t at_a = turn(u, v, a), at_b = turn(u, v, b);
    low = {0, 1};
    high = {1, 1};
    if (at_a != 0 || at_b != 0) {
        if ((at_a > 0 && at_b > 0) || (at_a < 0 && at_b < 0)) return false;
        const std::int64_t p = at_a < 0 ? -at_a : at_a, q = at_b < 0 ? -at_b : at_b;
        low = high = {p, p + q};
    }
    // Along uv: 0 <= (p - u) . (v - u) <= |v - u|^2.
    const std::int64_t dx = v.x - u.x, dy = v.y - u.y, whole_way = dx * dx + dy * dy;
    const std::int64_t from = (a.x - u.x) * dx + (a.y - u.y) * dy, to = (b.x - u.x) * dx + (b.y - u.y) * dy;
    if (at_a != 0 || at_b != 0) {
        const std::int64_t there = from * low.d + (to - from) * low.n;
        return there >= 0 && there <= whole_way * low.d;
    }
    if (from == to) return from >= 0 && from <= whole_way;
    const std::int64_t span = to > from ? to - from : from - to;
    Share enter = to > from ? Share{-from, span} : Share{from - whole_way, span};
    Share leave = to > from ? Share{whole_way - from, span} : Share{from, span};
    if (less(low, enter)) low = enter;
    if (less(leave, high)) high = leave;
    return !less(high, low);
}

}  // namespace

MeshOracle::MeshOracle(OracleMesh mesh) : mesh_(std::move(mesh)) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> sides;
    for (std::uint32_t p = 0; p < mesh_.polygons.size(); ++p) {
        const auto& ring = mesh_.polygons[p];
        for (std::size_t i = 0; i < ring.size(); ++i) sides[{ring[i], ring[(i + 1) % ring.size()]}] = p;
    }
    for (const auto& ring : mesh_.polygons) {
        std::vector<std::int64_t>& row = across_.emplace_back();
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const auto other = sides.find({ring[(i + 1) % ring.size()], ring[i]});
            row.push_back(other == sides.end() ? -1 : std::int64_t{other->second});
        }
    }
    find_fans();
    lengths_.assign(nodes_.size(), std::vector<double>(nodes_.size(), kNever));
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            if (!sees(nodes_[i].at, nodes_[i].fan, nodes_[k].at, nodes_[k].fan)) continue;
            lengths_[i][k] = lengths_[k][i] = distance(nodes_[i].at, nodes_[k].at);
        }
    }
}

// The polygons at a vertex, in groups that share a side there.
void MeshOracle::find_fans() {
    for (std::uint32_t v = 0; v < mesh_.vertices.size(); ++v) {
        std::set<std::uint32_t> left;
        for (std::uint32_t p = 0; p < mesh_.polygons.size(); ++p) {
            const auto& ring = mesh_.polygons[p];
            if (std::find(ring.begin(), ring.end(), v) != ring.end()) left.insert(p);
        }
        while (!left.empty()) {
            Node node{mesh_.vertices[v], {*left.begin()}};
            left.erase(left.begin());
            for (std::size_t i = 0; i < node.fan.size(); ++i) {
                const auto& ring = mesh_.polygons[node.fan[i]];
                for (std::size_t s = 0; s < ring.size(); ++s) {
                    if (ring[s] != v && ring[(s + 1) % ring.size()] != v) continue;
                    const std::int64_t other = across_[node.fan[i]][s];
                    if (other < 0 || left.erase(static_cast<std::uint32_t>(other)) == 0) continue;
                    node.fan.push_back(static_cast<std::uint32_t>(other));
                }
            }
            nodes_.push_back(node);
        }
    }
}

// All polygons that hang together around the point and hold it.
std::vector<std::uint32_t> MeshOracle::around(const Point& point) const {
    std::vector<std::uint32_t> out{point.polygon};
    const Whole at = whole(point.at);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto& ring = mesh_.polygons[out[i]];
        for (std::size_t s = 0; s < ring.size(); ++s) {
            const std::int64_t other = across_[out[i]][s];
            Share low, high;
            const Whole u = whole(mesh_.vertices[ring[s]]),
                        v = whole(mesh_.vertices[ring[(s + 1) % ring.size()]]);
            if (other < 0 || !meet(u, v, at, at, low, high)) continue;
            if (std::find(out.begin(), out.end(), other) == out.end())
                out.push_back(static_cast<std::uint32_t>(other));
        }
    }
    return out;
}

// Polygon by polygon: from one that holds a stretch of the segment over a side to a neighbour that holds a stretch
// which begins no later than the first one ends, while the point where they meet is on the side.
bool MeshOracle::sees(Vec2 from, const std::vector<std::uint32_t>& around_a, Vec2 to,
                      const std::vector<std::uint32_t>& around_b) const {
    const Whole a = whole(from), b = whole(to);
    std::vector<std::uint32_t> todo;
    std::set<std::uint32_t> met;
    for (const std::uint32_t p : around_a) {
        if (met.insert(p).second) todo.push_back(p);
    }
    while (!todo.empty()) {
        const std::uint32_t p = todo.back();
        todo.pop_back();
        const auto& ring = mesh_.polygons[p];
        std::vector<Whole> corners;
        for (const std::uint32_t v : ring) corners.push_back(whole(mesh_.vertices[v]));
        Share low, high;
        if (!clip(corners, a, b, low, high)) continue;
        if (std::find(around_b.begin(), around_b.end(), p) != around_b.end() && !less(high, {1, 1}))
            return true;
        for (std::size_t s = 0; s < ring.size(); ++s) {
            const std::int64_t other = across_[p][s];
            if (other < 0 || met.count(static_cast<std::uint32_t>(other)) != 0) continue;
            Share enter, leave;
            if (!meet(corners[s], corners[(s + 1) % ring.size()], a, b, enter, leave)) continue;
            met.insert(static_cast<std::uint32_t>(other));
            todo.push_back(static_cast<std::uint32_t>(other));
        }
    }
    return false;
}

bool MeshOracle::sees(const Point& from, const Point& to) const {
    return sees(from.at, around(from), to.at, around(to));
}

void MeshOracle::set_links(std::vector<Jump> jumps) {
    jumps_ = std::move(jumps);
    ends_.clear();
    around_.clear();
    for (const Jump& jump : jumps_) {
        ends_.push_back(jump.from);
        ends_.push_back(jump.to);
    }
    for (const Point& end : ends_) around_.push_back(around(end));
    to_ends_.assign(nodes_.size() + ends_.size(), std::vector<double>(ends_.size(), kNever));
    for (std::size_t k = 0; k < ends_.size(); ++k) {
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (sees(ends_[k].at, around_[k], nodes_[i].at, nodes_[i].fan))
                to_ends_[i][k] = distance(ends_[k].at, nodes_[i].at);
        }
        for (std::size_t i = 0; i < ends_.size(); ++i) {
            if (sees(ends_[k].at, around_[k], ends_[i].at, around_[i]))
                to_ends_[nodes_.size() + i][k] = distance(ends_[k].at, ends_[i].at);
        }
    }
}

// Dijkstra over corners and ends of links.
double MeshOracle::shortest(const Point& from, const Point& to) const {
    const std::vector<std::uint32_t> around_from = around(from), around_to = around(to);
    const std::size_t corners = nodes_.size(), all = corners + ends_.size();
    const auto place = [&](std::size_t i) { return i < corners ? nodes_[i].at : ends_[i - corners].at; };
    const auto polygons = [&](std::size_t i) -> const std::vector<std::uint32_t>& {
        return i < corners ? nodes_[i].fan : around_[i - corners];
    };
    const auto between = [&](std::size_t i, std::size_t k) {
        if (i < corners && k < corners) return lengths_[i][k];
        return k < corners ? to_ends_[k][i - corners] : to_ends_[i][k - corners];
    };
    std::vector<double> known(all, kNever), rest(all, kNever);
    using Entry = std::pair<double, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    double best = sees(from.at, around_from, to.at, around_to) ? distance(from.at, to.at) : kNever;
    for (std::size_t i = 0; i < all; ++i) {
        if (sees(to.at, around_to, place(i), polygons(i))) rest[i] = distance(to.at, place(i));
        if (!sees(from.at, around_from, place(i), polygons(i))) continue;
        known[i] = distance(from.at, place(i));
        open.emplace(known[i], i);
    }
    while (!open.empty()) {
        const auto [length, i] = open.top();
        open.pop();
        if (length > known[i] || length >= best) continue;
        best = std::min(best, length + rest[i]);
        const auto relax = [&](std::size_t k, double there) {
            if (there >= known[k]) return;
            known[k] = there;
            open.emplace(there, k);
        };
        for (std::size_t k = 0; k < all; ++k) relax(k, length + between(i, k));
        if (i >= corners && (i - corners) % 2 == 0) relax(i + 1, length + jumps_[(i - corners) / 2].cost);
    }
    return best;
}

}  // namespace fairlead::testing
