// Memory that counts what is taken of it.
#pragma once

#include <algorithm>
#include <cstddef>

#include <fairlead/base/allocator.h>

namespace fairlead::bench {

class CountedMemory {
  public:
    CountedMemory() = default;
    CountedMemory(const CountedMemory&) = delete;
    CountedMemory& operator=(const CountedMemory&) = delete;

    /// Of the system's; it must not outlive this.
    [[nodiscard]] Allocator allocator() { return {allocate, release, this}; }
    [[nodiscard]] std::size_t now() const { return now_; }
    /// At once, since the last reset.
    [[nodiscard]] std::size_t most() const { return most_; }
    void reset_most() { most_ = now_; }

  private:
    static void* allocate(std::size_t bytes, std::size_t alignment, void* user) {
        const Allocator system;
        void* const memory = system.allocate(bytes, alignment, system.user);
        auto& self = *static_cast<CountedMemory*>(user);
        self.now_ += memory != nullptr ? bytes : 0;
        self.most_ = std::max(self.most_, self.now_);
        return memory;
    }
    static void release(void* memory, std::size_t bytes, std::size_t alignment, void* user) {
        const Allocator system;
        static_cast<CountedMemory*>(user)->now_ -= bytes;
        system.release(memory, bytes, alignment, system.user);
    }

    std::size_t now_ = 0;
    std::size_t most_ = 0;
};

}  // namespace fairlead::bench
