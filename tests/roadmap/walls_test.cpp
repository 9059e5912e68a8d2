// The roadmap's own walls: cases by hand, and random ones against dense sampling and plain geometry.

#include <gtest/gtest.h>

#include <cmath>

#include "support/roadmaps.h"

namespace fairlead {
namespace {

using testing::PlainRoadmap;

struct Case {
    const char* what;
    Vec2 a, b;
    double radius;
    bool clear;
};

void expect_cases(const RoadmapState& state, std::initializer_list<Case> cases) {
    for (const Case& c : cases) {
        EXPECT_EQ(state.walls_clear(c.a, c.b, c.radius), c.clear) << c.what;
        EXPECT_EQ(state.walls_clear(c.b, c.a, c.radius), c.clear) << c.what << ", backwards";
    }
}

Roadmap with(const std::vector<std::pair<std::vector<Vec2>, bool>>& walls) {
    PlainRoadmap plain;
    for (const auto& [points, closed] : walls) plain.wall(points, closed);
    return plain.make();
}

const std::vector<Vec2> kSquare = {{2, 2}, {4, 2}, {4, 4}, {2, 4}};

TEST(RoadmapWalls, APointMayTouchAPolygon) {
    expect_cases(with({{kSquare, true}}), {{"through", {0, 3}, {6, 3}, 0, false},
                                           {"past", {0, 5}, {6, 5}, 0, true},
                                           {"along the lower side", {0, 2}, {6, 2}, 0, true},
                                           {"along the left side", {2, 0}, {2, 6}, 0, true},
                                           {"on the lower side", {2.5, 2}, {3.5, 2}, 0, true},
                                           {"side to side", {2, 3}, {4, 3}, 0, false},
                                           {"corner to corner", {2, 2}, {4, 4}, 0, false},
                                           {"corner to neighbouring corner", {2, 2}, {4, 2}, 0, true},
                                           {"through two corners", {0, 0}, {6, 6}, 0, false},
                                           {"grazing a corner", {0, 4}, {4, 0}, 0, true},
                                           {"up to a corner", {0, 0}, {2, 2}, 0, true},
                                           {"up to a side", {0, 3}, {2, 3}, 0, true},
                                           {"into it", {0, 3}, {2.1, 3}, 0, false},
                                           {"from a side into it", {2, 3}, {3, 3.5}, 0, false},
                                           {"from a corner into it", {2, 2}, {3, 3.5}, 0, false},
                                           {"from a corner away", {2, 2}, {1, 3}, 0, true},
                                           {"inside", {2.5, 2.5}, {3.5, 3}, 0, false},
                                           {"standing inside", {3, 3}, {3, 3}, 0, false},
                                           {"standing on a side", {2, 3}, {2, 3}, 0, true},
                                           {"standing on a corner", {4, 4}, {4, 4}, 0, true},
                                           {"standing outside, level with corners", {0, 2}, {0, 2}, 0, true},
                                           {"ending level with a side", {0, 4}, {1, 4}, 0, true}});
}

TEST(RoadmapWalls, APointMayNotCrossALine) {
    expect_cases(with({{{{0, 0}, {4, 0}, {4, 4}}, false}}),
                 {{"across", {2, -1}, {2, 1}, 0, false},
                  {"touching the joint from without", {3, -1}, {5, 1}, 0, true},  // both arms on the left
                  {"across at the joint", {3, 1}, {5, -1}, 0, false},
                  {"along", {-1, 0}, {3, 0}, 0, true},
                  {"along and on past the joint", {-1, 0}, {6, 0}, 0, true},
                  {"along, with the other arm behind", {4, -2}, {4, 6}, 0, true},
                  {"around the end", {0, -1}, {0, 1}, 0, true},
                  {"up to it", {2, -1}, {2, 0}, 0, true},
                  {"from it", {2, 0}, {3, 1}, 0, true},
                  {"standing on it", {2, 0}, {2, 0}, 0, true}});
    // A line that goes along the way and leaves it to the other side has been crossed.
    expect_cases(with({{{{1, -1}, {1, 0}, {3, 0}, {3, 1}}, false}}),
                 {{"crossed in steps", {0, 0}, {4, 0}, 0, false}, {"from on it", {2, 0}, {4, 0}, 0, true}});
    expect_cases(with({{{{1, -1}, {1, 0}, {3, 0}, {3, -1}}, false}}),
                 {{"only touched", {0, 0}, {4, 0}, 0, true}});
}

TEST(RoadmapWalls, ADiscMayTouch) {
    expect_cases(with({{kSquare, true}, {{{10, 0}, {10, 5}}, false}}),
                 {{"touching along the side", {0, 1}, {6, 1}, 1, true},
                  {"overlapping by 1e-6", {0, 1 + 1e-6}, {6, 1 + 1e-6}, 1, false},
                  {"touching a corner", {4.6, 0}, {4.6, 1.2}, 1, true},
                  {"overlapping a corner by 1e-6", {4.6 - 1e-6, 0}, {4.6 - 1e-6, 1.2}, 1, false},
                  {"deep inside a polygon larger than the disc", {3, 3}, {3.1, 3}, 0.1, false},
                  {"through", {0, 3}, {6, 3}, 0.1, false},
                  {"past the line's end", {9.5, 6}, {10.5, 6}, 1, true},
                  {"over the line's end", {9.5, 5.9}, {10.5, 5.9}, 1, false},
                  {"across the line", {9, 1}, {11, 1}, 1e-3, false},
                  {"across the line, next to nothing wide", {9, 1}, {11, 1}, 1e-300, false},
                  {"inside, next to nothing wide", {3, 3}, {3.1, 3}, 1e-300, false},
                  {"away, next to nothing wide", {0, 0}, {0.1, 0}, 1e-300, true},
                  {"standing near", {1, 3}, {1, 3}, 1, true},
                  {"standing too near", {1.01, 3}, {1.01, 3}, 1, false}});
}

TEST(RoadmapWalls, OverlappingPolygonsStaySolid) {
    expect_cases(with({{kSquare, true}, {{{3, 3}, {5, 3}, {5, 5}, {3, 5}}, true}}),
                 {{"in both", {3.5, 3.5}, {3.6, 3.5}, 0, false},
                  {"in both, wide", {3.5, 3.5}, {3.6, 3.5}, 0.01, false},
                  {"on the side of one, in the other", {3, 3.5}, {3, 3.5}, 0, false}});
}

TEST(RoadmapWalls, CornersThatMeetLetAPointThrough) {
    expect_cases(
        with({{kSquare, true}, {{{4, 4}, {6, 4}, {6, 6}, {4, 6}}, true}}),
        {{"between", {3, 5}, {5, 3}, 0, true}, {"between, with a body", {3, 5}, {5, 3}, 1e-6, false}});
}

// ---- random ------------------------------------------------------------------------------------------------

struct PlainWalls {
    std::vector<std::pair<std::vector<Vec2>, bool>> walls;

    static double to_side(Vec2 p, Vec2 a, Vec2 b) {
        const double size = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
        double t = size > 0 ? ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / size : 0;
        t = std::min(1.0, std::max(0.0, t));
        return std::hypot(p.x - a.x - t * (b.x - a.x), p.y - a.y - t * (b.y - a.y));
    }
    // Distance to the walls' lines, negative inside a polygon (winding number, so that it shares nothing with the
    // library's even-odd rule; the polygons here do not cross themselves).
    double distance(Vec2 p) const {
        double least = 1e300;
        bool inside = false;
        for (const auto& [points, closed] : walls) {
            double turn = 0;
            for (std::size_t i = 0; i + (closed ? 0 : 1) < points.size(); ++i) {
                const Vec2 a = points[i];
                const Vec2 b = points[(i + 1) % points.size()];
                least = std::min(least, to_side(p, a, b));
                turn += std::atan2(cross(a - p, b - p), dot(a - p, b - p));
            }
            inside = inside || (closed && std::abs(turn) > 3.0);
        }
        return inside ? -least : least;
    }
};

std::vector<Vec2> random_star(Rng& rng, Vec2 centre, double size) {
    std::vector<Vec2> points;
    const std::uint32_t count = 3 + rng.below(9);
    for (std::uint32_t i = 0; i < count; ++i) {
        const double angle = kTwoPi * (i + 0.8 * rng.unit()) / count;
        const double radius = size * rng.between(0.3, 1.0);
        points.push_back(centre + Vec2{radius * std::cos(angle), radius * std::sin(angle)});
    }
    if (rng.below(2) == 0) std::reverse(points.begin(), points.end());
    return points;
}

PlainWalls random_walls(Rng& rng) {
    PlainWalls walls;
    for (std::uint32_t k = 0; k < 1 + rng.below(12); ++k) {
        const Vec2 at{rng.between(0.0, 20.0), rng.between(0.0, 20.0)};
        if (rng.below(2) == 0) {
            walls.walls.push_back({random_star(rng, at, rng.between(0.5, 4.0)), true});
        } else {
            std::vector<Vec2> line{at};
            for (std::uint32_t i = 0; i < 1 + rng.below(30); ++i) {
                line.push_back(line.back() + Vec2{rng.between(-2.0, 2.0), rng.between(-2.0, 2.0)});
            }
            walls.walls.push_back({line, false});
        }
    }
    return walls;
}

// Never clear where a sampled point of the body overlaps by more than rounding; never blocked where the whole sweep
// has room to spare.
TEST(RoadmapWalls, RandomSweepsAgainstDenseSampling) {
    Rng rng(31);
    int clear = 0;
    int blocked = 0;
    for (int world = 0; world < 100; ++world) {
        const PlainWalls plain = random_walls(rng);
        const Roadmap roadmap = with(plain.walls);
        for (int k = 0; k < 30; ++k) {
            const Vec2 a{rng.between(-1.0, 21.0), rng.between(-1.0, 21.0)};
            const Vec2 b = rng.below(8) == 0 ? a : a + Vec2{rng.between(-6.0, 6.0), rng.between(-6.0, 6.0)};
            const double radius = rng.below(4) == 0 ? 0.0 : rng.between(0.0, 1.5);
            const bool answer = roadmap.state().walls_clear(a, b, radius);
            (answer ? clear : blocked) += 1;
            double least = 1e300;
            const double step = length(b - a) / 500;
            for (int i = 0; i <= 500; ++i) least = std::min(least, plain.distance(a + (b - a) * (i / 500.0)));
            if (answer && radius > 0) {
                ASSERT_GE(least, radius - 1e-9);
            } else if (answer) {
                ASSERT_GE(least, -1e-9);
            } else {
                ASSERT_LT(least, radius + step + 1e-9);  // between the samples it may come nearer by that
            }
        }
    }
    EXPECT_GT(clear, 500);
    EXPECT_GT(blocked, 500);
}

// A point between whole numbers, where touching and passing through corners is the rule. The answer by plain
// geometry in whole numbers: cut the segment wherever a side meets it and look at the pieces' middles.
TEST(RoadmapWalls, PointsAmongPolygonsOnWholeNumbers) {
    Rng rng(32);
    for (int world = 0; world < 4000; ++world) {
        // One convex polygon, so that touching it from both sides at once is impossible.
        const auto whole = [&rng] {
            return Vec2{static_cast<double>(rng.below(7)), static_cast<double>(rng.below(7))};
        };
        std::vector<Vec2> corners{whole(), whole(), whole()};
        const double turn = cross(corners[1] - corners[0], corners[2] - corners[0]);
        if (turn == 0) continue;
        const Roadmap roadmap = with({{corners, true}});
        if (turn < 0) std::swap(corners[1], corners[2]);
        for (int k = 0; k < 20; ++k) {
            const Vec2 a = whole();
            const Vec2 b = whole();
            // Clip ab against the open triangle: a piece of positive length (or the point itself) inside.
            double low = 0;
            double high = 1;
            bool outside = false;
            for (std::size_t i = 0; i < 3; ++i) {
                const Vec2 c = corners[i];
                const Vec2 d = corners[(i + 1) % 3];
                const double at_a = cross(d - c, a - c);
                const double at_b = cross(d - c, b - c);
                if (at_a <= 0 && at_b <= 0) outside = true;
                if (at_a < 0 && at_b > 0) low = std::max(low, at_a / (at_a - at_b));
                if (at_a > 0 && at_b < 0) high = std::min(high, at_a / (at_a - at_b));
            }
            const bool inside = !outside && (a == b || low < high - 1e-9);
            ASSERT_EQ(roadmap.state().walls_clear(a, b, 0), !inside)
                << corners[0].x << ',' << corners[0].y << ' ' << corners[1].x << ',' << corners[1].y << ' '
                << corners[2].x << ',' << corners[2].y << "  " << a.x << ',' << a.y << " -> " << b.x << ','
                << b.y;
        }
    }
}

TEST(RoadmapWalls, ManyWallsAreFoundThroughTheBoxes) {
    Rng rng(33);
    std::vector<std::pair<std::vector<Vec2>, bool>> walls;
    for (int i = 0; i < 3000; ++i) {
        const Vec2 at{rng.between(0.0, 1000.0), rng.between(0.0, 1000.0)};
        walls.push_back({{at, at + Vec2{rng.between(-3.0, 3.0), rng.between(-3.0, 3.0)}}, false});
    }
    const Roadmap roadmap = with(walls);
    for (int k = 0; k < 3000; ++k) {
        const Vec2 a{rng.between(0.0, 1000.0), rng.between(0.0, 1000.0)};
        const Vec2 b = a + Vec2{rng.between(-20.0, 20.0), rng.between(-20.0, 20.0)};
        const double radius = rng.between(0.01, 2.0);
        bool clear = true;
        for (const auto& [points, closed] : walls) {
            const double apart = std::min(
                std::min(PlainWalls::to_side(a, points[0], points[1]),
                         PlainWalls::to_side(b, points[0], points[1])),
                std::min(PlainWalls::to_side(points[0], a, b), PlainWalls::to_side(points[1], a, b)));
            const bool crossing =
                cross(b - a, points[0] - a) * cross(b - a, points[1] - a) < 0 &&
                cross(points[1] - points[0], a - points[0]) * cross(points[1] - points[0], b - points[0]) < 0;
            clear = clear && apart >= radius && !crossing;
        }
        ASSERT_EQ(roadmap.state().walls_clear(a, b, radius), clear);
    }
}

// Whatever finite numbers: an answer, the same in both directions.
TEST(RoadmapWalls, ExtremeNumbers) {
    Rng rng(34);
    const double values[] = {0, 1, -1, 1e-300, 1e12, -1e12, 5e11, 1e-9, 3.5};
    const auto any = [&] { return values[rng.below(9)]; };
    for (int world = 0; world < 300; ++world) {
        const Roadmap roadmap = with({{{{any(), any()}, {any(), any()}, {any(), any()}}, true},
                                      {{{any(), any()}, {any(), any()}}, false}});
        for (int k = 0; k < 20; ++k) {
            const Vec2 a{any(), any()};
            const Vec2 b{any(), any()};
            const double radius = std::abs(any());
            ASSERT_EQ(roadmap.state().walls_clear(a, b, radius), roadmap.state().walls_clear(b, a, radius));
        }
    }
}

}  // namespace
}  // namespace fairlead
