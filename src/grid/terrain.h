// What each kind of terrain costs a unit: the grid's cost times the filter's factor, to the nearest whole number.
#pragma once

#include <cstdint>

#include <fairlead/route/kind_filter.h>

#include "grid/state.h"

namespace fairlead::grid {

/// 0: closed.
[[nodiscard]] inline std::uint16_t terrain_cost(const StateData& state, const KindFilter& filter,
                                                std::uint32_t terrain) {
    if (filter.empty()) return state.costs[terrain];
    const double factor = filter.factor(terrain);
    if (factor == 0.0) return 0;
    const double cost = factor * static_cast<double>(state.costs[terrain]) + 0.5;
    if (cost >= static_cast<double>(kTerrainCostMax)) return kTerrainCostMax;
    return static_cast<std::uint16_t>(cost < 1.0 ? 1.0 : cost);
}

}  // namespace fairlead::grid
