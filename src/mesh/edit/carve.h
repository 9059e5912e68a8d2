// Obstacles cut out of a tile. A pure function of the tile as it was baked and of the footprints that meet its square,
// in the order given: what was there before does not matter.
//
// Polygons that a footprint meets are taken out in groups that hang together, triangulated anew with the footprints
// as constraints (polygon/triangulate.h), and joined to convex polygons again. All others stay as they are. So that
// neighbours still fit, sides between a group and the rest, and sides on the border of the tile, are cut at points that
// are a function of the side and the footprint alone: whoever has the side gets the same points.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/polygon/merge_convex.h>
#include <fairlead/polygon/regions.h>
#include <fairlead/polygon/triangulate.h>

#include "mesh/data/state.h"
#include "mesh/edit/footprint.h"
#include "mesh/edit/gates.h"

namespace fairlead::mesh {

struct CarveRules {
    double tile_size = 0.0;
    double quantum = 0.0;
    double floor_height = 2.0;  ///< gates are on a floor where they are no further from it than that
    std::uint32_t mask = 0;
};

class Carver {
  public:
    explicit Carver(const Allocator& allocator);

    /// Reads the baked tile and cuts. Errors: out_of_memory.
    /// Gates become sides of polygons.
    [[nodiscard]] Result<void> carve(const Tile& baked, std::span<const Footprint> footprints,
                                     std::span<const Gate> gates, const CarveRules& rules);

    Watch* watch = nullptr;  ///< carve() has an error where it says stop

    /// Valid until the next carve.
    [[nodiscard]] NavMeshTile result() const;
    /// For each corner of the result: the gap of the gate that the side from it is part of, or infinity. Empty: no gates.
    [[nodiscard]] std::span<const float> gaps() const {
        return gates_.empty() ? std::span<const float>{} : gaps_.span();
    }
    /// For each vertex of the result: the baked one, or kNone.
    [[nodiscard]] std::span<const std::uint32_t> baked_vertices() const { return baked_vertex_; }
    /// For each vertex of the result that is not a baked one: the baked polygon that it lies in.
    [[nodiscard]] std::span<const std::uint32_t> baked_polygons() const { return baked_polygon_; }

  private:
    enum class State : std::uint8_t { untouched, cut, met };  ///< cut: it only gets points on its sides
    struct Hit {
        std::uint32_t polygon = 0;
        std::uint32_t footprint = 0;
    };
    /// A segment of a footprint or a gate goes through a point where a side is cut.
    struct Crossing {
        std::uint32_t segment = 0;  ///< footprint x kFootprintPointsMax + side, or kGateBit | gate
        std::uint32_t vertex = 0;
        double along = 0.0;
    };
    static constexpr std::uint32_t kGateBit = 1U << 31;
    struct SplitPoint {
        std::uint32_t edge = 0;  ///< the half-edge that runs from the lesser end (by x, then y)
        double along = 0.0;
        std::uint32_t vertex = 0;
    };

    void read(const Tile& baked);
    [[nodiscard]] bool find_hits();
    [[nodiscard]] bool find_splits();
    [[nodiscard]] bool split_side(std::uint32_t edge);
    [[nodiscard]] bool find_groups();
    [[nodiscard]] bool group_overlaps(std::span<const std::uint32_t> group) const;
    [[nodiscard]] Result<void> cut_group(std::span<const std::uint32_t> group);
    [[nodiscard]] bool list_sides(std::span<const std::uint32_t> group);
    [[nodiscard]] bool list_footprints(std::span<const std::uint32_t> group);
    [[nodiscard]] Result<void> collect(std::span<const std::uint32_t> group);
    [[nodiscard]] std::uint32_t vertex_in_fan(std::span<const std::uint32_t> group, std::uint32_t half) const;
    [[nodiscard]] bool copy_untouched();
    [[nodiscard]] bool list_gates(std::span<const std::uint32_t> group);
    [[nodiscard]] bool find_gate_hits();
    [[nodiscard]] bool within_limits();
    [[nodiscard]] bool gate_meets(std::uint32_t polygon, const Gate& gate) const;
    [[nodiscard]] float gap_of(std::uint32_t half) const;
    [[nodiscard]] bool meets_on_ground(std::uint32_t polygon, const Footprint& footprint) const;
    /// Area and layer of a baked polygon: pieces are of one of each.
    [[nodiscard]] std::uint32_t kind_of(std::uint32_t polygon) const {
        const std::uint32_t layer = tile_->count.layers != 0 ? tile_->layers()[polygon] : 0;
        return layer * kAreasMax + view_.polygons[polygon].area();
    }
    [[nodiscard]] bool add_kind(std::uint32_t kind) {
        return areas_.push_back(static_cast<std::uint8_t>(kind % kAreasMax)) &&
               (tile_->count.layers == 0 || layers_.push_back(kind / kAreasMax));
    }
    [[nodiscard]] bool meets(std::uint32_t polygon, const Footprint& footprint) const;
    [[nodiscard]] bool side_in_height(std::uint32_t edge, const Footprint& footprint) const;
    [[nodiscard]] std::uint32_t canonical(std::uint32_t edge) const;
    [[nodiscard]] std::uint32_t add_vertex(Vec2 at, std::uint32_t polygon);
    [[nodiscard]] std::uint32_t point_of(std::uint32_t vertex);
    [[nodiscard]] bool add_broken(std::uint32_t segment, std::uint32_t from, std::uint32_t to,
                                  std::uint32_t label);
    [[nodiscard]] bool add_segment(std::uint32_t from, std::uint32_t to, std::uint32_t label,
                                   const SegmentSides& sides);
    [[nodiscard]] std::uint32_t polygon_at(std::span<const std::uint32_t> group, Vec2 p) const;
    [[nodiscard]] bool on_border(std::uint32_t edge) const;
    [[nodiscard]] std::span<const SplitPoint> splits_of(std::uint32_t edge) const;

    const Tile* tile_ = nullptr;
    TileView view_{};
    std::span<const Footprint> footprints_{};
    std::span<const Gate> gates_{};
    CarveRules rules_{};

    Array<Vec3> vertices_;
    Array<std::uint32_t> sizes_;
    Array<std::uint32_t> corners_;
    Array<std::uint8_t> areas_;
    Array<std::uint32_t> layers_;  ///< by polygon of the result; empty: the tile has none
    Array<std::uint32_t> baked_vertex_;
    Array<std::uint32_t> baked_polygon_;

    Array<Hit> hits_;
    Array<Hit> gate_hits_;
    Array<float> gaps_;  ///< by corner of the result
    Array<std::uint32_t> gate_of_segment_;
    Array<std::uint8_t> states_;      ///< by polygon, a State
    Array<std::uint32_t> seen_;       ///< by polygon: the last footprint that looked at it
    Array<SplitPoint> splits_;        ///< by edge, then along it
    Array<std::uint8_t> split_done_;  ///< by edge
    Array<Crossing> crossings_;       ///< by segment, then along it
    Array<std::uint32_t> group_of_;   ///< by polygon
    Array<std::uint32_t> members_;    ///< polygons by group
    Array<std::uint32_t> group_ends_;
    Array<std::uint32_t> point_of_;  ///< by vertex: its place in points_, in the group at hand
    Array<std::uint32_t> point_vertex_;
    Array<Vec2> points_;
    Array<ConstraintSegment> segments_;
    Array<SegmentSides> sides_;
    Array<std::uint32_t> region_;
    Array<std::int32_t> winding_;
    PolygonScratch scratch_;
    Triangulation triangles_;
    ConvexPolygons pieces_;
    bool failed_ = false;
    bool too_large_ = false;  ///< by far more crossings than a tile may have sides
};

}  // namespace fairlead::mesh
