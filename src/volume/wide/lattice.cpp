// Rows of voxels as words: a middle fits where no row around it, widened by what the sphere reaches at that
// distance, has a bit.
#include "volume/wide/lattice.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fairlead::volume {

namespace {

constexpr std::int32_t kRowReach =
    28;  ///< voxels: seven bricks to either side and the one between fill a word

double squared_gap(std::int32_t offset, double scale) {
    const double gap = offset == 0 ? 0.0 : (offset - 0.5) * scale;
    return gap * gap;
}

// How far the far side of a half of a voxel is from the voxel `offset` from it, in half voxels.
std::int32_t far_steps(std::int32_t offset, bool high) {
    if (offset == 0) return 0;
    return offset > 0 ? 2 * offset - (high ? 1 : 0) : -2 * offset - (high ? 0 : 1);
}

}  // namespace

bool Lattice::begin(const StateData& state, const Body& body, Sets& sets) {
    state_ = &state;
    body_ = &body;
    sets_ = &sets;
    index_.begin();
    bricks_.clear();
    parts_.clear();
    half_.clear();
    octants_.clear();
    failed_ = false;
    last_ = kNone;
    const double s[3] = {state.scale.x, state.scale.y, state.scale.z};
    const std::int32_t size[3] = {state.size.x, state.size.y, state.size.z};
    by_rows_ = true;
    for (int k = 0; k < 3; ++k) {
        reach_[k] = 0;
        while (reach_[k] <= kRowReach && squared_gap(reach_[k] + 1, s[k]) < body.limit) ++reach_[k];
        by_rows_ = by_rows_ && reach_[k] <= kRowReach;
        low_[k] = 0, high_[k] = size[k] - 1;
        const double keep = body.limit;
        while (low_[k] <= high_[k] && squared_gap(low_[k] + 1, s[k]) < keep) ++low_[k], --high_[k];
    }
    if (!by_rows_) return true;
    if (!half_.resize_uninitialized(static_cast<std::size_t>((reach_[1] + 1) * (reach_[2] + 1))))
        return false;
    for (std::int32_t z = 0; z <= reach_[2]; ++z) {
        for (std::int32_t y = 0; y <= reach_[1]; ++y) {
            std::int32_t x = -1;
            while (squared_gap(x + 1, s[0]) + squared_gap(y, s[1]) + squared_gap(z, s[2]) < body.limit) ++x;
            half_[static_cast<std::size_t>(z * (reach_[1] + 1) + y)] = static_cast<std::int8_t>(x);
        }
    }
    return make_steps(s);
}

bool Lattice::make_steps(const double scale[3]) {
    steps_.clear();
    for (std::int32_t z = 0; z <= 2 * reach_[2]; ++z) {
        for (std::int32_t y = 0; y <= 2 * reach_[1]; ++y) {
            const double b = 0.5 * y * scale[1], c = 0.5 * z * scale[2], across = b * b + c * c;
            const auto near = [&](double x) { return x * x * scale[0] * scale[0] + across < body_->limit; };
            Steps steps{-1, 0};
            if (across < body_->limit) {
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
    std::uint64_t fit = 0;
    if (!state_->brick_in_bounds(at.x, at.y, at.z)) {
        fit = 0;
    } else if (far_from_all(at, 0)) {
        fit = within_bounds(at);
    } else if (!by_rows_) {
        fit = fit_one_by_one(at);
    } else if (!fit_by_rows(at, fit)) {
        failed_ = true;
        return kNone;
    }
    bricks_[i].fit = fit;
    bricks_[i].has_fit = true;
    if (add_parts(i)) return i;
    failed_ = true;
    return kNone;
}

// By the distances of its part: nothing solid is as near as the sphere reaches, and `more`.
bool Lattice::far_from_all(Voxel at, std::int32_t more) const {
    const CellEntry& cell = state_->cell_entry(at.x >> 2, at.y >> 2, at.z >> 2);
    const std::int32_t free = (cell.distance(place8(at.x >> 1, at.y >> 1, at.z >> 1)) - 1) * 8;
    return free >= std::max({reach_[0], reach_[1], reach_[2]}) + more;
}

bool Lattice::all_fit_around(std::uint32_t brick) const {
    const Voxel at = bricks_[brick].at;
    const std::int32_t a[3] = {at.x * 4, at.y * 4, at.z * 4};
    for (int k = 0; k < 3; ++k) {
        if (a[k] - 1 < low_[k] || a[k] + 4 > high_[k]) return false;
    }
    return far_from_all(at, 1);
}

std::uint64_t Lattice::within_bounds(Voxel at) const {
    const std::int32_t a[3] = {at.x * 4, at.y * 4, at.z * 4};
    const std::uint64_t plane[3] = {0x1111111111111111ULL, 0x000f000f000f000fULL, 0xffffULL};
    std::uint64_t all = kAll;
    for (int k = 0; k < 3; ++k) {
        std::uint64_t bits = 0;
        for (int i = 0; i < 4; ++i) {
            if (a[k] + i >= low_[k] && a[k] + i <= high_[k]) bits |= plane[k] << (i << (2 * k));
        }
        all &= bits;
    }
    return all;
}

std::uint64_t Lattice::fit_one_by_one(Voxel at) const {
    std::uint64_t fit = 0;
    std::uint64_t left = state_->free_bits(at.x, at.y, at.z) & within_bounds(at);
    for (; left != 0; left &= left - 1) {
        const int b = std::countr_zero(left);
        const Vec3 p = middle_of({at.x * 4 + (b & 3), at.y * 4 + (b >> 2 & 3), at.z * 4 + (b >> 4)});
        if (stands(*state_, *body_, p)) fit |= std::uint64_t{1} << b;
    }
    return fit;
}

// The solid voxels around a brick, row by row along x.
bool Lattice::load_rows(Voxel at) {
    const std::int32_t nx = (reach_[0] + 3) >> 2, ny = (reach_[1] + 3) >> 2, nz = (reach_[2] + 3) >> 2;
    rows_at_[0] = 4 * nx, rows_at_[1] = 4 * ny, rows_at_[2] = 4 * nz;
    rows_wide_ = 4 * (2 * ny + 1);
    rows_all_ = static_cast<std::size_t>(rows_wide_ * 4 * (2 * nz + 1));
    if (!rows_.resize_uninitialized(rows_all_ * static_cast<std::size_t>(reach_[0] + 1))) return false;
    std::fill_n(rows_.begin(), rows_all_, std::uint64_t{0});
    for (std::int32_t z = -nz; z <= nz; ++z) {
        for (std::int32_t y = -ny; y <= ny; ++y) {
            std::uint64_t* const row = rows_.begin() + (z + nz) * 4 * rows_wide_ + (y + ny) * 4;
            for (std::int32_t x = -nx; x <= nx; ++x) {
                const std::uint64_t bits = solid({at.x + x, at.y + y, at.z + z});
                if (bits == 0) continue;
                for (int i = 0; i < 16; ++i)
                    row[(i >> 2) * rows_wide_ + (i & 3)] |= (bits >> (4 * i) & 15) << (4 * (x + nx));
            }
        }
    }
    return true;
}

void Lattice::widen_rows() {
    for (std::size_t i = rows_all_; i < rows_.size(); ++i) {
        const std::uint64_t row = rows_[i - rows_all_];
        rows_[i] = row | row << 1 | row >> 1;
    }
}

bool Lattice::fit_by_rows(Voxel at, std::uint64_t& fit) {
    fit = 0;
    if (state_->free_bits(at.x, at.y, at.z) == 0) return true;
    if (!load_rows(at)) return false;
    widen_rows();
    for (std::int32_t i = 0; i < 16; ++i) {
        std::uint64_t all = 0;
        for (std::int32_t z = -reach_[2]; z <= reach_[2]; ++z) {
            for (std::int32_t y = -reach_[1]; y <= reach_[1]; ++y) {
                const std::int32_t h = half_at(std::abs(y), std::abs(z));
                if (h < 0) continue;
                const std::int32_t row =
                    (rows_at_[2] + (i >> 2) + z) * rows_wide_ + rows_at_[1] + (i & 3) + y;
                all |= rows_[static_cast<std::size_t>(h) * rows_all_ + static_cast<std::size_t>(row)];
            }
        }
        fit |= (~all >> rows_at_[0] & 15) << (4 * i);
    }
    return true;
}

bool Lattice::shut_octants(std::uint32_t brick) {
    Octants octants{};
    if (!load_rows(bricks_[brick].at)) return false;
    widen_rows();
    for (std::uint32_t half = 0; half < 4; ++half) {
        for (std::int32_t i = 0; i < 16; ++i) {
            std::uint64_t low = 0, high = 0;
            for (std::int32_t z = -reach_[2]; z <= reach_[2]; ++z) {
                const std::int32_t far_z = far_steps(z, half >= 2) * (2 * reach_[1] + 1);
                for (std::int32_t y = -reach_[1]; y <= reach_[1]; ++y) {
                    const Steps steps =
                        steps_[static_cast<std::size_t>(far_z + far_steps(y, (half & 1) != 0))];
                    if (steps.ahead < 0) continue;
                    const std::int32_t at =
                        (rows_at_[2] + (i >> 2) + z) * rows_wide_ + rows_at_[1] + (i & 3) + y;
                    const std::uint64_t row = rows_[static_cast<std::size_t>(steps.ahead) * rows_all_ +
                                                    static_cast<std::size_t>(at)];
                    const bool more = steps.back > steps.ahead;
                    low |= more ? row | row << 1 : row;
                    high |= more ? row | row >> 1 : row;
                }
            }
            octants.shut[half * 2] |= (low >> rows_at_[0] & 15) << (4 * i);
            octants.shut[half * 2 + 1] |= (high >> rows_at_[0] & 15) << (4 * i);
        }
    }
    bricks_[brick].octants = static_cast<std::uint32_t>(octants_.size());
    return octants_.push_back(octants);
}

bool Lattice::shut(Voxel low, bool& is) {
    is = false;
    if (!by_rows_) return true;
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
