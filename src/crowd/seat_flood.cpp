// The flood of seats: of all open places the one nearest to the goal becomes a seat, and its neighbours, as far as the way to them
// is clear, become open. A place is seen from the corner of the seat that it was reached from, if the way from there is clear: so
// distances are those of a taut line (as in Theta*), and the way from the goal to a seat has few corners. Some places an update,
// until there are enough.
//
// Source: Nash, Daniel, Koenig and Felner 2007 (Theta*).
#include <fairlead/math/vec.h>

#include "crowd/crowd_data.h"

namespace fairlead::crowd {

namespace {

constexpr double kSeatPitch = 1.16;  // of two radii: one unit passes between two rows of others
constexpr double kSeatsMore = 1.3;   // of the units: so many seats are looked for
constexpr std::uint32_t kSeatsLeast = 12;
constexpr int kFloodedAnUpdate = 64;
constexpr double kRowHeight = 0.86602540378443865;
constexpr std::int32_t kSideColumn[kSeatSides] = {1, 0, -1, -1, 0, 1};
constexpr std::int32_t kSideRow[kSeatSides] = {0, 1, 1, 0, -1, -1};

std::size_t seat_slot(const Seats& seats, std::uint32_t group, std::int32_t column, std::int32_t row) {
    const std::uint64_t mixed = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(column)) << 32 |
                                 static_cast<std::uint32_t>(row)) *
                                    0x9E3779B97F4A7C15u ^
                                static_cast<std::uint64_t>(group) * 0xC2B2AE3D27D4EB4Fu;
    return static_cast<std::size_t>(mixed >> 32 ^ mixed) & (seats.table.size() - 1);
}

std::uint32_t find_seat(const Seats& seats, std::uint32_t group, std::int32_t column, std::int32_t row) {
    if (seats.table.empty()) return kNone;
    std::uint32_t i = seats.table[seat_slot(seats, group, column, row)];
    for (; i != kNone; i = seats.list[i].chain) {
        const Seat& seat = seats.list[i];
        if (seat.group == group && seat.column == column && seat.row == row) break;
    }
    return i;
}

void hang_in(Seats& seats, std::uint32_t i) {
    Seat& seat = seats.list[i];
    std::uint32_t& head = seats.table[seat_slot(seats, seat.group, seat.column, seat.row)];
    seat.chain = head;
    head = i;
}

/// Twice the slots as there are seats.
bool widen_table(Seats& seats) {
    if (seats.table.size() >= 2 * seats.list.size() + 2) return true;
    std::size_t size = 64;
    while (size < 4 * seats.list.size() + 4) size *= 2;
    if (!seats.table.resize_uninitialized(size)) return false;
    for (std::uint32_t& head : seats.table) head = kNone;
    for (std::uint32_t i = 0; i < seats.list.size(); ++i) {
        if (seats.list[i].group != 0) hang_in(seats, i);
    }
    return true;
}

std::uint32_t add_seat(Seats& seats, const Seat& seat) {
    std::uint32_t i = seats.free;
    if (i != kNone) {
        seats.free = seats.list[i].next;
        seats.list[i] = seat;
    } else {
        i = static_cast<std::uint32_t>(seats.list.size());
        if (!seats.list.push_back(seat)) return kNone;
        if (!widen_table(seats)) {
            seats.list.pop_back();
            return kNone;
        }
        if (seats.table[seat_slot(seats, seat.group, seat.column, seat.row)] == i) return i;  // made anew
    }
    hang_in(seats, i);
    return i;
}

Vec2 seat_place(const SeatList& list, std::int32_t column, std::int32_t row) {
    const double x = static_cast<double>(column) + 0.5 * static_cast<double>(row);
    return ground(list.goal) + Vec2{x, kRowHeight * static_cast<double>(row)} * list.pitch;
}

bool begin_flood(CrowdData& crowd, Group& group) {
    Seat seat;
    seat.at = group.goal.position;
    seat.layer = group.goal.layer;
    seat.group = group.id;
    seat.open = true;
    for (std::uint32_t& side : seat.sides) side = kNone;
    group.seats = {};
    group.seats.goal = group.goal.position;
    group.seats.radius = group.widest;
    group.seats.pitch = 2.0 * kSeatPitch * group.widest;
    group.seats.open = add_seat(crowd.seats, seat);
    return group.seats.open != kNone;
}

bool clear_between(const CrowdData& crowd, const Seat& from, Vec3 to, double radius) {
    if (crowd.world->clear == nullptr) return true;
    Place place;
    place.position = from.at;
    place.layer = from.layer;
    return crowd.world->clear(place, to, radius, crowd.world->user);
}

/// The neighbours of a seat that are not known yet become open.
bool open_sides(CrowdData& crowd, Group& group, std::uint32_t i) {
    Seats& seats = crowd.seats;
    for (int side = 0; side < kSeatSides; ++side) {
        const Seat from = seats.list[i];
        if (from.sides[side] != kNone) continue;
        Seat fresh;
        fresh.column = from.column + kSideColumn[side];
        fresh.row = from.row + kSideRow[side];
        const Vec2 at = seat_place(group.seats, fresh.column, fresh.row);
        const Vec3 to{at.x, at.y, from.at.z};
        if (!clear_between(crowd, from, to, group.seats.radius)) continue;
        std::uint32_t other = find_seat(seats, group.id, fresh.column, fresh.row);
        if (other == kNone) {
            Place place;
            place.position = from.at;
            place.layer = from.layer;
            place =
                crowd.world->settle != nullptr ? crowd.world->settle(place, to, crowd.world->user) : place;
            fresh.at = {at.x, at.y, place.position.z};
            fresh.layer = place.layer;
            fresh.group = group.id;
            fresh.open = true;
            for (std::uint32_t& more : fresh.sides) more = kNone;
            fresh.corner = i;
            if (from.corner != kNone &&
                clear_between(crowd, seats.list[from.corner], fresh.at, group.seats.radius))
                fresh.corner = from.corner;
            const Seat& corner = seats.list[fresh.corner];
            fresh.away = corner.away + distance(ground(corner.at), at);
            fresh.next = group.seats.open;
            other = add_seat(seats, fresh);
            if (other == kNone) return false;
            group.seats.open = other;
        } else if (distance(seats.list[other].at, from.at) > 2.0 * group.seats.pitch) {
            continue;  // on another floor
        }
        seats.list[i].sides[side] = other;
        seats.list[other].sides[(side + kSeatSides / 2) % kSeatSides] = i;
    }
    return true;
}

/// The nearest open place becomes a seat. False: no memory.
bool flood_on(CrowdData& crowd, Group& group) {
    Seats& seats = crowd.seats;
    std::uint32_t best = kNone;
    std::uint32_t before_best = kNone;
    for (std::uint32_t before = kNone, i = group.seats.open; i != kNone; before = i, i = seats.list[i].next) {
        if (best != kNone && !(seats.list[i].away < seats.list[best].away)) continue;
        best = i;
        before_best = before;
    }
    (before_best == kNone ? group.seats.open : seats.list[before_best].next) = seats.list[best].next;
    seats.list[best].open = false;
    seats.list[best].next = kNone;
    (group.seats.last == kNone ? group.seats.first : seats.list[group.seats.last].next) = best;
    group.seats.last = best;
    ++group.seats.count;
    return open_sides(crowd, group, best);
}

void unhang(Seats& seats, std::uint32_t i) {
    const Seat& seat = seats.list[i];
    std::uint32_t* at = &seats.table[seat_slot(seats, seat.group, seat.column, seat.row)];
    while (*at != i) at = &seats.list[*at].chain;
    *at = seat.chain;
}

}  // namespace

void drop_seats(CrowdData& crowd, Group& group) {
    Seats& seats = crowd.seats;
    for (const std::uint32_t head : {group.seats.first, group.seats.open}) {
        for (std::uint32_t i = head; i != kNone;) {
            const std::uint32_t next = seats.list[i].next;
            unhang(seats, i);
            seats.list[i].group = 0;
            seats.list[i].next = seats.free;
            seats.free = i;
            i = next;
        }
    }
    for (Unit& unit : crowd.units) {
        if (unit.group != group.id) continue;
        unit.seat = unit.seat_aim = unit.seat_look = kNone;
    }
    if (seats.group == group.id) seats.movers.clear();
    group.seats = {};
}

bool flood_seats(CrowdData& crowd, Group& group) {
    if (group.seats.open == kNone && group.seats.first == kNone && !begin_flood(crowd, group)) return false;
    const auto needed =
        static_cast<std::uint32_t>(kSeatsMore * static_cast<double>(group.units)) + kSeatsLeast;
    for (int i = 0; i < kFloodedAnUpdate && group.seats.count < needed && group.seats.open != kNone; ++i) {
        if (!flood_on(crowd, group)) return false;
    }
    return true;
}

std::uint32_t seat_at(const CrowdData& crowd, const Group& group, Vec2 p) {
    const SeatList& list = group.seats;
    if (!(list.pitch > 0.0)) return kNone;
    const Vec2 from = (p - ground(list.goal)) / list.pitch;
    if (!(length(from) < 1e6)) return kNone;
    // the nearest of the four corners of the cell
    const double row = from.y / kRowHeight;
    const double column = from.x - 0.5 * row;
    const auto low_row = static_cast<std::int32_t>(std::floor(row));
    const auto low_column = static_cast<std::int32_t>(std::floor(column));
    std::uint32_t best = kNone;
    double nearest = 0.0;
    for (int i = 0; i < 4; ++i) {
        const std::uint32_t seat = find_seat(crowd.seats, group.id, low_column + (i & 1), low_row + (i >> 1));
        if (seat == kNone || crowd.seats.list[seat].open) continue;
        const double apart = distance(ground(crowd.seats.list[seat].at), p);
        if (best != kNone && !(apart < nearest)) continue;
        best = seat;
        nearest = apart;
    }
    return best;
}

}  // namespace fairlead::crowd
