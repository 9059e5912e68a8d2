// Where the library gets its memory. Every container of the library takes an Allocator; the default one is
// malloc and free. An allocator that returns null makes the operation return Error{out_of_memory}; nothing
// leaks and the next call works.
#pragma once

#include <cstddef>

#include <fairlead/base/platform.h>

namespace fairlead {

/// A pair of functions and their context. Trivially copyable; the functions must outlive every container made
/// with it. `allocate` returns memory aligned to `alignment` (a power of two), or null. `release` gets the same
/// numbers back.
struct Allocator {
    void* (*allocate)(std::size_t bytes, std::size_t alignment, void* user);
    void (*release)(void* memory, std::size_t bytes, std::size_t alignment, void* user);
    void* user = nullptr;

    /// The system allocator (aligned malloc).
    Allocator();
    Allocator(void* (*allocate_function)(std::size_t, std::size_t, void*),
              void (*release_function)(void*, std::size_t, std::size_t, void*), void* context)
        : allocate(allocate_function), release(release_function), user(context) {}
};

}  // namespace fairlead
