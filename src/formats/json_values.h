// Reading the values that several JSON formats share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "formats/json_reader.h"

namespace fairlead::formats {

inline constexpr std::size_t kWordMax = 64;

/// Was this key among the ones marked by JsonReader::once?
[[nodiscard]] inline bool has(std::uint64_t seen, unsigned key) { return ((seen >> key) & 1U) != 0; }

/// Where a key stands in a list; the list's length for a key that is not in it.
template <std::size_t kCount>
[[nodiscard]] unsigned key_index(std::string_view key, const std::string_view (&keys)[kCount]) {
    unsigned i = 0;
    while (i < kCount && keys[i] != key) ++i;
    return i;
}

/// A string that names an enumerator; text_keyword.
template <class Enum>
bool read_name(JsonReader& json, Enum& out, std::optional<Enum> (*from_name)(std::string_view)) {
    std::string word;
    if (!json.read(word, kWordMax)) return false;
    const std::optional<Enum> value = from_name(word);
    if (!value) return json.fail(ErrorCode::text_keyword);
    out = *value;
    return true;
}

/// A string of 1 to 16 hexadecimal digits in lower case; text_number.
inline bool read_hex(JsonReader& json, std::uint64_t& out) {
    std::string text;
    if (!json.read(text, 16)) return false;
    if (text.empty()) return json.fail(ErrorCode::text_number);
    std::uint64_t value = 0;
    for (const char c : text) {
        const std::size_t digit = std::string_view("0123456789abcdef").find(c);
        if (digit == std::string_view::npos) return json.fail(ErrorCode::text_number);
        value = value * 16 + digit;
    }
    out = value;
    return true;
}

/// An array of as many numbers as there are places for them, each in [low, high]; text_missing, text_extra.
inline bool read_tuple(JsonReader& json, std::span<double* const> out, double low, double high) {
    if (!json.open_array()) return false;
    const JsonReader::Place start = json.place();
    std::size_t count = 0;
    while (json.next_item()) {
        if (count == out.size()) return json.fail_next(ErrorCode::text_extra);
        if (!json.read_number(*out[count++], low, high)) return false;
    }
    if (!json.ok()) return false;
    return count == out.size() || json.fail_at(ErrorCode::text_missing, start);
}

inline bool read_integer32(JsonReader& json, std::int32_t& out, std::int32_t low, std::int32_t high) {
    std::int64_t value = 0;
    if (!json.read_integer(value, low, high)) return false;
    out = static_cast<std::int32_t>(value);
    return true;
}

}  // namespace fairlead::formats
