// The options in whole cells, checked once.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/mesh_bake/options.h>
#include <fairlead/raster/span_field.h>

namespace fairlead::bake {

inline constexpr std::uint32_t kNone = 0xffffffffU;
/// Above every floor; differences of two heights fit in 32 bits.
inline constexpr std::int32_t kSky = 1 << 30;

struct Settings {
    GridFrame frame{};
    std::int32_t height = 0;  ///< cell heights of head room
    std::int32_t climb = 0;   ///< cell heights of a step
    double radius = 0.0;      ///< cells
    double edge_error = 0.0;  ///< cells
    std::uint32_t island_min = 0;
    std::int32_t tile = 0;  ///< cells, 0: one tile
    std::int32_t halo = 0;  ///< cells round a tile that its floors depend on
    std::span<const AreaMark> marks{};
    BakeStageHook stages{};
    Allocator allocator{};
};

[[nodiscard]] Result<Settings> make_settings(const BakeOptions& options, Vec3 origin);

}  // namespace fairlead::bake
