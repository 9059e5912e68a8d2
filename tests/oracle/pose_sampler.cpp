#include "oracle/pose_sampler.h"

#include <algorithm>
#include <cmath>

namespace fairlead::oracle {

const char* fault_name(PoseFault fault) {
    constexpr const char* kNames[] = {"none", "number",   "gear",    "curvature",
                                      "wall", "position", "heading", "length"};
    static_assert(std::size(kNames) == static_cast<std::size_t>(PoseFault::count_));
    return kNames[static_cast<std::size_t>(fault)];
}

Pose sampled_pose(const Leg& leg, double s) {
    const double way = leg.gear == Gear::reverse ? -1.0 : 1.0;
    const double from = leg.start.heading_rad;
    Pose out{{leg.start.position.x, leg.start.position.y}, from};
    if (leg.kind == LegKind::turn) {
        out.heading_rad += std::copysign(s, leg.turn_rad);
        return out;
    }
    if (leg.curvature == 0.0) {
        out.position = out.position + Vec2{std::cos(from), std::sin(from)} * (way * s);
        return out;
    }
    // The circle's centre lies to the side, at a right angle to the way of travel.
    const double radius = 1.0 / leg.curvature;
    const Vec2 centre = out.position + Vec2{-std::sin(from), std::cos(from)} * (way * radius);
    out.heading_rad = from + leg.curvature * s;
    out.position = centre - Vec2{-std::sin(out.heading_rad), std::cos(out.heading_rad)} * (way * radius);
    return out;
}

namespace {

// Of a drive leg cells, of a turn radians.
double extent_of(const Leg& leg) { return leg.kind == LegKind::turn ? std::fabs(leg.turn_rad) : leg.length; }

double angle_between(double a, double b) { return std::fabs(std::remainder(a - b, kTwoPi)); }

Pose pose_of(const Place& place) { return {{place.position.x, place.position.y}, place.heading_rad}; }

class Walk {
  public:
    Walk(const Route& route, const PoseMap& map, const Agent& agent, const PoseSampling& sampling)
        : route_(route), map_(map), agent_(agent), sampling_(sampling), body_(pose_body(agent)) {}

    [[nodiscard]] PoseFinding all() {
        const Pose end = pose_of(route_.end);
        const Pose begin = route_.legs.empty() ? end : pose_of(route_.legs[0].start);
        if (sampling_.start) meet(begin, *sampling_.start, 0, 0.0);
        double sum = 0.0;
        for (std::size_t i = 0; i < route_.legs.size() && !found_; ++i) {
            const Leg& leg = route_.legs[i];
            manner(leg, i);
            if (!found_) walls(leg, i);
            if (!found_) meet(sampled_pose(leg, extent_of(leg)), pose_of(leg_end(route_, i)), i, leg.length);
            sum += leg.length;
        }
        if (!found_ && route_.legs.empty()) look(end, 0, 0.0);
        if (!found_ && sampling_.goal) meet(end, *sampling_.goal, route_.legs.size(), 0.0);
        if (!found_ && !(std::fabs(sum - route_.length) <= sampling_.alarm))
            tell(PoseFault::length, route_.legs.size(), 0.0, std::fabs(sum - route_.length));
        return found_;
    }

  private:
    void tell(PoseFault fault, std::size_t leg, double distance, double amount) {
        if (found_) return;
        found_.fault = fault;
        found_.leg = leg;
        found_.distance = distance;
        found_.amount = amount;
    }

    void meet(const Pose& a, const Pose& b, std::size_t leg, double distance) {
        const double gap = std::hypot(a.position.x - b.position.x, a.position.y - b.position.y);
        if (!(gap <= sampling_.alarm)) tell(PoseFault::position, leg, distance, gap);
        const double turn = angle_between(a.heading_rad, b.heading_rad);
        if (!(turn <= sampling_.alarm)) tell(PoseFault::heading, leg, distance, turn);
    }

    void manner(const Leg& leg, std::size_t i) {
        const double numbers[] = {leg.start.position.x, leg.start.position.y, leg.start.heading_rad,
                                  leg.length,           leg.curvature,        leg.turn_rad};
        const bool finite =
            std::all_of(std::begin(numbers), std::end(numbers), [](double v) { return std::isfinite(v); });
        const bool turn =
            leg.kind == LegKind::turn && agent_.can_pivot && leg.length == 0.0 && leg.curvature == 0.0;
        if (!finite || leg.length < 0.0 || (leg.kind != LegKind::drive && !turn))
            tell(PoseFault::number, i, 0.0, 0.0);
        if (leg.gear == Gear::reverse && !agent_.can_reverse) tell(PoseFault::gear, i, 0.0, 0.0);
        const double bend = std::fabs(leg.curvature) * agent_.turning_radius;
        if (bend > 1.0 + sampling_.alarm) tell(PoseFault::curvature, i, 0.0, bend - 1.0);
    }

    double look(const Pose& pose, std::size_t leg, double distance) {
        const double depth = depth_on_map(body_, map_, pose);
        found_.deepest = std::max(found_.deepest, depth);
        if (depth > sampling_.alarm) tell(PoseFault::wall, leg, distance, depth);
        return depth;
    }

    void walls(const Leg& leg, std::size_t i) {
        // How far the farthest point of the body moves for each cell of the axle.
        const double swing =
            leg.kind == LegKind::turn ? body_.reach : 1.0 + body_.reach * std::fabs(leg.curvature);
        const double extent = extent_of(leg);
        const auto count = static_cast<std::int64_t>(std::ceil(extent * swing / sampling_.step));
        for (std::int64_t j = 0; j <= count && !found_;) {
            const double s = count == 0 ? 0.0 : extent * static_cast<double>(j) / static_cast<double>(count);
            const double gap = -look(sampled_pose(leg, s), i, s);
            const auto wide = static_cast<std::int64_t>(std::max(0.0, gap) / sampling_.step);
            j += j == count ? 1 : std::clamp<std::int64_t>(wide, 1, count - j);
        }
    }

    const Route& route_;
    const PoseMap& map_;
    const Agent& agent_;
    const PoseSampling& sampling_;
    PoseBody body_;
    PoseFinding found_;
};

}  // namespace

PoseFinding sample_route(const Route& route, const PoseMap& map, const Agent& agent,
                         const PoseSampling& sampling) {
    return Walk(route, map, agent, sampling).all();
}

}  // namespace fairlead::oracle
