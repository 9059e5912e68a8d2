// Numbers as text, the same on every platform and in every locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::formats {

/// Appends the shortest decimal text that reads back as the same double: 0.1, 42.5, 1e+20, -0. At most 24
/// bytes. Not finite: appends "null", the only thing that JSON has for it.
void append_number(std::string& out, double value);
void append_number(std::string& out, std::int64_t value);
void append_number(std::string& out, std::uint64_t value);

/// Appends with a fixed number of digits behind the point, 0 to 17.
void append_fixed(std::string& out, double value, int decimals);

/// Reads a whole text as a number: an optional sign, digits with an optional point, an optional exponent; at
/// most 128 bytes, no blanks, no "inf", no hexadecimal. Correctly rounded. Empty when it is none; too large a
/// number gives an infinity, which the caller must refuse.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// Reads a whole text as a decimal integer with an optional '-'. Empty when it is none or does not fit.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace fairlead::formats
