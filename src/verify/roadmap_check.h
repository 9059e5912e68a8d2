// The order of all checks of one route over a roadmap. verify_roadmap.h says what they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <fairlead/verify/verify_roadmap.h>

#include "verify/leg_sweep.h"
#include "verify/net_walk.h"
#include "verify/straight.h"

namespace fairlead::witness {

[[nodiscard]] RoadmapScale make_scale(const RoadmapState& roadmap);

class RoadmapCheck {
  public:
    RoadmapCheck(const Route& route, const RoadmapState& roadmap, const Agent& agent,
                 const RoadmapVerifyOptions& options);
    RoadmapCheck(const RoadmapCheck&) = delete;
    RoadmapCheck& operator=(const RoadmapCheck&) = delete;

    [[nodiscard]] Violation run();

  private:
    [[nodiscard]] bool arguments_judged() const;
    [[nodiscard]] Violation check_legs();
    [[nodiscard]] Violation check_leg(std::size_t i);
    [[nodiscard]] Violation check_leg_end(std::size_t i) const;
    [[nodiscard]] Violation check_net(std::size_t i);
    [[nodiscard]] Violation check_drive(std::size_t i);
    [[nodiscard]] Violation check_clearance(std::size_t i);
    [[nodiscard]] Violation check_stand();

    /// The first overlap of a disc along a straight leg with walls or tiles.
    [[nodiscard]] Violation sweep(std::int64_t index, const Leg& leg, double radius);
    [[nodiscard]] Violation sweep_tiles(std::int64_t index, const Leg& leg, double radius);
    [[nodiscard]] Straight straight(const Leg& leg, double radius) const;
    [[nodiscard]] Vec3 next_position(std::size_t i) const { return leg_end(route_, i).position; }
    [[nodiscard]] bool walls_known() const { return roadmap_.has_walls() || options_.tiles != nullptr; }
    [[nodiscard]] Violation bad_leg(ViolationKind kind, std::size_t i) const;

    const Route& route_;
    const RoadmapState& roadmap_;
    const Agent& agent_;
    const RoadmapVerifyOptions& options_;
    RoadmapScale scale_;
    NetWalk walk_;
    std::optional<LegSweep<GridState>> tiles_;
    std::size_t first_ = 0;  ///< the first leg that is not a turn on the spot
    std::size_t last_ = 0;   ///< the last one
};

}  // namespace fairlead::witness
