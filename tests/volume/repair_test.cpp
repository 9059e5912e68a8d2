// revalidate and repair after random edits, against distances to every solid voxel; the route index against them.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/repair.h>
#include <fairlead/volume/sight.h>

#include "oracle/volume_room.h"
#include "support/environment.h"
#include "support/route_compare.h"
#include "support/test_allocator.h"
#include "support/volume_routes.h"
#include "support/volumes.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;

VolumeEdit draw_edit(Rng& rng, const VolumeDense& world, const Route* in_the_way) {
    Voxel at{rng.between(0, world.size.x - 1), rng.between(0, world.size.y - 1),
             rng.between(0, world.size.z - 1)};
    if (in_the_way != nullptr && !in_the_way->legs.empty()) {
        const std::size_t i = rng.below(static_cast<std::uint32_t>(in_the_way->legs.size()));
        const Vec3 a = in_the_way->legs[i].start.position, b = leg_end(*in_the_way, i).position;
        const double share = rng.unit();
        const Vec3 p = a + (b - a) * share - world.origin;
        at = {static_cast<std::int32_t>(p.x / world.voxel.x), static_cast<std::int32_t>(p.y / world.voxel.y),
              static_cast<std::int32_t>(p.z / world.voxel.z)};
    }
    const bool solid = rng.below(3) != 0;
    if (rng.below(4) == 0)
        return VolumeEdit::ball(world.centre(at), rng.between(0.0, 2.5) * world.voxel.x, solid);
    const std::int32_t x = rng.between(1, 3), y = rng.between(1, 3), z = rng.between(1, 3);
    const VoxelBox box{at, {at.x + x, at.y + y, at.z + z}};
    return solid ? VolumeEdit::fill(box) : VolumeEdit::clear(box);
}

void edit_model(VolumeDense& world, const VolumeEdit& edit) {
    for (std::size_t i = 0; i < world.solid.size(); ++i) {
        const Voxel v = world.at(i);
        const bool in = edit.kind == VolumeEdit::Kind::box
                            ? edit.voxels.contains(v)
                            : distance(world.centre(v), edit.centre) <= edit.radius;
        if (in) world.set(v, edit.solid);
    }
}

// 1: the leg keeps off everything; -1: it does not; 0: it is so near that rounding decides.
int judge_leg(const VolumeDense& world, const Leg& leg, Vec3 end, double radius) {
    const double side = std::min({world.voxel.x, world.voxel.y, world.voxel.z});
    if (radius == 0.0 && oracle::clear_of_all(world, leg.start.position, end)) return 1;
    const long double room = oracle::leg_room(world, leg, 6);
    if (radius == 0.0) return room > 1e-6L * side ? 1 : room < -1e-6L * side ? -1 : 0;
    const long double more = room - radius;
    return more > 1e-6L * side ? 1 : more < -1e-6L * side ? -1 : 0;
}

struct Counts {
    int legal = 0, broken = 0, mended = 0, kept = 0, cut_off = 0, boxed = 0;
};

void one_world(Rng& rng, Counts& counts) {
    VolumeDense world = any_volume(rng, 10);
    Volume made = make_volume(world);
    const double side = std::min({world.voxel.x, world.voxel.y, world.voxel.z});
    Scratch scratch;
    RouteIndex index = *RouteIndex::make({.bucket = rng.between(0.5, 6.0) * side, .space = true});
    Voxel from, to;
    if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) return;
    VolumeQuery query{.start = draw_place(rng, world, from), .goal = draw_place(rng, world, to)};
    if (rng.below(2) == 0) {
        query.agent.radius = rng.between(0.05, 0.5) * side;
        query.start = world.centre(from);
        query.goal = world.centre(to);
    }
    query.smooth = rng.below(4) != 0;
    query.planner =
        rng.below(4) == 0 && world.voxel == Vec3{1, 1, 1} ? VolumePlanner::astar : VolumePlanner::any_angle;
    Result<Route> found = find_route(made, query, scratch);
    ASSERT_TRUE(found);
    if (found->status != PathStatus::complete) return;
    Route& route = *found;
    for (int round = 0; round < 5; ++round) {
        // As it is, it is legal.
        Result<Revalidation> still = revalidate(made, route, query, scratch);
        ASSERT_TRUE(still && still->legal) << "round " << round;
        ASSERT_TRUE(index.insert(route, 5, query.agent.radius));
        const VolumeEdit edit = draw_edit(rng, world, rng.below(4) != 0 ? &route : nullptr);
        const VoxelBox box = changed_voxels(made, edit);
        ASSERT_TRUE(made.apply(edit));
        edit_model(world, edit);

        const std::vector<Leg> before(route.legs.begin(), route.legs.end());
        still = revalidate(made, route, query, scratch);
        ASSERT_TRUE(still);
        std::int64_t first = -1, last = -1;
        bool sure = true;
        for (std::size_t i = 0; i < before.size(); ++i) {
            const int good = judge_leg(world, before[i], leg_end(route, i).position, query.agent.radius);
            sure = sure && good != 0;
            if (good >= 0) continue;
            first = first < 0 ? static_cast<std::int64_t>(i) : first;
            last = static_cast<std::int64_t>(i);
        }
        // A point is asked by sight, verify and what it may touch.
        const Violation bad = verify(route, made, query.agent, {.check_revision = false});
        ASSERT_TRUE(!still->legal || !bad) << bad.text().c_str();
        if (query.agent.radius > 0.0 && sure && !before.empty()) {
            ASSERT_EQ(still->legal, first < 0);
            ASSERT_EQ(still->first_bad, first);
            ASSERT_EQ(still->last_bad, last);
        }
        if (query.agent.radius == 0.0 && bad) {
            ASSERT_FALSE(still->legal);
        }
        // Where only the edit has changed something, its box is enough; and the index names the route.
        Route copy = space_line({Vec3{}, Vec3{}});
        copy.legs.clear();
        ASSERT_TRUE(copy.legs.assign(route.legs.span()));
        copy.status = route.status;
        copy.end = route.end;
        const Result<Revalidation> near = revalidate(made, copy, query, scratch, &box);
        ASSERT_TRUE(near);
        ASSERT_EQ(*near, *still);
        Array<std::uint64_t> ids;
        if (!box.empty()) {
            ASSERT_TRUE(index.touched(touched_box(made, box), ids));
        }
        ASSERT_TRUE(still->legal || ids.size() == 1);
        counts.boxed += ids.empty() ? 1 : 0;
        ++(still->legal ? counts.legal : counts.broken);
        if (still->legal) {
            ASSERT_EQ(route.revision, made.state().revision());
        }

        const Vec3 start = before.empty() ? route.end.position : before[0].start.position;
        const Vec3 end = route.end.position;
        const Revalidation was = *still;
        ASSERT_TRUE(repair(made, route, query, scratch));
        VolumeQuery whole = query;
        whole.start = start;
        whole.goal = end;
        const Result<Route> anew = find_route(made, whole, scratch);
        ASSERT_TRUE(anew);
        if (anew->status == PathStatus::complete) {
            ASSERT_EQ(route.status, PathStatus::complete);
        }
        const Violation illegal = verify(route, made, query.agent);
        ASSERT_FALSE(illegal) << illegal.text().c_str();
        if (route.status != PathStatus::complete) {
            ASSERT_EQ(route.status, anew->status);
            ++counts.cut_off;
            return;
        }
        ASSERT_EQ(route.legs.empty() ? route.end.position : route.legs[0].start.position, start);
        ASSERT_EQ(route.end.position, end);
        if (was.legal) continue;
        ++counts.mended;
        const auto same_front = static_cast<std::int64_t>(
            std::mismatch(before.begin(), before.end(), route.legs.begin(), route.legs.end()).first -
            before.begin());
        counts.kept += was.first_bad > 0 && same_front >= was.first_bad ? 1 : 0;
        query.goal = end;
    }
}

TEST(VolumeRepair, RoutesAfterEdits) {
    Rng rng(51);
    Counts counts;
    for (int i = 0; i < trials(250); ++i) {
        one_world(rng, counts);
        ASSERT_FALSE(HasFatalFailure()) << "world " << i;
    }
    if (all_trials()) {
        EXPECT_GT(counts.legal, 100);
        EXPECT_GT(counts.broken, 80);
        EXPECT_GT(counts.mended, 60);
        EXPECT_GT(counts.kept, 10);
        EXPECT_GT(counts.cut_off, 10);
        EXPECT_GT(counts.boxed, 10);
    }
}

Revalidation look(const Volume& made, Route& route, const VolumeQuery& query, Scratch& scratch,
                  const VoxelBox* changed = nullptr) {
    const Result<Revalidation> got = revalidate(made, route, query, scratch, changed);
    EXPECT_TRUE(got);
    return got ? *got : Revalidation{};
}

// A wall with one door: shut, there is no way; the start walled in; what is whole is left alone.
TEST(VolumeRepair, SpecialCases) {
    VolumeDense world({20, 9, 9});
    for (std::int32_t i = 0; i < 81; ++i) world.set({10, i % 9, i / 9}, i != 40);
    Volume made = make_volume(world);
    Scratch scratch;
    const VolumeQuery query{.start = {2.5, 2.5, 2.5}, .goal = Vec3{17.5, 6.5, 6.5}, .agent = {.radius = 0.4}};
    Result<Route> route = find_route(made, query, scratch);
    ASSERT_TRUE(route && route->status == PathStatus::complete);
    const std::uint64_t revision = made.state().revision();
    ASSERT_TRUE(repair(made, *route, query, scratch));
    EXPECT_EQ(route->revision, revision);

    const VolumeEdit shut = VolumeEdit::fill({{10, 4, 4}, {11, 5, 5}});
    const VoxelBox changed = changed_voxels(made, shut);
    EXPECT_EQ(changed, shut.voxels);
    const VoxelBox far{{0, 8, 0}, {1, 9, 1}}, none{};
    ASSERT_TRUE(made.apply(shut));
    EXPECT_FALSE(look(made, *route, query, scratch).legal);
    EXPECT_FALSE(look(made, *route, query, scratch, &changed).legal);
    EXPECT_EQ(route->revision, revision);
    EXPECT_TRUE(look(made, *route, query, scratch, &far).legal);  // not looked at
    EXPECT_TRUE(look(made, *route, query, scratch, &none).legal);
    ASSERT_TRUE(repair(made, *route, query, scratch));
    EXPECT_EQ(route->status, PathStatus::unreachable);
    EXPECT_TRUE(route->legs.empty());
    EXPECT_TRUE(look(made, *route, query, scratch).legal);  // it leads nowhere

    ASSERT_TRUE(made.apply(VolumeEdit::clear(shut.voxels)));
    route = find_route(made, query, scratch);
    ASSERT_TRUE(made.apply(VolumeEdit::fill({{1, 1, 1}, {4, 4, 4}})));
    ASSERT_TRUE(repair(made, *route, query, scratch));
    EXPECT_EQ(route->status, PathStatus::start_blocked);

    // A route that stays where it is.
    const VolumeQuery stay{.start = {15.5, 3.5, 3.5}, .goal = Vec3{15.5, 3.5, 3.5}};
    route = find_route(made, stay, scratch);
    ASSERT_TRUE(route && route->legs.empty());
    EXPECT_TRUE(look(made, *route, stay, scratch).legal);
    ASSERT_TRUE(made.apply(VolumeEdit::fill({{15, 3, 3}, {16, 4, 4}})));
    EXPECT_EQ(look(made, *route, stay, scratch), (Revalidation{false, -1, -1}));
    ASSERT_TRUE(repair(made, *route, stay, scratch));
    EXPECT_EQ(route->status, PathStatus::start_blocked);

    // What edits may change.
    EXPECT_TRUE(changed_voxels(made, VolumeEdit::fill({{30, 0, 0}, {40, 1, 1}})).empty());
    EXPECT_TRUE(changed_voxels(made, VolumeEdit::ball({1e300, 0, 0}, 2.0)).empty());
    EXPECT_TRUE(changed_voxels(made, VolumeEdit::ball({0, 0, 0}, -1.0)).empty());
    EXPECT_EQ(changed_voxels(made, VolumeEdit::set({4, 2, 2, 1})), (VoxelBox{{16, 8, 8}, {20, 9, 9}}));
}

// Of any route, hostile numbers too.
TEST(VolumeRepair, OddRoutesAndBadQueries) {
    const Volume made = make_volume(VolumeDense({9, 9, 9}));
    Scratch scratch;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto legal = [&](Route route, double radius = 0.3) {
        const Result<Revalidation> got =
            revalidate(made, route, VolumeQuery{.agent = {.radius = radius}}, scratch);
        EXPECT_TRUE(got);
        return got && got->legal;
    };
    EXPECT_TRUE(legal(space_line({{1, 1, 1}, {8, 8, 8}, {8, 8, 1}})));
    EXPECT_TRUE(legal(space_line({{4.5, 4.5, 4.5}, {4.5, 4.5, 4.6}}), 4.4));  // wider than find_route serves
    EXPECT_FALSE(legal(space_line({{4.5, 4.5, 4.5}, {4.5, 4.5, 4.7}}), 4.4));
    EXPECT_FALSE(legal(space_line({{1, 1, 1}, {8, 8, 9}})));
    EXPECT_FALSE(legal(space_line({{1, 1, 1}, {8, nan, 8}})));
    EXPECT_FALSE(legal(space_line({{1, 1, 1}, {1e300, 8, 8}})));
    EXPECT_FALSE(legal(SpaceRoute({4, 4, 4}).drive(1.0, 0.5).take()));
    EXPECT_FALSE(legal(SpaceRoute({4, 4, 4}).turn(1.0).take()));
    Route upstairs = space_line({{1, 1, 1}, {8, 8, 8}});
    upstairs.legs[0].start.layer = 1;
    EXPECT_FALSE(legal(std::move(upstairs)));
    Route route = space_line({{1, 1, 1}, {8, 8, 8}});
    for (const VolumeQuery& bad :
         {VolumeQuery{.agent = {.radius = -1.0}}, VolumeQuery{.agent = {.footprint = 1}},
          VolumeQuery{.agent = {.radius = nan}}, VolumeQuery{.agent = {.turning_radius = 1.0}}}) {
        EXPECT_FALSE(revalidate(made, route, bad, scratch));
        EXPECT_FALSE(repair(made, route, bad, scratch));
        EXPECT_EQ(route.legs.size(), 1U);
    }
}

// Wherever memory ends, the route is as it was; warm, nothing is allocated.
TEST(VolumeRepair, Memory) {
    Rng rng(52);
    VolumeDense world({24, 24, 24});
    Volume made = make_volume(world);
    TestAllocator memory;
    Scratch scratch(memory.allocator());
    const VolumeQuery query{
        .start = {2.5, 2.5, 2.5}, .goal = Vec3{20.5, 21.5, 19.5}, .agent = {.radius = 0.3}};
    Route route;
    route.legs = Array<Leg>(memory.allocator());
    const VolumeEdit rock = VolumeEdit::ball({12, 12, 12}, 5.0);
    std::int64_t before = 0;
    for (int round = 0; round < 3; ++round) {
        ASSERT_TRUE(find_route_into(made, query, scratch, route));
        ASSERT_TRUE(made.apply(rock));
        before = memory.calls;
        ASSERT_TRUE(repair(made, route, query, scratch));
        ASSERT_EQ(route.status, PathStatus::complete);
        ASSERT_TRUE(made.apply(VolumeEdit::ball(rock.centre, rock.radius, false)));
    }
    EXPECT_EQ(memory.calls, before);
    for (std::int64_t n = 0; n < 60; ++n) {
        ASSERT_TRUE(find_route_into(made, query, scratch, route));
        const std::vector<Leg> was(route.legs.begin(), route.legs.end());
        ASSERT_TRUE(made.apply(rock));
        scratch.free_memory();
        memory.fail_after(n, true);
        const Result<void> done = repair(made, route, query, scratch);
        if (!done) {
            ASSERT_EQ(done.error().code, ErrorCode::out_of_memory);
            ASSERT_TRUE(std::equal(was.begin(), was.end(), route.legs.begin(), route.legs.end()));
        }
        (void)memory.feed();
        ASSERT_TRUE(repair(made, route, query, scratch));
        ASSERT_FALSE(verify(route, made, query.agent));
        ASSERT_TRUE(made.apply(VolumeEdit::ball(rock.centre, rock.radius, false)));
    }
}

}  // namespace
}  // namespace fairlead::testing
