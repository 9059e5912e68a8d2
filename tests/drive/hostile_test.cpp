// Hostile numbers: an Error or a documented status, never a crash, a hang or a route that verify refuses.

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include <fairlead/drive/find_drive.h>
#include <fairlead/drive/pose_field.h>
#include <fairlead/verify/verify.h>

#include "support/drive_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

double hostile(Rng& rng) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    constexpr double kNumbers[] = {kNan, kInfinite, -kInfinite, 1e300, -1e300, 1e-300, 5e-324,
                                   0.0,  -0.0,      -1.0,       1e9,   -1e9,   2e18,   1e6,
                                   39.9, 64.0,      0.25,       1e-9,  1.0,    1e17};
    return kNumbers[rng.below(std::size(kNumbers))];
}

/// Leaves most numbers alone.
void spoil(Rng& rng, double& number, std::uint32_t one_in) {
    if (rng.below(one_in) == 0) number = hostile(rng);
}

Tiles odd_map(Rng& rng) {
    constexpr std::int32_t kSides[] = {1, 2, 3, 63, 64, 65, 129};
    Tiles tiles{kSides[rng.below(std::size(kSides))], kSides[rng.below(std::size(kSides))], {}};
    tiles.tile.assign(static_cast<std::size_t>(tiles.width * tiles.height), 1);
    const std::uint32_t percent = rng.below(3) == 0 ? rng.below(101) : 0;
    for (std::uint8_t& tile : tiles.tile) tile = rng.below(100) < percent ? 0 : 1;
    return tiles;
}

DriveTableOptions odd_options(Rng& rng) {
    constexpr std::int32_t kHeadings[] = {8, 8, 8, 8, 0, -1, 7, INT32_MAX};
    constexpr std::int32_t kRings[] = {1, 1, 1, 0, 2, 3, -1, INT32_MIN};
    DriveTableOptions options;
    options.agent = random_unit(rng);
    spoil(rng, options.agent.radius, 12);
    spoil(rng, options.agent.length, 12);
    spoil(rng, options.agent.width, 12);
    spoil(rng, options.agent.axle_offset, 12);
    spoil(rng, options.agent.turning_radius, 8);
    spoil(rng, options.cell_size, 12);
    spoil(rng, options.stretch, 12);
    options.headings = kHeadings[rng.below(std::size(kHeadings))];
    options.rings = kRings[rng.below(std::size(kRings))];
    return options;
}

DriveQuery odd_query(Rng& rng, const Tiles& tiles) {
    DriveQuery query;
    query.start = random_pose(rng, tiles, rng.below(2) == 0);
    query.goal = random_pose(rng, tiles, rng.below(2) == 0);
    for (Spot* spot : {&query.start, &query.goal.at}) {
        if (rng.below(4) == 0) spot->heading_tolerance_rad = rng.unit() * kPi;
    }
    if (rng.below(4) == 0) query.goal = Goal::within(query.goal.at, 4.0 * rng.unit());
    const std::uint32_t one_in = rng.below(2) == 0 ? 8 : 1000;
    for (Spot* spot : {&query.start, &query.goal.at}) {
        for (double* number : {&spot->position.x, &spot->position.y, &spot->position.z, &spot->heading_rad,
                               &spot->heading_tolerance_rad})
            spoil(rng, *number, one_in);
        if (rng.below(16) == 0) *spot = spot->any_heading();
    }
    for (double* number : {&query.goal.range, &query.epsilon, &query.reverse_penalty, &query.cusp_penalty,
                           &query.pivot_penalty})
        spoil(rng, *number, one_in);
    query.planner = static_cast<DrivePlanner>(rng.below(3));
    query.expansions_max = rng.below(8) == 0 ? rng.below(20) : 20000;
    return query;
}

void ask(const DriveMap& map, const Grid& grid, const DriveQuery& query, Scratch& scratch, int& complete) {
    Route route;
    const Result<void> done = find_route_into(map, query, scratch, route);
    if (!done) {
        EXPECT_LT(static_cast<int>(done.error().code), static_cast<int>(ErrorCode::count_));
        return;
    }
    EXPECT_LT(route.status, PathStatus::count_);
    if (route.status != PathStatus::complete) {
        EXPECT_EQ(route.legs.size(), 0U);
        return;
    }
    ++complete;
    const Violation bad = verify(route, grid, map.state().table().options().agent);
    EXPECT_FALSE(bad) << bad.text().c_str();
}

TEST(DriveHostileSlow, TablesMapsAndQueries) {
    Rng rng(71);
    Scratch scratch;
    int tables = 0;
    int complete = 0;
    for (int i = 0; i < trials(160); ++i) {
        SCOPED_TRACE(i);
        const DriveTableOptions options = odd_options(rng);
        const Result<DriveTable> table = DriveTable::make(options);
        const Tiles tiles = odd_map(rng);
        if (!table) continue;
        ++tables;
        const Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
        if (!map) continue;
        const Result<Grid> grid = Grid::make(
            {.width = tiles.width, .height = tiles.height, .cell_size = options.cell_size}, tiles.tile);
        if (!grid) continue;
        for (int k = 0; k < 12; ++k) {
            SCOPED_TRACE(k);
            const DriveQuery query = odd_query(rng, tiles);
            ask(*map, *grid, query, scratch, complete);
            if (k > 0) continue;
            Result<PoseField> field = PoseField::make(*map, query);
            if (!field) continue;
            while (field->step(100000)) {
            }
            Route route;
            static_cast<void>(find_route_into(*field, query.start.pose(), scratch, route).has_value());
            EXPECT_LT(route.status, PathStatus::count_);
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(tables, trials(160) / 20);
    EXPECT_GT(complete, trials(160) / 20);
}

// Maps that the body does not fit into.
TEST(DriveHostile, MapsThinnerThanTheBody) {
    Scratch scratch;
    const Agent agent{.shape = BodyShape::box, .length = 8.0, .width = 3.0, .turning_radius = 2.0};
    const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .rings = 1});
    ASSERT_TRUE(table.has_value());
    for (const std::int32_t width : {1, 2, 64, 65}) {
        for (const std::int32_t height : {1, 2}) {
            const Tiles tiles = open_tiles(width, height);
            const Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
            ASSERT_TRUE(map.has_value());
            const DriveQuery query{.start = {{0.5, 0.5}, 0.0}, .goal = {{width - 0.5, 0.5}, 0.0}};
            const Result<Route> route = find_route(*map, query, scratch);
            ASSERT_TRUE(route.has_value());
            EXPECT_EQ(route->status, PathStatus::start_blocked);
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
