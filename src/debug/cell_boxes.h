// Merging equal cells into rectangles without memory of its own.
//
// A rectangle is a maximal run of a row, together with the rows below that have the same run. It is found
// from its top row alone: a run that stands unchanged in the row above belongs to a rectangle that began
// there. Each cell is therefore looked at a small number of times, and the rectangles cover each wanted cell
// exactly once.
#pragma once

#include <cstdint>

#include <fairlead/grid/grid.h>

namespace fairlead::debug {

/// `wanted(x, y)` says whether a cell belongs; `emit(CellRect)` takes the rectangles, top to bottom.
template <class Wanted, class Emit>
void merge_cells(const CellRect& region, const Wanted& wanted, const Emit& emit) {
    const auto same_run = [&](std::int32_t x0, std::int32_t x1, std::int32_t y) {
        if (y < region.low.y || y >= region.high.y) return false;
        if (x0 > region.low.x && wanted(x0 - 1, y)) return false;
        if (x1 < region.high.x && wanted(x1, y)) return false;
        for (std::int32_t x = x0; x < x1; ++x) {
            if (!wanted(x, y)) return false;
        }
        return true;
    };
    for (std::int32_t y = region.low.y; y < region.high.y; ++y) {
        for (std::int32_t x = region.low.x; x < region.high.x; ++x) {
            if (!wanted(x, y)) continue;
            const std::int32_t x0 = x;
            while (x < region.high.x && wanted(x, y)) ++x;
            if (same_run(x0, x, y - 1)) continue;
            std::int32_t y1 = y + 1;
            while (same_run(x0, x, y1)) ++y1;
            emit(CellRect{{x0, y}, {x, y1}, region.layer});
        }
    }
}

}  // namespace fairlead::debug
