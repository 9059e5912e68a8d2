// Drawings of turning units, by property: the swept ground holds every pose of the body and nothing far from one; masks
// are the table's cells; the core is what the map says.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/curve/reeds_shepp.h>
#include <fairlead/debug/debug.h>
#include <fairlead/math/trig.h>

#include "debug/record.h"
#include "support/grids.h"

namespace fairlead::debug {
namespace {

using testing::Drawn;
using testing::grid_of;
using testing::Record;

const Agent kCar{.shape = BodyShape::box,
                 .length = 3.0,
                 .width = 1.5,
                 .axle_offset = 0.9,
                 .turning_radius = 2.5,
                 .can_reverse = true};
const Agent kTram{.radius = 0.4, .shape = BodyShape::capsule, .length = 2.6, .turning_radius = 2.0};
const Agent kDisc{.radius = 0.7, .turning_radius = 1.5};

Route random_route(Rng& rng, const Agent& agent) {
    const auto at = [&] { return Pose{{rng.unit() * 8.0, rng.unit() * 8.0}, rng.unit() * 6.2}; };
    const Pose from = at();
    const CurveWord word = shortest_reeds_shepp(from, at(), agent.turning_radius);
    Route route;
    route.status = PathStatus::complete;
    Pose end;
    EXPECT_TRUE(append_legs(word, from, agent.turning_radius, 0, route.legs, end));
    for (const Leg& leg : route.legs) route.length += leg.length;
    route.end = {{end.position.x, end.position.y, 0.0}, end.heading_rad, 0};
    return route;
}

/// Distance from a point to a convex polygon, 0 inside.
double distance_to(const std::vector<Vec3>& polygon, Vec2 p) {
    double best = 1e9;
    bool left = true, right = true;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec2 a = ground(polygon[i]), b = ground(polygon[(i + 1) % polygon.size()]);
        const double side = cross(b - a, p - a);
        left = left && side >= 0;
        right = right && side <= 0;
        const double t = std::clamp(dot(p - a, b - a) / std::max(dot(b - a, b - a), 1e-30), 0.0, 1.0);
        best = std::min(best, distance(p, a + (b - a) * t));
    }
    return left || right ? 0.0 : best;
}

/// Distance from a point to the body in a place.
double distance_to_body(const Agent& agent, const Place& place, Vec2 p) {
    const BodyCore body = body_core(agent);
    const Vec2 ahead = math::direction(place.heading_rad);
    const Vec2 d = p - ground(place.position);
    const Vec2 own{dot(d, ahead), cross(ahead, d)};
    const Vec2 near{std::clamp(own.x, body.core.low.x, body.core.high.x),
                    std::clamp(own.y, body.core.low.y, body.core.high.y)};
    return std::max(0.0, distance(own, near) - body.radius);
}

TEST(DrawDrive, TheSweptGroundIsWhereTheBodyIs) {
    Rng rng{11};
    for (const Agent& agent : {kCar, kTram, kDisc}) {
        for (int round = 0; round < 6; ++round) {
            const Route route = random_route(rng, agent);
            Record record;
            draw_drive(route, agent, record.sink());
            const std::vector<Drawn> swept = record.group("swept");
            ASSERT_FALSE(swept.empty());
            constexpr double kStray = 0.1 * 0.2;  // a fifth of a point
            std::vector<Place> places;
            for (double s = 0; s <= route.length; s += 0.05) places.push_back(place_on_route(route, s));
            for (int i = 0; i < 400; ++i) {
                const Vec2 p{rng.unit() * 16.0 - 4.0, rng.unit() * 16.0 - 4.0};
                double drawn = 1e9, body = 1e9;
                for (const Drawn& item : swept) drawn = std::min(drawn, distance_to(item.points, p));
                for (const Place& place : places) body = std::min(body, distance_to_body(agent, place, p));
                if (body == 0.0) {
                    EXPECT_LT(drawn, kStray);
                }
                if (drawn == 0.0) {
                    EXPECT_LT(body, kStray + 0.1);  // places are 0.05 apart
                }
            }
        }
    }
}

TEST(DrawDrive, ColoursByGearAndRingsAtCusps) {
    Rng rng{5};
    bool seen = false;
    for (int round = 0; round < 20; ++round) {
        const Route route = random_route(rng, kCar);
        std::size_t cusps = 0;
        bool gears[2] = {false, false};
        for (std::size_t i = 0; i < route.legs.size(); ++i) {
            gears[static_cast<int>(route.legs[i].gear)] = true;
            cusps += i > 0 && route.legs[i].gear != route.legs[i - 1].gear ? 1 : 0;
        }
        Record record;
        draw_drive(route, kCar, record.sink());
        EXPECT_EQ(record.group("cusps").size(), cusps);
        bool colors[2] = {false, false};
        for (const Drawn& item : record.group("swept")) {
            colors[0] = colors[0] || item.fill.color == palette::kRoute;
            colors[1] = colors[1] || item.fill.color == palette::kOther;
        }
        EXPECT_EQ(colors[0], gears[0]);
        EXPECT_EQ(colors[1], gears[1]);
        seen = seen || cusps > 1;
    }
    EXPECT_TRUE(seen);
}

TEST(DrawDrive, NothingForNoRouteAndAnEmptySink) {
    Route none;
    Record record;
    draw_drive(none, kCar, record.sink());
    EXPECT_TRUE(record.items.empty());
    Rng rng{7};
    draw_drive(random_route(rng, kCar), kCar, Sink{});
    Route here;
    here.status = PathStatus::complete;
    draw_drive(here, kCar, record.sink());
    EXPECT_FALSE(record.group("ends").empty());
}

TEST(DrawFan, OneDotAMove) {
    for (const std::int32_t rings : {0, 1, 2}) {
        const Result<PrimitiveSet> set =
            PrimitiveSet::make({.turning_radius = 1.0, .headings = 8, .rings = rings, .reverse = true});
        ASSERT_TRUE(set.has_value());
        for (std::int32_t heading = 0; heading < 8; ++heading) {
            Record record;
            draw_fan(*set, heading, record.sink(), {.cell = {3, 4}});
            EXPECT_EQ(record.count("circle"), set->from(heading).size() + 1);
        }
    }
}

TEST(DrawSweptMask, CellsAreThoseOfTheTable) {
    const Result<DriveTable> table = DriveTable::make({.agent = kCar, .cell_size = 0.5, .headings = 8});
    ASSERT_TRUE(table.has_value());
    for (std::size_t i = 0; i < table->primitives().all().size(); i += 7) {
        Record record;
        draw_swept_mask(*table, i, {10.0, 20.0}, record.sink());
        double area = 0.0, cells = 0.0;
        for (const Drawn& item : record.group("swept_mask")) {
            if (item.kind == "box")
                area += (item.box.high.x - item.box.low.x) * (item.box.high.y - item.box.low.y);
        }
        for (const CellRun& run : table->swept(i)) cells += run.count;
        EXPECT_NEAR(area, cells * 0.25, 1e-9);
    }
}

TEST(DrawCore, ShowsWhereItCanGoOn) {
    const Grid grid = grid_of(
        {"..........", "..........", "....@.....", "..........", "@@@@@@@@@@", "..........", ".........."});
    const Result<DriveTable> table =
        DriveTable::make({.agent = {.radius = 0.3, .turning_radius = 1.0}, .headings = 8});
    ASSERT_TRUE(table.has_value());
    const Result<DriveMap> map = make_drive_map(grid, *table);
    ASSERT_TRUE(map.has_value());
    Record record;
    draw_core(*map, record.sink());
    double area = 0.0;
    for (const Drawn& item : record.group("core")) {
        if (item.kind != "box") continue;
        area += (item.box.high.x - item.box.low.x) * (item.box.high.y - item.box.low.y);
        EXPECT_LE(item.box.high.y, 4.0);  // the narrow part below the wall is not the core
        EXPECT_NE(item.fill.color, palette::kWall);
    }
    EXPECT_GT(area, 20.0);
    EXPECT_LE(area, 39.0);
}

}  // namespace
}  // namespace fairlead::debug
