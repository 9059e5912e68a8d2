// The life of a knot: found where vehicles wait for each other, its window closed, planned, driven, ended.
#include "fleet/knots.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "crowd/unit.h"
#include "fleet/fleet_data.h"
#include "fleet/near_area.h"

namespace fairlead::fleet {

namespace {

constexpr double kAtOnce = 0.2;       // seconds that those of a cycle stand
constexpr double kHeld = 5.0;         // seconds that one stands behind another that goes nowhere
constexpr double kMarginTurns = 3.0;  // turning radii around the bodies,
constexpr double kMarginMore = 3.0;   // and more with each knot that was broken
constexpr std::uint32_t kLargerMax = 3;
constexpr std::uint32_t kTriesMax = 6;
constexpr double kSideMax = 96.0;  // cells
constexpr double kGatherSeconds = 10.0;
constexpr double kPausedSeconds = 4.0;
constexpr double kAsksBelow = 0.5;  // of the clock's rate: slower than that walkers are asked to step aside
constexpr double kRunSeconds = 120.0;
constexpr double kRestSeconds = 3.0;  // after a broken one
constexpr double kClockStep = 0.5;    // of the radius, between two places looked at
constexpr double kAheadRadii = 6.0;   // beyond the way to a stop

/// Of a vehicle that stands: whom it waits for; kNoMember: nobody.
std::uint32_t waits_for(const FleetData& fleet, std::uint32_t m) {
    const Member& member = *fleet.members[m];
    if (!member.used || member.in_knot || !member.driver || member.held_for < kAtOnce) return kNoMember;
    if (member.state != FleetState::moving && member.state != FleetState::stuck) return kNoMember;
    return member.waits_for;
}

bool goes_nowhere(const Member& member) {
    return member.used && !member.in_knot && member.driver && member.speed == 0.0 &&
           member.state != FleetState::moving && member.state != FleetState::waiting &&
           member.state != FleetState::link;
}

double radius_of(const FleetData& fleet, const Member& member) {
    return circumscribed_radius(fleet.kinds[member.kind.value].agent);
}

void include(Aabb& area, Vec2 p, double reach) {
    area.low.x = std::min(area.low.x, p.x - reach);
    area.low.y = std::min(area.low.y, p.y - reach);
    area.high.x = std::max(area.high.x, p.x + reach);
    area.high.y = std::max(area.high.y, p.y + reach);
}

bool is_larger(const Aabb& area, double side) {
    return area.high.x - area.low.x > side || area.high.y - area.low.y > side;
}

void release_knot(FleetData& fleet, Knot* knot) {
    const Allocator& allocator = fleet.options.allocator;
    knot->~Knot();
    allocator.release(knot, sizeof(Knot), alignof(Knot), allocator.user);
}

/// Heights of those that begin a knot: far above and below them is another floor.
struct Heights {
    double low = 1e300;
    double high = -1e300;

    void include(double z) {
        low = std::min(low, z);
        high = std::max(high, z);
    }
    [[nodiscard]] bool has(double z, double near) const { return z >= low - near && z <= high + near; }
};

// Takes in whole bodies at the border, as long as there is room.
void grow(const FleetData& fleet, Knot& knot, const Heights& heights, double cell, double side) {
    for (bool more = true; more;) {
        more = false;
        for (const Member* member : fleet.members) {
            if (!member->used || member->in_knot || !member->driver || member->at.layer != knot.layer)
                continue;
            if (!heights.has(member->at.position.z, fleet.options.crowd.height)) continue;
            const double radius = radius_of(fleet, *member);
            if (!is_near(knot.area, ground(member->at.position), radius)) continue;
            Aabb larger = knot.area;
            include(larger, ground(member->at.position), radius + cell);
            if (larger == knot.area || is_larger(larger, side)) continue;
            knot.area = larger;
            more = true;
        }
    }
}

/// Its window, if it has ground and that is no other knot's. False: it is not open.
Result<bool> open_window(FleetData& fleet, Knot& knot, std::span<const std::uint32_t> seeds, double cell) {
    Array<Place> stand(fleet.options.allocator);
    for (const std::uint32_t m : seeds) {
        if (!stand.push_back(fleet.members[m]->at)) return Error{ErrorCode::out_of_memory};
    }
    const FleetWindow asked{knot.area, knot.layer, fleet.options.crowd.height, cell, stand.span()};
    const FleetWindows& windows = fleet.port.windows;
    const Result<std::uint32_t> opened = windows.open(asked, fleet.port.user);
    if (!opened)
        return opened.error().code == ErrorCode::out_of_memory ? Result<bool>(opened.error()) : false;
    knot.window = *opened;
    bool taken = false;
    for (const Knot* other : fleet.knots)
        taken = taken || windows.overlap(other->window, knot.window, fleet.port.user);
    if (taken) windows.close(knot.window, fleet.port.user);
    return !taken;
}

Result<void> begin_knot(FleetData& fleet, std::span<const std::uint32_t> seeds) {
    Knot fresh(fleet.options.allocator);
    fresh.area = {{1e300, 1e300}, {-1e300, -1e300}};
    fresh.layer = fleet.members[seeds[0]]->at.layer;
    double cell = 0.0;
    double smallest = 1e300;
    Heights heights;
    for (const std::uint32_t m : seeds) fresh.tries = std::max(fresh.tries, fleet.members[m]->knot_tries);
    for (const std::uint32_t m : seeds) {
        const Member& member = *fleet.members[m];
        const DriveTable* moves = fleet.port.moves(member.kind, fleet.port.user);
        if (moves == nullptr || member.at.layer != fresh.layer) return {};
        cell = std::max(cell, moves->options().cell_size);
        smallest = std::min(smallest, moves->options().cell_size);
        const double turns = kMarginTurns + kMarginMore * std::min(fresh.tries, kLargerMax);
        const double reach = radius_of(fleet, member) * 3.0 + turns * moves->options().agent.turning_radius;
        include(fresh.area, ground(member.at.position), reach + cell);
        heights.include(member.at.position.z);
    }
    const double side = kSideMax * cell;
    for (const std::uint32_t m : seeds) fleet.members[m]->knot_after = fleet.now + kRestSeconds;
    if (is_larger(fresh.area, side)) return {};
    grow(fleet, fresh, heights, cell, side);
    const Result<bool> open = open_window(fleet, fresh, seeds, smallest);
    if (!open.has_value()) return open.error();
    if (!*open) return {};
    const Allocator& allocator = fleet.options.allocator;
    void* memory = allocator.allocate(sizeof(Knot), alignof(Knot), allocator.user);
    Knot* knot = memory != nullptr ? ::new (memory) Knot(allocator) : nullptr;
    if (knot == nullptr || !fleet.knots.push_back(knot)) {
        fleet.port.windows.close(fresh.window, fleet.port.user);
        if (knot != nullptr) release_knot(fleet, knot);
        return Error{ErrorCode::out_of_memory};
    }
    knot->area = fresh.area;
    knot->layer = fresh.layer;
    knot->window = fresh.window;
    knot->tries = fresh.tries;
    return {};
}

void drop_knot(FleetData& fleet, Knot* knot) {
    const std::uint32_t window = knot->window;
    release_knot(fleet, knot);
    fleet.port.windows.close(window, fleet.port.user);
}

Result<void> find_knots(FleetData& fleet) {
    fleet.marks.clear();
    if (!fleet.marks.resize(fleet.members.size())) return Error{ErrorCode::out_of_memory};
    for (std::uint32_t m = 0; m < fleet.members.size(); ++m) {
        const std::uint32_t first = waits_for(fleet, m);
        if (first == kNoMember || fleet.now < fleet.members[m]->knot_after) continue;
        fleet.seeds.clear();
        std::uint32_t at = m;
        while (at != kNoMember && fleet.marks[at] != m + 1) {
            fleet.marks[at] = m + 1;
            at = waits_for(fleet, at);
        }
        if (at != kNoMember) {  // a cycle, which begins here
            std::uint32_t on = at;
            do {
                if (!fleet.seeds.push_back(on)) return Error{ErrorCode::out_of_memory};
                on = waits_for(fleet, on);
            } while (on != at);
        } else if (fleet.members[m]->held_for > kHeld && goes_nowhere(*fleet.members[first])) {
            if (!fleet.seeds.push_back(m) || !fleet.seeds.push_back(first))
                return Error{ErrorCode::out_of_memory};
        }
        if (fleet.seeds.empty()) continue;
        if (const Result<void> begun = begin_knot(fleet, fleet.seeds.span()); !begun) return begun;
    }
    return {};
}

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
    const double seconds = kRestSeconds * static_cast<double>(1U << member.knot_tries);
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
            if (touches(fleet, knot, member->at, radius_of(fleet, *member), 0.0)) rest(fleet, *member);
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

// How fast the clock may go for the walkers: their places are looked at along the plans, to where the clock can stand and beyond. Who
// stands there is asked to step aside.
double free_rate(FleetData& fleet, const Knot& knot, double seconds) {
    double rate = 1.0;
    const double stop = knot.rate * (seconds + knot.rate / (2.0 * knot.slow_down));
    for (const KnotUnit& unit : knot.units) {
        if (unit.role == KnotRole::wall) continue;
        Member& member = *fleet.members[unit.member];
        member.asks_way = {};
        const double speed = fleet.kinds[member.kind.value].limits.speed_max;
        const double until = stop + kAheadRadii * unit.radius / speed;
        const double step = kClockStep * unit.radius / speed;
        for (const Member* other : fleet.members) {
            if (!other->used || other->driver || other->at.layer != knot.layer) continue;
            if (std::abs(other->at.position.z - member.at.position.z) > fleet.options.crowd.height) continue;
            const double both = unit.radius * (1.0 + kKnotGap) + fleet.kinds[other->kind.value].agent.radius;
            const Vec2 there = ground(other->at.position);
            const Vec2 plan = ground(plan_of(fleet, *other));
            const Vec2 here = ground(member.at.position);
            const double now = distance(here, nearest_on_plan(here, there, plan));
            if (now > both + until * speed) continue;
            for (double at = step; at <= until; at += step) {
                const Vec2 place = knot.convoy->pose_in(unit.id, at).position;
                const double apart = distance(place, nearest_on_plan(place, there, plan));
                if (apart >= both || apart >= now) continue;
                if (member.asks_way == Vec2{}) member.asks_way = place - ground(member.at.position);
                rate = std::min(rate, std::sqrt(2.0 * knot.slow_down * (at - step)));
                break;
            }
        }
    }
    return rate;
}

void move_unit(FleetData& fleet, const Knot& knot, const KnotUnit& unit) {
    Member& member = *fleet.members[unit.member];
    const ConvoyView view = knot.convoy->unit(unit.id);
    if (unit.role == KnotRole::wall) return;
    member.at.position.x = view.pose.position.x;
    member.at.position.y = view.pose.position.y;
    member.at.heading_rad = view.pose.heading_rad;
    member.at = fleet.on_ground(member.at, member.at.position.z);
    member.speed = view.speed * knot.rate;
    member.knot_gear = view.gear;
    const bool there = unit.role != KnotRole::passes && view.state == ConvoyState::arrived;
    if (member.state == FleetState::moving || member.state == FleetState::arrived)
        member.state = there ? FleetState::arrived : FleetState::moving;
}

/// Whether all are where they were to go, or some never will be.
void look_at(FleetData& fleet, Knot& knot, double seconds) {
    bool all_there = true;
    bool all_stopped = true;
    bool hopeless = false;
    for (const KnotUnit& unit : knot.units) {
        if (unit.role == KnotRole::wall) continue;
        const ConvoyView view = knot.convoy->unit(unit.id);
        all_there =
            all_there && (view.state == ConvoyState::arrived || view.state == ConvoyState::unreachable);
        hopeless = hopeless || view.state == ConvoyState::unreachable;
        knot.broken = knot.broken || view.state == ConvoyState::stuck;
        all_stopped = all_stopped && fleet.members[unit.member]->speed == 0.0;
    }
    knot.paused = knot.rate == 0.0 ? knot.paused + seconds : 0.0;
    knot.broken = knot.broken || knot.age > kRunSeconds || knot.paused > kPausedSeconds;
    if (knot.broken) knot.stage = KnotStage::ending;
    if (all_there && !knot.broken) {
        knot.broken = hopeless;
        knot.stage = KnotStage::over;
    }
    if (knot.stage == KnotStage::ending && all_stopped) knot.stage = KnotStage::over;
}

// The rate at the end of the next frame: known a frame ahead, so that walkers know each vehicle's next step.
void set_next_rate(FleetData& fleet, Knot& knot, double seconds) {
    const double wanted = knot.stage == KnotStage::running ? free_rate(fleet, knot, seconds) : 0.0;
    knot.next_rate = wanted < knot.rate ? std::max(wanted, knot.rate - knot.slow_down * seconds)
                                        : std::min(wanted, knot.rate + knot.speed_up * seconds);
}

/// Tells the crowd where a vehicle comes to a stand `stopping` seconds of the plan from now.
void tell_way(FleetData& fleet, const Knot& knot, const KnotUnit& unit, Vec3 velocity, double stopping) {
    constexpr std::size_t kLines = crowd::kDrivenLinesMax;
    const Member& member = *fleet.members[unit.member];
    if (!(stopping > 0.0)) {
        (void)fleet.crowd.drive(member.body, member.at, velocity);
        return;
    }
    Vec3 way[kLines];
    double longest = 0.0;
    Vec2 from = ground(member.at.position);
    for (std::size_t i = 0; i < kLines; ++i) {
        const double after = stopping * static_cast<double>(i + 1) / kLines;
        const Vec2 place = knot.convoy->pose_in(unit.id, after).position;
        way[i] = {place.x, place.y, member.at.position.z};
        longest = std::max(longest, distance(from, place));
        from = place;
    }
    const double turning_radius = fleet.kinds[member.kind.value].agent.turning_radius;
    (void)fleet.crowd.drive(member.body, member.at, velocity, way,
                            longest * longest / (8.0 * turning_radius));
}

Result<void> run_knot(FleetData& fleet, Knot& knot, double seconds, std::uint64_t& units) {
    const double passed = 0.5 * (knot.rate + knot.next_rate) * seconds;
    knot.rate = knot.next_rate;
    if (passed > 0.0) {
        const std::uint64_t worked = knot.convoy->report().units;
        if (const Result<void> done = knot.convoy->update(passed, units); !done) return done;
        const std::uint64_t spent = knot.convoy->report().units - worked;
        units -= std::min(units, spent);
        fleet.knot_report.units += spent;
    }
    for (const KnotUnit& unit : knot.units) move_unit(fleet, knot, unit);
    look_at(fleet, knot, seconds);
    set_next_rate(fleet, knot, seconds);
    const double coming = 0.5 * (knot.rate + knot.next_rate) * seconds;
    // The clock brakes less than a vehicle can: walkers are told where that one comes to a stand.
    const double stopping = coming + 0.5 * knot.next_rate * knot.next_rate / knot.slow_down;
    for (const KnotUnit& unit : knot.units) {
        const Member& member = *fleet.members[unit.member];
        const bool stands = unit.role == KnotRole::wall || knot.stage == KnotStage::over;
        const Vec2 at = ground(member.at.position);
        const Vec2 next = stands ? at : knot.convoy->pose_in(unit.id, coming).position;
        const Vec2 velocity = (next - at) * (1.0 / seconds);
        tell_way(fleet, knot, unit, {velocity.x, velocity.y, 0.0}, stands ? 0.0 : stopping);
        if (!stands && knot.next_rate < kAsksBelow && member.asks_way != Vec2{})
            (void)fleet.crowd.ask_way(member.body, member.asks_way);
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
        return knot.stage == KnotStage::gathering && all_stand(fleet, knot) ? start_knot(fleet, knot)
                                                                            : Result<void>{};
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
