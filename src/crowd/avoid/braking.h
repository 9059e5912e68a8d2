// How far a unit still goes that brakes as hard as it can from now on. The updates to come may be of any length: speed falls by
// brake x step before each step's way, so in no sequence of steps it goes farther than v^2 / 2 brake.
#pragma once

#include <limits>

#include <fairlead/math/vec.h>

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

    /// What is left of a velocity after an update of braking.
    template <class Vec>
    [[nodiscard]] Vec braked(Vec velocity) const {
        const double speed = length(velocity);
        return drop < speed ? velocity * ((speed - drop) / speed) : Vec{};
    }
    /// The way of a unit that brakes at once.
    template <class Vec>
    [[nodiscard]] Vec plan_to_stop(Vec velocity) const {
        const double speed = length(velocity);
        const double way = stopping(speed);
        return way > 0.0 ? velocity * (way / speed) : Vec{};
    }
};

}  // namespace fairlead::crowd
