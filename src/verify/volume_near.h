// The solid voxels near a straight piece, brick by brick along its longest axis.
#pragma once

#include <bit>
#include <cstdint>

#include "verify/volume_frame.h"

namespace fairlead::witness {

/// A box of voxels, both ends included; nothing where some low is above its high.
struct LatticeRange {
    Lattice low{};
    Lattice high{};
};

/// Bits of the brick's voxels that lie in the range.
[[nodiscard]] inline std::uint64_t bits_in(const Lattice& brick, const LatticeRange& range) {
    std::array<unsigned, 3> low{};
    std::array<unsigned, 3> high{};
    for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t first = range.low[k] - 4 * brick[k];
        const std::int32_t last = range.high[k] - 4 * brick[k];
        if (last < 0 || first > 3 || first > last) return 0;
        low[k] = first < 0 ? 0U : static_cast<unsigned>(first);
        high[k] = last > 3 ? 3U : static_cast<unsigned>(last);
    }
    const std::uint64_t row = (std::uint64_t{0xF} >> (3U - high[0])) & (std::uint64_t{0xF} << low[0]);
    const std::uint64_t rows =
        (std::uint64_t{0xFFFF} >> (4U * (3U - high[1]))) & (std::uint64_t{0xFFFF} << (4U * low[1]));
    const std::uint64_t planes =
        (~std::uint64_t{0} >> (16U * (3U - high[2]))) & (~std::uint64_t{0} << (16U * low[2]));
    return (row * 0x1111111111111111ULL) & (rows * 0x0001000100010001ULL) & planes;
}

/// What is looked at, up to a limit.
struct BrickBudget {
    std::uint64_t left = 0;
    [[nodiscard]] bool spent() const { return left == 0; }
};

class SolidNear {
  public:
    /// `half`: by so much voxels count as taller, up and down.
    SolidNear(const VolumeState& volume, const VolumeFrame& frame, double half, BrickBudget& budget)
        : volume_(volume), frame_(frame), half_(half), budget_(budget) {}

    /// Calls visit(voxel, its sides, made taller) for every solid voxel inside the bounds that is then nearer to the piece
    /// than `reach`, and for some others, until it says true or the budget is spent. Tells whether it has said so.
    template <class Visit>
    bool each(const Chord& chord, double reach, Visit visit) {
        // Generous: the slack is far more than rounding.
        const double around = reach + frame_.slack;
        const std::size_t axis = main_axis(chord);
        const LatticeRange whole = range_of(chord, 0.0, 1.0, around);
        if (whole.low[axis] > whole.high[axis]) return false;
        const bool back = chord.d[axis] < 0.0;
        const std::int32_t first = whole.low[axis] >> 2;
        const std::int32_t last = whole.high[axis] >> 2;
        for (std::int32_t i = first; i <= last; ++i) {
            const std::int32_t slab = back ? first + last - i : i;
            LatticeRange range = slab_range(chord, axis, 4 * slab, 4, around);
            if (visit_slab(chord, axis, slab, range, around, visit)) return true;
            if (budget_.spent()) return false;
        }
        return false;
    }

  private:
    [[nodiscard]] double on_axis(std::size_t axis, double around) const {
        return axis == 2 ? around + half_ : around;
    }
    [[nodiscard]] std::size_t main_axis(const Chord& chord) const;
    /// The voxels in the bounds that may be within `around` of a part of the piece.
    [[nodiscard]] LatticeRange range_of(const Chord& chord, double from, double to, double around) const;
    /// The same for the part that is within `around` of `count` layers of voxels; of these layers only.
    [[nodiscard]] LatticeRange slab_range(const Chord& chord, std::size_t axis, std::int32_t layer,
                                          std::int32_t count, double around) const;

    template <class Visit>
    bool visit_slab(const Chord& chord, std::size_t axis, std::int32_t slab, const LatticeRange& range,
                    double around, Visit& visit) {
        std::array<LatticeRange, 4> layers;
        bool layers_known = false;
        for (std::int32_t z = range.low[2] >> 2; z <= range.high[2] >> 2; ++z) {
            for (std::int32_t y = range.low[1] >> 2; y <= range.high[1] >> 2; ++y) {
                for (std::int32_t x = range.low[0] >> 2; x <= range.high[0] >> 2; ++x) {
                    if (budget_.spent()) return false;
                    --budget_.left;
                    const Lattice brick{x, y, z};
                    const std::uint64_t solid = volume_.solid_bits(x, y, z) & bits_in(brick, range);
                    if (solid == 0) continue;
                    if (!layers_known) {
                        for (std::int32_t i = 0; i < 4; ++i)
                            layers[static_cast<std::size_t>(i)] =
                                slab_range(chord, axis, 4 * slab + i, 1, around);
                        layers_known = true;
                    }
                    std::uint64_t close = 0;
                    for (const LatticeRange& layer : layers) close |= bits_in(brick, layer);
                    if (visit_bits(brick, solid & close, visit)) return true;
                }
            }
        }
        return false;
    }

    template <class Visit>
    bool visit_bits(const Lattice& brick, std::uint64_t bits, Visit& visit) const {
        for (; bits != 0; bits &= bits - 1) {
            const std::int32_t bit = std::countr_zero(bits);
            const Lattice voxel{4 * brick[0] + (bit & 3), 4 * brick[1] + (bit >> 2 & 3),
                                4 * brick[2] + (bit >> 4)};
            if (visit(voxel, taller(sides_of(frame_, voxel), half_))) return true;
        }
        return false;
    }

    const VolumeState& volume_;
    const VolumeFrame& frame_;
    double half_;
    BrickBudget& budget_;
};

}  // namespace fairlead::witness
