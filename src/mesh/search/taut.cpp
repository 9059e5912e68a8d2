#include "mesh/search/taut.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "mesh/data/plane.h"
#include "mesh/search/arc.h"
#include "mesh/surface/flood.h"
#include "mesh/surface/walk.h"

namespace fairlead::mesh {

namespace {

constexpr double kHalfTurn = 0x1.921fb54442d18p+1;
constexpr std::uint32_t kRoundsMax = 16;
constexpr std::uint32_t kChangesMax = 4096;

}  // namespace

// The walls within `band` of a straight line, over the surface that hangs together with it within that band.
bool TautBand::gather(Vec2 a, Vec2 b, std::uint32_t polygon, double band) {
    walls_.clear();
    bool room = true;
    const auto in_band = [&](Vec2 p, Vec2 q) { return segments_distance(a, b, p, q) <= band; };
    const auto wall = [&](EdgeRef edge, Vec2, Vec2) { room = room && walls_.push_back(edge); };
    return flood_where(*state_, polygon, closed_, flood_, in_band, wall) && room;
}

// The ends of walls near each leg of the point's way, each on its side of the leg.
bool TautBand::list_limits(std::span<const WayPoint> way) {
    limits_.clear();
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
        const Vec2 p = way[i].at, q = way[i + 1].at;
        if (!gather(p, q, way[i].polygon, 2.0 * radius_)) return false;
        for (const EdgeRef wall : walls_) {
            const Vec2 a = state_->edge(wall).from, b = state_->to(wall);
            for (const Vec2 u : {a, b}) {
                if (u == p || u == q) continue;
                double side = side_of(p, q, u);
                if (side == 0.0) {
                    // It touches the leg: the wall says where the solid is, to the right of ab.
                    side = side_of(p, q, u == a ? b : a);
                    if (side == 0.0) side = dot(b - a, q - p) > 0.0 ? -1.0 : 1.0;
                }
                const double share = std::clamp(dot(u - p, q - p) / dot(q - p, q - p), 1e-6, 1.0 - 1e-6);
                bool seen = false;
                if (!beside(p, q, way[i].polygon, wall, u, seen)) return false;
                if (!seen) continue;
                const double along = static_cast<double>(i) + share;
                const LimitPoint limit{u, side > 0.0 ? 1.0 : -1.0, {along, along}, state_->polygon_ref(wall)};
                if (!limits_.push_back(limit)) return false;
            }
        }
    }
    return true;
}

// The straight lines between neighbours, tangent to their circles. False: two circles on different sides overlap.
bool TautBand::lay_tangents() {
    for (std::size_t i = 0; i + 1 < nodes_.size(); ++i) {
        Node& a = nodes_[i];
        Node& b = nodes_[i + 1];
        const Vec2 way = b.at - a.at;
        const double far = length(way);
        const double k = (b.side - a.side) * radius_;
        if (!(far > 0.0) || far < std::fabs(k)) return false;
        const Vec2 unit = way * (1.0 / far);
        const double sine = -k / far, cosine = std::sqrt(std::max(0.0, 1.0 - sine * sine));
        const Vec2 d{unit.x * cosine - unit.y * sine, unit.x * sine + unit.y * cosine};
        const Vec2 normal{-d.y, d.x};
        a.tilt = k != 0.0 ? math::atan2(sine, cosine) : 0.0;
        a.out = a.at - normal * (a.side * radius_);
        b.in = b.at - normal * (b.side * radius_);
    }
    return true;
}

// Drops a corner that the band does not bend round. True: one was dropped. The turn is summed up from its parts: round the end
// of a thin wall it may be more than half a turn.
bool TautBand::let_go() {
    for (std::size_t i = 1; i + 1 < nodes_.size(); ++i) {
        const Node &before = nodes_[i - 1], &node = nodes_[i];
        const Vec2 in = node.at - before.at, out = nodes_[i + 1].at - node.at;
        const double across = node.side * cross(in, out), along = dot(in, out);
        const double corners = across == 0.0 && along < 0.0 ? kHalfTurn : math::atan2(across, along);
        if (corners + node.side * (node.tilt - before.tilt) >= 0.0) continue;
        for (std::size_t k = i; k + 1 < nodes_.size(); ++k) nodes_[k] = nodes_[k + 1];
        nodes_.pop_back();
        return true;
    }
    return false;
}

// How deep a corner lies within the band along a straight piece; -1 if it is not abreast of it, or one of its ends.
double TautBand::depth(const LimitPoint& limit, std::size_t piece) const {
    const Node &a = nodes_[piece], &b = nodes_[piece + 1];
    const Vec2 d = b.in - a.out;
    const double far = length(d);
    const double along = dot(limit.at - a.out, d);
    if (!(far > 0.0) || along <= 0.0 || along >= far * far || limit.at == a.at || limit.at == b.at)
        return -1.0;
    return radius_ - limit.side * cross(d, limit.at - a.out) / far;
}

// The corner that pushes furthest into the band; no limit: none does.
TautBand::Push TautBand::deepest() const {
    Push worst;
    double most = slack_;
    std::size_t piece = 0;
    for (std::uint32_t j = 0; j < limits_.size(); ++j) {
        const LimitPoint& limit = limits_[j];
        if (j > 0 && limit.along.low < limits_[j - 1].along.low) piece = 0;
        while (piece + 2 < nodes_.size() && nodes_[piece + 1].along.high < limit.along.low) ++piece;
        for (std::size_t k = piece; k + 1 < nodes_.size() && nodes_[k].along.low <= limit.along.high; ++k) {
            const double deep = depth(limit, k);
            if (deep <= most) continue;
            most = deep;
            worst = {j, k};
        }
    }
    return worst;
}

bool TautBand::take_in(const Push& push) {
    const LimitPoint& limit = limits_[push.limit];
    const std::size_t at = push.piece + 1;
    if (!nodes_.push_back({})) return false;
    for (std::size_t i = nodes_.size() - 1; i > at; --i) nodes_[i] = nodes_[i - 1];
    const Along before = nodes_[at - 1].along, behind = nodes_[at + 1].along;
    const Along along{std::clamp(limit.along.low, before.low, behind.low),
                      std::clamp(limit.along.high, before.high, behind.high)};
    nodes_[at] = {limit.at, limit.side, along, limit.polygon, {}, {}};
    return true;
}

TautBand::Outcome TautBand::settle() {
    for (std::uint32_t change = 0; change < kChangesMax; ++change) {
        if (!lay_tangents()) return Outcome::too_narrow;
        if (let_go()) continue;
        const Push next = deepest();
        if (next.limit == kNone) {
            settled_ = limits_.size();
            return Outcome::done;
        }
        if (!take_in(next)) return Outcome::no_memory;
    }
    return Outcome::too_narrow;
}

// The polygon at a point of the circle round a corner, from the corner outward.
std::uint32_t TautBand::polygon_at(const Node& node, Vec2 p) const {
    Walk walk{.from = node.at, .to = p, .polygon = node.polygon};
    walk.end = walk.from;
    walk.closed_areas = closed_;
    finish_walk(*state_, walk);
    return walk.wall == kNone || distance(walk.end, p) <= slack_ ? walk.polygon : kNone;
}

// Are two polygons of one floor at a point? False: out of memory.
bool TautBand::same_place(std::uint32_t polygon, std::uint32_t wanted, Vec2 at, bool& same) {
    same = polygon == wanted;
    if (same) return true;
    const auto ignore = [](EdgeRef, Vec2, Vec2) {};
    if (!flood(*state_, polygon, at, slack_, closed_, flood_, ignore)) return false;
    same = std::find(flood_.queue.begin(), flood_.queue.end(), wanted) != flood_.queue.end();
    return true;
}

// Is the point of a wall in sight of a point of the surface? False: out of memory.
bool TautBand::sees(Vec2 from, std::uint32_t polygon, EdgeRef wall, Vec2 at, bool& seen) {
    Walk walk{.from = from, .to = at, .polygon = polygon};
    walk.end = walk.from;
    walk.closed_areas = closed_;
    finish_walk(*state_, walk);
    seen = walk.wall == wall;
    if (seen || (walk.wall != kNone && distance(walk.end, at) > slack_)) return true;
    return same_place(walk.polygon, state_->polygon_ref(wall), at, seen);
}

// Is it in sight of the nearest point of a line? False: out of memory. The walk is along the line itself: what leads to the
// nearest point is rounded, and would catch at corners that the line touches.
bool TautBand::beside(Vec2 a, Vec2 b, std::uint32_t polygon, EdgeRef wall, Vec2 at, bool& seen) {
    const Vec2 foot = nearest_on(a, b, at);
    const double far = dot(foot - a, b - a);
    Walk walk{.from = a, .to = b, .polygon = polygon};
    walk.end = walk.from;
    walk.closed_areas = closed_;
    while (!(foot == a) && step_walk(*state_, walk) && dot(walk.end - a, b - a) < far) polygon = walk.polygon;
    seen = false;
    if (walk.done && dot(walk.end - a, b - a) < far && distance(walk.end, foot) > slack_) return true;
    return sees(foot, walk.done ? walk.polygon : polygon, wall, at, seen);
}

// Does the straight piece lead to the next corner's circle, on its floor? False: out of memory.
bool TautBand::leads_to(const Node& a, const Node& b, std::uint32_t polygon, bool& there) {
    Walk walk{.from = a.out, .to = b.in, .polygon = polygon};
    walk.end = walk.from;
    walk.closed_areas = closed_;
    finish_walk(*state_, walk);
    const std::uint32_t wanted = polygon_at(b, b.in);
    there = wanted != kNone && (walk.wall == kNone || distance(walk.end, b.in) <= slack_);
    return !there || same_place(walk.polygon, wanted, b.in, there);
}

// Is a wall's end on the list, for this piece? `deep`: and within the band, though that was settled.
bool TautBand::known_beside(std::size_t piece, Vec2 u, bool& deep) const {
    const Along from = nodes_[piece].along, to = nodes_[piece + 1].along;
    bool known = false;
    for (std::size_t j = 0; j < limits_.size(); ++j) {
        const LimitPoint& limit = limits_[j];
        if (limit.at != u || limit.along.high < from.low || limit.along.low > to.high) continue;
        known = true;
        deep = deep || (j < settled_ && depth(limit, piece) > 2.0 * slack_);
    }
    return known;
}

// Are there walls along a straight piece that nobody knew of? Their ends are taken on the list.
TautBand::Outcome TautBand::check_line(std::size_t piece, bool& clear) {
    const Node &a = nodes_[piece], &b = nodes_[piece + 1];
    const std::uint32_t polygon = polygon_at(a, a.out);
    if (polygon == kNone) return Outcome::too_narrow;
    if (!gather(a.out, b.in, polygon, radius_)) return Outcome::no_memory;
    const double room = radius_ - 2.0 * slack_;
    for (const EdgeRef wall : walls_) {
        const Vec2 p = state_->edge(wall).from, q = state_->to(wall);
        if (segments_distance(a.out, b.in, p, q) >= room) continue;
        for (const Vec2 u : {p, q}) {
            if (u == a.at || u == b.at || segment_distance(a.out, b.in, u) >= room) continue;
            bool deep = false;
            if (known_beside(piece, u, deep)) {
                if (deep) return Outcome::too_narrow;
                continue;
            }
            bool seen = false;
            if (!beside(a.out, b.in, polygon, wall, u, seen)) return Outcome::no_memory;
            if (!seen) continue;
            const double side = cross(b.in - a.out, u - a.out) > 0.0 ? 1.0 : -1.0;
            if (!limits_.push_back({u, side, {a.along.low, b.along.high}, state_->polygon_ref(wall)}))
                return Outcome::no_memory;
            clear = false;
        }
    }
    if (!clear) return Outcome::done;
    bool there = false;  // or a wall lies across the way, its ends far off
    if (!leads_to(a, b, polygon, there)) return Outcome::no_memory;
    return there ? Outcome::done : Outcome::too_narrow;
}

// Is a wall nearer to the arc than the radius? False: out of memory.
bool TautBand::pushes_into_arc(const Node& node, EdgeRef wall, bool& pushes) {
    const Vec2 p = state_->edge(wall).from, q = state_->to(wall);
    const double room = radius_ - 2.0 * slack_;
    pushes = false;
    const Arc arc{node.at, node.in, node.out, node.side, radius_};
    const Vec2 near = nearest_on(p, q, node.at);
    if (arc.covers(near - node.at) && distance(node.at, near) < radius_ + room &&
        !sees(node.at, node.polygon, wall, near, pushes)) {
        return false;
    }
    for (const Vec2 end : {node.in, node.out}) {
        const Vec2 at = nearest_on(p, q, end);
        if (pushes || distance(at, end) >= room) continue;
        if (!beside(end, end, polygon_at(node, end), wall, at, pushes)) return false;
    }
    return true;
}

TautBand::Outcome TautBand::check_arc(const Node& node) {
    if (polygon_at(node, node.in) == kNone || polygon_at(node, node.out) == kNone) return Outcome::too_narrow;
    if (!gather(node.at, node.at, node.polygon, 2.0 * radius_)) return Outcome::no_memory;
    for (const EdgeRef wall : walls_) {
        if (state_->edge(wall).from == node.at || state_->to(wall) == node.at) continue;
        bool pushes = false;
        if (!pushes_into_arc(node, wall, pushes)) return Outcome::no_memory;
        if (pushes) return Outcome::too_narrow;
    }
    return Outcome::done;
}

// Is there room for all of it? If walls turn up that nobody knew of, it is not clear yet.
TautBand::Outcome TautBand::check(bool& clear) {
    clear = true;
    for (std::size_t i = 0; i + 1 < nodes_.size(); ++i) {
        const Outcome line = check_line(i, clear);
        if (line != Outcome::done) return line;
        const Outcome arc = i > 0 ? check_arc(nodes_[i]) : Outcome::done;
        if (arc != Outcome::done) return arc;
    }
    return Outcome::done;
}

bool TautBand::write() {
    pieces.clear();
    for (std::size_t i = 0; i + 1 < nodes_.size(); ++i) {
        const Node& a = nodes_[i];
        TautPiece piece{
            .centre = a.at, .side = a.side, .arc_from = a.in, .from = a.out, .to = nodes_[i + 1].in};
        piece.polygon = polygon_at(a, a.out);
        if (i > 0) {
            piece.arc_polygon = polygon_at(a, a.in);
            const Vec2 u = a.in - a.at, v = a.out - a.at;
            piece.turn = math::atan2(a.side * cross(u, v), dot(u, v));
            if (piece.turn < 0.0) piece.turn += 2.0 * kHalfTurn;
        }
        if (!pieces.push_back(piece)) return false;
    }
    return true;
}

TautBand::Outcome TautBand::pull(const StateData& state, std::span<const WayPoint> way, double radius,
                                 double slack, std::uint64_t closed_areas) {
    state_ = &state;
    radius_ = radius;
    slack_ = slack;
    closed_ = closed_areas;
    nodes_.clear();
    pieces.clear();
    for (std::size_t i = 0; i < way.size(); ++i) {
        const double along = static_cast<double>(i);
        const Node node{way[i].at, way[i].side, {along, along}, way[i].polygon, way[i].at, way[i].at};
        if (!nodes_.push_back(node)) return Outcome::no_memory;
    }
    if (!list_limits(way)) return Outcome::no_memory;
    for (std::uint32_t round = 0; round < kRoundsMax; ++round) {
        const Outcome settled = settle();
        if (settled != Outcome::done) return settled;
        bool clear = true;
        const Outcome checked = check(clear);
        if (checked != Outcome::done) return checked;
        if (clear) return write() ? Outcome::done : Outcome::no_memory;
    }
    return Outcome::too_narrow;
}

}  // namespace fairlead::mesh
