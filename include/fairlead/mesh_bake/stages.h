// What a bake does on the way, for pictures: the columns, floors, layers and borders of its stages, one item a call.
//
//     debug::BakeRecord record;                                       // bake_debug/bake_record.h
//     bake::navmesh(soup, {.cell_size = 0.2, .stages = record.hook()});
//     debug::draw(record, bake::BakeStage::layers, svg.sink());
//
// Without a hook a bake does nothing for it: one comparison a stage and tile. With one, it takes two to five times as long.
// The calls come from the threads of BakeOptions::jobs; without jobs, from the caller's, tile after tile and stage after stage.
#pragma once

#include <cstdint>

#include <fairlead/math/vec.h>
#include <fairlead/raster/soup.h>
#include <fairlead/raster/span_field.h>

namespace fairlead::bake {

enum class BakeStage : std::uint8_t {
    solid,         ///< cells: what the triangles fill of each column
    floors,        ///< cells: where a walker fits, with the distance to the nearest place where none does
    eroded,        ///< cells: what the agent's radius leaves
    layers,        ///< cells: with the layer that they are part of
    borders,       ///< lines: sides of cells between two layers or areas, or beside a wall
    straightened,  ///< lines: the borders as the polygons have them
    count_,
};

/// "solid", ... Never null.
[[nodiscard]] const char* stage_name(BakeStage stage);

/// A piece of a column. Columns and heights count from the frame's origin.
struct StageCell {
    BakeStage stage = BakeStage::solid;
    std::uint8_t area = 0;  ///< 0: cannot be walked on
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t low = 0;     ///< cell heights; solid: its lower end. A floor: where it is
    std::int32_t high = 0;    ///< solid: its upper end. A floor: the ceiling
    std::uint32_t layer = 0;  ///< of the tile; from `layers` on
    double clearance = 0.0;   ///< floors: columns between it and the nearest one where nobody walks
};

struct StageLine {
    BakeStage stage = BakeStage::borders;
    bool open = false;  ///< one can step over it
    Vec3 from{};        ///< columns and cell heights
    Vec3 to{};
};

struct BakeStageHook {
    /// Before the first stage of a tile: its columns. All of a level without tiles.
    void (*tile)(const GridFrame& frame, const CellBox& box, void* user) = nullptr;
    void (*cell)(const StageCell& cell, void* user) = nullptr;
    void (*line)(const StageLine& line, void* user) = nullptr;
    void* user = nullptr;

    [[nodiscard]] bool on() const { return tile != nullptr || cell != nullptr || line != nullptr; }
};

}  // namespace fairlead::bake
