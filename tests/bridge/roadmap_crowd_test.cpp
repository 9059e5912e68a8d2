// What a crowd is told of roads, beside plain geometry: a place lies on the roads if it is within half a width of an edge.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/narrow_places_of.h>
#include <fairlead/bridge/roadmap_crowd.h>

#include "support/environment.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

constexpr double kPi = 3.14159265358979323846;
/// The rounding of bends is a polygon of 32 corners: so much slimmer than the circle.
constexpr double kPolygon = 1.0 - 0.0049;

struct Line {
    Vec2 a{};
    Vec2 b{};
    double half = 0.0;
    double speed = kNoLimit;
};

double off(const Line& line, Vec2 p) {
    const double dx = line.b.x - line.a.x;
    const double dy = line.b.y - line.a.y;
    const double t =
        std::clamp(((p.x - line.a.x) * dx + (p.y - line.a.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    return std::hypot(p.x - line.a.x - t * dx, p.y - line.a.y - t * dy);
}

struct Plain {
    std::vector<Line> lines;
    std::vector<Waypoint> nodes;
    std::vector<WaypointEdge> edges;
    std::vector<RoadKind> kinds;

    [[nodiscard]] bool on_road(Vec2 p, double slimmer = 1.0) const {
        return std::any_of(lines.begin(), lines.end(),
                           [&](const Line& line) { return off(line, p) <= line.half * slimmer + 1e-9; });
    }
    [[nodiscard]] bool stands(Vec2 p, double radius, double slimmer = 1.0) const {
        if (!on_road(p, slimmer)) return false;
        for (int k = 0; k < 64; ++k) {
            const double turn = 2.0 * kPi * k / 64;
            if (!on_road({p.x + radius * std::cos(turn), p.y + radius * std::sin(turn)}, slimmer))
                return false;
        }
        return true;
    }
    [[nodiscard]] bool moves(Vec2 a, Vec2 b, double radius, double slimmer = 1.0) const {
        const int steps = 1 + static_cast<int>(distance(a, b) / 0.03);
        for (int i = 0; i <= steps; ++i) {
            if (!stands(a + (b - a) * (static_cast<double>(i) / steps), radius, slimmer)) return false;
        }
        return true;
    }
    /// How far a point can go in a direction before it leaves the roads.
    [[nodiscard]] double leaves(Vec2 p, Vec2 d, double reach, double slimmer) const {
        for (double at = 0.0; at < reach; at += 0.01) {
            if (!on_road(p + d * at, slimmer)) return at;
        }
        return reach;
    }
    [[nodiscard]] Roadmap make() const {
        Result<Roadmap> made = Roadmap::make({.nodes = nodes, .edges = edges, .roads = kinds});
        EXPECT_TRUE(made) << error_name(made.error().code) << " " << made.error().index << " "
                          << made.error().detail;
        return std::move(*made);
    }
};

/// Waypoints anywhere, roads between them as it comes: bends of all angles, roads that cross, double ones, some in line.
Plain random_net(Rng& rng) {
    Plain net;
    const double widths[] = {1.5, 2.5, 4.0};
    for (const double width : widths) net.kinds.push_back({width, width});
    const std::uint32_t count = 3 + rng.below(6);
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool in_line = i >= 2 && rng.below(4) == 0;
        const double x = rng.between(0.0, 20.0);
        const double y = rng.between(0.0, 20.0);
        Vec3 at{x, y, 0};
        if (in_line)
            at = net.nodes[i - 1].position + (net.nodes[i - 1].position - net.nodes[i - 2].position) * 0.5;
        net.nodes.push_back({WaypointId{i}, at});
    }
    for (std::uint32_t i = 0; i + 1 < count + 4; ++i) {
        const std::uint32_t from = i + 1 < count ? i : rng.below(count);
        const std::uint32_t to = i + 1 < count ? i + 1 : rng.below(count);
        const std::uint32_t kind = rng.below(3);
        const bool one_way = rng.below(3) == 0;
        if (from == to) continue;
        WaypointEdge edge{.from = WaypointId{from}, .to = WaypointId{to}};
        edge.kind = static_cast<std::uint8_t>(kind);
        edge.one_way = one_way;
        net.edges.push_back(edge);
        net.lines.push_back({ground(net.nodes[from].position), ground(net.nodes[to].position),
                             0.5 * widths[kind], widths[kind]});
    }
    return net;
}

Vec2 place_on(const Plain& net, Rng& rng, double radius) {
    for (;;) {
        const double x = rng.between(-3.0, 23.0);
        const double y = rng.between(-3.0, 23.0);
        if (net.stands({x, y}, radius, kPolygon)) return {x, y};
    }
}

Place at(Vec2 p) {
    Place place;
    place.position = {p.x, p.y, 0.0};
    return place;
}

Vec3 up(Vec2 p) { return {p.x, p.y, 0.0}; }

TEST(RoadmapCrowd, ClearIsWhatPlainGeometrySays) {
    int clear = 0;
    int shut = 0;
    for (int seed = 0; seed < trials(60); ++seed) {
        Rng rng(static_cast<std::uint64_t>(seed));
        const Plain net = random_net(rng);
        const Roadmap roads = net.make();
        const Result<RoadmapCrowd> over = RoadmapCrowd::make(roads.state());
        ASSERT_TRUE(over);
        const CrowdWorld world = over->world();
        for (int i = 0; i < 12; ++i) {
            const double radius = rng.between(0.2, 0.7);
            const Vec2 a = place_on(net, rng, radius);
            const double turn = rng.between(0.0, 2.0 * kPi);
            const double far = rng.between(0.1, 6.0);
            const Vec2 b = a + Vec2{std::cos(turn), std::sin(turn)} * far;
            const bool says = world.clear(at(a), up(b), radius, world.user);
            if (says) {
                EXPECT_TRUE(net.moves(a, b, radius)) << seed << " " << i;
            } else {
                EXPECT_FALSE(net.moves(a, b, radius * (1.0 + 1e-6), kPolygon)) << seed << " " << i;
            }
            ++(says ? clear : shut);
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(clear, 150);
    EXPECT_GT(shut, 150);
}

TEST(RoadmapCrowd, RaysEndAtTheEndOfTheRoad) {
    for (int seed = 0; seed < trials(60); ++seed) {
        Rng rng(static_cast<std::uint64_t>(seed) + 5000);
        const Plain net = random_net(rng);
        const Roadmap roads = net.make();
        const Result<RoadmapCrowd> over = RoadmapCrowd::make(roads.state());
        ASSERT_TRUE(over);
        const CrowdWorld world = over->world();
        for (int i = 0; i < 12; ++i) {
            const Vec2 p = place_on(net, rng, 0.05);
            const double turn = rng.between(0.0, 2.0 * kPi);
            const Vec2 d{std::cos(turn), std::sin(turn)};
            const double says = world.ray(at(p), up(d), 9.0, world.user);
            EXPECT_LE(says, net.leaves(p, d, 9.0, 1.0) + 0.011) << seed << " " << i;
            EXPECT_GE(says, net.leaves(p, d, 9.0, kPolygon) - 0.011) << seed << " " << i;
        }
    }
}

TEST(RoadmapCrowd, WallsAreWhereTheRoadEnds) {
    for (int seed = 0; seed < trials(40); ++seed) {
        Rng rng(static_cast<std::uint64_t>(seed) + 9000);
        const Plain net = random_net(rng);
        const Roadmap roads = net.make();
        const Result<RoadmapCrowd> over = RoadmapCrowd::make(roads.state());
        ASSERT_TRUE(over);
        const CrowdWorld world = over->world();
        for (int i = 0; i < 8; ++i) {
            const Vec2 p = place_on(net, rng, 0.05);
            std::vector<WallPiece> pieces(kWallPiecesMax);
            std::size_t count = 0;
            const double known = world.walls(at(p), 3.0, pieces, count, world.user);
            double nearest = 3.0;
            for (std::size_t k = 0; k < count; ++k) {
                EXPECT_FALSE(pieces[k].box);
                const Vec2 a = ground(pieces[k].a);
                const Vec2 b = ground(pieces[k].b);
                EXPECT_GE(cross(b - a, p - a), 0.0);
                nearest = std::min(nearest, off({a, b}, p));
            }
            EXPECT_TRUE(count == 0 || nearest <= known);
            for (int k = 0; k < 90; ++k) {  // there are no gaps
                const Vec2 d{std::cos(k * kPi / 45), std::sin(k * kPi / 45)};
                EXPECT_GE(net.leaves(p, d, nearest, 1.0), nearest - 0.011) << seed << " " << i;
            }
            for (std::size_t k = 0; k < count; ++k) {  // and no walls on the road
                const Vec2 a = ground(pieces[k].a);
                const Vec2 along = ground(pieces[k].b) - a;
                const Vec2 outside = a + along * 0.5 + normalized(Vec2{along.y, -along.x}) * 1e-4;
                EXPECT_FALSE(net.on_road(outside, kPolygon)) << seed << " " << i;
            }
        }
    }
}

TEST(RoadmapCrowd, TheFastestRoadCounts) {
    for (int seed = 0; seed < trials(60); ++seed) {
        Rng rng(static_cast<std::uint64_t>(seed) + 100);
        const Plain net = random_net(rng);
        const Roadmap roads = net.make();
        const Result<RoadmapCrowd> over = RoadmapCrowd::make(roads.state());
        ASSERT_TRUE(over);
        const CrowdWorld world = over->world();
        for (int i = 0; i < 20; ++i) {
            const double x = rng.between(-3.0, 23.0);
            const double y = rng.between(-3.0, 23.0);
            double most = 0.0;
            for (const Line& line : net.lines)
                most = off(line, {x, y}) <= line.half ? std::max(most, line.speed) : most;
            EXPECT_EQ(world.speed_max(at({x, y}), world.user), most > 0.0 ? most : kNoLimit);
        }
    }
}

TEST(RoadmapCrowd, TheSameNetInAnotherOrderGivesTheSameAnswers) {
    for (int seed = 0; seed < trials(40); ++seed) {
        Rng rng(static_cast<std::uint64_t>(seed) + 300);
        Plain net = random_net(rng);
        const Roadmap roads = net.make();
        std::reverse(net.nodes.begin(), net.nodes.end());
        std::reverse(net.edges.begin(), net.edges.end());
        const Roadmap turned = net.make();
        const Result<RoadmapCrowd> one = RoadmapCrowd::make(roads.state());
        const Result<RoadmapCrowd> other = RoadmapCrowd::make(turned.state());
        ASSERT_TRUE(one && other);
        for (int i = 0; i < 10; ++i) {
            const Vec2 p = place_on(net, rng, 0.05);
            std::vector<WallPiece> first(kWallPiecesMax);
            std::vector<WallPiece> second(kWallPiecesMax);
            std::size_t count = 0;
            std::size_t also = 0;
            (void)one->world().walls(at(p), 5.0, first, count, one->world().user);
            (void)other->world().walls(at(p), 5.0, second, also, other->world().user);
            ASSERT_EQ(count, also);
            for (std::size_t k = 0; k < count; ++k) {
                EXPECT_EQ(first[k].a, second[k].a);
                EXPECT_EQ(first[k].b, second[k].b);
            }
        }
    }
}

TEST(RoadmapCrowd, OwnWallsStandInTheWay) {
    const Waypoint nodes[] = {{WaypointId{1}, {0, 0}}, {WaypointId{2}, {20, 0}}};
    const WaypointEdge edges[] = {{.from = WaypointId{1}, .to = WaypointId{2}}};
    const Vec2 points[] = {{10, -3}, {10, 0.5}};
    const RoadmapWall walls[] = {{.first_point = 0, .points = 2}};
    for (const double width : {0.0, 4.0}) {
        const RoadKind kinds[] = {{width, kNoLimit}};
        const Roadmap roads = *Roadmap::make(
            {.nodes = nodes, .edges = edges, .walls = walls, .wall_points = points, .roads = kinds});
        const Result<RoadmapCrowd> over = RoadmapCrowd::make(roads.state());
        ASSERT_TRUE(over);
        const CrowdWorld world = over->world();
        EXPECT_FALSE(world.clear(at({5, 0}), {15, 0, 0}, 0.4, world.user));
        EXPECT_TRUE(world.clear(at({5, 1}), {15, 1, 0}, 0.4, world.user));
        EXPECT_EQ(world.ray(at({5, 0}), {1, 0, 0}, 9.0, world.user), 5.0);
        std::vector<WallPiece> pieces(kWallPiecesMax);
        std::size_t count = 0;
        (void)world.walls(at({9, 0}), 1.5, pieces, count, world.user);
        EXPECT_EQ(count, 1U);
    }
}

TEST(RoadmapCrowd, NoMemoryIsAnErrorAndNothingIsLost) {
    Rng rng(1);
    const Roadmap roads = random_net(rng).make();
    bool made = false;
    for (std::int64_t n = 0; n < 1000 && !made; ++n) {
        TestAllocator memory;
        memory.fail_from_call = n;
        {
            const Result<RoadmapCrowd> over =
                RoadmapCrowd::make(roads.state(), {.allocator = memory.allocator()});
            made = over.has_value();
            if (!made) {
                EXPECT_EQ(over.error().code, ErrorCode::out_of_memory);
            }
        }
        EXPECT_EQ(memory.live_blocks, 0);
    }
    EXPECT_TRUE(made);
}

TEST(RoadmapCrowd, BadOptions) {
    const Roadmap roads = *Roadmap::make({});
    EXPECT_EQ(RoadmapCrowd::make(roads.state(), {.height = 0.0}).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(RoadmapCrowd::make(roads.state(), {.height = std::nan("")}).error().code,
              ErrorCode::not_finite);
    const Result<RoadmapCrowd> empty = RoadmapCrowd::make(roads.state());
    ASSERT_TRUE(empty);
    EXPECT_TRUE(empty->world().clear(at({1, 1}), {1, 2, 0}, 0.5, empty->world().user));
    EXPECT_EQ(RoadmapWalls::make(roads.state(), {}).error().field, Field::width);
}

TEST(RoadmapWalls, FreeCellsLieOnRoads) {
    for (int seed = 0; seed < trials(4); ++seed) {
        Rng rng(static_cast<std::uint64_t>(seed) + 40);
        const Plain net = random_net(rng);
        const Roadmap roads = net.make();
        const Result<RoadmapWalls> walls = RoadmapWalls::make(roads.state(), {.radius = 0.5});
        ASSERT_TRUE(walls);
        const PlacesOptions raster = walls->options();
        std::vector<std::uint8_t> row(static_cast<std::size_t>(raster.width));
        for (std::int32_t y = 0; y < raster.height; ++y) {
            walls->rows().row(y, 0, row, walls->rows().user);
            for (std::int32_t x = 0; x < raster.width; ++x) {
                const Vec2 p = raster.origin + Vec2{x + 0.5, y + 0.5} * raster.cell;
                const bool blocked = row[static_cast<std::size_t>(x)] != 0;
                ASSERT_TRUE(blocked ? !net.on_road(p, 1.0 - 1e-6) : net.on_road(p, 1.0 + 1e-6))
                    << x << " " << y;
            }
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
