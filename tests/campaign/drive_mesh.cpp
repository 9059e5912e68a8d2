// Turning units on level meshes: from random pose to random pose on bakes of the benchmark levels (or of one OBJ file), times,
// poses opened, and what the checker says of every route.
//
//     drive_mesh [LEVEL.obj...] [--queries 200] [--radius 0.6] [--turning 1.8] [--reverse] [--box] [--epsilon 1.4]
//                [--headings 8] [--cell 0] [--gates RADIUS_MAX] [--case N] [--list]
//
// The mesh is baked for radius 0.6. Everything of a query follows from its number. --case N: one query, its legs are printed.
// Status 0: nothing illegal.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/mesh_bake/navmesh.h>
#include <fairlead/verify/verify_mesh.h>

#include "measure/clock.h"
#include "support/driven_by.h"
#include "support/environment.h"
#include "support/levels.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

struct Options {
    std::vector<std::string> levels;
    int queries = 200;
    int only = -1;
    bool list = false;
    double epsilon = 1.4;
    double radius_max = 0.0;
    Agent agent{.radius = 0.6, .turning_radius = 1.8};
    MeshLatticeOptions setup{};
};

struct Sums {
    std::vector<double> micros;
    std::vector<double> opened;
    int status[8] = {};
    double length = 0.0;
    double shortest = 0.0;  ///< of a point, for the same ends
    int illegal = 0;
};

double part(std::vector<double> values, double share) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

double mean(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

// A pose in the part of the mesh that `like` is in.
Place random_place(const NavMeshState& mesh, Rng& rng, const PolygonId* like) {
    for (;;) {
        const MeshPoint at = random_point(mesh, rng);
        if (like != nullptr && mesh.component(at.polygon) != mesh.component(*like)) continue;
        return {at.position, rng.between(-kPi, kPi), 0};
    }
}

void print_case(const Route& route) {
    for (const Leg& leg : route.legs)
        std::printf("  %s %s (%.3f %.3f %.3f) %.3f length %.3f curvature %.4f\n", leg_kind_name(leg.kind),
                    gear_name(leg.gear), leg.start.position.x, leg.start.position.y, leg.start.position.z,
                    leg.start.heading_rad, leg.length, leg.curvature);
}

void ask(const NavMeshState& mesh, const DriveTable& table, const Options& options, int number,
         Scratch& scratch, Sums& sums) {
    Rng rng(static_cast<std::uint64_t>(number) + 1);
    const Place start = random_place(mesh, rng, nullptr);
    const PolygonId polygon = mesh.nearest(start.position).polygon;
    const Place goal = random_place(mesh, rng, &polygon);
    const MeshDriveQuery query{
        .start = start, .goal = goal, .agent = options.agent, .epsilon = options.epsilon};
    Route route;
    const std::uint64_t before = measure::thread_ns();
    const Result<void> done = find_route_into(mesh, driven_by(table, query), scratch, route);
    const double micros = static_cast<double>(measure::thread_ns() - before) * 1e-3;
    if (!done) {
        std::printf("error %d\n", static_cast<int>(done.error().code));
        std::exit(2);
    }
    ++sums.status[static_cast<int>(route.status)];
    if (options.list || options.only >= 0)
        std::printf("%d %s length %.3f opened %llu generated %llu us %.0f\n", number,
                    status_name(route.status), route.length,
                    static_cast<unsigned long long>(route.stats.expanded),
                    static_cast<unsigned long long>(route.stats.generated), micros);
    if (options.only >= 0) print_case(route);
    sums.micros.push_back(micros);
    sums.opened.push_back(static_cast<double>(route.stats.expanded));
    if (route.status != PathStatus::complete) return;
    const Violation bad = verify(route, mesh, options.agent);
    if (bad) {
        ++sums.illegal;
        std::printf("query %d: %s\n", number, bad.text().c_str());
    }
    const Result<Route> walk =
        find_route(mesh, MeshQuery{.start = start.position, .goal = goal.position}, scratch);
    if (!walk) return;
    sums.length += route.length;
    sums.shortest += walk->length;
}

bool run(const std::string& path, const Options& options, Scratch& scratch) {
    const Level level = read_obj(path);
    const Result<NavMesh> mesh = bake::navmesh(level.soup(), {}, {.radius_max = options.radius_max});
    const Result<DriveTable> table = make_mesh_drive_table(options.agent, options.setup);
    if (!mesh || !table) return false;
    Sums sums;
    if (options.only >= 0) {
        ask(*mesh, *table, options, options.only, scratch, sums);
        return sums.illegal == 0;
    }
    for (int i = 0; i < options.queries; ++i) ask(*mesh, *table, options, i, scratch, sums);
    std::printf(
        "%s: %u polygons; complete %d, start_blocked %d, goal_blocked %d, unreachable %d; illegal %d\n",
        path.substr(path.rfind('/') + 1).c_str(), mesh->state().polygons(), sums.status[0], sums.status[3],
        sums.status[4], sums.status[2], sums.illegal);
    std::printf(
        "  us: mean %.0f p50 %.0f p99 %.0f most %.0f; opened: mean %.0f p99 %.0f; length / shortest %.4f\n",
        mean(sums.micros), part(sums.micros, 0.5), part(sums.micros, 0.99), part(sums.micros, 1.0),
        mean(sums.opened), part(sums.opened, 0.99), sums.length / sums.shortest);
    return sums.illegal == 0;
}

bool read_options(int count, char** arguments, Options& options) {
    for (int i = 1; i < count; ++i) {
        const std::string name = arguments[i];
        const auto value = [&] { return i + 1 < count ? std::atof(arguments[++i]) : 0.0; };
        if (name == "--queries") {
            options.queries = static_cast<int>(value());
        } else if (name == "--radius") {
            options.agent.radius = value();
        } else if (name == "--turning") {
            options.agent.turning_radius = value();
        } else if (name == "--reverse") {
            options.agent.can_reverse = true;
        } else if (name == "--box") {
            options.agent.shape = BodyShape::box;
            options.agent.length = 2.4;
            options.agent.width = 1.2;
            options.agent.axle_offset = 0.6;
        } else if (name == "--gates") {
            options.radius_max = value();
        } else if (name == "--epsilon") {
            options.epsilon = value();
        } else if (name == "--headings") {
            options.setup.headings = static_cast<int>(value());
        } else if (name == "--cell") {
            options.setup.cell_size = value();
        } else if (name == "--case") {
            options.only = static_cast<int>(value());
        } else if (name == "--list") {
            options.list = true;
        } else if (name.rfind("--", 0) == 0) {
            std::fprintf(stderr, "drive_mesh: unknown option %s\n", name.c_str());
            return false;
        } else {
            options.levels.push_back(name);
        }
    }
    if (!options.levels.empty()) return true;
    for (const char* level : {"meshes/recast/nav_test.obj", "meshes/navcat/proto-level.obj",
                              "meshes/made/city_256.obj", "meshes/made/tower_10.obj"}) {
        const std::string path = data_path(level);
        if (!path.empty()) options.levels.push_back(path);
    }
    return true;
}

}  // namespace

int main(int count, char** arguments) {
    Options options;
    if (!read_options(count, arguments, options)) return 2;
    Scratch scratch;
    bool good = true;
    for (const std::string& level : options.levels) good = run(level, options, scratch) && good;
    return good ? 0 : 1;
}
