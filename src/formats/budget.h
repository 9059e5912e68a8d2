// Keeps a loader's memory under the caller's cap: every growth is asked for before it is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>

namespace fairlead::formats {

inline constexpr std::size_t kTitleMax = 4096;  ///< bytes of a world's title

class Budget {
  public:
    explicit Budget(const Limits& limits) : limit_(limits.memory_bytes), left_(limits.memory_bytes) {}

    [[nodiscard]] bool take(std::uint64_t bytes) {
        if (bytes > left_) return false;
        left_ -= bytes;
        return true;
    }
    void give_back(std::uint64_t bytes) { left_ += bytes; }
    [[nodiscard]] Error spent() const {
        return {ErrorCode::size_limit, -1,
                static_cast<std::int64_t>(limit_ < INT64_MAX ? limit_ : INT64_MAX)};
    }

    /// Appends, doubling the room; the old block counts until the new one holds its elements.
    template <class T>
    [[nodiscard]] bool append(std::vector<T>& list, T value) {
        if (list.size() == list.capacity()) {
            const std::size_t old = list.capacity();
            const std::size_t room = old < 4 ? 8 : old * 2;
            if (room > UINT64_MAX / sizeof(T) || !take(std::uint64_t{room} * sizeof(T))) return false;
            list.reserve(room);
            give_back(std::uint64_t{old} * sizeof(T));
        }
        list.push_back(std::move(value));
        return true;
    }

    /// An empty list with room for exactly `count`.
    template <class T>
    [[nodiscard]] bool reserve(std::vector<T>& list, std::uint64_t count) {
        if (count > UINT64_MAX / sizeof(T) || !take(count * sizeof(T))) return false;
        list.reserve(static_cast<std::size_t>(count));
        return true;
    }

    /// Copies a text into an empty string.
    [[nodiscard]] bool copy(std::string& to, std::string_view from) {
        if (!take(std::uint64_t{from.size()} + 32)) return false;  // a string rounds its room up
        to.assign(from);
        return true;
    }

  private:
    std::uint64_t limit_;
    std::uint64_t left_;
};

/// Runs a loader after the check of the text's length, and turns the standard library's one exception that
/// can occur (no memory) into an Error.
template <class Function>
auto guarded(std::string_view text, const Limits& limits, Function load) -> decltype(load()) {
    if (text.size() > limits.text_bytes) {
        const std::uint64_t limit = limits.text_bytes;
        return Error{ErrorCode::size_limit, -1,
                     static_cast<std::int64_t>(limit < INT64_MAX ? limit : INT64_MAX)};
    }
    try {
        return load();
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, -1, 0};
    }
}

}  // namespace fairlead::formats
