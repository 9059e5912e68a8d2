// The same question in every world: one generic function that asks, steps in slices, moves, cancels, stops, takes, judges and asks
// again, on a world that is edited meanwhile, instantiated over every world and unit.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/debug/trace.h>
#include <fairlead/drive/find_timed.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/verify/verify.h>
#include <fairlead/verify/verify_mesh.h>
#include <fairlead/verify/verify_roadmap.h>
#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>

#include "support/environment.h"
#include "support/roadmaps.h"
#include "support/route_compare.h"
#include "support/test_allocator.h"
#include "support/volumes.h"

namespace fairlead::testing {
namespace {

constexpr std::int32_t kSide = 40;

std::vector<std::uint8_t> random_rocks(Rng& rng, std::uint32_t percent) {
    std::vector<std::uint8_t> tiles(kSide * kSide);
    for (std::uint8_t& tile : tiles) tile = rng.below(100) < percent ? 0 : 1;
    return tiles;
}

Vec2 random_place(Rng& rng) { return cell_centre(rng.between(0, kSide - 1), rng.between(0, kSide - 1)); }

Grid random_town(Rng& rng, std::uint32_t percent = 22) {
    const GridOptions options{
        .width = kSide, .height = kSide, .hierarchy = true};  // its planner is one of those asked
    Result<Grid> grid = Grid::make(options, random_rocks(rng, percent));
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

// ---- the worlds --------------------------------------------------------------------------------------------

struct Tiles {
    using Search = GridSearch;
    using World = Grid;
    static World make(Rng& rng) { return random_town(rng); }
    static void edit(World& world, Rng& rng) {
        const std::int32_t x = rng.between(0, kSide - 4), y = rng.between(0, kSide - 4);
        ASSERT_TRUE(world.fill({{x, y}, {x + 3, y + 3}}, static_cast<std::uint8_t>(rng.below(2))));
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
    static void edit(World& world, Rng& rng) {
        const auto id = static_cast<std::uint32_t>(rng.below(8));
        const Vec2 centre{rng.between(1.0, 39.0), rng.between(1.0, 39.0)};
        const MeshEdit put = MeshEdit::add(id, MeshObstacle::box(centre, {1.5, 1}, 0.3, -1, 3));
        const MeshEdit out = MeshEdit::remove(id);
        if (world.apply({&out, 1})) return;
        ASSERT_TRUE(world.apply({&put, 1}));
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
    static void edit(World& world, Rng& rng) {
        const WaypointId id{rng.between(0, kNodes - 1)};
        ASSERT_TRUE(world.move_node({id, {rng.between(0.0, 40.0), rng.between(0.0, 40.0), 0}}));
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
    static void edit(World& world, Rng& rng) {
        const Vec3 centre = place(rng);
        ASSERT_TRUE(world.apply(VolumeEdit::ball(centre, 2.5, rng.below(2) == 0)));
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
    DrivenTown(Rng& rng, const Agent& unit)
        : grid_(random_town(rng, 8)),
          table_(*DriveTable::make({.agent = unit})),
          map_(*make_drive_map(grid_, table_)) {
        before_.push_back(grid_.acquire());
    }
    DriveMapSnapshot acquire() const { return map_.acquire(); }
    const DriveMapState& state() const { return map_.state(); }
    operator const DriveMapState&() const { return map_.state(); }
    const DriveTable& table() const { return table_; }

    void edit(Rng& rng) {
        Tiles::edit(grid_, rng);
        ASSERT_TRUE(update_drive_map(map_, grid_).has_value());
        if (before_.back()->revision() != grid_.state().revision()) before_.push_back(grid_.acquire());
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

constexpr Agent kBuggy{.radius = 0.4, .turning_radius = 1.5, .can_reverse = true};

Pose random_pose(Rng& rng) { return {random_place(rng), rng.between(-kPi, kPi)}; }

struct Drive {
    using Search = DriveSearch;
    using World = DrivenTown;
    static World make(Rng& rng) { return {rng, kBuggy}; }
    static void edit(World& world, Rng& rng) { world.edit(rng); }
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
    static void edit(World& world, Rng& rng) { world.edit(rng); }
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
    static void edit(World& world, Rng& rng) { Mesh::edit(world.mesh, rng); }
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

// ---- what all of them do alike -----------------------------------------------------------------------------

template <class Kind>
void ask_one_world(std::uint64_t seed, int& complete) {
    using Search = typename Kind::Search;
    static_assert(SlicedSearch<Search>);
    static_assert(!std::is_copy_constructible_v<Search>);
    Rng rng(seed);
    typename Kind::World world = Kind::make(rng);
    const auto query = Kind::query(world, rng);
    Scratch scratch, alone;
    const Result<Route> whole = find_route(world, query, alone);
    ASSERT_TRUE(whole.has_value()) << error_text(whole.error()).c_str();
    complete += whole->status == PathStatus::complete ? 1 : 0;
    const auto frozen = world.acquire();

    // In slices, on a world that is edited meanwhile, and moved on the way.
    Search search(world, query, scratch);
    std::uint64_t units = 0;
    for (int slices = 0; search.running(); ++slices) {
        const std::uint64_t asked = 1 + rng.below(40);
        const std::uint64_t used = search.step(asked);
        ASSERT_GE(used, 1U);
        ASSERT_LE(used, asked + 16);
        units += used;
        if (slices % 3 == 0) Kind::edit(world, rng);
        if (slices % 5 == 0) {
            Search moved(std::move(search));
            EXPECT_FALSE(search.running());
            search = std::move(moved);
        }
    }
    EXPECT_EQ(search.step(1), 0U);
    EXPECT_EQ(search.has_route(), !whole->legs.empty() || whole->status == PathStatus::complete ||
                                      whole->status == PathStatus::partial);
    Route route;
    ASSERT_TRUE(search.take(route).has_value());
    EXPECT_EQ(route_difference(route, *whole), "");
    EXPECT_EQ(route.revision, frozen->revision());
    EXPECT_FALSE(Kind::illegal(world, route, *frozen, query));

    // Taken once. Then the scratch serves another search, and this one may be asked again: on the snapshot that it holds.
    EXPECT_EQ(search.take(route).error().code, ErrorCode::nothing_to_take);
    EXPECT_TRUE(find_route_into(world, query, scratch, route).has_value());
    search.restart(query);
    while (search.running()) search.step(UINT64_MAX);
    ASSERT_TRUE(search.take(route).has_value());
    EXPECT_EQ(route_difference(route, *whole), "");

    // Of the newest revision.
    Kind::edit(world, rng);
    search.restart(world, query);
    while (search.running()) search.step(7);
    ASSERT_TRUE(search.take(route).has_value());
    const Result<Route> newest = find_route(world, query, alone);
    ASSERT_TRUE(newest.has_value());
    EXPECT_EQ(route_difference(route, *newest), "");
    EXPECT_FALSE(Kind::illegal(world, route, world.state(), query));

    // A budget of nothing, stop(), a cancel and progress that says stop: all of them end with what there is, never illegal.
    auto hopeless = query;
    hopeless.expansions_max = 0;
    Search spent(frozen, hopeless, scratch);
    while (spent.running()) spent.step(3);
    ASSERT_TRUE(spent.take(route).has_value());
    EXPECT_LE(route.stats.expanded, whole->stats.expanded);
    EXPECT_FALSE(Kind::illegal(world, route, *frozen, query));

    Search stopped(frozen, query, scratch);
    stopped.step(units / 2);
    stopped.stop();
    EXPECT_FALSE(stopped.running());
    ASSERT_TRUE(stopped.take(route).has_value());
    EXPECT_FALSE(Kind::illegal(world, route, *frozen, query));

    const std::atomic<bool> cancel{true};
    ASSERT_TRUE(find_route_into(*frozen, query, scratch, route, {.cancel = &cancel}).has_value());
    EXPECT_EQ(route.stats.expanded, 0U);

    std::size_t told = 0;
    const Progress progress{[](void* user, std::size_t, std::size_t) {
                                ++*static_cast<std::size_t*>(user);
                                return false;
                            },
                            &told};
    ASSERT_TRUE(find_route_into(*frozen, query, scratch, route, {.progress = progress}).has_value());
    EXPECT_TRUE(told == 0 || !(route.stats == whole->stats));

    // Watched: the same route, and as many events as the stats count.
    debug::Trace trace;
    ASSERT_TRUE(find_route_into(*frozen, query, scratch, route, {.trace = trace.hook()}).has_value());
    EXPECT_EQ(route_difference(route, *whole), "");
    EXPECT_EQ(trace.count(debug::TraceKind::expand), route.stats.expanded);
}

// The route's memory comes from the scratch's allocator, and a warm call takes none.
template <class Kind>
void count_memory(std::uint64_t seed) {
    Rng rng(seed);
    const typename Kind::World world = Kind::make(rng);
    const auto query = Kind::query(world, rng);
    TestAllocator memory;
    Scratch scratch(memory.allocator());
    {
        const Result<Route> route = find_route(world, query, scratch);
        ASSERT_TRUE(route.has_value());
        EXPECT_EQ(route->legs.allocator().user, scratch.allocator().user);
    }
    Route reused;
    reused.legs = Array<Leg>(memory.allocator());
    reused.speeds = Array<SpeedKnot>(memory.allocator());
    ASSERT_TRUE(find_route_into(world, query, scratch, reused).has_value());
    const auto before = memory.calls;
    ASSERT_TRUE(find_route_into(world, query, scratch, reused).has_value());
    typename Kind::Search search(world, query, scratch);
    while (search.running()) search.step(5);
    ASSERT_TRUE(search.take(reused).has_value());
    EXPECT_EQ(memory.calls, before);
}

template <class Kind>
class OneShape : public ::testing::Test {};
using Worlds = ::testing::Types<Tiles, Mesh, Net, Space, Drive, Timed, MeshDrive>;
TYPED_TEST_SUITE(OneShape, Worlds);

TYPED_TEST(OneShape, IsAskedSlicedEditedCancelledAndTakenAlike) {
    int complete = 0;
    constexpr bool kDrives = !std::is_same_v<TypeParam, Tiles> && !std::is_same_v<TypeParam, Mesh> &&
                             !std::is_same_v<TypeParam, Net> && !std::is_same_v<TypeParam, Space>;
    const int rounds = trials(kDrives ? 20 : 200);
    for (int i = 0; i < rounds; ++i) {
        ask_one_world<TypeParam>(9000 + static_cast<std::uint64_t>(i), complete);
        ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << 9000 + i;
    }
    if (all_trials()) {
        EXPECT_GT(complete, rounds / 4);
    }
}

TYPED_TEST(OneShape, TakesMemoryFromTheScratch) {
    for (int i = 0; i < trials(20); ++i) {
        count_memory<TypeParam>(9500 + static_cast<std::uint64_t>(i));
        ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << 9500 + i;
    }
}

}  // namespace
}  // namespace fairlead::testing
