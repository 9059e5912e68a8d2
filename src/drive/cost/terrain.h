// Terrain under a curve (technique W7): driving costs its length times the cost of the cell that the axle is in, cut
// exactly at the borders of the cells. On a map with roads that cost is multiplied by the road rules' factors (road_rules.h).
#pragma once

#include <cstdint>

#include <fairlead/curve/word.h>
#include <fairlead/drive/road_rules.h>
#include <fairlead/math/pose.h>

#include "drive/cost/cells_along.h"
#include "drive/cost/road_facings.h"

namespace fairlead::drive {

/// A map's roads and what they mean.
struct RoadGround {
    static constexpr std::uint32_t kOne = 256;  ///< factors are in 1/256

    const std::uint16_t* facings =
        nullptr;                    ///< of each cell (road_facings.h); 0: off the road. Null: no roads
    std::uint32_t off_road = kOne;  ///< 0: forbidden
    std::uint32_t against = kOne;   ///< 0: forbidden

    /// False: a factor is out of its range.
    [[nodiscard]] static bool good(const RoadRules& rules);
    [[nodiscard]] static RoadGround with(const RoadRules& rules, const std::uint16_t* facings);
    [[nodiscard]] bool forbids() const { return facings != nullptr && (off_road == 0 || against == 0); }
    /// Of a length in a cell that allows `allowed`. 0: forbidden.
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t factor(std::uint16_t allowed, std::uint32_t facing) const {
        if (allowed == 0) return off_road;
        return ((allowed >> facing) & 1U) != 0 ? kOne : against;
    }
    /// The facings that may be driven in such a cell at all.
    [[nodiscard]] std::uint16_t permitted(std::uint16_t allowed) const {
        if (allowed == 0) return off_road == 0 ? std::uint16_t{0} : kAllFacings;
        return against == 0 ? allowed : kAllFacings;
    }
};

/// Costs of a map's cells, row by row. No cells: all cost 1.
struct Terrain {
    const std::uint16_t* cells = nullptr;
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::int32_t cheapest = 1;  ///< of all cells
    RoadGround roads{};

    [[nodiscard]] bool uniform() const { return cells == nullptr && roads.facings == nullptr; }
    [[nodiscard]] bool has_roads() const { return roads.facings != nullptr; }
    /// Where cells are given; off the map the nearest cell's.
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t at(std::int32_t x, std::int32_t y) const {
        return cells[index(x, y)];
    }
    /// On a map with roads, by the direction of travel, in 1 / RoadGround::kOne. 0: forbidden. Below 2^29.
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t on_road(std::int32_t x, std::int32_t y,
                                                        std::uint32_t facing) const {
        const std::size_t i = index(x, y);
        const std::uint32_t factor = roads.factor(roads.facings[i], facing);
        return cells == nullptr ? factor : cells[i] * factor;
    }
    /// On the border of two cells: the better one's.
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t on_road(std::int32_t x, std::int32_t y, std::int32_t over_x,
                                                        std::int32_t over_y, std::uint32_t facing) const {
        const std::uint32_t here = on_road(x, y, facing);
        if ((over_x | over_y) == 0) return here;
        const std::uint32_t there = on_road(x + over_x, y + over_y, facing);
        return here == 0 || (there != 0 && there < here) ? there : here;
    }
    /// What a curve costs, without changes of gear and turns on the spot.
    /// Lengths in reverse count `reverse_penalty` times. Infinite if the road
    /// rules forbid it.
    [[nodiscard]] double cost_of(const CurveWord& word, const Pose& start, double radius,
                                 double reverse_penalty) const;

  private:
    [[nodiscard]] FAIRLEAD_INLINE std::size_t index(std::int32_t x, std::int32_t y) const {
        const std::int32_t column = x < 0 ? 0 : x >= width ? width - 1 : x;
        const std::int32_t row = y < 0 ? 0 : y >= height ? height - 1 : y;
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
               static_cast<std::size_t>(column);
    }
    [[nodiscard]] double cost_on_roads(const SweptSegment& piece) const;
};

}  // namespace fairlead::drive
