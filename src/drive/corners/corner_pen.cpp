#include <algorithm>
#include <cmath>

#include <fairlead/curve/dubins.h>
#include <fairlead/curve/relaxed.h>

#include "drive/body/swept_cells.h"
#include "drive/corners/corner_work.h"
#include "drive/cost/line_cost.h"

namespace fairlead::drive {

namespace {

constexpr double kNear = 1e-9;         // radii: this near is there
constexpr double kMeasure = 1.0 / 16;  // cells: overlaps are measured in such bits
constexpr int kHalvings = 20;          // of one, to where the first overlap begins

CurveWord part_of(const CurveSegment& segment, double amount) {
    CurveWord word;
    word.segments[0] = {amount, segment.steer};
    word.count = 1;
    word.length = word.cost = std::abs(amount);
    return word;
}

bool is_blocked(const GroundBits& free, std::int32_t x, std::int32_t y) {
    return x < 0 || y < 0 || x >= free.width || y >= free.height || !free.free(x, y);
}

}  // namespace

int stretch_words(const Pose& from, const StretchGoal& goal, double radius,
                  std::span<CurveWord, kStretchWords> words) {
    if (goal.fixed) return dubins_words(from, {goal.to, goal.heading_rad}, radius, words);
    if (distance(from.position, goal.to) < kNear * radius) {
        words[0] = CurveWord{};
        return 1;
    }
    return words_to_point(from, goal.to, radius, words);
}

CornerPen::CornerPen(const MapData& map, const CornerQuery& query, CornerWork& work, RoundedCorners& out)
    : map_(map),
      query_(query),
      work_(work),
      out_(out),
      check_(map),
      at_(query.start),
      radius_(map.table().options().agent.turning_radius) {}

StretchGoal CornerPen::goal(std::span<const Vec2> way, std::size_t i) const {
    const bool last = i + 1 == way.size();
    return {way[i], last && query_.fix_goal_heading, query_.goal_heading_rad};
}

void CornerPen::restart() {
    at_ = query_.start;
    out_.route.legs.clear();
    out_.stretches.clear();
}

bool CornerPen::write_free(const CurveWord& word, double radius, Vec2 to) {
    CornerStretch stretch;
    stretch.to = to;
    stretch.radius = radius;
    stretch.first = static_cast<std::uint32_t>(out_.route.legs.size());
    Pose end;
    if (!append_legs(word, at_, radius, map_.options().layer, out_.route.legs, end)) return false;
    stretch.count = static_cast<std::uint32_t>(out_.route.legs.size()) - stretch.first;
    at_ = end;
    return out_.stretches.push_back(stretch);
}

bool CornerPen::write_measured(const CurveWord& word, double radius, Vec2 to) {
    const Pose start = at_;
    if (!write_free(word, radius, to)) return false;
    if (check_.word_is_free(start, radius, word)) return true;
    const Pose end = at_;
    at_ = start;
    CornerStretch& stretch = out_.stretches.back();
    stretch.free = false;
    measure_overlap(word, radius, stretch);
    const bool counted = count_clipped(word, radius, stretch);
    at_ = end;
    return counted;
}

bool CornerPen::count_clipped(const CurveWord& word, double radius, CornerStretch& stretch) {
    work_.runs.clear();
    const Pose start = check_.frame().in_cells(at_);
    if (!append_swept_cells(check_.body(), start, radius / check_.cell_size(), word, work_.runs))
        return false;
    for (const CellRun& run : work_.runs) {
        for (std::int32_t i = 0; i < run.count; ++i)
            stretch.clipped += is_blocked(check_.free(), run.dx + i, run.dy) ? 1 : 0;
    }
    return true;
}

void CornerPen::measure_overlap(const CurveWord& word, double radius, CornerStretch& stretch) const {
    Pose at = at_;
    bool met = false;
    for (const CurveSegment& segment : word.used()) {
        const double size = std::abs(segment.amount) * radius / check_.cell_size();
        const double bits = std::max(1.0, std::ceil(size / kMeasure));
        const double amount = segment.amount / bits;
        for (double i = 0.0; i < bits && segment.amount != 0.0; i += 1.0) {
            const Pose begin = end_of_curve(at, radius, part_of(segment, amount * i));
            if (check_.word_is_free(begin, radius, part_of(segment, amount))) continue;
            stretch.overlap_length += std::abs(amount) * radius;
            if (met) continue;
            met = true;
            double low = 0.0;
            double high = amount;
            for (int k = 0; k < kHalvings; ++k) {
                const double middle = 0.5 * (low + high);
                (check_.word_is_free(begin, radius, part_of(segment, middle)) ? low : high) = middle;
            }
            stretch.first_clip = end_of_curve(begin, radius, part_of(segment, low));
        }
        at = end_of_curve(at, radius, part_of(segment, segment.amount));
    }
    if (!met) stretch.first_clip = at_;  // a stretch of no length
}

void CornerPen::fail(std::size_t stretch) {
    out_.route.legs.clear();
    out_.route.status = PathStatus::unreachable;
    out_.blocked_stretch = static_cast<std::int64_t>(stretch);
}

void CornerPen::finish() {
    Route& route = out_.route;
    out_.legal = true;
    out_.radius_least = radius_;
    for (const CornerStretch& stretch : out_.stretches) {
        out_.legal = out_.legal && stretch.free;
        out_.radius_least = std::min(out_.radius_least, stretch.radius);
        out_.clipped += stretch.clipped;
        out_.overlap_length += stretch.overlap_length;
    }
    route.status = PathStatus::complete;
    for (const Leg& leg : route.legs) route.length += leg.length;
    route.cost = route.length;
    route.line_cost = line_cost(map_, route.legs.span());
    const Vec2 goal = out_.stretches.back().to;
    const double heading = query_.fix_goal_heading ? query_.goal_heading_rad : at_.heading_rad;
    route.end = {{goal.x, goal.y, 0.0}, heading, map_.options().layer};
}

}  // namespace fairlead::drive
