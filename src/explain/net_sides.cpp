// See net_sides.h.
#include "explain/net_sides.h"

namespace fairlead::explaining {

Vec3 position_of(const RoadmapState& state, const Spot& spot) {
    if (spot.kind != Spot::Kind::waypoint) return spot.position;
    return state.data().node(state.find(spot.waypoint).value).position;
}

void NetSides::begin(const RoadmapState& state, const RoadmapQuery& query, double radius, bool against) {
    state_ = state;
    data_ = &state.data();
    against_ = against;
    rules_ = {.prices = {&state_, query.filter, 2.0 * radius},
              .sight = {data_->walls, query.sight, radius},
              .check_edges = query.check_edges,
              .off_net_cost = query.off_net_cost,
              .range = query.attach_range,
              .places = query.attach_max,
              .tests = query.attach_tests};
    floods_.begin();
}

Answer NetSides::add(bool goal_side, const Spot& spot, std::uint64_t& budget) {
    const int side = goal_side ? 1 : 0;
    if (spot.kind == Spot::Kind::waypoint)
        return floods_.meet(side, state_.find(spot.waypoint).value) ? Answer::yes : Answer::no_memory;
    ends_.clear();
    const auto from = goal_side ? roadmap::Attacher::Side::goal : roadmap::Attacher::Side::start;
    if (!attacher_.begin(rules_, spot.position, 0, from)) return Answer::no_memory;
    switch (attacher_.step(budget, ends_)) {
        case roadmap::Attacher::Progress::no_memory: return Answer::no_memory;
        case roadmap::Attacher::Progress::running: return Answer::unknown;
        case roadmap::Attacher::Progress::done: break;
    }
    for (const roadmap::Attachment& end : ends_) {
        if (!floods_.meet(side, end.slot)) return Answer::no_memory;
    }
    return ends_.empty() ? Answer::no : Answer::yes;
}

bool NetSides::is_open(std::uint32_t slot, const RoadmapArc& arc) const {
    if (!(rules_.prices.of(slot, arc) < roadmap::kInfinity)) return false;
    return !rules_.check_edges || arc.link ||
           rules_.sight.clear(data_->node(slot).position, data_->node(arc.to.value).position);
}

bool NetSides::leave_forward(int side, std::uint32_t slot) {
    for (const RoadmapArc& arc : data_->arcs(slot)) {
        if (is_open(slot, arc) && !floods_.meet(side, arc.to.value)) return false;
    }
    return true;
}

bool NetSides::leave_backward(int side, std::uint32_t slot) {
    for (const WaypointSlot from : data_->ins(slot)) {
        for (const RoadmapArc& arc : data_->arcs(from.value)) {
            if (arc.to.value != slot || !is_open(from.value, arc)) continue;
            if (!floods_.meet(side, from.value)) return false;
        }
    }
    return true;
}

bool NetSides::leave(int side, std::uint32_t slot) {
    if ((side == 0 || against_) && !leave_forward(side, slot)) return false;
    return (side == 0 && !against_) || leave_backward(side, slot);
}

Answer NetSides::flood(std::uint64_t& budget) {
    return floods_.flood(budget, [this](int side, std::uint32_t slot) { return leave(side, slot); });
}

Answer NetSides::flood_side(bool goal_side, std::uint64_t& budget) {
    return floods_.flood_side(goal_side, budget,
                              [this](int side, std::uint32_t slot) { return leave(side, slot); });
}

// From a place in the middle of an arc one goes to its end, and comes there from its beginning.
bool NetSides::serves(bool goal_side, const roadmap::NearPlace& place) const {
    if (!place.on_arc()) return floods_.has_met(goal_side ? 1 : 0, place.slot);
    const RoadmapArc& arc = data_->arcs(place.slot)[place.arc];
    if (!is_open(place.slot, arc)) return false;
    return floods_.has_met(goal_side ? 1 : 0, goal_side ? arc.to.value : place.slot);
}

}  // namespace fairlead::explaining
