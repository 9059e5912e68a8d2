// An allocator that counts, and that can be told to fail: for "a warm query allocates nothing" and for the
// sweep "let the n-th allocation fail, for every n; nothing leaks and the next call works".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <fairlead/base/allocator.h>

namespace fairlead::testing {

/// Must outlive everything that was made with allocator().
class TestAllocator {
  public:
    std::int64_t calls = 0;            ///< allocations asked for, failed ones included
    std::int64_t live_blocks = 0;      ///< allocated and not yet released; below zero: released twice
    std::int64_t live_bytes = 0;       ///< likewise; wrong sizes given back show here
    std::int64_t peak_bytes = 0;       ///< the most of it so far
    std::int64_t fail_from_call = -1;  ///< calls with this number (from 0) and later ones fail; -1: none

    TestAllocator() = default;
    TestAllocator(const TestAllocator&) = delete;
    TestAllocator& operator=(const TestAllocator&) = delete;

    [[nodiscard]] Allocator allocator() { return {&allocate, &release, this}; }

  private:
    static void* allocate(std::size_t bytes, std::size_t alignment, void* user) {
        auto* self = static_cast<TestAllocator*>(user);
        const std::int64_t call = self->calls++;
        if (self->fail_from_call >= 0 && call >= self->fail_from_call) return nullptr;
        const std::size_t unit = alignment < sizeof(void*) ? sizeof(void*) : alignment;
        void* memory = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
        if (memory == nullptr) return nullptr;
        ++self->live_blocks;
        self->live_bytes += static_cast<std::int64_t>(bytes);
        if (self->live_bytes > self->peak_bytes) self->peak_bytes = self->live_bytes;
        return memory;
    }

    static void release(void* memory, std::size_t bytes, std::size_t, void* user) {
        auto* self = static_cast<TestAllocator*>(user);
        --self->live_blocks;
        self->live_bytes -= static_cast<std::int64_t>(bytes);
        std::free(memory);
    }
};

}  // namespace fairlead::testing
