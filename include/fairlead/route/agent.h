// Agent: what moves. One value for every kind of unit; the planners read the parts that concern them.
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>

namespace fairlead {

/// The body of a unit, in world units. A disc by default; radius 0 is a point that may touch walls.
///
/// With `footprint` n > 0 the body is instead an axis-aligned square of n x n tiles (tile worlds only), and
/// `radius` is ignored. Wherever a position of the unit is asked for or given, it is the centre of the body:
/// for an even n that is a corner of tiles.
struct Agent {
    double radius = 0.0;         ///< finite, >= 0, world units
    std::int32_t footprint = 0;  ///< 0: disc; 1 to 64: side of the square in tiles

    friend bool operator==(const Agent&, const Agent&) = default;
};

}  // namespace fairlead
