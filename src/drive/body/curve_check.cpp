#include "drive/body/curve_check.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "drive/body/pieces.h"
#include "drive/body/seam.h"
#include "drive/body/swept_cells.h"

namespace fairlead::drive {

namespace {

constexpr double kMore = 1e-6;  // cells

// One segment of a curve against the cells of a map, row by row.
class Piece {
  public:
    Piece(const GroundBits& free, const BodyCore& body, double reach, const SweptSegment& segment)
        : free_(free), body_(body), reach_(reach), segment_(segment), end_(segment.start) {
        if (segment.curvature == 0.0) {
            end_ = segment.start + segment.ahead * segment.amount;
            low_ = {std::min(segment.start.x, end_.x), std::min(segment.start.y, end_.y)};
            high_ = {std::max(segment.start.x, end_.x), std::max(segment.start.y, end_.y)};
        } else {
            span_arc();
        }
    }

    [[nodiscard]] bool is_free() const {
        if (reach_ <= kSweepSlack && goes_between_walls()) return false;
        if (is_inside()) return segment_.curvature == 0.0 ? line_is_free() : arc_is_free();
        const auto first = line_at(low_.y - reach_);
        const auto last = line_at(high_.y + reach_);
        for (std::int32_t y = first; y <= last; ++y) {
            if (!row_is_free(y)) return false;
        }
        return true;
    }

  private:
    // ---- where nothing reaches over the map's border: many times as fast, and the same answer ----

    // What is looked at is a little wider than needed; each wall is compared exactly.
    [[nodiscard]] bool is_inside() const {
        const double more = reach_ + kMore;
        return low_.x >= more && low_.y >= more && high_.x + more < free_.width &&
               high_.y + more < free_.height;
    }

    [[nodiscard]] bool line_is_free() const {
        const double more = reach_ + kMore;
        const Vec2 way = end_ - segment_.start;
        const auto bottom = static_cast<std::int32_t>(low_.y - more);
        const auto top = static_cast<std::int32_t>(high_.y + more);
        // The axle's places while the body may reach into a row: along the line by `wide`, from one that moves by `slope` a row.
        const bool level = std::abs(way.y) < 1e-3;
        const double slope = level ? 0.0 : way.x / way.y;
        const double wide = (1.0 + 2.0 * more) * slope;
        double at = segment_.start.x + (bottom - more - segment_.start.y) * slope + std::min(wide, 0.0);
        const double width = std::abs(wide);
        const std::uint64_t* row = row_of(bottom);
        for (std::int32_t y = bottom; y <= top; ++y, at += slope, row += free_.stride) {
            const double low = level ? low_.x : std::clamp(at, low_.x, high_.x);
            const double high = level ? high_.x : std::clamp(at + width, low_.x, high_.x);
            if (!cells_are_free(row, static_cast<std::int32_t>(low - more),
                                static_cast<std::int32_t>(high + more), y))
                return false;
        }
        return true;
    }

    [[nodiscard]] bool arc_is_free() const {
        const double more = reach_ + kMore;
        const auto left = static_cast<std::int32_t>(low_.x - more);
        const auto right = static_cast<std::int32_t>(high_.x + more);
        const auto bottom = static_cast<std::int32_t>(low_.y - more);
        const auto top = static_cast<std::int32_t>(high_.y + more);
        const std::uint64_t* row = row_of(bottom);
        for (std::int32_t y = bottom; y <= top; ++y, row += free_.stride) {
            if (!cells_are_free(row, left, right, y)) return false;
        }
        return true;
    }

    [[nodiscard]] const std::uint64_t* row_of(std::int32_t y) const {
        return free_.words + static_cast<std::ptrdiff_t>(y) * static_cast<std::ptrdiff_t>(free_.stride);
    }

    // Of a row 0 <= first, last < width.
    [[nodiscard]] bool cells_are_free(const std::uint64_t* row, std::int32_t first, std::int32_t last,
                                      std::int32_t y) const {
        std::int32_t word = first >> 6;
        std::uint64_t mask = ~std::uint64_t{0} << (first & 63);
        for (; word <= last >> 6; ++word, mask = ~std::uint64_t{0}) {
            if (word == last >> 6) mask &= ~std::uint64_t{0} >> (63 - (last & 63));
            for (std::uint64_t walls = ~row[word] & mask; walls != 0; walls &= walls - 1) {
                if (!is_clear_of(word * 64 + std::countr_zero(walls), y)) return false;
            }
        }
        return true;
    }

    // ---- anywhere ----

    [[nodiscard]] bool goes_between_walls() const {
        const auto wall = [this](std::int32_t x, std::int32_t y) {
            const bool on_map = x >= 0 && y >= 0 && x < free_.width && y < free_.height;
            return !on_map || !free_.free(x, y);
        };
        return any_seam(reach_, segment_, [&](const Seam& seam) { return is_between_walls(seam, wall); });
    }

    void span_arc() {
        const Vec2 left{-segment_.ahead.y, segment_.ahead.x};
        radius_ = 1.0 / std::abs(segment_.curvature);
        centre_ = segment_.start + left * (1.0 / segment_.curvature);
        const double turn = std::clamp(segment_.amount * segment_.curvature, -kTwoPi, kTwoPi);
        const ArcPath arc(centre_, segment_.start, turn);
        end_ = arc.to();
        low_ = {std::min(segment_.start.x, end_.x), std::min(segment_.start.y, end_.y)};
        high_ = {std::max(segment_.start.x, end_.x), std::max(segment_.start.y, end_.y)};
        if (arc.passes({1.0, 0.0})) high_.x = centre_.x + radius_;
        if (arc.passes({-1.0, 0.0})) low_.x = centre_.x - radius_;
        if (arc.passes({0.0, 1.0})) high_.y = centre_.y + radius_;
        if (arc.passes({0.0, -1.0})) low_.y = centre_.y - radius_;
    }

    // The row or column of a coordinate; the same one for all that is far off every map.
    [[nodiscard]] static std::int32_t line_at(double v) {
        constexpr double kFar = 1e6;
        return static_cast<std::int32_t>(std::clamp(std::floor(v), -kFar, kFar));
    }

    // Where the axle is while the body may reach into row y: low <= x <= high.
    void columns(std::int32_t y, double& low, double& high) const {
        low = low_.x;
        high = high_.x;
        const double rise = end_.y - segment_.start.y;
        if (segment_.curvature != 0.0 || std::abs(rise) < 1e-3) return;
        const double a = std::clamp((y - reach_ - segment_.start.y) / rise, 0.0, 1.0);
        const double b = std::clamp((y + 1 + reach_ - segment_.start.y) / rise, 0.0, 1.0);
        const double run = end_.x - segment_.start.x;
        low = segment_.start.x + std::min(a * run, b * run);
        high = segment_.start.x + std::max(a * run, b * run);
    }

    [[nodiscard]] bool row_is_free(std::int32_t y) const {
        double low = 0.0;
        double high = 0.0;
        columns(y, low, high);
        // A little wider than needed: what is looked at is compared exactly.
        const auto first = line_at(low - reach_ - kMore);
        const auto last = line_at(high + reach_ + kMore);
        if (y < 0 || y >= free_.height) return cells_are_clear(first, last, y);
        if (first < 0 && !cells_are_clear(first, std::min(last, -1), y)) return false;
        if (last >= free_.width && !cells_are_clear(std::max(first, free_.width), last, y)) return false;
        return cells_are_free(row_of(y), std::max(first, 0), std::min(last, free_.width - 1), y);
    }

    [[nodiscard]] bool cells_are_clear(std::int32_t first, std::int32_t last, std::int32_t y) const {
        for (std::int32_t x = first; x <= last; ++x) {
            if (!is_clear_of(x, y)) return false;
        }
        return true;
    }

    [[nodiscard]] bool is_clear_of(std::int32_t x, std::int32_t y) const {
        if (is_far_from({x + 0.5, y + 0.5})) return true;
        const Aabb cell{{static_cast<double>(x), static_cast<double>(y)}, {x + 1.0, y + 1.0}};
        return !sweep_overlaps_box(body_, segment_, cell, kSweepSlack);
    }

    // Is the cell with this middle out of the body's reach from the whole line or circle? So it is for most walls beside a taut way;
    // it is as much as touching that may be called so.
    [[nodiscard]] bool is_far_from(Vec2 middle) const {
        constexpr double kTouch = 0.5 * kSweepSlack;
        if (segment_.curvature == 0.0) {
            const double half = 0.5 * (std::abs(segment_.ahead.x) + std::abs(segment_.ahead.y));
            return std::abs(cross(segment_.ahead, middle - segment_.start)) > reach_ + half - kTouch;
        }
        const Vec2 gap{std::abs(middle.x - centre_.x), std::abs(middle.y - centre_.y)};
        const Vec2 near{std::max(gap.x - 0.5, 0.0), std::max(gap.y - 0.5, 0.0)};
        const Vec2 far{gap.x + 0.5, gap.y + 0.5};
        const double outer = radius_ + reach_ - kTouch;
        const double inner = radius_ - reach_ + kTouch;
        return dot(near, near) > outer * outer || (inner > 0.0 && dot(far, far) < inner * inner);
    }

    const GroundBits& free_;
    const BodyCore& body_;
    double reach_;
    const SweptSegment& segment_;
    Vec2 end_;
    Vec2 low_{};
    Vec2 high_{};
    Vec2 centre_{};
    double radius_ = 0.0;
};

}  // namespace

bool curve_is_free(const GroundBits& free, const BodyCore& body, const Pose& start, double radius,
                   const CurveWord& word) {
    const SweptPieces pieces = place_pieces(start, radius, word);
    const double reach = farthest_point(body);
    const auto is_free = [&](int i) { return Piece(free, body, reach, pieces.piece[i]).is_free(); };
    // What is wrong is mostly wrong at an end; the last one is the goal, that many curves lead to.
    if (pieces.count > 0 && !is_free(pieces.count - 1)) return false;
    for (int i = 0; i < pieces.count - 1; ++i) {
        if (!is_free(i)) return false;
    }
    return true;
}

bool stands_free(const GroundBits& free, const BodyCore& body, const Pose& pose) {
    return curve_is_free(free, body, pose, 1.0, CurveWord{});
}

}  // namespace fairlead::drive
