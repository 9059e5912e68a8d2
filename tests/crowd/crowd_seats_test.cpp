// Many units, one goal: where they stand in the end, and that those who come first leave the way open. The judge knows plain geometry.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/crowd/crowd.h>
#include <fairlead/grid/find_route.h>

#include "crowd/crowd_data.h"

namespace fairlead::testing {
namespace {

constexpr double kSeatStep = 1.0 / 30.0;

/// 60 x 24 tiles of one metre; a wall at x = 40 with a gate from y = 10 to 14; the room behind it is 19 wide.
Grid two_rooms() {
    std::vector<std::uint8_t> costs(60 * 24, 1);
    for (int y = 0; y < 24; ++y) {
        if (y < 10 || y >= 14) costs[static_cast<std::size_t>(y * 60 + 40)] = 0;
    }
    const std::vector<Agent> sizes{{.radius = 0.5}};
    Result<Grid> grid = Grid::make({.width = 60, .height = 24, .sizes = sizes}, costs);
    EXPECT_TRUE(grid);
    return std::move(*grid);
}

struct Gathering {
    Grid grid = two_rooms();
    TileCrowd tiles{grid.state()};
    Crowd crowd = *Crowd::make({.seed = 5});
    std::vector<UnitId> ids{};
    Scratch scratch{};
    Vec2 goal{};

    explicit Gathering(Vec2 to) : goal(to) {}

    void send(UnitId id, Vec2 from, std::uint32_t group) {
        const GridQuery query{.start = from, .goal = goal, .agent = {.radius = 0.5}};
        const Result<Route> route = find_route(grid, query, scratch);
        ASSERT_TRUE(route && route->status == PathStatus::complete);
        ASSERT_TRUE(crowd.send(id, *route, {group}));
    }
    void add(Vec2 from, double speed = 1.5) {
        fairlead::CrowdUnit body;
        body.limits = SpeedLimits::only(speed);
        body.limits.accel_max = body.limits.brake_max = body.limits.lateral_accel_max = 8.0;
        Place at;
        at.position = {from.x, from.y, 0.0};
        const Result<UnitId> id = crowd.add(body, at);
        ASSERT_TRUE(id);
        ids.push_back(*id);
        send(*id, from, 1);
    }
    /// `count` of them in rows, from x = 36 to the west.
    void add_rows(int count) {
        for (int i = 0; i < count; ++i) add({36.0 - 1.2 * (i / 16), 3.0 + 1.2 * (i % 16)});
    }
    [[nodiscard]] Vec2 at(std::size_t i) const { return ground(crowd.unit(ids[i]).place.position); }
    [[nodiscard]] std::size_t standing() const {
        std::size_t sum = 0;
        for (const UnitId id : ids) sum += crowd.unit(id).state == UnitState::arrived ? 1 : 0;
        return sum;
    }
    /// Until all stand, or so long; the nearest two centres.
    double play(double seconds) {
        double nearest = 1e9;
        for (double t = 0.0; t < seconds && standing() < ids.size(); t += kSeatStep) {
            EXPECT_TRUE(crowd.update(kSeatStep, tiles.world()));
            for (std::size_t i = 0; i < ids.size(); ++i) {
                for (std::size_t k = 0; k < i; ++k) nearest = std::min(nearest, distance(at(i), at(k)));
            }
        }
        return nearest;
    }
};

/// The goal lies just behind the gate: who settles around it first must not close it.
TEST(CrowdSeats, WhoComesFirstLeavesTheGateOpen) {
    Gathering gathering{{43.0, 12.0}};
    gathering.add_rows(96);
    EXPECT_GE(gathering.play(90.0), 1.0 - 1e-9);
    EXPECT_EQ(gathering.standing(), gathering.ids.size());
    // most of them on the near side of a disc that they would fill, none farther than it by a quarter
    const double radius = 0.5 * std::sqrt(96.0 / 0.6) + 0.5;
    for (std::size_t i = 0; i < gathering.ids.size(); ++i)
        EXPECT_LE(distance(gathering.at(i), gathering.goal), 1.5 * radius) << i;
}

TEST(CrowdSeats, OneMoreComesWhenAllStand) {
    Gathering gathering{{43.0, 12.0}};
    gathering.add_rows(40);
    gathering.play(60.0);
    ASSERT_EQ(gathering.standing(), 40U);
    gathering.add({10.0, 12.0});
    EXPECT_GE(gathering.play(60.0), 1.0 - 1e-9);
    EXPECT_EQ(gathering.standing(), 41U);
}

TEST(CrowdSeats, AnotherGoalAndNobodyLeft) {
    Gathering gathering{{43.0, 12.0}};
    gathering.add_rows(30);
    gathering.play(60.0);
    gathering.goal = {8.0, 12.0};
    for (std::size_t i = 0; i < gathering.ids.size(); ++i)
        gathering.send(gathering.ids[i], gathering.at(i), 1);
    gathering.play(90.0);
    EXPECT_EQ(gathering.standing(), 30U);
    for (std::size_t i = 0; i < gathering.ids.size(); ++i)
        EXPECT_LE(distance(gathering.at(i), gathering.goal), 0.5 * std::sqrt(30.0 / 0.6) + 2.0);
    for (const UnitId id : gathering.ids) EXPECT_TRUE(gathering.crowd.remove(id));
    gathering.ids.clear();
    EXPECT_TRUE(gathering.crowd.update(kSeatStep, gathering.tiles.world()));
}

TEST(CrowdSeats, OnASmallIslandOfGroundTheRestStandsBehind) {
    Gathering gathering{{58.5, 22.5}};
    gathering.add_rows(64);
    EXPECT_GE(gathering.play(120.0), 1.0 - 1e-9);
    EXPECT_EQ(gathering.standing(), gathering.ids.size());
}

// ---- the flood, by itself

bool box_clear(Vec3 a, Vec3 b, double radius) {  // sampled: a box from (2, -3) to (3, 3)
    for (int i = 0; i <= 200; ++i) {
        const Vec3 p = a + (b - a) * (i / 200.0);
        const double x = std::max({2.0 - p.x, 0.0, p.x - 3.0});
        const double y = std::max({-3.0 - p.y, 0.0, p.y - 3.0});
        if (x * x + y * y < radius * radius * (1.0 - 1e-9)) return false;
    }
    return true;
}

TEST(CrowdSeats, SeatsAreFloodedAlongClearWays) {
    CrowdWorld world;
    world.clear = [](const Place& from, Vec3 to, double radius, void*) {
        return box_clear(from.position, to, radius);
    };
    crowd::CrowdData data{CrowdOptions{}};
    data.world = &world;
    crowd::Group group;
    group.id = 7;
    group.units = 100;
    group.widest = 0.5;
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(crowd::flood_seats(data, group));
    EXPECT_GE(group.seats.count, 130U);
    double before = 0.0;
    std::vector<Vec2> places;
    for (std::uint32_t i = group.seats.first; i != crowd::kNone; i = data.seats.list[i].next) {
        const crowd::Seat& seat = data.seats.list[i];
        for (const Vec2 other : places) EXPECT_GE(distance(other, ground(seat.at)), 1.16 - 1e-9);
        places.push_back(ground(seat.at));
        EXPECT_TRUE(box_clear(seat.at, seat.at, 0.5));
        EXPECT_GE(seat.away, length(ground(seat.at)) - 1e-9);
        EXPECT_GE(seat.away, before - 0.3) << "nearest first, but for corners";
        before = std::max(before, seat.away);
        double way = 0.0;
        const crowd::Seat* at = &seat;
        while (at->corner != crowd::kNone) {
            const crowd::Seat& corner = data.seats.list[at->corner];
            EXPECT_TRUE(box_clear(corner.at, at->at, 0.5));
            way += distance(corner.at, at->at);
            at = &corner;
        }
        EXPECT_NEAR(way, seat.away, 1e-9);
        if (seat.at.x > 3.6 && std::fabs(seat.at.y) < 1.0) {
            EXPECT_GE(seat.away, 6.0) << "behind the box: round an end";
        }
        EXPECT_EQ(crowd::seat_at(data, group, ground(seat.at) + Vec2{0.1, -0.2}), i);
    }
    crowd::drop_seats(data, group);
    EXPECT_EQ(group.seats.count, 0U);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(crowd::flood_seats(data, group));
    EXPECT_EQ(group.seats.count, places.size()) << "the same again in the same memory";
}

}  // namespace
}  // namespace fairlead::testing
