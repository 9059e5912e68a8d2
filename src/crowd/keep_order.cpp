// The order at narrow places. A place one unit wide lets in one direction at a time, in batches; a lane lets in each direction by
// itself. At
// each mouth units enter in single file: the next one is let in when the one before has come near the mouth.
//
// A unit holds at most one place and never waits inside one, so no cycle of waiting can close.
#include <fairlead/math/vec.h>

#include "crowd/crowd_data.h"
#include "crowd/sight.h"

namespace fairlead::crowd {

namespace {

constexpr double kRegister = 14.0;  // radii before the mouth
constexpr double kHeld = 6.0;
constexpr double kClearOf = 4.0;
constexpr double kNextFrom = 6.0;
constexpr double kOut = 0.4;  // behind the other mouth
constexpr double kBatchLeast = 14.0;
constexpr double kBatchWay = 3.0;  // x 2 r, added to the length
constexpr double kBatchRate = 1.8;
constexpr double kWaitedWeight = 0.02;
constexpr double kSinceWeight = 6.0;
constexpr double kFarOff = 1e300;
constexpr double kGivesUp = 24.0;  // radii / speed without getting nearer
constexpr double kNearer = 0.5;
constexpr double kStrays = 48.0;  // radii / speed
constexpr std::uint32_t kLookEvery = 4;
constexpr double kPassedBy = 1.0;     // radii
constexpr double kLong = 4.0;         // radii: a door is shorter
constexpr double kPassMargin = 1.02;  // both radii: so much must half the width be for two to pass

const PlaceMouth& mouth_of(const CrowdData& crowd, std::uint32_t mouth) {
    return crowd.places.mouths()[mouth];
}

bool is_in(const CrowdData& crowd, const Passage& passage, const Unit& unit) {
    return crowd.places.holds(passage.place, unit.p(), unit.body.radius);
}

/// Where a unit is along the axis of its passage: before the mouth, or inside.
void locate(const CrowdData& crowd, const Passage& passage, Unit& unit) {
    const std::span<const WayPoint> axis = crowd.ways.points(passage.axis);
    const Vec2 p = unit.p();
    double best = 0.0;
    double along = 0.0;
    bool found = false;
    for (std::size_t i = 0; i + 1 < axis.size(); ++i) {
        const Vec2 a = ground(axis[i].at);
        const Vec2 to = ground(axis[i + 1].at) - a;
        const double size = length(to);
        if (!(size > 0.0)) continue;
        const Vec2 unit_to = to / size;
        double at = dot(p - a, unit_to);
        if (i > 0 && at < 0.0) at = 0.0;
        if (i + 2 < axis.size() && at > size) at = size;
        const Vec2 off = p - (a + unit_to * at);
        const double apart = dot(off, off);
        if (!found || apart < best) {
            found = true;
            best = apart;
            unit.to_mouth = -(along + at);
            unit.beside = cross(unit_to, p - a);
            unit.axis_along = unit_to;
        }
        along += size;
    }
    const Vec2 start = ground(axis[0].at);
    // beside the place, not in it
    const double half = 0.5 * passage.width;
    if (unit.to_mouth < 0.0 && -unit.to_mouth < passage.length &&
        (unit.beside > half || unit.beside < -half) && !is_in(crowd, passage, unit)) {
        unit.to_mouth = -unit.to_mouth < 0.5 * passage.length ? 0.0 : -passage.length;
    }
    if (unit.to_mouth >= 0.0) unit.to_mouth = distance(p, start);
}

void leave(CrowdData& crowd, Unit& unit) {
    const Passage& passage = crowd.passages.points(unit.passages)[unit.passage];
    if (unit.turn == Turn::admitted || unit.turn == Turn::inside) --crowd.order[passage.place].on_way;
    if (unit.turn == Turn::inside && !passage.lanes && passage.out != kNone) {
        unit.clears = true;
        unit.clear_at = unit.remaining - kClearOf * unit.body.radius;
    }
    unit.turn = Turn::free;
    unit.ahead = kNone;
    ++unit.passage;
}

bool sees_mouth(const CrowdData& crowd, const Unit& unit, std::uint32_t m) {
    const double r = unit.body.radius;
    const PlaceMouth& mouth = mouth_of(crowd, m);
    const Vec2 front = mouth.middle + mouth.outward * r;
    return sees(crowd, unit, {front.x, front.y, unit.at.position.z}, 1.0);
}

/// In a lane that opens to a place one unit wide it waits for its turn there, before it stands in that one's mouth.
bool comes_to_next(const CrowdData& crowd, const Passage& passage, const Unit& unit) {
    if (!passage.lanes || unit.turn != Turn::inside || unit.passage + 1 >= unit.passages.count) return false;
    const Passage& next = crowd.passages.points(unit.passages)[unit.passage + 1];
    return !next.lanes && next.in != kNone &&
           distance(unit.p(), mouth_of(crowd, next.in).middle) < kNextFrom * unit.body.radius &&
           sees_mouth(crowd, unit, next.in);
}

/// Behind the place; or where its way ends in the place it has arrived: from then on it makes way as all do who stand somewhere.
bool is_out(const CrowdData& crowd, const Passage& passage, const Unit& unit) {
    if (passage.out == kNone) {
        // past the end of its route in there it has left by a side; or its route itself leads over one
        const bool beyond = -unit.to_mouth > passage.length || unit.remaining < passage.rest;
        const bool past = unit.turn == Turn::inside && beyond && !is_in(crowd, passage, unit);
        return past || unit.state == UnitState::arrived;
    }
    const PlaceMouth& mouth = mouth_of(crowd, passage.out);
    return dot(unit.p() - mouth.middle, mouth.outward) > kOut * unit.body.radius &&
           -unit.to_mouth > 0.5 * passage.length;
}

void enter(CrowdData& crowd, Unit& unit, const Passage& passage, std::uint32_t i) {
    ++crowd.order[passage.place].on_way;
    unit.turn = Turn::admitted;
    unit.best_way = distance(unit.p(), ground(crowd.ways.points(passage.axis)[0].at));
    unit.best_at = crowd.updates;
    if (passage.in == kNone) return;
    MouthOrder& mouth = crowd.mouth_order[passage.in];
    unit.ahead = mouth.last;
    mouth.last = i;
    unit.ticket = ++mouth.number;
}

/// Who was let in and does not get nearer to the mouth lets others go first.
bool gives_up(const CrowdData& crowd, Unit& unit) {
    const double r = unit.body.radius;
    if (unit.turn != Turn::admitted) return false;
    if (unit.to_mouth < unit.best_way - kNearer * r) {
        unit.best_way = unit.to_mouth;
        unit.best_at = crowd.updates;
    }
    const double waited = static_cast<double>(crowd.updates - unit.best_at) * crowd.step;
    return waited > kGivesUp * pace_of(unit, crowd.step) || unit.to_mouth > 1.5 * kRegister * r;
}

/// An axis that winds may lead a unit to and fro: whom it leads nowhere goes along its route.
void look_for_progress(const CrowdData& crowd, Unit& unit) {
    if (unit.turn != Turn::admitted && unit.turn != Turn::inside) return;
    unit.nowhere_for += crowd.step;
    if (unit.remaining < unit.best_left - kNearer * unit.body.radius) {
        unit.best_left = unit.remaining;
        unit.nowhere_for = 0.0;
    }
    if (unit.nowhere_for > kStrays * pace_of(unit, crowd.step)) unit.strays = true;
}

/// It has come to its next place.
void begin_passage(Unit& unit) {
    unit.strays = false;
    unit.best_left = unit.remaining;
    unit.nowhere_for = 0.0;
}

/// Who came out of a place one unit wide and was pushed back into it is inside again. Not in a door: there it only steps through.
void look_back(CrowdData& crowd, Unit& unit) {
    const Passage& passage = crowd.passages.points(unit.passages)[unit.passage - 1];
    if (passage.lanes || passage.out == kNone || passage.length < kLong * unit.body.radius ||
        !is_in(crowd, passage, unit)) {
        return;
    }
    --unit.passage;
    ++crowd.order[passage.place].on_way;
    unit.turn = Turn::inside;
}

/// What counts for a unit that waits beside how near it is, in its own widths. In a group all want the same: who is
/// nearest goes first, for it stands before the others.
double claim(const CrowdData& crowd, const Unit& unit) {
    if (unit.group != 0) return 0.0;
    const double second = 3.0 * unit.body.radius / unit.speed_max();
    const double waited = static_cast<double>(crowd.updates - unit.ticket) * crowd.step / second;
    return kWaitedWeight * waited + kSinceWeight * (unit.alone > 0.0 ? unit.since / unit.alone : 0.0);
}

void look(CrowdData& crowd, std::uint32_t i) {
    Unit& unit = crowd.units[i];
    if (unit.remaining < unit.clear_at || unit.state != UnitState::moving) unit.clears = false;
    if (unit.turn == Turn::free && unit.passage > 0 && (crowd.updates + i) % kLookEvery == 0)
        look_back(crowd, unit);
    if (unit.passage >= unit.passages.count) return;
    const Passage& passage = crowd.passages.points(unit.passages)[unit.passage];
    const double r = unit.body.radius;
    if (unit.turn != Turn::inside && unit.remaining < passage.rest - kPassedBy * r) {  // it saw a way past it
        leave(crowd, unit);
        return;
    }
    if (unit.turn == Turn::free) {
        begin_passage(unit);
        if (passage.in == kNone) {  // it starts inside
            enter(crowd, unit, passage, i);
        } else {
            if (distance(unit.p(), mouth_of(crowd, passage.in).middle) > kRegister * r ||
                (crowd.updates + i) % kLookEvery != 0 || !sees_mouth(crowd, unit, passage.in))
                return;
            unit.turn = Turn::waiting;
            unit.ticket = crowd.updates;
        }
    }
    locate(crowd, passage, unit);
    if (unit.turn == Turn::admitted && unit.to_mouth < 0.0) unit.turn = Turn::inside;
    if (unit.turn == Turn::inside && unit.to_mouth > 0.0 && passage.in != kNone) unit.turn = Turn::admitted;
    if (is_out(crowd, passage, unit) || comes_to_next(crowd, passage, unit)) {
        leave(crowd, unit);
        return;
    }
    look_for_progress(crowd, unit);
    if (passage.in == kNone) return;
    if (gives_up(crowd, unit)) {
        --crowd.order[passage.place].on_way;
        // pushed away or into another room: free, and it looks for another route
        const bool near = unit.to_mouth <= kRegister * r && sees_mouth(crowd, unit, passage.in);
        unit.turn = near ? Turn::waiting : Turn::free;
        unit.ticket = crowd.updates;
        unit.ahead = kNone;
        return;
    }
    if (unit.turn == Turn::waiting && unit.to_mouth > 1.5 * kRegister * r) {
        unit.turn = Turn::free;
        return;
    }
    MouthOrder& mouth = crowd.mouth_order[passage.in];
    if (unit.turn == Turn::admitted && unit.to_mouth > kHeld * r) {
        mouth.held = true;
        if (unit.to_mouth < mouth.held_at) mouth.held_at = unit.to_mouth;
    }
    if (unit.turn != Turn::waiting) return;
    const double before = distance(unit.p(), mouth_of(crowd, passage.in).middle);
    const double key = before / (2.0 * r) - claim(crowd, unit);
    if (!mouth.waited || unit.ticket < mouth.oldest) mouth.oldest = unit.ticket;
    mouth.waited = true;
    if (mouth.best == kNone || key < mouth.best_key) {
        mouth.best = i;
        mouth.best_key = key;
        mouth.best_at = unit.group != 0 ? before + 2.0 * r : kFarOff;
    }
}

void admit(CrowdData& crowd, std::uint32_t mouth) {
    const std::uint32_t i = crowd.mouth_order[mouth].best;
    Unit& unit = crowd.units[i];
    enter(crowd, unit, crowd.passages.points(unit.passages)[unit.passage], i);
}

/// Who was let in and is still far from the mouth holds the others up; but not those of a group that stand before it.
bool waits_for_held(const MouthOrder& mouth) { return mouth.held && !(mouth.best_at < mouth.held_at); }

std::uint32_t batch_of(const NarrowPlace& place, double r) {
    const double most = 2.0 * (place.length / (2.0 * r) + kBatchWay) / kBatchRate;
    return static_cast<std::uint32_t>(most > kBatchLeast ? most : kBatchLeast);
}

void grant_token(CrowdData& crowd, std::uint32_t p, const NarrowPlace& place) {
    PlaceOrder& order = crowd.order[p];
    std::uint32_t oldest = kNone;
    std::uint32_t other = kNone;  // the oldest of the sides whose turn it was not
    for (std::uint32_t m = place.mouth; m < place.mouth + place.mouths; ++m) {
        const MouthOrder& mouth = crowd.mouth_order[m];
        if (!mouth.waited) continue;
        if (oldest == kNone || mouth.oldest < crowd.mouth_order[oldest].oldest) oldest = m;
        if (m != order.side && (other == kNone || mouth.oldest < crowd.mouth_order[other].oldest)) other = m;
    }
    if (oldest == kNone) return;
    const bool spent = order.batch >= batch_of(place, crowd.places.radius(p));
    if (order.on_way == 0) {
        const std::uint32_t next = spent && other != kNone ? other : oldest;
        if (next != order.side || spent) order.batch = 0;
        order.side = next;
    } else if ((spent && other != kNone) || order.side == kNone) {  // or who is in it came in by no side
        return;
    }
    if (order.side == kNone) return;  // somebody started inside: first it comes out
    const MouthOrder& mouth = crowd.mouth_order[order.side];
    if (mouth.best == kNone || waits_for_held(mouth)) return;
    admit(crowd, order.side);
    ++order.batch;
}

/// Does one direction go at a time? Not if those who come from different sides can all pass each other.
bool one_way(const CrowdData& crowd, std::uint32_t p, const NarrowPlace& place) {
    const bool lanes = place.kind == PlaceKind::lanes;
    if (!crowd.order[p].mixed) return !lanes || 0.5 * place.width < kLaneEach * crowd.places.radius(p);
    double first = crowd.order[p].widest;  // the two widest of all sides
    double second = 0.0;
    for (std::uint32_t m = place.mouth; m < place.mouth + place.mouths; ++m) {
        const double widest = crowd.mouth_order[m].widest;
        if (widest > first) {
            second = first;
            first = widest;
        } else if (widest > second) {
            second = widest;
        }
    }
    const double each = lanes ? 0.5 * kLaneEach : kPassMargin;
    return second > 0.0 && each * (first + second) > 0.5 * place.width;
}

/// Who is at a place, by sides.
void count_in(CrowdData& crowd, const Unit& unit) {
    if (unit.turn == Turn::free || unit.passage >= unit.passages.count) return;
    const Passage& passage = crowd.passages.points(unit.passages)[unit.passage];
    const double r = unit.body.radius;
    PlaceOrder& order = crowd.order[passage.place];
    double& widest = passage.in == kNone ? order.widest : crowd.mouth_order[passage.in].widest;
    if (r > widest) widest = r;
    if (r != crowd.places.radius(passage.place)) order.mixed = true;
}

}  // namespace

void keep_order(CrowdData& crowd) {
    ++crowd.updates;
    if (crowd.places.empty()) return;
    for (PlaceOrder& order : crowd.order) {
        order.widest = 0.0;
        order.mixed = false;
    }
    for (MouthOrder& mouth : crowd.mouth_order) {
        mouth.best = kNone;
        mouth.widest = 0.0;
        mouth.waited = false;
        mouth.held = false;
        mouth.held_at = kFarOff;
    }
    for (std::size_t i = 0; i < crowd.units.size(); ++i) {
        if (!crowd.units[i].used) continue;
        look(crowd, static_cast<std::uint32_t>(i));
        count_in(crowd, crowd.units[i]);
    }
    const std::span<const NarrowPlace> places = crowd.places.places();
    for (std::uint32_t p = 0; p < places.size(); ++p) {
        if (one_way(crowd, p, places[p])) {
            grant_token(crowd, p, places[p]);
            continue;
        }
        crowd.order[p].side = kNone;  // both ways are open
        crowd.order[p].batch = 0;
        for (std::uint32_t m = places[p].mouth; m < places[p].mouth + places[p].mouths; ++m) {
            const MouthOrder& mouth = crowd.mouth_order[m];
            if (mouth.best != kNone && !waits_for_held(mouth)) admit(crowd, m);
        }
    }
}

}  // namespace fairlead::crowd
