// Cylinder: the inside of a tube as tiles. Units fly in it, obstacles stand on its wall.
//
//     Result<CylinderWorld> tube = bake::cylinder(triangles, {.axis = CylinderAxis::x, .cell_size = 1.0, .slices = 8});
//     Result<Grid> tiles = make_cylinder_grid(*tube);
//     const Spot start = unroll(tube->shape, ship), goal = unroll(tube->shape, foe);
//     Result<Route> way = find_route(*tiles, GridQuery{.start = start, .goal = goal}, scratch);
//     Result<void> flown = lift_route(tube->shape, *way, {}, in_space);      // lift.h: points in space again
//
// The space between two radii is cut into slices by depth: slice k lies between the radii radius - (k + 1) x thickness
// and radius - k x thickness, the outer one left out, so slice 0 is at the wall and the last one is nearest to the axis.
// Each slice is unrolled into a layer of a Grid: x is the arc along the wall, angle x radius, and wraps; y runs along
// the axis. A tile is the same piece of angle in every slice. A unit that changes its depth takes a portal to the tile
// above or below, which is there wherever both are free, so also in the middle of a route.
//
// The rule: nothing floats. Towards the axis there is only ever more room, so one number a column says all: how many
// slices are solid, from the wall on. A goal's depth then decides nothing: what can be reached over it can be reached.
//
// What lengths mean. Along a slice the grid counts arcs at the wall; in a slice of radius r they are shorter by
// r / radius. So no way is longer than its cost says, and none is cheaper than radius / inner_radius() times the
// shortest. A body seems narrower, the same way: ask with unrolled(shape, agent), which makes up for it.
//
// Angles: counter-clockwise about the axis, seen from its positive end; 0 is +x about z, +y about x, +z about y.
//
// Errors of make_cylinder_grid: those of check_cylinder(): not_finite, out_of_range (origin; radius_max: the radius;
// cell_size: tiles around; height: tiles along; layers: slices, or their thickness); out_of_range (lap; layer_height: the
// price; cells: a column of more slices than there are, `index`: which); size_mismatch (cells); size_limit (cells: more
// than 2^31 tiles; portals: more than 2^22 moves of depth; larger tiles need less), and those of Grid::make.
//
// Cost: linear in tiles; 100 bytes for each pair of free tiles one above the other, beside the grid's own.
// Source: techniques W8, V9, V12 (Ceipek, Pathfinding and the Art of Tweaking, c. 1999). docs/decisions/0026.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/borrowed.h>
#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>

namespace fairlead {

enum class CylinderAxis : std::uint8_t { x, y, z, count_ };

inline constexpr std::int32_t kCylinderSlicesMax = 64;
inline constexpr std::int32_t kCylinderAroundMin = 8;

/// Where the tube lies and how it is cut.
struct Cylinder {
    CylinderAxis axis = CylinderAxis::z;
    Vec3 origin{};             ///< on the axis, where the first tiles begin
    double radius = 1.0;       ///< of the wall
    double thickness = 0.25;   ///< of a slice; all of them are thinner than the radius
    std::int32_t slices = 1;   ///< 1 to kCylinderSlicesMax
    std::int32_t around = 64;  ///< tiles around, kCylinderAroundMin to 16384
    std::int32_t along = 64;   ///< tiles along the axis, 1 to 16384

    /// Of a tile, along the wall.
    [[nodiscard]] double cell_size() const;
    /// Around the wall: a lap of x.
    [[nodiscard]] double lap() const { return cell_size() * around; }
    [[nodiscard]] double inner_radius() const { return radius - thickness * slices; }
    /// Of the middle of a slice.
    [[nodiscard]] double slice_radius(std::int32_t slice) const {
        return radius - thickness * (static_cast<double>(slice) + 0.5);
    }
    [[nodiscard]] std::size_t columns() const {
        return static_cast<std::size_t>(around) * static_cast<std::size_t>(along);
    }
    friend bool operator==(const Cylinder&, const Cylinder&) = default;
};

/// Errors: as stated above.
[[nodiscard]] Result<void> check_cylinder(const Cylinder& shape);

/// A tube and what stands on its wall.
struct CylinderWorld {
    explicit CylinderWorld(const Allocator& allocator = {}) : solid(allocator) {}

    Cylinder shape{};
    Array<std::uint8_t>
        solid;  ///< of column (x, y), at y x around + x: slices that are solid, from the wall on
};

struct CylinderGridOptions {
    CornerRule corner = CornerRule::never;
    Borrowed<Agent> sizes{};   ///< as GridOptions::sizes, of units as unrolled() has them
    double depth_price = 1.0;  ///< of a change of depth, against as much of a way along a slice; 1e-3 to 1e3
    /// 1: one lap, which wraps. 3 or 5: so many laps side by side, without a seam, for units with a turning circle, whose
    /// planner knows none: the middle lap has x from 0 to lap(). Ask for the goal at x, x - lap() and x + lap(), and
    /// take what costs least; each may go as far round as there are laps.
    std::int32_t laps = 1;
    Allocator allocator{};
};

/// Its tiles: 1 where free, 0 where solid; slice k is layer k; x wraps; tile (0, 0) begins at (0, 0). Tiles may be edited;
/// what is freed later has no moves of depth.
[[nodiscard]] Result<Grid> make_cylinder_grid(const CylinderWorld& world,
                                              const CylinderGridOptions& options = {});

/// A place in cylindrical numbers.
struct CylinderPlace {
    double x = 0.0;       ///< arc along the wall, 0 <= x < lap()
    double y = 0.0;       ///< along the axis, from the origin
    double radius = 0.0;  ///< distance from the axis
};

/// On the axis itself x is 0.
[[nodiscard]] CylinderPlace cylinder_place(const Cylinder& shape, Vec3 place);
/// And back; any x.
[[nodiscard]] Vec3 in_space(const Cylinder& shape, const CylinderPlace& place);

/// The slice of a radius; below 0 beyond the wall, `slices` or more towards the axis: off the grid.
[[nodiscard]] std::int32_t slice_at(const Cylinder& shape, double radius);

/// For queries on the grid: the place in its slice. One that is in no slice is off the world, and the query says so.
[[nodiscard]] Spot unroll(const Cylinder& shape, Vec3 place);

/// A disc as wide in tiles as the unit is in the innermost slice, where it seems widest. Other bodies stay as they are.
[[nodiscard]] Agent unrolled(const Cylinder& shape, const Agent& agent);

/// The direction in space of a heading on the unrolled slice, at arc x. Of length 1.
[[nodiscard]] Vec3 direction_in_space(const Cylinder& shape, double x, double heading_rad);
/// Towards the axis, at arc x: a unit's up.
[[nodiscard]] Vec3 up_in_space(const Cylinder& shape, double x);

}  // namespace fairlead
