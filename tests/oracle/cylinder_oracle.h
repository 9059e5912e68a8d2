// The witness for cylinders: Dijkstra over the tiles of all slices, from the numbers of solid slices alone.
//
// Written apart from the library: it has its own seam, corners and moves of depth. Slow and plain.
#pragma once

#include <cstdint>
#include <vector>

namespace fairlead::oracle {

struct UnrolledSlices {
    int around = 0, along = 0, slices = 0;
    std::vector<std::uint8_t> solid;  ///< by y, then x: slices that are solid, from the wall on
    double depth_cost = 1.0;          ///< of a move to the next slice, in tiles

    [[nodiscard]] bool free(int x, int y, int slice) const {
        if (y < 0 || y >= along || slice < 0 || slice >= slices) return false;
        return solid[static_cast<std::size_t>(y * around + (x % around + around) % around)] <= slice;
    }
    [[nodiscard]] int tile(int x, int y, int slice) const { return (slice * along + y) * around + x; }

    /// Costs in tiles from one tile to all; below 0: no way. Eight neighbours, no corner cut.
    [[nodiscard]] std::vector<double> costs_from(int x, int y, int slice) const;
};

}  // namespace fairlead::oracle
