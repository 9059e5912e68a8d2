#include <fairlead/formats/number.h>

#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "formats/text.h"

namespace fairlead::formats {

namespace {

// The C library prints and reads the point of the current locale, which belongs to the whole process and may
// change under us. Its text is mended, not its setting.
const char* locale_point() {
    const std::lconv* conventions = std::localeconv();
    return conventions != nullptr && conventions->decimal_point != nullptr ? conventions->decimal_point : ".";
}

void append_with_point(std::string& out, const char* digits) {
    const char* point = locale_point();
    const char* found = std::strcmp(point, ".") == 0 ? nullptr : std::strstr(digits, point);
    if (found == nullptr) {
        out += digits;
        return;
    }
    out.append(digits, static_cast<std::size_t>(found - digits));
    out += '.';
    out += found + std::strlen(point);
}

// [-+] digits [. digits] [e [-+] digits], with a digit somewhere before the exponent.
bool is_number(std::string_view text) {
    std::size_t i = 0;
    std::size_t digits = 0;
    const auto run = [&] {
        const std::size_t from = i;
        while (i < text.size() && is_digit(text[i])) ++i;
        return i - from;
    };
    const auto sign = [&] {
        if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    };
    sign();
    digits = run();
    if (i < text.size() && text[i] == '.') {
        ++i;
        digits += run();
    }
    if (digits == 0) return false;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        ++i;
        sign();
        if (run() == 0) return false;
    }
    return i == text.size();
}

template <class Integer>
void append_integer(std::string& out, Integer value) {
    char buffer[24];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);  // integer
    out.append(buffer, end.ptr);
}

}  // namespace

void append_number(std::string& out, std::int64_t value) { append_integer(out, value); }
void append_number(std::string& out, std::uint64_t value) { append_integer(out, value); }

void append_number(std::string& out, double value) {
    if (!std::isfinite(value)) {
        out += "null";
        return;
    }
    if (value == std::floor(value) && std::fabs(value) < 1e15) {
        if (value == 0.0 && std::signbit(value)) out += '-';
        append_integer(out, static_cast<std::int64_t>(value));
        return;
    }
    // A decimal of up to 15 digits names at most one normal double, so if any such text reads back, %.15g
    // prints it. Subnormal numbers have fewer digits to give and start from one.
    const bool subnormal = std::fabs(value) < std::numeric_limits<double>::min();
    char buffer[40];
    for (int digits = subnormal ? 1 : 15; digits <= 17; ++digits) {
        std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
        if (digits == 17 || std::strtod(buffer, nullptr) == value) break;
    }
    append_with_point(out, buffer);
}

void append_fixed(std::string& out, double value, int decimals) {
    char buffer[360];  // 309 digits before the point at most
    std::snprintf(buffer, sizeof buffer, "%.*f", decimals < 0 ? 0 : (decimals > 17 ? 17 : decimals), value);
    append_with_point(out, buffer);
}

std::optional<double> parse_number(std::string_view text) {
    constexpr std::size_t kLongest = 128;
    constexpr std::size_t kPointRoom = 16;
    if (text.size() > kLongest || !is_number(text)) return std::nullopt;
    char buffer[kLongest + kPointRoom];
    std::size_t length = 0;
    const char* point = locale_point();
    const std::size_t point_length = std::strlen(point);
    if (point_length >= kPointRoom) return std::nullopt;
    for (const char c : text) {
        if (c == '.') {
            std::memcpy(buffer + length, point, point_length);
            length += point_length;
        } else {
            buffer[length++] = c;
        }
    }
    buffer[length] = '\0';
    return std::strtod(buffer, nullptr);
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    std::int64_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);  // integer
    if (text.empty() || end.ec != std::errc{} || end.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace fairlead::formats
