#include "drive/curves/write_route.h"

#include <cmath>

#include "drive/body/leg_clearance.h"
#include "drive/cost/line_cost.h"
#include "drive/map/map_frame.h"

namespace fairlead::drive {

namespace {

bool same_line(const Leg& a, const Leg& b) {
    return a.kind == LegKind::drive && b.kind == LegKind::drive && a.curvature == 0.0 && b.curvature == 0.0 &&
           a.gear == b.gear && a.start.heading_rad == b.start.heading_rad;
}

// Turns on the spot to the same side.
bool same_turn(const Leg& a, const Leg& b) {
    const bool turns = a.kind == LegKind::turn && b.kind == LegKind::turn;
    return turns && (a.turn_rad < 0.0) == (b.turn_rad < 0.0) && std::abs(a.turn_rad + b.turn_rad) <= kTwoPi;
}

bool append_link(const FreeCurve& link, const Pose& from, std::int32_t layer, Array<Leg>& legs) {
    Leg leg;
    leg.kind = LegKind::link;
    leg.start = {{from.position.x, from.position.y, 0.0}, from.heading_rad, layer};
    leg.link_id = link.link_id;
    leg.gear = link.first;
    return legs.push_back(leg);
}

}  // namespace

void merge_legs(Array<Leg>& legs) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < legs.size(); ++i) {
        if (kept > 0 && same_line(legs[kept - 1], legs[i])) {
            legs[kept - 1].length += legs[i].length;
        } else if (kept > 0 && same_turn(legs[kept - 1], legs[i])) {
            legs[kept - 1].turn_rad += legs[i].turn_rad;
        } else {
            legs[kept++] = legs[i];
        }
    }
    while (legs.size() > kept) legs.pop_back();
}

void finish_legs(const MapData& map, const BlockerSweep* blockers, Array<Leg>& legs) {
    merge_legs(legs);
    write_clearances(map, blockers, legs);
}

bool write_route(const MapData& map, const LatticeQuery& query, const Array<ChainPose>& chain, Route& route,
                 bool to_goal) {
    const double radius = map.table().options().agent.turning_radius;
    const MapFrame frame(map);
    double cost = 0.0;
    // Ends that were asked for exactly are as they were asked for.
    Pose start = frame.to_world(chain[0].pose);
    Pose goal = frame.to_world(chain.back().pose);
    start.position = query.start.position;
    if (query.start_headings == 0) start.heading_rad = query.start.heading_rad;
    const bool exact = to_goal && query.goal_range <= 0.0;
    if (exact) goal.position = query.goal.position;
    if (exact && query.goal_headings == 0) goal.heading_rad = query.goal.heading_rad;
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
        Pose end;
        const Pose from = i == 0 ? start : frame.to_world(chain[i].pose);
        const std::int32_t layer = frame.layer_at(chain[i].pose.position.y);
        const FreeCurve& next = chain[i].next;
        const bool good = !next.is_link ? append_legs(next.word, from, radius, layer, route.legs, end)
                                        : append_link(next, from, layer, route.legs);
        if (!good) return false;
        cost += next.cost;
    }
    finish_legs(map, query.blockers, route.legs);
    const std::int32_t last = frame.layer_at(chain.back().pose.position.y);
    route.end = {{goal.position.x, goal.position.y, 0.0}, goal.heading_rad, last};
    for (const Leg& leg : route.legs) route.length += leg.length;
    route.cost = cost * map.table().lattice_size();
    route.line_cost = line_cost(map, route.legs.span());
    return true;
}

}  // namespace fairlead::drive
