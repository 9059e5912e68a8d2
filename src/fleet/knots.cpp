// The life of a knot: found where vehicles wait for each other, its window closed, planned, driven, ended.
#include "fleet/knots.h"

#include <algorithm>

#include "fleet/fleet_data.h"
#include "fleet/near_area.h"

namespace fairlead::fleet {

namespace {

constexpr std::uint32_t kTriesMax = 6;
constexpr double kGatherSeconds = 10.0;

Place place_at(const WayPlace& place) {
    Place out;
    out.position = {place.at.x, place.at.y, place.z};
    out.layer = place.layer;
    return out;
}

// Does everyone stand whose way to a stop touches the window?
bool all_stand(const FleetData& fleet, const Knot& knot) {
    for (const DrivenWay& way : fleet.ways) {
        const Member& member = *fleet.members[way.member];
        const double gap = kKnotGap * way.radius;
        if (member.driver->state() == DriverState::in_link &&
            (touches(fleet, knot, member.at, way.radius, gap) ||
             touches(fleet, knot, member.driver->stopping_place(), way.radius, gap)))
            return false;
        if (member.speed == 0.0) continue;
        for (std::size_t i = 0; i < way.stop; ++i) {
            const WayPlace& place = fleet.way_places[way.first + i];
            if (touches(fleet, knot, place_at(place), way.radius, gap)) return false;
        }
    }
    return true;
}

/// After a knot of it that was broken.
void rest(const FleetData& fleet, Member& member) {
    const double seconds = kKnotRest * static_cast<double>(1U << member.knot_tries);
    member.knot_tries = std::min(member.knot_tries + 1, kTriesMax);
    member.knot_after = fleet.now + seconds;
}

Result<void> start_knot(FleetData& fleet, Knot& knot) {
    const Result<bool> planned = plan_knot(fleet, knot);
    if (!planned.has_value()) return planned.error();
    knot.stage = *planned ? KnotStage::running : KnotStage::over;
    knot.age = 0.0;
    if (!*planned) {
        for (Member* member : fleet.members) {
            if (!member->used || !member->driver || member->in_knot) continue;
            if (touches(fleet, knot, member->at, fleet.radius_of(*member), 0.0)) rest(fleet, *member);
        }
        knot.convoy.reset();
        knot.units.clear();
        return {};
    }
    ++fleet.knot_report.begun;
    fleet.knot_report.vehicles += knot.units.size();
    for (const KnotUnit& unit : knot.units) {
        Member& member = *fleet.members[unit.member];
        member.in_knot = true;
        member.waits_for = kNoMember;
        member.held_for = member.blocked_for = 0.0;
        if (member.request.valid()) (void)fleet.scheduler.cancel(member.request);
        member.request = {};
        if (unit.role != KnotRole::wall && unit.role != KnotRole::stays) member.state = FleetState::moving;
    }
    return {};
}

/// From a knot back to a route of its own, from where it stands.
Result<void> release(FleetData& fleet, const Knot& knot, const KnotUnit& unit) {
    Member& member = *fleet.members[unit.member];
    member.in_knot = false;
    if (knot.broken) rest(fleet, member);
    if (!knot.broken) member.knot_tries = 0;
    if (unit.role == KnotRole::wall && member.state != FleetState::moving &&
        member.state != FleetState::stuck && member.state != FleetState::waiting)
        return {};
    member.speed = 0.0;
    member.has_heading = true;
    Result<RouteDriver> driver = RouteDriver::make(member.driver->options(), member.at);
    if (!driver) return driver.error();
    member.driver.emplace(std::move(*driver));
    if (member.state == FleetState::arrived || member.state == FleetState::idle) return {};
    member.keeps_best = true;
    return ask(fleet, member, false);
}

Result<void> end_knot(FleetData& fleet, Knot& knot) {
    if (knot.convoy) ++(knot.broken ? fleet.knot_report.broken : fleet.knot_report.untied);
    for (const KnotUnit& unit : knot.units) {
        if (const Result<void> released = release(fleet, knot, unit); !released) return released;
    }
    return {};
}

Result<void> step_knot(FleetData& fleet, Knot& knot, double seconds, std::uint64_t& units) {
    knot.age += seconds;
    if (knot.stage == KnotStage::gathering) {
        if (knot.broken || knot.age > kGatherSeconds) knot.stage = KnotStage::over;
        if (knot.stage != KnotStage::gathering || !all_stand(fleet, knot)) return {};
        if (const Result<void> started = start_knot(fleet, knot); !started) return started;
        if (knot.stage == KnotStage::running) begin_clock(fleet, knot, seconds);
        return {};
    }
    return run_knot(fleet, knot, seconds, units);
}

}  // namespace

bool touches(const FleetData& fleet, const Knot& knot, const Place& at, double radius, double gap) {
    if (!is_near(knot.area, ground(at.position), radius + gap)) return false;
    return fleet.port.windows.touches(knot.window, at, radius + gap, fleet.port.user);
}

double free_of_knots(const FleetData& fleet, const DrivenWay& way, double clear) {
    for (const Knot* knot : fleet.knots) {
        for (std::size_t i = 0; i < way.count; ++i) {
            const WayPlace& place = fleet.way_places[way.first + i];
            if (!touches(fleet, *knot, place_at(place), way.radius, kKnotGap * way.radius)) continue;
            clear = std::min(clear, i == 0 ? 0.0 : fleet.way_places[way.first + i - 1].on);
            break;
        }
    }
    return clear;
}

Result<void> drive_knots(FleetData& fleet, double seconds, std::uint64_t& units) {
    fleet.now += seconds;
    if (!fleet.options.avoid || !fleet.options.knots || fleet.port.moves == nullptr ||
        fleet.port.windows.open == nullptr)
        return {};
    std::size_t kept = 0;
    Result<void> result;
    for (std::size_t i = 0; i < fleet.knots.size(); ++i) {
        Knot* knot = fleet.knots[i];
        if (result) result = step_knot(fleet, *knot, seconds, units);
        if (result && knot->stage == KnotStage::over) {
            result = end_knot(fleet, *knot);
            drop_knot(fleet, knot);
            continue;
        }
        fleet.knots[kept++] = knot;
    }
    while (fleet.knots.size() > kept) fleet.knots.pop_back();
    return result ? find_knots(fleet) : result;
}

void break_knots(FleetData& fleet) {
    for (Knot* knot : fleet.knots) knot->broken = true;
    break_tangles(fleet);
}

void break_knots_at(FleetData& fleet, const Place& at, double radius) {
    for (Knot* knot : fleet.knots) {
        if (touches(fleet, *knot, at, radius, 0.0)) knot->broken = true;
    }
}

void break_knot_of(FleetData& fleet, const Member& member) {
    for (Knot* knot : fleet.knots) {
        for (const KnotUnit& unit : knot->units) {
            if (fleet.members[unit.member] == &member) knot->broken = true;
        }
    }
    break_tangle_of(fleet, member);
}

void leave_knot(FleetData& fleet, std::uint32_t member) {
    for (Knot* knot : fleet.knots) {
        std::size_t kept = 0;
        for (const KnotUnit& unit : knot->units) {
            if (unit.member == member) {
                (void)knot->convoy->remove(unit.id);
            } else {
                knot->units[kept++] = unit;
            }
        }
        while (knot->units.size() > kept) knot->units.pop_back();
    }
    leave_tangle(fleet, member);
}

void drop_knots(FleetData& fleet) {
    drop_tangles(fleet);
    for (Knot* knot : fleet.knots) drop_knot(fleet, knot);
    fleet.knots.clear();
}

}  // namespace fairlead::fleet
