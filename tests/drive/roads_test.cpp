// Roads (techniques R1 to R5): the rules hold exactly, costs are integrals, unreachable is proven.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fairlead/drive/pose_field.h>
#include <fairlead/verify/verify.h>
#include <fairlead/verify/verify_roads.h>

#include "drive/map/map_data.h"
#include "drive/roads.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

int changes_of_gear(const Route& route) {
    int count = 0;
    for (std::size_t i = 1; i < route.legs.size(); ++i)
        count += route.legs[i].gear != route.legs[i - 1].gear ? 1 : 0;
    return count;
}

RoadVerifyOptions judged(const RoadRules& rules) {
    return {.off_road = rules.off_road == kRoadForbidden, .against = rules.against == kRoadForbidden};
}

// A place on a road, facing as the road goes; any if none is found.
Pose pose_on_road(Rng& rng, const Tiles& tiles, const RoadLayer& roads, bool on_lattice) {
    Pose pose = random_pose(rng, tiles, on_lattice);
    for (int i = 0; i < 60; ++i) {
        const std::uint8_t directions = roads.at(static_cast<std::int32_t>(std::floor(pose.position.x)),
                                                 static_cast<std::int32_t>(std::floor(pose.position.y)));
        if (directions != 0 && allows(directions, pose.heading_rad)) return pose;
        pose = random_pose(rng, tiles, on_lattice);
    }
    return pose;
}

// What the rules say of a primitive from a cell by points along it: 1 allowed, -1 forbidden, 0 too close to tell.
int by_points(const DriveTable& table, const Primitive& primitive, const RoadLayer& roads,
              const RoadRules& rules, std::int32_t x, std::int32_t y) {
    constexpr double kClose = 1e-4;
    Route route;
    Pose end;
    const Pose start = table.node(x, y, primitive.from);
    EXPECT_TRUE(append_legs(primitive.word, start, table.turning_radius(), 0, route.legs, end));
    const double pitch = table.pitch();
    bool unsure = false;
    for (const Leg& leg : route.legs) {
        const int steps = static_cast<int>(leg.length * 400) + 1;
        for (int i = 0; i < steps; ++i) {
            const Place at = place_on_leg(leg, leg.length * (i + 0.5) / steps);
            const Vec2 p{at.position.x / pitch, at.position.y / pitch};
            const double angle = at.heading_rad + (leg.gear == Gear::reverse ? kPi : 0.0);
            bool some = false;
            bool all = true;
            for (const double dx : {-kClose, kClose}) {
                for (const double dy : {-kClose, kClose}) {
                    const std::uint8_t directions = roads.at(static_cast<std::int32_t>(std::floor(p.x + dx)),
                                                             static_cast<std::int32_t>(std::floor(p.y + dy)));
                    for (const double more : {-kClose, kClose}) {
                        const bool good = directions == 0 ? rules.off_road != kRoadForbidden
                                                          : rules.against != kRoadForbidden ||
                                                                allows(directions, angle, more);
                        some = some || good;
                        all = all && good;
                    }
                }
            }
            if (!some) return -1;
            unsure = unsure || !all;
        }
    }
    return unsure ? 0 : 1;
}

TEST(RoadsSlow, EdgesAreWhatPointsAlongThemSay) {
    Rng rng(501);
    int told = 0;
    int forbidden = 0;
    for (int i = 0; i < trials(30); ++i) {
        const Tiles tiles = random_tiles(rng);
        const Grid grid = grid_of(tiles);
        const RoadLayer roads = random_roads(rng, tiles.width, tiles.height);
        RoadRules rules = random_rules(rng);
        if (i % 2 == 0) rules.off_road = kRoadForbidden;
        const Agent agent = random_unit(rng);
        const auto nodes = static_cast<DriveNodes>(rng.below(3));
        const Result<DriveTable> table = DriveTable::make(
            {.agent = agent, .headings = i % 3 == 0 ? 16 : 8, .stretch = 1.05, .nodes = nodes});
        const Result<DriveMap> plain = make_drive_map(grid, *table);
        const Result<DriveMap> map = make_drive_map(grid, *table, {.roads = &roads, .road_rules = rules});
        ASSERT_TRUE(map.has_value() && plain.has_value());
        const std::span<const Primitive> all = table->primitives().all();
        for (int k = 0; k < 2500; ++k) {
            const auto x = static_cast<std::int32_t>(
                rng.below(static_cast<std::uint32_t>(map->state().data().edges().width())));
            const auto y = static_cast<std::int32_t>(
                rng.below(static_cast<std::uint32_t>(map->state().data().edges().height())));
            const auto p = static_cast<std::size_t>(rng.below(static_cast<std::uint32_t>(all.size())));
            if (!plain->state().data().edges().may_drive(x, y, p)) {
                ASSERT_FALSE(map->state().data().edges().may_drive(x, y, p));
                continue;
            }
            const int answer = by_points(*table, all[p], roads, rules, x, y);
            if (answer == 0) continue;
            ++told;
            forbidden += answer < 0 ? 1 : 0;
            ASSERT_EQ(map->state().data().edges().may_drive(x, y, p), answer > 0)
                << "case " << i << " primitive " << p << " from " << x << ", " << y;
        }
    }
    EXPECT_GT(forbidden, told / 10);
    EXPECT_LT(forbidden, told);
}

TEST(RoadsSlow, RoutesKeepTheRulesAndCostTheirIntegral) {
    Rng rng(502);
    Scratch scratch;
    Route optimal;
    Route weighted;
    Route smooth;
    Route followed;
    Route on_lattice;
    int complete = 0;
    int held = 0;  // complete under a rule that forbids
    for (int i = 0; i < trials(50); ++i) {
        Tiles tiles = random_tiles(rng);
        for (int patch = 0; patch < static_cast<int>(rng.below(2)) * 12; ++patch) {
            fill(tiles, static_cast<std::int32_t>(rng.below(60)), static_cast<std::int32_t>(rng.below(50)),
                 static_cast<std::int32_t>(1 + rng.below(9)), static_cast<std::int32_t>(1 + rng.below(9)),
                 static_cast<std::uint8_t>(1 + rng.below(5)));
        }
        const Grid grid = grid_of(tiles);
        const RoadLayer roads = random_roads(rng, tiles.width, tiles.height);
        const RoadRules rules = random_rules(rng);
        const Agent agent = random_unit(rng);
        const auto nodes = static_cast<DriveNodes>(rng.below(3));
        const Result<DriveTable> table =
            DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05, .nodes = nodes});
        const Result<DriveMap> map = make_drive_map(grid, *table, {.roads = &roads, .road_rules = rules});
        ASSERT_TRUE(map.has_value());
        for (int k = 0; k < 4; ++k) {
            DriveQuery query;
            query.start = pose_on_road(rng, tiles, roads, k != 1);
            query.goal = pose_on_road(rng, tiles, roads, k != 2);
            query.planner = DrivePlanner::lattice;
            query.smooth = false;
            ASSERT_TRUE(find_route_into(*map, query, scratch, optimal).has_value());
            query.planner = DrivePlanner::weighted;
            ASSERT_TRUE(find_route_into(*map, query, scratch, weighted).has_value());
            query.smooth = true;
            ASSERT_TRUE(find_route_into(*map, query, scratch, smooth).has_value());
            ASSERT_EQ(optimal.status, smooth.status);
            ASSERT_EQ(optimal.status, weighted.status);
            if (k == 0) {
                // Neither a curve all the way: the field has none.
                query.goal_curves = false;
                query.smooth = false;
                query.planner = DrivePlanner::lattice;
                ASSERT_TRUE(find_route_into(*map, query, scratch, on_lattice).has_value());
                Result<PoseField> field = PoseField::make(*map, query);
                ASSERT_TRUE(field.has_value());
                while (field->step(1000)) {
                }
                ASSERT_TRUE(
                    find_route_into(*field, query.start.pose(), scratch, followed, false).has_value());
                ASSERT_EQ(followed.status == PathStatus::complete, on_lattice.status == PathStatus::complete);
            }
            if (smooth.status != PathStatus::complete) continue;
            ++complete;
            held += map->state().data().edges().road_forbids() ? 1 : 0;
            if (k == 0 && followed.status == PathStatus::complete) {
                EXPECT_NEAR(followed.cost, on_lattice.cost, 1e-3 * on_lattice.cost + 1e-3) << "case " << i;
                ASSERT_FALSE(verify_roads(followed, roads, judged(rules)));
            }
            for (const Route* route : {&optimal, &weighted, &smooth}) {
                ASSERT_FALSE(verify(*route, grid, agent)) << verify(*route, grid, agent).text().c_str();
                const Violation off = verify_roads(*route, roads, judged(rules));
                ASSERT_FALSE(off) << off.text().c_str() << " case " << i << " query " << k;
                const RoadSums sums = sample_roads(*route, grid.state(), roads, rules, query.reverse_penalty);
                const double cost = sums.cost + changes_of_gear(*route) * query.cusp_penalty;
                EXPECT_NEAR(route->cost, cost, 0.05 + cost * 0.01) << "case " << i << " query " << k;
                const RoadUse use = measure_roads(*route, roads);
                EXPECT_NEAR(use.length, route->length, 1e-9);
                EXPECT_NEAR(use.off_road + use.against, sums.bad, 0.05) << "case " << i << " query " << k;
            }
            EXPECT_LE(optimal.cost, weighted.cost * (1 + 1e-9));
            EXPECT_LE(weighted.cost, optimal.cost * query.epsilon * (1 + 1e-9));
            EXPECT_LE(smooth.cost, weighted.cost * (1 + 1e-9));
        }
    }
    EXPECT_GT(complete, trials(50));
    EXPECT_GT(held, trials(50) / 4);
}

// All poses that plain steps over the edges reach.
std::vector<char> flood(const EdgeMap& edges, std::int32_t x, std::int32_t y, std::int32_t heading) {
    const std::int32_t headings = edges.table().headings();
    const auto index = [&](std::int32_t cx, std::int32_t cy, std::int32_t h) {
        return static_cast<std::size_t>((cy * edges.width() + cx) * headings + h);
    };
    std::vector<char> seen(index(0, edges.height(), 0), 0);
    std::vector<std::array<std::int32_t, 3>> open = {{x, y, heading}};
    seen[index(x, y, heading)] = 1;
    const PrimitiveSet& set = edges.table().primitives();
    while (!open.empty()) {
        const auto [cx, cy, h] = open.back();
        open.pop_back();
        for (std::uint32_t i = set.first(h); i < set.first(h + 1); ++i) {
            if (!edges.may_drive(cx, cy, i)) continue;
            const Primitive& p = set.all()[i];
            char& there = seen[index(cx + p.dx, cy + p.dy, p.to)];
            if (there != 0) continue;
            there = 1;
            open.push_back({cx + p.dx, cy + p.dy, p.to});
        }
    }
    return seen;
}

TEST(RoadsSlow, UnreachableIfAndOnlyIfAFloodSaysSo) {
    Rng rng(503);
    Scratch scratch;
    Route route;
    int yes = 0;
    int no = 0;
    int with_cores = 0;
    for (int i = 0; i < trials(60); ++i) {
        const Tiles tiles = random_tiles(rng);
        const Grid grid = grid_of(tiles);
        const RoadLayer roads = random_roads(rng, tiles.width, tiles.height);
        RoadRules rules = random_rules(rng);
        (i % 2 == 0 ? rules.off_road : rules.against) = kRoadForbidden;
        const Result<DriveTable> table =
            DriveTable::make({.agent = random_unit(rng), .headings = 8, .stretch = 1.05});
        const Result<DriveMap> map = make_drive_map(grid, *table, {.roads = &roads, .road_rules = rules});
        ASSERT_TRUE(map.has_value());
        with_cores += map->state().data().cores() > 0 ? 1 : 0;
        for (int k = 0; k < 12; ++k) {
            DriveQuery query{.goal_curves = false, .smooth = false};
            query.start = pose_on_road(rng, tiles, roads, true);
            query.goal = pose_on_road(rng, tiles, roads, true);
            const auto cell = [](double v) { return static_cast<std::int32_t>(std::floor(v)); };
            const std::int32_t x = cell(query.start.position.x);
            const std::int32_t y = cell(query.start.position.y);
            const std::int32_t h = nearest_heading(8, query.start.heading_rad);
            const std::int32_t to = nearest_heading(8, query.goal.at.heading_rad);
            ASSERT_TRUE(find_route_into(*map, query, scratch, route).has_value());
            if (route.status != PathStatus::complete && route.status != PathStatus::unreachable) continue;
            const std::vector<char> seen = flood(map->state().data().edges(), x, y, h);
            const auto goal = static_cast<std::size_t>(
                (cell(query.goal.at.position.y) * map->state().data().edges().width() +
                 cell(query.goal.at.position.x)) *
                    8 +
                to);
            // One free curve all the way is tried as well where goal_curves say so; here they do not.
            ASSERT_EQ(route.status == PathStatus::complete, seen[goal] != 0)
                << "case " << i << " query " << k;
            ++(seen[goal] != 0 ? yes : no);
        }
    }
    EXPECT_GT(yes, trials(60));
    EXPECT_GT(no, trials(60));
    EXPECT_GT(with_cores, trials(60) / 2);
}

TEST(RoadsSlow, AnUpdatedMapIsAFreshMap) {
    Rng rng(504);
    Scratch scratch;
    Route updated;
    Route made;
    for (int i = 0; i < trials(40); ++i) {
        Tiles tiles = random_tiles(rng);
        Grid grid = grid_of(tiles);
        RoadLayer roads = random_roads(rng, tiles.width, tiles.height);
        const GridDriveOptions options{.roads = &roads, .road_rules = random_rules(rng)};
        const Result<DriveTable> table =
            DriveTable::make({.agent = random_unit(rng), .headings = 8, .stretch = 1.05});
        Result<DriveMap> map = make_drive_map(grid, *table, options);
        ASSERT_TRUE(map.has_value());
        for (int edit = 0; edit < 4; ++edit) {
            const Vec2 a{static_cast<double>(rng.below(60)), static_cast<double>(rng.below(50))};
            const Vec2 line[] = {a, a + heading_direction(8, static_cast<std::int32_t>(rng.below(8))) * 9.0};
            ASSERT_TRUE(roads.paint(line, 3.0, static_cast<RoadLanes>(rng.below(4))).has_value());
            if (edit == 2) {
                ASSERT_TRUE(grid.fill({{5, 5}, {12, 9}}, 0).has_value());
            }
            for (std::int32_t y = 10; y < 14 && edit == 3; ++y) {
                for (std::int32_t x = 10; x < 20; ++x) roads.set(x, y, 0);
            }
            ASSERT_TRUE(update_drive_map(*map, grid, options).has_value());
            const Result<DriveMap> fresh = make_drive_map(grid, *table, options);
            ASSERT_TRUE(fresh.has_value());
            ASSERT_TRUE(update_drive_map(*map, grid, options).has_value());
            const std::size_t planes = table->primitives().all().size() + 8;
            for (std::int32_t y = 0; y < map->state().data().edges().height(); ++y) {
                for (std::int32_t x = 0; x < map->state().data().edges().width(); x += 64) {
                    const std::uint64_t* ours = map->state().data().edges().column(x, y);
                    ASSERT_TRUE(std::equal(ours, ours + planes, fresh->state().data().edges().column(x, y)));
                }
            }
            for (int k = 0; k < 6; ++k) {
                const DriveQuery query{.start = pose_on_road(rng, tiles, roads, true),
                                       .goal = pose_on_road(rng, tiles, roads, true),
                                       .planner = DrivePlanner::lattice,
                                       .smooth = false};
                ASSERT_TRUE(find_route_into(*map, query, scratch, updated).has_value());
                ASSERT_TRUE(find_route_into(*fresh, query, scratch, made).has_value());
                ASSERT_EQ(updated.status, made.status);
                ASSERT_EQ(updated.cost, made.cost);
            }
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
