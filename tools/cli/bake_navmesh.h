// fairlead bake navmesh.
#pragma once

#include <CLI/CLI.hpp>

namespace fairlead::cli {

void add_bake_navmesh(CLI::App& bake, int& status);

}  // namespace fairlead::cli
