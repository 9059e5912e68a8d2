// Options of whole and real numbers.

#include "cli/numbers.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

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

// Flags that are read as text, so that they are told apart from none, or have forms of their own.
constexpr std::pair<const char*, const char*> kTypes[] = {
    {"NUMBER",
     " radius width length axle-offset turning-radius climb height speed accel brake lateral-accel "
     "reverse-speed "
     "cusp-seconds start-speed goal-speed turn-rate reverse-penalty cusp-penalty pivot-penalty goal-range "
     "goal-within "
     "goal-in-sight epsilon turn-penalty turn-penalty-each reach stretch apart apart-width accuracy "
     "radius-max cell-size "
     "cell-height slope tile-size edge-error min-island scale "},
    {"PLACE", " start goal origin "},
    {"FILE",
     " svg png obj trace heights table hierarchy roads routes heights-out links reuse terrain-file track "},
    {"SHAPE", " blocker "},
    {"NUMBERS", " closed-areas closed-links start-headings goal-headings "},
    {"BYTES", " file-max memory-max bytes-max "},
};

std::string bad_real(const std::string& text) {
    const auto number = formats::parse_number(text);
    return number && std::isfinite(*number) ? "" : "\"" + text + "\" is no finite number";
}

}  // namespace

void name_types(CLI::App& app) {
    for (CLI::Option* option : app.get_options()) {
        if (option->get_type_name() != "TEXT" || option->get_lnames().empty()) continue;
        for (const auto& [type, names] : kTypes) {
            const std::string name = " " + option->get_lnames().front() + " ";
            if (std::string_view(names).find(name) != std::string_view::npos) option->type_name(type);
        }
    }
    for (CLI::App* sub : app.get_subcommands({})) name_types(*sub);
}

void check_numbers(CLI::App& app) {
    for (CLI::Option* option : app.get_options()) {
        const std::string type = option->get_type_name();  // and what other checks say of it
        if (type.starts_with("UINT")) option->check(bad_unsigned);
        if (type.starts_with("FLOAT")) option->check(bad_real);
    }
    for (CLI::App* sub : app.get_subcommands({})) check_numbers(*sub);
}

}  // namespace fairlead::cli
