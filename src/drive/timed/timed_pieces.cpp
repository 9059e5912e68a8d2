#include "drive/timed/timed_pieces.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "drive/cost/cells_along.h"
#include "drive/cost/terrain.h"

namespace fairlead::drive {

namespace {

// Pieces of segments in cells, each in one gear.
class PiecePen {
  public:
    PiecePen(const MapData& map, const SpeedTable& times, Array<SpeedPiece>& pieces)
        : terrain_(map.terrain()), times_(times), size_(map.table().lattice_size()), pieces_(pieces) {}

    [[nodiscard]] bool add(const SweptSegment& segment, std::uint32_t leg = kNoLeg) {
        const Gear gear = segment.amount < 0.0 ? Gear::reverse : Gear::forward;
        const double most = times_.speed_on(segment.curvature / size_, gear);
        SpeedPiece piece{.cap = most * most, .stand = times_.limits().cusp_seconds, .leg = leg};
        piece.stops = moved_ && gear != gear_;
        moved_ = true;
        gear_ = gear;
        bool good = true;
        const auto push = [&](double length, double slowdown) {
            piece.length = length * size_;
            piece.slowdown = slowdown;
            good = good && pieces_.push_back(piece);
            piece.stops = false;
        };
        if (terrain_.uniform()) {
            push(std::abs(segment.amount), 1.0);
        } else {
            for_cells_along(segment, [&](std::int32_t x, std::int32_t y, double length) {
                push(length, static_cast<double>(terrain_.at(x, y)));
            });
        }
        return good;
    }

  private:
    Terrain terrain_;
    const SpeedTable& times_;
    double size_;
    Array<SpeedPiece>& pieces_;
    Gear gear_ = Gear::forward;
    bool moved_ = false;
};

}  // namespace

bool append_pieces(const MapData& map, const SpeedTable& times, const Pose& from, const CurveWord& word,
                   Array<SpeedPiece>& pieces) {
    const SweptPieces placed = place_pieces(from, map.table().turning_radius(), word);
    PiecePen pen(map, times, pieces);
    for (int i = 0; i < placed.count; ++i) {
        if (placed.piece[i].amount != 0.0 && !pen.add(placed.piece[i])) return false;
    }
    return true;
}

bool append_pieces(const MapData& map, const SpeedTable& times, std::span<const Leg> legs,
                   Array<SpeedPiece>& pieces) {
    const double size = map.table().lattice_size();
    PiecePen pen(map, times, pieces);
    for (std::size_t i = 0; i < legs.size(); ++i) {
        const Leg& leg = legs[i];
        const double way = leg.gear == Gear::reverse ? -1.0 : 1.0;
        const Vec2 start = (ground(leg.start.position) - map.options().origin) * (1.0 / size);
        if (leg.length > 0.0 && !pen.add({start, math::direction(leg.start.heading_rad),
                                          way * leg.length / size, way * leg.curvature * size},
                                         static_cast<std::uint32_t>(i)))
            return false;
    }
    return true;
}

double seconds_of_curve(const MapData& map, const SpeedTable& times, const TimedCurve& way, LevelPair levels,
                        SpeedLine& line, bool& failed) {
    const bool shifts = !way.gear_is_free && way.curve.first != way.gear;
    if (levels.from > 0 && (shifts || !times.allows(levels.from, way.curve.first))) return kNever;
    if (levels.to > 0 && !times.allows(levels.to, way.curve.last)) return kNever;
    line.pieces.clear();
    if (!append_pieces(map, times, way.from, way.curve.word, line.pieces) ||
        !line.squared.resize_uninitialized(line.pieces.size() + 1)) {
        failed = true;
        return kNever;
    }
    const double from = times.speed(levels.from) * times.speed(levels.from);
    const double to = levels.to < 0 ? kFreeSpeed : times.speed(levels.to) * times.speed(levels.to);
    const SpeedLimits& limits = times.limits();
    if (!route::fill_speeds(line.pieces.span(), from, to, limits, line.squared.span())) return kNever;
    return route::sum_seconds(line.pieces.span(), line.squared.span(), limits) +
           (shifts ? limits.cusp_seconds : 0.0);
}

}  // namespace fairlead::drive
