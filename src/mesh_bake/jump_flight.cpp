// One jump: its parabola, and whether it meets anything.
#include <algorithm>
#include <cmath>

#include <fairlead/mesh_bake/jump_links.h>

namespace fairlead::bake {

namespace {

struct ShareRange {
    double low = 0.0;
    double high = 1.0;
};

// The part of the way on which a coordinate is between two bounds.
void keep_between(ShareRange& range, double from, double way, double low, double high) {
    if (way == 0.0) {
        if (from < low || from > high) range.high = -1.0;
        return;
    }
    const double a = (low - from) / way, b = (high - from) / way;
    range.low = std::max(range.low, std::min(a, b));
    range.high = std::min(range.high, std::max(a, b));
}

double to_square(Vec2 p, Vec2 low, double size) {
    const double dx = std::max({low.x - p.x, p.x - low.x - size, 0.0});
    const double dy = std::max({low.y - p.y, p.y - low.y - size, 0.0});
    return std::sqrt(dx * dx + dy * dy);
}

/// A flight past the columns.
struct FlightCheck {
    const SolidSpace& space;
    const JumpFlight& flight;
    const JumpOptions& options;

    /// What the foot may have under it in a column without meeting it.
    [[nodiscard]] double footing(Vec2 low, double lowest) const {
        const double size = space.frame.cell_size, reach = options.agent_radius + size;
        double top = lowest + space.frame.cell_height;
        for (const Vec3& end : {flight.from, flight.to}) {
            if (to_square(ground(end), low, size) <= reach) top = std::max(top, end.z + options.climb);
        }
        return top;
    }

    [[nodiscard]] bool column_clear(std::int32_t x, std::int32_t y) const {
        const GridFrame& frame = space.frame;
        const double size = frame.cell_size, radius = options.agent_radius;
        const Vec2 low{frame.origin.x + x * size, frame.origin.y + y * size};
        ShareRange range;
        keep_between(range, flight.from.x, flight.to.x - flight.from.x, low.x - radius,
                     low.x + size + radius);
        keep_between(range, flight.from.y, flight.to.y - flight.from.y, low.y - radius,
                     low.y + size + radius);
        if (range.low > range.high) return true;
        const double z_low = std::min(flight.at(range.low).z, flight.at(range.high).z);
        const double top_share = flight.fall > 0.0 ? flight.up / (2.0 * flight.fall) : 0.0;
        const double z_high = flight.at(std::clamp(top_share, range.low, range.high)).z;
        const double foot = footing(low, z_low), head = z_high + options.agent_height;
        const CellBox& box = space.field->box();
        const Span* span = space.field->row(y) + (x - box.x0);
        for (;;) {
            const double bottom = frame.origin.z + span->low * frame.cell_height;
            const double top = frame.origin.z + span->high * frame.cell_height;
            if (span->high > span->low && top > foot && bottom < head) return false;
            if (span->above == 0) return true;
            span = space.field->upper() + span->above;
        }
    }
};

}  // namespace

JumpFlight make_flight(Vec3 from, Vec3 to, const JumpOptions& options) {
    const double rise = to.z - from.z;
    const double speed = std::sqrt(2.0 * options.gravity * options.apex);
    const double under = std::max(0.0, speed * speed - 2.0 * options.gravity * rise);
    JumpFlight flight{from, to};
    flight.time = (speed + std::sqrt(under)) / options.gravity;
    flight.fall = 0.5 * options.gravity * flight.time * flight.time;
    flight.up = rise + flight.fall;  // so that it ends there exactly
    return flight;
}

bool is_clear(const SolidSpace& space, const JumpFlight& flight, const JumpOptions& options) {
    const CellBox& box = space.field->box();
    const GridFrame& frame = space.frame;
    const double more = options.agent_radius + frame.cell_size;
    const auto cell = [&](double value, double origin, std::int32_t least, std::int32_t most) {
        const double at = std::floor((value - origin) / frame.cell_size);
        return static_cast<std::int32_t>(
            std::clamp(at, static_cast<double>(least), static_cast<double>(most)));
    };
    const double x_low = std::min(flight.from.x, flight.to.x) - more,
                 x_high = std::max(flight.from.x, flight.to.x) + more;
    const double y_low = std::min(flight.from.y, flight.to.y) - more,
                 y_high = std::max(flight.from.y, flight.to.y) + more;
    const FlightCheck check{space, flight, options};
    const std::int32_t x_end = cell(x_high, frame.origin.x, box.x0 - 1, box.x1 - 1);
    const std::int32_t y_end = cell(y_high, frame.origin.y, box.y0 - 1, box.y1 - 1);
    for (std::int32_t y = cell(y_low, frame.origin.y, box.y0, box.y1); y <= y_end; ++y) {
        for (std::int32_t x = cell(x_low, frame.origin.x, box.x0, box.x1); x <= x_end; ++x) {
            if (!check.column_clear(x, y)) return false;
        }
    }
    return true;
}

}  // namespace fairlead::bake
