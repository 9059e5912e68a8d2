// What files may use up: --file-max, --memory-max and --gate-work-max, options of every command.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include <fairlead/base/error.h>
#include <fairlead/formats/limits.h>

namespace fairlead::cli {

/// Adds the options to a command, all that it has now.
void add_limits(CLI::App& command);

/// What they say. `memory` is the most memory of a loader whose files need another default.
[[nodiscard]] formats::Limits file_limits();
[[nodiscard]] formats::Limits file_limits(std::uint64_t memory);

/// MeshLoadOptions::gate_work_max, for bakes too: what they write can be read.
[[nodiscard]] std::uint64_t gate_work_max();
/// Is that limit what the error tells of?
[[nodiscard]] bool is_gate_work(const Error& error);

/// " (--file-max)" if the error is that limit, and so on; empty if it is neither.
[[nodiscard]] std::string limit_flag(const Error& error);

}  // namespace fairlead::cli
