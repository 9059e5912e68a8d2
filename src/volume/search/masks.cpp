// See masks.h.
#include "volume/search/masks.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fairlead::volume {

namespace {

double gap(std::int32_t voxels, double scale) { return voxels == 0 ? 0.0 : (std::abs(voxels) - 0.5) * scale; }
double gap(std::int32_t voxels, double scale, double half) {
    return std::max(gap(voxels, scale) - half, 0.0);
}

// Above what is so far up: a capsule is round there.
bool is_low(const Body& body, double gap_up) { return !body.is_cylinder || gap_up == 0.0; }

// Is the middle of a voxel too near to the voxel that is so far from it?
bool touches(const StateData& state, const Body& body, std::int32_t x, std::int32_t y, std::int32_t z) {
    const double a = gap(x, state.scale.x), b = gap(y, state.scale.y), c = gap(z, state.scale.z, body.half);
    return a * a + b * b + c * c < body.limit && is_low(body, c);
}

// Far bounds stop what reaches farther than any word.
std::int32_t reach_along(double limit, double scale, double half, std::int32_t size) {
    std::int32_t n = 0;
    while (n <= size && gap(n + 1, scale, half) * gap(n + 1, scale, half) < limit) ++n;
    return n;
}
std::int32_t reach_up(const Body& body, double scale, std::int32_t size) {
    return reach_along(body.is_cylinder ? 0x1p-1000 : body.limit, scale, body.half, size);
}

}  // namespace

bool Masks::begin(const StateData& state, const Body& body) {
    state_ = &state;
    body_ = &body;
    const double scale[3] = {state.scale.x, state.scale.y, state.scale.z};
    const std::int32_t size[3] = {state.size.x, state.size.y, state.size.z};
    clear_ = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double half = k == 2 ? body.half : 0.0;
        reach_[k] =
            k == 2 ? reach_up(body, scale[k], size[k]) : reach_along(body.limit, scale[k], 0.0, size[k]);
        clear_ = std::max(clear_, (body.radius + half) / scale[k]);
    }
    most_ = std::max({reach_[0], reach_[1], reach_[2]});
    blockers_ = body.blockers != nullptr && !body.blockers->empty() ? body.blockers : nullptr;
    narrow_ = most_ == 0;
    by_rows_ = most_ <= SolidRows::kReachMax;
    failed_ = false;
    bricks_.clear();
    table_.reset();
    arms_.clear();
    if (narrow_ || !by_rows_) return true;
    for (std::int32_t dz = -reach_[2]; dz <= reach_[2]; ++dz) {
        for (std::int32_t dy = -reach_[1]; dy <= reach_[1]; ++dy) {
            if (!touches(state, body, 0, dy, dz)) continue;
            std::int32_t width = 0;
            while (width < reach_[0] && touches(state, body, width + 1, dy, dz)) ++width;
            if (!arms_.push_back({dy, dz, width})) return false;
        }
    }
    return true;
}

// Voxels of a brick whose middles keep off the bounds.
std::uint64_t Masks::inside_bits(Voxel brick) const {
    const Voxel size = state_->size;
    const auto axis = [](std::int32_t corner, std::int32_t margin, std::int32_t side, std::uint64_t plane,
                         std::uint32_t step) {
        return bits_between(margin - corner, side - margin - 1 - corner, plane, step);
    };
    return axis(brick.x * 4, reach_[0], size.x, kLowX, 1) & axis(brick.y * 4, reach_[1], size.y, kLowY, 4) &
           axis(brick.z * 4, reach_[2], size.z, kLowZ, 16);
}

bool Masks::is_inside(Voxel brick, std::int32_t more) const {
    const std::int32_t low[3] = {brick.x * 4, brick.y * 4, brick.z * 4};
    const std::int32_t size[3] = {state_->size.x, state_->size.y, state_->size.z};
    for (int k = 0; k < 3; ++k) {
        if (low[k] - more < reach_[k] || low[k] + 3 + more > size[k] - 1 - reach_[k]) return false;
    }
    return true;
}

bool Masks::is_far(Voxel brick, std::int32_t more) const {
    const CellEntry& cell = state_->cell_entry(brick.x >> 2, brick.y >> 2, brick.z >> 2);
    const std::int32_t free = (cell.distance(place8(brick.x >> 1, brick.y >> 1, brick.z >> 1)) - 1) * 8;
    return free >= most_ + more;
}

bool Masks::is_wide_open(std::int32_t x, std::int32_t y, std::int32_t z) const {
    const std::int32_t low[3] = {x * 8, y * 8, z * 8},
                       size[3] = {state_->size.x, state_->size.y, state_->size.z};
    for (int k = 0; k < 3; ++k) {
        if (low[k] < reach_[k] || std::min(low[k] + 8, size[k]) > size[k] - reach_[k]) return false;
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

std::uint64_t Masks::grow_one_by_one(Voxel brick, std::uint64_t open) const {
    std::uint64_t fit = 0;
    for (std::uint64_t left = open; left != 0; left &= left - 1) {
        const std::int32_t b = std::countr_zero(left);
        const Voxel v{brick.x * 4 + (b & 3), brick.y * 4 + (b >> 2 & 3), brick.z * 4 + (b >> 4)};
        if (stands(*state_, *body_, middle_of(v))) fit |= std::uint64_t{1} << b;
    }
    return fit;
}

// A middle fits where no row around it, widened by what the sphere reaches at that distance, has a bit. False: out of memory.
bool Masks::grow(Voxel brick, std::uint64_t& open) {
    open &= state_->free_bits(brick.x, brick.y, brick.z);
    if (open == 0) return true;
    if (!by_rows_) {
        open = grow_one_by_one(brick, open);
        return true;
    }
    if (!rows_.load(*state_, brick, reach_)) return false;
    if (rows_.empty()) return true;
    for (std::int32_t i = 0; i < 16; ++i) {
        std::uint64_t row = 0;
        for (const Arm& arm : arms_) row |= rows_.row(i, arm.dy, arm.dz, arm.width);
        open &= ~((row >> rows_.shift() & 15) << (4 * i));
    }
    return true;
}

std::uint64_t Masks::grown_bits(std::int32_t x, std::int32_t y, std::int32_t z) {
    if (!state_->brick_in_bounds(x, y, z)) return 0;
    const Voxel brick{x, y, z};
    std::uint64_t bits = inside_bits(brick);
    if (bits == 0 || is_far(brick, 0)) return bits;
    const std::uint64_t key = (static_cast<std::uint64_t>(z) << 42) | (static_cast<std::uint64_t>(y) << 21) |
                              static_cast<std::uint64_t>(x);
    const std::uint32_t kept = table_.find(bricks_, key);
    if (kept != kNoNode) return bricks_[kept].bits;
    bool added = false;
    if (grow(brick, bits) && table_.find_or_add(bricks_, {key, bits}, added) != kNoNode) return bits;
    failed_ = true;
    return 0;
}

}  // namespace fairlead::volume
