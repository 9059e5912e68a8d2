#include <fairlead/polygon/outline.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "convex_check.h"
#include "support/environment.h"
#include "worlds.h"

namespace fairlead::polygon_test {
namespace {

bool inside_by(OutlineRule rule, int turns) {
    if (rule == OutlineRule::even_odd) return turns % 2 != 0;
    return rule == OutlineRule::non_zero ? turns != 0 : turns > 0;
}

TEST(Outline, ReadmeExample) {
    const Vec2 points[] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}, {3, 3}, {3, 6}, {6, 6}, {6, 3}};
    const std::uint32_t sizes[] = {4, 4};
    for (const OutlineRule rule : {OutlineRule::even_odd, OutlineRule::non_zero, OutlineRule::positive}) {
        const Result<OutlineMesh> floor = outline_to_convex({.points = points, .sizes = sizes, .rule = rule});
        ASSERT_TRUE(floor);
        EXPECT_EQ(floor->area, 72.0);
        EXPECT_EQ(floor->sizes.size(), 4U);
        EXPECT_EQ(floor->vertices.size(), 8U);
        EXPECT_EQ(convex_fault(shapes_of(floor->vertices.span(), *floor)), "");
    }
}

TEST(Outline, RandomRingsAgreeWithRays) {
    Rng rng(1);
    PolygonScratch scratch;
    OutlineMesh mesh;
    int inside = 0, outside = 0;
    for (int i = 0; i < testing::trials(2500); ++i) {
        const int side = rng.between(2, 20);
        const Rings rings = random_rings(rng, 6, 9, side);
        OutlineQuery query{.points = rings.points, .sizes = rings.sizes};
        query.rule = static_cast<OutlineRule>(rng.below(3));
        const double quanta[] = {0.0, 0x1p-10, 0.125};
        query.quantum = quanta[rng.below(3)];
        query.corners_max = rng.below(4) == 0 ? 6 : 0;
        query.drop_straight = rng.below(3) != 0;
        ASSERT_TRUE(outline_to_convex_into(query, scratch, mesh));
        const Shapes shapes = shapes_of(mesh.vertices.span(), mesh);
        ASSERT_EQ(convex_fault(shapes), "") << "world " << i;
        double area = 0.0;
        for (std::size_t k = 0; k < shapes.rings.size(); ++k) area += 0.5 * twice_area(shapes.ring(k));
        ASSERT_NEAR(area, mesh.area, 1e-9 * (1.0 + area));
        for (int k = 0; k < 20; ++k) {
            Vec2 p;
            p.x = rng.between(-1.0, side + 1.0);
            p.y = rng.between(-1.0, side + 1.0);
            double gap = 1e300;
            for (const ConstraintSegment& s : rings.segments) {
                const Vec2 a = rings.points[s.from], b = rings.points[s.to];
                gap = std::min(gap, a == b ? distance(a, p) : distance_to(a, b, p));
            }
            if (gap <= mesh.deviation + 1e-9) continue;
            const bool want = inside_by(query.rule, winding_at(rings.points, rings.segments, 7, p));
            int homes = 0;
            for (std::size_t r = 0; r < shapes.rings.size(); ++r) homes += holds(shapes.ring(r), p) ? 1 : 0;
            ASSERT_EQ(homes > 0, want) << "world " << i;
            (want ? inside : outside)++;
        }
    }
    EXPECT_GT(inside, testing::trials(2500));
    EXPECT_GT(outside, testing::trials(2500));
}

/// Moved, turned by a right angle, mirrored: the same area, exactly, where nothing is rounded.
TEST(Outline, SymmetriesKeepTheArea) {
    Rng rng(2);
    PolygonScratch scratch;
    OutlineMesh mesh;
    for (int i = 0; i < testing::trials(500); ++i) {
        Rings rings = random_rings(rng, 5, 8, 12);
        OutlineQuery query{.points = rings.points, .sizes = rings.sizes, .rule = OutlineRule::non_zero};
        ASSERT_TRUE(outline_to_convex_into(query, scratch, mesh));
        const double area = mesh.area;
        const double slack = 1e-6;
        for (int image = 0; image < 4; ++image) {
            for (Vec2& p : rings.points) {
                if (image == 0) p = {p.x + 100, p.y - 300};
                if (image == 1) p = {-p.y, p.x};
                if (image == 2) p = {-p.x, p.y};
                if (image == 3) p = p * 0.125;
            }
            ASSERT_TRUE(outline_to_convex_into(query, scratch, mesh));
            ASSERT_NEAR(mesh.area * (image == 3 ? 64.0 : 1.0), area, slack) << "world " << i;
        }
    }
}

TEST(Outline, NothingInside) {
    const Vec2 points[] = {{0, 0}, {4, 0}, {2, 0}, {1, 1}, {1, 1}, {7, 7}};
    const std::uint32_t sizes[] = {3, 0, 2, 1};
    const Result<OutlineMesh> mesh = outline_to_convex({.points = points, .sizes = sizes});
    ASSERT_TRUE(mesh);
    EXPECT_EQ(mesh->sizes.size() + mesh->vertices.size(), 0U);
    EXPECT_TRUE(outline_to_convex({}));
}

TEST(Outline, Errors) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Vec2 points[] = {{0, 0}, {4, 0}, {2, nan}};
    const std::uint32_t two[] = {2}, three[] = {3};
    EXPECT_EQ(outline_to_convex({.points = points, .sizes = two}).error(),
              (Error{ErrorCode::size_mismatch, -1, 3}));
    EXPECT_EQ(outline_to_convex({.points = points, .sizes = three}).error(),
              (Error{ErrorCode::not_finite, 2}));
    EXPECT_EQ(outline_to_convex({.points = {points, 2}, .sizes = two, .quantum = 3.0}).error(),
              (Error{ErrorCode::out_of_range, -1}));
}

/// A star of five drawn with crossing lines: its middle is inside twice.
TEST(Outline, Pentagram) {
    std::vector<Vec2> points;
    for (const Vec2 p : {Vec2{0, 10}, {-6, -8}, {10, 3}, {-10, 3}, {6, -8}}) points.push_back(p);
    const std::uint32_t sizes[] = {5};
    const Result<OutlineMesh> odd = outline_to_convex({.points = points, .sizes = sizes});
    const Result<OutlineMesh> all =
        outline_to_convex({.points = points, .sizes = sizes, .rule = OutlineRule::non_zero});
    ASSERT_TRUE(odd && all);
    EXPECT_EQ(odd->sizes.size(), 5U);
    EXPECT_LT(odd->area, all->area);
    EXPECT_LE(odd->deviation, 0.75 * 0x1p-36);
}

}  // namespace
}  // namespace fairlead::polygon_test
