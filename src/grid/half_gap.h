// Gaps: doors that are open in the middle although the disc fits at neither end. See half_lattice.h for rooms and doors.
//
// Along a door the tiles on one side forbid a piece at its beginning, those on the other side a piece at its end, and a
// tile beside the whole door all or nothing. So what is left is one interval: from the farthest that a tile p reaches from
// the one side, px + sqrt(R - k^2) / 2, to the nearest that a tile q reaches from the other, qx - sqrt(R - l^2) / 2; k and l are
// the tiles' distances from the door's line in half cells, px and qx the sides of the tiles that face the door. It is empty
// iff the place equally far from both corners is nearer than r: with D = qx - px
//     16 D^2 R  >  (4 D^2 + l^2 - k^2)^2 + 16 D^2 k^2,
// all integers but R. Gaps lead to a point that fits only from r > 3/2 on; below that they join rooms of one pocket.
#pragma once

#include <cstdint>

#include "grid/half_lattice.h"

namespace fairlead::grid {

/// Up to this ceil(R) gaps lead to no point of the lattice.
inline constexpr std::int64_t kGapKey = 9;

/// A side of a room: from (i, j) to (i + 1, j), or if upright to (i, j + 1).
struct HalfDoor {
    HalfPoint from{};
    bool upright = false;
};

/// The places on a door that fit, as the coordinate along it.
struct HalfGap {
    bool open = false;
    double low = 0.0;
    double high = 0.0;
    [[nodiscard]] double middle() const { return 0.5 * (low + high); }
};

/// The gap of a door that has neither end fit; open is false if nothing fits on it. Cost: O(radius).
[[nodiscard]] HalfGap find_gap(const HalfWalls& walls, const HalfDisc& disc, const HalfDoor& door);

/// A room by its low corner: [i, i + 1] x [j, j + 1] in half cells.
using HalfRoom = HalfPoint;

/// A room's doors: 0 low x, 1 high x, 2 low y, 3 high y; the room behind each, and its corners in the order low low, high
/// low, low high, high high.
[[nodiscard]] inline HalfDoor door_of(HalfRoom room, std::int32_t side) {
    if (side < 2) return {{room.i + side, room.j}, true};
    return {{room.i, room.j + side - 2}, false};
}
[[nodiscard]] inline HalfRoom room_behind(HalfRoom room, std::int32_t side) {
    if (side < 2) return {room.i + 2 * side - 1, room.j};
    return {room.i, room.j + 2 * (side - 2) - 1};
}
[[nodiscard]] inline HalfPoint corner_of(HalfRoom room, std::int32_t corner) {
    return {room.i + (corner & 1), room.j + (corner >> 1)};
}

/// Rooms joined by gaps alone: a flood from one room through rooms without a fitting corner. A few rooms hang together so at
/// most radii; no bound is assumed. Cost: rooms times the radius.
class HalfFlood {
  public:
    explicit HalfFlood(const Allocator& a = {}) : rooms_(a) {}

    struct Visited {
        HalfRoom room{};
        std::uint32_t from = 0;  ///< of rooms(); the first is its own
        Vec2 gate{};             ///< the place in the gap that leads here from there
        bool ends = false;       ///< has a fitting corner
    };

    /// Floods from `room`, on the planes' layer. If `through` the room itself may have fitting corners; else it is not left
    /// when it has one. False: out of memory.
    [[nodiscard]] bool run(HalfPlanes& planes, HalfRoom room, bool through);
    /// The same in pieces, a door each: begin, then step while running().
    [[nodiscard]] bool begin(HalfPlanes& planes, HalfRoom room, bool through);
    [[nodiscard]] bool step(HalfPlanes& planes);
    [[nodiscard]] bool running() const { return next_ < rooms_.size(); }
    [[nodiscard]] std::span<const Visited> rooms() const { return rooms_; }

  private:
    [[nodiscard]] bool visit(HalfPlanes& planes, std::uint32_t from, HalfRoom room, Vec2 gate);

    Array<Visited> rooms_;
    std::uint32_t next_ = 0;  ///< the room whose doors are looked at
    std::int32_t side_ = 0;   ///< and which of them is next
    bool through_ = false;
};

/// Has the room a corner that fits?
[[nodiscard]] bool has_fitting_corner(HalfPlanes& planes, HalfRoom room);

}  // namespace fairlead::grid
