// The walls of worlds for the finder of narrow places (crowd/narrow_places.h): tiles, level meshes floor by floor, and roads.
//
//     const TileWalls walls(*town, {.radius = 0.5});
//     PlaceFinder finder;
//     Result<NarrowPlaces> places = finder.find(walls.options(), walls.rows());
//     town->fill({{10, 10}, {12, 14}}, 0);
//     places = finder.repair(walls.rect({{10, 10}, {12, 14}}), walls.rows());
//
//     Result<MeshWalls> walls = MeshWalls::make(*level, {.radius = 0.5});
//     for (std::uint32_t floor = 0; floor < walls->floors(); ++floor) {
//         Result<NarrowPlaces> places = finder.find(walls->options(floor), walls->rows(floor));
//     }
//
//     Result<RoadmapWalls> walls = RoadmapWalls::make(*roads, {.radius = 0.5});    // of roads with widths
//
// Volumes are not served: their narrow places are not found.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/crowd/narrow_places.h>
#include <fairlead/grid/grid.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/roadmap/roadmap.h>

namespace fairlead {

/// As in PlacesOptions.
struct WallsOptions {
    double radius = 0.5;
    /// Cells of the raster in a radius, at least. 5 puts mouths within 0.3 radii; the lowest, 2, takes a fifth of the time and finds fewer.
    double detail = 5.0;
    double margin = 1.02;
    double pocket = 12.0;
    std::int32_t layer = 0;  ///< tiles only
    Allocator allocator{};
};

/// One layer of a tile world; a layer that is not there is all wall. Exact: each tile is cut into parts x parts cells, an even number
/// unless one is enough, so that the middles of tiles are among the points and the widths of straight passages are exact. Seams of maps
/// that wrap count as walls. Of a Grid it sees the edits as they come. A large map of small tiles may need too many cells: find() then
/// gives size_limit; lower `detail`.
class TileWalls {
  public:
    /// The grid (or the snapshot) must outlive it, and find() and repair() are called while it stays where it is.
    TileWalls(const GridState& grid, const WallsOptions& options);

    [[nodiscard]] PlacesOptions options() const;
    [[nodiscard]] WallRows rows() const;
    /// Of tiles that have changed.
    [[nodiscard]] RasterRect rect(const CellRect& tiles) const;

  private:
    const GridState* grid_;
    WallsOptions options_;
    std::int32_t parts_ = 1;
};

namespace bridge {
class MeshFloors;  // src/bridge/mesh_walls.cpp
}

inline constexpr std::uint32_t kNoFloor = UINT32_MAX;

/// A level mesh as rasters, one for each floor: polygons of a floor do not lie above each other. Floors are filled polygon by polygon,
/// from neighbour to neighbour; where one ends and the next goes on, each also has what lies within some 16 radii beyond, so a place near
/// the seam is found in both: ask in that of the unit's polygon. Obstacles are walls; links play no part. A cell is free if its middle
/// lies on the surface, or as near to it as the surface keeps from walls: widths are exact to one cell.
///
/// A copy of the mesh as it is: make it anew after an edit. Cost: 2 to 9 ns for each cell of the floors' bounds; memory 1 byte for each,
/// and 4 for each cell of the mesh's bounds while it is made.
class MeshWalls {
  public:
    /// Errors: not_finite, out_of_range (agent_radius; distance: detail, 2 to 50); size_zero (the mesh has no polygon); size_limit
    /// (cells: of the whole mesh more than kPlaceCellsMax, or a side more than kPlaceSideMax); out_of_memory.
    [[nodiscard]] static Result<MeshWalls> make(const NavMeshState& mesh, const WallsOptions& options);

    [[nodiscard]] std::uint32_t floors() const { return static_cast<std::uint32_t>(floors_.size()); }
    [[nodiscard]] PlacesOptions options(std::uint32_t floor) const;
    /// Valid while this object lives.
    [[nodiscard]] WallRows rows(std::uint32_t floor) const;
    /// The floor that a polygon belongs to. O(log polygons). kNoFloor: not a polygon of the mesh as it was.
    [[nodiscard]] std::uint32_t floor_of(PolygonId polygon) const;

  private:
    friend class bridge::MeshFloors;

    struct Floor {
        std::int32_t x = 0;  ///< of the raster of all
        std::int32_t y = 0;
        std::int32_t width = 0;
        std::int32_t height = 0;
        const std::uint8_t* cells = nullptr;  ///< in blocked_
    };
    struct OfPolygon {
        std::uint32_t polygon = 0;
        std::uint32_t floor = kNoFloor;
    };

    explicit MeshWalls(const Allocator& allocator)
        : floors_(allocator), of_polygon_(allocator), blocked_(allocator) {}

    WallsOptions options_{};
    Vec2 origin_{};
    double cell_ = 1.0;
    Array<Floor> floors_;
    Array<OfPolygon> of_polygon_;  ///< by polygon
    Array<std::uint8_t> blocked_;
};

/// The ground of roads with widths (bridge/roadmap_crowd.h) on one floor. A cell is free if its middle lies on a road and no wall of the
/// roadmap runs within a cell of it: widths are exact to one cell. A copy of the roads as they are: make it anew after an edit.
/// Cost: 2 to 10 ns a cell of their ground; memory 1 byte for each cell of the bounds.
class RoadmapWalls {
  public:
    /// Errors: not_finite, out_of_range (agent_radius; distance: detail, 2 to 50); size_zero (no road); unsupported (width: the roads
    /// have none; height: not all at one height); size_limit (cells: more than kPlaceCellsMax, or a side more than kPlaceSideMax);
    /// out_of_memory.
    [[nodiscard]] static Result<RoadmapWalls> make(const RoadmapState& roads, const WallsOptions& options);

    [[nodiscard]] PlacesOptions options() const;
    /// Valid while this object lives.
    [[nodiscard]] WallRows rows() const;

  private:
    explicit RoadmapWalls(const Allocator& allocator) : blocked_(allocator) {}

    WallsOptions options_{};
    Vec2 origin_{};
    double cell_ = 1.0;
    std::int32_t width_ = 0;
    std::int32_t height_ = 0;
    Array<std::uint8_t> blocked_;
};

}  // namespace fairlead
