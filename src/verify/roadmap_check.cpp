#include "verify/roadmap_check.h"

#include <cmath>

#include <fairlead/math/trig.h>

#include "verify/numbers.h"
#include "verify/wall_sweep.h"

namespace fairlead::witness {

namespace {

constexpr std::int32_t kLayers = 1;
/// Straight legs are no longer and climb no more than this.
constexpr double kSpanMax = 4.0 * kRoadmapSpan;

double largest(Vec3 p) { return larger(larger(std::fabs(p.x), std::fabs(p.y)), std::fabs(p.z)); }

void include(Aabb& box, Vec2 p) {
    box.low = {smaller(box.low.x, p.x), smaller(box.low.y, p.y)};
    box.high = {larger(box.high.x, p.x), larger(box.high.y, p.y)};
}

ViolationKind place_on_net_numbers(const Place& place) {
    const ViolationKind numbers = place_numbers(place, kLayers);
    if (numbers != ViolationKind::none) return numbers;
    return largest(place.position) <= kRoadmapSpan ? ViolationKind::none : ViolationKind::bad_number;
}

ViolationKind straight_leg_numbers(const Leg& leg) {
    const ViolationKind numbers = leg_numbers(leg, kLayers);
    if (numbers != ViolationKind::none) return numbers;
    const bool straight = leg.kind != LegKind::drive || leg.curvature == 0.0;
    const bool in_span = largest(leg.start.position) <= kRoadmapSpan && leg.length <= kSpanMax &&
                         std::fabs(leg.rise) <= kSpanMax;
    return straight && in_span ? ViolationKind::none : ViolationKind::bad_number;
}

}  // namespace

RoadmapScale make_scale(const RoadmapState& roadmap) {
    constexpr double kFar = 2.0 * kRoadmapSpan;
    RoadmapScale scale;
    Aabb box{{kFar, kFar}, {-kFar, -kFar}};
    for (std::uint32_t slot = 0; slot < roadmap.slots(); ++slot) {
        const Waypoint waypoint = roadmap.node({slot});
        if (!waypoint.id.valid()) continue;
        include(box, ground(waypoint.position));
        scale.size = larger(scale.size, largest(waypoint.position));
    }
    for (const RoadmapWallSide& side : roadmap.wall_sides()) {
        include(box, side.a);
        include(box, side.b);
    }
    if (box.empty()) return scale;
    scale.extent = larger(box.high.x - box.low.x, box.high.y - box.low.y);
    scale.size = larger(scale.size, larger(size_of(box.low), size_of(box.high)));
    return scale;
}

RoadmapCheck::RoadmapCheck(const Route& route, const RoadmapState& roadmap, const Agent& agent,
                           const RoadmapVerifyOptions& options)
    : route_(route),
      roadmap_(roadmap),
      agent_(agent),
      options_(options),
      scale_(make_scale(roadmap)),
      walk_(roadmap, options.filter, 2.0 * agent.radius, scale_) {
    if (options.tiles == nullptr) return;
    tiles_.emplace(*options.tiles, agent, VerifyOptions{.cells_max = options.cells_max});
}

bool RoadmapCheck::arguments_judged() const {
    if (agent_.footprint != 0 || agent_.shape != BodyShape::disc || agent_.turning_radius != 0.0)
        return false;
    if (agent_.height != 0.0) return false;
    if (!(agent_.radius >= 0.0 && agent_.radius <= kRoadmapSpan)) return false;
    if (options_.filter.kinds.factors.size() > KindSet::kKindsMax) return false;
    if (options_.tiles == nullptr) return true;
    const GridState& tiles = *options_.tiles;
    return options_.tiles_layer >= 0 && options_.tiles_layer < tiles.layers() &&
           arguments_fit(agent_, {}, tiles_->scale(), tiles.wrap_x(), tiles.wrap_y());
}

Violation RoadmapCheck::bad_leg(ViolationKind kind, std::size_t i) const {
    return at_place(kind, static_cast<std::int64_t>(i), 0.0, route_.legs[i].start, 0.0);
}

Violation RoadmapCheck::run() {
    if (!arguments_judged()) return whole(ViolationKind::bad_argument);
    const ViolationKind numbers = route_numbers(route_);
    if (numbers != ViolationKind::none) return whole(numbers);
    if (options_.check_revision && route_.revision != roadmap_.revision())
        return whole(ViolationKind::revision);
    if (has_way(route_)) {
        const Violation bad = check_legs();
        if (bad) return bad;
    }
    Violation sum = whole(ViolationKind::length_sum);
    sum.depth = length_error(route_);
    return sum.depth > 0.0 ? sum : Violation{};
}

Violation RoadmapCheck::check_legs() {
    const std::size_t count = route_.legs.size();
    const auto moves = [&](std::size_t i) { return route_.legs[i].kind != LegKind::turn; };
    while (first_ < count && !moves(first_)) ++first_;
    last_ = count;
    while (last_ > first_ && !moves(last_ - 1)) --last_;
    if (last_ > first_) --last_;
    for (std::size_t i = 0; i < count; ++i) {
        const Violation bad = check_leg(i);
        if (bad) return bad;
    }
    return first_ == count ? check_stand() : Violation{};
}

Violation RoadmapCheck::check_leg(std::size_t i) {
    const Leg& leg = route_.legs[i];
    const ViolationKind numbers = straight_leg_numbers(leg);
    if (numbers != ViolationKind::none) return bad_leg(numbers, i);
    Violation bad = check_leg_end(i);
    if (bad) return bad;
    if (i == first_ && walk_.find(leg.start.position)) walk_.land(leg.start.position);
    bad = check_net(i);
    if (walk_.full()) return bad_leg(ViolationKind::too_far, i);
    return bad ? bad : check_clearance(i);
}

/// The numbers of the next place come first: nothing else can be said without them.
Violation RoadmapCheck::check_leg_end(std::size_t i) const {
    const Leg& leg = route_.legs[i];
    const Place& next = leg_end(route_, i);
    const ViolationKind numbers = place_on_net_numbers(next);
    const bool last = i + 1 == route_.legs.size();
    const std::size_t at = last ? i : i + 1;
    if (numbers != ViolationKind::none)
        return at_place(numbers, static_cast<std::int64_t>(at), last ? leg.length : 0.0, next, 0.0);
    if (leg.kind == LegKind::link) return {};
    const Straight line = straight(leg, 0.0);
    const double size = larger(larger(line.size, largest(next.position)), std::fabs(leg.rise));
    const double gap = length(ground(next.position) - line.at(line.length));
    const double step = std::fabs(next.position.z - (leg.start.position.z + leg.rise));
    const double slack = scale_.threshold(size);
    if (gap <= slack && step <= slack && (leg.kind != LegKind::turn || turns_to(leg, next))) return {};
    return at_place(ViolationKind::leg_end, static_cast<std::int64_t>(i), leg.length, next,
                    larger(gap, step));
}

Violation RoadmapCheck::check_net(std::size_t i) {
    const Leg& leg = route_.legs[i];
    if (leg.kind == LegKind::drive) return check_drive(i);
    if (leg.kind == LegKind::turn) {
        walk_.stay(next_position(i));
        return {};
    }
    if (walk_.pass_link(next_position(i), leg.link_id)) return {};
    Violation bad = bad_leg(ViolationKind::link, i);
    bad.index = static_cast<std::int64_t>(leg.link_id);
    return bad;
}

Violation RoadmapCheck::check_drive(std::size_t i) {
    const Vec3 to = next_position(i);
    const bool ends = i == last_ && route_.status == PathStatus::complete;
    const bool leaves = ends && walk_.anywhere();
    const bool passes_by = ends && i == first_ && walls_known();
    const bool on_edge = walk_.drive(to);
    const bool enters = i == first_ && walk_.find(to);
    if (!on_edge && !enters && !leaves && !passes_by) return bad_leg(ViolationKind::edge, i);

    const bool must_be_clear = options_.check_edges || !on_edge;
    if (!must_be_clear && !enters) return {};
    const Violation bad = sweep(static_cast<std::int64_t>(i), route_.legs[i], agent_.radius);
    if (bad) return must_be_clear ? bad : Violation{};
    if (enters) walk_.land(to);
    return {};
}

Violation RoadmapCheck::check_clearance(std::size_t i) {
    const Leg& leg = route_.legs[i];
    if (leg.clearance == kUnknown || !walls_known()) return {};
    const bool tiles_judge = !tiles_ || leg.clearance / tiles_->scale().cell <= tiles_->scale().reach_max();
    if (leg.clearance > kSpanMax || !tiles_judge) return bad_leg(ViolationKind::clearance, i);
    Violation bad = sweep(static_cast<std::int64_t>(i), leg, leg.clearance);
    if (bad && bad.kind != ViolationKind::too_far) bad.kind = ViolationKind::clearance;
    return bad;
}

/// A route that goes nowhere. What stands on the net may stand there.
Violation RoadmapCheck::check_stand() {
    const auto index = static_cast<std::int64_t>(route_.legs.size()) - 1;
    const ViolationKind numbers = place_on_net_numbers(route_.end);
    if (numbers != ViolationKind::none) return at_place(numbers, index, 0.0, route_.end, 0.0);
    const bool on_net = walk_.find(route_.end.position);
    if (walk_.full()) return at_place(ViolationKind::too_far, index, 0.0, route_.end, 0.0);
    return on_net ? Violation{} : sweep(index, standing(route_.end), agent_.radius);
}

Straight RoadmapCheck::straight(const Leg& leg, double radius) const {
    Straight line;
    line.start = ground(leg.start.position);
    line.size = larger(larger(scale_.size, largest(leg.start.position)), radius);
    if (leg.kind != LegKind::drive) return line;
    line.along = math::direction(leg.start.heading_rad);
    if (leg.gear == Gear::reverse) line.along = -line.along;
    line.length = leg.length;
    line.size = larger(line.size, larger(leg.length, size_of(line.at(leg.length))));
    return line;
}

Violation RoadmapCheck::sweep_tiles(std::int64_t index, const Leg& leg, double radius) {
    if (!tiles_) return {};
    LegPath path;
    return tiles_->sweep(index, leg, options_.tiles_layer, {0.0, radius / tiles_->scale().cell}, path);
}

Violation RoadmapCheck::sweep(std::int64_t index, const Leg& leg, double radius) {
    const Straight line = straight(leg, radius);
    const WallHit hit = sweep_walls(line, roadmap_.wall_sides(), radius, scale_.threshold(line.size));
    const Violation tile = sweep_tiles(index, leg, radius);
    if (!hit.found() || (tile && tile.distance < hit.begin)) return tile;
    Violation bad = at_place(ViolationKind::wall, index, hit.begin, leg.start, hit.depth);
    const Vec2 worst = line.at(hit.worst);
    bad.place.position.x = worst.x;
    bad.place.position.y = worst.y;
    if (line.length > 0.0) bad.place.position.z += leg.rise * (hit.worst / line.length);
    bad.index = static_cast<std::int64_t>(hit.wall);
    return bad;
}

}  // namespace fairlead::witness

namespace fairlead {

Violation verify(const Route& route, const RoadmapState& roadmap, const Agent& agent,
                 const RoadmapVerifyOptions& options) {
    return witness::RoadmapCheck(route, roadmap, agent, options).run();
}

}  // namespace fairlead
