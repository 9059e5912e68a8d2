// Convoy: the yards of twelve vehicles, judged by plain geometry at every tick; slices, memory, bad input, off-lattice places, states.

#include <fairlead/convoy/convoy.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <fairlead/bridge/grid_drive.h>

#include "support/convoy_run.h"
#include "support/environment.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

void judge(const YardTrial& trial) {
    const YardVerdict verdict = play_yard(trial);
    EXPECT_EQ(verdict.missing, 0) << "side " << trial.side << " seed " << trial.seed;
    EXPECT_LE(verdict.worst, 3.0) << "side " << trial.side << " seed " << trial.seed;
    EXPECT_LE(verdict.overlap, 1e-6);
    if (!trial.boxes) {
        EXPECT_GE(verdict.nearest, 2.0);
    }
    EXPECT_LE(verdict.speed, 2.0 + 1e-9);
    EXPECT_LE(verdict.accel, 1.0 + 1e-6);
    EXPECT_LE(verdict.curvature, (1.0 + 1e-6) / 3.0);
    EXPECT_LE(verdict.jump, 1e-9);
    EXPECT_LE(verdict.off_goal, 1e-8);
    EXPECT_EQ(verdict.report.late, 0U);
}

TEST(Convoy, YardOf44) {
    for (int seed = 0; seed < trials(10) / 5 + 1; ++seed)
        judge({.seed = static_cast<std::uint64_t>(seed), .turns = seed % 4});
}

TEST(Convoy, YardOf32) {
    for (int seed = 0; seed < trials(10) / 5 + 1; ++seed)
        judge({.side = 32.0, .seed = static_cast<std::uint64_t>(seed), .turns = seed % 4});
}

TEST(Convoy, SlicedIsWhole) {
    const YardVerdict whole = play_yard({.seed = 5, .seconds_max = 8.0});
    const YardVerdict sliced = play_yard({.seed = 5, .slice = 100000, .seconds_max = 8.0});
    EXPECT_EQ(sliced.report.late, 0U);
    EXPECT_GT(whole.report.adopted, 2U);
    EXPECT_EQ(sliced.digest, whole.digest);
}

// The judge would see it.
TEST(ConvoyJudge, SeesWhatOverlaps) {
    const JudgedBody disc{{0, 0}, {1, 0}, 0.0, 0.0, 1.0};
    const JudgedBody box{{2.5, 0}, {0.6, 0.8}, 1.5, 0.8, 0.0};
    EXPECT_NEAR(overlap_of(disc, {{1.5, 0}, {1, 0}, 0.0, 0.0, 1.0}), 0.5, 1e-12);
    EXPECT_NEAR(overlap_of({{0, 0}, {1, 0}, 1.5, 0.8, 0.0}, {{2.9, 0}, {1, 0}, 1.5, 0.8, 0.0}), 0.1, 1e-12);
    EXPECT_LT(overlap_of({{0, 0}, {1, 0}, 1.0, 0.5, 0.0}, {{4.0, 0}, {0, 1}, 1.5, 0.8, 0.0}), 0.0);
    EXPECT_EQ(overlap_of(disc, box), overlap_of(box, disc));
}

// --- Small scenes ------------------------------------------------------------------------------------------------

struct Lot {
    explicit Lot(std::int32_t width, std::int32_t height,
                 Agent body = {.radius = 0.8, .turning_radius = 2.0, .can_reverse = true})
        : agent(body),
          grid(Grid::make({.width = width, .height = height})),
          moves(DriveTable::make({.agent = agent, .cell_size = 1.0, .stretch = 1.05})),
          times(SpeedTable::make(*moves, limits, 3)),
          map(make_drive_map(*grid, *moves)),
          convoy(Convoy::make()),
          kind(convoy->add_kind(*map, *times)) {}

    SpeedLimits limits{.speed_max = 2.0, .accel_max = 2.0, .brake_max = 3.0, .lateral_accel_max = 2.0};
    Agent agent;
    Result<Grid> grid;
    Result<DriveTable> moves;
    Result<SpeedTable> times;
    Result<DriveMap> map;
    Result<Convoy> convoy;
    Result<ConvoyKind> kind;

    bool run(double seconds, double dt = 0.05) {
        for (double t = 0.0; t < seconds; t += dt) {
            if (!convoy->update(dt)) return false;
        }
        return true;
    }
};

TEST(Convoy, HeadOnTheyPass) {
    Lot lot(30, 12);
    const Result<ConvoyId> a = lot.convoy->add(*lot.kind, {{3.5, 6.5}, 0.0});
    const Result<ConvoyId> b = lot.convoy->add(*lot.kind, {{26.5, 6.5}, kPi});
    ASSERT_TRUE(a.has_value() && b.has_value());
    ASSERT_TRUE(lot.convoy->send(*a, {{26.5, 6.5}, 0.0}).has_value());
    ASSERT_TRUE(lot.convoy->send(*b, {{3.5, 6.5}, kPi}).has_value());
    EXPECT_EQ(lot.convoy->unit(*a).state, ConvoyState::waiting);
    double nearest = 1e300;
    for (int tick = 0; tick < 600; ++tick) {
        ASSERT_TRUE(lot.convoy->update(0.05).has_value());
        nearest = std::min(nearest,
                           length(lot.convoy->unit(*a).pose.position - lot.convoy->unit(*b).pose.position));
    }
    EXPECT_GE(nearest, 1.6);
    EXPECT_EQ(lot.convoy->unit(*a).state, ConvoyState::arrived);
    EXPECT_EQ(lot.convoy->unit(*b).state, ConvoyState::arrived);
}

// One stands at its goal in the way of another: it moves aside, and comes back.
TEST(Convoy, WhoHasArrivedMakesRoom) {
    Lot lot(24, 7);
    const Result<ConvoyId> a = lot.convoy->add(*lot.kind, {{2.5, 3.5}, 0.0});
    const Result<ConvoyId> b = lot.convoy->add(*lot.kind, {{12.5, 3.5}, 0.0});
    ASSERT_TRUE(lot.convoy->send(*b, {{12.5, 3.5}, 0.0}).has_value());
    ASSERT_TRUE(lot.run(2.0));
    EXPECT_EQ(lot.convoy->unit(*b).state, ConvoyState::arrived);
    ASSERT_TRUE(lot.convoy->send(*a, {{21.5, 3.5}, 0.0}).has_value());
    ASSERT_TRUE(lot.run(60.0));
    EXPECT_EQ(lot.convoy->unit(*a).state, ConvoyState::arrived);
    EXPECT_EQ(lot.convoy->unit(*b).state, ConvoyState::arrived);
}

TEST(Convoy, ExactPlacesOffTheLattice) {
    Lot lot(30, 20);
    const Result<ConvoyId> a = lot.convoy->add(*lot.kind, {{5.3, 6.81}, 0.3});
    const Pose goal{{22.17, 11.4}, 2.0};
    ASSERT_TRUE(lot.convoy->send(*a, goal).has_value());
    ASSERT_TRUE(lot.run(50.0));
    const ConvoyView there = lot.convoy->unit(*a);
    EXPECT_EQ(there.state, ConvoyState::arrived);
    EXPECT_EQ(there.pose, goal);
    // And on from there.
    ASSERT_TRUE(lot.convoy->send(*a, {{6.5, 6.5}, 0.0}).has_value());
    ASSERT_TRUE(lot.run(50.0));
    EXPECT_EQ(lot.convoy->unit(*a).state, ConvoyState::arrived);
}

TEST(Convoy, WhereNoWayLeads) {
    Lot lot(30, 20);
    ASSERT_TRUE(lot.grid->fill({{15, 0}, {16, 20}}, 0).has_value());
    ASSERT_TRUE(update_drive_map(*lot.map, *lot.grid).has_value());
    Result<Convoy> convoy = Convoy::make();
    const Result<ConvoyKind> kind = convoy->add_kind(*lot.map, *lot.times);
    const Result<ConvoyId> a = convoy->add(*kind, {{5.5, 6.5}, 0.0});
    ASSERT_TRUE(convoy->send(*a, {{25.5, 6.5}, 0.0}).has_value());
    for (int tick = 0; tick < 60; ++tick) ASSERT_TRUE(convoy->update(0.05).has_value());
    EXPECT_EQ(convoy->unit(*a).state, ConvoyState::unreachable);
    EXPECT_EQ(convoy->unit(*a).reason, ConvoyReason::no_way);
    EXPECT_EQ(convoy->unit(*a).pose.position, (Vec2{5.5, 6.5}));
}

TEST(Convoy, BadInputNamesTheField) {
    Lot lot(20, 20);
    Convoy& convoy = *lot.convoy;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Result<ConvoyId> a = convoy.add(*lot.kind, {{5.5, 5.5}, 0.0});
    ASSERT_TRUE(a.has_value());
    EXPECT_EQ(convoy.add(*lot.kind, {{6.5, 5.5}, 0.0}).error(),
              (Error{ErrorCode::incompatible, Field::start, 0, 0}));
    EXPECT_EQ(convoy.add(*lot.kind, {{0.5, 5.5}, 0.0}).error(),
              (Error{ErrorCode::out_of_range, Field::start}));
    EXPECT_EQ(convoy.add(*lot.kind, {{nan, 5.5}, 0.0}).error(), (Error{ErrorCode::not_finite, Field::start}));
    EXPECT_EQ(convoy.add(*lot.kind, {{9.5, 5.5}, nan}).error(),
              (Error{ErrorCode::not_finite, Field::start_heading}));
    EXPECT_EQ(convoy.add(ConvoyKind{7}, {{9.5, 5.5}, 0.0}).error(),
              (Error{ErrorCode::unknown_id, Field::unit, 7}));
    EXPECT_EQ(convoy.send(*a, {{0.2, 5.5}, 0.0}).error(), (Error{ErrorCode::out_of_range, Field::goal}));
    EXPECT_EQ(convoy.send(*a, {{5.5, nan}, 0.0}).error(), (Error{ErrorCode::not_finite, Field::goal}));
    EXPECT_EQ(convoy.send(ConvoyId{99}, {{9.5, 5.5}, 0.0}).error(),
              (Error{ErrorCode::unknown_id, Field::unit, 99}));
    EXPECT_EQ(convoy.update(nan).error(), (Error{ErrorCode::not_finite, Field::seconds}));
    EXPECT_EQ(convoy.update(0.0).error(), (Error{ErrorCode::out_of_range, Field::seconds}));
    EXPECT_EQ(Convoy::make({.gap = -1.0}).error(), (Error{ErrorCode::out_of_range, Field::gap}));
    EXPECT_EQ(Convoy::make({.weight = nan}).error(), (Error{ErrorCode::not_finite, Field::epsilon}));
    Lot other(20, 20);
    EXPECT_EQ(convoy.add_kind(*lot.map, *other.times).error(),
              (Error{ErrorCode::incompatible, Field::times}));
    // Nothing has changed.
    EXPECT_EQ(convoy.size(), 1U);
    EXPECT_EQ(convoy.unit(*a).state, ConvoyState::idle);
    EXPECT_TRUE(convoy.remove(*a));
    EXPECT_FALSE(convoy.remove(*a));
    EXPECT_FALSE(convoy.unit(*a).exists);
    EXPECT_TRUE(convoy.add(*lot.kind, {{6.5, 5.5}, 0.0}).has_value());
}

TEST(Convoy, NoMemoryInSteadyState) {
    Lot lot(30, 12);
    const Result<ConvoyId> a = lot.convoy->add(*lot.kind, {{3.5, 6.5}, 0.0});
    const Result<ConvoyId> b = lot.convoy->add(*lot.kind, {{26.5, 6.5}, kPi});
    const Pose ends[] = {{{26.5, 6.5}, 0.0}, {{3.5, 6.5}, kPi}};
    for (int lap = 0; lap < 3; ++lap) {
        ASSERT_TRUE(lot.convoy->send(*a, ends[lap % 2]).has_value());
        ASSERT_TRUE(lot.convoy->send(*b, ends[1 - lap % 2]).has_value());
        ASSERT_TRUE(lot.run(0.5));
        const std::uint64_t before = heap_calls();
        ASSERT_TRUE(lot.run(40.0));
        if (lap == 2) {
            EXPECT_EQ(heap_calls(), before);
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
