// fairlead bake table.
#pragma once

#include <CLI/CLI.hpp>

namespace fairlead::cli {

void add_bake_table(CLI::App& bake, int& status);

}  // namespace fairlead::cli
