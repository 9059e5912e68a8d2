// UNITS.csv as units of a fleet.
#pragma once

#include <string>
#include <vector>

#include <fairlead/fleet/fleet.h>
#include <fairlead/formats/units.h>

#include "cli/world.h"

namespace fairlead::cli {

/// Fails with file, line and column for what the world's units do not have.
[[nodiscard]] FleetUnit fleet_unit(const std::string& path, const formats::UnitRow& row, WorldKind world);

/// What the library says about one, with the column before it.
[[nodiscard]] std::string unit_error_text(const Error& error);

[[nodiscard]] Place start_of(const formats::UnitRow& row);
[[nodiscard]] Spot goal_of(const formats::UnitRow& row);

/// The largest of the units without a turning circle, which the world's own searches know by their radius.
[[nodiscard]] Agent widest_walker(const std::vector<formats::UnitRow>& rows);

/// For each unit: does it begin where one before it stands, that does not? `space`: they are spheres.
[[nodiscard]] std::vector<bool> begin_on_others(const std::vector<formats::UnitRow>& rows, bool space);

}  // namespace fairlead::cli
