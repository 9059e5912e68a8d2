// The allocator that is used where the caller gives none: the system's.
#include <fairlead/base/allocator.h>

#include <cstdlib>

#if defined(_WIN32)
#include <malloc.h>  // Windows has no std::aligned_alloc
#endif

namespace fairlead {

namespace {

#if defined(_WIN32)

void* allocate_aligned(std::size_t bytes, std::size_t alignment) { return _aligned_malloc(bytes, alignment); }
void release_aligned(void* memory) { _aligned_free(memory); }

#else

void* allocate_aligned(std::size_t bytes, std::size_t alignment) {
    const std::size_t rounded = (bytes + alignment - 1) & ~(alignment - 1);
    return rounded < bytes ? nullptr : std::aligned_alloc(alignment, rounded);
}
void release_aligned(void* memory) { std::free(memory); }

#endif

void* system_allocate(std::size_t bytes, std::size_t alignment, void*) {
    return alignment <= alignof(std::max_align_t) ? std::malloc(bytes) : allocate_aligned(bytes, alignment);
}

void system_release(void* memory, std::size_t, std::size_t alignment, void*) {
    alignment <= alignof(std::max_align_t) ? std::free(memory) : release_aligned(memory);
}

}  // namespace

Allocator::Allocator() : allocate(system_allocate), release(system_release) {}

}  // namespace fairlead
