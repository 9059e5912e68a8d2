// Heapsort (Williams 1964) as single steps, each of bounded work, so that a long list is sorted in slices of a query's budget. With a
// total order the result is the same however the sorting goes about it.
#pragma once

#include <cstddef>

namespace fairlead::grid {

/// How many steps a list of this size takes: the heap is made in the first half of it, and taken down in as many steps as there are
/// elements.
[[nodiscard]] inline std::size_t heap_steps(std::size_t size) { return size / 2 + size; }

/// One element down the heap. before(a, b): does a come before b? exchange(a, b): swaps two.
template <class Before, class Exchange>
void sink_in_heap(std::size_t at, std::size_t size, const Before& before, const Exchange& exchange) {
    for (;;) {
        std::size_t child = 2 * at + 1;
        if (child >= size) return;
        if (child + 1 < size && before(child, child + 1)) ++child;
        if (!before(at, child)) return;
        exchange(at, child);
        at = child;
    }
}

/// Step `at` of heap_steps(size), in order.
template <class Before, class Exchange>
void heap_step(std::size_t at, std::size_t size, const Before& before, const Exchange& exchange) {
    const std::size_t half = size / 2;
    if (at < half) return sink_in_heap(half - 1 - at, size, before, exchange);
    const std::size_t last = size - 1 - (at - half);
    if (last == 0) return;
    exchange(std::size_t{0}, last);
    sink_in_heap(0, last, before, exchange);
}

}  // namespace fairlead::grid
