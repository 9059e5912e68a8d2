// One unit of a formation: to its slot while it sees it, else along the route by itself.
#include <cmath>
#include <limits>

#include "crowd/formation/formation_data.h"

namespace fairlead::crowd {

namespace {

constexpr double kAlmost =
    0.98;  // of the radius: a gap that is too narrow must not draw it away from the route;
constexpr double kSlimmer = 0.75;     // but the route touches the corners that it bends round
constexpr double kNear = 3.0;         // radii
constexpr double kGain = 2.0;         // 1 / s, of the way to the slot
constexpr double kInPlace = 0.1;      // radii
constexpr double kHiddenAfter = 0.5;  // seconds
constexpr double kAtPoint = 0.5;      // radii
constexpr double kFirst = 3.0;        // spacings
constexpr double kLostAgain = 2.0;    // seconds
constexpr double kTriesAfter = 8.0;   // seconds
constexpr double kJoins = 12.0;       // spacings
constexpr double kProgress = 0.5;     // radii
constexpr std::uint64_t kLookTurns = 4;

double wanted_speed(const FormationMember& member, double way, double seconds) {
    double speed = kGain * way;
    if (speed * seconds > way) speed = way / seconds;
    const double brake = member.limits.brake_max;
    if (brake < 1e300) {  // what can be braked in steps: a step at speed v, then v^2 / 2b
        const double drop = brake * seconds;
        const double most = std::sqrt(drop * drop * 0.25 + 2.0 * brake * way) - 0.5 * drop;
        if (most < speed) speed = most > 0.0 ? most : 0.0;
    }
    return speed < member.limits.speed_max ? speed : member.limits.speed_max;
}

void watch(FormationData& data, FormationMember& member, double seconds) {
    const bool on_way = member.by_route;
    const double left = on_way ? data.length - member.along : member.lag;
    if (left < member.best - kProgress * member.radius || (!on_way && left < member.radius)) {
        member.best = left;
        member.stood_for = 0.0;
    } else {
        member.stood_for += seconds;
    }
    if (member.slot == kNone) return;
    if (member.lag < data.spacing || member.lag < member.nearest - kProgress * member.radius) {
        member.nearest = member.lag;
        member.late_for = 0.0;
    } else {
        member.late_for += seconds;
    }
    if (!on_way && member.lag < data.spacing) member.late = false;
}

void go_to_slot(FormationData& data, FormationMember& member, double seconds, Crowd& crowd) {
    const Vec3 p = crowd.unit(member.id).place.position;
    const Vec3 aim = member.around ? member.aim : member.target;
    Vec3 way = aim - p;
    if (!data.space) way.z = 0.0;
    CrowdGuide guide;
    const double left = length(way);
    const bool stands = member.moved == Vec3{} && !member.around;
    if (stands && left < kInPlace * member.radius) {
        guide.yields = true;
    } else if (member.around) {
        guide.velocity = normalized(way) * member.limits.speed_max;
    } else {
        guide.velocity = normalized(way) * wanted_speed(member, left, seconds) + member.moved;
    }
    const double far = member.lag / (kFirst * data.spacing);  // who is in place lets those pass who are not
    guide.order = far < 1.0 ? far : 1.0;
    if (member.around) {  // where several press on a corner one must come first
        const auto number = static_cast<double>(&member - data.members.data());
        guide.order = number / static_cast<double>(data.members.size());
    }
    (void)crowd.guide(member.id, guide);
}

/// A slot out of sight: the last place of the route on the way to it that is in sight. False: there is none.
bool look_around(const FormationData& data, FormationMember& member, const Place& at,
                 const CrowdWorld& world) {
    const double goal =
        data.phase == FormationPhase::closing ? data.length : data.along + data.slots[member.slot].ahead;
    const double way = (goal < 0.0 ? 0.0 : goal) - member.along;
    for (const double part : {1.0, 0.7, 0.45, 0.25, 0.1, 0.0}) {
        const Vec3 to = data.track[data.point_at(member.along + part * way)].at.position;
        const double apart = data.apart(at.position, to);
        if (apart < kAtPoint * member.radius) continue;
        if (!can_go(world, at, to, (apart < kNear * member.radius ? kSlimmer : kAlmost) * member.radius))
            continue;
        member.aim = to;
        return true;
    }
    return false;
}

/// The place of the route that it sees and that is nearest to it.
bool find_entry(const FormationData& data, const FormationMember& member, const Place& at,
                const CrowdWorld& world, std::size_t& entry) {
    const std::size_t here = data.point_at(member.along);
    const auto apart = static_cast<std::size_t>(0.5 * data.spacing / data.step) + 1;
    for (std::size_t i = 0; i < 8; ++i) {
        for (const bool ahead : {true, false}) {
            if (!ahead && here < i * apart) continue;
            const std::size_t k = ahead ? here + i * apart : here - i * apart;
            if (k >= data.track.size()) continue;
            if (can_go(world, at, data.track[k].at.position, kSlimmer * member.radius)) {
                entry = k;
                return true;
            }
        }
    }
    return false;
}

}  // namespace

void go_by_route(FormationData& data, FormationMember& member, Crowd& crowd, const CrowdWorld& world) {
    const Place at = crowd.unit(member.id).place;
    std::size_t entry = 0;
    if (!find_entry(data, member, at, world, entry)) {  // it waits for a route of its own
        if (!member.by_route) (void)crowd.stop(member.id);
        member.by_route = member.own_route = member.lost = true;
        member.stood_for = 0.0;
        return;
    }
    const TrackPoint& point = data.track[entry];
    member.own_route = false;
    data.way.clear();
    // the legs fit: room for two more than the route has was made when it came
    Leg leg;
    leg.start = at;
    leg.length = distance(ground(at.position), ground(point.at.position));
    (void)data.way.push_back(leg);
    for (std::size_t i = point.leg; i < data.legs.size(); ++i) {
        leg = data.legs[i];
        if (i == point.leg) {
            leg.start = point.at;
            leg.length -= point.on_leg;
        }
        (void)data.way.push_back(leg);
    }
    member.by_route = crowd.send(member.id, data.way.span(), data.route_end).has_value();
    member.best = std::numeric_limits<double>::infinity();
    member.stood_for = 0.0;
    member.hidden_for = 0.0;
}

void guide_member(FormationData& data, FormationMember& member, double seconds, Crowd& crowd,
                  const CrowdWorld& world) {
    const UnitView view = crowd.unit(member.id);
    const auto i = static_cast<std::uint64_t>(&member - data.members.data());
    const bool looks = (data.updates + i) % kLookTurns == 0;
    const bool has_slot = member.slot != kNone;
    member.lag = has_slot ? data.apart(view.place.position, member.target) : 0.0;
    watch(data, member, seconds);
    const auto sees_slot = [&] {
        const double part = member.lag < kNear * member.radius ? kSlimmer : kAlmost;
        return has_slot && can_go(world, view.place, member.target, part * member.radius);
    };
    if (member.by_route) {
        member.lost = view.lost || view.state == UnitState::idle;
        if (member.lost && looks &&
            member.stood_for > kLostAgain) {  // from another place of the route, if it sees one
            go_by_route(data, member, crowd, world);
            return;
        }
        const bool stands = member.stood_for > kTriesAfter && view.state != UnitState::waiting;
        const bool past =
            data.phase == FormationPhase::march && !member.lost &&
            member.along > data.along + (has_slot ? data.slots[member.slot].ahead : 0.0) + data.spacing;
        const bool tries_itself = has_slot && !member.lost && !member.own_route && (stands || past);
        if (!tries_itself && (!looks || member.lag > kJoins * data.spacing || !sees_slot())) return;
        member.by_route = member.own_route = member.lost = member.around = false;
        member.stood_for = 0.0;
        member.best = std::numeric_limits<double>::infinity();
    } else if (looks && has_slot) {
        member.around = !sees_slot();
        const bool finds = !member.around || look_around(data, member, view.place, world);
        member.hidden_for = finds ? 0.0 : member.hidden_for + static_cast<double>(kLookTurns) * seconds;
    }
    if (!has_slot || member.hidden_for > kHiddenAfter) {
        if (!member.by_route) go_by_route(data, member, crowd, world);
        return;
    }
    go_to_slot(data, member, seconds, crowd);
}

}  // namespace fairlead::crowd
