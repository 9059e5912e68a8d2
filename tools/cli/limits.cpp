// What files may use up.

#include "cli/limits.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <fairlead/formats/number.h>
#include <fairlead/mesh/save_mesh.h>

#include "cli/failure.h"

namespace fairlead::cli {

namespace {

// One of each for the whole program: files are read in many places.
std::string file_max;
std::string memory_max;
std::string gate_work;

// "4096", "512k", "64M", "2G": powers of 1024.
std::uint64_t bytes_of(const char* flag, const std::string& text) {
    constexpr std::string_view kUnits = "kMG";
    std::string_view digits = text;
    double unit = 1.0;
    if (!digits.empty() && kUnits.find(digits.back()) != std::string_view::npos) {
        unit = std::pow(1024.0, static_cast<double>(kUnits.find(digits.back()) + 1));
        digits.remove_suffix(1);
    }
    const std::optional<std::int64_t> number = formats::parse_integer(digits);
    if (!number || *number < 1 || static_cast<double>(*number) * unit > 9e15)
        fail(fmt::format("{}: \"{}\" is no number from 1 on, such as 4096, 512k, 64M or 2G", flag, text));
    return static_cast<std::uint64_t>(*number) * static_cast<std::uint64_t>(unit);
}

}  // namespace

void add_limits(CLI::App& command) {
    command.add_option("--file-max", file_max, "The longest file, after unpacking, in bytes (default 512M)")
        ->group("Limits");
    command
        .add_option("--memory-max", memory_max, "The most memory that reading a file may take (default 1G)")
        ->group("Limits");
    command
        .add_option("--gate-work-max", gate_work,
                    "The most work that the gates of a baked mesh (--radius-max) may be, about 10 ns a unit "
                    "(default 1G)")
        ->group("Limits");
}

std::uint64_t gate_work_max() {
    return gate_work.empty() ? MeshLoadOptions{}.gate_work_max : bytes_of("--gate-work-max", gate_work);
}

bool is_gate_work(const Error& error) {
    return error.code == ErrorCode::size_limit && error.index < 0 &&
           error.detail == static_cast<std::int64_t>(gate_work_max());
}

formats::Limits file_limits() { return file_limits(formats::Limits{}.memory_bytes); }

formats::Limits file_limits(std::uint64_t memory) {
    formats::Limits limits;
    limits.memory_bytes = memory;
    if (!file_max.empty()) limits.text_bytes = bytes_of("--file-max", file_max);
    if (memory_max.empty()) return limits;
    limits.memory_bytes = bytes_of("--memory-max", memory_max);
    limits.text_bytes = std::min(limits.text_bytes, limits.memory_bytes);  // the text lies in memory too
    return limits;
}

std::string limit_flag(const Error& error) {
    if (error.code != ErrorCode::size_limit) return {};
    const formats::Limits limits = file_limits();
    const auto is = [&](std::uint64_t bytes) { return error.detail == static_cast<std::int64_t>(bytes); };
    if (is(limits.memory_bytes)) return " (--memory-max)";
    return is(limits.text_bytes) ? " (--file-max)" : "";
}

}  // namespace fairlead::cli
