// A small seeded random number generator with the same stream on every platform: SplitMix64
// (Steele, Lea, Flood 2014). For tests, demos, and tie-breaking by seed; not for secrets.
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>

namespace fairlead {

class Rng {
  public:
    explicit Rng(std::uint64_t seed) : state_(seed) {}

    [[nodiscard]] std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    /// Uniform in [0, bound); bound > 0. The bias is below bound / 2^32.
    [[nodiscard]] std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
    }

    /// Uniform in [low, high], low <= high.
    [[nodiscard]] std::int32_t between(std::int32_t low, std::int32_t high) {
        const std::uint32_t span = static_cast<std::uint32_t>(high) - static_cast<std::uint32_t>(low) + 1U;
        return span == 0 ? static_cast<std::int32_t>(next() >> 32)
                         : static_cast<std::int32_t>(static_cast<std::uint32_t>(low) + below(span));
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    [[nodiscard]] double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    [[nodiscard]] double between(double low, double high) { return low + (high - low) * unit(); }

  private:
    std::uint64_t state_;
};

}  // namespace fairlead
