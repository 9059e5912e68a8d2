// Tells of the parts of a long work and hears whether it goes on.
#pragma once

#include <cstddef>

#include <fairlead/base/jobs.h>

namespace fairlead::mesh {

struct Watch {
    Progress progress{};
    std::size_t done = 0;  ///< parts, of all
    std::size_t all = 0;
    bool stopped = false;

    /// Asked often, also within a part. False: the work is to stop.
    [[nodiscard]] bool goes_on() {
        if (progress.report != nullptr && !stopped) stopped = !progress.report(progress.user, done, all);
        return !stopped;
    }
};

}  // namespace fairlead::mesh
