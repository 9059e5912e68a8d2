// Counts what the whole program takes from the heap: operator new, and with glibc malloc and its kin, which the
// library's own allocator uses. Sanitizers have their own malloc; there operator new alone is counted.
#pragma once

#include <cstdint>

namespace fairlead::testing {

/// Allocations of this program so far.
[[nodiscard]] std::uint64_t heap_calls();

/// Is malloc counted too?
[[nodiscard]] bool heap_counts_malloc();

}  // namespace fairlead::testing
