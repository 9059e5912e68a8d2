#include "mesh/search/any_angle.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fairlead::mesh {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_left_near(Vec2 root, Vec2 left, Vec2 right) {
    return dot(left - root, left - root) < dot(right - root, right - root);
}

}  // namespace

bool AnyAngleSpace::prepare_common(const StateData& state, const PathEnd& start) {
    state_ = &state;
    start_ = start;
    distances_ = {};
    within_ = {};
    passed_ = {};
    goals_ = {};
    areas_closed_ = 0;
    width_ = 0.0F;
    all_blocks_ = true;
    through_ = true;
    failed_ = false;
    opened_ = 0;
    slot_[0] = slot_[1] = kNone;
    stamp_of_tile_ = nullptr;
    bounded_ = false;
    noting_ = true;
    goal_polygon_ = kNone;
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
    noting_ = goals.size() != 1 || links_ != nullptr;
    if (goals.size() != 1) return true;
    goal_polygon_ = goals[0].polygon;
    return mark_blocks();
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

bool AnyAngleSpace::begin() {
    const TileView& view = state_->tile_of(start_.polygon);
    const std::uint32_t slot = start_.polygon >> state_->bits;
    const std::uint32_t local = state_->local(start_.polygon);
    enter_tile(slot);
    rest_side_ = kNone;
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
        const MeshEdge& next = view.edges[e + 1 < end ? e + 1 : view.polygons[local].first];
        if (!found_.push_back({{.edge = side.twin, .root = 0, .left = next.from, .right = side.from}, 0}) ||
            !weigh(view, &side, &next))
            return false;
    }
    return true;
}

void AnyAngleSpace::tell(TraceEventKind kind, const Interval& at, Cost g) const {
    SearchEvent event{.kind = kind, .state = kNone, .g = g};
    const Vec3 origin = state_->origin;
    const Vec2 root = roots_[at.root].at;
    if (at.edge == kNone || at.left_limit == Limit::all) {  // a goal, or the exit of a link
        event.at.position = event.left = event.right = origin + Vec3{root.x, root.y, 0.0};
    } else {
        const Ends ends = ends_of(at);
        const double z = state_->tile_of(at.edge).tile->height(state_->local(at.edge));
        event.state = PolygonId{state_->polygon_ref(at.edge)}.value;
        event.at.position = origin + Vec3{root.x, root.y, z};
        event.left = origin + Vec3{ends.left.x, ends.left.y, z};
        event.right = origin + Vec3{ends.right.x, ends.right.y, z};
    }
    watch_.event(event, watch_.user);
}

bool AnyAngleSpace::add_goal(const Interval& at, std::uint32_t root, std::uint32_t goal) {
    Interval end = at;
    end.edge = kNone;
    end.root = root;
    end.goal = goal;
    return found_.push_back({end, fixed(roots_[root].g + distance(roots_[root].at, goals_[goal].at))});
}

bool AnyAngleSpace::find_goals(const Interval& at, std::uint32_t polygon) {
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
        if (!found_.push_back({out, 0}) || !weigh(view, view.edges + e, view.edges + view.tile->next(e)))
            return false;
    }
    return true;
}

// What only some searches ask of a polygon that is opened. False: out of memory.
bool AnyAngleSpace::note_opened(const Interval& at, const TileView& view, std::uint32_t polygon) {
    const std::uint32_t slot = at.edge >> state_->bits;
    const std::uint32_t ref = state_->ref(slot, polygon);
    if (!distances_.empty()) note_distances(at, slot, polygon);
    if (within_.met != nullptr) {
        const std::uint32_t entry = state_->local(at.edge);
        within_.met(ref, roots_[at.root].g + estimate(at, view.edges[entry].from, view.tile->to(entry)),
                    within_.user);
        if (within_.opened != nullptr) within_.opened(at, ref, within_.user);
    }
    if (goals_.size() > 1 && !find_goals(at, ref)) return false;
    return links_ == nullptr || take_links(at, ref);
}

// One piece, because its three phases share the walk round the polygon: what lies right of the interval's right limit,
// what is in sight, what lies left of its left limit.
bool AnyAngleSpace::open_interval(const Interval& at) {
    const Root& root = roots_[at.root];
    if (FAIRLEAD_UNLIKELY(root.kind >= RootKind::moved)) {
        if (claims_.lost(root.turn)) return true;  // all that it sees is had for less since
    } else if (root.turn != kNone) {
        const Turn& turn = turns_[root.turn];
        if (root.kind == RootKind::exit && had_before(root.edge, root.turn) < root.g * kSooner) return true;
        if (turn.g[root.side] < root.g || turn.g[1 - root.side] < root.g * kSure)
            return true;  // the corner was reached for less since
    }
    if (FAIRLEAD_UNLIKELY(links_ != nullptr) && at.left_limit >= Limit::cone) return open_exit(at);
    const Vec2 r = root.at;
    const std::uint32_t slot = at.edge >> state_->bits;
    const TileView& view = state_->tiles[slot];
    const MeshEdge* const entry = view.edges + state_->local(at.edge);
    const std::uint32_t polygon = entry->polygon;
    enter_tile(slot);
    bent_[kLeft] = bent_[kRight] = kUnknown;
    rest_side_ = kNone;
    if (FAIRLEAD_UNLIKELY(noting_) && !note_opened(at, view, polygon)) return false;
    if (state_->ref(slot, polygon) == goal_polygon_ && !find_goal(at, 0)) return false;

    const MeshEdge* const first = view.edges + view.polygons[polygon].first;
    const MeshEdge* const end = view.edges + view.polygons[polygon + 1].first;
    if (!found_.reserve(found_.size() + static_cast<std::size_t>(end - first))) return false;
    const auto next_of = [&](const MeshEdge* i) { return i + 1 < end ? i + 1 : first; };
    const MeshEdge* const start = next_of(entry);
    const bool full_right = at.right_limit == Limit::at_end, full_left = at.left_limit == Limit::at_end;
    // The limits as lines from behind: left of the one and right of the other is in sight.
    const Line right_ray = at.right_limit == Limit::tail ? Line{at.right, r} : Line{r, at.right};
    const Line left_ray = at.left_limit == Limit::tail ? Line{at.left, r} : Line{r, at.left};
    const MeshEdge* e = start;
    Vec2 a = e->from;
    // Where an end of the side is the limit, it is exactly on the ray.
    double a_right = 0.0, a_left = 0.0;
    if (full_left && full_right) {
        a_left = left_ray.side(a);
        if (FAIRLEAD_UNLIKELY(a_left == 0.0) && dot(entry->from - r, a - r) > 0.0)
            return open_flat(at, view, slot);
    } else if (!full_right) {
        a_right = right_ray.side(a);
    }

    // Right of the right limit: only round a corner at its end.
    bool may_bend = full_right && may_be_corner(*start);
    Vec2 b{};
    double b_right = 0.0;
    for (; e != entry; a = b, a_right = b_right) {
        const MeshEdge* const next = next_of(e);
        b = next->from;
        b_right = right_ray.side(b);
        const bool hidden = b_right < 0.0 || (b_right == 0.0 && a_right < 0.0);
        if (!hidden && a_right >= 0.0) break;
        if (may_bend && may_cross(view, *e)) {
            const std::uint32_t bent = bend(at, (at.edge & ~state_->mask) | index_of(view, start), kRight);
            may_bend = bent != kNone;
            if (may_bend) {
                Interval& out = find_side(e, next, bent);
                if (!hidden) {
                    out.left = r;
                    out.left_limit = Limit::tail;
                }
                if (!weigh(view, e, next)) return false;
            }
        }
        if (!hidden) break;
        e = next;
    }
    if (e == entry) return !failed_;

    // In sight.
    if (a_right < 0.0) {
        a_left = -1.0;
    } else if (e != start || !full_left || !full_right) {
        a_left = left_ray.side(a);
    }
    bool in_sight = true;
    for (; e != entry; a = b) {
        const MeshEdge* const next = next_of(e);
        b = next->from;
        const double b_left = full_left && next == entry ? 0.0 : left_ray.side(b);
        in_sight = a_left < 0.0 || (a_left == 0.0 && b_left <= 0.0);
        if (!in_sight) break;
        if (may_cross(view, *e)) {
            Interval& out = find_side(e, next, at.root);
            if (b_left > 0.0) {
                out.left = at.left;
                out.left_limit = at.left_limit == Limit::tail ? Limit::tail : Limit::behind;
            }
            if (a_right < 0.0) {
                out.right = at.right;
                out.right_limit = at.right_limit == Limit::tail ? Limit::tail : Limit::behind;
            }
            if (!weigh(view, e, next)) return false;
        }
        a_right = 1.0;  // only its sign at the first side matters
        a_left = b_left;
        if (b_left > 0.0) break;  // the rest of this side is hidden
        e = next;
    }

    // Left of the left limit: only round a corner at its end.
    if (e == entry || !full_left || !may_be_corner(*entry)) return !failed_;
    bool first_hidden = in_sight;  // it begins in sight
    while (e != entry) {
        const MeshEdge* const next = next_of(e);
        if (may_cross(view, *e)) {
            const std::uint32_t bent = bend(at, at.edge, kLeft);
            if (bent == kNone) return !failed_;
            Interval& out = find_side(e, next, bent);
            if (first_hidden) {
                out.right = r;
                out.right_limit = Limit::tail;
            }
            if (!weigh(view, e, next)) return false;
        }
        first_hidden = false;
        e = next;
    }
    return !failed_;
}

}  // namespace fairlead::mesh
