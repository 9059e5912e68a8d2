// Is a leg free for a sphere, an upright capsule or a box that turns with its heading? curve_sight.h says how that is decided.
#pragma once

#include <fairlead/route/route.h>

#include "fly/hull_sweep.h"
#include "volume/sight/walk.h"

namespace fairlead::fly {

using volume::Body;
using volume::StateData;

class CurveProbe {
  public:
    CurveProbe() = default;
    /// `blockers`: null: none.
    CurveProbe(const StateData& state, const Agent& agent, const volume::BlockerTree* blockers = nullptr);

    /// Does the unit fit there? World units.
    [[nodiscard]] bool stands(const Place& at) const;
    [[nodiscard]] bool is_free(const Leg& leg) const;
    /// An arc from `at`, which heads along `heading`: ground length, signed curvature (not 0), rise.
    [[nodiscard]] bool is_arc_free(Vec3 at, double heading, double length, double curvature,
                                   double rise) const;
    /// Straight on, or straight back.
    [[nodiscard]] bool is_line_free(Vec3 from, Vec3 to, double heading) const;

  private:
    enum class Gap : std::uint8_t { free, blocked, near };
    struct Arc {
        Vec3 start{};
        double heading = 0.0;
        double length = 0.0;
        double curvature = 0.0;
        double rise = 0.0;

        [[nodiscard]] Vec3 at(double share) const;
    };
    [[nodiscard]] bool settle(const Arc& arc, double from, double to, Vec3 a, Vec3 b) const;
    [[nodiscard]] Gap look(Vec3 a, Vec3 b, double bulge) const;
    [[nodiscard]] Gap look_at_blockers(Vec3 a, Vec3 b, double bulge) const;

    const StateData* state_ = nullptr;
    Body body_{};  ///< not of a box
    HullSweep hull_{};
    bool is_hull_ = false;
    double firm_ = 0.0;    ///< the radius, less the slack that touching has
    double least_ = 0.0;   ///< from what is solid, even of a point
    double finest_ = 0.0;  ///< bulge of the shortest pieces
    double piece_ = 1.0;   ///< length of the first pieces at most
    double half_side_ = 0.5;
    double half_diagonal_ = 1.0;
};

}  // namespace fairlead::fly
