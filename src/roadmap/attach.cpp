#include "roadmap/attach.h"

namespace fairlead::roadmap {

Prices::Range Prices::range() const {
    Range range;
    if (!filter.kinds.empty()) {
        double low = kInfinity;
        double high = 0.0;
        const Summary& summary = state->data().summary;
        for (std::uint32_t kind = 0; kind < KindSet::kKindsMax; ++kind) {
            const double factor = filter.kinds.factor(kind);
            if ((summary.kinds[kind >> 6] >> (kind & 63) & 1) == 0 || !(factor > 0.0)) continue;
            if (factor < low) low = factor;
            if (factor > high) high = factor;
        }
        if (high > 0.0) range = {low, high};
    }
    if (filter.factor != nullptr) {
        range.low *= filter.factor_min;
        range.high *= EdgeFilter::kFactorMax;
    }
    return range;
}

bool Attacher::begin(const AttachRules& rules, Vec3 at, std::uint32_t point, Side side) {
    rules_ = rules;
    at_ = at;
    side_ = side;
    point_ = point;
    const StateData& state = rules.prices.state->data();
    const double slack = net_slack(state, at);
    slack_squared_ = slack * slack;
    nearest_ = kInfinity;
    tested_ = places_ = 0;
    any_tested_ = any_attached_ = false;
    const double range = rules.range > slack ? rules.range : slack;
    return walk_.begin(state, at, {.range = range, .arcs = true});
}

// Where nothing is known about walls, only the nearest places count.
bool Attacher::stop_before(const NearPlace& place) const {
    const bool another = !any_attached_ || !(place.position == last_attached_);
    if (places_ >= rules_.places && another) return true;
    return !rules_.sight.known() && place.distance_squared > nearest_;
}

bool Attacher::in_sight(const NearPlace& place) {
    if (!rules_.sight.known()) return true;
    if (place.distance_squared <= slack_squared_ && !rules_.check_edges) return true;
    // Both directions of an edge, and edges that meet in one point, ask the same question twice.
    if (!any_tested_ || !(place.position == last_tested_)) {
        const bool outward = side_ == Side::start;
        last_clear_ = rules_.sight.clear(outward ? at_ : place.position, outward ? place.position : at_);
        last_tested_ = place.position;
        any_tested_ = true;
    }
    return last_clear_;
}

Attachment Attacher::make(const NearPlace& place) const {
    const StateData& state = rules_.prices.state->data();
    Attachment made;
    made.slot = made.owner = place.slot;
    made.point = point_;
    made.position = place.position;
    made.off = rules_.off_net_cost * distance(at_, place.position);
    made.cost = made.off;
    if (!place.on_arc()) return made;
    const RoadmapArc& arc = state.arcs(place.slot)[place.arc];
    const double price = rules_.prices.of(place.slot, arc);
    made.arc = place.arc;
    made.t = place.t;
    if (side_ == Side::start) {
        made.slot = arc.to.value;
        made.cost += (1.0 - place.t) * price;
    } else {
        made.cost += place.t * price;
    }
    return made;
}

Attacher::Progress Attacher::step(std::uint64_t& budget, Array<Attachment>& out) {
    const StateData& state = rules_.prices.state->data();
    while (budget > 0) {
        --budget;
        NearPlace place;
        const NearestWalk::Step found = walk_.step(place);
        if (found == NearestWalk::Step::no_memory) return Progress::no_memory;
        if (found == NearestWalk::Step::end) return Progress::done;
        if (found == NearestWalk::Step::opened) continue;
        const RoadmapArc* arc = place.on_arc() ? &state.arcs(place.slot)[place.arc] : nullptr;
        if (arc != nullptr && !(rules_.prices.of(place.slot, *arc) < kInfinity)) continue;  // closed
        if (tested_++ == rules_.tests || stop_before(place)) return Progress::done;
        if (nearest_ == kInfinity) nearest_ = place.distance_squared;
        if (!in_sight(place)) continue;
        const Attachment made = make(place);
        if (arc != nullptr && rules_.check_edges) {
            const bool walks_on = side_ == Side::start;
            const Vec3 waypoint = state.node(made.slot).position;
            const bool clear = rules_.sight.clear(walks_on ? place.position : waypoint,
                                                  walks_on ? waypoint : place.position);
            if (!clear) continue;
        }
        if (!any_attached_ || !(place.position == last_attached_)) ++places_;
        any_attached_ = true;
        last_attached_ = place.position;
        if (!out.push_back(made)) return Progress::no_memory;
    }
    return Progress::running;
}

}  // namespace fairlead::roadmap
