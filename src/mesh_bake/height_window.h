// The heights of one layer in a block of cells and a few round it, each over its cell's middle: what a block of the height field is
// made from. Cells that are not of the layer get the ground that goes on there.
#pragma once

#include <cstdint>

#include <fairlead/mesh/height_field.h>

#include "mesh_bake/layers.h"

namespace fairlead::bake {

/// Heights are in these parts of a cell height.
inline constexpr std::int64_t kFine = kDropSteps;

/// The height of a floor over its cell's middle; of its top if that is not known.
inline std::int64_t fine_height(const Floors& f, std::uint32_t floor) {
    const std::uint16_t drop = f.drop[floor];
    return std::int64_t{f.z[floor]} * kFine - (drop == kDropUnknown ? 0 : drop);
}

struct HeightWindow {
    static constexpr std::int32_t kSide = kHeightBlock;
    static constexpr std::int32_t kRound = 2;  ///< cells round the block
    static constexpr std::int32_t kWide = kSide + 2 * kRound;

    std::int64_t z[kWide * kWide];
    std::uint64_t own = 0;   ///< cells of the block that are of the layer
    std::uint64_t near = 0;  ///< and those at most kRound cells beside the layer
    bool ground =
        false;          ///< the ground of the layer goes on in the block, in floors of another layer or tile
    bool level = true;  ///< and there it is as high as beside it

    /// The number of a cell; (0, 0) is the block's low corner.
    static constexpr int cell(std::int32_t x, std::int32_t y) { return (y + kRound) * kWide + x + kRound; }

    /// The block whose low corner is (x0, y0). Every cell of it has a height then.
    void fill(const Settings& settings, const Floors& floors, const Layers& layers, std::uint32_t layer,
              std::int32_t x0, std::int32_t y0);
};

}  // namespace fairlead::bake
