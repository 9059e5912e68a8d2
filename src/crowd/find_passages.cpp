// The narrow places on a unit's route: found when it is sent, each with the axis that the unit follows through it, and given back.
#include <fairlead/crowd/crowd.h>

#include <fairlead/base/field.h>

#include "crowd/crowd_data.h"
#include "crowd/space/space_phases.h"

namespace fairlead {

namespace crowd {

namespace {

constexpr double kPass = 2.04;  // radii of half the width: two units of one size pass each other there

/// A passage with its axis. False: no memory.
bool write_passage(CrowdData& d, const Unit& unit, const SetCrossing& crossing, Passage& passage) {
    const NarrowPlace& place = d.places.places()[crossing.place];
    passage.place = crossing.place;
    passage.in = crossing.in;
    passage.out = crossing.out;
    passage.width = place.width;
    passage.rest = unit.remaining - crossing.to;
    const double each = place.kind == PlaceKind::lanes ? kLaneEach : kPass;
    passage.lanes = 0.5 * place.width >= each * unit.body.radius;
    const std::uint32_t other = place.mouths > 1 ? 1 : 0;
    const auto local = [&](std::uint32_t mouth) { return mouth == kNone ? kNoMouth : mouth - place.mouth; };
    const std::uint32_t given_out = local(crossing.out);
    const std::uint32_t given_in = local(crossing.in);
    const std::uint32_t out = given_out != kNoMouth ? given_out : given_in == 0 ? other : 0;
    const std::uint32_t in = given_in != kNoMouth ? given_in : out == 0 ? other : 0;
    if (!d.places.axis(crossing.place, in, out, d.axis)) return false;
    if (!d.ways.take(d.axis.size(), passage.axis)) return false;
    const std::span<WayPoint> axis = d.ways.points(passage.axis);
    for (std::size_t k = 0; k < d.axis.size(); ++k) {
        // in place of a height: how far the walls are
        axis[k] = {{d.axis[k].at.x, d.axis[k].at.y, d.axis[k].clearance}};
        if (k > 0) passage.length += distance(d.axis[k - 1].at, d.axis[k].at);
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

void drop_passages(CrowdData& d, Unit& unit) {
    if (d.options.space) {
        forget_tunnel(d, slot_of(d, unit));
        return;
    }
    if (unit.passages.count != 0) {
        const std::span<Passage> passages = d.passages.points(unit.passages);
        if (unit.turn == Turn::admitted || unit.turn == Turn::inside) {
            --d.order[passages[unit.passage].place].on_way;
        }
        for (Passage& passage : passages) d.ways.give(passage.axis);
    }
    d.passages.give(unit.passages);
    unit.passage = 0;
    unit.clears = false;
    unit.turn = Turn::free;
    unit.ahead = kNone;
}

bool find_passages(CrowdData& d, Unit& unit) {
    drop_passages(d, unit);
    if (d.places.empty() || unit.way.count == 0) return true;
    const std::span<const WayPoint> way = d.ways.points(unit.way).subspan(unit.aim);
    if (!d.places.crossings(unit.at, way, unit.body.radius, d.crossings)) return false;
    if (d.crossings.empty()) return true;
    if (!d.passages.take(d.crossings.size(), unit.passages)) return false;
    for (std::size_t i = 0; i < d.crossings.size(); ++i) d.passages.points(unit.passages)[i] = {};
    for (std::size_t i = 0; i < d.crossings.size(); ++i) {
        Passage passage;
        const bool written = write_passage(d, unit, d.crossings[i], passage);
        d.passages.points(unit.passages)[i] = passage;
        if (!written) return false;
    }
    return true;
}

}  // namespace crowd

using crowd::CrowdData;
using crowd::Unit;

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
    if (crowd::set_all(d, given)) return {};
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

}  // namespace fairlead
