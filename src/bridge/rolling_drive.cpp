#include <fairlead/bridge/rolling_drive.h>

#include <algorithm>
#include <cmath>

#include <fairlead/grid/find_route.h>

#include "base/no_memory.h"
#include "drive/cost/line_cost.h"
#include "drive/lattice/driven_cost.h"

namespace fairlead {

namespace {

constexpr double kLookAheadMin = 8.0, kLookAheadMax = 1e6;  // cells
constexpr double kKept = 0.5;                               // of a stretch
constexpr std::int32_t kStallsMax = 16;
constexpr double kGoalRadii = 2.0;  // a window ends this near the coarse route, in turning radii

double gap_of(Vec2 a, Vec2 b) { return length(b - a); }

// Cuts a route behind `distance`. Legs keep their starts, so what is left is as legal as the whole; it costs what it does by itself.
void cut_route(const DriveMapState& map, const DriveQuery& query, Route& route, double distance) {
    double sum = 0.0;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        Leg& leg = route.legs[i];
        const double rest = distance - sum;
        sum += leg.length;
        if (rest >= leg.length) continue;
        route.end = place_on_leg(leg, rest);
        leg.length = rest;
        (void)route.legs.resize(i + 1);  // fewer
        break;
    }
    route.length = 0.0;
    for (const Leg& leg : route.legs) route.length += leg.length;
    route.cost = drive::driven_cost(map.data(), query, route.legs.span());
    route.line_cost = drive::line_cost(map.data(), route.legs.span());
    route.status = PathStatus::partial;
    route.bound = kNoBound;
}

}  // namespace

double RollingDrive::left() const { return std::max(length_ - along_, 0.0); }

Vec2 RollingDrive::coarse_at(double along) const {
    double sum = behind_;
    for (std::size_t i = passed_; i < coarse_.size(); ++i) {
        const double step = gap_of(coarse_[i - 1], coarse_[i]);
        if (sum + step >= along && step > 0.0)
            return coarse_[i - 1] + (coarse_[i] - coarse_[i - 1]) * ((along - sum) / step);
        sum += step;
    }
    return coarse_[coarse_.size() - 1];
}

// The place of the coarse route nearest to the unit, from where it was before and no farther on than two windows.
void RollingDrive::note_progress() {
    const Vec2 here = query_.start.ground();
    const double before = along_;
    double sum = behind_, best = along_, least = kNoBound;
    for (std::size_t i = passed_; i < coarse_.size() && sum < along_ + 2.0 * window_; ++i) {
        const Vec2 a = coarse_[i - 1], step = coarse_[i] - a;
        const double size = length(step);
        const double t = size > 0.0 ? std::clamp(dot(here - a, step) / (size * size), 0.0, 1.0) : 0.0;
        const double at = sum + t * size;
        const double gap = gap_of(here, a + step * t);
        if (at >= along_ && gap < least) {
            least = gap;
            best = at;
        }
        sum += size;
    }
    along_ = best;
    while (passed_ + 1 < coarse_.size()) {
        const double step = gap_of(coarse_[passed_ - 1], coarse_[passed_]);
        if (behind_ + step > along_) break;
        behind_ += step;
        ++passed_;
    }
    stalled_ = along_ > before ? 0 : stalled_ + 1;
}

Result<PathStatus> RollingDrive::find_coarse(const GridState& grid, Scratch& scratch) {
    const Vec2 from = query_.start.ground(), to = query_.goal.at.ground();
    along_ = length_ = behind_ = 0.0;
    passed_ = 1;
    coarse_.clear();
    const Result<PathStatus> found =
        find_waypoints(grid, from, to, query_.agent, scratch, coarse_, Smoothing::best);
    if (!found) return found.error();
    if (*found != PathStatus::complete) {  // a goal region round a wall, say: a straight line is a guide too
        coarse_.clear();
        if (!coarse_.push_back(to)) return kNoMemory;
    }
    if (!coarse_.push_back(from)) return kNoMemory;
    std::rotate(coarse_.begin(), coarse_.begin() + (coarse_.size() - 1), coarse_.end());
    for (std::size_t i = 1; i < coarse_.size(); ++i) length_ += gap_of(coarse_[i - 1], coarse_[i]);
    return PathStatus::partial;
}

// With one expansion: only what the map's cores and the ends tell. False: they deny it.
Result<bool> RollingDrive::may_arrive(const DriveMapState& map, const Place& from, Scratch& scratch) {
    DriveQuery query = query_;
    query.start = Spot(from);
    query.start.has_layer = query_.start.has_layer;
    query.expansions_max = 1;
    query.smooth = query.partial = false;
    query.off_lattice_max = 0;
    const Result<void> asked = find_route_into(map, query, scratch, stretch_);
    if (!asked) return asked.error();
    return stretch_.status == PathStatus::complete || stretch_.status == PathStatus::budget_spent;
}

Result<PathStatus> RollingDrive::begin(const GridState& grid, const DriveMapState& map,
                                       const DriveQuery& query, Scratch& scratch,
                                       const RollingDriveOptions& options) {
    if (!(options.window >= kLookAheadMin && options.window <= kLookAheadMax))
        return Error{ErrorCode::out_of_range, Field::window};
    if (!map.is_plain()) return Error{ErrorCode::unsupported, Field::floors};
    query_ = query;
    query_.agent = map.table().options().agent;
    window_ = std::max(options.window * grid.cell_size(), 8.0 * query_.agent.turning_radius);
    DriveQuery probe = query;
    probe.expansions_max = 1;
    probe.smooth = probe.partial = false;
    const Result<void> asked = find_route_into(map, probe, scratch, stretch_);
    if (!asked) return asked.error();
    if (stretch_.status == PathStatus::complete && stretch_.legs.empty()) return PathStatus::complete;
    if (stretch_.status != PathStatus::complete && stretch_.status != PathStatus::budget_spent)
        return stretch_.status;
    return find_coarse(grid, scratch);
}

Result<PathStatus> RollingDrive::find_stretch(const DriveMapState& map, double ahead, bool& to_goal,
                                              Scratch& scratch, Route& route) {
    DriveQuery query = query_;
    to_goal = along_ + 1.5 * ahead >= length_;
    if (!to_goal) {
        const Spot place = Spot(coarse_at(along_ + ahead));
        query.goal = Goal::within(place, kGoalRadii * query_.agent.turning_radius);
        query.off_lattice_max = 0;
        query.partial = false;
    }
    const Result<void> found = find_route_into(map, query, scratch, route);
    if (!found) return found.error();
    return route.status;
}

// Cuts the stretch where the goal can still be reached. False: nowhere.
Result<bool> RollingDrive::keep_first_part(const DriveMapState& map, Scratch& scratch, Route& route) {
    const double whole = route.length;
    for (const double part : {kKept, 0.5 * (1.0 + kKept), 1.0}) {
        Place end = place_on_route(route, part * whole);
        const Result<bool> good = may_arrive(map, end, scratch);
        if (!good.has_value()) return good.error();
        if (!*good) continue;
        cut_route(map, query_, route, part * whole);
        return true;
    }
    return false;
}

Result<PathStatus> RollingDrive::next(const GridState& grid, const DriveMapState& map, Scratch& scratch,
                                      Route& route) {
    bool anew = false;
    // Half of each stretch is kept, so a window's end is soon reached; should it not be, the rest is searched for as a whole.
    const double first = stalled_ < kStallsMax ? window_ : length_;
    for (double ahead = first;; ahead *= 2.0) {
        bool to_goal = false;
        const Result<PathStatus> found = find_stretch(map, ahead, to_goal, scratch, route);
        if (!found) return found.error();
        if (*found == PathStatus::complete && to_goal) {
            query_.start = Spot(route.end);
            along_ = length_;
            return PathStatus::complete;
        }
        if (*found == PathStatus::complete && route.length > 0.0) {
            const Result<bool> kept = keep_first_part(map, scratch, route);
            if (!kept.has_value()) return kept.error();
            if (*kept) {
                query_.start = Spot(route.end);
                note_progress();
                return PathStatus::partial;
            }
        }
        if (to_goal || *found == PathStatus::budget_spent || *found == PathStatus::start_blocked) {
            route.legs.clear();
            return *found;
        }
        if (!anew && ahead > first) {  // the coarse route may be of before an edit
            anew = true;
            const Result<PathStatus> coarse = find_coarse(grid, scratch);
            if (!coarse) return coarse.error();
            ahead = first / 2.0;
        }
    }
}

}  // namespace fairlead
