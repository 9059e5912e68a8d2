// Things of a port that are known by numbers from when one is taken until it is given back: T(allocator), and drop(), after which it is as
// good as new. Their memory is kept for the next one.
#pragma once

#include <cstdint>

#include "fleet/kind_list.h"

namespace fairlead::fleet {

template <class T>
class Numbered {
  public:
    explicit Numbered(const Allocator& allocator) : items_(allocator), free_(allocator) {}

    /// One that is not in use, and its number. Null: no memory.
    [[nodiscard]] T* take(std::uint32_t& number) {
        if (!free_.empty()) {
            number = free_.back();
            free_.pop_back();
            return &items_[number];
        }
        number = static_cast<std::uint32_t>(items_.size());
        if (!free_.reserve(items_.size() + 1)) return nullptr;
        return items_.add(free_.allocator());
    }
    void give(std::uint32_t number) {
        items_[number].drop();
        (void)free_.push_back(number);  // there is room for all
    }
    void clear() {
        items_.clear();
        free_.clear();
    }
    [[nodiscard]] T& operator[](std::uint32_t number) { return items_[number]; }

  private:
    KindList<T> items_;
    Array<std::uint32_t> free_;
};

}  // namespace fairlead::fleet
