// Seats: where the units of a group will stand around their goal. A hexagonal lattice is flooded from the goal, so each seat knows how far
// it is to walk and by which corner; each unit on its way gets one.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>

#include "crowd/unit.h"

namespace fairlead::crowd {

inline constexpr int kSeatSides = 6;

struct Seat {
    Vec3 at{};
    std::int32_t layer = 0;
    std::uint32_t group = 0;  ///< its id
    std::int32_t column = 0;  ///< of the lattice, from the goal
    std::int32_t row = 0;
    double away = 0.0;  ///< from the goal, by the corners
    std::uint32_t corner =
        kNone;  ///< the seat that it is seen from, on the way from the goal; kNone: it is the goal
    std::uint32_t next = kNone;         ///< of its group's list
    std::uint32_t chain = kNone;        ///< of its slot in the table
    std::uint32_t sides[kSeatSides]{};  ///< seats that one can go to from here
    std::uint64_t claimed = 0;          ///< the round in which a unit got it
    std::uint64_t seen = 0;             ///< the search that came by
    bool open = false;                  ///< its neighbours are not known yet
    bool wanted = false;                ///< one of the nearest, as many as there are units
    std::uint32_t holder = kNone;       ///< the unit that stands there
    std::uint32_t from = kNone;         ///< of a search: the seat before it
};

/// Of one group: its seats in the order of their distance, then those that are open.
struct SeatList {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    std::uint32_t open = kNone;
    std::uint32_t count = 0;
    double pitch = 0.0;
    double radius = 0.0;
    Vec3 goal{};
};

/// A unit that is on its way to its group's goal.
struct SeatMover {
    double left = 0.0;
    std::uint32_t unit = 0;
};

/// All seats, and the round in which units get theirs: group by group, so many units an update.
struct Seats {
    explicit Seats(const Allocator& allocator)
        : list(allocator), table(allocator), movers(allocator), queue(allocator) {}

    Array<Seat> list;
    Array<std::uint32_t> table;  ///< of places of the lattice: a power of two of slots
    std::uint32_t free = kNone;
    Array<SeatMover> movers;  ///< of the group whose round it is, last one first
    std::size_t at = 0;       ///< the next of them
    std::uint32_t group = 0;  ///< whose round it is
    std::uint64_t round = 0;
    std::uint64_t search = 0;
    Array<std::uint32_t> queue;
};

}  // namespace fairlead::crowd
