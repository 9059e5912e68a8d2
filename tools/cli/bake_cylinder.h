// fairlead bake cylinder.
#pragma once

#include <CLI/CLI.hpp>

namespace fairlead::cli {

void add_bake_cylinder(CLI::App& bake, int& status);

}  // namespace fairlead::cli
