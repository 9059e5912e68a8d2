// One walker alone on a level mesh that was made for its radius, so that to the mesh it is a point: nothing may hold it up. Its ways bend
// round corners and touch others to the last bit.
#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "support/environment.h"
#include "support/levels.h"

namespace fairlead::testing {
namespace {

constexpr double kLoneStep = 1.0 / 60.0;
constexpr double kSpeed = 1.5;

struct Town {
    explicit Town(NavMesh made) : mesh(std::move(made)), port(mesh), fleet(*Fleet::make(port.port())) {
        FleetUnit unit;
        unit.agent.radius = mesh.state().agent_radius();
        unit.limits = SpeedLimits::only(kSpeed);
        unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = 6.0;
        kind = *fleet.add_kind(unit);
    }

    [[nodiscard]] Vec3 place(Rng& rng, std::uint32_t component) const {
        for (;;) {
            const MeshPoint at = random_point(mesh.state(), rng);
            if (mesh.state().component(at.polygon) == component) return at.position;
        }
    }
    /// Seconds until it has arrived, over those that its way takes at full speed; below 0: it does not arrive.
    double go(FleetId id, Vec3 goal) {
        MeshQuery query;
        query.start = Spot(fleet.unit(id).place.position);
        query.goal = Spot(goal);
        query.agent.radius = mesh.state().agent_radius();
        const Result<Route> found = find_route(mesh.state(), query, scratch);
        const double way = found->length;
        EXPECT_TRUE(fleet.send(id, Spot(goal)));
        for (int tick = 1; tick * kLoneStep < 900.0; ++tick) {
            EXPECT_TRUE(fleet.update(kLoneStep, {.units = 100000}));
            const FleetView view = fleet.unit(id);
            const MeshPoint on = mesh.state().nearest(view.place.position, {0.5, 2.0, 2.0});
            off = std::max(off, distance(ground(on.position), ground(view.place.position)));
            if (view.state == FleetState::arrived) return tick * kLoneStep / (way / kSpeed + 2.0);
            if (view.state == FleetState::stuck) return -1.0;
        }
        return -1.0;
    }

    NavMesh mesh;
    MeshFleet port;
    Fleet fleet;
    FleetKind kind{};
    Scratch scratch{};
    double off = 0.0;  ///< the farthest from the surface
};

// 16 of 580 trips ended at a corner that the way touches.
TEST(FleetLoneWalker, PassesEveryCornerOfAMaze) {
    for (std::uint64_t seed = 16; seed <= 27; ++seed) {
        Rng rng(seed);
        Town town(*bake::navmesh(random_maze(rng, 12, 12, 3.0).soup()));
        const MeshPoint start = random_point(town.mesh.state(), rng);
        const std::uint32_t component = town.mesh.state().component(start.polygon);
        Place at;
        at.position = start.position;
        const FleetId id = *town.fleet.add(town.kind, at);
        for (int trip = 0; trip < 20; ++trip) {
            const double took = town.go(id, town.place(rng, component));
            ASSERT_GE(took, 0.0) << seed << ' ' << trip;
            EXPECT_LE(took, 2.0) << seed << ' ' << trip;
        }
        EXPECT_LE(town.off, 1e-7) << seed;
    }
}

// Each of them stood for good: before a corner far off in line with the leg, in a pinch of the mesh, on a leg seen too early.
TEST(FleetLoneWalker, CrossesTheCity) {
    const std::string path = data_path("meshes/made/city_256.obj");
    if (path.empty()) GTEST_SKIP() << "no data";
    Town town(*bake::navmesh(read_obj(path).soup()));
    std::uint32_t streets = 0;
    for (const std::uint64_t seed : {97U, 146U, 170U, 215U, 228U, 267U, 689U, 951U}) {
        Rng rng(seed);
        Place at;
        at.position = town.place(rng, streets);
        const FleetId id = *town.fleet.add(town.kind, at);
        const double took = town.go(id, town.place(rng, streets));
        EXPECT_GE(took, 0.0) << seed;
        EXPECT_LE(took, 1.5) << seed;
        EXPECT_TRUE(town.fleet.remove(id));
    }
    EXPECT_LE(town.off, 1e-6);
}

}  // namespace
}  // namespace fairlead::testing
