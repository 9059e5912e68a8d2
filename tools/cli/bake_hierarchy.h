// fairlead bake hierarchy.
#pragma once

#include <CLI/CLI.hpp>

namespace fairlead::cli {

void add_bake_hierarchy(CLI::App& bake, int& status);

}  // namespace fairlead::cli
