// LegLook: may the legs of a route still be walked over a level mesh, and what do they cost now?
#pragma once

#include <span>

#include <fairlead/math/aabb.h>
#include <fairlead/mesh/query.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>

#include "mesh/data/state.h"
#include "mesh/surface/flood.h"

namespace fairlead::mesh {

/// The surface under a place of a route may have come to lie this much above or below it.
inline constexpr double kRouteHeightSlack = 0.5;

class LegLook {
  public:
    /// The query's disc, filter and height slack count. `work` is used for discs wider than the mesh's own.
    LegLook(const StateData& state, const MeshQuery& query, FloodWork& work);

    /// As mesh/repair.h says.
    [[nodiscard]] Revalidation look(const Route& route, const Aabb* changed);
    [[nodiscard]] Revalidation look(std::span<const Leg> legs, const Place& end, const Aabb* changed);
    /// Of a legal route: length times factor of what lies under it, and the prices of links.
    [[nodiscard]] double line_cost(const Route& route) const;
    /// Out of memory at some time.
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    [[nodiscard]] double priced(const Leg& leg, Vec3 to) const;

    const StateData& state_;
    const MeshQuery& query_;
    FloodWork& work_;
    double slack_ = 0.0;
    double room_ = 0.0;  ///< what the disc needs beyond the mesh's own
    bool failed_ = false;
};

}  // namespace fairlead::mesh
