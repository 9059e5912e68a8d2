// What an interval still costs at least: the straight line over it, and what landmarks know.
#include <cmath>
#include <limits>

#include "mesh/search/any_angle.h"

namespace fairlead::mesh {

namespace {

// Where the ray meets the line uv; only for estimates. A ray along the line meets it at its near end.
Vec2 ray_meets(Vec2 from, Vec2 direction, Vec2 u, Vec2 v) {
    const Vec2 d = v - u;
    const double area = cross(d, direction);
    const double t = area != 0.0 ? cross(from - u, direction) / area : 0.0;
    return u + d * (t <= 0.0 ? 0.0 : t >= 1.0 ? 1.0 : t);
}

}  // namespace

void AnyAngleSpace::bound_goal() {
    if (state_->tile_of(goals_[0].polygon).far == nullptr) return;
    find_landmark_range(*state_, goals_[0].polygon, goals_[0].at, goal_range_);
    rest_step_ = state_->landmark_step;
    bounded_ = true;
}

double AnyAngleSpace::rest_at(EdgeRef edge) const {
    if (!bounded_) return 0.0;
    const double rest = rest_of(state_->tile_of(edge), state_->local(edge));
    return rest > 0.0 ? rest : 0.0;
}

AnyAngleSpace::Ends AnyAngleSpace::ends_of(const Interval& at) const {
    const Vec2 r = roots_[at.root].at;
    const Vec2 u = state_->edge(at.edge).from, v = state_->to(at.edge);
    const auto end = [&](Limit limit, Vec2 p) {
        if (limit == Limit::at_end || limit == Limit::cone) return p;
        return ray_meets(r, limit == Limit::tail ? r - p : p - r, u, v);
    };
    return {end(at.left_limit, at.left), end(at.right_limit, at.right)};
}

/// The shortest line from r through an interval on the side uv to a goal.
struct Aim {
    const Interval& at;
    Vec2 r, u, v, d;

    [[nodiscard]] FAIRLEAD_INLINE double operator()(Vec2 t) const {
        const double beyond = cross(d, t - u);
        if (beyond < 0.0) {
            const double square = dot(d, d);
            t = t - Vec2{-d.y, d.x} * (2.0 * beyond / square);
        }
        const Vec2 way = t - r;
        const Vec2 left_way = at.left_limit == Limit::tail ? r - at.left : at.left - r;
        if (cross(left_way, way) > 0.0)
            return over(t, at.left_limit == Limit::at_end ? at.left : ray_meets(r, left_way, u, v));
        const Vec2 right_way = at.right_limit == Limit::tail ? r - at.right : at.right - r;
        if (cross(right_way, way) < 0.0)
            return over(t, at.right_limit == Limit::at_end ? at.right : ray_meets(r, right_way, u, v));
        return length(way);
    }
    [[nodiscard]] FAIRLEAD_INLINE double over(Vec2 t, Vec2 p) const {
        return distance(r, p) + distance(p, t);
    }
    /// The same by what is left from u and from v. A point p of the side is no nearer to the goal than max(rest_u - |up|, rest_v -
    /// |vp|). That falls and then rises with slope 1, and |rp| never changes faster: the least sum is where both are equal, or
    /// at the end of the interval that is nearer to there.
    [[nodiscard]] FAIRLEAD_INLINE double with_rests(double rest_u, double rest_v) const {
        const double wide = length(d);
        double s = 0.5 * (rest_u - rest_v + wide);
        s = s > 0.0 ? (s < wide ? s : wide) : 0.0;
        Vec2 p = u + d * (s / wide);
        if (at.left_limit != Limit::at_end) {
            const Vec2 way = at.left_limit == Limit::tail ? r - at.left : at.left - r;
            if (cross(way, p - r) > 0.0) s = distance(u, p = ray_meets(r, way, u, v));
        }
        if (at.right_limit != Limit::at_end) {
            const Vec2 way = at.right_limit == Limit::tail ? r - at.right : at.right - r;
            if (cross(way, p - r) < 0.0) s = distance(u, p = ray_meets(r, way, u, v));
        }
        const double from_u = rest_u - s, from_v = rest_v - (wide - s);
        return distance(r, p) + (from_u > from_v ? from_u : from_v);
    }
};

double AnyAngleSpace::through(const Interval& at, Vec2 u, Vec2 v, Vec2 goal) const {
    return Aim{at, roots_[at.root].at, u, v, v - u}(goal);
}

// The shortest line from the root through the interval on the side uv (seen from behind it: u left, v right) to the
// goal, were there no walls; a goal behind the side counts as its mirror image.
double AnyAngleSpace::estimate(const Interval& at, Vec2 u, Vec2 v) const {
    const Vec2 r = roots_[at.root].at;
    const auto left_end = [&] {
        if (at.left_limit == Limit::at_end) return at.left;
        return ray_meets(r, at.left_limit == Limit::tail ? r - at.left : at.left - r, u, v);
    };
    const auto right_end = [&] {
        if (at.right_limit == Limit::at_end) return at.right;
        return ray_meets(r, at.right_limit == Limit::tail ? r - at.right : at.right - r, u, v);
    };
    if (goals_.empty() || goals_.size() > kGoalsAimedAt) {
        // A flood, or as good as one: how near the interval is.
        return segment_distance(left_end(), right_end(), r);
    }
    double least = std::numeric_limits<double>::infinity();
    const Aim aim{at, r, u, v, v - u};
    for (std::size_t i = 0; i < goals_.size(); ++i) {
        if (reached_[i] != 0) continue;
        const double sum = aim(goals_[i].at);
        if (sum < least) least = sum;
    }
    return least;
}

bool AnyAngleSpace::add(const Interval& at, Vec2 u, Vec2 v) {
    const Root& root = roots_[at.root];
    if (is_own(at)) return true;
    if (FAIRLEAD_UNLIKELY(links_ != nullptr)) return add_linked(at, u, v, 0.0);
    double ahead = estimate(at, u, v);
    if (root.rest > ahead) ahead = root.rest;
    return found_.push_back({at, fixed(root.g + ahead)});
}

// What it costs at least to go on by the last one found, behind the side `e` of the polygon that is being opened; `next` starts at its
// end.
bool AnyAngleSpace::weigh(const TileView& view, const MeshEdge* e, const MeshEdge* next) {
    Found& found = found_.back();
    const Interval& at = found.at;
    const Root& root = roots_[at.root];
    if (FAIRLEAD_UNLIKELY(is_own(at))) {
        found_.pop_back();
        return true;
    }
    const Vec2 u = next->from, v = e->from;
    const Aim aim{at, root.at, u, v, v - u};
    double past = 0.0;
    if (bounded_) {
        const std::uint32_t right = index_of(view, e), left = index_of(view, next);
        const double rest_right = right == rest_side_ ? rest_known_ : rest_of(view, right);
        rest_side_ = left;
        rest_known_ = rest_of(view, left);
        past = aim.with_rests(rest_known_, rest_right);
    }
    if (FAIRLEAD_UNLIKELY(noting_)) return weigh_among(u, v, past);
    double ahead = aim(goals_[0].at);
    ahead = root.rest > ahead ? root.rest : ahead;
    ahead = past > ahead ? past : ahead;
    found.f = fixed(root.g + ahead);
    return true;
}

// Where there are links, and not just one goal.
bool AnyAngleSpace::weigh_among(Vec2 u, Vec2 v, double past) {
    const Interval at = found_.back().at;
    if (links_ != nullptr) {
        found_.pop_back();
        return add_linked(at, u, v, past);
    }
    const Root& root = roots_[at.root];
    double ahead = estimate(at, u, v);
    if (root.rest > ahead) ahead = root.rest;
    found_.back().f = fixed(root.g + ahead);
    return true;
}

}  // namespace fairlead::mesh
