// Obstacles put into a level while it is used, beside DetourTileCache: 200 pillars of radius 1 and height 2 at random
// places, one at a time until the mesh is up to date, all in one frame, and out again. And old routes looked at again.

#include <algorithm>
#include <stdexcept>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/repair.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "suites/meshes_parts.h"
#include "suites/recast_bake.h"
#include "suites/stopwatch.h"
#include "suites/tile_cache.h"

namespace fairlead::bench {

namespace {

constexpr double kRadius = 1.0, kHeight = 2.0, kSunk = 0.5;  // as the sample TempObstacles has them
constexpr double kRadiusMax = 1.0;

NavMesh own_mesh(const BenchLevel& level, double radius_max) {
    Result<NavMesh> mesh =
        bake::navmesh(level.soup(), {.tile_cells = kTileCells}, {.radius_max = radius_max});
    if (!mesh) throw std::runtime_error(level.name + ": " + error_text(mesh.error()).c_str());
    return std::move(*mesh);
}

std::vector<Vec3> random_places(const NavMeshState& mesh, std::size_t count) {
    Rng rng{61};
    std::vector<Vec3> places;
    for (std::size_t i = 0; i < count; ++i) places.push_back(random_point(mesh, rng).position);
    return places;
}

MeshEdit edit_at(std::size_t i, const Vec3& place) {
    const double low = place.z - kSunk;
    return MeshEdit::add(static_cast<std::int64_t>(i),
                         MeshObstacle::pillar({place.x, place.y}, kRadius, low, low + kHeight));
}

void must(const Result<void>& done) {
    if (!done) throw std::runtime_error(error_text(done.error()).c_str());
}

/// Of several rounds on fresh levels the fastest counts, one slot an obstacle.
struct ObstacleTimes {
    explicit ObstacleTimes(std::size_t count) : in(count), out(count), frame(1) {}
    Times in, out;           // one at a time
    Times frame;             // all at once
    std::size_t taken = 0;   // of those asked for in one frame
    std::size_t frames = 0;  // until all are in
};

void run_own(const BenchLevel& level, double radius_max, const std::vector<Vec3>& places,
             ObstacleTimes& times) {
    NavMesh mesh = own_mesh(level, radius_max);
    std::vector<MeshEdit> all, none;
    for (std::size_t i = 0; i < places.size(); ++i) {
        all.push_back(edit_at(i, places[i]));
        none.push_back(MeshEdit::remove(static_cast<std::int64_t>(i)));
    }
    const auto apply = [&](std::span<const MeshEdit> edits) { must(mesh.apply(edits)); };
    for (std::size_t i = 0; i < all.size(); ++i) times.in.add(i, time_ns([&] { apply({&all[i], 1}); }));
    for (std::size_t i = 0; i < all.size(); ++i) times.out.add(i, time_ns([&] { apply({&none[i], 1}); }));
    times.frame.add(0, time_ns([&] { apply(all); }));
    times.taken = mesh.obstacles();
    times.frames = 1;
}

/// Frames until the cache is up to date.
std::size_t finish(TileCache& cache) {
    std::size_t frames = 1;
    while (!cache.update()) ++frames;
    return frames;
}

void run_peer(const BenchLevel& level, const std::vector<Vec3>& places, ObstacleTimes& times) {
    {
        TileCache cache{level, kTileCells, places.size()};
        for (std::size_t i = 0; i < places.size(); ++i) {
            times.in.add(i, time_ns([&] {
                             if (!cache.add(places[i])) throw std::runtime_error("DetourTileCache: add");
                             (void)finish(cache);
                         }));
        }
        for (std::size_t i = 0; i < places.size(); ++i) {
            times.out.add(i, time_ns([&] {
                              if (!cache.remove(i)) throw std::runtime_error("DetourTileCache: remove");
                              (void)finish(cache);
                          }));
        }
    }
    TileCache cache{level, kTileCells, places.size()};
    times.taken = times.frames = 0;
    std::size_t next = 0;
    const std::uint64_t ns = time_ns([&] {
        while (next < places.size()) {
            while (next < places.size() && cache.add(places[next])) ++next;
            if (times.taken == 0) times.taken = next;
            times.frames += finish(cache);
        }
    });
    times.frame.add(0, ns);
}

void report_times(const std::string& name, const ObstacleTimes& times, std::size_t count, Report& report) {
    const auto each = [&](const Times& all) { return all.mean_us() / static_cast<double>(count); };
    report.add(name, "in, median", "an obstacle", times.in.quantile_us(0.5), "us");
    report.add(name, "in, p99", "an obstacle", times.in.quantile_us(0.99), "us");
    report.add(name, "in, mean of the first 20", "an obstacle", times.in.mean_of_first_us(20), "us");
    report.add(name, "out, median", "an obstacle", times.out.quantile_us(0.5), "us");
    report.add(name, "out, p99", "an obstacle", times.out.quantile_us(0.99), "us");
    report.add(name, "all at once, each", "an obstacle", each(times.frame), "us");
    report.add(name, "asked for", "obstacles in one frame", static_cast<double>(count), "");
    report.add(name, "taken", "obstacles in one frame", static_cast<double>(times.taken), "");
    report.add(name, "frames until all are in", "obstacles in one frame", static_cast<double>(times.frames),
               "");
}

/// Routes of the empty level, looked at when the obstacles are in.
void measure_revalidation(const BenchLevel& level, const std::vector<Vec3>& places, std::size_t count,
                          Report& report) {
    NavMesh mesh = own_mesh(level, 0.0);
    const std::vector<MeshPair> pairs = mesh_pairs(mesh, count, true, 62);
    Scratch scratch;
    std::vector<Route> routes;
    for (const MeshPair& pair : pairs) {
        Result<Route> route = find_route(mesh, MeshQuery{.start = pair.start, .goal = pair.goal}, scratch);
        if (!route) throw std::runtime_error(error_text(route.error()).c_str());
        routes.push_back(std::move(*route));
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        const MeshEdit edit = edit_at(i, places[i]);
        must(mesh.apply({&edit, 1}));
    }
    Times looked{1}, again{1};
    std::size_t legal = 0;
    Route route;
    for (int round = 0; round < 5; ++round) {
        legal = 0;
        looked.add(0, time_ns([&] {
                       for (Route& old : routes)
                           legal += revalidate(mesh, old, MeshQuery{}, scratch).value().legal ? 1 : 0;
                   }));
        again.add(0, time_ns([&] {
                      for (const MeshPair& pair : pairs)
                          (void)find_route_into(mesh, MeshQuery{.start = pair.start, .goal = pair.goal},
                                                scratch, route);
                  }));
    }
    const auto each = [&](const Times& all) { return all.mean_us() / static_cast<double>(routes.size()); };
    report.add(level.name, "revalidate", "an old route", each(looked), "us");
    report.add(level.name, "a new search", "an old route", each(again), "us");
    report.add(level.name, "routes", "old routes", static_cast<double>(routes.size()), "");
    report.add(level.name, "still legal", "old routes", static_cast<double>(legal), "");
}

}  // namespace

void run_mesh_obstacles(const SuiteOptions& options, Report& report) {
    if (!has_recast()) report.note(kNoRecast);
    const BenchLevel level = obstacle_level(options);
    const std::size_t count = options.quick ? 20 : 200;
    const int rounds = options.quick ? 1 : 5;
    const std::vector<Vec3> places = random_places(own_mesh(level, 0.0), count);
    ObstacleTimes own{count}, wide{count}, peer{count};
    for (int round = 0; round < rounds; ++round) {
        run_own(level, 0.0, places, own);
        run_own(level, kRadiusMax, places, wide);
        if (has_recast()) run_peer(level, places, peer);
    }
    report_times("fairlead", own, count, report);
    report_times("fairlead, radius_max 1", wide, count, report);
    if (has_recast()) {
        report_times("DetourTileCache", peer, count, report);
        const auto against = [&](const char* what, double ours, double theirs) {
            report.add(level.name, what, "DetourTileCache's time against ours", theirs / ours, "x");
        };
        against("in, median", own.in.quantile_us(0.5), peer.in.quantile_us(0.5));
        against("in, p99", own.in.quantile_us(0.99), peer.in.quantile_us(0.99));
        against("out, median", own.out.quantile_us(0.5), peer.out.quantile_us(0.5));
        against("all at once", own.frame.mean_us(), peer.frame.mean_us());
    }
    measure_revalidation(level, places, options.quick ? 20 : 500, report);
}

}  // namespace fairlead::bench
