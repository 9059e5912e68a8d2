// Where a key goes in the tables of a search: the high bits of its product with a number that mixes well (Fibonacci hashing).
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>

namespace fairlead::volume {

[[nodiscard]] FAIRLEAD_INLINE constexpr std::uint64_t key_hash(std::uint64_t key) {
    return key * 0x9e3779b97f4a7c15ULL >> 20;
}

}  // namespace fairlead::volume
