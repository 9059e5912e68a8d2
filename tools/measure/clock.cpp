// The thread's processor time where POSIX has it, else the steady clock.

#include "measure/clock.h"

#include <chrono>
#include <ctime>

namespace fairlead::measure {

std::uint64_t thread_ns() {
#ifdef CLOCK_THREAD_CPUTIME_ID
    timespec now{};
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0) {
        return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
               static_cast<std::uint64_t>(now.tv_nsec);
    }
#endif
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

}  // namespace fairlead::measure
