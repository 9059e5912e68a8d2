// Result<T>: a value or an Error. The member names are those of std::expected, which C++20 lacks.
//
//     Result<Grid> town = Grid::make({.width = 512, .height = 512}, tiles);
//     if (!town) return report(town.error());
//     use(*town);
//
// Reading the value of a failed Result, or the error of a good one, is a caller's bug and asserts.
// No allocation, no exception. Result<void> carries only success or an Error.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include <fairlead/base/assert.h>
#include <fairlead/base/error.h>

namespace fairlead {

template <class T>
class [[nodiscard]] Result {
  public:
    using value_type = T;

    Result(T&& value) : ok_(true) { std::construct_at(&value_, std::move(value)); }
    Result(const T& value) requires std::is_copy_constructible_v<T> : ok_(true) {
        std::construct_at(&value_, value);
    }
    Result(const Error& error) : error_(error), ok_(false) {}

    Result(Result&& other) noexcept : ok_(other.ok_) {
        if (ok_) {
            std::construct_at(&value_, std::move(other.value_));
        } else {
            std::construct_at(&error_, other.error_);
        }
    }
    Result& operator=(Result&& other) noexcept {
        if (this != &other) {
            std::destroy_at(this);
            std::construct_at(this, std::move(other));
        }
        return *this;
    }
    Result(const Result&) = delete;
    Result& operator=(const Result&) = delete;
    ~Result() {
        if (ok_) std::destroy_at(&value_);
    }

    [[nodiscard]] bool has_value() const { return ok_; }
    [[nodiscard]] explicit operator bool() const requires(!std::is_same_v<T, bool>) { return ok_; }
    /// Of a Result<bool> nobody could tell which of its two answers is meant: has_value(), or *result.
    explicit operator bool() const requires(std::is_same_v<T, bool>) = delete;

    [[nodiscard]] T& value() & {
        FAIRLEAD_ASSERT(ok_);
        return value_;
    }
    [[nodiscard]] const T& value() const& {
        FAIRLEAD_ASSERT(ok_);
        return value_;
    }
    /// Of a temporary a value of its own: `for (leg : (*find_route(...)).legs)` holds.
    [[nodiscard]] T value() && {
        FAIRLEAD_ASSERT(ok_);
        return std::move(value_);
    }
    [[nodiscard]] T& operator*() & { return value(); }
    [[nodiscard]] const T& operator*() const& { return value(); }
    [[nodiscard]] T operator*() && { return std::move(*this).value(); }
    [[nodiscard]] T* operator->() & { return &value(); }
    [[nodiscard]] const T* operator->() const& { return &value(); }
    /// Not of a temporary: what it points to is gone at the end of the line. (*result).member, or a name.
    const T* operator->() const&& = delete;

    [[nodiscard]] const Error& error() const {
        FAIRLEAD_ASSERT(!ok_);
        return error_;
    }

  private:
    union {
        T value_;
        Error error_;
    };
    bool ok_;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    using value_type = void;

    Result() : ok_(true) {}
    Result(const Error& error) : error_(error), ok_(false) {}

    [[nodiscard]] bool has_value() const { return ok_; }
    [[nodiscard]] explicit operator bool() const { return ok_; }
    [[nodiscard]] const Error& error() const {
        FAIRLEAD_ASSERT(!ok_);
        return error_;
    }

  private:
    Error error_{};
    bool ok_;
};

}  // namespace fairlead
