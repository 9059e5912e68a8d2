#include "drive/body/leg_clearance.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "drive/body/pieces.h"

namespace fairlead::drive {

namespace {

constexpr double kFlat = 1e-6;   // an arc of a smaller angle is a line, to 1e-11 for radii up to 80 cells
constexpr double kWider = 1e-6;  // what is looked at is compared exactly

double square_to_cell(Vec2 p, Vec2 low) {
    const double x = std::max({low.x - p.x, 0.0, p.x - low.x - 1.0});
    const double y = std::max({low.y - p.y, 0.0, p.y - low.y - 1.0});
    return x * x + y * y;
}

// The segment and the nearest wall so far.
class NearestWall {
  public:
    NearestWall(const GroundBits& free, const SweptSegment& segment, double cap)
        : free_(free),
          from_(segment.start),
          turn_(std::clamp(segment.amount * segment.curvature, -kTwoPi, kTwoPi)),
          straight_(std::abs(turn_) < kFlat),
          to_(segment.start + segment.ahead * segment.amount),
          centre_(straight_ ? from_
                            : from_ + Vec2{-segment.ahead.y, segment.ahead.x} * (1.0 / segment.curvature)),
          arc_(centre_, from_, turn_),
          ahead_(segment.amount < 0.0 ? -segment.ahead : segment.ahead),
          length_(std::abs(segment.amount)),
          nearest_(cap) {
        if (!straight_) to_ = arc_.to();
        span();
    }

    [[nodiscard]] double find() {
        const double x = std::min(low_.x, free_.width - high_.x);
        const double y = std::min(low_.y, free_.height - high_.y);
        nearest_ = std::min(nearest_, std::min(x, y));
        if (!(nearest_ > 0.0) || !free_.free(cell(from_.x), cell(from_.y))) return 0.0;
        const std::int32_t middle = cell(0.5 * (low_.y + high_.y));
        for (std::int32_t k = 0; nearest_ > 0.0; ++k) {
            const bool above = middle + k <= last_row();
            const bool below = k > 0 && middle - k >= first_row();
            if (!above && !below && k > 0) break;
            if (above) look_at_row(middle + k);
            if (below) look_at_row(middle - k);
        }
        return nearest_;
    }

  private:
    [[nodiscard]] static std::int32_t cell(double v) { return static_cast<std::int32_t>(std::floor(v)); }
    [[nodiscard]] std::int32_t first_row() const { return std::max(cell(low_.y - nearest_), 0); }
    [[nodiscard]] std::int32_t last_row() const {
        return std::min(cell(high_.y + nearest_), free_.height - 1);
    }

    void span() {
        low_ = {std::min(from_.x, to_.x), std::min(from_.y, to_.y)};
        high_ = {std::max(from_.x, to_.x), std::max(from_.y, to_.y)};
        if (straight_) return;
        if (arc_.passes({1.0, 0.0})) high_.x = centre_.x + arc_.radius();
        if (arc_.passes({-1.0, 0.0})) low_.x = centre_.x - arc_.radius();
        if (arc_.passes({0.0, 1.0})) high_.y = centre_.y + arc_.radius();
        if (arc_.passes({0.0, -1.0})) low_.y = centre_.y - arc_.radius();
    }

    // Where the axle is while it is near enough to row y.
    void columns(std::int32_t y, double& low, double& high) const {
        low = low_.x;
        high = high_.x;
        const double rise = to_.y - from_.y;
        if (!straight_ || std::abs(rise) < 1e-3) return;
        const double a = std::clamp((y - nearest_ - from_.y) / rise, 0.0, 1.0);
        const double b = std::clamp((y + 1 + nearest_ - from_.y) / rise, 0.0, 1.0);
        const double run = to_.x - from_.x;
        low = from_.x + std::min(a * run, b * run);
        high = from_.x + std::max(a * run, b * run);
    }

    void look_at_row(std::int32_t y) {
        double low = 0.0;
        double high = 0.0;
        columns(y, low, high);
        const std::int32_t first = std::max(cell(low - nearest_ - kWider), 0);
        const std::int32_t last = std::min(cell(high + nearest_ + kWider), free_.width - 1);
        for (std::int32_t word = first >> 6; word <= last >> 6; ++word) {
            std::uint64_t walls = outer_walls(word, y);
            if (word == first >> 6) walls &= ~std::uint64_t{0} << (first & 63);
            if (word == last >> 6) walls &= ~std::uint64_t{0} >> (63 - (last & 63));
            for (; walls != 0; walls &= walls - 1) look_at_cell(word * 64 + std::countr_zero(walls), y);
        }
    }

    // The walls of a word that have a free cell beside, above or below. From a free place no other is the nearest, and
    // no other is the first that is met.
    [[nodiscard]] std::uint64_t outer_walls(std::int32_t word, std::int32_t y) const {
        const auto stride = static_cast<std::ptrdiff_t>(free_.stride);
        const std::uint64_t* here = free_.words + y * stride + word;
        const std::uint64_t beside = (*here << 1) | (here[-1] >> 63) | (*here >> 1) | (here[1] << 63);
        return ~*here & (beside | here[-stride] | here[stride]);
    }

    void look_at_cell(std::int32_t x, std::int32_t y) {
        const Vec2 low{static_cast<double>(x), static_cast<double>(y)};
        if (is_far_from({low.x + 0.5, low.y + 0.5})) return;
        nearest_ = std::min(nearest_, straight_ ? line_to_cell(low) : arc_to_cell(low));
    }

    // Is the cell with this middle farther from the whole line or circle than the nearest?
    [[nodiscard]] bool is_far_from(Vec2 middle) const {
        const double far = nearest_ + kHalfDiagonal;
        if (straight_) return std::abs(cross(ahead_, middle - from_)) > far;
        const Vec2 gap = middle - centre_;
        const double square = dot(gap, gap);
        const double outer = arc_.radius() + far;
        const double inner = arc_.radius() - far;
        return square > outer * outer || (inner > 0.0 && square < inner * inner);
    }

    // Disjoint convex shapes are nearest at a corner of one of them.
    [[nodiscard]] double line_to_cell(Vec2 low) const {
        double square = std::min(square_to_cell(from_, low), square_to_cell(to_, low));
        double side_low = 1e300;
        double side_high = -1e300;
        for (const Vec2 step : {Vec2{0, 0}, Vec2{1, 0}, Vec2{0, 1}, Vec2{1, 1}}) {
            const Vec2 gap = low + step - from_;
            const double side = cross(ahead_, gap);
            const double along = dot(ahead_, gap);
            side_low = std::min(side_low, side);
            side_high = std::max(side_high, side);
            if (along > 0.0 && along < length_) square = std::min(square, side * side);
        }
        const bool apart = side_low >= 0.0 || side_high <= 0.0 || high_.x <= low.x || low_.x >= low.x + 1.0 ||
                           high_.y <= low.y || low_.y >= low.y + 1.0;
        return apart ? std::sqrt(square) : 0.0;
    }

    // As ArcPath::nearer_than.
    [[nodiscard]] double arc_to_cell(Vec2 low) const {
        if (arc_.meets({low, low + Vec2{1.0, 1.0}})) return 0.0;
        double square = std::min(square_to_cell(from_, low), square_to_cell(to_, low));
        for (const Vec2 axis : {Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1}}) {
            if (!arc_.passes(axis)) continue;
            square = std::min(square, square_to_cell(centre_ + axis * arc_.radius(), low));
        }
        double least = std::sqrt(square);
        for (const Vec2 step : {Vec2{0, 0}, Vec2{1, 0}, Vec2{0, 1}, Vec2{1, 1}}) {
            const Vec2 gap = low + step - centre_;
            if (arc_.passes(gap)) least = std::min(least, std::abs(length(gap) - arc_.radius()));
        }
        return least;
    }

    const GroundBits& free_;
    Vec2 from_;
    double turn_;
    bool straight_;
    Vec2 to_;
    Vec2 centre_;
    ArcPath arc_;
    Vec2 ahead_;  // of travel
    double length_;
    double nearest_;
    Vec2 low_{};
    Vec2 high_{};
};

bool holds_axle(const BodyCore& body) {
    const Vec2 low{-body.radius, -body.radius};
    return Aabb{body.core.low + low, body.core.high - low}.contains({0.0, 0.0});
}

SweptSegment in_cells(const MapData& map, const Leg& leg) {
    const double cell = map.table().lattice_size();
    const Vec2 origin = map.options().origin;
    const std::int32_t floor = leg.start.layer - map.options().layer;
    SweptSegment out;
    out.start = {(leg.start.position.x - origin.x) / cell, (leg.start.position.y - origin.y) / cell};
    if (floor > 0) out.start.y += 1.0 * floor * map.floor_rows();
    out.ahead = math::direction(leg.start.heading_rad);
    if (leg.kind == LegKind::turn) return out;  // its axle stands
    if (leg.gear == Gear::reverse) out.ahead = -out.ahead;
    out.amount = leg.length / cell;
    out.curvature = leg.curvature * cell;
    return out;
}

}  // namespace

double distance_to_walls(const GroundBits& free, const SweptSegment& segment, double cap) {
    return NearestWall(free, segment, cap).find();
}

void write_clearance(const MapData& map, Leg& leg) {
    if (leg.kind == LegKind::link) return;
    const BodyCore& body = map.table().body();
    const double cap = farthest_point(body) + kClearanceBeyond;
    const double distance = distance_to_walls(map.free_cells(), in_cells(map, leg), cap);
    const double claim = std::max(distance - kClearanceMargin, 0.0) * map.table().lattice_size();
    // A body that holds its axle keeps it out of walls, and out of the seam between two.
    leg.clearance = claim > 0.0 || holds_axle(body) ? claim : kUnknown;
}

void write_clearances(const MapData& map, Array<Leg>& legs) {
    for (Leg& leg : legs) write_clearance(map, leg);
}

}  // namespace fairlead::drive
