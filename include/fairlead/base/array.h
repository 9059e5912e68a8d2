// Array<T>: a growable flat array of trivially copyable values that never throws. Growing returns false when
// the allocator has nothing left; the contents are then unchanged.
//
// Move only: copies are explicit (assign). Elements added by resize are zero bytes; resize_uninitialized
// leaves them unset, for kernels that write every element.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include <fairlead/base/allocator.h>
#include <fairlead/base/assert.h>

namespace fairlead {

template <class T>
class Array {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    using value_type = T;

    Array() = default;
    explicit Array(const Allocator& allocator) : allocator_(allocator) {}
    Array(Array&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0)),
          allocator_(other.allocator_) {}
    Array& operator=(Array&& other) noexcept {
        if (this != &other) {
            free_memory();
            data_ = std::exchange(other.data_, nullptr);
            size_ = std::exchange(other.size_, 0);
            capacity_ = std::exchange(other.capacity_, 0);
            allocator_ = other.allocator_;
        }
        return *this;
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() { free_memory(); }

    [[nodiscard]] T* data() { return data_; }
    [[nodiscard]] const T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t capacity() const { return capacity_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(T); }
    [[nodiscard]] const Allocator& allocator() const { return allocator_; }

    [[nodiscard]] T* begin() { return data_; }
    [[nodiscard]] T* end() { return data_ + size_; }
    [[nodiscard]] const T* begin() const { return data_; }
    [[nodiscard]] const T* end() const { return data_ + size_; }
    [[nodiscard]] std::span<T> span() { return {data_, size_}; }
    [[nodiscard]] std::span<const T> span() const { return {data_, size_}; }
    operator std::span<const T>() const { return {data_, size_}; }

    [[nodiscard]] T& operator[](std::size_t i) {
        FAIRLEAD_DEBUG_ASSERT(i < size_);
        return data_[i];
    }
    [[nodiscard]] const T& operator[](std::size_t i) const {
        FAIRLEAD_DEBUG_ASSERT(i < size_);
        return data_[i];
    }
    [[nodiscard]] T& back() {
        FAIRLEAD_DEBUG_ASSERT(size_ > 0);
        return data_[size_ - 1];
    }
    [[nodiscard]] const T& back() const {
        FAIRLEAD_DEBUG_ASSERT(size_ > 0);
        return data_[size_ - 1];
    }

    void clear() { size_ = 0; }
    void pop_back() {
        FAIRLEAD_DEBUG_ASSERT(size_ > 0);
        --size_;
    }

    /// Room for at least `count` elements. False, and nothing changed, when memory runs out.
    [[nodiscard]] bool reserve(std::size_t count) { return count <= capacity_ || reallocate(count); }

    /// New elements are zero bytes.
    [[nodiscard]] bool resize(std::size_t count) {
        const std::size_t old = size_;
        if (!resize_uninitialized(count)) return false;
        if (count > old) std::memset(static_cast<void*>(data_ + old), 0, (count - old) * sizeof(T));
        return true;
    }

    [[nodiscard]] bool resize_uninitialized(std::size_t count) {
        if (count > capacity_ && !reallocate(grown(count))) return false;
        size_ = count;
        return true;
    }

    [[nodiscard]] FAIRLEAD_INLINE bool push_back(const T& value) {
        if (FAIRLEAD_UNLIKELY(size_ == capacity_)) {
            const T copy = value;  // value may live in this array
            if (!reallocate(grown(size_ + 1))) return false;
            data_[size_++] = copy;
            return true;
        }
        data_[size_++] = value;
        return true;
    }

    /// Replaces the contents by a copy of `values`, which must not alias this array.
    [[nodiscard]] bool assign(std::span<const T> values) {
        if (!resize_uninitialized(values.size())) return false;
        if (!values.empty()) std::memcpy(static_cast<void*>(data_), values.data(), values.size_bytes());
        return true;
    }

    void free_memory() {
        if (data_ != nullptr) allocator_.release(data_, capacity_ * sizeof(T), alignof(T), allocator_.user);
        data_ = nullptr;
        size_ = capacity_ = 0;
    }

  private:
    [[nodiscard]] std::size_t grown(std::size_t count) const {
        const std::size_t doubled = capacity_ * 2;
        return doubled > count ? doubled : (count < 8 ? 8 : count);
    }

    [[nodiscard]] FAIRLEAD_NOINLINE bool reallocate(std::size_t count) {
        if (count > (std::numeric_limits<std::size_t>::max)() / sizeof(T) / 2) return false;
        void* memory = allocator_.allocate(count * sizeof(T), alignof(T), allocator_.user);
        if (memory == nullptr) return false;
        if (size_ != 0) std::memcpy(memory, static_cast<const void*>(data_), size_ * sizeof(T));
        const std::size_t kept = size_;
        free_memory();
        data_ = static_cast<T*>(memory);
        size_ = kept;
        capacity_ = count;
        return true;
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    Allocator allocator_;
};

}  // namespace fairlead
