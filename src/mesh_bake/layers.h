// Layers: sets of linked floors that do not lie over each other, so that each is a map in the plane.
#pragma once

#include "mesh_bake/floors.h"

namespace fairlead::bake {

/// Labels of floors: layer << 8 | area, or one of these.
inline constexpr std::uint32_t kUnlabelled = 0xffffffffU;  ///< no floor, or taken away
inline constexpr std::uint32_t kOutside = 0xffffff00U;     ///< a floor of another tile
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
[[nodiscard]] bool border_joined(const Floors& floors, std::uint32_t a, std::uint32_t b, std::uint32_t across);

/// Labels the floors in `interior`. Islands with fewer floors than Settings::island_min that reach no border are taken away.
[[nodiscard]] Result<void> find_layers(const Settings& settings, const CellBox& interior, Floors& floors,
                                       Layers& out);

}  // namespace fairlead::bake
