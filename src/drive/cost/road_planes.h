// Which cells of a map's rows may be driven in, facing by facing, as bits: 64 cells at a time for the edge map.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/drive/drive_ground.h>

#include "drive/cost/terrain.h"

namespace fairlead::drive {

class RoadPlanes {
  public:
    RoadPlanes(const DriveGround& rows, const RoadGround& rules, std::int32_t margin,
               const Allocator& allocator)
        : rows_(rows),
          rules_(rules),
          margin_(margin),
          stride_(static_cast<std::size_t>(rows.words()) + 2),
          bits_(allocator),
          row_(allocator) {}

    /// Room for so many rows and the margin around them. False: out of memory.
    [[nodiscard]] bool reserve(std::int32_t count) {
        lines_ = count + 2 * margin_;
        return row_.resize(static_cast<std::size_t>(rows_.width)) &&
               bits_.resize(static_cast<std::size_t>(lines_ * kFacings) * stride_);
    }

    /// Rows low to high - 1, no more than reserved. Nothing is permitted off the map.
    void load(std::int32_t low, std::int32_t high) {
        low_ = low - margin_;
        for (std::uint64_t& word : bits_) word = 0;
        for (std::int32_t y = std::max(low_, 0); y < std::min(high + margin_, rows_.height); ++y) {
            rows_.read_roads(rows_.user, y, row_.span());
            for (std::int32_t x = 0; x < rows_.width; ++x) {
                const std::uint32_t allowed = row_[static_cast<std::size_t>(x)];
                const std::uint32_t permitted = rules_.permitted(kFacingsTable.of[allowed]);
                const std::uint64_t bit = std::uint64_t{1} << (x & 63);
                for (std::int32_t f = 0; f < kFacings && permitted != 0; ++f)
                    if (((permitted >> f) & 1U) != 0) line(f, y)[x >> 6] |= bit;
            }
        }
    }

    /// Word 0 of row y; words -1 and `words` are there and empty.
    [[nodiscard]] std::uint64_t* line(std::int32_t facing, std::int32_t y) {
        return bits_.data() + static_cast<std::size_t>(facing * lines_ + (y - low_)) * stride_ + 1;
    }

  private:
    const DriveGround& rows_;
    RoadGround rules_;
    std::int32_t margin_;
    std::int32_t low_ = 0;
    std::int32_t lines_ = 0;
    std::size_t stride_;
    Array<std::uint64_t> bits_;
    Array<std::uint8_t> row_;
};

}  // namespace fairlead::drive
