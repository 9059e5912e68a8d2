#include <fairlead/drive/speed_table.h>

#include <algorithm>
#include <cmath>

#include "route/speed_pass.h"

namespace fairlead {

using route::SpeedPiece;

namespace {

constexpr double kTicksACell = 16777216.0;  // 2^24
constexpr double kCellsToTopSpeed = 1e5;    // at most
constexpr double kSameSpeed = 1e-9;         // relative
constexpr std::int32_t kRunMax = 1024;      // moves of a run

Result<void> check(const SpeedLimits& limits, std::int32_t levels, const DriveTable& moves) {
    if (const Result<void> good = check_speed_limits(limits); !good) return good;
    const auto wrong = [](Field field) { return Error{ErrorCode::out_of_range, field}; };
    const double top = limits.speed_max * limits.speed_max;
    const double far = kCellsToTopSpeed * moves.lattice_size();
    if (limits.reverse_speed_max > 0.0 && limits.reverse_speed_max < 1e-4 * limits.speed_max)
        return wrong(Field::reverse_speed_max);
    if (!(limits.accel_max * far * 2.0 >= top && limits.accel_max <= 1e12)) return wrong(Field::accel_max);
    if (!(limits.brake_max * far * 2.0 >= top && limits.brake_max <= 1e12)) return wrong(Field::brake_max);
    const double radius = moves.options().agent.turning_radius;
    if (!(limits.lateral_accel_max * radius >= 1e-8 * top)) return wrong(Field::lateral_accel_max);
    if (!(limits.turn_rate_max * radius >= 1e-4 * limits.speed_max)) return wrong(Field::turn_rate_max);
    if (levels < 3 || levels > kSpeedLevelsMax) return wrong(Field::levels);
    if (moves.options().agent.can_pivot) return Error{ErrorCode::incompatible, Field::table};
    return {};
}

}  // namespace

SpeedTable::SpeedTable(const DriveTable& moves, const SpeedLimits& limits, std::int32_t levels,
                       const Allocator& allocator)
    : moves_(moves),
      limits_(limits),
      levels_(levels),
      steps_(allocator),
      parts_(allocator),
      first_(allocator) {
    if (limits_.reverse_speed_max == 0.0) limits_.reverse_speed_max = limits_.speed_max;
    tick_ = moves.lattice_size() / (limits_.speed_max * kTicksACell);
    cusp_ = static_cast<Cost>(std::ceil(limits_.cusp_seconds / tick_));
    place_levels();
}

// Levels are shared out below and above the arcs' speed as the speeds are, at least one to each side.
void SpeedTable::place_levels() {
    const std::int32_t last = levels_ - 1;
    const double top = limits_.speed_max * limits_.speed_max;
    const double radius = moves_->options().agent.turning_radius;
    const double turning = limits_.turn_rate_max * radius;
    const double arc = std::min({top, limits_.lateral_accel_max * radius, turning * turning});
    arc_speed_ = std::sqrt(arc);
    std::int32_t below = last;
    if (arc < top * (1.0 - kSameSpeed)) {
        const double share = arc_speed_ / limits_.speed_max * last;
        below = std::clamp(static_cast<std::int32_t>(share + 0.5), 1, last - 1);
    } else {
        arc_speed_ = limits_.speed_max;
    }
    for (std::int32_t i = 0; i <= last; ++i) {
        speed_[i] = i <= below ? arc_speed_ * std::sqrt(static_cast<double>(i) / below)
                               : std::sqrt(arc + (top - arc) * (i - below) / (last - below));
    }
    speed_[below] = arc_speed_;
    speed_[last] = limits_.speed_max;
}

double SpeedTable::speed_on(double curvature, Gear gear) const {
    const double most = gear == Gear::reverse ? limits_.reverse_speed_max : limits_.speed_max;
    const double bend = std::abs(curvature);
    if (bend * most * most <= limits_.lateral_accel_max && bend * most <= limits_.turn_rate_max) return most;
    // Arcs of the turning radius as stored: the level itself.
    const double radius = moves_->options().agent.turning_radius;
    if (std::abs(bend * radius - 1.0) <= kSameSpeed) return std::min(most, arc_speed_);
    return fairlead::speed_on(limits_, curvature, gear);
}

std::int32_t SpeedTable::level_of(double speed, bool& exact) const {
    std::int32_t level = 0;
    while (level + 1 < levels_ && speed_[level] < speed * (1.0 - kSameSpeed)) ++level;
    exact = std::abs(speed_[level] - speed) <= kSameSpeed * speed;
    return level;
}

// A step, if the speed may change so much on it. Primitives are driven in one gear; those that are repeated are one line.
bool SpeedTable::add(std::size_t primitive, std::int32_t repeat, std::int32_t from, std::int32_t to) {
    const Primitive& move = moves_->primitives().all()[primitive];
    const double size = moves_->lattice_size();
    const double radius = moves_->options().agent.turning_radius;
    SpeedPiece pieces[kCurveSegmentsMax];
    std::size_t count = 0;
    for (const CurveSegment& segment : move.word.used()) {
        if (segment.amount == 0.0) continue;
        const double bend = segment.steer == Steer::straight ? 0.0 : 1.0 / radius;
        const double most = speed_on(bend, move.gear);
        pieces[count++] = {std::abs(segment.amount) * radius * repeat, most * most};
    }
    const std::span<const SpeedPiece> line(pieces, count);
    const double a = speed_[from] * speed_[from];
    const double b = speed_[to] * speed_[to];
    double squared[kCurveSegmentsMax + 1];
    const std::span<double> speeds(squared, count + 1);
    if (!route::fill_speeds(line, a, b, limits_, speeds)) return true;

    Array<SpeedKnot> knots(steps_.allocator());
    if (!route::append_knots(line, speeds, limits_, knots)) return false;
    SpeedStep step{.first_part = static_cast<std::uint32_t>(parts_.size()),
                   .primitive = static_cast<std::uint32_t>(primitive),
                   .dx = static_cast<std::int16_t>(move.dx * repeat),
                   .dy = static_cast<std::int16_t>(move.dy * repeat),
                   .repeat = static_cast<std::uint16_t>(repeat),
                   .to = move.to,
                   .level = static_cast<std::uint8_t>(to),
                   .gear = move.gear};
    step.time = static_cast<Cost>(std::ceil(knots.back().time / tick_));
    double gone = 0.0;
    double before = 0.0;
    for (std::int32_t k = 0; k < repeat; ++k) {
        for (const TerrainVisit& visit : moves_->visits(primitive)) {
            gone += visit.length * size;
            const double now = time_at(knots.span(), gone);
            const auto dx = static_cast<std::int16_t>(move.dx * k + visit.dx);
            const auto dy = static_cast<std::int16_t>(move.dy * k + visit.dy);
            if (!parts_.push_back({static_cast<Cost>(std::ceil((now - before) / tick_)), dx, dy}))
                return false;
            before = now;
        }
    }
    step.parts = static_cast<std::uint16_t>(parts_.size() - step.first_part);
    shortest_ = std::min(shortest_, step.time);
    longest_ = std::max(longest_, step.time);
    return steps_.push_back(step);
}

bool SpeedTable::add_moves(std::int32_t heading, std::int32_t level) {
    const PrimitiveSet& set = moves_->primitives();
    for (std::size_t i = set.first(heading); i < set.first(heading + 1); ++i) {
        if (!allows(level, set.all()[i].gear)) continue;
        for (std::int32_t to = 0; to < levels_; ++to) {
            if (allows(to, set.all()[i].gear) && !add(i, 1, level, to)) return false;
        }
    }
    return true;
}

bool SpeedTable::add_runs(std::int32_t heading, std::int32_t level, Gear gear) {
    const PrimitiveSet& set = moves_->primitives();
    const HeadingStep ahead = heading_step(set.headings(), heading);
    const int way = gear == Gear::reverse ? -1 : 1;
    const std::span<const Primitive> group = set.from(heading);
    const auto straight = std::find_if(group.begin(), group.end(), [&](const Primitive& p) {
        return p.gear == gear && p.to == heading && p.dx == way * ahead.dx && p.dy == way * ahead.dy;
    });
    if (straight == group.end()) return true;
    const std::size_t primitive = set.first(heading) + static_cast<std::size_t>(straight - group.begin());
    for (const std::int32_t to : {level - 1, level + 1}) {
        if (to < 0 || to >= levels_ || !allows(level, gear) || !allows(to, gear)) continue;
        const double rate = 2.0 * (to > level ? limits_.accel_max : limits_.brake_max);
        const double gain = std::abs((speed_[to] - speed_[level]) * (speed_[to] + speed_[level]));
        const double moves =
            std::ceil(gain / (rate * straight->length * moves_->lattice_size()) * (1.0 - 1e-13));
        if (moves < 2.0 || moves > kRunMax) continue;
        if (!add(primitive, static_cast<std::int32_t>(moves), level, to)) return false;
    }
    return true;
}

bool SpeedTable::fill() {
    for (std::int32_t heading = 0; heading < moves_->headings(); ++heading) {
        for (std::int32_t level = 0; level < levels_; ++level) {
            if (!first_.push_back(static_cast<std::uint32_t>(steps_.size())) || !add_moves(heading, level) ||
                !add_runs(heading, level, Gear::forward) || !add_runs(heading, level, Gear::reverse))
                return false;
        }
    }
    return first_.push_back(static_cast<std::uint32_t>(steps_.size()));
}

Result<SpeedTable> SpeedTable::make(const DriveTable& moves, const SpeedLimits& limits, std::int32_t levels,
                                    const Allocator& allocator) {
    if (const Result<void> good = check(limits, levels, moves); !good) return good.error();
    SpeedTable table(moves, limits, levels, allocator);
    if (!table.fill()) return Error{ErrorCode::out_of_memory, -1, 0};
    return table;
}

}  // namespace fairlead
