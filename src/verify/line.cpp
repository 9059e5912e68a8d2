#include "verify/line.h"

#include <array>
#include <cmath>

namespace fairlead::witness {

namespace {

constexpr int kDigits = 9;
constexpr double kLow = 1e8;   // the smallest number of nine digits
constexpr double kHigh = 1e9;  // the smallest of ten

}  // namespace

void Line::put(char c) {
    if (size_ + 1 >= buffer_.size()) return;
    buffer_[size_++] = c;
    buffer_[size_] = '\0';
}

Line& Line::add(const char* text) {
    for (; *text != '\0'; ++text) put(*text);
    return *this;
}

Line& Line::add(std::int64_t number) {
    if (number < 0) put('-');
    auto rest = static_cast<std::uint64_t>(number);
    if (number < 0) rest = ~rest + 1;
    std::array<char, 20> digits{};
    std::size_t count = 0;
    do {
        digits[count++] = static_cast<char>('0' + static_cast<int>(rest % 10));
        rest /= 10;
    } while (rest != 0);
    while (count > 0) put(digits[--count]);
    return *this;
}

Line& Line::add(double number) {
    if (std::isnan(number)) return add("nan");
    if (number < 0.0) put('-');
    double rest = std::fabs(number);
    if (std::isinf(rest)) return add("inf");
    if (rest == 0.0) return add("0");
    int exponent = kDigits - 1;
    for (; rest >= kHigh; rest /= 10.0) ++exponent;
    for (; rest < kLow; rest *= 10.0) --exponent;
    auto digits = static_cast<std::int64_t>(rest + 0.5);
    if (digits >= static_cast<std::int64_t>(kHigh)) digits /= 10, ++exponent;
    if (exponent >= -4 && exponent < kDigits) {
        add_digits(digits, exponent);
        return *this;
    }
    add_digits(digits, 0);
    return add(exponent < 0 ? "e-" : "e").add(static_cast<std::int64_t>(exponent < 0 ? -exponent : exponent));
}

/// The nine digits d of d.dddddddd x 10^point, without the zeros at the end.
void Line::add_digits(std::int64_t digits, int point) {
    std::array<char, kDigits> text{};
    int last = 0;
    for (int i = kDigits - 1; i >= 0; --i, digits /= 10) {
        text[static_cast<std::size_t>(i)] = static_cast<char>('0' + static_cast<int>(digits % 10));
        if (last == 0 && digits % 10 != 0) last = i;
    }
    for (int i = point < 0 ? point : 0; i <= (last > point ? last : point); ++i) {
        put(i < 0 ? '0' : text[static_cast<std::size_t>(i)]);
        if (i == point && i < last) put('.');
    }
}

}  // namespace fairlead::witness
