// Where a way begins and ends: the place that was asked for, or the nearest one within reach where the body can be.
#pragma once

#include "volume/search/lazy_theta.h"

namespace fairlead::volume {

class Settler {
  public:
    Settler(const StateData& state, Masks& masks, const Body& body, double reach)
        : state_(state), masks_(masks), body_(body), reach_(reach) {}

    /// `exact`: in voxels, where the unit is. `end`: the same, or a little off what it touches. False: it can be nowhere near;
    /// `on_map`: the place itself is in the bounds.
    [[nodiscard]] bool settle(Vec3 world, WayEnd& end, Vec3& exact, bool& on_map) const;
    /// The middle nearest to a place (voxels, anywhere) where the body can be, at most `range` away; of a component, if one is given.
    [[nodiscard]] bool nearest(Vec3 at, double range, const std::uint32_t* label, WayEnd& end) const;

  private:
    [[nodiscard]] bool find_middle(Vec3 at, Voxel& voxel) const;
    [[nodiscard]] Vec3 eased(Vec3 at, Voxel voxel) const;
    void move_off_blockers(Vec3 at, WayEnd& end) const;
    [[nodiscard]] bool slides(Vec3 from, Vec3 to) const;

    const StateData& state_;
    Masks& masks_;
    const Body& body_;
    double reach_;
};

/// Length of the way from voxel to voxel with 26 neighbours if all were open, sides.
[[nodiscard]] double open_way(Vec3 metric, Voxel from, Voxel to);

}  // namespace fairlead::volume
