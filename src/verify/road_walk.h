// The drive legs of a route over a RoadLayer, cut into stretches that are on the road, off it, or against a lane.
#pragma once

#include <cmath>
#include <cstdint>

#include <fairlead/grid/road_layer.h>
#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>
#include <fairlead/route/route.h>
#include <fairlead/verify/verify_roads.h>

namespace fairlead::witness {

enum class RoadState : std::uint8_t { good, off_road, against, mixed };

/// One leg in cells; lengths count from its start.
class RoadLeg {
  public:
    RoadLeg(const Leg& leg, Vec2 origin, double cell_size)
        : start_{(leg.start.position.x - origin.x) / cell_size,
                 (leg.start.position.y - origin.y) / cell_size},
          angle_(leg.start.heading_rad + (leg.gear == Gear::reverse ? kPi : 0.0)),
          curvature_(leg.curvature * cell_size),
          length_(leg.length / cell_size) {}

    [[nodiscard]] double length() const { return length_; }
    [[nodiscard]] double curvature() const { return curvature_; }
    [[nodiscard]] Vec2 start() const { return start_; }
    /// Of travel.
    [[nodiscard]] double angle(double at) const { return angle_ + curvature_ * at; }
    [[nodiscard]] Vec2 place(double at) const {
        // The chord of an arc of angle t is sin(t / 2) / (t / 2) of it, in the direction half way.
        const double half = 0.5 * curvature_ * at;
        const double part = std::fabs(half) < 1e-4 ? 1.0 - half * half / 6.0 : math::sin_cos(half).sin / half;
        return start_ + math::direction(angle_ + half) * (at * part);
    }
    /// The smallest length above `at` at which it travels in a multiple of 45 degrees, or its end.
    [[nodiscard]] double next_cut(double at) const {
        if (curvature_ == 0.0) return length_;
        constexpr double kEighth = kPi / 4.0;
        const double now = angle(at) / kEighth;
        const double target = curvature_ > 0.0 ? std::floor(now + 1e-9) + 1.0 : std::ceil(now - 1e-9) - 1.0;
        const double cut = (target * kEighth - angle_) / curvature_;
        return cut > at && cut < length_ ? cut : length_;
    }

  private:
    Vec2 start_;
    double angle_;
    double curvature_;
    double length_;
};

class RoadWalk {
  public:
    /// What is not told apart from good counts as good: on a border, too.
    explicit RoadWalk(const RoadLayer& roads, bool off_road = true, bool against = true)
        : roads_(roads),
          off_(off_road ? RoadState::off_road : RoadState::good),
          against_(against ? RoadState::against : RoadState::good) {}

    /// Calls visit(from, to, state) for stretches of a leg in order, until it returns true. Stretches shorter than the slack
    /// are as the next one.
    template <class Visit>
    bool any_stretch(const RoadLeg& leg, const Visit& visit) const {
        for (double from = 0.0; from < leg.length();) {
            const double to = leg.next_cut(from);
            if (to - from > kRoadSlack && any_part(leg, from, to, visit)) return true;
            from = to;
        }
        return false;
    }

  private:
    // Columns or rows that a range overlaps by more than the slack; of a thinner range those within it, of which one will do.
    struct Span {
        std::int32_t first;
        std::int32_t last;
        bool either;
        static Span of(double low, double high) {
            const auto cell = [](double v) { return static_cast<std::int32_t>(std::floor(v)); };
            if (high - low > 2.0 * kRoadSlack)
                return {cell(low + kRoadSlack), cell(high - kRoadSlack), false};
            const double middle = 0.5 * (low + high);
            return {cell(middle - kRoadSlack), cell(middle + kRoadSlack), true};
        }
    };

    template <class Visit>
    bool any_part(const RoadLeg& leg, double from, double to, const Visit& visit) const {
        // A line is too long for its middle's direction to differ; an arc lies within an eighth of a turn.
        const RoadState state = judge(leg, from, to);
        if (state != RoadState::mixed) return visit(from, to, state);
        if (to - from <= kRoadSlack) return visit(from, to, worst(leg, from, to));
        const double middle = 0.5 * (from + to);
        return any_part(leg, from, middle, visit) || any_part(leg, middle, to, visit);
    }

    [[nodiscard]] RoadState judge(const RoadLeg& leg, double from, double to) const {
        const double angle = leg.angle(0.5 * (from + to));
        const Vec2 a = leg.place(from);
        const Vec2 b = leg.place(to);
        const double half = 0.5 * (to - from);
        const double bulge = 0.5 * std::fabs(leg.curvature()) * half * half;  // of the arc beyond its chord
        const Span across = Span::of((a.x < b.x ? a.x : b.x) - bulge, (a.x < b.x ? b.x : a.x) + bulge);
        const Span along = Span::of((a.y < b.y ? a.y : b.y) - bulge, (a.y < b.y ? b.y : a.y) + bulge);
        if (across.last - across.first > 2 || along.last - along.first > 2) return RoadState::mixed;
        return best_of(across, along, angle);
    }

    // Where a border is shared, each side is a choice: the better one counts. Mixed while one of them is.
    [[nodiscard]] RoadState best_of(const Span& across, const Span& along, double angle) const {
        const std::int32_t columns = across.either ? across.last - across.first : 0;
        const std::int32_t rows = along.either ? along.last - along.first : 0;
        RoadState best = RoadState::off_road;
        bool mixed = false;
        for (std::int32_t x = across.first; x <= across.first + columns; ++x) {
            for (std::int32_t y = along.first; y <= along.first + rows; ++y) {
                const RoadState state =
                    all_of(x, across.either ? x : across.last, y, along.either ? y : along.last, angle);
                if (state == RoadState::good) return state;
                if (state == RoadState::against) best = state;
                mixed = mixed || state == RoadState::mixed;
            }
        }
        return mixed ? RoadState::mixed : best;
    }

    // The one state of all cells, or mixed.
    [[nodiscard]] RoadState all_of(std::int32_t left, std::int32_t right, std::int32_t low, std::int32_t top,
                                   double angle) const {
        const RoadState first = state_of(left, low, angle);
        for (std::int32_t y = low; y <= top; ++y) {
            for (std::int32_t x = left; x <= right; ++x) {
                if (state_of(x, y, angle) != first) return RoadState::mixed;
            }
        }
        return first;
    }

    [[nodiscard]] RoadState state_of(std::int32_t x, std::int32_t y, double angle) const {
        const std::uint32_t allowed = roads_.at(x, y);
        if (allowed == 0) return off_;
        for (std::int32_t d = 0; d < 8; ++d) {
            if (((allowed >> d) & 1U) == 0) continue;
            const double off = std::fabs(math::wrap_pi(angle - d * (kPi / 4.0)));
            if (off <= kHalfPi + kRoadSlack) return RoadState::good;
        }
        return against_;
    }

    // Of the middle of a piece shorter than the slack that has no good choice.
    [[nodiscard]] RoadState worst(const RoadLeg& leg, double from, double to) const {
        const double at = 0.5 * (from + to);
        const Vec2 p = leg.place(at);
        const RoadState state = state_of(static_cast<std::int32_t>(std::floor(p.x)),
                                         static_cast<std::int32_t>(std::floor(p.y)), leg.angle(at));
        if (state != RoadState::good) return state;
        return off_ == RoadState::off_road ? off_ : RoadState::against;
    }

    const RoadLayer& roads_;
    RoadState off_;
    RoadState against_;
};

}  // namespace fairlead::witness
