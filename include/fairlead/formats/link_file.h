// Off-mesh links as JSON, to be given to a bake or to a mesh.
//
//     {
//       "links": [ {"id": 7, "from": [4, 2, 3], "to": [6, 2, 0], "one_way": true},
//                  {"id": 9, "from": [0, 9, 0], "to": [0, 12, 0], "extent": 2, "kind": 1, "cost": 3.5, "heading": 1.57,
//                   "tag": 42, "radius_max": 0.5, "reach": 1} ]
//     }
//
//     Result<std::vector<MeshLink>> links = formats::load_links(text);
//     for (const MeshLink& link : *links) edits.push_back(MeshEdit::add_link(link));
//
// `links` is required; of a link `id`, `from` and `to`. Without the others a link is as MeshLink's defaults say: a point, both
// ways, of kind 0, as dear as the straight line, headed from end to end. `heading` is in radians, as in files of routes. Keys that start
// with '_' are remarks; other keys are errors. Ids are whole numbers from 0 to 2^32 - 1, each once.
//
// Errors: text_missing, text_keyword (unknown key), text_duplicate (key or id), text_value (a number out of the range
// that mesh/link.h states, a place beyond twice kMeshSpan), text_type, text_number, text_character, text_extra, text_end, size_limit,
// out_of_memory.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>
#include <fairlead/mesh/link.h>

namespace fairlead::formats {

/// In the order of the file.
[[nodiscard]] Result<std::vector<MeshLink>> load_links(std::string_view text, const Limits& limits = {});

/// Reads back as the same links.
[[nodiscard]] std::string save_links(std::span<const MeshLink> links);

}  // namespace fairlead::formats
