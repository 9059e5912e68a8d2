#include "mesh/search/corridor_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh/data/plane.h"
#include "mesh/surface/surface.h"

namespace fairlead::mesh {

namespace {

constexpr double kTolerance = 1e-9;  ///< of a portal's length

}  // namespace

void CorridorRun::begin(const StateData& state, const Task& task, double units) {
    state_ = &state;
    task_ = task;
    space_.state = &state;
    space_.begin = task.from;
    space_.goal = task.to;
    space_.prices = task.prices;
    space_.midpoints = task.style == Style::midpoints;
    space_.units = units;
    space_.links = task.links;
    space_.aims = task.aims;
    space_.near_square = task.near_square;
    space_.near_side = kNone;
    space_.cap = bound_cost();
    line.clear();
    cost = 0.0;
    engine_.emplace(space_, open_, nodes_, AStarKey{}, Trace{this});
    engine_->begin();
}

// The least that a way costs which takes a link that is shorter than the straight line at its price: from the last of them on
// all that comes costs at least the straight line.
double CorridorRun::bound_cost() const {
    double least = std::numeric_limits<double>::infinity();
    for (const LinkPiece& piece : state_->links.pieces) {
        if (!task_.links.open(state_->links, piece)) continue;
        const double price = task_.links.cost(piece);
        const double wide = distance(piece.out[0], piece.out[1]);
        const double straight =
            std::max(distance(piece.in[0], piece.out[0]), distance(piece.in[1], piece.out[1]));
        if (price >= straight * (1.0 - 1e-11) * task_.prices.least) continue;
        const double far = std::max(0.0, distance(piece.out[0], task_.to.at) - wide);
        least = std::min(least, price + far * task_.prices.least);
    }
    return least;
}

void CorridorRun::tell_side(TraceEventKind kind, std::uint32_t at, Cost g) const {
    SearchEvent event{.kind = kind, .state = at, .g = g};
    const bool goal = at == CorridorSpace::kGoalState;
    const Vec2 point = goal ? task_.to.at : space_.point_at(at, nodes_[nodes_.find(at)].tag);
    const std::uint32_t polygon = goal ? task_.to.polygon : space_.polygon_of(at);
    event.at.position = event.left = event.right =
        state_->origin + Vec3{point.x, point.y, ground_near(*state_, polygon, point)};
    task_.trace.event(event, task_.trace.user);
}

// What the engine's parents tell, in the order of the way, up to a node.
bool CorridorRun::list_states(std::uint32_t node) {
    states_.clear();
    for (; node != kNoNode; node = nodes_[node].parent) {
        if (!states_.push_back({nodes_.state_of(node), nodes_[node].tag})) return false;
    }
    std::reverse(states_.begin(), states_.end());
    return true;
}

// The sides that a stretch of the way crosses.
bool CorridorRun::list_portals(const Stretch& stretch, std::size_t first, std::size_t end) {
    portals_.clear();
    prices_.clear();
    part_.clear();
    if (!prices_.push_back(space_.price_in(stretch.from.polygon))) return false;
    for (std::size_t i = first; i < end; ++i) {
        const EdgeRef edge = states_[i].state;
        const std::uint32_t polygon = state_->polygon_ref(edge);
        const LinePoint point{space_.point_at(edge, states_[i].tag), kNone, polygon,
                              static_cast<std::uint32_t>(i - first)};
        if (!portals_.push_back({state_->edge(edge).from, state_->to(edge), edge}) ||
            !part_.push_back(point) || !prices_.push_back(space_.price_in(polygon)))
            return false;
    }
    return true;
}

bool CorridorRun::lay_line() { return lay_to(nodes_[engine_->goal_node()].parent, task_.to); }

// The place lies on the side itself, so the way ends in the polygon before it.
bool CorridorRun::lay_near() {
    const PathEnd end = near_end();
    const std::uint32_t node = nodes_.find(space_.near_side);
    space_.near_side = kNone;
    return lay_to(nodes_[node].parent, end);
}

// A line for each stretch between links; a wide link is entered where the search entered it.
bool CorridorRun::lay_to(std::uint32_t node, const PathEnd& to) {
    if (!list_states(node)) return false;
    laid_.clear();
    cost = 0.0;
    Stretch stretch{task_.from, to};
    for (std::size_t first = 0;;) {
        std::size_t end = first;
        while (end < states_.size() && !CorridorSpace::is_link(states_[end].state)) ++end;
        const bool last = end == states_.size();
        stretch.to = to;
        Vec2 exit{};
        if (!last) {
            const LinkPiece& piece = space_.piece_of(states_[end].state);
            exit = space_.point_at(states_[end].state, states_[end].tag);
            stretch.to = {entry_of(piece, exit), piece.polygon_in};
        }
        if (!list_portals(stretch, first, end) || !lay_part(stretch)) return false;
        for (const LinePoint& point : part_) {
            if (!laid_.push_back(point)) return false;
        }
        if (last) break;
        const LinkPiece& piece = space_.piece_of(states_[end].state);
        const std::uint32_t number = states_[end].state - CorridorSpace::kLinkStates;
        const double factor = task_.links.factors.empty() ? 1.0 : task_.links.factors[piece.kind];
        cost += piece.cost * factor;
        if (!laid_.push_back({stretch.to.at, kNone, piece.polygon_in, 0, number}) ||
            !laid_.push_back({exit, kNone, piece.polygon_out, 0}))
            return false;
        stretch.from = {exit, piece.polygon_out};
        first = end + 1;
    }
    return line.assign(laid_.span());
}

bool CorridorRun::lay_part(const Stretch& stretch) {
    if (task_.style == Style::funnel) {
        if (!pull_funnel(*state_, stretch.from.at, stretch.to.at, portals_.span(), part_)) return false;
        double sum = 0.0;
        Vec2 before = stretch.from.at;
        for (const LinePoint& point : part_) {
            sum += distance(before, point.at);
            before = point.at;
        }
        sum += distance(before, stretch.to.at);
        cost += sum * prices_[0];  // they are all the same
        return true;
    }
    if (task_.style == Style::midpoints) {
        if (!skip_seen(stretch)) return false;
    } else {
        refract(stretch.from.at, stretch.to.at, portals_.span(), prices_.span(), kTolerance, part_);
    }
    cost += price_part(stretch);
    drop_straight(stretch);
    return true;
}

// Technique P9: from each point on to the last one that can be walked to in a straight part_. (Sight along the path is not
// monotone, C8, so all are tried, the last one first.)
bool CorridorRun::skip_seen(const Stretch& stretch) {
    std::size_t kept = 0;
    Vec2 at = stretch.from.at;
    std::uint32_t polygon = stretch.from.polygon;
    for (std::size_t next = 0; next <= part_.size();) {
        std::size_t far = part_.size();
        for (; far > next; --far) {
            Walk walk{
                .from = at, .to = far == part_.size() ? stretch.to.at : part_[far].at, .polygon = polygon};
            walk.end = at;
            walk.closed_areas = task_.prices.closed;
            finish_walk(*state_, walk);
            if (walk.wall == kNone) break;
        }
        if (far == part_.size()) break;
        const LinePoint point = part_[far];
        part_[kept++] = point;
        at = point.at;
        polygon = state_->polygon_ref(portals_[point.portal].edge);
        next = far + 1;
    }
    while (part_.size() > kept) part_.pop_back();
    return true;
}

// What the line costs: each polygon's share of it. Portals that it has no point on are crossed in between, in a straight
// part_.
double CorridorRun::price_part(const Stretch& stretch) const {
    double sum = 0.0;
    Vec2 before = stretch.from.at;
    std::size_t portal = 0;
    for (std::size_t i = 0; i <= part_.size(); ++i) {
        const Vec2 next = i < part_.size() ? part_[i].at : stretch.to.at;
        const std::size_t end = i < part_.size() ? part_[i].portal : portals_.size();
        Vec2 from = before;
        for (; portal < end; ++portal) {
            const Vec2 a = portals_[portal].left, b = portals_[portal].right;
            const double at_a = cross(next - before, a - before), at_b = cross(next - before, b - before);
            const double t = at_a != at_b ? std::clamp(at_a / (at_a - at_b), 0.0, 1.0) : 0.0;
            const Vec2 p = a + (b - a) * t;
            sum += prices_[portal] * distance(from, p);
            from = p;
        }
        sum += prices_[end] * distance(from, next);
        before = next;
        portal = i < part_.size() ? end + 1 : end;
    }
    return sum;
}

// Points where the line goes straight on.
void CorridorRun::drop_straight(const Stretch& stretch) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < part_.size(); ++i) {
        const Vec2 before = kept > 0 ? part_[kept - 1].at : stretch.from.at;
        const Vec2 after = i + 1 < part_.size() ? part_[i + 1].at : stretch.to.at;
        const Vec2 in = part_[i].at - before, out = after - part_[i].at;
        const double bend = std::fabs(cross(in, out));
        if (dot(in, out) >= 0.0 && bend <= 1e-9 * length(in) * length(out)) continue;
        part_[kept++] = part_[i];
    }
    while (part_.size() > kept) part_.pop_back();
}

}  // namespace fairlead::mesh
