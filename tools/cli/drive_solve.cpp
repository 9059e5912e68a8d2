// How the route of a turning unit is made.

#include "cli/drive_solve.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairlead/grid/find_route.h>

#include "cli/ends.h"
#include "cli/failure.h"
#include "measure/clock.h"

namespace fairlead::cli {

namespace {

void need_heading(const DriveEnd& end, const char* what) {
    if (!end.heading_rad) fail_at(end.where, fmt::format("{} needs a heading, X,Y,,HEADING_DEG", what));
}

Spot to_spot(const DriveEnd& end, const GridState& grid) {
    const Spot spot = Spot(end.position).on_layer(to_floor(end.where, end.floor, grid));
    return end.heading_rad ? spot.facing(*end.heading_rad) : spot;
}

Result<void> run_hybrid(const DriveMap& map, const DriveJob& job, const DriveQuery& query, Scratch& scratch,
                        Route& route) {
    HybridQuery ask{.start = query.start.pose(), .goal = query.goal.at.pose(), .smooth = query.smooth};
    if (job.join_expansions) ask.join_expansions_max = *job.join_expansions;
    Result<HybridDrive> way = find_hybrid(map, ask, scratch);
    if (!way) return way.error();
    way->route.stats.expanded =
        way->expanded_tiles + way->expanded_forward + way->expanded_backward + way->expanded_join;
    route = std::move(way->route);
    return {};
}

Result<void> run_corners(const DriveWorld& world, const DriveJob& job, const DriveQuery& query,
                         Scratch& scratch, Route& route, DriveNotes& notes) {
    const CornerMethod method = *job.corners;
    Array<Vec2> waypoints;
    const Result<PathStatus> walk =
        find_waypoints(world.tiles(), query.start.ground(), query.goal.at.ground(), query.agent, scratch,
                       waypoints, job.corner_smoothing);
    if (!walk) return walk.error();
    if (*walk != PathStatus::complete) {
        route = Route{};
        route.status = *walk;
        route.planner = corner_method_name(method);
        route.end = {query.start.position, query.start.heading_rad, 0};
        return {};
    }
    const CornerQuery ask{.start = query.start.pose(),
                          .waypoints = waypoints.span(),
                          .fix_goal_heading = query.goal.at.has_heading,
                          .goal_heading_rad = query.goal.at.heading_rad};
    Result<RoundedCorners> way = round_corners(world.map(), ask, method, scratch);
    if (!way) return way.error();
    notes.clipped = way->clipped;
    route = std::move(way->route);
    return {};
}

// As the library's one call over a grid does it. The second search's statistics are the route's.
Result<void> run_search(const DriveWorld& world, const DriveQuery& asked, Scratch& scratch, Route& route,
                        debug::Trace* trace) {
    const SearchHooks hooks{.trace = trace == nullptr ? SearchTrace{} : trace->hook()};
    DriveQuery query = asked;
    query.blockers = world.query_blockers();
    // The article's lattices are the article's search: nothing else may stand in for it.
    if (world.map().state().table().options().rings > 0)
        return find_route_into(world.map(), query, scratch, route, hooks);
    DriveQuery last = query;
    last.off_lattice_max = GridDriveSetup{}.off_lattice_max;
    const Result<void> done =
        find_route_into(world.map(), world.refines() ? query : last, scratch, route, hooks);
    if (!done || route.status != PathStatus::unreachable || !world.refines()) return done;
    if (trace != nullptr) trace->clear();
    return find_route_into(world.fine(), last, scratch, route, hooks);
}

Result<void> run(const DriveWorld& world, const DriveJob& job, const DriveQuery& query, Scratch& scratch,
                 Route& route, DriveNotes& notes, debug::Trace* trace) {
    if (job.hybrid) return run_hybrid(world.map(), job, query, scratch, route);
    if (job.corners) return run_corners(world, job, query, scratch, route, notes);
    return run_search(world, query, scratch, route, trace);
}

Result<void> style(const DriveMap& map, std::int32_t facings, Route& route, DriveNotes& notes) {
    Result<FixedAngles> drawn = make_fixed_angles(route, map, {.facings = facings});
    if (!drawn) return drawn.error();
    if (drawn->status == FixedAnglesStatus::rounded) {
        notes.unstyled_leg = drawn->blocked_leg;
        notes.error_rad = drawn->error_rad;
    }
    route = std::move(drawn->route);
    return {};
}

}  // namespace

void check_blockers(const DriveJob& job, std::span<const Blocker> blockers) {
    if (job.corners && !blockers.empty())
        fail("--blocker: not with --corners, whose tile route does not know the tiles that blockers close");
}

void check_trace(const DriveJob& job) {
    if (job.searches_poses()) return;
    fail(fmt::format("--trace: not with {}", job.hybrid ? "--planner hybrid, which is several short searches"
                                                        : "--corners, where no search of poses is made"));
}

void check_ends(const DriveJob& job, const DriveEnd& start, const DriveEnd& goal) {
    if (job.hybrid) {
        need_heading(start, "--planner hybrid");
        need_heading(goal, "--planner hybrid");
    }
    if (job.corners) need_heading(start, "--corners");
}

DriveQuery query_between(const DriveJob& job, const DriveEnd& start, const DriveEnd& goal,
                         const GridState& grid) {
    DriveQuery query = job.query;
    query.start = to_spot(start, grid);
    query.goal.at = to_spot(goal, grid);
    query.cusp_penalty *= grid.cell_size();
    query.pivot_penalty *= grid.cell_size();
    return query;
}

std::string notes_text(const DriveNotes& notes, std::int32_t facings) {
    if (notes.unstyled_leg >= 0) {
        return fmt::format(
            "--facings: leg {} cannot be drawn on {} facings among these walls; the route is as it was, its "
            "picture wrong by up to {:.1f} degrees",
            notes.unstyled_leg, facings, notes.error_rad / kRadPerDeg);
    }
    if (notes.clipped > 0)
        return fmt::format("--corners: the route is not legal, its body hits {} tiles", notes.clipped);
    return {};
}

void check_floors(const DriveJob& job, const DriveMap& map) {
    const char* way = job.hybrid        ? "--planner hybrid"
                      : job.corners     ? "--corners"
                      : job.facings > 0 ? "--facings"
                                        : nullptr;
    if (way != nullptr && !map.state().is_plain())
        fail(fmt::format("{}: not on worlds with several floors or portals", way));
}

Result<std::uint64_t> solve_drive(const DriveWorld& world, const DriveJob& job, const DriveQuery& query,
                                  Scratch& scratch, Route& route, DriveNotes& notes, debug::Trace* trace) {
    notes = {};
    const std::uint64_t before = measure::thread_ns();
    const Result<void> done = run(world, job, query, scratch, route, notes, trace);
    const std::uint64_t after = measure::thread_ns();
    if (!done) return done.error();
    if (job.facings > 0 && !route.legs.empty()) {  // of one that is not complete too
        const Result<void> styled = style(world.map(), job.facings, route, notes);
        if (!styled) return styled.error();
    }
    if (trace != nullptr) debug::add_path(*trace, route, query.agent);
    return after - before;
}

std::vector<DriveQuery> each_heading(const DriveQuery& query, const HeadingSets& sets) {
    std::vector<DriveQuery> all{query};
    const auto spread = [&](const std::vector<double>& headings, Spot (*end)(DriveQuery&, double)) {
        if (headings.empty()) return;
        std::vector<DriveQuery> more;
        for (const DriveQuery& one : all) {
            for (const double heading : headings) {
                more.push_back(one);
                (void)end(more.back(), heading);
            }
        }
        all = std::move(more);
    };
    spread(sets.start, [](DriveQuery& q, double rad) { return q.start = q.start.facing(rad); });
    spread(sets.goal, [](DriveQuery& q, double rad) { return q.goal.at = q.goal.at.facing(rad); });
    return all;
}

Result<std::uint64_t> solve_cheapest(const DriveWorld& world, const DriveJob& job,
                                     std::span<const DriveQuery> queries, Scratch& scratch, Route& route,
                                     DriveNotes& notes, std::size_t& which) {
    std::uint64_t ns = 0, expanded = 0, generated = 0;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        Route one;
        DriveNotes said;
        const Result<std::uint64_t> took = solve_drive(world, job, queries[i], scratch, one, said);
        if (!took) return took.error();
        ns += *took;
        expanded += one.stats.expanded;
        generated += one.stats.generated;
        const bool complete = one.status == PathStatus::complete;
        const bool had = i > 0 && route.status == PathStatus::complete;
        if (i > 0 && (!complete || (had && one.cost >= route.cost))) continue;
        route = std::move(one);
        notes = said;
        which = i;
    }
    route.stats.expanded = expanded;
    route.stats.generated = generated;
    return ns;
}

}  // namespace fairlead::cli
