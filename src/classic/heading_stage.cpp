// Directional A*: the search over tiles and headings, its curves as legs, and the article's simple smoothing of them.
#include <fairlead/math/trig.h>

#include "classic/heading_space.h"
#include "classic/window_run.h"
#include "drive/corners/simple_smoothing.h"

namespace fairlead::classic {

namespace {

CurveWord word_to(const ClassicJob& job, const HeadingSpace& space, std::uint32_t place) {
    const auto move = static_cast<std::uint32_t>(job.work.window[place].move);
    return move == kFromStart ? space.first_word(place) : space.table->primitives().all()[move].word;
}

// A place without a parent is the start itself where that lies on the lattice; else it ends the first move.
bool is_root(const HeadingSpace& space, std::uint32_t place) { return space.starts_at(space.pose(place)); }

bool write_moves(ClassicJob& job, const HeadingSpace& space) {
    Array<Leg>& legs = job.work.legs;
    legs.clear();
    Pose at = space.from;
    const Array<std::uint32_t>& chain = job.work.chain;
    for (std::size_t i = is_root(space, chain[0]) ? 1 : 0; i < chain.size(); ++i) {
        Pose end;
        if (!append_legs(word_to(job, space, chain[i]), at, space.turning_radius(), 0, legs, end))
            return false;
        at = space.pose(chain[i]);
    }
    const bool simple = job.query.smoothing == ClassicSmoothing::simple;
    Array<Leg>& out = job.out.route.legs;
    if (!simple) {
        if (!out.assign(legs.span())) return false;
    } else if (!drive::smooth_simply(*space.check, space.turning_radius(), legs.span(), at, out)) {
        return false;
    }
    job.out.waypoints = static_cast<std::int64_t>(legs.size()) + 1;
    job.out.dropped = static_cast<std::int64_t>(legs.size()) - static_cast<std::int64_t>(out.size());
    close_route(job, {{at.position.x, at.position.y, 0.0}, at.heading_rad, 0});
    return true;
}

}  // namespace

Result<void> search_headings(ClassicJob& job) {
    const DriveMapState& map = *job.map;
    const drive::LegCheck check(map.data());
    job.work.bound.fill(map.table().turning_radius());
    HeadingSpace space;
    space.check = &check;
    space.table = &map.table();
    space.bound = &job.work.bound;
    space.from = job.query.start;
    space.from.heading_rad = math::wrap_pi(space.from.heading_rad);
    space.from_cell = job.grid.cell_at(space.from.position);
    space.to = job.grid.cell_at(job.query.goal.position);
    const std::int32_t goal_heading = nearest_heading(kHeadings, job.query.goal.heading_rad);
    space.to_heading = job.query.any_goal_heading ? -1 : goal_heading;
    space.rings = job.query.neighbours == 8 ? 1 : job.query.neighbours == 24 ? 2 : 3;
    space.article = job.query.heuristic == ClassicHeuristic::article;
    const Result<void> done =
        search_in_windows(job, space, space.from_cell, space.to, kHeadings, kHeadingSideMost);
    if (!done || job.out.route.status != PathStatus::complete) return done;
    const WindowPlace& goal = job.work.window[job.work.chain.back()];
    job.out.route.cost = static_cast<double>(goal.g) / kStraightCost * job.grid.cell_size();
    if (!write_moves(job, space)) return Error{ErrorCode::out_of_memory, -1, 0};
    const Place& end = job.out.route.end;
    job.out.goal_moved = distance(ground(end.position), job.query.goal.position);
    if (!job.query.any_goal_heading) {
        const double off = math::wrap_pi(end.heading_rad - job.query.goal.heading_rad);
        job.out.goal_turned_rad = off < 0.0 ? -off : off;
    }
    return {};
}

}  // namespace fairlead::classic
