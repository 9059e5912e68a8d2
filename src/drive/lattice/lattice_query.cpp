// What a query of a turning unit may hold, and how the lattice reads it.
#include "drive/lattice/lattice_query.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "drive/curves/few_turns.h"

namespace fairlead::drive {

namespace {

constexpr double kAnyLength = std::numeric_limits<double>::max();
constexpr double kPenaltyMost = 1000.0;  // cells
constexpr double kPivotLeast = 0.05;     // cells a radian: turns that cost nothing have no order

// The heading exactly, or those of the lattice that will do; where none lies within the tolerance, the heading again.
std::uint32_t headings_of(const DriveTable& table, const Spot& spot) {
    if (!spot.has_heading) return kAnyHeading;
    if (!(spot.heading_tolerance_rad > 0.0)) return 0;
    return headings_near(table.headings(), spot.heading_rad, spot.heading_tolerance_rad);
}

Result<void> check_goal(const Goal& goal) {
    if (goal.kind != Goal::Kind::point && goal.kind != Goal::Kind::within)
        return Error{ErrorCode::unsupported, Field::goal};
    if (const Result<void> good = check_spot(goal.at, Field::goal, Field::goal_heading); !good) return good;
    if (goal.kind != Goal::Kind::within) return {};
    return check_number(goal.range, 0.0, std::numeric_limits<double>::max(), Field::goal_range);
}

}  // namespace

double cusp_in_cells(double cusp, double cell) { return std::min(cusp / cell, kPenaltyMost); }

double pivot_in_cells(double pivot, double cell) {
    return std::clamp(pivot / cell, kPivotLeast, kPenaltyMost);
}

Result<void> check_number(double value, double low, double high, Field field) {
    if (!std::isfinite(value)) return Error{ErrorCode::not_finite, field};
    if (value < low || value > high) return Error{ErrorCode::out_of_range, field};
    return {};
}

Result<void> check_spot(const Spot& spot, Field place, Field heading) {
    if (spot.kind != Spot::Kind::position) return Error{ErrorCode::unsupported, place};
    if (!is_finite(spot.ground()) || !std::isfinite(spot.position.z))
        return Error{ErrorCode::not_finite, place};
    if (!std::isfinite(spot.heading_rad)) return Error{ErrorCode::not_finite, heading};
    return check_number(spot.heading_tolerance_rad, 0.0, std::numeric_limits<double>::max(), heading);
}

Result<void> check_penalties(double reverse, double cusp, double pivot) {
    const Result<void> checks[] = {check_number(reverse, 1.0, 1000.0, Field::reverse_penalty),
                                   check_number(cusp, 0.0, kAnyLength, Field::cusp_penalty),
                                   check_number(pivot, 0.0, kAnyLength, Field::pivot_penalty)};
    for (const Result<void>& good : checks) {
        if (!good) return good.error();
    }
    return {};
}

Result<void> check_ends(const Spot& start, const Goal& goal) {
    if (const Result<void> good = check_spot(start, Field::start, Field::start_heading); !good) return good;
    return check_goal(goal);
}

Result<void> check_query(const DriveQuery& query) {
    const Result<void> checks[] = {
        check_ends(query.start, query.goal),
        check_number(query.epsilon, 1.0, 100.0, Field::epsilon),
        check_penalties(query.reverse_penalty, query.cusp_penalty, query.pivot_penalty),
    };
    const bool missing = query.heuristic == DriveHeuristic::own && query.own.estimate == nullptr;
    if (missing || query.heuristic > DriveHeuristic::own)
        return Error{ErrorCode::out_of_range, Field::heuristic, static_cast<std::int64_t>(query.heuristic)};
    for (const Result<void>& good : checks) {
        if (!good) return good.error();
    }
    return {};
}

namespace {

// A floor of that number exists nowhere either.
std::int32_t layer_of(const Spot& spot) {
    return spot.has_layer ? std::max(spot.layer, kMapLayer + 1) : kMapLayer;
}

}  // namespace

void read_ends(const DriveTable& table, const Spot& start, const Goal& goal, LatticeQuery& out) {
    out.start = few_turns(start.pose());
    out.goal = few_turns(goal.at.pose());
    out.start_headings = headings_of(table, start);
    out.goal_headings = headings_of(table, goal.at);
    out.goal_range = goal.kind == Goal::Kind::within ? goal.range : 0.0;
    out.start_layer = layer_of(start);
    out.goal_layer = layer_of(goal.at);
}

LatticeQuery lattice_query(const DriveTable& table, const DriveQuery& query) {
    LatticeQuery out;
    read_ends(table, query.start, query.goal, out);
    const double cell = table.options().cell_size;
    out.epsilon = query.epsilon;
    out.reverse_penalty = query.reverse_penalty;
    out.cusp_penalty = cusp_in_cells(query.cusp_penalty, cell);
    out.pivot_penalty = pivot_in_cells(query.pivot_penalty, cell);
    out.expansions_max = query.expansions_max;
    out.planner = query.planner;
    out.heuristic = query.heuristic;
    out.own = query.own;
    out.goal_curves = query.goal_curves;
    out.smooth = query.smooth;
    out.partial = query.partial;
    out.off_lattice_max = query.off_lattice_max;
    return out;
}

}  // namespace fairlead::drive
