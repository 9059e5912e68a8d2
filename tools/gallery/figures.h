// The tables of figures, one a file.
#pragma once

#include <span>

#include "gallery/figure.h"

namespace fairlead::gallery {

[[nodiscard]] std::span<const Figure> article_figures();     // figures_article.cpp
[[nodiscard]] std::span<const Figure> search_figures();      // figures_search.cpp
[[nodiscard]] std::span<const Figure> query_figures();       // figures_query.cpp
[[nodiscard]] std::span<const Figure> map_figures();         // figures_map.cpp
[[nodiscard]] std::span<const Figure> drawing_figures();     // figures_drawing.cpp
[[nodiscard]] std::span<const Figure> roadmap_figures();     // figures_roadmap.cpp
[[nodiscard]] std::span<const Figure> curve_figures();       // figures_curve.cpp
[[nodiscard]] std::span<const Figure> move_figures();        // figures_moves.cpp
[[nodiscard]] std::span<const Figure> drive_figures();       // figures_drive.cpp
[[nodiscard]] std::span<const Figure> road_figures();        // figures_roads.cpp
[[nodiscard]] std::span<const Figure> mesh_drive_figures();  // figures_mesh_drive.cpp
[[nodiscard]] std::span<const Figure> smoother_figures();    // figures_smoothers.cpp
[[nodiscard]] std::span<const Figure> unit_figures();        // figures_units.cpp

[[nodiscard]] std::span<const Figure> article_mesh_figures();  // figures_article_mesh.cpp
[[nodiscard]] std::span<const Figure> mesh_figures();          // figures_mesh.cpp
[[nodiscard]] std::span<const Figure> bake_figures();          // figures_bake.cpp
[[nodiscard]] std::span<const Figure> volume_figures();        // figures_volume.cpp
[[nodiscard]] std::span<const Figure> plate_figures();         // figures_plate.cpp
[[nodiscard]] std::span<const Figure> place_figures();         // figures_places.cpp
[[nodiscard]] std::span<const Figure> moving_figures();        // figures_moving.cpp
[[nodiscard]] std::span<const Figure> cover_figures();         // figures_cover.cpp
[[nodiscard]] std::span<const Figure> explore_figures();       // figures_explore.cpp

}  // namespace fairlead::gallery
