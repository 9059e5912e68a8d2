// Options of whole and real numbers.

#include "cli/numbers.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

#include <fairlead/formats/number.h>

namespace fairlead::cli {

namespace {

std::string bad_unsigned(const std::string& text) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    const bool good = error == std::errc{} && at == end && !text.empty();
    return good ? "" : "\"" + text + "\" is no whole number from 0 to 2^64 - 1";
}

std::string bad_real(const std::string& text) {
    const auto number = formats::parse_number(text);
    return number && std::isfinite(*number) ? "" : "\"" + text + "\" is no finite number";
}

}  // namespace

void check_numbers(CLI::App& app) {
    for (CLI::Option* option : app.get_options()) {
        const std::string type = option->get_type_name();  // and what other checks say of it
        if (type.starts_with("UINT")) option->check(bad_unsigned);
        if (type.starts_with("FLOAT")) option->check(bad_real);
    }
    for (CLI::App* sub : app.get_subcommands({})) check_numbers(*sub);
}

}  // namespace fairlead::cli
