// Where the middle of a body may be, brick by brick: what the search walks on.
//
// For a point and for spheres up to half a voxel it is every free voxel: a unit in one slides straight to its middle, and the step
// between the middles of two that share a face is legal.
#pragma once

#include <cstdint>

#include "volume/data/state.h"

namespace fairlead::volume {

class Masks {
  public:
    Masks() = default;
    explicit Masks(const StateData& state) : state_(&state) {}

    [[nodiscard]] const StateData& state() const { return *state_; }
    /// Of a brick, in bounds or not.
    [[nodiscard]] std::uint64_t free(std::int32_t x, std::int32_t y, std::int32_t z) const {
        if ((x | y | z) < 0) return 0;
        return state_->free_bits(x, y, z);
    }
    /// Is all of a part free, in so far as it is in bounds? The part is in bounds.
    [[nodiscard]] bool is_open(std::int32_t x, std::int32_t y, std::int32_t z) const {
        const Chunk* chunk = state_->chunks[state_->chunk_index(x >> 3, y >> 3, z >> 3)];
        return chunk == nullptr || chunk->cells[place64(x >> 1, y >> 1, z >> 1)].distance(place8(x, y, z)) != 0;
    }
    [[nodiscard]] bool part_in_bounds(std::int32_t x, std::int32_t y, std::int32_t z) const {
        return (x | y | z) >= 0 && state_->in_bounds({x * 8, y * 8, z * 8});
    }

  private:
    const StateData* state_ = nullptr;
};

}  // namespace fairlead::volume
