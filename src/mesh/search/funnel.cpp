#include "mesh/search/funnel.h"

#include <algorithm>
#include <cmath>

#include "mesh/data/plane.h"

namespace fairlead::mesh {

namespace {

constexpr int kSweepsMax = 64;
constexpr int kSectionsMax = 48;

}  // namespace

// The apex sees what lies between its left and right side. A portal end inside narrows the side; one beyond the other
// side makes that side's point the next bend, and all starts again there.
bool pull_funnel(const StateData& state, Vec2 from, Vec2 to, std::span<const Portal> portals,
                 Array<LinePoint>& line) {
    line.clear();
    const std::size_t count = portals.size();
    const auto left_of = [&](std::size_t i) { return i < count ? portals[i].left : to; };
    const auto right_of = [&](std::size_t i) { return i < count ? portals[i].right : to; };
    Vec2 apex = from, left = from, right = from;
    std::size_t left_at = 0, right_at = 0;
    const auto bend = [&](Vec2 at, std::size_t portal, bool is_left) {
        const EdgeRef edge = is_left ? portals[portal].edge : state.next(portals[portal].edge);
        apex = left = right = at;
        left_at = right_at = portal;
        if (!line.empty() && line.back().at == at) return true;
        return at == from ||
               line.push_back({at, edge, state.polygon_ref(edge), static_cast<std::uint32_t>(portal)});
    };
    for (std::size_t i = 0; i <= count; ++i) {
        const Vec2 l = left_of(i), r = right_of(i);
        if (side_of(apex, right, r) >= 0.0) {
            if (apex == right || side_of(apex, left, r) < 0.0) {
                right = r;
                right_at = i;
            } else {
                if (left_at >= count) break;  // the goal itself
                i = left_at;
                if (!bend(left, left_at, true)) return false;
                continue;
            }
        }
        if (side_of(apex, left, l) <= 0.0) {
            if (apex == left || side_of(apex, right, l) > 0.0) {
                left = l;
                left_at = i;
            } else {
                if (right_at >= count) break;
                i = right_at;
                if (!bend(right, right_at, false)) return false;
            }
        }
    }
    return true;
}

// Cyclic coordinate descent. Along one portal the cost of the two pieces that meet there is convex in the crossing's
// place; golden sections find its least.
void refract(Vec2 from, Vec2 to, std::span<const Portal> portals, std::span<const double> prices,
             double tolerance, Array<LinePoint>& line) {
    constexpr double kGolden = 0.61803398874989485;
    for (int sweep = 0; sweep < kSweepsMax; ++sweep) {
        double moved = 0.0;
        for (std::size_t i = 0; i < portals.size(); ++i) {
            const Vec2 before = i > 0 ? line[i - 1].at : from;
            const Vec2 after = i + 1 < portals.size() ? line[i + 1].at : to;
            const Vec2 a = portals[i].left, d = portals[i].right - portals[i].left;
            const auto cost = [&](double t) {
                const Vec2 p = a + d * t;
                return prices[i] * distance(before, p) + prices[i + 1] * distance(p, after);
            };
            double low = 0.0, high = 1.0;
            double s = high - kGolden * (high - low), t = low + kGolden * (high - low);
            double at_s = cost(s), at_t = cost(t);
            for (int k = 0; k < kSectionsMax && high - low > tolerance; ++k) {
                if (at_s <= at_t) {
                    high = t;
                    t = s;
                    at_t = at_s;
                    s = high - kGolden * (high - low);
                    at_s = cost(s);
                } else {
                    low = s;
                    s = t;
                    at_s = at_t;
                    t = low + kGolden * (high - low);
                    at_t = cost(t);
                }
            }
            // The ends themselves are often best: corners.
            double best = (low + high) / 2.0, least = cost(best);
            for (const double end : {0.0, 1.0}) {
                const double there = cost(end);
                if (there > least) continue;
                least = there;
                best = end;
            }
            const Vec2 p = best == 1.0 ? portals[i].right : a + d * best;
            moved = std::max(moved, distance(p, line[i].at));
            line[i].at = p;
        }
        if (moved <= tolerance) return;
    }
}

}  // namespace fairlead::mesh
