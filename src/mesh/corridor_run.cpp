#include "mesh/corridor_run.h"

#include <algorithm>
#include <cmath>

#include "mesh/plane.h"

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
    line.clear();
    cost = 0.0;
    engine_.emplace(space_, open_, nodes_);
    engine_->begin();
}

// The sides on the way, from the engine's parents.
bool CorridorRun::list_portals() {
    portals_.clear();
    prices_.clear();
    line.clear();
    std::uint32_t node = nodes_[engine_->goal_node()].parent;
    for (; node != kNoNode; node = nodes_[node].parent) {
        const EdgeRef edge = nodes_.state_of(node);
        const Portal portal{state_->edge(edge).from, state_->to(edge), edge};
        const LinePoint point{space_.point_at(edge, nodes_[node].tag), kNone, state_->polygon_ref(edge), 0};
        if (!portals_.push_back(portal) || !line.push_back(point)) return false;
    }
    std::reverse(portals_.begin(), portals_.end());
    std::reverse(line.begin(), line.end());
    for (std::uint32_t i = 0; i < line.size(); ++i) line[i].portal = i;
    if (!prices_.push_back(space_.price_in(task_.from.polygon))) return false;
    for (const Portal& portal : portals_) {
        if (!prices_.push_back(space_.price_in(state_->polygon_ref(portal.edge)))) return false;
    }
    return true;
}

bool CorridorRun::lay_line() {
    if (!list_portals()) return false;
    if (task_.style == Style::funnel) {
        if (!pull_funnel(*state_, task_.from.at, task_.to.at, portals_.span(), line)) return false;
        cost = 0.0;
        Vec2 before = task_.from.at;
        for (const LinePoint& point : line) {
            cost += distance(before, point.at);
            before = point.at;
        }
        cost += distance(before, task_.to.at);
        cost *= prices_[0];  // they are all the same
        return true;
    }
    if (task_.style == Style::midpoints) {
        if (!skip_seen()) return false;
    } else {
        refract(task_.from.at, task_.to.at, portals_.span(), prices_.span(), kTolerance, line);
    }
    price_line();
    drop_straight();
    return true;
}

// Technique P9: from each point on to the last one that can be walked to in a straight line. (Sight along the path is not
// monotone, C8, so all are tried, the last one first.)
bool CorridorRun::skip_seen() {
    std::size_t kept = 0;
    Vec2 at = task_.from.at;
    std::uint32_t polygon = task_.from.polygon;
    for (std::size_t next = 0; next <= line.size();) {
        std::size_t far = line.size();
        for (; far > next; --far) {
            Walk walk{.from = at, .to = far == line.size() ? task_.to.at : line[far].at, .polygon = polygon};
            walk.end = at;
            walk.closed_areas = task_.prices.closed;
            finish_walk(*state_, walk);
            if (walk.wall == kNone) break;
        }
        if (far == line.size()) break;
        const LinePoint point = line[far];
        line[kept++] = point;
        at = point.at;
        polygon = state_->polygon_ref(portals_[point.portal].edge);
        next = far + 1;
    }
    while (line.size() > kept) line.pop_back();
    return true;
}

// What the line costs: each polygon's share of it. Portals that it has no point on are crossed in between, in a straight
// line.
void CorridorRun::price_line() {
    cost = 0.0;
    Vec2 before = task_.from.at;
    std::size_t portal = 0;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        const Vec2 next = i < line.size() ? line[i].at : task_.to.at;
        const std::size_t end = i < line.size() ? line[i].portal : portals_.size();
        Vec2 from = before;
        for (; portal < end; ++portal) {
            const Vec2 a = portals_[portal].left, b = portals_[portal].right;
            const double at_a = cross(next - before, a - before), at_b = cross(next - before, b - before);
            const double t = at_a != at_b ? std::clamp(at_a / (at_a - at_b), 0.0, 1.0) : 0.0;
            const Vec2 p = a + (b - a) * t;
            cost += prices_[portal] * distance(from, p);
            from = p;
        }
        cost += prices_[std::min(end, prices_.size() - 1)] * distance(from, next);
        before = next;
        portal = i < line.size() ? end + 1 : end;
    }
}

// Points where the line goes straight on.
void CorridorRun::drop_straight() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const Vec2 before = kept > 0 ? line[kept - 1].at : task_.from.at;
        const Vec2 after = i + 1 < line.size() ? line[i + 1].at : task_.to.at;
        const Vec2 in = line[i].at - before, out = after - line[i].at;
        const double bend = std::fabs(cross(in, out));
        if (dot(in, out) >= 0.0 && bend <= 1e-9 * length(in) * length(out)) continue;
        line[kept++] = line[i];
    }
    while (line.size() > kept) line.pop_back();
}

}  // namespace fairlead::mesh
