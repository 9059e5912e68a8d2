// What a search on a level mesh tells a debugger: its intervals, with their places. debug/mesh_trace.h records and draws them.
#pragma once

#include <fairlead/math/vec.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/search/trace.h>

namespace fairlead {

/// What a root (the start, or a corner that the way bends round) sees of a polygon's side, about to be crossed. In the
/// world, on the ground plane; the ends are rounded.
struct MeshInterval {
    PolygonId polygon{};  ///< ahead, behind the side
    Vec2 root{};
    Vec2 left{};  ///< seen from the root
    Vec2 right{};
    double z = 0.0;  ///< height of the side's left end
};

/// A user's function, called for every interval that is opened (expanded) or put on the open list (generated), in the
/// order in which that happens. One that is the best at once is opened without having been on the list.
struct MeshIntervalHook {
    void (*event)(TraceEventKind kind, const MeshInterval& interval, void* user) = nullptr;
    void* user = nullptr;
};

}  // namespace fairlead
