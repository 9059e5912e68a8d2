#include "verify/net_walk.h"

#include <cmath>

namespace fairlead::witness {

namespace {

/// Is v between a and b, or twice the slack beside?
bool between(double a, double v, double b, double slack) {
    return v >= smaller(a, b) - 2.0 * slack && v <= larger(a, b) + 2.0 * slack;
}

}  // namespace

bool NetSpots::add(const NetSpot& spot) {
    for (std::size_t i = 0; i < count_; ++i) {
        if (spots_[i].slot == spot.slot && spots_[i].arc == spot.arc) return true;
    }
    if (count_ == kMax) return false;
    spots_[count_++] = spot;
    return true;
}

bool NetWalk::open(std::uint32_t slot, const RoadmapArc& arc) const {
    if ((arc.flags & filter_.blocked_flags) != 0) return false;
    if (!(filter_.kinds.factor(arc.kind) > 0.0)) return false;
    if (!arc.link && roadmap_.has_widths() && roadmap_.road(arc.kind).width < width_) return false;
    if (filter_.factor == nullptr) return true;
    const double factor = filter_.factor(roadmap_, {slot}, arc, filter_.user);
    return factor >= filter_.factor_min && factor <= EdgeFilter::kFactorMax;
}

bool NetWalk::is_at(std::uint32_t slot, Vec3 place) const {
    const Vec3 off = position(slot) - place;
    const double slack = scale_.net_slack(place);
    return dot(off, off) <= slack * slack;
}

/// On the straight line of an arc, its ends included; `along` says where.
bool NetWalk::lies_on(const NetSpot& spot, Vec3 place, double& along) const {
    const Vec3 from = position(spot.slot);
    const Vec3 way = position(roadmap_.arcs({spot.slot})[spot.arc].to.value) - from;
    const double square = dot(way, way);
    if (!(square > 0.0)) return false;
    double share = dot(place - from, way) / square;
    share = smaller(1.0, larger(0.0, share));
    along = share * std::sqrt(square);
    const Vec3 off = from + way * share - place;
    const double slack = scale_.net_slack(place);
    return dot(off, off) <= slack * slack;
}

void NetWalk::find_on_arcs(std::uint32_t slot, Vec3 from, Vec3 at) {
    const double slack = scale_.net_slack(at);
    const auto arcs = roadmap_.arcs(WaypointSlot{slot});
    for (std::uint32_t k = 0; k < arcs.size(); ++k) {
        const Vec3 to = position(arcs[k].to.value);
        // Most arcs end here: all of them are looked at.
        if (!between(from.x, at.x, to.x, slack) || !between(from.y, at.y, to.y, slack)) continue;
        NetSpot spot{slot, k, 0.0};
        if (arcs[k].link || !lies_on(spot, at, spot.along)) continue;
        if (!is_at(arcs[k].to.value, at) && open(slot, arcs[k])) add(next_, spot);
    }
}

bool NetWalk::find(Vec3 at) {
    next_.clear();
    for (std::uint32_t slot = 0; slot < roadmap_.slots(); ++slot) {
        const Waypoint waypoint = roadmap_.node({slot});
        if (!waypoint.id.valid()) continue;
        if (is_at(slot, at)) {
            add(next_, {slot, NetSpot::kNoArc, 0.0});
        } else {
            find_on_arcs(slot, waypoint.position, at);
        }
    }
    return next_.size() > 0;
}

/// To a place on one open edge, its end included, that lies further along it than `past`.
void NetWalk::arrive(std::uint32_t slot, std::uint32_t arc, Vec3 to, double past) {
    const std::uint32_t end = roadmap_.arcs(WaypointSlot{slot})[arc].to.value;
    if (is_at(end, to)) {
        add(next_, {end, NetSpot::kNoArc, 0.0});
        return;
    }
    NetSpot spot{slot, arc, 0.0};
    if (lies_on(spot, to, spot.along) && spot.along >= past - scale_.net_slack(to)) add(next_, spot);
}

void NetWalk::drive_from(const NetSpot& from, Vec3 to) {
    if (from.on_arc()) {
        arrive(from.slot, from.arc, to, from.along);
        return;
    }
    if (is_at(from.slot, to)) add(next_, from);
    const auto arcs = roadmap_.arcs(WaypointSlot{from.slot});
    for (std::uint32_t k = 0; k < arcs.size(); ++k) {
        if (!arcs[k].link && open(from.slot, arcs[k])) arrive(from.slot, k, to, 0.0);
    }
}

/// Edges between waypoints in one place are passed without a leg.
void NetWalk::close(Vec3 at) {
    for (std::size_t i = 0; i < next_.size(); ++i) {
        const std::uint32_t slot = next_[i].slot;
        if (next_[i].on_arc()) continue;
        for (const RoadmapArc& arc : roadmap_.arcs(WaypointSlot{slot})) {
            if (arc.link || !is_at(arc.to.value, at) || !open(slot, arc)) continue;
            add(next_, {arc.to.value, NetSpot::kNoArc, 0.0});
        }
    }
}

bool NetWalk::finish(Vec3 to) {
    if (next_.size() == 0) return false;
    close(to);
    here_ = next_;
    return true;
}

bool NetWalk::drive(Vec3 to) {
    next_.clear();
    for (std::size_t i = 0; i < here_.size(); ++i) drive_from(here_[i], to);
    return finish(to);
}

bool NetWalk::pass_link(Vec3 to, std::uint32_t label) {
    next_.clear();
    for (std::size_t i = 0; i < here_.size(); ++i) {
        const std::uint32_t slot = here_[i].slot;
        if (here_[i].on_arc()) continue;
        for (const RoadmapArc& arc : roadmap_.arcs(WaypointSlot{slot})) {
            if (!arc.link || arc.label != label || !is_at(arc.to.value, to) || !open(slot, arc)) continue;
            add(next_, {arc.to.value, NetSpot::kNoArc, 0.0});
        }
    }
    return finish(to);
}

void NetWalk::stay(Vec3 at) {
    next_.clear();
    for (std::size_t i = 0; i < here_.size(); ++i) {
        NetSpot spot = here_[i];
        if (spot.on_arc() ? lies_on(spot, at, spot.along) : is_at(spot.slot, at)) add(next_, spot);
    }
    here_ = next_;
}

}  // namespace fairlead::witness
