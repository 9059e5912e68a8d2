// RoadmapCrowd: a roadmap as the world that a crowd asks (crowd/crowd_world.h).
//
//     Result<RoadmapCrowd> over = RoadmapCrowd::make(town->state());
//     crowd->update(1.0 / 30.0, over->world());
//
// Roads with widths (RoadKind). The free ground is what lies within half a road's width of its edge, round ends at waypoints
// included; all the rest is wall, also between two roads that do not touch. Where roads cross at one height without a waypoint they
// are one ground; where their heights differ by more than `height` they are not. A unit that stands beside the roads may come in.
// The rounding of a bend is a polygon of 32 corners within the circle, 0.5 % less than it: a unit has to be that much slimmer than a road.
//
// Roads without widths. Beside the edges is open ground: units step off their edge to pass each other, and come back, for they see no
// farther than `beside` from the edges; a place farther off, where a way ends, is seen from the nearest edge.
//
// Both. The roadmap's own walls are walls. `speed_max` is the limit of the fastest road that a place lies on (roads with widths; without,
// the limits of a route's legs are what there is). `settle` gives the height of the nearest edge.
//
// A copy of the roads as they were: make it anew for a newer revision. Cost: some 10 us a waypoint and edge to make, 300 to 800 bytes;
// `walls`, `clear` and `ray` 0.1 to 1 us.
#pragma once

#include <fairlead/base/allocator.h>
#include <fairlead/base/result.h>
#include <fairlead/crowd/crowd_world.h>
#include <fairlead/roadmap/roadmap.h>
#include <fairlead/route/sight.h>

namespace fairlead {

struct RoadmapCrowdOptions {
    double height = 2.0;  ///< roads whose heights differ by more do not join where they cross; > 0
    double beside =
        4.0;  ///< roads without widths: so far beside edges units still see their way; > 0. Several radii
    Allocator allocator{};
};

namespace bridge {
class RoadGround;  // src/bridge/road_ground.h
}

class RoadmapCrowd {
  public:
    /// The roadmap (or the snapshot) must outlive it. Errors: not_finite, out_of_range (height, distance: beside); out_of_memory.
    [[nodiscard]] static Result<RoadmapCrowd> make(const RoadmapState& roadmap,
                                                   const RoadmapCrowdOptions& options = {});
    RoadmapCrowd(RoadmapCrowd&& other) noexcept;
    RoadmapCrowd& operator=(RoadmapCrowd&& other) noexcept;
    RoadmapCrowd(const RoadmapCrowd&) = delete;
    RoadmapCrowd& operator=(const RoadmapCrowd&) = delete;
    ~RoadmapCrowd();

    /// RoadmapCrowdOptions::beside from now on: finite, > 0.
    void set_beside(double beside);
    /// Valid while this object, or the one that it was moved to, lives.
    [[nodiscard]] CrowdWorld world() const;
    /// May a disc move straight from a to b? For RoadmapQuery::sight, so that goals beside the roads are blocked. As world().
    [[nodiscard]] SightQuery sight() const;

  private:
    explicit RoadmapCrowd(bridge::RoadGround* ground) : ground_(ground) {}
    bridge::RoadGround* ground_ = nullptr;
};

}  // namespace fairlead
