// The stages of the article's program, one after the other.
#include <fairlead/classic/find_classic.h>

#include "classic/work.h"

namespace fairlead {

namespace classic {

namespace {

void clear_route(ClassicRoute& out) {
    out.route.clear();
    out.route.planner = "classic";
    out.legal = out.drawn = false;
    out.free.clear();
    out.impossible = out.waypoints = out.dropped = 0;
    out.sampled = {};
    out.window = 0;
    out.node_bytes = out.bit_bytes = 0;
    out.goal_moved = out.goal_turned_rad = 0.0;
}

// The map of a turning unit, and the moves that the search is to have.
Result<void> prepare_map(ClassicJob& job) {
    const ClassicQuery& query = job.query;
    if (!(query.agent.turning_radius > 0.0)) return {};
    const bool directional = query.search == ClassicSearch::directional;
    GridDriveSetup setup;
    setup.headings = 8;
    setup.nodes = DriveNodes::centres;
    setup.rings = !directional || query.neighbours == 48 ? 3 : query.neighbours == 24 ? 2 : 1;
    const Result<const DriveMap*> map = drive_map_in(job.scratch, job.grid, query.agent, setup);
    if (!map) return map.error();
    job.map = *map;
    return {};
}

Result<void> find_over_tiles(ClassicJob& job) {
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    if (const Result<void> done = search_tiles(job); !done) return done;
    if (job.out.route.status != PathStatus::complete) return {};
    if (job.query.smoothing == ClassicSmoothing::ahead) return drive_ahead(job);
    if (!smooth_tiles(job) || !write_straight(job)) return no_memory;
    return job.query.curves ? round_off(job) : Result<void>{};
}

Result<void> find_way(ClassicJob& job) {
    switch (job.query.search) {
        case ClassicSearch::tiles: return find_over_tiles(job);
        case ClassicSearch::directional: return search_headings(job);
        case ClassicSearch::hybrid: break;
    }
    return search_hybrid(job);
}

Result<void> run_stages(ClassicJob& job) {
    const ClassicQuery& query = job.query;
    Route& route = job.out.route;
    route.revision = job.grid.revision();
    route.end = {{query.start.position.x, query.start.position.y, 0.0}, query.start.heading_rad, 0};
    route.status = look_at_ends(job);
    if (route.status != PathStatus::complete) return {};
    if (const Result<void> ready = prepare_map(job); !ready) return ready;
    if (const Result<void> found = find_way(job); !found) return found;
    if (query.facings != 0 && route.status == PathStatus::complete && !route.legs.empty()) {
        if (const Result<void> drawn = draw_facings(job); !drawn) return drawn;
    }
    if (!flag_legs(job)) return Error{ErrorCode::out_of_memory, -1, 0};
    route.stats.digest = route_digest(route, route.stats.digest);
    return {};
}

}  // namespace

}  // namespace classic

Result<void> find_classic_into(const GridState& grid, const ClassicQuery& query, Scratch& scratch,
                               ClassicRoute& out) {
    classic::clear_route(out);
    if (const Result<void> good = classic::check_classic(grid, query); !good) return good;
    auto* work = scratch.get<classic::ClassicWork>();
    if (work == nullptr) return Error{ErrorCode::out_of_memory, -1, 0};
    classic::ClassicJob job{grid, query, scratch, *work, out};
    Result<void> done = classic::run_stages(job);
    if (!done) classic::clear_route(out);
    return done;
}

Result<ClassicRoute> find_classic(const GridState& grid, const ClassicQuery& query, Scratch& scratch) {
    ClassicRoute out;
    if (const Result<void> done = find_classic_into(grid, query, scratch, out); !done) return done.error();
    return out;
}

}  // namespace fairlead
