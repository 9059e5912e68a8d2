// Exact squared distances to marked points of a lattice, in steps of the lattice, up to a cap. Linear in the points.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

namespace fairlead::crowd {

class DistanceRows {
  public:
    explicit DistanceRows(const Allocator& allocator)
        : down_(allocator), row_(allocator), stack_(allocator), from_(allocator) {}

    /// `marked`: width x height bytes, not 0 where a point is marked. Distances at or beyond `cap` (1 to 255) are told as cap.
    [[nodiscard]] bool begin(const std::uint8_t* marked, std::int32_t width, std::int32_t height,
                             std::int32_t cap);
    /// One row of squared distances; valid until the next call.
    [[nodiscard]] const std::uint16_t* row(std::int32_t y);
    [[nodiscard]] std::size_t memory() const {
        return down_.bytes() + row_.bytes() + stack_.bytes() + from_.bytes();
    }

  private:
    std::int32_t width_ = 0;
    std::int32_t cap_ = 0;
    Array<std::uint8_t> down_;  ///< distance to the nearest marked point of the same column
    Array<std::uint16_t> row_;
    Array<std::int32_t> stack_;  ///< columns whose parabolas are lowest somewhere
    Array<std::int32_t> from_;   ///< and from where on
};

}  // namespace fairlead::crowd
