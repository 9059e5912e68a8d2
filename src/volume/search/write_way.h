// From places in voxels to the legs of a route.
#pragma once

#include <span>

#include <fairlead/route/route.h>
#include <fairlead/volume/query.h>

#include "volume/data/state.h"
#include "volume/sight/prices.h"

namespace fairlead::volume {

class WayWriter {
  public:
    /// `prices`: none, or those that its legs cost.
    WayWriter(const StateData& state, Route& route, Prices& prices, Vec3 start)
        : state_(state), route_(route), prices_(prices), at_(start) {}

    /// From `begins` over the places of the way to `ends`, if there is one; `start` and `goal` are what was asked for. False: out of
    /// memory.
    [[nodiscard]] bool write(Vec3 begins, std::span<const Vec3> way, const Vec3* ends, Vec3 start, Vec3 goal);
    /// A route that stays where it is.
    [[nodiscard]] bool stay();

  private:
    [[nodiscard]] bool fly(Vec3 to);
    [[nodiscard]] Vec3 world(Vec3 at, Vec3 asked) const;

    const StateData& state_;
    Route& route_;
    Prices& prices_;
    Vec3 at_;
    double heading_ = 0.0;
};

}  // namespace fairlead::volume
