// Every search of the library through a scheduler: the routes are those of find_route, whatever the slices, threads and edits.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/drive/find_timed.h>
#include <fairlead/fly/find_fly.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/schedule/scheduler.h>
#include <fairlead/volume/find_route.h>

#include "support/environment.h"
#include "support/route_compare.h"

namespace fairlead::testing {
namespace {

constexpr std::int32_t kSide = 40;
constexpr Agent kCart{.radius = 0.4, .turning_radius = 1.5, .can_reverse = true};

/// One world of each kind over the same rocks.
struct Worlds {
    Grid grid;
    NavMesh mesh;
    Roadmap net;
    Volume space;
    DriveTable table;
    DriveMap map;
    SpeedTable times;
    DriveTable mesh_table;

    static Grid rocks(Rng& rng) {
        std::vector<std::uint8_t> tiles(kSide * kSide);
        for (std::uint8_t& tile : tiles) tile = rng.below(100) < 15 ? 0 : 1;
        return *Grid::make({.width = kSide, .height = kSide}, tiles);
    }
    static Roadmap roads(Rng& rng) {
        std::vector<Waypoint> nodes;
        std::vector<WaypointEdge> edges;
        for (std::int64_t i = 0; i < 60; ++i) {
            const double x = rng.between(0.0, 40.0);
            nodes.push_back({.id = {i}, .position = {x, rng.between(0.0, 40.0), 0.0}});
            if (i > 0)
                edges.push_back({.from = {rng.between(0, static_cast<std::int32_t>(i) - 1)}, .to = {i}});
        }
        return *Roadmap::make({.nodes = nodes, .edges = edges});
    }
    static Volume air(Rng& rng) {
        Volume space = *Volume::make({.size = {24, 24, 24}});
        for (int n = 0; n < 20; ++n) {
            const double x = rng.between(0.0, 24.0), y = rng.between(0.0, 24.0), z = rng.between(0.0, 24.0);
            EXPECT_TRUE(space.apply(VolumeEdit::ball({x, y, z}, 3.0, true)));
        }
        return space;
    }
    explicit Worlds(Rng& rng)
        : grid(rocks(rng)),
          mesh(*make_grid_mesh(grid, {.tile_cells = 16, .radius_max = 1.0})),
          net(roads(rng)),
          space(air(rng)),
          table(*DriveTable::make({.agent = kCart})),
          map(*make_drive_map(grid, table)),
          times(*SpeedTable::make(table, {.speed_max = 4.0}, 4)),
          mesh_table(*make_mesh_drive_table(kCart, {.refine = false})) {}
};

Vec2 place(Rng& rng) {
    const std::int32_t x = rng.between(0, kSide - 1);
    return cell_centre(x, rng.between(0, kSide - 1));
}
Vec3 place3(Rng& rng, double side) {
    const double x = rng.between(0.0, side), y = rng.between(0.0, side);
    return {x, y, rng.between(0.0, side)};
}
Pose pose(Rng& rng) {
    const Vec2 at = place(rng);
    return {at, rng.between(-kPi, kPi)};
}

/// Submits and remembers what find_route says.
class Asked {
  public:
    explicit Asked(Scheduler& scheduler) : scheduler_(&scheduler) {}

    template <class Search, class World, class Id>
    void ask(const World& world, Id id, typename Search::Query query, const RequestOptions& options = {}) {
        Route alone;
        const Result<void> found = find_route_into(world, query, scratch_, alone);
        const Result<RequestId> request = scheduler_->submit<Search>(id, query, options);
        ASSERT_TRUE(request);
        ids_.push_back(*request);
        errors_.push_back(found ? ErrorCode::count_ : found.error().code);
        alone_.push_back(std::move(alone));
    }
    /// Updates until all are done; how many routes were complete.
    int finish(std::uint64_t units, std::vector<std::string>& wrong) {
        int complete = 0;
        for (int frames = 0; frames < 100000; ++frames) {
            const UpdateReport report = scheduler_->update({.units = units});
            EXPECT_LE(report.units, units);
            if (report.waiting + report.running == 0) break;
        }
        Route route;
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            const Result<void> done = scheduler_->take(ids_[i], route);
            const ErrorCode code = done ? ErrorCode::count_ : done.error().code;
            if (code != errors_[i]) wrong.push_back("another error");
            if (!done) continue;
            complete += route.status == PathStatus::complete ? 1 : 0;
            const std::string difference = route_difference(route, alone_[i]);
            if (!difference.empty()) wrong.push_back(difference);
        }
        return complete;
    }

  private:
    Scheduler* scheduler_;
    Scratch scratch_;
    std::vector<RequestId> ids_;
    std::vector<ErrorCode> errors_;
    std::vector<Route> alone_;
};

/// Lists that are gone when the search begins.
void ask_tiles_with_lists(Asked& asked, const Grid& grid, WorldId<GridSnapshot> id, Rng& rng) {
    std::vector<Blocker> blockers(3);
    for (Blocker& blocker : blockers) blocker = {.centre = place(rng), .radius = 0.7};
    const std::vector<double> factors{0.0, 1.0, 3.0};
    const std::vector<Vec2> goals{place(rng), place(rng)};
    const std::vector<std::uint8_t> threat(kSide * kSide, 2);
    asked.ask<GridSearch>(grid, id,
                          {.start = place(rng),
                           .goal = Goal::any_of(goals),
                           .terrain = {.factors = factors},
                           .blockers = blockers,
                           .influence = {.cells = threat, .weight = 2},
                           .reach = 3.0});
}

int ask_all(std::uint64_t seed, std::uint32_t threads, std::uint64_t units, std::uint64_t& digest,
            std::vector<std::string>& wrong) {
    Rng rng(seed);
    Worlds worlds(rng);
    Result<Scheduler> scheduler = Scheduler::make({.threads = threads, .searches_max = 5, .slice_units = 30});
    const auto grid = *scheduler->add_world(worlds.grid);
    const auto mesh = *scheduler->add_world(worlds.mesh);
    const auto net = *scheduler->add_world(worlds.net);
    const auto space = *scheduler->add_world(worlds.space);
    const auto map = *scheduler->add_world(worlds.map);
    Asked asked(*scheduler);
    for (int n = 0; n < 4; ++n) {
        const RequestOptions options{.priority = rng.below(16)};
        asked.ask<GridSearch>(worlds.grid, grid, {.start = place(rng), .goal = place(rng)}, options);
        ask_tiles_with_lists(asked, worlds.grid, grid, rng);
        const Vec2 from = place(rng), to = place(rng);
        asked.ask<MeshSearch>(worlds.mesh, mesh,
                              {.start = {from.x, from.y, 0.0}, .goal = Vec3{to.x, to.y, 0.0}}, options);
        asked.ask<RoadmapSearch>(worlds.net, net, {.start = place(rng), .goal = place(rng)});
        asked.ask<VolumeSearch>(worlds.space, space,
                                {.start = place3(rng, 24), .goal = place3(rng, 24), .reach = 9}, options);
        asked.ask<DriveSearch>(worlds.map, map, {.start = pose(rng), .goal = pose(rng)});
        asked.ask<TimedSearch>(worlds.map, map,
                               {.start = pose(rng), .goal = pose(rng), .times = &worlds.times}, options);
        asked.ask<MeshDriveSearch>(worlds.mesh, mesh,
                                   {.start = pose(rng), .goal = pose(rng), .table = &worlds.mesh_table});
        const Agent flyer{.radius = 0.3, .turning_radius = 2.0};
        const Vec3 a = place3(rng, 24), b = place3(rng, 24);
        asked.ask<FlySearch>(worlds.space, space,
                             {.start = {Position3(a), 0.3},
                              .goal = {Position3(b), 1.0},
                              .agent = flyer,
                              .expansions_max = 300},
                             options);
        asked.ask<GridSearch>(worlds.grid, grid,
                              {.start = place(rng), .goal = place(rng), .agent = {.radius = -1.0}});
    }
    const int complete = asked.finish(units, wrong);
    digest = scheduler->digest();
    return complete;
}

TEST(ScheduleWorlds, RoutesAreThoseOfFindRoute) {
    int complete = 0;
    std::uint64_t digest = 0;
    for (int seed = 0; seed < trials(2); ++seed) {
        for (const std::uint64_t units : {7ULL, 500ULL, 1000000ULL}) {
            std::vector<std::string> wrong;
            complete += ask_all(static_cast<std::uint64_t>(seed), 0, units, digest, wrong);
            EXPECT_TRUE(wrong.empty()) << wrong.size() << ", the first: " << wrong.front();
        }
    }
    if (all_trials()) {
        EXPECT_GT(complete, 100);
    }
}

TEST(ScheduleWorlds, AsManyThreadsAsYouLike) {
    std::vector<std::string> wrong;
    std::uint64_t one = 0;
    ask_all(77, 1, 900, one, wrong);
    for (const std::uint32_t threads : {2U, 3U, 8U, 16U}) {
        std::uint64_t digest = 0;
        ask_all(77, threads, 900, digest, wrong);
        EXPECT_EQ(digest, one) << threads;
    }
    EXPECT_TRUE(wrong.empty());
}

// A search on its way when its world is edited: finishes on its revision, or begins again on the newest.
TEST(ScheduleWorlds, EditsArePublished) {
    Grid town = *Grid::make({.width = 60, .height = 60});
    Result<Scheduler> scheduler = Scheduler::make();
    const auto id = *scheduler->add_world(town);
    const GridQuery query{
        .start = cell_centre(2, 30), .goal = cell_centre(57, 30), .planner = GridPlanner::dijkstra};
    const RequestId finishes = *scheduler->submit<GridSearch>(id, query);
    const RequestId restarts = *scheduler->submit<GridSearch>(id, query, {.on_edit = OnEdit::restart});
    const RequestId frozen = *scheduler->submit<GridSearch>(town, query);
    scheduler->update({.units = 600});
    ASSERT_EQ(scheduler->status(restarts), RequestStatus::running);
    ASSERT_TRUE(town.fill({{30, 0}, {31, 59}}, 0));
    ASSERT_TRUE(scheduler->publish(id, town));
    const RequestId later = *scheduler->submit<GridSearch>(id, query);
    scheduler->update({});
    Route route, again;
    ASSERT_TRUE(scheduler->take(finishes, route));
    ASSERT_TRUE(scheduler->take(restarts, again));
    EXPECT_LT(route.length, 56.0);
    EXPECT_GT(again.length, 70.0);
    EXPECT_LT(route.revision, again.revision);
    ASSERT_TRUE(scheduler->take(frozen, route));
    EXPECT_LT(route.length, 56.0);
    ASSERT_TRUE(scheduler->take(later, route));
    EXPECT_EQ(route_difference(route, again), "");
}

// With a first leg: a unit sets off on the way to the best place so far, and gets the whole way later.
TEST(ScheduleWorlds, FirstLegsComeFirst) {
    Grid town = *Grid::make({.width = 100, .height = 100});
    ASSERT_TRUE(town.fill({{50, 0}, {51, 95}}, 0));
    Result<Scheduler> scheduler = Scheduler::make({.searches_max = 2});
    const auto id = *scheduler->add_world(town);
    std::vector<RequestId> ids;
    for (int n = 0; n < 40; ++n) {
        const GridQuery query{.start = cell_centre(2, 2 + n),
                              .goal = cell_centre(95, 30),
                              .planner = GridPlanner::bucket_astar,
                              .partial = true};
        ids.push_back(*scheduler->submit<GridSearch>(id, query, {.first_leg_units = 100}));
    }
    UpdateReport report = scheduler->update({.units = 40 * 103});
    EXPECT_EQ(report.first_legs, 40U);
    Route route;
    for (const RequestId request : ids) {
        ASSERT_TRUE(scheduler->peek(request, route));
        EXPECT_FALSE(route.legs.empty());
        EXPECT_EQ(route.status, PathStatus::budget_spent);
        EXPECT_EQ(wait_advice(scheduler->info(request), false), WaitAdvice::follow);
    }
    scheduler->update({});
    for (const RequestId request : ids) {
        ASSERT_TRUE(scheduler->take(request, route));
        EXPECT_EQ(route.status, PathStatus::complete);
    }
}

// The same for queries that do not ask for the best way so far: the short search does; the whole one says what it always did.
TEST(ScheduleWorlds, FirstLegsOfQueriesThatDoNotAskForThem) {
    Grid town = *Grid::make({.width = 100, .height = 100});
    ASSERT_TRUE(town.fill({{50, 0}, {51, 95}}, 0) && town.fill({{80, 80}, {100, 81}}, 0) &&
                town.fill({{80, 80}, {81, 100}}, 0));
    Scratch scratch;
    for (const bool reached : {true, false}) {
        GridQuery query{.start = cell_centre(2, 30),
                        .goal = reached ? cell_centre(95, 30) : cell_centre(90, 90)};
        query.planner = GridPlanner::bucket_astar;
        Result<Scheduler> scheduler = Scheduler::make();
        const auto id = *scheduler->add_world(town);
        const RequestId request = *scheduler->submit<GridSearch>(id, query, {.first_leg_units = 100});
        Route first, route;
        int first_legs = 0;
        while (scheduler->status(request) != RequestStatus::done) {
            const UpdateReport report = scheduler->update({.units = 103});
            ASSERT_LE(report.units, 103U);
            first_legs += static_cast<int>(report.first_legs);
            if (report.first_legs == 0) continue;
            ASSERT_TRUE(scheduler->peek(request, first));
            EXPECT_FALSE(first.legs.empty());
            EXPECT_EQ(first.status, PathStatus::budget_spent);
        }
        EXPECT_EQ(first_legs,
                  1);  // of the unreachable one: toward the nearest place, until the whole search has said so
        ASSERT_TRUE(scheduler->take(request, route));
        const Result<Route> whole = find_route(town, query, scratch);
        ASSERT_TRUE(whole);
        EXPECT_EQ(whole->status, reached ? PathStatus::complete : PathStatus::unreachable);
        EXPECT_EQ(route_difference(route, *whole), "");
    }
}

// Over a hierarchy the short search ends where the way is found, whatever it was given; one that is too short for that leads some way.
TEST(ScheduleWorlds, OverAHierarchyAFirstLegIsThereAtOnce) {
    GridOptions options{.width = 1600, .height = 100};
    options.hierarchy = true;
    Grid land = *Grid::make(options);
    for (std::int32_t x = 60; x < 1540; x += 40)
        ASSERT_TRUE(land.fill({{x, x % 80 == 60 ? 0 : 20}, {x + 2, x % 80 == 60 ? 80 : 100}}, 0));
    const GridQuery query{.start = cell_centre(2, 30), .goal = cell_centre(1590, 30)};
    Scratch scratch;
    const Result<Route> whole = find_route(land, query, scratch);
    ASSERT_TRUE(whole);
    ASSERT_STREQ(whole->planner, "hierarchy");
    for (const std::uint64_t first_leg_units : {std::uint64_t{3}, std::uint64_t{100000}}) {
        Result<Scheduler> scheduler = Scheduler::make();
        const auto id = *scheduler->add_world(land);
        const RequestId request =
            *scheduler->submit<GridSearch>(id, query, {.first_leg_units = first_leg_units});
        Route first, route;
        while (scheduler->update({.units = 5}).first_legs == 0)
            ASSERT_NE(scheduler->status(request), RequestStatus::done);
        ASSERT_TRUE(scheduler->peek(request, first));
        ASSERT_FALSE(first.legs.empty());
        EXPECT_EQ(first.status, first_leg_units == 3 ? PathStatus::budget_spent : PathStatus::partial);
        EXPECT_LT(scheduler->info(request).units, whole->stats.expanded + 20);
        scheduler->update({});
        ASSERT_TRUE(scheduler->take(request, route));
        EXPECT_EQ(route_difference(route, *whole), "");
    }
}

}  // namespace
}  // namespace fairlead::testing
