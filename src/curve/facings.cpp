#include <fairlead/curve/facings.h>

#include <algorithm>
#include <cmath>

#include <fairlead/base/assert.h>
#include <fairlead/math/trig.h>

namespace fairlead {

namespace {

constexpr double kLegMin = 1e-12;     // shorter legs are rounding
constexpr double kAlong = 1e-11;      // a side offset that counts as none
constexpr double kRounding = 1e-15;   // the same, of the coordinates
constexpr double kSameAngle = 1e-12;  // radians from a facing that count as none

double step_of(std::int32_t facings) { return kTwoPi / facings; }

Vec2 facing_direction(std::int32_t facings, std::int32_t facing) {
    return math::direction(facing_rad(facings, facing));
}

std::int32_t in_circle(std::int32_t facings, std::int64_t facing) {
    return static_cast<std::int32_t>(facing & (facings - 1));  // a power of two
}

// Appends legs to a path from a moving end.
class Pen {
  public:
    Pen(Vec2 from, std::int32_t facings, FacingPath& path) : at_(from), facings_(facings), path_(path) {}

    void line_to(Vec2 to, FacingOrder order) {
        const Vec2 way = to - at_;
        if (length(way) < kLegMin) return;
        const double angle = math::atan2(way.y, way.x);
        const std::int32_t near = nearest_facing(facings_, angle);
        const double along = kAlong + kRounding * (std::abs(to.x) + std::abs(to.y));
        if (std::abs(cross(facing_direction(facings_, near), way)) <= along)
            return leg(near, dot(way, facing_direction(facings_, near)), to);
        const auto right = in_circle(facings_, std::llround(std::floor(angle / step_of(facings_))));
        const std::int32_t left = in_circle(facings_, right + std::int64_t{1});
        if (order == FacingOrder::right_first) return corner(right, left, to);
        corner(left, right, to);
    }

    /// Along `first` up to the line through `to` along `second`, and on to `to`.
    void corner(std::int32_t first, std::int32_t second, Vec2 to) {
        const Vec2 a = facing_direction(facings_, first);
        const Vec2 b = facing_direction(facings_, second);
        const double sine = cross(a, b);
        const double along_a = cross(to - at_, b) / sine;
        const double along_b = cross(a, to - at_) / sine;
        if (along_b < kLegMin) return leg(first, along_a, to);
        if (along_a >= kLegMin) leg(first, along_a, at_ + a * along_a);
        leg(second, along_b, to);
    }

    /// Along a facing to a place in that direction. Legs of one facing become one.
    void leg(std::int32_t facing, double size, Vec2 to) {
        if (size < kLegMin) return;
        at_ = to;
        if (path_.count > 0 && path_.legs[path_.count - 1].facing == facing) {
            path_.legs[path_.count - 1].length += size;
            path_.legs[path_.count - 1].end = to;
            return;
        }
        FAIRLEAD_ASSERT(path_.count < kFacingLegsMax);
        path_.legs[path_.count++] = {facing, size, to};
    }

  private:
    Vec2 at_;
    std::int32_t facings_;
    FacingPath& path_;
};

// An arc, by the angle turned through from its start: all to the left, mirrored where it is to the right.
struct Arc {
    Pose start{};
    double radius = 1.0;
    double side = 1.0;  // +1 left, -1 right
    double turn = 0.0;  // >= 0

    Arc(const Pose& from, double curvature, double length)
        : start(from),
          radius(1.0 / std::abs(curvature)),
          side(curvature > 0.0 ? 1.0 : -1.0),
          turn(std::abs(curvature) * length) {
        FAIRLEAD_ASSERT(curvature != 0.0 && turn >= 0.0 && turn <= kTwoPi + 1e-9);
    }

    [[nodiscard]] Vec2 at(double angle) const {
        const double half = 0.5 * angle;
        return start.position +
               math::direction(start.heading_rad + side * half) * (2.0 * radius * math::sin(half));
    }
    /// Headings as numbers that grow along the arc.
    [[nodiscard]] double first() const { return side * start.heading_rad; }
    [[nodiscard]] double last() const { return first() + turn; }
    /// The facing whose number along the arc is k.
    [[nodiscard]] std::int32_t facing(std::int32_t facings, std::int64_t k) const {
        return in_circle(facings, side > 0.0 ? k : -k);
    }
    [[nodiscard]] FacingOrder outer() const {
        return side > 0.0 ? FacingOrder::right_first : FacingOrder::left_first;
    }
};

// The numbers of the facings from `low` to `high`.
struct Range {
    std::int64_t first = 0;
    std::int64_t last = -1;
};

Range facings_between(double low, double high, double step, double shift) {
    return {std::llround(std::ceil((low - kSameAngle) / step - shift)),
            std::llround(std::floor((high + kSameAngle) / step - shift))};
}

double motion_error(double heading, double step) {
    return std::abs(heading - step * std::floor(heading / step + 0.5));
}

}  // namespace

double facing_rad(std::int32_t facings, std::int32_t facing) {
    FAIRLEAD_ASSERT(good_facings(facings) && facing >= 0 && facing < facings);
    return facing * (kTwoPi / facings);
}

std::int32_t nearest_facing(std::int32_t facings, double angle_rad) {
    FAIRLEAD_ASSERT(good_facings(facings) && std::isfinite(angle_rad));
    const double turns = math::wrap_pi(angle_rad) / step_of(facings);
    return in_circle(facings, std::llround(std::floor(turns + 0.5)));
}

void line_on_facings(Vec2 from, Vec2 to, std::int32_t facings, FacingOrder order, FacingPath& path) {
    FAIRLEAD_ASSERT(good_facings(facings) && is_finite(from) && is_finite(to));
    path.count = 0;
    Pen(from, facings, path).line_to(to, order);
}

void arc_outside(const Pose& start, double curvature, double length, std::int32_t facings, FacingPath& path) {
    FAIRLEAD_ASSERT(good_facings(facings));
    path.count = 0;
    const Arc arc(start, curvature, length);
    const double step = step_of(facings);
    const Range passed = facings_between(arc.first(), arc.last(), step, 0.0);
    Pen pen(start.position, facings, path);
    if (passed.last < passed.first) return pen.line_to(arc.at(arc.turn), arc.outer());
    // From one place where a tangent touches to the next; the two halves of a tangent become one leg.
    for (std::int64_t k = passed.first; k <= passed.last; ++k) {
        const double angle = std::clamp(static_cast<double>(k) * step - arc.first(), 0.0, arc.turn);
        pen.corner(arc.facing(facings, k - 1), arc.facing(facings, k), arc.at(angle));
    }
    pen.corner(arc.facing(facings, passed.last), arc.facing(facings, passed.last + 1), arc.at(arc.turn));
}

void arc_inside(const Pose& start, double curvature, double length, std::int32_t facings, FacingPath& path) {
    FAIRLEAD_ASSERT(good_facings(facings));
    path.count = 0;
    const Arc arc(start, curvature, length);
    const double step = step_of(facings);
    const FacingOrder inner =
        arc.outer() == FacingOrder::right_first ? FacingOrder::left_first : FacingOrder::right_first;
    // Chords between the middles of two facings run along a facing.
    const Range middles = facings_between(arc.first(), arc.last(), step, 0.5);
    Pen pen(start.position, facings, path);
    for (std::int64_t k = middles.first; k <= middles.last; ++k) {
        const double angle = std::clamp((static_cast<double>(k) + 0.5) * step - arc.first(), 0.0, arc.turn);
        pen.line_to(arc.at(angle), inner);
    }
    pen.line_to(arc.at(arc.turn), inner);
}

double drawn_error_rad(const Route& route, std::int32_t facings) {
    FAIRLEAD_ASSERT(good_facings(facings));
    const double step = step_of(facings);
    double worst = 0.0;
    for (const Leg& leg : route.legs) {
        if (leg.kind != LegKind::drive) continue;
        const double a = math::wrap_pi(leg.start.heading_rad);
        const double b = a + leg.curvature * leg.length;
        const Range middles = facings_between(std::min(a, b), std::max(a, b), step, 0.5);
        worst = std::max({worst, motion_error(a, step), motion_error(b, step)});
        if (middles.first <= middles.last) worst = 0.5 * step;
    }
    return worst;
}

}  // namespace fairlead
