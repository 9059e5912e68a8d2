// A running 64-bit digest of numbers, the same on every platform. Searches report one so that two programs,
// two compilers or two players can tell at a glance whether they did the same work. Not cryptographic.
#pragma once

#include <cstdint>
#include <cstring>

#include <fairlead/base/platform.h>

namespace fairlead {

class Digest {
  public:
    /// Folds in one 64-bit number. Order matters. Two multiplications (the finaliser of SplitMix64, Steele 2014).
    void add(std::uint64_t value) {
        std::uint64_t z = (state_ ^ value) + 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        state_ = z ^ (z >> 31);
    }
    void add(double value) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        add(value == 0.0 ? 0 : bits);  // -0 and +0 are one number
    }
    void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
    void add(std::int32_t value) { add(static_cast<std::uint64_t>(static_cast<std::int64_t>(value))); }
    void add(std::uint32_t value) { add(static_cast<std::uint64_t>(value)); }

    [[nodiscard]] std::uint64_t value() const { return state_; }

  private:
    std::uint64_t state_ = 0x6661697265616421ULL;  // "faireadl", any odd start will do
};

}  // namespace fairlead
