#include "grid/pull.h"

#include <cmath>

#include "grid/sight_blockers.h"
#include "grid/sight_lines.h"

namespace fairlead::grid {

using namespace sight_detail;

namespace {

/// Nearer than this to a side of the triangle counts as on it: more than the slack of legal overlaps, so that
/// what the unit touches now is not taken for something in the way.
constexpr double kNear = 1e-7;

Vec2 unit(Vec2 d) { return d * (1.0 / length(d)); }
Vec2 left_of(Vec2 d) { return {-d.y, d.x}; }

enum Quadrant : std::uint32_t { kLowLow = 1, kHighLow = 2, kLowHigh = 4, kHighHigh = 8, kAllQuadrants = 15 };

constexpr Vec2 kQuadrantSign[] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};

/// A convex polygon of up to four corners.
struct Outline {
    Vec2 corner[4];
    int count = 0;

    [[nodiscard]] double low() const {
        double y = corner[0].y;
        for (int i = 1; i < count; ++i) y = smaller_of(y, corner[i].y);
        return y;
    }
    [[nodiscard]] double high() const {
        double y = corner[0].y;
        for (int i = 1; i < count; ++i) y = larger_of(y, corner[i].y);
        return y;
    }
};

/// The part of the line `y` inside an outline.
struct Chord {
    double low = 0.0;
    double high = 0.0;

    Chord(const Outline& o, double y) {
        bool first = true;
        for (int i = 0; i < o.count; ++i) {
            const Vec2 a = o.corner[i];
            const Vec2 b = o.corner[i + 1 == o.count ? 0 : i + 1];
            if ((a.y < y && b.y < y) || (a.y > y && b.y > y)) continue;
            const double t = a.y == b.y ? 0.0 : (y - a.y) / (b.y - a.y);
            const double x = a.x + t * (b.x - a.x);
            low = first ? x : smaller_of(low, x);
            high = first ? x : larger_of(high, x);
            if (a.y == b.y) {
                low = smaller_of(low, b.x);
                high = larger_of(high, b.x);
            }
            first = false;
        }
    }
};

}  // namespace

/// The triangle in a plane mirrored so that the way turns left at v. Pins are in that plane, too.
struct Puller::Triangle {
    Vec2 p;
    Vec2 v;
    Vec2 q;
    double mirror = 1.0;
    Vec2 in_pv;  ///< unit normals that point into the triangle
    Vec2 in_vq;
    Vec2 in_qp;

    Triangle(Vec2 from, Vec2 bend, Vec2 to, double side)
        : p(from), v(bend), q(to), mirror(side < 0.0 ? -1.0 : 1.0) {
        p.y *= mirror;
        v.y *= mirror;
        q.y *= mirror;
        in_pv = left_of(unit(v - p));
        in_vq = left_of(unit(q - v));
        in_qp = left_of(unit(p - q));
    }

    [[nodiscard]] Vec2 mirrored(Vec2 a) const { return {a.x, a.y * mirror}; }

    /// Does a wall that fills this quadrant at u reach into the triangle? u is in it, or on a side.
    [[nodiscard]] bool reached_by(Vec2 u, Vec2 quadrant) const {
        if (dot(u - p, in_qp) <= kNear) return false;
        const bool on_pv = dot(u - p, in_pv) <= kNear;
        const bool on_vq = dot(u - v, in_vq) <= kNear;
        const Vec2 a{quadrant.x, 0.0};
        const Vec2 b{0.0, quadrant.y};
        if (on_pv && on_vq) return meets_corner(a, b);
        if (on_pv) return larger_of(dot(a, in_pv), dot(b, in_pv)) > kNear;
        if (on_vq) return larger_of(dot(a, in_vq), dot(b, in_vq)) > kNear;
        return true;
    }

    /// Do the cone between a and b and the triangle's at v have an inner direction in common? Their common cone is
    /// bounded by two of the four rays, so its middle is the sum of two.
    [[nodiscard]] bool meets_corner(Vec2 a, Vec2 b) const {
        const Vec2 c = unit(p - v);
        const Vec2 d = unit(q - v);
        const auto within = [&](Vec2 e) {
            return dot(e, a) > kNear && dot(e, b) > kNear && dot(e, in_pv) > kNear && dot(e, in_vq) > kNear;
        };
        return within(a + b) || within(c + d) || within(a + c) || within(a + d) || within(b + c) ||
               within(b + d);
    }

    [[nodiscard]] double distance_to(Vec2 u) const {
        if (dot(u - p, in_pv) >= 0.0 && dot(u - v, in_vq) >= 0.0 && dot(u - q, in_qp) >= 0.0) return 0.0;
        const Aabb at{u, u};
        return smaller_of(
            smaller_of(math::distance_segment_box(p, v, at), math::distance_segment_box(v, q, at)),
            math::distance_segment_box(q, p, at));
    }
};

namespace {

/// Which walls matter on a line of corners: those in the rows below and above it.
struct LineWalls {
    std::uint32_t below = 0;  ///< quadrants, as seen from the corner
    std::uint32_t above = 0;
};

/// Corners k to k + 62 of line j that are corners of walls in the quadrants asked for; bit 0 is corner k.
template <class Source>
std::uint64_t corner_bits(const Source& source, std::int32_t k, std::int32_t j, LineWalls walls) {
    std::uint64_t bits = 0;
    if (walls.below != 0) {
        const std::uint64_t row = source.blocked(k - 1, j - 1, 64);
        if ((walls.below & kLowLow) != 0) bits |= row;
        if ((walls.below & kHighLow) != 0) bits |= row >> 1;
    }
    if (walls.above != 0) {
        const std::uint64_t row = source.blocked(k - 1, j, 64);
        if ((walls.above & kLowHigh) != 0) bits |= row;
        if ((walls.above & kHighHigh) != 0) bits |= row >> 1;
    }
    return bits & (~0ULL >> 1);
}

/// Finds on every line of corners that crosses the outline the first and the last corner of a wall that `accept`
/// takes, and hands them to it: accept(corner) is called until it returns true, from both sides.
template <class Source, class Accept>
void scan_corners(const Source& source, const Outline& outline, double touching, std::uint32_t quadrants,
                  Accept accept) {
    const double bottom = outline.low();
    const double top = outline.high();
    const auto last = static_cast<std::int32_t>(std::floor(top));
    for (auto j = static_cast<std::int32_t>(std::ceil(bottom)); j <= last; ++j) {
        const double y = static_cast<double>(j);
        const Chord chord(outline, y);
        auto low = static_cast<std::int32_t>(std::ceil(chord.low - kNear));
        auto high = static_cast<std::int32_t>(std::floor(chord.high + kNear));
        // Rows that the outline only touches do not matter to points.
        LineWalls walls;
        if (y - bottom > touching) walls.below = quadrants & (kLowLow | kHighLow);
        if (top - y > touching) walls.above = quadrants & (kLowHigh | kHighHigh);
        bool found = false;
        for (; low <= high && !found; low += 63) {
            std::uint64_t bits = corner_bits(source, low, j, walls);
            if (high - low < 62) bits &= first_cells(high - low + 1);
            for (; bits != 0; bits &= bits - 1) {
                const std::int32_t k = low + std::countr_zero(bits);
                if (accept(Vec2{static_cast<double>(k), y})) {
                    found = true;
                    low = k - 62;  // k + 1 after the step
                    break;
                }
            }
        }
        found = !found;
        for (; low <= high && !found; high -= 63) {
            std::uint64_t bits = corner_bits(source, high - 62, j, walls);
            if (high - low < 62) bits &= ~0ULL << (62 - (high - low));
            while (bits != 0) {
                const std::int32_t at = 63 - std::countl_zero(bits);
                if (accept(Vec2{static_cast<double>(high - 62 + at), y})) {
                    found = true;
                    break;
                }
                bits &= ~(1ULL << at);
            }
        }
    }
}

}  // namespace

void Puller::add_pin(Vec2 at, double radius) {
    if (!pins_.push_back({at, radius})) out_of_memory_ = true;
}

void Puller::add_bend(Vec2 at) {
    if (!bends_.push_back(at)) out_of_memory_ = true;
}

void Puller::find_pins(const Sight& sight, const Triangle& t) {
    const bool square = sight.world().footprint > 0;
    const double radius = square || sight.is_point() ? 0.0 : sight.reach();
    const Vec2 p = t.mirrored(t.p), v = t.mirrored(t.v), q = t.mirrored(t.q);
    const Vec2 low{smaller_of(smaller_of(p.x, v.x), q.x), smaller_of(smaller_of(p.y, v.y), q.y)};
    const Vec2 high{larger_of(larger_of(p.x, v.x), q.x), larger_of(larger_of(p.y, v.y), q.y)};
    const Vec2 lap = sight.lap_below(low, sight.reach() + 64.0);
    const bool columns = high.x - low.x < high.y - low.y;
    const auto frame = [&](Vec2 a) { return columns ? transposed(a - lap) : a - lap; };
    const auto unframe = [&](Vec2 a) { return t.mirrored((columns ? transposed(a) : a) + lap); };
    sight.with_source(columns, [&](const auto& source) {
        if (radius > 0.0) {
            scan_corners(source, {{frame(p), frame(v), frame(q)}, 3}, -1.0, kAllQuadrants, [&](Vec2 u) {
                add_pin(unframe(u), radius);
                return true;
            });
            // Circles around corners beyond pq may reach across it.
            const Vec2 out = t.mirrored(t.in_qp * (kNear - radius));
            scan_corners(source, {{frame(p), frame(q), frame(q + out), frame(p + out)}, 4}, -1.0,
                         kAllQuadrants, [&](Vec2 u) {
                             add_pin(unframe(u), radius);
                             return true;
                         });
            return;
        }
        for (int i = 0; i < (square ? 4 : 1); ++i) {
            // A square's corners of type i: lattice corners with a wall in that quadrant, shifted the other way.
            const Vec2 shift = square ? kQuadrantSign[i] * -sight.reach() : Vec2{};
            const Outline outline{{frame(p) - shift, frame(v) - shift, frame(q) - shift}, 3};
            const std::uint32_t quadrants = square ? 1U << i : static_cast<std::uint32_t>(kAllQuadrants);
            scan_corners(source, outline, kNear, quadrants, [&](Vec2 u) {
                const Vec2 at = unframe(u + shift);
                const auto cell_x = static_cast<std::int32_t>(u.x);
                const auto cell_y = static_cast<std::int32_t>(u.y);
                for (int k = 0; k < 4; ++k) {
                    const Vec2 sign = kQuadrantSign[k];
                    if ((quadrants >> k & 1U) == 0) continue;
                    const std::int32_t x = sign.x < 0.0 ? cell_x - 1 : cell_x;
                    const std::int32_t y = sign.y < 0.0 ? cell_y - 1 : cell_y;
                    if ((source.blocked(x, y, 1) & 1U) == 0) continue;
                    if (t.reached_by(at, t.mirrored(columns ? transposed(sign) : sign))) {
                        add_pin(at, 0.0);
                        return true;
                    }
                }
                return false;
            });
        }
    });
}

void Puller::find_blocker_pins(const Sight& sight, const Triangle& t) {
    const SightWorld& world = sight.world();
    const Vec2 p = t.mirrored(t.p), v = t.mirrored(t.v), q = t.mirrored(t.q);
    const Aabb all{{smaller_of(smaller_of(p.x, v.x), q.x), smaller_of(smaller_of(p.y, v.y), q.y)},
                   {larger_of(larger_of(p.x, v.x), q.x), larger_of(larger_of(p.y, v.y), q.y)}};
    visit_blockers(world, all, sight.reach(), [&](const Blocker& blocker, Vec2 shift) {
        const bool disc = blocker.box.empty();
        Aabb box = disc ? Aabb{blocker.centre, blocker.centre} : blocker.box;
        box = {box.low + shift, box.high + shift};
        double radius = disc ? blocker.radius : 0.0;
        if (world.footprint > 0) {
            const Vec2 half{sight.reach(), sight.reach()};
            box = {box.low - half, box.high + half};
        } else {
            radius += sight.reach();
        }
        for (int i = 0; i < 4; ++i) {
            const Vec2 sign = kQuadrantSign[i];
            const Vec2 at{sign.x < 0.0 ? box.high.x : box.low.x, sign.y < 0.0 ? box.high.y : box.low.y};
            const Vec2 u = t.mirrored(at);
            const double gap = t.distance_to(u);
            const bool in_way =
                radius > kNear ? gap < radius - kNear : gap == 0.0 && t.reached_by(u, t.mirrored(sign));
            if (in_way) add_pin(u, radius);
            if (box.low == box.high) break;
        }
        return true;
    });
}

/// The polygon around the arc at a pin, from one tangent to the next: its corners, no more than 45 degrees each.
void Puller::add_arc(Vec2 at, double radius, Vec2 normal_in, Vec2 normal_out) {
    constexpr double kCosLimit = 0.7;
    const double cosine = dot(normal_in, normal_out);
    if (radius <= 0.0) {
        add_bend(at);
    } else if (cosine >= kCosLimit) {
        add_bend(at + (normal_in + normal_out) * (radius / (1.0 + cosine)));
    } else {
        // The middle; for turns of about 180 degrees the sum of the normals is too short to tell.
        const Vec2 sum = normal_in + normal_out;
        const Vec2 middle = dot(sum, sum) > 1e-6 ? unit(sum) : left_of(normal_in);
        add_arc(at, radius, normal_in, middle);
        add_arc(at, radius, middle, normal_out);
    }
}

/// Gift wrapping from p to q over the pins (Jarvis 1973), with circles in place of points: the next pin is the one
/// whose tangent turns least to the left. Fills bends_, in the mirrored plane.
bool Puller::wind(const Triangle& t) {
    bends_.clear();
    Pin current{t.p, 0.0};
    Vec2 heading = unit(t.v - t.p);
    Vec2 normal_in{};
    std::size_t visited = 0;  // pins_[0 .. visited) are done with
    for (;;) {
        Vec2 best{};
        double best_advance = 0.0;
        std::size_t best_pin = pins_.size();
        for (std::size_t i = visited; i <= pins_.size(); ++i) {
            const Pin pin = i < pins_.size() ? pins_[i] : Pin{t.q, 0.0};
            const Vec2 d = pin.at - current.at;
            const double square = dot(d, d);
            if (square < 1e-18) continue;
            const double size = std::sqrt(square);
            const Vec2 along = d * (1.0 / size);
            const double sine = larger_of(smaller_of((current.radius - pin.radius) / size, 1.0), -1.0);
            const Vec2 normal = along * sine - left_of(along) * std::sqrt(1.0 - sine * sine);
            const Vec2 direction = left_of(normal);
            if (cross(heading, direction) < -1e-9 && i < pins_.size()) continue;  // behind
            const double turn = best_advance == 0.0 ? -1.0 : cross(best, direction);
            if (turn < -1e-12 || (turn <= 1e-12 && size > best_advance)) {
                best = direction;
                best_advance = size;
                best_pin = i;
            }
        }
        if (best_advance == 0.0) return false;
        const Vec2 normal = left_of(best) * -1.0;
        if (current.at != t.p || current.radius != 0.0)
            add_arc(current.at, current.radius, normal_in, normal);
        if (best_pin == pins_.size()) break;
        current = pins_[best_pin];
        pins_[best_pin] = pins_[visited];
        pins_[visited++] = current;
        heading = best;
        normal_in = normal;
    }
    return true;
}

bool Puller::pull(const Sight& sight, Vec2 p, Vec2 v, Vec2 q, double gain_min, std::uint64_t& tests) {
    bends_.clear();
    pins_.clear();
    const double before = distance(p, v) + distance(v, q);
    if (before - distance(p, q) < gain_min) return false;
    ++tests;
    if (sight.can_sweep(p, q)) return true;
    const double side = cross(v - p, q - v);
    // Straight back: there is no triangle.
    if (!(side * side > 1e-18 * dot(v - p, v - p) * dot(q - v, q - v))) return false;
    const Triangle t(p, v, q, side);
    ++tests;
    find_pins(sight, t);
    if (!sight.world().blockers.empty()) find_blocker_pins(sight, t);
    if (out_of_memory_ || !wind(t) || out_of_memory_) return false;
    Vec2 from = p;
    double after = 0.0;
    for (Vec2& bend : bends_) {
        bend = t.mirrored(bend);
        after += distance(from, bend);
        from = bend;
    }
    after += distance(from, q);
    if (before - after < gain_min) return false;
    from = p;
    for (std::size_t i = 0; i <= bends_.size(); ++i) {
        const Vec2 to = i < bends_.size() ? bends_[i] : q;
        ++tests;
        if (!sight.can_sweep(from, to)) return false;
        from = to;
    }
    return true;
}

}  // namespace fairlead::grid
