// The velocity nearest to a wanted one, within a speed, in hard half-planes, and if they leave room in soft ones too; else the
// velocity that violates the soft ones least.
//
// Source: Seidel 1991 (incremental linear programs of few dimensions); its use for velocities, with the last step:
// van den Berg, Guy, Lin and Manocha 2011 (ORCA).
#pragma once

#include <span>

#include "crowd/avoid/half_plane.h"

namespace fairlead::crowd {

/// What is sought: the velocity nearest to `aim`, or the farthest along it.
struct Sought {
    Vec2 aim{};
    bool direction = false;
};

/// The best velocity within a speed that serves the planes one after the other, as many as can be; how many. `u` serves those.
[[nodiscard]] std::size_t serve(std::span<const HalfPlane> planes, double speed_max, const Sought& sought,
                                Vec2& u);

/// The hard planes first.
struct VelocityProgram {
    std::span<const HalfPlane> planes;
    std::size_t hard = 0;  ///< how many of them
    double speed_max = 0.0;
};

/// False: the hard planes leave nothing; `u` is then unchanged.
[[nodiscard]] bool solve(const VelocityProgram& program, Vec2 wanted, Vec2& u);

}  // namespace fairlead::crowd
