// Short curves that join an exact pose to the lattice's poses around it, at both ends of a query. They turn by little more than a
// quarter of a circle; where few of them are free all words are tried, to and from poses a little farther away.
#pragma once

#include <algorithm>
#include <cmath>

#include <fairlead/curve/dubins.h>
#include "drive/map/map_data.h"

#include "drive/body/curve_check.h"
#include "drive/curves/free_curve.h"

namespace fairlead::drive {

inline constexpr double kEndTurnMax = kHalfPi + 0.1;

/// Fewer short curves than this at an end: then all words.
inline constexpr std::size_t kFewEnds = 4;
[[nodiscard]] inline double all_words_reach(const DriveTable& table) {
    return std::max(3.0 * table.pitch(), 1.5 * table.turning_radius());
}

/// In cells, and its heading as a unit vector.
struct EndPose {
    Pose pose{};
    Vec2 ahead{};
};

/// May a curve between two poses `gap` apart turn by no more than kEndTurnMax? Then all of it leads at most so far away from the
/// directions at both its ends, so that it gains less than cos(kEndTurnMax) x 1.5 = 0.15 of the gap against them.
[[nodiscard]] inline bool may_turn_little(Vec2 gap, Vec2 ahead, Vec2 ahead_there) {
    const double least = -0.15 * std::sqrt(dot(gap, gap));
    return dot(ahead, ahead_there) > -0.15 && dot(gap, ahead) >= least && dot(gap, ahead_there) >= least;
}

/// Calls visit(word, gear) for the shortest curve forward and, for units that reverse, the shortest one in reverse, if it turns
/// little; until it returns true.
template <class Visit>
bool any_short_word(const DriveTable& table, const EndPose& from, const EndPose& to, const Visit& visit) {
    const double radius = table.turning_radius();
    const Vec2 gap = to.pose.position - from.pose.position;
    const auto take = [&](const CurveWord& word, Gear gear) {
        return turning_of(word) <= kEndTurnMax && visit(word, gear);
    };
    if (may_turn_little(gap, from.ahead, to.ahead) &&
        take(shortest_dubins(from.pose, to.pose, radius), Gear::forward))
        return true;
    return table.options().agent.can_reverse && may_turn_little(gap * -1.0, from.ahead, to.ahead) &&
           take(driven_back(shortest_dubins(to.pose, from.pose, radius)), Gear::reverse);
}

/// The same, of those that are free on a map.
template <class Visit>
bool any_short_curve(const MapData& map, const EndPose& from, const EndPose& to, const Visit& visit) {
    const DriveTable& table = map.table();
    return any_short_word(table, from, to, [&](const CurveWord& word, Gear gear) {
        return curve_is_free(map.free_cells(), table.body(), from.pose, table.turning_radius(), word) &&
               visit(word, gear);
    });
}

}  // namespace fairlead::drive
