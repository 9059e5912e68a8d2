// The crowd's own house: units come and go in slots, and what is told of them.
#include <fairlead/crowd/crowd.h>

#include <fairlead/base/digest.h>
#include <fairlead/base/field.h>
#include <fairlead/base/rng.h>
#include <fairlead/curve/facings.h>

#include <cmath>
#include <new>

#include "crowd/crowd_data.h"

namespace fairlead {

namespace {

using crowd::CrowdData;
using crowd::Unit;

constexpr double kLostAfter = 2.0;  // seconds
constexpr double kRadiusMax = 1e6;

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

}  // namespace

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
