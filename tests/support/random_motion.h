// Random routes with every kind of leg, and random limits of speed. For digest scenes too: nothing of the standard library's mathematics.
#pragma once

#include <fairlead/base/rng.h>
#include <fairlead/route/speed_limits.h>

#include "support/route_maker.h"

namespace fairlead::testing {

inline Route random_route(Rng& rng) {
    const Vec2 from{rng.between(-50.0, 50.0), rng.between(-50.0, 50.0)};
    RouteMaker maker(from, rng.between(-3.0, 3.0));
    const int legs = rng.between(2, 9);
    for (int i = 0; i < legs; ++i) {
        const Gear gear = rng.below(4) == 0 ? Gear::reverse : Gear::forward;
        const double far = rng.between(0.2, 9.0);
        switch (rng.below(8)) {
            case 0: maker.drive(far).turn(rng.between(-4.0, 4.0)); break;
            case 1: maker.drive(far, rng.between(-0.5, 0.5), gear); break;
            case 2: {
                const Vec2 to{rng.between(-20.0, 20.0), rng.between(-20.0, 20.0)};
                maker.line_to(to);
                break;
            }
            case 3: {
                const Vec2 to{rng.between(-20.0, 20.0), rng.between(-20.0, 20.0)};
                maker.link(7, to, 0);
                break;
            }
            case 4: maker.drive(far, 0.0, gear).climb(rng.between(-5.0, 5.0)); break;
            case 5: maker.drive(far, rng.between(-0.3, 0.3)).rise(rng.between(-4.0, 4.0)); break;
            case 6: maker.drive(far).limit(rng.between(0.3, 3.0)); break;
            default: maker.drive(far, 0.0, gear); break;
        }
    }
    return maker.take();
}

inline SpeedLimits random_limits(Rng& rng) {
    SpeedLimits out;
    out.speed_max = rng.between(1.0, 8.0);
    if (rng.below(2) == 0) out.reverse_speed_max = out.speed_max * rng.between(0.2, 1.0);
    out.accel_max = rng.below(4) == 0 ? kNoLimit : rng.between(0.3, 8.0);
    out.brake_max = rng.below(4) == 0 ? kNoLimit : rng.between(0.3, 8.0);
    out.lateral_accel_max = rng.below(3) == 0 ? kNoLimit : rng.between(0.3, 8.0);
    out.turn_rate_max = rng.below(3) == 0 ? kNoLimit : rng.between(0.3, 6.0);
    out.cusp_seconds = rng.below(2) == 0 ? 0.0 : rng.between(0.0, 1.0);
    return out;
}

}  // namespace fairlead::testing
