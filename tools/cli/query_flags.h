// The flags of a query beside its ends: the world, the unit, the planner, what is in the way.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/blocker_flags.h"
#include "cli/drive.h"
#include "cli/planner.h"
#include "cli/price_flags.h"
#include "cli/speed.h"
#include "cli/unit.h"
#include "cli/world.h"

namespace fairlead::cli {

struct QueryFlags {
    WorldFlags world;
    UnitFlags unit;
    DriveFlags drive;
    SpeedFlags speed;
    PlannerFlags planner;
    BlockerFlags blockers;
    PriceFlags prices;
    AreaFlags areas;
    bool check_edges = false;
    bool certify = true;

    /// WORLD alone: it stands before the other arguments.
    void add_world(CLI::App& app) { world.add(app); }
    /// The rest. `speeds`: with --speed and its kin.
    void add(CLI::App& app, bool speeds);
};

}  // namespace fairlead::cli
