// From a finished search to a Route: the roots from the goal back to the start, the legs between them.
#include <algorithm>

#include <fairlead/base/digest.h>
#include <fairlead/math/trig.h>

#include "base/no_memory.h"
#include "mesh/search_run.h"

namespace fairlead::mesh {

namespace {

constexpr std::uint32_t kStartRoot = 0;

struct LegWriter {
    Route& route;
    Vec3 at{};
    double heading = 0.0;

    /// A straight leg; nothing if it leads nowhere.
    [[nodiscard]] bool walk(Vec3 to) {
        const Vec2 along = ground(to) - ground(at);
        const double far = length(along);
        if (!(far > 0.0)) return true;
        heading = math::atan2(along.y, along.x);
        Leg leg;
        leg.start = {at, heading, 0};
        leg.length = far;
        leg.rise = to.z - at.z;
        route.length += far;
        at = to;
        return route.legs.push_back(leg);
    }
};

std::uint64_t digest_of(const Route& route, std::uint64_t search) {
    Digest digest;
    digest.add(search);
    for (const Leg& leg : route.legs) {
        digest.add(leg.start.position.x);
        digest.add(leg.start.position.y);
        digest.add(leg.start.position.z);
        digest.add(leg.length);
    }
    digest.add(route.end.position.x);
    digest.add(route.end.position.y);
    digest.add(route.end.position.z);
    return digest.value();
}

}  // namespace

bool SearchRun::write_legs(Route& route, const Target& target) {
    const auto in_world = [this](Vec2 p, double z) { return state_->origin + Vec3{p.x, p.y, z}; };
    chain_.clear();
    for (std::uint32_t root = space_.interval(target.interval).root; root != kStartRoot;
         root = space_.root(root).parent) {
        if (!chain_.push_back(root)) return false;
    }
    LegWriter legs{.route = route, .at = in_world(start_.position, start_.z)};
    for (std::size_t i = chain_.size(); i-- > 0;) {
        const Root& root = space_.root(chain_[i]);
        const double z = state_->tile_of(root.edge).tile->height(state_->local(root.edge));
        if (!legs.walk(in_world(root.at, z))) return false;
    }
    const Vec3 end = in_world(target.at.position, target.at.z);
    if (!legs.walk(end)) return false;
    // Where the goal is the last corner: that corner, at its height, which the last leg leads to.
    route.end = {legs.at, legs.heading, 0};
    return true;
}

// The same from a table.
bool SearchRun::write_corners(Route& route, const Target& target) {
    const auto in_world = [this](Vec2 p, double z) { return state_->origin + Vec3{p.x, p.y, z}; };
    LegWriter legs{.route = route, .at = in_world(start_.position, start_.z)};
    const std::span<const EdgeRef> corners = table_.chain();
    for (std::size_t i = corners.size(); i-- > 0;) {
        const EdgeRef wall = corners[i];
        const double z = state_->tile_of(wall).tile->height(state_->local(wall));
        if (!legs.walk(in_world(state_->edge(wall).from, z))) return false;
    }
    if (!legs.walk(in_world(target.at.position, target.at.z))) return false;
    route.end = {legs.at, legs.heading, 0};
    return true;
}

// Start, corners, goal, with the side on which each corner lies.
bool SearchRun::list_way(const Target& target) {
    chain_.clear();
    way_.clear();
    for (std::uint32_t root = space_.interval(target.interval).root; root != kStartRoot;
         root = space_.root(root).parent) {
        if (!chain_.push_back(root)) return false;
    }
    if (!way_.push_back({start_.position, 0.0, start_.polygon})) return false;
    for (std::size_t i = chain_.size(); i-- > 0;) {
        const Root& root = space_.root(chain_[i]);
        if (root.at == way_.back().at) continue;
        if (!way_.push_back({root.at, root.side == 0 ? 1.0 : -1.0, state_->polygon_ref(root.edge)}))
            return false;
    }
    if (target.at.position == way_.back().at) {
        way_.back().side = 0.0;
        return true;
    }
    return way_.push_back({target.at.position, 0.0, target.at.polygon});
}

// Arcs and straight lines.
bool SearchRun::write_band(Route& route, const Target& target) {
    const auto in_world = [this](Vec2 p, double z) { return state_->origin + Vec3{p.x, p.y, z}; };
    const Vec3 end = in_world(target.at.position, target.at.z);
    LegWriter legs{.route = route, .at = in_world(start_.position, start_.z)};
    for (std::size_t i = 0; i < band_.pieces.size(); ++i) {
        const TautPiece& piece = band_.pieces[i];
        const double z = height_at(*state_, piece.polygon, piece.from);
        if (piece.side != 0.0 && piece.turn > 0.0) {
            const Vec2 spoke = piece.arc_from - piece.centre;
            Leg leg;
            leg.start = {legs.at, math::atan2(piece.side * spoke.x, -piece.side * spoke.y), 0};
            leg.length = radius_ * piece.turn;
            leg.curvature = piece.side / radius_;
            legs.at = in_world(piece.from, z);
            leg.rise = legs.at.z - leg.start.position.z;
            route.length += leg.length;
            if (!route.legs.push_back(leg)) return false;
        }
        // Heights where lines end: on the surface at the start of the next arc.
        Vec3 to = end;
        if (i + 1 < band_.pieces.size()) {
            const TautPiece& next = band_.pieces[i + 1];
            to = in_world(next.arc_from, height_at(*state_, next.polygon, next.arc_from));
        }
        if (!legs.walk(to)) return false;
    }
    route.end = {end, legs.heading, 0};
    return true;
}

// The bends of a corridor's line.
bool SearchRun::write_line(Route& route, const Target& target) {
    const auto in_world = [this](Vec2 p, double z) { return state_->origin + Vec3{p.x, p.y, z}; };
    LegWriter legs{.route = route, .at = in_world(start_.position, start_.z)};
    for (const LinePoint& point : best_line_) {
        const double z = point.edge != kNone
                             ? state_->tile_of(point.edge).tile->height(state_->local(point.edge))
                             : height_at(*state_, point.polygon, point.at);
        if (!legs.walk(in_world(point.at, z))) return false;
    }
    const Vec3 end = in_world(target.at.position, target.at.z);
    if (!legs.walk(end)) return false;
    route.end = {end, legs.heading, 0};
    route.cost = best_cost_;
    const double straight = distance(start_.position, target.at.position) * prices_.least;
    route.bound = straight > 0.0 ? std::max(1.0, best_cost_ / straight) : 1.0;
    return true;
}

PathStatus SearchRun::pull(const Target& target) {
    if (!list_way(target)) return PathStatus::count_;
    if (way_.size() < 2) {
        band_.pieces.clear();
        return PathStatus::complete;
    }
    switch (band_.pull(*state_, way_.span(), radius_, slack_, prices_.closed)) {
        case TautBand::Outcome::done: return PathStatus::complete;
        case TautBand::Outcome::too_narrow: return PathStatus::unreachable;
        case TautBand::Outcome::no_memory: break;
    }
    return PathStatus::count_;
}

Result<void> SearchRun::write_corridor(Route& route, const Target* target) {
    if (target != nullptr && !write_line(route, *target)) {
        route.clear();
        return kNoMemory;
    }
    route.stats = corridor_stats_;
    route.stats.digest = digest_of(route, corridor_stats_.digest);
    return {};
}

Result<void> SearchRun::write(Route& route, PathStatus status, const Target* target) {
    route.clear();
    route.status = status;
    route.planner = by_table_ ? "mesh_table" : planner_name(query_.planner);
    route.revision = state_->revision;
    if (by_corridor_) return write_corridor(route, target);
    const bool found = target != nullptr && (by_table_ || target->interval != kNone);
    if (found && radius_ > 0.0) {
        const PathStatus pulled = pull(*target);
        const bool good = pulled == PathStatus::complete && write_band(route, *target);
        if (pulled == PathStatus::count_ || (pulled == PathStatus::complete && !good)) {
            route.clear();
            return kNoMemory;
        }
        if (pulled != PathStatus::complete) route.status = pulled;
    } else if (found) {
        if (!(by_table_ ? write_corners(route, *target) : write_legs(route, *target))) {
            route.clear();
            return kNoMemory;
        }
        route.bound = 1.0;
    }
    route.cost = route.length * prices_.of_open();
    if (by_table_) {
        route.stats.expanded = end_;
        route.stats.generated = table_.looked_at();
        route.stats.digest = digest_of(route, 0);
    }
    if (!engine_.has_value()) return {};
    route.stats.expanded = engine_->expanded();
    route.stats.generated = engine_->generated();
    route.stats.open_peak = engine_->open_peak();
    route.stats.digest = digest_of(route, engine_->digest());
    return {};
}

Result<void> SearchRun::take(Route& route) {
    FAIRLEAD_ASSERT(!running());
    if (failed_) {
        route.clear();
        return error_;
    }
    const bool found = best_ != kNone && (status_ == PathStatus::complete || status_ == PathStatus::partial);
    return write(route, status_, found ? &targets_[best_] : nullptr);
}

Result<void> SearchRun::take(Route& route, std::uint32_t goal) {
    FAIRLEAD_ASSERT(!running());
    if (failed_) {
        route.clear();
        return error_;
    }
    if (goal >= targets_.size())
        return write(route, status_, nullptr);  // the start is nowhere, or it was cancelled
    const Target& target = targets_[goal];
    if (target.status == PathStatus::complete && target.interval == kNone)
        return write(route, status_, nullptr);
    return write(route, target.status, &target);
}

}  // namespace fairlead::mesh
