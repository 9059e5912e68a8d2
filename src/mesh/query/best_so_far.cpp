// Where a partial route ends whose budget is spent: of all sides that the search has looked through the place nearest a goal.
//
// An exact search notes places while it runs: the nearest point of each interval that it opens, straight from the interval's root.
// A unit with a radius needs room there and on the way, which is asked when the way is wanted: so all places are kept that were
// nearer than those before, and the last one to which there is a way counts. A search of corridors notes sides alone.
#include <algorithm>

#include "base/no_memory.h"
#include "mesh/query/search_run.h"
#include "mesh/surface/walk.h"

namespace fairlead::mesh {

bool SearchRun::leads_to_best() const { return query_.partial && !all_goals_; }

// What counts as nearer than the start is not so by rounding alone. False: out of memory.
bool SearchRun::list_aims() {
    aims_.clear();
    bool any = false;
    for (const Target& target : targets_) {
        if (target.at.polygon == kNone) continue;
        any = true;
        if (!aims_.add(target.at.position)) return false;
    }
    near_square_ = any ? aims_.square_from(start_.position) * (1.0 - 1e-9) : 0.0;
    return true;
}

void SearchRun::note_side(const Interval& at, void* user) { static_cast<SearchRun*>(user)->note_near(at); }

void SearchRun::note_near(const Interval& at) {
    const AnyAngleSpace::Ends ends = space_.ends_of(at);
    const Vec2 near = aims_.nearest(ends.left, ends.right);
    if (!(aims_.square_from(near) < near_square_)) return;
    SurfacePoint place = settle_in(*state_, state_->polygon_ref(at.edge), {near.x, near.y, 0.0});
    if (radius_ > 0.0) {
        const SurfacePoint wanted = place;
        const SpotRules spot{radius_, slack_, std::max(query_.reach.across, radius_), prices_.closed};
        if (!find_clear_spot(*state_, wanted, spot, flood_, place)) return at_.fail(kNoMemory);
        if (place.polygon == kNone) return;
    }
    const double square = aims_.square_from(place.position);
    if (!(square < near_square_)) return;
    near_square_ = square;
    if (radius_ == 0.0) nears_.clear();
    if (!nears_.push_back({place, at.root})) at_.fail(kNoMemory);
}

// Straight from the last corner of way_ to its end, and all of it with room for the unit?
bool SearchRun::has_room(bool& good) {
    good = true;
    const WayPoint& before = way_[way_.size() - 2];
    Walk walk{.from = before.at, .to = way_.back().at, .polygon = before.polygon};
    walk.end = walk.from;
    walk.closed_areas = prices_.closed;
    finish_walk(*state_, walk);
    if (walk.wall != kNone) return false;
    trial_.clear();
    const PathStatus pulled = pull_way(trial_);
    good = pulled != PathStatus::count_;
    return pulled == PathStatus::complete;
}

// The way to the last of the places noted becomes best_way_; the search that knows the way is about to be forgotten. False: out
// of memory.
bool SearchRun::keep_near() {
    if (by_corridor_) return keep_near_corridor();
    for (; !nears_.empty(); nears_.pop_back()) {
        bool good = list_way(nears_.back().place, nears_.back().root);
        const bool leads = good && (radius_ == 0.0 || has_room(good));
        if (!good) return false;
        if (!leads) continue;
        nears_.clear();
        return best_way_.assign(way_.span());
    }
    return true;
}

bool SearchRun::keep_near_corridor() {
    if (!in_corridor_ || !corridor_.has_near()) return true;
    near_square_ = corridor_.near_square();
    near_end_.at = settle_in(*state_, corridor_.near_end().polygon,
                             {corridor_.near_end().at.x, corridor_.near_end().at.y, 0.0});
    if (!corridor_.lay_near()) return false;
    near_cost_ = corridor_.cost;
    return near_line_.assign(corridor_.line.span());
}

// The legs of a route whose budget is spent, if there is a place for it. False: out of memory.
bool SearchRun::write_best(Route& route) {
    if (start_.polygon == kNone) return true;  // not placed yet
    if (!keep_near()) return false;
    route.end = {in_world(start_.position, start_.z), 0.0, 0};
    if (by_corridor_) {
        if (near_end_.at.polygon == kNone) return true;
        best_cost_ = near_cost_;
        if (!best_line_.assign(near_line_.span()) || !write_line(route, near_end_)) return false;
        route.bound = kNoBound;
        return true;
    }
    if (best_way_.empty()) return true;
    if (!way_.assign(best_way_.span())) return false;
    return radius_ > 0.0 ? pull_way(route) == PathStatus::complete : write_way(route);
}

}  // namespace fairlead::mesh
