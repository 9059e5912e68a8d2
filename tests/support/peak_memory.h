// An allocator that counts bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

#include <fairlead/base/allocator.h>

namespace fairlead::testing {

/// The most that was in use at once.
struct PeakMemory {
    std::int64_t live = 0;
    std::int64_t peak = 0;

    [[nodiscard]] Allocator allocator() {
        return {[](std::size_t bytes, std::size_t alignment, void* user) -> void* {
                    auto& self = *static_cast<PeakMemory*>(user);
                    self.live += static_cast<std::int64_t>(bytes);
                    self.peak = std::max(self.peak, self.live);
                    return ::operator new(bytes, std::align_val_t(std::max(alignment, sizeof(void*))));
                },
                [](void* memory, std::size_t bytes, std::size_t alignment, void* user) {
                    static_cast<PeakMemory*>(user)->live -= static_cast<std::int64_t>(bytes);
                    ::operator delete(memory, std::align_val_t(std::max(alignment, sizeof(void*))));
                },
                this};
    }
};

}  // namespace fairlead::testing
