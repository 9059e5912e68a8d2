// What a blocker may be, on all flat ground.
#pragma once

#include <cmath>
#include <cstdint>

#include <fairlead/base/result.h>
#include <fairlead/route/blocker.h>

namespace fairlead {

/// `radius_max`: contact_reach of the map, world units. not_finite, out_of_range, index: `which`.
[[nodiscard]] inline Result<void> check_blocker(const Blocker& blocker, double radius_max, std::int64_t which,
                                                Field field) {
    const bool box = !blocker.box.empty();
    // Of a box that is none because it holds a NaN too.
    if (!is_finite(blocker.box.low) || !is_finite(blocker.box.high) ||
        (!box && !(is_finite(blocker.centre) && std::isfinite(blocker.radius))))
        return Error{ErrorCode::not_finite, field, which, 0};
    if (!box && !(blocker.radius >= 0.0 && blocker.radius <= radius_max))
        return Error{ErrorCode::out_of_range, field, which, 0};
    return {};
}

}  // namespace fairlead
