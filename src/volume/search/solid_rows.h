// The solid voxels around a brick as rows along x, a word each, and the same widened: row by row it is seen what a sphere in the brick
// would touch.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "volume/data/state.h"

namespace fairlead::volume {

class SolidRows {
  public:
    /// Voxels: seven bricks to either side and the one between fill a word.
    static constexpr std::int32_t kReachMax = 28;

    explicit SolidRows(const Allocator& allocator) : rows_(allocator) {}

    /// Around a brick, up to `reach` voxels away on each axis, widened by up to reach[0]. False: out of memory.
    [[nodiscard]] bool load(const StateData& state, Voxel brick, const std::int32_t reach[3]);
    /// Is all around free?
    [[nodiscard]] bool empty() const { return empty_; }
    /// The row (dy, dz) beside row i of the brick (its y, then z), widened by `width` voxels to both sides. Row i's own voxels are the four
    /// bits from `shift()` on.
    [[nodiscard]] std::uint64_t row(std::int32_t i, std::int32_t dy, std::int32_t dz,
                                    std::int32_t width) const {
        const std::int32_t at = (at_[2] + (i >> 2) + dz) * wide_ + at_[1] + (i & 3) + dy;
        return rows_[static_cast<std::size_t>(width) * all_ + static_cast<std::size_t>(at)];
    }
    [[nodiscard]] std::int32_t shift() const { return at_[0]; }

  private:
    Array<std::uint64_t> rows_;
    std::int32_t wide_ = 0;    ///< rows a layer of voxels
    std::size_t all_ = 0;      ///< rows in all; those again for each width
    std::int32_t at_[3] = {};  ///< where the brick begins in them
    bool empty_ = true;
};

}  // namespace fairlead::volume
