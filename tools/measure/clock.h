// Time spent by the calling thread on a processor: what other programs do at the same time does not count.
#pragma once

#include <cstdint>

namespace fairlead::measure {

[[nodiscard]] std::uint64_t thread_ns();

}  // namespace fairlead::measure
