// What a watched search tells: its states as poses in the world.
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>
#include <fairlead/drive/find_drive.h>

#include "drive/lattice/grid_lattice.h"
#include "drive/map/map_frame.h"

namespace fairlead::drive {

/// Tells of a pose of a unit that turns.
inline void tell_pose(const SearchTrace& hook, SearchEvent event, const Pose& world, Gear gear,
                      std::int32_t layer) {
    event.at = {{world.position.x, world.position.y, 0.0}, world.heading_rad, layer};
    event.gear = gear;
    event.has_heading = true;
    event.left = event.right = event.at.position;
    hook.event(event, hook.user);
}

/// States of the lattice search for a user's hook.
class LatticeTracer {
  public:
    LatticeTracer() = default;
    LatticeTracer(const MapData& map, const LatticeCode& code, const Pose& goal, const SearchTrace& hook)
        : map_(&map), code_(code), goal_(goal), hook_(hook) {
        goal_state_ = static_cast<std::uint32_t>(code.count(map.edges().height()));
    }

    void tell(TraceEventKind kind, std::uint32_t state, Cost g) const { tell(kind, state, state, g); }
    /// A state of another search, at a state of the lattice.
    void tell(TraceEventKind kind, std::uint32_t state, std::uint32_t lattice, Cost g) const {
        if (lattice == goal_state_) return tell_pose(hook_, {kind, state, g}, goal_, Gear::forward, 0);
        const LatticePose at = code_.pose(lattice);
        const Pose cells = map_->table().node(at.x, at.y, at.heading);
        const MapFrame frame(*map_);
        tell_pose(hook_, {kind, state, g}, frame.to_world(cells), at.gear, frame.layer_at(cells.position.y));
    }

  private:
    const MapData* map_ = nullptr;
    LatticeCode code_;
    Pose goal_{};
    SearchTrace hook_{};
    std::uint32_t goal_state_ = 0;
};

/// The engine's trace: unwatched it costs a test of a pointer an event. Above `shift` bits of a state lies its state of the lattice.
struct LatticeTrace {
    const LatticeTracer* tracer = nullptr;
    std::uint32_t shift = 0;
    FAIRLEAD_INLINE void expanded(std::uint32_t state, Cost g) const {
        if (FAIRLEAD_UNLIKELY(tracer != nullptr))
            tracer->tell(TraceEventKind::expanded, state, state >> shift, g);
    }
    FAIRLEAD_INLINE void generated(std::uint32_t state, Cost g) const {
        if (FAIRLEAD_UNLIKELY(tracer != nullptr))
            tracer->tell(TraceEventKind::generated, state, state >> shift, g);
    }
};

}  // namespace fairlead::drive
