// From a finished search to a Route: the waypoints from the engine's parents, the legs between them.

#include <algorithm>
#include <utility>

#include <fairlead/math/trig.h>

#include "base/no_memory.h"
#include "roadmap/search_run.h"

namespace fairlead::roadmap {

struct SearchRun::Writer {
    const SearchRun& run;
    Route& route;
    Vec3 at{};
    double heading = 0.0;

    /// A straight leg. Shorter than rounding: none. `arc`: the edge that it runs along, or the way to or from it; may be null.
    [[nodiscard]] bool walk(Vec3 to, double cost, const RoadmapArc* arc) {
        route.cost += cost;
        const Vec2 along = ground(to) - ground(at);
        const double ground_length = length(along);
        const double rise = to.z - at.z;
        if (larger(ground_length, absolute(rise)) <= 0x1p-48 * larger(magnitude(at), magnitude(to)))
            return true;
        if (ground_length > 0.0) heading = math::atan2(along.y, along.x);
        Leg leg;
        leg.start = {at, heading, 0};
        leg.length = ground_length;
        leg.rise = rise;
        set_road(leg, arc);
        route.length += ground_length;
        at = to;
        return route.legs.push_back(leg);
    }

    void set_road(Leg& leg, const RoadmapArc* arc) const {
        if (arc == nullptr || arc->link) return;
        const RoadKind road = run.state_.road(arc->kind);
        if (road.speed_max < kNoLimit) leg.speed_max = road.speed_max;
    }

    [[nodiscard]] bool take_link(Vec3 to, std::uint32_t label, double cost) {
        route.cost += cost;
        const Vec2 along = ground(to) - ground(at);
        if (length(along) > 0.0) heading = math::atan2(along.y, along.x);
        Leg leg;
        leg.start = {at, heading, 0};
        leg.kind = LegKind::link;
        leg.link_id = label;
        at = to;
        return route.legs.push_back(leg);
    }

    [[nodiscard]] bool pass(std::uint32_t from, std::uint32_t to) {
        double price = 0.0;
        const RoadmapArc* arc = run.space_.best_arc(from, to, &price);
        FAIRLEAD_ASSERT(arc != nullptr);
        const Vec3 end = run.state_.data().node(to).position;
        return arc->link ? take_link(end, arc->label, price) : walk(end, price, arc);
    }

    [[nodiscard]] Vec3 waypoint(std::uint32_t slot) const { return run.state_.data().node(slot).position; }

    [[nodiscard]] const RoadmapArc* arc_of(const Attachment& to) const {
        return to.on_arc() ? &run.state_.data().arcs(to.owner)[to.arc] : nullptr;
    }

    [[nodiscard]] bool enter(const Attachment& start) {
        const RoadmapArc* arc = arc_of(start);
        return walk(start.position, start.off, arc) &&
               walk(waypoint(start.slot), start.cost - start.off, arc);
    }
    [[nodiscard]] bool leave(const Attachment& goal) {
        const RoadmapArc* arc = arc_of(goal);
        return walk(goal.position, goal.cost - goal.off, arc) &&
               walk(run.points_[goal.point + 1], goal.off, arc);
    }
    [[nodiscard]] bool shortcut(const Shortcut& way) {
        const Vec3 end = run.points_[way.point + 1];
        if (way.start == kNoSlot) return walk(end, way.cost, nullptr);
        const Attachment& start = run.starts_[way.start];
        const Attachment& goal = run.goals_[way.goal];
        const RoadmapArc* arc = arc_of(start);
        return walk(start.position, start.off, arc) &&
               walk(goal.position, way.cost - start.off - goal.off, arc) && walk(end, goal.off, arc);
    }
};

namespace {

// The attachments of one goal: they are ordered by goal.
std::span<const Attachment> of_point(std::span<const Attachment> goals, std::uint32_t point) {
    const auto first_of = [goals](std::uint32_t wanted) {
        std::size_t low = 0;
        std::size_t high = goals.size();
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (goals[middle].point < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    };
    const std::size_t first = first_of(point);
    return goals.subspan(first, first_of(point + 1) - first);
}

// The cheapest attachment at a waypoint, the first of equals.
const Attachment& cheapest(std::span<const Attachment> list, std::uint32_t slot) {
    const Attachment* best = nullptr;
    for (const Attachment& a : list) {
        if (a.slot == slot && (best == nullptr || a.cost < best->cost)) best = &a;
    }
    FAIRLEAD_ASSERT(best != nullptr);
    return *best;
}

}  // namespace

// The waypoints from the end's parents; a forward search gives them last first. False: out of memory.
bool SearchRun::list_chain(std::uint32_t end_node) {
    chain_.clear();
    std::uint32_t node = end_node;
    if (!space_.is_waypoint(nodes_.state_of(end_node))) node = nodes_[node].parent;
    for (; node != kNoNode; node = nodes_[node].parent) {
        if (!chain_.push_back(nodes_.state_of(node))) return false;
    }
    if (!query_.backward) {
        for (std::size_t i = 0, k = chain_.size(); i + 1 < k; ++i, --k) std::swap(chain_[i], chain_[k - 1]);
    }
    return true;
}

// `end_node` is the engine's node of the goal, or of the waypoint where a partial route ends.
Result<void> SearchRun::write(Route& route, std::uint32_t end_node, PathStatus status) {
    if (!list_chain(end_node)) return kNoMemory;
    const std::uint32_t end_state = nodes_.state_of(end_node);
    const std::uint32_t point =
        space_.is_waypoint(end_state) || query_.backward ? 0 : end_state - space_.base();
    return write_chain(route, point, status);
}

// Of two searches of a query the one that came nearer counts. False: out of memory.
bool SearchRun::keep_best() {
    if (!query_.partial || all_goals_ || space_.nearest == kNoSlot) return true;
    const double away = space_.distance_to_target(state_.data().node(space_.nearest).position);
    if (!(away < best_away_)) return true;
    best_away_ = away;
    return list_chain(nodes_.find(space_.nearest)) && best_chain_.assign(chain_.span());
}

// The budget is spent: to the waypoint nearest a goal, if it is nearer than the start.
Result<void> SearchRun::write_best(Route& route) {
    if (!keep_best()) return kNoMemory;
    if (best_chain_.empty() || !(best_away_ < space_.distance_to_target(points_[0]))) return {};
    if (!chain_.assign(best_chain_.span())) return kNoMemory;
    return write_chain(route, 0, PathStatus::budget_spent);
}

// The legs over the waypoints of chain_, and to the goal if the route is complete.
Result<void> SearchRun::write_chain(Route& route, std::uint32_t point, PathStatus status) {
    Writer writer{*this, route, points_[0]};
    bool written = true;
    if (chain_.empty()) {
        const Shortcut* best = nullptr;
        for (const Shortcut& way : shortcuts_) {
            if (!query_.backward && way.point != point) continue;
            if (best == nullptr || way.cost < best->cost) best = &way;
        }
        FAIRLEAD_ASSERT(best != nullptr);
        written = writer.shortcut(*best);
    } else {
        written = writer.enter(cheapest(starts_.span(), chain_[0]));
        for (std::size_t i = 0; written && i + 1 < chain_.size(); ++i)
            written = writer.pass(chain_[i], chain_[i + 1]);
        if (written && status == PathStatus::complete) {
            const std::span<const Attachment> all = goals_.span();
            written = writer.leave(cheapest(query_.backward ? all : of_point(all, point), chain_.back()));
        }
    }
    if (!written) return kNoMemory;
    route.end = {writer.at, writer.heading, 0};
    route.line_cost = route.cost;
    route.status = status;
    const bool trusted = query_.own.estimate == nullptr || query_.own.consistent;
    const bool bounded =
        trusted && query_.planner != RoadmapPlanner::greedy_best_first && status == PathStatus::complete;
    if (bounded) route.bound = bound_at(scale_input(), space_.scale, route.cost);
    return {};
}

void SearchRun::write_head(Route& route) const {
    route.status = at_.status;
    route.planner = planner_name(query_.planner);
    route.revision = state_.revision();
    route.end = {points_[0], 0.0, 0};
}

bool SearchRun::has_route() const {
    if (at_.failed()) return false;
    if (at_.status != PathStatus::budget_spent)
        return at_.status == PathStatus::complete || at_.status == PathStatus::partial;
    if (!query_.partial || !engine_.has_value()) return false;
    double away = best_away_;
    if (space_.nearest != kNoSlot)
        away = std::min(away, space_.distance_to_target(state_.data().node(space_.nearest).position));
    return away < space_.distance_to_target(points_[0]);
}

// The digest covers the searches that came before, at finer scales, too.
SearchStats SearchRun::stats() const {
    SearchStats sum = before_;
    sum.digest = digest_.value();
    if (!engine_.has_value()) return sum;
    SearchStats last = stats_of(*engine_);
    last.digest = 0;
    add_stats(sum, last);
    return sum;
}

Result<void> SearchRun::take(Route& route) {
    if (at_.failed()) return at_.error();
    write_head(route);
    switch (at_.status) {
        case PathStatus::complete: return write(route, engine_->goal_node(), at_.status);
        case PathStatus::partial: return write(route, nodes_.find(space_.nearest), at_.status);
        case PathStatus::budget_spent: return write_best(route);
        default: return {};
    }
}

Result<void> SearchRun::take(Route& route, std::uint32_t point) {
    FAIRLEAD_ASSERT(!running());
    if (at_.failed()) return at_.error();
    write_head(route);
    if (at_.status != PathStatus::complete) return {};
    const std::uint32_t node = nodes_.find(space_.base() + point);
    const PathStatus missed =
        !of_point(goals_.span(), point).empty() ? PathStatus::unreachable : PathStatus::goal_blocked;
    route.status = node != kNoNode ? PathStatus::complete : missed;
    return node != kNoNode ? write(route, node, PathStatus::complete) : Result<void>{};
}

}  // namespace fairlead::roadmap
