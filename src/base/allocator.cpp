#include <fairlead/base/allocator.h>

#include <cstdlib>

namespace fairlead {

namespace {

void* system_allocate(std::size_t bytes, std::size_t alignment, void*) {
    if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes);
    const std::size_t rounded = (bytes + alignment - 1) & ~(alignment - 1);
    return rounded < bytes ? nullptr : std::aligned_alloc(alignment, rounded);
}

void system_release(void* memory, std::size_t, std::size_t, void*) { std::free(memory); }

}  // namespace

Allocator::Allocator() : allocate(system_allocate), release(system_release) {}

}  // namespace fairlead
