#include "drive/body/swept_cells.h"

#include <cmath>

#include "drive/body/pieces.h"
#include "drive/body/seam.h"

namespace fairlead::drive {

namespace {

// Along a line between cells a point sweeps neither: both count, as a wall on both sides is one.
bool goes_beside(double reach, const SweptSegment& segment, std::int32_t x, std::int32_t y) {
    return any_seam(reach, segment, [x, y](const Seam& seam) {
        const std::int32_t across = seam.upright ? x : y, along = seam.upright ? y : x;
        return !seam.stands() && (across == seam.line || across == seam.line - 1) && along >= seam.first() &&
               along <= seam.last();
    });
}

}  // namespace

bool append_swept_cells(const BodyCore& body, const Pose& start, double radius, const CurveWord& word,
                        Array<CellRun>& runs) {
    const SweptPieces pieces = place_pieces(start, radius, word);
    const double reach = farthest_point(body);
    const double around = reach > kSweepSlack ? reach : 0.5;  // a point's neighbours too
    const Aabb line = bounds_of_curve(start, radius, word);
    const auto low_x = static_cast<std::int32_t>(std::floor(line.low.x - around));
    const auto low_y = static_cast<std::int32_t>(std::floor(line.low.y - around));
    const auto high_x = static_cast<std::int32_t>(std::floor(line.high.x + around));
    const auto high_y = static_cast<std::int32_t>(std::floor(line.high.y + around));
    const auto swept = [&](std::int32_t x, std::int32_t y) {
        const Aabb cell{{static_cast<double>(x), static_cast<double>(y)}, {x + 1.0, y + 1.0}};
        for (int i = 0; i < pieces.count; ++i) {
            if (sweep_overlaps_box(body, pieces.piece[i], cell, kSweepSlack)) return true;
            if (goes_beside(reach, pieces.piece[i], x, y)) return true;
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
