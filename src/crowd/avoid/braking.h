// How far a unit still goes that brakes as hard as it can from now on. The updates to come may be of any length: speed falls by
// brake x step before each step's way, so in no sequence of steps it goes farther than v^2 / 2 brake.
#pragma once

#include <limits>

namespace fairlead::crowd {

struct Braking {
    double step = 0.0;                                      ///< seconds of an update
    double drop = std::numeric_limits<double>::infinity();  ///< of speed, an update

    /// Of a unit that has a speed now and brakes at once.
    [[nodiscard]] double stopping(double speed) const { return speed * speed * (0.5 * step / drop); }
    /// From a speed that is driven in the coming update and then lost.
    [[nodiscard]] double distance(double speed) const { return speed * step + stopping(speed); }
    /// Seconds that distance(speed) takes at that speed. Never falls with the speed.
    [[nodiscard]] double time(double speed) const { return step + speed * (0.5 * step / drop); }
};

}  // namespace fairlead::crowd
