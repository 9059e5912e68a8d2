#include "drive/timed/timed_ends.h"

namespace fairlead::drive {

bool fill_timed_starts(const MapData& map, const SpeedTable& times, const DriveWork& ends, TimedWork& work) {
    work.starts.clear();
    const std::int32_t from = work.start_level;
    bool failed = false;
    for (std::uint32_t i = 0; i < ends.starts.size(); ++i) {
        const LatticeStart& start = ends.starts[i];
        if (start.word.count == 0) {
            if (from > 0 && start.pose.gear == Gear::reverse) continue;
            if (!work.starts.push_back({work.lattice.state(start.pose, from), i, 0})) return false;
            continue;
        }
        // A speed at the start is forward; from standing either gear will do.
        const TimedCurve way{start.from, with_gears(start.word), Gear::forward, from == 0};
        for (std::int32_t to = 0; to < times.levels(); ++to) {
            const double seconds = seconds_of_curve(map, times, way, {from, to}, work.line, failed);
            if (seconds == kNever) continue;
            if (!work.starts.push_back(
                    {work.lattice.state(start.pose, to), i, work.lattice.cost_of(seconds)}))
                return false;
        }
    }
    return !failed;
}

double seconds_direct(const MapData& map, const SpeedTable& times, const DriveWork& ends, TimedWork& work,
                      bool& failed) {
    const DirectCurve& direct = ends.direct;
    if (direct.which < 0) return kNever;
    if (work.goal_level > 0 && direct.curve.last != Gear::forward) return kNever;
    const TimedCurve way{direct.from, direct.curve, Gear::forward, work.start_level == 0};
    return seconds_of_curve(map, times, way, {work.start_level, work.goal_level}, work.line, failed);
}

}  // namespace fairlead::drive
