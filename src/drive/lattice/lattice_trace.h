// What a watched search tells: its states as poses in the world.
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>
#include <fairlead/drive/find_drive.h>

#include "drive/lattice/lattice_space.h"
#include "drive/map/map_frame.h"

namespace fairlead::drive {

/// States of the lattice search for a user's hook.
class LatticeTracer {
  public:
    LatticeTracer() = default;
    LatticeTracer(const DriveMap& map, const LatticeCode& code, const Pose& goal, const DriveTraceHook& hook)
        : map_(&map), code_(code), goal_(goal), hook_(hook) {
        goal_state_ = static_cast<std::uint32_t>(code.count(map.edges().height()));
    }

    void tell(TraceEventKind kind, std::uint32_t state, Cost g) const {
        if (state == goal_state_) return hook_.event(kind, goal_, Gear::forward, g, hook_.user);
        const LatticePose at = code_.pose(state);
        const Pose cells = map_->table().node(at.x, at.y, at.heading);
        hook_.event(kind, MapFrame(*map_).to_world(cells), at.gear, g, hook_.user);
    }

  private:
    const DriveMap* map_ = nullptr;
    LatticeCode code_;
    Pose goal_{};
    DriveTraceHook hook_{};
    std::uint32_t goal_state_ = 0;
};

/// The engine's trace: unwatched it costs a test of a pointer an event.
struct LatticeTrace {
    const LatticeTracer* tracer = nullptr;
    FAIRLEAD_INLINE void expanded(std::uint32_t state, Cost g) const {
        if (FAIRLEAD_UNLIKELY(tracer != nullptr)) tracer->tell(TraceEventKind::expanded, state, g);
    }
    FAIRLEAD_INLINE void generated(std::uint32_t state, Cost g) const {
        if (FAIRLEAD_UNLIKELY(tracer != nullptr)) tracer->tell(TraceEventKind::generated, state, g);
    }
};

}  // namespace fairlead::drive
