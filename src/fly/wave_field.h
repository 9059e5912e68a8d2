// How far it is still to a place, cell by cell: waves from there over the free cells of a box of at most 64^3, a row
// of cells a word. A cell is a voxel, or where the box is larger 2^3, 4^3 or 16^3 of them, free where one of them is.
//
// A wave goes on by one cell on the ground, every second one over edges as well (octagons, within 6 % of circles),
// and up or down as often as the unit climbs or sinks by a cell at its steepest.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/curve/airplane.h>

#include "volume/search/masks.h"

namespace fairlead::fly {

using volume::Masks;
using volume::StateData;

class WaveField {
  public:
    explicit WaveField(const Allocator& allocator)
        : free_(allocator), met_(allocator), next_(allocator), waves_(allocator) {}
    WaveField(const WaveField&) = delete;
    WaveField& operator=(const WaveField&) = delete;

    /// To `root`, which the unit flies to (`back`: comes from), from round `aim`; both in voxels. False: out of memory.
    [[nodiscard]] bool make(Masks& masks, const ClimbLimits& climb, bool back, Vec3 root, Vec3 aim);
    /// World units, from a place in voxels; below 0: not known.
    [[nodiscard]] double left(Vec3 at) const;

  private:
    static constexpr std::int32_t kSide = 64;
    static constexpr std::int32_t kStride = kSide + 2;  ///< rows of a layer, an empty one at each end
    static constexpr std::uint16_t kNever = UINT16_MAX;

    void lay_out(const StateData& state, Vec3 root, Vec3 aim);
    void read_free(Masks& masks);
    void read_brick(std::uint64_t bits, std::int32_t x, std::int32_t y, std::int32_t z);
    void set_root(Vec3 root);
    [[nodiscard]] bool spread(bool over_edges, bool up, bool down);
    void note(std::uint16_t wave);
    [[nodiscard]] bool cell_of(Vec3 at, std::int32_t (&cell)[3]) const;
    [[nodiscard]] static std::size_t row(std::int32_t y, std::int32_t z) {
        return static_cast<std::size_t>((z + 1) * kStride + y + 1);
    }
    [[nodiscard]] static std::size_t place(std::int32_t x, std::int32_t y, std::int32_t z) {
        return static_cast<std::size_t>((z * kSide + y) * kSide + x);
    }

    std::int32_t shift_ = 0;      ///< a cell is 2^shift voxels
    std::int32_t low_[3] = {};    ///< cells from the volume's low corner
    std::int32_t count_[3] = {};  ///< cells of the box
    double unit_ = 1.0;           ///< world units of a wave
    std::uint16_t last_ = 0;      ///< the last wave
    bool whole_ = false;          ///< the waves have come to an end by themselves
    Array<std::uint64_t> free_;
    Array<std::uint64_t> met_;
    Array<std::uint64_t> next_;
    Array<std::uint16_t> waves_;
};

}  // namespace fairlead::fly
