// Upright capsules: ways, places and sight as those of a sphere in a world made taller, whose oracle is a flood of places 1/16 voxel apart;
// every way is looked at as a stack of spheres, too.
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <fairlead/drive/drive_table.h>
#include <fairlead/explain/explain.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/volume/nearest_free.h>
#include <fairlead/volume/repair.h>

#include "support/environment.h"
#include "support/plain_mesh.h"
#include "support/route_compare.h"
#include "support/taller_volume.h"
#include "support/test_allocator.h"
#include "volume/answers.h"
#include "volume/wide_check.h"
#include "volume/wide_route_check.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;

constexpr VolumeKind kTallKinds[] = {VolumeKind::noise, VolumeKind::sparse_noise, VolumeKind::rooms,
                                     VolumeKind::plates, VolumeKind::stairs};

/// Its ends stand `half` off the middle.
Agent capsule_of(double radius, double half) { return {.radius = radius, .height = 2.0 * (radius + half)}; }

bool still_legal(const Volume& space, Route& route, const VolumeQuery& query, Scratch& scratch,
                 const VoxelBox* changed = nullptr) {
    return revalidate(space, route, query, scratch, changed).value().legal;
}

/// Spheres one above the other along the whole route, in long double.
std::string stack_fault(const VolumeDense& world, const Route& route, const Agent& agent) {
    const double half = core_half_height(agent);
    for (int i = 0; i <= 16; ++i) {
        const Vec3 up{0.0, 0.0, half * (i - 8) / 8.0};
        for (std::size_t k = 0; k < route.legs.size(); ++k) {
            const Vec3 a = route.legs[k].start.position + up, b = leg_end(route, k).position + up;
            if (wide_room(world, a, b, agent.radius) < agent.radius - 1e-8L)
                return "leg " + std::to_string(k) + ", sphere " + std::to_string(i);
        }
    }
    return "";
}

struct TallTally {
    int complete = 0, unreachable = 0, must = 0, blocked = 0;
};

/// `tall`, `scale`: the oracle's world and how many of its voxels one of the world's has on a side.
std::string check_capsule(const VolumeDense& world, const Volume& space,
                          const oracle::VolumeRadius::Pair& pair, double scale, const Agent& agent,
                          Scratch& scratch, Route& route, TallTally& tally) {
    const VolumeQuery query{
        .start = pair.from * (1.0 / scale), .goal = pair.to * (1.0 / scale), .agent = agent};
    if (const Result<void> done = find_route_into(space, query, scratch, route); !done)
        return error_text(done.error()).c_str();
    const double widest = pair.radius / scale;
    switch (route.status) {
        case PathStatus::start_blocked:
        case PathStatus::goal_blocked: {
            ++tally.blocked;
            const Vec3 at =
                route.status == PathStatus::start_blocked ? query.start.position : query.goal.at.position;
            return fits(space, at, agent) ? "blocked where it fits" : "";
        }
        case PathStatus::unreachable:
            ++tally.unreachable;
            return widest >= agent.radius + 0.05
                       ? "unreachable, the oracle gets through with " + std::to_string(widest)
                       : "";
        case PathStatus::complete: break;
        default: return status_name(route.status);
    }
    ++tally.complete;
    tally.must += widest >= agent.radius + 0.05 ? 1 : 0;
    if (widest < agent.radius - oracle::kRadiusTooNarrow)
        return "found, the oracle gets through with " + std::to_string(widest);
    if (const Violation bad = judged(route, space, query)) return bad.text().c_str();
    if (const std::string bad = stack_fault(world, route, agent); !bad.empty()) return bad;
    const Result<Revalidation> still = revalidate(space, route, query, scratch);
    return still && still->legal ? "" : "revalidate says it is illegal";
}

void play_worlds(int worlds, std::int32_t side, bool halved, TallTally& tally) {
    Scratch scratch, other;
    Route route, sliced;
    for (int w = 0; w < worlds; ++w) {
        Rng rng(9100 + static_cast<std::uint64_t>(w) + (halved ? 500 : 0));
        const VolumeDense world = random_volume(rng, kTallKinds[w % 5], {side, side, side});
        const Volume space = make_volume(world);
        const std::int32_t by = 1 + static_cast<std::int32_t>(rng.below(halved ? 3 : 2));
        const double scale = halved ? 2.0 : 1.0;
        const VolumeDense tall = taller_volume(halved ? halved_volume(world) : world, by);
        for (const oracle::VolumeRadius::Pair& pair : draw_wide_pairs(rng, tall, 12)) {
            const double radius = draw_route_radius(rng, pair.radius, 2.5 * scale) / scale;
            const Agent agent = capsule_of(radius, by / scale);
            const std::string bad = check_capsule(world, space, pair, scale, agent, scratch, route, tally);
            ASSERT_EQ(bad, "") << "world " << w << ", radius " << radius << ", half " << by / scale;
            if (rng.below(4) != 0) continue;
            VolumeSearch search(
                space, {.start = pair.from * (1.0 / scale), .goal = pair.to * (1.0 / scale), .agent = agent},
                other);
            while (search.running()) search.step(1 + rng.below(50));
            ASSERT_TRUE(search.take(sliced));
            ASSERT_EQ(route_difference(sliced, route), "") << "world " << w;
        }
    }
}

TEST(Capsule, AgainstTheOracleOfAWorldMadeTaller) {
    TallTally tally;
    play_worlds(trials(5), 12, false, tally);
    if (!all_trials()) return;
    EXPECT_GT(tally.complete, 30);
    EXPECT_GT(tally.unreachable, 4);
    EXPECT_GT(tally.must, 20);
}

TEST(Capsule, OfHalfVoxelsToo) {
    TallTally tally;
    play_worlds(trials(3), 8, true, tally);
    if (!all_trials()) return;
    EXPECT_GT(tally.complete, 10);
    EXPECT_GT(tally.unreachable, 0);
}

/// A slot in a wall, 5 long and `high` voxels high.
Volume slot(std::int32_t high) {
    VolumeDense world({24, 16, 24});
    for (std::int32_t z = 0; z < 24; ++z) {
        for (std::int32_t y = 0; y < 16; ++y)
            world.set({12, y, z}, !(y >= 6 && y < 11 && z >= 8 && z < 8 + high));
    }
    return make_volume(world);
}

// As tall as the slot it passes, by a hair more it does not; lying down it would.
TEST(Capsule, PassesASlotThatIsAsHigh) {
    Scratch scratch;
    for (const std::int32_t high : {2, 3, 5, 8}) {
        const Volume space = slot(high);
        VolumeQuery query{.start = {5, 8.5, 12}, .goal = Vec3{19, 8, 12}};
        for (const double radius : {0.2, 0.5, 0.75, 1.0}) {
            for (const double more : {-0.5, -0.3, 0.0, 1e-3}) {
                query.agent = {.radius = radius, .height = high + more};
                if (query.agent.height < 2.0 * radius) continue;
                const Result<Route> route = find_route(space, query, scratch);
                ASSERT_TRUE(route) << error_text(route.error()).c_str();
                EXPECT_EQ(route->status, more > 0.0 ? PathStatus::unreachable : PathStatus::complete)
                    << high << " " << radius << " " << more;
                EXPECT_FALSE(judged(*route, space, query));
            }
        }
    }
}

// Verify judges the height: a way that a smaller one has is told, with the depth.
TEST(Capsule, VerifyMeasuresItsEnds) {
    Scratch scratch;
    const Volume space = slot(3);
    const VolumeQuery query{
        .start = {5, 8.5, 9.5}, .goal = Vec3{19, 8.5, 9.5}, .agent = {.radius = 0.5, .height = 3.0}};
    const Result<Route> route = find_route(space, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    ASSERT_FALSE(judged(*route, space, query));
    Violation bad = verify(*route, space, {.radius = 0.5, .height = 3.002});
    EXPECT_EQ(bad.kind, ViolationKind::wall);
    EXPECT_NEAR(bad.depth, 1e-3, 1e-6);
    bad = verify(*route, space, {.radius = 0.5, .height = 20.0});
    EXPECT_EQ(bad.kind, ViolationKind::off_world);
    // Thin against the slack, shorter than wide, no number.
    EXPECT_EQ(verify(*route, space, {.radius = 1e-9, .height = 1.0}).kind, ViolationKind::bad_argument);
    EXPECT_EQ(verify(*route, space, {.radius = 0.5, .height = 0.9}).kind, ViolationKind::bad_argument);
    EXPECT_EQ(verify(*route, space, {.radius = 0.5, .height = NAN}).kind, ViolationKind::bad_argument);
    const VolumeBlocker above[] = {VolumeBlocker::ball({12, 8.5, 11.5}, 0.55)};
    bad = verify(*route, space, query.agent, {.blockers = above});
    EXPECT_EQ(bad.kind, ViolationKind::blocker);
}

// Sight, and places, as those of a sphere in the taller world.
TEST(Capsule, SightIsThatOfASphereAmongTallerWalls) {
    Rng rng(31);
    int free = 0, blocked = 0;
    for (int w = 0; w < trials(20); ++w) {
        const VolumeDense world = random_volume(rng, kTallKinds[w % 5], {20, 20, 20});
        const Volume space = make_volume(world);
        const std::int32_t by = 1 + static_cast<std::int32_t>(rng.below(3));
        const Volume tall = make_volume(taller_volume(world, by));
        const auto place = [&] {
            const double x = rng.between(0.0, 20.0), y = rng.between(0.0, 20.0);
            return Vec3{x, y, rng.between(0.0, 20.0)};
        };
        for (int i = 0; i < 400; ++i) {
            const double radius = rng.between(0.01, 1.5);
            const Agent agent = capsule_of(radius, by);
            const Vec3 a = place(), b = place();
            ASSERT_EQ(fits(space, a, agent), fits(tall, a, radius)) << w << " " << i;
            ASSERT_EQ(in_sight(space, a, b, agent), in_sight(tall, a, b, radius)) << w << " " << i;
            ASSERT_EQ(in_sight(space, a, b, agent), in_sight(space, b, a, agent));
            const VolumeHit one = cast_ray(space, a, b, agent), other = cast_ray(tall, a, b, radius);
            ASSERT_EQ(one.blocked, other.blocked);
            ASSERT_NEAR(one.share, other.share, 1e-6);
            (one.blocked ? blocked : free) += 1;
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(blocked, 50);
    EXPECT_GT(free, 50);
}

TEST(Capsule, NearestAndRandomPlaces) {
    Rng rng(32);
    Scratch scratch, other;
    int found = 0;
    for (int w = 0; w < trials(10); ++w) {
        const VolumeDense world = random_volume(rng, kTallKinds[w % 5], {14, 14, 14});
        const Volume space = make_volume(world);
        const std::int32_t by = 1 + static_cast<std::int32_t>(rng.below(2));
        const Volume tall = make_volume(taller_volume(world, by));
        for (int i = 0; i < 10; ++i) {
            const double radius = rng.between(0.05, 1.0);
            Voxel v;
            if (!draw_free(rng, world, v)) break;
            VolumeFreeQuery ask{.place = world.centre(v), .agent = capsule_of(radius, by)};
            const Result<VolumeFree> got = nearest_free(space, ask, scratch);
            ask.agent = {.radius = radius};
            const Result<VolumeFree> want = nearest_free(tall, ask, other);
            ASSERT_TRUE(got && want);
            ASSERT_EQ(got->found, want->found);
            if (!got->found) continue;
            ++found;
            ASSERT_EQ(got->position, want->position);
            RandomPlaceQuery draw{.agent = capsule_of(radius, by), .connected = true, .from = got->position};
            Rng dice(7), same(7);
            const Result<VolumeFree> drawn = random_place(space, draw, dice, scratch);
            draw.agent = {.radius = radius};
            const Result<VolumeFree> expected = random_place(tall, draw, same, other);
            ASSERT_TRUE(drawn && expected);
            ASSERT_EQ(drawn->found, expected->found);
            if (drawn->found) {
                ASSERT_TRUE(fits(space, drawn->position, capsule_of(radius, by)));
            }
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(found, 10);
}

// Blockers above and below it: exact, and no farther than it is tall.
TEST(Capsule, KeepsOffBlockersAboveAndBelow) {
    const Volume space = make_volume(VolumeDense({32, 24, 24}));
    Scratch scratch;
    const Agent tall{.radius = 0.5, .height = 5.0};
    VolumeQuery query{.start = {4, 12, 12}, .goal = Vec3{28, 12, 12}, .agent = tall};
    for (const double gap : {0.0, -0.01, 0.01}) {
        const VolumeBlocker others[] = {VolumeBlocker::ball({16, 12, 12 + 2.5 + 1.0 + gap}, 1.0),
                                        VolumeBlocker::box({14, 2, 4}, {18, 22, 9.5 - gap})};
        query.blockers = others;
        const Result<Route> route = find_route(space, query, scratch);
        ASSERT_EQ(route->status, PathStatus::complete);
        EXPECT_FALSE(judged(*route, space, query));
        EXPECT_EQ(route->legs.size() == 1, gap >= 0.0) << gap;
        EXPECT_EQ(in_sight(space, {4, 12, 12}, {28, 12, 12}, tall, others), gap >= 0.0) << gap;
        EXPECT_EQ(fits(space, {16, 12, 12}, tall, others), gap >= 0.0) << gap;
        EXPECT_TRUE(fits(space, {16, 12, 12}, {.radius = 0.5, .height = 4.5}, others)) << gap;
        Result<Route> kept = find_route(space, query, scratch);
        EXPECT_TRUE(still_legal(space, *kept, query, scratch)) << gap;
    }
}

TEST(Capsule, RepairsWhatAnEditMakesTooLow) {
    VolumeDense world({40, 24, 24});
    Volume space = make_volume(world);
    Scratch scratch;
    const VolumeQuery query{
        .start = {4, 12, 12}, .goal = Vec3{36, 12, 12}, .agent = {.radius = 0.4, .height = 6.0}};
    Result<Route> route = find_route(space, query, scratch);
    ASSERT_EQ(route->legs.size(), 1U);
    // Above its head by a hair, then into it: the box of the edit is farther from the line than the radius is.
    const VoxelBox far{{18, 10, 15}, {22, 14, 18}}, near{{18, 10, 14}, {22, 14, 15}};
    ASSERT_TRUE(space.apply(VolumeEdit::fill(far)));
    EXPECT_TRUE(still_legal(space, *route, query, scratch, &far));
    ASSERT_TRUE(space.apply(VolumeEdit::fill(near)));
    EXPECT_FALSE(still_legal(space, *route, query, scratch, &near));
    ASSERT_TRUE(repair(space, *route, query, scratch));
    EXPECT_EQ(route->status, PathStatus::complete);
    EXPECT_FALSE(judged(*route, space, query));
}

TEST(Capsule, WhyThereIsNoWay) {
    const Volume space = slot(3);
    Scratch scratch;
    VolumeQuery query{
        .start = {5, 8.5, 12}, .goal = Vec3{19, 8.5, 12}, .agent = {.radius = 0.6, .height = 4.0}};
    Result<Explanation> why = explain(space, query, scratch);
    ASSERT_TRUE(why);
    EXPECT_EQ(why->reason, ExplainReason::too_wide);
    const Help& smaller = why->help(HelpKind::smaller_body);
    ASSERT_EQ(smaller.proof, Proof::found);
    // 3 of 4, to 0.05 of a voxel at each end.
    EXPECT_NEAR(smaller.value, 0.75, 0.026);
    EXPECT_LE(smaller.value, 0.75 + 1e-9);
    EXPECT_FALSE(verify(smaller.route, space, smaller.agent));
    EXPECT_NE(std::string(why->text().c_str()).find("body <= 0.7"), std::string::npos) << why->text().c_str();
    ASSERT_TRUE(why->has_place);
    EXPECT_NEAR(why->place.position.x, 12.5, 1.5);
    // An end that is too low.
    query.start = {12.5, 8.5, 9.5};
    why = explain(space, query, scratch);
    ASSERT_TRUE(why);
    EXPECT_EQ(why->reason, ExplainReason::start_blocked);
    EXPECT_TRUE(why->has_voxel);
    EXPECT_TRUE(why->help(HelpKind::move_start).has_place);
    EXPECT_EQ(why->help(HelpKind::smaller_body).proof, Proof::found);
}

TEST(Capsule, HeightsThatAreNone) {
    const Volume space = slot(3);
    Scratch scratch;
    VolumeQuery query{.start = {5, 8, 12}, .goal = Vec3{19, 8, 12}};
    const auto error = [&](Agent agent) {
        query.agent = agent;
        const Result<Route> route = find_route(space, query, scratch);
        return route ? Error{} : route.error();
    };
    EXPECT_EQ(error({.radius = 1.0, .height = 1.9}), (Error{ErrorCode::out_of_range, Field::agent_height}));
    EXPECT_EQ(error({.radius = 1.0, .height = -1.0}), (Error{ErrorCode::out_of_range, Field::agent_height}));
    EXPECT_EQ(error({.radius = 1.0, .height = NAN}), (Error{ErrorCode::not_finite, Field::agent_height}));
    EXPECT_EQ(error({.radius = 0.0, .height = 1.0}), (Error{ErrorCode::out_of_range, Field::agent_radius}));
    EXPECT_EQ(error({.radius = 1e-4, .height = 1.0}), (Error{ErrorCode::out_of_range, Field::agent_radius}));
    // Taller than the world, and than any number.
    query.agent = {.radius = 0.5, .height = 1e300};
    EXPECT_EQ(status_of(space, query, scratch), PathStatus::start_blocked);
    query.agent = {.radius = 0.5, .height = 25.0};
    EXPECT_EQ(status_of(space, query, scratch), PathStatus::start_blocked);
    // Twice the radius is the sphere.
    query.agent = {.radius = 0.7, .height = 1.4};
    const Result<Route> one = find_route(space, query, scratch);
    query.agent = {.radius = 0.7};
    const Result<Route> other = find_route(space, query, scratch);
    EXPECT_EQ(route_difference(*one, *other), "");
    // From voxel to voxel only what is within half of one.
    query.planner = VolumePlanner::astar;
    EXPECT_EQ(error({.radius = 0.3, .height = 1.2}), (Error{ErrorCode::unsupported, Field::agent_height}));
    query.agent = {.radius = 0.3, .height = 1.0};
    EXPECT_EQ(status_of(space, query, scratch), PathStatus::complete);
}

// On flat ground, and of units that turn, a height is refused by name.
TEST(Capsule, NoHeightElsewhere) {
    const Error refused{ErrorCode::unsupported, Field::agent_height};
    const Agent walker{.radius = 0.3, .height = 2.0},
        tank{.radius = 0.3, .turning_radius = 2.0, .height = 2.0};
    Scratch scratch;
    const Grid grid = Grid::make({.width = 8, .height = 8}).value();
    EXPECT_EQ(
        find_route(grid, GridQuery{.start = {1, 1}, .goal = Vec2{6, 6}, .agent = walker}, scratch).error(),
        refused);
    const Roadmap roads = Roadmap::make({}).value();
    EXPECT_EQ(find_route(roads, RoadmapQuery{.start = {1, 1}, .goal = Vec2{6, 6}, .agent = walker}, scratch)
                  .error(),
              refused);
    PlainMesh square;
    square.vertices = {{0, 0, 0}, {8, 0, 0}, {8, 8, 0}, {0, 8, 0}};
    square.polygons = {{0, 1, 2, 3}};
    const NavMesh mesh = square.make();
    EXPECT_EQ(
        find_route(mesh, MeshQuery{.start = {1, 1}, .goal = Vec2{6, 6}, .agent = walker}, scratch).error(),
        refused);
    const Result<DriveTable> table = DriveTable::make({.agent = tank});
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error(), refused);
}

// No allocation once a query has been answered.
TEST(Capsule, Memory) {
    Rng rng(93);
    const VolumeDense world = random_volume(rng, VolumeKind::rooms, {24, 24, 24});
    const Volume space = make_volume(world);
    TestAllocator memory;
    Scratch scratch(memory.allocator());
    Route route{};
    std::vector<VolumeQuery> queries;
    for (int i = 0; i < 400 && queries.size() < 30; ++i) {
        Voxel from, to;
        if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) break;
        const Agent agent = capsule_of(rng.between(0.2, 1.0), rng.between(0.1, 1.5));
        if (!fits(space, world.centre(from), agent) || !fits(space, world.centre(to), agent)) continue;
        queries.push_back({.start = world.centre(from), .goal = world.centre(to), .agent = agent});
    }
    ASSERT_GT(queries.size(), 5U);
    for (const VolumeQuery& query : queries) ASSERT_TRUE(find_route_into(space, query, scratch, route));
    const std::int64_t calls = memory.calls;
    for (const VolumeQuery& query : queries) ASSERT_TRUE(find_route_into(space, query, scratch, route));
    EXPECT_EQ(memory.calls, calls);
}

}  // namespace
}  // namespace fairlead::testing
