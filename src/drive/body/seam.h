// A point goes along the line between two cells and reaches into neither of them. Between two walls it must not: they are one.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "drive/body/pieces.h"
#include "drive/body/swept_cells.h"

namespace fairlead::drive {

/// A straight stretch along x = line (upright) or y = line, from low to high on the other axis; where a point stands, low = high.
struct Seam {
    bool upright = true;
    std::int32_t line = 0;
    double low = 0.0;
    double high = 0.0;

    [[nodiscard]] bool stands() const { return !(high - low > 4.0 * kSweepSlack); }
    /// The cells on either side that it goes along, first to last; where it stands on a crossing, those before and behind that.
    [[nodiscard]] std::int32_t first() const {
        return cell_at(low + (stands() ? -kSweepSlack : kSweepSlack));
    }
    [[nodiscard]] std::int32_t last() const {
        return cell_at(high + (stands() ? kSweepSlack : -kSweepSlack));
    }

  private:
    // The same one for all that is far off every map.
    [[nodiscard]] static std::int32_t cell_at(double v) {
        return static_cast<std::int32_t>(std::floor(std::fmin(std::fmax(v, -1e6), 1e6)));
    }
};

/// Of a body as thin as the slack.
[[nodiscard]] inline std::optional<Seam> seam_of(double reach, const SweptSegment& segment, bool upright) {
    if (reach > kSweepSlack || segment.curvature != 0.0) return std::nullopt;
    const Vec2 end = segment.start + segment.ahead * segment.amount;
    const double a = upright ? segment.start.x : segment.start.y, b = upright ? end.x : end.y;
    const double from = upright ? segment.start.y : segment.start.x, to = upright ? end.y : end.x;
    const double line = std::round(a);
    if (!(std::fabs(a - line) <= kSweepSlack && std::fabs(b - line) <= kSweepSlack && std::fabs(line) < 1e6))
        return std::nullopt;
    return Seam{upright, static_cast<std::int32_t>(line), std::fmin(from, to), std::fmax(from, to)};
}

/// Does `look` say true of one that the segment keeps to? Where a point stands there may be two.
template <class Look>
[[nodiscard]] bool any_seam(double reach, const SweptSegment& segment, const Look& look) {
    for (const bool upright : {true, false}) {
        const std::optional<Seam> seam = seam_of(reach, segment, upright);
        if (seam && look(*seam)) return true;
    }
    return false;
}

/// Is it between walls somewhere? `wall(x, y)`, of any cell; off the map all are.
template <class Wall>
[[nodiscard]] bool is_between_walls(const Seam& seam, const Wall& wall) {
    bool all = true;
    for (std::int32_t i = seam.first(); i <= seam.last(); ++i) {
        const bool both = seam.upright ? wall(seam.line - 1, i) && wall(seam.line, i)
                                       : wall(i, seam.line - 1) && wall(i, seam.line);
        if (both && !seam.stands()) return true;
        all = all && both;
    }
    return all;
}

}  // namespace fairlead::drive
