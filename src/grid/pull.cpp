#include "grid/pull.h"

#include <cmath>

#include "grid/sight_blockers.h"
#include "grid/sight_lines.h"

namespace fairlead::grid {

using namespace sight_detail;

namespace {

/// Nearer than this to a side of the triangle counts as on it: more than the slack of legal overlaps, so that
/// what the unit touches now is not taken for something in the way.
constexpr double kNear = 1e-9;

Vec2 unit(Vec2 d) { return d * (1.0 / length(d)); }
Vec2 left_of(Vec2 d) { return {-d.y, d.x}; }
/// Within a factor of 1.42 of the length.
double magnitude_of(Vec2 d) { return larger_of(d.x < 0.0 ? -d.x : d.x, d.y < 0.0 ? -d.y : d.y); }

/// Bends around arcs turn by no more than 45 degrees, and a little.
constexpr double kCosLimit = 0.7;

enum Quadrant : std::uint32_t { kLowLow = 1, kHighLow = 2, kLowHigh = 4, kHighHigh = 8, kAllQuadrants = 15 };

constexpr Vec2 kQuadrantSign[] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};

/// A convex polygon of three to five corners, ready to be cut by lines of constant y.
class Outline {
  public:
    template <class... Corners>
    Outline(Vec2 first, Corners... more) {
        const Vec2 corners[] = {first, more..., first};
        count_ = static_cast<int>(sizeof...(more)) + 1;
        for (int i = 0; i < count_; ++i) side(i, corners[i], corners[i + 1]);
    }
    [[nodiscard]] double low() const { return low_; }
    [[nodiscard]] double high() const { return high_; }

    /// Where the line at y, which meets the outline, enters and leaves it.
    FAIRLEAD_INLINE void cut(double y, double& from, double& to) const {
        from = 1e300;
        to = -1e300;
        for (int i = 0; i < count_; ++i) {
            const Side& s = sides_[i];
            if (y < s.low || y > s.high) continue;
            const double x = s.x + (y - s.low) * s.slope;
            from = smaller_of(from, x);
            to = larger_of(to, x);
        }
    }

  private:
    struct Side {
        double low;
        double high;
        double x;  ///< at low
        double slope;
    };
    /// Level sides add nothing: their ends are those of others.
    void side(int i, Vec2 a, Vec2 b) {
        if (b.y < a.y) {
            const Vec2 c = a;
            a = b;
            b = c;
        }
        sides_[i] = {a.y, b.y, a.x, 0.0};
        if (a.y < b.y) {
            sides_[i].slope = (b.x - a.x) / (b.y - a.y);
        } else {
            sides_[i].low = 1e300;
        }
        low_ = i == 0 ? a.y : smaller_of(low_, a.y);
        high_ = i == 0 ? b.y : larger_of(high_, b.y);
    }
    Side sides_[5];
    int count_ = 0;
    double low_ = 0.0;
    double high_ = 0.0;
};

std::uint64_t lines_in(double low, double high) { return static_cast<std::uint64_t>(high - low) + 1; }

/// The first integer at v or above, for v > -1.
std::int32_t cell_from(double v) {
    const std::int32_t cell = cell_of(v);
    return static_cast<double>(cell) < v ? cell + 1 : cell;
}

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

/// Corners k to k + count - 2 of line j that are corners of walls in the quadrants asked for, among others; bit 0 is
/// corner k. count <= 64.
template <class Source>
FAIRLEAD_INLINE std::uint64_t corner_bits(const Source& source, std::int32_t k, std::int32_t j,
                                          std::int32_t count, LineWalls walls) {
    std::uint64_t bits = 0;
    if (walls.below != 0) {
        const std::uint64_t row = source.blocked(k - 1, j - 1, count);
        if ((walls.below & kLowLow) != 0) bits |= row;
        if ((walls.below & kHighLow) != 0) bits |= row >> 1;
    }
    if (walls.above != 0) {
        const std::uint64_t row = source.blocked(k - 1, j, count);
        if ((walls.above & kLowHigh) != 0) bits |= row;
        if ((walls.above & kHighHigh) != 0) bits |= row >> 1;
    }
    return bits;
}

/// Finds on every line of corners that crosses the outline the first and the last corner of a wall that `accept`
/// takes, and hands them to it: accept(corner) is called until it returns true, from both sides.
template <class Source, class Accept>
void scan_corners(const Source& source, const Outline& outline, double touching, std::uint32_t quadrants,
                  Accept accept) {
    const double bottom = outline.low();
    const double top = outline.high();
    if (top < 0.0) return;  // below, truncation is not floor
    const std::int32_t last = cell_of(top);
    for (std::int32_t j = cell_from(larger_of(bottom, 0.0)); j <= last; ++j) {
        const double y = static_cast<double>(j);
        double from, to;
        outline.cut(y, from, to);
        if (!(to > -kNear)) continue;
        std::int32_t low = cell_from(larger_of(from - kNear, 0.0));
        std::int32_t high = cell_of(to + kNear);
        // Rows that the outline only touches do not matter to points.
        LineWalls walls;
        if (y - bottom > touching) walls.below = quadrants & (kLowLow | kHighLow);
        if (top - y > touching) walls.above = quadrants & (kLowHigh | kHighHigh);
        bool found = false;
        for (; low <= high && !found; low += 63) {
            const std::int32_t count = high - low < 62 ? high - low + 2 : 64;
            std::uint64_t bits = corner_bits(source, low, j, count, walls) & first_cells(count - 1);
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
            const std::int32_t count = high - low < 62 ? high - low + 2 : 64;
            const std::int32_t start = high - count + 2;
            std::uint64_t bits = corner_bits(source, start, j, count, walls) & first_cells(count - 1);
            while (bits != 0) {
                const std::int32_t at = 63 - std::countl_zero(bits);
                if (accept(Vec2{static_cast<double>(start + at), y})) {
                    found = true;
                    break;
                }
                bits &= ~(1ULL << at);
            }
        }
    }
}

}  // namespace

namespace {

/// Rows of cells as find_dear_pins sees them: "blocked" is dear, and walls are not.
class DearLines {
  public:
    DearLines(const Sight& sight, double limit) : sight_(sight), limit_(limit) {}

    [[nodiscard]] std::uint64_t blocked(std::int32_t x, std::int32_t y, std::int32_t count) const {
        std::uint64_t bits = 0;
        for (std::int32_t i = 0; i < count; ++i) {
            const std::int32_t cost = sight_.cell_cost(x + i, y);
            if (cost != INT32_MAX && static_cast<double>(cost) > limit_) bits |= 1ULL << i;
        }
        return bits;
    }

  private:
    const Sight& sight_;
    double limit_;
};

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
    work_ += columns ? lines_in(low.x, high.x) : lines_in(low.y, high.y);
    sight.with_source(columns, [&](const auto& source) {
        if (radius > 0.0) {
            // Circles around corners beyond pq may reach across it.
            const Vec2 out = t.mirrored(t.in_qp * (kNear - radius));
            const Outline outline(frame(p), frame(v), frame(q), frame(q + out), frame(p + out));
            scan_corners(source, outline, -1.0, kAllQuadrants, [&](Vec2 u) {
                add_pin(unframe(u), radius);
                return true;
            });
            return;
        }
        for (int i = 0; i < (square ? 4 : 1); ++i) {
            // A square's corners of type i: lattice corners with a wall in that quadrant, shifted the other way.
            const Vec2 shift = square ? kQuadrantSign[i] * -sight.reach() : Vec2{};
            const Outline outline(frame(p) - shift, frame(v) - shift, frame(q) - shift);
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
    const Vec2 corners[] = {t.mirrored(t.p), t.mirrored(t.v), t.mirrored(t.q)};
    visit_blockers_within(world, corners, sight.reach(), [&](const Blocker& blocker, Vec2 shift) {
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

/// Corners of terrain that is dearer than the limit. Very large triangles are left as they are.
void Puller::find_dear_pins(const Sight& sight, const Triangle& t, double dear) {
    const Vec2 p = t.mirrored(t.p), v = t.mirrored(t.v), q = t.mirrored(t.q);
    const Vec2 low{smaller_of(smaller_of(p.x, v.x), q.x), smaller_of(smaller_of(p.y, v.y), q.y)};
    const Vec2 high{larger_of(larger_of(p.x, v.x), q.x), larger_of(larger_of(p.y, v.y), q.y)};
    // Two lines of up to 64 cells at a time, about 1 ns each.
    const std::uint64_t cost =
        lines_in(low.y, high.y) * lines_in(low.x * (1.0 / 64), high.x * (1.0 / 64)) * 16;
    if (work_ + cost > kWorkMax) return;
    work_ += cost;
    const Vec2 lap = sight.lap_below(low, 64.0);
    const DearLines source(sight, dear);
    scan_corners(source, {p - lap, v - lap, q - lap}, kNear, kAllQuadrants, [&](Vec2 u) {
        const Vec2 at = t.mirrored(u + lap);
        for (int k = 0; k < 4; ++k) {
            const Vec2 sign = kQuadrantSign[k];
            const std::int32_t x = static_cast<std::int32_t>(u.x) - (sign.x < 0.0 ? 1 : 0);
            const std::int32_t y = static_cast<std::int32_t>(u.y) - (sign.y < 0.0 ? 1 : 0);
            if ((source.blocked(x, y, 1) & 1U) == 0 || !t.reached_by(at, t.mirrored(sign))) continue;
            add_pin(at, 0.0);
            met_dear_ = true;
            return true;
        }
        return false;
    });
}

/// The polygon around the arc at a pin, from one tangent to the next: its corners, no more than 45 degrees each.
void Puller::add_arc(Vec2 at, double radius, Vec2 normal_in, Vec2 normal_out) {
    const double cosine = dot(normal_in, normal_out);
    if (radius <= 0.0) {
        add_bend(at);
    } else if (!(cosine < kCosLimit)) {
        add_bend(at + (normal_in + normal_out) * (radius / (1.0 + cosine)));
    } else {
        // The middle; for turns of about 180 degrees the sum of the normals is too short to tell.
        const Vec2 sum = normal_in + normal_out;
        const Vec2 middle = dot(sum, sum) > 1e-6 ? unit(sum) : left_of(normal_in);
        add_arc(at, radius, normal_in, middle);
        add_arc(at, radius, middle, normal_out);
    }
}

bool Puller::joins(Vec2 p, Vec2 a, Vec2 b, Vec2 q, double radius, Vec2& at) {
    const Vec2 in = a - p;
    const Vec2 middle = b - a;
    const Vec2 out = q - b;
    if (dot(middle, middle) > radius * radius) return false;
    const double side = cross(in, out);
    const double turn = dot(in, out);
    if (!(turn > 0.0) || turn * turn < kCosLimit * kCosLimit * dot(in, in) * dot(out, out)) return false;
    // Both bends to the same side, so that the ways cross beyond a and before b.
    if (!(cross(in, middle) * side > 0.0) || !(cross(middle, out) * side > 0.0)) return false;
    at = a + in * (cross(middle, out) / side);
    return true;
}

/// The tangent from one pin to another that leaves both on its left; zero where they are in one place.
Vec2 Puller::tangent(const Pin& from, const Pin& to) {
    const Vec2 d = to.at - from.at;
    if (from.radius == to.radius) return d;
    const double size = length(d);
    if (!(size > 1e-9)) return {};  // there is none
    const double sine = larger_of(smaller_of((from.radius - to.radius) / size, 1.0), -1.0);
    // The normal to the right of it is at an angle to d whose cosine is `sine`.
    const double cosine = std::sqrt(1.0 - sine * sine);
    return {d.x * cosine - d.y * sine, d.y * cosine + d.x * sine};
}

/// Gift wrapping from p to q over the pins (Jarvis 1973), with circles in place of points: the next pin is the one
/// whose tangent turns least to the left, of several in line the farthest. Fills bends_, in the mirrored plane.
bool Puller::wind(const Triangle& t) {
    bends_.clear();
    Pin current{t.p, 0.0};
    Vec2 heading = t.v - t.p;
    Vec2 normal_in{};
    const Pin goal{t.q, 0.0};
    for (std::size_t visited = 0;; ++visited) {  // the pins before it are done with
        work_ += pins_.size() - visited;
        if (work_ > kWorkMax) return false;
        Vec2 best = tangent(current, goal);
        std::size_t best_pin = pins_.size();
        for (std::size_t i = visited; i < pins_.size(); ++i) {
            const Pin& pin = pins_[i];
            const Vec2 direction = tangent(current, pin);
            const double turn = cross(best, direction);
            // Within rounding of one direction: lengths are at least 1e-9 of what these coordinates can tell.
            const double same = 1e-12 * (magnitude_of(best) * magnitude_of(direction));
            if (turn > same || (turn >= -same && dot(direction, direction) <= dot(best, best))) continue;
            if (cross(heading, direction) < -1e-9 * magnitude_of(heading) * magnitude_of(direction))
                continue;  // behind
            if (dot(direction, direction) < 1e-18) continue;
            best = direction;
            best_pin = i;
        }
        const double size = length(best);
        if (size < 1e-9) return false;
        const Vec2 normal = left_of(best) * (-1.0 / size);
        if (visited > 0) add_arc(current.at, current.radius, normal_in, normal);
        if (best_pin == pins_.size()) return true;
        current = pins_[best_pin];
        pins_[best_pin] = pins_[visited];
        pins_[visited] = current;
        heading = best;
        normal_in = normal;
    }
}

/// Does v lie on the corner of a wall that reaches into the triangle? Then it stays where it is. For points and
/// squares.
bool Puller::rests(const Sight& sight, const Triangle& t) const {
    const bool square = sight.world().footprint > 0;
    const Vec2 at = t.mirrored(t.v);
    for (int i = 0; i < 4; ++i) {
        const Vec2 sign = kQuadrantSign[i];
        const Vec2 corner = square ? at + sign * sight.reach() : at;
        const double x = std::floor(corner.x);
        const double y = std::floor(corner.y);
        if (corner.x != x || corner.y != y) return false;  // the same for all four
        const auto cell_x = static_cast<std::int32_t>(x) - (sign.x < 0.0 ? 1 : 0);
        const auto cell_y = static_cast<std::int32_t>(y) - (sign.y < 0.0 ? 1 : 0);
        if (!sight.open(cell_x, cell_y) && t.reached_by(t.v, t.mirrored(sign))) return true;
    }
    return false;
}

bool Puller::rests_at(const Sight& sight, Vec2 p, Vec2 v, Vec2 q) const {
    if (!sight.is_point() && sight.world().footprint == 0) return false;
    const double side = cross(v - p, q - v);
    if (!(side * side > 1e-18 * dot(v - p, v - p) * dot(q - v, q - v))) return false;
    return rests(sight, Triangle(p, v, q, side));
}

bool Puller::pull(const Sight& sight, Vec2 p, Vec2 v, Vec2 q, double gain_min, double dear) {
    bends_.clear();
    pins_.clear();
    work_ = 0;
    met_dear_ = false;
    const double before = distance(p, v) + distance(v, q);
    if (before - distance(p, q) < gain_min) return false;
    const double side = cross(v - p, q - v);
    // Straight back the way it came: there is no triangle.
    if (!(side * side > 1e-18 * dot(v - p, v - p) * dot(q - v, q - v))) return true;
    const Triangle t(p, v, q, side);
    if ((sight.is_point() || sight.world().footprint > 0) && rests(sight, t)) return false;
    find_pins(sight, t);
    if (!sight.world().blockers.empty()) find_blocker_pins(sight, t);
    if (dear < kNothingDear) find_dear_pins(sight, t, dear);
    if (out_of_memory_ || !wind(t) || out_of_memory_) return false;
    Vec2 from = p;
    double after = 0.0;
    for (Vec2& bend : bends_) {
        bend = t.mirrored(bend);
        after += distance(from, bend);
        from = bend;
    }
    after += distance(from, q);
    return before - after >= gain_min;
}

}  // namespace fairlead::grid
