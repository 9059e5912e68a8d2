// The life of a tangle: found where walkers have long come no nearer, gathered, its places looked at, planned, walked, ended.
#include "fleet/tangles.h"

#include <algorithm>
#include <new>

#include "fleet/fleet_data.h"

namespace fairlead::fleet {

namespace {

constexpr double kTangledAfter = 0.6;  // of stuck_seconds without coming nearer
constexpr double kTangleNear = 7.0;    // radii between two of them
constexpr double kTangleTouch = 0.4;   // of that: also of one that moves
constexpr double kTangleStands = 0.1;  // speed, of what it can
constexpr double kTangleGather = 4.0;  // seconds
constexpr double kTangleWaits = 1.5;   // for somebody else, who is taken in then
constexpr std::uint32_t kTakenInMax = 8;
constexpr double kTangleRest = 6.0;  // seconds after a broken one
constexpr std::uint32_t kTangleTries = 6;

bool is_tangled(const FleetData& fleet, const Member& member) {
    return member.used && !member.driver && !member.in_knot &&
           (member.state == FleetState::moving || member.state == FleetState::stuck) &&
           member.best_for > kTangledAfter * fleet.options.stuck_seconds && fleet.now >= member.knot_after;
}

/// Can it be moved by a plan?
bool may_join(const FleetData& fleet, const Member& member) {
    if (!member.used || member.driver || member.in_knot || member.state == FleetState::link) return false;
    if (member.squad != kNoSquad)
        return false;  // its formation says where it goes, and waits for who is alone
    const FleetUnit& unit = fleet.kinds[member.kind.value];
    if (unit.facings != 0 || unit.limits.turn_rate_max < kNoLimit) return false;
    const WalkLattice lattice = fleet.port.lattice(member.kind, fleet.port.user);
    if (!(lattice.step > 0.0) || 2.0 * unit.agent.radius > lattice.step) return false;
    // in a seat of its group
    return !(member.state == FleetState::arrived && member.group.group != 0);
}

double tangle_radius(const FleetData& fleet, const Member& member) {
    return fleet.kinds[member.kind.value].agent.radius;
}

bool on_its_way(const Member& member) {
    return member.state == FleetState::moving || member.state == FleetState::stuck ||
           member.state == FleetState::waiting;
}

bool join_tangle(FleetData& fleet, Tangle& tangle, std::uint32_t m) {
    Member& member = *fleet.members[m];
    TangleUnit unit;
    unit.member = m;
    unit.radius = tangle_radius(fleet, member);
    unit.goes = on_its_way(member);
    if (!tangle.units.push_back(unit)) return false;
    member.in_knot = true;
    if (member.request.valid()) (void)fleet.scheduler.cancel(member.request);
    member.request = {};
    (void)fleet.crowd.stop(member.body);
    return true;
}

// Whoever stands near those that are in already, nearest to the first one first: members are in the order of their
// numbers, and that is as good.
Result<void> gather_more(FleetData& fleet, Tangle& tangle) {
    for (std::size_t i = 0; i < tangle.units.size(); ++i) {
        const Member& one = *fleet.members[tangle.units[i].member];
        for (std::uint32_t m = 0; m < fleet.members.size(); ++m) {
            if (tangle.units.size() == kPlanWalkersMax) return {};
            Member& other = *fleet.members[m];
            if (!may_join(fleet, other) || !same_floor(fleet, one.at, other.at)) continue;
            const double radius = tangle_radius(fleet, other);
            const double near = kTangleNear * std::max(radius, tangle.units[i].radius);
            const FleetUnit& unit = fleet.kinds[other.kind.value];
            const double apart = length(ground(other.at.position - one.at.position));
            if (apart > near) continue;
            if (apart > kTangleTouch * near && other.speed > kTangleStands * unit.limits.speed_max) continue;
            if (!join_tangle(fleet, tangle, m)) return Error{ErrorCode::out_of_memory};
        }
    }
    return {};
}

void drop_tangle(FleetData& fleet, Tangle* tangle) {
    const Allocator& allocator = fleet.options.allocator;
    tangle->~Tangle();
    allocator.release(tangle, sizeof(Tangle), alignof(Tangle), allocator.user);
}

Result<void> found_tangle(FleetData& fleet, std::uint32_t first) {
    const Allocator& allocator = fleet.options.allocator;
    void* memory = allocator.allocate(sizeof(Tangle), alignof(Tangle), allocator.user);
    if (memory == nullptr) return Error{ErrorCode::out_of_memory};
    auto* tangle = ::new (memory) Tangle(allocator);
    Member& member = *fleet.members[first];
    tangle->layer = member.at.layer;
    tangle->tries = member.knot_tries;
    if (!fleet.tangles.push_back(tangle)) {
        drop_tangle(fleet, tangle);
        return Error{ErrorCode::out_of_memory};
    }
    if (!join_tangle(fleet, *tangle, first)) return Error{ErrorCode::out_of_memory};
    if (const Result<void> more = gather_more(fleet, *tangle); !more) return more;
    ++fleet.knot_report.begun;
    ++fleet.knot_report.tangles;
    return {};
}

Result<void> find_tangles(FleetData& fleet) {
    for (std::uint32_t m = 0; m < fleet.members.size(); ++m) {
        if (!is_tangled(fleet, *fleet.members[m]) || !may_join(fleet, *fleet.members[m])) continue;
        if (const Result<void> found = found_tangle(fleet, m); !found) return found;
        break;  // one a frame
    }
    return {};
}

// ---- gathering

/// The other way of being in the crowd: moved by its own will, or by ours.
Result<void> put_body(FleetData& fleet, Member& member, bool driven) {
    const UnitId old = member.body;
    (void)fleet.crowd.remove(old);
    const Result<UnitId> id = fleet.crowd.add(fleet.body_of(member, driven), member.at);
    if (!id) return id.error();
    member.body = *id;
    return change_body_in_squad(fleet, member, old);
}

/// Whoever is slow enough stands from now on: others do not push it any more. Do all?
Result<bool> hold_all(FleetData& fleet, const Tangle& tangle, double seconds) {
    bool all = true;
    for (const TangleUnit& unit : tangle.units) {
        Member& member = *fleet.members[unit.member];
        if (fleet.crowd.body(member.body).driven) continue;
        const double brake = fleet.kinds[member.kind.value].limits.brake_max;
        all = all && !(member.speed > brake * seconds);
        if (member.speed > brake * seconds) continue;
        member.speed = 0.0;
        member.velocity = member.stops = {};
        if (const Result<void> put = put_body(fleet, member, true); !put) return put.error();
    }
    return all;
}

/// Somebody else is in the way: it is asked to step aside, and if it does not, it is planned for too.
void wait_for_others(FleetData& fleet, Tangle& tangle) {
    if (tangle.waited == 0.0 || tangle.speed > 0.0) return;
    const TangleUnit& unit = tangle.units[tangle.waits];
    (void)fleet.crowd.ask_way(fleet.members[unit.member]->body, unit.to - unit.from);
    if (tangle.waited < kTangleWaits) return;
    Member& other = *fleet.members[tangle.waits_for];
    const bool again = tangle.taken_in < kTakenInMax && tangle.units.size() < kPlanWalkersMax &&
                       may_join(fleet, other) && join_tangle(fleet, tangle, tangle.waits_for);
    if (!again) {
        tangle.broken = true;
        return;
    }
    ++tangle.taken_in;
    tangle.stage = TangleStage::gathering;
    tangle.age = tangle.waited = 0.0;
    tangle.clear_plan();
}

// ---- the end

Result<void> release_walker(FleetData& fleet, const Tangle& tangle, const TangleUnit& unit) {
    Member& member = *fleet.members[unit.member];
    member.in_knot = false;
    member.speed = 0.0;
    member.velocity = member.stops = {};
    member.knot_after = fleet.now + (tangle.broken ? kTangleRest : 1.0);
    member.knot_tries = tangle.broken ? std::min(member.knot_tries + 1, kTangleTries) : 0;
    if (fleet.crowd.body(member.body).driven) {
        if (const Result<void> put = put_body(fleet, member, false); !put) return put;
    }
    // Who had no way from where it was may have one from here.
    if (member.state == FleetState::unreachable || member.state == FleetState::invalid) member.pushed = true;
    if (member.squad != kNoSquad || !on_its_way(member)) return {};
    if (member.has_field_route) member.has_field_route = member.lined_up = false;  // of where it was
    member.keeps_best = true;
    if (!tangle.broken) member.best_for = 0.0;
    return ask(fleet, member, false);
}

Result<void> end_tangle(FleetData& fleet, Tangle& tangle) {
    ++(tangle.broken ? fleet.knot_report.broken : fleet.knot_report.untied);
    for (const TangleUnit& unit : tangle.units) {
        if (const Result<void> released = release_walker(fleet, tangle, unit); !released) return released;
    }
    return {};
}

void give_up(Tangle& tangle) {
    tangle.broken = true;
    tangle.stage = TangleStage::over;
}

Result<void> step_tangle(FleetData& fleet, Tangle& tangle, double seconds, std::uint64_t& units) {
    tangle.age += seconds;
    if (tangle.units.empty()) {
        tangle.stage = TangleStage::over;
        return {};
    }
    // whoever moves stands first
    if (tangle.broken && (tangle.stage != TangleStage::running || tangle.speed == 0.0)) give_up(tangle);
    switch (tangle.stage) {
        case TangleStage::gathering: {
            const Result<bool> stand_all = hold_all(fleet, tangle, seconds);
            if (!stand_all.has_value()) return stand_all.error();
            if (!*stand_all) {
                if (tangle.age > kTangleGather) give_up(tangle);
                return {};
            }
            tangle.height = fleet.members[tangle.units[0].member]->at.position.z;
            tangle.stage = TangleStage::looking;
            if (!choose_starts(fleet, tangle)) give_up(tangle);
            return {};
        }
        case TangleStage::looking: {
            const std::uint64_t before = units;
            const bool more = look_around(fleet, tangle, units);
            fleet.knot_report.units += before - units;
            if (more) return {};
            const Result<bool> begun = begin_plan(fleet, tangle);
            if (!begun.has_value()) return begun.error();
            tangle.stage = TangleStage::planning;
            if (!*begun) give_up(tangle);
            return {};
        }
        case TangleStage::planning: {
            const std::uint64_t used = tangle.plan.step(units);
            units -= used;
            fleet.knot_report.units += used;
            if (tangle.plan.running()) return {};
            tangle.stage = TangleStage::running;
            tangle.length = tangle.done = 0.0;
            if (!tangle.plan.found()) give_up(tangle);
            return {};
        }
        case TangleStage::running: {
            if (tangle.done >= tangle.length) {
                if (tangle.speed > 0.0) {
                    stand_tangle(fleet, tangle);
                    return {};
                }
                if (!next_stretch(fleet, tangle)) {
                    tangle.stage = TangleStage::over;
                    return {};
                }
            }
            walk_tangle(fleet, tangle, seconds);
            wait_for_others(fleet, tangle);
            return {};
        }
        case TangleStage::over: return {};
    }
    return {};
}

}  // namespace

bool is_in(const FleetData& fleet, const Tangle& tangle, const Member& member) {
    for (const TangleUnit& unit : tangle.units) {
        if (fleet.members[unit.member] == &member) return true;
    }
    return false;
}

bool same_floor(const FleetData& fleet, const Place& a, const Place& b) {
    return a.layer == b.layer && std::fabs(a.position.z - b.position.z) < fleet.options.crowd.height;
}

Result<void> drive_tangles(FleetData& fleet, double seconds, std::uint64_t& units) {
    if (!fleet.options.avoid || !fleet.options.knots || fleet.port.lattice == nullptr || fleet.port.space)
        return {};
    std::size_t kept = 0;
    Result<void> result;
    for (std::size_t i = 0; i < fleet.tangles.size(); ++i) {
        Tangle* tangle = fleet.tangles[i];
        if (result) result = step_tangle(fleet, *tangle, seconds, units);
        if (result && tangle->stage == TangleStage::over) {
            result = end_tangle(fleet, *tangle);
            drop_tangle(fleet, tangle);
            continue;
        }
        fleet.tangles[kept++] = tangle;
    }
    while (fleet.tangles.size() > kept) fleet.tangles.pop_back();
    return result ? find_tangles(fleet) : result;
}

void follow_tangled(FleetData& fleet, Member& member) {
    if (fleet.crowd.body(member.body).driven) return;
    const UnitView view = fleet.crowd.unit(member.body);
    member.at.position = view.place.position;
    member.at.layer = view.place.layer;
    member.velocity = view.velocity;
    member.speed = length(view.velocity);
}

void break_tangles(FleetData& fleet) {
    for (Tangle* tangle : fleet.tangles) tangle->broken = true;
}

void break_tangle_of(FleetData& fleet, const Member& member) {
    for (Tangle* tangle : fleet.tangles) {
        if (is_in(fleet, *tangle, member)) tangle->broken = true;
    }
}

void leave_tangle(FleetData& fleet, std::uint32_t member) {
    for (Tangle* tangle : fleet.tangles) {
        std::size_t kept = 0;
        for (const TangleUnit& unit : tangle->units) {
            if (unit.member == member) {
                tangle->broken = true;  // the plan counts with it
            } else {
                tangle->units[kept++] = unit;
            }
        }
        while (tangle->units.size() > kept) tangle->units.pop_back();
    }
    fleet.members[member]->in_knot = false;
}

void drop_tangles(FleetData& fleet) {
    for (Tangle* tangle : fleet.tangles) drop_tangle(fleet, tangle);
    fleet.tangles.clear();
}

}  // namespace fairlead::fleet
