// How far a unit still goes that brakes as hard as it can from now on, in steps of one update.
#pragma once

#include <cmath>
#include <limits>

namespace fairlead::crowd {

struct Braking {
    double step = 0.0;                                      ///< seconds of an update
    double drop = std::numeric_limits<double>::infinity();  ///< of speed, an update

    /// From a speed that is driven in the coming update and then lost.
    [[nodiscard]] double distance(double speed) const {
        if (!(drop < speed)) return speed * step;
        const double more = std::floor(speed / drop);  // updates until it stands
        return step * (speed * (1.0 + more) - drop * (0.5 * more * (more + 1.0)));
    }
    /// Of a unit that has a speed now and brakes at once.
    [[nodiscard]] double stopping(double speed) const { return drop < speed ? distance(speed - drop) : 0.0; }
    /// Seconds that distance(speed) takes at that speed. Never falls with the speed.
    [[nodiscard]] double time(double speed) const { return speed > 0.0 ? distance(speed) / speed : step; }
};

}  // namespace fairlead::crowd
