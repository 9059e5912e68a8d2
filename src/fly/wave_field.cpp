// See wave_field.h. Octagonal distances: Rosenfeld and Pfaltz 1968.
#include "fly/wave_field.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fairlead/math/trig.h>

namespace fairlead::fly {

namespace {

constexpr std::int32_t kMargin = 24;  ///< voxels round the two ends
constexpr double kFarther = 1.5;      ///< the waves go on for so much longer than to the aim
constexpr std::int32_t kFartherLeast = 24;
constexpr std::int32_t kShifts[] = {0, 1, 2, 4};

void axes_of(Vec3 p, double (&k)[3]) {
    k[0] = p.x;
    k[1] = p.y;
    k[2] = p.z;
}

}  // namespace

// The two ends with a margin that grows with what lies between them; cut where even the largest cells do not do.
void WaveField::lay_out(const StateData& state, Vec3 root, Vec3 aim) {
    double a[3], b[3];
    axes_of(root, a);
    axes_of(aim, b);
    const std::int32_t size[3] = {state.size.x, state.size.y, state.size.z};
    std::int32_t low[3], high[3];
    double apart = 0.0;
    for (int k = 0; k < 3; ++k) apart = std::max(apart, std::fabs(a[k] - b[k]));
    const auto margin = kMargin + static_cast<std::int32_t>(0.25 * apart);
    for (int k = 0; k < 3; ++k) {
        low[k] = std::max(static_cast<std::int32_t>(std::min(a[k], b[k])) - margin, 0);
        high[k] = std::min(static_cast<std::int32_t>(std::max(a[k], b[k])) + margin, size[k] - 1);
    }
    for (const std::int32_t shift : kShifts) {
        shift_ = shift;
        bool fits = true;
        for (int k = 0; k < 3; ++k) fits = fits && (high[k] >> shift) - (low[k] >> shift) < kSide;
        if (fits) break;
    }
    for (int k = 0; k < 3; ++k) {
        const std::int32_t middle = static_cast<std::int32_t>(a[k]) >> shift_;
        low_[k] = low[k] >> shift_;
        count_[k] = (high[k] >> shift_) - low_[k] + 1;
        if (count_[k] <= kSide) continue;
        low_[k] = std::clamp(middle - kSide / 2, low_[k], (high[k] >> shift_) - kSide + 1);
        count_[k] = kSide;
    }
    unit_ = std::min({state.scale.x, state.scale.y, state.scale.z}) * (1 << shift_);
}

void WaveField::read_brick(std::uint64_t bits, std::int32_t x, std::int32_t y, std::int32_t z) {
    for (std::int32_t r = 0; r < 16 && bits != 0; ++r, bits >>= 4) {
        std::uint64_t four = bits & 15;
        if (four == 0) continue;
        if (shift_ == 1) four = (four & 3 ? 1U : 0U) | (four & 12 ? 2U : 0U);
        if (shift_ >= 2) four = 1;
        const std::int32_t cy = ((4 * y + (r & 3)) >> shift_) - low_[1],
                           cz = ((4 * z + (r >> 2)) >> shift_) - low_[2];
        if (cy < 0 || cy >= count_[1] || cz < 0 || cz >= count_[2]) continue;
        const std::int32_t cx = ((4 * x) >> shift_) - low_[0];
        free_[row(cy, cz)] |= cx >= 0 ? (cx < kSide ? four << cx : 0) : (cx > -4 ? four >> -cx : 0);
    }
}

void WaveField::read_free(Masks& masks) {
    const StateData& state = masks.state();
    if (shift_ == 4) {
        for (std::int32_t z = 0; z < count_[2]; ++z) {
            for (std::int32_t y = 0; y < count_[1]; ++y) {
                for (std::int32_t x = 0; x < count_[0]; ++x) {
                    const volume::CellEntry& cell = state.cell_entry(low_[0] + x, low_[1] + y, low_[2] + z);
                    if (cell.node != volume::CellEntry::kFull) free_[row(y, z)] |= std::uint64_t{1} << x;
                }
            }
        }
        return;
    }
    const auto first = [&](int k) { return (low_[k] << shift_) >> 2; };
    const auto last = [&](int k) { return (((low_[k] + count_[k]) << shift_) - 1) >> 2; };
    for (std::int32_t z = first(2); z <= last(2); ++z) {
        for (std::int32_t y = first(1); y <= last(1); ++y) {
            for (std::int32_t x = first(0); x <= last(0); ++x) read_brick(masks.free(x, y, z), x, y, z);
        }
    }
    const std::uint64_t in_box = count_[0] < kSide ? (std::uint64_t{1} << count_[0]) - 1 : volume::kAll;
    for (std::uint64_t& bits : free_) bits &= in_box;
}

bool WaveField::cell_of(Vec3 at, std::int32_t (&cell)[3]) const {
    double p[3];
    axes_of(at, p);
    for (int k = 0; k < 3; ++k) {
        cell[k] = (static_cast<std::int32_t>(p[k] > 0.0 ? p[k] : 0.0) >> shift_) - low_[k];
        if (cell[k] < 0 || cell[k] >= count_[k]) return false;
    }
    return true;
}

// Where the root's cell is not free (a wide body between voxels' middles), those around it.
void WaveField::set_root(Vec3 root) {
    std::int32_t c[3];
    if (!cell_of(root, c)) return;
    const std::uint64_t bit = std::uint64_t{1} << c[0];
    if ((free_[row(c[1], c[2])] & bit) != 0) {
        next_[row(c[1], c[2])] = bit;
        return;
    }
    const std::uint64_t three = bit | bit << 1 | bit >> 1;
    for (std::int32_t z = c[2] - 1; z <= c[2] + 1; ++z) {
        for (std::int32_t y = c[1] - 1; y <= c[1] + 1; ++y) next_[row(y, z)] = three & free_[row(y, z)];
    }
}

// All of next from met: rows beside, layers above and below.
bool WaveField::spread(bool over_edges, bool up, bool down) {
    std::uint64_t any = 0;
    const std::uint64_t edges = over_edges ? volume::kAll : 0;
    for (std::int32_t z = 0; z < count_[2]; ++z) {
        const std::uint64_t* const m = met_.data() + row(0, z);
        // What was met a layer below comes up, and the other way round.
        const std::uint64_t* const below = up ? m - kStride : m;
        const std::uint64_t* const above = down ? m + kStride : m;
        const std::uint64_t* const f = free_.data() + row(0, z);
        std::uint64_t* const n = next_.data() + row(0, z);
        for (std::int32_t y = 0; y < count_[1]; ++y) {
            const std::uint64_t own = m[y] | below[y] | above[y];
            const std::uint64_t beside =
                m[y - 1] | m[y + 1] | below[y - 1] | below[y + 1] | above[y - 1] | above[y + 1];
            const std::uint64_t wide = own | (beside & edges);
            const std::uint64_t all = (own | beside | wide << 1 | wide >> 1) & f[y];
            n[y] = all;
            any |= all & ~m[y];
        }
    }
    return any != 0;
}

void WaveField::note(std::uint16_t wave) {
    for (std::int32_t z = 0; z < count_[2]; ++z) {
        for (std::int32_t y = 0; y < count_[1]; ++y) {
            const std::size_t at = row(y, z);
            std::uint64_t bits = next_[at] & ~met_[at];
            if (bits == 0) continue;
            met_[at] |= bits;
            for (; bits != 0; bits &= bits - 1) waves_[place(std::countr_zero(bits), y, z)] = wave;
        }
    }
}

bool WaveField::make(Masks& masks, const ClimbLimits& climb, bool back, Vec3 root, Vec3 aim) {
    constexpr std::size_t rows = static_cast<std::size_t>(kStride) * kStride;
    if (!free_.resize(rows) || !met_.resize(rows) || !next_.resize(rows) ||
        !waves_.resize_uninitialized(static_cast<std::size_t>(kSide) * kSide * kSide))
        return false;
    std::fill(free_.begin(), free_.end(), 0);
    std::fill(met_.begin(), met_.end(), 0);
    std::fill(next_.begin(), next_.end(), 0);
    std::fill(waves_.begin(), waves_.end(), kNever);
    const StateData& state = masks.state();
    lay_out(state, root, aim);
    read_free(masks);
    set_root(root);
    note(0);
    // Away from the root it is flown the other way, unless the unit comes from there. Layers a wave: the rise of the steepest flight.
    const double layer = state.scale.z * (1 << shift_);
    const double rates[2] = {math::sin(back ? climb.up_rad : climb.down_rad) * unit_ / layer,
                             math::sin(back ? climb.down_rad : climb.up_rad) * unit_ / layer};
    double due[2] = {0.0, 0.0};
    std::int32_t cell[3];
    const bool seen = cell_of(aim, cell);
    const std::size_t aim_at = seen ? place(cell[0], cell[1], cell[2]) : 0;
    std::int32_t end = 4 * kSide * 4, still = 0;
    whole_ = false;
    std::int32_t wave = 0;
    while (wave < end && !whole_) {
        ++wave;
        bool steps[2];
        for (int i = 0; i < 2; ++i) {
            due[i] += rates[i];
            steps[i] = due[i] >= 1.0;
            if (steps[i]) due[i] -= 1.0;
        }
        const bool any = spread((wave & 1) != 0, steps[0], steps[1]);
        if (any) note(static_cast<std::uint16_t>(wave));
        still = any ? 0 : still + 1;
        whole_ = still > 16;
        if (seen && waves_[aim_at] == wave)
            end = std::max(static_cast<std::int32_t>(wave * kFarther), wave + kFartherLeast);
    }
    last_ = static_cast<std::uint16_t>(wave);
    return true;
}

double WaveField::left(Vec3 at) const {
    std::int32_t c[3];
    if (!cell_of(at, c)) return -1.0;
    const std::uint16_t wave = waves_[place(c[0], c[1], c[2])];
    if (wave == kNever) return whole_ ? -1.0 : last_ * unit_;
    return wave * unit_;
}

}  // namespace fairlead::fly
