#include "formats/json_writer.h"

#include <fairlead/formats/number.h>

namespace fairlead::formats {

void append_json_string(std::string& out, std::string_view text) {
    constexpr char kHex[] = "0123456789abcdef";
    out += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20) {
            out += "\\u00";
            out += kHex[byte >> 4];
            out += kHex[byte & 15];
        } else {
            out += c;
        }
    }
    out += '"';
}

void append_json_key(std::string& out, std::string_view key) {
    if (!out.empty() && out.back() != '{') out += ',';
    append_json_string(out, key);
    out += ':';
}

void append_points(std::string& out, std::span<const Vec2> points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        out += i == 0 ? "[" : ",[";
        append_number(out, points[i].x);
        out += ',';
        append_number(out, points[i].y);
        out += ']';
    }
}

}  // namespace fairlead::formats
