// Units that begin, end or stand in a door: the others come past them.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/bridge/narrow_places_of.h>
#include <fairlead/crowd/crowd.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/grid/grid.h>

namespace fairlead::testing {
namespace {

constexpr double kDoorRadius = 0.45;
constexpr Vec2 kDoor{15.5, 5.5};

/// Two halls of 15 x 11 tiles; one tile of the wall between them is a door.
struct Halls {
    Grid grid = make_grid();
    NarrowPlaces places = find_places(grid);
    TileCrowd walls{grid.state()};
    Crowd crowd = *Crowd::make();
    Scratch scratch{};
    std::vector<UnitId> ids{};

    static Grid make_grid() {
        std::vector<std::uint8_t> tiles(std::size_t{31} * 11, 1);
        for (std::size_t y = 0; y < 11; ++y) tiles[y * 31 + 15] = y == 5 ? 1 : 0;
        GridOptions options;
        options.width = 31;
        options.height = 11;
        Grid grid = *Grid::make(options, tiles);
        EXPECT_TRUE(grid.register_size({.radius = kDoorRadius}));
        return grid;
    }
    static NarrowPlaces find_places(const Grid& grid) {
        const TileWalls walls(grid.state(), {.radius = kDoorRadius});
        PlaceFinder finder;
        return *finder.find(walls.options(), walls.rows());
    }

    Halls() { EXPECT_TRUE(crowd.set_places(&places)); }

    void go(Vec2 from, Vec2 to, std::uint32_t group = 0) {
        fairlead::CrowdUnit body;
        body.radius = kDoorRadius;
        body.limits = SpeedLimits::only(1.5);
        body.limits.accel_max = body.limits.brake_max = body.limits.lateral_accel_max = 8.0;
        Place at;
        at.position = {from.x, from.y, 0.0};
        ids.push_back(*crowd.add(body, at));
        const Result<Route> route =
            find_route(grid, GridQuery{.start = from, .goal = to, .agent = {.radius = kDoorRadius}}, scratch);
        ASSERT_TRUE(route);
        ASSERT_TRUE(crowd.send(ids.back(), *route, {group}));
    }

    /// How many came to their goal at some time.
    std::size_t play(int ticks) {
        std::vector<bool> came(ids.size(), false);
        for (int tick = 0; tick < ticks; ++tick) {
            EXPECT_TRUE(crowd.update(1.0 / 30.0, walls.world()));
            for (std::size_t i = 0; i < ids.size(); ++i)
                came[i] = came[i] || crowd.unit(ids[i]).state == UnitState::arrived;
        }
        return static_cast<std::size_t>(std::count(came.begin(), came.end(), true));
    }
};

TEST(CrowdDoors, WhoArrivedInADoorMakesWay) {
    Halls halls;
    ASSERT_EQ(halls.places.places().size(), 1U);
    halls.go({13.5, 5.5}, kDoor);
    for (int i = 0; i < 3; ++i) {
        halls.go({5.5, 2.5 + 3.0 * i}, {25.5, 2.5 + 3.0 * i});
        halls.go({26.5, 1.5 + 3.0 * i}, {4.5, 1.5 + 3.0 * i});
    }
    EXPECT_EQ(halls.play(3000), 7U);
}

TEST(CrowdDoors, WhoBeganInADoorComesOutFirst) {
    Halls halls;
    halls.go(kDoor, {25.5, 9.5});
    for (int i = 0; i < 3; ++i) {
        halls.go({13.5, 2.5 + 3.0 * i}, {25.5, 2.5 + 3.0 * i});
        halls.go({17.5, 2.5 + 3.0 * i}, {4.5, 1.5 + 3.0 * i});
    }
    EXPECT_EQ(halls.play(1500), 7U);
}

/// A group that stands packed before a door, the nearest ones beside the mouth. They were let in by how late they were: those behind
/// came not through, and those before were in their way.
TEST(CrowdDoors, TheNearestOfAGroupGoesFirst) {
    Halls halls;
    for (int i = 0; i < 24; ++i) halls.go({14.4 - i % 4, 2.6 + 1.0 * (i / 4)}, {25.5, 5.5}, 1);
    int ticks = 0;
    std::size_t through = 0;
    for (; through < 24U && ticks < 3000; ++ticks) {
        EXPECT_TRUE(halls.crowd.update(1.0 / 30.0, halls.walls.world()));
        through = 0;
        for (const UnitId id : halls.ids) through += halls.crowd.unit(id).place.position.x > 16.5 ? 1U : 0U;
    }
    EXPECT_EQ(through, 24U);
    EXPECT_LT(ticks, 900);
}

TEST(CrowdDoors, FromDoorToTheSameDoor) {
    Halls halls;
    halls.go({15.3, 5.5}, {15.7, 5.5});
    halls.go({13.5, 5.5}, {25.5, 5.5});
    halls.go({17.5, 5.5}, {4.5, 5.5});
    EXPECT_EQ(halls.play(2000), 3U);
}

}  // namespace
}  // namespace fairlead::testing
