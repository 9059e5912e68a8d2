// What factors of kinds may be, in every world.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include <fairlead/base/result.h>
#include <fairlead/route/kind_filter.h>

namespace fairlead {

/// Of `kinds` kinds at most. size_limit, not_finite, out_of_range, index: which kind.
[[nodiscard]] inline Result<void> check_filter(const KindFilter& filter, std::size_t kinds, Field field) {
    if (filter.factors.size() > kinds)
        return Error{ErrorCode::size_limit, field, static_cast<std::int64_t>(kinds)};
    for (std::size_t i = 0; i < filter.factors.size(); ++i) {
        const double factor = filter.factors[i];
        const auto kind = static_cast<std::int64_t>(i);
        if (!std::isfinite(factor)) return Error{ErrorCode::not_finite, field, kind, 0};
        if (factor != 0.0 && !(factor >= KindFilter::kFactorMin && factor <= KindFilter::kFactorMax))
            return Error{ErrorCode::out_of_range, field, kind, 0};
    }
    return {};
}

}  // namespace fairlead
