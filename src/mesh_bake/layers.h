// Layers: sets of linked floors that do not lie over each other, so that each is a map in the plane.
#pragma once

#include "mesh_bake/floors.h"

namespace fairlead::bake {

/// Labels of floors: layer << 8 | area, or one of these.
inline constexpr std::uint32_t kUnlabelled = 0xffffffffU;  ///< no floor, or taken away
inline constexpr std::uint32_t kOutside = 0xffffff00U;     ///< a floor of another tile
inline constexpr std::uint32_t kDropped = 0xffffff01U;     ///< of an island that is too small
inline constexpr std::uint32_t kLayersMax = 0x00ffff00U;

inline constexpr bool is_label(std::uint32_t label) { return label < kOutside; }
inline constexpr std::uint32_t layer_of(std::uint32_t label) { return label >> 8; }
inline constexpr std::uint8_t area_of(std::uint32_t label) { return static_cast<std::uint8_t>(label); }

struct Layers {
    explicit Layers(const Allocator& a) : label(a) {}

    Array<std::uint32_t> label;  ///< by floor
    std::uint32_t count = 0;
};

/// Two floors beside each other along the border of a tile, each with a link over the border: whether the mesh
/// goes over the border there in one piece. Both tiles see the same. `across` is the direction over the border.
///
/// Such a piece never winds round the whole rim of a tile, so it does not lie over itself: it ends where columns with one
/// floor and columns with several meet, and if all have several, beside the tile's low corner.
[[nodiscard]] bool border_joined(const Settings& settings, const Floors& floors, std::uint32_t a,
                                 std::uint32_t b, std::uint32_t across);

/// Labels the floors in `interior`. Islands with fewer floors than Settings::island_min that reach no border are left out.
[[nodiscard]] Result<void> find_layers(const Settings& settings, const CellBox& interior,
                                       const Floors& floors, Layers& out);

}  // namespace fairlead::bake
