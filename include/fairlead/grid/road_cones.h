// Virtual cones: temporary blockers beside the roads that keep turns on them (technique R5).
//
//     Result<RoadCones> cones = RoadCones::make(*roads, 2);
//     Result<Route> way = find_route(*town, query, scratch, {.map = {.cones = &*cones}});    // bridge/grid_drive.h
//
// The article's way to corner on roads: put cones beside the road, find the route, take the cones away. A cone is a cell off
// the road that touches a cell of the road (also at a corner), unless it is within `turn_tiles` of a bend or junction: there the
// unit needs the room to turn. For the query a cone is a wall; the world itself is never changed.
//
// RoadRules::off_road = kRoadForbidden is the better way, and cheaper: it holds the axle to the road everywhere, also within
// the tiles of a turn, does not touch the body's overhang, needs no number for each kind of unit, and units that start off the
// road may be let back on it by a factor in its place. Cones are here for comparison.
//
// A bend or junction is a cell that allows directions on more than one axis, or belongs to a patch of cells for any way that roads
// of more than one axis meet. A road painted any_way from end to end has none, and cones all along. turn_tiles: 0 to 64, as many as
// the unit needs for a turn; 0: cones everywhere beside the road. With too few there may be no way, with too many the unit
// cuts the corner over what lies beside the road.
//
// Errors: out_of_range (tiles: turn_tiles), out_of_memory. Cost: 75 ns a cell of the road, and one look at (2 turn_tiles + 1)^2 cells a
// cell of a bend. Memory: a bit a cell.
//
// Source: M. Pinter, Toward More Realistic Pathfinding, 2001, "Roads".
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/grid/road_layer.h>

namespace fairlead {

class RoadCones {
  public:
    [[nodiscard]] static Result<RoadCones> make(const RoadLayer& roads, std::int32_t turn_tiles,
                                                const Allocator& allocator = {});

    [[nodiscard]] std::int32_t width() const { return width_; }
    [[nodiscard]] std::int32_t height() const { return height_; }
    [[nodiscard]] bool at(std::int32_t x, std::int32_t y) const {
        return ((row(y)[static_cast<std::size_t>(x >> 6)] >> (x & 63)) & 1U) != 0;
    }
    /// Bit x % 64 of word x / 64: there is a cone in cell x of row y.
    [[nodiscard]] std::span<const std::uint64_t> row(std::int32_t y) const {
        return bits_.span().subspan(static_cast<std::size_t>(y) * words_, words_);
    }
    [[nodiscard]] std::int64_t count() const;

  private:
    std::int32_t width_ = 0;
    std::int32_t height_ = 0;
    std::size_t words_ = 0;
    Array<std::uint64_t> bits_;
};

}  // namespace fairlead
