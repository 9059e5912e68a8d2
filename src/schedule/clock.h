// The one place where the library reads a clock.
#pragma once

namespace fairlead::schedule {

/// Microseconds of a clock that never goes back.
[[nodiscard]] double steady_us();

}  // namespace fairlead::schedule
