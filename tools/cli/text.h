// Numbers and lists in the arguments of flags.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::cli {

/// A finite number; anything else fails with the flag's name.
[[nodiscard]] double to_number(std::string_view flag, std::string_view text);

/// Numbers parted by commas; an empty field has no value.
[[nodiscard]] std::vector<std::optional<double>> to_numbers(std::string_view flag, std::string_view text);

/// The shortest text that reads back as the same number.
[[nodiscard]] std::string text_of(double value);

/// What a word means, or a failure that lists the words. `read` gives an optional.
template <class Read>
[[nodiscard]] auto to_word(std::string_view flag, const std::string& text, Read read, std::string_view words);

[[noreturn]] void fail_word(std::string_view flag, std::string_view text, std::string_view words);

template <class Read>
auto to_word(std::string_view flag, const std::string& text, Read read, std::string_view words) {
    const auto found = read(text);
    if (!found) fail_word(flag, text, words);
    return *found;
}

}  // namespace fairlead::cli
