#include <fairlead/base/rng.h>
#include <fairlead/route/route.h>

#include "digest/digest_scene.h"

FAIRLEAD_DIGEST_SCENE(route_place_on_leg) {
    fairlead::Rng rng(1);
    for (int i = 0; i < 20000; ++i) {
        fairlead::Leg leg;
        leg.start.position = {rng.between(-100.0, 100.0), rng.between(-100.0, 100.0), rng.unit()};
        leg.start.heading_rad = rng.between(-7.0, 7.0);
        leg.length = rng.between(0.0, 50.0);
        leg.rise = rng.between(-1.0, 1.0);
        leg.curvature = rng.below(3) == 0 ? 0.0 : rng.between(-2.0, 2.0);
        leg.gear = rng.below(2) == 0 ? fairlead::Gear::forward : fairlead::Gear::reverse;
        const fairlead::Place at = fairlead::place_on_leg(leg, rng.unit() * leg.length);
        digest.add(at.position.x);
        digest.add(at.position.y);
        digest.add(at.position.z);
        digest.add(at.heading_rad);
    }
}
