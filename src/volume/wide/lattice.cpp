// Components of a brick's grown bits; and which octants of voxels are shut, by rows as words.
#include "volume/wide/lattice.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fairlead::volume {

namespace {

// How far the far side of a half of a voxel is from the voxel `offset` from it, in half voxels.
std::int32_t far_steps(std::int32_t offset, bool high) {
    if (offset == 0) return 0;
    return offset > 0 ? 2 * offset - (high ? 1 : 0) : -2 * offset - (high ? 0 : 1);
}

}  // namespace

bool Lattice::begin(Masks& masks, Sets& sets) {
    masks_ = &masks;
    state_ = &masks.state();
    sets_ = &sets;
    index_.begin();
    bricks_.clear();
    parts_.clear();
    octants_.clear();
    steps_.clear();
    failed_ = false;
    last_ = kNone;
    return !masks.by_rows() || make_steps();
}

bool Lattice::make_steps() {
    const double scale[3] = {state_->scale.x, state_->scale.y, state_->scale.z};
    const std::int32_t* const reach = masks_->reach();
    const double limit = masks_->body().limit;
    for (std::int32_t z = 0; z <= 2 * reach[2]; ++z) {
        for (std::int32_t y = 0; y <= 2 * reach[1]; ++y) {
            const double b = 0.5 * y * scale[1], c = std::max(0.5 * z * scale[2] - masks_->body().half, 0.0),
                         across = b * b + c * c;
            const auto near = [&](double x) { return x * x * scale[0] * scale[0] + across < limit; };
            Steps steps{-1, 0};
            if (across < limit) {
                while (near(steps.ahead + 1.0)) ++steps.ahead;
                while (near(steps.back + 0.5)) ++steps.back;
            }
            if (!steps_.push_back(steps)) return false;
        }
    }
    return true;
}

std::uint32_t Lattice::record(Voxel at) {
    if (last_ != kNone && last_at_ == at) return last_;
    std::uint32_t i = index_.find(at);
    if (i == kNone) {
        i = static_cast<std::uint32_t>(bricks_.size());
        if (!bricks_.push_back({at, 0, 0, 0, 0, kNone, false, false}) || !index_.insert(at, i)) {
            failed_ = true;
            return kNone;
        }
    }
    last_at_ = at;
    last_ = i;
    return i;
}

std::uint32_t Lattice::brick(Voxel at) {
    const std::uint32_t i = record(at);
    if (i == kNone || bricks_[i].has_fit) return i;
    const std::uint64_t fit = masks_->free(at.x, at.y, at.z);
    if (masks_->failed()) {
        failed_ = true;
        return kNone;
    }
    bricks_[i].fit = fit;
    bricks_[i].has_fit = true;
    if (add_parts(i)) return i;
    failed_ = true;
    return kNone;
}

bool Lattice::all_fit_around(std::uint32_t brick) const {
    const Voxel at = bricks_[brick].at;
    return masks_->is_inside(at, 1) && masks_->is_far(at, 1);
}

bool Lattice::shut_octants(std::uint32_t brick) {
    Octants octants{};
    const std::int32_t* const reach = masks_->reach();
    if (!rows_.load(*state_, bricks_[brick].at, reach)) return false;
    for (std::uint32_t half = 0; half < 4; ++half) {
        for (std::int32_t i = 0; i < 16; ++i) {
            std::uint64_t low = 0, high = 0;
            for (std::int32_t z = -reach[2]; z <= reach[2]; ++z) {
                const std::int32_t far_z = far_steps(z, half >= 2) * (2 * reach[1] + 1);
                for (std::int32_t y = -reach[1]; y <= reach[1]; ++y) {
                    const Steps steps =
                        steps_[static_cast<std::size_t>(far_z + far_steps(y, (half & 1) != 0))];
                    if (steps.ahead < 0) continue;
                    const std::uint64_t row = rows_.row(i, y, z, steps.ahead);
                    const bool more = steps.back > steps.ahead;
                    low |= more ? row | row << 1 : row;
                    high |= more ? row | row >> 1 : row;
                }
            }
            octants.shut[half * 2] |= (low >> rows_.shift() & 15) << (4 * i);
            octants.shut[half * 2 + 1] |= (high >> rows_.shift() & 15) << (4 * i);
        }
    }
    bricks_[brick].octants = static_cast<std::uint32_t>(octants_.size());
    return octants_.push_back(octants);
}

bool Lattice::shut(Voxel low, bool& is) {
    is = false;
    if (!masks_->by_rows()) return true;
    for (std::uint32_t i = 0; i < 8; ++i) {
        const auto bit = [&](int k) { return static_cast<std::int32_t>(i >> k & 1); };
        const Voxel v{low.x + bit(0), low.y + bit(1), low.z + bit(2)};
        const std::uint32_t b = record({v.x >> 2, v.y >> 2, v.z >> 2});
        if (b == kNone || (bricks_[b].octants == kNone && !shut_octants(b))) return false;
        // In the voxel of its high corner lies the low half of that one.
        if ((octants_[bricks_[b].octants].shut[~i & 7] >> place64(v.x, v.y, v.z) & 1) == 0) return true;
    }
    is = true;
    return true;
}

bool Lattice::add_parts(std::uint32_t brick) {
    bricks_[brick].parts = static_cast<std::uint32_t>(parts_.size());
    for (std::uint64_t left = bricks_[brick].fit; left != 0;) {
        std::uint64_t mask = left & (~left + 1);
        for (std::uint64_t more = mask;; mask = more) {
            more = grown_over_faces(mask) & left;
            if (more == mask) break;
        }
        left &= ~mask;
        const auto part = static_cast<std::uint32_t>(parts_.size());
        const std::uint32_t node = sets_->add(NodeKind::lattice, part);
        if (node == kNone || !parts_.push_back({mask, brick, node, kNone, 0, kNone})) return false;
        ++bricks_[brick].part_count;
    }
    return true;
}

std::uint32_t Lattice::node_in(std::uint32_t brick, std::uint32_t place) const {
    const LatticeBrick& b = bricks_[brick];
    if ((b.fit >> place & 1) == 0) return kNone;
    std::uint32_t part = b.parts;
    while ((parts_[part].mask >> place & 1) == 0) ++part;
    return parts_[part].node;
}

std::uint32_t Lattice::node_at(Voxel v) {
    const std::uint32_t b = brick({v.x >> 2, v.y >> 2, v.z >> 2});
    return b == kNone ? kNone : node_in(b, place64(v.x, v.y, v.z));
}

bool Lattice::nodes_around(Voxel low, std::uint32_t nodes[8]) {
    // On which axes the next voxel is in another brick.
    const std::uint32_t over =
        ((low.x & 3) == 3 ? 1U : 0U) | ((low.y & 3) == 3 ? 2U : 0U) | ((low.z & 3) == 3 ? 4U : 0U);
    std::uint32_t bricks[8];
    for (std::uint32_t i = 0; i < 8; ++i) {
        const auto bit = [&](int k) { return static_cast<std::int32_t>(i >> k & 1); };
        const Voxel v{low.x + bit(0), low.y + bit(1), low.z + bit(2)};
        bricks[i] = (i & ~over) == 0 ? brick({v.x >> 2, v.y >> 2, v.z >> 2}) : bricks[i & over];
        if (bricks[i] == kNone) return false;
        nodes[i] = node_in(bricks[i], place64(v.x, v.y, v.z));
    }
    return true;
}

bool Lattice::shown(Voxel at, std::uint64_t& bits) {
    const std::uint32_t i = record(at);
    if (i == kNone) return false;
    if (!bricks_[i].has_shown) {
        const std::uint64_t b = solid(at);
        std::uint64_t hidden = b;
        if (b != 0) {
            constexpr std::uint64_t x = 0x1111111111111111ULL, y = 0x000f000f000f000fULL;
            const auto next = [&](std::int32_t dx, std::int32_t dy, std::int32_t dz) {
                return solid({at.x + dx, at.y + dy, at.z + dz});
            };
            hidden &= (b << 1 & ~x) | (next(-1, 0, 0) >> 3 & x);
            hidden &= (b >> 1 & ~(x << 3)) | (next(1, 0, 0) << 3 & x << 3);
            hidden &= (b << 4 & ~y) | (next(0, -1, 0) >> 12 & y);
            hidden &= (b >> 4 & ~(y << 12)) | (next(0, 1, 0) << 12 & y << 12);
            hidden &= b << 16 | next(0, 0, -1) >> 48;
            hidden &= b >> 16 | next(0, 0, 1) << 48;
        }
        bricks_[i].shown = b & ~hidden;
        bricks_[i].has_shown = true;
    }
    bits = bricks_[i].shown;
    return true;
}

bool Lattice::around(std::uint32_t brick, std::uint8_t fit[36], std::uint8_t rough[25]) {
    const Voxel at = bricks_[brick].at;
    std::fill_n(fit, 36, std::uint8_t{0});
    for (std::int32_t n = 0; n < 27; ++n) {
        const std::int32_t d[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        const std::uint32_t b = this->brick({at.x + d[0], at.y + d[1], at.z + d[2]});
        if (b == kNone) return false;
        const std::uint64_t bits = bricks_[b].fit;
        // Which of its layers are wanted, and where they go.
        const auto from = [&](int k) { return d[k] < 0 ? 3 : 0; };
        const auto to = [&](int k) { return d[k] > 0 ? 0 : 3; };
        for (std::int32_t z = from(2); z <= to(2); ++z) {
            for (std::int32_t y = from(1); y <= to(1); ++y) {
                const auto row = static_cast<std::uint32_t>(bits >> (z * 16 + y * 4) & 15);
                std::uint8_t& out = fit[(z + d[2] * 4 + 1) * 6 + y + d[1] * 4 + 1];
                const std::uint32_t put = d[0] < 0 ? row >> 3 : d[0] > 0 ? (row & 1) << 5 : row << 1;
                out = static_cast<std::uint8_t>(out | put);
            }
        }
    }
    for (std::int32_t z = 0; z < 5; ++z) {
        for (std::int32_t y = 0; y < 5; ++y) {
            const auto row = [&](std::int32_t dy, std::int32_t dz) {
                return static_cast<std::uint32_t>(fit[(z + dz) * 6 + y + dy]);
            };
            const std::uint32_t all = row(0, 0) & row(1, 0) & row(0, 1) & row(1, 1);
            rough[z * 5 + y] = static_cast<std::uint8_t>(~(all & all >> 1) & 31);
        }
    }
    return true;
}

}  // namespace fairlead::volume
