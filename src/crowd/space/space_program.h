// The velocity program of avoid/velocity_program.h with one dimension more: half-spaces in place of half-planes.
//
// Source: Seidel 1991; in space: van den Berg, Guy, Lin and Manocha 2011 (ORCA, section 5).
#pragma once

#include <cstddef>
#include <span>

#include "crowd/space/half_space.h"

namespace fairlead::crowd {

/// The hard half-spaces first; at most kPlanesMax in all.
struct SpaceProgram {
    std::span<const HalfSpace> planes;
    std::size_t hard = 0;  ///< how many of them
    double speed_max = 0.0;
};

/// False: the hard half-spaces leave nothing; `u` is then unchanged.
[[nodiscard]] bool solve(const SpaceProgram& program, Vec3 wanted, Vec3& u);

}  // namespace fairlead::crowd
