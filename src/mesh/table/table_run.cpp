#include "mesh/table/table_run.h"

#include <algorithm>
#include <limits>

namespace fairlead::mesh {

namespace {

// Is the polygon `wanted` one of those that hang together at the vertex where `side` starts?
bool in_fan(const StateData& state, EdgeRef side, std::uint32_t wanted) {
    EdgeRef at = side;
    do {
        if (state.polygon_ref(at) == wanted) return true;
        at = state.edge(state.previous(at)).twin;
    } while (at != kNone && at != side);
    if (at == side) return false;
    for (at = state.edge(side).twin; at != kNone; at = state.edge(state.next(at)).twin) {
        if (state.polygon_ref(at) == wanted) return true;
    }
    return false;
}

// Is a point of one polygon, on its boundary perhaps, the same place in the other?
bool is_place_of(const StateData& state, std::uint32_t polygon, Vec2 p, std::uint32_t wanted) {
    if (polygon == wanted) return true;
    const TileView& view = state.tile_of(polygon);
    const std::uint32_t slot = polygon >> state.bits;
    const MeshPolygon* sides = view.polygons + state.local(polygon);
    for (std::uint32_t e = sides[0].first; e < sides[1].first; ++e) {
        if (view.edges[e].from == p) return in_fan(state, state.ref(slot, e), wanted);
        const EdgeRef twin = view.edges[e].twin;
        if (twin == kNone || state.polygon_ref(twin) != wanted) continue;
        const Vec2 a = view.edges[e].from, b = view.tile->to(e);
        if (side_of(a, b, p) == 0.0 && dot(a - p, b - p) <= 0.0) return true;
    }
    return false;
}

}  // namespace

bool TableRun::prepare(const TableData& table, const StateData& state, const PathEnd& start) {
    table_ = &table;
    state_ = &state;
    start_ = start;
    looked_at_ = 0;
    const std::size_t hubs = table.corners();
    return best_of_.size() >= hubs || best_of_.resize(hubs);
}

bool TableRun::in_sight(const PathEnd& from, const PathEnd& to) const {
    Walk walk{.from = from.at, .to = to.at, .polygon = from.polygon};
    finish_walk(*state_, walk);
    return walk.wall == kNone && is_place_of(*state_, walk.polygon, to.at, to.polygon);
}

// The corners that are seen from somewhere in its polygon.
bool TableRun::list_near(const PathEnd& from, Vec2 to, Array<Near>& out) {
    const TableData& table = *table_;
    const std::uint32_t polygon = table.polygon_number(*state_, from.polygon);
    const std::uint32_t first = table.sight_first[polygon], end = table.sight_first[polygon + 1];
    if (!out.resize_uninitialized(end - first)) return false;
    for (std::uint32_t i = first; i < end; ++i) {
        const Vec2 at = table.corner_at[table.sights[i].corner];
        const double far = distance(at, from.at);
        out[i - first] = {far, far + distance(at, to), table.sights[i].corner, i};
    }
    // On a corner: from there, on.
    const TileView& view = state_->tile_of(from.polygon);
    const MeshPolygon* sides = view.polygons + state_->local(from.polygon);
    for (std::uint32_t e = sides[0].first; e < sides[1].first; ++e) {
        if (!(view.edges[e].from == from.at)) continue;
        const std::uint32_t corner = table.corner_at_start(*state_, view.edges[e]);
        if (corner != kNone && !out.push_back({0.0, distance(from.at, to), corner, kNone})) return false;
    }
    looked_at_ += out.size();
    return true;
}

// A hidden one is never asked for again.
bool TableRun::is_seen(Near& near, Vec2 from) const {
    if (near.sight == kNone) return true;
    const Sight& sight = table_->sights[near.sight];
    const Vec2 corner = table_->corner_at[near.corner];
    if ((sight.left != kNone && left_of_limit(*table_, corner, sight.left, from) > 0.0) ||
        (sight.right != kNone && left_of_limit(*table_, corner, sight.right, from) < 0.0)) {
        near.least = std::numeric_limits<double>::infinity();
        return false;
    }
    near.sight = kNone;
    return true;
}

// The corner in sight with the least detour; null: none is in sight.
const TableRun::Near* TableRun::straightest(Array<Near>& near, Vec2 from) const {
    const Near* best = nullptr;
    for (Near& at : near) {
        if ((best == nullptr || at.least < best->least) && is_seen(at, from)) best = &at;
    }
    return best;
}

// The corners of both ends that lie nearest to the straight line, and the best hub of the two.
void TableRun::try_straightest(const PathEnd& goal, Best& best) {
    const Near* const start_near = straightest(near_start_, start_.at);
    const Near* const goal_near = straightest(near_goal_, goal.at);
    if (start_near == nullptr || goal_near == nullptr) return;
    const std::uint32_t first = start_near->corner, last = goal_near->corner;
    const std::span<const HubEntry> a = table_->labels.of(first), b = table_->labels.of(last);
    for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
        if (a[i].hub != b[k].hub) {
            a[i].hub < b[k].hub ? ++i : ++k;
            continue;
        }
        const double far = start_near->far + a[i].far + b[k].far + goal_near->far;
        if (far < best.length) best = {far, a[i].hub, first, last};
        ++i;
        ++k;
    }
}

void TableRun::fill_hubs(double less_than) {
    if (++stamp_ == 0) {
        for (ToHub& to : best_of_) to.stamp = 0;
        stamp_ = 1;
    }
    for (Near& near : near_start_) {
        if (near.least >= less_than || !is_seen(near, start_.at)) continue;
        for (const HubEntry& entry : table_->labels.of(near.corner)) {
            ToHub& to = best_of_[entry.hub];
            const double far = near.far + entry.far;
            if (to.stamp == stamp_ && to.far <= far) continue;
            to = {far, stamp_, near.corner};
        }
    }
}

void TableRun::meet_hubs(const PathEnd& goal, Best& best) {
    for (Near& near : near_goal_) {
        if (near.least >= best.length || !is_seen(near, goal.at)) continue;
        for (const HubEntry& entry : table_->labels.of(near.corner)) {
            const ToHub& to = best_of_[entry.hub];
            if (to.stamp != stamp_) continue;
            const double far = to.far + entry.far + near.far;
            if (far < best.length) best = {far, entry.hub, to.corner, near.corner};
        }
    }
}

TableRun::Found TableRun::find(const PathEnd& goal, double less_than) {
    if (in_sight(start_, goal)) {
        const double straight = distance(start_.at, goal.at);
        if (straight >= less_than) return Found::no;
        length = straight;
        chain_.clear();
        return Found::yes;
    }
    if (!list_near(start_, goal.at, near_start_) || !list_near(goal, start_.at, near_goal_))
        return Found::no_memory;
    Best best{.length = less_than};
    try_straightest(goal, best);
    fill_hubs(best.length);
    meet_hubs(goal, best);
    if (best.hub == kNone) return Found::no;
    length = best.length;
    if (!lay_chain(best.first, best.hub, best.last)) return Found::no_memory;
    if (!is_walkable(goal)) return Found::untrue;
    straighten(goal);
    return Found::yes;
}

// Is there no wall on any leg, from the goal back to the start? From a corner where a slit ends a walk along the slit takes one side
// of it; that to the corner knows on which side it is.
bool TableRun::is_walkable(const PathEnd& goal) const {
    PathEnd from = goal;
    for (std::size_t i = 0; i <= chain_.size(); ++i) {
        const PathEnd to = i < chain_.size() ? place_of(chain_[i]) : start_;
        if (!in_sight(from, to) && !in_sight(to, from)) return false;
        from = to;
    }
    return true;
}

// Corners where the way does not bend are left out, where it can be walked without them.
void TableRun::straighten(const PathEnd& goal) {
    PathEnd from = goal;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < chain_.size(); ++i) {
        const PathEnd at = place_of(chain_[i]);
        const PathEnd to = i + 1 < chain_.size() ? place_of(chain_[i + 1]) : start_;
        if (side_of(from.at, at.at, to.at) == 0.0 && dot(at.at - from.at, to.at - at.at) > 0.0 &&
            in_sight(from, to))
            continue;
        chain_[kept++] = chain_[i];
        from = at;
    }
    while (chain_.size() > kept) chain_.pop_back();
}

// The corners from one of them to a hub, both included. In a forged file they may lead round and round: no way is that long.
bool TableRun::add_way(std::uint32_t from, std::uint32_t hub) {
    const std::size_t most = chain_.size() + table_->corners();
    for (std::uint32_t at = from; at != kNone && chain_.size() < most;) {
        if (!chain_.push_back(table_->corner_wall[at])) return false;
        const std::uint32_t next = table_->labels.next(at, hub);
        if (next == at) break;
        at = next;
    }
    return true;
}

bool TableRun::lay_chain(std::uint32_t first, std::uint32_t hub, std::uint32_t last) {
    chain_.clear();
    if (!add_way(last, hub)) return false;
    const std::size_t middle = chain_.size();
    if (!add_way(first, hub)) return false;
    chain_.pop_back();  // the hub again
    std::reverse(chain_.begin() + middle, chain_.end());
    return true;
}

}  // namespace fairlead::mesh
