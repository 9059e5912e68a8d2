// What files may use up: --file-max and --memory-max, options of every command.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include <fairlead/base/error.h>
#include <fairlead/formats/limits.h>

namespace fairlead::cli {

/// Adds the two options to a command, all that it has now.
void add_limits(CLI::App& command);

/// What they say. `memory` is the most memory of a loader whose files need another default.
[[nodiscard]] formats::Limits file_limits();
[[nodiscard]] formats::Limits file_limits(std::uint64_t memory);

/// " (--file-max)" if the error is that limit, and so on; empty if it is neither.
[[nodiscard]] std::string limit_flag(const Error& error);

}  // namespace fairlead::cli
