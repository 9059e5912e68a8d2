// Scene: a small tile world with queries on it, as JSON. One file serves as test, benchmark, picture and
// page: the files of scenes/ are read by all four.
//
//     {
//       "title": "Sand costs five times as much as pavement",
//       "caption": "One or two sentences for under the picture.",
//       "techniques": ["W7", "P1"],                 ids of the technique list
//       "map": ["A....",                            rows of letters, row 0 is y = 0
//               ".ss#.",
//               "....B"],
//       "legend": {"A": 1, "B": 1, "s": 5},         letter -> tile byte: 0 wall, 1 to 255 terrain
//       "queries": [
//         {"name": "around",                        for messages and file names
//          "start": "A", "goal": [4.5, 2.5],
//          "agent": {"radius": 0.4},
//          "planner": "bucket_astar",
//          "options": {"smoothing": "none"},
//          "expect": {"status": "complete", "cost": 6.25}}
//       ]
//     }
//
// Required: "map" or "layers", "queries" (may be empty) and in each query "start" and "goal". Keys that start
// with '_' are remarks; other keys than the ones here are errors.
//
// World
//   "map"       rows of one layer, all of the same length: printable ASCII without the blank
//   "layers"    instead of "map": a list of such lists, floor 0 first
//   "legend"    `.` is 1, `#` and `@` are 0 unless it says otherwise; every other letter must stand here
//   "costs"     letter -> cost of entering, 1 to 1023, where it is not the tile's own number
//   "origin"    [x, y];  "cell_size"  > 0
//   "wrap"      "x", "y" or "xy";  "corner"  "never" (default), "one_free", "always": the grid's connectivity
//   "sizes"     list of agents to register
//   "portals"   list of {"from": PLACE, "to": PLACE, "cost": 1, "two_way": true}: joins the places' cells
//   "areas"     list of {"name": NAME, "rect": [x0, y0, x1, y1], "layer": L, "cost": 1 to 1023}: a designer's regions. The free
//               cells of the rectangles of one name are one kind of terrain, of which a query may say what it costs its unit;
//               the cost stands where the name stands first. At most as many names as there are kinds of terrain left
//
// A PLACE is [x, y] or [x, y, layer] in world coordinates (the centre of cell (3, 4) is [3.5, 4.5]), or a
// letter that stands exactly once in the map: the centre of its cell.
//
// Query
//   "start"     PLACE; "start_heading_deg", "goal_heading_deg" for units that have one
//   "goal"      PLACE, or {"kind": "within" | "adjacent" | "in_sight", "at": PLACE, "range": R}, or
//               {"kind": "any_of", "points": [PLACE, ...]} on one layer
//   "agent"     {"radius": R} or {"footprint": N}; {"length": L, "width": W} is a rectangle, {"length": L, "radius": R}
//               a capsule, both with "axle_offset"; "turning_radius" and "reverse" (true, false) for units that drive
//   "planner"   as on the command line; default "auto", which is "weighted_lattice" where the agent has a turning radius
//   "options"   "smoothing" (default "best"), "corner", "neighbours" (4 or 8), "heuristic", "epsilon",
//               "turn_penalty", "window_grows", "partial", "expansions_max"; with a turning radius "headings" (8, 16
//               or 32), "rings" (0 to 3), "reverse_penalty", "cusp_penalty", "epsilon"
//   "terrain"   letter -> cost of entering for this query, 0 to 1023, 0 = cannot enter; others keep theirs
//   "blockers"  list of {"at": PLACE, "radius": R} or {"box": [x0, y0, x1, y1], "layer": L}
//   "influence" {"weight": W, "map": [rows of digits 0 to 9]} ("layers" as above)
//   "edits"     list of {"rect": [x0, y0, x1, y1], "layer": L, "tile": LETTER}: the cells x0 <= x < x1,
//               y0 <= y < y1 become that letter's tile, before this query and for all later ones
//   "expect"    "status", "length", "cost", "legs" (how many), "digest" (hexadecimal): what a test compares
//   "name", "caption"
//
// Errors: text_missing, text_keyword (unknown key or word), text_duplicate (a key, or a place's letter that
// stands more than once), text_reference (a letter that is not in the legend or not in the map), text_value
// (out of range), text_end (a row too short), text_extra (a row or text too long), text_type, text_number,
// text_character, size_limit, out_of_memory. Places in rows count bytes of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>
#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>
#include <fairlead/route/route.h>

namespace fairlead::formats {

struct SceneEdit {
    CellRect rect{};
    std::uint8_t tile = 0;

    friend bool operator==(const SceneEdit&, const SceneEdit&) = default;
};

/// A designer's region: free cells of one kind of terrain.
struct SceneArea {
    std::string name{};
    std::uint8_t terrain = 0;
    std::uint16_t cost = 0;

    friend bool operator==(const SceneArea&, const SceneArea&) = default;
};

/// What the scene's author states about the answer; each empty if not stated.
struct SceneExpectation {
    std::optional<PathStatus> status;
    std::optional<double> length;
    std::optional<double> cost;
    std::optional<std::int64_t> legs;
    std::optional<std::uint64_t> digest;
};

/// For agents with a turning radius: what drive/find_drive.h and bridge/grid_drive.h are asked.
struct SceneDrive {
    std::int32_t headings = 8;
    std::int32_t rings = 0;
    double epsilon = 1.4;
    double reverse_penalty = 1.5;
    double cusp_penalty = 1.0;
    bool optimal = false;
};

struct SceneQuery {
    std::string name;
    std::string caption;
    std::optional<double> start_heading_deg;
    std::optional<double> goal_heading_deg;
    std::vector<SceneEdit> edits;
    SceneExpectation expect;

    // The parts of a GridQuery that are lists are kept here; grid_query() joins them.
    GridQuery plain;
    SceneDrive drive;
    std::vector<Vec2> goal_points;
    std::vector<Blocker> blockers;
    std::vector<double> terrain;          ///< factors, by terrain; empty or 256
    std::vector<std::uint8_t> influence;  ///< empty or one byte a cell

    /// Is it for the turning search, from a heading to a heading (degrees, 0 where none is stated)?
    [[nodiscard]] bool drives() const { return plain.agent.turning_radius > 0.0; }

    /// Valid while this SceneQuery stays where it is.
    [[nodiscard]] GridQuery grid_query() const;
};

struct Scene {
    std::string title;
    std::string caption;
    std::vector<std::string> techniques;

    std::int32_t width = 0;
    std::int32_t height = 0;
    std::int32_t layers = 1;
    std::vector<std::uint8_t> tiles;  ///< for Grid::make: layer by layer, row by row
    std::string letters;              ///< the same cells as written, for pictures
    Vec2 origin{};
    double cell_size = 1.0;
    bool wrap_x = false;
    bool wrap_y = false;
    CornerRule corner = CornerRule::never;
    std::vector<Agent> sizes;
    std::vector<Portal> portals;
    std::vector<SceneArea> areas;
    std::vector<std::uint16_t> terrain_costs;  ///< empty or 256 entries

    std::vector<SceneQuery> queries;

    /// Everything but the tiles: `Grid::make(scene.grid_options(), scene.tiles)`. Valid while the Scene stays
    /// where it is.
    [[nodiscard]] GridOptions grid_options() const;
};

[[nodiscard]] Result<Scene> load_scene(std::string_view text, const Limits& limits = {});

}  // namespace fairlead::formats
