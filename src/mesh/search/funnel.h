// From a corridor to a line through it.
//
// pull_funnel is the simple stupid funnel algorithm (Mikko Mononen 2010, after Chazelle 1982 and Lee & Preparata 1984):
// the shortest line through the corridor's portals, in one pass with restarts (techniques P10, P11, C12). The sides of the
// funnel are exact orientations, so equal vertices, portals without width and lines along walls are no special cases.
//
// refract is for corridors whose polygons have different prices: crossing points slide along their portals until no slide
// makes the line cheaper. The cost is a convex function of where the portals are crossed, so this is the cheapest line
// through the corridor, to the tolerance given.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

#include "mesh/data/state.h"
#include "mesh/search/any_angle.h"

namespace fairlead::mesh {

/// A side that is crossed: its ends as seen by who goes through.
struct Portal {
    Vec2 left{};
    Vec2 right{};
    EdgeRef edge = kNone;  ///< the side of the polygon behind it; starts at `left`
};

/// A bend of the line: where, and a side of a polygon that starts there.
struct LinePoint {
    Vec2 at{};
    EdgeRef edge = kNone;           ///< kNone: no vertex
    std::uint32_t polygon = kNone;  ///< the one behind the portal
    std::uint32_t portal = 0;       ///< the portal that it is on
    std::uint32_t link = kNone;     ///< the piece that is taken from here to the next point
};

/// Bends of the shortest line, without its ends. False: out of memory.
[[nodiscard]] bool pull_funnel(const StateData& state, Vec2 from, Vec2 to, std::span<const Portal> portals,
                               Array<LinePoint>& line);

/// prices[i]: of the polygon before portals[i]; one more for the last. On entry `line` has a point on every portal; on
/// return it is as cheap as can be, each step of the slides smaller than `tolerance` of its portal.
void refract(Vec2 from, Vec2 to, std::span<const Portal> portals, std::span<const double> prices,
             double tolerance, Array<LinePoint>& line);

}  // namespace fairlead::mesh
