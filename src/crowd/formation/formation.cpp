// A formation's own house: units come and go, a route becomes a track.
#include <fairlead/crowd/formation.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "crowd/check_seconds.h"
#include "crowd/formation/march.h"

namespace fairlead {

namespace {

using crowd::FormationData;
using crowd::FormationMember;
using crowd::FormationPhase;

constexpr Error kFormationNoMemory{ErrorCode::out_of_memory};

Result<void> check_route(const Route& route) {
    if (route.status != PathStatus::complete && route.status != PathStatus::partial)
        return Error{ErrorCode::out_of_range, Field::route};
    if (!is_finite(route.end.position)) return Error{ErrorCode::not_finite, Field::route};
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        const auto index = static_cast<std::int64_t>(i);
        if (leg.kind == LegKind::link) return Error{ErrorCode::unsupported, Field::route, index, 0};
        if (!is_finite(leg.start.position) || !std::isfinite(leg.length * leg.curvature + leg.rise))
            return Error{ErrorCode::not_finite, Field::route, index, 0};
    }
    return {};
}

Result<void> check_units(const FormationData& data, const Crowd& crowd) {
    double widest = 0.0;
    for (std::size_t i = 0; i < data.members.size(); ++i) {
        const CrowdUnit body = crowd.body(data.members[i].id);
        if (body.driven) return Error{ErrorCode::unsupported, Field::unit, static_cast<std::int64_t>(i), 0};
        if (body.radius > widest) widest = body.radius;
    }
    if (data.options.spacing > 0.0 && data.options.spacing < kFormationSpacingLeast * widest)
        return Error{ErrorCode::out_of_range, Field::spacing};
    return {};
}

bool make_room(FormationData& data, std::size_t n) {
    return data.slots.reserve(n) && data.places.reserve(n) && data.seats.reserve(n, n);
}

void drop_gone(FormationData& data, const Crowd& crowd) {
    std::size_t kept = 0;
    for (const FormationMember& member : data.members) {
        if (crowd.contains(member.id)) data.members[kept++] = member;
    }
    while (data.members.size() > kept) data.members.pop_back();
}

}  // namespace

const char* formation_shape_name(FormationShape shape) {
    static const char* const kNames[] = {"line", "column", "wedge", "box", "ring", "slots"};
    return shape < FormationShape::count_ ? kNames[static_cast<std::size_t>(shape)] : "?";
}

const char* formation_state_name(FormationState state) {
    static const char* const kNames[] = {"idle", "shape", "files", "gap", "closing", "arrived", "blocked"};
    return state < FormationState::count_ ? kNames[static_cast<std::size_t>(state)] : "?";
}

Result<Formation> Formation::make(const FormationOptions& options) {
    if (!std::isfinite(options.spacing)) return Error{ErrorCode::not_finite, Field::spacing};
    if (options.spacing < 0.0) return Error{ErrorCode::out_of_range, Field::spacing};
    if (options.shape >= FormationShape::count_) return Error{ErrorCode::out_of_range, Field::shape};
    const bool own = options.shape == FormationShape::slots;
    if (own && options.slots.empty()) return Error{ErrorCode::size_zero, Field::slots};
    if (!own && !options.slots.empty()) return Error{ErrorCode::incompatible, Field::slots};
    for (std::size_t i = 0; i < options.slots.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        const Vec3 slot = options.slots[i];
        if (!is_finite(slot)) return Error{ErrorCode::not_finite, Field::slots, index, 0};
        constexpr double kFarthest = 1e6;
        if (!(dot(slot, slot) <= kFarthest * kFarthest))
            return Error{ErrorCode::out_of_range, Field::slots, index, 0};
    }
    const Allocator& a = options.allocator;
    void* memory = a.allocate(sizeof(FormationData), alignof(FormationData), a.user);
    if (memory == nullptr) return kFormationNoMemory;
    Formation made(std::construct_at(static_cast<FormationData*>(memory), options));
    if (own && !made.data_->own.assign({options.slots.data(), options.slots.size()}))
        return kFormationNoMemory;
    made.data_->options.slots = {};
    return made;
}

Formation::Formation(Formation&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}

Formation& Formation::operator=(Formation&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
}

Formation::~Formation() {
    if (data_ == nullptr) return;
    const Allocator a = data_->options.allocator;
    std::destroy_at(data_);
    a.release(data_, sizeof(FormationData), alignof(FormationData), a.user);
}

Result<void> Formation::add(UnitId id) {
    FormationData& d = *data_;
    for (const FormationMember& member : d.members) {
        if (member.id == id) return Error{ErrorCode::duplicate_id, Field::unit};
    }
    const bool own = d.options.shape == FormationShape::slots;
    if (own && d.members.size() >= d.own.size())
        return Error{ErrorCode::size_mismatch, Field::slots, static_cast<std::int64_t>(d.own.size() + 1)};
    if (d.members.size() >= kFormationMax)
        return Error{ErrorCode::size_limit, Field::unit, static_cast<std::int64_t>(kFormationMax)};
    FormationMember member;
    member.id = id;
    if (!make_room(d, d.members.size() + 1) || !d.members.push_back(member)) return kFormationNoMemory;
    d.changed = true;
    return {};
}

bool Formation::remove(UnitId id) {
    FormationData& d = *data_;
    std::size_t kept = 0;
    for (const FormationMember& member : d.members) {
        if (member.id != id) d.members[kept++] = member;
    }
    if (kept == d.members.size()) return false;
    d.members.pop_back();
    d.changed = true;
    return true;
}

Result<void> Formation::send(Crowd& crowd, const CrowdWorld& world, const Route& route,
                             const FormationEnd& end) {
    FormationData& d = *data_;
    if (const Result<void> good = check_route(route); !good) return good;
    if (end.has_heading && !std::isfinite(end.heading_rad))
        return Error{ErrorCode::not_finite, Field::goal_heading};
    if (const Result<void> good = check_units(d, crowd); !good) return good;
    drop_gone(d, crowd);
    d.phase = FormationPhase::idle;
    if (d.members.empty()) return {};
    d.end = end;
    d.space = crowd.options().space;
    crowd::measure_units(d, crowd);
    crowd::lay_slots(d, {});
    if (!crowd::lay_track(d, route)) return kFormationNoMemory;
    crowd::start_march(d, crowd, world);
    return {};
}

void Formation::stop(Crowd& crowd) {
    for (const FormationMember& member : data_->members) (void)crowd.stop(member.id);
    data_->phase = FormationPhase::idle;
}

Result<void> Formation::update(double seconds, Crowd& crowd, const CrowdWorld& world) {
    if (const Result<void> good = crowd::check_seconds(seconds); !good) return good;
    crowd::march_on(*data_, seconds, crowd, world);
    return {};
}

void Formation::world_changed() { crowd::look_anew(*data_); }

FormationState Formation::state() const {
    const FormationData& d = *data_;
    if (d.blocked && d.phase != FormationPhase::closing && d.phase != FormationPhase::idle)
        return FormationState::blocked;
    switch (d.phase) {
        case FormationPhase::idle: return FormationState::idle;
        case FormationPhase::gap: return FormationState::gap;
        case FormationPhase::closing: return d.arrived ? FormationState::arrived : FormationState::closing;
        case FormationPhase::march: break;
    }
    return d.fit.whole ? FormationState::shape : FormationState::files;
}

std::size_t Formation::size() const { return data_->members.size(); }

FormationUnit Formation::unit(std::size_t i) const {
    const FormationMember& member = data_->members[i];
    FormationUnit out;
    out.id = member.id;
    out.slot = member.target;
    out.has_slot = member.slot != crowd::kNone;
    out.there = out.has_slot && !member.by_route && member.lag <= member.radius;
    out.alone = member.by_route;
    out.late = member.late;
    out.lost = member.lost;
    return out;
}

double Formation::along() const { return data_->along; }
double Formation::remaining() const { return data_->length - data_->along; }
std::uint32_t Formation::files() const { return state() == FormationState::files ? data_->fit.across : 0; }

}  // namespace fairlead
