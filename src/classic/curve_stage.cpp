// The stages that other modules have: the pre-smoother, corners rounded with walls ignored, the hybrid, sprites' facings. And which legs of
// whatever came of it can be driven.
#include "classic/work.h"
#include "drive/body/leg_check.h"

namespace fairlead::classic {

namespace {

constexpr Error kNoMemoryLeft{ErrorCode::out_of_memory, -1, 0};

// Takes over what another planner found.
bool adopt(ClassicJob& job, const Route& found) {
    Route& route = job.out.route;
    route.status = found.status;
    route.cost = found.cost;
    route.end = found.end;
    if (!route.legs.assign(found.legs.span())) return false;
    if (found.legs.empty()) return true;
    close_route(job, found.end);
    return true;
}

CurveWord word_of(const Leg& leg, double radius) {
    CurveWord word;
    word.count = 1;
    word.length = leg.length / radius;
    word.segments[0].amount = leg.gear == Gear::reverse ? -word.length : word.length;
    word.segments[0].steer = leg.curvature > 0.0 ? Steer::left : Steer::right;
    return word;
}

bool leg_is_free(const drive::LegCheck& check, const Leg& leg) {
    const Pose from{ground(leg.start.position), leg.start.heading_rad};
    if (leg.kind == LegKind::turn) return check.turn_is_free(from, leg.turn_rad);
    if (leg.curvature == 0.0) return check.line_is_free(from, leg.length, leg.gear);
    const double radius = 1.0 / (leg.curvature < 0.0 ? -leg.curvature : leg.curvature);
    return check.word_is_free(from, radius, word_of(leg, radius));
}

}  // namespace

void close_route(ClassicJob& job, const Place& end) {
    Route& route = job.out.route;
    route.end = end;
    route.length = 0.0;
    for (const Leg& leg : route.legs) route.length += leg.length;
    route.line_cost = route.length;
}

Result<void> drive_ahead(ClassicJob& job) {
    TileDrive& along = job.work.along;
    const TileDriveQuery ask{
        .start = job.query.start, .goal = job.query.goal, .tiles = job.work.tiles.span()};
    job.out.waypoints = static_cast<std::int64_t>(job.work.points.size());
    const Result<void> done = drive_along_tiles_into(job.map->state(), ask, job.scratch, along);
    if (!done) return done;
    job.out.route.stats.expanded += along.expanded;
    job.out.dropped = job.out.waypoints - static_cast<std::int64_t>(along.route.legs.size()) - 1;
    return adopt(job, along.route) ? Result<void>{} : Result<void>{kNoMemoryLeft};
}

Result<void> round_off(ClassicJob& job) {
    const std::span<const Vec2> points = job.work.points.span();
    if (points.size() < 2) return {};
    const CornerQuery ask{.start = job.query.start, .waypoints = points.subspan(1)};
    const Result<void> done =
        round_corners_into(job.map->state(), ask, CornerMethod::ignore_walls, job.scratch, job.work.corners);
    if (!done) return done;
    return adopt(job, job.work.corners.route) ? Result<void>{} : Result<void>{kNoMemoryLeft};
}

Result<void> search_hybrid(ClassicJob& job) {
    const HybridQuery ask{.start = job.query.start,
                          .goal = job.query.goal,
                          .smooth = job.query.smoothing == ClassicSmoothing::simple};
    HybridDrive& way = job.work.joined;
    const Result<void> done = find_hybrid_into(job.map->state(), ask, job.scratch, way);
    if (!done) return done;
    job.out.route.stats.expanded =
        way.expanded_tiles + way.expanded_forward + way.expanded_backward + way.expanded_join;
    job.out.waypoints = way.tiles;
    return adopt(job, way.route) ? Result<void>{} : Result<void>{kNoMemoryLeft};
}

Result<void> draw_facings(ClassicJob& job) {
    FixedAngles& drawn = job.work.drawn;
    const Result<void> done =
        make_fixed_angles_into(job.out.route, job.map->state(), {.facings = job.query.facings}, drawn);
    if (!done) return done;
    job.out.drawn = drawn.status == FixedAnglesStatus::styled;
    if (!job.out.drawn) return {};
    return adopt(job, drawn.route) ? Result<void>{} : Result<void>{kNoMemoryLeft};
}

bool flag_legs(ClassicJob& job) {
    ClassicRoute& out = job.out;
    const Array<Leg>& legs = out.route.legs;
    const TileSight sight(job.grid, 0, CornerRule::always);
    for (std::size_t i = 0; i < legs.size(); ++i) {
        const Leg& leg = legs[i];
        bool good = false;
        if (job.map != nullptr) {
            good = leg_is_free(drive::LegCheck(job.map->state().data()), leg);
        } else {
            good = sight.clear(ground(leg.start.position), ground(leg_end(out.route, i).position),
                               job.query.agent.radius);
        }
        if (!out.free.push_back(good ? 1 : 0)) return false;
        if (!good) ++out.impossible;
    }
    // A route without legs stands where it is.
    const Vec2 at = ground(out.route.end.position);
    if (legs.empty() && out.route.status == PathStatus::complete &&
        !sight.clear(at, at, job.query.agent.radius))
        ++out.impossible;
    out.legal = out.route.status == PathStatus::complete && out.impossible == 0;
    return true;
}

}  // namespace fairlead::classic
