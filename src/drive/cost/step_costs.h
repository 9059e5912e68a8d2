// What a move costs from a cell, where cells differ: the sum over the cells that its axle passes.
#pragma once

#include <cstdint>

#include <fairlead/search/cost.h>

#include "drive/cost/terrain.h"

namespace fairlead::drive {

/// What a move costs in one of the cells that it passes, where terrain costs 1. 16 bytes.
struct LatticeVisit {
    Cost cost = 0;
    std::int16_t dx = 0;
    std::int16_t dy = 0;
    std::int8_t over_x = 0;  ///< on roads, as RoadPiece
    std::int8_t over_y = 0;
    std::uint8_t facing = 0;
};

class StepCosts {
  public:
    StepCosts() = default;
    StepCosts(const Terrain& terrain, const LatticeVisit* visits, const std::uint32_t* first)
        : terrain_(terrain), visits_(visits), first_(first) {}

    /// Not where all cells cost the same.
    [[nodiscard]] FAIRLEAD_INLINE bool used() const { return visits_ != nullptr; }
    /// Of a move that the road rules do not forbid.
    [[nodiscard]] FAIRLEAD_INLINE Cost of(std::uint32_t step, std::int32_t x, std::int32_t y) const {
        return terrain_.has_roads() ? on_roads(step, x, y) : on_terrain(step, x, y);
    }

  private:
    [[nodiscard]] FAIRLEAD_INLINE Cost on_terrain(std::uint32_t step, std::int32_t x, std::int32_t y) const {
        Cost sum = 0;
        for (std::uint32_t i = first_[step]; i < first_[step + 1]; ++i) {
            sum += visits_[i].cost * terrain_.at(x + visits_[i].dx, y + visits_[i].dy);
        }
        return sum;
    }
    // Rounded up: never less than the lower bound, which knows of no roads.
    [[nodiscard]] FAIRLEAD_INLINE Cost on_roads(std::uint32_t step, std::int32_t x, std::int32_t y) const {
        Cost sum = 0;
        for (std::uint32_t i = first_[step]; i < first_[step + 1]; ++i) {
            const LatticeVisit& visit = visits_[i];
            const std::uint32_t times =
                terrain_.on_road(x + visit.dx, y + visit.dy, visit.over_x, visit.over_y, visit.facing);
            sum += (visit.cost * times + (RoadGround::kOne - 1)) / RoadGround::kOne;
        }
        return sum;
    }

    Terrain terrain_{};
    const LatticeVisit* visits_ = nullptr;
    const std::uint32_t* first_ = nullptr;
};

}  // namespace fairlead::drive
