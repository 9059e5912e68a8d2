// A fixed number of values that own memory, in memory of an allocator. What Array cannot hold.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <fairlead/base/allocator.h>

namespace fairlead {

template <class T>
class Owned {
  public:
    explicit Owned(const Allocator& allocator) : allocator_(allocator) {}
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() {
        for (std::size_t i = size_; i > 0; --i) std::destroy_at(data_ + i - 1);
        if (data_ != nullptr) allocator_.release(data_, capacity_ * sizeof(T), alignof(T), allocator_.user);
    }

    /// Once, before anything is added.
    [[nodiscard]] bool reserve(std::size_t count) {
        if (count == 0) return true;
        if (count > static_cast<std::size_t>(-1) / sizeof(T) / 2) return false;
        data_ = static_cast<T*>(allocator_.allocate(count * sizeof(T), alignof(T), allocator_.user));
        capacity_ = data_ != nullptr ? count : 0;
        return data_ != nullptr;
    }
    void add(T&& value) { std::construct_at(data_ + size_++, std::move(value)); }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }

  private:
    Allocator allocator_;
    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace fairlead
