#include "drive/body/leg_clearance.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "drive/body/pieces.h"
#include "drive/map/blocker_sweep.h"

namespace fairlead::drive {

namespace {

constexpr double kFlat = 1e-6;   // an arc of a smaller angle is a line, to 1e-11 for radii up to 80 cells
constexpr double kWider = 1e-6;  // what is looked at is compared exactly

double square_to_box(Vec2 p, const Aabb& box) {
    const double x = std::max({box.low.x - p.x, 0.0, p.x - box.high.x});
    const double y = std::max({box.low.y - p.y, 0.0, p.y - box.high.y});
    return x * x + y * y;
}

struct Corners {
    Vec2 of[4];
    explicit Corners(const Aabb& box)
        : of{box.low, {box.high.x, box.low.y}, {box.low.x, box.high.y}, box.high} {}
};

/// The line or arc of an axle.
class AxlePath {
  public:
    explicit AxlePath(const SweptSegment& segment)
        : from_(segment.start),
          turn_(std::clamp(segment.amount * segment.curvature, -kTwoPi, kTwoPi)),
          straight_(std::abs(turn_) < kFlat),
          to_(segment.start + segment.ahead * segment.amount),
          centre_(straight_ ? from_
                            : from_ + Vec2{-segment.ahead.y, segment.ahead.x} * (1.0 / segment.curvature)),
          arc_(centre_, from_, turn_),
          ahead_(segment.amount < 0.0 ? -segment.ahead : segment.ahead),
          length_(std::abs(segment.amount)) {
        if (!straight_) to_ = arc_.to();
        span();
    }

    [[nodiscard]] Vec2 from() const { return from_; }
    [[nodiscard]] Vec2 to() const { return to_; }
    [[nodiscard]] bool straight() const { return straight_; }
    /// The box around it.
    [[nodiscard]] Vec2 low() const { return low_; }
    [[nodiscard]] Vec2 high() const { return high_; }

    [[nodiscard]] double distance_to(const Aabb& box) const {
        return straight_ ? line_to_box(box) : arc_to_box(box);
    }
    /// Is a place farther from the whole line or circle than that?
    [[nodiscard]] bool is_farther(Vec2 place, double far) const {
        if (straight_) return std::abs(cross(ahead_, place - from_)) > far;
        const Vec2 gap = place - centre_;
        const double square = dot(gap, gap);
        const double outer = arc_.radius() + far;
        const double inner = arc_.radius() - far;
        return square > outer * outer || (inner > 0.0 && square < inner * inner);
    }

  private:
    void span() {
        low_ = {std::min(from_.x, to_.x), std::min(from_.y, to_.y)};
        high_ = {std::max(from_.x, to_.x), std::max(from_.y, to_.y)};
        if (straight_) return;
        if (arc_.passes({1.0, 0.0})) high_.x = centre_.x + arc_.radius();
        if (arc_.passes({-1.0, 0.0})) low_.x = centre_.x - arc_.radius();
        if (arc_.passes({0.0, 1.0})) high_.y = centre_.y + arc_.radius();
        if (arc_.passes({0.0, -1.0})) low_.y = centre_.y - arc_.radius();
    }

    // Disjoint convex shapes are nearest at a corner of one of them.
    [[nodiscard]] double line_to_box(const Aabb& box) const {
        double square = std::min(square_to_box(from_, box), square_to_box(to_, box));
        double side_low = 1e300;
        double side_high = -1e300;
        for (const Vec2 corner : Corners(box).of) {
            const Vec2 gap = corner - from_;
            const double side = cross(ahead_, gap);
            const double along = dot(ahead_, gap);
            side_low = std::min(side_low, side);
            side_high = std::max(side_high, side);
            if (along > 0.0 && along < length_) square = std::min(square, side * side);
        }
        const bool apart = side_low >= 0.0 || side_high <= 0.0 || high_.x <= box.low.x ||
                           low_.x >= box.high.x || high_.y <= box.low.y || low_.y >= box.high.y;
        return apart ? std::sqrt(square) : 0.0;
    }

    // As ArcPath::nearer_than.
    [[nodiscard]] double arc_to_box(const Aabb& box) const {
        if (arc_.meets(box)) return 0.0;
        double square = std::min(square_to_box(from_, box), square_to_box(to_, box));
        for (const Vec2 axis : {Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1}}) {
            if (!arc_.passes(axis)) continue;
            square = std::min(square, square_to_box(centre_ + axis * arc_.radius(), box));
        }
        double least = std::sqrt(square);
        for (const Vec2 corner : Corners(box).of) {
            const Vec2 gap = corner - centre_;
            if (arc_.passes(gap)) least = std::min(least, std::abs(length(gap) - arc_.radius()));
        }
        return least;
    }

    Vec2 from_;
    double turn_;
    bool straight_;
    Vec2 to_;
    Vec2 centre_;
    ArcPath arc_;
    Vec2 ahead_;  // of travel
    double length_;
    Vec2 low_{};
    Vec2 high_{};
};

// The segment and the nearest wall so far.
class NearestWall {
  public:
    NearestWall(const GroundBits& free, const SweptSegment& segment, double cap)
        : free_(free), path_(segment), nearest_(cap) {}

    [[nodiscard]] double find() {
        const double x = std::min(path_.low().x, free_.width - path_.high().x);
        const double y = std::min(path_.low().y, free_.height - path_.high().y);
        nearest_ = std::min(nearest_, std::min(x, y));
        if (!(nearest_ > 0.0) || !free_.free(cell(path_.from().x), cell(path_.from().y))) return 0.0;
        const std::int32_t middle = cell(0.5 * (path_.low().y + path_.high().y));
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
    [[nodiscard]] std::int32_t first_row() const { return std::max(cell(path_.low().y - nearest_), 0); }
    [[nodiscard]] std::int32_t last_row() const {
        return std::min(cell(path_.high().y + nearest_), free_.height - 1);
    }

    // Where the axle is while it is near enough to row y.
    void columns(std::int32_t y, double& low, double& high) const {
        low = path_.low().x;
        high = path_.high().x;
        const Vec2 from = path_.from();
        const double rise = path_.to().y - from.y;
        if (!path_.straight() || std::abs(rise) < 1e-3) return;
        const double a = std::clamp((y - nearest_ - from.y) / rise, 0.0, 1.0);
        const double b = std::clamp((y + 1 + nearest_ - from.y) / rise, 0.0, 1.0);
        const double run = path_.to().x - from.x;
        low = from.x + std::min(a * run, b * run);
        high = from.x + std::max(a * run, b * run);
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
        if (path_.is_farther({low.x + 0.5, low.y + 0.5}, nearest_ + kHalfDiagonal)) return;
        nearest_ = std::min(nearest_, path_.distance_to({low, low + Vec2{1.0, 1.0}}));
    }

    const GroundBits& free_;
    AxlePath path_;
    double nearest_;
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

double distance_to_box(const SweptSegment& segment, const Aabb& box) {
    return AxlePath(segment).distance_to(box);
}

void write_clearance(const MapData& map, const BlockerSweep* blockers, Leg& leg) {
    if (leg.kind == LegKind::link) return;
    const BodyCore& body = map.table().body();
    const double cap = farthest_point(body) + kClearanceBeyond;
    const SweptSegment segment = in_cells(map, leg);
    double distance = distance_to_walls(map.free_cells(), segment, cap);
    if (blockers != nullptr) distance = blockers->distance(segment, distance);
    const double claim = std::max(distance - kClearanceMargin, 0.0) * map.table().lattice_size();
    // A body that holds its axle keeps it out of walls, and out of the seam between two.
    leg.clearance = claim > 0.0 || holds_axle(body) ? claim : kUnknown;
}

void write_clearances(const MapData& map, const BlockerSweep* blockers, Array<Leg>& legs) {
    for (Leg& leg : legs) write_clearance(map, blockers, leg);
}

}  // namespace fairlead::drive
