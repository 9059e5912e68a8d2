// Random things are done to a scheduler and to its oracle (schedule_oracle.h), and what both say is compared.
#pragma once

#include <cstdint>
#include <string>

#include <fairlead/base/jobs.h>
#include <fairlead/schedule/scheduler.h>

namespace fairlead::testing {

struct ScheduleTally {
    std::uint64_t frames = 0;
    std::uint64_t requests = 0;
    std::uint64_t complete = 0;
    std::uint64_t capped = 0;
    std::uint64_t late = 0;
    std::uint64_t failed = 0;
    std::uint64_t dropped = 0;
    std::uint64_t cancelled = 0;
    std::uint64_t first_legs = 0;
    std::uint64_t retried = 0;
    std::uint64_t restarted = 0;
    std::uint64_t shared = 0;
    std::uint64_t over = 0;  ///< frames in which a search of the user's own passed its budget
};

/// One random run. Empty, or what differed and where.
[[nodiscard]] std::string check_schedule(std::uint64_t seed, ScheduleTally& tally, std::uint32_t threads = 0,
                                         const Jobs& jobs = {});

}  // namespace fairlead::testing
