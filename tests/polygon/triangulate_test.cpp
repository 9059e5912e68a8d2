#include <fairlead/polygon/triangulate.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <fairlead/base/digest.h>

#include "mesh_check.h"
#include "support/environment.h"
#include "worlds.h"

namespace fairlead::polygon_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

std::string check(const World& world, PolygonScratch& scratch, Triangulation& out, bool brute = true) {
    const Result<void> done =
        triangulate_into(world.points, world.segments, {.quantum = world.quantum}, scratch, out);
    if (!done) return error_name(done.error().code);
    return any_fault(out, world.points, world.segments, brute);
}

std::uint64_t digest_of(const Triangulation& m) {
    Digest digest;
    for (const Vec2 p : m.vertices) {
        digest.add(p.x);
        digest.add(p.y);
    }
    for (const Array<std::uint32_t>* list : {&m.vertex_of_point, &m.corners, &m.twins, &m.labels}) {
        for (const std::uint32_t number : *list) digest.add(number);
    }
    return digest.value();
}

/// The triangles by the places of their corners, each from its least corner, sorted: what does not depend on numbers.
std::vector<std::array<double, 6>> shape_of(const Triangulation& m) {
    std::vector<std::array<double, 6>> shape;
    for (std::uint32_t t = 0; t < m.triangles(); ++t) {
        Vec2 p[3];
        for (std::uint32_t i = 0; i < 3; ++i) p[i] = m.vertices[m.corners[3 * t + i]];
        while (less_xy(p[1], p[0]) || less_xy(p[2], p[0])) std::rotate(p, p + 1, p + 3);
        shape.push_back({p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y});
    }
    std::sort(shape.begin(), shape.end());
    return shape;
}

TEST(Triangulate, ReadmeExample) {
    const Vec2 points[] = {{0, 0}, {4, 0}, {4, 3}, {0, 3}, {1, 5}, {3, -2}};
    const ConstraintSegment walls[] = {{.from = 0, .to = 1}, {.from = 4, .to = 5, .label = 2}};
    const Result<Triangulation> town = triangulate(points, walls);
    ASSERT_TRUE(town);
    EXPECT_EQ(any_fault(*town, points, walls, true), "");
    EXPECT_EQ(town->vertices.size(), 7U);
    EXPECT_EQ(town->crossings, 1U);
}

TEST(Triangulate, NothingAndLines) {
    for (const std::vector<Vec2>& points :
         {std::vector<Vec2>{}, {{1, 2}}, {{1, 2}, {1, 2}}, {{0, 0}, {1, 1}, {3, 3}, {1, 1}, {-2, -2}}}) {
        std::vector<ConstraintSegment> segments;
        if (points.size() > 2) segments = {{0, 2}, {1, 3}};
        const Result<Triangulation> flat = triangulate(points, segments);
        ASSERT_TRUE(flat);
        EXPECT_EQ(flat->triangles(), 0U);
        EXPECT_EQ(planar_fault(*flat, true), "");
        ASSERT_EQ(flat->vertex_of_point.size(), points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            EXPECT_EQ(flat->vertices[flat->vertex_of_point[i]], points[i]);
        }
    }
    EXPECT_EQ(
        triangulate(std::vector<Vec2>{{0, 0}, {1, 1}, {3, 3}, {1, 1}, {-2, -2}}).value().vertices.size(), 4U);
}

TEST(Triangulate, ErrorsSayWhatAndWhere) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto code = [](std::vector<Vec2> points, std::vector<ConstraintSegment> segments,
                         TriangulateOptions o) {
        PolygonScratch scratch;
        Triangulation out;
        EXPECT_TRUE(triangulate_into(std::vector<Vec2>{{0, 0}, {1, 0}, {0, 1}}, {}, {}, scratch, out));
        const Result<void> done = triangulate_into(points, segments, o, scratch, out);
        EXPECT_EQ(out.vertices.size() + out.corners.size() + out.links.size(), 0U);
        return done ? Error{ErrorCode::count_} : done.error();
    };
    EXPECT_EQ(code({{0, 0}, {nan, 0}}, {}, {}), (Error{ErrorCode::not_finite, 1}));
    EXPECT_EQ(code({{0, 0}, {0, 0}, {0, -kInf}}, {}, {}), (Error{ErrorCode::not_finite, 2}));
    EXPECT_EQ(code({{0x1.1p100, 0}}, {}, {}), (Error{ErrorCode::out_of_range, 0}));
    EXPECT_EQ(code({{0, 0}, {1, 0}, {0, 1}}, {{0, 1}, {1, 3}}, {}), (Error{ErrorCode::unknown_id, 1, 3}));
    for (const double quantum : {-1.0, 3.0, nan, kInf, 0x1p-47, -0x1p-10}) {
        EXPECT_EQ(code({{0, 0}, {1, 0}, {0, 1}}, {}, {.quantum = quantum}),
                  (Error{ErrorCode::out_of_range, -1}));
    }
    EXPECT_EQ(code({{0, 0}, {1, 0}, {0, 1}}, {}, {.vertices_max = 2}), (Error{ErrorCode::size_limit, -1, 2}));
    EXPECT_EQ(code({{0, 0}, {2, 0}, {0, 2}, {2, 2}}, {{0, 3}, {1, 2}}, {.vertices_max = 4}),
              (Error{ErrorCode::size_limit, -1, 4}));
}

TEST(Triangulate, SquareWithCrossingDiagonals) {
    const Vec2 points[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    const ConstraintSegment both[] = {{0, 2, 1}, {1, 3, 2}, {2, 0, 4}};
    const Result<Triangulation> m = triangulate(points, both);
    ASSERT_TRUE(m);
    EXPECT_EQ(any_fault(*m, points, both, true), "");
    EXPECT_EQ(m->triangles(), 4U);
    EXPECT_EQ(m->vertices[4], (Vec2{1, 1}));
    EXPECT_EQ(m->deviation, 0.0);
    int forth = 0, back = 0;
    for (std::uint32_t h = 0; h < 12; ++h) {
        if (m->from(h) == 0 && m->to(h) == 4) {
            EXPECT_EQ(m->labels[h], 5U);
        }
        m->sources(h, [&](ConstraintSource s) {
            if (s.segment == 2 && m->from(h) == 4 && m->to(h) == 0) (s.reversed ? back : forth)++;
        });
    }
    EXPECT_EQ(forth, 1);
    EXPECT_EQ(back, 0);
}

TEST(Triangulate, TinyAndHugeCoordinates) {
    World world;
    world.points = {{1e-300, -0.0},       {0, 0}, {0x1p100, 0}, {0, 0x1p100}, {-0x1p-199, 1},
                    {0x1p-100, 0x1p-100}, {1, 1}};
    const Result<Triangulation> m = triangulate(world.points, {});
    ASSERT_TRUE(m);
    EXPECT_EQ(m->vertex_of_point[0], m->vertex_of_point[1]);
    EXPECT_EQ(planar_fault(*m, true), "");
    EXPECT_EQ(delaunay_fault(*m), "");
}

TEST(Triangulate, TiesTakeTheLeastPoint) {
    std::vector<Vec2> points;
    for (int y = 0; y < 12; ++y) {
        for (int x = 0; x < 12; ++x) points.push_back({x * 0.1, y * 0.1 + (x % 3) * 0.0});
    }
    PolygonScratch scratch;
    Triangulation out;
    EXPECT_EQ(check({points, {}, 0.0}, scratch, out), "");
}

/// Without crossings the triangulation is a function of the sets.
TEST(Triangulate, OrderOfInputDoesNotMatter) {
    Rng rng(7);
    PolygonScratch scratch;
    Triangulation one, two;
    int compared = 0;
    for (int i = 0; i < testing::trials(1500); ++i) {
        World world = random_world(rng, 40, 4);
        ASSERT_EQ(check(world, scratch, one, false), "");
        if (one.crossings > 0) continue;
        ++compared;
        World other;
        std::vector<std::uint32_t> place(world.points.size());
        std::iota(place.begin(), place.end(), 0U);
        for (std::uint32_t k = static_cast<std::uint32_t>(place.size()); k > 1; --k) {
            std::swap(place[k - 1], place[rng.below(k)]);
        }
        other.points.resize(place.size());
        for (std::size_t k = 0; k < place.size(); ++k) other.points[place[k]] = world.points[k];
        for (const ConstraintSegment& s : world.segments) {
            other.segments.insert(other.segments.begin(), {place[s.to], place[s.from], s.label});
        }
        ASSERT_EQ(check(other, scratch, two, false), "");
        ASSERT_EQ(shape_of(one), shape_of(two));
    }
    EXPECT_GT(compared, testing::trials(1500) / 4);
}

TEST(Triangulate, RandomLattices) {
    Rng rng(1);
    PolygonScratch scratch;
    Triangulation out, again;
    double worst = 0.0;
    std::uint64_t crossings = 0;
    for (int i = 0; i < testing::trials(20000); ++i) {
        const World world = random_world(rng, 14, 10);
        ASSERT_EQ(check(world, scratch, out), "") << "world " << i;
        worst = std::max(worst, out.deviation / out.quantum);
        crossings += out.crossings;
        if (i % 16 != 0) continue;
        PolygonScratch fresh;
        ASSERT_EQ(check(world, fresh, again), "");
        ASSERT_EQ(digest_of(out), digest_of(again));
    }
    EXPECT_GT(crossings, static_cast<std::uint64_t>(testing::trials(20000)) / 2);
    EXPECT_LT(worst, 3.0);
}

TEST(Triangulate, RandomCrowds) {
    Rng rng(2);
    PolygonScratch scratch;
    Triangulation out;
    for (int i = 0; i < testing::trials(300); ++i) {
        World world = random_world(rng, 2000, 60);
        ASSERT_EQ(check(world, scratch, out, false), "") << "world " << i;
    }
}

/// Very coarse lattices: whole bundles of segments collapse onto each other.
TEST(Triangulate, CoarseLattices) {
    Rng rng(3);
    PolygonScratch scratch;
    Triangulation out;
    for (int i = 0; i < testing::trials(1500); ++i) {
        World world;
        const int points = rng.between(4, 24);
        for (int k = 0; k < points; ++k) {
            Vec2 p;
            p.x = rng.between(0.0, 8.0);
            p.y = rng.between(0.0, 8.0);
            world.points.push_back(p);
        }
        for (std::uint32_t k = 0; k + 1 < static_cast<std::uint32_t>(points); ++k)
            world.segments.push_back({k, k + 1});
        world.quantum = std::ldexp(1.0, rng.between(-3, 5));
        ASSERT_EQ(check(world, scratch, out), "") << "world " << i;
    }
}

/// Two copies of a segment off the lattice: their pieces once opened like a zip, 667,578 splits and a deviation of a
/// quarter of a unit.
TEST(Triangulate, CopiesOfASegmentDoNotOpenLikeAZip) {
    World world;
    world.points = {{2.9091872279190589, 4.0022567926880264},  {2.9100289791669383, 9.0063818866091854},
                    {1.8234708671092226, 5.0029257178344366},  {0.62400152998120861, 3.000188668509487},
                    {0.61489187511859233, 3.0040035535274781}, {0.39508642595271282, 2.0077951065411845},
                    {9.2787268506984375, 7.0009102825702829},  {9.5043223163929831, 8.0021403463185354},
                    {7.3050292660080469, 6.0066222395763793}};
    world.segments = {{5, 7}, {6, 2}, {6, 2}};
    world.quantum = 0x1p-20;
    PolygonScratch scratch;
    Triangulation out;
    EXPECT_EQ(check(world, scratch, out), "");
    EXPECT_LE(out.crossings, 3U);
    EXPECT_LE(out.deviation, 0.75 * out.quantum);
}

/// A point on a segment is found before a crossing bends the segment away from it, in any order of the segments.
TEST(Triangulate, PointsOnASegmentStayOnIt) {
    World world;
    for (const Vec2 p : {Vec2{0, 0}, {12, 0}, {9, 0}, {2, -4}, {3, 5}, {20, 20}}) {
        world.points.push_back({p.x * 3 - p.y, p.x + p.y * 3});
    }
    world.quantum = 1.0;
    PolygonScratch scratch;
    Triangulation out;
    world.segments = {{0, 1}, {3, 4}};
    EXPECT_EQ(check(world, scratch, out), "");
    world.segments = {{3, 4}, {0, 1}};
    EXPECT_EQ(check(world, scratch, out), "");
    EXPECT_EQ(out.crossings, 1U);
}

/// A crossing rounded to beside a segment by less than distances in doubles show: not on it, so not a deviation of 0.
TEST(Triangulate, ADeviationIsNeverRoundedToZero) {
    World world;
    world.points = {{3.000000011, 5.3000000000000005e-08},
                    {-1.0000000000000001e-09, -3.0000000020000002},
                    {-1, -3.0000000010000001},
                    {1, -3.0000000010000001},
                    {0, 0}};
    world.segments = {{0, 1}, {2, 3}};
    world.quantum = 0x1p-14;
    PolygonScratch scratch;
    Triangulation out;
    EXPECT_EQ(check(world, scratch, out), "");
}

TEST(Triangulate, NearlyParallelSegments) {
    Rng rng(4);
    PolygonScratch scratch;
    Triangulation out;
    for (int i = 0; i < testing::trials(600); ++i) {
        World world;
        for (std::uint32_t k = 0; k < 8; ++k) {
            const double y = rng.between(-1.0, 1.0) * 0x1p-44, z = rng.between(-1.0, 1.0) * 0x1p-44;
            world.points.push_back({rng.unit() - 2.0, y});
            world.points.push_back({rng.unit() + 2.0, z});
            world.segments.push_back({2 * k, 2 * k + 1});
        }
        world.points.push_back({0, 1});
        world.points.push_back({0, -1});
        ASSERT_EQ(check(world, scratch, out), "") << "world " << i;
        ASSERT_LE(out.crossings, 300U);
    }
}

TEST(Triangulate, ShapesThatUpsetIncrementalMethods) {
    PolygonScratch scratch;
    Triangulation out;
    World rows, fan, spiral, cluster;
    for (int i = 0; i < 1500; ++i) {
        rows.points.push_back({double(i), 0});
        rows.points.push_back({double(i), 800});
        const double a = i * 0.05;
        spiral.points.push_back({a * std::cos(a), a * std::sin(a)});
        if (i > 0)
            spiral.segments.push_back({static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(i)});
        cluster.points.push_back(
            {std::ldexp(double(i % 40) + 1, -(i / 10)), std::ldexp(double(i % 37), -(i / 10))});
    }
    fan.points.push_back({0, 0});
    for (std::uint32_t i = 0; i < 600; ++i) {
        fan.points.push_back({1000, double(i) - 300});
        fan.points.push_back({500, double(i) - 300.5});
        fan.segments.push_back({0, 2 * i + 1});
    }
    EXPECT_EQ(check(rows, scratch, out, false), "");
    EXPECT_EQ(check(fan, scratch, out, false), "");
    EXPECT_EQ(check(spiral, scratch, out, false), "");
    EXPECT_EQ(check(cluster, scratch, out, false), "");
}

/// Moved by the lattice, turned by a right angle, mirrored: as many triangles, the same length of segments.
TEST(Triangulate, SymmetriesKeepTheShape) {
    Rng rng(5);
    PolygonScratch scratch;
    Triangulation one, two;
    for (int i = 0; i < testing::trials(400); ++i) {
        World world = random_world(rng, 30, 0);
        ASSERT_EQ(check(world, scratch, one, false), "");
        World moved = world;
        for (Vec2& p : moved.points) p = {p.x + 1024.0, p.y - 4096.0};
        if (world.points.empty() || world.points[0].x != std::floor(world.points[0].x)) continue;
        ASSERT_EQ(check(moved, scratch, two, false), "");
        ASSERT_EQ(one.triangles(), two.triangles());
        std::vector<std::array<double, 6>> back = shape_of(two);
        for (auto& t : back) {
            for (std::size_t k = 0; k < 6; ++k) t[k] += k % 2 == 0 ? -1024.0 : 4096.0;
        }
        std::sort(back.begin(), back.end());
        ASSERT_EQ(shape_of(one), back);
        for (Vec2& p : moved.points) p = {-p.y, p.x};
        ASSERT_EQ(check(moved, scratch, two, false), "");
        ASSERT_EQ(one.triangles(), two.triangles());
        for (Vec2& p : moved.points) p = {-p.x, p.y};
        ASSERT_EQ(check(moved, scratch, two, false), "");
        ASSERT_EQ(one.triangles(), two.triangles());
    }
}

}  // namespace
}  // namespace fairlead::polygon_test
