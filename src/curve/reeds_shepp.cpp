#include <fairlead/curve/reeds_shepp.h>

#include <cmath>

#include <fairlead/curve/dubins.h>

#include "curve/frame.h"

namespace fairlead {

namespace {

using namespace curve;

// The 48 words are 12 formulas in 4 forms each: as they are, with all gears changed (the goal mirrored ahead and behind),
// with left and right exchanged (mirrored left and right), and both.
struct Form {
    bool gears = false;
    bool sides = false;

    [[nodiscard]] Goal of(const Goal& g) const {
        Goal out = g;
        if (gears) out.x = -out.x;
        if (sides) out.y = -out.y;
        if (gears != sides) {
            out.phi = -out.phi;
            out.sin = -out.sin;
        }
        return out;
    }
};

constexpr double kSlack = 1e-12;  // of signs: an arc of nothing may come out below it

struct Polar {
    double r, angle;
};
Polar polar(double x, double y) { return {std::sqrt(x * x + y * y), math::atan2(y, x)}; }

// In [-pi, pi).
double wrap(double a) { return math::wrap_pi(a); }

template <class Offer>
class Visit {
  public:
    Visit(const Goal& goal, const Form& form, Offer& offer) : g_(form.of(goal)), form_(form), offer_(offer) {
        // The goal's left centre and right centre, seen from the start's left centre.
        same_ = {g_.x - g_.sin, g_.y - 1.0 + g_.cos};
        other_ = {g_.x + g_.sin, g_.y - 1.0 - g_.cos};
        // The same of the way back, for words that are read from their end.
        const double back_x = g_.x * g_.cos + g_.y * g_.sin;
        const double back_y = g_.x * g_.sin - g_.y * g_.cos;
        same_back_ = {back_x - g_.sin, back_y - 1.0 + g_.cos};
        other_back_ = {back_x + g_.sin, back_y - 1.0 - g_.cos};
    }

    void all() {
        csc();
        ccc();
        cccc();
        ccsc();
        ccscc();
    }

  private:
    static constexpr Steer L = Steer::left;
    static constexpr Steer S = Steer::straight;
    static constexpr Steer R = Steer::right;

    template <class... Segments>
    void give(Segments... segments) {
        CurveWord word;
        (add(word, segments), ...);
        offer_(word);
    }
    void add(CurveWord& word, CurveSegment segment) const {
        if (form_.gears) segment.amount = -segment.amount;
        if (form_.sides && segment.steer != S) segment.steer = segment.steer == L ? R : L;
        if (segment.amount > -kSlack && segment.amount < kSlack) segment.amount = 0.0;
        word.segments[word.count++] = segment;
        word.length += segment.amount < 0.0 ? -segment.amount : segment.amount;
    }

    void csc() {
        // 8.1: L+ S+ L+
        const Polar a = polar(same_.x, same_.y);
        const double t = a.r < kNear ? 0.0 : a.angle;
        if (t >= -kSlack) {
            const double v = wrap(g_.phi - t);
            if (v >= -kSlack) give(CurveSegment{t, L}, CurveSegment{a.r, S}, CurveSegment{v, L});
        }
        // 8.2: L+ S+ R+
        const Polar b = polar(other_.x, other_.y);
        if (b.r >= 2.0) {
            const double u = std::sqrt(b.r * b.r - 4.0);
            const double first = wrap(b.angle + math::atan2(2.0, u));
            const double last = wrap(first - g_.phi);
            if (first >= -kSlack && last >= -kSlack) {
                give(CurveSegment{first, L}, CurveSegment{u, S}, CurveSegment{last, R});
            }
        }
    }

    // 8.3 and 8.4: L+ R- L-, L+ R- L+; read from the end L- R- L+
    void ccc() {
        double t = 0.0, u = 0.0, v = 0.0;
        if (three(same_, t, u, v)) give(CurveSegment{t, L}, CurveSegment{u, R}, CurveSegment{v, L});
        if (three(same_back_, t, u, v)) give(CurveSegment{v, L}, CurveSegment{u, R}, CurveSegment{t, L});
    }
    [[nodiscard]] bool three(Vec2 to, double& t, double& u, double& v) const {
        const Polar a = polar(to.x, to.y);
        if (a.r > 4.0) return false;
        u = -2.0 * math::asin(0.25 * a.r);
        t = wrap(a.angle + 0.5 * u + kPi);
        v = wrap(g_.phi - t + u);
        return t >= -kSlack && u <= kSlack;
    }

    void cccc() {
        double t = 0.0, v = 0.0;
        const double square = other_.x * other_.x + other_.y * other_.y;
        // 8.7: L+ R+ L- R-
        const double rho = 0.25 * (2.0 + std::sqrt(square));
        if (rho <= 1.0) {
            const double u = math::acos(rho);
            four(u, -u, t, v);
            if (t >= -kSlack && v <= kSlack) {
                give(CurveSegment{t, L}, CurveSegment{u, R}, CurveSegment{-u, L}, CurveSegment{v, R});
            }
        }
        // 8.8: L+ R- L- R+
        const double other = (20.0 - square) / 16.0;
        if (other >= 0.0 && other <= 1.0) {
            const double u = -math::acos(other);
            four(u, u, t, v);
            if (t >= -kSlack && v >= -kSlack) {
                give(CurveSegment{t, L}, CurveSegment{u, R}, CurveSegment{u, L}, CurveSegment{v, R});
            }
        }
    }
    // The outer arcs of four, given the inner ones: the paper's tau and omega.
    void four(double u, double v, double& tau, double& omega) const {
        const double delta = wrap(u - v);
        const math::SinCos a = math::sin_cos(u);
        const math::SinCos d = math::sin_cos(delta);
        const double p = a.sin - d.sin;
        const double q = a.cos - d.cos - 1.0;
        const double angle = math::atan2(other_.y * p - other_.x * q, other_.x * p + other_.y * q);
        const double sign = 2.0 * (d.cos - math::cos(v) - a.cos) + 3.0;
        tau = wrap(sign < 0.0 ? angle + kPi : angle);
        omega = wrap(tau - u + v - g_.phi);
    }

    void ccsc() {
        double t = 0.0, u = 0.0, v = 0.0;
        const CurveSegment quarter{-kHalfPi, R};
        // 8.9: L+ R- S- L-; read from the end L- S- R- L+
        if (to_same(same_, t, u, v)) give(CurveSegment{t, L}, quarter, CurveSegment{u, S}, CurveSegment{v, L});
        if (to_same(same_back_, t, u, v)) give(CurveSegment{v, L}, CurveSegment{u, S}, quarter, CurveSegment{t, L});
        // 8.10: L+ R- S- R-; read from the end R- S- R- L+
        if (to_other(other_, t, u, v)) give(CurveSegment{t, L}, quarter, CurveSegment{u, S}, CurveSegment{v, R});
        if (to_other(other_back_, t, u, v)) give(CurveSegment{v, R}, CurveSegment{u, S}, quarter, CurveSegment{t, L});
    }
    [[nodiscard]] bool to_same(Vec2 to, double& t, double& u, double& v) const {
        const Polar a = polar(to.x, to.y);
        if (a.r < 2.0) return false;
        const double r = std::sqrt(a.r * a.r - 4.0);
        u = 2.0 - r;
        t = wrap(a.angle + math::atan2(r, -2.0));
        v = wrap(g_.phi - kHalfPi - t);
        return t >= -kSlack && u <= kSlack && v <= kSlack;
    }
    [[nodiscard]] bool to_other(Vec2 to, double& t, double& u, double& v) const {
        const Polar a = polar(-to.y, to.x);
        if (a.r < 2.0) return false;
        t = a.angle;
        u = 2.0 - a.r;
        v = wrap(t + kHalfPi - g_.phi);
        return t >= -kSlack && u <= kSlack && v <= kSlack;
    }

    // 8.11: L+ R- S- L- R+
    void ccscc() {
        const double square = other_.x * other_.x + other_.y * other_.y;
        if (square < 4.0) return;
        const double u = 4.0 - std::sqrt(square - 4.0);
        if (u > kSlack) return;
        const double t = wrap(math::atan2((4.0 - u) * other_.x - 2.0 * other_.y, -2.0 * other_.x + (u - 4.0) * other_.y));
        const double v = wrap(t - g_.phi);
        if (t < -kSlack || v < -kSlack) return;
        give(CurveSegment{t, L}, CurveSegment{-kHalfPi, R}, CurveSegment{u, S}, CurveSegment{-kHalfPi, L},
             CurveSegment{v, R});
    }

    Goal g_;
    Form form_;
    Offer& offer_;
    Vec2 same_, other_, same_back_, other_back_;
};

double price(const CurveWord& word, const ReedsSheppCost& cost) {
    double sum = cost.cusp_cost == 0.0 ? 0.0 : cost.cusp_cost * static_cast<double>(cusps(word));
    for (const CurveSegment& segment : word.used()) {
        sum += segment.amount < 0.0 ? -segment.amount * cost.reverse_factor : segment.amount;
    }
    return sum;
}

template <class Offer>
void visit_all(const Pose& from, const Pose& to, double radius, const ReedsSheppCost& cost, Offer offer) {
    FAIRLEAD_ASSERT(cost.reverse_factor >= 1.0 && cost.cusp_cost >= 0.0);
    const Goal goal = Goal(from, to, radius);
    const auto priced = [&](CurveWord& word) {
        word.cost = price(word, cost);
        offer(word);
    };
    for (const Form form : {Form{false, false}, Form{true, false}, Form{false, true}, Form{true, true}}) {
        Visit<decltype(priced)>(goal, form, priced).all();
    }
    if (cost.reverse_factor == 1.0 && cost.cusp_cost == 0.0) return;
    CurveWord forward[kDubinsWords];
    const int count = dubins_words(from, to, radius, forward);
    for (int i = 0; i < count; ++i) {
        if (forward[i].segments[1].steer != Steer::straight) priced(forward[i]);
    }
}

}  // namespace

CurveWord shortest_reeds_shepp(const Pose& from, const Pose& to, double radius, const ReedsSheppCost& cost) {
    CurveWord best;
    best.cost = 1e300;
    visit_all(from, to, radius, cost, [&](const CurveWord& word) {
        if (word.cost < best.cost) best = word;
    });
    return best;
}

double reeds_shepp_distance(const Pose& from, const Pose& to, double radius) {
    return shortest_reeds_shepp(from, to, radius).length * radius;
}

int reeds_shepp_words(const Pose& from, const Pose& to, double radius, const ReedsSheppCost& cost,
                      std::span<CurveWord, kReedsSheppWords> words) {
    int count = 0;
    visit_all(from, to, radius, cost, [&](const CurveWord& word) {
        auto at = static_cast<std::size_t>(count++);
        for (; at > 0 && words[at - 1].cost > word.cost; --at) words[at] = words[at - 1];
        words[at] = word;
    });
    return count;
}

}  // namespace fairlead
