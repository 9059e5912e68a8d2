// Long work on the caller's threads, and who wants to know how far it is. The library starts no threads.
#pragma once

#include <cstddef>

namespace fairlead {

/// Runs count jobs, on as many threads as the caller likes, and returns when all are done. What is made has the same bytes
/// whatever the order and the number of threads; the allocator is called from all of them. Null: one after the other.
struct Jobs {
    void (*run)(void* user, std::size_t count, void (*job)(void* context, std::size_t index),
                void* context) = nullptr;
    void* user = nullptr;
};

/// Called now and then from the thread that called for the work: parts done of all. False stops the work.
struct Progress {
    bool (*report)(void* user, std::size_t done, std::size_t all) = nullptr;
    void* user = nullptr;
};

}  // namespace fairlead
