#include "gallery/figures.h"

namespace fairlead::gallery {

std::vector<Figure> all_figures() {
    std::vector<Figure> all;
    for (const std::span<const Figure> table :
         {map_figures(),          article_figures(),  search_figures(), query_figures(),
          roadmap_figures(),      curve_figures(),    move_figures(),   drive_figures(),
          road_figures(),         smoother_figures(), unit_figures(),   mesh_drive_figures(),
          article_mesh_figures(), mesh_figures(),     bake_figures(),   volume_figures(),
          plate_figures(),        place_figures(),    moving_figures(), cover_figures(),
          explore_figures(),      drawing_figures()}) {
        all.insert(all.end(), table.begin(), table.end());
    }
    return all;
}

}  // namespace fairlead::gallery
