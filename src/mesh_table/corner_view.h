// What a corner sees of the mesh, in the directions from which a shortest path can bend round it: the first of the two
// parts of any-angle search (any_angle.h), with the corner as its root and no bends, worked out once for all corners.
//
// Which directions. The free space round a corner spans more than half a turn, from the wall that leaves it to the wall that
// comes in. A path bends there only if less than half a turn lies on its inner side, so both its legs lie within what is beyond
// half a turn from one of the walls. (Elsewhere the leg prolonged runs into the wall: Yunhui Liu & Suguru Arimoto 1992,
// "Path planning using a tangent graph".) What is on a limit belongs to both sides.
//
// Left out: what is seen only along a line through other corners; the path over these corners is as long.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "mesh/table/table.h"

namespace fairlead::mesh {

/// Of the free space round a corner.
struct CornerFan {
    Vec2
        first{};  ///< the other end of the wall that leaves it, counter-clockwise from which the free space lies
    Vec2 last{};         ///< of the wall that comes in
    bool round = false;  ///< all directions are good: it spans a whole turn

    /// Can a path that comes straight from p bend here? p lies in the free space.
    [[nodiscard]] bool is_good(Vec2 corner, Vec2 p) const {
        return round || side_of(corner, first, p) <= 0.0 || side_of(corner, last, p) >= 0.0;
    }
};

/// A part of a polygon as one corner sees it.
struct SeenPart {
    std::uint32_t polygon = 0;  ///< its number in the table
    std::uint32_t left = kNone;
    std::uint32_t right = kNone;
};

class CornerView {
  public:
    explicit CornerView(const Allocator& allocator)
        : parts(allocator), corners(allocator), fan_(allocator), open_(allocator) {}

    Array<SeenPart> parts;         ///< by polygon; the parts of one polygon have no side in common
    Array<std::uint32_t> corners;  ///< that it sees, and that see it in a good direction too; by number

    /// The table is numbered. False: out of memory.
    [[nodiscard]] static bool find_fan(const TableData& table, const StateData& state, std::uint32_t corner,
                                       CornerFan& fan, Array<EdgeRef>& sides);
    [[nodiscard]] bool look(const TableData& table, const StateData& state, std::span<const CornerFan> fans,
                            std::uint32_t corner);

  private:
    /// A polygon to look through, and between which rays.
    struct Pane {
        std::uint32_t polygon = 0;  ///< a reference
        std::uint32_t left = kNone;
        std::uint32_t right = kNone;
    };
    [[nodiscard]] bool open_fan();
    [[nodiscard]] bool add_part(const Pane& pane);
    [[nodiscard]] bool look_through(const Pane& pane);
    void join_parts();
    struct PolygonPlace {
        const TileView& view;
        const MeshPolygon* polygon;
    };
    [[nodiscard]] PolygonPlace polygon_of(const SeenPart& part, std::size_t& tile) const;
    void drop_limits();
    [[nodiscard]] bool list_corners();
    [[nodiscard]] bool same_ray(std::uint32_t a, std::uint32_t b) const;
    [[nodiscard]] std::uint32_t point(std::uint32_t slot, std::uint32_t edge) const {
        return table_->side_first[slot] + edge;
    }

    const TableData* table_ = nullptr;
    const StateData* state_ = nullptr;
    std::span<const CornerFan> fans_{};
    std::uint32_t corner_ = 0;
    Vec2 at_{};
    Array<EdgeRef> fan_;  ///< the sides that leave the corner, counter-clockwise from the wall
    Array<Pane> open_;
};

}  // namespace fairlead::mesh
