// A frame: routes that have come are taken, the crowd and the vehicles move, links are crossed, who is lost asks again; then the scheduler
// works. All in the order of the units' numbers, so that equal calls give equal bits.
#include <fairlead/fleet/fleet.h>

#include <algorithm>
#include <cmath>
#include <new>

#include <fairlead/base/digest.h>
#include <fairlead/curve/facings.h>
#include <fairlead/math/trig.h>

#include "crowd/check_seconds.h"
#include "fleet/fleet_data.h"

namespace fairlead {

namespace {

using fleet::ask;
using fleet::FleetData;
using fleet::Member;
using fleet::stands;
using fleet::take_first_leg;
using fleet::take_route;

constexpr double kNoTimeLimit = 1e300;   // microseconds
constexpr double kKnotUnitMicros = 8.0;  // that a unit of a knot's work may take

Member* find_member(FleetData& d, FleetId id) {
    const auto slot = static_cast<std::uint32_t>(id.value);
    if (slot >= d.members.size()) return nullptr;
    Member* member = d.members[slot];
    return member->used && member->generation == id.value >> 32 ? member : nullptr;
}

/// Does it wait for others: for its turn at a narrow place, or for what stands in its way?
bool holds(const FleetData& d, const Member& member) {
    if (member.driver) return member.blocked_for > 0.0;
    return d.crowd.unit(member.body).state == UnitState::waiting;
}

/// A vehicle from one knot to the next, and never away.
bool no_nearer(const FleetData& d, const Member& member) {
    const bool between = member.state == FleetState::moving || member.waits_after_knot();
    return member.driver && between && member.best_for > d.options.stuck_seconds;
}

void add_to_digest(FleetData& d) {
    for (const Member* member : d.members) {
        if (!member->used) continue;
        d.digest.add(member->at.position.x);
        d.digest.add(member->at.position.y);
        d.digest.add(member->at.position.z);
        d.digest.add(member->at.heading_rad);
        d.digest.add(member->speed);
        d.digest.add(static_cast<std::uint32_t>(member->state));
    }
}

Result<void> make_member(FleetData& d, Member& member, FleetKind kind, const Place& put, bool has_heading) {
    const Place at = d.port.begin_at != nullptr ? d.port.begin_at(put, kind, d.port.user) : put;
    member.reset();
    const FleetUnit& unit = d.kinds[kind.value];
    member.kind = kind;
    member.at = at;
    member.has_heading = has_heading;
    const CrowdUnit body = d.body_of(member, d.is_vehicle(member));
    if (body.driven) {
        DriverOptions drives;
        drives.limits = unit.limits;
        drives.one_heading_a_frame = unit.facings != 0;
        drives.times.link_seconds = [](const Leg&, void* user) { return *static_cast<const double*>(user); };
        drives.times.user = &d.options.link_seconds;
        Result<RouteDriver> driver = RouteDriver::make(drives, at);
        if (!driver) return driver.error();
        member.driver.emplace(std::move(*driver));
    }
    const Result<UnitId> id = d.crowd.add(body, at);
    if (!id) return id.error();
    member.body = *id;
    member.at.heading_rad = d.crowd.unit(*id).place.heading_rad;  // a facing
    return {};
}

}  // namespace

const char* fleet_state_name(FleetState state) {
    static const char* const kNames[] = {"idle",    "waiting", "moving",      "link",
                                         "arrived", "stuck",   "unreachable", "invalid"};
    return state < FleetState::count_ ? kNames[static_cast<std::size_t>(state)] : "?";
}

Result<Fleet> Fleet::make(const FleetPort& port, const FleetOptions& options) {
    if (port.ask == nullptr || port.publish == nullptr) return Error{ErrorCode::out_of_memory};
    if (!(options.link_seconds >= 0.0 && options.link_seconds <= 1e6)) {
        return Error{ErrorCode::out_of_range, Field::link_seconds};
    }
    if (!(options.stuck_seconds > 0.0)) return Error{ErrorCode::out_of_range, Field::seconds};
    CrowdOptions crowd_options = options.crowd;
    crowd_options.avoid = crowd_options.avoid && options.avoid;
    crowd_options.space = port.space;
    Result<Crowd> crowd = Crowd::make(crowd_options);
    if (!crowd) return crowd.error();
    Result<Scheduler> scheduler = Scheduler::make(options.schedule);
    if (!scheduler) return scheduler.error();
    if (port.begin != nullptr) {
        if (const Result<void> begun = port.begin(port.user); !begun) return begun.error();
    }
    void* memory = options.allocator.allocate(sizeof(FleetData), alignof(FleetData), options.allocator.user);
    if (memory == nullptr) {
        if (port.end != nullptr) port.end(port.user);
        return Error{ErrorCode::out_of_memory};
    }
    auto* data = ::new (memory) FleetData(port, options, std::move(*crowd), std::move(*scheduler));
    Fleet fleet(data);
    const Result<void> published = port.publish(data->scheduler, port.user);
    if (!published) return published.error();
    return fleet;
}

Fleet::Fleet(Fleet&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }

Fleet& Fleet::operator=(Fleet&& other) noexcept {
    FleetData* mine = data_;
    data_ = other.data_;
    other.data_ = mine;
    return *this;
}

Fleet::~Fleet() {
    if (data_ == nullptr) return;
    const Allocator allocator = data_->options.allocator;
    fleet::release_squads(*data_);
    fleet::release_fields(*data_);
    fleet::drop_knots(*data_);
    for (Member* member : data_->members) {
        member->~Member();
        allocator.release(member, sizeof(Member), alignof(Member), allocator.user);
    }
    const FleetPort port = data_->port;
    data_->~FleetData();
    if (port.end != nullptr) port.end(port.user);
    allocator.release(data_, sizeof(FleetData), alignof(FleetData), allocator.user);
}

namespace {

Result<void> check_facings(const FleetData& d, const FleetUnit& unit) {
    if (unit.facings == 0) return {};
    if (!good_facings(unit.facings)) return Error{ErrorCode::out_of_range, Field::facings};
    const bool drives = unit.agent.turning_radius > 0.0;
    if (d.port.space || (drives && d.port.draw == nullptr))
        return Error{ErrorCode::unsupported, Field::facings};
    return {};
}

}  // namespace

Result<FleetKind> Fleet::add_kind(const FleetUnit& asked) {
    FleetData& d = *data_;
    if (const Result<void> good = check_body(asked.agent); !good) return good.error();
    FleetUnit unit = asked;
    const bool point = unit.agent.shape == BodyShape::disc && unit.agent.radius == 0.0;
    if (point) unit.agent.radius = d.port.point_radius;
    if (const Result<void> good = check_speed_limits(unit.limits); !good) return good.error();
    if (const Result<void> good = check_climb(unit.climb); !good) return good.error();
    const bool flies = d.port.space && unit.agent.turning_radius > 0.0;
    if (!flies && unit.climb != ClimbLimits{}) return Error{ErrorCode::unsupported, Field::climb};
    if (const Result<void> good = check_facings(d, unit); !good) return good.error();
    const FleetKind kind{static_cast<std::uint32_t>(d.kinds.size())};
    if (const Result<void> prepared = d.port.add_kind(unit, kind, d.port.user); !prepared) {
        return prepared.error();
    }
    if (d.knot_kinds.add() == nullptr) return Error{ErrorCode::out_of_memory};
    if (!d.kinds.push_back(unit)) return Error{ErrorCode::out_of_memory};
    if (unit.agent.turning_radius > 0.0) return kind;
    bool known = false;
    for (const double radius : d.radii) known = known || radius == unit.agent.radius;
    if (known) return kind;
    if (!d.radii.push_back(unit.agent.radius)) return Error{ErrorCode::out_of_memory};
    for (std::size_t i = d.radii.size() - 1; i > 0 && d.radii[i - 1] > d.radii[i]; --i)
        std::swap(d.radii[i - 1], d.radii[i]);
    if (const Result<void> found = fleet::find_places(d); !found) return found.error();
    return kind;
}

Result<void> fleet::find_places(FleetData& d) {
    if (d.port.places == nullptr || d.radii.empty()) return {};
    const Result<PlaceSheets> found = d.port.places(d.radii.span(), d.port.user);
    if (!found) return found.error();
    if (found->version != 0 && found->version == d.places_version) return {};
    d.places_version = found->version;
    return d.crowd.set_places(*found);
}

Result<FleetId> Fleet::add(FleetKind kind, const Place& at, bool has_heading) {
    FleetData& d = *data_;
    if (kind.value >= d.kinds.size()) return Error{ErrorCode::unknown_id, Field::unit};
    if (!is_finite(at.position) || !std::isfinite(at.heading_rad)) {
        return Error{ErrorCode::not_finite, Field::start};
    }
    std::uint32_t slot = static_cast<std::uint32_t>(d.members.size());
    if (!d.free.empty()) {
        slot = d.free.back();
        d.free.pop_back();
    } else {
        void* memory =
            d.options.allocator.allocate(sizeof(Member), alignof(Member), d.options.allocator.user);
        if (memory == nullptr) return Error{ErrorCode::out_of_memory};
        auto* fresh = ::new (memory) Member(d.options.allocator);
        fresh->slot = slot;
        if (!d.members.push_back(fresh)) {
            fresh->~Member();
            d.options.allocator.release(memory, sizeof(Member), alignof(Member), d.options.allocator.user);
            return Error{ErrorCode::out_of_memory};
        }
    }
    Member& member = *d.members[slot];
    if (const Result<void> made = make_member(d, member, kind, at, has_heading); !made) {
        if (!d.free.push_back(slot)) return Error{ErrorCode::out_of_memory};
        return made.error();
    }
    member.used = true;
    if (member.driver) fleet::break_knots_at(d, at, d.radius_of(member));
    ++d.used;
    return FleetId{static_cast<std::uint64_t>(member.generation) << 32 | slot};
}

bool Fleet::remove(FleetId id) {
    FleetData& d = *data_;
    Member* member = find_member(d, id);
    if (member == nullptr) return false;
    fleet::leave_squad(d, *member);
    fleet::leave_field(d, *member);
    if (member->request.valid()) (void)d.scheduler.cancel(member->request);
    member->request = {};
    (void)d.crowd.remove(member->body);
    if (member->in_knot) fleet::leave_knot(d, static_cast<std::uint32_t>(id.value));
    member->driver.reset();
    member->used = false;
    ++member->generation;
    --d.used;
    return d.free.push_back(static_cast<std::uint32_t>(id.value));
}

Result<void> Fleet::send(FleetId id, const Spot& goal, const CrowdGoal& group) {
    FleetData& d = *data_;
    Member* member = find_member(d, id);
    if (member == nullptr) return Error{ErrorCode::unknown_id, Field::unit};
    if (!is_finite(goal.position) || !std::isfinite(goal.heading_rad)) {
        return Error{ErrorCode::not_finite, Field::goal};
    }
    const Spot old_goal = member->goal;
    const CrowdGoal old_group = member->group;
    member->goal = goal;
    member->group = group;
    if (!member->in_knot) {
        const Result<void> asked = fleet::ask_alone(d, *member, false);
        if (!asked) {  // it goes on as before
            member->goal = old_goal;
            member->group = old_group;
            return asked;
        }
    } else {
        fleet::break_knot_of(d, *member);  // asks when it stands
        member->state = FleetState::waiting;
    }
    fleet::leave_squad(d, *member);
    fleet::leave_field(d, *member);
    member->begin_anew();
    return {};
}

Result<void> Fleet::send(std::span<const FleetId> ids, const Spot& goal) {
    FleetData& d = *data_;
    if (ids.empty()) return Error{ErrorCode::size_zero, Field::unit};
    if (!is_finite(goal.position) || !std::isfinite(goal.heading_rad))
        return Error{ErrorCode::not_finite, Field::goal};
    d.click.clear();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        Member* member = find_member(d, ids[i]);
        if (member == nullptr)
            return Error{ErrorCode::unknown_id, Field::unit, static_cast<std::int64_t>(i), 0};
        if (!d.click.push_back(member)) return Error{ErrorCode::out_of_memory};
    }
    return fleet::share_fields(d, d.click.span(), goal);
}

Result<FleetFormationId> Fleet::send(std::span<const FleetId> ids, const Spot& goal,
                                     const FormationOptions& formation) {
    FleetData& d = *data_;
    if (ids.empty()) return Error{ErrorCode::size_zero, Field::unit};
    if (ids.size() > kFormationMax)
        return Error{ErrorCode::size_limit, Field::unit, static_cast<std::int64_t>(kFormationMax)};
    if (!is_finite(goal.position) || !std::isfinite(goal.heading_rad))
        return Error{ErrorCode::not_finite, Field::goal};
    Member* units[kFormationMax];
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        units[i] = find_member(d, ids[i]);
        if (units[i] == nullptr) return Error{ErrorCode::unknown_id, Field::unit, index, 0};
        if (units[i]->driver) return Error{ErrorCode::unsupported, Field::unit, index, 0};
        for (std::size_t k = 0; k < i; ++k) {
            if (units[k] == units[i]) return Error{ErrorCode::duplicate_id, Field::unit, index, 0};
        }
    }
    return fleet::send_squad(d, {units, ids.size()}, goal, formation);
}

bool Fleet::stop(FleetId id) {
    FleetData& d = *data_;
    Member* member = find_member(d, id);
    if (member == nullptr) return false;
    fleet::leave_squad(d, *member);
    fleet::leave_field(d, *member);
    if (member->request.valid()) (void)d.scheduler.cancel(member->request);
    member->request = {};
    if (member->driver) member->driver->stop();
    if (!member->driver) (void)d.crowd.stop(member->body);
    member->state = FleetState::idle;
    member->first_leg = member->waits_for_all = false;
    if (member->in_knot) fleet::break_knot_of(d, *member);
    return true;
}

Result<void> Fleet::update(double seconds, const FrameBudget& budget) {
    if (const Result<void> good = crowd::check_seconds(seconds); !good) return good;
    FleetData& d = *data_;
    ++d.frame;
    if (const Result<void> filled = fleet::follow_fields(d); !filled) return filled.error();
    for (Member* member : d.members) {
        if (!member->used) continue;
        if (member->has_field_route && !member->in_knot) {
            if (const Result<void> taken = fleet::take_field_route(d, *member); !taken) return taken.error();
        }
        if (!member->request.valid()) continue;
        const RequestStatus status = d.scheduler.status(member->request);
        if (status != RequestStatus::done && status != RequestStatus::dropped) {
            if (const Result<void> set_off = take_first_leg(d, *member); !set_off) return set_off.error();
            continue;
        }
        if (member->driver && !stands(*member->driver)) continue;
        if (const Result<void> taken = take_route(d, *member); !taken) return taken.error();
    }
    if (const Result<void> led = fleet::lead_squads(d, seconds); !led) return led.error();
    if (const Result<void> driven = fleet::drive_all(d, seconds); !driven) return driven.error();
    // knots take half of the work at most
    std::uint64_t knot_units = budget.units / 2;
    if (budget.time_us < kNoTimeLimit) {
        const double timed = 0.5 * budget.time_us / kKnotUnitMicros;
        knot_units = std::min(knot_units, static_cast<std::uint64_t>(timed > 1.0 ? timed : 1.0));
    }
    const std::uint64_t knots_before = d.knot_report.units;
    if (const Result<void> driven = fleet::drive_knots(d, seconds, knot_units); !driven)
        return driven.error();
    if (const Result<void> walked = fleet::drive_tangles(d, seconds, knot_units); !walked)
        return walked.error();
    const std::uint64_t spent = d.knot_report.units - knots_before;
    CrowdWorld world = d.port.crowd(d.port.user);
    if (const Result<void> moved = d.crowd.update(seconds, world, d.options.jobs); !moved)
        return moved.error();
    for (Member* member : d.members) {
        if (!member->used) continue;
        if (const Result<void> followed = fleet::follow(d, *member, seconds); !followed)
            return followed.error();
    }
    FrameBudget rest = budget;
    if (rest.units < UINT64_MAX) rest.units -= std::min(rest.units, spent);
    d.report = d.scheduler.update(rest);
    d.report.units += spent;
    add_to_digest(d);
    return {};
}

Result<void> Fleet::world_changed() {
    FleetData& d = *data_;
    if (const Result<void> published = d.port.publish(d.scheduler, d.port.user); !published) {
        return published.error();
    }
    d.crowd.forget_tunnels();
    if (const Result<void> found = fleet::find_places(d); !found) return found.error();
    if (const Result<void> told = fleet::squads_world_changed(d); !told) return told.error();
    if (const Result<void> told = fleet::fields_world_changed(d); !told) return told.error();
    fleet::break_knots(d);
    for (Member* member : d.members) {
        if (!member->used || member->in_knot) continue;
        if (member->squad != fleet::kNoSquad && !member->alone) continue;
        if (member->shared != fleet::kNoField && !member->request.valid()) continue;
        if (member->request.valid()) {
            member->edited = true;
            const bool drives = member->driver && member->driver->route() != nullptr;
            if (drives && !d.port.legal(member->route(), d.ask_of(*member), d.port.user))
                member->driver->stop();
            if (member->first_leg && !d.port.legal(member->route(), d.ask_of(*member), d.port.user)) {
                (void)d.crowd.stop(member->body);
                member->first_leg = false;
                member->state = FleetState::waiting;
            }
            continue;
        }
        if (!member->driver && member->state == FleetState::link) member->edited = true;
        const bool goes = member->state == FleetState::moving || member->state == FleetState::stuck ||
                          (member->driver && member->state == FleetState::link);
        const bool failed = member->state == FleetState::unreachable || member->state == FleetState::invalid;
        if (!goes && !failed) continue;
        if (goes && d.port.legal(member->route(), d.ask_of(*member), d.port.user)) continue;
        if (const Result<void> asked = ask(d, *member, goes); !asked) return asked.error();
    }
    return {};
}

FleetView Fleet::unit(FleetId id) const {
    const Member* member = find_member(*data_, id);
    FleetView view;
    if (member == nullptr) return view;
    view.exists = true;
    view.place = member->at;
    view.speed = member->speed;
    view.state = member->state;
    if (view.state == FleetState::moving && holds(*data_, *member)) view.state = FleetState::waiting;
    if (no_nearer(*data_, *member)) view.state = FleetState::stuck;
    view.why = member->why;
    view.asked_frames = member->asked_frames;
    view.in_knot = member->in_knot;
    const bool led = member->squad != fleet::kNoSquad && !member->alone;
    view.has_way = led ? data_->squads[member->squad]->under_way : member->to_goal || member->first_leg;
    const std::int32_t facings = data_->kinds[member->kind.value].facings;
    if (member->driver && facings != 0)  // turning on the spot too
        view.place.heading_rad =
            math::wrap_pi(facing_rad(facings, nearest_facing(facings, view.place.heading_rad)));
    if (member->driver) {
        view.gear = member->in_knot ? member->knot_gear : member->driver->gear();
        view.remaining = member->route().length - member->driver->distance();
    } else {
        view.remaining = data_->crowd.unit(member->body).remaining;
    }
    return view;
}

const Route* Fleet::route(FleetId id) const {
    const Member* member = find_member(*data_, id);
    return member == nullptr ? nullptr : &member->route();
}

std::size_t Fleet::size() const { return data_->used; }

std::size_t Fleet::fields() const {
    std::size_t count = 0;
    for (const fleet::SharedField* field : data_->fields) count += field->open ? 1 : 0;
    return count;
}

const Scheduler& Fleet::scheduler() const { return data_->scheduler; }
const UpdateReport& Fleet::report() const { return data_->report; }
const KnotReport& Fleet::knots() const { return data_->knot_report; }
std::uint64_t Fleet::digest() const { return data_->digest.value(); }

}  // namespace fairlead
