// What find_classic refuses, and how start and goal are.
#include <cmath>

#include "classic/work.h"
#include "drive/body/leg_check.h"

namespace fairlead {

const char* classic_rule_text(ClassicRule rule) {
    switch (rule) {
        case ClassicRule::curves_need_radius: return "curves need a turning radius above 0";
        case ClassicRule::curves_are_searched:
            return "curves are what directional, hybrid and ahead make already";
        case ClassicRule::ahead_needs_tiles: return "the pre-smoother makes curves of a way of tiles";
        case ClassicRule::sampled_curves:
            return "directional, hybrid and ahead smooth by the exact sweep: probe exact";
        case ClassicRule::directional_needs_rings: return "directional takes 8, 24 or 48 neighbours";
        case ClassicRule::body_is_in_headings: return "directional and hybrid sweep the body always";
        case ClassicRule::heap_of_hybrid:
            return "the hybrid has searches of its own: no open list, no heuristic";
        case ClassicRule::facings_need_curves: return "facings redraw curves: there are none";
    }
    return "unknown";
}

namespace classic {

namespace {

Error clash(Field field, ClassicRule rule) {
    return {ErrorCode::incompatible, field, -1, static_cast<std::int64_t>(rule)};
}

Result<void> check_switches(const ClassicQuery& query) {
    const bool turns = query.agent.turning_radius > 0.0;
    const bool directional = query.search == ClassicSearch::directional;
    const bool hybrid = query.search == ClassicSearch::hybrid;
    const bool ahead = query.smoothing == ClassicSmoothing::ahead;
    const bool searched = directional || hybrid || ahead;
    if (!turns && (searched || query.curves))
        return clash(Field::agent_turning_radius, ClassicRule::curves_need_radius);
    if (searched && query.curves) return clash(Field::smoothing, ClassicRule::curves_are_searched);
    if (ahead && (directional || hybrid)) return clash(Field::smoothing, ClassicRule::ahead_needs_tiles);
    if (searched && query.probe != ClassicProbe::exact)
        return clash(Field::smoothing, ClassicRule::sampled_curves);
    if (directional && query.neighbours == 4)
        return clash(Field::neighbours, ClassicRule::directional_needs_rings);
    if (query.body_in_search && (directional || hybrid))
        return clash(Field::planner, ClassicRule::body_is_in_headings);
    const bool own = query.open != ClassicOpen::list || query.heuristic != ClassicHeuristic::article;
    if (hybrid && own) return clash(Field::planner, ClassicRule::heap_of_hybrid);
    if (query.facings != 0 && !searched && !query.curves)
        return clash(Field::facings, ClassicRule::facings_need_curves);
    return {};
}

bool finite_pose(const Pose& pose) {
    return is_finite(pose.position) && std::isfinite(pose.heading_rad) && std::abs(pose.heading_rad) <= 64.0;
}

}  // namespace

Result<void> check_classic(const GridState& grid, const ClassicQuery& query) {
    if (grid.layers() != 1 || grid.wrap_x() || grid.wrap_y() || !grid.portals().empty() || !grid.uniform())
        return Error{ErrorCode::unsupported, Field::world, -1, 0};
    if (!finite_pose(query.start)) return Error{ErrorCode::not_finite, Field::start};
    if (!finite_pose(query.goal)) return Error{ErrorCode::not_finite, Field::goal};
    if (const Result<void> body = check_body(query.agent); !body) return body;
    if (query.agent.shape != BodyShape::disc || query.agent.footprint != 0)
        return Error{ErrorCode::unsupported, Field::agent_shape, -1, 0};
    const std::int32_t n = query.neighbours;
    if (n != 4 && n != 8 && n != 24 && n != 48)
        return Error{ErrorCode::out_of_range, Field::neighbours, -1, n};
    if (!std::isfinite(query.granularity)) return Error{ErrorCode::not_finite, Field::sample_step};
    if (query.granularity < 0.001 || query.granularity > 10.0)
        return Error{ErrorCode::out_of_range, Field::sample_step};
    const std::int32_t f = query.facings;
    if (f != 0 && f != 8 && f != 16 && f != 32) return Error{ErrorCode::out_of_range, Field::facings, -1, f};
    return check_switches(query);
}

PathStatus look_at_ends(const ClassicJob& job) {
    const GridState& grid = job.grid;
    const Cell from = grid.cell_at(job.query.start.position);
    const Cell to = grid.cell_at(job.query.goal.position);
    if (!grid.inside(from) || !grid.inside(to)) return PathStatus::off_world;
    if (grid.blocked(from)) return PathStatus::start_blocked;
    if (grid.blocked(to)) return PathStatus::goal_blocked;
    const bool body = job.query.body_in_search || job.query.search == ClassicSearch::directional;
    if (!body) return PathStatus::complete;
    const TileSight sight(grid);
    const double r = job.query.agent.radius;
    const Vec2 start = job.query.start.position;
    const Vec2 goal = job.query.body_in_search ? job.query.goal.position : grid.cell_centre(to);
    if (!sight.clear(start, start, r)) return PathStatus::start_blocked;
    return sight.clear(goal, goal, r) ? PathStatus::complete : PathStatus::goal_blocked;
}

}  // namespace classic

}  // namespace fairlead
