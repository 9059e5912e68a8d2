// Tunnels: stretches of ways where a second unit of the same size finds no place beside the first. A unit looks for the next one along its
// way, a few samples an update; all units whose stretches come together have one tunnel in common (tunnel_map.h), and a tunnel lets one
// direction in at a time: of those who wait the nearest, one after the other; after a batch the others' turn comes.
//
// Nobody waits inside of a tunnel, and who waits holds none: so tunnels cannot wait for each other in a circle, as long as there is room
// between them for those who come out.
#include <algorithm>

#include <fairlead/math/vec.h>

#include "crowd/arrival_speed.h"
#include "crowd/sight.h"
#include "crowd/space/frame.h"
#include "crowd/space/space_phases.h"

namespace fairlead::crowd {

namespace {

constexpr int kSamples = 3;            // an update
constexpr std::uint32_t kWideRun = 6;  // samples that it must be wide for the tunnel to end
constexpr double kSpare = 1.02;        // so much more room must be there to pass
constexpr double kRegisterAt = 14.0;   // radii before the mouth
constexpr double kHold = 4.0;          // radii
constexpr double kHeldAt = 3.0;        // an admitted unit farther from the mouth lets no other in
constexpr double kOffAxis = 3.0;       // radii that who waits keeps from the way out
constexpr double kBefore = 2.5;        // and from the mouth
constexpr double kWaitsWithin = 8.0;
constexpr double kGiveUp = 40.0;  // radii / speed without getting nearer
constexpr double kBatchFirst = 8.0;
constexpr double kInTunnel = 1.5;    // radii from its axis: farther off it is in another room
constexpr double kAtMouth = 0.4;     // radii
constexpr double kOffMax = 0.6;      // radii from the axis: nearly stands
constexpr double kSlowest = 0.05;    // of the speed
constexpr double kAsNear = 1e-9;     // of how far it is
constexpr double kNearBy = 4.0;      // radii along it from where it was
constexpr double kSlimTunnel = 0.9;  // of the radius, to see the mouth
constexpr double kDirections[8][2] = {{1.0, 0.0},  {0.70710678118654752, 0.70710678118654752},
                                      {0.0, 1.0},  {-0.70710678118654752, 0.70710678118654752},
                                      {-1.0, 0.0}, {-0.70710678118654752, -0.70710678118654752},
                                      {0.0, -1.0}, {0.70710678118654752, -0.70710678118654752}};

/// Is there a place for another unit beside one that is here, or a little to the side?
bool can_pass(const CrowdWorld& world, Vec3 p, Vec3 along, double radius) {
    Place at;
    at.position = p;
    const double r = kSpare * radius;
    if (world.clear(at, p, 2.0 * r, world.user)) return true;
    const Frame frame = frame_across(along);
    bool beside[8];
    for (int i = 0; i < 8; ++i) {
        const Vec3 side = frame.side * kDirections[i][0] + frame.other * kDirections[i][1];
        if (world.clear(at, p + side * (2.0 * r), kSpare * kSpare * 0.95 * radius, world.user)) return true;
        beside[i] = world.clear(at, p + side * r, kSpare * kSpare * 0.95 * radius, world.user);
    }
    for (int i = 0; i < 4; ++i) {
        if (beside[i] && beside[i + 4]) return true;
    }
    return false;
}

/// The point before a point of the way, as it is looked at.
Vec3 before(const TunnelAhead& ahead, std::span<const WayPoint> way, std::uint32_t point) {
    return point <= ahead.first ? ahead.start : way[point - 1].at;
}

void take_sample(TunnelAhead& ahead, bool wide, Vec3 p) {
    if (ahead.look == Look::open) {
        if (wide) {
            ahead.last_wide = p;
            ahead.last_mark = ahead.looked;
        } else {
            ahead.starts_inside = !ahead.begun;
            ahead.in_at = ahead.begun ? ahead.last_wide : p;
            ahead.in = ahead.begun ? ahead.last_mark : ahead.looked;
            ahead.look = Look::narrow;
            ahead.wide = 0;
        }
    } else if (wide) {
        if (ahead.wide++ == 0) {
            ahead.out_at = p;
            ahead.out = ahead.looked;
        }
        if (ahead.wide >= kWideRun) {
            ahead.look = Look::found;
            ahead.last_wide = p;
            ahead.last_mark = ahead.looked;
        }
    } else {
        ahead.wide = 0;
    }
    if (ahead.look == Look::narrow && ahead.wide == 0) {
        ahead.out_at = p;
        ahead.out = ahead.looked;
    }
    ahead.begun = true;
}

struct Along {
    Vec3 foot{};    ///< the nearest place of the stretch,
    Vec3 onward{};  ///< and where it goes from there
    double at = 0.0;
    double length = 0.0;
    bool beyond = false;
};

/// Calls visit(a, b) for each straight part of the tunnel's stretch.
template <class Visit>
void each_part(const TunnelAhead& ahead, std::span<const WayPoint> way, Visit&& visit) {
    Vec3 a = ahead.in_at;
    for (std::uint32_t k = ahead.in.point; k < ahead.out.point; ++k) {
        visit(a, way[k].at);
        a = way[k].at;
    }
    visit(a, ahead.out_at);
}

/// The nearest place of the stretch to p, no more than `reach` along it from where the unit was: what is nearer behind a wall is not it.
Along locate_in(const TunnelAhead& ahead, std::span<const WayPoint> way, Vec3 p, double reach) {
    Along best;
    double least = 0.0;
    double passed = 0.0;
    bool any = false;
    each_part(ahead, way, [&](Vec3 a, Vec3 b) {
        const double size = distance(a, b);
        const double from = passed;
        passed += size;
        if (from > ahead.at + reach || passed < ahead.at - reach) return;
        const double on = size > 0.0 ? dot(p - a, b - a) / size : 0.0;
        const double held =
            std::clamp(on, std::max(0.0, ahead.at - reach - from), std::min(size, ahead.at + reach - from));
        const Vec3 foot = size > 0.0 ? a + (b - a) * (held / size) : a;
        const double apart = distance(p, foot);
        // past a bend the next part is as near: onward is along that
        if (any && apart > least * (1.0 + kAsNear)) return;
        any = true;
        least = apart;
        best.foot = foot;
        if (size > 0.0) best.onward = (b - a) / size;
        best.at = from + held;
        best.beyond = on >= size;
    });
    best.length = passed;
    best.beyond = best.beyond && best.at >= passed * (1.0 - 1e-9);
    return best;
}

double reach_in(const CrowdData& crowd, const Unit& unit) {
    return kNearBy * unit.body.radius + unit.speed_max() * crowd.step;
}

[[nodiscard]] bool register_tunnel(CrowdData& crowd, std::uint32_t i) {
    TunnelAhead& ahead = crowd.space.units[i].ahead;
    TunnelMap& map = crowd.space.tunnels;
    const double r = crowd.units[i].body.radius;
    const std::span<const WayPoint> way = crowd.ways.points(crowd.units[i].way);
    if (!map.begin(r)) return false;
    bool kept = true;
    each_part(ahead, way, [&](Vec3 a, Vec3 b) {
        const double size = distance(a, b);
        const double parts = std::ceil(size / r);
        for (double k = 0.0; k <= parts && kept; k += 1.0) {
            kept = map.add(parts > 0.0 ? a + (b - a) * (k / parts) : a);
        }
    });
    if (!kept) return false;
    ahead.tunnel = map.end();
    return true;
}

void let_in(CrowdData& crowd, std::uint32_t i, Turn turn) {
    TunnelAhead& ahead = crowd.space.units[i].ahead;
    TunnelOrder& order = crowd.space.tunnels.order(ahead.tunnel);
    ++order.on_way;
    ahead.turn = turn;
    ahead.best_at = -distance(crowd.units[i].at.position, ahead.in_at);
    ahead.best_when = crowd.updates;
    if (turn == Turn::inside && order.has_side) return;  // put there: it sets no direction
    order.in_at = ahead.in_at;
    order.out_at = ahead.out_at;
    order.has_side = true;
}

void let_out(CrowdData& crowd, TunnelAhead& ahead) {
    if (ahead.turn == Turn::admitted || ahead.turn == Turn::inside) {
        --crowd.space.tunnels.order(ahead.tunnel).on_way;
    }
    ahead.turn = Turn::free;
    ahead.tunnel = kNone;
}

/// Does it go the way that the last one went?
bool same_way(const TunnelAhead& ahead, const TunnelOrder& order) {
    return !order.has_side || (distance(ahead.in_at, order.in_at) < distance(ahead.out_at, order.in_at) &&
                               distance(ahead.out_at, order.out_at) < distance(ahead.in_at, order.out_at));
}

/// Where it is with its tunnel: before it, in it, out of it?
void follow_tunnel(CrowdData& crowd, std::uint32_t i) {
    Unit& unit = crowd.units[i];
    TunnelAhead& ahead = crowd.space.units[i].ahead;
    const double r = unit.body.radius;
    const Vec3 p = unit.at.position;
    const Along along = locate_in(ahead, crowd.ways.points(unit.way), p, reach_in(crowd, unit));
    ahead.at = along.at;
    ahead.length = along.length;
    const double to_mouth = distance(p, ahead.in_at);
    const bool near = distance(p, along.foot) <= kInTunnel * r;
    const bool is_out = along.beyond && (near || sees(crowd, unit, ahead.out_at, kSlimTunnel));
    if (is_out || unit.state == UnitState::arrived) {
        let_out(crowd, ahead);
        ahead.look = Look::open;  // on to the next one
        return;
    }
    switch (ahead.turn) {
        case Turn::free:
            if (ahead.starts_inside) {
                let_in(crowd, i, Turn::inside);
            } else if (to_mouth < kRegisterAt * r || (along.at > 0.0 && near)) {
                ahead.turn = Turn::waiting;
                ahead.ticket = crowd.updates;
            }
            return;
        case Turn::waiting: return;
        case Turn::admitted:
            if (along.at > 0.0 && near) {
                ahead.turn = Turn::inside;
                return;
            }
            if (-to_mouth > ahead.best_at + 0.2 * r) {
                ahead.best_at = -to_mouth;
                ahead.best_when = crowd.updates;
            }
            if (static_cast<double>(crowd.updates - ahead.best_when) * crowd.step >
                kGiveUp * r / unit.speed_max()) {
                --crowd.space.tunnels.order(ahead.tunnel).on_way;
                ahead.turn = Turn::waiting;
                ahead.ticket = crowd.updates;
            }
            return;
        case Turn::inside:
            if (along.at <= 0.0 && !ahead.starts_inside) {
                ahead.turn = Turn::admitted;  // pushed out again
                ahead.best_at = -to_mouth;
                ahead.best_when = crowd.updates;
            }
            return;
    }
}

void ask_for_turn(CrowdData& crowd, std::uint32_t i) {
    const Unit& unit = crowd.units[i];
    const TunnelAhead& ahead = crowd.space.units[i].ahead;
    const double r = unit.body.radius;
    TunnelOrder& order = crowd.space.tunnels.order(ahead.tunnel);
    const double to_mouth = distance(unit.at.position, ahead.in_at);
    if (ahead.turn == Turn::admitted && to_mouth > kHeldAt * r) order.held = true;
    if (ahead.turn != Turn::waiting) return;
    if (order.other == kNone || ahead.ticket < order.other_ticket) {
        if (!same_way(ahead, order)) {
            order.other = i;
            order.other_ticket = ahead.ticket;
        }
    }
    if (!same_way(ahead, order)) return;
    const double waited = static_cast<double>(crowd.updates - ahead.ticket) * crowd.step * unit.speed_max();
    const double key = to_mouth - 0.02 * waited;
    if (order.same == kNone || key < order.same_key) {
        order.same = i;
        order.same_key = key;
    }
}

void grant(CrowdData& crowd, TunnelOrder& order) {
    if (order.parent != kNone || order.held) return;
    const std::uint32_t first = order.same != kNone ? order.same : order.other;
    if (first == kNone) return;
    const TunnelAhead& ahead = crowd.space.units[first].ahead;
    const double r = crowd.units[first].body.radius;
    const double batch = kBatchFirst + 1.1 * ahead.length / (2.0 * r);
    const bool spent = order.other != kNone && static_cast<double>(order.batch) >= batch;
    std::uint32_t next = order.same;
    if (order.on_way == 0) {
        if (next == kNone || spent) {
            next = order.other;
            order.batch = 0;
        }
    } else if (spent) {
        return;
    }
    if (next == kNone) return;
    ++order.batch;
    let_in(crowd, next, Turn::admitted);
}

/// Onward and back to the axis, the slower onward the farther it is from it.
Vec3 keep_to_axis(const CrowdData& crowd, const Unit& unit, const TunnelAhead& ahead) {
    const Along along =
        locate_in(ahead, crowd.ways.points(unit.way), unit.at.position, reach_in(crowd, unit));
    const Vec3 back = along.foot - unit.at.position;
    const Vec3 aside = back - along.onward * dot(back, along.onward);
    const double off = length(aside);
    const double part = 1.0 - off / (kOffMax * unit.body.radius);
    const double speed = unit.speed_max() * (part > kSlowest ? part : kSlowest);
    if (!(off > 0.0)) return along.onward * speed;
    return along.onward * speed + aside * (arrival_speed(unit, off, crowd.step) / off);
}

}  // namespace

void look_for_tunnel(CrowdData& crowd, std::uint32_t i) {
    TunnelAhead& ahead = crowd.space.units[i].ahead;
    const CrowdWorld& world = *crowd.world;
    if (world.clear == nullptr || world.planes == nullptr) return;  // no walls, no tunnels
    const double r = crowd.units[i].body.radius;
    const std::span<const WayPoint> way = crowd.ways.points(crowd.units[i].way);
    for (int n = 0; n < kSamples && (ahead.look == Look::open || ahead.look == Look::narrow); ++n) {
        if (ahead.looked.point >= way.size()) {
            ahead.look = ahead.look == Look::narrow ? Look::found : Look::done;
            return;
        }
        const Vec3 a = before(ahead, way, ahead.looked.point);
        const Vec3 b = way[ahead.looked.point].at;
        const double size = distance(a, b);
        if (ahead.looked.on > size || !(size > 0.0)) {
            ahead.looked.on = size > 0.0 ? ahead.looked.on - size : ahead.looked.on;
            ++ahead.looked.point;
            continue;
        }
        const Vec3 along = (b - a) / size;
        const Vec3 p = a + along * ahead.looked.on;
        take_sample(ahead, can_pass(world, p, along, r), p);
        ahead.looked.on += r;
    }
}

void forget_tunnel(CrowdData& crowd, std::uint32_t i) {
    const Unit& unit = crowd.units[i];
    TunnelAhead& ahead = crowd.space.units[i].ahead;
    if (ahead.turn != Turn::free) let_out(crowd, ahead);
    ahead = {};
    ahead.start = unit.at.position;
    ahead.first = unit.aim;
    ahead.looked = {unit.aim, 0.0};
}

bool keep_tunnels(CrowdData& crowd) {
    ++crowd.updates;
    for (TunnelOrder& order : crowd.space.tunnels.orders()) {
        order.same = order.other = kNone;
        order.held = false;
    }
    for (std::uint32_t i = 0; i < crowd.units.size(); ++i) {
        const Unit& unit = crowd.units[i];
        TunnelAhead& ahead = crowd.space.units[i].ahead;
        if (!unit.used || unit.way.count == 0 || ahead.look != Look::found) continue;
        if (ahead.tunnel == kNone && !register_tunnel(crowd, i)) return false;
        follow_tunnel(crowd, i);
        if (ahead.tunnel != kNone) ask_for_turn(crowd, i);
    }
    for (TunnelOrder& order : crowd.space.tunnels.orders()) grant(crowd, order);
    return true;
}

bool want_at_tunnel(const CrowdData& crowd, std::uint32_t i, Vec3& velocity) {
    const Unit& unit = crowd.units[i];
    const TunnelAhead& ahead = crowd.space.units[i].ahead;
    const double r = unit.body.radius;
    const Vec3 from_mouth = unit.at.position - ahead.in_at;
    const double apart = length(from_mouth);
    if (ahead.look == Look::narrow && !ahead.starts_inside && apart < kHold * r) {
        velocity = {};  // not looked through yet
        return true;
    }
    if (ahead.turn == Turn::inside || (ahead.turn == Turn::admitted && apart <= kAtMouth * r)) {
        velocity = keep_to_axis(crowd, unit, ahead);
        return true;
    }
    if (ahead.turn == Turn::admitted) {
        if (!sees(crowd, unit, ahead.in_at, kSlimTunnel)) return false;
        velocity = from_mouth * (-arrival_speed(unit, apart, crowd.step) / apart);
        return true;
    }
    if (ahead.turn != Turn::waiting) return false;
    if (apart > kWaitsWithin * r) return false;  // on to the mouth
    const std::span<const WayPoint> way = crowd.ways.points(unit.way);
    const Vec3 onward =
        normalized((ahead.in.point < ahead.out.point ? way[ahead.in.point].at : ahead.out_at) - ahead.in_at);
    const double depth = dot(from_mouth, onward);
    const Vec3 off = from_mouth - onward * depth;
    const double beside = length(off);
    Vec3 go{};
    if (beside < kOffAxis * r) {
        const Frame frame = frame_across(onward);
        const Vec3 side =
            beside > 1e-3 * r ? off / beside : normalized(frame.side + frame.other * (2.0 * unit.tie - 1.0));
        go += side;
    }
    if (depth > -kBefore * r) go -= onward;
    velocity = normalized(go) * unit.speed_max();
    return true;
}

}  // namespace fairlead::crowd
