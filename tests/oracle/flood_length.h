// The length of the shortest way of a disc over points 1/16 cell apart, by Dijkstra with 32 directions. Points between which
// a step leads fit too, to within 1/32 cell. So it is a way's length to about a percent; where a passage is narrower than the
// points tell there may be none.
//
// Shares nothing with the library but Vec2.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/math/vec.h>

namespace fairlead::oracle {

class FloodLength {
  public:
    /// blocked[y * width + x]; everything outside is blocked.
    FloodLength(std::int32_t width, std::int32_t height, const std::vector<bool>& blocked, double radius);

    /// Negative: none found.
    [[nodiscard]] double shortest(Vec2 from, Vec2 to) const;

  private:
    static constexpr std::int32_t kFine = 16;
    [[nodiscard]] bool legal(std::int32_t i, std::int32_t j, std::int32_t di, std::int32_t dj) const;
    [[nodiscard]] double room_at(std::int32_t i, std::int32_t j) const {
        return i < 0 || j < 0 || i >= across_ || j >= down_
                   ? -1.0
                   : room_[static_cast<std::size_t>(j * across_ + i)];
    }

    std::int32_t width_;
    std::int32_t height_;
    const std::vector<bool>& blocked_;
    double radius_;
    std::int32_t across_;
    std::int32_t down_;
    std::vector<double> room_;
};

}  // namespace fairlead::oracle
