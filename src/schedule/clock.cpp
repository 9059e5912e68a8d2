// The standard library's steady clock, in microseconds.
#include "schedule/clock.h"

#include <chrono>

namespace fairlead::schedule {

double steady_us() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()) * 1e-3;
}

}  // namespace fairlead::schedule
