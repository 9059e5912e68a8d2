#include "support/road_judge.h"

#include <algorithm>
#include <cmath>

namespace fairlead::testing {

namespace {

constexpr int kRim = 48;
constexpr double kSlack = 1e-7;

double along(const JudgedRoad& road, Vec2 p) {
    const double x = road.b.x - road.a.x;
    const double y = road.b.y - road.a.y;
    return ((p.x - road.a.x) * x + (p.y - road.a.y) * y) / std::hypot(x, y);
}

double off(const JudgedRoad& road, Vec2 p) {
    const double reach = std::hypot(road.b.x - road.a.x, road.b.y - road.a.y);
    const double t = std::clamp(along(road, p), 0.0, reach) / reach;
    const double x = road.a.x + (road.b.x - road.a.x) * t;
    const double y = road.a.y + (road.b.y - road.a.y) * t;
    return std::hypot(p.x - x, p.y - y);
}

std::string place_text(Vec2 p) { return " at (" + std::to_string(p.x) + ", " + std::to_string(p.y) + ")"; }

}  // namespace

bool RoadJudge::covered(Vec2 p, double radius) const {
    return std::any_of(roads_.begin(), roads_.end(), [p, radius](const JudgedRoad& road) {
        return off(road, p) + radius <= 0.5 * road.width + kSlack;
    });
}

/// A disc lies on one road, or every point of its rim on some road.
bool RoadJudge::stands(Vec2 p, double radius) const {
    if (covered(p, radius)) return true;
    for (int k = 0; k < kRim; ++k) {
        const double turn = 2.0 * 3.14159265358979323846 * k / kRim;
        if (!covered({p.x + radius * std::cos(turn), p.y + radius * std::sin(turn)}, 0.0)) return false;
    }
    return true;
}

double RoadJudge::limit_at(Vec2 p) const {
    double most = 0.0;
    for (const JudgedRoad& road : roads_) {
        if (off(road, p) <= 0.5 * road.width + kSlack) most = std::max(most, road.speed_max);
    }
    return most;
}

/// Who has arrived may be pushed past its goal, and comes back.
void RoadJudge::follow_one_way(RoadUnit& unit) {
    int on = -1;
    int count = 0;
    for (std::size_t i = 0; i < roads_.size(); ++i) {
        if (off(roads_[i], unit.p) > 0.5 * roads_[i].width + kSlack) continue;
        ++count;
        if (roads_[i].one_way) on = static_cast<int>(i);
    }
    if (count != 1 || unit.arrived) on = -1;  // at a junction
    if (on < 0) {
        unit.on = -1;
        return;
    }
    const double now = along(roads_[static_cast<std::size_t>(on)], unit.p);
    if (unit.on != on || now > unit.furthest) unit.furthest = now;
    unit.on = on;
    backwards_ = std::max(backwards_, unit.furthest - now);
}

void RoadJudge::add(const Fleet& fleet, FleetId id, double radius, double speed_max) {
    RoadUnit unit;
    unit.id = id;
    unit.p = ground(fleet.unit(id).place.position);
    unit.radius = radius;
    unit.speed_max = speed_max;
    units_.push_back(unit);
}

bool RoadJudge::all_arrived() const {
    return std::all_of(units_.begin(), units_.end(), [](const RoadUnit& unit) { return unit.arrived; });
}

std::string RoadJudge::look(const Fleet& fleet, double seconds) {
    for (std::size_t i = 0; i < units_.size(); ++i) {
        RoadUnit& unit = units_[i];
        const Vec2 was = unit.p;
        const FleetView view = fleet.unit(unit.id);
        unit.p = ground(view.place.position);
        unit.arrived = view.state == FleetState::arrived;
        if (!stands(unit.p, unit.radius))
            return "unit " + std::to_string(i) + " is off the road" + place_text(unit.p);
        const double moved = std::hypot(unit.p.x - was.x, unit.p.y - was.y) / seconds;
        const double most = std::min(unit.speed_max, std::max(limit_at(was), limit_at(unit.p)));
        if (moved > most * (1.0 + 1e-9) + 1e-9) {
            // pushed onto a road that it did not want to take: it has to brake
            if (moved > unit.moved - brake_ * seconds * (1.0 - 1e-6))
                return "unit " + std::to_string(i) + " goes " + std::to_string(moved) + place_text(unit.p);
            ++braked_;
        }
        unit.moved = moved;
        follow_one_way(unit);
        for (std::size_t k = 0; k < i; ++k) {
            const RoadUnit& other = units_[k];
            const double apart = std::hypot(unit.p.x - other.p.x, unit.p.y - other.p.y);
            nearest_ = std::min(nearest_, apart / (unit.radius + other.radius));
        }
    }
    return nearest_ < 1.0 - 1e-9 ? "two overlap" : "";
}

}  // namespace fairlead::testing
