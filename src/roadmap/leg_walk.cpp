#include "roadmap/leg_walk.h"

#include <utility>

namespace fairlead::roadmap {

namespace {

[[nodiscard]] double smaller(double a, double b) { return b < a ? b : a; }

}  // namespace

// The waypoint that the query names, if the route starts or ends on it.
std::uint32_t LegWalk::bound_waypoint(const Spot& place, Vec3 at) const {
    if (!place.waypoint.valid()) return kNoSlot;
    const std::uint32_t slot = state_.data().find(place.waypoint.value);
    if (slot == kNoSlot) return kNoSlot;
    return distance(state_.data().node(slot).position, at) <= slack_ ? slot : kNoSlot;
}

std::uint32_t LegWalk::bound_end() const {
    if (way_.partial) return kNoSlot;  // another waypoint may lie in the goal's place
    if (!query_.goal.is_list()) return bound_waypoint(query_.goal.at, way_.end.position);
    // One of them is a point there: then the route may have come to it from off the net.
    std::uint32_t slot = kNoSlot;
    for (std::size_t i = 0; i < query_.goal.list.size(); ++i) {
        const Spot place = query_.goal.list[i];
        if (!place.waypoint.valid() && distance(place.position, way_.end.position) <= slack_) return kNoSlot;
        if (slot == kNoSlot) slot = bound_waypoint(place, way_.end.position);
    }
    return slot;
}

// Of a list several may lie in one place.
bool LegWalk::may_end_on(const NetSpot& spot, std::uint32_t bound) const {
    if (bound == kNoSlot) return true;
    if (spot.on_arc()) return false;
    if (!query_.goal.is_list()) return spot.slot == bound;
    const std::int64_t id = state_.data().node(spot.slot).id;
    for (std::size_t i = 0; i < query_.goal.list.size(); ++i) {
        const WaypointId wanted = query_.goal.list[i].waypoint;
        if (wanted.valid() && wanted.value == id) return true;
    }
    return false;
}

// All spots of the net at a place that this query may use, not arrived at.
bool LegWalk::find_spots(Vec3 at, Array<NetSpot>& out) {
    out.clear();
    const StateData& data = state_.data();
    if (!near_.begin(data, at, {.range = net_slack(data, at), .arcs = true})) return false;
    for (;;) {
        NearPlace place;
        const NearestWalk::Step found = near_.next(place);
        if (found == NearestWalk::Step::no_memory) return false;
        if (found == NearestWalk::Step::end) return true;
        if (place.on_arc() && !(prices_.of(place.slot, data.arcs(place.slot)[place.arc]) < kInfinity))
            continue;
        if (!out.push_back({place.slot, place.arc, place.t, kInfinity})) return false;
    }
}

bool LegWalk::clear(Vec3 a, Vec3 b) const {
    if (!sight_.known()) return true;
    if (changed_ != nullptr) {
        Aabb box = kNoBox;
        include(box, ground(a));
        include(box, ground(b));
        // A wall that has changed within the radius; a little more, for rounding.
        const double reach = sight_.radius + slack_;
        box.low = box.low - Vec2{reach, reach};
        box.high = box.high + Vec2{reach, reach};
        if (!overlaps(box, *changed_)) return true;
    }
    return sight_.clear(a, b);
}

// The edge that the leg ran along may be gone: then nobody has asked yet whether the ground there is clear.
bool LegWalk::clear_off_net(Vec3 a, Vec3 b) const {
    const bool same_net = way_.revision == state_.revision();
    return same_net || !sight_.known() ? clear(a, b) : sight_.clear(a, b);
}

double LegWalk::off_net(Vec3 a, Vec3 b) const {
    const double away = distance(a, b);
    if (away > larger(query_.attach_range, slack_) || !clear_off_net(a, b)) return kInfinity;
    return query_.off_net_cost * away;
}

// From one spot to another along one edge or link; infinite: not in one step.
double LegWalk::step(const NetSpot& from, const NetSpot& to, const Leg& leg) const {
    const StateData& data = state_.data();
    if (from.on_arc()) {
        const RoadmapArc& arc = data.arcs(from.slot)[from.arc];
        if (leg.kind == LegKind::link) return kInfinity;
        const bool same = to.on_arc() && to.slot == from.slot && to.arc == from.arc && to.t >= from.t;
        if (same) return (to.t - from.t) * prices_.of(from.slot, arc);
        return !to.on_arc() && arc.to.value == to.slot ? (1.0 - from.t) * prices_.of(from.slot, arc)
                                                       : kInfinity;
    }
    const bool link = leg.kind == LegKind::link;
    if (to.on_arc()) {
        if (link || to.slot != from.slot) return kInfinity;
        return to.t * prices_.of(to.slot, data.arcs(to.slot)[to.arc]);
    }
    double best = kInfinity;
    for (const RoadmapArc& arc : data.arcs(from.slot)) {
        if (arc.to.value != to.slot || arc.link != link || (link && arc.label != leg.link_id)) continue;
        best = smaller(best, prices_.of(from.slot, arc));
    }
    return best;
}

// False: no spot got cheaper.
bool LegWalk::relax(std::span<const NetSpot> from, std::span<NetSpot> to, const Leg& leg, bool clear) const {
    bool better = false;
    if (!clear) return false;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const NetSpot& a = from[i];
        if (!(a.cost < kInfinity)) continue;
        for (NetSpot& b : to) {
            const double cost = a.cost + step(a, b, leg);
            if (cost < b.cost) {
                b.cost = cost;
                b.before = static_cast<std::uint32_t>(i);
                b.here = from.data() == to.data();
                better = true;
            }
        }
    }
    return better;
}

// Edges between spots in one place.
void LegWalk::close(Array<NetSpot>& spots) const {
    const Leg no_length{};
    for (std::size_t round = 0; spots.size() > 1 && round < spots.size(); ++round) {
        if (!relax(spots.span(), spots.span(), no_length, true)) return;
    }
}

void LegWalk::bad(std::size_t i) {
    found_.legal = false;
    if (found_.first_bad < 0) found_.first_bad = static_cast<std::int64_t>(i);
    found_.last_bad = static_cast<std::int64_t>(i);
}

bool LegWalk::start() {
    const Vec3 at = way_.joint(0);
    if (!find_spots(at, here_)) return false;
    start_slot_ = bound_waypoint(query_.start, at);
    for (NetSpot& spot : here_) {
        if (start_slot_ == kNoSlot || (!spot.on_arc() && spot.slot == start_slot_)) spot.cost = 0.0;
    }
    close(here_);
    return keep(here_.span());
}

// The price of a last leg that leaves the net for a goal off it.
double LegWalk::leave(std::size_t i, std::span<const NetSpot> from) const {
    double least = kInfinity;
    for (const NetSpot& spot : from) least = smaller(least, spot.cost);
    if (!(least < kInfinity)) return kInfinity;
    return least + off_net(way_.joint(i), way_.joint(i + 1));
}

// One leg: from the spots here_ to those of its end, which become here_.
bool LegWalk::pass(std::size_t i) {
    const Leg& leg = way_.legs[i];
    const Vec3 a = way_.joint(i);
    const Vec3 b = way_.joint(i + 1);
    if (!find_spots(b, there_)) return false;
    const bool walked = leg.kind != LegKind::link;
    const bool edges_clear = !walked || !query_.check_edges || clear(a, b);
    (void)relax(here_.span(), there_.span(), leg, edges_clear);

    double free_end = kInfinity;  // arrived off the net
    const bool first = i == 0;
    const bool last = i + 1 == way_.legs.size();
    if (walked && first && start_slot_ == kNoSlot && !there_.empty()) {
        const double cost = off_net(a, b);
        for (NetSpot& spot : there_) {
            if (!(cost < spot.cost)) continue;
            spot.cost = cost;
            spot.before = kNoSlot;
        }
    }
    const std::uint32_t end_slot = last ? bound_end() : kNoSlot;
    end_slot_ = end_slot;
    if (walked && last && end_slot == kNoSlot && !way_.partial) {
        free_end = leave(i, here_.span());
        if (first && query_.direct && sight_.known() && clear_off_net(a, b))
            free_end = smaller(free_end, query_.off_net_cost * distance(a, b));
    }
    // Start a point, goal a waypoint in sight: straight, although the waypoint is not attached to by rank or range.
    if (walked && first && last && end_slot != kNoSlot && start_slot_ == kNoSlot && query_.direct &&
        sight_.known() && clear_off_net(a, b)) {
        free_end = query_.off_net_cost * distance(a, b);
    }
    close(there_);

    double arrived = kInfinity;
    for (const NetSpot& spot : there_) {
        if (may_end_on(spot, end_slot)) arrived = smaller(arrived, spot.cost);
    }
    ends_off_ = free_end < arrived;
    arrived = smaller(arrived, free_end);
    if (!(arrived < kInfinity)) {
        bad(i);
        // Go on as if it had been legal, to find the other bad ones.
        for (NetSpot& spot : there_) {
            spot.cost = 0.0;
            spot.before = kNoSlot;
        }
    }
    if (last) cost_ = arrived;
    std::uint32_t reached = kNoSlot;
    double least = kInfinity;
    for (const NetSpot& spot : there_) {
        if (spot.on_arc() || !(spot.cost < least)) continue;
        least = spot.cost;
        reached = spot.slot;
    }
    std::swap(here_, there_);
    if (!keep(here_.span())) return false;
    return reached_.push_back(reached);
}

// Of a route without legs: find_route asks for sight there, but not between waypoints. Of two waypoints in one place edges must lead
// from one to the other. False: out of memory.
bool LegWalk::stand() {
    const Vec3 at = way_.end.position;
    const std::uint32_t end_slot = bound_end();
    const bool on_waypoints =
        bound_waypoint(query_.start, at) != kNoSlot && (way_.partial || end_slot != kNoSlot);
    if (!on_waypoints) {
        found_.legal = clear(at, at);
        return true;
    }
    if (way_.partial) return true;
    if (!start()) return false;
    cost_ = kInfinity;
    for (const NetSpot& spot : here_) {
        if (may_end_on(spot, end_slot)) cost_ = smaller(cost_, spot.cost);
    }
    found_.legal = cost_ < kInfinity;
    return true;
}

bool LegWalk::run(const RoadmapState& state, const RoadmapQuery& query, const Way& way, const Aabb* changed) {
    state_ = state;
    query_ = query;
    prices_ = {&state_, query.filter, 2.0 * query.agent.radius};
    sight_ = {state.data().walls, query.sight, query.agent.radius};
    way_ = way;
    changed_ = changed;
    slack_ = net_slack(state.data(), way.joint(0));
    found_ = {};
    cost_ = kInfinity;
    reached_.clear();
    seen_.clear();
    seen_first_.clear();
    ends_off_ = false;
    if (way.legs.empty()) return stand();
    if (!start() || !reached_.push_back(kNoSlot)) return false;  // the start is never looked up
    for (std::size_t i = 0; i < way.legs.size(); ++i) {
        if (!pass(i)) return false;
    }
    return true;
}

}  // namespace fairlead::roadmap
