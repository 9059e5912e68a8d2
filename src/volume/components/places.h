// Where a cell lies among all cells, by its chunk and its place there.
#pragma once

#include <cstdint>

#include "volume/components/joins.h"
#include "volume/data/state.h"

namespace fairlead::volume {

/// In cells.
struct Place {
    std::int32_t x, y, z;
};

[[nodiscard]] inline Place place_of(const StateData& state, std::uint32_t chunk, std::uint32_t cell) {
    const auto nx = static_cast<std::uint32_t>(state.chunk_count.x),
               ny = static_cast<std::uint32_t>(state.chunk_count.y);
    const auto c = static_cast<std::int32_t>(cell);
    return {static_cast<std::int32_t>(chunk % nx) * 4 + (c & 3),
            static_cast<std::int32_t>(chunk / nx % ny) * 4 + (c >> 2 & 3),
            static_cast<std::int32_t>(chunk / nx / ny) * 4 + (c >> 4)};
}

[[nodiscard]] inline std::uint32_t chunk_at(const StateData& state, Place p) {
    return static_cast<std::uint32_t>(state.chunk_index(p.x >> 2, p.y >> 2, p.z >> 2));
}

[[nodiscard]] inline Place neighbour(Place p, std::uint32_t face) {
    return {p.x + kFaceStep[face][0], p.y + kFaceStep[face][1], p.z + kFaceStep[face][2]};
}

[[nodiscard]] inline bool is_cell(const StateData& state, Place p) {
    return (p.x | p.y | p.z) >= 0 && state.cell_in_bounds(p.x, p.y, p.z);
}

}  // namespace fairlead::volume
