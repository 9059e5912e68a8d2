// The cells that the axle passes along a curve, and how far it goes in each: what terrain costs are integrated over.
//
// Lines are followed from border to border. Of an arc the angles at which it crosses a border are found in closed form and
// sorted. Borders belong to the cell that the middle of the piece beside them lies in.
//
// Cost: 5 ns a cell on lines, 60 ns on arcs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fairlead/math/trig.h>

#include "drive/body/pieces.h"

namespace fairlead::drive {

/// Where a segment crosses borders of cells, as parts of its length from 0 to 1, both ends included, in order.
class BorderCrossings {
  public:
    static constexpr int kMax = 640;  // an arc of radius 64 + body reach crosses no more in one turn

    /// `facings`: and where its direction of travel is a multiple of 45 degrees.
    BorderCrossings(const SweptSegment& arc, bool facings);
    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] double at(int i) const { return part_[i]; }

  private:
    struct Range {
        double low;
        double high;
    };
    void add_circle(double centre, double radius, double first, double sweep, bool vertical, Range range);
    void add_facings(const SweptSegment& arc, double sweep);
    void add(double part) {
        if (part > 0.0 && part < 1.0 && count_ < kMax) part_[count_++] = part;
    }

    double part_[kMax + 2];
    int count_ = 0;
};

/// Where a segment is after a part of its length.
class SegmentPlaces {
  public:
    explicit SegmentPlaces(const SweptSegment& segment) : start_(segment.start) {
        if (segment.curvature == 0.0) {
            way_ = segment.ahead * segment.amount;
            return;
        }
        const Vec2 left{-segment.ahead.y, segment.ahead.x};
        start_ = segment.start + left * (1.0 / segment.curvature);
        way_ = segment.start - start_;
        curved_ = true;
        sweep_ = segment.amount * segment.curvature;
    }
    [[nodiscard]] Vec2 at(double part) const {
        if (!curved_) return start_ + way_ * part;
        const math::SinCos turn = math::sin_cos(sweep_ * part);
        return start_ + Vec2{way_.x * turn.cos - way_.y * turn.sin, way_.x * turn.sin + way_.y * turn.cos};
    }

  private:
    Vec2 start_;  // an arc's centre
    Vec2 way_;    // and from there to its start
    bool curved_ = false;
    double sweep_ = 0.0;
};

/// Calls visit(from, to, middle) for the parts of a segment between borders, and, of an arc, with `facings` between multiples
/// of 45 degrees.
template <class Visit>
void for_parts_along(const SweptSegment& segment, bool facings, const Visit& visit) {
    const SegmentPlaces places(segment);
    if (segment.curvature == 0.0) {
        const Vec2 way = segment.ahead * segment.amount;
        const double step_x = way.x > 0.0 ? 1.0 : -1.0;
        const double step_y = way.y > 0.0 ? 1.0 : -1.0;
        double next_x = way.x > 0.0 ? std::floor(segment.start.x) + 1.0 : std::ceil(segment.start.x) - 1.0;
        double next_y = way.y > 0.0 ? std::floor(segment.start.y) + 1.0 : std::ceil(segment.start.y) - 1.0;
        for (double from = 0.0; from < 1.0;) {
            const double to_x = way.x != 0.0 ? (next_x - segment.start.x) / way.x : 2.0;
            const double to_y = way.y != 0.0 ? (next_y - segment.start.y) / way.y : 2.0;
            const double to = std::min(1.0, std::min(to_x, to_y));
            if (to > from) {
                visit(from, to, places.at(0.5 * (from + to)));
                from = to;
            }
            if (to_x <= to) next_x += step_x;
            if (to_y <= to) next_y += step_y;
        }
        return;
    }
    const BorderCrossings crossings(segment, facings);
    for (int i = 0; i + 1 < crossings.count(); ++i) {
        const double from = crossings.at(i);
        const double to = crossings.at(i + 1);
        if (to > from) visit(from, to, places.at(0.5 * (from + to)));
    }
}

/// Calls visit(x, y, length) along one segment.
template <class Visit>
void for_cells_along(const SweptSegment& segment, const Visit& visit) {
    const double length = std::abs(segment.amount);
    const auto cell = [](double v) { return static_cast<std::int32_t>(std::floor(v)); };
    for_parts_along(segment, false, [&](double from, double to, Vec2 middle) {
        visit(cell(middle.x), cell(middle.y), (to - from) * length);
    });
}

}  // namespace fairlead::drive
