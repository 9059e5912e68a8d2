#include "mesh/search/any_angle.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fairlead::mesh {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Where the ray meets the line uv; only for estimates. A ray along the line meets it at its near end.
Vec2 ray_meets(Vec2 from, Vec2 direction, Vec2 u, Vec2 v) {
    const Vec2 d = v - u;
    const double area = cross(d, direction);
    const double t = area != 0.0 ? cross(from - u, direction) / area : 0.0;
    return u + d * (t <= 0.0 ? 0.0 : t >= 1.0 ? 1.0 : t);
}

bool is_left_near(Vec2 root, Vec2 left, Vec2 right) {
    return dot(left - root, left - root) < dot(right - root, right - root);
}

}  // namespace

bool AnyAngleSpace::prepare_common(const StateData& state, const PathEnd& start) {
    state_ = &state;
    start_ = start;
    distances_ = {};
    within_ = {};
    goals_ = {};
    areas_closed_ = 0;
    width_ = 0.0F;
    all_blocks_ = true;
    through_ = true;
    failed_ = false;
    opened_ = 0;
    slot_[0] = slot_[1] = kNone;
    stamp_of_tile_ = nullptr;
    intervals_.clear();
    roots_.clear();
    found_.clear();
    if (++stamp_ == 0) {
        for (Turn& turn : turns_) turn.stamp = 0;
        for (Array<std::uint32_t>& stamps : stamps_) stamps.clear();
        stamp_ = 1;
    }
    units_ = cost_units(state);
    filtered_count_ = 0;
    links_ = nullptr;
    cheap_count_ = 0;
    cheap_cap_ = rest_cap_ = kInfinity;
    const std::size_t turns = std::size_t{state.corners} + 2 * state.links.pieces.size();
    if (turns_.size() < turns && !turns_.resize(turns)) return false;
    return roots_.push_back({.at = start.at, .kind = RootKind::start});
}

bool AnyAngleSpace::prepare(const StateData& state, const PathEnd& start, std::span<const PathEnd> goals,
                            std::uint64_t areas_closed, float width, const LinkUse& links) {
    if (!prepare_common(state, start)) return false;
    width_ = width;
    goals_ = goals;
    areas_closed_ = areas_closed;
    if (!order_goals()) return false;
    if (goals.size() == 1) bound_goal();
    if (!state.links.empty() && !use_links(links, false)) return false;
    return goals.size() != 1 || mark_blocks();
}

bool AnyAngleSpace::order_goals() {
    reached_.clear();
    if (!reached_.resize(goals_.size()) || !goal_order_.resize_uninitialized(goals_.size())) return false;
    for (std::uint32_t i = 0; i < goals_.size(); ++i) goal_order_[i] = i;
    const auto before = [this](std::uint32_t a, std::uint32_t b) {
        return goals_[a].polygon != goals_[b].polygon ? goals_[a].polygon < goals_[b].polygon : a < b;
    };
    std::sort(goal_order_.begin(), goal_order_.end(), before);  // total order: by number at last
    return true;
}

bool AnyAngleSpace::prepare_flood(const StateData& state, const PathEnd& start,
                                  std::span<float* const> distances) {
    if (!prepare_common(state, start)) return false;
    distances_ = distances;
    return state.links.empty() || use_links({}, true);
}

bool AnyAngleSpace::prepare_within(const StateData& state, const PathEnd& start, const Within& within,
                                   std::uint64_t areas_closed, const LinkUse& links, float width) {
    if (!prepare_common(state, start)) return false;
    within_ = within;
    areas_closed_ = areas_closed;
    width_ = width;
    return state.links.empty() || use_links(links, false);
}

double cost_units(const StateData& state) {
    const Vec2 size = state.box.high - state.box.low;
    const double width = std::fabs(size.x) + std::fabs(size.y) + 1e-30;
    int exponent = 0;
    (void)std::frexp(width, &exponent);
    return std::ldexp(1.0, 40 - exponent);
}

void AnyAngleSpace::bound_goal() {
    if (state_->tile_of(goals_[0].polygon).landmarks == nullptr) return;
    find_landmark_range(*state_, goals_[0].polygon, goals_[0].at, goal_range_);
}

// Floats of up to 2^24 steps: what is subtracted covers their rounding.
double AnyAngleSpace::rest_at(EdgeRef edge) const {
    const TileView& view = state_->tile_of(edge);
    if (view.landmarks == nullptr || goals_.size() != 1) return 0.0;
    const float* row =
        view.landmarks + std::size_t{view.tile->vertices()[state_->local(edge)]} * state_->landmark_stride();
    const float unsure = row[state_->landmarks];
    float most = 0.0F;
    for (std::uint32_t i = 0; i < state_->landmarks; ++i) {
        const float slack = row[i] * 0x1p-21F + unsure;
        const float beyond = row[i] - goal_range_.high[i] - slack;
        const float before = goal_range_.low[i] - row[i] - slack;
        if (beyond > most) most = beyond;
        if (before > most) most = before;
    }
    return double{most} < rest_cap_ ? double{most} : rest_cap_;
}

bool AnyAngleSpace::begin() {
    const TileView& view = state_->tile_of(start_.polygon);
    const std::uint32_t slot = start_.polygon >> state_->bits;
    const std::uint32_t local = state_->local(start_.polygon);
    enter_tile(slot);
    if (!distances_.empty()) note_distances({}, slot, local);
    if (within_.met != nullptr) within_.met(start_.polygon, 0.0, within_.user);
    for (std::uint32_t goal = 0; goal < goals_.size(); ++goal) {
        if (goals_[goal].polygon == start_.polygon && !add_goal({}, 0, goal)) return false;
    }
    if (FAIRLEAD_UNLIKELY(links_ != nullptr)) {
        const Interval all{
            .left = start_.at, .right = start_.at, .left_limit = Limit::all, .right_limit = Limit::all};
        if (!take_links(all, start_.polygon)) return false;
    }
    const std::uint32_t end = view.polygons[local + 1].first;
    for (std::uint32_t e = view.polygons[local].first; e < end; ++e) {
        const MeshEdge& side = view.edges[e];
        if (!may_cross(view, side)) continue;
        const Vec2 to = view.tile->to(e);
        if (!add({.edge = side.twin, .root = 0, .left = to, .right = side.from}, to, side.from)) return false;
    }
    return true;
}

void AnyAngleSpace::tell(TraceEventKind kind, const Interval& at) const {
    if (at.edge == kNone || at.left_limit == Limit::all) return;
    const Vec2 origin = ground(state_->origin);
    const Ends ends = ends_of(at);
    const double z = state_->origin.z + state_->tile_of(at.edge).tile->height(state_->local(at.edge));
    const MeshInterval told{{state_->polygon_ref(at.edge)},
                            origin + roots_[at.root].at,
                            origin + ends.left,
                            origin + ends.right,
                            z};
    watch_.event(kind, told, watch_.user);
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
        const Vec2 right_way = at.right_limit == Limit::tail ? r - at.right : at.right - r;
        if (cross(left_way, way) > 0.0) {
            const Vec2 p = at.left_limit == Limit::at_end ? at.left : ray_meets(r, left_way, u, v);
            return distance(r, p) + distance(p, t);
        }
        if (cross(right_way, way) < 0.0) {
            const Vec2 p = at.right_limit == Limit::at_end ? at.right : ray_meets(r, right_way, u, v);
            return distance(r, p) + distance(p, t);
        }
        return length(way);
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
        const Vec2 a = left_end(), b = right_end();
        const Vec2 side = b - a;
        const double square = dot(side, side);
        const double t = square > 0.0 ? dot(r - a, side) / square : 0.0;
        return distance(r, t <= 0.0 ? a : t >= 1.0 ? b : a + side * t);
    }
    double least = kInfinity;
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
    // Nothing is in sight of the start through its own polygon again. (A start on a vertex would see it, round and round.)
    if (at.root == 0 && state_->polygon_ref(at.edge) == start_.polygon) return true;
    if (FAIRLEAD_UNLIKELY(links_ != nullptr)) return add_linked(at, u, v);
    double ahead = estimate(at, u, v);
    if (root.rest > ahead) ahead = root.rest;
    return found_.push_back({at, fixed(root.g + ahead)});
}

bool AnyAngleSpace::add_goal(const Interval& at, std::uint32_t root, std::uint32_t goal) {
    Interval end = at;
    end.edge = kNone;
    end.root = root;
    end.goal = goal;
    return found_.push_back({end, fixed(roots_[root].g + distance(roots_[root].at, goals_[goal].at))});
}

bool AnyAngleSpace::find_goals(const Interval& at, std::uint32_t polygon) {
    if (goals_.size() == 1) return goals_[0].polygon != polygon || find_goal(at, 0);
    const auto before = [this](std::uint32_t goal, std::uint32_t wanted) {
        return goals_[goal].polygon < wanted;
    };
    const std::uint32_t* i = std::lower_bound(goal_order_.begin(), goal_order_.end(), polygon, before);
    for (; i != goal_order_.end() && goals_[*i].polygon == polygon; ++i) {
        if (reached_[*i] == 0 && !find_goal(at, *i)) return false;
    }
    return true;
}

// A place on the line of an interval that is seen edge-on, but nearer: behind the interval's near end, on the other side of a wall
// that ends there.
bool AnyAngleSpace::is_back(const Interval& at, Vec2 p) const {
    if (at.left_limit == Limit::cone || at.left_limit == Limit::all) return false;
    const Vec2 r = roots_[at.root].at;
    const Vec2 u = state_->edge(at.edge).from, v = state_->to(at.edge);
    if (side_of(u, v, p) != 0.0 || side_of(u, v, r) != 0.0 || dot(u - r, v - r) <= 0.0) return false;
    const Vec2 near = is_left_near(r, u, v) ? u : v;
    return dot(p - near, near - r) < 0.0;
}

// The root from which the way goes straight to a point of the polygon ahead: it is in sight, or round one of the interval's
// ends; kNone: neither.
std::uint32_t AnyAngleSpace::root_towards(const Interval& at, Vec2 p) {
    const Vec2 r = roots_[at.root].at;
    if (FAIRLEAD_UNLIKELY(is_back(at, p))) {
        return is_left_near(r, state_->edge(at.edge).from, state_->to(at.edge))
                   ? bend(at, at.edge, kLeft)
                   : bend(at, state_->next(at.edge), kRight);
    }
    if (right_of(at, r, p) < 0.0)
        return at.right_limit == Limit::at_end ? bend(at, state_->next(at.edge), kRight) : kNone;
    if (left_of(at, r, p) > 0.0) return at.left_limit == Limit::at_end ? bend(at, at.edge, kLeft) : kNone;
    if (at.left_limit == Limit::cone && side_of(at.left, at.right, p) < 0.0) return kNone;  // before the exit
    return at.root;
}

bool AnyAngleSpace::find_goal(const Interval& at, std::uint32_t goal) {
    const std::uint32_t root = root_towards(at, goals_[goal].at);
    return root == kNone ? !failed_ : add_goal(at, root, goal);
}

// A flood's harvest: the corners of the polygon ahead that are in sight or seen from the ends that it may bend round.
void AnyAngleSpace::note_distances(const Interval& at, std::uint32_t slot, std::uint32_t polygon) {
    const TileView& view = state_->tiles[slot];
    const Root& root = roots_[at.root];
    float* const out = distances_[slot];
    const Vec2 u = at.edge != kNone ? state_->edge(at.edge).from : root.at;
    const Vec2 v = at.edge != kNone ? state_->to(at.edge) : root.at;
    const bool flat =
        at.edge != kNone && side_of(u, v, root.at) == 0.0 && dot(u - root.at, v - root.at) > 0.0;
    const Vec2 near = is_left_near(root.at, u, v) ? u : v;
    for (std::uint32_t e = view.polygons[polygon].first; e < view.polygons[polygon + 1].first; ++e) {
        const Vec2 p = view.edges[e].from;
        double far = root.g;
        if (at.edge == kNone || !(right_of(at, root.at, p) < 0.0 || left_of(at, root.at, p) > 0.0)) {
            const Vec2 by = flat && is_back(at, p) ? near : root.at;
            far += distance(root.at, by) + distance(by, p);
        } else if (at.right_limit == Limit::at_end && right_of(at, root.at, p) < 0.0) {
            far += distance(root.at, at.right) + distance(at.right, p);
        } else if (at.left_limit == Limit::at_end && left_of(at, root.at, p) > 0.0) {
            far += distance(root.at, at.left) + distance(at.left, p);
        } else {
            continue;
        }
        float& known = out[view.tile->vertices()[e]];
        if (static_cast<float>(far) < known) known = static_cast<float>(far);
    }
}

// An interval that is seen edge-on. On the same line the way goes on, but only beyond it: back, it could lead round and
// round. Everything else in the polygon is round the near end.
bool AnyAngleSpace::open_flat(const Interval& at, const TileView& view, std::uint32_t slot) {
    const std::uint32_t entry = state_->local(at.edge);
    const Vec2 r = roots_[at.root].at;
    const Vec2 u = view.edges[entry].from, v = view.tile->to(entry);
    const bool left_is_near = is_left_near(r, u, v);
    const Vec2 way = (left_is_near ? v : u) - r;
    const auto along = [&](Vec2 p) { return dot(p - r, way); };
    const double passed = along(left_is_near ? v : u);
    for (std::uint32_t e = view.tile->next(entry); e != entry; e = view.tile->next(e)) {
        if (!may_cross(view, view.edges[e])) continue;
        const Vec2 a = view.edges[e].from, b = view.tile->to(e);
        Interval out{.edge = view.edges[e].twin, .root = at.root, .left = b, .right = a};
        if (side_of(u, v, a) == 0.0 && side_of(u, v, b) == 0.0) {
            if (along(a) < passed || along(b) < passed) continue;
        } else {
            out.root = left_is_near ? bend(at, at.edge, kLeft)
                                    : bend(at, state_->ref(slot, view.tile->next(entry)), kRight);
            if (failed_) return false;
            if (out.root == kNone) continue;
        }
        if (!add(out, b, a)) return false;
    }
    return true;
}

// One piece, because its three phases share the walk round the polygon: what lies right of the interval's right limit,
// what is in sight, what lies left of its left limit.
bool AnyAngleSpace::open_interval(const Interval& at) {
    const Root root = roots_[at.root];
    if (FAIRLEAD_UNLIKELY(root.kind >= RootKind::moved)) {
        if (claims_.lost(root.turn)) return true;  // all that it sees is had for less since
    } else if (root.turn != kNone) {
        const Turn& turn = turns_[root.turn];
        if (root.kind == RootKind::exit && had_before(root.edge, root.turn) < root.g * kSooner) return true;
        if (turn.g[root.side] < root.g || turn.g[1 - root.side] < root.g * kSure)
            return true;  // the corner was reached for less since
    }
    if (FAIRLEAD_UNLIKELY(links_ != nullptr) && at.left_limit >= Limit::cone) return open_exit(at);
    const std::uint32_t slot = at.edge >> state_->bits;
    const TileView& view = state_->tiles[slot];
    const std::uint32_t entry = state_->local(at.edge);
    const std::uint32_t polygon = view.edges[entry].polygon;
    enter_tile(slot);
    bent_[kLeft] = bent_[kRight] = kUnknown;
    if (!distances_.empty()) note_distances(at, slot, polygon);
    if (within_.met != nullptr) {
        const double far = root.g + estimate(at, view.edges[entry].from, view.tile->to(entry));
        within_.met(state_->ref(slot, polygon), far, within_.user);
        if (within_.opened != nullptr) within_.opened(at, state_->ref(slot, polygon), within_.user);
    }
    if (!goals_.empty() && !find_goals(at, state_->ref(slot, polygon))) return false;
    if (FAIRLEAD_UNLIKELY(links_ != nullptr) && !take_links(at, state_->ref(slot, polygon))) return false;

    const std::uint32_t first = view.polygons[polygon].first;
    const std::uint32_t end = view.polygons[polygon + 1].first;
    const std::uint32_t start = entry + 1 < end ? entry + 1 : first;
    std::uint32_t e = start;
    const auto next_of = [&](std::uint32_t i) { return i + 1 < end ? i + 1 : first; };
    const Vec2 r = root.at;
    Vec2 a = view.edges[e].from;
    const Vec2 u = view.edges[entry].from;
    if (at.right_limit == Limit::at_end && at.left_limit == Limit::at_end && side_of(r, u, a) == 0.0 &&
        dot(u - r, a - r) > 0.0) {
        return open_flat(at, view, slot);
    }

    // Right of the right limit: only round a corner at its end.
    bool may_bend = at.right_limit == Limit::at_end;
    double a_right = at.right_limit == Limit::at_end ? 0.0 : right_of(at, r, a);
    Vec2 b{};
    double b_right = 0.0;
    for (; e != entry; e = next_of(e), a = b, a_right = b_right) {
        b = view.edges[next_of(e)].from;
        b_right = right_of(at, r, b);
        const bool hidden = b_right < 0.0 || (b_right == 0.0 && a_right < 0.0);
        if (!hidden && a_right >= 0.0) break;
        if (may_bend && may_cross(view, view.edges[e])) {
            const std::uint32_t bent = bend(at, state_->ref(slot, start), kRight);
            may_bend = bent != kNone;
            if (may_bend) {
                Interval out{.edge = view.edges[e].twin, .root = bent, .left = b, .right = a};
                if (!hidden) {
                    out.left = r;
                    out.left_limit = Limit::tail;
                }
                if (!add(out, b, a)) return false;
            }
        }
        if (!hidden) break;
    }
    if (e == entry) return true;

    // In sight.
    double a_left = a_right >= 0.0 ? left_of(at, r, a) : -1.0;
    bool in_sight = true;
    for (; e != entry; e = next_of(e), a = b, a_right = b_right) {
        const std::uint32_t after = next_of(e);
        b = view.edges[after].from;
        const double b_left = after == entry && at.left_limit == Limit::at_end ? 0.0 : left_of(at, r, b);
        in_sight = a_left < 0.0 || (a_left == 0.0 && b_left <= 0.0);
        if (!in_sight) break;
        b_right = 1.0;  // only its sign at the first side matters from here on
        if (may_cross(view, view.edges[e])) {
            Interval out{.edge = view.edges[e].twin, .root = at.root, .left = b, .right = a};
            if (b_left > 0.0) {
                out.left = at.left;
                out.left_limit = at.left_limit == Limit::tail ? Limit::tail : Limit::behind;
            }
            if (a_right < 0.0) {
                out.right = at.right;
                out.right_limit = at.right_limit == Limit::tail ? Limit::tail : Limit::behind;
            }
            if (!add(out, b, a)) return false;
        }
        if (b_left > 0.0) {
            a_left = b_left;
            break;  // the rest of this side is hidden
        }
        a_left = b_left;
    }

    // Left of the left limit: only round a corner at its end.
    if (e == entry || at.left_limit != Limit::at_end) return !failed_;
    bool first_hidden = in_sight;  // it begins in sight
    for (; e != entry; e = next_of(e)) {
        const MeshEdge& side = view.edges[e];
        if (may_cross(view, side)) {
            const std::uint32_t bent = bend(at, at.edge, kLeft);
            if (bent == kNone) return !failed_;
            a = side.from;
            b = view.edges[next_of(e)].from;
            Interval out{.edge = side.twin, .root = bent, .left = b, .right = a};
            if (first_hidden) {
                out.right = r;
                out.right_limit = Limit::tail;
            }
            if (!add(out, b, a)) return false;
        }
        first_hidden = false;
    }
    return !failed_;
}

}  // namespace fairlead::mesh
