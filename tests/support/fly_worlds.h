// Worlds and queries for units that turn in space: 48^3 voxels of asteroids and of tunnels, made up and cut out of
// published ones.
#pragma once

#include <string>

#include <fairlead/base/rng.h>
#include <fairlead/fly/query.h>

#include "oracle/volume_dense.h"

namespace fairlead::testing {

enum class FlyWorld : std::uint8_t {
    asteroids,  ///< 20 to 110 balls of radius 1 to 6
    tunnels,    ///< solid, with winding tubes of radius 1.2 to 3.5, and some halls
    crop,       ///< a piece of a larger world
    count_,
};

[[nodiscard]] const char* fly_world_name(FlyWorld kind);
/// `whole`: what is cut from; read by `crop`.
[[nodiscard]] oracle::VolumeDense fly_world(Rng& rng, FlyWorld kind, const oracle::VolumeDense* whole,
                                            std::int32_t side);

/// Free places, at least `apart` voxels apart where one is found, any headings; climb 30 degrees. False: there is hardly room.
[[nodiscard]] bool draw_flight(Rng& rng, const oracle::VolumeDense& world, double radius,
                               double turning_radius, FlyQuery& query);

/// What a route of a turning unit must be beside verify: from pose to pose, no tighter, no steeper. Empty: good.
[[nodiscard]] std::string wrong_flight(const FlyQuery& query, const Route& route);

}  // namespace fairlead::testing
