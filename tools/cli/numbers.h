// Options of whole and real numbers: what the parser would take for another number is refused.
#pragma once

#include <CLI/CLI.hpp>

namespace fairlead::cli {

/// Of all commands: "-1" is no unsigned number, though the standard library reads it as 2^64 - 1; nor is one that does not fit.
/// Real numbers are finite.
void check_numbers(CLI::App& app);
/// What the help says that a flag takes: NUMBER, PLACE, FILE, ... instead of TEXT.
void name_types(CLI::App& app);

}  // namespace fairlead::cli
