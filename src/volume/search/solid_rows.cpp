// Brick by brick into the rows; each width is the one before it and its neighbours.
#include "volume/search/solid_rows.h"

#include <algorithm>

namespace fairlead::volume {

bool SolidRows::load(const StateData& state, Voxel brick, const std::int32_t reach[3]) {
    const std::int32_t nx = (reach[0] + 3) >> 2, ny = (reach[1] + 3) >> 2, nz = (reach[2] + 3) >> 2;
    at_[0] = 4 * nx, at_[1] = 4 * ny, at_[2] = 4 * nz;
    wide_ = 4 * (2 * ny + 1);
    all_ = static_cast<std::size_t>(wide_ * 4 * (2 * nz + 1));
    empty_ = true;
    if (!rows_.resize_uninitialized(all_ * static_cast<std::size_t>(reach[0] + 1))) return false;
    std::fill_n(rows_.begin(), all_, std::uint64_t{0});
    for (std::int32_t z = -nz; z <= nz; ++z) {
        for (std::int32_t y = -ny; y <= ny; ++y) {
            std::uint64_t* const row = rows_.begin() + (z + nz) * 4 * wide_ + (y + ny) * 4;
            for (std::int32_t x = -nx; x <= nx; ++x) {
                const std::uint64_t bits = ~state.free_bits(brick.x + x, brick.y + y, brick.z + z);
                if (bits == 0) continue;
                empty_ = false;
                for (int i = 0; i < 16; ++i)
                    row[(i >> 2) * wide_ + (i & 3)] |= (bits >> (4 * i) & 15) << (4 * (x + nx));
            }
        }
    }
    for (std::size_t i = all_; i < rows_.size(); ++i) {
        const std::uint64_t before = rows_[i - all_];
        rows_[i] = before | before << 1 | before >> 1;
    }
    return true;
}

}  // namespace fairlead::volume
