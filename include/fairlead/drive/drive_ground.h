// DriveGround: the obstacle concept of drive. One adapter a world makes these (bridge).
#pragma once

#include <cstdint>
#include <span>

namespace fairlead {

/// A map as rows of cells. The functions are called while a DriveMap is made or updated, never later.
struct DriveGround {
    std::int32_t width = 0;
    std::int32_t height = 0;
    /// Writes row y's free cells as bits: cell x at bit x % 64 of word x / 64; (width + 63) / 64 words. Bits past the end
    /// of a row are 0.
    void (*read_free)(const void* user, std::int32_t y, std::span<std::uint64_t> row) = nullptr;
    /// Writes the cost of a cell's length in each of row y's cells, 1 to 1023 (what it writes for blocked cells does not
    /// matter). Null: all cells cost 1.
    void (*read_costs)(const void* user, std::int32_t y, std::span<std::uint16_t> row) = nullptr;
    const void* user = nullptr;
    /// Writes the directions of travel that each of row y's cells allows, bit i: i x 45 degrees; 0: off the road. Null: there are
    /// no roads, and road rules mean nothing (road_rules.h).
    void (*read_roads)(const void* user, std::int32_t y, std::span<std::uint8_t> row) = nullptr;

    [[nodiscard]] std::int32_t words() const { return (width + 63) / 64; }
};

}  // namespace fairlead
