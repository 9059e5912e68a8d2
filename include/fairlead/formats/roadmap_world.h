// From a roadmap file to the roadmap that it describes.
//
//     Result<formats::RoadmapFile> file = formats::load_roadmap(text);
//     Result<Roadmap> harbour = formats::make_roadmap(*file);
//
// Waypoints, edges and walls; the file's `map` is the caller's to load (bridge/tile_sight.h joins the two).
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/formats/roadmap_file.h>
#include <fairlead/roadmap/roadmap.h>

namespace fairlead::formats {

/// Errors: those of Roadmap::make. Edges of cost 0 are out_of_range: a roadmap's costs are at least kEdgeCostMin.
[[nodiscard]] Result<Roadmap> make_roadmap(const RoadmapFile& file);

}  // namespace fairlead::formats
