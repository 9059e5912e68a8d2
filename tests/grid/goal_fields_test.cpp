// Shared fields: one for all that ask for the same, made when asked for often enough, a bounded number of them.
#include <gtest/gtest.h>

#include <fairlead/grid/goal_fields.h>
#include <fairlead/schedule/scheduler.h>
#include <fairlead/verify/verify.h>

#include "support/grids.h"
#include "support/heap_counter.h"
#include "support/starve.h"

namespace fairlead::testing {
namespace {

Grid yard() { return grid_of({"..........", "..####....", "..........", ".....#....", ".........."}); }

GoalFields made(std::uint32_t fields_max, std::uint32_t asked_min) {
    Result<GoalFields> fields = GoalFields::make({.fields_max = fields_max, .asked_min = asked_min});
    EXPECT_TRUE(fields);
    return std::move(*fields);
}

const FlowField* ask(GoalFields& fields, const Grid& grid, const FlowQuery& query) {
    const Result<const FlowField*> found = fields.find(grid, query);
    EXPECT_TRUE(found);
    return found ? *found : nullptr;
}

void fill_all(GoalFields& fields) {
    while (fields.running()) EXPECT_GT(fields.step(7), 0U);
    EXPECT_EQ(fields.step(7), 0U);
}

TEST(GoalFields, FilledWhenAskedForOftenEnough) {
    const Grid grid = yard();
    GoalFields fields = made(2, 3);
    const FlowQuery query{.goal = Vec2{9.5, 2.5}, .agent = {.radius = 0.3}};
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(ask(fields, grid, query), nullptr);
        EXPECT_FALSE(fields.running());
    }
    EXPECT_EQ(ask(fields, grid, query), nullptr);
    EXPECT_TRUE(fields.running());
    fill_all(fields);
    const FlowField* field = ask(fields, grid, query);
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(fields.filled(), 1U);
    EXPECT_GT(fields.memory(), 0U);
    Route route;
    ASSERT_TRUE(field->route({0.5, 1.5}, route));
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_FALSE(verify(route, grid, query.agent));
}

TEST(GoalFields, WhatDiffersIsNotShared) {
    Grid grid = yard();
    GoalFields fields = made(16, 1);
    const double factors[] = {1.0, 2.0};
    const double dearer[] = {1.0, 3.0};
    const FlowQuery queries[] = {
        {.goal = Vec2{9.5, 2.5}},
        {.goal = Vec2{9.5, 2.25}},
        {.goal = Vec2{9.5, 2.5}, .agent = {.radius = 0.25}},
        {.goal = Vec2{9.5, 2.5}, .corner = CornerRule::always},
        {.goal = Vec2{9.5, 2.5}, .terrain = {.closed = {2}}},
        {.goal = Vec2{9.5, 2.5}, .terrain = {.factors = factors}},
        {.goal = Vec2{9.5, 2.5}, .terrain = {.factors = dearer}},
    };
    for (const FlowQuery& query : queries) EXPECT_EQ(ask(fields, grid, query), nullptr);
    fill_all(fields);
    EXPECT_EQ(fields.filled(), std::size(queries));
    FlowHold hold;
    for (const FlowQuery& query : queries) {
        const FlowField* field = ask(fields, grid, query);
        ASSERT_NE(field, nullptr);
        const FlowStep step = field->sample({8.5, 2.5}, hold = {});
        EXPECT_EQ(step.to, query.goal.at.ground());
        const double factor = query.terrain.factors.empty() ? 1.0 : query.terrain.factors[1];
        EXPECT_NEAR(step.remaining, factor * distance({8.5, 2.5}, step.to), 1e-12);
    }
    ASSERT_TRUE(grid.set(Cell{8, 4}, 0));  // another revision
    EXPECT_EQ(ask(fields, grid, queries[0]), nullptr);
    fill_all(fields);
    EXPECT_EQ(ask(fields, grid, queries[0])->revision(), grid.state().revision());
}

TEST(GoalFields, TheOneAskedForLongestAgoMakesRoom) {
    const Grid grid = yard();
    GoalFields fields = made(2, 1);
    const auto query = [](double y) { return FlowQuery{.goal = Vec2{9.5, y}}; };
    (void)ask(fields, grid, query(0.5));
    (void)ask(fields, grid, query(1.5));
    fill_all(fields);
    EXPECT_NE(ask(fields, grid, query(0.5)), nullptr);
    EXPECT_EQ(ask(fields, grid, query(2.5)), nullptr);  // in the place of 1.5
    fields.step(3);                                     // under way
    EXPECT_NE(ask(fields, grid, query(0.5)), nullptr);
    EXPECT_EQ(ask(fields, grid, query(3.5)), nullptr);  // in the place of the one under way
    fill_all(fields);
    EXPECT_NE(ask(fields, grid, query(3.5)), nullptr);
    EXPECT_NE(ask(fields, grid, query(0.5)), nullptr);
    EXPECT_EQ(fields.filled(), 2U);
}

TEST(GoalFields, TheSchedulerFillsThem) {
    const Grid grid = yard();
    GoalFields fields = made(2, 1);
    (void)ask(fields, grid, {.goal = Vec2{9.5, 2.5}});
    Result<Scheduler> scheduler = Scheduler::make();
    ASSERT_TRUE(scheduler);
    ASSERT_TRUE(scheduler->submit_job(fields));
    for (int frame = 0; frame < 1000 && fields.running(); ++frame) scheduler->update({.units = 20});
    EXPECT_NE(ask(fields, grid, {.goal = Vec2{9.5, 2.5}}), nullptr);
}

TEST(GoalFields, BadInput) {
    const Grid grid = yard();
    EXPECT_EQ(GoalFields::make({.fields_max = 0}).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(GoalFields::make({.fields_max = 5000}).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(GoalFields::make({.asked_min = 0}).error().code, ErrorCode::out_of_range);
    GoalFields fields = made(2, 1);
    const Vec2 goals[] = {{1.5, 0.5}};
    EXPECT_EQ(fields.find(grid, {.goal = Goal::any_of(goals)}).error(),
              (Error{ErrorCode::unsupported, Field::goal}));
    EXPECT_EQ(fields.find(grid, {.goal = Vec2{1.5, 0.5}, .agent = {.radius = -1.0}}).error().code,
              ErrorCode::out_of_range);
    EXPECT_FALSE(fields.running());
    EXPECT_EQ(ask(fields, grid, {.goal = Vec2{3.5, 1.5}}), nullptr);  // in a wall: a field that says so
    fill_all(fields);
    FlowHold hold;
    EXPECT_EQ(ask(fields, grid, {.goal = Vec2{3.5, 1.5}})->sample({0.5, 0.5}, hold).status,
              PathStatus::goal_blocked);
}

TEST(GoalFields, WarmOnesAllocateNothing) {
    const Grid grid = yard();
    GoalFields fields = made(2, 1);
    const auto round = [&] {
        for (int i = 0; i < 4; ++i) {
            (void)ask(fields, grid, {.goal = Vec2{0.5 + i, 4.5}});
            fill_all(fields);
        }
    };
    for (int i = 0; i < 4; ++i) round();
    const std::uint64_t before = heap_calls();
    round();
    EXPECT_EQ(heap_calls(), before);
}

TEST(GoalFields, OutOfMemory) {
    const Grid grid = yard();
    for (const bool once : kOnceAndForEver) {
        TestAllocator memory;
        starve(
            memory, once,
            [&]() -> Result<void> {
                Result<GoalFields> fields =
                    GoalFields::make({.fields_max = 2, .asked_min = 1, .allocator = memory.allocator()});
                if (!fields) return fields.error();
                const FlowQuery query{.goal = Vec2{9.5, 2.5}};
                if (!fields->find(grid, query)) return Error{ErrorCode::out_of_memory};
                while (fields->running()) fields->step(10);
                const Result<const FlowField*> field = fields->find(grid, query);
                if (field && *field == nullptr) return Error{ErrorCode::out_of_memory};
                return {};
            },
            [](const Result<void>&) {});
        EXPECT_EQ(memory.live_blocks, 0);
    }
}

}  // namespace
}  // namespace fairlead::testing
