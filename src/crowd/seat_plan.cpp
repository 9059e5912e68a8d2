// Who gets which seat. Of those on their way the last to come gets the seat nearest to where it comes in, the one before it the nearest of
// the rest, and so on: so the first to come goes deepest, and nobody's way to his seat leads over one that somebody takes before him. That
// is done over and over, some units an update; so who comes in another order than it was thought to gets another seat. Who stands on a seat
// that is given to another moves on: all who stand on the way from there to the nearest empty seat move one seat along it. So nobody who
// stands in a door closes it.
//
// Near: by steps on the lattice of seats.
#include <algorithm>

#include <fairlead/math/vec.h>

#include "crowd/crowd_data.h"
#include "crowd/sight.h"

namespace fairlead::crowd {

namespace {

constexpr std::size_t kSeatedAnUpdate = 32;
constexpr int kEntrySteps = 400;  // of a pitch: so far along its way a unit looks for the first seat

bool comes_later(const SeatMover& a, const SeatMover& b) {
    return a.left != b.left ? a.left > b.left : a.unit > b.unit;
}

bool on_its_way(const Unit& unit, std::uint32_t group) {
    return unit.used && unit.group == group && unit.way.count != 0 && !unit.settled;
}

/// The first seat that a unit's way comes by.
std::uint32_t entry_of(const CrowdData& crowd, const Group& group, const Unit& unit) {
    const std::uint32_t here = seat_at(crowd, group, unit.p());
    if (here != kNone) return here;
    const std::span<const WayPoint> way = crowd.ways.points(unit.way);
    const double pitch = group.seats.pitch;
    Vec2 from = unit.p();
    double before = 0.0;  // the first sample on the next line
    int steps = 0;
    for (std::size_t i = unit.aim; i < way.size(); ++i) {
        const Vec2 to = ground(way[i].at);
        const double size = distance(from, to);
        double at = before;
        for (; at < size && steps < kEntrySteps; at += pitch, ++steps) {
            const std::uint32_t seat = seat_at(crowd, group, from + (to - from) * (at / size));
            if (seat != kNone) return seat;
        }
        before = at - size;
        from = to;
    }
    return group.seats.first;
}

/// The nearest seat that is nobody's yet in this round, by steps; or the nearest empty one.
std::uint32_t nearest_seat(Seats& seats, std::uint32_t start, bool empty) {
    ++seats.search;
    seats.queue.clear();
    seats.list[start].seen = seats.search;
    seats.list[start].from = kNone;
    if (!seats.queue.push_back(start)) return kNone;
    for (std::size_t k = 0; k < seats.queue.size(); ++k) {
        const std::uint32_t i = seats.queue[k];
        const Seat& seat = seats.list[i];
        if (seat.wanted && seat.claimed != seats.round && (!empty || seat.holder == kNone)) return i;
        for (const std::uint32_t side : seat.sides) {
            if (side == kNone) continue;
            Seat& other = seats.list[side];
            if (other.open || other.seen == seats.search) continue;
            other.seen = seats.search;
            other.from = i;
            if (!seats.queue.push_back(side)) return kNone;
        }
    }
    return kNone;
}

bool sees_seat(const CrowdData& crowd, const Unit& unit, const Seat& seat) {
    return sees(crowd, unit, seat.at, 1.0);
}

/// Who goes to its seat already goes on to the new one.
void give_seat(CrowdData& crowd, Unit& unit, std::uint32_t seat) {
    if (unit.seat == seat) return;
    unit.seat = seat;
    if (unit.seat_aim == kNone) return;
    unit.seat_aim = kNone;
    for (std::uint32_t i = seat; i != kNone; i = crowd.seats.list[i].corner) {
        if (!sees_seat(crowd, unit, crowd.seats.list[i])) continue;
        unit.seat_aim = i;
        return;
    }
}

/// Who stands on the way from a seat to the nearest empty one moves one seat along it.
void move_on(CrowdData& crowd, std::uint32_t seat) {
    Seats& seats = crowd.seats;
    if (seats.list[seat].holder == kNone) return;
    for (std::uint32_t i = nearest_seat(seats, seat, true); i != kNone && i != seat; i = seats.list[i].from) {
        const std::uint32_t who = seats.list[seats.list[i].from].holder;
        seats.list[i].holder = who;
        if (who == kNone) continue;
        Unit& unit = crowd.units[who];
        unit.settled = false;
        unit.vain = 0;
        unit.seat = unit.seat_aim = i;
    }
    seats.list[seat].holder = kNone;
}

bool begin_round(CrowdData& crowd, const Group& group) {
    Seats& seats = crowd.seats;
    // Room for the longest search and for all units at once: later rounds allocate nothing, and none fails half way.
    if (!seats.queue.reserve(seats.list.size()) || !seats.movers.reserve(crowd.units.size())) return false;
    seats.group = group.id;
    seats.at = 0;
    ++seats.round;
    seats.movers.clear();
    std::size_t left = group.units;
    for (std::uint32_t i = group.seats.first; i != kNone; i = seats.list[i].next) {
        seats.list[i].holder = kNone;
        seats.list[i].wanted = left > 0;
        left -= left > 0 ? 1 : 0;
    }
    for (std::uint32_t i = 0; i < crowd.units.size(); ++i) {
        Unit& unit = crowd.units[i];
        if (!unit.used || unit.group != group.id || unit.way.count == 0) continue;
        if (unit.settled && unit.seat != kNone) {
            Seat& seat = seats.list[unit.seat];
            if ((seat.wanted || unit.vain > 0) && seat.holder == kNone) {
                seat.holder = i;
                continue;
            }
            unit.settled = false;
        }
        if (!seats.movers.push_back({unit.seat_aim == kNone ? unit.remaining : unit.seat_left, i}))
            return false;
    }
    std::sort(seats.movers.begin(), seats.movers.end(), comes_later);  // total order: units differ
    return true;
}

/// The group whose round is next.
Group* next_group(CrowdData& crowd) {
    Group* first = nullptr;
    for (Group& group : crowd.groups) {
        if (group.seats.first == kNone) continue;
        if (group.id > crowd.seats.group) return &group;
        if (first == nullptr) first = &group;
    }
    return first;
}

}  // namespace

bool plan_seats(CrowdData& crowd) {
    Seats& seats = crowd.seats;
    Group* group = nullptr;
    for (Group& other : crowd.groups) {
        if (other.id == seats.group && other.seats.first != kNone) group = &other;
    }
    if (group == nullptr || seats.at >= seats.movers.size()) {
        group = next_group(crowd);
        if (group == nullptr) return true;
        if (!begin_round(crowd, *group)) return false;
    }
    const std::size_t end = seats.at + kSeatedAnUpdate;
    for (; seats.at < end && seats.at < seats.movers.size(); ++seats.at) {
        const std::uint32_t i = seats.movers[seats.at].unit;
        if (!on_its_way(crowd.units[i], group->id)) continue;
        Unit& unit = crowd.units[i];
        const std::uint32_t entry = entry_of(crowd, *group, unit);
        const std::uint32_t seat = nearest_seat(seats, entry, false);
        if (seat != kNone) {
            seats.list[seat].claimed = seats.round;
            move_on(crowd, seat);
        }
        give_seat(crowd, unit, seat);
    }
    return true;
}

bool look_for_seat(const CrowdData& crowd, Unit& unit) {
    if (unit.seat == kNone || unit.settled) return false;
    const Seats& seats = crowd.seats;
    if (unit.seat_aim ==
        kNone) {  // one look an update: by turns its seat, the corners of the way there, and its route
        if (unit.looks % 2 == 0) return false;
        std::uint32_t i = unit.seat_look != kNone ? unit.seat_look : unit.seat;
        if (seats.list[i].group != unit.group) i = unit.seat;
        unit.seat_look = seats.list[i].corner;
        if (!sees_seat(crowd, unit, seats.list[i])) return false;
        unit.seat_aim = i;
        unit.seat_look = kNone;
        unit.unseen = unit.astray = 0.0;
    } else if (unit.looks % 2 == 0 && unit.seat_aim != unit.seat) {
        std::uint32_t i = unit.seat;
        while (i != kNone && seats.list[i].corner != unit.seat_aim) i = seats.list[i].corner;
        if (i == kNone) {
            unit.seat_aim = kNone;
            return false;
        }
        if (sees_seat(crowd, unit, seats.list[i])) unit.seat_aim = i;
    } else if (!sees_seat(crowd, unit, seats.list[unit.seat_aim])) {
        unit.seat_hidden += crowd.step;
        if (unit.seat_hidden > 4.0 * pace_of(unit, crowd.step)) {
            unit.seat_aim = kNone;
            unit.seat_hidden = 0.0;
            return false;
        }
    } else {
        unit.seat_hidden = 0.0;
    }
    const Seat& aim = seats.list[unit.seat_aim];
    unit.seat_left = distance(unit.p(), ground(aim.at));
    if (unit.seat_aim != unit.seat) unit.seat_left += seats.list[unit.seat].away - aim.away;
    return true;
}

}  // namespace fairlead::crowd
