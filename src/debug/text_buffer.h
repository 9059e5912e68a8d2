// Text that grows, for the writers of this module. Memory running out is remembered, not reported call by
// call.
#pragma once

#include <cstdint>
#include <string_view>

#include <fairlead/base/array.h>
#include <fairlead/debug/sink.h>

namespace fairlead::debug {

/// Writes to the end of an array that someone else owns.
class TextBuffer {
  public:
    TextBuffer(Array<char>& chars, bool& failed) : chars_(chars), failed_(failed) {}

    void add(std::string_view text);
    void add(char c) {
        if (!chars_.push_back(c)) failed_ = true;
    }
    void add_integer(std::int64_t value);
    /// With `decimals` digits after the point (0 to 9) at most, rounded half away from zero, zeros at the end
    /// cut. The same text on every platform and in every locale. NaN prints as 0, what is past 9e15 as 9e15.
    void add_number(double value, int decimals);
    /// The same of value / 100, shortest: ".5", "-.25".
    void add_hundredths(std::int64_t value);
    void add_hex(Color color);
    /// For XML text and quoted attributes: the five special characters escaped, what XML cannot hold (control
    /// characters, bytes that are not UTF-8) replaced by '?'.
    void add_xml(const char* text);
    /// For a JSON string, quotes included.
    void add_json(const char* text);

  private:
    Array<char>& chars_;
    bool& failed_;
};

/// Bytes of the UTF-8 character that starts here; 0 if there is none (the string ends or is malformed).
[[nodiscard]] int utf8_length(const char* text);

/// Value x 100, rounded half away from zero and kept within +-1e12; 0 for NaN.
[[nodiscard]] std::int64_t to_hundredths(double value);

}  // namespace fairlead::debug
