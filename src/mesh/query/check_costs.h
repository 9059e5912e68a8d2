// What prices of areas or links may be.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/result.h>

namespace fairlead::mesh {

/// None, or `count` of them. Errors, with `field`, index: which: size_mismatch, not_finite, out_of_range.
[[nodiscard]] Result<void> check_costs(std::span<const double> costs, std::size_t count, Field field);

}  // namespace fairlead::mesh
