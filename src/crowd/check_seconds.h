// How long an update may be: of a crowd, of a formation in it, of a fleet.
#pragma once

#include <cmath>

#include <fairlead/base/result.h>
#include <fairlead/crowd/crowd.h>

namespace fairlead::crowd {

/// Errors: not_finite, out_of_range (kSecondsMin to 1).
[[nodiscard]] inline Result<void> check_seconds(double seconds) {
    if (!std::isfinite(seconds)) return Error{ErrorCode::not_finite, Field::seconds};
    if (!(seconds >= kSecondsMin && seconds <= 1.0)) return Error{ErrorCode::out_of_range, Field::seconds};
    return {};
}

}  // namespace fairlead::crowd
