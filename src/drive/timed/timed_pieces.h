// Curves and legs as pieces for the speed pass.
#pragma once

#include <fairlead/drive/speed_table.h>
#include <fairlead/route/route.h>
#include "drive/map/map_data.h"

#include "drive/curves/free_curve.h"
#include "route/speed_pass.h"

namespace fairlead::drive {

using route::kFreeSpeed;
using route::kNever;
using route::SpeedPiece;

/// Room for a line and its speeds.
struct SpeedLine {
    explicit SpeedLine(const Allocator& allocator) : pieces(allocator), squared(allocator) {}

    Array<SpeedPiece> pieces;
    Array<double> squared;
};

/// Appends a word driven from a pose in cells. On terrain a piece for each cell passed. False: out of memory.
[[nodiscard]] bool append_pieces(const MapData& map, const SpeedTable& times, const Pose& from,
                                 const CurveWord& word, Array<SpeedPiece>& pieces);

/// The same of drive legs in world units.
[[nodiscard]] bool append_pieces(const MapData& map, const SpeedTable& times, std::span<const Leg> legs,
                                 Array<SpeedPiece>& pieces);

/// Seconds for a curve in cells between two levels, the change of gear before it included, or kNever. `to` below 0: any.
/// The last gear is forward where the speed at the end is not 0. `failed`: set when out of memory.
struct TimedCurve {
    Pose from{};
    FreeCurve curve{};
    Gear gear = Gear::forward;  ///< what it is driven in before; free if `gear_is_free`
    bool gear_is_free = false;
};
struct LevelPair {
    std::int32_t from = 0;
    std::int32_t to = 0;
};
[[nodiscard]] double seconds_of_curve(const MapData& map, const SpeedTable& times, const TimedCurve& way,
                                      LevelPair levels, SpeedLine& line, bool& failed);

}  // namespace fairlead::drive
