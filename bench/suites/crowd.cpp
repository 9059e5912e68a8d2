// Crowds beside DetourCrowd, on the same mesh in the same run.

#include <map>
#include <stdexcept>

#include <fairlead/formats/detour.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "suites/crowd_parts.h"
#include "suites/recast_bake.h"

namespace fairlead::bench {

namespace {

BenchLevel level_named(const SuiteOptions& options, const std::string& name) {
    std::vector<BenchLevel> levels = bench_levels(options);
    for (BenchLevel& level : levels) {
        if (level.name == name) return std::move(level);
    }
    return std::move(levels.back());
}

/// The piece that most of some random places are in.
std::uint32_t largest_piece(const NavMeshState& mesh, Rng& rng) {
    std::map<std::uint32_t, int> counts;
    for (int i = 0; i < 200; ++i) ++counts[mesh.component(random_point(mesh, rng).polygon)];
    std::uint32_t best = counts.begin()->first;
    for (const auto& [piece, count] : counts) {
        if (count > counts[best]) best = piece;
    }
    return best;
}

}  // namespace

CrowdLevel crowd_level(const SuiteOptions& options, const std::string& name) {
    const BenchLevel level = level_named(options, name);
    RecastBake bake{level, 0};
    std::string set = bake.bake(RecastPartition::watershed) ? bake.detour_set() : std::string{};
    if (set.empty()) return {level.name, set, need(bake::navmesh(level.soup()))};
    const formats::DetourMesh loaded = need(formats::load_detour(set));
    const NavMeshTile tile = loaded.mesh.tile();
    return {level.name, set, need(NavMesh::make({.agent_radius = loaded.agent_radius, .tiles = {&tile, 1}}))};
}

std::vector<Vec3> places_apart(const NavMeshState& mesh, std::size_t count, double apart, Rng& rng) {
    const std::uint32_t piece = largest_piece(mesh, rng);
    std::vector<Vec3> places;
    for (std::size_t tries = 0; places.size() < count; ++tries) {
        if (tries > 2000 * count) throw std::runtime_error("crowd: not enough room for all units");
        const MeshPoint found = random_point(mesh, rng);
        bool good = mesh.component(found.polygon) == piece;
        for (std::size_t i = 0; good && i < places.size(); ++i)
            good = distance(places[i], found.position) >= apart;
        if (good) places.push_back(found.position);
    }
    return places;
}

FleetUnit crowd_walker(double radius) {
    FleetUnit unit;
    unit.agent.radius = radius;
    unit.limits = SpeedLimits::only(kCrowdSpeed);
    unit.limits.accel_max = unit.limits.brake_max = kCrowdAccel;
    return unit;
}

void run_crowd(const SuiteOptions& options, Report& report) {
    if (!has_recast()) report.note(kNoRecast);
    measure_setting_off(options, report);
    measure_fields(options, report);
    measure_converging(options, report);
}

}  // namespace fairlead::bench
