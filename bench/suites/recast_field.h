// For the files of the peer alone: what Recast's bakes have in common. Only where Recast is there.
#pragma once

#ifdef FAIRLEAD_HAVE_RECAST

#include <memory>
#include <vector>

#include <Recast.h>

#include "suites/level_worlds.h"

namespace fairlead::bench::recast {

// RecastDemo's defaults.
inline constexpr float kCell = 0.3F, kCellHeight = 0.2F, kSlope = 45.0F;
inline constexpr float kAgentHeight = 2.0F, kAgentRadius = 0.6F, kClimb = 0.9F;
inline constexpr int kHeightCells = 10, kClimbCells = 4, kRadiusCells = 2;
inline constexpr int kEdgeCells = 40, kRegionMin = 64, kRegionMerge = 400;
inline constexpr float kEdgeError = 1.3F, kDetailDistance = 1.8F, kDetailError = 0.2F;

template <class T, void (*Free)(T*)>
struct Freed {
    void operator()(T* object) const { Free(object); }
};
using Heightfield = std::unique_ptr<rcHeightfield, Freed<rcHeightfield, rcFreeHeightField>>;
using Compact = std::unique_ptr<rcCompactHeightfield, Freed<rcCompactHeightfield, rcFreeCompactHeightfield>>;
using Contours = std::unique_ptr<rcContourSet, Freed<rcContourSet, rcFreeContourSet>>;
using PolyMesh = std::unique_ptr<rcPolyMesh, Freed<rcPolyMesh, rcFreePolyMesh>>;
using Detail = std::unique_ptr<rcPolyMeshDetail, Freed<rcPolyMeshDetail, rcFreePolyMeshDetail>>;

/// A tile, or the whole level: its box, and the triangles that may touch it with its border.
struct Piece {
    int x = 0, y = 0, width = 0, height = 0;
    float low[3] = {}, high[3] = {};  // with the border
    std::vector<int> triangles;
};

/// A level as Recast takes it, y up, cut into pieces. The demo, too, sorts the triangles by place when a level is loaded.
struct Input {
    Input(const BenchLevel& level, int tile_cells, int border_cells);

    std::vector<float> vertices;
    float low[3], high[3];
    int across = 1, down = 1;  // tiles
    int border = 0;
    float tile_size = 0.0F;  // 0: one piece
    std::vector<Piece> pieces;
    rcContext context{false};

    [[nodiscard]] int vertex_count() const { return static_cast<int>(vertices.size() / 3); }
};

/// Voxels, walkable ones marked, filtered, eroded. Null where there is nothing, or no memory.
[[nodiscard]] Compact walkable_field(Input& input, const Piece& piece);

}  // namespace fairlead::bench::recast

#endif
