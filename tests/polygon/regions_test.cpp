#include <fairlead/polygon/regions.h>
#include <gtest/gtest.h>

#include <vector>

#include "mesh_check.h"
#include "support/environment.h"
#include "worlds.h"

namespace fairlead::polygon_test {
namespace {

Vec2 middle_of(const Triangulation& m, std::uint32_t t) {
    Vec2 sum{};
    for (std::uint32_t i = 0; i < 3; ++i) sum = sum + m.vertices[m.corners[3 * t + i]];
    return sum * (1.0 / 3.0);
}

/// Further from all segments than they may have been bent.
bool is_clear(const Rings& rings, Vec2 p, double deviation) {
    for (const ConstraintSegment& s : rings.segments) {
        const Vec2 a = rings.points[s.from], b = rings.points[s.to];
        if (a == b ? distance(a, p) <= deviation + 1e-9 : distance_to(a, b, p) <= deviation + 1e-9)
            return false;
    }
    return true;
}

TEST(Regions, ParityAndWindingAgreeWithRays) {
    Rng rng(1);
    PolygonScratch scratch;
    Triangulation m;
    Array<std::uint32_t> parity;
    Array<std::int32_t> winding;
    int compared = 0, inside = 0;
    for (int i = 0; i < testing::trials(3000); ++i) {
        const Rings rings = random_rings(rng, 5, 8, rng.between(2, 16));
        const double quanta[] = {0.0, 0x1p-10, 0.125, 1.0};
        const TriangulateOptions options{.quantum = quanta[rng.below(4)]};
        ASSERT_TRUE(triangulate_into(rings.points, rings.segments, options, scratch, m));
        ASSERT_EQ(any_fault(m, rings.points, rings.segments, false), "");
        for (const std::uint32_t mask : {1U, 7U}) {
            const Result<RegionConflicts> flood =
                find_winding_into(m, rings.segments, mask, scratch, winding);
            ASSERT_TRUE(flood);
            ASSERT_EQ(flood->edges, 0U) << "rings are closed";
            const Result<RegionConflicts> bits = find_parity_into(m, rings.segments, scratch, parity);
            ASSERT_TRUE(bits);
            ASSERT_EQ(bits->edges, 0U);
            for (std::uint32_t t = 0; t < m.triangles(); ++t) {
                const Vec2 p = middle_of(m, t);
                if (!is_clear(rings, p, m.deviation)) continue;
                ++compared;
                ASSERT_EQ(winding[t], winding_at(rings.points, rings.segments, mask, p)) << "world " << i;
                inside += winding[t] != 0 ? 1 : 0;
                for (std::uint32_t bit = 1; bit <= 4; bit *= 2) {
                    const int turns = winding_at(rings.points, rings.segments, bit, p);
                    ASSERT_EQ((parity[t] & bit) != 0, turns % 2 != 0) << "world " << i;
                }
            }
        }
    }
    EXPECT_GT(compared, testing::trials(3000));
    EXPECT_GT(inside, testing::trials(3000));
}

/// A map of cells with a region each; borders between different regions know both. Crossing-free, shuffled, split.
TEST(Regions, SidesGiveTheMapBack) {
    Rng rng(2);
    PolygonScratch scratch;
    Triangulation m;
    Array<std::uint32_t> region;
    for (int i = 0; i < testing::trials(1200); ++i) {
        const int width = rng.between(1, 7), height = rng.between(1, 7);
        std::vector<std::uint32_t> cells;
        for (int k = 0; k < width * height; ++k)
            cells.push_back(rng.below(4) == 0 ? kNoRegion : rng.below(3));
        const auto cell = [&](int x, int y) {
            return x < 0 || y < 0 || x >= width || y >= height
                       ? kNoRegion
                       : cells[static_cast<std::size_t>(y * width + x)];
        };
        std::vector<Vec2> points;
        std::vector<ConstraintSegment> segments;
        std::vector<SegmentSides> sides;
        const auto add = [&](Vec2 a, Vec2 b, std::uint32_t left, std::uint32_t right) {
            if (left == right) return;
            const auto first = static_cast<std::uint32_t>(points.size());
            points.push_back(a);
            points.push_back(b);
            const bool back = rng.below(2) != 0;
            const int copies = rng.below(5) == 0 ? 3 : 1;
            for (int c = 0; c < copies; ++c) {
                segments.push_back(back ? ConstraintSegment{first + 1, first}
                                        : ConstraintSegment{first, first + 1});
                sides.push_back(back ? SegmentSides{right, left} : SegmentSides{left, right});
            }
        };
        for (int y = 0; y <= height; ++y) {
            for (int x = 0; x <= width; ++x) {
                const Vec2 p{double(x), double(y)};
                add(p, p + Vec2{1, 0}, cell(x, y), cell(x, y - 1));
                add(p, p + Vec2{0, 1}, cell(x - 1, y), cell(x, y));
            }
        }
        ASSERT_TRUE(triangulate_into(points, segments, {}, scratch, m));
        const Result<RegionConflicts> flood = find_regions_into(m, sides, scratch, region);
        ASSERT_TRUE(flood);
        ASSERT_EQ(flood->edges, 0U) << "world " << i;
        for (std::uint32_t t = 0; t < m.triangles(); ++t) {
            const Vec2 p = middle_of(m, t);
            ASSERT_EQ(region[t], cell(static_cast<int>(std::floor(p.x)), static_cast<int>(std::floor(p.y))));
        }
    }
}

TEST(Regions, StripsThatCloseCancel) {
    // Region 1 above, 3 below, and 2 in a strip between them without any height.
    const Vec2 points[] = {{0, 0}, {4, 0}, {4, 3}, {0, 3}, {4, -3}, {0, -3}};
    const ConstraintSegment segments[] = {{0, 1}, {1, 0}, {1, 2}, {2, 3}, {3, 0}, {0, 5}, {5, 4}, {4, 1}};
    const SegmentSides sides[] = {{1, 2},         {3, 2},         {1, kNoRegion}, {1, kNoRegion},
                                  {1, kNoRegion}, {3, kNoRegion}, {3, kNoRegion}, {3, kNoRegion}};
    const Result<Triangulation> m = triangulate(points, segments);
    ASSERT_TRUE(m);
    PolygonScratch scratch;
    Array<std::uint32_t> region;
    const Result<RegionConflicts> flood = find_regions_into(*m, sides, scratch, region);
    ASSERT_TRUE(flood);
    EXPECT_EQ(flood->edges, 0U);
    for (std::uint32_t t = 0; t < m->triangles(); ++t) EXPECT_EQ(region[t], middle_of(*m, t).y > 0 ? 1U : 3U);
}

TEST(Regions, ContradictionsAreCounted) {
    const Vec2 points[] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {1, 2}, {2, 2}};
    const ConstraintSegment open[] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5, 2}};
    const Result<Triangulation> m = triangulate(points, open);
    ASSERT_TRUE(m);
    PolygonScratch scratch;
    Array<std::uint32_t> parity;
    Array<std::int32_t> winding;
    const Result<RegionConflicts> bits = find_parity_into(*m, open, scratch, parity);
    ASSERT_TRUE(bits);
    EXPECT_EQ(bits->edges, 1U);
    EXPECT_EQ(m->labels[bits->half], 2U);
    for (const std::uint32_t p : parity) EXPECT_EQ(p & 1U, 1U);
    EXPECT_EQ(find_winding_into(*m, open, 1, scratch, winding).value().edges, 0U);

    Array<std::uint32_t> region;
    const SegmentSides wrong[] = {{7, 0}, {7, 0}, {8, 0}, {7, 0}, {5, 5}};
    const Result<RegionConflicts> flood = find_regions_into(*m, wrong, scratch, region);
    ASSERT_TRUE(flood);
    EXPECT_EQ(flood->edges, region[0] == 7 ? 1U : 3U);
    for (const std::uint32_t r : region) EXPECT_EQ(r, region[0]);
}

TEST(Regions, ErrorsOfSize) {
    const Vec2 points[] = {{0, 0}, {4, 0}, {4, 4}};
    const ConstraintSegment segments[] = {{0, 1}, {1, 2}};
    const Result<Triangulation> m = triangulate(points, segments);
    ASSERT_TRUE(m);
    PolygonScratch scratch;
    Array<std::uint32_t> region;
    const SegmentSides one[] = {{1, 0}};
    EXPECT_EQ(find_regions_into(*m, one, scratch, region).error(), (Error{ErrorCode::size_mismatch, -1, 2}));
    EXPECT_EQ(find_parity_into(*m, {segments, 1}, scratch, region).error(),
              (Error{ErrorCode::size_mismatch, -1, 2}));
}

}  // namespace
}  // namespace fairlead::polygon_test
