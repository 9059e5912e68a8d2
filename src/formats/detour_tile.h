// A Detour tile read into lists, and the sides at its borders.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <fairlead/formats/detour.h>

namespace fairlead::formats {

/// A side that may be part of one of another tile.
struct DetourSide {
    std::uint32_t polygon = 0;
    std::uint32_t corner = 0;  ///< it runs from this one of the polygon to the next
    bool along_y = false;      ///< on a line x = const
    bool low =
        false;  ///< the polygon's tile lies above the line (Detour: portal towards x- or z-, turned to ours)
    double climb = 0.0;
};

/// All tiles so far: vertices of their own each.
struct DetourParts {
    std::vector<Vec3> vertices;
    std::vector<std::vector<std::uint32_t>> rings;
    std::vector<std::uint8_t> areas;
    std::vector<std::uint16_t> flags;
    std::vector<DetourSide> sides;
    std::vector<DetourLink> links;
    double agent_height = 0.0, agent_radius = 0.0, agent_climb = 0.0;
};

[[nodiscard]] inline Error detour_error(DetourRule rule, std::int64_t tile) {
    return {ErrorCode::incompatible, tile, static_cast<std::int64_t>(rule)};
}

/// Appends a tile, whose bytes are exactly these.
[[nodiscard]] Result<void> read_detour_tile(std::span<const std::uint8_t> bytes, std::int64_t tile,
                                            DetourParts& parts);

/// Cuts the border sides at each other's ends; returns how many pairs were joined.
[[nodiscard]] Result<std::uint32_t> join_detour_sides(DetourParts& parts);

}  // namespace fairlead::formats
