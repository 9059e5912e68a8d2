// The convoy's own house: kinds and units come and go, goals get their fields, time passes and rounds of planning with it.
#include <fairlead/convoy/convoy.h>

#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "convoy/convoy_data.h"
#include "drive/body/curve_check.h"
#include "drive/lattice/prepare_ends.h"

namespace fairlead {

namespace {

using convoy::ConvoyData;
using convoy::Kind;
using convoy::Target;
using convoy::Unit;

constexpr double kWindowMost = 1.4;  // times the way round another unit

template <class T, class... Args>
T* make_one(const Allocator& allocator, Args&&... args) {
    void* memory = allocator.allocate(sizeof(T), alignof(T), allocator.user);
    return memory == nullptr ? nullptr : new (memory) T(std::forward<Args>(args)...);
}

template <class T>
void drop_one(const Allocator& allocator, T*& one) {
    if (one == nullptr) return;
    one->~T();
    allocator.release(one, sizeof(T), alignof(T), allocator.user);
    one = nullptr;
}

void release_data(ConvoyData* data) {
    if (data == nullptr) return;
    const Allocator allocator = data->options.allocator;
    for (Unit*& unit : data->units) {
        convoy::drop_target(*data, unit->target);
        convoy::drop_target(*data, unit->next);
        drop_one(allocator, unit);
    }
    for (Kind*& kind : data->kinds) drop_one(allocator, kind);
    drop_one(allocator, data);
}

Result<void> check_options(const ConvoyOptions& options) {
    const auto within = [](double v, double low, double high, Field field) -> Result<void> {
        if (!std::isfinite(v)) return Error{ErrorCode::not_finite, field};
        if (v < low || v > high) return Error{ErrorCode::out_of_range, field};
        return {};
    };
    const double window = options.window_seconds == 0.0 ? 1.0 : options.window_seconds;
    const Result<void> checks[] = {within(window, 0.5, 600.0, Field::seconds),
                                   within(options.gap, 0.0, 1e9, Field::gap),
                                   within(options.sample_seconds, 0.01, 1.0, Field::sample_step),
                                   within(options.stuck_seconds, 1e-9, 1e9, Field::seconds),
                                   within(options.weight, 1.0, 10.0, Field::epsilon)};
    for (const Result<void>& good : checks) {
        if (!good) return good.error();
    }
    return {};
}

// Half a turn, past two bodies, with setting off and stopping.
double window_of(const SpeedTable& times, const convoy::Cover& cover) {
    const SpeedLimits& limits = times.limits();
    const double way = kPi * times.moves().options().agent.turning_radius / times.arc_speed() +
                       2.0 * (cover.reach + cover.radius) / limits.speed_max;
    return kWindowMost * way + 0.5 * limits.speed_max * (1.0 / limits.accel_max + 1.0 / limits.brake_max);
}

Unit* find_unit(ConvoyData& data, ConvoyId id) {
    const auto slot = static_cast<std::uint32_t>(id.value);
    if (slot >= data.units.size()) return nullptr;
    Unit* unit = data.units[slot];
    return unit->used && unit->generation == id.value >> 32 ? unit : nullptr;
}

Result<void> check_pose(const Kind& kind, const Pose& at, Field place, Field heading) {
    if (!is_finite(at.position)) return Error{ErrorCode::not_finite, place};
    if (!std::isfinite(at.heading_rad)) return Error{ErrorCode::not_finite, heading};
    const drive::MapData& map = kind.map->data();
    const drive::MapFrame frame(map);
    const auto stands = [&] {
        if (kind.ground.is_free == nullptr)
            return drive::stands_free(map.free_cells(), map.table().body(), frame.in_cells(at));
        return kind.ground.is_free(at, map.table().options().agent.turning_radius, CurveWord{},
                                   kind.ground.user);
    };
    if (!frame.on_map(at.position) || !stands()) return Error{ErrorCode::out_of_range, place};
    return {};
}

convoy::Stop stop_at(const drive::MapData& map, const Pose& at) {
    convoy::Stop stop;
    drive::LatticePose node;
    stop.off = !convoy::on_lattice(map, drive::MapFrame(map).in_cells(at), node);
    stop.x = node.x;
    stop.y = node.y;
    stop.heading = static_cast<std::uint8_t>(node.heading);
    stop.at = at;
    if (!stop.off) stop.at = drive::MapFrame(map).to_world(map.table().node(node.x, node.y, node.heading));
    return stop;
}

// Is a stand there clear of all that is planned? Uses the units' tracks.
Result<void> check_room(ConvoyData& data, const Kind& kind, const Pose& at) {
    const convoy::Cover& cover = kind.moves.cover();
    Vec2 discs[convoy::kDiscsMax];
    cover.place(at, discs);
    for (std::size_t i = 0; i < data.units.size(); ++i) {
        Unit& unit = *data.units[i];
        if (!unit.used) continue;
        const convoy::MoveSet& moves = data.moves_of(unit);
        if (!unit.track.fill(unit.plan, moves.cover(), moves.radius(), data.now, data.options.sample_seconds))
            return Error{ErrorCode::out_of_memory};
        const double until = std::max(unit.track.last(), data.now) + 1.0;
        if (unit.track.meets(discs, discs, cover.discs, data.now, until, data.both(cover, moves.cover())))
            return Error{ErrorCode::incompatible, Field::start, static_cast<std::int64_t>(i), 0};
    }
    return {};
}

DriveQuery field_query(const SpeedTable& times, const Pose& last) {
    const SpeedLimits& limits = times.limits();
    const double v = limits.speed_max;
    DriveQuery query;
    query.goal = Goal(last.position, last.heading_rad);
    query.goal_curves = false;
    query.reverse_penalty = std::min(1000.0, std::max(1.05, v / limits.reverse_speed_max));
    query.cusp_penalty = v * (limits.cusp_seconds + 0.5 * v / limits.accel_max + 0.5 * v / limits.brake_max);
    return query;
}

// The goal's last pose on the lattice, and the curve from there.
Result<void> fill_target(const ConvoyData& data, const Unit& unit, const Pose& goal, drive::LatticePose& last,
                         convoy::Ramp& ramp, bool& has_ramp, bool& walled) {
    const drive::MapData& map = data.kinds[unit.kind]->map->data();
    const Pose exact = drive::MapFrame(map).in_cells(goal);
    has_ramp = !convoy::on_lattice(map, exact, last);
    walled = false;
    if (!has_ramp) return {};
    const convoy::Stop& from = unit.plan.courses.back().last;
    const drive::LatticePose partner{from.x, from.y, from.heading, from.gear};
    convoy::Ramps ramps;
    convoy::find_ramps(map, data.kinds[unit.kind]->ground, exact, false, from.off ? nullptr : &partner,
                       ramps);
    walled = ramps.count == 0;
    if (walled) return {};
    ramp = ramps.list[0];
    last = ramp.at;
    return {};
}

Result<Target*> make_target(const ConvoyData& data, const Unit& unit, const Pose& goal) {
    const Kind& kind = *data.kinds[unit.kind];
    const drive::MapData& map = kind.map->data();
    drive::LatticePose last;
    convoy::Ramp ramp;
    bool has_ramp = false;
    bool walled = false;
    if (const Result<void> good = fill_target(data, unit, goal, last, ramp, has_ramp, walled); !good)
        return good.error();
    const Pose end = drive::MapFrame(map).to_world(map.table().node(last.x, last.y, last.heading));
    Result<PoseField> field =
        PoseField::make(kind.map, field_query(kind.moves.times(), end), data.options.allocator);
    if (!field) return field.error();
    Target* target = make_one<Target>(data.options.allocator, std::move(*field), data.options.allocator);
    if (target == nullptr) return Error{ErrorCode::out_of_memory};
    target->goal = goal;
    target->last = last;
    target->has_ramp = has_ramp;
    target->walled = walled;
    target->ramp = ramp;
    if (has_ramp && !walled) {
        if (!convoy::ramp_profile(ramp.word, kind.moves.times(), target->ramp_knots)) {
            drop_one(data.options.allocator, target);
            return Error{ErrorCode::out_of_memory};
        }
        target->ramp_seconds = target->ramp_knots.empty() ? 0.0 : target->ramp_knots.back().time;
    }
    return Result<Target*>(std::move(target));
}

void note_arrivals(ConvoyData& data) {
    for (Unit* unit : data.units) {
        if (!unit->used || unit->target == nullptr) continue;
        unit->arrived = unit->next == nullptr && convoy::at_goal(*unit, data.now);
        if (unit->arrived) unit->best_at = data.now;
        if (!unit->arrived || unit->was_there) continue;
        unit->was_there = true;
        unit->arrived_after = data.now - unit->sent_at;
    }
}

ConvoyState state_of(const ConvoyData& data, const Unit& unit) {
    if (unit.next != nullptr || unit.new_target) return ConvoyState::waiting;
    if (unit.target == nullptr) return ConvoyState::idle;
    if (unit.unreachable) return ConvoyState::unreachable;
    if (unit.arrived) return ConvoyState::arrived;
    return data.now - unit.best_at > data.options.stuck_seconds ? ConvoyState::stuck : ConvoyState::moving;
}

}  // namespace

void convoy::drop_target(ConvoyData& data, Target*& target) { drop_one(data.options.allocator, target); }

const char* convoy_state_name(ConvoyState state) {
    switch (state) {
        case ConvoyState::idle: return "idle";
        case ConvoyState::waiting: return "waiting";
        case ConvoyState::moving: return "moving";
        case ConvoyState::arrived: return "arrived";
        case ConvoyState::stuck: return "stuck";
        case ConvoyState::unreachable: return "unreachable";
        case ConvoyState::count_: break;
    }
    return "unknown";
}

const char* convoy_reason_name(ConvoyReason reason) {
    switch (reason) {
        case ConvoyReason::none: return "none";
        case ConvoyReason::no_plan: return "no_plan";
        case ConvoyReason::no_progress: return "no_progress";
        case ConvoyReason::no_way: return "no_way";
        case ConvoyReason::count_: break;
    }
    return "unknown";
}

Result<Convoy> Convoy::make(const ConvoyOptions& options) {
    if (const Result<void> good = check_options(options); !good) return good.error();
    auto* data = make_one<ConvoyData>(options.allocator, options);
    if (data == nullptr) return Error{ErrorCode::out_of_memory};
    return Convoy(data);
}

Convoy::Convoy(Convoy&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}

Convoy& Convoy::operator=(Convoy&& other) noexcept {
    if (this != &other) {
        release_data(data_);
        data_ = std::exchange(other.data_, nullptr);
    }
    return *this;
}

Convoy::~Convoy() { release_data(data_); }

Result<ConvoyKind> Convoy::add_kind(const DriveMapSnapshot& map, const SpeedTable& times,
                                    const ConvoyGround& ground) {
    ConvoyData& data = *data_;
    if (&map->table() != &times.moves()) return Error{ErrorCode::incompatible, Field::times};
    if (!map->is_plain()) return Error{ErrorCode::unsupported, Field::floors};
    const Agent& body = ground.body != nullptr ? *ground.body : times.moves().options().agent;
    if (ground.body != nullptr) {
        if (const Result<void> good = check_body(body); !good) return good.error();
        if (body.footprint > 0) return Error{ErrorCode::unsupported, Field::agent};
    }
    Kind* kind = make_one<Kind>(data.options.allocator, map, data.options.allocator);
    if (kind == nullptr) return Error{ErrorCode::out_of_memory};
    if (!kind->moves.make(times, body, data.options.sample_seconds) || !data.kinds.push_back(kind)) {
        drop_one(data.options.allocator, kind);
        return Error{ErrorCode::out_of_memory};
    }
    kind->ground = {nullptr, ground.is_free, ground.user};
    kind->window = window_of(times, kind->moves.cover());
    return ConvoyKind{static_cast<std::uint32_t>(data.kinds.size() - 1)};
}

Result<ConvoyId> Convoy::add(ConvoyKind kind, const Pose& at) {
    ConvoyData& data = *data_;
    if (kind.value >= data.kinds.size())
        return Error{ErrorCode::unknown_id, Field::unit, static_cast<std::int64_t>(kind.value)};
    const Kind& what = *data.kinds[kind.value];
    const drive::MapData& map = what.map->data();
    if (const Result<void> good = check_pose(what, at, Field::start, Field::start_heading); !good)
        return good.error();
    // What is being planned knows nothing of it.
    data.round.stage = convoy::Stage::none;
    if (const Result<void> good = check_room(data, what, at); !good) return good.error();
    std::size_t slot = 0;
    while (slot < data.units.size() && data.units[slot]->used) ++slot;
    if (slot == data.units.size()) {
        Unit* fresh = make_one<Unit>(data.options.allocator, data.options.allocator);
        if (fresh == nullptr) return Error{ErrorCode::out_of_memory};
        if (!data.units.push_back(fresh)) {
            drop_one(data.options.allocator, fresh);
            return Error{ErrorCode::out_of_memory};
        }
    }
    Unit& unit = *data.units[slot];
    drop_target(data, unit.target);
    drop_target(data, unit.next);
    unit.plan.clear();
    if (!unit.plan.stand(stop_at(map, at), data.now, data.now)) return Error{ErrorCode::out_of_memory};
    unit.kind = kind.value;
    unit.used = true;
    unit.arrived = unit.was_there = unit.new_target = unit.unreachable = false;
    unit.exits.count = 0;
    ++data.used;
    return ConvoyId{static_cast<std::uint64_t>(unit.generation) << 32 | slot};
}

bool Convoy::remove(ConvoyId id) {
    Unit* unit = find_unit(*data_, id);
    if (unit == nullptr) return false;
    data_->round.stage = convoy::Stage::none;
    unit->used = false;
    ++unit->generation;
    --data_->used;
    drop_target(*data_, unit->target);
    drop_target(*data_, unit->next);
    return true;
}

Result<void> Convoy::send(ConvoyId id, const Pose& goal) {
    ConvoyData& data = *data_;
    Unit* unit = find_unit(data, id);
    if (unit == nullptr)
        return Error{ErrorCode::unknown_id, Field::unit, static_cast<std::int64_t>(id.value)};
    const Kind& kind = *data.kinds[unit->kind];
    if (const Result<void> good = check_pose(kind, goal, Field::goal, Field::goal_heading); !good)
        return good;
    Result<Target*> target = make_target(data, *unit, goal);
    if (!target) return target.error();
    drop_target(data, unit->next);
    unit->next = *target;
    unit->arrived = unit->was_there = false;
    unit->sent_at = data.now;
    return {};
}

Result<void> Convoy::update(double seconds, std::uint64_t units) {
    ConvoyData& data = *data_;
    if (!std::isfinite(seconds)) return Error{ErrorCode::not_finite, Field::seconds};
    if (!(seconds > 0.0 && seconds <= 1.0)) return Error{ErrorCode::out_of_range, Field::seconds};
    const double until = data.now + seconds;
    for (;;) {
        if (!convoy::work_on_round(data, units)) {
            data.round.stage = convoy::Stage::none;
            return Error{ErrorCode::out_of_memory};
        }
        if (data.round.stage == convoy::Stage::none || data.round.at > until) break;
        data.now = data.round.at;
        convoy::end_round(data);
    }
    data.now = until;
    note_arrivals(data);
    for (const Unit* unit : data.units) {
        if (!unit->used) continue;
        const convoy::MoveSet& moves = data.moves_of(*unit);
        const convoy::Course& course = unit->plan.courses[unit->plan.course_at(data.now)];
        const convoy::Moving now = convoy::moving_at(unit->plan, course, moves.radius(), data.now);
        data.digest.add(now.pose.position.x);
        data.digest.add(now.pose.position.y);
        data.digest.add(now.pose.heading_rad);
        data.digest.add(static_cast<std::uint32_t>(state_of(data, *unit)));
    }
    return {};
}

ConvoyView Convoy::unit(ConvoyId id) const {
    const ConvoyData& data = *data_;
    ConvoyView view;
    const Unit* unit = find_unit(*data_, id);
    if (unit == nullptr) return view;
    const convoy::Course& course = unit->plan.courses[unit->plan.course_at(data.now)];
    const convoy::Moving now = convoy::moving_at(unit->plan, course, data.moves_of(*unit).radius(), data.now);
    view.pose = now.pose;
    view.speed = now.speed;
    view.gear = now.gear;
    view.state = state_of(data, *unit);
    if (view.state == ConvoyState::stuck)
        view.reason = data.last_failed ? ConvoyReason::no_plan : ConvoyReason::no_progress;
    if (view.state == ConvoyState::unreachable) view.reason = ConvoyReason::no_way;
    view.alone_seconds = unit->alone;
    view.seconds = unit->was_there ? unit->arrived_after : data.now - unit->sent_at;
    view.exists = true;
    return view;
}

Pose Convoy::pose_in(ConvoyId id, double seconds) const {
    const Unit* unit = find_unit(*data_, id);
    if (unit == nullptr) return {};
    const double time = data_->now + (seconds > 0.0 ? seconds : 0.0);
    const convoy::Round& round = data_->round;
    const bool planned =
        round.stage == convoy::Stage::done && !round.failed && unit->planned == convoy::Planned::yes;
    const convoy::Plan& plan = planned && time >= round.at ? unit->fresh : unit->plan;
    const convoy::Course& course = plan.courses[plan.course_at(time)];
    return convoy::moving_at(plan, course, data_->moves_of(*unit).radius(), time).pose;
}

std::size_t Convoy::size() const { return data_->used; }
double Convoy::window_seconds() const { return data_->window(); }
const ConvoyReport& Convoy::report() const { return data_->report; }
std::uint64_t Convoy::digest() const { return data_->digest.value(); }

}  // namespace fairlead
