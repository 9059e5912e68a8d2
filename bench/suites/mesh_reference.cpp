// The reference meshes: 10,000 queries each with the shortest length in the plane, computed apart from this project.

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include <fairlead/formats/file.h>
#include <fairlead/formats/mesh_file.h>
#include <fairlead/formats/mesh_repair.h>
#include <fairlead/formats/number.h>
#include <fairlead/verify/verify_mesh.h>

#include "suites/meshes_parts.h"
#include "suites/need.h"
#include "suites/stopwatch.h"

namespace fairlead::bench {

namespace {

constexpr const char* kMeshes[] = {"nav_test_solo",     "nav_test_tiled", "proto-level_solo",
                                   "proto-level_tiled", "city_256_solo",  "city_256_tiled"};
constexpr double kPrinted = 1e-5;  // places and lengths have five and six decimals

struct Published {
    MeshPair pair;
    double optimum = 0.0;
};

struct ReferenceLevel {
    NavMesh mesh;
    std::vector<Published> queries;
};

double number_after(const std::string& text, const std::string& word) {
    const std::size_t at = text.find(word);
    if (at == std::string::npos) throw std::runtime_error("no \"" + word + "\" in the heights of a mesh");
    const std::size_t first = at + word.size();
    return formats::parse_number(text.substr(first, text.find(' ', first) - first)).value();
}

/// sx,sy,sz,gx,gy,gz,startPoly,goalPoly,detour,detour,optimum; y up and in the world, the mesh is at its offset.
std::vector<Published> load_published(const std::string& path, double x0, double z0) {
    std::istringstream lines(need(path, formats::load_file(path)));
    std::vector<Published> queries;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::vector<double> n;
        std::istringstream fields(line);
        for (std::string field; std::getline(fields, field, ',');)
            n.push_back(formats::parse_number(field).value());
        if (n.size() != 11) throw std::runtime_error(path + ": not eleven numbers: " + line);
        queries.push_back({{{n[0] - x0, n[2] - z0, n[1]}, {n[3] - x0, n[5] - z0, n[4]}}, n[10]});
    }
    return queries;
}

ReferenceLevel load_level(const std::string& folder, const std::string& name) {
    const std::string path = folder + "/meshes/reference/" + name;
    formats::MeshFile file =
        need(path, formats::load_polyanya_mesh(need(path, formats::load_file(path + ".mesh"))));
    const std::string heights = need(path, formats::load_file(path + "_verts3d.csv"));
    formats::MeshRepairs repairs;
    if (!formats::load_heights(heights, file) || !formats::repair_mesh(file, repairs))
        throw std::runtime_error(path + ": no mesh");
    const NavMeshTile tile = file.tile();
    return {need(path, NavMesh::make({.tiles = {&tile, 1}})),
            load_published(path + "_queries.csv", number_after(heights, "x="), number_after(heights, "z="))};
}

void measure_level(const std::string& name, const ReferenceLevel& level, Report& report) {
    Scratch scratch;
    Route route;
    std::size_t failures = 0, illegal = 0;
    double error_most = 0;
    std::vector<MeshPair> pairs;
    for (const Published& asked : level.queries) {
        const MeshQuery query{.start = asked.pair.start, .goal = asked.pair.goal};
        pairs.push_back(asked.pair);
        if (!find_route_into(level.mesh, query, scratch, route) || route.status != PathStatus::complete) {
            ++failures;
            continue;
        }
        illegal += verify(route, level.mesh, query.agent) ? 1 : 0;
        const double error = std::fabs(route.length - asked.optimum) - kPrinted;
        error_most = std::max(error_most, error / asked.optimum);
    }
    Asked any_angle{"any_angle", [&](const MeshPair& pair) {
                        (void)find_route_into(level.mesh, MeshQuery{.start = pair.start, .goal = pair.goal},
                                              scratch, route);
                    }};
    ask_in_turn({&any_angle, 1}, pairs, 1);
    report.add(name, "queries", "against the published lengths", static_cast<double>(pairs.size()), "");
    report.add(name, "failures", "against the published lengths", static_cast<double>(failures), "");
    report.add(name, "illegal", "against the published lengths", static_cast<double>(illegal), "");
    report.add(name, "largest error, millionths", "against the published lengths", 1e6 * error_most, "");
    report.add(name, "mean", "reference, time", any_angle.mean_us, "us");
    report.add(name, "p99", "reference, time", any_angle.p99_us, "us");
}

}  // namespace

void measure_reference(const SuiteOptions& options, Report& report) {
    if (options.data.empty() || options.quick) return;
    for (const char* name : kMeshes) measure_level(name, load_level(options.data, name), report);
}

}  // namespace fairlead::bench
