// A heap whose order does not depend on the standard library: the least element first, by a total order that the caller gives.
#pragma once

#include <cstddef>

#include <fairlead/base/array.h>

namespace fairlead {

/// before(a, b) is a strict total order: of two different elements one comes before the other. Four children a node.
template <class T, bool (*before)(const T&, const T&)>
class LeastHeap {
  public:
    explicit LeastHeap(const Allocator& allocator) : items_(allocator) {}

    void clear() { items_.clear(); }
    [[nodiscard]] bool empty() const { return items_.empty(); }
    [[nodiscard]] const T& least() const { return items_[0]; }
    [[nodiscard]] std::size_t bytes() const { return items_.bytes(); }

    /// False: out of memory.
    [[nodiscard]] bool push(const T& item) {
        if (!items_.push_back(item)) return false;
        std::size_t at = items_.size() - 1;
        for (; at > 0 && before(item, items_[(at - 1) / 4]); at = (at - 1) / 4)
            items_[at] = items_[(at - 1) / 4];
        items_[at] = item;
        return true;
    }

    void pop() {
        const T last = items_.back();
        items_.pop_back();
        if (!items_.empty()) sink(last);
    }

    /// Another one in the place of the least.
    void replace_least(const T& item) {
        const T copy = item;
        sink(copy);
    }

  private:
    // Puts an item in at the top.
    void sink(const T& item) {
        const std::size_t size = items_.size();
        std::size_t at = 0;
        for (std::size_t child = 1; child < size; child = at * 4 + 1) {
            std::size_t best = child;
            for (std::size_t i = child + 1; i < child + 4 && i < size; ++i) {
                if (before(items_[i], items_[best])) best = i;
            }
            if (!before(items_[best], item)) break;
            items_[at] = items_[best];
            at = best;
        }
        items_[at] = item;
    }

    Array<T> items_;
};

}  // namespace fairlead
