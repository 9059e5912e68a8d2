#include "verify/blocker.h"

namespace fairlead::witness {

namespace {

double clamped(double v) { return smaller(larger(v, -kOutside), kOutside); }

Vec2 clamped(Vec2 p) { return {clamped(p.x), clamped(p.y)}; }

}  // namespace

Obstacle blocker_obstacle(const Blocker& blocker, const Scale& scale) {
    if (!blocker.box.empty()) {
        return {{clamped(scale.to_cells(blocker.box.low)), clamped(scale.to_cells(blocker.box.high))}, 0.0};
    }
    const Vec2 centre = clamped(scale.to_cells(blocker.centre));
    return {{centre, centre}, blocker.radius / scale.cell};
}

}  // namespace fairlead::witness
