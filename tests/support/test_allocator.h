// An allocator that counts, and that can be told to fail: for "a warm query allocates nothing" and for the
// sweep "let the n-th allocation fail, for every n; nothing leaks and the next call works".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

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
    bool fail_once = false;            ///< then only the call with this number fails
    std::int64_t failed = 0;           ///< calls that have failed

    TestAllocator() = default;
    TestAllocator(const TestAllocator&) = delete;
    TestAllocator& operator=(const TestAllocator&) = delete;

    [[nodiscard]] Allocator allocator() { return {&allocate, &release, this}; }

    /// The n-th allocation from now on (from 0) fails: it alone, or all later ones as well.
    void fail_after(std::int64_t n, bool once) {
        fail_from_call = calls + n;
        fail_once = once;
        failed = 0;
    }
    /// All allocations succeed from now on. Has one failed since the last call of this or of fail_after()?
    bool feed() {
        fail_from_call = -1;
        return std::exchange(failed, 0) > 0;
    }

  private:
    [[nodiscard]] bool fails(std::int64_t call) const {
        if (fail_from_call < 0) return false;
        return fail_once ? call == fail_from_call : call >= fail_from_call;
    }

    static void* allocate(std::size_t bytes, std::size_t alignment, void* user) {
        auto* self = static_cast<TestAllocator*>(user);
        const std::int64_t call = self->calls++;
        if (self->fails(call)) {
            ++self->failed;
            return nullptr;
        }
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
        // Whoever reads what is gone shall read nonsense. volatile: or the compiler leaves it out.
        auto* words = static_cast<volatile std::uint32_t*>(memory);
        for (std::size_t i = 0; i < bytes / sizeof(std::uint32_t); ++i) words[i] = 0xdeaddeadU;
        std::free(memory);
    }
};

}  // namespace fairlead::testing
