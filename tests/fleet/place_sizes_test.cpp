// Narrow places of a fleet: units of several sizes in one passage, doors that close, floors above each other, and one unit alone in a maze
// of walls. Which places there are is asked of finders of their own; that nobody stays away is asked of everyone.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/tile_fleet.h>

#include "fleet/place_store.h"
#include "support/environment.h"
#include "support/grids.h"

namespace fairlead::testing {
namespace {

constexpr double kHallsStep = 1.0 / 30.0;

FleetUnit hall_walker(double radius) {
    FleetUnit unit;
    unit.agent.radius = radius;
    unit.limits = SpeedLimits::only(2.0);
    unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = 8.0;
    return unit;
}

/// Two halls, and a passage of `wide` tiles and 10 long between them.
std::vector<std::string> two_halls(std::size_t wide) {
    std::vector<std::string> rows(16, std::string(44, '#'));
    for (std::size_t y = 1; y < 15; ++y) {
        for (std::size_t x = 1; x < 17; ++x) rows[y][x] = rows[y][x + 26] = '.';
    }
    for (std::size_t i = 0; i < wide; ++i) rows[7 + i].replace(17, 10, 10, '.');
    return rows;
}

struct Played {
    int arrived = 0;
    double seconds = 0.0;
};

struct Going {
    Vec2 from{};
    Vec2 to{};
    double radius = 0.0;
    double z = 0.0;
};

Played play(Fleet& fleet, const std::vector<Going>& all, double seconds_max) {
    std::vector<FleetKind> kinds;
    std::vector<FleetId> ids;
    for (const Going& one : all) {
        kinds.push_back(*fleet.add_kind(hall_walker(one.radius)));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        Place at;
        at.position = {all[i].from.x, all[i].from.y, all[i].z};
        ids.push_back(*fleet.add(kinds[i], at));
        EXPECT_TRUE(fleet.send(ids[i], Spot(Vec3{all[i].to.x, all[i].to.y, all[i].z})));
    }
    Played played;
    std::vector<bool> came(ids.size(), false);
    while (played.seconds < seconds_max && played.arrived < static_cast<int>(ids.size())) {
        EXPECT_TRUE(fleet.update(kHallsStep, {.units = 100000}));
        played.seconds += kHallsStep;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const FleetState state = fleet.unit(ids[i]).state;
            if (state != FleetState::arrived || came[i]) continue;
            came[i] = true;
            ++played.arrived;
        }
    }
    return played;
}

std::vector<Going> both_ways(double radius, int count, double row) {
    std::vector<Going> all;
    for (int i = 0; i < count; ++i) {
        const double y = row + 2.0 * (i % 6);
        const double x = 2.5 + 2.0 * (i / 6);
        all.push_back({{x, y}, {43.0 - x, y}, radius});
        all.push_back({{43.5 - x, y}, {x + 0.5, y}, radius});
    }
    return all;
}

TEST(PlaceSizes, SmallUnitsPassEachOtherWhereLargeOnesQueue) {
    const Grid grid = grid_of(two_halls(1));
    const TileFleet tiles(grid);
    Result<Fleet> small = Fleet::make(tiles.port());
    ASSERT_TRUE(small->add_kind(hall_walker(0.45)));  // there could be large ones
    const Played alone = play(*small, both_ways(0.24, 6, 2.0), 120.0);
    EXPECT_EQ(alone.arrived, 12);
    const TileFleet again(grid);
    Result<Fleet> mixed = Fleet::make(again.port());
    std::vector<Going> all = both_ways(0.24, 6, 2.0);
    for (const Going& large : both_ways(0.45, 4, 3.0)) all.push_back(large);
    const Played together = play(*mixed, all, 240.0);
    EXPECT_EQ(together.arrived, static_cast<int>(all.size()));
    // 21 s is what the farthest needs by itself: nobody waited for a turn
    EXPECT_LT(alone.seconds, 26.0);
}

TEST(PlaceSizes, SeveralSizesBothWaysThroughADoorAndACorridor) {
    for (const std::size_t wide : {std::size_t{1}, std::size_t{2}}) {
        const Grid grid = grid_of(two_halls(wide));
        const TileFleet tiles(grid);
        Result<Fleet> fleet = Fleet::make(tiles.port());
        std::vector<Going> all;
        const double radii[] = {0.3, 0.36, 0.42, 0.48};
        for (int k = 0; k < 4; ++k) {
            for (Going one : both_ways(radii[k], 3, 2.0 + 0.5 * (k % 2))) {
                one.from.x += one.from.x < 20.0 ? 3.0 * (k / 2) : -3.0 * (k / 2);
                one.from.y += 6.0 * (k % 2);
                one.to.x += one.to.x < 20.0 ? 3.0 * (k / 2) : -3.0 * (k / 2);
                one.to.y += 6.0 * (k % 2);
                all.push_back(one);
            }
        }
        EXPECT_EQ(play(*fleet, all, 240.0).arrived, static_cast<int>(all.size())) << wide;
    }
}

TEST(PlaceSizes, AStoreRepairsWhatADoorChanges) {
    Grid grid = grid_of(two_halls(1));
    const double radii[] = {0.3, 0.45};
    fleet::PlaceStore<Grid> store({});
    const auto find = [&] { return *store.find(grid.acquire(), radii); };
    const auto expect_fresh = [&](const PlaceSheets& sheets) {
        fleet::PlaceStore<Grid> fresh({});
        const PlaceSheets anew = *fresh.find(grid.acquire(), radii);
        ASSERT_EQ(sheets.sheets.size(), anew.sheets.size());
        for (std::size_t i = 0; i < anew.sheets.size(); ++i)
            EXPECT_TRUE(*sheets.sheets[i].places == *anew.sheets[i].places);
    };
    const PlaceSheets first = find();
    EXPECT_EQ(first.sheets.size(), 2U);
    const std::uint64_t version = first.version;
    EXPECT_EQ(find().version, version);
    ASSERT_TRUE(grid.fill({{20, 7}, {21, 8}}, 0));  // the door closes
    const PlaceSheets closed = find();
    EXPECT_NE(closed.version, version);
    expect_fresh(closed);
    ASSERT_TRUE(grid.fill({{20, 7}, {21, 8}}, 1));
    ASSERT_TRUE(grid.fill({{17, 2}, {27, 3}}, 1));  // and another passage opens
    const PlaceSheets opened = find();
    expect_fresh(opened);
    EXPECT_EQ(opened.sheets.size(), 2U);
    EXPECT_EQ(opened.sheets[0].places->places().size(), 2U);
    const std::uint64_t last = opened.version;
    ASSERT_TRUE(grid.fill({{3, 3}, {4, 4}}, 2));  // rough ground is no wall
    EXPECT_EQ(find().version, last);
}

TEST(PlaceSizes, UnitsUnderWayKeepOrderWhenAnotherDoorCloses) {
    std::vector<std::string> rows = two_halls(1);
    rows[2].replace(17, 10, 10, '.');
    Grid grid = grid_of(rows);
    const TileFleet tiles(grid);
    Result<Fleet> fleet = Fleet::make(tiles.port());
    const std::vector<Going> all = both_ways(0.45, 6, 2.0);
    const FleetKind kind = *fleet->add_kind(hall_walker(0.45));
    std::vector<FleetId> ids;
    for (const Going& one : all) {
        Place at;
        at.position = {one.from.x, one.from.y, 0.0};
        ids.push_back(*fleet->add(kind, at));
        ASSERT_TRUE(fleet->send(ids.back(), one.to));
    }
    int arrived = 0;
    for (int tick = 0; tick < 5400 && arrived < static_cast<int>(ids.size()); ++tick) {
        if (tick == 90) {
            ASSERT_TRUE(grid.fill({{17, 2}, {18, 3}}, 0));
            ASSERT_TRUE(fleet->world_changed());
        }
        ASSERT_TRUE(fleet->update(kHallsStep, {.units = 100000}));
        arrived = 0;
        for (const FleetId id : ids) arrived += fleet->unit(id).state == FleetState::arrived ? 1 : 0;
    }
    // who stood in the mouth of the wall that came may be walled in
    EXPECT_GE(arrived, static_cast<int>(ids.size()) - 1);
}

TEST(PlaceSizes, FloorsAboveEachOtherHaveTheirOwnPlaces) {
    std::vector<std::string> rows = two_halls(1);
    const std::vector<std::string> upper = two_halls(2);
    rows.insert(rows.end(), upper.begin(), upper.end());
    const Grid grid = grid_of(rows, {.layers = 2});
    const Result<NavMesh> mesh = make_grid_mesh(grid, {.layer_height = 3.0, .radius_max = 0.5});
    ASSERT_TRUE(mesh.has_value());
    fleet::PlaceStore<NavMesh> store({});
    const double radii[] = {0.3, 0.45};
    const PlaceSheets sheets = *store.find(mesh->acquire(), radii);
    ASSERT_EQ(sheets.sheets.size(), 4U);
    for (const PlaceSheet& sheet : sheets.sheets) {
        ASSERT_EQ(sheet.places->places().size(), 1U);
        const std::uint32_t place = sheet.places->place_at({22.0, 7.5});
        const double z =
            sheet.floor == sheets.floors.floor_of({{22.0, 7.5, 0.0}}, sheets.floors.user) ? 0.0 : 3.0;
        EXPECT_NEAR(sheet.places->places()[0].width, z == 0.0 ? 1.0 : 2.0, 0.19);
        EXPECT_NE(place, kNoPlace);
    }
    const MeshFleet level(*mesh);
    Result<Fleet> fleet = Fleet::make(level.port());
    std::vector<Going> all;
    for (const double z : {0.0, 3.0}) {
        for (Going one : both_ways(0.45, 4, 2.0)) {
            one.z = z;
            all.push_back(one);
        }
    }
    const Played played = play(*fleet, all, 240.0);
    EXPECT_EQ(played.arrived, static_cast<int>(all.size()));
}

// The backs of walls around a thin block are no walls for who stands before it.
TEST(PlaceSizes, BesideAThinBlockOnAMeshAUnitIsFree) {
    const Grid grid = grid_of({"........", "........", "..####..", "........", "........", "........"});
    const Result<NavMesh> mesh = make_grid_mesh(grid, {.radius_max = 0.5});
    ASSERT_TRUE(mesh.has_value());
    for (const double x : {2.6, 4.0, 5.4}) {
        const MeshFleet level(*mesh);
        Result<Fleet> fleet = Fleet::make(level.port());
        FleetUnit unit = hall_walker(0.3);
        unit.limits.speed_max = 2.5;
        unit.limits.accel_max = unit.limits.brake_max = 2.0;  // so that it looks far
        const FleetKind kind = *fleet->add_kind(unit);
        Place at;
        at.position = {x, 3.35, 0.0};
        const FleetId id = *fleet->add(kind, at);
        ASSERT_TRUE(fleet->send(id, Vec2{x, 5.5}));
        for (int tick = 0; tick < 150; ++tick) ASSERT_TRUE(fleet->update(kHallsStep, {.units = 100000}));
        EXPECT_EQ(fleet->unit(id).state, FleetState::arrived) << x;
    }
}

// Axes of places among scattered walls wind; a unit that nobody meets goes its own way.
TEST(PlaceSizes, OneUnitAloneIsNeverStuck) {
    Rng rng(2411);
    int reached = 0;
    for (int round = 0; round < trials(8); ++round) {
        std::vector<std::uint8_t> tiles(60 * 60, 1);
        for (std::uint8_t& tile : tiles) tile = rng.below(100) < 25 ? 0 : 1;
        Grid grid = *Grid::make({.width = 60, .height = 60}, tiles);
        const FleetUnit unit = hall_walker(0.4);
        ASSERT_TRUE(grid.register_size(unit.agent));
        const TileFleet port(grid);
        Result<Fleet> fleet = Fleet::make(port.port());
        const FleetKind kind = *fleet->add_kind(unit);
        const auto place = [&] {
            for (;;) {
                const std::int32_t x = rng.between(0, 59);
                const Cell cell{x, rng.between(0, 59)};
                if (grid.state().can_stand(cell, unit.agent)) return grid.state().cell_centre(cell);
            }
        };
        Place at;
        const Vec2 start = place();
        at.position = {start.x, start.y, 0.0};
        const FleetId id = *fleet->add(kind, at);
        for (int goal = 0; goal < 10; ++goal) {
            ASSERT_TRUE(fleet->send(id, place()));
            FleetState state = FleetState::waiting;
            for (int tick = 0; tick < 6000; ++tick) {
                ASSERT_TRUE(fleet->update(kHallsStep, {.units = 1000000}));
                state = fleet->unit(id).state;
                if (state == FleetState::arrived || state == FleetState::unreachable) break;
            }
            EXPECT_TRUE(state == FleetState::arrived || state == FleetState::unreachable)
                << round << ' ' << goal << ' ' << fleet_state_name(state);
            reached += state == FleetState::arrived ? 1 : 0;
        }
    }
    if (all_trials()) {
        EXPECT_GT(reached, 40);
    }
}

}  // namespace
}  // namespace fairlead::testing
