// ROUTES.jsonl: one route a line, as JSON.
//
//     {"id":7,"status":"complete","length":42.5,"cost":42.5,"line_cost":42.5,"bound":1,"planner":"jump_point","revision":0,
//      "legs":[{"kind":"drive","x":0.5,"y":0.5,"z":0,"layer":0,"heading":0,"length":3,"rise":0,"curvature":0,
//               "gear":"forward","clearance":0.8}],
//      "end":{"x":3.5,"y":0.5,"z":0,"heading":0},
//      "stats":{"expanded":12,"generated":40,"digest":"9c0f000000000000","ns":18000}}
//
// (in the file all on one line). Numbers are the shortest text that reads back as the same double. `heading`
// in radians; `bound` null if none is claimed; `clearance` null if it was not computed. A leg has further:
// `turn` (radians) if its kind is turn, `link` (id) if its kind is link, `speed_max` where there is a limit.
// A leg over a roadmap, written with its names (roadmap/leg_names.h), has `from` and `to`, the waypoints of its edge, and `edge`, an
// object with `cost`, and with `link`, `kind`, `flags` and `label` where they are not false or 0; a leg off the net has none of them.
// `end` has `layer` where it is not 0. `digest` is 16 hexadecimal digits. `shape` (route/shape.h) is written last and not read back:
// {"turns":3,"turned":1.57,"straightness":0.93}, `turned` in radians, with `cusps` where there are any.
//
// The reader takes files of other programs too: it needs `id` and `status`; for complete and partial routes
// also `legs` and `end`; of a leg `x`, `y`, `length` and `heading`, the latter two not for links. Everything
// else may be absent: kind drive, gear forward, numbers 0, clearance and speed unknown, bound none, length
// the sum of the legs', cost the length, line_cost the cost. Keys that it does not know are passed over.
//
// Errors: text_end, text_keyword (an unknown status, kind or gear), text_number, text_value, text_character,
// text_extra, text_missing, text_duplicate, text_type, size_limit, out_of_memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>
#include <fairlead/roadmap/leg_names.h>
#include <fairlead/route/route.h>

namespace fairlead::formats {

struct RouteRecord {
    std::int64_t id = 0;
    Route route;
    std::string planner;    ///< as read. When empty, route.planner is written; a route that was read has none
    std::uint64_t ns = 0;   ///< how long the search took
    std::int64_t line = 0;  ///< in the file; 0 for records made in memory
    bool line_cost_told = true;  ///< false: the file had none, and route.line_cost is its cost
};

/// Appends one line, newline included. For a program that writes routes as it finds them.
void append_route(std::string& out, std::int64_t id, const Route& route, std::uint64_t ns,
                  std::string_view planner = {});

/// The same of a route over a roadmap, with the names of its legs: one for each.
void append_route(std::string& out, std::int64_t id, const Route& route, std::uint64_t ns,
                  std::string_view planner, std::span<const RoadmapLeg> names);

/// All of them.
[[nodiscard]] std::string save_routes(std::span<const RouteRecord> records);

[[nodiscard]] Result<std::vector<RouteRecord>> load_routes(std::string_view text, const Limits& limits = {});

}  // namespace fairlead::formats
