// See masks.h.
#include "volume/search/masks.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fairlead::volume {

namespace {

double gap(std::int32_t voxels, double scale) { return voxels == 0 ? 0.0 : (std::abs(voxels) - 0.5) * scale; }

// Is the middle of a voxel too near to the voxel that is so far from it?
bool touches(const StateData& state, double limit, std::int32_t x, std::int32_t y, std::int32_t z) {
    const double a = gap(x, state.scale.x), b = gap(y, state.scale.y), c = gap(z, state.scale.z);
    return a * a + b * b + c * c < limit;
}

std::int32_t reach_along(double limit, double scale) {
    std::int32_t n = 0;
    while (n <= kReachMax && gap(n + 1, scale) * gap(n + 1, scale) < limit) ++n;
    return n;
}

}  // namespace

bool Masks::serves(const StateData& state, double radius) {
    const double limit = radius * radius * (1.0 - 1e-12);
    return reach_along(limit, state.scale.x) <= kReachMax && reach_along(limit, state.scale.y) <= kReachMax &&
           reach_along(limit, state.scale.z) <= kReachMax;
}

bool Masks::begin(const StateData& state, const Body& body) {
    state_ = &state;
    reach_ = 0;
    const double limit = body.limit;
    const double scale[3] = {state.scale.x, state.scale.y, state.scale.z};
    std::int32_t reach[3];
    for (int k = 0; k < 3; ++k) {
        reach[k] = reach_along(limit, scale[k]);
        reach_ = std::max(reach_, reach[k]);
        margin_[k] = reach[k];
    }
    if (reach_ == 0) return true;
    if (reach_ > kReachMax) return false;
    bricks_.clear();
    table_.reset();
    arms_.clear();
    clear_ = 0.0;
    for (int k = 0; k < 3; ++k) clear_ = std::max(clear_, body.radius / scale[k]);
    for (std::int32_t dz = -reach[2]; dz <= reach[2]; ++dz) {
        for (std::int32_t dy = -reach[1]; dy <= reach[1]; ++dy) {
            if (!touches(state, limit, 0, dy, dz)) continue;
            std::int32_t width = 0;
            while (touches(state, limit, width + 1, dy, dz)) ++width;
            if (!arms_.push_back({dy, dz, width})) return false;
        }
    }
    return true;
}

// Voxels of a brick whose middles keep off the bounds.
std::uint64_t Masks::inside_bits(std::int32_t x, std::int32_t y, std::int32_t z) const {
    const Voxel size = state_->size;
    const auto axis = [](std::int32_t corner, std::int32_t margin, std::int32_t side, std::uint64_t plane,
                         std::uint32_t step) {
        return bits_between(margin - corner, side - margin - 1 - corner, plane, step);
    };
    return axis(x * 4, margin_[0], size.x, kLowX, 1) & axis(y * 4, margin_[1], size.y, kLowY, 4) &
           axis(z * 4, margin_[2], size.z, kLowZ, 16);
}

bool Masks::is_wide_open(std::int32_t x, std::int32_t y, std::int32_t z) const {
    const std::int32_t low[3] = {x * 8, y * 8, z * 8},
                       size[3] = {state_->size.x, state_->size.y, state_->size.z};
    for (int k = 0; k < 3; ++k) {
        if (low[k] < margin_[k] || std::min(low[k] + 8, size[k]) > size[k] - margin_[k]) return false;
    }
    const Chunk* chunk = state_->chunks[state_->chunk_index(x >> 3, y >> 3, z >> 3)];
    std::int32_t clear = 8 * (kDistanceCap - 1);
    if (chunk != nullptr) {
        const std::int32_t near = chunk->cells[place64(x >> 1, y >> 1, z >> 1)].distance(place8(x, y, z));
        if (near == 0) return false;
        clear = 8 * (near - 1);
    }
    return clear + 0.5 >= clear_;
}

std::uint64_t Masks::grow(std::int32_t x, std::int32_t y, std::int32_t z) const {
    std::uint64_t open = inside_bits(x, y, z);
    if (open == 0) return 0;
    // Solid voxels around, a row along x a word: bit i is the voxel i - shift from the brick's low corner.
    const std::int32_t bricks = (reach_ + 3) >> 2, shift = bricks * 4;
    std::uint64_t solid[2 * kReachMax + 4][2 * kReachMax + 4];
    const std::int32_t rows = 2 * shift + 4;
    for (std::int32_t i = 0; i < rows; ++i) std::fill_n(solid[i], rows, std::uint64_t{0});
    bool any = false;
    for (std::int32_t bz = -bricks; bz <= bricks; ++bz) {
        for (std::int32_t by = -bricks; by <= bricks; ++by) {
            for (std::int32_t bx = -bricks; bx <= bricks; ++bx) {
                if ((x + bx) < 0 || (y + by) < 0 || (z + bz) < 0 ||
                    !state_->brick_in_bounds(x + bx, y + by, z + bz))
                    continue;
                const std::uint64_t bits = state_->stored_bits(x + bx, y + by, z + bz);
                if (bits == 0) continue;
                any = true;
                for (std::int32_t i = 0; i < 16; ++i)
                    solid[(bz + bricks) * 4 + (i >> 2)][(by + bricks) * 4 + (i & 3)] |=
                        (bits >> (4 * i) & 15) << ((bx + bricks) * 4);
            }
        }
    }
    if (!any) return open;
    for (std::int32_t i = 0; i < 16; ++i) {
        std::uint64_t row = 0;
        for (const Arm& arm : arms_) {
            const std::uint64_t w = solid[shift + (i >> 2) + arm.dz][shift + (i & 3) + arm.dy];
            if (w == 0) continue;
            std::uint64_t wide = w;
            for (std::int32_t k = 1; k <= arm.width; ++k) wide |= w << k | w >> k;
            row |= wide >> shift & 15;
        }
        open &= ~(row << (4 * i));
    }
    return open;
}

std::uint64_t Masks::grown_bits(std::int32_t x, std::int32_t y, std::int32_t z) {
    if (!state_->brick_in_bounds(x, y, z)) return 0;
    const std::uint64_t key = (static_cast<std::uint64_t>(z) << 42) | (static_cast<std::uint64_t>(y) << 21) |
                              static_cast<std::uint64_t>(x);
    const std::uint32_t kept = table_.find(bricks_, key);
    if (kept != kNoNode) return bricks_[kept].bits;
    const std::uint64_t bits = grow(x, y, z);
    bool added = false;
    (void)table_.find_or_add(bricks_, {key, bits}, added);  // without memory it is made again the next time
    return bits;
}

}  // namespace fairlead::volume
