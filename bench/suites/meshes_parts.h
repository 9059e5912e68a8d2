// The parts of the suite `meshes`; and what they share.
#pragma once

#include <vector>

#include <fairlead/mesh/find_route.h>

#include "suites/asked.h"
#include "suites/level_worlds.h"
#include "suites/suite.h"

namespace fairlead::bench {

/// Beside Detour, on Recast's own bake of each level, the same mesh for both; and on our bake of it.
void measure_beside_detour(const SuiteOptions& options, Report& report);
/// The reference meshes: every length against the published shortest one.
void measure_reference(const SuiteOptions& options, Report& report);
/// One bake for units of any radius.
void measure_radius(const SuiteOptions& options, Report& report);
/// Off-mesh links.
void measure_links(const SuiteOptions& options, Report& report);

[[nodiscard]] std::size_t mesh_queries(const SuiteOptions& options);

/// Pairs of random places (each as likely as any other, by area), joined or not. Fewer than `count` if they are hard to find.
[[nodiscard]] std::vector<MeshPair> mesh_pairs(const NavMeshState& mesh, std::size_t count, bool joined,
                                               std::uint64_t seed);

}  // namespace fairlead::bench
