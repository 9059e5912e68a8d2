// Leg by leg: routes of one leg, judged by verify; and by halving, how wide a disc may be on a leg that meets walls.
#include <fairlead/verify/each_leg.h>

namespace fairlead {

namespace witness {

namespace {

constexpr int kWidthHalvings = 30;

// `alone` meets a wall with this radius.
double widest_on(const Route& alone, const GridState& grid, Agent agent, const VerifyOptions& options) {
    double high = agent.radius;
    double low = 0.0;
    agent.radius = 0.0;
    if (verify(alone, grid, agent, options)) return -1.0;
    for (int i = 0; i < kWidthHalvings && high - low > 1e-6 * grid.cell_size(); ++i) {
        agent.radius = 0.5 * (low + high);
        (verify(alone, grid, agent, options) ? high : low) = agent.radius;
    }
    return low;
}

}  // namespace

}  // namespace witness

bool take_leg(const Route& route, std::size_t i, Route& alone) {
    alone.clear();
    alone.status = PathStatus::complete;
    alone.revision = route.revision;
    alone.length = route.legs[i].length;
    alone.end = leg_end(route, i);
    return alone.legs.push_back(route.legs[i]);
}

bool verify_legs(const Route& route, const GridState& grid, const Agent& agent, Array<LegVerdict>& legs,
                 const VerifyOptions& options) {
    VerifyOptions lenient = options;
    lenient.check_revision = false;
    const auto judge = [&](const Route& alone) { return verify(alone, grid, agent, lenient); };
    if (!verify_legs_by(route, judge, legs)) return false;
    if (agent.shape != BodyShape::disc || agent.footprint != 0) return true;
    Route alone;
    for (std::size_t i = 0; i < legs.size(); ++i) {
        const ViolationKind kind = legs[i].bad.kind;
        if (kind != ViolationKind::wall && kind != ViolationKind::off_world) continue;
        if (!take_leg(route, i, alone)) return false;
        alone.legs[0].clearance = kUnknown;
        legs[i].fits = witness::widest_on(alone, grid, agent, lenient);
    }
    return true;
}

}  // namespace fairlead
