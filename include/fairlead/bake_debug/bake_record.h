// BakeRecord: keeps the stages of a bake (mesh_bake/stages.h), ready to be drawn.
//
//     debug::BakeRecord record;
//     Result<bake::BakedMesh> mesh = bake::bake_mesh(soup, {.cell_size = 0.2, .stages = record.hook()});
//     debug::draw(record, bake::BakeStage::floors, svg.sink());        // the distance to walls
//     debug::draw(record, bake::BakeStage::straightened, svg.sink());
//     debug::draw_section(record, 40, side.sink());                     // a cut through the columns of row 40
//
// What each stage looks like, seen from above, low things first:
//     solid          the tops of what triangles fill, pale to dark as they rise; not walkable: grey
//     floors         where a walker fits, by the distance to the nearest place where none does
//     eroded         what the radius leaves, pale to dark as it rises
//     layers         one color a layer; neighbouring tiles count anew
//     borders        sides of cells; those that can be stepped over are thin
//     straightened   the sides of polygons to be, with their ends
// Part of fairlead::bake, not of the runtime. Recording allocates, drawing does not.
#pragma once

#include <limits>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/debug/sink.h>
#include <fairlead/math/aabb.h>
#include <fairlead/mesh_bake/stages.h>

namespace fairlead::debug {

/// Not movable: the hook points to it. For bakes on one thread.
class BakeRecord {
  public:
    explicit BakeRecord(const Allocator& allocator = {})
        : cells_(allocator), lines_(allocator), tiles_(allocator) {}
    BakeRecord(const BakeRecord&) = delete;
    BakeRecord& operator=(const BakeRecord&) = delete;

    [[nodiscard]] bake::BakeStageHook hook();
    /// Of all stages, in the order of the bake.
    [[nodiscard]] std::span<const bake::StageCell> cells() const { return cells_.span(); }
    [[nodiscard]] std::span<const bake::StageLine> lines() const { return lines_.span(); }
    /// The columns of each tile that was baked.
    [[nodiscard]] std::span<const CellBox> tiles() const { return tiles_.span(); }
    [[nodiscard]] const GridFrame& frame() const { return frame_; }
    /// False when memory ran out and something is missing.
    [[nodiscard]] bool complete() const { return complete_; }

  private:
    GridFrame frame_{};
    Array<bake::StageCell> cells_;
    Array<bake::StageLine> lines_;
    Array<CellBox> tiles_;
    bool complete_ = true;
};

struct BakeDraw {
    double z_low = -std::numeric_limits<double>::infinity();  ///< only what is at such heights
    double z_high = std::numeric_limits<double>::infinity();
    double clearance_max = 3.0;  ///< floors: world units at which the color is that of wide places
    bool tiles = true;           ///< the borders of tiles, dashed, where there are several
};

/// As the group "stage" with one for each of its colors. Reads the record a few hundred times.
void draw(const BakeRecord& record, bake::BakeStage stage, const Sink& sink, const BakeDraw& options = {});

/// A cut along the columns of row y: x to the right, z along the second axis. Solid spans, on them the floors, and
/// heavier what the radius leaves of them; as the group "section".
void draw_section(const BakeRecord& record, std::int32_t y, const Sink& sink);

/// Bounds of pictures: of all columns from above, and of the spans of row y.
[[nodiscard]] Aabb world_bounds(const BakeRecord& record);
[[nodiscard]] Aabb section_bounds(const BakeRecord& record, std::int32_t y);

}  // namespace fairlead::debug
