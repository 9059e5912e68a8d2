// Routes through random volumes: found where the plain array says that there is a way, legal by verify, short by the reference, and the
// same in slices.
#include <atomic>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <fairlead/formats/file.h>
#include <fairlead/formats/voxel_map.h>
#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/sight.h>

#include "oracle/volume_reference.h"
#include "support/environment.h"
#include "support/route_compare.h"
#include "support/test_allocator.h"
#include "support/volumes.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;

// One query judged: its status by the components, its route by verify, its ends by what was asked.
void judge(const VolumeDense& world, const std::vector<std::int32_t>& components, const Volume& made,
           const VolumeQuery& query, Voxel from, Voxel to, const Route& route) {
    const bool joined = components[world.index(from)] == components[world.index(to)];
    ASSERT_EQ(route.status, joined ? PathStatus::complete : PathStatus::unreachable);
    const Violation bad = verify(route, made, query.agent);
    ASSERT_FALSE(bad) << bad.text().c_str();
    if (!joined) return;
    ASSERT_EQ(route.end.position, query.goal.at.position);
    if (query.start.position == query.goal.at.position) {
        ASSERT_TRUE(route.legs.empty());
        return;
    }
    ASSERT_FALSE(route.legs.empty());
    ASSERT_EQ(route.legs[0].start.position, query.start.position);
    ASSERT_EQ(route.cost, route.line_cost);
}

TEST(VolumeRoute, FoundWhereThereIsAWayAndLegal) {
    Rng rng(21);
    Scratch scratch, other;
    int complete = 0, cut_off = 0, guided = 0;
    for (int i = 0; i < trials(700); ++i) {
        const VolumeDense world = any_volume(rng, i % 6 == 0 ? 70 : 30);
        const Volume made = make_volume(world);
        const std::vector<std::int32_t> components = oracle::volume_components(world);
        const double side = std::min({world.voxel.x, world.voxel.y, world.voxel.z});
        for (int k = 0; k < 6; ++k) {
            Voxel from, to;
            if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) break;
            VolumeQuery query{.start = draw_place(rng, world, from), .goal = draw_place(rng, world, to)};
            if (rng.below(3) == 0) {
                query.agent.radius = rng.below(2) == 0 ? 0.5 * side : rng.between(0.01, 0.5) * side;
                query.start = world.centre(from);
                query.goal = world.centre(to);
            }
            query.smooth = rng.below(8) != 0;
            const Result<Route> route = find_route(made, query, scratch);
            ASSERT_TRUE(route) << error_text(route.error()).c_str();
            judge(world, components, made, query, from, to, *route);
            ASSERT_FALSE(HasFatalFailure()) << "world " << i << ", query " << k;
            complete += route->status == PathStatus::complete ? 1 : 0;
            cut_off += route->status == PathStatus::unreachable ? 1 : 0;
            guided += route->stats.expanded > 120 ? 1 : 0;

            VolumeSearch slices(made, query, other);
            while (slices.running()) {
                const std::uint64_t asked = 1 + rng.below(30);
                const std::uint64_t used = slices.step(asked);
                ASSERT_TRUE(used >= 1 && used <= asked + 16) << used << " of " << asked;
            }
            Route sliced;
            ASSERT_TRUE(slices.take(sliced));
            ASSERT_EQ(route_difference(sliced, *route), "") << "world " << i << ", query " << k;
        }
    }
    if (all_trials()) {
        EXPECT_GT(complete, 1500);
        EXPECT_GT(cut_off, 100);
        EXPECT_GT(guided, 5);
    }
}

// Against Theta* over all voxels and bends moved until none makes the way shorter.
TEST(VolumeRoute, AboutAsShortAsTheReference) {
    Rng rng(22);
    Scratch scratch;
    double sum = 0.0, reference = 0.0;
    int routes = 0, long_ones = 0;
    for (int i = 0; i < trials(150); ++i) {
        VolumeDense world = random_volume(rng, static_cast<VolumeKind>(rng.below(9)), {40, 40, 40});
        const Volume made = make_volume(world);
        for (int k = 0; k < 3; ++k) {
            Voxel from, to;
            if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) break;
            const Result<Route> route =
                find_route(made, VolumeQuery{.start = world.centre(from), .goal = world.centre(to)}, scratch);
            ASSERT_TRUE(route);
            if (route->status != PathStatus::complete || route->cost == 0.0) continue;
            const double best = oracle::reference_way(world, from, to).length();
            ASSERT_GT(best, 0.0);
            ++routes;
            sum += route->cost;
            reference += best;
            long_ones += route->cost > 1.25 * best ? 1 : 0;
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(routes, 250);
    EXPECT_LT(sum, 1.03 * reference);
    EXPECT_LT(long_ones, routes / 50);
}

TEST(VolumeRoute, SpecialCases) {
    VolumeDense world({12, 12, 12});
    for (std::int32_t i = 0; i < 144; ++i) world.set({6, i % 12, i / 12}, true);  // a wall
    Volume made = make_volume(world);
    Scratch scratch;
    const auto status = [&](const VolumeQuery& query) {
        const Result<Route> route = find_route(made, query, scratch);
        EXPECT_TRUE(route);
        EXPECT_TRUE(route->status == PathStatus::complete || route->legs.empty());
        return route ? route->status : PathStatus::count_;
    };
    const Vec3 left{2.5, 2.5, 2.5}, right{9.5, 9.5, 9.5};
    EXPECT_EQ(status({.start = left, .goal = left}), PathStatus::complete);
    EXPECT_EQ(status({.start = left, .goal = right}), PathStatus::unreachable);
    EXPECT_EQ(status({.start = Vec3{6.5, 2, 2}, .goal = right}), PathStatus::start_blocked);
    EXPECT_EQ(status({.start = left, .goal = Vec3{6.5, 2, 2}}), PathStatus::goal_blocked);
    EXPECT_EQ(status({.start = Vec3{-1, 2, 2}, .goal = left}), PathStatus::off_world);
    EXPECT_EQ(status({.start = left, .goal = Vec3{2, 2, 12.001}}), PathStatus::off_world);
    EXPECT_EQ(status({.start = left, .goal = Vec3{1e300, 2, 2}}), PathStatus::off_world);
    EXPECT_EQ(status({.start = Vec3{0.2, 2, 2}, .goal = left, .agent = {.radius = 0.4}}),
              PathStatus::start_blocked);
    // Moved to where it can be.
    EXPECT_EQ(status({.start = Vec3{-1, 2, 2}, .goal = left, .reach = 2.0}), PathStatus::complete);
    EXPECT_EQ(status({.start = Vec3{-1, 2, 2}, .goal = left, .reach = 1.0}), PathStatus::off_world);
    EXPECT_EQ(status({.start = left, .goal = Vec3{6.4, 2, 2}, .reach = 2.0}), PathStatus::complete);
    EXPECT_EQ(
        status({.start = left, .goal = Vec3{1e6, 2, 2}, .reach = std::numeric_limits<double>::infinity()}),
        PathStatus::unreachable);
    // A hole of one voxel; a sphere of its width goes through.
    ASSERT_TRUE(made.apply(VolumeEdit::clear({{6, 5, 5}, {7, 6, 6}})));
    for (const double radius : {0.0, 0.25, 0.5})
        EXPECT_EQ(status({.start = left, .goal = right, .agent = {.radius = radius}}), PathStatus::complete);
    // Along the wall, touching it, and from a corner of the bounds.
    EXPECT_EQ(status({.start = Vec3{6, 0, 0}, .goal = Vec3{6, 12, 12}}), PathStatus::complete);
    EXPECT_EQ(status({.start = Vec3{0, 0, 0}, .goal = Vec3{12, 12, 12}}), PathStatus::complete);
}

TEST(VolumeRoute, BadQueries) {
    const Volume made = make_volume(VolumeDense({12, 12, 12}));
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    Scratch scratch;
    const auto refused = [&](auto change, const Error& wanted) {
        VolumeQuery query{.start = {2, 2, 2}, .goal = Vec3{9, 9, 9}};
        change(query);
        Route route;
        ASSERT_TRUE(
            find_route_into(made, VolumeQuery{.start = {2, 2, 2}, .goal = Vec3{9, 9, 9}}, scratch, route));
        const Result<void> done = find_route_into(made, query, scratch, route);
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error(), wanted) << error_text(done.error()).c_str();
        EXPECT_TRUE(route.legs.empty());
    };
    for (const double bad : {nan, inf, -inf}) {
        refused([&](VolumeQuery& q) { q.start = Vec3{2, bad, 2}; }, {ErrorCode::not_finite, Field::start});
        refused([&](VolumeQuery& q) { q.goal = Vec3{2, 2, bad}; }, {ErrorCode::not_finite, Field::goal});
        refused([&](VolumeQuery& q) { q.agent.radius = bad; }, {ErrorCode::not_finite, Field::agent_radius});
    }
    refused([&](VolumeQuery& q) { q.reach = nan; }, {ErrorCode::not_finite, Field::reach});
    refused([](VolumeQuery& q) { q.reach = -1.0; }, {ErrorCode::out_of_range, Field::reach});
    refused([](VolumeQuery& q) { q.start = Spot::cell(1, 1, 0); }, {ErrorCode::unsupported, Field::start});
    refused([](VolumeQuery& q) { q.goal = WaypointId{3}; }, {ErrorCode::unsupported, Field::goal});
    refused(
        [](VolumeQuery& q) {
            q.goal = Goal::in_sight({9, 9, 9}, 1.0);
        },
        {ErrorCode::unsupported, Field::goal});
    refused(
        [&](VolumeQuery& q) {
            q.goal = Goal::within({9, 9, 9}, nan);
        },
        {ErrorCode::not_finite, Field::goal_range});
    refused(
        [](VolumeQuery& q) {
            q.goal = Goal::within({9, 9, 9}, -1.0);
        },
        {ErrorCode::out_of_range, Field::goal_range});
    const std::vector<Vec3> none, bad{{1, 1, 1}, {1, nan, 1}};
    refused([&](VolumeQuery& q) { q.goal = Goal::any_of(none); }, {ErrorCode::size_zero, Field::goal_list});
    refused([&](VolumeQuery& q) { q.goal = Goal::any_of(bad); },
            {ErrorCode::not_finite, Field::goal_list, 1, 0});
    refused([](VolumeQuery& q) { q.goal.kind = static_cast<Goal::Kind>(9); },
            {ErrorCode::out_of_range, Field::goal, 9});
    refused([](VolumeQuery& q) { q.planner = VolumePlanner::count_; },
            {ErrorCode::out_of_range, Field::planner, static_cast<std::int64_t>(VolumePlanner::count_)});
    refused([](VolumeQuery& q) { q.neighbours = VoxelNeighbours::count_; },
            {ErrorCode::out_of_range, Field::neighbours, 3});
    refused([](VolumeQuery& q) { q.heuristic = VolumeHeuristic::count_; },
            {ErrorCode::out_of_range, Field::heuristic, 3});
    refused([](VolumeQuery& q) { q.agent = {.radius = 0.5, .turning_radius = 2.0}; },
            {ErrorCode::unsupported, Field::agent_turning_radius});
    refused([](VolumeQuery& q) { q.agent = {.shape = BodyShape::box, .length = 1.0, .width = 1.0}; },
            {ErrorCode::unsupported, Field::agent_shape});
    refused([](VolumeQuery& q) { q.agent = {.footprint = 2}; },
            {ErrorCode::incompatible, Field::agent_footprint});
    refused([](VolumeQuery& q) { q.agent.radius = -1.0; }, {ErrorCode::out_of_range, Field::agent_radius});
    refused([](VolumeQuery& q) { q.agent.radius = 0.51, q.planner = VolumePlanner::dijkstra; },
            {ErrorCode::unsupported, Field::agent_radius});
}

// With the budget spent the way leads to the place nearest the goal so far; more budget does not end farther away.
TEST(VolumeRoute, BestSoFar) {
    Rng rng(23);
    Scratch scratch;
    int legs = 0;
    for (int i = 0; i < trials(120); ++i) {
        const VolumeDense world =
            random_volume(rng, i % 2 == 0 ? VolumeKind::rooms : VolumeKind::tunnels, {48, 48, 32});
        const Volume made = make_volume(world);
        Voxel from, to;
        if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) continue;
        VolumeQuery query{.start = world.centre(from), .goal = world.centre(to), .partial = true};
        for (const std::uint64_t budget : {0U, 1U, 5U, 20U, 60U, 110U, 300U}) {
            query.expansions_max = budget;
            const Result<Route> route = find_route(made, query, scratch);
            ASSERT_TRUE(route);
            ASSERT_LE(route->stats.expanded, budget);
            const Violation bad = verify(*route, made, query.agent);
            ASSERT_FALSE(bad) << bad.text().c_str();
            if (route->status != PathStatus::budget_spent) continue;
            legs += route->legs.empty() ? 0 : 1;
            ASSERT_LE(distance(route->end.position, query.goal.at.position),
                      distance(query.start.position, query.goal.at.position) + 1e-9);
        }
        const std::atomic<bool> stop{true};
        const Result<Route> cancelled = find_route(made, query, scratch, {.cancel = &stop});
        ASSERT_TRUE(cancelled);
        ASSERT_EQ(cancelled->stats.expanded, 0U);
    }
    if (all_trials()) {
        EXPECT_GT(legs, 50);
    }
}

TEST(VolumeRoute, WarmQueriesAllocateNothing) {
    Rng rng(24);
    const VolumeDense world = random_volume(rng, VolumeKind::rooms, {60, 60, 60});
    const Volume made = make_volume(world);
    TestAllocator memory;
    Scratch scratch(memory.allocator());
    Route route;
    route.legs = Array<Leg>(memory.allocator());
    std::vector<VolumeQuery> queries;
    for (int i = 0; i < 40; ++i) {
        Voxel from, to;
        ASSERT_TRUE(draw_free(rng, world, from) && draw_free(rng, world, to));
        queries.push_back({.start = world.centre(from),
                           .goal = world.centre(to),
                           .agent = {.radius = i % 2 == 0 ? 0.0 : 0.5}});
    }
    std::int64_t before = 0;
    for (int round = 0; round < 2; ++round) {
        before = memory.calls;
        for (const VolumeQuery& query : queries) ASSERT_TRUE(find_route_into(made, query, scratch, route));
    }
    EXPECT_EQ(memory.calls, before);
    // Wherever memory ends, the next call works.
    for (std::int64_t n = 0; n < 60; ++n) {
        scratch.free_memory();
        memory.fail_after(n, true);
        const Result<void> done =
            find_route_into(made, queries[static_cast<std::size_t>(n) % queries.size()], scratch, route);
        if (!done) {
            ASSERT_EQ(done.error().code, ErrorCode::out_of_memory);
        }
        (void)memory.feed();
        ASSERT_TRUE(
            find_route_into(made, queries[static_cast<std::size_t>(n) % queries.size()], scratch, route));
    }
}

// The published maps, every 100th line: none fails, none is illegal, none is longer than 1.10 of the published length over voxels' middles.
TEST(VolumeRoute, PublishedMaps) {
    const struct {
        const char* name;
        double most;  ///< mean length, of the published
    } maps[] = {{"Simple", 0.93}, {"Complex", 0.96}, {"DA1", 0.95},          {"A1", 0.95},
                {"Full1", 0.95},  {"BA1", 0.95},     {"guardian-256", 0.96}, {"tunnels-256", 1.0}};
    Scratch scratch;
    Route route;
    for (const auto& map : maps) {
        FAIRLEAD_REQUIRE_DATA(map_path, std::string("voxels/") + map.name + ".3dmap.gz");
        FAIRLEAD_REQUIRE_DATA(scenario_path, std::string("voxels/") + map.name + ".3dmap.3dscen.gz");
        const Result<std::string> map_text = formats::load_file(map_path),
                                  scenario_text = formats::load_file(scenario_path);
        ASSERT_TRUE(map_text && scenario_text);
        const Result<formats::VoxelMap> voxels = formats::load_voxel_map(*map_text);
        const Result<formats::VoxelScenario> scenario = formats::load_voxel_scenario(*scenario_text);
        ASSERT_TRUE(voxels && scenario);
        const Result<Volume> made = Volume::make(voxels->volume_options());
        ASSERT_TRUE(made);
        const std::size_t step = scenario->queries.size() < 100 ? 1 : 100;
        double sum = 0.0;
        int lines = 0;
        for (std::size_t i = 0; i < scenario->queries.size(); i += step) {
            const formats::VoxelQuery& line = scenario->queries[i];
            const VolumeQuery query{.start = made->state().centre(line.start),
                                    .goal = made->state().centre(line.goal)};
            ASSERT_TRUE(find_route_into(*made, query, scratch, route));
            ASSERT_EQ(route.status, PathStatus::complete) << map.name << ", line " << i;
            const Violation bad = verify(route, *made, query.agent);
            ASSERT_FALSE(bad) << map.name << ", line " << i << ": " << bad.text().c_str();
            ASSERT_LE(route.cost, 1.10 * line.optimal) << map.name << ", line " << i;
            sum += route.cost / line.optimal;
            ++lines;
        }
        EXPECT_LE(sum / lines, map.most) << map.name;
    }
}

}  // namespace
}  // namespace fairlead::testing
