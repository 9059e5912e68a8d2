// The articles' program: its smoothing that keeps what is impossible, its switches, what it refuses.
#include <fairlead/classic/find_classic.h>

#include <gtest/gtest.h>

#include <limits>

#include <fairlead/verify/verify.h>

#include "classic/classic_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

/// A way of one leg of the route, to be judged alone.
Route leg_alone(const Route& route, std::size_t i) {
    Route one;
    one.status = PathStatus::complete;
    one.end = leg_end(route, i);
    one.length = route.legs[i].length;
    (void)one.legs.push_back(route.legs[i]);
    return one;
}

/// Does verify, leg by leg, say what the flags say?
void expect_flags_are_true(const ClassicRoute& way, const Grid& grid, const Agent& agent) {
    std::int64_t impossible = 0;
    ASSERT_EQ(way.free.size(), way.route.legs.size());
    for (std::size_t i = 0; i < way.route.legs.size(); ++i) {
        const bool bad =
            static_cast<bool>(verify(leg_alone(way.route, i), grid, agent, {.check_revision = false}));
        EXPECT_EQ(way.free[i] == 0, bad) << "leg " << i;
        impossible += bad ? 1 : 0;
    }
    EXPECT_EQ(way.impossible, impossible);
    EXPECT_EQ(way.legal, impossible == 0 && way.route.status == PathStatus::complete);
}

// The article's figure 4: the only way of tiles squeezes between two walls that meet at a corner.
TEST(FindClassic, SmoothsWhatItCanAndFlagsTheImpossibleLeg) {  // P5
    const ClassicMap map = classic_map({
        "........#.......",
        "........#.......",
        "........#.......",
        "........#.......",
        "#########.......",
        ".........#######",
        ".........#......",
        ".........#......",
    });
    const Grid grid = map.grid();
    Scratch scratch;
    const Agent agent{.radius = 0.45};
    for (const ClassicProbe probe : {ClassicProbe::diamond, ClassicProbe::exact}) {
        const Result<ClassicRoute> way = find_classic(
            grid, {.start = {{12.5, 1.5}, 0}, .goal = {{2.5, 7.5}, 0}, .agent = agent, .probe = probe},
            scratch);
        ASSERT_TRUE(way);
        ASSERT_EQ(way->route.status, PathStatus::complete);
        EXPECT_FALSE(way->legal);
        EXPECT_GT(way->impossible, 0);
        EXPECT_GT(way->dropped, 0);  // the rest was smoothed
        EXPECT_LT(way->impossible, static_cast<std::int64_t>(way->route.legs.size()));
        expect_flags_are_true(*way, grid, agent);
    }
    // With the body in the search there is no way.
    const Result<ClassicRoute> none = find_classic(grid,
                                                   {.start = {{12.5, 1.5}, 0},
                                                    .goal = {{2.5, 7.5}, 0},
                                                    .agent = agent,
                                                    .body_in_search = true,
                                                    .probe = ClassicProbe::exact},
                                                   scratch);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->route.status, PathStatus::unreachable);
}

TEST(FindClassic, FlagsAreWhatVerifySaysAndTheExactProbeAddsNoFault) {
    Rng rng{11};
    Scratch scratch;
    int illegal = 0;
    std::uint64_t false_free = 0;
    for (int i = 0; i < trials(500); ++i) {
        const ClassicMap map = random_classic_map(rng, 40, 8 + rng.below(20));
        const Grid grid = map.grid();
        ClassicQuery query;
        query.agent.radius = rng.between(0.1, 0.5);
        query.start.position = free_middle(rng, map);
        query.goal.position = free_middle(rng, map);
        query.neighbours = rng.below(2) == 0 ? 8 : 24;
        query.probe = static_cast<ClassicProbe>(rng.below(3));
        const Result<ClassicRoute> way = find_classic(grid, query, scratch);
        ASSERT_TRUE(way);
        if (way->route.status != PathStatus::complete) continue;
        expect_flags_are_true(*way, grid, query.agent);
        illegal += way->legal ? 0 : 1;
        false_free += way->sampled.false_free;
        if (query.probe != ClassicProbe::exact) continue;
        // Whatever it flags, the tile route had: every flagged leg is one step of it.
        query.smoothing = ClassicSmoothing::none;
        const Result<ClassicRoute> tiles = find_classic(grid, query, scratch);
        ASSERT_TRUE(tiles);
        if (tiles->legal) {
            EXPECT_TRUE(way->legal);
        }
        EXPECT_LE(way->route.length, tiles->route.length + 1e-9);
    }
    if (all_trials()) {
        EXPECT_GT(illegal, 10);
    }
    if (all_trials()) {
        EXPECT_GT(false_free, 0U);
    }
}

TEST(FindClassic, EveryTurningStageFlagsItsLegs) {
    Rng rng{12};
    Scratch scratch;
    int clipped = 0, legal = 0;
    for (int i = 0; i < trials(60); ++i) {
        const ClassicMap map = random_classic_map(rng, 30, 4 + rng.below(8));
        const Grid grid = map.grid();
        const Agent agent{.radius = 0.35, .turning_radius = 1.0};
        ClassicQuery query{.start = {free_middle(rng, map), kHalfPi * 0.5 * rng.below(8)},
                           .goal = {free_middle(rng, map), kHalfPi * 0.5 * rng.below(8)},
                           .agent = agent,
                           .window_grows = true};
        switch (rng.below(4)) {
            case 0: query.curves = true; break;
            case 1:
                query.smoothing = ClassicSmoothing::ahead;
                query.probe = ClassicProbe::exact;
                break;
            case 2:
                query.search = ClassicSearch::directional;
                query.probe = ClassicProbe::exact;
                query.neighbours = 24;
                break;
            default:
                query.search = ClassicSearch::hybrid;
                query.probe = ClassicProbe::exact;
                break;
        }
        if (rng.below(3) == 0) query.facings = 16;
        const Result<ClassicRoute> way = find_classic(grid, query, scratch);
        ASSERT_TRUE(way) << error_text(way.error()).c_str();
        if (way->route.status != PathStatus::complete) continue;
        // Redrawn, it turns on the spot between lines.
        expect_flags_are_true(*way, grid, way->drawn ? Agent{.radius = agent.radius} : agent);
        if (!query.curves) {
            EXPECT_TRUE(way->legal);
        }
        clipped += way->legal ? 0 : 1;
        legal += way->legal ? 1 : 0;
    }
    if (all_trials()) {
        EXPECT_GT(clipped, 0);
    }
    if (all_trials()) {
        EXPECT_GT(legal, 8);
    }
}

TEST(FindClassic, RefusesSwitchesThatExcludeEachOther) {  // G4
    const Grid grid = std::move(Grid::make({.width = 20, .height = 20})).value();
    Scratch scratch;
    const auto refused = [&](const ClassicQuery& query, ClassicRule rule) {
        ClassicQuery full = query;
        full.start = {{2.5, 2.5}, 0};
        full.goal = {{9.5, 9.5}, 0};
        const Result<ClassicRoute> way = find_classic(grid, full, scratch);
        ASSERT_FALSE(way);
        EXPECT_EQ(way.error().code, ErrorCode::incompatible);
        EXPECT_EQ(way.error().detail, static_cast<std::int64_t>(rule));
        EXPECT_NE(classic_rule_text(rule)[0], 'u');
    };
    const Agent car{.radius = 0.4, .turning_radius = 1.0};
    constexpr ClassicProbe exact = ClassicProbe::exact;
    refused({.curves = true}, ClassicRule::curves_need_radius);
    refused({.search = ClassicSearch::directional, .probe = exact}, ClassicRule::curves_need_radius);
    refused({.agent = car, .search = ClassicSearch::directional, .probe = exact, .curves = true},
            ClassicRule::curves_are_searched);
    refused(
        {.agent = car, .search = ClassicSearch::hybrid, .smoothing = ClassicSmoothing::ahead, .probe = exact},
        ClassicRule::ahead_needs_tiles);
    refused({.agent = car, .search = ClassicSearch::directional}, ClassicRule::sampled_curves);
    refused({.agent = car, .search = ClassicSearch::directional, .neighbours = 4, .probe = exact},
            ClassicRule::directional_needs_rings);
    refused({.agent = car, .search = ClassicSearch::directional, .body_in_search = true, .probe = exact},
            ClassicRule::body_is_in_headings);
    refused({.agent = car, .search = ClassicSearch::hybrid, .open = ClassicOpen::tree, .probe = exact},
            ClassicRule::heap_of_hybrid);
    refused({.facings = 16}, ClassicRule::facings_need_curves);
}

TEST(FindClassic, RefusesBadNumbersWithTheField) {
    const Grid grid = std::move(Grid::make({.width = 20, .height = 20})).value();
    Scratch scratch;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto field_of = [&](const ClassicQuery& query) {
        const Result<ClassicRoute> way = find_classic(grid, query, scratch);
        return way ? Field::none : way.error().field;
    };
    EXPECT_EQ(field_of({.start = {{nan, 0}, 0}}), Field::start);
    EXPECT_EQ(field_of({.goal = {{1, 1}, nan}}), Field::goal);
    EXPECT_EQ(field_of({.agent = {.radius = -1}}), Field::agent_radius);
    EXPECT_EQ(field_of({.agent = {.footprint = 2}}), Field::agent_shape);
    EXPECT_EQ(field_of({.neighbours = 5}), Field::neighbours);
    EXPECT_EQ(field_of({.granularity = 0}), Field::sample_step);
    EXPECT_EQ(field_of({.facings = 12}), Field::facings);
    const Grid ring = std::move(Grid::make({.width = 20, .height = 20, .wrap_x = true})).value();
    const Result<ClassicRoute> way = find_classic(ring, {}, scratch);
    ASSERT_FALSE(way);
    EXPECT_EQ(way.error().code, ErrorCode::unsupported);
}

TEST(FindClassic, TellsStatuses) {
    const Grid grid = classic_map({"....", ".##.", "....", "....", "####", "...."}).grid();
    Scratch scratch;
    const auto status = [&](Vec2 from, Vec2 to, std::uint64_t most = UINT64_MAX) {
        const Result<ClassicRoute> way = find_classic(
            grid, {.start = {from, 0}, .goal = {to, 0}, .agent = {.radius = 0.3}, .expansions_max = most},
            scratch);
        return way ? way->route.status : PathStatus::count_;
    };
    EXPECT_EQ(status({0.5, 0.5}, {3.5, 3.5}), PathStatus::complete);
    EXPECT_EQ(status({0.5, 0.5}, {0.5, 0.5}), PathStatus::complete);
    EXPECT_EQ(status({0.5, 0.5}, {3.5, 5.5}), PathStatus::unreachable);
    EXPECT_EQ(status({1.5, 1.5}, {3.5, 3.5}), PathStatus::start_blocked);
    EXPECT_EQ(status({0.5, 0.5}, {1.5, 1.5}), PathStatus::goal_blocked);
    EXPECT_EQ(status({0.5, 0.5}, {9.5, 1.5}), PathStatus::off_world);
    EXPECT_EQ(status({0.5, 0.5}, {3.5, 3.5}, 2), PathStatus::budget_spent);
}

}  // namespace
}  // namespace fairlead::testing
