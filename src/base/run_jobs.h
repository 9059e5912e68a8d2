// Jobs as the caller runs them, or one after the other.
#pragma once

#include <fairlead/base/jobs.h>

namespace fairlead {

inline void run_jobs(const Jobs& jobs, std::size_t count, void (*job)(void*, std::size_t), void* context) {
    if (jobs.run != nullptr) {
        jobs.run(jobs.user, count, job, context);
        return;
    }
    for (std::size_t i = 0; i < count; ++i) job(context, i);
}

}  // namespace fairlead
