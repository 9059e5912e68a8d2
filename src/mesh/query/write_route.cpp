// From a finished search to a Route: the roots from the goal back to the start, the legs between them.
#include <algorithm>

#include <fairlead/math/trig.h>

#include "base/no_memory.h"
#include "mesh/query/leg_writer.h"
#include "mesh/query/search_run.h"

namespace fairlead::mesh {

namespace {

constexpr std::uint32_t kStartRoot = 0;

/// Where a ray from a root that is not there (RootKind::moved) meets the exit side of a link, on the way to `to`.
Vec2 exit_towards(const LinkPiece& piece, Vec2 root, Vec2 to) {
    const Vec2 side = piece.out[1] - piece.out[0], way = to - root;
    const double area = cross(side, way);
    const double t = area != 0.0 ? cross(root - piece.out[0], way) / area : 0.5;
    return t <= 0.0 ? piece.out[0] : t >= 1.0 ? piece.out[1] : piece.out[0] + side * t;
}

void drop_legs(Route& route) {
    while (!route.legs.empty()) route.legs.pop_back();
    route.length = route.cost = route.line_cost = 0.0;
    route.end = {};
}

}  // namespace

LegWriter SearchRun::begin_legs(Route& route) const {
    return {.route = route, .at = in_world(start_.position, start_.z)};
}

// Start, corners, goal, with the side on which each corner lies; a link's entry, and its exit behind it. From the goal back:
// where a wide link is left, and so entered, follows from what comes behind it.
bool SearchRun::list_way(const SurfacePoint& end, std::uint32_t last_root) {
    way_.clear();
    Vec2 at = end.position;
    if (!way_.push_back({at, 0.0, end.polygon, end.z})) return false;
    for (std::uint32_t i = last_root; i != kStartRoot; i = space_.root(i).parent) {
        const Root& root = space_.root(i);
        if (root.kind == RootKind::corner) {
            at = root.at;
            const double z = ground_at_corner(*state_, root.edge);
            if (!way_.push_back({at, root.side == 0 ? 1.0 : -1.0, state_->polygon_ref(root.edge), z}))
                return false;
            continue;
        }
        const LinkPiece& piece = state_->links.pieces[root.edge];
        const Vec2 exit = root.kind == RootKind::exit ? root.at : exit_towards(piece, root.at, at);
        at = entry_of(piece, exit);
        const double z_out = ground_near(*state_, piece.polygon_out, exit);
        const double z_in = ground_near(*state_, piece.polygon_in, at);
        if (!way_.push_back({exit, 0.0, piece.polygon_out, z_out}) ||
            !way_.push_back({at, 0.0, piece.polygon_in, z_in, root.edge})) {
            return false;
        }
    }
    if (!way_.push_back({start_.position, 0.0, start_.polygon, start_.z})) return false;
    std::reverse(way_.begin(), way_.end());
    return true;
}

bool SearchRun::take_link(LegWriter& legs, std::uint32_t piece_number, Vec3 exit) const {
    const LinkPiece& piece = state_->links.pieces[piece_number];
    const LinkRecord& record = state_->links.records[piece.record];
    const double cost = piece.cost * (query_.filter.links.factor(piece.kind));
    return legs.take(exit, record, piece.back, cost);
}

bool SearchRun::write_way(Route& route) {
    LegWriter legs = begin_legs(route);
    for (std::size_t i = 1; i < way_.size(); ++i) {
        const Vec3 to = in_world(way_[i].at, way_[i].z);
        if (way_[i - 1].link != kNone ? !take_link(legs, way_[i - 1].link, to) : !legs.walk(to)) return false;
    }
    // Where the goal is the last corner: that corner, at its height, which the last leg leads to.
    route.end = {legs.at, legs.heading, 0};
    return true;
}

// The same from a table.
bool SearchRun::write_corners(Route& route, const Target& target) {
    LegWriter legs = begin_legs(route);
    const std::span<const EdgeRef> corners = table_.chain();
    for (std::size_t i = corners.size(); i-- > 0;) {
        const EdgeRef wall = corners[i];
        if (!legs.walk(in_world(state_->edge(wall).from, ground_at_corner(*state_, wall)))) return false;
    }
    if (!legs.walk(in_world(target.at.position, target.at.z))) return false;
    route.end = {legs.at, legs.heading, 0};
    return true;
}

// The part of a way up to a link, for a unit with a radius. Places that are the same are one.
std::size_t SearchRun::list_part(std::size_t from) {
    part_.clear();
    std::size_t i = from;
    for (; i < way_.size(); ++i) {
        const bool last = i + 1 == way_.size() || way_[i].link != kNone;
        const WayPoint& point = way_[i];
        if (!part_.empty() && part_.back().at == point.at) {
            if (last && part_.size() > 1) part_.back().side = 0.0;
        } else if (!part_.push_back(point)) {
            return kNone;
        }
        if (last) break;
    }
    return i;
}

// Arcs and straight lines of one part.
bool SearchRun::write_band(LegWriter& legs, const WayPoint& last) {
    const Vec3 end = in_world(last.at, last.z);
    for (std::size_t i = 0; i < band_.pieces.size(); ++i) {
        const TautPiece& piece = band_.pieces[i];
        const double z = ground_near(*state_, piece.polygon, piece.from);
        if (piece.side != 0.0 && piece.turn > 0.0) {
            const Vec2 spoke = piece.arc_from - piece.centre;
            Leg leg;
            leg.start = {legs.at, math::atan2(piece.side * spoke.x, -piece.side * spoke.y), 0};
            leg.length = radius_ * piece.turn;
            leg.curvature = piece.side / radius_;
            legs.at = in_world(piece.from, z);
            leg.rise = legs.at.z - leg.start.position.z;
            legs.route.length += leg.length;
            if (!legs.route.legs.push_back(leg)) return false;
        }
        // Heights where lines end: on the surface at the start of the next arc.
        Vec3 to = end;
        if (i + 1 < band_.pieces.size()) {
            const TautPiece& next = band_.pieces[i + 1];
            to = in_world(next.arc_from, ground_near(*state_, next.arc_polygon, next.arc_from));
        }
        if (!legs.walk(to)) return false;
    }
    legs.at = end;
    return true;
}

// The way of a unit with a radius: each part between links is pulled taut. count_: out of memory.
PathStatus SearchRun::pull_way(Route& route) {
    LegWriter legs = begin_legs(route);
    for (std::size_t from = 0; from < way_.size();) {
        const std::size_t last = list_part(from);
        if (last == kNone) return PathStatus::count_;
        if (part_.size() > 1) {
            const TautBand::Outcome outcome =
                band_.pull(*state_, part_.span(), radius_, slack_, prices_.closed);
            if (outcome == TautBand::Outcome::too_narrow) return PathStatus::unreachable;
            if (outcome == TautBand::Outcome::no_memory || !write_band(legs, way_[last]))
                return PathStatus::count_;
        }
        from = last + 1;
        if (way_[last].link == kNone) continue;
        if (!take_link(legs, way_[last].link, in_world(way_[from].at, way_[from].z)))
            return PathStatus::count_;
    }
    route.end = {in_world(way_.back().at, way_.back().z), legs.heading, 0};
    return PathStatus::complete;
}

// The bends of a corridor's line.
bool SearchRun::write_line(Route& route, const Target& target) {
    LegWriter legs = begin_legs(route);
    std::uint32_t link = kNone;  // that leads to the next point
    for (const LinePoint& point : best_line_) {
        const double z = point.edge != kNone ? ground_at_corner(*state_, point.edge)
                                             : ground_near(*state_, point.polygon, point.at);
        const Vec3 to = in_world(point.at, z);
        if (link != kNone ? !take_link(legs, link, to) : !legs.walk(to)) return false;
        link = point.link;
    }
    const Vec3 end = in_world(target.at.position, target.at.z);
    if (!legs.walk(end)) return false;
    route.end = {end, legs.heading, 0};
    route.cost = route.line_cost = best_cost_;
    // No way costs less than this, if no link is shorter than the straight line.
    double least = distance(start_.position, target.at.position);
    if (state_->links.empty()) {
        least = std::max(least, landmark_distance(*state_, start_.polygon, start_.position, target.at.polygon,
                                                  target.at.position));
    }
    least = std::min(least * prices_.least, best_cap_);
    route.bound = least > 0.0 ? std::max(1.0, best_cost_ / least) : best_cost_ > 0.0 ? kNoBound : 1.0;
    return true;
}

bool SearchRun::write_corridor(Route& route, const Target* target) {
    const bool best = target == nullptr && route.status == PathStatus::budget_spent && leads_to_best();
    if (target != nullptr && !write_line(route, *target)) return false;
    if (best && !write_best(route)) return false;
    if (route.status == PathStatus::budget_spent) route.bound = kNoBound;
    return true;
}

// By an exact search or from a table.
bool SearchRun::write_exact(Route& route, const Target* target) {
    const bool found = target != nullptr && (by_table_ || target->interval != kNone);
    const PathStatus status = route.status;
    if (target == nullptr && status == PathStatus::budget_spent && leads_to_best()) {
        if (!write_best(route)) return false;
    } else if (found && radius_ > 0.0) {
        const PathStatus pulled = list_way(*target) ? pull_way(route) : PathStatus::count_;
        if (pulled == PathStatus::count_) return false;
        if (pulled != PathStatus::complete) {
            drop_legs(route);
            route.status = pulled;
        }
    } else if (found) {
        if (!(by_table_ ? write_corners(route, *target) : list_way(*target) && write_way(route)))
            return false;
        route.bound = status == PathStatus::budget_spent ? kNoBound : 1.0;
    }
    route.cost += route.length * prices_.of_open();
    route.line_cost = route.cost;
    return true;
}

Result<void> SearchRun::write(Route& route, PathStatus status, const Target* target) {
    route.status = status;
    route.planner = by_table_ ? "mesh_table" : planner_name(query_.planner);
    route.revision = state_->revision;
    const bool written = by_corridor_ ? write_corridor(route, target) : write_exact(route, target);
    return written ? Result<void>{} : Result<void>{kNoMemory};
}

SearchStats SearchRun::stats() const {
    SearchStats sum = earlier_;
    if (by_corridor_ && in_corridor_) add_stats(sum, corridor_.stats());
    if (engine_.has_value()) add_stats(sum, stats_of(*engine_));
    if (!by_table_) return sum;
    sum.expanded += end_;
    sum.generated += table_.looked_at();
    return sum;
}

bool SearchRun::has_route() const {
    if (at_.failed()) return false;
    switch (at_.status) {
        case PathStatus::complete:
        case PathStatus::partial: return best_ != kNone;
        case PathStatus::budget_spent: return leads_to_best() && has_near();
        default: return false;
    }
}

// Is a place noted that is nearer than the start?
bool SearchRun::has_near() const {
    if (by_corridor_) return near_end_.at.polygon != kNone || (in_corridor_ && corridor_.has_near());
    return !nears_.empty() || !best_way_.empty();
}

Result<void> SearchRun::take(Route& route) {
    if (at_.failed()) return at_.error();
    const bool spent = at_.status == PathStatus::budget_spent && leads_to_best();
    const bool found =
        best_ != kNone && (at_.status == PathStatus::complete || at_.status == PathStatus::partial || spent);
    // Cancelled among looking goals up: the way to the nearest of those that were.
    if (spent && found && !by_corridor_ && !engine_.has_value()) by_table_ = true;
    return write(route, at_.status, found ? &targets_[best_] : nullptr);
}

Result<void> SearchRun::take(Route& route, std::uint32_t goal) {
    FAIRLEAD_ASSERT(!running());
    if (at_.failed()) return at_.error();
    if (goal >= targets_.size())
        return write(route, at_.status, nullptr);  // the start is nowhere, or it was cancelled
    const Target& target = targets_[goal];
    if (target.status == PathStatus::complete && target.interval == kNone)
        return write(route, at_.status, nullptr);
    return write(route, target.status, &target);
}

}  // namespace fairlead::mesh
