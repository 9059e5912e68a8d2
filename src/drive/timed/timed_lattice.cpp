#include "drive/timed/timed_lattice.h"

#include <algorithm>
#include <cmath>

namespace fairlead::drive {

namespace {

// Curve lengths are rounded to units, so from one end of a move, a cell long at least, to the other the length left may
// fall by a unit too much. Scaled down by this it never does.
constexpr double kLengthConsistent = 1.0 / (1.0 + kCurveBoundsUnit * 1.001);
// Covers the rounding of square roots and sums.
constexpr double kTimeConsistent = 1.0 - 1.0 / (1 << 20);

}  // namespace

double TimedLattice::bound_seconds(std::uint32_t state) const {
    const auto cell = static_cast<double>(kLengthUnit);
    const double left = static_cast<double>(lattice_.least_left(state >> level_bits_)) / cell;
    const double goal = setting_.goal_level == kAnyLevel ? kFreeSpeed : times_->speed(setting_.goal_level);
    const double length = left * kLengthConsistent * map_->table().lattice_size();
    const double seconds = route::least_seconds_beyond(length, times_->speed(level(state)), goal,
                                                       times_->limits().speed_max, times_->limits());
    return seconds * map_->cheapest() * kTimeConsistent;
}

Cost TimedLattice::least_left(std::uint32_t state) const {
    return static_cast<Cost>(bound_seconds(state) / times_->tick()) >> setting_.shift;
}

Cost TimedLattice::step_cost(const SpeedStep& step, const LatticePose& at) const {
    if (terrain_.uniform()) return scaled(step.time);
    Cost sum = 0;
    for (const SpeedPart& part : times_->parts(step)) {
        sum += part.time * terrain_.at(at.x + part.dx, at.y + part.dy);
    }
    return scaled(sum);
}

bool TimedLattice::cost_to_goal(std::uint32_t state, Cost& cost) {
    const LatticePose at = pose(state);
    const std::int32_t from = level(state);
    const std::int32_t to = setting_.goal_level;
    if (setting_.goal->accepts(at)) {
        cost = 0;
        return to == kAnyLevel || (from == to && (to == 0 || at.gear == Gear::forward));
    }
    if (!setting_.goal->in_reach(at)) return false;
    FreeCurve curve;
    int which = 0;
    const Pose start = lattice_.pose_in_cells(at);
    if (!setting_.goal->curve_from(start, at.gear, curve, which)) return false;
    if (to > 0 && curve.last != Gear::forward) return false;
    const double seconds =
        seconds_of_curve(*map_, *times_, {start, curve, at.gear}, {from, to}, *room_, failed_);
    if (seconds == kNever) return false;
    cost = cost_of(seconds);
    return true;
}

}  // namespace fairlead::drive
