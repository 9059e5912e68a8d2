// A disc against walls.
//
// With a radius it is a question of distance: the segment must keep the radius from every side, and its start
// must not be inside a polygon (then nothing of it is). Inside is decided by the even-odd rule along a ray,
// with the exact orientation predicate.
//
// A point is harder, because it may touch: it may slide along a side from without, graze a corner, start on a
// side. So the segment is moved by nothing at all to the left, and again to the right: a corner that lies
// exactly on it then counts as lying on the other side (the usual symbolic perturbation; Edelsbrunner & Mücke
// 1990). Of each wall, one of the two moved segments must be clear: it must cross no side between its ends,
// and be outside if the wall is a polygon, which the number of sides that the line crosses beyond b tells.
// All signs are exact, so nothing depends on rounding. A point that touches one wall both from its left and
// from its right on one segment is turned away, which errs on the side of safety.

#include "roadmap/walls.h"

#include <fairlead/math/contact.h>
#include <fairlead/math/swept.h>

namespace fairlead::roadmap {

namespace {

[[nodiscard]] double squared(Vec2 v) { return v.x * v.x + v.y * v.y; }

[[nodiscard]] double point_side_squared(Vec2 p, Vec2 a, Vec2 b) {
    const Vec2 along = b - a;
    const double size = squared(along);
    const double t = size > 0.0 ? dot(p - a, along) / size : 0.0;
    if (!(t > 0.0)) return squared(p - a);
    if (t >= 1.0) return squared(p - b);
    // From the line itself: more exact than from the foot.
    const double off = cross(along, p - a);
    return off * off / size;
}

[[nodiscard]] bool cross_properly(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    const double ca = math::orient2d(c, d, a);
    const double cb = math::orient2d(c, d, b);
    if (!((ca > 0.0 && cb < 0.0) || (ca < 0.0 && cb > 0.0))) return false;
    const double ac = math::orient2d(a, b, c);
    const double ad = math::orient2d(a, b, d);
    return (ac > 0.0 && ad < 0.0) || (ac < 0.0 && ad > 0.0);
}

[[nodiscard]] bool nearer_than(Vec2 a, Vec2 b, const WallSide& side, double reach_squared) {
    return point_side_squared(a, side.a, side.b) < reach_squared ||
           point_side_squared(b, side.a, side.b) < reach_squared ||
           point_side_squared(side.a, a, b) < reach_squared ||
           point_side_squared(side.b, a, b) < reach_squared || cross_properly(a, b, side.a, side.b);
}

[[nodiscard]] bool on_side(Vec2 p, const WallSide& side) {
    Aabb box = kNoBox;
    include(box, side.a);
    include(box, side.b);
    return box.contains(p) && math::orient2d(side.a, side.b, p) == 0.0;
}

template <class Side>
bool each_side(const WallSet& set, std::uint32_t item, Side side) {
    const std::uint32_t low = item * kSidesPerItem;
    const std::uint32_t high = low + kSidesPerItem < set.side_count ? low + kSidesPerItem : set.side_count;
    for (std::uint32_t i = low; i < high; ++i) {
        if (!side(set.sides()[i])) return false;
    }
    return true;
}

// Is p in the open inside of a polygon? Sides come wall by wall, so one parity is enough.
[[nodiscard]] bool inside_polygon(const WallSet& set, Vec2 p) {
    std::uint32_t wall = UINT32_MAX;
    bool odd = false;
    bool touching = false;
    const auto ahead = [p](const Aabb& box) {
        return box.low.y <= p.y && p.y <= box.high.y && box.high.x >= p.x;
    };
    const auto count = [&](const WallSide& side) {
        if (side.closed == 0) return true;
        if (side.wall != wall) {
            if (odd && !touching) return false;
            wall = side.wall;
            odd = touching = false;
        }
        touching = touching || on_side(p, side);
        if ((side.a.y > p.y) != (side.b.y > p.y)) {
            const bool up = side.b.y > side.a.y;
            const double turn = math::orient2d(side.a, side.b, p);
            if (up ? turn > 0.0 : turn < 0.0) odd = !odd;  // p is to the left of the side
        }
        return true;
    };
    const bool ended =
        set.tree.visit(set.boxes(), ahead, [&](std::uint32_t item) { return each_side(set, item, count); });
    return !ended || (odd && !touching);
}

// What one wall does to the segment moved to the left (0) and to the right (1).
struct Crossings {
    bool crossed[2] = {false, false};
    bool odd[2] = {false, false};

    [[nodiscard]] bool blocked() const { return (crossed[0] || odd[0]) && (crossed[1] || odd[1]); }

    void add(Vec2 a, Vec2 b, const WallSide& side) {
        const double at_a = math::orient2d(a, b, side.a);
        const double at_b = math::orient2d(a, b, side.b);
        for (int move = 0; move < 2; ++move) {
            // A segment moved to the left has the corners on it at its right, and so on.
            const bool left_a = move == 0 ? at_a > 0.0 : at_a >= 0.0;
            const bool left_b = move == 0 ? at_b > 0.0 : at_b >= 0.0;
            if (left_a == left_b) continue;
            const Vec2 right = left_a ? side.b : side.a;
            const Vec2 left = left_a ? side.a : side.b;
            // Positive before the crossing, as seen along ab.
            const double ahead_of_a = math::orient2d(right, left, a);
            const double ahead_of_b = math::orient2d(right, left, b);
            if (ahead_of_b >= 0.0) {
                if (side.closed != 0) odd[move] = !odd[move];
            } else if (ahead_of_a > 0.0) {
                crossed[move] = true;
            }
        }
    }
};

[[nodiscard]] bool point_clear(const WallSet& set, Vec2 a, Vec2 b) {
    // Boxes that lie wholly on one side of the line hold no crossing.
    const auto want = [a, b](const Aabb& box) {
        const Vec2 along = b - a;
        // The corners furthest to the left and to the right of ab.
        const Vec2 left{along.y > 0.0 ? box.low.x : box.high.x, along.x > 0.0 ? box.high.y : box.low.y};
        const Vec2 right{along.y > 0.0 ? box.high.x : box.low.x, along.x > 0.0 ? box.low.y : box.high.y};
        return !(math::orient2d(a, b, left) < 0.0) && !(math::orient2d(a, b, right) > 0.0);
    };
    std::uint32_t wall = UINT32_MAX;
    Crossings found;
    const auto count = [&](const WallSide& side) {
        if (side.wall != wall) {
            if (found.blocked()) return false;
            wall = side.wall;
            found = {};
        }
        found.add(a, b, side);
        return true;
    };
    const bool ended =
        set.tree.visit(set.boxes(), want, [&](std::uint32_t item) { return each_side(set, item, count); });
    return ended && !found.blocked();
}

[[nodiscard]] bool disc_clear(const WallSet& set, Vec2 a, Vec2 b, double radius) {
    const double size = larger(larger(absolute(a.x), absolute(a.y)), larger(absolute(b.x), absolute(b.y)));
    const double reach = radius - 0.25 * contact_slack(0.0, size + radius);
    if (reach > 0.0) {
        Aabb swept = kNoBox;
        include(swept, a);
        include(swept, b);
        swept.low = swept.low - Vec2{radius, radius};
        swept.high = swept.high + Vec2{radius, radius};
        const double reach_squared = reach * reach;
        const auto apart = [&](const WallSide& side) { return !nearer_than(a, b, side, reach_squared); };
        if (!set.tree.visit(
                set.boxes(), [&](const Aabb& box) { return overlaps(box, swept); },
                [&](std::uint32_t item) { return each_side(set, item, apart); })) {
            return false;
        }
    } else if (!(a == b) && !point_clear(set, a, b)) {
        return false;  // no wider than rounding
    }
    return !inside_polygon(set, a);
}

}  // namespace

std::uint64_t count_sides(std::span<const RoadmapWall> walls) {
    std::uint64_t sides = 0;
    for (const RoadmapWall& wall : walls) sides += wall.closed ? wall.points : wall.points - 1;
    return sides;
}

void build_walls(WallSet& set, std::span<const RoadmapWall> walls, std::span<const Vec2> points) {
    WallSide* out = set.sides();
    std::uint32_t number = 0;
    for (const RoadmapWall& wall : walls) {
        const std::uint32_t sides = wall.closed ? wall.points : wall.points - 1;
        for (std::uint32_t i = 0; i < sides; ++i) {
            const std::uint32_t next = i + 1 < wall.points ? i + 1 : 0;
            *out++ = {points[wall.first_point + i], points[wall.first_point + next], number,
                      wall.closed ? 1U : 0U};
        }
        ++number;
    }
    Aabb* boxes = set.boxes();
    for (std::uint32_t item = 0; item < set.tree.items; ++item) {
        boxes[item] = kNoBox;
        each_side(set, item, [&](const WallSide& side) {
            include(boxes[item], side.a);
            include(boxes[item], side.b);
            return true;
        });
    }
    set.tree.build(boxes);
}

bool walls_clear(const WallSet& set, Vec2 a, Vec2 b, double radius) {
    if (radius > 0.0) return disc_clear(set, a, b, radius);
    return a == b ? !inside_polygon(set, a) : point_clear(set, a, b);
}

}  // namespace fairlead::roadmap
