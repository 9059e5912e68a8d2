// What off-mesh links cost a query, and goals that no links lead to.

#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include <fairlead/base/rng.h>
#include <fairlead/math/trig.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "suites/meshes_parts.h"

namespace fairlead::bench {

namespace {

constexpr int kRounds = 3;
constexpr const char* kLevel = "city_256";
constexpr std::size_t kIslands[] = {50, 500, 2000};

/// From a random place to another one up to 8 metres from it; of each hundred `wide` are 2 metres wide.
std::vector<MeshLink> random_links(const NavMesh& mesh, std::uint32_t count, std::uint32_t wide) {
    Rng rng(61);
    std::vector<MeshLink> links;
    while (links.size() < count) {
        const MeshPoint from = random_point(mesh, rng);
        const Vec2 off = math::direction(rng.between(0.0, kTwoPi)) * rng.between(1.0, 8.0);
        const Vec3 wanted = from.position + Vec3{off.x, off.y, 0.0};
        const MeshPoint to = mesh.state().nearest(wanted, {.across = 2.0});
        if (!to.polygon.valid()) continue;
        const double extent = rng.below(100) < wide ? 2.0 : 0.0;
        links.push_back({.id = static_cast<std::uint32_t>(links.size()),
                         .from = from.position,
                         .to = to.position,
                         .extent = extent});
    }
    return links;
}

NavMesh made(Result<NavMesh> mesh) {
    if (!mesh) throw std::runtime_error(fmt::format("links: {}", error_text(mesh.error()).c_str()));
    return std::move(*mesh);
}

struct LinkWorld {
    std::string name;
    NavMesh mesh;
};

void measure_city(const BenchLevel& level, std::size_t count, Report& report) {
    const bake::BakeOptions options{};
    std::vector<LinkWorld> worlds;
    worlds.push_back({"none", made(bake::navmesh(level.soup(), options))});
    struct Kind {
        std::uint32_t count, wide;
        bool measured;
        const char* name;
    };
    for (const Kind& kind : {Kind{100, 0, true, "100"}, Kind{100, 0, false, "100, added later"},
                             Kind{1000, 0, true, "1000"}, Kind{1000, 50, true, "1000, half of them wide"},
                             Kind{1000, 50, false, "1000, half of them wide, added later"}}) {
        const std::vector<MeshLink> links = random_links(worlds[0].mesh, kind.count, kind.wide);
        worlds.push_back({kind.name, made(bake::navmesh(level.soup(), options))});
        std::vector<MeshEdit> edits;
        for (const MeshLink& link : links) edits.push_back(MeshEdit::add_link(link));
        NavMesh& mesh = worlds.back().mesh;
        if (!mesh.apply(edits) || (kind.measured && !mesh.measure_landmarks(kLandmarksMax)))
            throw std::runtime_error("links: out of memory");
    }
    const std::vector<MeshPair> pairs = mesh_pairs(worlds[0].mesh, count, true, 54);
    Scratch scratch;
    Route route;
    std::vector<Asked> all;
    for (const LinkWorld& world : worlds) {
        all.push_back({world.name, [&](const MeshPair& pair) {
                           (void)find_route_into(
                               world.mesh, MeshQuery{.start = pair.start, .goal = pair.goal}, scratch, route);
                       }});
    }
    ask_in_turn(all, pairs, kRounds);
    for (const Asked& asked : all) {
        report.add(asked.name, "mean", fmt::format("links on {}", level.name), asked.mean_us, "us");
        report.add(asked.name, "p99", fmt::format("links on {}", level.name), asked.p99_us, "us");
    }
}

/// Squares in a row, each joined to the next by a link; no link leads to the last one.
NavMesh row_of_islands(std::size_t count) {
    constexpr double kApart = 10.0, kSide = 5.0;
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> sizes, corners;
    std::vector<MeshLink> links;
    for (std::size_t i = 0; i <= count; ++i) {
        const double x = kApart * static_cast<double>(i);
        for (const Vec3& corner : {Vec3{x, 0, 0}, {x + kSide, 0, 0}, {x + kSide, kSide, 0}, {x, kSide, 0}}) {
            corners.push_back(static_cast<std::uint32_t>(vertices.size()));
            vertices.push_back(corner);
        }
        sizes.push_back(4);
        if (i + 1 >= count) continue;
        links.push_back({.id = static_cast<std::uint32_t>(i), .from = {x + 4, 2, 0}, .to = {x + 11, 2, 0}});
    }
    const NavMeshTile tile{.vertices = vertices, .polygon_sizes = sizes, .polygon_corners = corners};
    return made(NavMesh::make({.tiles = {&tile, 1}, .links = links}));
}

void measure_islands(Report& report) {
    std::vector<NavMesh> rows;
    for (const std::size_t count : kIslands) rows.push_back(row_of_islands(count));
    Scratch scratch;
    Route route;
    std::vector<Asked> all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Vec3 goal{10.0 * static_cast<double>(kIslands[i]) + 2.0, 2, 0};
        all.push_back({fmt::format("{} islands", kIslands[i]), [&, i, goal](const MeshPair& pair) {
                           (void)find_route_into(rows[i], MeshQuery{.start = pair.start, .goal = goal},
                                                 scratch, route);
                       }});
    }
    const std::vector<MeshPair> starts(1000, MeshPair{.start = {2, 2, 0}});
    ask_in_turn(all, starts, kRounds);
    for (const Asked& asked : all)
        report.add(asked.name, "any_angle", "unreachable over links, mean", asked.mean_us, "us");
}

}  // namespace

void measure_links(const SuiteOptions& options, Report& report) {
    for (const BenchLevel& level : bench_levels(options)) {
        if (level.name == kLevel) measure_city(level, mesh_queries(options) / 2, report);
    }
    measure_islands(report);
}

}  // namespace fairlead::bench
