// RoadLayer: where a tile world's roads are, and which way their lanes go. One byte a cell.
//
//     Result<RoadLayer> roads = RoadLayer::make(town.width(), town.height());
//     const Vec2 high_street[] = {{0, 21}, {64, 21}};
//     const Vec2 lane[] = {{30, 21}, {30, 48}};
//     (void)roads->paint(high_street, 4.0, RoadLanes::keep_right);
//     (void)roads->paint(lane, 2.0, RoadLanes::one_way);
//
// A cell's byte is the set of directions of travel that it allows: bit i is i x 45 degrees, counter-clockwise from +x; 0 is off
// the road. Painting adds: where two roads meet, a cell allows what either of them does, so junctions need nothing more. Roads
// are no part of a Grid; they are given along with it where they matter (bridge/grid_drive.h; what they mean there:
// drive/road_rules.h).
//
// Coordinates are in cells: cell (x, y) spans x to x + 1, y to y + 1. Left and right are those of a unit on the ground with z
// up; on pictures that draw row 0 at the top they change places.
//
// Errors: size_zero, size_limit (16384 a side), out_of_memory; of paint: size_zero (line: fewer than two points, or all
// in one place), not_finite (line, index: which point; width), out_of_range (line: a coordinate over 1e6,
// 1: a width not above 0 or over 1e6). After an error of paint the layer is as it was.
// Cost: make one byte a cell; paint looks at the cells in the box around each stretch, 5 ns each. Deterministic.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/math/vec.h>

namespace fairlead {

/// A road may be driven in any direction: what most paths and squares are.
inline constexpr std::uint8_t kRoadAnyWay = 0xff;

enum class RoadLanes : std::uint8_t {
    any_way,     ///< no lanes: kRoadAnyWay
    one_way,     ///< along the line
    keep_right,  ///< right of the line along it, left of it back; cells with their middle on the line both
    keep_left,
};

class RoadLayer {
  public:
    /// No roads yet.
    [[nodiscard]] static Result<RoadLayer> make(std::int32_t width, std::int32_t height,
                                                const Allocator& allocator = {});

    /// Adds a road along a line of points: all cells with their middle no farther than width / 2 from it (1e-9 cells more
    /// counts), with mitred bends up to 90 degrees and square ends. The direction of a lane is the nearest of the eight to
    /// that of the stretch of the line.
    [[nodiscard]] Result<void> paint(std::span<const Vec2> line, double width, RoadLanes lanes);

    /// One cell. x, y must be on the layer.
    void set(std::int32_t x, std::int32_t y, std::uint8_t directions) { cells_[index(x, y)] = directions; }
    /// What a cell allows; 0 off the road and off the layer.
    [[nodiscard]] std::uint8_t at(std::int32_t x, std::int32_t y) const {
        const bool inside = x >= 0 && y >= 0 && x < width_ && y < height_;
        return inside ? cells_[index(x, y)] : std::uint8_t{0};
    }
    [[nodiscard]] std::int32_t width() const { return width_; }
    [[nodiscard]] std::int32_t height() const { return height_; }
    [[nodiscard]] std::span<const std::uint8_t> row(std::int32_t y) const {
        return cells_.span().subspan(index(0, y), static_cast<std::size_t>(width_));
    }
    [[nodiscard]] std::size_t bytes() const { return cells_.bytes(); }

  private:
    [[nodiscard]] std::size_t index(std::int32_t x, std::int32_t y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
    }

    std::int32_t width_ = 0;
    std::int32_t height_ = 0;
    Array<std::uint8_t> cells_;
};

}  // namespace fairlead
