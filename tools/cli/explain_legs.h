// fairlead explain --routes: why the legs of routes that are already there cannot be driven, one by one.
#pragma once

#include <span>
#include <string>

#include <fairlead/grid/query.h>
#include <fairlead/route/agent.h>

#include "cli/world.h"

namespace fairlead::cli {

/// Of a file as `fairlead batch` or `fairlead classic --json` writes it; text or one JSON line a route, on standard output.
void explain_legs(const WorldFlags& world, const std::string& routes, const Agent& agent,
                  std::span<const Blocker> blockers, bool json);

}  // namespace fairlead::cli
