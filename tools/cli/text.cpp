// Numbers and lists in the arguments of flags.

#include "cli/text.h"

#include <cmath>

#include <fmt/format.h>

#include <fairlead/formats/limits.h>
#include <fairlead/formats/number.h>

#include "cli/failure.h"

namespace fairlead::cli {

double to_number(std::string_view flag, std::string_view text) {
    const std::optional<double> value = formats::parse_number(text);
    if (!value) fail(fmt::format("{}: \"{}\" is not a number", flag, text));
    if (!std::isfinite(*value) || std::fabs(*value) > formats::kNumberMax) {
        fail(fmt::format("{}: {} is too large", flag, text));
    }
    return *value;
}

std::vector<std::optional<double>> to_numbers(std::string_view flag, std::string_view text) {
    std::vector<std::optional<double>> numbers;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(',', from), text.size());
        const std::string_view field = text.substr(from, to - from);
        if (field.empty()) {
            numbers.emplace_back();
        } else {
            numbers.emplace_back(to_number(flag, field));
        }
        from = to + 1;
    }
    return numbers;
}

std::string text_of(double value) {
    std::string text;
    formats::append_number(text, value);
    return text;
}

void fail_word(std::string_view flag, std::string_view text, std::string_view words) {
    fail(fmt::format("{}: \"{}\" is not one of {}", flag, text, words));
}

}  // namespace fairlead::cli
