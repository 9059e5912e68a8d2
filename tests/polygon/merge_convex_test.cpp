#include <fairlead/polygon/merge_convex.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "convex_check.h"
#include "support/environment.h"
#include "worlds.h"

namespace fairlead::polygon_test {
namespace {

struct Made {
    Triangulation mesh;
    Array<std::uint32_t> region;
    ConvexPolygons polygons;
};

std::vector<Vec2> corners_of(const Triangulation& m, std::uint32_t t) {
    std::vector<Vec2> out;
    for (std::uint32_t i = 0; i < 3; ++i) out.push_back(m.vertices[m.corners[3 * t + i]]);
    return out;
}

/// The same area region by region, and every triangle of a region in one polygon of it.
std::string cover_fault(const Made& made, const Shapes& shapes) {
    std::map<std::uint32_t, double> want, got;
    for (std::uint32_t t = 0; t < made.mesh.triangles(); ++t) {
        const std::vector<Vec2> triangle = corners_of(made.mesh, t);
        if (made.region[t] != kNoRegion) want[made.region[t]] += 0.5 * twice_area(triangle);
        const Vec2 middle = (triangle[0] + triangle[1] + triangle[2]) * (1.0 / 3.0);
        int homes = 0;
        for (std::size_t i = 0; i < shapes.rings.size(); ++i) {
            if (!holds(shapes.ring(i), middle)) continue;
            ++homes;
            if (made.polygons.regions[i] != made.region[t]) return "in a polygon of another region";
        }
        if (homes != (made.region[t] == kNoRegion ? 0 : 1)) return "not in one polygon";
    }
    for (std::size_t i = 0; i < shapes.rings.size(); ++i) {
        const double area = 0.5 * twice_area(shapes.ring(i));
        if (std::fabs(area - made.polygons.areas[i]) > 1e-9 * area + 1e-11) return "stated area";
        got[made.polygons.regions[i]] += area;
    }
    if (want.size() != got.size()) return "regions";
    for (const auto& [id, area] : want) {
        if (std::fabs(area - got[id]) > 1e-9 * area + 1e-11) return "area of a region";
    }
    return "";
}

/// Kept edges are borders; two neighbours of one region without a kept edge between them cannot be merged.
std::string merge_fault(const Made& made, const Shapes& shapes, std::uint32_t keep, bool any_size) {
    const Triangulation& m = made.mesh;
    for (std::uint32_t h = 0; h < m.corners.size(); ++h) {
        if ((m.labels[h] & keep) == 0 || made.region[h / 3] == kNoRegion) continue;
        const Vec2 a = m.vertices[m.from(h)], b = m.vertices[m.to(h)];
        for (std::size_t i = 0; i < shapes.rings.size(); ++i) {
            const std::vector<Vec2> ring = shapes.ring(i);
            bool inside = true;
            for (std::size_t k = 0; k < ring.size(); ++k) {
                const Vec2 c = ring[k], d = ring[(k + 1) % ring.size()];
                inside = inside && math::orient2d(c, d, a) >= 0.0 && math::orient2d(c, d, b) >= 0.0 &&
                         (math::orient2d(c, d, a) > 0.0 || math::orient2d(c, d, b) > 0.0);
            }
            if (inside) return "kept edge inside of a polygon";
        }
    }
    if (!any_size) return "";
    std::size_t at = 0;
    std::map<std::pair<std::size_t, std::uint32_t>, bool> kept;
    for (std::size_t i = 0; i < shapes.rings.size(); ++i) {
        for (const std::uint32_t other : shapes.across[i]) {
            if (other != kNoPolygon) kept[{i, other}] |= (made.polygons.labels[at] & keep) != 0;
            ++at;
        }
    }
    for (const auto& [pair, is_kept] : kept) {
        if (is_kept || made.polygons.regions[pair.first] != made.polygons.regions[pair.second]) continue;
        // The two ends of the line that they share; together they are convex if neither end is inside of their hull.
        const std::vector<Vec2> one = shapes.ring(pair.first), two = shapes.ring(pair.second);
        std::vector<Vec2> shared, all = one;
        for (const Vec2 p : two) {
            if (std::find(one.begin(), one.end(), p) != one.end()) shared.push_back(p);
            all.push_back(p);
        }
        std::sort(shared.begin(), shared.end(), less_xy);
        const std::vector<Vec2> hull = convex_hull(all);
        bool could = true;
        for (const Vec2 end : {shared.front(), shared.back()}) {
            bool border = false;
            for (std::size_t k = 0; k < hull.size(); ++k) {
                border = border || math::orient2d(hull[k], hull[(k + 1) % hull.size()], end) == 0.0;
            }
            could = could && border;
        }
        if (could) return "two could be one";
    }
    return "";
}

/// With drop_straight: what is straight is needed by somebody.
std::string straight_fault(const Made& made, const Shapes& shapes) {
    struct Use {
        int corners = 0;
        bool straight = true;
        std::set<std::uint32_t> labels;
    };
    std::map<std::uint32_t, Use> uses;
    std::size_t at = 0;
    for (std::size_t i = 0; i < shapes.rings.size(); ++i) {
        const std::vector<Vec2> p = shapes.ring(i);
        for (std::size_t k = 0; k < p.size(); ++k) {
            Use& use = uses[shapes.rings[i][k]];
            const std::size_t before = (k + p.size() - 1) % p.size();
            ++use.corners;
            use.straight = use.straight && math::orient2d(p[before], p[k], p[(k + 1) % p.size()]) == 0.0;
            use.labels.insert(made.polygons.labels[at + k]);
            use.labels.insert(made.polygons.labels[at + before]);
        }
        at += p.size();
    }
    for (const auto& [vertex, use] : uses) {
        if (use.straight && use.corners <= 2 && use.labels.size() == 1)
            return "straight corner that nobody needs";
    }
    return "";
}

TEST(MergeConvex, RandomMapsOfRegions) {
    Rng rng(1);
    PolygonScratch scratch;
    Made made;
    std::size_t triangles = 0, polygons = 0;
    for (int i = 0; i < testing::trials(2500); ++i) {
        const World world = random_world(rng, 40, 8);
        ASSERT_TRUE(
            triangulate_into(world.points, world.segments, {.quantum = world.quantum}, scratch, made.mesh));
        ASSERT_TRUE(made.region.resize(made.mesh.triangles()));
        const std::uint32_t regions = rng.below(4);
        for (std::uint32_t& r : made.region) {
            const bool other = regions > 0 && rng.below(8) == 0;
            r = other ? (rng.below(3) == 0 ? kNoRegion : rng.below(regions)) : 0;
        }
        MergeOptions options;
        options.keep_labels = rng.below(2) == 0 ? 0 : rng.below(32);
        options.corners_max = rng.below(3) == 0 ? 3 + rng.below(5) : 0;
        options.drop_straight = rng.below(2) == 0;
        ASSERT_TRUE(merge_convex_into(made.mesh, made.region.span(), options, scratch, made.polygons));
        const Shapes shapes = shapes_of(made.mesh.vertices.span(), made.polygons);
        ASSERT_EQ(convex_fault(shapes), "") << "world " << i;
        ASSERT_EQ(cover_fault(made, shapes), "") << "world " << i;
        ASSERT_EQ(merge_fault(made, shapes, options.keep_labels, options.corners_max == 0), "")
            << "world " << i;
        if (options.drop_straight) {
            ASSERT_EQ(straight_fault(made, shapes), "") << "world " << i;
        }
        for (const std::uint32_t size : made.polygons.sizes) {
            ASSERT_TRUE(options.corners_max == 0 || size <= options.corners_max);
        }
        for (std::size_t k = 0; k < made.polygons.corners.size(); ++k) {
            const std::uint32_t h = made.polygons.halves[k];
            ASSERT_EQ(made.mesh.from(h), made.polygons.corners[k]);
            ASSERT_EQ(made.mesh.labels[h], made.polygons.labels[k]);
        }
        triangles += made.mesh.triangles();
        polygons += made.polygons.sizes.size();
    }
    EXPECT_LT(polygons, triangles);
}

TEST(MergeConvex, AConvexOutlineIsOnePolygon) {
    std::vector<Vec2> points;
    for (int i = 0; i < 6; ++i) {
        points.push_back({double(i), 0});
        points.push_back({double(5 - i), 5});
        points.push_back({0, double(i)});
        points.push_back({5, double(i)});
        points.push_back({2.5, double(i)});
    }
    PolygonScratch scratch;
    Made made;
    ASSERT_TRUE(triangulate_into(points, {}, {}, scratch, made.mesh));
    ASSERT_TRUE(made.region.resize(made.mesh.triangles()));
    ASSERT_TRUE(
        merge_convex_into(made.mesh, made.region.span(), {.drop_straight = true}, scratch, made.polygons));
    ASSERT_EQ(made.polygons.sizes.size(), 1U);
    EXPECT_EQ(made.polygons.sizes[0], 4U);
    EXPECT_EQ(made.polygons.areas[0], 25.0);
    ASSERT_TRUE(merge_convex_into(made.mesh, made.region.span(), {}, scratch, made.polygons));
    EXPECT_EQ(made.polygons.sizes[0], 22U);
}

/// A vertex inside of the quadrilateral is in the way of its edges until the last but two are gone.
TEST(MergeConvex, LinesAreTriedAgain) {
    const std::vector<Vec2> points = {{1, 2}, {3, 0}, {0, 2}, {2, 3}, {0, 1}};
    PolygonScratch scratch;
    Made made;
    ASSERT_TRUE(triangulate_into(points, {}, {}, scratch, made.mesh));
    ASSERT_TRUE(made.region.resize(made.mesh.triangles()));
    ASSERT_TRUE(merge_convex_into(made.mesh, made.region.span(), {}, scratch, made.polygons));
    EXPECT_EQ(made.polygons.sizes.size(), 1U);
}

TEST(MergeConvex, Errors) {
    PolygonScratch scratch;
    Made made;
    ASSERT_TRUE(triangulate_into(std::vector<Vec2>{{0, 0}, {1, 0}, {0, 1}}, {}, {}, scratch, made.mesh));
    EXPECT_EQ(merge_convex_into(made.mesh, {}, {}, scratch, made.polygons).error(),
              (Error{ErrorCode::size_mismatch, -1, 1}));
    const std::uint32_t region[] = {0};
    EXPECT_EQ(merge_convex_into(made.mesh, region, {.corners_max = 2}, scratch, made.polygons).error(),
              (Error{ErrorCode::out_of_range, -1, 2}));
}

}  // namespace
}  // namespace fairlead::polygon_test
