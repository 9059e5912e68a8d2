// The article's search over tiles and its simple smoothing (listing 1), which leaves what it cannot smooth as it is (figure 4).
#include <fairlead/math/trig.h>

#include "classic/window_run.h"

namespace fairlead::classic {

namespace {

bool joins_straight(Vec2 a, Vec2 b, Vec2 c) {
    const Vec2 u = b - a;
    const Vec2 v = c - b;
    return u.x * v.y == u.y * v.x && u.x * v.x + u.y * v.y > 0.0;
}

// Asks the probe of the query, and the exact sweep to compare.
bool may_walk(ClassicJob& job, const TileSight& sight, Vec2 a, Vec2 b) {
    const ClassicQuery& query = job.query;
    const double radius = query.agent.radius;
    const bool exact = sight.clear(a, b, radius);
    if (query.probe == ClassicProbe::exact) return exact;
    const bool square = query.probe == ClassicProbe::square;
    const bool sampled = walkable(job.grid, a, b,
                                  {.radius = radius,
                                   .step = query.granularity,
                                   .probe = square ? WalkableProbe::square : WalkableProbe::diamond});
    job.out.sampled.add(exact, sampled);
    return sampled;
}

// The points of the way: exact start, the tiles' middles, exact goal; no two equal.
bool lay_points(ClassicJob& job, const WindowFrame& frame) {
    Array<Vec2>& points = job.work.points;
    points.clear();
    if (!points.push_back(job.query.start.position)) return false;
    for (const std::uint32_t place : job.work.chain) {
        const Vec2 at = job.grid.cell_centre(frame.cell(place));
        if (!(at == points.back()) && !points.push_back(at)) return false;
    }
    const Vec2 goal = job.query.goal.position;
    return goal == points.back() || points.push_back(goal);
}

// Keeps points in place: those that a straight run of equally good steps passes go (P6).
void merge_runs(ClassicJob& job, const TileSight& sight) {
    Array<Vec2>& points = job.work.points;
    const double radius = job.query.agent.radius;
    std::size_t kept = 1;
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        const bool straight = joins_straight(points[kept - 1], points[i], points[i + 1]);
        const bool alike =
            sight.clear(points[kept - 1], points[i], radius) == sight.clear(points[i], points[i + 1], radius);
        if (!straight || !alike) points[kept++] = points[i];
    }
    if (points.size() > 1) points[kept++] = points[points.size() - 1];
    (void)points.resize(kept);
}

// Listing 1, with the `else` that its print lost.
void shorten(ClassicJob& job, const TileSight& sight) {
    Array<Vec2>& points = job.work.points;
    std::size_t kept = 1;  // points[kept - 1] is the anchor
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        if (!may_walk(job, sight, points[kept - 1], points[i + 1])) points[kept++] = points[i];
    }
    if (points.size() > 1) points[kept++] = points[points.size() - 1];
    (void)points.resize(kept);
}

}  // namespace

bool take_chain(ClassicWork& work, std::uint32_t goal) {
    Array<std::uint32_t>& chain = work.chain;
    chain.clear();
    for (std::uint32_t at = goal; at != kNoPlace; at = static_cast<std::uint32_t>(work.window[at].parent)) {
        if (!chain.push_back(at)) return false;
    }
    for (std::size_t i = 0; i < chain.size() / 2; ++i) std::swap(chain[i], chain[chain.size() - 1 - i]);
    return true;
}

Result<void> search_tiles(ClassicJob& job) {
    const TileSight sight(job.grid, 0, CornerRule::always);
    TileSpace space;
    space.grid = &job.grid;
    space.sight = &sight;
    space.steps = &job.work.steps;
    space.from = job.grid.cell_at(job.query.start.position);
    space.to = job.grid.cell_at(job.query.goal.position);
    space.neighbours = job.query.neighbours;
    space.article = job.query.heuristic == ClassicHeuristic::article;
    space.body = job.query.body_in_search ? job.query.agent.radius : -1.0;
    const Result<void> done = search_in_windows(job, space, space.from, space.to, 1, kSideMost);
    if (!done || job.out.route.status != PathStatus::complete) return done;
    const WindowPlace& goal = job.work.window[job.work.chain.back()];
    job.out.route.cost = static_cast<double>(goal.g) / kStraightCost * job.grid.cell_size();
    if (!lay_points(job, space.frame)) return Error{ErrorCode::out_of_memory, -1, 0};
    job.work.tiles.clear();
    for (const std::uint32_t place : job.work.chain) {
        const Cell cell = space.frame.cell(place);
        if (!job.work.tiles.push_back({cell.x, cell.y})) return Error{ErrorCode::out_of_memory, -1, 0};
    }
    return {};
}

bool smooth_tiles(ClassicJob& job) {
    const TileSight sight(job.grid, 0, CornerRule::always);
    job.out.waypoints = static_cast<std::int64_t>(job.work.points.size());
    if (job.query.smoothing == ClassicSmoothing::simple) {
        shorten(job, sight);
    } else {
        merge_runs(job, sight);
    }
    job.out.dropped = job.out.waypoints - static_cast<std::int64_t>(job.work.points.size());
    return true;
}

bool write_straight(ClassicJob& job) {
    const Array<Vec2>& points = job.work.points;
    Array<Leg>& legs = job.out.route.legs;
    legs.clear();
    double heading = job.query.start.heading_rad;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const Vec2 way = points[i + 1] - points[i];
        heading = math::atan2(way.y, way.x);
        Leg leg;
        leg.start = {{points[i].x, points[i].y, 0.0}, heading, 0};
        leg.length = length(way);
        if (!legs.push_back(leg)) return false;
    }
    const Vec2 end = points.back();
    close_route(job, {{end.x, end.y, 0.0}, heading, 0});
    return true;
}

}  // namespace fairlead::classic
