// First legs, and fields that many units share: everyone soon has a way, ways out of a field are no longer than those of Dijkstra's
// algorithm
// from tile to tile, edits make them anew, no frame passes its budget; equal for any number of threads.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/verify/verify.h>

#include "fleet/soldier.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

constexpr double kTick = 1.0 / 30.0;
constexpr double kInf = std::numeric_limits<double>::infinity();

Place on(Vec2 at) {
    Place place;
    place.position = {at.x, at.y, 0.0};
    return place;
}

/// Free ground with houses.
Grid houses(std::uint64_t seed, std::int32_t side, int count) {
    Grid grid = *Grid::make({.width = side, .height = side});
    Rng dice(seed);
    for (int i = 0; i < count; ++i) {
        const std::int32_t x = dice.between(2, side - 8), y = dice.between(2, side - 8);
        EXPECT_TRUE(grid.fill({{x, y}, {x + dice.between(2, 6), y + dice.between(2, 6)}}, 0));
    }
    return grid;
}

bool free_cell(const Grid& grid, std::int32_t x, std::int32_t y) {
    const GridState& state = grid.state();
    return x >= 0 && y >= 0 && x < state.width() && y < state.height() && !state.blocked({x, y});
}

/// Dijkstra's algorithm from the goal's tile, eight neighbours, corners not cut: of a disc of less than half a tile.
std::vector<double> distances(const Grid& grid, Cell goal) {
    const std::int32_t width = grid.state().width(), height = grid.state().height();
    std::vector<double> least(static_cast<std::size_t>(width * height), kInf);
    using Item = std::pair<double, std::int32_t>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
    least[static_cast<std::size_t>(goal.y * width + goal.x)] = 0.0;
    open.push({0.0, goal.y * width + goal.x});
    while (!open.empty()) {
        const auto [far, cell] = open.top();
        open.pop();
        if (far > least[static_cast<std::size_t>(cell)]) continue;
        const std::int32_t x = cell % width, y = cell / width;
        for (std::int32_t dy = -1; dy <= 1; ++dy) {
            for (std::int32_t dx = -1; dx <= 1; ++dx) {
                if ((dx == 0 && dy == 0) || !free_cell(grid, x + dx, y + dy)) continue;
                if (!free_cell(grid, x + dx, y) || !free_cell(grid, x, y + dy)) continue;
                const double next = far + (dx != 0 && dy != 0 ? std::sqrt(2.0) : 1.0);
                double& known = least[static_cast<std::size_t>((y + dy) * width + x + dx)];
                if (next >= known) continue;
                known = next;
                open.push({next, (y + dy) * width + x + dx});
            }
        }
    }
    return least;
}

std::vector<Cell> apart_cells(const Grid& grid, Cell joined_to, Rng& dice, std::size_t count) {
    const std::vector<double> least = distances(grid, joined_to);
    std::vector<Cell> found;
    while (found.size() < count) {
        const std::int32_t x = dice.between(0, grid.state().width() - 1);
        const Cell cell{x, dice.between(0, grid.state().height() - 1)};
        if (std::isinf(least[static_cast<std::size_t>(cell.y * grid.state().width() + cell.x)])) continue;
        const bool taken = std::any_of(found.begin(), found.end(), [&](Cell other) { return other == cell; });
        if (!taken) found.push_back(cell);
    }
    return found;
}

Cell free_from(const Grid& grid, std::int32_t x, std::int32_t y) {
    while (!free_cell(grid, x, y)) ++x;
    return {x, y};
}

FleetPort shares_early(FleetPort port) {
    port.fields.pays_from = [](const FleetAsk&, void*) { return std::uint32_t{10}; };
    return port;
}

void expect_apart(const Fleet& fleet, const std::vector<FleetId>& ids, double radius) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            const double gap = distance(ground(fleet.unit(ids[i]).place.position),
                                        ground(fleet.unit(ids[k]).place.position));
            ASSERT_GE(gap, 2.0 * radius * (1.0 - 1e-9));
        }
    }
}

// ---- first legs --------------------------------------------------------------------------------------------

struct Started {
    int all_have_way = -1;  ///< frame
    int all_arrived = -1;
};

Started set_off(std::uint64_t first_leg_units, std::uint64_t budget, std::uint64_t seed) {
    const Grid grid = houses(seed, 150, 300);
    const TileFleet port(grid);
    FleetOptions options;
    options.first_leg_units = first_leg_units;
    Fleet fleet = *Fleet::make(port.port(), options);
    const FleetKind kind = *fleet.add_kind(soldier());
    Rng dice(seed);
    const Cell middle = free_from(grid, 75, 75);
    const std::vector<Cell> starts = apart_cells(grid, middle, dice, 40);
    const std::vector<Cell> goals = apart_cells(grid, middle, dice, 40);
    std::vector<FleetId> ids;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        ids.push_back(*fleet.add(kind, on(grid.state().cell_centre(starts[i]))));
        EXPECT_TRUE(fleet.send(ids.back(), grid.state().cell_centre(goals[i])));
    }
    Started told;
    std::vector<bool> had(ids.size());
    for (int frame = 1; frame <= 10000 && told.all_arrived < 0; ++frame) {
        EXPECT_TRUE(fleet.update(kTick, {.units = budget}));
        EXPECT_LE(fleet.report().units, budget);
        EXPECT_EQ(fleet.report().units_over, 0U);
        std::size_t arrived = 0;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const FleetView view = fleet.unit(ids[i]);
            had[i] = had[i] || view.has_way;
            arrived += view.state == FleetState::arrived ? 1 : 0;
            const Route& route = *fleet.route(ids[i]);
            if (!view.has_way) continue;
            const Violation bad = verify(route, grid, soldier().agent);
            EXPECT_FALSE(bad) << bad.text().c_str();
        }
        if (told.all_have_way < 0 && std::find(had.begin(), had.end(), false) == had.end())
            told.all_have_way = frame;
        if (arrived == ids.size()) told.all_arrived = frame;
        if (frame % 10 == 0) expect_apart(fleet, ids, 0.4);
    }
    return told;
}

TEST(FleetFirstLegs, AllSetOffBeforeAnyoneIsSearchedToTheEnd) {
    const std::uint64_t seeds = all_trials() ? 3 : 1;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const Started with = set_off(40, 60, seed);
        const Started without = set_off(0, 60, seed);
        ASSERT_GT(with.all_have_way, 0) << seed;
        // 40 short searches of at most 42 units, and a frame for each to be seen
        EXPECT_LE(with.all_have_way, 40 * 42 / 60 + 10) << seed;
        EXPECT_LT(with.all_have_way, without.all_have_way) << seed;
        EXPECT_GT(with.all_arrived, 0) << seed;
    }
}

TEST(FleetFirstLegs, OutOfADeadEndOnceTheRouteIsThere) {
    Grid grid = *Grid::make({.width = 80, .height = 60});
    // a pocket that opens to the west lies before the goal
    ASSERT_TRUE(grid.fill({{20, 10}, {60, 12}}, 0) && grid.fill({{20, 48}, {60, 50}}, 0) &&
                grid.fill({{58, 10}, {60, 50}}, 0));
    const TileFleet port(grid);
    FleetOptions options;
    options.first_leg_units = 4;
    Fleet fleet = *Fleet::make(port.port(), options);
    const FleetId unit = *fleet.add(*fleet.add_kind(soldier()), on({10.5, 30.5}));
    ASSERT_TRUE(fleet.send(unit, Vec2{70.5, 30.5}));
    bool first_leg = false;
    int frame = 0;
    for (; frame < 4000 && fleet.unit(unit).state != FleetState::arrived; ++frame) {
        ASSERT_TRUE(fleet.update(kTick, {.units = frame < 200 ? 1U : 5000U}));
        first_leg =
            first_leg || (fleet.unit(unit).has_way && fleet.route(unit)->status != PathStatus::complete);
    }
    EXPECT_TRUE(first_leg);
    EXPECT_EQ(fleet.unit(unit).state, FleetState::arrived) << frame;
}

TEST(FleetFirstLegs, WhoHasNoWayStaysWhereItIs) {
    Grid grid = *Grid::make({.width = 60, .height = 60});
    ASSERT_TRUE(grid.fill({{40, 0}, {42, 60}}, 0));
    const TileFleet port(grid);
    FleetOptions options;
    options.first_leg_units = 5;
    Fleet fleet = *Fleet::make(port.port(), options);
    const FleetId unit = *fleet.add(*fleet.add_kind(soldier()), on({10.5, 30.5}));
    ASSERT_TRUE(fleet.send(unit, Vec2{50.5, 30.5}));
    for (int frame = 0; frame < 60; ++frame) {
        ASSERT_TRUE(fleet.update(kTick, {.units = 50}));
        ASSERT_FALSE(fleet.unit(unit).has_way);
    }
    EXPECT_EQ(fleet.unit(unit).state, FleetState::unreachable);
    EXPECT_EQ(ground(fleet.unit(unit).place.position), (Vec2{10.5, 30.5}));
}

TEST(FleetFirstLegs, AnEditAcrossOneStopsTheUnitUntilItsRouteComes) {
    Grid grid = houses(7, 120, 120);
    const TileFleet port(grid);
    FleetOptions options;
    options.first_leg_units = 20;
    Fleet fleet = *Fleet::make(port.port(), options);
    const FleetId unit = *fleet.add(*fleet.add_kind(soldier()), on({1.5, 1.5}));
    ASSERT_TRUE(fleet.send(unit, Vec2{118.5, 118.5}));
    for (int frame = 0; frame < 100 && !fleet.unit(unit).has_way; ++frame)
        ASSERT_TRUE(fleet.update(kTick, {.units = 2}));
    ASSERT_TRUE(fleet.unit(unit).has_way);
    ASSERT_NE(fleet.route(unit)->status, PathStatus::complete);
    const Vec2 ahead = ground(fleet.route(unit)->end.position);
    const auto x = static_cast<std::int32_t>(ahead.x), y = static_cast<std::int32_t>(ahead.y);
    ASSERT_TRUE(grid.fill({{x - 1, y - 1}, {x + 2, y + 2}}, 0));
    ASSERT_TRUE(fleet.world_changed());
    for (int frame = 0; frame < 6000 && fleet.unit(unit).state != FleetState::arrived; ++frame) {
        ASSERT_TRUE(fleet.update(kTick, {.units = frame < 60 ? 2U : 2000U}));
        if (!fleet.unit(unit).has_way) continue;
        const Violation bad = verify(*fleet.route(unit), grid, soldier().agent);
        ASSERT_FALSE(bad) << bad.text().c_str();
    }
    EXPECT_EQ(fleet.unit(unit).state, FleetState::arrived);
}

// ---- shared fields -----------------------------------------------------------------------------------------

struct Crowded {
    explicit Crowded(Grid&& tiles, std::size_t count, std::uint64_t seed, const FleetOptions& options = {})
        : grid(std::move(tiles)), port(grid), fleet(*Fleet::make(shares_early(port.port()), options)) {
        const FleetKind kind = *fleet.add_kind(soldier());
        Rng dice(seed);
        for (const Cell cell : apart_cells(grid, goal, dice, count))
            ids.push_back(*fleet.add(kind, on(grid.state().cell_centre(cell))));
    }
    void update(std::uint64_t units = 5000) {
        ASSERT_TRUE(fleet.update(kTick, {.units = units}));
        ASSERT_LE(fleet.report().units, units);
        ASSERT_EQ(fleet.report().units_over, 0U);
        for (const FleetId id : ids) {
            const FleetView view = fleet.unit(id);
            if (!view.exists || !view.has_way || view.state == FleetState::arrived) continue;
            if (fleet.route(id)->revision != grid.state().revision()) continue;
            const Violation bad = verify(*fleet.route(id), grid, soldier().agent);
            ASSERT_FALSE(bad) << bad.text().c_str();
        }
    }
    [[nodiscard]] std::size_t count(FleetState state) const {
        return static_cast<std::size_t>(
            std::count_if(ids.begin(), ids.end(), [&](FleetId id) { return fleet.unit(id).state == state; }));
    }

    Grid grid;
    Cell goal = free_from(grid, 30, 30);
    TileFleet port;
    Fleet fleet;
    std::vector<FleetId> ids;
};

TEST(FleetFields, WaysAreNoLongerThanThoseFromTileToTile) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        Crowded all(houses(seed, 60, 40), 40, seed);
        const Vec2 goal = all.grid.state().cell_centre(all.goal);
        std::vector<Vec2> starts;
        for (const FleetId id : all.ids) starts.push_back(ground(all.fleet.unit(id).place.position));
        ASSERT_TRUE(all.fleet.send(all.ids, goal));
        EXPECT_EQ(all.fleet.fields(), 1U);
        const std::vector<double> least = distances(all.grid, all.goal);
        int frames = 0;
        const auto waits = [&] { return all.count(FleetState::waiting) > 0; };
        for (; frames < 14 && waits(); ++frames) all.update();
        ASSERT_LT(frames, 14);
        for (std::size_t i = 0; i < all.ids.size(); ++i) {
            const Route& route = *all.fleet.route(all.ids[i]);
            EXPECT_STREQ(route.planner, "flow_field");
            const auto cell =
                static_cast<std::size_t>(std::floor(starts[i].y) * 60 + std::floor(starts[i].x));
            EXPECT_LE(route.length, least[cell] + 1e-9);
            EXPECT_GE(route.length, distance(starts[i], goal) - 1e-9);
        }
        for (int frame = 0; frame < 3000 && all.count(FleetState::arrived) < all.ids.size(); ++frame) {
            all.update();
            if (frame % 10 == 0) expect_apart(all.fleet, all.ids, 0.4);
        }
        EXPECT_EQ(all.count(FleetState::arrived), all.ids.size());
        EXPECT_EQ(all.fleet.fields(), 0U);
    }
}

TEST(FleetFields, OnAMeshWaysAreTheShortest) {
    const Grid grid = houses(3, 60, 40);
    GridTile cut;
    PolygonScratch polygons;
    ASSERT_TRUE(grid_tile_into(grid, {}, 0, 0, polygons, cut));
    const NavMeshTile tile = cut.tile();
    const Result<NavMesh> made = NavMesh::make({.agent_radius = 0.4, .tiles = {&tile, 1}});
    ASSERT_TRUE(made);
    const NavMesh& mesh = *made;
    const MeshFleet port(mesh);
    Fleet fleet = *Fleet::make(shares_early(port.port()));
    const FleetKind kind = *fleet.add_kind(soldier());
    Rng dice(5);
    const Cell goal_cell = free_from(grid, 30, 30);
    const Vec2 goal = grid.state().cell_centre(goal_cell);
    std::vector<FleetId> ids;
    for (const Cell cell : apart_cells(grid, goal_cell, dice, 40))
        ids.push_back(*fleet.add(kind, on(grid.state().cell_centre(cell))));
    ASSERT_TRUE(fleet.send(ids, Vec3{goal.x, goal.y, 0.0}));
    Scratch scratch;
    std::vector<Vec3> starts;
    for (const FleetId id : ids) starts.push_back(fleet.unit(id).place.position);
    ASSERT_EQ(fleet.fields(), 1U);
    for (int frame = 0; frame < 14; ++frame) ASSERT_TRUE(fleet.update(kTick, {.units = 5000}));
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const Result<Route> own =
            find_route(mesh, MeshQuery{.start = starts[i], .goal = Vec3{goal.x, goal.y, 0.0}}, scratch);
        ASSERT_TRUE(own);
        EXPECT_NEAR(fleet.route(ids[i])->length, own->length, 1e-9 * (1.0 + own->length));
        EXPECT_STREQ(fleet.route(ids[i])->planner, "mesh_field");
    }
}

TEST(FleetFields, AnEditFillsItAnew) {
    Grid grid = *Grid::make({.width = 60, .height = 60});
    ASSERT_TRUE(grid.fill({{20, 0}, {21, 28}}, 0) && grid.fill({{20, 34}, {21, 60}}, 0));
    Crowded all(std::move(grid), 60, 2);
    const Vec2 goal = all.grid.state().cell_centre(all.goal);
    ASSERT_TRUE(all.fleet.send(all.ids, goal));
    for (int frame = 0; frame < 14; ++frame) all.update();
    // the door is shut, and another one opened
    ASSERT_TRUE(all.grid.fill({{20, 28}, {21, 34}}, 0) && all.grid.fill({{20, 50}, {21, 56}}, 1));
    ASSERT_TRUE(all.fleet.world_changed());
    EXPECT_EQ(all.fleet.fields(), 1U);
    int renewed = 0;
    for (int frame = 0; frame < 30; ++frame) all.update();
    for (const FleetId id : all.ids) {
        const Route& route = *all.fleet.route(id);
        const bool anew = route.revision == all.grid.state().revision();
        renewed += anew ? 1 : 0;
        if (anew) {
            EXPECT_STREQ(route.planner, "flow_field");
        }
    }
    EXPECT_GT(renewed, 9);
    for (int frame = 0; frame < 5000 && all.count(FleetState::arrived) < all.ids.size(); ++frame)
        all.update();
    EXPECT_EQ(all.count(FleetState::arrived), all.ids.size());
    EXPECT_EQ(all.fleet.fields(), 0U);
}

TEST(FleetFields, WhereItTakesLongFirstLegsComeBefore) {
    Crowded all(houses(9, 100, 100), 30, 3);
    const Vec2 goal = all.grid.state().cell_centre(all.goal);
    ASSERT_TRUE(all.fleet.send(all.ids, goal));
    int first_legs = -1;
    std::size_t by_field = 0;
    for (int frame = 0; frame < 12000 && all.count(FleetState::arrived) < all.ids.size(); ++frame) {
        all.update(60);
        std::size_t have = 0;
        for (const FleetId id : all.ids) have += all.fleet.unit(id).has_way ? 1 : 0;
        if (first_legs < 0 && have == all.ids.size()) {
            first_legs = frame;
            EXPECT_EQ(all.fleet.fields(), 1U);
        }
        for (const FleetId id : all.ids)
            by_field += std::string(all.fleet.route(id)->planner) == "flow_field" ? 1 : 0;
    }
    EXPECT_GT(first_legs, 14);
    EXPECT_LT(first_legs, 250);
    EXPECT_GT(by_field, 0U);
    EXPECT_EQ(all.count(FleetState::arrived), all.ids.size());
}

std::uint64_t stirred(std::uint32_t threads, std::uint64_t seed) {
    FleetOptions options;
    options.schedule.threads = threads;
    options.first_leg_units = 30;
    Crowded all(houses(seed, 60, 50), 40, seed, options);
    Rng dice(seed);
    const std::vector<Cell> goals = apart_cells(all.grid, all.goal, dice, 8);
    for (int frame = 0; frame < 400; ++frame) {
        const std::uint32_t what = dice.below(40);
        const FleetId one = all.ids[dice.below(static_cast<std::uint32_t>(all.ids.size()))];
        const Vec2 to = all.grid.state().cell_centre(goals[dice.below(8)]);
        if (what == 0) {
            EXPECT_TRUE(all.fleet.send(all.ids, to));
        }
        if (what == 1) {
            EXPECT_TRUE(all.fleet.send(std::span(all.ids).first(20), to));
        }
        if (what == 2) {
            EXPECT_TRUE(all.fleet.send(one, to));
        }
        if (what == 3) {
            EXPECT_TRUE(all.fleet.stop(one));
        }
        if (what == 4) {
            EXPECT_TRUE(all.fleet.send(std::span(all.ids).first(6), to, FormationOptions{}));
        }
        if (what == 5) {
            const std::int32_t x = dice.between(3, 50), y = dice.between(3, 50);
            bool stands = false;
            for (const FleetId id : all.ids) {
                const Vec3 at = all.fleet.unit(id).place.position;
                stands = stands || (at.x > x - 1 && at.x < x + 4 && at.y > y - 1 && at.y < y + 4);
            }
            if (!stands) {
                EXPECT_TRUE(
                    all.grid.fill({{x, y}, {x + 3, y + 3}}, static_cast<std::uint8_t>(dice.below(2))));
                EXPECT_TRUE(all.fleet.world_changed());
            }
        }
        if (what == 6 && all.ids.size() > 25) {
            EXPECT_TRUE(all.fleet.remove(all.ids.back()));
            all.ids.pop_back();
        }
        all.update(1 + dice.below(800));
        if (::testing::Test::HasFatalFailure()) return 0;
        if (frame % 10 == 0) expect_apart(all.fleet, all.ids, 0.4);
    }
    return all.fleet.digest();
}

TEST(FleetFields, StirredUpTheyStayApartAndNeverPassTheBudgetWithAnyThreads) {
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(trials(20)) + 1; ++seed) {
        const std::uint64_t alone = stirred(0, seed);
        EXPECT_EQ(alone, stirred(3, seed)) << seed;
        if (HasFatalFailure()) return;
    }
}

TEST(FleetFields, BadInputChangesNothing) {
    Crowded all(houses(1, 60, 10), 12, 1);
    const Vec2 goal = all.grid.state().cell_centre(all.goal);
    EXPECT_EQ(all.fleet.send(std::span<const FleetId>{}, goal).error().code, ErrorCode::size_zero);
    EXPECT_EQ(all.fleet.send(all.ids, Vec2{kInf, 0.0}).error().code, ErrorCode::not_finite);
    std::vector<FleetId> with_stranger = all.ids;
    with_stranger[5] = FleetId{99};
    const Result<void> sent = all.fleet.send(with_stranger, goal);
    EXPECT_EQ(sent.error().code, ErrorCode::unknown_id);
    EXPECT_EQ(all.fleet.fields(), 0U);
    EXPECT_EQ(all.count(FleetState::idle), all.ids.size());
    // a goal in a wall: all are told
    const Cell wall = [&] {
        for (std::int32_t i = 0;; ++i) {
            if (!free_cell(all.grid, i % 60, i / 60)) return Cell{i % 60, i / 60};
        }
    }();
    ASSERT_TRUE(all.fleet.send(all.ids, all.grid.state().cell_centre(wall)));
    for (int frame = 0; frame < 20; ++frame) all.update();
    EXPECT_EQ(all.count(FleetState::invalid), all.ids.size());
    EXPECT_EQ(all.fleet.fields(), 0U);
}

}  // namespace
}  // namespace fairlead::testing
