// Units that others move: placed anew, driven from outside, guided by a velocity instead of a route, stopped.
#include <fairlead/crowd/crowd.h>

#include <cmath>

#include "crowd/crowd_data.h"
#include "crowd/space/space_phases.h"

namespace fairlead {

namespace {

using crowd::Unit;

}  // namespace

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

}  // namespace fairlead
