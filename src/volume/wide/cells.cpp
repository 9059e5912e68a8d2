// See cells.h.
#include "volume/wide/cells.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fairlead::volume {

namespace {

constexpr std::uint32_t kOutside = kNone - 1;

}  // namespace

Cells::AxisGaps Cells::axis_gaps(double low, double side, double voxel, const FineUnit& unit) {
    const double a = unit.gap(low, voxel), b = unit.gap(low + side, voxel);
    const double middle = unit.gap(low + 0.5 * side, voxel);
    const double v = voxel * 64.0;
    const bool meets = low <= v + 64.0 && low + side >= v;
    const double near = meets ? 0.0 : std::min(a, b), far = std::max(a, b);
    return {near * near, far * far, middle * middle};
}

bool Cells::begin(const StateData& state, const Body& body, Lattice& lattice, Sets& sets) {
    state_ = &state;
    body_ = &body;
    lattice_ = &lattice;
    sets_ = &sets;
    index_.begin();
    cells_.clear();
    sides_.clear();
    corners_.clear();
    lists_.clear();
    cuts_ = 0;
    undecided_ = failed_ = false;
    unit_[0] = {state.scale.x / 64.0, 0.0};
    unit_[1] = {state.scale.y / 64.0, 0.0};
    unit_[2] = {state.scale.z / 64.0, body.half};
    longest_ = std::max({unit_[0].unit, unit_[1].unit, unit_[2].unit});
    gaps_.clear();
    for (int k = 0; k < 3; ++k) {
        gaps_low_[k] = static_cast<std::int32_t>(std::floor(0.5 - body.grow[k]));
        gaps_high_[k] = static_cast<std::int32_t>(std::floor(1.5 + body.grow[k]));
        gaps_first_[k] = static_cast<std::uint32_t>(gaps_.size());
        for (std::int32_t v = gaps_low_[k]; v <= gaps_high_[k]; ++v) {
            if (!gaps_.push_back(axis_gaps(32.0, 64.0, v, unit_[k]))) return false;
        }
    }
    return true;
}

std::uint32_t Cells::cube(Voxel low) {
    const std::uint32_t known = index_.find(low);
    if (known != kNone) return known;
    WideCell cell{};
    cell.low[0] = low.x * 64 + 32;
    cell.low[1] = low.y * 64 + 32;
    cell.low[2] = low.z * 64 + 32;
    cell.parent = cell.child = cell.node = kNone;
    cell.weight = 16;
    const std::size_t first = corners_.size();
    if (!corners_.resize_uninitialized(first + 8) || !lattice_->nodes_around(low, &corners_[first])) {
        failed_ = true;
        return kNone;
    }
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
        if (corners_[first + corner] != kNone)
            cell.corners = static_cast<std::uint8_t>(cell.corners | 1U << corner);
    }
    if (cell.corners == 255) {
        cell.state = CellState::free;
        cell.weight = 0;
        cell.node = corners_[first];
    }
    const auto id = static_cast<std::uint32_t>(cells_.size());
    cell.cube = id;
    cell.sides = static_cast<std::uint32_t>(sides_.size());
    bool good = cells_.push_back(cell) && index_.insert(low, id);
    for (int face = 0; face < 6 && good; ++face) good = sides_.push_back(kNone);
    if (!good) {
        failed_ = true;
        return kNone;
    }
    return id;
}

FineBox Cells::fine_box(const WideCell& cell) const {
    const Voxel b = base(cell);
    return {{static_cast<double>(cell.low[0] - b.x * 64), static_cast<double>(cell.low[1] - b.y * 64),
             static_cast<double>(cell.low[2] - b.z * 64)},
            static_cast<double>(cell.side())};
}

void Cells::gather_brick(Voxel brick, std::uint64_t bits, Voxel low, Nearest& nearest, bool& good) {
    const std::int32_t at[3] = {brick.x * 4 - low.x, brick.y * 4 - low.y, brick.z * 4 - low.z};
    constexpr std::uint64_t plane[3] = {0x1111111111111111ULL, 0x000f000f000f000fULL, 0xffffULL};
    for (int k = 0; k < 3; ++k) {
        if (at[k] >= gaps_low_[k] && at[k] + 3 <= gaps_high_[k]) continue;
        std::uint64_t in = 0;
        for (std::int32_t i = 0; i < 4; ++i) {
            if (at[k] + i >= gaps_low_[k] && at[k] + i <= gaps_high_[k]) in |= plane[k] << (i << (2 * k));
        }
        bits &= in;
    }
    for (; bits != 0 && good; bits &= bits - 1) {
        const int b = std::countr_zero(bits);
        const std::int32_t v[3] = {at[0] + (b & 3), at[1] + (b >> 2 & 3), at[2] + (b >> 4)};
        AxisGaps sum{0.0, 0.0, 0.0};
        for (int k = 0; k < 3; ++k) {
            const AxisGaps& g = gaps_[gaps_first_[k] + static_cast<std::uint32_t>(v[k] - gaps_low_[k])];
            sum.near += g.near;
            sum.far += g.far;
            sum.middle += g.middle;
        }
        if (!(sum.near < body_->limit)) continue;
        if (sum.middle < nearest.squared) nearest = {sum.middle, lists_.size(), nearest.blocks};
        nearest.blocks = nearest.blocks || sum.far < body_->limit;
        good = lists_.push_back({{static_cast<std::int16_t>(v[0]), static_cast<std::int16_t>(v[1]),
                                  static_cast<std::int16_t>(v[2])}});
    }
}

// The solid voxels near a cube, up to one that blocks it.
bool Cells::gather(Voxel low, Nearest& nearest) {
    const std::int32_t at[3] = {low.x, low.y, low.z};
    std::int32_t from[3], to[3];
    for (int k = 0; k < 3; ++k) from[k] = (at[k] + gaps_low_[k]) >> 2, to[k] = (at[k] + gaps_high_[k]) >> 2;
    bool good = true;
    for (std::int32_t z = from[2]; z <= to[2] && good; ++z) {
        for (std::int32_t y = from[1]; y <= to[1] && good; ++y) {
            for (std::int32_t x = from[0]; x <= to[0] && good && !nearest.blocks; ++x) {
                std::uint64_t bits = 0;
                good = lattice_->shown({x, y, z}, bits);
                if (bits != 0) gather_brick({x, y, z}, bits, low, nearest, good);
            }
        }
    }
    return good;
}

bool Cells::look_at(std::uint32_t cell) {
    const Voxel low = base(cells_[cell]);
    const auto begin = static_cast<std::uint32_t>(lists_.size());
    Nearest nearest{body_->limit * 4.0, begin, false};
    if (!lattice_->shut(low, nearest.blocks)) return false;
    if (!nearest.blocks && !gather(low, nearest)) return false;
    if (nearest.blocks) {
        while (lists_.size() > begin) lists_.pop_back();
        cells_[cell].state = CellState::blocked;
        return true;
    }
    cells_[cell].list = begin;
    cells_[cell].list_count = static_cast<std::uint32_t>(lists_.size()) - begin;
    return decide(cell, nearest.squared, nearest.which - begin);
}

// Free, blocked by several, or mixed. Its list is the last one.
bool Cells::decide(std::uint32_t cell, double least, std::size_t nearest) {
    WideCell& c = cells_[cell];
    if (c.list_count == 0) {
        c.state = CellState::free;
        c.weight = 0;
        return node_of(cell) != kNone;
    }
    c.fits = least >= body_->limit;
    c.state = CellState::mixed;
    c.weight = weight_of(c, least);
    if (c.fits) {
        undecided_ = undecided_ || c.finest();
        return true;
    }
    const std::span<const NearVoxel> list = lists_.span().subspan(c.list, c.list_count);
    const BlockTest::Answer answer = test_.ask(list, fine_box(c), unit_, body_->limit, nearest);
    if (answer == BlockTest::Answer::no_memory) return false;
    if (answer == BlockTest::Answer::blocked)
        c.state = CellState::blocked;
    else
        undecided_ = undecided_ || c.finest();
    return true;
}

// One, and how deep the middle is among what is solid, in its sides; in 1/16.
std::uint32_t Cells::weight_of(const WideCell& cell, double least) const {
    const double deep = std::max(0.0, body_->radius - std::sqrt(least)) / (longest_ * cell.side());
    return 16 + static_cast<std::uint32_t>(std::min(deep, 64.0) * 16.0);
}

bool Cells::cut(std::uint32_t cell) {
    const auto first = static_cast<std::uint32_t>(cells_.size());
    if (cells_[cell].fits && node_of(cell) == kNone) return false;
    const WideCell from = cells_[cell];
    if (!wanted_.resize_uninitialized(from.list_count)) return false;
    const FineBox box = fine_box(from);
    const double half = 0.5 * box.side;
    double least[8];
    std::size_t nearest[8] = {};
    std::uint32_t blocked = 0, counts[8] = {};
    std::fill_n(least, 8, body_->limit * 4.0);
    for (std::size_t i = 0; i < from.list_count; ++i) {
        AxisGaps gaps[3][2];
        const NearVoxel v = lists_[from.list + i];
        for (int k = 0; k < 3; ++k) {
            for (int high = 0; high < 2; ++high)
                gaps[k][high] = axis_gaps(box.low[k] + high * half, half, v.at[k], unit_[k]);
        }
        wanted_[i].near = 0;
        for (std::uint32_t c = 0; c < 8; ++c) {
            const AxisGaps &x = gaps[0][c & 1], &y = gaps[1][c >> 1 & 1], &z = gaps[2][c >> 2];
            if (!(x.near + y.near + z.near < body_->limit)) continue;
            if (x.far + y.far + z.far < body_->limit) blocked |= 1U << c;
            const double middle = x.middle + y.middle + z.middle;
            if (middle < least[c]) least[c] = middle, nearest[c] = counts[c];
            wanted_[i].near = static_cast<std::uint8_t>(wanted_[i].near | 1U << c);
            ++counts[c];
        }
    }
    for (std::uint32_t c = 0; c < 8; ++c) {
        WideCell child{};
        for (int k = 0; k < 3; ++k)
            child.low[k] = from.low[k] + static_cast<std::int32_t>(c >> k & 1) * (from.side() / 2);
        child.level = static_cast<std::uint8_t>(from.level + 1);
        child.parent = cell;
        child.cube = from.cube;
        child.child = child.node = kNone;
        child.window = from.window;
        child.state = CellState::blocked;
        if (!cells_.push_back(child)) return false;
    }
    cells_[cell].state = CellState::cut;
    cells_[cell].child = first;
    ++cuts_;
    for (std::uint32_t c = 0; c < 8; ++c) {
        if ((blocked >> c & 1) != 0) continue;
        cells_[first + c].list = static_cast<std::uint32_t>(lists_.size());
        cells_[first + c].list_count = counts[c];
        for (std::size_t i = 0; i < from.list_count; ++i) {
            const NearVoxel v = lists_[from.list + i];
            if ((wanted_[i].near >> c & 1) != 0 && !lists_.push_back(v)) return false;
        }
        if (!decide(first + c, least[c], nearest[c])) return false;
    }
    return true;
}

std::uint32_t Cells::node_of(std::uint32_t cell) {
    if (cells_[cell].node == kNone) cells_[cell].node = sets_->add(NodeKind::cell, cell);
    return cells_[cell].node;
}

bool Cells::sees_inside(const WideCell& cell, Vec3 from, Vec3 to) const {
    const Vec3 s = state_->scale;
    const Vec3 a{from.x * s.x, from.y * s.y, from.z * s.z}, b{to.x * s.x, to.y * s.y, to.z * s.z};
    const double low[3] = {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
    const double high[3] = {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
    const Voxel at = base(cell);
    const double limit = body_->limit * (1.0 + 1e-9);
    for (std::uint32_t i = 0; i < cell.list_count; ++i) {
        const NearVoxel near = lists_[cell.list + i];
        const Voxel v{at.x + near.at[0], at.y + near.at[1], at.z + near.at[2]};
        const Box box = taller_box(s, v, body_->half);
        double gaps = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double g = std::max({0.0, box.low[k] - high[k], low[k] - box.high[k]});
            gaps += g * g;
        }
        if (gaps < limit && nearest_on_segment(a, b, box).squared < body_->limit) return false;
    }
    return true;
}

std::uint32_t Cells::leaf_around(std::uint32_t cell, Vec3 p) const {
    const double at[3] = {p.x * 64.0, p.y * 64.0, p.z * 64.0};
    while (cells_[cell].state == CellState::cut) {
        const WideCell& c = cells_[cell];
        std::uint32_t which = 0;
        for (int k = 0; k < 3; ++k) {
            if (at[k] >= c.low[k] + c.side() / 2) which |= 1U << k;
        }
        cell = c.child + which;
    }
    return cell;
}

// kOutside: it would lie outside of the bounds.
std::uint32_t Cells::cube_beside(std::uint32_t cube, int face) {
    const std::size_t slot = cells_[cube].sides + static_cast<std::size_t>(face);
    if (sides_[slot] != kNone) return sides_[slot];
    Voxel v = base(cells_[cube]);
    std::int32_t* const axis[3] = {&v.x, &v.y, &v.z};
    *axis[face >> 1] += (face & 1) != 0 ? 1 : -1;
    const Voxel size = state_->size;
    const bool out = v.x < -1 || v.y < -1 || v.z < -1 || v.x >= size.x || v.y >= size.y || v.z >= size.z;
    const std::uint32_t other = out ? kOutside : this->cube(v);
    sides_[slot] = other;
    if (other < kOutside) sides_[cells_[other].sides + static_cast<std::size_t>(face ^ 1)] = cube;
    return other;
}

// The leaf over the face, or the cut cell of the same size there.
std::uint32_t Cells::beside(std::uint32_t cell, int face) {
    const WideCell& c = cells_[cell];
    if (c.level == 0) {
        const std::uint32_t over = cube_beside(cell, face);
        return over >= kOutside ? kNone : over;
    }
    const int axis = face >> 1;
    const std::int32_t side = c.side();
    const std::uint8_t level = c.level;
    std::int32_t p[3] = {c.low[0], c.low[1], c.low[2]};
    p[axis] += (face & 1) != 0 ? side : -1;
    std::uint32_t at = c.cube;
    if (p[axis] < cells_[at].low[axis] || p[axis] >= cells_[at].low[axis] + 64) at = cube_beside(at, face);
    if (at >= kOutside) return kNone;
    while (cells_[at].state == CellState::cut && cells_[at].level < level) {
        std::uint32_t which = 0;
        for (int k = 0; k < 3; ++k) {
            if (p[k] >= cells_[at].low[k] + cells_[at].side() / 2) which |= 1U << k;
        }
        at = cells_[at].child + which;
    }
    return at;
}

}  // namespace fairlead::volume
