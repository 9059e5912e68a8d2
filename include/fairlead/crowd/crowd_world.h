// CrowdWorld: what a crowd asks about the world it walks in: where walls are near, whether a way is clear, how far it is to a wall.
// Functions and their context; the crowd knows no world. bridge/crowd_worlds.h has them for tiles, level meshes and volumes,
// bridge/roadmap_crowd.h for roadmaps.
//
// The functions are called from all threads that Crowd::update is given, so they only read. They give the same answer for the same
// arguments during one update. Cost: `walls` is asked once a unit and update, `clear` at most once, `ray` a few times a second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <fairlead/math/vec.h>
#include <fairlead/route/route.h>

namespace fairlead {

/// A convex piece of a wall.
struct WallPiece {
    Vec3 a{};
    Vec3 b{};
    bool box =
        false;  ///< the axis-aligned box from a to b; else the line from a to b, with free ground on its left
};

/// Room for so many pieces is offered.
inline constexpr std::size_t kWallPiecesMax = 32;

/// A wall in space: nothing solid lies before it, where dot(normal, x - at) > 0.
struct WallPlane {
    Vec3 at{};      ///< where something solid touches it
    Vec3 normal{};  ///< of length 1, to the free side
};

/// Room for so many planes is offered.
inline constexpr std::size_t kWallPlanesMax = 32;

struct CrowdWorld {
    /// Writes the pieces of walls with a point within `reach` of a place, nearest first if there is no room for all; `count` of them.
    /// Returns up to which distance they are all there: `reach`, or less where room ran out. Null: there are no walls.
    double (*walls)(const Place& at, double reach, std::span<WallPiece> out, std::size_t& count,
                    void* user) = nullptr;
    /// Of a crowd in space, in place of `walls`: planes that keep all that is solid within `reach` of the line from `from` to `to` apart
    /// from it; the first of them across the shortest way between the two. Returns as `walls` does. Null: there are no walls.
    double (*planes)(Vec3 from, Vec3 to, double reach, std::span<WallPlane> out, std::size_t& count,
                     void* user) = nullptr;
    /// May a disc (in volumes a sphere) move straight from one place to the other? Null: always.
    bool (*clear)(const Place& from, Vec3 to, double radius, void* user) = nullptr;
    /// How far is it from a place to the first wall in a direction of length 1; `reach` if there is none so near. Null: no walls.
    double (*ray)(const Place& from, Vec3 direction, double reach, void* user) = nullptr;
    /// The place at the end of a short way that was found clear: its height and floor. Null: those of the unit's route.
    Place (*settle)(const Place& from, Vec3 to, void* user) = nullptr;
    /// How fast units may go at a place at most (roads); kNoLimit: as they can. Null: everywhere. What a unit has to slow down for
    /// on its way it takes from its route (Leg::speed_max).
    double (*speed_max)(const Place& at, void* user) = nullptr;
    /// Half the width of the road that a straight leg of a route runs along: so far beside it its limit of speed holds. kUnknown, and null:
    /// some radii of the unit.
    double (*half_width)(Vec3 from, Vec3 to, void* user) = nullptr;
    /// The pieces lie so far before the real walls (level meshes: NavMeshState::agent_radius()): bodies up to it reach over them.
    double margin = 0.0;
    void* user = nullptr;
};

}  // namespace fairlead
