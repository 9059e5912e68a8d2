#include "drive/swept_cells.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "drive/sweep.h"

namespace fairlead::drive {

namespace {

double farthest(const BodyCore& body) {
    const double x = std::max(std::abs(body.core.low.x), std::abs(body.core.high.x));
    const double y = std::max(std::abs(body.core.low.y), std::abs(body.core.high.y));
    return std::sqrt(x * x + y * y) + body.radius;
}

// The segments of a word, placed.
struct Pieces {
    SweptSegment piece[kCurveSegmentsMax];
    int count = 0;
};

Pieces place(const Pose& start, double radius, const CurveWord& word) {
    Pieces out;
    Pose at = start;
    for (const CurveSegment& segment : word.used()) {
        if (segment.amount == 0.0) continue;
        CurveWord one;
        one.segments[0] = segment;
        one.count = 1;
        one.length = one.cost = std::abs(segment.amount);
        const double curvature = static_cast<double>(segment.steer) / radius;
        out.piece[out.count++] = {at.position, math::direction(at.heading_rad), segment.amount * radius, curvature};
        at = end_of_curve(at, radius, one);
    }
    if (out.count == 0) out.piece[out.count++] = {start.position, math::direction(start.heading_rad), 0.0, 0.0};
    return out;
}

}  // namespace

bool append_swept_cells(const BodyCore& body, const Pose& start, double radius, const CurveWord& word,
                        Array<CellRun>& runs) {
    const Pieces pieces = place(start, radius, word);
    const double reach = farthest(body);
    const Aabb line = bounds_of_curve(start, radius, word);
    const auto low_x = static_cast<std::int32_t>(std::floor(line.low.x - reach));
    const auto low_y = static_cast<std::int32_t>(std::floor(line.low.y - reach));
    const auto high_x = static_cast<std::int32_t>(std::floor(line.high.x + reach));
    const auto high_y = static_cast<std::int32_t>(std::floor(line.high.y + reach));
    const auto swept = [&](std::int32_t x, std::int32_t y) {
        const Aabb cell{{static_cast<double>(x), static_cast<double>(y)}, {x + 1.0, y + 1.0}};
        for (int i = 0; i < pieces.count; ++i) {
            if (sweep_overlaps_box(body, pieces.piece[i], cell, kSweepSlack)) return true;
        }
        return false;
    };
    const std::int32_t base_x = static_cast<std::int32_t>(std::floor(start.position.x));
    const std::int32_t base_y = static_cast<std::int32_t>(std::floor(start.position.y));
    for (std::int32_t y = low_y; y <= high_y; ++y) {
        for (std::int32_t x = low_x; x <= high_x; ++x) {
            if (!swept(x, y)) continue;
            const std::int32_t from = x;
            while (x < high_x && swept(x + 1, y)) ++x;
            const CellRun run{static_cast<std::int16_t>(from - base_x), static_cast<std::int16_t>(y - base_y),
                              static_cast<std::int16_t>(x - from + 1)};
            if (!runs.push_back(run)) return false;
        }
    }
    return true;
}

}  // namespace fairlead::drive
