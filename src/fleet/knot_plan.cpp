// The plans of a knot: a map of its window for each kind, a convoy of the vehicles that stand in it, and where each is to go: its goal, or
// the last place of its route in the window, or, if that is another one's, the next one before it.
#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>
#include <fairlead/route/route_cursor.h>

#include "drive/lattice/prepare_ends.h"
#include "drive/map/map_data.h"
#include "drive/map/map_frame.h"
#include "fleet/fleet_data.h"

namespace fairlead::fleet {

namespace {

constexpr double kStep = 0.5;          // of the radius, between two places of a route that are looked at
constexpr double kPlanGap = 0.05;      // of the least radius, between bodies
constexpr double kBeside = 0.1;        // of the radius, between two places to go to
constexpr double kPlanShare = 0.75;    // of acceleration and braking: the rest is the clock's
constexpr double kQuickSeconds = 0.5;  // to top speed, of kinds without a limit
constexpr double kNoProgress = 12.0;   // seconds
constexpr int kRings = 8;
constexpr double kComesOn = 0.5;     // of the radius: less is no way
constexpr double kLeastStep = 1e-3;  // of the turning radius, along curves beside walls

bool is_inside(const Aabb& area, Vec2 p, double radius) {
    return p.x - radius >= area.low.x && p.x + radius <= area.high.x && p.y - radius >= area.low.y &&
           p.y + radius <= area.high.y;
}

/// The stretch of a vehicle's route that lies in the window.
struct Stretch {
    double from = 0.0;
    double to = 0.0;
    bool to_goal = false;
};

Stretch stretch_in(const FleetData& fleet, const Knot& knot, const Member& member, double radius) {
    const Route& route = *member.driver->route();
    RouteCursor cursor(route);
    Stretch out;
    out.from = out.to = member.driver->distance();
    const double step = kStep * radius;
    Vec3 before = member.at.position;
    for (double at = out.from;; at += step) {
        at = std::min(at, route.length);
        cursor.seek(at);
        const Place place = fleet.on_ground(cursor.place(), before.z);
        const Vec2 p = ground(place.position);
        const bool jumps = distance(p, ground(before)) > 2.0 * step;  // a link
        if (jumps || !is_inside(knot.area, p, radius) || !touches(fleet, knot, place, radius, 0.0))
            return out;
        out.to = at;
        before = place.position;
        if (at >= route.length) break;
    }
    out.to_goal = true;
    return out;
}

bool has_way(const Member& member) {
    const bool goes = member.state == FleetState::moving || member.state == FleetState::stuck;
    const DriverState state = member.driver->state();
    return goes && member.driver->route() != nullptr && !member.driver->route()->legs.empty() &&
           state != DriverState::arrived && state != DriverState::idle;
}

KnotRole role_of(const Member& member) {
    if (has_way(member)) return KnotRole::passes;
    switch (member.state) {
        case FleetState::arrived:
        case FleetState::waiting:
        case FleetState::moving:
        case FleetState::stuck: return KnotRole::stays;
        default: return KnotRole::wall;
    }
}

// A walker that stands is a wall only where one has stopped an earlier knot: as a rule it steps aside.
bool add_walker(const FleetData& fleet, Knot& knot, const Member& member) {
    const double radius = fleet.kinds[member.kind.value].agent.radius;
    const bool goes = member.state == FleetState::moving || member.state == FleetState::waiting;
    if (knot.tries == 0 || goes || !touches(fleet, knot, member.at, radius, 0.0)) return true;
    Blocker wall;
    wall.centre = ground(member.at.position);
    wall.radius = radius;
    wall.layer = knot.layer;
    return knot.walls.push_back(wall);
}

bool add_wall(Knot& knot, const Place& at, double radius) {
    Blocker wall;
    wall.centre = ground(at.position);
    wall.radius = radius;
    wall.layer = knot.layer;
    return knot.walls.push_back(wall);
}

bool gather(FleetData& fleet, Knot& knot) {
    knot.units.clear();
    knot.walls.clear();
    for (std::uint32_t m = 0; m < fleet.members.size(); ++m) {
        const Member& member = *fleet.members[m];
        if (!member.used || member.in_knot || !fleet.is_vehicle(member)) continue;
        const double radius = fleet.radius_of(member);
        if (!touches(fleet, knot, member.at, radius, 0.0)) continue;
        const bool planned = knot_kind(fleet, member.kind).times.has_value() &&
                             is_inside(knot.area, ground(member.at.position), radius);
        KnotUnit unit;
        unit.member = m;
        unit.radius = radius;
        unit.round = fleet.kinds[member.kind.value].agent.shape == BodyShape::disc;
        unit.role = role_of(member);
        unit.arrived = member.state == FleetState::arrived;
        if (!(planned ? knot.units.push_back(unit) : add_wall(knot, member.at, radius))) return false;
    }
    for (const Member* member : fleet.members) {
        if (member->used && !fleet.is_vehicle(*member) && !add_walker(fleet, knot, *member)) return false;
    }
    return true;
}

/// From a disc to a body.
double apart_from(const BodyCore& body, const Pose& at, const Blocker& disc) {
    const Vec2 ahead = math::direction(at.heading_rad);
    const Vec2 off = disc.centre - at.position;
    const Vec2 p{dot(off, ahead), cross(ahead, off)};
    const double dx = std::max({body.core.low.x - p.x, p.x - body.core.high.x, 0.0});
    const double dy = std::max({body.core.low.y - p.y, p.y - body.core.high.y, 0.0});
    return std::sqrt(dx * dx + dy * dy) - body.radius - disc.radius;
}

// Along the curve in steps within which no point of the body comes as far as it is off.
bool is_clear_of_walls(const Knot& knot, const Agent& agent, const Pose& from, double radius,
                       const CurveWord& word) {
    const BodyCore body = body_core(agent);
    const double swing = 1.0 + circumscribed_radius(agent) / radius;
    const double length = radius * word.length;
    const double least = kLeastStep * agent.turning_radius;
    for (const Blocker& wall : knot.walls) {
        for (double at = 0.0;;) {
            const double off = apart_from(body, pose_on_curve(from, radius, word, at), wall);
            if (off < 0.0) return false;
            if (at >= length) break;
            if (off < swing * least && at > 0.0) return false;
            at = std::min(at + std::max(off / swing, least), length);
        }
    }
    return true;
}

/// As ConvoyGround::is_free: the world, and the discs that are walls.
bool curve_is_free(const Pose& from, double radius, const CurveWord& word, void* user) {
    const KnotMap& map = *static_cast<const KnotMap*>(user);
    const FleetPort& port = map.fleet->port;
    return is_clear_of_walls(*map.knot, map.fleet->kinds[map.kind.value].agent, from, radius, word) &&
           port.windows.is_free(map.knot->window, map.kind, from, radius, word, port.user);
}

KnotMap* map_of(Knot& knot, FleetKind kind) {
    for (std::size_t i = 0; i < knot.maps.size(); ++i) {
        if (knot.maps[i].kind == kind) return &knot.maps[i];
    }
    return nullptr;
}

Result<KnotMap*> make_map(FleetData& fleet, Knot& knot, FleetKind kind) {
    if (KnotMap* known = map_of(knot, kind); known != nullptr) return Result<KnotMap*>(std::move(known));
    Result<DriveMap> made = fleet.port.windows.map(knot.window, kind, knot.walls.span(), fleet.port.user);
    if (!made) return made.error();
    KnotMap* map = knot.maps.add(std::move(*made), fleet, knot, kind);
    if (map == nullptr) return Error{ErrorCode::out_of_memory};
    ConvoyGround ground;
    ground.body = &fleet.kinds[kind.value].agent;
    if (fleet.port.windows.is_free != nullptr) ground.is_free = curve_is_free;
    ground.user = map;
    const Result<ConvoyKind> known =
        knot.convoy->add_kind(map->map.acquire(), *knot_kind(fleet, kind).times, ground);
    if (!known) return known.error();
    map->in_convoy = *known;
    return Result<KnotMap*>(std::move(map));
}

// A convoy of all units. Who cannot be in it is a wall, and it is made once more: then `again`.
Result<void> fill_convoy(FleetData& fleet, Knot& knot, bool& again) {
    again = false;
    knot.convoy.reset();
    knot.maps.clear();
    ConvoyOptions options;
    options.stuck_seconds = kNoProgress;
    options.allocator = fleet.options.allocator;
    double least = 1e300;
    for (const KnotUnit& unit : knot.units) least = std::min(least, unit.radius);
    options.gap = kPlanGap * least;
    options.tries_max = std::max(options.tries_max, 2 * static_cast<std::uint32_t>(knot.units.size()) + 8);
    Result<Convoy> made = Convoy::make(options);
    if (!made) return made.error();
    knot.convoy.emplace(std::move(*made));
    for (std::size_t i = 0; i < knot.units.size(); ++i) {
        KnotUnit& unit = knot.units[i];
        const Member& member = *fleet.members[unit.member];
        const Result<KnotMap*> map = make_map(fleet, knot, member.kind);
        if (!map) return map.error();
        const Pose at{ground(member.at.position), member.at.heading_rad};
        const Result<ConvoyId> id = knot.convoy->add((*map)->in_convoy, at);
        if (id) {
            unit.id = *id;
            continue;
        }
        if (id.error().code == ErrorCode::out_of_memory) return id.error();
        if (!add_wall(knot, member.at, unit.radius)) return Error{ErrorCode::out_of_memory};
        for (std::size_t k = i; k + 1 < knot.units.size(); ++k) knot.units[k] = knot.units[k + 1];
        knot.units.pop_back();
        again = true;
        return {};
    }
    return {};
}

Pose on_lattice(const DriveMapState& map, const Pose& pose) {
    const drive::MapData& data = map.data();
    const drive::MapFrame frame(data);
    const drive::LatticePose at = drive::nearest_pose(frame.in_cells(pose), data.table());
    return frame.to_world(data.table().node(at.x, at.y, at.heading));
}

/// Is there somebody, or will there be?
bool is_taken(const FleetData& fleet, const Knot& knot, std::size_t placed, const KnotUnit& unit, Vec2 at) {
    for (const Blocker& wall : knot.walls) {
        if (distance(wall.centre, at) < unit.radius * (1.0 + kBeside) + wall.radius) return true;
    }
    for (std::size_t i = 0; i < knot.units.size(); ++i) {
        const KnotUnit& other = knot.units[i];
        const bool stands = other.role == KnotRole::wall;
        if (!stands && i >= placed) continue;
        const Vec2 there = stands ? ground(fleet.members[other.member]->at.position) : other.goal.position;
        // nearer than that two boxes keep each other from their places
        const bool boxes = !unit.round || !other.round;
        const double gap = boxes ? kBoxGap * std::max(unit.radius, other.radius) : kBeside * unit.radius;
        if (distance(there, at) < unit.radius + other.radius + gap) return true;
    }
    return false;
}

bool try_goal(Knot& knot, KnotUnit& unit, const Pose& goal) {
    if (!knot.convoy->send(unit.id, goal)) return false;
    unit.goal = goal;
    return true;
}

// The farthest place on its route that is free; near where it stands else.
bool choose_place(FleetData& fleet, Knot& knot, std::size_t i, const Stretch& stretch) {
    KnotUnit& unit = knot.units[i];
    const Member& member = *fleet.members[unit.member];
    const DriveMapState& map = map_of(knot, member.kind)->map.state();
    const double step = kStep * unit.radius;
    if (unit.role == KnotRole::comes || unit.role == KnotRole::passes) {
        RouteCursor cursor(*member.driver->route());
        for (double at = stretch.to; at > stretch.from; at -= step) {
            cursor.seek(at);
            const Place place = cursor.place();
            const Pose exact{ground(place.position), place.heading_rad};
            if (unit.role == KnotRole::comes) {
                if (!is_taken(fleet, knot, i, unit, exact.position) && try_goal(knot, unit, exact))
                    return true;
                unit.role = KnotRole::passes;
                continue;
            }
            for (const Pose& pose : {on_lattice(map, exact), exact}) {
                if (!is_taken(fleet, knot, i, unit, pose.position) && try_goal(knot, unit, pose)) return true;
            }
        }
    }
    const Pose own{ground(member.at.position), member.at.heading_rad};
    if (!is_taken(fleet, knot, i, unit, own.position) && try_goal(knot, unit, own)) return true;
    for (int ring = 1; ring <= kRings; ++ring) {
        for (int dy = -ring; dy <= ring; ++dy) {
            const int across = dy == -ring || dy == ring ? 1 : 2 * ring;
            for (int dx = -ring; dx <= ring; dx += across) {
                const Pose pose =
                    on_lattice(map, {own.position + Vec2{dx * 2.0 * step, dy * 2.0 * step}, own.heading_rad});
                if (!is_taken(fleet, knot, i, unit, pose.position) && try_goal(knot, unit, pose)) return true;
            }
        }
    }
    return false;
}

/// Who has arrived keeps its place; then those whose goals are here; then who leaves, the nearest to its way out first.
int rank_of(const KnotUnit& unit) {
    if (unit.role == KnotRole::wall) return 4;
    if (unit.role == KnotRole::stays) return unit.arrived ? 0 : 3;
    return unit.role == KnotRole::comes ? 1 : 2;
}

void set_limits(FleetData& fleet, Knot& knot) {
    knot.slow_down = knot.speed_up = 1e300;
    for (const KnotUnit& unit : knot.units) {
        const KnotKind& kind = knot_kind(fleet, fleet.members[unit.member]->kind);
        knot.slow_down = std::min(knot.slow_down, kind.slow_down);
        knot.speed_up = std::min(knot.speed_up, kind.speed_up);
    }
}

}  // namespace

const KnotKind& knot_kind(FleetData& fleet, FleetKind kind) {
    KnotKind& known = fleet.knot_kinds[kind.value];
    if (known.looked) return known;
    known.looked = true;
    const DriveTable* moves = fleet.port.moves(kind, fleet.port.user);
    if (moves == nullptr) return known;
    SpeedLimits limits = fleet.kinds[kind.value].limits;
    const double quick = limits.speed_max / kQuickSeconds;
    const double accel = limits.accel_max < kNoLimit ? limits.accel_max : quick;
    const double brake = limits.brake_max < kNoLimit ? limits.brake_max : quick;
    limits.accel_max = kPlanShare * accel;
    limits.brake_max = kPlanShare * brake;
    known.speed_up = (1.0 - kPlanShare) * accel / limits.speed_max;
    known.slow_down = (1.0 - kPlanShare) * brake / limits.speed_max;
    Result<SpeedTable> times = SpeedTable::make(*moves, limits, 3, fleet.options.allocator);
    if (times) known.times.emplace(std::move(*times));
    return known;
}

Result<bool> plan_knot(FleetData& fleet, Knot& knot) {
    if (!gather(fleet, knot)) return Error{ErrorCode::out_of_memory};
    for (bool again = true; again;) {
        if (knot.units.size() < 1) return false;
        if (const Result<void> filled = fill_convoy(fleet, knot, again); !filled) {
            if (filled.error().code == ErrorCode::out_of_memory) return filled.error();
            return false;
        }
    }
    for (KnotUnit& unit : knot.units) {
        if (unit.role != KnotRole::passes) continue;
        const Stretch stretch = stretch_in(fleet, knot, *fleet.members[unit.member], unit.radius);
        unit.way = stretch.to - stretch.from;
        if (stretch.to_goal) unit.role = KnotRole::comes;
    }
    const auto before = [&](const KnotUnit& a, const KnotUnit& b) {
        const int rank_a = rank_of(a);
        const int rank_b = rank_of(b);
        if (rank_a != rank_b) return rank_a < rank_b;
        return a.way != b.way ? a.way < b.way : a.member < b.member;
    };
    std::sort(knot.units.begin(), knot.units.end(), before);  // total order
    bool anyone = false;
    for (std::size_t i = 0; i < knot.units.size(); ++i) {
        KnotUnit& unit = knot.units[i];
        if (unit.role == KnotRole::wall) continue;
        Stretch stretch;
        if (unit.role != KnotRole::stays)
            stretch = stretch_in(fleet, knot, *fleet.members[unit.member], unit.radius);
        const bool placed = choose_place(fleet, knot, i, stretch);
        if (!placed) unit.role = KnotRole::wall;
        const Vec2 from = ground(fleet.members[unit.member]->at.position);
        unit.arrived = unit.arrived && unit.goal.position == from;  // else it goes back after the knot
        anyone = anyone || (placed && unit.role != KnotRole::stays &&
                            distance(unit.goal.position, from) > kComesOn * unit.radius);
    }
    if (!anyone) return false;
    set_limits(fleet, knot);
    return true;
}

}  // namespace fairlead::fleet
