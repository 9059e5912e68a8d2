// The parts of the suite `crowd`; and what they share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/fleet.h>
#include <fairlead/mesh/nav_mesh.h>

#include "suites/level_worlds.h"
#include "suites/need.h"
#include "suites/suite.h"

namespace fairlead::bench {

/// A thousand units at random places of a level and of tile maps, each with a random goal.
void measure_setting_off(const SuiteOptions& options, Report& report);
/// Many units to one place, by a shared field: what filling it costs, and asking it, beside searches.
void measure_fields(const SuiteOptions& options, Report& report);
/// 500 units that go to one place of a level.
void measure_converging(const SuiteOptions& options, Report& report);

inline constexpr double kCrowdStep = 1.0 / 30.0;
inline constexpr double kCrowdSpeed = 3.5;  ///< these two are RecastDemo's
inline constexpr double kCrowdAccel = 8.0;
inline constexpr double kLevelRadius = 0.6;
inline constexpr double kTileRadius = 0.4;

/// Recast's bake of a level, for both libraries; our own where Recast is not there: then `detour_set` is empty.
struct CrowdLevel {
    std::string name{};
    std::string detour_set{};
    NavMesh mesh;
};
/// A level of the published data; quick, or without data: a yard of our own.
[[nodiscard]] CrowdLevel crowd_level(const SuiteOptions& options, const std::string& name);

/// Places of the largest piece of a level, at least `apart` from each other.
[[nodiscard]] std::vector<Vec3> places_apart(const NavMeshState& mesh, std::size_t count, double apart,
                                             Rng& rng);

/// Kind of everybody in this suite.
[[nodiscard]] FleetUnit crowd_walker(double radius);

}  // namespace fairlead::bench
