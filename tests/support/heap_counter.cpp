#include "support/heap_counter.h"
#include "support/sanitized.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__GLIBC__) && !FAIRLEAD_SANITIZED
#define FAIRLEAD_COUNTS_MALLOC 1
#else
#define FAIRLEAD_COUNTS_MALLOC 0
#endif

namespace {

std::atomic<std::uint64_t> calls{0};

void count() { calls.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

namespace fairlead::testing {

std::uint64_t heap_calls() { return calls.load(std::memory_order_relaxed); }
bool heap_counts_malloc() { return FAIRLEAD_COUNTS_MALLOC != 0; }

}  // namespace fairlead::testing

#if FAIRLEAD_COUNTS_MALLOC

// A program's own malloc replaces that of glibc, which stays at hand under these names. operator new calls malloc.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) noexcept {
    count();
    return __libc_malloc(bytes);
}
void* calloc(std::size_t number, std::size_t bytes) noexcept {
    count();
    return __libc_calloc(number, bytes);
}
void* realloc(void* memory, std::size_t bytes) noexcept {
    count();
    return __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
    count();
    return __libc_memalign(alignment, bytes);
}
}

#else

void* operator new(std::size_t bytes) {
    count();
    void* memory = std::malloc(bytes == 0 ? 1 : bytes);
    if (memory == nullptr) std::abort();
    return memory;
}
// The standard library's buffer of std::stable_sort comes from here and goes to operator delete; a sanitizer that keeps its own
// of this one tells of two that do not fit.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    count();
    return std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif
