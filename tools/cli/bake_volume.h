// fairlead bake volume.
#pragma once

#include <CLI/CLI.hpp>

namespace fairlead::cli {

void add_bake_volume(CLI::App& bake, int& status);

}  // namespace fairlead::cli
