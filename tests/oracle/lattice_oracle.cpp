#include "oracle/lattice_oracle.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>
#include <fairlead/verify/verify.h>

namespace fairlead::oracle {

LatticeOracle::LatticeOracle(const GridState& grid, const Agent& agent, const PrimitiveSet& set,
                             std::span<const Blocker> blockers)
    : grid_(grid), agent_(agent), set_(set), blockers_(blockers) {
    known_.resize(static_cast<std::size_t>(grid.width()) * static_cast<std::size_t>(grid.height()) *
                  set.all().size());
}

std::size_t LatticeOracle::state(const OraclePose& at, Gear gear) const {
    const auto cell = static_cast<std::size_t>(at.y * grid_.width() + at.x);
    return (cell * static_cast<std::size_t>(set_.headings()) + static_cast<std::size_t>(at.heading)) * 2 +
           (gear == Gear::reverse ? 1 : 0);
}

Pose LatticeOracle::pose_of(const OraclePose& at) const {
    return {{at.x + 0.5, at.y + 0.5}, heading_rad(set_.headings(), at.heading)};
}

// As a route of its own. Words are in turning radii; an amount below 0 is in reverse.
bool LatticeOracle::legal(const CurveWord& word, const Pose& from) {
    ++asked_;
    Route route;
    route.status = PathStatus::complete;
    Place at{{from.position.x, from.position.y, 0.0}, from.heading_rad, 0};
    for (const CurveSegment& segment : word.used()) {
        if (segment.amount == 0.0) continue;
        Leg leg;
        leg.start = at;
        if (segment.steer == Steer::spin) {
            leg.kind = LegKind::turn;
            leg.turn_rad = segment.amount;
            if (!route.legs.push_back(leg)) return false;
            at.heading_rad += segment.amount;
            continue;
        }
        leg.length = std::fabs(segment.amount) * agent_.turning_radius;
        leg.gear = segment.amount < 0.0 ? Gear::reverse : Gear::forward;
        // Positive to the left of the direction of travel: what is left of a unit is right of its way in reverse.
        const double left = static_cast<double>(segment.steer) * (segment.amount < 0.0 ? -1.0 : 1.0);
        leg.curvature = left / agent_.turning_radius;
        route.length += leg.length;
        if (!route.legs.push_back(leg)) return false;
        at = place_on_leg(leg, leg.length);
    }
    route.end = at;
    return !verify(route, grid_, agent_, {.blockers = blockers_, .check_revision = false});
}

bool LatticeOracle::may_drive(std::int32_t x, std::int32_t y, std::size_t primitive) {
    const auto cell = static_cast<std::size_t>(y * grid_.width() + x);
    std::uint8_t& known = known_[cell * set_.all().size() + primitive];
    if (known == 0) {
        const Primitive& move = set_.all()[primitive];
        known = legal(move.word, pose_of({x, y, move.from})) ? 2 : 1;
    }
    return known == 2;
}

void LatticeOracle::sweep(const OraclePose& start, const LatticeCosts& costs, std::vector<double>& cost) {
    using Entry = std::pair<double, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const auto headings = static_cast<std::size_t>(set_.headings());
    cost.assign(known_.size() / set_.all().size() * headings * 2, kNoWay);
    // The gear that it starts in is free.
    for (const Gear gear : {Gear::forward, Gear::reverse}) {
        const std::size_t first = state(start, gear);
        cost[first] = 0.0;
        open.push({0.0, first});
    }
    while (!open.empty()) {
        const auto [so_far, at] = open.top();
        open.pop();
        if (so_far > cost[at]) continue;
        const Gear gear = at % 2 == 1 ? Gear::reverse : Gear::forward;
        const auto heading = static_cast<std::int32_t>(at / 2 % headings);
        const auto cell = static_cast<std::int32_t>(at / 2 / headings);
        const std::int32_t x = cell % grid_.width();
        const std::int32_t y = cell / grid_.width();
        for (std::uint32_t i = set_.first(heading); i < set_.first(heading + 1); ++i) {
            const Primitive& move = set_.all()[i];
            const OraclePose to{x + move.dx, y + move.dy, move.to};
            if (to.x < 0 || to.y < 0 || to.x >= grid_.width() || to.y >= grid_.height()) continue;
            double turned = 0.0;
            for (const CurveSegment& segment : move.word.used())
                turned += segment.steer == Steer::spin ? std::fabs(segment.amount) : 0.0;
            const double more = turned * costs.pivot_penalty +
                                move.length * (move.gear == Gear::reverse ? costs.reverse_penalty : 1.0) +
                                (move.gear != gear ? costs.cusp_penalty : 0.0);
            const std::size_t next = state(to, move.gear);
            if (so_far + more >= cost[next] || !may_drive(x, y, i)) continue;
            cost[next] = so_far + more;
            open.push({cost[next], next});
        }
    }
}

namespace {

// The cost again, from the segments, and how far it turns.
double cost_of(const CurveWord& word, double radius, Gear gear, const LatticeCosts& costs, double& turning) {
    double cost = 0.0;
    turning = 0.0;
    for (const CurveSegment& segment : word.used()) {
        if (segment.amount == 0.0) continue;
        const double amount = std::fabs(segment.amount);
        const Gear next = segment.amount < 0.0 ? Gear::reverse : Gear::forward;
        cost += next != gear ? costs.cusp_penalty : 0.0;
        cost += amount * radius * (next == Gear::reverse ? costs.reverse_penalty : 1.0);
        if (segment.steer != Steer::straight) turning += amount;
        gear = next;
    }
    return cost;
}

}  // namespace

void LatticeOracle::try_curves(const Pose& from, Gear gear, const Pose& goal, const LatticeCosts& costs,
                               double so_far, LatticeAnswer& answer) {
    const double r = agent_.turning_radius;
    const ReedsSheppCost prices{costs.reverse_penalty, costs.cusp_penalty / r};
    CurveWord words[kReedsSheppWords + 1];
    int count = 0;
    if (agent_.can_reverse) {
        words[0] = shortest_reeds_shepp(from, goal, r, prices);
        count = 1 + reeds_shepp_words(from, goal, r, prices,
                                      std::span<CurveWord, kReedsSheppWords>(words + 1, kReedsSheppWords));
    } else {
        words[0] = shortest_dubins(from, goal, r);
        count = 1 + dubins_words(from, goal, r, std::span<CurveWord, kDubinsWords>(words + 1, kDubinsWords));
    }
    for (int i = 0; i < count; ++i) {
        double turning = 0.0;
        const double cost = so_far + cost_of(words[i], r, gear, costs, turning);
        const bool helps = cost < answer.with_curves || (i == 0 && cost < answer.with_shortest);
        if (!helps || turning > costs.curve_turn_max || !legal(words[i], from)) continue;
        answer.with_curves = std::min(answer.with_curves, cost);
        if (i == 0) answer.with_shortest = std::min(answer.with_shortest, cost);
    }
}

// Turn, line, turn: either gear, each turn either way round. Of the answers with_curves alone may use them.
void LatticeOracle::try_turning(const Pose& from, Gear gear, const Pose& goal, const LatticeCosts& costs,
                                double so_far, LatticeAnswer& answer) {
    const double dx = goal.position.x - from.position.x;
    const double dy = goal.position.y - from.position.y;
    const double far = std::hypot(dx, dy);
    for (int ways = 0; ways < 8; ++ways) {
        const bool back = (ways & 1) != 0;
        if (back && !agent_.can_reverse) continue;
        const double along = far == 0.0 ? goal.heading_rad : std::atan2(dy, dx) + (back ? kPi : 0.0);
        double turns[] = {std::remainder(along - from.heading_rad, kTwoPi),
                          std::remainder(goal.heading_rad - along, kTwoPi)};
        for (int i = 0; i < 2; ++i) {
            if ((ways & (2 << i)) != 0) turns[i] -= std::copysign(kTwoPi, turns[i]);
            if (std::fabs(turns[i]) < 1e-12) turns[i] = 0.0;
        }
        CurveWord word;
        word.segments[0] = {turns[0], Steer::spin};
        word.segments[1] = {(back ? -far : far) / agent_.turning_radius, Steer::straight};
        word.segments[2] = {turns[1], Steer::spin};
        word.count = 3;
        const bool cusp = far > 0.0 && back != (gear == Gear::reverse);
        const double cost = so_far + (std::fabs(turns[0]) + std::fabs(turns[1])) * costs.pivot_penalty +
                            far * (back ? costs.reverse_penalty : 1.0) + (cusp ? costs.cusp_penalty : 0.0);
        if (cost < answer.with_curves && legal(word, from)) answer.with_curves = cost;
    }
}

LatticeAnswer LatticeOracle::find(const OraclePose& start, const OraclePose& goal,
                                  const LatticeCosts& costs) {
    std::vector<double> cost;
    sweep(start, costs, cost);
    LatticeAnswer answer;
    answer.on_lattice = std::min(cost[state(goal, Gear::forward)], cost[state(goal, Gear::reverse)]);
    answer.with_shortest = answer.with_curves = answer.on_lattice;
    const auto reach = static_cast<std::int32_t>(std::ceil(costs.curve_reach));
    // From the start itself, however far it is.
    for (const Gear gear : {Gear::forward, Gear::reverse}) {
        if (cost[state(start, gear)] < kNoWay)
            try_curves(pose_of(start), gear, pose_of(goal), costs, 0.0, answer);
        if (agent_.can_pivot) try_turning(pose_of(start), gear, pose_of(goal), costs, 0.0, answer);
    }
    OraclePose at;
    for (at.y = std::max(0, goal.y - reach); at.y <= std::min(grid_.height() - 1, goal.y + reach); ++at.y) {
        for (at.x = std::max(0, goal.x - reach); at.x <= std::min(grid_.width() - 1, goal.x + reach);
             ++at.x) {
            if (std::hypot(at.x - goal.x, at.y - goal.y) > costs.curve_reach) continue;
            for (at.heading = 0; at.heading < set_.headings(); ++at.heading) {
                for (const Gear gear : {Gear::forward, Gear::reverse}) {
                    const double so_far = cost[state(at, gear)];
                    if (so_far >= answer.with_shortest) continue;
                    try_curves(pose_of(at), gear, pose_of(goal), costs, so_far, answer);
                    if (agent_.can_pivot)
                        try_turning(pose_of(at), gear, pose_of(goal), costs, so_far, answer);
                }
            }
        }
    }
    return answer;
}

}  // namespace fairlead::oracle
