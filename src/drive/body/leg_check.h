// The exact swept test for what a Route holds: straight legs, curves and turns on the spot, in world units.
#pragma once

#include <fairlead/curve/word.h>
#include <fairlead/route/route.h>
#include "drive/map/blocker_sweep.h"
#include "drive/map/map_data.h"

#include "drive/ground/ground_distance.h"
#include "drive/map/map_frame.h"

namespace fairlead::drive {

class LegCheck {
  public:
    /// `blockers`: of the query, ready; null: none.
    explicit LegCheck(const MapData& map, const BlockerSweep* blockers = nullptr);

    [[nodiscard]] const MapFrame& frame() const { return frame_; }
    [[nodiscard]] const GroundBits& free() const { return free_; }
    [[nodiscard]] const BodyCore& body() const { return body_; }
    [[nodiscard]] double cell_size() const { return frame_.size; }
    /// Does it look different with another heading?
    [[nodiscard]] bool body_turns() const;

    [[nodiscard]] bool line_is_free(const Pose& start, double length, Gear gear) const;
    /// Radius in world units.
    [[nodiscard]] bool word_is_free(const Pose& start, double radius, const CurveWord& word) const;
    /// By |turn_rad| <= pi.
    [[nodiscard]] bool turn_is_free(const Pose& start, double turn_rad) const;
    [[nodiscard]] bool stands(const Pose& at) const;
    /// Drive and turn legs, on the floor that they start on; a link never is.
    [[nodiscard]] bool leg_is_free(const Leg& leg) const;
    [[nodiscard]] bool stands(const Place& at) const;
    [[nodiscard]] bool on_map(Vec2 at) const;
    /// The radius of the largest disc about the axle within the body, in cells, and whether it has room somewhere.
    [[nodiscard]] double inner_radius() const;
    [[nodiscard]] bool inner_disc_stands(Vec2 at) const;

  private:
    [[nodiscard]] bool is_free(const Pose& from, double radius, const CurveWord& word) const;

    MapFrame frame_;
    GroundBits free_;
    BodyCore body_;
    const BlockerSweep* blockers_;
};

}  // namespace fairlead::drive
