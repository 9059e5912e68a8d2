// The components of a cell's free voxels, by floods of bits: first inside each brick, then across the bricks' faces.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/platform.h>
#include <fairlead/volume/volume.h>

#include "volume/data/state.h"

namespace fairlead::volume {

/// All that is joined to `seed` through faces within `free`.
[[nodiscard]] FAIRLEAD_INLINE std::uint64_t flood_brick(std::uint64_t seed, std::uint64_t free) {
    for (std::uint64_t now = seed;; seed = now) {
        now |= ((now << 1 & ~kLowX) | (now >> 1 & ~(kLowX << 3))) & free;
        now |= ((now << 4 & ~kLowY) | (now >> 4 & ~(kLowY << 12))) & free;
        now |= (now << 16 | now >> 16) & free;
        if (now == seed) return now;
    }
}

/// A component of one brick, and which of the cell's it belongs to.
struct BrickPart {
    std::uint64_t bits = 0;
    std::uint16_t component = 0;
};

/// One cell's: parts of brick b are parts[first[b]] to parts[first[b + 1] - 1], by their lowest bit. Components are numbered by their
/// first part.
struct CellFlood {
    std::uint16_t first[65] = {};
    std::uint16_t components = 0;
    BrickPart parts[2048];
};

void flood_cell(const StateData& state, std::int32_t x, std::int32_t y, std::int32_t z, CellFlood& flood);

}  // namespace fairlead::volume
