#include <fairlead/drive/round_corners.h>

#include <cmath>

#include "drive/corners/corner_work.h"
#include "drive/curves/few_turns.h"

namespace fairlead {

using drive::CornerDone;
using drive::CornerPen;
using drive::CornerWork;
using drive::MapData;

namespace drive {

namespace {

constexpr int kRadii = 8;  // steps from the full turning radius to the least

}  // namespace

CornerDone ignore_walls(CornerPen& pen, std::span<const Vec2> way) {
    for (std::size_t i = 0; i < way.size(); ++i) {
        CurveWord words[kStretchWords];
        (void)stretch_words(pen.at(), pen.goal(way, i), pen.radius(), words);
        if (!pen.write_measured(words[0], pen.radius(), way[i])) return CornerDone::no_memory;
    }
    pen.finish();
    return CornerDone::yes;
}

// The shortest curve at every radius, the largest first; then the other words.
CornerDone tighter(CornerPen& pen, std::span<const Vec2> way, double radius_min) {
    for (std::size_t i = 0; i < way.size(); ++i) {
        bool written = false;
        for (int rank = 0; rank < kStretchWords && !written; ++rank) {
            for (int k = 0; k <= kRadii && !written; ++k) {
                const double part = static_cast<double>(k) / kRadii;
                const double radius =
                    k == kRadii ? radius_min : pen.radius() + (radius_min - pen.radius()) * part;
                CurveWord words[kStretchWords];
                if (rank >= stretch_words(pen.at(), pen.goal(way, i), radius, words)) continue;
                if (!pen.check().word_is_free(pen.at(), radius, words[rank])) continue;
                if (!pen.write_free(words[rank], radius, way[i])) return CornerDone::no_memory;
                written = true;
            }
        }
        if (!written) {
            pen.fail(i);
            return CornerDone::yes;
        }
    }
    pen.finish();
    return CornerDone::yes;
}

}  // namespace drive

namespace {

constexpr std::size_t kWaypointsMax = 65536;
constexpr double kPositionMax = 1e9;
constexpr double kRadiusLeast = 1e-3;  // cells

Result<void> check(const MapData& map, const CornerQuery& query, CornerMethod method) {
    if (map.has_roads()) return Error{ErrorCode::unsupported, -1, 0};
    if (!map.is_plain()) return Error{ErrorCode::unsupported, -1, 1};
    if (query.waypoints.empty()) return Error{ErrorCode::size_zero, Field::waypoints};
    if (query.waypoints.size() > kWaypointsMax)
        return Error{ErrorCode::size_limit, Field::waypoints, static_cast<std::int64_t>(kWaypointsMax)};
    if (!is_finite(query.start.position) || !std::isfinite(query.start.heading_rad))
        return Error{ErrorCode::not_finite, Field::start};
    for (std::size_t i = 0; i < query.waypoints.size(); ++i) {
        const Vec2 at = query.waypoints[i];
        if (!is_finite(at))
            return Error{ErrorCode::not_finite, Field::waypoints, static_cast<std::int64_t>(i), 0};
        if (std::abs(at.x) > kPositionMax || std::abs(at.y) > kPositionMax)
            return Error{ErrorCode::out_of_range, Field::waypoints, static_cast<std::int64_t>(i), 0};
    }
    if (!std::isfinite(query.goal_heading_rad)) return Error{ErrorCode::not_finite, Field::goal_heading};
    if (!std::isfinite(query.radius_min)) return Error{ErrorCode::not_finite, Field::radius_min};
    const DriveTableOptions& unit = map.table().options();
    const bool no_floor = query.radius_min == 0.0;
    if (!no_floor &&
        (query.radius_min < kRadiusLeast * unit.cell_size || query.radius_min > unit.agent.turning_radius))
        return Error{ErrorCode::out_of_range, Field::radius_min};
    if (query.searches_max < 1 || query.searches_max > 10000)
        return Error{ErrorCode::out_of_range, Field::searches_max};
    if (method == CornerMethod::back_up && !unit.agent.can_reverse)
        return Error{ErrorCode::incompatible, -1, 0};
    return {};
}

// Complete: it may begin.
PathStatus first_look(const CornerPen& pen, const CornerQuery& query, CornerMethod method) {
    bool inside = pen.check().on_map(query.start.position);
    for (const Vec2 at : query.waypoints) inside = inside && pen.check().on_map(at);
    if (!inside) return PathStatus::off_world;
    if (method == CornerMethod::ignore_walls) return PathStatus::complete;
    if (!pen.check().stands(query.start)) return PathStatus::start_blocked;
    const Pose goal{query.waypoints.back(), query.goal_heading_rad};
    const bool room =
        query.fix_goal_heading ? pen.check().stands(goal) : pen.check().inner_disc_stands(goal.position);
    return room ? PathStatus::complete : PathStatus::goal_blocked;
}

void clear(RoundedCorners& out) {
    out.legal = false;
    out.route.clear();
    out.stretches.clear();
    out.blocked_stretch = -1;
    out.radius_least = 0.0;
    out.clipped = 0;
    out.overlap_length = 0.0;
    out.searches = 0;
}

CornerDone run(CornerPen& pen, const CornerQuery& query, CornerMethod method, CornerWork& work,
               RoundedCorners& out) {
    const double floor = query.radius_min > 0.0 ? query.radius_min : 0.5 * pen.radius();
    switch (method) {
        case CornerMethod::ignore_walls: return drive::ignore_walls(pen, query.waypoints);
        case CornerMethod::search_again: return drive::search_again(pen, query, work, out);
        case CornerMethod::tighter: return drive::tighter(pen, query.waypoints, floor);
        case CornerMethod::back_up: return drive::back_up(pen, query.waypoints, work);
    }
    return CornerDone::yes;
}

}  // namespace

const char* corner_method_name(CornerMethod method) {
    switch (method) {
        case CornerMethod::ignore_walls: return "ignore_walls";
        case CornerMethod::search_again: return "search_again";
        case CornerMethod::tighter: return "tighter";
        case CornerMethod::back_up: return "back_up";
    }
    return "unknown";
}

Result<void> round_corners_into(const DriveMapState& state, const CornerQuery& asked, CornerMethod method,
                                Scratch& scratch, RoundedCorners& out) {
    const MapData& map = state.data();
    CornerQuery query = asked;
    query.start = drive::few_turns(asked.start);
    query.goal_heading_rad = drive::few_turns(asked.goal_heading_rad);
    clear(out);
    if (const Result<void> good = check(map, query, method); !good) return good;
    auto* work = scratch.get<CornerWork>();
    if (work == nullptr) return Error{ErrorCode::out_of_memory, -1, 0};
    Route& route = out.route;
    route.planner = corner_method_name(method);
    route.revision = map.options().revision;
    const Vec2 start = query.start.position;
    route.end = {{start.x, start.y, 0.0}, query.start.heading_rad, map.options().layer};
    CornerPen pen(map, query, *work, out);
    route.status = first_look(pen, query, method);
    if (route.status != PathStatus::complete) return {};
    const CornerDone done = run(pen, query, method, *work, out);
    if (done == CornerDone::yes) return {};
    clear(out);
    if (done == CornerDone::bad_way) return Error{ErrorCode::not_finite, Field::waypoints};
    return Error{ErrorCode::out_of_memory, -1, 0};
}

Result<RoundedCorners> round_corners(const DriveMapState& map, const CornerQuery& query, CornerMethod method,
                                     Scratch& scratch) {
    RoundedCorners out;
    if (const Result<void> done = round_corners_into(map, query, method, scratch, out); !done)
        return done.error();
    return out;
}

}  // namespace fairlead
