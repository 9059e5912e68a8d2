// Jobs on threads, for tests of what must not depend on them.
#pragma once

#include <cstddef>
#include <thread>
#include <vector>

namespace fairlead::testing {

/// Runs jobs on `count` threads, last first: Jobs{&Threads::run, &threads}.
struct Threads {
    std::size_t count;

    static void run(void* user, std::size_t jobs, void (*job)(void*, std::size_t), void* context) {
        const std::size_t threads = static_cast<Threads*>(user)->count;
        std::vector<std::thread> running;
        for (std::size_t t = 0; t < threads; ++t) {
            running.emplace_back([=] {
                for (std::size_t i = jobs; i > 0; --i) {
                    if (i % threads == t) job(context, i - 1);
                }
            });
        }
        for (std::thread& thread : running) thread.join();
    }
};

}  // namespace fairlead::testing
