// What a MeshTable holds. Corners, polygons and sides have numbers of their own in it, in the order of tiles and their places there, so
// that what was worked out once holds for the same surface in other tile slots. Corners are those that a path can bend round.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "mesh/data/plane.h"
#include "mesh/data/state.h"
#include "mesh/table/hub_labels.h"

namespace fairlead::mesh {

/// On a limit's point: the limit goes from the corner away from the point, not through it.
inline constexpr std::uint32_t kTailFlag = 1U << 31;

/// What a corner sees of a polygon: the part of it right of `left` and left of `right`, both rays from the corner. 12 bytes.
struct Sight {
    std::uint32_t corner = 0;
    std::uint32_t left =
        kNone;  ///< a side whose start the ray goes through, or with kTailFlag away from; kNone: no limit
    std::uint32_t right = kNone;
};

struct TableData {
    explicit TableData(const Allocator& allocator)
        : corner_at(allocator),
          corner_wall(allocator),
          corner_of(allocator),
          polygon_first(allocator),
          side_first(allocator),
          points(allocator),
          sight_first(allocator),
          sights(allocator),
          labels(allocator) {}

    Array<Vec2> corner_at;
    Array<EdgeRef> corner_wall;      ///< the wall that leaves it, with the free space on its left
    Array<std::uint32_t> corner_of;  ///< by the state's number of a corner; kNone: paths do not bend there
    Array<std::uint32_t> polygon_first;  ///< by tile slot: its polygon 0
    Array<std::uint32_t> side_first;     ///< by tile slot: its side 0
    Array<Vec2> points;                  ///< by side: where it starts
    Array<std::uint32_t> sight_first;    ///< by polygon, and the end
    Array<Sight> sights;                 ///< of each polygon, by corner
    HubLabels labels;                    ///< of the corners
    std::uint64_t areas = 0;             ///< a bit for each area that a polygon has
    std::uint64_t link_kinds = 0;        ///< and for each kind of link that leads somewhere
    std::uint64_t surface = 0;           ///< surface_digest() of what it was made from
    std::uint64_t legs = 0;  ///< lines between two corners that see each other, which a path may take

    [[nodiscard]] std::uint32_t corners() const { return static_cast<std::uint32_t>(corner_at.size()); }
    [[nodiscard]] std::uint32_t polygon_number(const StateData& state, std::uint32_t polygon) const {
        return polygon_first[polygon >> state.bits] + state.local(polygon);
    }
    /// The corner where a side starts; kNone: none.
    [[nodiscard]] std::uint32_t corner_at_start(const StateData& state, const MeshEdge& side) const {
        if (side.corner == kNone) return kNone;
        return corner_of[state.tile_of(side.corner).corner_first + state.local(side.corner)];
    }
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::uint64_t digest() const;

    /// Numbers everything and lists the corners. False: out of memory.
    [[nodiscard]] bool number(const StateData& state);
    /// Takes the numbers of another table, of the same surface.
    void take_numbers(TableData& other);
};

/// Of everything in a revision that a table depends on.
[[nodiscard]] std::uint64_t surface_digest(const StateData& state);

/// Above 0: p lies left of the ray of a limit of what `corner` sees.
[[nodiscard]] FAIRLEAD_INLINE double left_of_limit(const TableData& table, Vec2 corner, std::uint32_t limit,
                                                   Vec2 p) {
    const double turn = side_of(corner, table.points[limit & ~kTailFlag], p);
    return (limit & kTailFlag) != 0 ? -turn : turn;
}

}  // namespace fairlead::mesh
