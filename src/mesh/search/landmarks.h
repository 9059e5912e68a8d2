// Landmarks: a few points of each component, far from each other, and how far every vertex is from them. Since the way
// from a to b is at least as long as the difference of their distances to any point, they bound what a search still has
// to go: d(a, b) >= |d(L, a) - d(L, b)|. That stays true while ways only get longer or disappear.
//
// Andrew V. Goldberg & Chris Harrelson (2005), "Computing the shortest path: A* search meets graph theory". The points
// are chosen farthest from those before. The distances are exact: each is one flood of shortest paths over the component.
// Cost: for each landmark about as much as the longest query without them, over the whole component.
#pragma once

#include <span>

#include "base/revisions.h"
#include "mesh/data/state.h"
#include "mesh/data/watch.h"

namespace fairlead::mesh {

/// Chooses `count` landmarks in every component of at least kLandmarkPolygons polygons and fills draft.far and the views.
/// False: out of memory, or the watch was told to stop.
[[nodiscard]] bool measure_landmarks(Revisions<StateData>& revisions, std::uint32_t count,
                                     Watch* watch = nullptr);

/// Takes distances that were measured before, with the draft's links: `count` for each vertex, tile by tile in the order of the
/// slots. False: out of memory.
[[nodiscard]] bool adopt_landmarks(Revisions<StateData>& revisions, std::uint32_t count,
                                   std::span<const float> rows);

inline constexpr std::uint32_t kLandmarkPolygons = 16;

/// How far a place is from each landmark, at least and at most, in steps.
struct LandmarkRange {
    std::int16_t low[kLandmarksMax] = {};
    std::int16_t high[kLandmarksMax] = {};
};

/// By how many steps a place of `row` is farther from the other one at least, as any landmark says. Not inline: compilers
/// make vectors of the loop only where it stands alone.
[[nodiscard]] FAIRLEAD_NOINLINE std::int32_t steps_between(const std::int16_t* row,
                                                           const LandmarkRange& range);

/// From what is known of the corners of its polygon. The tile must have landmarks.
void find_landmark_range(const StateData& state, std::uint32_t polygon, Vec2 at, LandmarkRange& out);

/// No way from one place to another is shorter, links left out; 0 without landmarks.
[[nodiscard]] double landmark_distance(const StateData& state, std::uint32_t polygon_a, Vec2 a,
                                       std::uint32_t polygon_b, Vec2 b);

/// A tile with obstacles cut out, as carve.h tells it.
struct CarvedTile {
    const Tile* baked = nullptr;
    const TileLandmarks* far = nullptr;        ///< of the baked tile
    std::span<const std::uint32_t> sources{};  ///< for each vertex of the new tile: its place in what follows
    std::span<const Vec3> vertices{};
    std::span<const std::uint32_t> baked_vertices{};
    std::span<const std::uint32_t> baked_polygons{};
};

/// What the landmarks say of it: obstacles make no way shorter, so the baked distances still bound. Null: out of memory.
[[nodiscard]] TileLandmarks* carve_landmarks(Revisions<StateData>& revisions, const CarvedTile& carved);

}  // namespace fairlead::mesh
