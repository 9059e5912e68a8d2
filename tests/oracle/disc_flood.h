// Whether a disc can move between two places among blocked tiles, by a flood over points 1/16 cell apart, twice: over points
// with so much more room that every step is legal, and over points with so little less that no motion can pass between
// them. Where the two do not agree it does not know.
//
// Shares nothing with the library but Vec2, and nothing with ChainOracle.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/math/vec.h>

namespace fairlead::oracle {

enum class FloodAnswer : std::uint8_t { joined, apart, unknown };

class DiscFlood {
  public:
    /// blocked[y * width + x]; everything outside is blocked.
    DiscFlood(std::int32_t width, std::int32_t height, const std::vector<bool>& blocked, double radius);

    /// Both fit.
    [[nodiscard]] FloodAnswer answer(Vec2 a, Vec2 b) const;

  private:
    static constexpr std::int32_t kFine = 16;
    void label(std::vector<std::int32_t>& labels, double least) const;
    [[nodiscard]] std::int32_t label_at(const std::vector<std::int32_t>& labels, Vec2 p, double least) const;

    std::int32_t width_;
    std::int32_t height_;
    std::vector<bool> blocked_;
    double radius_;
    std::int32_t across_;
    std::int32_t down_;
    std::vector<double> room_;  ///< distance to the nearest blocked tile
    std::vector<std::int32_t> sure_;
    std::vector<std::int32_t> perhaps_;
};

}  // namespace fairlead::oracle
