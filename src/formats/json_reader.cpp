#include "formats/json_reader.h"

#include <charconv>
#include <cmath>
#include <optional>

#include <fairlead/formats/number.h>

#include "formats/text.h"

namespace fairlead::formats {

namespace {

constexpr std::size_t kKeyMax = 64;

// 1 to 4 bytes of UTF-8 for a code point below 0x110000.
std::size_t encode_utf8(std::uint32_t code, char (&bytes)[4]) {
    const auto tail = [&](int shift) { return static_cast<char>(0x80U | ((code >> shift) & 0x3fU)); };
    if (code < 0x80) {
        bytes[0] = static_cast<char>(code);
        return 1;
    }
    if (code < 0x800) {
        bytes[0] = static_cast<char>(0xc0U | (code >> 6));
        bytes[1] = tail(0);
        return 2;
    }
    if (code < 0x10000) {
        bytes[0] = static_cast<char>(0xe0U | (code >> 12));
        bytes[1] = tail(6);
        bytes[2] = tail(0);
        return 3;
    }
    bytes[0] = static_cast<char>(0xf0U | (code >> 18));
    bytes[1] = tail(12);
    bytes[2] = tail(6);
    bytes[3] = tail(0);
    return 4;
}

}  // namespace

JsonReader::JsonReader(std::string_view text, std::int64_t first_line)
    : text_(without_mark(text)), line_(first_line) {}

bool JsonReader::fail_at(ErrorCode code, Place place) {
    if (ok_) error_ = {code, place.line, place.column};
    ok_ = false;
    return false;
}

bool JsonReader::fail_next(ErrorCode code) {
    skip_space();
    return fail_here(code);
}

void JsonReader::skip_space() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '\n') {
            ++line_;
            line_start_ = at_ + 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
        ++at_;
    }
}

JsonReader::Kind JsonReader::peek() {
    if (!ok_) return Kind::none;
    skip_space();
    if (at_ == text_.size()) return Kind::none;
    const char c = text_[at_];
    if (c == '{') return Kind::object;
    if (c == '[') return Kind::array;
    if (c == '"') return Kind::string;
    if (c == '-' || is_digit(c)) return Kind::number;
    if (c == 't' || c == 'f') return Kind::boolean;
    if (c == 'n') return Kind::null;
    return Kind::none;
}

// Stands at the start of a value of this kind?
bool JsonReader::expect(Kind kind) {
    if (!ok_) return false;
    const Kind found = peek();
    place_ = here();
    if (found == kind) return true;
    if (found == Kind::none) return fail_here_or_end(ErrorCode::text_character);
    return fail(kind == Kind::number ? ErrorCode::text_number : ErrorCode::text_type);
}

bool JsonReader::open(Kind kind) {
    if (!expect(kind)) return false;
    if (depth_ == kDepthMax) return fail(ErrorCode::text_extra);
    ++at_;
    first_[depth_] = true;
    close_[depth_] = kind == Kind::object ? '}' : ']';
    ++depth_;
    return true;
}

bool JsonReader::open_object() { return open(Kind::object); }
bool JsonReader::open_array() { return open(Kind::array); }

// Passes the comma where one is due. False when the level ends, or on a failure.
bool JsonReader::next_element(char close) {
    if (!ok_) return false;
    if (depth_ == 0 || close_[depth_ - 1] != close) return fail_here(ErrorCode::text_type);
    skip_space();
    if (at_ == text_.size()) return fail_here(ErrorCode::text_end);
    if (text_[at_] == close) {
        ++at_;
        --depth_;
        return false;
    }
    if (!first_[depth_ - 1]) {
        if (text_[at_] != ',') return fail_here(ErrorCode::text_character);
        ++at_;
        skip_space();
        if (at_ == text_.size()) return fail_here(ErrorCode::text_end);
        if (text_[at_] == close) return fail_here(ErrorCode::text_character);
    }
    first_[depth_ - 1] = false;
    return true;
}

bool JsonReader::next_item() { return next_element(']'); }

bool JsonReader::next_key() {
    if (!next_element('}')) return false;
    if (!expect(Kind::string)) return false;
    const Place key_place = place_;
    if (!read_string(&key_, kKeyMax)) return false;
    skip_space();
    if (at_ == text_.size() || text_[at_] != ':') return fail_here_or_end(ErrorCode::text_character);
    ++at_;
    place_ = key_place;
    return true;
}

bool JsonReader::read_hex4(std::uint32_t& out) {
    out = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
        if (at_ == text_.size()) return fail_here(ErrorCode::text_end);
        const char c = text_[at_];
        std::uint32_t digit = 0;
        if (is_digit(c)) {
            digit = static_cast<std::uint32_t>(c - '0');
        } else if (c >= 'a' && c <= 'f') {
            digit = static_cast<std::uint32_t>(c - 'a') + 10;
        } else if (c >= 'A' && c <= 'F') {
            digit = static_cast<std::uint32_t>(c - 'A') + 10;
        } else {
            return fail_here(ErrorCode::text_character);
        }
        out = out * 16 + digit;
    }
    return true;
}

// Behind a backslash. Surrogates must come in pairs.
bool JsonReader::read_escape(char (&bytes)[4], std::size_t& count) {
    if (at_ == text_.size()) return fail_here(ErrorCode::text_end);
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    const Place start = here();
    const char c = text_[at_++];
    if (const std::size_t i = kNames.find(c); i != std::string_view::npos) {
        bytes[0] = kMeant[i];
        count = 1;
        return true;
    }
    if (c != 'u') return fail_at(ErrorCode::text_character, start);
    std::uint32_t code = 0;
    if (!read_hex4(code)) return false;
    if (code >= 0xd800 && code < 0xe000) {
        std::uint32_t low = 0;
        if (code >= 0xdc00 || text_.substr(at_, 2) != "\\u") return fail_at(ErrorCode::text_character, start);
        at_ += 2;
        if (!read_hex4(low)) return false;
        if (low < 0xdc00 || low >= 0xe000) return fail_at(ErrorCode::text_character, start);
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    count = encode_utf8(code, bytes);
    return true;
}

// How many bytes the character at at_ has; fails on what is not UTF-8 (overlong forms and surrogates
// included).
bool JsonReader::check_utf8(std::size_t& count) {
    const auto byte = [&](std::size_t i) -> std::uint32_t {
        return at_ + i < text_.size() ? static_cast<unsigned char>(text_[at_ + i]) : 0U;
    };
    const auto tail = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
    const std::uint32_t lead = byte(0);
    bool good = false;
    if (lead < 0x80) {
        count = 1;
        good = true;
    } else if (lead < 0xe0) {
        count = 2;
        good = lead >= 0xc2 && tail(1);
    } else if (lead < 0xf0) {
        count = 3;
        good = tail(1) && tail(2) && (lead != 0xe0 || byte(1) >= 0xa0) && (lead != 0xed || byte(1) < 0xa0);
    } else {
        count = 4;
        good = lead < 0xf5 && tail(1) && tail(2) && tail(3) && (lead != 0xf0 || byte(1) >= 0x90) &&
               (lead != 0xf4 || byte(1) < 0x90);
    }
    return good || fail_here(ErrorCode::text_character);
}

// Stands at the opening quote. `out` may be null: the string is checked only.
bool JsonReader::read_string(std::string* out, std::size_t bytes_max) {
    ++at_;
    if (out != nullptr) out->clear();
    while (true) {
        if (at_ == text_.size()) return fail_here(ErrorCode::text_end);
        const char c = text_[at_];
        if (c == '"') break;
        if (static_cast<unsigned char>(c) < 0x20) return fail_here(ErrorCode::text_character);
        char escaped[4];
        const char* bytes = escaped;
        std::size_t count = 0;
        if (c == '\\') {
            ++at_;
            if (!read_escape(escaped, count)) return false;
        } else {
            if (!check_utf8(count)) return false;
            bytes = text_.data() + at_;
            at_ += count;
        }
        if (out == nullptr) continue;
        if (out->size() + count > bytes_max) return fail(ErrorCode::text_extra);
        out->append(bytes, count);
    }
    ++at_;
    return true;
}

bool JsonReader::read(std::string& out, std::size_t bytes_max) {
    return expect(Kind::string) && read_string(&out, bytes_max);
}

// The grammar of RFC 8259: no leading zeros or plus, digits on both sides of the point.
bool JsonReader::read_number_text(std::string_view& out) {
    if (!expect(Kind::number)) return false;
    const std::size_t from = at_;
    const auto digits = [&] {
        if (at_ == text_.size() || !is_digit(text_[at_])) return fail_here_or_end(ErrorCode::text_number);
        while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
        return true;
    };
    if (text_[at_] == '-') ++at_;
    if (at_ < text_.size() && text_[at_] == '0') {
        ++at_;
    } else if (!digits()) {
        return false;
    }
    if (at_ < text_.size() && text_[at_] == '.') {
        ++at_;
        if (!digits()) return false;
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
        ++at_;
        if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
        if (!digits()) return false;
    }
    out = text_.substr(from, at_ - from);
    return true;
}

bool JsonReader::read(double& out) {
    std::string_view text;
    if (!read_number_text(text)) return false;
    const std::optional<double> value = parse_number(text);
    if (!value) return fail(ErrorCode::text_number);
    if (!std::isfinite(*value)) return fail(ErrorCode::text_value);
    out = *value;
    return true;
}

bool JsonReader::read_number(double& out, double low, double high) {
    double value = 0.0;
    if (!read(value)) return false;
    if (value < low || value > high) return fail(ErrorCode::text_value);
    out = value;
    return true;
}

bool JsonReader::read_integer(std::int64_t& out, std::int64_t low, std::int64_t high) {
    std::string_view text;
    if (!read_number_text(text)) return false;
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value) return fail(ErrorCode::text_number);
    if (*value < low || *value > high) return fail(ErrorCode::text_value);
    out = *value;
    return true;
}

bool JsonReader::read_unsigned(std::uint64_t& out) {
    std::string_view text;
    if (!read_number_text(text)) return false;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), out);  // integer
    if (end.ec != std::errc{} || end.ptr != text.data() + text.size()) return fail(ErrorCode::text_number);
    return true;
}

bool JsonReader::read_word(std::string_view word) {
    for (const char c : word) {
        if (at_ == text_.size()) return fail_here(ErrorCode::text_end);
        if (text_[at_] != c) return fail(ErrorCode::text_keyword);
        ++at_;
    }
    return true;
}

bool JsonReader::read(bool& out) {
    if (!expect(Kind::boolean)) return false;
    const bool value = text_[at_] == 't';
    if (!read_word(value ? "true" : "false")) return false;
    out = value;
    return true;
}

bool JsonReader::read_null() { return expect(Kind::null) && read_word("null"); }

bool JsonReader::skip() {
    const std::size_t outer = depth_;
    do {
        // One value, or the start of one.
        switch (peek()) {
            case Kind::object: open_object(); break;
            case Kind::array: open_array(); break;
            case Kind::string:
                place_ = here();
                read_string(nullptr, 0);
                break;
            case Kind::number: {
                std::string_view text;
                read_number_text(text);
                break;
            }
            case Kind::boolean: {
                bool value = false;
                read(value);
                break;
            }
            case Kind::null: read_null(); break;
            case Kind::none:
                if (ok_) fail_here_or_end(ErrorCode::text_character);
                break;
        }
        // Then the ends of whatever ends here.
        while (ok_ && depth_ > outer) {
            if (close_[depth_ - 1] == '}' ? next_key() : next_item()) break;
        }
    } while (ok_ && depth_ > outer);
    return ok_;
}

bool JsonReader::finish() {
    if (!ok_) return false;
    skip_space();
    place_ = here();
    return at_ == text_.size() || fail(ErrorCode::text_extra);
}

bool JsonReader::unknown_key() {
    if (!ok_) return false;
    return !key_.empty() && key_[0] == '_' ? skip() : fail(ErrorCode::text_keyword);
}

bool JsonReader::once(std::uint64_t& seen, unsigned which) {
    const std::uint64_t bit = std::uint64_t{1} << which;
    if ((seen & bit) != 0) return fail(ErrorCode::text_duplicate);
    seen |= bit;
    return ok_;
}

}  // namespace fairlead::formats
