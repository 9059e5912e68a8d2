// FloorPlan: floors as outlines with holes, as JSON. The simplest way to a level mesh: nothing is baked, nothing rounded.
//
//     {
//       "floors": [ {"rings": [ [[0, 0], [9, 0], [9, 9], [0, 9]],             the outline
//                               [[3, 3], [6, 3], [6, 6], [3, 6]] ]},          a hole in it
//                   {"z": 3, "area": 1, "rings": [ [[0, 0], [4, 0], [4, 4]] ]} ]
//     }
//
//     Result<formats::FloorPlan> plan = formats::load_floor_plan(text);
//     Result<formats::MeshFile> mesh = formats::mesh_of(*plan);
//     const NavMeshTile tile = mesh->tile();
//     Result<NavMesh> level = NavMesh::make({.tiles = {&tile, 1}});
//
// `floors` is required, of a floor `rings`; a ring has 3 points or more and closes by itself. `z` and `area` are 0 if absent.
// `rule` says what is inside: "even_odd" (the default), "non_zero" or "positive" (polygon/outline.h). `title` is optional; keys that start
// with '_' are remarks; other keys are errors. Floors are apart even where they touch: what joins them are links.
//
// Errors of the file: text_missing, text_keyword (unknown key or rule), text_duplicate, text_value (a number beyond kMeshSpan, an
// area that is not below kAreasMax, a ring of less than 3 points), text_type, text_number, text_character, text_extra, text_end,
// size_limit, out_of_memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>
#include <fairlead/formats/mesh_file.h>
#include <fairlead/polygon/outline.h>

namespace fairlead::formats {

struct PlanFloor {
    double z = 0.0;
    std::uint8_t area = 0;
    OutlineRule rule = OutlineRule::even_odd;
    std::uint32_t first_ring = 0;
    std::uint32_t rings = 0;

    friend bool operator==(const PlanFloor&, const PlanFloor&) = default;
};

struct FloorPlan {
    std::string title;
    std::vector<PlanFloor> floors;
    std::vector<std::uint32_t> ring_sizes;  ///< points of each ring, floor after floor
    std::vector<Vec2> points;               ///< of all rings in turn

    friend bool operator==(const FloorPlan&, const FloorPlan&) = default;
};

[[nodiscard]] Result<FloorPlan> load_floor_plan(std::string_view text, const Limits& limits = {});

/// Reads back as the same value.
[[nodiscard]] std::string save_floor_plan(const FloorPlan& plan);

/// The floors as convex polygons, each exactly what its rule calls inside (where rings cross, rounded: polygon/outline.h).
/// Errors: as outline_to_convex, index: the floor; out_of_memory.
[[nodiscard]] Result<MeshFile> mesh_of(const FloorPlan& plan);

}  // namespace fairlead::formats
