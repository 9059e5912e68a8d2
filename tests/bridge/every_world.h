// Every world and unit in one shape, for tests that ask the same of all of them: how it is made at random, edited, asked, judged.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/cylinder/cylinder.h>
#include <fairlead/drive/find_timed.h>
#include <fairlead/fly/find_fly.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/verify/verify.h>
#include <fairlead/verify/verify_mesh.h>
#include <fairlead/verify/verify_roadmap.h>
#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/repair.h>
#include <fairlead/volume/sight.h>

#include "support/fly_worlds.h"
#include "support/roadmaps.h"
#include "support/volumes.h"

namespace fairlead::testing {

inline constexpr std::int32_t kSide = 40;

inline std::vector<std::uint8_t> random_rocks(Rng& rng, std::uint32_t percent) {
    std::vector<std::uint8_t> tiles(kSide * kSide);
    for (std::uint8_t& tile : tiles) tile = rng.below(100) < percent ? 0 : 1;
    return tiles;
}

inline Vec2 random_place(Rng& rng) {
    return cell_centre(rng.between(0, kSide - 1), rng.between(0, kSide - 1));
}

// Where an edit of 3 x 3 tiles begins: anywhere, or about the place that it is aimed at.
inline std::int32_t corner_at(Rng& rng, const Place* aim, double Vec3::*axis, std::int32_t side) {
    if (aim == nullptr) return rng.between(0, side - 4);
    const auto cell = static_cast<std::int32_t>(aim->position.*axis);
    return std::clamp(cell - rng.between(0, 2), 0, side - 4);
}

inline std::uint8_t fill_with(Rng& rng, const Place* aim) {
    return static_cast<std::uint8_t>(aim != nullptr ? 0 : rng.below(2));
}

inline Grid random_town(Rng& rng, std::uint32_t percent = 22) {
    const GridOptions options{
        .width = kSide, .height = kSide, .hierarchy = true};  // its planner is one of those asked
    Result<Grid> grid = Grid::make(options, random_rocks(rng, percent));
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

struct Tiles {
    using Search = GridSearch;
    using World = Grid;
    static World make(Rng& rng) { return random_town(rng); }
    using Region = CellRect;
    static Region edit(World& world, Rng& rng, const Place* aim = nullptr) {
        const std::int32_t x = corner_at(rng, aim, &Vec3::x, kSide), y = corner_at(rng, aim, &Vec3::y, kSide);
        const CellRect rect{{x, y}, {x + 3, y + 3}};
        EXPECT_TRUE(world.fill(rect, fill_with(rng, aim)));
        return rect;
    }
    static GridQuery query(const World&, Rng& rng) {
        GridQuery query{.start = random_place(rng), .goal = random_place(rng)};
        query.planner = static_cast<GridPlanner>(rng.below(static_cast<std::uint32_t>(GridPlanner::count_)));
        if (rng.below(3) == 0) {  // not every planner knows discs
            query.agent.radius = 0.7;
            query.planner = GridPlanner::automatic;
        }
        query.partial = rng.below(2) == 0;
        return query;
    }
    static bool illegal(const World&, const Route& route, const GridState& at, const GridQuery& query) {
        return bool(verify(route, at, query.agent));
    }
};

struct Mesh {
    using Search = MeshSearch;
    using World = NavMesh;
    static World make(Rng& rng) {
        Result<NavMesh> mesh = make_grid_mesh(random_town(rng), {.tile_cells = 16, .radius_max = 1.0});
        FAIRLEAD_ASSERT(mesh.has_value());
        return std::move(*mesh);
    }
    using Region = Aabb;
    static Region edit(World& world, Rng& rng, const Place* aim = nullptr) {
        const auto id = static_cast<std::uint32_t>(rng.below(8));
        const Vec2 anywhere{rng.between(1.0, 39.0), rng.between(1.0, 39.0)};
        const Vec2 centre = aim != nullptr ? ground(aim->position) : anywhere;
        const MeshEdit put = MeshEdit::add(id, MeshObstacle::box(centre, {1.5, 1}, 0.3, -1, 3));
        const MeshEdit out = MeshEdit::remove(id);
        // Where the obstacle has stood is not known here: then all may have changed.
        if (world.apply({&out, 1})) return {{-1, -1}, {kSide + 1.0, kSide + 1.0}};
        EXPECT_TRUE(world.apply({&put, 1}));
        return {centre - Vec2{1.9, 1.9}, centre + Vec2{1.9, 1.9}};
    }
    static MeshQuery query(const World&, Rng& rng) {
        const Vec2 from = random_place(rng), to = random_place(rng);
        MeshQuery query{.start = {from.x, from.y, 0}, .goal = Vec3{to.x, to.y, 0}};
        query.agent.radius = rng.below(3) == 0 ? 0.4 : 0.0;
        if (query.agent.radius == 0.0 && rng.below(3) == 0) query.planner = MeshPlanner::corridor;
        query.partial = rng.below(2) == 0;
        return query;
    }
    static bool illegal(const World&, const Route& route, const NavMeshState& at, const MeshQuery& query) {
        return bool(verify(route, at, query.agent));
    }
};

struct Net {
    using Search = RoadmapSearch;
    using World = Roadmap;
    static constexpr std::int64_t kNodes = 80;
    static World make(Rng& rng) {
        PlainRoadmap plain;
        for (std::int64_t i = 0; i < kNodes; ++i)
            plain.node(i, rng.between(0.0, 40.0), rng.between(0.0, 40.0));
        for (int i = 0; i < 150; ++i) {
            const std::int64_t a = rng.between(0, kNodes - 1), b = rng.between(0, kNodes - 1);
            if (a != b) plain.edge(a, b);
        }
        for (int i = 0; i < 6; ++i) {
            const Vec2 at{rng.between(0.0, 40.0), rng.between(0.0, 40.0)};
            plain.wall({at, at + Vec2{3, 1}, at + Vec2{1, 4}}, true);
        }
        return plain.make();
    }
    using Region = Aabb;
    static Region edit(World& world, Rng& rng, const Place* = nullptr) {
        const WaypointId id{rng.between(0, kNodes - 1)};
        EXPECT_TRUE(world.move_node({id, {rng.between(0.0, 40.0), rng.between(0.0, 40.0), 0}}));
        return {{-9, -9}, {-8, -8}};  // of walls: none
    }
    static RoadmapQuery query(const World&, Rng& rng) {
        RoadmapQuery query{.start = Vec2{rng.between(0.0, 40.0), rng.between(0.0, 40.0)},
                           .goal = WaypointId{rng.between(0, kNodes - 1)}};
        query.planner = static_cast<RoadmapPlanner>(rng.below(3));
        query.partial = rng.below(2) == 0;
        return query;
    }
    static bool illegal(const World&, const Route& route, const RoadmapState& at, const RoadmapQuery& query) {
        return bool(verify(route, at, query.agent));
    }
};

struct Space {
    using Search = VolumeSearch;
    using World = Volume;
    static constexpr Voxel kSize{24, 24, 24};
    static World make(Rng& rng) {
        return make_volume(random_volume(rng, static_cast<VolumeKind>(rng.below(9)), kSize));
    }
    static Vec3 place(Rng& rng) {
        const double x = rng.between(0.0, 24.0), y = rng.between(0.0, 24.0), z = rng.between(0.0, 24.0);
        return {x, y, z};
    }
    using Region = VoxelBox;
    static Region edit(World& world, Rng& rng, const Place* aim = nullptr) {
        const Vec3 centre = aim != nullptr ? aim->position : place(rng);
        const VolumeEdit ball =
            VolumeEdit::ball(centre, aim != nullptr ? 1.2 : 2.5, fill_with(rng, aim) == 0);
        EXPECT_TRUE(world.apply(ball));
        return changed_voxels(world, ball);
    }
    static VolumeQuery query(const World&, Rng& rng) {
        const Vec3 from = place(rng);
        VolumeQuery query{.start = from, .goal = place(rng), .reach = rng.below(2) == 0 ? 0.0 : 4.0};
        query.agent.radius = rng.below(3) == 0 ? 0.4 : 0.0;
        if (rng.below(3) == 0) query.planner = static_cast<VolumePlanner>(1 + rng.below(3));
        query.partial = rng.below(2) == 0;
        return query;
    }
    static bool illegal(const World&, const Route& route, const VolumeState& at, const VolumeQuery& query) {
        return bool(verify(route, at, query.agent));
    }
};

// A town with the map that a turning unit plans over, and the towns that it was before, for verify.
class DrivenTown {
  public:
    DrivenTown(Rng& rng, const Agent& unit) : DrivenTown(random_town(rng, 8), unit) {}
    DrivenTown(Grid&& grid, const Agent& unit)
        : grid_(std::move(grid)),
          table_(*DriveTable::make({.agent = unit})),
          map_(*make_drive_map(grid_, table_)) {
        before_.push_back(grid_.acquire());
    }
    DriveMapSnapshot acquire() const { return map_.acquire(); }
    const DriveMapState& state() const { return map_.state(); }
    operator const DriveMapState&() const { return map_.state(); }
    const DriveTable& table() const { return table_; }

    Aabb edit(Rng& rng, const Place* aim) {
        const std::int32_t layer = aim != nullptr ? aim->layer : rng.between(0, grid_.state().layers() - 1);
        const std::int32_t x = corner_at(rng, aim, &Vec3::x, grid_.state().width());
        const std::int32_t y = corner_at(rng, aim, &Vec3::y, grid_.state().height());
        const CellRect rect{{x, y}, {x + 3, y + 3}, layer};
        EXPECT_TRUE(grid_.fill(rect, fill_with(rng, aim)));
        EXPECT_TRUE(update_drive_map(map_, grid_).has_value());
        if (before_.back()->revision() != grid_.state().revision()) before_.push_back(grid_.acquire());
        return {{1.0 * x, 1.0 * y}, {x + 3.0, y + 3.0}};
    }
    bool illegal(const Route& route, std::uint64_t revision) const {
        for (const GridSnapshot& town : before_) {
            if (town->revision() == revision) return bool(verify(route, *town, table_.options().agent));
        }
        return true;
    }

  private:
    Grid grid_;
    DriveTable table_;
    DriveMap map_;
    std::vector<GridSnapshot> before_;
};

inline constexpr Agent kBuggy{.radius = 0.4, .turning_radius = 1.5, .can_reverse = true};

inline Pose random_pose(Rng& rng) { return {random_place(rng), rng.between(-kPi, kPi)}; }

struct Drive {
    using Search = DriveSearch;
    using World = DrivenTown;
    static World make(Rng& rng) { return {rng, kBuggy}; }
    using Region = Aabb;
    static Region edit(World& world, Rng& rng, const Place* aim = nullptr) { return world.edit(rng, aim); }
    static DriveQuery query(const World&, Rng& rng) {
        DriveQuery query{.start = random_pose(rng), .goal = random_pose(rng)};
        query.planner = static_cast<DrivePlanner>(rng.below(2));  // anytime ones end when the budget does
        if (rng.below(3) == 0) query.start = query.start.any_heading();
        if (rng.below(3) == 0) query.goal = random_place(rng);
        if (rng.below(4) == 0) query.goal = Goal::within(random_place(rng), 2.0);
        query.partial = rng.below(2) == 0;
        return query;
    }
    static bool illegal(const World& world, const Route& route, const DriveMapState& at, const DriveQuery&) {
        return world.illegal(route, at.revision());
    }
};

struct Timed {
    using Search = TimedSearch;
    struct World : DrivenTown {
        explicit World(Rng& rng)
            : DrivenTown(rng, kBuggy), times(*SpeedTable::make(table(), {.speed_max = 4.0}, 4)) {}
        SpeedTable times;
    };
    static World make(Rng& rng) { return World(rng); }
    using Region = Aabb;
    static Region edit(World& world, Rng& rng, const Place* aim = nullptr) { return world.edit(rng, aim); }
    static TimedQuery query(const World& world, Rng& rng) {
        TimedQuery query{.start = random_pose(rng), .goal = random_pose(rng), .times = &world.times};
        if (rng.below(3) == 0) query.goal_speed = kAnySpeed;
        if (rng.below(3) == 0) query.goal = random_place(rng);
        query.partial = rng.below(2) == 0;
        return query;
    }
    static bool illegal(const World& world, const Route& route, const DriveMapState& at, const TimedQuery&) {
        return world.illegal(route, at.revision());
    }
};

// Two floors and portals between them.
inline Grid random_house(Rng& rng) {
    std::vector<Portal> portals;
    for (int i = 0; i < 6; ++i) {
        const Cell from{rng.between(1, 22), rng.between(1, 22), 0},
            to{rng.between(1, 22), rng.between(1, 22), 1};
        portals.push_back({.from = from, .to = to, .cost = 2.0, .two_way = rng.below(3) != 0});
    }
    std::vector<std::uint8_t> tiles(24 * 24 * 2);
    for (std::uint8_t& tile : tiles) tile = rng.below(100) < 6 ? 0 : 1;
    Result<Grid> grid = Grid::make({.width = 24, .height = 24, .layers = 2, .portals = portals}, tiles);
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

struct DriveStoreys {
    using Search = DriveSearch;
    using World = DrivenTown;
    static World make(Rng& rng) { return {random_house(rng), kBuggy}; }
    using Region = Aabb;
    static Region edit(World& world, Rng& rng, const Place* aim = nullptr) { return world.edit(rng, aim); }
    static DriveQuery query(const World&, Rng& rng) {
        const auto spot = [&] {
            const Vec2 at = cell_centre(rng.between(1, 22), rng.between(1, 22));
            return Spot(Pose{at, rng.between(-kPi, kPi)}).on_layer(rng.between(0, 1));
        };
        DriveQuery query{.start = spot(), .goal = spot()};
        if (rng.below(3) == 0) query.goal = Goal(query.goal.at.any_heading());
        query.partial = rng.below(2) == 0;
        return query;
    }
    static bool illegal(const World& world, const Route& route, const DriveMapState& at, const DriveQuery&) {
        return world.illegal(route, at.revision());
    }
};

struct MeshDrive {
    using Search = MeshDriveSearch;
    struct World {
        NavMesh mesh;
        DriveTable table;
        NavMeshSnapshot acquire() const { return mesh.acquire(); }
        const NavMeshState& state() const { return mesh.state(); }
        operator const NavMeshState&() const { return mesh.state(); }
    };
    static World make(Rng& rng) {
        return {Mesh::make(rng), *make_mesh_drive_table(kBuggy, {.refine = false})};
    }
    using Region = Aabb;
    static Region edit(World& world, Rng& rng, const Place* aim = nullptr) {
        return Mesh::edit(world.mesh, rng, aim);
    }
    static MeshDriveQuery query(const World& world, Rng& rng) {
        MeshDriveQuery query{.start = random_pose(rng), .goal = random_pose(rng), .table = &world.table};
        if (rng.below(3) == 0) query.goal = random_place(rng);
        query.partial = rng.below(2) == 0;
        return query;
    }
    static bool illegal(const World&, const Route& route, const NavMeshState& at, const MeshDriveQuery&) {
        return bool(verify(route, at, kBuggy));
    }
};

struct Fly {
    using Search = FlySearch;
    using World = Volume;
    static World make(Rng& rng) {
        return make_volume(
            fly_world(rng, rng.below(2) == 0 ? FlyWorld::asteroids : FlyWorld::tunnels, nullptr, 24));
    }
    using Region = VoxelBox;
    static Region edit(World& world, Rng& rng, const Place* aim = nullptr) {
        return Space::edit(world, rng, aim);
    }
    static FlyQuery query(const World& world, Rng& rng) {
        const auto spot = [&] {  // mostly where it has room to turn
            Vec3 at = Space::place(rng);
            for (int i = 0; i < 20 && !fits(world.state(), at, 1.5); ++i) at = Space::place(rng);
            return Spot(Position3(at), rng.between(-kPi, kPi));
        };
        FlyQuery query{.start = spot(), .goal = spot()};
        query.expansions_max = rng.below(4) == 0 ? 400 : 10000;
        query.agent.turning_radius = rng.between(1.0, 3.0);
        query.agent.radius = rng.below(3) == 0 ? 0.3 : 0.0;
        query.partial = rng.below(2) == 0;
        return query;
    }
    static bool illegal(const World&, const Route& route, const VolumeState& at, const FlyQuery& query) {
        return bool(verify(route, at, query.agent));
    }
};

// A tube's tiles: asked as any grid, of places that are unrolled.
struct Tube {
    using Search = GridSearch;
    using World = Grid;
    static Cylinder shape() {
        return {.axis = CylinderAxis::x,
                .radius = 10.0,
                .thickness = 1.0,
                .slices = 4,
                .around = 48,
                .along = 40};
    }
    static World make(Rng& rng) {
        CylinderWorld world;
        world.shape = shape();
        FAIRLEAD_ASSERT(world.solid.resize(world.shape.columns()));
        for (std::uint8_t& column : world.solid)
            column = static_cast<std::uint8_t>(rng.below(3) == 0 ? rng.below(5) : 0);
        Result<Grid> tiles = make_cylinder_grid(world);
        FAIRLEAD_ASSERT(tiles.has_value());
        return std::move(*tiles);
    }
    using Region = CellRect;
    static Region edit(World& world, Rng& rng, const Place* aim = nullptr) {
        Place in_cells = aim != nullptr ? *aim : Place{};
        in_cells.position = in_cells.position * (1.0 / shape().cell_size());
        const Place* const at = aim != nullptr ? &in_cells : nullptr;
        const std::int32_t x = corner_at(rng, at, &Vec3::x, 48), y = corner_at(rng, at, &Vec3::y, 40);
        const std::int32_t slice = aim != nullptr ? aim->layer : rng.between(0, 3);
        const CellRect rect{{x, y}, {x + 3, y + 3}, slice};
        EXPECT_TRUE(world.fill(rect, fill_with(rng, aim)));
        return rect;
    }
    static GridQuery query(const World&, Rng& rng) {
        const auto spot = [&] {
            const CylinderPlace at{rng.between(0.0, shape().lap()), rng.between(0.1, 39.0),
                                   rng.between(6.2, 9.8)};
            return unroll(shape(), in_space(shape(), at));
        };
        GridQuery query{.start = spot(), .goal = spot()};
        query.partial = rng.below(2) == 0;
        return query;
    }
    static bool illegal(const World&, const Route& route, const GridState& at, const GridQuery& query) {
        return bool(verify(route, at, query.agent));
    }
};

// The one call of a turning unit over a grid. In slices it is asked as Drive is.
struct TownDrive {
    using World = Grid;
    static World make(Rng& rng) { return random_town(rng, 8); }
    using Region = CellRect;
    static Region edit(World& world, Rng& rng, const Place* aim = nullptr) {
        return Tiles::edit(world, rng, aim);
    }
    static DriveQuery query(const World&, Rng& rng) {
        DriveQuery query{.start = random_pose(rng), .goal = random_pose(rng), .agent = kBuggy};
        if (rng.below(3) == 0) query.goal = random_place(rng);
        query.partial = rng.below(2) == 0;
        return query;
    }
    static bool illegal(const World&, const Route& route, const GridState& at, const DriveQuery&) {
        return bool(verify(route, at, kBuggy));
    }
};

}  // namespace fairlead::testing
