// Small pieces of JSON text.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <fairlead/math/vec.h>

namespace fairlead::formats {

/// A quoted string. Bytes that are not ASCII go out as they are.
void append_json_string(std::string& out, std::string_view text);

/// `"key":`, with a comma before it unless it is the first in its object.
void append_json_key(std::string& out, std::string_view key);

/// `[x,y],[x,y]`
void append_points(std::string& out, std::span<const Vec2> points);

}  // namespace fairlead::formats
