// Each step of the SpeedTable is driven once, in its least time, and sampled.
#include "convoy/moves.h"

#include <algorithm>
#include <cmath>

#include "route/speed_pass.h"

namespace fairlead::convoy {

namespace {

using route::SpeedPiece;

// The pieces of a word, and squared speeds at their ends; appends knots.
bool drive_word(const CurveWord& word, const SpeedTable& times, double from, double to,
                Array<SpeedKnot>& knots, bool& drivable) {
    const double radius = times.moves().options().agent.turning_radius;
    SpeedPiece pieces[kCurveSegmentsMax];
    std::size_t count = 0;
    Gear before = Gear::forward;
    for (const CurveSegment& segment : word.used()) {
        if (segment.amount == 0.0) continue;
        const Gear gear = segment.amount < 0.0 ? Gear::reverse : Gear::forward;
        const double most = times.speed_on(segment.steer == Steer::straight ? 0.0 : 1.0 / radius, gear);
        SpeedPiece& piece = pieces[count];
        piece = {std::abs(segment.amount) * radius, most * most};
        if (count > 0 && gear != before) {
            piece.stops = true;
            piece.stand = times.limits().cusp_seconds;
        }
        before = gear;
        ++count;
    }
    const std::span<const SpeedPiece> line(pieces, count);
    double squared[kCurveSegmentsMax + 1];
    const std::span<double> speeds(squared, count + 1);
    drivable = count > 0 && route::fill_speeds(line, from, to, times.limits(), speeds);
    return !drivable || route::append_knots(line, speeds, times.limits(), knots);
}

}  // namespace

bool ramp_profile(const CurveWord& word, const SpeedTable& times, Array<SpeedKnot>& knots) {
    knots.clear();
    bool drivable = false;
    return drive_word(word, times, 0.0, 0.0, knots, drivable);
}

CurveWord MoveSet::word(const Move& move) const {
    CurveWord word = times_->moves().primitives().all()[move.primitive].word;
    if (move.repeat > 1) {
        for (CurveSegment& segment : word.segments) segment.amount *= move.repeat;
        word.length *= move.repeat;
        word.cost *= move.repeat;
    }
    return word;
}

bool MoveSet::add_samples(std::int32_t heading, const CurveWord& word, Move& move) {
    const auto parts = static_cast<std::uint32_t>(std::ceil(move.seconds / sample_seconds_));
    move.samples = std::max(parts, 1U) + 1;
    move.first_sample = static_cast<std::uint32_t>(samples_.size());
    const Pose from{{}, heading_rad(times_->moves().headings(), heading)};
    Vec2 low{1e300, 1e300};
    Vec2 high{-1e300, -1e300};
    for (std::uint32_t k = 0; k < move.samples; ++k) {
        const double time = move.seconds * k / (move.samples - 1);
        Vec2 at[kDiscsMax];
        cover_.place(pose_on_curve(from, radius(), word, distance_at(knots(move), time)), at);
        for (std::uint32_t i = 0; i < cover_.discs; ++i) {
            if (!samples_.push_back(at[i])) return false;
            low = {std::min(low.x, at[i].x), std::min(low.y, at[i].y)};
            high = {std::max(high.x, at[i].x), std::max(high.y, at[i].y)};
        }
    }
    move.middle = (low + high) * 0.5;
    move.reach = distance(low, high) * 0.5;
    return true;
}

bool MoveSet::add(std::int32_t heading, std::int32_t level, const SpeedStep& step) {
    Move move;
    move.primitive = step.primitive;
    move.dx = step.dx;
    move.dy = step.dy;
    move.repeat = step.repeat;
    move.to = step.to;
    move.level = step.level;
    move.gear = step.gear;
    move.first_knot = static_cast<std::uint32_t>(knots_.size());
    const CurveWord curve = word(move);
    const double from = times_->speed(level);
    const double to = times_->speed(step.level);
    bool drivable = false;
    if (!drive_word(curve, *times_, from * from, to * to, knots_, drivable)) return false;
    if (!drivable) return true;
    move.knots = static_cast<std::uint32_t>(knots_.size() - move.first_knot);
    move.seconds = knots_.back().time;
    longest_ = std::max(longest_, move.seconds);
    return add_samples(heading, curve, move) && moves_.push_back(move);
}

// Bellman's equations, as often as there are levels.
void MoveSet::find_stops() {
    for (std::int32_t level = 1; level < times_->levels(); ++level) stop_seconds_[level] = 1e9;
    for (std::int32_t round = 1; round < times_->levels(); ++round) {
        for (std::int32_t i = 0; i < times_->moves().headings() * times_->levels(); ++i) {
            double& best = stop_seconds_[i % times_->levels()];
            for (const Move& move : from(i / times_->levels(), i % times_->levels()))
                best = std::min(best, move.seconds + stop_seconds_[move.level]);
        }
    }
    stop_seconds_[0] = 0.0;
}

bool MoveSet::make(const SpeedTable& times, const Agent& body, double sample_seconds) {
    times_ = &times;
    sample_seconds_ = sample_seconds;
    cover_ = cover_of(times, body, sample_seconds);
    for (std::int32_t heading = 0; heading < times.moves().headings(); ++heading) {
        for (std::int32_t level = 0; level < times.levels(); ++level) {
            if (!first_.push_back(static_cast<std::uint32_t>(moves_.size()))) return false;
            for (const SpeedStep& step : times.steps(heading, level)) {
                if (!add(heading, level, step)) return false;
            }
        }
    }
    if (!first_.push_back(static_cast<std::uint32_t>(moves_.size()))) return false;
    find_stops();
    return true;
}

}  // namespace fairlead::convoy
