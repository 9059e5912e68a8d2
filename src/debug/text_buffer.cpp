#include "debug/text_buffer.h"

#include <cmath>

namespace fairlead::debug {
namespace {

constexpr double kNumberMax = 9e15;  // below 2^53: floor and fraction are exact

[[nodiscard]] bool continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

void TextBuffer::add(std::string_view text) {
    const std::size_t size = chars_.size();
    if (!chars_.resize_uninitialized(size + text.size())) {
        failed_ = true;
        return;
    }
    if (!text.empty()) std::memcpy(chars_.data() + size, text.data(), text.size());
}

void TextBuffer::add_integer(std::int64_t value) {
    char digits[20];
    std::size_t count = 0;
    auto rest = value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
    do {
        digits[sizeof digits - ++count] = static_cast<char>('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0) add('-');
    add(std::string_view{digits + sizeof digits - count, count});
}

void TextBuffer::add_number(double value, int decimals) {
    if (!(value == value)) value = 0;
    double size = value < 0 ? -value : value;
    if (size > kNumberMax) size = kNumberMax;
    std::int64_t unit = 1;
    for (int i = 0; i < decimals; ++i) unit *= 10;
    const double whole = std::floor(size);
    auto integer = static_cast<std::int64_t>(whole);
    auto fraction = static_cast<std::int64_t>(std::floor((size - whole) * static_cast<double>(unit) + 0.5));
    if (fraction == unit) {
        fraction = 0;
        ++integer;
    }
    if (value < 0 && (integer != 0 || fraction != 0)) add('-');
    add_integer(integer);
    if (fraction == 0) return;
    add('.');
    for (std::int64_t digit = unit / 10; fraction != 0; digit /= 10) {
        add(static_cast<char>('0' + fraction / digit));
        fraction %= digit;
    }
}

void TextBuffer::add_hundredths(std::int64_t value) {
    if (value < 0) {
        add('-');
        value = -value;
    }
    if (value >= 100 || value == 0) add_integer(value / 100);
    const std::int64_t fraction = value % 100;
    if (fraction == 0) return;
    add('.');
    add(static_cast<char>('0' + fraction / 10));
    if (fraction % 10 != 0) add(static_cast<char>('0' + fraction % 10));
}

void TextBuffer::add_hex(Color color) {
    constexpr char kDigits[] = "0123456789abcdef";
    const std::uint8_t parts[] = {color.r, color.g, color.b};
    bool is_short = true;
    for (const std::uint8_t part : parts) is_short = is_short && (part >> 4) == (part & 15);
    add('#');
    for (const std::uint8_t part : parts) {
        add(kDigits[part >> 4]);
        if (!is_short) add(kDigits[part & 15]);
    }
}

void TextBuffer::add_xml(const char* text) {
    while (*text != '\0') {
        const int bytes = utf8_length(text);
        switch (*text) {
            case '&': add("&amp;"); break;
            case '<': add("&lt;"); break;
            case '>': add("&gt;"); break;
            case '"': add("&quot;"); break;
            case '\'': add("&#39;"); break;
            default:
                if (bytes == 0 || static_cast<unsigned char>(*text) < 0x20U) {
                    add(*text == '\n' || *text == '\t' ? ' ' : '?');
                } else {
                    add(std::string_view{text, static_cast<std::size_t>(bytes)});
                }
        }
        text += bytes == 0 ? 1 : bytes;
    }
}

void TextBuffer::add_json(const char* text) {
    add('"');
    while (*text != '\0') {
        const int bytes = utf8_length(text);
        if (*text == '"' || *text == '\\') {
            add('\\');
            add(*text);
        } else if (static_cast<unsigned char>(*text) < 0x20U) {
            constexpr char kDigits[] = "0123456789abcdef";
            add("\\u00");
            add(kDigits[static_cast<unsigned char>(*text) >> 4]);
            add(kDigits[static_cast<unsigned char>(*text) & 15]);
        } else if (bytes == 0) {
            add('?');
        } else {
            add(std::string_view{text, static_cast<std::size_t>(bytes)});
        }
        text += bytes == 0 ? 1 : bytes;
    }
    add('"');
}

int utf8_length(const char* text) {
    const auto first = static_cast<unsigned char>(*text);
    if (first == 0) return 0;
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;  // a continuation, an overlong form, or past U+10FFFF
    const int bytes = first < 0xE0 ? 2 : (first < 0xF0 ? 3 : 4);
    for (int i = 1; i < bytes; ++i) {
        if (!continuation(text[i])) return 0;
    }
    const auto second = static_cast<unsigned char>(text[1]);
    if (first == 0xE0 && second < 0xA0) return 0;   // overlong
    if (first == 0xED && second >= 0xA0) return 0;  // surrogates
    if (first == 0xEF && second == 0xBF && static_cast<unsigned char>(text[2]) >= 0xBE)
        return 0;                                   // U+FFFE, U+FFFF
    if (first == 0xF0 && second < 0x90) return 0;   // overlong
    if (first == 0xF4 && second >= 0x90) return 0;  // past U+10FFFF
    return bytes;
}

std::int64_t to_hundredths(double value) {
    if (!(value == value)) return 0;
    const double scaled = value * 100;
    if (scaled > 1e12) return 1'000'000'000'000;
    if (scaled < -1e12) return -1'000'000'000'000;
    return static_cast<std::int64_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

}  // namespace fairlead::debug
