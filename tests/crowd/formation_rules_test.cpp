// Formations: threads, memory, bad input, odd groups.
#include <limits>

#include <fairlead/bridge/crowd_worlds.h>

#include "support/heap_counter.h"
#include "support/squad.h"
#include "support/test_allocator.h"
#include "support/threads.h"

namespace fairlead::testing {
namespace {

using namespace squad;

std::uint64_t march(const Jobs& jobs) {
    const Grid grid = hall(gap_wall(14, 2));
    const TileCrowd over(grid.state());
    Squad squad({.shape = FormationShape::wedge});
    Rng rng(13);
    for (const Vec2 p : scattered(rng, 20, {{4, 4}, {18, 26}})) squad.add({p.x, p.y, 0.0});
    EXPECT_TRUE(squad.formation.send(squad.crowd, over.world(), route_on(grid, {10, 15}, {66, 18})));
    for (int tick = 0; tick < 200; ++tick) squad.step(over.world(), jobs);
    return squad.crowd.digest();
}

TEST(Formation, ThreadsAndTheOrderOfJobsChangeNothing) {
    const std::uint64_t alone = march({});
    for (const std::size_t count : {std::size_t{3}}) {
        Threads threads{count};
        EXPECT_EQ(march({&Threads::run, &threads}), alone) << count;
    }
    Jobs backward;
    backward.run = [](void*, std::size_t count, void (*job)(void*, std::size_t), void* context) {
        while (count > 0) job(context, --count);
    };
    EXPECT_EQ(march(backward), alone);
}

TEST(Formation, NoMemoryInSteadyState) {
    const Grid grid = hall(gap_wall(15, 2));
    const TileCrowd over(grid.state());
    Squad squad({});
    Rng rng(14);
    for (const Vec2 p : scattered(rng, 16, {{4, 8}, {16, 22}})) squad.add({p.x, p.y, 0.0});
    const Route there = route_on(grid, {10, 15}, {66, 15});
    const Route back = route_on(grid, {66, 15}, {10, 15});
    ASSERT_TRUE(squad.formation.send(squad.crowd, over.world(), there));
    ASSERT_GE(squad.go(over.world(), 120.0), 0.0);
    ASSERT_TRUE(squad.formation.send(squad.crowd, over.world(), back));
    ASSERT_GE(squad.go(over.world(), 120.0), 0.0);
    const std::uint64_t before = heap_calls();
    ASSERT_TRUE(squad.formation.send(squad.crowd, over.world(), there));
    bool gap = false;
    for (int tick = 0; tick < 30 * 60; ++tick) {
        if (!squad.formation.update(kTick, squad.crowd, over.world())) break;
        if (!squad.crowd.update(kTick, over.world())) break;
        gap = gap || squad.formation.state() == FormationState::gap;
    }
    EXPECT_EQ(heap_calls(), before);
    EXPECT_TRUE(gap);
}

TEST(Formation, BadInputNamesTheField) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const auto refused = [](const FormationOptions& options) { return Formation::make(options).error(); };
    EXPECT_EQ(refused({.spacing = kNan}).field, Field::spacing);
    EXPECT_EQ(refused({.spacing = -1.0}).code, ErrorCode::out_of_range);
    EXPECT_EQ(refused({.shape = FormationShape::count_}).field, Field::shape);
    EXPECT_EQ(refused({.shape = FormationShape::slots}).code, ErrorCode::size_zero);
    const Vec3 slots[] = {{0, 0, 0}, {0, kNan, 0}};
    EXPECT_EQ(refused({.shape = FormationShape::slots, .slots = slots}).index, 1);
    EXPECT_EQ(refused({.slots = slots}).code, ErrorCode::incompatible);

    const Vec3 one[] = {{0, 0, 0}};
    Squad squad({.shape = FormationShape::slots, .slots = one});
    squad.add({0, 0, 0});
    EXPECT_EQ(squad.formation.add(squad.ids[0]).error().code, ErrorCode::duplicate_id);
    const UnitId other = *squad.crowd.add({}, place_at({5, 0, 0}));
    EXPECT_EQ(squad.formation.add(other).error().field, Field::slots);

    const auto send = [&](const Route& route, const FormationEnd& end = {}) {
        return squad.formation.send(squad.crowd, {}, route, end).error();
    };
    EXPECT_EQ(send(Route{}).field, Field::route);
    EXPECT_EQ(send(line({{0, 0, 0}, {kNan, 0, 0}})).code, ErrorCode::not_finite);
    Route linked = line({{0, 0, 0}, {5, 0, 0}, {9, 0, 0}});
    linked.legs[1].kind = LegKind::link;
    EXPECT_EQ(send(linked).code, ErrorCode::unsupported);
    EXPECT_EQ(send(linked).index, 1);
    EXPECT_EQ(send(line({{0, 0, 0}, {5, 0, 0}}), {.has_heading = true, .heading_rad = kNan}).field,
              Field::goal_heading);
    EXPECT_EQ(squad.formation.state(), FormationState::idle);
    EXPECT_EQ(squad.formation.update(0.0, squad.crowd, {}).error().field, Field::seconds);
    EXPECT_EQ(squad.formation.update(kNan, squad.crowd, {}).error().code, ErrorCode::not_finite);

    Squad tight({.spacing = 1.0});
    tight.add({0, 0, 0});
    EXPECT_EQ(tight.formation.send(tight.crowd, {}, line({{0, 0, 0}, {5, 0, 0}})).error().field,
              Field::spacing);
    Squad driven({});
    fairlead::CrowdUnit truck;
    truck.driven = true;
    ASSERT_TRUE(driven.formation.add(*driven.crowd.add(truck, place_at({0, 0, 0}))));
    EXPECT_EQ(driven.formation.send(driven.crowd, {}, line({{0, 0, 0}, {5, 0, 0}})).error().field,
              Field::unit);
    EXPECT_FALSE(driven.crowd.guide(UnitId{77}, {}));
    EXPECT_FALSE(squad.crowd.guide(squad.ids[0], {.velocity = {kNan, 0, 0}}));
    EXPECT_FALSE(squad.crowd.guide(squad.ids[0], {.order = 2.0}));
}

TEST(Formation, OddGroupsAndPlaces) {
    Squad none({});
    EXPECT_TRUE(none.formation.send(none.crowd, {}, line({{0, 0, 0}, {5, 0, 0}})));
    EXPECT_TRUE(none.formation.update(kTick, none.crowd, {}));
    EXPECT_EQ(none.formation.state(), FormationState::idle);
    Squad one({.shape = FormationShape::ring});
    one.add({0, 0, 0});
    ASSERT_TRUE(one.formation.send(one.crowd, {}, line({{0, 0, 0}, {0, 0, 0}})));  // it is at the goal
    EXPECT_GE(one.go({}, 20.0), 0.0);
    Route here;
    here.status = PathStatus::complete;
    here.end = place_at({3, 3, 0});
    Squad two({});
    two.add({0, 0, 0});
    two.add({1.5, 0, 0});
    ASSERT_TRUE(two.formation.send(two.crowd, {}, here));
    EXPECT_GE(two.go({}, 20.0), 0.0);
    two.formation.stop(two.crowd);
    EXPECT_EQ(two.formation.state(), FormationState::idle);
}

TEST(Formation, AFailedAllocationIsAnError) {
    for (int nth = 0; nth < 60; ++nth) {
        TestAllocator memory;
        memory.fail_after(nth, true);
        Result<Formation> formation = Formation::make({.allocator = memory.allocator()});
        if (!formation) {
            EXPECT_EQ(formation.error().code, ErrorCode::out_of_memory);
            continue;
        }
        Crowd crowd = *Crowd::make();
        bool all = true;
        for (int i = 0; i < 5 && all; ++i) {
            const Result<void> added = formation->add(*crowd.add({}, place_at({2.0 * i, 0, 0})));
            all = added.has_value();
        }
        if (!all) continue;
        const Result<void> sent = formation->send(crowd, {}, line({{0, 0, 0}, {20, 0, 0}}));
        if (!sent) {
            EXPECT_EQ(sent.error().code, ErrorCode::out_of_memory);
            EXPECT_EQ(formation->state(), FormationState::idle);
        }
        EXPECT_TRUE(formation->update(kTick, crowd, {}));
    }
}

}  // namespace
}  // namespace fairlead::testing
