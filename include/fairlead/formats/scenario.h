// Scenario: MovingAI `.scen` files, version 1 (queries on a map that stays) and version 2 (queries between
// changes of the map), and the patch files of the latter.
//
// Version 1. A line `version 1` (or `version 1.0`), then one query a line, nine words parted by tabs or by
// blanks:
//
//     bucket  map  width  height  start_x  start_y  goal_x  goal_y  optimal
//
// Cells are counted from 0, y is the row. `optimal` is the octile length without corner cutting (a diagonal
// step needs both cells that it passes between free), rounded as the file's author printed it: see
// length_agrees. A few files print 0 where there is no way between two cells.
//
// Version 2: the dynamic track of the Grid-based Path Planning Competition. The files do not explain
// themselves; what follows was worked out from the two samples and holds for every one of their 4,200 queries
// (the lengths found are equal to the 14 digits printed):
//
//     version 2
//     height 209                  size of the world
//     width 281
//     cost 1 octile               one cost a query, octile as above; the only form known
//     patch dao_arena2.patch      the file with the patches, beside this one
//     commands
//     P bucket patch x y          from here on the rectangle with its low corner at (x, y) holds the patch's
//                                 cells, its free ones included; what was there is gone
//     Q bucket sx sy gx gy optimal      find a way now; -1: there is none
//
// **Before the first P every cell of the world is free.** No `.map` belongs to such a file: the patches draw
// the map (the first patch of the Aurora sample is the whole world). Lines count in order; `bucket` only
// groups a run of P and the Q behind it (it never decreases in the samples, and nothing depends on it). No
// patch in the samples reaches beyond the world, and no start or goal is blocked.
//
//     for (const ScenarioQuery& query : scenario->queries) {
//         for (; applied < query.patches_before; ++applied) {            // bring the grid up to date
//             const PatchPlacement& p = scenario->placements[applied];
//             grid.set(placement_rect(p, patches->patches[p.patch]), tiles_of_patch[p.patch]);
//         }
//         ...
//     }
//
// A patch file:
//
//     type patch
//     patches 336
//     patch 0                     numbered from 0 without a gap
//     height 12
//     width 10
//     map
//     @@@@@@@@@@                  rows as in a `.map`
//     ...
//
// Errors of the loaders: text_keyword, text_number, text_value (a cell outside of the stated size, a negative
// optimal other than -1), text_end, text_extra, text_missing and text_duplicate (a line of the header),
// text_character (patch rows), size_limit, out_of_memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>
#include <fairlead/formats/tile_map.h>
#include <fairlead/grid/grid.h>

namespace fairlead::formats {

/// The published length of a query without a route.
inline constexpr double kNoRoute = -1.0;

struct ScenarioQuery {
    std::int32_t bucket = 0;
    Cell start{};
    Cell goal{};
    double optimal = 0.0;              ///< kNoRoute: there is none
    std::int32_t decimals = 0;         ///< digits behind the point as printed
    std::uint32_t map = 0;             ///< version 1: index into Scenario::maps
    std::uint32_t patches_before = 0;  ///< version 2: how many placements come before this query
    std::int64_t line = 0;

    friend bool operator==(const ScenarioQuery&, const ScenarioQuery&) = default;
};

/// What a row of version 1 says about its map. Most files name one map throughout.
struct ScenarioMap {
    std::string name;  ///< as written; often a path of the author's machine
    std::int32_t width = 0;
    std::int32_t height = 0;

    friend bool operator==(const ScenarioMap&, const ScenarioMap&) = default;
};

struct PatchPlacement {
    std::int32_t bucket = 0;
    std::uint32_t patch = 0;
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int64_t line = 0;

    friend bool operator==(const PatchPlacement&, const PatchPlacement&) = default;
};

struct Scenario {
    std::int32_t version = 1;
    std::vector<ScenarioQuery> queries;
    /// How many significant digits the lengths were printed with (C's %g), or 0 if with a fixed number of
    /// decimals.
    std::int32_t significant = 0;

    std::vector<ScenarioMap> maps;  ///< version 1: a new entry where a row differs from the one before it

    std::int32_t width = 0;  ///< version 2: of the world. Version 1: of the first row's map
    std::int32_t height = 0;
    std::string patch_file;                  ///< version 2: as written
    std::vector<PatchPlacement> placements;  ///< version 2: in order

    friend bool operator==(const Scenario&, const Scenario&) = default;
};

[[nodiscard]] Result<Scenario> load_scenario(std::string_view text, const Limits& limits = {});

/// A version 1 text with the lengths printed as they were read. Loads as the same queries (their line numbers
/// aside). Every query's `map` must be an index into `maps`. Version 2 is not written: an empty text.
[[nodiscard]] std::string save_scenario(const Scenario& scenario);

/// Half a unit of the last place that the published length was printed with, plus 2^-24 of it: several
/// authors summed in single precision. Lengths printed with %g drop zeros at the end: "4787" still means six
/// digits.
[[nodiscard]] double printed_tolerance(const Scenario& scenario, const ScenarioQuery& query);

/// Does the file say that there is no way: kNoRoute, or a length of 0 between two cells, as some published files have it?
[[nodiscard]] bool says_no_route(const ScenarioQuery& query);

/// Is `length` (kNoRoute: none found) what the file says, at its printed precision?
[[nodiscard]] bool length_agrees(const Scenario& scenario, const ScenarioQuery& query, double length);

struct PatchFile {
    std::vector<TileMap> patches;
};

[[nodiscard]] Result<PatchFile> load_patches(std::string_view text, const Limits& limits = {},
                                             const TileTable& table = TileTable::movingai());

/// The cells that a placement replaces.
[[nodiscard]] CellRect placement_rect(const PatchPlacement& placement, const TileMap& patch);

/// Does every placement name a patch and lie inside the world? text_reference or text_value with the place in
/// the scenario's file. After this, placing needs no check.
Result<void> check_placements(const Scenario& scenario, const PatchFile& file);

}  // namespace fairlead::formats
