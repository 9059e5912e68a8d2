// Where a driver's choices come from: a seed, or the bytes of a fuzzer. The same driver serves both.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include <fairlead/base/rng.h>

namespace fairlead::simulate {

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : rng_(seed) {}
    explicit Dice(std::span<const std::uint8_t> bytes) : rng_(0), bytes_(bytes), from_bytes_(true) {}

    /// Uniform in [0, bound), bound > 0. A fuzzer's bytes are zeros once they are used up.
    [[nodiscard]] std::uint32_t below(std::uint32_t bound) {
        if (!from_bytes_) return rng_.below(bound);
        std::uint64_t value = byte();
        if (bound > 256) value |= static_cast<std::uint64_t>(byte()) << 8;
        if (bound > 65536)
            value |= (static_cast<std::uint64_t>(byte()) << 16) | (std::uint64_t{byte()} << 24);
        return static_cast<std::uint32_t>(value % bound);
    }
    /// Uniform in [low, high].
    [[nodiscard]] int between(int low, int high) {
        return low + static_cast<int>(below(static_cast<std::uint32_t>(high - low + 1)));
    }
    [[nodiscard]] bool chance(std::uint32_t percent) { return below(100) < percent; }
    /// In [0, 1): a multiple of 2^-53, of 2^-16 from bytes.
    [[nodiscard]] double unit() { return from_bytes_ ? below(65536) / 65536.0 : rng_.unit(); }
    [[nodiscard]] double within(double low, double high) { return low + (high - low) * unit(); }
    /// Are a fuzzer's bytes used up?
    [[nodiscard]] bool empty() const { return from_bytes_ && at_ >= bytes_.size(); }

    /// A number that no caller should give.
    [[nodiscard]] double absurd() {
        constexpr double kInf = std::numeric_limits<double>::infinity();
        constexpr double kAbsurd[] = {0.0,
                                      -0.0,
                                      -1.0,
                                      1e-300,
                                      -1e-300,
                                      5e-324,
                                      1e300,
                                      -1e300,
                                      1e18,
                                      -1e18,
                                      9.3e18,
                                      4294967296.0,
                                      2147483648.0,
                                      -2147483649.0,
                                      1e9,
                                      -1e9,
                                      1e6,
                                      kInf,
                                      -kInf,
                                      std::numeric_limits<double>::quiet_NaN(),
                                      std::numeric_limits<double>::max(),
                                      1e-9,
                                      1e-16,
                                      16384.0,
                                      0.49999999999999994,
                                      3e9};
        return kAbsurd[below(sizeof kAbsurd / sizeof *kAbsurd)];
    }
    [[nodiscard]] int absurd_whole() {
        constexpr int kAbsurd[] = {0, -1, 1, 64, 65, 255, 256, -2147483647 - 1, 2147483647, 16384, 16385, -5};
        return kAbsurd[below(sizeof kAbsurd / sizeof *kAbsurd)];
    }

  private:
    [[nodiscard]] std::uint8_t byte() { return at_ < bytes_.size() ? bytes_[at_++] : std::uint8_t{0}; }

    Rng rng_;
    std::span<const std::uint8_t> bytes_{};
    std::size_t at_ = 0;
    bool from_bytes_ = false;
};

}  // namespace fairlead::simulate
