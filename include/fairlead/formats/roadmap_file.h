// RoadmapFile: a waypoint graph as JSON.
//
//     {
//       "title": "Harbour",                                          optional
//       "nodes": [ {"id": 1, "x": 2.5, "y": 3},  {"id": 7, "x": 9, "y": 3, "z": 1.5} ],
//       "edges": [ {"from": 1, "to": 7},                             both ways, cost = straight length
//                  {"from": 7, "to": 1, "cost": 12.5, "one_way": true},
//                  {"from": 1, "to": 7, "link": true, "kind": 2, "flags": 5, "label": 31} ],
//       "walls": [ {"polygon": [[4, 1], [6, 1], [6, 2]]},            solid, closes by itself; 3 or more
//                  {"line": [[0, 5], [10, 5], [10, 9]]} ],           thin; 2 or more
//       "roads": [ {"width": 6, "speed_max": 8}, {"width": 3} ],     of kinds 0, 1, ...: RoadKind
//       "map": "harbour.map"                                         tiles to stay clear of, beside this file
//     }
//
// `link`, `kind` (0 to 255), `flags` and `label` (0 to 2^32 - 1) are those of WaypointEdge, false and 0 if absent. At most 256
// `roads`; what is absent there is as in RoadKind.
//
// `nodes` is required, the rest optional; keys that start with '_' are remarks; other keys are errors. `z` is
// 0 if absent. Walls and map are what attaching a start or goal is checked against; both may be given. Node
// ids are whole numbers from 0 to 2^53, each once; an edge may join the same nodes as another, but not a node
// with itself.
//
// Errors: text_missing, text_keyword (unknown key), text_duplicate (key or node id), text_reference (an
// edge's node), text_value (number beyond kNumberMax, negative cost or width, speed that is not above 0, id out of range, edge
// from a node to itself, wall with too few points), text_type, text_number, text_character, text_extra, text_end,
// size_limit, out_of_memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>
#include <fairlead/math/vec.h>
#include <fairlead/roadmap/roadmap.h>

namespace fairlead::formats {

struct RoadmapNode {
    std::int64_t id = 0;
    Vec3 position{};

    friend bool operator==(const RoadmapNode&, const RoadmapNode&) = default;
};

struct RoadmapEdge {
    static constexpr double kStraight = -1.0;

    std::uint32_t from = 0;  ///< index into nodes, not the id
    std::uint32_t to = 0;
    double cost = kStraight;  ///< >= 0; kStraight: the straight length between the nodes
    bool one_way = false;
    bool link = false;  ///< this and the rest: as in WaypointEdge
    std::uint8_t kind = 0;
    std::uint32_t flags = 0;
    std::uint32_t label = 0;

    friend bool operator==(const RoadmapEdge&, const RoadmapEdge&) = default;
};

struct RoadmapFile {
    std::string title;
    std::vector<RoadmapNode> nodes;
    std::vector<RoadmapEdge> edges;
    std::vector<RoadmapWall> walls;  ///< of wall_points
    std::vector<Vec2> wall_points;
    std::vector<RoadKind> roads;  ///< by kind
    std::string map_file;         ///< empty: none. As written; relative to the roadmap's own folder

    friend bool operator==(const RoadmapFile&, const RoadmapFile&) = default;
};

[[nodiscard]] Result<RoadmapFile> load_roadmap(std::string_view text, const Limits& limits = {});

/// Reads back as the same value. Edges and walls must hold valid indices.
[[nodiscard]] std::string save_roadmap(const RoadmapFile& roadmap);

}  // namespace fairlead::formats
