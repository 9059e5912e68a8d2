// Borrowed<T>: a list of the caller's in a query or in options. Nothing is copied, so the list must outlive the call.
//
//     const Agent sizes[] = {{.radius = 0.4}, {.radius = 1.2}};
//     Grid::make({.width = 64, .height = 64, .sizes = sizes});           // an array, a vector, a span: anything in a row
//     Grid::make({.width = 64, .height = 64, .sizes = {{.radius = 0.4}}}) // does not compile: that list dies with the line
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace fairlead {

template <class T>
class Borrowed;

/// Does a value of this type only point to the list?
template <class List>
inline constexpr bool kIsView = false;
template <class T, std::size_t N>
inline constexpr bool kIsView<std::span<T, N>> = true;
template <class T>
inline constexpr bool kIsView<Borrowed<T>> = true;

template <class T>
class Borrowed {
  public:
    using value_type = T;

    constexpr Borrowed() = default;
    /// Of a list that has a name, or of a view of one.
    template <class List>
    requires std::is_convertible_v<const List&, std::span<const T>>
    constexpr Borrowed(const List& list) {
        const std::span<const T> all(list);
        data_ = all.data();
        size_ = all.size();
    }
    /// A list without a name is gone before it is read.
    template <class List>
    requires(!std::is_lvalue_reference_v<List> && !kIsView<std::remove_cv_t<List>> &&
             std::is_convertible_v<const List&, std::span<const T>>) Borrowed(List&& list)
    = delete;
    constexpr Borrowed(const T* first, std::size_t count) : data_(first), size_(count) {}

    [[nodiscard]] constexpr std::size_t size() const { return size_; }
    [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
    [[nodiscard]] constexpr const T* data() const { return data_; }
    [[nodiscard]] constexpr const T* begin() const { return data_; }
    [[nodiscard]] constexpr const T* end() const { return data_ + size_; }
    [[nodiscard]] constexpr const T& back() const { return data_[size_ - 1]; }
    [[nodiscard]] constexpr std::size_t size_bytes() const { return size_ * sizeof(T); }
    [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return data_[i]; }
    [[nodiscard]] constexpr std::span<const T> span() const { return {data_, size_}; }
    [[nodiscard]] constexpr Borrowed first(std::size_t count) const { return {data_, count}; }
    [[nodiscard]] constexpr Borrowed subspan(std::size_t begin) const {
        return {data_ + begin, size_ - begin};
    }
    [[nodiscard]] constexpr Borrowed subspan(std::size_t begin, std::size_t count) const {
        return {data_ + begin, count};
    }

  private:
    const T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace fairlead
