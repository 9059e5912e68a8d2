// One unit alone, sent about on every shared map and level: is it ever stuck? Goals are random places; some cannot be reached, and then it
// must say so. Every tick its step is looked at by the exact checker. One line a map; status 1 if fewer than --least of the reachable
// goals were reached, if a pose was illegal, or if a goal was called unreachable that is not.
//
//     never_stuck [--goals 10000] [--only TEXT] [--seed 1] [--radius 0.4] [--least 0.999] [--shown 5] [--worlds maps|meshes]
//
// A map's line: goals, reached, unreachable, stuck, illegal steps, ticks. The first few failures are printed with their ends.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/math/trig.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/mesh_bake/navmesh.h>
#include <fairlead/verify/verify.h>
#include <fairlead/verify/verify_mesh.h>

#include "campaign/flags.h"
#include "campaign/pose_data.h"
#include "support/environment.h"
#include "support/levels.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

constexpr double kStep = 1.0 / 30.0;

struct Options {
    std::uint64_t goals = 10000;
    std::uint64_t seed = 1;
    std::string only;
    std::string worlds;
    double radius = 0.4;
    double least = 0.999;
    std::uint64_t shown = 5;
};

struct Sums {
    std::uint64_t goals = 0;
    std::uint64_t reached = 0;
    std::uint64_t unreachable = 0;
    std::uint64_t stuck = 0;
    std::uint64_t illegal = 0;
    std::uint64_t ticks = 0;
};

/// A world as the campaign sees it.
struct World {
    const Grid* grid = nullptr;
    const NavMesh* mesh = nullptr;
    FleetPort port{};
    Agent agent{};

    [[nodiscard]] Place random_place(Rng& rng) const {
        for (;;) {
            Place place;
            if (mesh != nullptr) {
                const MeshPoint at = random_point(mesh->state(), rng);
                place.position = at.position;
            } else {
                const GridState& state = grid->state();
                const std::int32_t x = rng.between(0, state.width() - 1);
                const Cell cell{x, rng.between(0, state.height() - 1)};
                if (!state.can_stand(cell, agent)) continue;
                const Vec2 middle = state.cell_centre(cell);
                place.position = {middle.x, middle.y, 0.0};
            }
            if (!step_is_illegal(place, place)) return place;
        }
    }
    /// Straight from one place to the other.
    [[nodiscard]] bool step_is_illegal(const Place& from, const Place& to) const {
        Route route;
        route.status = PathStatus::complete;
        route.end = to;
        Leg leg;
        leg.start = from;
        leg.length = distance(ground(from.position), ground(to.position));
        leg.rise = to.position.z - from.position.z;
        leg.start.heading_rad = to.heading_rad;
        if (leg.length > 0.0) {
            const Vec2 way = ground(to.position) - ground(from.position);
            leg.start.heading_rad = math::atan2(way.y, way.x);
            if (!route.legs.push_back(leg)) return true;
        }
        route.length = leg.length;
        if (mesh == nullptr) {
            route.revision = grid->state().revision();
            return static_cast<bool>(verify(route, grid->state(), agent));
        }
        route.revision = mesh->state().revision();
        MeshVerifyOptions lenient;
        lenient.height_slack = 1.0;  // where the ground bends within a step
        return static_cast<bool>(verify(route, mesh->state(), agent, lenient));
    }
    [[nodiscard]] bool joined(const Place& from, const Place& to) const {
        Scratch scratch;
        if (mesh != nullptr) return true;  // not asked another way
        GridQuery query{.start = ground(from.position), .goal = ground(to.position)};
        query.agent = agent;
        query.planner = GridPlanner::dijkstra;
        const Result<Route> route = find_route(*grid, query, scratch);
        return route && route->status == PathStatus::complete;
    }
};

class Walk {
  public:
    Walk(const World& world, const Options& options, Sums& sums)
        : world_(&world), options_(&options), sums_(&sums), rng_(options.seed) {}

    [[nodiscard]] bool start() {
        Result<Fleet> fleet = Fleet::make(world_->port, {.schedule = {.slice_units = 100000}});
        if (!fleet) return false;
        fleet_.emplace(std::move(*fleet));
        FleetUnit unit;
        unit.agent = world_->agent;
        unit.limits = SpeedLimits::only(6.0 * std::max(world_->agent.radius, 0.1) / 0.4);
        unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max =
            6.0 * unit.limits.speed_max;
        speed_ = unit.limits.speed_max;
        const Result<FleetKind> kind = fleet_->add_kind(unit);
        if (!kind) return false;
        kind_ = *kind;
        return put();
    }
    [[nodiscard]] bool go() {
        const Place goal = world_->random_place(rng_);
        const Place from = fleet_->unit(id_).place;
        Spot spot(goal);
        spot.has_layer = world_->mesh == nullptr;
        ++sums_->goals;
        if (!fleet_->send(id_, spot.any_heading())) return false;
        const FleetView view = run();
        if (view.state == FleetState::arrived) {
            ++sums_->reached;
            return true;
        }
        const bool says = view.state == FleetState::unreachable;
        if (says && !(world_->mesh == nullptr && world_->joined(from, goal))) {
            ++sums_->unreachable;
            return put();
        }
        if (++sums_->stuck <= options_->shown) {
            const Vec3 p = view.place.position;
            std::printf("    %s (%.17g, %.17g, %.17g) to (%.17g, %.17g, %.17g): at (%.9g, %.9g, %.9g), %s\n",
                        fleet_state_name(view.state), from.position.x, from.position.y, from.position.z,
                        goal.position.x, goal.position.y, goal.position.z, p.x, p.y, p.z,
                        status_name(view.why));
        }
        return put();
    }

  private:
    [[nodiscard]] bool put() {
        (void)fleet_->remove(id_);
        const Result<FleetId> id = fleet_->add(kind_, world_->random_place(rng_));
        if (!id) return false;
        id_ = *id;
        return true;
    }
    /// Until it has arrived or says that it cannot, or is no nearer for a minute.
    [[nodiscard]] FleetView run() {
        FleetView view = fleet_->unit(id_);
        double best = 1e300, since = 0.0;
        while (since < 60.0) {
            const Place was = view.place;
            if (!fleet_->update(kStep, {.units = 1000000000})) break;
            view = fleet_->unit(id_);
            ++sums_->ticks;
            if (view.state != FleetState::link && world_->step_is_illegal(was, view.place)) {
                if (++sums_->illegal <= options_->shown) {
                    std::printf("    illegal: (%.17g, %.17g) to (%.17g, %.17g)\n", was.position.x,
                                was.position.y, view.place.position.x, view.place.position.y);
                }
            }
            if (view.state != FleetState::moving && view.state != FleetState::waiting &&
                view.state != FleetState::stuck && view.state != FleetState::link) {
                break;
            }
            since += kStep;
            if (view.state == FleetState::waiting) continue;  // what remains is told of a route alone
            if (view.remaining < best - 0.5 * speed_ * kStep) {
                best = view.remaining;
                since = 0.0;
            }
        }
        return view;
    }

    const World* world_;
    const Options* options_;
    Sums* sums_;
    Rng rng_;
    std::optional<Fleet> fleet_;
    FleetKind kind_{};
    FleetId id_{};
    double speed_ = 1.0;
};

bool play(const std::string& name, const World& world, const Options& options, Sums& all) {
    Sums sums;
    Walk walk(world, options, sums);
    bool good = walk.start();
    for (std::uint64_t i = 0; good && i < options.goals; ++i) good = walk.go();
    std::printf("%-28s %6" PRIu64 " goals %6" PRIu64 " reached %6" PRIu64 " unreachable %4" PRIu64
                " stuck %4" PRIu64 " illegal %9" PRIu64 " ticks%s\n",
                name.c_str(), sums.goals, sums.reached, sums.unreachable, sums.stuck, sums.illegal,
                sums.ticks, good ? "" : "  ended by an error");
    std::fflush(stdout);
    all.goals += sums.goals;
    all.reached += sums.reached;
    all.unreachable += sums.unreachable;
    all.stuck += sums.stuck;
    all.illegal += sums.illegal;
    all.ticks += sums.ticks;
    return good;
}

std::vector<std::string> maps(const std::string& only) {
    std::vector<std::string> found;
    const std::string path = data_path("maps");
    if (path.empty()) return found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
        const std::string file = entry.path().string();
        if (entry.path().extension() == ".map" && file.find(only) != std::string::npos) found.push_back(file);
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::string short_name(const std::string& file) { return std::filesystem::path(file).filename().string(); }

bool play_map(const std::string& file, const Options& options, Sums& all) {
    const oracle::PoseMap map = load_pose_map(file);
    if (map.tile.empty()) return std::printf("%s: not read\n", file.c_str()), true;
    const Agent agent{.radius = options.radius};
    GridOptions made{.width = map.width, .height = map.height};
    made.sizes = Borrowed<Agent>(&agent, 1);
    const Result<Grid> grid = Grid::make(made, map.tile);
    if (!grid) return false;
    const TileFleet tiles(*grid);
    return play(short_name(file), {&*grid, nullptr, tiles.port(), agent}, options, all);
}

bool play_level(const std::string& file, const Options& options, Sums& all) {
    const Level level = read_obj(file);
    const Result<NavMesh> mesh = bake::navmesh(level.soup());
    if (!mesh) return std::printf("%s: not baked\n", file.c_str()), true;
    const MeshFleet port(*mesh);
    // the surface ends so far before the walls
    const Agent agent{.radius = mesh->state().agent_radius()};
    return play(short_name(file), {nullptr, &*mesh, port.port(), agent}, options, all);
}

/// Those that one walks on; the others are for flyers.
constexpr const char* kLevels[] = {"meshes/recast/nav_test.obj",
                                   "meshes/recast/undulating.obj",
                                   "meshes/navcat/bridges.obj",
                                   "meshes/navcat/proto-level.obj",
                                   "meshes/navcat/crowd-simulation-stress-test.obj",
                                   "meshes/made/city_256.obj",
                                   "meshes/made/tower_10.obj"};

}  // namespace

int main(int count, char** words) {
    Options options;
    const bool known = read_flags(count, words, [&](const std::string& flag, const char* value) {
        if (flag == "--goals") return options.goals = std::strtoull(value, nullptr, 10), true;
        if (flag == "--seed") return options.seed = std::strtoull(value, nullptr, 10), true;
        if (flag == "--shown") return options.shown = std::strtoull(value, nullptr, 10), true;
        if (flag == "--radius") return options.radius = std::strtod(value, nullptr), true;
        if (flag == "--least") return options.least = std::strtod(value, nullptr), true;
        if (flag == "--only") return options.only = value, true;
        if (flag == "--worlds") return options.worlds = value, true;
        return false;
    });
    if (!known) {
        std::fprintf(stderr, "never_stuck: see the head of tests/campaign/never_stuck.cpp\n");
        return 2;
    }
    Sums all;
    bool good = true;
    if (options.worlds != "meshes") {
        for (const std::string& file : maps(options.only)) good = play_map(file, options, all) && good;
    }
    if (options.worlds != "maps") {
        for (const char* name : kLevels) {
            const std::string file = data_path(name);
            const bool asked = file.find(options.only) != std::string::npos;
            if (!file.empty() && asked) good = play_level(file, options, all) && good;
        }
    }
    const std::uint64_t reachable = all.reached + all.stuck;
    const double part =
        reachable > 0 ? static_cast<double>(all.reached) / static_cast<double>(reachable) : 1.0;
    std::printf("never_stuck: %" PRIu64 " goals, %" PRIu64 " unreachable, %" PRIu64 " of %" PRIu64
                " reachable ones reached (%.4f), %" PRIu64 " illegal steps of %" PRIu64 "\n",
                all.goals, all.unreachable, all.reached, reachable, part, all.illegal, all.ticks);
    return good && part >= options.least && all.illegal == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
