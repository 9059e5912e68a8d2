// One bake for units of any radius: the bake is for a point, and every query has a radius of its own.

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <fairlead/mesh_bake/navmesh.h>
#include <fairlead/verify/verify_mesh.h>

#include "suites/meshes_parts.h"

namespace fairlead::bench {

namespace {

constexpr int kRadiusRounds = 3;
constexpr double kRadii[] = {0.0, 0.3, 0.6, 1.0};

std::string radius_name(double radius) {
    return radius > 0 ? fmt::format("radius {}", radius) : std::string{"point"};
}

MeshQuery query_of(const MeshPair& pair, double radius) {
    return {.start = pair.start, .goal = pair.goal, .agent = {.radius = radius}};
}

void measure_level(const BenchLevel& level, std::size_t count, Report& report) {
    Result<NavMesh> mesh =
        bake::navmesh(level.soup(), {.agent_radius = 0.0}, {.radius_max = *std::rbegin(kRadii)});
    if (!mesh) throw std::runtime_error(level.name + ": " + error_text(mesh.error()).c_str());
    Scratch scratch;
    Route route;
    const auto completes = [&](const MeshPair& pair, double radius) {
        return find_route_into(*mesh, query_of(pair, radius), scratch, route) &&
               route.status == PathStatus::complete;
    };
    std::vector<MeshPair> pairs = mesh_pairs(*mesh, count, true, 53);
    std::erase_if(pairs, [&](const MeshPair& pair) { return !completes(pair, *std::rbegin(kRadii)); });
    if (pairs.empty()) return;
    std::vector<Asked> all;
    for (const double radius : kRadii) {
        all.push_back({radius_name(radius), [&, radius](const MeshPair& pair) {
                           (void)find_route_into(*mesh, query_of(pair, radius), scratch, route);
                       }});
    }
    ask_in_turn(all, pairs, kRadiusRounds);
    std::size_t illegal = 0;
    for (const double radius : kRadii) {
        for (const MeshPair& pair : pairs) {
            if (completes(pair, radius) && verify(route, *mesh, {.radius = radius})) ++illegal;
        }
    }
    for (const Asked& asked : all) {
        report.add(level.name, asked.name, "any radius, mean", asked.mean_us, "us");
        report.add(level.name, asked.name, "any radius, p99", asked.p99_us, "us");
    }
    report.add(level.name, "queries", "any radius, count", static_cast<double>(pairs.size()), "");
    report.add(level.name, "illegal", "any radius, count", static_cast<double>(illegal), "");
}

}  // namespace

void measure_radius(const SuiteOptions& options, Report& report) {
    for (const BenchLevel& level : bench_levels(options))
        measure_level(level, mesh_queries(options) / 2, report);
}

}  // namespace fairlead::bench
