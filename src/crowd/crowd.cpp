// The crowd's own house: units come and go in slots, routes become lists of points, an update is four phases over all units.
#include <fairlead/crowd/crowd.h>

#include <fairlead/base/digest.h>
#include <fairlead/base/field.h>
#include <fairlead/base/rng.h>
#include <fairlead/curve/facings.h>
#include <fairlead/math/trig.h>

#include <cmath>
#include <new>

#include "crowd/crowd_data.h"
#include "crowd/space/space_phases.h"

namespace fairlead {

namespace {

constexpr double kCellSide = 4.0;   // of the neighbour grid, in radii
constexpr std::size_t kBlock = 64;  // units a job

using crowd::CrowdData;
using crowd::Unit;

Unit* find_unit(CrowdData& data, UnitId id) {
    const auto slot = static_cast<std::uint32_t>(id.value);
    if (slot >= data.units.size()) return nullptr;
    Unit& unit = data.units[slot];
    return unit.used && unit.generation == id.value >> 32 ? &unit : nullptr;
}

constexpr double kLostAfter = 2.0;  // seconds
constexpr double kRadiusMax = 1e6;
constexpr double kPass = 2.04;  // radii of half the width: two units of one size pass each other there

Result<void> check_unit(const CrowdUnit& body, const Place& at, bool space) {
    if (!std::isfinite(body.radius)) return Error{ErrorCode::not_finite, Field::agent_radius};
    if (!(body.radius > 0.0 && body.radius <= kRadiusMax))
        return Error{ErrorCode::out_of_range, Field::agent_radius};
    if (!is_finite(at.position) || !std::isfinite(at.heading_rad))
        return Error{ErrorCode::not_finite, Field::start};
    if (body.facings != 0) {
        if (!good_facings(body.facings)) return Error{ErrorCode::out_of_range, Field::facings};
        if (space) return Error{ErrorCode::unsupported, Field::facings};
    }
    return check_speed_limits(body.limits);
}

std::uint32_t slot_of(const CrowdData& d, const Unit& unit) {
    return static_cast<std::uint32_t>(&unit - d.units.data());
}

void drop_passages(CrowdData& d, Unit& unit) {
    if (d.options.space) {
        crowd::forget_tunnel(d, slot_of(d, unit));
        return;
    }
    if (unit.passages.count != 0) {
        const std::span<crowd::Passage> passages = d.passages.points(unit.passages);
        if (unit.turn == crowd::Turn::admitted || unit.turn == crowd::Turn::inside) {
            --d.order[passages[unit.passage].place].on_way;
        }
        for (crowd::Passage& passage : passages) d.ways.give(passage.axis);
    }
    d.passages.give(unit.passages);
    unit.passage = 0;
    unit.clears = false;
    unit.turn = crowd::Turn::free;
    unit.ahead = crowd::kNone;
}

/// A passage with its axis. False: no memory.
bool write_passage(CrowdData& d, const Unit& unit, const crowd::SetCrossing& crossing,
                   crowd::Passage& passage) {
    const NarrowPlace& place = d.places.places()[crossing.place];
    passage.place = crossing.place;
    passage.in = crossing.in;
    passage.out = crossing.out;
    passage.width = place.width;
    passage.rest = unit.remaining - crossing.to;
    const double each = place.kind == PlaceKind::lanes ? crowd::kLaneEach : kPass;
    passage.lanes = 0.5 * place.width >= each * unit.body.radius;
    const std::uint32_t other = place.mouths > 1 ? 1 : 0;
    const auto local = [&](std::uint32_t mouth) {
        return mouth == crowd::kNone ? kNoMouth : mouth - place.mouth;
    };
    const std::uint32_t given_out = local(crossing.out);
    const std::uint32_t given_in = local(crossing.in);
    const std::uint32_t out = given_out != kNoMouth ? given_out : given_in == 0 ? other : 0;
    const std::uint32_t in = given_in != kNoMouth ? given_in : out == 0 ? other : 0;
    if (!d.places.axis(crossing.place, in, out, d.axis)) return false;
    if (!d.ways.take(d.axis.size(), passage.axis)) return false;
    const std::span<crowd::WayPoint> axis = d.ways.points(passage.axis);
    for (std::size_t k = 0; k < d.axis.size(); ++k) {
        // in place of a height: how far the walls are
        axis[k] = {{d.axis[k].at.x, d.axis[k].at.y, d.axis[k].clearance}};
        if (k > 0) passage.length += distance(d.axis[k - 1].at, d.axis[k].at);
    }
    return true;
}

/// The narrow places on what a unit has before it of its route.
bool find_passages(CrowdData& d, Unit& unit) {
    drop_passages(d, unit);
    if (d.places.empty() || unit.way.count == 0) return true;
    const std::span<const crowd::WayPoint> way = d.ways.points(unit.way).subspan(unit.aim);
    if (!d.places.crossings(unit.at, way, unit.body.radius, d.crossings)) return false;
    if (d.crossings.empty()) return true;
    if (!d.passages.take(d.crossings.size(), unit.passages)) return false;
    for (std::size_t i = 0; i < d.crossings.size(); ++i) d.passages.points(unit.passages)[i] = {};
    for (std::size_t i = 0; i < d.crossings.size(); ++i) {
        crowd::Passage passage;
        const bool written = write_passage(d, unit, d.crossings[i], passage);
        d.passages.points(unit.passages)[i] = passage;
        if (!written) return false;
    }
    return true;
}

/// Every unit on its way looks for its narrow places anew.
bool set_all(CrowdData& d, const PlaceSheets& given) {
    if (!d.places.make(given)) return false;
    if (!d.order.resize(d.places.places().size()) || !d.mouth_order.resize(d.places.mouths().size()))
        return false;
    for (Unit& unit : d.units) {
        if (unit.used && unit.state == UnitState::moving && !find_passages(d, unit)) return false;
    }
    return true;
}

}  // namespace

Result<void> Crowd::set_places(const PlaceSheets& given) {
    CrowdData& d = *data_;
    if (d.options.space) return {};
    const auto clear = [&d] {
        for (Unit& unit : d.units) {
            if (unit.used) drop_passages(d, unit);
        }
        d.places.clear();
        d.order.clear();
        d.mouth_order.clear();
    };
    clear();
    if (set_all(d, given)) return {};
    clear();
    return Error{ErrorCode::out_of_memory};
}

Result<void> Crowd::set_places(const NarrowPlaces* places) {
    const PlaceSheet sheet{places};
    PlaceSheets all;
    if (places != nullptr) all.sheets = {&sheet, 1};
    all.floors.floor_of = [](const Place&, void*) { return std::uint32_t{0}; };
    return set_places(all);
}

void Crowd::forget_tunnels() {
    CrowdData& d = *data_;
    if (!d.options.space) return;
    for (Unit& unit : d.units) {
        if (unit.used) drop_passages(d, unit);
    }
    d.space.tunnels.clear();
}

Result<Crowd> Crowd::make(const CrowdOptions& options) {
    if (!std::isfinite(options.height)) return Error{ErrorCode::not_finite, Field::height};
    if (!(options.height > 0.0)) return Error{ErrorCode::out_of_range, Field::height};
    void* memory = options.allocator.allocate(sizeof(CrowdData), alignof(CrowdData), options.allocator.user);
    if (memory == nullptr) return Error{ErrorCode::out_of_memory};
    return Crowd(new (memory) CrowdData(options));
}

Crowd::Crowd(Crowd&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }

Crowd& Crowd::operator=(Crowd&& other) noexcept {
    CrowdData* mine = data_;
    data_ = other.data_;
    other.data_ = mine;
    return *this;
}

Crowd::~Crowd() {
    if (data_ == nullptr) return;
    const Allocator allocator = data_->options.allocator;
    data_->~CrowdData();
    allocator.release(data_, sizeof(CrowdData), alignof(CrowdData), allocator.user);
}

Result<UnitId> Crowd::add(const CrowdUnit& body, const Place& at) {
    CrowdData& d = *data_;
    if (const Result<void> good = check_unit(body, at, d.options.space); !good) return good.error();
    std::uint32_t slot = 0;
    if (!d.free.empty()) {
        slot = d.free.back();
        d.free.pop_back();
    } else {
        slot = static_cast<std::uint32_t>(d.units.size());
        if (d.options.space && !d.space.units.resize(slot + 1)) return Error{ErrorCode::out_of_memory};
        if (!d.units.push_back(Unit{})) return Error{ErrorCode::out_of_memory};
    }
    if (d.options.space) d.space.units[slot] = {};
    Unit& unit = d.units[slot];
    const std::uint32_t generation = unit.generation;
    unit = Unit{};
    unit.generation = generation;
    unit.used = true;
    unit.at = at;
    unit.body = body;
    crowd::face(unit, at.heading_rad);
    // nobody hears what the one before in this slot wanted
    if (slot < d.wish.size()) d.wish[slot] = {};
    if (slot < d.space.wish.size()) d.space.wish[slot] = {};
    Rng dice(d.options.seed * 0x9E3779B97F4A7C15u + d.added++);
    unit.tie = dice.unit();
    unit.looks = slot;
    ++d.used;
    return UnitId{static_cast<std::uint64_t>(generation) << 32 | slot};
}

bool Crowd::remove(UnitId id) {
    Unit* unit = find_unit(*data_, id);
    if (unit == nullptr) return false;
    drop_passages(*data_, *unit);
    data_->ways.give(unit->way);
    unit->used = false;
    ++unit->generation;
    --data_->used;
    return data_->free.push_back(static_cast<std::uint32_t>(id.value));
}

namespace {

/// An arc becomes so many lines, so that each is near it.
std::size_t parts_of(const Leg& leg) {
    constexpr double kArcMost = 0.8;  // radians
    const double turn = leg.length * (leg.curvature < 0.0 ? -leg.curvature : leg.curvature);
    return turn > kArcMost ? static_cast<std::size_t>(turn < 64.0 ? turn / kArcMost : 80.0) + 1 : 1;
}

bool write_way(CrowdData& d, Unit& unit, std::span<const Leg> legs, const Place& end) {
    std::size_t count = 1;
    for (const Leg& leg : legs) count += parts_of(leg);
    if (!d.ways.take(count, unit.way)) return false;
    const std::span<crowd::WayPoint> way = d.ways.points(unit.way);
    std::size_t at = 0;
    for (std::size_t i = 0; i < legs.size(); ++i) {
        const std::size_t parts = parts_of(legs[i]);
        for (std::size_t k = 1; k < parts; ++k) {
            const double part = static_cast<double>(k) / static_cast<double>(parts);
            const Place place = place_on_leg(legs[i], legs[i].length * part);
            way[at++] = {place.position, place.layer, legs[i].speed_max};
        }
        const Place& last = i + 1 < legs.size() ? legs[i + 1].start : end;
        way[at++] = {last.position, last.layer, legs[i].speed_max};
    }
    way[at] = {end.position, end.layer};
    return true;
}

Result<void> give_route(CrowdData& d, Unit* unit, std::span<const Leg> legs, const Place& end) {
    if (unit == nullptr) return Error{ErrorCode::unknown_id, Field::unit};
    if (unit->body.driven) return Error{ErrorCode::unsupported, Field::unit};
    for (std::size_t i = 0; i < legs.size(); ++i) {
        if (!is_finite(legs[i].start.position) || !std::isfinite(legs[i].length * legs[i].curvature)) {
            return Error{ErrorCode::not_finite, Field::route, static_cast<std::int64_t>(i), 0};
        }
    }
    if (!is_finite(end.position)) return Error{ErrorCode::not_finite, Field::route};
    if (!write_way(d, *unit, legs, end)) return Error{ErrorCode::out_of_memory};
    const std::span<const crowd::WayPoint> way = d.ways.points(unit->way);
    unit->aim = unit->on_leg = 0;
    unit->way_has_limits = false;
    unit->widest_road = -1.0;
    for (const crowd::WayPoint& point : way)
        unit->way_has_limits = unit->way_has_limits || point.speed_max > 0.0;
    unit->after_aim = 0.0;
    for (std::size_t i = 1; i < way.size(); ++i) {
        unit->after_aim += d.apart(way[i - 1].at, way[i].at);
    }
    unit->remaining = d.apart(unit->at.position, way[0].at) + unit->after_aim;
    if (d.options.space) {
        const std::uint32_t slot = slot_of(d, *unit);
        crowd::forget_tunnel(d, slot);
        d.space.units[slot].seen_from = unit->at.position;
    } else if (!find_passages(d, *unit)) {
        return Error{ErrorCode::out_of_memory};
    }
    unit->guided = false;
    unit->in_sight = true;
    unit->by_leg = false;
    unit->way_from = legs.empty() ? unit->at.position : legs[0].start.position;
    unit->seen_from = unit->p();
    unit->unseen = unit->astray = 0.0;
    unit->nearest_left = unit->remaining;
    unit->arrived_for = 0.0;
    unit->settled = false;
    unit->state = UnitState::moving;
    return {};
}

}  // namespace

namespace {

/// The seconds that roads with lower limits take longer.
double slower_on_roads(CrowdData& d, const Unit& unit) {
    double more = 0.0;
    Vec3 from = unit.at.position;
    for (const crowd::WayPoint& point : d.ways.points(unit.way)) {
        if (point.speed_max > 0.0 && point.speed_max < unit.speed_max())
            more += d.apart(from, point.at) * (1.0 / point.speed_max - 1.0 / unit.speed_max());
        from = point.at;
    }
    return more;
}

}  // namespace

Result<void> Crowd::send(UnitId id, const Route& route, const CrowdGoal& goal) {
    return send(id, route.legs.span(), route.end, goal);
}

Result<void> Crowd::send(UnitId id, std::span<const Leg> legs, const Place& end, const CrowdGoal& goal) {
    Unit* unit = find_unit(*data_, id);
    const Result<void> given = give_route(*data_, unit, legs, end);
    if (!given) return given;
    unit->alone = unit->remaining / unit->speed_max() + slower_on_roads(*data_, *unit);
    unit->since = unit->no_nearer_for = 0.0;
    unit->group = goal.group;
    unit->stood_for = 0.0;
    unit->seat = unit->seat_aim = unit->seat_look = crowd::kNone;
    unit->vain = 0;
    return given;
}

Result<void> Crowd::reroute(UnitId id, const Route& route) {
    return give_route(*data_, find_unit(*data_, id), route.legs.span(), route.end);
}

bool Crowd::relocate(UnitId id, const Place& to) {
    Unit* unit = find_unit(*data_, id);
    if (unit == nullptr || !is_finite(to.position)) return false;
    unit->at = to;
    unit->velocity = {};
    if (std::isfinite(to.heading_rad)) crowd::face(*unit, to.heading_rad);
    unit->seen_from = unit->p();
    if (data_->options.space) {
        const std::uint32_t slot = slot_of(*data_, *unit);
        data_->space.units[slot].velocity = {};
        data_->space.units[slot].seen_from = to.position;
        crowd::forget_tunnel(*data_, slot);
    }
    return true;
}

bool Crowd::drive(UnitId id, const Place& at, Vec3 velocity) {
    Unit* unit = find_unit(*data_, id);
    if (unit == nullptr || !unit->body.driven || !is_finite(at.position) || !is_finite(velocity))
        return false;
    unit->at = at;
    unit->velocity = ground(velocity);
    unit->asks_way = {};
    unit->driven_lines = 0;
    unit->driven_off = 0.0;
    if (!data_->options.space) return true;
    crowd::SpaceUnit& space = data_->space.units[slot_of(*data_, *unit)];
    space.velocity = velocity;
    space.way_count = 0;
    return true;
}

bool Crowd::drive(UnitId id, const Place& at, Vec3 velocity, std::span<const Vec3> way, double off) {
    const std::size_t most = data_->options.space ? kDrivenWayMax : crowd::kDrivenLinesMax;
    bool good = way.size() <= most && off >= 0.0 && std::isfinite(off);
    for (const Vec3& place : way) good = good && is_finite(place);
    if (!good || !drive(id, at, velocity)) return false;
    if (!data_->options.space) {
        Unit* unit = find_unit(*data_, id);
        for (const Vec3& place : way) unit->driven_way[unit->driven_lines++] = ground(place);
        unit->driven_off = off;
        return true;
    }
    crowd::SpaceUnit& space = data_->space.units[slot_of(*data_, *find_unit(*data_, id))];
    for (std::size_t i = 0; i < way.size(); ++i) space.way[i] = way[i];
    space.way_count = static_cast<std::uint32_t>(way.size());
    space.off = off;
    return true;
}

bool Crowd::ask_way(UnitId id, Vec2 along) {
    Unit* unit = find_unit(*data_, id);
    const bool good = unit != nullptr && unit->body.driven && !data_->options.space && is_finite(along);
    if (good) unit->asks_way = normalized(along);
    return good;
}

bool Crowd::guide(UnitId id, const CrowdGuide& guide) {
    Unit* unit = find_unit(*data_, id);
    if (unit == nullptr || unit->body.driven) return false;
    if (!is_finite(guide.velocity) || !(guide.order >= 0.0 && guide.order <= 1.0)) return false;
    if (!unit->guided) {
        drop_passages(*data_, *unit);
        data_->ways.give(unit->way);
        unit->group = 0;
        unit->circling = unit->vain = 0;
        unit->seat = unit->seat_aim = unit->seat_look = crowd::kNone;
        unit->settled = unit->packing = false;
        unit->alone = unit->remaining = unit->unseen = unit->astray = unit->yields_for = 0.0;
        unit->guided = true;
    }
    unit->guide = guide;
    if (!data_->options.space) unit->guide.velocity.z = 0.0;
    const double speed = length(unit->guide.velocity);
    if (speed > unit->speed_max()) unit->guide.velocity *= unit->speed_max() / speed;
    unit->state = UnitState::moving;
    return true;
}

bool Crowd::stop(UnitId id) {
    Unit* unit = find_unit(*data_, id);
    if (unit == nullptr) return false;
    unit->guided = false;
    drop_passages(*data_, *unit);
    data_->ways.give(unit->way);
    unit->state = UnitState::idle;
    return true;
}

namespace {

struct PhaseWork {
    CrowdData* data;
    void (*phase)(CrowdData&, std::uint32_t);
};

void run_phase(CrowdData& data, void (*phase)(CrowdData&, std::uint32_t), const Jobs& jobs) {
    PhaseWork work{&data, phase};
    const auto block = [](void* context, std::size_t index) {
        const PhaseWork& w = *static_cast<PhaseWork*>(context);
        const std::size_t end =
            (index + 1) * kBlock < w.data->units.size() ? (index + 1) * kBlock : w.data->units.size();
        for (std::size_t i = index * kBlock; i < end; ++i) {
            if (w.data->units[i].used) w.phase(*w.data, static_cast<std::uint32_t>(i));
        }
    };
    const std::size_t blocks = (data.units.size() + kBlock - 1) / kBlock;
    if (jobs.run != nullptr) {
        jobs.run(jobs.user, blocks, block, &work);
    } else {
        for (std::size_t i = 0; i < blocks; ++i) block(&work, i);
    }
}

double widest_of(const CrowdData& d) {
    double widest = 0.0;
    for (const Unit& unit : d.units) {
        if (unit.used && unit.body.radius > widest) widest = unit.body.radius;
    }
    return widest > 0.0 ? widest : 1.0;
}

/// Phases 0 to 4 on the ground.
bool update_on_ground(CrowdData& d, const Jobs& jobs) {
    const std::size_t n = d.units.size();
    if (!d.near.resize(n) || !d.own.resize(n) || !d.wish.resize(n) || !d.heard.resize(n) || !d.next.resize(n))
        return false;
    // All that can fail comes first: an update that ran out of memory has changed nothing.
    if (!d.grid.fill(d.units.span(), kCellSide * widest_of(d))) return false;
    for (crowd::Group& group : d.groups) {
        if (!crowd::flood_seats(d, group)) return false;
    }
    if (!crowd::plan_seats(d)) return false;
    crowd::keep_order(d);
    d.stop_max = d.way_max = 0.0;
    for (const Unit& unit : d.units) {
        if (!unit.used) continue;
        const double way = crowd::way_of(unit, d.step);
        if (way > d.way_max) d.way_max = way;
        const double speed = length(unit.velocity);
        const double stop = unit.body.driven ? way : crowd::braking_of(unit, d.step).stopping(speed);
        if (stop > d.stop_max) d.stop_max = stop;
    }
    for (std::size_t i = 0; i < n; ++i) d.heard[i] = d.wish[i];
    run_phase(d, &crowd::want, jobs);
    run_phase(d, &crowd::make_way, jobs);
    run_phase(d, &crowd::choose, jobs);
    run_phase(d, &crowd::move, jobs);
    return true;
}

bool update_in_space(CrowdData& d, const Jobs& jobs) {
    crowd::SpaceData& s = d.space;
    const std::size_t n = d.units.size();
    if (!d.near.resize(n) || !s.own.resize(n) || !s.wish.resize(n) || !s.heard.resize(n) || !s.next.resize(n))
        return false;
    if (!s.grid.fill(d.units.span(), kCellSide * widest_of(d)) || !crowd::keep_tunnels(d)) return false;
    s.longest = 0.0;
    for (std::uint32_t i = 0; i < n; ++i) {
        s.heard[i] = s.wish[i];
        if (!d.units[i].used) continue;
        const crowd::Braking braking = crowd::braking_of(d.units[i], d.step);
        const double speed = d.speed(i);
        const double way = d.units[i].body.driven ? braking.distance(speed) : braking.stopping(speed);
        if (way > s.longest) s.longest = way;
        for (std::uint32_t k = 0; k < s.units[i].way_count; ++k) {
            const double far = distance(d.units[i].at.position, s.units[i].way[k]) + s.units[i].off;
            if (far > s.longest) s.longest = far;
        }
    }
    run_phase(d, &crowd::want_in_space, jobs);
    run_phase(d, &crowd::make_way_in_space, jobs);
    run_phase(d, &crowd::choose_in_space, jobs);
    run_phase(d, &crowd::move_in_space, jobs);
    return true;
}

}  // namespace

Result<void> Crowd::update(double seconds, const CrowdWorld& world, const Jobs& jobs) {
    if (!std::isfinite(seconds)) return Error{ErrorCode::not_finite, Field::seconds};
    if (!(seconds > 0.0 && seconds <= 1.0)) return Error{ErrorCode::out_of_range, Field::seconds};
    CrowdData& d = *data_;
    d.step = seconds;
    d.world = &world;
    if (!crowd::gather_groups(d)) return Error{ErrorCode::out_of_memory};
    for (Unit& unit : d.units) unit.was_settled = unit.settled;
    const bool done = d.options.space ? update_in_space(d, jobs) : update_on_ground(d, jobs);
    if (!done) return Error{ErrorCode::out_of_memory};
    return {};
}

bool Crowd::contains(UnitId id) const { return find_unit(*data_, id) != nullptr; }

UnitView Crowd::unit(UnitId id) const {
    const Unit* unit = find_unit(*data_, id);
    if (unit == nullptr) return {};
    UnitView view;
    view.place = unit->at;
    view.velocity = {unit->velocity.x, unit->velocity.y, 0.0};
    view.state = unit->state;
    view.remaining = unit->remaining;
    view.alone = unit->alone;
    view.lost = unit->astray > kLostAfter;
    view.since = unit->since;
    const bool waits = unit->turn == crowd::Turn::waiting;
    if (waits && view.state == UnitState::moving) view.state = UnitState::waiting;
    if (!data_->options.space && crowd::faces(*unit)) view.place.heading_rad = unit->heading;
    if (data_->options.space) {
        const crowd::SpaceUnit& mine = data_->space.units[slot_of(*data_, *unit)];
        view.velocity = mine.velocity;
        const bool tunnel = mine.ahead.turn == crowd::Turn::waiting;
        if (tunnel && view.state == UnitState::moving) view.state = UnitState::waiting;
    }
    return view;
}

CrowdUnit Crowd::body(UnitId id) const {
    const Unit* unit = find_unit(*data_, id);
    if (unit != nullptr) return unit->body;
    CrowdUnit none;
    none.radius = 0.0;
    return none;
}

const CrowdOptions& Crowd::options() const { return data_->options; }
std::size_t Crowd::size() const { return data_->used; }

std::uint64_t Crowd::digest() const {
    Digest digest;
    for (const Unit& unit : data_->units) {
        if (!unit.used) continue;
        digest.add(unit.at.position.x);
        digest.add(unit.at.position.y);
        digest.add(unit.velocity.x);
        digest.add(unit.velocity.y);
        if (!data_->options.space && crowd::faces(unit)) digest.add(unit.heading);
        if (!data_->options.space) continue;
        const Vec3 velocity = data_->space.units[slot_of(*data_, unit)].velocity;
        digest.add(unit.at.position.z);
        digest.add(velocity.x);
        digest.add(velocity.y);
        digest.add(velocity.z);
    }
    return digest.value();
}

}  // namespace fairlead
