// Walkers who meet where somebody has to go back: planned together, within their limits, clear of walls and of each
// other, whatever is asked of
// them meanwhile.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/grid/grid.h>

#include "scenes/lane_maze.h"
#include "support/cluster_maps.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

constexpr double kTangleStep = 1.0 / 30.0;
constexpr double kRadius = 0.4;
constexpr double kAccel = 6.0;

Grid grid_from(const std::vector<std::string>& rows) {
    std::vector<std::uint8_t> tiles;
    for (const std::string& row : rows) {
        for (const char letter : row) tiles.push_back(letter == '.' ? 1 : 0);
    }
    return *Grid::make({.width = static_cast<std::int32_t>(rows[0].size()),
                        .height = static_cast<std::int32_t>(rows.size())},
                       tiles);
}

/// Walkers on tiles, each tick of whom is looked at by plain geometry.
class Walk {
  public:
    Walk(const Grid& grid, bool knots) : grid_(grid), port_(grid), fleet(make(port_, knots)) {
        FleetUnit unit;
        unit.agent.radius = kRadius;
        unit.limits = SpeedLimits::only(1.5);
        unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = kAccel;
        kind_ = *fleet.add_kind(unit);
    }
    void add(Vec2 at) {
        Place place;
        place.position = {at.x, at.y, 0.0};
        ids.push_back(*fleet.add(kind_, place));
        before_.push_back(place.position);
        speed_.push_back({});
    }
    void send(std::size_t i, Vec2 to) { ASSERT_TRUE(fleet.send(ids[i], to)); }
    /// All of them, as a group that shares one field, or in formation.
    void send_all(Vec2 to, bool formation) {
        if (formation) {
            ASSERT_TRUE(fleet.send(ids, to, {}));
        } else {
            ASSERT_TRUE(fleet.send(ids, to));
        }
    }
    void remove(std::size_t i) {
        ASSERT_TRUE(fleet.remove(ids[i]));
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(i));
        before_.erase(before_.begin() + static_cast<std::ptrdiff_t>(i));
        speed_.erase(speed_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    void tick(double seconds = kTangleStep) {
        ASSERT_TRUE(fleet.update(seconds, {.units = 500}));
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const FleetView view = fleet.unit(ids[i]);
            const Vec3 at = view.place.position;
            const Vec3 moved = (at - before_[i]) * (1.0 / seconds);
            EXPECT_LE(length(moved), 1.5 + 1e-6);
            EXPECT_LE(length(moved - speed_[i]), kAccel * seconds * (1.0 + 1e-6)) << "walker " << i;
            before_[i] = at;
            speed_[i] = moved;
            look_at_walls(ground(at));
            for (std::size_t k = 0; k < i; ++k)
                EXPECT_GE(length(ground(at - before_[k])), 1.99 * kRadius) << i << " and " << k;
            stuck = stuck || view.state == FleetState::stuck;
        }
    }
    [[nodiscard]] bool all_arrived() const {
        return std::all_of(ids.begin(), ids.end(),
                           [&](FleetId id) { return fleet.unit(id).state == FleetState::arrived; });
    }

  private:
    static Fleet make(const TileFleet& port, bool knots) {
        FleetOptions options;
        options.knots = knots;
        return *Fleet::make(port.port(), options);
    }
    void look_at_walls(Vec2 at) const {
        const GridState& state = grid_.state();
        for (auto y = static_cast<std::int32_t>(at.y) - 1; y <= static_cast<std::int32_t>(at.y) + 1; ++y) {
            for (auto x = static_cast<std::int32_t>(at.x) - 1; x <= static_cast<std::int32_t>(at.x) + 1;
                 ++x) {
                const bool inside = x >= 0 && y >= 0 && x < state.width() && y < state.height();
                if (inside && !state.blocked({x, y})) continue;
                const Vec2 nearest{std::clamp(at.x, 1.0 * x, x + 1.0), std::clamp(at.y, 1.0 * y, y + 1.0)};
                EXPECT_GE(length(at - nearest), kRadius * (1.0 - 1e-6));
            }
        }
    }

    const Grid& grid_;
    TileFleet port_;
    FleetKind kind_{};
    std::vector<Vec3> before_{};
    std::vector<Vec3> speed_{};

  public:
    Fleet fleet;
    std::vector<FleetId> ids{};
    bool stuck = false;
};

const std::vector<std::string> kLaneWithASide = {
    "############.########",  //
    "############.########",  //
    ".....................",  //
    "#####################",
};

bool they_pass(bool knots) {
    const Grid grid = grid_from(kLaneWithASide);
    Walk walk(grid, knots);
    walk.add({0.5, 2.5});
    walk.add({20.5, 2.5});
    walk.add({19.5, 2.5});
    walk.send(0, {20.5, 2.5});
    walk.send(1, {0.5, 2.5});
    walk.send(2, {1.5, 2.5});
    // Who is to go in farther may have come behind the other one: then both go back to the pocket, and it takes 91 s instead of 56.
    for (int tick = 0; tick < 30 * 120 && !walk.all_arrived(); ++tick) walk.tick();
    return walk.all_arrived() && !walk.stuck;
}

TEST(Tangles, TwoAgainstOneInALaneWithASidePocket) {
    EXPECT_TRUE(they_pass(true));
    EXPECT_FALSE(they_pass(false));  // the crowd's own rules do not send two back
}

// Who stood at the end of a stretch had been as fast as a long frame lets it stop, and the next one was a short one.
TEST(Tangles, FramesOfOtherLengthsKeepTheLimits) {
    const Grid grid = grid_from(kLaneWithASide);
    Walk walk(grid, true);
    walk.add({0.5, 2.5});
    walk.add({20.5, 2.5});
    walk.send(0, {20.5, 2.5});
    walk.send(1, {0.5, 2.5});
    for (int tick = 0; tick < 30 * 120 && !walk.all_arrived(); ++tick)
        walk.tick(tick % 3 == 0 ? kTangleStep : 0.125 * kTangleStep);
    EXPECT_TRUE(walk.all_arrived());
}

// It stepped aside to the end of the lane, where the other one is to go.
TEST(Tangles, WhoWasPushedOntoAnothersGoalGoesBackToItsOwn) {
    const Grid grid = grid_from(kLaneWithASide);
    Walk walk(grid, true);
    walk.add({1.5, 2.5});
    walk.send(0, {1.5, 2.5});
    for (int tick = 0; tick < 30; ++tick) walk.tick();
    walk.add({6.5, 2.5});
    walk.send(1, {0.5, 2.5});
    for (int tick = 0; tick < 30 * 120 && !walk.all_arrived(); ++tick) walk.tick();
    EXPECT_TRUE(walk.all_arrived());
    EXPECT_LE(distance(ground(walk.fleet.unit(walk.ids[0]).place.position), Vec2{1.5, 2.5}), 1.5 * kRadius);
}

// Scattered walls near the share at which nothing is joined any more: without plans 0.4 of the trips ended stuck.
TEST(Tangles, LanesOneTileWide) {
    const int maps = all_trials() ? 6 : 1;
    for (int seed = 0; seed < maps; ++seed) {
        SCOPED_TRACE(seed);
        Rng rng(300 + static_cast<std::uint64_t>(seed));
        const Grid grid =
            *Grid::make({.width = 30, .height = 30}, cluster_map(rng, ClusterMap::maze, 30, 30));
        Walk walk(grid, true);
        std::vector<Vec2> ends;
        const auto place = [&] {
            for (;;) {
                const Cell cell{rng.between(0, 29), rng.between(0, 29)};
                const Vec2 at = grid.state().cell_centre(cell);
                const bool taken = std::find(ends.begin(), ends.end(), at) != ends.end();
                const Agent walker{.radius = kRadius};
                if (!taken && *grid.state().connected(cell, {0, 0}, walker)) return at;
            }
        };
        for (int i = 0; i < 6; ++i) {
            ends.push_back(place());
            walk.add(ends.back());
        }
        for (std::size_t i = 0; i < 6; ++i) {
            ends.push_back(place());
            walk.send(i, ends.back());
        }
        for (int tick = 0; tick < 30 * 240 && !walk.all_arrived(); ++tick) walk.tick();
        EXPECT_TRUE(walk.all_arrived());
    }
}

// Three pairs change sides in mazes without a way round, where some stand closer in a lane than its places are. Of the mazes 1 to 12 four
// were never untied.
TEST(Tangles, PairsChangeSidesInMazes) {
    const std::int32_t width = 25, height = 13;
    const std::vector<int> seeds = all_trials() ? std::vector<int>{4, 7, 9, 10} : std::vector<int>{4};
    for (const int seed : seeds) {
        SCOPED_TRACE(seed);
        Rng rng(static_cast<std::uint64_t>(seed));
        const Grid grid =
            *Grid::make({.width = width, .height = height}, scenes::lane_maze(rng, width, height));
        Walk walk(grid, true);
        for (const double y : {1.5, 5.5, 9.5}) {
            walk.add({1.5, y});
            walk.add({width - 1.5, y});
        }
        for (std::size_t i = 0; i < 6; ++i) walk.send(i, {i % 2 == 0 ? width - 1.5 : 1.5, i / 2 * 4.0 + 1.5});
        for (int tick = 0; tick < 30 * 480 && !walk.all_arrived(); ++tick) walk.tick();
        EXPECT_TRUE(walk.all_arrived());
        if (HasFailure()) return;
    }
}

// New goals for one or for all, stops, edits, units that go and that come, at any moment of a plan.
TEST(Tangles, WhateverIsAskedMeanwhile) {
    std::uint64_t begun = 0, broken = 0;
    const int count = trials(40);
    for (int round = 0; round < count; ++round) {
        SCOPED_TRACE(round);
        Rng rng(7000 + static_cast<std::uint64_t>(round));
        Grid grid = grid_from(kLaneWithASide);
        Walk walk(grid, true);
        for (const double x : {0.5, 2.5, 18.5, 20.5}) walk.add({x, 2.5});
        for (std::size_t i = 0; i < 4; ++i) walk.send(i, {i < 2 ? 19.5 - i : 1.5 + i, 2.5});
        for (int tick = 0; tick < 30 * 60; ++tick) {
            walk.tick();
            if (rng.below(400) != 0 || walk.ids.empty()) continue;
            const auto i = rng.below(static_cast<std::uint32_t>(walk.ids.size()));
            switch (rng.below(7)) {
                case 0: walk.send(i, {0.5 + rng.below(21), 2.5}); break;
                case 1: ASSERT_TRUE(walk.fleet.stop(walk.ids[i])); break;
                case 2: {
                    const std::uint8_t with = grid.state().blocked({12, 0}) ? 1 : 0;
                    bool taken = false;
                    for (const FleetId id : walk.ids)
                        taken = taken || walk.fleet.unit(id).place.position.y < 1.5;
                    if (taken) break;
                    ASSERT_TRUE(grid.fill({{12, 0}, {13, 1}}, with));
                    ASSERT_TRUE(walk.fleet.world_changed());
                    break;
                }
                case 3:
                    if (walk.ids.size() > 2) walk.remove(i);
                    break;
                case 4: walk.send_all({0.5 + rng.below(21), 2.5}, false); break;
                case 5: walk.send_all({0.5 + rng.below(21), 2.5}, true); break;
                default: walk.send(i, {12.5, 1.5}); break;
            }
        }
        begun += walk.fleet.knots().begun;
        broken += walk.fleet.knots().broken;
        if (HasFailure()) return;
    }
    if (all_trials()) {
        EXPECT_GT(begun, 40U);
        EXPECT_GT(broken, 5U);
    }
}

}  // namespace
}  // namespace fairlead::testing
