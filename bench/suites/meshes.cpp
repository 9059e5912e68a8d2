// Queries on level meshes.

#include <fairlead/mesh/surface.h>

#include "suites/meshes_parts.h"
#include "suites/recast_bake.h"

namespace fairlead::bench {

std::size_t mesh_queries(const SuiteOptions& options) { return options.quick ? 20 : 2000; }

std::vector<MeshPair> mesh_pairs(const NavMeshState& mesh, std::size_t count, bool joined,
                                 std::uint64_t seed) {
    Rng rng{seed};
    std::vector<MeshPair> pairs;
    for (std::size_t tries = 0; pairs.size() < count && tries < 10 * count; ++tries) {
        const MeshPoint a = random_point(mesh, rng);
        const MeshPoint b = random_point(mesh, rng);
        if (!mesh.valid(a.polygon) || !mesh.valid(b.polygon)) break;
        // Where floors lie close above each other, the nearest is what both will start from.
        const MeshPoint start = mesh.nearest(a.position), goal = mesh.nearest(b.position);
        if ((mesh.component(start.polygon) == mesh.component(goal.polygon)) == joined)
            pairs.push_back({a.position, b.position});
    }
    return pairs;
}

void run_meshes(const SuiteOptions& options, Report& report) {
    if (!has_recast()) report.note(kNoRecast);
    measure_beside_detour(options, report);
    measure_reference(options, report);
    measure_radius(options, report);
    measure_links(options, report);
}

}  // namespace fairlead::bench
