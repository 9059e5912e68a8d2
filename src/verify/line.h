// One line of text in a buffer of fixed size: what does not fit is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fairlead::witness {

class Line {
  public:
    /// `buffer` has room for at least the closing zero, which is always there.
    explicit Line(std::span<char> buffer) : buffer_(buffer) { buffer_[0] = '\0'; }

    Line& add(const char* text);
    Line& add(std::int64_t number);
    /// Nine significant digits, trailing zeros left out: 17.25, 1.2e-6, inf, nan. For people to read.
    Line& add(double number);

  private:
    void put(char c);
    void add_digits(std::int64_t digits, int point);

    std::span<char> buffer_;
    std::size_t size_ = 0;
};

}  // namespace fairlead::witness
